//! What the tests share: projects in temporary folders, the program, and its answers.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::Value;
use tempfile::TempDir;

/// The repository.
pub const REPOSITORY: &str = env!("CARGO_MANIFEST_DIR");

/// What a run of the program ended in.
pub struct Run {
    pub status: i32,
    pub out: String,
    pub err: String,
}

/// Runs the program in a folder.
pub fn orbat(root: &Path, arguments: &[&str]) -> Run {
    let output = assert_cmd::cargo::cargo_bin_cmd!("orbat")
        .current_dir(root)
        .args(arguments)
        .env("NO_COLOR", "1")
        .env_remove("FORCE_COLOR")
        .env("COLUMNS", "100")
        .output()
        .expect("the program runs");
    Run {
        status: output.status.code().expect("the program ends by itself"),
        out: String::from_utf8(output.stdout).expect("output is UTF-8"),
        err: String::from_utf8(output.stderr).expect("output is UTF-8"),
    }
}

/// A copy of the project in `tests/fixtures/tiny`.
pub fn tiny() -> TempDir {
    let root = tempfile::tempdir().expect("a temporary folder");
    copy(&Path::new(REPOSITORY).join("tests/fixtures/tiny"), root.path());
    root
}

/// A copy of the shipped project.
pub fn shipped() -> TempDir {
    let root = tempfile::tempdir().expect("a temporary folder");
    copy_shipped(root.path());
    root
}

/// The shipped project, built once for all tests that only look at the result.
pub fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("built");
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(&root).expect("a folder");
        copy_shipped(&root);
        let run = orbat(&root, &["build"]);
        assert_eq!(run.status, 0, "{}", run.err);
        root
    })
}

fn copy_shipped(root: &Path) {
    for folder in ["oob", "scenarios", "templates", "schema"] {
        let from = Path::new(REPOSITORY).join(folder);
        if from.is_dir() {
            copy(&from, &root.join(folder));
        }
    }
}

pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a file");
        }
    }
}

pub fn read(root: &Path, path: &str) -> String {
    fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

pub fn write(root: &Path, path: &str, text: impl AsRef<[u8]>) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    fs::write(path, text).expect("a file");
}

/// Replaces a text that stands in a file exactly once.
pub fn edit(root: &Path, path: &str, from: &str, to: &str) {
    let text = read(root, path);
    assert_eq!(text.matches(from).count(), 1, "{from:?} in {path}");
    write(root, path, text.replace(from, to));
}

/// Puts a line at the end of a file.
pub fn append(root: &Path, path: &str, line: &str) {
    let text = read(root, path);
    write(root, path, format!("{text}{line}\n"));
}

/// Builds a project that must be sound; returns a game's pack as text.
pub fn pack_text(root: &Path, game: &str) -> String {
    let run = orbat(root, &["build"]);
    assert_eq!(run.status, 0, "{}", run.err);
    read(root, &format!("dist/{game}/pack.json"))
}

pub fn pack(root: &Path, game: &str) -> Value {
    json(&pack_text(root, game))
}

pub fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// The list under a key.
pub fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("no list `{key}`"))
}

/// The records of a list by id.
pub fn by_id(list: &[Value]) -> BTreeMap<&str, &Value> {
    list.iter().map(|record| (text(&record["id"]), record)).collect()
}

pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

/// The exit status and diagnostics of `check` with further arguments.
pub fn check(root: &Path, arguments: &[&str]) -> (i32, Vec<Value>) {
    let run = orbat(root, &[&["check", "--format", "json"], arguments].concat());
    assert_eq!(run.err, "");
    let found = json(&run.out).as_array().expect("an array").clone();
    (run.status, found)
}

/// Diagnostics as `code file:line:column`.
pub fn places(found: &[Value]) -> Vec<String> {
    found
        .iter()
        .map(|found| format!("{} {}", text(&found["code"]), place(found)))
        .collect()
}

pub fn place(found: &Value) -> String {
    format!(
        "{}:{}:{}",
        found["file"].as_str().unwrap_or("-"),
        found["line"],
        found["column"]
    )
}

/// Diagnostics as `code file:line message`, one a line.
pub fn summary(found: &[Value]) -> String {
    let line = |found: &Value| {
        format!(
            "{} {}:{} {}\n",
            text(&found["code"]),
            found["file"].as_str().unwrap_or("-"),
            found["line"],
            text(&found["message"])
        )
    };
    found.iter().map(line).collect()
}

/// A text without the lines and columns of places in TOML files, which move with every new declaration or entry.
pub fn unnumbered(text: &str) -> String {
    let mut parts = text.split(".toml:");
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        result += ".toml:…";
        result += part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':');
    }
    result
}

/// The outcome of every entry that `orbat errata` lists, as `overlay ref outcome`.
pub fn outcomes(root: &Path, arguments: &[&str]) -> Vec<String> {
    let run = orbat(root, &[&["errata", "--format", "json"], arguments].concat());
    let list = json(&run.out);
    let line = |entry: &Value| {
        format!(
            "{} {} {}",
            text(&entry["overlay"]),
            text(&entry["ref"]),
            text(&entry["outcome"])
        )
    };
    list.as_array().expect("an array").iter().map(line).collect()
}

/// Every file below a folder with its contents.
pub fn tree(root: &Path) -> BTreeMap<String, Vec<u8>> {
    fn walk(root: &Path, folder: &Path, all: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(root, &path, all);
            } else {
                let name = path
                    .strip_prefix(root)
                    .expect("below the root")
                    .to_string_lossy()
                    .replace('\\', "/");
                all.insert(name, fs::read(&path).expect("a file"));
            }
        }
    }
    let mut all = BTreeMap::new();
    walk(root, root, &mut all);
    all
}
