//! References: how authors name things, and what they mean.
//!
//! A reference is an id, a name, an abbreviation or an alias, alone or with a path of the formations above it:
//! `105 Pa`, `105 Pa/1/1/III`, `3/Heth/III`. The index works on records, so that overlays can use it before anything
//! has been judged, and it can be brought up to date record by record.

use std::collections::BTreeSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::cell::{self, Wanted};
use crate::diagnostic::Diagnostic;
use crate::fold::Folder;
use crate::parallel;
use crate::record::{Records, Table, is_id};
use crate::source::Span;
use crate::suggest;

/// The tables whose records can be referred to by name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Named {
    /// `formations`.
    Formations,
    /// `units`.
    Units,
    /// `leaders`.
    Leaders,
}

impl Named {
    /// The table's name.
    pub fn table(self) -> &'static str {
        match self {
            Named::Formations => "formations",
            Named::Units => "units",
            Named::Leaders => "leaders",
        }
    }

    /// The named table of a name.
    pub fn of(table: &str) -> Option<Self> {
        match table {
            "formations" => Some(Named::Formations),
            "units" => Some(Named::Units),
            "leaders" => Some(Named::Leaders),
            _ => None,
        }
    }

    /// The column that says which formation a record belongs to.
    pub fn home_column(self) -> &'static str {
        match self {
            Named::Formations => "parent",
            Named::Units => "formation",
            Named::Leaders => "commands",
        }
    }

    fn slot(self) -> usize {
        self as usize
    }
}

/// So many names are compared in search of what references may have meant, each search through a whole table. Where
/// thousands of references mean nothing, the first of them are searched for, and the others only told.
const MOST_COMPARED: usize = 400_000;

/// No formation has more formations above it than this.
pub const DEEPEST: usize = 32;

/// What every name means.
#[derive(Debug)]
pub struct Index {
    folder: Folder,
    names: [Names; 3],
    /// How many names were compared in search of what references may have meant.
    compared: AtomicUsize,
    /// What belongs to each formation, made when somebody asks.
    members: OnceLock<Members>,
    /// The hashes of each formation's folded names: paths are matched against them again and again.
    formation_keys: Vec<Vec<u64>>,
}

/// The names of one table: hashes of folded names, sorted, with the rows that bear them. What a hash finds is checked
/// against the record, so entries need not be taken out when a record changes.
#[derive(Debug, Default)]
struct Names {
    sorted: Vec<(u64, u32)>,
    /// Hashes of ids to the letter, sorted: most references are ids, and need no folding.
    ids: Vec<(u64, u32)>,
    added: Vec<(u64, u32)>,
    /// The formation that each row belongs to, as a row of `formations`.
    homes: Vec<Option<u32>>,
}

/// What belongs to each formation directly, by its row: formations and units, as rows.
#[derive(Debug, Default)]
struct Members {
    formations: Vec<Vec<u32>>,
    units: Vec<Vec<u32>>,
}

/// What a reference was found to mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// One record.
    One(usize),
    /// None.
    None,
    /// Several.
    Many(Vec<usize>),
}

/// What may have been meant by a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// What to write.
    pub text: String,
    /// What it is, where an id has to be written.
    pub known_as: Option<String>,
}

impl Candidate {
    /// A text that says itself what it is.
    pub fn plain(text: impl Into<String>) -> Self {
        Candidate {
            text: text.into(),
            known_as: None,
        }
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.text)?;
        match &self.known_as {
            Some(name) => write!(f, " ({name})"),
            None => Ok(()),
        }
    }
}

impl From<Vec<usize>> for Found {
    fn from(rows: Vec<usize>) -> Self {
        match rows.as_slice() {
            [] => Found::None,
            [one] => Found::One(*one),
            _ => Found::Many(rows),
        }
    }
}

