//! Arrivals whose turn is not fixed: by a die, after other arrivals, or of the player's choosing. From the rules follow
//! the earliest and latest turn, and how likely each turn is.

use std::collections::BTreeMap;

use super::resolve::Stage;
use super::{Movement, Pool};
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::ArrivalRuleDef;
use crate::suggest;

/// The rules of this stage.
pub static RULES: &[&Rule] = &[&BAD_ARRIVAL];

pub(super) static BAD_ARRIVAL: Rule = Rule {
    code: "bad-arrival",
    severity: Severity::Error,
    summary: "it cannot be told when something arrives",
    explanation: "An arrival has exactly one of `at` (a turn; with `by`, the first turn in which the die is tried), `after` (the \
                  arrivals that it follows, with `turns_after`) and `pool`. The rules, arrivals and pools named must exist, \
                  and no arrival can wait for itself.

Wrong:

```toml + oob/demo/game.toml

[[arrival_rules]]
id = \"delayed\"
name = \"Delayed\"
die = 6
succeeds_up_to = [3, 6]
```

```toml scenarios/demo/battle.toml
id = \"battle\"
title = \"The Battle\"
source = \"made up\"
start = \"1800-06-01 0800\"
end = \"1800-06-01 1200\"
reductions = [\"tired\"]

[[deploy]]
id = \"red-line\"
side = \"red\"
units = \"North\"
supply = { wagon = 1 }
place = { hex = \"A0505\" }

[[deploy]]
id = \"blue-line\"
side = \"blue\"
units = \"West\"
place = { hex = \"A1010\" }

[[reinforcements.extra]]
id = \"south\"
side = \"red\"
units = \"South\"
areas = [\"1\"]
at = \"1800-06-01 0900\"
by = \"dice\"
```

Right:

```toml + oob/demo/game.toml

[[arrival_rules]]
id = \"delayed\"
name = \"Delayed\"
die = 6
succeeds_up_to = [3, 6]
```

```toml scenarios/demo/battle.toml
id = \"battle\"
title = \"The Battle\"
source = \"made up\"
start = \"1800-06-01 0800\"
end = \"1800-06-01 1200\"
reductions = [\"tired\"]

[[deploy]]
id = \"red-line\"
side = \"red\"
units = \"North\"
supply = { wagon = 1 }
place = { hex = \"A0505\" }

[[deploy]]
id = \"blue-line\"
side = \"blue\"
units = \"West\"
place = { hex = \"A1010\" }

[[reinforcements.extra]]
id = \"south\"
side = \"red\"
units = \"South\"
areas = [\"1\"]
at = \"1800-06-01 0900\"
by = \"delayed\"
```

",
};

/// How the turn of an arrival comes about.
#[derive(Debug, Clone, PartialEq)]
pub struct Coming {
    /// By what.
    pub how: How,
    /// The latest turn, as an index into the calendar or beyond its end.
    pub latest: usize,
    /// How likely each turn is, by its index. Of what the player designates: if it is designated as early as possible.
    pub odds: Vec<(usize, f64)>,
}

/// By what the turn of an arrival is decided.
#[derive(Debug, Clone, PartialEq)]
pub enum How {
    /// By a die, by one of the game's rules, from a turn on.
    Die {
        /// The rule, as an index into the game's.
        rule: usize,
    },
    /// By other arrivals: so many turns after the last of them.
    After {
        /// The ids of the arrivals.
        entries: Vec<String>,
        /// How many turns.
        turns: usize,
    },
    /// By the player, out of a pool.
    Chosen {
        /// The pool, as an index into the scenario's.
        pool: usize,
        /// What it counts as there.
        class: Option<String>,
    },
}

/// An arrival as the sum of what decides it: for each die that is rolled, how many turns after it.
type Terms = BTreeMap<usize, usize>;

/// What decides an arrival by itself.
struct Root {
    /// How likely each turn is.
    odds: Vec<(usize, f64)>,
    /// The earliest and the latest turn.
    window: (usize, usize),
}

/// How likely each turn is for what is tried from a turn on.
fn tried(rule: &ArrivalRuleDef, from: usize) -> Vec<(usize, f64)> {
    let mut still = 1.0;
    let mut odds = Vec::new();
    for (attempt, succeeds) in rule.succeeds_up_to.iter().enumerate() {
        let chance = f64::from((*succeeds).min(rule.die)) / f64::from(rule.die);
        odds.push((from + attempt, still * chance));
        still *= 1.0 - chance;
    }
    odds.retain(|(_, chance)| *chance > 0.0);
    odds
}

