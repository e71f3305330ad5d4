//! A game compiled before and after a mutation.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use orbat::diagnostic::{Diagnostic, Sink};
use orbat::errata::Edition;
use tempfile::TempDir;

use super::{Files, Mutant};
use crate::support::{REPOSITORY, tree};

/// A shipped game in a folder of its own.
pub struct Game {
    pub id: String,
    pub files: Files,
    root: TempDir,
    /// What is told of it undamaged.
    told: BTreeSet<(&'static str, String)>,
    pack: Option<String>,
}

/// What became of a mutation.
pub enum Verdict {
    /// A diagnostic lies on the damage.
    At,
    /// A diagnostic names the damaged record.
    Named,
    /// Nothing is different.
    Harmless,
    /// Only told at another place: this.
    Elsewhere(String),
    /// Not told, and the pack is another.
    Silent,
}

/// What a compilation says and gives.
struct Outcome {
    files: orbat::source::Files,
    found: Vec<Diagnostic>,
    pack: Option<String>,
}

impl Game {
    pub fn new(id: &str) -> Self {
        let root = tempfile::tempdir().expect("a temporary folder");
        let mut files = Files::new();
        for folder in ["oob", "scenarios"] {
            let from = Path::new(REPOSITORY).join(folder).join(id);
            if !from.is_dir() {
                continue;
            }
            for (path, bytes) in tree(&from) {
                let path = format!("{folder}/{id}/{path}");
                let target = root.path().join(&path);
                fs::create_dir_all(target.parent().expect("a parent")).expect("a folder");
                fs::write(target, &bytes).expect("a file");
                files.insert(path, bytes);
            }
        }
        let mut game = Game {
            id: id.to_owned(),
            files,
            root,
            told: BTreeSet::new(),
            pack: None,
        };
        let outcome = game.compile();
        game.told = outcome
            .found
            .iter()
            .map(|found| (found.rule.code, found.message.clone()))
            .collect();
        game.pack = outcome.pack;
        game
    }

    /// Damages the folder, compiles it, and mends it again.
    pub fn judge(&self, mutant: &Mutant) -> Verdict {
        let path = self.root.path().join(&mutant.path);
        fs::write(&path, &mutant.bytes).expect("a file");
        let outcome = self.compile();
        match self.files.get(&mutant.path) {
            Some(bytes) => fs::write(&path, bytes),
            None => fs::remove_file(&path),
        }
        .expect("a file");
        let new: Vec<&Diagnostic> = outcome
            .found
            .iter()
            .filter(|found| !self.told.contains(&(found.rule.code, found.message.clone())))
            .collect();
        if new.iter().any(|found| outcome.lies_on(found, mutant)) {
            return Verdict::At;
        }
        if new.iter().any(|found| names(found, &mutant.names)) {
            return Verdict::Named;
        }
        match new.first() {
            Some(found) => Verdict::Elsewhere(format!("{} {}", found.rule.code, found.message)),
            None if outcome.pack == self.pack => Verdict::Harmless,
            None => Verdict::Silent,
        }
    }

    fn compile(&self) -> Outcome {
        let mut files = orbat::source::Files::default();
        let mut sink = Sink::default();
        let compiled = orbat::compile(
            &mut files,
            self.root.path(),
            &self.id,
            &Edition::default(),
            &mut sink,
        )
        .expect("the folder can be read");
        let pack = compiled.and_then(|compiled| {
            let mut pack = serde_json::to_value(compiled.pack?).expect("a pack is JSON");
            // Places move where lines are added.
            if let Some(pack) = pack.as_object_mut() {
                pack.remove("provenance");
            }
            let scenarios = serde_json::to_value(&compiled.scenarios).expect("a pack is JSON");
            Some(format!("{pack}{scenarios}"))
        });
        Outcome {
            found: sink.sorted(&files),
            files,
            pack,
        }
    }
}

impl Outcome {
    fn lies_on(&self, found: &Diagnostic, mutant: &Mutant) -> bool {
        found
            .span
            .iter()
            .chain(found.labels.iter().map(|label| &label.span))
            .any(|span| {
                let place = self.files.place(*span);
                self.files.path(span.file) == mutant.path
                    && place.line <= mutant.lines.1
                    && mutant.lines.0 <= place.end_line
            })
    }
}

fn names(found: &Diagnostic, names: &[String]) -> bool {
    let says = |text: &str| names.iter().any(|name| text.contains(name.as_str()));
    says(&found.message)
        || found.help.as_deref().is_some_and(says)
        || found.labels.iter().any(|label| says(&label.message))
}
