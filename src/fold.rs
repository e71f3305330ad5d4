//! Folding: when two spellings are the same name.
//!
//! A [`Folder`] turns a name into a key; two spellings are one name when their keys are equal. Keys can be read and
//! measured for likeness, but they are not names, and only keys of one kind from one folder can be compared.
//!
//! The text is cut into numbers, words and signs. Words are put into lower case, what only separates (spaces, dots,
//! commas, hyphens, brackets) is dropped, ordinal endings go, and every run of words that the game declares a synonym
//! is replaced by its group's fullest spelling. Nothing is dropped that could tell two units apart: accents, leading
//! zeros, and signs such as `/`, `&` and `+` stay.

/// Knows a game's synonyms and makes keys of names.
#[derive(Clone, Debug)]
pub struct Folder {
    /// Every declared spelling, folded, with its group's index; sorted.
    spellings: Vec<(Box<str>, u32)>,
    /// Where the spellings of each first byte begin in `spellings`.
    first: Box<[u32; 257]>,
    /// Which lengths those have, a bit each; the last stands for all beyond. Spares most searches.
    lengths: Box<[u64; 256]>,
    /// What stands for each group in a key.
    canonical: Vec<Box<str>>,
    /// Length of the longest spelling.
    longest: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Word,
    Sign,
}

/// A piece of the scanned text.
#[derive(Clone, Copy)]
struct Token {
    kind: Kind,
    /// A word that follows digits with nothing between, so that it may begin with an ordinal ending.
    glued: bool,
    start: usize,
    end: usize,
}

/// The text, folded but for synonyms, and where its tokens are. Only two numbers have a space between them.
struct Scan {
    text: String,
    tokens: Vec<Token>,
}

impl Folder {
    /// A folder for the synonym groups that a game declares, such as `["Pa", "Penna", "Pennsylvania"]`.
    ///
    /// A spelling may have several words (`"S. Carolina"`). The order of groups and of spellings has no effect, except
    /// that the first of equally long spellings appears in keys. Groups that share a spelling are one group: if `Lt` is
    /// both Light and Lieutenant, nothing can keep those apart.
    pub fn new(groups: &[Vec<String>]) -> Self {
        let mut spellings: Vec<(Box<str>, u32)> = Vec::new();
        let mut parent: Vec<u32> = (0..groups.len() as u32).collect();
        for (group, members) in groups.iter().enumerate() {
            for member in members {
                let spelling = scan(member).text;
                if !spelling.is_empty() {
                    spellings.push((spelling.into(), group as u32));
                }
            }
        }
        // Stable, so that of one spelling in several groups the earliest group comes first.
        let mut sorted = spellings.clone();
        sorted.sort_by(|a, b| a.0.cmp(&b.0));
        for pair in sorted.windows(2) {
            if pair[0].0 == pair[1].0 {
                let (a, b) = (root(&parent, pair[0].1), root(&parent, pair[1].1));
                parent[a.max(b) as usize] = a.min(b);
            }
        }
        sorted.dedup_by(|a, b| a.0 == b.0);
        for (_, group) in &mut sorted {
            *group = root(&parent, *group);
        }

        let mut canonical: Vec<Box<str>> = vec!["".into(); groups.len()];
        for (spelling, group) in spellings {
            let held = &mut canonical[root(&parent, group) as usize];
            if weight(&spelling) > weight(held) {
                *held = spelling;
            }
        }

        let mut first = Box::new([0; 257]);
        for byte in 0..=256 {
            first[byte] = sorted.partition_point(|(text, _)| usize::from(text.as_bytes()[0]) < byte) as u32;
        }
        let mut lengths = Box::new([0; 256]);
        for (text, _) in &sorted {
            lengths[usize::from(text.as_bytes()[0])] |= length_bit(text);
        }
        Folder {
            longest: sorted.iter().map(|(text, _)| text.len()).max().unwrap_or(0),
            spellings: sorted,
            first,
            lengths,
            canonical,
        }
    }

