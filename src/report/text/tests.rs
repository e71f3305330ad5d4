use super::super::tests::{ERROR, NOTE, WARNING};
use super::*;

fn render(found: &[Diagnostic], files: &Files, style: &Style) -> String {
    super::super::render(found, files, super::super::Format::Text, style)
}

const STYLE: Style = Style {
    color: false,
    width: 80,
    max: None,
};

fn draw(files: &Files, found: Diagnostic) -> String {
    let out = render(&[found], files, &STYLE);
    println!("{out}");
    out
}

/// A span over the only occurrence of `part`.
fn find(files: &Files, file: FileId, part: &str) -> Span {
    let at = files.text(file).find(part).unwrap();
    assert_eq!(files.text(file).matches(part).count(), 1);
    Span::new(file, at, at + part.len())
}

/// The first text below `below` that stands over the first underline, by display columns.
fn marked(out: &str) -> String {
    let lines: Vec<&str> = out.lines().collect();
    let under = lines
        .iter()
        .position(|line| line.trim_start().starts_with('·'))
        .unwrap();
    let wide = |c: char| usize::from(column_width(c) == 2);
    let mut column = 0;
    let mut marks = lines[under].chars().skip_while(|c| *c == ' ').skip(1);
    let indent = lines[under].chars().take_while(|c| *c == ' ').count() + 1;
    let start = indent + marks.by_ref().take_while(|c| *c == ' ').count();
    let end = lines[under].chars().count();
    let mut text = String::new();
    for c in lines[under - 1].chars() {
        if (start..end).contains(&column) {
            text.push(c);
        }
        column += 1 + wide(c);
    }
    text
}

#[test]
fn a_finding_reads_well() {
    let mut files = Files::default();
    let units = files.add(
        "oob/units.csv",
        "id,name,leader\n1,1er Léger,Néy\n2,2e Léger,Reille\n",
    );
    let leaders = files.add("oob/leaders.toml", "# I Corps\n\n[ney]\nname = \"Ney\"\n");
    let found = [
        Diagnostic::new(&ERROR, find(&files, units, "Néy"), "unit `1` has no leader “Néy”")
            .note("no such leader")
            .label(find(&files, units, "Reille"), "this one is known")
            .label(find(&files, leaders, "[ney]"), "a similar name")
            .help("did you mean “Ney”?"),
        Diagnostic::new(&NOTE, None, "nothing else"),
    ];
    let expected = "\
unknown-leader

  × unit `1` has no leader “Néy”
   ╭─[oob/units.csv:2:13]
 1 │ id,name,leader
 2 │ 1,1er Léger,Néy
   ·             ─┬─
   ·              ╰── no such leader
 3 │ 2,2e Léger,Reille
   ·            ───┬──
   ·               ╰── this one is known
   ╰────
   ╭─[oob/leaders.toml:3:1]
 3 │ [ney]
   · ──┬──
   ·   ╰── a similar name
 4 │ name = \"Ney\"
   ╰────
  help: did you mean “Ney”?

corrected

  ☞ nothing else

1 error, 1 note
";
    let out = render(&found, &files, &STYLE);
    assert_eq!(out, expected, "{out}");
}

#[test]
fn every_line_ending_gives_the_same_excerpt() {
    let out = ["\n", "\r\n", "\r"].map(|newline| {
        let mut files = Files::default();
        let text = format!("\u{feff}ä,b{newline}c,dé,x{newline}{newline}y{newline}");
        let id = files.add("a.csv", &text);
        draw(
            &files,
            Diagnostic::new(&ERROR, find(&files, id, "dé"), "m").note("n"),
        )
    });
    assert!(out[0].contains("[a.csv:2:3]") && out[0].contains(" 1 │ ä,b\n 2 │ c,dé,x\n"));
    assert_eq!(marked(&out[0]), "dé");
    assert_eq!(out[0], out[1]);
    assert_eq!(out[0], out[2]);
}

#[test]
fn tabs_and_wide_characters_stay_aligned() {
    let mut files = Files::default();
    let id = files.add("a.csv", "\ta\t日本語,第七師団,e\u{301},BAD,x\n");
    let place = |part: &str| {
        draw(
            &files,
            Diagnostic::new(&ERROR, find(&files, id, part), "m").note("n"),
        )
    };
    assert_eq!(marked(&place("第七師団")), "第七師団");
    let out = place("BAD");
    assert!(out.contains("[a.csv:1:16]"));
    // The combining accent takes no column: `marked` counts it, the terminal does not.
    assert!(
        out.contains(" 1 │     a   日本語,第七師団,e\u{301},BAD,x\n   ·                           ─┬─\n"),
        "{out}"
    );
}

