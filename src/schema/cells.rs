//! Cells of a table that do not fit, and cells that fit and were damaged all the same: what a table knows that a cell
//! alone does not, such as the cell above, the column beside and how often something is found.

mod apostrophes;
mod parts;

use std::collections::{BTreeMap, BTreeSet};

use jsonschema::Validator;
use jsonschema::error::ValidationErrorKind;
use serde_json::{Map, Value};

use super::judge::{ColumnType, compile_alone, from_text, required, subject_of};
use crate::cell::{self, Unseen, Wanted};
use crate::diagnostic::{Diagnostic, Fix, Sink};
use crate::record::{Borrowed, Table, UNKNOWN};
use crate::source::{FileId, Span};

pub(super) use apostrophes::report_apostrophes;
use parts::{items, joined};

/// Columns for remarks: anything may stand there.
const REMARKS: [&str; 2] = ["note", "source"];

/// Columns that name records, of which none begins with an apostrophe.
const REFERENCES: [&str; 8] = [
    "formation",
    "parent",
    "side",
    "kind",
    "commands",
    "of",
    "unit",
    "units",
];

/// A cell with characters that cannot be seen.
struct Hidden {
    kind: Unseen,
    span: Span,
    cleaned: String,
}

/// Names with straight and with curly apostrophes: where they stand, and how they read with straight ones.
pub(super) type Apostrophes = [Vec<(Span, String)>; 2];

/// The cells of a table, looked at one after the other.
pub(super) struct Cells<'t> {
    table: &'t Table,
    /// What the schemas of single properties refer to.
    definitions: Option<&'t Value>,
    properties: &'t Map<String, Value>,
    columns: &'t [(usize, String, ColumnType)],
    required: Vec<&'t str>,
    remarks: Vec<&'t str>,
    /// The columns of attributes, in which `?` may stand.
    attributes: Vec<&'t str>,
    /// The ids that columns may hold whose values are ids of another table.
    lookups: BTreeMap<&'t str, BTreeSet<&'t str>>,
    /// What the columns of attributes are called and counted in.
    labels: BTreeMap<&'t str, Vec<&'t str>>,
    validators: BTreeMap<&'t str, Validator>,
    /// Characters that cannot be seen, by file and column.
    unseen: BTreeMap<(FileId, usize), Vec<Hidden>>,
    /// Names with straight and with curly apostrophes.
    apostrophes: Apostrophes,
    /// The last ditto mark of each column, as a row, with what stands above it.
    dittos: Vec<Option<(usize, Option<&'t str>)>>,
}

impl<'t> Cells<'t> {
    /// The cells of a table of this schema with these columns; `remarks` are further columns for remarks, `lookups`
    /// the columns that hold ids of another table, with these.
    pub(super) fn new(
        table: &'t Table,
        schema: &'t Value,
        properties: &'t Map<String, Value>,
        columns: &'t [(usize, String, ColumnType)],
        remarks: Vec<&'t str>,
        attributes: Vec<&'t str>,
        lookups: BTreeMap<&'t str, BTreeSet<&'t str>>,
    ) -> Self {
        Cells {
            table,
            definitions: schema.get("$defs"),
            properties,
            columns,
            required: required(schema).collect(),
            remarks,
            attributes,
            lookups,
            labels: BTreeMap::new(),
            validators: BTreeMap::new(),
            unseen: BTreeMap::new(),
            apostrophes: [Vec::new(), Vec::new()],
            dittos: vec![None; columns.len()],
        }
    }

    /// Says what the columns of attributes are called and counted in.
    pub(super) fn labelled(mut self, labels: BTreeMap<&'t str, Vec<&'t str>>) -> Self {
        self.labels = labels;
        self
    }

