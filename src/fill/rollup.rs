//! Sums: an attribute of a formation that adds up an attribute of everything below it.

use super::declared;
use crate::diagnostic::Sink;
use crate::game::{Basis, Game, Of};
use crate::model::{Attribute, Attributes, How, Model, Partial, Scalar};

/// What is below a formation, summed up.
#[derive(Default)]
struct Sum {
    known: i64,
    basis: Option<Basis>,
    units: Vec<usize>,
    leaders: Vec<usize>,
    any: bool,
}

/// Gives every formation of a roll-up's echelons the sum of what is below it. Where something that should have a value
/// has none there is no sum, and the formation keeps what is known of it.
pub(super) fn sum(game: &Game, index: usize, model: &mut Model, sink: &mut Sink) {
    let definition = &game.rollups[index];
    let at = |key: &str| game.span(&format!("/rollups/{index}/{key}"));
    let Some(attribute) = declared(game, Of::Formations, &definition.attribute, at("attribute"), sink) else {
        return;
    };
    let name = attribute.name.clone();
    let mut sums: Vec<Sum> = (0..model.formations.len()).map(|_| Sum::default()).collect();
    if let Some(of_units) = &definition.units {
        let Some(summed) = declared(game, Of::Units, of_units, at("units"), sink) else {
            return;
        };
        for unit in 0..model.units.len() {
            if model.units[unit].is_fielded() && super::carries(model, summed, unit) {
                let value = number(&model.units[unit].attributes, of_units);
                add(model, &mut sums, model.units[unit].formation, value, |sum| {
                    sum.units.push(unit);
                });
            }
        }
    }
    if let Some(of_leaders) = &definition.leaders {
        let Some(summed) = declared(game, Of::Leaders, of_leaders, at("leaders"), sink) else {
            return;
        };
        for leader in 0..model.leaders.len() {
            let Some(formation) = model.leaders[leader].commands else {
                continue;
            };
            if model.leaders[leader].present && super::carries(model, summed, leader) {
                let value = number(&model.leaders[leader].attributes, of_leaders);
                add(model, &mut sums, formation, value, |sum| sum.leaders.push(leader));
            }
        }
    }
    let span = game.span(&format!("/rollups/{index}"));
    for (formation, sum) in sums.into_iter().enumerate() {
        let place = &mut model.formations[formation];
        let wanted = definition.echelons.is_empty() || definition.echelons.contains(&place.echelon);
        let given = place.attributes.get(&name).is_some() || place.attributes.is_declared_unknown(&name);
        if !sum.any || !wanted || given {
            continue;
        }
        if sum.units.is_empty() && sum.leaders.is_empty() {
            place.attributes.push(Attribute {
                name: name.clone(),
                value: Scalar::Integer(sum.known),
                basis: sum.basis.unwrap_or(Basis::Printed),
                how: How::Summed(index),
                span,
                edit: None,
            });
        } else {
            place.partial.push(Partial {
                attribute: name.clone(),
                known: sum.known,
                units: sum.units,
                leaders: sum.leaders,
            });
        }
    }
}

fn number(attributes: &Attributes, name: &str) -> Option<(i64, Basis)> {
    let attribute = attributes.get(name)?;
    Some((attribute.value.integer()?, attribute.basis))
}

/// Adds a value to the sums of a formation and of all above it; notes there what has none.
fn add(
    model: &Model,
    sums: &mut [Sum],
    formation: usize,
    value: Option<(i64, Basis)>,
    missing: impl Fn(&mut Sum),
) {
    let mut at = Some(formation);
    while let Some(formation) = at {
        let sum = &mut sums[formation];
        sum.any = true;
        match value {
            Some((value, basis)) => {
                sum.known = sum.known.saturating_add(value);
                sum.basis = sum.basis.max(Some(basis));
            }
            None => missing(sum),
        }
        at = model.formations[formation].parent;
    }
}
