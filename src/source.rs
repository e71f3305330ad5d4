//! Files and places in them: text in, spans out.
//!
//! Knows nothing of records, games or diagnostics. [`Files`] is the only reader of input from disk; everything above
//! speaks in [`Span`]s, which are byte offsets into a file's text with any byte-order mark removed.

mod code_page;
mod decode;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use decode::decode;

pub use code_page::windows_1252_byte;

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

/// A place for people: 1-based lines and columns; columns count Unicode scalar values. In a worksheet a line is a row
/// and a column is a column of cells.
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

/// How a file's bytes stand for its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// UTF-8.
    #[default]
    Utf8,
    /// UTF-8 with a byte-order mark.
    Utf8Mark,
    /// UTF-16, low byte first, with a byte-order mark.
    Utf16Le,
    /// UTF-16, high byte first, with a byte-order mark.
    Utf16Be,
    /// Windows-1252 in all likelihood: it is reported and decoded only so that it can be shown and mended.
    Windows1252,
}

impl Encoding {
    /// The name by which programs list it.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 | Encoding::Utf8Mark => "UTF-8",
            Encoding::Utf16Le | Encoding::Utf16Be => "UTF-16",
            Encoding::Windows1252 => "Windows-1252",
        }
    }

    /// The bytes of a file that holds a text. What was Windows-1252 becomes UTF-8: that is how it is mended.
    pub fn encode(self, text: &str) -> Vec<u8> {
        let units = || std::iter::once(0xfeff).chain(text.encode_utf16());
        match self {
            Encoding::Utf8 | Encoding::Windows1252 => text.as_bytes().to_vec(),
            Encoding::Utf8Mark => ["\u{feff}", text].concat().into_bytes(),
            Encoding::Utf16Le => units().flat_map(u16::to_le_bytes).collect(),
            Encoding::Utf16Be => units().flat_map(u16::to_be_bytes).collect(),
        }
    }
}

/// One file's text and its line index.
#[derive(Debug)]
pub struct File {
    path: String,
    text: Arc<str>,
    encoding: Encoding,
    lines: OnceLock<Vec<u32>>,
    worksheet: Option<Worksheet>,
}

/// That a text is a worksheet, written as CSV with commas: which one, and of which workbook.
#[derive(Debug)]
struct Worksheet {
    workbook: String,
    name: String,
    /// Where the cells begin of which a finding was made when the worksheet was taken in, in ascending order.
    told: Vec<u32>,
}

/// Whether a path has an ending such as `csv`, in any case: old programs write `UNITS.CSV`.
pub fn has_ending(path: &str, ending: &str) -> bool {
    path.rsplit_once('.')
        .is_some_and(|(_, own)| own.eq_ignore_ascii_case(ending))
}

/// A name without an ending such as `csv`, in any case.
pub fn without_ending<'n>(name: &'n str, ending: &str) -> Option<&'n str> {
    name.rsplit_once('.')
        .filter(|(_, own)| own.eq_ignore_ascii_case(ending))
        .map(|(stem, _)| stem)
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
    /// The bytes are no text in an encoding that is read. The file is kept, decoded as far as it can be, so that the place
    /// can be shown.
    Encoding {
        /// The file; what cannot be decoded is U+FFFD.
        file: FileId,
        /// Where the first bad byte stands in the decoded text.
        span: Span,
        /// What is wrong, in a few words.
        what: String,
        /// What to do about it.
        help: String,
        /// From the first to the last bad byte, where what they mean is hardly in doubt and the text can be kept.
        mended: Option<Span>,
    },
    /// Larger than the 32-bit offsets of [`Span`] can surely address.
    TooLarge(u64),
}

impl Files {
    /// Takes in a text under a path (relative, with forward slashes). A byte-order mark is dropped.
    pub fn add(&mut self, path: impl Into<String>, text: &str) -> FileId {
        match text.strip_prefix('\u{feff}') {
            Some(text) => self.keep(path.into(), text, Encoding::Utf8Mark),
            None => self.keep(path.into(), text, Encoding::Utf8),
        }
    }

    fn keep(&mut self, path: String, text: &str, encoding: Encoding) -> FileId {
        let id = FileId(self.files.len() as u32);
        self.files.push(File {
            path,
            text: Arc::from(text),
            encoding,
            lines: OnceLock::new(),
            worksheet: None,
        });
        id
    }

