//! Diagnostics as one JSON array. The field names are a promise to other programs.

use crate::diagnostic::{Diagnostic, Fix};
use crate::source::{Files, Span};
use serde::Serialize;

/// A finding. Fields that need a place are null without one.
#[derive(Serialize)]
struct Entry<'a> {
    code: &'a str,
    severity: &'a str,
    message: &'a str,
    help: Option<&'a str>,
    #[serde(flatten)]
    at: Location<'a>,
    labels: Vec<Label<'a>>,
    /// The replacement that mends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<Replacement<'a>>,
    /// Further replacements, where one finding stands for many places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    further_fixes: Vec<Replacement<'a>>,
}

/// What to write where.
#[derive(Serialize)]
struct Replacement<'a> {
    #[serde(flatten)]
    at: Location<'a>,
    replacement: &'a str,
}

/// A further place of a finding.
#[derive(Serialize)]
struct Label<'a> {
    #[serde(flatten)]
    at: Location<'a>,
    message: &'a str,
}

/// Lines and columns are 1-based, columns count Unicode scalar values, the end is exclusive. In a workbook lines are rows,
/// columns are columns of cells, and the first cell is named.
#[derive(Serialize, Default)]
struct Location<'a> {
    file: Option<&'a str>,
    line: Option<u32>,
    column: Option<u32>,
    end_line: Option<u32>,
    end_column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<String>,
}

pub(super) fn render(diagnostics: &[&Diagnostic], files: &Files) -> String {
    let entries: Vec<Entry> = diagnostics
        .iter()
        .map(|found| Entry {
            code: found.rule.code,
            severity: found.rule.severity.name(),
            message: &found.message,
            help: found.help.as_deref(),
            at: found.span.map(|span| locate(files, span)).unwrap_or_default(),
            labels: found
                .labels
                .iter()
                .map(|label| Label {
                    at: locate(files, label.span),
                    message: &label.message,
                })
                .collect(),
            fix: found.fix.as_ref().map(|fix| replace(files, fix)),
            further_fixes: found
                .further_fixes
                .iter()
                .map(|fix| replace(files, fix))
                .collect(),
        })
        .collect();
    let json = serde_json::to_string_pretty(&entries).expect("strings and numbers serialise");
    json + "\n"
}

fn replace<'a>(files: &'a Files, fix: &'a Fix) -> Replacement<'a> {
    Replacement {
        at: locate(files, fix.span),
        replacement: &fix.replacement,
    }
}

fn locate(files: &Files, span: Span) -> Location<'_> {
    let place = files.place(span);
    Location {
        file: Some(files.path(span.file)),
        line: Some(place.line),
        column: Some(place.column),
        end_line: Some(place.end_line),
        end_column: Some(place.end_column),
        cell: files.cell(span),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ERROR, NOTE};
    use super::*;
    use serde_json::json;

    #[test]
    fn fields_and_their_order_are_stable() {
        let mut files = Files::default();
        let units = files.add("oob/units.csv", "\u{feff}id,leader\r\n1,Né\r\n");
        let leaders = files.add("oob/leaders.toml", "[ney]\n");
        let at = files.text(units).find('N').unwrap();
        let found = [
            Diagnostic::new(&ERROR, Span::new(units, at, at + 3), "no leader “Né”")
                .note("not in the JSON")
                .label(Span::new(leaders, 1, 4), "a similar one")
                .help("write “Ney”")
                .fix(Span::new(units, at, at + 3), "Ney"),
            Diagnostic::new(&NOTE, None, "a\u{1b}[31m b"),
        ];
        let out = render(&found.each_ref(), &files);
        let expected = json!([
            {
                "code": "unknown-leader", "severity": "error", "message": "no leader “Né”", "help": "write “Ney”",
                "file": "oob/units.csv", "line": 2, "column": 3, "end_line": 2, "end_column": 5,
                "labels": [{
                    "file": "oob/leaders.toml", "line": 1, "column": 2, "end_line": 1, "end_column": 5,
                    "message": "a similar one"
                }],
                "fix": {
                    "file": "oob/units.csv", "line": 2, "column": 3, "end_line": 2, "end_column": 5,
                    "replacement": "Ney"
                }
            },
            {
                "code": "corrected", "severity": "note", "message": "a\u{1b}[31m b", "help": null,
                "file": null, "line": null, "column": null, "end_line": null, "end_column": null, "labels": []
            }
        ]);
        assert_eq!(
            out,
            serde_json::to_string_pretty(&expected).unwrap() + "\n",
            "{out}"
        );
        assert!(!out.contains('\u{1b}'));
        assert_eq!(render(&[], &files), "[]\n");
    }
}
