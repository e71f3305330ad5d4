//! Mutations: the shipped games, damaged in a known way at a known place.
//!
//! After each, a new diagnostic must lie on the damaged place or name the damaged record, or the pack must be what it was
//! (a harmless mutation). The places are chosen by a generator with a fixed seed, so every run is the same.
//!
//! `cargo test mutations` tries one place of every game for each mutation; `ORBAT_MUTATIONS=20` tries twenty and writes
//! the rates to `docs/mutations.md`.

mod csv;
mod judge;
mod random;
mod table;
mod toml;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use judge::{Game, Verdict};
use random::Random;

use crate::support::REPOSITORY;

/// From so many places on, a share below 100 % is a share.
const ENOUGH: u32 = 20;

/// The shipped files of a game, by path.
pub type Files = BTreeMap<String, Vec<u8>>;

/// A damaged file, and where the damage is.
pub struct Mutant {
    pub path: String,
    pub bytes: Vec<u8>,
    /// The damaged lines, counted from 1 in the damaged file, first and last.
    pub lines: (u32, u32),
    /// What names the damaged record.
    pub names: Vec<String>,
    /// What was done, for the report of a failure.
    pub what: String,
}

/// A kind of damage.
pub struct Mutation {
    pub name: &'static str,
    /// Damages one place of a game; `None` where the place that came up cannot be damaged in this way.
    pub make: fn(&Files, &mut Random) -> Option<Mutant>,
    /// The least share that must be told or harmless, in percent.
    pub least: u32,
    /// Why less than 100 % is right.
    pub why: &'static str,
}

/// What came of one mutation.
#[derive(Default, Clone)]
struct Tally {
    tried: u32,
    at: u32,
    named: u32,
    harmless: u32,
    elsewhere: u32,
    silent: u32,
    missed: Vec<String>,
}

impl Tally {
    fn rate(&self) -> u32 {
        (self.at + self.named + self.harmless) * 100 / self.tried.max(1)
    }
}

#[test]
fn what_is_damaged_is_told_where_it_is() {
    let long = std::env::var("ORBAT_MUTATIONS").ok();
    let places: u64 = long
        .as_deref()
        .map_or(1, |places| places.parse().expect("ORBAT_MUTATIONS is a number"));
    let games: Vec<String> = orbat::project::games(Path::new(REPOSITORY)).expect("the shipped games");
    let mutations: Vec<Mutation> = csv::mutations().into_iter().chain(toml::mutations()).collect();
    assert!(mutations.len() >= 40, "{}", mutations.len());
    let jobs: Vec<(usize, usize, u64)> = (0..games.len())
        .flat_map(|game| (0..mutations.len()).map(move |mutation| (game, mutation)))
        .flat_map(|(game, mutation)| (0..places).map(move |place| (game, mutation, place)))
        .collect();
    let next = AtomicUsize::new(0);
    let tallies = Mutex::new(vec![Tally::default(); mutations.len()]);
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut shipped: BTreeMap<usize, Game> = BTreeMap::new();
                while let Some(&(game, mutation, place)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let shipped = shipped.entry(game).or_insert_with(|| Game::new(&games[game]));
                    let verdict = attempt(shipped, &mutations[mutation], place);
                    let mut tallies = tallies.lock().expect("no thread panics while it holds this");
                    tallies[mutation].count(verdict);
                }
            });
        }
    });
    let mut tallies = tallies
        .into_inner()
        .expect("no thread panics while it holds this");
    for tally in &mut tallies {
        tally.missed.sort();
    }
    let mut failures = String::new();
    for (mutation, tally) in mutations.iter().zip(&tallies) {
        // A share of a few places says nothing.
        let told = mutation.least == 100 || tally.tried >= ENOUGH;
        if tally.tried > 0 && told && tally.rate() < mutation.least {
            failures += &format!(
                "{}: {} % are told or harmless, {} % must be\n  {}\n",
                mutation.name,
                tally.rate(),
                mutation.least,
                tally.missed.join("\n  ")
            );
        }
        assert!(
            mutation.least == 100 || !mutation.why.is_empty(),
            "{} says not why",
            mutation.name
        );
    }
    if long.is_some() {
        fs::write(
            Path::new(REPOSITORY).join("docs/mutations.md"),
            report(&mutations, &tallies, places),
        )
        .expect("docs/mutations.md");
        fs::write(
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutations-missed.txt"),
            missed(&mutations, &tallies),
        )
        .expect("the list of what was missed");
    }
    assert!(failures.is_empty(), "{failures}");
}

impl Tally {
    fn count(&mut self, verdict: Option<(Verdict, String)>) {
        let Some((verdict, what)) = verdict else {
            return;
        };
        self.tried += 1;
        match verdict {
            Verdict::At => self.at += 1,
            Verdict::Named => self.named += 1,
            Verdict::Harmless => self.harmless += 1,
            Verdict::Elsewhere(told) => {
                self.elsewhere += 1;
                self.missed.push(format!("{what}: told elsewhere: {told}"));
            }
            Verdict::Silent => {
                self.silent += 1;
                self.missed.push(format!("{what}: nothing is told"));
            }
        }
    }
}

/// Tries a few places until one can be damaged in this way.
fn attempt(game: &Game, mutation: &Mutation, place: u64) -> Option<(Verdict, String)> {
    for again in 0..20 {
        let mut random = Random::new(&format!("{} {} {place} {again}", game.id, mutation.name));
        if let Some(mutant) = (mutation.make)(&game.files, &mut random) {
            let what = format!("{}:{} {}", mutant.path, mutant.lines.0, mutant.what);
            return Some((game.judge(&mutant), what));
        }
    }
    None
}

/// The rates in Markdown.
fn report(mutations: &[Mutation], tallies: &[Tally], places: u64) -> String {
    let mut text = format!(
        "# Mutations of the shipped games\n\n\
         Each mutation damages {places} places of every shipped game, chosen by a generator with a fixed seed. A mutation \
         counts as detected where a new diagnostic lies on the damaged lines, or names the damaged record, or where the \
         pack is what it was (harmless). What is told elsewhere or not at all is missed.\n\n\
         Written by `ORBAT_MUTATIONS={places} cargo test --test suite mutations`.\n\n\
         | mutation | tried | at the place | by name | harmless | elsewhere | silent | rate |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|\n"
    );
    for (mutation, tally) in mutations.iter().zip(tallies) {
        text += &format!(
            "| {} | {} | {} | {} | {} | {} | {} | {} % |\n",
            mutation.name,
            tally.tried,
            tally.at,
            tally.named,
            tally.harmless,
            tally.elsewhere,
            tally.silent,
            tally.rate()
        );
    }
    text += "\n## Why some are missed\n\n";
    for (mutation, tally) in mutations.iter().zip(tallies) {
        if tally.rate() < 100 {
            text += &format!("* **{}** ({} %): {}\n", mutation.name, tally.rate(), mutation.why);
        }
    }
    text
}

/// Every place that was missed, for whoever mends it.
fn missed(mutations: &[Mutation], tallies: &[Tally]) -> String {
    let mut text = String::new();
    for (mutation, tally) in mutations.iter().zip(tallies) {
        if !tally.missed.is_empty() {
            text += &format!("{}\n  {}\n", mutation.name, tally.missed.join("\n  "));
        }
    }
    text
}
