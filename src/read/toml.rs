//! TOML documents to trees with places, and nested orders of battle to records.
//!
//! The toml crate's recovering parser finds all syntax errors of a file; here they are put into words that an author
//! of data can act on, and errors that only follow from another one are left out.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue};

use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::record::{self, Records};
use crate::source::{FileId, Files, Span};
use crate::suggest;

use super::{counted, shown};

/// A value of a TOML document, with its place: of a table under a header, the header.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// The value.
    pub value: NodeValue,
    /// Where it stands.
    pub span: Span,
}

/// What a TOML document can hold.
#[derive(Clone, PartialEq, Debug)]
pub enum NodeValue {
    /// Text.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// Any other number; it is finite.
    Number(f64),
    /// True or false.
    Boolean(bool),
    /// A date, a time or both, as written.
    Date(String),
    /// Several values.
    List(Vec<Node>),
    /// Named values, in source order.
    Table(Vec<Entry>),
}

/// A named value of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The name.
    pub key: String,
    /// Where the name stands; if in several headers, then in its own or else in the first.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

impl Node {
    /// The document as JSON. Dates become texts.
    pub fn to_json(&self) -> serde_json::Value {
        match &self.value {
            NodeValue::Text(text) | NodeValue::Date(text) => text.as_str().into(),
            NodeValue::Integer(number) => (*number).into(),
            NodeValue::Number(number) => (*number).into(),
            NodeValue::Boolean(yes) => (*yes).into(),
            NodeValue::List(items) => items.iter().map(Node::to_json).collect(),
            NodeValue::Table(entries) => entries
                .iter()
                .map(|entry| (entry.key.clone(), entry.value.to_json()))
                .collect(),
        }
    }

    /// The value as records hold it. Dates become texts.
    pub fn to_value(&self) -> record::Value {
        match &self.value {
            NodeValue::Text(text) | NodeValue::Date(text) => record::Value::Text(text.as_str().into()),
            NodeValue::Integer(number) => record::Value::Integer(*number),
            NodeValue::Number(number) => record::Value::Number(*number),
            NodeValue::Boolean(yes) => record::Value::Boolean(*yes),
            NodeValue::List(items) => record::Value::List(items.iter().map(Node::to_value).collect()),
            NodeValue::Table(entries) => record::Value::Table(
                entries
                    .iter()
                    .map(|entry| (entry.key.clone(), entry.value.to_value()))
                    .collect(),
            ),
        }
    }

    /// The value of a key, if this is a table that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The value at a JSON pointer.
    pub fn at(&self, json_pointer: &str) -> Option<&Node> {
        if json_pointer.is_empty() {
            return Some(self);
        }
        json_pointer
            .strip_prefix('/')?
            .split('/')
            .try_fold(self, |node, step| node.step(step))
    }

    /// The place of the key at a JSON pointer, if what holds it is a table.
    pub fn key_span(&self, json_pointer: &str) -> Option<Span> {
        let (parent, step) = json_pointer.rsplit_once('/')?;
        self.at(parent)?
            .entry(&unescaped(step))
            .map(|entry| entry.key_span)
    }

    fn entry(&self, key: &str) -> Option<&Entry> {
        match &self.value {
            NodeValue::Table(entries) => entries.iter().find(|entry| entry.key == key),
            _ => None,
        }
    }

    fn step(&self, step: &str) -> Option<&Node> {
        match &self.value {
            NodeValue::List(items) => items.get(step.parse::<usize>().ok()?),
            _ => self.get(&unescaped(step)),
        }
    }
}

/// A step of a JSON pointer as the key that it stands for.
fn unescaped(step: &str) -> Cow<'_, str> {
    if step.contains('~') {
        step.replace("~1", "/").replace("~0", "~").into()
    } else {
        step.into()
    }
}

