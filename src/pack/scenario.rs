//! The pack of a scenario.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::game::Basis;
use crate::place::Place;
use crate::scenario::definition::{
    DemoralizationDef, LevelDef, OptionalRuleUse, ReleaseDef, SpecialRuleDef, VictoryDef,
};

/// The format of a scenario's pack.
pub const SCENARIO_FORMAT: &str = "orbat.scenario/1";

/// A scenario with everything resolved. Every unit and leader of the order of battle is in it exactly once.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "orbat scenario pack")]
pub struct ScenarioPack {
    /// `orbat.scenario/1`.
    pub format: String,
    /// The game's id.
    pub game: String,
    /// The overlays applied.
    pub overlays: Vec<String>,
    /// Id.
    pub id: String,
    /// Title.
    pub title: String,
    /// Where it is printed.
    pub source: String,
    /// The scenario of which it is a variant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extends: Option<String>,
    /// The briefing, in Markdown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub briefing: String,
    /// The index of the first turn, which is 1.
    pub start: u32,
    /// The index of the last turn: the number of turns.
    pub end: u32,
    /// The turns, in order.
    pub turns: Vec<Turn>,
    /// The hours that it takes to play, as the source states them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hours: Option<f64>,
    /// The side that has the first player turn; absent where the source does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_side: Option<String>,
    /// The side that sets up first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sets_up_first: Option<String>,
    /// The map sections used.
    pub maps: Vec<String>,
    /// The battle whose order of battle it uses, where the game says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub battle: Option<String>,
    /// The alternatives that are fielded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    /// Forces of which the player chooses which comes when.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pools: Vec<Pool>,
    /// The ids of the deployments, in the order in which the source gives them.
    pub deployments: Vec<String>,
    /// Every unit, by id.
    pub units: Vec<ScenarioUnit>,
    /// Every leader, by id.
    pub leaders: Vec<ScenarioLeader>,
    /// Every kind of supply, by id.
    pub supply: Vec<ScenarioSupply>,
    /// Markers that are set up.
    pub markers: Vec<ScenarioMarker>,
    /// Points that the player removes before the start where he likes.
    pub quotas: Vec<Quota>,
    /// Ammunition.
    pub ammunition: BTreeMap<String, Value>,
    /// What scores.
    pub victory: Vec<VictoryDef>,
    /// Levels of victory.
    pub levels: Vec<LevelDef>,
    /// When a side is demoralized.
    pub demoralization: Vec<DemoralizationDef>,
    /// Rules of this scenario alone.
    pub special_rules: Vec<SpecialRuleDef>,
    /// Which optional rules apply.
    pub optional_rules: Vec<OptionalRuleUse>,
    /// Units that may move only from a certain turn.
    pub releases: Vec<ReleaseDef>,
}

/// A turn of a scenario.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Turn {
    /// Its number in the scenario, from 1.
    pub index: u32,
    /// What it is called.
    pub label: String,
    /// The date.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub date: String,
    /// The time, `0740`, or the turn's number.
    pub time: String,
    /// The part of the day.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub part: String,
    /// What is special about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<String>,
}

