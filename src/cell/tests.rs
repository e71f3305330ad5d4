use super::*;
use crate::diagnostic::Severity;
use crate::source::FileId;
use proptest::prelude::*;

fn span() -> Span {
    Span::new(FileId(0), 0, 1)
}

/// The code and the replacement, or else the help, where only these values fit.
fn explained(text: &str, wanted: Wanted, fitting: &[&str]) -> Option<(&'static str, String)> {
    let accepts = |value: &str| fitting.contains(&value);
    let found = explain(text, wanted, "`x`", span(), &accepts, std::iter::empty())?;
    let told = found.fix.map(|fix| fix.replacement).or(found.help);
    Some((found.rule.code, told.unwrap_or_default()))
}

/// The code and the replacement where any number fits.
fn number(text: &str, wanted: Wanted) -> (&'static str, Option<String>) {
    let accepts = |value: &str| match wanted {
        Wanted::Integer => value.is_empty() || value.parse::<i64>().is_ok(),
        _ => value.is_empty() || value.parse::<f64>().is_ok(),
    };
    let found = explain(text, wanted, "`x`", span(), &accepts, std::iter::empty());
    let found = found.unwrap_or_else(|| panic!("{text:?} is not explained"));
    assert_eq!(found.rule.severity, Severity::Error);
    (found.rule.code, found.fix.map(|fix| fix.replacement))
}

#[test]
fn numbers_with_something_about_them() {
    for (text, code, fix) in [
        ("3*", "not-plain-number", Some("3")),
        ("3†", "not-plain-number", Some("3")),
        ("3 (a)", "not-plain-number", Some("3")),
        ("3[1]", "not-plain-number", Some("3")),
        ("4,000*", "not-plain-number", Some("4000")),
        ("1,200", "not-plain-number", Some("1200")),
        ("1.200", "not-plain-number", Some("1200")),
        ("1 200", "not-plain-number", Some("1200")),
        ("1'200'000", "not-plain-number", Some("1200000")),
        ("-1,200", "not-plain-number", Some("-1200")),
        ("4.0", "not-plain-number", Some("4")),
        ("4 SP", "not-plain-number", None),
        ("3?", "not-plain-number", None),
        ("3 (?)", "not-plain-number", None),
        ("<3", "not-plain-number", None),
        ("3+", "not-plain-number", None),
        ("3 hundred", "not-plain-number", None),
        ("3k", "not-plain-number", None),
        ("3²", "not-plain-number", Some("3")),
        ("ca. 40", "not-plain-number", Some("40")),
        ("~40", "not-plain-number", Some("40")),
        ("2,5", "not-plain-number", None),
        ("2½", "not-plain-number", None),
        ("3-4", "not-plain-number", None),
        ("1E+05", "scientific-notation", None),
        ("1.00E+10", "scientific-notation", None),
        ("8-Jan", "became-date", None),
        ("1O", "lookalike-character", Some("10")),
        ("l2", "lookalike-character", Some("12")),
        ("４２", "lookalike-character", Some("42")),
        ("−4", "lookalike-character", Some("-4")),
        ("4\u{200b}", "lookalike-character", Some("4")),
        ("4\u{a0}", "lookalike-character", Some("4")),
        ("1\u{a0}200", "lookalike-character", Some("1200")),
        ("'0740", "spreadsheet-residue", Some("0740")),
        ("=\"0740\"", "spreadsheet-residue", Some("0740")),
        ("=SUM(A1:A9)", "spreadsheet-residue", None),
        ("#REF!", "spreadsheet-residue", None),
        ("#n/a", "spreadsheet-residue", None),
        ("####", "spreadsheet-residue", None),
        ("—", "written-nothing", Some("")),
        ("n/a", "written-nothing", Some("")),
        ("--", "written-nothing", Some("")),
    ] {
        assert_eq!(
            number(text, Wanted::Integer),
            (code, fix.map(str::to_owned)),
            "{text:?}"
        );
    }
    for (text, fix) in [
        ("2,5", Some("2.5")),
        ("2½", Some("2.5")),
        ("½", Some("0.5")),
        ("2 1/2", Some("2.5")),
        ("1.200,5", Some("1200.5")),
        ("1,200.5", Some("1200.5")),
        // Thousands here and thousandths there.
        ("1,200", None),
    ] {
        assert_eq!(
            number(text, Wanted::Number),
            ("not-plain-number", fix.map(str::to_owned)),
            "{text:?}"
        );
    }
    assert_eq!(explained("four", Wanted::Integer, &[]), None);
    assert_eq!(explained("?", Wanted::Integer, &[]), None);
}

