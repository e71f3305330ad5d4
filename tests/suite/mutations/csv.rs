//! Damage to tables: to their bytes, their layout, their rows and their cells.

use super::random::Random;
use super::table::Table;
use super::{Files, Mutant, Mutation};

const EVERY: &str = "";

/// Columns that name another record.
const REFERENCES: &[&str] = &["formation", "parent", "commands", "of", "unit"];

/// Columns whose values come from a short list.
const CHOICES: &[&str] = &[
    "kind", "echelon", "role", "rank", "side", "weapon", "grade", "armament",
];

/// Columns of numbers.
const NUMBERS: &[&str] = &[
    "strength",
    "men",
    "guns",
    "boxes",
    "total",
    "bases",
    "stands",
    "count",
    "order",
    "max_range",
];

pub fn mutations() -> Vec<Mutation> {
    let mut all = Vec::new();
    all.extend(bytes());
    all.extend(layout());
    all.extend(rows());
    all.extend(cells());
    all
}

fn sure(name: &'static str, make: fn(&Files, &mut Random) -> Option<Mutant>) -> Mutation {
    Mutation {
        name,
        make,
        least: 100,
        why: EVERY,
    }
}

fn partly(
    name: &'static str,
    least: u32,
    why: &'static str,
    make: fn(&Files, &mut Random) -> Option<Mutant>,
) -> Mutation {
    Mutation {
        name,
        make,
        least,
        why,
    }
}

/// A table of the game.
fn any(files: &Files, random: &mut Random) -> Option<Table> {
    let paths: Vec<&String> = files.keys().filter(|path| path.ends_with(".csv")).collect();
    let path = random.pick(&paths)?;
    Table::new(path, &files[*path])
}

/// One of the main tables, charts left out.
fn records(files: &Files, random: &mut Random) -> Option<Table> {
    any(files, random).filter(|table| !table.path.contains("/tables/"))
}

/// A row below the header.
fn row(table: &Table, random: &mut Random) -> usize {
    1 + random.below(table.rows.len() - 1)
}

/// A cell of one of some columns that is not empty and not quoted: its row, its column and its text.
fn cell(
    files: &Files,
    random: &mut Random,
    columns: &[&str],
    fits: fn(&str) -> bool,
) -> Option<(Table, usize, usize, String)> {
    let table = records(files, random)?;
    let columns = table.columns(columns);
    let column = *random.pick(&columns)?;
    let row = row(&table, random);
    let text = table.rows[row].get(column)?.clone();
    (!text.is_empty() && !text.contains('"') && fits(&text)).then_some((table, row, column, text))
}

/// Damages one cell.
fn change(
    files: &Files,
    random: &mut Random,
    columns: &[&str],
    fits: fn(&str) -> bool,
    with: fn(&str, &mut Random) -> String,
) -> Option<Mutant> {
    let (mut table, row, column, text) = cell(files, random, columns, fits)?;
    let now = with(&text, random);
    if now == text {
        return None;
    }
    let names = table.names(row);
    table.rows[row][column].clone_from(&now);
    let mut mutant = table.mutant(row, format!("{text:?} → {now:?}"));
    mutant.names.extend(names);
    Some(mutant)
}

/// The whole file in other bytes: what is told may lie anywhere in it.
fn whole(files: &Files, random: &mut Random, with: fn(&Table) -> Vec<u8>) -> Option<Mutant> {
    let table = any(files, random)?;
    Some(Mutant {
        bytes: with(&table),
        lines: (1, u32::MAX),
        names: Vec::new(),
        what: "the whole file".into(),
        path: table.path,
    })
}

/// A byte put into the middle of a cell.
fn put(files: &Files, random: &mut Random, byte: u8) -> Option<Mutant> {
    let (mut table, row, column, text) = cell(files, random, &["name", "id", "abbr", "side"], |_| true)?;
    // A character that no file holds marks the place.
    let half = text.char_indices().nth(text.chars().count() / 2)?.0;
    table.rows[row][column].insert(half, '\u{1}');
    let mut mutant = table.mutant(row, format!("byte {byte:#04x} in {text:?}"));
    for at in &mut mutant.bytes {
        if *at == 1 {
            *at = byte;
        }
    }
    Some(mutant)
}

fn typo(text: &str, random: &mut Random) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let at = random.below(letters.len());
    match random.below(3) {
        0 if letters.len() > 2 => {
            letters.remove(at);
        }
        1 => letters.insert(at, 'x'),
        _ => letters[at] = if letters[at] == 'q' { 'k' } else { 'q' },
    }
    letters.into_iter().collect()
}

fn anything(_: &str) -> bool {
    true
}

fn number(text: &str) -> bool {
    text.parse::<u32>().is_ok()
}

fn bytes() -> Vec<Mutation> {
    vec![
        sure("a byte-order mark", |files, random| {
            whole(files, random, |table| {
                [b"\xef\xbb\xbf", table.text().as_bytes()].concat()
            })
        }),
        sure("CRLF line ends", |files, random| {
            whole(files, random, |table| {
                table.text().replace('\n', "\r\n").into_bytes()
            })
        }),
        sure("CR line ends", |files, random| {
            whole(files, random, |table| {
                table.text().replace('\n', "\r").into_bytes()
            })
        }),
        sure("one line ends in CRLF", |files, random| {
            let table = any(files, random)?;
            let row = row(&table, random);
            let mut mutant = table.mutant(row, "CRLF".into());
            let at = table.lines(row).1 as usize;
            let mut lines: Vec<&[u8]> = mutant.bytes.split(|byte| *byte == b'\n').collect();
            let with = [lines[at - 1], b"\r"].concat();
            lines[at - 1] = &with;
            mutant.bytes = lines.join(&b'\n');
            Some(mutant)
        }),
        sure("no final line end", |files, random| {
            whole(files, random, |table| table.text().trim_end().as_bytes().to_vec())
        }),
        sure("UTF-16 with its mark", |files, random| {
            whole(files, random, |table| {
                let units = std::iter::once(0xfeff).chain(table.text().encode_utf16().collect::<Vec<u16>>());
                units.flat_map(u16::to_le_bytes).collect()
            })
        }),
        sure("UTF-16 without its mark", |files, random| {
            whole(files, random, |table| {
                table.text().encode_utf16().flat_map(u16::to_le_bytes).collect()
            })
        }),
        sure("a byte of Windows-1252", |files, random| put(files, random, 0x92)),
        sure("a NUL", |files, random| put(files, random, 0)),
        sure("a Ctrl-Z at the end", |files, random| {
            whole(files, random, |table| {
                format!("{}\u{1a}", table.text()).into_bytes()
            })
        }),
        sure("semicolons for commas", |files, random| {
            whole(files, random, |table| table.with(';').into_bytes())
        }),
        sure("tabs for commas", |files, random| {
            whole(files, random, |table| table.with('\t').into_bytes())
        }),
        sure("every cell in quotes", |files, random| {
            let mut table = any(files, random)?;
            for cell in table.rows.iter_mut().flatten() {
                if !cell.starts_with('"') {
                    *cell = format!("\"{cell}\"");
                }
            }
            let mut mutant = table.mutant(1, "quotes".into());
            mutant.lines = (1, u32::MAX);
            Some(mutant)
        }),
        sure("an empty file", |files, random| {
            whole(files, random, |_| Vec::new())
        }),
    ]
}

fn layout() -> Vec<Mutation> {
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

fn rows() -> Vec<Mutation> {
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

fn cells() -> Vec<Mutation> {
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