impl Index {
    /// Indexes all named records.
    pub fn build(records: &Records, synonyms: &[Vec<String>]) -> Self {
        let mut index = Index {
            folder: Folder::new(synonyms),
            names: Default::default(),
            compared: AtomicUsize::new(0),
            members: OnceLock::new(),
            formation_keys: Vec::new(),
        };
        for named in [Named::Formations, Named::Units, Named::Leaders] {
            let Some(table) = records.table(named.table()) else {
                continue;
            };
            if named == Named::Formations {
                index.formation_keys = parallel::each(table.all_rows().len(), |row| {
                    let mut keys = Vec::new();
                    index.each_name(table, row, &mut |hash| keys.push(hash));
                    keys
                });
            }
            let sorted = hashed(table, |row, add| index.each_name(table, row, add));
            let ids = hashed(table, |row, add| {
                if let Some(id) = table.text(row, "id") {
                    add(hash(id));
                }
            });
            let names = &mut index.names[named.slot()];
            (names.sorted, names.ids) = (sorted, ids);
        }
        for named in [Named::Formations, Named::Units, Named::Leaders] {
            index.settle(records, named);
        }
        index
    }

    /// The folding in force.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Takes notice of an added or changed record.
    pub fn update(&mut self, records: &Records, named: Named, row: usize) {
        let Some(table) = records.table(named.table()) else {
            return;
        };
        self.members.take();
        let mut added = Vec::new();
        self.each_name(table, row, &mut |hash| added.push((hash, row as u32)));
        if named == Named::Formations {
            if self.formation_keys.len() <= row {
                self.formation_keys.resize(row + 1, Vec::new());
            }
            self.formation_keys[row] = added.iter().map(|(hash, _)| *hash).collect();
        }
        self.names[named.slot()].added.extend(added);
        let home = self.find_home(records, named, table, row);
        let homes = &mut self.names[named.slot()].homes;
        if homes.len() <= row {
            homes.resize(row + 1, None);
        }
        homes[row] = home;
        if named == Named::Formations {
            // A formation that was missing until now may be the home of records read earlier.
            for other in [Named::Formations, Named::Units, Named::Leaders] {
                self.settle_orphans(records, other);
            }
        }
    }

    /// Finds the records of a table that a reference can mean, those of `side` where one is given.
    pub fn find(&self, records: &Records, named: Named, text: &str, side: Option<&str>) -> Found {
        let mut rows = self.candidates(records, named, text);
        if let Some(side) = side
            && rows.len() > 1
        {
            let of_side: Vec<usize> = rows
                .iter()
                .copied()
                .filter(|row| self.side(records, named, *row) == Some(side))
                .collect();
            if !of_side.is_empty() {
                rows = of_side;
            }
        }
        rows.into()
    }

    fn candidates(&self, records: &Records, named: Named, text: &str) -> Vec<usize> {
        let rows = self.lookup(records, named, text);
        if !rows.is_empty() {
            return rows;
        }
        let mut parts = text.split('/').map(str::trim);
        let Some(leaf) = parts.next() else {
            return Vec::new();
        };
        let scopes: Vec<u64> = parts.map(|part| hash(&self.folder.loose(part))).collect();
        if scopes.is_empty() {
            return Vec::new();
        }
        let mut best = 1;
        let mut rows = Vec::new();
        for row in self.lookup(records, named, leaf) {
            let rank = self.path_rank(records, named, row, &scopes);
            if rank > best {
                best = rank;
                rows.clear();
            }
            if rank == best {
                rows.push(row);
            }
        }
        rows
    }

    /// How well a record's place in the tree fits the scopes of a path: 3 exactly its designation, 2 the nearest part of
    /// it, 1 with formations left out between, 0 not at all.
    fn path_rank(&self, records: &Records, named: Named, row: usize, scopes: &[u64]) -> u8 {
        let Some(formations) = records.table("formations") else {
            return 0;
        };
        let chain = self.chain(named, row);
        let matches = |formation: usize, scope: &u64| {
            self.formation_keys
                .get(formation)
                .is_some_and(|keys| keys.contains(scope))
        };
        let short: Vec<usize> = chain
            .iter()
            .copied()
            .filter(|formation| formations.text(*formation, "abbr").is_some())
            .collect();
        if short.len() >= scopes.len() && short.iter().zip(scopes).all(|(row, scope)| matches(*row, scope)) {
            return if short.len() == scopes.len() { 3 } else { 2 };
        }
        let mut wanted = scopes.iter();
        let mut next = wanted.next();
        for formation in chain {
            if let Some(scope) = next
                && matches(formation, scope)
            {
                next = wanted.next();
            }
        }
        u8::from(next.is_none())
    }

