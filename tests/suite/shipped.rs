//! The shipped data of the first game: what the book prints, and what the overlays make of it.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::{
    built, check, json, list, orbat, outcomes, pack, read, shipped, summary, text, tree, unnumbered,
};

#[test]
fn all_shipped_data_are_clean_with_all_overlays() {
    let (status, found) = check(built(), &["--deny", "warnings"]);
    // What the sources have lost, or print no price for, is noted and nothing else.
    let noted = ["lost-cell", "partial-total"].map(serde_json::Value::from);
    let others: Vec<serde_json::Value> = found
        .into_iter()
        .filter(|found| found["severity"] != "note" || !noted.contains(&found["code"]))
        .collect();
    assert_eq!(summary(&others), "");
    assert_eq!(status, 0);
}

/// Leaves out what follows for scenarios and schedules.
fn of_the_order_of_battle(mut found: Vec<serde_json::Value>) -> Vec<serde_json::Value> {
    found.retain(|found| text(&found["file"]).starts_with("oob/"));
    found
}

#[test]
fn the_base_data_show_the_faults_of_the_book() {
    let (status, found) = check(built(), &["--game", "tss", "--errata", "none"]);
    assert_eq!(status, 1);
    insta::assert_snapshot!(unnumbered(&summary(&of_the_order_of_battle(found))));
}

#[test]
fn official_errata_alone_leave_what_only_rulings_decide() {
    let (status, found) = check(built(), &["--game", "tss", "--errata", "official"]);
    assert_eq!(status, 1);
    insta::assert_snapshot!(unnumbered(&summary(&of_the_order_of_battle(found))));
}

#[test]
fn before_the_errata_were_published_none_apply() {
    let early = orbat(
        built(),
        &[
            "check",
            "--format",
            "json",
            "--game",
            "tss",
            "--as-of",
            "1976-12-31",
        ],
    );
    let base = orbat(
        built(),
        &["check", "--format", "json", "--game", "tss", "--errata", "none"],
    );
    assert_eq!(early.out, base.out);
    assert_eq!(early.status, base.status);
    assert_eq!(
        outcomes(built(), &["--game", "tss", "--as-of", "1976-12-31"]),
        Vec::<String>::new()
    );
}

#[test]
fn on_its_day_the_official_sheet_applies_and_the_rulings_do_not() {
    let official = outcomes(built(), &["--game", "tss", "--errata", "official"]);
    assert!(official.len() > 50);
    assert_eq!(
        outcomes(built(), &["--game", "tss", "--as-of", "1977-02-22"]),
        official
    );
    assert_eq!(
        outcomes(built(), &["--game", "tss", "--as-of", "1977-02-21"]),
        Vec::<String>::new()
    );
}

#[test]
fn every_entry_is_applied_to_the_base_or_is_a_note() {
    for line in outcomes(built(), &["--game", "tss"]) {
        assert!(line.ends_with(" applied") || line.ends_with(" note"), "{line}");
    }
}

