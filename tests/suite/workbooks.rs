//! Small workbooks for tests: the same tables as `.xlsx` and as `.ods`, zipped here, as a spreadsheet would write them.

use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A kind of workbook.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Xlsx,
    Ods,
}

pub const KINDS: [Kind; 2] = [Kind::Xlsx, Kind::Ods];

impl Kind {
    pub fn extension(self) -> &'static str {
        match self {
            Kind::Xlsx => "xlsx",
            Kind::Ods => "ods",
        }
    }
}

/// What a cell holds.
#[derive(Clone, Debug)]
pub enum Cell {
    Empty,
    Text(String),
    Number(f64),
    /// 1 January 2026, which is what `1/1` becomes.
    NewYear,
    /// A date: its days since the end of 1899, and the date.
    Date(f64, &'static str),
    /// A time of day on a whole minute.
    Time(u32, u32),
    Boolean(bool),
    Error,
    /// A formula with the result that is stored with it, if one is.
    Formula(Option<f64>),
}

pub fn text(text: &str) -> Cell {
    Cell::Text(text.into())
}

/// A worksheet.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    pub name: String,
    pub rows: Vec<Vec<Cell>>,
    /// Rows that are hidden, from 0.
    pub hidden: Vec<usize>,
    /// First row and column and how many rows are one cell.
    pub merged: Option<(usize, usize, usize)>,
}

impl Sheet {
    /// A worksheet of a CSV text: what reads as a number is one, as if it had been typed.
    pub fn of_csv(name: &str, csv: &str) -> Self {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(csv.as_bytes());
        let cell = |value: &str| match value.parse::<f64>() {
            Ok(number) if number.to_string() == value => Cell::Number(number),
            _ if value.is_empty() => Cell::Empty,
            _ => text(value),
        };
        let rows = reader
            .records()
            .map(|row| row.expect("a row").iter().map(cell).collect());
        Sheet {
            name: name.into(),
            rows: rows.collect(),
            ..Sheet::default()
        }
    }

    /// The same with another cell at an address such as `D17`.
    pub fn with(mut self, address: &str, cell: Cell) -> Self {
        let (letter, row) = address.split_at(1);
        let column = usize::from(letter.as_bytes()[0] - b'A');
        let row = row.parse::<usize>().expect("a row") - 1;
        while self.rows.len() <= row {
            self.rows.push(Vec::new());
        }
        while self.rows[row].len() <= column {
            self.rows[row].push(Cell::Empty);
        }
        self.rows[row][column] = cell;
        self
    }
}

/// Writes a workbook.
pub fn write(root: &Path, path: &str, kind: Kind, sheets: &[Sheet]) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, bytes(kind, sheets)).expect("written");
}

/// Moves the CSV files of a folder to the worksheets of a workbook in it.
pub fn gather(root: &Path, folder: &str, kind: Kind) {
    let mut sheets = Vec::new();
    let mut names: Vec<_> = fs::read_dir(root.join(folder))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "csv"))
        .collect();
    names.sort();
    for path in names {
        let name = path.file_stem().expect("a name").to_string_lossy();
        sheets.push(Sheet::of_csv(&name, &fs::read_to_string(&path).expect("text")));
        fs::remove_file(path).expect("removed");
    }
    write(
        root,
        &format!("{folder}/book.{}", kind.extension()),
        kind,
        &sheets,
    );
}

pub fn bytes(kind: Kind, sheets: &[Sheet]) -> Vec<u8> {
    match kind {
        Kind::Xlsx => xlsx(sheets),
        Kind::Ods => ods(sheets),
    }
}

/// An archive of parts.
pub fn zipped(parts: &[(&str, String)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        archive
            .start_file(*name, SimpleFileOptions::default())
            .expect("a part");
        archive.write_all(text.as_bytes()).expect("written");
    }
    archive.finish().expect("an archive").into_inner()
}

const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

