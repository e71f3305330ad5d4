//! Numbers that are not digits alone.

use super::{Damage, Wanted, rules};

/// `1E+05`, `1.00E+10`: digits may be lost for good.
pub(super) fn scientific(text: &str) -> Option<Damage> {
    let (mantissa, exponent) = text.split_once(['E', 'e'])?;
    let power = exponent.strip_prefix('+').unwrap_or(exponent);
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, decimals) = match mantissa.split_once(['.', ',']) {
        Some((whole, decimals)) => (whole, decimals),
        None => (mantissa, ""),
    };
    let right = is_number(whole)
        && (decimals.is_empty() || is_number(decimals))
        && is_number(power)
        && power.len() <= 3;
    // `3E5` may be a name; a spreadsheet writes the sign or a decimal point.
    if !right || !(exponent.starts_with('+') || mantissa.len() > whole.len() || mantissa.len() > 1) {
        return None;
    }
    let power: usize = power.parse().ok()?;
    let digits = decimals.trim_end_matches('0');
    let mut before = Vec::new();
    if power <= 18 && digits.len() <= power {
        before.push(format!("{whole}{digits}{}", "0".repeat(power - digits.len())));
    }
    // A designation such as 1E5 is read as a number and shown as 1.00E+05.
    before.push(format!("{whole}E{power}"));
    before.push(format!("{whole}e{power}"));
    Some(Damage {
        rule: &rules::SCIENTIFIC_NOTATION,
        what: "which is how a spreadsheet shows a long number or a word like `1E5`".into(),
        before,
        certain: true,
        or_empty: false,
        fixable: false,
        cure: "look the value up in the source, set the column to text and type it again: digits may be lost"
            .into(),
    })
}

/// The same of a name, as only spreadsheets write it: `1E+05`.
pub(super) fn shown_scientific(text: &str) -> Option<Damage> {
    text.contains("E+").then(|| scientific(text)).flatten()
}

/// A time as spreadsheets keep it, as a part of a day: `0.319444` for 0740.
pub(super) fn part_of_a_day(text: &str) -> Option<Damage> {
    let digits = text.strip_prefix("0.").or_else(|| text.strip_prefix("0,"))?;
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let part: f64 = format!("0.{digits}").parse().ok()?;
    let minutes = (part * 1440.0).round() as u32;
    // Other fractions are no whole minutes.
    if (part * 1440.0 - f64::from(minutes)).abs() > 0.01 || minutes >= 1440 {
        return None;
    }
    Some(Damage {
        rule: &rules::LOST_ZERO,
        what: "which is how a spreadsheet keeps a time, as a part of a day".into(),
        before: vec![format!("{:02}{:02}", minutes / 60, minutes % 60)],
        certain: false,
        or_empty: false,
        fixable: true,
        cure: "set the column to text and write the time with four digits".into(),
    })
}

/// `740` or `9:50` where four digits are wanted.
pub(super) fn lost_zero(text: &str) -> Option<Damage> {
    let lower = text.to_ascii_lowercase();
    let (core, afternoon) = match (lower.strip_suffix("pm"), lower.strip_suffix("am")) {
        (Some(core), _) => (core, Some(true)),
        (_, Some(core)) => (core, Some(false)),
        _ => (lower.strip_suffix('h').unwrap_or(&lower), None),
    };
    let core = text.get(..core.len())?.trim_end();
    let (date, time) = match core.rsplit_once([' ', 'T']) {
        Some((date, time)) => (Some(date), time),
        None => (None, core),
    };
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (hour, minute) = match time.split_once([':', '.', 'h']) {
        Some((hour, rest)) => {
            let minute = rest.split(':').next().unwrap_or("");
            if !digits(hour) || !digits(minute) || minute.len() != 2 || hour.len() > 2 {
                return None;
            }
            (hour.to_owned(), minute.to_owned())
        }
        None if digits(time) && (time.len() <= 3 || afternoon.is_some()) && time.len() <= 4 => {
            if afternoon.is_some() && time.len() <= 2 {
                (time.to_owned(), "00".to_owned())
            } else {
                let padded = format!("{time:0>3}");
                let (hour, minute) = padded.split_at(padded.len() - 2);
                (hour.to_owned(), minute.to_owned())
            }
        }
        None => return None,
    };
    let mut hour: u32 = hour.parse().ok()?;
    match afternoon {
        Some(true) if hour < 12 => hour += 12,
        Some(false) if hour == 12 => hour = 0,
        _ => {}
    }
    let time = format!("{hour:02}{minute}");
    let whole = date.map_or_else(|| time.clone(), |date| format!("{date} {time}"));
    Some(Damage {
        rule: &rules::LOST_ZERO,
        what: "which a program may have made of a time of four digits".into(),
        before: vec![whole],
        certain: false,
        or_empty: false,
        fixable: true,
        cure: "times are written with four digits: `0740`".into(),
    })
}