    /// Takes in a worksheet as CSV with commas. `rows` are the offsets at which its rows begin, from the first row of the
    /// worksheet on and ending with the end of the text: a cell may hold line breaks, so that rows are not lines.
    ///
    /// Its places are cells: [`place`](Self::place) gives rows and columns of the worksheet, [`path`](Self::path) the
    /// workbook's file, and [`cell`](Self::cell) the address.
    pub fn add_worksheet(&mut self, workbook: &str, name: &str, text: &str, rows: Vec<u32>) -> FileId {
        let id = FileId(self.files.len() as u32);
        self.files.push(File {
            path: format!("{workbook}!{name}"),
            text: Arc::from(text),
            lines: OnceLock::from(if rows.is_empty() { vec![0] } else { rows }),
            encoding: Encoding::Utf8,
            worksheet: Some(Worksheet {
                workbook: workbook.to_owned(),
                name: name.to_owned(),
                told: Vec::new(),
            }),
        });
        id
    }

    /// Remembers where the cells of a worksheet begin that are known not to hold what was meant, in ascending order.
    pub fn set_told(&mut self, id: FileId, told: Vec<u32>) {
        if let Some(worksheet) = &mut self.files[id.0 as usize].worksheet {
            worksheet.told = told;
        }
    }

    /// Whether a stretch of a text holds a cell that is known not to hold what was meant.
    pub fn is_told(&self, id: FileId, start: usize, end: usize) -> bool {
        self.files[id.0 as usize]
            .worksheet
            .as_ref()
            .is_some_and(|worksheet| {
                let next = worksheet.told.partition_point(|told| (*told as usize) < start);
                worksheet
                    .told
                    .get(next)
                    .is_some_and(|told| (*told as usize) <= end)
            })
    }

    /// Reads `root/path`: UTF-8, or UTF-16 with a byte-order mark.
    pub fn read(&mut self, root: &Path, path: &str) -> Result<FileId, Unreadable> {
        let full: PathBuf = root.join(path);
        let bytes = read_regular(&full).map_err(Unreadable::Io)?;
        self.add_bytes(path, bytes)
    }

    /// Takes in the bytes of a file: UTF-8, or UTF-16 with a byte-order mark.
    pub fn add_bytes(&mut self, path: &str, bytes: Vec<u8>) -> Result<FileId, Unreadable> {
        // A UTF-16 file may grow by half when it is decoded.
        if bytes.len() >= u32::MAX as usize / 2 {
            return Err(Unreadable::TooLarge(bytes.len() as u64));
        }
        let decoded = decode(bytes);
        let file = self.keep(path.to_owned(), &decoded.text, decoded.encoding);
        match decoded.problem {
            None => Ok(file),
            Some(problem) => Err(Unreadable::Encoding {
                file,
                span: Span::new(file, problem.at.start, problem.at.end),
                what: problem.what,
                help: problem.help,
                mended: problem
                    .mended
                    .map(|range| Span::new(file, range.start, range.end)),
            }),
        }
    }

    /// How the file's bytes stand for its text.
    pub fn encoding(&self, id: FileId) -> Encoding {
        self.files[id.0 as usize].encoding
    }

    /// The file's path, relative to the project, with forward slashes. Of a worksheet, its workbook's.
    pub fn path(&self, id: FileId) -> &str {
        let file = &self.files[id.0 as usize];
        file.worksheet
            .as_ref()
            .map_or(&file.path, |worksheet| &worksheet.workbook)
    }

    /// What the file is called: its path, or that of a workbook and a worksheet of it: `oob/x/book.xlsx!units`.
    pub fn title(&self, id: FileId) -> &str {
        &self.files[id.0 as usize].path
    }

    /// Whether the text is a worksheet's, which only its workbook's program can edit.
    pub fn is_worksheet(&self, id: FileId) -> bool {
        self.files[id.0 as usize].worksheet.is_some()
    }

    /// The address of the cell at which a span begins, if it lies in a worksheet: `units!D17`.
    pub fn cell(&self, span: Span) -> Option<String> {
        let worksheet = self.files[span.file.0 as usize].worksheet.as_ref()?;
        let place = self.place(span);
        Some(format!(
            "{}!{}{}",
            worksheet.name,
            column_letters(place.column),
            place.line
        ))
    }

    /// Where a span begins, as people write it: `oob/x/units.csv:17:4` or `oob/x/book.xlsx:units!D17`.
    pub fn locate(&self, span: Span) -> String {
        match self.cell(span) {
            Some(cell) => format!("{}:{cell}", self.path(span.file)),
            None => {
                let place = self.place(span);
                format!("{}:{}:{}", self.path(span.file), place.line, place.column)
            }
        }
    }

