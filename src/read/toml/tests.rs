use proptest::prelude::*;

use super::super::tests::{assert_spans, lines};
use super::*;
use crate::record::Records;

const TABLES: [&str; 4] = ["formations", "units", "leaders", "effectiveness"];

fn parsed(text: &str) -> (Files, Option<Node>, Vec<Diagnostic>) {
    let mut files = Files::default();
    let file = files.add("oob.toml", text);
    let mut sink = Sink::default();
    let node = parse(&files, file, &mut sink);
    let found = of_text(sink.sorted(&files), text);
    assert_spans(&files, &found);
    assert_eq!(node.is_none(), !found.is_empty(), "{text:?}");
    (files, node, found)
}

/// Parses the text with each kind of line ending and expects the same findings at the same places.
fn expect(text: &str, wanted: &[&str]) -> Vec<Diagnostic> {
    let mut last = Vec::new();
    for newline in ["\n", "\r\n", "\r"] {
        for mark in ["", "\u{feff}"] {
            let variant = format!("{mark}{}", text.replace('\n', newline));
            let (files, _, found) = parsed(&variant);
            assert_eq!(lines(&files, &found), wanted, "{variant:?}");
            last = found;
        }
    }
    last
}

fn help(found: &[Diagnostic]) -> &str {
    found[0].help.as_deref().unwrap_or("")
}

fn lifted(text: &str) -> (Files, Records, Vec<Diagnostic>) {
    let mut files = Files::default();
    let file = files.add("oob.toml", text);
    let mut sink = Sink::default();
    let mut found = Records::default();
    let root = parse(&files, file, &mut sink).expect("the syntax is right");
    records(&files, file, &root, &TABLES, &mut found, &mut sink);
    let diagnostics = of_text(sink.sorted(&files), text);
    assert_spans(&files, &diagnostics);
    (files, found, diagnostics)
}

/// What was found besides that lines end with CR alone, which is told of every such text and of no other.
fn of_text(mut found: Vec<Diagnostic>, text: &str) -> Vec<Diagnostic> {
    let is_about_ends = |found: &Diagnostic| found.rule.code == "lone-carriage-return";
    let told = found.iter().filter(|found| is_about_ends(found)).count();
    let lone = !text.contains('\0') && text.replace("\r\n", "").contains('\r');
    assert_eq!(told, usize::from(lone), "{text:?}");
    found.retain(|found| !is_about_ends(found));
    found
}

#[test]
fn everything_has_a_place() {
    for newline in ["\n", "\r\n", "\r"] {
        let text = "id = \"x\"\n[[units]]\n\"a/b~c\" = [1, 2.5, { é = true }]\nday = 1863-07-01\nt = 07:40\n[x.y]\nz = '''q'''\n"
                .replace("{ é", "{ \"é\"")
                .replace('\n', newline);
        let (files, node, _) = parsed(&text);
        let node = node.unwrap();
        assert_eq!(
            node.to_json(),
            serde_json::json!({
                "id": "x",
                "units": [{"a/b~c": [1, 2.5, {"é": true}], "day": "1863-07-01", "t": "07:40"}],
                "x": {"y": {"z": "q"}},
            })
        );
        let slice = |pointer: &str| files.slice(node.at(pointer).unwrap().span);
        assert_eq!(node.span, Span::file_start(FileId(0)));
        assert_eq!(slice("/id"), "\"x\"");
        assert_eq!(slice("/units/0"), "[[units]]");
        assert_eq!(slice("/units/0/a~1b~0c/1"), "2.5");
        assert_eq!(slice("/units/0/a~1b~0c/2/é"), "true");
        assert_eq!(slice("/units/0/day"), "1863-07-01");
        assert_eq!(slice("/x/y"), "[x.y]");
        assert_eq!(slice("/x/y/z"), "'''q'''");
        let key = |pointer: &str| files.slice(node.key_span(pointer).unwrap());
        assert_eq!(key("/units/0/a~1b~0c"), "\"a/b~c\"");
        assert_eq!(key("/units/0/a~1b~0c/2/é"), "\"é\"");
        assert_eq!(key("/x/y"), "y");
        assert_eq!(key("/units"), "units");
        assert!(node.at("/units/1").is_none() && node.at("units").is_none() && node.key_span("").is_none());
        assert_eq!(files.place(node.at("/x/y/z").unwrap().span).line, 7);
    }
}

#[test]
fn entries_are_in_source_order() {
    let (_, node, _) = parsed("[a.b]\nx = 1\n[c]\n[a]\nz = 1\ny = 2\n");
    assert_eq!(
        node.unwrap().to_json().to_string(),
        r#"{"c":{},"a":{"b":{"x":1},"z":1,"y":2}}"#
    );
}

