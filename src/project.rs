//! A project on disk: where its games are and what their folders hold. Reads; judges nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::document::{self, Document};
use crate::emit;
use crate::errata::{self, Overlay};
use crate::game::{Game, GameFile, LintFile};
use crate::read;
use crate::read::csv::Header;
use crate::read::toml::NodeValue;
use crate::read::workbook::{self, Expected, Sheet};
use crate::record::{Records, Table, Value};
use crate::scenario::{self, SCHEDULE, ScenarioFile};
use crate::schema::rows;
use crate::source::{Encoding, FileId, Files, Span, Unreadable, has_ending, without_ending};
use crate::suggest;
use crate::text;

mod missing;
mod stray;
mod workbooks;

use missing::{Known, Stray};
pub use stray::{report_templates, survey};

/// The rules of this stage.
pub static RULES: &[&Rule] = &[
    &OTHER_ENCODING,
    &stray::STRAY_FILE,
    &stray::MISNAMED_FILE,
    &missing::MISSING_TABLE,
    &GAME_ID,
    &SCENARIO_ID,
    &workbooks::UNKNOWN_WORKSHEET,
    &workbooks::MISNAMED_WORKSHEET,
    &workbooks::UNKNOWN_WORKBOOK,
    &workbooks::TABLE_TWICE,
    &document::UNREADABLE_DOCUMENT,
];

static OTHER_ENCODING: Rule = Rule {
    code: "other-encoding",
    severity: Severity::Warning,
    summary: "a file is UTF-16, which is read but should be UTF-8",
    explanation: "A file that begins with the mark of UTF-16 is decoded, and places are those of the decoded text. Version \
                  control and most other programs take it for binary data: save it as “CSV UTF-8”.",
};

static SCENARIO_ID: Rule = Rule {
    code: "scenario-id",
    severity: Severity::Error,
    summary: "a scenario's id is not the name of its file",
    explanation: "The scenario in `scenarios/mygame/second-day.toml` has the id `second-day`, so that it is found under the \
                  name by which it is asked for.

Wrong:

```toml scenarios/demo/second.toml
id = \"second-day\"
title = \"Second Day\"
source = \"made up\"
extends = \"battle\"
```

Right:

```toml scenarios/demo/second.toml
id = \"second\"
title = \"Second Day\"
source = \"made up\"
extends = \"battle\"
```
",
};

static GAME_ID: Rule = Rule {
    code: "game-id",
    severity: Severity::Error,
    summary: "a game's id is not the name of its folder",
    explanation: "The game in `oob/mygame/game.toml` has the id `mygame`, so that it is found under the name by which it is \
                  asked for.

Wrong:

```toml oob/other/game.toml
id = \"othr\"
title = \"Other\"
source = \"made up\"
sides = [{ id = \"red\", name = \"Red\" }]
echelons = [{ id = \"army\", name = \"Army\", level = 1 }]
kinds = [{ id = \"foot\", name = \"Foot\", arm = \"infantry\" }]
```

Right:

```toml oob/other/game.toml
id = \"other\"
title = \"Other\"
source = \"made up\"
sides = [{ id = \"red\", name = \"Red\" }]
echelons = [{ id = \"army\", name = \"Army\", level = 1 }]
kinds = [{ id = \"foot\", name = \"Foot\", arm = \"infantry\" }]
```
",
};

/// The folder that holds the games.
pub const OOB: &str = "oob";

/// The columns of schedules in which a spreadsheet's dates and times are what was meant.
const IN_SCHEDULES: Expected<'static> = Expected {
    dates: &["day"],
    times: &["time"],
    flags: &["optional"],
    remarks: workbooks::REMARKS,
};

/// Everything that a game's folder holds.
pub struct Contents {
    /// The game definition.
    pub game: Game,
    /// Its records, as the files say.
    pub records: Records,
    /// The header cells of its CSV tables, by table.
    pub headers: BTreeMap<String, Vec<Header>>,
    /// Its charts, in declared order; a chart whose file cannot be read is left out.
    pub charts: Vec<(usize, Table, Vec<Header>)>,
    /// Its scenarios by id, with their briefings.
    pub scenarios: Vec<(Document<ScenarioFile>, String)>,
    /// Its overlays, in the order in which they apply.
    pub overlays: Vec<Overlay>,
    /// How many files of overlays there are, readable or not.
    pub overlay_files: usize,
}

