//! Worksheets to CSV text, and what their spreadsheet did to their cells.

use std::collections::HashSet;
use std::ops::Range;

use super::{
    BOOLEAN_CELL, Content, DATE_CELL, ERROR_CELL, HIDDEN_CELLS, MOST_COLUMNS, Moment, RAISED_TEXT, Sheet,
    UNCALCULATED_CELL, merged,
};
use crate::diagnostic::{Diagnostic, Sink};
use crate::read::csv::Header;
use crate::read::shown;
use crate::record::Table;
use crate::source::{FileId, Files, Span, column_letters};

/// Headers are looked for in so many rows.
pub(super) const HEADER_WITHIN: u32 = 30;

/// The columns in which a spreadsheet's dates and times are what was meant.
#[derive(Clone, Copy, Default, Debug)]
pub struct Expected<'e> {
    /// Columns of dates.
    pub dates: &'e [&'e str],
    /// Columns of times of day.
    pub times: &'e [&'e str],
    /// Columns of yes and no.
    pub flags: &'e [&'e str],
    /// Columns of remarks, where anything is what was meant.
    pub remarks: &'e [&'e str],
}

/// Takes in a worksheet of the workbook at `path` as CSV text and reports what its spreadsheet did to it.
pub fn enter(
    files: &mut Files,
    path: &str,
    sheet: &Sheet,
    expected: Expected<'_>,
    sink: &mut Sink,
) -> FileId {
    let mut writing = Writing::default();
    let headed = Headed::new(sheet, expected);
    for cell in &sheet.cells {
        writing.go_to(cell.row, cell.column);
        writing.cell(&headed.content(cell.column, &cell.content));
    }
    let Writing {
        mut text,
        mut rows,
        ranges,
        ..
    } = writing;
    if !rows.is_empty() {
        text.push('\n');
    }
    rows.push(text.len() as u32);
    let file = files.add_worksheet(path, &sheet.name, &text, rows);
    let span = |range: &Range<usize>| Span::new(file, range.start, range.end);
    let mut told = Vec::new();
    for (cell, range) in sheet.cells.iter().zip(&ranges) {
        let found = match headed.content(cell.column, &cell.content) {
            Seen::Text(_) => continue,
            Seen::Boolean(flag) => Diagnostic::new(
                &BOOLEAN_CELL,
                span(range),
                format!("the spreadsheet made a truth value of this cell: {}", truth(flag)),
            )
            .note("neither yes nor no is wanted here")
            .help("format the column as text, then type the cell again"),
            Seen::Raised(text, raised) => Diagnostic::new(
                &RAISED_TEXT,
                span(range),
                format!("the cell holds {} with a raised {}", shown(text), shown(raised)),
            )
            .note("the mark of a footnote?")
            .help(format!(
                "delete the raised part, so that the cell holds {}; a remark belongs in the column `note`",
                shown(text)
            )),
            Seen::Moment(moment) => spoiled(moment, span(range)),
            Seen::Error(text) => Diagnostic::new(
                &ERROR_CELL,
                span(range),
                format!("the cell holds the error {}", shown(text)),
            )
            .note("its formula has no result")
            .help("repair the formula, or type the value in its place"),
            Seen::Uncalculated => Diagnostic::new(
                &UNCALCULATED_CELL,
                span(range),
                "the cell holds a formula without its result",
            )
            .note("not calculated")
            .help(
                "open the workbook in a spreadsheet and save it again, which stores the results of formulas",
            ),
        };
        told.push(range.start as u32);
        sink.push(found);
    }
    let lacking = merged::report(sheet, &ranges, file, sink);
    told.extend(lacking.iter().map(|cell| ranges[*cell].start as u32));
    told.sort_unstable();
    files.set_told(file, told);
    let first = ranges.first().map_or(Span::file_start(file), span);
    report_hidden(sheet, &ranges, first, sink);
    file
}

