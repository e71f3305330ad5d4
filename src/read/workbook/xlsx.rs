//! Excel's workbooks (Office Open XML).

use std::collections::HashMap;
use std::rc::Rc;

use quick_xml::events::BytesStart;

use super::format::{self, Format};
use super::package::{Node, Package, Xml, attribute};
use super::raised;
use super::{
    Budget, Content, MOST_CELLS, MOST_COLUMNS, MOST_SHEETS, Merged, Problem, Sheet, TOO_MANY_CELLS,
    TOO_MANY_SHEETS,
};

/// Number formats of a workbook's own; Excel itself stops at some 250.
const MOST_FORMATS: usize = 4096;

/// Reads all worksheets.
pub(super) fn read(package: &mut Package<'_>) -> Result<Vec<Sheet>, Problem> {
    let workbook = start_part(package)?;
    let (tabs, since_1904) = tabs(package, &workbook)?;
    let relations = relations(package, &workbook)?;
    let of_kind = |kind: &str| {
        let found = relations.values().find(|relation| relation.kind == kind);
        found.map(|relation| relation.target.clone())
    };
    let strings = match of_kind("sharedStrings") {
        Some(part) if package.has(&part) => strings(package, &part)?,
        _ => Vec::new(),
    };
    let formats = match of_kind("styles") {
        Some(part) if package.has(&part) => formats(package, &part)?,
        _ => Vec::new(),
    };
    let mut budget = Budget::new();
    let mut sheets = Vec::new();
    for tab in tabs {
        // Charts and macros have tabs too.
        let Some(relation) = relations
            .get(&tab.relation)
            .filter(|relation| relation.kind == "worksheet")
        else {
            continue;
        };
        let mut sheet = Sheet {
            name: tab.name,
            hidden: tab.hidden,
            ..Sheet::default()
        };
        let text = package.part(&relation.target)?;
        Reading {
            xml: Xml::new(&text, &relation.target),
            strings: &strings,
            formats: &formats,
            since_1904,
            budget: &mut budget,
        }
        .sheet(&mut sheet)?;
        sheets.push(sheet);
    }
    Ok(sheets)
}

/// A part that another part names.
struct Relation {
    /// The last word of its kind's address.
    kind: String,
    target: String,
}

/// The part that says which worksheets there are.
fn start_part(package: &mut Package<'_>) -> Result<String, Problem> {
    if package.has("_rels/.rels") {
        let text = package.part("_rels/.rels")?;
        let all = related(&text, "_rels/.rels", "")?;
        if let Some(found) = all
            .into_values()
            .find(|relation| relation.kind == "officeDocument")
        {
            return Ok(found.target);
        }
    }
    Ok("xl/workbook.xml".into())
}

fn relations(package: &mut Package<'_>, of: &str) -> Result<HashMap<String, Relation>, Problem> {
    let (folder, name) = of.rsplit_once('/').unwrap_or(("", of));
    let separator = if folder.is_empty() { "" } else { "/" };
    let part = format!("{folder}{separator}_rels/{name}.rels");
    let text = package.part(&part)?;
    related(&text, &part, folder)
}

/// The relations of a part in a folder, by their ids.
fn related(text: &str, part: &str, folder: &str) -> Result<HashMap<String, Relation>, Problem> {
    let mut xml = Xml::new(text, part);
    let mut all = HashMap::new();
    loop {
        match xml.next()? {
            Node::Open(start) if start.local_name().as_ref() == "Relationship" => {
                let value = |name| attribute(&start, name).unwrap_or_default();
                let (id, kind, target) = (value("Id"), value("Type"), value("Target"));
                let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
                let target = resolve(folder, &target);
                // Charts and macros have some too.
                if all.len() == 2 * MOST_SHEETS {
                    return Err(TOO_MANY_SHEETS);
                }
                all.insert(id, Relation { kind, target });
            }
            Node::End => return Ok(all),
            _ => {}
        }
    }
}

/// The part that a target means, seen from a folder.
fn resolve(folder: &str, target: &str) -> String {
    if let Some(absolute) = target.strip_prefix('/') {
        return absolute.to_owned();
    }
    let mut path: Vec<&str> = folder.split('/').filter(|name| !name.is_empty()).collect();
    for name in target.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                path.pop();
            }
            name => path.push(name),
        }
    }
    path.join("/")
}

struct Tab {
    name: String,
    relation: String,
    hidden: bool,
}

/// The tabs in their order, and whether days are counted from 1904.
fn tabs(package: &mut Package<'_>, part: &str) -> Result<(Vec<Tab>, bool), Problem> {
    let text = package.part(part)?;
    let mut xml = Xml::new(&text, part);
    let mut tabs = Vec::new();
    let mut since_1904 = false;
    loop {
        match xml.next()? {
            Node::Open(start) => match start.local_name().as_ref() {
                "workbookPr" => since_1904 = is_true(&start, "date1904"),
                "sheet" if tabs.len() == MOST_SHEETS => return Err(TOO_MANY_SHEETS),
                "sheet" => tabs.push(Tab {
                    name: attribute(&start, "name").unwrap_or_default(),
                    // Its own `id` is called `sheetId`; this one has a prefix.
                    relation: attribute(&start, "id").unwrap_or_default(),
                    hidden: attribute(&start, "state").is_some_and(|state| state != "visible"),
                }),
                _ => {}
            },
            Node::End => return Ok((tabs, since_1904)),
            _ => {}
        }
    }
}

