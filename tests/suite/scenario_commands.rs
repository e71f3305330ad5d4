//! What the program makes of scenarios: timelines, sheets, new ones.

use crate::skirmish::skirmish;
use crate::support::{built, check, edit, json, list, orbat, summary, text};

#[test]
fn a_timeline_says_what_is_on_the_map_arrives_and_is_due() {
    let root = skirmish();
    let run = orbat(root.path(), &["timeline", "clash", "--at", "1000"]);
    assert_eq!(run.status, 0, "{}", run.err);
    insta::assert_snapshot!(run.out);
    let answers = |at: &str| {
        let run = orbat(
            root.path(),
            &["timeline", "clash", "--at", at, "--format", "json"],
        );
        assert_eq!(run.status, 0, "{}", run.err);
        run.out
    };
    let moment = json(&answers("1000"))[0].clone();
    assert_eq!(
        (&moment["turn"], text(&moment["label"])),
        (&3.into(), "June 1 1000")
    );
    assert_eq!(list(&moment["on_map"], "red").len(), 8);
    assert_eq!(list(&moment["on_map"], "blue").len(), 3);
    assert!(list(&moment["arriving"][0], "who").contains(&"12 Kent (North/Rodes/I)".into()));
    assert_eq!(
        moment["due"][0]["who"],
        serde_json::json!(["Gale (South/Rodes/I)"])
    );
    assert_eq!(moment["due"][0]["optional"], true);
    for same in ["3", "June 1 1000", "1800-06-01 1000"] {
        assert_eq!(answers(same), answers("1000"), "{same}");
    }
    let gone = answers("1200");
    assert_eq!(
        gone.matches("5 Dragoons").count(),
        1,
        "it is to be gone, not on the map: {gone}"
    );
}

#[test]
fn a_turn_that_a_scenario_has_not_is_refused_with_those_it_has() {
    let root = skirmish();
    for at in ["1300", "0830", "9", "0", "noon", "1800-06-02 0800"] {
        let run = orbat(root.path(), &["timeline", "clash", "--at", at]);
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{at}");
        assert!(
            run.err.contains("runs from June 1 0800 to June 1 1200"),
            "{}",
            run.err
        );
    }
    let run = orbat(root.path(), &["timeline", "clahs", "--at", "0800"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("did you mean `clash`?"), "{}", run.err);
    let run = orbat(built(), &["timeline", "grand-battle", "--at", "0800"]);
    assert_eq!(run.status, 2);
    assert!(
        run.err.contains("July 1 0800, July 2 0800, July 3 0800"),
        "{}",
        run.err
    );
}

#[test]
fn the_sheets_of_a_scenario_are_printed_as_html_and_markdown() {
    let root = skirmish();
    for format in ["html", "md"] {
        for (sheet, holds) in [
            ("scenario", "red stands on the ridge at the end"),
            ("setup", "6 Dragoons"),
            ("schedule", "11 Kent"),
            ("timeline", "North/Rodes/I"),
        ] {
            let run = orbat(
                root.path(),
                &["print", sheet, "--scenario", "clash", "--format", format],
            );
            assert_eq!(run.status, 0, "{}", run.err);
            assert!(
                run.out.replace("&#x2f;", "/").contains(holds),
                "{sheet}.{format} without {holds:?}: {}",
                run.out
            );
            assert!(run.out.contains("The Clash"), "{sheet}.{format}");
        }
    }
    let run = orbat(root.path(), &["print", "setup"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("--scenario"), "{}", run.err);
}

#[test]
fn a_new_scenario_is_clean_and_grows_into_a_set_up_sheet() {
    let root = skirmish();
    let clean = || {
        let (status, found) = check(root.path(), &["--deny", "warnings"]);
        assert_eq!((status, summary(&found)), (0, String::new()));
    };
    assert_eq!(orbat(root.path(), &["new", "scenario", "x"]).status, 0);
    clean();
    assert_eq!(
        orbat(root.path(), &["new", "scenario", "x"]).status,
        2,
        "it is there already"
    );
    assert_eq!(orbat(root.path(), &["new", "scenario", "../y"]).status, 2);
    // As the README says: uncomment a deployment, and except its units from those who are absent.
    let path = "scenarios/skirmish/x.toml";
    let commented = "# [[deploy]]\n# id = \"red-first\"\n# side = \"red\"\n# units = \"all\"\n# place = { anywhere = true }\n";
    let deploy = "[[deploy]]\nid = \"red-first\"\nside = \"red\"\nunits = \"East/Heth/II\"\nplace = { within = { hexes = 2, of = \"B0512\" } }\n";
    edit(root.path(), path, commented, deploy);
    let (_, found) = check(root.path(), &[]);
    assert!(
        summary(&found).contains("are set up and are declared absent in `x`"),
        "{}",
        summary(&found)
    );
    let absent = "[[absent]]\nside = \"red\"\nunits = \"all";
    edit(
        root.path(),
        path,
        &format!("{absent}\""),
        &format!("{absent} except East/Heth/II\""),
    );
    clean();
    let run = orbat(
        root.path(),
        &["print", "setup", "--scenario", "x", "--format", "md"],
    );
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.out.contains("Within 2 hexes of B0512"), "{}", run.out);
    for unit in ["5 Dragoons 3", "6 Dragoons 4", "Hale 2"] {
        assert!(run.out.contains(unit), "{unit} in {}", run.out);
    }
    assert!(!run.out.contains("Kent"), "{}", run.out);
}
