//! OpenDocument's workbooks, as LibreOffice writes them.

use std::collections::HashSet;

use quick_xml::events::BytesStart;

use super::format::plain;
use super::package::{Node, Package, Xml, attribute};
use super::raised;
use super::{
    Budget, Content, MOST_COLUMNS, MOST_ROWS, MOST_SHEETS, MOST_TEXT, Merged, Moment, Problem, Sheet,
    TOO_MANY_CELLS, TOO_MANY_SHEETS,
};

const PART: &str = "content.xml";

/// Reads all worksheets.
pub(super) fn read(package: &mut Package<'_>) -> Result<Vec<Sheet>, Problem> {
    if package.has("META-INF/manifest.xml")
        && package.part("META-INF/manifest.xml")?.contains("encryption-data")
    {
        return Err(Problem::Protected);
    }
    let text = package.part(PART)?;
    let mut reading = Reading {
        xml: Xml::new(&text, PART),
        budget: Budget::new(),
        raised: HashSet::new(),
    };
    let mut sheets = Vec::new();
    let mut hidden: HashSet<String> = HashSet::new();
    let mut style = String::new();
    loop {
        let start = match reading.xml.next()? {
            Node::Open(start) => start,
            Node::End => return Ok(sheets),
            Node::Close | Node::Text(_) => continue,
        };
        match start.name().as_ref() {
            "style:style" => style = attribute(&start, "style:name").unwrap_or_default(),
            "style:table-properties"
                if attribute(&start, "table:display").is_some_and(|display| display == "false") =>
            {
                hidden.insert(style.clone());
            }
            "style:text-properties"
                if attribute(&start, "style:text-position")
                    .is_some_and(|position| position.starts_with("super")) =>
            {
                reading.raised.insert(style.clone());
            }
            "table:table" => {
                let mut sheet = Sheet {
                    name: attribute(&start, "table:name").unwrap_or_default(),
                    hidden: attribute(&start, "table:style-name")
                        .is_some_and(|style| hidden.contains(&style)),
                    ..Sheet::default()
                };
                if sheets.len() == MOST_SHEETS {
                    return Err(TOO_MANY_SHEETS);
                }
                reading.table(&mut sheet)?;
                sheets.push(sheet);
            }
            // Copies of tables in other files, and what cells held before they were changed.
            "table:dde-links" | "table:tracked-changes" => reading.xml.skip()?,
            _ => {}
        }
    }
}

struct Reading<'r> {
    xml: Xml<'r>,
    budget: Budget,
    /// The styles of text that is raised.
    raised: HashSet<String>,
}

