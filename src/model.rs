//! The model: an order of battle with everything resolved. Plain data, no I/O, no serde. Checks read it; lowering makes
//! the pack from it once it has passed them.

use crate::game::{Basis, Of};
use crate::record::EditId;
use crate::source::Span;

/// The tables whose records have ids: those of [`Model::ids`].
pub const WITH_IDS: [&str; 7] = [
    "sides",
    "formations",
    "units",
    "leaders",
    "weapons",
    "markers",
    "supply",
];

/// A value of an attribute.
#[derive(Clone, PartialEq, Debug)]
pub enum Scalar {
    /// A whole number.
    Integer(i64),
    /// Any other number.
    Number(f64),
    /// Text.
    Text(String),
}

impl Scalar {
    /// The value as JSON.
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Scalar::Integer(number) => (*number).into(),
            Scalar::Number(number) => (*number).into(),
            Scalar::Text(text) => text.as_str().into(),
        }
    }

    /// The whole number, if it is one.
    pub fn integer(&self) -> Option<i64> {
        match self {
            Scalar::Integer(number) => Some(*number),
            _ => None,
        }
    }
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Scalar::Integer(number) => write!(f, "{number}"),
            Scalar::Number(number) => write!(f, "{number}"),
            Scalar::Text(text) => f.write_str(text),
        }
    }
}

/// How a value came about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// It stands in the record itself.
    Cell,
    /// It stands in a supplement: an index into the game's supplements.
    Supplement(usize),
    /// It is a default: an index into the game's defaults.
    Default(usize),
    /// It was apportioned: an index into the game's rules of apportionment.
    Apportioned(usize),
    /// It was derived: an index into the game's derived attributes.
    Derived(usize),
    /// It is a sum: an index into the game's roll-ups.
    Summed(usize),
}

/// An attribute of a record.
#[derive(Clone, PartialEq, Debug)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Scalar,
    /// The basis of the value.
    pub basis: Basis,
    /// How the value came about.
    pub how: How,
    /// Where it stands, or where the rule stands that made it.
    pub span: Span,
    /// The overlay edit that wrote it, if one did.
    pub edit: Option<EditId>,
}

/// The attributes of a record that are known.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Attributes {
    known: Vec<Attribute>,
    /// Attributes of which the data say that nobody knows them, with the place that says so.
    pub unknown: Vec<(String, Span)>,
}

impl Attributes {
    /// The attribute of a name.
    pub fn get(&self, name: &str) -> Option<&Attribute> {
        self.known.iter().find(|attribute| attribute.name == name)
    }

    /// The whole number that an attribute has.
    pub fn integer(&self, name: &str) -> Option<i64> {
        self.get(name)?.value.integer()
    }

    /// Adds an attribute.
    pub fn push(&mut self, attribute: Attribute) {
        // Records are many and their attributes few: no room is kept for more.
        self.known.reserve_exact(1);
        self.known.push(attribute);
    }

    /// All known attributes.
    pub fn iter(&self) -> impl Iterator<Item = &Attribute> {
        self.known.iter()
    }

    /// Whether the data say that nobody knows the attribute.
    pub fn is_declared_unknown(&self, name: &str) -> bool {
        self.unknown.iter().any(|(unknown, _)| unknown == name)
    }
}

/// A formation.
#[derive(Clone, Debug)]
pub struct Formation {
    /// Id.
    pub id: String,
    /// The side.
    pub side: String,
    /// The formation above, as an index into the model's.
    pub parent: Option<usize>,
    /// The echelon.
    pub echelon: String,
    /// The level of the echelon: 1 is the highest.
    pub level: u8,
    /// Its part of a designation.
    pub abbr: Option<String>,
    /// Name.
    pub name: String,
    /// Place among its sisters.
    pub order: Option<i64>,
    /// A remark.
    pub note: Option<String>,
    /// Designation, built from the tree.
    pub designation: String,
    /// Its leader, as an index into the model's.
    pub leader: Option<usize>,
    /// The battle to whose order of battle it belongs, where the game says.
    pub battle: Option<String>,
    /// The place that says so.
    pub battle_span: Span,
    /// Attributes.
    pub attributes: Attributes,
    /// What is known of sums that are not known.
    pub partial: Vec<Partial>,
    /// The record's row.
    pub row: usize,
    /// The place of its name.
    pub span: Span,
    /// The place of its echelon.
    pub echelon_span: Span,
    /// The place that says what it belongs to.
    pub parent_span: Span,
    /// Whether an overlay says what it belongs to.
    pub is_moved: bool,
}

