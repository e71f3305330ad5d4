//! Expressions in game definitions: conditions, derived values, rules and the texts of counters.
//!
//! They are written in the template engine's own language and see one record as plain values: its fields and declared
//! attributes (none where unknown), its `arm`, and the `formation` that it belongs to. A name that nothing declares is
//! an error, not a silent nothing.

use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, Value};
use serde_json::{Map, Value as Json, json};

use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::{Game, Of};
use crate::model::{Attributes, Model};
use crate::source::Span;

/// The rules of this stage.
pub static RULES: &[&Rule] = &[&BAD_EXPRESSION];

/// An expression that cannot be used.
pub static BAD_EXPRESSION: Rule = Rule {
    code: "bad-expression",
    severity: Severity::Error,
    summary: "an expression in the game definition cannot be evaluated",
    explanation: "Expressions are written in the language of the templates: `kind == 'infantry' and men is not none`. They \
                  see the record's fields and declared attributes, `arm`, and `formation`. The message says what is \
                  wrong: a syntax error, or a name that is not declared.

Wrong:

```toml + oob/demo/game.toml
[[rules]]
id = \"brigade-size\"
of = \"units\"
must = \"strenght > 0\"
message = \"{{ name }} has no strength\"
```

Right:

```toml + oob/demo/game.toml
[[rules]]
id = \"brigade-size\"
of = \"units\"
must = \"strength > 0\"
message = \"{{ name }} has no strength\"
```
",
};

/// More steps than any honest expression takes.
const FUEL: u64 = 100_000;

/// An environment for expressions: strict about undeclared names, bounded in time.
pub fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    environment.set_debug(true);
    environment.add_filter("stars", |count: usize| "★".repeat(count.min(9)));
    environment
}

/// An expression or text template with the place where it is written.
pub struct Compiled<'env> {
    source: Source<'env>,
    span: Span,
    told: std::cell::Cell<bool>,
}

enum Source<'env> {
    Expression(minijinja::Expression<'env, 'static>),
    Template(minijinja::Template<'env, 'env>),
    Broken,
}

/// Compiles an expression; a syntax error is reported.
pub fn compile<'env>(
    environment: &'env Environment<'static>,
    text: &str,
    span: Span,
    sink: &mut Sink,
) -> Compiled<'env> {
    let source = match environment.compile_expression_owned(text.to_owned()) {
        Ok(expression) => Source::Expression(expression),
        Err(error) => {
            sink.push(problem(&error, text, span));
            Source::Broken
        }
    };
    Compiled {
        source,
        span,
        told: std::cell::Cell::new(false),
    }
}

/// Compiles a text with `{{ … }}` in it; a syntax error is reported.
pub fn template<'env>(
    environment: &'env Environment<'static>,
    text: &'env str,
    span: Span,
    sink: &mut Sink,
) -> Compiled<'env> {
    let source = match environment.template_from_str(text) {
        Ok(template) => Source::Template(template),
        Err(error) => {
            sink.push(problem(&error, text, span));
            Source::Broken
        }
    };
    Compiled {
        source,
        span,
        told: std::cell::Cell::new(false),
    }
}

impl Compiled<'_> {
    /// The value for a record; what goes wrong is reported once and gives none.
    pub fn value(&self, context: &Value, sink: &mut Sink) -> Option<Json> {
        let Source::Expression(expression) = &self.source else {
            return None;
        };
        match expression.eval(context.clone()) {
            Ok(value) if value.is_none() || value.is_undefined() => None,
            Ok(value) => serde_json::to_value(&value)
                .ok()
                .or_else(|| Some(value.to_string().into())),
            Err(error) => {
                self.tell(&error, sink);
                None
            }
        }
    }

    /// Whether a condition holds of a record.
    pub fn holds(&self, context: &Value, sink: &mut Sink) -> bool {
        let Source::Expression(expression) = &self.source else {
            return false;
        };
        match expression.eval(context.clone()) {
            Ok(value) => value.is_true(),
            Err(error) => {
                self.tell(&error, sink);
                false
            }
        }
    }

    /// Whether something went wrong with it, which has been reported.
    pub fn failed(&self) -> bool {
        matches!(self.source, Source::Broken) || self.told.get()
    }

    /// The text that a template gives for a record.
    pub fn text(&self, context: &Value, sink: &mut Sink) -> String {
        let Source::Template(template) = &self.source else {
            return String::new();
        };
        match template.render(context.clone()) {
            Ok(text) => text.trim().to_owned(),
            Err(error) => {
                self.tell(&error, sink);
                String::new()
            }
        }
    }

    /// The names that an expression reads: `guns`, `formation.morale`, …
    pub fn reads(&self) -> Vec<String> {
        match &self.source {
            Source::Expression(expression) => {
                let mut names: Vec<String> = expression.undeclared_variables(true).into_iter().collect();
                names.sort();
                names
            }
            _ => Vec::new(),
        }
    }

    fn tell(&self, error: &minijinja::Error, sink: &mut Sink) {
        if !self.told.replace(true) {
            sink.push(problem(error, "", self.span));
        }
    }
}

