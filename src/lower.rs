//! Lowering: a checked model becomes a pack.

mod counters;
mod errata;
mod scenario;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::check::Checked;
use crate::diagnostic::Sink;
use crate::errata::{Applied, Overlay};
use crate::game::{Basis, Game, Of};
use crate::inventory;
use crate::model::{Attributes, Chart, How, Item, Label, Model, Scalar};
use crate::pack::{self, Pack};
use crate::source::Files;

pub use counters::RULES;

/// What lowering needs besides the model.
pub struct Lowering<'a> {
    /// The files, for places.
    pub files: &'a Files,
    /// The game.
    pub game: &'a Game,
    /// The overlays.
    pub overlays: &'a [Overlay],
    /// What they did.
    pub applied: &'a Applied,
}

/// Makes the pack of a checked model.
pub fn lower(lowering: &Lowering<'_>, checked: &Checked, sink: &mut Sink) -> Pack {
    let game = lowering.game;
    let model = checked.model();
    let formation_id = |index: usize| model.formations[index].id.clone();
    let leader_id = |index: usize| model.leaders[index].id.clone();
    Pack {
        format: pack::PACK_FORMAT.into(),
        game: game_info(game),
        edition: errata::edition(lowering),
        sides: game.sides.clone(),
        formations: model
            .formations
            .iter()
            .map(|formation| pack::Formation {
                id: formation.id.clone(),
                side: formation.side.clone(),
                parent: formation.parent.map(formation_id),
                echelon: formation.echelon.clone(),
                name: formation.name.clone(),
                abbr: formation.abbr.clone(),
                designation: formation.designation.clone(),
                leader: formation.leader.map(leader_id),
                battle: formation.battle.clone(),
                partial: partial(model, formation),
                order: formation.order,
                note: formation.note.clone(),
                basis: basis(&formation.attributes),
                attributes: values(&formation.attributes),
            })
            .collect(),
        units: model
            .units
            .iter()
            .map(|unit| pack::Unit {
                id: unit.id.clone(),
                side: unit.side.clone(),
                formation: formation_id(unit.formation),
                kind: unit.kind.clone(),
                name: unit.name.clone(),
                abbr: unit.abbr.clone(),
                instead_of: unit
                    .instead_of
                    .iter()
                    .map(|replaced| model.units[*replaced].id.clone())
                    .collect(),
                order: unit.order,
                note: unit.note.clone(),
                basis: basis(&unit.attributes),
                attributes: values(&unit.attributes),
            })
            .collect(),
        leaders: model
            .leaders
            .iter()
            .map(|leader| pack::Leader {
                id: leader.id.clone(),
                side: leader.side.clone(),
                name: leader.name.clone(),
                abbr: leader.abbr.clone(),
                rank: leader.rank.clone(),
                role: leader.role.clone(),
                commands: leader.commands.map(formation_id),
                present: leader.present,
                order: leader.order,
                note: leader.note.clone(),
                basis: basis(&leader.attributes),
                attributes: values(&leader.attributes),
            })
            .collect(),
        effectiveness: model
            .effectiveness
            .iter()
            .map(|rating| pack::Effectiveness {
                formation: formation_id(rating.formation),
                boxes: rating.boxes,
                total: rating.total,
                basis: basis(&rating.attributes),
            })
            .collect(),
        weapons: model.weapons.iter().map(item).collect(),
        supply: model.supply.iter().map(item).collect(),
        calendar: game.calendar.clone(),
        maps: game.maps.clone(),
        map_joins: game.map_joins.clone(),
        measure: game.measure.clone(),
        arrival_rules: game.arrival_rules.clone(),
        areas: game.areas.clone(),
        features: game.features.clone(),
        tables: model.charts.iter().map(|table| chart(game, table)).collect(),
        markers: model.markers.iter().map(item).collect(),
        counters: counters::counters(lowering, model, sink),
        inventory: inventory::parts(game, model, sink)
            .into_iter()
            .zip(&game.inventory)
            .map(|(usage, part)| pack::Part {
                id: part.id.clone(),
                name: part.name.clone(),
                count: part.count,
                used: usage.used,
                uncounted: usage.uncounted.len(),
                source: part.source.clone(),
            })
            .collect(),
        optional_rules: game.optional_rules.clone(),
        errata: errata::entries(lowering),
        scenarios: model
            .scenarios
            .iter()
            .map(|scenario| scenario.file.id.clone())
            .collect(),
        provenance: provenance(lowering, model),
    }
}

