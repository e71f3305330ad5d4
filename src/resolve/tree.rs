//! The tree of formations.

use super::{Resolver, Rows, integer};
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Of;
use crate::model::{Formation, Model};
use crate::order::natural;
use crate::reference::Named;

pub(super) static FORMATION_CYCLE: Rule = Rule {
    code: "formation-cycle",
    severity: Severity::Error,
    summary: "a formation is above itself",
    explanation: "Following `parent` from formation to formation leads back to where it began. One of the parents named \
                  in the message is wrong.

Wrong:

```csv + oob/demo/formations.csv
red-east,,red-far,army,East,East's Wing,
red-far,,red-east,army,Far,Far's Wing,
```

Right:

```csv + oob/demo/formations.csv
red-east,red,,army,East,East's Wing,
red-far,,red-east,brigade,Far,Far's Brigade,
```

```toml + oob/demo/game.toml
[[lints]]
code = \"empty-formation\"
of = \"Far\"
reason = \"its units are not known\"
```
",
};

pub(super) static NO_SIDE: Rule = Rule {
    code: "no-side",
    severity: Severity::Error,
    summary: "a formation or leader belongs to no side",
    explanation:
        "The side is given by the highest formation. A formation without a parent must fill `side`; one that \
                  should have a parent must fill `parent`.

Wrong:

```csv + oob/demo/formations.csv
green,,,army,,Army of Green,
```

Right:

```csv + oob/demo/formations.csv
green,blue,,army,,Army of Green,
```

```csv + oob/demo/units.csv
green-1,green,foot,1st Green,2,,R
```

```toml + scenarios/demo/battle.toml
[[absent]]
side = \"blue\"
units = \"1 Green\"
reason = \"not-in-scenario\"
```
",
};

/// Makes the model's formations; returns which row became which.
pub(super) fn formations(resolver: &Resolver<'_>, model: &mut Model, sink: &mut Sink) -> Rows {
    let Some(table) = resolver.records.table("formations") else {
        return Rows::new();
    };
    let mut rows: Vec<usize> = resolver.sound_rows(table).collect();
    rows.sort_by(|a, b| {
        natural(
            table.text(*a, "id").unwrap_or_default(),
            table.text(*b, "id").unwrap_or_default(),
        )
    });
    rows.dedup_by(|a, b| table.text(*a, "id") == table.text(*b, "id"));
    let whole = rows.len();
    rows.retain(|row| sound(resolver, *row, sink));
    // A formation whose superior cannot be had is left out with everything below it.
    loop {
        let known: std::collections::BTreeSet<usize> = rows.iter().copied().collect();
        let before = rows.len();
        rows.retain(|row| match resolver.index.home(Named::Formations, *row) {
            Some(parent) => known.contains(&parent),
            None => true,
        });
        if rows.len() == before {
            break;
        }
    }
    model.torn = rows.len() < whole
        || table
            .rows()
            .any(|row| resolver.broken.contains("formations", row));
    let places: Rows = rows
        .iter()
        .enumerate()
        .map(|(index, row)| (*row, index))
        .collect();
    for row in &rows {
        let row = *row;
        let text = |name: &str| table.text(row, name).map(str::to_owned);
        let echelon = text("echelon").unwrap_or_default();
        let side = resolver
            .index
            .side(resolver.records, Named::Formations, row)
            .unwrap_or_default()
            .to_owned();
        model.formations.push(Formation {
            id: text("id").unwrap_or_default(),
            side,
            parent: resolver
                .index
                .home(Named::Formations, row)
                .and_then(|parent| places.get(&parent).copied()),
            level: resolver.game.echelon(&echelon).map_or(0, |echelon| echelon.level),
            echelon,
            abbr: text("abbr"),
            name: text("name").unwrap_or_default(),
            order: integer(table, row, "order"),
            note: text("note"),
            designation: resolver.index.designation(resolver.records, row),
            leader: None,
            battle: battle(resolver, row),
            partial: Vec::new(),
            attributes: resolver.own_attributes(Of::Formations, table, row),
            row,
            span: table.span(row, "name"),
            echelon_span: table.span(row, "echelon"),
            parent_span: table.span(row, "parent"),
        });
    }
    places
}

/// The battle to whose order of battle a formation belongs: what it or the nearest above it says, or else the game.
fn battle(resolver: &Resolver<'_>, row: usize) -> Option<String> {
    let table = resolver.records.table("formations")?;
    let above = resolver.index.chain(Named::Formations, row);
    [row]
        .iter()
        .chain(&above)
        .find_map(|row| table.text(*row, "battle"))
        .map(str::to_owned)
        .or_else(|| resolver.game.battle.clone())
}

/// Whether a formation's place in the tree can be told; what is wrong is reported.
fn sound(resolver: &Resolver<'_>, row: usize, sink: &mut Sink) -> bool {
    let Some(table) = resolver.records.table("formations") else {
        return false;
    };
    let name = |row: usize| table.text(row, "id").unwrap_or("?").to_owned();
    if let Some(text) = table.text(row, "parent")
        && resolver.index.home(Named::Formations, row).is_none()
    {
        let span = table.span(row, "parent");
        return resolver
            .record(Named::Formations, text, span, table.text(row, "side"), sink)
            .is_some();
    }
    let chain = resolver.index.chain(Named::Formations, row);
    let top = chain.last().copied().unwrap_or(row);
    if resolver.index.home(Named::Formations, top).is_some() {
        // The chain ended without coming to a top: it runs in a circle, reported once for all in it.
        if let Some(at) = chain.iter().position(|formation| *formation == row) {
            let mut circle: Vec<usize> = chain[..=at].to_vec();
            let smallest = circle.iter().copied().min_by_key(|row| name(*row));
            if smallest == Some(row) {
                circle.insert(0, row);
                let path: Vec<String> = circle.iter().map(|row| name(*row)).collect();
                let mut diagnostic = Diagnostic::new(
                    &FORMATION_CYCLE,
                    table.span(row, "parent"),
                    format!("formations run in a circle: {}", path.join(" → ")),
                )
                .note("its superior is below it")
                .help("correct the `parent` that is wrong");
                for other in circle.iter().skip(1).take(4).filter(|other| **other != row) {
                    diagnostic = diagnostic.label(table.span(*other, "parent"), "in the circle");
                }
                sink.push(diagnostic);
            }
        }
        return false;
    }
    if resolver
        .index
        .side(resolver.records, Named::Formations, row)
        .is_none()
    {
        if top == row {
            sink.push(
                Diagnostic::new(
                    &NO_SIDE,
                    table.span(row, "id"),
                    format!("`{}` belongs to no side", name(row)),
                )
                .note("neither `side` nor `parent` is filled")
                .help("fill `side` if it is the highest formation of its side, else `parent`"),
            );
        }
        return false;
    }
    true
}
