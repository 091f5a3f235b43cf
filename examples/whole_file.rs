//! Reads a whole file on all cores, and prints the line and the error of each invalid record.
//!
//!     cargo run --example whole_file --features corpus-full -- corpora/sample.txt

use std::error::Error;

use urivalidate::corpus::{Input, NotValid, Reading, ReadingOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("which file?")?;
    let reading = Reading::new(ReadingOptions { format: "lines", ..ReadingOptions::default() })?;
    for found in reading.scanner().threads(0).records(reading, [Input::path(path)])? {
        let found = found?;
        if let Err(NotValid::Invalid { error, .. }) = found.verdict {
            println!("line {}, byte {}: {error}", found.line, error.offset());
        }
    }
    Ok(())
}
