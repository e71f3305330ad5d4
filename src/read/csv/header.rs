//! Which row names the columns, and which character separates cells: the names that the table may have decide.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use super::DELIMITERS;
use super::endings::Endings;
use super::rules::{EMPTY_FILE, NO_HEADER, TEXT_ABOVE_HEADER};
use super::source::Source;
use super::walk::Walk;
use crate::diagnostic::{Diagnostic, Sink};
use crate::read::{counted, is_invisible, listed, shown};
use crate::source::Span;

/// The header is looked for in so many rows that are not empty.
pub(super) const HEADER_WITHIN: usize = 30;

impl<'t> Source<'t> {
    /// Goes to the header row. Where there is none, says why.
    pub(super) fn seek_header(
        &self,
        forced: Option<u8>,
        names: &Names<'_>,
        sink: &mut Sink,
    ) -> Option<Top<'t>> {
        let candidates: &[u8] = forced.as_slice();
        let candidates = if candidates.is_empty() {
            &DELIMITERS
        } else {
            candidates
        };
        let best = candidates
            .iter()
            .enumerate()
            .filter_map(|(order, delimiter)| self.guess(*delimiter, names).map(|guess| (order, guess)))
            .max_by_key(|(order, guess)| (guess.score, Reverse(guess.row), guess.cells, Reverse(*order)))
            .filter(|_| !self.is_blank(candidates));
        let Some((_, guess)) = best else {
            sink.push(
                Diagnostic::new(
                    &EMPTY_FILE,
                    Span::file_start(self.file),
                    format!("{} is empty", shown(self.path)),
                )
                .help(names.advice("the first row must name the columns")),
            );
            return None;
        };
        let mut walk = Walk::new(self.text, self.start, self.end, guess.delimiter);
        let mut endings = Endings::default();
        let mut above: Option<(Range<usize>, usize)> = None;
        let mut last: Vec<(Range<usize>, String)> = Vec::new();
        let mut row = 0;
        while walk.advance() {
            endings.count(self.text, walk.gap());
            if walk.is_blank() {
                continue;
            }
            let (start, end) = walk.extent();
            if row == guess.row && (guess.score > 0 || names.is_free()) {
                if guess.score == 1 && !names.is_free() && self.is_on_its_side(start, guess.delimiter, names)
                {
                    sink.push(
                        Diagnostic::new(
                            &NO_HEADER,
                            self.span(start..end),
                            format!(
                                "{} lies on its side: the names of its columns stand in its first column",
                                shown(self.path)
                            ),
                        )
                        .note("not a row of names")
                        .help(
                            "transpose it: each column has its name in the first row, each record is a row",
                        ),
                    );
                    return None;
                }
                // Names that the header lacks may stand in the row above it.
                let lent = |(index, (_, text)): (usize, &(Range<usize>, String))| {
                    names.find(text).is_some()
                        && walk.cells.get(index).is_none_or(|cell| cell.content.is_empty())
                };
                let above_lends = !names.is_free() && last.iter().enumerate().any(lent);
                if !above_lends {
                    last.clear();
                }
                if let Some((first, count)) = above
                    && !(above_lends && count == 1)
                {
                    let encoding = is_encoding(&self.text[first.clone()]);
                    sink.push(
                        Diagnostic::new(
                            &TEXT_ABOVE_HEADER,
                            self.span(first),
                            format!(
                                "{} above the header of {} {} not read",
                                counted(count, "row", "rows"),
                                shown(self.path),
                                if count == 1 { "is" } else { "are" }
                            ),
                        )
                        .note(if encoding { "the name of an encoding" } else { "" })
                        .label(self.span(start..end), "the header")
                        .help("remove what stands above the header; remarks belong in a `note` column"),
                    );
                }
                return Some(Top {
                    walk,
                    endings,
                    above: last,
                });
            }
            // A quote that swallows the header is why there is none.
            if walk.is_swallowing() {
                self.report_faults(&walk.cells, sink);
                return None;
            }
            if guess.score == 0 {
                self.report_no_header(walk, names, sink);
                return None;
            }
            match &mut above {
                Some((_, count)) => *count += 1,
                None => above = Some((start..end, 1)),
            }
            last = walk
                .cells
                .iter()
                .map(|cell| (cell.content.clone(), cell.text(&walk).to_owned()))
                .collect();
            row += 1;
        }
        None
    }

    /// Says that no row is a header: the first is at hand.
    pub(super) fn report_no_header(&self, mut walk: Walk<'_>, names: &Names<'_>, sink: &mut Sink) {
        let cells: Vec<&str> = walk
            .cells
            .iter()
            .map(|cell| &self.text[cell.content.clone()])
            .collect();
        let (start, end) = walk.extent();
        let found = Diagnostic::new(
            &NO_HEADER,
            self.span(start..end),
            format!(
                "{} has no header: its first row reads {}",
                shown(self.path),
                listed(cells.iter().copied())
            ),
        )
        .note("none of these is the name of a column");
        let text = self.text[self.start..].trim_start();
        let several = |text: &str| {
            text.split_whitespace()
                .filter(|word| names.find(word).is_some())
                .count()
                > 1
        };
        let found = if text.starts_with(['{', '[']) {
            found.help(
                "by its beginning it is JSON: save the table as “CSV UTF-8” from the program that made it",
            )
        } else if cells.len() == 1 && cells.first().is_some_and(|cell| several(cell)) {
            found.help("its columns are separated by blanks: put a comma between them, and quotes around a text with a comma in it")
        } else {
            found.help(names.advice("put a row with the names of the columns first"))
        };
        // A quote further down may have swallowed it.
        for _ in 1..HEADER_WITHIN {
            if !walk.advance() {
                break;
            }
            if walk.is_swallowing() {
                self.report_faults(&walk.cells, sink);
                return;
            }
        }
        sink.push(found);
    }

    /// Whether the first cells of all rows, and no other cell of the first, are names of columns.
    fn is_on_its_side(&self, start: usize, delimiter: u8, names: &Names<'_>) -> bool {
        let mut walk = Walk::new(self.text, start, self.end, delimiter);
        let mut found: Vec<&str> = Vec::new();
        while found.len() < HEADER_WITHIN && walk.advance() {
            if walk.is_blank() {
                continue;
            }
            let name = walk.cells.first().and_then(|cell| names.find(cell.text(&walk)));
            match name {
                Some(name) if walk.cells.len() > 1 && !found.contains(&name) => found.push(name),
                _ => return false,
            }
        }
        found.len() > 1
    }

    /// The row that is most like a header if `delimiter` separates the cells.
    pub(super) fn guess(&self, delimiter: u8, names: &Names<'_>) -> Option<Guess> {
        let mut walk = Walk::new(self.text, self.start, self.end, delimiter);
        let mut best: Option<Guess> = None;
        let mut row = 0;
        while row < HEADER_WITHIN && walk.advance() {
            if walk.is_blank() {
                continue;
            }
            let mut met: Vec<&str> = walk
                .cells
                .iter()
                .filter_map(|cell| names.find(cell.text(&walk)))
                .collect();
            met.sort_unstable();
            met.dedup();
            let filled = walk.cells.iter().filter(|cell| !cell.content.is_empty()).count();
            // Of a chart's header only the name of its rows is known, and it stands first.
            let is_corner = names.known.len() == 1
                && walk.cells.len() > 1
                && walk
                    .cells
                    .first()
                    .is_some_and(|cell| names.find(cell.text(&walk)).is_some());
            let score = if row == 0 || is_corner || met.len() * 2 >= filled {
                met.len()
            } else {
                0
            };
            if best.as_ref().is_none_or(|best| score > best.score) {
                best = Some(Guess {
                    delimiter,
                    row,
                    score,
                    cells: walk.cells.len(),
                });
            }
            if names.is_free() {
                break;
            }
            row += 1;
        }
        best
    }
}

