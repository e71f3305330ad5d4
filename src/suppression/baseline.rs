//! Baselines: the findings that a project had when it began to be checked, kept in a file, so that new ones stand out.
//!
//! An entry is matched by code, file, message and the text at the place, not by the line, so that it goes on matching
//! when rows are inserted above it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Run, rules};
use crate::diagnostic::{self, Diagnostic, Severity};
use crate::source::{FileId, Files, Span};

/// The `format` of the file.
const FORMAT: &str = "orbat.baseline/1";
/// At most so many characters of the text at a place are compared.
const COMPARED: usize = 200;

/// What a finding is known by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    code: String,
    file: String,
    message: String,
    text: String,
    /// How many findings are known by the same.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    count: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineFile {
    format: String,
    findings: Vec<Entry>,
}

fn one() -> usize {
    1
}

fn is_one(count: &usize) -> bool {
    *count == 1
}

/// A baseline that was read.
#[derive(Debug)]
pub struct Baseline {
    file: FileId,
    entries: Vec<Entry>,
}

/// What a finding is known by; `None` for one that a baseline may not hold: an error, or a stale entry of one.
fn entry(found: &Diagnostic, files: &Files) -> Option<Entry> {
    let own = [rules::STALE_ALLOW.code, rules::STALE_BASELINE.code];
    if found.rule.severity == Severity::Error || own.contains(&found.rule.code) {
        return None;
    }
    let text = found.span.map_or("", |span| files.slice(span));
    Some(Entry {
        code: found.rule.code.to_owned(),
        file: found.span.map_or("", |span| files.path(span.file)).to_owned(),
        message: found.message.clone(),
        text: text.chars().take(COMPARED).collect(),
        count: 1,
    })
}

/// The text of a baseline that holds these findings, an entry a line and sorted, so that it is easily compared.
pub fn to_text(found: &[Diagnostic], files: &Files) -> String {
    let mut entries: Vec<Entry> = found.iter().filter_map(|found| entry(found, files)).collect();
    entries.sort();
    entries.dedup_by(|next, kept| {
        let same = (&next.code, &next.file, &next.message, &next.text)
            == (&kept.code, &kept.file, &kept.message, &kept.text);
        if same {
            kept.count += 1;
        }
        same
    });
    let mut text = format!("{{\n  \"format\": \"{FORMAT}\",\n  \"findings\": [");
    for (number, entry) in entries.iter().enumerate() {
        text += if number == 0 { "\n    " } else { ",\n    " };
        text += &line(entry);
    }
    text += if entries.is_empty() {
        "]\n}\n"
    } else {
        "\n  ]\n}\n"
    };
    text
}

fn line(entry: &Entry) -> String {
    serde_json::to_string(entry).unwrap_or_default()
}

impl Baseline {
    /// Reads a baseline. `Err` says what is wrong with it.
    pub fn read(files: &mut Files, path: &str, bytes: Vec<u8>) -> Result<Baseline, String> {
        let file = files
            .add_bytes(path, bytes)
            .map_err(|problem| problem.to_string())?;
        let read: BaselineFile = serde_json::from_str(files.text(file)).map_err(|error| error.to_string())?;
        if read.format != FORMAT {
            return Err(format!("its format is `{}`, and `{FORMAT}` is read", read.format));
        }
        Ok(Baseline {
            file,
            entries: read.findings,
        })
    }

    /// Takes away what the baseline lists, and adds what it lists and was not found.
    pub fn apply(&self, mut found: Vec<Diagnostic>, run: &Run) -> Vec<Diagnostic> {
        let mut left: BTreeMap<Entry, usize> = BTreeMap::new();
        for entry in &self.entries {
            let key = Entry {
                count: 1,
                ..entry.clone()
            };
            *left.entry(key).or_default() += entry.count;
        }
        found.retain(|found| {
            let left = entry(found, run.files).and_then(|entry| left.get_mut(&entry));
            match left {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    false
                }
                _ => true,
            }
        });
        if run.judges(&found) {
            for (entry, count) in left.into_iter().filter(|(_, count)| *count > 0) {
                let unread = !run.files.iter().any(|(_, file)| file.path() == entry.file);
                if unread && !run.all_games {
                    continue;
                }
                found.push(self.stale(&entry, count, run.files));
            }
            diagnostic::sort(&mut found, run.files);
        }
        found
    }

    fn stale(&self, entry: &Entry, count: usize, files: &Files) -> Diagnostic {
        let listed = self.entries.iter().find(|listed| {
            (&listed.code, &listed.file, &listed.message, &listed.text)
                == (&entry.code, &entry.file, &entry.message, &entry.text)
        });
        // An entry stands on a line of its own as we write it; somebody may have laid the file out otherwise.
        let place = listed.and_then(|listed| {
            let line = line(listed);
            let at = files.text(self.file).find(&line)?;
            Some(Span::new(self.file, at, at + line.len()))
        });
        let times = match (count, listed.map_or(1, |listed| listed.count)) {
            (_, 1) => String::new(),
            (left, listed) => format!(", {left} of {listed} times"),
        };
        Diagnostic::new(
            &rules::STALE_BASELINE,
            place.unwrap_or(Span::file_start(self.file)),
            format!(
                "the baseline lists `{}` in `{}`, which was not found{times}: {}",
                entry.code, entry.file, entry.message
            ),
        )
        .note("no longer found")
        .help("write the baseline again with `orbat check --write-baseline`")
    }
}
