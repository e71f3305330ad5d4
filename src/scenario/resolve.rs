//! Resolving a scenario: its records and its document become names of units and turns of the track.

mod composition;
mod merge;
mod movements;
mod names;

use std::collections::{BTreeMap, BTreeSet};

use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use self::movements::Line;
use super::definition::{AbsentDef, DeployDef, LostDef, QuotaDef, ScenarioFile};
use super::{Absence, Deployment, Loss, Quota, SCHEDULE, Scenario};
use crate::calendar::Calendar;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::document::Document;
use crate::game::Game;
use crate::model::Model;
use crate::record::{Records, Table};
use crate::reference::Index;
use crate::resolve::SIDE_DISAGREES;
use crate::schema::Broken;
use crate::select::Words;
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
                  among the units that it is excepted from.

Wrong:

```toml + scenarios/demo/battle.toml
[[releases]]
at = \"1800-06-01 0900\"
units = \"North except 9 Kent\"
```

Right:

```toml + scenarios/demo/battle.toml
[[releases]]
at = \"1800-06-01 0900\"
units = \"North except 2 Kent\"
```
",
};

static OFF_THE_TRACK: Rule = Rule {
    code: "off-the-track",
    severity: Severity::Error,
    summary: "a moment is not a turn of the calendar",
    explanation: "Moments are written `1863-07-01 0740`, or as a number in games whose turns are numbered, and must be \
                  turns of the track that `game.toml` describes.

Wrong:

```toml + scenarios/demo/battle.toml
[[releases]]
at = \"1800-06-01 0930\"
units = \"North\"
```

Right:

```toml + scenarios/demo/battle.toml
[[releases]]
at = \"1800-06-01 0900\"
units = \"North\"
```
",
};

static UNKNOWN_BASE: Rule = Rule {
    code: "unknown-scenario",
    severity: Severity::Error,
    summary: "a scenario extends one that does not exist",
    explanation: "`extends` names another scenario of the same game by its id. A scenario cannot extend itself, not even by \
                  way of others.

Wrong:

```toml scenarios/demo/second.toml
id = \"second\"
title = \"Second Day\"
source = \"made up\"
extends = \"batle\"
```

Right:

```toml scenarios/demo/second.toml
id = \"second\"
title = \"Second Day\"
source = \"made up\"
extends = \"battle\"
```
",
};

static INCOMPLETE_SCENARIO: Rule = Rule {
    code: "incomplete-scenario",
    severity: Severity::Error,
    summary: "a scenario has no start or no end",
    explanation: "Every scenario needs `start` and `end`, or `extends` one that has them, and its game a `[calendar]` of whose \
                  turns they are.

Wrong:

```toml scenarios/demo/second.toml
id = \"second\"
title = \"Second Day\"
source = \"made up\"
start = \"1800-06-01 0800\"
```

Right:

```toml scenarios/demo/second.toml
id = \"second\"
title = \"Second Day\"
source = \"made up\"
extends = \"battle\"
```
",
};

static UNKNOWN_LEADER: Rule = Rule {
    code: "unknown-leader",
    severity: Severity::Error,
    summary: "a leader is named who does not exist, or who may be several",
    explanation: "Leaders are named as the book names them: by id, name, short name, surname or alias. `Jones` may be two \
                  men: write `Jones, J.` or the id.

Wrong:

```toml + scenarios/demo/battle.toml
[[lost]]
side = \"blue\"
leaders = [\"East\"]
```

Right:

```toml + scenarios/demo/battle.toml
[[lost]]
side = \"blue\"
leaders = [\"West\"]
```
",
};

static UNKNOWN_LINE: Rule = Rule {
    code: "unknown-line",
    severity: Severity::Error,
    summary: "a scenario replaces a line that its schedule does not have",
    explanation: "`entry` in `[[reinforcements.replace]]` is the id of a line of the schedule: the first column of its CSV \
                  file.

Wrong:

```toml scenarios/demo/second.toml
id = \"second\"
title = \"Second Day\"
source = \"made up\"
extends = \"battle\"

[[reinforcements.replace]]
entry = \"suoth\"
areas = [\"1\"]
```

Right:

```toml scenarios/demo/second.toml
id = \"second\"
title = \"Second Day\"
source = \"made up\"
extends = \"battle\"

[[reinforcements.replace]]
entry = \"south\"
areas = [\"1\"]
```
",
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
    /// The sides of which something could not be read.
    pub doubtful_sides: &'a std::cell::RefCell<BTreeSet<String>>,
    /// The moments on days that the calendar does not have, by day: the place of each and what is said of it.
    pub strange_days: &'a std::cell::RefCell<BTreeMap<String, Vec<Diagnostic>>>,
    /// Every scenario of the game, for those that extend another.
    pub all: &'a [(Document<ScenarioFile>, String)],
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
    let scenarios = stage
        .all
        .iter()
        .filter_map(|(document, briefing)| stage.scenario(document, briefing, &lines, sink))
        .collect();
    stage.tell_strange_days(sink);
    scenarios
}

