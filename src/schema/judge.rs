//! Judging documents and records by their schemas; `tell` says the misfits in our words.

use std::collections::{BTreeMap, BTreeSet};

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{ValidationError, Validator};
use serde_json::{Map, Value};

use super::alike::Alike;
use super::cells::{Cells, report_apostrophes};
use super::columns::{self, Columns};
use super::rules::{MISSING_FIELD, WRONG_TYPE};
use super::tell::{Subject, escape, pointer_of, shorten, sibling_properties, tell, tell_odd_number};
use super::{place, plain, rows, whole};
use crate::cell;
use crate::diagnostic::{Diagnostic, Sink};
use crate::game::GameFile;
use crate::read::csv::Header;
use crate::read::toml::{Node, NodeValue};
use crate::record::{Borrowed, Records, Table, is_id};
use crate::source::{FileId, Span};
use crate::suggest;

/// The records that did not fit their schema: known to be broken, so that nothing further is said about them.
#[derive(Debug, Default)]
pub struct Broken {
    rows: BTreeSet<(String, usize)>,
    /// Tables with a record whose id cannot be known.
    nameless: BTreeSet<String>,
    /// Whether the columns of a file are not those of its table, so that none of its records can be used.
    hides: bool,
}

impl Broken {
    /// Whether a row is broken.
    pub fn contains(&self, table: &str, row: usize) -> bool {
        !self.rows.is_empty() && self.rows.contains(&(table.to_owned(), row))
    }

    /// Whether an id that no record of a table has may be that of a record whose id cannot be known.
    pub fn may_have_id(&self, table: &str, id: &str) -> bool {
        is_id(id) && self.nameless.contains(table)
    }

    /// The broken rows of a table.
    pub fn rows_of(&self, table: &str) -> impl Iterator<Item = usize> + '_ {
        let all = (table.to_owned(), 0)..=(table.to_owned(), usize::MAX);
        self.rows.range(all).map(|(_, row)| *row)
    }

    /// The tables with a record whose id cannot be known.
    pub fn nameless(&self) -> &BTreeSet<String> {
        &self.nameless
    }

    /// Whether a whole file cannot be used, so that everything that refers to it would be reported.
    pub fn hides_a_file(&self) -> bool {
        self.hides
    }

    /// Remembers a row as broken.
    pub fn insert(&mut self, table: &str, row: usize) {
        self.rows.insert((table.to_owned(), row));
    }
}

/// Judges a document; reports every misfit and says whether there was none.
pub fn judge_document(schema: &Value, json: &Value, node: &Node, file: FileId, sink: &mut Sink) -> bool {
    let validator = compile(schema);
    let mut fits = true;
    let place = |pointer: &str, key: Option<&str>| {
        let span = match key {
            Some(key) => node.key_span(&format!("{pointer}/{}", escape(key))),
            None => node.at(pointer).map(|node| node.span),
        };
        span.unwrap_or(Span::file_start(file))
    };
    fits &= !tell_moments(node, sink);
    let errors: Vec<ValidationError<'_>> = validator.iter_errors(json).collect();
    // A key that is misspelt is missing under its right name; that is one fault.
    let mut misspelt: BTreeSet<(String, &str)> = BTreeSet::new();
    let mut known: Vec<(String, Vec<String>, Vec<String>)> = Vec::new();
    for error in &errors {
        if let ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } = error.kind()
        {
            let names = sibling_properties(schema, &error.schema_path().to_string());
            known.push((pointer_of(error), unexpected.clone(), names));
        }
    }
    for (pointer, unexpected, names) in &known {
        for name in unexpected {
            if let Some(near) = suggest::closest(name, names.iter().map(String::as_str)) {
                misspelt.insert((pointer.clone(), near));
            }
        }
    }
    let mut flat: BTreeSet<String> = BTreeSet::new();
    for error in &errors {
        fits = false;
        let pointer = error.instance_path().to_string();
        // A time without quotes was told of already.
        if let Some(NodeValue::Date(text)) = node.at(&pointer).map(|node| &node.value)
            && text.contains(':')
        {
            continue;
        }
        if let ValidationErrorKind::Required { property } = error.kind()
            && let Some(property) = property.as_str()
            && misspelt.contains(&(pointer.clone(), property))
        {
            continue;
        }
        // Of the entries of a list that should be lists themselves the first is told of.
        if let ValidationErrorKind::Type {
            kind: TypeKind::Single(kind),
        } = error.kind()
            && kind.to_string() == "array"
            && let Some((list, entry)) = pointer.rsplit_once('/')
            && entry.bytes().all(|byte| byte.is_ascii_digit())
            && !flat.insert(list.to_owned())
        {
            continue;
        }
        let subject = Subject::of_document(schema, &pointer);
        if is_flag(error) {
            sink.push(tell_flag(error.instance(), &subject.name, place(&pointer, None)));
            continue;
        }
        tell(error, schema, &pointer, &subject, &place, sink);
    }
    fits
}

