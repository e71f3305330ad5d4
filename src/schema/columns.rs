//! The columns of a table's files against those of its schema: unknown ones, missing ones, and two that have changed
//! places. A file whose columns are not those of its table is one fault, whatever its cells then seem to say.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::judge::{ColumnType, column_type, required};
use super::rows;
use super::rules::{MISSING_COLUMN, UNKNOWN_FIELD};
use crate::cell;
use crate::diagnostic::{Diagnostic, Fix, Rule, Severity, Sink};
use crate::game::GameFile;
use crate::read::csv::Header;
use crate::record::{Datum, Records, Table, is_id};
use crate::source::{FileId, Span};
use crate::suggest;

pub(super) static COLUMNS_SWAPPED: Rule = Rule {
    code: "columns-swapped",
    severity: Severity::Error,
    summary: "two columns of a table have changed places",
    explanation: "No value of the one column fits it, and all would fit the other: most often two names in the header \
                  were exchanged, or a column was moved without its name. Told once, at the header; `--fix` exchanges \
                  the two names. If it is the cells that stand wrong, move them instead.

Wrong:

```csv oob/demo/weapons.csv
name,id
R,Rifle
```

Right:

```csv oob/demo/weapons.csv
id,name
R,Rifle
```
",
};

/// What the headers of a table's files say.
pub(super) struct Columns {
    /// The columns that the schema knows: index, name and type.
    pub(super) known: Vec<(usize, String, ColumnType)>,
    /// The required columns that a file lacks, by file.
    pub(super) unheaded: BTreeSet<(FileId, String)>,
    /// Whether a file lacks something, perhaps under another name, so that what refers to it cannot be judged.
    pub(super) hidden: bool,
    /// Whether two columns have changed places, so that no cell can be judged.
    pub(super) swapped: bool,
}

/// Reports where the columns of a file are not those of its table, and whether it cannot be looked up for that reason what
/// refers to it. Judges no cell.
pub fn hides_a_file(
    game: &GameFile,
    records: &Records,
    headers: &BTreeMap<String, Vec<Header>>,
    sink: &mut Sink,
) -> bool {
    let mut hidden = swapped_by_references(game, records, headers, sink);
    for (name, headers) in headers {
        let schema = rows::schema(game, name);
        let properties = schema.get("properties").and_then(Value::as_object);
        if let (Some(table), Some(properties)) = (records.table(name), properties) {
            hidden |= judge(table, &schema, properties, headers, sink).hidden;
        }
    }
    hidden
}

/// Judges the headers of a table's files. Each fault is told once, not for each row.
pub(super) fn judge(
    table: &Table,
    schema: &Value,
    properties: &Map<String, Value>,
    headers: &[Header],
    sink: &mut Sink,
) -> Columns {
    let mut columns = Columns {
        known: Vec::new(),
        unheaded: BTreeSet::new(),
        hidden: false,
        swapped: false,
    };
    let names: Vec<&str> = properties.keys().map(String::as_str).collect();
    // What unknown columns are meant to be, where that is absent.
    let mut meant: BTreeMap<(FileId, &str), &str> = BTreeMap::new();
    for (file, of_file) in by_file(headers) {
        // What a reader adds itself, such as a schedule's name, has no header.
        let first = table.rows().find(|row| table.row_span(*row).file == file);
        let is_there = |name: &str| {
            of_file.iter().any(|header| header.name == name)
                || first.is_some_and(|row| table.field(row, name).is_some())
        };
        let absent: Vec<&str> = names.iter().copied().filter(|name| !is_there(name)).collect();
        let lacking: Vec<&str> = required(schema).filter(|name| !is_there(name)).collect();
        for header in of_file
            .iter()
            .filter(|header| !properties.contains_key(&header.name))
        {
            let near = suggest::closest(&header.name, absent.iter().copied());
            let near = near.or_else(|| {
                let mut lacking = lacking.iter().copied();
                lacking.find(|name| stands_for(table, file, header, &of_file, name))
            });
            if let Some(near) = near {
                meant.insert((file, &header.name), near);
                columns.hidden = true;
            }
        }
        for name in lacking {
            columns.hidden = true;
            columns.unheaded.insert((file, name.to_owned()));
            // A misspelt column is reported where it stands, and offers this one.
            if meant
                .iter()
                .any(|((other, _), near)| *other == file && *near == name)
            {
                continue;
            }
            let heads = of_file.iter().map(|header| header.span);
            let span = heads.reduce(|all, span| Span {
                start: all.start.min(span.start),
                end: all.end.max(span.end),
                ..all
            });
            sink.push(
                Diagnostic::new(
                    &MISSING_COLUMN,
                    span,
                    format!(
                        "the header has no column `{name}`, which every record of `{}` needs",
                        table.name
                    ),
                )
                .note(format!("no `{name}` here"))
                .help(format!("add a column `{name}` and fill it")),
            );
        }
    }
    for (index, name) in table.columns().iter().enumerate() {
        if let Some(property) = properties.get(name) {
            columns.known.push((index, name.clone(), column_type(property)));
            continue;
        }
        let is_headed = headers.iter().any(|header| header.name == *name);
        for span in places(table, index, name, headers) {
            let near = meant.get(&(span.file, name)).copied();
            let near = near.or_else(|| suggest::closest(name, names.iter().copied()));
            sink.push(
                Diagnostic::new(
                    &UNKNOWN_FIELD,
                    span,
                    if is_headed {
                        format!("`{}` has no column `{name}`", table.name)
                    } else {
                        format!("`{name}` is no key of {}", entry_of(&table.name))
                    },
                )
                .note("not known here")
                .help(match (near, follows(&table.name, name)) {
                    (Some(near), _) => format!("did you mean `{near}`?"),
                    (None, Some(why)) => format!("{why}; remove the column"),
                    (None, None) => format!(
                        "its columns are {}; further attributes are declared in `game.toml`",
                        suggest::quoted(&names)
                    ),
                }),
            );
        }
    }
    if !columns.hidden {
        columns.swapped = swapped(table, properties, headers, sink);
        columns.hidden = columns.swapped;
    }
    columns
}

