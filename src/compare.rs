//! `orbat compare`: the units that several games share, and where the games disagree about them.
//!
//! Games are compared battle by battle: a regiment that another battle's order of battle puts into another brigade is no
//! disagreement. Names are the same when they fold to the same with the synonyms of all games; a unit that stands for
//! several (`40th/47th Virginia`) is each of them.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::Compiled;
use crate::fold::Folder;
use crate::model::Model;
use crate::order::natural;

/// What several games say of one unit.
#[derive(Debug, Serialize)]
pub struct Shared {
    /// The side.
    pub side: String,
    /// The battle, where the games say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub battle: Option<String>,
    /// The unit, as the first game calls it.
    pub name: String,
    /// What each game says.
    pub said: Vec<Said>,
    /// On what they disagree: `brigade`, `name`, `arm`.
    pub disagree: Vec<&'static str>,
    /// What errata and rulings of these games did to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decided: Vec<Decided>,
}

/// What a game says of a unit.
#[derive(Debug, Clone, Serialize)]
pub struct Said {
    /// The game.
    pub game: String,
    /// The unit's id.
    pub unit: String,
    /// Its name.
    pub name: String,
    /// Its arm.
    pub arm: String,
    /// The designation of its formation.
    pub designation: String,
    /// The name of its formation.
    pub formation: String,
    /// The leader of its formation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leader: Option<String>,
}

/// What an erratum or ruling did to a unit.
#[derive(Debug, Clone, Serialize, PartialEq)]
pub struct Decided {
    /// The game.
    pub game: String,
    /// The overlay.
    pub overlay: String,
    /// The rule or page.
    #[serde(rename = "ref")]
    pub reference: String,
    /// What changed, as `field: was → now`.
    pub change: String,
    /// What it says, with its evidence.
    pub summary: String,
}

/// A brigade that several games have, and the units of it that only one of them has.
#[derive(Debug, Serialize)]
pub struct Brigade {
    /// The brigade, as each game designates it.
    pub brigade: BTreeMap<String, String>,
    /// The units that the other game has nowhere, by game.
    pub only: BTreeMap<String, Vec<String>>,
}

/// A comparison of games.
#[derive(Debug, Serialize)]
pub struct Comparison {
    /// The games.
    pub games: Vec<String>,
    /// The units that at least two of them have.
    pub shared: Vec<Shared>,
    /// The brigades that two of them have and do not fill alike.
    pub brigades: Vec<Brigade>,
}

/// One unit of one game.
struct Entry<'g> {
    game: &'g Compiled,
    model: &'g Model,
    unit: usize,
    keys: BTreeSet<String>,
}

type Group<'g> = (Option<&'g str>, &'g str, String);