/// The texts that cells refer to by number.
fn strings(package: &mut Package<'_>, part: &str) -> Result<Vec<Content>, Problem> {
    let text = package.part(part)?;
    let mut xml = Xml::new(&text, part);
    let mut strings: Vec<Content> = Vec::new();
    loop {
        match xml.next()? {
            Node::Open(start) if start.local_name().as_ref() == "si" => {
                if strings.len() as u64 == MOST_CELLS {
                    return Err(TOO_MANY_CELLS);
                }
                strings.push(rich_text(&mut xml)?);
            }
            Node::End => return Ok(strings),
            _ => {}
        }
    }
}

/// The text up to the end of the element that was just opened, from all its runs, without readings for pronunciation.
fn rich_text(xml: &mut Xml<'_>) -> Result<Content, Problem> {
    let outside = xml.depth() - 1;
    let mut text = raised::Text::default();
    while xml.depth() > outside {
        if let Node::Open(start) = xml.next()? {
            match start.local_name().as_ref() {
                "t" => text.push(&unescaped(xml.text()?)),
                "r" => text.raise(false),
                "vertAlign" => {
                    text.raise(attribute(&start, "val").is_some_and(|value| value == "superscript"))
                }
                "rPh" => xml.skip()?,
                _ => {}
            }
        }
    }
    Ok(text.content())
}

/// The formats of cells by their number.
fn formats(package: &mut Package<'_>, part: &str) -> Result<Vec<Rc<Format>>, Problem> {
    let text = package.part(part)?;
    let mut xml = Xml::new(&text, part);
    let mut own: HashMap<u32, String> = HashMap::new();
    let mut ids: Vec<u32> = Vec::new();
    let mut in_cells = false;
    loop {
        match xml.next()? {
            Node::Open(start) => match start.local_name().as_ref() {
                "numFmt" => {
                    if let (Some(id), Some(code)) =
                        (number(&start, "numFmtId"), attribute(&start, "formatCode"))
                        && own.len() < MOST_FORMATS
                    {
                        own.insert(id, code);
                    }
                }
                "cellXfs" => in_cells = true,
                "cellStyleXfs" | "cellStyles" | "dxfs" => in_cells = false,
                "xf" if in_cells => ids.push(number(&start, "numFmtId").unwrap_or(0)),
                _ => {}
            },
            Node::End => break,
            Node::Close | Node::Text(_) => {}
        }
    }
    // Thousands of cell formats share a few number formats.
    let mut parsed: HashMap<u32, Rc<Format>> = HashMap::new();
    let mut format = |id: &u32| {
        let parse = || {
            Rc::new(
                own.get(id)
                    .map(String::as_str)
                    .or(format::built_in(*id))
                    .map_or(Format::Plain, Format::parse),
            )
        };
        Rc::clone(parsed.entry(*id).or_insert_with(parse))
    };
    Ok(ids.iter().map(&mut format).collect())
}

/// A worksheet being read.
struct Reading<'r> {
    xml: Xml<'r>,
    strings: &'r [Content],
    formats: &'r [Rc<Format>],
    since_1904: bool,
    budget: &'r mut Budget,
}

