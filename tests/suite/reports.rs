//! The formats of diagnostics, from the same data.

use std::path::Path;

use crate::support::{REPOSITORY, append, check, copy, edit, json, orbat, places, read, tiny, write};

/// A project with an error about two files, a warning, and something odd in a path and a message.
fn faulty() -> tempfile::TempDir {
    let root = tiny();
    edit(
        root.path(),
        "oob/tiny/units.csv",
        "red-4-york,red-1-south",
        "red-4-york,red-1-sóuth 100%",
    );
    append(
        root.path(),
        "oob/tiny/formations.csv",
        "red-3,,red,division,3,\"Third: 第三, 師団\",,6,,",
    );
    append(root.path(), "oob/tiny/weapons.csv", "R,Rifled musket");
    write(root.path(), "oob/tiny/a,b: 50%.csv", "id\n");
    root
}

#[test]
fn all_formats_tell_the_same() {
    let root = faulty();
    let text = orbat(root.path(), &["check"]);
    insta::assert_snapshot!("text", text.err);
    for format in ["json", "sarif", "github"] {
        let run = orbat(root.path(), &["check", "--format", format]);
        assert_eq!((run.status, run.err.as_str()), (text.status, ""));
        if format == "github" {
            insta::assert_snapshot!("github", run.out);
        }
    }
    let found = check(root.path(), &[]).1;
    let log = json(&orbat(root.path(), &["check", "--format", "sarif"]).out);
    let results = log["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), found.len());
    for (result, found) in results.iter().zip(&found) {
        assert_eq!(result["ruleId"], found["code"]);
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert_eq!(region["startLine"], found["line"]);
        assert_eq!(region["startColumn"], found["column"]);
        assert_eq!(region["endColumn"], found["end_column"]);
    }
}

#[test]
fn sarif_fits_its_schema() {
    // The published schema has a pattern for `language` that is no regular expression. We write no language.
    let schema = read(Path::new(REPOSITORY), "tests/fixtures/sarif-2.1.0.schema.json");
    let schema = schema.replace(
        "^[a-zA-Z]{2}|^[a-zA-Z]{2}-[a-zA-Z]{2}]?$",
        "^[a-zA-Z]{2}(-[a-zA-Z]{2})?$",
    );
    let schema = json(&schema);
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let sound = tiny();
    for root in [sound.path(), faulty().path()] {
        let log = json(&orbat(root, &["check", "--format", "sarif"]).out);
        let misfits: Vec<String> = validator
            .iter_errors(&log)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert_eq!(misfits, Vec::<String>::new());
    }
    // The schema is strict enough to find a fault.
    assert!(!validator.is_valid(&json(r#"{"version":"2.1.0","runs":[{"tool":{}}]}"#)));
}

#[test]
fn text_is_eighty_columns_wide_where_nobody_says_otherwise() {
    let root = faulty();
    let widest = |columns: Option<&str>| {
        let mut command = assert_cmd::cargo::cargo_bin_cmd!("orbat");
        command
            .current_dir(root.path())
            .arg("check")
            .env_remove("FORCE_COLOR")
            .env_remove("NO_COLOR");
        match columns {
            Some(columns) => command.env("COLUMNS", columns),
            None => command.env_remove("COLUMNS"),
        };
        let text = String::from_utf8(command.output().expect("the program runs").stderr).expect("UTF-8");
        // No terminal, so no colour.
        assert!(!text.contains('\u{1b}'));
        text.lines()
            .map(|line| line.chars().count())
            .max()
            .unwrap_or_default()
    };
    assert!(widest(None) <= 80, "{}", widest(None));
    assert!(widest(Some("50")) < widest(Some("120")));
}

#[test]
fn colour_is_forced_and_forbidden_by_the_environment() {
    let root = faulty();
    let coloured = |variables: &[(&str, &str)]| {
        let mut command = assert_cmd::cargo::cargo_bin_cmd!("orbat");
        command
            .current_dir(root.path())
            .arg("check")
            .env_remove("NO_COLOR")
            .env_remove("FORCE_COLOR");
        command.envs(variables.iter().copied());
        command.output().expect("the program runs").stderr.contains(&0x1b)
    };
    assert!(coloured(&[("FORCE_COLOR", "1")]));
    assert!(!coloured(&[("FORCE_COLOR", "1"), ("NO_COLOR", "1")]));
    assert!(coloured(&[("FORCE_COLOR", "1"), ("NO_COLOR", "")]));
}

#[test]
fn a_place_beyond_a_thousand_is_written_plainly() {
    let root = tiny();
    let mut rows = read(root.path(), "oob/tiny/weapons.csv");
    for number in 0..1500 {
        rows += &format!("W{number},Weapon {number}\n");
    }
    write(root.path(), "oob/tiny/weapons.csv", rows + "W7,Again\n");
    let run = orbat(root.path(), &["check"]);
    assert!(run.err.contains("weapons.csv:1504:1"), "{}", run.err);
    let run = orbat(root.path(), &["check", "--format", "github"]);
    assert!(run.out.contains("line=1504,col=1,"), "{}", run.out);
    let run = orbat(root.path(), &["check", "--format", "json"]);
    assert!(run.out.contains("\"line\": 1504,"), "{}", run.out);
}

#[test]
fn one_missing_name_is_one_fault_and_the_first_told() {
    let root = tiny();
    let units = read(root.path(), "oob/tiny/units.csv").replace(",red-1-north,", ",red-1-nroth,");
    write(root.path(), "oob/tiny/units.csv", units);
    let found = check(root.path(), &[]).1;
    insta::assert_snapshot!(crate::support::summary(&found));
}

/// What is found after one text of a file was replaced by another, as `code file:line:column`.
fn after(fixture: &str, path: &str, from: &str, to: &str) -> Vec<String> {
    let root = tempfile::tempdir().expect("a folder");
    copy(
        &Path::new(REPOSITORY).join("tests/fixtures").join(fixture),
        root.path(),
    );
    let path = format!("oob/{fixture}/{path}");
    let text = read(root.path(), &path);
    assert!(text.contains(from), "{from:?} in {path}");
    write(root.path(), &path, text.replacen(from, to, 1));
    places(&check(root.path(), &[]).1)
}

#[test]
fn one_fault_is_one_finding_whatever_hangs_on_it() {
    // Formations, ratings, leaders, reductions and scenarios name what is below and through these.
    let faults = [
        (
            "formations.csv",
            "red-1-rodes,,red-1,",
            "red-1-rodes,,red-9,",
            "unresolved-reference",
            "4:14",
        ),
        (
            "formations.csv",
            "red-1,,red,",
            "red-1,,rde,",
            "unresolved-reference",
            "3:8",
        ),
        (
            "formations.csv",
            "red,red,,army",
            "red,rde,,army",
            "not-a-choice",
            "2:5",
        ),
        (
            "formations.csv",
            "red-1-rodes,,red-1,division",
            "red-1-rodes,,red-1,divisoin",
            "not-a-choice",
            "4:20",
        ),
        (
            "units.csv",
            "red-1-north,foot,11th",
            "red-1-north,fot,11th",
            "not-a-choice",
            "3:25",
        ),
        (
            "units.csv",
            "11th Kent,11 Kent,4",
            "11th Kent,11 Kent,four",
            "wrong-type",
            "3:48",
        ),
        (
            "units.csv",
            "red-11-kent,red-1-north",
            "red-11-kent,red-1-nroth",
            "unresolved-reference",
            "3:13",
        ),
        (
            "effectiveness.csv",
            "red,North/Rodes/I,3,9",
            "red,North/Rodes/I,three,9",
            "wrong-type",
            "2:19",
        ),
    ];
    for (file, from, to, code, place) in faults {
        assert_eq!(
            after("skirmish", file, from, to),
            [format!("{code} oob/skirmish/{file}:{place}")],
            "{to}"
        );
    }
}

#[test]
fn a_missing_formation_is_told_once_a_name() {
    let row = "red-1-south,,red-1-rodes,brigade,South,South's Brigade,5\n";
    assert_eq!(
        after("skirmish", "formations.csv", row, ""),
        [
            "unresolved-reference oob/skirmish/leaders.csv:5:54",
            "unresolved-reference oob/skirmish/units.csv:5:12"
        ]
    );
}
