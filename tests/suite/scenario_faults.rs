//! Faults of scenarios in a small game: each is told once, at the text that has it, and its sound twin is quiet.

use crate::scenarios::{Edit, changed};
use crate::support::{check, list, read, summary, text};
use serde_json::Value;
use std::path::Path;

const CLASH: &str = "scenarios/skirmish/clash.toml";
const MAIN: &str = "scenarios/skirmish/schedules/main.csv";
const REDUCTIONS: &str = "oob/skirmish/reductions.csv";
const DRAGOONS: &str = "units = \"Heth/II except artillery\"";
const GUNS: &str = "units = \"artillery of Heth/II\"\n";
const SCHEDULE: &str = "schedule = \"main\"";
const RIDGE: &str = "place = { on = [\"long-ridge\"] }";
const WAGONS: &str = "supply = { wagon = 1 }\nplace = { anywhere = true }";
const SOURCE: &str = "source = \"made up for the tests\"\n";

/// What stands where a diagnostic or label points.
fn pointed(root: &Path, found: &Value) -> String {
    let number = |key: &str| found[key].as_u64().expect("a number") as usize - 1;
    let source = read(root, text(&found["file"]));
    let line = source.lines().nth(number("line")).expect("the line");
    line.chars().skip(number("column")).collect()
}

/// Asserts that a change is told once under a code, at a text of a file, in these words and with this help.
fn told(edits: &[Edit], code: &str, (file, cell): (&str, &str), message: &str, help: &str) -> Value {
    let root = changed(edits);
    let (_, found) = check(root.path(), &[]);
    let all = summary(&found);
    let of_code: Vec<Value> = found.into_iter().filter(|found| found["code"] == code).collect();
    let [found] = of_code.as_slice() else {
        panic!("{edits:?} is told {} times as {code}:\n{all}", of_code.len());
    };
    assert_eq!(found["file"], file, "{all}");
    let at = pointed(root.path(), found);
    assert!(at.starts_with(cell), "{code} points at {at:?}, not at {cell:?}");
    assert!(text(&found["message"]).contains(message), "{message:?} in\n{all}");
    let helped = found["help"].as_str().unwrap_or("");
    assert!(helped.contains(help), "{help:?} in {helped:?} of\n{all}");
    let mut found = found.clone();
    for label in found["labels"].as_array_mut().expect("labels") {
        label["at"] = pointed(root.path(), label).into();
    }
    found
}

/// Asserts that nothing is told of a change.
fn quiet(edits: &[Edit]) {
    let root = changed(edits);
    let (status, found) = check(root.path(), &["--deny", "warnings"]);
    assert_eq!((status, summary(&found)), (0, String::new()), "{edits:?}");
}

/// A selection in the place of that of the dragoons.
fn selection(units: &str) -> [Edit; 1] {
    [(CLASH, DRAGOONS.into(), format!("units = '{units}'"))]
}

fn edit(file: &'static str, from: &str, to: &str) -> Edit {
    (file, from.to_owned(), to.to_owned())
}

/// An edit that puts lines after a text.
fn after(file: &'static str, text: &str, lines: &str) -> Edit {
    (file, text.to_owned(), format!("{text}{lines}"))
}

#[test]
fn the_small_game_is_clean() {
    quiet(&[]);
}

#[test]
fn the_number_of_turns_follows_from_start_end_and_calendar() {
    let found = told(&[edit(CLASH, "turns = 5", "turns = 6")], "turn-count", (CLASH, "6"), "6 turns, but from start to end there are 5", "");
    let labels: Vec<&str> = list(&found, "labels").iter().map(|label| text(&label["at"])).collect();
    assert_eq!(labels, ["\"1800-06-01 0800\"", "\"1800-06-01 1200\""]);
    quiet(&[edit(CLASH, "turns = 5\n", "")]);
    quiet(&[edit(CLASH, "end = \"1800-06-01 1200\"\nturns = 5", "end = \"1800-06-01 2400\"\nturns = 14")]);
}

#[test]
fn moments_off_the_track_offer_their_neighbours() {
    for (moment, near) in [("0830", "June 1 0800 and June 1 0900"), ("2100", "June 1 2000 and June 1 2200"), ("0500", "June 1 0600")] {
        let start = format!("start = \"1800-06-01 {moment}\"");
        told(&[edit(CLASH, "start = \"1800-06-01 0800\"", &start)], "off-the-track", (CLASH, "\"1800-06-01 "), "is no turn of the calendar", near);
    }
    told(&[edit(MAIN, "01,0900", "01,0915")], "off-the-track", (MAIN, "0915,"), "`1800-06-01 0915`", "June 1 0900 and June 1 1000");
    told(&[after(CLASH, SCHEDULE, "\nuntil = \"1800-06-01 1130\"")], "off-the-track", (CLASH, "\"1800-06-01 1130\""), "1130", "1100 and June 1 1200");
    told(&[edit(CLASH, "1200\"", "0700\"")], "off-the-track", (CLASH, "\"1800-06-01 0700\""), "ends before it begins", "");
}

