//! Units that a scenario sets up although they belong to the order of battle of another battle.

use std::collections::BTreeMap;

use super::super::Check;
use super::at;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::Model;
use crate::scenario::Scenario;
use crate::source::Span;
use crate::suggest;

pub(in crate::check) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "other-battle",
    severity: Severity::Error,
    summary: "a scenario sets up units that belong to the order of battle of another battle",
    explanation: "A scenario is of one battle: the one that its `battle` names, or else the game's. Formations may belong to \
                  another (`battle` in `formations`), and who belongs to another is not in the scenario, leaders included. \
                  So a scenario cannot set up its units. Correct the one `battle` or the other.

Wrong:

```toml + oob/demo/more.toml
[[formations]]
id = \"far\"
side = \"red\"
battle = \"elsewhere-1801\"
echelon = \"brigade\"
abbr = \"Far\"
name = \"Far Brigade\"

[[units]]
id = \"red-9\"
formation = \"far\"
kind = \"foot\"
name = \"9th Kent\"
strength = 2
weapon = \"R\"

[[effectiveness]]
side = \"red\"
formation = \"far\"
boxes = 1
total = 2
```

```toml + scenarios/demo/battle.toml
[[deploy]]
id = \"red-far\"
side = \"red\"
units = \"Far\"
place = { anywhere = true }
```

Right:

```toml + oob/demo/more.toml
[[formations]]
id = \"far\"
side = \"red\"
echelon = \"brigade\"
abbr = \"Far\"
name = \"Far Brigade\"

[[units]]
id = \"red-9\"
formation = \"far\"
kind = \"foot\"
name = \"9th Kent\"
strength = 2
weapon = \"R\"

[[effectiveness]]
side = \"red\"
formation = \"far\"
boxes = 1
total = 2
```

```toml + scenarios/demo/battle.toml
[[deploy]]
id = \"red-far\"
side = \"red\"
units = \"Far\"
place = { anywhere = true }
```
",
};

fn run(game: &Game, model: &Model, sink: &mut Sink) {
    let known = known(game, model);
    for scenario in &model.scenarios {
        let battle = scenario.file.battle.as_deref().or(game.battle.as_deref());
        if battle.is_some_and(|battle| !known.contains(&battle)) {
            // That there is no such battle is told of its name.
            continue;
        }
        strangers(model, scenario, battle, sink);
    }
}

/// The battles to which formations belong, and the game's own.
pub(super) fn known<'m>(game: &'m Game, model: &'m Model) -> Vec<&'m str> {
    let formations = model.formations.iter();
    let mut known: Vec<&str> = formations
        .filter_map(|formation| formation.battle.as_deref())
        .chain(game.battle.as_deref())
        .collect();
    known.sort_unstable();
    known.dedup();
    known
}

/// Tells of each other battle once, where its units are set up first.
fn strangers(model: &Model, scenario: &Scenario, battle: Option<&str>, sink: &mut Sink) {
    let mut told: BTreeMap<&str, (Span, Span, Vec<&str>)> = BTreeMap::new();
    for deployment in &scenario.deployments {
        for unit in &deployment.units {
            let formation = &model.formations[model.units[*unit].formation];
            let other = formation.battle.as_deref();
            if let Some(other) = other.filter(|other| Some(*other) != battle) {
                let found = told
                    .entry(other)
                    .or_insert((deployment.span, formation.battle_span, Vec::new()));
                found.2.push(&model.units[*unit].name);
            }
        }
    }
    for (other, (span, says, units)) in told {
        let shown: Vec<&str> = units.iter().take(3).copied().collect();
        let more = units.len() - shown.len();
        let units = match more {
            0 => suggest::quoted(&shown),
            more => format!("{} and {more} more", suggest::quoted(&shown)),
        };
        let battle = battle.map_or("of no battle by name".to_owned(), |battle| {
            format!("of `{battle}`")
        });
        sink.push(
            Diagnostic::new(
                &RULE,
                span,
                format!(
                    "`{}` is {battle}, but sets up {units} of the order of battle of `{other}`",
                    scenario.file.id
                ),
            )
            .note("of another battle")
            .label(says, format!("`{other}` says this"))
            .label(at(scenario, "battle"), "the scenario")
            .help("correct the `battle` of the formation or of the scenario"),
        );
    }
}