/// A cell as it counts in its column.
enum Seen<'c> {
    Text(&'c str),
    Moment(&'c Moment),
    Boolean(bool),
    Raised(&'c str, &'c str),
    Error(&'c str),
    Uncalculated,
}

/// Which columns of a worksheet are headed by names under which dates and times are expected.
struct Headed {
    dates: HashSet<u32>,
    times: HashSet<u32>,
    flags: HashSet<u32>,
    remarks: HashSet<u32>,
}

impl Headed {
    fn new(sheet: &Sheet, expected: Expected<'_>) -> Self {
        let columns = |known: &[&str]| {
            let first = sheet.cells.iter().take_while(|cell| cell.row < HEADER_WITHIN);
            let found = first.filter(|cell| names(&cell.content, known));
            found.map(|cell| cell.column).collect()
        };
        Headed {
            dates: columns(expected.dates),
            times: columns(expected.times),
            flags: columns(expected.flags),
            remarks: columns(expected.remarks),
        }
    }

    fn content<'c>(&self, column: u32, content: &'c Content) -> Seen<'c> {
        match content {
            Content::Text(text) => Seen::Text(text),
            Content::Error(text) => Seen::Error(text),
            Content::Uncalculated => Seen::Uncalculated,
            Content::Boolean(true) if self.flags.contains(&column) => Seen::Text("yes"),
            Content::Boolean(false) if self.flags.contains(&column) => Seen::Text("no"),
            Content::Boolean(flag) if self.remarks.contains(&column) => Seen::Text(truth(*flag)),
            Content::Boolean(flag) => Seen::Boolean(*flag),
            Content::Raised(parts) => Seen::Raised(&parts.0, &parts.1),
            Content::Moment(moment) if self.remarks.contains(&column) => Seen::Text(&moment.shown),
            Content::Moment(moment) => {
                let date = moment.date.as_deref().filter(|_| self.dates.contains(&column));
                let time = moment.time.as_deref().filter(|_| self.times.contains(&column));
                date.or(time).map_or(Seen::Moment(moment), Seen::Text)
            }
        }
    }
}

/// Whether a cell holds one of these names, whatever its case.
pub(super) fn names(content: &Content, known: &[&str]) -> bool {
    match content {
        Content::Text(text) => known.iter().any(|name| name.eq_ignore_ascii_case(text.trim())),
        _ => false,
    }
}

/// The CSV text of a worksheet as it grows.
#[derive(Default)]
struct Writing {
    text: String,
    /// Where each row begins.
    rows: Vec<u32>,
    column: u32,
    /// Where the content of each filled cell stands.
    ranges: Vec<Range<usize>>,
}

impl Writing {
    /// Goes on to a cell that stands after all that were written.
    fn go_to(&mut self, row: u32, column: u32) {
        while self.rows.len() <= row as usize {
            if !self.rows.is_empty() {
                self.text.push('\n');
            }
            self.rows.push(self.text.len() as u32);
            self.column = 0;
        }
        while self.column < column {
            self.text.push(',');
            self.column += 1;
        }
    }

    fn cell(&mut self, seen: &Seen<'_>) {
        let content = match seen {
            Seen::Text(text) | Seen::Error(text) => text,
            Seen::Moment(moment) => moment.shown.as_str(),
            Seen::Raised(text, _) => text,
            Seen::Boolean(flag) => truth(*flag),
            Seen::Uncalculated => "",
        };
        let start = self.text.len();
        // Blanks at the ends are kept, so that it is the same as in a file whether they are reported.
        if content.contains([',', '"', '\n', '\r']) {
            self.text.push('"');
            for c in content.chars() {
                if c == '"' {
                    self.text.push('"');
                }
                self.text.push(c);
            }
            self.text.push('"');
            self.ranges.push(start + 1..self.text.len() - 1);
        } else {
            self.text.push_str(content);
            self.ranges.push(start..self.text.len());
        }
    }
}

/// A truth value as spreadsheets show it.
pub(super) fn truth(flag: bool) -> &'static str {
    if flag { "TRUE" } else { "FALSE" }
}

