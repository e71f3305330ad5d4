//! Apportioning a formation's printed total over its units.
//!
//! Values that stand in the data stay as they are. The rest of the total is shared out in proportion to a weight (men
//! present) with the divisors of Sainte-Laguë (1, 3, 5, …), after every unit has its lower bound. A value that the total
//! and the bounds leave no choice about is deduced; the others are reconstructed.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::expression;
use crate::game::{ApportionDef, Basis, Game, Of, UnknownWeight};
use crate::model::{Attribute, How, Model, Scalar};
use crate::source::Span;

/// The rules of this stage.
pub static RULES: &[&Rule] = &[&CANNOT_APPORTION, &TOTAL_MISMATCH];

static CANNOT_APPORTION: Rule = Rule {
    code: "cannot-apportion",
    severity: Severity::Error,
    summary: "a formation's total is too small for the least that its units must have",
    explanation: "Each unit has a lower bound: the least that any unit can have, one more than a strength that it is known \
                  to have been reduced to (or that strength itself where one more does not fit), or a value that stands \
                  in its cell. If even these do not fit into the formation's total, one of them or the total is wrong.

Wrong:

```csv oob/demo/effectiveness.csv
side,formation,boxes,total
red,North,3,9
red,South,3,1
blue,West,2,6
```

Right:

```csv oob/demo/effectiveness.csv
side,formation,boxes,total
red,North,3,9
red,South,3,7
blue,West,2,6
```
",
};

static TOTAL_MISMATCH: Rule = Rule {
    code: "total-mismatch",
    severity: Severity::Error,
    summary: "the values of a formation's units do not add up to its total",
    explanation: "All units of the formation have a value of their own, and their sum is not the total that its rating \
                  gives. Correct the value that is wrong, or empty the cell of one that is not known for certain.

Wrong:

```csv oob/demo/effectiveness.csv
side,formation,boxes,total
red,North,3,19
red,South,3,7
blue,West,2,6
```

Right:

```csv oob/demo/effectiveness.csv
side,formation,boxes,total
red,North,3,9
red,South,3,7
blue,West,2,6
```
",
};

/// How one unit came to its share.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitShare {
    /// The unit, as an index into the model's.
    pub unit: usize,
    /// The weight in proportion to which it shares; `None` where it was not known.
    pub weight: Option<i64>,
    /// The lower bound.
    pub least: i64,
    /// What the lower bound is due to.
    pub because: Bound,
    /// What it got; `None` where that cannot be said.
    pub value: Option<i64>,
    /// The basis of the value.
    pub basis: Basis,
}

/// What a lower bound is due to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The value stands in the data.
    Given,
    /// The least that any unit can have.
    Least,
    /// A known reduced value, plus one.
    Reduced,
    /// A known reduced value itself, because one more does not fit.
    ReducedExactly,
}

/// How one formation's total was shared out.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    /// The rule, as an index into the game's.
    pub rule: usize,
    /// The formation, as an index into the model's.
    pub formation: usize,
    /// The total.
    pub total: i64,
    /// Its units' shares, in order of id.
    pub units: Vec<UnitShare>,
}

/// Shares out the totals of every formation that has one, by one rule.
pub fn apportion(game: &Game, rule_index: usize, model: &mut Model, sink: &mut Sink) {
    let rule = &game.apportion[rule_index];
    let rule_span = game.span(&format!("/apportion/{rule_index}"));
    let environment = expression::environment(game, model);
    let when = rule.when.as_ref().map(|text| {
        expression::compile(
            &environment,
            text,
            game.span(&format!("/apportion/{rule_index}/when")),
            sink,
        )
    });
    let by_formation = model.units_by_formation();
    // Whether a unit shares in its formation's total; an alternative has what it takes the place of.
    let shares: Vec<bool> = {
        let scope = expression::Scope::new(game, model, Of::Units, &when);
        let mut memory = expression::Memory::default();
        let mut holds = |unit: usize| match &when {
            Some(when) => scope.remembered(unit, &mut memory, |context| when.holds(context, sink)),
            None => true,
        };
        let rated: BTreeSet<usize> = model
            .effectiveness
            .iter()
            .map(|rating| rating.formation)
            .collect();
        let candidate = |unit: usize| {
            let unit = &model.units[unit];
            unit.is_fielded() && rated.contains(&unit.formation)
        };
        (0..model.units.len())
            .map(|unit| candidate(unit) && holds(unit))
            .collect()
    };
    for rating in 0..model.effectiveness.len() {
        let formation = model.effectiveness[rating].formation;
        let total = match rule.total.as_str() {
            "total" => model.effectiveness[rating].total,
            "boxes" => model.effectiveness[rating].boxes,
            other => match model.effectiveness[rating].attributes.integer(other) {
                Some(total) => total,
                None => continue,
            },
        };
        let units: Vec<usize> = by_formation[formation]
            .iter()
            .copied()
            .filter(|unit| shares[*unit])
            .collect();
        if units.is_empty() {
            continue;
        }
        let share = share_out(rule, rule_index, model, formation, total, &units, rule_span, sink);
        for unit in &share.units {
            // Of whom the data say that nobody knows it, it stays unknown.
            let open = unit.because != Bound::Given
                && !model.units[unit.unit]
                    .attributes
                    .is_declared_unknown(&rule.attribute);
            if let (Some(value), true) = (unit.value, open) {
                model.units[unit.unit].attributes.push(Attribute {
                    name: rule.attribute.clone(),
                    value: Scalar::Integer(value),
                    basis: unit.basis,
                    how: How::Apportioned(rule_index),
                    span: rule_span,
                    edit: None,
                });
            }
        }
        model.shares.push(share);
    }
}

