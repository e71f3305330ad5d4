//! What a scenario's author writes.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::place::Place;

/// A scenario. Lives in `scenarios/<game>/<id>.toml`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "orbat scenario")]
pub struct ScenarioFile {
    /// Id; also the file's name.
    pub id: String,
    /// Title.
    pub title: String,
    /// Where it is printed.
    pub source: String,
    /// The battle whose order of battle it uses: the game's where absent. Who belongs to another is not in it.
    #[serde(default)]
    pub battle: Option<String>,
    /// A scenario of which this is a variant: what is not given here is taken from there, lists are joined.
    #[serde(default)]
    pub extends: Option<String>,
    /// Lists that take the place of those of the extended scenario instead of being joined to them.
    #[serde(default)]
    pub replaces: Vec<String>,
    /// The file of the briefing, in Markdown, beside this one.
    #[serde(default)]
    pub briefing: Option<String>,
    /// The first turn: `1863-07-01 0740`, or a number.
    #[serde(default)]
    pub start: Option<String>,
    /// The last turn.
    #[serde(default)]
    pub end: Option<String>,
    /// The number of turns, as the source states it.
    #[serde(default)]
    pub turns: Option<u32>,
    /// The hours that it takes to play, as the source states them.
    #[serde(default)]
    pub hours: Option<f64>,
    /// The side that has the first player turn.
    #[serde(default)]
    pub first_side: Option<String>,
    /// The side that sets up first.
    #[serde(default)]
    pub sets_up_first: Option<String>,
    /// The map sections used; all where empty.
    #[serde(default)]
    pub maps: Vec<String>,
    /// The section of hexes written without a letter.
    #[serde(default)]
    pub default_map: Option<String>,
    /// Alternatives that are fielded, by name: they take the place of the units that they are instead of.
    #[serde(default)]
    pub fields: Vec<String>,
    /// Units that belong to another formation in this scenario.
    #[serde(default)]
    pub assign: Vec<AssignDef>,
    /// Who starts where.
    #[serde(default)]
    pub deploy: Vec<DeployDef>,
    /// Who arrives.
    #[serde(default)]
    pub reinforcements: Option<ReinforcementsDef>,
    /// Who is not in the scenario.
    #[serde(default)]
    pub absent: Vec<AbsentDef>,
    /// Leaders lost before the start.
    #[serde(default)]
    pub lost: Vec<LostDef>,
    /// The sets of reductions that hold at the start.
    #[serde(default)]
    pub reductions: Vec<String>,
    /// Losses before the start that the player distributes.
    #[serde(default)]
    pub quota: Vec<QuotaDef>,
    /// Ammunition.
    #[serde(default)]
    pub ammunition: BTreeMap<String, Json>,
    /// What scores.
    #[serde(default)]
    pub victory: Vec<VictoryDef>,
    /// Levels of victory.
    #[serde(default)]
    pub levels: Vec<LevelDef>,
    /// When a side is demoralized.
    #[serde(default)]
    pub demoralization: Vec<DemoralizationDef>,
    /// Rules of this scenario alone.
    #[serde(default)]
    pub special_rules: Vec<SpecialRuleDef>,
    /// Which optional rules apply.
    #[serde(default)]
    pub optional_rules: Vec<OptionalRuleUse>,
    /// Units that may move only from a certain turn.
    #[serde(default)]
    pub releases: Vec<ReleaseDef>,
}

/// Who starts where.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeployDef {
    /// Id, unique in the scenario.
    pub id: String,
    /// The side.
    pub side: String,
    /// The units: a selection.
    #[serde(default)]
    pub units: Option<String>,
    /// The leaders.
    #[serde(default)]
    pub leaders: Vec<String>,
    /// Supply, by kind.
    #[serde(default)]
    pub supply: BTreeMap<String, u32>,
    /// Markers, by id: a number, or `?`.
    #[serde(default)]
    pub markers: BTreeMap<String, MarkerCount>,
    /// Where.
    #[serde(default)]
    pub place: Option<Place>,
    /// In which status.
    #[serde(default)]
    pub status: Option<String>,
    /// Whether only an optional rule brings it.
    #[serde(default)]
    pub optional: bool,
    /// Whether the limits of stacking do not hold for it.
    #[serde(default)]
    pub overstack: bool,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
    /// Where it is printed.
    #[serde(default)]
    pub source: Option<String>,
}

/// How many markers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum MarkerCount {
    /// So many.
    Known(#[schemars(range(min = 1, max = 10000))] u32),
    /// As many as nobody knows.
    Unknown(UnknownCount),
}

/// What is written for a number that nobody knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum UnknownCount {
    /// Nobody knows.
    #[serde(rename = "?")]
    Unknown,
}

impl MarkerCount {
    /// The number, where it is known.
    pub fn known(self) -> Option<u32> {
        match self {
            MarkerCount::Known(number) => Some(number),
            MarkerCount::Unknown(_) => None,
        }
    }
}

