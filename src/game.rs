//! The game definition: what `oob/<game>/game.toml` declares.
//!
//! Everything that distinguishes one game system from another is data here; the compiler knows only the kinds of thing
//! that can be declared. The types are read with serde, after the document has been judged against the JSON Schema that
//! schemars generates from them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::Document;

/// A game definition with the places of everything it declares.
pub type Game = Document<GameFile>;

/// A game system. Lives in `oob/<game>/game.toml`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "orbat game definition")]
pub struct GameFile {
    /// The game's id: the name of its folder.
    pub id: String,
    /// The game's title, as printed on its box.
    pub title: String,
    /// Where the data come from: book, edition, publisher.
    pub source: String,
    /// A few words about the game, in Markdown, for the front of its sheets.
    #[serde(default)]
    pub about: String,
    /// The battle whose order of battle this is. A formation at the top of a tree may name another.
    #[serde(default)]
    pub battle: Option<String>,
    /// The print runs that are known, oldest first.
    #[serde(default)]
    pub printings: Vec<String>,
    /// The print run that the base data transcribe.
    #[serde(default)]
    pub printing: Option<String>,
    /// The sides, in the order in which sheets list them.
    pub sides: Vec<SideDef>,
    /// The echelons of formations, highest first.
    pub echelons: Vec<EchelonDef>,
    /// The kinds of unit.
    pub kinds: Vec<KindDef>,
    /// Ranks of leaders, highest first.
    #[serde(default)]
    pub ranks: Vec<RankDef>,
    /// Roles of leaders.
    #[serde(default)]
    pub roles: Vec<RoleDef>,
    /// What can be said of a unit, formation, leader, weapon, … beyond what every game has.
    #[serde(default)]
    pub attributes: Vec<AttributeDef>,
    /// Further tables that give attributes to records of another table.
    #[serde(default)]
    pub supplements: Vec<SupplementDef>,
    /// Assumptions for whole classes of records, where nothing better is known.
    #[serde(default)]
    pub defaults: Vec<DefaultDef>,
    /// Attributes apportioned from a total that the game prints for a formation.
    #[serde(default)]
    pub apportion: Vec<ApportionDef>,
    /// The table of values that units have on some occasion, such as the start of a scenario.
    #[serde(default)]
    pub reductions: Option<String>,
    /// Attributes computed from others.
    #[serde(default)]
    pub derived: Vec<DerivedDef>,
    /// Attributes of formations that sum up attributes of what is below them.
    #[serde(default)]
    pub rollups: Vec<RollupDef>,
    /// The game's own rules about what an order of battle may hold.
    #[serde(default)]
    pub rules: Vec<RuleDef>,
    /// Lookup tables: charts kept as CSV files.
    #[serde(default)]
    pub tables: Vec<LookupDef>,
    /// How counters are made of units, leaders, supply and markers.
    #[serde(default)]
    pub counters: Vec<CounterDef>,
    /// The parts in the game's box, and which records they are for.
    #[serde(default)]
    pub inventory: Vec<InventoryDef>,
    /// Sizes and forms of counters.
    #[serde(default)]
    pub shapes: Vec<ShapeDef>,
    /// The sheets to print.
    #[serde(default)]
    pub sheets: Vec<SheetDef>,
    /// The track of turns.
    #[serde(default)]
    pub calendar: Option<CalendarDef>,
    /// How units come whose turn of arrival is not fixed.
    #[serde(default)]
    pub arrival_rules: Vec<ArrivalRuleDef>,
    /// What distances are measured in, where they are not hexes.
    #[serde(default)]
    pub measure: Option<MeasureDef>,
    /// The map sections.
    #[serde(default)]
    pub maps: Vec<MapDef>,
    /// Hexes that are the same on several sections.
    #[serde(default)]
    pub map_joins: Vec<MapJoinDef>,
    /// Staging areas.
    #[serde(default)]
    pub areas: Vec<AreaDef>,
    /// Named terrain and objectives.
    #[serde(default)]
    pub features: Vec<FeatureDef>,
    /// How many units may be set up in one hex.
    #[serde(default)]
    pub stacking: Option<StackingDef>,
    /// The sheets to print for each scenario.
    #[serde(default)]
    pub scenario_sheets: Vec<SheetDef>,
    /// Rules that players may leave out.
    #[serde(default)]
    pub optional_rules: Vec<OptionalRuleDef>,
    /// Words that mean the same in names: `["Pa", "Penn", "Pennsylvania"]`.
    #[serde(default)]
    pub synonyms: Vec<Vec<String>>,
    /// The source of each table, by the table's name: book and section.
    #[serde(default)]
    pub sources: BTreeMap<String, String>,
    /// Warnings and notes that are known and allowed.
    #[serde(default)]
    pub lints: Vec<LintDef>,
}

