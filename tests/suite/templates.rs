//! A user's own templates: they shadow those built in, and their errors are at their places.

use crate::support::{built, check, orbat, places, read, text, tiny, tree, write};

#[test]
fn an_own_template_takes_the_place_of_the_one_built_in() {
    let root = tiny();
    write(
        root.path(),
        "templates/bce.md",
        "own: {{ game.title }}, {{ sides | length }} sides\n",
    );
    assert_eq!(orbat(root.path(), &["build"]).status, 0);
    assert_eq!(
        read(root.path(), "dist/tiny/sheets/bce.md"),
        "own: Tiny, 2 sides\n"
    );
    assert_ne!(read(root.path(), "dist/tiny/sheets/errata.md"), "");
}

#[test]
fn a_sheet_of_a_new_name_needs_only_a_template_and_a_declaration() {
    let root = tiny();
    let game = read(root.path(), "oob/tiny/game.toml");
    write(
        root.path(),
        "oob/tiny/game.toml",
        format!(
            "{game}\n[[sheets]]\nid = \"totals\"\ntitle = \"Totals\"\ntemplate = \"mine\"\nper = \"side\"\n"
        ),
    );
    write(root.path(), "templates/mine.md", "{{ sides[0].name }}\n");
    assert_eq!(orbat(root.path(), &["build"]).status, 0);
    assert_eq!(read(root.path(), "dist/tiny/sheets/totals-blue.md"), "Blue\n");
    assert_eq!(read(root.path(), "dist/tiny/sheets/totals-red.md"), "Red\n");
}

#[test]
fn a_syntax_error_in_a_template_is_at_its_place() {
    let root = tiny();
    write(root.path(), "templates/bce.md", "first\n\né {{ sheet.title }\n");
    let (status, found) = check(root.path(), &[]);
    assert_eq!(status, 1);
    assert_eq!(text(&found[0]["code"]), "template-error");
    assert_eq!(
        (text(&found[0]["file"]), found[0]["line"].as_u64()),
        ("templates/bce.md", Some(3)),
        "{found:?}"
    );
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn a_name_that_a_sheet_does_not_have_is_at_its_place() {
    let root = tiny();
    write(
        root.path(),
        "templates/bce.md",
        "first\n\né {{ sheet.tilte }} more\n",
    );
    let (status, found) = check(root.path(), &[]);
    assert_eq!(
        (status, places(&found)),
        (1, vec!["template-error templates/bce.md:3:6".to_owned()])
    );
    assert_eq!(found[0]["end_line"].as_u64(), Some(3));
}

#[test]
fn an_error_in_an_included_template_is_told_there() {
    let root = tiny();
    write(root.path(), "templates/bce.md", "{% include 'part.md' %}\n");
    write(root.path(), "templates/part.md", "\n{{ 1 / 'x' }}\n");
    let (status, found) = check(root.path(), &[]);
    assert_eq!(status, 1);
    assert_eq!(
        (text(&found[0]["file"]), found[0]["line"].as_u64()),
        ("templates/part.md", Some(2)),
        "{found:?}"
    );
}

#[test]
fn a_template_that_includes_itself_is_stopped() {
    let root = tiny();
    write(root.path(), "templates/bce.md", "{% include 'bce.md' %}");
    let (status, found) = check(root.path(), &[]);
    let codes: Vec<&str> = found.iter().map(|found| text(&found["code"])).collect();
    assert_eq!((status, codes), (1, vec!["template-error"]));
}

#[test]
fn values_are_escaped_in_html_and_not_in_markdown() {
    let root = tiny();
    crate::support::edit(root.path(), "oob/tiny/units.csv", "4th York", "4th <York> & Co");
    for ending in ["md", "html"] {
        let template = "{% for f in formations %}{% for u in f.units %}{{ u.name }};{% endfor %}{% endfor %}";
        write(root.path(), &format!("templates/roster.{ending}"), template);
    }
    assert_eq!(orbat(root.path(), &["build"]).status, 0);
    assert_eq!(
        read(root.path(), "dist/tiny/sheets/roster/red-1-south.md"),
        "4th <York> & Co;5th York;"
    );
    assert_eq!(
        read(root.path(), "dist/tiny/sheets/roster/red-1-south.html"),
        "4th &lt;York&gt; &amp; Co;5th York;"
    );
}

#[test]
fn every_formation_of_the_rosters_echelons_that_has_units_has_its_roster() {
    let files = tree(&built().join("dist/tss/sheets/roster"));
    let pack = crate::support::json(&read(built(), "dist/tss/pack.json"));
    let game: toml::Value = toml::from_str(&read(built(), "oob/tss/game.toml")).expect("TOML");
    let sheets = game["sheets"].as_array().expect("sheets");
    let sheet = sheets
        .iter()
        .find(|sheet| sheet["id"].as_str() == Some("roster"))
        .expect("the roster");
    let echelons = sheet["echelons"].as_array().expect("echelons");
    let mut expected = std::collections::BTreeSet::new();
    for unit in crate::support::list(&pack, "units") {
        let formation =
            crate::support::by_id(crate::support::list(&pack, "formations"))[text(&unit["formation"])];
        if echelons
            .iter()
            .any(|echelon| echelon.as_str() == formation["echelon"].as_str())
        {
            expected.insert(format!("{}.html", text(&formation["id"])));
        }
    }
    let rosters: std::collections::BTreeSet<String> =
        files.into_keys().filter(|path| path.ends_with(".html")).collect();
    assert_eq!(rosters, expected);
}

#[test]
fn sheets_are_printed_in_every_format() {
    let root = tiny();
    for (name, text) in [
        ("bce.md", "md {{ sheet.title }}\n"),
        ("bce.html", "<p>{{ sheet.title }}</p>\n"),
        ("roster.md", "{{ formations[0].name }}\n"),
    ] {
        write(root.path(), &format!("templates/{name}"), text);
    }
    let printed = |arguments: &[&str]| {
        let run = orbat(root.path(), &[&["print"], arguments].concat());
        assert_eq!(run.status, 0, "{arguments:?}: {}", run.err);
        run.out
    };
    assert_eq!(printed(&["bce", "--format", "md"]), "md Effectiveness\n");
    assert_eq!(printed(&["bce", "--format", "html"]), "<p>Effectiveness</p>\n");
    assert_eq!(printed(&["bce"]), "<p>Effectiveness</p>\n");
    assert_eq!(
        printed(&["roster", "--format", "md", "--of", "South/1"]),
        "South's Brigade\n"
    );
    assert_eq!(
        printed(&["roster", "--format", "md", "--of", "red-1-south"]),
        "South's Brigade\n"
    );
    let manifest = printed(&["counters", "--format", "csv"]);
    let mut reader = csv::Reader::from_reader(manifest.as_bytes());
    assert_eq!(reader.headers().expect("a header").iter().next(), Some("id"));
    assert_eq!(
        reader
            .records()
            .filter(|row| row.as_ref().is_ok_and(|row| row[0].starts_with("units/")))
            .count(),
        10
    );
    assert_eq!(printed(&["bce", "--format", "md", "--output", "sheet.md"]), "");
    assert_eq!(
        crate::support::read(root.path(), "sheet.md"),
        "md Effectiveness\n"
    );
}
