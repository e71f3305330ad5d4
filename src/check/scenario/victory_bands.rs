//! Levels of victory that overlap or leave a gap.

use super::super::Check;
use super::at;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::Model;
use crate::scenario::Scenario;
use crate::scenario::definition::LevelDef;

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

fn run(_: &Game, model: &Model, sink: &mut Sink) {
    for scenario in &model.scenarios {
        let mut measures: Vec<&str> = scenario
            .file
            .levels
            .iter()
            .filter_map(|level| level.measure.as_deref())
            .collect();
        measures.sort_unstable();
        measures.dedup();
        for measure in measures {
            judge(scenario, measure, sink);
        }
    }
}

fn judge(scenario: &Scenario, measure: &str, sink: &mut Sink) {
    let mut report = |message: String| {
        sink.push(
            Diagnostic::new(
                &RULE,
                at(scenario, "levels"),
                format!("`{}`: {message}", scenario.file.id),
            )
            .note("the levels of victory")
            .help("let each level begin exactly where the one before it ends"),
        );
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
            report(format!(
                "the level “{}” has a bound that is no number",
                level.name
            ));
            return;
        };
        bands.push((level, from, to));
    }
    bands.sort_by(|a, b| {
        let key = |end: &End| end.map_or(f64::NEG_INFINITY, |(value, _)| value);
        key(&a.1).total_cmp(&key(&b.1))
    });
    for (level, from, to) in &bands {
        if let (Some((from, open)), Some((to, closed))) = (from, to)
            && (from > to || (from == to && !(*open && *closed)))
        {
            report(format!("no result can be “{}”", level.name));
            return;
        }
    }
    if let (Some((low, Some(_), _)), Some((high, _, to))) = (bands.first(), bands.last()) {
        report(format!("results below “{}” have no level", low.name));
        if to.is_none() {
            return;
        }
        report(format!("results above “{}” have no level", high.name));
    } else if let Some((high, _, Some(_))) = bands.last() {
        report(format!("results above “{}” have no level", high.name));
    }
    for pair in bands.windows(2) {
        let [(low, _, to), (high, from, _)] = pair else {
            continue;
        };
        match (to, from) {
            (Some((to, closed)), Some((from, open))) => {
                if to < from || (to == from && !closed && !open) {
                    report(format!(
                        "between “{}” and “{}” there is a gap",
                        low.name, high.name
                    ));
                } else if to > from || (*closed && *open) {
                    report(format!("“{}” and “{}” overlap", low.name, high.name));
                }
            }
            _ => report(format!("“{}” and “{}” overlap", low.name, high.name)),
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
