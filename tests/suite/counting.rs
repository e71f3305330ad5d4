//! How many units there are, before and after the overlays.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use orbat::diagnostic::Sink;
use orbat::errata::{Edition, Selected};
use orbat::source::Files;

use crate::support::REPOSITORY;

type Counts = BTreeMap<(String, String), usize>;

/// What the model of the first game holds, by side and kind. The base has errors and therefore no pack.
fn counts(selected: Selected) -> Counts {
    let edition = Edition {
        selected,
        as_of: None,
    };
    let compiled = orbat::compile(
        &mut Files::default(),
        Path::new(REPOSITORY),
        "tss",
        &edition,
        &mut Sink::default(),
    )
    .expect("readable files")
    .expect("a definition");
    let model = compiled.model.expect("a model");
    let mut counts = Counts::new();
    let mut count = |side: &str, what: String| *counts.entry((side.to_owned(), what)).or_default() += 1;
    for unit in &model.units {
        count(&unit.side, format!("unit: {}", unit.kind));
    }
    for formation in &model.formations {
        count(&formation.side, format!("formation: {}", formation.echelon));
    }
    for leader in &model.leaders {
        count(&leader.side, format!("leader: {}", leader.role));
    }
    for rating in &model.effectiveness {
        count(
            &model.formations[rating.formation].side,
            "rating of effectiveness".into(),
        );
    }
    counts
}

#[test]
fn units_are_counted_by_army_and_kind() {
    let editions = [Selected::None, Selected::Official, Selected::All].map(counts);
    let mut table = format!(
        "{:<5} {:<26} {:>5} {:>8} {:>5}\n",
        "", "", "base", "official", "all"
    );
    let keys: std::collections::BTreeSet<&(String, String)> =
        editions.iter().flat_map(Counts::keys).collect();
    for key in keys {
        let [base, official, all] = editions
            .each_ref()
            .map(|counts| counts.get(key).copied().unwrap_or(0));
        writeln!(
            table,
            "{:<5} {:<26} {base:>5} {official:>8} {all:>5}",
            key.0, key.1
        )
        .expect("memory");
    }
    insta::assert_snapshot!(table);
}
