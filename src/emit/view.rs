//! What templates see: the pack's lists joined to a tree, so that a template need look nothing up.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::game::Of;
use crate::order::natural;
use crate::pack::{Effectiveness, Formation, Leader, Pack};

/// The pack as templates see it.
pub struct View {
    /// `game`, `edition`, `errata`, …: what is the same for every sheet.
    pub common: minijinja::Value,
    /// Each side with its tree of formations.
    pub sides: Vec<Value>,
}

/// Makes the view of a pack.
pub fn view(pack: &Pack, common: minijinja::Value) -> View {
    let mut builder = Builder {
        pack,
        children: BTreeMap::new(),
        units: BTreeMap::new(),
        leaders: BTreeMap::new(),
        leaders_by_id: pack
            .leaders
            .iter()
            .map(|leader| (leader.id.as_str(), leader))
            .collect(),
        ratings: pack
            .effectiveness
            .iter()
            .map(|rating| (rating.formation.as_str(), rating))
            .collect(),
    };
    for formation in &pack.formations {
        let parent = formation.parent.as_deref().unwrap_or("");
        builder.children.entry(parent).or_default().push(formation);
    }
    for list in builder.children.values_mut() {
        list.sort_by(|a, b| {
            (a.order.is_none(), a.order)
                .cmp(&(b.order.is_none(), b.order))
                .then_with(|| natural(&a.id, &b.id))
        });
    }
    let names: BTreeMap<&str, &str> = pack
        .units
        .iter()
        .map(|unit| (unit.id.as_str(), unit.name.as_str()))
        .collect();
    for unit in &pack.units {
        let mut value = to_map(unit);
        if let Some(kind) = pack.game.kinds.iter().find(|kind| kind.id == unit.kind) {
            value.insert("kind_name".into(), json!(kind.name));
            value.insert("arm".into(), json!(kind.arm));
            value.insert("faces".into(), json!(kind.faces));
        }
        value.entry("instead_of").or_insert_with(|| json!([]));
        let names: Vec<&str> = unit
            .instead_of
            .iter()
            .filter_map(|id| names.get(id.as_str()).copied())
            .collect();
        value.insert("instead_of_names".into(), json!(names));
        blanks(pack, Of::Units, &mut value);
        let key = (unit.order.is_none(), unit.order);
        builder
            .units
            .entry(&unit.formation)
            .or_default()
            .push((key, unit.id.clone(), Value::Object(value)));
    }
    for list in builder.units.values_mut() {
        list.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| natural(&a.1, &b.1)));
    }
    for leader in &pack.leaders {
        if let Some(formation) = &leader.commands {
            builder
                .leaders
                .entry(formation)
                .or_default()
                .push(leader_value(pack, leader));
        }
    }
    let tops: Vec<&Formation> = builder.children.get("").cloned().unwrap_or_default();
    let mut sides = Vec::new();
    for side in &pack.sides {
        let mut value = to_map(side);
        let formations: Vec<Value> = tops
            .iter()
            .filter(|formation| formation.side == side.id)
            .map(|formation| builder.node(formation, &[]))
            .collect();
        value.insert("formations".into(), json!(formations));
        value.insert(
            "leaders".into(),
            pack.leaders
                .iter()
                .filter(|leader| leader.side == side.id)
                .map(|leader| leader_value(pack, leader))
                .collect(),
        );
        sides.push(Value::Object(value));
    }
    View { common, sides }
}

/// What is the same for every sheet of a pack: `game`, `edition`, `errata`, …
pub fn common(pack: &Pack) -> minijinja::Value {
    let attributes: Map<String, Value> = pack
        .game
        .attributes
        .iter()
        .map(|attribute| {
            (
                format!("{}.{}", attribute.of.table(), attribute.name),
                to_value(attribute),
            )
        })
        .collect();
    let mut common = Map::new();
    common.insert("game".into(), to_value(&pack.game));
    common.insert("edition".into(), to_value(&pack.edition));
    common.insert("attributes".into(), Value::Object(attributes));
    common.insert("weapons".into(), to_value(&pack.weapons));
    common.insert("tables".into(), to_value(&pack.tables));
    common.insert("optional_rules".into(), to_value(&pack.optional_rules));
    common.insert("errata".into(), to_value(&pack.errata));
    common.insert("counters".into(), to_value(&pack.counters));
    common.insert("markers".into(), to_value(&pack.markers));
    common.insert("inventory".into(), to_value(&pack.inventory));
    common.insert("measure".into(), to_value(&pack.measure));
    common.insert("arrival_rules".into(), to_value(&pack.arrival_rules));
    common.insert("maps".into(), to_value(&pack.maps));
    common.insert("areas".into(), to_value(&pack.areas));
    common.insert("features".into(), to_value(&pack.features));
    minijinja::Value::from(minijinja::value::Serde(&common))
}

