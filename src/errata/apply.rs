//! Applying overlays to records.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::rules::{
    AMBIGUOUS_TARGET, ERRATA_CONFLICT, INCOMPLETE_ERRATUM, MISSING_TARGET, OVER_BROAD_TARGET, STALE_ERRATUM,
};
use super::target::{self, Targets};
use super::{CounterSide, Edition, Entry, Op, Overlay};
use crate::diagnostic::{Diagnostic, Sink};
use crate::record::{EditId, Records, Table, Value};
use crate::reference::{Found, Index, Named};
use crate::source::{Files, Span};
use crate::suggest;

/// One field of one record that an overlay changed.
#[derive(Debug, Clone)]
pub struct Edit {
    /// The overlay, as an index into the loaded ones.
    pub overlay: usize,
    /// The entry, as an index into the overlay's.
    pub entry: usize,
    /// The table.
    pub table: String,
    /// The record's row.
    pub row: usize,
    /// The field; empty where a whole record was added or removed.
    pub field: String,
    /// The value before, with its place.
    pub was: Option<(String, Span)>,
    /// The value after; `None` where there is none.
    pub now: Option<String>,
    /// The place in the overlay that says so.
    pub span: Span,
}

/// A correction of a printed counter that the data do not need.
#[derive(Debug, Clone)]
pub struct CounterEdit {
    /// The overlay, as an index into the loaded ones.
    pub overlay: usize,
    /// The entry, as an index into the overlay's.
    pub entry: usize,
    /// The table of the record whose counter it is.
    pub table: String,
    /// The record's row.
    pub row: usize,
    /// The side of the counter.
    pub side: CounterSide,
    /// What the printed counter says, by field; absent where nobody says what it says.
    pub was: BTreeMap<String, String>,
    /// What the game means, by field.
    pub now: BTreeMap<String, String>,
    /// The place in the overlay.
    pub span: Span,
}

/// What became of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The data were changed.
    Applied,
    /// The data already say what the entry wants.
    AlreadyApplied,
    /// The entry touches no data.
    Note,
    /// The data say neither what the entry expects nor what it wants.
    Stale,
    /// There is no such record.
    MissingTarget,
    /// There are several such records.
    AmbiguousTarget,
    /// There are more or fewer such records than the entry says.
    OverBroad,
    /// Another entry gives the same field another value.
    Conflict,
    /// The overlay is not for this print run, or the entry lacks something.
    Skipped,
}

impl Outcome {
    /// The name used in packs and lists.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Applied => "applied",
            Outcome::AlreadyApplied => "already-applied",
            Outcome::Note => "note",
            Outcome::Stale => "stale",
            Outcome::MissingTarget => "missing-target",
            Outcome::AmbiguousTarget => "ambiguous-target",
            Outcome::OverBroad => "over-broad",
            Outcome::Conflict => "conflict",
            Outcome::Skipped => "skipped",
        }
    }
}

/// What became of one entry of an overlay.
#[derive(Debug, Clone)]
pub struct Report {
    /// The overlay, as an index into the loaded ones.
    pub overlay: usize,
    /// The entry, as an index into the overlay's.
    pub entry: usize,
    /// What became of it.
    pub outcome: Outcome,
    /// The records that it means, for people.
    pub targets: Vec<String>,
}

/// What applying the overlays of an edition did.
#[derive(Debug, Default)]
pub struct Applied {
    /// Every changed field. An [`EditId`] is an index into it.
    pub edits: Vec<Edit>,
    /// Corrections of printed counters.
    pub counters: Vec<CounterEdit>,
    /// What became of each entry, in order of application.
    pub reports: Vec<Report>,
    /// The entries that do not find what they expect, until [`blame`](crate::blame::blame) has told what is at fault.
    pub failures: Vec<Failure>,
}

/// An entry that does not find what it expects in the data: perhaps the data are at fault.
#[derive(Debug)]
pub struct Failure {
    /// What is to be said of the entry.
    pub diagnostic: Diagnostic,
    /// The table in which it looked.
    pub table: String,
    /// The row that does not hold what it expects; `None` where no row was found.
    pub row: Option<usize>,
    /// The columns in which it looked.
    pub columns: Vec<String>,
    /// The text that it expects in the one column.
    pub was: Option<String>,
}

