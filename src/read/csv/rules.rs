//! What can be wrong with a CSV file.

use crate::diagnostic::{Rule, Severity};

/// All rules of reading CSV files.
pub static RULES: &[&Rule] = &[
    &EMPTY_FILE,
    &NUL_BYTE,
    &CTRL_Z,
    &MIXED_LINE_ENDINGS,
    &SEPARATOR_LINE,
    &NO_HEADER,
    &TEXT_ABOVE_HEADER,
    &COLUMN_SPELLING,
    &DUPLICATE_COLUMN,
    &UNNAMED_COLUMN,
    &REPEATED_HEADER,
    &UNCLOSED_QUOTE,
    &STRAY_QUOTE,
    &FOREIGN_QUOTES,
    &ROW_OF_ANOTHER_SEPARATOR,
    &TOO_MANY_CELLS,
    &SPLIT_HEADER,
    &UNITS_ROW,
    &HEADING_ROW,
    &ROW_IN_QUOTES,
    &RULED_ROW,
    &COMMENT_ROW,
    &TOTALS_ROW,
    &TEXT_BELOW_TABLE,
    &EMPTY_EDGE,
];

/// A file without rows.
pub static EMPTY_FILE: Rule = Rule {
    code: "empty-file",
    severity: Severity::Error,
    summary: "a file holds nothing",
    explanation: "A table's file has no row, not even a header, or a TOML file has no key. Often a program was stopped while it \
        saved. Write the names of the columns in the first row, or delete the file: a table that has no file is simply empty.",
};

/// NUL bytes.
pub static NUL_BYTE: Rule = Rule {
    code: "nul-byte",
    severity: Severity::Error,
    summary: "a text holds NUL bytes",
    explanation: "No text holds the byte 0. Many of them mean that the file is UTF-16: save it again as “CSV UTF-8”. \
        A few mean that it was damaged on a disk or in a transfer: look at the place and delete them.",
};

/// A Ctrl-Z at the end.
pub static CTRL_Z: Rule = Rule {
    code: "ctrl-z",
    severity: Severity::Note,
    summary: "a text ends with a Ctrl-Z character",
    explanation: "Programs for CP/M and DOS ended a text with the character 1A (Ctrl-Z). It is not part of the table \
        and is ignored. Delete it, or save the file again with a present-day program.",
};

/// Several kinds of line endings.
pub static MIXED_LINE_ENDINGS: Rule = Rule {
    code: "mixed-line-endings",
    severity: Severity::Warning,
    summary: "the rows of one file end in different ways",
    explanation: "Lines end with LF on Unix, with CRLF on Windows and ended with CR on old Macintoshes. All three are \
        read, but a file that mixes them was put together from parts and shows differently in different programs. \
        Save it again with one kind. Line breaks inside a quoted cell do not count.",
};

/// A bad `sep=` line.
pub static SEPARATOR_LINE: Rule = Rule {
    code: "separator-line",
    severity: Severity::Error,
    summary: "the line `sep=` does not name one separator",
    explanation:
        "A first line `sep=;` tells which character stands between the cells. It must name exactly one, a \
        punctuation mark or a tab, and the one that is in the file.

Wrong:

```csv
sep=semicolon
id;name
1-va;1st Va
```

Right:

```csv
sep=;
id;name
1-va;1st Va
```

Without the line the separator is found from the names of the columns, so it can simply be removed.",
};

/// No header row.
pub static NO_HEADER: Rule = Rule {
    code: "no-header",
    severity: Severity::Error,
    summary: "no row names the table's columns",
    explanation:
        "Columns are found by their names, in any order. No row near the top of the file holds the name of a \
        column that the table can have, so nothing of the file was read.

Wrong:

```csv
1-va,1st Va
2-va,2nd Va
```

Right:

```csv
id,name
1-va,1st Va
2-va,2nd Va
```
",
};

/// Rows above the header.
pub static TEXT_ABOVE_HEADER: Rule = Rule {
    code: "text-above-header",
    severity: Severity::Warning,
    summary: "rows above the header are not read",
    explanation:
        "A title, the name of an encoding or a row of group headings stands above the row that names the \
        columns. It is passed over. Remove it, so that every program finds the header in the first row.

Wrong:

```csv
Army of Northern Virginia
id,name
1-va,1st Va
```

Right:

```csv
id,name
1-va,1st Va
```
",
};

/// A column name spelled in another way.
pub static COLUMN_SPELLING: Rule = Rule {
    code: "column-spelling",
    severity: Severity::Warning,
    summary: "a column's name is spelled with other capitals, blanks or hyphens",
    explanation: "The name in the header differs from the column's name only in capitals, blanks, hyphens or \
        characters that cannot be seen, such as a no-break space. It is read as that column; write it as it is.

Wrong:

```csv
ID,name
1-va,1st Va
```

Right:

```csv
id,name
1-va,1st Va
```
",
};

