//! Where results are written, and how that can fail.

use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;

/// Why the run has to stop early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The reader of standard output went away, which is its right.
    Closed,
    /// What has this name cannot be written to.
    Output(Vec<u8>, io::Error),
}

/// Of what is kept in a temporary file meanwhile.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(b"temporary file".to_vec(), error)
    }
}

/// One of the standard streams, or a file.
pub(crate) struct Output {
    /// None once its reader went away.
    stream: Option<Box<dyn Write>>,
    name: Vec<u8>,
    is_file: bool,
    is_terminal: bool,
}

impl Output {
    pub(crate) fn stdout() -> Self {
        Self::stream(Box::new(io::stdout().lock()), "standard output", io::stdout().is_terminal())
    }

    pub(crate) fn stderr() -> Self {
        Self::stream(Box::new(io::stderr().lock()), "standard error", io::stderr().is_terminal())
    }

    fn stream(stream: Box<dyn Write>, name: &str, is_terminal: bool) -> Self {
        Output { stream: Some(stream), name: name.into(), is_file: false, is_terminal }
    }

    /// Creates a file, or empties it.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        let name = path.as_os_str().as_encoded_bytes().to_vec();
        match File::create(path) {
            Ok(file) => {
                let is_terminal = file.is_terminal();
                Ok(Output { stream: Some(Box::new(file)), name, is_file: true, is_terminal })
            }
            Err(error) => Err(Failure::Output(name, error)),
        }
    }

    pub(crate) fn is_file(&self) -> bool {
        self.is_file
    }

    /// Whether a progress bar may be in the way.
    pub(crate) fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Writes all of `bytes` to the system: what is passed here is large, or waited for.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let Some(stream) = self.stream.as_mut().filter(|_| !bytes.is_empty()) else { return Ok(()) };
        stream.write_all(bytes).and_then(|()| stream.flush()).map_err(|error| match error.kind() {
            ErrorKind::BrokenPipe if !self.is_file => Failure::Closed,
            _ => Failure::Output(self.name.clone(), error),
        })
    }

    /// Writes no more, and calls that a success.
    pub(crate) fn close(&mut self) {
        self.stream = None;
    }
}

/// Says on standard error that something failed.
pub(crate) fn complain(about: &[u8], error: &io::Error) {
    note(about, &reason(error));
}

/// Says something on standard error.
pub(crate) fn note(about: &[u8], text: &str) {
    let mut message = b"urivalidate: ".to_vec();
    message.extend_from_slice(about);
    message.extend_from_slice(format!(": {text}\n").as_bytes());
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
