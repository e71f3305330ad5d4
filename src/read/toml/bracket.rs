//! Brackets that are opened and never closed.

/// The first `[` or `{` of a value that is not closed anywhere.
pub(super) fn open_bracket(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut open: Vec<usize> = Vec::new();
    let mut at = 0;
    let mut line_start = true;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let line_end = || rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        match rest[0] {
            b'\n' => {
                line_start = true;
                at += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' => {
                at += 1;
                continue;
            }
            b'#' => at += line_end(),
            // A header.
            b'[' if line_start && open.is_empty() => at += line_end(),
            b'[' | b'{' => {
                open.push(at);
                at += 1;
            }
            b']' | b'}' => {
                open.pop();
                at += 1;
            }
            quote @ (b'"' | b'\'') => at += text_length(rest, quote),
            _ => at += 1,
        }
        line_start = false;
    }
    open.first().copied()
}

/// The length of the text, quotes included, that `bytes` begins with.
pub(super) fn text_length(bytes: &[u8], quote: u8) -> usize {
    let long = bytes.starts_with(&[quote; 3]);
    let mut at = if long { 3 } else { 1 };
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if quote == b'"' => at += 1,
            b'\n' if !long => return at,
            byte if byte == quote && !long => return at + 1,
            byte if byte == quote && bytes[at..].starts_with(&[quote; 3]) => {
                // Up to two more quotes belong to the text.
                let more = bytes[at + 3..]
                    .iter()
                    .take(2)
                    .take_while(|byte| **byte == quote)
                    .count();
                return at + 3 + more;
            }
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}
