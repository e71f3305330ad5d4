//! The shipped games together: what makes a game system data, and what games share.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::support::{
    append, built, by_id, check, edit, json, list, orbat, pack, places, read, shipped, text, write,
};

const GAMES: [&str; 3] = ["pickett", "tss", "wheatfield"];

fn built_pack(game: &str) -> Value {
    json(&read(built(), &format!("dist/{game}/pack.json")))
}

fn built_scenario(game: &str, id: &str) -> Value {
    json(&read(built(), &format!("dist/{game}/scenarios/{id}.json")))
}

/// A copy of one shipped game alone.
fn alone(game: &str) -> tempfile::TempDir {
    let root = shipped();
    for other in GAMES.iter().filter(|other| **other != game) {
        for folder in ["oob", "scenarios"] {
            std::fs::remove_dir_all(root.path().join(folder).join(other)).expect("a folder");
        }
    }
    root
}

#[test]
fn all_games_build_without_a_warning() {
    let run = orbat(built(), &["check", "--deny", "warnings"]);
    assert_eq!(run.status, 0, "{}", run.err);
    for game in GAMES {
        assert_eq!(built_pack(game)["game"]["id"], *game);
    }
}

/// Every command answers for every game.
#[test]
fn every_command_works_for_every_game() {
    for (game, unit, scenario) in [
        ("pickett", "147-ny", "bloody-lane"),
        ("tss", "usa-105-pa", "first-day"),
        ("wheatfield", "17-me", "whirlpool"),
    ] {
        let run = |arguments: &[&str]| {
            let run = orbat(built(), &[arguments, &["--game", game]].concat());
            assert_eq!(run.status, 0, "{game} {arguments:?}: {}", run.err);
            assert!(!run.out.is_empty(), "{game} {arguments:?}");
            run.out
        };
        run(&["why", unit]);
        run(&["errata"]);
        run(&["diff", "none", "all"]);
        run(&["timeline", scenario]);
        run(&["print", "counters", "--format", "csv"]);
        run(&["print", "errata", "--format", "md"]);
        run(&["print", "scenario", "--scenario", scenario, "--format", "md"]);
    }
}

/// The thirty cells of the book's tables of regiment costs come out of the points expressions.
#[test]
fn regiments_cost_what_the_book_says() {
    let root = alone("pickett");
    let mut expected: BTreeMap<String, i64> = BTreeMap::new();
    let columns = read(root.path(), "oob/pickett/units.csv");
    let header: Vec<&str> = columns.lines().next().expect("a header").split(',').collect();
    let armament = BTreeMap::from([("infantry", "rifled-musket"), ("cavalry", "rifled-carbine")]);
    append(
        root.path(),
        "oob/pickett/formations.csv",
        &formation(root.path(), "trial", "usa", "brigade"),
    );
    for kind in ["infantry", "cavalry"] {
        let table = read(
            root.path(),
            &format!("oob/pickett/tables/points-regiments-{kind}.csv"),
        );
        let mut lines = table.lines();
        let sizes: Vec<&str> = lines.next().expect("a header").split(',').skip(1).collect();
        for line in lines {
            let cells: Vec<&str> = line.split(',').collect();
            for (size, cost) in sizes.iter().zip(&cells[1..]) {
                let bases: i64 = size
                    .split(' ')
                    .next()
                    .expect("a number")
                    .parse()
                    .expect("a number");
                let id = format!(
                    "trial-{kind}-{}-{bases}",
                    cells[0].to_lowercase().replace(' ', "-")
                );
                let values = BTreeMap::from([
                    ("id", id.clone()),
                    ("formation", "trial".to_owned()),
                    ("kind", kind.to_owned()),
                    ("name", format!("{} {} {bases}", cells[0], kind)),
                    ("bases", bases.to_string()),
                    ("grade", cells[0].to_owned()),
                    ("armament", armament[kind].to_owned()),
                ]);
                let row: Vec<String> = header
                    .iter()
                    .map(|column| values.get(column).cloned().unwrap_or_default())
                    .collect();
                append(root.path(), "oob/pickett/units.csv", &row.join(","));
                expected.insert(id, cost.parse().expect("a number"));
            }
        }
    }
    assert_eq!(expected.len(), 30);
    // Thirty regiments are more than a brigade may have: that is a warning, and told.
    let (status, found) = check(root.path(), &["--game", "pickett"]);
    assert_eq!(status, 0, "{:?}", places(&found));
    assert!(found.iter().any(|found| found["code"] == "game-rule-warning"));
    let pack = pack(root.path(), "pickett");
    let units = by_id(list(&pack, "units"));
    let priced: BTreeMap<String, i64> = expected
        .keys()
        .map(|id| (id.clone(), units[id.as_str()]["points"].as_i64().unwrap_or(-1)))
        .collect();
    assert_eq!(priced, expected);
}

