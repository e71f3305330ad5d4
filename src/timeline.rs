//! `orbat timeline`: what is on the map, has arrived and is due at a turn of a scenario.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::pack::Pack;
use crate::pack::scenario::{Fate, ScenarioPack};

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
    /// How many units of each side are on the map, if all came when they could, by side.
    pub on_map: BTreeMap<String, Vec<String>>,
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
    for events in [&mut moment.arriving, &mut moment.leaving, &mut moment.due] {
        events.sort_by(|a, b| (a.turn, &a.side, &a.areas).cmp(&(b.turn, &b.side, &b.areas)));
    }
    moment
}

fn place(scenario: &ScenarioPack, moment: &mut Moment, fate: &Fate, side: &str, name: &str, unit: bool) {
    let label = |turn: u32| {
        let turn = scenario.turns.iter().find(|known| known.index == turn);
        turn.map_or(String::new(), |turn| turn.label.clone())
    };
    let add = |events: &mut Vec<Event>, turn: u32, areas: &[String]| {
        let same = |event: &&mut Event| {
            event.turn == turn
                && event.side == side
                && event.areas == areas
                && event.optional == fate.optional
        };
        match events.iter_mut().find(same) {
            Some(event) => event.who.push(name.to_owned()),
            None => events.push(Event {
                turn,
                label: label(turn),
                side: side.to_owned(),
                areas: areas.to_vec(),
                optional: fate.optional,
                who: vec![name.to_owned()],
            }),
        }
    };
    let here = match &fate.arrival {
        Some(arrival) if arrival.turn > moment.turn => {
            add(&mut moment.due, arrival.turn, &arrival.areas);
            false
        }
        Some(arrival) => {
            if arrival.turn == moment.turn {
                add(&mut moment.arriving, arrival.turn, &arrival.areas);
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
        add(&mut moment.leaving, by, &[]);
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
            let _ = writeln!(
                text,
                "    {}  {}{areas}{optional}: {}",
                event.label,
                event.side,
                event.who.join(", ")
            );
        }
    }
    text
}
