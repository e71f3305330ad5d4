//! Strengths: typed, apportioned, deduced, or impossible.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::support::{by_id, check, edit, json, list, orbat, pack, place, places, read, shipped, text, tiny};

/// The strength and its basis of every unit of a formation.
fn strengths(pack: &Value, formation: &str) -> BTreeMap<String, (Option<i64>, String)> {
    let of = |unit: &Value| {
        let basis = unit["basis"]["strength"].as_str().unwrap_or("printed").to_owned();
        (text(&unit["id"]).to_owned(), (unit["strength"].as_i64(), basis))
    };
    list(pack, "units")
        .iter()
        .filter(|unit| unit["formation"] == formation)
        .map(of)
        .collect()
}

fn values(pack: &Value, formation: &str) -> Vec<Option<i64>> {
    strengths(pack, formation)
        .into_values()
        .map(|(strength, _)| strength)
        .collect()
}

const UNITS: &str = "oob/tiny/units.csv";

#[test]
fn the_rest_of_a_total_is_shared_out_in_proportion_to_men() {
    let root = tiny();
    let pack = pack(root.path(), "tiny");
    // 12 in all; the third has its printed 4, and 410 and 390 men share 8.
    assert_eq!(
        strengths(&pack, "red-1-north"),
        BTreeMap::from([
            ("red-1-kent".to_owned(), (Some(4), "reconstructed".to_owned())),
            ("red-2-kent".to_owned(), (Some(4), "reconstructed".to_owned())),
            ("red-3-kent".to_owned(), (Some(4), "printed".to_owned())),
        ])
    );
}

#[test]
fn a_typed_value_reapportions_only_the_rest_of_its_brigade() {
    let root = shipped();
    let before = json(&read(crate::support::built(), "dist/tss/pack.json"));
    edit(
        root.path(),
        "oob/tss/units.csv",
        "csa-2-sc,csa-i-mclaws-kershaw,infantry,2nd SC,2 SC,,",
        "csa-2-sc,csa-i-mclaws-kershaw,infantry,2nd SC,2 SC,5,",
    );
    let after = pack(root.path(), "tss");
    let kershaw = strengths(&after, "csa-i-mclaws-kershaw");
    assert_eq!(kershaw["csa-2-sc"], (Some(5), "printed".to_owned()));
    let sum = |pack: &Value| {
        values(pack, "csa-i-mclaws-kershaw")
            .into_iter()
            .flatten()
            .sum::<i64>()
    };
    assert_eq!((sum(&before), sum(&after)), (14, 14));
    let (old, new) = (by_id(list(&before, "units")), by_id(list(&after, "units")));
    for (id, unit) in new {
        assert!(
            unit["formation"] == "csa-i-mclaws-kershaw" || old[id] == unit,
            "{id} changed"
        );
    }
}

#[test]
fn the_last_value_of_a_brigade_is_deduced() {
    let root = tiny();
    edit(root.path(), UNITS, "4 York,,", "4 York,5,");
    let pack = pack(root.path(), "tiny");
    assert_eq!(
        strengths(&pack, "red-1-south")["red-5-york"],
        (Some(2), "deduced".to_owned())
    );
}

#[test]
fn values_that_the_bounds_leave_no_choice_about_are_deduced() {
    let pack = json(&read(crate::support::built(), "dist/tss/pack.json"));
    // 1/2/I of the first corps and Hoke's brigade: the reduced strengths plus one make up the whole total.
    for formation in ["usa-i-2-1", "csa-ii-early-hoke"] {
        for (unit, (strength, basis)) in strengths(&pack, formation) {
            assert!(strength.is_some());
            assert_eq!(basis, "deduced", "{unit}");
        }
    }
}

#[test]
fn a_reduced_strength_bounds_what_a_unit_had() {
    let root = tiny();
    // Reduced to 3 it had 4 at least, though its men alone would give it 3 of 9.
    let base = orbat(root.path(), &["build", "--errata", "none"]);
    assert_eq!(base.status, 0, "{}", base.err);
    let pack = json(&read(root.path(), "dist/tiny/pack.json"));
    assert_eq!(values(&pack, "blue-1-west"), [Some(4), Some(5)]);
    edit(
        root.path(),
        "oob/tiny/reductions.csv",
        "6th Essex,3\n",
        "6th Essex,1\n",
    );
    assert_eq!(orbat(root.path(), &["build", "--errata", "none"]).status, 0);
    assert_eq!(
        values(&json(&read(root.path(), "dist/tiny/pack.json")), "blue-1-west"),
        [Some(3), Some(6)]
    );
}

