//! Names in a scenario that mean nothing: sides, maps, areas, deployments, objectives, rules, markers, lists, schedules.

use std::collections::BTreeSet;

use super::super::Check;
use super::at;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::Model;
use crate::place::Place;
use crate::scenario::Scenario;
use crate::scenario::definition::LevelDef;
use crate::source::Span;
use crate::suggest;

pub(in crate::check) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "unknown-name",
    severity: Severity::Error,
    summary: "a scenario names a battle, side, map, area, deployment, objective, rule, marker, list or schedule that does not exist",
    explanation: "Everything that a scenario names must be declared: battles, as those of formations or the game's; sides, maps, areas, terrain and optional rules in \
                  `game.toml`, markers in their table, deployments in the scenario itself, schedules as files in \
                  `schedules/`. `replaces` names lists of a scenario, such as `victory`.

Wrong:

```toml scenarios/demo/second.toml
id = \"second\"
title = \"Second Day\"
source = \"made up\"
extends = \"battle\"
first_side = \"bleu\"
```

Right:

```toml scenarios/demo/second.toml
id = \"second\"
title = \"Second Day\"
source = \"made up\"
extends = \"battle\"
first_side = \"blue\"
```
",
};

/// The lists of a scenario that `replaces` may name.
const LISTS: [&str; 9] = [
    "deploy",
    "absent",
    "lost",
    "quota",
    "victory",
    "levels",
    "demoralization",
    "special_rules",
    "releases",
];

fn run(game: &Game, model: &Model, sink: &mut Sink) {
    for scenario in &model.scenarios {
        Names {
            game,
            model,
            scenario,
            sink,
        }
        .run();
    }
}

struct Names<'a> {
    game: &'a Game,
    model: &'a Model,
    scenario: &'a Scenario,
    sink: &'a mut Sink,
}

impl Names<'_> {
    fn run(&mut self) {
        let (game, scenario) = (self.game, self.scenario);
        let file = &scenario.file;
        let sides: Vec<&str> = game.sides.iter().map(|side| side.id.as_str()).collect();
        let maps: Vec<&str> = game.maps.iter().map(|map| map.id.as_str()).collect();
        let rules: Vec<&str> = game.optional_rules.iter().map(|rule| rule.id.as_str()).collect();
        let markers: Vec<&str> = self
            .model
            .markers
            .iter()
            .map(|marker| marker.id.as_str())
            .collect();
        let features = game.features.iter().map(|feature| feature.id.as_str());
        let places: Vec<&str> = features
            .chain(game.areas.iter().map(|area| area.id.as_str()))
            .collect();
        for (what, name) in [
            ("first_side", &file.first_side),
            ("sets_up_first", &file.sets_up_first),
        ] {
            if let Some(name) = name {
                self.known(at(scenario, what), &format!("`{what}`"), name, &sides);
            }
        }
        let battles = super::other_battle::known(game, self.model);
        if let Some(battle) = file.battle.as_ref().filter(|_| !battles.is_empty()) {
            self.known(at(scenario, "battle"), "`battle`", battle, &battles);
        }
        for map in &file.maps {
            self.known(at(scenario, &format!("maps={map}")), "one of `maps`", map, &maps);
        }
        for list in &file.replaces {
            self.known(
                at(scenario, &format!("replaces={list}")),
                "one of `replaces`",
                list,
                &LISTS,
            );
        }
        for victory in &file.victory {
            if let Some(side) = &victory.side {
                let span = at(scenario, &format!("victory/side={side}"));
                self.known(span, "a side of `victory`", side, &sides);
            }
            if let Some(place) = &victory.at {
                let span = at(scenario, &format!("victory/at={place}"));
                self.known(span, "`at` of `victory`", place, &places);
            }
        }
        let mut measures: BTreeSet<Option<&str>> = BTreeSet::new();
        for level in &file.levels {
            // One measure is one fault, of however many levels.
            if measures.insert(level.measure.as_deref()) {
                self.measure(level, &sides);
            }
        }
        for side in file.levels.iter().filter_map(|level| level.side.as_ref()) {
            let span = at(scenario, &format!("levels/side={side}"));
            self.known(span, "a side of `levels`", side, &sides);
        }
        for demoralization in &file.demoralization {
            let span = at(scenario, &format!("demoralization/side={}", demoralization.side));
            self.known(span, "a side of `demoralization`", &demoralization.side, &sides);
        }
        for rule in &file.optional_rules {
            let span = at(scenario, &format!("optional_rules/id={}", rule.id));
            self.known(span, "an optional rule", &rule.id, &rules);
        }
        if let Some(schedule) = file
            .reinforcements
            .as_ref()
            .and_then(|given| given.schedule.as_ref())
        {
            let schedules: Vec<&str> = self.model.schedules.iter().map(String::as_str).collect();
            self.known(at(scenario, "schedule"), "`schedule`", schedule, &schedules);
        }
        for deployment in &scenario.deployments {
            // A marker whose record is wrong exists all the same.
            let is_left_out = |marker: &&String| self.model.may_be_left_out("markers", marker);
            for marker in deployment.markers.keys().filter(|marker| !is_left_out(marker)) {
                self.known(deployment.markers_span, "a marker", marker, &markers);
            }
            if let Some(place) = &deployment.place {
                self.place(deployment.place_span, place);
            }
        }
    }

    /// The sides in a measure such as `ratio red:blue`.
    fn measure(&mut self, level: &LevelDef, sides: &[&str]) {
        let measure = level.measure.as_deref().unwrap_or_default();
        let Some(name) = super::victory_bands::unknown_side(self.game, measure) else {
            return;
        };
        let span = at(self.scenario, &format!("levels/{measure}/{}/measure", level.name));
        self.sink.push(
            Diagnostic::new(
                &RULE,
                span,
                format!(
                    "`measure` of the level “{}” names the side `{name}`, which does not exist",
                    level.name
                ),
            )
            .word(name)
            .note("no such side")
            .help(suggest::help(name, sides).unwrap_or_default()),
        );
    }

    fn place(&mut self, span: Span, place: &Place) {
        let (game, scenario) = (self.game, self.scenario);
        let deployments: Vec<&str> = scenario
            .deployments
            .iter()
            .map(|deployment| deployment.id.as_str())
            .collect();
        if let Some(area) = &place.area {
            let areas: Vec<&str> = game.areas.iter().map(|area| area.id.as_str()).collect();
            self.known(span, "`area`", area, &areas);
        }
        if let Some(map) = &place.map {
            let maps: Vec<&str> = game.maps.iter().map(|map| map.id.as_str()).collect();
            self.known(span, "`map`", map, &maps);
        }
        for (what, name) in [("`rear_of`", &place.rear_of), ("`same_as`", &place.same_as)] {
            if let Some(name) = name {
                self.known(span, what, name, &deployments);
            }
        }
        if let Some(except) = &place.except {
            self.place(span, except);
        }
        for choice in &place.any_of {
            self.place(span, choice);
        }
    }

    fn known(&mut self, span: Span, what: &str, name: &str, known: &[&str]) {
        if known.contains(&name) {
            return;
        }
        let mut diagnostic = Diagnostic::new(
            &RULE,
            span,
            format!(
                "`{}`: {what} is `{name}`, which does not exist",
                self.scenario.file.id
            ),
        )
        .word(name)
        .note("names something unknown");
        diagnostic =
            diagnostic.help(suggest::help(name, known).unwrap_or_else(|| "correct or remove it".to_owned()));
        self.sink.push(diagnostic);
    }
}
