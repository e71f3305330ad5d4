//! Files to records: CSV rows and TOML tables become the same spanned records.
//!
//! Knows the shape of the files (quotes, delimiters, headers, nesting) and nothing of what a value means: a cell keeps
//! the text that its author typed. Every reader reports into a [`Sink`](crate::diagnostic::Sink) and goes on as far as
//! what follows can still be trusted.

use crate::diagnostic::Rule;

pub mod csv;
pub mod toml;
pub mod workbook;

/// All rules of the reading stage, for the list of rules.
pub static RULES: &[&Rule] = &{
    let mut all = [csv::RULES[0]; csv::RULES.len() + toml::RULES.len()];
    let mut index = 0;
    while index < all.len() {
        all[index] = if index < csv::RULES.len() {
            csv::RULES[index]
        } else {
            toml::RULES[index - csv::RULES.len()]
        };
        index += 1;
    }
    all
};

/// At most so many characters of foreign text stand in a message.
const SHOWN: usize = 40;

/// Text from a file as a message shows it: between backquotes, on one line, and not too long.
pub(crate) fn shown(text: &str) -> String {
    let mut shown = String::from("`");
    for (count, c) in text.chars().enumerate() {
        if count == SHOWN {
            shown.push('…');
            break;
        }
        if c.is_control() || is_invisible(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown.push('`');
    shown
}

/// Names as a message lists them.
fn listed<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    const MOST: usize = 16;
    let total = names.len();
    let mut list: Vec<String> = names.take(MOST).map(shown).collect();
    if total > MOST {
        list.push(format!("and {} more", total - MOST));
    }
    list.join(", ")
}

/// A number of things in words that agree with it.
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Characters that take no room and are never meant.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Diagnostic, Sink};
    use crate::record::{Records, Table};
    use crate::source::Files;

    /// Diagnostics of one text, as `code line:column-line:column "text under the span"`.
    pub(super) fn lines(files: &Files, found: &[Diagnostic]) -> Vec<String> {
        let mut lines = Vec::new();
        for found in found {
            let span = found.span.expect("readers always know the place");
            let place = files.place(span);
            lines.push(format!(
                "{} {}:{} {:?}",
                found.rule.code,
                place.line,
                place.column,
                files.slice(span)
            ));
        }
        lines
    }

    /// Every span is inside its file and on character boundaries.
    pub(super) fn assert_spans(files: &Files, found: &[Diagnostic]) {
        for found in found {
            for span in found
                .span
                .iter()
                .chain(found.labels.iter().map(|label| &label.span))
            {
                let text = files.text(span.file);
                assert!(
                    span.start <= span.end && text.get(span.start as usize..span.end as usize).is_some(),
                    "{}: {span:?} in {text:?}",
                    found.rule.code
                );
            }
        }
    }

    #[test]
    fn codes_are_unique_and_documented() {
        let mut codes: Vec<&str> = RULES.iter().map(|rule| rule.code).collect();
        codes.sort_unstable();
        let count = codes.len();
        codes.dedup();
        assert_eq!(codes.len(), count);
        for rule in RULES {
            assert!(!rule.summary.ends_with('.'), "{}", rule.code);
            assert!(rule.explanation.len() > 80, "{}", rule.code);
        }
    }

    /// The first block of an explanation is wrong in just the way that it explains, the second is right.
    #[test]
    fn examples_are_what_they_say() {
        // What a page of Markdown cannot show: control characters and line endings.
        let unshown = [
            "nul-byte",
            "ctrl-z",
            "mixed-line-endings",
            "lone-carriage-return",
            "empty-file",
        ];
        let mut tried = 0;
        for rule in RULES {
            let blocks: Vec<&str> = rule.explanation.split("```").skip(1).step_by(2).collect();
            if unshown.contains(&rule.code) {
                continue;
            }
            assert_eq!(blocks.len(), 2, "{} has no bad and good example", rule.code);
            for (index, block) in blocks.iter().enumerate() {
                let (language, text) = block.split_once('\n').unwrap();
                let mut files = Files::default();
                let mut sink = Sink::default();
                match language {
                    "csv" => {
                        let file = files.add("units.csv", text);
                        let known = ["id", "name", "formation", "strength", "note"];
                        csv::read(&files, file, &known, &mut Table::new("units"), &mut sink);
                    }
                    "toml" => {
                        let file = files.add("oob.toml", text);
                        if let Some(root) = toml::parse(&files, file, &mut sink) {
                            let tables = ["formations", "units", "leaders", "effectiveness"];
                            toml::records(&files, file, &root, &tables, &mut Records::default(), &mut sink);
                        }
                    }
                    other => panic!("{}: {other}", rule.code),
                }
                let mut codes: Vec<&str> = sink.sorted(&files).iter().map(|found| found.rule.code).collect();
                codes.dedup();
                let wanted: &[&str] = if index == 0 { &[rule.code] } else { &[] };
                assert_eq!(codes, wanted, "{}, block {index}", rule.code);
                tried += 1;
            }
        }
        assert!(tried > 30, "{tried}");
    }

    #[test]
    fn foreign_text_is_shown_on_one_line() {
        assert_eq!(shown("a\nb\u{200b}"), "`a\\u{a}b\\u{200b}`");
        assert_eq!(shown(&"é".repeat(SHOWN + 1)), format!("`{}…`", "é".repeat(SHOWN)));
    }
}