#[test]
fn unquoted_texts() {
    for (text, wanted, advice) in [
        (
            "a = 0740\n",
            "unquoted-text 1:5 \"0740\"",
            "`\"0740\"`; if it is a number, write `740`",
        ),
        ("a = [1, 0740]\n", "unquoted-text 1:9 \"0740\"", "`\"0740\"`"),
        ("a = 7:40\n", "unquoted-text 1:5 \"7:40\"", "`\"7:40\"`"),
        ("a = 25:00\n", "unquoted-text 1:5 \"25:00\"", "`\"25:00\"`"),
        (
            "a = “x y”\n",
            "unquoted-text 1:5 \"“x y”\"",
            "straight quotes: `\"x y\"`",
        ),
        (
            "a = ’x’ # no\n",
            "unquoted-text 1:5 \"’x’\"",
            "straight quotes: `\"x\"`",
        ),
        (
            "a = hello world\n",
            "unquoted-text 1:5 \"hello world\"",
            "write `\"hello world\"`",
        ),
        ("a = name\n", "unquoted-text 1:5 \"name\"", "write `\"name\"`"),
        (
            "a = O'Neal\n",
            "unquoted-text 1:5 \"O'Neal\"",
            "write `\"O'Neal\"`",
        ),
        ("a = yes\n", "unquoted-text 1:5 \"yes\"", "write `true`"),
        ("a = False\n", "unquoted-text 1:5 \"False\"", "write `false`"),
        ("a = null\n", "unquoted-text 1:5 \"null\"", "remove the line"),
        ("a = ?\n", "unquoted-text 1:5 \"?\"", "`\"?\"`"),
        ("a = 8-Jan\n", "unquoted-text 1:5 \"8-Jan\"", "`\"8-Jan\"`"),
        (
            "a = 1863-7-1\n",
            "unquoted-text 1:5 \"1863-7-1\"",
            "a date as `1863-07-01`",
        ),
        ("a = 2½\n", "unquoted-text 1:5 \"2½\"", "`\"2½\"`"),
        ("a = 1;\n", "unquoted-text 1:5 \"1;\"", "remove the `;`"),
    ] {
        let found = expect(text, &[wanted]);
        assert!(help(&found).contains(advice), "{text}: {}", help(&found));
    }
}

#[test]
fn other_syntax_errors() {
    for (text, wanted, advice) in [
        ("a =\n", "toml-syntax 1:4 \"\"", "write a value"),
        ("a: 3\n", "toml-syntax 1:2 \":\"", "write `=`"),
        ("// x\n", "toml-syntax 1:1 \"//\"", "write `#`"),
        ("é = 1\n", "toml-syntax 1:1 \"é\"", "`\"é\"`"),
        ("‘a b’ = 1\n", "toml-syntax 1:1 \"‘a b’\"", "`\"a b\"`"),
        ("a b = 1\n", "toml-syntax 1:1 \"a b\"", "`\"a b\"`"),
        (
            "just a note\n",
            "toml-syntax 1:1 \"just a note\"",
            "a remark begins with `#`",
        ),
        ("a == 1\n", "toml-syntax 1:4 \"=\"", "remove one"),
        ("a = 2,5\n", "toml-syntax 1:5 \"2,5\"", "write `2.5`"),
        ("a = 1,200\n", "toml-syntax 1:5 \"1,200\"", "`1200` for thousands"),
        ("a = 1 b = 2\n", "toml-syntax 1:5 \"1 b\"", "begin a new line"),
        (
            "a = 1, b = 2\n",
            "toml-syntax 1:6 \", b = 2\"",
            "begin a new line",
        ),
        ("a = 'O'Neal'\n", "toml-syntax 1:8 \"Neal'\"", "between `\"`"),
        ("[a\nb = 1\n", "toml-syntax 1:1 \"[a\"", "write `[a]`"),
        ("[[a]\nb = 1\n", "toml-syntax 1:1 \"[[a]\"", "write `[[a]]`"),
        ("[a]]\n", "toml-syntax 1:4 \"]\"", "remove it"),
    ] {
        let found = expect(text, &[wanted]);
        assert!(help(&found).contains(advice), "{text}: {}", help(&found));
    }
}

#[test]
fn all_errors_of_a_file_are_reported_one_a_line() {
    expect(
        "a = 0740\nb = 1\nb = 2\nc = hello\nd = 1__2\n[e\nf = 1\n",
        &[
            "unquoted-text 1:5 \"0740\"",
            "duplicate-key 3:1 \"b\"",
            "unquoted-text 4:5 \"hello\"",
            "toml-syntax 5:6 \"_\"",
            "toml-syntax 6:1 \"[e\"",
        ],
    );
}

