//! TOML documents to trees with places, and nested orders of battle to records.
//!
//! The toml crate's recovering parser finds all syntax errors of a file; here they are put into words that an author
//! of data can act on, and errors that only follow from another one are left out.

mod bracket;
mod duplicate;
mod foreign;
mod hidden;
mod lift;
mod line;
mod node;
mod rules;
mod syntax;
mod value;

use std::borrow::Cow;
use std::ops::Range;

use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue};

use crate::diagnostic::{Diagnostic, Sink};
use crate::source::{FileId, Files, Span};

use super::{counted, shown};
use rules::{LONE_CARRIAGE_RETURN, UNQUOTED_TEXT, UNUSABLE_NUMBER};
use syntax::Syntax;

pub use hidden::hidden;
pub use lift::records;
pub use node::{Entry, Node, NodeValue};
pub use rules::RULES;

/// What a document's kind wants as the value of a key, for advice on values that are none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// A whole number.
    Whole,
    /// Any number.
    Number,
    /// Text.
    Text,
    /// A text that is a day and a time.
    Moment,
    /// True or false.
    Boolean,
    /// One table.
    Table,
    /// Several values or tables.
    List,
}

/// Parses a TOML document of which nothing is known.
pub fn parse(files: &Files, file: FileId, sink: &mut Sink) -> Option<Node> {
    parse_as(files, file, &|_| None, sink)
}

/// Parses a TOML document; `wanted` says what its kind wants as the value of a key. Errors are reported, at most one a
/// line and only such as do not follow from another; any makes the result `None`.
pub fn parse_as(
    files: &Files,
    file: FileId,
    wanted: &dyn Fn(&str) -> Option<Wanted>,
    sink: &mut Sink,
) -> Option<Node> {
    if files.text(file).contains('\0') {
        // The parser would stumble over each; no text holds any.
        super::csv::report_nul(files.path(file), file, files.text(file), 0, sink);
        return None;
    }
    let text = with_line_feeds(files.text(file));
    if let Cow::Owned(_) = &text {
        tell_carriage_returns(files, file, sink);
    }
    let (document, errors) = DeTable::parse_recoverable(&text);
    if !errors.is_empty() {
        let syntax = Syntax {
            files,
            file,
            text: &text,
            document: document.get_ref(),
            wanted,
        };
        syntax.report(&errors, sink);
        return None;
    }
    let mut builder = Builder {
        file,
        text: &text,
        wanted,
        sink,
        failed: false,
    };
    let root = Node {
        value: builder.table(document.get_ref()),
        span: Span::file_start(file),
    };
    (!builder.failed).then_some(root)
}

/// The text with LF for a CR that stands alone, which TOML does not know as the end of a line. Offsets stay the same.
fn with_line_feeds(text: &str) -> Cow<'_, str> {
    let mut bytes = text.bytes().peekable();
    let mut lone = false;
    while let Some(byte) = bytes.next() {
        lone |= byte == b'\r' && bytes.peek() != Some(&b'\n');
    }
    if !lone {
        return text.into();
    }
    let mut chars = text.chars().peekable();
    let mut fed = String::with_capacity(text.len());
    while let Some(c) = chars.next() {
        let alone = c == '\r' && chars.peek() != Some(&'\n');
        fed.push(if alone { '\n' } else { c });
    }
    fed.into()
}

/// Reports that lines end with CR alone: once, at the first.
fn tell_carriage_returns(files: &Files, file: FileId, sink: &mut Sink) {
    let text = files.text(file);
    let bytes = text.as_bytes();
    let is_lone = |at: usize| bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
    let mut lone = (0..bytes.len()).filter(|at| is_lone(*at));
    let Some(first) = lone.next() else {
        return;
    };
    let lines = match lone.count() {
        0 => "a line".to_owned(),
        more => counted(more + 1, "line", "lines"),
    };
    let ends = if lines == "a line" { "ends" } else { "end" };
    sink.push(
        Diagnostic::new(
            &LONE_CARRIAGE_RETURN,
            Span::new(file, first, first + 1),
            format!(
                "{lines} of {} {ends} with CR alone, which TOML does not know",
                shown(files.path(file))
            ),
        )
        .note("the first CR")
        .help("it is read all the same; save the file with LF (or CRLF), because other programs refuse it"),
    );
}

