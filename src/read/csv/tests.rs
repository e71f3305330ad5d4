use proptest::prelude::*;

use super::super::tests::{assert_spans, lines};
use super::walk::{Fault, Walk, is_blank};
use super::*;
use crate::record::Borrowed;

const KNOWN: [&str; 5] = ["id", "name", "formation", "strength", "gun_type"];

struct Outcome {
    files: Files,
    table: Table,
    headers: Vec<Header>,
    found: Vec<Diagnostic>,
}

fn read_as(text: &str, known: &[&str]) -> Outcome {
    let mut files = Files::default();
    let file = files.add("units.csv", text);
    let mut table = Table::new("units");
    let mut sink = Sink::default();
    let headers = read(&files, file, known, &mut table, &mut sink);
    let found = sink.sorted(&files);
    assert_spans(&files, &found);
    Outcome {
        files,
        table,
        headers,
        found,
    }
}

impl Outcome {
    fn lines(&self) -> Vec<String> {
        lines(&self.files, &self.found)
    }

    /// Each row as `column=value@line:column`.
    fn rows(&self) -> Vec<String> {
        let mut rows = Vec::new();
        for row in self.table.rows() {
            let mut cells = Vec::new();
            for (index, column) in self.table.columns().iter().enumerate() {
                if let Some(datum) = self.table.get(row, index) {
                    let place = self.files.place(datum.span);
                    cells.push(format!(
                        "{column}={}@{}:{}",
                        datum.value.to_cell(),
                        place.line,
                        place.column
                    ));
                }
            }
            rows.push(cells.join(" "));
        }
        rows
    }
}

/// The text with each kind of line ending, with and without byte-order mark.
fn variants(text: &str) -> Vec<String> {
    let mut variants = Vec::new();
    for newline in ["\n", "\r\n", "\r"] {
        for mark in ["", "\u{feff}"] {
            variants.push(format!("{mark}{}", text.replace('\n', newline)));
        }
    }
    variants
}

/// Reads the text in every variant and expects the same findings at the same places.
fn expect(text: &str, wanted: &[&str]) -> Outcome {
    let mut last = None;
    for variant in variants(text) {
        let outcome = read_as(&variant, &KNOWN);
        assert_eq!(outcome.lines(), wanted, "{variant:?}");
        last = Some(outcome);
    }
    last.unwrap()
}

#[test]
fn cells_have_exact_places() {
    for variant in
        variants("id,name,strength\na, \u{e9}t\u{e9} ,3\n\nb,\"x \"\"y\"\"\", 4\n\"c\"  ,\" z \",\n")
    {
        let outcome = read_as(&variant, &KNOWN);
        assert_eq!(outcome.lines(), [""; 0], "{variant:?}");
        assert_eq!(
            outcome.rows(),
            [
                "id=a@2:1 name=été@2:4 strength=3@2:9",
                "id=b@4:1 name=x \"y\"@4:4 strength=4@4:14",
                "id=c@5:2 name= z @5:8",
            ]
        );
        let slices: Vec<&str> = outcome
            .table
            .rows()
            .map(|row| outcome.files.slice(outcome.table.row_span(row)))
            .collect();
        assert_eq!(slices, ["a, été ,3", "b,\"x \"\"y\"\"\", 4", "\"c\"  ,\" z \","]);
        assert_eq!(outcome.files.slice(outcome.table.span(1, "name")), "x \"\"y\"\"");
        assert!(matches!(
            outcome.table.field(0, "name").unwrap().value,
            Borrowed::Raw(_)
        ));
        assert!(matches!(
            outcome.table.field(1, "name").unwrap().value,
            Borrowed::Typed(_)
        ));
        let headers: Vec<(&str, &str)> = outcome
            .headers
            .iter()
            .map(|header| (header.name.as_str(), outcome.files.slice(header.span)))
            .collect();
        assert_eq!(
            headers,
            [("id", "id"), ("name", "name"), ("strength", "strength")]
        );
    }
}

#[test]
fn line_breaks_in_quotes_belong_to_the_text() {
    let outcome = read_as("id,name\r\na,\"x\ny\"\r\nb,z\r\n", &KNOWN);
    assert_eq!(outcome.lines(), [""; 0]);
    assert_eq!(outcome.rows(), ["id=a@2:1 name=x\ny@2:4", "id=b@4:1 name=z@4:3"]);
}

