//! Scenarios as packs.

use std::collections::BTreeMap;

use super::Lowering;
use crate::game::Basis;
use crate::model::Model;
use crate::pack::scenario::{
    Arrival, Coming, Fate, Odds, Pool, Quota, SCENARIO_FORMAT, ScenarioLeader, ScenarioMarker, ScenarioPack,
    ScenarioSupply, ScenarioUnit, SupplyLot, Turn,
};
use crate::place::Place;
use crate::scenario::arrival::{self, How};
use crate::scenario::{Assignment, Claim, Deployment, Movement, Scenario, Standing, State};

/// The pack of a scenario.
pub fn scenario(lowering: &Lowering<'_>, model: &Model, scenario: &Scenario) -> ScenarioPack {
    let lower = Lower {
        lowering,
        model,
        scenario,
    };
    let file = &scenario.file;
    ScenarioPack {
        format: SCENARIO_FORMAT.into(),
        game: lowering.game.id.clone(),
        overlays: super::errata::edition(lowering).overlays,
        id: file.id.clone(),
        title: file.title.clone(),
        source: file.source.clone(),
        extends: file.extends.clone(),
        briefing: scenario.briefing.clone(),
        start: 1,
        end: scenario.turns.len() as u32,
        turns: scenario
            .turns
            .iter()
            .enumerate()
            .map(|(index, turn)| Turn {
                index: index as u32 + 1,
                label: turn.label.clone(),
                date: turn.date.clone(),
                time: turn.time.clone(),
                part: turn.part.clone(),
                marks: turn.marks.clone(),
            })
            .collect(),
        hours: file.hours,
        first_side: file.first_side.clone(),
        sets_up_first: file.sets_up_first.clone(),
        maps: if file.maps.is_empty() {
            lowering.game.maps.iter().map(|map| map.id.clone()).collect()
        } else {
            file.maps.clone()
        },
        battle: file.battle.clone().or_else(|| lowering.game.battle.clone()),
        fields: scenario
            .fields
            .iter()
            .map(|unit| model.units[*unit].id.clone())
            .collect(),
        pools: lower.pools(),
        deployments: scenario
            .deployments
            .iter()
            .map(|deployment| deployment.id.clone())
            .collect(),
        units: lower.units(),
        leaders: model
            .leaders
            .iter()
            .zip(&scenario.leaders)
            .map(|(leader, standing)| ScenarioLeader {
                leader: leader.id.clone(),
                fate: lower.fate(standing),
            })
            .collect(),
        supply: lower.supply(),
        markers: lower.markers(),
        quotas: scenario
            .quotas
            .iter()
            .map(|quota| Quota {
                formation: model.formations[quota.formation].id.clone(),
                remove: quota.remove,
                each: quota.each,
                from: quota
                    .from
                    .map(|(formation, _)| model.formations[formation].id.clone()),
                at_least: quota.from.map(|(_, at_least)| at_least),
            })
            .collect(),
        ammunition: file.ammunition.clone(),
        victory: file.victory.clone(),
        levels: file.levels.clone(),
        demoralization: file.demoralization.clone(),
        special_rules: file.special_rules.clone(),
        optional_rules: file.optional_rules.clone(),
        releases: file.releases.clone(),
    }
}

struct Lower<'a> {
    lowering: &'a Lowering<'a>,
    model: &'a Model,
    scenario: &'a Scenario,
}

