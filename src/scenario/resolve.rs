//! Resolving a scenario: its records and its document become names of units and turns of the track.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::definition::{
    AbsentDef, DeployDef, ExtraDef, LostDef, QuotaDef, ReplaceDef, ScenarioFile, ScheduleKind, ScheduleRow,
};
use super::{Absence, Deployment, Direction, Loss, Movement, Quota, SCHEDULE, Scenario};
use crate::calendar::Calendar;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::document::Document;
use crate::game::Game;
use crate::model::Model;
use crate::record::{Records, Table};
use crate::reference::{Found, Index, Named};
use crate::schema::Broken;
use crate::select::{self, Scope, Words};
use crate::selection;
use crate::source::Span;
use crate::suggest;

/// The rules of this stage.
pub static RULES: &[&Rule] = &[
    &BAD_SELECTION,
    &OFF_THE_TRACK,
    &UNKNOWN_BASE,
    &INCOMPLETE_SCENARIO,
    &UNKNOWN_LEADER,
    &UNKNOWN_LINE,
];

static BAD_SELECTION: Rule = Rule {
    code: "bad-selection",
    severity: Severity::Error,
    summary: "a selection of units names something that does not exist, or may mean several things",
    explanation: "Selections say what the books say: `4/Heth/III except 11 Miss`, `artillery of III`, `Robertson, Benning \
                  of Hood/I`. Every name in one must mean one unit or formation of the side, and every exception must be \
                  among the units that it is excepted from.",
};

static OFF_THE_TRACK: Rule = Rule {
    code: "off-the-track",
    severity: Severity::Error,
    summary: "a moment is not a turn of the calendar",
    explanation: "Moments are written `1863-07-01 0740`, or as a number in games whose turns are numbered, and must be \
                  turns of the track that `game.toml` describes.",
};

static UNKNOWN_BASE: Rule = Rule {
    code: "unknown-scenario",
    severity: Severity::Error,
    summary: "a scenario extends one that does not exist",
    explanation: "`extends` names another scenario of the same game by its id. A scenario cannot extend itself, not even by \
                  way of others.",
};

static INCOMPLETE_SCENARIO: Rule = Rule {
    code: "incomplete-scenario",
    severity: Severity::Error,
    summary: "a scenario has no start or no end",
    explanation: "Every scenario needs `start` and `end`, or `extends` one that has them.",
};

static UNKNOWN_LEADER: Rule = Rule {
    code: "unknown-leader",
    severity: Severity::Error,
    summary: "a leader is named who does not exist, or who may be several",
    explanation: "Leaders are named as the book names them: by id, name, short name, surname or alias. `Jones` may be two \
                  men: write `Jones, J.` or the id.",
};

static UNKNOWN_LINE: Rule = Rule {
    code: "unknown-line",
    severity: Severity::Error,
    summary: "a scenario replaces a line that its schedule does not have",
    explanation: "`entry` in `[[reinforcements.replace]]` is the id of a line of the schedule: the first column of its CSV \
                  file.",
};

/// What resolving a game's scenarios needs.
#[derive(Clone, Copy)]
pub struct Stage<'a> {
    /// The game.
    pub game: &'a Game,
    /// Its track of turns.
    pub calendar: &'a Calendar,
    /// Its order of battle.
    pub model: &'a Model,
    /// The records, after overlays.
    pub records: &'a Records,
    /// Their names.
    pub index: &'a Index,
    /// What words mean in selections.
    pub words: &'a Words,
    /// Records not worth looking at.
    pub broken: &'a Broken,
    /// The schemas of the lists, by table.
    pub schemas: &'a BTreeMap<&'static str, Json>,
    /// The model's units by their rows.
    pub units: &'a BTreeMap<usize, usize>,
    /// The units that a failed reference may have meant.
    pub doubtful: &'a std::cell::RefCell<BTreeSet<usize>>,
    /// Every scenario of the game, for those that extend another.
    pub all: &'a [(Document<ScenarioFile>, String)],
}

