//! Tables in workbooks: the same packs as from CSV files, and findings at their cells.
//!
//! The workbooks are made by `workbooks.rs`, in the way in which Excel and LibreOffice write them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::Value;
use tempfile::TempDir;

use crate::skirmish::{MAIN, skirmish};
use crate::support::{check, orbat, read, text as as_text, tiny, tree};
use crate::workbooks::{Cell, KINDS, Kind, Sheet, bytes, gather, text, write, zipped};

const OOB: &str = "oob/skirmish";
const SCHEDULES: &str = "scenarios/skirmish/schedules";

/// The skirmish with its tables in workbooks.
fn in_workbooks(kind: Kind) -> TempDir {
    let root = skirmish();
    gather(root.path(), OOB, kind);
    gather(root.path(), SCHEDULES, kind);
    root
}

/// The skirmish with its units in a workbook, as they are or changed.
fn with_units(kind: Kind, change: impl Fn(Sheet) -> Sheet) -> TempDir {
    let root = skirmish();
    let units = Sheet::of_csv("units", &read(root.path(), "oob/skirmish/units.csv"));
    fs::remove_file(root.path().join("oob/skirmish/units.csv")).expect("removed");
    write(root.path(), &book(OOB, kind), kind, &[change(units)]);
    root
}

fn book(folder: &str, kind: Kind) -> String {
    format!("{folder}/book.{}", kind.extension())
}

/// Findings as `severity code file cell message`.
fn found(root: &Path) -> Vec<String> {
    let line = |found: &Value| {
        format!(
            "{} {} {} {}",
            as_text(&found["severity"]),
            as_text(&found["code"]),
            found["cell"].as_str().unwrap_or("-"),
            as_text(&found["message"])
        )
    };
    check(root, &[]).1.iter().map(line).collect()
}

/// The one finding of a code; what follows from it may be found too.
fn finding(root: &Path, code: &str) -> Value {
    let (_, all) = check(root, &[]);
    let mut found: Vec<Value> = all
        .iter()
        .filter(|found| found["code"] == code)
        .cloned()
        .collect();
    assert_eq!(found.len(), 1, "{all:#?}");
    found.remove(0)
}

/// The one finding of a project.
fn only(root: &Path) -> (i32, Value) {
    let (status, mut all) = check(root, &[]);
    assert_eq!(all.len(), 1, "{all:#?}");
    (status, all.remove(0))
}

