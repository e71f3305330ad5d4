//! UTF-8 that was decoded as Windows-1252, found where turning it back gives UTF-8 and nothing else can be meant.

use super::Misspelt;
use crate::source::windows_1252_byte;

/// Text that was decoded wrongly so often does not exist.
const MOST_TIMES: usize = 4;

/// Every stretch of a text that was misread.
pub(super) fn find(text: &str) -> Vec<Misspelt> {
    let mut found: Vec<Misspelt> = Vec::new();
    let mut at = 0;
    while let Some(offset) = text.as_bytes()[at..].iter().position(|byte| *byte >= 0x80) {
        at += offset;
        // Neighbours are one stretch: what was misread twice is two characters for each byte.
        let mut end = at;
        let mut meant = String::new();
        while let Some((c, length)) = sequence(text, end) {
            meant.push(c);
            end += length;
        }
        if end == at {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
            continue;
        }
        for _ in 1..MOST_TIMES {
            let again = turned_back(&meant);
            if again == meant {
                break;
            }
            meant = again;
        }
        // What nobody typed on purpose and nobody sees.
        let meant = meant.replace('\u{a0}', " ").replace(['\u{ad}', '\u{feff}'], "");
        found.push(Misspelt {
            range: at..end,
            meant,
            fixable: true,
        });
        at = end;
    }
    found
}

/// A text with all that was misread in it turned back.
fn turned_back(text: &str) -> String {
    let mut back = String::new();
    let mut at = 0;
    while at < text.len() {
        match sequence(text, at) {
            Some((c, length)) => {
                back.push(c);
                at += length;
            }
            None => {
                let Some(c) = text[at..].chars().next() else { break };
                back.push(c);
                at += c.len_utf8();
            }
        }
    }
    back
}

/// The character whose bytes the characters from here on are in Windows-1252, and the length of these.
fn sequence(text: &str, at: usize) -> Option<(char, usize)> {
    let mut chars = text[at..].chars();
    let first = chars.next()?;
    let lead = windows_1252_byte(first)?;
    let more = match lead {
        0xc2..=0xdf => 1,
        0xe2 | 0xef => 2,
        0xf0 => 3,
        _ => return None,
    };
    let mut bytes = vec![lead];
    let mut length = first.len_utf8();
    let mut last = first;
    for _ in 0..more {
        last = chars.next()?;
        bytes.push(windows_1252_byte(last).filter(|byte| (0x80..0xc0).contains(byte))?);
        length += last.len_utf8();
    }
    let meant = std::str::from_utf8(&bytes).ok()?.chars().next()?;
    let is_written = matches!(meant,
        '\u{a0}'..='\u{24f}' | '\u{391}'..='\u{3c9}' | '\u{400}'..='\u{45f}' | '\u{2010}'..='\u{2044}'
        | '\u{20a0}'..='\u{20bf}' | '\u{2116}' | '\u{2122}' | '\u{2190}'..='\u{2193}' | '\u{2212}' | '\u{feff}' | '\u{1f300}'..='\u{1faff}');
    if !is_written {
        return None;
    }
    // `É”` and `Ä“` are also letters at the end of a quotation: there a letter must follow, or no word can end so.
    let may_follow_a_letter = "’‘”“…–—»™®©°²³¹†‡‰›ªº•´·¸\u{a0}\u{ad}".contains(last);
    let before = text[..at].chars().next_back();
    let after = chars.next();
    let is_inside = before.is_some_and(char::is_lowercase)
        || after.is_some_and(|c| c.is_lowercase() || windows_1252_byte(c).is_some_and(|byte| byte >= 0xc2));
    (more > 1 || !may_follow_a_letter || is_inside).then_some((meant, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(text: &str) -> String {
        let mut mended = text.to_owned();
        for stretch in find(text).into_iter().rev() {
            mended.replace_range(stretch.range, &stretch.meant);
        }
        mended
    }

    #[test]
    fn what_was_misread_once_or_often_comes_back() {
        for (misread, meant) in [
            ("NÃ¶rth", "Nörth"),
            ("NorthÃ¢â‚¬â„¢s", "North’s"),
            ("Northâ€™s", "North’s"),
            ("KrakÃ³w, Åukasz \u{c5}\u{81}", "Kraków, Åukasz Ł"),
            ("1863â€“64", "1863–64"),
            ("MÃœNCHEN", "MÜNCHEN"),
            ("Ð‘Ð°Ð³Ñ€Ð°Ñ‚Ð¸Ð¾Ð½", "Багратион"),
            ("voilÃ\u{a0} tout", "voilà tout"),
        ] {
            assert_eq!(mended(misread), meant, "{misread}");
        }
    }

    #[test]
    fn what_people_write_is_left_alone() {
        for text in [
            "„das Ä“ und “CAFÉ” oder CAFÉ’S",
            "É™ é…” “là…” «À»",
            "“MAÇÔ ÅÄÖ São João",
            "Übermut, Ærø, Łódź, 2½ Ü…",
            "Багратион",
        ] {
            assert_eq!(mended(text), text);
        }
    }
}
