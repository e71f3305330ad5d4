//! What every command begins and ends with: opening a project, and showing what was found.

use std::collections::BTreeMap;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::{CLEAN, Common, FOUND, UNUSABLE};
use crate::Compiled;
use crate::diagnostic::{Diagnostic, Severity, Sink};
use crate::document::Document;
use crate::emit::templates::Templates;
use crate::emit::{self, Artifact, Input};
use crate::errata::{Edition, Selected};
use crate::game::LintFile;
use crate::pack::EditionInfo;
use crate::report::{self, Format, Style};
use crate::source::Files;
use crate::suppression::{self, baseline::Baseline};
use crate::{project, suggest};

/// A project as far as it could be compiled.
pub(super) struct Session {
    pub(super) root: PathBuf,
    pub(super) files: Files,
    pub(super) sink: Sink,
    pub(super) games: Vec<Compiled>,
    /// What is allowed in all games.
    pub(super) lints: Option<Document<LintFile>>,
}

/// Opens the project and compiles its games. `Err` is the exit status where that is impossible.
pub(super) fn open(common: &Common, edition: &Edition) -> Result<Session, u8> {
    let root = root(common)?;
    let ids = games(common, &root)?;
    let mut files = Files::default();
    let mut sink = Sink::default();
    let lints =
        project::read_lints(&mut files, &root, &mut sink).map_err(|error| fail(&error.to_string()))?;
    project::survey(&mut files, &root, &mut sink).map_err(|error| fail(&error.to_string()))?;
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
        lints,
    })
}