/// A line of a schedule as it was read.
struct Line {
    row: ScheduleRow,
    turn: Option<usize>,
    units: Vec<usize>,
    leaders: Vec<usize>,
    span: Span,
    areas_span: Span,
}

/// The schemas of the lists, by table.
pub fn schemas() -> BTreeMap<&'static str, Json> {
    super::LISTS
        .iter()
        .map(|(_, table)| *table)
        .chain([SCHEDULE])
        .filter_map(|table| Some((table, crate::schema::rows::list_schema(table)?)))
        .collect()
}

/// Resolves every scenario.
pub fn scenarios(stage: Stage<'_>, sink: &mut Sink) -> Vec<Scenario> {
    let lines = stage.lines(sink);
    stage
        .all
        .iter()
        .filter_map(|(document, briefing)| stage.scenario(document, briefing, &lines, sink))
        .collect()
}

impl Stage<'_> {
    /// The lines of every schedule, in order of time; each is resolved once.
    fn lines(&self, sink: &mut Sink) -> Vec<Line> {
        let Some(table) = self.records.table(SCHEDULE) else {
            return Vec::new();
        };
        let mut lines: Vec<(Option<usize>, usize, ScheduleRow)> = Vec::new();
        for row in table.rows().filter(|row| !self.broken.contains(SCHEDULE, *row)) {
            let Some(read) = self.typed::<ScheduleRow>(table, row) else {
                continue;
            };
            let moment = match &read.day {
                Some(day) => format!("{day} {}", read.time),
                None => read.time.clone(),
            };
            let damaged = || {
                let day = (read.day.as_deref(), table.span(row, "day"));
                let time = (read.time.as_str(), table.span(row, "time"));
                super::moment::damaged_cells(self.calendar, day, time, &format!("`{}`", read.id))
            };
            let turn = match self.calendar.find(&moment) {
                Some(turn) => Some(turn),
                None => match damaged() {
                    Some(found) => {
                        sink.push(found);
                        None
                    }
                    None => self.turn(&moment, table.span(row, "time"), sink),
                },
            };
            lines.push((turn, row, read));
        }
        lines.sort_by_key(|(turn, row, _)| (*turn, *row));
        let mut taken: BTreeMap<Option<String>, BTreeSet<usize>> = BTreeMap::new();
        let mut done = Vec::new();
        for (turn, row, read) in lines {
            let span = table.span(row, "units");
            // What `rest of` leaves out is what earlier lines of the same schedule took.
            let taken = taken.entry(read.schedule.clone()).or_default();
            let rows = read.units.as_ref().map_or_else(Vec::new, |units| {
                self.select(units, span, Some(&read.side), Some(taken), sink)
            });
            if read.kind == ScheduleKind::Arrive {
                taken.extend(&rows);
            }
            if turn.is_none() {
                // That they arrive at no turn is said of the moment.
                self.doubtful.borrow_mut().extend(self.model_units(&rows));
            }
            done.push(Line {
                turn,
                units: self.model_units(&rows),
                leaders: self.leaders(&read.leaders, &read.side, table.span(row, "leaders"), sink),
                span: table.span(row, "id"),
                areas_span: table.span(row, "areas"),
                row: read,
            });
        }
        done
    }

    fn scenario(
        &self,
        document: &Document<ScenarioFile>,
        briefing: &str,
        lines: &[Line],
        sink: &mut Sink,
    ) -> Option<Scenario> {
        let chain = self.chain(document, sink)?;
        let file = merged(&chain);
        let spans: BTreeMap<String, Span> = [
            "id",
            "start",
            "end",
            "turns",
            "first_side",
            "sets_up_first",
            "levels",
            "maps",
        ]
        .iter()
        .map(|key| {
            let given = chain
                .iter()
                .find(|document| document.node().get(key).is_some())
                .unwrap_or(&document);
            ((*key).to_owned(), given.span(&format!("/{key}")))
        })
        .collect();
        let at = |key: &str| spans.get(key).copied().unwrap_or_else(|| document.span("/id"));
        let (Some(start), Some(end)) = (&file.start, &file.end) else {
            sink.push(
                Diagnostic::new(&INCOMPLETE_SCENARIO, document.span("/id"), format!("`{}` has no start or no end", file.id))
                    .note("`start` or `end` is missing")
                    .help("write `start = \"1863-07-01 0740\"` and `end`, or let it extend a scenario that has them"),
            );
            return None;
        };
        let first = self.turn(start, at("start"), sink)?;
        let last = self.turn(end, at("end"), sink)?;
        if last < first {
            sink.push(
                Diagnostic::new(
                    &OFF_THE_TRACK,
                    at("end"),
                    format!("`{}` ends before it begins", file.id),
                )
                .note("this turn is before the start")
                .label(at("start"), "the start"),
            );
            return None;
        }
        let mut scenario = Scenario {
            source: document.file,
            spans,
            briefing: briefing.to_owned(),
            turns: self.calendar.turns()[first..=last].to_vec(),
            window: (first, last),
            deployments: Vec::new(),
            movements: Vec::new(),
            absences: Vec::new(),
            losses: Vec::new(),
            quotas: Vec::new(),
            units: Vec::new(),
            leaders: Vec::new(),
            supply: Vec::new(),
            reduced: BTreeMap::new(),
            doubtful: BTreeSet::new(),
            file,
        };
        // Of a list that a scenario replaces, nothing is taken from what it extends.
        let owners = |key: &str| -> Vec<&str> {
            let last = chain
                .iter()
                .position(|document| document.replaces.iter().any(|name| name == key));
            let nearest = &chain[..last.map_or(chain.len(), |last| last + 1)];
            nearest
                .iter()
                .rev()
                .map(|document| document.id.as_str())
                .collect()
        };
        self.deployments(&owners("deploy"), &mut scenario, sink);
        self.absences(
            &owners("absent"),
            &owners("lost"),
            &owners("quota"),
            &mut scenario,
            sink,
        );
        self.movements(&chain, lines, &mut scenario, sink);
        self.releases(document, sink);
        super::account::account(*self, &mut scenario, sink);
        scenario.doubtful = self.doubtful.borrow().clone();
        Some(scenario)
    }

    /// A scenario and those that it extends, nearest first.
    fn chain<'d>(
        &'d self,
        document: &'d Document<ScenarioFile>,
        sink: &mut Sink,
    ) -> Option<Vec<&'d Document<ScenarioFile>>> {
        let mut chain = vec![document];
        while let Some(base) = &chain[chain.len() - 1].extends {
            let last = chain[chain.len() - 1];
            let found = self
                .all
                .iter()
                .map(|(document, _)| document)
                .find(|document| document.id == *base);
            match found {
                Some(found) if chain.iter().all(|earlier| earlier.id != found.id) => chain.push(found),
                _ => {
                    let ids: Vec<&str> = self
                        .all
                        .iter()
                        .map(|(document, _)| document.id.as_str())
                        .collect();
                    let what = if found.is_some() {
                        "extends itself in a circle"
                    } else {
                        "does not exist"
                    };
                    let mut diagnostic = Diagnostic::new(
                        &UNKNOWN_BASE,
                        last.span("/extends"),
                        format!("the scenario `{base}` {what}"),
                    )
                    .note("extended here");
                    if found.is_some() {
                        diagnostic = diagnostic.help("let it extend another scenario, or none");
                    } else if let Some(help) = suggest::help(base, &ids) {
                        diagnostic = diagnostic.help(help);
                    }
                    sink.push(diagnostic);
                    return None;
                }
            }
        }
        Some(chain)
    }

    fn deployments(&self, owners: &[&str], scenario: &mut Scenario, sink: &mut Sink) {
        let read: Vec<(&Table, usize, DeployDef)> = self
            .list("deployments", owners)
            .into_iter()
            .filter_map(|(table, row)| Some((table, row, self.typed::<DeployDef>(table, row)?)))
            .collect();
        // What `rest of` leaves out is what any other deployment takes, wherever it stands.
        let mut taken: BTreeSet<usize> = BTreeSet::new();
        let mut selected: Vec<Vec<usize>> = vec![Vec::new(); read.len()];
        for rest in [false, true] {
            for (number, (table, row, deploy)) in read.iter().enumerate() {
                let Some(units) = &deploy.units else {
                    continue;
                };
                let is_rest = selection::parse(units)
                    .is_ok_and(|parsed| parsed.clauses.iter().any(|clause| clause.rest));
                if is_rest == rest {
                    let span = table.span(*row, "units");
                    selected[number] = self.select(units, span, Some(&deploy.side), Some(&taken), sink);
                    taken.extend(&selected[number]);
                }
            }
        }
        for ((table, row, read), rows) in read.into_iter().zip(selected) {
            if let Some(with) = read.place.as_ref().and_then(|place| place.with.as_ref())
                && !with.starts_with("own-")
            {
                self.select(with, table.span(row, "place"), Some(&read.side), None, sink);
            }
            let place = read.place.map(|place| match &scenario.file.default_map {
                Some(map) => place.with_default_map(map),
                None => place,
            });
            scenario.deployments.push(Deployment {
                id: local(&read.id).to_owned(),
                units: self.model_units(&rows),
                leaders: self.leaders(&read.leaders, &read.side, table.span(row, "leaders"), sink),
                side: read.side,
                supply: read.supply,
                markers: read
                    .markers
                    .into_iter()
                    .map(|(id, count)| (id, count.as_u64().map(|count| count as u32)))
                    .collect(),
                place,
                status: read.status,
                optional: read.optional,
                overstack: read.overstack,
                span: table.span(row, if read.units.is_some() { "units" } else { "id" }),
                place_span: table.span(row, "place"),
                printed: read.source,
            });
        }
    }

    fn absences(
        &self,
        absent: &[&str],
        lost: &[&str],
        quota: &[&str],
        scenario: &mut Scenario,
        sink: &mut Sink,
    ) {
        for (table, row) in self.list("absences", absent) {
            let Some(read) = self.typed::<AbsentDef>(table, row) else {
                continue;
            };
            let rows = read.units.as_ref().map_or_else(Vec::new, |units| {
                self.select(units, table.span(row, "units"), Some(&read.side), None, sink)
            });
            scenario.absences.push(Absence {
                units: self.model_units(&rows),
                leaders: self.leaders(&read.leaders, &read.side, table.span(row, "leaders"), sink),
                side: read.side,
                supply: read.supply,
                reason: read.reason.name().into(),
                span: table.span(row, if read.units.is_some() { "units" } else { "id" }),
            });
        }
        for (table, row) in self.list("losses", lost) {
            let Some(read) = self.typed::<LostDef>(table, row) else {
                continue;
            };
            let span = table.span(row, "leaders");
            scenario.losses.push(Loss {
                leaders: self.leaders(&read.leaders, &read.side, span, sink),
                span,
            });
        }
        for (table, row) in self.list("quotas", quota) {
            let Some(read) = self.typed::<QuotaDef>(table, row) else {
                continue;
            };
            let Some(formation) = self.formation(&read.of, &read.side, table.span(row, "of"), sink) else {
                continue;
            };
            let from = read
                .from
                .as_ref()
                .zip(read.at_least)
                .and_then(|(from, at_least)| {
                    Some((
                        self.formation(from, &read.side, table.span(row, "from"), sink)?,
                        at_least,
                    ))
                });
            scenario.quotas.push(Quota {
                formation,
                remove: read.remove,
                each: read.each,
                from,
                span: table.span(row, "of"),
            });
        }
    }

    fn movements(
        &self,
        chain: &[&Document<ScenarioFile>],
        lines: &[Line],
        scenario: &mut Scenario,
        sink: &mut Sink,
    ) {
        let Some(reinforcements) = scenario.file.reinforcements.clone() else {
            return;
        };
        let mut replacements: BTreeMap<&str, &ReplaceDef> = BTreeMap::new();
        for replace in &reinforcements.replace {
            let of_schedule = lines
                .iter()
                .filter(|line| line.row.schedule == reinforcements.schedule);
            let ids: Vec<&str> = of_schedule.map(|line| line.row.id.as_str()).collect();
            if !ids.contains(&replace.entry.as_str()) {
                let span = self.reinforcement_span(chain, "replace", "entry", &replace.entry);
                let near = suggest::closest(&replace.entry, ids.iter().copied());
                let mut diagnostic = Diagnostic::new(
                    &UNKNOWN_LINE,
                    span,
                    format!("the schedule has no line `{}`", replace.entry),
                )
                .note("no such line");
                if let Some(near) = near {
                    diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
                }
                sink.push(diagnostic);
            }
            // The nearer scenario's word comes first.
            replacements.entry(&replace.entry).or_insert(replace);
        }
        for line in lines {
            let named = line.row.schedule.as_deref();
            if reinforcements.schedule.is_none()
                || (named.is_some() && named != reinforcements.schedule.as_deref())
            {
                continue;
            }
            let Some(turn) = line.turn else {
                continue;
            };
            let replacement = replacements.get(line.row.id.as_str());
            if replacement.is_some_and(|replacement| replacement.drop) {
                continue;
            }
            let span = |key: &str| self.reinforcement_span(chain, "replace", "entry", key);
            let units = match replacement.and_then(|replacement| replacement.units.as_ref()) {
                Some(units) => {
                    let rows = self.select(units, span(&line.row.id), Some(&line.row.side), None, sink);
                    self.model_units(&rows)
                }
                None => line.units.clone(),
            };
            let leaders = match replacement.and_then(|replacement| replacement.leaders.as_ref()) {
                Some(leaders) => self.leaders(leaders, &line.row.side, span(&line.row.id), sink),
                None => line.leaders.clone(),
            };
            let areas = replacement.and_then(|replacement| replacement.areas.clone());
            let areas_replaced = areas.is_some();
            scenario.movements.push(Movement {
                id: line.row.id.clone(),
                side: line.row.side.clone(),
                turn,
                label: self.calendar.turns()[turn].label.clone(),
                direction: match line.row.kind {
                    ScheduleKind::Arrive => Direction::Arrive,
                    ScheduleKind::Withdraw => Direction::Withdraw,
                },
                areas: areas.unwrap_or_else(|| line.row.areas.clone()),
                place: None,
                units,
                leaders,
                supply: counts(&line.row.supply),
                status: None,
                optional: line.row.optional,
                note: line.row.note.clone(),
                own: false,
                span: line.span,
                areas_span: if areas_replaced {
                    span(&line.row.id)
                } else {
                    line.areas_span
                },
            });
        }
        for extra in &reinforcements.extra {
            self.extra(chain, extra, scenario, sink);
        }
        scenario
            .movements
            .sort_by(|a, b| (a.turn, &a.id).cmp(&(b.turn, &b.id)));
    }

    fn extra(
        &self,
        chain: &[&Document<ScenarioFile>],
        extra: &ExtraDef,
        scenario: &mut Scenario,
        sink: &mut Sink,
    ) {
        let span = self.reinforcement_span(chain, "extra", "id", &extra.id);
        let Some(turn) = self.turn(&extra.at, span, sink) else {
            return;
        };
        let rows = extra.units.as_ref().map_or_else(Vec::new, |units| {
            self.select(units, span, Some(&extra.side), None, sink)
        });
        let place = extra.place.clone().map(|place| match &scenario.file.default_map {
            Some(map) => place.with_default_map(map),
            None => place,
        });
        scenario.movements.push(Movement {
            id: extra.id.clone(),
            side: extra.side.clone(),
            turn,
            label: self.calendar.turns()[turn].label.clone(),
            direction: Direction::Arrive,
            areas: extra.areas.clone(),
            place,
            units: self.model_units(&rows),
            leaders: self.leaders(&extra.leaders, &extra.side, span, sink),
            supply: extra.supply.clone(),
            status: extra.status.clone(),
            optional: extra.optional,
            note: extra.note.clone(),
            own: true,
            span,
            areas_span: span,
        });
    }

    /// What a scenario's own releases name must exist, like everything else.
    fn releases(&self, document: &Document<ScenarioFile>, sink: &mut Sink) {
        for (number, release) in document.releases.iter().enumerate() {
            let at = |key: &str| document.span(&format!("/releases/{number}/{key}"));
            self.turn(&release.at, at("at"), sink);
            if let Some(units) = &release.units {
                self.select(units, at("units"), None, None, sink);
            }
        }
    }

    /// The place of an entry of `reinforcements`, in whichever of the extended scenarios has it.
    fn reinforcement_span(
        &self,
        chain: &[&Document<ScenarioFile>],
        list: &str,
        key: &str,
        value: &str,
    ) -> Span {
        for document in chain {
            for index in 0..1000 {
                let pointer = format!("/reinforcements/{list}/{index}");
                let Some(node) = document.node().at(&pointer) else {
                    break;
                };
                if node.get(key).is_some_and(|node| node.to_json() == value) {
                    return document.span(&format!("{pointer}/{key}"));
                }
            }
        }
        chain[0].span("/reinforcements")
    }

    /// The turn that a text names.
    pub fn turn(&self, text: &str, span: Span, sink: &mut Sink) -> Option<usize> {
        let found = self.calendar.find(text);
        if found.is_none()
            && let Some(damaged) = super::moment::damaged(self.calendar, text, span)
        {
            sink.push(damaged);
            return None;
        }
        if found.is_none() {
            let around: Vec<String> = self
                .calendar
                .around(text)
                .iter()
                .map(|turn| turn.label.clone())
                .collect();
            let help = match around.as_slice() {
                [] => "moments are written `1863-07-01 0740`, or as a number where turns are numbered"
                    .to_owned(),
                near => format!("the turns nearest to it are {}", near.join(" and ")),
            };
            sink.push(
                Diagnostic::new(
                    &OFF_THE_TRACK,
                    span,
                    format!("`{text}` is no turn of the calendar"),
                )
                .note("not on the track")
                .help(help),
            );
        }
        found
    }

    /// The rows of the units that a selection means; whatever it cannot mean is reported.
    fn select(
        &self,
        text: &str,
        span: Span,
        side: Option<&str>,
        taken: Option<&BTreeSet<usize>>,
        sink: &mut Sink,
    ) -> Vec<usize> {
        let parsed = match selection::parse(text) {
            Ok(parsed) => parsed,
            Err(error) => {
                sink.push(
                    Diagnostic::new(&BAD_SELECTION, span, error.message)
                        .note(format!("at `{}`", text.get(error.at).unwrap_or(text)))
                        .help(error.help),
                );
                return Vec::new();
            }
        };
        let scope = Scope {
            records: self.records,
            index: self.index,
            words: self.words,
            side,
            taken,
        };
        let selected = select::units(scope, &parsed);
        let selects = |text: &str| {
            selection::parse(text).is_ok_and(|parsed| {
                let selected = select::units(scope, &parsed);
                selected.problems.is_empty() && !selected.rows.is_empty()
            })
        };
        if !selected.problems.is_empty()
            && let Some(found) = self
                .index
                .damaged(self.records, text, "a selection", span, &selects)
        {
            sink.push(found);
            let values = crate::cell::may_have_been(text, crate::cell::Wanted::Word);
            self.doubtful.borrow_mut().extend(self.meant(&values));
            return selected.rows;
        }
        if selected.rows.is_empty() && selected.problems.is_empty() {
            sink.push(
                Diagnostic::new(&BAD_SELECTION, span, format!("`{text}` means no unit at all"))
                    .note("nothing is left of it"),
            );
        }
        for problem in selected.problems {
            let mut diagnostic = Diagnostic::new(&BAD_SELECTION, span, problem.message)
                .note(format!("at `{}`", text.get(problem.at).unwrap_or(text)));
            let names: Vec<&str> = problem.candidates.iter().map(String::as_str).collect();
            if !names.is_empty() {
                diagnostic = diagnostic.help(format!(
                    "did you mean {}?",
                    suggest::quoted(&names).replace(", ", " or ")
                ));
            }
            sink.push(diagnostic);
            self.doubtful.borrow_mut().extend(self.meant(&problem.candidates));
        }
        selected.rows
    }

    /// The units that a failed reference may have meant: nothing is said of what becomes of them.
    fn meant(&self, candidates: &[String]) -> Vec<usize> {
        let mut units = Vec::new();
        for candidate in candidates {
            if let Found::One(row) = self.index.find(self.records, Named::Formations, candidate, None) {
                let rows: Vec<usize> = self.model.units.iter().map(|unit| unit.row).collect();
                let below = rows
                    .into_iter()
                    .filter(|unit| self.index.chain(Named::Units, *unit).contains(&row));
                units.extend(self.model_units(&below.collect::<Vec<_>>()));
            } else if let Found::One(row) = self.index.find(self.records, Named::Units, candidate, None) {
                units.extend(self.model_units(&[row]));
            }
        }
        units
    }

    fn formation(&self, text: &str, side: &str, span: Span, sink: &mut Sink) -> Option<usize> {
        let found = self.index.find(self.records, Named::Formations, text, Some(side));
        let row = match found {
            Found::One(row) => Some(row),
            _ => None,
        };
        let formation = row.and_then(|row| {
            self.model
                .formations
                .iter()
                .position(|formation| formation.row == row)
        });
        if formation.is_none() {
            let near = self
                .index
                .suggestions(self.records, Named::Formations, text, Some(side));
            let names: Vec<&str> = near.iter().map(String::as_str).collect();
            let mut diagnostic =
                Diagnostic::new(&BAD_SELECTION, span, format!("`{text}` is not one formation"))
                    .note("not found");
            if !names.is_empty() {
                diagnostic = diagnostic.help(format!("did you mean {}?", suggest::quoted(&names)));
            }
            sink.push(diagnostic);
        }
        formation
    }

    fn leaders(&self, names: &[String], side: &str, span: Span, sink: &mut Sink) -> Vec<usize> {
        let mut found = Vec::new();
        for name in names {
            let rows: Vec<usize> = match self.index.find(self.records, Named::Leaders, name, Some(side)) {
                Found::One(row) => vec![row],
                Found::Many(rows) => rows,
                Found::None => Vec::new(),
            };
            let leaders: Vec<usize> = rows
                .iter()
                .filter_map(|row| self.model.leaders.iter().position(|leader| leader.row == *row))
                .filter(|leader| self.model.leaders[*leader].side == side)
                .collect();
            match leaders.as_slice() {
                [one] => found.push(*one),
                [] => {
                    let near = self
                        .index
                        .suggestions(self.records, Named::Leaders, name, Some(side));
                    let names: Vec<&str> = near.iter().map(String::as_str).collect();
                    let mut diagnostic = Diagnostic::new(
                        &UNKNOWN_LEADER,
                        span,
                        format!("no leader of `{side}` is called `{name}`"),
                    )
                    .note(format!("`{name}` is unknown"));
                    if !names.is_empty() {
                        diagnostic = diagnostic.help(format!("did you mean {}?", suggest::quoted(&names)));
                    }
                    sink.push(diagnostic);
                }
                several => {
                    let names: Vec<String> = several
                        .iter()
                        .map(|leader| &self.model.leaders[*leader])
                        .map(|leader| format!("`{}` ({})", leader.abbr, leader.id))
                        .collect();
                    sink.push(
                        Diagnostic::new(
                            &UNKNOWN_LEADER,
                            span,
                            format!("`{name}` may be {} leaders", several.len()),
                        )
                        .note("ambiguous")
                        .help(format!("write one of {}", names.join(", "))),
                    );
                }
            }
        }
        found
    }

    fn model_units(&self, rows: &[usize]) -> Vec<usize> {
        let mut units: Vec<usize> = rows
            .iter()
            .filter_map(|row| self.units.get(row).copied())
            .collect();
        units.sort_unstable();
        units
    }

    /// A record as a typed value; it has been judged already.
    fn typed<T: DeserializeOwned>(&self, table: &Table, row: usize) -> Option<T> {
        let schema = self.schemas.get(table.name.as_str())?;
        serde_json::from_value(crate::schema::judge::to_plain_json(schema, table, row)).ok()
    }

    /// The records of a list that belong to some scenarios, in the order of these.
    fn list<'t>(&'t self, table: &str, owners: &[&str]) -> Vec<(&'t Table, usize)> {
        let Some(records) = self.records.table(table) else {
            return Vec::new();
        };
        owners
            .iter()
            .flat_map(|owner| {
                records
                    .rows()
                    .filter(|row| !self.broken.contains(table, *row))
                    .filter(|row| {
                        let id = records.text(*row, "id").unwrap_or_default();
                        id.split_once('/').is_some_and(|(scenario, _)| scenario == *owner)
                    })
                    .map(|row| (records, row))
                    .collect::<Vec<_>>()
            })
            .collect()
    }
}

