//! A scenario with what it takes from those that it extends.

use crate::document::Document;
use crate::scenario::definition::ScenarioFile;

/// A scenario with what it takes from those that it extends.
pub(super) fn merged(chain: &[&Document<ScenarioFile>]) -> ScenarioFile {
    let mut whole = chain[0].value.clone();
    let mut replaced = whole.replaces.clone();
    for base in &chain[1..] {
        let base = &base.value;
        // What a nearer scenario replaces is not taken from any farther one.
        let joins = |key: &str| !replaced.iter().any(|name| name == key);
        whole.start = whole.start.or_else(|| base.start.clone());
        whole.end = whole.end.or_else(|| base.end.clone());
        whole.turns = whole.turns.or(base.turns);
        whole.hours = whole.hours.or(base.hours);
        whole.first_side = whole.first_side.or_else(|| base.first_side.clone());
        whole.sets_up_first = whole.sets_up_first.or_else(|| base.sets_up_first.clone());
        whole.default_map = whole.default_map.or_else(|| base.default_map.clone());
        if whole.maps.is_empty() {
            whole.maps = base.maps.clone();
        }
        whole.battle = whole.battle.or_else(|| base.battle.clone());
        if whole.fields.is_empty() {
            whole.fields = base.fields.clone();
        }
        prepend(&mut whole.assign, &base.assign, joins("assign"));
        if whole.ammunition.is_empty() {
            whole.ammunition = base.ammunition.clone();
        }
        let mut reductions = base.reductions.clone();
        reductions.append(&mut whole.reductions);
        whole.reductions = reductions;
        match (&mut whole.reinforcements, &base.reinforcements) {
            (None, base) => whole.reinforcements = base.clone(),
            (Some(own), Some(base)) => {
                own.schedule = own.schedule.take().or_else(|| base.schedule.clone());
                own.from = own.from.take().or_else(|| base.from.clone());
                own.until = own.until.take().or_else(|| base.until.clone());
                own.extra.extend(base.extra.iter().cloned());
                own.replace.extend(base.replace.iter().cloned());
                own.pools.extend(base.pools.iter().cloned());
            }
            _ => {}
        }
        prepend(&mut whole.victory, &base.victory, joins("victory"));
        prepend(&mut whole.levels, &base.levels, joins("levels"));
        prepend(
            &mut whole.demoralization,
            &base.demoralization,
            joins("demoralization"),
        );
        prepend(
            &mut whole.special_rules,
            &base.special_rules,
            joins("special_rules"),
        );
        prepend(&mut whole.releases, &base.releases, joins("releases"));
        let known: Vec<String> = whole.optional_rules.iter().map(|rule| rule.id.clone()).collect();
        whole.optional_rules.extend(
            base.optional_rules
                .iter()
                .filter(|rule| !known.contains(&rule.id))
                .cloned(),
        );
        replaced.extend(base.replaces.iter().cloned());
    }
    whole
}

fn prepend<T: Clone>(own: &mut Vec<T>, base: &[T], join: bool) {
    if join {
        let mut all = base.to_vec();
        all.append(own);
        *own = all;
    }
}