#[test]
fn the_editions_differ_in_what_the_sheets_say() {
    let run = orbat(built(), &["diff", "none", "all", "--game", "tss"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    insta::assert_snapshot!(run.out);
}

#[test]
fn strengths_add_up_to_the_corrected_totals() {
    let pack = json(&read(built(), "dist/tss/pack.json"));
    let arms: BTreeMap<&str, &str> = list(&pack["game"], "kinds")
        .iter()
        .map(|kind| (text(&kind["id"]), text(&kind["arm"])))
        .collect();
    let mut rated = 0;
    for rating in list(&pack, "effectiveness") {
        let formation = text(&rating["formation"]);
        let strengths: Vec<i64> = list(&pack, "units")
            .iter()
            .filter(|unit| unit["formation"] == formation)
            .filter(|unit| ["infantry", "cavalry"].contains(&arms[text(&unit["kind"])]))
            .map(|unit| {
                unit["strength"]
                    .as_i64()
                    .unwrap_or_else(|| panic!("{} has no strength", unit["id"]))
            })
            .collect();
        assert_eq!(
            rating["total"],
            strengths.iter().sum::<i64>(),
            "{formation}: {strengths:?}"
        );
        rated += 1;
    }
    assert_eq!(rated, 102);
}

#[test]
fn no_strength_looks_printed_that_is_not() {
    let pack = json(&read(built(), "dist/tss/pack.json"));
    let base = read(built(), "oob/tss/units.csv");
    let mut reader = csv::Reader::from_reader(base.as_bytes());
    let headers = reader.headers().expect("a header").clone();
    let column = |name: &str| {
        headers
            .iter()
            .position(|header| header == name)
            .expect("a column")
    };
    let (id, strength) = (column("id"), column("strength"));
    let printed: BTreeSet<String> = reader
        .records()
        .map(|row| row.expect("a row"))
        .filter(|row| !row[strength].is_empty())
        .map(|row| row[id].to_owned())
        .collect();
    assert!(printed.contains("usa-105-pa"));
    let mut bases: BTreeMap<&str, usize> = BTreeMap::new();
    for unit in list(&pack, "units") {
        let basis = unit["basis"]["strength"].as_str();
        let known = unit.get("strength").is_some();
        if !known {
            assert_eq!(basis, None, "{}", unit["id"]);
        } else if printed.contains(text(&unit["id"])) {
            assert_eq!(basis, None, "{} is printed", unit["id"]);
        } else {
            assert!(basis.is_some(), "the strength of {} looks printed", unit["id"]);
        }
        *bases
            .entry(basis.unwrap_or(if known { "printed" } else { "unknown" }))
            .or_default() += 1;
    }
    insta::assert_debug_snapshot!(bases);
}

#[test]
fn every_made_strength_says_where_it_comes_from() {
    let pack = json(&read(built(), "dist/tss/pack.json"));
    for unit in list(&pack, "units")
        .iter()
        .filter(|unit| unit["basis"].get("strength").is_some())
    {
        let key = format!("units/{}/strength", text(&unit["id"]));
        let whole = format!("units/{}", text(&unit["id"]));
        let place = pack["provenance"]
            .get(&key)
            .or_else(|| pack["provenance"].get(&whole));
        assert!(
            place.is_some_and(|place| place["line"].as_u64() > Some(0)),
            "{key}"
        );
    }
}

#[test]
fn a_second_copy_of_an_overlay_finds_everything_done() {
    let root = shipped();
    let before = json(&read(built(), "dist/tss/pack.json"));
    for id in ["official-1977-02-22", "rulings"] {
        let overlay = read(root.path(), &format!("oob/tss/errata/{id}.toml"));
        let copy = overlay.replace(&format!("id = \"{id}\""), &format!("id = \"{id}-copy\""));
        crate::support::write(root.path(), &format!("oob/tss/errata/{id}-copy.toml"), copy);
    }
    let after = pack(root.path(), "tss");
    for key in [
        "formations",
        "units",
        "leaders",
        "effectiveness",
        "counters",
        "weapons",
        "provenance",
    ] {
        assert_eq!(before[key], after[key], "{key} changed");
    }
    let copies: Vec<String> = outcomes(root.path(), &["--game", "tss"])
        .into_iter()
        .filter(|line| line.contains("-copy "))
        .collect();
    assert!(copies.len() > 60);
    for line in copies {
        assert!(
            line.ends_with(" already-applied") || line.ends_with(" note"),
            "{line}"
        );
    }
}

#[test]
fn one_changed_was_makes_that_entry_alone_stale_and_leaves_the_old_output() {
    let root = shipped();
    assert_eq!(orbat(root.path(), &["build"]).status, 0);
    let (old, before) = (
        tree(&root.path().join("dist")),
        outcomes(root.path(), &["--game", "tss"]),
    );
    let path = "oob/tss/errata/official-1977-02-22.toml";
    crate::support::edit(root.path(), path, "was = { total = 18 }", "was = { total = 19 }");
    let line = 1 + read(root.path(), path)
        .lines()
        .position(|line| line == "was = { total = 19 }")
        .expect("the line");
    let (status, found) = check(root.path(), &["--game", "tss"]);
    assert_eq!(status, 1);
    assert_eq!(
        crate::support::places(&found),
        [format!("stale-erratum {path}:{line}:17")]
    );
    assert_eq!(found[0]["labels"][0]["file"], "oob/tss/effectiveness.csv");
    let changed: Vec<(String, String)> = before
        .into_iter()
        .zip(outcomes(root.path(), &["--game", "tss"]))
        .filter(|(old, new)| old != new)
        .collect();
    let entry = "official-1977-02-22 Brigade Combat Effectiveness Sheet";
    assert_eq!(changed, [(format!("{entry} applied"), format!("{entry} stale"))]);
    let run = orbat(root.path(), &["build"]);
    assert_eq!(run.status, 1);
    assert!(run.err.ends_with("nothing was written\n"), "{}", run.err);
    assert_eq!(tree(&root.path().join("dist")), old);
}
