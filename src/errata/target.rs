//! Which records an entry means.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::Entry;
use crate::record::{Records, Table};
use crate::reference::{Candidate, Found, Index, Named};
use crate::select::{self, Scope, Words};
use crate::selection;

/// What an entry's target was found to mean.
pub enum Targets {
    /// These rows, in order.
    Rows(Vec<usize>),
    /// Nothing; with references that may have been meant.
    Missing(Vec<Candidate>),
}

/// The rows of a table that a target text and a filter mean.
pub fn find(records: &Records, index: &Index, table: &Table, target: Option<&str>, entry: &Entry) -> Targets {
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
        {
            let words = Words::default();
            let scope = Scope {
                records,
                index,
                words: &words,
                side: None,
                taken: None,
            };
            let selected = select::units(scope, &parsed);
            if selected.problems.is_empty() && !selected.rows.is_empty() {
                return Targets::Rows(selected.rows);
            }
        }
        return Targets::Missing(index.suggestions(records, named, text, None, None));
    }
    let rows = by_key(records, index, table, text);
    if rows.is_empty() {
        let keys: Vec<String> = table
            .rows()
            .filter_map(|row| key_column(table).and_then(|column| table.text(row, column)))
            .map(str::to_owned)
            .collect();
        let near = crate::suggest::closest(text, keys.iter().map(String::as_str));
        return Targets::Missing(near.into_iter().map(Candidate::plain).collect());
    }
    Targets::Rows(rows)
}

/// The columns of a table in which a target is looked for.
pub fn columns(table: &Table, target: &str) -> Vec<String> {
    let is_id = target
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    let columns = match Named::of(&table.name) {
        Some(_) if is_id => vec!["id"],
        Some(named) => vec!["name", "abbr", "aliases", named.home_column(), "side"],
        None => key_column(table).into_iter().collect(),
    };
    columns.into_iter().map(str::to_owned).collect()
}

/// The column by which records of a table without names are told apart.
pub fn key_column(table: &Table) -> Option<&'static str> {
    ["id", "formation", "unit"]
        .into_iter()
        .find(|name| table.column(name).is_some())
}

/// The rows of a table without names whose key is a text, or refers to the same record as the text.
fn by_key(records: &Records, index: &Index, table: &Table, text: &str) -> Vec<usize> {
    let Some(column) = key_column(table) else {
        return Vec::new();
    };
    let wanted = index.folder().strict(text);
    let same_text: Vec<usize> = table
        .rows()
        .filter(|row| {
            table
                .text(*row, column)
                .is_some_and(|key| index.folder().strict(key) == wanted)
        })
        .collect();
    let named = match column {
        "formation" => Named::Formations,
        "unit" => Named::Units,
        _ => return same_text,
    };
    if !same_text.is_empty() {
        return same_text;
    }
    let mut meant: BTreeMap<Option<&str>, Found> = BTreeMap::new();
    table
        .rows()
        .filter(|row| {
            let side = table.text(*row, "side");
            let Found::One(wanted) = meant
                .entry(side)
                .or_insert_with(|| index.find(records, named, text, side))
            else {
                return false;
            };
            table
                .text(*row, column)
                .is_some_and(|key| index.find(records, named, key, side) == Found::One(*wanted))
        })
        .collect()
}

fn matches(index: &Index, table: &Table, row: usize, field: &str, wanted: &Json) -> bool {
    let Some(datum) = table.field(row, field) else {
        return false;
    };
    let held = datum.value.to_cell();
    let is = |wanted: &Json| match wanted {
        Json::String(text) => held == *text || index.folder().strict(&held) == index.folder().strict(text),
        other => {
            let other = other.to_string();
            held == other
        }
    };
    match wanted {
        Json::Array(options) => options.iter().any(is),
        one => is(one),
    }
}
