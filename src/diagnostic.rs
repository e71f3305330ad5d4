//! One diagnostic type for the whole compiler. It stays data until `report` renders it.

use crate::source::{Files, Span};

/// How bad it is. Errors stop the build; warnings do not unless denied.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The data cannot be compiled.
    Error,
    /// The data can be compiled but probably do not say what was meant.
    Warning,
    /// Worth knowing, needs no action.
    Note,
}

impl Severity {
    /// The lower-case name used in every output format.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// What can be wrong: a stable code with its documentation. Lives beside the code that reports it.
#[derive(Debug)]
pub struct Rule {
    /// Kebab-case code that says what is wrong: `allow CODE` reads as English.
    pub code: &'static str,
    /// Severity of its diagnostics.
    pub severity: Severity,
    /// One line: what it finds.
    pub summary: &'static str,
    /// A few sentences in Markdown: what it means, with an example and the cure.
    pub explanation: &'static str,
}

/// A further place that matters to a diagnostic, in any file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is there.
    pub message: String,
}

/// The one way in which a finding can be mended where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What is replaced.
    pub span: Span,
    /// What takes its place.
    pub replacement: String,
}

/// One finding.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// What kind of finding.
    pub rule: &'static Rule,
    /// Headline: stands alone, names the thing, no full stop.
    pub message: String,
    /// Where; absent only when no file is at fault.
    pub span: Option<Span>,
    /// A short word on what is at `span`.
    pub note: String,
    /// Further places.
    pub labels: Vec<Label>,
    /// What to do.
    pub help: Option<String>,
    /// The replacement that mends it, where there is exactly one that is right.
    pub fix: Option<Fix>,
    /// The same for further places, where one finding stands for many.
    pub further_fixes: Vec<Fix>,
}

impl Diagnostic {
    /// A finding at a place.
    pub fn new(rule: &'static Rule, span: impl Into<Option<Span>>, message: impl Into<String>) -> Self {
        Diagnostic {
            rule,
            message: message.into(),
            span: span.into(),
            note: String::new(),
            labels: Vec::new(),
            help: None,
            fix: None,
            further_fixes: Vec::new(),
        }
    }

    /// Says what is at the main place.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    /// Adds a further place.
    #[must_use]
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label {
            span,
            message: message.into(),
        });
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Says what to write instead, where exactly one reading is possible.
    #[must_use]
    pub fn fix(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.fix = Some(Fix {
            span,
            replacement: replacement.into(),
        });
        self
    }
}

impl Diagnostic {
    /// Every replacement that mends it.
    pub fn fixes(&self) -> impl Iterator<Item = &Fix> {
        self.fix.iter().chain(&self.further_fixes)
    }
}

impl Fix {
    /// Writes the replacement as its file must hold it: stages give values, and a value in quotes stays in quotes.
    fn make_literal(&mut self, files: &Files) {
        let path = files.path(self.span.file);
        let old = files.slice(self.span);
        if self.replacement == old {
            return;
        }
        if path.ends_with(".toml") {
            // A text's place includes its quotes; a syntax error's replacement has its own.
            let quoted = |text: &str| text.len() > 1 && text.starts_with('"') && text.ends_with('"');
            // A number stays a number, and what is between values is no value.
            let is_number = old.parse::<f64>().is_ok() || old.chars().all(char::is_numeric);
            let is_bare = is_number && self.replacement.parse::<f64>().is_ok()
                || old.chars().all(|c| c == ';' || c.is_whitespace());
            if !is_bare && !quoted(&self.replacement) && !self.replacement.contains(char::is_control) {
                let escaped = self.replacement.replace('\\', "\\\\").replace('"', "\\\"");
                self.replacement = format!("\"{escaped}\"");
            }
        } else if path.ends_with(".csv") {
            let text = files.text(self.span.file);
            let before = text.get(..self.span.start as usize).unwrap_or("");
            let after = text.get(self.span.end as usize..).unwrap_or("");
            let special = |c: char| matches!(c, '"' | ',' | ';' | '\t' | '|' | '\r' | '\n');
            if before.ends_with('"') && after.starts_with('"') {
                self.replacement = self.replacement.replace('"', "\"\"");
            } else if self.replacement.contains(special) && !old.contains(special) {
                // What is replaced was a whole cell without quotes.
                self.replacement = format!("\"{}\"", self.replacement.replace('"', "\"\""));
            }
        }
    }
}

/// Where every stage puts its findings.
#[derive(Debug, Default)]
pub struct Sink {
    found: Vec<Diagnostic>,
}

impl Sink {
    /// Reports a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    /// Takes over the findings of another sink.
    pub fn append(&mut self, other: Sink) {
        self.found.extend(other.found);
    }

    /// Whether any error was reported.
    pub fn has_errors(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    /// How many findings of a severity there are.
    pub fn count(&self, severity: Severity) -> usize {
        self.found
            .iter()
            .filter(|found| found.rule.severity == severity)
            .count()
    }

    /// All findings in the order in which they are shown, without repetitions.
    pub fn sorted(mut self, files: &Files) -> Vec<Diagnostic> {
        sort(&mut self.found, files);
        for fix in self.found.iter_mut().flat_map(|found| {
            let Diagnostic {
                fix, further_fixes, ..
            } = found;
            fix.iter_mut().chain(further_fixes)
        }) {
            fix.make_literal(files);
        }
        self.found
    }
}

/// Puts findings in order of path, position, code and text, and drops repetitions.
pub fn sort(found: &mut Vec<Diagnostic>, files: &Files) {
    // Paths are compared once a file, not once a finding.
    let mut by_path: Vec<(&str, usize)> = files
        .iter()
        .enumerate()
        .map(|(number, (_, file))| (file.path(), number))
        .collect();
    by_path.sort_unstable();
    let mut ranks = vec![0; by_path.len()];
    for (rank, (_, number)) in by_path.iter().enumerate() {
        ranks[*number] = rank;
    }
    let place = |found: &Diagnostic| {
        found
            .span
            .map(|span| (ranks.get(span.file.0 as usize).copied(), span.start, span.end))
    };
    found.sort_by(|a, b| {
        place(a)
            .cmp(&place(b))
            .then_with(|| a.rule.code.cmp(b.rule.code))
            .then_with(|| a.message.cmp(&b.message))
    });
    found.dedup_by(|a, b| a.rule.code == b.rule.code && a.span == b.span && a.message == b.message);
}
