//! The tree of formations.

use std::collections::{BTreeMap, BTreeSet};

use super::{Resolver, Rows, integer};
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Of;
use crate::model::{Formation, Model};
use crate::order::natural;
use crate::parallel;
use crate::record::Table;
use crate::reference::{DEEPEST, Named};
use crate::source::Span;

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

pub(super) static TOO_DEEP: Rule = Rule {
    code: "too-deep",
    severity: Severity::Error,
    summary: "a formation has more formations above it than any army has echelons",
    explanation: "No designation is that long. Most likely a column of ids was filled downwards, so that each row names the \
                  row above it as its `parent`.",
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

pub(crate) static SIDE_DISAGREES: Rule = Rule {
    code: "side-disagrees",
    severity: Severity::Error,
    summary: "a formation or leader says another side than the formation that it belongs to",
    explanation: "A formation belongs to the side of the formation above it, a leader to that of his command. Where the row \
                  says otherwise, either its `side` is wrong or the formation that it names. Below the highest formation \
                  `side` is best left empty.

Wrong:

```csv + oob/demo/leaders.csv
red-south,blue,South,Gen.,commander,red-south
```

Right:

```csv + oob/demo/leaders.csv
red-south,red,South,Gen.,commander,red-south
```
",
};

pub(super) static SLASH_IN_A_PART: Rule = Rule {
    code: "designation-in-a-part",
    severity: Severity::Error,
    summary: "an abbreviation of a formation holds a slash",
    explanation:
        "`abbr` is a formation's own part of a designation: `South` in `South/1`. The rest is added from the \
                  formations above it, so `South/1` as an abbreviation makes the designation `South/1/1`.

Wrong:

```csv + oob/demo/formations.csv
red-east,,red,brigade,East/1,East's Brigade,C
```

Right:

```csv + oob/demo/formations.csv
red-east,,red,brigade,East,East's Brigade,C
```

```toml + oob/demo/game.toml
[[lints]]
code = \"empty-formation\"
of = \"East\"
reason = \"its units are not known\"
```
",
};

pub(super) static DOUBLED_DESIGNATION: Rule = Rule {
    code: "doubled-designation",
    severity: Severity::Error,
    summary: "two formations, or two units of one formation, cannot be told apart by their short names",
    explanation: "References name a formation by its designation and a unit by its short name within its formation. If two \
                  share one, or an alias of one is the name of a sister, no reference can mean one of them.

Wrong:

```csv + oob/demo/formations.csv
red-east,,red,brigade,North,East's Brigade,C
```

Right:

```csv + oob/demo/formations.csv
red-east,,red,brigade,East,East's Brigade,C
```

```toml + oob/demo/game.toml
[[lints]]
code = \"empty-formation\"
of = \"East\"
reason = \"its units are not known\"
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
    let standing = adrift(resolver, table);
    tell_adrift(table, &standing, sink);
    rows.retain(|row| sound(resolver, *row, &standing, sink));
    // A formation whose superior cannot be had is left out with everything below it.
    let sound: BTreeSet<usize> = rows.iter().copied().collect();
    rows.retain(|row| {
        let above = resolver.index.chain(Named::Formations, *row);
        above.into_iter().all(|formation| sound.contains(&formation))
    });
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
            battle_span: battle_span(resolver, row),
            partial: Vec::new(),
            attributes: resolver.own_attributes(Of::Formations, table, row),
            row,
            span: table.span(row, "name"),
            echelon_span: table.span(row, "echelon"),
            parent_span: table.span(row, "parent"),
            is_moved: table
                .field(row, "parent")
                .is_some_and(|parent| parent.edit.is_some()),
        });
    }
    for formation in &model.formations {
        if slash(table, formation, sink) {
            model.torn = true;
        }
    }
    model.torn |= sides(table, model, sink);
    model.torn |= doubled(resolver, table, model, sink);
    places
}

/// Reports an abbreviation that is a whole designation.
fn slash(table: &Table, formation: &Formation, sink: &mut Sink) -> bool {
    let Some((part, _)) = formation.abbr.as_deref().and_then(|abbr| abbr.split_once('/')) else {
        return false;
    };
    sink.push(
        Diagnostic::new(
            &SLASH_IN_A_PART,
            table.span(formation.row, "abbr"),
            format!(
                "the abbreviation of {} holds a slash, which makes its designation `{}`",
                formation.name, formation.designation
            ),
        )
        .note("more than its own part")
        .help(format!(
            "write `{part}`: the rest is added from the formations above it"
        )),
    );
    true
}

/// Reports formations that say another side than what they belong to.
fn sides(table: &Table, model: &Model, sink: &mut Sink) -> bool {
    let mut any = false;
    for formation in &model.formations {
        let Some(parent) = formation.parent.map(|parent| &model.formations[parent]) else {
            continue;
        };
        // What takes over a wrong side from above has none of its own.
        if formation.side == parent.side || table.text(formation.row, "side").is_none() {
            continue;
        }
        any = true;
        sink.push(
            Diagnostic::new(
                &SIDE_DISAGREES,
                table.span(formation.row, "side"),
                format!(
                    "{} is of side `{}` but belongs to {}, of side `{}`",
                    formation.name, formation.side, parent.name, parent.side
                ),
            )
            .note(format!("side `{}`", formation.side))
            .label(parent.span, format!("side `{}`", parent.side))
            .help("leave `side` empty on formations that have a parent, or correct the parent"),
        );
    }
    any
}

/// Reports formations that share a designation, and aliases that are the name of a sister.
fn doubled(resolver: &Resolver<'_>, table: &Table, model: &Model, sink: &mut Sink) -> bool {
    let folder = resolver.index.folder();
    let mut any = false;
    let mut first: BTreeMap<(&str, Option<&str>, String), usize> = BTreeMap::new();
    let mut names: BTreeMap<(Option<usize>, String), usize> = BTreeMap::new();
    for (index, formation) in model.formations.iter().enumerate() {
        if let Some(abbr) = &formation.abbr {
            names
                .entry((formation.parent, folder.strict(abbr)))
                .or_insert(index);
        }
        names
            .entry((formation.parent, folder.strict(&formation.name)))
            .or_insert(index);
    }
    // In the order of the files, so that the later of two is the second.
    let mut order: Vec<usize> = (0..model.formations.len()).collect();
    order.sort_by_key(|index| model.formations[*index].row);
    for index in order {
        let formation = &model.formations[index];
        let mut report = |column: &str, other: usize, message: String, help: &str| {
            any = true;
            sink.push(
                Diagnostic::new(&DOUBLED_DESIGNATION, table.span(formation.row, column), message)
                    .note("the second")
                    .label(model.formations[other].span, "the other")
                    .help(help),
            );
        };
        if formation.abbr.is_some() {
            let key = (
                formation.side.as_str(),
                formation.battle.as_deref(),
                folder.strict(&formation.designation),
            );
            if let Some(earlier) = first.insert(key, index) {
                let designations = [earlier, index].map(|index| model.formations[index].designation.clone());
                resolver.doubles.borrow_mut().designations.extend(designations);
                let other = &model.formations[earlier];
                report(
                    "abbr",
                    earlier,
                    format!(
                        "{} and {} have one designation, `{}`",
                        other.name, formation.name, formation.designation
                    ),
                    "give each an `abbr` of its own: what two share finds neither",
                );
            }
        }
        let aliases = table.field(formation.row, "aliases");
        for alias in aliases.map(|datum| datum.value.list()).unwrap_or_default() {
            let found = names.get(&(formation.parent, folder.strict(&alias)));
            if let Some(other) = found.filter(|other| **other != index) {
                let name = &model.formations[*other].name;
                report(
                    "aliases",
                    *other,
                    format!("`{alias}`, an alias of {}, is a name of {name}", formation.name),
                    "remove the alias: as long as both have it, it finds neither",
                );
            }
        }
    }
    any
}

/// Reports units of one formation that share a short name. Alternatives may have that of what they take the place of.
pub(super) fn doubled_units(resolver: &Resolver<'_>, model: &Model, sink: &mut Sink) {
    let folder = resolver.index.folder();
    let Some(table) = resolver.records.table("units") else {
        return;
    };
    let abbr = table.column("abbr");
    // In the order of the files, so that the later of two is the second.
    let mut order: Vec<usize> = (0..model.units.len()).collect();
    order.sort_by_key(|index| model.units[*index].row);
    let doubles = parallel::doubles(order.len(), |index| {
        let unit = &model.units[order[index]];
        table.text_in(unit.row, abbr).filter(|_| unit.is_fielded())?;
        Some((unit.formation, folder.strict(&unit.abbr)))
    });
    for (earlier, later) in doubles {
        let (earlier, index) = (order[earlier], order[later]);
        let unit = &model.units[index];
        let other = &model.units[earlier];
        sink.push(
            Diagnostic::new(
                &DOUBLED_DESIGNATION,
                table.span(unit.row, "abbr"),
                format!(
                    "{} and {} have one short name in {}, `{}`",
                    other.name, unit.name, model.formations[unit.formation].designation, unit.abbr
                ),
            )
            .note("the second")
            .label(table.span(other.row, "abbr"), "the first")
            .help("give each a short name of its own"),
        );
    }
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

/// The place that says to which battle a formation belongs.
fn battle_span(resolver: &Resolver<'_>, row: usize) -> Span {
    let of_game = resolver.game.span("/battle");
    let Some(table) = resolver.records.table("formations") else {
        return of_game;
    };
    let above = resolver.index.chain(Named::Formations, row);
    let mut all = [row].into_iter().chain(above);
    all.find(|row| table.text(*row, "battle").is_some())
        .map_or(of_game, |row| table.span(row, "battle"))
}

/// Formations that have no place in the tree.
struct Adrift {
    /// Those that run in a circle or are too deep, and everything below them.
    lost: BTreeSet<usize>,
    /// The circles, each beginning with the first of its ids.
    circles: Vec<Vec<usize>>,
    /// The highest of those that are too deep.
    deep: Vec<usize>,
}

/// Finds the circles, and what is too deep for a designation. Every formation is looked at once.
fn adrift(resolver: &Resolver<'_>, table: &Table) -> Adrift {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        Not,
        OnTheWay,
        /// So many formations are above it.
        Deep(usize),
        Lost,
    }
    let mut seen = vec![Seen::Not; table.all_rows().len()];
    let (mut circles, mut deep) = (Vec::new(), Vec::new());
    for start in table.rows() {
        let mut path = Vec::new();
        let mut next = Some(start);
        let mut above = None;
        while let Some(row) = next {
            match seen[row] {
                Seen::Not => {
                    seen[row] = Seen::OnTheWay;
                    path.push(row);
                    next = resolver.index.home(Named::Formations, row);
                }
                Seen::OnTheWay => {
                    let at = path.iter().position(|other| *other == row).unwrap_or(0);
                    let mut circle = path[at..].to_vec();
                    let id = |row: &usize| table.text(*row, "id");
                    let first = (0..circle.len()).min_by_key(|index| id(&circle[*index]));
                    circle.rotate_left(first.unwrap_or(0));
                    circles.push(circle);
                    above = Some(Seen::Lost);
                    break;
                }
                known => {
                    above = Some(known);
                    break;
                }
            }
        }
        for row in path.into_iter().rev() {
            let own = match above {
                None => Seen::Deep(0),
                Some(Seen::Deep(depth)) if depth < DEEPEST => Seen::Deep(depth + 1),
                Some(Seen::Deep(_)) => {
                    deep.push(row);
                    Seen::Lost
                }
                Some(_) => Seen::Lost,
            };
            seen[row] = own;
            above = Some(own);
        }
    }
    let lost = (0..seen.len()).filter(|row| seen[*row] == Seen::Lost);
    Adrift {
        lost: lost.collect(),
        circles,
        deep,
    }
}

/// So many formations of a circle are named.
const NAMED: usize = 8;

/// Reports circles and formations that are too deep.
fn tell_adrift(table: &Table, adrift: &Adrift, sink: &mut Sink) {
    let name = |row: usize| table.text(row, "id").unwrap_or("?").to_owned();
    for circle in &adrift.circles {
        let mut path: Vec<String> = circle.iter().take(NAMED).map(|row| name(*row)).collect();
        if circle.len() > NAMED {
            path.push(format!("{} more", circle.len() - NAMED));
        }
        path.push(name(circle[0]));
        let mut diagnostic = Diagnostic::new(
            &FORMATION_CYCLE,
            table.span(circle[0], "parent"),
            format!("formations run in a circle: {}", path.join(" → ")),
        )
        .note("its superior is below it")
        .help("correct the `parent` that is wrong");
        for other in circle.iter().skip(1).take(3) {
            diagnostic = diagnostic.label(table.span(*other, "parent"), "in the circle");
        }
        sink.push(diagnostic);
    }
    for row in &adrift.deep {
        sink.push(
            Diagnostic::new(
                &TOO_DEEP,
                table.span(*row, "parent"),
                format!("`{}` has more than {DEEPEST} formations above it", name(*row)),
            )
            .note("too deep")
            .help("correct its `parent`, or that of a formation above it"),
        );
    }
}

/// Whether a formation's place in the tree can be told; what is wrong is reported.
fn sound(resolver: &Resolver<'_>, row: usize, standing: &Adrift, sink: &mut Sink) -> bool {
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
    if standing.lost.contains(&row) {
        return false;
    }
    let chain = resolver.index.chain(Named::Formations, row);
    let top = chain.last().copied().unwrap_or(row);
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
