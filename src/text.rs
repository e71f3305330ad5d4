//! What is wrong with a text whatever it holds: marks of a merge, characters that were lost or decoded twice, and texts
//! that are no text of this project at all.
//!
//! These are looked for before a file is read as a table or a document, because whatever a reader says of them would be
//! beside the point.

mod conflict;
mod misread;

use std::ops::Range;

use crate::diagnostic::{Diagnostic, Fix, Rule, Severity, Sink};
use crate::read::{self, counted, shown};
use crate::source::{FileId, Files, Span, Unreadable, has_ending};

pub use conflict::MERGE_CONFLICT;

/// The rules of texts.
pub static RULES: &[&Rule] = &[
    &UNREADABLE_FILE,
    &MERGE_CONFLICT,
    &LOST_CHARACTER,
    &MISREAD_CHARACTERS,
    &HTML_ENTITY,
];

/// A file that is no text, or no text that belongs here.
pub static UNREADABLE_FILE: Rule = Rule {
    code: "unreadable-file",
    severity: Severity::Error,
    summary: "a file cannot be read as text",
    explanation: "Files must be UTF-8. Spreadsheets often save in another encoding: choose “CSV UTF-8”. Nothing is decoded \
                  on a guess, because names decide identity.",
};

/// A character that some program could not decode.
pub static LOST_CHARACTER: Rule = Rule {
    code: "lost-character",
    severity: Severity::Error,
    summary: "a character is lost: a replacement character stands in its place",
    explanation: "A program that could not decode a character wrote U+FFFD (`\u{fffd}`) for it. The file is sound UTF-8, but \
                  what was typed is gone: no program can bring it back from this file. Look it up in the source, or in an \
                  older copy of the file, and type it again.

Wrong:

```csv oob/demo/weapons.csv
id,name
R,Krag\u{fffd}s Rifle
```

Right:

```csv oob/demo/weapons.csv
id,name
R,Krag's Rifle
```
",
};

/// UTF-8 that was decoded as Windows-1252.
pub static MISREAD_CHARACTERS: Rule = Rule {
    code: "misread-characters",
    severity: Severity::Error,
    summary: "characters were decoded as Windows-1252, but they are UTF-8",
    explanation: "A program took a text in UTF-8 for Windows-1252 and saved what it saw: `Ã¶` for `ö`, `â€™` for `’`. Only \
                  what is UTF-8 again when it is turned back is reported, so that it is certain what was meant; `--fix` \
                  turns it back. To keep it from happening again, choose UTF-8 where the program asks for the origin of \
                  the file.

Wrong:

```csv oob/demo/weapons.csv
id,name
R,JÃ¤ger Rifle
```

Right:

```csv oob/demo/weapons.csv
id,name
R,Jäger Rifle
```
",
};

/// A character written as web pages write it.
pub static HTML_ENTITY: Rule = Rule {
    code: "html-entity",
    severity: Severity::Warning,
    summary: "a character is written as a web page writes it",
    explanation: "A text that was copied from the source of a web page holds `&amp;` for `&` and `&#39;` for an apostrophe. It \
                  would be printed as it stands, because sheets escape every text themselves. Write the character; `--fix` \
                  does it.

Wrong:

```csv oob/demo/weapons.csv
id,name
R,Smith &amp; Co Rifle
```

Right:

```csv oob/demo/weapons.csv
id,name
R,Smith & Co Rifle
```
",
};

/// At most so many further places of one finding are shown.
const SHOWN_PLACES: usize = 8;

/// Judges the text of a file; false where it is not worth reading on.
pub fn judge(files: &Files, file: FileId, sink: &mut Sink) -> bool {
    let path = files.path(file);
    let is_data = has_ending(path, "csv") || has_ending(path, "toml");
    if conflict::report(files, file, sink) {
        return false;
    }
    if is_data {
        if let Some(found) = other_kind(files, file) {
            sink.push(found);
            return false;
        }
    } else if !read::csv::report_nul(path, file, files.text(file), 0, sink) {
        return false;
    }
    let text = files.text(file);
    if text.is_ascii() && !text.contains('&') {
        return true;
    }
    report_lost(files, file, sink);
    let misread = misread::find(text);
    report_all(
        &MISREAD_CHARACTERS,
        files,
        file,
        misread,
        |first, meant| {
            format!(
                "UTF-8 was decoded as Windows-1252: {} stands for {}",
                shown(first),
                shown(meant)
            )
        },
        sink,
    );
    if is_data {
        report_all(
            &HTML_ENTITY,
            files,
            file,
            entities(text, has_ending(path, "toml")),
            |first, meant| {
                if meant.is_empty() || meant.contains(char::is_control) {
                    format!("{} is how a web page writes a character", shown(first))
                } else {
                    format!("{} is how a web page writes {}", shown(first), shown(meant))
                }
            },
            sink,
        );
    }
    true
}

