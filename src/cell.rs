//! What a program did to a cell: the damage that spreadsheets, word processors and printed books leave in values.
//!
//! A value that does not fit is looked at here before it is reported as merely wrong. Every known kind of damage says
//! what the cell may have held before; whoever asks says which of those values would fit. What can be read in one way
//! becomes a [`Fix`](crate::diagnostic::Fix), what can be read in several becomes a list. Knows no game and no table.

mod damage;
mod date;
mod number;
mod rules;
#[cfg(test)]
mod tests;
mod unseen;

use crate::diagnostic::{Diagnostic, Rule};
use crate::source::Span;
use crate::suggest;

pub use rules::{INVISIBLE_CHARACTER, MIXED_APOSTROPHES, RULES, SHIFTED_CELL, WRITTEN_NOTHING};
pub use unseen::{Unseen, between as control_between, place as unseen_place, unseen};

/// What belongs in a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// An id, a name or another word that is looked up.
    Word,
    /// A day, a time or both.
    Moment,
}

/// What may have happened to a cell.
#[derive(Clone, Debug)]
struct Damage {
    rule: &'static Rule,
    /// Completes “`unit` holds `1-Jan`, …”.
    what: String,
    /// What the cell may have held, the likeliest first.
    before: Vec<String>,
    /// Whether it is told even if nothing that the cell may have held fits.
    certain: bool,
    /// Whether the one value that fits may be put in its place: not where others were possible in principle.
    fixable: bool,
    /// The cure where no value is known.
    cure: String,
    /// Whether the cell is better left empty than as it is, where it may be empty.
    or_empty: bool,
}

/// The diagnostic of a damaged cell; `None` where no damage is known that explains the text.
///
/// `subject` is how messages name the cell, `accepts` says whether a value would fit, and `further` are values of the
/// project that are offered if they look like what a date was made of.
pub fn explain(
    text: &str,
    wanted: Wanted,
    subject: &str,
    span: Span,
    accepts: &dyn Fn(&str) -> bool,
    further: impl Iterator<Item = String>,
) -> Option<Diagnostic> {
    let text = text.trim_matches([' ', '\t']);
    for mut damage in damage::all(text, wanted) {
        if damage.certain && damage.rule.code == rules::BECAME_DATE.code {
            // What was guessed with the help of the project is for its author to judge.
            damage.fixable &= damage.before.iter().any(|value| accepts(value));
            date::add_prefixed(&mut damage.before, further);
            return Some(tell(damage, text, subject, span, accepts));
        }
        if damage.certain || damage.before.iter().any(|value| accepts(value)) {
            return Some(tell(damage, text, subject, span, accepts));
        }
    }
    None
}

/// Everything that a damaged text may have been.
pub fn may_have_been(text: &str, wanted: Wanted) -> Vec<String> {
    let damages = damage::all(text.trim_matches([' ', '\t']), wanted);
    let mut values: Vec<String> = damages.into_iter().flat_map(|damage| damage.before).collect();
    values.retain(|value| !value.is_empty());
    values
}

/// What is wrong with a text that no list and no form restricts: an error value, a formula, a dash for nothing; where it
/// is a name, a date too. `optional` says whether the cell may be empty.
pub fn explain_text(
    text: &str,
    is_name: bool,
    optional: bool,
    subject: &str,
    span: Span,
) -> Option<Diagnostic> {
    let text = text.trim_matches([' ', '\t']);
    let name = |text| date::of_name(text).or_else(|| number::shown_scientific(text));
    let damage = damage::of_text(text).or_else(|| is_name.then(|| name(text)).flatten())?;
    Some(tell(damage, text, subject, span, &|value| {
        optional || !value.is_empty()
    }))
}

/// No mark for “the same as above” takes more bytes, with a few blanks around it.
const LONGEST_DITTO: usize = 24;

/// Whether [`explain_text`] has something to say of a text.
pub fn is_damaged(text: &str, is_name: bool) -> bool {
    let text = text.trim_matches([' ', '\t']);
    damage::of_text(text).is_some() || is_name && date::of_name(text).is_some()
}

/// The word for yes or no that a text means, however a program or a habit writes it.
pub fn yes_or_no(text: &str) -> Option<&'static str> {
    match text.trim().trim_end_matches('.').to_lowercase().as_str() {
        "yes" | "y" | "true" | "t" | "1" | "x" | "✓" | "✔" | "☑" => Some("yes"),
        "no" | "n" | "false" | "f" | "0" | "☐" => Some("no"),
        _ => None,
    }
}

