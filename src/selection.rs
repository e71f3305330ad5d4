//! Selections: the little language in which authors say which units they mean.
//!
//! ```text
//! selection := clause (";" clause)*
//! clause    := ["rest of"] items ["of" scope] ["except" items]
//! items     := item (("," | "and" | ", and") item)*
//! item      := name | '"' name '"'
//! scope     := item
//! ```
//!
//! `4/Heth/III except 11 Miss`, `artillery of III`, `rest of artillery of I`, `Robertson, Benning of Hood/I`. This
//! module knows the grammar only: whether an item names a unit, a formation or a kind is decided by whoever evaluates
//! the selection. The words `rest of`, `of`, `except` and `and` count in any case, but only as whole words; a name that
//! contains one of them, a comma or a semicolon stands in quotation marks, and within those `""` is one mark.

use std::error::Error;
use std::fmt;
use std::ops::Range;

/// What an author selects: everything that any of its clauses selects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selection {
    /// The clauses, at least one.
    pub clauses: Vec<Clause>,
}

/// Some items, perhaps within a scope, perhaps with exceptions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    /// Whether only what no earlier entry took is meant.
    pub rest: bool,
    /// What is selected, at least one item.
    pub items: Vec<Item>,
    /// Where the items are looked for.
    pub scope: Option<Item>,
    /// What is left out.
    pub except: Vec<Item>,
}

/// A name, path or kind as the author wrote it, without its quotation marks. Two items are equal if their texts are.
#[derive(Clone, Debug)]
pub struct Item {
    /// The text; never blank.
    pub text: String,
    /// Where it stands in the parsed text, in bytes, with its quotation marks.
    pub at: Range<usize>,
}

impl PartialEq for Item {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Item {}

/// Why a text is not a selection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
    /// Where, in bytes; empty where something is missing.
    pub at: Range<usize>,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for SyntaxError {}

/// Reads a selection.
pub fn parse(text: &str) -> Result<Selection, SyntaxError> {
    let tokens = tokenize(text)?;
    if tokens.is_empty() {
        return Err(error(
            0..text.len(),
            "the selection is empty",
            "name what is meant, such as `3/Heth/III` or `artillery of III`",
        ));
    }
    let mut parser = Parser {
        text,
        tokens,
        next: 0,
    };
    let mut clauses = vec![parser.clause()?];
    while parser.take(&Kind::Semicolon) {
        clauses.push(parser.clause()?);
    }
    Ok(Selection { clauses })
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    Comma,
    Semicolon,
    Of,
    Except,
    And,
    Word,
    Quoted(String),
}

struct Token {
    kind: Kind,
    at: Range<usize>,
}

fn error(at: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> SyntaxError {
    SyntaxError {
        message: message.into(),
        help: help.into(),
        at,
    }
}

fn tokenize(text: &str) -> Result<Vec<Token>, SyntaxError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let start = at;
        at += c.len_utf8();
        let kind = match c {
            _ if c.is_whitespace() => continue,
            ',' => Kind::Comma,
            ';' => Kind::Semicolon,
            '"' => {
                let (name, length) = unquote(&text[at..]).ok_or_else(|| {
                    error(
                        start..text.len(),
                        "the quotation mark is never closed",
                        "put `\"` after the name; a mark that belongs to a quoted name is written twice",
                    )
                })?;
                at += length;
                Kind::Quoted(name)
            }
            _ => {
                at = text[start..]
                    .find(ends_word)
                    .map_or(text.len(), |length| start + length);
                keyword(&text[start..at]).unwrap_or(Kind::Word)
            }
        };
        tokens.push(Token { kind, at: start..at });
    }
    Ok(tokens)
}

fn ends_word(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | '"')
}

fn keyword(word: &str) -> Option<Kind> {
    [("of", Kind::Of), ("except", Kind::Except), ("and", Kind::And)]
        .into_iter()
        .find_map(|(name, kind)| word.eq_ignore_ascii_case(name).then_some(kind))
}