impl Reading<'_> {
    fn sheet(&mut self, sheet: &mut Sheet) -> Result<(), Problem> {
        let (mut next_row, mut next_column) = (0, 0);
        loop {
            let start = match self.xml.next()? {
                Node::Open(start) => start,
                Node::End => return Ok(()),
                Node::Close | Node::Text(_) => continue,
            };
            match start.local_name().as_ref() {
                "col" if is_true(&start, "hidden") => {
                    let first = number(&start, "min").unwrap_or(1).clamp(1, MOST_COLUMNS);
                    let last = number(&start, "max").unwrap_or(first).min(MOST_COLUMNS);
                    sheet.hidden_columns.push((first - 1, last.max(first) - 1));
                }
                "row" => {
                    let row = number(&start, "r").and_then(|row| row.checked_sub(1));
                    let row = row.unwrap_or(next_row);
                    next_row = row.saturating_add(1);
                    next_column = 0;
                    if is_true(&start, "hidden") {
                        sheet.hidden_rows.push(row);
                    }
                }
                "c" => {
                    let place = match attribute(&start, "r") {
                        Some(address) => place(&address).ok_or_else(|| self.xml.damaged())?,
                        None => (next_row.saturating_sub(1), next_column),
                    };
                    next_column = place.1 + 1;
                    if let Some(content) = self.cell(&start)? {
                        self.budget.add(sheet, place.0, place.1, &content)?;
                    }
                }
                "mergeCell" => {
                    let area = attribute(&start, "ref").unwrap_or_default();
                    if let Some((first, last)) = area.split_once(':')
                        && let (Some(first), Some(last)) = (place(first), place(last))
                    {
                        // Whichever corners the file names.
                        sheet.merged.push(Merged {
                            first: (first.0.min(last.0), first.1.min(last.1)),
                            last: (first.0.max(last.0), first.1.max(last.1)),
                        });
                    }
                }
                _ => {}
            }
        }
    }

    /// What the cell that was just opened holds, if it is filled.
    fn cell(&mut self, start: &BytesStart<'_>) -> Result<Option<Content>, Problem> {
        let kind = attribute(start, "t").unwrap_or_default();
        let style = number(start, "s").unwrap_or(0);
        let outside = self.xml.depth() - 1;
        let (mut value, mut inline, mut formula) = (None, None, false);
        while self.xml.depth() > outside {
            if let Node::Open(part) = self.xml.next()? {
                match part.local_name().as_ref() {
                    "v" => value = Some(self.xml.text()?),
                    "is" => inline = Some(rich_text(&mut self.xml)?),
                    "f" => {
                        formula = true;
                        self.xml.skip()?;
                    }
                    _ => self.xml.skip()?,
                }
            }
        }
        let is_empty = |content: &Content| matches!(content, Content::Text(text) if text.is_empty());
        if let Some(content) = inline.filter(|content| !is_empty(content)) {
            return Ok(Some(content));
        }
        let Some(value) = value.filter(|value| !value.is_empty() || kind == "str") else {
            return Ok(formula.then_some(Content::Uncalculated));
        };
        Ok(Some(match kind.as_str() {
            "s" => {
                let text = value
                    .trim()
                    .parse()
                    .ok()
                    .and_then(|index: usize| self.strings.get(index));
                text.ok_or_else(|| self.xml.damaged())?.clone()
            }
            "str" => Content::Text(unescaped(value).into()),
            // The text stands elsewhere, and there was none.
            "inlineStr" => return Ok(None),
            "b" => Content::Boolean(!matches!(value.trim(), "0" | "false")),
            "e" => Content::Error(value.into()),
            "d" => super::ods::date(&value, &value),
            _ => match value.trim().parse::<f64>() {
                Ok(number) => {
                    let format = self
                        .formats
                        .get(style as usize)
                        .map_or(&Format::Plain, |format| format);
                    format.apply(number, self.since_1904)
                }
                Err(_) => return Err(self.xml.damaged()),
            },
        })
        .filter(|content| !is_empty(content)))
    }
}

/// Row and column of an address such as `D17`, from 0.
fn place(address: &str) -> Option<(u32, u32)> {
    let address = address.replace('$', "");
    let letters = address.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (letters, row) = address.split_at(letters);
    if letters.is_empty() || letters.len() > 3 {
        return None;
    }
    let column = letters.bytes().fold(0, |column, letter| {
        column * 26 + u32::from(letter.to_ascii_uppercase() - b'A') + 1
    });
    Some((row.parse::<u32>().ok()?.checked_sub(1)?, column - 1))
}

fn number(start: &BytesStart<'_>, name: &str) -> Option<u32> {
    attribute(start, name)?.trim().parse().ok()
}

fn is_true(start: &BytesStart<'_>, name: &str) -> bool {
    attribute(start, name).is_some_and(|value| value == "1" || value == "true")
}

/// Text with the characters that XML cannot hold, which Excel writes as `_x000D_`.
fn unescaped(text: String) -> String {
    if !text.contains("_x") {
        return text;
    }
    let mut units: Vec<u16> = Vec::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("_x") {
        units.extend(rest[..at].encode_utf16());
        rest = &rest[at..];
        let code = rest
            .get(2..6)
            .filter(|code| rest[6..].starts_with('_') && code.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .and_then(|code| u16::from_str_radix(code, 16).ok());
        let width = match code {
            Some(code) => {
                units.push(code);
                7
            }
            None => {
                units.extend("_x".encode_utf16());
                2
            }
        };
        rest = &rest[width..];
    }
    units.extend(rest.encode_utf16());
    String::from_utf16_lossy(&units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_places() {
        assert_eq!(place("A1"), Some((0, 0)));
        assert_eq!(place("$D$17"), Some((16, 3)));
        assert_eq!(place("XFD1048576"), Some((1_048_575, 16_383)));
        for bad in ["", "17", "D", "D0", "ABCD1", "D-1", "Ä1"] {
            assert_eq!(place(bad), None, "{bad}");
        }
    }

    #[test]
    fn escaped_characters_come_back() {
        assert_eq!(unescaped("a_x000A_b".into()), "a\nb");
        assert_eq!(unescaped("_x005F_x000A_".into()), "_x000A_");
        assert_eq!(unescaped("fox_x".into()), "fox_x");
        assert_eq!(unescaped("_xD83D__xDE00_".into()), "😀");
        assert_eq!(unescaped("_xé00é_".into()), "_xé00é_");
    }

    #[test]
    fn targets_are_found_from_their_folder() {
        assert_eq!(resolve("xl", "worksheets/sheet1.xml"), "xl/worksheets/sheet1.xml");
        assert_eq!(resolve("xl", "/xl/styles.xml"), "xl/styles.xml");
        assert_eq!(resolve("xl/a", "../b.xml"), "xl/b.xml");
    }
}