/// What messages call a record that stands in a TOML file.
fn entry_of(table: &str) -> String {
    let list = crate::scenario::LISTS.iter().find(|(_, name)| *name == table);
    list.map_or_else(
        || format!("a record of `{table}`"),
        |(key, _)| format!("an entry of `{key}`"),
    )
}

/// Where that comes from which every record of a table has, but not from a column of its own.
fn follows(table: &str, name: &str) -> Option<&'static str> {
    match (table, name) {
        ("formations", "designation") => {
            Some("a designation is not typed: it is built from `abbr` and the formations above")
        }
        ("units" | "leaders", "designation") => {
            Some("a designation is not typed: it is that of the formation")
        }
        ("formations", "level") => Some("the level is that of the `echelon`"),
        ("units", "side") => Some("the side of a unit is that of its `formation`"),
        ("units", "arm") => Some("the arm of a unit is that of its `kind`"),
        _ => None,
    }
}

/// The headers of each file.
fn by_file(headers: &[Header]) -> BTreeMap<FileId, Vec<&Header>> {
    let mut files: BTreeMap<FileId, Vec<&Header>> = BTreeMap::new();
    for header in headers {
        files.entry(header.span.file).or_default().push(header);
    }
    files
}

/// Where a column that the table does not have is named: in headers, or else where it has its first value.
fn places(table: &Table, index: usize, name: &str, headers: &[Header]) -> Vec<Span> {
    let heads = headers.iter().filter(|header| header.name == name);
    let heads: Vec<Span> = heads.map(|header| header.span).collect();
    if !heads.is_empty() {
        return heads;
    }
    // What an overlay writes into a column that there is not was told at the overlay.
    let values = table.rows().filter_map(|row| table.get(row, index));
    let own = values.filter(|datum| datum.edit.is_none());
    own.map(|datum| datum.span).take(1).collect()
}

/// Whether an unknown column can be taken for a required one that is not there: `unit_id` and `ident` for `id`.
fn stands_for(table: &Table, file: FileId, header: &Header, of_file: &[&Header], wanted: &str) -> bool {
    let typed = header.name.to_lowercase();
    let mut words = typed.split(|c: char| !c.is_alphanumeric());
    if words.any(|word| word == wanted) {
        return true;
    }
    if wanted != "id" || of_file.first().is_none_or(|first| first.span != header.span) {
        return false;
    }
    // Ids stand first and are like nothing else.
    let mut rows = table.rows().filter(|row| table.row_span(*row).file == file);
    rows.all(|row| table.text(row, &header.name).is_some_and(is_id))
}

