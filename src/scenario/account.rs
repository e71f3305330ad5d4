//! Accounting: what becomes of every unit, leader and wagon of the order of battle in a scenario.
//!
//! What is said outright comes first: set up, arriving, withdrawn, lost, absent. A leader of whom nothing is said goes
//! where his command goes, and a unit that goes with its leader (a headquarters) where he goes. What is left over is
//! reported by the checks.

use std::collections::{BTreeMap, BTreeSet};

use super::resolve::Stage;
use super::{Claim, Direction, Scenario, Standing, State, SupplyStanding};
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::source::Span;
use crate::suggest;

/// The rules of this stage.
pub static RULES: &[&Rule] = &[&UNKNOWN_SET, &UNKNOWN_SUPPLY];

static UNKNOWN_SET: Rule = Rule {
    code: "unknown-reductions",
    severity: Severity::Error,
    summary: "a scenario uses a set of reductions that does not exist",
    explanation:
        "`reductions` lists sets of the table of reductions, whole (`after-first-day`) or by printed group \
                  (`after-first-day/line-04`).

Wrong:

```toml scenarios/demo/second.toml
id = \"second\"
title = \"Second Day\"
source = \"made up\"
extends = \"battle\"
reductions = [\"weary\"]
```

Right:

```toml scenarios/demo/second.toml
id = \"second\"
title = \"Second Day\"
source = \"made up\"
extends = \"battle\"
reductions = [\"tired\"]
```
",
};

static UNKNOWN_SUPPLY: Rule = Rule {
    code: "unknown-supply",
    severity: Severity::Error,
    summary: "a scenario has supply or markers of a kind that does not exist",
    explanation: "`supply = { supply-wagon = 1 }` names kinds of the table `supply`, `markers` ids of the table `markers`.

Wrong:

```toml + scenarios/demo/battle.toml
[[absent]]
side = \"blue\"
supply = { cart = 1 }
reason = \"lost\"
```

Right:

```csv + oob/demo/supply.csv
blue-wagon,blue,wagon,Supply Wagon,1
```

```toml + scenarios/demo/battle.toml
[[absent]]
side = \"blue\"
supply = { wagon = 1 }
reason = \"lost\"
```
",
};

/// Fills in the standings, supply and reductions of a scenario.
pub fn account(stage: Stage<'_>, scenario: &mut Scenario, sink: &mut Sink) {
    let model = stage.model;
    field(stage, scenario);
    let mut units = vec![Standing::default(); model.units.len()];
    let mut leaders = vec![Standing::default(); model.leaders.len()];
    for (number, deployment) in scenario.deployments.iter().enumerate() {
        let made = Claim {
            deployment: Some(number),
            ..Claim::new(State::Deployed, deployment.span)
        };
        deployment
            .units
            .iter()
            .for_each(|unit| units[*unit].say(made.clone()));
        deployment
            .leaders
            .iter()
            .for_each(|leader| leaders[*leader].say(made.clone()));
    }
    for absence in &scenario.absences {
        let made = Claim {
            reason: Some(absence.reason.clone()),
            ..Claim::new(State::Absent, absence.span)
        };
        absence
            .units
            .iter()
            .for_each(|unit| units[*unit].say(made.clone()));
        absence
            .leaders
            .iter()
            .for_each(|leader| leaders[*leader].say(made.clone()));
    }
    for loss in &scenario.losses {
        let made = Claim {
            reason: Some("lost before the start".into()),
            ..Claim::new(State::Lost, loss.span)
        };
        loss.leaders
            .iter()
            .for_each(|leader| leaders[*leader].say(made.clone()));
    }
    scenario.window = window(stage, scenario, sink);
    move_all(scenario, &mut units, &mut leaders);
    for (index, leader) in model.leaders.iter().enumerate() {
        let pool = stage
            .game
            .roles
            .iter()
            .any(|role| role.id == leader.role && role.pool);
        if leaders[index].claims.is_empty() && (pool || !leader.present) {
            let state = if leader.present {
                State::Pool
            } else {
                State::Absent
            };
            let reason = (!leader.present).then(|| "not present".to_owned());
            leaders[index].say(Claim {
                reason,
                ..Claim::new(state, leader.span)
            });
        }
    }
    choose(stage, scenario, &mut units);
    elsewhere(stage, scenario, &mut units, &mut leaders);
    follow(stage, &mut units, &mut leaders);
    scenario.units = units;
    scenario.leaders = leaders;
    supply(stage, scenario, sink);
    reductions(stage, scenario, sink);
}

