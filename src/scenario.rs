//! Scenarios: what authors write, and what becomes of it when every name and moment is resolved.
//!
//! The lists that errata may correct (deployments, absences, losses, quotas, and the lines of schedules) are records like
//! those of the order of battle; the rest of a scenario is a typed document.

pub mod account;
pub mod arrival;
pub mod definition;
pub mod moment;
pub mod resolve;

use std::collections::{BTreeMap, BTreeSet};

use crate::calendar::Turn;
use crate::place::Place;
use crate::source::{FileId, Span};

pub use definition::ScenarioFile;

/// The folder of scenarios.
pub const FOLDER: &str = "scenarios";

/// The tables whose records stand in scenario files, with the key under which a scenario holds them.
pub const LISTS: [(&str, &str); 4] = [
    ("deploy", "deployments"),
    ("absent", "absences"),
    ("lost", "losses"),
    ("quota", "quotas"),
];

/// The names of a game's schedules.
pub fn schedules(records: &crate::record::Records) -> Vec<String> {
    let table = records.table(SCHEDULE);
    let named = table
        .into_iter()
        .flat_map(|table| table.rows().filter_map(|row| table.text(row, "schedule")));
    let names: BTreeSet<&str> = named.collect();
    names.into_iter().map(str::to_owned).collect()
}

/// The table of the lines of schedules.
pub const SCHEDULE: &str = "schedule";

/// A scenario with everything resolved.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// What the author wrote, with what it extends.
    pub file: ScenarioFile,
    /// The file.
    pub source: FileId,
    /// The places of its parts: `start`, `turns`, …
    pub spans: BTreeMap<String, Span>,
    /// The briefing, in Markdown.
    pub briefing: String,
    /// The turns that are played.
    pub turns: Vec<Turn>,
    /// The first and last turn of the schedule that count, as indices into the calendar.
    pub window: (usize, usize),
    /// The alternatives that are fielded, as indices into the model's units.
    pub fields: Vec<usize>,
    /// Units that belong elsewhere than in the order of battle.
    pub assignments: Vec<Assignment>,
    /// Forces of which the player chooses which comes when.
    pub pools: Vec<Pool>,
    /// Who starts where.
    pub deployments: Vec<Deployment>,
    /// Who arrives or leaves, and when: the schedule's lines and the scenario's own.
    pub movements: Vec<Movement>,
    /// Who is declared absent.
    pub absences: Vec<Absence>,
    /// Leaders lost before the start.
    pub losses: Vec<Loss>,
    /// Losses that the player distributes.
    pub quotas: Vec<Quota>,
    /// What became of each unit, in the model's order.
    pub units: Vec<Standing>,
    /// What became of each leader, in the model's order.
    pub leaders: Vec<Standing>,
    /// What became of supply, by id.
    pub supply: Vec<SupplyStanding>,
    /// The units that a reference which failed may have meant: that they are missing is no fault of its own.
    pub doubtful: BTreeSet<usize>,
    /// The sides of which something could not be read: what of them is not accounted for may stand there.
    pub doubtful_sides: BTreeSet<String>,
    /// The values of attributes with which units start that are not their own, by unit and attribute.
    pub reduced: BTreeMap<usize, BTreeMap<String, (i64, Span)>>,
}

impl Scenario {
    /// The value of an attribute with which a unit starts that is not its own.
    pub fn reduced_to(&self, unit: usize, attribute: &str) -> Option<(i64, Span)> {
        self.reduced.get(&unit)?.get(attribute).copied()
    }
}

/// Units that belong to another formation, or follow another leader, than in the order of battle.
#[derive(Debug, Clone)]
pub struct Assignment {
    /// The units, as indices into the model's.
    pub units: Vec<usize>,
    /// The formation, as an index into the model's.
    pub to: Option<usize>,
    /// The leader, as an index into the model's.
    pub led_by: Option<usize>,
    /// A remark.
    pub note: Option<String>,
    /// Where it stands.
    pub span: Span,
}

/// Forces of which the player chooses which comes when.
#[derive(Debug, Clone)]
pub struct Pool {
    /// What the author wrote.
    pub file: definition::PoolDef,
    /// The turn in which the first chosen ones come, as an index into the calendar.
    pub first: usize,
    /// The turn from which more may be designated, as an index into the calendar.
    pub then_from: usize,
    /// The last turn in which one is designated if one is each turn, as an index into the calendar.
    pub then_until: usize,
    /// The rule by which what was designated comes, as an index into the game's.
    pub rule: usize,
    /// The ids of its arrivals.
    pub entries: Vec<String>,
}

/// Units, leaders and supply that start somewhere.
#[derive(Debug, Clone)]
pub struct Deployment {
    /// Id, unique in the scenario.
    pub id: String,
    /// The side.
    pub side: String,
    /// The units, as indices into the model's.
    pub units: Vec<usize>,
    /// The leaders, as indices into the model's.
    pub leaders: Vec<usize>,
    /// Supply, by kind.
    pub supply: BTreeMap<String, u32>,
    /// Markers, by id; absent where the number is not known.
    pub markers: BTreeMap<String, Option<u32>>,
    /// Where.
    pub place: Option<Place>,
    /// In which status.
    pub status: Option<String>,
    /// Whether only an optional rule brings it.
    pub optional: bool,
    /// Whether the limits of stacking do not hold for it.
    pub overstack: bool,
    /// A remark.
    pub note: Option<String>,
    /// Where it stands.
    pub span: Span,
    /// Where the place stands.
    pub place_span: Span,
    /// Where the supply stands.
    pub supply_span: Span,
    /// Where the markers stand.
    pub markers_span: Span,
    /// Where it is printed.
    pub printed: Option<String>,
}

