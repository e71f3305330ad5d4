//! `orbat why`: where a value comes from, what changed it, and what uses it.

use serde::Serialize;

use crate::Compiled;
use crate::apportion::{Bound, Share};
use crate::errata::Edit;
use crate::game::{Basis, Of};
use crate::model::{Attribute, How, Model};
use crate::reference::{Candidate, Found, Named};
use crate::source::{Files, Span};

/// What is known of one record.
#[derive(Debug, Serialize)]
pub struct Why {
    /// The game.
    pub game: String,
    /// The table.
    pub table: String,
    /// The id.
    pub id: String,
    /// The record, for people.
    pub title: String,
    /// Where it stands.
    pub place: String,
    /// Its fields.
    pub fields: Vec<FieldWhy>,
    /// How a total was shared out that it has part in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<ShareWhy>,
    /// What uses it.
    pub used_by: Vec<String>,
}

/// What is known of one field.
#[derive(Debug, Serialize)]
pub struct FieldWhy {
    /// The field.
    pub name: String,
    /// The value; absent where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The basis of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub basis: Option<Basis>,
    /// How the value came about, in a sentence.
    pub because: String,
    /// Where it stands, or where the rule stands that made it: `file:line:column`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// What overlays did to it, in order.
    pub history: Vec<Change>,
}

/// A change by an overlay.
#[derive(Debug, Serialize)]
pub struct Change {
    /// The value before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// Where it stood.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was_at: Option<String>,
    /// The value after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub now: Option<String>,
    /// The overlay.
    pub overlay: String,
    /// Its entry.
    #[serde(rename = "ref")]
    pub reference: String,
    /// What the entry says.
    pub summary: String,
    /// Where it says so.
    pub at: String,
}

/// How a total was shared out.
#[derive(Debug, Serialize)]
pub struct ShareWhy {
    /// The formation.
    pub formation: String,
    /// The attribute shared out.
    pub attribute: String,
    /// The total.
    pub total: i64,
    /// What it is shared in proportion to.
    pub weight: String,
    /// The units.
    pub units: Vec<UnitShareWhy>,
}

/// One unit's share.
#[derive(Debug, Serialize)]
pub struct UnitShareWhy {
    /// The unit.
    pub name: String,
    /// Its weight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<i64>,
    /// The least that it can have.
    pub least: i64,
    /// Why.
    pub because: String,
    /// What it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i64>,
    /// The basis of that.
    pub basis: Basis,
}

/// What a question may be about.
pub enum Answer {
    /// One record.
    Known(Box<Why>),
    /// Several records: references to them.
    Ambiguous(Vec<String>),
    /// None: references that may have been meant.
    Unknown(Vec<Candidate>),
}

/// Answers a question about `REF` or `REF.FIELD`.
pub fn why(files: &Files, compiled: &Compiled, question: &str) -> Answer {
    let Some(model) = &compiled.model else {
        return Answer::Unknown(Vec::new());
    };
    match find(compiled, question) {
        Search::One(named, row) => record(files, compiled, model, named, row, None),
        Search::Many(candidates) => Answer::Ambiguous(candidates),
        Search::None => {
            let Some((reference, field)) = question.rsplit_once('.') else {
                return Answer::Unknown(near(compiled, question));
            };
            match find(compiled, reference) {
                Search::One(named, row) => record(files, compiled, model, named, row, Some(field.trim())),
                Search::Many(candidates) => Answer::Ambiguous(
                    candidates
                        .into_iter()
                        .map(|candidate| format!("{candidate}.{field}"))
                        .collect(),
                ),
                Search::None => Answer::Unknown(near(compiled, reference)),
            }
        }
    }
}

enum Search {
    None,
    One(Named, usize),
    Many(Vec<String>),
}

fn find(compiled: &Compiled, text: &str) -> Search {
    let records = &compiled.contents.records;
    let mut hits: Vec<(Named, usize)> = Vec::new();
    for named in [Named::Units, Named::Formations, Named::Leaders] {
        match compiled.index.find(records, named, text, None) {
            Found::One(row) => hits.push((named, row)),
            Found::Many(rows) => hits.extend(rows.into_iter().map(|row| (named, row))),
            Found::None => {}
        }
    }
    match hits.as_slice() {
        [] => Search::None,
        [(named, row)] => Search::One(*named, *row),
        several => {
            // A brigade and its leader may share a name: the formation is what a bare name means.
            let formations: Vec<&(Named, usize)> = several
                .iter()
                .filter(|(named, _)| *named == Named::Formations)
                .collect();
            if let [(named, row)] = formations.as_slice()
                && several.iter().all(|(named, _)| *named != Named::Units)
            {
                return Search::One(*named, *row);
            }
            Search::Many(
                several
                    .iter()
                    .map(|(named, row)| {
                        let table = records.table(named.table());
                        table
                            .and_then(|table| table.text(*row, "id"))
                            .unwrap_or("?")
                            .to_owned()
                    })
                    .collect(),
            )
        }
    }
}

