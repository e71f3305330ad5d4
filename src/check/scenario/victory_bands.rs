//! Levels of victory that overlap or leave a gap.

use super::super::Check;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::Model;
use crate::scenario::Scenario;
use crate::scenario::definition::LevelDef;
use crate::source::Span;

pub(in crate::check) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "victory-bands",
    severity: Severity::Error,
    summary: "levels of victory overlap, leave a gap, or have a bound that is no number",
    explanation: "The levels of one measure together cover every result exactly once: where one is `less` than 1.5, the \
                  next is `at_least` 1.5. `over` and `at_least`, `less` and `at_most` are different things.

Wrong:

```toml + scenarios/demo/battle.toml
[[levels]]
name = \"Red victory\"
measure = \"ratio\"
at_least = \"2\"

[[levels]]
name = \"Blue victory\"
measure = \"ratio\"
less = \"1\"
```

Right:

```toml + scenarios/demo/battle.toml
[[levels]]
name = \"Red victory\"
measure = \"ratio\"
at_least = \"1\"

[[levels]]
name = \"Blue victory\"
measure = \"ratio\"
less = \"1\"
```
",
};

/// One end of a band: where it lies and whether the value itself belongs to the band.
type End = Option<(f64, bool)>;

fn run(game: &Game, model: &Model, sink: &mut Sink) {
    for scenario in &model.scenarios {
        let mut measures: Vec<&str> = scenario
            .file
            .levels
            .iter()
            .filter_map(|level| level.measure.as_deref())
            .collect();
        measures.sort_unstable();
        measures.dedup();
        twice(scenario, sink);
        // A measure of a side that does not exist is told of its name.
        for measure in measures
            .into_iter()
            .filter(|measure| unknown_side(game, measure).is_none())
        {
            judge(scenario, measure, sink);
        }
    }
}

/// A side in a measure such as `ratio red:blue` that does not exist.
pub(super) fn unknown_side<'m>(game: &Game, measure: &'m str) -> Option<&'m str> {
    let (_, sides) = measure.split_once(' ')?;
    let (first, second) = sides.trim().split_once(':')?;
    [first, second].into_iter().find(|side| game.side(side).is_none())
}

/// Reports levels that cannot be told apart.
fn twice(scenario: &Scenario, sink: &mut Sink) {
    let levels = &scenario.file.levels;
    for (index, level) in levels.iter().enumerate() {
        // Of what is measured a level is told by its name alone.
        let is_same = |other: &LevelDef| {
            other.name == level.name
                && other.measure == level.measure
                && (level.measure.is_some() || other.side == level.side)
        };
        if !levels[..index].iter().any(is_same) {
            continue;
        }
        let measure = level.measure.as_deref().unwrap_or_default();
        let name = format!("levels/{measure}/{}/name", level.name);
        let span = scenario.spans.get(&name).copied();
        sink.push(
            Diagnostic::new(
                &RULE,
                span.unwrap_or_else(|| super::at(scenario, "levels")),
                format!("`{}`: two levels are called “{}”", scenario.file.id, level.name),
            )
            .note("one of the two")
            .help("give one of them another name, or make one level of them"),
        );
    }
}

fn judge(scenario: &Scenario, measure: &str, sink: &mut Sink) {
    // The place of one of a level's bounds, of its name where it has none.
    let bound = |level: &LevelDef, keys: [&str; 2]| {
        let at = |key: &str| {
            let name = format!("levels/{measure}/{}/{key}", level.name);
            scenario.spans.get(&name).copied()
        };
        let found = keys.into_iter().chain(["name"]).find_map(at);
        found.unwrap_or_else(|| super::at(scenario, "levels"))
    };
    let lower = |level: &LevelDef| bound(level, ["at_least", "over"]);
    let upper = |level: &LevelDef| bound(level, ["at_most", "less"]);
    let mut report = |span: Span, other: Option<Span>, message: String| {
        let mut diagnostic =
            Diagnostic::new(&RULE, span, format!("`{}`: {message}", scenario.file.id)).note("this bound");
        if let Some(other) = other.filter(|other| *other != span) {
            diagnostic = diagnostic.label(other, "the other bound");
        }
        sink.push(diagnostic.help("let each level begin exactly where the one before it ends"));
    };
    let mut bands: Vec<(&LevelDef, End, End)> = Vec::new();
    for level in scenario
        .file
        .levels
        .iter()
        .filter(|level| level.measure.as_deref() == Some(measure))
    {
        let (Ok(from), Ok(to)) = (
            end(level.at_least.as_deref(), level.over.as_deref()),
            end(level.at_most.as_deref(), level.less.as_deref()),
        ) else {
            let bounds = [
                ("at_least", &level.at_least),
                ("over", &level.over),
                ("at_most", &level.at_most),
                ("less", &level.less),
            ];
            for (key, text) in bounds {
                let Some(text) = text.as_deref().filter(|text| text.trim().parse::<f64>().is_err()) else {
                    continue;
                };
                sink.push(
                    Diagnostic::new(
                        &RULE,
                        bound(level, [key, key]),
                        format!(
                            "`{key}` of the level “{}” is `{text}`, which is no number",
                            level.name
                        ),
                    )
                    .note("this bound")
                    .help("a ratio is written as one number: `\"1\"` for 1 to 1, `\"1.5\"` for 3 to 2"),
                );
            }
            return;
        };
        bands.push((level, from, to));
    }
    bands.sort_by(|a, b| {
        // At one value, a band that includes it lies before one that begins beyond it.
        let key = |end: &End| end.map_or((f64::NEG_INFINITY, true), |(value, closed)| (value, closed));
        let (a, b) = (key(&a.1), key(&b.1));
        a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))
    });
    for (level, from, to) in &bands {
        if let (Some((from, open)), Some((to, closed))) = (from, to)
            && (from > to || (from == to && !(*open && *closed)))
        {
            report(
                lower(level),
                Some(upper(level)),
                format!("no result can be “{}”", level.name),
            );
            return;
        }
    }
    if let (Some((low, Some(_), _)), Some((high, _, to))) = (bands.first(), bands.last()) {
        report(
            lower(low),
            None,
            format!("results below “{}” have no level", low.name),
        );
        if to.is_none() {
            return;
        }
        report(
            upper(high),
            None,
            format!("results above “{}” have no level", high.name),
        );
    } else if let Some((high, _, Some(_))) = bands.last() {
        report(
            upper(high),
            None,
            format!("results above “{}” have no level", high.name),
        );
    }
    for pair in bands.windows(2) {
        let [(low, _, to), (high, from, _)] = pair else {
            continue;
        };
        match (to, from) {
            (Some((to, closed)), Some((from, open))) => {
                if to < from || (to == from && !closed && !open) {
                    let message = format!("between “{}” and “{}” there is a gap", low.name, high.name);
                    report(lower(high), Some(upper(low)), message);
                } else if to > from || (*closed && *open) {
                    let message = format!("“{}” and “{}” overlap", low.name, high.name);
                    report(upper(low), Some(lower(high)), message);
                }
            }
            _ => {
                let message = format!("“{}” and “{}” overlap", low.name, high.name);
                report(upper(low), Some(lower(high)), message);
            }
        }
    }
}

/// A bound that includes its value, or one that does not.
fn end(inclusive: Option<&str>, exclusive: Option<&str>) -> Result<End, std::num::ParseFloatError> {
    match (inclusive, exclusive) {
        (Some(text), _) => Ok(Some((text.trim().parse()?, true))),
        (None, Some(text)) => Ok(Some((text.trim().parse()?, false))),
        (None, None) => Ok(None),
    }
}
