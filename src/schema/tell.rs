//! Misfits in our words: what a validator says of a value becomes what is wrong, why, and what to do.

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use serde_json::Value;

use super::rules::{
    BAD_FORM, MISSING_FIELD, NOT_A_CHOICE, OUT_OF_RANGE, SCHEMA_MISFIT, UNKNOWN_FIELD, WRONG_TYPE,
};
use super::whole;
use crate::cell;
use crate::diagnostic::{Diagnostic, Sink};
use crate::scenario::definition::COUNTS;
use crate::source::Span;
use crate::suggest;

/// What a misfit is about.
pub(super) struct Subject {
    /// What messages call it: `the scenario`, “entry 2 of `kinds`”, “`strength` of `red-1`”.
    pub(super) name: String,
    /// What others of its kind are called: `a scenario`, “an entry of `kinds`”.
    pub(super) kind: String,
    /// Whether it stands in a cell, and not in a TOML file.
    pub(super) in_cell: bool,
    /// Whether there need not be one.
    pub(super) may_be_empty: bool,
    /// Its name, where it is an attribute that `game.toml` declares.
    pub(super) attribute: Option<String>,
}

impl Subject {
    /// The part of a document at a pointer.
    pub(super) fn of_document(schema: &Value, pointer: &str) -> Self {
        let mut parts = pointer.rsplit('/');
        let (name, kind) = match parts.next() {
            None | Some("") => {
                let title = schema.get("title").and_then(Value::as_str).unwrap_or("document");
                let title = title.trim_start_matches("orbat ");
                (format!("the {title}"), suggest::with_article(title))
            }
            Some(last) if last.bytes().all(|byte| byte.is_ascii_digit()) => {
                let list = parts.next().unwrap_or("");
                (
                    format!("entry {} of `{list}`", one_based(last)),
                    format!("an entry of `{list}`"),
                )
            }
            Some(last) => (format!("`{last}`"), format!("`{last}`")),
        };
        Subject {
            name,
            kind,
            in_cell: false,
            may_be_empty: false,
            attribute: None,
        }
    }

    /// What to do where the value is not known.
    fn if_unknown(&self) -> &'static str {
        match (self.in_cell, self.may_be_empty) {
            (true, true) => "; leave the cell empty if the number is not known",
            _ => "",
        }
    }

    /// What to do about a number beyond a bound.
    fn beyond(&self, instance: &Value, (change, bound): (&str, &str), limit: &Value) -> String {
        let is_zero = instance.as_i64() == Some(0) || instance.as_str() == Some("0");
        let empty = match self.in_cell && self.may_be_empty && is_zero {
            true => ", or leave the cell empty if there is none",
            false => "",
        };
        match &self.attribute {
            Some(name) => {
                format!(
                    "correct it{empty}; if the source has it, {change} `{bound}` of `{name}` in `game.toml`"
                )
            }
            None if bound == "max" => format!("correct it{empty}: {limit} is the most"),
            None => format!("correct it{empty}: {limit} is the least"),
        }
    }
}

