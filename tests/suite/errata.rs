//! Overlays that agree, disagree, repeat each other or do not belong.

use crate::support::{by_id, check, edit, list, outcomes, pack, place, places, summary, text, tiny, write};

/// Writes an overlay of official errata with one entry.
pub fn overlay(root: &std::path::Path, id: &str, date: &str, entry: &str) {
    let head = format!("id = \"{id}\"\ntitle = \"T\"\ndate = {date}\nsource = \"S\"\nkind = \"official\"\n");
    let entry = format!("[[entries]]\nref = \"r\"\nkind = \"correction\"\nsummary = \"S\"\n{entry}\n");
    write(
        root,
        &format!("oob/tiny/errata/{id}.toml"),
        format!("{head}\n{entry}"),
    );
}

const TOTAL_8: &str =
    "op = 'set'\ntable = 'effectiveness'\ntarget = 'South/1'\nwas = { total = 6 }\nnow = { total = 8 }";

#[test]
fn a_note_or_an_applied_entry_is_all_there_is_in_a_sound_overlay() {
    let root = tiny();
    assert_eq!(
        outcomes(root.path(), &[]),
        [
            "sheet 1.1 applied",
            "sheet 1.2 applied",
            "sheet 1.3 applied",
            "sheet 1.4 note"
        ]
    );
}

#[test]
fn overlays_that_disagree_name_both_places() {
    let root = tiny();
    overlay(root.path(), "other", "2002-01-01", TOTAL_8);
    let (status, found) = check(root.path(), &[]);
    assert_eq!(status, 1);
    assert_eq!(
        places(&found),
        ["errata-conflict oob/tiny/errata/other.toml:15:17"]
    );
    assert_eq!(place(&found[0]["labels"][0]), "oob/tiny/errata/sheet.toml:15:17");
    assert_eq!(
        text(&found[0]["message"]),
        "two errata give `total` of `South/1` different values: `7` and `8`"
    );
    assert!(outcomes(root.path(), &[]).contains(&"other r conflict".to_owned()));
}

#[test]
fn overlays_that_agree_do_not_conflict() {
    let root = tiny();
    let before = pack(root.path(), "tiny");
    overlay(root.path(), "other", "2002-01-01", &TOTAL_8.replace('8', "7"));
    let after = pack(root.path(), "tiny");
    assert_eq!(before["effectiveness"], after["effectiveness"]);
    assert!(outcomes(root.path(), &[]).contains(&"other r already-applied".to_owned()));
}

#[test]
fn a_later_overlay_may_correct_the_result_of_an_earlier_one() {
    let root = tiny();
    overlay(
        root.path(),
        "other",
        "2002-01-01",
        &TOTAL_8.replace("total = 6", "total = 7"),
    );
    let pack = pack(root.path(), "tiny");
    let ratings = list(&pack, "effectiveness");
    assert!(
        ratings
            .iter()
            .any(|rating| rating["formation"] == "red-1-south" && rating["total"] == 8)
    );
}

#[test]
fn the_names_and_the_order_of_overlay_files_do_not_matter() {
    let root = tiny();
    overlay(
        root.path(),
        "other",
        "2002-01-01",
        &TOTAL_8.replace("total = 6", "total = 7"),
    );
    let before = pack(root.path(), "tiny");
    let folder = root.path().join("oob/tiny/errata");
    std::fs::rename(folder.join("other.toml"), folder.join("a.toml")).expect("a file");
    std::fs::rename(folder.join("sheet.toml"), folder.join("z.toml")).expect("a file");
    let after = pack(root.path(), "tiny");
    for (key, value) in before.as_object().expect("an object") {
        // Only provenance names files.
        assert!(key == "provenance" || after[key] == *value, "{key} changed");
    }
}

