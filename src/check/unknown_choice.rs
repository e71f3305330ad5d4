//! A value that should be the id of a record of another table.

use super::Check;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::Model;
use crate::suggest;

pub(super) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "unknown-choice",
    severity: Severity::Error,
    summary: "a value names nothing in the table that it chooses from",
    explanation: "The attribute is declared with `table = \"weapons\"`, so its values are ids of weapons, and this is none. \
                  Correct the value, or add the record to the table.",
};

fn run(game: &Game, model: &Model, sink: &mut Sink) {
    for attribute in &game.attributes {
        if attribute.table.as_deref() != Some("weapons") {
            continue;
        }
        let ids: Vec<&str> = model.weapons.iter().map(|weapon| weapon.id.as_str()).collect();
        for index in 0..model.len(attribute.of) {
            let Some(value) = model.attributes(attribute.of, index).get(&attribute.name) else {
                continue;
            };
            let text = value.value.to_string();
            if ids.contains(&text.as_str()) {
                continue;
            }
            let (_, name) = model.head(attribute.of, index);
            let mut diagnostic = Diagnostic::new(
                &RULE,
                value.span,
                format!("`{}` of {name} is `{text}`, which is not in `weapons`", attribute.name),
            )
            .note("no such record");
            if let Some(help) = suggest::help(&text, &ids) {
                diagnostic = diagnostic.help(help);
            }
            sink.push(diagnostic);
        }
    }
}