    /// The file's text without byte-order mark.
    pub fn text(&self, id: FileId) -> &str {
        &self.files[id.0 as usize].text
    }

    /// The file's text, shared.
    pub fn shared_text(&self, id: FileId) -> Arc<str> {
        Arc::clone(&self.files[id.0 as usize].text)
    }

    /// A stretch of a file's text, widened to whole characters where it begins or ends within one.
    pub fn whole(&self, id: FileId, start: usize, end: usize) -> Span {
        let text = self.text(id);
        let (mut start, mut end) = (start.min(text.len()), end.min(text.len()));
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        while !text.is_char_boundary(end) {
            end += 1;
        }
        Span::new(id, start, end.max(start))
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
        // A cell is marked as a whole: the end lies beyond it.
        let (end_line, end_column) = if file.worksheet.is_some() {
            let (line, column) = file.line_column(span.end.saturating_sub(1).max(span.start));
            (line, column + 1)
        } else {
            file.line_column(span.end.max(span.start))
        };
        Place {
            line,
            column,
            end_line,
            end_column,
        }
    }

    /// The byte range of the 0-based line (of a worksheet: row), without its terminator.
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
    /// The file's path, relative to the project, with forward slashes. Of a worksheet, with its name.
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
        // A place within a character is that of the character.
        let mut offset = offset.min(self.text.len() as u32);
        while !self.text.is_char_boundary(offset as usize) {
            offset -= 1;
        }
        let line = self.line_of(offset);
        let start = self.line_starts()[line as usize];
        let before = self.text.get(start as usize..offset as usize).unwrap_or("");
        let column = if self.worksheet.is_some() {
            let mut quoted = false;
            let ends_cell = |byte: &u8| {
                quoted ^= *byte == b'"';
                *byte == b',' && !quoted
            };
            before.bytes().filter(ends_cell).count()
        } else {
            before.chars().count()
        };
        (line + 1, column as u32 + 1)
    }
}

/// A column of a worksheet as spreadsheets call it: 1 is A, 27 is AA.
pub fn column_letters(column: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = column;
    while rest > 0 {
        letters.push(b'A' + ((rest - 1) % 26) as u8);
        rest = (rest - 1) / 26;
    }
    letters.iter().rev().map(|letter| char::from(*letter)).collect()
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Io(error) => write!(f, "{error}"),
            Unreadable::Encoding { what, .. } => f.write_str(what),
            Unreadable::TooLarge(size) => {
                write!(f, "{size} bytes are more than orbat reads from one file (2 GiB)")
            }
        }
    }
}

/// Reads a file, but nothing that only looks like one and may never end, such as a pipe or a device.
pub fn read_regular(path: &Path) -> std::io::Result<Vec<u8>> {
    let kind = std::fs::metadata(path)?;
    if !kind.is_file() {
        let what = if kind.is_dir() {
            "a folder"
        } else {
            "a pipe or device"
        };
        let why = format!("it is {what}, not a file");
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, why));
    }
    std::fs::read(path)
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
    fn places_in_a_worksheet_are_cells() {
        let mut files = Files::default();
        let text = "id,note\n\n,\"a,\nb\"\"\",x\n";
        let id = files.add_worksheet("oob/x/book.xlsx", "units", text, vec![0, 8, 9, 21]);
        let at = text.find('x').unwrap();
        let span = Span::new(id, at, at + 1);
        let place = files.place(span);
        assert_eq!((place.line, place.column), (3, 3));
        assert_eq!((place.end_line, place.end_column), (3, 4));
        assert_eq!(files.cell(span).as_deref(), Some("units!C3"));
        assert_eq!(files.locate(span), "oob/x/book.xlsx:units!C3");
        let note = Span::new(id, text.find("a,").unwrap(), text.find("b").unwrap());
        assert_eq!(files.cell(note).as_deref(), Some("units!B3"));
        assert_eq!(files.title(id), "oob/x/book.xlsx!units");
        assert_eq!(files.place(Span::file_start(id)).end_column, 2);
    }

    #[test]
    fn columns_have_letters() {
        let letters = [1, 26, 27, 52, 53, 702, 703, 16384].map(column_letters);
        assert_eq!(letters, ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA", "XFD"]);
    }
}
