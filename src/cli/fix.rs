//! `check --fix`: makes the replacements that diagnostics offer.

use super::Common;
use super::session::{fail, open, render_all, say, settle, write_out};
use crate::errata::Edition;
use crate::fix;
use crate::output;

/// One round of mending may bring to light what was hidden; more rounds than this would be a fault of the program.
const ROUNDS: usize = 8;

/// Mends the project's files as often as there is something to mend, showing each change; with `dry_run` it only shows
/// the first round. `to_out` says whether the diff goes to standard output, where machine formats go too.
pub(super) fn fix(common: &Common, edition: &Edition, dry_run: bool, to_out: bool) -> Result<(), u8> {
    let show = |text: &str| {
        if to_out {
            write_out(text);
        } else {
            say(text.trim_end_matches('\n'));
        }
    };
    let mut made = 0;
    let mut touched: Vec<String> = Vec::new();
    for _ in 0..ROUNDS {
        let mut session = open(common, edition)?;
        render_all(&mut session, true)?;
        let (found, _) = settle(std::mem::take(&mut session.sink), &session, common)?;
        let files = fix::mend(&found, &session.files);
        for file in &files {
            show(&file.diff);
            made += file.count;
            if !touched.contains(&file.path) {
                touched.push(file.path.clone());
            }
            if !dry_run {
                output::replace_file(&session.root.join(&file.path), &file.bytes())
                    .map_err(|error| fail(&format!("{}: {error}", file.path)))?;
            }
        }
        if files.is_empty() || dry_run {
            break;
        }
    }
    let verb = if dry_run { "would be made" } else { "made" };
    match made {
        0 => say("nothing to fix"),
        1 => say(&format!("1 replacement {verb} in {}", touched.join(", "))),
        _ => say(&format!("{made} replacements {verb} in {}", touched.join(", "))),
    }
    Ok(())
}
