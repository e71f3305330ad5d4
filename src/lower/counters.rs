//! Counters: what a game prints for its units, leaders, supply and markers.

use std::collections::BTreeMap;

use super::Lowering;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::errata::CounterSide;
use crate::expression::{self, Compiled};
use crate::game::{Basis, Game, Of};
use crate::model::Model;
use crate::order::natural;
use crate::pack::{Counter, Misprint};

/// The rules of this stage.
pub static RULES: &[&Rule] = &[&NO_COUNTER, &COUNTER_MISMATCH];

static NO_COUNTER: Rule = Rule {
    code: "no-counter",
    severity: Severity::Warning,
    summary: "something has no counter",
    explanation:
        "None of the game's `[[counters]]` applies to the record, so the counter manifest lacks it. Add a \
                  definition, or widen the `when` of one.

Wrong:

```toml + oob/demo/game.toml
[[shapes]]
id = \"square\"
name = \"Square\"
width = 1270
height = 1270

[[counters]]
of = \"units\"
when = \"strength > 3\"
shape = \"square\"
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

static COUNTER_MISMATCH: Rule = Rule {
    code: "counter-mismatch",
    severity: Severity::Error,
    summary: "an erratum on a counter expects another text than the data give",
    explanation: "An entry with `op = \"counter\"` says that a published counter is wrong and what the game means. The \
                  data must give exactly that: if they do not, the data are wrong, or the entry is.

Wrong:

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
front = { strength = \"{{ strength }}\" }
```

```toml oob/demo/errata/sheet.toml
id = \"sheet\"
title = \"Errata sheet\"
date = 1801-01-01
source = \"the publisher\"
kind = \"official\"

[[entries]]
ref = \"1.1\"
kind = \"correction\"
summary = \"The counter of the 1st Kent has a strength of 3.\"
op = \"counter\"
side = \"front\"
table = \"units\"
target = \"1 Kent\"
was = { strength = \"4\" }
now = { strength = \"3\" }
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
front = { strength = \"{{ strength }}\" }
```

```toml oob/demo/errata/sheet.toml
id = \"sheet\"
title = \"Errata sheet\"
date = 1801-01-01
source = \"the publisher\"
kind = \"official\"

[[entries]]
ref = \"1.1\"
kind = \"correction\"
summary = \"The counter of the 1st Kent has a strength of 4.\"
op = \"counter\"
side = \"front\"
table = \"units\"
target = \"1 Kent\"
was = { strength = \"3\" }
now = { strength = \"4\" }
```
",
};

/// One definition of counters, compiled.
struct Maker<'env> {
    of: Of,
    when: Option<Compiled<'env>>,
    copies: Option<Compiled<'env>>,
    shape: String,
    sheet: String,
    front: Vec<(String, Compiled<'env>)>,
    back: Vec<(String, Compiled<'env>)>,
    shown: Vec<String>,
}

impl<'env> Maker<'env> {
    fn expressions(&self) -> impl Iterator<Item = &Compiled<'env>> {
        let texts = self.front.iter().chain(&self.back).map(|(_, text)| text);
        self.when.iter().chain(&self.copies).chain(texts)
    }
}

/// The counters of a model, by table and id.
pub fn counters(lowering: &Lowering<'_>, model: &Model, sink: &mut Sink) -> Vec<Counter> {
    let game = lowering.game;
    if game.counters.is_empty() {
        return Vec::new();
    }
    let environment = expression::environment(game, model);
    let makers: Vec<Maker<'_>> = (0..game.counters.len())
        .map(|index| maker(&environment, game, index, sink))
        .collect();
    let mut counters = Vec::new();
    for of in [Of::Leaders, Of::Markers, Of::Supply, Of::Units] {
        if !makers.iter().any(|maker| maker.of == of) {
            continue;
        }
        let scope = expression::Scope::new(
            game,
            model,
            of,
            makers
                .iter()
                .filter(|maker| maker.of == of)
                .flat_map(Maker::expressions),
        );
        for index in 0..model.len(of) {
            let context = scope.context(index);
            let made = makers
                .iter()
                .filter(|maker| maker.of == of)
                .find(|maker| maker.when.as_ref().is_none_or(|when| when.holds(&context, sink)));
            let Some(maker) = made else {
                let absent = of == Of::Leaders && !model.leaders[index].present;
                if !absent {
                    let (span, name) = model.head(of, index);
                    sink.push(
                        Diagnostic::new(&NO_COUNTER, span, format!("{name} has no counter"))
                            .note("no definition of counters applies")
                            .help("add a `[[counters]]` to `game.toml`, or widen the `when` of one"),
                    );
                }
                continue;
            };
            counters.push(counter(lowering, model, maker, index, &context, sink));
        }
    }
    counters.sort_by(|a, b| {
        (a.of.table(), ())
            .cmp(&(b.of.table(), ()))
            .then_with(|| natural(&a.record, &b.record))
    });
    counters
}

fn maker<'env>(
    environment: &'env minijinja::Environment<'static>,
    game: &'env Game,
    index: usize,
    sink: &mut Sink,
) -> Maker<'env> {
    let definition = &game.counters[index];
    let at = |part: &str| game.span(&format!("/counters/{index}{part}"));
    let mut compile = |side: &str, texts: &'env BTreeMap<String, String>| -> Vec<(String, Compiled<'env>)> {
        texts
            .iter()
            .map(|(field, text)| {
                let span = at(&format!("/{side}/{field}"));
                (field.clone(), expression::template(environment, text, span, sink))
            })
            .collect()
    };
    let front = compile("front", &definition.front);
    let back = compile("back", &definition.back);
    let all_texts: String = definition
        .front
        .values()
        .chain(definition.back.values())
        .cloned()
        .collect();
    Maker {
        of: definition.of,
        when: definition
            .when
            .as_ref()
            .map(|text| expression::compile(environment, text, at("/when"), sink)),
        copies: definition
            .copies
            .as_ref()
            .map(|text| expression::compile(environment, text, at("/copies"), sink)),
        shape: definition.shape.clone(),
        sheet: definition.sheet.clone(),
        front,
        back,
        shown: game
            .attributes_of(definition.of)
            .map(|attribute| attribute.name.clone())
            .filter(|name| all_texts.contains(name.as_str()))
            .collect(),
    }
}

fn counter(
    lowering: &Lowering<'_>,
    model: &Model,
    maker: &Maker<'_>,
    index: usize,
    context: &minijinja::Value,
    sink: &mut Sink,
) -> Counter {
    let of = maker.of;
    let mut write = |texts: &[(String, Compiled<'_>)]| -> BTreeMap<String, String> {
        texts
            .iter()
            .map(|(field, text)| (field.clone(), text.text(context, sink)))
            .filter(|(_, text)| !text.is_empty())
            .collect()
    };
    let front = write(&maker.front);
    let back = write(&maker.back);
    let (record, side, kind, count, note, row) = match of {
        Of::Units => {
            let unit = &model.units[index];
            (
                unit.id.clone(),
                Some(unit.side.clone()),
                unit.kind.clone(),
                Some(1),
                unit.note.clone(),
                unit.row,
            )
        }
        Of::Leaders => {
            let leader = &model.leaders[index];
            (
                leader.id.clone(),
                Some(leader.side.clone()),
                leader.role.clone(),
                Some(1),
                leader.note.clone(),
                leader.row,
            )
        }
        Of::Supply => {
            let item = &model.supply[index];
            let kind = item.kind.clone().unwrap_or_else(|| "supply".into());
            (
                item.id.clone(),
                item.side.clone(),
                kind,
                item.count,
                item.note.clone(),
                item.row,
            )
        }
        _ => {
            let item = &model.markers[index];
            (
                item.id.clone(),
                item.side.clone(),
                "marker".into(),
                item.count,
                item.note.clone(),
                item.row,
            )
        }
    };
    let mut basis: BTreeMap<String, Basis> = model
        .attributes(of, index)
        .iter()
        .filter(|attribute| attribute.basis != Basis::Printed && maker.shown.contains(&attribute.name))
        .map(|attribute| (attribute.name.clone(), attribute.basis))
        .collect();
    if of == Of::Supply && model.supply[index].count_basis != Basis::Printed {
        basis.insert("count".into(), model.supply[index].count_basis);
    }
    // How many pieces an expression gives; none where it cannot be known.
    let count = match &maker.copies {
        Some(copies) => copies.value(context, sink).and_then(|count| count.as_i64()),
        None => count,
    };
    let misprints = misprints(lowering, of, row, &front, &back, sink);
    let sheet = match of {
        Of::Markers => model.markers[index]
            .sheet
            .clone()
            .unwrap_or_else(|| maker.sheet.clone()),
        _ => maker.sheet.clone(),
    };
    Counter {
        id: format!("{}/{record}", of.table()),
        of,
        record,
        side,
        kind,
        shape: maker.shape.clone(),
        sheet,
        count,
        front,
        back,
        basis,
        misprints,
        note,
    }
}

/// What the published counter of a record says wrongly; that the data give what the errata mean is checked here.
fn misprints(
    lowering: &Lowering<'_>,
    of: Of,
    row: usize,
    front: &BTreeMap<String, String>,
    back: &BTreeMap<String, String>,
    sink: &mut Sink,
) -> Vec<Misprint> {
    let mut misprints = Vec::new();
    for edit in &lowering.applied.counters {
        if edit.table != of.table() || edit.row != row {
            continue;
        }
        let overlay = &lowering.overlays[edit.overlay];
        let texts = match edit.side {
            CounterSide::Front => front,
            CounterSide::Back => back,
        };
        for (field, meant) in &edit.now {
            let given = texts.get(field);
            if given != Some(meant) {
                let given = given.map_or_else(|| "nothing".to_owned(), |given| format!("`{given}`"));
                let mut diagnostic = Diagnostic::new(
                    &COUNTER_MISMATCH,
                    edit.span,
                    format!("the erratum says that the counter means `{meant}` as its `{field}`, but the data give {given}"),
                )
                .note("what the game means, it says");
                if !texts.contains_key(field) {
                    let fields: Vec<&str> = texts.keys().map(String::as_str).collect();
                    diagnostic =
                        diagnostic.help(format!("the counter shows {}", crate::suggest::quoted(&fields)));
                } else {
                    diagnostic = diagnostic.help("correct the data, or the entry");
                }
                sink.push(diagnostic);
            }
            misprints.push(Misprint {
                side: edit.side,
                field: field.clone(),
                printed: edit.was.get(field).cloned(),
                meant: meant.clone(),
                overlay: overlay.id.clone(),
                reference: overlay.entries[edit.entry].reference.clone(),
            });
        }
    }
    misprints
}
