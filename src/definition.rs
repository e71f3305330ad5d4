//! Whether a game definition agrees with itself: what it names must be declared, and nothing twice.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::errata::{Op, Overlay};
use crate::game::{AttributeDef, Game, Of, SheetDef, Type};
use crate::schema::judge::UNKNOWN_FIELD;
use crate::schema::rows;
use crate::source::Span;
use crate::suggest;

/// The rules of this stage.
pub static RULES: &[&Rule] = &[&BAD_DEFINITION, &RESERVED_NAME];

static BAD_DEFINITION: Rule = Rule {
    code: "bad-definition",
    severity: Severity::Error,
    summary: "a game definition names something that it does not declare, or declares something twice",
    explanation: "What `game.toml` names must be declared in it: the shape of a counter, the kinds that carry an attribute, the \
                  echelons of a sheet, the sides to which an area is open. And ids of one list must be distinct.

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

/// Judges a game definition.
pub fn judge(game: &Game, sink: &mut Sink) {
    let mut judge = Judge { game, sink };
    if judge.unique() {
        // What is meant by the name of two is not known.
        return;
    }
    judge.attributes();
    judge.records();
    judge.sheets("sheets", &game.sheets);
    judge.sheets("scenario_sheets", &game.scenario_sheets);
    judge.arrival_rules();
    judge.levels();
    judge.calendar();
    judge.maps();
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

/// Whether a definition has something twice, so that nothing that refers to it can be judged.
pub fn is_ambiguous(game: &Game) -> bool {
    let mut sink = Sink::default();
    let mut judge = Judge {
        game,
        sink: &mut sink,
    };
    judge.unique()
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
        let lists: [(&str, &str, Vec<String>); 16] = [
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
        ];
        for (list, key, ids) in lists {
            let mut first: BTreeMap<&str, usize> = BTreeMap::new();
            for (index, id) in ids.iter().enumerate() {
                let Some(earlier) = first.insert(id, index) else {
                    continue;
                };
                any = true;
                self.sink.push(
                    Diagnostic::new(
                        &BAD_DEFINITION,
                        game.span(&format!("/{list}/{index}/{key}")),
                        format!("`{list}` has `{id}` twice"),
                    )
                    .note("the second")
                    .label(game.span(&format!("/{list}/{earlier}/{key}")), "the first")
                    .help("give one of them another name, or remove it"),
                );
            }
        }
        any
    }

    fn attributes(&mut self) {
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
            }
            let (table, kind) = (at("table"), at("type"));
            let list = |key: &str| format!("/attributes/{index}/{key}");
            let known = self.kinds_of(attribute.of);
            self.all_known(&attribute.kinds, &known, "kind", &list("kinds"));
            self.echelons(&attribute.echelons, &list("echelons"));
            let known: Vec<&str> = self.game.roles.iter().map(|def| def.id.as_str()).collect();
            self.all_known(&attribute.roles, &known, "role", &list("roles"));
            self.choices(attribute, table, kind);
        }
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
        }
        if let Some(stacking) = &game.stacking {
            self.attribute(Of::Units, &stacking.attribute, game.span("/stacking/attribute"));
        }
        for (index, chart) in game.tables.iter().enumerate() {
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
        for (index, part) in calendar.parts.iter().enumerate() {
            for (key, time) in [("from", &part.from), ("to", &part.to)] {
                let number: u32 = time.parse().unwrap_or(0);
                if number <= 2400 && number % 100 < 60 {
                    continue;
                }
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
    }

    /// Patterns of hexes are hexrow and column.
    fn maps(&mut self) {
        let game = self.game;
        for (index, map) in game.maps.iter().enumerate() {
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
