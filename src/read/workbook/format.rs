//! Numbers as people type them, and the number formats that make dates of them.

use super::{Content, Moment};

/// What a number format does, as far as it matters here.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Format {
    /// The number itself.
    Plain,
    /// So many digits, with zeros in front: `0740`.
    Digits(usize),
    /// A date or a time.
    Moment(Vec<Token>),
}

/// A piece of the format of a date.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    /// `y`, `m` (month), `d`, `h`, `n` (minute), `s`, and how many of them.
    Field(char, usize),
    /// Hours, minutes or seconds that go on beyond a day: `[h]`.
    Elapsed(char),
    /// Morning or afternoon.
    HalfDay,
    /// As it is.
    Literal(char),
}

/// A number as people type it: `4`, not `4.0`, and 15 digits, which is what spreadsheets show of a binary fraction.
pub(super) fn plain(number: f64) -> String {
    let rounded = format!("{number:.14e}").parse().unwrap_or(number);
    // There is no `-0` on paper.
    if rounded == 0.0 {
        "0".into()
    } else {
        format!("{rounded}")
    }
}

/// The format of a built-in number.
pub(super) fn built_in(id: u32) -> Option<&'static str> {
    Some(match id {
        14 => "m/d/yyyy",
        15 => "d-mmm-yy",
        16 => "d-mmm",
        17 => "mmm-yy",
        18 => "h:mm AM/PM",
        19 => "h:mm:ss AM/PM",
        20 => "h:mm",
        21 => "h:mm:ss",
        22 => "m/d/yyyy h:mm",
        // Dates of East Asia, which look different in every language.
        27..=31 | 36 | 50..=54 | 57..=58 => "yyyy-mm-dd",
        32..=35 | 55..=56 => "h:mm",
        45 => "mm:ss",
        46 => "[h]:mm:ss",
        47 => "mm:ss",
        _ => return None,
    })
}

impl Format {
    /// What a format code does. Only its first section is looked at: it is for numbers that are not negative.
    pub(super) fn parse(code: &str) -> Format {
        let code = code.trim();
        // No spreadsheet has longer ones.
        if code.len() > 1024 {
            return Format::Plain;
        }
        if code.len() > 1 && code.bytes().all(|byte| byte == b'0') {
            return Format::Digits(code.len());
        }
        let mut tokens: Vec<Token> = Vec::new();
        let chars: Vec<char> = code.chars().collect();
        let mut at = 0;
        while let Some(&c) = chars.get(at) {
            at += 1;
            match c {
                ';' => break,
                '\\' => {
                    tokens.extend(chars.get(at).map(|c| Token::Literal(*c)));
                    at += 1;
                }
                // A blank as wide as the next character, or the next character again and again.
                '_' | '*' => at += 1,
                '"' => {
                    while let Some(&c) = chars.get(at) {
                        at += 1;
                        if c == '"' {
                            break;
                        }
                        tokens.push(Token::Literal(c));
                    }
                }
                '[' => {
                    let inner: String = chars[at..].iter().take_while(|c| **c != ']').collect();
                    at += inner.chars().count() + 1;
                    let inner = inner.to_ascii_lowercase();
                    let unit = inner.chars().next().filter(|unit| "hms".contains(*unit));
                    if let Some(unit) = unit.filter(|unit| inner.chars().all(|c| c == *unit)) {
                        tokens.push(Token::Elapsed(if unit == 'm' { 'n' } else { unit }));
                    }
                }
                'a' | 'A' => {
                    let rest: String = chars[at..]
                        .iter()
                        .take(4)
                        .collect::<String>()
                        .to_ascii_lowercase();
                    if rest.starts_with("m/pm") {
                        at += 4;
                        tokens.push(Token::HalfDay);
                    } else if rest.starts_with("/p") {
                        at += 2;
                        tokens.push(Token::HalfDay);
                    }
                }
                _ if "ymdhs".contains(c.to_ascii_lowercase()) => {
                    let unit = c.to_ascii_lowercase();
                    let more = chars[at..]
                        .iter()
                        .take_while(|c| c.to_ascii_lowercase() == unit)
                        .count();
                    at += more;
                    tokens.push(Token::Field(unit, more + 1));
                }
                _ => tokens.push(Token::Literal(c)),
            }
        }
        let is_moment = tokens
            .iter()
            .any(|token| matches!(token, Token::Field(..) | Token::Elapsed(_)));
        if !is_moment {
            return Format::Plain;
        }
        minutes(&mut tokens);
        Format::Moment(tokens)
    }

