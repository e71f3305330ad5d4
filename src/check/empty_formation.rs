//! A formation without units.

use super::Check;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::Model;

pub(super) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "empty-formation",
    severity: Severity::Warning,
    summary: "a formation has neither units nor formations below it",
    explanation: "Nothing belongs to it. Either its units are missing, or they name another formation, or the formation is \
                  not in the order of battle at all.

Wrong:

```csv + oob/demo/formations.csv
red-east,,red,brigade,East,East's Brigade,C
```

Right:

```csv + oob/demo/formations.csv
red-east,,red,brigade,East,East's Brigade,C
```

```csv + oob/demo/units.csv
red-6,red-east,foot,6th York,5,,R
```

```csv + oob/demo/effectiveness.csv
red,East,2,5
```

```toml + scenarios/demo/battle.toml
[[absent]]
side = \"red\"
units = \"East\"
reason = \"not-in-scenario\"
```
",
};

fn run(_: &Game, model: &Model, sink: &mut Sink) {
    let mut used = vec![false; model.formations.len()];
    for unit in &model.units {
        used[unit.formation] = true;
    }
    for formation in &model.formations {
        if let Some(parent) = formation.parent {
            used[parent] = true;
        }
    }
    for (index, (formation, used)) in model.formations.iter().zip(used).enumerate() {
        // What is missing from the tree may have been in it.
        if !used && !model.torn && !model.doubtful.contains(&index) {
            sink.push(
                Diagnostic::new(
                    &RULE,
                    formation.span,
                    format!("{} ({}) has no units", formation.name, formation.designation),
                )
                .note("nothing belongs to it")
                .help("add its units, or remove it"),
            );
        }
    }
}