/// A row of the table of formations.
fn formation(root: &Path, id: &str, parent: &str, echelon: &str) -> String {
    let table = read(root, "oob/pickett/formations.csv");
    let header = table.lines().next().expect("a header");
    let values = BTreeMap::from([
        ("id", id),
        ("parent", parent),
        ("echelon", echelon),
        ("abbr", "Trial"),
        ("name", "Trial"),
    ]);
    let cells: Vec<&str> = header
        .split(',')
        .map(|column| values.get(column).copied().unwrap_or_default())
        .collect();
    cells.join(",")
}

/// The armies of the Antietam scenario: one has a total, the other only a part of one, because no price is printed for
/// mixed batteries.
#[test]
fn an_army_with_a_unit_without_a_price_has_no_total() {
    let pack = built_pack("pickett");
    let formations = by_id(list(&pack, "formations"));
    let commander = |name: &str| {
        let division = formations.values().find(|formation| {
            formation["battle"] == "antietam-1862"
                && formation["echelon"] == "division"
                && formation["name"]
                    .as_str()
                    .is_some_and(|known| known.contains(name))
        });
        *division.unwrap_or_else(|| panic!("no division of {name}"))
    };
    assert_eq!(commander("French")["points"], 822);
    let hill = commander("Hill");
    assert!(hill.get("points").is_none(), "{hill}");
    assert_eq!(hill["partial"]["points"]["known"], 634);
    assert_eq!(list(&hill["partial"]["points"], "units").len(), 2);
    let page = read(built(), &army_list(text(&hill["id"])));
    assert!(page.contains("634"), "the known part is printed");
    for battery in list(&hill["partial"]["points"], "units") {
        let unit = &by_id(list(&pack, "units"))[text(battery)].clone();
        assert!(unit.get("points").is_none());
    }
}

fn army_list(formation: &str) -> String {
    format!("dist/pickett/sheets/army-list/{formation}.md")
}

/// The printed numbers of staff officers are those that the rule gives.
#[test]
fn a_printed_number_that_the_rule_does_not_give_is_told() {
    let root = alone("pickett");
    let table = read(root.path(), "oob/pickett/formations.csv");
    let header: Vec<&str> = table.lines().next().expect("a header").split(',').collect();
    let column = header
        .iter()
        .position(|name| *name == "staff_officers")
        .expect("the column");
    let changed: Vec<String> = table
        .lines()
        .map(|line| {
            let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
            if cells.get(column).is_some_and(|cell| cell == "6") {
                cells[column] = "7".into();
            }
            cells.join(",")
        })
        .collect();
    write(
        root.path(),
        "oob/pickett/formations.csv",
        format!("{}\n", changed.join("\n")),
    );
    let (status, found) = check(root.path(), &[]);
    assert_eq!(status, 1);
    assert!(
        found.iter().any(|found| found["code"] == "game-rule"),
        "{:?}",
        places(&found)
    );
}

