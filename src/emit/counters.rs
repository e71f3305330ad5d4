//! The counter manifest: what a printer or a counter designer needs to know of every counter.

use std::collections::{BTreeMap, BTreeSet};

use super::{Artifact, Input};
use crate::diagnostic::Sink;
use crate::pack::{self, Counter, CounterManifest, CounterTotal, Pack};

/// `<game>/counters/manifest.json`, `manifest.csv` and `totals.csv`.
pub fn emit(input: &Input<'_>, _: &mut Sink) -> Vec<Artifact> {
    let pack = input.pack;
    if pack.counters.is_empty() {
        return Vec::new();
    }
    let folder = format!("{}/counters", pack.game.id);
    let manifest = manifest(pack);
    let file = |name: &str, bytes: Vec<u8>| Artifact {
        path: format!("{folder}/{name}"),
        bytes,
    };
    vec![
        file("manifest.json", pack::to_text(&manifest).into_bytes()),
        file("manifest.csv", manifest_csv(pack)),
        file("totals.csv", totals_csv(&manifest)),
    ]
}

/// The manifest of a pack's counters.
pub fn manifest(pack: &Pack) -> CounterManifest {
    CounterManifest {
        format: pack::COUNTERS_FORMAT.into(),
        game: pack.game.id.clone(),
        overlays: pack.edition.overlays.clone(),
        counters: pack.counters.clone(),
        totals: totals(&pack.counters),
    }
}

fn totals(counters: &[Counter]) -> Vec<CounterTotal> {
    let mut sums: BTreeMap<(Option<&str>, &str), (i64, i64)> = BTreeMap::new();
    for counter in counters {
        let sum = sums.entry((counter.side.as_deref(), &counter.kind)).or_default();
        match counter.count {
            Some(count) => sum.0 += count,
            None => sum.1 += 1,
        }
    }
    sums.into_iter()
        .map(|((side, kind), (count, uncounted))| CounterTotal {
            side: side.map(str::to_owned),
            kind: kind.to_owned(),
            count,
            uncounted,
        })
        .collect()
}

/// One row a counter. Every place on a front or back is a column.
pub fn manifest_csv(pack: &Pack) -> Vec<u8> {
    let fronts: BTreeSet<&str> = places(pack, |counter| &counter.front);
    let backs: BTreeSet<&str> = places(pack, |counter| &counter.back);
    let mut header: Vec<String> = ["id", "side", "kind", "shape", "sheet", "count"]
        .map(str::to_owned)
        .to_vec();
    header.extend(fronts.iter().map(|place| format!("front_{place}")));
    header.extend(backs.iter().map(|place| format!("back_{place}")));
    header.extend(["basis", "misprint", "errata", "note"].map(str::to_owned));
    let mut rows = vec![header];
    for counter in &pack.counters {
        let mut row = vec![
            counter.id.clone(),
            counter.side.clone().unwrap_or_default(),
            counter.kind.clone(),
            counter.shape.clone(),
            counter.sheet.clone(),
            counter.count.map(|count| count.to_string()).unwrap_or_default(),
        ];
        let text =
            |texts: &BTreeMap<String, String>, place: &str| texts.get(place).cloned().unwrap_or_default();
        row.extend(fronts.iter().map(|place| text(&counter.front, place)));
        row.extend(backs.iter().map(|place| text(&counter.back, place)));
        let basis: Vec<String> = counter
            .basis
            .iter()
            .map(|(field, basis)| format!("{field}: {}", basis.name()))
            .collect();
        row.push(basis.join("; "));
        let misprints: Vec<String> = counter
            .misprints
            .iter()
            .map(|misprint| match &misprint.printed {
                Some(printed) => format!(
                    "the printed counter says {printed}, the game means {}",
                    misprint.meant
                ),
                None => format!("the printed counter is wrong, the game means {}", misprint.meant),
            })
            .collect();
        row.push(misprints.join("; "));
        let errata: Vec<String> = counter
            .misprints
            .iter()
            .map(|misprint| format!("{} {}", misprint.overlay, misprint.reference))
            .collect();
        row.push(errata.join("; "));
        row.push(counter.note.clone().unwrap_or_default());
        rows.push(row);
    }
    to_csv(&rows)
}

fn places<'p>(
    pack: &'p Pack,
    side: impl Fn(&'p Counter) -> &'p BTreeMap<String, String>,
) -> BTreeSet<&'p str> {
    pack.counters
        .iter()
        .flat_map(|counter| side(counter).keys())
        .map(String::as_str)
        .collect()
}

fn totals_csv(manifest: &CounterManifest) -> Vec<u8> {
    let mut rows = vec![["side", "kind", "count", "uncounted"].map(str::to_owned).to_vec()];
    for total in &manifest.totals {
        rows.push(vec![
            total.side.clone().unwrap_or_default(),
            total.kind.clone(),
            total.count.to_string(),
            total.uncounted.to_string(),
        ]);
    }
    to_csv(&rows)
}

/// Rows as CSV: UTF-8, LF, quoted only where needed.
pub fn to_csv(rows: &[Vec<String>]) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::Any(b'\n'))
        .from_writer(Vec::new());
    for row in rows {
        // Writing to memory cannot fail.
        let _ = writer.write_record(row);
    }
    writer.into_inner().unwrap_or_default()
}