/// Parses a TOML document. Errors are reported, at most one a line and only such as do not follow from another; any
/// makes the result `None`.
pub fn parse(files: &Files, file: FileId, sink: &mut Sink) -> Option<Node> {
    let text = with_line_feeds(files.text(file));
    let (document, errors) = DeTable::parse_recoverable(&text);
    if !errors.is_empty() {
        let syntax = Syntax {
            files,
            file,
            text: &text,
            document: document.get_ref(),
        };
        syntax.report(&errors, sink);
        return None;
    }
    let mut builder = Builder {
        file,
        text: &text,
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
            .map(|(key, value)| Entry {
                key: key.get_ref().to_string(),
                key_span: self.span(key.span()),
                value: self.node(value),
            })
            .collect();
        // A table that is continued under a later header has moved to the end.
        entries.sort_by_key(|entry| entry.key_span.start);
        NodeValue::Table(entries)
    }

    fn node(&mut self, value: &Spanned<DeValue<'_>>) -> Node {
        let range = clamped(self.text, value.span());
        let span = self.span(range.clone());
        let raw = &self.text[range];
        let value = match value.get_ref() {
            DeValue::String(text) => NodeValue::Text(text.to_string()),
            DeValue::Boolean(yes) => NodeValue::Boolean(*yes),
            DeValue::Datetime(_) => NodeValue::Date(raw.to_owned()),
            DeValue::Array(items) => NodeValue::List(items.iter().map(|item| self.node(item)).collect()),
            DeValue::Table(table) => self.table(table),
            DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => NodeValue::Integer(number),
                Err(_) => self.unusable(raw, span),
            },
            DeValue::Float(number) => match number.as_str().parse::<f64>() {
                Ok(number) if number.is_finite() => NodeValue::Number(number),
                _ => self.unusable(raw, span),
            },
        };
        Node { value, span }
    }

    /// Reports a number that cannot be held.
    fn unusable(&mut self, raw: &str, span: Span) -> NodeValue {
        self.failed = true;
        let digits = raw.contains(|c: char| c.is_ascii_digit()) && raw.len() > 2;
        let (message, help) = if digits {
            (
                format!("the number {} is too large", shown(raw)),
                format!(
                    "if it is a name or an id, write it as text in quotes: {}",
                    quoted(raw)
                ),
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

/// The syntax errors of a document.
struct Syntax<'s> {
    files: &'s Files,
    file: FileId,
    text: &'s str,
    /// What the parser made of it all the same.
    document: &'s DeTable<'s>,
}

/// At most for so many keys that stand twice the first place is sought, which takes a pass over the document each.
const PLACES_SOUGHT: usize = 32;

impl Syntax<'_> {
    fn report(&self, errors: &[::toml::de::Error], sink: &mut Sink) {
        let mut errors: Vec<(Range<usize>, &str)> = errors
            .iter()
            .map(|error| (clamped(self.text, error.span().unwrap_or(0..0)), error.message()))
            .collect();
        let line = |at: u32| self.files.line_of(self.file, at);
        let mut found: Vec<(u32, bool, Diagnostic)> = Vec::new();
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
            let diagnostic = if is_duplicate {
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

    fn span(&self, range: Range<usize>) -> Span {
        let range = clamped(self.text, range);
        Span::new(self.file, range.start, range.end)
    }

    /// The line on which a byte lies, without its end.
    fn line(&self, at: usize) -> Range<usize> {
        let start = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let end = self.text[at..]
            .find('\n')
            .map_or(self.text.len(), |length| at + length);
        let line = &self.text[start..end];
        start..end - (line.len() - line.trim_end_matches('\r').len())
    }

    fn unclosed_bracket(&self, opening: usize) -> Diagnostic {
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
    fn key_before(&self, at: usize) -> Option<&str> {
        let line = self.line(at);
        let key = self.text[line.start..at].trim_end().strip_suffix('=')?.trim();
        (!key.is_empty()).then_some(key)
    }

    fn unclosed_text(&self, range: Range<usize>, message: &str) -> Diagnostic {
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

    fn duplicate(&self, range: Range<usize>, message: &str, seek: bool) -> Diagnostic {
        let key = &self.text[range.clone()];
        let line = self.line(range.start);
        let is_header = self.text[line.clone()].trim_start().starts_with('[');
        let found = Diagnostic::new(
            &DUPLICATE_KEY,
            self.span(range.clone()),
            if message.starts_with("cannot extend") {
                format!(
                    "the key {} has a value already and cannot be a table too",
                    shown(key)
                )
            } else if is_header {
                format!("the table {} stands twice", shown(key))
            } else {
                format!("the key {} stands twice", shown(key))
            },
        )
        .help(if is_header && !self.text[line].contains("[[") {
            format!("remove one, or write `[[{key}]]` at each if there are several")
        } else {
            "remove or rename one of the two".into()
        });
        match seek.then(|| self.first_place(&range)).flatten() {
            Some(first) => found.label(self.span(first), "first here"),
            None => found,
        }
    }

    /// Where the key that stands twice stands first.
    fn first_place(&self, second: &Range<usize>) -> Option<Range<usize>> {
        if let Some(table) = inline_table_around(self.text, self.document, second) {
            let (_, key) = path(&format!("{} = 0", &self.text[second.clone()]))?;
            return key_place(table, &key).filter(|first| first != second);
        }
        let start = self.line(second.start).start;
        let typed = self.text[start..second.end].trim_start();
        let close = match (typed.starts_with("[["), typed.starts_with('[')) {
            (true, _) => "]]",
            (_, true) => "]",
            _ => " = 0",
        };
        let (parents, key) = path(&format!("{typed}{close}"))?;
        // Up to here the document tells which table each header means; a probe tells which one the line is in.
        let before = format!("{}\n\"{PROBE}\" = 0\n", &self.text[..start]);
        let (before, _) = DeTable::parse_recoverable(&before);
        let mut table = if close == " = 0" {
            table_with(before.get_ref(), PROBE)?
        } else {
            before.get_ref()
        };
        for parent in &parents {
            table = last_table(table.get(parent.as_str())?.get_ref())?;
        }
        key_place(table, &key)
    }

    fn other(&self, range: Range<usize>, message: &str) -> Diagnostic {
        let line = self.line(range.start);
        let here = |headline: String| Diagnostic::new(&TOML_SYNTAX, self.span(range.clone()), headline);
        let after = &self.text[range.end..line.end.max(range.end)];
        if message.starts_with("unclosed table") || message.starts_with("unclosed array table") {
            let header = self.text[line.clone()].trim();
            let name = header.trim_matches(['[', ']', ' ']);
            let whole = if header.starts_with("[[") {
                format!("[[{name}]]")
            } else {
                format!("[{name}]")
            };
            return Diagnostic::new(
                &TOML_SYNTAX,
                self.span(line.clone()),
                format!("the header {} is not closed", shown(header)),
            )
            .help(format!("write `{whole}`"));
        }
        if message.starts_with("carriage return must") {
            return here("a carriage return stands inside a line".into()).help("remove it");
        }
        if message.starts_with("cannot recurse") {
            return here("values are nested too deeply".into()).help("at most 80 levels are read");
        }
        if message.starts_with("extra `=`") {
            return here("a key is followed by two `=`".into()).help("remove one");
        }
        if message.starts_with("unexpected key or value") {
            return self.rest_of_line(range, line);
        }
        if message.starts_with("key with no value") || message.starts_with("invalid unquoted key") {
            return self.bad_key(range, line);
        }
        if message.starts_with("string values must be quoted") && after.trim_start().starts_with('=') {
            return self.two_entries(range);
        }
        if is_about_value(message) {
            return self.bad_value(range, message);
        }
        let headline = message.strip_suffix(", expected nothing").unwrap_or(message);
        here(headline.to_owned())
    }

    fn two_entries(&self, range: Range<usize>) -> Diagnostic {
        Diagnostic::new(&TOML_SYNTAX, self.span(range), "two entries stand on one line")
            .help("begin a new line for each key")
    }

    /// Something follows a value or a header.
    fn rest_of_line(&self, range: Range<usize>, line: Range<usize>) -> Diagnostic {
        let rest = self.text[range.start..line.end.max(range.start)].trim_end();
        let before = &self.text[line.start..range.start];
        let number = before.rsplit(['=', ' ', '[']).next().unwrap_or("");
        let span = range.start..range.start + rest.len();
        if let Some(decimals) = rest.strip_prefix(',')
            && !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
            && decimals.starts_with(|c: char| c.is_ascii_digit())
        {
            let digits: String = decimals.chars().take_while(char::is_ascii_digit).collect();
            let whole = range.start - number.len()..range.start + 1 + digits.len();
            return Diagnostic::new(
                &TOML_SYNTAX,
                self.span(whole.clone()),
                format!("the number {} has a comma in it", shown(&self.text[whole])),
            )
            .help(if digits.len() == 3 {
                format!("write `{number}.{digits}` for a decimal comma, `{number}{digits}` for thousands")
            } else {
                format!("write `{number}.{digits}`")
            });
        }
        if rest.contains('=')
            && !before.trim_start().starts_with('[')
            && !before.trim_end().ends_with(['"', '\''])
        {
            return self.two_entries(span);
        }
        let found = Diagnostic::new(
            &TOML_SYNTAX,
            self.span(span),
            format!("{} follows what should end the line", shown(rest)),
        );
        if before.ends_with(['"', '\'']) {
            found.help("a text that holds `'` stands between `\"`, and the other way round")
        } else {
            found.help("remove it; a remark begins with `#`")
        }
    }

    fn bad_key(&self, range: Range<usize>, line: Range<usize>) -> Diagnostic {
        let whole = self.text[line.clone()].trim();
        let start = line.start + self.text[line.clone()].len() - self.text[line.clone()].trim_start().len();
        let token = &self.text[range.clone()];
        if whole.starts_with("//") || whole.starts_with("--") || whole.starts_with(';') {
            return Diagnostic::new(
                &TOML_SYNTAX,
                self.span(start..start + 2),
                "a remark begins with `#`",
            )
            .help("write `#` instead");
        }
        if token.starts_with(':') {
            return Diagnostic::new(
                &TOML_SYNTAX,
                self.span(range),
                "a key is followed by `=`, not by `:`",
            )
            .help("write `=` instead");
        }
        let Some((key, _)) = whole.split_once('=') else {
            return Diagnostic::new(
                &TOML_SYNTAX,
                self.span(start..start + whole.len()),
                format!("the line {} is no entry: it has no `=`", shown(whole)),
            )
            .help("write a key, `=` and a value; a remark begins with `#`; a text of several lines stands between `\"\"\"`");
        };
        let key = key.trim();
        let bare = key.trim_start_matches('[').trim_matches(is_curly);
        Diagnostic::new(
            &TOML_SYNTAX,
            self.span(start..start + key.len()),
            format!("the key {} needs quotes", shown(key)),
        )
        .help(format!(
            "write {}, or a key of plain letters, digits, `-` and `_`",
            quoted(bare)
        ))
    }

    /// What stands where a value should is none.
    fn bad_value(&self, range: Range<usize>, message: &str) -> Diagnostic {
        let line = self.line(range.start);
        if range.is_empty()
            && self.text[range.start..line.end.max(range.start)]
                .trim()
                .is_empty()
        {
            let key = self.key_before(range.start);
            return Diagnostic::new(
                &TOML_SYNTAX,
                self.span(range.clone()),
                key.map_or_else(
                    || "a value is missing".into(),
                    |key| format!("the key {} has no value", shown(key)),
                ),
            )
            .help("write a value after `=`, or remove the line: what is left out is empty");
        }
        // The parser points at the offending part; the author sees the whole word.
        let ends = |c: char| c.is_whitespace() || matches!(c, ',' | '=' | '[' | ']' | '{' | '}' | '#');
        let start = self.text[line.start..range.start]
            .rfind(ends)
            .map_or(line.start, |at| {
                line.start
                    + self.text[line.start + at..]
                        .chars()
                        .next()
                        .map_or(at, |c| at + c.len_utf8())
            });
        let end = range.end
            + self.text[range.end..]
                .find(ends)
                .unwrap_or(self.text.len() - range.end);
        let token = self.text[start..end].trim();
        let start = self.text[..end].rfind(token).unwrap_or(start);
        let (headline, help) = advice(token, message);
        Diagnostic::new(&UNQUOTED_TEXT, self.span(start..start + token.len()), headline).help(help)
    }
}

/// Whether the parser found the end of a line or of the file inside a text.
fn is_unclosed_text(message: &str, range: &Range<usize>) -> bool {
    const OPEN: [&str; 4] = [
        "invalid basic string, expected `\"`",
        "invalid literal string, expected `'`",
        "invalid multi-line basic string, expected `\"`",
        "invalid multi-line literal string, expected `'`",
    ];
    range.is_empty() && OPEN.contains(&message)
}

/// Whether a message of the parser is about what stands in the place of a value.
fn is_about_value(message: &str) -> bool {
    const ABOUT: [&str; 9] = [
        "string values must be quoted",
        "unexpected leading zero",
        "invalid date",
        "invalid time",
        "invalid boolean",
        "invalid float",
        "invalid integer",
        "invalid mantissa",
        "invalid fraction",
    ];
    ABOUT.iter().any(|about| message.starts_with(about))
}

/// What is wrong with a word in the place of a value, and the cure.
fn advice(token: &str, message: &str) -> (String, String) {
    let as_text = |text: &str| format!("write it as text in quotes: {}", quoted(text));
    let digits = token.trim_start_matches(['+', '-']);
    let lower = token.to_lowercase();
    if token.contains(is_curly) && (token.starts_with(is_curly) || token.ends_with(is_curly)) {
        let inner = token.trim_matches(is_curly);
        return (
            format!("curly quotes do not make {} a text", shown(token)),
            format!("write straight quotes: {}", quoted(inner)),
        );
    }
    if message.starts_with("unexpected leading zero") && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let number = digits.trim_start_matches('0');
        return (
            format!("the number {} begins with a zero", shown(token)),
            format!(
                "{}; if it is a number, write `{}`",
                as_text(token),
                if number.is_empty() { "0" } else { number }
            ),
        );
    }
    if let Some((hour, minute)) = token.split_once(':')
        && [hour, minute]
            .iter()
            .all(|part| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit()))
    {
        return (format!("{} is not a time in TOML", shown(token)), as_text(token));
    }
    match lower.as_str() {
        "yes" | "on" | "true" | "y" => {
            return (
                format!("{} is not a value in TOML", shown(token)),
                "write `true`".into(),
            );
        }
        "no" | "off" | "false" => {
            return (
                format!("{} is not a value in TOML", shown(token)),
                "write `false`".into(),
            );
        }
        "null" | "none" | "nil" | "n/a" | "-" | "—" | "?" => {
            let help = if token == "?" {
                as_text(token)
            } else {
                "remove the line: what is left out is empty".into()
            };
            return (format!("{} is not a value in TOML", shown(token)), help);
        }
        _ => {}
    }
    if message.starts_with("invalid date") {
        return (
            format!("{} is not a date in TOML", shown(token)),
            format!("write a date as `1863-07-01`, or {}", as_text(token)),
        );
    }
    if let Some(value) = token.strip_suffix(';') {
        return (
            format!("a `;` follows the value {}", shown(value)),
            "remove the `;`: a line ends by itself".into(),
        );
    }
    if token.contains(char::is_alphabetic) {
        (
            format!("the text {} has no quotes", shown(token)),
            format!("write {}", quoted(token)),
        )
    } else {
        (
            format!("{} is neither a number nor a text in quotes", shown(token)),
            as_text(token),
        )
    }
}

/// A key that no document has.
const PROBE: &str = "orbat: which table is this line in?";

/// The path of the one key of a small document: the keys above it, and itself.
fn path(document: &str) -> Option<(Vec<String>, String)> {
    let (document, errors) = DeTable::parse_recoverable(document);
    if !errors.is_empty() {
        return None;
    }
    let mut keys = Vec::new();
    let mut table = document.get_ref();
    while let Some((key, value)) = table.iter().next() {
        keys.push(key.get_ref().to_string());
        match last_table(value.get_ref()) {
            Some(inner) => table = inner,
            None => break,
        }
    }
    let key = keys.pop()?;
    Some((keys, key))
}

/// The table that a key in a path means: of several, the last.
fn last_table<'t, 'i>(value: &'t DeValue<'i>) -> Option<&'t DeTable<'i>> {
    match value {
        DeValue::Table(table) => Some(table),
        DeValue::Array(items) => items.iter().last().and_then(|item| item.get_ref().as_table()),
        _ => None,
    }
}

/// Where a key of a table stands.
fn key_place(table: &DeTable<'_>, key: &str) -> Option<Range<usize>> {
    table.get_key_value(key).map(|(key, _)| key.span())
}

/// The table that has a key.
fn table_with<'t, 'i>(table: &'t DeTable<'i>, key: &str) -> Option<&'t DeTable<'i>> {
    if table.contains_key(key) {
        return Some(table);
    }
    table.values().find_map(|value| match value.get_ref() {
        DeValue::Table(inner) => table_with(inner, key),
        DeValue::Array(items) => items
            .iter()
            .filter_map(|item| item.get_ref().as_table())
            .find_map(|inner| table_with(inner, key)),
        _ => None,
    })
}

/// The innermost table in braces around a place.
fn inline_table_around<'t, 'i>(
    text: &str,
    table: &'t DeTable<'i>,
    place: &Range<usize>,
) -> Option<&'t DeTable<'i>> {
    table.values().find_map(|value| inline_in(text, value, place))
}

fn inline_in<'t, 'i>(
    text: &str,
    value: &'t Spanned<DeValue<'i>>,
    place: &Range<usize>,
) -> Option<&'t DeTable<'i>> {
    match value.get_ref() {
        DeValue::Table(table) => inline_table_around(text, table, place).or_else(|| {
            // Under a header the span is the header, and the key that stands twice may be in it.
            let span = clamped(text, value.span());
            let around = span.start <= place.start && place.end <= span.end;
            (around && text[span].starts_with('{')).then_some(table)
        }),
        DeValue::Array(items) => items.iter().find_map(|item| inline_in(text, item, place)),
        _ => None,
    }
}

/// The first `[` or `{` of a value that is not closed anywhere.
fn open_bracket(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut open: Vec<usize> = Vec::new();
    let mut at = 0;
    let mut line_start = true;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let line_end = || rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        match rest[0] {
            b'\n' => {
                line_start = true;
                at += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' => {
                at += 1;
                continue;
            }
            b'#' => at += line_end(),
            // A header.
            b'[' if line_start && open.is_empty() => at += line_end(),
            b'[' | b'{' => {
                open.push(at);
                at += 1;
            }
            b']' | b'}' => {
                open.pop();
                at += 1;
            }
            quote @ (b'"' | b'\'') => at += text_length(rest, quote),
            _ => at += 1,
        }
        line_start = false;
    }
    open.first().copied()
}

/// The length of the text, quotes included, that `bytes` begins with.
fn text_length(bytes: &[u8], quote: u8) -> usize {
    let long = bytes.starts_with(&[quote; 3]);
    let mut at = if long { 3 } else { 1 };
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if quote == b'"' => at += 1,
            b'\n' if !long => return at,
            byte if byte == quote && !long => return at + 1,
            byte if byte == quote && bytes[at..].starts_with(&[quote; 3]) => {
                // Up to two more quotes belong to the text.
                let more = bytes[at + 3..]
                    .iter()
                    .take(2)
                    .take_while(|byte| **byte == quote)
                    .count();
                return at + 3 + more;
            }
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// What may stand inside a formation and becomes a record of its own.
struct Nested {
    key: &'static str,
    table: &'static str,
    /// The column that names the formation.
    column: &'static str,
    /// Whether it is a list.
    many: bool,
}

const NESTED: [Nested; 5] = [
    Nested {
        key: "formations",
        table: "formations",
        column: "parent",
        many: true,
    },
    Nested {
        key: "units",
        table: "units",
        column: "formation",
        many: true,
    },
    Nested {
        key: "leaders",
        table: "leaders",
        column: "commands",
        many: true,
    },
    Nested {
        key: "leader",
        table: "leaders",
        column: "commands",
        many: false,
    },
    Nested {
        key: "effectiveness",
        table: "effectiveness",
        column: "formation",
        many: false,
    },
];

/// Turns the document of an order of battle into records. Its top-level keys are names of `tables` and hold arrays of
/// tables.
///
/// Inside a formation, arrays `formations`, `units` and `leaders` and tables `leader` and `effectiveness` are lifted
/// out, recursively: the formation's row comes first, then those of what it holds, depth first. A lifted record's
/// reference to its formation is the formation's id, and its place is that of the id.
pub fn records(
    files: &Files,
    file: FileId,
    root: &Node,
    tables: &[&str],
    records: &mut Records,
    sink: &mut Sink,
) {
    let mut lifter = Lifter {
        file,
        text: files.shared_text(file),
        tables,
        records,
        sink,
    };
    let NodeValue::Table(entries) = &root.value else {
        return;
    };
    for entry in entries {
        match tables.iter().find(|table| **table == entry.key) {
            Some(table) => lifter.list(table, &entry.key, entry, None),
            None => {
                let mut found = Diagnostic::new(
                    &UNKNOWN_TABLE,
                    entry.key_span,
                    format!("{} is no table of an order of battle", shown(&entry.key)),
                );
                found.help = suggest::help(&entry.key, tables);
                lifter.sink.push(found);
            }
        }
    }
}

/// The formation in which a record stands.
struct Parent {
    column: &'static str,
    id: record::Value,
    id_span: Span,
}

struct Lifter<'l> {
    file: FileId,
    text: Arc<str>,
    tables: &'l [&'l str],
    records: &'l mut Records,
    sink: &'l mut Sink,
}

impl Lifter<'_> {
    /// The records of an array of tables.
    fn list(&mut self, table: &str, header: &str, entry: &Entry, parent: Option<&Parent>) {
        let NodeValue::List(items) = &entry.value.value else {
            let (what, help) = match &entry.value.value {
                NodeValue::Table(_) => ("one table", format!("write `[[{header}]]` above each record")),
                _ => ("a single value", format!("write its records as `[[{header}]]`")),
            };
            self.wrong_shape(
                entry.key_span,
                format!("{} is {what}, not a list of records", shown(header)),
                help,
            );
            return;
        };
        for item in items {
            if matches!(item.value, NodeValue::Table(_)) {
                self.row(table, header, item, parent);
            } else {
                self.wrong_shape(
                    item.span,
                    format!("an element of {} is no record", shown(header)),
                    format!(
                        "write it as a table: `[[{header}]]` with a key on each line, or `{{ id = \"…\" }}`"
                    ),
                );
            }
        }
    }

    fn wrong_shape(&mut self, span: Span, headline: String, help: String) {
        self.sink
            .push(Diagnostic::new(&NOT_RECORDS, span, headline).help(help));
    }

    fn nested_of(&self, table: &str, key: &str) -> Option<&'static Nested> {
        (table == "formations")
            .then(|| {
                NESTED
                    .iter()
                    .find(|nested| nested.key == key && self.tables.contains(&nested.table))
            })
            .flatten()
    }

    /// One record, and after it those that it holds.
    fn row(&mut self, table: &str, header: &str, node: &Node, parent: Option<&Parent>) {
        let NodeValue::Table(entries) = &node.value else {
            return;
        };
        let (start, end) = (node.span.start as usize, node.span.end as usize);
        let row = self
            .records
            .table_mut(table)
            .add_row(self.file, &self.text, start, end);
        let mut lifted = Vec::new();
        for entry in entries {
            if let Some(nested) = self.nested_of(table, &entry.key) {
                lifted.push((nested, entry));
                continue;
            }
            if let Some(parent) = parent
                && parent.column == entry.key
            {
                self.sink.push(
                    Diagnostic::new(
                        &REFERENCE_TWICE,
                        entry.key_span,
                        format!(
                            "{} is set although the record stands inside the formation {}",
                            shown(&entry.key),
                            shown(&parent.id.to_cell())
                        ),
                    )
                    .label(parent.id_span, "the formation that it stands in")
                    .help(format!(
                        "remove {}, or move the record out of the formation",
                        shown(&entry.key)
                    )),
                );
                continue;
            }
            self.cell(table, row, &entry.key, entry.value.to_value(), entry.value.span);
        }
        if let Some(parent) = parent {
            self.cell(table, row, parent.column, parent.id.clone(), parent.id_span);
        }
        let Some((_, first)) = lifted.first() else {
            return;
        };
        let id = node
            .get("id")
            .filter(|id| !matches!(&id.value, NodeValue::Text(text) if text.is_empty()));
        let Some(id) = id else {
            self.sink.push(
                Diagnostic::new(
                    &PARENT_WITHOUT_ID,
                    node.span,
                    format!("a formation holds {} but has no id", shown(&first.key)),
                )
                .label(first.key_span, "what it holds, which is not read")
                .help("give the formation an `id`"),
            );
            return;
        };
        for (nested, entry) in lifted {
            let parent = Parent {
                column: nested.column,
                id: id.to_value(),
                id_span: id.span,
            };
            let header = format!("{header}.{}", nested.key);
            match (&entry.value.value, nested.many) {
                (NodeValue::Table(_), false) => self.row(nested.table, &header, &entry.value, Some(&parent)),
                (_, true) => self.list(nested.table, &header, entry, Some(&parent)),
                (NodeValue::List(_), false) => {
                    let help = if nested.key == "leader" {
                        "name the list `leaders`".to_owned()
                    } else {
                        format!("write one table: `[{header}]`")
                    };
                    self.wrong_shape(
                        entry.key_span,
                        format!("{} is a list, not one record", shown(&header)),
                        help,
                    );
                }
                _ => self.wrong_shape(
                    entry.value.span,
                    format!("{} is a single value, not a record", shown(&header)),
                    format!("write it as a table: `[{header}]` with a key on each line"),
                ),
            }
        }
    }

    fn cell(&mut self, table: &str, row: usize, column: &str, value: record::Value, span: Span) {
        let table = self.records.table_mut(table);
        let column = table.add_column(column);
        table.set_value(row, column, value, span, None);
    }
}