impl Stage<'_> {
    fn scenario(
        &self,
        document: &Document<ScenarioFile>,
        briefing: &str,
        lines: &[Line],
        sink: &mut Sink,
    ) -> Option<Scenario> {
        let chain = self.chain(document, sink)?;
        let file = merge::merged(&chain);
        let spans: BTreeMap<String, Span> = [
            "id",
            "start",
            "end",
            "turns",
            "first_side",
            "sets_up_first",
            "levels",
            "maps",
            "battle",
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
        let spans = {
            let mut spans = spans;
            for document in &chain {
                parts(document, &mut spans);
            }
            spans
        };
        let at = |key: &str| spans.get(key).copied().unwrap_or_else(|| document.span("/id"));
        let (Some(start), Some(end)) = (&file.start, &file.end) else {
            let (message, missing) = match (&file.start, &file.end) {
                (None, None) => (format!("`{}` has neither `start` nor `end`", file.id), "start"),
                (None, _) => (format!("`{}` has no `start`", file.id), "start"),
                _ => (format!("`{}` has no `end`", file.id), "end"),
            };
            sink.push(
                Diagnostic::new(&INCOMPLETE_SCENARIO, document.span("/id"), message)
                    .note(format!("`{missing}` is missing"))
                    .help(format!(
                        "write `{missing} = \"{}\"`, say, or let it extend a scenario that has it",
                        self.calendar.example()
                    )),
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
                .label(at("start"), "the start")
                .help("correct `start` or `end`"),
            );
            return None;
        }
        let mut scenario = Scenario {
            source: document.file,
            spans,
            briefing: briefing.to_owned(),
            turns: self.calendar.turns()[first..=last].to_vec(),
            window: (first, last),
            fields: Vec::new(),
            assignments: Vec::new(),
            pools: Vec::new(),
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
            doubtful_sides: BTreeSet::new(),
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
        self.alternatives(document, &mut scenario, sink);
        self.assignments(&chain, &mut scenario, sink);
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
        scenario.doubtful_sides = self.doubtful_sides.borrow().clone();
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
                Some(found) => {
                    let start = chain.iter().position(|earlier| earlier.id == found.id);
                    let circle: Vec<&str> = chain[start.unwrap_or(0)..]
                        .iter()
                        .map(|document| document.id.as_str())
                        .collect();
                    // Told once for all in the circle and for all that lead to it: of the first of its members.
                    if start == Some(0) && circle.iter().min() == Some(&document.id.as_str()) {
                        let mut diagnostic = Diagnostic::new(
                            &UNKNOWN_BASE,
                            document.span("/extends"),
                            format!(
                                "scenarios extend each other in a circle: {} → {}",
                                circle.join(" → "),
                                document.id
                            ),
                        )
                        .note("extended here")
                        .help("let one of them extend another scenario, or none");
                        for other in chain.iter().skip(1).take(4) {
                            diagnostic = diagnostic.label(other.span("/extends"), "in the circle");
                        }
                        sink.push(diagnostic);
                    }
                    return None;
                }
                None => {
                    let ids: Vec<&str> = self
                        .all
                        .iter()
                        .map(|(document, _)| document.id.as_str())
                        .collect();
                    let mut diagnostic = Diagnostic::new(
                        &UNKNOWN_BASE,
                        last.span("/extends"),
                        format!("the scenario `{base}` does not exist"),
                    )
                    .note("extended here");
                    if let Some(help) = suggest::help(base, &ids) {
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
            let place = read.place.clone().map(|place| match &scenario.file.default_map {
                Some(map) => place.with_default_map(map),
                None => place,
            });
            for marker in read.markers.keys() {
                self.marker_of(marker, &read, table.span(row, "markers"), sink);
            }
            scenario.deployments.push(Deployment {
                id: local(&read.id).to_owned(),
                units: self.model_units(&rows),
                leaders: self.leaders(&read.leaders, &read.side, table.span(row, "leaders"), sink),
                side: read.side,
                supply: read.supply,
                markers: read
                    .markers
                    .into_iter()
                    .map(|(id, count)| (id, count.known()))
                    .collect(),
                place,
                status: read.status,
                optional: read.optional,
                overstack: read.overstack,
                note: read.note.clone(),
                span: table.span(row, if read.units.is_some() { "units" } else { "id" }),
                place_span: table.span(row, "place"),
                supply_span: table.span(row, "supply"),
                markers_span: table.span(row, "markers"),
                printed: read.source,
            });
        }
    }

    /// A marker of one side is not set up by the other.
    fn marker_of(&self, marker: &str, deployment: &DeployDef, span: Span, sink: &mut Sink) {
        let found = self.model.markers.iter().find(|known| known.id == marker);
        let Some((found, side)) = found.and_then(|found| Some((found, found.side.as_ref()?))) else {
            return;
        };
        if *side == deployment.side {
            return;
        }
        sink.push(
            Diagnostic::new(
                &SIDE_DISAGREES,
                span,
                format!(
                    "`{marker}` are markers of `{side}`, but `{}` sets them up for `{}`",
                    local(&deployment.id),
                    deployment.side
                ),
            )
            .note(format!("of side `{side}`"))
            .label(found.span, format!("a marker of `{side}`"))
            .help("correct the marker, or set it up with the units of its side"),
        );
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
                supply_span: table.span(row, "supply"),
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
                remove_span: table.span(row, "remove"),
            });
        }
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
        let is_owned = |row: usize| {
            let id = records.text(row, "id").unwrap_or_default();
            let owner = id.split_once('/').map(|(scenario, _)| scenario);
            owner.is_none_or(|owner| owners.contains(&owner))
        };
        for row in records.rows() {
            if self.broken.contains(table, row) && is_owned(row) {
                self.doubt_all(records.text(row, "side"));
            }
        }
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

/// The places of what the entries of a scenario's lists say, by what they say: `victory/at=mill-hill`, and of levels by
/// their names: `levels/ratio/Red victory/over`. What is nearer has been put in before.
fn parts(document: &Document<ScenarioFile>, spans: &mut BTreeMap<String, Span>) {
    let text = |pointer: &str| {
        let json = document.node().at(pointer).map(|node| node.to_json());
        json.and_then(|json| json.as_str().map(str::to_owned))
    };
    let mut put = |name: String, pointer: &str| {
        if document.node().at(pointer).is_some() {
            spans.entry(name).or_insert_with(|| document.span(pointer));
        }
    };
    for (list, keys, count) in [
        ("victory", ["side", "at"].as_slice(), document.victory.len()),
        ("levels", &["side"], document.levels.len()),
        ("demoralization", &["side"], document.demoralization.len()),
        ("optional_rules", &["id"], document.optional_rules.len()),
    ] {
        for entry in 0..count {
            for key in keys {
                let pointer = format!("/{list}/{entry}/{key}");
                if let Some(value) = text(&pointer) {
                    put(format!("{list}/{key}={value}"), &pointer);
                }
            }
        }
    }
    for (index, level) in document.levels.iter().enumerate() {
        let measure = level.measure.as_deref().unwrap_or_default();
        for key in ["name", "measure", "at_least", "over", "at_most", "less"] {
            let pointer = format!("/levels/{index}/{key}");
            put(format!("levels/{measure}/{}/{key}", level.name), &pointer);
        }
    }
    for (list, values) in [("maps", &document.maps), ("replaces", &document.replaces)] {
        for (index, value) in values.iter().enumerate() {
            put(format!("{list}={value}"), &format!("/{list}/{index}"));
        }
    }
    put("schedule".into(), "/reinforcements/schedule");
}

/// The part of a record's id that the scenario's author wrote.
fn local(id: &str) -> &str {
    id.split_once('/').map_or(id, |(_, local)| local)
}

/// That the scenarios of a game have no turns, because it has no calendar.
pub fn no_calendar(scenario: &Document<ScenarioFile>, scenarios: usize) -> Diagnostic {
    let others = match scenarios {
        1 => String::new(),
        2 => " and one other scenario".to_owned(),
        count => format!(" and {} other scenarios", count - 1),
    };
    let key = if scenario.start.is_some() { "/start" } else { "/id" };
    Diagnostic::new(
        &INCOMPLETE_SCENARIO,
        scenario.span(key),
        format!(
            "`{}`{others} cannot be used: the game has no calendar",
            scenario.id
        ),
    )
    .note("of no calendar")
    .help("declare the track of turns as `[calendar]` in `game.toml`")
}
