//! Files and places in them: text in, spans out.
//!
//! Knows nothing of records, games or diagnostics. [`Files`] is the only reader of input from disk; everything above
//! speaks in [`Span`]s, which are byte offsets into a file's text with any byte-order mark removed.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// A file of this run. Ids are handed out in reading order and mean nothing outside the run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub u32);

/// A stretch of one file's text: byte offsets, end exclusive, on character boundaries, within the text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span of `file` from byte `start` to `end`.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        Span {
            file,
            start: start as u32,
            end: end as u32,
        }
    }

    /// The empty span at the beginning of `file`, for what concerns the file as a whole.
    pub fn file_start(file: FileId) -> Self {
        Span {
            file,
            start: 0,
            end: 0,
        }
    }
}

/// A place for people: 1-based lines and columns; columns count Unicode scalar values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// Line of the first character.
    pub line: u32,
    /// Column of the first character.
    pub column: u32,
    /// Line of the end.
    pub end_line: u32,
    /// Column one past the last character.
    pub end_column: u32,
}

/// One file's text and its line index.
#[derive(Debug)]
pub struct File {
    path: String,
    text: Arc<str>,
    lines: OnceLock<Vec<u32>>,
}

/// Every file of a run.
#[derive(Debug, Default)]
pub struct Files {
    files: Vec<File>,
}

/// Why a file could not be taken in.
#[derive(Debug)]
pub enum Unreadable {
    /// The operating system refused.
    Io(std::io::Error),
    /// The bytes are not UTF-8. The file is kept with the bad bytes replaced, so that the place can be shown.
    Encoding {
        /// The file, its undecodable bytes replaced by U+FFFD.
        file: FileId,
        /// Where the first bad byte stands in the replaced text.
        span: Span,
        /// What is wrong, in a few words.
        what: String,
        /// What to do about it.
        help: String,
    },
    /// Larger than the 32-bit offsets of [`Span`] can address.
    TooLarge(u64),
}

impl Files {
    /// Takes in a text under a path (relative, with forward slashes). A byte-order mark is dropped.
    pub fn add(&mut self, path: impl Into<String>, text: &str) -> FileId {
        let id = FileId(self.files.len() as u32);
        self.files.push(File {
            path: path.into(),
            text: Arc::from(text.strip_prefix('\u{feff}').unwrap_or(text)),
            lines: OnceLock::new(),
        });
        id
    }

    /// Reads `root/path`, which must be UTF-8.
    pub fn read(&mut self, root: &Path, path: &str) -> Result<FileId, Unreadable> {
        let full: PathBuf = root.join(path);
        let bytes = std::fs::read(full).map_err(Unreadable::Io)?;
        self.add_bytes(path, bytes)
    }

    /// Takes in the bytes of a file, which must be UTF-8.
    pub fn add_bytes(&mut self, path: &str, bytes: Vec<u8>) -> Result<FileId, Unreadable> {
        if bytes.len() >= u32::MAX as usize {
            return Err(Unreadable::TooLarge(bytes.len() as u64));
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(self.add(path, &text)),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let bytes = error.into_bytes();
                let (what, help) = describe_encoding(&bytes, at);
                let text = String::from_utf8_lossy(&bytes);
                let bom = if text.starts_with('\u{feff}') { 3 } else { 0 };
                let file = self.add(path, &text);
                let start = at - bom.min(at);
                let width = self.text(file)[start..].chars().next().map_or(0, char::len_utf8);
                Err(Unreadable::Encoding {
                    file,
                    span: Span::new(file, start, start + width),
                    what,
                    help,
                })
            }
        }
    }

    /// The file's path, relative to the project, with forward slashes.
    pub fn path(&self, id: FileId) -> &str {
        &self.files[id.0 as usize].path
    }

    /// The file's text without byte-order mark.
    pub fn text(&self, id: FileId) -> &str {
        &self.files[id.0 as usize].text
    }

    /// The file's text, shared.
    pub fn shared_text(&self, id: FileId) -> Arc<str> {
        Arc::clone(&self.files[id.0 as usize].text)
    }

    /// The text under a span.
    pub fn slice(&self, span: Span) -> &str {
        let text = self.text(span.file);
        text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// All files, in reading order.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &File)> {
        self.files
            .iter()
            .enumerate()
            .map(|(index, file)| (FileId(index as u32), file))
    }

    /// Lines and columns of a span.
    pub fn place(&self, span: Span) -> Place {
        let file = &self.files[span.file.0 as usize];
        let (line, column) = file.line_column(span.start);
        let (end_line, end_column) = file.line_column(span.end.max(span.start));
        Place {
            line,
            column,
            end_line,
            end_column,
        }
    }

    /// The byte range of the 0-based line, without its terminator.
    pub fn line_range(&self, id: FileId, line: u32) -> (u32, u32) {
        let file = &self.files[id.0 as usize];
        let starts = file.line_starts();
        let start = starts[line as usize];
        let end = starts
            .get(line as usize + 1)
            .copied()
            .unwrap_or(file.text.len() as u32);
        let bytes = file.text.as_bytes();
        let mut end = end as usize;
        while end > start as usize && matches!(bytes[end - 1], b'\n' | b'\r') {
            end -= 1;
        }
        (start, end as u32)
    }

    /// The 0-based line that a byte offset lies on.
    pub fn line_of(&self, id: FileId, offset: u32) -> u32 {
        self.files[id.0 as usize].line_of(offset)
    }
}

