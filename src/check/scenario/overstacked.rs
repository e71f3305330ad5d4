//! More units set up in one hex than may stand there.

use std::collections::{BTreeMap, BTreeSet};

use super::super::Check;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::{Basis, Game, StackingDef};
use crate::model::Model;
use crate::scenario::{Deployment, Scenario};

pub(in crate::check) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "overstacked",
    severity: Severity::Warning,
    summary: "a set-up puts more into one hex than may stand there",
    explanation: "`[stacking]` in `game.toml` gives the most units and points of a hex, and what a hex may hold of units in \
                  reserve: that many points, or one whole formation. A deployment that may exceed the limits says \
                  `overstack = true`.

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
place = { hex = \"A0505\" }
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
    let Some(stacking) = &game.stacking else {
        return;
    };
    for scenario in &model.scenarios {
        let mut by_hex: BTreeMap<&str, Vec<&Deployment>> = BTreeMap::new();
        for deployment in &scenario.deployments {
            if let Some(hex) = deployment.place.as_ref().and_then(|place| place.hex.as_deref()) {
                by_hex.entry(hex).or_default().push(deployment);
            }
        }
        for (hex, deployments) in by_hex {
            judge(model, scenario, stacking, hex, &deployments, sink);
        }
    }
}

fn judge(
    model: &Model,
    scenario: &Scenario,
    stacking: &StackingDef,
    hex: &str,
    deployments: &[&Deployment],
    sink: &mut Sink,
) {
    let units: Vec<usize> = deployments
        .iter()
        .flat_map(|deployment| &deployment.units)
        .copied()
        .collect();
    if units.is_empty() || deployments.iter().any(|deployment| deployment.overstack) {
        return;
    }
    let points = certain_points(model, scenario, stacking, &units);
    let in_reserve = stacking.reserve_status.is_some()
        && deployments
            .iter()
            .all(|deployment| deployment.status == stacking.reserve_status);
    let (too_much, limit) = if in_reserve {
        let formations: BTreeSet<usize> = units.iter().map(|unit| model.units[*unit].formation).collect();
        let most = stacking.reserve_points.unwrap_or(stacking.points);
        (
            formations.len() > 1 && points > most,
            format!("{most} points in reserve"),
        )
    } else {
        (
            units.len() > stacking.units as usize || points > stacking.points,
            format!("{} units and {} points", stacking.units, stacking.points),
        )
    };
    if !too_much {
        return;
    }
    let mut diagnostic = Diagnostic::new(
        &RULE,
        deployments[0].place_span,
        format!(
            "`{}` sets up {} units with at least {points} points in {hex}, where {limit} may stand",
            scenario.file.id,
            units.len()
        ),
    )
    .word(hex)
    .note(if in_reserve {
        "too much, unless they are one whole formation"
    } else {
        "too much for one hex"
    });
    for other in deployments.iter().skip(1).take(3) {
        diagnostic = diagnostic.label(other.place_span, "and these");
    }
    let cure = "move some of them; where the source allows it, write `overstack = true`";
    diagnostic = diagnostic.help(match &stacking.source {
        Some(source) => format!("{cure} ({source})"),
        None => cure.to_owned(),
    });
    sink.push(diagnostic);
}

/// The least that units can have between them: a reconstructed strength proves nothing, but a formation's printed total
/// does, and so does a value that the source gives.
fn certain_points(model: &Model, scenario: &Scenario, stacking: &StackingDef, units: &[usize]) -> i64 {
    let mut left: BTreeSet<usize> = units.iter().copied().collect();
    let mut points = 0;
    for share in &model.shares {
        let whole = share.units.iter().all(|share| {
            left.contains(&share.unit) && scenario.reduced_to(share.unit, &stacking.attribute).is_none()
        });
        if whole {
            points += share.total;
            share.units.iter().for_each(|share| {
                left.remove(&share.unit);
            });
        }
    }
    for unit in left {
        let own = model.units[unit].attributes.get(&stacking.attribute);
        let certain = own
            .filter(|own| own.basis <= Basis::Deduced)
            .and_then(|own| own.value.integer());
        let reduced = scenario
            .reduced_to(unit, &stacking.attribute)
            .map(|(value, _)| value);
        points += reduced.or(certain).unwrap_or(1);
    }
    points
}
