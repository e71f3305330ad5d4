//! Checks of scenarios. Each is one file.

pub mod bad_place;
pub mod closed_area;
pub mod double_standing;
pub mod idle_leader;
pub mod late_arrival;
pub mod off_map;
pub mod other_battle;
pub mod overstacked;
pub mod scenario_strength;
pub mod supply_count;
pub mod turn_count;
pub mod unaccounted;
pub mod unknown_name;
pub mod unlikely_arrival;
pub mod unused_reductions;
pub mod victory_bands;

use crate::model::Model;
use crate::scenario::{Scenario, State};
use crate::source::Span;

/// The place of a part of a scenario, or else of its id.
fn at(scenario: &Scenario, key: &str) -> Span {
    let spans = &scenario.spans;
    spans
        .get(key)
        .or_else(|| spans.get("id"))
        .copied()
        .unwrap_or(Span::file_start(scenario.source))
}

/// A unit as people know it.
fn unit_name(model: &Model, unit: usize) -> String {
    let unit = &model.units[unit];
    format!("{} ({})", unit.name, model.formations[unit.formation].designation)
}

/// A state in a sentence.
fn in_words(state: State) -> &'static str {
    match state {
        State::Deployed => "is set up",
        State::Arrives => "arrives",
        State::Optional => "arrives optionally",
        State::Withdrawn => "has withdrawn",
        State::Lost => "is lost",
        State::Later => "arrives after the end",
        State::Pool => "waits in the pool",
        State::Absent => "is declared absent",
    }
}
