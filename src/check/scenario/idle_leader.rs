//! A leader on the map none of whose command is in the scenario.

use super::super::Check;
use super::at;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::Model;
use crate::scenario::State;

pub(in crate::check) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "idle-leader",
    severity: Severity::Warning,
    summary: "a leader is set up in a scenario in which nothing of his command takes part",
    explanation: "He was probably taken over from another scenario, or his command was forgotten. Set up his command, or \
                  declare him absent with the reason.

Wrong:

```toml scenarios/demo/second.toml
id = \"second\"
title = \"Second Day\"
source = \"made up\"
start = \"1800-06-01 0800\"
end = \"1800-06-01 1200\"

[[deploy]]
id = \"red-line\"
side = \"red\"
leaders = [\"North\"]
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

```toml scenarios/demo/second.toml
id = \"second\"
title = \"Second Day\"
source = \"made up\"
start = \"1800-06-01 0800\"
end = \"1800-06-01 1200\"

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
",
};

fn run(_: &Game, model: &Model, sink: &mut Sink) {
    for scenario in &model.scenarios {
        let mut busy = vec![false; model.formations.len()];
        let mut has_units = vec![false; model.formations.len()];
        for (unit, standing) in model.units.iter().zip(&scenario.units) {
            let takes_part = matches!(
                standing.state(),
                Some(State::Deployed | State::Arrives | State::Optional)
            );
            let mut formation = Some(unit.formation);
            while let Some(at) = formation {
                busy[at] |= takes_part;
                has_units[at] = true;
                formation = model.formations[at].parent;
            }
        }
        for (leader, standing) in model.leaders.iter().zip(&scenario.leaders) {
            let Some(formation) = leader.commands else {
                continue;
            };
            let Some(claim) = standing.claim() else {
                continue;
            };
            if claim.state != State::Deployed || !leader.leads || !has_units[formation] || busy[formation] {
                continue;
            }
            sink.push(
                Diagnostic::new(
                    &RULE,
                    claim.span,
                    format!(
                        "{} is set up in `{}`, but nothing of {} takes part in it",
                        leader.name, scenario.file.id, model.formations[formation].designation
                    ),
                )
                .note("set up here")
                .label(at(scenario, "id"), "in this scenario")
                .help("set up his command as well, or declare him in `[[absent]]`"),
            );
        }
    }
}
