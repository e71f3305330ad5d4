//! The shipped scenarios: the turns, units and strengths of each, and the faults that the book prints.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde_json::Value;

use crate::skirmish::{fates, skirmish};
use crate::support::{built, check, json, list, orbat, read, summary, text, tree};

/// The scenarios of the shipped game, and what their turns come to.
const SCENARIOS: [(&str, u64); 7] = [
    ("farnsworths-charge", 12),
    ("first-day", 29),
    ("grand-battle", 149),
    ("little-round-top", 10),
    ("picketts-charge", 21),
    ("picketts-charge-historical", 12),
    ("second-day", 40),
];

fn shipped(id: &str) -> Value {
    json(&read(built(), &format!("dist/tss/scenarios/{id}.json")))
}

#[test]
fn every_shipped_scenario_has_as_many_turns_as_the_book_says() {
    let sources = tree(&built().join("scenarios/tss"));
    let mut ids: Vec<&str> = sources
        .keys()
        .filter_map(|name| name.strip_suffix(".toml"))
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, SCENARIOS.map(|(id, _)| id));
    for (id, turns) in SCENARIOS {
        let pack = shipped(id);
        assert_eq!((&pack["start"], &pack["end"]), (&1.into(), &turns.into()), "{id}");
        let numbers: Vec<u64> = list(&pack, "turns")
            .iter()
            .filter_map(|turn| turn["index"].as_u64())
            .collect();
        assert_eq!(numbers, (1..=turns).collect::<Vec<u64>>(), "{id}");
    }
}

#[test]
fn every_unit_and_leader_is_in_every_scenario_once() {
    let game = json(&read(built(), "dist/tss/pack.json"));
    for (id, _) in SCENARIOS {
        let pack = shipped(id);
        for (table, key) in [("units", "unit"), ("leaders", "leader"), ("supply", "supply")] {
            let sorted = |list: &[Value], key: &str| -> Vec<String> {
                let mut ids: Vec<String> = list.iter().map(|record| text(&record[key]).to_owned()).collect();
                ids.sort();
                ids
            };
            assert_eq!(
                sorted(list(&pack, table), key),
                sorted(list(&game, table), "id"),
                "{table} of {id}"
            );
        }
        for fate in list(&pack, "units").iter().chain(list(&pack, "leaders")) {
            assert_ne!(fate["reason"], "not accounted for", "{fate} in {id}");
            let arrives = ["arrives", "optional"].contains(&text(&fate["state"]));
            assert!(arrives || fate.get("arrival").is_none(), "{fate} in {id}");
            assert!(
                fate["state"] != "arrives" || fate["arrival"]["turn"].as_u64() >= Some(1),
                "{fate} in {id}"
            );
        }
    }
}

#[test]
fn units_leaders_and_wagons_by_scenario_side_and_state() {
    let game = json(&read(built(), "dist/tss/pack.json"));
    let mut sides = BTreeMap::new();
    for table in ["units", "leaders"] {
        sides.extend(
            list(&game, table)
                .iter()
                .map(|record| (text(&record["id"]), text(&record["side"]))),
        );
    }
    let mut told = String::new();
    for (id, _) in SCENARIOS {
        let pack = shipped(id);
        for (table, key) in [("units", "unit"), ("leaders", "leader")] {
            let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
            for fate in list(&pack, table) {
                *counts
                    .entry((sides[text(&fate[key])], text(&fate["state"])))
                    .or_default() += 1;
            }
            for ((side, state), count) in counts {
                let _ = writeln!(told, "{id} {side} {table} {state} {count}");
            }
        }
        for lot in list(&pack, "supply") {
            let count = |key: &str| {
                list(lot, key)
                    .iter()
                    .filter_map(|lot| lot["count"].as_u64())
                    .sum::<u64>()
            };
            let (deployed, arriving) = (count("deployed"), count("arriving"));
            let _ = writeln!(
                told,
                "{id} {} {deployed} + {arriving}, absent {}",
                text(&lot["supply"]),
                lot["absent"]
            );
        }
    }
    insta::assert_snapshot!(told);
}

