//! `orbat timeline`: what is on the map, has arrived and is due at a turn of a scenario.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::pack::Pack;
use crate::pack::scenario::{Arrival, Fate, Odds, ScenarioPack};

/// The state of a scenario at a turn.
#[derive(Debug, Serialize)]
pub struct Moment {
    /// The scenario.
    pub scenario: String,
    /// The turn's index in the scenario.
    pub turn: u32,
    /// What it is called.
    pub label: String,
    /// What is special about it.
    pub marks: Vec<String>,
    /// The units of each side that are on the map for certain, if all came when they could, by side.
    pub on_map: BTreeMap<String, Vec<String>>,
    /// Who may have come by now, but not for certain.
    pub perhaps: Vec<Event>,
    /// Who arrives in this turn.
    pub arriving: Vec<Event>,
    /// Who must have left by this turn.
    pub leaving: Vec<Event>,
    /// Who is still to come.
    pub due: Vec<Event>,
}

/// Units that come or go together.
#[derive(Debug, Serialize, PartialEq)]
pub struct Event {
    /// The turn's index in the scenario.
    pub turn: u32,
    /// What the turn is called.
    pub label: String,
    /// The side.
    pub side: String,
    /// The areas.
    pub areas: Vec<String>,
    /// Whether players may leave it out.
    pub optional: bool,
    /// The latest turn, where the turn is not fixed and the one given is the earliest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latest: Option<u32>,
    /// By what the turn is decided, in words, where it is not fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coming: Option<String>,
    /// How likely it has come by each turn, where the turn is not fixed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub odds: Vec<Odds>,
    /// The units and leaders, by their short names with their formation.
    pub who: Vec<String>,
}

/// The turn that a text names: `0800`, `July 2 0800`, `1863-07-02 0800`, or an index. A time alone must occur once.
pub fn find_turn(scenario: &ScenarioPack, text: &str) -> Result<u32, String> {
    let text = text.trim();
    let hits: Vec<u32> = scenario
        .turns
        .iter()
        .filter(|turn| {
            turn.time == text || turn.label == text || format!("{} {}", turn.date, turn.time) == text
        })
        .map(|turn| turn.index)
        .collect();
    match hits.as_slice() {
        [one] => Ok(*one),
        [] => match text.parse::<u32>() {
            Ok(index) if text.len() < 4 && (1..=scenario.end).contains(&index) => Ok(index),
            _ => Err(format!(
                "`{text}` is no turn of `{}`, which runs from {} to {}",
                scenario.id,
                scenario.turns.first().map_or("", |turn| &turn.label),
                scenario.turns.last().map_or("", |turn| &turn.label)
            )),
        },
        several => {
            let labels: Vec<&str> = scenario
                .turns
                .iter()
                .filter(|turn| several.contains(&turn.index))
                .map(|turn| turn.label.as_str())
                .collect();
            Err(format!(
                "`{text}` is {} turns: write one of {}",
                several.len(),
                labels.join(", ")
            ))
        }
    }
}

/// The state of a scenario at a turn.
pub fn moment(pack: &Pack, scenario: &ScenarioPack, turn: u32) -> Moment {
    let at = &scenario.turns[(turn as usize).saturating_sub(1).min(scenario.turns.len() - 1)];
    let mut moment = Moment {
        scenario: scenario.id.clone(),
        turn,
        label: at.label.clone(),
        marks: at.marks.clone(),
        on_map: BTreeMap::new(),
        perhaps: Vec::new(),
        arriving: Vec::new(),
        leaving: Vec::new(),
        due: Vec::new(),
    };
    let designation = |id: &str| {
        let formation = pack.formations.iter().find(|formation| formation.id == id);
        formation.map_or("", |formation| formation.designation.as_str())
    };
    for in_scenario in &scenario.units {
        if let Some(unit) = pack.units.iter().find(|unit| unit.id == in_scenario.unit) {
            let name = format!("{} ({})", unit.abbr, designation(&unit.formation));
            place(scenario, &mut moment, &in_scenario.fate, &unit.side, &name, true);
        }
    }
    for in_scenario in &scenario.leaders {
        if let Some(leader) = pack.leaders.iter().find(|leader| leader.id == in_scenario.leader) {
            place(
                scenario,
                &mut moment,
                &in_scenario.fate,
                &leader.side,
                &leader.abbr,
                false,
            );
        }
    }
    for events in [
        &mut moment.perhaps,
        &mut moment.arriving,
        &mut moment.leaving,
        &mut moment.due,
    ] {
        events.sort_by(|a, b| (a.turn, &a.side, &a.areas).cmp(&(b.turn, &b.side, &b.areas)));
    }
    moment
}

