//! Faults of number in scenarios: stacks, strengths, wagons, and levels of victory.

use serde_json::json;

use crate::skirmish::{
    CLASH, DRAGOONS, GUNS, MAIN, REDUCTIONS, REINFORCEMENTS, RIDGE, SCHEDULE, changed, fates, quiet,
    scenario, told,
};
use crate::support::list;

#[test]
fn a_hex_holds_only_so_much() {
    let all = [(CLASH, DRAGOONS, "units = \"Heth/II\""), (CLASH, GUNS, "")];
    told(
        &all,
        "overstacked clash.toml «\"B0512\" }» 3 units with at least 9 points in B0512 → overstack = true",
    );
    let allowed = "place = { hex = \"B0512\" }\noverstack = true";
    quiet(&[all[0], all[1], (CLASH, "place = { hex = \"B0512\" }", allowed)]);
    let found = told(
        &[(CLASH, "hex = \"A1012\"", "hex = \"B0512\"")],
        "overstacked clash.toml «\"B0512\" }» 3 units with at least 10 points",
    );
    assert_eq!(found["labels"][0]["at"], "{ hex = \"B0512\" }");
    // In reserve, more may stand together.
    let ridge = (CLASH, RIDGE, "place = { hex = \"A0505\" }");
    quiet(&[ridge]);
    told(
        &[ridge, (CLASH, "status = \"reserve\"\n", "")],
        "overstacked clash.toml «\"A0505\" }» 2 units with at least 10 points",
    );
}

#[test]
fn strengths_of_a_scenario_are_no_more_than_those_of_the_order_of_battle() {
    let found = told(
        &[(REDUCTIONS, "12 Kent,4", "12 Kent,6")],
        "scenario-strength reductions.csv «6» give 12th Kent (North/Rodes/I) 6, more than",
    );
    assert_eq!(found["labels"][0]["at"], "5,");
    told(
        &[(CLASH, "remove = 4", "remove = 19")],
        "scenario-strength clash.toml «19» which has only 18 → correct the quota",
    );
    told(
        &[(CLASH, "remove = 4", "remove = 1")],
        "scenario-strength clash.toml «1» already known to have lost 2",
    );
    quiet(&[(CLASH, "remove = 4", "remove = 18")]);
    quiet(&[(CLASH, "remove = 4", "remove = 2")]);
}

#[test]
fn wagons_add_up() {
    let two = (
        CLASH,
        "supply = { wagon = 1 }\nplace = { anywhere",
        "supply = { wagon = 2 }\nplace = { anywhere",
    );
    told(
        &[two],
        "supply-count clash.toml «wagon = 2 }» but there are only 2 → correct one of the numbers",
    );
    told(
        &[(MAIN, "wagon=1", "")],
        "supply-count supply.csv «2» 1 of the 2 → [[absent]]",
    );
    told(
        &[(MAIN, "wagon=1", "wagno=1")],
        "unknown-supply main.csv «» `wagno`",
    );
    let absent = format!(
        "[[absent]]\nside = \"red\"\nsupply = {{ wagon = 1 }}\nreason = \"lost\"\n\n{REINFORCEMENTS}"
    );
    quiet(&[(MAIN, "wagon=1", ""), (CLASH, REINFORCEMENTS, &absent)]);
}

#[test]
fn levels_of_victory_meet_exactly() {
    let cell = "victory-bands clash.toml «\"»";
    for (from, to, message) in [
        (
            "less = \"1.5\"",
            "less = \"1.25\"",
            "between “Draw” and “Red victory” there is a gap",
        ),
        (
            "less = \"1.5\"",
            "less = \"1.75\"",
            "“Draw” and “Red victory” overlap",
        ),
        (
            "less = \"1.5\"",
            "at_most = \"1.5\"",
            "“Draw” and “Red victory” overlap",
        ),
        (
            "over = \"1\"",
            "at_least = \"1\"",
            "“Blue victory” and “Draw” overlap",
        ),
        (
            "at_most = \"1\"",
            "less = \"1\"",
            "between “Blue victory” and “Draw” there is a gap",
        ),
        ("at_most = \"1\"\n", "", "“Blue victory” and “Draw” overlap"),
        (
            "less = \"1.5\"",
            "less = \"many\"",
            "`less` of the level “Draw” is `many`, which is no number",
        ),
    ] {
        told(&[(CLASH, from, to)], &format!("{cell} {message}"));
    }
    let turned = (CLASH, "at_most = \"1\"", "less = \"1\"");
    quiet(&[turned, (CLASH, "over = \"1\"", "at_least = \"1\"")]);
    quiet(&[(CLASH, "less = \"1.5\"", "less = \"1.50\"")]);
}

#[test]
fn levels_of_victory_cover_every_result() {
    for (from, to) in [
        ("at_least = \"1.5\"", "at_least = \"1.5\"\nless = \"9\""),
        ("at_most = \"1\"", "at_most = \"1\"\nover = \"0.5\""),
        ("at_least = \"1.5\"", "at_least = \"1.5\"\nless = \"1.2\""),
    ] {
        told(&[(CLASH, from, to)], "victory-bands clash.toml «\"» ");
    }
}

#[test]
fn wagons_that_come_after_the_last_line_that_counts_do_not_arrive() {
    let until = format!("{SCHEDULE}\nuntil = \"1800-06-01 0800\"");
    let rested = (CLASH, "reductions = [\"tired\"]\n", "");
    let root = changed(&[rested, (CLASH, SCHEDULE, &until)]);
    let pack = scenario(root.path(), "clash");
    assert_eq!(fates(&pack, "units")["red-11-kent"]["state"], "later");
    let wagons = list(&pack, "supply")
        .iter()
        .find(|lot| lot["supply"] == "red-wagon")
        .expect("wagons");
    assert_eq!((&wagons["arriving"], &wagons["absent"]), (&json!([]), &json!(1)));
}
