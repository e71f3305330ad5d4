//! Scenarios: their packs as JSON and their sheets.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::context;
use minijinja::value::Serde;
use serde_json::{Value, json};

use super::sheets;
use super::view::{View, common, view};
use super::{Artifact, Input};
use crate::diagnostic::Sink;
use crate::game::SheetDef;
use crate::order::natural;
use crate::pack::Pack;
use crate::pack::scenario::{Fate, ScenarioPack};

/// `<game>/scenarios/<id>.json` and `<game>/scenarios/<id>/…`.
pub fn emit(input: &Input<'_>, sink: &mut Sink) -> Vec<Artifact> {
    let mut artifacts = Vec::new();
    let common = common(input.pack);
    let some = if input.sample {
        input.scenarios.len().min(1)
    } else {
        input.scenarios.len()
    };
    for scenario in &input.scenarios[..some] {
        let view = scenario_sheets_view(input, scenario, common.clone());
        let folder = format!("{}/scenarios/{}", input.pack.game.id, scenario.id);
        artifacts.push(Artifact {
            path: format!("{}/scenarios/{}.json", input.pack.game.id, scenario.id),
            bytes: crate::pack::to_text(scenario).into_bytes(),
        });
        for sheet in input.scenario_sheets {
            for format in sheets::formats(input, sheet) {
                artifacts.extend(sheets::render(input, &view, sheet, format, &folder, None, sink));
            }
        }
    }
    artifacts
}

/// One sheet of a scenario in one format.
pub fn one(
    input: &Input<'_>,
    scenario: &ScenarioPack,
    sheet: &SheetDef,
    format: &str,
    only: Option<&str>,
    sink: &mut Sink,
) -> Vec<Artifact> {
    let view = scenario_sheets_view(input, scenario, common(input.pack));
    let folder = format!("{}/scenarios/{}", input.pack.game.id, scenario.id);
    sheets::render(input, &view, sheet, format, &folder, only, sink)
}

/// What the templates of a scenario's sheets see: the order of battle at the scenario's strengths, and the scenario.
fn scenario_sheets_view(input: &Input<'_>, scenario: &ScenarioPack, common: minijinja::Value) -> View {
    let pack = at_strength(input.pack, scenario);
    let common = context! { scenario => Serde(scenario_view(input.pack, scenario)), ..common };
    view(&pack, common)
}

/// The order of battle as a scenario has it: who is in it, at the strength that he has there.
fn at_strength(pack: &Pack, scenario: &ScenarioPack) -> Pack {
    let mut pack = pack.clone();
    let here: BTreeMap<&str, &crate::pack::scenario::ScenarioUnit> = scenario
        .units
        .iter()
        .filter(|unit| in_play(&unit.fate))
        .map(|unit| (unit.unit.as_str(), unit))
        .collect();
    pack.units.retain(|unit| here.contains_key(unit.id.as_str()));
    for unit in &mut pack.units {
        let Some(in_scenario) = here.get(unit.id.as_str()) else {
            continue;
        };
        for (name, value) in &in_scenario.values {
            unit.attributes.insert(name.clone(), value.clone());
            match in_scenario.basis.get(name) {
                Some(basis) => unit.basis.insert(name.clone(), *basis),
                None => unit.basis.remove(name),
            };
        }
        if let Some(formation) = &in_scenario.assigned_to {
            unit.formation.clone_from(formation);
        }
    }
    let formations: BTreeSet<&str> = pack.units.iter().map(|unit| unit.formation.as_str()).collect();
    pack.effectiveness
        .retain(|rating| formations.contains(rating.formation.as_str()));
    let leaders: BTreeSet<&str> = scenario
        .leaders
        .iter()
        .filter(|leader| in_play(&leader.fate))
        .map(|leader| leader.leader.as_str())
        .collect();
    pack.leaders.retain(|leader| leaders.contains(leader.id.as_str()));
    for formation in &mut pack.formations {
        if formation
            .leader
            .as_deref()
            .is_some_and(|leader| !leaders.contains(leader))
        {
            formation.leader = None;
        }
    }
    pack
}

fn in_play(fate: &Fate) -> bool {
    matches!(fate.state.as_str(), "deployed" | "arrives")
        || (fate.state == "optional" && fate.arrival.is_some())
}

/// Somebody or something of a group that starts or arrives together.
struct Member {
    formation: Option<String>,
    value: Value,
}

/// A group that starts or arrives together.
#[derive(Default)]
struct Group {
    side: String,
    fate: Option<Fate>,
    units: Vec<Member>,
    leaders: Vec<Value>,
    supply: Vec<Value>,
    markers: Vec<Value>,
}

