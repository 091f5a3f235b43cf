//! The targets of results, and their failures.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, IoSlice, IsTerminal, Write};
use std::path::{Path, PathBuf};

use crate::identity::Identity;
use crate::interrupt::uninterrupted;
use crate::pipe;
use crate::shown::Shown;
use crate::standard_stream::{self, StandardStream};
use crate::unfinished::Unfinished;

/// The reason why the run must stop early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The reader of standard output went away. This is not an error.
    Closed,
    /// Writing to the target of this name failed.
    Output(Vec<u8>, io::Error),
}

/// An error of the temporary file.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(b"temporary file".to_vec(), error)
    }
}

/// One of the standard streams, or a file.
pub(crate) struct Output {
    /// The writer, or `None` after the reader went away.
    writer: Option<Box<dyn Write>>,
    name: Vec<u8>,
    /// The file, if the output may empty it.
    file: Option<File>,
    /// The path of the file, if the output created it.
    created: Option<PathBuf>,
    /// The unfinished file, if the output is put in its place when it is complete.
    unfinished: Option<Unfinished>,
    identity: Option<Identity>,
    is_terminal: bool,
    /// Whether an option names the output.
    is_named: bool,
    /// Whether that name is one of an open descriptor.
    is_descriptor: bool,
}

impl Output {
    pub(crate) fn stdout() -> Result<Self, Failure> {
        pipe::widen(io::stdout());
        Self::stream(StandardStream::Stdout, direct_stdout(), io::stdout().is_terminal())
    }

    pub(crate) fn stderr() -> Result<Self, Failure> {
        Self::stream(StandardStream::Stderr, Box::new(io::stderr().lock()), io::stderr().is_terminal())
    }

    fn stream(stream: StandardStream, writer: Box<dyn Write>, is_terminal: bool) -> Result<Self, Failure> {
        let name = stream.name().as_bytes().to_vec();
        stream.check().map_err(|error| Failure::Output(name.clone(), error))?;
        let identity = Identity::of_stream(stream);
        let (file, created, unfinished) = (None, None, None);
        let (is_named, is_descriptor) = (false, false);
        Ok(Output {
            writer: Some(writer),
            name,
            file,
            created,
            unfinished,
            identity,
            is_terminal,
            is_named,
            is_descriptor,
        })
    }

    /// Opens a file, and creates it if it does not exist. Its content stays until [`empty`](Self::empty).
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let name = path.as_os_str().as_encoded_bytes().to_vec();
        match Self::try_open(path, name.clone()) {
            Ok(output) => Ok(output),
            Err(error) => Err(Failure::Output(name, error)),
        }
    }

    /// Opens a new file in the folder of the target. [`put_in_place`](Self::put_in_place) then replaces the
    /// target by it. A target that is not a regular file is opened itself.
    pub(crate) fn open_beside(path: &Path) -> Result<Self, Failure> {
        let name = path.as_os_str().as_encoded_bytes().to_vec();
        if standard_stream::is_descriptor(path) {
            return Self::open(path);
        }
        let opened = match OpenOptions::new().write(true).open(path) {
            Ok(file) if !is_regular(&file) => Self::try_open(path, name.clone()),
            Ok(file) => {
                Unfinished::beside(path, Some(&file)).and_then(|file| Self::beside(file, name.clone()))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                Unfinished::beside(path, None).and_then(|file| Self::beside(file, name.clone()))
            }
            Err(error) => Err(error),
        };
        opened.map_err(|error| Failure::Output(name, error))
    }

    fn beside(unfinished: Unfinished, name: Vec<u8>) -> io::Result<Self> {
        Ok(Output {
            writer: Some(Box::new(unfinished.file().try_clone()?)),
            name,
            file: Some(unfinished.file().try_clone()?),
            created: None,
            unfinished: Some(unfinished),
            identity: None,
            is_terminal: false,
            is_named: true,
            is_descriptor: false,
        })
    }

    fn try_open(path: &Path, name: Vec<u8>) -> io::Result<Self> {
        if let Some(file) = standard_stream::descriptor(path)? {
            return Ok(Output {
                identity: Identity::of_file(&file, path),
                is_terminal: file.is_terminal(),
                writer: Some(Box::new(file)),
                name,
                // The content belongs to the caller, so it is never emptied.
                file: None,
                created: None,
                unfinished: None,
                is_named: true,
                is_descriptor: true,
            });
        }
        let (file, is_new) = match OpenOptions::new().write(true).open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                (OpenOptions::new().write(true).create(true).truncate(false).open(path)?, true)
            }
            opened => (opened?, false),
        };
        Ok(Output {
            writer: Some(Box::new(file.try_clone()?)),
            name,
            identity: Identity::of_file(&file, path),
            // If the path is a link to a missing file, only the new target is removed later, not the link.
            created: if is_new { fs::canonicalize(path).ok() } else { None },
            unfinished: None,
            is_terminal: file.is_terminal(),
            is_named: true,
            is_descriptor: false,
            file: Some(file),
        })
    }

    /// Returns the identity of the file that the output writes or will replace.
    pub(crate) fn identity(&self) -> Option<Identity> {
        match &self.unfinished {
            Some(unfinished) => Identity::of_path(unfinished.place()),
            None => self.identity.clone(),
        }
    }

    /// Returns true if the target has no content that a write would destroy.
    pub(crate) fn is_new(&self) -> bool {
        self.created.is_some() || self.unfinished.is_some() || !self.file.as_ref().is_some_and(is_regular)
    }

    /// Drops the file's old content.
    pub(crate) fn empty(&self) -> Result<(), Failure> {
        match self.file.as_ref().filter(|file| is_regular(file)) {
            Some(file) => file.set_len(0).map_err(|error| Failure::Output(self.name.clone(), error)),
            None => Ok(()),
        }
    }

    /// Undoes the opening: removes the file if the output created it.
    pub(crate) fn abandon(self) {
        if let Some(path) = &self.created {
            // If that fails, an empty file is left.
            let _ = fs::remove_file(path);
        }
    }

    /// Puts the complete file of [`open_beside`](Self::open_beside) in its place.
    pub(crate) fn put_in_place(&mut self) -> Result<(), Failure> {
        let _uninterrupted = uninterrupted();
        match self.unfinished.take() {
            Some(unfinished) => {
                unfinished.put_in_place().map_err(|error| Failure::Output(self.name.clone(), error))
            }
            None => Ok(()),
        }
    }

    /// Returns true if an option names the output, rather than only a redirection by the caller.
    pub(crate) fn is_named(&self) -> bool {
        self.is_named
    }

    /// Returns true if an option named an open descriptor.
    pub(crate) fn is_descriptor(&self) -> bool {
        self.is_descriptor
    }

    /// Returns the name, as the user wrote it.
    pub(crate) fn name(&self) -> &[u8] {
        &self.name
    }

    /// Returns the file that the output will replace when it is [put in its place](Self::put_in_place).
    pub(crate) fn place(&self) -> Option<&Path> {
        self.unfinished.as_ref().map(Unfinished::place)
    }

    /// Returns true if the output is hidden until it is [put in its place](Self::put_in_place).
    pub(crate) fn is_hidden(&self) -> bool {
        self.unfinished.is_some()
    }

    /// Returns true if the output is a terminal, which a progress bar may share.
    pub(crate) fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Writes all bytes to the system without a buffer, because there are many or a reader waits for them.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.write_slices(&mut [IoSlice::new(bytes)])
    }

    /// Writes all of these bytes, one slice after the other.
    pub(crate) fn write_slices(&mut self, slices: &mut [IoSlice<'_>]) -> Result<(), Failure> {
        let is_empty = slices.iter().all(|bytes| bytes.is_empty());
        let Some(writer) = self.writer.as_mut().filter(|_| !is_empty) else { return Ok(()) };
        let _uninterrupted = uninterrupted();
        write_all(writer, slices).and_then(|()| writer.flush()).map_err(|error| match error.kind() {
            ErrorKind::BrokenPipe if self.file.is_none() => Failure::Closed,
            _ => Failure::Output(self.name.clone(), error),
        })
    }

    /// Stops writing, and reports success.
    pub(crate) fn close(&mut self) {
        self.writer = None;
    }
}

