//! What is known and allowed: comments in TOML files, `[[lints]]` in `game.toml` and `lints.toml`, and baselines.
//!
//! Only warnings and notes can be allowed. An error is never hidden, by nothing: with one, no right pack can be made. What
//! is allowed must be found: an entry that allows nothing any more is itself reported.

pub mod baseline;
mod comments;
mod rules;

use std::collections::BTreeMap;
use std::ops::Range;

use crate::Compiled;
use crate::diagnostic::{self, Diagnostic, Rule, Severity};
use crate::document::Document;
use crate::game::{LintDef, LintFile};
use crate::project::OOB;
use crate::reference::{Found, Named};
use crate::scenario;
use crate::source::{FileId, Files, Span, has_ending};
use crate::suggest;

pub use rules::RULES;

/// A run whose findings are to be looked through.
pub struct Run<'r> {
    /// Everything that was read.
    pub files: &'r Files,
    /// The games that were compiled.
    pub games: &'r [Compiled],
    /// What is allowed in all of them.
    pub lints: Option<&'r Document<LintFile>>,
    /// Whether everything that can be found was looked for: what is allowed and not found is then stale.
    pub complete: bool,
    /// Whether these are all games of the project.
    pub all_games: bool,
}

impl Run<'_> {
    /// Whether an entry that met nothing is stale. After an error much was not looked for.
    fn judges(&self, found: &[Diagnostic]) -> bool {
        self.complete && found.iter().all(|found| found.rule.severity != Severity::Error)
    }
}

/// Takes away what is allowed, and adds what is wrong with what is allowed.
pub fn apply(mut found: Vec<Diagnostic>, run: &Run) -> Vec<Diagnostic> {
    let mut wrong = Vec::new();
    let mut allowed = Allowed::default();
    allowed.read_comments(run.files, &mut wrong);
    for game in run.games {
        let owner = Some(game.contents.game.id.as_str());
        allowed.read_lints(
            &game.contents.game,
            &game.contents.game.lints,
            owner,
            run,
            &mut wrong,
        );
    }
    if let Some(document) = run.lints {
        allowed.read_lints(document, &document.lints, None, run, &mut wrong);
    }
    found.retain(|found| found.rule.severity == Severity::Error || !allowed.take(found, run.files));
    if run.judges(&found) && wrong.iter().all(|wrong| wrong.rule.severity != Severity::Error) {
        allowed.report_stale(run, &mut wrong);
    }
    if !wrong.is_empty() {
        found.append(&mut wrong);
        diagnostic::sort(&mut found, run.files);
    }
    found
}

/// The rule of a code that may be allowed; otherwise what is wrong with it, and what to do.
pub fn allowable(code: &str) -> Result<&'static Rule, (&'static Rule, String, String)> {
    match crate::rules::find(code) {
        Some(rule) if rule.severity == Severity::Error => Err((
            &rules::ALLOWED_ERROR,
            format!("`{code}` is an error and cannot be allowed"),
            "mend the data, or correct them by a ruling; only warnings and notes can be allowed".to_owned(),
        )),
        Some(rule) => Ok(rule),
        None => Err((
            &rules::UNKNOWN_CODE,
            format!("no diagnostic has the code `{code}`"),
            crate::rules::near(code),
        )),
    }
}

/// Everything that is allowed in a run.
#[derive(Default)]
struct Allowed<'r> {
    comments: BTreeMap<(&'static str, FileId), Stretches>,
    lints: BTreeMap<&'static str, Vec<Lint<'r>>>,
}

/// What comments allow of one code in one file, in order of their beginnings.
#[derive(Default)]
struct Stretches {
    list: Vec<Stretch>,
    /// How far the stretches up to each reach.
    furthest: Vec<usize>,
}

struct Stretch {
    reach: Range<usize>,
    /// Where the code stands.
    code: Span,
    used: bool,
}

/// An entry of `[[lints]]`.
struct Lint<'r> {
    definition: &'r LintDef,
    /// The game that it is about; `None` is all.
    owner: Option<&'r str>,
    /// The records that it is about.
    rows: Vec<Span>,
    code: Span,
    used: bool,
}

