//! Charts: lookup tables with typed axes and cells.

use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::{AxisDef, AxisType, CellType, Game};
use crate::model::{Chart, Label, Model, Scalar};
use crate::read::csv::{Header, TEXT_BELOW_TABLE};
use crate::record::Table;
use crate::source::Span;
use crate::suggest;

/// The rules of this stage.
pub static RULES: &[&Rule] = &[&BAD_CHART, &UNKNOWN_CHART_LABEL, &LOST_CELL];

static BAD_CHART: Rule = Rule {
    code: "bad-chart",
    severity: Severity::Error,
    summary: "a chart is ragged, overlaps, or has a cell that is not what its cells are",
    explanation: "A chart's CSV file has the row labels in its first column and the column labels in its header. Ranges \
                  (`3`, `4-11`, `21+`) must ascend without gap or overlap, every cell must be filled (`-` where the chart \
                  says that there is nothing), and cells must have the declared type.

Wrong:

```toml + oob/demo/game.toml
[[tables]]
id = \"fire\"
title = \"Fire\"
file = \"fire.csv\"
source = \"the chart\"
rows = { name = \"die\", type = \"range\" }
columns = { name = \"range\", type = \"text\" }
cells = { type = \"integer\" }
```

```csv oob/demo/fire.csv
die,near,far
1-3,1,0
5-6,2,1
```

Right:

```toml + oob/demo/game.toml
[[tables]]
id = \"fire\"
title = \"Fire\"
file = \"fire.csv\"
source = \"the chart\"
rows = { name = \"die\", type = \"range\" }
columns = { name = \"range\", type = \"text\" }
cells = { type = \"integer\" }
```

```csv oob/demo/fire.csv
die,near,far
1-3,1,0
4-6,2,1
```
",
};

static UNKNOWN_CHART_LABEL: Rule = Rule {
    code: "unknown-chart-label",
    severity: Severity::Error,
    summary: "a chart has a row or column for something that does not exist",
    explanation: "The axis is declared to list the ids of a table, such as the weapons, and one of its labels is none of \
                  them; or it is called as an attribute with `choices`, and one of its labels is nearly one of them. Either \
                  the label is misspelt, or the table lacks an entry.

Wrong:

```toml + oob/demo/game.toml
[[tables]]
id = \"fire\"
title = \"Fire\"
file = \"fire.csv\"
source = \"the chart\"
rows = { name = \"weapon\", type = \"text\", table = \"weapons\" }
columns = { name = \"range\", type = \"text\" }
cells = { type = \"integer\" }
```

```csv oob/demo/fire.csv
weapon,near,far
M,2,1
R,3,2
```

Right:

```toml + oob/demo/game.toml
[[tables]]
id = \"fire\"
title = \"Fire\"
file = \"fire.csv\"
source = \"the chart\"
rows = { name = \"weapon\", type = \"text\", table = \"weapons\" }
columns = { name = \"range\", type = \"text\" }
cells = { type = \"integer\" }
```

```csv oob/demo/fire.csv
weapon,near,far
R,3,2
```
",
};

static LOST_CELL: Rule = Rule {
    code: "lost-cell",
    severity: Severity::Note,
    summary: "cells of a chart are unknown because the source has lost them",
    explanation: "A cell of a chart's CSV file is `?`: the source that was transcribed does not show what is printed there. \
                  It is unknown in the pack and on the sheets; who owns a better copy of the source fills the cell.

Wrong:

```toml + oob/demo/game.toml

[[tables]]
id = \"fire\"
title = \"Fire\"
file = \"tables/fire.csv\"
source = \"made up\"
rows = { name = \"roll\", type = \"range\" }
columns = { name = \"weapon\", type = \"text\" }
cells = { type = \"integer\" }
```

```csv oob/demo/tables/fire.csv
roll,R,M
1-3,0,1
4-6,?,2
```

Right:

```toml + oob/demo/game.toml

[[tables]]
id = \"fire\"
title = \"Fire\"
file = \"tables/fire.csv\"
source = \"made up\"
rows = { name = \"roll\", type = \"range\" }
columns = { name = \"weapon\", type = \"text\" }
cells = { type = \"integer\" }
```

```csv oob/demo/tables/fire.csv
roll,R,M
1-3,0,1
4-6,1,2
```

",
};

