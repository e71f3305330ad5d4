//! Semantic checks: what a schema cannot say. One check a file, one list, one way to a [`Checked`] model.

mod doubled_command;
mod duplicate_name;
mod echelon_order;
mod empty_formation;
mod game_rule;
mod idle_condition;
mod inventory;
mod missing_rating;
mod missing_value;
mod partial_total;
mod scenario;
mod skipped_echelon;
mod unknown_choice;

use crate::diagnostic::{Rule, Sink};
use crate::game::Game;
use crate::model::Model;

/// A check: its rule and what runs it.
pub struct Check {
    /// What it reports.
    pub rule: &'static Rule,
    /// Looks at a model and reports.
    pub run: fn(&Game, &Model, &mut Sink),
}

/// Every check, in the order in which they run and are documented.
pub static CHECKS: &[Check] = &[
    duplicate_name::CHECK,
    echelon_order::CHECK,
    skipped_echelon::CHECK,
    empty_formation::CHECK,
    missing_rating::CHECK,
    missing_value::CHECK,
    unknown_choice::CHECK,
    doubled_command::CHECK,
    game_rule::CHECK,
    idle_condition::CHECK,
    partial_total::CHECK,
    inventory::CHECK,
    scenario::turn_count::CHECK,
    scenario::double_standing::CHECK,
    scenario::unaccounted::CHECK,
    scenario::unlikely_arrival::CHECK,
    scenario::late_arrival::CHECK,
    scenario::closed_area::CHECK,
    scenario::bad_place::CHECK,
    scenario::off_map::CHECK,
    scenario::other_battle::CHECK,
    scenario::overstacked::CHECK,
    scenario::scenario_strength::CHECK,
    scenario::unused_reductions::CHECK,
    scenario::supply_count::CHECK,
    scenario::idle_leader::CHECK,
    scenario::victory_bands::CHECK,
    scenario::unknown_name::CHECK,
];

/// Rules that a check reports besides its own.
pub static FURTHER: &[&Rule] = &[
    &game_rule::WARNING,
    &scenario::scenario_strength::IDLE,
    &scenario::bad_place::NO_PLACE,
];

/// A model without errors. Only [`run`] makes one, so only a checked model can become a pack.
pub struct Checked {
    model: Model,
}

impl Checked {
    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Takes the model out again, for questions about it.
    pub fn into_model(self) -> Model {
        self.model
    }
}

/// Runs every check. `Err` gives the model back where there is an error, from here or from earlier.
pub fn run(game: &Game, model: Model, sink: &mut Sink) -> Result<Checked, Box<Model>> {
    for check in CHECKS {
        (check.run)(game, &model, sink);
    }
    if sink.has_errors() {
        Err(Box::new(model))
    } else {
        Ok(Checked { model })
    }
}