/// Applies the overlays of an edition, in the order given. All failures are reported.
pub fn apply(
    files: &Files,
    overlays: &[Overlay],
    edition: &Edition,
    printing: Option<&str>,
    records: &mut Records,
    index: &mut Index,
    sink: &mut Sink,
) -> Applied {
    let mut applied = Applied::default();
    for (number, overlay) in overlays.iter().enumerate() {
        if !edition.includes(overlay) {
            continue;
        }
        let wrong_printing = !overlay.printings.is_empty()
            && printing.is_some_and(|printing| !overlay.printings.iter().any(|name| name == printing));
        for (entry_number, entry) in overlay.entries.iter().enumerate() {
            let mut application = Application {
                text: files.shared_text(overlay.file),
                overlays,
                overlay: number,
                entry: entry_number,
                records: &mut *records,
                index: &mut *index,
                applied: &mut applied,
                sink: &mut *sink,
                targets: Vec::new(),
            };
            let outcome = if wrong_printing {
                Outcome::Skipped
            } else {
                application.run(entry)
            };
            let targets = std::mem::take(&mut application.targets);
            applied.reports.push(Report {
                overlay: number,
                entry: entry_number,
                outcome,
                targets,
            });
        }
    }
    applied
}

/// One entry being applied.
struct Application<'a> {
    text: Arc<str>,
    overlays: &'a [Overlay],
    overlay: usize,
    entry: usize,
    records: &'a mut Records,
    index: &'a mut Index,
    applied: &'a mut Applied,
    sink: &'a mut Sink,
    targets: Vec<String>,
}

/// A field to be written.
struct Write {
    row: usize,
    field: String,
    value: Value,
    span: Span,
}

