//! A CSV file taken apart so that it can be damaged at one cell. Only for files that are sound.

use super::Mutant;

/// The rows of a file, each the list of its cells as they are written, quotes included.
pub struct Table {
    pub path: String,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(path: &str, bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let mut rows = vec![vec![String::new()]];
        let mut quoted = false;
        for c in text.chars() {
            let row = rows.last_mut()?;
            match c {
                '"' => {
                    quoted = !quoted;
                    row.last_mut()?.push(c);
                }
                ',' if !quoted => row.push(String::new()),
                '\n' if !quoted => rows.push(vec![String::new()]),
                other => row.last_mut()?.push(other),
            }
        }
        rows.retain(|row| row.iter().any(|cell| !cell.is_empty()));
        (rows.len() > 1).then(|| Table {
            path: path.to_owned(),
            rows,
        })
    }

    /// The columns with one of these names that stand in the header.
    pub fn columns(&self, names: &[&str]) -> Vec<usize> {
        (0..self.rows[0].len())
            .filter(|column| names.contains(&self.rows[0][*column].as_str()))
            .collect()
    }

    /// The line on which a row begins, counted from 1.
    pub fn line(&self, row: usize) -> u32 {
        let breaks: usize = self.rows[..row]
            .iter()
            .map(|row| 1 + row.iter().map(|cell| cell.matches('\n').count()).sum::<usize>())
            .sum();
        breaks as u32 + 1
    }

    /// The lines of a row, first and last.
    pub fn lines(&self, row: usize) -> (u32, u32) {
        let breaks: usize = self.rows[row].iter().map(|cell| cell.matches('\n').count()).sum();
        (self.line(row), self.line(row) + breaks as u32)
    }

    /// What names a row's record: its ids, names and references.
    pub fn names(&self, row: usize) -> Vec<String> {
        let mut names: Vec<String> = self
            .columns(&["id", "name", "abbr", "unit", "formation", "of", "commands"])
            .into_iter()
            .filter_map(|column| self.rows[row].get(column))
            .map(|cell| cell.trim_matches('"').replace("\"\"", "\""))
            .filter(|name| name.chars().count() > 2)
            .collect();
        names.dedup();
        names
    }

    pub fn text(&self) -> String {
        self.with(',')
    }

    /// The file with another separator; cells that hold it are quoted.
    pub fn with(&self, separator: char) -> String {
        let mut text = String::new();
        for row in &self.rows {
            for (column, cell) in row.iter().enumerate() {
                if column > 0 {
                    text.push(separator);
                }
                if separator != ',' && cell.contains(separator) && !cell.starts_with('"') {
                    text.push_str(&format!("\"{cell}\""));
                } else {
                    text.push_str(cell);
                }
            }
            text.push('\n');
        }
        text
    }

    /// The file as it now is, damaged in a row.
    pub fn mutant(&self, row: usize, what: String) -> Mutant {
        Mutant {
            path: self.path.clone(),
            bytes: self.text().into_bytes(),
            lines: self.lines(row),
            names: self.names(row),
            what,
        }
    }
}
