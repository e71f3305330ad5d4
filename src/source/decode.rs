//! Bytes to text. Only UTF-8, and UTF-16 that says so by its mark, are decoded; everything else is named and refused,
//! because names decide identity and a guess would make other names.

use std::ops::Range;

use super::Encoding;
use super::code_page::{CODE_PAGES, read, words};

/// What bytes were found to be.
pub(super) struct Decoded {
    /// The text, without byte-order mark; what cannot be decoded is U+FFFD.
    pub(super) text: String,
    pub(super) encoding: Encoding,
    pub(super) problem: Option<Problem>,
}

/// Why a text cannot be used. Ranges are those of the text.
pub(super) struct Problem {
    pub(super) at: Range<usize>,
    pub(super) what: String,
    pub(super) help: String,
    pub(super) mended: Option<Range<usize>>,
}

/// Decodes the bytes of a file.
pub(super) fn decode(bytes: Vec<u8>) -> Decoded {
    match bytes.as_slice() {
        // The mark of UTF-32 begins with that of UTF-16.
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => utf32(),
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes, Encoding::Utf16Le),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes, Encoding::Utf16Be),
        [b'P', b'K', 3, 4, ..] => other_program(
            "it is a zip archive, as workbooks are, and not a text",
            "if it is a workbook, rename it to end in `.xlsx` or `.ods`, or save its worksheet as “CSV UTF-8”",
        ),
        [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ..] => other_program(
            "it is a document of an old office program, such as an `.xls` workbook, and not a text",
            "save it again as `.xlsx` or as “CSV UTF-8”",
        ),
        [0x1f, 0x8b, ..] => other_program("it is compressed (gzip), and not a text", "unpack it"),
        [b'R', b'a', b'r', b'!', ..] | [b'7', b'z', 0xbc, 0xaf, ..] => {
            other_program("it is an archive, and not a text", "unpack it")
        }
        [b'%', b'P', b'D', b'F', b'-', ..] => other_program(
            "it is a PDF document, and not a text",
            "write what it holds into a text; a PDF is only good to look at",
        ),
        [0x89, b'P', b'N', b'G', ..] | [0xff, 0xd8, 0xff, ..] => other_program(
            "it is a picture, and not a text",
            "write what it shows into a text",
        ),
        [b'{', b'\\', b'r', b't', b'f', ..] => other_program(
            "it is a document of a word processor (RTF), and not a text",
            "save it again as plain text in UTF-8",
        ),
        _ => match String::from_utf8(bytes) {
            Ok(text) => utf8(text),
            Err(error) => damaged(error.as_bytes()),
        },
    }
}

fn utf8(mut text: String) -> Decoded {
    let mut encoding = Encoding::Utf8;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
        encoding = Encoding::Utf8Mark;
    }
    Decoded {
        text,
        encoding,
        problem: None,
    }
}

/// A file that is no text at all.
fn other_program(what: &str, help: &str) -> Decoded {
    Decoded {
        text: String::new(),
        encoding: Encoding::Utf8,
        problem: Some(Problem {
            at: 0..0,
            what: what.into(),
            help: help.into(),
            mended: None,
        }),
    }
}

