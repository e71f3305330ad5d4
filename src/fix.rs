//! Mending: the replacements that diagnostics offer, applied to texts and shown as a diff. Writes nothing.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Fix};
use crate::source::{Encoding, FileId, Files};

/// A file that replacements change.
pub struct Mended {
    /// Its path, relative to the project.
    pub path: String,
    /// What it will hold.
    pub text: String,
    /// How many replacements were made.
    pub count: usize,
    /// What changes, as a unified diff.
    pub diff: String,
    encoding: Encoding,
}

impl Mended {
    /// What the file will hold, in its own encoding and with its byte-order mark.
    pub fn bytes(&self) -> Vec<u8> {
        self.encoding.encode(&self.text)
    }
}

/// Applies the replacements of all findings; of two that touch, the first is made and the other left for the next time.
/// The cells of a workbook are left to the program that wrote it: its file is no text.
pub fn mend(found: &[Diagnostic], files: &Files) -> Vec<Mended> {
    let mut by_path: BTreeMap<&str, (FileId, Vec<&Fix>)> = BTreeMap::new();
    let in_texts = |fix: &&Fix| !files.is_worksheet(fix.span.file);
    for fix in found.iter().flat_map(Diagnostic::fixes).filter(in_texts) {
        // A file that two games read has two ids, and one text.
        let path = files.path(fix.span.file);
        by_path
            .entry(path)
            .or_insert_with(|| (fix.span.file, Vec::new()))
            .1
            .push(fix);
    }
    let mut mended = Vec::new();
    for (path, (file, mut fixes)) in by_path {
        fixes.sort_by_key(|fix| (fix.span.start, fix.span.end));
        let mut end = 0;
        let mut chosen: Vec<&Fix> = Vec::new();
        for fix in fixes {
            let touches = chosen.last().is_some() && fix.span.start < end;
            let repeats = chosen
                .last()
                .is_some_and(|last| last.span == fix.span || last.span.end == fix.span.start);
            if !touches && !repeats {
                end = fix.span.end;
                chosen.push(fix);
            }
        }
        let old = files.text(file);
        let text = replaced(old, &chosen);
        let encoding = files.encoding(file);
        if text == old && encoding != Encoding::Windows1252 {
            continue;
        }
        let mut diff = format!("--- {path}\n+++ {path}\n");
        if encoding == Encoding::Windows1252 {
            diff.push_str("Windows-1252 becomes UTF-8\n");
        }
        hunks(old, &chosen, encoding == Encoding::Windows1252, &mut diff);
        mended.push(Mended {
            path: path.to_owned(),
            text,
            count: chosen.len(),
            diff,
            encoding,
        });
    }
    mended
}

fn replaced(old: &str, fixes: &[&Fix]) -> String {
    let mut text = String::with_capacity(old.len());
    let mut at = 0;
    for fix in fixes {
        text.push_str(old.get(at..fix.span.start as usize).unwrap_or(""));
        text.push_str(&fix.replacement);
        at = fix.span.end as usize;
    }
    text.push_str(old.get(at..).unwrap_or(""));
    text
}

/// The changed lines of a text, without context: what is around them is in the file.
fn hunks(old: &str, fixes: &[&Fix], all: bool, diff: &mut String) {
    let mut starts = vec![0];
    let bytes = old.as_bytes();
    for (index, byte) in bytes.iter().enumerate() {
        if *byte == b'\n' || (*byte == b'\r' && bytes.get(index + 1) != Some(&b'\n')) {
            starts.push(index + 1);
        }
    }
    let line_of = |at: usize| starts.partition_point(|start| *start <= at) - 1;
    let mut index = 0;
    let mut shift: isize = 0;
    while index < fixes.len() {
        let first = line_of(fixes[index].span.start as usize);
        let mut last = line_of(fixes[index].span.end as usize);
        let mut until = index + 1;
        while until < fixes.len() && line_of(fixes[until].span.start as usize) <= last {
            last = last.max(line_of(fixes[until].span.end as usize));
            until += 1;
        }
        let (start, end) = (starts[first], starts.get(last + 1).copied().unwrap_or(old.len()));
        let before = &old[start..end];
        let mut after = String::new();
        let mut at = start;
        for fix in &fixes[index..until] {
            after.push_str(&old[at..fix.span.start as usize]);
            after.push_str(&fix.replacement);
            at = fix.span.end as usize;
        }
        after.push_str(&old[at..end]);
        let (gone, come) = (lines(before), lines(&after));
        if gone != come || all {
            // A file whose bytes change as a whole shows the lines whose bytes do.
            let shown: Vec<(usize, &str)> = gone
                .iter()
                .copied()
                .enumerate()
                .filter(|(_, line)| gone != come || !line.is_ascii())
                .collect();
            let from = shown.first().map_or(0, |(number, _)| *number);
            let added = first as isize + shift + 1 + from as isize;
            diff.push_str(&format!(
                "@@ -{},{} +{added},{} @@\n",
                first + 1 + from,
                shown.len(),
                if gone == come { shown.len() } else { come.len() }
            ));
            for (_, line) in &shown {
                diff.push_str(&format!("-{line}\n"));
            }
            let kept: Vec<&str> = if gone == come {
                shown.iter().map(|(_, line)| *line).collect()
            } else {
                come.clone()
            };
            for line in kept {
                diff.push_str(&format!("+{line}\n"));
            }
        }
        shift += come.len() as isize - gone.len() as isize;
        index = until;
    }
}

