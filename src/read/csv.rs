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
        path: files.title(file),
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
    // A worksheet has cells, so nothing separates them but what was put there to do so.
    let delimiter = if files.is_worksheet(file) {
        Some(b',')
    } else {
        source.separator_line(sink)
    };
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
mod tests;
