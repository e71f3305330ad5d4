//! Workbooks in a project's folders: which of their worksheets are tables, and of what.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use super::known_columns;
use super::missing::Stray;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::read::csv::{self, Header};
use crate::read::workbook::{self, Expected, Problem, Sheet, UNREADABLE_WORKBOOK};
use crate::record::{Records, Table};
use crate::schema::rows;
use crate::source::{FileId, Files, Span, read_regular, without_ending};
use crate::suggest;

pub(super) static UNKNOWN_WORKSHEET: Rule = Rule {
    code: "unknown-worksheet",
    severity: Severity::Note,
    summary: "a worksheet is not read, because no table has its name or one like it",
    explanation: "In a game's folder, a worksheet of a workbook is read if its tab is named after a table (`units`), a \
                  supplement or a chart that `game.toml` declares; in a folder of schedules, if it has a header that a \
                  schedule has. Others may hold what their author likes.",
};

pub(super) static MISNAMED_WORKSHEET: Rule = Rule {
    code: "misnamed-worksheet",
    severity: Severity::Warning,
    summary: "a worksheet is not read, and its name is nearly that of a table",
    explanation: "The tab `unit` is most likely the table `units`, and nothing of it is read. Rename the tab; if it is \
                  something else, give it a name that is not so near to a table's.",
};

pub(super) static UNKNOWN_WORKBOOK: Rule = Rule {
    code: "unknown-workbook",
    severity: Severity::Warning,
    summary: "a workbook of a kind that is not read",
    explanation: "Of workbooks `.xlsx` and `.ods` are read. Save one of another kind (`.xls`, `.xlsm`, `.numbers`) as one \
                  of these, or each of its worksheets as “CSV UTF-8”.",
};

pub(super) static TABLE_TWICE: Rule = Rule {
    code: "table-twice",
    severity: Severity::Error,
    summary: "the same table is in a worksheet and in another file",
    explanation: "A table may be spread over several files, each with records of its own. But where a worksheet repeats \
                  records that are already in a CSV file (or another workbook), one is a copy of the other and it cannot be \
                  known which of them is kept up. Delete the copy, or move it out of the folder. A chart and a schedule \
                  have one file each.",
};

/// Reads a workbook: none where it cannot be, which is reported. `table` is the table whose columns a header names.
pub(super) fn open(
    files: &mut Files,
    root: &Path,
    path: &str,
    table: &dyn Fn(&str) -> Option<String>,
    sink: &mut Sink,
) -> io::Result<Vec<Sheet>> {
    let bytes = read_regular(&root.join(path))
        .map_err(|error| io::Error::new(error.kind(), format!("{path}: {error}")))?;
    let problem = match workbook::read(path, &bytes) {
        Ok(sheets) => return Ok(sheets),
        Err(problem) => problem,
    };
    let again = "open it in a spreadsheet and save it again; if that fails too, fetch a sound copy";
    let first = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
    let first = first
        .trim_start_matches('\u{feff}')
        .lines()
        .next()
        .unwrap_or_default();
    let table = match problem {
        Problem::Text => table(first),
        _ => None,
    };
    let is_text = table.map_or_else(
        || "if it is a table, rename it to the table's name and `.csv`".to_owned(),
        |table| format!("it has the columns of `{table}`: rename it to `{table}.csv`"),
    );
    let (what, help) = match problem {
        Problem::Damaged(what) => (what, again),
        Problem::Text => ("by its contents it is a text".into(), is_text.as_str()),
        Problem::Protected => (
            "it is locked with a password".into(),
            "open it in the spreadsheet, remove the password and save it again",
        ),
        Problem::Other(what, help) => (format!("by its contents it is {what}"), help),
        Problem::TooLarge(what) => (
            what.into(),
            "delete what lies outside the tables, or save the worksheets as “CSV UTF-8”",
        ),
    };
    // Nothing of it can be shown, but the finding has a place.
    let file = files.add(path, "");
    sink.push(
        Diagnostic::new(
            &UNREADABLE_WORKBOOK,
            Span::file_start(file),
            format!("the workbook `{path}` cannot be read: {what}"),
        )
        .help(help),
    );
    Ok(Vec::new())
}

/// Says of a workbook that its kind is not read.
pub(super) fn report_unknown(files: &mut Files, path: &str, sink: &mut Sink) {
    let file = files.add(path, "");
    sink.push(
        Diagnostic::new(
            &UNKNOWN_WORKBOOK,
            Span::file_start(file),
            format!("the workbook `{path}` is not read"),
        )
        .help("save it as `.xlsx` or `.ods`, or move it elsewhere"),
    );
}

/// What the worksheets of a game's folder are read into.
pub(super) struct Into<'i> {
    pub(super) records: &'i mut Records,
    pub(super) headers: &'i mut BTreeMap<String, Vec<Header>>,
    pub(super) strays: &'i mut Vec<Stray>,
}

/// The columns in which anything may stand.
pub(super) const REMARKS: &[&str] = &["note"];

/// The columns of a table that hold yes or no.
fn flags(game: &Game, table: &str) -> Vec<String> {
    let schema = rows::schema(game, table);
    let properties = schema.get("properties").and_then(serde_json::Value::as_object);
    let is_flag = |property: &serde_json::Value| match property.get("type") {
        Some(serde_json::Value::Array(kinds)) => kinds.iter().any(|kind| kind == "boolean"),
        Some(kind) => kind == "boolean",
        None => false,
    };
    let columns = properties.into_iter().flatten();
    columns
        .filter(|(_, property)| is_flag(property))
        .map(|(name, _)| name.clone())
        .collect()
}