/// What is wrong with a reference or an id that begins with an apostrophe: nothing is called so.
pub fn explain_apostrophe(text: &str, subject: &str, span: Span) -> Option<Diagnostic> {
    let damage = damage::apostrophe(text.trim_matches([' ', '\t']))?;
    Some(tell(damage, text, subject, span, &|_| true))
}

/// What is wrong with an item of a list of words, as [`explain_text`] says it of a cell: an error value, a formula, a dash
/// for nothing; of names dates too. `whole` gives the cell with another text in the item's place.
pub fn explain_item(
    item: &str,
    is_name: bool,
    subject: &str,
    span: Span,
    whole: &dyn Fn(&str) -> String,
) -> Option<Diagnostic> {
    let found = explain_text(item, is_name, true, subject, span)?;
    Some(in_whole(found, whole))
}

/// Why an item is no count such as `wagon=1`, if a program or a habit of typists explains it; `accepts` says whether another
/// would be one.
pub fn explain_count(
    item: &str,
    subject: &str,
    span: Span,
    accepts: &dyn Fn(&str) -> bool,
    whole: &dyn Fn(&str) -> String,
) -> Option<Diagnostic> {
    let (kind, count) = match item.split_once('=') {
        Some((kind, count)) if !kind.trim().is_empty() => (kind.trim(), count.trim()),
        _ => {
            let accepts = |value: &str| value.is_empty() || accepts(value);
            let found = explain(item, Wanted::Word, subject, span, &accepts, std::iter::empty())?;
            return Some(in_whole(found, whole));
        }
    };
    for mut damage in damage::all(count, Wanted::Integer) {
        for value in &mut damage.before {
            // No count begins with a zero, whatever letter stood there.
            let plain = value.trim_start_matches('0');
            *value = format!("{kind}={}", if plain.is_empty() { value.as_str() } else { plain });
        }
        if damage.certain || damage.before.iter().any(|value| accepts(value)) {
            return Some(in_whole(tell(damage, item, subject, span, accepts), whole));
        }
    }
    None
}

/// What to do with a cell that holds a word or mark for nothing.
const EMPTY_IT: &str = "leave the cell empty, as `--fix` does";

/// A diagnostic of a part of a cell, whose replacement is that of the whole cell.
fn in_whole(mut found: Diagnostic, whole: &dyn Fn(&str) -> String) -> Diagnostic {
    if let Some(fix) = &mut found.fix {
        fix.replacement = whole(&fix.replacement);
        if let Some(help) = &mut found.help
            && !fix.replacement.is_empty()
            && help == EMPTY_IT
        {
            *help = "leave it out; `--fix` takes it out of the list".into();
        }
    }
    found
}

/// Whether a text is a dash or a word for “nothing”.
pub fn is_written_nothing(text: &str) -> bool {
    damage::nothing(text).is_some()
}

/// Whether a text is a mark for “the same as above”.
pub fn is_ditto(text: &str) -> bool {
    if text.len() > LONGEST_DITTO {
        return false;
    }
    let bare = text.trim().trim_end_matches('.').to_lowercase();
    matches!(
        bare.as_str(),
        "\"" | "\"\""
            | "″"
            | "〃"
            | "''"
            | "“"
            | "”"
            | "„"
            | "do"
            | "ditto"
            | "-do-"
            | "- do -"
            | "-\"-"
            | "—\"—"
            | "–\"–"
    )
}

/// The diagnostic of a ditto mark, whose meaning is what the cell above it holds.
pub fn explain_ditto(text: &str, above: Option<&str>, subject: &str, span: Span) -> Diagnostic {
    let damage = Damage {
        rule: &rules::DITTO_MARK,
        what: "a mark for “the same as above”".into(),
        before: above.map(str::to_owned).into_iter().collect(),
        certain: true,
        or_empty: false,
        fixable: true,
        cure: "write the value itself: rows may be sorted, and then nothing stands above".into(),
    };
    tell(damage, text, subject, span, &|_| true)
}

/// The diagnostic of a control character between two words: two readings are possible, and none is chosen. `at` is where
/// it stands in the text, `subject` what messages call the cell.
pub fn explain_control(text: &str, at: usize, subject: &str, span: Span) -> Diagnostic {
    let (before, rest) = text.split_at(at);
    let mut behind = rest.chars();
    let name = behind.next().map(unseen::control_name).unwrap_or_default();
    Diagnostic::new(
        &INVISIBLE_CHARACTER,
        span,
        format!(
            "{subject} holds a control character ({name}) between `{}` and `{}`",
            short(before),
            short(behind.as_str())
        ),
    )
    .note("here")
    .help("type the cell again: it may have been a blank or nothing")
}