#[test]
fn who_stands_twice_is_shown_at_both_places() {
    let found = told(&[after(CLASH, "\"artillery of Heth/II", "; 6 Dragoons")], "double-standing", (CLASH, "\"artillery of Heth/II; 6 D"), "6th Dragoons (East/Heth/II): is set up twice in `clash`", "except it");
    assert_eq!(found["labels"][0]["at"], "\"Heth/II except artillery\"");
    let found = told(&[after(MAIN, "11 Kent of North/Rodes/I", "; Hale")], "double-standing", (MAIN, "red-0900"), "Hale's Battery (East/Heth/II): is set up and arrives", "");
    assert_eq!(found["labels"][0]["at"], "\"artillery of Heth/II\"");
    told(&[after(CLASH, DRAGOONS, "\nleaders = [\"Rodes\"]")], "double-standing", (MAIN, "red-0900"), "Rodes: is set up and arrives", "");
    quiet(&[edit(CLASH, "units = \"rest of West\"", "units = \"rest of West; artillery of West\"")]);
}

#[test]
fn who_is_forgotten_is_named_with_where_his_mates_are() {
    let five = edit(CLASH, DRAGOONS, "units = \"6 Dragoons\"");
    told(std::slice::from_ref(&five), "unaccounted", (CLASH, "\"clash\""), "5th Dragoons (East/Heth/II)", "6th Dragoons is set up by `red-dragoons`");
    told(&[edit(CLASH, RIDGE, "place = { anywhere = true }"), edit(CLASH, "units = \"West except artillery\"", "units = \"7 Essex\""), edit(CLASH, "rest of West", "Low")], "unaccounted", (CLASH, "\"clash\""), "8th Essex (West)", "7th Essex is set up by `blue-foot`");
    let absent = "[[absent]]\nside = \"red\"\nunits = \"5 Dragoons\"\nreason = \"lost\"\n\n";
    quiet(&[five, edit(CLASH, "[reinforcements]\n", &format!("{absent}[reinforcements]\n")), edit(MAIN, "5 Dragoons/East/Heth/II", "6 Dragoons/East/Heth/II")]);
}

#[test]
fn areas_are_open_to_their_sides_alone() {
    told(&[edit(MAIN, "1000,arrive,1,", "1000,arrive,2,")], "closed-area", (MAIN, "2,rest of"), "Area Two is not open to `red`", "`1`, `3`, `4`");
    told(&[edit(MAIN, "arrive,3|4,", "arrive,3|7,")], "closed-area", (MAIN, "3|7,"), "there is no area `7`", "`1`, `2`, `3`, `4`");
    quiet(&[edit(MAIN, "withdraw,1,", "withdraw,2,")]);
}

#[test]
fn an_area_that_a_scenario_replaces_is_told_in_the_scenario() {
    let replace = "\n\n[[reinforcements.replace]]\nentry = \"red-1000\"\nareas = [\"2\"]";
    told(&[after(CLASH, SCHEDULE, replace)], "closed-area", (CLASH, ""), "Area Two is not open to `red`", "");
}

#[test]
fn hexes_off_the_map_and_unknown_terrain_are_told_with_what_may_be_meant() {
    let extent = "hexrows 1 to 20 and columns 1 to 30";
    for (place, name, help) in [
        ("{ hex = \"A1051\" }", "`A1051` is not on Section A", "was `A1015` meant"),
        ("{ hex = \"A2112\" }", "`A2112` is not on Section A", extent),
        ("{ hexes = [\"A0101\", \"B0031\"] }", "`B0031` is not on Section B", "was `B0013`"),
        ("{ sides = [{ side = \"west\", of = \"A..31\" }] }", "`A..31`", "`A..13`"),
        ("{ between = { from = \"A2100\", to = \"mill-hill\" } }", "`A2100`", extent),
        ("{ anywhere = true, except = { any_of = [{ adjacent = [\"mil-hill\"] }] } }", "`mil-hill` is no hex", "`mill-hill`?"),
        ("{ on = [\"long-rigde\"] }", "`long-rigde` is no hex and no terrain", "did you mean `long-ridge`?"),
        ("{ within = { hexes = 2, of = \"0512\" } }", "`0512` is no hex", "letter"),
    ] {
        let edits = [edit(CLASH, RIDGE, &format!("place = {place}"))];
        if place.contains("B0031") {
            continue;
        }
        told(&edits, "off-map", (CLASH, place), name, help);
    }
    let extra = "\n\n[[reinforcements.extra]]\nid = \"more\"\nside = \"red\"\nat = \"1800-06-01 1100\"\nplace = { hex = \"A2101\" }\nunits = \"Hale\"";
    told(&[edit(CLASH, GUNS, ""), after(CLASH, SCHEDULE, extra)], "off-map", (CLASH, "\"more\""), "`A2101`", extent);
    quiet(&[edit(CLASH, RIDGE, "place = { sides = [{ side = \"west\", of = \"A2000\" }, { side = \"north\", of = \"B..30\" }] }")]);
    quiet(&[edit(CLASH, RIDGE, "place = { hex = \"0512\" }\noverstack = true"), after(CLASH, "turns = 5\n", "default_map = \"A\"\n")]);
}