fn xlsx(sheets: &[Sheet]) -> Vec<u8> {
    let main = "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" \
                xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"";
    let kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let relations = "xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"";
    let (mut tabs, mut related) = (String::new(), String::new());
    for (number, sheet) in (1..).zip(sheets) {
        tabs += &format!(
            "<sheet name=\"{}\" sheetId=\"{number}\" r:id=\"rId{number}\"/>",
            escape(&sheet.name)
        );
        related += &format!(
            "<Relationship Id=\"rId{number}\" Type=\"{kind}/worksheet\" Target=\"worksheets/sheet{number}.xml\"/>"
        );
    }
    related += &format!("<Relationship Id=\"rIdS\" Type=\"{kind}/styles\" Target=\"styles.xml\"/>");
    related += &format!(
        "<Relationship Id=\"rIdT\" Type=\"{kind}/sharedStrings\" Target=\"/xl/sharedStrings.xml\"/>"
    );
    // Every second text is shared, so that both ways of writing texts are read.
    let mut shared = Vec::new();
    let pages: Vec<String> = sheets
        .iter()
        .map(|sheet| xlsx_sheet(sheet, main, &mut shared))
        .collect();
    let strings: String = shared
        .iter()
        .map(|text: &String| format!("<si><t xml:space=\"preserve\">{}</t></si>", escape(text)))
        .collect();
    let names: Vec<String> = (1..=pages.len())
        .map(|number| format!("xl/worksheets/sheet{number}.xml"))
        .collect();
    let mut parts = vec![
        ("[Content_Types].xml", format!("{XML}<Types/>")),
        (
            "_rels/.rels",
            format!(
                "{XML}<Relationships {relations}><Relationship Id=\"rId1\" Type=\"{kind}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
            ),
        ),
        (
            "xl/workbook.xml",
            format!("{XML}<workbook {main}><sheets>{tabs}</sheets></workbook>"),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            format!("{XML}<Relationships {relations}>{related}</Relationships>"),
        ),
        (
            "xl/styles.xml",
            format!(
                "{XML}<styleSheet {main}><numFmts count=\"1\"><numFmt numFmtId=\"164\" formatCode=\"hh:mm;@\"/></numFmts>\
                 <cellStyleXfs><xf numFmtId=\"14\"/></cellStyleXfs><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"16\"/>\
                 <xf numFmtId=\"164\"/></cellXfs></styleSheet>"
            ),
        ),
        (
            "xl/sharedStrings.xml",
            format!("{XML}<sst {main}>{strings}</sst>"),
        ),
    ];
    parts.extend(names.iter().map(String::as_str).zip(pages));
    zipped(&parts)
}

fn xlsx_sheet(sheet: &Sheet, main: &str, shared: &mut Vec<String>) -> String {
    let mut rows = String::new();
    for (number, row) in sheet.rows.iter().enumerate() {
        let mut cells = String::new();
        for (column, cell) in row.iter().enumerate() {
            let address = format!("{}{}", char::from(b'A' + column as u8), number + 1);
            let head = format!("<c r=\"{address}\"");
            cells += &match cell {
                // A cell that has a style is written even if it is empty.
                Cell::Empty => format!("{head} s=\"1\"/>"),
                Cell::Text(text) if column % 2 == 0 => {
                    shared.push(text.clone());
                    format!("{head} t=\"s\"><v>{}</v></c>", shared.len() - 1)
                }
                Cell::Text(text) => format!("{head} t=\"inlineStr\"><is><t>{}</t></is></c>", escape(text)),
                Cell::Number(number) => format!("{head}><v>{number}</v></c>"),
                Cell::NewYear => format!("{head} s=\"1\"><v>46023</v></c>"),
                Cell::Date(days, _) => format!("{head} s=\"1\"><v>{days}</v></c>"),
                Cell::Time(hours, minutes) => {
                    let days = f64::from(hours * 60 + minutes) / 1440.0;
                    format!("{head} s=\"2\"><v>{days}</v></c>")
                }
                Cell::Boolean(value) => format!("{head} t=\"b\"><v>{}</v></c>", u8::from(*value)),
                Cell::Error => format!("{head} t=\"e\"><f>D1</f><v>#REF!</v></c>"),
                Cell::Formula(Some(value)) => format!("{head}><f>2+2</f><v>{value}</v></c>"),
                Cell::Formula(None) => format!("{head}><f>2+2</f></c>"),
            };
        }
        // Spreadsheets leave out empty rows.
        if !row.is_empty() {
            let hidden = if sheet.hidden.contains(&number) {
                " hidden=\"1\""
            } else {
                ""
            };
            rows += &format!("<row r=\"{}\"{hidden}>{cells}</row>", number + 1);
        }
    }
    let merged = sheet.merged.map_or(String::new(), |(row, column, count)| {
        let letter = char::from(b'A' + column as u8);
        format!(
            "<mergeCells><mergeCell ref=\"{letter}{}:{letter}{}\"/></mergeCells>",
            row + 1,
            row + count
        )
    });
    format!("{XML}<worksheet {main}><dimension ref=\"A1\"/><sheetData>{rows}</sheetData>{merged}</worksheet>")
}