#[test]
fn the_header_decides_the_separator() {
    for (text, name) in [
        ("id;name;strength\na;x, y;3\n", "x, y"),
        ("id\tname\na\tx, y\n", "x, y"),
        ("id|name\na|x; y\n", "x; y"),
        ("sep=;\nid;name\na;x, y\n", "x, y"),
        ("\"sep=|\"\nid|name\na|x\n", "x"),
        ("SEP=\t\nid\tname\na\tx\n", "x"),
        ("note, not known;id;name\n;a;x\n", "x"),
    ] {
        for variant in variants(text) {
            let outcome = read_as(&variant, &KNOWN);
            assert_eq!(outcome.lines(), [""; 0], "{variant:?}");
            assert_eq!(outcome.table.text(0, "name"), Some(name), "{variant:?}");
        }
    }
    expect(
        "sep=semicolon\nid;name\na;x\n",
        &["separator-line 1:1 \"sep=semicolon\""],
    );
    expect("sep=\nid;name\na;x\n", &["separator-line 1:1 \"sep=\""]);
}

#[test]
fn empty_rows_and_trailing_columns_are_passed_over() {
    let outcome = expect(
        "\n,,\nid,name,,\n,,,\na,x,,\n  , ,,,,,\nb\n\n,,,,,,,\n,,\n",
        &["empty-edge 9:1 \",,,,,,,\""],
    );
    assert_eq!(outcome.rows(), ["id=a@5:1 name=x@5:3", "id=b@7:1"]);
    assert_eq!(
        outcome.found[0].message,
        "2 empty rows and 2 empty columns at the edge of `units.csv` are ignored"
    );
    // A column without a name that has values is no empty one.
    expect("id,name,\na,x,y\n", &["unnamed-column 1:9 \"\""]);
}

#[test]
fn unknown_columns_are_read() {
    let outcome = expect("id,colour\na,red\n", &[]);
    assert_eq!(outcome.headers[1].name, "colour");
    assert_eq!(outcome.table.text(0, "colour"), Some("red"));
}

#[test]
fn with_no_known_names_any_header_will_do() {
    let outcome = read_as(";1;4-11\nN;8x;½x\n", &[]);
    assert_eq!(outcome.lines(), [""; 0]);
    let names: Vec<&str> = outcome
        .headers
        .iter()
        .map(|header| header.name.as_str())
        .collect();
    assert_eq!(names, ["", "1", "4-11"]);
    assert_eq!(outcome.rows(), ["=N@2:1 1=8x@2:3 4-11=½x@2:6"]);
}

#[test]
fn an_unclosed_quote_is_reported_where_it_opens() {
    let outcome = expect(
        "id,name\na,x\nb,\"y\nc,z\n\nd,w\n",
        &["unclosed-quote 3:3 \"\\\"\""],
    );
    assert_eq!(outcome.rows(), ["id=a@2:1 name=x@2:3"]);
    assert_eq!(
        outcome.found[0].message,
        "the quote that opens `\"y` is not closed and swallows 2 more rows"
    );
    expect("id,name\na,\"x", &["unclosed-quote 2:3 \"\\\"\""]);
    expect("\"Title\nid,name\na,x\n", &["unclosed-quote 1:1 \"\\\"\""]);
    expect(
        "Title\n\"and more\nid,name\na,x\n",
        &["unclosed-quote 2:1 \"\\\"\""],
    );
    expect("id,\"name\na,x\n", &["unclosed-quote 1:4 \"\\\"\""]);
}

#[test]
fn a_quote_closed_by_the_next_opening_one_is_unclosed_too() {
    let outcome = expect("id,name\na,\"x\nb,y\nc,\"z\"\n", &["unclosed-quote 2:3 \"\\\"\""]);
    let found = &outcome.found[0];
    assert_eq!(outcome.files.place(found.labels[0].span).line, 4);
    assert!(
        found.message.ends_with("swallows 2 more rows"),
        "{}",
        found.message
    );
}