#[test]
fn unclosed_values_are_reported_where_they_open() {
    expect("a = 'x\nb = 2\n", &["unclosed-value 1:5 \"'\""]);
    expect("a = \"x\\\"y\nb = 2\n", &["unclosed-value 1:5 \"\\\"\""]);
    expect("\"a = 2\nb = 2\n", &["unclosed-value 1:1 \"\\\"\""]);
    let found = expect(
        "a = 1\nb = \"\"\"x\nc = 2\n\nd = 3\n",
        &["unclosed-value 2:5 \"\\\"\\\"\\\"\""],
    );
    assert!(
        found[0].message.ends_with("swallows 2 more lines"),
        "{}",
        found[0].message
    );
    let found = expect(
        "[[t]]\nx = [1] # [\na = [1,\n  '[', 2\nb = 0740\n[[c]]\nd = [3]\n",
        &["unclosed-value 3:5 \"[\""],
    );
    assert!(found[0].message.contains("`a`"), "{}", found[0].message);
    expect("a = { b = 1\nc = 2\n", &["unclosed-value 1:5 \"{\""]);
}

#[test]
fn duplicate_keys_show_both_places() {
    for (text, second, first) in [
        ("a = 1\nb = { a = 2 }\na = 3\n", "3:1", "1:1"),
        ("a = 0\n[x]\na = 1\n[y]\na = 1\nb.c = 2\nb.c = 3\n", "7:3", "6:3"),
        ("[[u]]\na = 1\n[[u]]\na = 2\na = 3\n[[u]]\na = 4\n", "5:1", "4:1"),
        ("x = 1\n[[u]]\ny = { p = 1, q = 2, p = 3 }\n", "3:21", "3:7"),
        ("[x.y]\na = 1\n[z]\n[x.y]\nb = 1\n", "4:4", "1:4"),
        ("[[x]]\n[[x.b]]\n[[x]]\n[[x.b]]\n[x.b]\n", "5:4", "4:5"),
        ("x = 1\n[[x]]\n", "2:3", "1:1"),
        ("[x]\na.b = 1\na = 2\n", "3:1", "2:1"),
        ("a = 1\na.b = 2\n", "2:1", "1:1"),
    ] {
        for newline in ["\n", "\r\n", "\r"] {
            let (files, _, found) = parsed(&text.replace('\n', newline));
            let place = |span: Span| {
                let place = files.place(span);
                format!("{}:{}", place.line, place.column)
            };
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert_eq!(found[0].rule.code, "duplicate-key");
            assert_eq!(place(found[0].span.unwrap()), second, "{text}");
            let labels: Vec<String> = found[0].labels.iter().map(|label| place(label.span)).collect();
            assert_eq!(labels, [first], "{text}");
        }
    }
}

#[test]
fn numbers_that_cannot_be_held() {
    let found = expect(
        "a = 99999999999999999999\nb = [inf]\nc = -nan\nd = 1e999\ne = 0x\n",
        &[
            "unusable-number 1:5 \"99999999999999999999\"",
            "unusable-number 2:6 \"inf\"",
            "unusable-number 3:5 \"-nan\"",
            "unusable-number 4:5 \"1e999\"",
            "unusable-number 5:5 \"0x\"",
        ],
    );
    assert!(found[0].message.contains("too large"));
    assert!(found[4].message.contains("not a number"));
}

#[test]
fn nested_records_are_lifted_depth_first() {
    let text = r#"
[[formations]]
id = "csa"
side = "csa"
leader = { id = "lee", name = "Lee" }

[[formations.formations]]
id = "i"
effectiveness = { boxes = 5 }
aliases = ["First", "Longstreet"]

[[formations.formations.units]]
id = "1-va"
strength = 4

[[formations.formations.leaders]]
id = "longstreet"

[[formations.formations.leaders]]
id = "hood"

[[formations.formations]]
id = "ii"
units = [{ id = "2-va" }]

[[units]]
id = "3-va"
formation = "ii"
"#;
    let (files, records, found) = lifted(text);
    assert_eq!(lines(&files, &found), [""; 0]);
    let rows = |table: &str, columns: &[&str]| -> Vec<String> {
        let table = records.table(table).unwrap();
        let cell = |row: usize, column: &&str| {
            table
                .field(row, column)
                .map_or_else(String::new, |datum| datum.value.to_cell())
        };
        table
            .rows()
            .map(|row| {
                columns
                    .iter()
                    .map(|column| cell(row, column))
                    .collect::<Vec<_>>()
                    .join(",")
            })
            .collect()
    };
    assert_eq!(
        rows("formations", &["id", "parent", "aliases"]),
        ["csa,,", "i,csa,First|Longstreet", "ii,csa,"]
    );
    assert_eq!(
        rows("units", &["id", "formation", "strength"]),
        ["1-va,i,4", "2-va,ii,", "3-va,ii,"]
    );
    assert_eq!(
        rows("leaders", &["id", "commands"]),
        ["lee,csa", "longstreet,i", "hood,i"]
    );
    assert_eq!(rows("effectiveness", &["formation", "boxes"]), ["i,5"]);
    let units = records.table("units").unwrap();
    assert_eq!(files.slice(units.row_span(0)), "[[formations.formations.units]]");
    assert_eq!(files.slice(units.span(0, "formation")), "\"i\"");
    assert_eq!(files.place(units.span(0, "formation")).line, 8);
    assert!(records.table("formations").unwrap().column("units").is_none());
}

