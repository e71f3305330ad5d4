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

pub use rules::{INVISIBLE_CHARACTER, MIXED_APOSTROPHES, RULES, SHIFTED_CELL};
pub use unseen::{Unseen, unseen};

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
    let damage = damage::of_text(text).or_else(|| is_name.then(|| date::of_name(text)).flatten())?;
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
        fixable: true,
        cure: "write the value itself: rows may be sorted, and then nothing stands above".into(),
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
    const OFFERED: usize = 6;
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
        [] => found.help(damage.cure),
        [one] if one.is_empty() => found
            .help(format!("{}; `--fix` empties it", damage.cure))
            .fix(span, ""),
        [one] if damage.fixable => {
            let help = format!("write `{}`; `--fix` does it", short(one));
            found.help(help).fix(span, one.as_str())
        }
        [one] => found.help(format!("it may have been `{one}`; {}", damage.cure)),
        several => {
            let list: Vec<String> = several
                .iter()
                .take(OFFERED)
                .map(|value| format!("`{}`", short(value)))
                .collect();
            found.help(format!("it may have been {}; {}", list.join(" or "), damage.cure))
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
        if c.is_control() || unseen::of(c).is_some() {
            short.extend(c.escape_unicode());
        } else {
            short.push(c);
        }
    }
    short
}
