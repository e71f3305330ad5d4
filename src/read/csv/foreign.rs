//! Rows among the records that are none: headings, totals, units of measure, remarks, and what is empty.
//!
//! Printed tables have them and programs that only look at columns read them as damaged records. Each kind is told once
//! a file and is not read; everything else in the file still is.

use std::ops::Range;

use super::layout::Layout;
use super::rules::{
    COMMENT_ROW, EMPTY_EDGE, HEADING_ROW, ROW_IN_QUOTES, RULED_ROW, TEXT_BELOW_TABLE, TOTALS_ROW, UNITS_ROW,
};
use super::source::Source;
use super::walk::Walk;
use crate::diagnostic::{Diagnostic, Fix, Label, Rule, Sink};
use crate::read::{counted, shown};
use crate::record::is_id;

/// At most so many further places are shown of rows of one kind.
const SHOWN_PLACES: usize = 8;

/// What was met so far that is no record.
#[derive(Default)]
pub(super) struct Foreign {
    /// Rows with one cell since the last record: headings if another follows, remarks below the table if none does.
    pending: Vec<Range<usize>>,
    headings: Vec<Range<usize>>,
    totals: Vec<Range<usize>>,
    /// Rows of lines, as below the header of a Markdown table.
    ruled: Vec<Range<usize>>,
    /// Rows that begin with `#`.
    comments: Vec<Range<usize>>,
    /// Records that stand in quotes as a whole, with what is between these.
    quoted: Vec<(Range<usize>, String)>,
    /// Rows of nothing but separators since the last record.
    blank: usize,
    first_blank: Option<Range<usize>>,
    records: usize,
}

impl Foreign {
    /// Takes notice of a row without values.
    pub(super) fn blank(&mut self, walk: &Walk<'_>) {
        if walk.cells.len() > 1 {
            let (start, end) = walk.extent();
            self.blank += 1;
            self.first_blank.get_or_insert(start..end);
        }
    }

    /// Whether a row is no record; those that are not are remembered or reported.
    pub(super) fn takes(
        &mut self,
        source: &Source<'_>,
        walk: &Walk<'_>,
        width: usize,
        has_ids: bool,
        sink: &mut Sink,
    ) -> bool {
        let (start, end) = walk.extent();
        let filled: Vec<(usize, &str)> = walk
            .cells
            .iter()
            .enumerate()
            .map(|(index, cell)| (index, cell.text(walk).trim()))
            .filter(|(_, text)| !text.is_empty())
            .collect();
        let Some((column, first)) = filled.first().copied() else {
            return false;
        };
        if is_rule(&filled) {
            self.ruled.push(start..end);
            return true;
        }
        if column == 0 && is_comment(first) {
            self.comments.push(start..end);
            return true;
        }
        if self.records == 0 && filled.iter().all(|(_, text)| is_unit_of_measure(text)) {
            sink.push(
                Diagnostic::new(
                    &UNITS_ROW,
                    source.span(start..end),
                    format!(
                        "a row of units of measure stands below the header of {}",
                        shown(source.path)
                    ),
                )
                .note("not read as a record")
                .help("remove it; a unit of measure belongs in the column's description"),
            );
            return true;
        }
        if is_total(first) && filled[1..].iter().all(|(_, text)| is_amount(text)) {
            self.totals.push(start..end);
            return true;
        }
        if let Some(record) = in_quotes(source, walk, width).filter(|_| filled.len() == 1) {
            self.quoted.push((start..end, record));
            return true;
        }
        // In a table of two columns a record may lack its other value, but no id has blanks.
        let is_wide = width > 2 || (width == 2 && has_ids && first.contains(' '));
        let alone = filled.len() == 1 && column == 0 && is_wide && !is_id(first);
        // A remark with a day or a name beside it: an id has no blanks, and a record has more cells.
        let is_note = has_ids && column == 0 && width > 3 && filled.len() == 2 && first.contains(' ');
        if alone || is_note || begins_remark(first, filled.len()) {
            self.pending.push(start..end);
            return true;
        }
        false
    }

    /// Takes notice of a record: what was met before it stands among the records.
    pub(super) fn record(&mut self) {
        self.records += 1;
        self.headings.append(&mut self.pending);
        self.blank = 0;
        self.first_blank = None;
    }

