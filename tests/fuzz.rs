//! The fuzz targets, run without a fuzzer: seeds from the fixtures and the faulty projects, mutated by a generator with
//! a fixed seed. Nothing may panic, hang, or take much memory.
//!
//! `ORBAT_FUZZ=20 cargo test --test fuzz` runs twenty times as long. cargo-fuzz runs the same functions: see `fuzz/`.

#[path = "../fuzz/src/lib.rs"]
mod targets;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// No execution may take longer, on a machine that does other things besides.
const MOMENT: Duration = Duration::from_secs(10);

/// No target may take longer for all its executions.
const PATIENCE: Duration = Duration::from_secs(300);

/// Inputs are kept below this length, as a fuzzer keeps them.
const LONGEST: usize = 4096;

/// The most memory that the whole run may have taken, in KiB.
const MEMORY: u64 = 600 * 1024;

struct Target {
    name: &'static str,
    run: fn(&[u8]),
    /// Executions of a short run.
    executions: usize,
    /// What is put into inputs.
    words: &'static [&'static str],
}

const TARGETS: &[Target] = &[
    Target {
        name: "csv",
        run: targets::csv,
        executions: 2000,
        words: &[
            "\"",
            "\"\"",
            ",",
            ";",
            "\t",
            "|",
            "\r",
            "\n",
            "\r\n",
            "\u{feff}",
            "sep=;\n",
            "\0",
            "\u{1a}",
            "id,name\n",
            ",,,,\n",
            "Total",
            "\u{a0}",
            "\u{200b}",
            "3-Jan",
            "½",
            "🐎",
        ],
    },
    Target {
        name: "toml",
        run: targets::toml,
        executions: 500,
        words: &[
            "[",
            "]",
            "[[",
            "]]",
            "{",
            "}",
            "\"",
            "\"\"\"",
            "'",
            "'''",
            "=",
            ".",
            ",",
            "#",
            "\n",
            "\r",
            "0740",
            "07:40:00",
            "1863-07-01",
            "“",
            "”",
            "inf",
            "1e400",
            "[[units]]\n",
            "[[formations.units]]\n",
            "id = \"x\"\n",
            "\\u",
            "\0",
        ],
    },
    Target {
        name: "selection",
        run: targets::selection,
        executions: 20_000,
        words: &[
            ";",
            ",",
            " and ",
            " except ",
            " of ",
            "rest of ",
            "all",
            "artillery",
            "/",
            "\"",
            "(",
            ")",
            " ",
            "\u{a0}",
            "’",
            "1/1/I",
            "’s",
            "🐎",
        ],
    },
    Target {
        name: "errata",
        run: targets::errata,
        executions: 300,
        words: &[
            "[[entries]]\n",
            "op = \"set\"\n",
            "op = \"swap\"\n",
            "op = \"remap\"\n",
            "op = \"add\"\n",
            "op = \"move\"\n",
            "op = \"remove\"\n",
            "table = \"units\"\n",
            "table = \"formations\"\n",
            "target = \"red\"\n",
            "targets = [\"red-hay\", \"6 Essex\"]\n",
            "into = \"red-hay\"\n",
            "was = { parent = \"red\" }\n",
            "now = { parent = \"red-1-north\" }\n",
            "expect = 2\n",
            "\"",
            "}",
            "{",
            "red-1",
            "red-hay",
        ],
    },
    Target {
        name: "expression",
        run: targets::expression,
        executions: 3000,
        words: &[
            "{{ ",
            " }}",
            "{% for x in range(9999999) %}",
            "{% endfor %}",
            "{% if ",
            " %}",
            "(",
            ")",
            "[",
            "]",
            " | ",
            " ~ ",
            " * 999999999",
            " ** 99",
            " // 0",
            "range(99999999)",
            "'x'",
            "|list",
            "|join",
            "|stars",
            "strength",
            "formation",
            "is none",
            " not ",
            " and ",
            " in ",
            "{% macro m() %}{{ m() }}{% endmacro %}",
            "lookup(",
            "{# ",
        ],
    },
];