/// One column twice.
pub static DUPLICATE_COLUMN: Rule = Rule {
    code: "duplicate-column",
    severity: Severity::Error,
    summary: "two columns of one file have the same name",
    explanation:
        "Two header cells name the same column, so it is unclear which of two values a row means. Rename or \
        remove one. Until then the first of the two is read.

Wrong:

```csv
id,name,name
1-va,1st Va,First Virginia
```

Right:

```csv
id,name,note
1-va,1st Va,First Virginia
```
",
};

/// Values without a header.
pub static UNNAMED_COLUMN: Rule = Rule {
    code: "unnamed-column",
    severity: Severity::Error,
    summary: "a column has values but no name",
    explanation:
        "A header cell is empty while cells below it are not. Such values would be lost silently. Name the \
        column or empty its cells; a column that is wholly empty is ignored.

Wrong:

```csv
id,,name
1-va,120,1st Va
```

Right:

```csv
id,strength,name
1-va,120,1st Va
```
",
};

/// The header again.
pub static REPEATED_HEADER: Rule = Rule {
    code: "repeated-header",
    severity: Severity::Warning,
    summary: "the header is repeated among the rows",
    explanation:
        "A row says the same as the header. That happens when files are joined or when a printed table \
        repeats its heading on each page. The row is passed over; remove it.

Wrong:

```csv
id,name
1-va,1st Va
id,name
2-va,2nd Va
```

Right:

```csv
id,name
1-va,1st Va
2-va,2nd Va
```
",
};

/// A quote without an end.
pub static UNCLOSED_QUOTE: Rule = Rule {
    code: "unclosed-quote",
    severity: Severity::Error,
    summary: "a quoted cell is not closed and swallows the rows that follow",
    explanation: "A cell that begins with a quote goes on to the next quote, over line ends too. If that is missing, \
        all that follows becomes one cell. The place is where the quote is opened; the rest of the file is not read. \
        A quote that belongs to the text is doubled.

Wrong:

```csv
id,name
1-va,\"1st Va
2-va,2nd Va
```

Right:

```csv
id,name
1-va,\"1st Va\"
2-va,2nd Va
```
",
};

/// A quote in the wrong place.
pub static STRAY_QUOTE: Rule = Rule {
    code: "stray-quote",
    severity: Severity::Error,
    summary: "a quote stands where it neither opens nor closes a cell",
    explanation: "Quotes surround a whole cell, directly between the separators; a quote that belongs to the text is \
        doubled, and then the cell must be quoted. Programs read a cell that does otherwise in different ways, and \
        commas in it separate cells.

Wrong:

```csv
id,name
1-va,\"1st Va\" Cavalry
2-va,The \"Bloody\" 2nd
```

Right:

```csv
id,name
1-va,\"\"\"1st Va\"\" Cavalry\"
2-va,\"The \"\"Bloody\"\" 2nd\"
```
",
};

/// A row that is too long.
pub static TOO_MANY_CELLS: Rule = Rule {
    code: "too-many-cells",
    severity: Severity::Error,
    summary: "a row has more cells than the header has names",
    explanation: "Most often a text holds the separator and is not quoted, so that it became two cells and all after \
        it stand in the wrong column. Quote the text. Empty cells at the end of a row do no harm, and cells that are \
        missing there are empty.

Wrong:

```csv
id,name,strength
1-va,1st Va, Co. A,120
```

Right:

```csv
id,name,strength
1-va,\"1st Va, Co. A\",120
```
",
};

/// A header over two rows.
pub static SPLIT_HEADER: Rule = Rule {
    code: "split-header",
    severity: Severity::Warning,
    summary: "the names of the columns stand in two rows",
    explanation: "Where a header cell is empty and the cell above or below it is the name of a column, that name is read; a row below it that \
        names the same columns once more, for readers, is passed over. Write all names in one row, so that every program finds them.

Wrong:

```csv
id,,strength
,name,
1-va,1st Va,120
```

Right:

```csv
id,name,strength
1-va,1st Va,120
```
",
};

/// Quotes that do not quote.
pub static FOREIGN_QUOTES: Rule = Rule {
    code: "foreign-quotes",
    severity: Severity::Warning,
    summary: "a whole cell stands in quotes that CSV does not know",
    explanation: "Only the straight double quote encloses a cell. Apostrophes and curly quotes around one belong to its text, so \
        that `'1st Va'` is another name than `1st Va`, and a separator between them divides the cell.

Wrong:

```csv
id,name
1-va,'1st Va'
```

Right:

```csv
id,name
1-va,\"1st Va\"
```
",
};

