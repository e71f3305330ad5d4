//! What a scenario changes in the order of battle: which alternatives are fielded, and who belongs elsewhere.

use super::{BAD_SELECTION, Stage};
use crate::diagnostic::{Diagnostic, Sink};
use crate::document::Document;
use crate::reference::{Found, Named};
use crate::scenario::definition::ScenarioFile;
use crate::scenario::{Assignment, Scenario};
use crate::suggest;

impl Stage<'_> {
    /// The alternatives that a scenario fields.
    pub(super) fn alternatives(
        &self,
        document: &Document<ScenarioFile>,
        scenario: &mut Scenario,
        sink: &mut Sink,
    ) {
        for (number, name) in scenario.file.fields.clone().iter().enumerate() {
            let span = document.span(&format!("/fields/{number}"));
            let found: Vec<usize> = match self.index.find(self.records, Named::Units, name, None) {
                Found::One(row) => self.model_units(&[row]),
                Found::Many(rows) => self.model_units(&rows),
                Found::None => Vec::new(),
            };
            let mut alternatives = found.iter().filter(|unit| !self.model.units[**unit].is_fielded());
            match (alternatives.next(), alternatives.next()) {
                (Some(one), None) => scenario.fields.push(*one),
                _ => {
                    let known: Vec<&str> = self
                        .model
                        .units
                        .iter()
                        .filter(|unit| !unit.is_fielded())
                        .map(|unit| unit.abbr.as_str())
                        .collect();
                    let message = match found.as_slice() {
                        [] => format!("no unit is called `{name}`"),
                        [_] => format!("`{name}` is no alternative: it is fielded anyway"),
                        _ => format!("`{name}` may be several units"),
                    };
                    let mut diagnostic =
                        Diagnostic::new(&BAD_SELECTION, span, message).note("not one alternative");
                    diagnostic = match known.as_slice() {
                        [] => diagnostic.help("an alternative has `instead_of` in the table of units"),
                        known => diagnostic.help(format!("the alternatives are {}", suggest::quoted(known))),
                    };
                    sink.push(diagnostic);
                }
            }
        }
    }

    /// Who belongs to another formation, or follows another leader, than in the order of battle.
    pub(super) fn assignments(
        &self,
        chain: &[&Document<ScenarioFile>],
        scenario: &mut Scenario,
        sink: &mut Sink,
    ) {
        // The list of the farthest scenario comes first, as in the merged one.
        let mut places: Vec<(&Document<ScenarioFile>, usize)> = Vec::new();
        for document in chain {
            let own = (0..document.assign.len()).map(|index| (*document, index));
            places.splice(0..0, own);
            if document.replaces.iter().any(|name| name == "assign") {
                break;
            }
        }
        for (document, index) in places {
            let assign = &document.assign[index];
            let at = |key: &str| document.span(&format!("/assign/{index}/{key}"));
            let side = assign.side.as_str();
            let rows = self.select(&assign.units, at("units"), Some(side), None, sink);
            let to = match &assign.to {
                Some(to) => match self.formation(to, side, at("to"), sink) {
                    Some(formation) => Some(formation),
                    None => continue,
                },
                None => None,
            };
            let led_by = match &assign.led_by {
                Some(leader) => {
                    let found = self.leaders(std::slice::from_ref(leader), side, at("led_by"), sink);
                    match found.first() {
                        Some(leader) => Some(*leader),
                        None => continue,
                    }
                }
                None => None,
            };
            if to.is_none() && led_by.is_none() {
                sink.push(
                    Diagnostic::new(
                        &BAD_SELECTION,
                        at("units"),
                        format!("`{}` is assigned to nobody", assign.units),
                    )
                    .note("neither `to` nor `led_by` is given")
                    .help("write `to = \"formation\"`, or `led_by = \"leader\"`"),
                );
                continue;
            }
            scenario.assignments.push(Assignment {
                units: self.model_units(&rows),
                to,
                led_by,
                note: assign.note.clone(),
                span: at("units"),
            });
        }
    }
}