#[test]
fn a_date_may_have_been_several_things_and_is_never_replaced() {
    for text in [
        "8-Jan",
        "Jan-8",
        "08-Jan-2024",
        "2024-01-08",
        "1/8/2024 00:00",
        "45299",
    ] {
        let (code, help) = explained(text, Wanted::Word, &["8/1", "1/8"]).unwrap();
        assert_eq!(code, "became-date", "{text}");
        assert!(help.contains("`8/1`") && help.contains("`1/8`"), "{text}: {help}");
    }
    let (_, help) = explained("8-Jan", Wanted::Word, &["8/1"]).unwrap();
    assert!(help.starts_with("it may have been `8/1`;"), "{help}");
    let further = ["8/1/III", "1/8/II", "8/Heth/III"].map(str::to_owned);
    let found = explain(
        "8-Jan",
        Wanted::Word,
        "`x`",
        span(),
        &|value| value.len() > 3,
        further.into_iter(),
    );
    let found = found.unwrap();
    let help = found.help.unwrap();
    assert!(
        help.contains("`1/8/II` or `8/1/III`") && !help.contains("Heth"),
        "{help}"
    );
    assert!(found.fix.is_none());
}

#[test]
fn words_that_are_no_dates() {
    for text in ["3/Heth/III", "1/1/I", "2 May", "Mar", "12th", "9-inch", "1863-07"] {
        assert_eq!(explained(text, Wanted::Word, &[]), None, "{text}");
        assert!(explain_text(text, true, true, "`x`", span()).is_none(), "{text}");
    }
    assert!(explain_text("8-Jan", true, true, "`x`", span()).is_some());
    assert!(explain_text("8-Jan", false, true, "`x`", span()).is_none());
}

#[test]
fn times_get_their_four_digits_back() {
    for (text, fits) in [
        ("740", "0740"),
        ("7:40", "0740"),
        ("9:50", "0950"),
        ("9.50", "0950"),
        ("7:40:00", "0740"),
        ("7:40 am", "0740"),
        ("1:20 PM", "1320"),
        ("12:00 am", "0000"),
        ("40", "0040"),
        ("O740", "0740"),
        ("'0740", "0740"),
        ("1863-07-01 740", "1863-07-01 0740"),
        ("1863-07-01T07:40:00", "1863-07-01 0740"),
        ("7/1/1863", "1863-07-01"),
        ("1-Jul-63", "1863-07-01"),
        ("July 1, 1863", "1863-07-01"),
        ("1863/7/1 0740", "1863-07-01 0740"),
    ] {
        let told = explained(text, Wanted::Moment, &[fits]);
        assert_eq!(told.map(|(_, told)| told).as_deref(), Some(fits), "{text}");
    }
    // What is off the track stays off the track.
    assert_eq!(explained("750", Wanted::Moment, &["0740"]), None);
}