/// The nearest folder, from `start` upwards, that holds a folder `oob`.
pub fn find_root(start: &Path) -> Option<PathBuf> {
    start
        .ancestors()
        .find(|folder| folder.join(OOB).is_dir())
        .map(Path::to_path_buf)
}

/// The ids of a project's games: the folders below `oob` that hold a `game.toml`, sorted.
pub fn games(root: &Path) -> io::Result<Vec<String>> {
    let mut ids = Vec::new();
    for name in list(&root.join(OOB))? {
        if root.join(OOB).join(&name).join("game.toml").is_file() {
            ids.push(name);
        }
    }
    Ok(ids)
}

/// The file of what is allowed in all games of a project.
pub const LINTS: &str = "lints.toml";

/// Reads what is allowed in all games. `None` where there is no such file, or where it cannot be used.
pub fn read_lints(files: &mut Files, root: &Path, sink: &mut Sink) -> io::Result<Option<Document<LintFile>>> {
    if !root.join(LINTS).is_file() {
        return Ok(None);
    }
    Ok(take(files, root, LINTS, sink)?.and_then(|file| document::load(files, file, sink)))
}

/// Reads a game's folder. `None` where the game definition itself cannot be used; what is wrong is reported.
pub fn read_game(files: &mut Files, root: &Path, id: &str, sink: &mut Sink) -> io::Result<Option<Contents>> {
    let folder = format!("{OOB}/{id}");
    let Some(file) = take(files, root, &format!("{folder}/game.toml"), sink)? else {
        return Ok(None);
    };
    let Some(game) = document::load::<GameFile>(files, file, sink) else {
        return Ok(None);
    };
    if game.id != id {
        sink.push(
            Diagnostic::new(
                &GAME_ID,
                game.span("/id"),
                format!("the game's id is `{}`, but its folder is called `{id}`", game.id),
            )
            .note("not the folder's name")
            .help(format!("write `id = \"{id}\"`, or rename the folder")),
        );
        return Ok(None);
    }
    if !crate::definition::judge(&game, sink) {
        return Ok(None);
    }
    let tables = rows::tables(&game);
    let names: Vec<&str> = tables.iter().map(String::as_str).collect();
    let mut records = Records::default();
    let mut headers: BTreeMap<String, Vec<Header>> = BTreeMap::new();
    let mut sheets = Vec::new();
    let mut strays: Vec<Stray> = Vec::new();
    let mut found: BTreeSet<String> = BTreeSet::new();
    let listed = stray::list_told(files, root, &folder, sink)?;
    for name in &listed {
        let path = format!("{folder}/{name}");
        if root.join(&path).is_dir() {
            continue;
        }
        let table = without_ending(name, "csv")
            .and_then(|stem| names.iter().find(|table| table.eq_ignore_ascii_case(stem)));
        if let Some(table) = table {
            found.insert((*table).to_owned());
            if let Some(file) = take(files, root, &path, sink)? {
                let known = known_columns(&game, table);
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                let read = read::csv::read(files, file, &known, records.table_mut(table), sink);
                headers.entry((*table).to_owned()).or_default().extend(read);
            }
        } else if has_ending(name, "toml") {
            if !name.eq_ignore_ascii_case("game.toml")
                && let Some(file) = take(files, root, &path, sink)?
                && let Some(node) = read::toml::parse(files, file, sink)
            {
                read::toml::records(files, file, &node, &names, &mut records, sink);
            }
        } else if !has_ending(name, "csv") {
            let table = |header: &str| headed(&game, &names, header);
            take_workbook(files, root, &path, name, &table, &mut sheets, sink)?;
        }
    }
    // After the files, so that a worksheet that repeats one is told of and not the file.
    let mut into = workbooks::Into {
        records: &mut records,
        headers: &mut headers,
        strays: &mut strays,
    };
    let mut chart_sheets = workbooks::read_tables(files, &sheets, &game, &names, &mut into, sink);
    let mut charts = Vec::new();
    for (index, chart) in game.tables.iter().enumerate() {
        if !crate::definition::is_inside(&chart.file, 2) {
            // That it lies elsewhere has been told.
            continue;
        }
        let path = format!("{folder}/{}", chart.file);
        let span = game.span(&format!("/tables/{index}/file"));
        let (sheet, mut told) = match chart_sheets.remove(&index) {
            Some((file, told)) => (Some(file), told),
            None => (None, Sink::default()),
        };
        let found = match sheet {
            Some(sheet) if !root.join(&path).exists() => Ok(sheet),
            _ => files.read(root, &path),
        };
        match found {
            Ok(file) => {
                if let Some(sheet) = sheet.filter(|sheet| *sheet != file) {
                    sink.push(workbooks::twice(files, sheet, file, "chart"));
                }
                note_encoding(files, file, sink);
                if !text::judge(files, file, sink) {
                    continue;
                }
                let mut table = Table::new(&chart.id);
                let read = read::csv::read(files, file, &[&chart.rows.name], &mut table, sink);
                workbook::keep_read(&mut told, &table, 0, &read);
                sink.append(told);
                charts.push((index, table, read));
            }
            Err(Unreadable::Io(error)) => {
                let what = format!("the chart's file `{path}`");
                sink.push(unread(root, &path, span, &what, &error));
            }
            Err(other) => text::refuse(files, &other, &path, sink),
        }
    }
    let scenarios = read_scenarios(files, root, id, &mut records, &mut headers, sink)?;
    for table in &names {
        if records
            .table(table)
            .is_some_and(|table| !table.all_rows().is_empty())
            || headers.contains_key(*table)
        {
            found.insert((*table).to_owned());
        }
    }
    let in_folder = stray::Folder {
        game: &game,
        tables: &names,
        found: &found,
    };
    strays.extend(in_folder.report(files, root, &folder, &listed, sink)?);
    let errata_folder = format!("{folder}/errata");
    let mut overlay_files = Vec::new();
    let mut overlay_count = 0;
    if root.join(&errata_folder).is_dir() {
        let listed = stray::list_told(files, root, &errata_folder, sink)?;
        for name in &listed {
            if has_ending(name, "toml") {
                overlay_count += 1;
                overlay_files.extend(take(files, root, &format!("{errata_folder}/{name}"), sink)?);
            }
        }
        stray::report_unread(files, root, &errata_folder, &listed, &[], sink);
    }
    let overlays = errata::load(files, &overlay_files, sink);
    crate::definition::judge_overlays(&game, &overlays, sink);
    let known = Known {
        game: &game,
        tables: &names,
        records: &records,
        scenarios: &scenarios,
        overlays: &overlays,
    };
    known.report(strays, sink);
    Ok(Some(Contents {
        game,
        records,
        headers,
        charts,
        scenarios,
        overlays,
        overlay_files: overlay_count,
    }))
}

