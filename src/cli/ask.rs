//! Commands that answer questions: `why`, `errata`, `diff`, `timeline`, `explain`.

use super::session::{edition, fail, open, say, settle, show, write_json, write_out};
use super::{CLEAN, Common, FOUND};
use crate::Compiled;
use crate::errata::op_name;
use crate::report::Format;
use crate::source::Files;
use crate::{compare, diff, rules, suggest, timeline, why};

pub(super) fn explain_value(reference: &str, common: &Common, format: Format) -> u8 {
    let run = || -> Result<u8, u8> {
        let edition = edition(common, &common.errata)?;
        let mut session = open(common, &edition)?;
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
            let (found, status) = settle(std::mem::take(&mut session.sink), &session, common)?;
            if status != CLEAN && session.games.iter().all(|game| game.model.is_none()) {
                show(&found, &session.files, common, format);
                return Ok(status);
            }
            if ambiguous.is_empty() {
                let help = suggest::did_you_mean(&near).map_or_else(String::new, |help| format!("; {help}"));
                say(&format!("orbat: nothing is called `{reference}`{help}"));
            } else {
                say(&format!(
                    "orbat: `{reference}` may mean {} things: {}",
                    ambiguous.len(),
                    ambiguous.join(", ")
                ));
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

pub(super) fn errata(common: &Common, format: Format) -> u8 {
    let run = || -> Result<u8, u8> {
        let edition = edition(common, &common.errata)?;
        let mut session = open(common, &edition)?;
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
        let (found, status) = settle(std::mem::take(&mut session.sink), &session, common)?;
        if format == Format::Text {
            show(&found, &session.files, common, format);
        }
        Ok(status)
    };
    run().unwrap_or_else(|status| status)
}

pub(super) fn errata_text(files: &Files, game: &Compiled) -> String {
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

pub(super) fn errata_json(files: &Files, game: &Compiled) -> Vec<serde_json::Value> {
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

pub(super) fn compare(from: &str, to: &str, common: &Common, format: Format) -> u8 {
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
                let mut broken = if old.model.is_none() { a } else { b };
                let (found, status) = settle(std::mem::take(&mut broken.sink), &broken, common)?;
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

pub(super) fn compare_games(which: &[String], common: &Common, format: Format) -> u8 {
    let run = || -> Result<u8, u8> {
        let mut common = common.clone();
        common.games.extend(which.iter().cloned());
        let mut session = open(&common, &edition(&common, &common.errata)?)?;
        // A game that cannot be compiled has no say; what is wrong with it is shown instead.
        if session.games.len() < 2 && session.games.iter().all(|game| game.model.is_some()) {
            return Err(fail("there is nothing to compare: name two games"));
        }
        if session.games.len() < 2 || session.games.iter().any(|game| game.model.is_none()) {
            let (found, status) = settle(std::mem::take(&mut session.sink), &session, &common)?;
            show(&found, &session.files, &common, format);
            return Ok(status.max(FOUND));
        }
        let games: Vec<&Compiled> = session.games.iter().collect();
        let comparison = compare::compare(&games);
        if format == Format::Text {
            write_out(&compare::to_text(&comparison));
        } else {
            write_json(&comparison);
        }
        Ok(CLEAN)
    };
    run().unwrap_or_else(|status| status)
}

pub(super) fn timeline(id: &str, at: Option<&str>, common: &Common, format: Format) -> u8 {
    let run = || -> Result<u8, u8> {
        let mut session = open(common, &edition(common, &common.errata)?)?;
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
            let (found, status) = settle(std::mem::take(&mut session.sink), &session, common)?;
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
            // Of what comes by chance the list tells once, in the first turn in which it can.
            for moment in &mut moments {
                moment.perhaps.retain(|event| event.turn == moment.turn);
            }
            moments.retain(|moment| {
                let leaves = moment.leaving.iter().any(|event| event.turn == moment.turn);
                moment.turn == 1 || leaves || !moment.arriving.is_empty() || !moment.perhaps.is_empty()
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

pub(super) fn explain_all() -> u8 {
    write_out(&rules::page());
    CLEAN
}

pub(super) fn explain(code: Option<&str>) -> u8 {
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
                let help = rules::near(code);
                fail(&format!("no diagnostic has the code `{code}`; {help}"))
            }
        },
    }
}