/// Compares games, each of which must have a model.
pub fn compare(games: &[&Compiled]) -> Comparison {
    let synonyms: Vec<Vec<String>> = games
        .iter()
        .flat_map(|game| game.contents.game.synonyms.clone())
        .collect();
    let folder = Folder::new(&synonyms);
    let entries: Vec<Entry<'_>> = games
        .iter()
        .filter_map(|game| Some((*game, game.model.as_ref()?)))
        .flat_map(|(game, model)| {
            let folder = &folder;
            (0..model.units.len())
                .filter(|unit| model.units[*unit].is_fielded())
                .map(move |unit| Entry {
                    game,
                    model,
                    unit,
                    keys: keys(folder, game, model, unit),
                })
        })
        .collect();
    let mut groups: BTreeMap<Group<'_>, Vec<usize>> = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        let unit = &entry.model.units[entry.unit];
        let battle = entry.model.formations[unit.formation].battle.as_deref();
        for key in &entry.keys {
            groups
                .entry((battle, unit.side.as_str(), key.clone()))
                .or_default()
                .push(index);
        }
    }
    let counterparts = Counterparts::new(&folder, &entries, &groups);
    let partners = Partners::new(&folder, &entries, &groups, &counterparts);
    let mut shared = Vec::new();
    let mut matched: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut told: BTreeSet<Vec<usize>> = BTreeSet::new();
    let found = groups
        .iter()
        .map(|((battle, side, _), group)| (*battle, *side, chosen(group, &entries, &counterparts)));
    let near = partners.near.iter().map(|(a, b)| {
        let unit = &entries[*a].model.units[entries[*a].unit];
        let battle = entries[*a].model.formations[unit.formation].battle.as_deref();
        (battle, unit.side.as_str(), vec![(*a, *b)])
    });
    for (battle, side, mut chosen) in found.chain(near) {
        chosen.retain(|pair| partners.are(&entries, *pair));
        let mut group: Vec<usize> = chosen.iter().flat_map(|(a, b)| [*a, *b]).collect();
        group.sort_unstable();
        group.dedup();
        if !chosen.is_empty() && told.insert(group.clone()) {
            shared.push(judge(
                &folder,
                &entries,
                &group,
                &chosen,
                &counterparts,
                battle,
                side,
            ));
        }
        matched.extend(chosen);
    }
    // A unit found by its name and by an alias is told of where most is said of it.
    let whole: Vec<BTreeSet<(String, String)>> = shared.iter().map(Shared::units).collect();
    let mut index = 0;
    shared.retain(|_| {
        index += 1;
        let own = &whole[index - 1];
        !whole
            .iter()
            .any(|other| other.len() > own.len() && own.is_subset(other))
    });
    shared.sort_by(|a, b| {
        (&a.side, &a.battle)
            .cmp(&(&b.side, &b.battle))
            .then_with(|| natural(&a.name, &b.name))
    });
    Comparison {
        games: games.iter().map(|game| game.contents.game.id.clone()).collect(),
        brigades: brigades(&entries, &matched, &counterparts),
        shared,
    }
}

impl Shared {
    fn units(&self) -> BTreeSet<(String, String)> {
        let said = self.said.iter();
        said.map(|said| (said.game.clone(), said.unit.clone())).collect()
    }
}

/// A formation of a game.
type Place<'g> = (&'g str, usize);

/// Which formation of another game is the counterpart of a formation: the one with which it shares most units, if that is
/// so seen from both. Games number brigades or name them after other leaders, so that names alone do not tell.
struct Counterparts<'g> {
    of: BTreeMap<(Place<'g>, &'g str), usize>,
}

impl<'g> Counterparts<'g> {
    fn new(folder: &Folder, entries: &'g [Entry<'g>], groups: &BTreeMap<Group<'g>, Vec<usize>>) -> Self {
        let mut votes: BTreeMap<(Place<'g>, &'g str), BTreeMap<usize, usize>> = BTreeMap::new();
        for group in groups.values() {
            for (a, b) in pairs(group, entries) {
                let (a, b) = (&entries[a], &entries[b]);
                if a.model.units[a.unit].arm != b.model.units[b.unit].arm {
                    continue;
                }
                // A name in common weighs as much as several units.
                let weight = if same_formation(folder, a, b) { 3 } else { 1 };
                *votes
                    .entry((a.place(), b.id()))
                    .or_default()
                    .entry(b.place().1)
                    .or_default() += weight;
                *votes
                    .entry((b.place(), a.id()))
                    .or_default()
                    .entry(a.place().1)
                    .or_default() += weight;
            }
        }
        let best = |place: Place<'g>, game: &'g str| -> Option<usize> {
            let votes = votes.get(&(place, game))?;
            let most = votes.values().max()?;
            let mut winners = votes.iter().filter(|(_, count)| *count == most);
            let (winner, _) = winners.next()?;
            winners.next().is_none().then_some(*winner)
        };
        let mut of = BTreeMap::new();
        for (place, game) in votes.keys() {
            if let Some(other) = best(*place, game)
                && best((game, other), place.0) == Some(place.1)
            {
                of.insert((*place, *game), other);
            }
        }
        Counterparts { of }
    }

    /// Whether two units of different games are in formations that are counterparts.
    fn are(&self, a: &Entry<'_>, b: &Entry<'_>) -> bool {
        self.of.get(&(a.place(), b.id())) == Some(&b.place().1)
    }
}