/// Whether a value should be one of TOML's own `true` and `false`.
fn is_flag(error: &ValidationError<'_>) -> bool {
    matches!(error.kind(), ValidationErrorKind::Type { kind: TypeKind::Single(kind) } if kind.to_string() == "boolean")
}

/// That a value of a document is neither `true` nor `false`: cells have other words for these.
fn tell_flag(instance: &Value, subject: &str, span: Span) -> Diagnostic {
    let meant = match instance.as_str().and_then(cell::yes_or_no) {
        Some("yes") => "`true`",
        Some(_) => "`false`",
        None => "`true` or `false`",
    };
    Diagnostic::new(
        &WRONG_TYPE,
        span,
        format!("{subject} must be `true` or `false`, not {}", shorten(instance)),
    )
    .note("not `true` or `false`")
    .help(format!("write {meant} without quotes"))
}

/// Reports times of day that stand without quotes, which TOML has of its own: here moments are texts. Says whether there
/// was any.
fn tell_moments(node: &Node, sink: &mut Sink) -> bool {
    match &node.value {
        NodeValue::Date(text) if text.contains(':') => {
            let (day, time) = match text.split_once(['T', 't', ' ']) {
                Some((day, time)) => (Some(day), time),
                None => (None, text.as_str()),
            };
            let clock: String = time.split(':').take(2).collect();
            let found = Diagnostic::new(
                &WRONG_TYPE,
                node.span,
                format!("`{text}` is a time of TOML's own kind; a moment is a text in quotes"),
            )
            .note("without quotes");
            sink.push(match day {
                Some(day) => found
                    .help(format!("write `\"{day} {clock}\"`; `--fix` does it"))
                    .fix(node.span, format!("{day} {clock}")),
                None => found.help(format!(
                    "write the day and the time in quotes, such as `\"1863-07-01 {clock}\"`"
                )),
            });
            true
        }
        // Each is told, so that the first does not end it.
        NodeValue::List(items) => items.iter().filter(|item| tell_moments(item, sink)).count() > 0,
        NodeValue::Table(entries) => {
            let told = entries.iter().filter(|entry| match &entry.value.value {
                // A day is wanted, and nothing of the time.
                NodeValue::Date(text) if entry.key == "date" && text.contains(':') => {
                    let day = text.split(['T', 't', ' ']).next().unwrap_or_default();
                    let found = Diagnostic::new(
                        &WRONG_TYPE,
                        entry.value.span,
                        format!("`{text}` is a day with a time; `date` is a day alone"),
                    )
                    .note("with a time");
                    sink.push(if day.contains('-') {
                        found
                            .help(format!("write `{day}`; `--fix` does it"))
                            .fix(entry.value.span, day)
                    } else {
                        found.help("write it as `1863-07-01`")
                    });
                    true
                }
                _ => tell_moments(&entry.value, sink),
            });
            told.count() > 0
        }
        _ => false,
    }
}

