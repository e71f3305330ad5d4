//! Judging documents and records by their schemas, and saying the misfits in our words.

use std::collections::{BTreeMap, BTreeSet};

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{ValidationError, Validator};
use serde_json::{Map, Value};

use super::alike::Alike;
use super::cells::{Cells, report_apostrophes};
use super::columns::{self, Columns};
use super::{place, plain, rows, whole};
use crate::cell;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::GameFile;
use crate::read::csv::Header;
use crate::read::toml::{Node, NodeValue};
use crate::record::{Borrowed, Records, Table};
use crate::scenario::definition::COUNTS;
use crate::source::{FileId, Span};
use crate::suggest;

/// The rules of this stage.
pub static RULES: &[&Rule] = &[
    &UNKNOWN_FIELD,
    &MISSING_FIELD,
    &MISSING_COLUMN,
    &columns::COLUMNS_SWAPPED,
    &WRONG_TYPE,
    &NOT_A_CHOICE,
    &OUT_OF_RANGE,
    &BAD_FORM,
    &SCHEMA_MISFIT,
    &OUT_OF_PLACE,
];

pub(crate) static UNKNOWN_FIELD: Rule = Rule {
    code: "unknown-field",
    severity: Severity::Error,
    summary: "a column or key that its table does not have",
    explanation: "Every table has fixed columns, completed by the attributes that `game.toml` declares. A column that is \
                  neither is most often a misspelling: `formaton`. Correct it, remove it, or declare an attribute.

Wrong:

```csv oob/demo/weapons.csv
id,name,rnage
R,Rifle,8
```

Right:

```csv oob/demo/weapons.csv
id,name
R,Rifle
```
",
};

/// A record lacks something.
pub(crate) static MISSING_FIELD: Rule = Rule {
    code: "missing-field",
    severity: Severity::Error,
    summary: "a record lacks something that every record of its table must have",
    explanation: "For instance a unit without `formation`. Fill the cell; if the value is simply not known to anybody, \
                  only attributes may be left empty, not the fields by which records are found.

Wrong:

```csv + oob/demo/units.csv
red-6,,foot,6th York,,300,R
```

Right:

```csv + oob/demo/units.csv
red-6,red-south,foot,6th York,,300,R
```
",
};

pub(super) static MISSING_COLUMN: Rule = Rule {
    code: "missing-column",
    severity: Severity::Error,
    summary: "a file lacks a column that every record of its table needs",
    explanation:
        "The header does not name a column without which no record can be used. Said once, not for each row.

Wrong:

```csv
id,name
1-va,1st Va
```

Right:

```csv
id,formation,kind,name
1-va,1/1/I,foot,1st Va
```
",
};

pub(super) static WRONG_TYPE: Rule = Rule {
    code: "wrong-type",
    severity: Severity::Error,
    summary: "a value of the wrong type, such as words where a number belongs",
    explanation:
        "For instance `four` or `4½` in a column of whole numbers. Numbers are written with digits alone: no \
                  thousands separators, no footnote marks. Leave a cell empty for “not known”.

Wrong:

```csv oob/demo/effectiveness.csv
side,formation,boxes,total
red,North,three,9
red,South,3,7
blue,West,2,6
```

Right:

```csv oob/demo/effectiveness.csv
side,formation,boxes,total
red,North,3,9
red,South,3,7
blue,West,2,6
```
",
};

pub(super) static NOT_A_CHOICE: Rule = Rule {
    code: "not-a-choice",
    severity: Severity::Error,
    summary: "a value that is none of those allowed",
    explanation:
        "For instance a morale of `F` where the game knows `A` to `E`. The allowed values are declared in \
                  `game.toml`.

Wrong:

```csv + oob/demo/formations.csv
red-east,,red,brigade,East,East's Brigade,F
```

Right:

```csv + oob/demo/formations.csv
red-east,,red,brigade,East,East's Brigade,C
```

```csv + oob/demo/units.csv
red-6,red-east,foot,6th York,5,,R
```

```csv + oob/demo/effectiveness.csv
red,East,2,5
```

```toml + scenarios/demo/battle.toml
[[absent]]
side = \"red\"
units = \"East\"
reason = \"not-in-scenario\"
```
",
};

