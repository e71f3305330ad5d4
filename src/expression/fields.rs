//! The fields of a record as expressions name them, with its attributes.

use serde_json::{Map, Value as Json};

use crate::game::{Game, Of};
use crate::model::{Item, Model, Scalar};

/// What a field holds.
#[derive(Clone, Copy)]
pub(super) enum Field<'m> {
    /// Nothing: the field is there, and its value is not known.
    Nothing,
    Text(&'m str),
    Integer(i64),
    Number(f64),
    Boolean(bool),
    /// A formation of the model, with all its fields.
    Formation(usize),
}

impl<'m> From<&'m String> for Field<'m> {
    fn from(text: &'m String) -> Self {
        Field::Text(text)
    }
}

impl<'m> From<&'m Option<String>> for Field<'m> {
    fn from(text: &'m Option<String>) -> Self {
        text.as_ref().map_or(Field::Nothing, Field::from)
    }
}

impl From<i64> for Field<'_> {
    fn from(number: i64) -> Self {
        Field::Integer(number)
    }
}

impl From<bool> for Field<'_> {
    fn from(flag: bool) -> Self {
        Field::Boolean(flag)
    }
}

impl<'m, T: Into<Field<'m>>> From<Option<T>> for Field<'m> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Field::Nothing, T::into)
    }
}

impl<'m> From<&'m Scalar> for Field<'m> {
    fn from(value: &'m Scalar) -> Self {
        match value {
            Scalar::Text(text) => Field::Text(text),
            Scalar::Integer(number) => Field::Integer(*number),
            Scalar::Number(number) => Field::Number(*number),
        }
    }
}

impl Field<'_> {
    pub(super) fn to_json(self, game: &Game, model: &Model) -> Json {
        match self {
            Field::Nothing => Json::Null,
            Field::Text(text) => text.into(),
            Field::Integer(number) => number.into(),
            Field::Number(number) => number.into(),
            Field::Boolean(flag) => flag.into(),
            Field::Formation(index) => Json::Object(fields(game, model, Of::Formations, index)),
        }
    }

    /// Adds a key that no other value has.
    pub(super) fn add_to(self, key: &mut Vec<u8>) {
        let (tag, bytes): (u8, &[u8]) = match self {
            Field::Nothing => (0, &[]),
            Field::Text(text) => (1, text.as_bytes()),
            Field::Integer(number) => (2, &number.to_le_bytes()),
            Field::Number(number) => (3, &number.to_le_bytes()),
            Field::Boolean(flag) => (4, &[u8::from(flag)]),
            Field::Formation(index) => (5, &index.to_le_bytes()),
        };
        key.push(tag);
        key.extend(bytes.len().to_le_bytes());
        key.extend(bytes);
    }
}

const FORMATION: [&str; 10] = [
    "id",
    "side",
    "echelon",
    "level",
    "abbr",
    "name",
    "designation",
    "battle",
    "leader",
    "parent",
];
const UNIT: [&str; 10] = [
    "id",
    "side",
    "kind",
    "arm",
    "name",
    "abbr",
    "note",
    "fielded",
    "designation",
    "formation",
];
const LEADER: [&str; 11] = [
    "id",
    "side",
    "name",
    "abbr",
    "rank",
    "insignia",
    "role",
    "present",
    "note",
    "designation",
    "formation",
];
const RATING: [&str; 3] = ["boxes", "total", "formation"];
const SIDE: [&str; 2] = ["id", "name"];
const ITEM: [&str; 9] = [
    "id", "name", "side", "kind", "front", "back", "count", "sheet", "note",
];

/// The names of the fields that every record of a table has, besides its attributes.
pub(super) fn names(of: Of) -> &'static [&'static str] {
    match of {
        Of::Formations => &FORMATION,
        Of::Units => &UNIT,
        Of::Leaders => &LEADER,
        Of::Effectiveness => &RATING,
        Of::Sides => &SIDE,
        Of::Weapons | Of::Supply | Of::Markers => &ITEM,
    }
}

/// Whether records of a table have a field or attribute of a name.
pub(super) fn is_field(game: &Game, of: Of, name: &str) -> bool {
    names(of).contains(&name) || game.attributes_of(of).any(|attribute| attribute.name == name)
}

