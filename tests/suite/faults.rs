//! Faulty projects: each is told once, at the damaged place, in words that were read by a person; its sound twin is
//! silent.
//!
//! A case is a folder `tests/faults/<group>/<case>/`:
//!
//! * `bad/…`: the damaged files, laid over `tests/faults/base`; `clean/…`: the same files, sound. Where diagnostics offer
//!   to mend the damaged files and no error is left after it, `check --fix` must make the sound ones of them, to the byte;
//! * `without.txt`, where there is one: files of the base that are left out, because another takes their place;
//! * `where.txt`: every diagnostic that the damaged project must give, one a line, as
//!   `code path:line:column words && words`: the place lies within the diagnostic's, the words are in its message, help
//!   or labels (`!words` are not). No further diagnostic may come: one cause is told once. A first line `wanted` leaves
//!   a case out whose answer is not good enough yet;
//! * `expected.txt`: what the diagnostics say. `INSTA_UPDATE=always` rewrites it, but only where `where.txt` is met.
//!
//! `ORBAT_FAULTS=adopt` also tries the cases that are `wanted`; those that are met are no longer.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::support::{REPOSITORY, check, copy, orbat, text};

/// At least so many cases must be there and met.
const LEAST: usize = 120;

/// The file in which the diagnostics of a case are kept.
const EXPECTED: &str = "expected.txt";

#[test]
fn every_fault_is_told_once_where_it_is_and_its_sound_twin_is_silent() {
    let root = Path::new(REPOSITORY).join("tests/faults");
    let adopt = std::env::var("ORBAT_FAULTS").is_ok_and(|mode| mode == "adopt");
    let cases: Vec<Case> = cases(&root)
        .into_iter()
        .filter(|case| adopt || !case.wanted)
        .collect();
    assert!(cases.len() >= LEAST, "only {} cases", cases.len());
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let judged = case.judge(&root.join("base"));
                    if case.wanted {
                        if judged.is_ok() {
                            case.adopt();
                        }
                        continue;
                    }
                    if let Err(why) = judged {
                        let mut failures = failures.lock().expect("no thread panics while it holds this");
                        failures.push(format!("{}: {why}", case.name));
                    }
                }
            });
        }
    });
    let mut failures = failures
        .into_inner()
        .expect("no thread panics while it holds this");
    failures.sort();
    assert!(
        failures.is_empty(),
        "{} of {} cases fail:\n\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n\n")
    );
}

/// The base must be sound, or no case says anything.
#[test]
fn the_base_of_the_faulty_projects_is_sound() {
    let root = tempfile::tempdir().expect("a temporary folder");
    copy(&Path::new(REPOSITORY).join("tests/faults/base"), root.path());
    assert_eq!(check(root.path(), &[]), (0, Vec::new()));
}

/// Every group that the promises name has cases.
#[test]
fn every_group_has_cases_that_are_met() {
    let all = cases(&Path::new(REPOSITORY).join("tests/faults"));
    for group in [
        "bytes",
        "cascades",
        "cells",
        "dialect",
        "errata",
        "files",
        "game",
        "layout",
        "names",
        "references",
        "rollups",
        "scenarios",
        "toml",
        "tree",
        "workbooks",
    ] {
        let met = all
            .iter()
            .filter(|case| !case.wanted && case.name.starts_with(&format!("{group}/")))
            .count();
        assert!(met >= 2, "{group} has only {met} cases");
    }
}

struct Case {
    /// `group/case`.
    name: String,
    folder: PathBuf,
    /// Left out: its answer is not good enough yet.
    wanted: bool,
    told: Vec<Told>,
}

/// A diagnostic that must come.
struct Told {
    line: String,
    code: String,
    /// File, line and column; `None` where no file is at fault.
    place: Option<(String, u64, u64)>,
    words: Vec<String>,
}

fn cases(root: &Path) -> Vec<Case> {
    let mut cases = Vec::new();
    for group in folders(root) {
        if group.ends_with("base") {
            continue;
        }
        for folder in folders(&group) {
            let name = folder
                .strip_prefix(root)
                .expect("below the root")
                .to_string_lossy()
                .replace('\\', "/");
            let lines = fs::read_to_string(folder.join("where.txt"))
                .unwrap_or_else(|error| panic!("{name}/where.txt: {error}"));
            let wanted = lines.starts_with("wanted\n");
            let told: Vec<Told> = lines
                .lines()
                .filter(|line| *line != "wanted")
                .map(Told::new)
                .collect();
            assert!(wanted || !told.is_empty(), "{name}/where.txt says nothing");
            cases.push(Case {
                name,
                folder,
                wanted,
                told,
            });
        }
    }
    cases
}

fn folders(root: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(root).unwrap_or_else(|error| panic!("{}: {error}", root.display()));
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    folders
}

