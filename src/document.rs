//! TOML documents read as typed values: parsed with places, judged against the JSON Schema of their type, then
//! deserialised. Game definitions and overlays are documents.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::read::csv::EMPTY_FILE;
use crate::read::toml::{Node, NodeValue};
use crate::schema;
use crate::source::{FileId, Files, Span};

/// A typed document and the places of everything in it.
#[derive(Debug, Clone)]
pub struct Document<T> {
    /// What it says.
    pub value: T,
    /// The file.
    pub file: FileId,
    node: Node,
}

impl<T> Document<T> {
    /// The place of the value at a JSON pointer; of the nearest enclosing one where there is none.
    pub fn span(&self, pointer: &str) -> Span {
        let mut pointer = pointer;
        loop {
            if pointer.is_empty() {
                return Span::file_start(self.file);
            }
            if let Some(node) = self.node.at(pointer) {
                return node.span;
            }
            pointer = pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
        }
    }

    /// The tree itself.
    pub fn node(&self) -> &Node {
        &self.node
    }
}

impl<T> std::ops::Deref for Document<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// A document that its schema accepts and its type does not.
pub static UNREADABLE_DOCUMENT: Rule = Rule {
    code: "unreadable-document",
    severity: Severity::Error,
    summary: "a TOML document cannot be read although it fits its schema",
    explanation: "The document fits the JSON Schema of its kind but a value in it cannot be read. The schemas say all that the \
                  types say, so this is a fault of the program: please report it with the document. Until it is mended, \
                  correct the value named in the message.",
};

/// Parses, judges and deserialises a document. All misfits are reported; any makes the result `None`.
pub fn load<T: JsonSchema + DeserializeOwned>(
    files: &Files,
    file: FileId,
    sink: &mut Sink,
) -> Option<Document<T>> {
    load_beside(files, file, &[], sink)
}

/// The same of a document of which `lists` become records, which are looked at further as such.
pub fn load_beside<T: JsonSchema + DeserializeOwned>(
    files: &Files,
    file: FileId,
    lists: &[&str],
    sink: &mut Sink,
) -> Option<Document<T>> {
    let schema = schema::input_schema::<T>();
    let wanted = |key: &str| schema::wanted(&schema, key);
    let node = crate::read::toml::parse_as(files, file, &wanted, sink)?;
    if matches!(&node.value, NodeValue::Table(entries) if entries.is_empty()) {
        sink.push(
            Diagnostic::new(
                &EMPTY_FILE,
                Span::file_start(file),
                format!("`{}` is empty", files.path(file)),
            )
            .help("write what it should say, or delete the file"),
        );
        return None;
    }
    crate::read::toml::hidden(&node, lists, sink);
    let json = node.to_json();
    if !schema::judge_document(&schema, &json, &node, file, sink) {
        return None;
    }
    match serde_json::from_value(json) {
        Ok(value) => Some(Document { value, file, node }),
        Err(error) => {
            sink.push(Diagnostic::new(
                &UNREADABLE_DOCUMENT,
                Span::file_start(file),
                format!("the document cannot be read: {error}"),
            ));
            None
        }
    }
}
