//! The command line. The only module that prints.

mod ask;
mod build;
mod fix;
mod print;
mod session;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::report::Format;

/// Everything is in order.
const CLEAN: u8 = 0;
/// The data have errors, or there is no answer.
const FOUND: u8 = 1;
/// The command cannot be carried out.
const UNUSABLE: u8 = 2;

/// A compiler for wargame orders of battle and scenarios.
#[derive(Parser)]
#[command(name = "orbat", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Reports everything that is wrong; writes nothing
    Check {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        output: Output,
        #[command(flatten)]
        baselines: Baselines,
        /// Write what can be read in one way only as it must be, show the changes, and report what is left
        #[arg(long)]
        fix: bool,
        /// With --fix: only show the changes
        #[arg(long, requires = "fix")]
        dry_run: bool,
    },
    /// Checks, then writes dist/
    Build {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        output: Output,
        #[command(flatten)]
        known: Known,
    },
    /// Writes one sheet to standard output or a file
    Print(Print),
    /// Says where a value comes from and what uses it: REF or REF.FIELD
    Why {
        /// The record, or a field of it: `105 Pa`, `Kershaw/McLaws/I`, `105 Pa.strength`
        reference: String,
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        output: Output,
    },
    /// Lists the overlays and what became of every entry
    Errata {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        output: Output,
    },
    /// Says what differs between two editions, such as `none` and `all`
    Diff {
        /// The first edition: all, none, official, or overlay ids with commas between
        from: String,
        /// The second edition
        to: String,
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        output: Output,
    },
    /// Says what is on the map, arrives and is due at a turn of a scenario
    Timeline {
        /// The scenario
        scenario: String,
        /// The turn: `0800`, `1863-07-02 0800`, its label or its number [default: every turn in which something happens]
        #[arg(long, value_name = "TURN")]
        at: Option<String>,
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        output: Output,
    },
    /// Says which units several games share, and where the games disagree about them
    Compare {
        /// The games [default: all of the project]
        #[arg(value_name = "GAME")]
        which: Vec<String>,
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        output: Output,
    },
    /// Writes a commented starting file that passes check
    New {
        /// What it is
        #[arg(value_enum)]
        what: Novelty,
        /// Its id
        id: String,
        #[command(flatten)]
        common: Common,
    },
    /// Writes the JSON Schemas to schema/
    Schema {
        /// Only say which files are not up to date
        #[arg(long)]
        check: bool,
        #[command(flatten)]
        common: Common,
    },
    /// Says what a diagnostic means; lists them all without a code
    Explain {
        /// The code
        code: Option<String>,
        /// Write the whole list as a page of Markdown, as in docs/diagnostics.md
        #[arg(long, conflicts_with = "code")]
        markdown: bool,
    },
}

/// What every command takes.
#[derive(Args, Clone)]
struct Common {
    /// The project's folder [default: the nearest one upwards that holds oob/]
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// Only this game; may be repeated
    #[arg(long = "game", value_name = "ID")]
    games: Vec<String>,
    /// The edition: all, none, official, or overlay ids with commas between
    #[arg(long, value_name = "WHICH", default_value = "all")]
    errata: String,
    /// Only overlays published by this date
    #[arg(long, value_name = "DATE")]
    as_of: Option<String>,
    /// Treat warnings as errors
    #[arg(long, value_name = "WHAT")]
    deny: Option<Deny>,
    /// Leave out warnings of this code; may be repeated
    #[arg(long, value_name = "CODE")]
    allow: Vec<String>,
    /// Show at most so many diagnostics [default: 100 as text, all in other formats]
    #[arg(long, value_name = "N")]
    max_errors: Option<usize>,
}

#[derive(Args, Clone, Copy)]
struct Output {
    /// How diagnostics and answers are written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Args)]
struct Known {
    /// Leave out the warnings and notes that this file lists; errors are never left out
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
}

#[derive(Args)]
struct Baselines {
    #[command(flatten)]
    read: Known,
    /// Write the warnings and notes that are shown to this file, for --baseline
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    write_baseline: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Deny {
    Warnings,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Novelty {
    /// A small, complete game, with a scenario
    Game,
    /// A scenario of a game
    Scenario,
    /// An errata overlay of a game
    Errata,
}

#[derive(Args)]
struct Print {
    /// The sheet's id; `counters` for the counter manifest
    sheet: String,
    /// Only the sheet of this side or formation
    #[arg(long, value_name = "ID")]
    of: Option<String>,
    /// The scenario whose sheet is meant
    #[arg(long, value_name = "ID")]
    scenario: Option<String>,
    /// html, md, or csv for the counter manifest
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// Write to this file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

/// Runs the program on the process' own arguments; returns its exit status.
pub fn run() -> u8 {
    let status = carry_out(Cli::parse().command);
    session::lost_output().unwrap_or(status)
}

fn carry_out(command: Command) -> u8 {
    match command {
        Command::Check {
            common,
            output,
            baselines,
            fix,
            dry_run,
        } => build::check(&common, output.format, &baselines, fix.then_some(dry_run)),
        Command::Build {
            common,
            output,
            known,
        } => build::build(&common, output.format, &known),
        Command::Print(arguments) => print::print(&arguments),
        Command::Why {
            reference,
            common,
            output,
        } => ask::explain_value(&reference, &common, output.format),
        Command::Errata { common, output } => ask::errata(&common, output.format),
        Command::Diff {
            from,
            to,
            common,
            output,
        } => ask::compare(&from, &to, &common, output.format),
        Command::Timeline {
            scenario,
            at,
            common,
            output,
        } => ask::timeline(&scenario, at.as_deref(), &common, output.format),
        Command::Compare {
            which,
            common,
            output,
        } => ask::compare_games(&which, &common, output.format),
        Command::New { what, id, common } => build::create(what, &id, &common),
        Command::Schema { check, common } => build::write_schemas(check, &common),
        Command::Explain { markdown: true, .. } => ask::explain_all(),
        Command::Explain { code, .. } => ask::explain(code.as_deref()),
    }
}