/// Makes the packs of a checked model's scenarios.
pub fn scenarios(lowering: &Lowering<'_>, checked: &Checked) -> Vec<pack::scenario::ScenarioPack> {
    let model = checked.model();
    model
        .scenarios
        .iter()
        .map(|scenario| scenario::scenario(lowering, model, scenario))
        .collect()
}

fn game_info(game: &Game) -> pack::GameInfo {
    pack::GameInfo {
        id: game.id.clone(),
        title: game.title.clone(),
        source: game.source.clone(),
        about: game.about.clone(),
        battle: game.battle.clone(),
        printing: game.printing.clone(),
        echelons: game.echelons.clone(),
        kinds: game.kinds.clone(),
        ranks: game.ranks.clone(),
        roles: game.roles.clone(),
        attributes: game
            .attributes
            .iter()
            .map(|attribute| pack::AttributeInfo {
                of: attribute.of,
                name: attribute.name.clone(),
                kind: attribute.kind,
                label: attribute.label.clone(),
                short: attribute.short.clone(),
                unit: attribute.unit.clone(),
                help: attribute.help.clone(),
                choices: attribute.choices.clone(),
                in_scenarios: attribute.in_scenarios,
                carried_by: [&attribute.kinds, &attribute.echelons, &attribute.roles]
                    .into_iter()
                    .flatten()
                    .cloned()
                    .collect(),
            })
            .collect(),
        shapes: game.shapes.clone(),
        sources: game.sources.clone(),
    }
}

fn partial(model: &Model, formation: &crate::model::Formation) -> BTreeMap<String, pack::Partial> {
    let of = |partial: &crate::model::Partial| pack::Partial {
        known: partial.known,
        units: partial
            .units
            .iter()
            .map(|unit| model.units[*unit].id.clone())
            .collect(),
        leaders: partial
            .leaders
            .iter()
            .map(|leader| model.leaders[*leader].id.clone())
            .collect(),
    };
    let partial = formation.partial.iter();
    partial
        .map(|partial| (partial.attribute.clone(), of(partial)))
        .collect()
}

fn item(item: &Item) -> pack::Item {
    let mut basis = basis(&item.attributes);
    if item.count.is_some() && item.count_basis != Basis::Printed {
        basis.insert("count".into(), item.count_basis);
    }
    pack::Item {
        id: item.id.clone(),
        name: item.name.clone(),
        side: item.side.clone(),
        kind: item.kind.clone(),
        front: item.front.clone(),
        back: item.back.clone(),
        count: item.count,
        sheet: item.sheet.clone(),
        note: item.note.clone(),
        basis,
        attributes: values(&item.attributes),
    }
}

fn values(attributes: &Attributes) -> BTreeMap<String, Value> {
    attributes
        .iter()
        .filter(|attribute| !matches!(attribute.name.as_str(), "boxes" | "total"))
        .map(|attribute| (attribute.name.clone(), attribute.value.to_json()))
        .collect()
}

fn basis(attributes: &Attributes) -> BTreeMap<String, Basis> {
    attributes
        .iter()
        .filter(|attribute| attribute.basis != Basis::Printed)
        .map(|attribute| (attribute.name.clone(), attribute.basis))
        .collect()
}

fn chart(game: &Game, chart: &Chart) -> pack::Chart {
    let definition = &game.tables[chart.definition];
    let label = |label: &Label| match label {
        Label::Text(text) => json!(text),
        Label::Range { from, to: Some(to) } => json!({ "from": from, "to": to }),
        Label::Range { from, to: None } => json!({ "from": from }),
    };
    pack::Chart {
        id: definition.id.clone(),
        title: definition.title.clone(),
        source: definition.source.clone(),
        row_axis: definition.rows.clone(),
        column_axis: definition.columns.clone(),
        cell: definition.cells.clone(),
        rows: chart.rows.iter().map(|(text, _)| label(text)).collect(),
        columns: chart.columns.iter().map(|(text, _)| label(text)).collect(),
        lost: chart.lost.iter().map(|(row, column)| [*row, *column]).collect(),
        cells: chart
            .cells
            .iter()
            .map(|row| {
                row.iter()
                    .map(|cell| cell.as_ref().map_or(Value::Null, Scalar::to_json))
                    .collect()
            })
            .collect(),
    }
}

