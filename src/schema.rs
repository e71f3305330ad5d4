//! JSON Schemas: made from the Rust types and the game's declarations, kept in `schema/`, and what records are judged by.
//!
//! The only module that knows jsonschema. Misfits are told in our words, at the right place.

mod alike;
mod cells;
mod columns;
pub mod judge;
pub(crate) mod place;
mod plain;
pub mod rows;
pub(crate) mod rules;
mod tell;
mod whole;

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

use crate::game::GameFile;
use crate::read::toml::Wanted;

pub use columns::hides_a_file;
pub use judge::{Broken, judge_document, judge_records};

/// The schema of a typed document, without the nulls that neither TOML nor CSV can write.
pub fn document_schema<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12()
        .with_transform(RecursiveTransform(drop_nulls))
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}

/// The schema of a typed document that people write: its numbers have the bounds of their types.
pub fn input_schema<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12()
        .with_transform(RecursiveTransform(drop_nulls))
        .with_transform(RecursiveTransform(whole::bound))
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}

/// Every schema that is published for a project: path below `schema/`, and the schema.
pub fn published(games: &[&GameFile]) -> Vec<(String, Value)> {
    let mut all = vec![
        ("game.schema.json".to_owned(), input_schema::<GameFile>()),
        (
            "lints.schema.json".to_owned(),
            input_schema::<crate::game::LintFile>(),
        ),
        (
            "errata.schema.json".to_owned(),
            input_schema::<crate::errata::OverlayFile>(),
        ),
        (
            "pack.schema.json".to_owned(),
            document_schema::<crate::pack::Pack>(),
        ),
        (
            "manifest.schema.json".to_owned(),
            document_schema::<crate::pack::Manifest>(),
        ),
        (
            "scenario.schema.json".to_owned(),
            input_schema::<crate::scenario::ScenarioFile>(),
        ),
        (
            "scenario-pack.schema.json".to_owned(),
            document_schema::<crate::pack::scenario::ScenarioPack>(),
        ),
        (
            "schedule.schema.json".to_owned(),
            input_schema::<crate::scenario::definition::ScheduleRow>(),
        ),
        (
            "counters.schema.json".to_owned(),
            document_schema::<crate::pack::CounterManifest>(),
        ),
    ];
    for game in games {
        for table in rows::tables(game) {
            let path = format!("{}/{table}.schema.json", game.id);
            all.push((path, rows::schema(game, &table)));
        }
        all.push((format!("{}/oob.schema.json", game.id), rows::nested_schema(game)));
    }
    all
}

/// What a document of a schema wants as the value of a key, wherever it stands; `None` where not everywhere the same.
pub fn wanted(schema: &Value, key: &str) -> Option<Wanted> {
    let mut kinds = Vec::new();
    collect(schema, schema, key, &mut kinds);
    let (first, others) = kinds.split_first()?;
    others
        .iter()
        .all(|other| other == first)
        .then_some(*first)
        .flatten()
}

/// What each schema within another wants of a key.
fn collect(root: &Value, schema: &Value, key: &str, kinds: &mut Vec<Option<Wanted>>) {
    match schema {
        Value::Object(fields) => {
            if let Some(property) = fields
                .get("properties")
                .and_then(|properties| properties.get(key))
            {
                kinds.push(kind_of(root, property, key));
            }
            fields.values().for_each(|inner| collect(root, inner, key, kinds));
        }
        Value::Array(items) => items.iter().for_each(|inner| collect(root, inner, key, kinds)),
        _ => {}
    }
}

fn kind_of(root: &Value, property: &Value, key: &str) -> Option<Wanted> {
    let meant = match property.get("$ref").and_then(Value::as_str) {
        Some(reference) => root.pointer(reference.strip_prefix('#')?)?,
        None => property,
    };
    Some(match meant.get("type").and_then(Value::as_str)? {
        "integer" => Wanted::Whole,
        "number" => Wanted::Number,
        "boolean" => Wanted::Boolean,
        "object" => Wanted::Table,
        "array" => Wanted::List,
        "string" if tell::is_moment(key) => Wanted::Moment,
        "string" => Wanted::Text,
        _ => return None,
    })
}

/// The text of a published schema file.
pub fn to_text(schema: &Value) -> String {
    let mut text = serde_json::to_string_pretty(schema).unwrap_or_default();
    text.push('\n');
    text
}

/// Neither CSV nor TOML has a null: an optional value is simply absent. Dropping `null` from the schema makes the errors
/// inside optional values exact.
fn drop_nulls(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else {
        return;
    };
    if object.get("default").is_some_and(Value::is_null) {
        object.remove("default");
    }
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(options)) = object.get_mut("enum") {
        options.retain(|option| !option.is_null());
    }
    if let Some(Value::Array(branches)) = object.get_mut("anyOf") {
        branches.retain(|branch| branch.get("type").is_none_or(|name| name != "null"));
        if let [only] = branches.as_slice() {
            let only = only.clone();
            object.remove("anyOf");
            if let Value::Object(fields) = only {
                for (key, value) in fields {
                    object.entry(key).or_insert(value);
                }
            }
        }
    }
}
