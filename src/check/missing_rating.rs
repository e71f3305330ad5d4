//! A formation that should have a rating of effectiveness and has none.

use std::collections::{BTreeMap, BTreeSet};

use super::Check;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::Model;

pub(super) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "missing-rating",
    severity: Severity::Warning,
    summary: "a formation has no rating of effectiveness although its peers have one",
    explanation: "In a game that rates formations, every formation of an echelon that is rated at all is expected to be \
                  rated if it has units of the arms that are. A brigade without one is most likely forgotten, or its \
                  row names another brigade.

Wrong:

```csv oob/demo/effectiveness.csv
side,formation,boxes,total
red,North,3,9
red,South,3,7
```

Right:

```csv oob/demo/effectiveness.csv
side,formation,boxes,total
red,North,3,9
red,South,3,7
blue,West,2,6
```
",
};

fn run(_: &Game, model: &Model, sink: &mut Sink) {
    let rated: BTreeSet<usize> = model
        .effectiveness
        .iter()
        .map(|rating| rating.formation)
        .collect();
    if rated.is_empty() {
        return;
    }
    let mut arms: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    for unit in &model.units {
        arms.entry(unit.formation).or_default().insert(&unit.arm);
    }
    let echelons: BTreeSet<&str> = rated
        .iter()
        .map(|index| model.formations[*index].echelon.as_str())
        .collect();
    // An arm counts as rated if some rated formation has no other.
    let rated_arms: BTreeSet<&str> = rated
        .iter()
        .filter_map(|index| arms.get(index))
        .filter(|arms| arms.len() == 1)
        .flatten()
        .copied()
        .collect();
    for (index, formation) in model.formations.iter().enumerate() {
        let concerns = arms
            .get(&index)
            .is_some_and(|arms| arms.iter().any(|arm| rated_arms.contains(arm)));
        if rated.contains(&index)
            || model.torn
            || model.unrated
            || model.doubtful.contains(&index)
            || !concerns
            || !echelons.contains(formation.echelon.as_str())
        {
            continue;
        }
        sink.push(
            Diagnostic::new(
                &RULE,
                formation.span,
                format!(
                    "{} ({}) has no rating of effectiveness",
                    formation.name, formation.designation
                ),
            )
            .note("not in `effectiveness`")
            .help(format!(
                "add a row for `{}` to `effectiveness`",
                formation.designation
            )),
        );
    }
}