/// Works out the turns of a scenario's arrivals, each of which has been resolved as far as it can be alone.
pub(super) fn settle(stage: Stage<'_>, movements: &mut [Movement], pools: &[Pool], sink: &mut Sink) {
    let ids: BTreeMap<String, usize> = movements
        .iter()
        .enumerate()
        .map(|(index, movement)| (movement.id.clone(), index))
        .collect();
    let roots: Vec<Root> = movements
        .iter()
        .map(|movement| root(stage, movement, pools))
        .collect();
    let mut terms: Vec<Option<Terms>> = movements
        .iter()
        .enumerate()
        .map(
            |(index, movement)| match movement.coming.as_ref().map(|coming| &coming.how) {
                Some(How::After { .. }) => None,
                _ => Some(Terms::from([(index, 0)])),
            },
        )
        .collect();
    // What waits for others is known once they are; a pass without progress leaves what waits in a circle.
    loop {
        let mut progress = false;
        for index in 0..movements.len() {
            if terms[index].is_some() {
                continue;
            }
            let Some(How::After { entries, turns }) =
                movements[index].coming.as_ref().map(|coming| &coming.how)
            else {
                continue;
            };
            let others: Vec<usize> = entries.iter().filter_map(|id| ids.get(id).copied()).collect();
            if others.len() < entries.len() || others.iter().any(|other| terms[*other].is_none()) {
                continue;
            }
            let mut sum = Terms::new();
            for other in others {
                for (root, later) in terms[other].iter().flatten() {
                    let entry = sum.entry(*root).or_default();
                    *entry = (*entry).max(later + turns);
                }
            }
            terms[index] = Some(sum);
            progress = true;
        }
        if !progress {
            break;
        }
    }
    for index in 0..movements.len() {
        let Some(coming) = &movements[index].coming else {
            continue;
        };
        match &terms[index] {
            Some(terms) => {
                let (earliest, latest, odds) = last_of(terms, &roots);
                let turns = stage.calendar.turns();
                let movement = &mut movements[index];
                movement.turn = earliest.min(turns.len().saturating_sub(1));
                movement.label = turns
                    .get(movement.turn)
                    .map_or(String::new(), |turn| turn.label.clone());
                if let Some(coming) = &mut movement.coming {
                    (coming.latest, coming.odds) = (latest, odds);
                }
            }
            None => unsettled(&movements[index], coming, &ids, sink),
        }
    }
}

fn root(stage: Stage<'_>, movement: &Movement, pools: &[Pool]) -> Root {
    let fixed = || Root {
        odds: vec![(movement.turn, 1.0)],
        window: (movement.turn, movement.turn),
    };
    match movement.coming.as_ref().map(|coming| &coming.how) {
        Some(How::Die { rule }) => {
            let odds = tried(&stage.game.arrival_rules[*rule], movement.turn);
            let window = window(&odds, movement.turn);
            Root { odds, window }
        }
        Some(How::Chosen { pool, .. }) => {
            let pool = &pools[*pool];
            let rule = &stage.game.arrival_rules[pool.rule];
            let odds = tried(rule, pool.then_from);
            let (_, latest) = window(&tried(rule, pool.then_until), pool.then_until);
            let earliest = if pool.file.first_picks.is_empty() {
                pool.then_from
            } else {
                pool.first
            };
            Root {
                odds,
                window: (earliest, latest),
            }
        }
        _ => fixed(),
    }
}

fn window(odds: &[(usize, f64)], otherwise: usize) -> (usize, usize) {
    let first = odds.first().map_or(otherwise, |(turn, _)| *turn);
    let last = odds.last().map_or(otherwise, |(turn, _)| *turn);
    (first, last)
}

