//! Sums that are not known because something in them has no value.

use super::Check;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::{Formation, Model};

pub(super) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "partial-total",
    severity: Severity::Note,
    summary: "a sum is not known because something in it has no value",
    explanation: "`[[rollups]]` adds up an attribute of everything below a formation, such as its cost in points. Something \
                  there has no value, for instance a battery whose price the book does not print. So the formation has no \
                  total: the pack and the sheets give what is known and what is missing.

Wrong:

```toml + oob/demo/game.toml

[[attributes]]
of = \"units\"
name = \"points\"
type = \"integer\"
label = \"Points\"

[[attributes]]
of = \"formations\"
name = \"points\"
type = \"integer\"
label = \"Points\"

[[derived]]
of = \"units\"
attribute = \"points\"
value = \"product(men, 2)\"
source = \"made up\"

[[rollups]]
attribute = \"points\"
units = \"points\"
source = \"made up\"
```

Right:

```toml + oob/demo/game.toml

[[attributes]]
of = \"units\"
name = \"points\"
type = \"integer\"
label = \"Points\"

[[attributes]]
of = \"formations\"
name = \"points\"
type = \"integer\"
label = \"Points\"

[[derived]]
of = \"units\"
attribute = \"points\"
value = \"product(strength, 2)\"
source = \"made up\"

[[rollups]]
attribute = \"points\"
units = \"points\"
source = \"made up\"
```

",
};

/// More names than a message can take.
const MOST: usize = 6;

fn run(_: &Game, model: &Model, sink: &mut Sink) {
    for formation in &model.formations {
        // Told where it is complete: of the highest formation that has a sum.
        if above(model, formation) {
            continue;
        }
        for partial in &formation.partial {
            let units = partial.units.iter().map(|unit| model.units[*unit].name.as_str());
            let leaders = partial
                .leaders
                .iter()
                .map(|leader| model.leaders[*leader].name.as_str());
            let names: Vec<&str> = units.chain(leaders).collect();
            let more = names.len().saturating_sub(MOST);
            let mut list = names[..names.len() - more].join(", ");
            if more > 0 {
                list.push_str(&format!(" and {more} more"));
            }
            let mut diagnostic = Diagnostic::new(
                &RULE,
                formation.span,
                format!(
                    "the {} of {} ({}) are only partly known: {} without {list}",
                    partial.attribute, formation.name, formation.designation, partial.known
                ),
            )
            .note("a partial total");
            for unit in partial.units.iter().take(3) {
                diagnostic =
                    diagnostic.label(model.units[*unit].span, format!("has no {}", partial.attribute));
            }
            for leader in partial.leaders.iter().take(2) {
                diagnostic = diagnostic.label(
                    model.leaders[*leader].span,
                    format!("has no {}", partial.attribute),
                );
            }
            sink.push(diagnostic);
        }
    }
}

/// Whether a formation above has the same sums.
fn above(model: &Model, formation: &Formation) -> bool {
    let mut at = formation.parent;
    while let Some(index) = at {
        if !model.formations[index].partial.is_empty() {
            return true;
        }
        at = model.formations[index].parent;
    }
    false
}