/// Leaves of what was told of a worksheet's cells what matters to the rows that were read of it, from one row of the table
/// on, and to its header: a title above the table and a total below it may hold what they like.
pub fn keep_read(told: &mut Sink, table: &Table, from: usize, headers: &[Header]) {
    let of_cells = [
        &DATE_CELL,
        &ERROR_CELL,
        &BOOLEAN_CELL,
        &RAISED_TEXT,
        &UNCALCULATED_CELL,
    ];
    let header = headers.iter().map(|header| header.span);
    let Some(start) = header.clone().map(|span| span.start).min() else {
        // Without a header it is not known what is a row.
        return;
    };
    let end = header.map(|span| span.end).max().unwrap_or(start);
    let mut read: Vec<(u32, u32)> = (from..table.all_rows().len())
        .map(|row| table.row_span(row))
        .map(|span| (span.start, span.end))
        .chain([(start, end)])
        .collect();
    read.sort_unstable();
    told.retain(|found| {
        let is_of_a_cell = of_cells.iter().any(|rule| rule.code == found.rule.code);
        let Some(span) = found.span.filter(|_| is_of_a_cell) else {
            return true;
        };
        let next = read.partition_point(|(start, _)| *start <= span.start);
        next > 0 && span.start <= read[next - 1].1
    });
}

/// A date or a time where none is expected.
fn spoiled(moment: &Moment, span: Span) -> Diagnostic {
    let kind = match (&moment.date, &moment.time) {
        (Some(_), _) => "date",
        (None, Some(_)) => "time of day",
        (None, None) => "date or a time",
    };
    let held = match (&moment.date, &moment.time) {
        (Some(held), _) | (None, Some(held)) if *held != moment.shown => format!("{held}, shown as "),
        _ => String::new(),
    };
    Diagnostic::new(
        &DATE_CELL,
        span,
        format!("the spreadsheet made a {kind} of this cell: {held}{}", shown(&moment.shown)),
    )
    .note("what was typed is lost")
    .help(format!(
        "{}format the column as text, then type the cell again; a change of format alone does not bring it back",
        typed(moment)
    ))
}

/// What may have been typed to get a date: as in a CSV file, a designation such as `1-3` or `3-1`.
fn typed(moment: &Moment) -> String {
    /// More would not be read.
    const OFFERED: usize = 6;
    let held = moment.date.as_deref().unwrap_or_default();
    let mut values = crate::cell::may_have_been(&moment.shown, crate::cell::Wanted::Word);
    if values.is_empty() {
        values = crate::cell::may_have_been(held, crate::cell::Wanted::Word);
    }
    // A point between two numbers is the rarest of the marks.
    values.retain(|value| !value.contains('.'));
    let values: Vec<String> = values.iter().take(OFFERED).map(|value| shown(value)).collect();
    match values.as_slice() {
        [] => String::new(),
        values => format!("it may have been {}; ", crate::suggest::either(values)),
    }
}

/// One note for all that is hidden and yet filled.
fn report_hidden(sheet: &Sheet, ranges: &[Range<usize>], first: Span, sink: &mut Sink) {
    if sheet.is_empty() {
        return;
    }
    let note = |span, what: String| {
        Diagnostic::new(
            &HIDDEN_CELLS,
            span,
            format!("{what} hidden in the spreadsheet and read all the same"),
        )
        .help("delete what must not count, or show it again so that others see it")
    };
    if sheet.hidden {
        sink.push(note(first, format!("the worksheet {} is", shown(&sheet.name))));
        return;
    }
    // Where hidden stretches of columns begin and end.
    let mut changes = vec![0i64; MOST_COLUMNS as usize + 1];
    for (from, to) in &sheet.hidden_columns {
        changes[(*from).min(MOST_COLUMNS) as usize] += 1;
        changes[(*to + 1).min(MOST_COLUMNS) as usize] -= 1;
    }
    let mut depth = 0;
    let hidden_columns: Vec<bool> = changes
        .iter()
        .map(|change| {
            depth += change;
            depth > 0
        })
        .collect();
    let hidden_rows: HashSet<u32> = sheet.hidden_rows.iter().copied().collect();
    let is_hidden = |row: u32, column: u32| hidden_rows.contains(&row) || hidden_columns[column as usize];
    let mut cells = sheet.cells.iter().zip(ranges);
    if let Some((cell, range)) = cells.find(|(cell, _)| is_hidden(cell.row, cell.column)) {
        let what = if hidden_rows.contains(&cell.row) {
            format!("row {}", cell.row + 1)
        } else {
            format!("column {}", column_letters(cell.column + 1))
        };
        sink.push(note(
            Span::new(first.file, range.start, range.end),
            format!(
                "{what} of the worksheet {} (and perhaps others) is",
                shown(&sheet.name)
            ),
        ));
    }
}