/// Reads the scenarios of a game. Their lists become records, so that overlays can correct them.
fn read_scenarios(
    files: &mut Files,
    root: &Path,
    game: &str,
    records: &mut Records,
    headers: &mut BTreeMap<String, Vec<Header>>,
    sink: &mut Sink,
) -> io::Result<Vec<(Document<ScenarioFile>, String)>> {
    let folder = format!("{}/{game}", scenario::FOLDER);
    let mut scenarios = Vec::new();
    stray::report_folder(files, root, scenario::FOLDER, game, sink);
    if !root.join(&folder).is_dir() {
        return Ok(scenarios);
    }
    let schedules = format!("{folder}/schedules");
    stray::report_folder(files, root, &folder, "schedules", sink);
    if root.join(&schedules).is_dir() {
        let known: Vec<String> = rows::list_schema(SCHEDULE)
            .and_then(|schema| Some(schema.get("properties")?.as_object()?.keys().cloned().collect()))
            .unwrap_or_default();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let mut read = BTreeMap::new();
        let mut sheets = Vec::new();
        let listed = stray::list_told(files, root, &schedules, sink)?;
        stray::report_schedules(files, &schedules, &listed, sink);
        for name in listed {
            let path = format!("{schedules}/{name}");
            let Some(stem) = without_ending(&name, "csv") else {
                take_workbook(files, root, &path, &name, &|_| None, &mut sheets, sink)?;
                continue;
            };
            if let Some(file) = take(files, root, &path, sink)? {
                read_schedule(files, file, stem, &known, records, headers, sink);
                read.insert(stem.to_owned(), file);
            }
        }
        for (path, sheet) in &sheets {
            if !sheet.has_header(&known) {
                if let Some(found) = workbooks::unread(files, path, sheet, None) {
                    sink.push(found);
                }
                continue;
            }
            let mut told = Sink::default();
            let file = workbook::enter(files, path, sheet, IN_SCHEDULES, &mut told);
            let name = sheet.name.trim();
            if let Some(first) = read.get(name) {
                sink.push(workbooks::twice(files, file, *first, "schedule"));
                continue;
            }
            let from = records.table_mut(SCHEDULE).all_rows().len();
            let names = read_schedule(files, file, name, &known, records, headers, sink);
            workbook::keep_read(&mut told, records.table_mut(SCHEDULE), from, &names);
            sink.append(told);
            read.insert(name.to_owned(), file);
        }
    }
    let mut briefings: Vec<String> = Vec::new();
    let listed = stray::list_told(files, root, &folder, sink)?;
    for name in &listed {
        let Some(stem) = without_ending(name, "toml") else {
            continue;
        };
        let Some(file) = take(files, root, &format!("{folder}/{name}"), sink)? else {
            continue;
        };
        let lists = scenario::LISTS.map(|(key, _)| key);
        let Some(document) = document::load_beside::<ScenarioFile>(files, file, &lists, sink) else {
            continue;
        };
        if document.id != stem {
            sink.push(
                Diagnostic::new(
                    &SCENARIO_ID,
                    document.span("/id"),
                    format!(
                        "the scenario's id is `{}`, but its file is called `{name}`",
                        document.id
                    ),
                )
                .note("not the file's name")
                .help(format!("write `id = \"{stem}\"`, or rename the file")),
            );
            continue;
        }
        for (key, table) in scenario::LISTS {
            lift(files, &document, key, records.table_mut(table));
        }
        let mut briefing = String::new();
        let briefing_span = document.span("/briefing");
        if let Some(name) = &document.briefing {
            if !crate::definition::is_inside(name, 2) {
                sink.push(crate::definition::outside(
                    &text::UNREADABLE_FILE,
                    "the briefing",
                    name,
                    briefing_span,
                ));
                continue;
            }
            briefings.push(name.clone());
            match files.read(root, &format!("{folder}/{name}")) {
                Ok(file) if !text::judge(files, file, sink) => {}
                Ok(file) => {
                    briefing = files.text(file).to_owned();
                    for span in emit::markdown::raw_html(&briefing) {
                        sink.push(
                            Diagnostic::new(
                                &emit::markdown::RAW_HTML,
                                Span::new(file, span.start, span.end),
                                "the briefing holds raw HTML",
                            )
                            .note("HTML is refused")
                            .help("write Markdown: `*emphasis*`, `**strong**`, lists and tables"),
                        );
                    }
                    // The end of a line is one character, however the file's program writes it.
                    if briefing.contains('\r') {
                        briefing = briefing.replace("\r\n", "\n").replace('\r', "\n");
                    }
                }
                Err(Unreadable::Io(error)) => {
                    let path = format!("{folder}/{name}");
                    let what = format!("the briefing `{path}`");
                    sink.push(unread(root, &path, briefing_span, &what, &error));
                }
                Err(problem) => text::refuse(files, &problem, &format!("{folder}/{name}"), sink),
            }
        }
        scenarios.push((document, briefing));
    }
    stray::report_unread(files, root, &folder, &listed, &briefings, sink);
    Ok(scenarios)
}

