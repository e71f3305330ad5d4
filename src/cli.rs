//! The command line. The only module that prints.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::Compiled;
use crate::diagnostic::{Diagnostic, Severity, Sink};
use crate::emit::templates::Templates;
use crate::emit::{self, Artifact, Input};
use crate::errata::{Edition, Selected, op_name};
use crate::pack::EditionInfo;
use crate::report::{self, Format, Style};
use crate::source::Files;
use crate::{diff, output, project, rules, schema, suggest, timeline, why};

/// Everything is in order.
const CLEAN: u8 = 0;
/// The data have errors, or there is no answer.
const FOUND: u8 = 1;
/// The command cannot be carried out.
const UNUSABLE: u8 = 2;

/// A compiler for wargame orders of battle and scenarios.
#[derive(Parser)]
#[command(name = "orbat", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Reports everything that is wrong; writes nothing
    Check {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        output: Output,
    },
    /// Checks, then writes dist/
    Build {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        output: Output,
    },
    /// Writes one sheet to standard output or a file
    Print(Print),
    /// Says where a value comes from and what uses it: REF or REF.FIELD
    Why {
        /// The record, or a field of it: `105 Pa`, `Kershaw/McLaws/I`, `105 Pa.strength`
        reference: String,
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        output: Output,
    },
    /// Lists the overlays and what became of every entry
    Errata {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        output: Output,
    },
    /// Says what differs between two editions, such as `none` and `all`
    Diff {
        /// The first edition: all, none, official, or overlay ids with commas between
        from: String,
        /// The second edition
        to: String,
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        output: Output,
    },
    /// Says what is on the map, arrives and is due at a turn of a scenario
    Timeline {
        /// The scenario
        scenario: String,
        /// The turn: `0800`, `1863-07-02 0800`, its label or its number [default: every turn in which something happens]
        #[arg(long, value_name = "TURN")]
        at: Option<String>,
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        output: Output,
    },
    /// Writes a commented starting file that passes check
    New {
        /// What: scenario
        #[arg(value_enum)]
        what: Novelty,
        /// Its id
        id: String,
        #[command(flatten)]
        common: Common,
    },
    /// Writes the JSON Schemas to schema/
    Schema {
        /// Only say which files are not up to date
        #[arg(long)]
        check: bool,
        #[command(flatten)]
        common: Common,
    },
    /// Says what a diagnostic means; lists them all without a code
    Explain {
        /// The code
        code: Option<String>,
    },
}

/// What every command takes.
#[derive(Args, Clone)]
struct Common {
    /// The project's folder [default: the nearest one upwards that holds oob/]
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// Only this game; may be repeated
    #[arg(long = "game", value_name = "ID")]
    games: Vec<String>,
    /// The edition: all, none, official, or overlay ids with commas between
    #[arg(long, value_name = "WHICH", default_value = "all")]
    errata: String,
    /// Only overlays published by this date
    #[arg(long, value_name = "DATE")]
    as_of: Option<String>,
    /// Treat warnings as errors
    #[arg(long, value_name = "WHAT")]
    deny: Option<Deny>,
    /// Leave out warnings of this code; may be repeated
    #[arg(long, value_name = "CODE")]
    allow: Vec<String>,
    /// Show at most so many diagnostics as text
    #[arg(long, value_name = "N", default_value_t = 100)]
    max_errors: usize,
}

