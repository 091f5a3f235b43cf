//! Reads lines from standard input, each with a base, a tab and a reference. Prints the normal form of the
//! reference, the URI that it refers to, and a reference from the base to this URI. Under `java` the last one
//! is the result of `base.relativize(reference)`. A result that does not exist is `invalid`.
//!
//!     printf 'http://a/b/c\t../d\n' | cargo run --example references -- uri-reference

use std::error::Error;
use std::io::{self, BufRead, Write};

use urivalidate::{Grammar, NormalForm, Validator};

const INVALID: &[u8] = b"invalid";

fn main() -> Result<(), Box<dyn Error>> {
    let grammar = std::env::args().nth(1).map_or(Ok(Grammar::UriReference), |name| name.parse())?;
    let validator = Validator::new(grammar);
    let normalizer = validator.normalizer(NormalForm::Syntax)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut buffers = [Vec::new(), Vec::new(), Vec::new()];
    for line in io::stdin().lock().split(b'\n') {
        let line = line?;
        let tab = line.iter().position(|&byte| byte == b'\t').ok_or("a line without a tab")?;
        let (base, reference) = (&line[..tab], &line[tab + 1..]);
        buffers.iter_mut().for_each(Vec::clear);
        let [normal, resolved, relative] = &mut buffers;
        // The library writes no text if the result is equal to the reference.
        let own = |text: Option<_>| text.unwrap_or(reference);
        let results = match (validator.base(base), normalizer.normalize(reference, normal)) {
            (Ok(base), Ok(form)) => {
                let resolved = base.resolve(reference, resolved).map(own);
                let target = if grammar == Grammar::Java { Ok(reference) } else { resolved };
                let relative = target.and_then(|uri| Ok(base.relativize(uri, relative)?.unwrap_or(uri)));
                [own(form), resolved.unwrap_or(INVALID), relative.unwrap_or(INVALID)]
            }
            _ => [INVALID; 3],
        };
        out.write_all(&results.join(&b'\t'))?;
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}