/// A scenario as templates see it: its pack, and its units grouped by where they start and when they arrive.
fn scenario_view(pack: &Pack, scenario: &ScenarioPack) -> Value {
    let mut setup: BTreeMap<(usize, usize, String), Group> = BTreeMap::new();
    let mut arrivals: BTreeMap<(u32, usize, String), Group> = BTreeMap::new();
    let mut withdrawals: BTreeMap<(u32, String), Vec<Member>> = BTreeMap::new();
    let side_index = |side: &str| {
        pack.sides
            .iter()
            .position(|known| known.id == side)
            .unwrap_or(usize::MAX)
    };
    let place_in_order = |entry: &str| {
        scenario
            .deployments
            .iter()
            .position(|id| id == entry)
            .unwrap_or(usize::MAX)
    };
    let group = |side: &str,
                 fate: &Fate,
                 setup: &mut BTreeMap<(usize, usize, String), Group>,
                 arrivals: &mut BTreeMap<(u32, usize, String), Group>,
                 add: &mut dyn FnMut(&mut Group)| {
        let entry = fate.entry.clone().unwrap_or_default();
        let group = match (&fate.arrival, fate.state.as_str()) {
            (Some(arrival), _) => arrivals
                .entry((arrival.turn, side_index(side), entry))
                .or_default(),
            (None, "deployed") => setup
                .entry((side_index(side), place_in_order(&entry), entry))
                .or_default(),
            _ => return,
        };
        group.side = side.to_owned();
        group.fate.get_or_insert_with(|| fate.clone());
        add(group);
    };
    // The attribute of which set-ups and schedules show the value behind each unit's name.
    let main = pack
        .game
        .attributes
        .iter()
        .find(|attribute| attribute.of == crate::game::Of::Units && attribute.in_scenarios);
    let label = main.map(|main| main.label.clone());
    let main = main.map(|main| main.name.as_str());
    let units: BTreeMap<&str, &crate::pack::Unit> =
        pack.units.iter().map(|unit| (unit.id.as_str(), unit)).collect();
    for in_scenario in &scenario.units {
        let Some(unit) = units.get(in_scenario.unit.as_str()) else {
            continue;
        };
        let value = json!({
            "id": unit.id, "name": unit.name, "abbr": unit.abbr, "kind": unit.kind,
            "value": main.and_then(|main| in_scenario.values.get(main)),
            "basis": main.and_then(|main| in_scenario.basis.get(main)),
            "values": in_scenario.values, "reduced": in_scenario.reduced,
            "led_by": in_scenario.led_by,
            "from": in_scenario.assigned_to.as_ref().and_then(|_| {
                let own = pack.formations.iter().find(|formation| formation.id == unit.formation);
                own.map(|own| own.name.clone())
            }),
        });
        let member = || Member {
            formation: Some(
                in_scenario
                    .assigned_to
                    .as_ref()
                    .unwrap_or(&unit.formation)
                    .clone(),
            ),
            value: value.clone(),
        };
        group(
            &unit.side,
            &in_scenario.fate,
            &mut setup,
            &mut arrivals,
            &mut |group| group.units.push(member()),
        );
        if let Some(turn) = in_scenario.fate.withdraw_by {
            withdrawals
                .entry((turn, unit.side.clone()))
                .or_default()
                .push(member());
        }
    }
    for in_scenario in &scenario.leaders {
        let Some(leader) = pack.leaders.iter().find(|leader| leader.id == in_scenario.leader) else {
            continue;
        };
        let value = json!({ "id": leader.id, "name": leader.name, "abbr": leader.abbr, "rank": leader.rank });
        group(
            &leader.side,
            &in_scenario.fate,
            &mut setup,
            &mut arrivals,
            &mut |group| group.leaders.push(value.clone()),
        );
    }
    for in_scenario in &scenario.supply {
        let item = pack.supply.iter().find(|item| item.id == in_scenario.supply);
        for lot in in_scenario.deployed.iter().chain(&in_scenario.arriving) {
            let side = item.and_then(|item| item.side.clone()).unwrap_or_default();
            let value = json!({ "name": item.map(|item| &item.name), "count": lot.count, "optional": lot.fate.optional });
            group(&side, &lot.fate, &mut setup, &mut arrivals, &mut |group| {
                group.supply.push(value.clone())
            });
        }
    }
    for marker in &scenario.markers {
        let known = pack.markers.iter().find(|known| known.id == marker.marker);
        let entry = format!("~{}", marker.marker);
        let group = setup
            .entry((side_index(&marker.side), usize::MAX, entry))
            .or_default();
        group.side.clone_from(&marker.side);
        group.markers.push(json!({
            "name": known.map_or(&marker.marker, |known| &known.name), "count": marker.count, "place": marker.place_text,
        }));
    }
    let turns: Vec<Value> = scenario
        .turns
        .iter()
        .map(|turn| {
            let mut value = json!(turn);
            let here = arrivals.iter().filter(|((index, _, _), _)| *index == turn.index);
            value["arrivals"] = here.map(|(_, group)| group_value(pack, group)).collect();
            let leaving = withdrawals.iter().filter(|((index, _), _)| *index == turn.index);
            value["withdrawals"] = leaving
                .map(|((_, side), units)| json!({ "side": side, "formations": by_formation(pack, units) }))
                .collect();
            value["releases"] = scenario
                .releases
                .iter()
                .filter(|release| release.at.ends_with(&turn.time) && release.at.starts_with(&turn.date))
                .map(|release| json!(release))
                .collect();
            value
        })
        .collect();
    let mut value = json!(scenario);
    value["value_label"] = json!(label);
    for key in ["pools", "fields"] {
        if value.get(key).is_none() {
            value[key] = json!([]);
        }
    }
    value["setup"] = pack
        .sides
        .iter()
        .enumerate()
        .map(|(index, side)| {
            let groups: Vec<Value> = setup
                .iter()
                .filter(|((side, _, _), _)| *side == index)
                .map(|(_, group)| group_value(pack, group))
                .collect();
            json!({ "id": side.id, "name": side.name, "groups": groups })
        })
        .collect();
    value["turns"] = json!(turns);
    let label = |turn: Option<&crate::pack::scenario::Turn>| turn.map(|turn| turn.label.clone());
    value["first_label"] = json!(label(scenario.turns.first()));
    value["last_label"] = json!(label(scenario.turns.last()));
    for key in ["hours", "first_side", "sets_up_first", "extends", "briefing"] {
        if value.get(key).is_none() {
            value[key] = Value::Null;
        }
    }
    value["lost"] = scenario
        .leaders
        .iter()
        .filter(|leader| leader.fate.state == "lost")
        .filter_map(|leader| pack.leaders.iter().find(|known| known.id == leader.leader))
        .map(|leader| json!({ "side": leader.side, "name": leader.name, "abbr": leader.abbr, "rank": leader.rank }))
        .collect();
    let mut counts: BTreeMap<(usize, &str), u32> = BTreeMap::new();
    for unit in &scenario.units {
        let side = units.get(unit.unit.as_str()).map_or("", |unit| &unit.side);
        *counts
            .entry((side_index(side), unit.fate.state.as_str()))
            .or_default() += 1;
    }
    value["counts"] = counts
        .into_iter()
        .map(|((side, state), count)| json!({ "side": pack.sides.get(side).map(|side| &side.name), "state": state, "count": count }))
        .collect();
    value
}

