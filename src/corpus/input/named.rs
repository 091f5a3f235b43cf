//! An input of a scan: its content, and its name, which can decide the format.

use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// An input to [scan](crate::corpus::Scanner::scan_input): a content and its name. If the scanner detects the
/// format and the first lines do not decide it, the [extension](crate::corpus::Format::by_name) of the name
/// does.
pub struct Input<'a> {
    pub(crate) name: PathBuf,
    pub(crate) content: Content<'a>,
}

/// The content of an input.
pub(crate) enum Content<'a> {
    /// A file that the scan opens. Its path is the name of the input.
    Path,
    File(File),
    /// A reader that the scan does not wait for, and that another thread need not read.
    Reader(Box<dyn Read + Send + 'a>),
    /// A stream whose first lines the scan waits for. A thread reads it.
    Stream(Box<dyn Read + Send>),
}

impl<'a> Input<'a> {
    /// Returns the file with this path, which the scan opens when its turn comes. The path is its name.
    pub fn path(path: impl Into<PathBuf>) -> Self {
        Input { name: path.into(), content: Content::Path }
    }

    /// Opens a file of any kind. The path is its name.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be opened or read. A directory cannot be read.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref();
        Ok(Input { name: path.to_owned(), content: Content::File(open(path)?) })
    }

    /// Returns the input with the content of a reader, which is read as by
    /// [`scan_reader`](crate::corpus::Scanner::scan_reader).
    pub fn reader(name: impl Into<PathBuf>, reader: impl Read + Send + 'a) -> Self {
        Input { name: name.into(), content: Content::Reader(Box::new(reader)) }
    }

    /// Returns the input with the content of a stream, which is read as by
    /// [`scan_stream`](crate::corpus::Scanner::scan_stream).
    pub fn stream(name: impl Into<PathBuf>, stream: impl Read + Send + 'static) -> Self {
        Input { name: name.into(), content: Content::Stream(Box::new(stream)) }
    }

    /// Opens the file now, if this is a [path](Self::path).
    ///
    /// # Errors
    ///
    /// Returns the errors of [`open`](Self::open).
    pub fn opened(self) -> io::Result<Self> {
        match self.content {
            Content::Path => Input::open(self.name),
            _ => Ok(self),
        }
    }

    /// Returns true if the scan opens the file.
    pub(crate) fn is_path(&self) -> bool {
        matches!(self.content, Content::Path)
    }

    /// Returns the open file, if the input is one.
    pub fn file(&self) -> Option<&File> {
        match &self.content {
            Content::File(file) => Some(file),
            Content::Path | Content::Reader(_) | Content::Stream(_) => None,
        }
    }

    /// Returns the name.
    pub fn name(&self) -> &Path {
        &self.name
    }
}

/// Opens a file for reading.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let mut file = File::open(path)?;
    // A directory can be opened, but not read.
    match file.read(&mut []) {
        Err(error) if error.kind() != ErrorKind::Interrupted => Err(error),
        _ => Ok(file),
    }
}

impl fmt::Debug for Input<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input").field("name", &self.name).finish_non_exhaustive()
    }
}
