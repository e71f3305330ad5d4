//! The marks that Git leaves in a file where two versions of it could not be merged.

use std::ops::Range;

use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::read::shown;
use crate::source::{FileId, Files, Span, has_ending};

/// A merge that nobody finished.
pub static MERGE_CONFLICT: Rule = Rule {
    code: "merge-conflict",
    severity: Severity::Error,
    summary: "two versions of some lines stand in a file: a merge was not finished",
    explanation: "Where two people changed the same lines, Git writes both versions into the file, the first between \
                  `<<<<<<<` and `=======`, the second between `=======` and `>>>>>>>`. Choose one of them, or make one of \
                  both, and delete the marks. Until then nothing of the file is read.

Wrong:

```csv oob/demo/weapons.csv
id,name
<<<<<<< HEAD
R,Rifle
=======
R,Rifled Musket
>>>>>>> theirs
```

Right:

```csv oob/demo/weapons.csv
id,name
R,Rifled Musket
```
",
};

/// What a mark says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Ours,
    Base,
    Middle,
    Theirs,
}

/// A mark where a line begins with one. A spreadsheet that saved the file fills the line up with separators.
fn mark(line: &str) -> Option<Mark> {
    let first = *line.as_bytes().first()?;
    let mark = match first {
        b'<' => Mark::Ours,
        b'|' => Mark::Base,
        b'=' => Mark::Middle,
        b'>' => Mark::Theirs,
        _ => return None,
    };
    let (head, rest) = line.as_bytes().split_at_checked(7)?;
    let bare = rest.iter().all(|byte| b" ,;\t|".contains(byte)) && (mark != Mark::Base || rest.is_empty());
    let named = mark != Mark::Middle && rest.first() == Some(&b' ');
    (head.iter().all(|byte| *byte == first) && (bare || named)).then_some(mark)
}

/// One block: its marks in order.
type Block = Vec<(Mark, Range<usize>)>;

/// Reports every block of two versions; whether there was any.
pub(super) fn report(files: &Files, file: FileId, sink: &mut Sink) -> bool {
    let text = files.text(file);
    let path = files.path(file);
    let is_table = has_ending(path, "csv");
    // In Markdown a line of `=` underlines a heading.
    let lone_counts = is_table || has_ending(path, "toml");
    let any = text.contains("<<<<<<<") || text.contains(">>>>>>>");
    if !(any || lone_counts && text.contains("=======")) {
        return false;
    }
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let line = &rest[..end];
        if let Some(mark) = mark(line) {
            let range = at..at + line.trim_end_matches([' ', ',', ';', '\t']).len();
            let inside = open && mark != Mark::Ours;
            let counts = match mark {
                Mark::Ours | Mark::Theirs => true,
                Mark::Base => inside,
                Mark::Middle => inside || lone_counts && (is_table || !is_in_text(&text[..at])),
            };
            match blocks.last_mut().filter(|_| inside) {
                Some(block) => block.push((mark, range)),
                None if counts => blocks.push(vec![(mark, range)]),
                None => {}
            }
            open = match mark {
                Mark::Ours => true,
                Mark::Theirs => false,
                Mark::Base | Mark::Middle => open,
            };
        }
        at += end + 1;
    }
    for block in &blocks {
        sink.push(told(file, text, block));
    }
    !blocks.is_empty()
}

/// Whether a text of several lines is open at the end of this beginning of a TOML document.
fn is_in_text(before: &str) -> bool {
    let odd = |quotes: &str| before.matches(quotes).count() % 2 == 1;
    odd("\"\"\"") || odd("'''")
}

fn told(file: FileId, text: &str, block: &Block) -> Diagnostic {
    let span = |range: &Range<usize>| Span::new(file, range.start, range.end);
    let (first, place) = &block[0];
    if *first != Mark::Ours {
        let mut found = Diagnostic::new(
            &MERGE_CONFLICT,
            span(place),
            format!("a mark of a merge is left: {}", shown(&text[place.clone()])),
        )
        .note("not a line of this file")
        .help("delete it, and see that one version alone is left of the lines around it");
        for (_, other) in &block[1..] {
            found = found.label(span(other), "and this one");
        }
        return found;
    }
    let mut found = Diagnostic::new(
        &MERGE_CONFLICT,
        span(place),
        "two versions of these lines stand here: a merge was not finished",
    )
    .note("the first version begins")
    .help("choose one of the two versions and delete the marks; nothing of this file is read until then");
    for (mark, other) in &block[1..] {
        found = found.label(
            span(other),
            match mark {
                Mark::Base => "what both were made of begins",
                Mark::Middle => "the second version begins",
                Mark::Theirs | Mark::Ours => "it ends",
            },
        );
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told_of(path: &str, text: &str) -> Vec<(String, usize)> {
        let mut files = Files::default();
        let file = files.add(path, text);
        let mut sink = Sink::default();
        report(&files, file, &mut sink);
        let found = sink.sorted(&files);
        found
            .iter()
            .map(|found| {
                let span = found.span.unwrap();
                (files.slice(span).to_owned(), found.labels.len())
            })
            .collect()
    }

    #[test]
    fn each_block_is_told_once_at_its_first_mark() {
        for newline in ["\n", "\r\n", "\r"] {
            let text = "id\n<<<<<<< HEAD\na\n||||||| b\nc\n=======\nd\n>>>>>>> x\ne\n<<<<<<< HEAD,,,\nf\n=======,,,\n>>>>>>> y,,,\n"
                .replace('\n', newline);
            assert_eq!(
                told_of("a.csv", &text),
                [("<<<<<<< HEAD".to_owned(), 3), ("<<<<<<< HEAD".to_owned(), 2)]
            );
        }
    }

    #[test]
    fn marks_that_are_left_over_count_where_nothing_else_looks_like_them() {
        assert_eq!(told_of("a.csv", "id\n=======\na\n").len(), 1);
        assert_eq!(told_of("a.toml", "a = 1\n=======\n").len(), 1);
        assert_eq!(told_of("a.toml", "a = '''\nHead\n=======\n'''\n").len(), 0);
        assert_eq!(told_of("a.md", "Head\n=======\n").len(), 0);
        assert_eq!(told_of("a.md", "Head\n>>>>>>> x\n").len(), 1);
        for text in [
            "id\n========\n",
            "id\n>>>>>>>>\n",
            "id|a\n|||||||\n",
            "# =======\n",
        ] {
            assert_eq!(told_of("a.csv", text).len(), 0, "{text}");
        }
    }
}
