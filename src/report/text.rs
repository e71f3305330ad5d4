//! Diagnostics for people: a headline, an excerpt with the places marked, what to do.
//!
//! miette draws; the [`Excerpt`] decides what it sees. It is cut from the file by the line index, so that a finding
//! costs the same wherever it stands, with long lines trimmed and nothing in it that a terminal would obey.

use super::{Style, tally, visible};
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{FileId, Files, Span};
use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode,
    SourceSpan, SpanContents,
};
use std::fmt;
use std::ops::Range;

/// Labels at most so many lines apart share a snippet.
const NEAR: u32 = 3;
/// Labels shown per finding. What a thousand of them have to say is better said by the headline.
const LABELS: usize = 10;
/// Widths below this are taken as this.
const NARROWEST: usize = 40;

pub(super) fn render(shown: &[&Diagnostic], hidden: &[&Diagnostic], files: &Files, style: &Style) -> String {
    let width = style.width.max(NARROWEST);
    let theme = if style.color {
        GraphicalTheme::unicode()
    } else {
        GraphicalTheme::unicode_nocolor()
    };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_links(false)
        // The excerpt itself says where it begins: in a worksheet that is no line and column.
        .without_primary_span_start()
        .with_wrap_lines(false)
        .with_width(width);
    let mut out = String::new();
    let mut drawn = String::new();
    for found in shown {
        drawn.clear();
        // Writing to a string fails only if an excerpt refuses a span of its own; the finding would then end there.
        let _ = handler.render_report(&mut drawn, &Finding::new(found, files, width));
        for line in drawn.lines() {
            out.push_str(line.trim_end());
            out.push('\n');
        }
        if found.labels.len() > LABELS {
            let more = found.labels.len() - LABELS;
            out.push_str(&format!("  … and {more} more places\n"));
        }
        out.push('\n');
    }
    if !hidden.is_empty() {
        let counts = tally(hidden.iter().copied());
        out.push_str(&format!("… and {} more ({counts})\n\n", hidden.len()));
    }
    out + &tally(shown.iter().chain(hidden).copied()) + "\n"
}

/// A diagnostic as miette wants it.
#[derive(Debug)]
struct Finding {
    code: &'static str,
    severity: miette::Severity,
    message: String,
    help: Option<String>,
    excerpt: Excerpt,
}

impl Finding {
    fn new(found: &Diagnostic, files: &Files, width: usize) -> Self {
        let main = found.span.map(|span| Spot::new(files, span, &found.note, true));
        let labels = found.labels.iter().take(LABELS);
        let labels = labels.map(|label| Spot::new(files, label.span, &label.message, false));
        let mut excerpt = Excerpt::default();
        for snippet in group(main.into_iter().chain(labels), files, width) {
            excerpt.add(snippet, files, width);
        }
        Finding {
            code: found.rule.code,
            severity: match found.rule.severity {
                Severity::Error => miette::Severity::Error,
                Severity::Warning => miette::Severity::Warning,
                Severity::Note => miette::Severity::Advice,
            },
            message: wrap(&clean(&found.message), width - "  × ".chars().count()),
            help: found.help.as_ref().map(|help| {
                let room = width - "  help: ".len();
                let lines: Vec<String> = help.lines().map(|line| wrap(&clean(line), room)).collect();
                lines.join("\n")
            }),
            excerpt,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Finding {}

impl miette::Diagnostic for Finding {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(self.severity)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help
            .as_ref()
            .map(|help| Box::new(help) as Box<dyn fmt::Display + 'a>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.excerpt)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.excerpt.marks.iter().map(|mark| {
            let text = (!mark.text.is_empty()).then(|| mark.text.clone());
            let span = SourceSpan::from(mark.range.clone());
            if mark.main {
                LabeledSpan::new_primary_with_span(text, span)
            } else {
                LabeledSpan::new_with_span(text, span)
            }
        })))
    }
}

/// A place to mark: bytes within one line of a file. Of a span over several lines, its part on the first.
#[derive(Debug)]
struct Spot {
    file: FileId,
    /// 0-based.
    line: u32,
    /// From the beginning of the line.
    range: Range<usize>,
    /// Where it begins, as people write it.
    place: String,
    /// What to say about it, a message each.
    texts: Vec<String>,
    /// Whether it is the diagnostic's main place.
    main: bool,
}

impl Spot {
    fn new(files: &Files, span: Span, text: &str, main: bool) -> Self {
        let all = files.text(span.file);
        let start = boundary(all, span.start as usize);
        let end = boundary(all, span.end as usize).max(start);
        let line = files.line_of(span.file, start as u32);
        let (first, last) = files.line_range(span.file, line);
        let within = |at: usize| at.min(last as usize) - first as usize;
        Spot {
            file: span.file,
            line,
            range: within(start)..within(end),
            place: clean(&files.locate(Span::new(span.file, start, end))),
            texts: if text.is_empty() {
                Vec::new()
            } else {
                vec![clean(text)]
            },
            main,
        }
    }

