//! What a build writes: it fits its schemas, its manifest is right, and it is the same everywhere.

use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::support::{REPOSITORY, built, json, list, orbat, read, text, tiny, tree, write};

/// The schemas that the program publishes, written to a folder of a project.
fn schema(root: &Path, name: &str) -> Value {
    let run = orbat(root, &["schema"]);
    assert_eq!(run.status, 0, "{}", run.err);
    json(&read(root, &format!("schema/{name}")))
}

fn assert_fits(schema: &Value, value: &Value) {
    let validator = jsonschema::validator_for(schema).expect("a schema");
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .take(5)
        .collect();
    assert_eq!(errors, Vec::<String>::new());
}

#[test]
fn packs_manifests_and_counter_manifests_fit_their_published_schemas() {
    let tiny = tiny();
    let root = tiny.path();
    assert_eq!(orbat(root, &["build"]).status, 0);
    let pack_schema = schema(root, "pack.schema.json");
    let counters_schema = schema(root, "counters.schema.json");
    let manifest_schema = schema(root, "manifest.schema.json");
    for (root, game) in [(root, "tiny"), (built(), "tss")] {
        assert_fits(
            &pack_schema,
            &json(&read(root, &format!("dist/{game}/pack.json"))),
        );
        assert_fits(
            &counters_schema,
            &json(&read(root, &format!("dist/{game}/counters/manifest.json"))),
        );
        assert_fits(&manifest_schema, &json(&read(root, "dist/manifest.json")));
    }
    // The schemas are not so wide that anything fits.
    let mut pack = json(&read(root, "dist/tiny/pack.json"));
    pack["units"][0]["formation"] = 7.into();
    assert!(
        !jsonschema::validator_for(&pack_schema)
            .expect("a schema")
            .is_valid(&pack)
    );
}

#[test]
fn nested_orders_of_battle_and_rows_have_published_schemas() {
    let root = tiny();
    let nested = schema(root.path(), "tiny/oob.schema.json");
    assert_fits(
        &nested,
        &serde_json::json!({
            "formations": [{ "id": "a", "side": "red", "echelon": "army", "name": "A",
                "units": [{ "id": "u", "kind": "foot", "name": "U", "strength": 3 }],
                "formations": [{ "id": "b", "echelon": "division", "name": "B", "leader": { "id": "l", "name": "L", "role": "commander" } }] }]
        }),
    );
    let units = schema(root.path(), "tiny/units.schema.json");
    let validator = jsonschema::validator_for(&units).expect("a schema");
    assert!(
        validator.is_valid(&serde_json::json!({ "id": "u", "formation": "a", "kind": "foot", "name": "U" }))
    );
    assert!(
        !validator
            .is_valid(&serde_json::json!({ "id": "u", "formation": "a", "kind": "fleet", "name": "U" }))
    );
}

#[test]
fn the_committed_schemas_are_current() {
    let run = orbat(Path::new(REPOSITORY), &["schema", "--check"]);
    assert_eq!(run.status, 0, "run `orbat schema` and commit:\n{}", run.err);
}

#[test]
fn schema_check_tells_which_files_are_out_of_date_and_writes_none() {
    let root = tiny();
    assert_eq!(orbat(root.path(), &["schema"]).status, 0);
    assert_eq!(orbat(root.path(), &["schema", "--check"]).status, 0);
    write(root.path(), "schema/pack.schema.json", "{}\n");
    let run = orbat(root.path(), &["schema", "--check"]);
    assert_eq!(run.status, 1);
    assert!(
        run.err.contains("pack.schema.json") && !run.err.contains("game.schema.json"),
        "{}",
        run.err
    );
    assert_eq!(read(root.path(), "schema/pack.schema.json"), "{}\n");
}

#[test]
fn the_manifest_lists_every_file_with_its_size_and_hash() {
    let dist = built().join("dist");
    let manifest = json(&read(&dist, "manifest.json"));
    let mut files = tree(&dist);
    files.remove("manifest.json");
    assert_eq!(manifest["format"], "orbat.manifest/1");
    assert_eq!(list(&manifest, "files").len(), files.len());
    for file in list(&manifest, "files") {
        let bytes = &files[text(&file["path"])];
        assert_eq!(file["size"].as_u64(), Some(bytes.len() as u64), "{file}");
        let hash: String = Sha256::digest(bytes)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(file["sha256"], hash, "{file}");
    }
    let overlays = &manifest["games"]["tss"]["overlays"];
    assert_eq!(*overlays, serde_json::json!(["official-1977-02-22", "rulings"]));
}

#[test]
fn the_same_input_gives_the_same_bytes_in_any_folder() {
    let (one, two) = (tiny(), tiny());
    assert_eq!(orbat(one.path(), &["build"]).status, 0);
    // From a folder within, and over an earlier build.
    assert_eq!(orbat(&two.path().join("oob/tiny/errata"), &["build"]).status, 0);
    assert_eq!(orbat(two.path(), &["build"]).status, 0);
    assert_eq!(tree(&one.path().join("dist")), tree(&two.path().join("dist")));
}

