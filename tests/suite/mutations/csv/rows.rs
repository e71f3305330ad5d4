//! Damage to the rows of tables: lost, doubled, moved, cut or swallowed.

use super::{any, cell, partly, records, row, sure};
use crate::mutations::Mutation;

pub(super) fn all() -> Vec<Mutation> {
    vec![
        partly(
            "a row deleted",
            60,
            "nobody but the row itself may know of a unit, leader or remark: what no total, scenario, erratum or command \
             names can be lost without a trace",
            |files, random| {
                let mut table = records(files, random)?;
                let row = row(&table, random);
                let names = table.names(row);
                let gone = table.rows.remove(row);
                let row = row.min(table.rows.len() - 1);
                let mut mutant = table.mutant(row, gone.join(","));
                mutant.names = names;
                Some(mutant)
            },
        ),
        partly(
            "a row doubled",
            95,
            "a table whose rows are not told apart by a key (such as markers without a count) may hold one twice",
            |files, random| {
                let mut table = records(files, random)?;
                let row = row(&table, random);
                table.rows.insert(row, table.rows[row].clone());
                let mut mutant = table.mutant(row + 1, table.rows[row].join(","));
                mutant.lines.0 = table.line(row);
                Some(mutant)
            },
        ),
        sure("two rows swapped", |files, random| {
            let mut table = records(files, random)?;
            // Their order means something only in schedules and where no column says it.
            if table.columns(&["order"]).is_empty() && table.columns(&["formation"]).is_empty() {
                return None;
            }
            let (from, to) = (row(&table, random), row(&table, random));
            table.rows.swap(from, to);
            let mut mutant = table.mutant(from, "swapped".into());
            mutant.lines = (1, u32::MAX);
            Some(mutant)
        }),
        partly(
            "a cell deleted",
            95,
            "where all the cells behind it are empty, only the last one is lost",
            |files, random| {
                let mut table = records(files, random)?;
                let row = row(&table, random);
                let column = random.below(table.rows[row].len());
                let names = table.names(row);
                let gone = table.rows[row].remove(column);
                let mut mutant = table.mutant(row, format!("{gone:?}"));
                mutant.names.extend(names);
                Some(mutant)
            },
        ),
        partly(
            "a comma too many",
            95,
            "where all the cells behind it are empty, nothing moves",
            |files, random| {
                let mut table = records(files, random)?;
                let row = row(&table, random);
                let column = random.below(table.rows[row].len());
                let names = table.names(row);
                table.rows[row].insert(column, String::new());
                let mut mutant = table.mutant(row, format!("before cell {}", column + 1));
                mutant.names.extend(names);
                Some(mutant)
            },
        ),
        partly(
            "two cells of a row swapped",
            85,
            "two texts, or two numbers within one range, may be either",
            |files, random| {
                let mut table = records(files, random)?;
                let row = row(&table, random);
                let width = table.rows[row].len();
                let (from, to) = (random.below(width), random.below(width));
                if table.rows[row][from] == table.rows[row][to] {
                    return None;
                }
                let names = table.names(row);
                let what = format!("{:?} and {:?}", table.rows[row][from], table.rows[row][to]);
                table.rows[row].swap(from, to);
                let mut mutant = table.mutant(row, what);
                mutant.names.extend(names);
                Some(mutant)
            },
        ),
        sure("a quote dropped", |files, random| {
            let mut table = any(files, random)?;
            let places: Vec<(usize, usize)> = table
                .rows
                .iter()
                .enumerate()
                .flat_map(|(row, cells)| (0..cells.len()).map(move |column| (row, column)))
                .filter(|(row, column)| table.rows[*row][*column].starts_with('"'))
                .collect();
            let (row, column) = *random.pick(&places)?;
            let lines = table.lines(row);
            let what = table.rows[row][column].clone();
            if random.below(2) == 0 {
                table.rows[row][column].remove(0);
            } else {
                table.rows[row][column].pop();
            }
            let mut mutant = table.mutant(row, what);
            mutant.lines = lines;
            Some(mutant)
        }),
        sure("a quote opened", |files, random| {
            let mut table = any(files, random)?;
            let row = row(&table, random);
            let column = random.below(table.rows[row].len());
            if table.rows[row][column].contains('"') {
                return None;
            }
            table.rows[row][column].insert(0, '"');
            Some(table.mutant(row, table.rows[row][column].clone()))
        }),
        sure("a quote inside a cell", |files, random| {
            let (mut table, row, column, text) =
                cell(files, random, &["name", "note", "source", "abbr"], |text| {
                    text.is_ascii()
                })?;
            table.rows[row][column].insert(text.len() / 2, '"');
            Some(table.mutant(row, table.rows[row][column].clone()))
        }),
    ]
}
