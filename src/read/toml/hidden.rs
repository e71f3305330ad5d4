//! Characters in the texts of a document that cannot be seen.

use std::collections::BTreeMap;

use super::node::{Node, NodeValue};
use crate::cell::{self, INVISIBLE_CHARACTER, Unseen};
use crate::diagnostic::{Diagnostic, Fix, Sink};
use crate::source::Span;

/// Keys whose texts name records: these are found in spite of such a character. What must be a name to the letter is told
/// where it is sought.
const REFERENCES: [&str; 6] = ["into", "leaders", "target", "targets", "units", "with"];

/// A text with such a character: where it stands, and how it reads without.
struct Hidden {
    kind: Unseen,
    span: Span,
    cleaned: String,
}

/// Reports such characters in what names something: once for each key, however many entries have it. `lists` are the lists
/// whose entries become records, whose texts are looked at as the cells of tables are.
pub fn hidden(root: &Node, lists: &[&str], sink: &mut Sink) {
    let mut found: BTreeMap<&str, Vec<Hidden>> = BTreeMap::new();
    if let NodeValue::Table(entries) = &root.value {
        for entry in entries {
            let is_list = lists.contains(&entry.key.as_str());
            match &entry.value.value {
                NodeValue::List(items) if is_list => {
                    items.iter().for_each(|item| within(item, &mut found));
                }
                _ => collect(&entry.key, &entry.value, &mut found),
            }
        }
    }
    for (key, places) in found {
        let mut places = places.into_iter().peekable();
        let Some(first) = places.peek() else {
            continue;
        };
        let (span, kind) = (first.span, first.kind);
        let count = places.len();
        let others = match count {
            1 => String::new(),
            2 => " and one other".to_owned(),
            count => format!(" and {} others", count - 1),
        };
        let mut diagnostic = Diagnostic::new(
            &INVISIBLE_CHARACTER,
            span,
            format!(
                "a value of `{key}`{others} hold{} {}",
                if count == 1 { "s" } else { "" },
                kind.name()
            ),
        )
        .note(if count == 1 { "here" } else { "the first of them" })
        .help(if count == 1 {
            "type it again without; `--fix` does it".to_owned()
        } else {
            format!("type them again without; `--fix` does it in all {count}")
        });
        let mut fixes = places.map(|hidden| Fix::value(hidden.span, hidden.cleaned));
        diagnostic.fix = fixes.next();
        diagnostic.further_fixes = fixes.collect();
        sink.push(diagnostic);
    }
}

/// The same of a record: its texts are cells, what lies in lists and tables is not.
fn within<'n>(record: &'n Node, found: &mut BTreeMap<&'n str, Vec<Hidden>>) {
    if let NodeValue::Table(entries) = &record.value {
        let deep = entries
            .iter()
            .filter(|entry| !matches!(entry.value.value, NodeValue::Text(_)));
        deep.for_each(|entry| collect(&entry.key, &entry.value, found));
    }
}

fn collect<'n>(key: &'n str, node: &'n Node, found: &mut BTreeMap<&'n str, Vec<Hidden>>) {
    match &node.value {
        NodeValue::Text(text) if REFERENCES.contains(&key) => {
            // What is put in its place stands on one line.
            if let Some((kind, cleaned)) = cell::unseen(text)
                && !text.contains(char::is_control)
            {
                let span = node.span;
                found.entry(key).or_default().push(Hidden { kind, span, cleaned });
            }
        }
        NodeValue::List(items) => items.iter().for_each(|item| collect(key, item, found)),
        NodeValue::Table(entries) => {
            entries
                .iter()
                .for_each(|entry| collect(&entry.key, &entry.value, found));
        }
        _ => {}
    }
}
