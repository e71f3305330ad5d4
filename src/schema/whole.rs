//! Whole numbers as the Rust types hold them. JSON Schema takes `10.0` for a whole number and knows no largest one; the
//! types do not and do. Here the schemas say what the types say, so that a misfit is told at its key.

use jsonschema::paths::Location;
use jsonschema::{Keyword, ValidationError};
use schemars::Schema;
use serde_json::{Map, Value, json};

/// The keyword of numbers that are written without a point or an exponent. Only validators see it; the published schemas
/// have none of our own.
const WHOLE: &str = "x-whole";

/// More than any count in a game; sums of some thousand of them still fit their type.
const MOST: u64 = 1_000_000;

/// More than any number that a game prints.
const LARGEST: i64 = 1_000_000_000_000;

/// Gives numbers of a bounded type bounds, where the schema has none that are narrower.
pub(super) fn bound(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else {
        return;
    };
    let (least, most) = match object.get("format").and_then(Value::as_str) {
        Some("uint8") => (json!(0), json!(u8::MAX)),
        Some("uint16" | "uint32" | "uint64" | "uint") => (json!(0), json!(MOST)),
        Some("int32" | "int64" | "int") => (json!(-LARGEST), json!(LARGEST)),
        _ => return,
    };
    object.entry("minimum").or_insert(least);
    object.entry("maximum").or_insert(most);
}

/// Demands of every whole number in a schema that it is written as one.
pub(super) fn demand(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.values_mut().for_each(demand);
            if fields.get("type").and_then(Value::as_str) == Some("integer") {
                fields.insert(WHOLE.into(), true.into());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(demand),
        _ => {}
    }
}

/// Teaches a validator the keyword.
pub(super) fn teach(options: jsonschema::ValidationOptions) -> jsonschema::ValidationOptions {
    options.with_keyword(WHOLE, make)
}

#[allow(clippy::unnecessary_wraps)]
fn make<'a>(
    parent: &'a Map<String, Value>,
    _: &'a Value,
    _: Location,
) -> Result<Box<dyn for<'i> Keyword<'i>>, ValidationError<'a>> {
    let bound = |name: &str| parent.get(name).and_then(Value::as_f64);
    Ok(Box::new(Whole {
        least: bound("minimum").unwrap_or(f64::NEG_INFINITY),
        most: bound("maximum").unwrap_or(f64::INFINITY),
    }))
}

/// Numbers beyond the bounds are told as that.
struct Whole {
    least: f64,
    most: f64,
}

impl<'i> Keyword<'i> for Whole {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if self.is_valid(instance) {
            Ok(())
        } else {
            Err(ValidationError::custom("not written as a whole number"))
        }
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        let Value::Number(number) = instance else {
            return true;
        };
        let is_kept = number.is_i64() || number.is_u64();
        let value = number.as_f64().unwrap_or(0.0);
        // What is no whole number at all does not have the type.
        is_kept || value.fract() != 0.0 || !(self.least..=self.most).contains(&value)
    }
}

/// A whole number that is written with a point or an exponent as it should be written: `10` for `10.0`. None where it is
/// larger than any that is kept.
pub(super) fn plain(instance: &Value) -> Option<String> {
    let value = instance.as_f64()?;
    (value.abs() <= LARGEST as f64).then(|| format!("{value:.0}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_those_that_the_types_hold() {
        let mut schema = json!({ "type": "integer", "maximum": 20 });
        demand(&mut schema);
        let validator = teach(jsonschema::draft202012::options())
            .build(&schema)
            .expect("a schema");
        for (value, fits) in [(json!(10), true), (json!(10.0), false), (json!(1e1), false)] {
            assert_eq!(validator.is_valid(&value), fits, "{value}");
        }
        let misfits = |value: Value| validator.iter_errors(&value).count();
        assert_eq!(misfits(json!(30.0)), 1, "told once, as too large");
        assert_eq!(misfits(json!(2.5)), 1, "told once, as of another type");
    }
}
