//! Tables that speak about records of other tables: ratings, supplements, reductions.

use std::collections::BTreeMap;

use super::tree::SIDE_DISAGREES;
use super::{DUPLICATE_KEY, Resolver, Rows};
use crate::diagnostic::{Diagnostic, Sink};
use crate::game::{AttributeDef, Basis, Of};
use crate::model::{Attribute, Effectiveness, How, Model, Reduction, Scalar};
use crate::record::{Datum, Table};
use crate::reference::{Found, Named};
use crate::schema::place::{is_declared, limit};
use crate::schema::rules::{MISSING_FIELD, OUT_OF_PLACE};
use crate::select;
use crate::selection;
use crate::suggest;

pub(super) fn effectiveness(resolver: &Resolver<'_>, rows: &Rows, model: &mut Model, sink: &mut Sink) {
    let Some(table) = resolver.records.table("effectiveness") else {
        return;
    };
    let mut first: BTreeMap<usize, usize> = BTreeMap::new();
    for row in resolver.sound_rows(table) {
        let Some(text) = table.text(row, "formation") else {
            continue;
        };
        let span = table.span(row, "formation");
        let Some(formation) = resolver.formation(text, span, table.text(row, "side"), rows, sink) else {
            // It may be the rating of any formation that has none.
            model.unrated = true;
            continue;
        };
        let own = &model.formations[formation];
        if !model.torn {
            disagrees(table, row, "formation", (&own.designation, &own.side), sink);
        }
        if let Some(earlier) = first.insert(formation, row) {
            twice(
                table,
                "formation",
                row,
                earlier,
                &model.formations[formation].designation,
                sink,
            );
            continue;
        }
        let mut attributes = resolver.own_attributes(Of::Effectiveness, table, row);
        let mut own = |name: &str| {
            let datum = table.field(row, name)?;
            let value = datum.value.integer()?;
            attributes.push(Attribute {
                name: name.to_owned(),
                value: Scalar::Integer(value),
                basis: resolver.edited_basis(datum).unwrap_or(Basis::Printed),
                how: How::Cell,
                span: datum.span,
                edit: datum.edit,
            });
            Some(value)
        };
        let (Some(boxes), Some(total)) = (own("boxes"), own("total")) else {
            continue;
        };
        model.effectiveness.push(Effectiveness {
            formation,
            boxes,
            total,
            attributes,
            row,
        });
    }
    model.effectiveness.sort_by_key(|rating| rating.formation);
}

pub(super) fn supplements(resolver: &Resolver<'_>, rows: &Rows, model: &mut Model, sink: &mut Sink) {
    for (number, supplement) in resolver.game.supplements.iter().enumerate() {
        let Some(table) = resolver.records.table(&supplement.name) else {
            continue;
        };
        let places = places(model, supplement.of);
        let mut first: BTreeMap<usize, usize> = BTreeMap::new();
        for row in resolver.sound_rows(table) {
            let Some(text) = table.text(row, &supplement.key) else {
                continue;
            };
            let span = table.span(row, &supplement.key);
            let side = table.text(row, "side");
            let record = match supplement.of {
                Of::Formations => resolver.formation(text, span, side, rows, sink),
                Of::Units => resolver
                    .record(Named::Units, text, span, side, sink)
                    .and_then(|row| places.get(&row).copied()),
                Of::Leaders => resolver
                    .record(Named::Leaders, text, span, side, sink)
                    .and_then(|row| places.get(&row).copied()),
                _ => None,
            };
            let Some(record) = record else {
                continue;
            };
            let of = match supplement.of {
                Of::Units => Some(&model.units[record].side),
                Of::Formations => Some(&model.formations[record].side),
                Of::Leaders => Some(&model.leaders[record].side),
                _ => None,
            };
            let (_, called) = model.head(supplement.of, record);
            if let Some(of) = of
                && !model.torn
            {
                disagrees(table, row, &supplement.key, (&called, of), sink);
            }
            if let Some(earlier) = first.get(&record) {
                let (_, name) = model.head(supplement.of, record);
                twice(table, &supplement.key, row, *earlier, &name, sink);
                continue;
            }
            first.insert(record, row);
            for declared in resolver.game.attributes_of(supplement.of) {
                let Some(datum) = table.field(row, &declared.name) else {
                    continue;
                };
                out_of_place(
                    resolver,
                    model,
                    declared,
                    (table, row, &supplement.key),
                    record,
                    sink,
                );
                let attributes = model.attributes_mut(supplement.of, record);
                if attributes.get(&declared.name).is_some() || attributes.is_declared_unknown(&declared.name)
                {
                    // What stands in the record itself comes before what a supplement says.
                    continue;
                }
                // An overlay that says of whom the row speaks makes the row's values its own.
                let basis = table
                    .field(row, &supplement.key)
                    .and_then(|key| resolver.edited_basis(key))
                    .or_else(|| supplement.basis.get(&declared.name).copied())
                    .or(declared.basis)
                    .unwrap_or(Basis::Printed);
                let key_edit = table.field(row, &supplement.key).and_then(|key| key.edit);
                let datum = Datum {
                    edit: datum.edit.or(key_edit),
                    ..datum
                };
                resolver.add_attribute(attributes, declared, datum, basis, How::Supplement(number));
            }
        }
    }
}

