//! What can be wrong with a TOML file.

use crate::diagnostic::{Rule, Severity};

/// All rules of reading TOML files.
pub static RULES: &[&Rule] = &[
    &TOML_SYNTAX,
    &LONE_CARRIAGE_RETURN,
    &UNQUOTED_TEXT,
    &UNCLOSED_VALUE,
    &DUPLICATE_KEY,
    &UNUSABLE_NUMBER,
    &UNKNOWN_TABLE,
    &NOT_RECORDS,
    &PARENT_WITHOUT_ID,
    &REFERENCE_TWICE,
];

/// Any other syntax error.
pub static TOML_SYNTAX: Rule = Rule {
    code: "toml-syntax",
    severity: Severity::Error,
    summary: "a TOML file breaks the rules of TOML",
    explanation:
        "A line of a TOML file is a header in brackets, or a key, `=` and a value, or a remark that begins \
        with `#`. The message says what stands there instead. Nothing of the file is used until it is mended.

Wrong:

```toml
[[units]]
id: \"1-va\"
```

Right:

```toml
[[units]]
id = \"1-va\"
```
",
};

/// CR without LF.
pub static LONE_CARRIAGE_RETURN: Rule = Rule {
    code: "lone-carriage-return",
    severity: Severity::Warning,
    summary: "lines of a TOML file end with CR alone, which TOML does not know",
    explanation: "Programs of old Macintoshes end lines with CR. It is read here as the end of a line, but TOML knows only LF \
        and CRLF: editors and other programs take the file for one line, or refuse it. Save it with LF.",
};

/// A word that is no value.
pub static UNQUOTED_TEXT: Rule = Rule {
    code: "unquoted-text",
    severity: Severity::Error,
    summary: "a value in a TOML file is neither a number nor a text in straight quotes",
    explanation:
        "Texts stand between straight quotes. So do times without seconds, numbers that begin with a zero and \
        dates in words, because TOML would take them for damaged numbers. Word processors turn straight quotes into \
        curly ones, which do not count. `true` and `false` are written just so.

Wrong:

```toml
[[units]]
id = 1-va
arrives = 0740
```

Right:

```toml
[[units]]
id = \"1-va\"
arrives = \"0740\"
```
",
};

/// Something opened and never closed.
pub static UNCLOSED_VALUE: Rule = Rule {
    code: "unclosed-value",
    severity: Severity::Error,
    summary: "a text, list or table in a TOML file is not closed",
    explanation:
        "A quote, `[` or `{` that begins a value has no counterpart. The place is where the value is opened; \
        what follows is part of it and is not judged.

Wrong:

```toml
[[units]]
id = \"1-va\"
aliases = [\"1st Va\"
strength = 4
```

Right:

```toml
[[units]]
id = \"1-va\"
aliases = [\"1st Va\"]
strength = 4
```
",
};

/// A key twice.
pub static DUPLICATE_KEY: Rule = Rule {
    code: "duplicate-key",
    severity: Severity::Error,
    summary: "a key of a TOML table has two values",
    explanation:
        "A key stands once in a table, and a table under a header `[name]` stands once in a file. Remove one \
        of the two. A list of tables has a header in double brackets, `[[name]]`, which may be repeated.

Wrong:

```toml
[[units]]
id = \"1-va\"
strength = 4
strength = 5
```

Right:

```toml
[[units]]
id = \"1-va\"
strength = 5
```
",
};

/// A number that cannot be held.
pub static UNUSABLE_NUMBER: Rule = Rule {
    code: "unusable-number",
    severity: Severity::Error,
    summary: "a number in a TOML file is too large or is none",
    explanation:
        "Whole numbers go up to about nine million million million. TOML also knows `inf` and `nan`, which no \
        data can mean. A long row of digits is often an id and is then written as text.

Wrong:

```toml
[[units]]
id = 12345678901234567890
```

Right:

```toml
[[units]]
id = \"12345678901234567890\"
```
",
};

/// A key at the top that is no table.
pub static UNKNOWN_TABLE: Rule = Rule {
    code: "unknown-table",
    severity: Severity::Error,
    summary: "a TOML order of battle has a table of an unknown name",
    explanation:
        "The keys at the top of an order of battle are the names of tables, the same as those of the CSV \
        files.

Wrong:

```toml
[[unit]]
id = \"1-va\"
```

Right:

```toml
[[units]]
id = \"1-va\"
```
",
};

/// A table that is no list of records.
pub static NOT_RECORDS: Rule = Rule {
    code: "not-records",
    severity: Severity::Error,
    summary: "a table of a TOML order of battle is not a list of records",
    explanation:
        "Each record has a header in double brackets, even where there is only one. Inside a formation \
        `leader` and `effectiveness` are single tables and have single brackets.

Wrong:

```toml
[units]
id = \"1-va\"
```

Right:

```toml
[[units]]
id = \"1-va\"
```
",
};

/// A formation without id around other records.
pub static PARENT_WITHOUT_ID: Rule = Rule {
    code: "parent-without-id",
    severity: Severity::Error,
    summary: "a formation that holds other records has no id",
    explanation:
        "A record inside a formation belongs to it, and that is recorded by the formation's id. Without one \
        the records inside cannot be read.

Wrong:

```toml
[[formations]]
name = \"First Corps\"
[[formations.units]]
id = \"1-va\"
```

Right:

```toml
[[formations]]
id = \"i-corps\"
name = \"First Corps\"
[[formations.units]]
id = \"1-va\"
```
",
};

/// A nested record that also names its parent.
pub static REFERENCE_TWICE: Rule = Rule {
    code: "reference-twice",
    severity: Severity::Error,
    summary: "a record inside a formation also names a formation",
    explanation:
        "A record that stands inside a formation belongs to it. If it names one as well, the two can differ. \
        Remove the key, or move the record out.

Wrong:

```toml
[[formations]]
id = \"i-corps\"
[[formations.units]]
id = \"1-va\"
formation = \"ii-corps\"
```

Right:

```toml
[[formations]]
id = \"i-corps\"
[[formations.units]]
id = \"1-va\"
```
",
};
