//! CSV files to records, every cell with its exact place.
//!
//! `csv_core`'s state machine finds the cells, so what a cell is never differs from what the csv crate says; its
//! tolerance is undone here: quotes that do not close or stand where they mean nothing are reported, because they move
//! or swallow cells. Time and memory are linear in the file.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use csv_core::{ReadFieldResult, Reader, ReaderBuilder};

use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::record::{Table, Value};
use crate::source::{FileId, Files, Span};

use super::{counted, is_invisible, listed, shown};

/// What may separate cells, the likeliest first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// The header is looked for in so many rows that are not empty.
const HEADER_WITHIN: usize = 30;

/// A header cell that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The column's name: as declared where it is known, else as written.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

/// Reads the CSV file `file` into `table`, appending its rows, and returns the header cells that were read.
///
/// `known` are the columns that the table may have. They decide which of `,` `;` TAB `|` separates cells (the one that
/// splits the header into the most known names, unless a first line `sep=X` says), which row is the header, and how a
/// name is spelled that differs from a known one only in case, blanks or hyphens. Columns of other names are read too:
/// the caller knows whether to report them. With no known names the first row is the header whatever it says, and its
/// first cell may be empty, as in the corner of a lookup table.
pub fn read(files: &Files, file: FileId, known: &[&str], table: &mut Table, sink: &mut Sink) -> Vec<Header> {
    let text = files.shared_text(file);
    let mut source = Source {
        path: files.path(file),
        file,
        text: &text,
        start: 0,
        end: text.len(),
    };
    // `Files` drops one byte-order mark; programs that add a second one exist.
    while source.text[source.start..].starts_with('\u{feff}') {
        source.start += '\u{feff}'.len_utf8();
    }
    source.drop_ctrl_z(sink);
    if !source.check_nul(sink) {
        return Vec::new();
    }
    let delimiter = source.separator_line(sink);
    let names = Names::new(known);
    let Some((mut walk, mut endings)) = source.seek_header(delimiter, &names, sink) else {
        return Vec::new();
    };
    if source.report_faults(&walk.cells, sink).unclosed {
        return Vec::new();
    }
    let mut layout = Layout::new(&source, &walk.cells, &names, table, sink);
    let mut rows = 0;
    let mut too_long = Vec::new();
    while walk.advance() {
        endings.count(source.text, walk.gap());
        if walk.is_blank() {
            continue;
        }
        let faults = source.report_faults(&walk.cells, sink);
        if faults.unclosed {
            break;
        }
        let (start, end) = walk.extent();
        if layout.is_repeated(source.text, &walk.cells) {
            sink.push(
                Diagnostic::new(
                    &REPEATED_HEADER,
                    source.span(start..end),
                    format!("the header of {} is repeated among its rows", shown(source.path)),
                )
                .note("not read as a row")
                .label(layout.span, "the header")
                .help("remove this line"),
            );
            continue;
        }
        rows += 1;
        let row = table.add_row(file, &text, start, end);
        layout.fill(&source, &walk, row, table, sink);
        if !faults.any
            && let Some(found) = layout.too_long(&walk)
        {
            too_long.push(found);
        }
    }
    endings.count(source.text, walk.gap());
    layout.report_too_long(&source, &too_long, rows, sink);
    endings.report(&source, sink);
    layout.headers
}

/// A file being read, and the part of its text that holds the table.
struct Source<'t> {
    path: &'t str,
    file: FileId,
    text: &'t str,
    start: usize,
    end: usize,
}

/// What quotes did to a row.
struct Faults {
    any: bool,
    unclosed: bool,
}