/// The lines of a stretch of text that ends with a line or the text.
fn lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(['\r', '\n']).unwrap_or(rest.len());
        lines.push(&rest[..end]);
        let width = if rest[end..].starts_with("\r\n") { 2 } else { 1 };
        rest = rest.get(end + width..).unwrap_or("");
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Rule, Severity, Sink};
    use crate::source::Span;
    use proptest::prelude::*;

    static RULE: Rule = Rule {
        code: "a-rule",
        severity: Severity::Error,
        summary: "a rule",
        explanation: "",
    };

    /// Replaces each `old` of a file in turn.
    fn mended(path: &str, bytes: Vec<u8>, fixes: &[(&str, &str)]) -> Vec<Mended> {
        let mut files = Files::default();
        let file = files.add_bytes(path, bytes).unwrap();
        let mut sink = Sink::default();
        for (old, new) in fixes {
            let at = files.text(file).find(old).expect(old);
            let span = Span::new(file, at, at + old.len());
            sink.push(Diagnostic::new(&RULE, span, format!("{at}")).fix(span, *new));
        }
        mend(&sink.sorted(&files), &files)
    }

    #[test]
    fn a_file_keeps_its_encoding_its_line_endings_and_its_mark() {
        for encoding in [
            Encoding::Utf8,
            Encoding::Utf8Mark,
            Encoding::Utf16Le,
            Encoding::Utf16Be,
        ] {
            for newline in ["\n", "\r\n", "\r"] {
                let text = |value: &str| format!("id,né{newline}a,{value}{newline}b,4");
                let file = mended("a.csv", encoding.encode(&text("3*")), &[("3*", "3")]);
                assert_eq!(
                    file[0].bytes(),
                    encoding.encode(&text("3")),
                    "{encoding:?} {newline:?}"
                );
                assert_eq!(
                    file[0].diff,
                    "--- a.csv\n+++ a.csv\n@@ -2,1 +2,1 @@\n-a,3*\n+a,3\n"
                );
            }
        }
    }

    #[test]
    fn cells_are_quoted_as_they_must_be() {
        let csv = |text: &str, fix| mended("a.csv", text.into(), &[fix]).remove(0).text;
        assert_eq!(csv("a,x,b", ("x", "p, q")), "a,\"p, q\",b");
        assert_eq!(csv("a,x,b", ("x", "4\" gun")), "a,\"4\"\" gun\",b");
        assert_eq!(csv("a,\"x,y\",b", ("x,y", "z")), "a,\"z\",b");
        assert_eq!(csv("a,\"x,y\",b", ("x,y", "\"z\"")), "a,\"\"\"z\"\"\",b");
        let toml = |text: &str, fix| mended("a.toml", text.into(), &[fix]).remove(0).text;
        assert_eq!(toml("a = \"740\"", ("\"740\"", "0740")), "a = \"0740\"");
        assert_eq!(toml("a = '7'", ("'7'", "a \"b\" \\")), "a = \"a \\\"b\\\" \\\\\"");
        assert_eq!(toml("a = “x”", ("“x”", "\"x\"")), "a = \"x\"");
    }

    #[test]
    fn of_overlapping_replacements_the_first_is_made() {
        let file = mended(
            "a.csv",
            "abcdef,x\n".into(),
            &[("bcd", "B"), ("cde", "C"), ("x", "y")],
        );
        assert_eq!((file[0].text.as_str(), file[0].count), ("aBef,y\n", 2));
    }

    #[test]
    fn nothing_to_mend_is_no_file() {
        assert!(mended("a.csv", b"a,b\n".to_vec(), &[("a", "a")]).is_empty());
    }

    proptest! {
        #[test]
        fn the_diff_is_what_was_done(cells in prop::collection::vec("[a-z]{0,3}", 1..12), changed in any::<prop::sample::Index>(), new in "[a-zé]{0,3}") {
            let text = cells.join("\n");
            let mut files = Files::default();
            let file = files.add("a.csv", &text);
            let number = changed.index(cells.len());
            let at: usize = cells[..number].iter().map(|cell| cell.len() + 1).sum();
            let span = Span::new(file, at, at + cells[number].len());
            let found = [Diagnostic::new(&RULE, span, "x").fix(span, new.as_str())];
            let mended = mend(&found, &files);
            if new == cells[number] {
                prop_assert!(mended.is_empty());
            } else {
                let mut wanted = cells.clone();
                wanted[number] = new.clone();
                prop_assert_eq!(&mended[0].text, &wanted.join("\n"));
                let hunk = format!("@@ -{0},", number + 1);
                prop_assert!(mended[0].diff.contains(&hunk), "{}", mended[0].diff);
                let line = format!("\n+{new}\n");
                prop_assert!(mended[0].diff.contains(&line) || new.is_empty(), "{}", mended[0].diff);
            }
        }
    }
}