/// A span of `text` that is inside it and on character boundaries.
fn clamped(text: &str, range: Range<usize>) -> Range<usize> {
    let mut start = range.start.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = range.end.clamp(start, text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

/// Makes the tree of a document without syntax errors.
struct Builder<'b> {
    file: FileId,
    text: &'b str,
    wanted: &'b dyn Fn(&str) -> Option<Wanted>,
    sink: &'b mut Sink,
    failed: bool,
}

impl Builder<'_> {
    fn span(&self, range: Range<usize>) -> Span {
        let range = clamped(self.text, range);
        Span::new(self.file, range.start, range.end)
    }

    fn table(&mut self, table: &DeTable<'_>) -> NodeValue {
        let mut entries: Vec<Entry> = table
            .iter()
            .map(|(key, value)| {
                let entry = Entry {
                    key: key.get_ref().to_string(),
                    key_span: self.span(key.span()),
                    value: self.node(value, key.get_ref()),
                };
                self.refuse_date(&entry);
                entry
            })
            .collect();
        // A table that is continued under a later header has moved to the end.
        entries.sort_by_key(|entry| entry.key_span.start);
        NodeValue::Table(entries)
    }

    /// Reports a date where a name is wanted: without quotes it is no text.
    fn refuse_date(&mut self, entry: &Entry) {
        let (NodeValue::Date(text), "name" | "abbr" | "title") = (&entry.value.value, entry.key.as_str())
        else {
            return;
        };
        self.failed = true;
        self.sink.push(
            Diagnostic::new(
                &UNQUOTED_TEXT,
                entry.value.span,
                format!("`{}` is a text, but {} is a date", entry.key, shown(text)),
            )
            .note("without quotes")
            .help(format!(
                "write it in quotes if it is the text that is meant: {}",
                quoted(text)
            )),
        );
    }

    fn node(&mut self, value: &Spanned<DeValue<'_>>, key: &str) -> Node {
        let range = clamped(self.text, value.span());
        let span = self.span(range.clone());
        let raw = &self.text[range];
        let value = match value.get_ref() {
            // The end of a line is one character, however the file's program writes it.
            DeValue::String(text) if text.contains("\r\n") => NodeValue::Text(text.replace("\r\n", "\n")),
            DeValue::String(text) => NodeValue::Text(text.to_string()),
            DeValue::Boolean(yes) => NodeValue::Boolean(*yes),
            DeValue::Datetime(_) => NodeValue::Date(raw.to_owned()),
            DeValue::Array(items) => NodeValue::List(items.iter().map(|item| self.node(item, key)).collect()),
            DeValue::Table(table) => self.table(table),
            DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => NodeValue::Integer(number),
                Err(_) => self.unusable(raw, span, key),
            },
            DeValue::Float(number) => match number.as_str().parse::<f64>() {
                Ok(number) if number.is_finite() => NodeValue::Number(number),
                _ => self.unusable(raw, span, key),
            },
        };
        Node { value, span }
    }

    /// Reports a number that cannot be held.
    fn unusable(&mut self, raw: &str, span: Span, key: &str) -> NodeValue {
        self.failed = true;
        let digits = raw.contains(|c: char| c.is_ascii_digit()) && raw.len() > 2;
        let (message, help) = if digits {
            (
                format!("the number {} is too large", shown(raw)),
                match (self.wanted)(key) {
                    Some(Wanted::Whole | Wanted::Number) => "write a smaller number".to_owned(),
                    _ => format!(
                        "if it is a name or an id, write it as text in quotes: {}",
                        quoted(raw)
                    ),
                },
            )
        } else {
            (
                format!("{} is not a number", shown(raw)),
                "write a number, or remove the key if the value is not known".into(),
            )
        };
        self.sink
            .push(Diagnostic::new(&UNUSABLE_NUMBER, span, message).help(help));
        NodeValue::Integer(0)
    }
}

/// A text in quotes that TOML reads back as it is, for advice.
fn quoted(text: &str) -> String {
    if !text.contains(['"', '\\']) {
        format!("`\"{text}\"`")
    } else if !text.contains('\'') {
        format!("`'{text}'`")
    } else {
        format!("`'''{text}'''`")
    }
}

/// Quotes that a word processor makes.
fn is_curly(c: char) -> bool {
    matches!(c, '“' | '”' | '„' | '‟' | '‘' | '’' | '‚' | '«' | '»' | '″' | '′')
}

#[cfg(test)]
mod tests;
