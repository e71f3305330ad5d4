//! What each operation of an erratum does.

use crate::errata::overlay;
use crate::support::{append, by_id, check, json, list, orbat, outcomes, pack, place, places, read, tiny};

#[test]
fn a_swap_exchanges_a_field_and_its_second_copy_does_nothing() {
    let root = tiny();
    let swap = "op = 'swap'\ntable = 'units'\ntargets = ['1 Kent/North', '4 York']\nfield = 'formation'\n\
                was = { formation = ['red-1-north', 'red-1-south'] }";
    overlay(root.path(), "swap", "2002-01-01", swap);
    let swapped = pack(root.path(), "tiny");
    let units = by_id(list(&swapped, "units"));
    assert_eq!(units["red-1-kent"]["formation"], "red-1-south");
    assert_eq!(units["red-4-york"]["formation"], "red-1-north");
    let again = swap.replace("'1 Kent/North'", "'red-1-kent'");
    overlay(root.path(), "twice", "2003-01-01", &again);
    assert_eq!(pack(root.path(), "tiny")["units"], swapped["units"]);
    assert!(outcomes(root.path(), &[]).contains(&"twice r already-applied".to_owned()));
}

#[test]
fn a_swap_with_another_was_is_stale() {
    let root = tiny();
    let swap = "op = 'swap'\ntable = 'units'\ntargets = ['3 Kent', '4 York']\nfield = 'name'\n\
                was = { name = ['3d Kent', '5th York'] }";
    overlay(root.path(), "swap", "2002-01-01", swap);
    let (status, found) = check(root.path(), &[]);
    assert_eq!(
        (status, places(&found)),
        (
            1,
            vec!["stale-erratum oob/tiny/errata/swap.toml:15:28".to_owned()]
        )
    );
    assert_eq!(place(&found[0]["labels"][0]), "oob/tiny/units.csv:5:29");
}

#[test]
fn a_move_changes_the_formation_and_not_the_id() {
    let root = tiny();
    let entry = "op = 'move'\ntable = 'units'\ntarget = '3 Kent'\nwas = { formation = 'North/1' }\nnow = { formation = 'South/1' }";
    overlay(root.path(), "move", "2002-01-01", entry);
    let pack = pack(root.path(), "tiny");
    let units = by_id(list(&pack, "units"));
    assert_eq!(units["red-3-kent"]["formation"], "red-1-south");
    assert_eq!(units["red-3-kent"]["strength"], 4);
    let south = units["red-4-york"]["strength"].as_i64().expect("a number")
        + units["red-5-york"]["strength"].as_i64().expect("a number");
    assert_eq!(south, 7 - 4);
}

#[test]
fn a_removed_unit_is_gone_and_removing_it_again_is_harmless() {
    let root = tiny();
    let entry = "op = 'remove'\ntable = 'units'\ntarget = 'red-battery'";
    overlay(root.path(), "remove", "2002-01-01", entry);
    overlay(root.path(), "remove-too", "2002-01-01", entry);
    let pack = pack(root.path(), "tiny");
    assert!(!by_id(list(&pack, "units")).contains_key("red-battery"));
    assert!(
        list(&pack, "counters")
            .iter()
            .all(|counter| counter["record"] != "red-battery")
    );
    assert!(outcomes(root.path(), &[]).contains(&"remove-too r already-applied".to_owned()));
}

#[test]
fn remapped_units_become_one_that_answers_to_their_names() {
    let root = tiny();
    append(
        root.path(),
        "oob/tiny/units.csv",
        "red-other,red-2-horse,battery,Other Battery,Other,,,,",
    );
    append(
        root.path(),
        "oob/tiny/reductions.csv",
        "third-day,red,Horse/2,Other Battery,2",
    );
    overlay(
        root.path(),
        "remap",
        "2002-01-01",
        "op = 'remap'\ntable = 'units'\ntargets = ['Other Battery']\ninto = 'red-battery'",
    );
    let pack = pack(root.path(), "tiny");
    assert!(!by_id(list(&pack, "units")).contains_key("red-other"));
    let run = orbat(root.path(), &["why", "Other Battery", "--format", "json"]);
    assert_eq!(json(&run.out)[0]["id"], "red-battery", "{}", run.err);
}

#[test]
fn a_counter_entry_tells_what_the_counter_says_and_what_the_game_means() {
    let root = tiny();
    let entry = "op = 'counter'\ntable = 'units'\ntarget = '4 York'\nside = 'front'\nwas = { designation = 'North/1' }\n\
                 now = { designation = 'South/1' }";
    overlay(root.path(), "counter", "2002-01-01", entry);
    let pack = pack(root.path(), "tiny");
    let counters = by_id(list(&pack, "counters"));
    assert_eq!(
        counters["units/red-4-york"]["misprints"],
        serde_json::json!([{ "side": "front", "field": "designation", "printed": "North/1", "meant": "South/1",
                             "overlay": "counter", "ref": "r" }])
    );
    let manifest = read(root.path(), "dist/tiny/counters/manifest.csv");
    assert!(manifest.contains("the printed counter says North/1, the game means South/1"));
}

