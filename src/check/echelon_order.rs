//! A formation in one that is not above it.

use std::collections::BTreeMap;

use super::Check;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::{Formation, Model};
use crate::suggest;

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

fn run(game: &Game, model: &Model, sink: &mut Sink) {
    let mut children: BTreeMap<usize, Vec<&Formation>> = BTreeMap::new();
    for formation in &model.formations {
        if let Some(parent) = formation.parent {
            children.entry(parent).or_default().push(formation);
        }
    }
    for (parent, mut children) in children {
        let parent = &model.formations[parent];
        // In a long line of them the first is told.
        let above = parent.parent.map(|above| &model.formations[above]);
        if above.is_some_and(|above| above.level >= parent.level) {
            children.retain(|child| child.echelon != parent.echelon);
        }
        if children.is_empty() {
            continue;
        }
        let is_wrong = |child: &&Formation| parent.level >= child.level;
        if children.len() > 1 && children.iter().all(is_wrong) {
            let are_alike = children.iter().all(|child| child.echelon == parent.echelon);
            // Rather than all of them, it is the one above them that is wrong.
            let mut diagnostic = Diagnostic::new(
                &RULE,
                parent.echelon_span,
                format!(
                    "{} is {}, but {} the {} formations that belong to it",
                    parent.name,
                    suggest::with_article(&parent.echelon),
                    if are_alike {
                        "so are"
                    } else {
                        "not higher than are"
                    },
                    children.len()
                ),
            )
            .note(suggest::with_article(&parent.echelon))
            .help("correct its echelon, or the `parent` of what belongs to it");
            diagnostic = one_level(game, parent, children[0], diagnostic);
            for child in children.iter().take(3) {
                diagnostic = diagnostic.label(
                    child.span,
                    format!("{} of it", suggest::with_article(&child.echelon)),
                );
            }
            sink.push(diagnostic);
            continue;
        }
        for formation in children.into_iter().filter(is_wrong) {
            let found = Diagnostic::new(
                &RULE,
                formation.span,
                format!(
                    "{} is {} but belongs to {}, {}",
                    formation.name,
                    suggest::with_article(&formation.echelon),
                    parent.name,
                    suggest::with_article(&parent.echelon)
                ),
            )
            .note(suggest::with_article(&formation.echelon))
            .label(parent.span, suggest::with_article(&parent.echelon))
            .help("correct its `parent` or one of the echelons");
            sink.push(one_level(game, parent, formation, found));
        }
    }
}

/// Where two echelons are of one level the game definition may be what is wrong.
fn one_level(game: &Game, parent: &Formation, child: &Formation, found: Diagnostic) -> Diagnostic {
    if parent.level != child.level || parent.echelon == child.echelon {
        return found;
    }
    let echelon = game
        .echelons
        .iter()
        .position(|echelon| echelon.id == child.echelon);
    let Some(echelon) = echelon else {
        return found;
    };
    let (above, below) = (&parent.echelon, &child.echelon);
    found
        .label(
            game.span(&format!("/echelons/{echelon}/level")),
            format!("`{below}` is of the level of `{above}`"),
        )
        .help(format!(
            "correct the `parent` or one of the echelons; if a {above} may have a {below}, the levels in `game.toml`"
        ))
}
