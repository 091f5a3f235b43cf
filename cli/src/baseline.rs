//! The baseline of a run: the findings that do not fail it.
//!
//! A baseline is a text: a comment, and for each finding a line with the file, the kind, the record and how
//! often it is there, separated by tabs. It has no line numbers and is sorted, so that few lines change with
//! the documents. Files are relative to the folder of the baseline. Equal findings are counted.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::paths::path_of;
use crate::standard_stream::{StandardStream, is_descriptor};

/// The first line of a baseline.
const HEAD: &str = "# Findings that do not fail a run of urivalidate: file, kind, record, count";

/// A finding, without its place in the file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub(crate) file: Vec<u8>,
    pub(crate) kind: String,
    pub(crate) record: Vec<u8>,
}

/// The number of each finding.
pub(crate) type Counts = BTreeMap<Key, u64>;

/// Reads a baseline.
///
/// # Errors
///
/// Returns the error of the file, or one that names a faulty line.
pub(crate) fn read(path: &Path) -> io::Result<Counts> {
    let text = fs::read(path)?;
    let mut counts = Counts::new();
    for (number, line) in (1..).zip(text.split(|&byte| byte == b'\n')) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        let Some((key, count)) = parsed(line) else {
            let message = format!("line {number} is not a file, a kind, a record and a count between tabs");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        };
        let all: &mut u64 = counts.entry(key).or_default();
        *all = all.saturating_add(count);
    }
    Ok(counts)
}

fn parsed(line: &[u8]) -> Option<(Key, u64)> {
    let mut cells = line.split(|&byte| byte == b'\t');
    let (file, kind, record, count) = (cells.next()?, cells.next()?, cells.next()?, cells.next()?);
    let count = str::from_utf8(count).ok()?.parse().ok()?;
    let kind = String::from_utf8(unescaped(kind)?).ok()?;
    let key = Key { file: unescaped(file)?, kind, record: unescaped(record)? };
    cells.next().is_none().then_some((key, count))
}

/// Returns the text of a baseline with these findings.
pub(crate) fn written(counts: &Counts) -> Vec<u8> {
    let mut text = format!("{HEAD}\n");
    for (Key { file, kind, record }, count) in counts {
        text += &format!("{}\t{kind}\t{}\t{count}\n", escaped(file), escaped(record));
    }
    text.into_bytes()
}

/// Returns a cell with backslashes and controls as `\xHH`, and with bytes that are not UTF-8 as well. A first
/// `#` would start a comment.
fn escaped(cell: &[u8]) -> String {
    let mut text = String::new();
    for chunk in cell.utf8_chunks() {
        for char in chunk.valid().chars() {
            if char.is_control() || char == '\\' || text.is_empty() && char == '#' {
                char.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| text += &format!("\\x{byte:02X}"));
            } else {
                text.push(char);
            }
        }
        chunk.invalid().iter().for_each(|byte| text += &format!("\\x{byte:02X}"));
    }
    text
}

fn unescaped(cell: &[u8]) -> Option<Vec<u8>> {
    let mut parts = cell.split(|&byte| byte == b'\\');
    let mut bytes = parts.next().unwrap_or_default().to_vec();
    for part in parts {
        let digits = part.strip_prefix(b"x")?.get(..2)?;
        bytes.push(u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?);
        bytes.extend_from_slice(&part[3..]);
    }
    Some(bytes)
}

/// The folder of a baseline.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Returns the folder of this baseline. An open descriptor has no folder, and paths are then relative to
    /// the current directory.
    pub(crate) fn of(baseline: &Path) -> Self {
        let is_open = is_descriptor(baseline) || StandardStream::of(baseline).is_some();
        // What a link names is read, and is replaced.
        let target = fs::canonicalize(baseline).ok().filter(|_| !is_open);
        let whole = target.unwrap_or_else(|| whole(if is_open { Path::new("baseline") } else { baseline }));
        Folder(whole.parent().unwrap_or(Path::new("")).to_owned())
    }

    /// Returns the path of a file relative to this folder, with slashes.
    pub(crate) fn relative(&self, file: &Path) -> Vec<u8> {
        let file = whole(file);
        let (mut above, mut own) = (self.0.components().peekable(), file.components().peekable());
        while above.peek().is_some() && above.peek() == own.peek() {
            above.next();
            own.next();
        }
        let names = above.map(|_| &b".."[..]).chain(own.map(|part| part.as_os_str().as_encoded_bytes()));
        names.collect::<Vec<_>>().join(&b'/')
    }

    /// Returns true if the file is there.
    pub(crate) fn has(&self, file: &[u8]) -> bool {
        path_of(file).is_ok_and(|file| self.0.join(file).exists())
    }
}

/// Returns the absolute path, without `.` and `..`. Links to directories are followed, so that a directory has
/// one name. A file may not exist.
fn whole(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let real = |directory: &Path| {
        let rest = path.strip_prefix(directory).ok()?;
        Some(without_dots(&fs::canonicalize(directory).ok()?.join(rest)))
    };
    path.ancestors().skip(1).find_map(real).unwrap_or_else(|| without_dots(&path))
}

/// Returns a path without `.` and `..`, none of which comes after a link.
fn without_dots(path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = whole.pop(),
            Component::CurDir => {}
            part => whole.push(part),
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_baseline_is_read_as_it_was_written() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("baseline");
        let mut counts = Counts::new();
        for (file, record, count) in [
            (&b"#a.md"[..], &b"b c"[..], 2),
            (b"../a\tb", b"\xFF\t\\x\n#", 1),
            ("é".as_bytes(), "é\u{85}".as_bytes(), 7),
            (b"\xFE", b"", 1),
            (b"\xFF", b"", 1),
        ] {
            let key = Key { file: file.to_owned(), kind: "space".to_owned(), record: record.to_owned() };
            counts.insert(key, count);
        }
        fs::write(&path, written(&counts)).unwrap();
        assert_eq!(read(&path).unwrap(), counts);
        for faulty in ["a", "a\tb\tc", "a\tb\tc\td", "a\tb\tc\t1\t2", "a\tb\t\\x1\t1", "a\tb\t\\q11\t1"] {
            fs::write(&path, format!("# a\n{faulty}\n")).unwrap();
            assert!(read(&path).unwrap_err().to_string().starts_with("line 2 is not"), "{faulty}");
        }
    }

    #[test]
    fn files_are_relative_to_the_folder() {
        for (baseline, file, expected) in [
            ("baseline", "docs/a.md", "docs/a.md"),
            ("baseline", "./docs/../a.md", "a.md"),
            ("docs/baseline", "docs/a.md", "a.md"),
            ("ci/baseline", "docs/a.md", "../docs/a.md"),
            ("/ci/baseline", "/docs/a.md", "../docs/a.md"),
        ] {
            let relative = Folder::of(Path::new(baseline)).relative(Path::new(file));
            assert_eq!(str::from_utf8(&relative), Ok(expected));
        }
    }
}
