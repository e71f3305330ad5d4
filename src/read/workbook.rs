//! Workbooks (`.xlsx`, `.ods`) to worksheets, and worksheets to CSV text that the CSV reader reads.
//!
//! A worksheet becomes CSV held in memory, a row for a row, so that everything after it works as for a file; only
//! [`Files`](crate::source::Files) knows that its places are cells. What a spreadsheet did to its cells (dates, errors,
//! formulas nobody calculated) is told here, because a CSV file would not show it.
//!
//! A workbook of a few hundred bytes can claim to be gigabytes. So every part is unpacked up to a limit, cells are
//! counted as they are met, and nothing is reserved on the word of the file. The readers that exist for this do not:
//! they reserve, repeat or loop as the file says.

mod cells;
mod format;
mod merged;
mod ods;
mod package;
mod raised;
mod xlsx;

pub use cells::{Expected, enter, keep_read};
use merged::Merged;

use crate::diagnostic::{Rule, Severity};

/// Cells of a workbook, empty ones before filled ones included.
const MOST_CELLS: u64 = 4_000_000;
/// Bytes of text of all cells of a workbook.
const MOST_TEXT: u64 = 128 << 20;
/// Bytes of all parts that are unpacked of a workbook.
const MOST_UNPACKED: u64 = 256 << 20;
/// Worksheets of a workbook.
const MOST_SHEETS: usize = 1000;
/// Rows of a worksheet: what the programs themselves have.
const MOST_ROWS: u32 = 1 << 20;
/// Columns of a worksheet: what the programs themselves have.
const MOST_COLUMNS: u32 = 1 << 14;

/// A worksheet: its filled cells, and what is unusual about it.
#[derive(Debug, Default)]
pub struct Sheet {
    /// Its name, as the tab shows it.
    pub name: String,
    /// Whether its tab is hidden.
    pub hidden: bool,
    cells: Vec<Cell>,
    hidden_rows: Vec<u32>,
    /// First and last.
    hidden_columns: Vec<(u32, u32)>,
    merged: Vec<Merged>,
}

/// A filled cell; rows and columns count from 0.
#[derive(Debug)]
struct Cell {
    row: u32,
    column: u32,
    content: Content,
}

/// What a cell holds.
#[derive(Clone, PartialEq, Debug)]
enum Content {
    /// Text, or a number as people type it.
    Text(Box<str>),
    /// A date or a time of day.
    Moment(Box<Moment>),
    /// Text of which a part is raised, as the marks of footnotes are: the text without it, and that part.
    Raised(Box<(String, String)>),
    /// Yes or no.
    Boolean(bool),
    /// `#REF!` and the like.
    Error(Box<str>),
    /// A formula whose result the file does not hold.
    Uncalculated,
}

/// A date or a time of day.
#[derive(Clone, PartialEq, Debug)]
struct Moment {
    /// How the spreadsheet shows it.
    shown: String,
    /// The date, `1863-07-01`, where it is one.
    date: Option<String>,
    /// The time of day, `0740`, where it has one on a whole minute.
    time: Option<String>,
}

/// Why a workbook cannot be read.
#[derive(Debug)]
pub enum Problem {
    /// It is not what it should be; what was found instead.
    Damaged(String),
    /// It is locked with a password.
    Protected,
    /// It is a text, perhaps CSV.
    Text,
    /// It is something else; what it looks like, and what to do.
    Other(&'static str, &'static str),
    /// It is larger than any order of battle; what there is too much of.
    TooLarge(&'static str),
}

const TOO_MANY_SHEETS: Problem = Problem::TooLarge("it has more than 1000 worksheets");
const TOO_MANY_CELLS: Problem = Problem::TooLarge("it has more than 4 million cells or 128 MiB of text");

impl Sheet {
    /// Whether no cell is filled.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Whether one of its first rows holds two of these names (or one, if it is the only one there).
    pub fn has_header(&self, known: &[&str]) -> bool {
        let first = self
            .cells
            .iter()
            .take_while(|cell| cell.row < cells::HEADER_WITHIN);
        let mut best = 0;
        let (mut row, mut count, mut all) = (0, 0, 0);
        for cell in first {
            if cell.row != row {
                (row, count, all) = (cell.row, 0, 0);
            }
            all += 1;
            count += usize::from(cells::names(&cell.content, known));
            if count >= 2 || (count == 1 && all == 1) {
                best = best.max(count);
            }
        }
        best > 0
    }
}

/// What is left of the limits of a workbook.
struct Budget {
    cells: u64,
    text: u64,
}

impl Budget {
    fn new() -> Self {
        Budget {
            cells: MOST_CELLS,
            text: MOST_TEXT,
        }
    }

