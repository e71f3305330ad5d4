//! An arrival through a staging area that is not open to the side, or that does not exist.

use std::collections::BTreeSet;

use super::super::Check;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::Model;
use crate::scenario::Direction;
use crate::suggest;

pub(in crate::check) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "closed-area",
    severity: Severity::Error,
    summary: "units arrive through an area that is not open to their side, or that does not exist",
    explanation: "`game.toml` declares the staging areas and the sides to which each is open. Withdrawals may leave through \
                  any area.

Wrong:

```csv scenarios/demo/schedules/main.csv
id,side,day,time,kind,areas,units,leaders
south,red,1800-06-01,0900,arrive,2,South,
```

Right:

```csv scenarios/demo/schedules/main.csv
id,side,day,time,kind,areas,units,leaders
south,red,1800-06-01,0900,arrive,1,South,
```
",
};

fn run(game: &Game, model: &Model, sink: &mut Sink) {
    let mut seen = BTreeSet::new();
    for movement in model.scenarios.iter().flat_map(|scenario| &scenario.movements) {
        if !seen.insert((movement.areas_span, movement.id.clone())) {
            continue;
        }
        for id in &movement.areas {
            let Some(area) = game.areas.iter().find(|area| area.id == *id) else {
                let ids: Vec<&str> = game.areas.iter().map(|area| area.id.as_str()).collect();
                sink.push(
                    Diagnostic::new(&RULE, movement.areas_span, format!("there is no area `{id}`"))
                        .note("no such area")
                        .help(format!("the areas are {}", suggest::quoted(&ids))),
                );
                continue;
            };
            if movement.direction == Direction::Arrive && !area.sides.contains(&movement.side) {
                let open: Vec<&str> = game
                    .areas
                    .iter()
                    .filter(|area| area.sides.contains(&movement.side))
                    .map(|area| area.id.as_str())
                    .collect();
                sink.push(
                    Diagnostic::new(
                        &RULE,
                        movement.areas_span,
                        format!("{} is not open to `{}`", area.name, movement.side),
                    )
                    .note("closed to this side")
                    .help(format!("open to it are {}", suggest::quoted(&open))),
                );
            }
        }
    }
}
