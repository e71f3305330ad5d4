//! Whether a game definition agrees with itself: what it names must be declared, and nothing twice.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::errata::{Op, Overlay};
use crate::expression::Words;
use crate::game::{ApportionDef, AttributeDef, CalendarDef, Game, Of, SheetDef, Type};
use crate::schema::rows;
use crate::schema::rules::UNKNOWN_FIELD;
use crate::source::Span;
use crate::suggest;

/// The rules of this stage.
pub static RULES: &[&Rule] = &[&BAD_DEFINITION, &RESERVED_NAME];

static BAD_DEFINITION: Rule = Rule {
    code: "bad-definition",
    severity: Severity::Error,
    summary: "a game definition names something that it does not declare, declares something twice, or contradicts itself",
    explanation: "What `game.toml` names must be declared in it: the shape of a counter, the kinds that carry an attribute, the \
                  echelons of a sheet, the sides to which an area is open. Ids of one list must be distinct, in whatever case \
                  they are written. And what it says must be possible: a `min` that is not above `max`, parts of a day that \
                  do not overlap, the file of a chart inside the project.

Wrong:

```toml + oob/demo/game.toml

[[shapes]]
id = \"square\"
name = \"Square\"
width = 1270
height = 1270

[[counters]]
of = \"units\"
shape = \"squar\"
sheet = \"one\"
front = { name = \"{{ name }}\" }
```

Right:

```toml + oob/demo/game.toml

[[shapes]]
id = \"square\"
name = \"Square\"
width = 1270
height = 1270

[[counters]]
of = \"units\"
shape = \"square\"
sheet = \"one\"
front = { name = \"{{ name }}\" }
```

",
};

static RESERVED_NAME: Rule = Rule {
    code: "reserved-name",
    severity: Severity::Error,
    summary: "an attribute has the name of a column that every game has, or one that cannot be a field",
    explanation: "Attributes become columns of the tables and fields of the packs, beside those that every record has, such as \
                  `name` or `order`. An attribute needs a name of its own: lower-case letters, digits and underscores, \
                  beginning with a letter.

Wrong:

```toml + oob/demo/game.toml

[[attributes]]
of = \"units\"
name = \"note\"
type = \"text\"
label = \"Flag\"
```

Right:

```toml + oob/demo/game.toml

[[attributes]]
of = \"units\"
name = \"flag\"
type = \"text\"
label = \"Flag\"
```

",
};

/// The fields of packs beyond the columns of the tables, which an attribute cannot be called either.
const FIELDS: [&str; 26] = [
    "side",
    "basis",
    "battle",
    "partial",
    "leader",
    "designation",
    "unit",
    "units",
    "all_units",
    "formations",
    "commander",
    "fielded",
    "arm",
    "state",
    "reason",
    "follows",
    "entry",
    "place",
    "place_text",
    "status",
    "arrival",
    "withdraw_by",
    "optional",
    "reduced",
    "assigned_to",
    "led_by",
];

/// Judges a game definition. Says whether its records can be judged by it: not where it has something twice, or where an
/// attribute contradicts itself, for that would be told of every record.
pub fn judge(game: &Game, sink: &mut Sink) -> bool {
    let mut judge = Judge { game, sink };
    if judge.unique() {
        // What is meant by the name of two is not known.
        return false;
    }
    let is_sound = judge.attributes();
    judge.records();
    judge.expressions();
    judge.sheets("sheets", &game.sheets);
    judge.sheets("scenario_sheets", &game.scenario_sheets);
    judge.arrival_rules();
    judge.levels();
    judge.calendar();
    judge.maps();
    is_sound
}

/// Judges what overlays say of the game: the printings that they correct and the columns that they name.
pub fn judge_overlays(game: &Game, overlays: &[Overlay], sink: &mut Sink) {
    let known: Vec<&str> = game.printings.iter().map(String::as_str).collect();
    let mut judge = Judge { game, sink };
    for overlay in overlays {
        for (index, printing) in overlay.printings.iter().enumerate() {
            let span = overlay.span(&format!("/printings/{index}"));
            let declare =
                format!("declare it in `game.toml`: `printings = [\"{printing}\"]`, or remove it here");
            judge.known_or(printing, &known, "no printing", span, &declare);
        }
    }
    let mut columns: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for overlay in overlays {
        for (index, entry) in overlay.entries.iter().enumerate() {
            // What a counter prints need not be a column, and that a table does not exist is told when it is sought.
            let table = entry.table.as_deref().filter(|_| entry.op != Op::Counter);
            let Some(table) = table else {
                continue;
            };
            let known = columns.entry(table).or_insert_with(|| column_names(game, table));
            if !known.is_empty() {
                judge_columns(overlay, index, table, known, sink);
            }
        }
    }
}

