//! A filter before slower work: only valid URIs reach the work, which prints their hosts here.
//!
//!     cargo run --example prefilter < corpora/sample.txt

use std::io::{self, BufRead, Write};

use urivalidate::{Grammar, Validator};

fn main() -> io::Result<()> {
    let validator = Validator::new(Grammar::Uri);
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut refused = 0;
    for line in io::stdin().lock().split(b'\n') {
        let line = line?;
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        if !validator.is_valid(line) {
            refused += 1;
            continue;
        }
        // The record is parsed only now.
        let components = validator.parse(line).expect("it is valid");
        if let Some(host) = components.host() {
            out.write_all(&line[host])?;
            out.write_all(b"\n")?;
        }
    }
    out.flush()?;
    eprintln!("{refused} records refused");
    Ok(())
}
