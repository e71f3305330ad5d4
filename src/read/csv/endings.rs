//! How the lines of a table end.

use std::cmp::Reverse;
use std::ops::Range;

use super::rules::MIXED_LINE_ENDINGS;
use super::source::Source;
use crate::diagnostic::{Diagnostic, Sink};
use crate::read::{counted, shown};

/// How the lines of a table end: CRLF, LF, CR.
#[derive(Default)]
pub(super) struct Endings {
    pub(super) kinds: [(usize, Range<usize>); 3],
}

impl Endings {
    /// Counts the line endings between two rows. Those inside quotes belong to a text.
    pub(super) fn count(&mut self, text: &str, gap: Range<usize>) {
        let bytes = &text.as_bytes()[..gap.end];
        let mut at = gap.start;
        while at < gap.end {
            let (kind, width) = match &bytes[at..] {
                [b'\r', b'\n', ..] => (0, 2),
                [b'\n', ..] => (1, 1),
                [b'\r', ..] => (2, 1),
                _ => {
                    at += 1;
                    continue;
                }
            };
            if self.kinds[kind].0 == 0 {
                self.kinds[kind].1 = at..at + width;
            }
            self.kinds[kind].0 += 1;
            at += width;
        }
    }

    pub(super) fn report(&self, source: &Source<'_>, sink: &mut Sink) {
        let mut kinds: Vec<_> = self
            .kinds
            .iter()
            .zip(["CRLF", "LF", "CR"])
            .filter(|(kind, _)| kind.0 > 0)
            .collect();
        if kinds.len() < 2 {
            return;
        }
        kinds.sort_by_key(|((count, first), _)| (Reverse(*count), first.start));
        let list: Vec<String> = kinds
            .iter()
            .map(|((count, _), name)| format!("{} with {name}", counted(*count, "line", "lines")))
            .collect();
        let ((_, first), name) = kinds[kinds.len() - 1];
        sink.push(
            Diagnostic::new(
                &MIXED_LINE_ENDINGS,
                source.span(first.clone()),
                format!(
                    "the line endings of {} are mixed: {}",
                    shown(source.path),
                    list.join(", ")
                ),
            )
            .note(format!("the first {name}"))
            .help("save the file again with one kind of line ending"),
        );
    }
}
