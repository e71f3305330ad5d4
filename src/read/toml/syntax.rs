//! Syntax errors: which of those that the parser found are causes, and where they stand.

use std::ops::Range;

use ::toml::de::DeTable;

use super::bracket::open_bracket;
use super::clamped;
use super::duplicate::PLACES_SOUGHT;
use super::rules::UNCLOSED_VALUE;
use crate::diagnostic::{Diagnostic, Sink};
use crate::read::{counted, shown};
use crate::source::{FileId, Files, Span};

/// The syntax errors of a document.
pub(super) struct Syntax<'s> {
    pub(super) files: &'s Files,
    pub(super) file: FileId,
    pub(super) text: &'s str,
    /// What the parser made of it all the same.
    pub(super) document: &'s DeTable<'s>,
}

impl Syntax<'_> {
    pub(super) fn report(&self, errors: &[::toml::de::Error], sink: &mut Sink) {
        let mut errors: Vec<(Range<usize>, &str)> = errors
            .iter()
            .map(|error| (clamped(self.text, error.span().unwrap_or(0..0)), error.message()))
            .collect();
        if let Some(other) = self.other_language() {
            sink.push(other);
            return;
        }
        if errors
            .iter()
            .any(|(_, message)| message.starts_with("recursion limit"))
        {
            sink.push(self.too_deep());
            return;
        }
        let line = |at: u32| self.files.line_of(self.file, at);
        let mut found: Vec<(u32, bool, Diagnostic)> = Vec::new();
        let together = self.strange_indents(&mut errors).into_iter();
        for diagnostic in together.chain(self.missing_headers(&mut errors)) {
            let start = diagnostic.span.map_or(0, |span| span.start);
            found.push((line(start), false, diagnostic));
        }
        // What is not closed makes nonsense of all that follows.
        let unclosed = |message: &str| {
            message.starts_with("unclosed array,") || message.starts_with("unclosed inline table")
        };
        if errors.iter().any(|(_, message)| unclosed(message))
            && let Some(opening) = open_bracket(self.text)
        {
            errors.retain(|(range, _)| range.start < opening);
            found.push((line(opening as u32), false, self.unclosed_bracket(opening)));
        }
        errors.sort_by_key(|(range, message)| {
            (
                line(range.start as u32),
                !is_unclosed_text(message, range),
                range.start,
                range.end,
            )
        });
        errors.dedup_by_key(|(range, _)| line(range.start as u32));
        let mut sought = 0;
        for (range, message) in errors {
            let start = range.start as u32;
            let is_unclosed = is_unclosed_text(message, &range);
            let is_duplicate =
                message.starts_with("duplicate key") || message.starts_with("cannot extend value");
            let diagnostic =
                if let Some(comma) = (!is_duplicate).then(|| self.missing_comma(range.start)).flatten() {
                    comma
                } else if is_duplicate {
                    sought += 1;
                    self.duplicate(range, message, sought <= PLACES_SOUGHT)
                } else if is_unclosed {
                    self.unclosed_text(range, message)
                } else {
                    self.other(range, message)
                };
            let start = diagnostic.span.map_or(start, |span| span.start);
            found.push((line(start), !is_unclosed, diagnostic));
        }
        // An unclosed text is reported where it opens, which may be the line of another error.
        found.sort_by_key(|(line, closed, _)| (*line, *closed));
        found.dedup_by_key(|(line, ..)| *line);
        for (_, _, diagnostic) in found {
            sink.push(diagnostic);
        }
    }

    pub(super) fn span(&self, range: Range<usize>) -> Span {
        let range = clamped(self.text, range);
        Span::new(self.file, range.start, range.end)
    }

    /// The line on which a byte lies, without its end.
    pub(super) fn line(&self, at: usize) -> Range<usize> {
        let start = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let end = self.text[at..]
            .find('\n')
            .map_or(self.text.len(), |length| at + length);
        let line = &self.text[start..end];
        start..end - (line.len() - line.trim_end_matches('\r').len())
    }

    pub(super) fn unclosed_bracket(&self, opening: usize) -> Diagnostic {
        let bracket = &self.text[opening..opening + 1];
        let (what, close) = if bracket == "[" {
            ("list", "]")
        } else {
            ("table", "}")
        };
        let key = self.key_before(opening);
        Diagnostic::new(
            &UNCLOSED_VALUE,
            self.span(opening..opening + 1),
            match key {
                Some(key) => format!("the {what} that is the value of {} is not closed", shown(key)),
                None => format!("a {what} is not closed"),
            },
        )
        .note("opened here")
        .help(format!("write `{close}` after its last element"))
    }

    /// The key whose value begins at a byte, if it stands on the same line.
    pub(super) fn key_before(&self, at: usize) -> Option<&str> {
        let line = self.line(at);
        let key = self.text[line.start..at].trim_end().strip_suffix('=')?.trim();
        (!key.is_empty()).then_some(key)
    }

    pub(super) fn unclosed_text(&self, range: Range<usize>, message: &str) -> Diagnostic {
        let quote = match (message.contains("multi-line"), message.contains("literal")) {
            (true, true) => "'''",
            (true, false) => "\"\"\"",
            (false, true) => "'",
            (false, false) => "\"",
        };
        let from = if quote.len() == 1 {
            self.line(range.start).start
        } else {
            0
        };
        let mut before = &self.text[from..range.start];
        let opening = loop {
            let Some(at) = before.rfind(quote) else {
                break range.start;
            };
            let escapes = before[..at]
                .bytes()
                .rev()
                .take_while(|byte| *byte == b'\\')
                .count();
            if quote != "\"" || escapes % 2 == 0 {
                break from + at;
            }
            before = &before[..at];
        };
        let lines = self.text[opening..range.start]
            .lines()
            .skip(1)
            .filter(|line| !line.trim().is_empty())
            .count();
        let first = self.text[opening..self.line(opening).end.max(opening)].trim_end();
        let swallows = if lines > 0 {
            format!(" and swallows {}", counted(lines, "more line", "more lines"))
        } else {
            String::new()
        };
        Diagnostic::new(
            &UNCLOSED_VALUE,
            self.span(opening..opening + quote.len()),
            format!("the quote that opens {} is not closed{swallows}", shown(first)),
        )
        .note("opened here")
        .help(if quote.len() == 1 {
            format!("write `{quote}` at the end of the text; a text of several lines stands between `\"\"\"`")
        } else {
            format!("write `{quote}` at the end of the text")
        })
    }
}

/// Whether the parser found the end of a line or of the file inside a text.
pub(super) fn is_unclosed_text(message: &str, range: &Range<usize>) -> bool {
    const OPEN: [&str; 4] = [
        "invalid basic string, expected `\"`",
        "invalid literal string, expected `'`",
        "invalid multi-line basic string, expected `\"`",
        "invalid multi-line literal string, expected `'`",
    ];
    range.is_empty() && OPEN.contains(&message)
}
