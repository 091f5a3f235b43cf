//! Reads a log format that the library does not know, with a regular expression whose group `uri` is the
//! record.
//!
//!     cargo run --example own_log_format --features corpus,regex

use std::io;
use std::ops::ControlFlow;

use urivalidate::corpus::{Chunk, ChunkScanner, Format, Layout, LayoutOptions, Pattern, Scanner};
use urivalidate::{Columns, Grammar, Validator};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let log = b"\
        12:00:01 moved from=http://example.com/a to=http://example.com/b\n\
        12:00:02 idle\n\
        12:00:03 moved from=http://example.com/b to=http://example.com/b c\n";

    let mut options = LayoutOptions::default();
    options.pattern = Some(r"to=(?<uri>.+)$".parse::<Pattern>()?);
    let scanner = Scanner::new().layout(Layout::new(Format::Regex, &options)?);
    let validator = Validator::new(Grammar::Uri);
    scanner.scan_slice(
        log,
        |chunk: &Chunk<'_>| {
            let mut chunk_scanner = ChunkScanner::default();
            let scanned =
                chunk_scanner.scan(chunk, &validator, Columns::RECORDS).map_err(io::Error::other)?;
            let mut rows = Vec::new();
            for index in 0..scanned.len() {
                let record = String::from_utf8_lossy(scanned.record(index).unwrap()).into_owned();
                let error = scanned.error(index);
                let column = error.and_then(|error| scanned.error_column(index, error.offset()));
                rows.push((scanned.line_number(index).unwrap() + 1, record, error, column));
            }
            Ok((rows, scanned.malformed().len()))
        },
        |found: io::Result<_>| {
            let Ok((rows, others)) = found else { return ControlFlow::Break(()) };
            for (line, record, error, column) in rows {
                match (error, column) {
                    (Some(error), Some(column)) => println!("{line}:{column}: {error}"),
                    _ => println!("{line}: {record}"),
                }
            }
            println!("{others} lines hold no record");
            ControlFlow::Continue(())
        },
    )?;
    Ok(())
}
