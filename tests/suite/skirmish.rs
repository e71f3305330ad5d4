//! The small game in `tests/fixtures/skirmish`: one scenario, one schedule, and what is told of changes to them.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{REPOSITORY, check, copy, edit, json, list, orbat, read, summary, text, write};

/// A text that stands in a file once, and what takes its place.
pub type Edit<'a> = (&'a str, &'a str, &'a str);

pub const CLASH: &str = "scenarios/skirmish/clash.toml";
pub const MAIN: &str = "scenarios/skirmish/schedules/main.csv";
pub const REDUCTIONS: &str = "oob/skirmish/reductions.csv";

// Texts of the scenario that tests change.
pub const DRAGOONS: &str = "units = \"Heth/II except artillery\"";
pub const GUNS: &str = "units = \"artillery of Heth/II\"\n";
pub const RIDGE: &str = "place = { on = [\"long-ridge\"] }";
pub const SCHEDULE: &str = "schedule = \"main\"";
pub const REINFORCEMENTS: &str = "[reinforcements]\n";

/// A copy of the game.
pub fn skirmish() -> TempDir {
    let root = tempfile::tempdir().expect("a temporary folder");
    copy(
        &Path::new(REPOSITORY).join("tests/fixtures/skirmish"),
        root.path(),
    );
    root
}

/// A copy of the game with changes.
pub fn changed(edits: &[Edit<'_>]) -> TempDir {
    let root = skirmish();
    for (path, from, to) in edits {
        edit(root.path(), path, from, to);
    }
    root
}

/// A copy of the game with a variant of its scenario, called `variant`.
pub fn variant(text: &str) -> TempDir {
    let root = skirmish();
    add_variant(root.path(), "variant", "clash", text);
    root
}

/// Adds a scenario that extends another.
pub fn add_variant(root: &Path, id: &str, extends: &str, text: &str) {
    let head =
        format!("id = \"{id}\"\ntitle = \"A variant\"\nsource = \"made up\"\nextends = \"{extends}\"\n");
    write(root, &format!("scenarios/skirmish/{id}.toml"), head + text);
}

/// The pack of a scenario of a project that must be sound.
pub fn scenario(root: &Path, id: &str) -> Value {
    let run = orbat(root, &["build", "--deny", "warnings"]);
    assert_eq!(run.status, 0, "{}", run.err);
    json(&read(root, &format!("dist/skirmish/scenarios/{id}.json")))
}

/// The units or leaders of a scenario's pack by id.
pub fn fates<'p>(pack: &'p Value, table: &str) -> BTreeMap<&'p str, &'p Value> {
    let key = table.trim_end_matches('s');
    list(pack, table)
        .iter()
        .map(|fate| (text(&fate[key]), fate))
        .collect()
}

/// Who is in a state, by the entry that says so.
pub fn by_entry<'p>(pack: &'p Value, state: &str, entry: &str) -> Vec<&'p str> {
    list(pack, "units")
        .iter()
        .filter(|unit| unit["state"] == state && unit["entry"] == entry)
        .map(|unit| text(&unit["unit"]))
        .collect()
}

/// The text at which a diagnostic or label points, to the end of its line.
fn pointed(root: &Path, found: &Value) -> String {
    let number = |key: &str| found[key].as_u64().expect("a number") as usize - 1;
    let source = read(root, text(&found["file"]));
    let line = source.lines().nth(number("line")).expect("the line");
    line.chars().skip(number("column")).collect()
}

/// Asserts that a change is told once, as `code file «text» message → help`: the diagnostic points at the text, and has
/// the message and the help among others. Returns it, its labels with the texts at which they point.
pub fn told(edits: &[Edit<'_>], expected: &str) -> Value {
    let root = changed(edits);
    let (_, found) = check(root.path(), &[]);
    let all = summary(&found);
    let (head, words) = expected.split_once("» ").expect("a text");
    let (head, cell) = head.split_once(" «").expect("a text");
    let (code, file) = head.split_once(' ').expect("a file");
    let (message, help) = words.split_once(" → ").unwrap_or((words, ""));
    let of_code: Vec<&Value> = found.iter().filter(|found| found["code"] == code).collect();
    let [found] = of_code.as_slice() else {
        panic!("told {} times as {code}: {edits:?}\n{all}", of_code.len());
    };
    assert!(text(&found["file"]).ends_with(file), "not in {file}:\n{all}");
    let at = pointed(root.path(), found);
    assert!(at.starts_with(cell), "{code} points at {at:?}, not at {cell:?}");
    assert!(
        text(&found["message"]).contains(message),
        "not {message:?}:\n{all}"
    );
    let helped = found["help"].as_str().unwrap_or_default();
    assert!(helped.contains(help), "{helped:?} has no {help:?}:\n{all}");
    let mut found = (*found).clone();
    for label in found["labels"].as_array_mut().expect("labels") {
        label["at"] = pointed(root.path(), label).into();
    }
    found
}

/// Asserts that nothing is told of a change.
pub fn quiet(edits: &[Edit<'_>]) {
    let root = changed(edits);
    let (status, found) = check(root.path(), &["--deny", "warnings"]);
    assert_eq!((status, summary(&found)), (0, String::new()), "{edits:?}");
}