/// Writes all slices, in as few system calls as possible.
fn write_all(writer: &mut dyn Write, mut slices: &mut [IoSlice<'_>]) -> io::Result<()> {
    // This call skips empty slices at the start.
    IoSlice::advance_slices(&mut slices, 0);
    while !slices.is_empty() {
        match writer.write_vectored(slices) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => IoSlice::advance_slices(&mut slices, written),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Returns standard output without the buffer of the standard library, which searches all written bytes for
/// the last line end.
fn direct_stdout() -> Box<dyn Write> {
    #[cfg(windows)]
    if io::stdout().is_terminal() {
        return Box::new(crate::terminal::Console(io::stdout().lock()));
    }
    match StandardStream::Stdout.copy() {
        Ok(stdout) => Box::new(stdout),
        Err(_) => Box::new(io::stdout().lock()),
    }
}

fn is_regular(file: &File) -> bool {
    file.metadata().is_ok_and(|metadata| metadata.is_file())
}

/// Writes an error message to standard error.
pub(crate) fn complain(about: &[u8], error: &io::Error) {
    note(about, &reason(error));
}

/// Writes a message to standard error.
pub(crate) fn note(about: &[u8], text: &str) {
    let message = format!("urivalidate: {}: {}\n", Shown::new(about), Shown::new(text.as_bytes()));
    // If this fails, no message can be read either.
    let _ = io::stderr().write_all(message.as_bytes());
}

/// Reports on standard error how the run as a whole ended.
pub(crate) fn sum_up(text: &str) {
    let _ = io::stderr().write_all(format!("urivalidate: {text}\n").as_bytes());
}

/// Returns the system's message, without the number of the error.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A writer that takes a few bytes of the first nonempty slice per call, with interruptions between the
    /// calls.
    struct Slow {
        taken: Vec<u8>,
        is_interrupted: bool,
        most: usize,
    }

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.is_interrupted = !self.is_interrupted;
            if self.is_interrupted {
                return Err(ErrorKind::Interrupted.into());
            }
            let count = bytes.len().min(3).min(self.most - self.taken.len());
            self.taken.extend_from_slice(&bytes[..count]);
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn all_slices_are_written_however_few_bytes_a_call_takes() {
        let slices = || ["", "abcdefgh", "", "i", "", "jklm", ""].map(|text| IoSlice::new(text.as_bytes()));
        let mut slow = Slow { taken: Vec::new(), is_interrupted: false, most: usize::MAX };
        write_all(&mut slow, &mut slices()).unwrap();
        write_all(&mut slow, &mut [IoSlice::new(b"")]).unwrap();
        write_all(&mut slow, &mut []).unwrap();
        assert_eq!(slow.taken, b"abcdefghijklm");
        let mut full = Slow { taken: Vec::new(), is_interrupted: false, most: 10 };
        assert_eq!(write_all(&mut full, &mut slices()).unwrap_err().kind(), ErrorKind::WriteZero);
        assert_eq!(full.taken, b"abcdefghij");
    }
}