/// The quoted name that `text` begins with, its opening mark already taken, and its length with the closing mark.
fn unquote(text: &str) -> Option<(String, usize)> {
    let mut name = String::new();
    let mut at = 0;
    loop {
        let mark = at + text[at..].find('"')?;
        name.push_str(&text[at..mark]);
        at = mark + 1;
        if !text[at..].starts_with('"') {
            return Some((name, at));
        }
        name.push('"');
        at += 1;
    }
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    next: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Kind> {
        self.tokens.get(self.next).map(|token| &token.kind)
    }

    fn take(&mut self, kind: &Kind) -> bool {
        let found = self.peek() == Some(kind);
        self.next += usize::from(found);
        found
    }

    /// Where the next token is; at the end, the empty place after the last token.
    fn here(&self) -> Range<usize> {
        let end = self.tokens.last().map_or(0, |token| token.at.end);
        self.tokens
            .get(self.next)
            .map_or(end..end, |token| token.at.clone())
    }

    fn slice(&self, at: Range<usize>) -> &str {
        &self.text[at]
    }

    fn clause(&mut self) -> Result<Clause, SyntaxError> {
        let rest = self.rest_of();
        let items = self.items()?;
        let mut scope = None;
        if self.take(&Kind::Of) {
            scope = Some(self.item()?);
            match self.peek() {
                Some(Kind::Of) => {
                    return Err(error(
                        self.here(),
                        "“of” is there twice",
                        "write the whole place as one path, such as `artillery of Heth/III`",
                    ));
                }
                Some(Kind::Comma | Kind::And) => {
                    return Err(error(
                        self.here(),
                        "“of” takes one place",
                        "write a clause for each place, such as `artillery of I; artillery of II`; a name that \
                         contains a comma or “and” stands in quotation marks",
                    ));
                }
                _ => {}
            }
        }
        let mut except = Vec::new();
        if self.take(&Kind::Except) {
            except = self.items()?;
            let word = match self.peek() {
                Some(Kind::Of) => "of",
                Some(Kind::Except) => "except",
                _ => {
                    return Ok(Clause {
                        rest,
                        items,
                        scope,
                        except,
                    });
                }
            };
            let help = match word {
                "of" => "write the exception as a path, such as `III except Pender/III`",
                _ => "list all exceptions after one “except”, separated by commas",
            };
            return Err(error(
                self.here(),
                format!("“{word}” cannot follow “except”"),
                help,
            ));
        }
        Ok(Clause {
            rest,
            items,
            scope,
            except,
        })
    }

    /// Takes `rest of`, the beginning of a clause. A unit called Rest can be selected in quotation marks.
    fn rest_of(&mut self) -> bool {
        let [first, second, ..] = &self.tokens[self.next..] else {
            return false;
        };
        let found = first.kind == Kind::Word
            && self.slice(first.at.clone()).eq_ignore_ascii_case("rest")
            && second.kind == Kind::Of;
        self.next += 2 * usize::from(found);
        found
    }

    fn items(&mut self) -> Result<Vec<Item>, SyntaxError> {
        let mut items = vec![self.item()?];
        loop {
            let comma = self.take(&Kind::Comma);
            let and = self.take(&Kind::And);
            if !comma && !and {
                return Ok(items);
            }
            items.push(self.item()?);
        }
    }

    fn item(&mut self) -> Result<Item, SyntaxError> {
        let at = self.here();
        let item = match self.peek() {
            Some(Kind::Quoted(name)) => {
                let text = name.clone();
                self.next += 1;
                Item { text, at }
            }
            Some(Kind::Word) => {
                let mut end = at.end;
                while self.peek() == Some(&Kind::Word) {
                    end = self.here().end;
                    self.next += 1;
                }
                let at = at.start..end;
                Item {
                    text: self.slice(at.clone()).to_owned(),
                    at,
                }
            }
            _ => return Err(self.missing_name()),
        };
        if item.text.trim().is_empty() {
            return Err(error(
                item.at,
                "there is no name between the quotation marks",
                "write a name, or remove the marks",
            ));
        }
        let quoted = self.slice(item.at.clone()).starts_with('"');
        if !quoted && begins_curly(&item.text) {
            return Err(error(
                item.at,
                "curly quotation marks do not quote a name",
                "use straight ones, such as `\"1st NC, Battery A\"`",
            ));
        }
        if quoted && matches!(self.peek(), Some(Kind::Word | Kind::Quoted(_))) {
            return Err(error(
                self.here(),
                format!("“{}” follows a quoted name", self.slice(self.here())),
                "put the whole name in one pair of quotation marks, or a comma between two names",
            ));
        }
        if !quoted && matches!(self.peek(), Some(Kind::Quoted(_))) {
            return Err(error(
                self.here(),
                "there is a quotation mark inside a name",
                "put the whole name in quotation marks and write each mark inside it twice, or put a comma between two \
                 names",
            ));
        }
        Ok(item)
    }

    fn missing_name(&self) -> SyntaxError {
        let before = self
            .next
            .checked_sub(1)
            .map(|index| self.tokens[index].at.clone());
        let message = match (before, self.peek()) {
            (Some(before), _) if self.slice(before.clone()) != ";" => {
                // Nothing follows the word, so that is where the name is missing.
                let message = format!("a name is missing after “{}”", self.slice(before.clone()));
                return error(before, message, self.missing_help());
            }
            (_, Some(_)) => format!("a name is missing before “{}”", self.slice(self.here())),
            _ => "a clause is missing after “;”".to_owned(),
        };
        error(self.here(), message, self.missing_help())
    }

    fn missing_help(&self) -> &'static str {
        let before = self.next.checked_sub(1).map(|index| &self.tokens[index].kind);
        match (before, self.peek()) {
            (Some(Kind::Except), _) => "name what is left out, or remove “except”",
            (Some(Kind::Of), _) => "name a formation, such as `artillery of III`",
            (_, Some(Kind::Except)) => {
                "say what the exceptions are taken from, such as `all of III except Pender/III`"
            }
            (_, Some(Kind::Of)) => "say what is selected, such as `artillery of III` or `all of III`",
            (_, None) if before == Some(&Kind::Semicolon) => "remove the semicolon, or name what is meant",
            _ => "remove it, or add the name; a name that contains it stands in quotation marks",
        }
    }
}

