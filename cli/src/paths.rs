//! Paths of files from names, which are bytes.

use std::io;
use std::path::PathBuf;

/// Returns the path of this name.
///
/// # Errors
///
/// Fails where paths are text, and the name is not UTF-8.
#[cfg(unix)]
pub(crate) fn path_of(name: &[u8]) -> io::Result<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Ok(std::ffi::OsStr::from_bytes(name).into())
}

/// Returns the path of this name, which must be UTF-8.
#[cfg(not(unix))]
pub(crate) fn path_of(name: &[u8]) -> io::Result<PathBuf> {
    match str::from_utf8(name) {
        Ok(name) => Ok(name.into()),
        Err(_) => Err(io::Error::other(format!("the name {} is not UTF-8", name.escape_ascii()))),
    }
}