#[allow(clippy::too_many_arguments)]
fn share_out(
    rule: &ApportionDef,
    rule_index: usize,
    model: &Model,
    formation: usize,
    total: i64,
    units: &[usize],
    rule_span: Span,
    sink: &mut Sink,
) -> Share {
    let mut shares: Vec<UnitShare> = units
        .iter()
        .map(|unit| {
            let attributes = &model.units[*unit].attributes;
            let given = attributes.get(&rule.attribute);
            let reduced = model
                .reductions
                .iter()
                .filter(|reduction| rule.bounded_by_reductions && reduction.unit == *unit)
                .filter(|reduction| reduction.attribute == rule.attribute)
                .map(|reduction| reduction.value)
                .max();
            let (least, because) = match (given.and_then(|given| given.value.integer()), reduced) {
                (Some(given), _) => (given, Bound::Given),
                (None, Some(reduced)) if reduced + 1 > rule.least => (reduced + 1, Bound::Reduced),
                _ => (rule.least, Bound::Least),
            };
            UnitShare {
                unit: *unit,
                weight: attributes.integer(&rule.weight),
                least,
                because,
                value: None,
                basis: given.map_or(Basis::Reconstructed, |given| given.basis),
            }
        })
        .collect();
    shares.sort_by(|a, b| crate::order::natural(&model.units[a.unit].id, &model.units[b.unit].id));
    let sum = |shares: &[UnitShare]| shares.iter().map(|share| share.least).sum::<i64>();
    if sum(&shares) > total {
        for share in &mut shares {
            if share.because == Bound::Reduced {
                share.least -= 1;
                share.because = Bound::ReducedExactly;
            }
        }
    }
    let open: Vec<usize> = (0..shares.len())
        .filter(|index| shares[*index].because != Bound::Given)
        .collect();
    let left = total - sum(&shares);
    let result = |shares| Share {
        rule: rule_index,
        formation,
        total,
        units: shares,
    };
    for share in &mut shares {
        if share.because == Bound::Given {
            share.value = Some(share.least);
        }
    }
    if open.is_empty() && left > 0 && model.doubtful.contains(&formation) {
        // A unit of the formation may be missing from the sum, which has been reported.
        return result(shares);
    }
    if left < 0 || (open.is_empty() && left != 0) {
        let span = rating_span(model, formation).unwrap_or(rule_span);
        report(rule, model, formation, total, &shares, &open, span, sink);
        return result(shares);
    }
    // With nothing left, or one unit to take it, the total leaves no choice.
    if left == 0 || open.len() == 1 {
        for index in &open {
            shares[*index].value = Some(shares[*index].least + left);
            shares[*index].basis = Basis::Deduced;
        }
        return result(shares);
    }
    let known: Vec<i64> = open.iter().filter_map(|index| shares[*index].weight).collect();
    if known.len() < open.len() && rule.unknown_weight == UnknownWeight::Leave {
        return result(shares);
    }
    // Weights are compared as fractions over one denominator, so that a mean need not be rounded.
    let count = known.len().max(1) as i128;
    let mean = if known.is_empty() {
        1
    } else {
        known.iter().map(|weight| i128::from(*weight)).sum()
    };
    let weights: Vec<i128> = open
        .iter()
        .map(|index| {
            shares[*index]
                .weight
                .map_or(mean, |weight| i128::from(weight) * count)
        })
        .collect();
    let mut seats: Vec<i64> = open.iter().map(|index| shares[*index].least).collect();
    for _ in 0..left {
        let best =
            (0..open.len()).max_by(|a, b| quotient(weights[*a], seats[*a], weights[*b], seats[*b], *a, *b));
        if let Some(best) = best {
            seats[best] += 1;
        }
    }
    for (position, index) in open.iter().enumerate() {
        shares[*index].value = Some(seats[position]);
        shares[*index].basis = if shares[*index].weight.is_some() {
            Basis::Reconstructed
        } else {
            Basis::Default
        };
    }
    result(shares)
}