    /// The key under which exact spellings of one name meet.
    ///
    /// Equal: `11Miss`, `11 Ms`, `11th Miss.` and `11th Mississippi`; `2d US, Battery A` and `2nd U.S. battery A`.
    /// Different: `Hay's` and `Hays'`; `1st Md` and `1st Md, Eastern Shore`; `L&E` and `L+E`; `12d` and `12th`, because
    /// an ending that does not suit its number is a slip to be reported.
    pub fn strict(&self, text: &str) -> String {
        let Scan { text, tokens } = scan(text);
        let mut key = Key {
            folder: self,
            text: String::with_capacity(text.len() + 24),
            run: Run::default(),
        };
        let mut index = 0;
        while let Some(&token) = tokens.get(index) {
            if let Some((group, used)) = self.longest_match(&text, &tokens[index..]) {
                key.push_group(group);
                index += used;
                continue;
            }
            let word = &text[token.start..token.end];
            let mut parts = [0; MAX_PARTS];
            let mut count = 0;
            if token.kind == Kind::Word
                && let Some(number) = index.checked_sub(1).map(|before| tokens[before])
                && number.kind == Kind::Number
            {
                count = self.divide(word, &mut parts);
                if count == 0
                    && token.glued
                    && let Some(ending) = ordinal_ending(&text[number.start..number.end], word)
                {
                    count = self.divide(&word[ending..], &mut parts);
                }
            }
            if count == 0 {
                key.push(word);
            }
            for group in &parts[..count] {
                key.push_group(*group);
            }
            index += 1;
        }
        key.end_run();
        key.text
    }

    /// The key under which possessive and plural forms meet as well: `Hay's`, `Hays'`, `Hays` and `Hay`.
    ///
    /// It is made of the [`strict`](Self::strict) key alone, so names that are equal by that are equal by this.
    pub fn loose(&self, text: &str) -> String {
        let key = self.strict(text);
        let mut loose = String::with_capacity(key.len());
        let mut rest = key.as_str();
        while let Some(c) = rest.chars().next() {
            if is_word(c) {
                let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                loose.extend(stem(&rest[..end]).split('\''));
                // A space after a word stands before another word, to show where its ending is.
                rest = rest[end..].trim_start_matches(' ');
            } else {
                loose.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
        loose
    }

    /// The group of a folded spelling.
    fn find(&self, spelling: &str) -> Option<u32> {
        let byte = usize::from(*spelling.as_bytes().first()?);
        if self.lengths[byte] & length_bit(spelling) == 0 {
            return None;
        }
        let bucket = &self.spellings[self.first[byte] as usize..self.first[byte + 1] as usize];
        let found = bucket.binary_search_by(|(text, _)| (**text).cmp(spelling)).ok()?;
        Some(bucket[found].1)
    }

    /// The synonym made of most tokens from the first on: its group, and how many tokens it takes.
    fn longest_match(&self, text: &str, tokens: &[Token]) -> Option<(u32, usize)> {
        let start = tokens.first()?.start;
        let byte = usize::from(text.as_bytes()[start]);
        if self.lengths[byte] == 0 {
            return None;
        }
        let reach = tokens.partition_point(|token| token.end - start <= self.longest);
        (1..=reach)
            .rev()
            .find_map(|used| Some((self.find(&text[start..tokens[used - 1].end])?, used)))
    }

    /// Divides a word that follows a number into synonyms, as in `2NCBat` and `1MdBn`; 0 if it is not made of them.
    fn divide(&self, word: &str, parts: &mut [u32; MAX_PARTS]) -> usize {
        self.divide_from(word, parts, 0).unwrap_or(0)
    }

    fn divide_from(&self, word: &str, parts: &mut [u32; MAX_PARTS], count: usize) -> Option<usize> {
        if word.is_empty() {
            return Some(count);
        }
        if count == MAX_PARTS {
            return None;
        }
        (2..=word.len().min(self.longest)).rev().find_map(|length| {
            parts[count] = self.find(word.get(..length)?)?;
            self.divide_from(&word[length..], parts, count + 1)
        })
    }
}

/// Most synonyms that are looked for in one word.
const MAX_PARTS: usize = 4;

impl Default for Folder {
    /// A folder without synonyms.
    fn default() -> Self {
        Folder::new(&[])
    }
}

/// A key in the making.
struct Key<'f> {
    folder: &'f Folder,
    text: String,
    run: Run,
}

/// The words at the end of a key, written together.
#[derive(Default)]
struct Run {
    start: usize,
    parts: usize,
    replaced: bool,
    /// It is one word that has an ending, and stands by itself.
    ending: bool,
}

impl Key<'_> {
    fn push_group(&mut self, group: u32) {
        let folder = self.folder;
        self.push(&folder.canonical[group as usize]);
        self.run.replaced = true;
    }

