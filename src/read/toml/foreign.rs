//! Files of another language under the name of a TOML file, and faults that are made of many errors of the parser.

use std::ops::Range;

use super::bracket::text_length;
use super::rules::{DUPLICATE_KEY, TOML_SYNTAX};
use super::syntax::Syntax;
use crate::diagnostic::{Diagnostic, Fix};
use crate::read::counted;

/// Deeper than this no document is; the parser says no more than that it is too deep.
const DEEPEST: usize = 80;

impl Syntax<'_> {
    /// What the whole file is, if it is no TOML at all.
    pub(super) fn other_language(&self) -> Option<Diagnostic> {
        let first = self.text.trim_start();
        let at = self.text.len() - first.len();
        let is_list_of_objects = || first[1..].trim_start().starts_with('{');
        let (what, how) = if first.starts_with('{') || first.starts_with('[') && is_list_of_objects() {
            (
                "JSON",
                "`key = value` on a line of its own, `[table]` and `[[list]]`",
            )
        } else if first.starts_with('<') && !first.starts_with("<<<<<<<") {
            (
                "a web page or XML",
                "perhaps a page with an error or a log-in was saved: fetch the file itself",
            )
        } else if is_yaml(self.text) {
            (
                "YAML",
                "`key = value` on a line of its own, `[table]` and `[[list]]`",
            )
        } else {
            return None;
        };
        let end = at + first.lines().next().map_or(0, str::len);
        let found = Diagnostic::new(
            &TOML_SYNTAX,
            self.span(at..end),
            format!("the file is {what}, not TOML"),
        )
        .note("its first line");
        Some(if what.ends_with("XML") {
            found.help(how)
        } else {
            found.help(format!("write it as TOML: {how}"))
        })
    }

    /// Where the document is deepest, which the parser does not say.
    pub(super) fn too_deep(&self) -> Diagnostic {
        let depth = |line: &str| line.matches(['.', '{', '[']).count();
        let deepest = self.text.split('\n').max_by_key(|line| depth(line)).unwrap_or("");
        let start = deepest.as_ptr() as usize - self.text.as_ptr() as usize;
        let length = deepest
            .char_indices()
            .nth(40)
            .map_or(deepest.trim_end().len(), |(at, _)| at);
        Diagnostic::new(
            &TOML_SYNTAX,
            self.span(start..start + length),
            "values are nested too deeply",
        )
        .note("more levels than any document has")
        .help(format!("at most {DEEPEST} levels are read"))
    }

    /// Lines that begin with blanks which TOML does not know: one fault, however many they are. Takes their errors out.
    pub(super) fn strange_indents(&self, errors: &mut Vec<(Range<usize>, &str)>) -> Option<Diagnostic> {
        let mut places: Vec<Range<usize>> = Vec::new();
        errors.retain(|(range, _)| {
            let line = self.line(range.start);
            let text = &self.text[line.clone()];
            let blanks = text.len() - text.trim_start().len();
            let is_strange = text[..blanks].chars().any(|c| !matches!(c, ' ' | '\t'));
            if is_strange && range.start <= line.start + blanks {
                let place = line.start..line.start + blanks;
                if places.last() != Some(&place) {
                    places.push(place);
                }
                return false;
            }
            true
        });
        let first = places.first()?.clone();
        let lines = counted(places.len(), "line begins", "lines begin");
        let mut found = Diagnostic::new(
            &TOML_SYNTAX,
            self.span(first.clone()),
            format!("{lines} with a no-break space, which TOML does not take for a blank"),
        )
        .note("cannot be told from a blank")
        .help("put plain blanks in its place, or nothing; `--fix` does it")
        .fix(self.span(first), " ");
        let more = places
            .into_iter()
            .skip(1)
            .map(|place| Fix::text(self.span(place), " "));
        found.further_fixes = more.collect();
        Some(found)
    }

    /// Several keys of one table that stand twice, one after the other: the header above the second entry is missing. Takes
    /// their errors out, and those of keys below a header that itself stands twice.
    pub(super) fn missing_headers(&self, errors: &mut Vec<(Range<usize>, &str)>) -> Vec<Diagnostic> {
        let is_duplicate = |message: &str| message.starts_with("duplicate key");
        let header_above = |at: usize| -> Option<usize> {
            let mut end = self.line(at).start;
            while end > 0 {
                let line = self.line(end - 1);
                if self.text[line.clone()].trim_start().starts_with('[') {
                    return Some(line.start);
                }
                end = line.start;
            }
            None
        };
        // Walking back to a header takes time, so of very many nothing is said together.
        let duplicates: Vec<usize> = errors
            .iter()
            .filter(|(_, message)| is_duplicate(message))
            .map(|(range, _)| range.start)
            .take(200)
            .collect();
        let is_header = |at: usize| self.text[self.line(at)].trim_start().starts_with('[');
        let doubled: Vec<usize> = duplicates
            .iter()
            .filter(|at| is_header(**at))
            .map(|at| self.line(*at).start)
            .collect();
        let mut groups: Vec<(usize, Vec<usize>)> = Vec::new();
        for at in duplicates.iter().copied().filter(|at| !is_header(*at)) {
            let Some(header) = header_above(at) else {
                continue;
            };
            match groups.last_mut() {
                Some((other, keys)) if *other == header => keys.push(at),
                _ => groups.push((header, vec![at])),
            }
        }
        let mut found = Vec::new();
        let mut gone: Vec<usize> = Vec::new();
        for (header, keys) in groups {
            if doubled.contains(&header) {
                gone.extend(keys);
                continue;
            }
            let line = self.line(header);
            let text = self.text[line.clone()].trim();
            if keys.len() < 2 || !text.starts_with("[[") {
                continue;
            }
            let name = text.split(']').next().unwrap_or(text).trim_start_matches('[');
            let first = self.line(keys[0]);
            found.push(
                Diagnostic::new(
                    &DUPLICATE_KEY,
                    self.span(first.start..first.end),
                    format!(
                        "{} of one `[[{name}]]` stand twice: another seems to begin here",
                        counted(keys.len(), "key", "keys")
                    ),
                )
                .note("a header is missing above")
                .label(self.span(line), "they stand first below this header")
                .help(format!(
                    "write `[[{name}]]` above this line, or remove the lines that stand twice"
                )),
            );
            gone.extend(keys);
        }
        errors.retain(|(range, message)| !is_duplicate(message) || !gone.contains(&range.start));
        found
    }

    /// A comma that is missing between two entries of a table in braces or two elements of a list, on a line with an error.
    pub(super) fn missing_comma(&self, at: usize) -> Option<Diagnostic> {
        let line = self.line(at);
        let text = &self.text[line.clone()];
        let bytes = text.as_bytes();
        // The kind of each bracket that is open, and whether a value has just ended in it.
        let mut open: Vec<u8> = Vec::new();
        let mut ended = false;
        let mut place = text.find('=')? + 1;
        while place < bytes.len() {
            let rest = &bytes[place..];
            match rest[0] {
                b' ' | b'\t' => place += 1,
                b'#' => return None,
                b',' | b'=' => {
                    ended = false;
                    place += 1;
                }
                b'{' | b'[' => {
                    if ended && !open.is_empty() {
                        return Some(self.comma(line.start + place, 1));
                    }
                    open.push(rest[0]);
                    ended = false;
                    place += 1;
                }
                b'}' | b']' => {
                    open.pop();
                    ended = true;
                    place += 1;
                }
                byte => {
                    let length = if matches!(byte, b'"' | b'\'') {
                        text_length(rest, byte)
                    } else {
                        let ends = |byte: &u8| {
                            matches!(
                                byte,
                                b' ' | b'\t' | b',' | b'=' | b'{' | b'}' | b'[' | b']' | b'#'
                            )
                        };
                        rest.iter().position(ends).unwrap_or(rest.len())
                    };
                    let after = text[place + length..].trim_start();
                    let is_key =
                        open.last() == Some(&b'{') && after.starts_with('=') && !after.starts_with("==");
                    let is_element = open.last() == Some(&b'[') && matches!(byte, b'"' | b'\'');
                    if ended && (is_key || is_element) {
                        return Some(self.comma(line.start + place, length));
                    }
                    // A key is no value.
                    ended = !after.starts_with('=');
                    place += length.max(1);
                }
            }
        }
        None
    }

    fn comma(&self, at: usize, length: usize) -> Diagnostic {
        let word = &self.text[at..at + length];
        Diagnostic::new(
            &TOML_SYNTAX,
            self.span(at..at + length),
            format!("a comma is missing before {}", super::shown(word)),
        )
        .note("the next begins here")
        .help("write `,` between the two")
    }
}

/// Whether a text is YAML: keys with colons, and none with `=`.
fn is_yaml(text: &str) -> bool {
    let lines = text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let (mut keys, mut others) = (0, 0);
    for line in lines.take(50) {
        let word = line.split(':').next().unwrap_or("");
        let is_key = word.len() < line.len()
            && !word.is_empty()
            && word
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '));
        if is_key {
            keys += 1;
        } else if line.contains('=') || line.starts_with('[') {
            others += 1;
        }
    }
    keys >= 2 && others == 0
}