/// What the chart has in a cell where there is nothing.
const NOTHING: &str = "-";

/// Reads the chart that a definition describes from its table.
pub fn read(
    game: &Game,
    definition: usize,
    table: &Table,
    headers: &[Header],
    model: &Model,
    sink: &mut Sink,
) -> Chart {
    let chart = &game.tables[definition];
    let mut columns = Vec::new();
    for (index, name) in table.columns().iter().enumerate().skip(1) {
        let span = headers.iter().find(|header| header.name == *name).map_or_else(
            || game.span(&format!("/tables/{definition}")),
            |header| header.span,
        );
        columns.push((index, label(name, &chart.columns, span, model, sink), span));
    }
    in_order(
        &columns
            .iter()
            .map(|(_, label, span)| (label.clone(), *span))
            .collect::<Vec<_>>(),
        sink,
    );
    let mut rows = Vec::new();
    let mut cells = Vec::new();
    let mut lost = Vec::new();
    // A remark below the chart is one cell that is no label.
    let alone = |row: usize| (1..table.columns().len()).all(|column| table.get(row, column).is_none());
    let is_label = |row: usize| {
        let text = table.get(row, 0).map(|datum| datum.value.to_cell());
        text.is_some_and(|text| may_be(&text, &chart.rows, model))
    };
    let all: Vec<usize> = table.rows().collect();
    let below = all
        .iter()
        .rev()
        .take_while(|row| alone(**row) && !is_label(**row))
        .count();
    let (all, below) = all.split_at(all.len() - below);
    tell_below(&chart.id, table, below, sink);
    for row in all.iter().copied() {
        let span = table
            .get(row, 0)
            .map_or_else(|| table.row_span(row), |datum| datum.span);
        let text = table
            .get(row, 0)
            .map(|datum| datum.value.to_cell())
            .unwrap_or_default();
        let mut own = Sink::default();
        rows.push((label(&text, &chart.rows, span, model, &mut own), span));
        let is_wrong = own.has_errors();
        sink.append(own);
        if is_wrong {
            // What stands in its cells is said of nothing.
            cells.push(vec![None; columns.len()]);
            continue;
        }
        let mut line = Vec::new();
        for (number, (column, _, _)) in columns.iter().enumerate() {
            if let Some(datum) = table.get(row, *column)
                && datum.value.is_unknown()
            {
                lost.push((cells.len(), number, datum.span));
            }
            line.push(cell(game, definition, table, row, *column, &text, sink));
        }
        cells.push(line);
    }
    in_order(&rows, sink);
    tell_lost(&chart.id, &lost, sink);
    unknown_choices(game, &chart.rows, &rows, sink);
    let heads: Vec<(Label, Span)> = columns
        .iter()
        .map(|(_, label, span)| (label.clone(), *span))
        .collect();
    unknown_choices(game, &chart.columns, &heads, sink);
    for (index, (label, span)) in rows.iter().enumerate() {
        if let Some((_, first)) = rows[..index].iter().find(|(other, _)| other == label) {
            sink.push(
                Diagnostic::new(
                    &BAD_CHART,
                    *span,
                    format!("the chart has two rows for `{}`", show(label)),
                )
                .note("the second")
                .label(*first, "the first")
                .help("remove one of them, or correct its label"),
            );
        }
    }
    Chart {
        definition,
        rows,
        columns: columns
            .into_iter()
            .map(|(_, label, span)| (label, span))
            .collect(),
        cells,
        lost: lost.into_iter().map(|(row, column, _)| (row, column)).collect(),
    }
}

