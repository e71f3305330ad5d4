//! What expressions see of a record: its fields and attributes, and, where an expression asks for them, the lists of
//! what belongs to it.

use std::cell::OnceCell;
use std::collections::BTreeSet;

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

const LISTS: [&str; 5] = [UNITS, ALL_UNITS, FORMATIONS, COMMANDER, INSTEAD_OF];

/// Makes the contexts of one kind of record for some expressions: of a record, only what one of them reads.
pub struct Scope<'a> {
    game: &'a Game,
    model: &'a Model,
    of: Of,
    /// The names that the expressions read: nothing else is made. Absent where one of them is unknown, for then the advice
    /// is found among all fields.
    reads: Option<BTreeSet<String>>,
    /// Those of them that are lists.
    lists: Vec<&'static str>,
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
        let reads: BTreeSet<String> = expressions
            .into_iter()
            .flat_map(Compiled::reads)
            .map(|name| name.split('.').next().unwrap_or_default().to_owned())
            .collect();
        Scope {
            game,
            model,
            of,
            lists: LISTS.into_iter().filter(|name| reads.contains(*name)).collect(),
            reads: are_known(game, model, of, &reads).then_some(reads),
            tree: OnceCell::new(),
        }
    }

    /// What expressions see of a record.
    pub fn context(&self, index: usize) -> Value {
        let mut fields = Fields {
            wanted: self.reads.as_ref(),
            ..Fields::default()
        };
        fill(self.game, self.model, self.of, index, &mut fields);
        if self.lists.is_empty() {
            return Value::from(Serde(fields.values));
        }
        let mut all: Vec<(String, Value)> = fields
            .values
            .into_iter()
            .map(|(name, value)| (name, Value::from(Serde(value))))
            .collect();
        for name in &self.lists {
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

/// Whether every name is a field, a list or a function.
fn are_known(game: &Game, model: &Model, of: Of, names: &BTreeSet<String>) -> bool {
    if model.len(of) == 0 {
        return true;
    }
    let fields = fields(game, model, of, 0);
    names.iter().map(String::as_str).all(|name| {
        fields.contains_key(name) || LISTS.contains(&name) || super::functions::NAMES.contains(&name)
    })
}

/// The fields of a record with its attributes, as plain values.
pub fn fields(game: &Game, model: &Model, of: Of, index: usize) -> Map<String, Json> {
    let mut all = Fields::default();
    fill(game, model, of, index, &mut all);
    all.values
}

/// The fields of a record that somebody asks for.
#[derive(Default)]
struct Fields<'w> {
    /// Those that are asked for; all where absent.
    wanted: Option<&'w BTreeSet<String>>,
    values: Map<String, Json>,
}

impl Fields<'_> {
    fn put(&mut self, name: &str, value: impl FnOnce() -> Json) {
        if self.wanted.is_none_or(|wanted| wanted.contains(name)) {
            self.values.insert(name.to_owned(), value());
        }
    }
}

fn fill(game: &Game, model: &Model, of: Of, index: usize, fields: &mut Fields<'_>) {
    match of {
        Of::Formations => formation_fields(game, model, index, fields),
        Of::Units => {
            let unit = &model.units[index];
            fields.put("id", || json!(unit.id));
            fields.put("side", || json!(unit.side));
            fields.put("kind", || json!(unit.kind));
            fields.put("arm", || json!(unit.arm));
            fields.put("name", || json!(unit.name));
            fields.put("abbr", || json!(unit.abbr));
            fields.put("note", || json!(unit.note));
            fields.put("fielded", || json!(unit.is_fielded()));
            fields.put("designation", || {
                json!(model.formations[unit.formation].designation)
            });
            fields.put("formation", || formation(game, model, unit.formation));
        }
        Of::Leaders => {
            let leader = &model.leaders[index];
            let rank = leader
                .rank
                .as_ref()
                .and_then(|rank| game.ranks.iter().find(|def| def.id == *rank));
            fields.put("id", || json!(leader.id));
            fields.put("side", || json!(leader.side));
            fields.put("name", || json!(leader.name));
            fields.put("abbr", || json!(leader.abbr));
            fields.put("rank", || json!(leader.rank));
            fields.put("insignia", || json!(rank.and_then(|rank| rank.insignia.clone())));
            fields.put("role", || json!(leader.role));
            fields.put("present", || json!(leader.present));
            fields.put("note", || json!(leader.note));
            fields.put("designation", || {
                json!(
                    leader
                        .commands
                        .map(|formation| &model.formations[formation].designation)
                )
            });
            fields.put("formation", || {
                let commanded = leader.commands.map(|commanded| formation(game, model, commanded));
                commanded.unwrap_or(Json::Null)
            });
        }
        Of::Effectiveness => {
            let rating = &model.effectiveness[index];
            fields.put("boxes", || json!(rating.boxes));
            fields.put("total", || json!(rating.total));
            fields.put("formation", || formation(game, model, rating.formation));
        }
        Of::Sides => {
            fields.put("id", || json!(model.sides[index].id));
            fields.put("name", || json!(model.sides[index].name));
        }
        Of::Weapons | Of::Supply | Of::Markers => {
            let item = match of {
                Of::Weapons => &model.weapons[index],
                Of::Supply => &model.supply[index],
                _ => &model.markers[index],
            };
            fields.put("id", || json!(item.id));
            fields.put("name", || json!(item.name));
            fields.put("side", || json!(item.side));
            fields.put("kind", || json!(item.kind));
            fields.put("front", || json!(item.front));
            fields.put("back", || json!(item.back));
            fields.put("count", || json!(item.count));
            fields.put("sheet", || json!(item.sheet));
            fields.put("note", || json!(item.note));
        }
    }
    if of != Of::Formations {
        attribute_fields(game, of, model.attributes(of, index), fields);
    }
}

fn formation(game: &Game, model: &Model, index: usize) -> Json {
    Json::Object(fields(game, model, Of::Formations, index))
}

fn formation_fields(game: &Game, model: &Model, index: usize, fields: &mut Fields<'_>) {
    let formation = &model.formations[index];
    fields.put("id", || json!(formation.id));
    fields.put("side", || json!(formation.side));
    fields.put("echelon", || json!(formation.echelon));
    fields.put("level", || json!(formation.level));
    fields.put("abbr", || json!(formation.abbr));
    fields.put("name", || json!(formation.name));
    fields.put("designation", || json!(formation.designation));
    fields.put("battle", || json!(formation.battle));
    fields.put("leader", || {
        json!(formation.leader.map(|leader| &model.leaders[leader].name))
    });
    fields.put("parent", || {
        json!(formation.parent.map(|parent| &model.formations[parent].id))
    });
    attribute_fields(game, Of::Formations, &formation.attributes, fields);
}

fn attribute_fields(game: &Game, of: Of, attributes: &Attributes, fields: &mut Fields<'_>) {
    for declared in game.attributes_of(of) {
        fields.put(&declared.name, || {
            attributes
                .get(&declared.name)
                .map_or(Json::Null, |attribute| attribute.value.to_json())
        });
    }
}