impl<'t> Source<'t> {
    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.file, range.start, range.end)
    }

    /// Ends the table before the Ctrl-Z with which old programs end a text.
    fn drop_ctrl_z(&mut self, sink: &mut Sink) {
        let trimmed = self.text[self.start..self.end].trim_end_matches([' ', '\t', '\r', '\n', '\u{1a}']);
        let tail = self.start + trimmed.len();
        let Some(at) = self.text[tail..self.end].find('\u{1a}') else {
            return;
        };
        self.end = tail + at;
        sink.push(
            Diagnostic::new(
                &CTRL_Z,
                self.span(self.end..self.end + 1),
                format!(
                    "{} ends with a Ctrl-Z character, which is ignored",
                    shown(self.path)
                ),
            )
            .help("delete the last character, or save the file again with a present-day program"),
        );
    }

    /// Reports NUL bytes; false where the text is not worth reading on.
    fn check_nul(&self, sink: &mut Sink) -> bool {
        let text = &self.text[self.start..self.end];
        let Some(first) = text.find('\0') else {
            return true;
        };
        let count = text.bytes().filter(|byte| *byte == 0).count();
        let utf16 = count * 4 >= text.len();
        let found = Diagnostic::new(
            &NUL_BYTE,
            self.span(self.start + first..self.start + first + 1),
            format!(
                "{} holds {}",
                shown(self.path),
                counted(count, "NUL byte", "NUL bytes")
            ),
        )
        .note("the first one");
        sink.push(found.help(if utf16 {
            "this looks like UTF-16 without its mark: save the file again as “CSV UTF-8”"
        } else {
            "delete it; a file that holds NUL bytes was damaged or is not a text"
        }));
        !utf16
    }

    /// The separator that a first line `sep=X` sets; the table then starts on the next line.
    fn separator_line(&mut self, sink: &mut Sink) -> Option<u8> {
        let text = &self.text[self.start..self.end];
        let line = &text[..text.find(['\r', '\n']).unwrap_or(text.len())];
        let bare = line.strip_prefix('"').unwrap_or(line);
        if !bare
            .get(..4)
            .is_some_and(|start| start.eq_ignore_ascii_case("sep="))
        {
            return None;
        }
        let typed = &bare[4..];
        let typed = if bare.len() < line.len() {
            typed.strip_suffix('"').unwrap_or(typed)
        } else {
            typed
        };
        let span = self.span(self.start..self.start + line.len());
        self.start += line.len();
        let delimiter = typed.bytes().next().filter(|byte| {
            let usable = *byte == b'\t' || (byte.is_ascii_punctuation() && !matches!(byte, b'"' | b'_'));
            // Spreadsheets pad the line with separators to the width of the table.
            usable && typed[1..].bytes().all(|more| more == *byte || more == b' ')
        });
        if delimiter.is_none() {
            sink.push(
                Diagnostic::new(
                    &SEPARATOR_LINE,
                    span,
                    format!("the line {} does not name one separator", shown(line)),
                )
                .help("write `sep=,` (or `;`, `|`, or a tab after the `=`), or remove the line"),
            );
        }
        delimiter
    }

    /// Whether there is nothing but separators.
    fn is_blank(&self, delimiters: &[u8]) -> bool {
        self.text[self.start..self.end]
            .chars()
            .all(|c| c.is_whitespace() || u8::try_from(c).is_ok_and(|byte| delimiters.contains(&byte)))
    }

    /// Goes to the header row. Where there is none, says why.
    fn seek_header(
        &self,
        forced: Option<u8>,
        names: &Names<'_>,
        sink: &mut Sink,
    ) -> Option<(Walk<'t>, Endings)> {
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
        let mut row = 0;
        while walk.advance() {
            endings.count(self.text, walk.gap());
            if walk.is_blank() {
                continue;
            }
            let (start, end) = walk.extent();
            if row == guess.row && (guess.score > 0 || names.is_free()) {
                if let Some((first, count)) = above {
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
                        .label(self.span(start..end), "the header")
                        .help("remove what stands above the header; remarks belong in a `note` column"),
                    );
                }
                return Some((walk, endings));
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
            row += 1;
        }
        None
    }

    /// Says that no row is a header: the first is at hand.
    fn report_no_header(&self, mut walk: Walk<'_>, names: &Names<'_>, sink: &mut Sink) {
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
        .note("none of these is the name of a column")
        .help(names.advice("put a row with the names of the columns first"));
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

    /// The row that is most like a header if `delimiter` separates the cells.
    fn guess(&self, delimiter: u8, names: &Names<'_>) -> Option<Guess> {
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
            let score = if row == 0 || met.len() * 2 >= filled {
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

    /// Reports the first quote of a row that is wrong, and the one that swallows other rows.
    fn report_faults(&self, cells: &[Cell], sink: &mut Sink) -> Faults {
        let mut faults = Faults {
            any: false,
            unclosed: false,
        };
        for cell in cells {
            let Some(fault) = &cell.fault else { continue };
            // What the first one does to the cells after it is not their fault.
            if std::mem::replace(&mut faults.any, true) && !matches!(fault, Fault::Unclosed { .. }) {
                continue;
            }
            let raw = &self.text[cell.raw.clone()];
            match *fault {
                Fault::Unclosed { closed_by } => {
                    let span = self.span(cell.raw.start..cell.raw.start + 1);
                    faults.unclosed = true;
                    sink.push(self.unclosed(cell, closed_by, span));
                }
                Fault::AfterClosing { at } => sink.push(
                    Diagnostic::new(
                        &STRAY_QUOTE,
                        self.span(at..at + 1),
                        format!("text follows the closing quote of the cell {}", shown(raw)),
                    )
                    .note("this quote closes the cell")
                    .label(
                        self.span(cell.raw.start..cell.raw.start + 1),
                        "the cell is opened here",
                    )
                    .help(format!(
                        "double each quote that belongs to the text: {}; or remove the quotes",
                        suggested(&requoted(raw))
                    )),
                ),
                Fault::BeforeOpening { at } => sink.push(
                    Diagnostic::new(
                        &STRAY_QUOTE,
                        self.span(at..at + 1),
                        format!(
                            "a blank stands before the opening quote of {}",
                            shown(raw.trim_start())
                        ),
                    )
                    .note("not taken as an opening quote")
                    .help("remove the blank between the separator and the quote"),
                ),
                Fault::Inside { at } => sink.push(
                    Diagnostic::new(
                        &STRAY_QUOTE,
                        self.span(at..at + 1),
                        format!("a quote stands inside the unquoted cell {}", shown(raw.trim())),
                    )
                    .help(format!(
                        "quote the whole cell and double the quote: {}",
                        suggested(&format!("\"{}\"", raw.trim().replace('"', "\"\"")))
                    )),
                ),
            }
        }
        faults
    }

    fn unclosed(&self, cell: &Cell, closed_by: Option<usize>, span: Span) -> Diagnostic {
        let swallowed = &self.text[cell.raw.start..closed_by.unwrap_or(cell.raw.end)];
        let rows = swallowed
            .split(['\r', '\n'])
            .skip(1)
            .filter(|line| !line.trim().is_empty())
            .count();
        let first = swallowed.split(['\r', '\n']).next().unwrap_or("");
        let headline = if rows == 0 {
            format!("the quote that opens {} is never closed", shown(first))
        } else {
            format!(
                "the quote that opens {} is not closed and swallows {}",
                shown(first),
                counted(rows, "more row", "more rows")
            )
        };
        let found = Diagnostic::new(&UNCLOSED_QUOTE, span, headline)
            .note("opened here")
            .help(
                "close the quote at the end of its cell; a quote that belongs to the text is doubled: `\"\"`. \
                The rest of the file is not read",
            );
        match closed_by {
            Some(at) => found.label(
                self.span(at..at + 1),
                "this quote would close it, but text follows",
            ),
            None => found,
        }
    }
}

/// A corrected cell as advice shows it.
fn suggested(cell: &str) -> String {
    if cell.chars().count() > 60 || cell.contains(char::is_control) {
        "`\"…\"\"…\"\"…\"`".into()
    } else {
        format!("`{cell}`")
    }
}

/// A cell with text after its closing quote, as it was probably meant.
fn requoted(raw: &str) -> String {
    let inner = match raw
        .trim_end()
        .strip_prefix('"')
        .map(|inner| (inner, inner.strip_suffix('"')))
    {
        Some((_, Some(inner))) => inner,
        _ => raw,
    };
    format!("\"{}\"", inner.replace("\"\"", "\"").replace('"', "\"\""))
}

/// The header row that one separator gives.
struct Guess {
    delimiter: u8,
    /// Among the rows that are not empty.
    row: usize,
    /// How many known names stand in it.
    score: usize,
    cells: usize,
}

/// The columns that a table may have.
struct Names<'n> {
    known: &'n [&'n str],
    folded: HashMap<String, Vec<&'n str>>,
}

impl<'n> Names<'n> {
    fn new(known: &'n [&'n str]) -> Self {
        let mut folded: HashMap<String, Vec<&str>> = HashMap::new();
        for name in known {
            folded.entry(fold(name)).or_default().push(name);
        }
        Names { known, folded }
    }

    /// Whether any name will do.
    fn is_free(&self) -> bool {
        self.known.is_empty()
    }

    /// The known name that the typed one stands for.
    fn find(&self, typed: &str) -> Option<&'n str> {
        let alike = self.folded.get(&fold(typed))?;
        alike
            .iter()
            .find(|name| **name == typed)
            .or(alike.first())
            .copied()
    }

    fn advice(&self, advice: &str) -> String {
        if self.is_free() {
            return advice.to_owned();
        }
        format!("{advice}; known are {}", listed(self.known.iter().copied()))
    }
}