/// What a number is called with a sign for “about”.
pub(super) const ESTIMATE: &str = "a number with a sign for “about”";

/// A number and the words behind it: `3 M`, `390 men`.
pub(super) fn and_words(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).filter(|end| *end > 0)?;
    let words = text[end..].trim();
    (!words.is_empty()).then_some((&text[..end], words))
}

/// Whether words behind a number make another number of it: `3 hundred`, `3k`, `3 %`.
fn changes_number(words: &str) -> bool {
    const CHANGING: [&str; 22] = [
        "hundred",
        "hundreds",
        "thousand",
        "thousands",
        "million",
        "millions",
        "dozen",
        "dozens",
        "score",
        "k",
        "m",
        "half",
        "halves",
        "third",
        "thirds",
        "quarter",
        "quarters",
        "pair",
        "pairs",
        "%",
        "percent",
        "per cent",
    ];
    let words = words
        .trim_start_matches("and ")
        .trim_start_matches("a ")
        .trim_end_matches('.')
        .to_lowercase();
    CHANGING.contains(&words.as_str())
}

/// A number with something about it: a footnote's mark, a fraction, separators, a unit, a sign for “about”.
pub(super) fn adorned(text: &str, wanted: Wanted) -> Option<Damage> {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !text.contains(|c: char| c.is_ascii_digit() || fraction(c).is_some()) {
        return None;
    }
    if let Some((whole, part)) = split_fraction(text) {
        let value = format!("{whole}{part}");
        let before = if wanted == Wanted::Number {
            vec![value]
        } else {
            Vec::new()
        };
        return Some(damage(
            "a number with a fraction",
            before,
            true,
            "write a whole number: only an attribute that `game.toml` declares with `type = \"number\"` takes fractions",
        ));
    }
    let bare = text.trim_end_matches(['?', '(', ')', ' ']);
    if text.ends_with(['?', ')']) && text[bare.len()..].contains('?') && bare.parse::<f64>().is_ok() {
        return Some(damage(
            "a number that is in doubt",
            Vec::new(),
            false,
            &format!("write `{bare}` and put the doubt into `note` or a column such as `confidence`"),
        ));
    }
    if let Some(bare) = without_mark(text)
        && bare.parse::<f64>().is_err()
        && let Some(inner) = adorned(&bare, wanted)
    {
        return Some(inner);
    }
    if let Some(bare) = without_mark(text)
        && bare.parse::<f64>().is_ok()
    {
        return Some(damage(
            "a number with a footnote's mark",
            vec![bare],
            true,
            "remove the mark; a remark belongs in the column `note`",
        ));
    }
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let separated = unsigned.contains([',', '.', ' ', '\'', '’', '\u{a0}', '\u{202f}']);
    if separated
        && unsigned
            .chars()
            .all(|c| c.is_ascii_digit() || ",. '’\u{a0}\u{202f}".contains(c))
    {
        return Some(separators(text, wanted));
    }
    if let Some((from, to)) = unsigned.split_once(['-', '–', '/'])
        && digits(from.trim())
        && digits(to.trim())
    {
        let mut before = vec![from.trim().to_owned(), to.trim().to_owned()];
        if unsigned.contains('/') && wanted == Wanted::Number {
            // One number, written as a part of another.
            before.extend(quotient(from.trim(), to.trim()));
        }
        return Some(damage(
            "two numbers",
            before,
            false,
            "write one number; the other belongs in a column of its own",
        ));
    }
    let bound = text
        .trim_start_matches(['<', '>', '≤', '≥', '±', '=', ' '])
        .trim_end_matches(['+', ' ']);
    if bound.len() < text.len() && digits(bound) {
        return Some(damage(
            "a bound, not a number",
            Vec::new(),
            false,
            "write one number, or leave the cell empty; the bound belongs in `note`",
        ));
    }
    let about = text.trim_start_matches(['~', '≈']).trim_start();
    let about = about
        .strip_prefix("ca.")
        .or_else(|| about.strip_prefix("c."))
        .unwrap_or(about)
        .trim_start();
    if about.len() < text.len() && digits(about) {
        return Some(damage(
            ESTIMATE,
            vec![about.to_owned()],
            true,
            "write the number alone; a remark belongs in the column `note`",
        ));
    }
    let (_, unit) = and_words(text)?;
    let word = unit
        .chars()
        .all(|c| c.is_alphabetic() || matches!(c, '.' | ' ' | '%'));
    // `1O` is a letter for a digit rather than a unit.
    let letters = unit.chars().all(|c| matches!(c, 'O' | 'o' | 'l' | 'I'));
    if !word || letters {
        return None;
    }
    // Whoever knows the table may know that the word says nothing new; here it must not be lost.
    Some(if changes_number(unit) {
        damage(
            "a number with a word that changes it",
            Vec::new(),
            false,
            "write the number in digits",
        )
    } else {
        damage(
            "a number with a word behind it",
            Vec::new(),
            false,
            "write the number alone; what the word says belongs in a column of its own or in `note`",
        )
    })
}

