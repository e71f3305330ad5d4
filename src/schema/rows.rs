//! The schemas of the tables: what every game's records have, completed with the attributes that the game declares.

use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use crate::game::{AttributeDef, GameFile, Of, Type};
use crate::scenario::definition::{AbsentDef, DeployDef, LostDef, QuotaDef, ScheduleRow};

/// A formation: a node of the order of battle.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[allow(dead_code)]
struct FormationRow {
    /// Id: lower-case letters, digits and hyphens; never changes.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9-]*$"))]
    id: String,
    /// The side, on formations without a parent; others have their parent's.
    side: Option<String>,
    /// The formation that it belongs to: an id or another reference.
    parent: Option<String>,
    /// The echelon.
    echelon: String,
    /// The battle to whose order of battle it and all below it belong, where it is not the game's.
    battle: Option<String>,
    /// Its part of a designation such as `3/Heth/III`; a formation without one is passed over in designations.
    abbr: Option<String>,
    /// Name, as printed.
    #[schemars(length(min = 1))]
    name: String,
    /// Other names for it, `|` between them.
    aliases: Option<Vec<String>>,
    /// Place among its sisters on sheets; those without stand last, by id.
    order: Option<i64>,
    /// A remark.
    note: Option<String>,
    /// Where it is printed, if elsewhere than the table.
    source: Option<String>,
}

/// A unit.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[allow(dead_code)]
struct UnitRow {
    /// Id: lower-case letters, digits and hyphens; never changes.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9-]*$"))]
    id: String,
    /// The formation that it belongs to: an id or another reference.
    formation: String,
    /// The kind of unit.
    kind: String,
    /// Name, as printed.
    #[schemars(length(min = 1))]
    name: String,
    /// Short name for counters; the name where absent.
    abbr: Option<String>,
    /// Other names for it, `|` between them.
    aliases: Option<Vec<String>>,
    /// The units of its formation, `|` between, whose place it takes if players choose so: an alternative, not fielded
    /// where nobody chooses it.
    instead_of: Option<Vec<String>>,
    /// Place among its sisters on sheets; those without stand last, by id.
    order: Option<i64>,
    /// A remark.
    note: Option<String>,
    /// Where it is printed, if elsewhere than the table.
    source: Option<String>,
}

/// A leader.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[allow(dead_code)]
struct LeaderRow {
    /// Id: lower-case letters, digits and hyphens; never changes.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9-]*$"))]
    id: String,
    /// The side; where absent, that of the formation.
    side: Option<String>,
    /// Name, as printed.
    #[schemars(length(min = 1))]
    name: String,
    /// Short name for counters; the name where absent.
    abbr: Option<String>,
    /// Rank, as printed.
    rank: Option<String>,
    /// Role.
    role: String,
    /// The formation that he commands, or from whose command he comes.
    commands: Option<String>,
    /// `no` for a leader whom the book names and who is not in the game.
    present: Option<bool>,
    /// Other names for him, `|` between them.
    aliases: Option<Vec<String>>,
    /// Place among his peers on sheets.
    order: Option<i64>,
    /// A remark.
    note: Option<String>,
    /// Where he is printed.
    source: Option<String>,
}

/// A brigade-combat-effectiveness rating.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[allow(dead_code)]
struct EffectivenessRow {
    /// The side, where the formation's name alone could be another side's.
    side: Option<String>,
    /// The formation.
    formation: String,
    /// How many boxes are ticked before effectiveness is lost.
    #[schemars(range(min = 1, max = 1000))]
    boxes: u32,
    /// The formation's total strength.
    #[schemars(range(min = 1, max = 10000))]
    total: u32,
    /// A remark.
    note: Option<String>,
    /// Where it is printed, if elsewhere than the table.
    source: Option<String>,
}

/// A weapon.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[allow(dead_code)]
struct WeaponRow {
    /// Id, as units and charts name it.
    #[schemars(regex(pattern = r"^[A-Za-z0-9][A-Za-z0-9-]*$"))]
    id: String,
    /// Name.
    #[schemars(length(min = 1))]
    name: String,
    /// A remark.
    note: Option<String>,
    /// Where it is printed, if elsewhere than the table.
    source: Option<String>,
}