/// All rules of reading TOML files.
pub static RULES: &[&Rule] = &[
    &TOML_SYNTAX,
    &UNQUOTED_TEXT,
    &UNCLOSED_VALUE,
    &DUPLICATE_KEY,
    &UNUSABLE_NUMBER,
    &UNKNOWN_TABLE,
    &NOT_RECORDS,
    &PARENT_WITHOUT_ID,
    &REFERENCE_TWICE,
];

/// Any other syntax error.
pub static TOML_SYNTAX: Rule = Rule {
    code: "toml-syntax",
    severity: Severity::Error,
    summary: "a TOML file breaks the rules of TOML",
    explanation:
        "A line of a TOML file is a header in brackets, or a key, `=` and a value, or a remark that begins \
        with `#`. The message says what stands there instead. Nothing of the file is used until it is mended.

Wrong:

```toml
[[units]]
id: \"1-va\"
```

Right:

```toml
[[units]]
id = \"1-va\"
```
",
};

/// A word that is no value.
pub static UNQUOTED_TEXT: Rule = Rule {
    code: "unquoted-text",
    severity: Severity::Error,
    summary: "a value in a TOML file is neither a number nor a text in straight quotes",
    explanation:
        "Texts stand between straight quotes. So do times without seconds, numbers that begin with a zero and \
        dates in words, because TOML would take them for damaged numbers. Word processors turn straight quotes into \
        curly ones, which do not count. `true` and `false` are written just so.

Wrong:

```toml
[[units]]
id = 1-va
arrives = 0740
```

Right:

```toml
[[units]]
id = \"1-va\"
arrives = \"0740\"
```
",
};

