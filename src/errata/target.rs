//! Which records an entry means.

use serde_json::Value as Json;

use super::Entry;
use crate::record::{Records, Table};
use crate::reference::{Found, Index, Named};
use crate::selection;
use crate::select;

/// What an entry's target was found to mean.
pub enum Targets {
    /// These rows, in order.
    Rows(Vec<usize>),
    /// Nothing; with references that may have been meant.
    Missing(Vec<String>),
}

/// The rows of a table that a target text and a filter mean.
pub fn find(
    records: &Records,
    index: &Index,
    table: &Table,
    target: Option<&str>,
    entry: &Entry,
) -> Targets {
    let mut rows = match target {
        None => table.rows().collect(),
        Some(text) => match by_text(records, index, table, text) {
            Targets::Rows(rows) => rows,
            missing => return missing,
        },
    };
    rows.retain(|row| {
        entry
            .filter
            .iter()
            .all(|(field, wanted)| matches(index, table, *row, field, wanted))
    });
    if rows.is_empty() {
        return Targets::Missing(Vec::new());
    }
    Targets::Rows(rows)
}

fn by_text(records: &Records, index: &Index, table: &Table, text: &str) -> Targets {
    if let Some(named) = Named::of(&table.name) {
        match index.find(records, named, text, None) {
            Found::One(row) => return Targets::Rows(vec![row]),
            Found::Many(rows) => return Targets::Rows(rows),
            Found::None => {}
        }
        if named == Named::Units
            && let Ok(parsed) = selection::parse(text)
            && let Ok(rows) = select::units(records, index, &parsed, None)
            && !rows.is_empty()
        {
            return Targets::Rows(rows);
        }
        return Targets::Missing(index.suggestions(records, named, text, None));
    }
    let rows: Vec<usize> = table
        .rows()
        .filter(|row| key_matches(records, index, table, *row, text))
        .collect();
    if rows.is_empty() {
        let keys: Vec<String> = table
            .rows()
            .filter_map(|row| key_column(table).and_then(|column| table.text(row, column)))
            .map(str::to_owned)
            .collect();
        let near = crate::suggest::closest(text, keys.iter().map(String::as_str));
        return Targets::Missing(near.into_iter().map(str::to_owned).collect());
    }
    Targets::Rows(rows)
}

/// The column by which records of a table without names are told apart.
pub fn key_column(table: &Table) -> Option<&'static str> {
    ["id", "formation", "unit"]
        .into_iter()
        .find(|name| table.column(name).is_some())
}

fn key_matches(records: &Records, index: &Index, table: &Table, row: usize, text: &str) -> bool {
    let Some(column) = key_column(table) else {
        return false;
    };
    let Some(key) = table.text(row, column) else {
        return false;
    };
    if key == text || index.folder().strict(key) == index.folder().strict(text) {
        return true;
    }
    let named = match column {
        "formation" => Named::Formations,
        "unit" => Named::Units,
        _ => return false,
    };
    let side = table.text(row, "side");
    match (
        index.find(records, named, key, side),
        index.find(records, named, text, side),
    ) {
        (Found::One(a), Found::One(b)) => a == b,
        _ => false,
    }
}

fn matches(index: &Index, table: &Table, row: usize, field: &str, wanted: &Json) -> bool {
    let Some(datum) = table.field(row, field) else {
        return false;
    };
    let held = datum.value.to_cell();
    let is = |wanted: &Json| match wanted {
        Json::String(text) => held == *text || index.folder().strict(&held) == index.folder().strict(text),
        other => held == other.to_string(),
    };
    match wanted {
        Json::Array(options) => options.iter().any(is),
        one => is(one),
    }
}
