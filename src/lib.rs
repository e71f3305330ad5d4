//! orbat compiles wargame orders of battle and scenarios, kept as plain CSV and TOML, into checked data packs and the
//! paper that players use.
//!
//! The whole pipeline is [`compile`]:
//!
//! 1. **read** ([`project`]): a game's folder becomes spanned [`record`]s, a [`game`] definition and [`errata`] overlays;
//! 2. **overlay** ([`errata::apply()`]): the overlays of the edition edit the records;
//! 3. **validate** ([`schema::judge_records`]): every record is judged by the JSON Schema of its table;
//! 4. **resolve** ([`resolve`]): names become indices, and records the [`model`];
//! 5. **fill** ([`fill()`](fill::fill)): defaults, apportioned strengths and derived attributes;
//! 6. **scenarios** ([`scenario::resolve::scenarios`]): selections, moments and places, and what becomes of everybody;
//! 7. **check** ([`check::run`]): what a schema cannot say;
//! 8. **lower** ([`lower()`](lower::lower)): the checked model becomes the [`pack`].
//!
//! Every stage pushes what it finds into a [`diagnostic::Sink`] and goes on; only real I/O returns an error. [`emit`]
//! turns packs into artifacts without writing anything, and [`output`] writes them, all or nothing.
//!
//! To add a check, see [`check`]; a sheet, [`emit`] and `templates/`; a field, [`schema::rows`] or an attribute in a
//! game's `game.toml`.

pub mod source;

pub mod diagnostic;
pub mod order;
pub mod parallel;
pub mod report;
pub mod suggest;

pub mod cell;
pub mod read;
pub mod record;
pub mod text;

pub mod definition;
pub mod document;
pub mod game;
pub mod project;
pub mod schema;

pub mod fold;
pub mod reference;
pub mod select;
pub mod selection;

pub mod blame;
pub mod errata;

pub mod apportion;
pub mod calendar;
pub mod chart;
pub mod expression;
pub mod fill;
pub mod model;
pub mod place;
pub mod resolve;
pub mod scenario;

pub mod check;

pub mod inventory;
pub mod lower;
pub mod pack;

pub mod emit;
pub mod output;

pub mod cli;
pub mod compare;
pub mod diff;
pub mod fix;
pub mod new;
pub mod rules;
pub mod suppression;
pub mod timeline;
pub mod why;

use std::io;
use std::path::Path;

use crate::calendar::Calendar;
use crate::diagnostic::{Rule, Severity, Sink};
use crate::errata::{Applied, Edition};
use crate::model::Model;
use crate::pack::Pack;
use crate::pack::scenario::ScenarioPack;
use crate::project::Contents;
use crate::reference::Index;
use crate::select::Words;
use crate::source::Files;

/// The rules of the pipeline itself.
pub static RULES: &[&Rule] = &[&LOST_RECORD];

static LOST_RECORD: Rule = Rule {
    code: "lost-record",
    severity: Severity::Error,
    summary: "records were read and lost without a word",
    explanation: "Whatever cannot be used is told where it stands. If records are missing in the model and nothing was told, \
                  the program has a fault; it then writes nothing rather than an order of battle with holes.",
};

/// A game that went through the pipeline, as far as it came.
pub struct Compiled {
    /// What its folder holds; the records after overlays.
    pub contents: Contents,
    /// The names of its records.
    pub index: Index,
    /// What the overlays did.
    pub applied: Applied,
    /// The model, where the pipeline came so far.
    pub model: Option<Model>,
    /// The pack, where there was no error.
    pub pack: Option<Pack>,
    /// The packs of its scenarios.
    pub scenarios: Vec<ScenarioPack>,
}

impl Compiled {
    fn unjudged(contents: Contents, index: Index, applied: Applied) -> Self {
        Compiled {
            contents,
            index,
            applied,
            model: None,
            pack: None,
            scenarios: Vec::new(),
        }
    }
}

/// Compiles one game of a project. `None` where its definition cannot be used.
pub fn compile(
    files: &mut Files,
    root: &Path,
    id: &str,
    edition: &Edition,
    sink: &mut Sink,
) -> io::Result<Option<Compiled>> {
    let Some(mut contents) = project::read_game(files, root, id, sink)? else {
        return Ok(None);
    };
    let mut index = Index::build(&contents.records, &contents.game.synonyms);
    if sink.has_errors() {
        // What could not be read would be reported as missing all over again by everything that refers to it. Each record
        // that was read can be judged by itself, as the overlays leave it; what they miss may only be unread.
        if contents.overlays.len() == contents.overlay_files {
            let printing = contents.game.printing.as_deref();
            let (overlays, mut edits) = (&contents.overlays, Sink::default());
            errata::apply(
                files,
                overlays,
                edition,
                printing,
                &mut contents.records,
                &mut index,
                &mut edits,
            );
            schema::judge_records(&contents.game, &contents.records, &contents.headers, sink);
        }
        return Ok(Some(Compiled::unjudged(contents, index, Applied::default())));
    }
    let mut edits = Sink::default();
    let mut applied = errata::apply(
        files,
        &contents.overlays,
        edition,
        contents.game.printing.as_deref(),
        &mut contents.records,
        &mut index,
        &mut edits,
    );
    let mut columns = Sink::default();
    if (edits.has_errors() || !applied.failures.is_empty())
        && schema::hides_a_file(&contents.game, &contents.records, &contents.headers, &mut columns)
    {
        // A column under another name is why overlays do not find what they correct: that is the fault.
        sink.append(columns);
        return Ok(Some(Compiled::unjudged(contents, index, Applied::default())));
    }
    sink.append(edits);
    blame::blame(
        &contents.game,
        &contents.records,
        &contents.headers,
        &mut applied,
        sink,
    );
    let mut compiled = Compiled::unjudged(contents, index, applied);
    if sink.has_errors() {
        // After a failed overlay nothing downstream is judged: it would be the wrong edition.
        return Ok(Some(compiled));
    }
    judge(files, &mut compiled, sink);
    Ok(Some(compiled))
}

