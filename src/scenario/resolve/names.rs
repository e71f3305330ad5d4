//! Names and moments in scenarios: turns of the track, selections of units, formations and leaders.

use std::collections::BTreeSet;

use super::{BAD_SELECTION, OFF_THE_TRACK, Stage, UNKNOWN_LEADER};
use crate::diagnostic::{Diagnostic, Sink};
use crate::record::Table;
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
            let time = text.trim().rsplit_once(' ').map_or("", |(_, time)| time);
            let is_time = time.len() == 4 && time.bytes().all(|byte| byte.is_ascii_digit());
            let help = match around.as_slice() {
                _ if self.calendar.has_days() && text.contains(' ') && !is_time => {
                    "a time is four digits, such as `0740`".to_owned()
                }
                [] if !self.calendar.has_days() => "write the number of a turn".to_owned(),
                [] => format!(
                    "a moment is a day and a time, such as `{}`",
                    self.calendar.example()
                ),
                [one] => format!("the turn nearest to it is {one}"),
                near => format!("the turns nearest to it are {}", suggest::both(near)),
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

    /// What is said of a line of a schedule that has a time and no day.
    pub(super) fn without_day(&self, table: &Table, row: usize, id: &str) -> Diagnostic {
        let example = self.calendar.example();
        let day = example.split(' ').next().unwrap_or_default();
        Diagnostic::new(
            &OFF_THE_TRACK,
            table.span(row, "day"),
            format!("`{id}` has no `day`"),
        )
        .note("on which day?")
        .help(format!("write the day in this cell, such as `{day}`"))
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
            let meant = self.meant(&values);
            if meant.is_empty() {
                // It may have meant anybody.
                self.doubt_all(side);
            }
            self.doubtful.borrow_mut().extend(meant);
            return selected.rows;
        }
        // A unit whose formation is not known may be the one that is meant.
        if selected.rows.is_empty() && selected.problems.is_empty() && !self.model.unplaced {
            sink.push(
                Diagnostic::new(&BAD_SELECTION, span, format!("`{text}` means no unit at all"))
                    .note("nothing is left of it")
                    .help("name a unit that is there, or delete the entry"),
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
            let help = problem.cure(text);
            let part = text.get(problem.at).unwrap_or(text);
            let mut diagnostic = Diagnostic::new(&BAD_SELECTION, span, problem.message)
                .note(format!("at `{part}`"))
                .word(part);
            diagnostic.help = help;
            sink.push(diagnostic);
            let candidates = problem.candidates.into_iter();
            let candidates: Vec<String> = candidates.map(|candidate| candidate.text).collect();
            let meant = self.meant(&candidates);
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
            .any(|row| table.row(row).removed.is_none() && self.index.home(Named::Units, row).is_none())
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
                .suggestions(self.records, Named::Formations, text, Some(side), None);
            let help = suggest::did_you_mean(&near)
                .unwrap_or_else(|| format!("write the designation or id of one formation of `{side}`"));
            sink.push(
                Diagnostic::new(&BAD_SELECTION, span, format!("`{text}` is not one formation"))
                    .note("not found")
                    .help(help),
            );
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
                        .suggestions(self.records, Named::Leaders, name, Some(side), None);
                    let help = suggest::did_you_mean(&near).unwrap_or_else(|| self.leader_help(name, side));
                    sink.push(
                        Diagnostic::new(
                            &UNKNOWN_LEADER,
                            span,
                            format!("no leader of `{side}` is called `{name}`"),
                        )
                        .word(name)
                        .note(format!("`{name}` is unknown"))
                        .help(help),
                    );
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
                        .word(name)
                        .note("ambiguous")
                        .help(format!("write one of {}", names.join(", "))),
                    );
                }
            }
        }
        found
    }

    /// What to do about a name that is near to no leader's: a list whose parts are some, or who there are.
    fn leader_help(&self, name: &str, side: &str) -> String {
        /// More would not be read.
        const LISTED: usize = 12;
        let is_one = |part: &str| {
            let found = self.index.find(self.records, Named::Leaders, part, Some(side));
            found != Found::None
        };
        if let Some(help) = suggest::separated(name, &is_one) {
            return help;
        }
        let leaders = self.model.leaders.iter().filter(|leader| leader.side == side);
        let names: Vec<&str> = leaders.map(|leader| leader.abbr.as_str()).collect();
        match names.len() {
            0 => format!("`{side}` has no leaders: leave the list empty"),
            1..=LISTED => format!("the leaders of `{side}` are {}", suggest::quoted(&names)),
            _ => "write his id, name, short name or an alias as `leaders` has it".to_owned(),
        }
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
