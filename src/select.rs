//! Selections: which units a phrase such as `4/Heth/III except 11 Miss` means.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::game::GameFile;
use crate::record::Records;
use crate::reference::{Found, Index, Named};
use crate::selection::{Clause, Item, Selection};
use crate::suggest;

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

/// What words mean in a game's selections.
#[derive(Debug, Default)]
pub struct Words {
    /// The kinds that a word such as `artillery` means, by the word in lower case.
    kinds: BTreeMap<String, Vec<String>>,
    /// The kinds that are meant only if named themselves.
    followers: Vec<String>,
}

impl Words {
    /// The words of a game: its arms and kinds, by id and name.
    pub fn new(game: &GameFile) -> Self {
        let mut kinds: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for kind in &game.kinds {
            for word in BTreeSet::from([
                kind.arm.to_lowercase(),
                kind.id.to_lowercase(),
                kind.name.to_lowercase(),
            ]) {
                kinds.entry(word).or_default().push(kind.id.clone());
            }
        }
        Words {
            kinds,
            followers: game
                .kinds
                .iter()
                .filter(|kind| kind.with_leader)
                .map(|kind| kind.id.clone())
                .collect(),
        }
    }
}

/// What a selection is made of.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    /// The records.
    pub records: &'a Records,
    /// Their names.
    pub index: &'a Index,
    /// What words mean.
    pub words: &'a Words,
    /// Only units of this side.
    pub side: Option<&'a str>,
    /// What `rest of` leaves out, as rows.
    pub taken: Option<&'a BTreeSet<usize>>,
}

/// What a selection was found to mean.
#[derive(Debug, Default)]
pub struct Selected {
    /// The units, as rows, sorted: those of the parts that mean something.
    pub rows: Vec<usize>,
    /// The parts that do not.
    pub problems: Vec<Unmatched>,
}

/// The units that a selection means. A part that means nothing does not spoil the others.
pub fn units(scope: Scope<'_>, selection: &Selection) -> Selected {
    let mut rows = BTreeSet::new();
    let mut problems = Vec::new();
    for clause in &selection.clauses {
        join(&mut rows, scope.clause(clause, &mut problems));
    }
    Selected {
        rows: rows.into_iter().collect(),
        problems,
    }
}

/// Adds rows to others; most often there are none yet.
fn join(rows: &mut BTreeSet<usize>, mut more: BTreeSet<usize>) {
    rows.append(&mut more);
}