/// An alternative is fielded only where a scenario says so, and then in the place of what it stands for.
#[test]
fn alternatives_take_the_place_of_what_they_stand_for() {
    let pack = built_pack("pickett");
    let units = by_id(list(&pack, "units"));
    assert_eq!(
        units["40-47-va"]["instead_of"],
        serde_json::json!(["40-va", "47-va"])
    );
    let root = alone("pickett");
    write(
        root.path(),
        "scenarios/pickett/trial.toml",
        r#"
id = "trial"
title = "Trial"
source = "made up"
start = "1"
end = "6"
fields = ["40/47 Va"]

[[deploy]]
id = "csa"
side = "csa"
units = "Heth"
place = { anywhere = true }

[[absent]]
side = "usa"
units = "all"
reason = "not-in-scenario"
"#,
    );
    let run = orbat(root.path(), &["build", "--game", "pickett"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let trial = json(&read(root.path(), "dist/pickett/scenarios/trial.json"));
    let units: BTreeMap<&str, &Value> = list(&trial, "units")
        .iter()
        .map(|unit| (text(&unit["unit"]), unit))
        .collect();
    assert_eq!(units["40-47-va"]["state"], "deployed");
    assert_eq!(units["40-47-va"]["bases"], 6);
    assert_eq!(units["40-va"]["state"], "absent");
    assert!(text(&units["40-va"]["reason"]).starts_with("fielded as 40th/47th Virginia"));
    assert_eq!(units["22-va"]["state"], "deployed");
    assert_eq!(units["22-55-va"]["state"], "absent");
    assert_eq!(trial["fields"], serde_json::json!(["40-47-va"]));
    // Who belongs to another battle is absent without a word in the scenario.
    let elsewhere = units.values().filter(|unit| {
        unit["reason"]
            .as_str()
            .is_some_and(|reason| reason.contains("antietam-1862"))
    });
    assert!(elsewhere.count() > 10);
    edit(
        root.path(),
        "scenarios/pickett/trial.toml",
        "fields = [\"40/47 Va\"]",
        "fields = [\"40 Va\"]",
    );
    let (status, found) = check(root.path(), &[]);
    assert_eq!(status, 1);
    let errors: Vec<Value> = found
        .into_iter()
        .filter(|found| found["severity"] == "error")
        .collect();
    assert_eq!(
        places(&errors),
        ["bad-selection scenarios/pickett/trial.toml:7:11"]
    );
}

/// How likely something has come by each turn, as counted by hand in fractions.
#[test]
fn arrivals_by_die_are_as_likely_as_counted_by_hand() {
    let whirlpool = built_scenario("wheatfield", "whirlpool");
    let arrival = |entry: &str| {
        let unit = list(&whirlpool, "units")
            .iter()
            .find(|unit| unit["entry"] == entry);
        unit.unwrap_or_else(|| panic!("nothing comes by {entry}"))["arrival"].clone()
    };
    // By the end of each attempt: 1/6, 4/9, 13/18, 49/54, 319/324, 1.
    let single = [1.0 / 6.0, 4.0 / 9.0, 13.0 / 18.0, 49.0 / 54.0, 319.0 / 324.0, 1.0];
    let cases: [(&str, u64, u64, Vec<f64>); 4] = [
        ("usa-battery-g", 1, 6, single.to_vec()),
        ("csa-kershaw", 3, 8, single.to_vec()),
        // The later of two batteries, three turns on: the squares.
        ("usa-3-mich", 4, 9, single.iter().map(|by| by * by).collect()),
        // Two turns after two turns after Kershaw: the last two chances fall after the end.
        ("csa-50-ga", 7, 12, single[..4].to_vec()),
    ];
    for (entry, earliest, latest, by) in cases {
        let arrival = arrival(entry);
        assert_eq!(
            (arrival["turn"].as_u64(), arrival["latest"].as_u64()),
            (Some(earliest), Some(latest))
        );
        let odds = list(&arrival, "odds");
        assert_eq!(odds.len(), by.len(), "{entry}");
        for (index, (odds, by)) in odds.iter().zip(by).enumerate() {
            assert_eq!(odds["turn"].as_u64(), Some(earliest + index as u64), "{entry}");
            assert!((odds["by"].as_f64().unwrap() - by).abs() < 1e-6, "{entry} {odds}");
        }
    }
    assert_eq!(arrival("usa-3-mich")["coming"]["kind"], "after");
    let chosen = built_scenario("wheatfield", "wheat-and-stone");
    let pools = list(&chosen, "pools");
    assert_eq!(pools.len(), 2);
    for pool in pools {
        assert_eq!(
            (pool["first"].as_u64(), pool["then_from"].as_u64()),
            (Some(1), Some(2))
        );
    }
    let union = pools.iter().find(|pool| pool["side"] == "usa").expect("a pool");
    // Seven forces, two of them at once: five more from turn 2 on, one each turn.
    assert_eq!(
        (list(union, "entries").len(), union["then_until"].as_u64()),
        (7, Some(6))
    );
}

#[test]
fn an_arrival_that_may_come_too_late_is_told_unless_it_is_meant() {
    let root = alone("wheatfield");
    let path = "scenarios/wheatfield/whirlpool.toml";
    let scenario = read(root.path(), path);
    let line = scenario
        .lines()
        .find(|line| line.contains("orbat: allow(late-arrival)"))
        .expect("the reason is given")
        .to_owned();
    edit(root.path(), path, &line, "");
    let (status, found) = check(root.path(), &["--deny", "warnings"]);
    assert_eq!(status, 1);
    let late: Vec<&Value> = found
        .iter()
        .filter(|found| found["code"] == "late-arrival")
        .collect();
    assert_eq!(late.len(), 1, "{:?}", places(&found));
    assert!(text(&late[0]["message"]).contains("csa-50-ga"));
}

#[test]
fn units_belong_to_another_brigade_where_a_scenario_says_so() {
    let scenario = built_scenario("wheatfield", "down-easters-wall");
    let units: BTreeMap<&str, &Value> = list(&scenario, "units")
        .iter()
        .map(|unit| (text(&unit["unit"]), unit))
        .collect();
    assert_eq!(units["115-pa"]["assigned_to"], "usa-de-trobriand");
    assert!(units["17-me"].get("assigned_to").is_none());
    let whirlpool = built_scenario("wheatfield", "whirlpool");
    let ark = list(&whirlpool, "units")
        .iter()
        .find(|unit| unit["unit"] == "3-ark")
        .expect("the 3rd Arkansas");
    assert_eq!(
        (ark["stands"].as_i64(), ark["reduced_stands"].as_i64()),
        (Some(3), Some(2))
    );
    assert_eq!(ark["reduced"], true);
    assert!(text(&ark["assigned_to"]).contains("anderson"));
}

#[test]
fn the_box_holds_what_the_scenarios_take() {
    let pack = built_pack("wheatfield");
    let parts = list(&pack, "inventory");
    let stands = parts.iter().find(|part| part["count"] == 65).expect("the stands");
    assert_eq!(stands["used"], 65);
    let counters: i64 = list(&pack, "counters")
        .iter()
        .filter(|counter| counter["of"] == "units")
        .map(|counter| counter["count"].as_i64().expect("a number"))
        .sum();
    assert_eq!(counters, 65);
    let root = alone("wheatfield");
    let table = read(root.path(), "oob/wheatfield/units.csv");
    let stands = table
        .lines()
        .next()
        .and_then(|header| header.split(',').position(|name| name == "stands"))
        .expect("the column");
    let changed: Vec<String> = table
        .lines()
        .map(|line| {
            let mut cells: Vec<&str> = line.split(',').collect();
            if cells[0] == "17-me" {
                cells[stands] = "3";
            }
            cells.join(",")
        })
        .collect();
    write(root.path(), "oob/wheatfield/units.csv", changed.join("\n") + "\n");
    let (status, found) = check(root.path(), &[]);
    assert_eq!(status, 1);
    assert_eq!(found.len(), 1, "{:?}", places(&found));
    assert_eq!(found[0]["code"], "inventory");
    assert!(
        text(&found[0]["message"]).contains("take 66"),
        "{}",
        found[0]["message"]
    );
}

/// What the books do not print stays unknown.
#[test]
fn what_is_not_printed_is_not_made_up() {
    let pack = built_pack("wheatfield");
    for unit in list(&pack, "units") {
        assert!(unit.get("experience").is_none(), "{unit}");
        assert!(unit.get("armament").is_none(), "{unit}");
    }
    for leader in list(&pack, "leaders") {
        assert!(leader.get("command_rating").is_none(), "{leader}");
    }
    let (_, found) = check(built(), &["--game", "pickett"]);
    let lost: BTreeSet<&str> = found
        .iter()
        .filter(|found| found["code"] == "lost-cell")
        .map(|found| text(&found["severity"]))
        .collect();
    assert_eq!(lost, BTreeSet::from(["note"]));
    let pack = built_pack("pickett");
    let chart = list(&pack, "tables")
        .iter()
        .find(|chart| chart["id"] == "faltering-brigade")
        .expect("the chart");
    let lost = list(chart, "lost");
    assert!(!lost.is_empty());
    for cell in lost {
        let (row, column) = (cell[0].as_u64().unwrap(), cell[1].as_u64().unwrap());
        assert!(chart["cells"][row as usize][column as usize].is_null());
    }
}

#[test]
fn games_are_compared_regiment_by_regiment() {
    let run = orbat(
        built(),
        &["compare", "tss", "wheatfield", "pickett", "--format", "json"],
    );
    assert_eq!(run.status, 0, "{}", run.err);
    let comparison = json(&run.out);
    let shared = list(&comparison, "shared");
    let of = |game: &str, unit: &str| {
        let said = |shared: &&Value| {
            list(shared, "said")
                .iter()
                .any(|said| said["game"] == game && said["unit"] == unit)
        };
        shared
            .iter()
            .find(said)
            .unwrap_or_else(|| panic!("{unit} is not shared"))
    };
    // Cutler's brigade is 2/1/I in the other book: the same one.
    assert_eq!(of("pickett", "147-ny")["disagree"], serde_json::json!([]));
    assert_eq!(of("wheatfield", "17-me")["disagree"], serde_json::json!([]));
    // A misprint that a ruling mended, with its evidence.
    let mended = of("pickett", "53-nc");
    assert_eq!(mended["disagree"], serde_json::json!([]));
    assert_eq!(
        list(mended, "decided")[0]["change"],
        "name: 53rd N. Carolina → 52nd N. Carolina"
    );
    // As printed, the regiment is in one book in Pettigrew's brigade and in the other in Daniel's.
    let run = orbat(
        built(),
        &[
            "compare", "tss", "pickett", "--errata", "none", "--format", "json",
        ],
    );
    let printed = json(&run.out);
    let misprint = list(&printed, "shared")
        .iter()
        .find(|shared| {
            list(shared, "said")
                .iter()
                .any(|said| said["game"] == "pickett" && said["unit"] == "53-nc")
        })
        .expect("both have a 53rd North Carolina");
    assert_eq!(misprint["disagree"], serde_json::json!(["brigade"]));
    let text = orbat(built(), &["compare"]);
    assert_eq!(text.status, 0);
    insta::assert_snapshot!(text.out);
    assert_eq!(orbat(built(), &["compare", "tss"]).status, 2);
    assert_eq!(orbat(built(), &["compare", "tss", "nothing"]).status, 2);
}

/// A newcomer starts a game, changes it and prints a roster.
#[test]
fn a_newcomer_makes_a_game() {
    let root = tempfile::tempdir().expect("a folder");
    let run = orbat(root.path(), &["new", "game", "my-war"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let (status, found) = check(root.path(), &["--deny", "warnings"]);
    assert_eq!((status, places(&found)), (0, Vec::new()));
    let pack = pack(root.path(), "my-war");
    let units = by_id(list(&pack, "units"));
    assert_eq!(units["red-3-foot"]["points"], 18);
    assert_eq!(units["red-4-foot"]["basis"]["quality"], "default");
    assert_eq!(units["blue-14-pa"]["name"], "14th Pa.");
    // What a newcomer does: another regiment, a mistake in it, the mistake mended.
    append(
        root.path(),
        "oob/my-war/units.csv",
        "blue-20-ny,blue-1,infantry,20th NY,20 NY,30,rifle,raw,3",
    );
    let (status, found) = check(root.path(), &[]);
    assert_eq!(status, 1);
    assert_eq!(places(&found), ["out-of-range oob/my-war/units.csv:7:42"]);
    edit(root.path(), "oob/my-war/units.csv", "20 NY,30,", "20 NY,3,");
    let (status, found) = check(root.path(), &[]);
    let codes: Vec<&str> = found.iter().map(|found| text(&found["code"])).collect();
    assert_eq!((status, codes), (0, vec!["unaccounted"]), "{:?}", places(&found));
    edit(
        root.path(),
        "scenarios/my-war/first-clash.toml",
        "units = \"14 Pa\"",
        "units = \"14 Pa, 20 NY\"",
    );
    let (status, found) = check(root.path(), &[]);
    assert_eq!((status, found.len()), (1, 1), "{:?}", places(&found));
    assert_eq!(found[0]["code"], "inventory");
    edit(root.path(), "oob/my-war/game.toml", "count = 5", "count = 6");
    let (status, found) = check(root.path(), &["--deny", "warnings"]);
    assert_eq!((status, places(&found)), (0, Vec::new()));
    let roster = orbat(
        root.path(),
        &["print", "roster", "--of", "blue-1", "--format", "md"],
    );
    assert_eq!(roster.status, 0, "{}", roster.err);
    assert!(roster.out.contains("20th NY"), "{}", roster.out);
    let again = orbat(root.path(), &["new", "game", "my-war"]);
    assert_eq!(again.status, 2);
    for (what, id) in [("scenario", "second-clash"), ("errata", "second-sheet")] {
        let run = orbat(root.path(), &["new", what, id]);
        assert_eq!(run.status, 0, "{what}: {}", run.err);
    }
    let (status, found) = check(root.path(), &["--deny", "warnings"]);
    assert_eq!((status, places(&found)), (0, Vec::new()));
}

#[test]
fn a_definition_must_agree_with_itself() {
    let root = alone("wheatfield");
    let game = "oob/wheatfield/game.toml";
    let text = read(root.path(), game);
    let shape = text
        .lines()
        .find(|line| line.starts_with("shape = "))
        .expect("a shape")
        .to_owned();
    write(root.path(), game, text.replacen(&shape, "shape = \"nothing\"", 1));
    let (status, found) = check(root.path(), &[]);
    assert_eq!(status, 1);
    assert_eq!(found.len(), 1, "{:?}", places(&found));
    assert_eq!(found[0]["code"], "bad-definition");
    write(
        root.path(),
        game,
        format!(
            "{text}\n[[attributes]]\nof = \"units\"\nname = \"order\"\ntype = \"text\"\nlabel = \"Order\"\n"
        ),
    );
    let (status, found) = check(root.path(), &[]);
    assert_eq!(status, 1);
    assert_eq!(found[0]["code"], "reserved-name", "{:?}", places(&found));
}