#[test]
fn overlays_of_one_date_apply_in_order_of_their_ids() {
    let root = tiny();
    overlay(root.path(), "b", "2001-01-01", "op = 'note'");
    overlay(root.path(), "z", "1999-01-01", "op = 'note'");
    overlay(root.path(), "zz", "2001-01-01", "op = 'note'");
    let mut order: Vec<String> = outcomes(root.path(), &[])
        .iter()
        .map(|line| line.split(' ').next().expect("an id").to_owned())
        .collect();
    order.dedup();
    assert_eq!(order, ["z", "b", "sheet", "zz"]);
    assert_eq!(
        pack(root.path(), "tiny")["edition"]["overlays"],
        serde_json::json!(["z", "b", "sheet", "zz"])
    );
}

#[test]
fn a_ruling_without_a_reason_is_incomplete() {
    let root = tiny();
    let path = "oob/tiny/errata/sheet.toml";
    edit(root.path(), path, "kind = \"official\"", "kind = \"ruling\"");
    let (status, found) = check(root.path(), &[]);
    assert_eq!(status, 1);
    assert_eq!(
        found.len(),
        4,
        "one for each entry and nothing else: {}",
        summary(&found)
    );
    assert_eq!(
        places(&found)[0],
        "incomplete-erratum oob/tiny/errata/sheet.toml:7:1"
    );
    assert!(text(&found[0]["message"]).contains("has no `reason`"));
}

#[test]
fn an_overlay_for_another_printing_is_skipped() {
    let root = tiny();
    edit(
        root.path(),
        "oob/tiny/errata/sheet.toml",
        "kind = \"official\"",
        "kind = \"official\"\nprintings = [\"second\"]",
    );
    let before = pack(root.path(), "tiny");
    assert!(
        outcomes(root.path(), &[])
            .iter()
            .all(|line| line.ends_with(" skipped"))
    );
    assert!(!by_id(list(&before, "units")).contains_key("blue-8-essex"));
    edit(
        root.path(),
        "oob/tiny/game.toml",
        "printing = \"first\"",
        "printing = \"second\"",
    );
    assert!(by_id(list(&pack(root.path(), "tiny"), "units")).contains_key("blue-8-essex"));
}

#[test]
fn an_overlay_repairs_a_bad_source_cell() {
    let root = tiny();
    edit(
        root.path(),
        "oob/tiny/units.csv",
        "red-battery,red-2-horse,battery",
        "red-battery,red-2-horse,batery",
    );
    overlay(
        root.path(),
        "repair",
        "2002-01-01",
        "op = 'set'\ntable = 'units'\ntarget = 'red-battery'\nwas = { kind = 'batery' }\nnow = { kind = 'battery' }",
    );
    let (status, found) = check(root.path(), &["--errata", "none"]);
    assert_eq!(
        (status, places(&found)),
        (1, vec!["not-a-choice oob/tiny/units.csv:8:25".to_owned()])
    );
    assert_eq!(check(root.path(), &[]), (0, Vec::new()));
}

#[test]
fn a_bad_erratum_is_blamed_on_the_erratum() {
    let root = tiny();
    overlay(
        root.path(),
        "bad",
        "2002-01-01",
        "op = 'set'\ntable = 'units'\ntarget = 'red-battery'\nwas = { kind = 'battery' }\nnow = { kind = 'batery' }",
    );
    let (status, found) = check(root.path(), &[]);
    assert_eq!(
        (status, places(&found)),
        (1, vec!["not-a-choice oob/tiny/errata/bad.toml:15:16".to_owned()])
    );
}

#[test]
fn a_broken_overlay_does_not_let_the_base_be_judged_in_its_place() {
    let root = tiny();
    edit(
        root.path(),
        "oob/tiny/units.csv",
        "red-battery,red-2-horse,battery",
        "red-battery,red-2-horse,batery",
    );
    overlay(
        root.path(),
        "repair",
        "2002-01-01",
        "op = 'set'\ntable = 'units'\ntarget = 'red-battery'\nwas = { kind = 'batery' }\nnow = { kind = 'battery }",
    );
    let (status, found) = check(root.path(), &[]);
    assert_eq!(status, 1);
    let elsewhere: Vec<String> = places(&found)
        .into_iter()
        .filter(|place| !place.contains("repair.toml"))
        .collect();
    assert_eq!(elsewhere, Vec::<String>::new());
}
