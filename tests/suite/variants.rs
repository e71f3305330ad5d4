//! Scenarios that extend others.

use serde_json::{Value, json};

use crate::skirmish::{CLASH, SCHEDULE, add_variant, by_entry, changed, fates, scenario, variant};
use crate::support::{list, text};

/// The names of a list's entries.
fn names<'p>(pack: &'p Value, table: &str, key: &str) -> Vec<&'p str> {
    list(pack, table).iter().map(|entry| text(&entry[key])).collect()
}

#[test]
fn a_variant_takes_over_what_it_does_not_say_and_joins_its_lists() {
    let root = variant(
        "\n[[victory]]\nside = \"blue\"\nkind = \"exit\"\n\n[[special_rules]]\ntitle = \"T\"\ntext = \"t\"\n",
    );
    let (base, pack) = (scenario(root.path(), "clash"), scenario(root.path(), "variant"));
    for key in [
        "turns",
        "first_side",
        "units",
        "leaders",
        "supply",
        "quotas",
        "levels",
    ] {
        assert_eq!(pack[key], base[key], "{key}");
    }
    assert_eq!(pack["extends"], "clash");
    assert_eq!(names(&pack, "victory", "kind"), ["objective", "exit"]);
    assert_eq!(names(&pack, "special_rules", "title"), ["T"]);
}

const REPLACING: &str =
    "replaces = [\"victory\", \"levels\"]\n\n[[victory]]\nside = \"blue\"\nkind = \"exit\"\n";

#[test]
fn lists_that_a_variant_replaces_are_its_own() {
    let root = variant(REPLACING);
    let pack = scenario(root.path(), "variant");
    assert_eq!(names(&pack, "victory", "kind"), ["exit"]);
    assert_eq!(pack["levels"], json!([]));
}

#[test]
fn a_variant_of_a_variant_has_not_what_that_replaced() {
    let root = variant(REPLACING);
    add_variant(root.path(), "second", "variant", "");
    let pack = scenario(root.path(), "second");
    assert_eq!(names(&pack, "victory", "kind"), ["exit"]);
    assert_eq!(pack["levels"], json!([]));
}

#[test]
fn a_variant_of_a_variant_has_not_the_set_up_that_that_replaced() {
    let deploy = |id: &str, side: &str, units: &str| {
        format!(
            "\n[[deploy]]\nid = \"{id}\"\nside = \"{side}\"\nunits = \"{units}\"\nsupply = {{ wagon = 1 }}\n\
             place = {{ anywhere = true }}\n"
        )
    };
    let both = deploy("reds", "red", "Heth/II") + &deploy("blues", "blue", "West");
    let root = variant(&format!("replaces = [\"deploy\"]\n{both}"));
    let pack = scenario(root.path(), "variant");
    assert_eq!(
        by_entry(&pack, "deployed", "blues"),
        ["blue-7-essex", "blue-8-essex", "blue-low"]
    );
    add_variant(root.path(), "second", "variant", "");
    assert_eq!(scenario(root.path(), "second")["units"], pack["units"]);
}

#[test]
fn a_line_that_base_and_variant_replace_is_the_variants() {
    let replace =
        |area: &str| format!("[[reinforcements.replace]]\nentry = \"red-1000\"\nareas = [\"{area}\"]\n");
    let root = changed(&[(CLASH, SCHEDULE, &format!("{SCHEDULE}\n\n{}", replace("3")))]);
    add_variant(root.path(), "variant", "clash", &replace("4"));
    let base = scenario(root.path(), "clash");
    assert_eq!(
        fates(&base, "units")["red-12-kent"]["arrival"]["areas"],
        json!(["3"])
    );
    let pack = scenario(root.path(), "variant");
    assert_eq!(
        fates(&pack, "units")["red-12-kent"]["arrival"]["areas"],
        json!(["4"])
    );
}

#[test]
fn a_line_may_be_dropped_or_changed_and_others_added() {
    let text = "[[reinforcements.replace]]\nentry = \"red-0900\"\ndrop = true\n\n\
                [[reinforcements.replace]]\nentry = \"red-1100\"\nunits = \"Gale; 11 Kent of Rodes/I\"\nleaders = [\"Rodes\"]\n\n\
                [[reinforcements.extra]]\nid = \"wagon\"\nside = \"red\"\nat = \"1800-06-01 0800\"\nareas = [\"1\"]\n\
                supply = { wagon = 1 }\n";
    let root = variant(text);
    let pack = scenario(root.path(), "variant");
    assert_eq!(
        by_entry(&pack, "optional", "red-1100"),
        ["red-11-kent", "red-gale"]
    );
    assert_eq!(fates(&pack, "leaders")["red-rodes"]["entry"], "red-1100");
    let wagons = list(&pack, "supply")
        .iter()
        .find(|lot| lot["supply"] == "red-wagon")
        .expect("wagons");
    assert_eq!(wagons["arriving"][0]["entry"], "wagon");
    assert_eq!(wagons["arriving"][0]["arrival"]["turn"], 1);
}
