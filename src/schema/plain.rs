//! Rows with which nothing is wrong, told from the others without making a JSON value of each: most rows of a large table.
//!
//! A row is plain where every cell fits the schema of its column, none is damaged, and none is missing. What is not plain
//! is judged as a whole, so a row may be left out here for no reason but that it takes a closer look.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jsonschema::Validator;
use serde_json::{Map, Value};

use super::cells::{is_name, is_remark};
use super::judge::{ColumnType, compile_alone, from_text, required};
use crate::cell;
use crate::parallel;
use crate::record::{Borrowed, Table, UNKNOWN};

/// So many texts of a column are remembered as fitting.
const REMEMBERED: usize = 1_024;

/// What makes a schema of rows more than the sum of its columns.
const SIMPLE: [&str; 8] = [
    "$schema",
    "$id",
    "$defs",
    "title",
    "description",
    "type",
    "properties",
    "additionalProperties",
];

struct Column<'t> {
    index: usize,
    kind: ColumnType,
    validator: Validator,
    /// Any text fits.
    is_free: bool,
    is_required: bool,
    is_remark: bool,
    is_name: bool,
    /// Whether only some records may have a value, so that having one takes a closer look.
    is_special: bool,
    /// The ids that the column may hold.
    known: Option<&'t BTreeSet<&'t str>>,
    name: &'t str,
}

/// Says of each row of a table whether it is plain; `special` are columns whose values take a closer look.
pub(super) fn rows(
    table: &Table,
    schema: &Value,
    properties: &Map<String, Value>,
    columns: &[(usize, String, ColumnType)],
    remarks: &[&str],
    special: &[&str],
    lookups: &BTreeMap<&str, BTreeSet<&str>>,
) -> Vec<bool> {
    let len = table.all_rows().len();
    let keywords = schema
        .as_object()
        .map(|schema| schema.keys())
        .into_iter()
        .flatten();
    let is_simple = keywords
        .filter(|keyword| *keyword != "required")
        .all(|keyword| SIMPLE.contains(&keyword.as_str()));
    let needed: Vec<&str> = required(schema).collect();
    let has = |name: &&str| columns.iter().any(|(_, other, _)| other == name);
    if !is_simple || !needed.iter().all(has) {
        return vec![false; len];
    }
    let columns: Vec<Column<'_>> = columns
        .iter()
        .filter_map(|(index, name, kind)| {
            let property = properties.get(name)?;
            Some(Column {
                index: *index,
                kind: *kind,
                validator: compile_alone(property, schema.get("$defs")),
                is_free: *kind == ColumnType::Text && is_free(property),
                is_required: needed.contains(&name.as_str()),
                is_remark: is_remark(name, remarks),
                is_name: is_name(name),
                known: lookups.get(name.as_str()),
                is_special: special.contains(&name.as_str()),
                name,
            })
        })
        .collect();
    let parts = parallel::ranges(len, |range| {
        let mut known: Vec<HashMap<&str, bool>> = vec![HashMap::new(); columns.len()];
        let is_plain = |row: usize| {
            !table.row(row).unsound
                && columns
                    .iter()
                    .zip(&mut known)
                    .all(|(column, known)| column.is_plain(table, row, known))
        };
        range.map(is_plain).collect::<Vec<bool>>()
    });
    parts.into_iter().flatten().collect()
}

/// Whether a property takes any text.
fn is_free(property: &Value) -> bool {
    let keywords = property.as_object().map(|property| property.keys());
    property.get("type").and_then(Value::as_str) == Some("string")
        && keywords
            .into_iter()
            .flatten()
            .all(|keyword| matches!(keyword.as_str(), "type" | "title" | "description"))
}

impl Column<'_> {
    fn is_plain<'t>(&self, table: &'t Table, row: usize, known: &mut HashMap<&'t str, bool>) -> bool {
        let Some(datum) = table.get(row, self.index) else {
            return !self.is_required;
        };
        let Borrowed::Raw(text) = datum.value else {
            return false;
        };
        if let Some(known) = known.get(text) {
            return *known;
        }
        let is_plain = self.takes(text);
        if known.len() < REMEMBERED {
            known.insert(text, is_plain);
        }
        is_plain
    }

    fn takes(&self, text: &str) -> bool {
        if self.is_special || cell::unseen(text).is_some() {
            return false;
        }
        if self.is_remark {
            return self.is_free;
        }
        let is_damaged = match self.kind {
            ColumnType::Text => {
                let is_name = self.is_name || matches!(self.name, "id" | "set");
                cell::is_damaged(text, is_name)
                    || text.starts_with('\'')
                    || self.is_name && text.contains(['\'', '’'])
            }
            ColumnType::List => true,
            ColumnType::Integer | ColumnType::Number | ColumnType::Boolean => false,
        };
        !is_damaged
            && text != UNKNOWN
            && self.known.is_none_or(|known| known.contains(text))
            && !cell::is_ditto(text)
            && (self.is_free || self.validator.is_valid(&from_text(text, self.kind)))
    }
}
