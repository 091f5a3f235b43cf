//! Standard output, and how it can fail.

use std::io::{self, ErrorKind, Write};

/// Why the run has to stop early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The reader went away, which is its right.
    Closed,
    /// This cannot be written to.
    Output(&'static str, io::Error),
}

/// One of the standard streams.
pub(crate) struct Output {
    stream: Box<dyn Write>,
    name: &'static str,
}

impl Output {
    pub(crate) fn stdout() -> Self {
        Output { stream: Box::new(io::stdout().lock()), name: "standard output" }
    }

    pub(crate) fn stderr() -> Self {
        Output { stream: Box::new(io::stderr().lock()), name: "standard error" }
    }

    /// Writes all of `bytes` to the system: what is passed here is large, or waited for.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.stream.write_all(bytes).and_then(|()| self.stream.flush()).map_err(|error| match error.kind() {
            ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Output(self.name, error),
        })
    }
}

/// Says on standard error that something failed.
pub(crate) fn complain(about: &[u8], error: &io::Error) {
    let mut message = b"urivalidate: ".to_vec();
    message.extend_from_slice(about);
    message.extend_from_slice(format!(": {}\n", reason(error)).as_bytes());
    // If even that fails, nobody is there to be told.
    let _ = io::stderr().write_all(&message);
}

/// The system's words, without the number it has for them.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}
