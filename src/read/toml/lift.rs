//! Nested orders of battle to records.

use std::sync::Arc;

use super::rules::{NOT_RECORDS, PARENT_WITHOUT_ID, REFERENCE_TWICE, UNKNOWN_TABLE};
use super::{Entry, Node, NodeValue};
use crate::diagnostic::{Diagnostic, Sink};
use crate::read::shown;
use crate::record::{self, Records};
use crate::source::{FileId, Files, Span};
use crate::suggest;

/// What may stand inside a formation and becomes a record of its own.
struct Nested {
    key: &'static str,
    table: &'static str,
    /// The column that names the formation.
    column: &'static str,
    /// Whether it is a list.
    many: bool,
}

const NESTED: [Nested; 5] = [
    Nested {
        key: "formations",
        table: "formations",
        column: "parent",
        many: true,
    },
    Nested {
        key: "units",
        table: "units",
        column: "formation",
        many: true,
    },
    Nested {
        key: "leaders",
        table: "leaders",
        column: "commands",
        many: true,
    },
    Nested {
        key: "leader",
        table: "leaders",
        column: "commands",
        many: false,
    },
    Nested {
        key: "effectiveness",
        table: "effectiveness",
        column: "formation",
        many: false,
    },
];

/// Turns the document of an order of battle into records. Its top-level keys are names of `tables` and hold arrays of
/// tables.
///
/// Inside a formation, arrays `formations`, `units` and `leaders` and tables `leader` and `effectiveness` are lifted
/// out, recursively: the formation's row comes first, then those of what it holds, depth first. A lifted record's
/// reference to its formation is the formation's id, and its place is that of the id.
pub fn records(
    files: &Files,
    file: FileId,
    root: &Node,
    tables: &[&str],
    records: &mut Records,
    sink: &mut Sink,
) {
    let mut lifter = Lifter {
        file,
        text: files.shared_text(file),
        tables,
        records,
        sink,
    };
    let NodeValue::Table(entries) = &root.value else {
        return;
    };
    for entry in entries {
        match tables.iter().find(|table| **table == entry.key) {
            Some(table) => lifter.list(table, &entry.key, entry, None),
            None => {
                let mut found = Diagnostic::new(
                    &UNKNOWN_TABLE,
                    entry.key_span,
                    format!("{} is no table of an order of battle", shown(&entry.key)),
                );
                found.help = suggest::help(&entry.key, tables);
                lifter.sink.push(found);
            }
        }
    }
}

/// The formation in which a record stands.
struct Parent {
    column: &'static str,
    id: record::Value,
    id_span: Span,
}

struct Lifter<'l> {
    file: FileId,
    text: Arc<str>,
    tables: &'l [&'l str],
    records: &'l mut Records,
    sink: &'l mut Sink,
}

impl Lifter<'_> {
    /// The records of an array of tables.
    fn list(&mut self, table: &str, header: &str, entry: &Entry, parent: Option<&Parent>) {
        let NodeValue::List(items) = &entry.value.value else {
            let (what, help) = match &entry.value.value {
                NodeValue::Table(_) => ("one table", format!("write `[[{header}]]` above each record")),
                _ => ("a single value", format!("write its records as `[[{header}]]`")),
            };
            self.wrong_shape(
                entry.key_span,
                format!("{} is {what}, not a list of records", shown(header)),
                help,
            );
            return;
        };
        for item in items {
            if matches!(item.value, NodeValue::Table(_)) {
                self.row(table, header, item, parent);
            } else {
                self.wrong_shape(
                    item.span,
                    format!("an element of {} is no record", shown(header)),
                    format!(
                        "write it as a table: `[[{header}]]` with a key on each line, or `{{ id = \"…\" }}`"
                    ),
                );
            }
        }
    }

    fn wrong_shape(&mut self, span: Span, headline: String, help: String) {
        self.sink
            .push(Diagnostic::new(&NOT_RECORDS, span, headline).help(help));
    }

    fn nested_of(&self, table: &str, key: &str) -> Option<&'static Nested> {
        (table == "formations")
            .then(|| {
                NESTED
                    .iter()
                    .find(|nested| nested.key == key && self.tables.contains(&nested.table))
            })
            .flatten()
    }

    /// One record, and after it those that it holds.
    fn row(&mut self, table: &str, header: &str, node: &Node, parent: Option<&Parent>) {
        let NodeValue::Table(entries) = &node.value else {
            return;
        };
        let (start, end) = (node.span.start as usize, node.span.end as usize);
        let row = self
            .records
            .table_mut(table)
            .add_row(self.file, &self.text, start, end);
        let mut lifted = Vec::new();
        for entry in entries {
            if let Some(nested) = self.nested_of(table, &entry.key) {
                lifted.push((nested, entry));
                continue;
            }
            if let Some(parent) = parent
                && parent.column == entry.key
            {
                self.sink.push(
                    Diagnostic::new(
                        &REFERENCE_TWICE,
                        entry.key_span,
                        format!(
                            "{} is set although the record stands inside the formation {}",
                            shown(&entry.key),
                            shown(&parent.id.to_cell())
                        ),
                    )
                    .label(parent.id_span, "the formation that it stands in")
                    .help(format!(
                        "remove {}, or move the record out of the formation",
                        shown(&entry.key)
                    )),
                );
                continue;
            }
            self.cell(table, row, &entry.key, entry.value.to_value(), entry.value.span);
        }
        if let Some(parent) = parent {
            self.cell(table, row, parent.column, parent.id.clone(), parent.id_span);
        }
        let Some((_, first)) = lifted.first() else {
            return;
        };
        let id = node
            .get("id")
            .filter(|id| !matches!(&id.value, NodeValue::Text(text) if text.is_empty()));
        let Some(id) = id else {
            self.sink.push(
                Diagnostic::new(
                    &PARENT_WITHOUT_ID,
                    node.span,
                    format!("a formation holds {} but has no id", shown(&first.key)),
                )
                .label(first.key_span, "what it holds, which is not read")
                .help("give the formation an `id`"),
            );
            self.records.table_mut(table).mark_unsound(row);
            return;
        };
        for (nested, entry) in lifted {
            let parent = Parent {
                column: nested.column,
                id: id.to_value(),
                id_span: id.span,
            };
            let header = format!("{header}.{}", nested.key);
            match (&entry.value.value, nested.many) {
                (NodeValue::Table(_), false) => self.row(nested.table, &header, &entry.value, Some(&parent)),
                (_, true) => self.list(nested.table, &header, entry, Some(&parent)),
                (NodeValue::List(_), false) => {
                    let help = if nested.key == "leader" {
                        "name the list `leaders`".to_owned()
                    } else {
                        format!("write one table: `[{header}]`")
                    };
                    self.wrong_shape(
                        entry.key_span,
                        format!("{} is a list, not one record", shown(&header)),
                        help,
                    );
                }
                _ => self.wrong_shape(
                    entry.value.span,
                    format!("{} is a single value, not a record", shown(&header)),
                    format!("write it as a table: `[{header}]` with a key on each line"),
                ),
            }
        }
    }

    fn cell(&mut self, table: &str, row: usize, column: &str, value: record::Value, span: Span) {
        let table = self.records.table_mut(table);
        let column = table.add_column(column);
        table.set_value(row, column, value, span, None);
    }
}
