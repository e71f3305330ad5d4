//! Diagnostics to people and machines. The only module that knows miette.
//!
//! One renderer per format, all pure: the same findings over the same files give the same text. Whoever calls decides
//! which stream the text goes to, and passes the findings sorted ([`crate::diagnostic::Sink::sorted`]).

mod github;
mod json;
mod sarif;
mod text;

use crate::diagnostic::{Diagnostic, Severity};
use crate::source::Files;

/// How diagnostics are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Format {
    /// Excerpts with the places marked, for people
    #[default]
    Text,
    /// One array of objects
    Json,
    /// A SARIF 2.1.0 log, for code scanning services
    Sarif,
    /// GitHub workflow commands, which annotate a pull request
    Github,
}

/// How findings are laid out. The machine formats look at [`Style::max`] alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Whether to use ANSI colours.
    pub color: bool,
    /// Columns to fill.
    pub width: usize,
    /// Most findings to show; the others are only counted. Errors go before warnings, warnings before notes.
    pub max: Option<usize>,
}

/// Writes all findings, ending with a line feed (nothing at all for [`Format::Github`] without findings).
pub fn render(diagnostics: &[Diagnostic], files: &Files, format: Format, style: &Style) -> String {
    let (shown, hidden) = choose(diagnostics, style.max);
    match format {
        Format::Text => text::render(&shown, &hidden, files, style),
        Format::Json => json::render(&shown, files),
        Format::Sarif => sarif::render(&shown, files),
        Format::Github => github::render(&shown, files),
    }
}

/// Parts the findings into at most `max` to show, the worst first in choosing but not in order, and the others.
fn choose(diagnostics: &[Diagnostic], max: Option<usize>) -> (Vec<&Diagnostic>, Vec<&Diagnostic>) {
    let mut chosen: Vec<usize> = (0..diagnostics.len()).collect();
    chosen.sort_by_key(|index| diagnostics[*index].rule.severity);
    let mut hidden = chosen.split_off(max.unwrap_or(usize::MAX).min(chosen.len()));
    chosen.sort_unstable();
    hidden.sort_unstable();
    let resolve = |indices: Vec<usize>| indices.iter().map(|at| &diagnostics[*at]).collect();
    (resolve(chosen), resolve(hidden))
}

/// Counts the findings: “3 errors, 1 warning”, or “no errors” if there is nothing to count.
pub fn summary(diagnostics: &[Diagnostic]) -> String {
    tally(diagnostics.iter())
}

fn tally<'a>(diagnostics: impl Iterator<Item = &'a Diagnostic> + Clone) -> String {
    let counts: Vec<String> = [Severity::Error, Severity::Warning, Severity::Note]
        .into_iter()
        .filter_map(|severity| {
            let count = diagnostics
                .clone()
                .filter(|found| found.rule.severity == severity)
                .count();
            let plural = if count == 1 { "" } else { "s" };
            (count > 0).then(|| format!("{count} {}{plural}", severity.name()))
        })
        .collect();
    if counts.is_empty() {
        "no errors".into()
    } else {
        counts.join(", ")
    }
}

/// The character as it may be sent to a terminal: data must not move the cursor, ring bells or reorder the line.
fn visible(c: char) -> char {
    match c {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        // Other controls, bidirectional controls, line and paragraph separators: they have no picture.
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Rule;
    use clap::ValueEnum;

    pub(super) static ERROR: Rule = Rule {
        code: "unknown-leader",
        severity: Severity::Error,
        summary: "a formation names a leader that no file defines",
        explanation: "Every leader must be defined **once**.",
    };
    pub(super) static WARNING: Rule = Rule {
        code: "late-arrival",
        severity: Severity::Warning,
        summary: "a unit arrives after the last turn",
        explanation: "It can never enter play.",
    };
    pub(super) static NOTE: Rule = Rule {
        code: "corrected",
        severity: Severity::Note,
        summary: "an erratum changed a value",
        explanation: "Nothing to do.",
    };

    #[test]
    fn the_summary_counts_what_there_is() {
        let found = |rule| Diagnostic::new(rule, None, "x");
        assert_eq!(summary(&[]), "no errors");
        assert_eq!(summary(&[found(&WARNING)]), "1 warning");
        let mut many: Vec<_> = (0..1234).map(|_| found(&ERROR)).collect();
        many.extend([found(&NOTE), found(&WARNING)]);
        assert_eq!(summary(&many), "1234 errors, 1 warning, 1 note");
    }

    #[test]
    fn formats_have_their_names_of_the_command_line() {
        for (name, format) in [
            ("text", Format::Text),
            ("json", Format::Json),
            ("sarif", Format::Sarif),
            ("github", Format::Github),
        ] {
            assert_eq!(Format::from_str(name, false), Ok(format));
        }
    }

    #[test]
    fn every_format_renders_no_findings_and_findings_without_a_place() {
        let style = Style {
            color: true,
            width: 0,
            max: None,
        };
        let placeless = [Diagnostic::new(&ERROR, None, "no game found").help("add one")];
        for format in Format::value_variants() {
            render(&[], &Files::default(), *format, &style);
            let out = render(&placeless, &Files::default(), *format, &style);
            assert!(out.contains("no game found") && out.ends_with('\n'), "{out}");
        }
    }
}
