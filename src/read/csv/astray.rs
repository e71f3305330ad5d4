//! Separators and quotes that are not those of the file.

use std::ops::Range;

use super::DELIMITERS;
use super::header::Names;
use super::rules::{FOREIGN_QUOTES, ROW_OF_ANOTHER_SEPARATOR, SEPARATOR_LINE};
use super::source::Source;
use super::walk::Walk;
use crate::diagnostic::{Diagnostic, Fix, Sink};
use crate::read::{counted, shown};
use crate::source::Span;

/// A separator as messages show it.
fn named(delimiter: u8) -> String {
    match delimiter {
        b'\t' => "a tab".to_owned(),
        other => format!("`{}`", char::from(other)),
    }
}

impl<'t> Source<'t> {
    /// Whether the separator that the first line names is that of the header; says so where it is not. The line begins
    /// at a byte.
    pub(super) fn separates(&self, delimiter: u8, line: usize, names: &Names<'_>, sink: &mut Sink) -> bool {
        if names.is_free() {
            return true;
        }
        let score = |delimiter: u8| {
            self.guess(delimiter, names)
                .map_or((0, 0), |guess| (guess.score, guess.cells))
        };
        let (own, cells) = score(delimiter);
        let others = DELIMITERS.into_iter().filter(|other| *other != delimiter);
        let Some(other) = others
            .filter(|other| score(*other).0 > 1)
            .max_by_key(|other| score(*other).0)
            .filter(|_| own == 0 && cells < 2)
        else {
            return true;
        };
        sink.push(
            Diagnostic::new(
                &SEPARATOR_LINE,
                self.span(line..self.start),
                format!(
                    "the line {} names {}, but the cells are separated by {}",
                    shown(&self.text[line..self.start]),
                    named(delimiter),
                    named(other)
                ),
            )
            .note("not the separator of this file")
            .help("remove the line: the separator is found without it"),
        );
        false
    }

    /// Reports a row that is separated by another character than the header, and gives its cells.
    pub(super) fn report_other_separator(
        &self,
        walk: &Walk<'_>,
        other: u8,
        header: Span,
        sink: &mut Sink,
    ) -> Walk<'t> {
        let (start, end) = walk.extent();
        let span = self.span(start..end);
        let found = Diagnostic::new(
            &ROW_OF_ANOTHER_SEPARATOR,
            span,
            format!(
                "this row of {} is separated by {}, but the header by {}",
                shown(self.path),
                named(other),
                named(walk.delimiter)
            ),
        )
        .note(format!("read as if separated by {}", named(other)))
        .label(header, "the header");
        let row = &self.text[start..end];
        sink.push(if row.contains(['"', char::from(walk.delimiter)]) {
            found.help("separate all rows by the same character")
        } else {
            found
                .help("separate all rows by the same character; `--fix` does it")
                .fix(
                    span,
                    row.replace(char::from(other), &char::from(walk.delimiter).to_string()),
                )
        });
        let mut apart = Walk::new(self.text, start, end, other);
        apart.advance();
        apart
    }
}

/// The separator of a row that is not that of the header: all stands in one cell, which another separator divides into
/// as many as the header has.
pub(super) fn other_separator(walk: &Walk<'_>, width: usize) -> Option<u8> {
    let [cell] = walk.cells.as_slice() else {
        return None;
    };
    if width < 2 || cell.quoted || cell.fault.is_some() {
        return None;
    }
    let text = cell.text(walk);
    DELIMITERS.into_iter().find(|other| {
        *other != walk.delimiter && text.bytes().filter(|byte| byte == other).count() + 1 == width
    })
}

/// Cells between quotes that CSV does not know.
#[derive(Default)]
pub(super) struct Quoted {
    cells: Vec<Range<usize>>,
}

impl Quoted {
    /// Looks at the cells of a row.
    pub(super) fn look(&mut self, walk: &Walk<'_>) {
        for cell in &walk.cells {
            if !cell.quoted && cell.fault.is_none() && inner(&walk.text[cell.content.clone()]).is_some() {
                self.cells.push(cell.content.clone());
            }
        }
    }

    /// Reports them: once a file.
    pub(super) fn report(self, source: &Source<'_>, sink: &mut Sink) {
        let Some(first) = self.cells.first().cloned() else {
            return;
        };
        let count = self.cells.len();
        let text = &source.text[first.clone()];
        let mut found = Diagnostic::new(
            &FOREIGN_QUOTES,
            source.span(first),
            format!(
                "{} of {} {} in quotes that belong to the text: {}",
                counted(count, "cell", "cells"),
                shown(source.path),
                if count == 1 { "stands" } else { "stand" },
                shown(text)
            ),
        )
        .note(if count == 1 { "this cell" } else { "the first of them" })
        .help("only `\"` quotes a cell: remove the quotes, as `--fix` does, or write them as `\"` if the text is a quotation");
        let mut fixes = self.cells.into_iter().filter_map(|cell| {
            let replacement = inner(&source.text[cell.clone()])?.to_owned();
            let span = source.span(cell);
            Some(Fix::value(span, replacement))
        });
        found.fix = fixes.next();
        found.further_fixes = fixes.collect();
        sink.push(found);
    }
}

/// What stands between apostrophes or curly quotes that enclose a whole text.
fn inner(text: &str) -> Option<&str> {
    let pairs = [('\'', '\''), ('‘', '’'), ('“', '”'), ('„', '“'), ('«', '»')];
    pairs.into_iter().find_map(|(open, close)| {
        let inner = text.strip_prefix(open)?.strip_suffix(close)?;
        (!inner.is_empty() && !inner.contains([open, close])).then_some(inner)
    })
}