/// What is known of a sum to which something contributes that has no value.
#[derive(Clone, Debug)]
pub struct Partial {
    /// The attribute that would hold the sum.
    pub attribute: String,
    /// The sum of what is known.
    pub known: i64,
    /// The units without a value, as indices into the model's.
    pub units: Vec<usize>,
    /// The leaders without a value, as indices into the model's.
    pub leaders: Vec<usize>,
}

/// A side.
#[derive(Clone, Debug)]
pub struct Side {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// Attributes.
    pub attributes: Attributes,
    /// Where it is declared.
    pub span: Span,
}

/// A unit.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Id.
    pub id: String,
    /// The side.
    pub side: String,
    /// The formation that it belongs to, as an index into the model's.
    pub formation: usize,
    /// The kind.
    pub kind: String,
    /// The arm of the kind.
    pub arm: String,
    /// Name.
    pub name: String,
    /// Short name.
    pub abbr: String,
    /// Place among its sisters.
    pub order: Option<i64>,
    /// A remark.
    pub note: Option<String>,
    /// The units that it takes the place of where players choose so, as indices into the model's. It is then an
    /// alternative: where nobody chooses it, it is not fielded.
    pub instead_of: Vec<usize>,
    /// Attributes.
    pub attributes: Attributes,
    /// The record's row.
    pub row: usize,
    /// The place of its name.
    pub span: Span,
    /// The place that says what it belongs to.
    pub formation_span: Span,
    /// Whether an overlay says what it belongs to.
    pub is_moved: bool,
}

impl Unit {
    /// Whether it is fielded where nobody chooses otherwise.
    pub fn is_fielded(&self) -> bool {
        self.instead_of.is_empty()
    }
}

/// A leader.
#[derive(Clone, Debug)]
pub struct Leader {
    /// Id.
    pub id: String,
    /// The side.
    pub side: String,
    /// Name.
    pub name: String,
    /// Short name.
    pub abbr: String,
    /// Rank.
    pub rank: Option<String>,
    /// Role.
    pub role: String,
    /// Whether the role leads its formation from the start.
    pub leads: bool,
    /// The formation that he commands or comes from, as an index into the model's.
    pub commands: Option<usize>,
    /// Whether he is in the game.
    pub present: bool,
    /// Place among his peers.
    pub order: Option<i64>,
    /// A remark.
    pub note: Option<String>,
    /// Attributes.
    pub attributes: Attributes,
    /// The record's row.
    pub row: usize,
    /// The place of his name.
    pub span: Span,
    /// The place of his command.
    pub commands_span: Span,
}

/// A brigade-combat-effectiveness rating.
#[derive(Clone, Debug)]
pub struct Effectiveness {
    /// The formation, as an index into the model's.
    pub formation: usize,
    /// How many boxes are ticked before effectiveness is lost.
    pub boxes: i64,
    /// The formation's total strength.
    pub total: i64,
    /// Attributes.
    pub attributes: Attributes,
    /// The record's row.
    pub row: usize,
}