    /// Adds a cell to a sheet.
    fn add(&mut self, sheet: &mut Sheet, row: u32, column: u32, content: &Content) -> Result<(), Problem> {
        if row >= MOST_ROWS || column >= MOST_COLUMNS {
            return Err(Problem::Damaged(format!(
                "the worksheet `{}` has a cell where no spreadsheet has one",
                sheet.name
            )));
        }
        // The cells between it and the one before will be written too. Of rows without any only the line is, so that
        // eight of them are counted as one cell.
        let gap = match sheet.cells.last() {
            Some(last) if last.row == row => column.saturating_sub(last.column).max(1),
            Some(last) => column + 1 + row.saturating_sub(last.row) / 8,
            None => column + 1 + row / 8,
        };
        let text = match content {
            Content::Text(text) | Content::Error(text) => text.len(),
            Content::Moment(moment) => moment.shown.len(),
            Content::Raised(parts) => parts.0.len() + parts.1.len(),
            Content::Boolean(_) | Content::Uncalculated => 0,
        };
        let left = (
            self.cells.checked_sub(u64::from(gap)),
            self.text.checked_sub(text as u64),
        );
        let (Some(cells), Some(text)) = left else {
            return Err(TOO_MANY_CELLS);
        };
        (self.cells, self.text) = (cells, text);
        sheet.cells.push(Cell {
            row,
            column,
            content: content.clone(),
        });
        Ok(())
    }
}

/// Whether a file's name says that it is a workbook.
pub fn is_workbook(name: &str) -> bool {
    let extension = extension(name);
    extension == "xlsx" || extension == "ods"
}

/// Whether a file's name says that it is a workbook of a kind that is not read.
pub fn is_other_workbook(name: &str) -> bool {
    let others = ["xls", "xlsm", "xlsb", "xltx", "fods", "ots", "numbers", "gsheet"];
    others.contains(&extension(name).as_str())
}

/// Whether a file is what Excel leaves beside a workbook while it is open.
pub fn is_lock_file(name: &str) -> bool {
    name.starts_with("~$")
}

fn extension(name: &str) -> String {
    name.rsplit_once('.')
        .map_or_else(String::new, |(_, extension)| extension.to_ascii_lowercase())
}

/// Reads the bytes of a workbook. Which kind it is, its contents say; its name must agree.
pub fn read(name: &str, bytes: &[u8]) -> Result<Vec<Sheet>, Problem> {
    if let Some(problem) = recognise(bytes) {
        return Err(problem);
    }
    let mut package = package::Package::open(bytes)?;
    let is_ods = package.has("content.xml");
    let is_xlsx = package.has("[Content_Types].xml") || package.has("xl/workbook.xml");
    let mut sheets = match (extension(name).as_str(), is_xlsx, is_ods) {
        ("xlsx", true, _) => xlsx::read(&mut package)?,
        ("ods", _, true) => ods::read(&mut package)?,
        ("xlsx", false, true) => {
            return Err(Problem::Other(
                "an OpenDocument file",
                "rename it to end in `.ods`",
            ));
        }
        ("ods", true, false) => {
            return Err(Problem::Other("an Excel workbook", "rename it to end in `.xlsx`"));
        }
        _ => {
            return Err(Problem::Other(
                "an archive that holds no workbook",
                "save the workbook again as `.xlsx` or `.ods`",
            ));
        }
    };
    for sheet in &mut sheets {
        sheet.settle();
    }
    Ok(sheets)
}

impl Sheet {
    /// Puts the cells in order; of two in one place the later counts.
    fn settle(&mut self) {
        let place = |cell: &Cell| (cell.row, cell.column);
        if self.cells.is_sorted_by(|a, b| place(a) < place(b)) {
            return;
        }
        self.cells.reverse();
        self.cells.sort_by_key(place);
        self.cells.dedup_by_key(|cell| place(cell));
    }
}

/// What a file that is no archive is, if it says.
fn recognise(bytes: &[u8]) -> Option<Problem> {
    const COMPOUND: &[u8] = &[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
    let again = "save it again as `.xlsx` or `.ods`";
    if bytes.is_empty() {
        return Some(Problem::Damaged("the file is empty".into()));
    }
    if bytes.starts_with(COMPOUND) {
        let encrypted: Vec<u8> = "EncryptedPackage".bytes().flat_map(|byte| [byte, 0]).collect();
        let protected = bytes.windows(encrypted.len()).any(|part| part == encrypted);
        return Some(if protected {
            Problem::Protected
        } else {
            Problem::Other("an old Excel file (`.xls`)", again)
        });
    }
    if bytes.starts_with(b"PK") {
        return None;
    }
    let start = &bytes[..bytes.len().min(4096)];
    let is_text = !start.contains(&0)
        && std::str::from_utf8(start).map_or_else(|error| error.valid_up_to() + 4 > start.len(), |_| true);
    let looks_like_markup = start.trim_ascii_start().starts_with(b"<");
    Some(match (is_text, looks_like_markup) {
        (true, true) => Problem::Other("a web page or an XML file", again),
        (true, false) => Problem::Text,
        _ => Problem::Damaged("the file is no archive, as every workbook is".into()),
    })
}

/// The rules of workbooks.
pub static RULES: &[&Rule] = &[
    &UNREADABLE_WORKBOOK,
    &DATE_CELL,
    &ERROR_CELL,
    &BOOLEAN_CELL,
    &RAISED_TEXT,
    &UNCALCULATED_CELL,
    &MERGED_CELLS,
    &MERGED_VALUES,
    &HIDDEN_CELLS,
];

/// A workbook cannot be read at all.
pub static UNREADABLE_WORKBOOK: Rule = Rule {
    code: "unreadable-workbook",
    severity: Severity::Error,
    summary: "a workbook is damaged, locked with a password, or none at all",
    explanation: "Of spreadsheets, `.xlsx` and `.ods` files are read, without a password and up to 4 million cells. Nothing \
                  of a workbook is read if a part of it cannot be: open it in the spreadsheet and save it again, or save \
                  its worksheets as “CSV UTF-8”.",
};

static DATE_CELL: Rule = Rule {
    code: "date-cell",
    severity: Severity::Error,
    summary: "a spreadsheet made a date or a time of what was typed",
    explanation: "A spreadsheet that is given `1/1` (a brigade), `4-11` (a range) or `Mar-03` stores a day of this year and \
                  forgets what was typed; formatting the cell afterwards does not bring it back. Mark the column, format \
                  its cells as text, and type the values again.\n\nDates in a column of dates and times in a column of \
                  times are taken as what they are: the cell `07:40` is the time `0740`.",
};

static ERROR_CELL: Rule = Rule {
    code: "error-cell",
    severity: Severity::Error,
    summary: "a cell holds an error such as `#REF!`",
    explanation: "The formula in the cell has no result: what it refers to was deleted, or is no number. Repair the formula \
                  in the spreadsheet, or type the value in its place.",
};

static BOOLEAN_CELL: Rule = Rule {
    code: "boolean-cell",
    severity: Severity::Error,
    summary: "a cell holds TRUE or FALSE where a name or a number is wanted",
    explanation: "A spreadsheet makes a truth value of the word `true` in any case and of a comparison such as `=A1=B1`. In a                   column of `yes` and `no` that is what was meant; elsewhere it is not. Format the column as text and type \
                  the value again.",
};

static RAISED_TEXT: Rule = Rule {
    code: "raised-text",
    severity: Severity::Error,
    summary: "a part of a cell is raised, as the marks of footnotes are",
    explanation: "In the spreadsheet `510` with a small raised `2` is the number 510 and the mark of a footnote; as text it                   would be 5102. The raised part is left out and reported, so that no number and no name grows by it. Delete                   it in the spreadsheet; a remark belongs in the column `note`. The raised letters of `1st` and `2nd` are                   not meant.",
};

static UNCALCULATED_CELL: Rule = Rule {
    code: "uncalculated-cell",
    severity: Severity::Error,
    summary: "a cell holds a formula, and the file does not hold its result",
    explanation: "Of a formula the result is read that the spreadsheet stored with it; formulas are not calculated here. A \
                  program that wrote the workbook without calculating stored none. Open the workbook in a spreadsheet and \
                  save it again.",
};

static MERGED_CELLS: Rule = Rule {
    code: "merged-cells",
    severity: Severity::Note,
    summary: "cells of a worksheet are merged, and no row lacks a value for it",
    explanation: "The value of merged cells counts for the first of them alone. A merged title above the header does no harm, \
                  nor do merged cells of one row whose others are to be empty. Where a row lacks the value it is an error, \
                  `merged-values`.",
};

static MERGED_VALUES: Rule = Rule {
    code: "merged-values",
    severity: Severity::Error,
    summary: "rows of a worksheet lack a value because their cells are merged with one above",
    explanation: "Four rows whose `formation` cells are merged are one row with a formation and three without: the \
                  spreadsheet shows the value over all of them and keeps it in the first. Undo the merging and fill the \
                  cells, which spreadsheets do with Ctrl-D.",
};

static HIDDEN_CELLS: Rule = Rule {
    code: "hidden-cells",
    severity: Severity::Note,
    summary: "a worksheet, or rows or columns of it, are hidden: they are read all the same",
    explanation: "What a filter or its author hid from view is still in the workbook and is read as everything else. \
                  Delete what must not count.",
};
