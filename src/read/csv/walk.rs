//! Rows and cells, with the ranges of the text that they are.

use std::ops::Range;

use csv_core::{ReadFieldResult, Reader, ReaderBuilder};

/// A quote that is not where quotes may be. Positions are in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Fault {
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
pub(super) struct Cell {
    /// From separator to separator.
    pub(super) raw: Range<usize>,
    /// Without quotes, and without blanks around it where it is not quoted.
    pub(super) content: Range<usize>,
    /// The value, where it is not the content as it stands.
    pub(super) own: Option<String>,
    pub(super) quoted: bool,
    pub(super) fault: Option<Fault>,
}

impl Cell {
    /// Judges the cell at `raw`, whose text `csv_core` says is `decoded`.
    pub(super) fn new(text: &str, raw: Range<usize>, decoded: &[u8]) -> Self {
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

    pub(super) fn text<'c>(&'c self, walk: &Walk<'c>) -> &'c str {
        match &self.own {
            Some(own) => own,
            None => &walk.text[self.content.clone()],
        }
    }
}

pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

pub(super) fn extent(cells: &[Cell]) -> Range<usize> {
    match cells {
        [first, .., last] => first.raw.start..last.raw.end,
        [only] => only.raw.clone(),
        [] => 0..0,
    }
}

/// The rows of a text, one after the other.
pub(super) struct Walk<'t> {
    pub(super) text: &'t str,
    pub(super) delimiter: u8,
    /// The next byte to read, and where to stop.
    pub(super) at: usize,
    pub(super) end: usize,
    /// Where the row before ended, without its line ending, and where this one starts.
    pub(super) row_end: usize,
    pub(super) row_start: usize,
    pub(super) reader: Reader,
    pub(super) buffer: Box<[u8]>,
    pub(super) decoded: Vec<u8>,
    /// The row.
    pub(super) cells: Vec<Cell>,
}

impl<'t> Walk<'t> {
    pub(super) fn new(text: &'t str, at: usize, end: usize, delimiter: u8) -> Self {
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
    pub(super) fn advance(&mut self) -> bool {
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
    pub(super) fn is_blank(&self) -> bool {
        self.cells
            .iter()
            .all(|cell| cell.content.is_empty() && cell.fault.is_none())
    }

    /// Whether a quote of the row is not closed.
    pub(super) fn is_swallowing(&self) -> bool {
        self.cells
            .iter()
            .any(|cell| matches!(cell.fault, Some(Fault::Unclosed { .. })))
    }

    /// Where the row stands.
    pub(super) fn extent(&self) -> (usize, usize) {
        let range = extent(&self.cells);
        (range.start, range.end)
    }

    /// What stands between the row before and this one.
    pub(super) fn gap(&self) -> Range<usize> {
        self.row_end..self.row_start
    }
}