#[test]
fn stray_quotes_are_reported_one_a_row() {
    let outcome = expect(
        "id,name\na,\"x\"y\nb, \"z\"\nc,4\" gun\nd,\"The \"Iron\" Brigade\"\n",
        &[
            "stray-quote 2:5 \"\\\"\"",
            "stray-quote 3:4 \"\\\"\"",
            "stray-quote 4:4 \"\\\"\"",
            "stray-quote 5:8 \"\\\"\"",
        ],
    );
    assert_eq!(outcome.rows()[1], "id=b@3:1 name=z@3:4");
    let help = |index: usize| outcome.found[index].help.clone().unwrap();
    assert!(help(0).contains("`\"\"\"x\"\"y\"`"), "{}", help(0));
    assert!(help(2).contains("`\"4\"\" gun\"`"), "{}", help(2));
    assert!(help(3).contains("`\"The \"\"Iron\"\" Brigade\"`"), "{}", help(3));
}

#[test]
fn one_row_has_one_cause() {
    // The comma separates cells because the quotes do not hold; that is not a second error.
    expect("id,name\na, \"x, y\"\n", &["stray-quote 2:4 \"\\\"\""]);
}

#[test]
fn headers_that_stand_twice_or_are_missing() {
    let outcome = expect("id,name,ID\na,x,b\n", &["duplicate-column 1:9 \"ID\""]);
    assert_eq!(outcome.files.slice(outcome.found[0].labels[0].span), "id");
    assert_eq!(outcome.rows(), ["id=a@2:1 name=x@2:3"]);
    let outcome = expect("id,,name\na,,x\nb,3,y\nc,4,z\n", &["unnamed-column 1:4 \"\""]);
    assert_eq!(outcome.files.slice(outcome.found[0].labels[0].span), "3");
}

#[test]
fn a_file_without_header_says_what_was_read() {
    let outcome = expect("a,x\nb,y\n", &["no-header 1:1 \"a,x\""]);
    assert!(outcome.found[0].message.contains("`a`, `x`"));
    assert!(outcome.found[0].help.as_ref().unwrap().contains("`gun_type`"));
    assert!(outcome.headers.is_empty() && outcome.rows().is_empty());
}

#[test]
fn names_are_recognised_in_other_spellings() {
    let outcome = expect(
        "id , Gun Type,name\u{a0}\na,x,y\n",
        &[
            "column-spelling 1:1 \"id \"",
            "column-spelling 1:6 \"Gun Type\"",
            "column-spelling 1:15 \"name\u{a0}\"",
        ]
        .map(|line| line.replace('\u{a0}', "\\u{a0}"))
        .each_ref()
        .map(String::as_str),
    );
    assert_eq!(outcome.found[2].note, "with a no-break space behind it");
    assert_eq!(outcome.rows(), ["id=a@2:1 gun_type=x@2:3 name=y@2:5"]);
}

#[test]
fn titles_above_the_header_are_passed_over() {
    let outcome = expect(
        "Order of battle\n\n,,Guns\nid,name,gun_type\na,x,N\n",
        &["text-above-header 1:1 \"Order of battle\""],
    );
    assert!(outcome.found[0].message.starts_with("2 rows above"));
    assert_eq!(outcome.rows().len(), 1);
    // One known word in a row of data does not make it a header.
    expect("a,x,3\nb,name,4\n", &["no-header 1:1 \"a,x,3\""]);
}

#[test]
fn an_encoding_above_the_header_is_recognised() {
    let outcome = expect("UTF-8\nid,name\na,x\n", &["text-above-header 1:1 \"UTF-8\""]);
    assert_eq!(outcome.found[0].note, "the name of an encoding");
}

#[test]
fn a_header_may_be_spread_over_two_rows() {
    let below = expect("id,,strength\n,name,\na,x,3\n", &["split-header 2:2 \"name\""]);
    assert_eq!(below.rows(), ["id=a@3:1 strength=3@3:5 name=x@3:3"]);
    let above = expect(",name,\nid,,strength\na,x,3\n", &["split-header 1:2 \"name\""]);
    assert_eq!(above.rows(), ["id=a@3:1 name=x@3:3 strength=3@3:5"]);
    // A record whose name is that of a column is a record.
    let outcome = expect("id,name,strength\nname,,\n", &[]);
    assert_eq!(outcome.rows().len(), 1);
}

