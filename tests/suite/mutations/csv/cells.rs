//! Damage to the cells of tables: what typists and spreadsheets do to values.

use super::{CHOICES, NUMBERS, REFERENCES, anything, change, number, partly, records, row, sure, typo};
use crate::mutations::Mutation;

pub(super) fn all() -> Vec<Mutation> {
    vec![
        partly(
            "a typo in a reference",
            95,
            "the typo may be another record's name (`2/3/I` for `1/3/I`), and then only its consequences can be told",
            |files, random| change(files, random, REFERENCES, anything, typo),
        ),
        partly(
            "a unit moved to another formation",
            60,
            "both formations exist: only totals, names and scenarios that count on the right one can tell",
            |files, random| {
                let table = records(files, random)?;
                let column = *table.columns(&["formation", "parent"]).first()?;
                let from = row(&table, random);
                let to = row(&table, random);
                let (old, new) = (&table.rows[from][column], &table.rows[to][column]);
                if old == new || old.is_empty() || new.is_empty() {
                    return None;
                }
                let what = format!("{old:?} → {new:?}");
                let mut names = table.names(from);
                let new = new.clone();
                let mut table = table;
                table.rows[from][column] = new;
                let mut mutant = table.mutant(from, what);
                names.append(&mut mutant.names);
                mutant.names = names;
                Some(mutant)
            },
        ),
        partly(
            "a typo in an id",
            75,
            "an id that nothing refers to may be any",
            |files, random| change(files, random, &["id"], anything, typo),
        ),
        sure("an id in capitals", |files, random| {
            change(
                files,
                random,
                &["id"],
                |text| text.len() > 2,
                |text, _| text.to_uppercase(),
            )
        }),
        sure("a cell that must be filled is empty", |files, random| {
            change(
                files,
                random,
                &[
                    "id", "name", "kind", "echelon", "role", "boxes", "total", "set", "unit",
                ],
                anything,
                |_, _| String::new(),
            )
        }),
        partly(
            "a number one higher",
            40,
            "most numbers are printed once: only those that a total, a maximum or a scenario repeats can be checked",
            |files, random| {
                change(files, random, NUMBERS, number, |text, _| {
                    text.parse::<u32>()
                        .map_or_else(|_| text.to_owned(), |n| (n + 1).to_string())
                })
            },
        ),
        sure("a number with the letter O", |files, random| {
            change(files, random, NUMBERS, number, |text, _| format!("{text}O"))
        }),
        sure("a number with a footnote mark", |files, random| {
            change(files, random, NUMBERS, number, |text, _| format!("{text}*"))
        }),
        sure("a number with a decimal comma", |files, random| {
            change(files, random, NUMBERS, number, |text, _| format!("\"{text},5\""))
        }),
        sure("a number with half a point", |files, random| {
            change(files, random, NUMBERS, number, |text, _| format!("{text}½"))
        }),
        partly(
            "a number far too large",
            80,
            "a column without a declared `max` takes any number",
            |files, random| change(files, random, NUMBERS, number, |_, _| "999999".into()),
        ),
        partly(
            "a number below zero",
            80,
            "a column without a declared `min` takes any number",
            |files, random| change(files, random, NUMBERS, number, |text, _| format!("-{text}")),
        ),
        sure("a number in words", |files, random| {
            change(files, random, NUMBERS, number, |_, _| "three".into())
        }),
        sure("a choice misspelt", |files, random| {
            change(files, random, CHOICES, |text| text.len() > 2, typo)
        }),
        partly(
            "a choice changed to another",
            30,
            "another kind, rank or weapon may be right as well: only rules of the game, totals and scenarios can tell",
            |files, random| {
                let table = records(files, random)?;
                let columns = table.columns(CHOICES);
                let column = *random.pick(&columns)?;
                let (from, to) = (row(&table, random), row(&table, random));
                let (old, new) = (table.rows[from][column].clone(), table.rows[to][column].clone());
                if old == new || old.is_empty() || new.is_empty() {
                    return None;
                }
                let mut table = table;
                table.rows[from][column].clone_from(&new);
                Some(table.mutant(from, format!("{old:?} → {new:?}")))
            },
        ),
        sure("an id that became a date", |files, random| {
            change(files, random, &["id"], anything, |_, _| "3-Jan".into())
        }),
        sure("a reference that became a date", |files, random| {
            change(files, random, REFERENCES, anything, |_, _| "1-Mar".into())
        }),
        sure("a name that became a date", |files, random| {
            change(files, random, &["name"], anything, |_, _| "8-Jan".into())
        }),
        sure("a zero-width space", |files, random| {
            change(
                files,
                random,
                &["id", "name", "abbr", "formation", "kind", "parent"],
                |text| text.is_ascii() && text.len() > 1,
                |text, _| format!("{}\u{200b}{}", &text[..1], &text[1..]),
            )
        }),
        sure("a no-break space behind a value", |files, random| {
            change(
                files,
                random,
                &["id", "name", "formation", "kind", "parent", "strength"],
                anything,
                |text, _| format!("{text}\u{a0}"),
            )
        }),
        sure("a dash for nothing", |files, random| {
            change(files, random, &[NUMBERS, CHOICES].concat(), anything, |_, _| {
                "—".into()
            })
        }),
        sure("a ditto mark", |files, random| {
            change(
                files,
                random,
                &[REFERENCES, CHOICES].concat(),
                anything,
                |_, _| "〃".into(),
            )
        }),
        sure("a formula", |files, random| {
            change(files, random, NUMBERS, number, |_, _| "=SUM(F2:F9)".into())
        }),
        sure("an error of the spreadsheet", |files, random| {
            change(
                files,
                random,
                &["name", "strength", "kind", "formation"],
                anything,
                |_, _| "#REF!".into(),
            )
        }),
        sure("a time that lost its zero", |files, random| {
            change(
                files,
                random,
                &["time"],
                |text| text.starts_with('0'),
                |text, _| text.trim_start_matches('0').into(),
            )
        }),
        sure("a time off the calendar", |files, random| {
            change(files, random, &["time"], anything, |_, _| "0733".into())
        }),
        sure("a day off the calendar", |files, random| {
            change(files, random, &["day"], anything, |_, _| "1799-12-31".into())
        }),
        sure("an area that does not exist", |files, random| {
            change(files, random, &["areas"], anything, |text, _| format!("{text}9"))
        }),
        sure("a typo in a selection", |files, random| {
            change(
                files,
                random,
                &["units"],
                |text| !text.contains(' '),
                |text, _| format!("{text}q"),
            )
        }),
    ]
}