/// Judges the records of every table; reports every misfit and returns the records that have any.
pub fn judge_records(
    game: &GameFile,
    records: &Records,
    headers: &BTreeMap<String, Vec<Header>>,
    sink: &mut Sink,
) -> Broken {
    let mut broken = Broken {
        hides: columns::swapped_by_references(game, records, headers, sink),
        ..Broken::default()
    };
    for table in records.tables.values() {
        let schema = rows::schema(game, &table.name);
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
            continue;
        };
        let headers = headers.get(&table.name).map_or(&[][..], Vec::as_slice);
        let Columns {
            known: columns,
            unheaded,
            hidden,
            swapped,
        } = columns::judge(table, &schema, properties, headers, sink);
        broken.hides |= hidden;
        if swapped {
            // No cell stands where it should.
            continue;
        }
        let validator = compile(&schema);
        let supplement = game.supplements.iter().find(|def| def.name == table.name);
        let remarks = supplement.map_or(Vec::new(), |def| def.remarks.iter().map(String::as_str).collect());
        let special = place::special(game, &table.name);
        let lookups = lookups(game, records);
        let plain = plain::rows(table, &schema, properties, &columns, &remarks, &special, &lookups);
        let attributes = game.attributes.iter().map(|def| def.name.as_str());
        let attributes = attributes.filter(|name| properties.contains_key(*name)).collect();
        let mut cells = Cells::new(table, &schema, properties, &columns, remarks, attributes, lookups)
            .labelled(labels(game));
        let mut alike = Alike::default();
        for row in table.rows().filter(|row| !plain[*row]) {
            if table.row(row).unsound {
                // What is wrong with it was said when it was read.
                broken.insert(&table.name, row);
                if !table.text(row, "id").is_some_and(is_id) {
                    broken.nameless.insert(table.name.clone());
                }
                continue;
            }
            let value = to_json(table, row, &columns);
            let name = || {
                let id = table.text(row, "id").or_else(|| table.text(row, "formation"));
                id.map_or(String::new(), |id| format!(" of `{id}`"))
            };
            if validator.is_valid(&value) {
                if cells.scan(row, &[], &name(), sink) {
                    broken.insert(&table.name, row);
                } else {
                    place::tell(game, table, row, &[], sink);
                }
                continue;
            }
            broken.insert(&table.name, row);
            let name = name();
            let errors: Vec<ValidationError<'_>> = validator.iter_errors(&value).collect();
            let file = table.row_span(row).file;
            if table.text(row, "id").is_none() || errors.iter().any(|error| pointer_of(error) == "/id") {
                broken.nameless.insert(table.name.clone());
            }
            if errors.iter().any(is_about_cell) {
                let subject = match table.text(row, "id") {
                    Some(id) => format!("`{id}`"),
                    None => "a row".to_owned(),
                };
                if let Some(found) = cells.shifted(row, &validator, &subject) {
                    sink.push(found);
                    continue;
                }
            }
            let mut told: Vec<String> = Vec::new();
            let mut lacking: Vec<String> = Vec::new();
            let place = |pointer: &str, key: Option<&str>| {
                let field = key.unwrap_or(pointer.trim_start_matches('/'));
                let field = field.split('/').next().unwrap_or("");
                table.span(row, field)
            };
            for error in errors {
                let pointer = error.instance_path().to_string();
                if let ValidationErrorKind::Required { property } = error.kind()
                    && let Some(property) = property.as_str()
                {
                    if unheaded.contains(&(file, property.to_owned())) {
                        continue;
                    }
                    lacking.push(property.to_owned());
                    continue;
                }
                let field = pointer.trim_start_matches('/');
                if let Some((list, item)) = field.split_once('/')
                    && is_about_cell(&error)
                    && let Ok(item) = item.parse()
                {
                    told.push(list.to_owned());
                    if let Some(found) = cells.explain_item(row, list, item, &format!("`{list}`{name}")) {
                        sink.push(found);
                        continue;
                    }
                }
                if is_about_cell(&error) && !field.contains('/') && properties.contains_key(field) {
                    if told.iter().any(|other| other == field) {
                        continue;
                    }
                    told.push(field.to_owned());
                    if let Some(found) = cells.explain(row, field, &subject_of(field, &name)) {
                        sink.push(found);
                        continue;
                    }
                }
                let field = field.split('/').next().unwrap_or(field);
                let subject = match field {
                    "" => match table.text(row, "id") {
                        Some(id) => format!("`{id}`"),
                        None => format!("a record of `{}`", table.name),
                    },
                    field => subject_of(field, &name),
                };
                if let Some(found) = tell_odd_number(&error, &subject, place(&pointer, None)) {
                    sink.push(found);
                    continue;
                }
                let is_declared = game.attributes.iter().any(|attribute| {
                    attribute.name == field
                        && properties.contains_key(field)
                        && attribute.of.table() == table.name
                });
                let datum = table.field(row, field);
                let subject = Subject {
                    kind: subject.clone(),
                    name: subject,
                    in_cell: datum.is_some_and(|datum| matches!(datum.value, Borrowed::Raw(_))),
                    may_be_empty: !required(&schema).any(|name| name == field),
                    attribute: is_declared.then(|| field.to_owned()),
                };
                let mut found = Sink::default();
                tell(&error, &schema, &pointer, &subject, &place, &mut found);
                let value = error.instance().to_string();
                alike.take(field, &value, &subject.name, found, sink);
            }
            if !lacking.is_empty() {
                sink.push(lacks(table, row, &lacking, headers));
            }
            cells.scan(row, &told, &name, sink);
            place::tell(game, table, row, &told, sink);
        }
        alike.report(sink);
        report_apostrophes(&cells.report_unseen(sink), sink);
    }
    broken
}

