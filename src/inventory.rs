//! How many of the parts in a game's box its records take.

use crate::diagnostic::Sink;
use crate::expression::{self, Memory, Scope};
use crate::game::{Game, Of};
use crate::model::Model;
use crate::scenario::State;

/// What the records take of one part.
#[derive(Debug, Clone, Default)]
pub struct Usage {
    /// How many, as far as that is known; `None` where no table lists the part.
    pub used: Option<i64>,
    /// The records of which nobody knows how many they take, as indices into the model's.
    pub uncounted: Vec<usize>,
}

/// What the records of all scenarios take of each part, in the order of the game's inventory. In a game without
/// scenarios every record counts.
pub fn parts(game: &Game, model: &Model, sink: &mut Sink) -> Vec<Usage> {
    let environment = expression::environment(game, model);
    let mut parts = Vec::new();
    for (index, part) in game.inventory.iter().enumerate() {
        let Some(of) = part.of else {
            parts.push(Usage::default());
            continue;
        };
        let mut compile = |text: &Option<String>, key: &str| {
            let span = game.span(&format!("/inventory/{index}/{key}"));
            text.as_ref()
                .map(|text| expression::compile(&environment, text, span, sink))
        };
        let when = compile(&part.when, "when");
        let each = compile(&part.each, "each");
        let scope = Scope::new(game, model, of, when.iter().chain(&each));
        let mut memory = Memory::default();
        let mut usage = Usage {
            used: Some(0),
            uncounted: Vec::new(),
        };
        for record in (0..model.len(of)).filter(|record| is_used(model, of, *record)) {
            let takes = scope.remembered(record, &mut memory, |context| {
                if when.as_ref().is_some_and(|when| !when.holds(context, sink)) {
                    return None;
                }
                Some(match &each {
                    Some(each) => each.value(context, sink).and_then(|count| count.as_i64()),
                    None => Some(1),
                })
            });
            match takes {
                Some(Some(takes)) => usage.used = usage.used.map(|used| used + takes),
                Some(None) => usage.uncounted.push(record),
                None => {}
            }
        }
        parts.push(usage);
    }
    parts
}

/// Whether any scenario uses a unit or leader; other records are used anyway.
fn is_used(model: &Model, of: Of, record: usize) -> bool {
    let in_play = |state: Option<State>| {
        matches!(
            state,
            Some(State::Deployed | State::Arrives | State::Optional | State::Pool)
        )
    };
    match of {
        _ if model.scenarios.is_empty() => of != Of::Units || model.units[record].is_fielded(),
        Of::Units => {
            let mut scenarios = model.scenarios.iter();
            scenarios.any(|scenario| in_play(scenario.units[record].state()))
        }
        Of::Leaders => {
            let mut scenarios = model.scenarios.iter();
            scenarios.any(|scenario| in_play(scenario.leaders[record].state()))
        }
        _ => true,
    }
}