static OUT_OF_RANGE: Rule = Rule {
    code: "out-of-range",
    severity: Severity::Error,
    summary: "a number that is too small or too large",
    explanation: "The bounds are those of the attribute in `game.toml`, or of the field itself.

Wrong:

```csv + oob/demo/units.csv
red-6,red-south,foot,6th York,50,,R
```

Right:

```csv + oob/demo/units.csv
red-6,red-south,foot,6th York,5,,R
```
",
};

static BAD_FORM: Rule = Rule {
    code: "bad-form",
    severity: Severity::Error,
    summary: "a text that has not the form it must have",
    explanation:
        "For instance an id with capitals or blanks: ids are lower-case letters, digits and hyphens, such as \
                  `usa-105-pa`.

Wrong:

```csv + oob/demo/supply.csv
Blue Wagon,blue,wagon,Supply Wagon,1
```

Right:

```csv + oob/demo/supply.csv
blue-wagon,blue,wagon,Supply Wagon,1
```

```toml + scenarios/demo/battle.toml
[[absent]]
side = \"blue\"
supply = { wagon = 1 }
reason = \"not-in-scenario\"
```
",
};

static SCHEMA_MISFIT: Rule = Rule {
    code: "schema-misfit",
    severity: Severity::Error,
    summary: "a value does not fit its schema in some other way",
    explanation: "The message names the schema's keyword. The schemas are in `schema/`.

Wrong:

```toml + oob/demo/game.toml
[[maps]]
id = \"B\"
name = \"Section B\"
rows = [1, 10, 20]
columns = [1, 30]
pattern = \"RRCC\"
```

Right:

```toml + oob/demo/game.toml
[[maps]]
id = \"B\"
name = \"Section B\"
rows = [1, 20]
columns = [1, 30]
pattern = \"RRCC\"
```
",
};

/// A value that records of its sort do not have.
pub(crate) static OUT_OF_PLACE: Rule = Rule {
    code: "out-of-place",
    severity: Severity::Warning,
    summary: "a record has a value that records of its kind, echelon or role do not have",
    explanation: "The attribute is declared with `kinds`, `echelons` or `roles`, and that of the record is none of them: guns \
                  of an infantry regiment, the morale of a division where only brigades have one. Empty the cell, correct the \
                  record's kind, echelon or role, or add it to the attribute in `game.toml`.

Wrong:

```toml + oob/demo/game.toml
[[kinds]]
id = \"battery\"
name = \"Battery\"
arm = \"artillery\"

[[attributes]]
of = \"units\"
name = \"guns\"
type = \"integer\"
label = \"Guns\"
kinds = [\"battery\"]
```

```toml oob/demo/more.toml
[[units]]
id = \"red-6\"
formation = \"red-south\"
kind = \"foot\"
name = \"6th York\"
men = 300
weapon = \"R\"
guns = 6
```

Right:

```toml + oob/demo/game.toml
[[kinds]]
id = \"battery\"
name = \"Battery\"
arm = \"artillery\"

[[attributes]]
of = \"units\"
name = \"guns\"
type = \"integer\"
label = \"Guns\"
kinds = [\"battery\"]
```

```toml oob/demo/more.toml
[[units]]
id = \"red-6\"
formation = \"red-south\"
kind = \"foot\"
name = \"6th York\"
men = 300
weapon = \"R\"
```
",
};

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

pub(super) fn is_id(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
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

/// What a misfit is about.
struct Subject {
    /// What messages call it: `the scenario`, “entry 2 of `kinds`”, “`strength` of `red-1`”.
    name: String,
    /// What others of its kind are called: `a scenario`, “an entry of `kinds`”.
    kind: String,
    /// Whether it stands in a cell, and not in a TOML file.
    in_cell: bool,
    /// Whether there need not be one.
    may_be_empty: bool,
    /// Its name, where it is an attribute that `game.toml` declares.
    attribute: Option<String>,
}

impl Subject {
    /// The part of a document at a pointer.
    fn of_document(schema: &Value, pointer: &str) -> Self {
        let mut parts = pointer.rsplit('/');
        let (name, kind) = match parts.next() {
            None | Some("") => {
                let title = schema.get("title").and_then(Value::as_str).unwrap_or("document");
                let title = title.trim_start_matches("orbat ");
                (format!("the {title}"), suggest::with_article(title))
            }
            Some(last) if last.bytes().all(|byte| byte.is_ascii_digit()) => {
                let list = parts.next().unwrap_or("");
                (
                    format!("entry {} of `{list}`", one_based(last)),
                    format!("an entry of `{list}`"),
                )
            }
            Some(last) => (format!("`{last}`"), format!("`{last}`")),
        };
        Subject {
            name,
            kind,
            in_cell: false,
            may_be_empty: false,
            attribute: None,
        }
    }

    /// What to do where the value is not known.
    fn if_unknown(&self) -> &'static str {
        match (self.in_cell, self.may_be_empty) {
            (true, true) => "; leave the cell empty if the number is not known",
            _ => "",
        }
    }

    /// What to do about a number beyond a bound.
    fn beyond(&self, instance: &Value, (change, bound): (&str, &str), limit: &Value) -> String {
        let is_zero = instance.as_i64() == Some(0) || instance.as_str() == Some("0");
        let empty = match self.in_cell && self.may_be_empty && is_zero {
            true => ", or leave the cell empty if there is none",
            false => "",
        };
        match &self.attribute {
            Some(name) => {
                format!(
                    "correct it{empty}; if the source has it, {change} `{bound}` of `{name}` in `game.toml`"
                )
            }
            None if bound == "max" => format!("correct it{empty}: {limit} is the most"),
            None => format!("correct it{empty}: {limit} is the least"),
        }
    }
}

