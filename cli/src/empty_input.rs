//! Standard input that has nothing to read.

use std::fs::File;
use std::io::{self, IsTerminal};

use crate::standard_stream::StandardStream;

/// Names standard input if nobody has sent it anything: a terminal, the null device, a file without bytes
/// left, or a directory. An empty pipe is an input like any other, and a closed stream is an error of its
/// own.
pub(crate) fn what_stdin_is() -> Option<&'static str> {
    if StandardStream::Stdin.check().is_err() {
        return None;
    }
    if io::stdin().is_terminal() {
        return Some("a terminal");
    }
    StandardStream::Stdin.copy().ok().and_then(|stdin| what_file_is(&stdin))
}

#[cfg(unix)]
fn what_file_is(mut file: &File) -> Option<&'static str> {
    use std::fs;
    use std::io::Seek;
    use std::os::unix::fs::MetadataExt;

    let metadata = file.metadata().ok()?;
    if metadata.is_file() {
        return (file.stream_position().ok()? >= metadata.len()).then_some("an empty file");
    }
    if metadata.is_dir() {
        return Some("a directory");
    }
    let is_null = fs::metadata("/dev/null").is_ok_and(|null| {
        (null.dev(), null.ino()) == (metadata.dev(), metadata.ino())
            || null.rdev() != 0 && null.rdev() == metadata.rdev()
    });
    is_null.then_some("/dev/null")
}

#[cfg(not(unix))]
fn what_file_is(file: &File) -> Option<&'static str> {
    file.metadata().is_ok_and(|file| file.is_file() && file.len() == 0).then_some("an empty file")
}
