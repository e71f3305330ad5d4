//! Errata overlays: corrections kept apart from the data and applied at compile time.
//!
//! An overlay edits records before they are judged, so an erratum may repair a bad source cell, and a bad erratum is
//! blamed on the erratum. Overlays apply by date, then id; the order of files and folders does not matter.

pub mod apply;
mod keys;
mod rules;
mod target;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::diagnostic::{Diagnostic, Sink};
use crate::document::{self, Document};
use crate::source::{FileId, Files};

pub use apply::{Applied, CounterEdit, Edit, Outcome, Report, apply};
pub use rules::RULES;

/// An overlay with the places of everything in it.
pub type Overlay = Document<OverlayFile>;

/// A set of corrections to the base data. Lives in `oob/<game>/errata/<id>.toml`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "orbat errata overlay")]
pub struct OverlayFile {
    /// Id; also the file's name.
    pub id: String,
    /// Title.
    pub title: String,
    /// Date of publication, `1977-02-22`. Overlays apply in order of date, then id.
    #[schemars(regex(pattern = r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$"))]
    pub date: String,
    /// Where it was published.
    pub source: String,
    /// Official errata, or a ruling of this project where the sources contradict each other.
    pub kind: OverlayKind,
    /// The print runs that it corrects; all where empty.
    #[serde(default)]
    pub printings: Vec<String>,
    /// The corrections, in printed order.
    #[serde(default)]
    pub entries: Vec<Entry>,
}

/// Whose word an overlay is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OverlayKind {
    /// Published by the game's publisher.
    Official,
    /// A decision of this project.
    Ruling,
}

/// One correction.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The rule or page that it corrects, as printed.
    #[serde(rename = "ref")]
    #[schemars(length(min = 1))]
    pub reference: String,
    /// What kind of correction it says it is.
    pub kind: EntryKind,
    /// What it says, in our own words, in Markdown.
    #[schemars(length(min = 1))]
    pub summary: String,
    /// Why: the evidence, for a ruling.
    #[serde(default)]
    pub reason: Option<String>,
    /// What it does to the data.
    pub op: Op,
    /// The table that it edits.
    #[serde(default)]
    pub table: Option<String>,
    /// The record that it edits: a reference or a selection.
    #[serde(default)]
    pub target: Option<String>,
    /// The records that it edits, for `swap` (two) and `remap`.
    #[serde(default)]
    pub targets: Vec<String>,
    /// Further conditions on the target: values that its fields must have.
    #[serde(default, rename = "where")]
    pub filter: BTreeMap<String, Json>,
    /// How many records the target means.
    #[serde(default = "one")]
    pub expect: usize,
    /// The field that `swap` exchanges.
    #[serde(default)]
    pub field: Option<String>,
    /// The side of the counter, for `counter`.
    #[serde(default)]
    pub side: Option<CounterSide>,
    /// The values that the fields have before; a field that is empty before is left out.
    #[serde(default)]
    pub was: BTreeMap<String, Json>,
    /// The values that the fields have after.
    #[serde(default)]
    pub now: BTreeMap<String, Json>,
    /// The record to add.
    #[serde(default)]
    pub record: BTreeMap<String, Json>,
    /// The record that takes the place of the targets, for `remap`.
    #[serde(default)]
    pub into: Option<String>,
}

/// A side of a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CounterSide {
    /// The front.
    Front,
    /// The back.
    Back,
}

/// What an entry calls itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EntryKind {
    /// Something new.
    Addition,
    /// Something else than before.
    Change,
    /// What was meant.
    Clarification,
    /// What should have been printed.
    Correction,
    /// Something less.
    Deletion,
    /// What was forgotten.
    Omission,
    /// A passage replaced.
    Substitution,
}

/// What an entry does to the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Op {
    /// Gives fields other values.
    Set,
    /// Gives a record another name.
    Rename,
    /// Puts a record into another formation.
    Move,
    /// Adds a record.
    Add,
    /// Removes records.
    Remove,
    /// Exchanges a field of two records.
    Swap,
    /// Makes several records one: they go, and the one answers to their names.
    Remap,
    /// Says that a printed counter is wrong, where the data are right.
    Counter,
    /// Touches no data.
    Note,
}

/// Which overlays are applied: the edition.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Selected {
    /// All of them.
    #[default]
    All,
    /// None: the base data themselves.
    None,
    /// The official ones.
    Official,
    /// Those named.
    Ids(Vec<String>),
}

/// Which overlays are applied, and up to which date.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Edition {
    /// Which.
    pub selected: Selected,
    /// Only those published by this date.
    pub as_of: Option<String>,
}

impl Edition {
    /// Reads `all`, `none`, `official` or ids with commas between.
    pub fn parse(text: &str, as_of: Option<String>) -> Self {
        let selected = match text {
            "all" => Selected::All,
            "none" => Selected::None,
            "official" => Selected::Official,
            ids => Selected::Ids(ids.split(',').map(|id| id.trim().to_owned()).collect()),
        };
        Edition { selected, as_of }
    }

    /// Whether an overlay belongs to the edition.
    pub fn includes(&self, overlay: &OverlayFile) -> bool {
        let selected = match &self.selected {
            Selected::All => true,
            Selected::None => false,
            Selected::Official => overlay.kind == OverlayKind::Official,
            Selected::Ids(ids) => ids.contains(&overlay.id),
        };
        selected
            && self
                .as_of
                .as_ref()
                .is_none_or(|date| overlay.date.as_str() <= date.as_str())
    }
}