/// Says one misfit in our words.
fn tell(
    error: &ValidationError<'_>,
    schema: &Value,
    pointer: &str,
    subject: &Subject,
    place: &dyn Fn(&str, Option<&str>) -> Span,
    sink: &mut Sink,
) {
    let here = place(pointer, None);
    let shown = shorten(error.instance());
    let Subject {
        name: about, kind, ..
    } = subject;
    let diagnostic = match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            let names = sibling_properties(schema, &error.schema_path().to_string());
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            for name in unexpected {
                let mut diagnostic = Diagnostic::new(
                    &UNKNOWN_FIELD,
                    place(pointer, Some(name)),
                    format!("`{name}` is no key of {kind}"),
                )
                .note("not known here");
                let is_of_document =
                    !pointer.is_empty() && schema.pointer(&format!("/properties/{}", escape(name))).is_some();
                diagnostic = diagnostic.help(
                    if is_of_document && !names.iter().any(|known| suggest::distance(known, name) < 2) {
                        format!(
                            "`{name}` is a key of the document itself: it stands above the first header in brackets"
                        )
                    } else {
                        suggest::help(name, &names).unwrap_or_else(|| {
                            "correct or remove it; `schema/` has the keys that are known".to_owned()
                        })
                    },
                );
                sink.push(diagnostic);
            }
            return;
        }
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or("");
            Diagnostic::new(&MISSING_FIELD, here, format!("{about} lacks `{name}`"))
                .note(format!("`{name}` is missing"))
                .help(format!("add `{name} = …`: {kind} has one"))
        }
        ValidationErrorKind::Type {
            kind: TypeKind::Single(kind),
        } if kind.to_string() == "integer" && is_huge(error.instance()) => Diagnostic::new(
            &OUT_OF_RANGE,
            here,
            match maximum(schema, error) {
                Some(limit) => format!("{about} is {shown}, more than {limit}"),
                None => format!("{about} is {shown}, a number larger than any that is kept"),
            },
        )
        .note("too large")
        .help(match maximum(schema, error) {
            Some(limit) => subject.beyond(error.instance(), ("raise", "max"), limit),
            None => format!("correct it{}", subject.if_unknown()),
        }),
        ValidationErrorKind::Type { kind } => {
            let wanted = match kind {
                TypeKind::Single(kind) => type_name(&kind.to_string()),
                TypeKind::Multiple(_) => "another type".to_owned(),
            };
            let mut diagnostic = Diagnostic::new(
                &WRONG_TYPE,
                here,
                format!("{about} must be {wanted}, not {shown}"),
            )
            .note(format!("not {wanted}"));
            if wanted == "a whole number" {
                diagnostic = diagnostic.help(format!("write digits alone{}", subject.if_unknown()));
            } else if wanted == "`yes` or `no`" {
                // Only cells are read as words; in a document the key of a cell would be deeper.
                let is_cell = pointer.matches('/').count() == 1;
                let meant = error.instance().as_str().and_then(cell::yes_or_no);
                diagnostic = match meant.filter(|_| is_cell) {
                    Some(word) => diagnostic
                        .help(format!("write `{word}`; `--fix` does it"))
                        .fix(here, word),
                    None => diagnostic.help("write `yes` or `no`"),
                };
            }
            if let Some(help) = cure_of_type(&wanted, error.instance(), pointer) {
                diagnostic = diagnostic.help(help);
            }
            diagnostic
        }
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context }
            if choices(context, &pointer_of(error)).is_none() =>
        {
            // Only what is wrong with the one form that is meant helps.
            for error in meant(context) {
                let pointer = error.instance_path().to_string();
                tell(error, schema, &pointer, subject, place, sink);
            }
            return;
        }
        ValidationErrorKind::Enum { .. }
        | ValidationErrorKind::Constant { .. }
        | ValidationErrorKind::AnyOf { .. }
        | ValidationErrorKind::OneOfNotValid { .. } => {
            let options: Vec<Value> = match error.kind() {
                ValidationErrorKind::Enum { options } => options.as_array().cloned().unwrap_or_default(),
                ValidationErrorKind::Constant { expected_value } => vec![Value::clone(expected_value)],
                ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
                    choices(context, &pointer_of(error)).unwrap_or_default()
                }
                _ => Vec::new(),
            };
            let options: Vec<String> = options
                .iter()
                .map(|option| option.as_str().map_or_else(|| option.to_string(), str::to_owned))
                .collect();
            let names: Vec<&str> = options.iter().map(String::as_str).collect();
            let text = error.instance().as_str().unwrap_or("").to_owned();
            let mut diagnostic = Diagnostic::new(&NOT_A_CHOICE, here, format!("{about} cannot be {shown}"))
                .note("not one of the allowed values");
            // One letter is as near to any other.
            let near = |name: &&str| text.chars().count() > 1 || name.to_lowercase() == text.to_lowercase();
            diagnostic = match suggest::closest(&text, names.iter().copied().filter(near)) {
                // Only the case of its letters is wrong.
                Some(near) if near.to_lowercase() == text.to_lowercase() => diagnostic
                    .help(format!("write `{near}`; `--fix` does it"))
                    .fix(here, near),
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic.help(format!("it is one of {}", suggest::quoted(&names))),
            };
            diagnostic
        }
        ValidationErrorKind::Minimum { limit } => Diagnostic::new(
            &OUT_OF_RANGE,
            here,
            format!("{about} is {shown}, less than {limit}"),
        )
        .note(format!("at least {limit}"))
        .help(subject.beyond(error.instance(), ("lower", "min"), limit)),
        ValidationErrorKind::Maximum { limit } => Diagnostic::new(
            &OUT_OF_RANGE,
            here,
            format!("{about} is {shown}, more than {limit}"),
        )
        .note(format!("at most {limit}"))
        .help(subject.beyond(error.instance(), ("raise", "max"), limit)),
        ValidationErrorKind::MinLength { .. } => {
            Diagnostic::new(&MISSING_FIELD, here, format!("{about} is empty"))
                .note("empty")
                .help("write something between the quotes")
        }
        ValidationErrorKind::MinItems { limit } => {
            let elements = if *limit == 1 { "element" } else { "elements" };
            Diagnostic::new(&MISSING_FIELD, here, format!("{about} has too few elements"))
                .note("too short")
                .help(format!("write {limit} {elements} at least"))
        }
        ValidationErrorKind::MaxItems { limit } => {
            Diagnostic::new(&SCHEMA_MISFIT, here, format!("{about} has too many elements"))
                .note("too long")
                .help(format!("write no more than {limit}"))
        }
        ValidationErrorKind::Pattern { pattern } if pattern == COUNTS => Diagnostic::new(
            &BAD_FORM,
            here,
            format!("{about} holds {shown}, which is no count of supply"),
        )
        .note("not of this form")
        .help("write the kind, `=` and a whole number, such as `wagon=1`; several with `|` between"),
        ValidationErrorKind::Pattern { pattern } => {
            let help = if pattern.contains("a-z0-9-") {
                // A form that an id could have is offered; it is not put in its place, because an id is for ever.
                let text = error.instance().as_str().unwrap_or("").to_lowercase();
                let words = text.split(|c: char| !c.is_ascii_alphanumeric());
                let id: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
                match id.join("-") {
                    id if id.is_empty() => {
                        "use lower-case letters, digits and hyphens, such as `usa-105-pa`".to_owned()
                    }
                    id => format!("use lower-case letters, digits and hyphens, such as `{id}`"),
                }
            } else {
                form_of(pattern)
            };
            let message = if pointer == "/id" || pointer.ends_with("/id") {
                format!("{shown} is no id")
            } else {
                format!("{about} has not the right form: {shown}")
            };
            Diagnostic::new(&BAD_FORM, here, message)
                .note("not of this form")
                .help(help)
        }
        ValidationErrorKind::Format { format } => {
            Diagnostic::new(&BAD_FORM, here, format!("{about} is not a {format}: {shown}"))
                .note(format!("not a {format}"))
                .help("dates are written as `1863-07-01`")
        }
        ValidationErrorKind::Custom { .. } => tell_whole(error, pointer, about, place),
        other => Diagnostic::new(
            &SCHEMA_MISFIT,
            here,
            format!("{about} does not fit its schema ({}): {shown}", other.keyword()),
        )
        .help("correct it; `schema/` has the schemas"),
    };
    sink.push(diagnostic);
}

