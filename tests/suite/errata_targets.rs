//! What an erratum's target means, and what is said where it means nothing or too much.

use std::path::Path;

use crate::errata::overlay;
use crate::support::{by_id, check, edit, list, outcomes, pack, places, shipped, text, tiny};

fn only_finding(root: &Path) -> (String, String, String) {
    let (status, mut found) = check(root, &[]);
    // The shipped games have notes of their own.
    found.retain(|found| found["severity"] != "note");
    assert_eq!((status, found.len()), (1, 1), "{found:?}");
    let help = found[0]["help"].as_str().unwrap_or_default().to_owned();
    (
        places(&found).remove(0),
        text(&found[0]["message"]).to_owned(),
        help,
    )
}

#[test]
fn an_unknown_unit_brings_the_name_that_was_meant() {
    let root = shipped();
    let path = "oob/tss/errata/official-1977-02-22.toml";
    edit(
        root.path(),
        path,
        "target = \"140 Pa/2/3/I\"",
        "target = \"140 Pa/2/3/II\"",
    );
    let (place, message, help) = only_finding(root.path());
    let line = 1 + crate::support::read(root.path(), path)
        .lines()
        .position(|line| line.contains("140 Pa/2/3/II"))
        .expect("a line");
    assert_eq!(place, format!("missing-target {path}:{line}:10"));
    assert_eq!(message, "`140 Pa/2/3/II` finds nothing in `units`");
    assert!(help.starts_with("did you mean `140 Pa/2/3/I`"), "{help}");
}

#[test]
fn an_unknown_formation_brings_the_name_that_was_meant() {
    let root = tiny();
    edit(
        root.path(),
        "oob/tiny/errata/sheet.toml",
        "target = \"South/1\"",
        "target = \"Soth/1\"",
    );
    let (place, _, help) = only_finding(root.path());
    assert_eq!(place, "missing-target oob/tiny/errata/sheet.toml:13:10");
    assert_eq!(help, "did you mean `South/1`?");
}

#[test]
fn an_unknown_table_is_said_to_be_one() {
    let root = tiny();
    overlay(
        root.path(),
        "other",
        "2002-01-01",
        "op = 'set'\ntable = 'unit'\ntarget = '4 York'\nnow = { note = 'x' }",
    );
    let (place, message, help) = only_finding(root.path());
    assert_eq!(place, "missing-target oob/tiny/errata/other.toml:12:9");
    assert_eq!(message, "there is no table `unit`");
    assert!(help.contains("`units`"), "{help}");
}

#[test]
fn an_ambiguous_name_lists_the_candidates() {
    let root = tiny();
    overlay(
        root.path(),
        "other",
        "2002-01-01",
        "op = 'set'\ntable = 'units'\ntarget = '1st Kent'\nnow = { note = 'x' }",
    );
    let (place, message, help) = only_finding(root.path());
    assert_eq!(place, "ambiguous-target oob/tiny/errata/other.toml:13:10");
    assert_eq!(message, "`1st Kent` may be any of 2 records of `units`");
    assert!(
        help.contains("1st Kent (North/1)") && help.contains("1st Kent (Horse/2)"),
        "{help}"
    );
    let (_, found) = check(root.path(), &[]);
    let candidates: Vec<String> = list(&found[0], "labels")
        .iter()
        .map(crate::support::place)
        .collect();
    assert_eq!(candidates, ["oob/tiny/units.csv:2:29", "oob/tiny/units.csv:7:36"]);
}

#[test]
fn a_name_qualified_by_its_formation_is_not_ambiguous() {
    for target in ["1 Kent/North/1", "1 Kent/Horse", "1st kent/horse/2", "red-1-kent"] {
        let root = tiny();
        let entry = format!("op = 'set'\ntable = 'units'\ntarget = '{target}'\nnow = {{ note = 'x' }}");
        overlay(root.path(), "other", "2002-01-01", &entry);
        assert!(
            outcomes(root.path(), &[]).contains(&"other r applied".to_owned()),
            "{target}"
        );
    }
}

#[test]
fn a_target_that_matches_another_number_than_expected_is_over_broad() {
    let root = tiny();
    let entry = "op = 'set'\ntable = 'units'\nwhere = { kind = 'foot' }\nexpect = 4\nnow = { note = 'x' }";
    overlay(root.path(), "other", "2002-01-01", entry);
    let (place, message, _) = only_finding(root.path());
    assert_eq!(place, "over-broad-target oob/tiny/errata/other.toml:14:10");
    assert_eq!(message, "the entry's `where` matches 8 records of `units`, not 4");
    assert!(outcomes(root.path(), &[]).contains(&"other r over-broad".to_owned()));
}