    /// Adds a part. What follows a number is kept off it, so that `2 D` does not look like `2d`, and words that a loose
    /// key shortens are kept off others, so that it finds their ends. Other words are written together: `VonSteinwehr`.
    fn push(&mut self, part: &str) {
        let Some(first) = part.chars().next() else {
            return;
        };
        let word = is_word(first);
        let ending = word && stem(part) != part;
        let follows_word = self.run.parts > 0;
        let separate = ending || self.run.ending;
        if !word || separate {
            self.end_run();
        }
        let follows_digit = self.text.as_bytes().last().is_some_and(u8::is_ascii_digit);
        if (follows_digit && !is_sign(first)) || (word && follows_word && separate) {
            self.text.push(' ');
        }
        if word {
            if self.run.parts == 0 {
                self.run.start = self.text.len();
            }
            self.run.parts += 1;
            self.run.ending = ending;
        }
        self.text.push_str(part);
    }

    /// Words may only spell a synonym once their own synonyms are put in (`N. Carolina`, where `N` is North).
    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        if run.parts > 1
            && run.replaced
            && let Some(group) = self.folder.find(&self.text[run.start..])
        {
            self.text.truncate(run.start);
            self.text.push_str(&self.folder.canonical[group as usize]);
        }
    }
}

/// A word without its possessive or plural ending. At least three letters are left, so that `Ms` and `US` stay.
fn stem(word: &str) -> &str {
    let word = word.strip_suffix("'s").unwrap_or(word);
    let mut word = word.trim_end_matches('\'');
    while word.len() > 3
        && let Some(rest) = word.strip_suffix('s')
    {
        word = rest;
    }
    word
}

/// Which of a group's spellings stands for it: a number if there is one, else the longest.
fn weight(spelling: &str) -> (bool, usize) {
    let number = !spelling.is_empty() && spelling.bytes().all(|byte| byte.is_ascii_digit());
    (number, spelling.len())
}

/// The bit of a spelling's length.
fn length_bit(spelling: &str) -> u64 {
    1 << spelling.len().min(63)
}

/// The group that a group was joined to.
fn root(parent: &[u32], mut group: u32) -> u32 {
    while parent[group as usize] != group {
        group = parent[group as usize];
    }
    group
}

/// What a character is to a name.
enum Class {
    Digit,
    Letter(char),
    Sign(char),
    Separator,
    Nothing,
}

fn classify(c: char) -> Class {
    match c {
        '0'..='9' => Class::Digit,
        'a'..='z' => Class::Letter(c),
        'A'..='Z' => Class::Letter(c.to_ascii_lowercase()),
        ' ' | '.' | ',' | '-' | '(' | ')' | '[' | ']' => Class::Separator,
        '\'' | '`' | '´' | '‘' | '’' | '‛' | '′' | 'ʼ' | 'ʻ' | '＇' => Class::Letter('\''),
        '“' | '”' | '„' | '‟' | '″' => Class::Sign('"'),
        // Soft hyphen, zero-width characters, byte-order mark.
        '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => Class::Nothing,
        '\u{2010}'..='\u{2015}' | '…' | '−' => Class::Separator,
        _ if c.is_whitespace() => Class::Separator,
        _ if is_sign(c) => Class::Sign(c),
        _ => Class::Letter(c),
    }
}

