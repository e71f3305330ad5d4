//! A unit or leader of whom a scenario says two things.

use super::super::Check;
use super::{in_words, unit_name};
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::Model;
use crate::scenario::{Scenario, Standing};

pub(in crate::check) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "double-standing",
    severity: Severity::Error,
    summary: "a scenario accounts for a unit or leader twice",
    explanation: "In each scenario everybody is exactly one of: set up, arriving, arriving after the end, withdrawn, lost, \
                  or absent. Twice is a contradiction: both places are shown. Except the unit from the selection that does \
                  not mean it (`4/Heth/III except 11 Miss`).",
};

fn run(_: &Game, model: &Model, sink: &mut Sink) {
    for scenario in &model.scenarios {
        for (index, standing) in scenario.units.iter().enumerate() {
            judge(scenario, standing, &|| unit_name(model, index), sink);
        }
        for (index, standing) in scenario.leaders.iter().enumerate() {
            judge(scenario, standing, &|| model.leaders[index].name.clone(), sink);
        }
    }
}

fn judge(scenario: &Scenario, standing: &Standing, name: &dyn Fn() -> String, sink: &mut Sink) {
    let [first, others @ ..] = standing.claims.as_slice() else {
        return;
    };
    let Some(second) = others.first() else {
        return;
    };
    let what = if first.state == second.state {
        format!("{} twice", in_words(first.state))
    } else {
        format!("{} and {}", in_words(first.state), in_words(second.state))
    };
    sink.push(
        Diagnostic::new(&RULE, second.span, format!("{} {what} in `{}`", name(), scenario.file.id))
            .note(format!("here it {}", in_words(second.state)))
            .label(first.span, format!("here it {}", in_words(first.state)))
            .help("except it from one of the two selections"),
    );
}