fn problem(error: &minijinja::Error, text: &str, span: Span) -> Diagnostic {
    let what = error.detail().map_or_else(
        || error.kind().to_string(),
        |detail| format!("{}: {detail}", error.kind()),
    );
    let mut diagnostic = Diagnostic::new(
        &BAD_EXPRESSION,
        span,
        format!("this expression cannot be used: {what}"),
    )
    .note("in this expression");
    if let Some(range) = error.range()
        && let Some(part) = text.get(range)
        && !part.is_empty()
    {
        diagnostic = diagnostic.help(format!("at `{part}`"));
    }
    diagnostic
}

/// What expressions see of a record.
pub fn context(game: &Game, model: &Model, of: Of, index: usize) -> Value {
    Value::from(Serde(fields(game, model, of, index)))
}

/// The fields of a record with its attributes, as plain values.
pub fn fields(game: &Game, model: &Model, of: Of, index: usize) -> Map<String, Json> {
    let mut fields = Map::new();
    match of {
        Of::Formations => formation_fields(game, model, index, &mut fields),
        Of::Units => {
            let unit = &model.units[index];
            fields.insert("id".into(), json!(unit.id));
            fields.insert("side".into(), json!(unit.side));
            fields.insert("kind".into(), json!(unit.kind));
            fields.insert("arm".into(), json!(unit.arm));
            fields.insert("name".into(), json!(unit.name));
            fields.insert("abbr".into(), json!(unit.abbr));
            fields.insert("note".into(), json!(unit.note));
            let mut formation = Map::new();
            formation_fields(game, model, unit.formation, &mut formation);
            fields.insert(
                "designation".into(),
                json!(model.formations[unit.formation].designation),
            );
            fields.insert("formation".into(), Json::Object(formation));
        }
        Of::Leaders => {
            let leader = &model.leaders[index];
            let rank = leader
                .rank
                .as_ref()
                .and_then(|rank| game.ranks.iter().find(|def| def.id == *rank));
            fields.insert("id".into(), json!(leader.id));
            fields.insert("side".into(), json!(leader.side));
            fields.insert("name".into(), json!(leader.name));
            fields.insert("abbr".into(), json!(leader.abbr));
            fields.insert("rank".into(), json!(leader.rank));
            fields.insert(
                "insignia".into(),
                json!(rank.and_then(|rank| rank.insignia.clone())),
            );
            fields.insert("role".into(), json!(leader.role));
            fields.insert("present".into(), json!(leader.present));
            fields.insert("note".into(), json!(leader.note));
            let formation = leader.commands.map(|formation| {
                let mut fields = Map::new();
                formation_fields(game, model, formation, &mut fields);
                Json::Object(fields)
            });
            fields.insert(
                "designation".into(),
                json!(
                    leader
                        .commands
                        .map(|formation| &model.formations[formation].designation)
                ),
            );
            fields.insert("formation".into(), formation.unwrap_or(Json::Null));
        }
        Of::Effectiveness => {
            let rating = &model.effectiveness[index];
            fields.insert("boxes".into(), json!(rating.boxes));
            fields.insert("total".into(), json!(rating.total));
            let mut formation = Map::new();
            formation_fields(game, model, rating.formation, &mut formation);
            fields.insert("formation".into(), Json::Object(formation));
        }
        Of::Weapons | Of::Supply | Of::Markers => {
            let item = match of {
                Of::Weapons => &model.weapons[index],
                Of::Supply => &model.supply[index],
                _ => &model.markers[index],
            };
            fields.insert("id".into(), json!(item.id));
            fields.insert("name".into(), json!(item.name));
            fields.insert("side".into(), json!(item.side));
            fields.insert("kind".into(), json!(item.kind));
            fields.insert("front".into(), json!(item.front));
            fields.insert("back".into(), json!(item.back));
            fields.insert("count".into(), json!(item.count));
            fields.insert("sheet".into(), json!(item.sheet));
            fields.insert("note".into(), json!(item.note));
        }
    }
    if of != Of::Formations {
        attribute_fields(game, of, model.attributes(of, index), &mut fields);
    }
    fields
}

fn formation_fields(game: &Game, model: &Model, index: usize, fields: &mut Map<String, Json>) {
    let formation = &model.formations[index];
    fields.insert("id".into(), json!(formation.id));
    fields.insert("side".into(), json!(formation.side));
    fields.insert("echelon".into(), json!(formation.echelon));
    fields.insert("level".into(), json!(formation.level));
    fields.insert("abbr".into(), json!(formation.abbr));
    fields.insert("name".into(), json!(formation.name));
    fields.insert("designation".into(), json!(formation.designation));
    fields.insert(
        "leader".into(),
        json!(formation.leader.map(|leader| &model.leaders[leader].name)),
    );
    fields.insert(
        "parent".into(),
        json!(formation.parent.map(|parent| &model.formations[parent].id)),
    );
    attribute_fields(game, Of::Formations, &formation.attributes, fields);
}

fn attribute_fields(game: &Game, of: Of, attributes: &Attributes, fields: &mut Map<String, Json>) {
    for declared in game.attributes_of(of) {
        let value = attributes
            .get(&declared.name)
            .map_or(Json::Null, |attribute| attribute.value.to_json());
        fields.insert(declared.name.clone(), value);
    }
}