/// Which unit of another game is which, over all names by which they are found.
struct Partners {
    /// The units that have a partner in a formation that is the counterpart of theirs, with the partner's game.
    settled: BTreeSet<(usize, String)>,
    /// Units that no name finds, but of which one's name begins as the other's: `80th NY` and `80th NY (20th Militia)`.
    near: Vec<(usize, usize)>,
    /// Those partners.
    pairs: BTreeSet<(usize, usize)>,
}

impl Partners {
    fn new(
        folder: &Folder,
        entries: &[Entry<'_>],
        groups: &BTreeMap<Group<'_>, Vec<usize>>,
        counterparts: &Counterparts<'_>,
    ) -> Self {
        let mut partners = Partners {
            settled: BTreeSet::new(),
            near: Vec::new(),
            pairs: BTreeSet::new(),
        };
        for group in groups.values() {
            for (a, b) in chosen(group, entries, counterparts) {
                if counterparts.are(&entries[a], &entries[b]) {
                    partners.settle(entries, a, b);
                }
            }
        }
        let names: Vec<String> = entries
            .iter()
            .map(|entry| folder.strict(&entry.model.units[entry.unit].name))
            .collect();
        let mut members: BTreeMap<Place<'_>, Vec<usize>> = BTreeMap::new();
        for (index, entry) in entries.iter().enumerate() {
            members.entry(entry.place()).or_default().push(index);
        }
        let mut near = Vec::new();
        for ((place, game), other) in counterparts
            .of
            .iter()
            .filter(|((place, game), _)| place.0 < *game)
        {
            let open = |place: Place<'_>, game: &str| -> Vec<usize> {
                let members = members.get(&place).into_iter().flatten().copied();
                members
                    .filter(|index| !entries[*index].keys.is_empty())
                    .filter(|index| !partners.settled.contains(&(*index, game.to_owned())))
                    .collect()
            };
            let others = open((game, *other), place.0);
            for a in open(*place, game) {
                let alike = |b: &usize| names[a].starts_with(&names[*b]) || names[*b].starts_with(&names[a]);
                if let Some(b) = others.iter().copied().find(alike) {
                    near.push((a, b));
                }
            }
        }
        for (a, b) in &near {
            partners.settle(entries, *a, *b);
        }
        partners.near = near;
        partners
    }