/// A name without what spreadsheets and typists vary.
fn fold(name: &str) -> String {
    name.chars()
        .filter(|c| !c.is_whitespace() && !is_invisible(*c) && !matches!(c, '_' | '-'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// What becomes of a column.
enum Column {
    Read(usize),
    /// Its name stands twice.
    Skipped,
    Unnamed {
        span: Span,
        reported: bool,
    },
}

/// The header, understood.
struct Layout {
    span: Span,
    columns: Vec<Column>,
    headers: Vec<Header>,
    /// The header's cells as typed, to recognise a repetition.
    typed: Vec<String>,
}

/// A row with more cells than the header has.
struct TooLong {
    /// The first cell too many that is not empty, counted from 1.
    number: usize,
    extra: Range<usize>,
    cells: usize,
    /// Two cells that a comma in a text may have separated.
    split: Option<Range<usize>>,
}

impl Layout {
    fn new(
        source: &Source<'_>,
        cells: &[Cell],
        names: &Names<'_>,
        table: &mut Table,
        sink: &mut Sink,
    ) -> Self {
        let mut layout = Layout {
            span: source.span(extent(cells)),
            columns: Vec::new(),
            headers: Vec::new(),
            typed: Vec::new(),
        };
        let mut places: HashMap<String, Span> = HashMap::new();
        for (index, cell) in cells.iter().enumerate() {
            let typed = match &cell.own {
                Some(own) => own.as_str(),
                None => &source.text[cell.content.clone()],
            };
            layout.typed.push(typed.to_owned());
            let span = source.span(cell.content.clone());
            let trimmed = typed.trim_matches(|c: char| c.is_whitespace() || is_invisible(c));
            if trimmed.is_empty() && !(names.is_free() && index == 0) {
                layout.columns.push(Column::Unnamed {
                    span,
                    reported: false,
                });
                continue;
            }
            let name = names.find(typed).unwrap_or(trimmed);
            if name != typed && names.find(typed).is_some() {
                sink.push(misspelled(typed, name, span));
            }
            if let Some(first) = places.get(name) {
                sink.push(
                    Diagnostic::new(
                        &DUPLICATE_COLUMN,
                        span,
                        format!("{} has the column {} twice", shown(source.path), shown(name)),
                    )
                    .note("this column is not read")
                    .label(*first, "first here")
                    .help("rename or remove one of the two"),
                );
                layout.columns.push(Column::Skipped);
                continue;
            }
            places.insert(name.to_owned(), span);
            layout.columns.push(Column::Read(table.add_column(name)));
            layout.headers.push(Header {
                name: name.to_owned(),
                span,
            });
        }
        layout
    }

    /// Whether a row is the header once more.
    fn is_repeated(&self, text: &str, cells: &[Cell]) -> bool {
        let mut cells = cells.iter();
        self.typed.iter().all(|typed| {
            cells.next().is_some_and(|cell| match &cell.own {
                Some(own) => own.eq_ignore_ascii_case(typed),
                None => text[cell.content.clone()].eq_ignore_ascii_case(typed),
            })
        }) && cells.all(|cell| cell.content.is_empty())
    }

    /// Puts a row's cells into the table.
    fn fill(&mut self, source: &Source<'_>, walk: &Walk<'_>, row: usize, table: &mut Table, sink: &mut Sink) {
        for (column, cell) in self.columns.iter_mut().zip(&walk.cells) {
            if cell.content.is_empty() {
                continue;
            }
            let span = source.span(cell.content.clone());
            match column {
                Column::Read(column) => match &cell.own {
                    None => table.set_slice(row, *column, cell.content.start, cell.content.end),
                    Some(own) => table.set_value(row, *column, Value::Text(own.as_str().into()), span, None),
                },
                Column::Skipped => {}
                Column::Unnamed { reported: true, .. } => {}
                Column::Unnamed {
                    span: header,
                    reported,
                } => {
                    *reported = true;
                    sink.push(
                        Diagnostic::new(
                            &UNNAMED_COLUMN,
                            *header,
                            format!("a column of {} has values but no name", shown(source.path)),
                        )
                        .note("no name here")
                        .label(span, "its first value")
                        .help("name the column in the header, or empty its cells"),
                    );
                }
            }
        }
    }

    fn too_long(&self, walk: &Walk<'_>) -> Option<TooLong> {
        let width = self.columns.len();
        let extra = walk
            .cells
            .iter()
            .skip(width)
            .position(|cell| !cell.content.is_empty())?
            + width;
        // In a text a blank follows the comma; between cells it rarely does.
        let split = (walk.delimiter == b',')
            .then(|| {
                walk.cells.windows(2).find(|pair| {
                    let raw = &walk.text[pair[1].raw.clone()];
                    !pair[0].quoted
                        && !pair[1].quoted
                        && raw.starts_with(' ')
                        && !pair[0].content.is_empty()
                        && !pair[1].content.is_empty()
                })
            })
            .flatten()
            .map(|pair| pair[0].content.start..pair[1].content.end);
        Some(TooLong {
            number: extra + 1,
            extra: walk.cells[extra].content.clone(),
            cells: walk
                .cells
                .iter()
                .rposition(|cell| !cell.content.is_empty())
                .map_or(0, |last| last + 1),
            split,
        })
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
                .help("name every column in the header"),
            );
            return;
        }
        for row in rows {
            let found = Diagnostic::new(
                &TOO_MANY_CELLS,
                source.span(row.extra.clone()),
                format!(
                    "a row of {} has {} but the header names {width}",
                    shown(source.path),
                    counted(row.cells, "cell", "cells")
                ),
            )
            .note(format!("cell {}", row.number));
            sink.push(match &row.split {
                Some(split) => {
                    let text = &source.text[split.clone()];
                    found
                        .label(source.span(split.clone()), "one text with a comma in it?")
                        .help(format!(
                            "a text with a comma needs quotes: {}",
                            suggested(&format!("\"{text}\""))
                        ))
                }
                None => found.help("put quotes around a text that holds the separator, or remove the cell"),
            });
        }
    }
}

fn misspelled(typed: &str, name: &str, span: Span) -> Diagnostic {
    let note = if typed.contains(['\u{a0}', '\u{202f}', '\u{2007}']) {
        "with a no-break space"
    } else if typed.contains(is_invisible) {
        "with an invisible character"
    } else if typed.trim() == name {
        "with blanks around it"
    } else {
        ""
    };
    Diagnostic::new(
        &COLUMN_SPELLING,
        span,
        format!("the column {} is read as {}", shown(typed), shown(name)),
    )
    .note(note)
    .help(format!("write {} in the header", shown(name)))
}

/// How the lines of a table end: CRLF, LF, CR.
#[derive(Default)]
struct Endings {
    kinds: [(usize, Range<usize>); 3],
}

impl Endings {
    /// Counts the line endings between two rows. Those inside quotes belong to a text.
    fn count(&mut self, text: &str, gap: Range<usize>) {
        let bytes = &text.as_bytes()[..gap.end];
        let mut at = gap.start;
        while at < gap.end {
            let (kind, width) = match &bytes[at..] {
                [b'\r', b'\n', ..] => (0, 2),
                [b'\n', ..] => (1, 1),
                [b'\r', ..] => (2, 1),
                _ => {
                    at += 1;
                    continue;
                }
            };
            if self.kinds[kind].0 == 0 {
                self.kinds[kind].1 = at..at + width;
            }
            self.kinds[kind].0 += 1;
            at += width;
        }
    }

    fn report(&self, source: &Source<'_>, sink: &mut Sink) {
        let mut kinds: Vec<_> = self
            .kinds
            .iter()
            .zip(["CRLF", "LF", "CR"])
            .filter(|(kind, _)| kind.0 > 0)
            .collect();
        if kinds.len() < 2 {
            return;
        }
        kinds.sort_by_key(|((count, first), _)| (Reverse(*count), first.start));
        let list: Vec<String> = kinds
            .iter()
            .map(|((count, _), name)| format!("{} with {name}", counted(*count, "line", "lines")))
            .collect();
        let ((_, first), name) = kinds[kinds.len() - 1];
        sink.push(
            Diagnostic::new(
                &MIXED_LINE_ENDINGS,
                source.span(first.clone()),
                format!(
                    "the line endings of {} are mixed: {}",
                    shown(source.path),
                    list.join(", ")
                ),
            )
            .note(format!("the first {name}"))
            .help("save the file again with one kind of line ending"),
        );
    }
}

/// A quote that is not where quotes may be. Positions are in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Fault {
    /// Never closed, or only by a quote on another line that looks like an opening one.
    Unclosed { closed_by: Option<usize> },
    /// Text follows the closing quote.
    AfterClosing { at: usize },
    /// A blank stands before the opening quote.
    BeforeOpening { at: usize },
    /// In an unquoted cell.
    Inside { at: usize },
}

