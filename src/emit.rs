//! Backends: each takes a pack and returns artifacts. None writes anything; `output` does.
//!
//! To add a backend, write a module and a line in [`BACKENDS`]. To add a sheet, write a template and declare it in the
//! game's `game.toml`.

pub mod counters;
pub mod json;
pub mod markdown;
pub mod scenarios;
pub mod sheets;
pub mod templates;
mod view;

use crate::diagnostic::{Rule, Sink};
use crate::game::SheetDef;
use crate::pack::Pack;
use crate::pack::scenario::ScenarioPack;
use crate::source::Files;

use templates::Templates;

/// The rules of this stage.
pub static RULES: &[&Rule] = &[&templates::TEMPLATE_ERROR, &markdown::RAW_HTML];

/// A file to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Artifact {
    /// Path, relative to the output folder, with forward slashes.
    pub path: String,
    /// Contents.
    pub bytes: Vec<u8>,
}

/// What a backend works from.
pub struct Input<'a> {
    /// The pack.
    pub pack: &'a Pack,
    /// The packs of its scenarios.
    pub scenarios: &'a [ScenarioPack],
    /// The sheets that the game declares.
    pub sheets: &'a [SheetDef],
    /// The sheets that it declares for each scenario.
    pub scenario_sheets: &'a [SheetDef],
    /// The templates.
    pub templates: &'a Templates,
    /// The files, for places in templates.
    pub files: &'a Files,
    /// Whether one sheet of each kind is enough: `check` wants to know whether the templates work, not the sheets.
    pub sample: bool,
}

/// A backend.
pub struct Backend {
    /// Its name.
    pub name: &'static str,
    /// Makes the artifacts.
    pub run: fn(&Input<'_>, &mut Sink) -> Vec<Artifact>,
}

/// Every backend, in the order in which they run.
pub static BACKENDS: &[Backend] = &[
    Backend {
        name: "json",
        run: json::emit,
    },
    Backend {
        name: "counters",
        run: counters::emit,
    },
    Backend {
        name: "sheets",
        run: sheets::emit,
    },
    Backend {
        name: "scenarios",
        run: scenarios::emit,
    },
];

/// All artifacts of a pack, by path.
pub fn emit(input: &Input<'_>, sink: &mut Sink) -> Vec<Artifact> {
    let mut artifacts: Vec<Artifact> = BACKENDS
        .iter()
        .flat_map(|backend| (backend.run)(input, sink))
        .collect();
    artifacts.sort_by(|a, b| a.path.cmp(&b.path));
    artifacts
}