impl File {
    /// The file's path, relative to the project, with forward slashes.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The file's text without byte-order mark.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Offsets at which lines begin. LF, CRLF and a lone CR all end a line.
    fn line_starts(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let bytes = self.text.as_bytes();
            let mut starts = vec![0];
            for (index, byte) in bytes.iter().enumerate() {
                let ends = match byte {
                    b'\n' => true,
                    b'\r' => bytes.get(index + 1) != Some(&b'\n'),
                    _ => false,
                };
                if ends {
                    starts.push(index as u32 + 1);
                }
            }
            starts
        })
    }

    fn line_of(&self, offset: u32) -> u32 {
        self.line_starts().partition_point(|start| *start <= offset) as u32 - 1
    }

    fn line_column(&self, offset: u32) -> (u32, u32) {
        let offset = offset.min(self.text.len() as u32);
        let line = self.line_of(offset);
        let start = self.line_starts()[line as usize];
        let column = self
            .text
            .get(start as usize..offset as usize)
            .map_or(0, |text| text.chars().count());
        (line + 1, column as u32 + 1)
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Io(error) => write!(f, "{error}"),
            Unreadable::Encoding { what, .. } => f.write_str(what),
            Unreadable::TooLarge(size) => {
                write!(f, "{size} bytes are more than orbat reads from one file (4 GiB)")
            }
        }
    }
}

/// Names the encoding that the bytes look like, and the cure. Nothing is decoded on a guess: names decide identity.
fn describe_encoding(bytes: &[u8], at: usize) -> (String, String) {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return (
            "the file is UTF-16, not UTF-8".into(),
            "save it again as “CSV UTF-8” (or as plain UTF-8 text)".into(),
        );
    }
    let byte = bytes[at];
    let reading =
        windows_1252(byte).map_or(String::new(), |c| format!(" (in Windows-1252 it would be “{c}”)"));
    (
        format!("byte 0x{byte:02X} is not valid UTF-8{reading}"),
        "save the file again as “CSV UTF-8”; orbat does not guess encodings, because names decide identity"
            .into(),
    )
}

/// The character that Windows-1252 gives a byte of 0x80 and above, if it gives one.
fn windows_1252(byte: u8) -> Option<char> {
    const HIGH: [Option<char>; 32] = [
        Some('€'),
        None,
        Some('‚'),
        Some('ƒ'),
        Some('„'),
        Some('…'),
        Some('†'),
        Some('‡'),
        Some('ˆ'),
        Some('‰'),
        Some('Š'),
        Some('‹'),
        Some('Œ'),
        None,
        Some('Ž'),
        None,
        None,
        Some('‘'),
        Some('’'),
        Some('“'),
        Some('”'),
        Some('•'),
        Some('–'),
        Some('—'),
        Some('˜'),
        Some('™'),
        Some('š'),
        Some('›'),
        Some('œ'),
        None,
        Some('ž'),
        Some('Ÿ'),
    ];
    match byte {
        0x80..=0x9f => HIGH[(byte - 0x80) as usize],
        0xa0.. => Some(byte as char),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_right_for_every_line_ending() {
        for newline in ["\n", "\r\n", "\r"] {
            for mark in ["", "\u{feff}"] {
                let mut files = Files::default();
                let id = files.add("a.csv", &format!("{mark}ä,b{newline}c,dé,{newline}{newline}x"));
                let at = files.text(id).find('é').unwrap();
                let place = files.place(Span::new(id, at, at + 2));
                assert_eq!((place.line, place.column), (2, 4), "{newline:?}");
                assert_eq!((place.end_line, place.end_column), (2, 5));
                let at = files.text(id).len();
                assert_eq!(files.place(Span::new(id, at, at)).line, 4);
            }
        }
    }

    #[test]
    fn a_bad_byte_is_named_at_its_place() {
        let mut files = Files::default();
        let Err(Unreadable::Encoding { span, what, .. }) =
            files.add_bytes("a.csv", b"id,name\n1,Caf\xe9\n".to_vec())
        else {
            panic!("Windows-1252 was accepted as UTF-8");
        };
        let place = files.place(span);
        assert_eq!((place.line, place.column), (2, 6));
        assert!(what.contains("0xE9") && what.contains('é'), "{what}");
    }
}