#[test]
fn a_second_build_of_the_shipped_data_is_the_same() {
    let root = crate::support::shipped();
    assert_eq!(orbat(root.path(), &["build"]).status, 0);
    let (first, second) = (tree(&built().join("dist")), tree(&root.path().join("dist")));
    let different: Vec<&String> = first
        .keys()
        .filter(|path| first.get(*path) != second.get(*path))
        .collect();
    assert_eq!(different, Vec::<&String>::new());
    assert_eq!(first.len(), second.len());
}

#[test]
fn the_hash_of_the_inputs_changes_with_every_input() {
    let root = tiny();
    let inputs = || {
        assert_eq!(orbat(root.path(), &["build"]).status, 0);
        text(&json(&read(root.path(), "dist/manifest.json"))["inputs"]).to_owned()
    };
    let before = inputs();
    crate::support::edit(
        root.path(),
        "oob/tiny/errata/sheet.toml",
        "A rule, not the data.",
        "A rule.",
    );
    let after = inputs();
    assert_ne!(before, after);
    write(root.path(), "templates/bce.md", "{{ sheet.title }}!\n");
    assert_ne!(after, inputs());
}

#[test]
fn a_failed_build_leaves_the_output_of_the_last_one() {
    let root = tiny();
    assert_eq!(orbat(root.path(), &["build"]).status, 0);
    let before = tree(&root.path().join("dist"));
    for (path, from, to) in [
        ("oob/tiny/errata/sheet.toml", "total = 6", "total = 5"),
        ("oob/tiny/units.csv", "red-2-horse,horse", "red-2-horse,hrose"),
    ] {
        crate::support::edit(root.path(), path, from, to);
        assert_eq!(orbat(root.path(), &["build"]).status, 1);
        assert_eq!(tree(&root.path().join("dist")), before);
        crate::support::edit(root.path(), path, to, from);
    }
    write(root.path(), "templates/bce.md", "{{ nothing.at.all }}");
    assert_eq!(orbat(root.path(), &["build"]).status, 1);
    assert_eq!(tree(&root.path().join("dist")), before);
    let left: Vec<String> = tree(root.path())
        .into_keys()
        .filter(|path| path.contains("tmp"))
        .collect();
    assert_eq!(left, Vec::<String>::new());
}

#[test]
fn a_build_takes_away_what_the_last_one_wrote_and_this_one_does_not() {
    let root = tiny();
    assert_eq!(orbat(root.path(), &["build"]).status, 0);
    let sheet = root.path().join("dist/tiny/sheets/bce.html");
    assert!(sheet.exists());
    crate::support::edit(
        root.path(),
        "oob/tiny/game.toml",
        "id = \"bce\"",
        "id = \"ratings\"",
    );
    assert_eq!(orbat(root.path(), &["build"]).status, 0);
    assert!(!sheet.exists());
    assert!(root.path().join("dist/tiny/sheets/ratings.html").exists());
}

#[test]
fn what_no_build_made_is_not_deleted() {
    for path in ["dist/notes.txt", "dist/tiny/sheets/mine.html"] {
        let root = tiny();
        for built_before in [false, true] {
            if built_before {
                std::fs::remove_file(root.path().join(path)).expect("removed");
                assert_eq!(orbat(root.path(), &["build"]).status, 0);
            }
            write(root.path(), path, "mine");
            let run = orbat(root.path(), &["build"]);
            assert_eq!(run.status, 2, "{path}: {}", run.err);
            assert!(run.err.contains(path.trim_start_matches("dist/")), "{}", run.err);
            assert_eq!(crate::support::read(root.path(), path), "mine");
        }
    }
    let root = tiny();
    write(root.path(), "dist", "a file");
    assert_eq!(orbat(root.path(), &["build"]).status, 2);
    assert_eq!(crate::support::read(root.path(), "dist"), "a file");
}

#[test]
fn a_pack_has_the_fields_that_are_promised() {
    let pack = json(&read(built(), "dist/tss/pack.json"));
    assert_eq!(pack["format"], "orbat.pack/1");
    for key in [
        "game",
        "edition",
        "sides",
        "formations",
        "units",
        "leaders",
        "effectiveness",
        "weapons",
        "calendar",
        "maps",
        "areas",
        "tables",
        "markers",
        "counters",
        "optional_rules",
        "errata",
        "provenance",
    ] {
        // A calendar comes with the first game that declares one.
        assert!(key == "calendar" || pack.get(key).is_some(), "no `{key}`");
    }
    for unit in list(&pack, "units") {
        for (field, value) in unit.as_object().expect("an object") {
            assert!(
                !value.is_null() && *value != "" && *value != 0,
                "{}: `{field}` is {value}",
                unit["id"]
            );
        }
    }
}