#[test]
fn where_the_men_of_a_unit_are_not_known_nothing_is_invented() {
    let root = tiny();
    // The sheet adds a unit without men to the brigade.
    let pack = pack(root.path(), "tiny");
    assert_eq!(values(&pack, "blue-1-west"), [None, None, None]);
    assert!(list(&pack, "units").iter().all(|unit| unit["strength"] != 0));
}

#[test]
fn bounds_that_cannot_fit_are_told_at_the_total_and_at_what_bounds() {
    let root = tiny();
    edit(root.path(), UNITS, "4 York,,", "4 York,9,");
    let (status, found) = check(root.path(), &["--errata", "none"]);
    assert_eq!(
        (status, places(&found)),
        (
            1,
            vec!["cannot-apportion oob/tiny/effectiveness.csv:3:15".to_owned()]
        )
    );
    assert_eq!(
        text(&found[0]["message"]),
        "the units of South/1 need at least 10 strength between them, but its total is 6"
    );
    assert_eq!(place(&found[0]["labels"][0]), "oob/tiny/units.csv:5:45");
}

#[test]
fn a_reduction_that_cannot_fit_is_told_at_the_reduction() {
    let root = tiny();
    edit(
        root.path(),
        "oob/tiny/reductions.csv",
        "6th Essex,3\n",
        "6th Essex,9\n",
    );
    let (status, found) = check(root.path(), &["--errata", "none"]);
    assert_eq!(
        (status, places(&found)),
        (
            1,
            vec!["cannot-apportion oob/tiny/effectiveness.csv:5:15".to_owned()]
        )
    );
    let label = &found[0]["labels"][0];
    assert_eq!(place(label), "oob/tiny/reductions.csv:2:34");
    assert_eq!(text(&label["message"]), "6th Essex needs at least 9");
}

#[test]
fn a_wrong_corrected_total_is_told_at_the_erratum() {
    let root = tiny();
    edit(
        root.path(),
        "oob/tiny/errata/sheet.toml",
        "now = { total = 7 }",
        "now = { total = 1 }",
    );
    let (status, found) = check(root.path(), &[]);
    assert_eq!(
        (status, places(&found)),
        (
            1,
            vec!["cannot-apportion oob/tiny/errata/sheet.toml:15:17".to_owned()]
        )
    );
}

#[test]
fn typed_values_that_do_not_add_up_are_told_at_the_total() {
    let root = tiny();
    edit(root.path(), UNITS, "4 York,,", "4 York,4,");
    edit(root.path(), UNITS, "5 York,,", "5 York,1,");
    let (status, found) = check(root.path(), &["--errata", "none"]);
    assert_eq!(
        (status, places(&found)),
        (
            1,
            vec!["total-mismatch oob/tiny/effectiveness.csv:3:15".to_owned()]
        )
    );
    let cells: Vec<String> = list(&found[0], "labels").iter().map(place).collect();
    assert_eq!(cells, ["oob/tiny/units.csv:5:45", "oob/tiny/units.csv:6:45"]);
}

#[test]
fn typed_values_that_add_up_are_fine() {
    let root = tiny();
    edit(root.path(), UNITS, "4 York,,", "4 York,4,");
    edit(root.path(), UNITS, "5 York,,", "5 York,2,");
    assert_eq!(check(root.path(), &["--errata", "none"]), (0, Vec::new()));
}

#[test]
fn a_total_of_a_thousand_is_shared_out_too() {
    let root = tiny();
    edit(
        root.path(),
        "oob/tiny/effectiveness.csv",
        "South/1,3,6",
        "South/1,3,6000",
    );
    assert_eq!(orbat(root.path(), &["build", "--errata", "none"]).status, 0);
    let pack = json(&read(Path::new(root.path()), "dist/tiny/pack.json"));
    assert_eq!(values(&pack, "red-1-south"), [Some(5000), Some(1000)]);
}