/// Says one misfit in our words.
pub(super) fn tell(
    error: &ValidationError<'_>,
    schema: &Value,
    pointer: &str,
    subject: &Subject,
    place: &dyn Fn(&str, Option<&str>) -> Span,
    sink: &mut Sink,
) {
    let here = place(pointer, None);
    let shown = shorten(error.instance());
    let Subject {
        name: about, kind, ..
    } = subject;
    let diagnostic = match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            let names = sibling_properties(schema, &error.schema_path().to_string());
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            for name in unexpected {
                let mut diagnostic = Diagnostic::new(
                    &UNKNOWN_FIELD,
                    place(pointer, Some(name)),
                    format!("`{name}` is no key of {kind}"),
                )
                .note("not known here");
                let is_of_document =
                    !pointer.is_empty() && schema.pointer(&format!("/properties/{}", escape(name))).is_some();
                diagnostic = diagnostic.help(
                    if is_of_document && !names.iter().any(|known| suggest::distance(known, name) < 2) {
                        format!(
                            "`{name}` is a key of the document itself: it stands above the first header in brackets"
                        )
                    } else {
                        suggest::help(name, &names).unwrap_or_else(|| {
                            "correct or remove it; `schema/` has the keys that are known".to_owned()
                        })
                    },
                );
                sink.push(diagnostic);
            }
            return;
        }
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or("");
            Diagnostic::new(&MISSING_FIELD, here, format!("{about} lacks `{name}`"))
                .note(format!("`{name}` is missing"))
                .help(format!("add `{name} = …`: {kind} has one"))
        }
        ValidationErrorKind::Type {
            kind: TypeKind::Single(kind),
        } if kind.to_string() == "integer" && is_huge(error.instance()) => Diagnostic::new(
            &OUT_OF_RANGE,
            here,
            match maximum(schema, error) {
                Some(limit) => format!("{about} is {shown}, more than {limit}"),
                None => format!("{about} is {shown}, a number larger than any that is kept"),
            },
        )
        .note("too large")
        .help(match maximum(schema, error) {
            Some(limit) => subject.beyond(error.instance(), ("raise", "max"), limit),
            None => format!("correct it{}", subject.if_unknown()),
        }),
        ValidationErrorKind::Type { kind } => {
            let wanted = match kind {
                TypeKind::Single(kind) => type_name(&kind.to_string()),
                TypeKind::Multiple(_) => "another type".to_owned(),
            };
            let mut diagnostic = Diagnostic::new(
                &WRONG_TYPE,
                here,
                format!("{about} must be {wanted}, not {shown}"),
            )
            .note(format!("not {wanted}"));
            if wanted == "a whole number" {
                diagnostic = diagnostic.help(format!("write digits alone{}", subject.if_unknown()));
            } else if wanted == "`yes` or `no`" {
                // Only cells are read as words; in a document the key of a cell would be deeper.
                let is_cell = pointer.matches('/').count() == 1;
                let meant = error.instance().as_str().and_then(cell::yes_or_no);
                diagnostic = match meant.filter(|_| is_cell) {
                    Some(word) => diagnostic
                        .help(format!("write `{word}`; `--fix` does it"))
                        .fix(here, word),
                    None => diagnostic.help("write `yes` or `no`"),
                };
            }
            if let Some(help) = cure_of_type(&wanted, error.instance(), pointer) {
                diagnostic = diagnostic.help(help);
            }
            diagnostic
        }
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context }
            if choices(context, &pointer_of(error)).is_none() =>
        {
            // Only what is wrong with the one form that is meant helps.
            for error in meant(context) {
                let pointer = error.instance_path().to_string();
                tell(error, schema, &pointer, subject, place, sink);
            }
            return;
        }
        ValidationErrorKind::Enum { .. }
        | ValidationErrorKind::Constant { .. }
        | ValidationErrorKind::AnyOf { .. }
        | ValidationErrorKind::OneOfNotValid { .. } => {
            let options: Vec<Value> = match error.kind() {
                ValidationErrorKind::Enum { options } => options.as_array().cloned().unwrap_or_default(),
                ValidationErrorKind::Constant { expected_value } => vec![Value::clone(expected_value)],
                ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
                    choices(context, &pointer_of(error)).unwrap_or_default()
                }
                _ => Vec::new(),
            };
            let options: Vec<String> = options
                .iter()
                .map(|option| option.as_str().map_or_else(|| option.to_string(), str::to_owned))
                .collect();
            let names: Vec<&str> = options.iter().map(String::as_str).collect();
            let text = error.instance().as_str().unwrap_or("").to_owned();
            let mut diagnostic = Diagnostic::new(&NOT_A_CHOICE, here, format!("{about} cannot be {shown}"))
                .note("not one of the allowed values");
            // One letter is as near to any other.
            let near = |name: &&str| text.chars().count() > 1 || name.to_lowercase() == text.to_lowercase();
            diagnostic = match suggest::closest(&text, names.iter().copied().filter(near)) {
                // Only the case of its letters is wrong.
                Some(near) if near.to_lowercase() == text.to_lowercase() => diagnostic
                    .help(format!("write `{near}`; `--fix` does it"))
                    .fix(here, near),
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic.help(format!("it is one of {}", suggest::quoted(&names))),
            };
            diagnostic
        }
        ValidationErrorKind::Minimum { limit } => Diagnostic::new(
            &OUT_OF_RANGE,
            here,
            format!("{about} is {shown}, less than {limit}"),
        )
        .note(format!("at least {limit}"))
        .help(subject.beyond(error.instance(), ("lower", "min"), limit)),
        ValidationErrorKind::Maximum { limit } => Diagnostic::new(
            &OUT_OF_RANGE,
            here,
            format!("{about} is {shown}, more than {limit}"),
        )
        .note(format!("at most {limit}"))
        .help(subject.beyond(error.instance(), ("raise", "max"), limit)),
        ValidationErrorKind::MinLength { .. } => {
            Diagnostic::new(&MISSING_FIELD, here, format!("{about} is empty"))
                .note("empty")
                .help("write something between the quotes")
        }
        ValidationErrorKind::MinItems { limit } => {
            let elements = if *limit == 1 { "element" } else { "elements" };
            Diagnostic::new(&MISSING_FIELD, here, format!("{about} has too few elements"))
                .note("too short")
                .help(format!("write {limit} {elements} at least"))
        }
        ValidationErrorKind::MaxItems { limit } => {
            Diagnostic::new(&SCHEMA_MISFIT, here, format!("{about} has too many elements"))
                .note("too long")
                .help(format!("write no more than {limit}"))
        }
        ValidationErrorKind::Pattern { pattern } if pattern == COUNTS => Diagnostic::new(
            &BAD_FORM,
            here,
            format!("{about} holds {shown}, which is no count of supply"),
        )
        .note("not of this form")
        .help("write the kind, `=` and a whole number, such as `wagon=1`; several with `|` between"),
        ValidationErrorKind::Pattern { pattern } => {
            let help = if pattern.contains("a-z0-9-") {
                // A form that an id could have is offered; it is not put in its place, because an id is for ever.
                let text = error.instance().as_str().unwrap_or("").to_lowercase();
                let words = text.split(|c: char| !c.is_ascii_alphanumeric());
                let id: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
                match id.join("-") {
                    id if id.is_empty() => {
                        "use lower-case letters, digits and hyphens, such as `usa-105-pa`".to_owned()
                    }
                    id => format!("use lower-case letters, digits and hyphens, such as `{id}`"),
                }
            } else {
                form_of(pattern)
            };
            let message = if pointer == "/id" || pointer.ends_with("/id") {
                format!("{shown} is no id")
            } else {
                format!("{about} has not the right form: {shown}")
            };
            Diagnostic::new(&BAD_FORM, here, message)
                .note("not of this form")
                .help(help)
        }
        ValidationErrorKind::Format { format } => {
            Diagnostic::new(&BAD_FORM, here, format!("{about} is not a {format}: {shown}"))
                .note(format!("not a {format}"))
                .help("dates are written as `1863-07-01`")
        }
        ValidationErrorKind::Custom { .. } => tell_whole(error, pointer, about, place),
        other => Diagnostic::new(
            &SCHEMA_MISFIT,
            here,
            format!("{about} does not fit its schema ({}): {shown}", other.keyword()),
        )
        .help("correct it; `schema/` has the schemas"),
    };
    sink.push(diagnostic);
}