fn utf32() -> Decoded {
    Decoded {
        text: String::new(),
        encoding: Encoding::Utf8,
        problem: Some(Problem {
            at: 0..0,
            what: "the file is UTF-32, which is not read".into(),
            help: "save it again as “CSV UTF-8” (or as plain UTF-8 text)".into(),
            mended: None,
        }),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16, encoding: Encoding) -> Decoded {
    let mut text = String::with_capacity(bytes.len());
    let mut bad: Option<(usize, &str)> = None;
    let (pairs, rest) = bytes.as_chunks::<2>();
    for decoded in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        if decoded.is_err() {
            bad = bad.or(Some((text.len(), "half of a pair of units stands alone")));
        }
        text.push(decoded.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    if !rest.is_empty() {
        bad = bad.or(Some((text.len(), "it ends in the middle of a character")));
        text.push(char::REPLACEMENT_CHARACTER);
    }
    Decoded {
        problem: bad.map(|(at, what)| Problem {
            at: at..at + char::REPLACEMENT_CHARACTER.len_utf8(),
            what: format!("the file is UTF-16 and damaged: {what}"),
            help: "save it again as “CSV UTF-8” from the program that made it".into(),
            mended: None,
        }),
        text,
        encoding,
    }
}

/// Bytes that are not UTF-8. Where none of them are UTF-8 beyond ASCII and every word with such a byte reads well in
/// Windows-1252, they are taken to be that.
fn damaged(bytes: &[u8]) -> Decoded {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let (mut count, mut wide) = (0usize, 0usize);
    for chunk in bytes.utf8_chunks() {
        count += chunk.invalid().len();
        wide += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
    }
    let is_single = wide == 0;
    // The first byte of a character of several, with nothing behind it.
    let is_cut = is_single
        && bytes.split_last().is_some_and(|(last, rest)| {
            (0xc2..=0xf4).contains(last)
                && rest.last().is_some_and(u8::is_ascii_alphabetic)
                && rest.is_ascii()
        });
    let windows = CODE_PAGES[0].high();
    let foreign = words(bytes, usize::MAX)
        .into_iter()
        .find(|word| read(&bytes[word.clone()], &windows).is_none());
    // In the encodings of DOS and of the Macintosh the bytes from 0x80 to 0x9F are letters that are often written; in
    // Windows-1252 only marks among them are.
    let rare = |byte: &u8| (0x80..0xa0).contains(byte) && windows_1252(*byte).is_none_or(char::is_alphabetic);
    let is_windows = is_single && !is_cut && foreign.is_none() && !bytes.iter().any(rare);
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    let mut first: Option<(Range<usize>, u8)> = None;
    let mut last = 0;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let start = text.len();
            let meant = is_windows.then(|| windows[usize::from(byte.saturating_sub(0x80))]);
            text.push(meant.unwrap_or(char::REPLACEMENT_CHARACTER));
            last = text.len();
            if first.is_none() {
                first = Some((start..last, *byte));
            }
        }
    }
    let Some((at, byte)) = first else {
        return utf8(text);
    };
    // A byte that stands alone and means no letter that anybody writes is damage, not an encoding.
    let is_noise = count == 1 && byte == 0xff;
    // What the word reads like in the encodings in which it reads well.
    let foreign = foreign.or_else(|| words(bytes, 1).into_iter().next().filter(|_| !is_windows));
    let readings = match &foreign {
        Some(word) if is_single && !is_cut && !is_noise => readings(&bytes[word.clone()]),
        _ => Vec::new(),
    };
    let reading = if is_cut {
        ": the file is cut off within a character".to_owned()
    } else if is_windows || readings.is_empty() {
        windows_1252(byte)
            .filter(|_| !is_noise)
            .map_or(String::new(), |c| format!(" (in Windows-1252 it would be “{c}”)"))
    } else {
        String::new()
    };
    let others = match count {
        1 => String::new(),
        2 => ", and there is one more such byte".into(),
        count => format!(", and there are {} more such bytes", count - 1),
    };
    let help = if is_cut {
        "the end of the file is missing: save it again, or fetch it again from where it came".to_owned()
    } else if is_noise {
        "no encoding has a letter there that is often written, so this place is damaged: type it again"
            .to_owned()
    } else if is_windows {
        "save the file again as “CSV UTF-8”; if the marked text reads right, `--fix` rewrites the file as UTF-8"
            .to_owned()
    } else if !readings.is_empty() {
        format!(
            "save the file again as “CSV UTF-8”; a word of it would be {}",
            readings.join(", ")
        )
    } else if is_single || count > wide {
        "save the file again as “CSV UTF-8”; orbat does not guess encodings, because names decide identity"
            .to_owned()
    } else {
        "the rest of the file is UTF-8, so this place is damaged: type it again".to_owned()
    };
    let is_windows = is_windows && !is_noise;
    let mended = is_windows.then_some(at.start..last);
    Decoded {
        text,
        encoding: if is_windows {
            Encoding::Windows1252
        } else {
            Encoding::Utf8
        },
        problem: Some(Problem {
            at,
            what: format!("byte 0x{byte:02X} is not valid UTF-8{reading}{others}"),
            help,
            mended,
        }),
    }
}

/// What a word may have been, with the encodings that say so.
fn readings(word: &[u8]) -> Vec<String> {
    let mut all: Vec<(String, Vec<&str>)> = Vec::new();
    for page in &CODE_PAGES {
        let Some(text) = read(word, &page.high()) else {
            continue;
        };
        match all.iter_mut().find(|(known, _)| *known == text) {
            Some((_, names)) => names.push(page.name),
            None => all.push((text, vec![page.name])),
        }
    }
    all.into_iter()
        .map(|(text, names)| {
            let text: String = text.chars().take(40).collect();
            format!("“{text}” in {}", names.join(" and "))
        })
        .collect()
}