/// Compares weight / (2·seats + 1) of two units; of equal quotients the one earlier by id is the greater.
fn quotient(
    weight: i128,
    seats: i64,
    other_weight: i128,
    other_seats: i64,
    at: usize,
    other: usize,
) -> Ordering {
    let left = weight * (2 * i128::from(other_seats) + 1);
    let right = other_weight * (2 * i128::from(seats) + 1);
    left.cmp(&right).then_with(|| other.cmp(&at))
}

fn rating_span(model: &Model, formation: usize) -> Option<Span> {
    model
        .effectiveness
        .iter()
        .find(|rating| rating.formation == formation)
        .and_then(|rating| rating.attributes.get("total").map(|attribute| attribute.span))
}

#[allow(clippy::too_many_arguments)]
fn report(
    rule: &ApportionDef,
    model: &Model,
    formation: usize,
    total: i64,
    shares: &[UnitShare],
    open: &[usize],
    span: Span,
    sink: &mut Sink,
) {
    let designation = &model.formations[formation].designation;
    let sum: i64 = shares.iter().map(|share| share.least).sum();
    let mut diagnostic = if open.is_empty() {
        Diagnostic::new(
            &TOTAL_MISMATCH,
            span,
            format!(
                "the units of {designation} have {sum} {} between them, but its total is {total}",
                rule.attribute
            ),
        )
        .help("correct the value that is wrong, or empty the cell of one that is not certain: it is then apportioned")
    } else {
        Diagnostic::new(
            &CANNOT_APPORTION,
            span,
            format!("the units of {designation} need at least {sum} {} between them, but its total is {total}", rule.attribute),
        )
        .help("correct the total, a unit's value or a reduction; `orbat why` on the formation lists every unit's bound")
    };
    diagnostic = diagnostic.note(format!("the total is {total}"));
    for share in shares {
        let unit = &model.units[share.unit];
        let span = unit
            .attributes
            .get(&rule.attribute)
            .map(|given| given.span)
            .or_else(|| {
                model
                    .reductions
                    .iter()
                    .find(|reduction| reduction.unit == share.unit)
                    .map(|reduction| reduction.span)
            });
        if let Some(span) = span {
            let why = match share.because {
                Bound::Given => format!("{} is {} here", rule.attribute, share.least),
                Bound::Least => continue,
                Bound::Reduced | Bound::ReducedExactly => {
                    format!("{} needs at least {}", unit.name, share.least)
                }
            };
            diagnostic = diagnostic.label(span, why);
        }
    }
    sink.push(diagnostic);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(total: i64, units: &[(i64, i64)]) -> Vec<i64> {
        let mut seats: Vec<i64> = units.iter().map(|(least, _)| *least).collect();
        let weights: Vec<i128> = units.iter().map(|(_, weight)| i128::from(*weight)).collect();
        for _ in 0..total - seats.iter().sum::<i64>() {
            let best = (0..units.len())
                .max_by(|a, b| quotient(weights[*a], seats[*a], weights[*b], seats[*b], *a, *b))
                .unwrap();
            seats[best] += 1;
        }
        seats
    }

    #[test]
    fn sainte_lague_shares_are_the_textbook_ones() {
        // 53, 24 and 23 thousand votes over seven seats: 3, 2, 2.
        assert_eq!(seats(7, &[(0, 53_000), (0, 24_000), (0, 23_000)]), [3, 2, 2]);
    }

    #[test]
    fn lower_bounds_are_kept_and_ties_go_to_the_first() {
        assert_eq!(seats(10, &[(5, 1), (1, 500), (1, 500)]), [5, 3, 2]);
    }
}