/// Builds a project; what it wrote, without the provenance of the pack, and that.
fn built(root: &Path, game: &str) -> (BTreeMap<String, Vec<u8>>, Value) {
    let run = orbat(root, &["build"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let mut all = tree(&root.join("dist"));
    // It has the hash of what was read.
    assert!(all.remove("manifest.json").is_some());
    let path = format!("{game}/pack.json");
    let mut pack: Value = serde_json::from_slice(&all[&path]).expect("JSON");
    let provenance = pack["provenance"].take();
    all.insert(path, pack.to_string().into_bytes());
    (all, provenance)
}

#[test]
fn a_workbook_gives_the_packs_that_csv_files_give() {
    type Project = fn() -> TempDir;
    let games: [(&str, Project, &[&str]); 2] = [
        ("skirmish", skirmish, &[OOB, SCHEDULES]),
        ("tiny", tiny, &["oob/tiny"]),
    ];
    for (game, project, folders) in games {
        let (wanted, of_files) = built(project().path(), game);
        for kind in KINDS {
            let root = project();
            for folder in folders {
                gather(root.path(), folder, kind);
            }
            let (got, of_cells) = built(root.path(), game);
            assert!(got == wanted, "{game} as {kind:?} gives another pack");
            // Places in CSV files are now cells of the same row; those in TOML files are as they were.
            let (old, new) = (of_files.as_object().unwrap(), of_cells.as_object().unwrap());
            assert!(!old.is_empty() && old.keys().eq(new.keys()));
            for (key, place) in new {
                if !as_text(&old[key]["file"]).ends_with(".csv") {
                    assert_eq!(place, &old[key]);
                    continue;
                }
                assert_eq!(place["file"], book(folders[0], kind));
                assert_eq!(place["line"], old[key]["line"], "{key}");
                let cell = as_text(&place["cell"]);
                assert!(cell.ends_with(&place["line"].to_string()), "{key}: {cell}");
            }
        }
    }
}

#[test]
fn a_finding_names_its_cell_in_every_format() {
    for kind in KINDS {
        // A blank row, a cell of two lines and a column of its own above the misspelt formation.
        let root = with_units(kind, |mut units| {
            units.rows.insert(1, Vec::new());
            units
                .with("H3", text("a note,\nof two lines"))
                .with("H1", text("note"))
                .with("B12", text("blue-wst"))
        });
        let path = book(OOB, kind);
        let finding = finding(root.path(), "unresolved-reference");
        assert_eq!(finding["file"], path);
        assert_eq!(finding["cell"], "units!B12");
        let place = ["line", "column", "end_line", "end_column"].map(|key| finding[key].as_u64().unwrap());
        assert_eq!(place, [12, 2, 12, 3]);

        let run = orbat(root.path(), &["check"]);
        assert!(run.err.contains(&format!("[{path}:units!B12]")), "{}", run.err);
        assert!(run.err.contains("12 │ blue-7-essex,blue-wst,"), "{}", run.err);

        let run = orbat(root.path(), &["check", "--format", "github"]);
        let head = format!(
            "::error file={path},line=12,col=2,endLine=12,endColumn=3,title=unresolved-reference::units!B12: "
        );
        assert!(run.out.contains(&head), "{}", run.out);

        let run = orbat(root.path(), &["check", "--format", "sarif"]);
        let log: Value = serde_json::from_str(&run.out).expect("JSON");
        let results = log["runs"][0]["results"].as_array().expect("results");
        let result = results
            .iter()
            .find(|result| result["ruleId"] == "unresolved-reference");
        let place = &result.expect("the finding")["locations"][0];
        assert_eq!(place["physicalLocation"]["artifactLocation"]["uri"], path);
        assert_eq!(place["physicalLocation"]["region"]["startLine"], 12);
        assert_eq!(place["logicalLocations"][0]["fullyQualifiedName"], "units!B12");

        let root = in_workbooks(kind);
        let run = orbat(root.path(), &["why", "11 Kent.strength"]);
        assert!(run.out.contains(&format!("{path}:units!F3")), "{}", run.out);
    }
}

#[test]
fn what_a_spreadsheet_did_to_a_cell_is_told_at_the_cell() {
    for kind in KINDS {
        let root = with_units(kind, |units| {
            units
                .with("E3", Cell::NewYear)
                .with("E4", Cell::Time(11, 40))
                .with("F6", Cell::Error)
                .with("F7", Cell::Formula(None))
        });
        assert_eq!(
            found(root.path()),
            [
                "error date-cell units!E3 the spreadsheet made a date of this cell: 2026-01-01, shown as `1-Jan`",
                "error date-cell units!E4 the spreadsheet made a time of day of this cell: 1140, shown as `11:40`",
                "error error-cell units!F6 the cell holds the error `#REF!`",
                "error uncalculated-cell units!F7 the cell holds a formula without its result",
            ],
            "{kind:?}"
        );
    }
}

#[test]
fn results_of_formulas_and_numbers_are_values() {
    for kind in KINDS {
        let root = with_units(kind, |units| {
            units
                .with("F3", Cell::Formula(Some(4.0)))
                .with("F4", Cell::Number(5.0))
        });
        assert_eq!(found(root.path()), Vec::<String>::new(), "{kind:?}");
        // A fraction is none that the column may have, and is shown as it is typed.
        let root = with_units(kind, |units| units.with("F3", Cell::Formula(Some(0.1 + 0.2))));
        assert_eq!(finding(root.path(), "not-plain-number")["cell"], "units!F3");
        let run = orbat(root.path(), &["check"]);
        assert!(run.err.contains("11 Kent,0.3\n"), "{}", run.err);
    }
}

#[test]
fn dates_and_times_count_where_a_schedule_has_them() {
    for kind in KINDS {
        let root = skirmish();
        let schedule = Sheet::of_csv("main", &read(root.path(), MAIN));
        let plain = orbat(root.path(), &["timeline", "clash"]);
        fs::remove_file(root.path().join(MAIN)).expect("removed");
        let schedule = schedule
            .with("D2", Cell::Time(9, 0))
            .with("D3", Cell::Time(10, 0))
            .with("K4", Cell::Boolean(true));
        let schedule = match kind {
            // Excel knows no days before 1900, so that they stay text.
            Kind::Xlsx => schedule,
            Kind::Ods => schedule.with("C2", Cell::Date(0.0, "1800-06-01")),
        };
        let remarks = Sheet::of_csv("remarks", "What we still have to look up\n");
        write(
            root.path(),
            &book(SCHEDULES, kind),
            kind,
            &[schedule.clone(), remarks],
        );
        assert_eq!(
            found(root.path()),
            [format!(
                "note unknown-worksheet remarks!A1 the worksheet `remarks` of `{}` is not read: no table has its name",
                book(SCHEDULES, kind)
            )]
        );
        assert_eq!(orbat(root.path(), &["timeline", "clash"]).out, plain.out);
        // A date that the calendar does not have is told as in a file: at the day.
        let wrong = schedule.with("C3", Cell::Date(46023.0, "2026-01-01"));
        write(root.path(), &book(SCHEDULES, kind), kind, &[wrong]);
        let (_, all) = check(root.path(), &[]);
        let told =
            |found: &Value| found["cell"] == "main!C3" && as_text(&found["message"]).contains("2026-01-01");
        assert!(all.iter().any(told), "{all:#?}");
    }
}

#[test]
fn other_worksheets_get_one_note_and_empty_ones_none() {
    for kind in KINDS {
        let root = in_workbooks(kind);
        let sheets = [
            Sheet::of_csv("unit", "id,formation\n"),
            Sheet::of_csv("My remarks", "Anything\n"),
            Sheet::of_csv("Sheet3", ""),
        ];
        write(
            root.path(),
            &format!("{OOB}/more.{}", kind.extension()),
            kind,
            &sheets,
        );
        let (status, all) = check(root.path(), &[]);
        assert_eq!(status, 0);
        assert_eq!(
            found(root.path()),
            [
                ("note unknown-worksheet", "My remarks"),
                ("warning misnamed-worksheet", "unit")
            ]
            .map(|(what, name)| format!(
                "{what} {name}!A1 the worksheet `{name}` of `{OOB}/more.{}` is not read: no table has its name",
                kind.extension()
            ))
        );
        assert_eq!(all[1]["help"], "did you mean `units`? Rename the tab");
    }
}

#[test]
fn a_table_may_be_spread_over_files_but_not_copied() {
    for kind in KINDS {
        // The same table as a file and as a worksheet is one error, not one for every unit.
        let root = skirmish();
        let csv = read(root.path(), "oob/skirmish/units.csv");
        write(
            root.path(),
            &book(OOB, kind),
            kind,
            &[Sheet::of_csv("units", &csv)],
        );
        let (status, finding) = only(root.path());
        assert_eq!(status, 1);
        assert_eq!(
            (&finding["code"], &finding["cell"]),
            (&"table-twice".into(), &"units!A2".into())
        );
        assert_eq!(finding["labels"][0]["file"], "oob/skirmish/units.csv");
        assert_eq!(finding["labels"][0]["line"], 2);
        assert_eq!(finding["labels"][0].get("cell"), None);

        // A table whose rows are parted between them is whole.
        let root = skirmish();
        let (head, rows) = csv.split_once('\n').expect("a header");
        let at = rows.find("blue-").expect("the other side");
        crate::support::write(
            root.path(),
            "oob/skirmish/units.csv",
            format!("{head}\n{}", &rows[..at]),
        );
        let blue = Sheet::of_csv("Units", &format!("{head}\n{}", &rows[at..]));
        write(root.path(), &book(OOB, kind), kind, &[blue]);
        assert_eq!(found(root.path()), Vec::<String>::new());

        let root = skirmish();
        let schedule = Sheet::of_csv("main", &read(root.path(), MAIN));
        write(root.path(), &book(SCHEDULES, kind), kind, &[schedule]);
        let (_, finding) = only(root.path());
        assert_eq!(
            (&finding["code"], &finding["cell"]),
            (&"table-twice".into(), &"main!A1".into())
        );
    }
}

#[test]
fn merged_and_hidden_cells_are_noted_once() {
    for kind in KINDS {
        let root = with_units(kind, |mut units| {
            units.hidden = vec![2, 3];
            units.merged = Some((2, 1, 2));
            units
        });
        assert_eq!(
            found(root.path()),
            [
                "note hidden-cells units!A3 row 3 of the worksheet `units` (and perhaps others) is hidden in the \
                 spreadsheet and read all the same",
                "note merged-cells units!B3 the worksheet `units` has 1 group of merged cells: each value counts for the \
                 first cell alone",
            ]
        );
    }
}

/// What is said of a file in a game's folder that is called a workbook.
fn refused(name: &str, bytes: &[u8]) -> String {
    let root = skirmish();
    crate::support::write(root.path(), &format!("{OOB}/{name}"), bytes);
    let (status, finding) = only(root.path());
    assert_eq!(status, 1, "{finding}");
    assert_eq!(finding["code"], "unreadable-workbook");
    assert_eq!(finding["file"], format!("{OOB}/{name}"));
    let message = as_text(&finding["message"]).to_owned();
    message.split_once("cannot be read: ").expect("why").1.to_owned()
}

#[test]
fn a_workbook_that_cannot_be_read_is_one_error() {
    let units = [Sheet::of_csv("units", "id,formation\na,b\n")];
    let (xlsx, ods) = (bytes(Kind::Xlsx, &units), bytes(Kind::Ods, &units));
    let compound = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0];
    let locked: Vec<u8> = compound
        .into_iter()
        .chain("EncryptedPackage".bytes().flat_map(|byte| [byte, 0]))
        .collect();
    let locked_ods = zipped(&[
        ("META-INF/manifest.xml", "<m><encryption-data/></m>".into()),
        ("content.xml", "x".into()),
    ]);
    let no_end = zipped(&[("content.xml", "<a><table:table table:name='units'>".into())]);
    let no_sheet = zipped(&[("[Content_Types].xml", "<Types/>".into())]);
    let cut = "the archive that a workbook is has no end: the file was cut off or overwritten";
    let cases: [(&str, &[u8], &str); 13] = [
        ("a.xlsx", &xlsx[..xlsx.len() / 2], cut),
        ("a.ods", &ods[..ods.len() / 2], cut),
        ("a.xlsx", &[], "the file is empty"),
        (
            "a.xlsx",
            &[0, 1, 2, 3],
            "the file is no archive, as every workbook is",
        ),
        ("a.xlsx", b"id,formation\n", "by its contents it is a text"),
        (
            "a.xlsx",
            b" <html>",
            "by its contents it is a web page or an XML file",
        ),
        (
            "a.xlsx",
            &compound,
            "by its contents it is an old Excel file (`.xls`)",
        ),
        ("a.xlsx", &locked, "it is locked with a password"),
        ("a.ods", &locked_ods, "it is locked with a password"),
        ("a.xlsx", &ods, "by its contents it is an OpenDocument file"),
        ("a.ods", &xlsx, "by its contents it is an Excel workbook"),
        ("a.ods", &no_end, "the workbook's part `content.xml` is damaged"),
        (
            "a.xlsx",
            &no_sheet,
            "the workbook's part `xl/workbook.xml` is missing",
        ),
    ];
    for (name, bytes, why) in cases {
        assert_eq!(refused(name, bytes), why);
    }
}

#[test]
fn a_small_file_that_claims_to_be_huge_is_refused() {
    let table = |inner: &str| format!("<a><table:table table:name='units'>{inner}</table:table></a>");
    let cell = "office:value-type='float' office:value='1'";
    let many = "it has more than 4 million cells or 128 MiB of text";
    let big = "it unpacks to more than 256 MiB";
    let rows = table(&format!(
        "<table:table-row table:number-rows-repeated='1000000'><table:table-cell table:number-columns-repeated='1000' {cell}/></table:table-row>"
    ));
    let far = table(&format!(
        "<table:table-row table:number-rows-repeated='1000000'><table:table-cell table:number-columns-repeated='16000'/><table:table-cell {cell}/></table:table-row>"
    ));
    let text = table(&format!(
        "<table:table-row table:number-rows-repeated='2000'><table:table-cell office:value-type='string'><text:p>{}</text:p></table:table-cell></table:table-row>",
        "x".repeat(100_000)
    ));
    for (content, why) in [
        (rows, many),
        (far, many),
        (text, many),
        ("x".repeat((256 << 20) + 1), big),
    ] {
        let bomb = zipped(&[("content.xml", content)]);
        assert!(bomb.len() < 1_000_000);
        assert_eq!(refused("bomb.ods", &bomb), why);
    }
}

#[test]
fn other_kinds_are_told_and_lock_files_are_not() {
    let root = skirmish();
    crate::support::write(root.path(), &format!("{OOB}/old.xls"), b"anything");
    crate::support::write(root.path(), &format!("{OOB}/~$book.xlsx"), b"anything");
    let (status, finding) = only(root.path());
    assert_eq!(status, 0);
    assert_eq!(finding["code"], "unknown-workbook");
    assert_eq!(finding["file"], format!("{OOB}/old.xls"));
}

/// Reads bytes as a workbook, takes all its worksheets in and shows all that is said of them.
fn survive(name: &str, bytes: &[u8]) {
    use orbat::diagnostic::Sink;
    use orbat::read::{csv, workbook};
    use orbat::source::Files;
    let Ok(sheets) = workbook::read(name, bytes) else {
        return;
    };
    let (mut files, mut sink) = (Files::default(), Sink::default());
    for sheet in &sheets {
        let expected = workbook::Expected {
            dates: &["day"],
            times: &["time"],
            ..workbook::Expected::default()
        };
        let file = workbook::enter(&mut files, name, sheet, expected, &mut sink);
        let mut table = orbat::record::Table::new("units");
        csv::read(&files, file, &["id", "formation"], &mut table, &mut sink);
        for row in table.all_rows() {
            files.place(table.row_span(row));
        }
    }
    let style = orbat::report::Style {
        color: false,
        width: 80,
        max: None,
    };
    let found = sink.sorted(&files);
    orbat::report::render(&found, &files, orbat::report::Format::Text, &style);
    orbat::report::render(&found, &files, orbat::report::Format::Json, &style);
}

/// A workbook with something of everything.
fn varied(kind: Kind) -> Vec<u8> {
    let mut sheet = Sheet::of_csv("units", "id,formation,day,time\na,\"b\n, \"\"c\",1,2\n")
        .with("B4", Cell::NewYear)
        .with("C4", Cell::Date(1.0, "1900-01-01"))
        .with("D4", Cell::Time(7, 40))
        .with("A5", Cell::Error)
        .with("B5", Cell::Formula(None))
        .with("C5", Cell::Formula(Some(2.5)))
        .with("D5", Cell::Boolean(true));
    sheet.hidden = vec![3];
    sheet.merged = Some((1, 0, 2));
    bytes(kind, &[sheet])
}

/// The parts of an archive.
fn parts(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    use std::io::Read;
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).expect("an archive");
    (0..archive.len())
        .map(|index| {
            let mut part = archive.by_index(index).expect("a part");
            let name = part.name().expect("a name").into_owned();
            let mut bytes = Vec::new();
            part.read_to_end(&mut bytes).expect("bytes");
            (name, bytes)
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_are_survived(mut bytes in prop::collection::vec(any::<u8>(), 0..400), archive in any::<bool>()) {
        if archive {
            bytes.splice(0..0, *b"PK\x03\x04");
        }
        survive("a.xlsx", &bytes);
        survive("a.ods", &bytes);
    }

    #[test]
    fn damaged_archives_are_survived(cut in 0usize..4000, at in 0usize..4000, byte in any::<u8>()) {
        for kind in KINDS {
            let mut bytes = varied(kind);
            let count = bytes.len();
            bytes[at % count] = byte;
            bytes.truncate(count - cut % 8 * (cut % 50));
            survive(&format!("a.{}", kind.extension()), &bytes);
        }
    }

    /// The archive is sound and what is in it is not: pieces of its XML are lost, doubled or other.
    #[test]
    fn damaged_parts_are_survived(which in 0usize..16, at in 0usize..4000, count in 0usize..60, with in "[<>/=\"a-z0-9 &;:-]{0,12}") {
        for kind in KINDS {
            let mut all = parts(&varied(kind));
            let index = which % all.len();
            let mut text = String::from_utf8(all[index].1.clone()).expect("UTF-8");
            let start = at % (text.len() + 1);
            let end = (start + count).min(text.len());
            text.replace_range(start..end, &with);
            all[index].1 = text.into_bytes();
            let parts: Vec<(&str, String)> = all
                .iter()
                .map(|(name, bytes)| (name.as_str(), String::from_utf8(bytes.clone()).expect("UTF-8")))
                .collect();
            survive(&format!("a.{}", kind.extension()), &zipped(&parts));
        }
    }
}