    /// The records that bear a name: those whose name is the same to the letter (but for case, ordinals and the like), or
    /// failing that those that differ only in the kind of possessive.
    fn lookup(&self, records: &Records, named: Named, text: &str) -> Vec<usize> {
        let Some(table) = records.table(named.table()) else {
            return Vec::new();
        };
        let by_id: Vec<usize> = self.by_id(table, named, text).collect();
        if !by_id.is_empty() {
            return by_id;
        }
        let loose = self.folder.loose(text);
        if loose.is_empty() {
            return Vec::new();
        }
        let strict = self.folder.strict(text);
        let hash = hash(&loose);
        let names = &self.names[named.slot()];
        let from = names.sorted.partition_point(|(other, _)| *other < hash);
        let sorted = names.sorted[from..]
            .iter()
            .take_while(|(other, _)| *other == hash);
        let added = names.added.iter().filter(|(other, _)| *other == hash);
        let mut rows: Vec<u32> = sorted.chain(added).map(|(_, row)| *row).collect();
        rows.sort_unstable();
        rows.dedup();
        let (mut exact, mut near) = (Vec::new(), Vec::new());
        for row in rows {
            let row = row as usize;
            if table.row(row).removed.is_some() {
                continue;
            }
            let (mut is_exact, mut is_near) = (false, false);
            self.for_each_key(table, row, |key| {
                is_near |= self.folder.loose(key) == loose;
                is_exact |= self.folder.strict(key) == strict;
            });
            if is_exact {
                exact.push(row);
            } else if is_near {
                near.push(row);
            }
        }
        if exact.is_empty() { near } else { exact }
    }

