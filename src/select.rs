//! Selections: which units a phrase such as `4/Heth/III except 11 Miss` means.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::game::GameFile;
use crate::record::Records;
use crate::reference::{Candidate, Found, Index, Named};
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
    pub candidates: Vec<Candidate>,
    /// Where what is named is, if not in the formation in which it is looked for.
    pub elsewhere: Option<Box<Elsewhere>>,
    /// What to do, where neither of these says it.
    pub help: Option<String>,
}

/// A unit that is looked for in one formation and is in another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elsewhere {
    /// The designation of its formation.
    pub home: String,
    /// That of the formation in which it is looked for.
    pub within: String,
    /// The short names of the units there; none where they are too many to be listed.
    pub members: Vec<String>,
}

impl Elsewhere {
    /// Offers to write the right formation, in the words of whoever asks, or one of the units of the wrong one.
    pub fn help(&self, right: &str) -> String {
        let members: Vec<&str> = self.members.iter().map(String::as_str).collect();
        let list = match members.as_slice() {
            [] => String::new(),
            members => format!(": {}", suggest::quoted(members)),
        };
        format!("write {right}, or a unit of {}{list}", self.within)
    }
}

impl Unmatched {
    fn new(item: &Item, message: String) -> Self {
        Unmatched {
            at: item.at.clone(),
            message,
            candidates: Vec::new(),
            elsewhere: None,
            help: None,
        }
    }

    fn with(mut self, candidates: Vec<Candidate>) -> Self {
        self.candidates = candidates;
        self
    }

    /// What to do about it in a selection.
    pub fn cure(&self, text: &str) -> Option<String> {
        let named = text.get(self.at.clone()).unwrap_or(text);
        let elsewhere = self.elsewhere.as_ref();
        elsewhere
            .map(|elsewhere| elsewhere.help(&format!("`{named} of {}`", elsewhere.home)))
            .or_else(|| suggest::did_you_mean(&self.candidates))
            .or_else(|| self.help.clone())
    }
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
            let left_out = match left_out {
                Ok(left_out) => left_out,
                Err(problem) => {
                    problems.push(problem);
                    continue;
                }
            };
            rows.retain(|row| !left_out.contains(row));
            if rows.len() == before && before > 0 {
                problems.push(self.needless(item, &left_out));
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
            [] => {
                let message = format!("no formation is called `{}`", item.text);
                let near = self.suggestions(Named::Formations, item, None);
                Err(Unmatched::new(item, message).with(near))
            }
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

    fn suggestions(self, named: Named, item: &Item, within: Option<usize>) -> Vec<Candidate> {
        self.index
            .suggestions(self.records, named, &item.text, self.side, within)
    }

    fn unknown(self, item: &Item, within: Option<usize>) -> Unmatched {
        if let Some(side) = self.side
            && let Some(other) = self.other_side(item, side)
        {
            let message = format!("`{}` is of side `{other}`, not of `{side}`", item.text);
            return Unmatched {
                help: Some(format!("name one of side `{side}`, or correct the `side`")),
                ..Unmatched::new(item, message)
            };
        }
        if let Some(formation) = within
            && let Some(problem) = self.elsewhere(item, formation)
        {
            return problem;
        }
        let mut candidates = self.suggestions(Named::Units, item, within);
        candidates.extend(self.suggestions(Named::Formations, item, within));
        candidates.truncate(3);
        if let Some(word) = suggest::closest(&item.text, self.words.kinds.keys().map(String::as_str))
            && candidates.len() < 3
        {
            candidates.push(Candidate::plain(word));
        }
        let place = within.map_or_else(String::new, |formation| {
            format!(" in {}", self.index.designation(self.records, formation))
        });
        Unmatched {
            help: Some("write the name, designation or id of a unit or a formation".into()),
            ..Unmatched::new(item, format!("nothing is called `{}`{place}", item.text)).with(candidates)
        }
    }

    /// What is said of a unit that is not in the formation in which it is looked for, but in another.
    fn elsewhere(self, item: &Item, within: usize) -> Option<Unmatched> {
        /// More would not be read.
        const LISTED: usize = 12;
        let units = self.records.table("units")?;
        let found = self.found(Named::Units, item);
        let [row] = found.as_slice() else {
            return None;
        };
        let home = self.index.home(Named::Units, *row)?;
        let designation = |row| self.index.designation(self.records, row);
        let members = units
            .rows()
            .filter(|row| self.is_under(Named::Units, *row, within))
            .filter_map(|row| units.text(row, "abbr").or_else(|| units.text(row, "name")));
        let mut members: Vec<String> = members.map(str::to_owned).collect();
        if members.len() > LISTED {
            members.clear();
        }
        let elsewhere = Elsewhere {
            home: designation(home),
            within: designation(within),
            members,
        };
        let name = units.text(*row, "name").unwrap_or(&item.text);
        let message = format!("{name} is in {}, not in {}", elsewhere.home, elsewhere.within);
        Some(Unmatched {
            elsewhere: Some(Box::new(elsewhere)),
            ..Unmatched::new(item, message)
        })
    }

    /// What is said of an exception from units among which it is not.
    fn needless(self, item: &Item, left_out: &BTreeSet<usize>) -> Unmatched {
        let mut units = left_out.iter();
        let home = match (units.next(), units.next()) {
            (Some(one), None) => self.index.home(Named::Units, *one),
            _ => None,
        };
        let help = match home {
            Some(home) => format!(
                "it is in {}: leave it out",
                self.index.designation(self.records, home)
            ),
            None => "leave it out".to_owned(),
        };
        let message = format!("`{}` is excepted from units of which it is none", item.text);
        Unmatched {
            help: Some(help),
            ..Unmatched::new(item, message)
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
        let candidates = rows
            .iter()
            .map(|row| Candidate::plain(self.index.reference_to(self.records, named, *row)));
        let message = format!("`{}` may be any of {}", item.text, rows.len());
        Unmatched::new(item, message).with(candidates.collect())
    }
}