/// The columns that a table may have; none where there is no such table.
fn column_names(game: &Game, table: &str) -> Vec<String> {
    let schema = rows::schema(game, table);
    let properties = schema
        .get("properties")
        .and_then(|properties| properties.as_object());
    properties.map_or_else(Vec::new, |properties| properties.keys().cloned().collect())
}

/// Reports the columns that an entry of an overlay names and its table does not have: each once, where it is first.
fn judge_columns(overlay: &Overlay, index: usize, table: &str, known: &[String], sink: &mut Sink) {
    let entry = &overlay.entries[index];
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let parts = [
        ("where", &entry.filter),
        ("was", &entry.was),
        ("now", &entry.now),
        ("record", &entry.record),
    ];
    let mut strange: BTreeMap<&str, Vec<Span>> = BTreeMap::new();
    for (part, fields) in parts {
        for field in fields.keys().filter(|field| !known.contains(&field.as_str())) {
            let pointer = format!(
                "/entries/{index}/{part}/{}",
                field.replace('~', "~0").replace('/', "~1")
            );
            let span = overlay.node().key_span(&pointer);
            strange
                .entry(field)
                .or_default()
                .push(span.unwrap_or_else(|| overlay.span(&pointer)));
        }
    }
    if let Some(field) = entry.field.as_deref().filter(|field| !known.contains(field)) {
        let span = overlay.span(&format!("/entries/{index}/field"));
        strange.entry(field).or_default().insert(0, span);
    }
    for (field, places) in strange {
        let mut places = places.into_iter();
        let mut found = Diagnostic::new(
            &UNKNOWN_FIELD,
            places.next(),
            format!("`{table}` has no column `{field}`"),
        )
        .note("not a column of this table")
        .help(match suggest::closest(field, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("its columns are {}", suggest::quoted(&known)),
        });
        for place in places {
            found = found.label(place, "and here");
        }
        sink.push(found);
    }
}

/// The largest number of a hexrow or column: two digits.
const MOST_OF_MAP: u32 = 99;

/// Whether a path that begins in a folder stays in the project, when the folder lies so many folders deep in it.
pub fn is_inside(path: &str, depth: i32) -> bool {
    if path.starts_with(['/', '\\']) || path.contains([':', '\\', '\0']) {
        return false;
    }
    let mut depth = depth;
    path.split('/').all(|part| {
        match part {
            "" | "." => {}
            ".." => depth -= 1,
            _ => depth += 1,
        }
        depth >= 0
    })
}

/// Says of a path that it leads out of the project.
pub fn outside(rule: &'static Rule, what: &str, path: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        rule,
        span,
        format!("{what} is `{path}`, which is not in the project"),
    )
    .note("leads out of the project")
    .help("put the file into the project, and write its path with `/` from the folder of this file")
}

struct Judge<'a> {
    game: &'a Game,
    sink: &'a mut Sink,
}

