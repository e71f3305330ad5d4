//! Damage to documents: the game definition, overlays and scenarios.

use super::random::Random;
use super::{Files, Mutant, Mutation};

pub fn mutations() -> Vec<Mutation> {
    let mut all = lines();
    all.extend(values());
    all
}

/// A document as lines.
struct Document {
    path: String,
    lines: Vec<String>,
}

impl Document {
    fn mutant(&self, line: usize, what: String) -> Mutant {
        let mut text = self.lines.join("\n");
        text.push('\n');
        Mutant {
            path: self.path.clone(),
            bytes: text.into_bytes(),
            lines: (line as u32 + 1, line as u32 + 1),
            names: self.names(line),
            what,
        }
    }

    /// The ids and references in the list entry that a line belongs to.
    fn names(&self, line: usize) -> Vec<String> {
        let mut from = line.min(self.lines.len() - 1);
        while from > 0 && !self.lines[from].starts_with('[') {
            from -= 1;
        }
        self.lines[from..]
            .iter()
            .enumerate()
            .take_while(|(at, text)| *at == 0 || !text.starts_with('['))
            .filter_map(|(_, text)| {
                let (key, value) = text.split_once(" = ")?;
                let named = ["id", "name", "ref", "target", "title", "entry"].contains(&key);
                let value = value.strip_prefix('"')?.split('"').next()?;
                (named && value.len() > 2).then(|| value.to_owned())
            })
            .collect()
    }
}

fn document(files: &Files, random: &mut Random, part: &str) -> Option<Document> {
    let paths: Vec<&String> = files
        .keys()
        .filter(|path| path.ends_with(".toml") && path.contains(part))
        .collect();
    let path = random.pick(&paths)?;
    let text = std::str::from_utf8(&files[*path]).ok()?;
    Some(Document {
        path: (*path).clone(),
        lines: text.lines().map(str::to_owned).collect(),
    })
}

/// A line of a document that is as wanted.
fn line(document: &Document, random: &mut Random, fits: impl Fn(&str) -> bool) -> Option<usize> {
    let lines: Vec<usize> = (0..document.lines.len())
        .filter(|line| fits(&document.lines[*line]))
        .collect();
    random.pick(&lines).copied()
}

/// Changes one line.
fn change(
    files: &Files,
    random: &mut Random,
    part: &str,
    fits: fn(&str) -> bool,
    with: fn(&str) -> String,
) -> Option<Mutant> {
    let mut document = document(files, random, part)?;
    let at = line(&document, random, fits)?;
    let was = document.lines[at].clone();
    let now = with(&was);
    if was == now {
        return None;
    }
    let names = document.names(at);
    document.lines[at].clone_from(&now);
    let mut mutant = document.mutant(at, format!("{was:?} → {now:?}"));
    mutant.names = names;
    Some(mutant)
}

/// `key = "text"` on one line.
fn is_text(line: &str) -> bool {
    line.split_once(" = \"").is_some_and(|(key, value)| {
        !key.contains(['[', '{', '#', '"']) && value.ends_with('"') && value.len() > 3
    })
}

fn is_pair(line: &str) -> bool {
    line.split_once(" = ")
        .is_some_and(|(key, _)| !key.contains(['[', '{', '#', '"', ' ']))
}