/// The provenance of every value that an overlay or a reconstruction made.
fn provenance(lowering: &Lowering<'_>, model: &Model) -> BTreeMap<String, pack::Provenance> {
    let mut all = BTreeMap::new();
    for edit in &lowering.applied.edits {
        let Some(id) = record_id(model, &edit.table, edit.row) else {
            continue;
        };
        let overlay = &lowering.overlays[edit.overlay];
        let place = lowering.files.place(edit.span);
        let key = if edit.field.is_empty() {
            format!("{}/{id}", edit.table)
        } else {
            format!("{}/{id}/{}", edit.table, edit.field)
        };
        all.insert(
            key,
            pack::Provenance {
                file: lowering.files.path(edit.span.file).to_owned(),
                line: place.line,
                column: place.column,
                cell: lowering.files.cell(edit.span),
                overlay: Some(overlay.id.clone()),
                reference: Some(overlay.entries[edit.entry].reference.clone()),
            },
        );
    }
    for of in [
        Of::Formations,
        Of::Units,
        Of::Leaders,
        Of::Effectiveness,
        Of::Weapons,
        Of::Supply,
        Of::Markers,
    ] {
        for index in 0..model.len(of) {
            for attribute in model.attributes(of, index).iter() {
                let made = matches!(
                    attribute.how,
                    How::Apportioned(_) | How::Derived(_) | How::Summed(_) | How::Default(_)
                );
                let joined = matches!(attribute.how, How::Supplement(_)) && attribute.edit.is_some();
                if !made && !joined {
                    continue;
                }
                let edit = attribute.edit.map(|edit| &lowering.applied.edits[edit as usize]);
                let overlay = edit.map(|edit| &lowering.overlays[edit.overlay]);
                let span = edit.map_or(attribute.span, |edit| edit.span);
                let place = lowering.files.place(span);
                all.insert(
                    format!("{}/{}/{}", of.table(), id_of(model, of, index), attribute.name),
                    pack::Provenance {
                        file: lowering.files.path(span.file).to_owned(),
                        line: place.line,
                        column: place.column,
                        cell: lowering.files.cell(span),
                        overlay: overlay.map(|overlay| overlay.id.clone()),
                        reference: edit
                            .zip(overlay)
                            .map(|(edit, overlay)| overlay.entries[edit.entry].reference.clone()),
                    },
                );
            }
        }
    }
    all
}

fn id_of(model: &Model, of: Of, index: usize) -> &str {
    match of {
        Of::Formations => &model.formations[index].id,
        Of::Units => &model.units[index].id,
        Of::Leaders => &model.leaders[index].id,
        Of::Effectiveness => &model.formations[model.effectiveness[index].formation].id,
        Of::Weapons => &model.weapons[index].id,
        Of::Supply => &model.supply[index].id,
        Of::Markers => &model.markers[index].id,
        Of::Sides => &model.sides[index].id,
    }
}

/// The id under which the pack lists what a row became, if it lists it.
fn record_id(model: &Model, table: &str, row: usize) -> Option<String> {
    let item = |items: &[Item]| {
        items
            .iter()
            .find(|item| item.row == row)
            .map(|item| item.id.clone())
    };
    match table {
        "formations" => model
            .formations
            .iter()
            .find(|formation| formation.row == row)
            .map(|found| found.id.clone()),
        "units" => model
            .units
            .iter()
            .find(|unit| unit.row == row)
            .map(|found| found.id.clone()),
        "leaders" => model
            .leaders
            .iter()
            .find(|leader| leader.row == row)
            .map(|found| found.id.clone()),
        "effectiveness" => model
            .effectiveness
            .iter()
            .find(|rating| rating.row == row)
            .map(|rating| model.formations[rating.formation].id.clone()),
        "weapons" => item(&model.weapons),
        "markers" => item(&model.markers),
        "supply" => item(&model.supply),
        _ => None,
    }
}