pub(super) fn reductions(resolver: &Resolver<'_>, rows: &Rows, model: &mut Model, sink: &mut Sink) {
    let units = places(model, Of::Units);
    let name = resolver.game.reductions.as_ref();
    let mut given: BTreeMap<(String, usize, String, bool), (usize, i64)> = BTreeMap::new();
    if let Some(table) = name.and_then(|name| resolver.records.table(name)) {
        for row in resolver.sound_rows(table) {
            let (Some(of), Some(unit)) = (table.text(row, "of"), table.text(row, "unit")) else {
                continue;
            };
            let Some(formation) =
                resolver.formation(of, table.span(row, "of"), table.text(row, "side"), rows, sink)
            else {
                continue;
            };
            let own = &model.formations[formation];
            if !model.torn {
                disagrees(table, row, "of", (&own.designation, &own.side), sink);
            }
            let clause = selection::Selection {
                clauses: vec![selection::Clause {
                    rest: false,
                    items: vec![selection::Item {
                        text: unit.to_owned(),
                        at: 0..unit.len(),
                    }],
                    scope: Some(selection::Item {
                        text: model.formations[formation].id.clone(),
                        at: 0..0,
                    }),
                    except: Vec::new(),
                }],
            };
            let scope = select::Scope {
                records: resolver.records,
                index: resolver.index,
                words: resolver.words,
                side: None,
                taken: None,
            };
            let selected = select::units(scope, &clause);
            let values: Vec<_> = resolver
                .game
                .attributes_of(Of::Units)
                .filter_map(|attribute| {
                    let datum = table.field(row, &attribute.name)?;
                    Some((&attribute.name, datum.value.integer()?, datum.span))
                })
                .collect();
            lacks_value(resolver, table, row, sink);
            for unit in selected.rows.iter().filter_map(|row| units.get(row)) {
                for (attribute, value, span) in &values {
                    // What is said of all may be said otherwise of one.
                    let key = (
                        table.text(row, "set").unwrap_or_default().to_owned(),
                        *unit,
                        (*attribute).clone(),
                        is_all(table, row),
                    );
                    if let Some((earlier, other)) = given.insert(key, (row, *value)) {
                        doubled(model, table, (row, *value), (earlier, other), *unit, sink);
                        continue;
                    }
                    model.reductions.push(Reduction {
                        set: table.text(row, "set").unwrap_or_default().to_owned(),
                        line: table.text(row, "line").map(str::to_owned),
                        unit: *unit,
                        attribute: (*attribute).clone(),
                        value: *value,
                        span: *span,
                        set_span: table.span(row, "set"),
                    });
                }
            }
            for problem in selected.problems {
                let rows = match resolver.index.find(resolver.records, Named::Units, unit, None) {
                    Found::One(row) => vec![row],
                    Found::Many(rows) => rows,
                    Found::None => Vec::new(),
                };
                if rows.into_iter().any(|row| resolver.is_adrift(Named::Units, row)) {
                    // Where it belongs is not known, which has been reported.
                    continue;
                }
                let designation = &model.formations[formation].designation;
                let mut diagnostic = Diagnostic::new(
                    &super::UNRESOLVED,
                    table.span(row, "unit"),
                    format!("{designation} has no unit called `{unit}`"),
                )
                .note("not in this formation");
                if let Some(elsewhere) = problem.elsewhere {
                    diagnostic.message = problem.message;
                    diagnostic =
                        diagnostic.help(elsewhere.help(&format!("`{}` as its `of`", elsewhere.home)));
                } else if let Some(help) = suggest::did_you_mean(&problem.candidates) {
                    diagnostic = diagnostic.help(help);
                } else {
                    diagnostic = diagnostic.help(format!("write `all`, or a unit of {designation}"));
                }
                sink.push(diagnostic);
            }
        }
    }
}

fn is_all(table: &Table, row: usize) -> bool {
    table.text(row, "unit").is_some_and(|unit| unit.trim() == "all")
}

