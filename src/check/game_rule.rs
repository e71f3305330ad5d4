//! The game's own rules, declared as expressions.

use super::Check;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::expression;
use crate::game::{Game, Of};
use crate::model::{How, Model};
use crate::source::Span;

pub(super) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "game-rule",
    severity: Severity::Error,
    summary: "a rule that the game declares about its order of battle is broken",
    explanation: "`[[rules]]` in `game.toml` says what must be true of formations, units, leaders or ratings. The message \
                  is the rule's own; the second place is where the rule is declared.

Wrong:

```toml + oob/demo/game.toml
[[rules]]
id = \"large-units\"
of = \"units\"
must = \"strength >= 4\"
message = \"{{ name }} is too small\"
```

Right:

```toml + oob/demo/game.toml
[[rules]]
id = \"large-units\"
of = \"units\"
must = \"strength >= 3\"
message = \"{{ name }} is too small\"
```
",
};

pub(super) static WARNING: Rule = Rule {
    code: "game-rule-warning",
    severity: Severity::Warning,
    summary: "a rule that the game declares as a warning is broken",
    explanation: "A rule of the game that is declared with `warning = true` is broken. What it says is the rule's own message; \
                  see `game-rule`.

Wrong:

```toml + oob/demo/game.toml
[[rules]]
id = \"large-units\"
of = \"units\"
must = \"strength >= 4\"
message = \"{{ name }} is too small\"
warning = true
```

Right:

```toml + oob/demo/game.toml
[[rules]]
id = \"large-units\"
of = \"units\"
must = \"strength >= 3\"
message = \"{{ name }} is too small\"
warning = true
```
",
};

fn run(game: &Game, model: &Model, sink: &mut Sink) {
    let environment = expression::environment(game, model);
    for (number, rule) in game.rules.iter().enumerate() {
        let at = |part: &str| game.span(&format!("/rules/{number}{part}"));
        let when = rule
            .when
            .as_ref()
            .map(|text| expression::compile(&environment, text, at("/when"), sink));
        let must = expression::compile(&environment, &rule.must, at("/must"), sink);
        let message = expression::template(&environment, &rule.message, at("/message"), sink);
        let scope = expression::Scope::new(game, model, rule.of, when.iter().chain([&must]));
        let shown = expression::Scope::new(game, model, rule.of, [&message]);
        let mut memory = expression::Memory::default();
        for index in 0..model.len(rule.of) {
            let is_kept = scope.remembered(index, &mut memory, |context| {
                when.as_ref().is_some_and(|when| !when.holds(context, sink)) || must.holds(context, sink)
            });
            if is_kept {
                continue;
            }
            if must.failed() {
                // That the rule cannot be judged has been reported, and says nothing of the records.
                break;
            }
            let mut cells = cells(&rule.must, &must.reads(), model, rule.of, index).into_iter();
            let span = match cells.next() {
                Some((_, span)) => span,
                None => model.head(rule.of, index).0,
            };
            let mut diagnostic = Diagnostic::new(
                if rule.warning { &WARNING } else { &RULE },
                span,
                message.text(&shown.context(index), sink),
            )
            .note(format!("breaks the rule `{}`", rule.id));
            for (name, span) in cells.take(3) {
                diagnostic = diagnostic.label(span, format!("its {name}"));
            }
            diagnostic = diagnostic.label(
                at("/must"),
                rule.source.as_ref().map_or_else(
                    || "the rule".to_owned(),
                    |source| format!("the rule, from {source}"),
                ),
            );
            if let Some(help) = &rule.help {
                diagnostic = diagnostic.help(help.clone());
            }
            sink.push(diagnostic);
        }
    }
}

/// The cells of a record that a condition reads, in the order in which it names them: what is broken there is broken by
/// one of them, while the name is the author's least suspect.
fn cells(must: &str, reads: &[String], model: &Model, of: Of, index: usize) -> Vec<(String, Span)> {
    let attributes = model.attributes(of, index);
    let mut found: Vec<(usize, String, Span)> = reads
        .iter()
        .filter_map(|name| {
            let attribute = attributes.get(name)?;
            let is_cell = matches!(attribute.how, How::Cell | How::Supplement(_));
            is_cell.then(|| {
                (
                    must.find(name.as_str()).unwrap_or(0),
                    name.clone(),
                    attribute.span,
                )
            })
        })
        .collect();
    found.sort_by_key(|(at, ..)| *at);
    found.into_iter().map(|(_, name, span)| (name, span)).collect()
}