/// `1/2` as a decimal, where it is one of few digits.
fn quotient(above: &str, below: &str) -> Option<String> {
    let (above, below): (f64, f64) = (above.parse().ok()?, below.parse().ok()?);
    let text = (above / below).to_string();
    (below > 0.0 && text.len() <= 6).then_some(text)
}

fn damage(what: &str, before: Vec<String>, fixable: bool, cure: &str) -> Damage {
    Damage {
        rule: &rules::NOT_PLAIN_NUMBER,
        what: what.into(),
        before,
        certain: true,
        or_empty: false,
        fixable,
        cure: cure.into(),
    }
}

/// `1,200`, `2,5`, `1.200,5`: separators that mean thousands in one country and decimals in another.
fn separators(text: &str, wanted: Wanted) -> Damage {
    let sign = if text.starts_with('-') { "-" } else { "" };
    let unsigned = text.trim_start_matches('-');
    let parts: Vec<&str> = unsigned
        .split([',', '.', ' ', '\'', '’', '\u{a0}', '\u{202f}'])
        .collect();
    let grouped = parts.len() > 1
        && !parts[0].is_empty()
        && parts[0].len() <= 3
        && !parts[0].starts_with('0')
        && parts[1..].iter().all(|part| part.len() == 3);
    let marks: Vec<char> = unsigned.chars().filter(|c| !c.is_ascii_digit()).collect();
    let one_kind = marks.iter().all(|mark| *mark == marks[0]);
    let joined = format!("{sign}{}", parts.concat());
    if grouped && one_kind && (marks.len() > 1 || !matches!(marks[0], ',' | '.') || wanted == Wanted::Integer)
    {
        return damage(
            "a number with separators between its digits",
            vec![joined],
            true,
            "write digits alone",
        );
    }
    if grouped && one_kind {
        let decimal = format!("{sign}{}.{}", parts[0], parts[1]);
        return damage(
            "which is one number in one country and another elsewhere",
            vec![joined, decimal],
            false,
            "write digits alone, with a point before decimals",
        );
    }
    let last = *marks.last().unwrap_or(&',');
    let only_last = marks.iter().filter(|mark| **mark == last).count() == 1;
    let before = match unsigned.rsplit_once(last) {
        Some((whole, decimals)) if only_last && !decimals.is_empty() && matches!(last, ',' | '.') => {
            let whole: String = whole.chars().filter(char::is_ascii_digit).collect();
            let whole = if whole.is_empty() { "0".to_owned() } else { whole };
            if decimals.bytes().all(|byte| byte == b'0') {
                vec![format!("{sign}{whole}")]
            } else if wanted == Wanted::Number {
                vec![format!("{sign}{whole}.{decimals}")]
            } else {
                Vec::new()
            }
        }
        _ => Vec::new(),
    };
    let zeros = matches!(last, ',' | '.') && before.len() == 1 && wanted == Wanted::Integer;
    let (what, cure) = if zeros {
        ("a whole number with decimals", "write digits alone")
    } else if matches!(last, ' ' | '\'' | '’' | '\u{a0}' | '\u{202f}') && before.is_empty() {
        (
            "two numbers, or one with a blank or a mark in it",
            "write one number in digits alone",
        )
    } else if wanted == Wanted::Integer && before.is_empty() {
        (
            "a number that is not whole",
            "write a whole number: only an attribute that `game.toml` declares with `type = \"number\"` takes fractions",
        )
    } else if last == ',' {
        ("a number with a decimal comma", "write a point before decimals")
    } else {
        (
            "a number with separators",
            "write digits alone, with a point before decimals",
        )
    };
    damage(what, before, true, cure)
}

