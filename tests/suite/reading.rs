//! Files as authors have them: damaged in every known way, each told once, at its place, with the cure.

use std::path::Path;

use orbat::diagnostic::{Diagnostic, Sink};
use orbat::errata::Edition;
use orbat::source::{Encoding, Files};
use proptest::prelude::*;

use crate::support::{REPOSITORY, check, copy, edit, json, orbat, read, tiny, write};

const UNITS: &str = "oob/tiny/units.csv";

/// Everything that is found in a project.
fn found(root: &Path) -> (Files, Vec<Diagnostic>) {
    let (mut files, mut sink) = (Files::default(), Sink::default());
    orbat::compile(&mut files, root, "tiny", &Edition::default(), &mut sink).expect("readable files");
    let found = sink.sorted(&files);
    (files, found)
}

/// Findings as a reader of a review would want them: place, code, message, help and replacement, one a line.
fn told(root: &Path) -> String {
    let (files, found) = found(root);
    let mut told = String::new();
    for found in &found {
        let place = found.span.map_or_else(String::new, |span| {
            let place = files.place(span);
            let name = files.path(span.file).rsplit('/').next().unwrap_or_default();
            format!("{name}:{}:{}", place.line, place.column)
        });
        told += &format!("  {place} {}: {}", found.rule.code, found.message);
        if let Some(help) = &found.help {
            told += &format!(" — {help}");
        }
        if let Some(fix) = &found.fix {
            told += &format!(" ⇒ {:?}", fix.replacement);
        }
        told += "\n";
    }
    if told.is_empty() {
        "  nothing\n".into()
    } else {
        told
    }
}

/// What is told of `units.csv` after each change of one text in it.
fn told_of_changes(from: &str, changes: &[&str]) -> String {
    let mut all = String::new();
    for to in changes {
        let root = tiny();
        edit(root.path(), UNITS, from, to);
        all += &format!("{to:?}\n{}", told(root.path()));
    }
    all
}

#[test]
fn numbers() {
    let cells = [
        "4*",
        "4 (a)",
        "2½",
        "\"2,5\"",
        "\"1,200\"",
        "4 SP",
        "~4",
        "3-4",
        "n/a",
        "—",
        "l2",
        "４",
        "4.0",
        "1.00E+10",
        "8-Jan",
        "=SUM(A1:A2)",
        "#N/A",
        "####",
        "'4",
        "\"4\u{a0}\"",
        "do.",
        "four",
    ];
    let rows: Vec<String> = cells.iter().map(|cell| format!("3 Kent,{cell},M")).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    insta::assert_snapshot!(told_of_changes("3 Kent,4,M", &rows));
}

#[test]
fn words_and_references() {
    let cells = [
        "8-Jan,foot",
        "45299,foot",
        "1E+05,foot",
        "red–1–north,foot",
        "ｒｅｄ-1-south,foot",
        "South/1*,foot",
        "do.,foot",
        "n/a,foot",
        "#REF!,foot",
        "red-1-south,Foot",
        "red-1-south,fооt",
        "red-1-south,f\u{ad}oot",
        "red-1-south\u{200b},foot",
    ];
    let rows: Vec<String> = cells
        .iter()
        .map(|cells| format!("red-4-york,{cells},4th"))
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    insta::assert_snapshot!(told_of_changes("red-4-york,red-1-south,foot,4th", &rows));
}

#[test]
fn a_date_lists_the_designations_that_there_are() {
    let root = tiny();
    edit(
        root.path(),
        "oob/tiny/formations.csv",
        "brigade,North",
        "brigade,8",
    );
    edit(root.path(), "oob/tiny/effectiveness.csv", "North/1", "8-Jan");
    edit(root.path(), "oob/tiny/leaders.csv", "North/1", "8/1");
    insta::assert_snapshot!(told(root.path()));
}

#[test]
fn shifted_cells() {
    insta::assert_snapshot!(told_of_changes(
        "foot,3d Kent,3 Kent,4,M,,",
        &[
            "foot,3d Kent,3 Kent,M,,,",
            "foot,3d Kent,4,M,,,",
            ",foot,3d Kent,3 Kent,4,M,",
            "3d Kent,3 Kent,4,M,,,",
        ]
    ));
}