/// One side of the war.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SideDef {
    /// Id.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9-]*$"))]
    pub id: String,
    /// Full name.
    pub name: String,
    /// The name as an adjective, for headings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjective: Option<String>,
    /// The counters' colour, as a CSS colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
}

/// A level of the tree of formations.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EchelonDef {
    /// Id.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9-]*$"))]
    pub id: String,
    /// Name.
    pub name: String,
    /// Level: 1 is the highest; echelons of one level may not contain each other.
    pub level: u8,
}

/// A kind of unit.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KindDef {
    /// Id.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9-]*$"))]
    pub id: String,
    /// Name.
    pub name: String,
    /// The arm that it belongs to; `artillery of III` selects by arm. Names and units of one arm must be distinct.
    pub arm: String,
    /// Which table its records stand in: `units` (default) or `supply`.
    #[serde(default = "units")]
    pub of: String,
    /// Whether such a unit goes where the leader of its formation goes: it is meant by a selection only if named itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub with_leader: bool,
    /// The two faces of its counter, front first.
    #[serde(default)]
    pub faces: Vec<FaceDef>,
}

/// A face of a counter: the state that it shows.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FaceDef {
    /// The state of the unit when this face is up.
    pub state: String,
    /// Movement allowance in this state, in movement points, where the game has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movement: Option<u32>,
}

/// A rank of leaders.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RankDef {
    /// The rank as the order of battle prints it.
    pub id: String,
    /// The full word.
    pub name: String,
    /// How a counter shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub insignia: Option<String>,
}

/// A role of leaders.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoleDef {
    /// Id.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9-]*$"))]
    pub id: String,
    /// Name.
    pub name: String,
    /// Whether who has this role leads the formation named in `commands` from the start.
    #[serde(default = "yes")]
    pub leads: bool,
    /// Whether who has this role waits outside every scenario until he is needed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pool: bool,
}

/// Which records something is said about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Of {
    /// Formations.
    Formations,
    /// Units.
    Units,
    /// Leaders.
    Leaders,
    /// Brigade-combat-effectiveness ratings.
    Effectiveness,
    /// Weapons.
    Weapons,
    /// Supply wagons and trains.
    Supply,
    /// Markers.
    Markers,
    /// Sides: for rules about all that one side has.
    Sides,
}

impl Of {
    /// The table's name.
    pub fn table(self) -> &'static str {
        match self {
            Of::Formations => "formations",
            Of::Units => "units",
            Of::Leaders => "leaders",
            Of::Effectiveness => "effectiveness",
            Of::Weapons => "weapons",
            Of::Supply => "supply",
            Of::Markers => "markers",
            Of::Sides => "sides",
        }
    }
}

/// The type of an attribute's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Type {
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// Text.
    Text,
    /// One of `choices`, or the id of a record of `table`.
    Choice,
}

