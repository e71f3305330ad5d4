//! How long it takes to report many findings in a large file: sorting, looking places up, drawing excerpts.

use orbat::diagnostic::{Diagnostic, Rule, Severity, Sink};
use orbat::report::{self, Format, Style};
use orbat::source::{FileId, Files, Span};

fn main() {
    divan::main();
}

static RULE: Rule = Rule {
    code: "made-up",
    severity: Severity::Error,
    summary: "a value is wrong",
    explanation: "Made up for measuring.",
};

const FINDINGS: usize = 10_000;

/// A file of about so many megabytes, in rows of about fifty bytes.
fn file(files: &mut Files, megabytes: usize) -> FileId {
    let rows = megabytes * 20_000;
    let mut text = String::with_capacity(rows * 60);
    for row in 0..rows {
        text += &format!(
            "unit-{row},brigade-{},foot,{row}th Léger de Ligne,{}\n",
            row / 5,
            row % 10
        );
    }
    files.add("oob/made/units.csv", &text)
}

/// Findings that lie evenly over a file, each about a row's last cell and another row's first.
fn findings(files: &Files, file: FileId) -> Sink {
    let mut sink = Sink::default();
    let text = files.text(file);
    let lines = files.line_of(file, text.len() as u32);
    for number in (0..FINDINGS as u32).rev() {
        let line = number * (lines / FINDINGS as u32);
        let (start, end) = files.line_range(file, line);
        let (start, end) = (start as usize, end as usize);
        let (first, _) = files.line_range(file, line / 2);
        let first = first as usize;
        sink.push(
            Diagnostic::new(
                &RULE,
                Span::new(file, end - 1, end),
                format!("row {line} is wrong"),
            )
            .note("this")
            .label(Span::new(file, start, start + 4), "of this row")
            .label(Span::new(file, first, first + 4), "as there")
            .help("write something else"),
        );
    }
    sink
}

#[divan::bench(args = [1, 10, 100], sample_count = 3)]
fn text(bencher: divan::Bencher, megabytes: usize) {
    measure(bencher, megabytes, Format::Text);
}

#[divan::bench(args = [1, 10, 100], sample_count = 3)]
fn json(bencher: divan::Bencher, megabytes: usize) {
    measure(bencher, megabytes, Format::Json);
}

#[divan::bench(args = [1, 10, 100], sample_count = 3)]
fn sarif(bencher: divan::Bencher, megabytes: usize) {
    measure(bencher, megabytes, Format::Sarif);
}

#[divan::bench(args = [1, 10, 100], sample_count = 3)]
fn github(bencher: divan::Bencher, megabytes: usize) {
    measure(bencher, megabytes, Format::Github);
}

fn measure(bencher: divan::Bencher, megabytes: usize, format: Format) {
    let mut files = Files::default();
    let id = file(&mut files, megabytes);
    let style = Style {
        color: false,
        width: 80,
        max: None,
    };
    bencher.with_inputs(|| findings(&files, id)).bench_values(|sink| {
        let found = sink.sorted(&files);
        assert_eq!(found.len(), FINDINGS);
        report::render(&found, &files, format, &style).len()
    });
}