#[test]
fn layouts() {
    let mut all = String::new();
    type Change = fn(&str) -> String;
    let layouts: [(&str, Change); 13] = [
        ("title and blank rows", |text| {
            format!("Order of battle,,,\n\n{text}")
        }),
        ("encoding", |text| format!("UTF-8\n{text}")),
        ("two-row header", |text| {
            let text = text.replacen("name,abbr,strength", ",abbr,", 1);
            text.replacen("note\n", "note\n,,,name,,strength,,,\n", 1)
        }),
        ("row of units", |text| {
            text.replacen("note\n", "note\n,,,,,(men),,,\n", 1)
        }),
        ("headings", |text| {
            text.replacen("red-4", "South's Brigade,,,,,,,,\nred-4", 1)
                .replacen("blue-6", "BLUE\nblue-6", 1)
        }),
        ("totals", |text| format!("{text}Total,,,,,13,,,\n")),
        ("notes", |text| format!("{text}* Estimated\nNote: a, b, and c\n")),
        ("empty rows and columns", |text| {
            format!("{}{}", text.replace('\n', ",,\n"), ",,,,,,,,,,\n".repeat(500))
        }),
        ("header repeated", |text| {
            text.replacen(
                "red-4",
                "id,formation,kind,name,abbr,strength,weapon,aliases,note\nred-4",
                1,
            )
        }),
        ("header twice", |text| {
            text.replacen("aliases,note", "note,note", 1)
        }),
        ("header spelled otherwise", |text| {
            text.replacen("strength,weapon", "Strength ,weapon\u{a0}", 1)
        }),
        ("unknown column", |text| text.replacen("strength", "strenght", 1)),
        ("missing column", |text| text.replacen("kind", "colour", 1)),
    ];
    for (what, change) in layouts {
        let root = tiny();
        write(root.path(), UNITS, change(&read(root.path(), UNITS)));
        all += &format!("{what}\n{}", told(root.path()));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn bytes() {
    let mut all = String::new();
    let damage: [(&str, &[u8]); 5] = [
        ("Windows-1252", b"Hay\x92s Caf\xe9"),
        ("DOS", b"Caf\x82"),
        ("a lone byte in UTF-8", b"\xc3\xa9 Caf\xe9"),
        ("NUL", b"Ha\0y"),
        ("stray quote", b"Hay\"s"),
    ];
    for (what, bytes) in damage {
        let root = tiny();
        let text = read(root.path(), UNITS);
        let (before, after) = text.split_once("Hay's").expect("the battery");
        write(
            root.path(),
            UNITS,
            [before.as_bytes(), bytes, after.as_bytes()].concat(),
        );
        all += &format!("{what}\n{}", told(root.path()));
    }
    insta::assert_snapshot!(all);
}

/// The same fault, at the same line and column, in every encoding and with every line ending.
#[test]
fn places_are_those_of_the_text_in_every_encoding() {
    for newline in ["\n", "\r\n", "\r"] {
        for encoding in [
            Encoding::Utf8,
            Encoding::Utf8Mark,
            Encoding::Utf16Le,
            Encoding::Utf16Be,
        ] {
            let root = tiny();
            let text = read(root.path(), UNITS).replace("1st Kent", "1st Ként");
            let text = text.replace("blue-7-essex,blue-1-west", "blue-7-essex,blue-9-west");
            let text = text.trim_end().replace('\n', newline);
            write(root.path(), UNITS, encoding.encode(&text));
            let (files, found) = found(root.path());
            let found: Vec<_> = found
                .iter()
                .filter(|found| found.rule.code != "other-encoding")
                .collect();
            let [only] = found.as_slice() else {
                panic!("{encoding:?} {newline:?}: {found:?}");
            };
            let place = files.place(only.span.expect("a place"));
            assert_eq!(
                (only.rule.code, place.line, place.column),
                ("unresolved-reference", 11, 14)
            );
        }
    }
}

#[test]
fn toml_files() {
    let mut all = String::new();
    for text in [
        "[[units]]\nid = x\nname = “3d”\nstrength = 0740\nkind = \"foot\"\nkind = \"horse\"\n",
        "[[units]]\nid = \"a\"\nkind = \"foot\"\nformation = \"red-1-south\"\nname = \"x\"\nstrenght = 4\n",
        "[[units]]\nid = \"a\"\nkind = \"foot\"\nformation = \"red-1-south\"\nname = \"x\"\nstrength = \"4*\"\n",
        "[[units]]\nid = \"a\0\"\n",
        "[[units]]\nid\u{a0}= \"a\"\n",
    ] {
        let root = tiny();
        write(root.path(), "oob/tiny/more.toml", text);
        all += &format!("{text:?}\n{}", told(root.path()));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn a_choice_lists_what_there_is() {
    let root = tiny();
    edit(
        root.path(),
        "oob/tiny/errata/sheet.toml",
        "op = \"add\"",
        "op = \"ad\"",
    );
    insta::assert_snapshot!(told(root.path()));
}

#[test]
fn sound_records_are_judged_beside_a_file_that_cannot_be_read() {
    let root = tiny();
    edit(root.path(), UNITS, "4th York", "\"4th York");
    edit(root.path(), UNITS, "3 Kent,4", "3 Kent,x");
    edit(
        root.path(),
        "oob/tiny/leaders.csv",
        "commander,West/1",
        "boss,West/1",
    );
    insta::assert_snapshot!(told(root.path()));
    // An overlay that cannot be read may mend what would be reported.
    edit(
        root.path(),
        "oob/tiny/errata/sheet.toml",
        "op = \"add\"",
        "op = add",
    );
    let told = told(root.path());
    assert!(!told.contains("boss") && told.contains("unquoted-text"), "{told}");
}

#[test]
fn a_row_with_an_unusable_id_is_the_only_one_that_is_reported() {
    let root = tiny();
    edit(root.path(), UNITS, "red-4-york", "1E+05");
    insta::assert_snapshot!(told(root.path()));
}

#[test]
fn moments_that_a_program_rewrote() {
    let schedule = "scenarios/skirmish/schedules/main.csv";
    let mut all = String::new();
    for cells in [
        "1800-06-01,900",
        "1800-06-01,9:00",
        "1800-06-01,9:00 AM",
        "1800-06-01,O900",
        "1800-06-01,'0900",
        "6/1/1800,0900",
        "1-Jun-00,0900",
        "1800-06-01,0930",
        "n/a,0900",
    ] {
        let root = tempfile::tempdir().expect("a folder");
        copy(
            &Path::new(REPOSITORY).join("tests/fixtures/skirmish"),
            root.path(),
        );
        edit(
            root.path(),
            schedule,
            "red-0900,red,1800-06-01,0900",
            &format!("red-0900,red,{cells}"),
        );
        let (_, found) = check(root.path(), &[]);
        all += &format!("{cells:?}\n");
        for found in &found {
            all += &format!(
                "  {} {} ⇒ {}\n",
                found["code"], found["help"], found["fix"]["replacement"]
            );
        }
    }
    insta::assert_snapshot!(all);
}

#[test]
fn one_warning_stands_for_all_cells_of_a_column() {
    let root = tiny();
    let text = read(root.path(), UNITS).replace("th ", "th\u{a0}");
    write(root.path(), UNITS, &text);
    let (_, found) = check(root.path(), &[]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["further_fixes"].as_array().expect("an array").len(), 3);
    let run = orbat(root.path(), &["check", "--fix"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(read(root.path(), UNITS), text.replace('\u{a0}', " "));
}

/// A project with faults that can be mended, in a file of this encoding.
fn mendable(root: &Path, encoding: Encoding, newline: &str) -> String {
    let text = read(root, UNITS)
        .replace("3 Kent,4,M", "3 Kent,4*,M")
        .replace("red-5-york,red-1-south", "red-5-york,do.")
        .replace("7th Essex", "7th\u{a0}Essex")
        .replace("strength", "Strength");
    let text = text.replace('\n', newline);
    write(root, UNITS, encoding.encode(&text));
    text
}

#[test]
fn fix_mends_shows_and_keeps_the_form_of_the_file() {
    for encoding in [
        Encoding::Utf8,
        Encoding::Utf8Mark,
        Encoding::Utf16Le,
        Encoding::Utf16Be,
    ] {
        for newline in ["\n", "\r\n", "\r"] {
            let root = tiny();
            let text = mendable(root.path(), encoding, newline);
            let run = orbat(root.path(), &["check", "--fix"]);
            assert_eq!(run.status, 0, "{}", run.err);
            let mended = text
                .replace("4*", "4")
                .replace("red-5-york,do.", "red-5-york,red-1-south")
                .replace('\u{a0}', " ")
                .replace("Strength", "strength");
            let bytes = std::fs::read(root.path().join(UNITS)).expect("the file");
            assert_eq!(bytes, encoding.encode(&mended), "{encoding:?} {newline:?}");
        }
    }
}

#[test]
fn a_dry_run_shows_and_writes_nothing() {
    let root = tiny();
    let text = mendable(root.path(), Encoding::Utf8, "\n");
    let run = orbat(root.path(), &["check", "--fix", "--dry-run"]);
    assert_eq!(run.status, 1);
    insta::assert_snapshot!(run.out);
    assert_eq!(read(root.path(), UNITS), text);
    let run = orbat(root.path(), &["check", "--dry-run"]);
    assert_eq!(run.status, 2, "{}", run.err);
}

#[test]
fn a_windows_file_becomes_utf8() {
    let root = tiny();
    let text = read(root.path(), UNITS);
    let (before, after) = text.split_once("Hay's").expect("the battery");
    write(
        root.path(),
        UNITS,
        [before.as_bytes(), b"Hay\x92s", after.as_bytes()].concat(),
    );
    let run = orbat(root.path(), &["check", "--fix", "--format", "json"]);
    assert_eq!((run.status, run.out.trim()), (0, "[]"));
    assert!(run.err.contains("Windows-1252 becomes UTF-8"), "{}", run.err);
    assert_eq!(read(root.path(), UNITS), text.replace("Hay's", "Hay’s"));
}

#[test]
fn what_needs_a_decision_is_left() {
    let root = tiny();
    edit(root.path(), UNITS, "3 Kent,4,M", "3 Kent,8-Jan,M");
    let text = read(root.path(), UNITS);
    let run = orbat(root.path(), &["check", "--fix", "--format", "json"]);
    assert_eq!(run.status, 1);
    assert_eq!(json(&run.out)[0]["code"], "became-date");
    assert!(run.err.contains("nothing to fix"), "{}", run.err);
    assert_eq!(read(root.path(), UNITS), text);
}

/// Every example of a damaged cell is wrong in the way that it explains, and right as it says.
#[test]
fn examples_of_damaged_cells_are_what_they_say() {
    for rule in orbat::cell::RULES {
        let blocks: Vec<&str> = rule.explanation.split("```csv\n").skip(1).collect();
        for (index, block) in blocks.iter().enumerate() {
            let block = block.split("```").next().unwrap_or_default();
            let root = tiny();
            let path = match block.split(',').next() {
                _ if block.starts_with("id,side,day") => continue,
                _ if block.starts_with("id,name") => "oob/tiny/weapons.csv",
                Some("unit") => "oob/tiny/present.csv",
                _ => UNITS,
            };
            for gone in ["reductions.csv", "errata/sheet.toml", "leaders.csv"] {
                std::fs::remove_file(root.path().join("oob/tiny").join(gone)).expect("a file");
            }
            write(
                root.path(),
                "oob/tiny/effectiveness.csv",
                "side,formation,boxes,total\n",
            );
            write(
                root.path(),
                "oob/tiny/formations.csv",
                "id,side,parent,echelon,abbr,name,morale\ni,red,,army,I,First Corps,\ni-1,,i,division,1,First Division,\n\
                 i-1-1,,i-1,brigade,1,First Brigade,A\ni-1-8,,i-1,brigade,8,Eighth Brigade,A\n",
            );
            write(
                root.path(),
                UNITS,
                "id,formation,kind,name\n1-va,1/1/I,foot,1st Va\n2-va,1/1/I,foot,2nd Va\n",
            );
            write(root.path(), "oob/tiny/present.csv", "unit,men\n");
            write(root.path(), path, block);
            let (_, found) = found(root.path());
            let codes: Vec<&str> = found
                .iter()
                .map(|found| found.rule.code)
                .filter(|code| orbat::cell::RULES.iter().any(|rule| rule.code == *code))
                .collect();
            if index == 0 {
                assert!(
                    codes.iter().all(|code| *code == rule.code) && !codes.is_empty(),
                    "{}: {codes:?}",
                    rule.code
                );
            } else {
                assert!(codes.is_empty(), "{}: {codes:?}", rule.code);
            }
        }
    }
}

const PIECES: [&str; 16] = [
    "4*",
    "do.",
    "n/a",
    "1,200",
    "'4",
    "l2",
    "4\u{a0}",
    "4 SP",
    "Foot",
    "fооt",
    "red–1–south",
    "8-Jan",
    "#REF!",
    "x",
    "",
    "4",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mending_ends_and_leaves_none_of_what_it_mended(cells in prop::collection::vec((0..9_usize, 1..9_usize, prop::sample::select(PIECES.to_vec())), 1..6)) {
        let root = tiny();
        let mut rows: Vec<Vec<String>> = read(root.path(), UNITS)
            .replace("\"bronze guns,\nmostly\"", "bronze")
            .lines()
            .map(|line| line.split(',').map(str::to_owned).collect())
            .collect();
        for (row, column, piece) in cells {
            rows[row + 1][column] = if piece.contains(',') { format!("\"{piece}\"") } else { piece.to_owned() };
        }
        let text: Vec<String> = rows.iter().map(|row| row.join(",")).collect();
        write(root.path(), UNITS, text.join("\r\n"));
        let mut rounds = 0;
        loop {
            let (files, found) = found(root.path());
            let mended = orbat::fix::mend(&found, &files);
            if mended.is_empty() {
                prop_assert!(found.iter().all(|found| found.fix.is_none()), "a replacement is never made: {found:?}");
                break;
            }
            for file in &mended {
                write(root.path(), &file.path, file.bytes());
            }
            rounds += 1;
            prop_assert!(rounds < 6, "mending does not end");
        }
    }
}
