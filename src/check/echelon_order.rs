//! A formation in one that is not above it.

use super::Check;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::Model;

pub(super) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "echelon-order",
    severity: Severity::Error,
    summary: "a formation belongs to one of its own or a lower echelon",
    explanation: "A division belongs to a corps, not to a brigade. Either the `echelon` or the `parent` is wrong. Levels \
                  may be skipped: a brigade may belong to a corps directly.

Wrong:

```csv + oob/demo/formations.csv
red-east,,red-south,brigade,East,East's Brigade,C
```

```csv + oob/demo/units.csv
red-6,red-east,foot,6th York,5,,R
```

```csv + oob/demo/effectiveness.csv
red,East,2,5
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
    for formation in &model.formations {
        let Some(parent) = formation.parent.map(|parent| &model.formations[parent]) else {
            continue;
        };
        if parent.level >= formation.level {
            sink.push(
                Diagnostic::new(
                    &RULE,
                    formation.span,
                    format!(
                        "{} is a {} but belongs to {}, a {}",
                        formation.name, formation.echelon, parent.name, parent.echelon
                    ),
                )
                .note(format!("a {}", formation.echelon))
                .label(parent.span, format!("a {}", parent.echelon))
                .help("correct its `parent` or one of the echelons"),
            );
        }
        if formation.side != parent.side {
            sink.push(
                Diagnostic::new(
                    &RULE,
                    formation.span,
                    format!(
                        "{} is of side `{}` but belongs to {}, of side `{}`",
                        formation.name, formation.side, parent.name, parent.side
                    ),
                )
                .note(format!("side `{}`", formation.side))
                .label(parent.span, format!("side `{}`", parent.side))
                .help("leave `side` empty on formations that have a parent, or correct the parent"),
            );
        }
    }
}
