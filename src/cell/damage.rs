//! Every known kind of damage, tried in order: what is certain first.

use super::{Damage, Wanted, date, number, rules, unseen};

/// What may have happened to a text where something of a kind is wanted, the likeliest first.
pub(super) fn all(text: &str, wanted: Wanted) -> Vec<Damage> {
    let mut found = Vec::new();
    found.extend(residue(text));
    found.extend(nothing(text));
    found.extend(lookalike(text));
    match wanted {
        Wanted::Integer | Wanted::Number => {
            found.extend(number::scientific(text));
            found.extend(number::adorned(text, wanted));
            found.extend(letters_for_digits(text));
            found.extend(date::of(text));
        }
        Wanted::Moment => {
            found.extend(number::lost_zero(text));
            found.extend(letters_for_digits(text));
            found.extend(date::other_form(text));
            found.extend(date::without_year(text));
            found.extend(date::serial_day(text));
            found.extend(number::part_of_a_day(text));
        }
        Wanted::Word => {
            found.extend(number::scientific(text));
            found.extend(date::of(text));
            found.extend(date::serial(text));
            found.extend(letters_for_digits(text));
            found.extend(footnote_on_word(text));
        }
    }
    found
}

/// What is wrong with a text that may be anything.
pub(super) fn of_text(text: &str) -> Option<Damage> {
    // Most cells begin like words; nothing else has to be looked at closely.
    let first = *text.as_bytes().first()?;
    if first.is_ascii_alphanumeric() && !first.eq_ignore_ascii_case(&b'n') {
        return None;
    }
    residue(text).or_else(|| nothing(text))
}

/// What a spreadsheet shows instead of a value, or keeps for itself.
fn residue(text: &str) -> Option<Damage> {
    const ERRORS: [&str; 9] = [
        "#REF!", "#N/A", "#VALUE!", "#NAME?", "#DIV/0!", "#NUM!", "#NULL!", "#SPILL!", "#CALC!",
    ];
    let damage = |what: &str, before: Vec<String>, cure: &str| Damage {
        rule: &rules::SPREADSHEET_RESIDUE,
        what: what.into(),
        before,
        certain: true,
        or_empty: false,
        fixable: true,
        cure: cure.into(),
    };
    let upper = text.to_ascii_uppercase();
    if ERRORS.iter().any(|error| upper.starts_with(error)) {
        return Some(damage(
            "an error of the spreadsheet",
            Vec::new(),
            "mend the formula in the spreadsheet, or write the value",
        ))
        .map(|damage| Damage {
            or_empty: true,
            ..damage
        });
    }
    if text.len() >= 3 && text.bytes().all(|byte| byte == b'#') {
        return Some(damage(
            "which a spreadsheet shows where a column is too narrow",
            Vec::new(),
            "make the column wider and save again, or write the value",
        ));
    }
    if let Some(rest) = text.strip_prefix('=') {
        // A plain value after `=` keeps its zeros in a spreadsheet: `="0740"`.
        let inner = rest.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let inner = inner.filter(|inner| !inner.contains('"') && !inner.is_empty());
        if let Some(inner) = inner {
            return Some(damage(
                "a formula around a text",
                vec![inner.to_owned()],
                "write the text itself",
            ));
        }
        let formula =
            rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '(' | '+' | '-' | '$' | '\''));
        return formula.then(|| {
            damage(
                "a formula, which nobody calculates here",
                Vec::new(),
                "write its result; in a spreadsheet, paste the column back as values before saving",
            )
        });
    }
    let rest = text.strip_prefix('\'')?;
    let marked = rest.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '=' | '+' | '-'));
    marked.then(|| apostrophe(text)).flatten()
}

/// The apostrophe by which a spreadsheet marks text, before anything.
pub(super) fn apostrophe(text: &str) -> Option<Damage> {
    let rest = text.strip_prefix('\'')?;
    (!rest.is_empty() && !rest.contains('\'')).then(|| Damage {
        rule: &rules::SPREADSHEET_RESIDUE,
        what: "with the apostrophe by which a spreadsheet marks text".into(),
        before: vec![rest.to_owned()],
        certain: true,
        fixable: true,
        or_empty: false,
        cure: "remove the apostrophe".into(),
    })
}

/// Dashes and words for nothing.
pub(super) fn nothing(text: &str) -> Option<Damage> {
    let bare = text.trim().to_lowercase();
    let dashes = !bare.is_empty()
        && bare
            .chars()
            .all(|c| matches!(c, '-' | '–' | '—' | '−' | '‒' | '―' | '‐' | '‑' | '.' | '…' | '·'));
    let word = matches!(
        bare.as_str(),
        "n/a"
            | "n.a."
            | "na"
            | "n.a"
            | "none"
            | "nil"
            | "null"
            | "nan"
            | "#n/a"
            | "(none)"
            | "(blank)"
            | "blank"
            | "tbd"
    );
    (dashes || word).then(|| Damage {
        rule: &rules::WRITTEN_NOTHING,
        what: "written for “nothing”".into(),
        before: vec![String::new()],
        certain: true,
        or_empty: false,
        fixable: true,
        cure: "write the value: this cell must not be empty".into(),
    })
}

