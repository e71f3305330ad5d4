//! Places: where units are set up, kept as structure. The prose is generated from it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::{GameFile, MapDef};

/// A place. Every condition given holds at once. `hex` and `hexes` stand alone, but for `except`; beside `anywhere` stand `map`
/// and `except` alone; `within` has `hexes` or `distance`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// In this hex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hex: Option<String>,
    /// In these hexes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hexes: Vec<String>,
    /// Within so many hexes of something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<Within>,
    /// Between two hexrows, hexes or features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub between: Option<Between>,
    /// On a side of something.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<SideOf>,
    /// On a feature.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on: Vec<String>,
    /// Beside a feature.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub adjacent: Vec<String>,
    /// In contact with a feature, on a measured map.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub touching: Vec<String>,
    /// Wholly within a feature, on a measured map.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inside: Vec<String>,
    /// The hexes that adjoin the boundary count as well.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_adjoin: bool,
    /// On a map section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<String>,
    /// In a staging area.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<String>,
    /// With other units: a selection, `own-corps` or `own-division`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with: Option<String>,
    /// Behind the units of another deployment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rear_of: Option<String>,
    /// Where another deployment is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
    /// But not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub except: Option<Box<Place>>,
    /// One of these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub any_of: Vec<Place>,
    /// Anywhere.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub anywhere: bool,
}

/// Within so many hexes of something, or within a distance of it on a measured map.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Within {
    /// How many hexes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 200))]
    pub hexes: Option<u32>,
    /// How far, in the unit that the game measures in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 10000))]
    pub distance: Option<f64>,
    /// Of a hex or feature.
    pub of: String,
}

/// Between two hexrows, hexes or features.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Between {
    /// The one.
    pub from: String,
    /// The other.
    pub to: String,
    /// Whether they count themselves; absent where the source does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inclusive: Option<bool>,
}

/// On a side of something.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SideOf {
    /// The side.
    pub side: Direction,
    /// Of a feature, hex, hexrow (`B3400`) or column (`C..29`).
    pub of: String,
    /// Whether that counts itself; absent where the source does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inclusive: Option<bool>,
}

/// A point of the compass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Direction {
    North,
    Northeast,
    East,
    Southeast,
    South,
    Southwest,
    West,
    Northwest,
}

impl Direction {
    /// The word, as data and sentences have it.
    pub fn word(self) -> &'static str {
        match self {
            Direction::North => "north",
            Direction::Northeast => "northeast",
            Direction::East => "east",
            Direction::Southeast => "southeast",
            Direction::South => "south",
            Direction::Southwest => "southwest",
            Direction::West => "west",
            Direction::Northwest => "northwest",
        }
    }
}

