//! The text of a file and the part of it that holds the table: what stands before and after, and bytes that no text has.

use std::ops::Range;

use super::rules::{CTRL_Z, NUL_BYTE, SEPARATOR_LINE};
use crate::diagnostic::{Diagnostic, Sink};
use crate::read::{counted, shown};
use crate::source::{FileId, Span};

/// A file being read, and the part of its text that holds the table.
pub(super) struct Source<'t> {
    pub(super) path: &'t str,
    pub(super) file: FileId,
    pub(super) text: &'t str,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether it is a worksheet, whose cells no separator and no quote divides.
    pub(super) is_worksheet: bool,
}

impl<'t> Source<'t> {
    pub(super) fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.file, range.start, range.end)
    }

    /// Ends the table before the Ctrl-Z with which old programs end a text.
    pub(super) fn drop_ctrl_z(&mut self, sink: &mut Sink) {
        let trimmed = self.text[self.start..self.end].trim_end_matches([' ', '\t', '\r', '\n', '\u{1a}']);
        let tail = self.start + trimmed.len();
        let Some(at) = self.text[tail..self.end].find('\u{1a}') else {
            return;
        };
        self.end = tail + at;
        sink.push(
            Diagnostic::new(
                &CTRL_Z,
                self.span(self.end..self.end + 1),
                format!(
                    "{} ends with a Ctrl-Z character, which is ignored",
                    shown(self.path)
                ),
            )
            .help("delete the last character, or save the file again with a present-day program"),
        );
    }

    /// Reports NUL bytes; false where the text is not worth reading on.
    pub(super) fn check_nul(&self, sink: &mut Sink) -> bool {
        report_nul(
            self.path,
            self.file,
            &self.text[self.start..self.end],
            self.start,
            sink,
        )
    }

    /// The separator that a first line `sep=X` sets; the table then starts on the next line.
    pub(super) fn separator_line(&mut self, sink: &mut Sink) -> Option<u8> {
        let text = &self.text[self.start..self.end];
        let line = &text[..text.find(['\r', '\n']).unwrap_or(text.len())];
        let bare = line.strip_prefix('"').unwrap_or(line);
        if !bare
            .get(..4)
            .is_some_and(|start| start.eq_ignore_ascii_case("sep="))
        {
            return None;
        }
        let typed = &bare[4..];
        let typed = if bare.len() < line.len() {
            typed.strip_suffix('"').unwrap_or(typed)
        } else {
            typed
        };
        let span = self.span(self.start..self.start + line.len());
        self.start += line.len();
        let delimiter = typed.bytes().next().filter(|byte| {
            let usable = *byte == b'\t' || (byte.is_ascii_punctuation() && !matches!(byte, b'"' | b'_'));
            // Spreadsheets pad the line with separators to the width of the table.
            usable && typed[1..].bytes().all(|more| more == *byte || more == b' ')
        });
        if delimiter.is_none() {
            sink.push(
                Diagnostic::new(
                    &SEPARATOR_LINE,
                    span,
                    format!("the line {} does not name one separator", shown(line)),
                )
                .help("write `sep=,` (or `;`, `|`, or a tab after the `=`), or remove the line"),
            );
        }
        delimiter
    }

    /// Whether there is nothing but separators.
    pub(super) fn is_blank(&self, delimiters: &[u8]) -> bool {
        self.text[self.start..self.end]
            .chars()
            .all(|c| c.is_whitespace() || u8::try_from(c).is_ok_and(|byte| delimiters.contains(&byte)))
    }
}

/// Reports the NUL bytes of a text that stands so many bytes behind the beginning of its file; false where they are so
/// many that it is not worth reading on.
pub(crate) fn report_nul(path: &str, file: FileId, text: &str, offset: usize, sink: &mut Sink) -> bool {
    let Some(first) = text.find('\0') else {
        return true;
    };
    let count = text.bytes().filter(|byte| *byte == 0).count();
    let utf16 = count * 4 >= text.len();
    let found = Diagnostic::new(
        &NUL_BYTE,
        Span::new(file, offset + first, offset + first + 1),
        format!(
            "{} holds {}",
            shown(path),
            counted(count, "NUL byte", "NUL bytes")
        ),
    )
    .note("the first one");
    sink.push(found.help(if utf16 {
        "this looks like UTF-16 without its mark: save the file again as “CSV UTF-8”, or as plain UTF-8 text"
    } else {
        "delete it; a file that holds NUL bytes was damaged or is not a text"
    }));
    !utf16
}