impl<'a> Judge<'a> {
    /// Ids of one list must be distinct; says whether some are not.
    fn unique(&mut self) -> bool {
        let mut any = false;
        let game = self.game;
        let ids = |list: &mut dyn Iterator<Item = &String>| -> Vec<String> { list.cloned().collect() };
        let lists: [(&str, &str, Vec<String>); 20] = [
            ("sides", "id", ids(&mut game.sides.iter().map(|def| &def.id))),
            (
                "echelons",
                "id",
                ids(&mut game.echelons.iter().map(|def| &def.id)),
            ),
            ("kinds", "id", ids(&mut game.kinds.iter().map(|def| &def.id))),
            ("ranks", "id", ids(&mut game.ranks.iter().map(|def| &def.id))),
            ("roles", "id", ids(&mut game.roles.iter().map(|def| &def.id))),
            (
                "attributes",
                "name",
                game.attributes
                    .iter()
                    .map(|def| format!("{} of {}", def.name, def.of.table()))
                    .collect(),
            ),
            (
                "supplements",
                "name",
                ids(&mut game.supplements.iter().map(|def| &def.name)),
            ),
            ("rules", "id", ids(&mut game.rules.iter().map(|def| &def.id))),
            ("tables", "id", ids(&mut game.tables.iter().map(|def| &def.id))),
            ("shapes", "id", ids(&mut game.shapes.iter().map(|def| &def.id))),
            ("sheets", "id", ids(&mut game.sheets.iter().map(|def| &def.id))),
            (
                "scenario_sheets",
                "id",
                ids(&mut game.scenario_sheets.iter().map(|def| &def.id)),
            ),
            ("maps", "id", ids(&mut game.maps.iter().map(|def| &def.id))),
            ("areas", "id", ids(&mut game.areas.iter().map(|def| &def.id))),
            (
                "features",
                "id",
                ids(&mut game.features.iter().map(|def| &def.id)),
            ),
            (
                "inventory",
                "id",
                ids(&mut game.inventory.iter().map(|def| &def.id)),
            ),
            (
                "arrival_rules",
                "id",
                ids(&mut game.arrival_rules.iter().map(|def| &def.id)),
            ),
            (
                "optional_rules",
                "id",
                ids(&mut game.optional_rules.iter().map(|def| &def.id)),
            ),
            (
                "calendar/days",
                "id",
                ids(&mut game.calendar.iter().flat_map(|def| &def.days).map(|def| &def.id)),
            ),
            (
                "calendar/parts",
                "id",
                ids(&mut game.calendar.iter().flat_map(|def| &def.parts).map(|def| &def.id)),
            ),
        ];
        for (list, key, ids) in lists {
            let mut first: BTreeMap<String, usize> = BTreeMap::new();
            for (index, id) in ids.iter().enumerate() {
                // Who reads an id aloud does not say its letters' case, and neither do the files of all systems.
                let Some(earlier) = first.insert(id.to_lowercase(), index) else {
                    continue;
                };
                any = true;
                let (shown, other) = (list.replace('/', "."), &ids[earlier]);
                self.sink.push(
                    Diagnostic::new(
                        &BAD_DEFINITION,
                        game.span(&format!("/{list}/{index}/{key}")),
                        if other == id {
                            format!("`{shown}` has `{id}` twice")
                        } else {
                            format!("`{shown}` has `{other}` and `{id}`: case does not tell ids apart")
                        },
                    )
                    .note("the second")
                    .label(game.span(&format!("/{list}/{earlier}/{key}")), "the first")
                    .help("give one of them another name, or remove it"),
                );
            }
        }
        any
    }

    /// Says whether every attribute has a name and a type by which records can be judged.
    fn attributes(&mut self) -> bool {
        let mut is_sound = true;
        for (index, attribute) in self.game.attributes.iter().enumerate() {
            let at = |key: &str| self.game.span(&format!("/attributes/{index}/{key}"));
            let reserved = FIELDS.contains(&attribute.name.as_str())
                || rows::columns(attribute.of.table()).contains(&attribute.name);
            let spelled = attribute.name.starts_with(|c: char| c.is_ascii_lowercase())
                && attribute
                    .name
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
            if reserved || !spelled {
                let message = if reserved {
                    format!(
                        "an attribute of {} cannot be called `{}`: every game has such a field",
                        attribute.of.table(),
                        attribute.name
                    )
                } else {
                    format!("`{}` is no name for an attribute", attribute.name)
                };
                self.sink.push(
                    Diagnostic::new(&RESERVED_NAME, at("name"), message)
                        .note("this name")
                        .help("use another: lower-case letters, digits and underscores, beginning with a letter"),
                );
                is_sound = false;
            }
            is_sound &= self.bounds(attribute, index);
            let (table, kind) = (at("table"), at("type"));
            let list = |key: &str| format!("/attributes/{index}/{key}");
            let known = self.kinds_of(attribute.of);
            self.all_known(&attribute.kinds, &known, "kind", &list("kinds"));
            self.echelons(&attribute.echelons, &list("echelons"));
            let known: Vec<&str> = self.game.roles.iter().map(|def| def.id.as_str()).collect();
            self.all_known(&attribute.roles, &known, "role", &list("roles"));
            self.choices(attribute, table, kind);
        }
        is_sound
    }