/// Reports two columns of a file of which one fits nowhere and both would fit if they changed places.
fn swapped(table: &Table, properties: &Map<String, Value>, headers: &[Header], sink: &mut Sink) -> bool {
    let mut any = false;
    for (file, of_file) in by_file(headers) {
        let columns: Vec<Own<'_>> = of_file
            .iter()
            .filter_map(|header| {
                Some(Own {
                    header,
                    index: table.column(&header.name)?,
                    form: Form::of(properties.get(&header.name)?),
                })
            })
            .collect();
        let rows = || table.rows().filter(|row| table.row_span(*row).file == file);
        let fits = |form: &Form<'_>, index: usize, all: bool| -> bool {
            let mut filled = 0;
            for text in rows().filter_map(|row| text(table.get(row, index))) {
                filled += 1;
                if form.accepts(text) != all {
                    return false;
                }
            }
            filled >= 2
        };
        // Short words without capitals may be anything.
        let is_like_ids = |index: usize| {
            let mut seen = BTreeSet::new();
            rows().all(|row| text(table.get(row, index)).is_some_and(|text| seen.insert(text)))
                && seen.iter().any(|text| text.contains('-'))
        };
        let pair = columns.iter().enumerate().find_map(|(place, one)| {
            if matches!(one.form, Form::Any) || !fits(&one.form, one.index, false) {
                return None;
            }
            // What is only damaged stands in its own column.
            let is_word = |datum: Datum<'_>| {
                let text = datum.value.text().unwrap_or_default();
                text.chars().all(char::is_alphabetic)
                    && cell::explain_text(text, false, true, "", datum.span).is_none()
            };
            if matches!(one.form, Form::Number)
                && !rows().filter_map(|row| table.get(row, one.index)).all(is_word)
            {
                return None;
            }
            let others = columns.iter().enumerate().filter(|(_, other)| {
                other.index != one.index
                    && fits(&one.form, other.index, true)
                    && (matches!(other.form, Form::Any) || fits(&other.form, one.index, true))
                    && (!matches!(one.form, Form::Id) || is_like_ids(other.index))
            });
            let (_, nearest) = others.min_by_key(|(other, _)| other.abs_diff(place))?;
            Some((one.header, nearest.header))
        });
        if let Some((one, other)) = pair {
            sink.push(tell(
                &table.name,
                one,
                other,
                format!("no `{}` fits it", one.name),
            ));
            any = true;
        }
    }
    any
}

/// Reports tables whose ids and names have changed places: what other tables name are its names, and none of its ids.
/// Only that can tell where an id may be any word.
pub(super) fn swapped_by_references(
    game: &GameFile,
    records: &Records,
    headers: &BTreeMap<String, Vec<Header>>,
    sink: &mut Sink,
) -> bool {
    let mut told: BTreeSet<&str> = BTreeSet::new();
    for attribute in &game.attributes {
        let Some(name) = attribute.table.as_deref().filter(|name| !told.contains(name)) else {
            continue;
        };
        let (Some(table), Some(users)) = (records.table(name), records.table(attribute.of.table())) else {
            continue;
        };
        let header = |wanted: &str| headers.get(name)?.iter().find(|header| header.name == wanted);
        let (Some(id), Some(called)) = (header("id"), header("name")) else {
            continue;
        };
        let all = |column: &str| -> BTreeSet<&str> {
            table.rows().filter_map(|row| table.text(row, column)).collect()
        };
        let (ids, names) = (all("id"), all("name"));
        let mut named = users
            .rows()
            .filter_map(|row| users.text(row, &attribute.name))
            .peekable();
        // In sound data the first value is an id, and nothing further is looked at.
        if named.peek().is_some() && named.all(|value| !ids.contains(value) && names.contains(value)) {
            let why = format!("`{}` names what stands under `name`", attribute.name);
            sink.push(tell(name, id, called, why));
            told.insert(name);
        }
    }
    !told.is_empty()
}

fn tell(table: &str, one: &Header, other: &Header, why: String) -> Diagnostic {
    let mut found = Diagnostic::new(
        &COLUMNS_SWAPPED,
        one.span,
        format!(
            "the columns `{}` and `{}` of `{table}` have changed places",
            one.name, other.name
        ),
    )
    .note(why)
    .label(other.span, "would fit if the two were exchanged")
    .help("exchange the two names in the header; `--fix` does it")
    .fix(one.span, other.name.as_str());
    found.further_fixes.push(Fix::value(other.span, one.name.clone()));
    found
}

/// A column of a file.
struct Own<'h> {
    header: &'h Header,
    index: usize,
    form: Form<'h>,
}

/// A cell's text, where it is what the file says.
fn text(datum: Option<Datum<'_>>) -> Option<&str> {
    let datum = datum.filter(|datum| datum.edit.is_none() && !datum.value.is_unknown())?;
    datum.value.text()
}

/// What a column takes, as far as that tells it from others.
enum Form<'p> {
    Any,
    Id,
    Number,
    Choice(Vec<&'p str>),
}

impl<'p> Form<'p> {
    fn of(property: &'p Value) -> Self {
        if let Some(options) = property.get("enum").and_then(Value::as_array) {
            return Form::Choice(options.iter().filter_map(Value::as_str).collect());
        }
        if matches!(column_type(property), ColumnType::Integer | ColumnType::Number) {
            return Form::Number;
        }
        let pattern = property.get("pattern").and_then(Value::as_str);
        if pattern.is_some_and(|pattern| pattern.contains("[a-z0-9-]")) {
            return Form::Id;
        }
        Form::Any
    }

    fn accepts(&self, text: &str) -> bool {
        match self {
            Form::Any => true,
            Form::Id => is_id(text),
            Form::Number => text.parse::<f64>().is_ok(),
            Form::Choice(options) => options.contains(&text),
        }
    }
}