fn near(compiled: &Compiled, text: &str) -> Vec<Candidate> {
    let records = &compiled.contents.records;
    [Named::Units, Named::Formations, Named::Leaders]
        .into_iter()
        .flat_map(|named| compiled.index.suggestions(records, named, text, None, None))
        .take(4)
        .collect()
}

fn record(
    files: &Files,
    compiled: &Compiled,
    model: &Model,
    named: Named,
    row: usize,
    only: Option<&str>,
) -> Answer {
    let (of, index) = match named {
        Named::Units => (Of::Units, model.units.iter().position(|unit| unit.row == row)),
        Named::Formations => (
            Of::Formations,
            model.formations.iter().position(|formation| formation.row == row),
        ),
        Named::Leaders => (
            Of::Leaders,
            model.leaders.iter().position(|leader| leader.row == row),
        ),
    };
    let Some(index) = index else {
        return Answer::Unknown(Vec::new());
    };
    let Some(table) = compiled.contents.records.table(named.table()) else {
        return Answer::Unknown(Vec::new());
    };
    let mut fields = Vec::new();
    let attributes = model.attributes(of, index);
    for column in table.columns() {
        let declared = compiled.contents.game.attribute(of, column).is_some();
        if declared || column == "id" {
            continue;
        }
        let Some(datum) = table.field(row, column) else {
            continue;
        };
        fields.push(FieldWhy {
            name: column.clone(),
            value: Some(datum.value.to_cell()),
            basis: None,
            because: "it stands in the record".into(),
            place: Some(place(files, datum.span)),
            history: history(files, compiled, named.table(), row, column),
        });
    }
    for declared in compiled.contents.game.attributes_of(of) {
        match attributes.get(&declared.name) {
            Some(attribute) => fields.push(attribute_why(files, compiled, named.table(), row, attribute)),
            None if attributes.is_declared_unknown(&declared.name) => fields.push(FieldWhy {
                name: declared.name.clone(),
                value: None,
                basis: None,
                because: "the data say that nobody knows it".into(),
                place: attributes
                    .unknown
                    .iter()
                    .find(|(name, _)| *name == declared.name)
                    .map(|(_, span)| place(files, *span)),
                history: Vec::new(),
            }),
            None if crate::fill::carries(model, declared, index) => fields.push(FieldWhy {
                name: declared.name.clone(),
                value: None,
                basis: None,
                because: "nothing gives it: it is not known".into(),
                place: None,
                history: Vec::new(),
            }),
            None => {}
        }
    }
    let mut share = share_of(compiled, model, of, index);
    if let Some(only) = only {
        let names: Vec<String> = fields.iter().map(|field| field.name.clone()).collect();
        fields.retain(|field| field.name == only);
        if fields.is_empty() {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let near = crate::suggest::closest(only, names.iter().copied());
            return Answer::Unknown(near.into_iter().map(Candidate::plain).collect());
        }
        share = share.filter(|share| share.attribute == only);
    }
    let (_, title) = model.head(of, index);
    Answer::Known(Box::new(Why {
        game: compiled.contents.game.id.clone(),
        table: named.table().to_owned(),
        id: table.text(row, "id").unwrap_or_default().to_owned(),
        title,
        place: place(files, table.row_span(row)),
        fields,
        share,
        used_by: used_by(compiled, model, of, index),
    }))
}

