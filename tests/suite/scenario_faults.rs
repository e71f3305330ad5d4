//! Faults of time and place in scenarios: each is told once, at the text that has it, and its sound twin is quiet.

use crate::skirmish::{CLASH, DRAGOONS, GUNS, MAIN, REINFORCEMENTS, RIDGE, SCHEDULE, changed, quiet, told};
use crate::support::{check, list, text};

#[test]
fn the_small_game_is_clean() {
    quiet(&[]);
}

#[test]
fn the_number_of_turns_follows_from_start_end_and_calendar() {
    let found = told(
        &[(CLASH, "turns = 5", "turns = 6")],
        "turn-count clash.toml «6» 6 turns, but from start to end there are 5 → correct `turns`, `start` or `end`",
    );
    let labels: Vec<&str> = list(&found, "labels")
        .iter()
        .map(|label| text(&label["at"]))
        .collect();
    assert_eq!(labels, ["\"1800-06-01 0800\"", "\"1800-06-01 1200\""]);
    quiet(&[(CLASH, "turns = 5\n", "")]);
    // Eleven by day, from 0800 to 1800, and three by night.
    quiet(&[(CLASH, "1200\"\nturns = 5", "2400\"\nturns = 14")]);
}

#[test]
fn moments_off_the_track_offer_their_neighbours() {
    for (moment, neighbours) in [
        ("0830", "are June 1 0800 and June 1 0900"),
        ("2100", "are June 1 2000 and June 1 2200"),
        ("0500", "June 1 0600"),
    ] {
        let start = format!("start = \"1800-06-01 {moment}\"");
        told(
            &[(CLASH, "start = \"1800-06-01 0800\"", &start)],
            &format!(
                "off-the-track clash.toml «\"1800-06-01 {moment}\"» is no turn of the calendar → {neighbours}"
            ),
        );
    }
    told(
        &[(MAIN, "01,0900", "01,0915")],
        "off-the-track main.csv «0915,» `1800-06-01 0915` is no turn → June 1 0900 and June 1 1000",
    );
    let until = format!("{SCHEDULE}\nuntil = \"1800-06-01 1130\"");
    told(
        &[(CLASH, SCHEDULE, &until)],
        "off-the-track clash.toml «\"1800-06-01 1130\"» is no turn → June 1 1100 and June 1 1200",
    );
    told(
        &[(CLASH, "1200\"", "0700\"")],
        "off-the-track clash.toml «\"1800-06-01 0700\"» ends before it begins",
    );
}

#[test]
fn who_stands_twice_is_shown_at_both_places() {
    let guns = "units = \"artillery of Heth/II; 6 Dragoons\"\n";
    let found = told(
        &[(CLASH, GUNS, guns)],
        "double-standing clash.toml «\"artillery of Heth/II; 6 D» 6th Dragoons (East/Heth/II) is set up twice → take it out",
    );
    assert_eq!(found["labels"][0]["at"], "\"Heth/II except artillery\"");
    let found = told(
        &[(MAIN, "11 Kent of North/Rodes/I", "11 Kent of North/Rodes/I; Hale")],
        "double-standing main.csv «11 Kent of North/Rodes/I; Hale» Hale's Battery (East/Heth/II) is set up and arrives",
    );
    assert_eq!(found["labels"][0]["at"], "\"artillery of Heth/II\"");
    let leader = format!("{DRAGOONS}\nleaders = [\"Rodes\"]");
    told(
        &[(CLASH, DRAGOONS, &leader)],
        "double-standing main.csv «Rodes,wagon=1» Rodes is set up and arrives",
    );
    quiet(&[(CLASH, "\"rest of West\"", "\"rest of West; artillery of West\"")]);
}

#[test]
fn who_is_forgotten_is_named_with_where_his_mates_are() {
    let six = (CLASH, DRAGOONS, "units = \"6 Dragoons\"");
    told(
        &[six],
        "unaccounted clash.toml «\"clash\"» 5th Dragoons (East/Heth/II) → mate 6th Dragoons is set up by `red-dragoons`",
    );
    told(
        &[(
            MAIN,
            "rest of Rodes/I except artillery",
            "\"rest of Rodes/I except 4 York, artillery\"",
        )],
        "unaccounted clash.toml «\"clash\"» 4th York (South/Rodes/I) → mate 3d York arrives by `red-1000`",
    );
    let absent =
        format!("[[absent]]\nside = \"red\"\nunits = \"5 Dragoons\"\nreason = \"lost\"\n\n{REINFORCEMENTS}");
    let six_leave = (MAIN, "5 Dragoons/East/Heth/II", "6 Dragoons/East/Heth/II");
    quiet(&[six, (CLASH, REINFORCEMENTS, &absent), six_leave]);
}

#[test]
fn areas_are_open_to_their_sides_alone() {
    told(
        &[(MAIN, "1000,arrive,1,", "1000,arrive,2,")],
        "closed-area main.csv «2,rest of» Area Two is not open to `red` → `1`, `3`, `4`",
    );
    told(
        &[(MAIN, "arrive,3|4,", "arrive,3|7,")],
        "closed-area main.csv «7,» there is no area `7` → `1`, `2`, `3`, `4`",
    );
    quiet(&[(MAIN, "withdraw,1,", "withdraw,2,")]);
}