/// The largest number that a schema takes where it wants a whole one.
fn maximum<'s>(schema: &'s Value, error: &ValidationError<'_>) -> Option<&'s Value> {
    let path = error.schema_path().to_string();
    let (parent, _) = path.rsplit_once('/')?;
    schema.pointer(&format!("{parent}/maximum"))
}

/// A number that programs write and no table has: `9E0`, `inf`.
pub(super) fn tell_odd_number(error: &ValidationError<'_>, subject: &str, span: Span) -> Option<Diagnostic> {
    let ValidationErrorKind::Type {
        kind: TypeKind::Single(kind),
    } = error.kind()
    else {
        return None;
    };
    let text = error.instance().as_str()?;
    let wanted = type_name(&kind.to_string());
    let is_number = |_: &f64| wanted.ends_with("number") && !is_huge(error.instance());
    let number = text.parse::<f64>().ok().filter(is_number)?;
    let found = Diagnostic::new(
        &WRONG_TYPE,
        span,
        format!("{subject} must be {wanted}, written with digits alone, not `{text}`"),
    )
    .note(format!("not {wanted}"));
    let is_whole = number.is_finite() && number.fract() == 0.0 && number.abs() < 1e15;
    Some(if is_whole && text.contains(['e', 'E']) {
        found
            .help(format!("write `{number:.0}`; `--fix` does it"))
            .fix(span, format!("{number:.0}"))
    } else {
        found.help("write digits alone; leave the cell empty if the number is not known")
    })
}