/// The decimals of a character that is a fraction.
fn fraction(c: char) -> Option<&'static str> {
    Some(match c {
        '½' => ".5",
        '¼' => ".25",
        '¾' => ".75",
        '⅛' => ".125",
        '⅜' => ".375",
        '⅝' => ".625",
        '⅞' => ".875",
        '⅕' => ".2",
        '⅖' => ".4",
        '⅗' => ".6",
        '⅘' => ".8",
        '⅓' => ".333",
        '⅔' => ".667",
        '⅙' | '⅚' => ".17",
        _ => return None,
    })
}

/// A number that ends with a fraction, `2½` or `2 1/2`: its whole part and its decimals.
fn split_fraction(text: &str) -> Option<(&str, &'static str)> {
    let last = text.chars().next_back()?;
    let (whole, decimals) = match fraction(last) {
        Some(decimals) => (&text[..text.len() - last.len_utf8()], decimals),
        None => {
            let (whole, part) = text.rsplit_once([' ', '-', '\u{a0}'])?;
            let decimals = match part {
                "1/2" => ".5",
                "1/4" => ".25",
                "3/4" => ".75",
                _ => return None,
            };
            (whole, decimals)
        }
    };
    let whole = whole.trim_end_matches([' ', '\u{a0}', '-']);
    if whole.is_empty() {
        return Some(("0", decimals));
    }
    whole
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then_some((whole, decimals))
}

/// A text without the mark of a footnote behind it: `3*`, `3†`, `3 (a)`, `3[1]`, `3²`.
pub(super) fn without_mark(text: &str) -> Option<String> {
    let is_mark = |c: char| matches!(c, '*' | '†' | '‡' | '§' | '¶' | '¹' | '²' | '³' | '⁴' | '⁵');
    let bare = text.trim_end_matches(is_mark);
    if bare.len() < text.len() && !bare.is_empty() {
        return Some(bare.trim_end().to_owned());
    }
    let open = text.rfind(['(', '['])?;
    let inner = text[open + 1..].strip_suffix([')', ']'])?;
    // A number in round brackets may be a second one.
    let is_note =
        |c: char| c.is_alphabetic() || is_mark(c) || (c.is_ascii_digit() && text[open..].starts_with('['));
    let mark = inner.chars().count() <= 2 && inner.chars().all(is_note);
    let bare = text[..open].trim_end();
    (mark && !inner.is_empty() && !bare.is_empty()).then(|| bare.to_owned())
}