/// Something that can be said of a record.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttributeDef {
    /// Whose attribute it is.
    pub of: Of,
    /// Its name: the column's heading in the table and the field's name in the pack.
    pub name: String,
    /// The type of its values.
    #[serde(rename = "type")]
    pub kind: Type,
    /// What a sheet calls it.
    pub label: String,
    /// A shorter label for narrow columns.
    #[serde(default)]
    pub short: Option<String>,
    /// The unit of measure.
    #[serde(default)]
    pub unit: Option<String>,
    /// What it means.
    #[serde(default)]
    pub help: Option<String>,
    /// The smallest allowed number.
    #[serde(default)]
    pub min: Option<i64>,
    /// The largest allowed number.
    #[serde(default)]
    pub max: Option<i64>,
    /// The allowed texts.
    #[serde(default)]
    pub choices: Vec<String>,
    /// The table whose ids are the allowed texts.
    #[serde(default)]
    pub table: Option<String>,
    /// The kinds of unit that carry it; all where empty.
    #[serde(default)]
    pub kinds: Vec<String>,
    /// The echelons of formation that carry it; all where empty.
    #[serde(default)]
    pub echelons: Vec<String>,
    /// The roles of leader that carry it; all where empty.
    #[serde(default)]
    pub roles: Vec<String>,
    /// Whether a record that should carry it and does not is worth a warning. `?` in the cell says that nobody knows.
    #[serde(default)]
    pub expected: bool,
    /// The basis of its values where the table prints them; `printed` where not said.
    #[serde(default)]
    pub basis: Option<Basis>,
    /// Whether the value that a unit starts with stands in the packs of scenarios. The first such attribute is the one
    /// of which losses are told.
    #[serde(default)]
    pub in_scenarios: bool,
}

/// Where a value comes from, as a kind of trust.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// The source prints it.
    Printed,
    /// An official erratum says so.
    Errata,
    /// A ruling of this project says so.
    Ruling,
    /// It is the only value that fits the printed totals and bounds.
    Deduced,
    /// It is worked out from men or guns present.
    Reconstructed,
    /// It is an assumption for a whole class.
    Default,
}

impl Basis {
    /// The name used in data and packs.
    pub fn name(self) -> &'static str {
        match self {
            Basis::Printed => "printed",
            Basis::Errata => "errata",
            Basis::Ruling => "ruling",
            Basis::Deduced => "deduced",
            Basis::Reconstructed => "reconstructed",
            Basis::Default => "default",
        }
    }
}

/// A table of its own that gives attributes to records of another.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SupplementDef {
    /// The table's name; its file is `<name>.csv`.
    pub name: String,
    /// Whose attributes its columns are.
    pub of: Of,
    /// The column that names the record: an id or another reference.
    pub key: String,
    /// The basis of its values, by attribute; `printed` where not said.
    #[serde(default)]
    pub basis: BTreeMap<String, Basis>,
    /// Further columns, which are kept as remarks and reach no pack.
    #[serde(default)]
    pub remarks: Vec<String>,
}

/// An assumption for a whole class of records.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DefaultDef {
    /// Whose attribute.
    pub of: Of,
    /// The attribute.
    pub attribute: String,
    /// An expression that is true of the records that it applies to.
    #[serde(default)]
    pub when: Option<String>,
    /// The value assumed, as a cell would hold it.
    pub value: String,
    /// The evidence for it.
    pub source: String,
}

/// How an attribute of units is apportioned from a formation's total.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ApportionDef {
    /// The attribute of units to fill where it is not known.
    pub attribute: String,
    /// The column of the `effectiveness` table that holds the formation's total.
    pub total: String,
    /// The attribute of units in proportion to which it is shared out.
    pub weight: String,
    /// An expression that is true of the units that share in the total; all units directly in the formation where absent.
    #[serde(default)]
    pub when: Option<String>,
    /// The least that any unit can have.
    #[serde(default = "one")]
    pub least: i64,
    /// Whether what the table of `reductions` gives is lower than the units' own values, and so bounds them.
    #[serde(default)]
    pub bounded_by_reductions: bool,
    /// What to do with a unit whose weight is not known: leave the whole formation unknown, or assume the mean weight of
    /// the formation's other units (equal shares where none is known) and mark the unit's value as a default.
    #[serde(default)]
    pub unknown_weight: UnknownWeight,
}

/// What to do with a unit whose weight is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum UnknownWeight {
    /// Leave the values of the formation unknown.
    #[default]
    Leave,
    /// Assume the mean of the others.
    Mean,
}