/// A cell: ranges of the text.
#[derive(Debug)]
struct Cell {
    /// From separator to separator.
    raw: Range<usize>,
    /// Without quotes, and without blanks around it where it is not quoted.
    content: Range<usize>,
    /// The value, where it is not the content as it stands.
    own: Option<String>,
    quoted: bool,
    fault: Option<Fault>,
}

impl Cell {
    /// Judges the cell at `raw`, whose text `csv_core` says is `decoded`.
    fn new(text: &str, raw: Range<usize>, decoded: &[u8]) -> Self {
        let bytes = &text.as_bytes()[raw.clone()];
        let mut cell = Cell {
            content: raw.clone(),
            own: None,
            quoted: bytes.first() == Some(&b'"'),
            fault: None,
            raw,
        };
        let start = cell.raw.start;
        if cell.quoted {
            let mut at = 1;
            let mut doubled = 0;
            let closing = loop {
                let Some(offset) = bytes[at..].iter().position(|byte| *byte == b'"') else {
                    break None;
                };
                if bytes.get(at + offset + 1) != Some(&b'"') {
                    break Some(at + offset);
                }
                doubled += 1;
                at += offset + 2;
            };
            let Some(closing) = closing else {
                cell.content.start = start + 1;
                cell.fault = Some(Fault::Unclosed { closed_by: None });
                return cell;
            };
            let at = start + closing;
            cell.content = start + 1..at;
            if bytes[closing + 1..].iter().any(|byte| !is_blank(*byte)) {
                let broken = bytes[..closing].iter().any(|byte| matches!(byte, b'\r' | b'\n'));
                cell.fault = Some(if broken {
                    Fault::Unclosed { closed_by: Some(at) }
                } else {
                    Fault::AfterClosing { at }
                });
                cell.content = cell.raw.clone();
                cell.own = Some(String::from_utf8_lossy(decoded).into_owned());
            } else if doubled > 0 {
                // What is left of `decoded` are the blanks after the closing quote.
                let length = cell.content.len() - doubled;
                let value = decoded.get(..length).unwrap_or(decoded);
                cell.own = Some(String::from_utf8_lossy(value).into_owned());
            }
            return cell;
        }
        let before = bytes.iter().take_while(|byte| is_blank(**byte)).count();
        let after = bytes[before..]
            .iter()
            .rev()
            .take_while(|byte| is_blank(**byte))
            .count();
        cell.content = start + before..cell.raw.end - after;
        if let Some(quote) = bytes.iter().position(|byte| *byte == b'"') {
            let at = start + quote;
            if quote == before {
                cell.fault = Some(Fault::BeforeOpening { at });
                let meant = &text[at + 1..cell.content.end];
                cell.own = meant.strip_suffix('"').map(|meant| meant.replace("\"\"", "\""));
            } else {
                cell.fault = Some(Fault::Inside { at });
            }
        }
        cell
    }

    fn text<'c>(&'c self, walk: &Walk<'c>) -> &'c str {
        match &self.own {
            Some(own) => own,
            None => &walk.text[self.content.clone()],
        }
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn extent(cells: &[Cell]) -> Range<usize> {
    match cells {
        [first, .., last] => first.raw.start..last.raw.end,
        [only] => only.raw.clone(),
        [] => 0..0,
    }
}

/// The rows of a text, one after the other.
struct Walk<'t> {
    text: &'t str,
    delimiter: u8,
    /// The next byte to read, and where to stop.
    at: usize,
    end: usize,
    /// Where the row before ended, without its line ending, and where this one starts.
    row_end: usize,
    row_start: usize,
    reader: Reader,
    buffer: Box<[u8]>,
    decoded: Vec<u8>,
    /// The row.
    cells: Vec<Cell>,
}

impl<'t> Walk<'t> {
    fn new(text: &'t str, at: usize, end: usize, delimiter: u8) -> Self {
        let mut reader = ReaderBuilder::new().delimiter(delimiter).build();
        let mut buffer = vec![0; 1 << 12].into_boxed_slice();
        // A byte-order mark is dropped from the first bytes that the reader sees. These are not the file's first.
        reader.read_field(b"\n", &mut buffer);
        Walk {
            text,
            delimiter,
            at,
            end,
            row_end: at,
            row_start: at,
            reader,
            buffer,
            decoded: Vec::new(),
            cells: Vec::new(),
        }
    }

    /// Reads the next row that is not an empty line; false at the end.
    fn advance(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        self.row_end = self.cells.last().map_or(self.row_start, |last| last.raw.end);
        self.cells.clear();
        while self.at < self.end && matches!(bytes[self.at], b'\r' | b'\n') {
            self.at += 1;
        }
        self.row_start = self.at;
        if self.at == self.end {
            return false;
        }
        loop {
            let start = self.at;
            self.decoded.clear();
            let record_end = loop {
                let rest = &bytes[self.at..self.end];
                let (result, read, written) = self.reader.read_field(rest, &mut self.buffer);
                self.at += read;
                self.decoded.extend_from_slice(&self.buffer[..written]);
                match result {
                    ReadFieldResult::Field { record_end } => {
                        // Without input it is the end of the text that ended the cell, and there is no separator.
                        let end = if rest.is_empty() { self.at } else { self.at - 1 };
                        self.cells.push(Cell::new(self.text, start..end, &self.decoded));
                        break record_end;
                    }
                    ReadFieldResult::End => break true,
                    ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull => {}
                }
            };
            if record_end {
                return true;
            }
        }
    }

