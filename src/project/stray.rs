//! What lies in a project's folders and is not read: files of another ending, folders of another name, tables that are
//! declared and stand nowhere.
//!
//! What is surely meant to be read is an error, because a build without it lacks a whole army and looks sound; the rest
//! is a warning.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use super::missing::Stray;
use super::{OOB, list};
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::emit;
use crate::game::Game;
use crate::read::workbook;
use crate::scenario;
use crate::source::{FileId, Files, Span, has_ending, without_ending};
use crate::suggest;

/// A file that is not read.
pub static STRAY_FILE: Rule = Rule {
    code: "stray-file",
    severity: Severity::Warning,
    summary: "a file in a project's folders is not read",
    explanation: "A CSV file is read if it is named after a table (`units.csv`), a supplement or a chart that `game.toml` \
                  declares. Rename or declare it, or move it elsewhere. The same is said of what lies in the folders of \
                  scenarios and errata and is no TOML file, and of a template that no sheet names.

Wrong:

```csv oob/demo/unit.csv
id,formation,kind,name
red-9,red-north,foot,9th Kent
```

Right:

```csv + oob/demo/units.csv
red-9,red-south,foot,9th Kent,,300,R
```
",
};

/// A file or folder that would be read under another name.
pub static MISNAMED_FILE: Rule = Rule {
    code: "misnamed-file",
    severity: Severity::Error,
    summary: "a file is meant to be read, but its name or its folder is another",
    explanation: "Tables end in `.csv` and stand in their game's folder, overlays and scenarios end in `.toml` and stand in \
                  `errata` and `scenarios/<game>`. A file that would be one of them but for its ending or its folder is \
                  not read, and everything in it would be missing from the game without a word. Windows hides endings: what \
                  it shows as `units.csv` may be `units.csv.txt`. Unpacking an archive often makes one folder too many.

Wrong:

```toml scenarios/demo/night.toml.txt
id = \"night\"
title = \"Night\"
source = \"made up\"
extends = \"battle\"
```

Right:

```toml scenarios/demo/night.toml
id = \"night\"
title = \"Night\"
source = \"made up\"
extends = \"battle\"
```
",
};

/// Endings that people and programs give to texts and tables.
const ENDINGS: [&str; 6] = ["csv", "tsv", "tab", "txt", "text", "toml"];
/// Folders below a game's are searched so deep.
const DEPTH: usize = 3;

/// A name without its endings: `units.csv.txt` is `units`.
fn bare(name: &str) -> &str {
    let mut bare = name;
    while let Some(stem) = ENDINGS.iter().find_map(|ending| without_ending(bare, ending)) {
        bare = stem;
    }
    bare
}

/// Whether a file is a table or a document by its ending.
fn is_data(name: &str) -> bool {
    has_ending(name, "csv")
        || has_ending(name, "tsv")
        || has_ending(name, "toml")
        || workbook::is_workbook(name)
}

/// A place for what is said of a file or a folder as a whole.
fn place(files: &mut Files, path: &str) -> Span {
    Span::file_start(files.add(path, ""))
}

fn misnamed(files: &mut Files, path: &str, message: String, help: String, sink: &mut Sink) {
    let span = place(files, path);
    sink.push(Diagnostic::new(&MISNAMED_FILE, span, message).help(help));
}

/// Whether a file is a TOML file but for a last ending that Windows hides; says of it that it is not read.
fn is_hidden_toml(files: &mut Files, path: &str, name: &str, sink: &mut Sink) -> bool {
    let Some(stem) = without_ending(name, "txt").and_then(|stem| without_ending(stem, "toml")) else {
        return false;
    };
    misnamed(
        files,
        path,
        format!("`{path}` is not read: it ends in `.txt`"),
        format!("rename it to `{stem}.toml`; Windows hides the last ending of a file"),
        sink,
    );
    true
}

/// The names in a folder, sorted; says of those that are no UTF-8 that they are not read.
pub(super) fn list_told(
    files: &mut Files,
    root: &Path,
    folder: &str,
    sink: &mut Sink,
) -> io::Result<Vec<String>> {
    let mut odd: Vec<String> = std::fs::read_dir(root.join(folder))
        .map_err(|error| io::Error::new(error.kind(), format!("{folder}: {error}")))?
        .filter_map(|entry| entry.ok()?.file_name().into_string().err())
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    odd.sort();
    for name in odd {
        let path = format!("{folder}/{name}");
        misnamed(
            files,
            &path,
            format!("`{path}` is not read: its name is not UTF-8"),
            "rename it; plain letters are safest".into(),
            sink,
        );
    }
    list(&root.join(folder))
}

