//! Which overlays belong to an edition, and the command lines that choose one.

use crate::errata::overlay;
use crate::support::{check, edit, json, list, orbat, outcomes, pack, shipped, summary, tiny, write};

const RULING: &str = "id = 'house'\ntitle = 'T'\ndate = 2010-05-05\nsource = 'S'\nkind = 'ruling'\n\n[[entries]]\nref = 'r'\n\
                      kind = 'correction'\nsummary = 'S'\nreason = 'R'\nop = 'note'\n";

#[test]
fn an_edition_is_all_none_the_official_ones_or_those_named() {
    let root = tiny();
    overlay(root.path(), "second", "2002-01-01", "op = 'note'");
    write(root.path(), "oob/tiny/errata/house.toml", RULING);
    for (errata, expected) in [
        ("all", vec!["sheet", "second", "house"]),
        ("none", vec![]),
        ("official", vec!["sheet", "second"]),
        ("house", vec!["house"]),
        ("house,sheet", vec!["sheet", "house"]),
        ("house, sheet", vec!["sheet", "house"]),
    ] {
        let mut ids: Vec<String> = outcomes(root.path(), &["--errata", errata])
            .iter()
            .map(|line| line.split(' ').next().expect("an id").to_owned())
            .collect();
        ids.dedup();
        assert_eq!(ids, expected, "--errata {errata}");
    }
}

#[test]
fn a_date_leaves_out_what_came_later() {
    let root = tiny();
    overlay(root.path(), "second", "2002-01-01", "op = 'note'");
    for (date, count) in [
        ("2000-12-31", 0),
        ("2001-01-01", 4),
        ("2001-12-31", 4),
        ("2002-01-01", 5),
    ] {
        assert_eq!(outcomes(root.path(), &["--as-of", date]).len(), count, "{date}");
    }
}

#[test]
fn the_pack_says_of_which_edition_it_is() {
    let root = tiny();
    let pack = pack(root.path(), "tiny");
    assert_eq!(pack["edition"]["overlays"], serde_json::json!(["sheet"]));
    let errata = list(&pack, "errata");
    assert_eq!(errata.len(), 4);
    let renamed = serde_json::json!({ "overlay": "sheet", "ref": "1.2", "kind": "correction", "op": "rename",
        "summary": "The 2nd Kent is the 9th Kent.", "target": "2d Kent (North/1)", "outcome": "applied",
        "was": { "name": "2d Kent", "abbr": "2 Kent" }, "now": { "name": "9th Kent", "abbr": "9 Kent" } });
    assert_eq!(errata[1], renamed);
    assert_eq!(orbat(root.path(), &["build", "--errata", "none"]).status, 0);
    let base = json(&crate::support::read(root.path(), "dist/tiny/pack.json"));
    assert_eq!(base["edition"]["overlays"], serde_json::json!([]));
    assert_eq!(list(&base, "errata").len(), 0);
}

#[test]
fn an_unknown_overlay_is_a_wrong_command() {
    let root = tiny();
    let run = orbat(root.path(), &["check", "--errata", "sheat"]);
    assert_eq!(run.status, 2);
    assert_eq!(
        run.err,
        "orbat: no overlay is called `sheat`; did you mean `sheet`?\n"
    );
}

#[test]
fn an_unknown_overlay_is_a_wrong_command_even_where_the_base_has_errors() {
    let run = orbat(shipped().path(), &["check", "--errata", "officail"]);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("no overlay is called `officail`"), "{}", run.err);
}

#[test]
fn a_date_that_is_none_is_a_wrong_command() {
    for date in [
        "yesterday",
        "1977-2-22",
        "22-02-1977",
        "1977-02-2x",
        "1977-13-01",
        "1977-02-30",
    ] {
        let run = orbat(tiny().path(), &["check", "--as-of", date]);
        assert_eq!(run.status, 2, "{date}");
        assert!(run.err.contains(date), "{}", run.err);
    }
}

#[test]
fn two_overlays_with_one_id_are_pointed_out() {
    let root = tiny();
    let sheet = crate::support::read(root.path(), "oob/tiny/errata/sheet.toml");
    write(root.path(), "oob/tiny/errata/twin.toml", sheet);
    let (status, found) = check(root.path(), &[]);
    assert_eq!(status, 1);
    assert_eq!(
        summary(&found),
        "duplicate-overlay oob/tiny/errata/twin.toml:1 the overlay `twin.toml` has the id `sheet`, which is that of \
         `sheet.toml`\n"
    );
    assert_eq!(found[0]["labels"][0]["file"], "oob/tiny/errata/sheet.toml");
}

#[test]
fn errata_are_listed_with_what_became_of_them() {
    let root = tiny();
    let run = orbat(root.path(), &["errata"]);
    assert_eq!(run.status, 0);
    insta::assert_snapshot!(run.out);
    let none = orbat(root.path(), &["errata", "--errata", "none"]);
    assert!(none.out.contains("not in this edition"), "{}", none.out);
}

#[test]
fn a_diff_of_an_edition_with_itself_is_empty_and_of_two_is_what_the_sheet_says() {
    let root = tiny();
    assert_eq!(
        orbat(root.path(), &["diff", "all", "sheet"]).out,
        "no difference\n"
    );
    let run = orbat(root.path(), &["diff", "none", "all", "--format", "json"]);
    let differences: Vec<String> = json(&run.out)
        .as_array()
        .expect("an array")
        .iter()
        .map(|difference| {
            let part = |key: &str| difference[key].as_str().unwrap_or("-").to_owned();
            format!(
                "{}/{} {} {} {}",
                part("table"),
                part("id"),
                part("field"),
                part("was"),
                part("now")
            )
        })
        .collect();
    insta::assert_debug_snapshot!(differences);
}

#[test]
fn a_diff_with_an_edition_that_cannot_be_made_says_why() {
    let root = tiny();
    edit(
        root.path(),
        "oob/tiny/errata/sheet.toml",
        "total = 6",
        "total = 5",
    );
    let run = orbat(root.path(), &["diff", "none", "all"]);
    assert_eq!((run.status, run.out.as_str()), (1, ""));
    assert!(run.err.starts_with("stale-erratum"), "{}", run.err);
}
