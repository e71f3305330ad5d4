//! What programs do to cells.

use crate::diagnostic::{Rule, Severity};

/// All rules of damaged cells, for the list of rules.
pub static RULES: &[&Rule] = &[
    &BECAME_DATE,
    &SCIENTIFIC_NOTATION,
    &LOST_ZERO,
    &SPREADSHEET_RESIDUE,
    &NOT_PLAIN_NUMBER,
    &LOOKALIKE_CHARACTER,
    &INVISIBLE_CHARACTER,
    &WRITTEN_NOTHING,
    &DITTO_MARK,
    &SHIFTED_CELL,
    &MIXED_APOSTROPHES,
];

/// A word that was taken for a date.
pub static BECAME_DATE: Rule = Rule {
    code: "became-date",
    severity: Severity::Error,
    summary: "a cell holds a date as a spreadsheet writes it, made of a designation, a number or another date",
    explanation: "Spreadsheets take `8/1` for the first of August or the eighth of January and show `8-Jan`, `Aug-01`, \
        `2024-01-08` or, without a format, `45299`. What was typed cannot be told from it: look it up. Set the column to \
        text before typing. The message lists what it may have been, what the project knows first.

Wrong:

```csv
id,formation,kind,name
1-va,8-Jan,foot,1st Va
```

Right:

```csv
id,formation,kind,name
1-va,8/1/I,foot,1st Va
```
",
};

/// `1E+05`.
pub static SCIENTIFIC_NOTATION: Rule = Rule {
    code: "scientific-notation",
    severity: Severity::Error,
    summary: "a cell holds a number as `1.00E+05`, in which digits may be lost",
    explanation: "Spreadsheets show long numbers, and words like `1E5`, as a power of ten, and save what they show. Digits \
        that are not shown are gone. Look the value up, set the column to text and type it again.

Wrong:

```csv
unit,men
1 Va,4.1E+02
```

Right:

```csv
unit,men
1 Va,412
```
",
};

/// A time with fewer than four digits.
pub static LOST_ZERO: Rule = Rule {
    code: "lost-zero",
    severity: Severity::Error,
    summary: "a time lost its first zero or was written with a colon",
    explanation: "Times have four digits: `0740`. Spreadsheets take that for the number 740, or show `7:40`. Set the column to \
        text. `--fix` writes the four digits.

Wrong:

```csv
id,side,day,time,kind,areas,units
first,red,1863-07-01,740,arrives,A,1 Va
```

Right:

```csv
id,side,day,time,kind,areas,units
first,red,1863-07-01,0740,arrives,A,1 Va
```
",
};

/// Formulas, error values, apostrophes.
pub static SPREADSHEET_RESIDUE: Rule = Rule {
    code: "spreadsheet-residue",
    severity: Severity::Error,
    summary: "a cell holds a formula, an error value or a mark that only a spreadsheet understands",
    explanation: "`=SUM(D2:D9)` is a formula, `#REF!` and `#N/A` are errors of one, `####` is what is shown where a column is too \
        narrow, and an apostrophe before a number marks it as text. None of them is the value. In the spreadsheet, paste \
        the column as values, and save again.

Wrong:

```csv
unit,men
1 Va,=SUM(D2:D9)
2 Va,'0412
```

Right:

```csv
unit,men
1 Va,412
2 Va,412
```
",
};

/// A number with something about it.
pub static NOT_PLAIN_NUMBER: Rule = Rule {
    code: "not-plain-number",
    severity: Severity::Error,
    summary: "a number carries a footnote's mark, a fraction, separators or a unit",
    explanation: "Numbers are digits alone, with a point before decimals: no `3*`, `2½`, `1,200`, `2,5` or `4 SP`. A remark belongs \
        in the column `note`, a unit in the column's name. Where only one number can be meant `--fix` writes it.

Wrong:

```csv
unit,men
1 Va,\"1,200\"
2 Va,412*
```

Right:

```csv
unit,men,note
1 Va,1200,
2 Va,412,estimated
```
",
};

