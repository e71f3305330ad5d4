//! Names and moments in scenarios: turns of the track, selections of units, formations and leaders.

use std::collections::BTreeSet;

use super::{BAD_SELECTION, OFF_THE_TRACK, Stage, UNKNOWN_LEADER};
use crate::diagnostic::{Diagnostic, Sink};
use crate::reference::{Found, Named};
use crate::scenario::moment;
use crate::select::{self, Scope};
use crate::selection;
use crate::source::Span;
use crate::suggest;

impl Stage<'_> {
    /// The turn that a text names.
    pub fn turn(&self, text: &str, span: Span, sink: &mut Sink) -> Option<usize> {
        let found = self.calendar.find(text);
        if found.is_none()
            && let Some(damaged) = moment::damaged(self.calendar, text, span)
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
            let diagnostic = Diagnostic::new(
                &OFF_THE_TRACK,
                span,
                format!("`{text}` is no turn of the calendar"),
            )
            .note("not on the track")
            .help(help);
            match text.trim().rsplit_once(' ') {
                Some((day, _)) if !self.calendar.has_day(day) => self
                    .strange_days
                    .borrow_mut()
                    .entry(day.trim().to_owned())
                    .or_default()
                    .push(diagnostic),
                _ => sink.push(diagnostic),
            }
        }
        found
    }

    /// A day that the calendar does not have is one fault, however many moments are on it. It is told of a scenario before
    /// it is told of the schedules.
    pub(super) fn tell_strange_days(&self, sink: &mut Sink) {
        for (day, mut told) in self.strange_days.take() {
            let documents: Vec<_> = self.all.iter().map(|(document, _)| document.file).collect();
            told.sort_by_key(|told| {
                let span = told.span;
                let in_document = span.is_some_and(|span| documents.contains(&span.file));
                (!in_document, span.map(|span| (span.file.0, span.start)))
            });
            told.dedup_by_key(|told| told.span);
            let mut told = told.into_iter();
            let Some(mut first) = told.next() else {
                continue;
            };
            let others: Vec<Span> = told.filter_map(|told| told.span).collect();
            if !others.is_empty() {
                first.message += &format!(", and {} more moments are on that day", others.len());
                if others.len() == 1 {
                    first.message = first.message.replace("1 more moments are", "1 more moment is");
                }
            }
            for span in others.into_iter().take(3) {
                first = first.label(span, "and here");
            }
            let days: Vec<&str> = self
                .game
                .calendar
                .iter()
                .flat_map(|calendar| calendar.days.iter().map(|day| day.id.as_str()))
                .collect();
            if let ([begin, .., end] | [begin @ end], true) = (days.as_slice(), day.len() == 10) {
                first = first.help(format!("the calendar's days are {begin} to {end}"));
            }
            sink.push(first);
        }
    }

    /// Something could not be read that may have been about anybody of a side, or about anybody at all: nothing is said of
    /// what becomes of them.
    pub(super) fn doubt_all(&self, side: Option<&str>) {
        let side = side.filter(|side| self.game.side(side).is_some());
        let is_meant = |other: &str| side.is_none_or(|side| side == other);
        let units = self.model.units.iter().enumerate();
        let units = units.filter(|(_, unit)| is_meant(&unit.side));
        self.doubtful.borrow_mut().extend(units.map(|(index, _)| index));
        let sides = self.game.sides.iter().map(|side| side.id.clone());
        let sides = sides.filter(|other| is_meant(other));
        self.doubtful_sides.borrow_mut().extend(sides);
    }

    /// The rows of the units that a selection means; whatever it cannot mean is reported.
    pub(super) fn select(
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
                self.doubt_all(side);
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
            if self.is_adrift(text.get(problem.at.clone()).unwrap_or(text)) {
                continue;
            }
            if problem.candidates.len() > 1
                && problem
                    .candidates
                    .iter()
                    .all(|other| *other == problem.candidates[0])
            {
                // That they cannot be told apart has been reported.
                self.doubt_all(side);
                continue;
            }
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
            let meant = self.meant(&problem.candidates);
            if meant.is_empty() {
                // It may have meant anybody.
                self.doubt_all(side);
            }
            self.doubtful.borrow_mut().extend(meant);
        }
        selected.rows
    }

    /// Whether a unit of this name hangs on no formation, because its own is wrong: that has been reported.
    fn is_adrift(&self, name: &str) -> bool {
        let Some(table) = self.records.table("units") else {
            return false;
        };
        let leaf = name.split('/').next().unwrap_or(name).trim();
        let rows = match self.index.find(self.records, Named::Units, leaf, None) {
            Found::One(row) => vec![row],
            Found::Many(rows) => rows,
            Found::None => Vec::new(),
        };
        rows.into_iter()
            .any(|row| table.text(row, "formation").is_some() && self.index.home(Named::Units, row).is_none())
    }

    /// The units that a failed reference may have meant: nothing is said of what becomes of them.
    pub(super) fn meant(&self, candidates: &[String]) -> Vec<usize> {
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

    pub(super) fn formation(&self, text: &str, side: &str, span: Span, sink: &mut Sink) -> Option<usize> {
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

    pub(super) fn leaders(&self, names: &[String], side: &str, span: Span, sink: &mut Sink) -> Vec<usize> {
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
            if leaders.is_empty() && self.is_in_doubt(name) {
                // Why he is not in the model has been reported.
                continue;
            }
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
                    if name.contains([',', ';']) {
                        let parts: Vec<&str> = name.split([',', ';']).map(str::trim).collect();
                        diagnostic = diagnostic.help(format!(
                            "if these are several, write them with `|` between them: `{}`",
                            parts.join("|")
                        ));
                    } else if !names.is_empty() {
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

    /// Whether a leader of this name was left out of the model.
    fn is_in_doubt(&self, name: &str) -> bool {
        let rows = match self.index.find(self.records, Named::Leaders, name, None) {
            Found::One(row) => vec![row],
            Found::Many(rows) => rows,
            Found::None => Vec::new(),
        };
        rows.into_iter()
            .any(|row| self.model.leaders.iter().all(|leader| leader.row != row))
    }

    pub(super) fn model_units(&self, rows: &[usize]) -> Vec<usize> {
        let mut units: Vec<usize> = rows
            .iter()
            .filter_map(|row| self.units.get(row).copied())
            .collect();
        units.sort_unstable();
        units
    }
}
