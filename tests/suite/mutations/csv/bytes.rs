//! Damage to the bytes of tables: encodings, ends of lines, separators.

use super::{any, put, row, sure, whole};
use crate::mutations::Mutation;

pub(super) fn all() -> Vec<Mutation> {
    vec![
        sure("a byte-order mark", |files, random| {
            whole(files, random, |table| {
                [b"\xef\xbb\xbf", table.text().as_bytes()].concat()
            })
        }),
        sure("CRLF line ends", |files, random| {
            whole(files, random, |table| {
                table.text().replace('\n', "\r\n").into_bytes()
            })
        }),
        sure("CR line ends", |files, random| {
            whole(files, random, |table| {
                table.text().replace('\n', "\r").into_bytes()
            })
        }),
        sure("one line ends in CRLF", |files, random| {
            let table = any(files, random)?;
            let row = row(&table, random);
            let mut mutant = table.mutant(row, "CRLF".into());
            let at = table.lines(row).1 as usize;
            let mut lines: Vec<&[u8]> = mutant.bytes.split(|byte| *byte == b'\n').collect();
            let with = [lines[at - 1], b"\r"].concat();
            lines[at - 1] = &with;
            mutant.bytes = lines.join(&b'\n');
            Some(mutant)
        }),
        sure("no final line end", |files, random| {
            whole(files, random, |table| table.text().trim_end().as_bytes().to_vec())
        }),
        sure("UTF-16 with its mark", |files, random| {
            whole(files, random, |table| {
                let units = std::iter::once(0xfeff).chain(table.text().encode_utf16().collect::<Vec<u16>>());
                units.flat_map(u16::to_le_bytes).collect()
            })
        }),
        sure("UTF-16 without its mark", |files, random| {
            whole(files, random, |table| {
                table.text().encode_utf16().flat_map(u16::to_le_bytes).collect()
            })
        }),
        sure("a byte of Windows-1252", |files, random| put(files, random, 0x92)),
        sure("a NUL", |files, random| put(files, random, 0)),
        sure("a Ctrl-Z at the end", |files, random| {
            whole(files, random, |table| {
                format!("{}\u{1a}", table.text()).into_bytes()
            })
        }),
        sure("semicolons for commas", |files, random| {
            whole(files, random, |table| table.with(';').into_bytes())
        }),
        sure("tabs for commas", |files, random| {
            whole(files, random, |table| table.with('\t').into_bytes())
        }),
        sure("every cell in quotes", |files, random| {
            let mut table = any(files, random)?;
            for cell in table.rows.iter_mut().flatten() {
                if !cell.starts_with('"') {
                    *cell = format!("\"{cell}\"");
                }
            }
            let mut mutant = table.mutant(1, "quotes".into());
            mutant.lines = (1, u32::MAX);
            Some(mutant)
        }),
        sure("an empty file", |files, random| {
            whole(files, random, |_| Vec::new())
        }),
    ]
}