pub(super) fn root(common: &Common) -> Result<PathBuf, u8> {
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

pub(super) fn games(common: &Common, root: &Path) -> Result<Vec<String>, u8> {
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

pub(super) fn edition(common: &Common, which: &str) -> Result<Edition, u8> {
    if let Some(date) = &common.as_of {
        let right = crate::errata::is_date(date);
        if !right {
            return Err(fail(&format!("`{date}` is no date: write --as-of 1977-02-22")));
        }
    }
    Ok(Edition::parse(which, common.as_of.clone()))
}

/// Says why a command cannot be carried out.
pub(super) fn fail(why: &str) -> u8 {
    say(&format!("orbat: {why}"));
    UNUSABLE
}

/// The diagnostics of a session that is only asked something: sorted, without those allowed. The status is that of the
/// data.
pub(super) fn settle(sink: Sink, session: &Session, common: &Common) -> Result<(Vec<Diagnostic>, u8), u8> {
    settle_all(sink, session, common, false, None)
}

/// The diagnostics of a session. What is allowed and was not found is reported if everything was looked for.
pub(super) fn settle_all(
    sink: Sink,
    session: &Session,
    common: &Common,
    complete: bool,
    baseline: Option<&Baseline>,
) -> Result<(Vec<Diagnostic>, u8), u8> {
    for code in &common.allow {
        suppression::allowable(code).map_err(|(_, problem, help)| fail(&format!("{problem}; {help}")))?;
    }
    let run = suppression::Run {
        files: &session.files,
        games: &session.games,
        lints: session.lints.as_ref(),
        complete: complete && common.errata == "all" && common.as_of.is_none(),
        all_games: common.games.is_empty(),
    };
    let mut found = suppression::apply(sink.sorted(&session.files), &run);
    if let Some(baseline) = baseline {
        found = baseline.apply(found, &run);
    }
    found.retain(|diagnostic| !common.allow.iter().any(|code| code == diagnostic.rule.code));
    let status = status(&found, common);
    Ok((found, status))
}

/// The exit status that findings call for.
fn status(found: &[Diagnostic], common: &Common) -> u8 {
    let worst = found.iter().map(|diagnostic| diagnostic.rule.severity).min();
    match worst {
        Some(Severity::Error) => FOUND,
        Some(Severity::Warning) if common.deny.is_some() => FOUND,
        _ => CLEAN,
    }
}

/// Reads the file of `--baseline`.
pub(super) fn read_baseline(files: &mut Files, path: Option<&Path>) -> Result<Option<Baseline>, u8> {
    let Some(path) = path else {
        return Ok(None);
    };
    let wrong = |problem: String| fail(&format!("the baseline {}: {problem}", path.display()));
    let bytes = crate::source::read_regular(path).map_err(|error| wrong(error.to_string()))?;
    let shown = path.to_string_lossy().replace('\\', "/");
    Baseline::read(files, &shown, bytes).map(Some).map_err(wrong)
}

/// Shows diagnostics: text on the error stream, machine formats on the output stream.
pub(super) fn show(found: &[Diagnostic], files: &Files, common: &Common, format: Format) {
    if format == Format::Text {
        let stderr = std::io::stderr();
        let text = report::render(found, files, format, &style(common, format, stderr.is_terminal()));
        let _ = stderr.lock().write_all(text.as_bytes());
    } else {
        write_out(&report::render(
            found,
            files,
            format,
            &style(common, format, false),
        ));
    }
}

/// Diagnostics shown as text where the command line does not say how many.
const SHOWN: usize = 100;
/// Columns of text that goes to no terminal.
const COLUMNS: usize = 80;

pub(super) fn style(common: &Common, format: Format, terminal: bool) -> Style {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let force = std::env::var_os("FORCE_COLOR").is_some_and(|value| !value.is_empty());
    // Who sets COLUMNS means it; a terminal knows its own width.
    let stated = std::env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok());
    let measured = || {
        let (width, _) = terminal_size::terminal_size_of(std::io::stderr()).filter(|_| terminal)?;
        Some(usize::from(width.0))
    };
    Style {
        color: (terminal || force) && !no_color,
        width: stated.or_else(measured).unwrap_or(COLUMNS),
        max: common.max_errors.or((format == Format::Text).then_some(SHOWN)),
    }
}

/// What went wrong when something was written to standard output.
static LOST: OnceLock<String> = OnceLock::new();

/// Writes to standard output; a reader that has gone away is no error, and [`lost_output`] tells of any other.
pub(super) fn write_out(text: &str) {
    write_bytes(text.as_bytes());
}

/// Writes bytes to standard output, as [`write_out`] does.
pub(super) fn write_bytes(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = out.write_all(bytes).and_then(|()| out.flush())
        && error.kind() != ErrorKind::BrokenPipe
    {
        // The first error is the cause of the others.
        let _ = LOST.set(error.to_string());
    }
}

/// The status of a command whose output was lost on its way, for instance to a disk that is full.
pub(super) fn lost_output() -> Option<u8> {
    let error = LOST.get()?;
    Some(fail(&format!("the output could not be written: {error}")))
}

/// Says something to whoever runs the program; nothing can be done where nobody listens.
pub(super) fn say(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

pub(super) fn write_json<T: serde::Serialize>(value: &T) {
    write_out(&crate::pack::to_text(value));
}

/// All artifacts of all games that have a pack, and which overlays each had.
pub(super) fn render_all(
    session: &mut Session,
    sample: bool,
) -> Result<(Vec<Artifact>, BTreeMap<String, EditionInfo>), u8> {
    let templates = Templates::load(&mut session.files, &session.root, &mut session.sink)
        .map_err(|error| fail(&error.to_string()))?;
    // Other games may name a template; what none of all names is printed by nobody.
    let all = project::games(&session.root).map_err(|error| fail(&error.to_string()))?;
    if session.games.len() == all.len() {
        let games = session.games.iter().map(|game| &game.contents.game);
        let asked: Vec<&str> = games
            .flat_map(|game| {
                let sheets = game.sheets.iter().map(|sheet| sheet.template.as_str());
                sheets.chain(game.scenario_sheets.iter().map(|sheet| sheet.template.as_str()))
            })
            .collect();
        let strays = templates.strays(&asked, &session.files);
        project::report_templates(&session.files, &strays, &mut session.sink);
    }
    let mut artifacts = Vec::new();
    let mut editions = BTreeMap::new();
    for game in &session.games {
        let definition = &game.contents.game;
        let at = |list: &str, sheet: usize| definition.span(&format!("/{list}/{sheet}/template"));
        templates.judge(&definition.sheets, |sheet| at("sheets", sheet), &mut session.sink);
        let place = |sheet| at("scenario_sheets", sheet);
        templates.judge(&definition.scenario_sheets, place, &mut session.sink);
        if let Some(pack) = &game.pack {
            let input = Input {
                pack,
                scenarios: &game.scenarios,
                sheets: &game.contents.game.sheets,
                scenario_sheets: &game.contents.game.scenario_sheets,
                templates: &templates,
                files: &session.files,
                sample,
            };
            artifacts.extend(emit::emit(&input, &mut session.sink));
            editions.insert(pack.game.id.clone(), pack.edition.clone());
        }
    }
    Ok((artifacts, editions))
}