/// The character that Windows-1252 gives a byte of 0x80 and above, if it gives one.
fn windows_1252(byte: u8) -> Option<char> {
    let index = usize::from(byte.checked_sub(0x80)?);
    let c = CODE_PAGES[0].high().get(index).copied()?;
    (c != char::REPLACEMENT_CHARACTER).then_some(c)
}

#[cfg(test)]
mod tests {
    use super::super::{Encoding, Files, Span, Unreadable};
    use proptest::prelude::*;

    fn refused(bytes: &[u8]) -> (Files, Span, String, Option<Span>) {
        let mut files = Files::default();
        match files.add_bytes("a.csv", bytes.to_vec()) {
            Err(Unreadable::Encoding {
                span, what, mended, ..
            }) => (files, span, what, mended),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_windows_byte_is_named_at_its_place_and_can_be_mended() {
        for newline in ["\n", "\r\n", "\r"] {
            let text = format!("id,name{newline}1,Caf\u{1}{newline}2,No\u{1}l{newline}");
            let bytes: Vec<u8> = text
                .bytes()
                .map(|byte| if byte == 1 { 0xe9 } else { byte })
                .collect();
            let (files, span, what, mended) = refused(&bytes);
            let place = files.place(span);
            assert_eq!((place.line, place.column), (2, 6), "{newline:?}");
            assert!(
                what.contains("0xE9") && what.contains('é') && what.contains("one more"),
                "{what}"
            );
            assert_eq!(files.encoding(span.file), Encoding::Windows1252);
            assert_eq!(files.slice(mended.unwrap()), format!("é{newline}2,Noé"));
        }
    }

    #[test]
    fn a_bad_byte_in_a_file_of_utf8_is_damage_and_not_guessed() {
        let (files, span, what, mended) = refused(b"\xc3\xa9\nab\xe9c");
        assert_eq!((files.place(span).line, files.place(span).column), (2, 3));
        assert!(what.contains("0xE9"), "{what}");
        assert_eq!((mended, files.slice(span)), (None, "\u{fffd}"));
    }

    #[test]
    fn bytes_of_other_encodings_are_not_mended() {
        // “Café” as DOS and as the Macintosh wrote it, and a byte that Windows-1252 does not have.
        for byte in [0x82, 0x8e, 0x81] {
            let (_, _, what, mended) = refused(&[b'C', b'a', b'f', byte]);
            assert!(
                what.contains(&format!("0x{byte:02X}")) && mended.is_none(),
                "{what}"
            );
        }
    }

    #[test]
    fn damaged_utf16_is_refused_at_its_place() {
        let (files, span, what, _) = refused(b"\xff\xfea\0\n\0b\0\x00\xd8c\0");
        assert_eq!((files.place(span).line, files.place(span).column), (2, 2));
        assert!(what.contains("UTF-16"), "{what}");
        let (files, span, ..) = refused(b"\xfe\xff\0a\0b\0");
        assert_eq!((files.place(span).line, files.place(span).column), (1, 3));
        let (_, _, what, _) = refused(b"\xff\xfe\0\0a\0\0\0");
        assert!(what.contains("UTF-32"), "{what}");
    }

    proptest! {
        #[test]
        fn positions_are_those_of_the_decoded_text(text in "[a-cé𝒳\",\r\n]{0,40}", at in any::<prop::sample::Index>()) {
            prop_assume!(!text.starts_with('\u{feff}'));
            let mut places = Vec::new();
            for encoding in [Encoding::Utf8, Encoding::Utf8Mark, Encoding::Utf16Le, Encoding::Utf16Be] {
                let mut files = Files::default();
                let bytes = encoding.encode(&text);
                let file = files.add_bytes("a.csv", bytes.clone()).unwrap();
                prop_assert_eq!(files.text(file), &text);
                prop_assert_eq!(files.encoding(file), encoding);
                prop_assert_eq!(files.encoding(file).encode(files.text(file)), bytes);
                let bounds: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
                let at = bounds[at.index(bounds.len())];
                places.push(files.place(Span::new(file, at, at)));
            }
            places.dedup();
            prop_assert_eq!(places.len(), 1);
        }
    }
}
