//! Supply delivered against supply that there is.

use super::super::Check;
use super::at;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::{Item, Model};
use crate::scenario::Scenario;
use crate::source::Span;

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
            let side = item.side.as_deref().unwrap_or("both sides");
            if scenario.doubtful_sides.contains(side) {
                continue;
            }
            let mut parts: Vec<(u32, Span, &str)> = Vec::new();
            for (deployment, number) in &standing.deployed {
                let span = scenario.deployments[*deployment].supply_span;
                parts.push((*number, span, "set up"));
            }
            for (movement, number) in &standing.arriving {
                parts.push((*number, scenario.movements[*movement].supply_span, "arriving"));
            }
            let what = format!("“{}” of `{side}`", item.name);
            let accounted = i64::from(standing.accounted());
            judge(scenario, (item, &what), accounted, parts, true, sink);
        }
        for marker in &model.markers {
            let parts: Vec<(u32, Span, &str)> = scenario
                .deployments
                .iter()
                .filter_map(|deployment| {
                    let number = (*deployment.markers.get(&marker.id)?)?;
                    Some((number, deployment.markers_span, "set up"))
                })
                .collect();
            let accounted = parts.iter().map(|(number, ..)| i64::from(*number)).sum();
            // Of markers, those that are not set up are at hand.
            let what = format!("of the markers “{}”", marker.name);
            judge(scenario, (marker, &what), accounted, parts, false, sink);
        }
    }
}

/// Compares how many a scenario takes of something with how many there are. Too many are told at the largest number, too
/// few at the number that there are.
fn judge(
    scenario: &Scenario,
    (item, what): (&Item, &str),
    accounted: i64,
    mut parts: Vec<(u32, Span, &str)>,
    all: bool,
    sink: &mut Sink,
) {
    let Some(count) = item.count else {
        return;
    };
    if accounted == count || (!all && accounted < count) {
        return;
    }
    parts.sort_by_key(|(number, ..)| std::cmp::Reverse(*number));
    let is_too_many = accounted > count;
    let span = match parts.first() {
        Some((_, span, _)) if is_too_many => *span,
        _ => item.count_span,
    };
    let mut diagnostic = Diagnostic::new(
        &RULE,
        span,
        if is_too_many {
            format!(
                "`{}` uses {accounted} {what}, but there are only {count}",
                scenario.file.id
            )
        } else {
            format!(
                "`{}` accounts for {accounted} of the {count} {what}",
                scenario.file.id
            )
        },
    )
    .note(if is_too_many { "too many" } else { "too few" });
    if is_too_many {
        // Of a table or list of several the one entry.
        diagnostic = diagnostic.entry(if all {
            item.kind.as_deref().unwrap_or(&item.id)
        } else {
            &item.id
        });
    }
    if is_too_many {
        diagnostic = diagnostic.label(item.count_span, format!("there are {count}"));
    } else if parts.is_empty() {
        diagnostic = diagnostic.label(at(scenario, "id"), "none here");
    }
    for (number, part, how) in parts.iter().take(3).filter(|(_, part, _)| *part != span) {
        diagnostic = diagnostic.label(*part, format!("{number} {how}"));
    }
    let table = if all { "supply" } else { "markers" };
    sink.push(diagnostic.help(match (is_too_many, parts.len()) {
        (true, 0 | 1) => format!("correct this number, or the count in `{table}`"),
        (true, _) => format!("correct one of the numbers, or the count in `{table}`"),
        _ => format!("correct the count in `{table}` or a number, or declare the others in `[[absent]]`"),
    }));
}