impl<'r> Allowed<'r> {
    fn read_comments(&mut self, files: &Files, wrong: &mut Vec<Diagnostic>) {
        for (file, text) in files.iter().filter(|(_, file)| has_ending(file.path(), "toml")) {
            for directive in comments::find(text.text()) {
                let span = |range: &Range<usize>| Span::new(file, range.start, range.end);
                let allow = match directive {
                    comments::Directive::Allow(allow) => allow,
                    comments::Directive::Unreadable(range) => {
                        wrong.push(
                            Diagnostic::new(
                                &rules::UNREADABLE_ALLOW,
                                span(&range),
                                "the comment begins like an instruction to orbat, but is none",
                            )
                            .note("not understood")
                            .help("write `# orbat: allow(code) reason`"),
                        );
                        continue;
                    }
                };
                if allow.reason.is_empty() {
                    wrong.push(no_reason(span(&allow.comment), "after the bracket"));
                }
                for (code, range) in &allow.codes {
                    match allowable(code) {
                        Ok(rule) => {
                            let stretches = self.comments.entry((rule.code, file)).or_default();
                            stretches.list.push(Stretch {
                                reach: allow.reach.clone(),
                                code: span(range),
                                used: false,
                            });
                        }
                        Err(problem) => wrong.push(refusal(problem, span(range))),
                    }
                }
            }
        }
        for stretches in self.comments.values_mut() {
            stretches.list.sort_by_key(|stretch| stretch.reach.start);
            let mut furthest = 0;
            for stretch in &stretches.list {
                furthest = furthest.max(stretch.reach.end);
                stretches.furthest.push(furthest);
            }
        }
    }

    fn read_lints<T>(
        &mut self,
        document: &'r Document<T>,
        lints: &'r [LintDef],
        owner: Option<&'r str>,
        run: &Run<'r>,
        wrong: &mut Vec<Diagnostic>,
    ) {
        for (number, definition) in lints.iter().enumerate() {
            let code = document.span(&format!("/lints/{number}/code"));
            if definition.reason.trim().is_empty() {
                wrong.push(no_reason(
                    document.span(&format!("/lints/{number}/reason")),
                    "as `reason`",
                ));
            }
            match allowable(&definition.code) {
                Ok(rule) => self.lints.entry(rule.code).or_default().push(Lint {
                    definition,
                    owner,
                    rows: definition
                        .of
                        .as_ref()
                        .map_or(Vec::new(), |of| rows(of, owner, run.games)),
                    code,
                    used: false,
                }),
                Err(problem) => wrong.push(refusal(problem, code)),
            }
        }
        for lints in self.lints.values_mut() {
            // The narrowest entry is the one that a finding uses, so that a broad one does not make it stale.
            lints.sort_by_key(|lint| {
                (
                    lint.definition.of.is_none(),
                    lint.definition.at.is_none(),
                    lint.owner.is_none(),
                )
            });
        }
    }

    /// Whether a finding is allowed.
    fn take(&mut self, found: &Diagnostic, files: &Files) -> bool {
        if let Some(span) = found.span
            && let Some(stretches) = self.comments.get_mut(&(found.rule.code, span.file))
            && stretches.take(span.start as usize)
        {
            return true;
        }
        let lints = self.lints.get_mut(found.rule.code);
        let lint = lints.and_then(|lints| lints.iter_mut().find(|lint| lint.allows(found, files)));
        lint.map(|lint| lint.used = true).is_some()
    }

    fn report_stale(&self, run: &Run, wrong: &mut Vec<Diagnostic>) {
        for ((code, _), stretches) in &self.comments {
            for stretch in stretches.list.iter().filter(|stretch| !stretch.used) {
                let help = if stretch.reach.is_empty() {
                    "nothing follows that the comment could be about; remove it, or put it above what it is about"
                } else {
                    "remove the comment, or put it directly above what it is about"
                };
                wrong.push(
                    stale(
                        format!("`{code}` is allowed here, but was not found"),
                        stretch.code,
                    )
                    .help(help),
                );
            }
        }
        for lint in self.lints.values().flatten().filter(|lint| !lint.used) {
            let code = &lint.definition.code;
            let mut message = format!("`{code}` is allowed, but was not found");
            let mut help = "remove the entry".to_owned();
            if let Some(at) = &lint.definition.at {
                let paths: Vec<&str> = run.files.iter().map(|(_, file)| file.path()).collect();
                if !paths.contains(&at.as_str()) {
                    if !run.all_games {
                        continue;
                    }
                    message = format!("`{code}` is allowed in `{at}`, but no such file was read");
                    let below = format!("/{at}");
                    let same = paths.iter().copied().find(|path| path.ends_with(&below));
                    if let Some(near) = same.or_else(|| suggest::closest(at, paths)) {
                        help = format!("did you mean `{near}`?");
                    }
                } else {
                    message = format!("`{code}` is allowed in `{at}`, but was not found there");
                }
            } else if lint.owner.is_none() && !run.all_games {
                continue;
            }
            if let Some(of) = &lint.definition.of {
                message += &format!(" for `{of}`");
            }
            wrong.push(stale(message, lint.code).help(help));
        }
    }
}