/// How messages name a field of a record; `of` names the record. An id that is wrong names nothing.
pub(super) fn subject_of(field: &str, of: &str) -> String {
    match field {
        "id" => "an `id`".to_owned(),
        field => format!("`{field}`{of}"),
    }
}

/// What is said of a record that lacks what every record of its table has: at the empty cell, or of the row as a whole
/// where it is cut short.
fn lacks(table: &Table, row: usize, lacking: &[String], headers: &[Header]) -> Diagnostic {
    let names: Vec<&str> = lacking.iter().map(String::as_str).collect();
    let names = suggest::quoted(&names);
    let id = table.text(row, "id");
    let whole = table.row_span(row);
    let column = |name: &String| table.column(name);
    let places: Vec<Span> = lacking
        .iter()
        .filter_map(|name| table.place(row, column(name)?))
        .collect();
    let of_file: Vec<&Header> = headers
        .iter()
        .filter(|header| header.span.file == whole.file)
        .collect();
    let is_here = |header: &&&Header| column(&header.name).is_some_and(|at| table.place(row, at).is_some());
    let here = of_file.iter().filter(is_here).count();
    let is_headed = lacking
        .iter()
        .any(|name| of_file.iter().any(|header| header.name == *name));
    if places.is_empty() && is_headed {
        let subject = id.map_or_else(|| "a row".to_owned(), |id| format!("the row of `{id}`"));
        let cells = if here == 1 { "cell" } else { "cells" };
        return Diagnostic::new(
            &MISSING_FIELD,
            whole,
            format!(
                "{subject} has {here} {cells}, where the header names {}: it has no {names}",
                of_file.len()
            ),
        )
        .note("too short")
        .help("it was cut off, or a line was broken: fill the missing cells");
    }
    let subject = match id {
        Some(id) => format!("`{id}`"),
        None => format!("a record of `{}`", table.name),
    };
    let missing = if lacking.len() == 1 { "is" } else { "are" };
    let mut found = Diagnostic::new(
        &MISSING_FIELD,
        places.first().copied().unwrap_or(whole),
        format!("{subject} has no {names}"),
    )
    .note(format!("{names} {missing} missing"));
    for place in places.iter().skip(1).take(3) {
        found = found.label(*place, "and here");
    }
    found.help(match (places.len(), lacking) {
        (0, [one]) => format!("add `{one} = …`: every record of `{}` has it", table.name),
        (0, _) => format!("add them: every record of `{}` has them", table.name),
        (1, [one]) if one == "id" => "write an `id` of its own in this cell, such as `usa-105-pa`".to_owned(),
        (1, [one]) => format!(
            "write its `{one}` in this cell: every record of `{}` has one",
            table.name
        ),
        _ => format!("fill these cells: every record of `{}` has them", table.name),
    })
}

/// The ids that the values of attributes may be, by the attributes' names.
fn lookups<'g>(game: &'g GameFile, records: &'g Records) -> BTreeMap<&'g str, BTreeSet<&'g str>> {
    let attributes = game.attributes.iter();
    attributes
        .filter_map(|attribute| {
            let table = records.table(attribute.table.as_deref()?)?;
            let ids = table.rows().filter_map(|row| table.text(row, "id"));
            Some((attribute.name.as_str(), ids.collect()))
        })
        .collect()
}

/// What the columns of attributes are called and counted in.
fn labels(game: &GameFile) -> BTreeMap<&str, Vec<&str>> {
    let mut labels: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for attribute in &game.attributes {
        let known = labels.entry(&attribute.name).or_default();
        known.push(&attribute.label);
        known.extend(attribute.unit.as_deref());
    }
    labels
}

/// Whether a misfit is that of one cell's text, which a damaged cell may explain.
fn is_about_cell(error: &ValidationError<'_>) -> bool {
    matches!(
        error.kind(),
        ValidationErrorKind::Type { .. }
            | ValidationErrorKind::Enum { .. }
            | ValidationErrorKind::Constant { .. }
            | ValidationErrorKind::AnyOf { .. }
            | ValidationErrorKind::OneOfNotValid { .. }
            | ValidationErrorKind::Pattern { .. }
            | ValidationErrorKind::Format { .. }
    )
}

