//! Conditions of the game definition that hold of no record.

use super::Check;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::expression;
use crate::game::{Game, Of};
use crate::model::{How, Model};
use crate::source::Span;

pub(super) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "idle-condition",
    severity: Severity::Warning,
    summary: "a condition of the game definition holds of no record",
    explanation: "The `when` of a default, of an apportioned or derived attribute or of a part of the box is true of no record, \
                  so that what it stands for is never done. Most often a word in it is another than in the tables, or `and` \
                  is written for `or`. If it is kept for records to come, allow it with a reason. Rules and counters may be \
                  about records that a game does not have yet, so of them nothing is said.

Wrong:

```toml + oob/demo/game.toml
[[defaults]]
of = \"units\"
attribute = \"men\"
value = \"400\"
when = \"men is none and strength > 15\"
source = \"an estimate\"
```

Right:

```toml + oob/demo/game.toml
[[defaults]]
of = \"units\"
attribute = \"men\"
value = \"400\"
when = \"men is none and strength > 3\"
source = \"an estimate\"
```
",
};

fn run(game: &Game, model: &Model, sink: &mut Sink) {
    if sink.has_errors() {
        // What is wrong may be what it would hold of.
        return;
    }
    let mut conditions: Vec<(Of, &str, Span, &str)> = Vec::new();
    let is_used = |of: Of, is_its: &dyn Fn(&How) -> bool| {
        (0..model.len(of)).any(|record| {
            let attributes = model.attributes(of, record);
            attributes.iter().any(|attribute| is_its(&attribute.how))
        })
    };
    for (index, def) in game.defaults.iter().enumerate() {
        // Once its values are there the condition may hold no more.
        if let Some(when) = &def.when
            && !is_used(
                def.of,
                &|how| matches!(how, How::Default(other) if *other == index),
            )
        {
            let span = game.span(&format!("/defaults/{index}/when"));
            conditions.push((def.of, when, span, "nothing is assumed"));
        }
    }
    for (index, def) in game.derived.iter().enumerate() {
        if let Some(when) = &def.when
            && !is_used(
                def.of,
                &|how| matches!(how, How::Derived(other) if *other == index),
            )
        {
            let span = game.span(&format!("/derived/{index}/when"));
            conditions.push((def.of, when, span, "nothing is computed"));
        }
    }
    for (index, def) in game.apportion.iter().enumerate() {
        if let Some(when) = &def.when {
            let span = game.span(&format!("/apportion/{index}/when"));
            conditions.push((Of::Units, when, span, "nobody shares in a total"));
        }
    }
    for (index, def) in game.inventory.iter().enumerate() {
        if let (Some(when), Some(of)) = (&def.when, def.of) {
            let span = game.span(&format!("/inventory/{index}/when"));
            conditions.push((of, when, span, "no part is taken"));
        }
    }
    let environment = expression::environment(game, model);
    for (of, when, span, so) in conditions {
        let compiled = expression::compile(&environment, when, span, sink);
        let scope = expression::Scope::new(game, model, of, [&compiled]);
        let mut memory = expression::Memory::default();
        let mut records = 0..model.len(of);
        let holds =
            |record: usize| scope.remembered(record, &mut memory, |context| compiled.holds(context, sink));
        if records.is_empty() || records.any(holds) || compiled.failed() {
            continue;
        }
        sink.push(
            Diagnostic::new(
                &RULE,
                span,
                format!(
                    "`{when}` holds of none of the {} {}: {so}",
                    model.len(of),
                    of.table()
                ),
            )
            .note("never true")
            .help("correct the condition, or remove what it stands for"),
        );
    }
}