#[test]
fn any_input_is_survived() {
    let times: usize =
        std::env::var("ORBAT_FUZZ").map_or(1, |times| times.parse().expect("ORBAT_FUZZ is a number"));
    let seeds = seeds();
    for target in TARGETS {
        let seeds: Vec<Vec<u8>> = seeds
            .iter()
            .filter(|(of, _)| *of == target.name)
            .map(|(_, seed)| seed.clone())
            .collect();
        assert!(seeds.len() >= 10, "{} has {} seeds", target.name, seeds.len());
        let (done, end) = mpsc::channel();
        let runner = std::thread::spawn(move || {
            let result = run(target, &seeds, target.executions * times);
            let _ = done.send(result);
        });
        match end.recv_timeout(PATIENCE * times as u32) {
            Ok(Ok(())) => runner.join().expect("the runner has ended"),
            Ok(Err(why)) => panic!("{}: {why}", target.name),
            Err(_) => panic!("{} does not end", target.name),
        }
    }
    if let Some(peak) = peak() {
        assert!(peak < MEMORY, "the run took {peak} KiB");
    }
}

fn run(target: &Target, seeds: &[Vec<u8>], executions: usize) -> Result<(), String> {
    let mut random = Random(0x5eed);
    for number in 0..executions {
        // First the seeds as they are.
        let input = match seeds.get(number) {
            Some(seed) => seed.clone(),
            None => mutated(seeds, target.words, &mut random),
        };
        let start = Instant::now();
        let survived = catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
        let told = || {
            let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{}", target.name));
            let _ = fs::write(&kept, &input);
            format!("{} (kept in {})", input.escape_ascii(), kept.display())
        };
        if survived.is_err() {
            return Err(format!("panics at {}", told()));
        }
        if start.elapsed() > MOMENT {
            return Err(format!("takes {:?} for {}", start.elapsed(), told()));
        }
    }
    Ok(())
}

/// One of the seeds, changed in a few places.
fn mutated(seeds: &[Vec<u8>], words: &[&str], random: &mut Random) -> Vec<u8> {
    let mut input = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(6) {
        let at = random.below(input.len() + 1);
        let to = (at + random.below(24)).min(input.len());
        match random.below(8) {
            0 if at < input.len() => input[at] = random.next() as u8,
            1 => {
                input.drain(at..to);
            }
            2 => {
                let again = input[at..to].to_vec();
                input.splice(at..at, again);
            }
            3 => input.truncate(at.max(8)),
            4 => {
                let other = &seeds[random.below(seeds.len())];
                let from = random.below(other.len() + 1);
                let until = (from + random.below(200)).min(other.len());
                input.splice(at..to, other[from..until].iter().copied());
            }
            5 if at < input.len() => input[at] ^= 1 << random.below(8),
            _ => {
                let word = words[random.below(words.len())];
                input.splice(at..at, word.bytes());
            }
        }
    }
    input.truncate(LONGEST);
    input
}

/// What to begin with: the name of the target and an input.
fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let mut seeds = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut paths = Vec::new();
    for folder in ["faults", "fixtures"] {
        files(&root.join(folder), &mut paths);
    }
    paths.sort();
    for path in paths {
        let mut bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let path = path.to_string_lossy().replace('\\', "/");
        let quoted = |keys: &[&str]| -> Vec<Vec<u8>> {
            text.lines()
                .filter_map(|line| line.split_once(" = \""))
                .filter(|(key, _)| keys.contains(key))
                .map(|(_, value)| value.trim_end_matches('"').as_bytes().to_vec())
                .collect()
        };
        for seed in quoted(&["units", "of", "target"]) {
            seeds.push(("selection", seed));
        }
        for seed in quoted(&["when", "must", "message", "value"]) {
            seeds.push(("expression", seed));
        }
        bytes.truncate(LONGEST);
        if path.ends_with(".csv") {
            seeds.push(("csv", bytes));
        } else if path.contains("/errata/") {
            seeds.push(("errata", bytes.clone()));
            seeds.push(("toml", bytes));
        } else if path.ends_with(".toml") {
            seeds.push(("toml", bytes));
        }
    }
    seeds.dedup();
    // The faulty projects share most of their text: some of each is enough.
    let mut thinned = Vec::new();
    for target in TARGETS {
        let of: Vec<_> = seeds.iter().filter(|(name, _)| *name == target.name).collect();
        let step = (of.len() / 100).max(1);
        thinned.extend(of.into_iter().step_by(step).cloned());
    }
    thinned
}

fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, all);
        } else {
            all.push(path);
        }
    }
}

/// The most memory that this process has had, in KiB, where the system tells.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`; 0 where `end` is 0.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}
