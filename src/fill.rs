//! Filling in what the data leave open: defaults, then apportionment, then derived attributes, then sums.

mod rollup;

use crate::apportion;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::expression::{self, Compiled};
use crate::game::{AttributeDef, Basis, Game, Of, Type};
use crate::model::{Attribute, How, Model, Scalar};
use crate::source::Span;

/// The rules of this stage.
pub static RULES: &[&Rule] = &[&BAD_FILL];

static BAD_FILL: Rule = Rule {
    code: "bad-fill",
    severity: Severity::Error,
    summary: "a default or derived value does not fit its attribute",
    explanation: "`[[defaults]]` and `[[derived]]` name an attribute that must be declared, for the same kind of record, \
                  and give it values of its type.

Wrong:

```toml + oob/demo/game.toml
[[defaults]]
of = \"units\"
attribute = \"men\"
value = \"many\"
when = \"men is none\"
source = \"an estimate\"
```

Right:

```toml + oob/demo/game.toml
[[defaults]]
of = \"units\"
attribute = \"men\"
value = \"400\"
when = \"men is none\"
source = \"an estimate\"
```
",
};

/// Fills in defaults, apportioned and derived attributes, in this order.
pub fn fill(game: &Game, model: &mut Model, sink: &mut Sink) {
    for index in 0..game.defaults.len() {
        default(game, index, model, sink);
    }
    for index in 0..game.apportion.len() {
        apportion::apportion(game, index, model, sink);
    }
    for index in 0..game.derived.len() {
        derive(game, index, model, sink);
    }
    for index in 0..game.rollups.len() {
        rollup::sum(game, index, model, sink);
    }
}

fn default(game: &Game, index: usize, model: &mut Model, sink: &mut Sink) {
    let definition = &game.defaults[index];
    let place = game.span(&format!("/defaults/{index}"));
    let Some(attribute) = declared(
        game,
        definition.of,
        &definition.attribute,
        game.span(&format!("/defaults/{index}/attribute")),
        sink,
    ) else {
        return;
    };
    let value_span = game.span(&format!("/defaults/{index}/value"));
    let Some(value) = scalar(attribute, &definition.value.as_str().into()) else {
        misfit(attribute, &definition.value, value_span, sink);
        return;
    };
    let environment = expression::environment(game, model);
    let when = definition.when.as_ref().map(|text| {
        expression::compile(
            &environment,
            text,
            game.span(&format!("/defaults/{index}/when")),
            sink,
        )
    });
    for record in candidates(game, model, attribute, definition.of, when.as_ref(), sink) {
        model.attributes_mut(definition.of, record).push(Attribute {
            name: attribute.name.clone(),
            value: value.clone(),
            basis: Basis::Default,
            how: How::Default(index),
            span: place,
            edit: None,
        });
    }
}

fn derive(game: &Game, index: usize, model: &mut Model, sink: &mut Sink) {
    let definition = &game.derived[index];
    let place = game.span(&format!("/derived/{index}"));
    let Some(attribute) = declared(
        game,
        definition.of,
        &definition.attribute,
        game.span(&format!("/derived/{index}/attribute")),
        sink,
    ) else {
        return;
    };
    let value_span = game.span(&format!("/derived/{index}/value"));
    let environment = expression::environment(game, model);
    let when = definition.when.as_ref().map(|text| {
        expression::compile(
            &environment,
            text,
            game.span(&format!("/derived/{index}/when")),
            sink,
        )
    });
    let value = expression::compile(&environment, &definition.value, value_span, sink);
    let reads = value.reads();
    let records = candidates(game, model, attribute, definition.of, when.as_ref(), sink);
    let results: Vec<(usize, serde_json::Value)> = {
        let scope = expression::Scope::new(game, model, definition.of, [&value]);
        let mut memory = expression::Memory::default();
        let result = |record: &usize| {
            let value = scope.remembered(*record, &mut memory, |context| value.value(context, sink));
            Some((*record, value?))
        };
        records.iter().filter_map(result).collect()
    };
    let mut is_told = false;
    for (record, result) in results {
        let Some(scalar) = scalar(attribute, &result) else {
            // One expression is one fault, of however many records.
            if !std::mem::replace(&mut is_told, true) {
                misfit(attribute, &result.to_string(), value_span, sink);
            }
            continue;
        };
        let basis = definition
            .basis
            .unwrap_or_else(|| weakest(model, definition.of, record, &reads));
        model.attributes_mut(definition.of, record).push(Attribute {
            name: attribute.name.clone(),
            value: scalar,
            basis,
            how: How::Derived(index),
            span: place,
            edit: None,
        });
    }
}