fn place(scenario: &ScenarioPack, moment: &mut Moment, fate: &Fate, side: &str, name: &str, unit: bool) {
    let label = |turn: u32| {
        let turn = scenario.turns.iter().find(|known| known.index == turn);
        turn.map_or(String::new(), |turn| turn.label.clone())
    };
    let add = |events: &mut Vec<Event>, turn: u32, arrival: Option<&Arrival>| {
        let areas = arrival.map_or(&[][..], |arrival| &arrival.areas);
        let coming = arrival.and_then(|arrival| arrival.coming_text.as_ref());
        let same = |event: &&mut Event| {
            event.turn == turn
                && event.side == side
                && event.areas == areas
                && event.optional == fate.optional
                && event.coming.as_ref() == coming
        };
        match events.iter_mut().find(same) {
            Some(event) => event.who.push(name.to_owned()),
            None => events.push(Event {
                turn,
                label: label(turn),
                side: side.to_owned(),
                areas: areas.to_vec(),
                optional: fate.optional,
                latest: arrival.and_then(|arrival| arrival.latest),
                coming: coming.cloned(),
                odds: arrival.map_or_else(Vec::new, |arrival| arrival.odds.clone()),
                who: vec![name.to_owned()],
            }),
        }
    };
    let here = match &fate.arrival {
        Some(arrival) if arrival.turn > moment.turn => {
            add(&mut moment.due, arrival.turn, Some(arrival));
            false
        }
        Some(arrival) if arrival.latest.is_some_and(|latest| latest > moment.turn) => {
            add(&mut moment.perhaps, arrival.turn, Some(arrival));
            false
        }
        Some(arrival) => {
            if arrival.turn == moment.turn && arrival.coming.is_none() {
                add(&mut moment.arriving, arrival.turn, Some(arrival));
            }
            true
        }
        None => fate.state == "deployed",
    };
    let gone = fate.withdraw_by.is_some_and(|by| by <= moment.turn);
    if let Some(by) = fate.withdraw_by
        && by >= moment.turn
        && (here || fate.arrival.is_some())
    {
        add(&mut moment.leaving, by, None);
    }
    if unit && here && !gone {
        moment
            .on_map
            .entry(side.to_owned())
            .or_default()
            .push(name.to_owned());
    }
}

/// The state as a person reads it.
pub fn to_text(moment: &Moment) -> String {
    use std::fmt::Write;
    let mut text = String::new();
    let marks = if moment.marks.is_empty() {
        String::new()
    } else {
        format!(" ({})", moment.marks.join(", "))
    };
    let _ = writeln!(
        text,
        "{}: turn {}, {}{marks}",
        moment.scenario, moment.turn, moment.label
    );
    for (side, units) in &moment.on_map {
        let _ = writeln!(text, "\n  on the map, {side}: {} units", units.len());
        let _ = writeln!(text, "    {}", units.join(", "));
    }
    for (title, events) in [
        ("on the map perhaps", &moment.perhaps),
        ("arriving now", &moment.arriving),
        ("to be gone", &moment.leaving),
        ("due", &moment.due),
    ] {
        if events.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\n  {title}");
        for event in events {
            let areas = if event.areas.is_empty() {
                String::new()
            } else {
                format!(", area {}", event.areas.join(" or "))
            };
            let optional = if event.optional { " (optional)" } else { "" };
            let when = match event.latest {
                Some(latest) => format!("turns {} to {latest}", event.turn),
                None => event.label.clone(),
            };
            let _ = writeln!(
                text,
                "    {when}  {}{areas}{optional}: {}",
                event.side,
                event.who.join(", ")
            );
            if let Some(coming) = &event.coming {
                let _ = writeln!(text, "      {coming}");
            }
            if !event.odds.is_empty() {
                let odds: Vec<String> = event
                    .odds
                    .iter()
                    .map(|odds| format!("turn {} {:.1} %", odds.turn, odds.by * 100.0))
                    .collect();
                let _ = writeln!(text, "      arrived by {}", odds.join(", "));
            }
        }
    }
    text
}