fn attribute_why(
    files: &Files,
    compiled: &Compiled,
    table: &str,
    row: usize,
    attribute: &Attribute,
) -> FieldWhy {
    let game = &compiled.contents.game;
    let (because, history) = match attribute.how {
        How::Cell => (
            "it stands in the record".to_owned(),
            history(files, compiled, table, row, &attribute.name),
        ),
        How::Supplement(index) => {
            let supplement = &game.supplements[index];
            let source = game.sources.get(&supplement.name);
            let because = match source {
                Some(source) => format!("it stands in `{}` ({source})", supplement.name),
                None => format!("it stands in `{}`", supplement.name),
            };
            let chain = attribute.edit.map(|edit| &compiled.applied.edits[edit as usize]);
            let history = chain.map_or_else(Vec::new, |edit| {
                history(files, compiled, &edit.table, edit.row, &edit.field)
            });
            (because, history)
        }
        How::Default(index) => (
            format!(
                "it is assumed for the whole class: {}",
                game.defaults[index].source
            ),
            Vec::new(),
        ),
        How::Summed(index) => {
            let rollup = &game.rollups[index];
            (
                format!("it is the sum of what is below it: {}", rollup.source),
                Vec::new(),
            )
        }
        How::Apportioned(index) => {
            let rule = &game.apportion[index];
            let because = match attribute.basis {
                Basis::Deduced => format!(
                    "it is the only value that fits the formation's {} and the units' lower bounds",
                    rule.total
                ),
                Basis::Default => format!(
                    "the formation's {} is shared out by {}; this unit's is not known, so the mean of the others was assumed",
                    rule.total, rule.weight
                ),
                _ => format!(
                    "the formation's {} is shared out in proportion to {} (Sainte-Laguë), above the units' lower bounds",
                    rule.total, rule.weight
                ),
            };
            (because, Vec::new())
        }
        How::Derived(index) => (
            format!(
                "it is computed: `{}` ({})",
                game.derived[index].value, game.derived[index].source
            ),
            Vec::new(),
        ),
    };
    FieldWhy {
        name: attribute.name.clone(),
        value: Some(attribute.value.to_string()),
        basis: Some(attribute.basis),
        because,
        place: Some(place(files, attribute.span)),
        history,
    }
}

fn history(files: &Files, compiled: &Compiled, table: &str, row: usize, field: &str) -> Vec<Change> {
    compiled
        .applied
        .edits
        .iter()
        .filter(|edit| {
            edit.table == table && edit.row == row && (edit.field == field || edit.field.is_empty())
        })
        .map(|edit| change(files, compiled, edit))
        .collect()
}

fn change(files: &Files, compiled: &Compiled, edit: &Edit) -> Change {
    let overlay = &compiled.contents.overlays[edit.overlay];
    let entry = &overlay.entries[edit.entry];
    Change {
        was: edit.was.as_ref().map(|(text, _)| text.clone()),
        was_at: edit.was.as_ref().map(|(_, span)| place(files, *span)),
        now: edit.now.clone(),
        overlay: overlay.id.clone(),
        reference: entry.reference.clone(),
        summary: entry.summary.clone(),
        at: place(files, edit.span),
    }
}

fn share_of(compiled: &Compiled, model: &Model, of: Of, index: usize) -> Option<ShareWhy> {
    let mine = |share: &&Share| match of {
        Of::Formations => share.formation == index,
        Of::Units => share.units.iter().any(|unit| unit.unit == index),
        _ => false,
    };
    let share = model.shares.iter().find(mine)?;
    let rule = &compiled.contents.game.apportion[share.rule];
    Some(ShareWhy {
        formation: model.formations[share.formation].designation.clone(),
        attribute: rule.attribute.clone(),
        total: share.total,
        weight: rule.weight.clone(),
        units: share
            .units
            .iter()
            .map(|unit| UnitShareWhy {
                name: model.units[unit.unit].name.clone(),
                weight: unit.weight,
                least: unit.least,
                because: match unit.because {
                    Bound::Given => "stands in the data",
                    Bound::Least => "the least of any unit",
                    Bound::Reduced => "one more than its known reduced strength",
                    Bound::ReducedExactly => "its known reduced strength, as one more does not fit",
                }
                .into(),
                value: unit.value,
                basis: unit.basis,
            })
            .collect(),
    })
}