#[derive(Args, Clone, Copy)]
struct Output {
    /// How diagnostics and answers are written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Deny {
    Warnings,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Novelty {
    Scenario,
}

#[derive(Args)]
struct Print {
    /// The sheet's id; `counters` for the counter manifest
    sheet: String,
    /// Only the sheet of this side or formation
    #[arg(long, value_name = "ID")]
    of: Option<String>,
    /// The scenario whose sheet is meant
    #[arg(long, value_name = "ID")]
    scenario: Option<String>,
    /// html, md, or csv for the counter manifest
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// Write to this file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

/// Runs the program on the process' own arguments; returns its exit status.
pub fn run() -> u8 {
    match Cli::parse().command {
        Command::Check { common, output } => check(&common, output.format),
        Command::Build { common, output } => build(&common, output.format),
        Command::Print(arguments) => print(&arguments),
        Command::Why {
            reference,
            common,
            output,
        } => explain_value(&reference, &common, output.format),
        Command::Errata { common, output } => errata(&common, output.format),
        Command::Diff {
            from,
            to,
            common,
            output,
        } => compare(&from, &to, &common, output.format),
        Command::Timeline {
            scenario,
            at,
            common,
            output,
        } => timeline(&scenario, at.as_deref(), &common, output.format),
        Command::New { what, id, common } => create(what, &id, &common),
        Command::Schema { check, common } => write_schemas(check, &common),
        Command::Explain { code } => explain(code.as_deref()),
    }
}

/// A project as far as it could be compiled.
struct Session {
    root: PathBuf,
    files: Files,
    sink: Sink,
    games: Vec<Compiled>,
}

/// Opens the project and compiles its games. `Err` is the exit status where that is impossible.
fn open(common: &Common, edition: &Edition) -> Result<Session, u8> {
    let root = root(common)?;
    let ids = games(common, &root)?;
    let mut files = Files::default();
    let mut sink = Sink::default();
    let mut games = Vec::new();
    for id in ids {
        // Each game has a sink of its own: an error in one does not stop the others.
        let mut own = Sink::default();
        let compiled = crate::compile(&mut files, &root, &id, edition, &mut own)
            .map_err(|error| fail(&error.to_string()))?;
        sink.append(own);
        games.extend(compiled);
    }
    if let Selected::Ids(wanted) = &edition.selected {
        let known: Vec<&str> = games
            .iter()
            .flat_map(|game| &game.contents.overlays)
            .map(|overlay| overlay.id.as_str())
            .collect();
        for id in wanted {
            // An overlay that could not be read may be the one that is meant.
            let unread = games
                .iter()
                .any(|game| game.contents.overlays.len() < game.contents.overlay_files);
            if !known.contains(&id.as_str()) && !unread {
                let help = suggest::help(id, &known).unwrap_or_default();
                return Err(fail(&format!("no overlay is called `{id}`; {help}")));
            }
        }
    }
    Ok(Session {
        root,
        files,
        sink,
        games,
    })
}

fn root(common: &Common) -> Result<PathBuf, u8> {
    match &common.project {
        Some(folder) if folder.join(project::OOB).is_dir() => Ok(folder.clone()),
        Some(folder) => Err(fail(&format!(
            "{} has no folder `oob`: it is not a project",
            folder.display()
        ))),
        None => {
            let here = std::env::current_dir().map_err(|error| fail(&error.to_string()))?;
            project::find_root(&here).ok_or_else(|| {
                fail("no project here: neither this folder nor any above it holds a folder `oob`; see --project")
            })
        }
    }
}

fn games(common: &Common, root: &Path) -> Result<Vec<String>, u8> {
    let all = project::games(root).map_err(|error| fail(&error.to_string()))?;
    if all.is_empty() {
        return Err(fail(
            "the project has no game: no folder in oob/ holds a game.toml",
        ));
    }
    if common.games.is_empty() {
        return Ok(all);
    }
    let names: Vec<&str> = all.iter().map(String::as_str).collect();
    for wanted in &common.games {
        if !all.contains(wanted) {
            let help = suggest::help(wanted, &names).unwrap_or_default();
            return Err(fail(&format!("no game is called `{wanted}`; {help}")));
        }
    }
    Ok(all.into_iter().filter(|id| common.games.contains(id)).collect())
}

fn edition(common: &Common, which: &str) -> Result<Edition, u8> {
    if let Some(date) = &common.as_of {
        let right = crate::errata::is_date(date);
        if !right {
            return Err(fail(&format!("`{date}` is no date: write --as-of 1977-02-22")));
        }
    }
    Ok(Edition::parse(which, common.as_of.clone()))
}

/// Says why a command cannot be carried out.
fn fail(why: &str) -> u8 {
    eprintln!("orbat: {why}");
    UNUSABLE
}

/// Takes the diagnostics out of a session: sorted, without those allowed. The status is that of the data.
fn settle(sink: Sink, files: &Files, common: &Common) -> Result<(Vec<Diagnostic>, u8), u8> {
    for code in &common.allow {
        match rules::find(code) {
            Some(rule) if rule.severity == Severity::Error => {
                return Err(fail(&format!("`{code}` is an error and cannot be allowed")));
            }
            Some(_) => {}
            None => {
                let all = rules::all();
                let codes: Vec<&str> = all.iter().map(|rule| rule.code).collect();
                let near = suggest::closest(code, codes.iter().copied());
                let help = near.map_or_else(
                    || "`orbat explain` lists them".to_owned(),
                    |near| format!("did you mean `{near}`?"),
                );
                return Err(fail(&format!("no diagnostic has the code `{code}`; {help}")));
            }
        }
    }
    let mut found = sink.sorted(files);
    found.retain(|diagnostic| !common.allow.iter().any(|code| code == diagnostic.rule.code));
    let errors = found
        .iter()
        .any(|diagnostic| diagnostic.rule.severity == Severity::Error);
    let warnings = found
        .iter()
        .any(|diagnostic| diagnostic.rule.severity == Severity::Warning);
    let status = if errors || (warnings && common.deny.is_some()) {
        FOUND
    } else {
        CLEAN
    };
    Ok((found, status))
}

/// Shows diagnostics: text on the error stream, machine formats on the output stream.
fn show(found: &[Diagnostic], files: &Files, common: &Common, format: Format) {
    if format == Format::Text {
        let stderr = std::io::stderr();
        let text = report::render(found, files, format, &style(common, stderr.is_terminal()));
        let _ = stderr.lock().write_all(text.as_bytes());
    } else {
        write_out(&report::render(found, files, format, &style(common, false)));
    }
}

fn style(common: &Common, terminal: bool) -> Style {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let force = std::env::var_os("FORCE_COLOR").is_some_and(|value| !value.is_empty());
    let width = std::env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok())
        .unwrap_or(100);
    Style {
        color: (terminal || force) && !no_color,
        width,
        max: Some(common.max_errors),
    }
}

/// Writes to standard output; a reader that has gone away is no error.
fn write_out(text: &str) {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

fn write_json<T: serde::Serialize>(value: &T) {
    write_out(&crate::pack::to_text(value));
}

fn check(common: &Common, format: Format) -> u8 {
    let run = || -> Result<u8, u8> {
        let edition = edition(common, &common.errata)?;
        let mut session = open(common, &edition)?;
        render_all(&mut session)?;
        let (found, status) = settle(session.sink, &session.files, common)?;
        show(&found, &session.files, common, format);
        Ok(status)
    };
    run().unwrap_or_else(|status| status)
}

/// All artifacts of all games that have a pack, and which overlays each had.
fn render_all(session: &mut Session) -> Result<(Vec<Artifact>, BTreeMap<String, EditionInfo>), u8> {
    let templates = Templates::load(&mut session.files, &session.root, &mut session.sink)
        .map_err(|error| fail(&error.to_string()))?;
    let mut artifacts = Vec::new();
    let mut editions = BTreeMap::new();
    for game in &session.games {
        if let Some(pack) = &game.pack {
            let input = Input {
                pack,
                scenarios: &game.scenarios,
                sheets: &game.contents.game.sheets,
                scenario_sheets: &game.contents.game.scenario_sheets,
                templates: &templates,
                files: &session.files,
            };
            artifacts.extend(emit::emit(&input, &mut session.sink));
            editions.insert(pack.game.id.clone(), pack.edition.clone());
        }
    }
    Ok((artifacts, editions))
}

fn build(common: &Common, format: Format) -> u8 {
    let run = || -> Result<u8, u8> {
        let edition = edition(common, &common.errata)?;
        let mut session = open(common, &edition)?;
        let (mut artifacts, editions) = render_all(&mut session)?;
        artifacts.sort_by(|a, b| a.path.cmp(&b.path));
        let ids: Vec<String> = editions.keys().cloned().collect();
        artifacts.push(output::manifest(&session.files, editions, &artifacts));
        let (found, status) = settle(session.sink, &session.files, common)?;
        show(&found, &session.files, common, format);
        if status != CLEAN {
            if format == Format::Text {
                eprintln!("nothing was written");
            }
            return Ok(status);
        }
        output::write(&session.root, &artifacts)
            .map_err(|error| fail(&format!("{}: {error}", session.root.join(output::DIST).display())))?;
        if format == Format::Text {
            eprintln!(
                "built {}: {} files in {}/",
                ids.join(", "),
                artifacts.len(),
                output::DIST
            );
        }
        Ok(CLEAN)
    };
    run().unwrap_or_else(|status| status)
}

fn print(arguments: &Print) -> u8 {
    let common = &arguments.common;
    let run = || -> Result<u8, u8> {
        let edition = edition(common, &common.errata)?;
        let mut session = open(common, &edition)?;
        let templates = Templates::load(&mut session.files, &session.root, &mut session.sink)
            .map_err(|error| fail(&error.to_string()))?;
        let mut artifacts = Vec::new();
        let mut sheets: Vec<&str> = vec!["counters"];
        let format = arguments.format.as_deref();
        for game in &session.games {
            sheets.extend(game.contents.game.sheets.iter().map(|sheet| sheet.id.as_str()));
            let Some(pack) = &game.pack else {
                continue;
            };
            if arguments.sheet == "counters" {
                match format.unwrap_or("csv") {
                    "csv" => artifacts.push(emit::counters::manifest_csv(pack)),
                    other => {
                        return Err(fail(&format!(
                            "the counter manifest is printed as csv, not as {other}"
                        )));
                    }
                }
                continue;
            }
            if let Some(id) = &arguments.scenario {
                let definitions = &game.contents.game.scenario_sheets;
                sheets.extend(definitions.iter().map(|sheet| sheet.id.as_str()));
                let Some(scenario) = game.scenarios.iter().find(|scenario| scenario.id == *id) else {
                    let ids: Vec<&str> = game
                        .scenarios
                        .iter()
                        .map(|scenario| scenario.id.as_str())
                        .collect();
                    let help = suggest::help(id, &ids).unwrap_or_default();
                    return Err(fail(&format!("no scenario is called `{id}`; {help}")));
                };
                let Some(sheet) = definitions.iter().find(|sheet| sheet.id == arguments.sheet) else {
                    continue;
                };
                let format = format.unwrap_or("html");
                if !templates.has(&format!("{}.{format}", sheet.template)) {
                    return Err(fail(&format!("`{}` has no template for {format}", sheet.id)));
                }
                let input = Input {
                    pack,
                    scenarios: &game.scenarios,
                    sheets: &[],
                    scenario_sheets: definitions,
                    templates: &templates,
                    files: &session.files,
                };
                let only = arguments.of.as_deref();
                let printed = emit::scenarios::one(&input, scenario, sheet, format, only, &mut session.sink);
                artifacts.extend(printed.into_iter().map(|artifact| artifact.bytes));
                continue;
            }
            let Some(sheet) = game
                .contents
                .game
                .sheets
                .iter()
                .find(|sheet| sheet.id == arguments.sheet)
            else {
                continue;
            };
            let format = format.unwrap_or("html");
            if !templates.has(&format!("{}.{format}", sheet.template)) {
                return Err(fail(&format!(
                    "`{}` has no template for {format}: there is no `{}.{format}`",
                    sheet.id, sheet.template
                )));
            }
            let input = Input {
                pack,
                scenarios: &game.scenarios,
                sheets: &[],
                scenario_sheets: &[],
                templates: &templates,
                files: &session.files,
            };
            // A formation may be named as authors name it.
            let only = arguments.of.as_ref().map(|of| {
                let records = &game.contents.records;
                match game
                    .index
                    .find(records, crate::reference::Named::Formations, of, None)
                {
                    crate::reference::Found::One(row) => records
                        .table("formations")
                        .and_then(|table| table.text(row, "id"))
                        .unwrap_or(of)
                        .to_owned(),
                    _ => of.clone(),
                }
            });
            let printed = emit::sheets::one(&input, sheet, format, only.as_deref(), &mut session.sink);
            artifacts.extend(printed.into_iter().map(|artifact| artifact.bytes));
        }
        let of_scenarios: Vec<&str> = session
            .games
            .iter()
            .flat_map(|game| &game.contents.game.scenario_sheets)
            .map(|sheet| sheet.id.as_str())
            .collect();
        if arguments.scenario.is_none()
            && artifacts.is_empty()
            && of_scenarios.contains(&arguments.sheet.as_str())
        {
            let ids: Vec<&str> = session
                .games
                .iter()
                .flat_map(|game| &game.scenarios)
                .map(|scenario| scenario.id.as_str())
                .collect();
            if !ids.is_empty() {
                let ids = suggest::quoted(&ids);
                return Err(fail(&format!(
                    "`{}` is a scenario's sheet: add --scenario with one of {ids}",
                    arguments.sheet
                )));
            }
        }
        let known = sheets.contains(&arguments.sheet.as_str());
        let help = suggest::help(&arguments.sheet, &sheets).unwrap_or_default();
        let (found, status) = settle(session.sink, &session.files, common)?;
        show(&found, &session.files, common, Format::Text);
        if status != CLEAN {
            return Ok(status);
        }
        if !known {
            return Err(fail(&format!("no sheet is called `{}`; {help}", arguments.sheet)));
        }
        if artifacts.is_empty() {
            let of = arguments.of.as_deref().unwrap_or_default();
            return Err(fail(&format!("`{}` has no sheet for `{of}`", arguments.sheet)));
        }
        let bytes = artifacts.concat();
        match &arguments.output {
            Some(path) => output::write_file(path, &bytes)
                .map_err(|error| fail(&format!("{}: {error}", path.display())))?,
            None => {
                let _ = std::io::stdout().lock().write_all(&bytes);
            }
        }
        Ok(CLEAN)
    };
    run().unwrap_or_else(|status| status)
}

fn explain_value(reference: &str, common: &Common, format: Format) -> u8 {
    let run = || -> Result<u8, u8> {
        let edition = edition(common, &common.errata)?;
        let session = open(common, &edition)?;
        let mut answers = Vec::new();
        let mut ambiguous = Vec::new();
        let mut near = Vec::new();
        for game in &session.games {
            match why::why(&session.files, game, reference) {
                why::Answer::Known(answer) => answers.push(answer),
                why::Answer::Ambiguous(candidates) => ambiguous.extend(candidates),
                why::Answer::Unknown(candidates) => near.extend(candidates),
            }
        }
        if answers.is_empty() {
            let (found, status) = settle(session.sink, &session.files, common)?;
            if status != CLEAN && session.games.iter().all(|game| game.model.is_none()) {
                show(&found, &session.files, common, format);
                return Ok(status);
            }
            if ambiguous.is_empty() {
                let names: Vec<&str> = near.iter().map(String::as_str).collect();
                let help = if names.is_empty() {
                    String::new()
                } else {
                    format!(
                        "; did you mean {}?",
                        suggest::quoted(&names).replace(", ", " or ")
                    )
                };
                eprintln!("orbat: nothing is called `{reference}`{help}");
            } else {
                eprintln!(
                    "orbat: `{reference}` may mean {} things: {}",
                    ambiguous.len(),
                    ambiguous.join(", ")
                );
            }
            return Ok(FOUND);
        }
        if format == Format::Text {
            for answer in &answers {
                write_out(&why::to_text(answer));
            }
        } else {
            write_json(&answers);
        }
        Ok(CLEAN)
    };
    run().unwrap_or_else(|status| status)
}

fn errata(common: &Common, format: Format) -> u8 {
    let run = || -> Result<u8, u8> {
        let edition = edition(common, &common.errata)?;
        let session = open(common, &edition)?;
        if format == Format::Text {
            for game in &session.games {
                write_out(&errata_text(&session.files, game));
            }
        } else {
            let list: Vec<serde_json::Value> = session
                .games
                .iter()
                .flat_map(|game| errata_json(&session.files, game))
                .collect();
            write_json(&list);
        }
        let (found, status) = settle(session.sink, &session.files, common)?;
        if format == Format::Text {
            show(&found, &session.files, common, format);
        }
        Ok(status)
    };
    run().unwrap_or_else(|status| status)
}

fn errata_text(files: &Files, game: &Compiled) -> String {
    use std::fmt::Write;
    let mut text = String::new();
    for (number, overlay) in game.contents.overlays.iter().enumerate() {
        let reports: Vec<_> = game
            .applied
            .reports
            .iter()
            .filter(|report| report.overlay == number)
            .collect();
        let applied = if reports.is_empty() {
            " — not in this edition"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "{}  {} ({}){applied}",
            overlay.id, overlay.title, overlay.date
        );
        let _ = writeln!(text, "  {}", files.path(overlay.file));
        for report in reports {
            let entry = &overlay.entries[report.entry];
            let targets = report.targets.join(", ");
            let _ = writeln!(
                text,
                "  {:<10} {:<15} {:<7} {}",
                entry.reference,
                report.outcome.name(),
                op_name(entry.op),
                if targets.is_empty() {
                    entry.summary.as_str()
                } else {
                    targets.as_str()
                }
            );
            for edit in game
                .applied
                .edits
                .iter()
                .filter(|edit| edit.overlay == number && edit.entry == report.entry)
            {
                if !edit.field.is_empty() {
                    let was = edit.was.as_ref().map_or("–", |(was, _)| was);
                    let now = edit.now.as_deref().unwrap_or("–");
                    let _ = writeln!(text, "  {:<34} {}: {was} → {now}", "", edit.field);
                }
            }
        }
    }
    text
}

fn errata_json(files: &Files, game: &Compiled) -> Vec<serde_json::Value> {
    game.applied
        .reports
        .iter()
        .map(|report| {
            let overlay = &game.contents.overlays[report.overlay];
            let entry = &overlay.entries[report.entry];
            let place = files.place(overlay.span(&format!("/entries/{}", report.entry)));
            serde_json::json!({
                "game": game.contents.game.id,
                "overlay": overlay.id,
                "ref": entry.reference,
                "kind": entry.kind,
                "op": op_name(entry.op),
                "outcome": report.outcome,
                "targets": report.targets,
                "summary": entry.summary,
                "file": files.path(overlay.file),
                "line": place.line,
            })
        })
        .collect()
}

fn compare(from: &str, to: &str, common: &Common, format: Format) -> u8 {
    let run = || -> Result<u8, u8> {
        let a = open(common, &edition(common, from)?)?;
        let b = open(common, &edition(common, to)?)?;
        let mut all = Vec::new();
        for old in &a.games {
            let new = b
                .games
                .iter()
                .find(|game| game.contents.game.id == old.contents.game.id);
            let models = old.model.as_ref().zip(new.and_then(|game| game.model.as_ref()));
            let Some((old_model, new_model)) = models else {
                // An overlay failed: the edition cannot be made, and its diagnostics say why.
                let broken = if old.model.is_none() { a } else { b };
                let (found, status) = settle(broken.sink, &broken.files, common)?;
                show(&found, &broken.files, common, format);
                return Ok(status.max(FOUND));
            };
            all.extend(diff::diff(&old.contents.game, old_model, new_model));
        }
        if format == Format::Text {
            write_out(&diff::to_text(&all));
        } else {
            write_json(&all);
        }
        Ok(CLEAN)
    };
    run().unwrap_or_else(|status| status)
}

fn timeline(id: &str, at: Option<&str>, common: &Common, format: Format) -> u8 {
    let run = || -> Result<u8, u8> {
        let session = open(common, &edition(common, &common.errata)?)?;
        let found = session
            .games
            .iter()
            .filter_map(|game| Some((game.pack.as_ref()?, &game.scenarios)))
            .find_map(|(pack, scenarios)| Some((pack, scenarios.iter().find(|scenario| scenario.id == id)?)));
        let Some((pack, scenario)) = found else {
            let ids: Vec<String> = session
                .games
                .iter()
                .flat_map(|game| &game.contents.scenarios)
                .map(|(document, _)| document.id.clone())
                .collect();
            let (found, status) = settle(session.sink, &session.files, common)?;
            if status != CLEAN {
                show(&found, &session.files, common, Format::Text);
                return Ok(status);
            }
            let names: Vec<&str> = ids.iter().map(String::as_str).collect();
            let help = suggest::help(id, &names).unwrap_or_default();
            return Err(fail(&format!("no scenario is called `{id}`; {help}")));
        };
        let turns: Vec<u32> = match at {
            Some(text) => vec![timeline::find_turn(scenario, text).map_err(|problem| fail(&problem))?],
            None => (1..=scenario.end).collect(),
        };
        let mut moments: Vec<timeline::Moment> = turns
            .iter()
            .map(|turn| timeline::moment(pack, scenario, *turn))
            .collect();
        if at.is_none() {
            moments.retain(|moment| {
                let leaves = moment.leaving.iter().any(|event| event.turn == moment.turn);
                moment.turn == 1 || leaves || !moment.arriving.is_empty()
            });
            for moment in &mut moments {
                moment.due.clear();
                moment.leaving.retain(|event| event.turn == moment.turn);
            }
        }
        if format == Format::Text {
            for moment in &moments {
                write_out(&timeline::to_text(moment));
            }
        } else {
            write_json(&moments);
        }
        Ok(CLEAN)
    };
    run().unwrap_or_else(|status| status)
}

fn create(what: Novelty, id: &str, common: &Common) -> u8 {
    let run = || -> Result<u8, u8> {
        let kebab = !id.is_empty()
            && id
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        if !kebab {
            return Err(fail(&format!(
                "`{id}` is no id: use lower-case letters, digits and hyphens"
            )));
        }
        let session = open(common, &edition(common, &common.errata)?)?;
        let [game] = session.games.as_slice() else {
            return Err(fail("the project has several games: say which with --game"));
        };
        let files = match what {
            Novelty::Scenario => crate::new::scenario(game, id),
        };
        if let Some((path, _)) = files.iter().find(|(path, _)| session.root.join(path).exists()) {
            return Err(fail(&format!("{path} exists already")));
        }
        for (path, text) in files {
            output::write_file(&session.root.join(&path), text.as_bytes())
                .map_err(|error| fail(&format!("{path}: {error}")))?;
            eprintln!("wrote {path}");
        }
        Ok(CLEAN)
    };
    run().unwrap_or_else(|status| status)
}

fn write_schemas(check: bool, common: &Common) -> u8 {
    let run = || -> Result<u8, u8> {
        let session = open(
            common,
            &Edition {
                selected: Selected::None,
                as_of: None,
            },
        )?;
        let games: Vec<_> = session
            .games
            .iter()
            .map(|game| &game.contents.game.value)
            .collect();
        let mut stale = Vec::new();
        for (path, schema) in schema::published(&games) {
            let path = session.root.join("schema").join(path);
            let text = schema::to_text(&schema);
            let current = std::fs::read_to_string(&path).unwrap_or_default();
            if current == text {
                continue;
            }
            stale.push(path.display().to_string());
            if !check {
                output::write_file(&path, text.as_bytes())
                    .map_err(|error| fail(&format!("{}: {error}", path.display())))?;
            }
        }
        for path in &stale {
            eprintln!("{} {path}", if check { "not up to date:" } else { "wrote" });
        }
        Ok(if check && !stale.is_empty() { FOUND } else { CLEAN })
    };
    run().unwrap_or_else(|status| status)
}

fn explain(code: Option<&str>) -> u8 {
    let all = rules::all();
    match code {
        None => {
            for rule in &all {
                write_out(&format!(
                    "{:<24} {:<8} {}\n",
                    rule.code,
                    rule.severity.name(),
                    rule.summary
                ));
            }
            CLEAN
        }
        Some(code) => match rules::find(code) {
            Some(rule) => {
                write_out(&format!(
                    "{} ({}): {}\n\n{}\n",
                    rule.code,
                    rule.severity.name(),
                    rule.summary,
                    rule.explanation
                ));
                CLEAN
            }
            None => {
                let codes: Vec<&str> = all.iter().map(|rule| rule.code).collect();
                let help = suggest::closest(code, codes.iter().copied()).map_or_else(
                    || "`orbat explain` lists them".to_owned(),
                    |near| format!("did you mean `{near}`?"),
                );
                fail(&format!("no diagnostic has the code `{code}`; {help}"))
            }
        },
    }
}