/// Something opened and never closed.
pub static UNCLOSED_VALUE: Rule = Rule {
    code: "unclosed-value",
    severity: Severity::Error,
    summary: "a text, list or table in a TOML file is not closed",
    explanation:
        "A quote, `[` or `{` that begins a value has no counterpart. The place is where the value is opened; \
        what follows is part of it and is not judged.

Wrong:

```toml
[[units]]
id = \"1-va\"
aliases = [\"1st Va\"
strength = 4
```

Right:

```toml
[[units]]
id = \"1-va\"
aliases = [\"1st Va\"]
strength = 4
```
",
};

/// A key twice.
pub static DUPLICATE_KEY: Rule = Rule {
    code: "duplicate-key",
    severity: Severity::Error,
    summary: "a key of a TOML table has two values",
    explanation:
        "A key stands once in a table, and a table under a header `[name]` stands once in a file. Remove one \
        of the two. A list of tables has a header in double brackets, `[[name]]`, which may be repeated.

Wrong:

```toml
[[units]]
id = \"1-va\"
strength = 4
strength = 5
```

Right:

```toml
[[units]]
id = \"1-va\"
strength = 5
```
",
};

/// A number that cannot be held.
pub static UNUSABLE_NUMBER: Rule = Rule {
    code: "unusable-number",
    severity: Severity::Error,
    summary: "a number in a TOML file is too large or is none",
    explanation:
        "Whole numbers go up to about nine million million million. TOML also knows `inf` and `nan`, which no \
        data can mean. A long row of digits is often an id and is then written as text.

Wrong:

```toml
[[units]]
id = 12345678901234567890
```

Right:

```toml
[[units]]
id = \"12345678901234567890\"
```
",
};

