//! `orbat print`.

use super::session::{edition, fail, open, settle, show, write_bytes};
use super::{CLEAN, Print};
use crate::emit::templates::Templates;
use crate::emit::{self, Input};
use crate::report::Format;
use crate::{output, suggest};

pub(super) fn print(arguments: &Print) -> u8 {
    let common = &arguments.common;
    let run = || -> Result<u8, u8> {
        let edition = edition(common, &common.errata)?;
        let mut session = open(common, &edition)?;
        let templates = Templates::load(&mut session.files, &session.root, &mut session.sink)
            .map_err(|error| fail(&error.to_string()))?;
        let mut artifacts = Vec::new();
        let mut sheets: Vec<&str> = vec!["counters"];
        let format = arguments.format.as_deref();
        let mut scenarios: Vec<&String> = Vec::new();
        // Games that know nothing of what `--of` names, and what is near it in them.
        let (mut strangers, mut near) = (0, Vec::new());
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
                scenarios.extend(game.scenarios.iter().map(|scenario| &scenario.id));
                let definitions = &game.contents.game.scenario_sheets;
                sheets.extend(definitions.iter().map(|sheet| sheet.id.as_str()));
                let Some(scenario) = game.scenarios.iter().find(|scenario| scenario.id == *id) else {
                    continue;
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
                    sample: false,
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
                sample: false,
            };
            let before = strangers;
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
                    _ => {
                        if !game.contents.game.sides.iter().any(|side| side.id == *of) {
                            let formations = crate::reference::Named::Formations;
                            near.extend(game.index.suggestions(records, formations, of, None, None));
                            strangers += 1;
                        }
                        of.clone()
                    }
                }
            });
            if strangers > before {
                continue;
            }
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
        let (found, status) = settle(std::mem::take(&mut session.sink), &session, common)?;
        show(&found, &session.files, common, Format::Text);
        if status != CLEAN {
            return Ok(status);
        }
        if !known {
            return Err(fail(&format!("no sheet is called `{}`; {help}", arguments.sheet)));
        }
        if artifacts.is_empty() && strangers > 0 {
            let of = arguments.of.as_deref().unwrap_or_default();
            let help = suggest::did_you_mean(&near)
                .unwrap_or_else(|| "write a formation as its units do, or the id of a side".to_owned());
            return Err(fail(&format!("no formation or side is called `{of}`; {help}")));
        }
        if let Some(id) = arguments.scenario.as_ref().filter(|id| !scenarios.contains(id)) {
            let ids: Vec<&str> = scenarios.iter().map(|id| id.as_str()).collect();
            let help = suggest::help(id, &ids).unwrap_or_default();
            return Err(fail(&format!("no scenario is called `{id}`; {help}")));
        }
        if artifacts.is_empty() {
            let of = arguments.of.as_deref().unwrap_or_default();
            return Err(fail(&format!("`{}` has no sheet for `{of}`", arguments.sheet)));
        }
        let bytes = artifacts.concat();
        match &arguments.output {
            Some(path) => output::write_file(path, &bytes)
                .map_err(|error| fail(&format!("{}: {error}", path.display())))?,
            None => write_bytes(&bytes),
        }
        Ok(CLEAN)
    };
    run().unwrap_or_else(|status| status)
}
