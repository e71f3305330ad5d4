//! Two leaders of one role with one command.

use std::collections::BTreeMap;

use super::Check;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::Model;

pub(super) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "doubled-command",
    severity: Severity::Warning,
    summary: "two leaders of one role have the same command",
    explanation: "A formation has one leader of a kind. If two name it in `commands`, one of them most likely leads another \
                  formation.

Wrong:

```csv + oob/demo/leaders.csv
red-south,red,South,Gen.,commander,North
```

Right:

```csv + oob/demo/leaders.csv
red-south,red,South,Gen.,commander,South
```
",
};

fn run(_: &Game, model: &Model, sink: &mut Sink) {
    let mut first: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    for (index, leader) in model.leaders.iter().enumerate() {
        let Some(formation) = leader.commands else {
            continue;
        };
        if !leader.present {
            continue;
        }
        let Some(earlier) = first.insert((formation, leader.role.as_str()), index) else {
            continue;
        };
        let earlier = &model.leaders[earlier];
        sink.push(
            Diagnostic::new(
                &RULE,
                leader.commands_span,
                format!(
                    "{} and {} both have {} as their command",
                    earlier.name, leader.name, model.formations[formation].designation
                ),
            )
            .note("the second")
            .label(earlier.commands_span, "the first")
            .help(
                "one of them commands another formation: if it is a slip of yours, correct his `commands` here; if the \
                 source prints it so, correct it by an erratum or ruling",
            ),
        );
    }
}
