//! The files to scan.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::args::{Args, is_hyphen};
use crate::standard_stream::StandardStream;
use crate::walk::walk;

/// The files to scan, and the errors of the search for them.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    /// The files, in the order of the scan.
    pub(crate) files: Vec<PathBuf>,
    /// Whether a walk found the file, for each of `files`. The user named the other files.
    pub(crate) is_walked: Vec<bool>,
    /// The number of files that a walk skipped: binary files, links, special files, outputs, and XML without
    /// URLs.
    pub(crate) skipped: u64,
    /// The unreadable paths, each with its error.
    pub(crate) errors: Vec<(PathBuf, io::Error)>,
}

/// Returns the files of the command line, then those that `--files-from` names; standard input if there are
/// no files. With `--recursive`, a directory is replaced by its files, and the default is the current
/// directory.
pub(crate) fn inputs(args: &Args) -> Inputs {
    let mut inputs = Inputs { files: args.files.clone(), ..Inputs::default() };
    match &args.files_from {
        None if inputs.files.is_empty() => inputs.files.push(if args.recursive { "." } else { "-" }.into()),
        None => {}
        Some(list) => {
            if let Err(error) = listed(list, &mut inputs.files) {
                inputs.errors.push((list.clone(), error));
            }
        }
    }
    // If NUL ends records, a NUL does not mean a binary file.
    if args.recursive { inputs.walked(!args.null) } else { inputs }
}

impl Inputs {
    /// Replaces directories by their files.
    fn walked(self, skips_binary: bool) -> Self {
        let mut inputs = Inputs { errors: self.errors, ..Inputs::default() };
        for path in self.files {
            if is_hyphen(&path) || !path.is_dir() {
                inputs.files.push(path);
                inputs.is_walked.push(false);
                continue;
            }
            let walked = walk(&path, skips_binary);
            inputs.files.extend(walked.files);
            inputs.is_walked.resize(inputs.files.len(), true);
            inputs.skipped += walked.skipped;
            inputs.errors.extend(walked.errors);
        }
        inputs
    }

    /// Removes files that a walk found and for which `is_such` is true.
    pub(crate) fn skip_walked(&mut self, is_such: impl Fn(&Path) -> bool) {
        let before = self.files.len();
        self.is_walked.resize(before, false);
        let mut is_walked = self.is_walked.iter();
        let is_kept: Vec<_> =
            self.files.iter().map(|file| !(is_walked.next() == Some(&true) && is_such(file))).collect();
        let mut kept = is_kept.iter();
        self.files.retain(|_| kept.next() == Some(&true));
        let mut kept = is_kept.iter();
        self.is_walked.retain(|_| kept.next() == Some(&true));
        self.skipped += (before - self.files.len()) as u64;
    }
}

/// Appends the files that a list names.
fn listed(list: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let is_stdin = is_hyphen(list);
    let text = read(list, is_stdin)?;
    let listed = names(&text).map(path).collect::<io::Result<Vec<_>>>()?;
    if listed.is_empty() {
        return Err(io::Error::other("the list names no files"));
    }
    files.extend(listed);
    if is_stdin && files.iter().any(|file| is_hyphen(file)) {
        files.retain(|file| !is_hyphen(file));
        return Err(io::Error::other("standard input is the list of files, and cannot be one of them"));
    }
    Ok(())
}

fn read(list: &Path, is_stdin: bool) -> io::Result<Vec<u8>> {
    if !is_stdin {
        return fs::read(list);
    }
    StandardStream::Stdin.check()?;
    let mut text = Vec::new();
    io::stdin().lock().read_to_end(&mut text)?;
    Ok(text)
}

/// Returns the names in a list, without empty names. If the list has a NUL, which no name can have, each name
/// ends with NUL; otherwise each line is a name.
fn names(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let separator = if text.contains(&0) { 0 } else { b'\n' };
    let names = text.split(move |&byte| byte == separator);
    names
        .map(move |name| if separator == b'\n' { name.strip_suffix(b"\r").unwrap_or(name) } else { name })
        .filter(|name| !name.is_empty())
}

#[cfg(unix)]
fn path(name: &[u8]) -> io::Result<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Ok(Path::new(std::ffi::OsStr::from_bytes(name)).to_owned())
}

#[cfg(not(unix))]
fn path(name: &[u8]) -> io::Result<PathBuf> {
    match str::from_utf8(name) {
        Ok(name) => Ok(name.into()),
        Err(_) => Err(io::Error::other(format!("the name {} is not UTF-8", name.escape_ascii()))),
    }
}
