//! A record without a value that is expected of it.

use super::Check;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::fill;
use crate::game::{Game, Of};
use crate::model::Model;

pub(super) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "missing-value",
    severity: Severity::Warning,
    summary: "a record lacks an attribute that is expected of it",
    explanation: "The game declares the attribute as `expected` for records of this kind, and nothing gives it: no cell, no \
                  supplement, no default, no rule. Fill it; or write `?` if it is known that nobody knows it.

Wrong:

```toml + oob/demo/game.toml
[[attributes]]
of = \"formations\"
name = \"color\"
type = \"text\"
label = \"Colour\"
expected = true
echelons = [\"army\"]
```

```csv oob/demo/formations.csv
id,side,parent,echelon,abbr,name,color
red,red,,army,,Army of Red,crimson
red-north,,red,brigade,North,North's Brigade,
red-south,,red,brigade,South,South's Brigade,
blue,blue,,army,,Army of Blue,
blue-west,,blue,brigade,West,West's Brigade,
```

Right:

```toml + oob/demo/game.toml
[[attributes]]
of = \"formations\"
name = \"color\"
type = \"text\"
label = \"Colour\"
expected = true
echelons = [\"army\"]
```

```csv oob/demo/formations.csv
id,side,parent,echelon,abbr,name,color
red,red,,army,,Army of Red,crimson
red-north,,red,brigade,North,North's Brigade,
red-south,,red,brigade,South,South's Brigade,
blue,blue,,army,,Army of Blue,?
blue-west,,blue,brigade,West,West's Brigade,
```
",
};

fn run(game: &Game, model: &Model, sink: &mut Sink) {
    for attribute in game.attributes.iter().filter(|attribute| attribute.expected) {
        for index in 0..model.len(attribute.of) {
            let attributes = model.attributes(attribute.of, index);
            let has =
                attributes.get(&attribute.name).is_some() || attributes.is_declared_unknown(&attribute.name);
            let doubtful = attribute.of == Of::Formations && model.doubtful.contains(&index);
            if has || doubtful || !fill::carries(model, attribute, index) {
                continue;
            }
            let (span, name) = model.head(attribute.of, index);
            sink.push(
                Diagnostic::new(&RULE, span, format!("{name} has no `{}`", attribute.name))
                    .note(format!("{} is not known", attribute.label.to_lowercase()))
                    .help("give the value, or write `?` where it is known that nobody knows it"),
            );
        }
    }
}