/// Reads one schedule: its rows become records of the table of all schedules, with its name.
fn read_schedule(
    files: &Files,
    file: FileId,
    name: &str,
    known: &[&str],
    records: &mut Records,
    headers: &mut BTreeMap<String, Vec<Header>>,
    sink: &mut Sink,
) -> Vec<Header> {
    let table = records.table_mut(SCHEDULE);
    let from = table.all_rows().len();
    let read = read::csv::read(files, file, known, table, sink);
    headers
        .entry(SCHEDULE.to_owned())
        .or_default()
        .extend(read.iter().cloned());
    let column = table.add_column("schedule");
    for row in from..table.all_rows().len() {
        if table.get(row, column).is_none() {
            let span = table.row_span(row);
            table.set_value(row, column, Value::Text(name.into()), span, None);
        }
    }
    read
}

/// Takes in the worksheets of a file that is a workbook; of another file nothing.
fn take_workbook(
    files: &mut Files,
    root: &Path,
    path: &str,
    name: &str,
    table: &dyn Fn(&str) -> Option<String>,
    sheets: &mut Vec<(String, Sheet)>,
    sink: &mut Sink,
) -> io::Result<()> {
    if workbook::is_lock_file(name) {
        return Ok(());
    }
    if workbook::is_workbook(name) {
        let found = workbooks::open(files, root, path, table, sink)?;
        sheets.extend(found.into_iter().map(|sheet| (path.to_owned(), sheet)));
    } else if workbook::is_other_workbook(name) {
        workbooks::report_unknown(files, path, sink);
    }
    Ok(())
}