fn group_value(pack: &Pack, group: &Group) -> Value {
    let fate = group.fate.as_ref();
    let side = pack.sides.iter().find(|side| side.id == group.side);
    json!({
        "side": group.side,
        "side_name": side.map(|side| &side.name),
        "entry": fate.and_then(|fate| fate.entry.clone()),
        "place": fate.and_then(|fate| fate.place_text.clone()),
        "status": fate.and_then(|fate| fate.status.clone()),
        "optional": fate.is_some_and(|fate| fate.optional),
        "note": fate.and_then(|fate| fate.note.clone()),
        "areas": fate.and_then(|fate| fate.arrival.as_ref()).map(|arrival| arrival.areas.clone()),
        "area_names": fate.and_then(|fate| fate.arrival.as_ref()).map(|arrival| area_names(pack, &arrival.areas)),
        "arrival": fate.and_then(|fate| fate.arrival.as_ref()),
        "arrival_place": fate.and_then(|fate| fate.arrival.as_ref()).and_then(|arrival| arrival.place_text.clone()),
        "formations": by_formation(pack, &group.units),
        "leaders": group.leaders,
        "supply": group.supply,
        "markers": group.markers,
    })
}

fn area_names(pack: &Pack, ids: &[String]) -> Vec<String> {
    let name = |id: &String| {
        let area = pack.areas.iter().find(|area| area.id == *id);
        area.map_or_else(|| id.clone(), |area| area.name.clone())
    };
    ids.iter().map(name).collect()
}

/// Units by the formation that they belong to; `whole` where none of it is missing.
fn by_formation(pack: &Pack, units: &[Member]) -> Vec<Value> {
    let mut lists: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for unit in units {
        lists
            .entry(unit.formation.as_deref().unwrap_or_default())
            .or_default()
            .push(&unit.value);
    }
    let mut ids: Vec<&str> = lists.keys().copied().collect();
    ids.sort_by(|a, b| {
        let order = |id: &str| {
            pack.formations
                .iter()
                .find(|formation| formation.id == id)
                .and_then(|found| found.order)
        };
        order(a).cmp(&order(b)).then_with(|| natural(a, b))
    });
    ids.into_iter()
        .map(|id| {
            let formation = pack.formations.iter().find(|formation| formation.id == id);
            let all = pack.units.iter().filter(|unit| unit.formation == id).count();
            json!({
                "id": id,
                "name": formation.map(|formation| &formation.name),
                "designation": formation.map(|formation| &formation.designation),
                "whole": lists[id].len() == all,
                "units": lists[id],
            })
        })
        .collect()
}
