//! Writes the SURT key of each line of standard input, or an empty line if Python's `surt` raises an
//! exception for it.
//!
//! ```text
//! cargo run --release --example surt --features surt < urls.txt
//! ```

use std::io::{self, BufRead, Write};

fn main() -> io::Result<()> {
    let mut lines = io::stdin().lock();
    let mut keys = io::BufWriter::new(io::stdout().lock());
    let (mut line, mut key) = (Vec::new(), Vec::new());
    while lines.read_until(b'\n', &mut line)? > 0 {
        let uri = line.strip_suffix(b"\n").unwrap_or(&line);
        keys.write_all(urivalidate::surt(uri, &mut key).unwrap_or_default())?;
        keys.write_all(b"\n")?;
        line.clear();
        key.clear();
    }
    keys.flush()
}