/// A kind of marker.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[allow(dead_code)]
struct MarkerRow {
    /// Id: lower-case letters, digits and hyphens; never changes.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9-]*$"))]
    id: String,
    /// The side, where it is one side's.
    side: Option<String>,
    /// Name.
    #[schemars(length(min = 1))]
    name: String,
    /// Text of the front.
    front: Option<String>,
    /// Text of the back.
    back: Option<String>,
    /// How many there are.
    #[schemars(range(min = 1, max = 10000))]
    count: Option<u32>,
    /// The counter sheet that it is on.
    sheet: Option<String>,
    /// A remark.
    note: Option<String>,
    /// Where it is printed, if elsewhere than the table.
    source: Option<String>,
}

/// Supply: wagons and trains, all of one kind alike.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[allow(dead_code)]
struct SupplyRow {
    /// Id: lower-case letters, digits and hyphens; never changes.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9-]*$"))]
    id: String,
    /// The side.
    side: String,
    /// The kind.
    kind: String,
    /// Name.
    #[schemars(length(min = 1))]
    name: String,
    /// How many there are.
    #[schemars(range(min = 1, max = 10000))]
    count: Option<u32>,
    /// The basis of the count, where it is not printed.
    basis: Option<String>,
    /// A remark.
    note: Option<String>,
    /// Where it is printed.
    source: Option<String>,
}

/// A unit known to be below its own strength on some occasion.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[allow(dead_code)]
struct ReductionRow {
    /// The occasion.
    set: String,
    /// The printed group, so that an erratum can name it.
    line: Option<String>,
    /// The side, where the formation's name alone could be another side's.
    side: Option<String>,
    /// The formation whose units the row names.
    of: String,
    /// The unit, or `all`.
    unit: String,
    /// A remark.
    note: Option<String>,
    /// Where it is printed, if elsewhere than the table.
    source: Option<String>,
}

/// The names of the tables that a game's folder may hold, in the order in which they are documented.
pub fn tables(game: &GameFile) -> Vec<String> {
    let mut names: Vec<String> = [
        "formations",
        "units",
        "leaders",
        "effectiveness",
        "weapons",
        "markers",
        "supply",
    ]
    .map(str::to_owned)
    .to_vec();
    names.extend(game.supplements.iter().map(|supplement| supplement.name.clone()));
    names.extend(game.reductions.clone());
    names
}

/// The columns of a table that every game has.
pub fn columns(table: &str) -> Vec<String> {
    let schema = match table {
        "formations" => base::<FormationRow>(),
        "units" => base::<UnitRow>(),
        "leaders" => base::<LeaderRow>(),
        "effectiveness" => base::<EffectivenessRow>(),
        "weapons" => base::<WeaponRow>(),
        "markers" => base::<MarkerRow>(),
        "supply" => base::<SupplyRow>(),
        _ => return Vec::new(),
    };
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.map_or_else(Vec::new, |properties| properties.keys().cloned().collect())
}

/// The schema of the records that stand in scenarios and schedules.
pub fn list_schema(table: &str) -> Option<Value> {
    match table {
        "deployments" => Some(base::<DeployDef>()),
        "absences" => Some(base::<AbsentDef>()),
        "losses" => Some(base::<LostDef>()),
        "quotas" => Some(base::<QuotaDef>()),
        crate::scenario::SCHEDULE => Some(base::<ScheduleRow>()),
        _ => None,
    }
}