/// The records that should carry an attribute, do not, and meet a condition.
fn candidates(
    game: &Game,
    model: &Model,
    attribute: &AttributeDef,
    of: Of,
    when: Option<&Compiled<'_>>,
    sink: &mut Sink,
) -> Vec<usize> {
    let scope = expression::Scope::new(game, model, of, when);
    let mut memory = expression::Memory::default();
    (0..model.len(of))
        .filter(|record| {
            let attributes = model.attributes(of, *record);
            attributes.get(&attribute.name).is_none()
                && !attributes.is_declared_unknown(&attribute.name)
                && carries(model, attribute, *record)
                && when.is_none_or(|when| {
                    scope.remembered(*record, &mut memory, |context| when.holds(context, sink))
                })
        })
        .collect()
}

/// Whether a record is of a kind, echelon or role that carries an attribute.
pub fn carries(model: &Model, attribute: &AttributeDef, record: usize) -> bool {
    match attribute.of {
        Of::Units => attribute.kinds.is_empty() || attribute.kinds.contains(&model.units[record].kind),
        Of::Formations => {
            attribute.echelons.is_empty() || attribute.echelons.contains(&model.formations[record].echelon)
        }
        Of::Leaders => attribute.roles.is_empty() || attribute.roles.contains(&model.leaders[record].role),
        _ => true,
    }
}

/// A value as an attribute holds it, if it is of the attribute's type.
pub fn scalar(attribute: &AttributeDef, value: &serde_json::Value) -> Option<Scalar> {
    match attribute.kind {
        Type::Integer => value
            .as_i64()
            .or_else(|| value.as_str().and_then(|text| text.parse().ok()))
            .map(Scalar::Integer),
        Type::Number => value
            .as_f64()
            .or_else(|| value.as_str().and_then(|text| text.parse().ok()))
            .map(Scalar::Number),
        Type::Text => value.as_str().map(|text| Scalar::Text(text.to_owned())),
        Type::Choice => value
            .as_str()
            .filter(|text| {
                attribute.choices.is_empty() || attribute.choices.iter().any(|choice| choice == text)
            })
            .map(|text| Scalar::Text(text.to_owned())),
    }
}

/// The weakest basis of the attributes that an expression reads.
fn weakest(model: &Model, of: Of, record: usize, reads: &[String]) -> Basis {
    let own = model.attributes(of, record);
    let formation = match of {
        Of::Units => Some(model.units[record].formation),
        Of::Leaders => model.leaders[record].commands,
        Of::Effectiveness => Some(model.effectiveness[record].formation),
        _ => None,
    };
    reads
        .iter()
        .filter_map(|name| match name.strip_prefix("formation.") {
            Some(name) => model.formations[formation?].attributes.get(name),
            None => own.get(name),
        })
        .map(|attribute| attribute.basis)
        .max()
        .unwrap_or(Basis::Printed)
}

fn declared<'g>(game: &'g Game, of: Of, name: &str, span: Span, sink: &mut Sink) -> Option<&'g AttributeDef> {
    let found = game.attribute(of, name);
    if found.is_none() {
        let names: Vec<&str> = game
            .attributes_of(of)
            .map(|attribute| attribute.name.as_str())
            .collect();
        let mut diagnostic = Diagnostic::new(
            &BAD_FILL,
            span,
            format!("no attribute `{name}` of {} is declared", of.table()),
        )
        .note("not declared");
        if let Some(help) = crate::suggest::help(name, &names) {
            diagnostic = diagnostic.help(help);
        }
        sink.push(diagnostic);
    }
    found
}

fn misfit(attribute: &AttributeDef, value: &str, span: Span, sink: &mut Sink) {
    sink.push(
        Diagnostic::new(
            &BAD_FILL,
            span,
            format!("`{value}` is no value for `{}`", attribute.name),
        )
        .note("gives a value of another type")
        .help(if attribute.choices.is_empty() {
            "see the attribute's `type` in `game.toml`".to_owned()
        } else {
            format!("it is one of {}", attribute.choices.join(", "))
        }),
    );
}