    /// Why the text in a cell does not fit, if a program or a habit of typists explains it.
    pub(super) fn explain(&mut self, row: usize, field: &str, subject: &str) -> Option<Diagnostic> {
        let place = self.columns.iter().position(|(_, name, _)| name == field)?;
        let (index, name, kind) = &self.columns[place];
        let datum = self.table.get(row, *index)?;
        let text = datum.value.text()?;
        if cell::is_ditto(text) {
            let above = self.above(row, place);
            return Some(cell::explain_ditto(text, above, subject, datum.span));
        }
        let wanted = match kind {
            ColumnType::Integer => Wanted::Integer,
            ColumnType::Number => Wanted::Number,
            _ => Wanted::Word,
        };
        self.prepare(name);
        if matches!(wanted, Wanted::Integer | Wanted::Number)
            && let Some(found) = self.number_and_words(row, place, text, subject, datum.span)
        {
            return Some(found);
        }
        let validator = self.validators.get(name.as_str())?;
        let required = self.is_required(name);
        let accepts = |value: &str| {
            if value.is_empty() {
                return !required;
            }
            validator.is_valid(&from_text(value, *kind))
        };
        if let Some(found) = cell::explain(text, wanted, subject, datum.span, &accepts, std::iter::empty()) {
            return Some(self.or_unknown(name, found));
        }
        let neighbours = [place.checked_add(1), place.checked_sub(1)];
        for beside in neighbours.into_iter().flatten() {
            if let Some((index, name, kind)) = self.columns.get(beside)
                && self.table.get(row, *index).is_none()
            {
                self.prepare(name);
                if self.suits(name, *kind, text) {
                    return Some(cell::explain_shifted(text, subject, name, datum.span));
                }
            }
        }
        None
    }

