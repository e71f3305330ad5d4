//! Damage to tables: to their bytes, their layout, their rows and their cells.

mod bytes;
mod cells;
mod layout;
mod rows;

use super::random::Random;
use super::table::Table;
use super::{Files, Mutant, Mutation};

const EVERY: &str = "";

/// Columns that name another record.
const REFERENCES: &[&str] = &["formation", "parent", "commands", "of", "unit"];

/// Columns whose values come from a short list.
const CHOICES: &[&str] = &[
    "kind", "echelon", "role", "rank", "side", "weapon", "grade", "armament",
];

/// Columns of numbers.
const NUMBERS: &[&str] = &[
    "strength",
    "men",
    "guns",
    "boxes",
    "total",
    "bases",
    "stands",
    "count",
    "order",
    "max_range",
];

pub fn mutations() -> Vec<Mutation> {
    let mut all = Vec::new();
    all.extend(bytes::all());
    all.extend(layout::all());
    all.extend(rows::all());
    all.extend(cells::all());
    all
}

fn sure(name: &'static str, make: fn(&Files, &mut Random) -> Option<Mutant>) -> Mutation {
    Mutation {
        name,
        make,
        least: 100,
        why: EVERY,
    }
}

fn partly(
    name: &'static str,
    least: u32,
    why: &'static str,
    make: fn(&Files, &mut Random) -> Option<Mutant>,
) -> Mutation {
    Mutation {
        name,
        make,
        least,
        why,
    }
}

/// A table of the game.
fn any(files: &Files, random: &mut Random) -> Option<Table> {
    let paths: Vec<&String> = files.keys().filter(|path| path.ends_with(".csv")).collect();
    let path = random.pick(&paths)?;
    Table::new(path, &files[*path])
}

/// One of the main tables, charts left out.
fn records(files: &Files, random: &mut Random) -> Option<Table> {
    any(files, random).filter(|table| !table.path.contains("/tables/"))
}

/// A row below the header.
fn row(table: &Table, random: &mut Random) -> usize {
    1 + random.below(table.rows.len() - 1)
}

/// A cell of one of some columns that is not empty and not quoted: its row, its column and its text.
fn cell(
    files: &Files,
    random: &mut Random,
    columns: &[&str],
    fits: fn(&str) -> bool,
) -> Option<(Table, usize, usize, String)> {
    let table = records(files, random)?;
    let columns = table.columns(columns);
    let column = *random.pick(&columns)?;
    let row = row(&table, random);
    let text = table.rows[row].get(column)?.clone();
    (!text.is_empty() && !text.contains('"') && fits(&text)).then_some((table, row, column, text))
}

/// Damages one cell.
fn change(
    files: &Files,
    random: &mut Random,
    columns: &[&str],
    fits: fn(&str) -> bool,
    with: fn(&str, &mut Random) -> String,
) -> Option<Mutant> {
    let (mut table, row, column, text) = cell(files, random, columns, fits)?;
    let now = with(&text, random);
    if now == text {
        return None;
    }
    let names = table.names(row);
    table.rows[row][column].clone_from(&now);
    let mut mutant = table.mutant(row, format!("{text:?} → {now:?}"));
    mutant.names.extend(names);
    Some(mutant)
}

/// The whole file in other bytes: what is told may lie anywhere in it.
fn whole(files: &Files, random: &mut Random, with: fn(&Table) -> Vec<u8>) -> Option<Mutant> {
    let table = any(files, random)?;
    Some(Mutant {
        bytes: with(&table),
        lines: (1, u32::MAX),
        names: Vec::new(),
        what: "the whole file".into(),
        path: table.path,
    })
}

/// A byte put into the middle of a cell.
fn put(files: &Files, random: &mut Random, byte: u8) -> Option<Mutant> {
    let (mut table, row, column, text) = cell(files, random, &["name", "id", "abbr", "side"], |_| true)?;
    // A character that no file holds marks the place.
    let half = text.char_indices().nth(text.chars().count() / 2)?.0;
    table.rows[row][column].insert(half, '\u{1}');
    let mut mutant = table.mutant(row, format!("byte {byte:#04x} in {text:?}"));
    for at in &mut mutant.bytes {
        if *at == 1 {
            *at = byte;
        }
    }
    Some(mutant)
}

fn typo(text: &str, random: &mut Random) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let at = random.below(letters.len());
    match random.below(3) {
        0 if letters.len() > 2 => {
            letters.remove(at);
        }
        1 => letters.insert(at, 'x'),
        _ => letters[at] = if letters[at] == 'q' { 'k' } else { 'q' },
    }
    letters.into_iter().collect()
}

fn anything(_: &str) -> bool {
    true
}

fn number(text: &str) -> bool {
    text.parse::<u32>().is_ok()
}