/// A weapon, a kind of marker, or supply.
#[derive(Clone, Debug)]
pub struct Item {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// The side, where it is one side's.
    pub side: Option<String>,
    /// The kind, of supply.
    pub kind: Option<String>,
    /// The text of the front, of a marker.
    pub front: Option<String>,
    /// The text of the back, of a marker.
    pub back: Option<String>,
    /// How many there are.
    pub count: Option<i64>,
    /// The basis of the count.
    pub count_basis: Basis,
    /// The counter sheet, of a marker.
    pub sheet: Option<String>,
    /// A remark.
    pub note: Option<String>,
    /// Attributes.
    pub attributes: Attributes,
    /// The record's row.
    pub row: usize,
    /// The place of the id.
    pub span: Span,
    /// The place of the count.
    pub count_span: Span,
}

/// A unit known to be below its own strength on some occasion.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// The occasion.
    pub set: String,
    /// The printed group.
    pub line: Option<String>,
    /// The unit, as an index into the model's.
    pub unit: usize,
    /// The attribute's value on that occasion.
    pub attribute: String,
    /// The value.
    pub value: i64,
    /// The place of the value.
    pub span: Span,
    /// The place of the occasion's name.
    pub set_span: Span,
}

/// A chart.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Which: an index into the game's lookup tables.
    pub definition: usize,
    /// Row labels with their places.
    pub rows: Vec<(Label, Span)>,
    /// Column labels with their places.
    pub columns: Vec<(Label, Span)>,
    /// Cells, row by row; `None` where the chart says that there is nothing, and where the source has lost the cell.
    pub cells: Vec<Vec<Option<Scalar>>>,
    /// The cells that the source has lost, as row and column.
    pub lost: Vec<(usize, usize)>,
}

/// A label on an axis of a chart.
#[derive(Clone, PartialEq, Debug)]
pub enum Label {
    /// A text.
    Text(String),
    /// A range of whole numbers; without `to` it has no end.
    Range {
        /// The first.
        from: i64,
        /// The last.
        to: Option<i64>,
    },
}

/// An order of battle with everything resolved. Lists are sorted by id, so that the order of rows in files is of no
/// consequence.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Sides, in the game's order.
    pub sides: Vec<Side>,
    /// Formations.
    pub formations: Vec<Formation>,
    /// Units.
    pub units: Vec<Unit>,
    /// Leaders.
    pub leaders: Vec<Leader>,
    /// Ratings, in order of their formations.
    pub effectiveness: Vec<Effectiveness>,
    /// Weapons.
    pub weapons: Vec<Item>,
    /// Markers.
    pub markers: Vec<Item>,
    /// Supply.
    pub supply: Vec<Item>,
    /// Reductions.
    pub reductions: Vec<Reduction>,
    /// Charts, in declared order.
    pub charts: Vec<Chart>,
    /// The formations that a reference which failed may have meant, as indices: what they lack is no fault of their own.
    pub doubtful: std::collections::BTreeSet<usize>,
    /// Whether a unit has no formation that is known: it may belong to any.
    pub unplaced: bool,
    /// Whether a rating is of no formation that is known.
    pub unrated: bool,
    /// The ids of records that were left out because something in them is wrong, by table: they exist.
    pub left_out: std::collections::BTreeMap<String, std::collections::BTreeSet<String>>,
    /// The tables with a record that was left out and whose id is not known.
    pub nameless: std::collections::BTreeSet<String>,
    /// The sets of reductions that scenarios use; `None` where there are no scenarios.
    pub used_reductions: Option<std::collections::BTreeSet<String>>,
    /// Whether formations are missing from the tree, so that names which lead through it say nothing.
    pub torn: bool,
    /// The track of turns.
    pub calendar: crate::calendar::Calendar,
    /// The names of the schedules.
    pub schedules: Vec<String>,
    /// Scenarios, by id.
    pub scenarios: Vec<crate::scenario::Scenario>,
    /// How each apportioned formation was shared out.
    pub shares: Vec<crate::apportion::Share>,
}

impl Model {
    /// Whether an id that no record of the model has may be that of one that was left out.
    pub fn may_be_left_out(&self, table: &str, id: &str) -> bool {
        self.nameless.contains(table) || self.left_out.get(table).is_some_and(|ids| ids.contains(id))
    }

