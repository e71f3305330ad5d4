//! Values that stand in a record which does not carry their attribute: of another kind, echelon or role.

use super::rules::OUT_OF_PLACE;
use crate::diagnostic::{Diagnostic, Sink};
use crate::game::{AttributeDef, GameFile, Of};
use crate::record::Table;
use crate::suggest;

/// What limits who carries an attribute: the column, what its values are called, and those of the attribute.
pub(crate) fn limit(attribute: &AttributeDef) -> Option<(&'static str, &[String])> {
    let (column, list) = match attribute.of {
        Of::Units => ("kind", &attribute.kinds),
        Of::Formations => ("echelon", &attribute.echelons),
        Of::Leaders => ("role", &attribute.roles),
        _ => return None,
    };
    (!list.is_empty()).then_some((column, list.as_slice()))
}

/// Whether a word is declared as a kind, echelon or role.
pub(crate) fn is_declared(game: &GameFile, column: &str, word: &str) -> bool {
    match column {
        "kind" => game.kind(word).is_some(),
        "echelon" => game.echelon(word).is_some(),
        _ => game.roles.iter().any(|role| role.id == word),
    }
}

/// The columns of a table whose values not every record may have.
pub(super) fn special<'g>(game: &'g GameFile, table: &str) -> Vec<&'g str> {
    game.attributes
        .iter()
        .filter(|attribute| attribute.of.table() == table && limit(attribute).is_some())
        .map(|attribute| attribute.name.as_str())
        .collect()
}

/// Reports the values of a record that records of its kind, echelon or role do not have, but for those that were told of.
pub(super) fn tell(game: &GameFile, table: &Table, row: usize, told: &[String], sink: &mut Sink) {
    for attribute in game
        .attributes
        .iter()
        .filter(|attribute| attribute.of.table() == table.name)
    {
        let Some((column, list)) = limit(attribute) else {
            continue;
        };
        let Some(own) = table
            .text(row, column)
            .filter(|own| is_declared(game, column, own))
        else {
            continue;
        };
        // A misspelt kind of the attribute is told at its definition.
        let carries = list.iter().any(|other| other == own)
            || !list.iter().all(|other| is_declared(game, column, other));
        if carries || told.contains(&attribute.name) || table.field(row, &attribute.name).is_none() {
            continue;
        }
        let name = &attribute.name;
        let subject = table.text(row, "id").unwrap_or("a record");
        let list: Vec<&str> = list.iter().map(String::as_str).collect();
        let table_name = &table.name;
        sink.push(
            Diagnostic::new(
                &OUT_OF_PLACE,
                table.span(row, name),
                format!("`{subject}` has `{name}`, which {table_name} of the {column} `{own}` do not have"),
            )
            .note(format!("not of a `{own}`"))
            .label(table.span(row, column), format!("its {column}"))
            .help(format!(
                "empty the cell, or correct the {column}: `{name}` is of {}",
                suggest::quoted(&list)
            )),
        );
    }
}