impl Application<'_> {
    fn run(&mut self, entry: &Entry) -> Outcome {
        let Some(table) = &entry.table else {
            return if entry.op == Op::Note {
                Outcome::Note
            } else {
                Outcome::Skipped
            };
        };
        match entry.op {
            Op::Note => Outcome::Note,
            Op::Add => self.add(table, entry),
            Op::Set | Op::Rename | Op::Move => match self.rows(table, entry) {
                Ok(rows) => self.set(table, &rows, entry),
                Err(outcome) => outcome,
            },
            Op::Remove => self.remove(table, entry),
            Op::Swap => self.swap(table, entry),
            Op::Remap => self.remap(table, entry),
            Op::Counter => match self.rows(table, entry) {
                Ok(rows) => self.counter(table, &rows, entry),
                Err(outcome) => outcome,
            },
        }
    }

    fn overlay(&self) -> &Overlay {
        &self.overlays[self.overlay]
    }

    /// The place of a part of the entry.
    fn place(&self, part: &str) -> Span {
        self.overlay().span(&format!("/entries/{}{part}", self.entry))
    }

    /// The value of a part of the entry, as records hold it.
    fn value(&self, part: &str) -> Option<Value> {
        let pointer = format!("/entries/{}{part}", self.entry);
        self.overlay().node().at(&pointer).map(|node| node.to_value())
    }

    fn rows(&mut self, table_name: &str, entry: &Entry) -> Result<Vec<usize>, Outcome> {
        self.rows_of(table_name, entry.target.as_deref(), "/target", entry)
    }

    /// The rows that a target means; where it is not as many as the entry says, that is reported.
    fn rows_of(
        &mut self,
        table_name: &str,
        target: Option<&str>,
        part: &str,
        entry: &Entry,
    ) -> Result<Vec<usize>, Outcome> {
        let place = if target.is_some() {
            self.place(part)
        } else {
            self.place("/where")
        };
        let shown = target.map_or_else(
            || "the entry's `where`".to_owned(),
            |target| format!("`{target}`"),
        );
        let Some(table) = self.records.table(table_name) else {
            let known: Vec<&str> = self.records.tables.keys().map(String::as_str).collect();
            self.sink.push(
                Diagnostic::new(
                    &MISSING_TARGET,
                    self.place("/table"),
                    format!("there is no table `{table_name}`"),
                )
                .note("not a table of this game")
                .help(match suggest::closest(table_name, known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the tables of this game are {}", suggest::quoted(&known)),
                }),
            );
            return Err(Outcome::MissingTarget);
        };
        let rows = match target::find(self.records, self.index, table, target, entry) {
            Targets::Rows(rows) => rows,
            Targets::Missing(near) => {
                let mut columns: Vec<String> = entry.filter.keys().cloned().collect();
                columns.extend(
                    target
                        .into_iter()
                        .flat_map(|target| target::columns(table, target)),
                );
                if let Some(gone) = self.already_gone(table, target)
                    && matches!(entry.op, Op::Remove | Op::Remap)
                {
                    self.targets.push(gone);
                    return Err(Outcome::AlreadyApplied);
                }
                if let Some(target) = target
                    && self.already_renamed(table_name, target, entry)
                {
                    return Err(Outcome::AlreadyApplied);
                }
                let mut diagnostic = Diagnostic::new(
                    &MISSING_TARGET,
                    place,
                    format!("{shown} finds nothing in `{table_name}`"),
                )
                .note("no such record");
                diagnostic = diagnostic.help(suggest::did_you_mean(&near).unwrap_or_else(|| {
                    "write an id, a name, an abbreviation or an alias, with its formation where needed: `105 Pa/1/1/III`"
                        .to_owned()
                }));
                self.applied.failures.push(Failure {
                    diagnostic,
                    table: table_name.to_owned(),
                    row: None,
                    columns,
                    was: None,
                });
                return Err(Outcome::MissingTarget);
            }
        };
        self.targets = named(self.records, self.index, table, &rows);
        if rows.len() == entry.expect || (part != "/target" && rows.len() == 1) {
            return Ok(rows);
        }
        let table = self.records.table(table_name).unwrap_or_else(|| unreachable!());
        let mut diagnostic = if entry.expect == 1 {
            Diagnostic::new(
                &AMBIGUOUS_TARGET,
                place,
                format!("{shown} may be any of {} records of `{table_name}`", rows.len()),
            )
            .note("ambiguous")
            .help(format!(
                "qualify it by its formation, use an id, add a `where`, or write `expect = {}` if all are meant: {}",
                rows.len(),
                self.targets.join(", ")
            ))
        } else {
            let records = if rows.len() == 1 { "record" } else { "records" };
            Diagnostic::new(
                &OVER_BROAD_TARGET,
                self.overlays[self.overlay].span(&format!("/entries/{}/expect", self.entry)),
                format!(
                    "{shown} matches {} {records} of `{table_name}`, not {}",
                    rows.len(),
                    entry.expect
                ),
            )
            .note(format!("{} {records}", rows.len()))
            .help(if rows.len() == 1 {
                format!(
                    "write `expect = 1`, or remove it: it matches {}",
                    self.targets.join(", ")
                )
            } else {
                format!(
                    "write `expect = {}` if all of them are meant: {}",
                    rows.len(),
                    self.targets.join(", ")
                )
            })
        };
        for row in rows.iter().take(4) {
            diagnostic = diagnostic.label(head_span(table, *row), "one of them");
        }
        self.sink.push(diagnostic);
        Err(if entry.expect == 1 {
            Outcome::AmbiguousTarget
        } else {
            Outcome::OverBroad
        })
    }

    /// Whether a target is missing because an earlier entry removed it.
    fn already_gone(&self, table: &Table, target: Option<&str>) -> Option<String> {
        let target = target?;
        let folder = self.index.folder();
        table
            .removed_named(|name| folder.strict(name) == folder.strict(target))
            .map(|row| table.text(row, "name").unwrap_or(target).to_owned())
    }

    /// Whether a target is missing because an earlier entry gave exactly one record of that name the new values: a second
    /// copy of a `rename` looks for the old name.
    fn already_renamed(&mut self, table_name: &str, target: &str, entry: &Entry) -> bool {
        let folder = self.index.folder();
        let leaf = target.split('/').next().unwrap_or(target);
        let renamed: Vec<usize> = self
            .applied
            .edits
            .iter()
            .filter(|edit| edit.table == table_name && !edit.field.is_empty())
            .filter(|edit| {
                edit.was
                    .as_ref()
                    .is_some_and(|(was, _)| folder.strict(was) == folder.strict(leaf) || was == target)
            })
            .map(|edit| edit.row)
            .collect();
        let Some(table) = self.records.table(table_name) else {
            return false;
        };
        let done = |row: &usize| {
            !entry.now.is_empty()
                && entry.now.keys().all(|field| {
                    let now = self.value(&format!("/now/{field}"));
                    holds(self.records, self.index, table, *row, field, now.as_ref())
                })
        };
        match renamed.into_iter().find(done) {
            Some(row) => {
                self.targets = vec![describe(self.records, self.index, table, row)];
                true
            }
            None => false,
        }
    }

    fn set(&mut self, table_name: &str, rows: &[usize], entry: &Entry) -> Outcome {
        let mut writes = Vec::new();
        let mut worst = None;
        for row in rows {
            // A value that is only named in `was` is a condition.
            for field in entry.was.keys().filter(|field| !entry.now.contains_key(*field)) {
                let was = self.value(&format!("/was/{field}"));
                if !self.still_holds(table_name, *row, field, was.as_ref(), entry) {
                    worst = worst.or(Some(Outcome::Stale));
                }
            }
            for field in entry.now.keys() {
                let Some(now) = self.value(&format!("/now/{field}")) else {
                    continue;
                };
                let was = self.value(&format!("/was/{field}"));
                match self.judge_field(table_name, *row, field, was.as_ref(), &now, entry) {
                    Some(Outcome::AlreadyApplied) => {}
                    Some(outcome) => worst = worst.or(Some(outcome)),
                    None => writes.push(Write {
                        row: *row,
                        field: field.clone(),
                        value: now,
                        span: self.place(&format!("/now/{field}")),
                    }),
                }
            }
        }
        if let Some(outcome) = worst {
            return outcome;
        }
        if writes.is_empty() {
            return Outcome::AlreadyApplied;
        }
        for write in writes {
            self.write(table_name, write);
        }
        Outcome::Applied
    }

    /// Whether a field may be written: `None` if so, else what is to be said of the entry.
    fn judge_field(
        &mut self,
        table_name: &str,
        row: usize,
        field: &str,
        was: Option<&Value>,
        now: &Value,
        entry: &Entry,
    ) -> Option<Outcome> {
        let table = self.records.table(table_name)?;
        if holds(self.records, self.index, table, row, field, Some(now)) {
            return Some(Outcome::AlreadyApplied);
        }
        if holds(self.records, self.index, table, row, field, was) {
            return None;
        }
        let datum = table.field(row, field);
        let held = datum.map(|datum| datum.value.to_cell());
        let name = describe(self.records, self.index, table, row);
        let earlier = datum
            .and_then(|datum| datum.edit)
            .map(|edit| &self.applied.edits[edit as usize]);
        if let Some(earlier) = earlier {
            let from_same = match (&earlier.was, was) {
                (Some((before, _)), Some(was)) => *before == was.to_cell(),
                (None, None) => true,
                _ => false,
            };
            if from_same {
                let other = &self.overlays[earlier.overlay];
                let other_ref = &other.entries[earlier.entry].reference;
                self.sink.push(
                    Diagnostic::new(
                        &ERRATA_CONFLICT,
                        self.place(&format!("/now/{field}")),
                        format!(
                            "two errata give `{field}` of {name} different values: `{}` and `{}`",
                            earlier.now.as_deref().unwrap_or(""),
                            now.to_cell()
                        ),
                    )
                    .note(format!("{} of `{}` says this", entry.reference, self.overlay().id))
                    .label(
                        earlier.span,
                        format!("{other_ref} of `{}` says this", other.id),
                    )
                    .help(format!(
                        "remove one of them, or let this entry start from the earlier one's result: `was = {{ {field} = {} }}`",
                        toml_literal(earlier.now.as_deref().unwrap_or(""), now)
                    )),
                );
                return Some(Outcome::Conflict);
            }
        }
        let Some(was) = was else {
            let diagnostic = Diagnostic::new(
                &INCOMPLETE_ERRATUM,
                self.place(&format!("/now/{field}")),
                format!(
                    "the entry for {} has no `was` for `{field}`, which is `{}` in the data",
                    entry.reference,
                    held.as_deref().unwrap_or_default()
                ),
            )
            .note("what was there?")
            .label(table.span(row, field), format!("`{field}` of {name}"))
            .help(format!(
                "write `was = {{ {field} = {} }}`, if that is what the erratum corrects",
                toml_literal(held.as_deref().unwrap_or_default(), now)
            ));
            self.fail(diagnostic, table_name, row, field, None);
            return Some(Outcome::Stale);
        };
        let expected = format!("`{}`", was.to_cell());
        let holds_now = held
            .as_ref()
            .map_or_else(|| "empty".to_owned(), |held| format!("`{held}`"));
        let cell = table.span(row, field);
        let diagnostic = Diagnostic::new(
            &STALE_ERRATUM,
            self.place(&format!("/was/{field}")),
            format!("`{field}` of {name} is {holds_now}, where the erratum expects {expected}"),
        )
        .note(format!("{} expects {expected}", entry.reference))
        .label(cell, format!("this is {holds_now}"))
        .help(format!(
            "correct the entry's `was`, or restore what the source prints in the base data; the new value would be `{}`",
            now.to_cell()
        ));
        self.fail(diagnostic, table_name, row, field, Some(was.to_cell()));
        Some(Outcome::Stale)
    }

    /// Whether a field holds what the entry says that it was; that it does not is reported.
    fn still_holds(
        &mut self,
        table_name: &str,
        row: usize,
        field: &str,
        was: Option<&Value>,
        entry: &Entry,
    ) -> bool {
        let Some(table) = self.records.table(table_name) else {
            return false;
        };
        if holds(self.records, self.index, table, row, field, was) {
            return true;
        }
        let expected = was.map_or_else(|| "nothing".to_owned(), |was| format!("`{}`", was.to_cell()));
        let held = table.field(row, field);
        let held = held.map_or_else(
            || "empty".to_owned(),
            |datum| format!("`{}`", datum.value.to_cell()),
        );
        let name = describe(self.records, self.index, table, row);
        let diagnostic = Diagnostic::new(
            &STALE_ERRATUM,
            self.place(&format!("/was/{field}")),
            format!("`{field}` of {name} is {held}, where the erratum expects {expected}"),
        )
        .note(format!("{} expects {expected}", entry.reference))
        .label(table.span(row, field), format!("this is {held}"))
        .help("correct the entry's `was`, or restore what the source prints in the base data");
        self.fail(diagnostic, table_name, row, field, was.map(Value::to_cell));
        false
    }

    /// Remembers that a field of a row does not hold what the entry expects.
    fn fail(&mut self, diagnostic: Diagnostic, table: &str, row: usize, field: &str, was: Option<String>) {
        self.applied.failures.push(Failure {
            diagnostic,
            table: table.to_owned(),
            row: Some(row),
            columns: vec![field.to_owned()],
            was,
        });
    }

    fn write(&mut self, table_name: &str, write: Write) {
        let edit_id = self.applied.edits.len() as EditId;
        let table = self.records.table_mut(table_name);
        let column = table.add_column(&write.field);
        let was = table
            .get(write.row, column)
            .map(|datum| (datum.value.to_cell(), datum.span));
        let now = write.value.to_cell();
        table.set_value(write.row, column, write.value, write.span, Some(edit_id));
        self.applied.edits.push(Edit {
            overlay: self.overlay,
            entry: self.entry,
            table: table_name.to_owned(),
            row: write.row,
            field: write.field,
            was,
            now: Some(now),
            span: write.span,
        });
        if let Some(named) = Named::of(table_name) {
            self.index.update(self.records, named, write.row);
        }
    }

    fn add(&mut self, table_name: &str, entry: &Entry) -> Outcome {
        if entry.record.is_empty() {
            return Outcome::Skipped;
        }
        let place = self.place("/record");
        if let Some(table) = self.records.table(table_name)
            && let Some(column) = target::key_column(table)
            && let Some(key) = entry.record.get(column)
        {
            let key = key.as_str().map_or_else(|| key.to_string(), str::to_owned);
            let twin = table
                .rows()
                .find(|row| table.text(*row, column) == Some(key.as_str()));
            if let Some(row) = twin {
                self.targets = vec![describe(self.records, self.index, table, row)];
                let different = entry.record.keys().find(|field| {
                    let value = self.value(&format!("/record/{field}"));
                    !holds(self.records, self.index, table, row, field, value.as_ref())
                });
                let Some(field) = different else {
                    return Outcome::AlreadyApplied;
                };
                let earlier = table
                    .row(row)
                    .added
                    .map(|edit| &self.applied.edits[edit as usize]);
                let here = self.place(&format!("/record/{field}"));
                let held = table.field(row, field).map_or_else(
                    || "nothing".to_owned(),
                    |datum| format!("`{}`", datum.value.to_cell()),
                );
                let diagnostic = match earlier {
                    Some(earlier) => {
                        let other = &self.overlays[earlier.overlay];
                        Diagnostic::new(
                            &ERRATA_CONFLICT,
                            here,
                            format!("two errata add `{key}` to `{table_name}` with different values of `{field}`"),
                        )
                        .note(format!("{} of `{}` says this", entry.reference, self.overlay().id))
                        .label(
                            earlier.span,
                            format!("{} of `{}` adds it too", other.entries[earlier.entry].reference, other.id),
                        )
                        .help("remove one of them, or make it a `set` on the other's record")
                    }
                    None => Diagnostic::new(
                        &STALE_ERRATUM,
                        here,
                        format!("`{key}` is in `{table_name}` already, with {held} as its `{field}`"),
                    )
                    .note("the erratum adds it with another value")
                    .label(table.span(row, field), "the record that is there")
                    .help("use `op = \"set\"` to change a record, or restore what the source prints in the base data"),
                };
                let outcome = if earlier.is_some() {
                    Outcome::Conflict
                } else {
                    Outcome::Stale
                };
                self.sink.push(diagnostic);
                return outcome;
            }
        }
        let edit_id = self.applied.edits.len() as EditId;
        let mut cells = Vec::new();
        for field in entry.record.keys() {
            if let Some(value) = self.value(&format!("/record/{field}")) {
                cells.push((field.clone(), value, self.place(&format!("/record/{field}"))));
            }
        }
        let table = self.records.table_mut(table_name);
        for (field, _, _) in &cells {
            table.add_column(field);
        }
        let row = table.add_row(place.file, &self.text, place.start as usize, place.end as usize);
        table.mark_added(row, edit_id);
        for (field, value, span) in cells {
            let column = table.add_column(&field);
            table.set_value(row, column, value, span, Some(edit_id));
        }
        self.applied.edits.push(Edit {
            overlay: self.overlay,
            entry: self.entry,
            table: table_name.to_owned(),
            row,
            field: String::new(),
            was: None,
            now: Some("added".into()),
            span: place,
        });
        if let Some(named) = Named::of(table_name) {
            self.index.update(self.records, named, row);
        }
        if let Some(table) = self.records.table(table_name) {
            self.targets = vec![describe(self.records, self.index, table, row)];
        }
        Outcome::Applied
    }

    fn remove(&mut self, table_name: &str, entry: &Entry) -> Outcome {
        let rows = match self.rows(table_name, entry) {
            Ok(rows) => rows,
            Err(outcome) => return outcome,
        };
        for row in &rows {
            for field in entry.was.keys() {
                let was = self.value(&format!("/was/{field}"));
                if !self.still_holds(table_name, *row, field, was.as_ref(), entry) {
                    return Outcome::Stale;
                }
            }
        }
        for row in rows {
            self.remove_row(table_name, row);
        }
        Outcome::Applied
    }

    fn remove_row(&mut self, table_name: &str, row: usize) {
        let edit_id = self.applied.edits.len() as EditId;
        let span = self.place("");
        let table = self.records.table_mut(table_name);
        let was = table
            .field(row, "name")
            .map(|datum| (datum.value.to_cell(), datum.span));
        table.remove(row, edit_id);
        self.applied.edits.push(Edit {
            overlay: self.overlay,
            entry: self.entry,
            table: table_name.to_owned(),
            row,
            field: String::new(),
            was,
            now: None,
            span,
        });
    }

    fn swap(&mut self, table_name: &str, entry: &Entry) -> Outcome {
        let Some(field) = &entry.field else {
            return Outcome::Skipped;
        };
        let mut rows = Vec::new();
        for (index, target) in entry.targets.iter().enumerate() {
            match self.rows_of(table_name, Some(target), &format!("/targets/{index}"), entry) {
                Ok(found) => rows.extend(found),
                Err(outcome) => return outcome,
            }
        }
        let [first, second] = rows.as_slice() else {
            return Outcome::Skipped;
        };
        let (first, second) = (*first, *second);
        let Some(table) = self.records.table(table_name) else {
            return Outcome::Skipped;
        };
        self.targets = vec![
            describe(self.records, self.index, table, first),
            describe(self.records, self.index, table, second),
        ];
        let held = |row: usize| table.field(row, field).map(|datum| datum.value.to_cell());
        let (one, two) = (held(first), held(second));
        let was = entry.was.get(field).and_then(|was| was.as_array()).map(|was| {
            was.iter()
                .map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
                .collect::<Vec<_>>()
        });
        if let Some(was) = &was
            && let [was_one, was_two] = was.as_slice()
        {
            if one.as_ref() == Some(was_two) && two.as_ref() == Some(was_one) {
                return Outcome::AlreadyApplied;
            }
            for (index, (held, wanted, row)) in [(&one, was_one, first), (&two, was_two, second)]
                .iter()
                .enumerate()
            {
                if held.as_ref() != Some(wanted) {
                    let diagnostic = Diagnostic::new(
                        &STALE_ERRATUM,
                        self.place(&format!("/was/{field}/{index}")),
                        format!(
                            "`{field}` of {} is `{}`, where the erratum expects `{wanted}`",
                            self.targets[index],
                            held.as_deref().unwrap_or("empty")
                        ),
                    )
                    .note("expected here")
                    .label(table.span(*row, field), "this is what stands there")
                    .help("correct the entry's `was`, or restore what the source prints in the base data");
                    let (row, wanted) = (*row, (*wanted).clone());
                    self.fail(diagnostic, table_name, row, field, Some(wanted));
                    return Outcome::Stale;
                }
            }
        }
        let place = self.place("/field");
        for (row, value) in [(first, two), (second, one)] {
            self.write(
                table_name,
                Write {
                    row,
                    field: field.clone(),
                    value: Value::Text(value.unwrap_or_default().into()),
                    span: place,
                },
            );
        }
        Outcome::Applied
    }

    fn remap(&mut self, table_name: &str, entry: &Entry) -> Outcome {
        let Some(into) = &entry.into else {
            return Outcome::Skipped;
        };
        let mut rows = Vec::new();
        for (index, target) in entry.targets.iter().enumerate() {
            match self.rows_of(table_name, Some(target), &format!("/targets/{index}"), entry) {
                Ok(found) => rows.extend(found),
                Err(outcome) => return outcome,
            }
        }
        let gone = std::mem::take(&mut self.targets);
        let heir = match self.rows_of(table_name, Some(into), "/into", entry) {
            Ok(found) => found[0],
            Err(outcome) => return outcome,
        };
        if rows.contains(&heir) {
            // The names of what went are the heir's by now.
            return Outcome::AlreadyApplied;
        }
        self.targets = gone;
        let Some(table) = self.records.table(table_name) else {
            return Outcome::Skipped;
        };
        let mut aliases = table
            .field(heir, "aliases")
            .map(|datum| datum.value.list())
            .unwrap_or_default();
        for row in &rows {
            if let Some(name) = table.text(*row, "name") {
                aliases.push(name.to_owned());
            }
        }
        for row in rows {
            self.remove_row(table_name, row);
        }
        let span = self.place("/into");
        self.write(
            table_name,
            Write {
                row: heir,
                field: "aliases".into(),
                value: Value::List(
                    aliases
                        .into_iter()
                        .map(|alias| Value::Text(alias.into()))
                        .collect(),
                ),
                span,
            },
        );
        Outcome::Applied
    }

    fn counter(&mut self, table_name: &str, rows: &[usize], entry: &Entry) -> Outcome {
        let Some(side) = entry.side else {
            return Outcome::Skipped;
        };
        let texts = |part: &str, fields: &BTreeMap<String, serde_json::Value>| -> BTreeMap<String, String> {
            fields
                .keys()
                .filter_map(|field| {
                    let value = self.value(&format!("/{part}/{field}"))?;
                    Some((field.clone(), value.to_cell()))
                })
                .collect()
        };
        let was = texts("was", &entry.was);
        let now = texts("now", &entry.now);
        let span = self.place("/now");
        let known = self.applied.counters.iter().any(|edit| {
            edit.table == table_name
                && rows.contains(&edit.row)
                && edit.side == side
                && edit.now == now
                && edit.was == was
        });
        if known {
            return Outcome::AlreadyApplied;
        }
        for row in rows {
            self.applied.counters.push(CounterEdit {
                overlay: self.overlay,
                entry: self.entry,
                table: table_name.to_owned(),
                row: *row,
                side,
                was: was.clone(),
                now: now.clone(),
                span,
            });
        }
        Outcome::Applied
    }
}