impl Case {
    fn judge(&self, base: &Path) -> Result<(), String> {
        let (status, found) = self.run(base, "clean");
        if status != 0 || !found.is_empty() {
            return Err(format!("its clean twin is not silent:\n{}", shown(&found)));
        }
        let (status, found) = self.run(base, "bad");
        let errors = found.iter().any(|found| found["severity"] == "error");
        if status != i32::from(errors) {
            return Err(format!("status {status} for\n{}", shown(&found)));
        }
        let mut rest: Vec<&Value> = found.iter().collect();
        for told in &self.told {
            let Some(at) = rest.iter().position(|found| told.is_told_by(found)) else {
                return Err(format!("`{}` is not told by\n{}", told.line, shown(&found)));
            };
            rest.remove(at);
        }
        if !rest.is_empty() {
            let rest: Vec<Value> = rest.into_iter().cloned().collect();
            return Err(format!("more is told than is wrong:\n{}", shown(&rest)));
        }
        if found.iter().any(|found| !found["fix"].is_null()) {
            self.mend(base)?;
        }
        let path = self.folder.join(EXPECTED);
        let now = shown(&found);
        if self.wanted || std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
            fs::write(&path, &now).map_err(|error| error.to_string())?;
        }
        let before = fs::read_to_string(&path).unwrap_or_default();
        if before == now {
            return Ok(());
        }
        Err(format!("{EXPECTED} has\n{before}but now it is\n{now}"))
    }

    /// Makes a case that is met one that must be.
    fn adopt(&self) {
        let lines: String = self.told.iter().map(|told| format!("{}\n", told.line)).collect();
        fs::write(self.folder.join("where.txt"), lines).expect("a file");
    }

    /// Mends the damaged files: if no error is left, they are the sound ones.
    fn mend(&self, base: &Path) -> Result<(), String> {
        let (mended, sound) = (self.lay(base, "bad"), self.lay(base, "clean"));
        orbat(mended.path(), &["check", "--fix"]);
        let (_, found) = check(mended.path(), &[]);
        if found.iter().any(|found| found["severity"] == "error") {
            return Ok(());
        }
        for path in files(sound.path()) {
            let name = path.strip_prefix(sound.path()).expect("below the root");
            let (is, ought) = (fs::read(mended.path().join(name)), fs::read(&path));
            let (is, ought) = (is.unwrap_or_default(), ought.expect("a file"));
            if is != ought {
                return Err(format!(
                    "`--fix` makes of {}\n{}\nwhere its clean twin is\n{}",
                    name.display(),
                    String::from_utf8_lossy(&is),
                    String::from_utf8_lossy(&ought)
                ));
            }
        }
        Ok(())
    }

    /// Checks the base under the files of one of the twins.
    fn run(&self, base: &Path, twin: &str) -> (i32, Vec<Value>) {
        check(self.lay(base, twin).path(), &[])
    }

    /// Lays the files of one of the twins over the base.
    fn lay(&self, base: &Path, twin: &str) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a temporary folder");
        copy(base, root.path());
        let without = fs::read_to_string(self.folder.join("without.txt")).unwrap_or_default();
        for path in without.lines() {
            fs::remove_file(root.path().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        }
        copy(&self.folder.join(twin), root.path());
        root
    }
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
        .collect()
}

impl Told {
    fn new(line: &str) -> Self {
        let mut parts = line.splitn(3, ' ');
        let code = parts.next().unwrap_or_default().to_owned();
        let place = parts.next().unwrap_or_else(|| panic!("no place in {line:?}"));
        let place = (place != "-").then(|| {
            let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("no number in {line:?}"));
            let mut parts = place.rsplitn(3, ':');
            let column = number(parts.next().unwrap_or_default());
            let row = number(parts.next().unwrap_or_default());
            (parts.next().unwrap_or_default().to_owned(), row, column)
        });
        Told {
            line: line.to_owned(),
            code,
            place,
            words: parts
                .next()
                .map(|words| words.split(" && ").map(str::to_owned).collect())
                .unwrap_or_default(),
        }
    }

    fn is_told_by(&self, found: &Value) -> bool {
        let place = match &self.place {
            None => found["file"].is_null(),
            Some((file, line, column)) => {
                let at = |line: &str, column: &str| (found[line].as_u64(), found[column].as_u64());
                let wanted = (Some(*line), Some(*column));
                found["file"] == file.as_str()
                    && at("line", "column") <= wanted
                    && wanted <= at("end_line", "end_column")
            }
        };
        let said = found.to_string();
        // As it stands in JSON.
        let says = |words: &str| said.contains(words.trim_start_matches('!').replace('"', "\\\"").as_str());
        place
            && (self.code == "*" || found["code"] == self.code.as_str())
            && self
                .words
                .iter()
                .all(|words| says(words) != words.starts_with('!'))
    }
}

/// Diagnostics one a line: `code severity file:line:column-line:column message | help`.
fn shown(found: &[Value]) -> String {
    let line = |found: &Value| {
        let place = match found["file"].as_str() {
            Some(file) => format!(
                "{file}:{}:{}-{}:{}",
                found["line"], found["column"], found["end_line"], found["end_column"]
            ),
            None => "-".to_owned(),
        };
        let help = found["help"].as_str().map(|help| format!(" | {help}"));
        format!(
            "{} {} {place} {}{}\n",
            text(&found["code"]),
            text(&found["severity"]),
            text(&found["message"]),
            help.unwrap_or_default()
        )
    };
    found.iter().map(line).collect()
}
