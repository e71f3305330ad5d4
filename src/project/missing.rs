//! Tables that are not there and that something names: one fault, not one of each that names them.

use super::stray::copied;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::document::Document;
use crate::errata::Overlay;
use crate::game::{Game, Of};
use crate::record::Records;
use crate::scenario::{SCHEDULE, ScenarioFile};
use crate::source::Span;
use crate::suggest;

pub(super) static MISSING_TABLE: Rule = Rule {
    code: "missing-table",
    severity: Severity::Error,
    summary: "a table that something names is not there at all",
    explanation: "Units name formations, scenarios name leaders, and the file of these is missing or has another name. Put the \
                  file where it belongs; if it is there under a name that no table has, rename it.

Wrong:

```toml oob/other/game.toml
id = \"other\"
title = \"Other\"
source = \"made up\"
sides = [{ id = \"red\", name = \"Red\" }]
echelons = [{ id = \"army\", name = \"Army\", level = 1 }]
kinds = [{ id = \"foot\", name = \"Foot\", arm = \"infantry\" }]
```

```csv oob/other/units.csv
id,formation,kind,name
red-1,red,foot,1st Kent
```

Right:

```toml oob/other/game.toml
id = \"other\"
title = \"Other\"
source = \"made up\"
sides = [{ id = \"red\", name = \"Red\" }]
echelons = [{ id = \"army\", name = \"Army\", level = 1 }]
kinds = [{ id = \"foot\", name = \"Foot\", arm = \"infantry\" }]
```

```csv oob/other/units.csv
id,formation,kind,name
red-1,red,foot,1st Kent
```

```csv oob/other/formations.csv
id,side,echelon,name
red,red,army,Army of Red
```
",
};

/// A file or worksheet that is not read, because no table has its name.
pub(super) struct Stray {
    /// Its name without extension, or that of its tab.
    pub(super) stem: String,
    /// What is to be renamed: “`formation.csv` is not read: rename it”.
    pub(super) cure: String,
    /// What the name has behind that of the table.
    pub(super) extension: &'static str,
    /// What is said of it where no table is missing for it.
    pub(super) found: Diagnostic,
}

/// What has been read of a game.
pub(super) struct Known<'k> {
    pub(super) game: &'k Game,
    pub(super) tables: &'k [&'k str],
    pub(super) records: &'k Records,
    pub(super) scenarios: &'k [(Document<ScenarioFile>, String)],
    pub(super) overlays: &'k [Overlay],
}

impl Known<'_> {
    /// Reports the tables that are missing, each with the stray that is most likely it, and then the other strays. Where
    /// something could not be read, it may have been any of them, and only the strays are told.
    pub(super) fn report(&self, mut strays: Vec<Stray>, sink: &mut Sink) {
        let missing = self
            .tables
            .iter()
            .filter(|table| !self.records.tables.contains_key(**table));
        for table in missing.filter(|_| !sink.has_errors()).collect::<Vec<_>>() {
            let Some(place) = self.first_reference(table) else {
                continue;
            };
            let id = &self.game.id;
            let file = format!("oob/{id}/{table}.csv");
            let is_it = |stray: &Stray| {
                suggest::closest(&stray.stem, self.tables.iter().copied()) == Some(*table)
                    || copied(&stray.stem, self.tables) == Some(*table)
            };
            let help = match strays.iter().position(is_it).map(|stray| strays.remove(stray)) {
                Some(stray) => format!("{} to `{table}{}`", stray.cure, stray.extension),
                None => format!("put the table at `{file}`, or correct what names it"),
            };
            sink.push(
                Diagnostic::new(
                    &MISSING_TABLE,
                    place,
                    format!(
                        "the game `{id}` has no `{table}`: there is no `{file}`, no worksheet and no TOML list of that name"
                    ),
                )
                .note(format!("names something in `{table}`"))
                .help(help),
            );
        }
        strays.into_iter().for_each(|stray| sink.push(stray.found));
    }

    /// The first place where something of a table is named.
    fn first_reference(&self, table: &str) -> Option<Span> {
        let game = self.game;
        // Which columns of which tables name something of it.
        let mut columns: Vec<(&str, &str)> = match table {
            "formations" => vec![
                ("units", "formation"),
                ("leaders", "commands"),
                ("effectiveness", "formation"),
            ],
            "units" => [SCHEDULE, "deployments", "absences"]
                .map(|of| (of, "units"))
                .to_vec(),
            "leaders" => [SCHEDULE, "deployments", "absences", "losses"]
                .map(|of| (of, "leaders"))
                .to_vec(),
            "markers" => vec![("deployments", "markers")],
            "supply" => [SCHEDULE, "deployments", "absences"]
                .map(|of| (of, "supply"))
                .to_vec(),
            _ => Vec::new(),
        };
        let of_supplements = game.supplements.iter().filter(|def| def.of.table() == table);
        columns.extend(of_supplements.map(|def| (def.name.as_str(), def.key.as_str())));
        if let Some(reductions) = &game.reductions {
            let named = [("formations", "of"), ("units", "unit")];
            let named = named.iter().filter(|(of, _)| *of == table);
            columns.extend(named.map(|(_, column)| (reductions.as_str(), *column)));
        }
        for attribute in game
            .attributes
            .iter()
            .filter(|attribute| attribute.table.as_deref() == Some(table))
        {
            columns.push((attribute.of.table(), &attribute.name));
            let supplements = game.supplements.iter().filter(|def| def.of == attribute.of);
            columns.extend(supplements.map(|def| (def.name.as_str(), attribute.name.as_str())));
            if attribute.of == Of::Units {
                columns.extend(
                    game.reductions
                        .as_deref()
                        .map(|name| (name, attribute.name.as_str())),
                );
            }
        }
        let in_cells = columns.into_iter().find_map(|(of, column)| {
            let of = self.records.table(of)?;
            of.rows().find_map(|row| Some(of.field(row, column)?.span))
        });
        let in_scenarios = || {
            let is_of_reductions = game.reductions.as_deref() == Some(table);
            let mut naming = self.scenarios.iter().map(|(document, _)| document);
            let naming = naming.find(|document| is_of_reductions && !document.reductions.is_empty());
            naming.map(|document| document.span("/reductions/0"))
        };
        let in_overlays = || {
            self.overlays.iter().find_map(|overlay| {
                let entry = overlay
                    .entries
                    .iter()
                    .position(|entry| entry.table.as_deref() == Some(table))?;
                Some(overlay.span(&format!("/entries/{entry}/table")))
            })
        };
        let in_game = || {
            let supplement = game.supplements.iter().position(|def| def.name == table);
            let supplement = supplement.map(|index| game.span(&format!("/supplements/{index}/name")));
            // What is shared out stands in the table of ratings.
            let is_of_ratings = Of::Effectiveness.table() == table && !game.apportion.is_empty();
            supplement.or_else(|| is_of_ratings.then(|| game.span("/apportion/0/total")))
        };
        in_cells
            .or_else(in_scenarios)
            .or_else(in_overlays)
            .or_else(in_game)
    }
}