    /// What a cell holds that has this number and this format.
    pub(super) fn apply(&self, number: f64, since_1904: bool) -> Content {
        match self {
            Format::Moment(tokens) => match moment(number, tokens, since_1904) {
                Some(moment) => Content::Moment(Box::new(moment)),
                None => Content::Text(plain(number).into()),
            },
            Format::Digits(width) if number >= 0.0 && number.fract() == 0.0 => {
                Content::Text(format!("{:0>width$}", plain(number), width = *width).into())
            }
            _ => Content::Text(plain(number).into()),
        }
    }
}

/// Makes minutes of the months that stand after hours or before seconds.
fn minutes(tokens: &mut [Token]) {
    let fields: Vec<(usize, char)> = tokens
        .iter()
        .enumerate()
        .filter_map(|(at, token)| match token {
            Token::Field(unit, _) | Token::Elapsed(unit) => Some((at, *unit)),
            _ => None,
        })
        .collect();
    for (index, (at, unit)) in fields.iter().enumerate() {
        let before = index.checked_sub(1).map(|index| fields[index].1);
        let after = fields.get(index + 1).map(|field| field.1);
        if *unit == 'm'
            && (before == Some('h') || after == Some('s'))
            && let Token::Field(unit, count) = &mut tokens[*at]
            && *count <= 2
        {
            *unit = 'n';
        }
    }
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];

/// The moment that a number of days is; `None` where spreadsheets have none.
fn moment(number: f64, tokens: &[Token], since_1904: bool) -> Option<Moment> {
    const LAST: f64 = 2_958_466.0;
    let number = if since_1904 { number + 1462.0 } else { number };
    if !(0.0..LAST).contains(&number) {
        return None;
    }
    let seconds = (number * 86_400.0).round() as i64;
    let (day, rest) = (seconds / 86_400, seconds % 86_400);
    let elapsed_day = if since_1904 { day - 1462 } else { day };
    // Excel believes that 1900 was a leap year: its first two months are one day late.
    let (year, month, date) = civil(if day < 60 { day + 1 } else { day } - 25_569);
    let half = tokens.contains(&Token::HalfDay);
    let mut shown = String::new();
    for token in tokens {
        match token {
            Token::Literal(c) => shown.push(*c),
            Token::HalfDay => shown.push_str(if rest < 43_200 { "AM" } else { "PM" }),
            Token::Elapsed('h') => shown += &(elapsed_day * 24 + rest / 3600).to_string(),
            Token::Elapsed('n') => shown += &(elapsed_day * 1440 + rest / 60).to_string(),
            Token::Elapsed(_) => shown += &(elapsed_day * 86_400 + rest).to_string(),
            Token::Field(unit, count) => {
                let hour = match rest / 3600 {
                    hour if !half => hour,
                    hour => (hour + 11) % 12 + 1,
                };
                let name = MONTHS[(month - 1) as usize % 12];
                let weekday = DAYS[(day + 6).rem_euclid(7) as usize];
                match (unit, count) {
                    ('y', ..=2) => shown += &format!("{:02}", year % 100),
                    ('y', _) => shown += &format!("{year:04}"),
                    ('m', 3) => shown += &name[..3],
                    ('m', 4) => shown += name,
                    ('m', 5..) => shown += &name[..1],
                    ('d', 3) => shown += &weekday[..3],
                    ('d', 4..) => shown += weekday,
                    _ => {
                        let value = match unit {
                            'm' => month,
                            'd' => date,
                            'h' => hour,
                            'n' => rest / 60 % 60,
                            _ => rest % 60,
                        };
                        shown += &format!("{value:0width$}", width = (*count).min(2));
                    }
                }
            }
        }
    }
    let of_day = |units: &str| {
        tokens
            .iter()
            .any(|token| matches!(token, Token::Field(unit, _) if units.contains(*unit)))
    };
    let elapsed = tokens.iter().any(|token| matches!(token, Token::Elapsed(_)));
    let is_date = of_day("ymd");
    let is_time = of_day("hns") || elapsed;
    // 24:00 is the end of a day, and what `[h]:mm` shows of a whole one.
    let minute = elapsed_day * 1440 + rest / 60;
    let clock = is_time && !is_date && rest % 60 == 0 && (minute < 1440 || (minute == 1440 && elapsed));
    Some(Moment {
        shown,
        date: (is_date && rest == 0).then(|| format!("{year:04}-{month:02}-{date:02}")),
        time: clock.then(|| format!("{:02}{:02}", minute / 60, minute % 60)),
    })
}