/// Whether a text can be the label of a row.
fn may_be(text: &str, axis: &AxisDef, model: &Model) -> bool {
    match axis.kind {
        AxisType::Range => range(text).is_some(),
        AxisType::Text => match axis.table.as_deref().and_then(|table| model.ids(table)) {
            Some(ids) => ids.contains(&text),
            // Any word may be a label, but not a sentence.
            None => !text.starts_with(['*', '†', '‡']) && text.split_whitespace().count() < 4,
        },
    }
}

/// Says of rows below a chart that they are not read.
fn tell_below(chart: &str, table: &Table, rows: &[usize], sink: &mut Sink) {
    let Some((first, others)) = rows.split_first() else {
        return;
    };
    let mut found = Diagnostic::new(
        &TEXT_BELOW_TABLE,
        table.row_span(*first),
        match others.len() {
            0 => format!("1 row below the chart `{chart}` is not read"),
            more => format!("{} rows below the chart `{chart}` are not read", more + 1),
        },
    )
    .note("a remark?")
    .help("remove what stands below the chart");
    for row in others.iter().take(4) {
        found = found.label(table.row_span(*row), "and this one");
    }
    sink.push(found);
}

/// Says of all lost cells of a chart at once that they are lost.
fn tell_lost(chart: &str, lost: &[(usize, usize, Span)], sink: &mut Sink) {
    let Some((_, _, first)) = lost.first() else {
        return;
    };
    let count = match lost.len() {
        1 => "one cell".to_owned(),
        count => format!("{count} cells"),
    };
    let mut diagnostic = Diagnostic::new(
        &LOST_CELL,
        *first,
        format!("{count} of the chart `{chart}` are unknown: the source has lost what is printed there"),
    )
    .note("unknown")
    .help("fill in what a better copy of the source shows");
    if lost.len() == 1 {
        diagnostic.message = diagnostic.message.replace(" are unknown", " is unknown");
    }
    for (_, _, span) in lost.iter().skip(1).take(4) {
        diagnostic = diagnostic.label(*span, "unknown");
    }
    sink.push(diagnostic);
}

fn label(text: &str, axis: &AxisDef, span: Span, model: &Model, sink: &mut Sink) -> Label {
    match axis.kind {
        AxisType::Text => {
            let table = axis.table.as_deref().unwrap_or_default();
            if let Some(ids) = model.ids(table)
                && !ids.contains(&text)
            {
                sink.push(
                    Diagnostic::new(
                        &UNKNOWN_CHART_LABEL,
                        span,
                        format!("the chart lists `{text}`, which is not in `{table}`"),
                    )
                    .note("no such record")
                    .help(format!("`{table}` has {}", suggest::quoted(&ids))),
                );
            }
            Label::Text(text.to_owned())
        }
        AxisType::Range => range(text).unwrap_or_else(|| {
            let subject = format!("`{}` of the chart", axis.name);
            let accepts = |text: &str| match range(text) {
                Some(Label::Range { from, to }) => to.is_none_or(|to| from <= to),
                _ => false,
            };
            let damaged = crate::cell::explain(
                text,
                crate::cell::Wanted::Word,
                &subject,
                span,
                &accepts,
                std::iter::empty(),
            );
            if let Some(found) = damaged {
                sink.push(found);
                return Label::Text(text.to_owned());
            }
            sink.push(
                Diagnostic::new(
                    &BAD_CHART,
                    span,
                    format!("`{text}` is no number or range of numbers"),
                )
                .note(format!("not a {}", axis.name))
                .help("write `3`, `4-11` or `21+`"),
            );
            Label::Text(text.to_owned())
        }),
    }
}

