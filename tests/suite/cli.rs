//! The command line: exit statuses, formats and streams.

use crate::support::{append, check, edit, json, list, orbat, places, text, tiny};

/// Gives the tiny project a warning.
fn warned() -> tempfile::TempDir {
    let root = tiny();
    append(
        root.path(),
        "oob/tiny/formations.csv",
        "red-2-idle,,red-2,brigade,Idle,Idle Brigade,,20,A,",
    );
    root
}

/// Gives the tiny project an error.
fn broken() -> tempfile::TempDir {
    let root = tiny();
    edit(root.path(), "oob/tiny/leaders.csv", "West/1", "Wst/1");
    root
}

#[test]
fn what_cannot_be_carried_out_ends_with_two() {
    let (root, empty) = (tiny(), tempfile::tempdir().expect("a folder"));
    let missing = empty.path().join("nowhere").to_string_lossy().into_owned();
    std::fs::create_dir(empty.path().join("oob")).expect("a folder");
    let hollow = empty.path().to_string_lossy().into_owned();
    for (arguments, why) in [
        (vec!["check", "--project", &missing], "it is not a project"),
        (vec!["check", "--project", &hollow], "the project has no game"),
        (
            vec!["check", "--game", "tinny"],
            "no game is called `tinny`; did you mean `tiny`?",
        ),
        (
            vec!["check", "--allow", "duplicate-nam"],
            "no diagnostic has the code `duplicate-nam`; did you mean `duplicate-name`?",
        ),
        (
            vec!["check", "--allow", "unresolved-reference"],
            "is an error and cannot be allowed",
        ),
        (vec!["check", "--format", "xml"], "xml"),
        (
            vec!["print", "bec"],
            "no sheet is called `bec`; did you mean `bce`?",
        ),
        (vec!["print", "bce", "--format", "docx"], "no template for docx"),
        (vec!["print", "counters", "--format", "md"], "printed as csv"),
        (
            vec!["print", "roster", "--of", "nobody"],
            "no formation or side is called `nobody`",
        ),
        (vec!["explain", "stale-eratum"], "did you mean `stale-erratum`?"),
        (vec!["frobnicate"], "frobnicate"),
        (vec![], "Usage"),
    ] {
        let run = orbat(root.path(), &arguments);
        assert_eq!(
            (run.status, run.out.as_str()),
            (2, ""),
            "{arguments:?}: {}",
            run.err
        );
        assert!(run.err.contains(why), "{arguments:?}: {}", run.err);
    }
}

#[test]
fn a_folder_that_is_in_no_project_is_said_to_be_none() {
    let empty = tempfile::tempdir().expect("a folder");
    let run = orbat(empty.path(), &["check"]);
    assert_eq!(run.status, 2);
    assert!(run.err.starts_with("orbat: no project here"), "{}", run.err);
}

#[test]
fn warnings_end_with_zero_unless_they_are_denied() {
    let root = warned();
    let (status, found) = check(root.path(), &[]);
    assert_eq!(
        (status, places(&found)),
        (
            0,
            vec!["empty-formation oob/tiny/formations.csv:11:32".to_owned()]
        )
    );
    assert_eq!(check(root.path(), &["--deny", "warnings"]).0, 1);
    assert_eq!(orbat(root.path(), &["build", "--deny", "warnings"]).status, 1);
    assert!(!root.path().join("dist").exists());
    assert_eq!(orbat(root.path(), &["build"]).status, 0);
}

#[test]
fn an_allowed_warning_is_neither_told_nor_denied() {
    let root = warned();
    assert_eq!(
        check(root.path(), &["--allow", "empty-formation", "--deny", "warnings"]),
        (0, Vec::new())
    );
    assert_eq!(
        check(root.path(), &["--allow", "duplicate-name", "--deny", "warnings"]).0,
        1
    );
}

#[test]
fn text_goes_to_the_error_stream() {
    let run = orbat(broken().path(), &["check"]);
    assert_eq!((run.status, run.out.as_str()), (1, ""));
    insta::assert_snapshot!(run.err);
    let clean = orbat(tiny().path(), &["check"]);
    assert_eq!(
        (clean.status, clean.out.as_str(), clean.err.as_str()),
        (0, "", "no errors\n")
    );
}

