//! A value that should be the id of a record of another table.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::Check;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::{AttributeDef, Game};
use crate::model::{Model, Scalar};
use crate::suggest;

pub(super) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "unknown-choice",
    severity: Severity::Error,
    summary: "a value names nothing in the table that it chooses from",
    explanation: "The attribute is declared with `table = \"weapons\"`, so its values are ids of weapons, and this is none; likewise with any other table. \
                  Correct the value, or add the record to the table.

Wrong:

```csv + oob/demo/units.csv
red-6,red-south,foot,6th York,,300,M
```

Right:

```csv + oob/demo/units.csv
red-6,red-south,foot,6th York,,300,R
```
",
};

fn run(game: &Game, model: &Model, sink: &mut Sink) {
    for attribute in &game.attributes {
        let Some(ids) = attribute.table.as_deref().and_then(|table| model.ids(table)) else {
            continue;
        };
        let ids: BTreeSet<&str> = ids.into_iter().collect();
        let table = attribute.table.as_deref().unwrap_or_default();
        // One missing record is one fault, however many values name it.
        let mut strangers: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for index in 0..model.len(attribute.of) {
            if let Some(value) = model.attributes(attribute.of, index).get(&attribute.name) {
                let text = match &value.value {
                    Scalar::Text(text) => Cow::from(text),
                    other => Cow::from(other.to_string()),
                };
                // A record that does not fit its schema was told there, and exists.
                if !ids.contains(&*text) && !model.may_be_left_out(table, &text) {
                    strangers.entry(text.into_owned()).or_default().push(index);
                }
            }
        }
        for (text, records) in strangers {
            report(model, attribute, &text, &records, &ids, sink);
        }
    }
}

fn report(
    model: &Model,
    attribute: &AttributeDef,
    text: &str,
    records: &[usize],
    ids: &BTreeSet<&str>,
    sink: &mut Sink,
) {
    let place = |index: usize| {
        let value = model.attributes(attribute.of, index).get(&attribute.name);
        value.map_or_else(|| model.head(attribute.of, index).0, |value| value.span)
    };
    let table = attribute.table.as_deref().unwrap_or_default();
    let first = records[0];
    let (_, name) = model.head(attribute.of, first);
    let others = match records.len() {
        1 => String::new(),
        2 => " and one other".to_owned(),
        count => format!(" and {} others", count - 1),
    };
    let mut diagnostic = Diagnostic::new(
        &RULE,
        place(first),
        format!(
            "`{}` of {name}{others} is `{text}`, which is not in `{table}`",
            attribute.name
        ),
    )
    .note("no such record");
    for other in records.iter().skip(1).take(3) {
        diagnostic = diagnostic.label(place(*other), "nor here");
    }
    let ids: Vec<&str> = ids.iter().copied().collect();
    let near = if text.chars().count() > 2 {
        suggest::closest(text, ids.iter().copied())
    } else {
        None
    };
    diagnostic = diagnostic.help(match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!(
            "`{table}` has {}; add `{text}` to it, or correct the value",
            suggest::quoted(&ids)
        ),
    });
    sink.push(diagnostic);
}
