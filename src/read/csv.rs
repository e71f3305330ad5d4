//! CSV files to records, every cell with its exact place.
//!
//! `csv_core`'s state machine finds the cells, so what a cell is never differs from what the csv crate says; its
//! tolerance is undone here: quotes that do not close or stand where they mean nothing are reported, because they move
//! or swallow cells. Time and memory are linear in the file.

mod astray;
mod endings;
mod foreign;
mod header;
mod layout;
mod lengths;
mod quotes;
mod rules;
mod source;
mod walk;

use crate::diagnostic::{Diagnostic, Sink};
use crate::record::Table;
use crate::source::{FileId, Files, Span};

use super::shown;
use astray::Quoted;
use foreign::Foreign;
use header::{Names, Top};
use layout::Layout;
use lengths::Lengths;
use rules::REPEATED_HEADER;
use source::Source;

pub use rules::{EMPTY_FILE, RULES, TEXT_BELOW_TABLE};
pub(crate) use source::report_nul;

/// What may separate cells, the likeliest first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

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
        is_worksheet: files.is_worksheet(file),
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
    let names = Names::new(known);
    let delimiter = if source.is_worksheet {
        Some(b',')
    } else {
        let line = source.start;
        source
            .separator_line(sink)
            .filter(|delimiter| source.separates(*delimiter, line, &names, sink))
    };
    let Some(Top {
        mut walk,
        mut endings,
        above,
    }) = source.seek_header(delimiter, &names, sink)
    else {
        return Vec::new();
    };
    if source.report_faults(&walk.cells, sink).unclosed {
        return Vec::new();
    }
    let mut layout = Layout::new(&source, &walk.cells, &above, &names, table, sink);
    // The rows of a chart are named by its game: any text may be one.
    let mut foreign = (known.len() > 1).then(Foreign::default);
    let mut rows = 0;
    let mut lengths = Lengths::default();
    let mut quoted = Quoted::default();
    while walk.advance() {
        endings.count(source.text, walk.gap());
        if walk.is_blank() {
            if let Some(foreign) = &mut foreign {
                foreign.blank(&walk);
            }
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
        if let Some(other) = foreign
            .as_ref()
            .and_then(|_| astray::other_separator(&walk, layout.columns.len()))
        {
            let row = table.add_row(file, &text, start, end);
            let apart = source.report_other_separator(&walk, other, layout.span, sink);
            layout.fill(&source, &apart, row, table, sink);
            rows += 1;
            if let Some(foreign) = &mut foreign {
                foreign.record();
            }
            continue;
        }
        if let Some(foreign) = &mut foreign
            && !faults.any
        {
            if rows == 0 && layout.continues(&source, &walk, &names, table, sink) {
                continue;
            }
            let has_ids = layout.headers.first().is_some_and(|header| header.name == "id");
            if foreign.takes(&source, &walk, layout.columns.len(), has_ids, sink) {
                continue;
            }
            foreign.record();
        }
        rows += 1;
        let row = table.add_row(file, &text, start, end);
        layout.fill(&source, &walk, row, table, sink);
        quoted.look(&walk);
        // Stray quotes may have moved cells.
        let is_long = !faults.any && lengths.count(&layout, &walk, row);
        // A NUL in a cell and what a spreadsheet did to one were told already.
        let told = text[start..end].contains('\0') || files.is_told(file, start, end);
        if faults.any || is_long || told {
            table.mark_unsound(row);
        }
    }
    endings.count(source.text, walk.gap());
    for row in lengths.report(&layout, &source, table, rows, sink) {
        table.mark_unsound(row);
    }
    endings.report(&source, sink);
    quoted.report(&source, sink);
    if let Some(foreign) = foreign {
        foreign.report(&source, &layout, sink);
    }
    layout.headers
}

#[cfg(test)]
mod tests;