    /// The records that have exactly this id.
    fn by_id<'t>(&'t self, table: &'t Table, named: Named, id: &'t str) -> impl Iterator<Item = usize> + 't {
        let names = &self.names[named.slot()];
        let wanted = hash(id);
        let from = names.ids.partition_point(|(other, _)| *other < wanted);
        let sorted = names.ids[from..]
            .iter()
            .take_while(move |(other, _)| *other == wanted);
        // What overlays added is found by its folded names, and told from others by the id itself.
        let folded = if names.added.is_empty() {
            0
        } else {
            hash(&self.folder.loose(id))
        };
        let added = names.added.iter().filter(move |(other, _)| *other == folded);
        let mut seen = Vec::new();
        sorted
            .chain(added)
            .map(|(_, row)| *row as usize)
            .filter(|row| table.row(*row).removed.is_none() && table.text(*row, "id") == Some(id))
            .filter(move |row| {
                let fresh = !seen.contains(row);
                seen.push(*row);
                fresh
            })
    }

    fn each_name(&self, table: &Table, row: usize, each: &mut dyn FnMut(u64)) {
        self.for_each_key(table, row, |key| each(hash(&self.folder.loose(key))));
    }

    /// Every text by which a record may be named.
    fn for_each_key(&self, table: &Table, row: usize, mut each: impl FnMut(&str)) {
        for column in ["id", "name", "abbr"] {
            if let Some(text) = table.text(row, column) {
                each(text);
            }
        }
        if let Some(aliases) = table.field(row, "aliases") {
            for alias in aliases.value.list() {
                each(&alias);
            }
        }
        if table.name == "leaders"
            && let Some(name) = table.text(row, "name")
            && let Some((_, surname)) = name.rsplit_once([' ', '.'])
        {
            each(surname);
        }
    }

    fn settle(&mut self, records: &Records, named: Named) {
        let Some(table) = records.table(named.table()) else {
            return;
        };
        self.names[named.slot()].homes = vec![None; table.all_rows().len()];
        // Ids first: what is named by a path is found through the tree that the ids make.
        let homes = parallel::each(table.all_rows().len(), |row| {
            let text = table.text(row, named.home_column())?;
            self.formation_by_id(records, text)
        });
        self.names[named.slot()].homes = homes;
        self.settle_orphans(records, named);
    }

    fn settle_orphans(&mut self, records: &Records, named: Named) {
        let Some(table) = records.table(named.table()) else {
            return;
        };
        for row in table.all_rows() {
            if self.names[named.slot()]
                .homes
                .get(row)
                .copied()
                .flatten()
                .is_none()
            {
                let home = self.find_home(records, named, table, row);
                if let Some(slot) = self.names[named.slot()].homes.get_mut(row) {
                    *slot = home;
                }
            }
        }
    }

    fn find_home(&self, records: &Records, named: Named, table: &Table, row: usize) -> Option<u32> {
        let text = table.text(row, named.home_column())?;
        if let Some(home) = self.formation_by_id(records, text) {
            return Some(home);
        }
        match self.find(records, Named::Formations, text, table.text(row, "side")) {
            Found::One(home) => Some(home as u32),
            _ => None,
        }
    }

    fn formation_by_id(&self, records: &Records, id: &str) -> Option<u32> {
        let table = records.table("formations")?;
        self.by_id(table, Named::Formations, id)
            .next()
            .map(|row| row as u32)
    }

    /// The formation that a record belongs to.
    pub fn home(&self, named: Named, row: usize) -> Option<usize> {
        self.names[named.slot()]
            .homes
            .get(row)
            .copied()
            .flatten()
            .map(|home| home as usize)
    }

    /// The units that belong to a formation or to one below it, as rows in order.
    pub fn units_below(&self, records: &Records, formation: usize) -> Vec<usize> {
        let Some(table) = records.table("units") else {
            return Vec::new();
        };
        let members = self.members.get_or_init(|| {
            let by_home = |named: Named| {
                let homes = &self.names[named.slot()].homes;
                let mut members = vec![Vec::new(); self.names[Named::Formations.slot()].homes.len()];
                for (row, home) in homes.iter().enumerate() {
                    if let Some(members) = home.and_then(|home| members.get_mut(home as usize)) {
                        members.push(row as u32);
                    }
                }
                members
            };
            Members {
                formations: by_home(Named::Formations),
                units: by_home(Named::Units),
            }
        });
        let mut rows = Vec::new();
        let mut below = vec![formation as u32];
        // Formations that run in a circle are gone through once.
        let mut seen = BTreeSet::from([formation as u32]);
        while let Some(formation) = below.pop() {
            let of = |members: &[Vec<u32>]| members.get(formation as usize).cloned().unwrap_or_default();
            rows.extend(of(&members.units).into_iter().map(|row| row as usize));
            let fresh = of(&members.formations)
                .into_iter()
                .filter(|row| seen.insert(*row));
            below.extend(fresh);
        }
        rows.retain(|row| table.row(*row).removed.is_none());
        rows.sort_unstable();
        rows
    }

    /// The formations above a record, nearest first. A cycle ends it.
    pub fn chain(&self, named: Named, row: usize) -> Vec<usize> {
        let mut chain = Vec::new();
        let mut next = self.home(named, row);
        while let Some(formation) = next {
            if chain.len() >= DEEPEST || chain.contains(&formation) {
                break;
            }
            chain.push(formation);
            next = self.home(Named::Formations, formation);
        }
        chain
    }

    /// The side of a record: its own, or that of the highest formation above it.
    pub fn side<'r>(&self, records: &'r Records, named: Named, row: usize) -> Option<&'r str> {
        if let Some(side) = records
            .table(named.table())
            .and_then(|table| table.text(row, "side"))
        {
            return Some(side);
        }
        let formations = records.table("formations")?;
        self.chain(named, row)
            .into_iter()
            .rev()
            .find_map(|formation| formations.text(formation, "side"))
    }

    /// The designation of a formation: `3/Heth/III`. Formations without abbreviation are passed over; one that has none
    /// itself goes by its name.
    pub fn designation(&self, records: &Records, row: usize) -> String {
        let Some(formations) = records.table("formations") else {
            return String::new();
        };
        let mut parts: Vec<&str> = Vec::new();
        match formations.text(row, "abbr") {
            Some(abbr) => parts.push(abbr),
            None => parts.push(formations.text(row, "name").unwrap_or("?")),
        }
        for formation in self.chain(Named::Formations, row) {
            if let Some(abbr) = formations.text(formation, "abbr") {
                parts.push(abbr);
            }
        }
        parts.join("/")
    }

    /// A record as a list of candidates shows it: `105th Pa (1/1/III)`.
    pub fn describe(&self, records: &Records, named: Named, row: usize) -> String {
        let Some(table) = records.table(named.table()) else {
            return String::new();
        };
        let name = table.text(row, "name").unwrap_or("?");
        match (named, self.home(named, row)) {
            (Named::Formations, _) => format!("{name} ({})", self.designation(records, row)),
            (_, Some(home)) => format!("{name} ({})", self.designation(records, home)),
            (_, None) => name.to_owned(),
        }
    }

    /// Whether another search through a table is not too many.
    fn may_search(&self, table: &Table) -> bool {
        let names = table.all_rows().len();
        self.compared.fetch_add(names, Ordering::Relaxed) < MOST_COMPARED
    }

    /// The records whose ids or names are nearest to a text, as references that would find them, in the form that was
    /// typed; best first, at most three. A record that fits the rest of the path is nearer than one that does not. With
    /// `within` only what belongs to that formation is meant, and goes by its short name. None where
    /// too many were asked for before.
    pub fn suggestions(
        &self,
        records: &Records,
        named: Named,
        text: &str,
        side: Option<&str>,
        within: Option<usize>,
    ) -> Vec<Candidate> {
        let Some(table) = records
            .table(named.table())
            .filter(|table| self.may_search(table))
        else {
            return Vec::new();
        };
        let mut parts = text.split('/').map(str::trim);
        let leaf = self.folder.loose(parts.next().unwrap_or(text));
        let scopes: Vec<u64> = parts.map(|part| hash(&self.folder.loose(part))).collect();
        let limit = |text: &str| (text.chars().count() / 3).max(1);
        let (leaf_limit, id_limit) = (limit(&leaf), limit(text));
        let whole = text.to_lowercase();
        let mut ids: Vec<(usize, usize)> = Vec::new();
        let mut names: Vec<(usize, usize)> = Vec::new();
        let may_be_id = is_id(text);
        for row in table.rows() {
            let id = table.text(row, "id").filter(|_| may_be_id);
            let by_id = id.and_then(|id| suggest::distance_within(text, id, id_limit));
            let mut distance = usize::MAX;
            self.for_each_key(table, row, |key| {
                let near = suggest::distance_within(&leaf, &self.folder.loose(key), leaf_limit);
                distance = distance.min(near.unwrap_or(usize::MAX));
            });
            if by_id.is_none() && distance > leaf_limit {
                continue;
            }
            if let (Some(wanted), Some(own)) = (side, self.side(records, named, row))
                && wanted != own
            {
                continue;
            }
            if within.is_some_and(|formation| !self.chain(named, row).contains(&formation)) {
                continue;
            }
            ids.extend(by_id.map(|distance| (distance, row)));
            if distance > leaf_limit {
                continue;
            }
            if !scopes.is_empty() && self.path_rank(records, named, row, &scopes) == 0 {
                // The fault lies in the path: what is nearest is what differs least from it as a whole.
                let reference = self.reference_to(records, named, row);
                distance = 2 + suggest::distance(&whole, &reference.to_lowercase());
            }
            names.push((distance, row));
        }
        ids.sort_unstable();
        names.sort_unstable();
        let best = |near: &[(usize, usize)]| near.first().map_or(usize::MAX, |(distance, _)| *distance);
        if !ids.is_empty() && best(&ids) <= best(&names) {
            let best = best(&ids);
            let best = ids.iter().take_while(|(distance, _)| *distance == best);
            return best
                .take(3)
                .map(|(_, row)| self.by_its_id(records, named, *row))
                .collect();
        }
        let slack = usize::from(scopes.is_empty() && best(&names) > 0);
        let most = best(&names).saturating_add(slack);
        names.retain(|(distance, _)| *distance <= most);
        // A number is seldom mistyped where a word is: `3 Yorke` is not the 4 York.
        let has_number = |row: usize| {
            let mut has = false;
            self.for_each_key(table, row, |key| {
                has |= digits(&self.folder.loose(key)) == digits(&leaf)
            });
            has
        };
        if names.first().is_some_and(|(_, row)| has_number(*row)) {
            names.retain(|(_, row)| has_number(*row));
        }
        names
            .into_iter()
            .take(3)
            .map(|(_, row)| self.by_its_name(records, named, row, side, within))
            .collect()
    }

    /// A record by its id.
    fn by_its_id(&self, records: &Records, named: Named, row: usize) -> Candidate {
        let table = records.table(named.table());
        let text = |column| table.and_then(|table| table.text(row, column));
        let name = || text("name").unwrap_or("?").to_owned();
        let known_as = match named {
            Named::Formations => Some(self.designation(records, row))
                .filter(|designation| designation.contains('/'))
                .unwrap_or_else(name),
            Named::Units => self.reference_to(records, named, row),
            Named::Leaders => name(),
        };
        Candidate {
            text: text("id").unwrap_or("?").to_owned(),
            known_as: Some(known_as),
        }
    }

    /// A record by the shortest of its names that finds it, or failing that by its id.
    fn by_its_name(
        &self,
        records: &Records,
        named: Named,
        row: usize,
        side: Option<&str>,
        within: Option<usize>,
    ) -> Candidate {
        let table = records.table(named.table());
        let text = |column| table.and_then(|table| table.text(row, column));
        let short = text("abbr").or_else(|| text("name"));
        let finds = |name: &str| match self.find(records, named, name, side) {
            Found::One(found) => found == row,
            Found::Many(rows) => within.is_some_and(|formation| {
                let mut inside = rows
                    .iter()
                    .filter(|row| self.chain(named, **row).contains(&formation));
                inside.next() == Some(&row) && inside.next().is_none()
            }),
            Found::None => false,
        };
        let is_short = named == Named::Leaders || within.is_some();
        let full = self.reference_to(records, named, row);
        let mut names = short.filter(|_| is_short).into_iter().chain([full.as_str()]);
        match names.find(|name| finds(name)) {
            Some(name) => Candidate::plain(name),
            None => self.by_its_id(records, named, row),
        }
    }

    /// Why a reference finds nothing, if a program or a habit of typists explains its text; `finds` says what would.
    pub fn damaged(
        &self,
        records: &Records,
        text: &str,
        subject: &str,
        span: Span,
        finds: &dyn Fn(&str) -> bool,
    ) -> Option<Diagnostic> {
        let formations = records.table("formations").into_iter();
        let rows = formations
            .filter(|table| self.may_search(table))
            .flat_map(Table::rows);
        let designations = rows.map(|row| self.designation(records, row));
        cell::explain(text, Wanted::Word, subject, span, finds, designations)
    }

    /// The formations that a damaged reference may mean.
    pub fn may_mean(&self, records: &Records, text: &str) -> Vec<usize> {
        let values = cell::may_have_been(text, Wanted::Word);
        let starts: Vec<String> = values.iter().map(|value| format!("{value}/")).collect();
        let begins = |row: &usize| {
            let designation = self.designation(records, *row);
            starts.iter().any(|start| designation.starts_with(start))
        };
        let formations = records.table("formations").into_iter();
        let formations = formations.filter(|table| self.may_search(table));
        let mut rows: Vec<usize> = formations.flat_map(Table::rows).filter(begins).collect();
        for value in &values {
            if let Found::One(row) = self.find(records, Named::Formations, value, None) {
                rows.push(row);
            }
        }
        rows
    }

    /// A reference that finds a record: its short name and, where it has one, its formation's designation.
    pub fn reference_to(&self, records: &Records, named: Named, row: usize) -> String {
        if named == Named::Formations {
            return self.designation(records, row);
        }
        let Some(table) = records.table(named.table()) else {
            return String::new();
        };
        let name = table
            .text(row, "abbr")
            .or_else(|| table.text(row, "name"))
            .unwrap_or("?");
        match self.home(named, row) {
            Some(home) => format!("{name}/{}", self.designation(records, home)),
            None => name.to_owned(),
        }
    }

    /// Where a record says that it belongs.
    pub fn home_span(&self, records: &Records, named: Named, row: usize) -> Option<Span> {
        let table = records.table(named.table())?;
        Some(table.span(row, named.home_column()))
    }
}

/// The hashes that `each` gives for the rows of a table, sorted, with their rows.
fn hashed(table: &Table, each: impl Fn(usize, &mut dyn FnMut(u64)) + Sync) -> Vec<(u64, u32)> {
    let parts = parallel::ranges(table.all_rows().len(), |rows| {
        let mut part = Vec::with_capacity(rows.len());
        for row in rows {
            each(row, &mut |hash| part.push((hash, row as u32)));
        }
        part.sort_unstable();
        part
    });
    let mut all = parts.concat();
    // Stable sorting makes use of the parts being sorted.
    all.sort();
    all.dedup();
    all
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