    /// Whether the two would be drawn over each other. An empty place is drawn as one column.
    fn overlaps(&self, other: &Spot) -> bool {
        self.line == other.line
            && self.range.start < other.range.end.max(other.range.start + 1)
            && other.range.start < self.range.end.max(self.range.start + 1)
    }
}

/// Gathers spots into snippets: those of a file that are near each other share one, if that shows both in full.
fn group(spots: impl Iterator<Item = Spot>, files: &Files, width: usize) -> Vec<Vec<Spot>> {
    let mut snippets: Vec<Vec<Spot>> = Vec::new();
    'spots: for mut spot in spots {
        for snippet in &mut snippets {
            if snippet[0].file != spot.file {
                continue;
            }
            let same = snippet
                .iter_mut()
                .find(|other| other.line == spot.line && other.range == spot.range);
            if let Some(same) = same {
                same.texts.extend(spot.texts);
                continue 'spots;
            }
            let near = snippet.iter().any(|other| other.line.abs_diff(spot.line) <= NEAR);
            if near && !snippet.iter().any(|other| other.overlaps(&spot)) {
                snippet.push(spot);
                let view = View::new(snippet, files, width);
                if snippet.iter().all(|spot| view.shows(spot, files)) {
                    continue 'spots;
                }
                spot = snippet.remove(snippet.len() - 1);
            }
        }
        snippets.push(vec![spot]);
    }
    snippets
}

/// Which part of its lines a snippet shows: the same columns of all, so that they stay aligned.
struct View {
    /// The line of the snippet's first spot, which the view is laid around.
    lead: u32,
    /// What is shown of it.
    shown: Range<usize>,
    /// Characters left out before that.
    skipped: usize,
    /// Columns there are.
    room: usize,
}

impl View {
    fn new(spots: &[Spot], files: &Files, width: usize) -> Self {
        let Spot { file, line, .. } = spots[0];
        let room = room(files, file, width);
        let text = line_text(files, file, line);
        let focus = spots
            .iter()
            .filter(|spot| spot.line == line)
            .map(|spot| spot.range.clone())
            .reduce(|a, b| a.start.min(b.start)..a.end.max(b.end))
            .unwrap_or(0..0);
        let shown = window(text, &focus, room);
        View {
            lead: line,
            skipped: text[..shown.start].chars().count(),
            shown,
            room,
        }
    }

    /// The part shown of a line.
    fn of(&self, line: u32, text: &str) -> Range<usize> {
        if line == self.lead {
            return self.shown.clone();
        }
        if self.skipped == 0 {
            return window(text, &(0..0), self.room);
        }
        let start = text
            .char_indices()
            .nth(self.skipped)
            .map_or(text.len(), |(at, _)| at);
        start..forward(text, start, self.room - 2)
    }

    fn shows(&self, spot: &Spot, files: &Files) -> bool {
        let shown = self.of(spot.line, line_text(files, spot.file, spot.line));
        shown.start <= spot.range.start && spot.range.end <= shown.end
    }
}

/// The text that miette is given in place of the files: the lines of all snippets, one after the other.
#[derive(Debug, Default)]
struct Excerpt {
    text: String,
    snippets: Vec<Snippet>,
    marks: Vec<Mark>,
}

/// Neighbouring lines of one file.
#[derive(Debug)]
struct Snippet {
    path: String,
    /// Bytes of the excerpt.
    range: Range<usize>,
    /// 0-based.
    first: usize,
    count: usize,
}

/// A label in the excerpt.
#[derive(Debug)]
struct Mark {
    /// Bytes of the excerpt.
    range: Range<usize>,
    text: String,
    main: bool,
    /// Where it begins in its file, as people write it.
    place: String,
}

impl Excerpt {
    /// Adds the lines around some spots of one file.
    fn add(&mut self, mut spots: Vec<Spot>, files: &Files, width: usize) {
        let file = spots[0].file;
        let view = View::new(&spots, files, width);
        spots.sort_by_key(|spot| (spot.line, spot.range.start));
        let (mut first, mut last) = (spots[0].line, spots[spots.len() - 1].line);
        let says_something =
            |line| line <= last_line(files, file) && !view.of(line, line_text(files, file, line)).is_empty();
        if first > 0 && says_something(first - 1) {
            first -= 1;
        }
        if says_something(last + 1) {
            last += 1;
        }
        let begin = self.text.len();
        for line in first..=last {
            let text = line_text(files, file, line);
            let here = spots.iter().filter(|spot| spot.line == line);
            self.add_line(text, view.of(line, text), here, view.room);
        }
        self.snippets.push(Snippet {
            path: clean(files.path(file)),
            range: begin..self.text.len(),
            first: first as usize,
            count: (last - first) as usize + 1,
        });
    }

