//! Syntax errors: which of those that the parser found are causes, and where they stand.

use std::ops::Range;

use ::toml::de::DeTable;

use super::bracket::open_bracket;
use super::duplicate::PLACES_SOUGHT;
use super::rules::UNCLOSED_VALUE;
use super::{Wanted, clamped};
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
    /// What the document's kind wants as the value of a key.
    pub(super) wanted: &'s dyn Fn(&str) -> Option<Wanted>,
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
            // A text in it that a curly quote ends swallows the bracket.
            let rest = &self.text[opening..self.line(opening).end];
            let quote = rest.rfind('"').filter(|_| rest.matches('"').count() % 2 == 1);
            let curly = quote.and_then(|at| self.curly_close(opening + at, "\""));
            let unclosed = curly.unwrap_or_else(|| self.unclosed_bracket(opening));
            found.push((line(opening as u32), false, unclosed));
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

    /// A text that begins with a straight quote and ends with a curly one, as word processors make them: the last of its
    /// line that no curly quote within the text opens.
    fn curly_close(&self, opening: usize, quote: &str) -> Option<Diagnostic> {
        let (open, close) = match quote {
            "\"" => ('“', '”'),
            "'" => ('‘', '’'),
            _ => return None,
        };
        let end = self.line(opening).end;
        let text = self.text.get(opening + quote.len()..end)?;
        let at = text.rfind(close)?;
        let behind = text[at + close.len_utf8()..].trim_start_matches([' ', '\t', ',', ']', '}']);
        let inside = &text[..at];
        let is_last = behind.is_empty() || behind.starts_with('#');
        if !is_last || inside.matches(open).count() > inside.matches(close).count() {
            return None;
        }
        let span = self.span(opening..opening + quote.len() + at + close.len_utf8());
        let meant = format!("{quote}{inside}{quote}");
        let found = Diagnostic::new(
            &UNCLOSED_VALUE,
            span,
            format!(
                "the text begins with `{quote}` but ends with the curly quote `{close}`, which closes nothing"
            ),
        )
        .note("opened by a straight quote");
        // A replacement is written with double quotes, and then a backslash would mean something else.
        Some(if quote == "\"" {
            found
                .help(format!(
                    "write {}, with a straight quote in its place; `--fix` does it",
                    shown(&meant)
                ))
                .fix(span, meant)
        } else {
            found.help(format!(
                "write {}, with a straight quote in its place",
                shown(&meant)
            ))
        })
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
        if let Some(found) = self.curly_close(opening, quote) {
            return found;
        }
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
