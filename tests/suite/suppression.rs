//! What is known and allowed: comments, lints, baselines, and what becomes of those that are not needed.

use std::path::Path;

use tempfile::TempDir;

use crate::support::{append, check, edit, json, orbat, places, read, summary, text, tiny, write};

/// The tiny project with a formation that has no units, in CSV.
fn with_empty_formation() -> TempDir {
    let root = tiny();
    append(
        root.path(),
        "oob/tiny/formations.csv",
        "red-3,,red,division,3,Third Division,,6,,",
    );
    root
}

/// The tiny project with two formations that have no units, in TOML.
fn with_empty_formations_in_toml(first: &str, second: &str) -> TempDir {
    let root = tiny();
    let table = |id: &str, before: &str| {
        format!(
            "{before}[[formations]]\nid = \"{id}\"\nparent = \"red\"\nechelon = \"division\"\nabbr = \"{id}\"\nname = \"{id} Division\"\n\n"
        )
    };
    write(
        root.path(),
        "oob/tiny/more.toml",
        table("third", first) + &table("fourth", second),
    );
    root
}

fn lint(root: &Path, text: &str) {
    let game = read(root, "oob/tiny/game.toml");
    write(root, "oob/tiny/game.toml", game + text);
}

#[test]
fn a_comment_above_a_table_allows_what_is_found_in_it() {
    let root = with_empty_formations_in_toml("# orbat: allow(empty-formation) arrives later\n", "");
    let (status, found) = check(root.path(), &[]);
    assert_eq!(status, 0);
    assert_eq!(places(&found), ["empty-formation oob/tiny/more.toml:14:8"]);
    // What is allowed is not denied either.
    let root = with_empty_formations_in_toml(
        "# orbat: allow(empty-formation) arrives later\n",
        "# orbat: allow(duplicate-name, empty-formation) so does this\n",
    );
    let (status, found) = check(root.path(), &["--deny", "warnings"]);
    assert_eq!(places(&found), ["stale-allow oob/tiny/more.toml:9:16"]);
    assert_eq!(status, 1);
}

#[test]
fn a_comment_at_the_end_of_a_line_is_about_that_line() {
    let root = with_empty_formations_in_toml("", "");
    edit(
        root.path(),
        "oob/tiny/more.toml",
        "name = \"third Division\"",
        "name = \"third Division\" # orbat: allow(empty-formation) arrives later",
    );
    assert_eq!(
        places(&check(root.path(), &[]).1),
        ["empty-formation oob/tiny/more.toml:13:8"]
    );
    // On another line of the table it is about nothing.
    edit(
        root.path(),
        "oob/tiny/more.toml",
        " # orbat: allow(empty-formation) arrives later",
        "",
    );
    edit(
        root.path(),
        "oob/tiny/more.toml",
        "id = \"third\"",
        "id = \"third\" # orbat: allow(empty-formation) arrives later",
    );
    let found = check(root.path(), &[]).1;
    assert_eq!(
        places(&found),
        [
            "stale-allow oob/tiny/more.toml:2:29",
            "empty-formation oob/tiny/more.toml:6:8",
            "empty-formation oob/tiny/more.toml:13:8"
        ]
    );
}

#[test]
fn an_entry_of_lints_allows_by_file_and_by_record() {
    for narrowing in [
        "",
        "at = \"oob/tiny/formations.csv\"\n",
        "of = \"red-3\"\n",
        "of = \"3/Army of Red\"\n",
        "at = \"oob/tiny/formations.csv\"\nof = \"Third Division\"\n",
    ] {
        let root = with_empty_formation();
        lint(
            root.path(),
            &format!("\n[[lints]]\ncode = \"empty-formation\"\n{narrowing}reason = \"arrives later\"\n"),
        );
        assert_eq!(
            check(root.path(), &["--deny", "warnings"]),
            (0, Vec::new()),
            "{narrowing}"
        );
    }
    for elsewhere in [
        "at = \"oob/tiny/units.csv\"\n",
        "of = \"red-2\"\n",
        "of = \"Second Division\"\n",
        "at = \"oob/tiny/formation.csv\"\n",
    ] {
        let root = with_empty_formation();
        lint(
            root.path(),
            &format!("\n[[lints]]\ncode = \"empty-formation\"\n{elsewhere}reason = \"arrives later\"\n"),
        );
        let found = check(root.path(), &[]).1;
        let codes: Vec<&str> = found.iter().map(|found| text(&found["code"])).collect();
        assert_eq!(codes, ["empty-formation", "stale-allow"], "{elsewhere}");
    }
}

#[test]
fn lints_of_the_project_hold_in_all_games() {
    let root = with_empty_formation();
    let lint = "[[lints]]\ncode = \"empty-formation\"\nreason = \"arrives later\"\n";
    write(root.path(), "lints.toml", lint);
    assert_eq!(check(root.path(), &[]), (0, Vec::new()));
    edit(
        root.path(),
        "oob/tiny/formations.csv",
        "red-3,,red,division,3,Third Division,,6,,\n",
        "",
    );
    assert_eq!(places(&check(root.path(), &[]).1), ["stale-allow lints.toml:2:8"]);
    // Of some games only, nothing can be said of it.
    assert_eq!(check(root.path(), &["--game", "tiny"]), (0, Vec::new()));
}