/// The fields of a record with its attributes, as plain values.
pub fn fields(game: &Game, model: &Model, of: Of, index: usize) -> Map<String, Json> {
    let own = names(of).iter().copied();
    let attributes = game.attributes_of(of).map(|attribute| attribute.name.as_str());
    own.chain(attributes)
        .map(|name| {
            (
                name.to_owned(),
                field(game, model, of, index, name).to_json(game, model),
            )
        })
        .collect()
}

/// A field or attribute of a record.
pub(super) fn field<'m>(game: &'m Game, model: &'m Model, of: Of, index: usize, name: &str) -> Field<'m> {
    // An attribute may take the place of a field.
    if let Some(attribute) = model.attributes(of, index).get(name)
        && game.attributes_of(of).any(|declared| declared.name == name)
    {
        return Field::from(&attribute.value);
    }
    let designation = |formation: usize| Field::Text(&model.formations[formation].designation);
    match of {
        Of::Formations => {
            let formation = &model.formations[index];
            match name {
                "id" => Field::from(&formation.id),
                "side" => Field::from(&formation.side),
                "echelon" => Field::from(&formation.echelon),
                "level" => Field::Integer(formation.level.into()),
                "abbr" => Field::from(&formation.abbr),
                "name" => Field::from(&formation.name),
                "designation" => designation(index),
                "battle" => Field::from(&formation.battle),
                "leader" => Field::from(formation.leader.map(|leader| &model.leaders[leader].name)),
                "parent" => Field::from(formation.parent.map(|parent| &model.formations[parent].id)),
                _ => Field::Nothing,
            }
        }
        Of::Units => {
            let unit = &model.units[index];
            match name {
                "id" => Field::from(&unit.id),
                "side" => Field::from(&unit.side),
                "kind" => Field::from(&unit.kind),
                "arm" => Field::from(&unit.arm),
                "name" => Field::from(&unit.name),
                "abbr" => Field::from(&unit.abbr),
                "note" => Field::from(&unit.note),
                "fielded" => Field::from(unit.is_fielded()),
                "designation" => designation(unit.formation),
                "formation" => Field::Formation(unit.formation),
                _ => Field::Nothing,
            }
        }
        Of::Leaders => {
            let leader = &model.leaders[index];
            let rank = || {
                game.ranks
                    .iter()
                    .find(|rank| Some(&rank.id) == leader.rank.as_ref())
            };
            match name {
                "id" => Field::from(&leader.id),
                "side" => Field::from(&leader.side),
                "name" => Field::from(&leader.name),
                "abbr" => Field::from(&leader.abbr),
                "rank" => Field::from(&leader.rank),
                "insignia" => Field::from(rank().map(|rank| &rank.insignia)),
                "role" => Field::from(&leader.role),
                "present" => Field::from(leader.present),
                "note" => Field::from(&leader.note),
                "designation" => leader.commands.map_or(Field::Nothing, designation),
                "formation" => leader.commands.map_or(Field::Nothing, Field::Formation),
                _ => Field::Nothing,
            }
        }
        Of::Effectiveness => {
            let rating = &model.effectiveness[index];
            match name {
                "boxes" => Field::from(rating.boxes),
                "total" => Field::from(rating.total),
                "formation" => Field::Formation(rating.formation),
                _ => Field::Nothing,
            }
        }
        Of::Sides => match name {
            "id" => Field::from(&model.sides[index].id),
            "name" => Field::from(&model.sides[index].name),
            _ => Field::Nothing,
        },
        Of::Weapons => item(&model.weapons[index], name),
        Of::Supply => item(&model.supply[index], name),
        Of::Markers => item(&model.markers[index], name),
    }
}

fn item<'m>(item: &'m Item, name: &str) -> Field<'m> {
    match name {
        "id" => Field::from(&item.id),
        "name" => Field::from(&item.name),
        "side" => Field::from(&item.side),
        "kind" => Field::from(&item.kind),
        "front" => Field::from(&item.front),
        "back" => Field::from(&item.back),
        "count" => Field::from(item.count),
        "sheet" => Field::from(&item.sheet),
        "note" => Field::from(&item.note),
        _ => Field::Nothing,
    }
}
