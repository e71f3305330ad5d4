//! Words that a spreadsheet took for dates.

use super::{Damage, rules};

/// The months in the languages whose spreadsheets are met, with their own abbreviations. Those that are other words too,
/// such as the Italian “gen” and “set”, are left out.
const MONTHS: [&[&str]; 12] = [
    &[
        "january", "januar", "jänner", "janvier", "janv", "enero", "gennaio", "januari", "janeiro",
    ],
    &[
        "february",
        "februar",
        "feber",
        "février",
        "févr",
        "fevrier",
        "febrero",
        "febbraio",
        "februari",
        "fevereiro",
    ],
    &[
        "march", "märz", "mrz", "maerz", "mars", "marzo", "maart", "mrt", "março",
    ],
    &["april", "avril", "avr", "abril", "abr", "aprile"],
    &["may", "mai", "mayo", "maggio", "mag", "mei", "maio"],
    &["june", "juni", "juin", "junio", "giugno", "giu", "junho"],
    &[
        "july", "juli", "juillet", "juil", "julio", "luglio", "lug", "julho",
    ],
    &["august", "août", "aout", "agosto", "ago", "augustus"],
    &["september", "septembre", "septiembre", "settembre", "setembro"],
    &[
        "october", "oktober", "octobre", "octubre", "ottobre", "ott", "outubro",
    ],
    &["november", "novembre", "noviembre"],
    &[
        "december",
        "dezember",
        "décembre",
        "decembre",
        "diciembre",
        "dicembre",
        "dezembro",
    ],
];

/// The month that a word means, by its name or an abbreviation of at least three letters.
fn month(word: &str) -> Option<u32> {
    let word = word.trim().trim_end_matches('.').to_lowercase();
    if word.chars().count() < 3 {
        return None;
    }
    // `mar` is March in every language, `jui` June before July.
    let index = MONTHS
        .iter()
        .position(|names| names.iter().any(|name| name.starts_with(&word)))?;
    let is_word = ["gen", "set", "out", "mag"].contains(&word.as_str());
    (!is_word).then_some(index as u32 + 1)
}

