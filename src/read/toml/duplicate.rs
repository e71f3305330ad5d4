//! Keys that stand twice, and where they stand first.

use std::ops::Range;

use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue};

use super::rules::DUPLICATE_KEY;
use super::syntax::Syntax;
use super::{Wanted, clamped};
use crate::diagnostic::Diagnostic;
use crate::read::shown;

/// At most for so many keys that stand twice the first place is sought, which takes a pass over the document each.
pub(super) const PLACES_SOUGHT: usize = 32;

impl Syntax<'_> {
    pub(super) fn duplicate(&self, range: Range<usize>, message: &str, seek: bool) -> Diagnostic {
        let key = &self.text[range.clone()];
        let line = self.line(range.start);
        let is_header = self.text[line.clone()].trim_start().starts_with('[');
        let found = Diagnostic::new(
            &DUPLICATE_KEY,
            self.span(range.clone()),
            if message.starts_with("cannot extend") {
                format!(
                    "the key {} has a value already and cannot be a table too",
                    shown(key)
                )
            } else if is_header {
                format!("the table {} stands twice", shown(key))
            } else {
                format!("the key {} stands twice", shown(key))
            },
        )
        .help(if is_header && !self.text[line].contains("[[") {
            match (self.wanted)(key) {
                Some(Wanted::Table) => "remove one, and put its keys under the other".into(),
                Some(Wanted::List) => format!("write `[[{key}]]`, with two brackets, above each of them"),
                _ => format!(
                    "remove one and put its keys under the other, or write `[[{key}]]` at each if there may be several"
                ),
            }
        } else {
            "remove or rename one of the two".into()
        });
        match seek.then(|| self.first_place(&range)).flatten() {
            Some(first) => found.label(self.span(first), "first here"),
            None => found,
        }
    }

    /// Where the key that stands twice stands first.
    pub(super) fn first_place(&self, second: &Range<usize>) -> Option<Range<usize>> {
        if let Some(table) = inline_table_around(self.text, self.document, second) {
            let (_, key) = path(&format!("{} = 0", &self.text[second.clone()]))?;
            return key_place(table, &key).filter(|first| first != second);
        }
        let start = self.line(second.start).start;
        let typed = self.text[start..second.end].trim_start();
        let close = match (typed.starts_with("[["), typed.starts_with('[')) {
            (true, _) => "]]",
            (_, true) => "]",
            _ => " = 0",
        };
        let (parents, key) = path(&format!("{typed}{close}"))?;
        // Up to here the document tells which table each header means; a probe tells which one the line is in.
        let before = format!("{}\n\"{PROBE}\" = 0\n", &self.text[..start]);
        let (before, _) = DeTable::parse_recoverable(&before);
        let mut table = if close == " = 0" {
            table_with(before.get_ref(), PROBE)?
        } else {
            before.get_ref()
        };
        for parent in &parents {
            table = last_table(table.get(parent.as_str())?.get_ref())?;
        }
        key_place(table, &key)
    }
}

/// A key that no document has.
pub(super) const PROBE: &str = "orbat: which table is this line in?";

/// The path of the one key of a small document: the keys above it, and itself.
pub(super) fn path(document: &str) -> Option<(Vec<String>, String)> {
    let (document, errors) = DeTable::parse_recoverable(document);
    if !errors.is_empty() {
        return None;
    }
    let mut keys = Vec::new();
    let mut table = document.get_ref();
    while let Some((key, value)) = table.iter().next() {
        keys.push(key.get_ref().to_string());
        match last_table(value.get_ref()) {
            Some(inner) => table = inner,
            None => break,
        }
    }
    let key = keys.pop()?;
    Some((keys, key))
}

/// The table that a key in a path means: of several, the last.
pub(super) fn last_table<'t, 'i>(value: &'t DeValue<'i>) -> Option<&'t DeTable<'i>> {
    match value {
        DeValue::Table(table) => Some(table),
        DeValue::Array(items) => items.iter().last().and_then(|item| item.get_ref().as_table()),
        _ => None,
    }
}

/// Where a key of a table stands.
pub(super) fn key_place(table: &DeTable<'_>, key: &str) -> Option<Range<usize>> {
    table.get_key_value(key).map(|(key, _)| key.span())
}

/// The table that has a key.
pub(super) fn table_with<'t, 'i>(table: &'t DeTable<'i>, key: &str) -> Option<&'t DeTable<'i>> {
    if table.contains_key(key) {
        return Some(table);
    }
    table.values().find_map(|value| match value.get_ref() {
        DeValue::Table(inner) => table_with(inner, key),
        DeValue::Array(items) => items
            .iter()
            .filter_map(|item| item.get_ref().as_table())
            .find_map(|inner| table_with(inner, key)),
        _ => None,
    })
}

/// The innermost table in braces around a place.
pub(super) fn inline_table_around<'t, 'i>(
    text: &str,
    table: &'t DeTable<'i>,
    place: &Range<usize>,
) -> Option<&'t DeTable<'i>> {
    table.values().find_map(|value| inline_in(text, value, place))
}

pub(super) fn inline_in<'t, 'i>(
    text: &str,
    value: &'t Spanned<DeValue<'i>>,
    place: &Range<usize>,
) -> Option<&'t DeTable<'i>> {
    match value.get_ref() {
        DeValue::Table(table) => inline_table_around(text, table, place).or_else(|| {
            // Under a header the span is the header, and the key that stands twice may be in it.
            let span = clamped(text, value.span());
            let around = span.start <= place.start && place.end <= span.end;
            (around && text[span].starts_with('{')).then_some(table)
        }),
        DeValue::Array(items) => items.iter().find_map(|item| inline_in(text, item, place)),
        _ => None,
    }
}
