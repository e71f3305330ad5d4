//! A set of reductions that no scenario uses.

use std::collections::{BTreeMap, BTreeSet};

use super::super::Check;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::Model;
use crate::source::Span;
use crate::suggest;

pub(in crate::check) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "unused-reductions",
    severity: Severity::Warning,
    summary: "no scenario uses a set of reductions",
    explanation: "A row of the table of reductions holds on an occasion, its `set`, and a scenario names the sets that hold in \
                  it. A set that no scenario names has no effect: its units fight at full strength. Most often its name is \
                  misspelt, here or in the scenario.

Wrong:

```csv + oob/demo/reductions.csv
tirde,red-02,red,North,1 Kent,2
```

Right:

```csv + oob/demo/reductions.csv
tired,red-02,red,North,1 Kent,2
```
",
};

fn run(_: &Game, model: &Model, sink: &mut Sink) {
    // Where no scenario names any set, none is misspelt.
    let used = model.used_reductions.as_ref();
    let Some(used) = used.filter(|used| !used.is_empty()) else {
        return;
    };
    let known: BTreeSet<&str> = model
        .reductions
        .iter()
        .map(|reduction| reduction.set.as_str())
        .collect();
    if used.iter().any(|set| !known.contains(set.as_str())) {
        // A scenario misspells one, which is told there.
        return;
    }
    let mut unused: BTreeMap<&str, BTreeSet<Span>> = BTreeMap::new();
    for reduction in model
        .reductions
        .iter()
        .filter(|reduction| !used.contains(&reduction.set))
    {
        unused
            .entry(&reduction.set)
            .or_default()
            .insert(reduction.set_span);
    }
    let names: Vec<&str> = used.iter().map(String::as_str).collect();
    for (set, places) in unused {
        let mut diagnostic = Diagnostic::new(
            &RULE,
            places.iter().next().copied(),
            format!("no scenario uses the reductions `{set}`"),
        )
        .note("not named by any scenario");
        for place in places.iter().skip(1).take(3) {
            diagnostic = diagnostic.label(*place, "and here");
        }
        sink.push(diagnostic.help(match suggest::closest(set, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("name it in the `reductions` of the scenarios in which it holds: `reductions = [\"{set}\"]`"),
        }));
    }
}
