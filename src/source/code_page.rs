//! Encodings of one byte a character, and which of them a text in another than UTF-8 may be in.

use std::ops::Range;

/// An encoding: its name, and its characters from the byte 0x80 on; U+FFFD where it has none.
pub(super) struct CodePage {
    pub(super) name: &'static str,
    high: &'static str,
}

/// The encodings in which tables of this part of the world were written, Windows-1252 first.
pub(super) static CODE_PAGES: [CodePage; 6] = [
    CodePage {
        name: "Windows-1252",
        high: "€\u{fffd}‚ƒ„…†‡ˆ‰Š‹Œ\u{fffd}Ž\u{fffd}\u{fffd}‘’“”•–—˜™š›œ\u{fffd}žŸ\
     \u{a0}¡¢£¤¥¦§¨©ª«¬\u{ad}®¯°±²³´µ¶·¸¹º»¼½¾¿\
     ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß\
     àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ",
    },
    CodePage {
        name: "Windows-1250",
        high: "€\u{fffd}‚\u{fffd}„…†‡\u{fffd}‰Š‹ŚŤŽŹ\u{fffd}‘’“”•–—\u{fffd}™š›śťžź\
     \u{a0}ˇ˘Ł¤Ą¦§¨©Ş«¬\u{ad}®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľż\
     ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß\
     ŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙",
    },
    CodePage {
        name: "Windows-1251",
        high: "ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u{fffd}™љ›њќћџ\
     \u{a0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{ad}®Ї°±Ііґµ¶·ё№є»јЅѕї\
     АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ\
     абвгдежзийклмнопрстуфхцчшщъыьэюя",
    },
    CodePage {
        name: "DOS code page 437",
        high: "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒ\
     áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
     └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
     αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
    },
    CodePage {
        name: "DOS code page 850",
        high: "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ\
     áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
     └┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀\
     ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}",
    },
    CodePage {
        name: "Mac Roman",
        high: "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü\
     †°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø\
     ¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ\
     ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{f8ff}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ",
    },
];

impl CodePage {
    /// The characters from the byte 0x80 on, to be asked for many.
    pub(super) fn high(&self) -> Vec<char> {
        self.high.chars().collect()
    }
}

/// The bytes of a file that hold a word with a byte beyond ASCII: the words, at most so many.
pub(super) fn words(bytes: &[u8], most: usize) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut at = 0;
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0x80;
    while words.len() < most {
        let Some(first) = bytes[at..].iter().position(|byte| *byte >= 0x80) else {
            break;
        };
        let first = at + first;
        let start = bytes[at..first]
            .iter()
            .rposition(|byte| !part(byte))
            .map_or(at, |blank| at + blank + 1);
        let end = bytes[first..]
            .iter()
            .position(|byte| !part(byte))
            .map_or(bytes.len(), |length| first + length);
        words.push(start..end);
        at = end;
    }
    words
}

/// A word in an encoding of one byte a character, if it reads as words do there: letters beside letters, and marks where
/// marks stand.
pub(super) fn read(word: &[u8], high: &[char]) -> Option<String> {
    let chars: Vec<char> = word
        .iter()
        .map(|byte| match byte {
            0x80.. => high.get(usize::from(byte - 0x80)).copied().unwrap_or('\u{fffd}'),
            _ => char::from(*byte),
        })
        .collect();
    let high_at = |index: usize| word[index] >= 0x80;
    let letter = |index: Option<usize>| {
        index
            .and_then(|index| chars.get(index))
            .is_some_and(|c| c.is_alphabetic())
    };
    let latin = |c: char| c.is_alphabetic() && u32::from(c) < 0x250;
    let mut run = 0;
    for (index, c) in chars.iter().enumerate() {
        if !high_at(index) {
            run = 0;
            continue;
        }
        let (before, after) = (index.checked_sub(1), index.checked_add(1));
        let is_inside = letter(before) && letter(after);
        if c.is_alphabetic() && !matches!(c, 'ª' | 'º') {
            // Latin words have few such letters in a row; in another alphabet there are no others.
            run += 1;
            let mixed = chars
                .iter()
                .any(|other| other.is_alphabetic() && latin(*other) != latin(*c));
            let lower_before = before.is_some_and(|before| chars[before].is_lowercase());
            if mixed || (latin(*c) && run > 2) || (c.is_uppercase() && lower_before) {
                return None;
            }
            continue;
        }
        run = 0;
        let stands = match c {
            '’' | '‘' | '–' | '—' | '-' | '\u{ad}' => true,
            '“' | '”' | '„' | '«' | '»' | '…' | '\u{a0}' | '•' | '†' | '‡' | '°' | '™' | '®' | '©' | '§'
            | '·' => !is_inside,
            '½' | '¼' | '¾' | '²' | '³' | '¹' | 'º' | 'ª' => {
                before.is_none_or(|before| chars[before].is_ascii_digit()) && !letter(after)
            }
            '£' | '€' => !letter(before) && !letter(after),
            '±' | '¿' | '¡' => before.is_none(),
            _ => false,
        };
        if !stands {
            return None;
        }
    }
    Some(chars.into_iter().collect())
}

/// The byte that a character is in Windows-1252, with the control characters that its gaps are taken for.
pub fn windows_1252_byte(c: char) -> Option<u8> {
    let code = u32::from(c);
    if code < 0x100 && !(0x80..0xa0).contains(&code) || matches!(code, 0x81 | 0x8d | 0x8f | 0x90 | 0x9d) {
        return u8::try_from(code).ok();
    }
    let index = CODE_PAGES[0].high.chars().take(32).position(|high| high == c)?;
    u8::try_from(0x80 + index).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_has_a_character_or_a_gap_for_each_byte() {
        for page in &CODE_PAGES {
            assert_eq!(page.high().len(), 128, "{}", page.name);
        }
        assert_eq!(windows_1252_byte('€'), Some(0x80));
        assert_eq!(windows_1252_byte('ÿ'), Some(0xff));
        assert_eq!(windows_1252_byte('Ł'), None);
    }

    fn readings(word: &[u8]) -> Vec<String> {
        CODE_PAGES
            .iter()
            .filter_map(|page| read(word, &page.high()))
            .collect()
    }

    #[test]
    fn words_read_well_in_the_encoding_that_they_are_in() {
        assert!(readings(b"Caf\xe9")[0] == "Café");
        assert!(readings(b"Lee\x92s")[0] == "Lee’s");
        // Bagration in Windows-1251, Łukasz in Windows-1250, Nörth in code page 437.
        let of = |word: &[u8]| read(word, &CODE_PAGES[0].high());
        assert_eq!(of(b"\xc1\xe0\xe3\xf0\xe0\xf2\xe8\xee\xed"), None);
        assert_eq!(of(b"\xa3ukasz"), None);
        assert_eq!(of(b"N\x94rth"), None);
        assert!(readings(b"\xc1\xe0\xe3\xf0\xe0\xf2\xe8\xee\xed").contains(&"Багратион".to_owned()));
        assert!(readings(b"\xa3ukasz").contains(&"Łukasz".to_owned()));
        assert!(readings(b"N\x94rth").contains(&"Nörth".to_owned()));
    }
}