    /// Bounds and choices that contradict each other or the type.
    fn bounds(&mut self, attribute: &AttributeDef, index: usize) -> bool {
        let at = |key: &str| self.game.span(&format!("/attributes/{index}/{key}"));
        let name = &attribute.name;
        let is_number = matches!(attribute.kind, Type::Integer | Type::Number);
        let mut found: Vec<Diagnostic> = Vec::new();
        if let (Some(min), Some(max)) = (attribute.min, attribute.max)
            && min > max
        {
            found.push(
                Diagnostic::new(
                    &BAD_DEFINITION,
                    at("min"),
                    format!("no value of `{name}` can be at least {min} and at most {max}"),
                )
                .note("more than `max`")
                .label(at("max"), "less than `min`")
                .help("exchange them, or correct one of them"),
            );
        }
        for (key, is_given) in [("min", attribute.min.is_some()), ("max", attribute.max.is_some())] {
            if is_given && !is_number {
                found.push(
                    Diagnostic::new(
                        &BAD_DEFINITION,
                        at(key),
                        format!("`{name}` is no number, so it has no `{key}`"),
                    )
                    .note("a bound of numbers")
                    .label(at("type"), "its type")
                    .help(format!("remove `{key}`, or write `type = \"integer\"`")),
                );
            }
        }
        if let (Some(table), false) = (&attribute.table, attribute.choices.is_empty()) {
            found.push(
                Diagnostic::new(
                    &BAD_DEFINITION,
                    at("table"),
                    format!("`{name}` chooses from `choices` and from the ids of `{table}`"),
                )
                .note("chooses from both")
                .label(at("choices"), "and here")
                .help("remove `choices` or `table`"),
            );
        }
        for (number, choice) in attribute.choices.iter().enumerate() {
            if let Some(earlier) = attribute.choices[..number]
                .iter()
                .position(|other| other == choice)
            {
                let spot = |number: usize| at(&format!("choices/{number}"));
                found.push(
                    Diagnostic::new(
                        &BAD_DEFINITION,
                        spot(number),
                        format!("the choices of `{name}` have `{choice}` twice"),
                    )
                    .note("the second")
                    .label(spot(earlier), "the first")
                    .help("remove one of them, or correct it"),
                );
            }
        }
        let is_sound = found.is_empty();
        for found in found {
            self.sink.push(found);
        }
        is_sound
    }

    /// Expressions are about what there is.
    fn expressions(&mut self) {
        let game = self.game;
        let mut words = Words::new(game);
        let sink = &mut *self.sink;
        for (index, def) in game.defaults.iter().enumerate() {
            if let Some(when) = &def.when {
                words.expression(def.of, when, game.span(&format!("/defaults/{index}/when")), sink);
            }
        }
        for (index, def) in game.apportion.iter().enumerate() {
            if let Some(when) = &def.when {
                words.expression(
                    Of::Units,
                    when,
                    game.span(&format!("/apportion/{index}/when")),
                    sink,
                );
            }
        }
        for (index, def) in game.derived.iter().enumerate() {
            let at = |key: &str| game.span(&format!("/derived/{index}/{key}"));
            for (key, text) in [("when", def.when.as_ref()), ("value", Some(&def.value))] {
                if let Some(text) = text {
                    words.expression(def.of, text, at(key), sink);
                }
            }
        }
        for (index, def) in game.rules.iter().enumerate() {
            let at = |key: &str| game.span(&format!("/rules/{index}/{key}"));
            for (key, text) in [("when", def.when.as_ref()), ("must", Some(&def.must))] {
                if let Some(text) = text {
                    words.expression(def.of, text, at(key), sink);
                }
            }
            words.template(def.of, &def.message, at("message"), sink);
        }
        for (index, def) in game.counters.iter().enumerate() {
            let at = |key: &str| game.span(&format!("/counters/{index}/{key}"));
            for (key, text) in [("when", &def.when), ("copies", &def.copies)] {
                if let Some(text) = text {
                    words.expression(def.of, text, at(key), sink);
                }
            }
            for (face, texts) in [("front", &def.front), ("back", &def.back)] {
                for (field, text) in texts {
                    words.template(def.of, text, at(&format!("{face}/{field}")), sink);
                }
            }
        }
        for (index, def) in game.inventory.iter().enumerate() {
            let at = |key: &str| game.span(&format!("/inventory/{index}/{key}"));
            for (key, text) in [("when", &def.when), ("each", &def.each)] {
                if let (Some(text), Some(of)) = (text, def.of) {
                    words.expression(of, text, at(key), sink);
                }
            }
        }
        words.tell(sink);
    }