/// An attribute computed from others.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DerivedDef {
    /// Whose attribute.
    pub of: Of,
    /// The attribute; it must be declared.
    pub attribute: String,
    /// An expression that is true of the records that it applies to.
    #[serde(default)]
    pub when: Option<String>,
    /// The expression of its value; an undefined value leaves the attribute unknown.
    pub value: String,
    /// The basis of the value; where not said it is the weakest basis of the attributes that the expression reads.
    #[serde(default)]
    pub basis: Option<Basis>,
    /// The rule that says so.
    pub source: String,
}

/// An attribute of formations that sums up attributes of everything below them. Where something has no value there is no
/// sum, only a known part of it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RollupDef {
    /// The attribute of formations; it must be declared.
    pub attribute: String,
    /// The attribute of units that is summed up.
    #[serde(default)]
    pub units: Option<String>,
    /// The attribute of leaders that is added for those who command the formation or one below it.
    #[serde(default)]
    pub leaders: Option<String>,
    /// The echelons of formation that get a sum; all where empty.
    #[serde(default)]
    pub echelons: Vec<String>,
    /// The rule that says so.
    pub source: String,
}

/// A part in the game's box.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InventoryDef {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// How many there are.
    pub count: u32,
    /// The records that they are for; absent where no table lists them.
    #[serde(default)]
    pub of: Option<Of>,
    /// An expression that is true of the records that they are for.
    #[serde(default)]
    pub when: Option<String>,
    /// The expression of how many each record takes; 1 where absent.
    #[serde(default)]
    pub each: Option<String>,
    /// Where it is printed.
    #[serde(default)]
    pub source: Option<String>,
}

/// How units come whose turn of arrival is not fixed: by a die that is tried turn after turn.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArrivalRuleDef {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// How many faces the die has.
    #[schemars(range(min = 2, max = 100))]
    pub die: u32,
    /// The highest roll that succeeds at the first, second, … attempt. With the last of them it comes without fail, so that
    /// must be all faces of the die.
    #[schemars(length(min = 1, max = 100))]
    pub succeeds_up_to: Vec<u32>,
    /// Where it is printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// What distances are measured in.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeasureDef {
    /// The unit: `inch`, `cm`.
    pub unit: String,
    /// How it is written behind a number.
    pub symbol: String,
}

/// A rule of the game about what an order of battle may hold.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleDef {
    /// Id, in kebab case.
    pub id: String,
    /// What it is about.
    pub of: Of,
    /// An expression that is true of the records that it applies to.
    #[serde(default)]
    pub when: Option<String>,
    /// The expression that must be true.
    pub must: String,
    /// What is wrong where it is not, as a template.
    pub message: String,
    /// What to do about it.
    #[serde(default)]
    pub help: Option<String>,
    /// Whether a breach is an error (default) or a warning.
    #[serde(default)]
    pub warning: bool,
    /// The rule's place in the book.
    #[serde(default)]
    pub source: Option<String>,
}

/// A chart kept as a CSV file: row labels in the first column, column labels in the header.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LookupDef {
    /// Id.
    pub id: String,
    /// Title.
    pub title: String,
    /// The file, relative to the game's folder.
    pub file: String,
    /// Where it is printed.
    pub source: String,
    /// What the rows are.
    pub rows: AxisDef,
    /// What the columns are.
    pub columns: AxisDef,
    /// What the cells are.
    pub cells: CellsDef,
}

/// An axis of a chart.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AxisDef {
    /// What it counts or names; for rows it is also the heading of the file's first column.
    pub name: String,
    /// The type of its labels.
    #[serde(rename = "type")]
    pub kind: AxisType,
    /// The table whose ids its labels are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The unit of measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
}

/// The type of an axis' labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AxisType {
    /// Text.
    Text,
    /// Whole numbers and ranges of them: `3`, `4-11`, `21+`. They must ascend without overlap.
    Range,
}