/// Whether a character is a word by itself. Combining marks are not.
fn is_sign(c: char) -> bool {
    match c {
        '\'' => false,
        '\0'..='\u{7f}' => !c.is_ascii_alphanumeric(),
        'ª' | 'µ' | 'º' => false,
        '\u{80}'..='\u{bf}' | '×' | '÷' | '\u{2010}'..='\u{206f}' => true,
        _ => false,
    }
}

/// Whether a character of a key belongs to a word.
fn is_word(c: char) -> bool {
    !c.is_ascii_digit() && !is_sign(c)
}

fn scan(text: &str) -> Scan {
    let mut scan = Scan {
        text: String::with_capacity(text.len()),
        tokens: Vec::with_capacity(8),
    };
    let mut open = None;
    for c in text.chars() {
        scan.take(c, &mut open);
    }
    scan.close_word(open);
    scan
}

impl Scan {
    /// Takes in a character; `open` is the kind of the last token if the character may continue it.
    fn take(&mut self, c: char, open: &mut Option<Kind>) {
        let (kind, c) = match classify(c) {
            Class::Digit => (Kind::Number, c),
            Class::Letter(letter) => (Kind::Word, letter),
            Class::Sign(sign) => (Kind::Sign, sign),
            Class::Separator => {
                self.close_word(open.take());
                return;
            }
            Class::Nothing => return,
        };
        if *open != Some(kind) || kind == Kind::Sign {
            self.close_word(*open);
            let last = self.tokens.last().map(|token| token.kind);
            if kind == Kind::Number && last == Some(Kind::Number) {
                self.text.push(' ');
            }
            self.tokens.push(Token {
                kind,
                glued: kind == Kind::Word && *open == Some(Kind::Number),
                start: self.text.len(),
                end: self.text.len(),
            });
            *open = Some(kind);
        }
        if kind == Kind::Word && !c.is_ascii() {
            self.push_folded(c);
        } else {
            self.text.push(c);
        }
        if let Some(token) = self.tokens.last_mut() {
            token.end = self.text.len();
        }
    }

    /// Case is folded both ways, because some letters have no partner in one direction (ß and SS, ς and Σ).
    fn push_folded(&mut self, letter: char) {
        for lower in letter.to_lowercase() {
            for upper in lower.to_uppercase() {
                for folded in upper.to_lowercase() {
                    self.text.push(if folded == 'ʼ' { '\'' } else { folded });
                }
            }
        }
    }

    /// Drops the word just read if it is no more than the ordinal ending of the number before it.
    fn close_word(&mut self, open: Option<Kind>) {
        if open != Some(Kind::Word) {
            return;
        }
        if let [.., number, word] = self.tokens[..]
            && word.glued
            && ordinal_ending(&self.text[number.start..number.end], &self.text[word.start..])
                == Some(word.end - word.start)
        {
            self.text.truncate(word.start);
            self.tokens.pop();
        }
    }
}

/// The length of the ordinal ending at the beginning of `word`, if it suits `number`: 1st, 2nd or 2d, 3rd or 3d, 11th.
fn ordinal_ending(number: &str, word: &str) -> Option<usize> {
    let digits = number.as_bytes();
    let teen = digits.len() > 1 && digits[digits.len() - 2] == b'1';
    let endings: &[&str] = match digits.last()? {
        b'1' if !teen => &["st"],
        b'2' if !teen => &["nd", "d"],
        b'3' if !teen => &["rd", "d"],
        _ => &["th"],
    };
    endings
        .iter()
        .find(|ending| word.starts_with(**ending))
        .map(|ending| ending.len())
}

#[cfg(test)]
mod tests;
