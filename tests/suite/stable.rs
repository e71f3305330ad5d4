//! What a change in the data must not change besides.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::support::{append, by_id, edit, json, list, pack, pack_text, read, shipped, text, tiny, write};

/// The ids of the records that differ between two packs, as `table/id`.
fn differences(before: &Value, after: &Value) -> BTreeSet<String> {
    let mut different = BTreeSet::new();
    for table in [
        "formations",
        "units",
        "leaders",
        "weapons",
        "supply",
        "markers",
        "counters",
    ] {
        let (old, new) = (by_id(list(before, table)), by_id(list(after, table)));
        for id in old.keys().chain(new.keys()) {
            if old.get(id) != new.get(id) {
                different.insert(format!("{table}/{id}"));
            }
        }
    }
    let ratings = |pack: &Value| -> BTreeSet<String> {
        let line = |rating: &Value| format!("effectiveness/{} {rating}", text(&rating["formation"]));
        list(pack, "effectiveness").iter().map(line).collect()
    };
    let (old, new) = (ratings(before), ratings(after));
    different.extend(
        old.symmetric_difference(&new)
            .map(|line| line.split(' ').next().expect("an id").to_owned()),
    );
    for key in [
        "format",
        "game",
        "edition",
        "sides",
        "maps",
        "areas",
        "tables",
        "optional_rules",
        "errata",
    ] {
        if before[key] != after[key] {
            different.insert(key.to_owned());
        }
    }
    different
}

/// Puts the rows of a CSV file in another order. Its quoted cells have no line breaks.
fn shuffle(root: &Path, path: &str) {
    let before = read(root, path);
    let (header, body) = before.split_once('\n').expect("a header");
    let mut rows: Vec<&str> = body.lines().collect();
    rows.reverse();
    let middle = rows.len() / 2;
    rows.rotate_left(middle);
    if rows.len() > 3 {
        rows.swap(0, 2);
    }
    write(root, path, format!("{header}\n{}\n", rows.join("\n")));
}

#[test]
fn a_moved_brigade_changes_itself_and_what_is_called_after_it() {
    let root = tiny();
    // A rating that names the brigade by its place in the tree would have to follow it.
    edit(
        root.path(),
        "oob/tiny/effectiveness.csv",
        "red,South/1",
        "red,red-1-south",
    );
    edit(
        root.path(),
        "oob/tiny/errata/sheet.toml",
        "\"South/1\"",
        "\"South\"",
    );
    let before = pack(root.path(), "tiny");
    edit(
        root.path(),
        "oob/tiny/formations.csv",
        "red-1-south,,red-1,",
        "red-1-south,,red-2,",
    );
    let after = pack(root.path(), "tiny");
    let formation = by_id(list(&after, "formations"))["red-1-south"];
    assert_eq!(
        (text(&formation["parent"]), text(&formation["designation"])),
        ("red-2", "South/2")
    );
    let counters = ["counters/units/red-4-york", "counters/units/red-5-york"];
    // An erratum on the brigade's rating names it by its designation, for people.
    let expected = ["errata", "formations/red-1-south"].into_iter().chain(counters);
    assert_eq!(
        differences(&before, &after),
        expected.map(str::to_owned).collect()
    );
    assert_eq!(before["units"], after["units"]);
    assert_eq!(before["provenance"], after["provenance"]);
}

#[test]
fn the_order_of_rows_does_not_matter() {
    let root = shipped();
    let before = read(crate::support::built(), "dist/tss/pack.json");
    for table in [
        "formations",
        "units",
        "leaders",
        "effectiveness",
        "morale",
        "present",
        "reductions",
        "weapons",
        "markers",
        "supply",
    ] {
        shuffle(root.path(), &format!("oob/tss/{table}.csv"));
    }
    assert_ne!(
        read(root.path(), "oob/tss/units.csv"),
        read(crate::support::built(), "oob/tss/units.csv")
    );
    let after = pack_text(root.path(), "tss");
    if before != after {
        panic!("changed: {:?}", differences(&json(&before), &json(&after)));
    }
}

#[test]
fn an_inserted_row_adds_its_record_and_changes_no_other() {
    let root = tiny();
    let before = pack(root.path(), "tiny");
    edit(
        root.path(),
        "oob/tiny/units.csv",
        "red-4-york,",
        "red-new,red-2-horse,battery,New Battery,New,2,,,\nred-4-york,",
    );
    edit(
        root.path(),
        "oob/tiny/formations.csv",
        "red-2,,red,",
        "red-2-new,,red,brigade,New,New Brigade,,99,,\nred-2,,red,",
    );
    append(
        root.path(),
        "oob/tiny/units.csv",
        "red-newer,red-2-new,battery,Newer Battery,Newer,2,,,",
    );
    edit(
        root.path(),
        "oob/tiny/leaders.csv",
        "blue-west,",
        "red-new,red,New,New,Gen.,commander,New\nblue-west,",
    );
    edit(
        root.path(),
        "oob/tiny/weapons.csv",
        "R,Rifle",
        "P,Pistol\nR,Rifle",
    );
    let after = pack(root.path(), "tiny");
    let new = [
        "counters/units/red-new",
        "counters/units/red-newer",
        "formations/red-2-new",
        "leaders/red-new",
        "units/red-new",
        "units/red-newer",
        "weapons/P",
    ];
    assert_eq!(differences(&before, &after), new.map(str::to_owned).into());
    assert_eq!(before["provenance"], after["provenance"]);
}

#[test]
fn a_renamed_unit_keeps_its_place_in_everything() {
    let root = tiny();
    let before = pack(root.path(), "tiny");
    edit(
        root.path(),
        "oob/tiny/units.csv",
        "5th York,5 York",
        "15th York,15 York",
    );
    let after = pack(root.path(), "tiny");
    assert_eq!(
        differences(&before, &after),
        ["counters/units/red-5-york", "units/red-5-york"]
            .map(str::to_owned)
            .into()
    );
}

#[test]
fn columns_may_stand_in_any_order() {
    let root = tiny();
    let before = pack_text(root.path(), "tiny");
    write(
        root.path(),
        "oob/tiny/present.csv",
        read(root.path(), "oob/tiny/present.csv")
            .lines()
            .map(|line| {
                let (unit, men) = line.split_once(',').expect("two cells");
                format!("{men},,{unit}\n").replace("men,,unit", "men,note,unit")
            })
            .collect::<String>(),
    );
    assert_eq!(before, pack_text(root.path(), "tiny"));
}
