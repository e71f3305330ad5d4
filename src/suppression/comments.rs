//! `# orbat: allow(code) reason` in TOML files.
//!
//! TOML parsers throw comments away, so they are found here: by a scan that knows just enough of TOML to tell a comment
//! from a text, and where an item begins and ends. It never fails; a damaged file is reported by its reader.

use std::ops::Range;

/// What a comment allows, and where.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Allow {
    /// The codes and their places in the text.
    pub(super) codes: Vec<(String, Range<usize>)>,
    /// The comment itself.
    pub(super) comment: Range<usize>,
    /// Why it is allowed; empty where the author does not say.
    pub(super) reason: String,
    /// The stretch that it is about; empty where nothing follows.
    pub(super) reach: Range<usize>,
}

/// A comment to orbat: what it allows, or the place of one that cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Directive {
    Allow(Allow),
    Unreadable(Range<usize>),
}

/// Finds the comments to orbat in a TOML text.
pub(super) fn find(text: &str) -> Vec<Directive> {
    // Most files have none, and need no scan.
    let is_near = |at: usize| {
        text[at..]
            .chars()
            .nth(5)
            .is_some_and(|c| matches!(c, ':' | ' ' | '\t'))
    };
    let begins = ['o', 'O']
        .into_iter()
        .flat_map(|letter| text.match_indices(letter));
    let mut named = begins.filter(|(at, _)| {
        let word = text.get(*at..at + 5);
        word.is_some_and(|word| word.eq_ignore_ascii_case("orbat")) && is_near(*at)
    });
    if named.next().is_none() {
        return Vec::new();
    }
    let mut scan = Scan {
        text,
        bytes: text.as_bytes(),
        at: 0,
        items: Vec::new(),
        comments: Vec::new(),
    };
    scan.document();
    let Scan { items, comments, .. } = scan;
    comments
        .into_iter()
        .filter_map(|comment| {
            let words = text[comment.range.clone()].strip_prefix('#')?.trim_start();
            let Some(words) = words.strip_prefix("orbat:") else {
                // `# Orbat: Allow(code)` and `# orbat allow(code)` are meant for orbat too.
                let (name, rest) = words.split_at_checked(5)?;
                let rest = rest.trim_start_matches([':', ' ', '\t']);
                let is_meant = name.eq_ignore_ascii_case("orbat")
                    && rest
                        .get(..5)
                        .is_some_and(|word| word.eq_ignore_ascii_case("allow"))
                    && rest[5..].trim_start().starts_with('(');
                return is_meant.then(|| Directive::Unreadable(comment.range.clone()));
            };
            let from = comment.range.end - words.len();
            Some(match parse(words, from) {
                Some((codes, reason)) => Directive::Allow(Allow {
                    codes,
                    reason,
                    reach: reach(text, &items, &comment),
                    comment: comment.range,
                }),
                None => Directive::Unreadable(comment.range),
            })
        })
        .collect()
}

/// The codes with their places, and the reason.
type Parsed = (Vec<(String, Range<usize>)>, String);

/// Reads ` allow(code, code) reason`, which stands at byte `from`.
fn parse(words: &str, from: usize) -> Option<Parsed> {
    let list = words
        .trim_start()
        .strip_prefix("allow")?
        .trim_start()
        .strip_prefix('(')?;
    let (list, reason) = list.split_once(')')?;
    let mut at = from + words.len() - (list.len() + 1 + reason.len());
    let mut codes = Vec::new();
    for part in list.split(',') {
        let code = part.trim();
        let start = at + (part.len() - part.trim_start().len());
        if code.is_empty() {
            return None;
        }
        codes.push((code.to_owned(), start..start + code.len()));
        at += part.len() + 1;
    }
    let reason = reason
        .trim_start_matches([':', '-', '–', '—', ' ', '\t'])
        .trim_end();
    Some((codes, reason.to_owned()))
}