/// Says of a file that it cannot be read as text.
pub fn refuse(files: &Files, problem: &Unreadable, path: &str, sink: &mut Sink) {
    match problem {
        Unreadable::Encoding {
            span,
            what,
            help,
            mended,
            ..
        } => {
            // Only of a table it matters which kind of text it is.
            let help = if has_ending(path, "csv") {
                help.clone()
            } else {
                help.replace("“CSV UTF-8”", "UTF-8")
            };
            let mut found = Diagnostic::new(&UNREADABLE_FILE, *span, format!("{path}: {what}"))
                .note("here")
                .help(help);
            if let Some(mended) = mended {
                found = found.fix(*mended, files.slice(*mended));
            }
            sink.push(found);
        }
        other => sink.push(Diagnostic::new(
            &UNREADABLE_FILE,
            None,
            format!("{path}: {other}"),
        )),
    }
}

/// What a text is that is neither a table nor a document, if it says so at its beginning.
fn other_kind(files: &Files, file: FileId) -> Option<Diagnostic> {
    let text = files.text(file).trim_start();
    let head: String = text.chars().take(60).flat_map(char::to_lowercase).collect();
    let (what, help) = if head.starts_with("<!doctype") || head.starts_with("<html") {
        (
            "a web page",
            "fetch the file itself: what was saved is a page about it, perhaps one that asks for a password",
        )
    } else if head.starts_with("<?xml") {
        (
            "an XML file",
            "save the table as “CSV UTF-8” from the program that made it",
        )
    } else if head.starts_with("version https://git-lfs") {
        (
            "a pointer of Git LFS, which stands for the file",
            "fetch the file itself: `git lfs pull`",
        )
    } else if text.matches(['\u{2028}', '\u{2029}', '\u{85}']).count() > text.matches(['\n', '\r']).count() {
        (
            "a text whose lines end with a character that ends no line here",
            "save it again with the line ends of Windows or Unix",
        )
    } else {
        return None;
    };
    Some(
        Diagnostic::new(
            &UNREADABLE_FILE,
            Span::file_start(file),
            format!("{}: by its contents it is {what}", files.path(file)),
        )
        .help(help),
    )
}

/// Reports replacement characters: once a file.
fn report_lost(files: &Files, file: FileId, sink: &mut Sink) {
    let text = files.text(file);
    let mut places = text
        .match_indices('\u{fffd}')
        .map(|(at, lost)| at..at + lost.len());
    let Some(first) = places.next() else {
        return;
    };
    let word = word_around(text, first.clone());
    let rest: Vec<Range<usize>> = places.collect();
    let mut found = Diagnostic::new(
        &LOST_CHARACTER,
        Span::new(file, first.start, first.end),
        match rest.len() + 1 {
            1 => format!("a character is lost in {}", shown(word)),
            count => format!(
                "{count} characters of `{}` are lost, the first in {}",
                files.path(file),
                shown(word)
            ),
        },
    )
    .note("written for what could not be decoded")
    .help("look it up and type it again: it cannot be got back from this file");
    for place in rest.iter().take(SHOWN_PLACES) {
        found = found.label(Span::new(file, place.start, place.end), "and here");
    }
    sink.push(found);
}

/// The letters around a place, for a message.
fn word_around(text: &str, place: Range<usize>) -> &str {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '\u{fffd}' | '\'' | '’');
    let start = text[..place.start]
        .char_indices()
        .rev()
        .take(20)
        .take_while(|(_, c)| part(*c))
        .last()
        .map_or(place.start, |(at, _)| at);
    let end = text[place.end..]
        .char_indices()
        .take(20)
        .find(|(_, c)| !part(*c))
        .map_or_else(
            || {
                let rest = &text[place.end..];
                place.end + rest.char_indices().nth(20).map_or(rest.len(), |(at, _)| at)
            },
            |(at, _)| place.end + at,
        );
    &text[start..end]
}

/// A stretch of a text and what is meant by it; none where that cannot be written there as it is.
struct Misspelt {
    range: Range<usize>,
    meant: String,
    fixable: bool,
}

