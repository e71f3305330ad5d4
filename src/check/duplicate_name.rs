//! Two units of one arm and side with one name.

use super::Check;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::fold::Folder;
use crate::game::Game;
use crate::model::Model;
use crate::parallel;

pub(super) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "duplicate-name",
    severity: Severity::Warning,
    summary: "two units of one side and arm have one name",
    explanation: "No army has two 140th Pennsylvania regiments of infantry: one of the names is most likely a misprint. \
                  Names are compared without case, ordinals, dots and spellings of states. Units of different arms \
                  (1st North Carolina infantry and cavalry) or of different battles, and companies known only within their battalion (a name \
                  without a number of its own, such as `Co. A`), may share a name.

Wrong:

```csv + oob/demo/units.csv
red-6,red-south,foot,1 Kent,,300,R
```

Right:

```csv + oob/demo/units.csv
red-6,red-south,foot,6th Kent,,300,R
```
",
};

fn run(game: &Game, model: &Model, sink: &mut Sink) {
    let folder = Folder::new(&game.synonyms);
    let doubles = parallel::doubles(model.units.len(), |index| {
        let unit = &model.units[index];
        let battle = model.formations[unit.formation].battle.as_deref();
        // A name that says nothing without its parent may recur under another parent.
        let parent = is_relative(&unit.name).then_some(unit.formation);
        Some((
            battle,
            unit.side.as_str(),
            unit.arm.as_str(),
            parent,
            folder.strict(&unit.name),
        ))
    });
    for (earlier, later) in doubles {
        let (earlier, unit) = (&model.units[earlier], &model.units[later]);
        let homes = [earlier, unit].map(|unit| model.formations[unit.formation].designation.as_str());
        let message = match (earlier.name == unit.name, homes[0] == homes[1]) {
            (true, true) => format!(
                "two {} units are called {}, both in {}",
                unit.arm, unit.name, homes[0]
            ),
            (true, false) => format!(
                "two {} units are called {}: in {} and in {}",
                unit.arm, unit.name, homes[0], homes[1]
            ),
            (false, same) => {
                let home = if same {
                    String::new()
                } else {
                    format!(" ({})", homes[0])
                };
                format!(
                    "`{}`{home} and `{}` ({}) are one name: {}",
                    earlier.name,
                    unit.name,
                    homes[1],
                    difference(&earlier.name, &unit.name)
                )
            }
        };
        sink.push(
            Diagnostic::new(&RULE, unit.span, message)
                .note("the second")
                .label(earlier.span, "the first")
                .help(
                    "if it is a slip of yours, correct it here; if the source prints it so, leave it and correct it by \
                     an erratum or ruling",
                ),
        );
    }
}

/// In what two names of one thing differ, which does not count.
fn difference(one: &str, other: &str) -> &'static str {
    let curly = |name: &str| name.contains(['’', '‘', 'ʼ']);
    let plain = |name: &str| -> String {
        let letters = name.chars().filter(|c| !c.is_whitespace() && *c != '.');
        letters.flat_map(char::to_lowercase).collect()
    };
    if plain(one) == plain(other) {
        "capitals, blanks and dots do not count"
    } else if curly(one) != curly(other) {
        "the kind of apostrophe does not count"
    } else {
        "ordinals, apostrophes and the game's `synonyms` do not count"
    }
}

/// Whether a name such as `Co. A` or `1st Co.` means something only under its parent.
fn is_relative(name: &str) -> bool {
    let words: Vec<&str> = name.split([' ', '.']).filter(|word| !word.is_empty()).collect();
    words.len() <= 2
        && words.iter().any(|word| {
            matches!(
                word.to_lowercase().as_str(),
                "co" | "company" | "battery" | "section" | "sect"
            )
        })
}
