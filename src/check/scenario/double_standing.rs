//! A unit or leader of whom a scenario says two things.

use std::collections::BTreeMap;

use super::super::Check;
use super::{in_words, unit_name};
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::Model;
use crate::scenario::{Claim, Standing};
use crate::source::Span;
use crate::suggest;

pub(in crate::check) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "double-standing",
    severity: Severity::Error,
    summary: "a scenario accounts for a unit or leader twice",
    explanation: "In each scenario everybody is exactly one of: set up, arriving, arriving after the end, withdrawn, lost, \
                  or absent. Twice is a contradiction: both places are shown. Except the unit from the selection that does \
                  not mean it (`4/Heth/III except 11 Miss`).

Wrong:

```toml + scenarios/demo/battle.toml
[[absent]]
side = \"red\"
units = \"1 Kent\"
reason = \"lost\"
```

Right:

```toml scenarios/demo/battle.toml
id = \"battle\"
title = \"The Battle\"
source = \"made up\"
start = \"1800-06-01 0800\"
end = \"1800-06-01 1200\"
reductions = [\"tired\"]

[reinforcements]
schedule = \"main\"

[[deploy]]
id = \"red-line\"
side = \"red\"
units = \"North except 1 Kent\"
supply = { wagon = 1 }
place = { hex = \"A0505\" }

[[deploy]]
id = \"blue-line\"
side = \"blue\"
units = \"West\"
place = { hex = \"A1010\" }

[[absent]]
side = \"red\"
units = \"1 Kent\"
reason = \"lost\"
```
",
};

/// Two claims that contradict each other, with everybody of whom both are made.
#[derive(Default)]
struct Contradiction {
    who: Vec<String>,
    scenarios: Vec<String>,
    said: Option<(Claim, Claim)>,
}

fn run(_: &Game, model: &Model, sink: &mut Sink) {
    let mut found: BTreeMap<(Span, Span), Contradiction> = BTreeMap::new();
    let is_impossible = super::unlikely_arrival::impossible(model);
    for scenario in &model.scenarios {
        let mut judge = |standing: &Standing, name: &dyn Fn() -> String| {
            if standing.claims.len() < 2 {
                return;
            }
            let is_impossible = |claim: &&Claim| {
                let movement = claim.movement;
                movement.is_some_and(|movement| is_impossible(scenario, movement))
            };
            let mut claims = standing.claims.iter().filter(|claim| !is_impossible(claim));
            let (Some(first), Some(second)) = (claims.next(), claims.next()) else {
                return;
            };
            let contradiction = found.entry((second.span, first.span)).or_default();
            contradiction
                .said
                .get_or_insert_with(|| (first.clone(), second.clone()));
            let name = name();
            if !contradiction.who.contains(&name) {
                contradiction.who.push(name);
            }
            if !contradiction.scenarios.contains(&scenario.file.id) {
                contradiction.scenarios.push(scenario.file.id.clone());
            }
        };
        for (index, standing) in scenario.units.iter().enumerate() {
            judge(standing, &|| unit_name(model, index));
        }
        for (index, standing) in scenario.leaders.iter().enumerate() {
            judge(standing, &|| model.leaders[index].name.clone());
        }
    }
    for contradiction in found.values() {
        report(contradiction, sink);
    }
}

fn report(contradiction: &Contradiction, sink: &mut Sink) {
    let Some((first, second)) = &contradiction.said else {
        return;
    };
    let who = match contradiction.who.as_slice() {
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [one, others @ ..] => format!("{one} and {} others", others.len()),
        [] => return,
    };
    let verb = |claim: &Claim| in_words(claim.state);
    let is_one = contradiction.who.len() == 1;
    let said = |claim: &Claim| {
        if is_one {
            verb(claim).to_owned()
        } else {
            in_plural(verb(claim))
        }
    };
    let what = if first.state == second.state {
        format!("{} twice", said(first))
    } else {
        format!("{} and {}", said(first), said(second))
    };
    let scenarios: Vec<&str> = contradiction.scenarios.iter().map(String::as_str).collect();
    let it = if is_one { "it" } else { "them" };
    let mut help = format!("take {it} out of one of the two, or delete the entry that names nobody else");
    if contradiction.who.len() > 2 {
        help = format!("{help}: {}", contradiction.who.join(", "));
    }
    sink.push(
        Diagnostic::new(
            &RULE,
            second.span,
            format!("{who} {what} in {}", suggest::quoted(&scenarios)),
        )
        .note(format!("here it {}", verb(second)))
        .label(first.span, format!("here it {}", verb(first)))
        .help(help),
    );
}

/// Words about one, about several.
fn in_plural(words: &str) -> String {
    let (verb, rest) = words.split_once(' ').unwrap_or((words, ""));
    let verb = match verb {
        "is" => "are".to_owned(),
        "was" => "were".to_owned(),
        "has" => "have".to_owned(),
        verb => verb.trim_end_matches('s').to_owned(),
    };
    format!("{verb} {rest}").trim_end().to_owned()
}
