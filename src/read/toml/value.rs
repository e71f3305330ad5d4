//! What stands in the place of a value and is none.

use std::ops::Range;

use super::rules::{TOML_SYNTAX, UNQUOTED_TEXT};
use super::syntax::Syntax;
use super::{Wanted, is_curly, quoted};
use crate::diagnostic::Diagnostic;
use crate::read::shown;

impl Syntax<'_> {
    /// A remark behind a value that begins as other languages have it: `10 // ten`.
    fn slashed_remark(&self, line: Range<usize>) -> Option<Diagnostic> {
        let text = &self.text[line.clone()];
        let (before, _) = text.split_once(" //")?;
        let value = before.split_once('=')?.1.trim();
        let is_value = value.parse::<f64>().is_ok()
            || matches!(value, "true" | "false")
            || value.ends_with(['"', '\'', ']', '}']);
        let at = line.start + before.len() + 1;
        is_value.then(|| {
            Diagnostic::new(&TOML_SYNTAX, self.span(at..at + 2), "a remark begins with `#`")
                .help("write `#` instead")
        })
    }

    /// What stands where a value should is none.
    pub(super) fn bad_value(&self, range: Range<usize>, message: &str) -> Diagnostic {
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
        if let Some(found) = self.slashed_remark(line.clone()) {
            return found;
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
        // A curly quote opens, a straight one closes: all between is the text.
        let rest = &self.text[start..line.end.max(start)];
        let end = match rest.find('"').filter(|_| rest.starts_with(is_curly)) {
            Some(close) => end.max(start + close + 1),
            None => end,
        };
        let token = self.text[start..end].trim();
        let start = self.text[..end].rfind(token).unwrap_or(start);
        let key = self.key_of(start);
        let wanted = key.and_then(|key| (self.wanted)(key));
        let day = match wanted {
            Some(Wanted::Moment) => self.first_day(),
            _ => None,
        };
        let day = day.unwrap_or("1863-07-01");
        let (headline, help) =
            advised(token, key.unwrap_or_default(), wanted, day).unwrap_or_else(|| advice(token, message));
        let span = self.span(start..start + token.len());
        let found = Diagnostic::new(&UNQUOTED_TEXT, span, headline).help(help);
        match straightened(token).or_else(|| narrowed(token)) {
            Some(text) => {
                let help = found.help.clone().unwrap_or_default();
                found.help(format!("{help}; `--fix` does it")).fix(span, text)
            }
            None => found,
        }
    }
}

impl Syntax<'_> {
    /// The key whose value, or an element of it, stands at a byte.
    pub(super) fn key_of(&self, at: usize) -> Option<&str> {
        let line = self.line(at);
        let (before, _) = self.text[line.start..at].rsplit_once('=')?;
        let key = before.trim_end().rsplit([' ', '\t', ',', '{', '.']).next()?;
        (!key.is_empty()).then_some(key)
    }

    /// The first day that the document names, as an example of one.
    fn first_day(&self) -> Option<&str> {
        let text = self.text;
        let is_day = |at: &usize| {
            let digits = |range: Range<usize>| {
                let part = text.get(at + range.start..at + range.end);
                part.is_some_and(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
            };
            digits(0..4) && digits(5..7) && digits(8..10)
        };
        let dashes = text.match_indices('-').map(|(at, _)| at);
        let at = dashes
            .filter_map(|at| at.checked_sub(4))
            .find(|at| text.get(at + 7..at + 8) == Some("-") && is_day(at))?;
        text.get(at..at + 10)
    }
}