    /// The units directly in each formation, by formation.
    pub fn units_by_formation(&self) -> Vec<Vec<usize>> {
        let mut lists = vec![Vec::new(); self.formations.len()];
        for (index, unit) in self.units.iter().enumerate() {
            lists[unit.formation].push(index);
        }
        lists
    }

    /// The ids of the records of a table; `None` where it is no table whose records have ids.
    pub fn ids(&self, table: &str) -> Option<Vec<&str>> {
        Some(match table {
            "sides" => self.sides.iter().map(|side| side.id.as_str()).collect(),
            "formations" => self
                .formations
                .iter()
                .map(|formation| formation.id.as_str())
                .collect(),
            "units" => self.units.iter().map(|unit| unit.id.as_str()).collect(),
            "leaders" => self.leaders.iter().map(|leader| leader.id.as_str()).collect(),
            "weapons" => self.weapons.iter().map(|item| item.id.as_str()).collect(),
            "markers" => self.markers.iter().map(|item| item.id.as_str()).collect(),
            "supply" => self.supply.iter().map(|item| item.id.as_str()).collect(),
            _ => return None,
        })
    }

    /// The attributes of a record.
    pub fn attributes(&self, of: Of, index: usize) -> &Attributes {
        match of {
            Of::Formations => &self.formations[index].attributes,
            Of::Units => &self.units[index].attributes,
            Of::Leaders => &self.leaders[index].attributes,
            Of::Effectiveness => &self.effectiveness[index].attributes,
            Of::Weapons => &self.weapons[index].attributes,
            Of::Supply => &self.supply[index].attributes,
            Of::Markers => &self.markers[index].attributes,
            Of::Sides => &self.sides[index].attributes,
        }
    }

    /// The attributes of a record, to be added to.
    pub fn attributes_mut(&mut self, of: Of, index: usize) -> &mut Attributes {
        match of {
            Of::Formations => &mut self.formations[index].attributes,
            Of::Units => &mut self.units[index].attributes,
            Of::Leaders => &mut self.leaders[index].attributes,
            Of::Effectiveness => &mut self.effectiveness[index].attributes,
            Of::Weapons => &mut self.weapons[index].attributes,
            Of::Supply => &mut self.supply[index].attributes,
            Of::Markers => &mut self.markers[index].attributes,
            Of::Sides => &mut self.sides[index].attributes,
        }
    }

    /// How many records of a kind there are.
    pub fn len(&self, of: Of) -> usize {
        match of {
            Of::Formations => self.formations.len(),
            Of::Units => self.units.len(),
            Of::Leaders => self.leaders.len(),
            Of::Effectiveness => self.effectiveness.len(),
            Of::Weapons => self.weapons.len(),
            Of::Supply => self.supply.len(),
            Of::Markers => self.markers.len(),
            Of::Sides => self.sides.len(),
        }
    }

    /// The place of a record's name and the record as people know it.
    pub fn head(&self, of: Of, index: usize) -> (Span, String) {
        match of {
            Of::Formations => {
                let formation = &self.formations[index];
                (
                    formation.span,
                    format!("{} ({})", formation.name, formation.designation),
                )
            }
            Of::Units => {
                let unit = &self.units[index];
                let designation = &self.formations[unit.formation].designation;
                (unit.span, format!("{} ({designation})", unit.name))
            }
            Of::Leaders => (self.leaders[index].span, self.leaders[index].name.clone()),
            Of::Effectiveness => {
                let formation = &self.formations[self.effectiveness[index].formation];
                (formation.span, format!("the rating of {}", formation.designation))
            }
            Of::Weapons => (self.weapons[index].span, self.weapons[index].name.clone()),
            Of::Supply => (self.supply[index].span, self.supply[index].name.clone()),
            Of::Markers => (self.markers[index].span, self.markers[index].name.clone()),
            Of::Sides => (self.sides[index].span, self.sides[index].name.clone()),
        }
    }
}