/// The tables and documents below a folder, as paths from it.
fn data_below(folder: &Path, depth: usize) -> Vec<String> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else {
        return found;
    };
    for entry in entries.flatten() {
        let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else {
            continue;
        };
        if name.starts_with('.') {
            continue;
        }
        if kind.is_file() && is_data(&name) {
            found.push(name);
        } else if kind.is_dir() && depth > 0 {
            let below = data_below(&folder.join(&name), depth - 1);
            found.extend(below.into_iter().map(|path| format!("{name}/{path}")));
        }
    }
    found.sort();
    found
}

/// What is known of a game's folder when its tables were read.
pub(super) struct Folder<'f> {
    pub(super) game: &'f Game,
    /// The tables that it may have.
    pub(super) tables: &'f [&'f str],
    /// Those that it has.
    pub(super) found: &'f BTreeSet<String>,
}

impl Folder<'_> {
    /// Says of what was not read that it was not; gives what may be a table that is missing.
    pub(super) fn report(
        &self,
        files: &mut Files,
        root: &Path,
        folder: &str,
        listed: &[String],
        sink: &mut Sink,
    ) -> io::Result<Vec<Stray>> {
        let mut strays = Vec::new();
        for name in listed {
            let path = format!("{folder}/{name}");
            if root.join(&path).is_dir() {
                self.report_below(files, root, folder, name, sink);
            } else if name.eq_ignore_ascii_case("errata") {
                misnamed(
                    files,
                    &path,
                    format!("`{path}` is a file: nothing is read of it"),
                    "make a folder of this name and put the overlays into it, as `.toml` files".into(),
                    sink,
                );
            } else {
                strays.extend(self.report_file(files, root, folder, name, sink));
            }
        }
        report_folder(files, root, folder, "errata", sink);
        Ok(strays)
    }

    fn is_chart(&self, relative: &str) -> bool {
        self.game.tables.iter().any(|chart| chart.file == relative)
    }

    /// The table that a name means but for its ending.
    fn meant(&self, name: &str) -> Option<&str> {
        let bare = bare(name);
        self.tables
            .iter()
            .copied()
            .find(|table| table.eq_ignore_ascii_case(bare))
    }

    fn report_file(
        &self,
        files: &mut Files,
        root: &Path,
        folder: &str,
        name: &str,
        sink: &mut Sink,
    ) -> Option<Stray> {
        let path = format!("{folder}/{name}");
        let is_table =
            without_ending(name, "csv").is_some_and(|stem| self.meant(stem).is_some() && bare(stem) == stem);
        if is_table
            || has_ending(name, "toml")
            || workbook::is_workbook(name)
            || workbook::is_other_workbook(name)
            || self.is_chart(name)
        {
            return None;
        }
        if is_hidden_toml(files, &path, name, sink) {
            return None;
        }
        let near = self.meant(name);
        match near.filter(|table| !self.found.contains(*table)) {
            Some(table) => {
                misnamed(
                    files,
                    &path,
                    format!("`{path}` is not read: the table `{table}` stands in `{table}.csv`"),
                    format!("rename it to `{table}.csv`; Windows hides the last ending of a file"),
                    sink,
                );
                None
            }
            None if has_ending(name, "csv") || has_ending(name, "tsv") || near.is_some() => {
                Some(stray(files, root, &path, bare(name), self.tables))
            }
            None if has_ending(name, "txt")
                && suggest::closest(bare(name), self.tables.iter().copied()).is_some() =>
            {
                Some(stray(files, root, &path, bare(name), self.tables))
            }
            None => None,
        }
    }

    /// Says of the tables in a folder below the game's that they are not read.
    fn report_below(&self, files: &mut Files, root: &Path, folder: &str, name: &str, sink: &mut Sink) {
        let path = format!("{folder}/{name}");
        let is_told = instead_of(root, folder, "errata").is_some_and(|told| told == name);
        if name == "errata" || is_told {
            return;
        }
        let below = data_below(&root.join(&path), DEPTH);
        let folder_path = root.join(folder);
        // A file that is looked for and not found was told of, with this one where it is near.
        let lacks_chart = self
            .game
            .tables
            .iter()
            .any(|chart| !folder_path.join(&chart.file).is_file());
        let game_file = |file: &String| file.eq_ignore_ascii_case("game.toml");
        if below.iter().any(game_file) {
            misnamed(
                files,
                &path,
                format!("`{path}` holds a `game.toml` and is not read: games stand in folders of `{OOB}`"),
                format!("move the folder to `{OOB}/{name}`"),
                sink,
            );
            return;
        }
        let mut strays: Vec<&String> = Vec::new();
        for file in &below {
            if self.is_chart(&format!("{name}/{file}")) {
                continue;
            }
            let own = file.rsplit('/').next().unwrap_or(file);
            match self.meant(own).filter(|table| !self.found.contains(*table)) {
                Some(table) => misnamed(
                    files,
                    &format!("{path}/{file}"),
                    format!("`{path}/{file}` is not read: tables stand in the game's folder itself"),
                    format!("move it to `{folder}/{table}.csv`"),
                    sink,
                ),
                None if lacks_chart => {}
                None => strays.push(file),
            }
        }
        let Some((first, others)) = strays.split_first() else {
            return;
        };
        let span = place(files, &format!("{path}/{first}"));
        let message = match others.len() {
            0 => format!("`{path}/{first}` is not read: `game.toml` declares no chart with this file"),
            more => format!(
                "`{path}/{first}` and {more} more in `{path}` are not read: `game.toml` declares no charts with these files"
            ),
        };
        sink.push(
            Diagnostic::new(&STRAY_FILE, span, message)
                .help("declare it in a `[[tables]]` of `game.toml`, or move it out of the game's folder"),
        );
    }
}