    /// Whether all cells of a row from some column on stand one column too far to the left or right: then the row has
    /// one fault, not many.
    pub(super) fn shifted(&mut self, row: usize, validator: &Validator, subject: &str) -> Option<Diagnostic> {
        for (_, name, _) in self.columns {
            self.prepare(name);
        }
        let values: Vec<Option<&str>> = self
            .columns
            .iter()
            .map(|(index, _, _)| match self.table.get(row, *index)?.value {
                Borrowed::Raw(text) => Some(text),
                Borrowed::Typed(value) => match value {
                    crate::record::Value::Text(text) => Some(&**text),
                    _ => None,
                },
            })
            .collect();
        // Keys do not shift: only cells of a row in a CSV file do.
        let is_raw = |(index, _, _): &(usize, String, ColumnType)| {
            let datum = self.table.get(row, *index);
            datum.is_some_and(|datum| matches!(datum.value, Borrowed::Raw(_)))
        };
        if !self.columns.iter().any(is_raw) {
            return None;
        }
        let fits = |values: &[Option<&str>]| {
            let mut fields = Map::new();
            for ((_, name, kind), value) in self.columns.iter().zip(values) {
                if let Some(value) = value
                    && *value != UNKNOWN
                {
                    fields.insert(name.clone(), from_text(value, *kind));
                }
            }
            // What the shift leaves empty is told when the row is in place again.
            validator
                .iter_errors(&Value::Object(fields))
                .all(|error| matches!(error.kind(), ValidationErrorKind::Required { .. }))
        };
        // How many cells hold what only their own column takes: it must grow, since texts fit nearly everywhere.
        let suiting = |values: &[Option<&str>]| {
            let cells = self.columns.iter().zip(values);
            cells
                .filter(|((_, name, kind), value)| value.is_some_and(|value| self.suits(name, *kind, value)))
                .count()
        };
        let strangers = |values: &[Option<&str>]| {
            self.columns.iter().zip(values).any(|((_, name, _), value)| {
                let known = self.lookups.get(name.as_str());
                known.is_some_and(|known| value.is_some_and(|value| !known.contains(value)))
            })
        };
        let before = suiting(&values);
        let count = values.len();
        let mut best: Option<(usize, usize, &str)> = None;
        let mut consider = |shifted: &[Option<&str>], from: usize, side: &'static str| {
            let score = suiting(shifted);
            // Of equal ones the last moves the fewest cells.
            if score > before
                && best.is_none_or(|(other, _, _)| score >= other)
                && !strangers(shifted)
                && fits(shifted)
            {
                best = Some((score, from, side));
            }
        };
        for from in 0..count.saturating_sub(1) {
            if values[from..].iter().flatten().count() < 2 {
                break;
            }
            // A cell too few before them, or one too many.
            if values[count - 1].is_none() {
                let mut right = values.clone();
                right[from..].rotate_right(1);
                consider(&right, from, "left");
            }
            if values[from].is_none() {
                let mut left = values.clone();
                left[from..].rotate_left(1);
                consider(&left, from + 1, "right");
            }
        }
        let (_, from, side) = best?;
        self.tell_shifted(row, from, side, subject)
    }

    fn tell_shifted(&self, row: usize, from: usize, side: &str, subject: &str) -> Option<Diagnostic> {
        let (index, name, _) = self.columns[from..]
            .iter()
            .find(|(index, _, _)| self.table.get(row, *index).is_some())?;
        let datum = self.table.get(row, *index)?;
        let cure = if side == "left" {
            "insert an empty cell before it"
        } else {
            "remove the empty cell before it"
        };
        Some(
            Diagnostic::new(
                &cell::SHIFTED_CELL,
                datum.span,
                format!("the cells of {subject} from `{name}` on stand one column too far to the {side}"),
            )
            .note("the first of them")
            .help(format!("{cure}: then the values fit their columns")),
        )
    }

    /// Looks at the cells of a row that fit, or were not yet told of; says whether one is damaged.
    pub(super) fn scan(&mut self, row: usize, told: &[String], subject: &str, sink: &mut Sink) -> bool {
        let mut damaged = false;
        for (place, (index, name, kind)) in self.columns.iter().enumerate() {
            let Some(datum) = self.table.get(row, *index) else {
                continue;
            };
            let Some(text) = datum.value.text() else {
                continue;
            };
            if told.contains(name) {
                continue;
            }
            let is_remark = is_remark(name, &self.remarks);
            // An id of another table is told of as a value of a list is.
            if let Some(known) = self.lookups.get(name.as_str())
                && !known.contains(text)
                && let Some(found) = cell::explain(
                    text,
                    Wanted::Word,
                    &format!("`{name}`{subject}"),
                    datum.span,
                    &|value| known.contains(value) || (value.is_empty() && !self.is_required(name)),
                    std::iter::empty(),
                )
            {
                sink.push(found);
                damaged = true;
                continue;
            }
            if let Some((kind, cleaned)) = cell::unseen(text) {
                let mut span = datum.span;
                if let Some(at) = cell::control_between(text) {
                    // An unescaped text is no slice of its file.
                    if (span.end - span.start) as usize == text.len() {
                        span.start += at as u32;
                        span.end = span.start + text[at..].chars().next().map_or(0, char::len_utf8) as u32;
                    }
                    let subject = format!("a cell of `{name}`");
                    sink.push(cell::explain_control(text, at, &subject, span));
                } else {
                    let places = self.unseen.entry((span.file, *index)).or_default();
                    places.push(Hidden { kind, span, cleaned });
                }
            }
            if is_remark {
                continue;
            }
            if is_name(name) {
                for (which, c) in ['\'', '’'].into_iter().enumerate() {
                    if text.contains(c) {
                        self.apostrophes[which].push((datum.span, text.replace('’', "'")));
                    }
                }
            }
            let subject = subject_of(name, subject);
            let found = if cell::is_ditto(text) {
                let above = self.above(row, place);
                Some(cell::explain_ditto(text, above, &subject, datum.span))
            } else {
                // Ids may be dates by chance (`1-mar`), but no person writes one with a capital letter in its middle.
                let is_id = name == "id" && text.contains(|c: char| c.is_uppercase()) && text.contains('-');
                if matches!(kind, ColumnType::List) {
                    let items = items(text);
                    let damage = items.iter().enumerate().find_map(|(item, text)| {
                        let whole = |value: &str| joined(&items, item, value);
                        cell::explain_item(text, name == "aliases", &subject, datum.span, &whole)
                    });
                    if let Some(found) = damage {
                        sink.push(found);
                        damaged = true;
                    }
                    continue;
                }
                if !matches!(kind, ColumnType::Text) && !is_id {
                    continue;
                }
                let is_name = is_id || is_name(name) || name == "set";
                // No schema demands a day, and in a calendar of days no moment is without one.
                let optional = !self.is_required(name) && name != "day";
                let is_reference = text.starts_with('\'') && (is_id || REFERENCES.contains(&name.as_str()));
                let found = is_reference.then(|| cell::explain_apostrophe(text, &subject, datum.span));
                found
                    .flatten()
                    .or_else(|| cell::explain_text(text, is_name, optional, &subject, datum.span))
            };
            if let Some(found) = found {
                sink.push(self.or_unknown(name, found));
                damaged = true;
            }
        }
        damaged
    }

    /// Reports the characters that cannot be seen: once for each column of a file. Gives the names with straight and with
    /// curly apostrophes.
    pub(super) fn report_unseen(self, sink: &mut Sink) -> Apostrophes {
        for ((_, column), places) in self.unseen {
            let Some(Hidden {
                kind, span: first, ..
            }) = places.first()
            else {
                continue;
            };
            let name = self.table.columns().get(column).map_or("", String::as_str);
            let others = match places.len() {
                1 => String::new(),
                2 => " and one other".to_owned(),
                count => format!(" and {} others", count - 1),
            };
            let mut found = Diagnostic::new(
                &cell::INVISIBLE_CHARACTER,
                *first,
                format!(
                    "a cell of `{name}`{others} hold{} {}",
                    if places.len() == 1 { "s" } else { "" },
                    kind.name()
                ),
            )
            .note(if places.len() == 1 {
                "here"
            } else {
                "the first of them"
            })
            .help(if places.len() == 1 {
                "type it again without; `--fix` does it".to_owned()
            } else {
                format!("type them again without; `--fix` does it in all {}", places.len())
            });
            let mut fixes = places
                .into_iter()
                .map(|hidden| Fix::value(hidden.span, hidden.cleaned));
            found.fix = fixes.next();
            found.further_fixes = fixes.collect();
            sink.push(found);
        }
        self.apostrophes
    }

    /// The value above a ditto mark, in the same file.
    fn above(&mut self, row: usize, place: usize) -> Option<&'t str> {
        let (table, column) = (self.table, self.columns[place].0);
        let file = table.row_span(row).file;
        let mut found = None;
        for above in (0..row).rev().filter(|above| table.row(*above).removed.is_none()) {
            if table.row_span(above).file != file {
                break;
            }
            // A long column of marks is not walked up again for each.
            if let Some((mark, text)) = self.dittos[place]
                && mark == above
            {
                found = text;
                break;
            }
            let text = table.get(above, column).and_then(|datum| datum.value.text());
            if let Some(text) = text.filter(|text| !cell::is_ditto(text)) {
                found = Some(text);
                break;
            }
        }
        self.dittos[place] = Some((row, found));
        found
    }

    /// Offers `?` for what was written for nothing, where it may stand.
    fn or_unknown(&self, name: &str, mut found: Diagnostic) -> Diagnostic {
        if found.rule.code == cell::WRITTEN_NOTHING.code
            && self.attributes.contains(&name)
            && let Some(help) = &mut found.help
        {
            help.push_str("; write `?` where it is known that nobody knows the value");
        }
        found
    }

    fn prepare(&mut self, name: &str) {
        let (properties, definitions) = (self.properties, self.definitions);
        if let Some((name, property)) = properties.get_key_value(name) {
            self.validators
                .entry(name.as_str())
                .or_insert_with(|| compile_alone(property, definitions));
        }
    }

    fn is_required(&self, name: &str) -> bool {
        self.required.contains(&name)
    }

    /// Whether a value fits a column that takes only some texts, so that fitting it means something.
    fn suits(&self, name: &str, kind: ColumnType, text: &str) -> bool {
        if let Some(known) = self.lookups.get(name) {
            return known.contains(text);
        }
        let Some(property) = self.properties.get(name) else {
            return false;
        };
        let is_text = property.get("type").and_then(Value::as_str) == Some("string");
        let is_narrow = kind != ColumnType::List
            && (!is_text || property.get("enum").is_some() || property.get("pattern").is_some());
        let validator = self.validators.get(name);
        is_narrow && validator.is_some_and(|validator| validator.is_valid(&from_text(text, kind)))
    }
}

/// Whether anything may stand in a column; `further` are columns for remarks of one table.
pub(super) fn is_remark(column: &str, further: &[&str]) -> bool {
    REMARKS.contains(&column) || further.contains(&column)
}

/// Whether a column holds names as people write them.
pub(super) fn is_name(column: &str) -> bool {
    matches!(column, "name" | "abbr")
}