/// The fields that a schema demands.
pub(super) fn required(schema: &Value) -> impl Iterator<Item = &str> {
    let names = schema.get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str)
}

/// What a column holds, according to the schema.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnType {
    Text,
    Integer,
    Number,
    Boolean,
    List,
}

/// A row as JSON: what stands in a column of numbers becomes a number if it reads as one and stays text if it does not,
/// so that the schema refuses it at the cell.
fn to_json(table: &Table, row: usize, columns: &[(usize, String, ColumnType)]) -> Value {
    let mut fields = Map::new();
    for (index, name, kind) in columns {
        let Some(datum) = table.get(row, *index) else {
            continue;
        };
        if datum.value.is_unknown() {
            continue;
        }
        let value = match (datum.value, kind) {
            (Borrowed::Raw(text), kind) => from_text(text, *kind),
            (Borrowed::Typed(crate::record::Value::Text(text)), kind) => from_text(text, *kind),
            (Borrowed::Typed(value), _) => typed(value),
        };
        fields.insert(name.clone(), value);
    }
    Value::Object(fields)
}

/// A row as JSON with the types that its table's schema gives, for records that become typed values.
pub fn to_plain_json(schema: &Value, table: &Table, row: usize) -> Value {
    let empty = Map::new();
    let properties = schema
        .get("properties")
        .and_then(Value::as_object)
        .unwrap_or(&empty);
    let columns: Vec<(usize, String, ColumnType)> = table
        .columns()
        .iter()
        .enumerate()
        .filter_map(|(index, name)| Some((index, name.clone(), column_type(properties.get(name)?))))
        .collect();
    to_json(table, row, &columns)
}

pub(super) fn column_type(property: &Value) -> ColumnType {
    match property.get("type").and_then(Value::as_str) {
        Some("integer") => ColumnType::Integer,
        Some("number") => ColumnType::Number,
        Some("boolean") => ColumnType::Boolean,
        Some("array") => ColumnType::List,
        _ => ColumnType::Text,
    }
}

pub(super) fn from_text(text: &str, kind: ColumnType) -> Value {
    match kind {
        ColumnType::Integer => text
            .parse::<i64>()
            .map_or_else(|_| Value::from(text), Value::from),
        ColumnType::Number => match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Value::from(number),
            _ => Value::from(text),
        },
        ColumnType::Boolean => match text {
            "yes" | "true" => Value::from(true),
            "no" | "false" => Value::from(false),
            _ => Value::from(text),
        },
        ColumnType::List => Value::from(Borrowed::Raw(text).list()),
        ColumnType::Text => Value::from(text),
    }
}

fn typed(value: &crate::record::Value) -> Value {
    use crate::record::Value as Held;
    match value {
        Held::Text(text) => Value::from(&**text),
        Held::Integer(number) => Value::from(*number),
        Held::Number(number) => Value::from(*number),
        Held::Boolean(flag) => Value::from(*flag),
        Held::List(items) => Value::from(items.iter().map(typed).collect::<Vec<_>>()),
        Held::Table(fields) => Value::Object(
            fields
                .iter()
                .map(|(name, value)| (name.clone(), typed(value)))
                .collect(),
        ),
    }
}

/// The schemas are made by this program, so one that does not compile is a fault of the program; it then judges nothing
/// valid, which is seen at once.
pub(super) fn compile(schema: &Value) -> Validator {
    let mut schema = schema.clone();
    whole::demand(&mut schema);
    whole::teach(jsonschema::draft202012::options())
        .should_validate_formats(true)
        .build(&schema)
        .unwrap_or_else(|error| {
            debug_assert!(false, "schema does not compile: {error}");
            jsonschema::validator_for(&Value::Bool(false)).unwrap_or_else(|_| unreachable!())
        })
}

/// The validator of one property, which may refer to the definitions of the schema around it.
pub(super) fn compile_alone(property: &Value, definitions: Option<&Value>) -> Validator {
    let mut alone = property.clone();
    if let (Value::Object(fields), Some(definitions)) = (&mut alone, definitions) {
        fields.insert("$defs".into(), definitions.clone());
    }
    compile(&alone)
}
