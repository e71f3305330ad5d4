//! How many cells the rows of a file have, as against its header, and what made some of them longer.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::ops::Range;

use super::layout::{Column, Layout, MOST_TOLD};
use super::quotes::suggested;
use super::rules::TOO_MANY_CELLS;
use super::source::Source;
use super::walk::{Cell, Walk};
use crate::diagnostic::{Diagnostic, Sink};
use crate::read::{counted, shown};
use crate::record::Table;

/// A row with more cells than the header has.
struct TooLong {
    /// The row in its table.
    row: usize,
    /// The first cell too many that is not empty, else the first, counted from 1.
    number: usize,
    extra: Range<usize>,
    cells: usize,
    /// Two cells that a comma in a text or a number may have separated.
    split: Option<Split>,
    /// Pairs of cells that may be a number each: the second of them, where they stand, and the number.
    numbers: Vec<(usize, Range<usize>, String)>,
}

/// Two cells that are one.
enum Split {
    Text(Range<usize>),
    /// A number, and how it is to be written.
    Number(Range<usize>, String),
}

/// How many cells the rows of a file have, as against the header.
#[derive(Default)]
pub(super) struct Lengths {
    shorter: usize,
    exact: usize,
    /// Rows with values in cells that have no column.
    too_long: Vec<TooLong>,
    /// Rows whose cells too many are empty: an unquoted comma in them has pushed only empty cells out.
    longer: Vec<TooLong>,
}

impl Lengths {
    /// Counts a row; says whether it has values in cells that have no column.
    pub(super) fn count(&mut self, layout: &Layout, walk: &Walk<'_>, row: usize) -> bool {
        let width = layout.columns.len();
        match layout.too_long(walk, row) {
            Some(long) => self.too_long.push(long),
            None => match walk.cells.len().cmp(&width) {
                Ordering::Less => self.shorter += 1,
                Ordering::Equal => self.exact += 1,
                Ordering::Greater => self.longer.push(layout.longer(walk, row)),
            },
        }
        walk.cells.len() > width && self.too_long.last().is_some_and(|long| long.row == row)
    }

    /// Reports rows that are too long; of those whose cells too many are empty only where all others have exactly as many
    /// as the header, and are more. Gives the rows that were not known to be too long.
    pub(super) fn report(
        mut self,
        layout: &Layout,
        source: &Source<'_>,
        table: &Table,
        of: usize,
        sink: &mut Sink,
    ) -> Vec<usize> {
        let mut found = Vec::new();
        if self.shorter == 0 && self.exact > self.longer.len() {
            found.extend(self.longer.iter().map(|long| long.row));
            self.too_long.append(&mut self.longer);
            self.too_long.sort_by_key(|long| long.row);
        }
        if !self.too_long.is_empty() {
            let numeric = layout.numeric(source, table, &self.too_long);
            self.too_long
                .iter_mut()
                .for_each(|long| long.find_number(&numeric));
            layout.report_too_long(source, &self.too_long, of, sink);
        }
        found
    }
}

impl TooLong {
    /// Finds the one pair of cells that are a number, where no text is split: the second of them is in a column in which
    /// no other row has digits.
    fn find_number(&mut self, numeric: &[bool]) {
        let is_strange = |(second, ..): &&(usize, Range<usize>, String)| {
            !numeric.get(*second).copied().unwrap_or_default()
        };
        let mut pairs = self.numbers.iter().filter(is_strange);
        if let (None, Some((_, place, number)), None) = (&self.split, pairs.next(), pairs.next()) {
            self.split = Some(Split::Number(place.clone(), number.clone()));
        }
    }
}

impl Layout {
    fn too_long(&self, walk: &Walk<'_>, row: usize) -> Option<TooLong> {
        let width = self.columns.len();
        let extra = walk
            .cells
            .iter()
            .skip(width)
            .position(|cell| !cell.content.is_empty())?
            + width;
        Some(TooLong {
            row,
            number: extra + 1,
            extra: walk.cells[extra].content.clone(),
            cells: walk
                .cells
                .iter()
                .rposition(|cell| !cell.content.is_empty())
                .map_or(0, |last| last + 1),
            split: split_text(walk).map(Split::Text),
            numbers: split_numbers(walk),
        })
    }

    /// In which columns a row of the file that is not too long has a whole number.
    fn numeric(&self, source: &Source<'_>, table: &Table, too_long: &[TooLong]) -> Vec<bool> {
        let long: HashSet<usize> = too_long.iter().map(|long| long.row).collect();
        let rows = table
            .all_rows()
            .filter(|row| table.row_span(*row).file == source.file && !long.contains(row));
        let mut numeric = vec![false; self.columns.len()];
        for row in rows {
            for (column, numeric) in self.columns.iter().zip(&mut numeric) {
                if let Column::Read(column) = column
                    && let Some(text) = table.get(row, *column).and_then(|datum| datum.value.text())
                {
                    *numeric |= text.bytes().all(|byte| byte.is_ascii_digit());
                }
            }
        }
        numeric
    }