    fn choices(&mut self, attribute: &AttributeDef, table: Span, kind: Span) {
        if let Some(named) = &attribute.table {
            self.with_ids(named, table);
        } else if attribute.kind == Type::Choice && attribute.choices.is_empty() {
            self.sink.push(
                Diagnostic::new(
                    &BAD_DEFINITION,
                    kind,
                    format!("the attribute `{}` has nothing to choose from", attribute.name),
                )
                .note("a choice")
                .help("give it `choices`, or name the `table` whose ids it chooses from"),
            );
        }
    }

    fn records(&mut self) {
        let game = self.game;
        let shapes: Vec<&str> = game.shapes.iter().map(|def| def.id.as_str()).collect();
        for (index, counter) in game.counters.iter().enumerate() {
            let span = game.span(&format!("/counters/{index}/shape"));
            self.known(&counter.shape, &shapes, "shape", span);
        }
        let sides: Vec<&str> = game.sides.iter().map(|def| def.id.as_str()).collect();
        for (index, area) in game.areas.iter().enumerate() {
            self.all_known(&area.sides, &sides, "side", &format!("/areas/{index}/sides"));
        }
        for (index, rollup) in game.rollups.iter().enumerate() {
            self.echelons(&rollup.echelons, &format!("/rollups/{index}/echelons"));
        }
        for (index, rule) in game.apportion.iter().enumerate() {
            let at = |key: &str| game.span(&format!("/apportion/{index}/{key}"));
            self.attribute(Of::Units, &rule.attribute, at("attribute"));
            self.attribute(Of::Units, &rule.weight, at("weight"));
            let ratings = game.attributes_of(Of::Effectiveness);
            let mut known = vec!["total", "boxes"];
            known.extend(ratings.map(|def| def.name.as_str()));
            self.attribute_of(Of::Effectiveness, &rule.total, &known, at("total"));
            let is_same = |other: &ApportionDef| other.attribute == rule.attribute && other.when == rule.when;
            if let Some(earlier) = game.apportion[..index].iter().position(is_same) {
                self.sink.push(
                    Diagnostic::new(
                        &BAD_DEFINITION,
                        at("attribute"),
                        format!("`{}` is apportioned twice to the same units", rule.attribute),
                    )
                    .note("the second")
                    .label(game.span(&format!("/apportion/{earlier}/attribute")), "the first")
                    .help("remove one of them, or give each a `when` of its own"),
                );
            }
        }
        if let Some(stacking) = &game.stacking {
            self.attribute(Of::Units, &stacking.attribute, game.span("/stacking/attribute"));
        }
        for (index, chart) in game.tables.iter().enumerate() {
            if !is_inside(&chart.file, 2) {
                let span = game.span(&format!("/tables/{index}/file"));
                self.sink
                    .push(outside(&BAD_DEFINITION, "the chart's file", &chart.file, span));
            }
            for (axis, key) in [(&chart.rows, "rows"), (&chart.columns, "columns")] {
                if let Some(table) = &axis.table {
                    let span = game.span(&format!("/tables/{index}/{key}/table"));
                    self.with_ids(table, span);
                }
            }
        }
        if let Some(printing) = &game.printing {
            let known: Vec<&str> = game.printings.iter().map(String::as_str).collect();
            self.known(printing, &known, "printing", game.span("/printing"));
        }
    }

    fn sheets(&mut self, list: &str, sheets: &[SheetDef]) {
        for (index, sheet) in sheets.iter().enumerate() {
            self.echelons(&sheet.echelons, &format!("/{list}/{index}/echelons"));
        }
    }

    /// The rolls that succeed may not grow harder, and the last must be without fail.
    fn arrival_rules(&mut self) {
        for (index, rule) in self.game.arrival_rules.iter().enumerate() {
            let rolls = &rule.succeeds_up_to;
            let ascending = rolls.is_sorted() && rolls.iter().all(|most| (1..=rule.die).contains(most));
            if ascending && rolls.last() == Some(&rule.die) {
                continue;
            }
            self.sink.push(
                Diagnostic::new(
                    &BAD_DEFINITION,
                    self.game.span(&format!("/arrival_rules/{index}/succeeds_up_to")),
                    format!("the rolls of `{}` do not rise from 1 at least to {}", rule.id, rule.die),
                )
                .note(format!("the last attempt must succeed with any of the {} faces", rule.die))
                .help("write the highest roll that succeeds at the first, second, … attempt: `[1, 2, 3, 4, 5, 6]`"),
            );
        }
    }