/// Reports two rows that reduce one unit on one occasion.
fn doubled(
    model: &Model,
    table: &Table,
    (row, value): (usize, i64),
    (earlier, other): (usize, i64),
    unit: usize,
    sink: &mut Sink,
) {
    let set = table.text(row, "set").unwrap_or_default();
    let unit = &model.units[unit];
    let designation = &model.formations[unit.formation].designation;
    let values = if value == other {
        String::new()
    } else {
        format!(", with {other} and with {value}")
    };
    sink.push(
        Diagnostic::new(
            &DUPLICATE_KEY,
            table.span(row, "unit"),
            format!(
                "`{}` speaks of {} ({designation}) twice in the set `{set}`{values}",
                table.name, unit.name
            ),
        )
        .note("the second")
        .label(table.span(earlier, "unit"), "the first")
        .help(if value == other {
            "remove one of the rows"
        } else {
            "one of them is wrong, or meant for another unit or set"
        }),
    );
}

/// Reports a row that reduces nothing, because its value is missing.
fn lacks_value(resolver: &Resolver<'_>, table: &Table, row: usize, sink: &mut Sink) {
    let attributes = resolver.game.attributes_of(Of::Units);
    let names: Vec<&str> = attributes
        .map(|attribute| attribute.name.as_str())
        .filter(|name| table.column(name).is_some())
        .collect();
    if names.iter().any(|name| table.field(row, name).is_some()) {
        return;
    }
    let unit = table.text(row, "unit").unwrap_or_default();
    let set = table.text(row, "set").unwrap_or_default();
    let wanted = match names.as_slice() {
        [] => "value".to_owned(),
        names => suggest::quoted(names).replace(", ", " or "),
    };
    sink.push(
        Diagnostic::new(
            &MISSING_FIELD,
            table.row_span(row),
            format!("the reduction of {unit} in the set `{set}` has no {wanted}"),
        )
        .note("reduces nothing")
        .help("fill the cell, write `?` if nobody knows the number, or remove the row"),
    );
}

/// Reports a row that says another side than the record of which it speaks.
fn disagrees(table: &Table, row: usize, key: &str, (name, side): (&str, &str), sink: &mut Sink) {
    let Some(said) = table.text(row, "side").filter(|said| *said != side) else {
        return;
    };
    sink.push(
        Diagnostic::new(
            &SIDE_DISAGREES,
            table.span(row, "side"),
            format!(
                "`{}` speaks of {name} as of side `{said}`, but it is of `{side}`",
                table.name
            ),
        )
        .note(format!("side `{said}`"))
        .label(table.span(row, key), format!("of side `{side}`"))
        .help(format!("correct the `side` or the `{key}` of the row")),
    );
}

/// Reports a value of a supplement that records of the kind, echelon or role do not have.
fn out_of_place(
    resolver: &Resolver<'_>,
    model: &Model,
    attribute: &AttributeDef,
    (table, row, key): (&Table, usize, &str),
    record: usize,
    sink: &mut Sink,
) {
    let Some((column, list)) = limit(attribute) else {
        return;
    };
    let own = match attribute.of {
        Of::Units => &model.units[record].kind,
        Of::Formations => &model.formations[record].echelon,
        Of::Leaders => &model.leaders[record].role,
        _ => return,
    };
    // A misspelt kind of the attribute is told at its definition.
    if list.contains(own) || !list.iter().all(|other| is_declared(resolver.game, column, other)) {
        return;
    }
    let (_, called) = model.head(attribute.of, record);
    let names: Vec<&str> = list.iter().map(String::as_str).collect();
    sink.push(
        Diagnostic::new(
            &OUT_OF_PLACE,
            table.span(row, &attribute.name),
            format!(
                "{called} has `{}`, which {} of the {column} `{own}` do not have",
                attribute.name,
                attribute.of.table()
            ),
        )
        .note(format!("not of a `{own}`"))
        .label(table.span(row, key), format!("of the {column} `{own}`"))
        .help(format!(
            "empty the cell, or correct whom the row is about: `{}` is of {}",
            attribute.name,
            suggest::quoted(&names)
        )),
    );
}

/// The model's records by their rows.
fn places(model: &Model, of: Of) -> BTreeMap<usize, usize> {
    match of {
        Of::Units => model
            .units
            .iter()
            .enumerate()
            .map(|(index, unit)| (unit.row, index))
            .collect(),
        Of::Leaders => model
            .leaders
            .iter()
            .enumerate()
            .map(|(index, leader)| (leader.row, index))
            .collect(),
        _ => BTreeMap::new(),
    }
}

fn twice(table: &Table, key: &str, row: usize, earlier: usize, name: &str, sink: &mut Sink) {
    sink.push(
        Diagnostic::new(
            &DUPLICATE_KEY,
            table.span(row, key),
            format!("`{}` speaks of {name} twice", table.name),
        )
        .note("the second")
        .label(table.span(earlier, key), "the first")
        .help(if super::is_the_same(table, earlier, row) {
            "the two rows are the same: remove one"
        } else {
            "one of them is wrong, or meant for another"
        }),
    );
}