/// The part of a record's id that the scenario's author wrote.
fn local(id: &str) -> &str {
    id.split_once('/').map_or(id, |(_, local)| local)
}

/// Texts such as `supply-wagon=1`.
fn counts(texts: &[String]) -> BTreeMap<String, u32> {
    texts
        .iter()
        .filter_map(|text| {
            let (kind, count) = text.split_once('=')?;
            Some((kind.trim().to_owned(), count.trim().parse().ok()?))
        })
        .collect()
}

/// A scenario with what it takes from those that it extends.
fn merged(chain: &[&Document<ScenarioFile>]) -> ScenarioFile {
    let mut whole = chain[0].value.clone();
    let mut replaced = whole.replaces.clone();
    for base in &chain[1..] {
        let base = &base.value;
        // What a nearer scenario replaces is not taken from any farther one.
        let joins = |key: &str| !replaced.iter().any(|name| name == key);
        whole.start = whole.start.or_else(|| base.start.clone());
        whole.end = whole.end.or_else(|| base.end.clone());
        whole.turns = whole.turns.or(base.turns);
        whole.hours = whole.hours.or(base.hours);
        whole.first_side = whole.first_side.or_else(|| base.first_side.clone());
        whole.sets_up_first = whole.sets_up_first.or_else(|| base.sets_up_first.clone());
        whole.default_map = whole.default_map.or_else(|| base.default_map.clone());
        if whole.maps.is_empty() {
            whole.maps = base.maps.clone();
        }
        if whole.ammunition.is_empty() {
            whole.ammunition = base.ammunition.clone();
        }
        let mut reductions = base.reductions.clone();
        reductions.append(&mut whole.reductions);
        whole.reductions = reductions;
        match (&mut whole.reinforcements, &base.reinforcements) {
            (None, base) => whole.reinforcements = base.clone(),
            (Some(own), Some(base)) => {
                own.schedule = own.schedule.take().or_else(|| base.schedule.clone());
                own.from = own.from.take().or_else(|| base.from.clone());
                own.until = own.until.take().or_else(|| base.until.clone());
                own.extra.extend(base.extra.iter().cloned());
                own.replace.extend(base.replace.iter().cloned());
            }
            _ => {}
        }
        prepend(&mut whole.victory, &base.victory, joins("victory"));
        prepend(&mut whole.levels, &base.levels, joins("levels"));
        prepend(
            &mut whole.demoralization,
            &base.demoralization,
            joins("demoralization"),
        );
        prepend(
            &mut whole.special_rules,
            &base.special_rules,
            joins("special_rules"),
        );
        prepend(&mut whole.releases, &base.releases, joins("releases"));
        let known: Vec<String> = whole.optional_rules.iter().map(|rule| rule.id.clone()).collect();
        whole.optional_rules.extend(
            base.optional_rules
                .iter()
                .filter(|rule| !known.contains(&rule.id))
                .cloned(),
        );
        replaced.extend(base.replaces.iter().cloned());
    }
    whole
}

fn prepend<T: Clone>(own: &mut Vec<T>, base: &[T], join: bool) {
    if join {
        let mut all = base.to_vec();
        all.append(own);
        *own = all;
    }
}
