//! The words of expressions, judged before any record is looked at: names that nothing declares, and comparisons that can
//! never be true, such as that of a kind with a word that is none.

use std::collections::BTreeMap;

use minijinja::Environment;

use super::{BAD_EXPRESSION, fields, functions};
use crate::diagnostic::{Diagnostic, Sink};
use crate::game::{AttributeDef, Game, Of, Type};
use crate::source::Span;
use crate::suggest;

/// The functions that the template language has itself.
const BUILT_IN: [&str; 4] = ["range", "dict", "debug", "namespace"];

/// What is found in the expressions of a game; a word that is wrong in several is one fault.
pub struct Words<'g> {
    game: &'g Game,
    strange: BTreeMap<(String, String), Strange>,
}

/// A word with which something is compared that it never is.
struct Strange {
    known: Vec<String>,
    places: Vec<Span>,
}

/// A piece of an expression.
#[derive(Debug, Clone, PartialEq)]
enum Token {
    /// A name, with the names behind its dots.
    Word(String),
    /// A text in quotes.
    Text(String),
    /// A number.
    Number(String),
    /// Anything else.
    Sign(&'static str),
}

const SIGNS: [&str; 20] = [
    "==", "!=", "<=", ">=", "<", ">", "(", ")", "[", "]", "{", "}", ",", "|", "~", "+", "-", "*", "/", "%",
];

const COMPARISONS: [&str; 6] = ["==", "!=", "<=", ">=", "<", ">"];

impl<'g> Words<'g> {
    /// Nothing is found yet.
    pub fn new(game: &'g Game) -> Self {
        Words {
            game,
            strange: BTreeMap::new(),
        }
    }

    /// Judges an expression about one kind of record.
    pub fn expression(&mut self, of: Of, text: &str, span: Span, sink: &mut Sink) {
        let environment = Environment::new();
        // What is no expression at all is told when it is compiled.
        if let Ok(compiled) = environment.compile_expression(text) {
            let names = compiled.undeclared_variables(true);
            if self.names(of, names.into_iter().collect(), span, sink) {
                self.comparisons(of, &tokens(text), span, sink);
            }
        }
    }

    /// Judges a text with `{{ … }}` in it.
    pub fn template(&mut self, of: Of, text: &str, span: Span, sink: &mut Sink) {
        let environment = Environment::new();
        if let Ok(compiled) = environment.template_from_str(text) {
            let names = compiled.undeclared_variables(true);
            if self.names(of, names.into_iter().collect(), span, sink) {
                for part in inside(text) {
                    self.comparisons(of, &tokens(part), span, sink);
                }
            }
        }
    }

    /// Tells of the words that are none, each once.
    pub fn tell(self, sink: &mut Sink) {
        for ((column, word), strange) in self.strange {
            let known: Vec<&str> = strange.known.iter().map(String::as_str).collect();
            let Some(first) = strange.places.first() else {
                continue;
            };
            let mut found = Diagnostic::new(
                &BAD_EXPRESSION,
                *first,
                format!("`{column}` is compared with `{word}`, which it never is"),
            )
            .note("in this expression");
            for place in strange.places.iter().skip(1).take(3) {
                found = found.label(*place, "and in this one");
            }
            let mut help = suggest::help(&word, &known)
                .unwrap_or_else(|| format!("`{column}` is one of {}", suggest::quoted(&known)));
            if column == "arm"
                && let Some(near) = suggest::closest(&word, known.iter().copied())
                && let Some(kind) = self.game.kinds.iter().position(|kind| kind.arm == near)
            {
                let span = self.game.span(&format!("/kinds/{kind}/arm"));
                found = found.label(span, format!("the arm `{near}` is of this kind"));
                help += " If not, correct the `arm` of the kind";
            }
            sink.push(found.help(help));
        }
    }

