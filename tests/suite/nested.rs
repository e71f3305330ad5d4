//! One order of battle, one pack: as CSV tables, as one nested TOML file, or as a mixture.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use crate::support::{pack_text, read, shipped, tiny};

type Row = Vec<(String, String)>;

/// The rows of a CSV table; empty cells are left out.
fn rows(root: &Path, path: &str) -> Vec<Row> {
    let text = read(root, path);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let headers = reader.headers().expect("a header").clone();
    reader
        .records()
        .map(|record| {
            let record = record.expect("a row");
            let cells = headers
                .iter()
                .zip(record.iter())
                .filter(|(_, cell)| !cell.is_empty());
            cells
                .map(|(column, cell)| (column.to_owned(), cell.to_owned()))
                .collect()
        })
        .collect()
}

fn cell<'r>(row: &'r Row, column: &str) -> &'r str {
    row.iter()
        .find(|(name, _)| name == column)
        .map_or("", |(_, cell)| cell)
}

/// Columns in which what looks like a number is one; every other value is text.
const NUMBERS: &str = "order strength men guns boxes total count radius morale command max_range";

fn table(out: &mut String, header: &str, row: &Row, leave_out: &str) {
    writeln!(out, "\n{header}").expect("memory");
    for (column, cell) in row.iter().filter(|(column, _)| column != leave_out) {
        let quoted = |text: &str| toml::Value::from(text).to_string();
        let value = match column.as_str() {
            number if NUMBERS.split(' ').any(|name| name == number) && cell.parse::<i64>().is_ok() => {
                cell.clone()
            }
            "aliases" => format!("[{}]", cell.split('|').map(quoted).collect::<Vec<_>>().join(", ")),
            "present" => (cell == "yes").to_string(),
            _ => quoted(cell),
        };
        writeln!(out, "{column} = {value}").expect("memory");
    }
}

/// What is to be nested below the formations, by the formation's id.
#[derive(Default)]
struct Nested {
    formations: BTreeMap<String, Vec<Row>>,
    units: BTreeMap<String, Vec<Row>>,
    leaders: BTreeMap<String, Vec<Row>>,
    effectiveness: BTreeMap<String, Row>,
}

impl Nested {
    fn write(&self, out: &mut String, header: &str, parent: &str) {
        for formation in self.formations.get(parent).into_iter().flatten() {
            let id = cell(formation, "id");
            table(out, &format!("[[{header}]]"), formation, "parent");
            if let Some(rating) = self.effectiveness.get(id) {
                table(out, &format!("[{header}.effectiveness]"), rating, "formation");
            }
            for leader in self.leaders.get(id).into_iter().flatten() {
                table(out, &format!("[[{header}.leaders]]"), leader, "commands");
            }
            for unit in self.units.get(id).into_iter().flatten() {
                table(out, &format!("[[{header}.units]]"), unit, "formation");
            }
            self.write(out, &format!("{header}.formations"), id);
        }
    }
}

/// The formations by side and reference: an id, or the abbreviations upwards.
fn references(formations: &[Row]) -> BTreeMap<(String, String), String> {
    let by_id: BTreeMap<&str, &Row> = formations.iter().map(|row| (cell(row, "id"), row)).collect();
    let mut references = BTreeMap::new();
    for row in formations {
        let (mut path, mut side, mut next) = (Vec::new(), "", cell(row, "id"));
        while let Some(formation) = by_id.get(next) {
            if !cell(formation, "abbr").is_empty() {
                path.push(cell(formation, "abbr"));
            }
            (side, next) = (cell(formation, "side"), cell(formation, "parent"));
        }
        let id = cell(row, "id").to_owned();
        references.insert((side.to_owned(), id.clone()), id.clone());
        if !cell(row, "abbr").is_empty() {
            references.insert((side.to_owned(), path.join("/")), id);
        }
    }
    references
}

