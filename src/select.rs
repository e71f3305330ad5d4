//! Selections: which units a phrase such as `4/Heth/III except 11 Miss` means.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::record::Records;
use crate::reference::{Found, Index, Named};
use crate::selection::{Clause, Item, Selection};

/// What a selection cannot be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmatched {
    /// The part of the selection at fault, as a byte range of its text.
    pub at: Range<usize>,
    /// What is wrong with it.
    pub message: String,
    /// References that may have been meant, or between which it does not decide.
    pub candidates: Vec<String>,
}

/// The arms and kinds that a game knows, as selections name them: each word with the kinds that it means.
pub type Kinds<'k> = &'k dyn Fn(&str) -> Option<Vec<String>>;

/// The units that a selection means, sorted. Words for arms and kinds are understood through `kinds`.
pub fn units(
    records: &Records,
    index: &Index,
    selection: &Selection,
    kinds: Option<Kinds<'_>>,
) -> Result<Vec<usize>, Unmatched> {
    let mut rows = BTreeSet::new();
    for clause in &selection.clauses {
        rows.extend(clause_units(records, index, clause, kinds)?);
    }
    Ok(rows.into_iter().collect())
}

fn clause_units(
    records: &Records,
    index: &Index,
    clause: &Clause,
    kinds: Option<Kinds<'_>>,
) -> Result<BTreeSet<usize>, Unmatched> {
    let scope = match &clause.scope {
        Some(item) => Some(one_formation(records, index, item, None)?),
        None => None,
    };
    let mut rows = BTreeSet::new();
    for item in &clause.items {
        rows.extend(item_units(records, index, item, scope, kinds)?);
    }
    for item in &clause.except {
        let within: BTreeSet<usize> = item_units(records, index, item, scope, kinds)
            .or_else(|error| among(records, index, item, &rows).ok_or(error))?;
        for row in within {
            rows.remove(&row);
        }
    }
    Ok(rows)
}

/// The units among `rows` that an item names, for exceptions that need no path.
fn among(records: &Records, index: &Index, item: &Item, rows: &BTreeSet<usize>) -> Option<BTreeSet<usize>> {
    let found: Vec<usize> = match index.find(records, Named::Units, &item.text, None) {
        Found::One(row) => vec![row],
        Found::Many(many) => many,
        Found::None => Vec::new(),
    };
    let found: BTreeSet<usize> = found.into_iter().filter(|row| rows.contains(row)).collect();
    (!found.is_empty()).then_some(found)
}

fn item_units(
    records: &Records,
    index: &Index,
    item: &Item,
    scope: Option<usize>,
    kinds: Option<Kinds<'_>>,
) -> Result<BTreeSet<usize>, Unmatched> {
    let Some(units) = records.table("units") else {
        return Ok(BTreeSet::new());
    };
    let all_under = |formation: usize| -> BTreeSet<usize> {
        units
            .rows()
            .filter(|row| is_under(index, Named::Units, *row, formation))
            .collect()
    };
    if item.text.eq_ignore_ascii_case("all") {
        return Ok(match scope {
            Some(formation) => all_under(formation),
            None => units.rows().collect(),
        });
    }
    if let Some(kinds) = kinds.and_then(|kinds| kinds(&item.text)) {
        return Ok(units
            .rows()
            .filter(|row| {
                units
                    .text(*row, "kind")
                    .is_some_and(|kind| kinds.iter().any(|name| name == kind))
            })
            .filter(|row| scope.is_none_or(|formation| is_under(index, Named::Units, *row, formation)))
            .collect());
    }
    let within = |named: Named| -> Vec<usize> {
        let rows = match index.find(records, named, &item.text, None) {
            Found::One(row) => vec![row],
            Found::Many(rows) => rows,
            Found::None => Vec::new(),
        };
        match scope {
            None => rows,
            Some(formation) => rows
                .into_iter()
                .filter(|row| is_under(index, named, *row, formation))
                .collect(),
        }
    };
    match within(Named::Units).as_slice() {
        [one] => return Ok(BTreeSet::from([*one])),
        [] => {}
        many => return Err(ambiguous(records, index, Named::Units, item, many)),
    }
    match within(Named::Formations).as_slice() {
        [one] => Ok(all_under(*one)),
        [] => Err(Unmatched {
            at: item.at.clone(),
            message: format!("nothing is called `{}` here", item.text),
            candidates: near(records, index, item),
        }),
        many => Err(ambiguous(records, index, Named::Formations, item, many)),
    }
}

fn one_formation(
    records: &Records,
    index: &Index,
    item: &Item,
    side: Option<&str>,
) -> Result<usize, Unmatched> {
    match index.find(records, Named::Formations, &item.text, side) {
        Found::One(row) => Ok(row),
        Found::None => Err(Unmatched {
            at: item.at.clone(),
            message: format!("no formation is called `{}`", item.text),
            candidates: index.suggestions(records, Named::Formations, &item.text, side),
        }),
        Found::Many(rows) => Err(ambiguous(records, index, Named::Formations, item, &rows)),
    }
}

fn ambiguous(records: &Records, index: &Index, named: Named, item: &Item, rows: &[usize]) -> Unmatched {
    Unmatched {
        at: item.at.clone(),
        message: format!("`{}` may be any of {}", item.text, rows.len()),
        candidates: rows
            .iter()
            .map(|row| index.reference_to(records, named, *row))
            .collect(),
    }
}

fn near(records: &Records, index: &Index, item: &Item) -> Vec<String> {
    let mut candidates = index.suggestions(records, Named::Units, &item.text, None);
    candidates.extend(index.suggestions(records, Named::Formations, &item.text, None));
    candidates.truncate(3);
    candidates
}

fn is_under(index: &Index, named: Named, row: usize, formation: usize) -> bool {
    index.chain(named, row).contains(&formation)
}