/// Says of what lies among the TOML files of a folder and is none that it is not read.
pub(super) fn report_unread(
    files: &mut Files,
    root: &Path,
    folder: &str,
    listed: &[String],
    named: &[String],
    sink: &mut Sink,
) {
    for name in listed {
        let path = format!("{folder}/{name}");
        if root.join(&path).is_dir() {
            let below = data_below(&root.join(&path), DEPTH);
            if name != "schedules"
                && !is_near(name, "schedules")
                && below.iter().any(|file| has_ending(file, "toml"))
            {
                misnamed(
                    files,
                    &path,
                    format!("the folder `{path}` is not read, but it holds TOML files"),
                    format!("move them to `{folder}`"),
                    sink,
                );
            }
            continue;
        }
        let is_briefing = |briefing: &String| briefing == name;
        if has_ending(name, "toml") || has_ending(name, "md") || named.iter().any(is_briefing) {
            continue;
        }
        if is_hidden_toml(files, &path, name, sink) {
            continue;
        }
        if name == "schedules" || name == "errata" {
            misnamed(
                files,
                &path,
                format!("`{path}` is a file: nothing is read of it"),
                "make a folder of this name".into(),
                sink,
            );
            continue;
        }
        let span = place(files, &path);
        sink.push(
            Diagnostic::new(
                &STRAY_FILE,
                span,
                format!("`{path}` is not read: only `.toml` files are"),
            )
            .help("rename it to end in `.toml` if it is one, or move it elsewhere"),
        );
    }
}

/// Says of what lies among the schedules and is no table that it is not read.
pub(super) fn report_schedules(files: &mut Files, folder: &str, listed: &[String], sink: &mut Sink) {
    for name in listed {
        let is_read =
            has_ending(name, "csv") || workbook::is_workbook(name) || workbook::is_other_workbook(name);
        if is_read || bare(name) == name {
            continue;
        }
        let path = format!("{folder}/{name}");
        misnamed(
            files,
            &path,
            format!("`{path}` is not read: schedules end in `.csv`"),
            format!(
                "rename it to `{}.csv`; Windows hides the last ending of a file",
                bare(name)
            ),
            sink,
        );
    }
}

/// Whether a name is another in another case, or nearly it.
fn is_near(name: &str, wanted: &str) -> bool {
    name != wanted && suggest::closest(name, [wanted]).is_some()
}