/// The window and the odds of the last of several independent turns.
fn last_of(terms: &Terms, roots: &[Root]) -> (usize, usize, Vec<(usize, f64)>) {
    let earliest = terms
        .iter()
        .map(|(root, later)| roots[*root].window.0 + later)
        .max();
    let latest = terms
        .iter()
        .map(|(root, later)| roots[*root].window.1 + later)
        .max();
    let mut turns: Vec<usize> = terms
        .iter()
        .flat_map(|(root, later)| roots[*root].odds.iter().map(move |(turn, _)| turn + later))
        .collect();
    turns.sort_unstable();
    turns.dedup();
    let by = |until: usize| -> f64 {
        terms
            .iter()
            .map(|(root, later)| {
                let odds = roots[*root].odds.iter();
                odds.filter(|(turn, _)| turn + later <= until)
                    .map(|(_, chance)| chance)
                    .sum::<f64>()
            })
            .product()
    };
    let mut before = 0.0;
    let mut odds = Vec::new();
    for turn in turns {
        let now = by(turn);
        if now > before {
            odds.push((turn, now - before));
        }
        before = now;
    }
    (earliest.unwrap_or(0), latest.unwrap_or(0), odds)
}

/// Says why it cannot be told when something arrives.
fn unsettled(movement: &Movement, coming: &Coming, ids: &BTreeMap<String, usize>, sink: &mut Sink) {
    let How::After { entries, .. } = &coming.how else {
        return;
    };
    let unknown: Vec<&String> = entries.iter().filter(|entry| !ids.contains_key(*entry)).collect();
    if unknown.is_empty() {
        sink.push(
            Diagnostic::new(
                &BAD_ARRIVAL,
                movement.span,
                format!(
                    "`{}` waits for {}, which waits for it or cannot arrive",
                    movement.id,
                    suggest::quoted(&entries.iter().map(String::as_str).collect::<Vec<_>>())
                ),
            )
            .note("never arrives"),
        );
    }
    for entry in unknown {
        let known: Vec<&str> = ids.keys().map(String::as_str).collect();
        let mut diagnostic = Diagnostic::new(
            &BAD_ARRIVAL,
            movement.span,
            format!(
                "`{}` comes after `{entry}`, which is no arrival of the scenario",
                movement.id
            ),
        )
        .note("waits for what does not come");
        if let Some(help) = suggest::help(entry, &known) {
            diagnostic = diagnostic.help(help);
        }
        sink.push(diagnostic);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escalating() -> ArrivalRuleDef {
        ArrivalRuleDef {
            id: "escalating".into(),
            name: "escalating".into(),
            die: 6,
            succeeds_up_to: vec![1, 2, 3, 4, 5, 6],
            source: None,
        }
    }

    fn root_from(turn: usize) -> Root {
        let odds = tried(&escalating(), turn);
        let window = window(&odds, turn);
        Root { odds, window }
    }

    /// As counted by hand: 1/6, 5/6 · 2/6, 5/6 · 4/6 · 3/6, …
    #[test]
    fn a_die_that_grows_kinder_succeeds_with_the_sixth_attempt() {
        let odds = tried(&escalating(), 3);
        let expected = [36.0, 60.0, 60.0, 40.0, 50.0 / 3.0, 10.0 / 3.0].map(|part| part / 216.0);
        assert_eq!(odds.len(), 6);
        for (index, ((turn, chance), expected)) in odds.iter().zip(expected).enumerate() {
            assert_eq!(*turn, 3 + index);
            assert!((chance - expected).abs() < 1e-12, "{turn}: {chance} {expected}");
        }
    }

    #[test]
    fn the_last_of_two_is_counted_pair_by_pair() {
        let roots = [root_from(1), root_from(1)];
        let (earliest, latest, odds) = last_of(&Terms::from([(0, 3), (1, 3)]), &roots);
        assert_eq!((earliest, latest), (4, 9));
        for (turn, chance) in &odds {
            let mut counted = 0.0;
            for (a, p) in &roots[0].odds {
                for (b, q) in &roots[1].odds {
                    if a.max(b) + 3 == *turn {
                        counted += p * q;
                    }
                }
            }
            assert!((chance - counted).abs() < 1e-12);
        }
        let whole: f64 = odds.iter().map(|(_, chance)| chance).sum();
        assert!((whole - 1.0).abs() < 1e-12);
    }

    /// What follows the same die twice is not rolled for twice.
    #[test]
    fn one_die_is_one_die() {
        let roots = [root_from(3)];
        let (earliest, latest, odds) = last_of(&Terms::from([(0, 4)]), &roots);
        assert_eq!((earliest, latest), (7, 12));
        assert!((odds[0].1 - 1.0 / 6.0).abs() < 1e-12);
    }
}