/// A key at the top that is no table.
pub static UNKNOWN_TABLE: Rule = Rule {
    code: "unknown-table",
    severity: Severity::Error,
    summary: "a TOML order of battle has a table of an unknown name",
    explanation:
        "The keys at the top of an order of battle are the names of tables, the same as those of the CSV \
        files.

Wrong:

```toml
[[unit]]
id = \"1-va\"
```

Right:

```toml
[[units]]
id = \"1-va\"
```
",
};

/// A table that is no list of records.
pub static NOT_RECORDS: Rule = Rule {
    code: "not-records",
    severity: Severity::Error,
    summary: "a table of a TOML order of battle is not a list of records",
    explanation:
        "Each record has a header in double brackets, even where there is only one. Inside a formation \
        `leader` and `effectiveness` are single tables and have single brackets.

Wrong:

```toml
[units]
id = \"1-va\"
```

Right:

```toml
[[units]]
id = \"1-va\"
```
",
};

/// A formation without id around other records.
pub static PARENT_WITHOUT_ID: Rule = Rule {
    code: "parent-without-id",
    severity: Severity::Error,
    summary: "a formation that holds other records has no id",
    explanation:
        "A record inside a formation belongs to it, and that is recorded by the formation's id. Without one \
        the records inside cannot be read.

Wrong:

```toml
[[formations]]
name = \"First Corps\"
[[formations.units]]
id = \"1-va\"
```

Right:

```toml
[[formations]]
id = \"i-corps\"
name = \"First Corps\"
[[formations.units]]
id = \"1-va\"
```
",
};

/// A nested record that also names its parent.
pub static REFERENCE_TWICE: Rule = Rule {
    code: "reference-twice",
    severity: Severity::Error,
    summary: "a record inside a formation also names a formation",
    explanation:
        "A record that stands inside a formation belongs to it. If it names one as well, the two can differ. \
        Remove the key, or move the record out.

Wrong:

```toml
[[formations]]
id = \"i-corps\"
[[formations.units]]
id = \"1-va\"
formation = \"ii-corps\"
```

Right:

```toml
[[formations]]
id = \"i-corps\"
[[formations.units]]
id = \"1-va\"
```
",
};

#[cfg(test)]
mod tests;