/// What is said of a word in the place of a value where it is known what belongs there.
fn advised(token: &str, key: &str, wanted: Option<Wanted>, day: &str) -> Option<(String, String)> {
    let digits = token.bytes().all(|byte| byte.is_ascii_digit()) && !token.is_empty();
    let without_zeros = || match token.trim_start_matches('0') {
        "" => "0",
        number => number,
    };
    match wanted? {
        Wanted::Whole | Wanted::Number if digits => Some((
            format!("the number {} begins with a zero", shown(token)),
            format!("write `{}`", without_zeros()),
        )),
        wanted @ (Wanted::Whole | Wanted::Number) if token.chars().all(char::is_alphabetic) => {
            let what = match wanted {
                Wanted::Whole => "a whole number",
                _ => "a number",
            };
            Some((
                format!("the text {} stands where {what} must", shown(token)),
                match number_word(token) {
                    Some(number) => format!("write digits: `{key} = {number}`"),
                    None => "write it in digits, or remove the line if it is not known".to_owned(),
                },
            ))
        }
        Wanted::Moment if digits => {
            let time = if token.len() == 4 { token } else { "0740" };
            Some((
                format!("the number {} begins with a zero", shown(token)),
                format!("a moment has a day and a time, in quotes: `\"{day} {time}\"`"),
            ))
        }
        Wanted::Text if digits => Some((
            format!("the number {} begins with a zero", shown(token)),
            format!("write it as text in quotes: {}", quoted(token)),
        )),
        _ => None,
    }
}

/// A number in words.
fn number_word(word: &str) -> Option<usize> {
    const WORDS: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    let lower = word.to_lowercase();
    WORDS.iter().position(|word| *word == lower)
}

/// Whether a message of the parser is about what stands in the place of a value.
pub(super) fn is_about_value(message: &str) -> bool {
    const ABOUT: [&str; 10] = [
        "string values must be quoted",
        // A text that begins with another quote than it ends with.
        "missing opening quote",
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

/// Whether a character is a quote at either end of a text, curly or straight.
fn is_quote(c: char) -> bool {
    is_curly(c) || c == '"'
}

/// The text between curly quotes in straight ones, where it can be nothing else.
fn straightened(token: &str) -> Option<String> {
    let opens = token.starts_with(['“', '”', '„', '‟', '«', '″']);
    let closes = token.ends_with(['“', '”', '‟', '»', '″', '"']);
    let inner = token.trim_matches(is_quote);
    let plain = !inner.is_empty() && !inner.contains(['"', '\\']) && !inner.contains(is_curly);
    (opens && closes && plain).then(|| format!("\"{inner}\""))
}

/// A number in full-width digits, as those of an East Asian keyboard are, in plain ones.
fn narrowed(token: &str) -> Option<String> {
    let narrow = |c: char| match c {
        '\u{ff10}'..='\u{ff19}' => char::from_u32(c as u32 - 0xff10 + u32::from(b'0')),
        c => c.is_ascii_digit().then_some(c),
    };
    let is_wide = token.chars().any(|c| ('\u{ff10}'..='\u{ff19}').contains(&c));
    is_wide.then(|| token.chars().map(narrow).collect()).flatten()
}

/// Whether a word is a date with the day or the month first, `1/7/1863`.
fn is_slashed_date(token: &str) -> bool {
    let parts: Vec<&str> = token.split('/').collect();
    let digits =
        |part: &&str| (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    parts.len() == 3 && parts.iter().all(digits)
}

/// What is wrong with a word in the place of a value, and the cure.
pub(super) fn advice(token: &str, message: &str) -> (String, String) {
    let as_text = |text: &str| format!("write it as text in quotes: {}", quoted(text));
    let digits = token.trim_start_matches(['+', '-']);
    let lower = token.to_lowercase();
    if token.contains(is_curly) && (token.starts_with(is_curly) || token.ends_with(is_curly)) {
        let inner = token.trim_matches(is_quote);
        return (
            format!("curly quotes do not make {} a text", shown(token)),
            format!("write straight quotes: {}", quoted(inner)),
        );
    }
    if let Some(plain) = narrowed(token) {
        return (
            format!("{} is written with full-width digits", shown(token)),
            format!("write `{plain}`; `--fix` does it"),
        );
    }
    if is_slashed_date(token) {
        return (
            format!("{} is not a date in TOML", shown(token)),
            "write a date as year, month and day: `1863-07-01`".into(),
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
