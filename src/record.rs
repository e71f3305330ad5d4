//! Records: what CSV rows and TOML tables become. Overlays edit them, everything later reads them.
//!
//! A table is held compactly: a cell that stands in a file is a pair of offsets into it, and only cells that cannot be
//! a slice of their file (unescaped text, TOML values, what an overlay wrote) own a value. A value always knows the
//! place it came from, and the place travels with the value when an overlay replaces it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::source::{FileId, Span};

/// Which edit of which overlay wrote a value: an index into the list of edits that `errata` keeps.
pub type EditId = u32;

/// A value that is not a plain slice of a CSV file.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// Text.
    Text(Box<str>),
    /// A whole number.
    Integer(i64),
    /// Any other number.
    Number(f64),
    /// Yes or no.
    Boolean(bool),
    /// Several values.
    List(Vec<Value>),
    /// Named values, in source order.
    Table(Vec<(String, Value)>),
}

impl Value {
    /// The value as a CSV cell would hold it.
    pub fn to_cell(&self) -> String {
        match self {
            Value::Text(text) => text.to_string(),
            Value::Integer(number) => number.to_string(),
            Value::Number(number) => number.to_string(),
            Value::Boolean(true) => "yes".into(),
            Value::Boolean(false) => "no".into(),
            Value::List(items) => {
                let cells: Vec<String> = items.iter().map(Value::to_cell).collect();
                cells.join("|")
            }
            Value::Table(fields) => {
                let cells: Vec<String> = fields
                    .iter()
                    .map(|(name, value)| format!("{name}={}", value.to_cell()))
                    .collect();
                cells.join("|")
            }
        }
    }
}

/// A cell as its table holds it.
#[derive(Clone, Copy, Debug)]
enum Cell {
    Absent,
    /// A slice of the row's own file.
    Slice {
        start: u32,
        end: u32,
    },
    /// An index into `Table::held`.
    Held(u32),
}

#[derive(Clone, Debug)]
struct Held {
    value: Value,
    span: Span,
    edit: Option<EditId>,
}

/// A row's place and fate.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    source: u16,
    start: u32,
    end: u32,
    /// Whether the reader reported the row, so that its cells may be others than were meant.
    pub unsound: bool,
    /// The edit that added the row, if an overlay did.
    pub added: Option<EditId>,
    /// The edit that removed the row, if an overlay did.
    pub removed: Option<EditId>,
}

/// What a cell holds: borrowed, with its place.
#[derive(Clone, Copy, Debug)]
pub struct Datum<'t> {
    /// The value.
    pub value: Borrowed<'t>,
    /// Where it stands.
    pub span: Span,
    /// The overlay edit that wrote it, if one did.
    pub edit: Option<EditId>,
}

/// A value borrowed from a table.
#[derive(Clone, Copy, Debug)]
pub enum Borrowed<'t> {
    /// The raw text of a CSV cell: its type is decided by whoever reads it.
    Raw(&'t str),
    /// A typed value.
    Typed(&'t Value),
}

/// The records of one kind, from all files that hold any.
#[derive(Clone, Debug)]
pub struct Table {
    /// The table's name: `units`, `formations`, …
    pub name: String,
    columns: Vec<String>,
    sources: Vec<(FileId, Arc<str>)>,
    rows: Vec<Row>,
    cells: Vec<Cell>,
    held: Vec<Held>,
    /// The rows that overlays removed.
    removed: Vec<usize>,
}

/// All tables of one game, by name.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// The tables.
    pub tables: BTreeMap<String, Table>,
}

impl Records {
    /// The table of a name, if any file holds one.
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.get(name)
    }

    /// The table of a name, made empty where no file holds one.
    pub fn table_mut(&mut self, name: &str) -> &mut Table {
        self.tables
            .entry(name.to_owned())
            .or_insert_with(|| Table::new(name))
    }
}

