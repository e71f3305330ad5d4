//! Diagnostics as GitHub workflow commands, one line each, which annotate the lines of a pull request.

use super::visible;
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::Files;
use std::fmt::Write;

pub(super) fn render(diagnostics: &[&Diagnostic], files: &Files) -> String {
    let mut out = String::new();
    for found in diagnostics {
        out.push_str(match found.rule.severity {
            Severity::Error => "::error ",
            Severity::Warning => "::warning ",
            Severity::Note => "::notice ",
        });
        if let Some(span) = found.span {
            let place = files.place(span);
            let path = property(files.path(span.file));
            let _ = write!(out, "file={path},line={},", place.line);
            // GitHub takes columns only if the annotation stays on one line.
            if place.line == place.end_line {
                let _ = write!(
                    out,
                    "col={},endLine={},endColumn={},",
                    place.column, place.end_line, place.end_column
                );
            } else {
                let _ = write!(out, "endLine={},", place.end_line);
            }
        }
        let _ = write!(out, "title={}::", property(found.rule.code));
        // The lines of a workbook are not shown there, so the cell is named.
        if let Some(cell) = found.span.and_then(|span| files.cell(span)) {
            let _ = write!(out, "{}: ", data(&cell));
        }
        out.push_str(&data(&found.message));
        if let Some(help) = &found.help {
            let _ = write!(out, "%0Ahelp: {}", data(help));
        }
        out.push('\n');
    }
    out
}

/// Escapes the text after the second `::`.
fn data(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '%' => out.push_str("%25"),
            '\r' => out.push_str("%0D"),
            '\n' => out.push_str("%0A"),
            c => out.push(visible(c)),
        }
    }
    out
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ERROR, NOTE, WARNING};
    use super::*;
    use crate::source::Span;

    #[test]
    fn commands_are_escaped_and_stay_on_one_line() {
        let mut files = Files::default();
        let id = files.add("oob/a,b: 50%.csv", "é,x\r\"y\rz\"\r");
        let found = [
            Diagnostic::new(
                &ERROR,
                Span::new(id, 3, 4),
                "100% of: a, b\r\nnext\u{1b}::error::x",
            )
            .help("one\ntwo"),
            Diagnostic::new(&WARNING, Span::new(id, 5, 9), "two lines"),
            Diagnostic::new(&NOTE, None, "nowhere"),
        ];
        let out = render(&found.each_ref(), &files);
        assert_eq!(
            out.lines().collect::<Vec<_>>(),
            [
                "::error file=oob/a%2Cb%3A 50%25.csv,line=1,col=3,endLine=1,endColumn=4,title=unknown-leader\
                 ::100%25 of: a, b%0D%0Anext␛::error::x%0Ahelp: one%0Atwo",
                "::warning file=oob/a%2Cb%3A 50%25.csv,line=2,endLine=3,title=late-arrival::two lines",
                "::notice title=corrected::nowhere",
            ]
        );
        assert_eq!(render(&[], &files), "");
    }
}
