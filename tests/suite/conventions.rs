//! What the sources promise: no game in Rust, imports that go one way, documents that name what exists.

use std::collections::BTreeSet;
use std::path::Path;

use crate::support::{REPOSITORY, read, tree};

/// The Rust sources, without their unit tests.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(REPOSITORY).join("src");
    let without_tests = |text: &str| text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
    tree(&root)
        .into_iter()
        .filter(|(path, _)| !path.ends_with("tests.rs"))
        .map(|(path, bytes)| (path, without_tests(&String::from_utf8(bytes).expect("UTF-8"))))
        .collect()
}

/// The module of a file below `src/`, and the modules of the crate that it names.
fn imports(text: &str) -> BTreeSet<String> {
    let mut modules = BTreeSet::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
        for part in line.split("crate::").skip(1) {
            let names: Vec<&str> = match part.strip_prefix('{') {
                Some(group) => group.split('}').next().unwrap_or_default().split(',').collect(),
                None => vec![part],
            };
            for name in names {
                let name = name
                    .trim()
                    .split(|c: char| !c.is_alphanumeric() && c != '_')
                    .next()
                    .unwrap_or_default();
                modules.insert(name.to_owned());
            }
        }
    }
    modules
}

fn importers<'s>(sources: &'s [(String, String)], module: &str) -> Vec<(&'s str, BTreeSet<String>)> {
    sources
        .iter()
        .filter(|(path, _)| *path == format!("{module}.rs") || path.starts_with(&format!("{module}/")))
        .map(|(path, text)| (path.as_str(), imports(text)))
        .collect()
}