#[test]
fn labels_stand_under_wide_and_joined_characters() {
    let mut files = Files::default();
    // Wide, combining, an emoji, one of several parts, and tabs between.
    let id = files.add(
        "a.csv",
        "한글\tn\u{303}o\u{308}\t🏅,👨\u{200d}👩\u{200d}👧,BAD,x\n",
    );
    let found = Diagnostic::new(&ERROR, find(&files, id, "BAD"), "m").note("n");
    let out = draw(&files, found.label(find(&files, id, "🏅"), "medal"));
    let lines: Vec<&str> = out.lines().collect();
    let text = lines.iter().position(|line| line.contains("BAD")).unwrap();
    let (before, _) = lines[text].split_once("BAD").unwrap();
    let wanted = columns(before);
    let under = lines[text + 1..]
        .iter()
        .find(|line| line.contains("─┬─"))
        .unwrap();
    let at = under.rfind("─┬─").unwrap();
    assert_eq!(columns(&under[..at]), wanted, "{out}");
}

#[test]
fn long_lines_are_trimmed_around_the_label() {
    let row = |name: &str| {
        let cells: Vec<String> = (0..100_000).map(|at| format!("{name}{at}")).collect();
        cells.join(",")
    };
    let mut files = Files::default();
    let text = format!("id\n{}\n{}\nshort", row("head"), row("cell"));
    assert!(text.len() > 1 << 20);
    let id = files.add("a.csv", &text);
    for cell in ["cell0,", "cell3,", "cell50000", "cell99999"] {
        let span = find(&files, id, cell);
        let far = find(&files, id, "cell77777");
        let found = Diagnostic::new(&ERROR, span, "m").note("n");
        let out = draw(
            &files,
            found.label(far, "far away").label(find(&files, id, "short"), "f"),
        );
        assert_eq!(marked(&out), cell);
        let column = span.start - find(&files, id, "cell0,").start + 1;
        assert!(out.contains(&format!("[a.csv:3:{column}]")));
        assert!(out.contains("…,cell77776,cell77777,cell77778,") || out.contains("cell77777,"));
        assert!(out.lines().all(|line| line.chars().count() <= 80));
        assert!(out.contains('…'));
    }
    // A label longer than the screen, and one over the whole line.
    let (start, end) = files.line_range(id, 2);
    for start in [start, start + 500_000] {
        let span = Span::new(id, start as usize, end as usize);
        let out = draw(&files, Diagnostic::new(&ERROR, span, "m").note("n"));
        assert!(out.lines().all(|line| line.chars().count() <= 80));
    }
}

#[test]
fn neighbouring_rows_stay_aligned_when_trimmed() {
    let row = |id: &str| format!("{id},{}{id},{}\n", "x,".repeat(100), "y,".repeat(100));
    let mut files = Files::default();
    let id = files.add("a.csv", &(row("first") + &row("other")));
    let (one, two) = (find(&files, id, ",first,"), find(&files, id, ",other,"));
    let out = draw(
        &files,
        Diagnostic::new(&ERROR, two, "m")
            .note("again")
            .label(one, "first"),
    );
    assert_eq!(out.matches("╭─[").count(), 1);
    let columns = |part| {
        let line = out.lines().find(|line| line.contains(part)).unwrap();
        line.find(part).unwrap()
    };
    assert_eq!(columns(",first,"), columns(",other,"));
}

#[test]
fn nothing_that_a_terminal_obeys_comes_through() {
    let bad = "\u{0}\u{7}\u{8}\u{1b}]0;x\u{9c}\u{7f}\u{202e}\u{2066}\u{200f}";
    let mut files = Files::default();
    let id = files.add(format!("a{bad}.csv"), &format!("{bad},X,{bad}\n{bad}\n"));
    let found = Diagnostic::new(&ERROR, find(&files, id, "X"), format!("m{bad}\r\n\tm"))
        .note(format!("n{bad}\n"))
        .label(Span::new(id, 0, 3), bad)
        .help(format!("h{bad}\r\nh\rh"));
    let out = draw(&files, found);
    assert!(out.chars().all(|c| c == '\n' || visible(c) == c), "{out:?}");
    assert!(out.contains("m␀␇␈␛]0;x�␡���␍␊␉m"));
    assert!(out.contains("[a␀␇␈␛]0;x�␡���.csv:1:15]"));
}