#[test]
fn rows_that_are_no_records_are_told_once_a_kind() {
    let outcome = expect(
        "id,name,strength\n,,(men)\nNorth Brigade\na,x,3\nSouth Brigade,,\nb,y,4\nTotal,,7\nSum: both,,\"1,007\"\n* estimated\nNote: a, b and c\n",
        &[
            "units-row 2:1 \",,(men)\"",
            "heading-row 3:1 \"North Brigade\"",
            "totals-row 7:1 \"Total,,7\"",
            "text-below-table 9:1 \"* estimated\"",
        ],
    );
    assert_eq!(outcome.rows().len(), 2);
    assert!(outcome.found.iter().skip(1).all(|found| found.labels.len() == 1));
}

#[test]
fn records_that_look_a_little_like_something_else_are_records() {
    // An id alone lacks the rest, a name like `Total` is a name, a unit named by its kind is a unit.
    let outcome = expect("id,name,strength\na\nb,Total,3\ntotal-1,x,4\nc,men,5\n", &[]);
    assert_eq!(outcome.rows().len(), 4);
    let outcome = read_as("unit,men\n1 Va,\n2 Va,3\n", &["unit", "men"]);
    assert_eq!((outcome.lines().len(), outcome.rows().len()), (0, 2));
}

#[test]
fn rows_with_a_fault_are_known_to_be_unsound() {
    let outcome = read_as("id,name\na,x\nb,4\" gun\nc,y, z\n", &KNOWN);
    let sound: Vec<bool> = outcome
        .table
        .rows()
        .map(|row| !outcome.table.row(row).unsound)
        .collect();
    assert_eq!(sound, [true, false, false]);
}

#[test]
fn a_ditto_mark_in_quotes_is_suspected() {
    let outcome = expect("id,name\na,x\n\",y\n", &["unclosed-quote 3:1 \"\\\"\""]);
    assert!(outcome.found[0].help.as_ref().unwrap().contains("ditto mark"));
}

#[test]
fn a_repeated_header_is_no_row() {
    let outcome = expect(
        "id,name\na,x\nID,Name\nb,y\n",
        &["repeated-header 3:1 \"ID,Name\""],
    );
    assert_eq!(outcome.rows().len(), 2);
}

#[test]
fn rows_that_are_too_long() {
    let outcome = expect(
        "id,name,strength\na,x, y,3\nb,z,4\nc,w,5,,\n",
        &["too-many-cells 2:8 \"3\""],
    );
    assert_eq!(outcome.files.slice(outcome.found[0].labels[0].span), "x, y");
    assert!(outcome.found[0].help.as_ref().unwrap().contains("`\"x, y\"`"));
    // Where most rows are too long it is the header that is too short.
    expect("id,name\na,x,1\nb,y,2\nc,z,3\n", &["too-many-cells 2:5 \"1\""]);
}

#[test]
fn damage_to_the_file_as_a_whole() {
    expect("", &["empty-file 1:1 \"\""]);
    expect("\n  \n,,,\n", &["empty-file 1:1 \"\""]);
    let outcome = expect("id,name\na,x\n\u{1a}", &["ctrl-z 3:1 \"\\u{1a}\""]);
    assert_eq!(outcome.rows().len(), 1);
    expect("id,name\na,x\u{1a}\u{1a}\n\n", &["ctrl-z 2:4 \"\\u{1a}\""]);
    let outcome = expect("id,name\na,x\0y\n", &["nul-byte 2:4 \"\\0\""]);
    assert_eq!(outcome.rows().len(), 1);
    let utf16: String = "id,name\na,x\n".chars().flat_map(|c| [c, '\0']).collect();
    let outcome = read_as(&utf16, &KNOWN);
    assert_eq!(outcome.lines(), ["nul-byte 1:2 \"\\0\""]);
    assert!(outcome.found[0].help.as_ref().unwrap().contains("UTF-16"));
}

#[test]
fn mixed_line_endings_are_reported_once() {
    let outcome = read_as("id,name\r\na,x\r\nb,y\nc,\"p\rq\"\r\nd,z\n", &KNOWN);
    assert_eq!(outcome.lines(), ["mixed-line-endings 3:4 \"\\n\""]);
    assert_eq!(
        outcome.found[0].message,
        "the line endings of `units.csv` are mixed: 3 lines with CRLF, 2 lines with LF"
    );
    assert_eq!(outcome.rows().len(), 4);
}