    fn settle(&mut self, entries: &[Entry<'_>], a: usize, b: usize) {
        self.settled.insert((a, entries[b].id().to_owned()));
        self.settled.insert((b, entries[a].id().to_owned()));
        self.pairs.insert((a, b));
    }

    /// Whether two units are partners: in formations that are counterparts, unless neither has a partner in such a one.
    fn are(&self, entries: &[Entry<'_>], (a, b): (usize, usize)) -> bool {
        let settled = self.settled.contains(&(a, entries[b].id().to_owned()))
            || self.settled.contains(&(b, entries[a].id().to_owned()));
        !settled || self.pairs.contains(&(a, b))
    }
}

/// The pairs of a group that are most likely one unit: of one arm and of formations that are counterparts, where the
/// group leaves a choice.
fn chosen(group: &[usize], entries: &[Entry<'_>], counterparts: &Counterparts<'_>) -> Vec<(usize, usize)> {
    let mut by_games: BTreeMap<(&str, &str), Vec<(usize, usize)>> = BTreeMap::new();
    for (a, b) in pairs(group, entries) {
        let games = (entries[a].id(), entries[b].id());
        by_games.entry(games).or_default().push((a, b));
    }
    let mut chosen = Vec::new();
    for mut pairs in by_games.into_values() {
        let arm = |index: usize| &entries[index].model.units[entries[index].unit].arm;
        prefer(&mut pairs, |(a, b)| arm(*a) == arm(*b));
        prefer(&mut pairs, |(a, b)| counterparts.are(&entries[*a], &entries[*b]));
        chosen.extend(pairs);
    }
    chosen
}

/// Keeps what meets a condition, if anything does.
fn prefer<T>(list: &mut Vec<T>, condition: impl Fn(&T) -> bool) {
    if list.iter().any(&condition) {
        list.retain(condition);
    }
}

impl<'g> Entry<'g> {
    fn place(&self) -> Place<'g> {
        (
            &self.game.contents.game.value.id,
            self.model.units[self.unit].formation,
        )
    }

    fn id(&self) -> &'g str {
        &self.game.contents.game.value.id
    }

    fn said(&self) -> Said {
        let unit = &self.model.units[self.unit];
        let formation = &self.model.formations[unit.formation];
        Said {
            game: self.id().to_owned(),
            unit: unit.id.clone(),
            name: unit.name.clone(),
            arm: unit.arm.clone(),
            designation: formation.designation.clone(),
            formation: formation.name.clone(),
            leader: formation
                .leader
                .map(|leader| self.model.leaders[leader].name.clone()),
        }
    }
}

/// The keys by which a unit is found: its name, short name and aliases, and each part of a name such as `40th/47th
/// Virginia`. A name without a number is too common to be found by.
fn keys(folder: &Folder, game: &Compiled, model: &Model, index: usize) -> BTreeSet<String> {
    let unit = &model.units[index];
    let mut names = vec![unit.name.clone()];
    let aliases = game.contents.records.table("units");
    let aliases = aliases.and_then(|table| table.field(unit.row, "aliases"));
    names.extend(aliases.map_or_else(Vec::new, |aliases| aliases.value.list()));
    let mut keys = BTreeSet::new();
    for name in names {
        for part in parts(&name) {
            if part.bytes().any(|byte| byte.is_ascii_digit()) {
                keys.insert(folder.strict(&part));
            }
        }
    }
    keys
}

/// The units that a name such as `40th/47th Virginia` stands for; a name that stands for one, as it is. A part of a
/// unit (`1st Bn. 26th North Carolina`) is that unit.
fn parts(name: &str) -> Vec<String> {
    let mut words = name.split_whitespace();
    let first = words.next().unwrap_or_default();
    let rest: Vec<&str> = words.collect();
    let numbered = |text: &&str| text.starts_with(|c: char| c.is_ascii_digit());
    let several: Vec<&str> = first.split('/').collect();
    if several.len() > 1 && several.iter().all(numbered) && !rest.is_empty() {
        return several
            .iter()
            .map(|number| format!("{number} {}", rest.join(" ")))
            .collect();
    }
    let battalion = rest.first().is_some_and(|word| {
        matches!(
            word.trim_end_matches('.').to_lowercase().as_str(),
            "bn" | "battalion"
        )
    });
    if battalion && rest.get(1).is_some_and(numbered) {
        return vec![rest[1..].join(" ")];
    }
    vec![name.to_owned()]
}

fn pairs(group: &[usize], entries: &[Entry<'_>]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for a in group {
        for b in group {
            if entries[*a].id() < entries[*b].id() {
                pairs.push((*a, *b));
            }
        }
    }
    pairs
}

fn judge(
    folder: &Folder,
    entries: &[Entry<'_>],
    group: &[usize],
    chosen: &[(usize, usize)],
    counterparts: &Counterparts<'_>,
    battle: Option<&str>,
    side: &str,
) -> Shared {
    let said: Vec<Said> = group.iter().map(|index| entries[*index].said()).collect();
    let mut disagree = Vec::new();
    let differ = |same: &dyn Fn(&Entry<'_>, &Entry<'_>) -> bool| {
        chosen.iter().any(|(a, b)| !same(&entries[*a], &entries[*b]))
    };
    if differ(&|a, b| counterparts.are(a, b) || same_formation(folder, a, b)) {
        disagree.push("brigade");
    }
    if differ(&|a, b| same_name(folder, a, b)) {
        disagree.push("name");
    }
    if differ(&|a, b| a.model.units[a.unit].arm == b.model.units[b.unit].arm) {
        disagree.push("arm");
    }
    let mut decided = Vec::new();
    for index in group {
        for made in decisions(&entries[*index]) {
            if !decided.contains(&made) {
                decided.push(made);
            }
        }
    }
    Shared {
        side: side.to_owned(),
        battle: battle.map(str::to_owned),
        name: said.first().map(|said| said.name.clone()).unwrap_or_default(),
        said,
        disagree,
        decided,
    }
}

/// Whether two units have one name, not only an alias in common.
fn same_name(folder: &Folder, a: &Entry<'_>, b: &Entry<'_>) -> bool {
    let names = |entry: &Entry<'_>| -> BTreeSet<String> {
        let name = &entry.model.units[entry.unit].name;
        parts(name).iter().map(|part| folder.strict(part)).collect()
    };
    names(a).intersection(&names(b)).next().is_some()
}

/// Words that name no formation by themselves.
const COMMON: [&str; 14] = [
    "brigade",
    "division",
    "corps",
    "army",
    "first",
    "second",
    "third",
    "fourth",
    "cavalry",
    "artillery",
    "reserve",
    "battalion",
    "regiment",
    "independent",
];

/// Whether two units belong to what is most likely one formation: its name, aliases or leader share a word that names it,
/// on any level below the corps.
fn same_formation(folder: &Folder, a: &Entry<'_>, b: &Entry<'_>) -> bool {
    words(folder, a).intersection(&words(folder, b)).next().is_some()
}

fn words(folder: &Folder, entry: &Entry<'_>) -> BTreeSet<String> {
    let model = entry.model;
    let formation = &model.formations[model.units[entry.unit].formation];
    let mut texts = vec![formation.name.clone(), formation.designation.clone()];
    if let Some(leader) = formation.leader {
        texts.push(model.leaders[leader].name.clone());
    }
    let table = entry.game.contents.records.table("formations");
    let aliases = table.and_then(|table| table.field(formation.row, "aliases"));
    texts.extend(aliases.map_or_else(Vec::new, |aliases| aliases.value.list()));
    texts
        .iter()
        .flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’'))
        .map(|word| folder.strict(word.trim_end_matches("'s").trim_end_matches("’s")))
        .filter(|word| word.chars().count() > 3 && !COMMON.contains(&word.as_str()))
        .collect()
}

/// What the errata and rulings of a game did to a unit.
fn decisions(entry: &Entry<'_>) -> Vec<Decided> {
    let row = entry.model.units[entry.unit].row;
    let applied = &entry.game.applied;
    applied
        .edits
        .iter()
        .filter(|edit| edit.table == "units" && edit.row == row)
        .filter(|edit| matches!(edit.field.as_str(), "name" | "formation" | "kind" | ""))
        .map(|edit| {
            let overlay = &entry.game.contents.overlays[edit.overlay];
            let made = &overlay.entries[edit.entry];
            let was = edit.was.as_ref().map_or("–", |(was, _)| was);
            let now = edit.now.as_deref().unwrap_or("–");
            Decided {
                game: entry.id().to_owned(),
                overlay: overlay.id.clone(),
                reference: made.reference.clone(),
                change: if edit.field.is_empty() {
                    "the whole record".to_owned()
                } else {
                    format!("{}: {was} → {now}", edit.field)
                },
                summary: match &made.reason {
                    Some(reason) => format!("{} {reason}", made.summary),
                    None => made.summary.clone(),
                },
            }
        })
        .collect()
}

/// The brigades that two games have in common and do not fill alike.
fn brigades(
    entries: &[Entry<'_>],
    matched: &BTreeSet<(usize, usize)>,
    counterparts: &Counterparts<'_>,
) -> Vec<Brigade> {
    let mut partners: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    for (a, b) in matched {
        partners.entry(*a).or_default().insert(entries[*b].id());
        partners.entry(*b).or_default().insert(entries[*a].id());
    }
    let mut members: BTreeMap<Place<'_>, Vec<usize>> = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        members.entry(entry.place()).or_default().push(index);
    }
    let mut found = Vec::new();
    for ((place, game), other) in counterparts
        .of
        .iter()
        .filter(|((place, game), _)| place.0 < *game)
    {
        let mut only = BTreeMap::new();
        let mut brigade = BTreeMap::new();
        for (place, other) in [(*place, *game), ((*game, *other), place.0)] {
            let mut names: Vec<String> = Vec::new();
            for index in members.get(&place).into_iter().flatten() {
                let entry = &entries[*index];
                let known = partners.get(index).is_some_and(|games| games.contains(other));
                if !known && !entry.keys.is_empty() {
                    names.push(entry.model.units[entry.unit].name.clone());
                }
                let formation = &entry.model.formations[place.1];
                brigade.insert(
                    place.0.to_owned(),
                    format!("{} ({})", formation.name, formation.designation),
                );
            }
            if !names.is_empty() {
                names.sort_by(|a, b| natural(a, b));
                only.insert(place.0.to_owned(), names);
            }
        }
        if !only.is_empty() {
            found.push(Brigade { brigade, only });
        }
    }
    found
}

/// A comparison as a person reads it.
pub fn to_text(comparison: &Comparison) -> String {
    use std::fmt::Write;
    let mut text = String::new();
    let differing: Vec<&Shared> = comparison
        .shared
        .iter()
        .filter(|shared| !shared.disagree.is_empty())
        .collect();
    let decided = comparison
        .shared
        .iter()
        .filter(|shared| !shared.decided.is_empty());
    let _ = writeln!(
        text,
        "{}: {} units are in more than one game; the games disagree about {}, and errata or rulings decided {}",
        comparison.games.join(", "),
        comparison.shared.len(),
        differing.len(),
        decided.clone().count()
    );
    let mut list = |title: &str, units: &[&Shared]| {
        if units.is_empty() {
            return;
        }
        let _ = writeln!(text, "\n{title}");
        for shared in units {
            let what = if shared.disagree.is_empty() {
                "they agree now".to_owned()
            } else {
                format!("disagree on {}", shared.disagree.join(" and "))
            };
            let _ = writeln!(text, "  {} ({}): {what}", shared.name, shared.side);
            for said in &shared.said {
                let leader = said
                    .leader
                    .as_ref()
                    .map_or(String::new(), |leader| format!(", {leader}"));
                let _ = writeln!(
                    text,
                    "    {:<12} {} [{}], {}: {} ({}{leader})",
                    said.game, said.name, said.unit, said.arm, said.formation, said.designation
                );
            }
            for made in &shared.decided {
                let _ = writeln!(
                    text,
                    "    decided by {} {} ({}): {}. {}",
                    made.game, made.reference, made.overlay, made.change, made.summary
                );
            }
        }
    };
    list("Disagreements", &differing);
    let agreed: Vec<&Shared> = decided.filter(|shared| shared.disagree.is_empty()).collect();
    list("Decided", &agreed);
    if !comparison.brigades.is_empty() {
        let _ = writeln!(text, "\nBrigades that the games fill differently");
        for brigade in &comparison.brigades {
            let names: Vec<String> = brigade
                .brigade
                .iter()
                .map(|(game, name)| format!("{game} {name}"))
                .collect();
            let _ = writeln!(text, "  {}", names.join(" = "));
            for (game, units) in &brigade.only {
                let _ = writeln!(text, "    only in {game}: {}", units.join(", "));
            }
        }
    }
    text
}
