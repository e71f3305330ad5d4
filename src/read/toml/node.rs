//! The tree of a document, every key and value with its place.

use std::borrow::Cow;

use crate::record;
use crate::source::Span;

/// A value of a TOML document, with its place: of a table under a header, the header.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// The value.
    pub value: NodeValue,
    /// Where it stands.
    pub span: Span,
}

/// What a TOML document can hold.
#[derive(Clone, PartialEq, Debug)]
pub enum NodeValue {
    /// Text.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// Any other number; it is finite.
    Number(f64),
    /// True or false.
    Boolean(bool),
    /// A date, a time or both, as written.
    Date(String),
    /// Several values.
    List(Vec<Node>),
    /// Named values, in source order.
    Table(Vec<Entry>),
}

/// A named value of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The name.
    pub key: String,
    /// Where the name stands; if in several headers, then in its own or else in the first.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

impl Node {
    /// The document as JSON. Dates become texts.
    pub fn to_json(&self) -> serde_json::Value {
        match &self.value {
            NodeValue::Text(text) | NodeValue::Date(text) => text.as_str().into(),
            NodeValue::Integer(number) => (*number).into(),
            NodeValue::Number(number) => (*number).into(),
            NodeValue::Boolean(yes) => (*yes).into(),
            NodeValue::List(items) => items.iter().map(Node::to_json).collect(),
            NodeValue::Table(entries) => entries
                .iter()
                .map(|entry| (entry.key.clone(), entry.value.to_json()))
                .collect(),
        }
    }

    /// The value as records hold it. Dates become texts.
    pub fn to_value(&self) -> record::Value {
        match &self.value {
            NodeValue::Text(text) | NodeValue::Date(text) => record::Value::Text(text.as_str().into()),
            NodeValue::Integer(number) => record::Value::Integer(*number),
            NodeValue::Number(number) => record::Value::Number(*number),
            NodeValue::Boolean(yes) => record::Value::Boolean(*yes),
            NodeValue::List(items) => record::Value::List(items.iter().map(Node::to_value).collect()),
            NodeValue::Table(entries) => record::Value::Table(
                entries
                    .iter()
                    .map(|entry| (entry.key.clone(), entry.value.to_value()))
                    .collect(),
            ),
        }
    }

    /// The value of a key, if this is a table that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The value at a JSON pointer.
    pub fn at(&self, json_pointer: &str) -> Option<&Node> {
        if json_pointer.is_empty() {
            return Some(self);
        }
        json_pointer
            .strip_prefix('/')?
            .split('/')
            .try_fold(self, |node, step| node.step(step))
    }

    /// The place of the key at a JSON pointer, if what holds it is a table.
    pub fn key_span(&self, json_pointer: &str) -> Option<Span> {
        let (parent, step) = json_pointer.rsplit_once('/')?;
        self.at(parent)?
            .entry(&unescaped(step))
            .map(|entry| entry.key_span)
    }

    fn entry(&self, key: &str) -> Option<&Entry> {
        match &self.value {
            NodeValue::Table(entries) => entries.iter().find(|entry| entry.key == key),
            _ => None,
        }
    }

    fn step(&self, step: &str) -> Option<&Node> {
        match &self.value {
            NodeValue::List(items) => items.get(step.parse::<usize>().ok()?),
            _ => self.get(&unescaped(step)),
        }
    }
}

/// A step of a JSON pointer as the key that it stands for.
fn unescaped(step: &str) -> Cow<'_, str> {
    if step.contains('~') {
        step.replace("~1", "/").replace("~0", "~").into()
    } else {
        step.into()
    }
}