impl Place {
    /// Calls `each` with every hex, hexrow, column or feature that a place names, and the key under which it does.
    pub fn each_name<'p>(&'p self, each: &mut dyn FnMut(&'static str, &'p str)) {
        if let Some(hex) = &self.hex {
            each("hex", hex);
        }
        for hex in &self.hexes {
            each("hexes", hex);
        }
        if let Some(within) = &self.within {
            each("within", &within.of);
        }
        if let Some(between) = &self.between {
            each("between", &between.from);
            each("between", &between.to);
        }
        for side in &self.sides {
            each("sides", &side.of);
        }
        for feature in &self.on {
            each("on", feature);
        }
        for feature in &self.adjacent {
            each("adjacent", feature);
        }
        for feature in &self.touching {
            each("touching", feature);
        }
        for feature in &self.inside {
            each("inside", feature);
        }
        if let Some(except) = &self.except {
            except.each_name(each);
        }
        for place in &self.any_of {
            place.each_name(each);
        }
    }

    /// The keys of what a place says, in the order of its fields: all but how it is narrowed.
    pub fn keys(&self) -> Vec<&'static str> {
        [
            ("hex", self.hex.is_some()),
            ("hexes", !self.hexes.is_empty()),
            ("within", self.within.is_some()),
            ("between", self.between.is_some()),
            ("sides", !self.sides.is_empty()),
            ("on", !self.on.is_empty()),
            ("adjacent", !self.adjacent.is_empty()),
            ("touching", !self.touching.is_empty()),
            ("inside", !self.inside.is_empty()),
            ("map", self.map.is_some()),
            ("area", self.area.is_some()),
            ("with", self.with.is_some()),
            ("rear_of", self.rear_of.is_some()),
            ("same_as", self.same_as.is_some()),
            ("any_of", !self.any_of.is_empty()),
            ("anywhere", self.anywhere),
        ]
        .into_iter()
        .filter_map(|(key, is_said)| is_said.then_some(key))
        .collect()
    }

    /// What is wrong with a place in itself, and the cure: it says nothing, or two things that exclude each other.
    pub fn contradiction(&self) -> Option<(String, String)> {
        let keys = self.keys();
        let others = |key: &str, allowed: &[&str]| -> Vec<&'static str> {
            let other = |other: &&'static str| *other != key && !allowed.contains(other);
            keys.iter().copied().filter(other).collect()
        };
        if keys.is_empty() {
            let (said, cure) = if self.except.is_some() {
                (
                    "says where not, but not where",
                    "write `anywhere = true` besides `except`",
                )
            } else {
                (
                    "says nowhere",
                    "write `hex`, `within`, `on`, … or `anywhere = true`, or remove the place",
                )
            };
            return Some((said.into(), cure.into()));
        }
        for (key, what, allowed) in [
            ("anywhere", "anywhere", ["map"].as_slice()),
            ("hex", "in one hex", [].as_slice()),
            ("hexes", "in hexes that are listed", [].as_slice()),
        ] {
            if let (true, [other, ..]) = (keys.contains(&key), others(key, allowed).as_slice()) {
                return Some((
                    format!("says {what}, and `{other}` besides"),
                    format!(
                        "remove `{key}` or `{other}`; one of several places is written `any_of = [{{ … }}, {{ … }}]`"
                    ),
                ));
            }
        }
        if let Some(within) = &self.within {
            match (within.hexes, within.distance) {
                (None, None) => {
                    return Some((
                        "says within, but not how far".into(),
                        "write `hexes` or `distance` in `within`".into(),
                    ));
                }
                (Some(_), Some(_)) => {
                    return Some((
                        "says within hexes and within a distance".into(),
                        "remove `hexes` or `distance`".into(),
                    ));
                }
                _ => {}
            }
        }
        let parts = self.except.iter().map(|part| (&**part, "except"));
        let parts = parts.chain(self.any_of.iter().map(|part| (part, "any_of")));
        parts
            .filter_map(|(part, key)| {
                let (said, cure) = part.contradiction()?;
                Some((format!("in its `{key}` {said}"), cure))
            })
            .next()
    }

    /// Whether a place is told by another deployment.
    pub fn mentions(&self, deployment: &str) -> bool {
        let mut named = [&self.rear_of, &self.same_as]
            .iter()
            .any(|name| name.as_deref() == Some(deployment));
        self.each_name(&mut |_, name| named |= name == deployment);
        named
    }

    /// Gives hexes that are written without their map's letter the letter of a scenario's only map.
    pub fn with_default_map(mut self, map: &str) -> Self {
        let letter = |name: &mut String| {
            if name.len() == 4 && name.bytes().all(|byte| byte.is_ascii_digit()) {
                name.insert_str(0, map);
            }
        };
        self.hex.iter_mut().for_each(letter);
        self.hexes.iter_mut().for_each(letter);
        if let Some(within) = &mut self.within {
            letter(&mut within.of);
        }
        if let Some(between) = &mut self.between {
            letter(&mut between.from);
            letter(&mut between.to);
        }
        self.sides.iter_mut().for_each(|side| letter(&mut side.of));
        self.except = self.except.map(|except| Box::new(except.with_default_map(map)));
        self.any_of = self
            .any_of
            .into_iter()
            .map(|place| place.with_default_map(map))
            .collect();
        self
    }

    /// The place in words.
    pub fn describe(&self, game: &GameFile) -> String {
        let name = |id: &str| name(game, id);
        let mut parts: Vec<String> = Vec::new();
        if self.anywhere {
            parts.push("anywhere".into());
        }
        if let Some(map) = &self.map {
            parts.push(format!("on Map {map}"));
        }
        if let Some(hex) = &self.hex {
            parts.push(format!("in {hex}"));
        }
        if !self.hexes.is_empty() {
            parts.push(format!("in {}", list(&self.hexes, "and")));
        }
        if let Some(within) = &self.within {
            let reach = match (within.hexes, within.distance) {
                (Some(1), _) => "1 hex".to_owned(),
                (Some(hexes), _) => format!("{hexes} hexes"),
                (None, Some(distance)) => match &game.measure {
                    Some(measure) => format!("{distance}{}", measure.symbol),
                    None => distance.to_string(),
                },
                (None, None) => "reach".to_owned(),
            };
            parts.push(format!("within {reach} of {}", name(&within.of)));
        }
        if let Some(area) = &self.area {
            let known = game.areas.iter().find(|known| known.id == *area);
            let called = known.map_or(area, |known| &known.name);
            parts.push(match known.and_then(|known| known.place.as_ref()) {
                Some(place) if place.area.is_none() => {
                    format!("in {called}: {}", place.describe(game))
                }
                _ => format!("in {called}"),
            });
        }
        if !self.on.is_empty() {
            let on: Vec<String> = self.on.iter().map(|id| name(id)).collect();
            parts.push(format!("on {}", list(&on, "or")));
        }
        if !self.touching.is_empty() {
            let touching: Vec<String> = self.touching.iter().map(|id| name(id)).collect();
            parts.push(format!("touching {}", list(&touching, "and")));
        }
        if !self.inside.is_empty() {
            let inside: Vec<String> = self.inside.iter().map(|id| name(id)).collect();
            parts.push(format!("wholly within {}", list(&inside, "or")));
        }
        if let Some(between) = &self.between {
            let inclusive = inclusive(between.inclusive, "both included", "both excluded");
            parts.push(format!(
                "between {} and {}{inclusive}",
                name(&between.from),
                name(&between.to)
            ));
        }
        for side in &self.sides {
            let inclusive = inclusive(side.inclusive, "included", "excluded");
            parts.push(format!("{} of {}{inclusive}", side.side.word(), name(&side.of)));
        }
        if !self.adjacent.is_empty() {
            let beside: Vec<String> = self.adjacent.iter().map(|id| name(id)).collect();
            parts.push(format!("next to {}", list(&beside, "or")));
        }
        if let Some(with) = &self.with {
            parts.push(match with.as_str() {
                "own-corps" => "with units of their own corps".into(),
                "own-division" => "with units of their own division".into(),
                units => format!("with {units}"),
            });
        }
        if let Some(front) = &self.rear_of {
            parts.push(format!("behind {front}"));
        }
        if let Some(same) = &self.same_as {
            parts.push(format!("where {same} is"));
        }
        if !self.any_of.is_empty() {
            let choices: Vec<String> = self.any_of.iter().map(|place| place.describe(game)).collect();
            parts.push(list(&choices, "or"));
        }
        let mut text = parts.join(", ");
        if self.may_adjoin {
            text.push_str(" (next to it is allowed)");
        }
        if let Some(except) = &self.except {
            text.push_str(&format!(", but not {}", except.describe(game)));
        }
        text
    }
}