#[test]
fn days_that_became_numbers() {
    for (text, fits) in [
        ("16229", "1944-06-06"),
        // Counted from 1904.
        ("14767", "1944-06-06"),
        ("5327", "1914-08-01"),
    ] {
        let told = explained(text, Wanted::Moment, &[fits]);
        assert_eq!(told, Some(("became-date", fits.to_owned())), "{text}");
    }
    assert_eq!(explained("5327", Wanted::Moment, &["1863-07-01"]), None);
    // No number stands for a day before 1900: what it may have been is for its author to say.
    let days = ["1800-06-01", "1800-06-02", "1800-06-03"];
    let accepts = |value: &str| days.contains(&value);
    let further = days.iter().map(|day| (*day).to_owned());
    let found = explain("44713", Wanted::Moment, "`day`", span(), &accepts, further).unwrap();
    assert_eq!((found.rule.code, found.fix), ("became-date", None));
    assert!(
        found.message.contains("2022-06-01, or 2026-06-02"),
        "{}",
        found.message
    );
    let help = found.help.unwrap();
    assert!(
        help.contains("`1800-06-01` or `1800-06-02`;") && !help.contains("-03"),
        "{help}"
    );
    // One day of the year is a guess as well, because the year is another.
    let one = std::iter::once("1800-06-01".to_owned());
    let found = explain(
        "44713",
        Wanted::Moment,
        "`day`",
        span(),
        &|day| day == "1800-06-01",
        one,
    )
    .unwrap();
    assert_eq!(found.fix, None);
}

#[test]
fn yes_and_no_in_other_words() {
    for (text, word) in [
        ("TRUE", Some("yes")),
        ("Y", Some("yes")),
        ("✓", Some("yes")),
        ("False", Some("no")),
        ("n.", Some("no")),
        ("maybe", None),
    ] {
        assert_eq!(yes_or_no(text), word, "{text}");
    }
}

#[test]
fn names_with_other_characters() {
    for (text, fits) in [
        ("red–1–south", "red-1-south"),
        ("Hay’s", "Hay's"),
        ("ｒｅｄ", "red"),
        ("fооt", "foot"),
        ("f\u{ad}oot", "foot"),
        ("4\u{a0}York", "4 York"),
        ("4 York*", "4 York"),
    ] {
        let told = explained(text, Wanted::Word, &[fits]);
        assert_eq!(told.map(|(_, told)| told).as_deref(), Some(fits), "{text}");
        assert_eq!(explained(text, Wanted::Word, &["other"]), None, "{text}");
    }
}

#[test]
fn a_ditto_mark_is_the_value_above() {
    for mark in ["do.", "\"", "″", "〃", "ditto", "-do-"] {
        assert!(is_ditto(mark), "{mark}");
    }
    assert!(!is_ditto("") && !is_ditto("Dodd"));
    let found = explain_ditto("do.", Some("x"), "`a`", span());
    assert_eq!(found.fix.unwrap().replacement, "x");
    assert!(explain_ditto("do.", None, "`a`", span()).fix.is_none());
}

#[test]
fn every_rule_has_a_bad_and_a_good_example() {
    for rule in RULES {
        assert_eq!(rule.explanation.matches("```csv").count(), 2, "{}", rule.code);
        assert!(!rule.summary.ends_with('.'), "{}", rule.code);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_explained_or_not(text in "\\PC{0,12}|[-0-9A-Za-z/.,:'\"=#* \u{a0}½–]{0,12}") {
        for wanted in [Wanted::Integer, Wanted::Number, Wanted::Word, Wanted::Moment] {
            for fits in [true, false] {
                if let Some(found) = explain(&text, wanted, "`x`", span(), &|_| fits, std::iter::empty()) {
                    prop_assert!(!found.message.is_empty() && found.help.is_some());
                    // A replacement is always another text.
                    prop_assert!(found.fix.is_none_or(|fix| fix.replacement != text));
                }
            }
        }
    }

    #[test]
    fn sound_numbers_are_never_explained_away(number in 0_i64..100_000) {
        let text = number.to_string();
        prop_assert!(explain(&text, Wanted::Integer, "`x`", span(), &|_| true, std::iter::empty()).is_none_or(|found| found.fix.is_none()));
    }
}
