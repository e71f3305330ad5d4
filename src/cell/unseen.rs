//! Characters that cannot be seen, or not be told from a blank.

/// A kind of character that cannot be seen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Unseen {
    /// Takes no room: zero-width spaces and joiners, marks of direction, a byte-order mark.
    ZeroWidth,
    /// A soft hyphen: seen only where a line is broken.
    SoftHyphen,
    /// A no-break, thin or other space that is not the plain one.
    Space,
    /// A character by which machines are told something: Ctrl-Z, a bell.
    Control,
}

impl Unseen {
    /// What messages call it.
    pub fn name(self) -> &'static str {
        match self {
            Unseen::ZeroWidth => "a character without width",
            Unseen::SoftHyphen => "a soft hyphen",
            Unseen::Space => "a no-break space",
            Unseen::Control => "a control character",
        }
    }
}

/// The kind of a character, if it cannot be seen.
pub(super) fn of(c: char) -> Option<Unseen> {
    match c {
        '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2064}'
        | '\u{2066}'..='\u{2069}'
        | '\u{feff}'
        | '\u{180e}' => Some(Unseen::ZeroWidth),
        '\u{ad}' => Some(Unseen::SoftHyphen),
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => Some(Unseen::Space),
        // NUL is told of a whole file, and ends of lines and tabs are seen.
        '\u{1}'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => {
            Some(Unseen::Control)
        }
        _ => None,
    }
}

/// A control character between two letters or digits: where it stands. It may have been a blank or nothing.
pub fn between(text: &str) -> Option<usize> {
    if text.bytes().all(|byte| (b' '..0x7f).contains(&byte)) {
        return None;
    }
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut controls = text
        .char_indices()
        .filter(|(_, c)| of(*c) == Some(Unseen::Control));
    let found = controls.find(|(at, c)| {
        is_word(text[..*at].chars().next_back()) && is_word(text[*at + c.len_utf8()..].chars().next())
    });
    found.map(|(at, _)| at)
}

/// What a control character is called.
pub(super) fn control_name(c: char) -> String {
    match c {
        '\u{1a}' => "Ctrl-Z".into(),
        '\u{b}' => "a vertical tab, by which word processors break a line".into(),
        '\u{c}' => "a page break".into(),
        c => format!("U+{:04X}", u32::from(c)),
    }
}

/// What a text has that cannot be seen, and where: `a no-break space behind it`.
pub fn place(text: &str) -> Option<String> {
    let (at, c) = text.char_indices().find(|(_, c)| of(*c).is_some())?;
    let nothing = |part: &str| part.chars().all(|c| c.is_whitespace() || of(c).is_some());
    let place = if nothing(&text[..at]) {
        "before it"
    } else if nothing(&text[at..]) {
        "behind it"
    } else {
        "in it"
    };
    Some(format!("{} {place}", of(c)?.name()))
}

/// The first character of a text that cannot be seen, and the text without any: other spaces become plain ones.
pub fn unseen(text: &str) -> Option<(Unseen, String)> {
    if text.bytes().all(|byte| (b' '..0x7f).contains(&byte)) {
        return None;
    }
    let kind = text.chars().find_map(of)?;
    let cleaned: String = text
        .chars()
        .filter_map(|c| match of(c) {
            None => Some(c),
            Some(Unseen::Space) => Some(' '),
            Some(_) => None,
        })
        .collect();
    Some((kind, cleaned.trim().to_owned()))
}