    /// Whether every name is known; the first that is not is reported.
    fn names(&self, of: Of, mut names: Vec<String>, span: Span, sink: &mut Sink) -> bool {
        names.sort();
        for path in names {
            let (name, rest) = path.split_once('.').unwrap_or((&path, ""));
            let own = known_names(self.game, of);
            let other = match (name, of) {
                ("formation", Of::Units | Of::Leaders | Of::Effectiveness) => Some(Of::Formations),
                ("commander", Of::Formations) => Some(Of::Leaders),
                _ => None,
            };
            let within = other.map(|other| known_fields(self.game, other));
            let behind = rest.split('.').next().unwrap_or_default();
            let (word, known, whose) = if !own.iter().any(|known| known == name) {
                (name, own, of.table())
            } else if let Some(within) = within
                && !behind.is_empty()
                && !within.iter().any(|known| known == behind)
            {
                (behind, within, other.map_or("", Of::table))
            } else {
                continue;
            };
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let mut found = Diagnostic::new(
                &BAD_EXPRESSION,
                span,
                format!("`{word}` is no field and no attribute of {whose}"),
            )
            .note("in this expression");
            found = match suggest::closest(word, known.iter().copied()) {
                Some(near) => found.help(format!("did you mean `{near}`?")),
                None => found.help(format!(
                    "correct it, or declare the attribute; a word is written in quotes: `'{word}'`"
                )),
            };
            sink.push(found);
            return false;
        }
        true
    }

    fn comparisons(&mut self, of: Of, tokens: &[Token], span: Span, sink: &mut Sink) {
        for at in 0..tokens.len() {
            if let Token::Word(path) = &tokens[at] {
                self.word(of, path, tokens, at, span, sink);
            }
        }
    }

    fn word(&mut self, of: Of, path: &str, tokens: &[Token], at: usize, span: Span, sink: &mut Sink) {
        let sign = |at: usize| match tokens.get(at) {
            Some(Token::Sign(sign)) => *sign,
            _ => "",
        };
        if matches!(path, "selectattr" | "rejectattr") && sign(at + 1) == "(" {
            self.filter(tokens, at, span);
            return;
        }
        let before = at.checked_sub(1).map_or("", sign);
        if matches!(before, "|" | "~" | "+" | "-" | "*" | "/" | "%") {
            return;
        }
        // `kind == 'x'` and `'x' == kind`.
        let value = if COMPARISONS.contains(&sign(at + 1)) {
            tokens.get(at + 2).filter(|_| !is_changed(tokens, at + 3))
        } else if COMPARISONS.contains(&before) && !is_changed(tokens, at + 1) {
            at.checked_sub(2).and_then(|at| tokens.get(at))
        } else {
            None
        };
        match value {
            Some(Token::Text(text)) => {
                if is_number(self.game, of, path) {
                    sink.push(
                        Diagnostic::new(
                            &BAD_EXPRESSION,
                            span,
                            format!(
                                "`{path}` is a number, but `'{text}'` is a text: they cannot be compared"
                            ),
                        )
                        .note("in this expression")
                        .help("write a number without quotes, or the name of another attribute"),
                    );
                    return;
                }
                self.compare(of, path, text, span);
            }
            Some(Token::Number(number)) if is_text(self.game, of, path) => sink.push(
                Diagnostic::new(
                    &BAD_EXPRESSION,
                    span,
                    format!("`{path}` is a text, but `{number}` is a number: they cannot be compared"),
                )
                .note("in this expression")
                .help(format!(
                    "write `'{number}'`, or the name of an attribute that is a number"
                )),
            ),
            _ => {}
        }
        let is_word = |at: usize, word: &str| tokens.get(at) == Some(&Token::Word(word.to_owned()));
        let list = if is_word(at + 1, "in") {
            at + 2
        } else if is_word(at + 1, "not") && is_word(at + 2, "in") {
            at + 3
        } else {
            return;
        };
        for text in listed(tokens, list) {
            self.compare(of, path, &text, span);
        }
    }

    /// `selectattr('kind', 'equalto', 'x')`.
    fn filter(&mut self, tokens: &[Token], at: usize, span: Span) {
        let comma = Token::Sign(",");
        let (Some(Token::Text(name)), Some(Token::Text(test))) = (tokens.get(at + 2), tokens.get(at + 4))
        else {
            return;
        };
        if tokens.get(at + 3) != Some(&comma) || tokens.get(at + 5) != Some(&comma) {
            return;
        }
        let texts = match (test.as_str(), tokens.get(at + 6)) {
            ("equalto" | "eq" | "==" | "ne" | "!=", Some(Token::Text(text))) => vec![text.clone()],
            ("in", _) => listed(tokens, at + 6),
            _ => return,
        };
        for text in texts {
            self.compare_any(name, &text, span);
        }
    }

