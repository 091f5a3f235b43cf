//! The identity of a regular file, which is the same for all its names. Devices and pipes have no identity
//! here, because they may be read and written any number of times.

use std::fs::{self, File};
use std::path::Path;

use crate::standard_stream::StandardStream;

/// Device and inode.
#[cfg(unix)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity(u64, u64);

#[cfg(unix)]
impl Identity {
    pub(crate) fn of_path(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().and_then(|metadata| Self::new(&metadata))
    }

    /// Returns the identity of an open file that was opened by this name.
    pub(crate) fn of_file(file: &File, _: &Path) -> Option<Self> {
        file.metadata().ok().and_then(|metadata| Self::new(&metadata))
    }

    pub(crate) fn of_stream(stream: StandardStream) -> Option<Self> {
        use std::io;
        use std::os::fd::AsFd;
        let copy = match stream {
            StandardStream::Stdin => io::stdin().as_fd().try_clone_to_owned(),
            StandardStream::Stdout => io::stdout().as_fd().try_clone_to_owned(),
            StandardStream::Stderr => io::stderr().as_fd().try_clone_to_owned(),
        };
        File::from(copy.ok()?).metadata().ok().and_then(|metadata| Self::new(&metadata))
    }

    fn new(metadata: &fs::Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        metadata.is_file().then(|| Identity(metadata.dev(), metadata.ino()))
    }
}

/// The path without links.
#[cfg(not(unix))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity(std::path::PathBuf);

#[cfg(not(unix))]
impl Identity {
    pub(crate) fn of_path(path: &Path) -> Option<Self> {
        let is_file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
        fs::canonicalize(path).ok().filter(|_| is_file).map(Identity)
    }

    /// Returns the identity of an open file that was opened by this name.
    pub(crate) fn of_file(_: &File, path: &Path) -> Option<Self> {
        Self::of_path(path)
    }

    pub(crate) fn of_stream(_: StandardStream) -> Option<Self> {
        None
    }
}
