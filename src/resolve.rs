//! Resolving: records become the model. Names become indices, cells become typed values, supplements are joined.
//!
//! A record that did not fit its schema is left out, and so is what refers to it, without a further word: the cause has
//! been reported.

mod alternatives;
mod joins;
mod tree;

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Diagnostic, Label, Rule, Severity, Sink};
use crate::errata::{Applied, Op, Overlay, OverlayKind};
use crate::game::{Basis, Game, Of};
use crate::model::{Attribute, Attributes, How, Item, Leader, Model, Side, Unit};
use crate::order::natural;
use crate::parallel;
use crate::record::{Borrowed, Datum, Records, Table, Value, is_id};
use crate::reference::{Found, Index, Named};
use crate::schema::Broken;
use crate::select::Words;
use crate::source::Span;
use crate::suggest;

/// The rules of this stage.
pub static RULES: &[&Rule] = &[
    &UNRESOLVED,
    &AMBIGUOUS,
    &DUPLICATE_ID,
    &DUPLICATE_KEY,
    &tree::FORMATION_CYCLE,
    &tree::TOO_DEEP,
    &tree::NO_SIDE,
    &tree::SIDE_DISAGREES,
    &tree::SLASH_IN_A_PART,
    &tree::DOUBLED_DESIGNATION,
    &alternatives::BAD_ALTERNATIVE,
];

pub(super) static UNRESOLVED: Rule = Rule {
    code: "unresolved-reference",
    severity: Severity::Error,
    summary: "a reference finds nothing",
    explanation: "A cell names a formation or unit that does not exist, for instance `Heath/III` for `Heth/III`. A \
                  reference is an id, a name, an abbreviation or an alias, with the formations above where needed.

Wrong:

```csv + oob/demo/units.csv
red-6,red-suoth,foot,6th York,,300,R
```

Right:

```csv + oob/demo/units.csv
red-6,red-south,foot,6th York,,300,R
```
",
};

pub(super) static AMBIGUOUS: Rule = Rule {
    code: "ambiguous-reference",
    severity: Severity::Error,
    summary: "a reference may mean several things",
    explanation:
        "For instance `Robertson`, of whom one army has two. Qualify the reference by the formations above \
                  (`Robertson/Hood/I`) or write the id.

Wrong:

```csv + oob/demo/formations.csv
blue-north,,blue,brigade,North,North's Brigade,C
```

```csv + oob/demo/units.csv
blue-6,North,foot,6th Essex,3,,R
```

Right:

```csv + oob/demo/formations.csv
blue-north,,blue,brigade,North,North's Brigade,C
```

```csv + oob/demo/units.csv
blue-6,blue-north,foot,6th Essex,3,,R
```

```csv + oob/demo/effectiveness.csv
blue,blue-north,3,3
```

```toml + scenarios/demo/battle.toml
[[absent]]
side = \"blue\"
units = \"6 Essex\"
reason = \"not-in-scenario\"
```
",
};

static DUPLICATE_ID: Rule = Rule {
    code: "duplicate-id",
    severity: Severity::Error,
    summary: "two records of a table have one id",
    explanation: "Ids tell records apart, so each record has its own. If a row was pasted twice, remove one; if they are \
                  two units, give one another id.

Wrong:

```csv + oob/demo/weapons.csv
R,Rifled musket
```

Right:

```csv + oob/demo/weapons.csv
M,Rifled musket
```
",
};

pub(super) static DUPLICATE_KEY: Rule = Rule {
    code: "doubled-record",
    severity: Severity::Error,
    summary: "a table says something twice about one record",
    explanation: "For instance two ratings of one brigade. One of them is wrong, or meant for another record.

Wrong:

```csv + oob/demo/effectiveness.csv
blue,West,3,6
```

Right:

```csv oob/demo/effectiveness.csv
side,formation,boxes,total
red,North,3,9
red,South,3,7
blue,West,3,6
```
",
};

pub(crate) use tree::SIDE_DISAGREES;

/// Names that mean nothing, each with what is wrong and how often it was met.
pub type Missing = BTreeMap<(Named, String), (Diagnostic, usize)>;

/// What several records share that only one may have: who else was meant finds nothing, and that is no fault of its own.
#[derive(Debug, Default)]
pub struct Doubles {
    /// The tables in which an id stands twice.
    ids: BTreeSet<String>,
    /// The designations that are of several formations.
    designations: BTreeSet<String>,
}