/// The largest number that a schema takes where it wants a whole one.
fn maximum<'s>(schema: &'s Value, error: &ValidationError<'_>) -> Option<&'s Value> {
    let path = error.schema_path().to_string();
    let (parent, _) = path.rsplit_once('/')?;
    schema.pointer(&format!("{parent}/maximum"))
}

/// A number that programs write and no table has: `9E0`, `inf`.
fn tell_odd_number(error: &ValidationError<'_>, subject: &str, span: Span) -> Option<Diagnostic> {
    let ValidationErrorKind::Type {
        kind: TypeKind::Single(kind),
    } = error.kind()
    else {
        return None;
    };
    let text = error.instance().as_str()?;
    let wanted = type_name(&kind.to_string());
    let is_number = |_: &f64| wanted.ends_with("number") && !is_huge(error.instance());
    let number = text.parse::<f64>().ok().filter(is_number)?;
    let found = Diagnostic::new(
        &WRONG_TYPE,
        span,
        format!("{subject} must be {wanted}, written with digits alone, not `{text}`"),
    )
    .note(format!("not {wanted}"));
    let is_whole = number.is_finite() && number.fract() == 0.0 && number.abs() < 1e15;
    Some(if is_whole && text.contains(['e', 'E']) {
        found
            .help(format!("write `{number:.0}`; `--fix` does it"))
            .fix(span, format!("{number:.0}"))
    } else {
        found.help("write digits alone; leave the cell empty if the number is not known")
    })
}

