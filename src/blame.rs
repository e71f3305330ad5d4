//! Who is at fault where an erratum does not find what it expects: most often the erratum, but a damaged cell of the data
//! that it meets is told instead, because what the erratum says is right.

use std::collections::{BTreeMap, BTreeSet};

use crate::cell::{self, Wanted};
use crate::diagnostic::{Diagnostic, Severity, Sink};
use crate::errata::apply::{Applied, Failure};
use crate::game::GameFile;
use crate::read::csv::Header;
use crate::record::{Records, Table};
use crate::schema;
use crate::source::{FileId, Span};

/// Reports the entries that found nothing, or the faults of the data that they met: of each the cause, not both.
pub fn blame(
    game: &GameFile,
    records: &Records,
    headers: &BTreeMap<String, Vec<Header>>,
    applied: &mut Applied,
    sink: &mut Sink,
) {
    let failures = std::mem::take(&mut applied.failures);
    if failures.is_empty() {
        return;
    }
    let faults = faults(game, records, headers, &failures);
    let mut places: BTreeMap<String, Places> = BTreeMap::new();
    for failure in failures {
        let table = records.table(&failure.table);
        let places = places
            .entry(failure.table.clone())
            .or_insert_with(|| table.map_or_else(Vec::new, places_of));
        let is_cause =
            |fault: &&Diagnostic| table.is_some_and(|table| is_cause(table, places, &failure, fault));
        let causes: Vec<&Diagnostic> = faults.iter().filter(is_cause).collect();
        if !causes.is_empty() {
            causes.into_iter().for_each(|cause| sink.push(cause.clone()));
            continue;
        }
        let found = looks_alike(records, &failure).unwrap_or(failure.diagnostic);
        sink.push(found);
    }
}

/// The errors of the records that entries met, as the schemas see them.
fn faults(
    game: &GameFile,
    records: &Records,
    headers: &BTreeMap<String, Vec<Header>>,
    failures: &[Failure],
) -> Vec<Diagnostic> {
    // Rows by table; `None` are all of them.
    let mut met: BTreeMap<&str, Option<BTreeSet<usize>>> = BTreeMap::new();
    for failure in failures {
        let rows = met.entry(&failure.table).or_insert_with(|| Some(BTreeSet::new()));
        match (rows.as_mut(), failure.row) {
            (Some(rows), Some(row)) => drop(rows.insert(row)),
            _ => *rows = None,
        }
    }
    let mut part = Records::default();
    for (name, table) in &records.tables {
        // Of other tables only the ids are asked for.
        let is_asked = || {
            game.attributes
                .iter()
                .any(|attribute| attribute.table.as_ref() == Some(name))
        };
        match met.get(name.as_str()) {
            Some(rows) => {
                let mut table = table.clone();
                if let Some(rows) = rows {
                    let others: Vec<usize> = table.rows().filter(|row| !rows.contains(row)).collect();
                    others.into_iter().for_each(|row| table.remove(row, 0));
                }
                part.tables.insert(name.clone(), table);
            }
            None if is_asked() => drop(part.tables.insert(name.clone(), table.clone())),
            None => {}
        }
    }
    let mut sink = Sink::default();
    schema::judge_records(game, &part, headers, &mut sink);
    let is_error = |fault: &Diagnostic| fault.rule.severity == Severity::Error;
    sink.into_found().into_iter().filter(is_error).collect()
}

/// Where the rows of a table begin, in order.
type Places = Vec<(FileId, u32, usize)>;

fn places_of(table: &Table) -> Places {
    let place = |row: usize| {
        let span = table.row_span(row);
        (span.file, span.start, row)
    };
    let mut places: Places = table.rows().map(place).collect();
    places.sort_unstable();
    places
}

/// Whether a fault of the data explains that an entry does not find what it expects.
fn is_cause(table: &Table, places: &Places, failure: &Failure, fault: &Diagnostic) -> bool {
    let Some(at) = fault.span else {
        return false;
    };
    // A column that the header does not name is empty in every row.
    let is_of_header = matches!(fault.rule.code, "unknown-field" | "missing-column");
    if is_of_header {
        let file = failure.row.map(|row| table.row_span(row).file);
        let lacks = |column: &String| table.column(column).is_none();
        return file.is_none_or(|file| file == at.file) && failure.columns.iter().any(lacks);
    }
    let next = places.partition_point(|(file, start, _)| (*file, *start) <= (at.file, at.start));
    let Some((_, _, row)) = next.checked_sub(1).map(|before| places[before]) else {
        return false;
    };
    let whole = table.row_span(row);
    let touches = |span: Span| span.file == at.file && at.start <= span.end && span.start <= at.end;
    failure.row.is_none_or(|met| met == row)
        && touches(whole)
        && failure
            .columns
            .iter()
            .any(|column| match table.field(row, column) {
                Some(datum) => datum.edit.is_none() && touches(datum.span) && at != whole,
                // What is missing has no place of its own.
                None => fault.message.contains(&format!("`{column}`")),
            })
}

/// The fault of a cell that looks like what the entry expects, and is another text all the same.
fn looks_alike(records: &Records, failure: &Failure) -> Option<Diagnostic> {
    let table: &Table = records.table(&failure.table)?;
    let (row, was, column) = (failure.row?, failure.was.as_deref()?, failure.columns.first()?);
    let datum = table.field(row, column)?;
    let text = datum.value.text().filter(|_| datum.edit.is_none())?;
    let subject = match table.text(row, "id").filter(|_| column != "id") {
        Some(id) => format!("`{column}` of `{id}`"),
        None => format!("`{column}`"),
    };
    let hit = std::cell::Cell::new(false);
    let accepts = |value: &str| {
        let is_it = value == was;
        hit.set(hit.get() || is_it);
        is_it
    };
    let found = cell::explain(
        text,
        Wanted::Word,
        &subject,
        datum.span,
        &accepts,
        std::iter::empty(),
    );
    if let Some(found) = found.filter(|_| hit.get()) {
        return Some(found);
    }
    let joined = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let difference = if text.to_lowercase() == was.to_lowercase() {
        "in capitals"
    } else if joined(text) == joined(was) {
        "in blanks"
    } else {
        return None;
    };
    let help = format!(
        "they differ only {difference}: correct the one that is wrong, in the base data or in the entry's `was`"
    );
    Some(failure.diagnostic.clone().help(help))
}
