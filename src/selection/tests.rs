use super::*;
use proptest::prelude::*;

fn item(text: &str) -> Item {
    Item {
        text: text.to_owned(),
        at: 0..0,
    }
}

fn clause(rest: bool, items: &[&str], scope: Option<&str>, except: &[&str]) -> Clause {
    Clause {
        rest,
        items: items.iter().map(|text| item(text)).collect(),
        scope: scope.map(item),
        except: except.iter().map(|text| item(text)).collect(),
    }
}

#[test]
fn what_the_books_write_is_read_and_written_back() {
    let table = [
        (
            "4/Heth/III except 11 Miss",
            clause(false, &["4/Heth/III"], None, &["11 Miss"]),
        ),
        (
            "Pender/III except artillery",
            clause(false, &["Pender/III"], None, &["artillery"]),
        ),
        (
            "artillery of III",
            clause(false, &["artillery"], Some("III"), &[]),
        ),
        (
            "rest of artillery of I",
            clause(true, &["artillery"], Some("I"), &[]),
        ),
        ("rest of I", clause(true, &["I"], None, &[])),
        (
            "Robertson, Benning of Hood/I",
            clause(false, &["Robertson", "Benning"], Some("Hood/I"), &[]),
        ),
        ("all of 1/2/I", clause(false, &["all"], Some("1/2/I"), &[])),
        (
            "1st SC (Provisional Army)",
            clause(false, &["1st SC (Provisional Army)"], None, &[]),
        ),
        (
            "\"1st NC, Battery A\" of Cabell/McLaws/I",
            clause(false, &["1st NC, Battery A"], Some("Cabell/McLaws/I"), &[]),
        ),
        (
            "Hays' of Early/II except 5th La, 6th La",
            clause(false, &["Hays'"], Some("Early/II"), &["5th La", "6th La"]),
        ),
        (
            "offen, Andersons, excepted",
            clause(false, &["offen", "Andersons", "excepted"], None, &[]),
        ),
        ("Rest", clause(false, &["Rest"], None, &[])),
        (
            "Rest, Hood of I",
            clause(false, &["Rest", "Hood"], Some("I"), &[]),
        ),
        ("\"Rest\" of I", clause(false, &["Rest"], Some("I"), &[])),
        ("rest of rest of I", clause(true, &["rest"], Some("I"), &[])),
        (
            "\"Jeb \"\"Beauty\"\" Stuart\"",
            clause(false, &["Jeb \"Beauty\" Stuart"], None, &[]),
        ),
        (
            "\"Batteries B and L\"",
            clause(false, &["Batteries B and L"], None, &[]),
        ),
    ];
    for (text, expected) in table {
        let parsed = parse(text).unwrap();
        assert_eq!(parsed.clauses, [expected], "{text}");
        assert_eq!(parsed.to_string(), text);
    }
}

#[test]
fn other_ways_to_write_it_mean_the_same() {
    for (text, plain) in [
        (
            "Wilcox and Perry OF Anderson/III",
            "Wilcox, Perry of Anderson/III",
        ),
        ("Wilcox, Perry, and Wright", "Wilcox, Perry, Wright"),
        (
            "Rest Of Artillery of I  Except\tBranch",
            "rest of Artillery of I except Branch",
        ),
        (" 1/I;2/I ;\"3/I\" ", "1/I; 2/I; 3/I"),
        ("\"Hood\",Law", "Hood, Law"),
    ] {
        assert_eq!(parse(text).unwrap().to_string(), plain, "{text}");
    }
}

#[test]
fn items_know_their_place() {
    let text = "ä, \"1st NC, Battery A\" of  Cabell/I except 11  Miss";
    let clause = parse(text).unwrap().clauses.remove(0);
    let at = |item: &Item| text[item.at.clone()].to_owned();
    assert_eq!(at(&clause.items[0]), "ä");
    assert_eq!(at(&clause.items[1]), "\"1st NC, Battery A\"");
    assert_eq!(at(&clause.scope.unwrap()), "Cabell/I");
    assert_eq!(at(&clause.except[0]), "11  Miss");
}