/// The diagnostic of a number and the value of another column in one cell: `3 M` where the column beside is empty.
pub fn explain_spilled(
    number: &str,
    rest: &str,
    subject: &str,
    column: &str,
    own: &str,
    span: Span,
) -> Diagnostic {
    Diagnostic::new(
        &rules::NOT_PLAIN_NUMBER,
        span,
        format!("{subject} holds `{number} {rest}`, a number and the value of another column"),
    )
    .note(format!("`{rest}` belongs in `{column}`"))
    .help(format!("write `{number}` in `{own}` and `{rest}` in `{column}`"))
}

/// A number and the words behind it: `3 M`, `390 men`.
pub fn number_and_words(text: &str) -> Option<(&str, &str)> {
    number::and_words(text)
}

/// The diagnostic of a number whose words behind it say nothing that the table does not say: the column's own name, or
/// what stands in the cell beside.
pub fn explain_needless(number: &str, text: &str, what: &str, subject: &str, span: Span) -> Diagnostic {
    let damage = Damage {
        rule: &rules::NOT_PLAIN_NUMBER,
        what: what.into(),
        before: vec![number.to_owned()],
        certain: true,
        fixable: true,
        or_empty: false,
        cure: String::new(),
    };
    tell(damage, text, subject, span, &|_| true)
}

/// The diagnostic of a value that belongs in the column beside its own.
pub fn explain_shifted(text: &str, subject: &str, column: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &rules::SHIFTED_CELL,
        span,
        format!(
            "{subject} holds `{}`, which is a value of `{column}`",
            short(text)
        ),
    )
    .note(format!("belongs in `{column}`"))
    .help(format!(
        "move it to the column `{column}`, which is empty in this row"
    ))
}

fn tell(damage: Damage, text: &str, subject: &str, span: Span, accepts: &dyn Fn(&str) -> bool) -> Diagnostic {
    /// More would not be read.
    const OFFERED: usize = 8;
    let cure = match damage.or_empty && accepts("") {
        true => format!("{}; leave the cell empty if it is not known", damage.cure),
        false => damage.cure,
    };
    let mut fitting: Vec<String> = Vec::new();
    for value in damage.before {
        if value != text && accepts(&value) && !fitting.contains(&value) {
            fitting.push(value);
        }
    }
    let found = Diagnostic::new(
        damage.rule,
        span,
        format!("{subject} holds `{}`, {}", short(text), damage.what),
    )
    .note(note_of(damage.rule));
    match fitting.as_slice() {
        [] => found.help(cure),
        [one] if one.is_empty() => found.help(EMPTY_IT).fix(span, ""),
        [one] if damage.fixable && damage.what == number::ESTIMATE => found
            .help(format!(
                "write `{}`, as `--fix` does; that it is an estimate belongs in `note` or a column such as `confidence`",
                short(one)
            ))
            .fix(span, one.as_str()),
        [one] if damage.fixable => {
            let help = format!("write `{}`; `--fix` does it", short(one));
            found.help(help).fix(span, one.as_str())
        }
        [one] => found.help(format!("it may have been `{one}`; {cure}")),
        several => {
            let list: Vec<String> = several
                .iter()
                .take(OFFERED)
                .map(|value| format!("`{}`", short(value)))
                .collect();
            found.help(format!("it may have been {}; {cure}", suggest::either(&list)))
        }
    }
}

/// A word on the marked cell.
fn note_of(rule: &Rule) -> &'static str {
    match rule.code {
        "became-date" => "made a date by a program?",
        "scientific-notation" => "digits may be lost",
        "lost-zero" => "not four digits",
        "spreadsheet-residue" => "not a value",
        "not-plain-number" => "not digits alone",
        "lookalike-character" => "not the character it looks like",
        "written-nothing" => "nothing, written out",
        "ditto-mark" => "the same as above",
        _ => "",
    }
}

/// A text as a headline shows it: on one line, not too long, with nothing that cannot be seen.
fn short(text: &str) -> String {
    const MOST: usize = 40;
    let mut short = String::new();
    for (count, c) in text.chars().enumerate() {
        if count == MOST {
            short.push('…');
            break;
        }
        match unseen::of(c) {
            Some(Unseen::Space) => short.push(' '),
            Some(_) => {}
            None if c.is_control() => short.push(' '),
            None => short.push(c),
        }
    }
    short.trim().to_owned()
}