fn used_by(compiled: &Compiled, model: &Model, of: Of, index: usize) -> Vec<String> {
    let mut uses = Vec::new();
    let formation = match of {
        Of::Formations => Some(index),
        Of::Units => Some(model.units[index].formation),
        Of::Leaders => model.leaders[index].commands,
        _ => None,
    };
    if let Some(formation) = formation
        && let Some(rating) = model
            .effectiveness
            .iter()
            .find(|rating| rating.formation == formation)
    {
        uses.push(format!(
            "the rating of {}: {} boxes, total {}",
            model.formations[formation].designation, rating.boxes, rating.total
        ));
    }
    if of == Of::Units {
        for reduction in model
            .reductions
            .iter()
            .filter(|reduction| reduction.unit == index)
        {
            uses.push(format!(
                "the reduction `{}`: {} {}",
                reduction.set, reduction.attribute, reduction.value
            ));
        }
    }
    if of == Of::Formations {
        let count = model.units.iter().filter(|unit| unit.formation == index).count();
        if count > 0 {
            uses.push(format!("{count} units that belong to it"));
        }
        let below = model
            .formations
            .iter()
            .filter(|formation| formation.parent == Some(index))
            .count();
        if below > 0 {
            uses.push(format!("{below} formations below it"));
        }
    }
    let row = match of {
        Of::Formations => model.formations[index].row,
        Of::Units => model.units[index].row,
        _ => model.leaders[index].row,
    };
    for edit in &compiled.applied.counters {
        if edit.table == of.table() && edit.row == row {
            let overlay = &compiled.contents.overlays[edit.overlay];
            let entry = &overlay.entries[edit.entry];
            uses.push(format!(
                "a counter erratum, {} of `{}`: {}",
                entry.reference, overlay.id, entry.summary
            ));
        }
    }
    if let Some(pack) = &compiled.pack {
        let record = match of {
            Of::Formations => "",
            Of::Units => &model.units[index].id,
            _ => &model.leaders[index].id,
        };
        for counter in pack
            .counters
            .iter()
            .filter(|counter| counter.of == of && counter.record == record)
        {
            let front: Vec<&str> = counter.front.values().map(String::as_str).collect();
            uses.push(format!("the counter `{}`: {}", counter.id, front.join(" · ")));
        }
    }
    uses
}

fn place(files: &Files, span: Span) -> String {
    files.locate(span)
}

/// The answer as a person reads it.
pub fn to_text(why: &Why) -> String {
    use std::fmt::Write;
    let mut text = String::new();
    let _ = writeln!(text, "{}", why.title);
    let _ = writeln!(text, "  {} of {}, at {}", why.id, why.table, why.place);
    let width = why.fields.iter().map(|field| field.name.len()).max().unwrap_or(0);
    for field in &why.fields {
        let value = field.value.as_deref().unwrap_or("not known");
        let basis = field
            .basis
            .filter(|basis| *basis != Basis::Printed)
            .map_or(String::new(), |basis| format!(" ({})", basis.name()));
        let _ = writeln!(text, "\n  {:width$}  {value}{basis}", field.name);
        let at = field
            .place
            .as_ref()
            .map_or(String::new(), |place| format!(", {place}"));
        let _ = writeln!(text, "  {:width$}    {}{at}", "", field.because);
        for change in &field.history {
            let was = match (&change.was, &change.was_at) {
                (Some(was), Some(at)) => format!("was `{was}` ({at}), "),
                _ => String::new(),
            };
            let now = change.now.as_deref().map_or("removed".to_owned(), |now| {
                if change.was.is_none() && now == "added" {
                    "the record was added".to_owned()
                } else {
                    format!("now `{now}`")
                }
            });
            let _ = writeln!(
                text,
                "  {:width$}    {was}{now}: {} of `{}` ({})",
                "", change.reference, change.overlay, change.at
            );
            let _ = writeln!(text, "  {:width$}      {}", "", change.summary);
        }
    }
    if let Some(share) = &why.share {
        let _ = writeln!(
            text,
            "\n  {} of {} shared out over {} units of {}, in proportion to {}:",
            share.total,
            share.attribute,
            share.units.len(),
            share.formation,
            share.weight
        );
        let width = share
            .units
            .iter()
            .map(|unit| unit.name.chars().count())
            .max()
            .unwrap_or(0);
        for unit in &share.units {
            let weight = unit.weight.map_or("?".to_owned(), |weight| weight.to_string());
            let value = unit
                .value
                .map_or("not known".to_owned(), |value| value.to_string());
            let pad = width - unit.name.chars().count();
            let _ = writeln!(
                text,
                "    {}{:pad$}  {:>5} {}  at least {} ({})  →  {value} ({})",
                unit.name,
                "",
                weight,
                share.weight,
                unit.least,
                unit.because,
                unit.basis.name()
            );
        }
    }
    if !why.used_by.is_empty() {
        let _ = writeln!(text, "\n  used by");
        for used in &why.used_by {
            let _ = writeln!(text, "    {used}");
        }
    }
    text
}
