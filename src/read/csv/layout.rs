//! The header, understood, and what becomes of the cells below it.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::Header;
use super::header::Names;
use super::rules::{COLUMN_SPELLING, DUPLICATE_COLUMN, SPLIT_HEADER, UNNAMED_COLUMN};
use super::source::Source;
use super::walk::{Cell, Walk, extent};
use crate::cell::{unseen, unseen_place};
use crate::diagnostic::{Diagnostic, Sink};
use crate::read::{is_invisible, shown};
use crate::record::{Table, Value};
use crate::source::Span;

/// So many findings of one kind in one file have one cause.
pub(super) const MOST_TOLD: usize = 4;
/// At most so many further places are shown of what is told at once.
const SHOWN_PLACES: usize = 12;

/// What becomes of a column.
pub(super) enum Column {
    Read(usize),
    /// Its name stands twice.
    Skipped,
    Unnamed {
        span: Span,
        reported: bool,
    },
}

/// The header, understood.
pub(super) struct Layout {
    pub(super) span: Span,
    pub(super) columns: Vec<Column>,
    pub(super) headers: Vec<Header>,
    /// The header's cells as typed, to recognise a repetition.
    pub(super) typed: Vec<String>,
}

impl Layout {
    pub(super) fn new(
        source: &Source<'_>,
        cells: &[Cell],
        above: &[(Range<usize>, String)],
        names: &Names<'_>,
        table: &mut Table,
        sink: &mut Sink,
    ) -> Self {
        let mut layout = Layout {
            span: source.span(extent(cells)),
            columns: Vec::new(),
            headers: Vec::new(),
            typed: Vec::new(),
        };
        // Where each name stands, and how it is written.
        let mut places: HashMap<String, (Span, &str)> = HashMap::new();
        let mut spelled: Vec<(&str, Diagnostic)> = Vec::new();
        let mut twice: HashSet<&str> = HashSet::new();
        let mut lent: Vec<Range<usize>> = Vec::new();
        // Columns that are aligned with blanks are meant to have them.
        let padded = cells
            .iter()
            .filter(|cell| source.text[cell.raw.clone()].ends_with([' ', '\t']));
        let aligned = padded.count() * 2 >= cells.len();
        for (index, cell) in cells.iter().enumerate() {
            let typed = match &cell.own {
                Some(own) => own.as_str(),
                None => &source.text[cell.content.clone()],
            };
            layout.typed.push(typed.to_owned());
            let span = source.span(cell.content.clone());
            let trimmed = typed.trim_matches(|c: char| c.is_whitespace() || is_invisible(c));
            if trimmed.is_empty()
                && let Some((place, typed)) = above.get(index)
                && let Some(name) = names.find(typed)
                && !places.contains_key(name)
            {
                lent.push(place.clone());
                let span = source.span(place.clone());
                places.insert(name.to_owned(), (span, name));
                layout.read_column(name, span, table);
                continue;
            }
            if trimmed.is_empty() && !(names.is_free() && index == 0) {
                layout.columns.push(Column::Unnamed {
                    span,
                    reported: false,
                });
                continue;
            }
            let name = names.find(typed).unwrap_or(trimmed);
            let raw = &source.text[cell.raw.clone()];
            if name != typed && names.find(typed).is_some() {
                spelled.push((name, misspelled(typed, name, span)));
            } else if !cell.quoted && !aligned && raw.ends_with([' ', '\t']) && names.find(typed).is_some() {
                // Blanks are harmless here, but not to other programs.
                spelled.push((name, misspelled(raw, name, source.span(cell.raw.clone()))));
            }
            // With the blanks that are no part of it.
            let written = if cell.quoted || aligned { typed } else { raw };
            if let Some((first, other)) = places.get(name) {
                twice.insert(name);
                let read_as = |written: &str| format!("{}, which is read as {}", shown(written), shown(name));
                let both = if *other == name && written == name {
                    String::new()
                } else if written == name {
                    format!(": {} and {}", shown(written), read_as(other))
                } else {
                    format!(": {} and {}", shown(other), read_as(written))
                };
                sink.push(
                    Diagnostic::new(
                        &DUPLICATE_COLUMN,
                        span,
                        format!(
                            "{} has the column {} twice{both}",
                            shown(source.path),
                            shown(name)
                        ),
                    )
                    .note("this column is not read")
                    .label(*first, "first here")
                    .help("rename or remove one of the two"),
                );
                layout.columns.push(Column::Skipped);
                continue;
            }
            places.insert(name.to_owned(), (span, written));
            layout.read_column(name, span, table);
        }
        // How a name is spelled that stands twice is no matter before one of the two has another.
        spelled.retain(|(name, _)| !twice.contains(name));
        let spelled = spelled.into_iter().map(|(_, found)| found).collect();
        tell_spelled(source, spelled, sink);
        layout.report_split(source, &lent, sink);
        layout
    }

