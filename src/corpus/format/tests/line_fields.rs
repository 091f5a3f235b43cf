//! The fields of lines, and the numbers of rows.

use std::ops::ControlFlow;

use super::*;
use crate::corpus::{Chunk, LogColumns, LogFields, Scanned};
use crate::row_column::RowColumn;

/// The line, the row and the fields of each record, and then of each malformed line, of a chunk.
type Rows = Vec<(u64, Option<u64>, Vec<Option<Vec<u8>>>)>;

fn rows_of(scanned: &Scanned<'_>, columns: &LogColumns) -> [Rows; 2] {
    let first = scanned.chunk().first_line().unwrap();
    let mut fields = LogFields::new(scanned, columns);
    let row = |fields: &LogFields<'_>, line: u64| {
        let texts = (0..columns.fields()).map(|index| fields.text(index).map(<[u8]>::to_vec));
        (first + line, fields.row(), texts.collect())
    };
    let mut rows = [Vec::new(), Vec::new()];
    for index in 0..scanned.len() {
        fields.of_record(index).unwrap();
        rows[0].push(row(&fields, scanned.line_number(index).unwrap()));
    }
    for line in scanned.malformed() {
        fields.of_malformed(line).unwrap();
        rows[1].push(row(&fields, line.line));
    }
    rows
}

/// Returns the rows of an input. `None` if no line of it has the key.
fn scan(layout: &Layout, columns: &LogColumns, input: &[u8], chunk_size: usize) -> Option<[Rows; 2]> {
    let scanner = Scanner::new().layout(layout.clone()).number_lines(true).number_rows(true);
    let scanner = scanner.keep_headers(true).chunk_size(chunk_size);
    #[cfg(feature = "rayon")]
    let scanner = scanner.threads(2);
    let validator = Validator::new(layout.grammar());
    let job = |chunk: &Chunk<'_>| {
        let mut rows = [Vec::new(), Vec::new()];
        let take = |scanned: &Scanned<'_>| {
            rows.iter_mut().zip(rows_of(scanned, columns)).for_each(|(rows, more)| rows.extend(more));
            ControlFlow::<()>::Continue(())
        };
        let _ = ChunkScanner::default().scan_pieces(chunk, &validator, Columns::NONE, take).unwrap();
        rows
    };
    let mut all = [Vec::new(), Vec::new()];
    let scanned = scanner.scan_slice(input, job, |rows: [Rows; 2]| {
        all.iter_mut().zip(rows).for_each(|(all, rows)| all.extend(rows));
        ControlFlow::<()>::Continue(())
    });
    scanned.is_ok().then_some(all)
}

/// Returns the columns of all fields of an input.
fn all_fields(layout: &Layout, input: &[u8]) -> Option<LogColumns> {
    let names = Scanner::new()
        .layout(layout.clone())
        .keep_headers(true)
        .scan_slice(input, |chunk| chunk.field_names(), |names| ControlFlow::Break(names.unwrap()))
        .unwrap()??;
    let columns = names.iter().map(|name| RowColumn::of_log_field(name)).chain([RowColumn::Row]);
    Some(LogColumns::among(columns))
}

#[test]
fn fields_and_rows_are_the_same_whatever_the_chunks_are() {
    let mut formats = Vec::new();
    for Sample { name, format, bytes } in SAMPLES.iter() {
        let layout = Layout::new(*format, &LayoutOptions::default()).unwrap();
        let Some(columns) = all_fields(&layout, bytes) else { continue };
        let Some(whole) = scan(&layout, &columns, bytes, 1 << 20) else { continue };
        // Some writers have their URIs in other keys.
        if !whole[0].is_empty() {
            formats.push(*format);
        }
        assert!(whole[0].iter().all(|(_, row, _)| row.is_some()) && columns.fields() > 0, "{name}");
        for chunk_size in [1, 100, 300, 1000] {
            assert_eq!(
                scan(&layout, &columns, bytes, chunk_size).as_ref(),
                Some(&whole),
                "{name} {chunk_size}"
            );
        }
    }
    for format in ["heritrix", "cdx", "cdxj", "envoy", "elb", "s3", "haproxy", "common", "combined", "squid"]
    {
        assert!(formats.contains(&format.parse().unwrap()), "{format}");
    }
    for format in ["w3c", "zeek", "caddy", "jsonl", "csv", "tsv", "pairs"] {
        assert!(formats.contains(&format.parse().unwrap()), "{format}");
    }
}

/// Rows number the records of a table in order, with the rows between them that have none.
#[test]
fn rows_count_all_rows_but_headers_and_blank_lines() {
    let table = b"title\n\nid,url\n1,a:\n\n2,\n\"3\n\",b:\n4\n5,c:\n";
    let layout = Layout::new(Format::Csv, &LayoutOptions::default()).unwrap();
    let columns = LogColumns::among(["log.id", "row"].into_iter().filter_map(RowColumn::of_name));
    for chunk_size in [1, 10, 20, 100] {
        let [records, malformed] = scan(&layout, &columns, table, chunk_size).unwrap();
        let text = |text: &[u8]| vec![Some(text.to_vec())];
        assert_eq!(
            records,
            [(4, Some(1), text(b"1")), (8, Some(3), text(b"3\n")), (10, Some(5), text(b"5"))]
        );
        assert_eq!(malformed, [(5, None, vec![None]), (9, Some(4), vec![None])]);
    }
    // A line over the limit is a row.
    let log = format!("{}\n{{\"url\":\"a:\",\"id\":1}}\n", "x".repeat(3000));
    let layout = Layout::new(Format::Jsonl, &LayoutOptions::default()).unwrap();
    let validator = Validator::new(Grammar::Uri);
    let scanner = Scanner::new().layout(layout).number_lines(true).number_rows(true).chunk_size(64);
    let job = |chunk: &Chunk<'_>| {
        rows_of(&ChunkScanner::default().scan(chunk, &validator, Columns::NONE).unwrap(), &columns)
    };
    let mut rows = Vec::new();
    let sink = |[records, malformed]: [Rows; 2]| {
        rows.extend(records.into_iter().chain(malformed).map(|(line, row, _)| (line, row)));
        ControlFlow::<()>::Continue(())
    };
    scanner.max_record(100).scan_slice(log.as_bytes(), job, sink).unwrap();
    assert_eq!(rows, [(1, Some(1)), (2, Some(2))]);
}

/// The documentation names the fields of each format that has the same ones in all lines.
#[test]
fn the_documentation_lists_all_fields() {
    let documentation = include_str!("../../../../docs/formats.md");
    let section = documentation.split("\n## ").find(|section| section.starts_with("Fields\n")).unwrap();
    for &format in Format::ALL {
        let Ok(layout) = Layout::new(format, &LayoutOptions::default()) else { continue };
        if layout.has_fields() {
            assert!(section.contains(&format!("`{format}`")), "{format}");
        }
        for name in layout.field_names(None, &[]) {
            let is_listed = section.contains(&format!("`{name}`"));
            assert!(is_listed || format == Format::Elb, "docs/formats.md lacks {name} of {format}");
        }
    }
}