/// The schema of one row of a table; `{}` where there is no such table.
pub fn schema(game: &GameFile, table: &str) -> Value {
    let (mut schema, attributes): (Value, Vec<&AttributeDef>) = match table {
        "formations" => (
            base::<FormationRow>(),
            game.attributes_of(Of::Formations).collect(),
        ),
        "units" => (base::<UnitRow>(), game.attributes_of(Of::Units).collect()),
        "leaders" => (base::<LeaderRow>(), game.attributes_of(Of::Leaders).collect()),
        "effectiveness" => (
            base::<EffectivenessRow>(),
            game.attributes_of(Of::Effectiveness).collect(),
        ),
        "weapons" => (base::<WeaponRow>(), game.attributes_of(Of::Weapons).collect()),
        "markers" => (base::<MarkerRow>(), game.attributes_of(Of::Markers).collect()),
        "supply" => (base::<SupplyRow>(), game.attributes_of(Of::Supply).collect()),
        other => {
            if let Some(supplement) = game.supplements.iter().find(|def| def.name == other) {
                let mut properties = Map::new();
                properties.insert(
                    supplement.key.clone(),
                    json!({ "type": "string", "minLength": 1 }),
                );
                properties.insert("side".into(), json!({ "type": "string" }));
                for remark in &supplement.remarks {
                    properties.insert(remark.clone(), json!({ "type": "string" }));
                }
                for plain in ["note", "source"] {
                    properties.insert(plain.into(), json!({ "type": "string" }));
                }
                let schema = json!({
                    "$schema": "https://json-schema.org/draft/2020-12/schema",
                    "title": format!("{} of {}", supplement.name, supplement.of.table()),
                    "type": "object",
                    "properties": properties,
                    "required": [supplement.key],
                    "additionalProperties": false,
                });
                (schema, game.attributes_of(supplement.of).collect())
            } else if game.reductions.as_deref() == Some(other) {
                (base::<ReductionRow>(), game.attributes_of(Of::Units).collect())
            } else {
                match list_schema(other) {
                    Some(schema) => (schema, Vec::new()),
                    None => return json!({}),
                }
            }
        }
    };
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        for attribute in attributes {
            properties.insert(attribute.name.clone(), attribute_schema(attribute));
        }
        choose(properties, "side", game.sides.iter().map(|side| side.id.as_str()));
        choose(
            properties,
            "echelon",
            game.echelons.iter().map(|echelon| echelon.id.as_str()),
        );
        choose(properties, "rank", game.ranks.iter().map(|rank| rank.id.as_str()));
        choose(properties, "role", game.roles.iter().map(|role| role.id.as_str()));
        let kinds = game.kinds.iter().filter(|kind| kind.of == table);
        choose(properties, "kind", kinds.map(|kind| kind.id.as_str()));
    }
    schema
}

/// The schema of an order of battle written as one TOML file.
pub fn nested_schema(game: &GameFile) -> Value {
    let mut definitions = Map::new();
    let mut properties = Map::new();
    for table in tables(game) {
        let mut row = schema(game, &table);
        if let Some(object) = row.as_object_mut() {
            object.remove("$schema");
            if table == "formations"
                && let Some(properties) = object.get_mut("properties").and_then(Value::as_object_mut)
            {
                for nested in ["formations", "units", "leaders"] {
                    properties.insert(nested.into(), array_of(&format!("nested-{nested}")));
                }
                properties.insert("leader".into(), reference("nested-leaders"));
                properties.insert("effectiveness".into(), reference("nested-effectiveness"));
            }
        }
        let lifted = match table.as_str() {
            "formations" => Some("parent"),
            "units" | "effectiveness" => Some("formation"),
            "leaders" => Some("commands"),
            _ => None,
        };
        if let Some(lifted) = lifted {
            let mut nested = row.clone();
            if let Some(object) = nested.as_object_mut() {
                if let Some(properties) = object.get_mut("properties").and_then(Value::as_object_mut) {
                    properties.remove(lifted);
                }
                if let Some(required) = object.get_mut("required").and_then(Value::as_array_mut) {
                    required.retain(|name| name != lifted);
                }
            }
            definitions.insert(format!("nested-{table}"), nested);
        }
        definitions.insert(table.clone(), row);
        properties.insert(table.clone(), array_of(&table));
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("{}: order of battle", game.title),
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
        "$defs": definitions,
    })
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

fn array_of(name: &str) -> Value {
    json!({ "type": "array", "items": reference(name) })
}

fn base<T: JsonSchema>() -> Value {
    super::input_schema::<T>()
}

fn choose<'a>(properties: &mut Map<String, Value>, name: &str, choices: impl Iterator<Item = &'a str>) {
    let choices: Vec<&str> = choices.collect();
    if choices.is_empty() {
        return;
    }
    if let Some(property) = properties.get_mut(name).and_then(Value::as_object_mut) {
        property.insert("enum".into(), json!(choices));
    }
}

fn attribute_schema(attribute: &AttributeDef) -> Value {
    let mut schema = Map::new();
    let kind = match attribute.kind {
        Type::Integer => "integer",
        Type::Number => "number",
        Type::Text | Type::Choice => "string",
    };
    schema.insert("type".into(), json!(kind));
    let mut description = attribute.help.clone().unwrap_or_else(|| attribute.label.clone());
    if let Some(unit) = &attribute.unit {
        description = format!("{description} ({unit})");
    }
    schema.insert("description".into(), json!(description));
    if let Some(min) = attribute.min {
        schema.insert("minimum".into(), json!(min));
    }
    if let Some(max) = attribute.max {
        schema.insert("maximum".into(), json!(max));
    }
    if attribute.kind == Type::Choice && !attribute.choices.is_empty() {
        schema.insert("enum".into(), json!(attribute.choices));
    }
    Value::Object(schema)
}
