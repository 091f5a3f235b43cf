//! Reads a whole file on all cores, and prints the line and the error of each invalid record.
//!
//!     cargo run --example whole_file --features corpus -- corpora/sample.txt

use std::fs::File;
use std::io;
use std::ops::ControlFlow;

use urivalidate::corpus::{Chunk, ChunkScanner, Scanner};
use urivalidate::{Columns, Grammar, Validator};

fn main() -> io::Result<()> {
    let path = std::env::args_os().nth(1).ok_or_else(|| io::Error::other("which file?"))?;
    let validator = Validator::new(Grammar::Uri);
    let mut line = 0;
    let stopped = Scanner::new().threads(0).scan_file(
        File::open(path)?,
        // This runs on the workers, in any order.
        |chunk: &Chunk<'_>| {
            let mut chunk_scanner = ChunkScanner::default();
            let scanned = chunk_scanner.scan(chunk, &validator, Columns::NONE)?;
            let invalid = scanned.batch().invalid().iter();
            let errors: Vec<_> = invalid
                .map(|record| (scanned.line_number(record.index as usize).unwrap(), record.error))
                .collect();
            Ok::<_, std::collections::TryReserveError>((scanned.lines(), errors))
        },
        // This runs on the calling thread, in the order of the file.
        |found| {
            let (lines, errors) = match found {
                Ok(found) => found,
                Err(error) => return ControlFlow::Break(error),
            };
            for (number, error) in errors {
                println!("line {}, byte {}: {error}", line + number + 1, error.offset());
            }
            line += lines;
            ControlFlow::Continue(())
        },
    )?;
    // The scan stops early if a record does not fit into memory.
    stopped.map_or(Ok(()), |error| Err(error.into()))
}