/// Reads the worksheets of the workbooks in a game's folder. Those that are charts are given back, by the chart's index,
/// with what was told of their cells.
pub(super) fn read_tables(
    files: &mut Files,
    sheets: &[(String, Sheet)],
    game: &Game,
    tables: &[&str],
    out: &mut Into<'_>,
    sink: &mut Sink,
) -> BTreeMap<usize, (FileId, Sink)> {
    let mut charts: BTreeMap<usize, (FileId, Sink)> = BTreeMap::new();
    for (path, sheet) in sheets {
        let name = sheet.name.trim();
        let is_called = |other: &str| other.eq_ignore_ascii_case(name);
        if let Some(table) = tables.iter().find(|table| is_called(table)) {
            let known = known_columns(game, table);
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let flags = flags(game, table);
            let expected = Expected {
                flags: &flags.iter().map(String::as_str).collect::<Vec<_>>(),
                remarks: REMARKS,
                ..Expected::default()
            };
            let mut told = Sink::default();
            let file = workbook::enter(files, path, sheet, expected, &mut told);
            let into = out.records.table_mut(table);
            let from = into.all_rows().len();
            let read = csv::read(files, file, &known, into, sink);
            workbook::keep_read(&mut told, into, from, &read);
            sink.append(told);
            out.headers.entry((*table).to_owned()).or_default().extend(read);
            report_copy(files, into, from, file, sink);
            continue;
        }
        let chart = game.tables.iter().position(|chart| {
            let name = chart.file.rsplit('/').next().unwrap_or_default();
            is_called(&chart.id) || is_called(without_ending(name, "csv").unwrap_or(name))
        });
        match chart {
            Some(chart) => {
                let mut told = Sink::default();
                let file = workbook::enter(files, path, sheet, Expected::default(), &mut told);
                if let Some((first, _)) = charts.get(&chart) {
                    sink.push(twice(files, file, *first, "chart"));
                } else {
                    charts.insert(chart, (file, told));
                }
            }
            None => {
                let charts = game.tables.iter().map(|chart| chart.id.as_str());
                let names: Vec<&str> = tables.iter().copied().chain(charts).collect();
                let found = unread(files, path, sheet, suggest::closest(name, names));
                let book = path.rsplit('/').next().unwrap_or(path);
                out.strays.extend(found.map(|found| Stray {
                    stem: name.to_owned(),
                    cure: format!("the worksheet `{name}` of `{book}` is not read: rename its tab"),
                    extension: "",
                    found,
                }));
            }
        }
    }
    charts
}

/// What is said of a worksheet that is not read: nothing where it is empty.
pub(super) fn unread(files: &mut Files, path: &str, sheet: &Sheet, near: Option<&str>) -> Option<Diagnostic> {
    if sheet.is_empty() {
        return None;
    }
    let file = files.add_worksheet(path, &sheet.name, "", Vec::new());
    let rule = if near.is_some() {
        &MISNAMED_WORKSHEET
    } else {
        &UNKNOWN_WORKSHEET
    };
    let mut found = Diagnostic::new(
        rule,
        Span::file_start(file),
        format!(
            "the worksheet `{}` of `{path}` is not read: no table has its name",
            sheet.name
        ),
    );
    if let Some(near) = near {
        found = found.help(format!("did you mean `{near}`? Rename the tab"));
    }
    Some(found)
}

/// Says of two sources of what has one that they are two.
pub(super) fn twice(files: &Files, second: FileId, first: FileId, what: &str) -> Diagnostic {
    Diagnostic::new(
        &TABLE_TWICE,
        Span::file_start(second),
        format!(
            "the {what} `{}` is also in `{}`",
            files.title(second),
            files.title(first)
        ),
    )
    .label(Span::file_start(first), "the other one")
    .help("keep one of them: delete the other, or move it out of the folder")
}

/// Reports a worksheet most of whose records are already in the table: it is a copy, and one error is enough.
fn report_copy(files: &Files, table: &Table, from: usize, file: FileId, sink: &mut Sink) {
    let Some(key) = ["id", "formation", "unit"]
        .into_iter()
        .find(|name| table.column(name).is_some())
    else {
        return;
    };
    let before: BTreeMap<&str, usize> = (0..from)
        .rev()
        .filter_map(|row| Some((table.text(row, key)?, row)))
        .collect();
    let rows = from..table.all_rows().len();
    let mut repeated = rows
        .clone()
        .filter_map(|row| Some((row, *before.get(table.text(row, key)?)?)));
    let count = repeated.clone().count();
    let Some((row, first)) = repeated.next().filter(|_| count * 2 >= rows.len()) else {
        return;
    };
    let (span, other) = (table.span(row, key), table.span(first, key));
    sink.push(
        Diagnostic::new(
            &TABLE_TWICE,
            span,
            format!(
                "{count} of the {} rows of `{}` are also in `{}`",
                rows.len(),
                files.title(file),
                files.title(other.file)
            ),
        )
        .note("the first of them")
        .label(other, "and here")
        .help("keep one of the two: delete the other, or move it out of the folder"),
    );
}