/// What a comment is about: its line if it stands at the end of one, otherwise the next item.
fn reach(text: &str, items: &[Item], comment: &Comment) -> Range<usize> {
    let line = text[..comment.range.start]
        .rfind(['\n', '\r'])
        .map_or(0, |at| at + 1);
    if !text[line..comment.range.start].trim().is_empty() {
        return line..comment.range.start;
    }
    let from = items.partition_point(|item| item.range.start < comment.range.end);
    // Inside a list the next element, but nothing beyond the list's end.
    let next = items[from..].iter().position(|item| item.depth <= comment.depth);
    let Some(next) = next
        .map(|next| from + next)
        .filter(|next| items[*next].depth == comment.depth)
    else {
        return comment.range.end..comment.range.end;
    };
    let item = &items[next];
    let Some(name) = &item.table else {
        return item.range.clone();
    };
    // A table goes on over the tables inside it.
    let below = format!("{name}.");
    let end = items[next + 1..]
        .iter()
        .find(|other| {
            other
                .table
                .as_ref()
                .is_some_and(|other| !other.starts_with(&below))
        })
        .map_or(text.len(), |other| other.range.start);
    item.range.start..end
}

/// A header, a key with its value, or an element of a list.
#[derive(Debug)]
struct Item {
    range: Range<usize>,
    /// How many brackets it stands in.
    depth: usize,
    /// Of a header: the table's name.
    table: Option<String>,
}

#[derive(Debug)]
struct Comment {
    range: Range<usize>,
    depth: usize,
}

struct Scan<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// In order of their beginnings.
    items: Vec<Item>,
    comments: Vec<Comment>,
}