fn ods(sheets: &[Sheet]) -> Vec<u8> {
    let mut tables = String::new();
    for sheet in sheets {
        let mut rows = String::new();
        for (number, row) in sheet.rows.iter().enumerate() {
            let mut cells = String::new();
            for (column, cell) in row.iter().enumerate() {
                let span = match sheet.merged {
                    Some((first, at, count)) if (first, at) == (number, column) => {
                        format!(" table:number-rows-spanned=\"{count}\" table:number-columns-spanned=\"1\"")
                    }
                    _ => String::new(),
                };
                cells += &ods_cell(cell, &span);
            }
            let hidden = if sheet.hidden.contains(&number) {
                " table:visibility=\"filter\""
            } else {
                ""
            };
            // Behind the last cell there are as many empty ones as fit.
            cells += "<table:table-cell table:number-columns-repeated=\"1000\"/>";
            rows += &format!("<table:table-row{hidden}>{cells}</table:table-row>");
        }
        rows += "<table:table-row table:number-rows-repeated=\"1048000\"><table:table-cell \
                 table:number-columns-repeated=\"1024\"/></table:table-row>";
        tables += &format!(
            "<table:table table:name=\"{}\"><table:table-column table:number-columns-repeated=\"1024\"/>{rows}</table:table>",
            escape(&sheet.name)
        );
    }
    let spaces = ["office", "table", "text", "style", "calcext"]
        .map(|name| format!("xmlns:{name}=\"urn:{name}\""))
        .join(" ");
    let content = format!(
        "{XML}<office:document-content {spaces}><office:body><office:spreadsheet>{tables}</office:spreadsheet>\
         </office:body></office:document-content>"
    );
    zipped(&[
        (
            "mimetype",
            "application/vnd.oasis.opendocument.spreadsheet".into(),
        ),
        ("META-INF/manifest.xml", format!("{XML}<manifest/>")),
        ("content.xml", content),
    ])
}

fn ods_cell(cell: &Cell, span: &str) -> String {
    let typed = |kind: &str, attributes: String, shown: &str| {
        format!(
            "<table:table-cell{span} office:value-type=\"{kind}\" {attributes}><text:p>{}</text:p></table:table-cell>",
            escape(shown)
        )
    };
    match cell {
        Cell::Empty => format!("<table:table-cell{span}/>"),
        Cell::Text(text) => {
            // Blanks in a row are an element of their own.
            let text = escape(text).replace("  ", " <text:s/>");
            format!(
                "<table:table-cell{span} office:value-type=\"string\"><office:annotation><text:p>a comment</text:p>\
                 </office:annotation><text:p>{}</text:p></table:table-cell>",
                text.replace('\n', "</text:p><text:p>")
            )
        }
        Cell::Number(number) => typed("float", format!("office:value=\"{number}\""), &number.to_string()),
        Cell::NewYear => typed("date", "office:date-value=\"2026-01-01\"".into(), "1-Jan"),
        Cell::Date(_, date) => typed("date", format!("office:date-value=\"{date}\""), date),
        Cell::Time(hours, minutes) => typed(
            "time",
            format!("office:time-value=\"PT{hours:02}H{minutes:02}M00S\""),
            &format!("{hours:02}:{minutes:02}"),
        ),
        Cell::Boolean(value) => typed(
            "boolean",
            format!("office:boolean-value=\"{value}\""),
            if *value { "TRUE" } else { "FALSE" },
        ),
        Cell::Error => typed(
            "string",
            "table:formula=\"of:=[.D1]\" office:string-value=\"\" calcext:value-type=\"error\"".into(),
            "#REF!",
        ),
        Cell::Formula(Some(value)) => typed(
            "float",
            format!("table:formula=\"of:=2+2\" office:value=\"{value}\""),
            &value.to_string(),
        ),
        Cell::Formula(None) => format!("<table:table-cell{span} table:formula=\"of:=2+2\"/>"),
    }
}

pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}