impl Stretches {
    /// Whether a place lies in a stretch; the innermost of them is then used.
    fn take(&mut self, place: usize) -> bool {
        let mut index = self.list.partition_point(|stretch| stretch.reach.start <= place);
        while index > 0 && self.furthest[index - 1] > place {
            index -= 1;
            let stretch = &mut self.list[index];
            if stretch.reach.contains(&place) {
                stretch.used = true;
                return true;
            }
        }
        false
    }
}

impl Lint<'_> {
    fn allows(&self, found: &Diagnostic, files: &Files) -> bool {
        let path = found.span.map(|span| files.path(span.file));
        if let (Some(mine), Some(owner)) = (self.owner, path.and_then(owner))
            && mine != owner
        {
            return false;
        }
        if self.definition.at.as_deref().is_some_and(|at| path != Some(at)) {
            return false;
        }
        let Some(of) = &self.definition.of else {
            return true;
        };
        let in_row = |row: &Span| {
            let place = found.span.filter(|place| place.file == row.file);
            place.is_some_and(|place| (row.start..row.end.max(row.start + 1)).contains(&place.start))
        };
        self.rows.iter().any(in_row) || names(&found.message, of)
    }
}

/// The game whose file a path is.
fn owner(path: &str) -> Option<&str> {
    let (folder, rest) = path.split_once('/')?;
    let (game, _) = rest.split_once('/')?;
    (folder == OOB || folder == scenario::FOLDER).then_some(game)
}

/// The rows of the records that an entry is about: those of an id in any table, or what a reference means.
fn rows(of: &str, owner: Option<&str>, games: &[Compiled]) -> Vec<Span> {
    let mut rows = Vec::new();
    for game in games {
        let contents = &game.contents;
        if owner.is_some_and(|owner| owner != contents.game.id) {
            continue;
        }
        for table in contents.records.tables.values() {
            let of_id = table.rows().filter(|row| table.text(*row, "id") == Some(of));
            rows.extend(of_id.map(|row| table.row_span(row)));
        }
        for named in [Named::Formations, Named::Units, Named::Leaders] {
            if let Found::One(row) = game.index.find(&contents.records, named, of, None)
                && let Some(table) = contents.records.table(named.table())
            {
                rows.push(table.row_span(row));
            }
        }
    }
    rows
}

/// Whether a message names a thing: its text stands there and is not part of a longer word.
fn names(message: &str, thing: &str) -> bool {
    !thing.is_empty()
        && message.match_indices(thing).any(|(at, _)| {
            let joins = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
            let before = message[..at].chars().next_back();
            let after = message[at + thing.len()..].chars().next();
            !before.is_some_and(joins) && !after.is_some_and(joins)
        })
}

fn no_reason(span: Span, place: &str) -> Diagnostic {
    Diagnostic::new(&rules::MISSING_REASON, span, "it is not said why this is allowed")
        .note("no reason")
        .help(format!(
            "say {place} why it is right as it is, for whoever reads this later"
        ))
}

fn refusal((rule, message, help): (&'static Rule, String, String), span: Span) -> Diagnostic {
    let note = match rule.code == rules::ALLOWED_ERROR.code {
        true => "an error",
        false => "no such code",
    };
    Diagnostic::new(rule, span, message).note(note).help(help)
}

fn stale(message: String, span: Span) -> Diagnostic {
    Diagnostic::new(&rules::STALE_ALLOW, span, message).note("allows nothing")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_whole_words() {
        assert!(names("unit `red-1` has no weapon", "red-1"));
        assert!(!names("unit `red-1-kent` has no weapon", "red-1"));
        assert!(!names("the 21st Kent", "1st Kent"));
        assert!(names("1st Kent", "1st Kent"));
        assert!(!names("x", ""));
    }

    #[test]
    fn a_path_belongs_to_a_game_or_to_none() {
        assert_eq!(owner("oob/x/units.csv"), Some("x"));
        assert_eq!(owner("scenarios/x/schedules/a.csv"), Some("x"));
        assert_eq!(owner("templates/x/a.html"), None);
        assert_eq!(owner("lints.toml"), None);
    }

    #[test]
    fn the_innermost_stretch_is_used() {
        let span = Span::file_start(Files::default().add("a.toml", ""));
        let stretch = |reach| Stretch {
            reach,
            code: span,
            used: false,
        };
        let mut stretches = Stretches {
            list: vec![stretch(0..100), stretch(10..20), stretch(30..40)],
            furthest: vec![100, 100, 100],
        };
        assert!(stretches.take(15) && stretches.take(50) && !stretches.take(100));
        let used: Vec<bool> = stretches.list.iter().map(|stretch| stretch.used).collect();
        assert_eq!(used, [true, true, false]);
    }
}
