//! Every rule shows what is wrong and the same mended, and the examples are what they say; the page of all rules.

use std::collections::BTreeMap;
use std::path::Path;

use orbat::diagnostic::{Rule, Sink};
use orbat::emit::{self, Input, templates::Templates};
use orbat::errata::Edition;
use orbat::rules::{self, Example};
use orbat::source::Files;
use orbat::{project, suppression};

use crate::support::{REPOSITORY, read, write};

/// The rules without an example, and why there is none.
const UNSHOWN: &[(&str, &str)] = &[
    ("lost-record", "only a fault of the program makes it"),
    ("too-deep", "more than thirty formations are no short example"),
    ("unreadable-file", "the bytes of another encoding are no Markdown"),
    ("nul-byte", "a control character is no Markdown"),
    ("ctrl-z", "a control character is no Markdown"),
    ("mixed-line-endings", "line ends are not seen on a page"),
    ("lone-carriage-return", "line ends are not seen on a page"),
    ("empty-file", "there is nothing to show"),
    ("other-encoding", "the bytes of another encoding are no Markdown"),
    ("unreadable-workbook", "a workbook is no text"),
    ("date-cell", "a workbook is no text"),
    ("error-cell", "a workbook is no text"),
    ("uncalculated-cell", "a workbook is no text"),
    ("merged-cells", "a workbook is no text"),
    ("merged-values", "a workbook is no text"),
    ("hidden-cells", "a workbook is no text"),
    ("boolean-cell", "a workbook is no text"),
    ("raised-text", "a workbook is no text"),
    ("unknown-worksheet", "a workbook is no text"),
    ("misnamed-worksheet", "a workbook is no text"),
    ("unknown-workbook", "a workbook is no text"),
    ("table-twice", "a workbook is no text"),
    ("unreadable-document", "the schemas say all that the types say"),
    ("stale-baseline", "a baseline is named on the command line"),
];

/// The demonstration project with the files of an example.
fn files_of(example: &[Example]) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for file in rules::blocks(rules::DEMO).iter().chain(example) {
        let path = file.path.clone().expect("a path");
        let kept = files.remove(&path).filter(|_| file.is_added);
        files.insert(path, kept.unwrap_or_default() + file.text.as_str());
    }
    files
}

/// What the library finds in a project, suppression and sheets included.
fn codes(example: &[Example]) -> Vec<&'static str> {
    let root = tempfile::tempdir().expect("a folder");
    for (path, text) in files_of(example) {
        write(root.path(), &path, text);
    }
    let mut files = Files::default();
    let mut sink = Sink::default();
    let mut games = Vec::new();
    for id in project::games(root.path()).expect("a project") {
        let mut own = Sink::default();
        games.extend(
            orbat::compile(&mut files, root.path(), &id, &Edition::default(), &mut own)
                .expect("readable files"),
        );
        sink.append(own);
    }
    let templates = Templates::load(&mut files, root.path(), &mut sink).expect("readable templates");
    for game in &games {
        if let Some(pack) = &game.pack {
            let input = Input {
                pack,
                scenarios: &game.scenarios,
                sheets: &game.contents.game.sheets,
                scenario_sheets: &game.contents.game.scenario_sheets,
                templates: &templates,
                files: &files,
                sample: true,
            };
            emit::emit(&input, &mut sink);
        }
    }
    let run = suppression::Run {
        files: &files,
        games: &games,
        lints: None,
        complete: true,
        all_games: true,
    };
    let found = suppression::apply(sink.sorted(&files), &run);
    let mut codes: Vec<&str> = found.iter().map(|found| found.rule.code).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// Rules of single files have examples without a path, which the tests of their readers run.
fn is_of_a_project(rule: &Rule) -> bool {
    let (wrong, _) = rules::examples(rule);
    wrong.iter().any(|file| file.path.is_some())
}

#[test]
fn the_demonstration_project_is_sound() {
    assert_eq!(codes(&[]), Vec::<&str>::new());
}

#[test]
fn every_rule_shows_an_example_or_it_is_said_why_not() {
    let without: Vec<&str> = rules::all()
        .into_iter()
        .filter(|rule| rules::examples(rule).0.is_empty())
        .map(|rule| rule.code)
        .collect();
    let unshown: Vec<&str> = UNSHOWN.iter().map(|(code, _)| *code).collect();
    for code in &without {
        assert!(unshown.contains(code), "{code} has no example");
    }
    assert_eq!(without.len(), unshown.len(), "{without:?}");
}

#[test]
fn a_wrong_example_is_wrong_in_just_its_way_and_the_right_one_is_right() {
    let mut wrong = Vec::new();
    let mut tried = 0;
    for rule in rules::all().into_iter().filter(|rule| is_of_a_project(rule)) {
        let (bad, good) = rules::examples(rule);
        let found = codes(&bad);
        if found != [rule.code] {
            wrong.push(format!("{}: the wrong example gives {found:?}", rule.code));
        }
        let found = codes(&good);
        if !found.is_empty() {
            wrong.push(format!("{}: the right example gives {found:?}", rule.code));
        }
        tried += 1;
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(tried > 60, "{tried}");
}

#[test]
fn the_page_of_diagnostics_is_up_to_date() {
    let page = read(Path::new(REPOSITORY), "docs/diagnostics.md");
    assert!(
        page == rules::page(),
        "write it again: cargo run -- explain --markdown > docs/diagnostics.md"
    );
}