/// What a line of a schedule does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Brings units to the map.
    Arrive,
    /// Takes units from it.
    Withdraw,
}

/// Units, leaders and supply that arrive or leave.
#[derive(Debug, Clone)]
pub struct Movement {
    /// Id.
    pub id: String,
    /// The side.
    pub side: String,
    /// The turn, or the earliest, as an index into the calendar.
    pub turn: usize,
    /// What the turn is called.
    pub label: String,
    /// How the turn comes about, where it is not fixed.
    pub coming: Option<arrival::Coming>,
    /// Whether it arrives or leaves.
    pub direction: Direction,
    /// The areas, one of which the player chooses.
    pub areas: Vec<String>,
    /// The place, where it is no area.
    pub place: Option<Place>,
    /// The units, as indices into the model's.
    pub units: Vec<usize>,
    /// The leaders, as indices into the model's.
    pub leaders: Vec<usize>,
    /// Supply, by kind.
    pub supply: BTreeMap<String, u32>,
    /// In which status.
    pub status: Option<String>,
    /// Whether players may leave it out.
    pub optional: bool,
    /// A remark.
    pub note: Option<String>,
    /// Whether it is the scenario's own, not a line of the schedule.
    pub own: bool,
    /// Where it stands.
    pub span: Span,
    /// Where its areas stand.
    pub areas_span: Span,
    /// Where its units stand.
    pub units_span: Span,
    /// Where its leaders stand.
    pub leaders_span: Span,
    /// Where its supply stands.
    pub supply_span: Span,
    /// Where its moment stands.
    pub time_span: Span,
}

/// Who is declared absent.
#[derive(Debug, Clone)]
pub struct Absence {
    /// The side.
    pub side: String,
    /// The units, as indices into the model's.
    pub units: Vec<usize>,
    /// The leaders, as indices into the model's.
    pub leaders: Vec<usize>,
    /// Supply, by kind.
    pub supply: BTreeMap<String, u32>,
    /// Why.
    pub reason: String,
    /// Where it stands.
    pub span: Span,
    /// Where the supply stands.
    pub supply_span: Span,
}

/// Leaders lost before the start.
#[derive(Debug, Clone)]
pub struct Loss {
    /// The leaders, as indices into the model's.
    pub leaders: Vec<usize>,
    /// Where it stands.
    pub span: Span,
}

/// Losses that the player distributes.
#[derive(Debug, Clone)]
pub struct Quota {
    /// The formation, as an index into the model's.
    pub formation: usize,
    /// How many points to remove in all.
    pub remove: Option<i64>,
    /// How many points to remove from each unit.
    pub each: Option<i64>,
    /// The formation from which some must come, as an index, and how many at least.
    pub from: Option<(usize, i64)>,
    /// Where it stands.
    pub span: Span,
    /// Where the number stands.
    pub remove_span: Span,
}

/// What becomes of a unit or leader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// On the map from the start.
    Deployed,
    /// Arrives.
    Arrives,
    /// Arrives if the players want it.
    Optional,
    /// Has left before the start.
    Withdrawn,
    /// Lost before the start.
    Lost,
    /// Arrives after the end.
    Later,
    /// Waits until he is needed.
    Pool,
    /// Not in the scenario.
    Absent,
}

impl State {
    /// The name used in packs.
    pub fn name(self) -> &'static str {
        match self {
            State::Deployed => "deployed",
            State::Arrives => "arrives",
            State::Optional => "optional",
            State::Withdrawn => "withdrawn",
            State::Lost => "lost",
            State::Later => "later",
            State::Pool => "pool",
            State::Absent => "absent",
        }
    }
}

/// Why something is in a state.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The state.
    pub state: State,
    /// Where that is said.
    pub span: Span,
    /// The deployment, as an index.
    pub deployment: Option<usize>,
    /// The movement, as an index.
    pub movement: Option<usize>,
    /// Why, where it is absent.
    pub reason: Option<String>,
    /// Whether nothing is said of it, and it goes where its command or leader goes.
    pub follows: bool,
}

impl Claim {
    /// That something is in a state, and where that is said.
    pub fn new(state: State, span: Span) -> Self {
        Claim {
            state,
            span,
            deployment: None,
            movement: None,
            reason: None,
            follows: false,
        }
    }
}

/// What becomes of a unit or leader in a scenario.
#[derive(Debug, Clone, Default)]
pub struct Standing {
    /// Everything that is said of it; exactly one thing should be.
    pub claims: Vec<Claim>,
    /// The withdrawal that takes it away, as an index of a movement.
    pub withdrawal: Option<usize>,
}

impl Standing {
    /// Adds what is said of it. Nearly always that is one thing, and there are many units: no room is kept for more.
    pub fn say(&mut self, claim: Claim) {
        self.claims.reserve_exact(1);
        self.claims.push(claim);
    }

    /// What holds: the first claim.
    pub fn claim(&self) -> Option<&Claim> {
        self.claims.first()
    }

    /// The state, if it is known.
    pub fn state(&self) -> Option<State> {
        self.claim().map(|claim| claim.state)
    }
}

/// What becomes of supply in a scenario.
#[derive(Debug, Clone)]
pub struct SupplyStanding {
    /// The item, as an index into the model's.
    pub item: usize,
    /// How many start on the map, and in which deployments.
    pub deployed: Vec<(usize, u32)>,
    /// How many arrive, and by which movements.
    pub arriving: Vec<(usize, u32)>,
    /// How many are declared absent.
    pub absent: u32,
}

impl SupplyStanding {
    /// How many are accounted for.
    pub fn accounted(&self) -> u32 {
        let sum = |list: &[(usize, u32)]| list.iter().map(|(_, count)| count).sum::<u32>();
        sum(&self.deployed) + sum(&self.arriving) + self.absent
    }
}
