//! The files to scan.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::args::{Args, is_hyphen};
use crate::standard_stream::StandardStream;

/// The files in the order in which they are scanned: those of the command line, then those that `--files-from` names;
/// standard input if nothing is named. Also whether that list could be read.
pub(crate) fn inputs(args: &Args) -> (Vec<PathBuf>, io::Result<()>) {
    let mut files = args.files.clone();
    let Some(list) = &args.files_from else {
        if files.is_empty() {
            files.push("-".into());
        }
        return (files, Ok(()));
    };
    let is_stdin = is_hyphen(list);
    let status = read(list, is_stdin).and_then(|text| {
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
    });
    (files, status)
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

/// The names in a list, without empty ones: one a line, or where there is any NUL, which no name can have, NUL behind each.
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