#[test]
fn an_area_that_a_scenario_replaces_is_told_in_the_scenario() {
    let replace = format!("{SCHEDULE}\n\n[[reinforcements.replace]]\nentry = \"red-1000\"\nareas = [\"2\"]");
    told(
        &[(CLASH, SCHEDULE, &replace)],
        "closed-area clash.toml «» Area Two is not open to `red`",
    );
}

#[test]
fn hexes_off_the_map_and_unknown_terrain_are_told_with_what_may_be_meant() {
    for (place, told_as) in [
        (
            "{ hex = \"A1051\" }",
            "`A1051` is not on Section A → was `A1015` meant",
        ),
        (
            "{ hex = \"A2112\" }",
            "`A2112` is not on Section A → hexrows 1 to 20",
        ),
        (
            "{ hexes = [\"A0101\", \"B0131\"] }",
            "`B0131` is not on Section B → was `B0113` meant",
        ),
        (
            "{ sides = [{ side = \"west\", of = \"A..31\" }] }",
            "`A..31` is not on → `A..13`",
        ),
        (
            "{ between = { from = \"A2100\", to = \"mill-hill\" } }",
            "`A2100` is not on",
        ),
        (
            "{ anywhere = true, except = { adjacent = [\"mil-hill\"] } }",
            "`mil-hill` is no → `mill-hill`?",
        ),
        (
            "{ on = [\"long-rigde\"] }",
            "no terrain that is declared → did you mean `long-ridge`?",
        ),
        (
            "{ within = { hexes = 2, of = \"0512\" } }",
            "`0512` is no hex → need their map's letter",
        ),
    ] {
        let whole = format!("place = {place}");
        let name = told_as.split('`').nth(1).expect("a name");
        let name = if told_as.starts_with("no terrain") {
            "long-rigde"
        } else {
            name
        };
        told(
            &[(CLASH, RIDGE, &whole)],
            &format!("off-map clash.toml «\"{name}\"» {told_as}"),
        );
    }
    quiet(&[(
        CLASH,
        RIDGE,
        "place = { sides = [{ side = \"west\", of = \"A2000\" }, { side = \"north\", of = \"B..30\" }] }",
    )]);
    let default = (CLASH, "turns = 5\n", "turns = 5\ndefault_map = \"A\"\n");
    quiet(&[default, (CLASH, RIDGE, "place = { hex = \"0512\" }")]);
}

#[test]
fn arrivals_lie_within_their_scenario_in_turns_that_have_them() {
    let extra = |at: &str, what: &str| {
        format!(
            "{SCHEDULE}\n\n[[reinforcements.extra]]\nid = \"more\"\nside = \"red\"\nat = \"{at}\"\nunits = \"Hale\"\n{what}"
        )
    };
    for (at, what, expected) in [
        (
            "1800-06-01 0700",
            "areas = [\"1\"]",
            "impossible-arrival clash.toml «\"1800-06-01 0700\"» before the start of `clash`",
        ),
        (
            "1800-06-01 1300",
            "areas = [\"1\"]",
            "impossible-arrival clash.toml «\"1800-06-01 1300\"» after the end of `clash`",
        ),
        (
            "1800-06-01 1130",
            "areas = [\"1\"]",
            "off-the-track clash.toml «\"1800-06-01 1130\"» is no turn → June 1 1100",
        ),
        (
            "1800-06-01 1100",
            "areas = [\"2\"]",
            "closed-area clash.toml «\"2\"» Area Two is not open",
        ),
        (
            "1800-06-01 1100",
            "place = { hex = \"A2101\" }",
            "off-map clash.toml «\"more\"» `A2101` is not on Section A",
        ),
    ] {
        told(
            &[(CLASH, GUNS, ""), (CLASH, SCHEDULE, &extra(at, what))],
            expected,
        );
    }
    quiet(&[
        (CLASH, GUNS, ""),
        (CLASH, SCHEDULE, &extra("1800-06-01 1100", "areas = [\"4\"]")),
    ]);
    // Nothing arrives in that turn either, which nobody needs to know of one that no scenario reaches.
    let root = changed(&[(
        MAIN,
        "red-1200,",
        "night,red,1800-06-02,0200,arrive,1,,,,,\nred-1200,",
    )]);
    let (_, found) = check(root.path(), &[]);
    let told: Vec<(&str, &str)> = found
        .iter()
        .map(|found| (text(&found["code"]), text(&found["message"])))
        .collect();
    assert_eq!(
        told,
        [(
            "impossible-arrival",
            "`night` arrives June 2 0200, after the end of `clash`"
        )]
    );
}

#[test]
fn what_withdraws_has_arrived_before() {
    for time in ["0900", "1000"] {
        let line = format!("{time},withdraw,1,3 York");
        let found = told(
            &[(MAIN, "1200,withdraw,1,5 Dragoons/East/Heth/II", &line)],
            &format!(
                "impossible-arrival main.csv «{time},withdraw» 3d York (South/Rodes/I) withdraws by June 1"
            ),
        );
        assert!(
            text(&found["labels"][0]["at"]).starts_with("1000,arrive"),
            "{found}"
        );
    }
    quiet(&[(MAIN, "withdraw,1,5 Dragoons/East/Heth/II", "withdraw,1,3 York")]);
}