/// Reads overlays and puts them in the order in which they apply.
pub fn load(files: &Files, ids: &[FileId], sink: &mut Sink) -> Vec<Overlay> {
    let mut overlays: Vec<Overlay> = ids
        .iter()
        .filter_map(|file| document::load::<OverlayFile>(files, *file, sink))
        .collect();
    overlays.sort_by_key(|overlay| {
        (
            overlay.date.clone(),
            overlay.id.clone(),
            files.path(overlay.file).to_owned(),
        )
    });
    let stem = |overlay: &Overlay| -> String {
        let name = files.path(overlay.file).rsplit('/').next().unwrap_or_default();
        name.strip_suffix(".toml").unwrap_or(name).to_owned()
    };
    let mut by_id: BTreeMap<&str, Vec<&Overlay>> = BTreeMap::new();
    for overlay in &overlays {
        by_id.entry(&overlay.id).or_default().push(overlay);
    }
    for (id, mut same) in by_id {
        // That is right whose file has the name; where none has, the first.
        same.sort_by_key(|overlay| stem(overlay) != id);
        let Some((right, others)) = same.split_first() else {
            continue;
        };
        for other in others {
            let (name, its) = (stem(other), stem(right));
            sink.push(
                Diagnostic::new(
                    &rules::DUPLICATE_OVERLAY,
                    other.span("/id"),
                    format!("the overlay `{name}.toml` has the id `{id}`, which is that of `{its}.toml`"),
                )
                .note("not its own")
                .label(right.span("/id"), "the other one")
                .help(format!(
                    "write `id = \"{name}\"`, or delete the file if it is a copy"
                )),
            );
        }
    }
    for overlay in &overlays {
        if !is_date(&overlay.date) {
            sink.push(
                Diagnostic::new(
                    &rules::NO_SUCH_DATE,
                    overlay.span("/date"),
                    format!("`{}` is no date of the calendar", overlay.date),
                )
                .note("no such day")
                .help("overlays apply in the order of their dates, written `1977-02-22`"),
            );
        }
        check_entries(overlay, sink);
    }
    overlays
}

/// Whether a text is a date of the calendar, `1977-02-22`.
pub fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else {
        return false;
    };
    let digits =
        |part: &str, length: usize| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(year, 4) || !digits(month, 2) || !digits(day, 2) {
        return false;
    }
    let number = |part: &str| part.parse::<u32>().unwrap_or(0);
    let (year, month, day) = (number(year), number(month), number(day));
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// What the schema cannot say: which fields an operation needs.
fn check_entries(overlay: &Overlay, sink: &mut Sink) {
    for (index, entry) in overlay.entries.iter().enumerate() {
        let pointer = format!("/entries/{index}");
        if keys::judge(overlay, index, entry, sink) {
            // What the operation that is meant needs may all be there.
            continue;
        }
        let mut missing: Vec<&str> = Vec::new();
        let needs_table = entry.op != Op::Note;
        if needs_table && entry.table.is_none() {
            missing.push("table");
        }
        let has_target = entry.target.is_some() || !entry.filter.is_empty();
        match entry.op {
            Op::Set | Op::Rename | Op::Move | Op::Counter => {
                if !has_target {
                    missing.push("target");
                }
                if entry.now.is_empty() {
                    missing.push("now");
                }
                if entry.op == Op::Counter && entry.side.is_none() {
                    missing.push("side");
                }
            }
            Op::Add => {
                if entry.record.is_empty() {
                    missing.push("record");
                }
            }
            Op::Remove => {
                if !has_target {
                    missing.push("target");
                }
            }
            Op::Swap => {
                if entry.targets.len() != 2 {
                    missing.push("targets");
                }
                if entry.field.is_none() {
                    missing.push("field");
                }
                let values = entry.field.as_ref().and_then(|field| entry.was.get(field));
                if values
                    .and_then(Json::as_array)
                    .is_none_or(|values| values.len() != 2)
                {
                    missing.push("was");
                }
            }
            Op::Remap => {
                if entry.targets.is_empty() {
                    missing.push("targets");
                }
                if entry.into.is_none() {
                    missing.push("into");
                }
            }
            Op::Note => {}
        }
        if overlay.kind == OverlayKind::Ruling && entry.reason.as_deref().is_none_or(str::is_empty) {
            missing.push("reason");
        }
        // What adds a record names it; nothing else does.
        if entry.op != Op::Add && entry.now.contains_key("id") {
            sink.push(
                Diagnostic::new(
                    &rules::CHANGED_ID,
                    overlay.span(&format!("{pointer}/now/id")),
                    format!("the entry for {} gives a record another id", entry.reference),
                )
                .note("an id is for ever")
                .help("remove `id`: a record is renamed by its `name` and `abbr`, and another record has `op = \"add\"`"),
            );
        }
        for name in missing {
            let why = if name == "reason" {
                "a ruling decides what the sources leave open, so it must say why".to_owned()
            } else {
                format!("an entry with `op = \"{}\"` needs it", op_name(entry.op))
            };
            sink.push(
                Diagnostic::new(
                    &rules::INCOMPLETE_ERRATUM,
                    overlay.span(&pointer),
                    format!("the entry for {} has no `{name}`", entry.reference),
                )
                .note(format!("`{name}` is missing"))
                .help(why),
            );
        }
    }
}

/// The name of an operation, as data write it.
pub fn op_name(op: Op) -> &'static str {
    match op {
        Op::Set => "set",
        Op::Rename => "rename",
        Op::Move => "move",
        Op::Add => "add",
        Op::Remove => "remove",
        Op::Swap => "swap",
        Op::Remap => "remap",
        Op::Counter => "counter",
        Op::Note => "note",
    }
}

fn one() -> usize {
    1
}
