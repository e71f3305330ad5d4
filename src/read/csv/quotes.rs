//! Quotes that do not close or stand where they mean nothing.

use super::rules::{STRAY_QUOTE, UNCLOSED_QUOTE};
use super::source::Source;
use super::walk::{Cell, Fault};
use crate::diagnostic::{Diagnostic, Sink};
use crate::read::{counted, shown};
use crate::source::Span;

/// What quotes did to a row.
pub(super) struct Faults {
    pub(super) any: bool,
    pub(super) unclosed: bool,
}

impl Source<'_> {
    /// Reports the first quote of a row that is wrong, and the one that swallows other rows.
    pub(super) fn report_faults(&self, cells: &[Cell], sink: &mut Sink) -> Faults {
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

    pub(super) fn unclosed(&self, cell: &Cell, closed_by: Option<usize>, span: Span) -> Diagnostic {
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
        // `"` alone between separators is rather a mark for “the same as above”.
        let rest = first.strip_prefix('"').unwrap_or(first);
        let is_ditto = rest.is_empty() || rest.starts_with([',', ';', '\t', '|']);
        let found = Diagnostic::new(&UNCLOSED_QUOTE, span, headline)
            .note("opened here")
            .help(if is_ditto {
                "if it is a ditto mark, write the value that it stands for; else close the quote at the end of its cell. \
                The rest of the file is not read"
            } else {
                "close the quote at the end of its cell; a quote that belongs to the text is doubled: `\"\"`. \
                The rest of the file is not read"
            });
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
pub(super) fn suggested(cell: &str) -> String {
    if cell.chars().count() > 60 || cell.contains(char::is_control) {
        "`\"…\"\"…\"\"…\"`".into()
    } else {
        format!("`{cell}`")
    }
}

/// A cell with text after its closing quote, as it was probably meant.
pub(super) fn requoted(raw: &str) -> String {
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
