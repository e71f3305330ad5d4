//! The overlays of an edition as the pack lists them.

use std::collections::BTreeMap;

use super::Lowering;
use crate::errata::{Entry, Op, Outcome, op_name};
use crate::pack::{EditionInfo, Erratum, OverlayInfo};

/// Which overlays were applied.
pub fn edition(lowering: &Lowering<'_>) -> EditionInfo {
    let mut applied: Vec<usize> = lowering
        .applied
        .reports
        .iter()
        .map(|report| report.overlay)
        .collect();
    applied.dedup();
    let mut details = BTreeMap::new();
    let mut overlays = Vec::new();
    for index in applied {
        let overlay = &lowering.overlays[index];
        overlays.push(overlay.id.clone());
        details.insert(
            overlay.id.clone(),
            OverlayInfo {
                title: overlay.title.clone(),
                date: overlay.date.clone(),
                source: overlay.source.clone(),
                kind: overlay.kind,
            },
        );
    }
    EditionInfo { overlays, details }
}

/// Every entry and what became of it.
pub fn entries(lowering: &Lowering<'_>) -> Vec<Erratum> {
    lowering
        .applied
        .reports
        .iter()
        .map(|report| {
            let overlay = &lowering.overlays[report.overlay];
            let entry = &overlay.entries[report.entry];
            let target = match report.targets.as_slice() {
                [] => entry.target.clone(),
                targets => Some(targets.join(", ")),
            };
            let (was, now) = values(lowering, report.overlay, report.entry, entry, report.outcome);
            Erratum {
                overlay: overlay.id.clone(),
                reference: entry.reference.clone(),
                kind: entry.kind,
                op: op_name(entry.op).into(),
                summary: entry.summary.clone(),
                reason: entry.reason.clone(),
                target: target.filter(|_| entry.op != Op::Note),
                into: entry.into.clone(),
                was,
                now,
                outcome: report.outcome,
            }
        })
        .collect()
}

/// The values before and after: those that were found and written where the entry was applied, else those it names.
fn values(
    lowering: &Lowering<'_>,
    overlay: usize,
    number: usize,
    entry: &Entry,
    outcome: Outcome,
) -> (BTreeMap<String, String>, BTreeMap<String, String>) {
    let mut was = texts(&entry.was);
    let mut now = if entry.op == Op::Add {
        texts(&entry.record)
    } else {
        texts(&entry.now)
    };
    if outcome == Outcome::Applied {
        for edit in &lowering.applied.edits {
            if edit.overlay != overlay || edit.entry != number || edit.field.is_empty() {
                continue;
            }
            // What the entry itself says is told in its own words, however the cell spelt it.
            if let Some((text, _)) = &edit.was {
                was.entry(edit.field.clone()).or_insert_with(|| text.clone());
            }
            if let Some(text) = &edit.now {
                now.entry(edit.field.clone()).or_insert_with(|| text.clone());
            }
        }
    }
    (was, now)
}

fn texts(fields: &BTreeMap<String, serde_json::Value>) -> BTreeMap<String, String> {
    fields
        .iter()
        .map(|(field, value)| {
            let text = match value {
                serde_json::Value::String(text) => text.clone(),
                serde_json::Value::Array(items) => items
                    .iter()
                    .map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned))
                    .collect::<Vec<_>>()
                    .join("|"),
                other => other.to_string(),
            };
            (field.clone(), text)
        })
        .collect()
}
