//! `orbat new scenario`.

use crate::Compiled;

/// The files of a new scenario, by path below the project: its definition and its briefing.
pub fn scenario(game: &Compiled, id: &str) -> Vec<(String, String)> {
    let definition = &game.contents.game;
    let folder = format!("{}/{}", crate::scenario::FOLDER, definition.id);
    let (start, end) = match game.model.as_ref().map(|model| model.calendar.turns()) {
        Some([first, .., _]) => {
            let turns = game
                .model
                .as_ref()
                .map(|model| model.calendar.turns())
                .unwrap_or_default();
            let last = &turns[turns.len().min(6) - 1];
            (moment(first), moment(last))
        }
        _ => ("1".into(), "6".into()),
    };
    let sides: Vec<&str> = definition.sides.iter().map(|side| side.id.as_str()).collect();
    let mut text = format!(
        r#"#:schema ../../schema/scenario.schema.json
# A scenario. Every unit of the order of battle is accounted for: set up in [[deploy]], arriving by the schedule or in
# [[reinforcements.extra]], or declared [[absent]] with the reason. `orbat check` says who is missing.

id = "{id}"
title = "A new scenario"
source = "where it is printed, or who made it"
briefing = "{id}.md"
start = "{start}"
end = "{end}"
# turns = 6                  # as stated; checked against the calendar
# first_side = "{first}"
# sets_up_first = "{first}"

"#,
        first = sides.first().copied().unwrap_or("red"),
    );
    for side in &sides {
        text.push_str(&format!(
            r#"# Who starts where. `units` is a selection: "3/Heth/III", "4/Heth/III except 11 Miss", "artillery of III", "all".
# [[deploy]]
# id = "{side}-first"
# side = "{side}"
# units = "all"
# place = {{ anywhere = true }}
# status = "reserve"

# Who is not in the scenario. Narrow this as you set units up.
[[absent]]
side = "{side}"
units = "all"
{supply}reason = "not-in-scenario"

"#,
            supply = supply(game, side),
        ));
    }
    text.push_str(
        r#"# [[reinforcements.extra]]
# id = "first-arrival"
# side = "…"
# at = "a turn"
# areas = ["1"]
# units = "…"

# [[victory]]
# side = "…"
# kind = "objective"
# points = 50
# when = "at the end …"

# [[special_rules]]
# title = "…"
# text = "…"
"#,
    );
    vec![
        (format!("{folder}/{id}.toml"), text),
        (
            format!("{folder}/{id}.md"),
            "What has happened so far, and what each side wants. *Markdown*, no HTML.\n".into(),
        ),
    ]
}

fn moment(turn: &crate::calendar::Turn) -> String {
    if turn.date.is_empty() {
        turn.time.clone()
    } else {
        format!("{} {}", turn.date, turn.time)
    }
}

/// All supply of a side, as a line that declares it absent.
fn supply(game: &Compiled, side: &str) -> String {
    let Some(model) = &game.model else {
        return String::new();
    };
    let parts: Vec<String> = model
        .supply
        .iter()
        .filter(|item| item.side.as_deref() == Some(side))
        .filter_map(|item| Some(format!("{} = {}", item.kind.as_ref()?, item.count?)))
        .collect();
    if parts.is_empty() {
        String::new()
    } else {
        format!("supply = {{ {} }}\n", parts.join(", "))
    }
}