#[test]
fn what_is_wrong_with_what_is_allowed_is_told() {
    let root = with_empty_formations_in_toml(
        "# orbat: allow(empty-fromation) arrives later\n# orbat: alow(x) y\n",
        "# orbat: allow(empty-formation)\n",
    );
    lint(
        root.path(),
        "\n[[lints]]\ncode = \"unresolved-reference\"\nreason = \"x\"\n\n[[lints]]\ncode = \"duplicate-name\"\nreason = \" \"\n",
    );
    let (status, found) = check(root.path(), &[]);
    assert_eq!(status, 1);
    insta::assert_snapshot!(summary(&found));
    assert_eq!(orbat(root.path(), &["build"]).status, 1);
    assert!(!root.path().join("dist").exists());
}

#[test]
fn errors_are_never_hidden() {
    let root = tiny();
    edit(
        root.path(),
        "oob/tiny/units.csv",
        "red-4-york,red-1-south",
        "red-4-york,red-1-nowhere",
    );
    assert_eq!(
        orbat(root.path(), &["check", "--write-baseline", "known.json"]).status,
        1
    );
    assert_eq!(json(&read(root.path(), "known.json"))["findings"], json("[]"));
    write(
        root.path(),
        "known.json",
        r#"{ "format": "orbat.baseline/1", "findings": [
  {"code":"unresolved-reference","file":"oob/tiny/units.csv","message":"no formation is called `red-1-nowhere`","text":"red-1-nowhere"}
] }"#,
    );
    let (status, found) = check(root.path(), &["--baseline", "known.json"]);
    assert_eq!(
        (status, places(&found)),
        (1, vec!["unresolved-reference oob/tiny/units.csv:5:12".to_owned()])
    );
}

#[test]
fn a_stale_entry_is_not_judged_after_errors_or_in_other_editions() {
    let root = tiny();
    lint(
        root.path(),
        "\n[[lints]]\ncode = \"empty-formation\"\nreason = \"x\"\n",
    );
    assert_eq!(check(root.path(), &[]).1.len(), 1);
    assert_eq!(check(root.path(), &["--errata", "none"]), (0, Vec::new()));
    assert_eq!(check(root.path(), &["--as-of", "2020-01-01"]), (0, Vec::new()));
    edit(
        root.path(),
        "oob/tiny/units.csv",
        "red-4-york,red-1-south",
        "red-4-york,red-1-nowhere",
    );
    let found = check(root.path(), &[]).1;
    assert_eq!(places(&found), ["unresolved-reference oob/tiny/units.csv:5:12"]);
}

#[test]
fn a_baseline_hides_what_it_lists_wherever_it_stands() {
    let root = with_empty_formation();
    let run = orbat(root.path(), &["check", "--write-baseline", "known.json"]);
    assert_eq!(run.status, 0, "{}", run.err);
    insta::assert_snapshot!(read(root.path(), "known.json"));
    assert_eq!(
        check(root.path(), &["--baseline", "known.json", "--deny", "warnings"]),
        (0, Vec::new())
    );
    let build = ["build", "--baseline", "known.json", "--deny", "warnings"];
    assert_eq!(orbat(root.path(), &build).status, 0);
    // A row more above it, and another finding of the same kind.
    let rows = read(root.path(), "oob/tiny/formations.csv");
    let rows = rows.replacen("red-1,", "red-0,,red,division,0,Guard Division,,1,,\nred-1,", 1);
    write(root.path(), "oob/tiny/formations.csv", rows);
    let found = check(root.path(), &["--baseline", "known.json"]).1;
    assert_eq!(places(&found), ["empty-formation oob/tiny/formations.csv:3:23"]);
}

#[test]
fn an_entry_of_a_baseline_that_was_not_found_is_told_at_its_line() {
    let root = with_empty_formation();
    orbat(root.path(), &["check", "--write-baseline", "known.json"]);
    edit(
        root.path(),
        "oob/tiny/formations.csv",
        "red-3,,red,division,3,Third Division,,6,,\n",
        "",
    );
    let (status, found) = check(root.path(), &["--baseline", "known.json"]);
    assert_eq!(status, 0);
    insta::assert_snapshot!(summary(&found));
    for wrong in ["", "{}", "{\"format\":\"orbat.baseline/9\",\"findings\":[]}"] {
        write(root.path(), "known.json", wrong);
        let run = orbat(root.path(), &["check", "--baseline", "known.json"]);
        assert_eq!(run.status, 2, "{}", run.err);
        assert!(
            run.err.starts_with("orbat: the baseline known.json: "),
            "{}",
            run.err
        );
    }
    assert_eq!(
        orbat(root.path(), &["check", "--baseline", "none.json"]).status,
        2
    );
}