/// What stands in place of a folder that is looked for and is not there: a folder of nearly its name, or a file.
fn instead_of(root: &Path, parent: &str, wanted: &str) -> Option<String> {
    if !data_below(&root.join(parent).join(wanted), 1).is_empty() {
        return None;
    }
    let names = list(&root.join(parent)).ok()?;
    let is_game =
        |name: &str| parent == scenario::FOLDER && root.join(OOB).join(name).join("game.toml").is_file();
    let holds = |name: &String| {
        let path = root.join(parent).join(name);
        !data_below(&path, 1).is_empty()
    };
    names
        .into_iter()
        .filter(|name| is_near(name, wanted) && !is_game(name))
        .find(holds)
}

/// Says of a folder that nearly has a name that is looked for that it is not read.
pub(super) fn report_folder(files: &mut Files, root: &Path, parent: &str, wanted: &str, sink: &mut Sink) {
    let path = if parent.is_empty() {
        wanted.to_owned()
    } else {
        format!("{parent}/{wanted}")
    };
    if let Some(name) = instead_of(root, parent, wanted) {
        let there = path.replace(wanted, &name);
        misnamed(
            files,
            &there,
            format!("the folder `{there}` is not read: its name must be `{wanted}`"),
            format!("rename it to `{path}`"),
            sink,
        );
    }
}

/// Says of what lies in a project's folders and belongs to no game that it is not read.
pub fn survey(files: &mut Files, root: &Path, sink: &mut Sink) -> io::Result<()> {
    let games = super::games(root)?;
    let is_game = |name: &String| games.contains(name);
    for folder in [scenario::FOLDER, emit::templates::FOLDER] {
        if root.join(folder).is_file() {
            misnamed(
                files,
                folder,
                format!("`{folder}` is a file: nothing is read of it"),
                "make a folder of this name".into(),
                sink,
            );
        }
    }
    for name in list(root)? {
        if name != super::LINTS && name.eq_ignore_ascii_case(super::LINTS) {
            misnamed(
                files,
                &name,
                format!("`{name}` is not read: its name must be `{}`", super::LINTS),
                format!("rename it to `{}`", super::LINTS),
                sink,
            );
        }
    }
    report_folder(files, root, "", scenario::FOLDER, sink);
    for name in list_told(files, root, OOB, sink)? {
        let path = format!("{OOB}/{name}");
        if is_game(&name) {
            continue;
        }
        if root.join(&path).is_dir() {
            report_no_game(files, root, &path, sink);
        } else if name.eq_ignore_ascii_case(super::LINTS) {
            misnamed(
                files,
                &path,
                format!(
                    "`{path}` is not read: what is allowed in all games stands beside the folder `{OOB}`"
                ),
                format!(
                    "move it to `{}`, or write `[[lints]]` into a `game.toml`",
                    super::LINTS
                ),
                sink,
            );
        } else if is_data(&name) {
            let span = place(files, &path);
            sink.push(
                Diagnostic::new(
                    &STRAY_FILE,
                    span,
                    format!("`{path}` is not read: it stands in no game's folder"),
                )
                .help("move it into the folder of its game"),
            );
        }
    }
    if !root.join(scenario::FOLDER).is_dir() {
        return Ok(());
    }
    let taken: Vec<String> = games
        .iter()
        .filter_map(|game| instead_of(root, scenario::FOLDER, game))
        .collect();
    for name in list_told(files, root, scenario::FOLDER, sink)? {
        let path = format!("{}/{name}", scenario::FOLDER);
        // A game whose folder is there and whose definition is not was told of.
        if is_game(&name) || taken.contains(&name) || root.join(OOB).join(&name).is_dir() {
            continue;
        }
        let is_file = !root.join(&path).is_dir() && has_ending(&name, "toml");
        if is_file || !data_below(&root.join(&path), DEPTH).is_empty() {
            let known: Vec<&str> = games.iter().map(String::as_str).collect();
            let (what, help) = if is_file {
                (
                    "it stands in no game's folder",
                    format!("move it to `{}/<game>`", scenario::FOLDER),
                )
            } else {
                (
                    "no game has this name",
                    suggest::help(&name, &known).unwrap_or_else(|| "name it after its game".into()),
                )
            };
            misnamed(files, &path, format!("`{path}` is not read: {what}"), help, sink);
        }
    }
    Ok(())
}

/// Says of the project's own templates that nobody asks for that they are not read.
pub fn report_templates(files: &Files, strays: &[(FileId, Option<&str>)], sink: &mut Sink) {
    for (file, near) in strays {
        let found = Diagnostic::new(
            &STRAY_FILE,
            Span::file_start(*file),
            format!("`{}` is not read: no sheet is printed with it", files.path(*file)),
        );
        sink.push(found.help(match near {
            Some(near) => format!("did you mean `{near}`? Rename the file"),
            None => "name it as the `template` of a sheet in `game.toml`, or remove it".to_owned(),
        }));
    }
}

