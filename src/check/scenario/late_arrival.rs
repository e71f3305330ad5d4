//! Arrivals that may come too late for their scenario.

use super::super::Check;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::Model;
use crate::scenario::Direction;

pub(in crate::check) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "late-arrival",
    severity: Severity::Warning,
    summary: "something that arrives by chance may come only after the last turn",
    explanation: "The turn of the arrival is decided by a die, or follows an arrival that is, and the latest possible turn \
                  lies after the end of the scenario. That may be meant; it may also be a slip in the first turn, in \
                  `turns_after`, or in the scenario's length.

Wrong:

```toml + oob/demo/game.toml

[[arrival_rules]]
id = \"delayed\"
name = \"Delayed\"
die = 6
succeeds_up_to = [3, 6]
```

```toml scenarios/demo/battle.toml
id = \"battle\"
title = \"The Battle\"
source = \"made up\"
start = \"1800-06-01 0800\"
end = \"1800-06-01 1200\"
reductions = [\"tired\"]

[[deploy]]
id = \"red-line\"
side = \"red\"
units = \"North\"
supply = { wagon = 1 }
place = { hex = \"A0505\" }

[[deploy]]
id = \"blue-line\"
side = \"blue\"
units = \"West\"
place = { hex = \"A1010\" }

[[reinforcements.extra]]
id = \"south\"
side = \"red\"
units = \"South\"
areas = [\"1\"]
at = \"1800-06-01 1200\"
by = \"delayed\"
```

Right:

```toml + oob/demo/game.toml

[[arrival_rules]]
id = \"delayed\"
name = \"Delayed\"
die = 6
succeeds_up_to = [3, 6]
```

```toml scenarios/demo/battle.toml
id = \"battle\"
title = \"The Battle\"
source = \"made up\"
start = \"1800-06-01 0800\"
end = \"1800-06-01 1200\"
reductions = [\"tired\"]

[[deploy]]
id = \"red-line\"
side = \"red\"
units = \"North\"
supply = { wagon = 1 }
place = { hex = \"A0505\" }

[[deploy]]
id = \"blue-line\"
side = \"blue\"
units = \"West\"
place = { hex = \"A1010\" }

[[reinforcements.extra]]
id = \"south\"
side = \"red\"
units = \"South\"
areas = [\"1\"]
at = \"1800-06-01 0900\"
by = \"delayed\"
```

",
};

fn run(_: &Game, model: &Model, sink: &mut Sink) {
    for scenario in &model.scenarios {
        let (Some(first), Some(last)) = (scenario.turns.first(), scenario.turns.last()) else {
            continue;
        };
        for movement in &scenario.movements {
            let Some(coming) = &movement.coming else {
                continue;
            };
            // One that cannot come in time at all is an error of its own.
            if movement.direction != Direction::Arrive
                || coming.latest <= last.index
                || movement.turn > last.index
            {
                continue;
            }
            let missed: f64 = coming
                .odds
                .iter()
                .filter(|(turn, _)| *turn > last.index)
                .map(|(_, chance)| chance)
                .sum();
            let number = |turn: usize| turn + 1 - first.index;
            sink.push(
                Diagnostic::new(
                    &RULE,
                    movement.span,
                    format!(
                        "`{}` may arrive as late as turn {}, after the end of `{}` with turn {}",
                        movement.id,
                        number(coming.latest),
                        scenario.file.id,
                        number(last.index)
                    ),
                )
                .note(format!("misses the scenario with a probability of {missed:.3}"))
                .help(
                    "correct the turns; if the printed scenario means it so, allow it here with the reason",
                ),
            );
        }
    }
}
