//! The pack: the one documented, versioned form in which an order of battle leaves the compiler.
//!
//! These types are the API. Nothing internal is in them: no spans, no indices, no absolute paths, no clock. Lists are
//! sorted by id, maps by key, so the same input gives the same bytes. A value that is not known is absent.

pub mod scenario;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::errata::{EntryKind, Outcome, OverlayKind};
use crate::game::{
    AreaDef, ArrivalRuleDef, AxisDef, Basis, CalendarDef, CellsDef, EchelonDef, FeatureDef, KindDef, MapDef,
    MapJoinDef, MeasureDef, Of, OptionalRuleDef, RankDef, RoleDef, ShapeDef, SideDef, Type,
};

/// The format that this version writes. The number changes when a field changes its meaning or goes.
pub const PACK_FORMAT: &str = "orbat.pack/1";
/// The format of `dist/manifest.json`.
pub const MANIFEST_FORMAT: &str = "orbat.manifest/1";
/// The format of a counter manifest.
pub const COUNTERS_FORMAT: &str = "orbat.counters/1";

/// A game's order of battle with everything resolved.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "orbat pack")]
pub struct Pack {
    /// `orbat.pack/1`.
    pub format: String,
    /// The game and what it declares.
    pub game: GameInfo,
    /// Which overlays were applied.
    pub edition: EditionInfo,
    /// The sides, in the game's order.
    pub sides: Vec<SideDef>,
    /// Formations, by id.
    pub formations: Vec<Formation>,
    /// Units, by id.
    pub units: Vec<Unit>,
    /// Leaders, by id.
    pub leaders: Vec<Leader>,
    /// Brigade-combat-effectiveness ratings, by formation.
    pub effectiveness: Vec<Effectiveness>,
    /// Weapons, by id.
    pub weapons: Vec<Item>,
    /// Supply wagons and trains, by id.
    pub supply: Vec<Item>,
    /// The track of turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calendar: Option<CalendarDef>,
    /// Map sections.
    pub maps: Vec<MapDef>,
    /// Hexes that are the same on several sections.
    pub map_joins: Vec<MapJoinDef>,
    /// What distances are measured in, where they are not hexes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measure: Option<MeasureDef>,
    /// How units come whose turn of arrival is not fixed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arrival_rules: Vec<ArrivalRuleDef>,
    /// Staging areas and areas of deployment.
    pub areas: Vec<AreaDef>,
    /// Named terrain and objectives.
    pub features: Vec<FeatureDef>,
    /// Charts, in the game's order.
    pub tables: Vec<Chart>,
    /// Markers, by id.
    pub markers: Vec<Item>,
    /// Every counter of the game: of units, leaders, supply and markers.
    pub counters: Vec<Counter>,
    /// The parts in the game's box, and how many of them the game's records take.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inventory: Vec<Part>,
    /// Rules that players may leave out.
    pub optional_rules: Vec<OptionalRuleDef>,
    /// The entries of the overlays of this edition, in the order in which they apply.
    pub errata: Vec<Erratum>,
    /// The scenarios, by id, each in `scenarios/<id>.json`.
    pub scenarios: Vec<String>,
    /// Where a value comes from, for every value that an overlay or a reconstruction made: `units/<id>/<field>`.
    pub provenance: BTreeMap<String, Provenance>,
}

/// The game and what it declares.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct GameInfo {
    /// Id.
    pub id: String,
    /// Title.
    pub title: String,
    /// Where the data come from.
    pub source: String,
    /// A few words about the game, in Markdown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// The battle whose order of battle this is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub battle: Option<String>,
    /// The print run that the base data transcribe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printing: Option<String>,
    /// The echelons, highest first.
    pub echelons: Vec<EchelonDef>,
    /// The kinds of unit and of supply.
    pub kinds: Vec<KindDef>,
    /// The ranks, highest first.
    pub ranks: Vec<RankDef>,
    /// The roles of leaders.
    pub roles: Vec<RoleDef>,
    /// The attributes that records may have.
    pub attributes: Vec<AttributeInfo>,
    /// The forms of counters.
    pub shapes: Vec<ShapeDef>,
    /// The source of each table, by the table's name.
    pub sources: BTreeMap<String, String>,
}

/// An attribute that records may have.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct AttributeInfo {
    /// Whose.
    pub of: Of,
    /// Name: the field in the record.
    pub name: String,
    /// The type of its values.
    #[serde(rename = "type")]
    pub kind: Type,
    /// What a sheet calls it.
    pub label: String,
    /// A shorter label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub short: Option<String>,
    /// The unit of measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// What it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The texts that it may have, in the game's order, where they are listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// Whether the value that a unit starts with stands in the packs of scenarios.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_scenarios: bool,
    /// The kinds of unit, echelons of formation or roles of leader that carry it; all where empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub carried_by: Vec<String>,
}