/// A row pasted from another file.
pub static ROW_OF_ANOTHER_SEPARATOR: Rule = Rule {
    code: "row-of-another-separator",
    severity: Severity::Error,
    summary: "a row is separated by another character than the header",
    explanation: "The row has one cell, which `;`, a tab or `|` divides into as many cells as the header has: it comes from another \
        file. It is read as if it were separated by that character. `--fix` writes the separator of the header.

Wrong:

```csv
id,name,strength
1-va;1st Va;120
```

Right:

```csv
id,name,strength
1-va,1st Va,120
```
",
};

/// Units of measure.
pub static UNITS_ROW: Rule = Rule {
    code: "units-row",
    severity: Severity::Warning,
    summary: "the row below the header names units of measure or types",
    explanation: "A row such as `,,(men)` is no record and is not read. The unit of an attribute is declared with it in \
        `game.toml`.

Wrong:

```csv
id,name,strength
,,(men)
1-va,1st Va,120
```

Right:

```csv
id,name,strength
1-va,1st Va,120
```
",
};

/// A heading inside the table.
pub static HEADING_ROW: Rule = Rule {
    code: "heading-row",
    severity: Severity::Warning,
    summary: "a row with one cell stands among the records like a heading",
    explanation: "Printed tables put the name of a brigade above its regiments. Such a row is not read, and nothing is concluded from \
        it: what a record belongs to stands in a cell of its own.

Wrong:

```csv
id,name,formation
First Brigade
1-va,1st Va,1/1/I
```

Right:

```csv
id,name,formation
1-va,1st Va,1/1/I
```
",
};

/// A record in quotes.
pub static ROW_IN_QUOTES: Rule = Rule {
    code: "row-in-quotes",
    severity: Severity::Error,
    summary: "a whole record stands in quotes, so that it is one cell",
    explanation: "Some programs put quotes around each line when they save a table, or when lines are pasted into one column. \
        Then the commas separate nothing.

Wrong:

```csv
id,name,formation
\"1-va,1st Va,1/1/I\"
```

Right:

```csv
id,name,formation
1-va,1st Va,1/1/I
```
",
};

/// A row of lines.
pub static RULED_ROW: Rule = Rule {
    code: "ruled-row",
    severity: Severity::Warning,
    summary: "a row of lines stands among the rows of a table",
    explanation: "Markdown puts `---` in every cell of the row below a header, and people draw lines between groups of rows. \
        Such a row has no values and is not read. Remove it.

Wrong:

```csv
id,name
---,---
1-va,1st Va
```

Right:

```csv
id,name
1-va,1st Va
```
",
};

/// A row that begins like a comment.
pub static COMMENT_ROW: Rule = Rule {
    code: "comment-row",
    severity: Severity::Warning,
    summary: "a row of a table begins with `#`, like a comment",
    explanation: "Tables have no comments: a spreadsheet would show them as records, and other programs read them so. The row \
        is not read. Remove it; a remark belongs in the column `note`, and what is to be allowed in a table stands in \
        `[[lints]]` of the game's `game.toml`.

Wrong:

```csv
id,name
#1-va,1st Va
2-va,2nd Va
```

Right:

```csv
id,name
2-va,2nd Va
```
",
};

/// A row of totals.
pub static TOTALS_ROW: Rule = Rule {
    code: "totals-row",
    severity: Severity::Warning,
    summary: "a row of totals stands in a table of records",
    explanation: "A row that begins with `Total` or `Sum` and holds only numbers is no record and is not read. Totals are calculated \
        from the records; printed ones to check against belong in a table of their own, such as `effectiveness`.

Wrong:

```csv
id,name,strength
1-va,1st Va,120
Total,,120
```

Right:

```csv
id,name,strength
1-va,1st Va,120
```
",
};

/// Remarks below the table.
pub static TEXT_BELOW_TABLE: Rule = Rule {
    code: "text-below-table",
    severity: Severity::Warning,
    summary: "rows below the records are remarks and not read",
    explanation: "Footnotes and sources below a printed table are no records. They are passed over; put them into a `note` column of \
        the records that they are about, or into another file.

Wrong:

```csv
id,name,strength
1-va,1st Va,120
* Strength is estimated
```

Right:

```csv
id,name,strength,note
1-va,1st Va,120,estimated
```
",
};

/// Empty rows and columns.
pub static EMPTY_EDGE: Rule = Rule {
    code: "empty-edge",
    severity: Severity::Note,
    summary: "empty rows or columns at the edge of a table are ignored",
    explanation: "Spreadsheets save every row and column that was ever touched, and empty ones become rows of separators. They do no \
        harm; without them the file is easier to compare.

Wrong:

```csv
id,name,,
1-va,1st Va,,
,,,
```

Right:

```csv
id,name
1-va,1st Va
```
",
};