#[test]
fn a_target_that_matches_fewer_than_expected_is_reported_too() {
    let root = tiny();
    let entry =
        "op = 'set'\ntable = 'units'\nwhere = { kind = 'battery' }\nexpect = 2\nnow = { weapon = 'M' }";
    overlay(root.path(), "other", "2002-01-01", entry);
    let (place, _, _) = only_finding(root.path());
    assert_eq!(place, "over-broad-target oob/tiny/errata/other.toml:14:10");
}

#[test]
fn where_picks_records_by_their_values() {
    let root = tiny();
    let entry = "op = 'set'\ntable = 'effectiveness'\ntarget = 'North/1'\nwhere = { side = 'red' }\nwas = { total = 12 }\nnow = { total = 13 }";
    overlay(root.path(), "one", "2002-01-01", entry);
    let many = "op = 'set'\ntable = 'units'\nwhere = { kind = ['battery', 'horse'] }\nexpect = 2\nnow = { aliases = 'Riders' }";
    overlay(root.path(), "many", "2002-01-01", many);
    let pack = pack(root.path(), "tiny");
    let totals: Vec<i64> = list(&pack, "effectiveness")
        .iter()
        .map(|rating| rating["total"].as_i64().expect("a number"))
        .collect();
    assert!(totals.contains(&13));
    let outcomes = outcomes(root.path(), &[]);
    assert!(
        outcomes.contains(&"many r applied".to_owned()) && outcomes.contains(&"one r applied".to_owned())
    );
}

#[test]
fn where_that_matches_nothing_is_a_missing_target() {
    let root = tiny();
    let entry =
        "op = 'set'\ntable = 'units'\ntarget = '4 York'\nwhere = { kind = 'horse' }\nnow = { note = 'x' }";
    overlay(root.path(), "other", "2002-01-01", entry);
    let (place, _, _) = only_finding(root.path());
    assert!(
        place.starts_with("missing-target oob/tiny/errata/other.toml:"),
        "{place}"
    );
}

#[test]
fn an_added_record_that_is_there_already_with_another_value_is_stale() {
    let root = tiny();
    let entry = "op = 'add'\ntable = 'weapons'\nrecord = { id = 'M', name = 'Smoothbore' }";
    overlay(root.path(), "other", "2002-01-01", entry);
    let (place, message, _) = only_finding(root.path());
    assert_eq!(place, "stale-erratum oob/tiny/errata/other.toml:13:29");
    assert_eq!(
        message,
        "`M` is in `weapons` already, with `Musket` as its `name`"
    );
}

#[test]
fn two_overlays_that_add_one_record_differently_conflict() {
    let root = tiny();
    let entry = "op = 'add'\ntable = 'units'\nrecord = { id = 'blue-8-essex', formation = 'West/1', kind = 'horse', name = '8th Essex', abbr = '8 Essex' }";
    overlay(root.path(), "other", "2002-01-01", entry);
    let (status, found) = check(root.path(), &[]);
    assert_eq!(
        (status, places(&found)),
        (
            1,
            vec!["errata-conflict oob/tiny/errata/other.toml:13:62".to_owned()]
        )
    );
    assert_eq!(
        crate::support::place(&found[0]["labels"][0]),
        "oob/tiny/errata/sheet.toml:33:10"
    );
}

#[test]
fn a_change_without_was_does_not_overwrite_a_value() {
    let root = tiny();
    overlay(
        root.path(),
        "other",
        "2002-01-01",
        "op = 'set'\ntable = 'units'\ntarget = '3 Kent'\nnow = { strength = 5 }",
    );
    let (place, message, _) = only_finding(root.path());
    assert_eq!(place, "incomplete-erratum oob/tiny/errata/other.toml:14:20");
    assert!(
        message.ends_with("has no `was` for `strength`, which is `4` in the data"),
        "{message}"
    );
}

#[test]
fn a_value_set_by_an_erratum_has_it_as_its_basis() {
    let root = tiny();
    overlay(
        root.path(),
        "other",
        "2002-01-01",
        "op = 'set'\ntable = 'units'\ntarget = '3 Kent'\nwas = { strength = 4 }\nnow = { strength = 5 }",
    );
    let pack = pack(root.path(), "tiny");
    let units = by_id(list(&pack, "units"));
    assert_eq!(units["red-3-kent"]["basis"]["strength"], "errata");
    let provenance = &pack["provenance"]["units/red-3-kent/strength"];
    assert_eq!(provenance["overlay"], "other");
    assert_eq!(
        (provenance["line"].as_u64(), provenance["column"].as_u64()),
        (Some(15), Some(20))
    );
}
