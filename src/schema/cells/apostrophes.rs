//! Names with two kinds of apostrophes.

use std::collections::BTreeSet;

use super::Apostrophes;
use crate::cell;
use crate::diagnostic::{Diagnostic, Sink};

/// Reports names with another kind of apostrophe than the others: once a table.
pub(in crate::schema) fn report_apostrophes([straight, curly]: &Apostrophes, sink: &mut Sink) {
    let (Some((one, _)), Some((other, _))) = (straight.first(), curly.first()) else {
        return;
    };
    // Names that differ in nothing else are one name twice, which is told elsewhere.
    let plain: BTreeSet<&str> = straight.iter().map(|(_, text)| text.as_str()).collect();
    if curly.iter().any(|(_, text)| plain.contains(text.as_str())) {
        return;
    }
    // Those are told of that are fewer; of as many the curly ones, which no keyboard has.
    let (rare, common, what) = if curly.len() <= straight.len() {
        (curly, one, "curly")
    } else {
        (straight, other, "straight")
    };
    let subject = match rare.len() {
        1 => "a name has".to_owned(),
        count => format!("{count} names have"),
    };
    sink.push(
        Diagnostic::new(
            &cell::MIXED_APOSTROPHES,
            rare[0].0,
            format!("{subject} a {what} apostrophe, and others have the other kind"),
        )
        .note(format!("a {what} apostrophe"))
        .label(*common, "the other kind")
        .help("use one kind of apostrophe in all names: programs that search and sort tell them apart"),
    );
}