#[test]
fn json_has_the_fields_that_are_promised_and_no_others() {
    let root = broken();
    append(
        root.path(),
        "oob/tiny/units.csv",
        "red-4-york,red-1-south,foot,14th York,14 York,,,,",
    );
    let run = orbat(root.path(), &["check", "--format", "json"]);
    assert_eq!((run.status, run.err.as_str()), (1, ""));
    let found = json(&run.out);
    let keys = |value: &serde_json::Value| {
        value
            .as_object()
            .expect("an object")
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    for found in found.as_array().expect("an array") {
        assert_eq!(
            keys(found),
            [
                "code",
                "severity",
                "message",
                "help",
                "file",
                "line",
                "column",
                "end_line",
                "end_column",
                "labels"
            ]
        );
        assert_eq!(found["severity"], "error");
        for label in list(found, "labels") {
            for key in ["file", "line", "column", "message"] {
                assert!(label.get(key).is_some(), "no `{key}` in {label}");
            }
        }
    }
    assert_eq!(
        places(found.as_array().expect("an array")),
        [
            "unresolved-reference oob/tiny/leaders.csv:3:41",
            "duplicate-id oob/tiny/units.csv:12:1"
        ]
    );
    assert_eq!(
        (found[0]["end_line"].as_u64(), found[0]["end_column"].as_u64()),
        (Some(3), Some(46))
    );
    assert_eq!(text(&found[0]["help"]), "did you mean `West/1`?");
    assert_eq!(
        crate::support::place(&found[1]["labels"][0]),
        "oob/tiny/units.csv:5:1"
    );
}

#[test]
fn a_sound_project_is_an_empty_array() {
    let run = orbat(tiny().path(), &["check", "--format", "json"]);
    assert_eq!((run.status, run.out.as_str(), run.err.as_str()), (0, "[]\n", ""));
}

#[test]
fn sarif_goes_to_the_output_stream_and_parses() {
    let run = orbat(broken().path(), &["check", "--format", "sarif"]);
    assert_eq!((run.status, run.err.as_str()), (1, ""));
    let log = json(&run.out);
    assert_eq!(log["version"], "2.1.0");
    let result = &log["runs"][0]["results"][0];
    assert_eq!(
        (text(&result["ruleId"]), text(&result["level"])),
        ("unresolved-reference", "error")
    );
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "oob/tiny/leaders.csv");
    assert_eq!(
        (
            place["region"]["startLine"].as_u64(),
            place["region"]["startColumn"].as_u64()
        ),
        (Some(3), Some(41))
    );
}

#[test]
fn github_annotations_go_to_the_output_stream() {
    let run = orbat(broken().path(), &["check", "--format", "github"]);
    assert_eq!((run.status, run.err.as_str()), (1, ""));
    let start =
        "::error file=oob/tiny/leaders.csv,line=3,col=41,endLine=3,endColumn=46,title=unresolved-reference::";
    assert!(run.out.starts_with(start), "{}", run.out);
    assert_eq!(run.out.lines().count(), 1);
}

#[test]
fn no_more_diagnostics_are_shown_than_asked_for() {
    let root = broken();
    edit(root.path(), "oob/tiny/leaders.csv", "North/1", "Nrth/1");
    let run = orbat(root.path(), &["check", "--max-errors", "1"]);
    assert_eq!(run.status, 1);
    assert_eq!(
        run.err.matches("no formation is called").count(),
        1,
        "{}",
        run.err
    );
    assert!(run.err.contains("2 errors"), "{}", run.err);
    // Programs get all of them, unless they ask for fewer.
    assert_eq!(check(root.path(), &[]).1.len(), 2);
    assert_eq!(check(root.path(), &["--max-errors", "1"]).1.len(), 1);
}

#[test]
fn every_code_is_explained_and_listed() {
    let root = tempfile::tempdir().expect("a folder");
    let run = orbat(root.path(), &["explain"]);
    assert_eq!(run.status, 0);
    let mut codes: Vec<&str> = run
        .out
        .lines()
        .map(|line| line.split(' ').next().expect("a code"))
        .collect();
    assert!(codes.len() > 50);
    for code in &codes {
        let run = orbat(root.path(), &["explain", code]);
        assert_eq!((run.status, run.err.as_str()), (0, ""), "{code}");
        assert!(
            run.out.starts_with(&format!("{code} (")) && run.out.lines().count() >= 3,
            "{code}: {}",
            run.out
        );
    }
    let count = codes.len();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), count, "a code is listed twice");
}
