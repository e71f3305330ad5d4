//! The functions of expressions, beyond those of the template language.

use std::collections::BTreeMap;
use std::sync::Arc;

use minijinja::value::{Rest, ValueKind};
use minijinja::{Environment, Error, ErrorKind, Value};

use crate::game::{Game, Type};
use crate::model::{Label, Model, Scalar};

/// The names of the functions that expressions have: those added here.
pub(super) const NAMES: [&str; 5] = ["lookup", "total", "product", "at_least", "place_of"];

/// A chart as `lookup` searches it.
struct Searched {
    rows: Vec<Label>,
    columns: Vec<Label>,
    cells: Vec<Vec<Value>>,
}

/// Adds the functions to an environment.
pub(super) fn add(environment: &mut Environment<'static>, game: &Game, model: &Model) {
    let charts = Arc::new(charts(game, model));
    environment.add_function("lookup", move |table: String, row: Value, column: Value| {
        lookup(&charts, &table, &row, &column)
    });
    environment.add_function("total", |numbers: Rest<Value>| {
        fold(&numbers, 0, i64::checked_add)
    });
    environment.add_function("product", |numbers: Rest<Value>| {
        fold(&numbers, 1, i64::checked_mul)
    });
    environment.add_function("at_least", |number: Value, least: i64| -> Result<Value, Error> {
        if is_nothing(&number) {
            return Ok(Value::from(()));
        }
        Ok(whole(&number)?.max(least).into())
    });
    let choices: BTreeMap<String, Vec<String>> = game
        .attributes
        .iter()
        .filter(|attribute| attribute.kind == Type::Choice && !attribute.choices.is_empty())
        .map(|attribute| (attribute.name.clone(), attribute.choices.clone()))
        .collect();
    environment.add_function("place_of", move |attribute: String, value: Value| {
        place_of(&choices, &attribute, &value)
    });
}

fn charts(game: &Game, model: &Model) -> BTreeMap<String, Searched> {
    model
        .charts
        .iter()
        .map(|chart| {
            let value = |cell: &Option<Scalar>| match cell {
                Some(Scalar::Integer(number)) => Value::from(*number),
                Some(Scalar::Number(number)) => Value::from(*number),
                Some(Scalar::Text(text)) => Value::from(text.as_str()),
                None => Value::from(()),
            };
            let searched = Searched {
                rows: chart.rows.iter().map(|(label, _)| label.clone()).collect(),
                columns: chart.columns.iter().map(|(label, _)| label.clone()).collect(),
                cells: chart
                    .cells
                    .iter()
                    .map(|row| row.iter().map(value).collect())
                    .collect(),
            };
            (game.tables[chart.definition].id.clone(), searched)
        })
        .collect()
}

/// The cell of a chart. None where there is nothing in it, where the row is not in the chart, or where it is asked for
/// something that is not known; an unknown chart or column is a slip of the expression and an error.
fn lookup(
    charts: &BTreeMap<String, Searched>,
    table: &str,
    row: &Value,
    column: &Value,
) -> Result<Value, Error> {
    let Some(chart) = charts.get(table) else {
        let known: Vec<&str> = charts.keys().map(String::as_str).collect();
        return Err(mistake(format!(
            "there is no table `{table}`; `game.toml` declares {}",
            crate::suggest::quoted(&known)
        )));
    };
    if is_nothing(row) || is_nothing(column) {
        return Ok(Value::from(()));
    }
    let Some(at) = position(&chart.columns, column) else {
        return Err(mistake(format!("the table `{table}` has no column `{column}`")));
    };
    Ok(position(&chart.rows, row).map_or(Value::from(()), |row| chart.cells[row][at].clone()))
}

fn position(labels: &[Label], wanted: &Value) -> Option<usize> {
    let number = i64::try_from(wanted.clone()).ok();
    labels.iter().position(|label| match label {
        Label::Text(text) => wanted.as_str() == Some(text) || wanted.to_string() == *text,
        Label::Range { from, to } => {
            number.is_some_and(|number| *from <= number && to.is_none_or(|to| number <= to))
        }
    })
}

fn fold(numbers: &[Value], start: i64, step: fn(i64, i64) -> Option<i64>) -> Result<Value, Error> {
    let mut result = start;
    for number in numbers {
        if is_nothing(number) {
            return Ok(Value::from(()));
        }
        result = step(result, whole(number)?).ok_or_else(|| mistake("the numbers are too large".into()))?;
    }
    Ok(result.into())
}

fn place_of(choices: &BTreeMap<String, Vec<String>>, attribute: &str, value: &Value) -> Result<Value, Error> {
    let Some(choices) = choices.get(attribute) else {
        return Err(mistake(format!(
            "no attribute `{attribute}` with choices is declared"
        )));
    };
    let place = choices.iter().position(|choice| value.as_str() == Some(choice));
    Ok(place.map_or(Value::from(()), |place| Value::from(place as i64 + 1)))
}

fn is_nothing(value: &Value) -> bool {
    matches!(value.kind(), ValueKind::None | ValueKind::Undefined)
}

fn whole(value: &Value) -> Result<i64, Error> {
    i64::try_from(value.clone()).map_err(|_| mistake(format!("`{value}` is no whole number")))
}

fn mistake(message: String) -> Error {
    Error::new(ErrorKind::InvalidOperation, message)
}
