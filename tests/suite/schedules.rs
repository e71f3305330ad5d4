//! Schedules of reinforcements: who comes and goes, when and where.

use serde_json::{Value, json};

use crate::skirmish::{
    CLASH, DRAGOONS, MAIN, REINFORCEMENTS, add_variant, by_entry, changed, fates, scenario, skirmish, variant,
};
use crate::support::{append, check, edit, list, outcomes, places, summary, text, write};

#[test]
fn the_rest_is_what_no_earlier_line_took() {
    let root = skirmish();
    let pack = scenario(root.path(), "clash");
    assert_eq!(by_entry(&pack, "arrives", "red-0900"), ["red-11-kent"]);
    let rest = ["red-3-york", "red-4-york", "red-12-kent", "red-hq"];
    assert_eq!(by_entry(&pack, "arrives", "red-1000"), rest);
    // In a set-up, all other entries are earlier.
    assert_eq!(by_entry(&pack, "deployed", "blue-guns"), ["blue-low"]);
    let later = "red-0800,red,1800-06-01,0800,arrive,1,4 York,,,,";
    append(root.path(), MAIN, later);
    let pack = scenario(root.path(), "clash");
    assert_eq!(by_entry(&pack, "arrives", "red-0800"), ["red-4-york"]);
    assert_eq!(
        by_entry(&pack, "arrives", "red-1000"),
        ["red-3-york", "red-12-kent", "red-hq"]
    );
}

#[test]
fn the_rest_is_not_what_another_schedule_takes() {
    let root = skirmish();
    let header = "id,side,day,time,kind,areas,units,leaders,supply,optional,note\n";
    let line = "red-1000,red,1800-06-01,1000,arrive,1,rest of Rodes/I,Hill,wagon=1,,\n";
    write(
        root.path(),
        "scenarios/skirmish/schedules/other.csv",
        format!("{header}{line}"),
    );
    add_variant(
        root.path(),
        "variant",
        "clash",
        "\n[reinforcements]\nschedule = \"other\"\n",
    );
    let (status, found) = check(root.path(), &["--deny", "warnings"]);
    assert_eq!(
        (status, summary(&found)),
        (0, String::new()),
        "ids are unique in each schedule"
    );
    let pack = scenario(root.path(), "variant");
    let all = [
        "red-3-york",
        "red-4-york",
        "red-11-kent",
        "red-12-kent",
        "red-gale",
        "red-hq",
    ];
    assert_eq!(by_entry(&pack, "arrives", "red-1000"), all);
}