    fn read_column(&mut self, name: &str, span: Span, table: &mut Table) {
        self.columns.push(Column::Read(table.add_column(name)));
        self.headers.push(Header {
            name: name.to_owned(),
            span,
        });
    }

    /// Reports names that stand in the row above or below the header.
    fn report_split(&self, source: &Source<'_>, lent: &[Range<usize>], sink: &mut Sink) {
        let Some((first, others)) = lent.split_first() else {
            return;
        };
        let mut found = Diagnostic::new(
            &SPLIT_HEADER,
            source.span(first.clone()),
            format!("the header of {} is spread over two rows", shown(source.path)),
        )
        .note("read as the name of its column")
        .label(self.span, "the header")
        .help("write all names in one row");
        for other in others {
            found = found.label(source.span(other.clone()), "and this one");
        }
        sink.push(found);
    }

    /// Whether the first row below the header goes on with it: names of columns and nothing else, some of them where the
    /// header has none. Then its names are taken over.
    pub(super) fn continues(
        &mut self,
        source: &Source<'_>,
        walk: &Walk<'_>,
        names: &Names<'_>,
        table: &mut Table,
        sink: &mut Sink,
    ) -> bool {
        if self.is_labels(walk, names) {
            let (start, end) = walk.extent();
            sink.push(
                Diagnostic::new(
                    &SPLIT_HEADER,
                    source.span(start..end),
                    format!(
                        "the row below the header of {} names the columns a second time",
                        shown(source.path)
                    ),
                )
                .note("not read as a record")
                .label(self.span, "the header")
                .help("remove this row: labels for readers are declared in `game.toml`"),
            );
            return true;
        }
        let mut lent = Vec::new();
        for (index, cell) in walk.cells.iter().enumerate() {
            if cell.content.is_empty() {
                continue;
            }
            let Some(name) = names.find(cell.text(walk)) else {
                return false;
            };
            let is_unnamed = matches!(self.columns.get(index), Some(Column::Unnamed { .. }) | None);
            if is_unnamed && !self.headers.iter().any(|header| header.name == name) {
                lent.push((index, name, cell.content.clone()));
            }
        }
        if lent.is_empty() {
            return false;
        }
        for (index, name, place) in &lent {
            while self.columns.len() <= *index {
                let span = source.span(place.start..place.start);
                self.columns.push(Column::Unnamed {
                    span,
                    reported: false,
                });
            }
            self.columns[*index] = Column::Read(table.add_column(name));
            self.headers.push(Header {
                name: (*name).to_owned(),
                span: source.span(place.clone()),
            });
        }
        let lent: Vec<Range<usize>> = lent.into_iter().map(|(_, _, place)| place).collect();
        self.report_split(source, &lent, sink);
        true
    }

    /// Whether most cells of a row are the names of their own columns, and none is a number: labels for readers.
    fn is_labels(&self, walk: &Walk<'_>, names: &Names<'_>) -> bool {
        let mut read = self.headers.iter();
        let own: Vec<Option<&str>> = self
            .columns
            .iter()
            .map(|column| match column {
                Column::Read(_) => read.next().map(|header| header.name.as_str()),
                _ => None,
            })
            .collect();
        let (mut filled, mut alike) = (0, 0);
        for (index, cell) in walk.cells.iter().enumerate() {
            let text = cell.text(walk);
            if text.is_empty() {
                continue;
            }
            if text.contains(|c: char| c.is_ascii_digit()) {
                return false;
            }
            filled += 1;
            let name = own.get(index).copied().flatten();
            alike += usize::from(name.is_some() && names.find(text) == name);
        }
        alike >= 3 && alike * 2 > filled
    }

