//! Files as people save them: every line ending, a byte-order mark, quotes, other encodings, nothing at all. An error is
//! at its place in all of them.

use crate::support::{check, edit, orbat, place, places, read, summary, text, tiny, write};

const UNITS: &str = "oob/tiny/units.csv";

/// The tiny project with a wrong kind in its last unit, after a cell that spans two lines.
fn wrong_kind() -> tempfile::TempDir {
    let root = tiny();
    edit(
        root.path(),
        UNITS,
        "blue-7-essex,blue-1-west,foot",
        "blue-7-essex,blue-1-west,foots",
    );
    root
}

#[test]
fn an_error_after_a_cell_of_two_lines_is_at_its_line() {
    let (_, found) = check(wrong_kind().path(), &[]);
    assert_eq!(places(&found), [format!("not-a-choice {UNITS}:11:26")]);
    assert_eq!(
        (found[0]["end_line"].as_u64(), found[0]["end_column"].as_u64()),
        (Some(11), Some(31))
    );
    assert_eq!(text(&found[0]["help"]), "did you mean `foot`?");
}

#[test]
fn line_endings_and_byte_order_marks_move_no_error() {
    let root = wrong_kind();
    let text = read(root.path(), UNITS);
    let (_, expected) = check(root.path(), &[]);
    for newline in ["\n", "\r\n", "\r"] {
        for mark in ["", "\u{feff}"] {
            write(
                root.path(),
                UNITS,
                format!("{mark}{}", text.replace('\n', newline)),
            );
            assert_eq!(
                check(root.path(), &[]),
                (1, expected.clone()),
                "{newline:?} {mark:?}"
            );
        }
    }
}

#[test]
fn line_endings_and_byte_order_marks_change_no_value() {
    let root = tiny();
    let text = read(root.path(), UNITS);
    // A line break within a cell is data, so this file has none.
    let text = text.replace("\"bronze guns,\nmostly\"", "\"bronze guns, mostly\"");
    write(root.path(), UNITS, &text);
    let pack = crate::support::pack(root.path(), "tiny");
    for newline in ["\r\n", "\r"] {
        for mark in ["", "\u{feff}"] {
            write(
                root.path(),
                UNITS,
                format!("{mark}{}", text.replace('\n', newline)),
            );
            assert_eq!(
                crate::support::pack(root.path(), "tiny"),
                pack,
                "{newline:?} {mark:?}"
            );
        }
    }
}

#[test]
fn columns_count_characters_and_not_bytes() {
    let root = tiny();
    let row = "red-4-york,red-1-south,foot,4th York,4 York,,,,";
    edit(
        root.path(),
        UNITS,
        row,
        "red-4-york,red-1-south,foot,\"Çà—𝔊, \"\"4th\"\"\",4 York,,Q,,",
    );
    let (_, found) = check(root.path(), &[]);
    assert_eq!(places(&found), [format!("unknown-choice {UNITS}:5:53")]);
    assert_eq!(found[0]["end_column"].as_u64(), Some(54));
}

#[test]
fn places_in_toml_survive_line_endings_too() {
    let root = tiny();
    let path = "oob/tiny/errata/sheet.toml";
    edit(root.path(), path, "total = 6", "total = 5");
    let text = read(root.path(), path);
    for newline in ["\n", "\r\n"] {
        for mark in ["", "\u{feff}"] {
            write(
                root.path(),
                path,
                format!("{mark}{}", text.replace('\n', newline)),
            );
            let (_, found) = check(root.path(), &[]);
            assert_eq!(
                places(&found),
                [format!("stale-erratum {path}:14:17")],
                "{newline:?} {mark:?}"
            );
        }
    }
}

#[test]
fn an_unclosed_quote_is_told_where_it_opens_and_hides_nothing_else() {
    let root = tiny();
    edit(root.path(), UNITS, "foot,4th York,", "foot,\"4th York,");
    let (status, found) = check(root.path(), &[]);
    assert_eq!(
        (status, places(&found)),
        (1, vec![format!("unclosed-quote {UNITS}:5:29")])
    );
}

#[test]
fn another_encoding_is_named_at_the_first_bad_byte() {
    let root = tiny();
    let text = read(root.path(), UNITS).replace("4th York", "4th Yörk");
    let bytes: Vec<u8> = text.chars().map(|c| c as u8).collect();
    write(root.path(), UNITS, bytes);
    let (status, found) = check(root.path(), &[]);
    assert_eq!(status, 1);
    assert_eq!(places(&found)[0], format!("unreadable-file {UNITS}:5:34"));
    assert!(
        text_of(&found[0]).contains("0xF6") && text_of(&found[0]).contains('ö'),
        "{}",
        text_of(&found[0])
    );
    assert_eq!(
        found.len(),
        1,
        "what follows from it is told too: {}",
        summary(&found)
    );
}

fn text_of(found: &serde_json::Value) -> &str {
    text(&found["message"])
}