/// A whole number that is written with a point or an exponent.
fn tell_whole(
    error: &ValidationError<'_>,
    pointer: &str,
    subject: &str,
    place: &dyn Fn(&str, Option<&str>) -> Span,
) -> Diagnostic {
    let (here, shown) = (place(pointer, None), shorten(error.instance()));
    let Some(plain) = whole::plain(error.instance()) else {
        return Diagnostic::new(
            &OUT_OF_RANGE,
            here,
            format!("{subject} is {shown}, a number larger than any that is kept"),
        )
        .note("too large")
        .help("correct it");
    };
    let found = Diagnostic::new(
        &WRONG_TYPE,
        here,
        format!("{subject} must be a whole number, written with digits alone, not {shown}"),
    )
    .note("with a point or an exponent");
    let around = pointer.rsplit_once('/').map_or("", |(around, _)| around);
    if place(around, None) == here {
        // Only what is around it has a place.
        return found.help(format!("write `{plain}`"));
    }
    found
        .help(format!("write `{plain}`; `--fix` does it"))
        .fix(here, plain)
}

/// Whether a text is a whole number, but larger than any that is kept.
fn is_huge(instance: &Value) -> bool {
    let digits = |text: &str| text.len() > 18 && text.bytes().all(|byte| byte.is_ascii_digit());
    instance
        .as_str()
        .is_some_and(|text| digits(text.trim_start_matches('-')))
}

/// How to write a value of another type so that it has the one that is wanted, where its author most likely means it.
fn cure_of_type(wanted: &str, instance: &Value, pointer: &str) -> Option<String> {
    let name = pointer.rsplit('/').next().filter(|name| !name.is_empty())?;
    let is_header = pointer.matches('/').count() == 1;
    match instance {
        // Cells of CSV files have become numbers already.
        Value::String(text) if wanted.ends_with("number") && text.parse::<f64>().is_ok() => Some(format!(
            "the quotes make it a text: write `{text}` without quotes"
        )),
        Value::Number(number) if wanted == "text in quotes" => Some(match form_of_key(name) {
            Some(form) => form.to_owned(),
            None => format!("write it in quotes: `\"{number}\"`"),
        }),
        Value::Object(_) if wanted == "a list" && is_header => Some(format!(
            "write `[[{name}]]`, with two brackets, above each entry of the list"
        )),
        Value::Array(items) if wanted == "a table" && is_header && items.iter().all(Value::is_object) => {
            Some(format!("write `[{name}]`, with one bracket: there is only one"))
        }
        Value::Array(_) => None,
        _ if wanted == "a list" && name.parse::<usize>().is_ok() => {
            let text = serde_json::to_string(instance).unwrap_or_default();
            Some(format!("it is a list of lists: `[[{text}, …], …]`"))
        }
        _ if wanted == "a list" && !instance.is_object() => {
            let text = serde_json::to_string(instance).unwrap_or_default();
            Some(format!("put it between brackets: `[{text}]`"))
        }
        _ => None,
    }
}