    /// A row whose cells too many are empty.
    fn longer(&self, walk: &Walk<'_>, row: usize) -> TooLong {
        let width = self.columns.len();
        TooLong {
            row,
            number: width + 1,
            extra: walk.cells[width].content.clone(),
            cells: walk.cells.len(),
            split: split_text(walk).map(Split::Text),
            numbers: split_numbers(walk),
        }
    }

    /// Reports rows that are too long: each, or the header where it is the header that is too short.
    fn report_too_long(&self, source: &Source<'_>, rows: &[TooLong], of: usize, sink: &mut Sink) {
        let width = self.columns.len();
        if let [first, _, _, ..] = rows
            && rows.len() * 2 > of
        {
            sink.push(
                Diagnostic::new(
                    &TOO_MANY_CELLS,
                    source.span(first.extra.clone()),
                    format!(
                        "{} of {} in {} have more cells than the header, which names {width}",
                        rows.len(),
                        counted(of, "row", "rows"),
                        shown(source.path)
                    ),
                )
                .note(format!("cell {} of the first of them", first.number))
                .label(self.span, "the header")
                .help("name the columns in the header, and declare attributes in `game.toml`; or remove the cells"),
            );
            return;
        }
        // A cell that was inserted from one row on shifts all that follow.
        if let [first, rest @ ..] = rows
            && rest.len() >= MOST_TOLD
            && rest
                .iter()
                .all(|row| row.cells == first.cells && row.split.is_none())
            && first.split.is_none()
        {
            let mut found = Diagnostic::new(
                &TOO_MANY_CELLS,
                source.span(first.extra.clone()),
                format!(
                    "{} of {} have {} but the header names {width}",
                    counted(rows.len(), "row", "rows"),
                    shown(source.path),
                    counted(first.cells, "cell", "cells")
                ),
            )
            .note(format!("cell {} of the first of them", first.number))
            .label(self.span, "the header")
            .help("see whether a cell was inserted: everything behind it stands one column too far");
            for row in rest.iter().take(3) {
                found = found.label(source.span(row.extra.clone()), "and here");
            }
            sink.push(found);
            return;
        }
        for row in rows {
            // Where nothing stands too far to the right, the cause alone can be shown.
            let place = match &row.split {
                Some(Split::Number(place, _)) => place,
                Some(Split::Text(place)) if row.extra.is_empty() => place,
                _ => &row.extra,
            };
            let found = Diagnostic::new(
                &TOO_MANY_CELLS,
                source.span(place.clone()),
                format!(
                    "a row of {} has {} but the header names {width}",
                    shown(source.path),
                    counted(row.cells, "cell", "cells")
                ),
            )
            .note(match &row.split {
                Some(Split::Number(..)) => "one number with a comma in it?".to_owned(),
                _ => format!("cell {}", row.number),
            });
            sink.push(match &row.split {
                Some(Split::Text(split)) => {
                    let text = &source.text[split.clone()];
                    found
                        .label(source.span(split.clone()), "one text with a comma in it?")
                        .help(format!(
                            "a text with a comma needs quotes: {}",
                            suggested(&format!("\"{text}\""))
                        ))
                }
                Some(Split::Number(_, number)) => found.help(if number.contains('.') {
                    format!("a decimal has a point: {}", shown(number))
                } else {
                    format!("a number is written without separators: {}", shown(number))
                }),
                None if row.extra.is_empty() => found.help(
                    "put quotes around a text that holds the separator, or remove the empty cell at its end",
                ),
                None if source.is_worksheet => found.help("name its column in the header, or empty the cell"),
                None => found.help("put quotes around a text that holds the separator, or remove the cell"),
            });
        }
    }
}

/// Two neighbouring cells without quotes, if their row is separated by commas, with the number of the first.
fn pairs<'w>(walk: &'w Walk<'_>) -> impl Iterator<Item = (usize, &'w [Cell])> {
    let pairs = walk
        .cells
        .windows(2)
        .enumerate()
        .filter(move |_| walk.delimiter == b',');
    pairs.filter(|(_, pair)| pair.iter().all(|cell| !cell.quoted && !cell.content.is_empty()))
}

fn whole(pair: &[Cell]) -> Range<usize> {
    pair[0].content.start..pair[1].content.end
}

/// Two cells that a comma in a text has most likely separated: in a text a blank follows the comma, between cells it
/// rarely does.
fn split_text(walk: &Walk<'_>) -> Option<Range<usize>> {
    let mut pairs = pairs(walk);
    let found = pairs.find(|(_, pair)| walk.text[pair[1].raw.clone()].starts_with(' '));
    found.map(|(_, pair)| whole(pair))
}

/// The pairs of cells that a comma in a number may have separated.
fn split_numbers(walk: &Walk<'_>) -> Vec<(usize, Range<usize>, String)> {
    let digits = |cell: &Cell| {
        let text = &walk.text[cell.content.clone()];
        text.bytes().all(|byte| byte.is_ascii_digit()).then_some(text)
    };
    let number = |(at, pair): (usize, &[Cell])| {
        let (first, second) = (digits(&pair[0])?, digits(&pair[1])?);
        let number = if second.len() == 3 && first.len() <= 3 && !first.starts_with('0') {
            format!("{first}{second}")
        } else {
            format!("{first}.{second}")
        };
        Some((at + 1, whole(pair), number))
    };
    pairs(walk).filter_map(number).collect()
}
