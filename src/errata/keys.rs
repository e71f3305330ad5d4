//! Which keys an operation uses: what stands besides them belongs to another operation, and one of the two is wrong.

use super::rules::KEY_OF_ANOTHER_OPERATION;
use super::{Entry, Op, Overlay, op_name};
use crate::diagnostic::{Diagnostic, Sink};
use crate::read::toml::NodeValue;

/// Every operation, in the order in which they are offered.
const ALL: [Op; 9] = [
    Op::Set,
    Op::Add,
    Op::Remove,
    Op::Swap,
    Op::Remap,
    Op::Counter,
    Op::Rename,
    Op::Move,
    Op::Note,
];

/// The keys that every entry may have.
const COMMON: [&str; 5] = ["ref", "kind", "summary", "reason", "op"];

/// The keys that an operation uses.
fn used(op: Op) -> &'static [&'static str] {
    match op {
        Op::Set | Op::Rename | Op::Move => &["table", "target", "where", "expect", "was", "now"],
        Op::Counter => &["table", "target", "where", "expect", "side", "was", "now"],
        Op::Add => &["table", "record"],
        Op::Remove => &["table", "target", "where", "expect", "was"],
        Op::Swap => &["table", "targets", "where", "expect", "field", "was"],
        Op::Remap => &["table", "targets", "where", "expect", "into"],
        // It may say what it is about.
        Op::Note => &["table", "target"],
    }
}

/// Reports the keys of an entry that its operation does not use: once, at the first. Says whether there are any.
pub(super) fn judge(overlay: &Overlay, index: usize, entry: &Entry, sink: &mut Sink) -> bool {
    let pointer = format!("/entries/{index}");
    let Some(NodeValue::Table(entries)) = overlay.node().at(&pointer).map(|node| &node.value) else {
        return false;
    };
    let given = || {
        let keys = entries
            .iter()
            .filter(|given| !COMMON.contains(&given.key.as_str()));
        keys.map(|given| (given.key.as_str(), given.key_span))
    };
    let mut stray = given().filter(|(key, _)| !used(entry.op).contains(key));
    let Some((key, span)) = stray.next() else {
        return false;
    };
    let op = op_name(entry.op);
    let meant = ALL
        .into_iter()
        .find(|other| given().all(|(key, _)| used(*other).contains(&key)));
    let mut found = Diagnostic::new(
        &KEY_OF_ANOTHER_OPERATION,
        span,
        format!("an entry with `op = \"{op}\"` has no use for `{key}`"),
    )
    .note("of another operation")
    .label(overlay.span(&format!("{pointer}/op")), "the operation");
    for (_, span) in stray {
        found = found.label(span, "nor for this");
    }
    sink.push(found.help(match meant {
        Some(other) => format!(
            "remove `{key}`, or write `op = \"{}\"` if that is meant",
            op_name(other)
        ),
        None => format!("remove `{key}`, or correct the operation"),
    }));
    true
}