/// Year, month and day of a number of days since 1970.
fn civil(days: i64) -> (i64, i64, i64) {
    // Years are counted from March, so that the leap day is their last.
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day = days.rem_euclid(146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let date = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year + era * 400 + i64::from(month <= 2), month, date)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(code: &str, number: f64) -> (String, Option<String>, Option<String>) {
        match Format::parse(code).apply(number, false) {
            Content::Moment(moment) => (moment.shown, moment.date, moment.time),
            Content::Text(text) => (text.to_string(), None, None),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn numbers_are_written_as_people_type_them() {
        for (number, text) in [
            (4.0, "4"),
            (-0.0, "0"),
            (0.5, "0.5"),
            (0.1 + 0.2, "0.3"),
            (1200.0, "1200"),
            (2.5, "2.5"),
            (1e21, "1000000000000000000000"),
            (-3.0, "-3"),
        ] {
            assert_eq!(plain(number), text);
        }
    }

    #[test]
    fn formats_of_dates_are_told_from_others() {
        for code in [
            "General",
            "0",
            "#,##0.00",
            "0%",
            "[Red]0",
            "\"days\" 0",
            "@",
            "_-* #,##0_-",
            "0.00E+00",
            "[$-409]0",
            "\\d0",
        ] {
            assert_eq!(Format::parse(code), Format::Plain, "{code}");
        }
        assert_eq!(shown("0000", 740.0).0, "0740");
        for code in [
            "d-mmm",
            "[$-409]d mmm yyyy;@",
            "yyyy\\-mm\\-dd",
            "[h]:mm",
            "h:mm AM/PM",
            "mm:ss",
        ] {
            assert!(matches!(Format::parse(code), Format::Moment(_)), "{code}");
        }
    }

    #[test]
    fn dates_are_shown_as_the_spreadsheet_shows_them() {
        let date = |text: &str| Some(text.to_owned());
        assert_eq!(
            shown("d-mmm", 46023.0),
            ("1-Jan".into(), date("2026-01-01"), None)
        );
        assert_eq!(
            shown("mmm-yy", 46082.0),
            ("Mar-26".into(), date("2026-03-01"), None)
        );
        assert_eq!(
            shown("m/d/yyyy", 1.0),
            ("1/1/1900".into(), date("1900-01-01"), None)
        );
        assert_eq!(shown("dddd", 46023.0).0, "Thursday");
        assert_eq!(
            shown("m/d/yyyy h:mm", 46023.5),
            ("1/1/2026 12:00".into(), None, None)
        );
        assert_eq!(
            shown("h:mm", 7.0 / 24.0 + 40.0 / 1440.0),
            ("7:40".into(), None, date("0740"))
        );
        assert_eq!(shown("hh:mm:ss", 0.5), ("12:00:00".into(), None, date("1200")));
        assert_eq!(shown("h:mm AM/PM", 0.0), ("12:00 AM".into(), None, date("0000")));
        assert_eq!(shown("[h]:mm", 1.0), ("24:00".into(), None, date("2400")));
        assert_eq!(shown("[h]:mm", 1.5), ("36:00".into(), None, None));
        assert_eq!(shown("d-mmm", -1.0).0, "-1");
        assert_eq!(shown("d-mmm", f64::NAN).0, "NaN");
    }
}
