//! What expressions see of a record: its fields and attributes, and, where an expression asks for them, the lists of
//! what belongs to it.

use std::cell::OnceCell;

use minijinja::Value;
use minijinja::value::Serde;
use serde_json::{Map, Value as Json, json};

use super::Compiled;
use crate::game::{Game, Of};
use crate::model::{Attributes, Model};

/// The lists that expressions may ask for, beyond a record's own fields.
const UNITS: &str = "units";
const ALL_UNITS: &str = "all_units";
const FORMATIONS: &str = "formations";
const COMMANDER: &str = "commander";
const INSTEAD_OF: &str = "instead_of";

/// Makes the contexts of one kind of record for some expressions: the lists are made only if one of them reads them.
pub struct Scope<'a> {
    game: &'a Game,
    model: &'a Model,
    of: Of,
    wanted: Vec<&'static str>,
    tree: OnceCell<Tree>,
}

/// The tree of formations with the values of the units in it.
struct Tree {
    children: Vec<Vec<usize>>,
    units: Vec<Vec<usize>>,
    values: Vec<Value>,
}

impl<'a> Scope<'a> {
    /// A scope for expressions about one kind of record.
    pub fn new<'c, 'e: 'c>(
        game: &'a Game,
        model: &'a Model,
        of: Of,
        expressions: impl IntoIterator<Item = &'c Compiled<'e>>,
    ) -> Self {
        let mut wanted = Vec::new();
        for expression in expressions {
            let reads = expression.reads();
            for name in [UNITS, ALL_UNITS, FORMATIONS, COMMANDER, INSTEAD_OF] {
                let asked = |read: &String| read == name || read.starts_with(&format!("{name}."));
                if !wanted.contains(&name) && reads.iter().any(asked) {
                    wanted.push(name);
                }
            }
        }
        Scope {
            game,
            model,
            of,
            wanted,
            tree: OnceCell::new(),
        }
    }

    /// What expressions see of a record.
    pub fn context(&self, index: usize) -> Value {
        let fields = fields(self.game, self.model, self.of, index);
        if self.wanted.is_empty() {
            return Value::from(Serde(fields));
        }
        let mut all: Vec<(String, Value)> = fields
            .into_iter()
            .map(|(name, value)| (name, Value::from(Serde(value))))
            .collect();
        for name in &self.wanted {
            if let Some(value) = self.list(name, index) {
                all.push(((*name).to_owned(), value));
            }
        }
        Value::from_pairs(all)
    }

    fn list(&self, name: &str, index: usize) -> Option<Value> {
        let model = self.model;
        match (self.of, name) {
            (Of::Formations, UNITS) => Some(self.units(&self.tree().units[index])),
            (Of::Formations, ALL_UNITS) => {
                let mut found = Vec::new();
                self.below(index, &mut found);
                Some(self.units(&found))
            }
            (Of::Formations, FORMATIONS) => Some(self.formations(&self.tree().children[index])),
            (Of::Formations, COMMANDER) => Some(match model.formations[index].leader {
                Some(leader) => Value::from(Serde(fields(self.game, model, Of::Leaders, leader))),
                None => Value::from(()),
            }),
            (Of::Units, INSTEAD_OF) => Some(self.units(&model.units[index].instead_of)),
            (Of::Sides, UNITS | ALL_UNITS) => {
                let side = &model.sides[index].id;
                let found: Vec<usize> = (0..model.units.len())
                    .filter(|unit| model.units[*unit].is_fielded() && model.units[*unit].side == *side)
                    .collect();
                Some(self.units(&found))
            }
            (Of::Sides, FORMATIONS) => {
                let side = &model.sides[index].id;
                let tops: Vec<usize> = (0..model.formations.len())
                    .filter(|top| model.formations[*top].parent.is_none())
                    .filter(|top| model.formations[*top].side == *side)
                    .collect();
                Some(self.formations(&tops))
            }
            _ => None,
        }
    }

    fn below(&self, formation: usize, found: &mut Vec<usize>) {
        found.extend(&self.tree().units[formation]);
        for child in &self.tree().children[formation] {
            self.below(*child, found);
        }
    }

    fn units(&self, units: &[usize]) -> Value {
        units
            .iter()
            .map(|unit| self.tree().values[*unit].clone())
            .collect()
    }

    fn formations(&self, formations: &[usize]) -> Value {
        formations
            .iter()
            .map(|formation| Value::from(Serde(fields(self.game, self.model, Of::Formations, *formation))))
            .collect()
    }

    fn tree(&self) -> &Tree {
        self.tree.get_or_init(|| {
            let model = self.model;
            let mut children = vec![Vec::new(); model.formations.len()];
            for (index, formation) in model.formations.iter().enumerate() {
                if let Some(parent) = formation.parent {
                    children[parent].push(index);
                }
            }
            let mut units = model.units_by_formation();
            for list in &mut units {
                list.retain(|unit| model.units[*unit].is_fielded());
            }
            let values = (0..model.units.len())
                .map(|unit| Value::from(Serde(fields(self.game, model, Of::Units, unit))))
                .collect();
            Tree {
                children,
                units,
                values,
            }
        })
    }
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
            fields.insert("fielded".into(), json!(unit.is_fielded()));
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
        Of::Sides => {
            fields.insert("id".into(), json!(model.sides[index].id));
            fields.insert("name".into(), json!(model.sides[index].name));
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
    fields.insert("battle".into(), json!(formation.battle));
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
