//! Names in scenarios: what names nothing, or too much, is told with what may be meant.

use crate::skirmish::{
    CLASH, DRAGOONS, GUNS, MAIN, REINFORCEMENTS, RIDGE, SCHEDULE, add_variant, changed, quiet, skirmish, told,
};
use crate::support::{check, summary, text, write};

/// What is told of a selection in the place of that of the dragoons.
fn selected(units: &str, expected: &str) -> String {
    let line = format!("units = '{units}'");
    // Of several names the one that is told is marked.
    let named = expected.split('`').nth(1).unwrap_or(units);
    let at = match units.contains(named) && named != units {
        true => named.to_owned(),
        false => format!("'{units}'"),
    };
    let found = told(
        &[(CLASH, DRAGOONS, &line)],
        &format!("bad-selection clash.toml «{at}» {expected}"),
    );
    found["help"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn misspelt_units_are_told_with_the_right_ones() {
    for (units, told_as) in [
        (
            "Hteh/II except artillery",
            "nothing is called `Hteh/II` → did you mean `Heth/II`?",
        ),
        (
            "5 Dragonos",
            "nothing is called `5 Dragonos` → mean `5 Dragoons/East/Heth/II`",
        ),
        (
            "cavalry of Hteh",
            "no formation is called `Hteh` → did you mean `Heth/II`?",
        ),
        (
            "12d Kent",
            "nothing is called `12d Kent` → did you mean `12 Kent/North/Rodes/I`",
        ),
        (
            "3th York",
            "nothing is called `3th York` → did you mean `3 York/South/Rodes/I`?",
        ),
        (
            "11st Kent",
            "nothing is called `11st Kent` → did you mean `11 Kent/North/Rodes/I`",
        ),
    ] {
        selected(units, told_as);
    }
}

#[test]
fn a_missing_or_superfluous_s_makes_no_difference() {
    for units in [
        "5 Dragoon, 6th Dragoon",
        "5 Dragoons', 6 Dragoon's",
        "Heths/II except Hales",
    ] {
        quiet(&[(CLASH, DRAGOONS, &format!("units = \"{units}\""))]);
    }
}

#[test]
fn a_unit_under_the_wrong_corps_is_told_with_the_right_path() {
    for (units, right) in [
        ("Rodes/II", "Rodes/I"),
        ("East/Heth/I", "East/Heth/II"),
        ("Heth/III", "Heth/II"),
    ] {
        let told_as = format!("nothing is called `{units}` → did you mean `{right}`?");
        assert_eq!(selected(units, &told_as), format!("did you mean `{right}`?"));
    }
    selected(
        "5 Dragoons/East/Heth/I",
        "nothing is called → did you mean `5 Dragoons/East/Heth/II`",
    );
}

#[test]
fn a_selection_of_nothing_is_an_error() {
    selected("cavalry of Rodes/I", "means no unit at all");
    selected(
        "Heth/II except 5 Dragoons, 6 Dragoons, Hale",
        "means no unit at all",
    );
    selected(
        "Heth/II except",
        "a name is missing after “except” → name what is left out",
    );
    selected("Zanzibar", "nothing is called `Zanzibar`");
    selected("West", "`West` is of side `blue`, not of `red`");
}

#[test]
fn an_exception_that_excepts_nothing_is_an_error() {
    selected(
        "Heth/II except artillery, 11 Kent",
        "`11 Kent` is excepted from units of which it is none",
    );
    selected(
        "Heth/II except artillery, Rodes/I",
        "`Rodes/I` is excepted from units of which it is none",
    );
    selected(
        "Heth/II except artillery, Gael",
        "nothing is called `Gael` → `Gale/South/Rodes/I`",
    );
}

#[test]
fn a_failed_name_is_not_told_again_as_forgotten_units() {
    let root = changed(&[(CLASH, DRAGOONS, "units = \"Hteh/II except artillery\"")]);
    let (_, found) = check(root.path(), &[]);
    assert_eq!(found.len(), 1, "{}", summary(&found));
}

#[test]
fn names_that_may_mean_several_are_told_with_all_of_them() {
    let twin = (
        "oob/skirmish/units.csv",
        "6th Dragoons,6 Dragoons",
        "11th Kent,11 Kent",
    );
    told(
        &[twin, (CLASH, DRAGOONS, "units = \"11 Kent, 5 Dragoons\"")],
        "bad-selection clash.toml «11 Kent, 5» may be any of 2 → `11 Kent/North/Rodes/I` or `11 Kent/East/Heth/II`",
    );
    quiet(&[
        twin,
        (CLASH, DRAGOONS, "units = \"11 Kent of Heth/II; 5 Dragoons\""),
    ]);
    told(
        &[(MAIN, "Rodes,wagon", "Green,wagon")],
        "unknown-leader main.csv «Green,» `Green` may be 2 leaders → `Green, A.` (red-green-a), `Green, B.` (red-green-b)",
    );
    for green in ["\"Rodes|Green, A.\"", "Rodes|red-green-a", "Rodes|Amos Green"] {
        quiet(&[(MAIN, "Rodes,wagon", &format!("{green},wagon"))]);
    }
}

#[test]
fn unknown_leaders_are_told_with_near_ones() {
    told(
        &[(MAIN, "Rodes,wagon", "Rodse,wagon")],
        "unknown-leader main.csv «Rodse,» no leader of `red` is called `Rodse` → did you mean `Rodes",
    );
    told(
        &[(MAIN, "Rodes,wagon", "West,wagon")],
        "unknown-leader main.csv «West,» no leader of `red` is called `West`",
    );
    let lost = format!("[[lost]]\nside = \"red\"\nleaders = [\"Hth\"]\n\n{REINFORCEMENTS}");
    told(
        &[(CLASH, REINFORCEMENTS, &lost)],
        "unknown-leader clash.toml «\"Hth\"» no leader of `red` is called `Hth` → `Heth",
    );
}

#[test]
fn unknown_lines_and_reductions_are_told() {
    let replace = |entry: &str| {
        format!("{SCHEDULE}\n\n[[reinforcements.replace]]\nentry = \"{entry}\"\nareas = [\"3\"]")
    };
    told(
        &[(CLASH, SCHEDULE, &replace("red-0090"))],
        "unknown-line clash.toml «\"red-0090\"» the schedule has no line → did you mean `red-0900`?",
    );
    quiet(&[(CLASH, SCHEDULE, &replace("red-0900"))]);
    for set in ["tried", "tired/red-02"] {
        let line = format!("[\"{set}\"]");
        told(
            &[(CLASH, "[\"tired\"]", &line)],
            &format!("unknown-reductions clash.toml «\"{set}\"» uses the reductions `{set}`"),
        );
    }
    quiet(&[(CLASH, "[\"tired\"]", "[\"tired/red-01\"]")]);
}

#[test]
fn a_scenario_extends_another_and_never_itself() {
    let source = "source = \"made up for the tests\"\n";
    let extends = |id: &str| format!("{source}extends = \"{id}\"\n");
    told(
        &[(CLASH, source, &extends("clahs"))],
        "unknown-scenario clash.toml «\"clahs\"» the scenario `clahs` does not exist → did you mean `clash`?",
    );
    let circle = told(
        &[(CLASH, source, &extends("clash"))],
        "unknown-scenario clash.toml «\"clash\"» scenarios extend each other in a circle",
    );
    let root = changed(&[(CLASH, source, &extends("variant"))]);
    add_variant(root.path(), "variant", "clash", "");
    let (status, found) = check(root.path(), &[]);
    assert_eq!(status, 1);
    assert!(
        found
            .iter()
            .all(|found| text(&found["message"]).contains("in a circle"))
    );
    assert!(
        !text(&circle["help"]).contains("clash"),
        "the name at fault is offered"
    );
}

#[test]
fn a_scenario_is_called_as_its_file() {
    told(
        &[(CLASH, "id = \"clash\"", "id = \"crash\"")],
        "scenario-id clash.toml «\"crash\"» its file is called `clash.toml` → write `id = \"clash\"`",
    );
    told(
        &[(CLASH, "start = \"1800-06-01 0800\"\n", "")],
        "incomplete-scenario clash.toml «\"clash\"» `clash` has no `start` → start = ",
    );
}

#[test]
fn briefings_are_markdown_and_must_be_there() {
    let root = skirmish();
    write(
        root.path(),
        "scenarios/skirmish/clash.md",
        "Red comes down the <b>long road.\n\n`<i>` is *fine*.\n",
    );
    let (status, found) = check(root.path(), &["--deny", "warnings"]);
    assert_eq!(status, 1);
    let told_as = "raw-html scenarios/skirmish/clash.md:1 the briefing holds raw HTML\n";
    assert_eq!(summary(&found), told_as);
    told(
        &[(CLASH, "clash.md", "clahs.md")],
        "unreadable-file clash.toml «\"clahs.md\"» the briefing `scenarios/skirmish/clahs.md` does not exist",
    );
}

/// What a scenario may name besides units, leaders and terrain, each name wrong by one letter.
#[test]
fn whatever_a_scenario_names_must_exist() {
    let silent: Vec<&str> = [
        (SCHEDULE, "schedule = \"mian\""),
        ("first_side = \"blue\"", "first_side = \"bleu\""),
        ("turns = 5\n", "turns = 5\nmaps = [\"C\"]\n"),
        ("turns = 5\n", "turns = 5\nreplaces = [\"victroy\"]\n"),
        (
            GUNS,
            "units = \"artillery of Heth/II\"\nmarkers = { wroks = 2 }\n",
        ),
        (RIDGE, "place = { with = \"Heth/III\" }"),
        (RIDGE, "place = { area = \"7\" }"),
        (RIDGE, "place = { map = \"C\" }"),
        (RIDGE, "place = { rear_of = \"blue-gnus\" }"),
        (RIDGE, "place = { same_as = \"blue-gnus\" }"),
        ("at = \"long-ridge\"", "at = \"long-rigde\""),
        ("[[victory]]\nside = \"red\"", "[[victory]]\nside = \"rde\""),
        (
            "[[victory]]\n",
            "[[releases]]\nat = \"1800-06-01 0830\"\nnote = \"all\"\n\n[[victory]]\n",
        ),
        (
            "[[victory]]\n",
            "[[releases]]\nat = \"1800-06-01 0900\"\nunits = \"Hteh/II\"\n\n[[victory]]\n",
        ),
        (
            "[[victory]]\n",
            "[[optional_rules]]\nid = \"stragglres\"\nuse = \"yes\"\n\n[[victory]]\n",
        ),
    ]
    .into_iter()
    .filter(|(from, to)| {
        let (_, found) = check(changed(&[(CLASH, from, to)]).path(), &[]);
        // That units are missing then is told anyway, but not why.
        found
            .iter()
            .all(|found| ["unaccounted", "supply-count"].contains(&text(&found["code"])))
    })
    .map(|(_, to)| to)
    .collect();
    assert_eq!(silent, Vec::<&str>::new());
}