/// Reports the labels of an axis that is called as an attribute with choices, and are nearly one of them which the axis
/// lacks: a record whose value is that choice would find nothing in the chart. Other labels may stand besides.
fn unknown_choices(game: &Game, axis: &AxisDef, labels: &[(Label, Span)], sink: &mut Sink) {
    if axis.table.is_some() || axis.kind != AxisType::Text {
        return;
    }
    let attributes = game
        .attributes
        .iter()
        .filter(|attribute| attribute.name == axis.name);
    let choices: Vec<&str> = attributes
        .flat_map(|attribute| attribute.choices.iter().map(String::as_str))
        .collect();
    let texts: Vec<&str> = labels
        .iter()
        .filter_map(|(label, _)| match label {
            Label::Text(text) => Some(text.as_str()),
            Label::Range { .. } => None,
        })
        .collect();
    let lacking: Vec<&str> = choices
        .iter()
        .copied()
        .filter(|choice| !texts.contains(choice))
        .collect();
    for (label, span) in labels {
        let Label::Text(text) = label else {
            continue;
        };
        if choices.contains(&text.as_str()) {
            continue;
        }
        if let Some(near) = suggest::closest(text, lacking.iter().copied()) {
            sink.push(
                Diagnostic::new(
                    &UNKNOWN_CHART_LABEL,
                    *span,
                    format!(
                        "the chart lists `{text}`, which is no `{}`, and lacks `{near}`",
                        axis.name
                    ),
                )
                .note("not one of the choices")
                .help(format!("did you mean `{near}`?")),
            );
        }
    }
}

fn range(text: &str) -> Option<Label> {
    if let Some(from) = text.strip_suffix('+') {
        return Some(Label::Range {
            from: from.trim().parse().ok()?,
            to: None,
        });
    }
    if let Ok(number) = text.parse() {
        return Some(Label::Range {
            from: number,
            to: Some(number),
        });
    }
    let (from, to) = text.split_once('-')?;
    Some(Label::Range {
        from: from.trim().parse().ok()?,
        to: Some(to.trim().parse().ok()?),
    })
}

/// Ranges must ascend without gap or overlap.
fn in_order(labels: &[(Label, Span)], sink: &mut Sink) {
    for pair in labels.windows(2) {
        let [
            (Label::Range { to, .. }, first),
            (Label::Range { from, .. }, second),
        ] = pair
        else {
            continue;
        };
        let problem = match to {
            None => Some((
                "comes after a range without end",
                "give the range before it an end".to_owned(),
            )),
            Some(to) if from <= to => Some((
                "overlaps the range before it",
                format!("let it begin at {}", to + 1),
            )),
            Some(to) if *from > to + 1 => Some((
                "leaves a gap after the range before it",
                format!("let it begin at {}, or add what lies between", to + 1),
            )),
            _ => None,
        };
        if let Some((problem, help)) = problem {
            sink.push(
                Diagnostic::new(
                    &BAD_CHART,
                    *second,
                    format!("the range `{}` {problem}", show(&pair[1].0)),
                )
                .note("this range")
                .label(*first, "the range before it")
                .help(help),
            );
        }
    }
}

