//! Commands that check and write: `check`, `build`, `new`, `schema`.

use super::session::{edition, fail, open, read_baseline, render_all, say, settle_all, show};
use super::{Baselines, CLEAN, Common, FOUND, Known, Novelty};
use crate::errata::{Edition, Selected};
use crate::report::Format;
use crate::suppression::baseline;
use crate::{output, schema};

/// `fix` says whether to mend what can be mended first, and whether only to show how.
pub(super) fn check(common: &Common, format: Format, baselines: &Baselines, fix: Option<bool>) -> u8 {
    let run = || -> Result<u8, u8> {
        let edition = edition(common, &common.errata)?;
        if let Some(dry_run) = fix {
            super::fix::fix(common, &edition, dry_run, format == Format::Text)?;
        }
        let mut session = open(common, &edition)?;
        render_all(&mut session, true)?;
        let baseline = read_baseline(&mut session.files, baselines.read.baseline.as_deref())?;
        let sink = std::mem::take(&mut session.sink);
        let (found, status) = settle_all(sink, &session, common, true, baseline.as_ref())?;
        show(&found, &session.files, common, format);
        if let Some(path) = &baselines.write_baseline {
            // What stands there may be anything, and only an older baseline may go.
            if path.exists() {
                read_baseline(&mut session.files, Some(path))?;
            }
            let text = baseline::to_text(&found, &session.files);
            output::write_file(path, text.as_bytes())
                .map_err(|error| fail(&format!("{}: {error}", path.display())))?;
            if format == Format::Text {
                say(&format!("wrote {}", path.display()));
            }
        }
        // The program ends here: to give back a large project piece by piece takes seconds for nothing.
        std::mem::forget(session);
        Ok(status)
    };
    run().unwrap_or_else(|status| status)
}

pub(super) fn build(common: &Common, format: Format, known: &Known) -> u8 {
    let run = || -> Result<u8, u8> {
        let edition = edition(common, &common.errata)?;
        let mut session = open(common, &edition)?;
        let (mut artifacts, editions) = render_all(&mut session, false)?;
        artifacts.sort_by(|a, b| a.path.cmp(&b.path));
        let ids: Vec<String> = editions.keys().cloned().collect();
        artifacts.push(output::manifest(&session.files, editions, &artifacts));
        let baseline = read_baseline(&mut session.files, known.baseline.as_deref())?;
        let sink = std::mem::take(&mut session.sink);
        let (found, status) = settle_all(sink, &session, common, true, baseline.as_ref())?;
        show(&found, &session.files, common, format);
        if status != CLEAN {
            if format == Format::Text {
                say("nothing was written");
            }
            return Ok(status);
        }
        output::write(&session.root, &artifacts)
            .map_err(|error| fail(&format!("{}: {error}", session.root.join(output::DIST).display())))?;
        if format == Format::Text {
            say(&format!(
                "built {}: {} files in {}/",
                ids.join(", "),
                artifacts.len(),
                output::DIST
            ));
        }
        Ok(CLEAN)
    };
    run().unwrap_or_else(|status| status)
}

pub(super) fn create(what: Novelty, id: &str, common: &Common) -> u8 {
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
        let (root, files) = match what {
            // The first game of a project makes the project.
            Novelty::Game => (new_root(common)?, crate::new::game(id)),
            Novelty::Scenario | Novelty::Errata => {
                let session = open(common, &edition(common, &common.errata)?)?;
                let [game] = session.games.as_slice() else {
                    return Err(fail("the project has several games: say which with --game"));
                };
                let files = match what {
                    Novelty::Errata => crate::new::erratum(game, id),
                    _ => crate::new::scenario(game, id),
                };
                (session.root, files)
            }
        };
        if let Some((path, _)) = files.iter().find(|(path, _)| root.join(path).exists()) {
            return Err(fail(&format!("{path} exists already")));
        }
        for (path, text) in files {
            output::write_file(&root.join(&path), text.as_bytes())
                .map_err(|error| fail(&format!("{path}: {error}")))?;
            say(&format!("wrote {path}"));
        }
        Ok(CLEAN)
    };
    run().unwrap_or_else(|status| status)
}

/// Where a new game goes: the project given or found, or else a new one here.
fn new_root(common: &Common) -> Result<std::path::PathBuf, u8> {
    if let Some(folder) = &common.project {
        return Ok(folder.clone());
    }
    let here = std::env::current_dir().map_err(|error| fail(&error.to_string()))?;
    Ok(crate::project::find_root(&here).unwrap_or(here))
}

pub(super) fn write_schemas(check: bool, common: &Common) -> u8 {
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
            say(&format!(
                "{} {path}",
                if check { "not up to date:" } else { "wrote" }
            ));
        }
        Ok(if check && !stale.is_empty() { FOUND } else { CLEAN })
    };
    run().unwrap_or_else(|status| status)
}