/// Which overlays were applied.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct EditionInfo {
    /// Their ids, in the order in which they apply.
    pub overlays: Vec<String>,
    /// What they are, by id.
    pub details: BTreeMap<String, OverlayInfo>,
}

/// An overlay.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct OverlayInfo {
    /// Title.
    pub title: String,
    /// Date of publication.
    pub date: String,
    /// Where it was published.
    pub source: String,
    /// Whose word it is.
    pub kind: OverlayKind,
}

/// A formation.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Formation {
    /// Id.
    pub id: String,
    /// Its side.
    pub side: String,
    /// The formation above it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// Its echelon.
    pub echelon: String,
    /// Name, as printed or corrected.
    pub name: String,
    /// Its part of a designation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abbr: Option<String>,
    /// Designation: `3/Heth/III`.
    pub designation: String,
    /// Its leader's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leader: Option<String>,
    /// The battle to whose order of battle it belongs, where the game says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub battle: Option<String>,
    /// What is known of sums that are not known, by attribute. The attribute itself is then absent.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub partial: BTreeMap<String, Partial>,
    /// Place among its sisters on sheets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<i64>,
    /// A remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The basis of every attribute that is not printed.
    pub basis: BTreeMap<String, Basis>,
    /// Attributes, as the game declares them.
    #[serde(flatten)]
    pub attributes: BTreeMap<String, Value>,
}

/// What is known of a sum to which something contributes that has no value.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Partial {
    /// The sum of what is known.
    pub known: i64,
    /// The units without a value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub units: Vec<String>,
    /// The leaders without a value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leaders: Vec<String>,
}

/// A part in the game's box.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// How many there are.
    pub count: u32,
    /// How many the records of all scenarios take, as far as that is known; absent where no table lists the part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used: Option<i64>,
    /// How many records take a number that nobody knows.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub uncounted: usize,
    /// Where it is printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A unit.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Unit {
    /// Id.
    pub id: String,
    /// Its side.
    pub side: String,
    /// The formation that it belongs to.
    pub formation: String,
    /// Its kind.
    pub kind: String,
    /// Name, as printed or corrected.
    pub name: String,
    /// Short name.
    pub abbr: String,
    /// The units that it takes the place of, if players choose it: an alternative is not fielded unless a scenario says so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instead_of: Vec<String>,
    /// Place among its sisters on sheets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<i64>,
    /// A remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The basis of every attribute that is not printed.
    pub basis: BTreeMap<String, Basis>,
    /// Attributes, as the game declares them.
    #[serde(flatten)]
    pub attributes: BTreeMap<String, Value>,
}

/// A leader.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Leader {
    /// Id.
    pub id: String,
    /// His side.
    pub side: String,
    /// Name.
    pub name: String,
    /// Short name.
    pub abbr: String,
    /// Rank, as printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<String>,
    /// Role.
    pub role: String,
    /// The formation that he commands or comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commands: Option<String>,
    /// Whether he is in the game.
    pub present: bool,
    /// Place among his peers on sheets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<i64>,
    /// A remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The basis of every attribute that is not printed.
    pub basis: BTreeMap<String, Basis>,
    /// Attributes, as the game declares them.
    #[serde(flatten)]
    pub attributes: BTreeMap<String, Value>,
}

/// A brigade-combat-effectiveness rating.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Effectiveness {
    /// The formation.
    pub formation: String,
    /// How many boxes are ticked before effectiveness is lost: it is lost with the last of them.
    pub boxes: i64,
    /// The formation's total strength.
    pub total: i64,
    /// The basis of every value that is not printed.
    pub basis: BTreeMap<String, Basis>,
}

/// A weapon, a kind of marker, or supply.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Item {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// Its side, where it is one side's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// Its kind, of supply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The text of the front, of a marker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub front: Option<String>,
    /// The text of the back, of a marker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back: Option<String>,
    /// How many there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<i64>,
    /// The counter sheet, of a marker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// A remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The basis of every value that is not printed.
    pub basis: BTreeMap<String, Basis>,
    /// Attributes, as the game declares them.
    #[serde(flatten)]
    pub attributes: BTreeMap<String, Value>,
}

