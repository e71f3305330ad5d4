//! Strengths of a scenario against those of the order of battle.

use std::collections::{BTreeMap, BTreeSet};

use super::super::Check;
use super::unit_name;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::{How, Model};
use crate::scenario::{Scenario, State};
use crate::source::Span;
use crate::suggest;

pub(in crate::check) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "scenario-strength",
    severity: Severity::Error,
    summary: "a scenario gives a unit more strength than it has, or takes from a formation more than it has",
    explanation: "A reduced strength lies below the unit's own. A quota that the player distributes cannot be more than the \
                  formation has, nor less than the losses of its units that are already known.

Wrong:

```toml + scenarios/demo/battle.toml
[[quota]]
side = \"blue\"
of = \"West\"
remove = 9
```

Right:

```toml + scenarios/demo/battle.toml
[[quota]]
side = \"blue\"
of = \"West\"
remove = 2
```
",
};

pub(in crate::check) static IDLE: Rule = Rule {
    code: "idle-reduction",
    severity: Severity::Warning,
    summary: "a scenario reduces the strength of a unit that takes no part in it",
    explanation: "The set of reductions that the scenario uses names a unit which is in none of the scenarios that use the \
                  set, so that the value has no effect. That may be a slip of the source, or of the scenario.

Wrong:

```csv + oob/demo/reductions.csv
weary,red-02,red,North,1 Kent,2
```

```toml scenarios/demo/second.toml
id = \"second\"
title = \"Second Day\"
source = \"made up\"
start = \"1800-06-01 0800\"
end = \"1800-06-01 1200\"
reductions = [\"weary\"]

[[deploy]]
id = \"red-line\"
side = \"red\"
units = \"South\"
supply = { wagon = 1 }
place = { anywhere = true }

[[absent]]
side = \"red\"
units = \"North\"
reason = \"not-in-scenario\"

[[absent]]
side = \"blue\"
units = \"West\"
reason = \"not-in-scenario\"
```

Right:

```csv + oob/demo/reductions.csv
weary,red-02,red,North,1 Kent,2
```

```toml scenarios/demo/second.toml
id = \"second\"
title = \"Second Day\"
source = \"made up\"
start = \"1800-06-01 0800\"
end = \"1800-06-01 1200\"
reductions = [\"weary\"]

[[deploy]]
id = \"red-line\"
side = \"red\"
units = \"North\"
supply = { wagon = 1 }
place = { anywhere = true }

[[absent]]
side = \"red\"
units = \"South\"
reason = \"not-in-scenario\"

[[absent]]
side = \"blue\"
units = \"West\"
reason = \"not-in-scenario\"
```
",
};

fn run(game: &Game, model: &Model, sink: &mut Sink) {
    // Several scenarios may use one set of reductions.
    let mut told: BTreeSet<(Span, usize)> = BTreeSet::new();
    for scenario in &model.scenarios {
        let reduced = scenario
            .reduced
            .iter()
            .flat_map(|(unit, values)| values.iter().map(move |(name, value)| (unit, name, value)));
        for (unit, attribute, (value, span)) in reduced {
            let own = model.units[*unit].attributes.get(attribute);
            if let Some(own) = own
                && own.value.integer().is_some_and(|whole| {
                    // A strength that was worked out may be the reduced one; a printed one was more.
                    whole < *value || whole == *value && matches!(own.how, How::Cell)
                })
                && told.insert((*span, *unit))
            {
                let is_more = own.value.integer() != Some(*value);
                let (but, note, help) = if is_more {
                    (
                        format!("more than its {attribute} of {}", own.value),
                        "more than its own",
                        format!("correct the {value}, or the `{attribute}` of the unit"),
                    )
                } else {
                    (
                        format!("which is its own {attribute}: nothing is reduced"),
                        "not reduced",
                        format!("write its `{attribute}` on that occasion, or remove the row"),
                    )
                };
                sink.push(
                    Diagnostic::new(
                        &RULE,
                        *span,
                        format!(
                            "the reductions of `{}` give {} {value}, {but}",
                            scenario.file.id,
                            unit_name(model, *unit),
                        ),
                    )
                    .note(note)
                    .label(own.span, "its own comes from here")
                    .help(help),
                );
            }
        }
        // Losses are told of the first attribute that scenarios carry.
        let carried = game
            .scenario_attributes()
            .map(|attribute| attribute.name.as_str());
        let reduced = model
            .reductions
            .iter()
            .map(|reduction| reduction.attribute.as_str());
        if let Some(attribute) = carried.chain(reduced).next() {
            quotas(model, scenario, attribute, sink);
        }
    }
    idle(model, sink);
}

/// Reductions that have an effect in none of the scenarios that use them.
fn idle(model: &Model, sink: &mut Sink) {
    let mut found: BTreeMap<(Span, usize, &str), Vec<&str>> = BTreeMap::new();
    let mut effective: BTreeSet<(Span, usize, &str)> = BTreeSet::new();
    for scenario in &model.scenarios {
        let reduced = scenario
            .reduced
            .iter()
            .flat_map(|(unit, values)| values.iter().map(move |(name, (_, span))| (unit, name, span)));
        for (unit, name, span) in reduced {
            let state = scenario.units[*unit].state();
            if matches!(state, Some(State::Later | State::Absent | State::Withdrawn)) {
                found
                    .entry((*span, *unit, name))
                    .or_default()
                    .push(&scenario.file.id);
            } else {
                effective.insert((*span, *unit, name));
            }
        }
    }
    found.retain(|reduction, _| !effective.contains(reduction));
    for ((span, unit, attribute), scenarios) in found {
        let name = unit_name(model, unit);
        let scenarios = suggest::quoted(&scenarios);
        sink.push(
            Diagnostic::new(
                &IDLE,
                span,
                format!("{name} has a reduced {attribute} in {scenarios}, but takes no part there"),
            )
            .note("has no effect")
            .help("remove the row, or let the scenario use another set of reductions"),
        );
    }
}

fn quotas(model: &Model, scenario: &Scenario, attribute: &str, sink: &mut Sink) {
    for quota in &scenario.quotas {
        let Some(remove) = quota.remove else {
            continue;
        };
        let (mut total, mut lost) = (0, 0);
        for (index, unit) in model.units.iter().enumerate() {
            let mut at = Some(unit.formation);
            while let Some(formation) = at {
                if formation == quota.formation {
                    let own = unit.attributes.integer(attribute).unwrap_or(0);
                    total += own;
                    lost += scenario
                        .reduced_to(index, attribute)
                        .map_or(0, |(value, _)| (own - value).max(0));
                    break;
                }
                at = model.formations[formation].parent;
            }
        }
        let designation = &model.formations[quota.formation].designation;
        let problem = if remove > total {
            format!("{remove} points are to be taken from {designation}, which has only {total}")
        } else if remove < lost {
            format!(
                "{remove} points are to be taken from {designation}, but its units are already known to have lost {lost}"
            )
        } else {
            continue;
        };
        sink.push(
            Diagnostic::new(&RULE, quota.remove_span, problem)
                .note("this quota")
                .help("correct the quota, or the reductions that the scenario uses"),
        );
    }
}
