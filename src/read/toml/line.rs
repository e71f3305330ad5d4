//! A line that is no entry and no header.

use std::ops::Range;

use super::Wanted;
use super::rules::TOML_SYNTAX;
use super::syntax::Syntax;
use super::value::is_about_value;
use super::{is_curly, quoted};
use crate::cell;
use crate::diagnostic::Diagnostic;
use crate::read::shown;

impl Syntax<'_> {
    pub(super) fn other(&self, range: Range<usize>, message: &str) -> Diagnostic {
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
        if let Some(found) = self.bad_escape(&range, message) {
            return found;
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

    /// A backslash in a text between `"` that begins nothing known.
    fn bad_escape(&self, range: &Range<usize>, message: &str) -> Option<Diagnostic> {
        if !message.contains("escape") && !message.contains("unicode") {
            return None;
        }
        let line = self.line(range.start);
        let at = line.start + self.text[line.start..range.end.min(line.end)].rfind('\\')?;
        let end = at + 1 + self.text[at + 1..].chars().next().map_or(0, char::len_utf8);
        Some(
            Diagnostic::new(
                &TOML_SYNTAX,
                self.span(at..end.min(line.end)),
                "a backslash in a text between `\"` begins a special character, and there is none of this kind",
            )
            .note("this backslash")
            .help("write two backslashes for one, or put the text between `'`"),
        )
    }

    pub(super) fn two_entries(&self, range: Range<usize>) -> Diagnostic {
        Diagnostic::new(&TOML_SYNTAX, self.span(range), "two entries stand on one line")
            .help("begin a new line for each key")
    }

    /// Something follows a value or a header.
    pub(super) fn rest_of_line(&self, range: Range<usize>, line: Range<usize>) -> Diagnostic {
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
            let whole_start = whole.start;
            return Diagnostic::new(
                &TOML_SYNTAX,
                self.span(whole.clone()),
                format!("the number {} has a comma in it", shown(&self.text[whole])),
            )
            .help(
                if self.key_of(whole_start).and_then(|key| (self.wanted)(key)) == Some(Wanted::Whole) {
                    match digits.len() {
                        3 => format!("write digits alone: `{number}{digits}`"),
                        _ => format!("write a whole number, such as `{number}`"),
                    }
                } else if digits.len() == 3 {
                    format!("write `{number}.{digits}` for a decimal comma, `{number}{digits}` for thousands")
                } else {
                    format!("write `{number}.{digits}`")
                },
            );
        }
        if rest.contains('=')
            && !before.trim_start().starts_with('[')
            && !before.trim_end().ends_with(['"', '\''])
        {
            return self.two_entries(span);
        }
        if rest == ";" {
            return Diagnostic::new(
                &TOML_SYNTAX,
                self.span(span.clone()),
                "a `;` stands at the end of the line",
            )
            .note("not of TOML")
            .help("remove it: a line ends by itself; `--fix` does it")
            .fix(self.span(span), "");
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

    pub(super) fn bad_key(&self, range: Range<usize>, line: Range<usize>) -> Diagnostic {
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
        let key = key.trim_matches([' ', '\t']);
        if let Some((unseen, cleaned)) = cell::unseen(key) {
            let span = self.span(start..start + key.len());
            return Diagnostic::new(
                &TOML_SYNTAX,
                span,
                format!("the key {} holds {}", shown(&cleaned), unseen.name()),
            )
            .note("with a character that cannot be seen")
            .help("type it again without");
        }
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
}