/// Writes the CSV tables of a game's folder as one nested TOML file, but for those named, and removes them.
fn to_toml(root: &Path, folder: &str, keep: &[&str]) {
    let path = |table: &str| format!("{folder}/{table}.csv");
    let take = |table: &str| {
        if keep.contains(&table) {
            Vec::new()
        } else {
            rows(root, &path(table))
        }
    };
    let formations = take("formations");
    let references = references(&formations);
    let mut nested = Nested::default();
    let mut rest: Vec<(&str, Row)> = Vec::new();
    let home = |row: &Row, column: &str| {
        references
            .get(&(cell(row, "side").to_owned(), cell(row, column).to_owned()))
            .cloned()
    };
    for unit in take("units") {
        nested
            .units
            .entry(cell(&unit, "formation").to_owned())
            .or_default()
            .push(unit);
    }
    for leader in take("leaders") {
        match home(&leader, "commands") {
            Some(id) => nested.leaders.entry(id).or_default().push(leader),
            None => rest.push(("leaders", leader)),
        }
    }
    for rating in take("effectiveness") {
        match home(&rating, "formation") {
            Some(id) => assert!(nested.effectiveness.insert(id, rating).is_none(), "rated twice"),
            None => rest.push(("effectiveness", rating)),
        }
    }
    for formation in formations {
        nested
            .formations
            .entry(cell(&formation, "parent").to_owned())
            .or_default()
            .push(formation);
    }
    let mut out = String::from("# Written by a test.\n");
    nested.write(&mut out, "formations", "");
    for plain in ["weapons", "markers", "supply", "morale", "present", "reductions"] {
        if root.join(path(plain)).exists() && !keep.contains(&plain) {
            rest.extend(rows(root, &path(plain)).into_iter().map(|row| (plain, row)));
        }
    }
    for (name, row) in &rest {
        table(&mut out, &format!("[[{name}]]"), row, "");
    }
    crate::support::write(root, &format!("{folder}/oob.toml"), out);
    for name in std::fs::read_dir(root.join(folder)).expect("a folder") {
        let path = name.expect("an entry").path();
        let stem = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or_default();
        if path.extension().is_some_and(|ending| ending == "csv") && !keep.contains(&stem) {
            std::fs::remove_file(path).expect("a file");
        }
    }
}

/// Fails with the first line that differs instead of two megabytes of pack.
fn assert_same(before: &str, after: &str) {
    if before != after {
        let different = before
            .lines()
            .zip(after.lines())
            .enumerate()
            .find(|(_, (old, new))| old != new);
        panic!("the packs differ: {different:?}");
    }
}

#[test]
fn one_nested_file_gives_the_pack_that_tables_give() {
    let root = tiny();
    let before = pack_text(root.path(), "tiny");
    to_toml(root.path(), "oob/tiny", &[]);
    assert!(read(root.path(), "oob/tiny/oob.toml").contains("[[formations.formations.formations.units]]"));
    assert_same(&before, &pack_text(root.path(), "tiny"));
}

#[test]
fn the_shipped_order_of_battle_as_one_nested_file_gives_the_same_pack() {
    let root = shipped();
    let before = read(crate::support::built(), "dist/tss/pack.json");
    to_toml(root.path(), "oob/tss", &[]);
    assert!(!root.path().join("oob/tss/units.csv").exists());
    assert_same(&before, &pack_text(root.path(), "tss"));
}

#[test]
fn units_in_a_table_and_the_rest_in_a_file_give_the_same_pack() {
    let root = tiny();
    let before = pack_text(root.path(), "tiny");
    to_toml(root.path(), "oob/tiny", &["units"]);
    assert!(root.path().join("oob/tiny/units.csv").exists());
    assert_same(&before, &pack_text(root.path(), "tiny"));
}

#[test]
fn units_may_stand_in_a_table_and_in_a_file_at_once() {
    let root = tiny();
    let before = pack_text(root.path(), "tiny");
    crate::support::edit(
        root.path(),
        "oob/tiny/units.csv",
        "red-5-york,red-1-south,foot,5th York,5 York,,,,\n",
        "",
    );
    let unit = "[[units]]\nid = 'red-5-york'\nformation = 'South/1'\nkind = 'foot'\nname = '5th York'\nabbr = '5 York'\n";
    crate::support::write(root.path(), "oob/tiny/more.toml", unit);
    assert_same(&before, &pack_text(root.path(), "tiny"));
}