/// From records to pack.
fn judge(files: &Files, compiled: &mut Compiled, sink: &mut Sink) {
    let contents = &compiled.contents;
    let broken = schema::judge_records(&contents.game, &contents.records, &contents.headers, sink);
    if broken.hides_a_file() {
        return;
    }
    let words = Words::new(&contents.game);
    let mut model = resolve::Resolver {
        words: &words,
        doubtful: &Default::default(),
        missing: &Default::default(),
        broken_below: &Default::default(),
        doubles: &Default::default(),
        game: &contents.game,
        records: &contents.records,
        index: &compiled.index,
        broken: &broken,
        overlays: &contents.overlays,
        applied: &compiled.applied,
    }
    .resolve(sink);
    for (definition, table, headers) in &contents.charts {
        let chart = chart::read(&contents.game, *definition, table, headers, &model, sink);
        model.charts.push(chart);
    }
    fill::fill(&contents.game, &mut model, sink);
    if let Some(calendar) = &contents.game.calendar {
        model.calendar = Calendar::new(calendar);
        model.schedules = scenario::schedules(&contents.records);
        let stage = scenario::resolve::Stage {
            game: &contents.game,
            calendar: &model.calendar,
            model: &model,
            records: &contents.records,
            index: &compiled.index,
            words: &words,
            broken: &broken,
            schemas: &scenario::resolve::schemas(),
            units: &model
                .units
                .iter()
                .enumerate()
                .map(|(index, unit)| (unit.row, index))
                .collect(),
            doubtful: &Default::default(),
            doubtful_sides: &Default::default(),
            strange_days: &Default::default(),
            all: &contents.scenarios,
        };
        // Scenarios name everybody by way of the tree: where a formation is missing, that is the fault.
        let scenarios = if model.torn {
            Vec::new()
        } else {
            scenario::resolve::scenarios(stage, sink)
        };
        model.scenarios = scenarios;
        let sets = |(document, _): &(document::Document<scenario::definition::ScenarioFile>, String)| {
            document.reductions.clone()
        };
        let all = &contents.scenarios;
        model.used_reductions = (!all.is_empty()).then(|| all.iter().flat_map(sets).collect());
    } else if let Some((document, _)) = contents.scenarios.first() {
        sink.push(scenario::resolve::no_calendar(document, contents.scenarios.len()));
    }
    if !sink.has_errors() {
        tell_lost(contents, &model, sink);
    }
    match check::run(&contents.game, model, sink) {
        Ok(checked) => {
            let lowering = lower::Lowering {
                files,
                game: &contents.game,
                overlays: &contents.overlays,
                applied: &compiled.applied,
            };
            let pack = lower::lower(&lowering, &checked, sink);
            if !sink.has_errors() {
                compiled.scenarios = lower::scenarios(&lowering, &checked);
                compiled.pack = Some(pack);
            }
            compiled.model = Some(checked.into_model());
        }
        Err(model) => compiled.model = Some(*model),
    }
}

/// Nothing is left out of a model without a word: what is missing although nothing was told is told here.
fn tell_lost(contents: &Contents, model: &Model, sink: &mut Sink) {
    let rows = |name: &str| {
        contents
            .records
            .table(name)
            .map_or(0, |table| table.rows().count())
    };
    let scenarios = model.scenarios.len();
    let counts = [
        ("units", rows("units"), model.units.len()),
        ("formations", rows("formations"), model.formations.len()),
        ("leaders", rows("leaders"), model.leaders.len()),
        ("scenarios", contents.scenarios.len(), scenarios),
    ];
    for (what, read, kept) in counts.into_iter().filter(|(_, read, kept)| read != kept) {
        let place = contents.game.span("/id");
        sink.push(diagnostic::Diagnostic::new(
            &LOST_RECORD,
            place,
            format!("{read} {what} were read, but {kept} came into the model"),
        )
        .note("of this game")
        .help("this is a fault of orbat, which should have said what is wrong with the others; please report it"));
    }
}