    /// How many columns at the end have neither name nor values, and where.
    pub(super) fn empty_at_end(&self) -> Option<(usize, Range<usize>)> {
        let empty = self.columns.iter().rev().map_while(|column| match column {
            Column::Unnamed {
                span,
                reported: false,
            } => Some(*span),
            _ => None,
        });
        let spans: Vec<Span> = empty.collect();
        let (last, first) = (spans.first()?, spans.last()?);
        Some((spans.len(), first.start as usize..last.end as usize))
    }

    /// Whether a row is the header once more.
    pub(super) fn is_repeated(&self, text: &str, cells: &[Cell]) -> bool {
        let mut cells = cells.iter();
        self.typed.iter().all(|typed| {
            cells.next().is_some_and(|cell| match &cell.own {
                Some(own) => own.eq_ignore_ascii_case(typed),
                // The mark at the beginning of a file that was put behind another stands before its header.
                None => text[cell.content.clone()]
                    .trim_start_matches('\u{feff}')
                    .trim_matches('"')
                    .eq_ignore_ascii_case(typed),
            })
        }) && cells.all(|cell| cell.content.is_empty())
    }

    /// Puts a row's cells into the table.
    pub(super) fn fill(
        &mut self,
        source: &Source<'_>,
        walk: &Walk<'_>,
        row: usize,
        table: &mut Table,
        sink: &mut Sink,
    ) {
        for (column, cell) in self.columns.iter_mut().zip(&walk.cells) {
            if cell.content.is_empty() {
                // Nothing, but with a place at which it can be said that something is missing.
                if let Column::Read(column) = column {
                    table.set_slice(row, *column, cell.content.start, cell.content.end);
                }
                continue;
            }
            let span = source.span(cell.content.clone());
            match column {
                Column::Read(column) => match &cell.own {
                    None => table.set_slice(row, *column, cell.content.start, cell.content.end),
                    Some(own) => table.set_value(row, *column, Value::Text(own.as_str().into()), span, None),
                },
                Column::Skipped => {}
                Column::Unnamed { reported: true, .. } => {}
                Column::Unnamed {
                    span: header,
                    reported,
                } => {
                    *reported = true;
                    sink.push(
                        Diagnostic::new(
                            &UNNAMED_COLUMN,
                            *header,
                            format!("a column of {} has values but no name", shown(source.path)),
                        )
                        .note("no name here")
                        .label(span, "its first value")
                        .help("name the column in the header, or empty its cells"),
                    );
                }
            }
        }
    }
}

/// Reports names of columns that are spelled in another way: many of one file at once, because they have one cause.
fn tell_spelled(source: &Source<'_>, spelled: Vec<Diagnostic>, sink: &mut Sink) {
    if spelled.len() < MOST_TOLD {
        for found in spelled {
            sink.push(found);
        }
        return;
    }
    let count = spelled.len();
    let mut spelled = spelled.into_iter();
    let Some(mut all) = spelled.next() else { return };
    all.message = format!(
        "{count} columns of {} are spelled in another way than they are declared, the first of them: {}",
        shown(source.path),
        all.message.trim_start_matches("the column ")
    );
    all.help = Some("write the names as they are declared; `--fix` does it".into());
    for found in spelled {
        if let Some(span) = found.span
            && all.labels.len() < SHOWN_PLACES
        {
            let meant = found.fix.as_ref().map_or("", |fix| fix.replacement.as_str());
            all = all.label(span, format!("read as `{meant}`"));
        }
        all.further_fixes.extend(found.fix);
    }
    sink.push(all);
}

pub(super) fn misspelled(typed: &str, name: &str, span: Span) -> Diagnostic {
    let (visible, with) = match unseen_place(typed) {
        Some(place) => (
            unseen(typed).map_or(String::new(), |(_, plain)| plain),
            format!("with {place}"),
        ),
        None if typed.trim() == name => (name.to_owned(), "with blanks around it".to_owned()),
        None => (typed.to_owned(), String::new()),
    };
    let comma = if with.is_empty() {
        String::new()
    } else {
        format!(", {with},")
    };
    Diagnostic::new(
        &COLUMN_SPELLING,
        span,
        format!("the column {}{comma} is read as {}", shown(&visible), shown(name)),
    )
    .note(with)
    .help(format!("write {} in the header; `--fix` does it", shown(name)))
    .fix(span, name)
}