/// Takes out of every set-up and arrival the alternatives that are not fielded, and what those take the place of that are.
fn field(stage: Stage<'_>, scenario: &mut Scenario) {
    let mut gone: BTreeSet<usize> = BTreeSet::new();
    for (index, unit) in stage
        .model
        .units
        .iter()
        .enumerate()
        .filter(|(_, unit)| !unit.is_fielded())
    {
        if scenario.fields.contains(&index) {
            gone.extend(&unit.instead_of);
        } else {
            gone.insert(index);
        }
    }
    if gone.is_empty() {
        return;
    }
    let deployed = scenario
        .deployments
        .iter_mut()
        .map(|deployment| &mut deployment.units);
    let moving = scenario.movements.iter_mut().map(|movement| &mut movement.units);
    for units in deployed.chain(moving) {
        units.retain(|unit| !gone.contains(unit));
    }
}

/// An alternative that is fielded goes where it is said to go, and what it takes the place of is absent; one that is not
/// fielded is absent.
fn choose(stage: Stage<'_>, scenario: &Scenario, units: &mut [Standing]) {
    let absent = |reason: String, span: Span| Claim {
        reason: Some(reason),
        ..Claim::new(State::Absent, span)
    };
    for (index, unit) in stage.model.units.iter().enumerate() {
        if unit.is_fielded() {
            continue;
        }
        if scenario.fields.contains(&index) {
            for replaced in &unit.instead_of {
                units[*replaced].claims = vec![absent(format!("fielded as {}", unit.name), unit.span)];
            }
        } else {
            let names: Vec<&str> = unit
                .instead_of
                .iter()
                .map(|replaced| stage.model.units[*replaced].name.as_str())
                .collect();
            let reason = format!("an alternative to {}", names.join(" and "));
            units[index].claims = vec![absent(reason, unit.span)];
        }
    }
}

/// Who belongs to the order of battle of another battle is absent.
fn elsewhere(stage: Stage<'_>, scenario: &Scenario, units: &mut [Standing], leaders: &mut [Standing]) {
    let battle = scenario.file.battle.as_ref().or(stage.game.battle.as_ref());
    let stranger = |formation: usize| {
        let of = stage.model.formations[formation].battle.as_ref();
        of.filter(|of| Some(*of) != battle)
    };
    let absent = |of: &str, span: Span| Claim {
        reason: Some(format!("belongs to the order of battle of `{of}`")),
        ..Claim::new(State::Absent, span)
    };
    for (unit, standing) in stage.model.units.iter().zip(units) {
        if let Some(of) = stranger(unit.formation)
            && standing.claims.is_empty()
        {
            standing.say(absent(of, unit.span));
        }
    }
    for (leader, standing) in stage.model.leaders.iter().zip(leaders) {
        if let Some(of) = leader.commands.and_then(stranger)
            && standing.claims.is_empty()
        {
            standing.say(absent(of, leader.span));
        }
    }
}

/// The first and last turn of the schedule that count, as indices into the calendar.
fn window(stage: Stage<'_>, scenario: &Scenario, sink: &mut Sink) -> (usize, usize) {
    let first = scenario.turns.first().map_or(0, |turn| turn.index);
    let last = scenario.turns.last().map_or(0, |turn| turn.index);
    let Some(reinforcements) = &scenario.file.reinforcements else {
        return (first, last);
    };
    let document = stage
        .all
        .iter()
        .map(|(document, _)| document)
        .find(|document| document.file == scenario.source);
    let mut moment = |text: &Option<String>, key: &str, otherwise: usize| {
        let span = document.map_or(Span::file_start(scenario.source), |document| {
            document.span(&format!("/reinforcements/{key}"))
        });
        text.as_ref()
            .and_then(|text| stage.turn(text, span, sink))
            .unwrap_or(otherwise)
    };
    (
        moment(&reinforcements.from, "from", first),
        moment(&reinforcements.until, "until", last),
    )
}