/// A whole number that is written with a point or an exponent.
fn tell_whole(
    error: &ValidationError<'_>,
    pointer: &str,
    subject: &str,
    place: &dyn Fn(&str, Option<&str>) -> Span,
) -> Diagnostic {
    let (here, shown) = (place(pointer, None), shorten(error.instance()));
    let Some(plain) = whole::plain(error.instance()) else {
        return Diagnostic::new(
            &OUT_OF_RANGE,
            here,
            format!("{subject} is {shown}, a number larger than any that is kept"),
        )
        .note("too large")
        .help("correct it");
    };
    let found = Diagnostic::new(
        &WRONG_TYPE,
        here,
        format!("{subject} must be a whole number, written with digits alone, not {shown}"),
    )
    .note("with a point or an exponent");
    let around = pointer.rsplit_once('/').map_or("", |(around, _)| around);
    if place(around, None) == here {
        // Only what is around it has a place.
        return found.help(format!("write `{plain}`"));
    }
    found
        .help(format!("write `{plain}`; `--fix` does it"))
        .fix(here, plain)
}

/// Whether a text is a whole number, but larger than any that is kept.
fn is_huge(instance: &Value) -> bool {
    let digits = |text: &str| text.len() > 18 && text.bytes().all(|byte| byte.is_ascii_digit());
    instance
        .as_str()
        .is_some_and(|text| digits(text.trim_start_matches('-')))
}

/// How to write a value of another type so that it has the one that is wanted, where its author most likely means it.
fn cure_of_type(wanted: &str, instance: &Value, pointer: &str) -> Option<String> {
    let name = pointer.rsplit('/').next().filter(|name| !name.is_empty())?;
    let is_header = pointer.matches('/').count() == 1;
    match instance {
        // Cells of CSV files have become numbers already.
        Value::String(text) if wanted.ends_with("number") && text.parse::<f64>().is_ok() => Some(format!(
            "the quotes make it a text: write `{text}` without quotes"
        )),
        Value::Number(number) if wanted == "text in quotes" => Some(match form_of_key(name) {
            Some(form) => form.to_owned(),
            None => format!("write it in quotes: `\"{number}\"`"),
        }),
        Value::Object(_) if wanted == "a list" && is_header => Some(format!(
            "write `[[{name}]]`, with two brackets, above each entry of the list"
        )),
        Value::Array(items) if wanted == "a table" && is_header && items.iter().all(Value::is_object) => {
            Some(format!("write `[{name}]`, with one bracket: there is only one"))
        }
        Value::Array(_) => None,
        _ if wanted == "a list" && name.parse::<usize>().is_ok() => {
            let text = serde_json::to_string(instance).unwrap_or_default();
            Some(format!("it is a list of lists: `[[{text}, …], …]`"))
        }
        _ if wanted == "a list" && !instance.is_object() => {
            let text = serde_json::to_string(instance).unwrap_or_default();
            Some(format!("put it between brackets: `[{text}]`"))
        }
        _ => None,
    }
}