/// Units that belong to another formation, or follow another leader, in one scenario.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AssignDef {
    /// The side.
    pub side: String,
    /// The units: a selection.
    pub units: String,
    /// The formation that they belong to.
    #[serde(default)]
    pub to: Option<String>,
    /// The leader whom they follow, where he is not that formation's.
    #[serde(default)]
    pub led_by: Option<String>,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
    /// Where it is printed.
    #[serde(default)]
    pub source: Option<String>,
}

/// Forces of which the player chooses which comes when.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PoolDef {
    /// Id.
    pub id: String,
    /// The side.
    pub side: String,
    /// The turn in which the first chosen ones come without fail.
    pub first: String,
    /// How many come then, by class.
    pub first_picks: BTreeMap<String, u32>,
    /// The turn from which more may be designated.
    pub then_from: String,
    /// How many may be designated each turn.
    #[schemars(range(min = 1, max = 100))]
    pub each_turn: u32,
    /// The rule by which what was designated comes.
    pub by: String,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
    /// Where it is printed.
    #[serde(default)]
    pub source: Option<String>,
}

/// Who arrives.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReinforcementsDef {
    /// The schedule: the name of its file in `schedules/`.
    #[serde(default)]
    pub schedule: Option<String>,
    /// The first turn of the schedule that counts.
    #[serde(default)]
    pub from: Option<String>,
    /// The last turn of the schedule that counts.
    #[serde(default)]
    pub until: Option<String>,
    /// Arrivals of this scenario alone.
    #[serde(default)]
    pub extra: Vec<ExtraDef>,
    /// Forces of which the player chooses which comes when.
    #[serde(default)]
    pub pools: Vec<PoolDef>,
    /// Lines of the schedule that are different in this scenario.
    #[serde(default)]
    pub replace: Vec<ReplaceDef>,
}

/// An arrival of one scenario alone.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExtraDef {
    /// Id.
    pub id: String,
    /// The side.
    pub side: String,
    /// The turn; with `by`, the first turn in which it may come. Absent where it is told by `after` or `pool`.
    #[serde(default)]
    pub at: Option<String>,
    /// The rule by which it comes, one of the game's `arrival_rules`.
    #[serde(default)]
    pub by: Option<String>,
    /// The arrivals after which it comes: after the last of them.
    #[serde(default)]
    pub after: Vec<String>,
    /// How many turns after them.
    #[serde(default)]
    #[schemars(range(min = 0, max = 200))]
    pub turns_after: Option<u32>,
    /// The pool that it belongs to.
    #[serde(default)]
    pub pool: Option<String>,
    /// What it counts as in its pool.
    #[serde(default)]
    pub class: Option<String>,
    /// The areas, one of which the player chooses.
    #[serde(default)]
    pub areas: Vec<String>,
    /// The place, where it is no area.
    #[serde(default)]
    pub place: Option<Place>,
    /// The units: a selection.
    #[serde(default)]
    pub units: Option<String>,
    /// The leaders.
    #[serde(default)]
    pub leaders: Vec<String>,
    /// Supply, by kind.
    #[serde(default)]
    pub supply: BTreeMap<String, u32>,
    /// In which status.
    #[serde(default)]
    pub status: Option<String>,
    /// Whether players may leave it out.
    #[serde(default)]
    pub optional: bool,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
    /// Where it is printed.
    #[serde(default)]
    pub source: Option<String>,
}

/// A line of the schedule that is different in a scenario.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplaceDef {
    /// The line's id.
    pub entry: String,
    /// Whether it does not happen at all.
    #[serde(default)]
    pub drop: bool,
    /// The units instead.
    #[serde(default)]
    pub units: Option<String>,
    /// The leaders instead.
    #[serde(default)]
    pub leaders: Option<Vec<String>>,
    /// The areas instead.
    #[serde(default)]
    pub areas: Option<Vec<String>>,
    /// Where it is printed.
    #[serde(default)]
    pub source: Option<String>,
}

/// Who is not in the scenario.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AbsentDef {
    /// The scenario's id, a slash and a running number, which errata name it by; never written in a scenario.
    #[serde(default)]
    pub id: Option<String>,
    /// The side.
    pub side: String,
    /// The units: a selection.
    #[serde(default)]
    pub units: Option<String>,
    /// The leaders.
    #[serde(default)]
    pub leaders: Vec<String>,
    /// Supply, by kind.
    #[serde(default)]
    pub supply: BTreeMap<String, u32>,
    /// Why.
    pub reason: AbsenceReason,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
    /// Where it is printed.
    #[serde(default)]
    pub source: Option<String>,
}

/// Why somebody is absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AbsenceReason {
    /// It has left.
    Withdrawn,
    /// It was lost.
    Lost,
    /// The scenario does without it.
    NotInScenario,
    /// It has not yet arrived.
    NotArrived,
}

