//! Arrivals that may come too late for their scenario.

use super::super::Check;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::Model;
use crate::scenario::Direction;

pub(in crate::check) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "late-arrival",
    severity: Severity::Warning,
    summary: "something that arrives by chance may come only after the last turn",
    explanation: "The turn of the arrival is decided by a die, or follows an arrival that is, and the latest possible turn \
                  lies after the end of the scenario. That may be meant; it may also be a slip in the first turn, in \
                  `turns_after`, or in the scenario's length.",
};

fn run(_: &Game, model: &Model, sink: &mut Sink) {
    for scenario in &model.scenarios {
        let (Some(first), Some(last)) = (scenario.turns.first(), scenario.turns.last()) else {
            continue;
        };
        for movement in &scenario.movements {
            let Some(coming) = &movement.coming else {
                continue;
            };
            // One that cannot come in time at all is an error of its own.
            if movement.direction != Direction::Arrive
                || coming.latest <= last.index
                || movement.turn > last.index
            {
                continue;
            }
            let missed: f64 = coming
                .odds
                .iter()
                .filter(|(turn, _)| *turn > last.index)
                .map(|(_, chance)| chance)
                .sum();
            let number = |turn: usize| turn + 1 - first.index;
            sink.push(
                Diagnostic::new(
                    &RULE,
                    movement.span,
                    format!(
                        "`{}` may arrive as late as turn {}, after the end of `{}` with turn {}",
                        movement.id,
                        number(coming.latest),
                        scenario.file.id,
                        number(last.index)
                    ),
                )
                .note(format!("misses the scenario with a probability of {missed:.3}"))
                .help(
                    "correct the turns; if the printed scenario means it so, allow it here with the reason",
                ),
            );
        }
    }
}
