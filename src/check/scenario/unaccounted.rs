//! A unit or leader of whom a scenario says nothing.

use super::super::Check;
use super::{at, in_words};
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::{Leader, Model};
use crate::scenario::Scenario;

pub(in crate::check) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "unaccounted",
    severity: Severity::Warning,
    summary: "a scenario says nothing of a unit or leader",
    explanation: "In each scenario everybody is accounted for. Somebody of whom nothing is said was most likely \
                  forgotten in the set-up: the message says where the others of the formation are. Declare in `[[absent]]` \
                  who is not in the scenario, with the reason.

Wrong:

```csv + oob/demo/units.csv
blue-6,blue,foot,6th Essex,5,,R
```

Right:

```csv + oob/demo/units.csv
blue-6,blue,foot,6th Essex,5,,R
```

```toml + scenarios/demo/battle.toml
[[absent]]
side = \"blue\"
units = \"6 Essex\"
reason = \"not-in-scenario\"
```
",
};

fn run(_: &Game, model: &Model, sink: &mut Sink) {
    let by_formation = model.units_by_formation();
    for scenario in &model.scenarios {
        // What a scenario extends is told of what it lacks; its variants lack the same.
        if scenario.file.extends.is_some()
            && model.scenarios.iter().any(|base| lacks_the_same(scenario, base))
        {
            continue;
        }
        for (formation, units) in by_formation.iter().enumerate() {
            let missing: Vec<usize> = units
                .iter()
                .copied()
                .filter(|unit| is_missing(scenario, *unit))
                .collect();
            if missing.is_empty() {
                continue;
            }
            let formation = &model.formations[formation];
            let who = if missing.len() == units.len() && units.len() > 1 {
                format!("all of {} ({})", formation.name, formation.designation)
            } else {
                let names: Vec<&str> = missing
                    .iter()
                    .map(|unit| model.units[*unit].name.as_str())
                    .collect();
                format!("{} ({})", names.join(", "), formation.designation)
            };
            let mut diagnostic = Diagnostic::new(
                &RULE,
                at(scenario, "id"),
                format!("`{}` says nothing of {who}", scenario.file.id),
            )
            .note("not accounted for in this scenario")
            .label(model.units[missing[0]].span, "in the order of battle");
            diagnostic = diagnostic.help(mates(model, scenario, units));
            sink.push(diagnostic);
        }
        let missing: Vec<&str> = model
            .leaders
            .iter()
            .zip(&scenario.leaders)
            .filter(|(leader, standing)| {
                standing.claims.is_empty()
                    && !scenario.doubtful_sides.contains(&leader.side)
                    && !leader
                        .commands
                        .is_some_and(|formation| model.doubtful.contains(&formation))
                    && !goes_without_saying(model, scenario, leader)
            })
            .map(|(leader, _)| leader.name.as_str())
            .collect();
        if !missing.is_empty() {
            sink.push(
                Diagnostic::new(
                    &RULE,
                    at(scenario, "id"),
                    format!(
                        "`{}` says nothing of the leader{} {}",
                        scenario.file.id,
                        if missing.len() == 1 { "" } else { "s" },
                        missing.join(", ")
                    ),
                )
                .note("not accounted for in this scenario")
                .help("name them in a deployment, an arrival, `[[lost]]` or `[[absent]]`"),
            );
        }
    }
}

fn is_missing(scenario: &Scenario, unit: usize) -> bool {
    scenario.units[unit].claims.is_empty() && !scenario.doubtful.contains(&unit)
}

fn lacks_the_same(scenario: &Scenario, base: &Scenario) -> bool {
    let missing = |scenario: &Scenario| -> Vec<usize> {
        let standings = scenario.units.iter().enumerate();
        standings
            .filter(|(_, standing)| standing.claims.is_empty())
            .map(|(unit, _)| unit)
            .collect()
    };
    scenario.file.extends.as_deref() == Some(&base.file.id) && missing(scenario) == missing(base)
}

/// Whether a leader is missing only because his command is.
fn goes_without_saying(model: &Model, scenario: &Scenario, leader: &Leader) -> bool {
    let mut of_command = model
        .units
        .iter()
        .enumerate()
        .filter(|(_, unit)| Some(unit.formation) == leader.commands);
    let any = of_command.clone().next().is_some();
    any && of_command.all(|(unit, _)| scenario.units[unit].claims.is_empty())
}

/// Where the others of a formation are.
fn mates(model: &Model, scenario: &Scenario, units: &[usize]) -> String {
    let found = units
        .iter()
        .find_map(|unit| Some((*unit, scenario.units[*unit].claim()?)));
    match found {
        Some((unit, claim)) => {
            let entry = match (claim.deployment, claim.movement) {
                (Some(deployment), _) => format!(" by `{}`", scenario.deployments[deployment].id),
                (_, Some(movement)) => format!(" by `{}`", scenario.movements[movement].id),
                _ => String::new(),
            };
            format!(
                "its mate {} {}{entry}",
                model.units[unit].name,
                in_words(claim.state)
            )
        }
        None => "set it up, let it arrive, or declare it in `[[absent]]` with the reason".into(),
    }
}