impl Lower<'_> {
    fn units(&self) -> Vec<ScenarioUnit> {
        let game = self.lowering.game;
        // What a unit loses of each is told of the first attribute that scenarios carry.
        let main = game.scenario_attributes().next().map(|main| main.name.as_str());
        let each: BTreeMap<usize, i64> = self
            .scenario
            .quotas
            .iter()
            .filter_map(|quota| Some((quota.formation, quota.each?)))
            .collect();
        let assignments: BTreeMap<usize, &Assignment> = self
            .scenario
            .assignments
            .iter()
            .flat_map(|assignment| assignment.units.iter().map(move |unit| (*unit, assignment)))
            .collect();
        self.model
            .units
            .iter()
            .zip(&self.scenario.units)
            .enumerate()
            .map(|(index, (unit, standing))| {
                let mut values = BTreeMap::new();
                let mut basis = BTreeMap::new();
                let mut reduced = false;
                for declared in game.scenario_attributes() {
                    let name = declared.name.as_str();
                    let own = unit.attributes.get(name);
                    if let Some((value, _)) = self.scenario.reduced_to(index, name) {
                        // What the source gives for the occasion is printed, whatever the unit's own value rests on.
                        values.insert(name.to_owned(), value.into());
                        reduced = true;
                        continue;
                    }
                    let Some(own) = own else {
                        continue;
                    };
                    let mut value = own.value.to_json();
                    if let (true, Some(less), Some(whole)) =
                        (main == Some(name), each.get(&unit.formation), own.value.integer())
                    {
                        value = (whole - less).max(0).into();
                        reduced = true;
                    }
                    values.insert(name.to_owned(), value);
                    if own.basis != Basis::Printed {
                        basis.insert(name.to_owned(), own.basis);
                    }
                }
                let assigned = assignments.get(&index);
                ScenarioUnit {
                    unit: unit.id.clone(),
                    basis,
                    reduced,
                    assigned_to: assigned
                        .and_then(|assigned| assigned.to)
                        .map(|to| self.model.formations[to].id.clone()),
                    led_by: assigned
                        .and_then(|assigned| assigned.led_by)
                        .map(|leader| self.model.leaders[leader].id.clone()),
                    fate: self.fate(standing),
                    values,
                }
            })
            .collect()
    }

    fn fate(&self, standing: &Standing) -> Fate {
        let Some(claim) = standing.claim() else {
            return Fate {
                reason: Some("not accounted for".into()),
                ..blank(State::Absent)
            };
        };
        let mut fate = self.of_claim(claim);
        fate.withdraw_by = standing
            .withdrawal
            .map(|movement| self.turn(&self.scenario.movements[movement]));
        fate
    }

    fn of_claim(&self, claim: &Claim) -> Fate {
        let mut fate = Fate {
            reason: claim.reason.clone(),
            follows: claim.follows,
            ..blank(claim.state)
        };
        if let Some(deployment) = claim.deployment {
            self.place(&self.scenario.deployments[deployment], &mut fate);
        }
        if let Some(movement) = claim.movement {
            let movement = &self.scenario.movements[movement];
            fate.entry = Some(movement.id.clone());
            fate.status = movement.status.clone();
            let inside = matches!(claim.state, State::Arrives | State::Optional) && claim.reason.is_none();
            fate.arrival = inside.then(|| self.arrival(movement));
            if inside {
                fate.note.clone_from(&movement.note);
            }
        }
        fate
    }

    fn place(&self, deployment: &Deployment, fate: &mut Fate) {
        fate.entry = Some(deployment.id.clone());
        fate.status = deployment.status.clone();
        fate.optional |= deployment.optional;
        fate.note.clone_from(&deployment.note);
        fate.place_text = deployment.place.as_ref().map(|place| self.describe(place));
        fate.place = deployment.place.clone();
    }

    fn arrival(&self, movement: &Movement) -> Arrival {
        Arrival {
            turn: self.turn(movement),
            latest: movement.coming.as_ref().map(|coming| self.index(coming.latest)),
            coming: movement
                .coming
                .as_ref()
                .map(|coming| self.coming(movement, coming)),
            coming_text: movement
                .coming
                .as_ref()
                .map(|coming| self.coming_text(movement, coming)),
            odds: movement
                .coming
                .as_ref()
                .map_or_else(Vec::new, |coming| self.odds(coming)),
            label: movement.label.clone(),
            areas: movement.areas.clone(),
            place_text: movement.place.as_ref().map(|place| self.describe(place)),
            place: movement.place.clone(),
        }
    }

    /// A place in words; another deployment's is told as that one's.
    fn describe(&self, place: &Place) -> String {
        if let Some(same) = &place.same_as
            && let Some(other) = self
                .scenario
                .deployments
                .iter()
                .find(|deployment| deployment.id == *same)
            && let Some(place) = &other.place
            && place.same_as.is_none()
        {
            return self.describe(place);
        }
        let mut text = place.describe(self.lowering.game);
        for deployment in &self.scenario.deployments {
            if place.mentions(&deployment.id) {
                text = text.replace(&deployment.id, &self.who(deployment));
            }
        }
        text
    }

    /// The units of a deployment, in words.
    fn who(&self, deployment: &Deployment) -> String {
        let mut names: Vec<&str> = deployment
            .units
            .iter()
            .map(|unit| {
                self.model.formations[self.model.units[*unit].formation]
                    .designation
                    .as_str()
            })
            .collect();
        names.dedup();
        match names.as_slice() {
            [] => deployment.id.clone(),
            [first] => (*first).to_owned(),
            [first, .., last] => format!("{first} to {last}"),
        }
    }

    fn turn(&self, movement: &Movement) -> u32 {
        self.index(movement.turn)
    }

    /// A turn of the calendar as the scenario counts it.
    fn index(&self, turn: usize) -> u32 {
        let first = self.scenario.turns.first().map_or(0, |turn| turn.index);
        (turn + 1).saturating_sub(first) as u32
    }

    fn coming(&self, movement: &Movement, coming: &arrival::Coming) -> Coming {
        let rules = &self.lowering.game.arrival_rules;
        match &coming.how {
            How::Die { rule } => Coming::Die {
                rule: rules[*rule].id.clone(),
                from: self.turn(movement),
            },
            How::After { entries, turns } => Coming::After {
                entries: entries.clone(),
                turns: *turns as u32,
            },
            How::Chosen { pool, class } => Coming::Chosen {
                pool: self.scenario.pools[*pool].file.id.clone(),
                class: class.clone(),
            },
        }
    }

    /// By what an arrival is decided, in words.
    fn coming_text(&self, movement: &Movement, coming: &arrival::Coming) -> String {
        let rules = &self.lowering.game.arrival_rules;
        let turn = |turn: usize| {
            let turns = self
                .lowering
                .game
                .calendar
                .is_some()
                .then_some(&self.scenario.turns);
            let known = turns.and_then(|turns| turns.iter().find(|known| known.index == turn));
            known.map_or_else(|| format!("turn {}", self.index(turn)), |turn| turn.label.clone())
        };
        let rolls = |rule: &crate::game::ArrivalRuleDef| {
            let rolls: Vec<String> = rule
                .succeeds_up_to
                .iter()
                .map(|most| match most {
                    most if *most >= rule.die => "without fail".to_owned(),
                    1 => "1".to_owned(),
                    most => format!("1–{most}"),
                })
                .collect();
            format!("D{}: {}", rule.die, rolls.join(", then "))
        };
        match &coming.how {
            How::Die { rule } => {
                let rule = &rules[*rule];
                format!("{} from {} ({})", rule.name, turn(movement.turn), rolls(rule))
            }
            How::After { entries, turns } => {
                let entries: Vec<String> = entries.iter().map(|entry| self.entry_text(entry)).collect();
                let after = match entries.as_slice() {
                    [one] => one.clone(),
                    several => format!("the last of {}", several.join(" and ")),
                };
                let unit = if *turns == 1 { "turn" } else { "turns" };
                format!("{turns} {unit} after {after}")
            }
            How::Chosen { pool, .. } => {
                let pool = &self.scenario.pools[*pool];
                let rule = &rules[pool.rule];
                format!(
                    "chosen by the player: in {}, or named from {} on ({}, {})",
                    turn(pool.first),
                    turn(pool.then_from),
                    rule.name,
                    rolls(rule)
                )
            }
        }
    }

    /// What an arrival brings, in words.
    fn entry_text(&self, entry: &str) -> String {
        let Some(movement) = self.scenario.movements.iter().find(|known| known.id == *entry) else {
            return entry.to_owned();
        };
        match movement.units.as_slice() {
            [] => entry.to_owned(),
            [one] => self.model.units[*one].name.clone(),
            [one, ..] => self.model.formations[self.model.units[*one].formation]
                .name
                .clone(),
        }
    }

    /// How likely something has come by each turn of the scenario in which it can come.
    fn odds(&self, coming: &arrival::Coming) -> Vec<Odds> {
        let last = self.scenario.turns.last().map_or(0, |turn| turn.index);
        let mut by = 0.0;
        let mut odds = Vec::new();
        for (turn, chance) in coming.odds.iter().filter(|(turn, _)| *turn <= last) {
            by += chance;
            odds.push(Odds {
                turn: self.index(*turn),
                by: (by * 1e6).round() / 1e6,
            });
        }
        odds
    }

    fn pools(&self) -> Vec<Pool> {
        let rules = &self.lowering.game.arrival_rules;
        let pool = |pool: &crate::scenario::Pool| Pool {
            id: pool.file.id.clone(),
            side: pool.file.side.clone(),
            first: self.index(pool.first),
            first_picks: pool.file.first_picks.clone(),
            then_from: self.index(pool.then_from),
            then_until: self.index(pool.then_until),
            each_turn: pool.file.each_turn,
            rule: rules[pool.rule].id.clone(),
            entries: pool.entries.clone(),
            note: pool.file.note.clone(),
        };
        self.scenario.pools.iter().map(pool).collect()
    }

    fn supply(&self) -> Vec<ScenarioSupply> {
        self.scenario
            .supply
            .iter()
            .map(|standing| ScenarioSupply {
                supply: self.model.supply[standing.item].id.clone(),
                deployed: standing
                    .deployed
                    .iter()
                    .map(|(deployment, count)| {
                        let mut fate = blank(State::Deployed);
                        self.place(&self.scenario.deployments[*deployment], &mut fate);
                        SupplyLot { count: *count, fate }
                    })
                    .collect(),
                arriving: standing
                    .arriving
                    .iter()
                    .map(|(movement, count)| {
                        let movement = &self.scenario.movements[*movement];
                        let mut fate = blank(if movement.optional {
                            State::Optional
                        } else {
                            State::Arrives
                        });
                        fate.entry = Some(movement.id.clone());
                        fate.arrival = Some(self.arrival(movement));
                        SupplyLot { count: *count, fate }
                    })
                    .collect(),
                absent: standing.absent,
            })
            .collect()
    }

    fn markers(&self) -> Vec<ScenarioMarker> {
        self.scenario
            .deployments
            .iter()
            .flat_map(|deployment| {
                deployment.markers.iter().map(|(marker, count)| ScenarioMarker {
                    marker: marker.clone(),
                    side: deployment.side.clone(),
                    count: *count,
                    place_text: deployment.place.as_ref().map(|place| self.describe(place)),
                })
            })
            .collect()
    }
}

fn blank(state: State) -> Fate {
    Fate {
        state: state.name().into(),
        reason: None,
        follows: false,
        entry: None,
        place: None,
        place_text: None,
        status: None,
        arrival: None,
        withdraw_by: None,
        optional: state == State::Optional,
        note: None,
    }
}