    fn compare(&mut self, of: Of, path: &str, text: &str, span: Span) {
        let (of, name) = match path.rsplit_once('.') {
            None => (of, path),
            Some(("formation", name)) => (Of::Formations, name),
            Some((_, name)) => return self.compare_any(name, text, span),
        };
        if let Some(known) = choices(self.game, of, name) {
            self.compare_with(name, text, known, span);
        }
    }

    /// A field of a record of which it is not known what it is.
    fn compare_any(&mut self, path: &str, text: &str, span: Span) {
        let name = path.rsplit('.').next().unwrap_or(path);
        let lists = [Of::Units, Of::Formations, Of::Leaders].map(|of| choices(self.game, of, name));
        if lists.iter().all(Option::is_none) {
            return;
        }
        let mut known: Vec<String> = lists.into_iter().flatten().flatten().collect();
        known.dedup();
        self.compare_with(name, text, known, span);
    }

    fn compare_with(&mut self, name: &str, text: &str, known: Vec<String>, span: Span) {
        if known.iter().any(|known| known == text) {
            return;
        }
        let strange = self.strange.entry((name.to_owned(), text.to_owned()));
        let strange = strange.or_insert(Strange {
            known,
            places: Vec::new(),
        });
        if strange.places.last() != Some(&span) {
            strange.places.push(span);
        }
    }
}

/// Whether what stands before a token is changed by it before it is compared.
fn is_changed(tokens: &[Token], at: usize) -> bool {
    matches!(
        tokens.get(at),
        Some(Token::Sign("|" | "~" | "+" | "-" | "*" | "/" | "%" | "(" | "["))
    )
}

/// The texts of a list that begins at a token, if it holds nothing else.
fn listed(tokens: &[Token], at: usize) -> Vec<String> {
    if !matches!(tokens.get(at), Some(Token::Sign("[" | "("))) {
        return Vec::new();
    }
    let mut texts = Vec::new();
    for token in &tokens[at + 1..] {
        match token {
            Token::Text(text) => texts.push(text.clone()),
            Token::Sign(",") => {}
            Token::Sign("]" | ")") => return texts,
            _ => break,
        }
    }
    Vec::new()
}

/// The names that an expression about a kind of record may begin with.
fn known_names(game: &Game, of: Of) -> Vec<String> {
    let lists: &[&str] = match of {
        Of::Formations => &["units", "all_units", "formations", "commander"],
        Of::Units => &["instead_of"],
        Of::Sides => &["units", "all_units", "formations"],
        _ => &[],
    };
    let functions = functions::NAMES.iter().chain(&BUILT_IN).chain(lists);
    let functions = functions.map(|name| (*name).to_owned());
    known_fields(game, of).into_iter().chain(functions).collect()
}

fn known_fields(game: &Game, of: Of) -> Vec<String> {
    let attributes = game.attributes_of(of).map(|attribute| attribute.name.clone());
    let own = fields::names(of).iter().map(|name| (*name).to_owned());
    own.chain(attributes).collect()
}

/// What a field can be, where it is one of some words.
fn choices(game: &Game, of: Of, name: &str) -> Option<Vec<String>> {
    if let Some(attribute) = game.attribute(of, name) {
        return (!attribute.choices.is_empty()).then(|| attribute.choices.clone());
    }
    let kinds = |table: &str| {
        let kinds = game.kinds.iter().filter(|kind| kind.of == table);
        kinds.map(|kind| kind.id.clone()).collect::<Vec<String>>()
    };
    let is_field = fields::names(of).contains(&name);
    let known: Vec<String> = match name {
        _ if !is_field => return None,
        "kind" if matches!(of, Of::Units | Of::Supply) => kinds(of.table()),
        "arm" => game.kinds.iter().map(|kind| kind.arm.clone()).collect(),
        "side" => game.sides.iter().map(|side| side.id.clone()).collect(),
        "echelon" => game.echelons.iter().map(|echelon| echelon.id.clone()).collect(),
        "role" => game.roles.iter().map(|role| role.id.clone()).collect(),
        "rank" => game.ranks.iter().map(|rank| rank.id.clone()).collect(),
        _ => return None,
    };
    (!known.is_empty()).then_some(known)
}

/// The attribute that a path names, and the records whose field it may be instead.
fn meant<'g>(game: &'g Game, of: Of, path: &str) -> Option<(Of, Option<&'g AttributeDef>)> {
    let (of, name) = match path.rsplit_once('.') {
        None => (of, path),
        Some(("formation", name)) => (Of::Formations, name),
        Some(_) => return None,
    };
    Some((of, game.attribute(of, name)))
}