fn inclusive(flag: Option<bool>, yes: &str, no: &str) -> String {
    match flag {
        Some(true) => format!(" ({yes})"),
        Some(false) => format!(" ({no})"),
        None => String::new(),
    }
}

fn list(items: &[String], word: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [firsts @ .., last] => format!("{} {word} {last}", firsts.join(", ")),
    }
}

/// What a hex, hexrow, column or feature is called.
fn name(game: &GameFile, id: &str) -> String {
    if let Some(feature) = game.features.iter().find(|feature| feature.id == id) {
        return feature.name.clone();
    }
    match spot(&game.maps, id) {
        Some(Spot::Row(map, row)) => format!("hexrow {}{row:02}00", map.id),
        Some(Spot::Column(map, column)) => format!("hexes ending in {column:02} on Map {}", map.id),
        _ => id.to_owned(),
    }
}

/// What a hex number means.
#[derive(Debug, Clone, Copy)]
pub enum Spot<'m> {
    /// A hex: map, hexrow, column.
    Hex(&'m MapDef, u32, u32),
    /// A hexrow: `B3400`.
    Row(&'m MapDef, u32),
    /// A column: `C..29`.
    Column(&'m MapDef, u32),
}

impl Spot<'_> {
    /// Whether the spot is on its map.
    pub fn is_on_map(&self) -> bool {
        let within = |number: u32, [first, last]: [u32; 2]| (first..=last).contains(&number);
        match self {
            Spot::Hex(map, row, column) => within(*row, map.rows) && within(*column, map.columns),
            Spot::Row(map, row) => within(*row, map.rows),
            Spot::Column(map, column) => within(*column, map.columns),
        }
    }
}

/// Reads a hex, hexrow or column; `None` where a text is none of them or names no map.
pub fn spot<'m>(maps: &'m [MapDef], text: &str) -> Option<Spot<'m>> {
    let map = maps.iter().find(|map| text.starts_with(&map.id))?;
    let digits = &text[map.id.len()..];
    if digits.len() != 4 || !digits.is_ascii() {
        return None;
    }
    let (row, column) = digits.split_at(2);
    if row == ".." {
        return Some(Spot::Column(map, column.parse().ok()?));
    }
    let (row, column): (u32, u32) = (row.parse().ok()?, column.parse().ok()?);
    Some(if column == 0 {
        Spot::Row(map, row)
    } else {
        Spot::Hex(map, row, column)
    })
}
