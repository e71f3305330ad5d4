//! An arrival through a staging area that is not open to the side, or that does not exist.

use std::collections::{BTreeMap, BTreeSet};

use super::super::Check;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::{AreaDef, Game};
use crate::model::Model;
use crate::scenario::Direction;
use crate::source::Span;
use crate::suggest;

pub(in crate::check) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "closed-area",
    severity: Severity::Error,
    summary: "units arrive through an area that is not open to their side, or that does not exist",
    explanation: "`game.toml` declares the staging areas and the sides to which each is open. Withdrawals may leave through \
                  any area.

Wrong:

```csv scenarios/demo/schedules/main.csv
id,side,day,time,kind,areas,units,leaders
south,red,1800-06-01,0900,arrive,2,South,
```

Right:

```csv scenarios/demo/schedules/main.csv
id,side,day,time,kind,areas,units,leaders
south,red,1800-06-01,0900,arrive,1,South,
```
",
};

fn run(game: &Game, model: &Model, sink: &mut Sink) {
    let mut seen = BTreeSet::new();
    let mut unknown: Unknown<'_> = BTreeMap::new();
    for scenario in &model.scenarios {
        let deployed = scenario.deployments.iter();
        let deployed =
            deployed.filter_map(|deployment| Some((deployment.place.as_ref()?, deployment.place_span)));
        let arriving = scenario.movements.iter();
        let arriving = arriving.filter_map(|movement| Some((movement.place.as_ref()?, movement.span)));
        for (place, span) in deployed.chain(arriving) {
            if let Some(id) = place
                .area
                .as_ref()
                .filter(|id| seen.insert((span, (*id).clone())))
            {
                exists(game, id, span, &mut unknown);
            }
        }
    }
    for movement in model.scenarios.iter().flat_map(|scenario| &scenario.movements) {
        if !seen.insert((movement.areas_span, movement.id.clone())) {
            continue;
        }
        for id in &movement.areas {
            let Some(area) = exists(game, id, movement.areas_span, &mut unknown) else {
                continue;
            };
            if movement.direction == Direction::Arrive && !area.sides.contains(&movement.side) {
                let open: Vec<&str> = game
                    .areas
                    .iter()
                    .filter(|area| area.sides.contains(&movement.side))
                    .map(|area| area.id.as_str())
                    .collect();
                sink.push(
                    Diagnostic::new(
                        &RULE,
                        movement.areas_span,
                        format!("{} is not open to `{}`", area.name, movement.side),
                    )
                    .note("closed to this side")
                    .help(format!("open to it are {}", suggest::quoted(&open))),
                );
            }
        }
    }
    for (id, places) in &unknown {
        tell(game, id, places, sink);
    }
}

/// The ids that no area has, with the places that name them.
type Unknown<'m> = BTreeMap<&'m str, BTreeSet<Span>>;

/// The area of an id; that there is none is remembered.
fn exists<'g, 'm>(game: &'g Game, id: &'m str, span: Span, unknown: &mut Unknown<'m>) -> Option<&'g AreaDef> {
    let found = game.areas.iter().find(|area| area.id == *id);
    if found.is_none() {
        unknown.entry(id).or_default().insert(span);
    }
    found
}

/// Tells of an area that does not exist once, however many name it.
fn tell(game: &Game, id: &str, places: &BTreeSet<Span>, sink: &mut Sink) {
    let ids: Vec<&str> = game.areas.iter().map(|area| area.id.as_str()).collect();
    let mut places_left = places.iter();
    let Some(first) = places_left.next() else {
        return;
    };
    let mut message = format!("there is no area `{id}`");
    if places.len() > 1 {
        message += &format!(", which {} places name", places.len());
    }
    let listed: Vec<&str> = id.split([',', ';', '/']).map(str::trim).collect();
    let mut diagnostic = Diagnostic::new(&RULE, *first, message).note("no such area").help(
        if listed.len() > 1 && listed.iter().all(|id| ids.contains(id)) {
            format!(
                "a list is written with `|` between its parts: `{}`",
                listed.join("|")
            )
        } else {
            format!("the areas are {}", suggest::quoted(&ids))
        },
    );
    for place in places_left.take(3) {
        diagnostic = diagnostic.label(*place, "and here");
    }
    sink.push(diagnostic);
}