#[test]
fn misshapen_orders_of_battle() {
    for (text, wanted) in [
        ("[[unit]]\nid = 'a'\n", "unknown-table 1:3 \"unit\""),
        ("title = 'x'\n", "unknown-table 1:1 \"title\""),
        ("[units]\nid = 'a'\n", "not-records 1:2 \"units\""),
        ("units = 3\n", "not-records 1:1 \"units\""),
        ("units = [{ id = 'a' }, 3]\n", "not-records 1:24 \"3\""),
        (
            "[[formations]]\nid = 'a'\nunits = ['b']\n",
            "not-records 3:10 \"'b'\"",
        ),
        (
            "[[formations]]\nid = 'a'\n[formations.units]\nid = 'b'\n",
            "not-records 3:13 \"units\"",
        ),
        (
            "[[formations]]\nid = 'a'\nleader = 'b'\n",
            "not-records 3:10 \"'b'\"",
        ),
        (
            "[[formations]]\nid = 'a'\n[[formations.leader]]\nid = 'b'\n",
            "not-records 3:14 \"leader\"",
        ),
        (
            "[[formations]]\nname = 'a'\n[[formations.units]]\n[[formations.leaders]]\n",
            "parent-without-id 1:1 \"[[formations]]\"",
        ),
        (
            "[[formations]]\nid = 'a'\n[[formations.units]]\nid = 'b'\nformation = 'a'\n",
            "reference-twice 5:1 \"formation\"",
        ),
    ] {
        for newline in ["\n", "\r\n", "\r"] {
            for mark in ["", "\u{feff}"] {
                let (files, _, found) = lifted(&format!("{mark}{}", text.replace('\n', newline)));
                assert_eq!(lines(&files, &found), [wanted], "{text}");
            }
        }
    }
    let (_, _, found) = lifted("[[unit]]\nid = 'a'\n");
    assert_eq!(found[0].help.as_deref(), Some("did you mean `units`?"));
}

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "é",
        "=",
        "\"",
        "'",
        "\n",
        "\r\n",
        "\r",
        "[",
        "]",
        "{",
        "}",
        ",",
        ".",
        "#",
        " ",
        "0",
        "12",
        ":",
        "-",
        "\\",
        "\u{feff}",
        "\0",
        "\"\"\"",
        "'''",
        "“",
        "[[units]]\n",
        "[[formations]]\n",
        "[[formations.units]]\n",
        "id = 'x'\n",
        "a = 1\n",
        "units = ",
        "[a.b]\n",
        "true",
        "\u{1a}",
        "\u{2028}",
    ]);
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

fn assert_inside(text: &str, node: &Node) -> Result<(), TestCaseError> {
    let inside = |span: Span| text.get(span.start as usize..span.end as usize).is_some();
    prop_assert!(inside(node.span));
    match &node.value {
        NodeValue::List(items) => items.iter().try_for_each(|item| assert_inside(text, item)),
        NodeValue::Table(entries) => entries.iter().try_for_each(|entry| {
            prop_assert!(inside(entry.key_span));
            assert_inside(text, &entry.value)
        }),
        _ => Ok(()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 6000, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_parsed(text in pieces()) {
        let (files, node, found) = parsed(&text);
        let mut last = None;
        for line in found.iter().filter(|found| found.rule.code != "unusable-number").map(|found| files.place(found.span.unwrap()).line) {
            prop_assert!(last < Some(line) , "two errors on line {line} of {text:?}: {found:?}");
            last = Some(line);
        }
        if let Some(node) = node {
            assert_inside(files.text(FileId(0)), &node)?;
            let mut sink = Sink::default();
            let mut found = Records::default();
            records(&files, FileId(0), &node, &TABLES, &mut found, &mut sink);
            assert_spans(&files, &sink.sorted(&files));
            for table in found.tables.values() {
                for row in table.rows() {
                    for column in 0..table.columns().len() {
                        table.get(row, column);
                    }
                }
            }
        }
    }
}