#[test]
fn no_game_is_named_in_rust() {
    // Ids and titles of games, and names that only they have. Designations such as `Heth/III` are how all books of the
    // period write, so examples may have them. Tolerated are three examples in explanations and help: where a game's
    // id comes from, a question for `orbat why`, and the form of an id.
    let names = [
        "tss",
        "terrible",
        "swift",
        "pickett",
        "wheatfield",
        "gettysburg",
        "kershaw",
        "hoke",
        "imboden",
        "rebel",
        "yankee",
        "union",
        "confedera",
        "csa",
        "usa",
        "reisswitz",
        "tattered",
        "antietam",
        "trobriand",
        "brockenbrough",
        "meagher",
        "pinkerton",
        "stony",
    ];
    let tolerated = [
        "oob/tss/game.toml",
        "has the id `tss`",
        "`Kershaw/McLaws/I`",
        "`usa-105-pa`",
    ];
    let mut found = Vec::new();
    for (path, text) in sources() {
        for (number, line) in text.lines().enumerate() {
            let mut rest = line.to_owned();
            for example in tolerated {
                rest = rest.replace(example, "");
            }
            let rest = rest.to_lowercase();
            let words: Vec<&str> = rest.split(|c: char| !c.is_alphabetic()).collect();
            if names.iter().any(|name| words.contains(name)) {
                found.push(format!("src/{path}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

/// No attribute and no rule of a shipped game is known to the compiler: where it names one, a concept is missing.
#[test]
fn no_attribute_or_rule_of_a_game_is_named_in_rust() {
    let mut names = BTreeSet::new();
    for game in ["pickett", "tss", "wheatfield"] {
        let definition = read(Path::new(REPOSITORY), &format!("oob/{game}/game.toml"));
        let definition: toml::Table = definition.parse().expect("TOML");
        for (list, key) in [
            ("attributes", "name"),
            ("rules", "id"),
            ("tables", "id"),
            ("kinds", "id"),
        ] {
            let entries = definition.get(list).and_then(toml::Value::as_array);
            for entry in entries.into_iter().flatten() {
                names.insert(entry[key].as_str().expect("a text").to_owned());
            }
        }
    }
    assert!(names.len() > 100, "{}", names.len());
    // Common words by which the compiler tells a row of units of measure, a name that means something only under its
    // parent, and a formation's name that names none.
    let tolerated = [
        "points",
        "men",
        "guns",
        "bases",
        "stands",
        "battery",
        "artillery",
        "cavalry",
    ];
    let mut found = Vec::new();
    for (path, text) in sources() {
        // What stands in examples and in the game that `new game` writes is data.
        let code: String = text
            .lines()
            .filter(|line| {
                path.ends_with(".rs") && !path.starts_with("new/") && !line.trim_start().starts_with("//")
            })
            .map(|line| format!("{line}\n"))
            .collect();
        for name in names.iter().filter(|name| !tolerated.contains(&name.as_str())) {
            if code.contains(&format!("\"{name}\"")) {
                found.push(format!("src/{path}: \"{name}\""));
            }
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn source_and_diagnostic_know_nothing_above_them() {
    let sources = sources();
    for (path, modules) in importers(&sources, "source") {
        assert_eq!(modules, BTreeSet::new(), "src/{path}");
    }
    for (path, modules) in importers(&sources, "diagnostic") {
        assert!(
            modules.is_subset(&BTreeSet::from(["source".to_owned()])),
            "src/{path}: {modules:?}"
        );
    }
    for (path, modules) in importers(&sources, "report") {
        assert!(
            modules.is_subset(&["diagnostic", "source"].map(str::to_owned).into()),
            "src/{path}: {modules:?}"
        );
    }
}

/// Fails where a module names another that it must not know.
fn assert_ignorant(module: &str, forbidden: &[&str], but_for: &[(&str, &str)]) {
    let sources = sources();
    let files = importers(&sources, module);
    assert!(!files.is_empty(), "no module `{module}`");
    for (path, modules) in files {
        for name in forbidden {
            let tolerated = but_for.contains(&(path, *name));
            assert_eq!(
                modules.contains(*name),
                tolerated,
                "src/{path} names `{name}`: {modules:?}"
            );
        }
    }
}

#[test]
fn backends_see_packs_and_nothing_behind_them() {
    let behind = [
        "model",
        "check",
        "resolve",
        "record",
        "reference",
        "read",
        "project",
        "fill",
        "lower",
        "schema",
        "cli",
        "why",
        "output",
    ];
    assert_ignorant("emit", &behind, &[]);
}

#[test]
fn checks_see_models_and_nothing_of_where_they_come_from() {
    let elsewhere = [
        "read",
        "errata",
        "record",
        "reference",
        "project",
        "resolve",
        "schema",
        "pack",
        "emit",
        "lower",
        "cli",
    ];
    assert_ignorant("check", &elsewhere, &[]);
}

#[test]
fn readers_know_shapes_and_not_meanings() {
    let above = [
        "game",
        "model",
        "errata",
        "schema",
        "project",
        "resolve",
        "reference",
        "check",
        "pack",
        "emit",
        "cli",
    ];
    assert_ignorant("read", &above, &[]);
    assert_ignorant("record", &[&above[..], &["read", "diagnostic"]].concat(), &[]);
    assert_ignorant(
        "fold",
        &[&above[..], &["record", "read", "diagnostic", "source"]].concat(),
        &[],
    );
}

#[test]
fn overlays_edit_records_and_know_no_model() {
    let above = [
        "game", "model", "fill", "resolve", "check", "pack", "emit", "lower", "cli", "project",
    ];
    assert_ignorant("errata", &above, &[]);
}

#[test]
fn only_the_command_line_prints_and_only_output_writes() {
    for (path, text) in sources() {
        for call in ["println!", "eprintln!", "print!(", "stdout()", "stderr()"] {
            assert!(
                path.starts_with("cli") || !text.contains(call),
                "src/{path} has {call}"
            );
        }
        for call in ["fs::write", "fs::rename", "fs::create_dir"] {
            // The command line writes what `print --output` and `schema` are asked for.
            assert!(
                path == "output.rs" || path.starts_with("cli") || !text.contains(call),
                "src/{path} has {call}"
            );
        }
    }
}

#[test]
fn every_rule_is_in_the_list_that_explain_reads() {
    let known: BTreeSet<&str> = orbat::rules::all().into_iter().map(|rule| rule.code).collect();
    for (path, text) in sources() {
        for part in text.split("code: \"").skip(1) {
            let code = part.split('"').next().unwrap_or_default();
            assert!(known.contains(code), "`{code}` of src/{path} is in no list");
        }
    }
}

#[test]
fn every_module_says_what_it_is() {
    for (path, text) in sources() {
        assert!(
            path == "main.rs" || path.ends_with(".md") || text.starts_with("//! "),
            "src/{path} has no documentation"
        );
    }
}

#[test]
fn every_path_that_a_document_names_exists() {
    for document in ["ARCHITECTURE.md", "README.md"] {
        if !Path::new(REPOSITORY).join(document).exists() {
            continue;
        }
        let text = read(Path::new(REPOSITORY), document);
        // Every second piece of a line stands in backquotes.
        for name in text.lines().flat_map(|line| line.split('`').skip(1).step_by(2)) {
            let ours = [
                "src/",
                "oob/",
                "scenarios/",
                "templates/",
                "schema/",
                "tests/",
                "benches/",
                "docs/",
                ".ci/",
            ];
            let is_path = ours.iter().any(|folder| name.starts_with(folder))
                && !name.contains(['<', '*', '…', '{', ' ']);
            assert!(
                !is_path || Path::new(REPOSITORY).join(name).exists(),
                "{document} names `{name}`, which is not there"
            );
        }
    }
}
