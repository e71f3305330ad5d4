//! Places that contradict themselves, and deployments that have none.

use std::collections::BTreeSet;

use super::super::Check;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::Model;
use crate::place::Place;
use crate::scenario::Direction;
use crate::source::Span;

pub(in crate::check) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "bad-place",
    severity: Severity::Error,
    summary: "a place says nothing, or two things that exclude each other",
    explanation: "What a `place` says holds all at once: `{ on = [\"mill-hill\"], map = \"A\" }`. One hex (`hex`) and listed \
                  hexes (`hexes`) are exact, so nothing else stands beside them but `except`; beside `anywhere = true` stand \
                  `map` and `except` alone; `within` has either `hexes` or `distance`. One of several places is written \
                  `any_of = [{ … }, { … }]`.

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
place = { hex = \"A0506\", anywhere = true }
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

pub(in crate::check) static NO_PLACE: Rule = Rule {
    code: "no-place",
    severity: Severity::Warning,
    summary: "a scenario sets something up, or lets it arrive, without saying where",
    explanation: "A `[[deploy]]` has no `place`, so that its players are not told where its units start, or an arrival names \
                  none of the game's areas. Write the place, or `place = { anywhere = true }` if the source leaves it to them.

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
place = { anywhere = true }
```
",
};

fn run(game: &Game, model: &Model, sink: &mut Sink) {
    for (index, area) in game.areas.iter().enumerate() {
        if let Some(place) = &area.place {
            let span = game.span(&format!("/areas/{index}/place"));
            judge(&format!("`{}`", area.id), place, span, sink);
        }
    }
    let mut told: BTreeSet<Span> = BTreeSet::new();
    for scenario in &model.scenarios {
        for deployment in &scenario.deployments {
            let subject = format!("`{}`", deployment.id);
            match &deployment.place {
                Some(place) => judge(&subject, place, deployment.place_span, sink),
                None => sink.push(
                    Diagnostic::new(
                        &NO_PLACE,
                        deployment.span,
                        format!("{subject} is set up, but nothing says where"),
                    )
                    .note("without a `place`")
                    .help("write its `place`: `{ anywhere = true }` if the source leaves it to the players"),
                ),
            }
        }
        for movement in &scenario.movements {
            let subject = format!("`{}`", movement.id);
            if let Some(place) = movement.place.as_ref().filter(|_| movement.own) {
                judge(&subject, place, movement.span, sink);
            }
            let is_nowhere = movement.direction == Direction::Arrive
                && movement.areas.is_empty()
                && movement.place.is_none();
            // Several scenarios may have one schedule.
            if is_nowhere && !game.areas.is_empty() && told.insert(movement.span) {
                sink.push(
                    Diagnostic::new(
                        &NO_PLACE,
                        movement.span,
                        format!("{subject} arrives, but nothing says where"),
                    )
                    .note("without `areas`")
                    .help("write the areas, one of which the player chooses, with `|` between"),
                );
            }
        }
    }
}

fn judge(subject: &str, place: &Place, span: Span, sink: &mut Sink) {
    if let Some((said, cure)) = place.contradiction() {
        sink.push(
            Diagnostic::new(&RULE, span, format!("the place of {subject} {said}"))
                .note("this place")
                .help(cure),
        );
    }
}
