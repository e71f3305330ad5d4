//! What is fuzzed: plain functions that take any bytes. cargo-fuzz calls them (`fuzz_targets/`), and so does
//! `tests/fuzz.rs` with a generator of its own, which needs neither nightly nor a fuzzer.
//!
//! None may panic, and none may take more than a moment or more memory than a small multiple of its input.

use orbat::diagnostic::Sink;
use orbat::document;
use orbat::errata::{self, Edition, OverlayFile};
use orbat::expression::{self, Scope};
use orbat::game::{Game, GameFile, Of};
use orbat::model::Model;
use orbat::read;
use orbat::record::{Records, Table};
use orbat::reference::Index;
use orbat::report::{self, Format, Style};
use orbat::scenario::ScenarioFile;
use orbat::selection;
use orbat::source::{FileId, Files, Span, Unreadable};

/// The columns that the CSV reader is told of.
const COLUMNS: &[&str] = &[
    "id",
    "formation",
    "kind",
    "name",
    "abbr",
    "strength",
    "weapon",
    "note",
];

/// The tables of the order of battle that the TOML reader and the overlays see, with their files.
const TABLES: &[(&str, &str)] = &[
    (
        "effectiveness",
        include_str!("../../tests/faults/base/oob/drill/effectiveness.csv"),
    ),
    (
        "formations",
        include_str!("../../tests/faults/base/oob/drill/formations.csv"),
    ),
    (
        "leaders",
        include_str!("../../tests/faults/base/oob/drill/leaders.csv"),
    ),
    (
        "units",
        include_str!("../../tests/faults/base/oob/drill/units.csv"),
    ),
    (
        "weapons",
        include_str!("../../tests/faults/base/oob/drill/weapons.csv"),
    ),
];

const GAME: &str = include_str!("../../tests/faults/base/oob/drill/game.toml");

/// The CSV reader, with known columns and without, and what it reports in every form.
pub fn csv(data: &[u8]) {
    for columns in [COLUMNS, &[]] {
        let mut files = Files::default();
        let Some(file) = take(&mut files, "units.csv", data) else {
            return;
        };
        let mut sink = Sink::default();
        let mut table = Table::new("units");
        let headers = read::csv::read(&files, file, columns, &mut table, &mut sink);
        for header in &headers {
            shown(&files, header.span);
            for row in table.rows() {
                if let Some(datum) = table.field(row, &header.name) {
                    let _ = datum.value.to_cell();
                }
                shown(&files, table.span(row, &header.name));
            }
        }
        told(sink, &files);
    }
}

/// The TOML reader, the documents and the nested order of battle.
pub fn toml(data: &[u8]) {
    let mut files = Files::default();
    let Some(file) = take(&mut files, "more.toml", data) else {
        return;
    };
    let mut sink = Sink::default();
    if let Some(root) = read::toml::parse(&files, file, &mut sink) {
        let _ = root.to_json();
        let names: Vec<&str> = TABLES.iter().map(|(name, _)| *name).collect();
        read::toml::records(&files, file, &root, &names, &mut Records::default(), &mut sink);
        let _ = document::load::<GameFile>(&files, file, &mut sink);
        let _ = document::load::<ScenarioFile>(&files, file, &mut sink);
        let _ = document::load::<OverlayFile>(&files, file, &mut sink);
    }
    told(sink, &files);
}

/// The language of selections.
pub fn selection(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    if let Err(error) = selection::parse(text) {
        assert!(
            text.get(error.at.clone()).is_some(),
            "{:?} is no part of {text:?}",
            error.at
        );
        assert!(!error.message.is_empty() && !error.help.is_empty());
    }
}

/// An overlay applied to a small order of battle.
pub fn errata(data: &[u8]) {
    let mut files = Files::default();
    let mut sink = Sink::default();
    let mut records = Records::default();
    for (name, text) in TABLES {
        let file = files.add(format!("{name}.csv"), text);
        read::csv::read(&files, file, &[], records.table_mut(name), &mut sink);
    }
    let mut index = Index::build(&records, &[]);
    let Some(file) = take(&mut files, "sheet.toml", data) else {
        return;
    };
    let overlays = errata::load(&files, &[file], &mut sink);
    let edition = Edition::default();
    let _ = errata::apply(
        &files,
        &overlays,
        &edition,
        None,
        &mut records,
        &mut index,
        &mut sink,
    );
    told(sink, &files);
}

/// An expression and a template of the game definition.
pub fn expression(data: &[u8]) {
    thread_local! {
        static DRILL: Option<(Game, Model)> = {
            let mut files = Files::default();
            let file = files.add("game.toml", GAME);
            document::load::<GameFile>(&files, file, &mut Sink::default()).map(|game| (game, Model::default()))
        };
    }
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    DRILL.with(|drill| {
        let (game, model) = drill.as_ref().expect("the base's definition is sound");
        let mut files = Files::default();
        let file = files.add("game.toml", text);
        let span = Span::new(file, 0, text.len());
        let mut sink = Sink::default();
        let environment = expression::environment(game, model);
        let compiled = expression::compile(&environment, text, span, &mut sink);
        let template = expression::template(&environment, text, span, &mut sink);
        let _ = compiled.reads();
        let _ = Scope::new(game, model, Of::Units, [&compiled, &template]);
        let context = record();
        let _ = compiled.value(&context, &mut sink);
        let _ = compiled.holds(&context, &mut sink);
        let _ = template.text(&context, &mut sink);
        told(sink, &files);
    });
}

/// A record as expressions see it.
fn record() -> minijinja::Value {
    minijinja::context! {
        id => "red-hay",
        name => "Hay's Battery",
        abbr => "Hay",
        kind => "battery",
        arm => "artillery",
        strength => 6,
        guns => 6,
        men => (),
        designation => "North/1",
        formation => minijinja::context! { name => "North's Brigade", designation => "North/1", morale => "A" },
    }
}

fn take(files: &mut Files, path: &str, data: &[u8]) -> Option<FileId> {
    match files.add_bytes(path, data.to_vec()) {
        Ok(file) | Err(Unreadable::Encoding { file, .. }) => Some(file),
        Err(_) => None,
    }
}

/// A place can be shown.
fn shown(files: &Files, span: Span) {
    let place = files.place(span);
    assert!(place.line >= 1 && place.column >= 1);
    assert!(
        files
            .text(span.file)
            .get(span.start as usize..span.end as usize)
            .is_some(),
        "{span:?} is no part of its file"
    );
}

/// What is reported can be rendered in every form, and every place is right.
fn told(sink: Sink, files: &Files) {
    let mut found = sink.sorted(files);
    for found in &found {
        found.span.iter().for_each(|span| shown(files, *span));
        found.labels.iter().for_each(|label| shown(files, label.span));
    }
    found.truncate(20);
    let style = Style {
        color: false,
        width: 80,
        max: Some(20),
    };
    for format in [Format::Text, Format::Json, Format::Sarif, Format::Github] {
        let _ = report::render(&found, files, format, &style);
    }
}
