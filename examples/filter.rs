//! A filter of files: prints the URIs of one host, from lists, logs and documents of any known format.
//!
//!     cargo run --example filter --features corpus-full -- example.com corpora/sample.txt

use std::error::Error;
use std::io::{self, BufWriter, Write};

use urivalidate::corpus::{Input, Reading, ReadingOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let host = arguments.next().ok_or("which host?")?;
    let reading = Reading::new(ReadingOptions::default())?;
    let mut out = BufWriter::new(io::stdout().lock());
    for found in reading.scanner().threads(0).records(reading, arguments.map(Input::path))? {
        let found = found?;
        if found.record().is_some_and(|record| record.host() == Some(host.as_bytes())) {
            out.write_all(&found.bytes)?;
            out.write_all(b"\n")?;
        }
    }
    Ok(out.flush()?)
}