fn sure(name: &'static str, make: fn(&Files, &mut Random) -> Option<Mutant>) -> Mutation {
    Mutation {
        name,
        make,
        least: 100,
        why: "",
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

fn lines() -> Vec<Mutation> {
    vec![
        partly(
            "TOML: a byte-order mark and CRLF",
            60,
            "a text of several lines keeps its CRLF, which reaches the pack",
            |files, random| {
                let document = document(files, random, "")?;
                let mut mutant = document.mutant(0, "BOM, CRLF".into());
                mutant.bytes = format!("\u{feff}{}\r\n", document.lines.join("\r\n")).into_bytes();
                mutant.lines = (1, u32::MAX);
                Some(mutant)
            },
        ),
        sure("TOML: a comment", |files, random| {
            let mut document = document(files, random, "")?;
            let at = line(&document, random, |line| line.starts_with('['))?;
            document.lines.insert(at, "# a remark".into());
            Some(document.mutant(at, "comment".into()))
        }),
        sure("TOML: a key misspelt", |files, random| {
            change(files, random, "", is_pair, |line| line.replacen(" = ", "q = ", 1))
        }),
        sure("TOML: a heading misspelt", |files, random| {
            change(
                files,
                random,
                "",
                |line| line.starts_with('['),
                |line| line.replacen(']', "q]", 1),
            )
        }),
        sure("TOML: a heading with single brackets", |files, random| {
            change(
                files,
                random,
                "",
                |line| line.starts_with("[["),
                |line| line.replace("[[", "[").replace("]]", "]"),
            )
        }),
        partly(
            "TOML: a line deleted",
            70,
            "what may be left out (a remark, a source, a default, one of several conditions) is not missed",
            |files, random| {
                let mut document = document(files, random, "")?;
                let at = line(&document, random, is_pair)?;
                let mut names = document.names(at);
                let gone = document.lines.remove(at);
                // What lacks a key is told at its heading.
                let mut heading = at.min(document.lines.len() - 1);
                while heading > 0 && !document.lines[heading].starts_with('[') {
                    heading -= 1;
                }
                let mut mutant = document.mutant(at, gone);
                mutant.lines = (heading as u32 + 1, at as u32 + 1);
                mutant.names.append(&mut names);
                Some(mutant)
            },
        ),
        sure("TOML: a line twice", |files, random| {
            let mut document = document(files, random, "")?;
            let at = line(&document, random, is_pair)?;
            let again = document.lines[at].clone();
            document.lines.insert(at, again);
            let mut mutant = document.mutant(at + 1, document.lines[at].clone());
            mutant.lines.0 -= 1;
            Some(mutant)
        }),
        sure("TOML: a colon for the equals sign", |files, random| {
            change(files, random, "", is_pair, |line| line.replacen(" = ", ": ", 1))
        }),
        sure("TOML: no opening quote", |files, random| {
            change(files, random, "", is_text, |line| line.replacen('"', "", 1))
        }),
        sure("TOML: no closing quote", |files, random| {
            change(files, random, "", is_text, |line| line[..line.len() - 1].into())
        }),
        sure("TOML: curly quotes", |files, random| {
            change(files, random, "", is_text, |line| {
                line.replacen('"', "“", 1).trim_end_matches('"').to_owned() + "”"
            })
        }),
        sure("TOML: a list that is not closed", |files, random| {
            change(
                files,
                random,
                "",
                |line| is_pair(line) && line.ends_with("\"]"),
                |line| line[..line.len() - 1].into(),
            )
        }),
        sure("TOML: a NUL", |files, random| {
            change(files, random, "", is_text, |line| line.replacen('"', "\"\0", 1))
        }),
    ]
}

fn values() -> Vec<Mutation> {
    vec![
        sure("TOML: a number in quotes", |files, random| {
            change(
                files,
                random,
                "",
                |line| {
                    line.split_once(" = ").is_some_and(|(key, value)| {
                        is_pair(line) && key != "date" && value.parse::<u32>().is_ok()
                    })
                },
                |line| {
                    let (key, value) = line.split_once(" = ").unwrap_or((line, ""));
                    format!("{key} = \"{value}\"")
                },
            )
        }),
        sure("TOML: a text that became a number", |files, random| {
            change(files, random, "", is_text, |line| {
                format!("{} = 740", line.split(" = ").next().unwrap_or_default())
            })
        }),
        sure("errata: another `was`", |files, random| {
            change(
                files,
                random,
                "/errata/",
                |line| line.starts_with("was = {"),
                |line| line.replacen("= \"", "= \"zz", 1),
            )
        }),
        sure("errata: a typo in the target", |files, random| {
            change(
                files,
                random,
                "/errata/",
                |line| line.starts_with("target = "),
                |line| line.replacen('"', "\"zz", 1),
            )
        }),
        sure("errata: another operation", |files, random| {
            change(
                files,
                random,
                "/errata/",
                |line| line == "op = \"set\"",
                |_| "op = \"swap\"".into(),
            )
        }),
        partly(
            "errata: another `now`",
            30,
            "a correction may say anything that fits its column: only totals, choices and scenarios can tell",
            |files, random| {
                change(
                    files,
                    random,
                    "/errata/",
                    |line| line.starts_with("now = {"),
                    |line| line.replacen("= \"", "= \"zz", 1),
                )
            },
        ),
        sure("scenario: a hex off the map", |files, random| {
            change(
                files,
                random,
                "scenarios/",
                |line| line.contains("hex = \""),
                |line| {
                    let at = line.find("hex = \"").map_or(0, |at| at + "hex = \"".len());
                    format!(
                        "{}Z9999{}",
                        &line[..at],
                        &line[line[at..].find('"').map_or(at, |to| at + to)..]
                    )
                },
            )
        }),
        sure("scenario: a start off the calendar", |files, random| {
            change(
                files,
                random,
                "scenarios/",
                |line| line.starts_with("start = ") || line.starts_with("end = "),
                |line| {
                    let key = line.split(' ').next().unwrap_or_default();
                    format!("{key} = \"1799-12-31 0733\"")
                },
            )
        }),
        sure("scenario: another number of turns", |files, random| {
            change(
                files,
                random,
                "scenarios/",
                |line| line.starts_with("turns = "),
                |_| "turns = 3".into(),
            )
        }),
        sure("scenario: a typo in a selection", |files, random| {
            change(
                files,
                random,
                "scenarios/",
                |line| line.starts_with("units = \""),
                |line| line.replacen("units = \"", "units = \"zz", 1),
            )
        }),
        sure("scenario: a typo in a leader", |files, random| {
            change(
                files,
                random,
                "scenarios/",
                |line| line.starts_with("leaders = [\""),
                |line| line.replacen("[\"", "[\"zz", 1),
            )
        }),
        partly(
            "scenario: another side",
            50,
            "some lists are told at the scenario's id instead of the side",
            |files, random| {
                change(
                    files,
                    random,
                    "scenarios/",
                    |line| line.starts_with("side = \""),
                    |_| "side = \"nobody\"".into(),
                )
            },
        ),
        sure("scenario: a unit set up twice", |files, random| {
            let mut document = document(files, random, "scenarios/")?;
            let at = line(&document, random, |line| line.starts_with("[[deploy]]"))?;
            let end = (at + 1..document.lines.len()).find(|line| document.lines[*line].starts_with('['))?;
            let again: Vec<String> = document.lines[at..end]
                .iter()
                .map(|line| {
                    if line.starts_with("id = ") {
                        "id = \"again\"".to_owned()
                    } else {
                        line.clone()
                    }
                })
                .collect();
            if !again.iter().any(|line| line.starts_with("units = ")) {
                return None;
            }
            let names = document.names(at);
            document.lines.splice(end..end, again);
            let mut mutant = document.mutant(at, document.lines[at + 1].clone());
            mutant.lines = (at as u32 + 1, (2 * end - at) as u32);
            mutant.names = names;
            Some(mutant)
        }),
        sure("scenario: a deployment deleted", |files, random| {
            let mut document = document(files, random, "scenarios/")?;
            let at = line(&document, random, |line| line.starts_with("[[deploy]]"))?;
            let end = (at + 1..document.lines.len()).find(|line| document.lines[*line].starts_with('['))?;
            let gone: Vec<String> = document.lines.drain(at..end).collect();
            if !gone.iter().any(|line| line.starts_with("units = ")) {
                return None;
            }
            let mut mutant = document.mutant(at, gone.join(" "));
            // Who is not accounted for is told of the scenario.
            mutant.lines = (1, u32::MAX);
            Some(mutant)
        }),
        sure("game: an expression that cannot be read", |files, random| {
            change(
                files,
                random,
                "game.toml",
                |line| is_text(line) && (line.starts_with("when = ") || line.starts_with("must = ")),
                |line| line.replacen('"', "\"( ", 1),
            )
        }),
        sure("game: an expression of an unknown name", |files, random| {
            change(
                files,
                random,
                "game.toml",
                |line| is_text(line) && line.starts_with("must = "),
                |line| line.replacen('"', "\"zz.zz and ", 1),
            )
        }),
    ]
}
