//! Sheets: the paper that players use, rendered from templates.

use minijinja::context;
use minijinja::value::Serde;
use serde_json::{Value, json};

use super::view::{View, common, view};
use super::{Artifact, Input};
use crate::diagnostic::Sink;
use crate::game::{Per, SheetDef};

/// The formats in which sheets are rendered, by the ending of their template.
pub const FORMATS: [&str; 2] = ["html", "md"];

/// `<game>/sheets/…`: every sheet in every format for which there is a template.
pub fn emit(input: &Input<'_>, sink: &mut Sink) -> Vec<Artifact> {
    let view = view(input.pack, common(input.pack));
    let mut artifacts = Vec::new();
    for sheet in input.sheets {
        for format in formats(input, sheet) {
            artifacts.extend(render(input, &view, sheet, format, &folder(input), None, sink));
        }
    }
    artifacts
}

/// The formats in which a sheet can be rendered. One that has no template at all was reported where it is declared.
pub(super) fn formats(input: &Input<'_>, sheet: &SheetDef) -> Vec<&'static str> {
    FORMATS
        .into_iter()
        .filter(|format| input.templates.has(&format!("{}.{format}", sheet.template)))
        .collect()
}

/// One sheet in one format; only that of the side or formation of an id, where one is given.
pub fn one(
    input: &Input<'_>,
    sheet: &SheetDef,
    format: &str,
    only: Option<&str>,
    sink: &mut Sink,
) -> Vec<Artifact> {
    render(
        input,
        &view(input.pack, common(input.pack)),
        sheet,
        format,
        &folder(input),
        only,
        sink,
    )
}

fn folder(input: &Input<'_>) -> String {
    format!("{}/sheets", input.pack.game.id)
}

/// Renders a sheet with what a view has, to paths in a folder.
pub(super) fn render(
    input: &Input<'_>,
    view: &View,
    sheet: &SheetDef,
    format: &str,
    folder: &str,
    only: Option<&str>,
    sink: &mut Sink,
) -> Vec<Artifact> {
    let template = format!("{}.{format}", sheet.template);
    let mut artifacts = Vec::new();
    let mut make = |path: String, title: &str, sides: &[&Value], formations: &[&Value]| {
        let context = context! {
            sheet => Serde(json!({ "id": sheet.id, "title": title })),
            sides => Serde(sides),
            formations => Serde(formations),
            ..view.common.clone()
        };
        if let Some(text) = input.templates.render(&template, context, input.files, sink) {
            artifacts.push(Artifact {
                path,
                bytes: text.into_bytes(),
            });
        }
    };
    let all_sides: Vec<&Value> = view.sides.iter().collect();
    let some = |all: usize| if input.sample { all.min(1) } else { all };
    match sheet.per {
        Per::Game => make(
            format!("{folder}/{}.{format}", sheet.id),
            &sheet.title,
            &all_sides,
            &chosen(view, sheet, |_| true),
        ),
        Per::Side => {
            for side in &view.sides[..some(view.sides.len())] {
                let id = side["id"].as_str().unwrap_or_default();
                if only.is_none_or(|only| only == id) {
                    make(
                        format!("{folder}/{}-{id}.{format}", sheet.id),
                        &format!("{}: {}", sheet.title, side["name"].as_str().unwrap_or(id)),
                        &[side],
                        &chosen(view, sheet, |formation| formation["side"] == side["id"]),
                    );
                }
            }
        }
        Per::Formation => {
            let formations = chosen(view, sheet, |_| true);
            for formation in &formations[..some(formations.len())] {
                let id = formation["id"].as_str().unwrap_or_default().to_owned();
                if only.is_none_or(|only| only == id) {
                    let title = format!("{}: {}", sheet.title, formation["name"].as_str().unwrap_or(&id));
                    make(
                        format!("{folder}/{}/{id}.{format}", sheet.id),
                        &title,
                        &[],
                        &[*formation],
                    );
                }
            }
        }
    }
    artifacts
}

/// The formations of a sheet's echelons that have units, in the order of the tree.
fn chosen<'v>(view: &'v View, sheet: &SheetDef, keep: impl Fn(&Value) -> bool) -> Vec<&'v Value> {
    fn walk<'v>(nodes: &'v Value, found: &mut Vec<&'v Value>) {
        for node in nodes.as_array().into_iter().flatten() {
            found.push(node);
            walk(&node["formations"], found);
        }
    }
    let mut all = Vec::new();
    for side in &view.sides {
        walk(&side["formations"], &mut all);
    }
    all.into_iter()
        .filter(|node| {
            let echelon = node["echelon"].as_str().unwrap_or_default();
            let has_units = if sheet.whole_tree {
                has_any_units(node)
            } else {
                node["units"].as_array().is_some_and(|units| !units.is_empty())
            };
            has_units && sheet.echelons.iter().any(|wanted| wanted == echelon) && keep(node)
        })
        .collect()
}

/// Whether a formation or one below it has units.
fn has_any_units(node: &Value) -> bool {
    let list = |key: &str| node[key].as_array().into_iter().flatten();
    list("units").next().is_some() || list("formations").any(has_any_units)
}