fn is_number(game: &Game, of: Of, path: &str) -> bool {
    let name = path.rsplit('.').next().unwrap_or(path);
    match meant(game, of, path) {
        Some((_, Some(attribute))) => matches!(attribute.kind, Type::Integer | Type::Number),
        Some((of, None)) => {
            fields::names(of).contains(&name) && matches!(name, "level" | "boxes" | "total" | "count")
        }
        None => false,
    }
}

fn is_text(game: &Game, of: Of, path: &str) -> bool {
    let name = path.rsplit('.').next().unwrap_or(path);
    match meant(game, of, path) {
        Some((_, Some(attribute))) => matches!(attribute.kind, Type::Text | Type::Choice),
        Some((of, None)) => {
            let texts = [
                "id", "name", "abbr", "kind", "arm", "side", "echelon", "role", "rank",
            ];
            fields::names(of).contains(&name) && texts.contains(&name)
        }
        None => false,
    }
}

/// The parts of a template that are code.
fn inside(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find("{{").into_iter().chain(rest.find("{%")).min() {
        let close = if rest[start..].starts_with("{{") {
            "}}"
        } else {
            "%}"
        };
        let after = &rest[start + 2..];
        let Some(end) = after.find(close) else {
            break;
        };
        parts.push(&after[..end]);
        rest = &after[end + 2..];
    }
    parts
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, length) = if first == '\'' || first == '"' {
            quoted(rest, first)
        } else if first.is_ascii_digit() {
            let length = rest
                .find(|c: char| !c.is_ascii_digit() && c != '.')
                .unwrap_or(rest.len());
            (Some(Token::Number(rest[..length].to_owned())), length)
        } else if first.is_alphabetic() || first == '_' {
            let length = rest
                .find(|c: char| !c.is_alphanumeric() && c != '_' && c != '.')
                .unwrap_or(rest.len());
            (Some(Token::Word(rest[..length].to_owned())), length)
        } else {
            match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                Some(sign) => (Some(Token::Sign(sign)), sign.len()),
                None => (None, first.len_utf8()),
            }
        };
        tokens.extend(token);
        rest = rest[length..].trim_start();
    }
    tokens
}

/// A text in quotes at the beginning of another, and its length.
fn quoted(rest: &str, quote: char) -> (Option<Token>, usize) {
    let mut value = String::new();
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if escaped {
            value.push(c);
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == quote {
            return (Some(Token::Text(value)), at + c.len_utf8());
        } else {
            value.push(c);
        }
    }
    (Some(Token::Text(value)), rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_taken_apart() {
        let word = |text: &str| Token::Word(text.into());
        assert_eq!(
            tokens("formation.kind != 'it\\'s' and 3<=n"),
            [
                word("formation.kind"),
                Token::Sign("!="),
                Token::Text("it's".into()),
                word("and"),
                Token::Number("3".into()),
                Token::Sign("<="),
                word("n"),
            ]
        );
        assert_eq!(tokens("'open"), [Token::Text("open".into())]);
    }

    #[test]
    fn only_the_code_of_a_template_is_looked_at() {
        assert_eq!(inside("it's {{ name }} {% if a %}b"), [" name ", " if a "]);
        assert_eq!(inside("{{ name"), Vec::<&str>::new());
    }

    #[test]
    fn lists_of_texts_are_read() {
        let texts = |text: &str| listed(&tokens(text), 0);
        assert_eq!(texts("['a', 'b']"), ["a", "b"]);
        assert_eq!(texts("['a', b]"), Vec::<String>::new());
    }
}