impl Scan<'_> {
    fn document(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                b'#' => self.comment(0),
                b'[' => self.header(),
                _ => self.entry(),
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn comment(&mut self, depth: usize) {
        let start = self.at;
        self.at = self.line_end();
        self.comments.push(Comment {
            range: start..self.at,
            depth,
        });
    }

    fn line_end(&self) -> usize {
        self.bytes[self.at..]
            .iter()
            .position(|byte| matches!(byte, b'\n' | b'\r'))
            .map_or(self.bytes.len(), |length| self.at + length)
    }

    fn header(&mut self) {
        let start = self.at;
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' | b'\r' | b'#' => break,
                b'"' | b'\'' => self.string(),
                _ => self.at += 1,
            }
        }
        let name = self.text[start..self.at]
            .chars()
            .filter(|c| !c.is_whitespace() && !matches!(c, '[' | ']' | '"' | '\''))
            .collect();
        self.items.push(Item {
            range: start..self.at,
            depth: 0,
            table: Some(name),
        });
    }

    /// A key and its value, over as many lines as its brackets and texts go.
    fn entry(&mut self) {
        let number = self.open(0);
        let mut depth = 0;
        // The element that is being read at each depth.
        let mut elements: Vec<Option<usize>> = Vec::new();
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' | b'\r' if depth == 0 => break,
                b' ' | b'\t' | b'\n' | b'\r' => {
                    self.at += 1;
                    continue;
                }
                b'#' => {
                    if depth == 0 {
                        break;
                    }
                    self.comment(depth);
                    continue;
                }
                b']' | b'}' if depth > 0 => {
                    self.close(elements.pop().flatten());
                    depth -= 1;
                    self.at += 1;
                    continue;
                }
                b',' if depth > 0 => {
                    let element = elements.last_mut().and_then(Option::take);
                    self.close(element);
                    self.at += 1;
                    continue;
                }
                _ => {}
            }
            if elements.last().is_some_and(Option::is_none) {
                let element = self.open(depth);
                if let Some(last) = elements.last_mut() {
                    *last = Some(element);
                }
            }
            match byte {
                b'[' | b'{' => {
                    depth += 1;
                    elements.push(None);
                    self.at += 1;
                }
                b'"' | b'\'' => self.string(),
                _ => self.at += 1,
            }
        }
        for element in elements {
            self.close(element);
        }
        self.close(Some(number));
    }

    fn open(&mut self, depth: usize) -> usize {
        self.items.push(Item {
            range: self.at..self.at,
            depth,
            table: None,
        });
        self.items.len() - 1
    }

    fn close(&mut self, item: Option<usize>) {
        if let Some(item) = item {
            self.items[item].range.end = self.at;
        }
    }

    /// Goes over a text in quotes of any kind. One on a single line ends there even if it is not closed.
    fn string(&mut self) {
        let quote = self.bytes[self.at];
        let long = self.bytes[self.at..].starts_with(&[quote; 3]);
        self.at += if long { 3 } else { 1 };
        while let Some(byte) = self.peek() {
            match byte {
                b'\\' if quote == b'"' => self.at = (self.at + 2).min(self.bytes.len()),
                b'\n' | b'\r' if !long => return,
                _ if byte == quote => {
                    if !long {
                        self.at += 1;
                        return;
                    }
                    if self.bytes[self.at..].starts_with(&[quote; 3]) {
                        self.at += 3;
                        // Up to two quotes may stand before those that end the text.
                        while self.peek() == Some(quote) {
                            self.at += 1;
                        }
                        return;
                    }
                    self.at += 1;
                }
                _ => self.at += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each comment is about.
    fn reaches(text: &str) -> Vec<&str> {
        find(text)
            .iter()
            .map(|directive| match directive {
                Directive::Allow(allow) => &text[allow.reach.clone()],
                Directive::Unreadable(range) => panic!("{}", &text[range.clone()]),
            })
            .collect()
    }

    #[test]
    fn a_comment_of_its_own_line_is_about_the_next_item() {
        let text = "# orbat: allow(a) why\n\n# another\nx = [ # list\n  1,\n]\ny = 2\n";
        assert_eq!(reaches(text), ["x = [ # list\n  1,\n]"]);
        let text =
            "\t# orbat: allow(a) why\r\n'a # b' = \"\"\"\r\n# orbat: allow(b) no\r\n\"\"\"\r\ny = 1\r\n";
        assert_eq!(
            reaches(text),
            ["'a # b' = \"\"\"\r\n# orbat: allow(b) no\r\n\"\"\""]
        );
    }

    #[test]
    fn above_a_header_it_is_about_the_table_and_those_inside() {
        let text = "a = 1\n# orbat: allow(a) why\n[[f]]\nx = 1\n[[f . \"u\"]]\nx = 2\n[[f]]\nx = 3\n";
        assert_eq!(reaches(text), ["[[f]]\nx = 1\n[[f . \"u\"]]\nx = 2\n"]);
        let text = "[[f]]\n# orbat: allow(a) why\n[f.u]\nx = 2\n[[fu]]\n";
        assert_eq!(reaches(text), ["[f.u]\nx = 2\n"]);
    }

    #[test]
    fn at_the_end_of_a_line_it_is_about_that_line() {
        let text = "x = [\n  '#', # orbat: allow(a) why\n  2,\n]\n[t] # orbat: allow(b) why\n";
        assert_eq!(reaches(text), ["  '#', ", "[t] "]);
    }

    #[test]
    fn inside_a_list_it_is_about_the_next_element() {
        let text = "x = [\n  { a = 1 },\n  # orbat: allow(a) why\n  { a = [2, 3], b = 4 },\n  5\n]\n";
        assert_eq!(reaches(text), ["{ a = [2, 3], b = 4 }"]);
        assert_eq!(reaches("x = [\n  1,\n  # orbat: allow(a) why\n]\ny = 1\n"), [""]);
        assert_eq!(reaches("x = 1\n# orbat: allow(a) nothing follows"), [""]);
    }

    #[test]
    fn codes_and_reasons_are_read_with_their_places() {
        let text = "#orbat: allow( one,two ): the book says so \nx = 1";
        let found = find(text);
        let [Directive::Allow(allow)] = found.as_slice() else {
            panic!("{found:?}");
        };
        assert_eq!(allow.reason, "the book says so");
        let codes: Vec<(&str, &str)> = allow
            .codes
            .iter()
            .map(|(code, range)| (code.as_str(), &text[range.clone()]))
            .collect();
        assert_eq!(codes, [("one", "one"), ("two", "two")]);
    }

    #[test]
    fn what_is_no_allow_is_unreadable_and_a_text_is_no_comment() {
        for wrong in ["alow(a) b", "allow a", "allow()", "allow(a", "allow(a,) b", ""] {
            let text = format!("# orbat: {wrong}");
            assert_eq!(find(&text), [Directive::Unreadable(0..text.len())], "{wrong}");
        }
        assert_eq!(
            find("x = '# orbat: allow(a) b'\ny = \"\\\"# orbat: allow(a)\""),
            []
        );
        for damaged in [
            "x = \"# orbat: a",
            "x = '''# orbat: ",
            "x = [[{ # orbat: allow(a) b",
            "[\"orbat:",
            "x = \"orbat:\\",
        ] {
            find(damaged);
        }
    }
}