/// What the schedule and the scenario's own arrivals say.
fn move_all(scenario: &Scenario, units: &mut [Standing], leaders: &mut [Standing]) {
    let (Some(first), Some(last)) = (scenario.turns.first(), scenario.turns.last()) else {
        return;
    };
    let (from, until) = scenario.window;
    for (number, movement) in scenario.movements.iter().enumerate() {
        let mut say = |state: State, reason: Option<String>| {
            let made = Claim {
                movement: Some(number),
                reason,
                ..Claim::new(state, movement.units_span)
            };
            movement
                .units
                .iter()
                .for_each(|unit| units[*unit].say(made.clone()));
            let made = Claim {
                span: movement.leaders_span,
                ..made
            };
            movement
                .leaders
                .iter()
                .for_each(|leader| leaders[*leader].say(made.clone()));
        };
        let inside = (movement.own || (from..=until).contains(&movement.turn))
            && movement.turn >= first.index
            && movement.turn <= last.index;
        match movement.direction {
            Direction::Arrive if inside && movement.optional => say(State::Optional, None),
            Direction::Arrive if inside => say(State::Arrives, None),
            Direction::Arrive if movement.turn > until.min(last.index) => {
                say(
                    State::Later,
                    Some(format!(
                        "arrives {}, which this scenario does not reach",
                        movement.label
                    )),
                );
            }
            Direction::Arrive if movement.optional => {
                say(
                    State::Optional,
                    Some(format!("would have arrived {}", movement.label)),
                );
            }
            Direction::Arrive => {}
            Direction::Withdraw if movement.turn < first.index => {
                say(State::Withdrawn, Some(format!("withdrawn by {}", movement.label)));
            }
            Direction::Withdraw if movement.turn <= last.index => {
                movement
                    .units
                    .iter()
                    .for_each(|unit| units[*unit].withdrawal = Some(number));
                movement
                    .leaders
                    .iter()
                    .for_each(|leader| leaders[*leader].withdrawal = Some(number));
            }
            Direction::Withdraw => {}
        }
    }
    for standing in units.iter_mut().chain(leaders.iter_mut()) {
        settle(standing);
    }
}

/// What is withdrawn before the start, or comes optionally, need not be said to have arrived; what leaves later than it
/// comes is judged by the checks.
fn settle(standing: &mut Standing) {
    if standing
        .claims
        .iter()
        .any(|claim| claim.state == State::Withdrawn)
    {
        standing.claims.retain(|claim| claim.state != State::Optional);
    }
}

/// Leaders go where their command goes, and headquarters where their leader goes.
fn follow(stage: Stage<'_>, units: &mut [Standing], leaders: &mut [Standing]) {
    let model = stage.model;
    let attached = |unit: usize| {
        stage
            .game
            .kind(&model.units[unit].kind)
            .is_some_and(|kind| kind.with_leader)
    };
    let mut best: BTreeMap<usize, Claim> = BTreeMap::new();
    for (index, unit) in model.units.iter().enumerate() {
        if attached(index) {
            continue;
        }
        let Some(claim) = units[index].claim() else {
            continue;
        };
        let mut formation = Some(unit.formation);
        while let Some(at) = formation {
            let known = best.get(&at);
            if known.is_none_or(|known| rank(claim) < rank(known)) {
                best.insert(at, claim.clone());
            }
            formation = model.formations[at].parent;
        }
    }
    for (index, leader) in model.leaders.iter().enumerate() {
        if leaders[index].claims.is_empty()
            && let Some(claim) = leader.commands.and_then(|formation| best.get(&formation))
        {
            leaders[index].say(following(claim));
        }
    }
    for (index, unit) in model.units.iter().enumerate() {
        if !attached(index) || !units[index].claims.is_empty() {
            continue;
        }
        // A headquarters outlives its leader: it then goes where his command goes.
        let leader = model.formations[unit.formation].leader;
        let leader = leader.filter(|leader| leaders[*leader].state() != Some(State::Lost));
        let claim = match leader {
            Some(leader) => leaders[leader].claim().cloned(),
            None => best.get(&unit.formation).cloned(),
        };
        if let Some(claim) = &claim {
            units[index].say(following(claim));
        }
        units[index].withdrawal = leader.and_then(|leader| leaders[leader].withdrawal);
    }
}

fn following(claim: &Claim) -> Claim {
    Claim {
        follows: true,
        ..claim.clone()
    }
}

/// Which of several states of a command is its leader's: he is with what is there first.
fn rank(claim: &Claim) -> (State, Option<usize>) {
    (claim.state, claim.movement)
}

/// Whether supply of a kind may stand in a record that was left out because something in it is wrong.
fn may_be_left_out(stage: Stage<'_>, kind: &str) -> bool {
    let Some(table) = stage.records.table("supply") else {
        return false;
    };
    let is_known = |kind: &str| stage.game.kinds.iter().any(|known| known.id == kind);
    let mut broken = stage.broken.rows_of("supply");
    broken.any(|row| {
        table
            .text(row, "kind")
            .is_none_or(|other| other == kind || !is_known(other))
    })
}

