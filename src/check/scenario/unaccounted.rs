//! A unit or leader of whom a scenario says nothing.

use super::super::Check;
use super::{at, in_words};
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::Model;
use crate::scenario::Scenario;

pub(in crate::check) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "unaccounted",
    severity: Severity::Warning,
    summary: "a scenario says nothing of a unit or leader",
    explanation: "In each scenario everybody is accounted for. Somebody of whom nothing is said was most likely \
                  forgotten in the set-up: the message says where the others of the formation are. Declare in `[[absent]]` \
                  who is not in the scenario, with the reason.",
};

fn run(_: &Game, model: &Model, sink: &mut Sink) {
    let by_formation = model.units_by_formation();
    for scenario in &model.scenarios {
        for (formation, units) in by_formation.iter().enumerate() {
            let missing: Vec<usize> =
                units.iter().copied().filter(|unit| scenario.units[*unit].claims.is_empty()).collect();
            if missing.is_empty() {
                continue;
            }
            let formation = &model.formations[formation];
            let who = if missing.len() == units.len() && units.len() > 1 {
                format!("all of {} ({})", formation.name, formation.designation)
            } else {
                let names: Vec<&str> = missing.iter().map(|unit| model.units[*unit].name.as_str()).collect();
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
            .filter(|(_, standing)| standing.claims.is_empty())
            .map(|(leader, _)| leader.name.as_str())
            .collect();
        if !missing.is_empty() {
            sink.push(
                Diagnostic::new(
                    &RULE,
                    at(scenario, "id"),
                    format!("`{}` says nothing of the leaders {}", scenario.file.id, missing.join(", ")),
                )
                .note("not accounted for in this scenario")
                .help("name them in a deployment, an arrival, `[[lost]]` or `[[absent]]`"),
            );
        }
    }
}

/// Where the others of a formation are.
fn mates(model: &Model, scenario: &Scenario, units: &[usize]) -> String {
    let found = units.iter().find_map(|unit| Some((*unit, scenario.units[*unit].claim()?)));
    match found {
        Some((unit, claim)) => {
            let entry = match (claim.deployment, claim.movement) {
                (Some(deployment), _) => format!(" by `{}`", scenario.deployments[deployment].id),
                (_, Some(movement)) => format!(" by `{}`", scenario.movements[movement].id),
                _ => String::new(),
            };
            format!("its mate {} {}{entry}", model.units[unit].name, in_words(claim.state))
        }
        None => "set it up, let it arrive, or declare it in `[[absent]]` with the reason".into(),
    }
}