/// Makes records of a list in a scenario: `deploy` becomes `deployments`, each with the scenario's id before its own.
fn lift(files: &Files, document: &Document<ScenarioFile>, key: &str, table: &mut Table) {
    let text = files.shared_text(document.file);
    let Some(NodeValue::List(entries)) = document.node().get(key).map(|node| &node.value) else {
        return;
    };
    for (number, entry) in entries.iter().enumerate() {
        let NodeValue::Table(fields) = &entry.value else {
            continue;
        };
        for field in fields {
            table.add_column(&field.key);
        }
        let id_column = table.add_column("id");
        let span = entry.span;
        let row = table.add_row(document.file, &text, span.start as usize, span.end as usize);
        let own = entry
            .get("id")
            .map_or_else(|| (number + 1).to_string(), |id| id.to_value().to_cell());
        let id_span = entry.get("id").map_or(span, |id| id.span);
        table.set_value(
            row,
            id_column,
            Value::Text(format!("{}/{own}", document.id).into()),
            id_span,
            None,
        );
        for field in fields.iter().filter(|field| field.key != "id") {
            let column = table.add_column(&field.key);
            table.set_value(row, column, field.value.to_value(), field.value.span, None);
        }
    }
}

/// Reads a file; one that is not text is reported and gives `None`, one that the system refuses is an error.
fn take(files: &mut Files, root: &Path, path: &str, sink: &mut Sink) -> io::Result<Option<FileId>> {
    match files.read(root, path) {
        Ok(file) => {
            note_encoding(files, file, sink);
            Ok(text::judge(files, file, sink).then_some(file))
        }
        Err(Unreadable::Io(error)) => Err(io::Error::new(error.kind(), format!("{path}: {error}"))),
        Err(other) => {
            text::refuse(files, &other, path, sink);
            Ok(None)
        }
    }
}

/// Says where a file is read although it is not UTF-8.
fn note_encoding(files: &Files, file: FileId, sink: &mut Sink) {
    if matches!(files.encoding(file), Encoding::Utf16Le | Encoding::Utf16Be) {
        sink.push(
            Diagnostic::new(
                &OTHER_ENCODING,
                Span::file_start(file),
                format!(
                    "`{}` is UTF-16; it is read, but other programs may not read it",
                    files.path(file)
                ),
            )
            .help(if files.path(file).ends_with(".csv") {
                "save it again as “CSV UTF-8” (or as plain UTF-8 text)"
            } else {
                "save it again as UTF-8"
            }),
        );
    }
}

/// Says of a file that another names that it cannot be read, and which one may be meant.
fn unread(root: &Path, path: &str, span: Span, what: &str, error: &io::Error) -> Diagnostic {
    let why = match error.kind() {
        io::ErrorKind::NotFound => "does not exist".to_owned(),
        io::ErrorKind::PermissionDenied => "may not be read by you".to_owned(),
        io::ErrorKind::IsADirectory => "is a folder".to_owned(),
        _ => format!("cannot be read: {error}"),
    };
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let there = list(&root.join(folder)).unwrap_or_default();
    let near = suggest::closest(name, there.iter().map(String::as_str));
    Diagnostic::new(&text::UNREADABLE_FILE, span, format!("{what} {why}"))
        .note("this file")
        .help(match near {
            Some(near) if near != name => format!("did you mean `{near}`?"),
            _ => format!("put it at `{path}`, or correct its name"),
        })
}

/// The table whose columns a header names.
fn headed(game: &Game, names: &[&str], header: &str) -> Option<String> {
    let cells = header.split([',', ';', '\t', '|']);
    let cells: Vec<&str> = cells.map(|cell| cell.trim().trim_matches('"')).collect();
    let score = |name: &&&str| {
        let known = known_columns(game, name);
        cells
            .iter()
            .filter(|cell| known.iter().any(|known| known == *cell))
            .count()
    };
    // Of several the first; what names no more than it misses is no header.
    let best = names.iter().rev().max_by_key(score)?;
    (score(&best) * 2 > cells.len()).then(|| (**best).to_owned())
}

/// The columns that a table may have.
fn known_columns(game: &Game, table: &str) -> Vec<String> {
    rows::schema(game, table)
        .get("properties")
        .and_then(serde_json::Value::as_object)
        .map(|properties| properties.keys().cloned().collect())
        .unwrap_or_default()
}

/// The names in a folder, sorted; hidden ones are left out.
fn list(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    let entries = std::fs::read_dir(folder)
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", folder.display())))?;
    for entry in entries {
        if let Ok(name) = entry?.file_name().into_string()
            && !name.starts_with('.')
        {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}
