//! One diagnostic type for the whole compiler. It stays data until `report` renders it.

use crate::source::{Files, Span, has_ending};

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
    /// Whether the replacement is text of the file as it stands there, and not a value that may need quotes.
    pub is_text: bool,
}

/// One of several values at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The value, or the key of one.
    word: String,
    /// Whether the value behind the key belongs to it.
    with_value: bool,
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
    /// The value at fault, where the span holds several: a list, an inline table, a selection.
    pub part: Option<Part>,
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
            part: None,
            note: String::new(),
            labels: Vec::new(),
            help: None,
            fix: None,
            further_fixes: Vec::new(),
        }
    }

    /// Says which of several values at the main place is at fault: it alone is marked.
    #[must_use]
    pub fn word(mut self, word: impl Into<String>) -> Self {
        self.part = Some(Part {
            word: word.into(),
            with_value: false,
        });
        self
    }

    /// The same for a key and the value behind it.
    #[must_use]
    pub fn entry(mut self, key: impl Into<String>) -> Self {
        self.part = Some(Part {
            word: key.into(),
            with_value: true,
        });
        self
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
        self.fix = Some(Fix::value(span, replacement));
        self
    }
}

impl Diagnostic {
    /// Offers no replacement in a worksheet: its cells are left to the program that wrote them, so the advice alone stays.
    fn leave_workbooks(&mut self, files: &Files) {
        let own = |fix: &Fix| files.is_worksheet(fix.span.file);
        if !self.fixes().any(own) {
            return;
        }
        self.fix = None;
        self.further_fixes.clear();
        if let Some(help) = &mut self.help {
            // `--fix` is spoken of at the end of a sentence, or between commas.
            for (from, until) in [
                ("; `--fix` ", None),
                (", as `--fix` does", Some(", as `--fix` does")),
            ] {
                if let Some(at) = help.find(from) {
                    let end = until.map_or(help.len(), |until| at + until.len());
                    help.replace_range(at..end, "");
                }
            }
        }
    }

    /// Every replacement that mends it.
    pub fn fixes(&self) -> impl Iterator<Item = &Fix> {
        self.fix.iter().chain(&self.further_fixes)
    }
}

/// Where a value stands in a text that holds several: the first place that is not part of another word. With its quotes
/// where it has some.
fn place_of(word: &str, text: &str) -> Option<(usize, usize)> {
    let joins = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let is_whole = |at: &usize| {
        let (before, after) = (&text[..*at], &text[at + word.len()..]);
        !before.ends_with(joins) && !after.starts_with(joins)
    };
    if word.is_empty() {
        return None;
    }
    let at = text.match_indices(word).map(|(at, _)| at).find(is_whole)?;
    let end = at + word.len();
    let quoted = ['"', '\'']
        .iter()
        .any(|quote| text[..at].ends_with(*quote) && text[end..].starts_with(*quote));
    Some(if quoted { (at - 1, end + 1) } else { (at, end) })
}

/// The length of ` = 3` at the beginning of a text.
fn value_behind(text: &str) -> usize {
    let Some(value) = text.trim_start().strip_prefix('=') else {
        return 0;
    };
    let value = value.trim_start();
    let end = value.find([',', '}', ']', '|']).unwrap_or(value.len());
    text.len() - value.len() + value[..end].trim_end().len()
}

impl Diagnostic {
    /// Narrows the place to the value at fault.
    fn narrow(&mut self, files: &Files) {
        let (Some(part), Some(span)) = (self.part.take(), &mut self.span) else {
            return;
        };
        let text = files.slice(*span);
        if let Some((start, mut end)) = place_of(&part.word, text) {
            if part.with_value {
                end += value_behind(&text[end..]);
            }
            (span.start, span.end) = (span.start + start as u32, span.start + end as u32);
        }
    }
}

impl Fix {
    /// A value for the one that stands at a place.
    pub fn value(span: Span, replacement: impl Into<String>) -> Self {
        Fix {
            span,
            replacement: replacement.into(),
            is_text: false,
        }
    }

    /// Text for a stretch of the file's text, whatever it is a part of.
    pub fn text(span: Span, replacement: impl Into<String>) -> Self {
        Fix {
            is_text: true,
            ..Fix::value(span, replacement)
        }
    }

    /// Writes the replacement as its file must hold it: stages give values, and a value in quotes stays in quotes.
    fn make_literal(&mut self, files: &Files) {
        let path = files.path(self.span.file);
        let old = files.slice(self.span);
        if self.replacement == old || self.is_text {
            return;
        }
        if has_ending(path, "toml") {
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
        } else if has_ending(path, "csv") {
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

    /// Keeps the findings of which something is true.
    pub fn retain(&mut self, is_kept: impl FnMut(&Diagnostic) -> bool) {
        self.found.retain(is_kept);
    }

    /// Takes over the findings of another sink.
    pub fn append(&mut self, other: Sink) {
        self.found.extend(other.found);
    }

    /// All findings in the order in which they were reported.
    pub fn into_found(self) -> Vec<Diagnostic> {
        self.found
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
        for found in &mut self.found {
            found.narrow(files);
        }
        sort(&mut self.found, files);
        for found in &mut self.found {
            found.leave_workbooks(files);
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_among_others() {
        assert_eq!(place_of("rde", "[\"red\", \"rde\"]"), Some((8, 13)));
        assert_eq!(place_of("1", "11|21|1"), Some((6, 7)));
        assert_eq!(place_of("3 York", "rest of 13 York, 3 York"), Some((17, 23)));
        assert_eq!(place_of("9", "1|2"), None);
        assert_eq!(value_behind(" = 3, wagon = 1 }"), 4);
        assert_eq!(value_behind("=5"), 2);
        assert_eq!(value_behind(""), 0);
    }
}
