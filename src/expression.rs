//! Expressions in game definitions: conditions, derived values, rules and the texts of counters.
//!
//! They are written in the template engine's own language and see one record as plain values: its fields and declared
//! attributes (none where unknown), its `arm`, and the `formation` that it belongs to; formations and sides have lists of
//! what belongs to them, and `lookup` reads the game's charts. A name that nothing declares is an error, not a silent
//! nothing.

mod context;
mod fields;
mod functions;
mod words;

use minijinja::{Environment, UndefinedBehavior, Value};
use serde_json::Value as Json;

use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::Model;
use crate::source::Span;
use crate::suggest;

pub use context::{Memory, Scope};
pub use fields::fields;
pub use words::Words;

/// The rules of this stage.
pub static RULES: &[&Rule] = &[&BAD_EXPRESSION];

/// An expression that cannot be used.
pub static BAD_EXPRESSION: Rule = Rule {
    code: "bad-expression",
    severity: Severity::Error,
    summary: "an expression in the game definition cannot be evaluated",
    explanation: "Expressions are written in the language of the templates: `kind == 'infantry' and men is not none`. They \
                  see the record's fields and declared attributes, `arm`, and `formation`. The message says what is \
                  wrong: a syntax error, a name that is not declared, or a comparison that can never hold: of a kind, an arm, a side or a \
                  choice with a word that is none, of a number with a text.

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

/// An environment for expressions about a model: strict about undeclared names, bounded in time.
pub fn environment(game: &Game, model: &Model) -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    environment.set_debug(true);
    environment.add_filter("stars", |count: usize| "★".repeat(count.min(9)));
    functions::add(&mut environment, game, model);
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
            sink.push(problem(&error, text, "expression", span));
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
            sink.push(problem(&error, text, "text", span));
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
                self.tell(&error, context, sink);
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
                self.tell(&error, context, sink);
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
                self.tell(&error, context, sink);
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
            Source::Template(template) => {
                let mut names: Vec<String> = template.undeclared_variables(true).into_iter().collect();
                names.sort();
                names
            }
            Source::Broken => Vec::new(),
        }
    }

    fn tell(&self, error: &minijinja::Error, context: &Value, sink: &mut Sink) {
        if !self.told.replace(true) {
            let what = match &self.source {
                Source::Template(_) => "text",
                _ => "expression",
            };
            let mut diagnostic = problem(error, "", what, self.span);
            if let Some(help) = near(error, context) {
                diagnostic = diagnostic.help(help);
            }
            sink.push(diagnostic);
        }
    }
}

/// The name that was meant by one that is undefined.
fn near(error: &minijinja::Error, context: &Value) -> Option<String> {
    let name = undefined(error)?;
    let names: Vec<String> = context.try_iter().ok()?.map(|key| key.to_string()).collect();
    let near = suggest::closest(name, names.iter().map(String::as_str));
    Some(match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "correct it, or declare it as an attribute".to_owned(),
    })
}

/// The name that an error says is undefined.
fn undefined(error: &minijinja::Error) -> Option<&str> {
    let is_undefined = error.kind() == minijinja::ErrorKind::UndefinedError;
    error.detail().filter(|_| is_undefined)?.split('`').nth(1)
}

/// What is wrong with a text, `what` it is: `expression` or `text`.
fn problem(error: &minijinja::Error, text: &str, what: &str, span: Span) -> Diagnostic {
    let found = |why: &str| {
        Diagnostic::new(
            &BAD_EXPRESSION,
            span,
            format!("this {what} cannot be used: {why}"),
        )
        .note(format!("in this {what}"))
    };
    if let Some(name) = undefined(error) {
        return found(&format!("there is no `{name}` here")).word(name);
    }
    let part = error
        .range()
        .and_then(|range| text.get(range))
        .filter(|part| !part.is_empty());
    let detail = error.detail().unwrap_or_default();
    if part == Some("=") {
        return found("`=` compares nothing").help("write `==`");
    }
    if let Some(opening) = unclosed(text) {
        let close = if opening.starts_with("{{") { "}}" } else { "%}" };
        return found(&format!("`{opening}` is not closed"))
            .word(opening)
            .help(format!("write `{close}` behind it"));
    }
    let why = match detail {
        "" => error.kind().to_string(),
        detail => format!("{}: {detail}", error.kind()),
    };
    match part {
        Some(part) => found(&why)
            .word(part)
            .help(format!("look at `{part}` and what stands before it")),
        None => found(&why)
            .help("expressions are written as in templates, such as `arm == 'infantry' and men is not none`"),
    }
}

/// The beginning of a `{{ … }}` or `{% … %}` in a text that is not closed before the next one or the end, to the word
/// that follows.
fn unclosed(text: &str) -> Option<&str> {
    let mut from = 0;
    while let Some(at) = text[from..]
        .find("{{")
        .or_else(|| text[from..].find("{%"))
        .map(|at| from + at)
    {
        let close = if text[at..].starts_with("{{") { "}}" } else { "%}" };
        let rest = &text[at + 2..];
        let end = rest.find(close);
        if end.is_none_or(|end| rest[..end].contains("{{") || rest[..end].contains("{%")) {
            let words = rest.trim_start();
            let start = text.len() - words.len();
            let end = words.find(char::is_whitespace).unwrap_or(words.len());
            return text.get(at..start + end);
        }
        from = at + 2 + end.unwrap_or(0);
    }
    None
}