impl Table {
    /// An empty table.
    pub fn new(name: &str) -> Self {
        Table {
            name: name.to_owned(),
            columns: Vec::new(),
            sources: Vec::new(),
            rows: Vec::new(),
            cells: Vec::new(),
            held: Vec::new(),
            removed: Vec::new(),
        }
    }

    /// The columns, in the order in which they were first met.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The index of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    /// The index of a column, added where it is new.
    pub fn add_column(&mut self, name: &str) -> usize {
        if let Some(index) = self.column(name) {
            return index;
        }
        let old = self.columns.len();
        if !self.rows.is_empty() {
            let mut cells = Vec::with_capacity(self.rows.len() * (old + 1));
            for row in 0..self.rows.len() {
                cells.extend_from_slice(&self.cells[row * old..(row + 1) * old]);
                cells.push(Cell::Absent);
            }
            self.cells = cells;
        }
        self.columns.push(name.to_owned());
        old
    }

    /// Begins a row at a place; its cells are absent until set.
    pub fn add_row(&mut self, file: FileId, text: &Arc<str>, start: usize, end: usize) -> usize {
        let source = match self.sources.iter().rposition(|(id, _)| *id == file) {
            Some(index) => index,
            None => {
                self.sources.push((file, Arc::clone(text)));
                self.sources.len() - 1
            }
        };
        self.rows.push(Row {
            source: source as u16,
            start: start as u32,
            end: end as u32,
            unsound: false,
            added: None,
            removed: None,
        });
        self.cells
            .resize(self.rows.len() * self.columns.len(), Cell::Absent);
        self.rows.len() - 1
    }

    /// Sets a cell to a slice of the row's own file.
    pub fn set_slice(&mut self, row: usize, column: usize, start: usize, end: usize) {
        let index = row * self.columns.len() + column;
        self.cells[index] = Cell::Slice {
            start: start as u32,
            end: end as u32,
        };
    }

    /// Sets a cell to a value of its own.
    pub fn set_value(&mut self, row: usize, column: usize, value: Value, span: Span, edit: Option<EditId>) {
        let index = row * self.columns.len() + column;
        self.cells[index] = Cell::Held(self.held.len() as u32);
        self.held.push(Held { value, span, edit });
    }

    /// Makes a cell absent.
    pub fn clear(&mut self, row: usize, column: usize) {
        let index = row * self.columns.len() + column;
        self.cells[index] = Cell::Absent;
    }

    /// Marks a row whose cells may be others than were meant.
    pub fn mark_unsound(&mut self, row: usize) {
        self.rows[row].unsound = true;
    }

    /// Marks a row as added by an overlay.
    pub fn mark_added(&mut self, row: usize, edit: EditId) {
        self.rows[row].added = Some(edit);
    }

    /// Marks a row as removed by an overlay: it is no longer listed.
    pub fn remove(&mut self, row: usize, edit: EditId) {
        self.rows[row].removed = Some(edit);
        self.removed.push(row);
    }

    /// A row's place and fate.
    pub fn row(&self, row: usize) -> Row {
        self.rows[row]
    }

    /// The span of a whole row.
    pub fn row_span(&self, row: usize) -> Span {
        let row = &self.rows[row];
        Span {
            file: self.sources[row.source as usize].0,
            start: row.start,
            end: row.end,
        }
    }

