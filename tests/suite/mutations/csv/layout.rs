//! Damage to the layout of tables: what stands around and between their records.

use super::{partly, records, row, sure, typo};
use crate::mutations::Mutation;

pub(super) fn all() -> Vec<Mutation> {
    vec![
        sure("a title above the header", |files, random| {
            let mut table = records(files, random)?;
            table.rows.insert(0, vec!["Order of battle".into()]);
            Some(table.mutant(0, "title".into()))
        }),
        sure("the header again in the middle", |files, random| {
            let mut table = records(files, random)?;
            let row = row(&table, random);
            table.rows.insert(row, table.rows[0].clone());
            Some(table.mutant(row, "header".into()))
        }),
        sure("a heading above a group of rows", |files, random| {
            let mut table = records(files, random)?;
            let row = row(&table, random);
            let mut heading = vec![String::new(); table.rows[0].len()];
            heading[0] = "THE OTHERS".into();
            table.rows.insert(row, heading);
            Some(table.mutant(row, "heading".into()))
        }),
        sure("a row of totals at the end", |files, random| {
            let mut table = records(files, random)?;
            let mut totals = vec![String::new(); table.rows[0].len()];
            totals[0] = "Total".into();
            *totals.last_mut()? = "99".into();
            table.rows.push(totals);
            Some(table.mutant(table.rows.len() - 1, "totals".into()))
        }),
        sure("empty columns and rows at the end", |files, random| {
            let mut table = records(files, random)?;
            for row in &mut table.rows {
                row.extend([String::new(), String::new()]);
            }
            let mut mutant = table.mutant(0, "empty".into());
            mutant.bytes.extend(b",,,,\n,,,,\n,,,,\n");
            mutant.lines = (1, u32::MAX);
            Some(mutant)
        }),
        partly(
            "a typo in the header",
            80,
            "overlays apply before the columns are judged: where an erratum needs the column, it is the erratum that is told",
            |files, random| {
                let mut table = records(files, random)?;
                let column = random.below(table.rows[0].len());
                let now = typo(&table.rows[0][column], random);
                let what = format!("{:?} → {now:?}", table.rows[0][column]);
                table.rows[0][column] = now;
                Some(table.mutant(0, what))
            },
        ),
        sure("a header in capitals", |files, random| {
            let mut table = records(files, random)?;
            let column = random.below(table.rows[0].len());
            table.rows[0][column] = table.rows[0][column].to_uppercase();
            Some(table.mutant(0, table.rows[0][column].clone()))
        }),
        sure("a header twice", |files, random| {
            let mut table = records(files, random)?;
            let (from, to) = (
                random.below(table.rows[0].len()),
                random.below(table.rows[0].len()),
            );
            if from == to {
                return None;
            }
            table.rows[0][to] = table.rows[0][from].clone();
            Some(table.mutant(0, table.rows[0][to].clone()))
        }),
        partly(
            "two headers swapped",
            70,
            "two columns of free text (a name and a remark, two sources), or of numbers within one range, read as well one \
             way as the other",
            |files, random| {
                let mut table = records(files, random)?;
                let (from, to) = (
                    random.below(table.rows[0].len()),
                    random.below(table.rows[0].len()),
                );
                if from == to {
                    return None;
                }
                table.rows[0].swap(from, to);
                let what = format!("{} and {}", table.rows[0][from], table.rows[0][to]);
                let mut mutant = table.mutant(0, what);
                // Either the header is told or the values that stand in the wrong column.
                mutant.lines = (1, u32::MAX);
                Some(mutant)
            },
        ),
        sure("the columns in another order", |files, random| {
            let mut table = records(files, random)?;
            for row in &mut table.rows {
                row.reverse();
            }
            let mut mutant = table.mutant(0, "reversed".into());
            mutant.lines = (1, u32::MAX);
            Some(mutant)
        }),
    ]
}