#[test]
fn empty_and_final_places_are_drawn() {
    for text in ["", "\n", "a", "a\n", "a\r\n", "é\r", "\u{feff}", "日\n\n"] {
        let mut files = Files::default();
        let id = files.add("a.csv", text);
        let end = files.text(id).len();
        // Also beyond the text and inside characters, which no span should be.
        for start in 0..end + 3 {
            for end in start..end + 3 {
                let found = Diagnostic::new(&ERROR, Span::new(id, start, end), "m").note("here");
                let out = draw(&files, found.label(Span::file_start(id), "file"));
                assert!(out.contains("here") && out.contains("file"), "{text:?} {start}");
            }
        }
    }
    let mut files = Files::default();
    let id = files.add("a.csv", "a\n");
    let out = draw(
        &files,
        Diagnostic::new(&WARNING, Span::new(id, 2, 2), "m").note("here"),
    );
    assert!(out.contains("[a.csv:2:1]\n 1 │ a\n 2 │\n   · ▲\n   · ╰── here\n"));
}

#[test]
fn a_span_over_lines_is_marked_on_its_first() {
    let mut files = Files::default();
    let id = files.add("a.csv", "1,\"two\r\nlines\",x\r\n2\r\n");
    let out = draw(
        &files,
        Diagnostic::new(&ERROR, find(&files, id, "\"two\r\nlines\""), "m").note("n"),
    );
    assert_eq!(marked(&out), "\"two");
}

#[test]
fn labels_never_hide_each_other() {
    let mut files = Files::default();
    let id = files.add("a.csv", "one,two,three\n");
    let found = Diagnostic::new(&ERROR, find(&files, id, "two"), "m").note("main");
    let out = draw(
        &files,
        found
            .label(find(&files, id, "two"), "the same")
            .label(find(&files, id, "two,three"), "over it")
            .label(find(&files, id, "one"), "beside it"),
    );
    for text in ["main", "the same", "over it", "beside it"] {
        assert!(out.contains(text), "{text}");
    }
    assert_eq!(out.matches("╭─[a.csv:1:5]").count(), 2);
}

#[test]
fn many_labels_and_long_notes_are_kept_in_bounds() {
    let mut files = Files::default();
    let id = files.add("a.csv", &"x\n".repeat(1000));
    let mut found = Diagnostic::new(&ERROR, Span::new(id, 0, 1), "m").note("word ".repeat(50));
    for at in 1..1000 {
        found = found.label(Span::new(id, at * 2, at * 2 + 1), "again");
    }
    let out = draw(&files, found);
    assert!(out.contains("\n  … and 989 more places\n"));
    assert!(out.lines().all(|line| line.chars().count() <= 80));
}

#[test]
fn words_are_never_broken() {
    let id = "le-régiment-de-la-garde-impériale-à-pied-".repeat(3);
    let message = format!("the formation is unknown that was given as leader of {id} in this scenario");
    let found = Diagnostic::new(&ERROR, None, &message).help(format!("{message}\n{message}"));
    let out = draw(&Files::default(), found);
    assert_eq!(out.matches(&id).count(), 3);
    assert_eq!(out.lines().filter(|line| line.chars().count() > 80).count(), 3);
}

#[test]
fn a_cap_hides_the_least_important() {
    let found = [&NOTE, &WARNING, &ERROR, &WARNING, &ERROR].map(|rule| {
        let message = format!("a {}", rule.severity.name());
        Diagnostic::new(rule, None, message)
    });
    let style = Style {
        max: Some(3),
        ..STYLE
    };
    let out = render(&found, &Files::default(), &style);
    let shown: Vec<&str> = out.lines().filter(|line| line.contains(" a ")).collect();
    assert_eq!(shown, ["  ⚠ a warning", "  × a error", "  × a error"]);
    assert!(out.ends_with("\n… and 2 more (1 warning, 1 note)\n\n2 errors, 2 warnings, 1 note\n"));
    let style = Style {
        max: Some(5),
        ..STYLE
    };
    assert!(!render(&found, &Files::default(), &style).contains("more"));
}

#[test]
fn colour_is_only_used_when_asked_for() {
    let mut files = Files::default();
    let id = files.add("a.csv", "x\n");
    let found = [Diagnostic::new(&ERROR, Span::new(id, 0, 1), "m")
        .note("n")
        .help("h")];
    let style = Style { color: true, ..STYLE };
    assert!(render(&found, &files, &style).contains("\u{1b}["));
    assert!(!render(&found, &files, &STYLE).contains('\u{1b}'));
}

#[test]
fn thousands_of_findings_in_a_large_file_are_no_burden() {
    let mut files = Files::default();
    let text: String = (0..400_000).map(|at| format!("{at},Léger,x\n")).collect();
    let id = files.add("a.csv", &text);
    let found: Vec<Diagnostic> = (0..10_000)
        .map(|at| {
            let (start, end) = files.line_range(id, at * 40);
            Diagnostic::new(&ERROR, Span::new(id, start as usize, end as usize), "m").note("n")
        })
        .collect();
    let out = render(&found, &files, &STYLE);
    assert_eq!(out.matches("╰── n").count(), 10_000);
    assert!(out.contains("[a.csv:399961:1]") && out.ends_with("\n10000 errors\n"));
}