#[test]
fn scenario_packs_fit_their_published_schema() {
    let root = skirmish();
    assert_eq!(orbat(root.path(), &["schema"]).status, 0);
    assert_eq!(orbat(root.path(), &["build"]).status, 0);
    let schema = json(&read(root.path(), "schema/scenario-pack.schema.json"));
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let mut packs: Vec<Value> = SCENARIOS.iter().map(|(id, _)| shipped(id)).collect();
    packs.push(json(&read(root.path(), "dist/skirmish/scenarios/clash.json")));
    for pack in &packs {
        let errors: Vec<String> = validator
            .iter_errors(pack)
            .map(|error| format!("{} {}: {error}", pack["id"], error.instance_path()))
            .collect();
        assert_eq!(errors, Vec::<String>::new());
    }
    packs[0]["units"][0]["state"] = 7.into();
    assert!(!validator.is_valid(&packs[0]));
}

#[test]
fn the_second_day_begins_at_the_strengths_that_the_first_left() {
    let game = json(&read(built(), "dist/tss/pack.json"));
    let own: BTreeMap<&str, &Value> = list(&game, "units")
        .iter()
        .map(|unit| (text(&unit["id"]), &unit["strength"]))
        .collect();
    let pack = shipped("second-day");
    let units = fates(&pack, "units");
    for (id, strength) in [("csa-5-la", 3), ("csa-6-la", 4), ("csa-9-la", 3)] {
        let unit = units[id];
        assert_eq!(
            (&unit["strength"], &unit["reduced"]),
            (&strength.into(), &true.into()),
            "{id}"
        );
        assert_eq!(unit.get("basis"), None, "{id} is printed");
    }
    let reduced: Vec<_> = units.iter().filter(|(_, unit)| unit["reduced"] == true).collect();
    assert_eq!(reduced.len(), 105);
    for (id, unit) in reduced {
        assert!(unit["strength"].as_i64() <= own[id].as_i64(), "{id}");
    }
    assert!(
        list(&shipped("first-day"), "units")
            .iter()
            .all(|unit| unit.get("reduced").is_none())
    );
}

#[test]
fn a_variant_of_a_variant_has_the_victory_of_that() {
    let (base, pack) = (
        shipped("picketts-charge-historical"),
        shipped("farnsworths-charge"),
    );
    assert_eq!(pack["levels"], base["levels"]);
    assert_eq!(pack["victory"], base["victory"]);
}

#[test]
fn the_base_data_show_the_faults_of_the_books_scenarios() {
    let (status, mut found) = check(built(), &["--game", "tss", "--errata", "none"]);
    assert_eq!(status, 1);
    found.retain(|found| text(&found["file"]).starts_with("scenarios/"));
    // That Hood's division is forgotten is told once `Heth/II` and the schedule's unknown names can be read.
    for (code, file, message, help) in [
        (
            "double-standing",
            "second-day.toml",
            "13th Ga (Gordon/Early/II) and 5 others are set up twice",
            "61st Ga",
        ),
        (
            "double-standing",
            "schedules/grand-battle.csv",
            "1st NY Lt, Battery D (Randolph/III)",
            "out of one of the two",
        ),
        (
            "bad-selection",
            "second-day.toml",
            "`Gordon` is excepted from units of which it is none",
            "",
        ),
        (
            "bad-selection",
            "picketts-charge.toml",
            "nothing is called `Heth/II`",
            "did you mean `Heth/III`?",
        ),
        (
            "off-map",
            "picketts-charge.toml",
            "`C0971` is not on Section C",
            "was `C0917` meant",
        ),
        (
            "overstacked",
            "little-round-top.toml",
            "3 units with at least 3 points in C0124",
            "8.2",
        ),
        (
            "unaccounted",
            "little-round-top.toml",
            "4US, Battery K (Randolph/III)",
            "mate 1st NY Lt, Battery D",
        ),
        (
            "unknown-leader",
            "schedules/grand-battle.csv",
            "`Sedgewick`",
            "did you mean `Sedgwick`?",
        ),
    ] {
        let told = found.iter().any(|found| {
            found["code"] == code
                && found["file"] == format!("scenarios/tss/{file}")
                && text(&found["message"]).contains(message)
                && found["help"].as_str().unwrap_or_default().contains(help)
        });
        assert!(told, "{code} {file} {message:?} {help:?} in\n{}", summary(&found));
    }
    // What is told stands where it is, and nobody is taken for another of his name.
    let codes: BTreeSet<&str> = found.iter().map(|found| text(&found["code"])).collect();
    assert!(
        !codes.contains("off-the-track") && !codes.contains("turn-count"),
        "{codes:?}"
    );
    assert!(
        found
            .iter()
            .all(|found| !text(&found["message"]).contains("may be any of"))
    );
}
