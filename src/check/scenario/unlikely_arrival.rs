//! Arrivals that cannot happen: outside the scenario, in a turn without arrivals, or after the withdrawal.

use std::collections::{BTreeMap, BTreeSet};

use super::super::Check;
use super::{at, unit_name};
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::Model;
use crate::scenario::{Direction, Movement, Scenario};
use crate::source::Span;
use crate::suggest;

pub(in crate::check) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "impossible-arrival",
    severity: Severity::Error,
    summary: "an arrival lies outside its scenario, in a turn in which nothing can arrive, or after the withdrawal",
    explanation: "A scenario's own arrivals lie between its start and end. The calendar may mark turns in which nothing can \
                  arrive. What withdraws must have arrived before.

Wrong:

```toml scenarios/demo/second.toml
id = \"second\"
title = \"Second Day\"
source = \"made up\"
start = \"1800-06-01 0800\"
end = \"1800-06-01 1200\"

[[reinforcements.extra]]
id = \"late\"
side = \"red\"
at = \"1800-06-01 1300\"
areas = [\"1\"]
units = \"North, South\"
supply = { wagon = 1 }

[[absent]]
side = \"blue\"
units = \"West\"
reason = \"not-in-scenario\"
```

Right:

```toml scenarios/demo/second.toml
id = \"second\"
title = \"Second Day\"
source = \"made up\"
start = \"1800-06-01 0800\"
end = \"1800-06-01 1200\"

[[reinforcements.extra]]
id = \"late\"
side = \"red\"
at = \"1800-06-01 1200\"
areas = [\"1\"]
units = \"North, South\"
supply = { wagon = 1 }

[[absent]]
side = \"blue\"
units = \"West\"
reason = \"not-in-scenario\"
```
",
};

fn run(_: &Game, model: &Model, sink: &mut Sink) {
    // Of a turn that is not reached nobody needs to know that nothing arrives in it.
    let mut seen = too_late(model, sink);
    for scenario in &model.scenarios {
        let first = scenario.turns.first().map_or(0, |turn| turn.index);
        let last = scenario.turns.last().map_or(0, |turn| turn.index);
        for movement in &scenario.movements {
            if movement.own && (movement.turn < first || movement.turn > last) {
                let when = if movement.turn < first {
                    "before the start"
                } else {
                    "after the end"
                };
                sink.push(
                    Diagnostic::new(
                        &RULE,
                        movement.time_span,
                        format!(
                            "`{}` arrives {}, {when} of `{}`",
                            movement.id, movement.label, scenario.file.id
                        ),
                    )
                    .note(when),
                );
                seen.insert(movement.span);
            }
            let turn = &model.calendar.turns()[movement.turn];
            if movement.direction == Direction::Arrive && !turn.arrivals && seen.insert(movement.span) {
                sink.push(
                    Diagnostic::new(
                        &RULE,
                        movement.time_span,
                        format!("nothing can arrive in the turn {}", turn.label),
                    )
                    .note(turn.marks.join(", "))
                    .help(
                        "choose another turn; what is special about turns is in the calendar of `game.toml`",
                    ),
                );
            }
        }
        for (unit, standing) in scenario.units.iter().enumerate() {
            let (Some(withdrawal), Some(arrival)) = (
                standing.withdrawal,
                standing.claim().and_then(|claim| claim.movement),
            ) else {
                continue;
            };
            let (withdrawal, arrival) = (&scenario.movements[withdrawal], &scenario.movements[arrival]);
            if withdrawal.turn <= arrival.turn && seen.insert(withdrawal.span) {
                sink.push(
                    Diagnostic::new(
                        &RULE,
                        withdrawal.time_span,
                        format!(
                            "{} withdraws by {}, but arrives only {}",
                            unit_name(model, unit),
                            withdrawal.label,
                            arrival.label
                        ),
                    )
                    .note("withdraws here")
                    .label(arrival.time_span, "arrives here")
                    .help("correct one of the two moments"),
                );
            }
        }
    }
}

/// Reports lines of a schedule that none of the scenarios that use it reaches; gives their places.
fn too_late(model: &Model, sink: &mut Sink) -> BTreeSet<Span> {
    let found = unreached(model);
    for (movement, scenarios) in found.values() {
        let ids: Vec<&str> = scenarios
            .iter()
            .map(|scenario| scenario.file.id.as_str())
            .collect();
        let mut diagnostic = Diagnostic::new(
            &RULE,
            movement.time_span,
            format!(
                "`{}` arrives {}, after the end of {}",
                movement.id,
                movement.label,
                suggest::quoted(&ids)
            ),
        )
        .note("no scenario reaches this turn")
        .help("correct the moment, or take the line out of the schedule");
        for scenario in scenarios.iter().take(3) {
            diagnostic = diagnostic.label(at(scenario, "end"), "the end");
        }
        sink.push(diagnostic);
    }
    found.into_keys().collect()
}

/// The lines of schedules that arrive at a turn which no scenario that uses them reaches, by their place, with the
/// scenarios that use them.
fn unreached(model: &Model) -> BTreeMap<Span, (&Movement, Vec<&Scenario>)> {
    let mut found: BTreeMap<Span, (&Movement, Vec<&Scenario>)> = BTreeMap::new();
    let mut reached = BTreeSet::new();
    for scenario in &model.scenarios {
        let last = scenario.turns.last().map_or(0, |turn| turn.index);
        for movement in &scenario.movements {
            if movement.own || movement.direction != Direction::Arrive {
                continue;
            }
            if movement.turn <= last {
                reached.insert(movement.span);
            } else {
                let entry = found.entry(movement.span);
                entry.or_insert((movement, Vec::new())).1.push(scenario);
            }
        }
    }
    found.retain(|span, _| !reached.contains(span));
    found
}

/// The arrivals of a scenario that are told here, as they cannot be: what else is said of those who come by them is no
/// second fault.
pub(super) fn impossible<'m>(model: &'m Model) -> impl Fn(&Scenario, usize) -> bool + use<'m> {
    let unreached: BTreeSet<Span> = unreached(model).into_keys().collect();
    move |scenario, movement| {
        let movement = &scenario.movements[movement];
        let first = scenario.turns.first().map_or(0, |turn| turn.index);
        let last = scenario.turns.last().map_or(0, |turn| turn.index);
        unreached.contains(&movement.span)
            || (movement.own && (movement.turn < first || movement.turn > last))
    }
}
