//! Who arrives and leaves: the lines of schedules and a scenario's own arrivals.

use std::collections::{BTreeMap, BTreeSet};

use super::{Stage, UNKNOWN_LINE};
use crate::diagnostic::{Diagnostic, Sink};
use crate::document::Document;
use crate::scenario::arrival::{self, BAD_ARRIVAL, Coming, How};
use crate::scenario::definition::{ExtraDef, ReplaceDef, ScenarioFile, ScheduleKind, ScheduleRow};
use crate::scenario::moment;
use crate::scenario::{Direction, Movement, Pool, SCHEDULE, Scenario};
use crate::source::Span;
use crate::suggest;

/// A line of a schedule as it was read.
pub(super) struct Line {
    row: ScheduleRow,
    turn: Option<usize>,
    units: Vec<usize>,
    leaders: Vec<usize>,
    span: Span,
    areas_span: Span,
    units_span: Span,
    leaders_span: Span,
    supply_span: Span,
    time_span: Span,
}

impl Stage<'_> {
    /// The lines of every schedule, in order of time; each is resolved once.
    pub(super) fn lines(&self, sink: &mut Sink) -> Vec<Line> {
        let Some(table) = self.records.table(SCHEDULE) else {
            return Vec::new();
        };
        let mut lines: Vec<(Option<usize>, usize, ScheduleRow)> = Vec::new();
        for row in table.rows() {
            if self.broken.contains(SCHEDULE, row) {
                self.doubt_all(table.text(row, "side"));
                continue;
            }
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
                moment::damaged_cells(self.calendar, day, time, &format!("`{}`", read.id))
            };
            let turn = match self.calendar.find(&moment) {
                Some(turn) => Some(turn),
                None => match damaged() {
                    Some(found) => {
                        sink.push(found);
                        None
                    }
                    None => {
                        if read.day.is_none() && self.calendar.has_days() {
                            sink.push(self.without_day(table, row, &read.id));
                            lines.push((None, row, read));
                            continue;
                        }
                        let knows_the_day = read.day.as_ref().is_none_or(|day| self.calendar.has_day(day));
                        let cell = if knows_the_day { "time" } else { "day" };
                        self.turn(&moment, table.span(row, cell), sink)
                    }
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
                self.doubtful_sides.borrow_mut().insert(read.side.clone());
            }
            done.push(Line {
                turn,
                units: self.model_units(&rows),
                leaders: self.leaders(&read.leaders, &read.side, table.span(row, "leaders"), sink),
                span: table.span(row, "id"),
                areas_span: table.span(row, "areas"),
                units_span: span,
                leaders_span: table.span(row, "leaders"),
                supply_span: table.span(row, "supply"),
                time_span: table.span(row, "time"),
                row: read,
            });
        }
        done
    }

    pub(super) fn movements(
        &self,
        chain: &[&Document<ScenarioFile>],
        lines: &[Line],
        scenario: &mut Scenario,
        sink: &mut Sink,
    ) {
        let Some(reinforcements) = scenario.file.reinforcements.clone() else {
            return;
        };
        if let Some(schedule) = &reinforcements.schedule
            && !self.model.schedules.contains(schedule)
        {
            // Who arrives by it nobody knows; that it does not exist is told by a check.
            self.doubt_all(None);
        }
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
                coming: None,
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
                units_span: if line.row.units.is_some() {
                    line.units_span
                } else {
                    line.span
                },
                leaders_span: if line.row.leaders.is_empty() {
                    line.span
                } else {
                    line.leaders_span
                },
                supply_span: line.supply_span,
                time_span: line.time_span,
            });
        }
        self.pools(chain, scenario, sink);
        for extra in &reinforcements.extra {
            self.extra(chain, extra, scenario, sink);
        }
        let pools = std::mem::take(&mut scenario.pools);
        arrival::settle(*self, &mut scenario.movements, &pools, sink);
        scenario.pools = pools;
        scenario
            .movements
            .sort_by(|a, b| (a.turn, &a.id).cmp(&(b.turn, &b.id)));
    }

    /// An arrival of the scenario's own.
    pub(super) fn extra(
        &self,
        chain: &[&Document<ScenarioFile>],
        extra: &ExtraDef,
        scenario: &mut Scenario,
        sink: &mut Sink,
    ) {
        let at = |key: &str| self.reinforcement_key(chain, "extra", "id", &extra.id, key);
        let coming = self.coming(extra, &at, scenario, sink);
        let span = at("id");
        let rows = extra.units.as_ref().map_or_else(Vec::new, |units| {
            self.select(units, at("units"), Some(&extra.side), None, sink)
        });
        let Some((turn, how)) = coming else {
            // That they arrive at no turn has been said.
            self.doubtful.borrow_mut().extend(self.model_units(&rows));
            return;
        };
        let place = extra.place.clone().map(|place| match &scenario.file.default_map {
            Some(map) => place.with_default_map(map),
            None => place,
        });
        scenario.movements.push(Movement {
            id: extra.id.clone(),
            side: extra.side.clone(),
            turn,
            label: self.calendar.turns()[turn].label.clone(),
            coming: how.map(|how| Coming {
                how,
                latest: turn,
                odds: Vec::new(),
            }),
            direction: Direction::Arrive,
            areas: extra.areas.clone(),
            place,
            units: self.model_units(&rows),
            leaders: self.leaders(&extra.leaders, &extra.side, at("leaders"), sink),
            supply: extra.supply.clone(),
            status: extra.status.clone(),
            optional: extra.optional,
            note: extra.note.clone(),
            own: true,
            span,
            areas_span: at("areas"),
            units_span: at("units"),
            leaders_span: at("leaders"),
            supply_span: at("supply"),
            time_span: at("at"),
        });
    }

    /// The turn of an arrival, or the first that it can be, and how it comes about where it is not fixed.
    fn coming(
        &self,
        extra: &ExtraDef,
        at: &dyn Fn(&str) -> Span,
        scenario: &Scenario,
        sink: &mut Sink,
    ) -> Option<(usize, Option<How>)> {
        let first = scenario.turns.first().map_or(0, |turn| turn.index);
        let mut bad = |key: &str, message: String, help: String| {
            sink.push(
                Diagnostic::new(&BAD_ARRIVAL, at(key), message)
                    .note("when does it arrive?")
                    .help(help),
            );
        };
        match (&extra.at, extra.after.is_empty(), &extra.pool) {
            (Some(text), true, None) => {
                let how = match &extra.by {
                    Some(by) => Some(How::Die {
                        rule: self.arrival_rule(by, at("by"), sink)?,
                    }),
                    None => None,
                };
                Some((self.turn(text, at("at"), sink)?, how))
            }
            (None, false, None) => {
                let Some(turns) = extra.turns_after else {
                    bad(
                        "after",
                        format!("`{}` does not say how many turns after them it comes", extra.id),
                        "write `turns_after = 2`".into(),
                    );
                    return None;
                };
                Some((
                    first,
                    Some(How::After {
                        entries: extra.after.clone(),
                        turns: turns as usize,
                    }),
                ))
            }
            (None, true, Some(wanted)) => {
                let Some(pool) = scenario.pools.iter().position(|pool| pool.file.id == *wanted) else {
                    let known: Vec<&str> = scenario.pools.iter().map(|pool| pool.file.id.as_str()).collect();
                    let help = suggest::help(wanted, &known)
                        .unwrap_or_else(|| "declare it as `[[reinforcements.pools]]`".into());
                    bad("pool", format!("there is no pool `{wanted}`"), help);
                    return None;
                };
                Some((
                    first,
                    Some(How::Chosen {
                        pool,
                        class: extra.class.clone(),
                    }),
                ))
            }
            _ => {
                bad(
                    "id",
                    format!("`{}` must have exactly one of `at`, `after` and `pool`", extra.id),
                    "`at` is a turn, `after` the arrivals that it follows, `pool` a pool of which the player chooses".into(),
                );
                None
            }
        }
    }

    fn arrival_rule(&self, wanted: &str, span: Span, sink: &mut Sink) -> Option<usize> {
        let found = self.game.arrival_rules.iter().position(|rule| rule.id == wanted);
        if found.is_none() {
            let known: Vec<&str> = self
                .game
                .arrival_rules
                .iter()
                .map(|rule| rule.id.as_str())
                .collect();
            let help = suggest::help(wanted, &known)
                .unwrap_or_else(|| "declare it as `[[arrival_rules]]` in `game.toml`".into());
            sink.push(
                Diagnostic::new(
                    &BAD_ARRIVAL,
                    span,
                    format!("the game has no rule of arrival `{wanted}`"),
                )
                .note("no such rule")
                .help(help),
            );
        }
        found
    }

    /// The pools of a scenario, and which of its arrivals belong to each.
    pub(super) fn pools(&self, chain: &[&Document<ScenarioFile>], scenario: &mut Scenario, sink: &mut Sink) {
        let Some(reinforcements) = &scenario.file.reinforcements else {
            return;
        };
        for file in &reinforcements.pools {
            let at = |key: &str| self.reinforcement_key(chain, "pools", "id", &file.id, key);
            let entries: Vec<&ExtraDef> = reinforcements
                .extra
                .iter()
                .filter(|extra| extra.pool.as_ref() == Some(&file.id))
                .collect();
            let of_class = |class: &str| {
                let class = |extra: &&&ExtraDef| extra.class.as_deref() == Some(class);
                entries.iter().filter(class).count() as u32
            };
            for (class, picks) in &file.first_picks {
                if of_class(class) < *picks {
                    sink.push(
                        Diagnostic::new(
                            &BAD_ARRIVAL,
                            at("first_picks"),
                            format!(
                                "{picks} of the class `{class}` are to be chosen from the pool `{}`, which has {}",
                                file.id,
                                of_class(class)
                            ),
                        )
                        .note("not so many")
                        .help("give the arrivals of the pool their `class`"),
                    );
                }
            }
            let resolved = (
                self.turn(&file.first, at("first"), sink),
                self.turn(&file.then_from, at("then_from"), sink),
                self.arrival_rule(&file.by, at("by"), sink),
            );
            let (Some(first), Some(then_from), Some(rule)) = resolved else {
                continue;
            };
            let picked: u32 = file.first_picks.values().sum();
            let left = (entries.len() as u32).saturating_sub(picked);
            let designations = left.div_ceil(file.each_turn.max(1)) as usize;
            scenario.pools.push(Pool {
                file: file.clone(),
                first,
                then_from,
                then_until: then_from + designations.saturating_sub(1),
                rule,
                entries: entries.iter().map(|extra| extra.id.clone()).collect(),
            });
        }
    }

    /// The place of an entry of `reinforcements`, in whichever of the extended scenarios has it.
    pub(super) fn reinforcement_span(
        &self,
        chain: &[&Document<ScenarioFile>],
        list: &str,
        key: &str,
        value: &str,
    ) -> Span {
        self.reinforcement_key(chain, list, key, value, key)
    }

    /// The place of what an entry of `reinforcements` says under a key.
    fn reinforcement_key(
        &self,
        chain: &[&Document<ScenarioFile>],
        list: &str,
        key: &str,
        value: &str,
        wanted: &str,
    ) -> Span {
        for document in chain {
            for index in 0..usize::MAX {
                let pointer = format!("/reinforcements/{list}/{index}");
                let Some(node) = document.node().at(&pointer) else {
                    break;
                };
                if node.get(key).is_some_and(|node| node.to_json() == value) {
                    let wanted = if node.get(wanted).is_some() { wanted } else { key };
                    return document.span(&format!("{pointer}/{wanted}"));
                }
            }
        }
        chain[0].span("/reinforcements")
    }
}

/// Texts such as `supply-wagon=1`, whose form the schema has judged; counts of one kind add up.
fn counts(texts: &[String]) -> BTreeMap<String, u32> {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let read = texts.iter().filter_map(|text| {
        let (kind, count) = text.split_once('=')?;
        Some((kind.trim(), count.trim().parse().ok()?))
    });
    for (kind, count) in read {
        let sum = counts.entry(kind.to_owned()).or_default();
        *sum = sum.saturating_add(count);
    }
    counts
}