    /// Echelons are declared from the highest down.
    fn levels(&mut self) {
        let game = self.game;
        let mut least = 1;
        for (index, echelon) in game.echelons.iter().enumerate() {
            if echelon.level < least {
                let mut diagnostic = Diagnostic::new(
                    &BAD_DEFINITION,
                    game.span(&format!("/echelons/{index}/level")),
                    format!("the echelon `{}` is out of order: its level is {}", echelon.id, echelon.level),
                )
                .note(format!("less than {least}"))
                .help("levels rise from 1, the highest echelon, in the order in which the echelons are declared");
                if let Some(above) = index.checked_sub(1) {
                    diagnostic = diagnostic.label(
                        game.span(&format!("/echelons/{above}/level")),
                        "the one before it",
                    );
                }
                self.sink.push(diagnostic);
            }
            least = least.max(echelon.level);
        }
    }

    /// Times are hours and minutes.
    fn calendar(&mut self) {
        let game = self.game;
        let Some(calendar) = &game.calendar else {
            return;
        };
        let mut are_times = true;
        for (index, part) in calendar.parts.iter().enumerate() {
            for (key, time) in [("from", &part.from), ("to", &part.to)] {
                let number: u32 = time.parse().unwrap_or(0);
                if number <= 2400 && number % 100 < 60 {
                    continue;
                }
                are_times = false;
                self.sink.push(
                    Diagnostic::new(
                        &BAD_DEFINITION,
                        game.span(&format!("/calendar/parts/{index}/{key}")),
                        format!("`{time}` is no time of day"),
                    )
                    .note("hours and minutes")
                    .help("write two digits for the hour, 00 to 24, and two for the minute, 00 to 59"),
                );
            }
        }
        self.days(calendar);
        if are_times {
            self.parts(calendar);
        }
    }

    /// Days are dates and rise.
    fn days(&mut self, calendar: &CalendarDef) {
        let game = self.game;
        let at = |index: usize| game.span(&format!("/calendar/days/{index}/id"));
        for (index, day) in calendar.days.iter().enumerate() {
            if !crate::errata::is_date(&day.id) {
                self.sink.push(
                    Diagnostic::new(
                        &BAD_DEFINITION,
                        at(index),
                        format!("`{}` is no date of the calendar", day.id),
                    )
                    .note("no such day")
                    .help("dates are written `1863-07-01`"),
                );
            }
        }
        for (index, pair) in calendar.days.windows(2).enumerate() {
            if pair[1].id < pair[0].id {
                self.sink.push(
                    Diagnostic::new(
                        &BAD_DEFINITION,
                        at(index + 1),
                        format!("the day `{}` stands behind `{}`", pair[1].id, pair[0].id),
                    )
                    .note("earlier than the one before it")
                    .label(at(index), "the one before it")
                    .help("let the days stand in the order in which they are played"),
                );
            }
        }
    }

    /// Each part of a day begins after the last turn of the one before it: no turn is in two of them.
    fn parts(&mut self, calendar: &CalendarDef) {
        let game = self.game;
        let at = |index: usize, key: &str| game.span(&format!("/calendar/parts/{index}/{key}"));
        let minute = |text: &str| -> u32 {
            let number: u32 = text.parse().unwrap_or(0);
            number / 100 * 60 + number % 100
        };
        let times: Vec<(u32, u32)> = calendar
            .parts
            .iter()
            .map(|part| {
                let (from, to) = (minute(&part.from), minute(&part.to));
                (from, if to < from { to + 24 * 60 } else { to })
            })
            .collect();
        let days = calendar.days.len();
        let mut overlap = |index: usize, other: usize| {
            let (part, before) = (&calendar.parts[index], &calendar.parts[other]);
            self.sink.push(
                Diagnostic::new(
                    &BAD_DEFINITION,
                    at(index, "from"),
                    format!(
                        "`{}` begins at {}, but `{}` lasts until {}",
                        part.id, part.from, before.id, before.to
                    ),
                )
                .note("its first turn")
                .label(at(other, "to"), "the last turn of the part before it")
                .help("let each part begin after the last turn of the one before it"),
            );
        };
        for (index, pair) in times.windows(2).enumerate() {
            if pair[1].0 <= pair[0].1 {
                overlap(index + 1, index);
                return;
            }
        }
        if let ([(first, _), ..], [.., (_, last)]) = (times.as_slice(), times.as_slice())
            && days > 1
            && *last >= first + 24 * 60
        {
            overlap(0, times.len() - 1);
        }
    }

