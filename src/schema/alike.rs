//! Cells of one column that are wrong in the same way: one finding, however many there are.

use std::collections::BTreeMap;

use super::rules::{NOT_A_CHOICE, WRONG_TYPE};
use crate::diagnostic::{Diagnostic, Sink};

/// What was found of a table, by column and value.
#[derive(Default)]
pub(super) struct Alike {
    groups: BTreeMap<(String, String), Group>,
}

/// The first finding of a value, what it calls its cell, and the findings of further cells.
struct Group {
    first: Diagnostic,
    subject: String,
    others: Vec<Diagnostic>,
}

impl Alike {
    /// Takes what was told of a cell; what cannot be the same for other cells is passed on.
    pub(super) fn take(&mut self, field: &str, value: &str, subject: &str, told: Sink, sink: &mut Sink) {
        for found in told.into_found() {
            if ![NOT_A_CHOICE.code, WRONG_TYPE.code].contains(&found.rule.code) {
                sink.push(found);
                continue;
            }
            let key = (field.to_owned(), value.to_owned());
            match self.groups.get_mut(&key) {
                Some(group) => group.others.push(found),
                None => {
                    let group = Group {
                        first: found,
                        subject: subject.to_owned(),
                        others: Vec::new(),
                    };
                    self.groups.insert(key, group);
                }
            }
        }
    }

    /// Reports each value once.
    pub(super) fn report(self, sink: &mut Sink) {
        /// More places would not be read.
        const LABELS: usize = 3;
        for Group {
            first: mut found,
            subject,
            others,
        } in self.groups.into_values()
        {
            let count = others.len();
            if count > 0 {
                let further = if count == 1 {
                    "one other".to_owned()
                } else {
                    format!("{count} others")
                };
                found.message = found
                    .message
                    .replacen(&subject, &format!("{subject} and {further}"), 1);
                if found.fix.is_some() {
                    found.help = found.help.map(|help| format!("{help} in all {}", count + 1));
                }
            }
            for (number, other) in others.into_iter().enumerate() {
                if let Some(span) = other.span.filter(|_| number < LABELS) {
                    found = found.label(span, "nor here");
                }
                found.further_fixes.extend(other.fix);
            }
            sink.push(found);
        }
    }
}