/// Whether a bare name begins like one that a word processor has quoted.
fn begins_curly(name: &str) -> bool {
    name.starts_with(['“', '”', '„', '‟'])
}

impl fmt::Display for Selection {
    /// Writes what [`parse`] reads as the same selection.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, clause) in self.clauses.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{clause}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.rest {
            f.write_str("rest of ")?;
        }
        match &self.items[..] {
            [only] if !self.rest && self.scope.is_some() && only.text.eq_ignore_ascii_case("rest") => {
                write_quoted(f, &only.text)?;
            }
            items => write_items(f, items)?,
        }
        if let Some(scope) = &self.scope {
            write!(f, " of {scope}")?;
        }
        if !self.except.is_empty() {
            f.write_str(" except ")?;
            write_items(f, &self.except)?;
        }
        Ok(())
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if needs_quotes(&self.text) {
            write_quoted(f, &self.text)
        } else {
            f.write_str(&self.text)
        }
    }
}

fn write_items(f: &mut fmt::Formatter<'_>, items: &[Item]) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{item}")?;
    }
    Ok(())
}

fn write_quoted(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    write!(f, "\"{}\"", name.replace('"', "\"\""))
}

fn needs_quotes(name: &str) -> bool {
    name.trim() != name
        || name.is_empty()
        || name.contains([',', ';', '"'])
        || begins_curly(name)
        || name.split_whitespace().any(|word| keyword(word).is_some())
}

#[cfg(test)]
mod tests;