/// Whether a field holds a value; nothing is held where the value is `None` or empty. References are equal if they mean
/// the same record.
fn holds(
    records: &Records,
    index: &Index,
    table: &Table,
    row: usize,
    field: &str,
    value: Option<&Value>,
) -> bool {
    let held = table.field(row, field).map(|datum| datum.value.to_cell());
    let wanted = value.map(Value::to_cell).filter(|text| !text.is_empty());
    let (Some(held), Some(wanted)) = (&held, &wanted) else {
        return held.is_none() && wanted.is_none();
    };
    if held == wanted {
        return true;
    }
    if !matches!(field, "formation" | "parent" | "commands" | "of") {
        return false;
    }
    let side = table.text(row, "side");
    match (
        index.find(records, Named::Formations, held, side),
        index.find(records, Named::Formations, wanted, side),
    ) {
        (Found::One(a), Found::One(b)) => a == b,
        _ => false,
    }
}

/// Records, for people, in an order that does not depend on that of the rows.
fn named(records: &Records, index: &Index, table: &Table, rows: &[usize]) -> Vec<String> {
    let mut names: Vec<String> = rows
        .iter()
        .map(|row| describe(records, index, table, *row))
        .collect();
    names.sort_by(|a, b| crate::order::natural(a, b));
    names
}