/// Reports stretches of one kind: once a file, with all replacements.
fn report_all(
    rule: &'static Rule,
    files: &Files,
    file: FileId,
    stretches: Vec<Misspelt>,
    message: impl Fn(&str, &str) -> String,
    sink: &mut Sink,
) {
    let Some(first) = stretches.first() else {
        return;
    };
    let text = files.text(file);
    let span = |range: &Range<usize>| Span::new(file, range.start, range.end);
    let others = stretches.len() - 1;
    let mut headline = message(&text[first.range.clone()], &first.meant);
    if others > 0 {
        headline += &format!(
            ", and {} in this file are alike",
            counted(others, "other place", "other places")
        );
        if others == 1 {
            headline = headline.replace("file are alike", "file is alike");
        }
    }
    let all_fixable = stretches.iter().all(|stretch| stretch.fixable);
    let mut found = Diagnostic::new(rule, span(&first.range), headline).help(match (all_fixable, others) {
        (true, 0) => format!("write {}; `--fix` does it", shown(&first.meant)),
        (true, _) => format!("write {}; `--fix` does it in all places", shown(&first.meant)),
        (false, _) => "write the character itself".to_owned(),
    });
    for stretch in stretches.iter().skip(1).take(SHOWN_PLACES) {
        found = found.label(
            span(&stretch.range),
            if stretch.meant.contains(char::is_control) {
                "and here".to_owned()
            } else {
                format!("here for {}", shown(&stretch.meant))
            },
        );
    }
    let mut fixes = stretches
        .iter()
        .filter(|stretch| stretch.fixable)
        .map(|stretch| Fix::text(span(&stretch.range), stretch.meant.as_str()));
    found.fix = fixes.next();
    found.further_fixes = fixes.collect();
    sink.push(found);
}

/// The characters of a text that are written as web pages write them.
fn entities(text: &str, is_toml: bool) -> Vec<Misspelt> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices('&') {
        let rest = text.as_bytes()[at..]
            .get(..12.min(text.len() - at))
            .unwrap_or(&[]);
        let Some(length) = rest.iter().position(|byte| *byte == b';') else {
            continue;
        };
        let Some(c) = entity(&text[at + 1..at + length]) else {
            continue;
        };
        let c = if c == '\u{a0}' { ' ' } else { c };
        // Where the character has a meaning of its own in the file it cannot simply be put there.
        let line = text[..at].rsplit(['\n', '\r']).next().unwrap_or("");
        let special = matches!(c, '"' | ',' | ';' | '|' | '\\' | '<' | '>')
            || c.is_control()
            || (is_toml && c == '\'' && line.contains('\''));
        found.push(Misspelt {
            range: at..at + length + 1,
            meant: c.to_string(),
            fixable: !special,
        });
    }
    found
}

/// The character that web pages write by a name or a number.
fn entity(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => number.parse().ok()?,
        };
        return char::from_u32(code).filter(|c| *c != '\0');
    }
    const NAMED: [(&str, char); 50] = [
        ("amp", '&'),
        ("lt", '<'),
        ("gt", '>'),
        ("quot", '"'),
        ("apos", '\''),
        ("nbsp", '\u{a0}'),
        ("ndash", '–'),
        ("mdash", '—'),
        ("lsquo", '‘'),
        ("rsquo", '’'),
        ("ldquo", '“'),
        ("rdquo", '”'),
        ("hellip", '…'),
        ("deg", '°'),
        ("times", '×'),
        ("frac12", '½'),
        ("frac14", '¼'),
        ("frac34", '¾'),
        ("auml", 'ä'),
        ("ouml", 'ö'),
        ("uuml", 'ü'),
        ("Auml", 'Ä'),
        ("Ouml", 'Ö'),
        ("Uuml", 'Ü'),
        ("szlig", 'ß'),
        ("agrave", 'à'),
        ("aacute", 'á'),
        ("acirc", 'â'),
        ("atilde", 'ã'),
        ("aring", 'å'),
        ("aelig", 'æ'),
        ("ccedil", 'ç'),
        ("egrave", 'è'),
        ("eacute", 'é'),
        ("Eacute", 'É'),
        ("ecirc", 'ê'),
        ("euml", 'ë'),
        ("iacute", 'í'),
        ("icirc", 'î'),
        ("iuml", 'ï'),
        ("ntilde", 'ñ'),
        ("oacute", 'ó'),
        ("ocirc", 'ô'),
        ("otilde", 'õ'),
        ("oslash", 'ø'),
        ("uacute", 'ú'),
        ("ucirc", 'û'),
        ("ugrave", 'ù'),
        ("yacute", 'ý'),
        ("dagger", '†'),
    ];
    NAMED
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, meant)| *meant)
}