/// A character that is not the one it looks like.
pub static LOOKALIKE_CHARACTER: Rule = Rule {
    code: "lookalike-character",
    severity: Severity::Error,
    summary: "a value does not fit because of a character that looks like another or cannot be seen",
    explanation: "The letter O for a zero, l for a one, digits of full width, a dash for a hyphen, a curly apostrophe in an id, a \
        no-break space, a character without width: the value reads well and fits nothing. `--fix` writes it with the \
        characters that are meant.

Wrong:

```csv
unit,men
1 Va,41O
```

Right:

```csv
unit,men
1 Va,410
```
",
};

/// A character that cannot be seen, where it does no harm.
pub static INVISIBLE_CHARACTER: Rule = Rule {
    code: "invisible-character",
    severity: Severity::Warning,
    summary: "cells of a column hold characters that cannot be seen",
    explanation: "Soft hyphens, spaces without width and no-break spaces come with text that is copied from web pages and books. They \
        hinder searching and sorting and show up in print. `--fix` removes them all and writes plain spaces for no-break \
        ones. One finding stands for all cells of a column.

Wrong:

```csv
id,name
1-va,1st\u{a0}Va
```

Right:

```csv
id,name
1-va,1st Va
```
",
};

/// Two kinds of apostrophes.
pub static MIXED_APOSTROPHES: Rule = Rule {
    code: "mixed-apostrophes",
    severity: Severity::Warning,
    summary: "some names have curly apostrophes and others straight ones",
    explanation: "Text that passed through a word processor has curly apostrophes, text typed into a spreadsheet straight ones. \
        References find names with either, but sheets and counters show the difference. Use one kind. One finding stands \
        for all names of a table.

Wrong:

```csv + oob/demo/units.csv
red-6,red-south,foot,Hay's Foot,,300,R
red-7,red-south,foot,Lee’s Foot,,300,R
```

Right:

```csv + oob/demo/units.csv
red-6,red-south,foot,Hay's Foot,,300,R
red-7,red-south,foot,Lee's Foot,,300,R
```
",
};

/// `n/a`.
pub static WRITTEN_NOTHING: Rule = Rule {
    code: "written-nothing",
    severity: Severity::Error,
    summary: "a cell says “nothing” with a dash or `n/a` instead of being empty",
    explanation: "A dash or `n/a` would be a value like any other: a name, or text where a number belongs. Leave the cell empty, or \
        write `?` where it is known that nobody knows the value. `--fix` empties it.

Wrong:

```csv
unit,men
1 Va,n/a
```

Right:

```csv
unit,men
1 Va,
```
",
};

/// “The same as above”.
pub static DITTO_MARK: Rule = Rule {
    code: "ditto-mark",
    severity: Severity::Error,
    summary: "a cell refers to the one above it",
    explanation: "A ditto mark, `do.` or `″`, means the cell above it only as long as the rows stay in their order. Write the value \
        itself, as `--fix` does.

Wrong:

```csv
id,formation,kind,name
1-va,1/1/I,foot,1st Va
2-va,do.,foot,2nd Va
```

Right:

```csv
id,formation,kind,name
1-va,1/1/I,foot,1st Va
2-va,1/1/I,foot,2nd Va
```
",
};

/// A value of the next column.
pub static SHIFTED_CELL: Rule = Rule {
    code: "shifted-cell",
    severity: Severity::Error,
    summary: "a value stands in the column beside its own",
    explanation: "The value does not fit its column, fits the one beside it, and that one is empty. Somebody typed it one cell too far, \
        or a separator is missing. Move it.

Wrong:

```csv
id,formation,kind,name,strength,weapon
1-va,1/1/I,foot,1st Va,R,
```

Right:

```csv
id,formation,kind,name,strength,weapon
1-va,1/1/I,foot,1st Va,,R
```
",
};
