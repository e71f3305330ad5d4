//! The archive that a workbook is, and the XML of its parts: bounded, and never trusted.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{Cursor, Read};

use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;
use zip::result::ZipError;

use super::{MOST_UNPACKED, Problem};

/// A workbook's archive.
pub(super) struct Package<'b> {
    archive: ZipArchive<Cursor<&'b [u8]>>,
    /// Parts by their names in lower case: some programs write them in other case, or with backslashes.
    parts: HashMap<String, usize>,
    left: u64,
}

impl<'b> Package<'b> {
    pub(super) fn open(bytes: &'b [u8]) -> Result<Self, Problem> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| {
            Problem::Damaged(
                "the archive that a workbook is has no end: the file was cut off or overwritten".into(),
            )
        })?;
        let mut parts = HashMap::new();
        for index in 0..archive.len() {
            if let Some(Ok(name)) = archive.name_for_index(index) {
                parts.entry(folded(&name)).or_insert(index);
            }
        }
        Ok(Package {
            archive,
            parts,
            left: MOST_UNPACKED,
        })
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.parts.contains_key(&folded(name))
    }

    /// The text of a part that must be there.
    pub(super) fn part(&mut self, name: &str) -> Result<String, Problem> {
        let Some(index) = self.parts.get(&folded(name)) else {
            return Err(Problem::Damaged(format!(
                "the workbook's part `{name}` is missing"
            )));
        };
        let damaged = |what: &str| Problem::Damaged(format!("the workbook's part `{name}` {what}"));
        let part = self.archive.by_index(*index).map_err(|error| match error {
            ZipError::UnsupportedArchive(_) => Problem::Protected,
            _ => damaged("cannot be unpacked"),
        })?;
        let mut bytes = Vec::new();
        part.take(self.left + 1)
            .read_to_end(&mut bytes)
            .map_err(|_| damaged("cannot be unpacked"))?;
        self.left = self
            .left
            .checked_sub(bytes.len() as u64)
            .ok_or(Problem::TooLarge("it unpacks to more than 256 MiB"))?;
        String::from_utf8(bytes).map_err(|_| damaged("is not UTF-8"))
    }
}

fn folded(name: &str) -> String {
    name.trim_start_matches('/')
        .replace('\\', "/")
        .to_ascii_lowercase()
}

/// What stands next in a part.
pub(super) enum Node<'t> {
    /// An element begins.
    Open(BytesStart<'t>),
    /// The element that began last ends.
    Close,
    /// Text, references resolved.
    Text(Cow<'t, str>),
    /// The part ends, all its elements having ended.
    End,
}

/// The XML of a part.
pub(super) struct Xml<'t> {
    reader: Reader<&'t [u8]>,
    part: &'t str,
    depth: usize,
}

impl<'t> Xml<'t> {
    pub(super) fn new(text: &'t str, part: &'t str) -> Self {
        let mut reader = Reader::from_str(text.strip_prefix('\u{feff}').unwrap_or(text));
        reader.config_mut().expand_empty_elements = true;
        Xml {
            reader,
            part,
            depth: 0,
        }
    }

    /// How many elements are open.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    pub(super) fn next(&mut self) -> Result<Node<'t>, Problem> {
        loop {
            return Ok(match self.reader.read_event().map_err(|_| self.damaged())? {
                Event::Start(start) => {
                    self.depth += 1;
                    Node::Open(start)
                }
                Event::End(_) => {
                    self.depth = self.depth.saturating_sub(1);
                    Node::Close
                }
                Event::Text(text) => Node::Text(text.xml10_content()),
                Event::CData(text) => Node::Text(text.xml10_content()),
                Event::GeneralRef(reference) => {
                    let found = match reference.resolve_char_ref().map_err(|_| self.damaged())? {
                        Some(c) => c.to_string(),
                        // Entities of the file's own are how a small file becomes a large one.
                        None => resolve_predefined_entity(&reference)
                            .ok_or_else(|| self.damaged())?
                            .to_owned(),
                    };
                    Node::Text(found.into())
                }
                Event::Eof if self.depth > 0 => return Err(self.damaged()),
                Event::Eof => Node::End,
                _ => continue,
            });
        }
    }

    /// Goes past the end of the element that was just opened.
    pub(super) fn skip(&mut self) -> Result<(), Problem> {
        let outside = self.depth.saturating_sub(1);
        while self.depth > outside {
            self.next()?;
        }
        Ok(())
    }

    /// All text up to the end of the element that was just opened.
    pub(super) fn text(&mut self) -> Result<String, Problem> {
        let outside = self.depth.saturating_sub(1);
        let mut all = String::new();
        while self.depth > outside {
            if let Node::Text(text) = self.next()? {
                all.push_str(&text);
            }
        }
        Ok(all)
    }

    pub(super) fn damaged(&self) -> Problem {
        Problem::Damaged(format!("the workbook's part `{}` is damaged", self.part))
    }
}

/// The value of an attribute by its name; without a prefix any prefix will do.
pub(super) fn attribute(start: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = start.attributes().flatten().find(|attribute| {
        if name.contains(':') {
            attribute.key.as_ref() == name
        } else {
            attribute.key.local_name().as_ref() == name
        }
    })?;
    let value = found.normalized_value(quick_xml::XmlVersion::Implicit1_0).ok()?;
    Some(value.into_owned())
}
