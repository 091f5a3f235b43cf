//! The files of directories, for `--recursive`: all of them, in the order of their names.
//!
//! Links are not followed, so a walk ends. The directories of version control (`.git`, `.hg`, `.svn`) are
//! left out. Everything except regular files is skipped without being opened, because opening a FIFO waits.
//! Binary files are skipped, too, because they hold no lines. All names are in memory before the scan begins,
//! like those of the command line.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

/// The result of a walk.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    pub(crate) files: Vec<PathBuf>,
    /// The number of skipped files: binary files, links, and special files.
    pub(crate) skipped: u64,
    /// The unreadable paths, each with its error.
    pub(crate) errors: Vec<(PathBuf, io::Error)>,
}

/// Directories of version control.
const VERSION_CONTROL: [&str; 3] = [GIT, ".hg", ".svn"];

/// Git's directory or, in work trees and submodules, a file with its path.
const GIT: &str = ".git";

/// Returns the files of a directory and of its subdirectories. Skips files with a NUL if `skips_binary` is
/// true.
pub(crate) fn walk(directory: &Path, skips_binary: bool) -> Walked {
    let mut walked = Walked::default();
    let is_version_control = |entry: &DirEntry| {
        let has_name = |name: &&str| entry.file_name() == *name;
        let file_type = entry.file_type();
        (file_type.is_dir() && VERSION_CONTROL.iter().any(has_name))
            || (file_type.is_file() && has_name(&GIT))
    };
    let is_wanted = |entry: &DirEntry| entry.depth() == 0 || !is_version_control(entry);
    for entry in WalkDir::new(directory).sort_by_file_name().into_iter().filter_entry(is_wanted) {
        match entry {
            Ok(entry) if entry.file_type().is_dir() => {}
            Ok(entry) if entry.file_type().is_file() && !(skips_binary && is_binary(entry.path())) => {
                walked.files.push(entry.into_path())
            }
            Ok(_) => walked.skipped += 1,
            Err(error) => {
                let path = error.path().unwrap_or(directory).to_owned();
                // walkdir's own message also names the path, so the system's error is used. Only loops have
                // no system error, and a walk that follows no links has no loops.
                let error = error.into_io_error().unwrap_or_else(|| io::Error::other("a loop of links"));
                walked.errors.push((path, error));
            }
        }
    }
    walked
}

/// Returns true if a file has a NUL among its first bytes and is not a supported archive. Returns false for a
/// file that cannot be read, so that the scan reports the error.
fn is_binary(path: &Path) -> bool {
    /// The number of bytes that are checked.
    const HEAD: u64 = 8 << 10;

    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    let is_archive = [&b"\x1F\x8B"[..], b"\x28\xB5\x2F\xFD", b"BZh", b"\xFD7zXZ\0", b"WARC/", b"filedesc:"]
        .iter()
        .any(|magic| head.starts_with(magic))
        || head.get(1..4) == Some(b"\x2A\x4D\x18");
    read.is_ok() && !is_archive && head.contains(&0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_archives_are_read() {
        let dir = tempfile::tempdir().unwrap();
        for (content, expected) in [
            (&b"http://a/\n"[..], false),
            (b"", false),
            (b"a\0b", true),
            (b"\x1F\x8B\x08\0", false),
            (b"\x28\xB5\x2F\xFD\0", false),
            (b"\x50\x2A\x4D\x18\0", false),
            (b"BZh91AY&SYabcd\0", false),
            (b"\xFD7zXZ\0", false),
            (b"WARC/1.0\r\n\0", false),
            (b"filedesc://x 0 20260102030405 text/plain 1\n\0", false),
            (b"\x89PNG\r\n\x1A\n\0\0", true),
        ] {
            let path = dir.path().join("file");
            std::fs::write(&path, content).unwrap();
            assert_eq!(is_binary(&path), expected, "{content:?}");
        }
        assert!(!is_binary(&dir.path().join("missing")));
    }
}
