//! `orbat diff`: what differs between two editions of a game.
//!
//! Editions are compared as models, so that one with errors (the base itself, say) can be compared too.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::game::{Basis, Game, Of};
use crate::model::Model;

/// One difference.
#[derive(Debug, Serialize, PartialEq, Eq)]
pub struct Difference {
    /// The table.
    pub table: String,
    /// The record's id, or the formation of a rating.
    pub id: String,
    /// The record, for people.
    pub name: String,
    /// The field; absent where the whole record is in one edition only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The value in the first edition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// The value in the second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub now: Option<String>,
}

type Fields = BTreeMap<String, String>;

/// What differs from `a` to `b`, by table, id and field.
pub fn diff(game: &Game, a: &Model, b: &Model) -> Vec<Difference> {
    let mut differences = Vec::new();
    for of in [
        Of::Formations,
        Of::Units,
        Of::Leaders,
        Of::Effectiveness,
        Of::Weapons,
        Of::Markers,
        Of::Supply,
    ] {
        let (left, right) = (fields(game, a, of), fields(game, b, of));
        let mut ids: Vec<&String> = left
            .keys()
            .chain(right.keys())
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        ids.sort_by(|a, b| crate::order::natural(a, b));
        for id in ids {
            let record =
                |name: &str, field: Option<&str>, was: Option<&String>, now: Option<&String>| Difference {
                    table: of.table().to_owned(),
                    id: id.clone(),
                    name: name.to_owned(),
                    field: field.map(str::to_owned),
                    was: was.cloned(),
                    now: now.cloned(),
                };
            match (left.get(id), right.get(id)) {
                (Some(old), Some(new)) => {
                    let names: BTreeSet<&String> = old.1.keys().chain(new.1.keys()).collect();
                    for field in names {
                        let (was, now) = (old.1.get(field), new.1.get(field));
                        if was != now {
                            differences.push(record(&new.0, Some(field), was, now));
                        }
                    }
                }
                (Some(old), None) => {
                    differences.push(record(&old.0, None, Some(&"present".to_owned()), None));
                }
                (None, Some(new)) => {
                    differences.push(record(&new.0, None, None, Some(&"present".to_owned())));
                }
                (None, None) => {}
            }
        }
    }
    differences
}

/// The fields of every record of a kind, by id.
fn fields(game: &Game, model: &Model, of: Of) -> BTreeMap<String, (String, Fields)> {
    let mut all = BTreeMap::new();
    for index in 0..model.len(of) {
        let (_, name) = model.head(of, index);
        let mut fields = Fields::new();
        for (field, value) in &crate::expression::fields(game, model, of, index) {
            let text = match value {
                serde_json::Value::String(text) => text.clone(),
                serde_json::Value::Number(number) => number.to_string(),
                serde_json::Value::Bool(flag) => flag.to_string(),
                serde_json::Value::Object(formation) if field == "formation" => formation
                    .get("id")
                    .and_then(|id| id.as_str())
                    .unwrap_or_default()
                    .to_owned(),
                _ => continue,
            };
            let basis = model
                .attributes(of, index)
                .get(field)
                .map(|attribute| attribute.basis);
            let text = match basis {
                Some(Basis::Printed) | None => text,
                Some(basis) => format!("{text} ({})", basis.name()),
            };
            fields.insert(field.clone(), text);
        }
        let id = match of {
            Of::Effectiveness => fields.get("formation").cloned().unwrap_or_default(),
            _ => fields.get("id").cloned().unwrap_or_default(),
        };
        all.insert(id, (name, fields));
    }
    all
}

/// The differences as a person reads them.
pub fn to_text(differences: &[Difference]) -> String {
    use std::fmt::Write;
    let mut text = String::new();
    let mut table = "";
    for difference in differences {
        if difference.table != table {
            table = &difference.table;
            let _ = writeln!(text, "{table}");
        }
        let _ = match (&difference.field, &difference.was, &difference.now) {
            (None, _, Some(_)) => writeln!(text, "  + {}  `{}`", difference.name, difference.id),
            (None, _, None) => writeln!(text, "  - {}  `{}`", difference.name, difference.id),
            (Some(field), was, now) => writeln!(
                text,
                "  ~ {}  {field}: {} → {}",
                difference.name,
                was.as_deref().unwrap_or("–"),
                now.as_deref().unwrap_or("–")
            ),
        };
    }
    if differences.is_empty() {
        text.push_str("no difference\n");
    }
    text
}