    /// Reports what was met.
    pub(super) fn report(mut self, source: &Source<'_>, layout: &Layout, sink: &mut Sink) {
        if self.records == 0 {
            self.headings.append(&mut self.pending);
        }
        self.report_quoted(source, sink);
        let path = shown(source.path);
        let row = |count: usize| counted(count, "row", "rows");
        let verb = |count: usize| if count == 1 { "is" } else { "are" };
        let (headings, totals, below) = (self.headings.len(), self.totals.len(), self.pending.len());
        many(
            &HEADING_ROW,
            &self.headings,
            format!(
                "{} among the records of {path} {} one cell only and {} taken for {}",
                row(headings),
                if headings == 1 { "holds" } else { "hold" },
                verb(headings),
                if headings == 1 { "a heading" } else { "headings" }
            ),
            "a heading?",
            if headings == 1 {
                "remove it: what a heading says belongs in a column of each record below it"
            } else {
                "remove them: what a heading says belongs in a column of each record below it"
            },
            source,
            sink,
        );
        let (ruled, comments) = (self.ruled.len(), self.comments.len());
        many(
            &RULED_ROW,
            &self.ruled,
            format!("{} of lines in {path} {} not read", row(ruled), verb(ruled)),
            "lines, and no values",
            "remove it: the table is read without",
            source,
            sink,
        );
        let for_orbat = self
            .comments
            .iter()
            .any(|range| source.text[range.clone()].to_lowercase().contains("orbat"));
        many(
            &COMMENT_ROW,
            &self.comments,
            format!(
                "{} of {path} {} with `#` and {} not read",
                row(comments),
                if comments == 1 { "begins" } else { "begin" },
                verb(comments)
            ),
            "a remark?",
            if for_orbat {
                "a table has no comments: what is to be allowed in it stands in `[[lints]]` of `game.toml`, with `at` or `of`"
            } else {
                "remove it: a table has no comments; remarks belong in a `note` column"
            },
            source,
            sink,
        );
        many(
            &TOTALS_ROW,
            &self.totals,
            format!("{} of totals in {path} {} not read", row(totals), verb(totals)),
            "a total?",
            if totals == 1 {
                "remove it: totals are calculated, or stand in a table of their own"
            } else {
                "remove them: totals are calculated, or stand in a table of their own"
            },
            source,
            sink,
        );
        many(
            &TEXT_BELOW_TABLE,
            &self.pending,
            format!(
                "{} below the records of {path} {} not read",
                row(below),
                verb(below)
            ),
            "a remark?",
            "remove what stands below the table; remarks belong in a `note` column",
            source,
            sink,
        );
        self.report_empty(source, layout, sink);
    }

    fn report_quoted(&mut self, source: &Source<'_>, sink: &mut Sink) {
        let quoted = std::mem::take(&mut self.quoted);
        let rows = counted(quoted.len(), "row", "rows");
        let (stand, each) = match quoted.len() {
            1 => ("stands", "remove the quotes around it; `--fix` does it"),
            _ => ("stand", "remove the quotes around each; `--fix` does it"),
        };
        let mut places = quoted
            .into_iter()
            .map(|(row, record)| Fix::text(source.span(row), record));
        let Some(first) = places.next() else {
            return;
        };
        let mut found = Diagnostic::new(
            &ROW_IN_QUOTES,
            first.span,
            format!(
                "{rows} of {} {stand} in quotes as a whole, which makes one cell of each",
                shown(source.path)
            ),
        )
        .note("one cell")
        .help(each);
        found.fix = Some(first);
        found.further_fixes = places.collect();
        for place in found.further_fixes.iter().take(SHOWN_PLACES) {
            found.labels.push(Label {
                span: place.span,
                message: "and here".into(),
            });
        }
        sink.push(found);
    }

    fn report_empty(&self, source: &Source<'_>, layout: &Layout, sink: &mut Sink) {
        let columns = layout.empty_at_end();
        let rows = (self.blank > 0).then(|| counted(self.blank, "empty row", "empty rows"));
        let at_end = columns
            .as_ref()
            .map(|(count, _)| counted(*count, "empty column", "empty columns"));
        let what: Vec<String> = rows.into_iter().chain(at_end).collect();
        let Some(place) = self
            .first_blank
            .clone()
            .filter(|_| self.blank > 0)
            .or(columns.map(|(_, place)| place))
        else {
            return;
        };
        let single = what.len() == 1 && what[0].starts_with("1 ");
        sink.push(
            Diagnostic::new(
                &EMPTY_EDGE,
                source.span(place),
                format!(
                    "{} at the edge of {} {} ignored",
                    what.join(" and "),
                    shown(source.path),
                    if single { "is" } else { "are" }
                ),
            )
            .note("nothing but separators")
            .help("nothing has to be done; in a spreadsheet, delete the rows and columns beyond the table"),
        );
    }
}