/// Further places that are shown of a name that means nothing.
const PLACES: usize = 3;

/// What resolving needs to know.
pub struct Resolver<'a> {
    /// The game.
    pub game: &'a Game,
    /// Its records, after overlays.
    pub records: &'a Records,
    /// Their names.
    pub index: &'a Index,
    /// What words mean in selections.
    pub words: &'a Words,
    /// Those not worth looking at.
    pub broken: &'a Broken,
    /// The formations that a reference which failed may have meant, as rows.
    pub doubtful: &'a RefCell<BTreeSet<usize>>,
    /// What was named and does not exist: one thing that is missing is one fault, however many name it.
    pub missing: &'a RefCell<Missing>,
    /// The formations, as folded designations, below which one is broken; `None` where it hangs on none that is known.
    pub broken_below: &'a OnceCell<BTreeSet<Option<String>>>,
    /// What several records share that only one may have.
    pub doubles: &'a RefCell<Doubles>,
    /// The overlays and what they did, which decides the basis of values.
    pub overlays: &'a [Overlay],
    /// What the overlays did.
    pub applied: &'a Applied,
}

impl Resolver<'_> {
    /// Makes the model; whatever cannot be resolved is reported and left out.
    pub fn resolve(&self, sink: &mut Sink) -> Model {
        let mut model = Model {
            sides: self.sides(),
            ..Model::default()
        };
        for table in self.records.tables.values() {
            self.unique_ids(table, sink);
        }
        let rows = tree::formations(self, &mut model, sink);
        self.units(&rows, &mut model, sink);
        alternatives::alternatives(self, &mut model, sink);
        tree::doubled_units(self, &model, sink);
        self.leaders(&rows, &mut model, sink);
        model.weapons = self.items(Of::Weapons);
        model.markers = self.items(Of::Markers);
        model.supply = self.items(Of::Supply);
        joins::effectiveness(self, &rows, &mut model, sink);
        joins::supplements(self, &rows, &mut model, sink);
        joins::reductions(self, &rows, &mut model, sink);
        let missing = self.missing.take();
        let units = self.records.table("units").filter(|_| !missing.is_empty());
        let homes: BTreeSet<&str> = units
            .into_iter()
            .flat_map(|table| table.rows().filter_map(|row| table.text(row, "formation")))
            .collect();
        for ((named, text), (mut diagnostic, count)) in missing {
            if count > 1 {
                // A formation that several records know, units among them, is missing rather than misspelled.
                model.torn |= named == Named::Formations && homes.contains(text.as_str());
                diagnostic.message += &format!(", as {count} places have it");
            }
            sink.push(diagnostic);
        }
        self.doubt_broken(&mut model);
        let doubtful = self.doubtful.borrow();
        model.doubtful = doubtful.iter().filter_map(|row| rows.get(row).copied()).collect();
        model
    }

    fn sides(&self) -> Vec<Side> {
        let sides = self.game.sides.iter().enumerate();
        sides
            .map(|(index, side)| Side {
                id: side.id.clone(),
                name: side.name.clone(),
                attributes: Attributes::default(),
                span: self.game.span(&format!("/sides/{index}/id")),
            })
            .collect()
    }

    /// What a formation holds is not known where a record that belongs to it is broken, and of no formation that a unit
    /// may belong to whose own cannot be known.
    fn doubt_broken(&self, model: &mut Model) {
        // The sides of units without a place; `None` where the side is not known either.
        let mut sides: BTreeSet<Option<&str>> = BTreeSet::new();
        for (name, column) in [("units", "formation"), ("effectiveness", "formation")] {
            let Some(table) = self.records.table(name) else {
                continue;
            };
            let broken: BTreeSet<usize> = self.broken.rows_of(name).collect();
            let is_placed = |row: usize| name != "units" || self.index.home(Named::Units, row).is_some();
            let is_doubtful = |row: &usize| broken.contains(row) || !is_placed(*row);
            for row in table.rows().filter(is_doubtful) {
                let found = table.text(row, column).map(|text| {
                    self.index
                        .find(self.records, Named::Formations, text, table.text(row, "side"))
                });
                match found {
                    Some(Found::One(row)) => self.doubtful.borrow_mut().extend([row]),
                    Some(Found::Many(rows)) => self.doubtful.borrow_mut().extend(rows),
                    Some(Found::None) | None if name == "units" => {
                        sides.insert(table.text(row, "id").and_then(|id| self.side_of_id(id)));
                    }
                    Some(Found::None) | None => model.unrated = true,
                }
            }
        }
        model.unplaced = !sides.is_empty();
        if let Some(formations) = self.records.table("formations").filter(|_| model.unplaced) {
            let may_hold = |row: &usize| {
                let side = self.index.side(self.records, Named::Formations, *row);
                sides.contains(&None) || side.is_none() || sides.contains(&side)
            };
            let rows = formations.rows().filter(may_hold);
            self.doubtful.borrow_mut().extend(rows);
        }
        for table in self.records.tables.values() {
            let id = |row: usize| table.text(row, "id").map(str::to_owned);
            let ids: BTreeSet<String> = self.broken.rows_of(&table.name).filter_map(id).collect();
            if !ids.is_empty() {
                model.left_out.insert(table.name.clone(), ids);
            }
        }
        model.nameless = self.broken.nameless().clone();
    }

    /// The side with whose id a record's id begins, as most do: `red-1-kent`.
    fn side_of_id(&self, id: &str) -> Option<&str> {
        let sides = self.game.sides.iter().map(|side| side.id.as_str());
        let mut sides = sides.filter(|side| id.strip_prefix(*side).is_some_and(|rest| rest.starts_with('-')));
        sides.next()
    }

    /// Whether a path that leads to no formation may lead to one that is broken: perhaps its short name is what is wrong.
    fn may_be_broken(&self, text: &str) -> bool {
        let folder = self.index.folder();
        let above = self.broken_below.get_or_init(|| {
            let above = |row| {
                let home = self.index.home(Named::Formations, row)?;
                Some(folder.loose(&self.index.designation(self.records, home)))
            };
            self.broken.rows_of("formations").map(above).collect()
        });
        match text.split_once('/') {
            _ if above.is_empty() => false,
            // One that hangs on nothing known may be below any.
            Some((_, path)) => above.contains(&None) || above.contains(&Some(folder.loose(path))),
            None => !is_id(text),
        }
    }

    fn unique_ids(&self, table: &Table, sink: &mut Sink) {
        let Some(column) = table.column("id") else {
            return;
        };
        // The lines of schedules are told apart within their schedule.
        let schedule = table.column("schedule");
        let rows: Vec<usize> = table.rows().collect();
        let doubles = parallel::doubles(rows.len(), |index| {
            let row = rows[index];
            // Who looks an id up does not look at its letters' case.
            let id = table.text_in(row, Some(column))?.to_lowercase();
            Some((table.text_in(row, schedule), id))
        });
        for (earlier, row) in doubles {
            let (earlier, row) = (rows[earlier], rows[row]);
            let (other, id) = (table.text(earlier, "id"), table.text(row, "id"));
            let (other, id) = (other.unwrap_or_default(), id.unwrap_or_default());
            let is_copy = is_the_same(table, earlier, row);
            if !is_copy {
                self.doubles.borrow_mut().ids.insert(table.name.clone());
            }
            sink.push(
                Diagnostic::new(
                    &DUPLICATE_ID,
                    table.span(row, "id"),
                    if other == id {
                        format!("`{id}` stands twice in `{}`", table.name)
                    } else {
                        format!(
                            "`{other}` and `{id}` are one id in `{}`: case does not tell ids apart",
                            table.name
                        )
                    },
                )
                .note("the second")
                .label(table.span(earlier, "id"), "the first")
                .help(if is_copy {
                    "the two rows are the same: remove one"
                } else {
                    "remove one of the rows, or give one of them an id of its own"
                }),
            );
        }
    }

    fn units(&self, rows: &Rows, model: &mut Model, sink: &mut Sink) {
        let Some(table) = self.records.table("units") else {
            return;
        };
        let [id, kind, name, abbr, order, note, home] =
            ["id", "kind", "name", "abbr", "order", "note", "formation"].map(|name| table.column(name));
        for row in self.sound_rows(table) {
            let found = match self.index.home(Named::Units, row) {
                Some(formation) => rows.get(&formation).copied(),
                None => self.home(Named::Units, table, row, rows, sink).flatten(),
            };
            let Some(formation) = found else {
                continue;
            };
            let text = |column: Option<usize>| table.text_in(row, column).map(str::to_owned);
            let datum = |column: Option<usize>| table.get(row, column?);
            let span =
                |column: Option<usize>| datum(column).map_or_else(|| table.row_span(row), |datum| datum.span);
            let kind = text(kind).unwrap_or_default();
            let (name, name_span) = (text(name).unwrap_or_default(), span(name));
            model.units.push(Unit {
                id: text(id).unwrap_or_default(),
                side: model.formations[formation].side.clone(),
                formation,
                arm: self
                    .game
                    .kind(&kind)
                    .map_or_else(|| kind.clone(), |kind| kind.arm.clone()),
                kind,
                abbr: text(abbr).unwrap_or_else(|| name.clone()),
                name,
                order: datum(order).and_then(|order| order.value.integer()),
                note: text(note),
                instead_of: Vec::new(),
                attributes: self.own_attributes(Of::Units, table, row),
                row,
                span: name_span,
                formation_span: span(home),
                is_moved: datum(home).is_some_and(|home| home.edit.is_some()),
            });
        }
        model.units.sort_by(|a, b| natural(&a.id, &b.id));
        model.units.dedup_by(|a, b| a.id == b.id);
    }

    fn leaders(&self, rows: &Rows, model: &mut Model, sink: &mut Sink) {
        let Some(table) = self.records.table("leaders") else {
            return;
        };
        for row in self.sound_rows(table) {
            let Some(commands) = self.home(Named::Leaders, table, row, rows, sink) else {
                continue;
            };
            let text = |name: &str| table.text(row, name).map(str::to_owned);
            let name = text("name").unwrap_or_default();
            let role = text("role").unwrap_or_default();
            let side =
                text("side").or_else(|| commands.map(|formation| model.formations[formation].side.clone()));
            if let (Some(side), Some(formation)) =
                (&side, commands.map(|formation| &model.formations[formation]))
                && *side != formation.side
            {
                let above = formation.parent.map(|parent| &model.formations[parent].side);
                if above.is_some_and(|above| *above != formation.side) {
                    // The formation's own side is in doubt, which has been reported.
                    continue;
                }
                sink.push(
                    Diagnostic::new(
                        &tree::SIDE_DISAGREES,
                        table.span(row, "side"),
                        format!(
                            "{name} is of side `{side}` but commands {} ({}), of side `{}`",
                            formation.name, formation.designation, formation.side
                        ),
                    )
                    .note(format!("side `{side}`"))
                    .label(
                        table.span(row, "commands"),
                        format!("of side `{}`", formation.side),
                    )
                    .help("correct his `side` or his `commands`"),
                );
                continue;
            }
            let Some(side) = side else {
                sink.push(
                    Diagnostic::new(
                        &tree::NO_SIDE,
                        table.span(row, "name"),
                        format!("{name} belongs to no side"),
                    )
                    .note("neither `side` nor `commands` is filled")
                    .help("fill `side`, or say in `commands` which formation he leads"),
                );
                continue;
            };
            model.leaders.push(Leader {
                id: text("id").unwrap_or_default(),
                side,
                abbr: text("abbr").unwrap_or_else(|| name.clone()),
                name,
                rank: text("rank"),
                leads: self
                    .game
                    .roles
                    .iter()
                    .find(|def| def.id == role)
                    .is_none_or(|def| def.leads),
                role,
                commands,
                present: boolean(table, row, "present").unwrap_or(true),
                order: integer(table, row, "order"),
                note: text("note"),
                attributes: self.own_attributes(Of::Leaders, table, row),
                row,
                span: table.span(row, "name"),
                commands_span: table.span(row, "commands"),
            });
        }
        model.leaders.sort_by(|a, b| natural(&a.id, &b.id));
        model.leaders.dedup_by(|a, b| a.id == b.id);
        for index in 0..model.leaders.len() {
            let leader = &model.leaders[index];
            if leader.leads
                && leader.present
                && let Some(formation) = leader.commands
                && model.formations[formation].leader.is_none()
            {
                model.formations[formation].leader = Some(index);
            }
        }
    }

    fn items(&self, of: Of) -> Vec<Item> {
        let Some(table) = self.records.table(of.table()) else {
            return Vec::new();
        };
        let mut items: Vec<Item> = self
            .sound_rows(table)
            .map(|row| {
                let text = |name: &str| table.text(row, name).map(str::to_owned);
                let count = table.field(row, "count");
                let stated = text("basis").and_then(|basis| basis_of_name(&basis));
                Item {
                    id: text("id").unwrap_or_default(),
                    name: text("name").unwrap_or_default(),
                    side: text("side"),
                    kind: text("kind"),
                    front: text("front"),
                    back: text("back"),
                    count: count.and_then(|count| count.value.integer()),
                    count_basis: count
                        .and_then(|count| self.edited_basis(count))
                        .or(stated)
                        .unwrap_or(Basis::Printed),
                    sheet: text("sheet"),
                    note: text("note"),
                    attributes: self.own_attributes(of, table, row),
                    row,
                    span: table.span(row, "id"),
                    count_span: table.span(row, "count"),
                }
            })
            .collect();
        items.sort_by(|a, b| natural(&a.id, &b.id));
        items.dedup_by(|a, b| a.id == b.id);
        items
    }

    /// The rows that are in the edition and fit their schema.
    fn sound_rows<'t>(&'t self, table: &'t Table) -> impl Iterator<Item = usize> + 't {
        table
            .rows()
            .filter(|row| !self.broken.contains(&table.name, *row))
    }

    /// The attributes that stand in a record itself.
    fn own_attributes(&self, of: Of, table: &Table, row: usize) -> Attributes {
        let mut attributes = Attributes::default();
        for declared in self.game.attributes_of(of) {
            let Some(datum) = table.field(row, &declared.name) else {
                continue;
            };
            let basis = declared.basis.unwrap_or(Basis::Printed);
            self.add_attribute(&mut attributes, declared, datum, basis, How::Cell);
        }
        attributes
    }

    /// Adds what a cell says of an attribute.
    fn add_attribute(
        &self,
        attributes: &mut Attributes,
        declared: &crate::game::AttributeDef,
        datum: Datum<'_>,
        basis: Basis,
        how: How,
    ) {
        if datum.value.is_unknown() {
            attributes.unknown.push((declared.name.clone(), datum.span));
            return;
        }
        let json = match datum.value {
            Borrowed::Raw(text) => text.into(),
            Borrowed::Typed(Value::Integer(number)) => (*number).into(),
            Borrowed::Typed(Value::Number(number)) => (*number).into(),
            Borrowed::Typed(value) => value.to_cell().into(),
        };
        if let Some(value) = crate::fill::scalar(declared, &json) {
            attributes.push(Attribute {
                name: declared.name.clone(),
                value,
                basis: self.edited_basis(datum).unwrap_or(basis),
                how,
                span: datum.span,
                edit: datum.edit,
            });
        }
    }

    /// The basis of a value that an overlay wrote.
    fn edited_basis(&self, datum: Datum<'_>) -> Option<Basis> {
        let edit = &self.applied.edits[datum.edit? as usize];
        Some(match self.overlays[edit.overlay].kind {
            OverlayKind::Official => Basis::Errata,
            OverlayKind::Ruling => Basis::Ruling,
        })
    }

    /// The formation that a record belongs to: `Some(None)` where it names none, `None` where it names one that cannot be
    /// had.
    fn home(
        &self,
        named: Named,
        table: &Table,
        row: usize,
        rows: &Rows,
        sink: &mut Sink,
    ) -> Option<Option<usize>> {
        let Some(text) = table.text(row, named.home_column()) else {
            return Some(None);
        };
        let span = table.span(row, named.home_column());
        self.formation(text, span, table.text(row, "side"), rows, sink)
            .map(Some)
    }

    /// The formation, as an index into the model's, that a reference means.
    fn formation(
        &self,
        text: &str,
        span: Span,
        side: Option<&str>,
        rows: &Rows,
        sink: &mut Sink,
    ) -> Option<usize> {
        let row = self.record(Named::Formations, text, span, side, sink)?;
        rows.get(&row).copied()
    }

    /// Whether a record does not hang on the tree, because it or a formation above it is wrong.
    fn is_adrift(&self, named: Named, row: usize) -> bool {
        let Some(formations) = self.records.table("formations") else {
            return false;
        };
        let lost = |row: usize| {
            self.broken.contains("formations", row)
                || formations.text(row, "parent").is_some()
                    && self.index.home(Named::Formations, row).is_none()
        };
        let chain = self.index.chain(named, row);
        // A chain that ends below a formation runs in a circle.
        let runs_in_a_circle = chain
            .last()
            .is_some_and(|top| self.index.home(Named::Formations, *top).is_some());
        self.broken.contains(named.table(), row)
            || self.is_homeless(named, row)
            || named == Named::Formations && lost(row)
            || runs_in_a_circle
            || chain.into_iter().any(lost)
    }

    /// Whether a record names a formation that it cannot have meant.
    fn is_homeless(&self, named: Named, row: usize) -> bool {
        let table = self.records.table(named.table());
        table.is_some_and(|table| table.text(row, named.home_column()).is_some())
            && self.index.home(named, row).is_none()
    }

    /// Whether a reference that finds nothing is explained by ids or designations that several records share.
    fn is_of_a_double(&self, named: Named, text: &str) -> bool {
        let doubles = self.doubles.borrow();
        if doubles.ids.contains(named.table()) && is_id(text) {
            return true;
        }
        let folder = self.index.folder();
        let above = |text: &str| text.split_once('/').map(|(_, above)| folder.loose(above));
        let wanted = above(text);
        named == Named::Formations
            && wanted.is_some()
            && doubles
                .designations
                .iter()
                .any(|designation| above(designation) == wanted)
    }

    /// Which overlay removed a record of the name.
    fn removed_by(&self, named: Named, text: &str) -> Option<(String, Span)> {
        let table = self.records.table(named.table())?;
        let leaf = text.split('/').next().unwrap_or(text);
        let folder = self.index.folder();
        let row = table.removed_named(|name| folder.loose(name) == folder.loose(leaf))?;
        let edit = &self.applied.edits[table.row(row).removed? as usize];
        let overlay = &self.overlays[edit.overlay];
        let help = format!(
            "{} of the overlay `{}` removed it: correct what still refers to it there as well",
            overlay.entries[edit.entry].reference, overlay.id
        );
        Some((help, edit.span))
    }

    /// Where an overlay that is not in this edition adds a record of the name.
    fn added_elsewhere(&self, named: Named, text: &str) -> Option<String> {
        let leaf = self.index.folder().loose(text.split('/').next().unwrap_or(text));
        for (number, overlay) in self.overlays.iter().enumerate() {
            if self.applied.reports.iter().any(|report| report.overlay == number) {
                continue;
            }
            for entry in &overlay.entries {
                let of_table = entry.op == Op::Add && entry.table.as_deref() == Some(named.table());
                let named_so = ["id", "name", "abbr"].iter().any(|field| {
                    let value = entry.record.get(*field).and_then(|value| value.as_str());
                    value.is_some_and(|value| self.index.folder().loose(value) == leaf)
                });
                if of_table && named_so {
                    return Some(format!(
                        "{} of the overlay `{}` adds it, which is not in this edition",
                        entry.reference, overlay.id
                    ));
                }
            }
        }
        None
    }

    /// The row that a reference means; whatever it cannot mean is reported.
    fn record(
        &self,
        named: Named,
        text: &str,
        span: Span,
        side: Option<&str>,
        sink: &mut Sink,
    ) -> Option<usize> {
        match self.index.find(self.records, named, text, side) {
            Found::One(row) => Some(row),
            Found::None => {
                if self.broken.may_have_id(named.table(), text) || self.is_of_a_double(named, text) {
                    return None;
                }
                if named == Named::Formations && self.may_be_broken(text) {
                    return None;
                }
                let key = (named, text.to_owned());
                if let Some((diagnostic, count)) = self.missing.borrow_mut().get_mut(&key) {
                    *count += 1;
                    if *count <= PLACES + 1 {
                        diagnostic.labels.push(Label {
                            span,
                            message: "and here".into(),
                        });
                    }
                    return None;
                }
                let leaf = text.split('/').next().unwrap_or(text);
                if leaf != text
                    && let Found::One(row) = self.index.find(self.records, named, leaf, side)
                    && self.is_adrift(named, row)
                {
                    // Its path leads nowhere because one above it is wrong, which is reported there.
                    return None;
                }
                let singular = named.table().trim_end_matches('s');
                let finds = |text: &str| {
                    let found = self.index.find(self.records, named, text, side);
                    matches!(found, Found::One(_))
                };
                let subject = format!("a reference to a {singular}");
                if let Some(found) = self.index.damaged(self.records, text, &subject, span, &finds) {
                    sink.push(found);
                    if named == Named::Formations {
                        let meant = self.index.may_mean(self.records, text);
                        self.doubtful.borrow_mut().extend(meant);
                    }
                    return None;
                }
                let near = self.index.suggestions(self.records, named, text, side, None);
                for candidate in near.iter().filter(|_| named == Named::Formations) {
                    if let Found::One(row) = self.index.find(self.records, named, &candidate.text, side) {
                        self.doubtful.borrow_mut().insert(row);
                    }
                }
                let removed = self.removed_by(named, text);
                let elsewhere = removed.as_ref().map(|(help, _)| help.clone());
                let elsewhere = elsewhere.or_else(|| self.added_elsewhere(named, text));
                let help = match near.as_slice() {
                    _ if elsewhere.is_some() => elsewhere.unwrap_or_default(),
                    [] if named == Named::Formations
                        && self.index.find(self.records, Named::Units, text, side) != Found::None =>
                    {
                        format!("`{text}` is a unit: name the formation that is meant")
                    }
                    [] => format!(
                        "write an id, a name or a designation that stands in `{}`",
                        named.table()
                    ),
                    near => suggest::did_you_mean(near).unwrap_or_default(),
                };
                let mut diagnostic =
                    Diagnostic::new(&UNRESOLVED, span, format!("no {singular} is called `{text}`"))
                        .note(format!("no such {singular}"))
                        .help(help);
                if let Some((_, span)) = removed {
                    diagnostic = diagnostic.label(span, "removed here");
                }
                self.missing.borrow_mut().insert(key, (diagnostic, 1));
                None
            }
            Found::Many(rows) => {
                // Of two records with one id, only the doubled id is worth reporting.
                let table = self.records.table(named.table())?;
                let id = table.text(rows[0], "id");
                if rows.iter().all(|row| table.text(*row, "id") == id) {
                    return Some(rows[0]);
                }
                if named == Named::Formations {
                    let designation = |row: &usize| self.index.designation(self.records, *row);
                    let doubles = self.doubles.borrow();
                    if rows
                        .iter()
                        .all(|row| doubles.designations.contains(&designation(row)))
                    {
                        // That they share it is reported.
                        return None;
                    }
                }
                if rows.iter().any(|row| self.is_adrift(named, *row)) {
                    // What would tell them apart is wrong, and reported.
                    return None;
                }
                if named == Named::Formations {
                    self.doubtful.borrow_mut().extend(rows.iter().copied());
                }
                let candidates: Vec<String> = rows
                    .iter()
                    .map(|row| {
                        let id = table.text(*row, "id").unwrap_or("?");
                        format!("{} = `{id}`", self.index.describe(self.records, named, *row))
                    })
                    .collect();
                let mut diagnostic = Diagnostic::new(
                    &AMBIGUOUS,
                    span,
                    format!("`{text}` may mean {} things", rows.len()),
                )
                .note("ambiguous")
                .help(format!("write one of: {}", candidates.join(", ")));
                for row in rows.iter().take(4) {
                    diagnostic = diagnostic.label(table.span(*row, "name"), "this one?");
                }
                sink.push(diagnostic);
                None
            }
        }
    }
}

/// Whether two rows say the same in every column.
fn is_the_same(table: &Table, first: usize, second: usize) -> bool {
    let cell = |row: usize, column: usize| table.get(row, column).map(|datum| datum.value.to_cell());
    (0..table.columns().len()).all(|column| cell(first, column) == cell(second, column))
}

/// The formations of the model by their record's row.
pub type Rows = BTreeMap<usize, usize>;

fn integer(table: &Table, row: usize, column: &str) -> Option<i64> {
    table.field(row, column)?.value.integer()
}

fn boolean(table: &Table, row: usize, column: &str) -> Option<bool> {
    match table.field(row, column)?.value {
        Borrowed::Typed(Value::Boolean(flag)) => Some(*flag),
        other => match other.text()? {
            "yes" | "true" => Some(true),
            "no" | "false" => Some(false),
            _ => None,
        },
    }
}

fn basis_of_name(name: &str) -> Option<Basis> {
    [
        Basis::Printed,
        Basis::Errata,
        Basis::Ruling,
        Basis::Deduced,
        Basis::Reconstructed,
        Basis::Default,
    ]
    .into_iter()
    .find(|basis| basis.name() == name)
}
