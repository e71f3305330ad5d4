//! Whatever stands in the files, a compilation ends in diagnostics or a pack, and the diagnostics can be told.

use std::path::Path;

use orbat::diagnostic::Sink;
use orbat::errata::Edition;
use orbat::report::{Format, Style, render};
use orbat::source::Files;
use proptest::prelude::*;

use crate::support::{json, tiny, tree};

/// One small change: at a byte of a file, so many are taken away and some put in.
#[derive(Debug, Clone)]
struct Change {
    file: prop::sample::Index,
    at: prop::sample::Index,
    removed: usize,
    put: Vec<u8>,
}

/// What is put in, one a line.
const PIECES: &str = r##"
"
"""
,
|
/
'
=
[
]
{
}
{{
%}
#
?
0
-1
99999999999999999999
1e999
nan
all
red
red-1-north
é
sep=;
[[entries]]
op = "remove"
"##;

/// What is put in besides: what cannot be seen.
const UNSEEN: &[&str] = &["", "\n", "\r\n", "\r", "\u{feff}", "\0", "\u{1a}", "\u{a0}"];

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let bytes = prop_oneof![
        4 => prop::sample::select(PIECES.lines().collect::<Vec<_>>()).prop_map(|piece| piece.as_bytes().to_vec()),
        2 => prop::sample::select(UNSEEN).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..3),
    ];
    let change = (
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
        0..12_usize,
        bytes,
    )
        .prop_map(|(file, at, removed, put)| Change {
            file,
            at,
            removed,
            put,
        });
    prop::collection::vec(change, 1..4)
}

fn mutate(root: &Path, changes: &[Change]) {
    let files = tree(root);
    let names: Vec<&String> = files.keys().collect();
    let mut files = files.clone();
    for change in changes {
        let name = names[change.file.index(names.len())];
        let bytes = files.get_mut(name).expect("a file");
        let at = change.at.index(bytes.len() + 1);
        let end = (at + change.removed).min(bytes.len());
        bytes.splice(at..end, change.put.iter().copied());
    }
    for (name, bytes) in files {
        crate::support::write(root, &name, bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_the_files_hold_there_are_diagnostics_or_a_pack(changes in changes()) {
        let root = tiny();
        mutate(root.path(), &changes);
        let (mut files, mut sink) = (Files::default(), Sink::default());
        let compiled = orbat::compile(&mut files, root.path(), "tiny", &Edition::default(), &mut sink).expect("readable files");
        let pack = compiled.as_ref().and_then(|compiled| compiled.pack.as_ref());
        prop_assert_eq!(pack.is_none(), sink.has_errors(), "errors and a pack, or neither");
        if let Some(pack) = pack {
            prop_assert_eq!(&json(&pack.to_text())["format"], "orbat.pack/1");
        }
        let found = sink.sorted(&files);
        for found in &found {
            for span in found.span.iter().chain(found.labels.iter().map(|label| &label.span)) {
                let text = files.text(span.file);
                prop_assert!(text.get(span.start as usize..span.end as usize).is_some(), "{} has a place outside of its file", found.rule.code);
            }
            prop_assert!(!found.message.is_empty() && !found.message.ends_with('.'), "{}: {}", found.rule.code, found.message);
        }
        let style = Style { color: false, width: 80, max: None };
        let told = json(&render(&found, &files, Format::Json, &style));
        prop_assert_eq!(told.as_array().expect("an array").len(), found.len());
        json(&render(&found, &files, Format::Sarif, &style));
        for format in [Format::Text, Format::Github] {
            prop_assert!(found.is_empty() || !render(&found, &files, format, &style).is_empty());
        }
    }

    #[test]
    fn whatever_is_asked_there_is_an_answer(question in "[a-zA-Z0-9 ./,'’\"?é-]{0,12}") {
        let root = tiny();
        let (mut files, mut sink) = (Files::default(), Sink::default());
        let compiled = orbat::compile(&mut files, root.path(), "tiny", &Edition::default(), &mut sink).expect("readable files");
        if let orbat::why::Answer::Known(answer) = orbat::why::why(&files, &compiled.expect("a game"), &question) {
            prop_assert!(!orbat::why::to_text(&answer).is_empty());
        }
    }
}