/// The form of the text that a key has, where quotes around a number do not make it one.
fn form_of_key(name: &str) -> Option<&'static str> {
    match name {
        "hex" => Some("a hex is a text: the id of its map and digits, such as `\"A0512\"`"),
        name if is_moment(name) => {
            Some("a moment is a text with a day and a time, such as `\"1863-07-01 0740\"`")
        }
        _ => None,
    }
}

/// Whether the text of a key is a moment.
pub(super) fn is_moment(key: &str) -> bool {
    matches!(key, "start" | "end" | "first" | "then_from")
}

/// A form in words: no pattern is shown to those who write data.
fn form_of(pattern: &str) -> String {
    match pattern {
        r"^\d{4}$" => "times are written with four digits, such as `0740`".to_owned(),
        _ if pattern.starts_with(r"^\d{4}-") => "dates are written as `1863-07-01`".to_owned(),
        _ if pattern.contains("A-Za-z0-9-") => "use letters, digits and hyphens, such as `Gen-Lt`".to_owned(),
        _ => "correct it; `docs/` describes the form of every field".to_owned(),
    }
}

fn pointer_of(error: &ValidationError<'_>) -> String {
    error.instance_path().to_string()
}

/// The values between which a choice is, if all forms are single values.
fn choices(context: &[Vec<ValidationError<'static>>], pointer: &str) -> Option<Vec<Value>> {
    let mut values = Vec::new();
    for form in context {
        // A value of another type fails its form twice.
        let value = form.iter().find_map(|error| match error.kind() {
            _ if pointer_of(error) != pointer => None,
            ValidationErrorKind::Constant { expected_value } => Some(vec![Value::clone(expected_value)]),
            ValidationErrorKind::Enum { options } => options.as_array().cloned(),
            _ => None,
        })?;
        values.extend(value);
    }
    (!values.is_empty()).then_some(values)
}

/// What is wrong with the form of several that is meant: the one whose tag is right, then the one of the right type, then
/// the one with the fewest misfits. Of equals the first.
fn meant<'c>(context: &'c [Vec<ValidationError<'static>>]) -> &'c [ValidationError<'static>] {
    let misfits = |form: &&Vec<ValidationError<'static>>| {
        let tag = form
            .iter()
            .any(|error| matches!(error.kind(), ValidationErrorKind::Constant { .. }));
        let depth = form
            .iter()
            .map(|error| pointer_of(error).matches('/').count())
            .min();
        let kind = form.iter().any(|error| {
            matches!(error.kind(), ValidationErrorKind::Type { .. })
                && Some(pointer_of(error).matches('/').count()) == depth
        });
        (tag, kind, form.len())
    };
    context.iter().min_by_key(misfits).map_or(&[], Vec::as_slice)
}

/// The names that the schema around an `additionalProperties` knows.
fn sibling_properties(schema: &Value, path: &str) -> Vec<String> {
    let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
    schema
        .pointer(&format!("{parent}/properties"))
        .and_then(Value::as_object)
        .map(|properties| properties.keys().cloned().collect())
        .unwrap_or_default()
}

fn type_name(name: &str) -> String {
    match name {
        "integer" => "a whole number",
        "number" => "a number",
        "string" => "text in quotes",
        "boolean" => "`yes` or `no`",
        "array" => "a list",
        "object" => "a table",
        other => other,
    }
    .to_owned()
}

/// A value short enough for a headline.
fn shorten(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Array(_) => return "a list".into(),
        Value::Object(_) => return "a table".into(),
        other => other.to_string(),
    };
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("`{short}`")
}

fn one_based(index: &str) -> usize {
    index.parse::<usize>().map_or(0, |index| index + 1)
}

fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