/// Says of a folder among the games that it holds no definition, if it looks like a game's.
fn report_no_game(files: &mut Files, root: &Path, path: &str, sink: &mut Sink) {
    let below = data_below(&root.join(path), 1);
    let texts = list(&root.join(path)).unwrap_or_default();
    let renamed = texts
        .iter()
        .find(|name| bare(name).eq_ignore_ascii_case("game") && (is_data(name) || has_ending(name, "txt")));
    let deeper = below.iter().find(|file| file.ends_with("/game.toml"));
    if let Some(name) = renamed {
        misnamed(
            files,
            &format!("{path}/{name}"),
            format!("`{path}/{name}` is not read, and with it the whole game: its name must be `game.toml`"),
            "rename it to `game.toml`".into(),
            sink,
        );
    } else if let Some(deeper) = deeper {
        let folder = deeper.trim_end_matches("/game.toml");
        misnamed(
            files,
            &format!("{path}/{deeper}"),
            format!(
                "`{path}/{deeper}` is not read, and with it the whole game: it stands one folder too deep"
            ),
            format!("move the folder `{path}/{folder}` to `{OOB}/{folder}`"),
            sink,
        );
    } else if let Some(first) = below.first() {
        let span = place(files, &format!("{path}/{first}"));
        sink.push(
            Diagnostic::new(
                &STRAY_FILE,
                span,
                format!("nothing in `{path}` is read: it holds no `game.toml`"),
            )
            .help("add the game's definition, or move the folder elsewhere"),
        );
    }
}

/// What is said of a table's file that is not read, and what it may be.
fn stray(files: &mut Files, root: &Path, path: &str, stem: &str, names: &[&str]) -> Stray {
    let relative = path.rsplit_once('/').map_or(path, |(_, name)| name);
    // The first line is shown, so that it is seen what it is.
    let span = files
        .read(root, path)
        .map_or_else(|_| place(files, path), Span::file_start);
    let found = Diagnostic::new(
        &STRAY_FILE,
        span,
        if names.contains(&stem) {
            format!("`{path}` is not read: the table `{stem}` is read from `{stem}.csv`")
        } else {
            format!("`{path}` is not read: no table is called `{stem}`")
        },
    );
    let help = if workbook::is_lock_file(stem) || stem.starts_with(".~lock.") {
        "an office program left it behind: delete it, once the program is closed".to_owned()
    } else if names.contains(&stem) {
        "delete the one that is not kept up, or move it elsewhere".to_owned()
    } else if let Some(table) = copied(stem, names) {
        format!(
            "it looks like a copy of `{table}.csv`: delete the one that is not kept up, or move it elsewhere"
        )
    } else if let Some(near) = suggest::closest(stem, names.iter().copied()) {
        let right = format!("{near}.csv");
        let there = path.strip_suffix(relative).unwrap_or_default().to_owned() + &right;
        if root.join(there).exists() {
            format!(
                "did you mean `{near}`? `{right}` is there already: put the rows into it, and delete this file"
            )
        } else {
            format!("did you mean `{near}`? Rename it to `{right}`")
        }
    } else {
        format!(
            "the tables are {}: rename it, declare it in `game.toml`, or move it elsewhere",
            suggest::quoted(names)
        )
    };
    Stray {
        stem: stem.to_owned(),
        cure: format!("`{relative}` is not read: rename it"),
        extension: ".csv",
        found: found.help(help),
    }
}

/// The table of whose file another is a copy, by its name: `units(1)`, `units - Copy`, `Copy of units`, `units_old`.
pub(super) fn copied<'n>(stem: &str, names: &[&'n str]) -> Option<&'n str> {
    let words: Vec<String> = stem
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let is_mark = |word: &String| {
        let known = [
            "copy", "copie", "kopie", "of", "old", "new", "bak", "backup", "final", "orig",
        ];
        known.contains(&word.as_str()) || word.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !words.iter().any(is_mark) {
        return None;
    }
    let kept: Vec<String> = words.into_iter().filter(|word| !is_mark(word)).collect();
    let kept = kept.join("-");
    names.iter().copied().find(|name| name.to_lowercase() == kept)
}