/// The form of the text that a key has, where quotes around a number do not make it one.
fn form_of_key(name: &str) -> Option<&'static str> {
    match name {
        "hex" => Some("a hex is a text: the id of its map and digits, such as `\"A0512\"`"),
        name if is_moment(name) => {
            Some("a moment is a text with a day and a time, such as `\"1863-07-01 0740\"`")
        }
        _ => None,
    }
}

/// Whether the text of a key is a moment.
pub(super) fn is_moment(key: &str) -> bool {
    matches!(key, "start" | "end" | "first" | "then_from")
}

/// A form in words: no pattern is shown to those who write data.
fn form_of(pattern: &str) -> String {
    match pattern {
        r"^\d{4}$" => "times are written with four digits, such as `0740`".to_owned(),
        _ if pattern.starts_with(r"^\d{4}-") => "dates are written as `1863-07-01`".to_owned(),
        _ if pattern.contains("A-Za-z0-9-") => "use letters, digits and hyphens, such as `Gen-Lt`".to_owned(),
        _ => "correct it; `docs/` describes the form of every field".to_owned(),
    }
}

pub(super) fn pointer_of(error: &ValidationError<'_>) -> String {
    error.instance_path().to_string()
}

/// The values between which a choice is, if all forms are single values.
fn choices(context: &[Vec<ValidationError<'static>>], pointer: &str) -> Option<Vec<Value>> {
    let mut values = Vec::new();
    for form in context {
        // A value of another type fails its form twice.
        let value = form.iter().find_map(|error| match error.kind() {
            _ if pointer_of(error) != pointer => None,
            ValidationErrorKind::Constant { expected_value } => Some(vec![Value::clone(expected_value)]),
            ValidationErrorKind::Enum { options } => options.as_array().cloned(),
            _ => None,
        })?;
        values.extend(value);
    }
    (!values.is_empty()).then_some(values)
}

/// What is wrong with the form of several that is meant: the one whose tag is right, then the one of the right type, then
/// the one with the fewest misfits. Of equals the first.
fn meant<'c>(context: &'c [Vec<ValidationError<'static>>]) -> &'c [ValidationError<'static>] {
    let misfits = |form: &&Vec<ValidationError<'static>>| {
        let tag = form
            .iter()
            .any(|error| matches!(error.kind(), ValidationErrorKind::Constant { .. }));
        let depth = form
            .iter()
            .map(|error| pointer_of(error).matches('/').count())
            .min();
        let kind = form.iter().any(|error| {
            matches!(error.kind(), ValidationErrorKind::Type { .. })
                && Some(pointer_of(error).matches('/').count()) == depth
        });
        (tag, kind, form.len())
    };
    context.iter().min_by_key(misfits).map_or(&[], Vec::as_slice)
}

/// The names that the schema around an `additionalProperties` knows.
pub(super) fn sibling_properties(schema: &Value, path: &str) -> Vec<String> {
    let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
    schema
        .pointer(&format!("{parent}/properties"))
        .and_then(Value::as_object)
        .map(|properties| properties.keys().cloned().collect())
        .unwrap_or_default()
}

fn type_name(name: &str) -> String {
    match name {
        "integer" => "a whole number",
        "number" => "a number",
        "string" => "text in quotes",
        "boolean" => "`yes` or `no`",
        "array" => "a list",
        "object" => "a table",
        other => other,
    }
    .to_owned()
}

/// A value short enough for a headline.
pub(super) fn shorten(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Array(_) => return "a list".into(),
        Value::Object(_) => return "a table".into(),
        other => other.to_string(),
    };
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("`{short}`")
}

fn one_based(index: &str) -> usize {
    index.parse::<usize>().map_or(0, |index| index + 1)
}

pub(super) fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