fn cell(
    game: &Game,
    definition: usize,
    table: &Table,
    row: usize,
    column: usize,
    row_label: &str,
    sink: &mut Sink,
) -> Option<Scalar> {
    let chart = &game.tables[definition];
    let name = &table.columns()[column];
    let Some(datum) = table.get(row, column) else {
        sink.push(
            Diagnostic::new(
                &BAD_CHART,
                table.row_span(row),
                format!("the chart `{}` has no cell for `{row_label}` at `{name}`", chart.id),
            )
            .note(format!("`{name}` is empty"))
            .help("fill the cell, write `-` if the chart says that there is nothing, or `?` if the source has lost it"),
        );
        return None;
    };
    let text = datum.value.to_cell();
    if text == NOTHING || datum.value.is_unknown() {
        return None;
    }
    let read = |text: &str| match chart.cells.kind {
        CellType::Integer => text.parse().ok().map(Scalar::Integer),
        CellType::Multiplier => multiplier(text),
        CellType::Text => {
            let allowed =
                chart.cells.choices.is_empty() || chart.cells.choices.iter().any(|choice| choice == text);
            allowed.then(|| Scalar::Text(text.to_owned()))
        }
    };
    let value = read(&text);
    if value.is_none() {
        let (expected, wanted) = match chart.cells.kind {
            CellType::Integer => (crate::cell::Wanted::Integer, "a whole number".to_owned()),
            CellType::Multiplier => (
                crate::cell::Wanted::Word,
                "a factor such as `2x` or `½x`".to_owned(),
            ),
            CellType::Text => (
                crate::cell::Wanted::Word,
                format!("one of {}", chart.cells.choices.join(", ")),
            ),
        };
        if crate::cell::is_written_nothing(&text) {
            sink.push(
                Diagnostic::new(
                    &BAD_CHART,
                    datum.span,
                    format!("`{text}` in the chart `{}` is not {wanted}", chart.id),
                )
                .note("nothing, written out")
                .help("write `-` if the chart says that there is nothing, or `?` if the source has lost it"),
            );
            return None;
        }
        let accepts = |text: &str| read(text).is_some();
        let subject = format!("a cell of the chart `{}`", chart.id);
        if let Some(found) = crate::cell::explain(
            &text,
            expected,
            &subject,
            datum.span,
            &accepts,
            std::iter::empty(),
        ) {
            sink.push(found);
            return None;
        }
        sink.push(
            Diagnostic::new(
                &BAD_CHART,
                datum.span,
                format!("`{text}` in the chart `{}` is not {wanted}", chart.id),
            )
            .note("in this cell")
            .help("correct it; `-` stands where the chart says that there is nothing, `?` where the source has lost it"),
        );
    }
    value
}

/// A factor in halves and quarters: `2x`, `½x`, `1½x`.
fn multiplier(text: &str) -> Option<Scalar> {
    let text = text.strip_suffix(['x', 'X', '×'])?.trim();
    let (whole, part) = match text.char_indices().find(|(_, c)| !c.is_ascii_digit()) {
        None => (text, 0.0),
        Some((at, '½')) if at + '½'.len_utf8() == text.len() => (&text[..at], 0.5),
        Some((at, '¼')) if at + '¼'.len_utf8() == text.len() => (&text[..at], 0.25),
        Some((at, '¾')) if at + '¾'.len_utf8() == text.len() => (&text[..at], 0.75),
        Some(_) => return None,
    };
    if whole.is_empty() && part == 0.0 {
        return None;
    }
    let whole: f64 = if whole.is_empty() {
        0.0
    } else {
        whole.parse().ok()?
    };
    let value = whole + part;
    Some(if value.fract() == 0.0 {
        Scalar::Integer(value as i64)
    } else {
        Scalar::Number(value)
    })
}

/// A label as it is written.
pub fn show(label: &Label) -> String {
    match label {
        Label::Text(text) => text.clone(),
        Label::Range { from, to: None } => format!("{from}+"),
        Label::Range { from, to: Some(to) } if from == to => from.to_string(),
        Label::Range { from, to: Some(to) } => format!("{from}-{to}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_read_exactly() {
        assert_eq!(multiplier("2x"), Some(Scalar::Integer(2)));
        assert_eq!(multiplier("½x"), Some(Scalar::Number(0.5)));
        assert_eq!(multiplier("1½x"), Some(Scalar::Number(1.5)));
        for bad in ["x", "2", "½½x", "a x", ""] {
            assert_eq!(multiplier(bad), None, "{bad}");
        }
    }

    #[test]
    fn ranges_are_read() {
        assert_eq!(range("3"), Some(Label::Range { from: 3, to: Some(3) }));
        assert_eq!(
            range("4-11"),
            Some(Label::Range {
                from: 4,
                to: Some(11)
            })
        );
        assert_eq!(range("21+"), Some(Label::Range { from: 21, to: None }));
        assert_eq!(range("R"), None);
    }
}
