//! Supply delivered against supply that there is.

use super::super::Check;
use super::at;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::Model;

pub(in crate::check) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "supply-count",
    severity: Severity::Warning,
    summary: "a scenario uses more or fewer wagons than there are",
    explanation:
        "What is set up, what arrives and what is declared absent must add up to the number in `supply`.

Wrong:

```csv oob/demo/supply.csv
id,side,kind,name,count
red-wagon,red,wagon,Supply Wagon,2
```

Right:

```csv oob/demo/supply.csv
id,side,kind,name,count
red-wagon,red,wagon,Supply Wagon,1
```
",
};

fn run(_: &Game, model: &Model, sink: &mut Sink) {
    for scenario in &model.scenarios {
        for standing in &scenario.supply {
            let item = &model.supply[standing.item];
            let Some(count) = item.count else {
                continue;
            };
            let accounted = i64::from(standing.accounted());
            if accounted == count {
                continue;
            }
            let side = item.side.as_deref().unwrap_or("both sides");
            let mut diagnostic = Diagnostic::new(
                &RULE,
                at(scenario, "id"),
                format!(
                    "`{}` accounts for {accounted} of the {count} {} of `{side}`",
                    scenario.file.id,
                    item.name.to_lowercase()
                ),
            )
            .note(if accounted > count { "too many" } else { "too few" })
            .label(item.span, format!("there are {count}"));
            for (deployment, number) in standing.deployed.iter().take(2) {
                diagnostic =
                    diagnostic.label(scenario.deployments[*deployment].span, format!("{number} set up"));
            }
            sink.push(diagnostic.help("correct a number, or declare the others in `[[absent]]`"));
        }
    }
}