struct Builder<'p> {
    pack: &'p Pack,
    children: BTreeMap<&'p str, Vec<&'p Formation>>,
    units: BTreeMap<&'p str, Vec<UnitEntry>>,
    leaders: BTreeMap<&'p str, Vec<Value>>,
    leaders_by_id: BTreeMap<&'p str, &'p Leader>,
    ratings: BTreeMap<&'p str, &'p Effectiveness>,
}

/// A unit with what it is sorted by.
type UnitEntry = ((bool, Option<i64>), String, Value);

impl<'p> Builder<'p> {
    /// A formation with its units, leaders, rating and the formations below it.
    fn node(&mut self, formation: &'p Formation, above: &[Value]) -> Value {
        let pack = self.pack;
        let mut node = to_map(formation);
        node.entry("partial").or_insert_with(|| json!({}));
        node.entry("battle").or_insert(Value::Null);
        let echelon = pack
            .game
            .echelons
            .iter()
            .find(|echelon| echelon.id == formation.echelon);
        node.insert("echelon_name".into(), json!(echelon.map(|echelon| &echelon.name)));
        let side = pack.sides.iter().find(|side| side.id == formation.side);
        node.insert("side_name".into(), json!(side.map(|side| &side.name)));
        node.insert("above".into(), json!(above));
        let units: Vec<Value> = self
            .units
            .get(formation.id.as_str())
            .into_iter()
            .flatten()
            .map(|(_, _, unit)| unit.clone())
            .collect();
        node.insert("units".into(), json!(units));
        node.insert(
            "leader".into(),
            json!(
                formation
                    .leader
                    .as_ref()
                    .and_then(|id| self.leaders_by_id.get(id.as_str()))
                    .map(|leader| leader_value(pack, leader))
            ),
        );
        node.insert(
            "leaders".into(),
            json!(
                self.leaders
                    .get(formation.id.as_str())
                    .cloned()
                    .unwrap_or_default()
            ),
        );
        node.insert(
            "effectiveness".into(),
            json!(self.ratings.get(formation.id.as_str())),
        );
        let mut below = above.to_vec();
        below.push(json!({ "id": formation.id, "name": formation.name, "echelon": formation.echelon, "abbr": formation.abbr }));
        let children: Vec<&Formation> = self
            .children
            .get(formation.id.as_str())
            .cloned()
            .unwrap_or_default();
        let formations: Vec<Value> = children
            .into_iter()
            .map(|child| self.node(child, &below))
            .collect();
        node.insert("formations".into(), json!(formations));
        blanks(pack, Of::Formations, &mut node);
        Value::Object(node)
    }
}

fn leader_value(pack: &Pack, leader: &Leader) -> Value {
    let mut value = to_map(leader);
    let rank = pack
        .game
        .ranks
        .iter()
        .find(|rank| Some(&rank.id) == leader.rank.as_ref());
    value.insert("rank_name".into(), json!(rank.map(|rank| &rank.name)));
    let role = pack.game.roles.iter().find(|role| role.id == leader.role);
    value.insert("role_name".into(), json!(role.map(|role| &role.name)));
    blanks(pack, Of::Leaders, &mut value);
    Value::Object(value)
}

/// Fields that a record does not have are none, so that templates can ask for them.
fn blanks(pack: &Pack, of: Of, fields: &mut Map<String, Value>) {
    let carrier = match of {
        Of::Units => "kind",
        Of::Leaders => "role",
        _ => "echelon",
    };
    let carrier = fields
        .get(carrier)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    for attribute in pack.game.attributes.iter().filter(|attribute| attribute.of == of) {
        // What does not concern a record is not even blank: it is not there.
        if of != Of::Formations
            && !attribute.carried_by.is_empty()
            && !attribute.carried_by.contains(&carrier)
        {
            continue;
        }
        fields.entry(attribute.name.clone()).or_insert(Value::Null);
    }
    for name in ["abbr", "note", "parent", "order", "rank", "commands"] {
        fields.entry(name).or_insert(Value::Null);
    }
}

fn to_value<T: serde::Serialize + ?Sized>(value: &T) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}

fn to_map<T: serde::Serialize>(value: &T) -> Map<String, Value> {
    match to_value(value) {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