/// Reports rows of one kind: the first, with the next as further places.
fn many(
    rule: &'static Rule,
    rows: &[Range<usize>],
    message: String,
    note: &str,
    help: &str,
    source: &Source<'_>,
    sink: &mut Sink,
) {
    let Some((first, others)) = rows.split_first() else {
        return;
    };
    let mut found = Diagnostic::new(rule, source.span(first.clone()), message)
        .note(note)
        .help(help);
    for other in others.iter().take(SHOWN_PLACES) {
        found = found.label(source.span(other.clone()), "and this one");
    }
    sink.push(found);
}

/// The record that a row's first cell holds in quotes, if it has as many cells as the table has columns. A cell of a
/// worksheet is one, whatever it holds.
fn in_quotes(source: &Source<'_>, walk: &Walk<'_>, width: usize) -> Option<String> {
    let cell = walk.cells.first().filter(|cell| cell.quoted && width > 1)?;
    let text = cell.text(walk);
    let cells = text.split(char::from(walk.delimiter)).count();
    (cells == width && !source.is_worksheet).then(|| text.trim().to_owned())
}

/// Whether a row is one of lines: `---` in every cell, perhaps with the colons of Markdown.
fn is_rule(filled: &[(usize, &str)]) -> bool {
    let is_line = |text: &str| {
        let bare = text.trim_matches(':');
        bare.len() >= 3 && (bare.bytes().all(|byte| byte == b'-') || bare.bytes().all(|byte| byte == b'='))
    };
    filled.iter().all(|(_, text)| is_line(text))
}

/// Whether a row begins like a comment, and not with an error of a spreadsheet or a number.
fn is_comment(first: &str) -> bool {
    first.strip_prefix('#').is_some_and(|rest| {
        let errors = [
            "REF!", "N/A", "VALUE!", "NAME?", "DIV/0!", "NUM!", "NULL!", "SPILL!", "CALC!",
        ];
        let is_error = errors.iter().any(|error| rest.starts_with(error));
        !is_error
            && !rest.is_empty()
            && !rest.starts_with('#')
            && !rest.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Whether a text begins like the head of a row of totals.
fn is_total(text: &str) -> bool {
    let lower = text.to_lowercase();
    let bare = lower
        .trim_start_matches("grand ")
        .trim_start_matches("sub")
        .trim_start_matches('-');
    ["totals", "total", "sum", "sums", "summe", "gesamt"]
        .iter()
        .any(|word| {
            bare.strip_prefix(word)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ':', ',', '(']))
        })
}

/// Whether a text is what stands in a row of totals beside its head.
fn is_amount(text: &str) -> bool {
    text.starts_with('=') || text.chars().all(|c| c.is_ascii_digit() || ",. -'%()".contains(c))
}

/// Whether a row begins like a remark below a table. A comma in it may have made several cells of it.
fn begins_remark(first: &str, cells: usize) -> bool {
    if first.starts_with(['*', '†', '‡', '§', '¹', '²', '³']) {
        return true;
    }
    let word = first.split(':').next().unwrap_or("");
    let known = [
        "note", "notes", "source", "sources", "remark", "remarks", "key", "legend", "n.b.",
    ];
    let is_word = known.contains(&word.trim().to_lowercase().as_str());
    is_word && (first.contains(':') || cells == 1 && !is_id(first))
}

/// Whether a text is a unit of measure or the name of a type.
fn is_unit_of_measure(text: &str) -> bool {
    const UNITS: [&str; 44] = [
        "men",
        "guns",
        "yards",
        "yds",
        "yd",
        "km",
        "miles",
        "mi",
        "feet",
        "ft",
        "metres",
        "meters",
        "m",
        "kg",
        "lb",
        "lbs",
        "pounds",
        "tons",
        "hours",
        "hrs",
        "h",
        "min",
        "minutes",
        "turns",
        "hexes",
        "sp",
        "strength points",
        "points",
        "pts",
        "%",
        "no.",
        "#",
        "number",
        "text",
        "string",
        "integer",
        "date",
        "hh:mm",
        "hhmm",
        "bases",
        "stands",
        "steps",
        "boxes",
        "inches",
    ];
    let bracketed =
        (text.starts_with('(') && text.ends_with(')')) || (text.starts_with('[') && text.ends_with(']'));
    let has_digit = text.contains(|c: char| c.is_ascii_digit());
    (bracketed && !has_digit) || UNITS.contains(&text.to_lowercase().trim_end_matches('.'))
}