/// Characters that look like others: the text with those that are meant.
fn lookalike(text: &str) -> Option<Damage> {
    if text.bytes().all(|byte| (b' '..0x7f).contains(&byte)) {
        return None;
    }
    let (mut plain, mut with_dash, mut seen) = (String::new(), false, true);
    let mut what: Option<&str> = None;
    for c in text.chars() {
        let (meant, name) = match c {
            '\u{ff01}'..='\u{ff5e}' => (char::from_u32(c as u32 - 0xfee0), "with characters of full width"),
            '‐' | '‑' | '‒' | '–' | '—' | '−' | '﹣' => {
                with_dash = true;
                (Some('-'), "with a dash for a hyphen")
            }
            '‘' | '’' | '‛' | '′' | 'ʼ' | '´' | '`' => (Some('\''), "with another apostrophe"),
            '“' | '”' | '„' | '″' => (Some('"'), "with curly quotes"),
            '⁄' | '∕' => (Some('/'), "with another slash"),
            '٠'..='٩' => (
                char::from_digit(c as u32 - 0x660, 10),
                "with digits of another script",
            ),
            // Cyrillic and Greek letters that nobody can tell from Latin ones.
            'А' | 'Α' => (Some('A'), "with a letter of another alphabet"),
            'В' | 'Β' => (Some('B'), "with a letter of another alphabet"),
            'С' => (Some('C'), "with a letter of another alphabet"),
            'Е' | 'Ε' => (Some('E'), "with a letter of another alphabet"),
            'І' | 'Ι' => (Some('I'), "with a letter of another alphabet"),
            'К' | 'Κ' => (Some('K'), "with a letter of another alphabet"),
            'М' | 'Μ' => (Some('M'), "with a letter of another alphabet"),
            'Н' | 'Η' => (Some('H'), "with a letter of another alphabet"),
            'Р' | 'Ρ' => (Some('P'), "with a letter of another alphabet"),
            'Т' | 'Τ' => (Some('T'), "with a letter of another alphabet"),
            'Х' | 'Χ' => (Some('X'), "with a letter of another alphabet"),
            'У' | 'Υ' => (Some('Y'), "with a letter of another alphabet"),
            'Ѕ' => (Some('S'), "with a letter of another alphabet"),
            'Ј' => (Some('J'), "with a letter of another alphabet"),
            'Ν' => (Some('N'), "with a letter of another alphabet"),
            'Ζ' => (Some('Z'), "with a letter of another alphabet"),
            'і' => (Some('i'), "with a letter of another alphabet"),
            'ѕ' => (Some('s'), "with a letter of another alphabet"),
            'ј' => (Some('j'), "with a letter of another alphabet"),
            'у' => (Some('y'), "with a letter of another alphabet"),
            'ο' => (Some('o'), "with a letter of another alphabet"),
            'О' | 'Ο' => (Some('O'), "with a letter of another alphabet"),
            'а' => (Some('a'), "with a letter of another alphabet"),
            'е' => (Some('e'), "with a letter of another alphabet"),
            'о' => (Some('o'), "with a letter of another alphabet"),
            'с' => (Some('c'), "with a letter of another alphabet"),
            'р' => (Some('p'), "with a letter of another alphabet"),
            'х' => (Some('x'), "with a letter of another alphabet"),
            c => match unseen::of(c) {
                Some(kind) => {
                    seen = false;
                    ((kind == unseen::Unseen::Space).then_some(' '), "")
                }
                None => {
                    plain.push(c);
                    continue;
                }
            },
        };
        what = what.filter(|what| !what.is_empty()).or(Some(name));
        plain.extend(meant);
    }
    let what = match unseen::place(text) {
        Some(place) if !seen && what.is_none_or(str::is_empty) => format!("with {place}"),
        _ => what?.to_owned(),
    };
    let mut before = vec![plain.trim().to_owned()];
    // A number such as 1 200 has a space only to be read.
    let joined: String = plain.chars().filter(|c| *c != ' ').collect();
    if !joined.is_empty() && joined.bytes().all(|byte| byte.is_ascii_digit()) {
        before.push(joined);
    }
    if with_dash {
        before.push(plain.replace('-', " - ").split_whitespace().collect());
    }
    Some(Damage {
        rule: &rules::LOOKALIKE_CHARACTER,
        what,
        before,
        certain: false,
        // Between two words it may have been a blank, whatever fits.
        fixable: unseen::between(text).is_none(),
        or_empty: false,
        cure: "type it again with plain characters".into(),
    })
}

/// Letters that stand for digits: `1O` for 10, `l2` for 12.
fn letters_for_digits(text: &str) -> Option<Damage> {
    let mut letters = 0;
    let meant: String = text
        .chars()
        .map(|c| match c {
            'O' | 'o' => {
                letters += 1;
                '0'
            }
            'l' | 'I' | '|' => {
                letters += 1;
                '1'
            }
            'S' if text.len() > 1 => {
                letters += 1;
                '5'
            }
            'B' if text.len() > 1 => {
                letters += 1;
                '8'
            }
            other => other,
        })
        .collect();
    let numeric = letters > 0
        && meant
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | ' ' | ':'));
    numeric.then(|| Damage {
        rule: &rules::LOOKALIKE_CHARACTER,
        what: "with a letter for a digit".into(),
        before: vec![meant],
        certain: false,
        or_empty: false,
        fixable: true,
        cure: "write it with digits: `0` is not `O`, `1` is not `l`".into(),
    })
}

/// A footnote's mark after a word: `105 Pa*`.
fn footnote_on_word(text: &str) -> Option<Damage> {
    let bare = number::without_mark(text)?;
    Some(Damage {
        rule: &rules::NOT_PLAIN_NUMBER,
        what: "with a footnote's mark".into(),
        before: vec![bare],
        certain: false,
        or_empty: false,
        fixable: true,
        cure: "remove the mark; a remark belongs in the column `note`".into(),
    })
}