    /// Patterns of hexes are hexrow and column.
    fn maps(&mut self) {
        let game = self.game;
        for (index, map) in game.maps.iter().enumerate() {
            for (key, [first, last]) in [("rows", map.rows), ("columns", map.columns)] {
                let at = game.span(&format!("/maps/{index}/{key}"));
                let (problem, note, help) = if first > last {
                    (
                        format!("the {key} of the map `{}` go from {first} down to {last}", map.id),
                        "the first is more than the last",
                        format!("write `{key} = [{last}, {first}]`"),
                    )
                } else if last > MOST_OF_MAP {
                    (
                        format!(
                            "the map `{}` has {key} up to {last}, which no hex can name",
                            map.id
                        ),
                        "more than two digits",
                        format!("a hex has two digits for each: the largest number is {MOST_OF_MAP}"),
                    )
                } else {
                    continue;
                };
                let found = Diagnostic::new(&BAD_DEFINITION, at, problem).note(note);
                self.sink.push(found.help(help));
            }
            let is_pattern = map.pattern.contains('R')
                && map.pattern.contains('C')
                && map.pattern.bytes().all(|byte| matches!(byte, b'R' | b'C'));
            if !is_pattern {
                self.sink.push(
                    Diagnostic::new(
                        &BAD_DEFINITION,
                        game.span(&format!("/maps/{index}/pattern")),
                        format!("`{}` does not say how hexes are numbered", map.pattern),
                    )
                    .note("letters other than R and C")
                    .help("write `RRCC`: two digits of the hexrow, then two of the column"),
                );
            }
        }
    }

    fn kinds_of(&self, of: Of) -> Vec<&'a str> {
        let kinds = self.game.kinds.iter();
        kinds
            .filter(|kind| kind.of == of.table())
            .map(|kind| kind.id.as_str())
            .collect()
    }

    fn echelons(&mut self, ids: &[String], list: &str) {
        let known: Vec<&str> = self.game.echelons.iter().map(|def| def.id.as_str()).collect();
        self.all_known(ids, &known, "echelon", list);
    }

    fn attribute(&mut self, of: Of, name: &str, span: Span) {
        let known: Vec<&str> = self.game.attributes_of(of).map(|def| def.name.as_str()).collect();
        self.attribute_of(of, name, &known, span);
    }

    fn attribute_of(&mut self, of: Of, name: &str, known: &[&str], span: Span) {
        if !known.contains(&name) {
            let message = format!("`{}` has no attribute `{name}`", of.table());
            self.unknown(message, name, known, span, "declare it as `[[attributes]]`");
        }
    }

    fn with_ids(&mut self, name: &str, span: Span) {
        let known = crate::model::WITH_IDS;
        if !known.contains(&name) {
            let message = format!("there is no table `{name}` that has ids");
            self.unknown(message, name, &known, span, "name a table whose records have ids");
        }
    }

    /// Judges the elements of a list, each at its own place.
    fn all_known(&mut self, ids: &[String], known: &[&str], what: &str, list: &str) {
        for (index, id) in ids.iter().enumerate() {
            let span = self.game.span(&format!("{list}/{index}"));
            self.known(id, known, what, span);
        }
    }

    fn known(&mut self, id: &str, known: &[&str], what: &str, span: Span) {
        self.known_or(id, known, &format!("no {what}"), span, "declare it first");
    }

    fn known_or(&mut self, id: &str, known: &[&str], none: &str, span: Span, declare: &str) {
        if !known.contains(&id) {
            self.unknown(format!("there is {none} `{id}`"), id, known, span, declare);
        }
    }

    fn unknown(&mut self, message: String, id: &str, known: &[&str], span: Span, declare: &str) {
        let help = suggest::help(id, known).unwrap_or_else(|| declare.to_owned());
        self.sink.push(
            Diagnostic::new(&BAD_DEFINITION, span, message)
                .note("not declared")
                .help(help),
        );
    }
}