/// A chart.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Chart {
    /// Id.
    pub id: String,
    /// Title.
    pub title: String,
    /// Where it is printed.
    pub source: String,
    /// What the rows are.
    pub row_axis: AxisDef,
    /// What the columns are.
    pub column_axis: AxisDef,
    /// What the cells are.
    pub cell: CellsDef,
    /// The labels of the rows: a text, or `{from, to}` for a range of whole numbers (no `to`: without end).
    pub rows: Vec<Value>,
    /// The labels of the columns, likewise.
    pub columns: Vec<Value>,
    /// The cells, row by row; null where the chart says that there is nothing, or where its text is lost.
    pub cells: Vec<Vec<Value>>,
    /// The cells whose text the source has lost, as indices of row and column.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<[usize; 2]>,
}

/// A counter, or several that are alike.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Counter {
    /// Id: the table and the id of what it stands for.
    pub id: String,
    /// The table of what it stands for.
    pub of: Of,
    /// The id of what it stands for.
    pub record: String,
    /// Its side, where it is one side's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// Its kind: the kind of unit or supply, the role of a leader, or `marker`.
    pub kind: String,
    /// Its form.
    pub shape: String,
    /// The counter sheet that it is on.
    pub sheet: String,
    /// How many there are; absent where nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<i64>,
    /// The texts of the front, by place.
    pub front: BTreeMap<String, String>,
    /// The texts of the back, by place.
    pub back: BTreeMap<String, String>,
    /// The basis of every value shown that is not printed.
    pub basis: BTreeMap<String, Basis>,
    /// What the published counter says wrongly.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub misprints: Vec<Misprint>,
    /// A remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Something that a published counter says wrongly.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Misprint {
    /// The side of the counter.
    pub side: crate::errata::CounterSide,
    /// The place on it.
    pub field: String,
    /// What the counter says; absent where nobody says what.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printed: Option<String>,
    /// What the game means.
    pub meant: String,
    /// The overlay that says so.
    pub overlay: String,
    /// Its entry.
    #[serde(rename = "ref")]
    pub reference: String,
}

/// An entry of an overlay and what became of it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Erratum {
    /// The overlay's id.
    pub overlay: String,
    /// The rule or page that it corrects.
    #[serde(rename = "ref")]
    pub reference: String,
    /// What kind of correction it says it is.
    pub kind: EntryKind,
    /// What it does to the data.
    pub op: String,
    /// What it says, in Markdown.
    pub summary: String,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The records that it concerns, for people; absent where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The record that took the place of the targets, where several became one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub into: Option<String>,
    /// The values before, by field.
    pub was: BTreeMap<String, String>,
    /// The values after, by field.
    pub now: BTreeMap<String, String>,
    /// What became of it.
    pub outcome: Outcome,
}

/// Where a value comes from.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Provenance {
    /// The file, relative to the project.
    pub file: String,
    /// The line, from 1; in a workbook, the row.
    pub line: u32,
    /// The column, from 1, in Unicode scalar values; in a workbook, the number of the cell's column.
    pub column: u32,
    /// The cell, where the file is a workbook: `units!D17`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<String>,
    /// The overlay that wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlay: Option<String>,
    /// The overlay's entry.
    #[serde(default, rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

/// A counter manifest: every counter of a game.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "orbat counter manifest")]
pub struct CounterManifest {
    /// `orbat.counters/1`.
    pub format: String,
    /// The game's id.
    pub game: String,
    /// Which overlays were applied.
    pub overlays: Vec<String>,
    /// The counters.
    pub counters: Vec<Counter>,
    /// How many there are of each side and kind.
    pub totals: Vec<CounterTotal>,
}

/// How many counters there are of a side and kind.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct CounterTotal {
    /// The side; absent for those of no side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// The kind.
    pub kind: String,
    /// How many counters are known.
    pub count: i64,
    /// How many entries have a number that nobody knows.
    pub uncounted: i64,
}

/// `dist/manifest.json`: what a build wrote, and from what.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "orbat build manifest")]
pub struct Manifest {
    /// `orbat.manifest/1`.
    pub format: String,
    /// SHA-256 over the paths and contents of everything that was read, in hexadecimal.
    pub inputs: String,
    /// The games built, with the overlays applied.
    pub games: BTreeMap<String, EditionInfo>,
    /// The files written, by path.
    pub files: Vec<FileInfo>,
}

/// A file of a build.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct FileInfo {
    /// Path, relative to `dist`.
    pub path: String,
    /// Size in bytes.
    pub size: u64,
    /// SHA-256 of the contents, in hexadecimal.
    pub sha256: String,
}

impl Pack {
    /// The pack as it is written: pretty, with a final newline.
    pub fn to_text(&self) -> String {
        to_text(self)
    }
}

/// A value as it is written: pretty JSON with a final newline.
pub fn to_text<T: Serialize>(value: &T) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
