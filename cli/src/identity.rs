//! The identity of a regular file, which is the same for all its names. Devices and pipes have no identity
//! here, because they may be read and written any number of times.

#[cfg(not(windows))]
use std::fs;
use std::fs::File;
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
        stream.copy().ok()?.metadata().ok().and_then(|metadata| Self::new(&metadata))
    }

    fn new(metadata: &fs::Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        metadata.is_file().then(|| Identity(metadata.dev(), metadata.ino()))
    }
}

/// The serial number of the volume, and the index of the file.
#[cfg(windows)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity(u64, u64);

#[cfg(windows)]
impl Identity {
    pub(crate) fn of_path(path: &Path) -> Option<Self> {
        Self::new(&File::open(path).ok()?)
    }

    /// Returns the identity of an open file that was opened by this name.
    pub(crate) fn of_file(file: &File, _: &Path) -> Option<Self> {
        Self::new(file)
    }

    pub(crate) fn of_stream(stream: StandardStream) -> Option<Self> {
        Self::new(&stream.copy().ok()?)
    }

    fn new(file: &File) -> Option<Self> {
        let is_file = file.metadata().is_ok_and(|metadata| metadata.is_file());
        let found = winapi_util::file::information(file).ok().filter(|_| is_file)?;
        Some(Identity(found.volume_serial_number(), found.file_index()))
    }
}

/// The path without links.
#[cfg(not(any(unix, windows)))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity(std::path::PathBuf);

#[cfg(not(any(unix, windows)))]
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
