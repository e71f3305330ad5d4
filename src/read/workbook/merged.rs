//! Merged cells: of all that they cover only the first holds the value that is shown.

use std::ops::Range;

use super::{Cell, MERGED_CELLS, MERGED_VALUES, Sheet};
use crate::diagnostic::{Diagnostic, Sink};
use crate::read::{counted, shown};
use crate::source::{FileId, Span, column_letters};

/// A group of merged cells: its first and its last row and column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Merged {
    pub(super) first: (u32, u32),
    pub(super) last: (u32, u32),
}

/// Cells that are looked at for all groups together: groups that lie over each other could ask for any number.
const MOST_LOOKED_AT: usize = 8_000_000;

/// What a group of merged cells takes from the rows that it covers.
struct Lost {
    /// How many cells count as empty.
    cells: u32,
    /// Where each row begins that lacks a value, as an index into the filled cells.
    rows: Vec<usize>,
}

/// Reports groups whose value is meant for rows that do not get it, each, and the others with one note. Gives the filled
/// cells in rows that lack a value, as indices: of these rows nothing else is said.
pub(super) fn report(sheet: &Sheet, ranges: &[Range<usize>], file: FileId, sink: &mut Sink) -> Vec<usize> {
    let cells = &sheet.cells;
    let span = |index: usize| Span::new(file, ranges[index].start, ranges[index].end);
    let mut merged = sheet.merged.clone();
    merged.sort_unstable();
    merged.dedup_by_key(|merged| merged.first);
    let header = header_row(cells);
    let (mut harmless, mut lacking) = (Vec::new(), Vec::new());
    let mut left = MOST_LOOKED_AT;
    for group in merged {
        let Ok(first) = cells.binary_search_by_key(&group.first, |cell| (cell.row, cell.column)) else {
            continue;
        };
        let lost = lost(cells, group, header, &mut left);
        if lost.rows.is_empty() {
            harmless.push(first);
            continue;
        }
        let address =
            |(row, column): (u32, u32)| format!("{}{}", column_letters(column + 1), row.saturating_add(1));
        let others = match lost.cells {
            1 => "the other one counts".to_owned(),
            count => format!("the other {count} count"),
        };
        sink.push(
            Diagnostic::new(
                &MERGED_VALUES,
                span(first),
                format!(
                    "the cells {}:{} of the worksheet {} are merged: only {} has the value {}, {others} as empty",
                    address(group.first),
                    address(group.last),
                    shown(&sheet.name),
                    address(group.first),
                    shown(&value(&cells[first])),
                ),
            )
            .note("the first of them")
            .help("undo the merging and fill every cell that must have the value"),
        );
        lacking.extend(lost.rows);
    }
    if let Some(first) = harmless.first() {
        sink.push(
            Diagnostic::new(
                &MERGED_CELLS,
                span(*first),
                format!(
                    "the worksheet {} has {}: each value counts for the first cell alone",
                    shown(&sheet.name),
                    counted(harmless.len(), "group of merged cells", "groups of merged cells")
                ),
            )
            .note("the first one")
            .help("undo the merging and fill every cell that must have the value"),
        );
    }
    lacking
}

/// The row of the header: the first in which several cells are filled. A title above it has one.
fn header_row(cells: &[Cell]) -> u32 {
    let pair = cells.windows(2).find(|pair| pair[0].row == pair[1].row);
    pair.map_or(0, |pair| pair[0].row)
}

/// What a group takes from the rows of data below its first: rows in which other cells are filled.
fn lost(cells: &[Cell], group: Merged, header: u32, left: &mut usize) -> Lost {
    let mut lost = Lost {
        cells: 0,
        rows: Vec::new(),
    };
    let from = group.first.0.max(header).saturating_add(1);
    let begin = cells.partition_point(|cell| cell.row < from);
    let end = cells.partition_point(|cell| cell.row <= group.last.0);
    let Some(covered) = cells.get(begin..end).filter(|covered| covered.len() <= *left) else {
        return lost;
    };
    *left -= covered.len();
    let width = group.last.1 - group.first.1 + 1;
    let mut at = begin;
    for row in covered.chunk_by(|a, b| a.row == b.row) {
        let inside = |cell: &&Cell| (group.first.1..=group.last.1).contains(&cell.column);
        let filled = row.iter().filter(inside).count();
        if filled < row.len() && (filled as u32) < width {
            lost.cells = lost.cells.saturating_add(width - filled as u32);
            lost.rows.push(at);
        }
        at += row.len();
    }
    lost
}

/// The value of a cell, as the spreadsheet shows it.
fn value(cell: &Cell) -> String {
    match &cell.content {
        super::Content::Text(text) | super::Content::Error(text) => text.to_string(),
        super::Content::Moment(moment) => moment.shown.clone(),
        super::Content::Boolean(flag) => super::cells::truth(*flag).to_owned(),
        super::Content::Raised(parts) => format!("{}{}", parts.0, parts.1),
        super::Content::Uncalculated => String::new(),
    }
}
