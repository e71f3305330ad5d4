//! The parts in the box against what the order of battle takes of them.

use super::Check;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::inventory;
use crate::model::Model;

pub(super) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "inventory",
    severity: Severity::Error,
    summary: "the order of battle takes another number of parts than the box holds",
    explanation: "`[[inventory]]` in `game.toml` says how many parts of a kind the game has and which records they are for. \
                  The records of all scenarios together take more of them, or fewer: a unit is missing or doubled, or one \
                  of the numbers is wrong. Where it is not known how many a record takes, only too many are reported.

Wrong:

```toml + oob/demo/game.toml

[[inventory]]
id = \"counters\"
name = \"Unit counters\"
count = 6
of = \"units\"
```

Right:

```toml + oob/demo/game.toml

[[inventory]]
id = \"counters\"
name = \"Unit counters\"
count = 5
of = \"units\"
```

",
};

fn run(game: &Game, model: &Model, sink: &mut Sink) {
    for (index, usage) in inventory::parts(game, model, sink).into_iter().enumerate() {
        let part = &game.inventory[index];
        let Some(used) = usage.used else {
            continue;
        };
        let count = i64::from(part.count);
        let wrong = used > count || (used < count && usage.uncounted.is_empty());
        if !wrong {
            continue;
        }
        let of = part.of.map_or("records", |of| of.table());
        let difference = (used - count).abs();
        sink.push(
            Diagnostic::new(
                &RULE,
                game.span(&format!("/inventory/{index}/count")),
                format!(
                    "the box holds {count} of `{}`, but the {of} of all scenarios take {used}",
                    part.name
                ),
            )
            .note(if used > count {
                format!("{difference} too few")
            } else {
                format!("{difference} left over")
            })
            .help(
                "look for a record that is missing, doubled, or in no scenario; what the book itself gets wrong is \
                 corrected by a ruling",
            ),
        );
    }
}