#[test]
fn lines_say_when_and_by_which_areas() {
    let root = skirmish();
    let pack = scenario(root.path(), "clash");
    let units = fates(&pack, "units");
    assert_eq!(
        units["red-11-kent"]["arrival"],
        json!({ "turn": 2, "label": "June 1 0900", "areas": ["3", "4"] })
    );
    let gale = units["red-gale"];
    assert_eq!(
        (&gale["state"], &gale["optional"]),
        (&json!("optional"), &json!(true))
    );
    assert_eq!(gale["arrival"]["turn"], 4);
    let withdraw: Vec<(&str, &Value)> = units
        .iter()
        .filter_map(|(id, unit)| Some((*id, unit.get("withdraw_by")?)))
        .collect();
    assert_eq!(withdraw, [("red-5-dragoons", &json!(5))]);
    assert_eq!(units["red-5-dragoons"]["state"], "deployed");
    let wagons = list(&pack, "supply")
        .iter()
        .find(|lot| lot["supply"] == "red-wagon")
        .expect("wagons");
    assert_eq!(
        (&wagons["deployed"][0]["count"], &wagons["arriving"][0]["count"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(wagons["arriving"][0]["arrival"]["areas"], json!(["3", "4"]));
}

#[test]
fn a_headquarters_goes_where_its_leader_goes_and_a_leader_where_his_command_goes() {
    let root = skirmish();
    let pack = scenario(root.path(), "clash");
    let (units, leaders) = (fates(&pack, "units"), fates(&pack, "leaders"));
    // First Corps begins to arrive at 0900, but Hill comes an hour later.
    assert_eq!(units["red-hq"]["entry"], "red-1000");
    assert_eq!(leaders["red-hill"]["entry"], "red-1000");
    assert_eq!(leaders["red-green-a"]["entry"], "red-0900");
    assert_eq!(leaders["red-green-b"]["entry"], "red-1000");
    assert_eq!(leaders["blue-west"]["entry"], "blue-foot");
    edit(root.path(), MAIN, ",Hill,", ",,");
    let pack = scenario(root.path(), "clash");
    assert_eq!(fates(&pack, "leaders")["red-hill"]["entry"], "red-0900");
    assert_eq!(fates(&pack, "units")["red-hq"]["entry"], "red-0900");
    edit(
        root.path(),
        CLASH,
        DRAGOONS,
        &format!("{DRAGOONS}\nleaders = [\"Hill\"]"),
    );
    let pack = scenario(root.path(), "clash");
    assert_eq!(fates(&pack, "units")["red-hq"]["entry"], "red-dragoons");
}

#[test]
fn a_headquarters_outlives_its_leader() {
    let lost = format!("[[lost]]\nside = \"red\"\nleaders = [\"Hill\"]\n\n{REINFORCEMENTS}");
    let root = changed(&[(MAIN, ",Hill,", ",,"), (CLASH, REINFORCEMENTS, &lost)]);
    let pack = scenario(root.path(), "clash");
    assert_eq!(fates(&pack, "leaders")["red-hill"]["state"], "lost");
    let headquarters = fates(&pack, "units")["red-hq"];
    assert_eq!(
        (text(&headquarters["state"]), text(&headquarters["entry"])),
        ("arrives", "red-0900")
    );
}

#[test]
fn an_overlay_corrects_a_line_and_a_set_up() {
    let root = skirmish();
    let entry = |reference: &str, table: &str, target: &str, was: &str, now: &str| {
        format!(
            "\n[[entries]]\nref = \"{reference}\"\nkind = \"correction\"\nsummary = \"s\"\nop = \"set\"\n\
             table = \"{table}\"\ntarget = \"{target}\"\nwas = {{ {was} }}\nnow = {{ {now} }}\n"
        )
    };
    let head = "id = \"sheet\"\ntitle = \"Sheet\"\ndate = 2001-01-01\nsource = \"x\"\nkind = \"official\"\n";
    let line = entry("1", "schedule", "red-1000", "time = \"1000\"", "time = \"1100\"");
    let guns = "place = { hex = \"A1012\" }";
    let set_up = entry(
        "2",
        "deployments",
        "clash/blue-guns",
        guns,
        "place = { hex = \"A1013\" }",
    );
    let sheet = "oob/skirmish/errata/sheet.toml";
    write(root.path(), sheet, format!("{head}{line}{set_up}"));
    assert_eq!(outcomes(root.path(), &[]), ["sheet 1 applied", "sheet 2 applied"]);
    let pack = scenario(root.path(), "clash");
    assert_eq!(fates(&pack, "units")["red-3-york"]["arrival"]["turn"], 4);
    assert_eq!(fates(&pack, "units")["blue-low"]["place_text"], "in A1013");
    assert_eq!(pack["overlays"], json!(["sheet"]));
    edit(
        root.path(),
        sheet,
        "was = { time = \"1000\" }",
        "was = { time = \"1030\" }",
    );
    let (status, found) = check(root.path(), &[]);
    assert_eq!(
        (status, places(&found)),
        (1, vec![format!("stale-erratum {sheet}:14:16")])
    );
    assert_eq!(found[0]["labels"][0]["file"], MAIN);
}

#[test]
fn what_the_end_or_the_last_line_that_counts_leaves_out_comes_later() {
    for shorter in [
        "end = \"1800-06-01 1000\"\nturns = 3\n",
        "\n[reinforcements]\nuntil = \"1800-06-01 1000\"\n",
    ] {
        let root = variant(shorter);
        let pack = scenario(root.path(), "variant");
        let gale = fates(&pack, "units")["red-gale"];
        assert_eq!(text(&gale["state"]), "later", "{shorter}");
        assert!(text(&gale["reason"]).contains("June 1 1100"), "{gale}");
        assert_eq!(fates(&pack, "units")["red-12-kent"]["state"], "arrives");
    }
}

#[test]
fn what_came_before_the_start_must_be_accounted_for() {
    let root = variant("start = \"1800-06-01 1000\"\nturns = 3\n");
    let (_, found) = check(root.path(), &[]);
    let told = summary(&found);
    assert!(
        told.contains("says nothing of 11th Kent (North/Rodes/I)"),
        "{told}"
    );
    assert!(told.contains("accounts for 1 of the 2"), "{told}");
    let deploy = "\n[[deploy]]\nid = \"early\"\nside = \"red\"\nunits = \"11 Kent of Rodes/I\"\nleaders = [\"Rodes\"]\n\
                  supply = { wagon = 1 }\nplace = { anywhere = true }\n";
    let root = variant(&format!("start = \"1800-06-01 1000\"\nturns = 3\n{deploy}"));
    let pack = scenario(root.path(), "variant");
    assert_eq!(by_entry(&pack, "deployed", "early"), ["red-11-kent"]);
    assert_eq!(fates(&pack, "units")["red-12-kent"]["arrival"]["turn"], 1);
    assert_eq!(fates(&pack, "units")["red-5-dragoons"]["withdraw_by"], 3);
}