/// A whole number written with at most four digits.
fn number(part: &str) -> Option<u32> {
    (1..=4)
        .contains(&part.len())
        .then(|| part.parse().ok())
        .flatten()
        .filter(|_| part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A date of a spreadsheet: `1-Jan`, `Mar-03`, `01-Jan-2024`, `2024-01-08`, `01/08/2024 00:00`.
pub(super) fn of(text: &str) -> Option<Damage> {
    let (text, clock) = match text.split_once([' ', 'T']) {
        Some((date, time)) if time.starts_with("00:00") || time.starts_with("0:00") => (date, true),
        _ => (text, false),
    };
    // `1-janv.` and `01. Jan` have a full stop that separates nothing.
    let text = text.trim_end_matches('.');
    let parts: Vec<&str> = text.split(['-', '/', '.']).map(str::trim).collect();
    // Pairs that can have been typed to get this date.
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    let mut named: Option<(u32, &str)> = None;
    match parts.as_slice() {
        [one, two] => {
            if let (Some(day), Some(month)) = (number(one), month(two)) {
                named = Some((day, two));
                pairs.extend([(day, month), (month, day)]);
            } else if let (Some(month), Some(day)) = (month(one), number(two)) {
                // `Mar-03` is March 2003, typed as 3/3 or 3-03.
                named = Some((day, one));
                pairs.extend([(month, day), (day, month)]);
            } else {
                return None;
            }
        }
        [one, two, three] => {
            if let (Some(day), Some(month), Some(_)) = (number(one), month(two), number(three)) {
                named = Some((day, two));
                pairs.extend([(day, month), (month, day)]);
            } else if let (Some(year), Some(month), Some(day)) = (number(one), number(two), number(three)) {
                if one.len() == 4 && year >= 1900 && (1..=12).contains(&month) && (1..=31).contains(&day) {
                    pairs.extend([(month, day), (day, month)]);
                } else if three.len() == 4
                    && day >= 1900
                    && (1..=31).contains(&year)
                    && (1..=31).contains(&month)
                {
                    // The names are those of the first pattern: here the year comes last.
                    pairs.extend([(year, month), (month, year)]);
                } else if clock {
                    pairs.extend([(year, month), (month, year)]);
                } else {
                    return None;
                }
            } else {
                return None;
            }
        }
        _ => return None,
    }
    let mut before = Vec::new();
    for (first, second) in pairs {
        for mark in ["/", "-", "."] {
            before.push(format!("{first}{mark}{second}"));
        }
    }
    if let Some((number, word)) = named {
        before.push(format!("{word}{number}"));
        before.push(format!("{word} {number}"));
        // An id that was typed so.
        let lower = word.to_lowercase();
        before.push(format!("{lower}-{number}"));
        before.push(format!("{number}-{lower}"));
    }
    Some(became(before))
}

/// A name that is a date as only spreadsheets write it: `8-Jan`, `Mar-03`.
pub(super) fn of_name(text: &str) -> Option<Damage> {
    let (one, two) = text.trim_end_matches('.').split_once(['-', '.'])?;
    let (one, two) = (one.trim(), two.trim());
    let short = |part: &str| (1..=2).contains(&part.len()) && number(part).is_some();
    let month = |part: &str| (3..=4).contains(&part.chars().count()) && month(part).is_some();
    let mut damage = ((short(one) && month(two)) || (month(one) && short(two)))
        .then(|| of(text))
        .flatten()?;
    // No name is written as an id.
    let is_id = |value: &str| value.contains('-') && value.contains(|c: char| c.is_ascii_lowercase());
    damage.before.retain(|value| !is_id(value));
    Some(damage)
}

/// The days since 1900 by which a spreadsheet keeps a date, where a word is wanted: `45292` for 1 January 2024.
pub(super) fn serial(text: &str) -> Option<Damage> {
    if text.len() != 5 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // 1927 to 2064: what programs make of two numbers lies within a few years of when they do it.
    let days: i64 = text.parse().ok().filter(|days| (10_000..60_000).contains(days))?;
    let (year, month, day) = civil(days - 25_569);
    let mut before = Vec::new();
    for (first, second) in [(month, day), (day, month)] {
        for mark in ["/", "-", "."] {
            before.push(format!("{first}{mark}{second}"));
        }
    }
    let mut damage = became(before);
    damage.what = format!("which is how a spreadsheet keeps the date {year}-{month:02}-{day:02}");
    Some(damage)
}

/// The same where a day is wanted. There are two countings, and neither reaches back before its first day: the year is
/// that of the typing, so that only month and day may be what was meant.
pub(super) fn serial_day(text: &str) -> Option<Damage> {
    let days: i64 = text.parse().ok().filter(|_| (4..=5).contains(&text.len()))?;
    if !text.bytes().all(|byte| byte.is_ascii_digit()) || days >= 60_000 {
        return None;
    }
    let iso = |days: i64| {
        let (year, month, day) = civil(days - 25_569);
        format!("{year:04}-{month:02}-{day:02}")
    };
    let (of_1900, of_1904) = (iso(days), iso(days + 1462));
    Some(Damage {
        what: format!(
            "which is how a spreadsheet keeps the date {of_1900}, or {of_1904} where it counts from 1904"
        ),
        before: vec![of_1900, of_1904],
        // Four digits may as well be a year or a time.
        certain: text.len() == 5 && days >= 10_000,
        fixable: true,
        cure: "look the day up, set the column to text and write it as `1863-07-01`; a spreadsheet knows no day before 1900".into(),
        ..became(Vec::new())
    })
}

/// A day without its year, as a spreadsheet shows it: `1-Jul`. The years are those in which games are set.
pub(super) fn without_year(text: &str) -> Option<Damage> {
    let is_clock = |time: &&str| time.len() == 4 && time.bytes().all(|byte| byte.is_ascii_digit());
    let (day, time) = match text.rsplit_once(' ') {
        Some((day, time)) if is_clock(&time) => (day, Some(time)),
        _ => (text, None),
    };
    let (one, two) = day.trim_end_matches('.').split_once(['-', '.', '/', ' '])?;
    let (one, two) = (one.trim(), two.trim());
    let (month, day) = match (number(one), number(two)) {
        (Some(day), None) => (month(two)?, day),
        (None, Some(day)) => (month(one)?, day),
        _ => return None,
    };
    let before = (1600..2000).map(|year| {
        let iso = format!("{year:04}-{month:02}-{day:02}");
        time.map_or_else(|| iso.clone(), |time| format!("{iso} {time}"))
    });
    Some(Damage {
        what: "which is a day without its year, as a spreadsheet shows one".into(),
        fixable: true,
        cure: "set the column to text and write the day as `1863-07-01`".into(),
        ..became(before.collect())
    })
}

/// A day, with a time behind it or not, that is written in another way than `1863-07-01`.
pub(super) fn other_form(text: &str) -> Option<Damage> {
    let parts_of = |day| -> Vec<&str> {
        let parts = str::split(day, ['-', '/', '.', ' ', ',']);
        parts.filter(|part| !part.is_empty()).collect()
    };
    let (mut parts, mut time) = (parts_of(text), None);
    if parts.len() == 4
        && let Some((day, last)) = text.rsplit_once(' ')
    {
        (parts, time) = (parts_of(day), Some(last));
    }
    let [one, two, three] = parts.as_slice() else {
        return None;
    };
    let named = (month(one), month(two));
    let mut days: Vec<(u32, u32, u32)> = Vec::new();
    match (number(one), number(two), number(three)) {
        (Some(year), Some(month), Some(day)) if one.len() == 4 => {
            days.extend([(year, month, day), (year, day, month)]);
        }
        (Some(first), Some(second), Some(year)) => {
            days.extend([(year, first, second), (year, second, first)])
        }
        (Some(day), None, Some(year)) => days.extend(named.1.map(|month| (year, month, day))),
        (None, Some(day), Some(year)) => days.extend(named.0.map(|month| (year, month, day))),
        _ => {}
    }
    let mut before = Vec::new();
    for (year, month, day) in days {
        // Two digits leave the century open, and a spreadsheet that fills it in knows only its own.
        let years = match year {
            0..=99 => vec![1700 + year, 1800 + year, 1900 + year, 2000 + year],
            1900..=2099 => vec![year, 1800 + year % 100, 1700 + year % 100],
            _ => vec![year],
        };
        for year in years {
            let iso = format!("{year:04}-{month:02}-{day:02}");
            before.push(time.map_or_else(|| iso.clone(), |time| format!("{iso} {time}")));
        }
    }
    // The form is right, and only the year is not.
    let is_form = one.len() == 4
        && two.len() == 2
        && three.len() == 2
        && text.get(4..).is_some_and(|rest| rest.starts_with('-'));
    (!before.is_empty()).then(|| Damage {
        what: if is_form {
            "which is a day of another century".into()
        } else {
            "which is a day in another form than `1863-07-01`".into()
        },
        before,
        certain: false,
        or_empty: false,
        fixable: !is_form,
        ..became(Vec::new())
    })
}

fn became(before: Vec<String>) -> Damage {
    Damage {
        rule: &rules::BECAME_DATE,
        what: "which looks like a date that a spreadsheet made of it".into(),
        before,
        certain: true,
        or_empty: false,
        fixable: false,
        cure: "look it up in the source, set the column to text and type it again".into(),
    }
}

/// Adds the project's own values that begin as a date may have begun: `8/1/III` for `8-Jan`.
pub(super) fn add_prefixed(before: &mut Vec<String>, further: impl Iterator<Item = String>) {
    let starts = before.iter().filter(|value| value.contains('/'));
    let starts: Vec<String> = starts.map(|value| format!("{value}/")).collect();
    // Of a day whose year is that of the typing, month and day are left.
    let whole = before.iter().filter(|value| value.len() == "1863-07-01".len());
    let days: Vec<String> = whole
        .filter_map(|value| Some(value.get(4..)?.to_owned()))
        .collect();
    let mut longer: Vec<String> = further
        .filter(|value| {
            starts.iter().any(|start| value.starts_with(start.as_str()))
                || days
                    .iter()
                    .any(|day| day.starts_with('-') && value.get(4..) == Some(day))
        })
        .collect();
    longer.sort();
    longer.dedup();
    before.extend(longer);
}

/// Year, month and day of a number of days since 1970 (Hinnant's algorithm).
fn civil(days: i64) -> (i64, u32, u32) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let part = (5 * of_year + 2) / 153;
    let day = of_year - (153 * part + 2) / 5 + 1;
    let month = if part < 10 { part + 3 } else { part - 9 };
    (year + era * 400 + i64::from(month <= 2), month as u32, day as u32)
}