impl Reading<'_> {
    /// Reads the table that was just opened.
    fn table(&mut self, sheet: &mut Sheet) -> Result<(), Problem> {
        let outside = self.xml.depth() - 1;
        let (mut row, mut column) = (0, 0);
        while self.xml.depth() > outside {
            let Node::Open(start) = self.xml.next()? else {
                continue;
            };
            match start.name().as_ref() {
                "table:table-column" => {
                    let count = repeated(&start, "table:number-columns-repeated", MOST_COLUMNS);
                    if is_collapsed(&start) {
                        sheet.hidden_columns.push((column, column + count - 1));
                    }
                    column = (column + count).min(MOST_COLUMNS);
                }
                "table:table-row" => {
                    let count = repeated(&start, "table:number-rows-repeated", MOST_ROWS);
                    if is_collapsed(&start) {
                        sheet.hidden_rows.push(row);
                    }
                    let cells = self.row(sheet, row)?;
                    if !cells.is_empty() {
                        for row in row..row.saturating_add(count) {
                            for (first, count, content) in &cells {
                                for column in *first..first.saturating_add(*count) {
                                    self.budget.add(sheet, row, column, content)?;
                                }
                            }
                        }
                    }
                    row = row.saturating_add(count);
                }
                // Rows and columns may be grouped, and the tables are theirs.
                "table:table-rows"
                | "table:table-header-rows"
                | "table:table-row-group"
                | "table:table-columns"
                | "table:table-header-columns"
                | "table:table-column-group" => {}
                _ => self.xml.skip()?,
            }
        }
        Ok(())
    }

    /// The filled cells of the row that was just opened: the first column, how often it is repeated, and what is there.
    fn row(&mut self, sheet: &mut Sheet, row: u32) -> Result<Vec<(u32, u32, Content)>, Problem> {
        let outside = self.xml.depth() - 1;
        let mut cells = Vec::new();
        let mut column: u32 = 0;
        while self.xml.depth() > outside {
            let Node::Open(start) = self.xml.next()? else {
                continue;
            };
            match start.name().as_ref() {
                "table:table-cell" | "table:covered-table-cell" => {
                    let count = repeated(&start, "table:number-columns-repeated", MOST_COLUMNS);
                    let columns = repeated(&start, "table:number-columns-spanned", MOST_COLUMNS);
                    let rows = repeated(&start, "table:number-rows-spanned", MOST_ROWS);
                    if columns > 1 || rows > 1 {
                        let reach = |from: u32, count: u32| from.saturating_add(count.max(1) - 1);
                        sheet.merged.push(Merged {
                            first: (row, column),
                            last: (reach(row, rows), reach(column, columns)),
                        });
                    }
                    if let Some(content) = self.cell(&start)? {
                        cells.push((column, count, content));
                    }
                    column = column.saturating_add(count);
                }
                _ => self.xml.skip()?,
            }
        }
        Ok(cells)
    }

    /// What the cell that was just opened holds, if it is filled.
    fn cell(&mut self, start: &BytesStart<'_>) -> Result<Option<Content>, Problem> {
        let kind = attribute(start, "office:value-type").unwrap_or_default();
        let value = |name| attribute(start, name).unwrap_or_default();
        let is_error = attribute(start, "calcext:value-type").is_some_and(|kind| kind == "error");
        let is_formula = attribute(start, "table:formula").is_some();
        let text = self.paragraphs()?;
        let shown = text.plain().to_owned();
        let content = match kind.as_str() {
            _ if is_error => Content::Error(shown.into()),
            "float" | "percentage" | "currency" => {
                let value = value("office:value");
                let number: f64 = value.trim().parse().map_err(|_| self.xml.damaged())?;
                let plain = plain(number);
                // A format of zeros shows 740 as 0740.
                let padded = shown.starts_with('0')
                    && shown.len() > plain.len()
                    && shown.bytes().all(|byte| byte.is_ascii_digit())
                    && shown.trim_start_matches('0') == plain.trim_start_matches('0');
                Content::Text(if padded { shown } else { plain }.into())
            }
            "date" => date(&value("office:date-value"), &shown),
            "time" => Content::Moment(Box::new(Moment {
                time: clock(&value("office:time-value")),
                date: None,
                shown,
            })),
            "boolean" => Content::Boolean(value("office:boolean-value") == "true"),
            _ if kind.is_empty() && is_formula && shown.is_empty() => Content::Uncalculated,
            _ if text.is_marked() => text.content(),
            _ => Content::Text(attribute(start, "office:string-value").unwrap_or(shown).into()),
        };
        Ok(Some(content).filter(|content| !matches!(content, Content::Text(text) if text.is_empty())))
    }

    /// The text of the cell that was just opened: its paragraphs, a line each. Comments and drawings are not its text.
    fn paragraphs(&mut self) -> Result<raised::Text, Problem> {
        let outside = self.xml.depth() - 1;
        let mut text = raised::Text::default();
        // How deep the stretch lies that is raised.
        let mut raised: Option<usize> = None;
        let mut paragraphs = 0;
        // How deep the paragraph lies that is being read.
        let mut inside = None;
        while self.xml.depth() > outside {
            match self.xml.next()? {
                Node::Open(start) => match start.name().as_ref() {
                    "text:p" => {
                        if paragraphs > 0 {
                            text.push("\n");
                        }
                        paragraphs += 1;
                        inside = Some(self.xml.depth());
                    }
                    "text:s" => {
                        // More blanks than a line has are not there to be read.
                        let count = repeated(&start, "text:c", 1000);
                        text.push(&" ".repeat(count as usize));
                        if text.plain().len() as u64 > MOST_TEXT {
                            return Err(TOO_MANY_CELLS);
                        }
                    }
                    "text:tab" => text.push("\t"),
                    "text:line-break" => text.push("\n"),
                    "text:span" => {
                        let style = attribute(&start, "text:style-name").unwrap_or_default();
                        if raised.is_none() && self.raised.contains(&style) {
                            raised = Some(self.xml.depth());
                            text.raise(true);
                        }
                    }
                    "text:a" => {}
                    _ => self.xml.skip()?,
                },
                Node::Text(part) if inside.is_some() => text.push(&part),
                Node::Text(_) => {}
                Node::Close => {
                    inside = inside.filter(|depth| self.xml.depth() >= *depth);
                    if raised.is_some_and(|depth| self.xml.depth() < depth) {
                        raised = None;
                        text.raise(false);
                    }
                }
                Node::End => break,
            }
        }
        Ok(text)
    }
}

/// How often the element counts, at most.
fn repeated(start: &BytesStart<'_>, name: &str, most: u32) -> u32 {
    let count = attribute(start, name).and_then(|count| count.trim().parse().ok());
    count.unwrap_or(1).clamp(1, most)
}

fn is_collapsed(start: &BytesStart<'_>) -> bool {
    attribute(start, "table:visibility").is_some_and(|visibility| visibility != "visible")
}

/// A date that is written as `1863-07-01` or `1863-07-01T07:40:00`.
pub(super) fn date(value: &str, shown: &str) -> Content {
    let (day, time) = value.split_once('T').unwrap_or((value, ""));
    let at_midnight = time.bytes().all(|byte| matches!(byte, b'0' | b':' | b'.' | b'Z'));
    Content::Moment(Box::new(Moment {
        shown: if shown.is_empty() { value } else { shown }.to_owned(),
        date: (at_midnight && !day.is_empty()).then(|| day.to_owned()),
        time: None,
    }))
}

/// The time of day of a duration that is written as `PT07H40M00S`, if it has whole minutes.
fn clock(value: &str) -> Option<String> {
    let (hours, rest) = value.strip_prefix("PT")?.split_once('H')?;
    let (minutes, seconds) = rest.split_once('M')?;
    let seconds = seconds.strip_suffix('S')?;
    let (hours, minutes): (u32, u32) = (hours.parse().ok()?, minutes.parse().ok()?);
    let whole = seconds.bytes().all(|byte| matches!(byte, b'0' | b'.' | b','));
    let of_day = minutes < 60 && (hours < 24 || (hours, minutes) == (24, 0));
    (whole && of_day).then(|| format!("{hours:02}{minutes:02}"))
}