/// The header, found: the walk stands on it.
pub(super) struct Top<'t> {
    pub(super) walk: Walk<'t>,
    pub(super) endings: Endings,
    /// The cells of the row above, if it holds names that the header lacks.
    pub(super) above: Vec<(Range<usize>, String)>,
}

/// Whether a row is the name of an encoding, as some programs write above a table.
fn is_encoding(row: &str) -> bool {
    let name: String = row.chars().filter(char::is_ascii_alphanumeric).collect();
    matches!(
        name.to_ascii_lowercase().as_str(),
        "utf8"
            | "utf8bom"
            | "utf16"
            | "utf16le"
            | "windows1252"
            | "cp1252"
            | "iso88591"
            | "latin1"
            | "ansi"
            | "ascii"
    )
}

/// The header row that one separator gives.
pub(super) struct Guess {
    pub(super) delimiter: u8,
    /// Among the rows that are not empty.
    pub(super) row: usize,
    /// How many known names stand in it.
    pub(super) score: usize,
    pub(super) cells: usize,
}

/// The columns that a table may have.
pub(super) struct Names<'n> {
    pub(super) known: &'n [&'n str],
    pub(super) folded: HashMap<String, Vec<&'n str>>,
}

impl<'n> Names<'n> {
    pub(super) fn new(known: &'n [&'n str]) -> Self {
        let mut folded: HashMap<String, Vec<&str>> = HashMap::new();
        for name in known {
            folded.entry(fold(name)).or_default().push(name);
        }
        Names { known, folded }
    }

    /// Whether any name will do.
    pub(super) fn is_free(&self) -> bool {
        self.known.is_empty()
    }

    /// The known name that the typed one stands for.
    pub(super) fn find(&self, typed: &str) -> Option<&'n str> {
        let alike = self.folded.get(&fold(typed))?;
        alike
            .iter()
            .find(|name| **name == typed)
            .or(alike.first())
            .copied()
    }

    pub(super) fn advice(&self, advice: &str) -> String {
        if self.is_free() {
            return advice.to_owned();
        }
        format!("{advice}; known are {}", listed(self.known.iter().copied()))
    }
}

/// A name without what spreadsheets and typists vary.
pub(super) fn fold(name: &str) -> String {
    name.chars()
        .filter(|c| !c.is_whitespace() && !is_invisible(*c) && !matches!(c, '_' | '-'))
        .flat_map(char::to_lowercase)
        .collect()
}