#[test]
fn a_counter_entry_that_means_something_else_than_the_data_is_an_error() {
    let root = tiny();
    let entry = "op = 'counter'\ntable = 'units'\ntarget = '4 York'\nside = 'front'\nnow = { designation = 'South/2' }";
    overlay(root.path(), "counter", "2002-01-01", entry);
    let (status, found) = check(root.path(), &[]);
    assert_eq!(
        (status, places(&found)),
        (
            1,
            vec!["counter-mismatch oob/tiny/errata/counter.toml:15:7".to_owned()]
        )
    );
}

#[test]
fn a_second_copy_of_a_remap_does_nothing() {
    let root = tiny();
    append(
        root.path(),
        "oob/tiny/units.csv",
        "red-other,red-2-horse,battery,Other Battery,Other,,,,",
    );
    let entry = "op = 'remap'\ntable = 'units'\ntargets = ['Other Battery']\ninto = 'red-battery'";
    overlay(root.path(), "remap", "2002-01-01", entry);
    let before = pack(root.path(), "tiny");
    overlay(root.path(), "remap-too", "2003-01-01", entry);
    assert_eq!(pack(root.path(), "tiny")["units"], before["units"]);
    assert!(outcomes(root.path(), &[]).contains(&"remap-too r already-applied".to_owned()));
}

#[test]
fn a_swap_must_say_what_was() {
    // Without `was` a second copy would undo the first.
    let root = tiny();
    let swap = "op = 'swap'\ntable = 'units'\ntargets = ['red-1-kent', 'red-4-york']\nfield = 'formation'";
    overlay(root.path(), "swap", "2002-01-01", swap);
    let (status, found) = check(root.path(), &[]);
    assert_eq!(status, 1);
    assert!(
        places(&found)[0].starts_with("incomplete-erratum oob/tiny/errata/swap.toml:"),
        "{found:?}"
    );
}

#[test]
fn a_swap_of_numbers_works_in_tables_and_in_files() {
    let root = tiny();
    let swap = "op = 'swap'\ntable = 'effectiveness'\ntargets = ['North/1', 'South/1']\nfield = 'total'\n\
                was = { total = [12, 7] }";
    overlay(root.path(), "swap", "2002-01-01", swap);
    let tables = pack(root.path(), "tiny");
    let rows = read(root.path(), "oob/tiny/effectiveness.csv");
    let file: String = rows
        .lines()
        .skip(1)
        .map(|row| {
            let cells: Vec<&str> = row.split(',').collect();
            let [side, formation, boxes, total] = cells[..] else {
                panic!("{row}");
            };
            format!("[[effectiveness]]\nside = '{side}'\nformation = '{formation}'\nboxes = {boxes}\ntotal = {total}\n")
        })
        .collect();
    std::fs::remove_file(root.path().join("oob/tiny/effectiveness.csv")).expect("a file");
    crate::support::write(root.path(), "oob/tiny/ratings.toml", file);
    let files = pack(root.path(), "tiny");
    assert_eq!(tables["effectiveness"], files["effectiveness"]);
    assert!(
        list(&files, "effectiveness")
            .iter()
            .any(|rating| rating["formation"] == "red-1-south" && rating["total"] == 12)
    );
}

#[test]
fn every_was_is_compared_even_of_a_field_that_does_not_change() {
    let root = tiny();
    let entry =
        "op = 'set'\ntable = 'units'\ntarget = '3 Kent'\nwas = { strength = 5 }\nnow = { note = 'x' }";
    overlay(root.path(), "other", "2002-01-01", entry);
    let (status, found) = check(root.path(), &[]);
    assert_eq!(
        (status, places(&found)),
        (
            1,
            vec!["stale-erratum oob/tiny/errata/other.toml:14:20".to_owned()]
        )
    );
}

#[test]
fn what_a_removal_leaves_dangling_is_blamed_on_the_erratum() {
    // The row of the men present still names the unit, and no name near it is meant.
    let root = tiny();
    overlay(
        root.path(),
        "remove",
        "2002-01-01",
        "op = 'remove'\ntable = 'units'\ntarget = 'red-5-york'",
    );
    let (_, found) = check(root.path(), &[]);
    for found in &found {
        assert!(
            found.to_string().contains("oob/tiny/errata/remove.toml"),
            "{found}"
        );
    }
}

#[test]
fn a_removal_that_expects_another_value_is_stale() {
    let root = tiny();
    let entry = "op = 'remove'\ntable = 'units'\ntarget = 'red-battery'\nwas = { strength = 5 }";
    overlay(root.path(), "remove", "2002-01-01", entry);
    let (status, found) = check(root.path(), &[]);
    assert_eq!(
        (status, places(&found)),
        (
            1,
            vec!["stale-erratum oob/tiny/errata/remove.toml:14:20".to_owned()]
        )
    );
    assert!(!found[0].to_string().contains("\\u0000"), "{}", found[0]);
}