impl AbsenceReason {
    /// The name used in packs.
    pub fn name(self) -> &'static str {
        match self {
            AbsenceReason::Withdrawn => "withdrawn",
            AbsenceReason::Lost => "lost",
            AbsenceReason::NotInScenario => "not-in-scenario",
            AbsenceReason::NotArrived => "not-arrived",
        }
    }
}

/// Leaders lost before the start.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LostDef {
    /// The scenario's id, a slash and a running number, which errata name it by; never written in a scenario.
    #[serde(default)]
    pub id: Option<String>,
    /// The side.
    pub side: String,
    /// The leaders.
    pub leaders: Vec<String>,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
    /// Where it is printed.
    #[serde(default)]
    pub source: Option<String>,
}

/// Losses before the start that the player distributes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuotaDef {
    /// The scenario's id, a slash and a running number, which errata name it by; never written in a scenario.
    #[serde(default)]
    pub id: Option<String>,
    /// The side.
    pub side: String,
    /// The formation.
    pub of: String,
    /// How many points to remove in all.
    #[serde(default)]
    #[schemars(range(min = 1, max = 10000))]
    pub remove: Option<i64>,
    /// How many points to remove from each unit.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100))]
    pub each: Option<i64>,
    /// A formation from which some must come.
    #[serde(default)]
    pub from: Option<String>,
    /// How many of them at least.
    #[serde(default)]
    pub at_least: Option<i64>,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
    /// Where it is printed.
    #[serde(default)]
    pub source: Option<String>,
}

/// What scores.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VictoryDef {
    /// Who scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// How many points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<i64>,
    /// For what.
    pub kind: VictoryKind,
    /// Where: a feature or area.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// When, in our words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// For each of what.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per: Option<String>,
    /// Where it is printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// For what points are scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum VictoryKind {
    /// For holding a place.
    Objective,
    /// For losses of the enemy.
    Casualties,
    /// For leaving the map.
    Exit,
    /// For what `when` says.
    Condition,
}

/// A level of victory.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LevelDef {
    /// Name.
    pub name: String,
    /// Whose victory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// What is measured, such as `ratio red:blue`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measure: Option<String>,
    /// The measure is at least this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<String>,
    /// The measure is more than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<String>,
    /// The measure is less than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub less: Option<String>,
    /// The measure is at most this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<String>,
    /// When, in our words, where nothing is measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// Where it is printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// When a side is demoralized.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DemoralizationDef {
    /// The side.
    pub side: String,
    /// When its losses are more than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<i64>,
    /// When its losses are at least this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<i64>,
    /// The unit of the losses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// A remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A rule of one scenario alone.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpecialRuleDef {
    /// Title.
    pub title: String,
    /// What it says, in our words, in Markdown.
    pub text: String,
    /// Its place in the book.
    #[serde(default, rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

/// Whether an optional rule applies.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OptionalRuleUse {
    /// The rule's id.
    pub id: String,
    /// `no`, `optional`, `recommended` or `yes`.
    #[serde(rename = "use")]
    pub usage: RuleUse,
    /// From which turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// A remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Whether an optional rule applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RuleUse {
    /// It is not to be used.
    No,
    /// Players decide.
    Optional,
    /// The source advises it.
    Recommended,
    /// It is to be used.
    Yes,
}

/// Units that may move only from a certain turn.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReleaseDef {
    /// The turn.
    pub at: String,
    /// The units: a selection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub units: Option<String>,
    /// What is released, in our words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The form of a count of supply in a cell, `supply-wagon=1`.
pub const COUNTS: &str = r"^[^=|]*[^=|\s][^=|]*=\s*[0-9]{1,9}$";

/// A line of a schedule. Lives in `scenarios/<game>/schedules/<schedule>.csv`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScheduleRow {
    /// Id, unique in the schedule.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9-]*$"))]
    pub id: String,
    /// The schedule; the file's name where absent.
    #[serde(default)]
    pub schedule: Option<String>,
    /// The side.
    pub side: String,
    /// The day; absent in a calendar of numbers.
    #[serde(default)]
    pub day: Option<String>,
    /// The time, `0740`, or the turn's number.
    pub time: String,
    /// Whether it arrives or withdraws; a withdrawal must be done by the turn.
    pub kind: ScheduleKind,
    /// The areas, `|` between, one of which the player chooses.
    #[serde(default)]
    pub areas: Vec<String>,
    /// The units: a selection.
    #[serde(default)]
    pub units: Option<String>,
    /// The leaders, `|` between.
    #[serde(default)]
    pub leaders: Vec<String>,
    /// Supply, `supply-wagon=1`, `|` between.
    #[serde(default)]
    #[schemars(inner(regex(pattern = COUNTS)))]
    pub supply: Vec<String>,
    /// Whether players may leave it out.
    #[serde(default)]
    pub optional: bool,
    /// A remark.
    #[serde(default)]
    pub note: Option<String>,
}

/// What a line of a schedule does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ScheduleKind {
    /// Brings units to the map.
    Arrive,
    /// Takes units from it.
    Withdraw,
}