/// What becomes of something in a scenario.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Fate {
    /// `deployed`, `arrives`, `optional` (arrives if the players want it), `later` (after the end), `withdrawn`, `lost`,
    /// `pool`, or `absent`.
    pub state: String,
    /// Why, where it is not on the map at some time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether the source says nothing of it, and it goes where its command or leader goes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub follows: bool,
    /// The deployment or line of the schedule that says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// Where it starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// Where it starts, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place_text: Option<String>,
    /// In which status it starts or arrives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// When and where it arrives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arrival: Option<Arrival>,
    /// The turn by which it must have left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdraw_by: Option<u32>,
    /// Whether players may leave it out.
    pub optional: bool,
    /// A remark on how it starts or arrives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Forces of which the player chooses which comes when.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Pool {
    /// Id.
    pub id: String,
    /// The side.
    pub side: String,
    /// The turn in which the first chosen ones come without fail.
    pub first: u32,
    /// How many come then, by class.
    pub first_picks: BTreeMap<String, u32>,
    /// The turn from which more may be designated.
    pub then_from: u32,
    /// The turn in which the last one is designated if as many as possible are each turn.
    pub then_until: u32,
    /// How many may be designated each turn.
    pub each_turn: u32,
    /// The rule by which what was designated comes.
    pub rule: String,
    /// Its arrivals.
    pub entries: Vec<String>,
    /// A remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// By what the turn of an arrival is decided, where it is not fixed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Coming {
    /// By a die that is tried each turn.
    Die {
        /// The rule: one of the game's `arrival_rules`.
        rule: String,
        /// The turn of the first attempt.
        from: u32,
    },
    /// By other arrivals: so many turns after the last of them.
    After {
        /// Their ids.
        entries: Vec<String>,
        /// How many turns.
        turns: u32,
    },
    /// By the player, out of a pool.
    Chosen {
        /// The pool.
        pool: String,
        /// What it counts as there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        class: Option<String>,
    },
}

/// How likely something has arrived by a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Odds {
    /// The turn's index in the scenario.
    pub turn: u32,
    /// The probability that it has come in this turn or before, from 0 to 1, rounded to six places.
    pub by: f64,
}

/// When and where something arrives.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Arrival {
    /// The turn's index in the scenario; the earliest where `coming` says that it is not fixed.
    pub turn: u32,
    /// The latest turn, where it is not fixed. It may lie after the last turn of the scenario.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest: Option<u32>,
    /// By what the turn is decided, where it is not fixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coming: Option<Coming>,
    /// The same in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coming_text: Option<String>,
    /// How likely it has come by each turn of the scenario in which it can come, where the turn is not fixed. Of what the
    /// player chooses: if it is designated in the first turn in which that is possible.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub odds: Vec<Odds>,
    /// What the turn is called.
    pub label: String,
    /// The areas, one of which the player chooses.
    pub areas: Vec<String>,
    /// The place, where it is no area.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// The place in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place_text: Option<String>,
}

/// A unit in a scenario.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ScenarioUnit {
    /// The unit's id.
    pub unit: String,
    /// The basis of every value that is not printed, by attribute.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub basis: BTreeMap<String, Basis>,
    /// Whether it starts below what it has in the order of battle.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reduced: bool,
    /// The formation that it belongs to here, where it is another than in the order of battle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assigned_to: Option<String>,
    /// The leader whom it follows here, where he is not that formation's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub led_by: Option<String>,
    /// What becomes of it.
    #[serde(flatten)]
    pub fate: Fate,
    /// The values with which it starts of the attributes that scenarios carry, such as its strength, as far as they are
    /// known.
    #[serde(flatten)]
    pub values: BTreeMap<String, Value>,
}

/// A leader in a scenario.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ScenarioLeader {
    /// The leader's id.
    pub leader: String,
    /// What becomes of him.
    #[serde(flatten)]
    pub fate: Fate,
}

/// Supply of one kind and side in a scenario.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ScenarioSupply {
    /// The id.
    pub supply: String,
    /// What is set up.
    pub deployed: Vec<SupplyLot>,
    /// What arrives.
    pub arriving: Vec<SupplyLot>,
    /// How many are not in the scenario.
    pub absent: u32,
}

/// Some supply that starts or arrives together.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct SupplyLot {
    /// How many.
    pub count: u32,
    /// What becomes of them.
    #[serde(flatten)]
    pub fate: Fate,
}

/// Markers that are set up.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ScenarioMarker {
    /// The marker's id.
    pub marker: String,
    /// The side.
    pub side: String,
    /// How many; absent where nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// Where, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place_text: Option<String>,
}

/// Points that the player removes where he likes.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Quota {
    /// The formation.
    pub formation: String,
    /// How many in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remove: Option<i64>,
    /// How many from each unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<i64>,
    /// The formation from which some must come.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// How many of them at least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least: Option<i64>,
}
