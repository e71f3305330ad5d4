//! How long the compiler takes: the shipped games from disk to pack, and a generated order of battle of many units.

use std::path::{Path, PathBuf};

use orbat::diagnostic::Sink;
use orbat::errata::Edition;
use orbat::project;
use orbat::source::Files;

fn main() {
    divan::main();
}

fn compile(root: &Path, id: &str) -> usize {
    let mut files = Files::default();
    let mut sink = Sink::default();
    let compiled = orbat::compile(&mut files, root, id, &Edition::default(), &mut sink);
    compiled
        .ok()
        .flatten()
        .and_then(|compiled| compiled.model)
        .map_or(0, |model| model.units.len())
}

/// The shipped games.
#[divan::bench(sample_count = 20)]
fn shipped(bencher: divan::Bencher) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ids = project::games(root).unwrap_or_default();
    bencher.bench(|| ids.iter().map(|id| compile(root, id)).sum::<usize>());
}

/// A game of `units` units in brigades of five.
#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 3)]
fn generated(bencher: divan::Bencher, units: usize) {
    let folder = generate(units);
    bencher.bench(|| {
        let compiled = compile(&folder, "made");
        assert_eq!(compiled, units);
        compiled
    });
    let _ = std::fs::remove_dir_all(folder);
}

fn generate(units: usize) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("orbat-bench-{units}"));
    let game = folder.join("oob/made");
    std::fs::create_dir_all(&game).expect("the temporary folder can be written");
    let write = |name: &str, text: String| {
        std::fs::write(game.join(name), text).expect("the temporary folder can be written");
    };
    write(
        "game.toml",
        r#"id = "made"
title = "Made for measuring"
source = "generated"
sides = [{ id = "red", name = "Red" }]
echelons = [{ id = "army", name = "Army", level = 1 }, { id = "brigade", name = "Brigade", level = 2 }]
kinds = [{ id = "infantry", name = "Infantry", arm = "infantry" }]
[[attributes]]
of = "units"
name = "strength"
type = "integer"
label = "Strength"
min = 1
"#
        .into(),
    );
    let mut formations = "id,side,parent,echelon,abbr,name\nred,red,,army,,Red Army\n".to_owned();
    let mut rows = "id,formation,kind,name,strength\n".to_owned();
    for unit in 0..units {
        if unit % 5 == 0 {
            let brigade = unit / 5;
            formations.push_str(&format!("b{brigade},,red,brigade,{brigade},Brigade {brigade}\n"));
        }
        rows.push_str(&format!(
            "u{unit},b{},infantry,{unit}th Foot,{}\n",
            unit / 5,
            unit % 9 + 1
        ));
    }
    write("formations.csv", formations);
    write("units.csv", rows);
    folder
}
