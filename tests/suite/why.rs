//! `orbat why`: what it says of values, and what it says where there is nothing to say.

use crate::support::{built, edit, json, list, orbat, text, tiny, unnumbered};

#[test]
fn a_brigade_explains_its_strengths() {
    let run = orbat(built(), &["why", "Kershaw/McLaws/I"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    insta::assert_snapshot!(unnumbered(&run.out));
}

#[test]
fn a_printed_strength_says_where_it_stands() {
    let run = orbat(built(), &["why", "105 Pa.strength"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    insta::assert_snapshot!(unnumbered(&run.out));
}

#[test]
fn a_corrected_unit_shows_what_was_and_what_is() {
    let run = orbat(built(), &["why", "149 Pa"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    insta::assert_snapshot!(unnumbered(&run.out));
}

#[test]
fn the_answer_can_be_read_by_a_program() {
    let run = orbat(built(), &["why", "149 Pa.name", "--format", "json"]);
    let answer = &json(&run.out)[0];
    assert_eq!(
        (text(&answer["table"]), text(&answer["id"])),
        ("units", "usa-149-pa")
    );
    let field = &list(answer, "fields")[0];
    assert_eq!(
        (text(&field["name"]), text(&field["value"])),
        ("name", "149th Pa")
    );
    let change = &list(field, "history")[0];
    assert_eq!(
        (text(&change["was"]), text(&change["now"])),
        ("140th Pa", "149th Pa")
    );
    assert!(text(&change["was_at"]).starts_with("oob/tss/units.csv:"));
    assert_eq!(
        (text(&change["overlay"]), text(&change["ref"])),
        ("official-1977-02-22", "30.2")
    );
}

#[test]
fn every_spelling_of_a_name_finds_the_same_unit() {
    let answer = |name: &str| {
        let run = orbat(built(), &["why", name, "--format", "json"]);
        assert_eq!(run.status, 0, "{name}: {}", run.err);
        text(&json(&run.out)[0]["id"]).to_owned()
    };
    for name in [
        "149 Pa",
        "149th Penn.",
        "149TH PENNA",
        "149 pa/2/3/I",
        "usa-149-pa",
    ] {
        assert_eq!(answer(name), "usa-149-pa", "{name}");
    }
}

#[test]
fn in_the_base_the_unit_has_its_printed_name() {
    let root = tiny();
    assert_eq!(orbat(root.path(), &["why", "9 Kent"]).status, 0);
    let base = orbat(root.path(), &["why", "9 Kent", "--errata", "none"]);
    assert_eq!(base.status, 1);
    assert!(base.err.contains("nothing is called `9 Kent`"), "{}", base.err);
    assert_eq!(
        orbat(root.path(), &["why", "2 Kent", "--errata", "none"]).status,
        0
    );
}

#[test]
fn an_unknown_name_brings_the_one_that_was_meant() {
    let run = orbat(built(), &["why", "Kershw/McLaws/I"]);
    assert_eq!((run.status, run.out.as_str()), (1, ""));
    assert!(
        run.err
            .starts_with("orbat: nothing is called `Kershw/McLaws/I`; did you mean `Kershaw/McLaws/I`"),
        "{}",
        run.err
    );
}

#[test]
fn an_unknown_field_brings_the_one_that_was_meant() {
    let run = orbat(tiny().path(), &["why", "4 York.strenght"]);
    assert_eq!((run.status, run.out.as_str()), (1, ""));
    assert!(run.err.contains("did you mean `strength`"), "{}", run.err);
}

#[test]
fn an_ambiguous_name_lists_what_it_may_mean() {
    let run = orbat(tiny().path(), &["why", "1 Kent"]);
    assert_eq!((run.status, run.out.as_str()), (1, ""));
    assert_eq!(
        run.err,
        "orbat: `1 Kent` may mean 2 things: red-1-kent, red-1-kent-horse\n"
    );
}

#[test]
fn a_value_that_nobody_knows_is_said_to_be_unknown() {
    let run = orbat(tiny().path(), &["why", "8 Essex.strength"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.out.contains("not known"), "{}", run.out);
}

#[test]
fn data_with_errors_can_still_be_asked_about() {
    let root = tiny();
    edit(root.path(), "oob/tiny/leaders.csv", "West/1", "Wst/1");
    let run = orbat(root.path(), &["why", "4 York.strength"]);
    assert_eq!(run.status, 0, "{}", run.err);
}
