//! `orbat new errata`.

use crate::Compiled;

/// The file of a new overlay, by path below the project. Its date follows that of the newest overlay, so that it applies
/// after all others until its author gives it its own.
pub fn erratum(game: &Compiled, id: &str) -> Vec<(String, String)> {
    let definition = &game.contents.game;
    let newest = game
        .contents
        .overlays
        .iter()
        .map(|overlay| overlay.date.as_str())
        .max();
    let date = newest.unwrap_or("2000-01-01");
    let example = game.model.as_ref().and_then(|model| model.units.first());
    let target = example.map_or("a unit", |unit| unit.id.as_str());
    let name = example.map_or("Its name", |unit| unit.name.as_str());
    let text = format!(
        r#"#:schema ../../../schema/overlay.schema.json
# An errata overlay: what one published sheet, or a ruling of your own, changes in the data. Nothing is ever corrected in
# the tables themselves. `orbat errata` says what became of every entry, `orbat diff none all` what changed.

id = "{id}"
title = "The sheet's title"
# The date of publication: overlays apply in order of date, then id.
date = {date}
source = "where it was published"
# "official" for the publisher's errata, "ruling" for a decision of your own where the sources contradict each other.
kind = "ruling"

# Every entry says which rule or page it corrects, in our own words what it says, and what it does. An entry that changes a
# value says what the value was: it refuses to apply to anything else.
[[entries]]
ref = "page 1"
kind = "clarification"
summary = "What the sheet says where it changes no data."
reason = "the evidence, which a ruling must give"
op = "note"

# [[entries]]
# ref = "page 2"
# kind = "correction"
# summary = "The unit's name was misprinted."
# reason = "the evidence"
# op = "rename"              # set, rename, move, add, remove, swap, remap, counter, note
# table = "units"
# target = "{target}"
# was = {{ name = "{name}" }}
# now = {{ name = "…" }}
"#
    );
    vec![(
        format!("{}/{}/errata/{id}.toml", crate::project::OOB, definition.id),
        text,
    )]
}