    /// Adds the part of a line that is shown, and the marks on it.
    fn add_line<'a>(
        &mut self,
        line: &str,
        shown: Range<usize>,
        spots: impl Iterator<Item = &'a Spot>,
        room: usize,
    ) {
        let begin = self.text.len();
        if shown.start > 0 {
            self.text.push('…');
        }
        let mut done = shown.start;
        for spot in spots {
            self.push(&line[done..spot.range.start]);
            let start = self.text.len();
            done = spot.range.end.min(shown.end);
            self.push(&line[spot.range.start..done]);
            let middle = columns(&self.text[begin..start])
                + columns(&line[spot.range.start..done]).saturating_sub(1) / 2;
            let texts: Vec<String> = spot
                .texts
                .iter()
                .map(|text| wrap(text, room.saturating_sub(middle + 4).max(NARROWEST - 8)))
                .collect();
            self.marks.push(Mark {
                range: start..self.text.len(),
                text: texts.join("\n"),
                main: spot.main,
                place: spot.place.clone(),
            });
        }
        self.push(&line[done..shown.end]);
        if shown.end < line.len() {
            self.text.push('…');
        }
        // miette drops a last line that is empty and has no end.
        self.text.push('\n');
    }

    fn push(&mut self, text: &str) {
        let visible = |c| if c == '\t' { c } else { visible(c) };
        self.text.extend(text.chars().map(visible));
    }
}

impl SourceCode for Excerpt {
    /// With context, the whole snippet that the span lies in; without, the label at the span, named after its place.
    /// Spans across snippets are refused, which tells miette to draw the snippets apart. (No label reaches the line feed
    /// that a snippet ends with, so one that does belongs to two.)
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let end = span.offset() + span.len();
        let snippet = self
            .snippets
            .iter()
            .find(|snippet| snippet.range.contains(&span.offset()) && end < snippet.range.end)
            .ok_or(MietteError::OutOfBounds)?;
        let mark = self.marks.iter().find(|mark| mark.range == (span.offset()..end));
        let (name, range, count) = match mark {
            Some(mark) if before + after == 0 => (&mark.place, mark.range.clone(), 1),
            _ => (&snippet.path, snippet.range.clone(), snippet.count),
        };
        Ok(Box::new(MietteSpanContents::new_named(
            name.clone(),
            &self.text.as_bytes()[range.clone()],
            range.into(),
            snippet.first,
            0,
            count,
        )))
    }
}

/// Columns for the text of a file's lines, beside line number and frame.
fn room(files: &Files, file: FileId, width: usize) -> usize {
    let digits = (last_line(files, file) + 1).to_string().len();
    width.max(NARROWEST) - 4 - digits
}

fn last_line(files: &Files, file: FileId) -> u32 {
    files.line_of(file, files.text(file).len() as u32)
}

fn line_text(files: &Files, file: FileId, line: u32) -> &str {
    let (start, end) = files.line_range(file, line);
    &files.text(file)[start as usize..end as usize]
}

/// The part of a line to show so that `focus` is seen: all of it, else its head, else a stretch around the focus.
fn window(line: &str, focus: &Range<usize>, room: usize) -> Range<usize> {
    if forward(line, 0, room) == line.len() {
        return 0..line.len();
    }
    let head = forward(line, 0, room - 1);
    if focus.end <= head {
        return 0..head;
    }
    let ahead = forward(line, focus.start, room * 2 / 3);
    let used = columns(&line[focus.start..ahead]);
    let start = backward(line, focus.start, room - 2 - used);
    start..forward(line, start, room - 2)
}

/// Where one gets from byte `from` in at most so many columns.
fn forward(line: &str, from: usize, mut room: usize) -> usize {
    for (at, c) in line[from..].char_indices() {
        match room.checked_sub(column_width(c)) {
            Some(rest) => room = rest,
            None => return from + at,
        }
    }
    line.len()
}

/// Where one gets from byte `from` in at most so many columns towards the beginning.
fn backward(line: &str, from: usize, mut room: usize) -> usize {
    for (at, c) in line[..from].char_indices().rev() {
        match room.checked_sub(column_width(c)) {
            Some(rest) => room = rest,
            None => return at + c.len_utf8(),
        }
    }
    0
}

fn columns(text: &str) -> usize {
    text.chars().map(column_width).sum()
}

/// About how many columns a character takes: enough to decide where to cut. miette measures what is drawn.
fn column_width(c: char) -> usize {
    match c {
        '\t' => 4,
        // Combining characters, and what joins or varies others.
        '\u{300}'..='\u{36f}'
        | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}'
        | '\u{200b}'..='\u{200d}'
        | '\u{20d0}'..='\u{20ff}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{fe20}'..='\u{fe2f}' => 0,
        '\u{1100}'..='\u{115f}' | '\u{2e80}'.. => 2,
        _ => 1,
    }
}

/// Breaks a text at spaces into lines of at most so many columns, unless a word is longer. miette would break words at
/// hyphens as well, and ids and options are to be copied.
fn wrap(text: &str, room: usize) -> String {
    let mut out = String::with_capacity(text.len());
    let mut column = 0;
    for word in text.split(' ') {
        let width = columns(word);
        if column > 0 && column + 1 + width > room {
            out.push('\n');
            column = 0;
        } else if !out.is_empty() {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += width;
    }
    out
}

/// The nearest character boundary within the text, at or before a byte.
fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn clean(text: &str) -> String {
    text.chars().map(visible).collect()
}

#[cfg(test)]
mod tests;
