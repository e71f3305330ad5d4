//! What expressions see of a record: its fields and attributes, and, where an expression asks for them, the lists of
//! what belongs to it.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};

use minijinja::Value;
use minijinja::value::Serde;
use serde_json::{Map, Value as Json};

use super::Compiled;
use super::fields::{field, fields, is_field};
use crate::game::{Game, Of};
use crate::model::Model;

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
    reads: Option<Vec<String>>,
    /// Those of them that are lists.
    lists: Vec<&'static str>,
    tree: OnceCell<Tree>,
}

/// So many results are remembered: records that differ in more than that differ nearly always.
const REMEMBERED: usize = 4_096;

/// What expressions gave for records, by what they read of them: thousands of records are alike in the little that a
/// condition looks at.
pub struct Memory<T> {
    known: HashMap<Box<[u8]>, T>,
    key: Vec<u8>,
}

impl<T> Default for Memory<T> {
    fn default() -> Self {
        Memory {
            known: HashMap::new(),
            key: Vec::new(),
        }
    }
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
            reads: are_known(game, of, &reads).then(|| {
                let is_field = |name: &String| is_field(game, of, name);
                reads.into_iter().filter(is_field).collect()
            }),
            tree: OnceCell::new(),
        }
    }

    /// What expressions see of a record.
    pub fn context(&self, index: usize) -> Value {
        let fields: Map<String, Json> = match &self.reads {
            Some(reads) => reads
                .iter()
                .map(|name| {
                    let field = field(self.game, self.model, self.of, index, name);
                    (name.clone(), field.to_json(self.game, self.model))
                })
                .collect(),
            None => fields(self.game, self.model, self.of, index),
        };
        if self.lists.is_empty() {
            return Value::from(Serde(fields));
        }
        let mut all: Vec<(String, Value)> = fields
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

    /// What expressions give for a record: made from its context, or remembered of an earlier record of which they read
    /// the same.
    pub fn remembered<T: Clone>(
        &self,
        index: usize,
        memory: &mut Memory<T>,
        make: impl FnOnce(&Value) -> T,
    ) -> T {
        let Some(reads) = self.reads.as_ref().filter(|_| self.lists.is_empty()) else {
            return make(&self.context(index));
        };
        memory.key.clear();
        for name in reads {
            field(self.game, self.model, self.of, index, name).add_to(&mut memory.key);
        }
        if let Some(known) = memory.known.get(memory.key.as_slice()) {
            return known.clone();
        }
        let made = make(&self.context(index));
        if memory.known.len() < REMEMBERED {
            memory.known.insert(memory.key.as_slice().into(), made.clone());
        }
        made
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
fn are_known(game: &Game, of: Of, names: &BTreeSet<String>) -> bool {
    names.iter().map(String::as_str).all(|name| {
        is_field(game, of, name) || LISTS.contains(&name) || super::functions::NAMES.contains(&name)
    })
}
