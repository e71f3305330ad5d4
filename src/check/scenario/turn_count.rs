//! The stated against the computed number of turns.

use super::super::Check;
use super::at;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::Model;

pub(in crate::check) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "turn-count",
    severity: Severity::Error,
    summary: "a scenario states another number of turns than lie between its start and end",
    explanation:
        "`turns` is what the source states; the number follows from `start`, `end` and the calendar. If they \
                  disagree, one of the three is wrong.

Wrong:

```toml scenarios/demo/second.toml
id = \"second\"
title = \"Second Day\"
source = \"made up\"
extends = \"battle\"
end = \"1800-06-01 1300\"
```

Right:

```toml scenarios/demo/second.toml
id = \"second\"
title = \"Second Day\"
source = \"made up\"
extends = \"battle\"
end = \"1800-06-01 1300\"
turns = 6
```
",
};

fn run(_: &Game, model: &Model, sink: &mut Sink) {
    for scenario in &model.scenarios {
        let Some(stated) = scenario.file.turns else {
            continue;
        };
        let computed = scenario.turns.len();
        if stated as usize != computed {
            sink.push(
                Diagnostic::new(
                    &RULE,
                    at(scenario, "turns"),
                    format!(
                        "`{}` states {stated} turns, but from start to end there are {computed}",
                        scenario.file.id
                    ),
                )
                .note(format!("{computed} by the calendar"))
                .label(at(scenario, "start"), "the start")
                .label(at(scenario, "end"), "the end")
                .help("correct `turns`, `start` or `end`"),
            );
        }
    }
}