    /// Whether no cell of the row holds anything.
    fn is_blank(&self) -> bool {
        self.cells
            .iter()
            .all(|cell| cell.content.is_empty() && cell.fault.is_none())
    }

    /// Whether a quote of the row is not closed.
    fn is_swallowing(&self) -> bool {
        self.cells
            .iter()
            .any(|cell| matches!(cell.fault, Some(Fault::Unclosed { .. })))
    }

    /// Where the row stands.
    fn extent(&self) -> (usize, usize) {
        let range = extent(&self.cells);
        (range.start, range.end)
    }

    /// What stands between the row before and this one.
    fn gap(&self) -> Range<usize> {
        self.row_end..self.row_start
    }
}

/// All rules of reading CSV files.
pub static RULES: &[&Rule] = &[
    &EMPTY_FILE,
    &NUL_BYTE,
    &CTRL_Z,
    &MIXED_LINE_ENDINGS,
    &SEPARATOR_LINE,
    &NO_HEADER,
    &TEXT_ABOVE_HEADER,
    &COLUMN_SPELLING,
    &DUPLICATE_COLUMN,
    &UNNAMED_COLUMN,
    &REPEATED_HEADER,
    &UNCLOSED_QUOTE,
    &STRAY_QUOTE,
    &TOO_MANY_CELLS,
];

/// A file without rows.
pub static EMPTY_FILE: Rule = Rule {
    code: "empty-file",
    severity: Severity::Error,
    summary: "a table's file holds nothing",
    explanation: "The file has no row, not even a header. Often a program was stopped while it saved. Write the names \
        of the columns in the first row, or delete the file: a table that has no file is simply empty.",
};

/// NUL bytes.
pub static NUL_BYTE: Rule = Rule {
    code: "nul-byte",
    severity: Severity::Error,
    summary: "a text holds NUL bytes",
    explanation: "No text holds the byte 0. Many of them mean that the file is UTF-16: save it again as “CSV UTF-8”. \
        A few mean that it was damaged on a disk or in a transfer: look at the place and delete them.",
};

/// A Ctrl-Z at the end.
pub static CTRL_Z: Rule = Rule {
    code: "ctrl-z",
    severity: Severity::Note,
    summary: "a text ends with a Ctrl-Z character",
    explanation: "Programs for CP/M and DOS ended a text with the character 1A (Ctrl-Z). It is not part of the table \
        and is ignored. Delete it, or save the file again with a present-day program.",
};

/// Several kinds of line endings.
pub static MIXED_LINE_ENDINGS: Rule = Rule {
    code: "mixed-line-endings",
    severity: Severity::Warning,
    summary: "the rows of one file end in different ways",
    explanation: "Lines end with LF on Unix, with CRLF on Windows and ended with CR on old Macintoshes. All three are \
        read, but a file that mixes them was put together from parts and shows differently in different programs. \
        Save it again with one kind. Line breaks inside a quoted cell do not count.",
};

/// A bad `sep=` line.
pub static SEPARATOR_LINE: Rule = Rule {
    code: "separator-line",
    severity: Severity::Error,
    summary: "the line `sep=` does not name one separator",
    explanation:
        "A first line `sep=;` tells which character stands between the cells. It must name exactly one: a \
        punctuation mark or a tab.

Wrong:

```csv
sep=semicolon
id;name
1-va;1st Va
```

Right:

```csv
sep=;
id;name
1-va;1st Va
```

Without the line the separator is found from the names of the columns, so it can simply be removed.",
};

/// No header row.
pub static NO_HEADER: Rule = Rule {
    code: "no-header",
    severity: Severity::Error,
    summary: "no row names the table's columns",
    explanation:
        "Columns are found by their names, in any order. No row near the top of the file holds the name of a \
        column that the table can have, so nothing of the file was read.

Wrong:

```csv
1-va,1st Va
2-va,2nd Va
```

Right:

```csv
id,name
1-va,1st Va
2-va,2nd Va
```
",
};

/// Rows above the header.
pub static TEXT_ABOVE_HEADER: Rule = Rule {
    code: "text-above-header",
    severity: Severity::Warning,
    summary: "rows above the header are not read",
    explanation:
        "A title, the name of an encoding or a row of group headings stands above the row that names the \
        columns. It is passed over. Remove it, so that every program finds the header in the first row.

Wrong:

```csv
Army of Northern Virginia
id,name
1-va,1st Va
```

Right:

```csv
id,name
1-va,1st Va
```
",
};

/// A column name spelled in another way.
pub static COLUMN_SPELLING: Rule = Rule {
    code: "column-spelling",
    severity: Severity::Warning,
    summary: "a column's name is spelled with other capitals, blanks or hyphens",
    explanation: "The name in the header differs from the column's name only in capitals, blanks, hyphens or \
        characters that cannot be seen, such as a no-break space. It is read as that column; write it as it is.

Wrong:

```csv
ID,name
1-va,1st Va
```

Right:

```csv
id,name
1-va,1st Va
```
",
};

/// One column twice.
pub static DUPLICATE_COLUMN: Rule = Rule {
    code: "duplicate-column",
    severity: Severity::Error,
    summary: "two columns of one file have the same name",
    explanation:
        "Two header cells name the same column, so it is unclear which of two values a row means. Rename or \
        remove one. Until then the first of the two is read.

Wrong:

```csv
id,name,name
1-va,1st Va,First Virginia
```

Right:

```csv
id,name,note
1-va,1st Va,First Virginia
```
",
};

/// Values without a header.
pub static UNNAMED_COLUMN: Rule = Rule {
    code: "unnamed-column",
    severity: Severity::Error,
    summary: "a column has values but no name",
    explanation:
        "A header cell is empty while cells below it are not. Such values would be lost silently. Name the \
        column or empty its cells; a column that is wholly empty is ignored.

Wrong:

```csv
id,,name
1-va,120,1st Va
```

Right:

```csv
id,strength,name
1-va,120,1st Va
```
",
};

/// The header again.
pub static REPEATED_HEADER: Rule = Rule {
    code: "repeated-header",
    severity: Severity::Warning,
    summary: "the header is repeated among the rows",
    explanation:
        "A row says the same as the header. That happens when files are joined or when a printed table \
        repeats its heading on each page. The row is passed over; remove it.

Wrong:

```csv
id,name
1-va,1st Va
id,name
2-va,2nd Va
```

Right:

```csv
id,name
1-va,1st Va
2-va,2nd Va
```
",
};

/// A quote without an end.
pub static UNCLOSED_QUOTE: Rule = Rule {
    code: "unclosed-quote",
    severity: Severity::Error,
    summary: "a quoted cell is not closed and swallows the rows that follow",
    explanation: "A cell that begins with a quote goes on to the next quote, over line ends too. If that is missing, \
        all that follows becomes one cell. The place is where the quote is opened; the rest of the file is not read. \
        A quote that belongs to the text is doubled.

Wrong:

```csv
id,name
1-va,\"1st Va
2-va,2nd Va
```

Right:

```csv
id,name
1-va,\"1st Va\"
2-va,2nd Va
```
",
};

/// A quote in the wrong place.
pub static STRAY_QUOTE: Rule = Rule {
    code: "stray-quote",
    severity: Severity::Error,
    summary: "a quote stands where it neither opens nor closes a cell",
    explanation: "Quotes surround a whole cell, directly between the separators; a quote that belongs to the text is \
        doubled, and then the cell must be quoted. Programs read a cell that does otherwise in different ways, and \
        commas in it separate cells.

Wrong:

```csv
id,name
1-va,\"1st Va\" Cavalry
2-va,The \"Bloody\" 2nd
```

Right:

```csv
id,name
1-va,\"\"\"1st Va\"\" Cavalry\"
2-va,\"The \"\"Bloody\"\" 2nd\"
```
",
};

/// A row that is too long.
pub static TOO_MANY_CELLS: Rule = Rule {
    code: "too-many-cells",
    severity: Severity::Error,
    summary: "a row has more cells than the header has names",
    explanation: "Most often a text holds the separator and is not quoted, so that it became two cells and all after \
        it stand in the wrong column. Quote the text. Empty cells at the end of a row do no harm, and cells that are \
        missing there are empty.

Wrong:

```csv
id,name,strength
1-va,1st Va, Co. A,120
```

Right:

```csv
id,name,strength
1-va,\"1st Va, Co. A\",120
```
",
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::{assert_spans, lines};
    use super::*;
    use crate::record::Borrowed;

    const KNOWN: [&str; 5] = ["id", "name", "formation", "strength", "gun_type"];

    struct Outcome {
        files: Files,
        table: Table,
        headers: Vec<Header>,
        found: Vec<Diagnostic>,
    }

    fn read_as(text: &str, known: &[&str]) -> Outcome {
        let mut files = Files::default();
        let file = files.add("units.csv", text);
        let mut table = Table::new("units");
        let mut sink = Sink::default();
        let headers = read(&files, file, known, &mut table, &mut sink);
        let found = sink.sorted(&files);
        assert_spans(&files, &found);
        Outcome {
            files,
            table,
            headers,
            found,
        }
    }

    impl Outcome {
        fn lines(&self) -> Vec<String> {
            lines(&self.files, &self.found)
        }

        /// Each row as `column=value@line:column`.
        fn rows(&self) -> Vec<String> {
            let mut rows = Vec::new();
            for row in self.table.rows() {
                let mut cells = Vec::new();
                for (index, column) in self.table.columns().iter().enumerate() {
                    if let Some(datum) = self.table.get(row, index) {
                        let place = self.files.place(datum.span);
                        cells.push(format!(
                            "{column}={}@{}:{}",
                            datum.value.to_cell(),
                            place.line,
                            place.column
                        ));
                    }
                }
                rows.push(cells.join(" "));
            }
            rows
        }
    }

    /// The text with each kind of line ending, with and without byte-order mark.
    fn variants(text: &str) -> Vec<String> {
        let mut variants = Vec::new();
        for newline in ["\n", "\r\n", "\r"] {
            for mark in ["", "\u{feff}"] {
                variants.push(format!("{mark}{}", text.replace('\n', newline)));
            }
        }
        variants
    }

    /// Reads the text in every variant and expects the same findings at the same places.
    fn expect(text: &str, wanted: &[&str]) -> Outcome {
        let mut last = None;
        for variant in variants(text) {
            let outcome = read_as(&variant, &KNOWN);
            assert_eq!(outcome.lines(), wanted, "{variant:?}");
            last = Some(outcome);
        }
        last.unwrap()
    }

    #[test]
    fn cells_have_exact_places() {
        for variant in
            variants("id,name,strength\na, \u{e9}t\u{e9} ,3\n\nb,\"x \"\"y\"\"\", 4\n\"c\"  ,\" z \",\n")
        {
            let outcome = read_as(&variant, &KNOWN);
            assert_eq!(outcome.lines(), [""; 0], "{variant:?}");
            assert_eq!(
                outcome.rows(),
                [
                    "id=a@2:1 name=été@2:4 strength=3@2:9",
                    "id=b@4:1 name=x \"y\"@4:4 strength=4@4:14",
                    "id=c@5:2 name= z @5:8",
                ]
            );
            let slices: Vec<&str> = outcome
                .table
                .rows()
                .map(|row| outcome.files.slice(outcome.table.row_span(row)))
                .collect();
            assert_eq!(slices, ["a, été ,3", "b,\"x \"\"y\"\"\", 4", "\"c\"  ,\" z \","]);
            assert_eq!(outcome.files.slice(outcome.table.span(1, "name")), "x \"\"y\"\"");
            assert!(matches!(
                outcome.table.field(0, "name").unwrap().value,
                Borrowed::Raw(_)
            ));
            assert!(matches!(
                outcome.table.field(1, "name").unwrap().value,
                Borrowed::Typed(_)
            ));
            let headers: Vec<(&str, &str)> = outcome
                .headers
                .iter()
                .map(|header| (header.name.as_str(), outcome.files.slice(header.span)))
                .collect();
            assert_eq!(
                headers,
                [("id", "id"), ("name", "name"), ("strength", "strength")]
            );
        }
    }

    #[test]
    fn line_breaks_in_quotes_belong_to_the_text() {
        let outcome = read_as("id,name\r\na,\"x\ny\"\r\nb,z\r\n", &KNOWN);
        assert_eq!(outcome.lines(), [""; 0]);
        assert_eq!(outcome.rows(), ["id=a@2:1 name=x\ny@2:4", "id=b@4:1 name=z@4:3"]);
    }

    #[test]
    fn the_header_decides_the_separator() {
        for (text, name) in [
            ("id;name;strength\na;x, y;3\n", "x, y"),
            ("id\tname\na\tx, y\n", "x, y"),
            ("id|name\na|x; y\n", "x; y"),
            ("sep=;\nid;name\na;x, y\n", "x, y"),
            ("\"sep=|\"\nid|name\na|x\n", "x"),
            ("SEP=\t\nid\tname\na\tx\n", "x"),
            ("sep=;;;;\nid;name;;;\na;x;;;\n", "x"),
            ("note, not known;id;name\n;a;x\n", "x"),
        ] {
            for variant in variants(text) {
                let outcome = read_as(&variant, &KNOWN);
                assert_eq!(outcome.lines(), [""; 0], "{variant:?}");
                assert_eq!(outcome.table.text(0, "name"), Some(name), "{variant:?}");
            }
        }
        expect(
            "sep=semicolon\nid;name\na;x\n",
            &["separator-line 1:1 \"sep=semicolon\""],
        );
        expect("sep=\nid;name\na;x\n", &["separator-line 1:1 \"sep=\""]);
    }

    #[test]
    fn empty_rows_and_trailing_columns_are_passed_over() {
        let outcome = expect("\n,,\nid,name,,\n,,,\na,x,,\n  , ,,,,,\nb\n\n,,,,,,,\n", &[]);
        assert_eq!(outcome.rows(), ["id=a@5:1 name=x@5:3", "id=b@7:1"]);
    }

    #[test]
    fn unknown_columns_are_read() {
        let outcome = expect("id,colour\na,red\n", &[]);
        assert_eq!(outcome.headers[1].name, "colour");
        assert_eq!(outcome.table.text(0, "colour"), Some("red"));
    }

    #[test]
    fn with_no_known_names_any_header_will_do() {
        let outcome = read_as(";1;4-11\nN;8x;½x\n", &[]);
        assert_eq!(outcome.lines(), [""; 0]);
        let names: Vec<&str> = outcome
            .headers
            .iter()
            .map(|header| header.name.as_str())
            .collect();
        assert_eq!(names, ["", "1", "4-11"]);
        assert_eq!(outcome.rows(), ["=N@2:1 1=8x@2:3 4-11=½x@2:6"]);
    }

    #[test]
    fn an_unclosed_quote_is_reported_where_it_opens() {
        let outcome = expect(
            "id,name\na,x\nb,\"y\nc,z\n\nd,w\n",
            &["unclosed-quote 3:3 \"\\\"\""],
        );
        assert_eq!(outcome.rows(), ["id=a@2:1 name=x@2:3"]);
        assert_eq!(
            outcome.found[0].message,
            "the quote that opens `\"y` is not closed and swallows 2 more rows"
        );
        expect("id,name\na,\"x", &["unclosed-quote 2:3 \"\\\"\""]);
        expect("\"Title\nid,name\na,x\n", &["unclosed-quote 1:1 \"\\\"\""]);
        expect(
            "Title\n\"and more\nid,name\na,x\n",
            &["unclosed-quote 2:1 \"\\\"\""],
        );
        expect("id,\"name\na,x\n", &["unclosed-quote 1:4 \"\\\"\""]);
    }

    #[test]
    fn a_quote_closed_by_the_next_opening_one_is_unclosed_too() {
        let outcome = expect("id,name\na,\"x\nb,y\nc,\"z\"\n", &["unclosed-quote 2:3 \"\\\"\""]);
        let found = &outcome.found[0];
        assert_eq!(outcome.files.place(found.labels[0].span).line, 4);
        assert!(
            found.message.ends_with("swallows 2 more rows"),
            "{}",
            found.message
        );
    }

    #[test]
    fn stray_quotes_are_reported_one_a_row() {
        let outcome = expect(
            "id,name\na,\"x\"y\nb, \"z\"\nc,4\" gun\nd,\"The \"Iron\" Brigade\"\n",
            &[
                "stray-quote 2:5 \"\\\"\"",
                "stray-quote 3:4 \"\\\"\"",
                "stray-quote 4:4 \"\\\"\"",
                "stray-quote 5:8 \"\\\"\"",
            ],
        );
        assert_eq!(outcome.rows()[1], "id=b@3:1 name=z@3:4");
        let help = |index: usize| outcome.found[index].help.clone().unwrap();
        assert!(help(0).contains("`\"\"\"x\"\"y\"`"), "{}", help(0));
        assert!(help(2).contains("`\"4\"\" gun\"`"), "{}", help(2));
        assert!(help(3).contains("`\"The \"\"Iron\"\" Brigade\"`"), "{}", help(3));
    }

    #[test]
    fn one_row_has_one_cause() {
        // The comma separates cells because the quotes do not hold; that is not a second error.
        expect("id,name\na, \"x, y\"\n", &["stray-quote 2:4 \"\\\"\""]);
    }

    #[test]
    fn headers_that_stand_twice_or_are_missing() {
        let outcome = expect(
            "id,name,ID\na,x,b\n",
            &["column-spelling 1:9 \"ID\"", "duplicate-column 1:9 \"ID\""],
        );
        assert_eq!(outcome.files.slice(outcome.found[1].labels[0].span), "id");
        assert_eq!(outcome.rows(), ["id=a@2:1 name=x@2:3"]);
        let outcome = expect("id,,name\na,,x\nb,3,y\nc,4,z\n", &["unnamed-column 1:4 \"\""]);
        assert_eq!(outcome.files.slice(outcome.found[0].labels[0].span), "3");
    }

    #[test]
    fn a_file_without_header_says_what_was_read() {
        let outcome = expect("a,x\nb,y\n", &["no-header 1:1 \"a,x\""]);
        assert!(outcome.found[0].message.contains("`a`, `x`"));
        assert!(outcome.found[0].help.as_ref().unwrap().contains("`gun_type`"));
        assert!(outcome.headers.is_empty() && outcome.rows().is_empty());
    }

    #[test]
    fn names_are_recognised_in_other_spellings() {
        let outcome = expect(
            "id , Gun Type,name\u{a0}\na,x,y\n",
            &[
                "column-spelling 1:6 \"Gun Type\"",
                "column-spelling 1:15 \"name\u{a0}\"",
            ]
            .map(|line| line.replace('\u{a0}', "\\u{a0}"))
            .each_ref()
            .map(String::as_str),
        );
        assert_eq!(outcome.found[1].note, "with a no-break space");
        assert_eq!(outcome.rows(), ["id=a@2:1 gun_type=x@2:3 name=y@2:5"]);
    }

    #[test]
    fn titles_above_the_header_are_passed_over() {
        let outcome = expect(
            "Order of battle\n\n,,Guns\nid,name,gun_type\na,x,N\n",
            &["text-above-header 1:1 \"Order of battle\""],
        );
        assert!(outcome.found[0].message.starts_with("2 rows above"));
        assert_eq!(outcome.rows().len(), 1);
        // One known word in a row of data does not make it a header.
        expect("a,x,3\nb,name,4\n", &["no-header 1:1 \"a,x,3\""]);
    }

    #[test]
    fn a_repeated_header_is_no_row() {
        let outcome = expect(
            "id,name\na,x\nID,Name\nb,y\n",
            &["repeated-header 3:1 \"ID,Name\""],
        );
        assert_eq!(outcome.rows().len(), 2);
    }

    #[test]
    fn rows_that_are_too_long() {
        let outcome = expect(
            "id,name,strength\na,x, y,3\nb,z,4\nc,w,5,,\n",
            &["too-many-cells 2:8 \"3\""],
        );
        assert_eq!(outcome.files.slice(outcome.found[0].labels[0].span), "x, y");
        assert!(outcome.found[0].help.as_ref().unwrap().contains("`\"x, y\"`"));
        // Where most rows are too long it is the header that is too short.
        expect("id,name\na,x,1\nb,y,2\nc,z,3\n", &["too-many-cells 2:5 \"1\""]);
    }

    #[test]
    fn damage_to_the_file_as_a_whole() {
        expect("", &["empty-file 1:1 \"\""]);
        expect("\n  \n,,,\n", &["empty-file 1:1 \"\""]);
        let outcome = expect("id,name\na,x\n\u{1a}", &["ctrl-z 3:1 \"\\u{1a}\""]);
        assert_eq!(outcome.rows().len(), 1);
        expect("id,name\na,x\u{1a}\u{1a}\n\n", &["ctrl-z 2:4 \"\\u{1a}\""]);
        let outcome = expect("id,name\na,x\0y\n", &["nul-byte 2:4 \"\\0\""]);
        assert_eq!(outcome.rows().len(), 1);
        let utf16: String = "id,name\na,x\n".chars().flat_map(|c| [c, '\0']).collect();
        let outcome = read_as(&utf16, &KNOWN);
        assert_eq!(outcome.lines(), ["nul-byte 1:2 \"\\0\""]);
        assert!(outcome.found[0].help.as_ref().unwrap().contains("UTF-16"));
    }

    #[test]
    fn mixed_line_endings_are_reported_once() {
        let outcome = read_as("id,name\r\na,x\r\nb,y\nc,\"p\rq\"\r\nd,z\n", &KNOWN);
        assert_eq!(outcome.lines(), ["mixed-line-endings 3:4 \"\\n\""]);
        assert_eq!(
            outcome.found[0].message,
            "the line endings of `units.csv` are mixed: 3 lines with CRLF, 2 lines with LF"
        );
        assert_eq!(outcome.rows().len(), 4);
    }

    #[test]
    fn a_second_file_adds_its_rows_and_columns() {
        let mut files = Files::default();
        let one = files.add("a.csv", "id,name\na,x\n");
        let two = files.add("b.csv", "strength,id\n3,b\n");
        let mut table = Table::new("units");
        let mut sink = Sink::default();
        read(&files, one, &KNOWN, &mut table, &mut sink);
        read(&files, two, &KNOWN, &mut table, &mut sink);
        assert!(sink.sorted(&files).is_empty());
        assert_eq!(table.text(1, "id"), Some("b"));
        assert_eq!(table.text(1, "strength"), Some("3"));
        assert_eq!(table.span(1, "id").file, two);
    }

    #[test]
    fn time_is_linear() {
        // Each of these is quadratic in a reader that looks ahead for every quote.
        let rows = 200_000;
        for row in [
            "a,\"x\"\"y\"\"\",\"\n\"\n",
            "a,\"x\n",
            "a,x\"y\n",
            " \"a, \"b\n",
            "a,\"b\"c\n",
        ] {
            let text = format!("id,name\n{}", row.repeat(rows));
            read_as(&text, &KNOWN);
        }
    }

    fn pieces() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "a", "é", ",", "\"", "\n", "\r\n", "\r", ";", "\t", "|", "\u{feff}", "\0", " ", "id", "name",
            "\"b c\"", "\u{1a}", "sep=", "\u{a0}",
        ]);
        prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 4000, ..ProptestConfig::default() })]

        #[test]
        fn cells_are_those_of_the_csv_crate(text in pieces(), delimiter in prop::sample::select(DELIMITERS.to_vec())) {
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
            let text = text.trim_start_matches('\u{feff}');
            let mut reader = ::csv::ReaderBuilder::new()
                .has_headers(false)
                .flexible(true)
                .delimiter(delimiter)
                .from_reader(text.as_bytes());
            let mut walk = Walk::new(text, 0, text.len(), delimiter);
            let mut record = ::csv::ByteRecord::new();
            let mut end = 0;
            while reader.read_byte_record(&mut record).unwrap() {
                prop_assert!(walk.advance());
                prop_assert_eq!(walk.cells.len(), record.len(), "{:?}", walk.cells);
                for (cell, decoded) in walk.cells.iter().zip(&record) {
                    let decoded = std::str::from_utf8(decoded).unwrap();
                    // The row is tiled by cells with one separator between them.
                    prop_assert!(cell.raw.start >= end);
                    end = cell.raw.end;
                    prop_assert!(text.get(cell.raw.clone()).is_some() && text.get(cell.content.clone()).is_some());
                    prop_assert!(cell.raw.start <= cell.content.start && cell.content.end <= cell.raw.end);
                    let value = cell.text(&walk);
                    match cell.fault {
                        Some(Fault::BeforeOpening { .. } | Fault::Unclosed { closed_by: None }) => {}
                        None if cell.quoted => {
                            let rest = decoded.strip_prefix(value);
                            prop_assert!(rest.is_some_and(|rest| rest.bytes().all(is_blank)), "{:?} {:?}", cell, decoded);
                        }
                        _ if cell.quoted => prop_assert_eq!(value, decoded),
                        _ => prop_assert_eq!(value, decoded.trim_matches([' ', '\t'])),
                    }
                }
            }
            prop_assert!(!walk.advance());
        }

        #[test]
        fn any_text_is_read(text in pieces(), header in prop::sample::select(vec!["", "id,name\n", "id;name\r\n"])) {
            let text = format!("{header}{text}");
            for known in [&KNOWN[..], &[]] {
                let outcome = read_as(&text, known);
                let text = outcome.files.text(FileId(0));
                for header in &outcome.headers {
                    prop_assert!(text.get(header.span.start as usize..header.span.end as usize).is_some());
                }
                for row in outcome.table.rows() {
                    let whole = outcome.table.row_span(row);
                    prop_assert!(text.get(whole.start as usize..whole.end as usize).is_some());
                    for column in 0..outcome.table.columns().len() {
                        let Some(datum) = outcome.table.get(row, column) else { continue };
                        prop_assert!(whole.start <= datum.span.start && datum.span.end <= whole.end);
                        let slice = text.get(datum.span.start as usize..datum.span.end as usize);
                        prop_assert!(slice.is_some());
                        if let Borrowed::Raw(raw) = datum.value {
                            prop_assert_eq!(Some(raw), slice);
                        }
                    }
                }
            }
        }
    }
}