/// A record, for people.
pub(crate) fn describe(records: &Records, index: &Index, table: &Table, row: usize) -> String {
    if let Some(named) = Named::of(&table.name) {
        return index.describe(records, named, row);
    }
    let key = target::key_column(table).and_then(|column| Some((column, table.text(row, column)?)));
    match key {
        Some((column, key)) => {
            // However the cell spells it, a reference is told as what it means.
            let meant = match column {
                "formation" => Some(Named::Formations),
                "unit" => Some(Named::Units),
                _ => None,
            };
            let meant =
                meant.and_then(
                    |named| match index.find(records, named, key, table.text(row, "side")) {
                        Found::One(row) => Some(index.reference_to(records, named, row)),
                        _ => None,
                    },
                );
            format!("`{}`", meant.as_deref().unwrap_or(key))
        }
        None => {
            let cells: Vec<String> = (0..table.columns().len())
                .filter_map(|column| table.get(row, column))
                .map(|datum| datum.value.to_cell())
                .take(4)
                .collect();
            format!("`{}`", cells.join(" "))
        }
    }
}

/// The cell that names a record.
fn head_span(table: &Table, row: usize) -> Span {
    let column = target::key_column(table).unwrap_or("id");
    if table.text(row, "name").is_some() {
        table.span(row, "name")
    } else {
        table.span(row, column)
    }
}

fn toml_literal(text: &str, like: &Value) -> String {
    match like {
        Value::Integer(_) | Value::Number(_) | Value::Boolean(_) => text.to_owned(),
        _ => format!("{text:?}"),
    }
}