/// The cells of a chart.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CellsDef {
    /// The type of the cells; `-` is a cell in which the chart says that there is nothing.
    #[serde(rename = "type")]
    pub kind: CellType,
    /// The allowed texts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// What the choices mean, by choice.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub legend: BTreeMap<String, String>,
}

/// The type of a chart's cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CellType {
    /// Text, one of `choices` where there are any.
    Text,
    /// Whole numbers.
    Integer,
    /// A factor: `2x`, `½x`.
    Multiplier,
}

/// How counters are made.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CounterDef {
    /// What they are made of.
    pub of: Of,
    /// An expression that is true of the records that it applies to; the first definition that applies makes the counter.
    #[serde(default)]
    pub when: Option<String>,
    /// The expression of how many pieces of it there are; where absent one, or the record's `count`.
    #[serde(default)]
    pub copies: Option<String>,
    /// The id of its shape.
    pub shape: String,
    /// The counter sheet that it is on.
    pub sheet: String,
    /// The texts of the front, each a template; an empty text is left out.
    pub front: BTreeMap<String, String>,
    /// The texts of the back.
    #[serde(default)]
    pub back: BTreeMap<String, String>,
}

/// The form of a counter.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShapeDef {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// Width in hundredths of a millimetre.
    #[schemars(range(min = 100, max = 100000))]
    pub width: u32,
    /// Height in hundredths of a millimetre.
    #[schemars(range(min = 100, max = 100000))]
    pub height: u32,
}

/// A sheet to print.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SheetDef {
    /// Id: the sheet's file name and what `orbat print` takes.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9-]*$"))]
    pub id: String,
    /// Title.
    pub title: String,
    /// The template's name without extension; `templates/<name>.html` and `.md` are rendered where they exist.
    #[schemars(regex(pattern = r"^[A-Za-z0-9_][A-Za-z0-9_.-]*$"))]
    pub template: String,
    /// One sheet for the whole game, or one for each formation of `echelons` that has units.
    #[serde(default)]
    pub per: Per,
    /// The echelons whose formations get a sheet.
    #[serde(default)]
    pub echelons: Vec<String>,
    /// Whether a formation gets a sheet although all its units are in formations below it.
    #[serde(default)]
    pub whole_tree: bool,
}

/// How many sheets a definition makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Per {
    /// One for the game.
    #[default]
    Game,
    /// One for each side.
    Side,
    /// One for each formation of the named echelons that has units of its own.
    Formation,
}

/// The track of turns.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CalendarDef {
    /// How turns are told apart: by the clock, or by number alone.
    pub kind: CalendarKind,
    /// The days, in order, of a calendar by the clock.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub days: Vec<DayDef>,
    /// The parts of each day, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<DayPartDef>,
}

/// How turns are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CalendarKind {
    /// By day and time.
    Clock,
    /// By number.
    Numbered,
}

/// A day of the calendar.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DayDef {
    /// The date, `1863-07-01`.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    pub id: String,
    /// What labels call it.
    pub name: String,
}

/// A part of each day in which turns are of one length.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DayPartDef {
    /// Id, such as `day` or `night`.
    pub id: String,
    /// Name.
    pub name: String,
    /// The first turn's time, `0400`.
    #[schemars(regex(pattern = r"^\d{4}$"))]
    pub from: String,
    /// The last turn's time; one that is earlier than the first is after midnight.
    #[schemars(regex(pattern = r"^\d{4}$"))]
    pub to: String,
    /// Minutes from turn to turn.
    #[schemars(range(min = 1, max = 1440))]
    pub minutes: u32,
    /// Turns that are special.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<TurnMarkDef>,
}

/// What is special about some turns.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnMarkDef {
    /// What it is called.
    pub label: String,
    /// The times of the turns.
    pub times: Vec<String>,
    /// Whether nothing can arrive in such a turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_arrivals: bool,
}