    /// The rows that no overlay removed.
    pub fn rows(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.rows.len()).filter(|row| self.rows[*row].removed.is_none())
    }

    /// All rows, removed ones included.
    pub fn all_rows(&self) -> std::ops::Range<usize> {
        0..self.rows.len()
    }

    /// The first row that an overlay removed and one of whose names is one that is looked for.
    pub fn removed_named(&self, is_wanted: impl Fn(&str) -> bool) -> Option<usize> {
        let named = |row: &usize| {
            ["id", "name", "abbr"]
                .iter()
                .any(|column| self.text(*row, column).is_some_and(&is_wanted))
        };
        self.removed.iter().copied().filter(named).min()
    }

    /// What a cell holds; `None` where it is absent or empty.
    pub fn get(&self, row: usize, column: usize) -> Option<Datum<'_>> {
        match self.cells[row * self.columns.len() + column] {
            Cell::Absent => None,
            Cell::Slice { start, end } => {
                let (file, text) = &self.sources[self.rows[row].source as usize];
                let raw = text.get(start as usize..end as usize)?;
                (!raw.is_empty()).then_some(Datum {
                    value: Borrowed::Raw(raw),
                    span: Span {
                        file: *file,
                        start,
                        end,
                    },
                    edit: None,
                })
            }
            Cell::Held(index) => {
                let held = &self.held[index as usize];
                if matches!(&held.value, Value::Text(text) if text.is_empty()) {
                    return None;
                }
                Some(Datum {
                    value: Borrowed::Typed(&held.value),
                    span: held.span,
                    edit: held.edit,
                })
            }
        }
    }

    /// The text of a cell, if it is text; of no column there is none.
    pub fn text_in(&self, row: usize, column: Option<usize>) -> Option<&str> {
        self.get(row, column?)?.value.text()
    }

    /// What the cell of a named column holds; `None` where it is absent or empty.
    pub fn field(&self, row: usize, column: &str) -> Option<Datum<'_>> {
        self.get(row, self.column(column)?)
    }

    /// The text of the cell of a named column, if it is text.
    pub fn text(&self, row: usize, column: &str) -> Option<&str> {
        self.field(row, column)?.value.text()
    }

    /// The place of a cell where it has one, empty or not, else of the row.
    pub fn span(&self, row: usize, column: &str) -> Span {
        self.column(column)
            .and_then(|column| self.place(row, column))
            .unwrap_or_else(|| self.row_span(row))
    }

    /// The place of a cell, empty or not; `None` where the row has none in this column.
    pub fn place(&self, row: usize, column: usize) -> Option<Span> {
        match self.cells[row * self.columns.len() + column] {
            Cell::Absent => None,
            Cell::Slice { start, end } => Some(Span {
                file: self.sources[self.rows[row].source as usize].0,
                start,
                end,
            }),
            Cell::Held(index) => Some(self.held[index as usize].span),
        }
    }
}

impl<'t> Borrowed<'t> {
    /// The text, if it is text.
    pub fn text(self) -> Option<&'t str> {
        match self {
            Borrowed::Raw(text) => Some(text),
            Borrowed::Typed(Value::Text(text)) => Some(text),
            Borrowed::Typed(_) => None,
        }
    }

    /// The whole number, if it is one or reads as one.
    pub fn integer(self) -> Option<i64> {
        match self {
            Borrowed::Raw(text) => text.parse().ok(),
            Borrowed::Typed(Value::Integer(number)) => Some(*number),
            Borrowed::Typed(Value::Text(text)) => text.parse().ok(),
            Borrowed::Typed(_) => None,
        }
    }

    /// The value as a CSV cell would hold it.
    pub fn to_cell(self) -> String {
        match self {
            Borrowed::Raw(text) => text.to_owned(),
            Borrowed::Typed(value) => value.to_cell(),
        }
    }

    /// Several texts: a list, or one cell with `|` between them.
    pub fn list(self) -> Vec<String> {
        match self {
            Borrowed::Typed(Value::List(items)) => items.iter().map(Value::to_cell).collect(),
            other => other
                .to_cell()
                .split('|')
                .map(str::trim)
                .filter(|item| !item.is_empty())
                .map(str::to_owned)
                .collect(),
        }
    }

    /// Whether the author says that the value is known to be unknown.
    pub fn is_unknown(self) -> bool {
        self.text() == Some(UNKNOWN)
    }
}

/// Whether a text has the form of ids: lower-case letters, digits and hyphens.
pub fn is_id(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// What an author writes for a value that is known to be unknown.
pub const UNKNOWN: &str = "?";