fn supply(stage: Stage<'_>, scenario: &mut Scenario, sink: &mut Sink) {
    let model = stage.model;
    let find = |side: &str, kind: &str| {
        model
            .supply
            .iter()
            .position(|item| item.side.as_deref() == Some(side) && item.kind.as_deref() == Some(kind))
    };
    let mut standings: Vec<SupplyStanding> = (0..model.supply.len())
        .map(|item| SupplyStanding {
            item,
            deployed: Vec::new(),
            arriving: Vec::new(),
            absent: 0,
        })
        .collect();
    let mut kinds: Vec<&str> = model
        .supply
        .iter()
        .filter_map(|item| item.kind.as_deref())
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    let mut unknown = |kind: &str, side: &str, span: Span| {
        stage.doubtful_sides.borrow_mut().insert(side.to_owned());
        if may_be_left_out(stage, kind) {
            return;
        }
        sink.push(
            Diagnostic::new(
                &UNKNOWN_SUPPLY,
                span,
                format!("no supply is of the kind `{kind}`"),
            )
            .word(kind)
            .note("no such kind")
            .help(
                suggest::help(kind, &kinds)
                    .unwrap_or_else(|| "the kinds are those of the table `supply`".to_owned()),
            ),
        );
    };
    for (number, deployment) in scenario.deployments.iter().enumerate() {
        for (kind, count) in &deployment.supply {
            match find(&deployment.side, kind) {
                Some(item) => standings[item].deployed.push((number, *count)),
                None => unknown(kind, &deployment.side, deployment.supply_span),
            }
        }
    }
    let first = scenario.turns.first().map_or(0, |turn| turn.index);
    let last = scenario.turns.last().map_or(0, |turn| turn.index);
    let (from, until) = scenario.window;
    for (number, movement) in scenario.movements.iter().enumerate() {
        for (kind, count) in &movement.supply {
            match find(&movement.side, kind) {
                Some(item) if movement.turn > until.min(last) && !movement.own => {
                    standings[item].absent += count
                }
                Some(item) if movement.turn >= if movement.own { first } else { from.max(first) } => {
                    standings[item].arriving.push((number, *count));
                }
                Some(_) => {}
                None => unknown(kind, &movement.side, movement.supply_span),
            }
        }
    }
    for absence in &scenario.absences {
        for (kind, count) in &absence.supply {
            match find(&absence.side, kind) {
                Some(item) => standings[item].absent += count,
                None => unknown(kind, &absence.side, absence.supply_span),
            }
        }
    }
    // What came before the start only if the players wanted it, and is not set up, is not in the scenario.
    for movement in scenario
        .movements
        .iter()
        .filter(|movement| movement.optional && movement.turn < first)
    {
        for (kind, count) in &movement.supply {
            if let Some(item) = find(&movement.side, kind) {
                let there_are = model.supply[item].count.unwrap_or(0);
                let left = there_are - i64::from(standings[item].accounted());
                standings[item].absent += (*count).min(left.max(0) as u32);
            }
        }
    }
    scenario.supply = standings;
}

fn reductions(stage: Stage<'_>, scenario: &mut Scenario, sink: &mut Sink) {
    for wanted in &scenario.file.reductions {
        let (set, line) = match wanted.split_once('/') {
            Some((set, line)) => (set, Some(line)),
            None => (wanted.as_str(), None),
        };
        let mut any = false;
        for reduction in &stage.model.reductions {
            if reduction.set == set && (line.is_none() || line == reduction.line.as_deref()) {
                any = true;
                scenario
                    .reduced
                    .entry(reduction.unit)
                    .or_default()
                    .insert(reduction.attribute.clone(), (reduction.value, reduction.span));
            }
        }
        // Where a line of the set is left out of the model, why was said there.
        any |= stage.records.table("reductions").is_some_and(|table| {
            table.rows().any(|row| {
                table.text(row, "set") == Some(set) && (line.is_none() || line == table.text(row, "line"))
            })
        });
        // A variant uses the sets of what it extends; that is told of what it extends.
        let own = stage.all.iter().map(|(document, _)| document);
        let own =
            own.filter(|document| document.file == scenario.source && document.reductions.contains(wanted));
        for document in own.filter(|_| !any) {
            let item = document.reductions.iter().position(|name| name == wanted);
            let mut known: Vec<String> = Vec::new();
            for reduction in &stage.model.reductions {
                known.push(reduction.set.clone());
                let line = reduction.line.iter();
                known.extend(line.map(|line| format!("{}/{line}", reduction.set)));
            }
            known.sort_unstable();
            known.dedup();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            sink.push(
                Diagnostic::new(
                    &UNKNOWN_SET,
                    document.span(&format!("/reductions/{}", item.unwrap_or(0))),
                    format!(
                        "`{}` uses the reductions `{wanted}`, which do not exist",
                        scenario.file.id
                    ),
                )
                .note("no such set or line")
                .help(
                    suggest::help(wanted, &known)
                        .unwrap_or_else(|| "see the sets and lines of the table of reductions".to_owned()),
                ),
            );
        }
    }
}