/// A map section.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MapDef {
    /// Id: the letter before its hexes' numbers.
    pub id: String,
    /// Name.
    pub name: String,
    /// The first and last hexrow.
    pub rows: [u32; 2],
    /// The first and last column.
    pub columns: [u32; 2],
    /// How a hex is numbered: `RRCC` is hexrow then column, two digits each.
    pub pattern: String,
    /// The basis of the extent, where it is not printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub basis: Option<Basis>,
    /// Where it is printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// A remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Hexes that are the same on several sections.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MapJoinDef {
    /// The hexes.
    pub hexes: Vec<String>,
    /// Where it is printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// A staging area.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AreaDef {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// Kind, such as `staging`.
    pub kind: String,
    /// The sides to which it is open.
    pub sides: Vec<String>,
    /// The hex by which it is left for the map.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entrance: Option<String>,
    /// Where it is, on a measured map.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<crate::place::Place>,
    /// Where it is printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// A remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Named terrain.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FeatureDef {
    /// Id.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9-]*$"))]
    pub id: String,
    /// Name, as sentences use it.
    pub name: String,
    /// Kind: hill, ridge, road, stream, …
    pub kind: String,
    /// Its hexes, as far as they are printed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hexes: Vec<String>,
    /// Whether holding it scores.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub objective: bool,
    /// Where it is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// A remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// How many units may be set up in one hex.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StackingDef {
    /// The attribute of units that is counted.
    pub attribute: String,
    /// The most units in a hex.
    pub units: u32,
    /// The most points in a hex.
    pub points: i64,
    /// The status in which more may stand in a hex.
    #[serde(default)]
    pub reserve_status: Option<String>,
    /// The most points in that status; a whole formation may exceed it.
    #[serde(default)]
    pub reserve_points: Option<i64>,
    /// The rule's place in the book.
    #[serde(default)]
    pub source: Option<String>,
}

/// A rule that players may leave out.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OptionalRuleDef {
    /// Id.
    pub id: String,
    /// Title.
    pub title: String,
    /// Its place in the book.
    #[serde(rename = "ref")]
    pub reference: String,
    /// What it does, in our words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
}

fn units() -> String {
    "units".into()
}

fn yes() -> bool {
    true
}

fn one() -> i64 {
    1
}

impl GameFile {
    /// The kind of an id.
    pub fn kind(&self, id: &str) -> Option<&KindDef> {
        self.kinds.iter().find(|kind| kind.id == id)
    }

    /// The echelon of an id.
    pub fn echelon(&self, id: &str) -> Option<&EchelonDef> {
        self.echelons.iter().find(|echelon| echelon.id == id)
    }

    /// The side of an id.
    pub fn side(&self, id: &str) -> Option<&SideDef> {
        self.sides.iter().find(|side| side.id == id)
    }

    /// The attribute of a name.
    pub fn attribute(&self, of: Of, name: &str) -> Option<&AttributeDef> {
        self.attributes
            .iter()
            .find(|attribute| attribute.of == of && attribute.name == name)
    }

    /// The attributes of units that stand in the packs of scenarios, in declared order.
    pub fn scenario_attributes(&self) -> impl Iterator<Item = &AttributeDef> {
        self.attributes_of(Of::Units)
            .filter(|attribute| attribute.in_scenarios)
    }

    /// The attributes of a kind of record, in declared order.
    pub fn attributes_of(&self, of: Of) -> impl Iterator<Item = &AttributeDef> {
        self.attributes.iter().filter(move |attribute| attribute.of == of)
    }
}

/// A warning or note that is known and allowed.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LintDef {
    /// The code of the finding, as `orbat explain` lists them.
    pub code: String,
    /// Only in this file: its path in the project, such as `oob/mygame/units.csv`.
    #[serde(default)]
    pub at: Option<String>,
    /// Only about this record: its id, its name, or what the message calls it.
    #[serde(default)]
    pub of: Option<String>,
    /// Why it is right as it is.
    pub reason: String,
}

/// Warnings and notes that are known and allowed in all games of a project. Lives in `lints.toml` beside `oob/`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "orbat lints")]
pub struct LintFile {
    /// What is allowed.
    #[serde(default)]
    pub lints: Vec<LintDef>,
}
