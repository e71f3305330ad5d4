//! Places that do not exist: hexes off the map, unknown terrain.

use super::super::Check;
use crate::cell::{self, Wanted};
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::Model;
use crate::place::{Place, Spot, spot};
use crate::scenario::Deployment;
use crate::source::Span;
use crate::suggest;

pub(in crate::check) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "off-map",
    severity: Severity::Error,
    summary: "a place names a hex that is not on its map, or terrain that nothing declares",
    explanation: "Hexes are a map's letter, two digits of hexrow and two of column (`B0832`); hexrows are written `B3400`, \
                  columns `C..29`. Terrain is named by the ids of `[[features]]` in `game.toml`. A number outside the map's \
                  extent is most often a misprint with two digits exchanged.

Wrong:

```toml scenarios/demo/second.toml
id = \"second\"
title = \"Second Day\"
source = \"made up\"
extends = \"battle\"

[[reinforcements.replace]]
entry = \"south\"
drop = true

[[deploy]]
id = \"red-right\"
side = \"red\"
units = \"South\"
place = { hex = \"A5005\" }
```

Right:

```toml scenarios/demo/second.toml
id = \"second\"
title = \"Second Day\"
source = \"made up\"
extends = \"battle\"

[[reinforcements.replace]]
entry = \"south\"
drop = true

[[deploy]]
id = \"red-right\"
side = \"red\"
units = \"South\"
place = { hex = \"A0506\" }
```
",
};

fn run(game: &Game, model: &Model, sink: &mut Sink) {
    if game.maps.is_empty() && game.features.is_empty() {
        return;
    }
    for (index, area) in game.areas.iter().enumerate() {
        if let Some(place) = &area.place {
            judge(
                game,
                &[],
                place,
                game.span(&format!("/areas/{index}/place")),
                sink,
            );
        }
    }
    for scenario in &model.scenarios {
        for deployment in &scenario.deployments {
            if let Some(place) = &deployment.place {
                judge(game, &scenario.deployments, place, deployment.place_span, sink);
            }
        }
        for movement in scenario.movements.iter().filter(|movement| movement.own) {
            if let Some(place) = &movement.place {
                judge(game, &scenario.deployments, place, movement.span, sink);
            }
        }
    }
}

fn judge(game: &Game, deployments: &[Deployment], place: &Place, span: Span, sink: &mut Sink) {
    place.each_name(&mut |key, name| {
        let known = game.features.iter().any(|feature| feature.id == name)
            || deployments.iter().any(|deployment| deployment.id == name);
        if known {
            return;
        }
        match spot(&game.maps, name) {
            Some(spot) if spot.is_on_map() => {}
            Some(spot) => {
                let map = match spot {
                    Spot::Hex(map, ..) | Spot::Row(map, _) | Spot::Column(map, _) => map,
                };
                let mut diagnostic = Diagnostic::new(&RULE, span, format!("`{name}` is not on {}", map.name))
                    .word(name)
                    .note(format!("`{key}` names it"));
                let swapped = swapped(name).filter(|other| {
                    crate::place::spot(&game.maps, other).is_some_and(|spot| spot.is_on_map())
                });
                let extent = format!(
                    "it has hexrows {} to {} and columns {} to {}",
                    map.rows[0], map.rows[1], map.columns[0], map.columns[1]
                );
                diagnostic = diagnostic.help(match swapped {
                    Some(other) => format!("{extent}; was `{other}` meant, with two digits exchanged?"),
                    None => extent,
                });
                sink.push(diagnostic);
            }
            None => {
                let ids: Vec<&str> = game.features.iter().map(|feature| feature.id.as_str()).collect();
                let mut diagnostic = Diagnostic::new(
                    &RULE,
                    span,
                    format!("`{name}` is no hex and no terrain that is declared"),
                )
                .word(name)
                .note(format!("`{key}` names it"));
                diagnostic = diagnostic.help(match meant(game, name) {
                    Some(hex) => format!("did you mean `{hex}`? {}", how_written(&hex, name)),
                    None => match suggest::closest(name, ids.iter().copied()) {
                        Some(near) => match cell::unseen(name) {
                            Some((kind, _)) => format!("did you mean `{near}`? this holds {}", kind.name()),
                            None => format!("did you mean `{near}`?"),
                        },
                        None => advice(game, name),
                    },
                });
                sink.push(diagnostic);
            }
        }
    });
}

/// A hex with the digits of its column exchanged.
fn swapped(name: &str) -> Option<String> {
    if !name.is_ascii() || name.len() < 2 {
        return None;
    }
    let (head, tail) = name.split_at(name.len() - 2);
    let mut digits: Vec<char> = tail.chars().collect();
    digits.reverse();
    let other: String = digits.into_iter().collect();
    (other != tail).then(|| format!("{head}{other}"))
}

/// The hex on a map that a text is meant to be, if letters in it stand for digits, or its letters are of another case or
/// alphabet, or something stands between its parts.
fn meant(game: &Game, name: &str) -> Option<String> {
    let mut forms = vec![name.to_owned()];
    forms.extend(cell::may_have_been(name, Wanted::Word));
    for form in forms {
        let bare: String = form
            .chars()
            .filter(|c| !matches!(c, ' ' | '-' | '.' | ',' | '/'))
            .collect();
        for map in &game.maps {
            let Some((letter, number)) = bare.split_at_checked(map.id.len()) else {
                continue;
            };
            if !letter.eq_ignore_ascii_case(&map.id) {
                continue;
            }
            let mut numbers = vec![number.to_owned()];
            numbers.extend(cell::may_have_been(number, Wanted::Integer));
            let mut hexes = numbers.into_iter().map(|number| format!("{}{number}", map.id));
            let found =
                hexes.find(|hex| *hex != name && spot(&game.maps, hex).is_some_and(|spot| spot.is_on_map()));
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// What a hex that is nearly right has for what it should have.
fn how_written(hex: &str, name: &str) -> &'static str {
    let length = |text: &str| text.chars().count();
    if hex.eq_ignore_ascii_case(name) {
        "a map is named as `game.toml` spells it"
    } else if length(hex) != length(name) {
        "nothing stands between the letter and the digits"
    } else {
        "letters stand where digits belong, or are of another alphabet"
    }
}

/// What to do about a name that is neither a hex nor terrain.
fn advice(game: &Game, name: &str) -> String {
    for map in &game.maps {
        let Some(number) = name.strip_prefix(map.id.as_str()) else {
            continue;
        };
        if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
            let digits = map.pattern.len();
            return format!(
                "a hex of {} is `{}` and {digits} digits, {}",
                map.name, map.id, map.pattern
            );
        }
    }
    "declare it as `[[features]]` in `game.toml`; hexes need their map's letter".to_owned()
}