#[test]
fn an_empty_file_is_told_by_its_name() {
    for (path, code) in [
        (UNITS, "empty-file"),
        ("oob/tiny/formations.csv", "empty-file"),
        ("oob/tiny/game.toml", "empty-file"),
    ] {
        let root = tiny();
        write(root.path(), path, "");
        let (status, found) = check(root.path(), &[]);
        assert_eq!(status, 1, "{path}");
        assert_eq!((text(&found[0]["code"]), text(&found[0]["file"])), (code, path));
        assert!(
            found.iter().all(|found| found["file"] == path),
            "{path} is empty, and more is told: {}",
            summary(&found)
        );
    }
}

#[test]
fn a_table_with_a_header_alone_is_an_empty_table() {
    let root = tiny();
    write(root.path(), "oob/tiny/markers.csv", "id,side,name,count\n");
    assert_eq!(check(root.path(), &[]), (0, Vec::new()));
}

#[test]
fn broken_toml_is_told_at_every_place_and_nothing_more() {
    let root = tiny();
    let path = "oob/tiny/game.toml";
    edit(root.path(), path, "title = \"Tiny\"", "title = \"Tiny");
    edit(root.path(), path, "printing = \"first\"", "printing = first");
    let (status, found) = check(root.path(), &[]);
    assert_eq!(status, 1);
    assert_eq!(
        places(&found),
        [
            format!("unclosed-value {path}:2:9"),
            format!("unquoted-text {path}:6:12")
        ]
    );
}

#[test]
fn a_misspelt_key_of_the_game_is_told_with_the_right_one() {
    let root = tiny();
    edit(
        root.path(),
        "oob/tiny/game.toml",
        "source = \"made up for the tests\"",
        "sorce = \"made up for the tests\"",
    );
    let (status, found) = check(root.path(), &[]);
    assert_eq!(status, 1);
    let unknown = found
        .iter()
        .find(|found| found["code"] == "unknown-field")
        .expect("an unknown field");
    assert_eq!(place(unknown), "oob/tiny/game.toml:3:1");
    assert!(text(&unknown["help"]).contains("`source`"), "{unknown}");
}

#[test]
fn a_folder_without_a_definition_is_no_game() {
    let root = tiny();
    std::fs::remove_file(root.path().join("oob/tiny/game.toml")).expect("a file");
    let run = orbat(root.path(), &["check"]);
    assert_eq!(run.status, 2);
    assert!(
        run.err.contains("no folder in oob/ holds a game.toml"),
        "{}",
        run.err
    );
}

#[test]
fn an_error_in_one_game_does_not_hide_those_of_another() {
    let root = wrong_kind();
    crate::support::copy(&root.path().join("oob/tiny"), &root.path().join("oob/other"));
    edit(
        root.path(),
        "oob/other/game.toml",
        "id = \"tiny\"",
        "id = \"other\"",
    );
    write(
        root.path(),
        "oob/other/game.toml",
        read(root.path(), "oob/other/game.toml").replace("battery", "batttery"),
    );
    let (status, found) = check(root.path(), &[]);
    assert_eq!(status, 1);
    assert!(places(&found).contains(&format!("not-a-choice {UNITS}:11:26")));
    assert!(places(&found).contains(&"not-a-choice oob/other/units.csv:8:25".to_owned()));
    let (_, one) = check(root.path(), &["--game", "tiny"]);
    assert_eq!(places(&one), [format!("not-a-choice {UNITS}:11:26")]);
}

#[test]
fn a_broken_record_is_told_once_and_references_to_it_are_not() {
    let root = tiny();
    edit(
        root.path(),
        "oob/tiny/formations.csv",
        "red-1-south,,red-1,brigade",
        "red-1-south,,red-1,brigde",
    );
    let (status, found) = check(root.path(), &[]);
    assert_eq!(
        (status, places(&found)),
        (1, vec!["not-a-choice oob/tiny/formations.csv:5:20".to_owned()])
    );
}

#[test]
fn a_misspelt_column_is_told_at_the_header() {
    let root = tiny();
    edit(
        root.path(),
        UNITS,
        "id,formation,kind,name,abbr,strength",
        "id,formation,kind,name,abbr,strenght",
    );
    let (status, found) = check(root.path(), &[]);
    assert_eq!(
        (status, places(&found)),
        (1, vec![format!("unknown-field {UNITS}:1:29")])
    );
    assert!(text(&found[0]["help"]).contains("`strength`"));
}

#[test]
fn a_file_that_is_no_table_is_pointed_out() {
    let root = tiny();
    write(root.path(), "oob/tiny/unit.csv", "id\nx\n");
    let (status, found) = check(root.path(), &[]);
    assert_eq!(
        (status, places(&found)),
        (0, vec!["stray-file oob/tiny/unit.csv:1:1".to_owned()])
    );
    assert!(text(&found[0]["help"]).contains("`units`"));
}
