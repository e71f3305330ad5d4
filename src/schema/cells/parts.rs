//! Cells of which a part is at fault: an item of a list, words behind a number.

use super::Cells;
use crate::cell;
use crate::diagnostic::Diagnostic;
use crate::schema::judge::from_text;
use crate::source::Span;

impl Cells<'_> {
    /// Why words stand behind a number, if the table knows: they are the column's own name, or belong in the column beside.
    pub(super) fn number_and_words(
        &mut self,
        row: usize,
        place: usize,
        text: &str,
        subject: &str,
        span: Span,
    ) -> Option<Diagnostic> {
        let (number, words) = cell::number_and_words(text)?;
        let (_, name, kind) = &self.columns[place];
        let fits = |cells: &Self, value: &str| {
            let validator = cells.validators.get(name.as_str());
            validator.is_some_and(|validator| validator.is_valid(&from_text(value, *kind)))
        };
        let same = |other: &str| {
            let (one, other) = (words.trim_end_matches('.').to_lowercase(), other.to_lowercase());
            one == other || format!("{one}s") == other
        };
        let names = self.labels.get(name.as_str()).into_iter().flatten().copied();
        if names.chain([name.as_str()]).any(same) && fits(self, number) {
            let what = "a number with what the column counts behind it";
            return Some(cell::explain_needless(number, text, what, subject, span));
        }
        let (beside, other, other_kind) = self.columns.get(place + 1)?;
        let held = self.table.get(row, *beside).and_then(|datum| datum.value.text());
        match held {
            Some(held) if held == words && fits(self, number) => {
                let what = "a number with the text of the next column behind it";
                Some(cell::explain_needless(number, text, what, subject, span))
            }
            None => {
                self.prepare(other);
                self.suits(other, *other_kind, words)
                    .then(|| cell::explain_spilled(number, words, subject, other, name, span))
            }
            Some(_) => None,
        }
    }

    /// Why an item of a list does not fit, if a program or a habit of typists explains it. Only lists of counts have a form.
    pub(in crate::schema) fn explain_item(
        &mut self,
        row: usize,
        field: &str,
        item: usize,
        subject: &str,
    ) -> Option<Diagnostic> {
        let (index, name, kind) = self.columns.iter().find(|(_, name, _)| name == field)?;
        let datum = self.table.get(row, *index)?;
        let items = items(datum.value.text()?);
        let text = *items.get(item)?;
        self.prepare(name);
        let validator = self.validators.get(name.as_str())?;
        let accepts = |value: &str| validator.is_valid(&from_text(value, *kind));
        cell::explain_count(text, subject, datum.span, &accepts, &|value| {
            joined(&items, item, value)
        })
    }
}

/// The items of a list in a cell.
pub(super) fn items(text: &str) -> Vec<&str> {
    let items = text.split('|').map(str::trim);
    items.filter(|item| !item.is_empty()).collect()
}

/// A list in a cell with another text in the place of one of its items, which is left out where the text is empty.
pub(super) fn joined(items: &[&str], item: usize, text: &str) -> String {
    let mut items = items.to_vec();
    items[item] = text;
    items.retain(|item| !item.is_empty());
    items.join("|")
}