impl Scope<'_> {
    fn clause(self, clause: &Clause, problems: &mut Vec<Unmatched>) -> BTreeSet<usize> {
        let mut rows = BTreeSet::new();
        let within = match clause.scope.as_ref().map(|item| self.formation(item)) {
            Some(Ok(formation)) => Some(formation),
            Some(Err(problem)) => {
                problems.push(problem);
                return rows;
            }
            None => None,
        };
        for item in &clause.items {
            match self.item(item, within) {
                Ok(found) => join(&mut rows, found),
                Err(problem) => problems.push(problem),
            }
        }
        for item in &clause.except {
            let left_out = match self.among(item, &rows) {
                Some(left_out) => Ok(left_out),
                None => self.item(item, within),
            };
            let before = rows.len();
            match left_out {
                Ok(left_out) => rows.retain(|row| !left_out.contains(row)),
                Err(problem) => {
                    problems.push(problem);
                    continue;
                }
            }
            if rows.len() == before && before > 0 {
                problems.push(Unmatched {
                    at: item.at.clone(),
                    message: format!("`{}` is excepted from units of which it is none", item.text),
                    candidates: Vec::new(),
                });
            }
        }
        if clause.rest
            && let Some(taken) = self.taken
        {
            rows.retain(|row| !taken.contains(row));
        }
        rows
    }

    /// The units among `rows` that an exception names: it needs no path where the selection itself decides.
    fn among(self, item: &Item, rows: &BTreeSet<usize>) -> Option<BTreeSet<usize>> {
        if self.words.kinds.contains_key(&item.text.to_lowercase()) {
            return None;
        }
        let units: BTreeSet<usize> = self
            .found(Named::Units, item)
            .into_iter()
            .filter(|row| rows.contains(row))
            .collect();
        if units.len() == 1 {
            return Some(units);
        }
        let mut formations = self.found(Named::Formations, item);
        formations.retain(|formation| {
            rows.iter()
                .any(|row| self.index.chain(Named::Units, *row).contains(formation))
        });
        match formations.as_slice() {
            [one] => Some(self.all_under(*one)),
            _ => None,
        }
    }

    fn item(self, item: &Item, within: Option<usize>) -> Result<BTreeSet<usize>, Unmatched> {
        let Some(units) = self.records.table("units") else {
            return Ok(BTreeSet::new());
        };
        if item.text.eq_ignore_ascii_case("all") {
            return Ok(match within {
                Some(formation) => self.all_under(formation),
                None => self.all(),
            });
        }
        if let Some(kinds) = self.words.kinds.get(&item.text.to_lowercase()) {
            let rows = match within {
                Some(formation) => self.index.units_below(self.records, formation),
                None => units.rows().collect(),
            };
            let is_wanted = |kind: &str| kinds.iter().any(|name| name == kind);
            return Ok(rows
                .into_iter()
                .filter(|row| units.text(*row, "kind").is_some_and(is_wanted))
                .filter(|row| self.of_side(Named::Units, *row))
                .collect());
        }
        let hits = |named: Named| -> Vec<usize> {
            let mut rows = self.found(named, item);
            if let Some(formation) = within {
                rows.retain(|row| self.is_under(named, *row, formation));
            }
            rows
        };
        match hits(Named::Units).as_slice() {
            [one] => return Ok(BTreeSet::from([*one])),
            [] => {}
            many => return Err(self.ambiguous(Named::Units, item, many)),
        }
        match hits(Named::Formations).as_slice() {
            [one] => Ok(self.all_under(*one)),
            [] => Err(self.unknown(item, within)),
            many => {
                // A leaf directly below the scope is what an author means by `1, 2 of 1/Cav`.
                let direct: Vec<usize> = many
                    .iter()
                    .copied()
                    .filter(|row| within.is_some() && self.index.home(Named::Formations, *row) == within)
                    .collect();
                match direct.as_slice() {
                    [one] => Ok(self.all_under(*one)),
                    _ => Err(self.ambiguous(Named::Formations, item, many)),
                }
            }
        }
    }

    fn formation(self, item: &Item) -> Result<usize, Unmatched> {
        match self.found(Named::Formations, item).as_slice() {
            [one] => Ok(*one),
            [] => Err(Unmatched {
                at: item.at.clone(),
                message: format!("no formation is called `{}`", item.text),
                candidates: self
                    .index
                    .suggestions(self.records, Named::Formations, &item.text, self.side),
            }),
            many => Err(self.ambiguous(Named::Formations, item, many)),
        }
    }

    /// The records of the side that an item may name.
    fn found(self, named: Named, item: &Item) -> Vec<usize> {
        let mut rows = match self.index.find(self.records, named, &item.text, self.side) {
            Found::One(row) => vec![row],
            Found::Many(rows) => rows,
            Found::None => Vec::new(),
        };
        rows.retain(|row| self.of_side(named, *row));
        rows
    }

    fn of_side(self, named: Named, row: usize) -> bool {
        self.side
            .is_none_or(|side| self.index.side(self.records, named, row) == Some(side))
    }

    fn is_under(self, named: Named, row: usize, formation: usize) -> bool {
        self.index.chain(named, row).contains(&formation)
    }

    fn is_follower(self, row: usize) -> bool {
        let kind = self
            .records
            .table("units")
            .and_then(|units| units.text(row, "kind"));
        kind.is_some_and(|kind| self.words.followers.iter().any(|follower| follower == kind))
    }

    fn all(self) -> BTreeSet<usize> {
        let Some(units) = self.records.table("units") else {
            return BTreeSet::new();
        };
        units
            .rows()
            .filter(|row| !self.is_follower(*row) && self.of_side(Named::Units, *row))
            .collect()
    }

    fn all_under(self, formation: usize) -> BTreeSet<usize> {
        let rows = self.index.units_below(self.records, formation).into_iter();
        rows.filter(|row| !self.is_follower(*row) && self.of_side(Named::Units, *row))
            .collect()
    }

    fn unknown(self, item: &Item, within: Option<usize>) -> Unmatched {
        let mut candidates = self
            .index
            .suggestions(self.records, Named::Units, &item.text, self.side);
        candidates.extend(
            self.index
                .suggestions(self.records, Named::Formations, &item.text, self.side),
        );
        candidates.truncate(3);
        if let Some(word) = suggest::closest(&item.text, self.words.kinds.keys().map(String::as_str))
            && candidates.len() < 3
        {
            candidates.push(word.to_owned());
        }
        if let Some(side) = self.side
            && let Some(other) = self.other_side(item, side)
        {
            return Unmatched {
                at: item.at.clone(),
                message: format!("`{}` is of side `{other}`, not of `{side}`", item.text),
                candidates: Vec::new(),
            };
        }
        let place = within.map_or_else(String::new, |formation| {
            format!(" in {}", self.index.designation(self.records, formation))
        });
        Unmatched {
            at: item.at.clone(),
            message: format!("nothing is called `{}`{place}", item.text),
            candidates,
        }
    }

    /// The side of the one record that a name means, where it is another than `side`.
    fn other_side(self, item: &Item, side: &str) -> Option<String> {
        [Named::Units, Named::Formations].into_iter().find_map(|named| {
            match self.index.find(self.records, named, &item.text, None) {
                Found::One(row) => self.index.side(self.records, named, row),
                Found::None | Found::Many(_) => None,
            }
            .filter(|other| *other != side)
            .map(str::to_owned)
        })
    }

    fn ambiguous(self, named: Named, item: &Item, rows: &[usize]) -> Unmatched {
        Unmatched {
            at: item.at.clone(),
            message: format!("`{}` may be any of {}", item.text, rows.len()),
            candidates: rows
                .iter()
                .map(|row| self.index.reference_to(self.records, named, *row))
                .collect(),
        }
    }
}