#[test]
fn a_second_file_adds_its_rows_and_columns() {
    let mut files = Files::default();
    let one = files.add("a.csv", "id,name\na,x\n");
    let two = files.add("b.csv", "strength,id\n3,b\n");
    let mut table = Table::new("units");
    let mut sink = Sink::default();
    read(&files, one, &KNOWN, &mut table, &mut sink);
    read(&files, two, &KNOWN, &mut table, &mut sink);
    assert!(sink.sorted(&files).is_empty());
    assert_eq!(table.text(1, "id"), Some("b"));
    assert_eq!(table.text(1, "strength"), Some("3"));
    assert_eq!(table.span(1, "id").file, two);
}

#[test]
fn time_is_linear() {
    // Each of these is quadratic in a reader that looks ahead for every quote.
    let rows = 200_000;
    for row in [
        "a,\"x\"\"y\"\"\",\"\n\"\n",
        "a,\"x\n",
        "a,x\"y\n",
        " \"a, \"b\n",
        "a,\"b\"c\n",
    ] {
        let text = format!("id,name\n{}", row.repeat(rows));
        read_as(&text, &KNOWN);
    }
}

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a", "é", ",", "\"", "\n", "\r\n", "\r", ";", "\t", "|", "\u{feff}", "\0", " ", "id", "name",
        "\"b c\"", "\u{1a}", "sep=", "\u{a0}",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn cells_are_those_of_the_csv_crate(text in pieces(), delimiter in prop::sample::select(DELIMITERS.to_vec())) {
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let text = text.trim_start_matches('\u{feff}');
        let mut reader = ::csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter)
            .from_reader(text.as_bytes());
        let mut walk = Walk::new(text, 0, text.len(), delimiter);
        let mut record = ::csv::ByteRecord::new();
        let mut end = 0;
        while reader.read_byte_record(&mut record).unwrap() {
            prop_assert!(walk.advance());
            prop_assert_eq!(walk.cells.len(), record.len(), "{:?}", walk.cells);
            for (cell, decoded) in walk.cells.iter().zip(&record) {
                let decoded = std::str::from_utf8(decoded).unwrap();
                // The row is tiled by cells with one separator between them.
                prop_assert!(cell.raw.start >= end);
                end = cell.raw.end;
                prop_assert!(text.get(cell.raw.clone()).is_some() && text.get(cell.content.clone()).is_some());
                prop_assert!(cell.raw.start <= cell.content.start && cell.content.end <= cell.raw.end);
                let value = cell.text(&walk);
                match cell.fault {
                    Some(Fault::BeforeOpening { .. } | Fault::Unclosed { closed_by: None }) => {}
                    None if cell.quoted => {
                        let rest = decoded.strip_prefix(value);
                        prop_assert!(rest.is_some_and(|rest| rest.bytes().all(is_blank)), "{:?} {:?}", cell, decoded);
                    }
                    _ if cell.quoted => prop_assert_eq!(value, decoded),
                    _ => prop_assert_eq!(value, decoded.trim_matches([' ', '\t'])),
                }
            }
        }
        prop_assert!(!walk.advance());
    }

    #[test]
    fn any_text_is_read(text in pieces(), header in prop::sample::select(vec!["", "id,name\n", "id;name\r\n"])) {
        let text = format!("{header}{text}");
        for known in [&KNOWN[..], &[]] {
            let outcome = read_as(&text, known);
            let text = outcome.files.text(FileId(0));
            for header in &outcome.headers {
                prop_assert!(text.get(header.span.start as usize..header.span.end as usize).is_some());
            }
            for row in outcome.table.rows() {
                let whole = outcome.table.row_span(row);
                prop_assert!(text.get(whole.start as usize..whole.end as usize).is_some());
                for column in 0..outcome.table.columns().len() {
                    let Some(datum) = outcome.table.get(row, column) else { continue };
                    prop_assert!(whole.start <= datum.span.start && datum.span.end <= whole.end);
                    let slice = text.get(datum.span.start as usize..datum.span.end as usize);
                    prop_assert!(slice.is_some());
                    if let Borrowed::Raw(raw) = datum.value {
                        prop_assert_eq!(Some(raw), slice);
                    }
                }
            }
        }
    }
}