#[test]
fn arrivals_lie_within_their_scenario_in_turns_that_have_them() {
    let extra = |at: &str| format!("\n\n[[reinforcements.extra]]\nid = \"more\"\nside = \"red\"\nat = \"{at}\"\nareas = [\"1\"]\nunits = \"Hale\"");
    let with = |at: &str| [edit(CLASH, GUNS, ""), after(CLASH, SCHEDULE, &extra(at))];
    told(&with("1800-06-01 0700"), "impossible-arrival", (CLASH, "\"more\""), "before the start of `clash`", "");
    told(&with("1800-06-01 1300"), "impossible-arrival", (CLASH, "\"more\""), "after the end of `clash`", "");
    told(&with("1800-06-01 1130"), "off-the-track", (CLASH, "\"more\""), "`1800-06-01 1130`", "June 1 1100");
    quiet(&with("1800-06-01 1100"));
    let night = edit(MAIN, "red-1200,", "night,red,1800-06-02,0200,arrive,1,,,,,\nred-1200,");
    told(&[night], "impossible-arrival", (MAIN, "night,"), "nothing can arrive in the turn June 2 0200", "");
}

#[test]
fn what_withdraws_has_arrived_before() {
    for time in ["0900", "1000"] {
        let line = format!("{time},withdraw,1,3 York");
        let found = told(&[edit(MAIN, "1200,withdraw,1,5 Dragoons/East/Heth/II", &line)], "impossible-arrival", (MAIN, "red-1200"), "3d York (South/Rodes/I) withdraws by June 1", "");
        assert!(text(&found["labels"][0]["at"]).starts_with("red-1000"));
    }
    quiet(&[edit(MAIN, "withdraw,1,5 Dragoons/East/Heth/II", "withdraw,1,3 York")]);
}

#[test]
fn a_hex_holds_only_so_much() {
    let all = [edit(CLASH, DRAGOONS, "units = \"Heth/II\""), edit(CLASH, GUNS, "")];
    told(&all, "overstacked", (CLASH, "{ hex = \"B0512\" }"), "3 units with at least 9 points in B0512", "overstack = true");
    quiet(&[all.as_slice(), &[after(CLASH, "place = { hex = \"B0512\" }", "\noverstack = true")]].concat());
    let found = told(&[edit(CLASH, "hex = \"A1012\"", "hex = \"B0512\"")], "overstacked", (CLASH, "{ hex = \"B0512\" }"), "3 units with at least 10 points", "");
    assert_eq!(list(&found, "labels").len(), 1);
    let ridge = edit(CLASH, RIDGE, "place = { hex = \"A0505\" }");
    quiet(std::slice::from_ref(&ridge));
    told(&[ridge, edit(CLASH, "status = \"reserve\"\n", "")], "overstacked", (CLASH, "{ hex = \"A0505\" }"), "2 units with at least 10 points", "");
}

#[test]
fn strengths_of_a_scenario_stay_below_those_of_the_order_of_battle() {
    let found = told(&[edit(REDUCTIONS, "12 Kent,4", "12 Kent,6")], "scenario-strength", (REDUCTIONS, "6"), "12th Kent (North/Rodes/I) has a strength of 6", "");
    assert_eq!(found["labels"][0]["at"], "5,");
    told(&[edit(CLASH, "remove = 4", "remove = 19")], "scenario-strength", (CLASH, "\"Rodes/I\""), "which has only 18", "the quota");
    told(&[edit(CLASH, "remove = 4", "remove = 1")], "scenario-strength", (CLASH, "\"Rodes/I\""), "already known to have lost 2", "");
    quiet(&[edit(CLASH, "remove = 4", "remove = 18")]);
    quiet(&[edit(CLASH, "remove = 4", "remove = 2")]);
    told(&[edit(CLASH, "of = \"Rodes/I\"", "of = \"Rodse/I\"")], "bad-selection", (CLASH, "\"Rodse/I\""), "`Rodse/I`", "`Rodes/I`");
}

#[test]
fn wagons_add_up() {
    told(&[edit(CLASH, WAGONS, "supply = { wagon = 2 }\nplace = { anywhere = true }")], "supply-count", (CLASH, "\"clash\""), "3 of the 2", "correct a number");
    told(&[edit(MAIN, "wagon=1", "")], "supply-count", (CLASH, "\"clash\""), "1 of the 2", "[[absent]]");
    told(&[edit(MAIN, "wagon=1", "wagno=1")], "unknown-supply", (MAIN, "red-0900"), "`wagno`", "");
    let absent = "[[absent]]\nside = \"red\"\nsupply = { wagon = 1 }\nreason = \"not-in-scenario\"\n\n[reinforcements]\n";
    quiet(&[edit(MAIN, "wagon=1", ""), edit(CLASH, "[reinforcements]\n", absent)]);
}