#[test]
fn mistakes_are_named_at_their_place() {
    for (text, at, message) in [
        ("", "", "the selection is empty"),
        ("  ", "  ", "the selection is empty"),
        (", Hood", ",", "a name is missing before “,”"),
        ("Hood, ", ",", "a name is missing after “,”"),
        ("Hood,, Law", ",", "a name is missing after “,”"),
        ("Hood and of I", "and", "a name is missing after “and”"),
        ("Hood except", "except", "a name is missing after “except”"),
        ("Hood except; Law", "except", "a name is missing after “except”"),
        ("except Law", "except", "a name is missing before “except”"),
        ("of I", "of", "a name is missing before “of”"),
        ("artillery of", "of", "a name is missing after “of”"),
        ("rest of", "of", "a name is missing after “of”"),
        ("Hood;", "", "a clause is missing after “;”"),
        ("Hood; ; Law", ";", "a name is missing before “;”"),
        ("Hood; Of I", "Of", "a name is missing before “Of”"),
        ("artillery of Heth of III", "of", "“of” is there twice"),
        ("artillery of I, II", ",", "“of” takes one place"),
        (
            "III except artillery of Heth",
            "of",
            "“of” cannot follow “except”",
        ),
        (
            "III except Heth except Law",
            "except",
            "“except” cannot follow “except”",
        ),
        ("Hood, \"1st NC", "\"1st NC", "the quotation mark is never closed"),
        (
            "Hood, \"\"",
            "\"\"",
            "there is no name between the quotation marks",
        ),
        (
            "Stuart \"Jeb\"",
            "\"Jeb\"",
            "there is a quotation mark inside a name",
        ),
        ("\"1st NC\" Battery", "Battery", "“Battery” follows a quoted name"),
        (
            "“1st NC, Battery A”",
            "“1st NC",
            "curly quotation marks do not quote a name",
        ),
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!(
            (error.message.as_str(), &text[error.at.clone()]),
            (message, at),
            "{text}"
        );
        assert!(!error.help.is_empty());
    }
    assert_eq!(parse("artillery of Heth of III").unwrap_err().at, 18..20);
    assert_eq!(parse("Hood;").unwrap_err().at, 5..5);
}

fn any_name() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        any::<String>(),
        "[a-zA-Z0-9./'’]{1,5}",
        prop::sample::select(vec![
            "of", "Except", "AND", "rest", "Rest", "rest of", ",", ";", "\"", "\"\"", "“", "”", "(", ")",
            " ", "\u{a0}", "\t", "Heth/III", "11 Miss",
        ])
        .prop_map(str::to_owned),
    ];
    (
        prop::collection::vec(word, 1..4),
        prop::sample::select(vec!["", " ", "  "]),
    )
        .prop_map(|(words, gap)| words.join(gap))
        .prop_filter("blank", |name| !name.trim().is_empty())
}

fn any_clause() -> impl Strategy<Value = Clause> {
    let items = |least| prop::collection::vec(any_name().prop_map(|name| item(&name)), least..4);
    (
        any::<bool>(),
        items(1),
        prop::option::of(any_name().prop_map(|name| item(&name))),
        items(0),
    )
        .prop_map(|(rest, items, scope, except)| Clause {
            rest,
            items,
            scope,
            except,
        })
}

proptest! {
    #[test]
    fn a_selection_printed_and_parsed_is_the_same(clauses in prop::collection::vec(any_clause(), 1..4)) {
        let selection = Selection { clauses };
        let text = selection.to_string();
        let parsed = parse(&text);
        prop_assert_eq!(parsed, Ok(selection), "{}", text);
    }

    #[test]
    fn quotes_are_written_exactly_when_needed(name in any_name()) {
        let bare = parse(&format!("x, {name}"))
            .is_ok_and(|parsed| parsed.clauses[0].items.get(1) == Some(&item(&name)));
        prop_assert_eq!(item(&name).to_string() == name, bare);
    }

    #[test]
    fn whatever_is_parsed_has_its_place(words in prop::collection::vec(any_name(), 0..6)) {
        let text = words.join(" ");
        match parse(&text) {
            Ok(parsed) => {
                let again = parse(&parsed.to_string());
                let items = |clause: &Clause| {
                    clause.items.iter().chain(&clause.scope).chain(&clause.except).cloned().collect::<Vec<_>>()
                };
                for item in parsed.clauses.iter().flat_map(items) {
                    let place = &text[item.at.clone()];
                    let quoted = format!("\"{}\"", item.text.replace('"', "\"\""));
                    let found = place == item.text || place == quoted;
                    prop_assert!(found, "{}", place);
                }
                prop_assert_eq!(again, Ok(parsed));
            }
            Err(error) => prop_assert!(text.get(error.at).is_some()),
        }
    }

    #[test]
    fn nothing_panics(text in any::<String>()) {
        let _ = parse(&text);
    }
}
