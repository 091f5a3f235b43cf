//! Decides which files of a walk are inputs: those whose name or first bytes tell their format.
//!
//! The other text files of a folder, such as sources and style sheets, are no lists of URIs, and judging
//! their lines would report each of them. A list is an input only if its name allows it and most of its lines
//! begin with a scheme. Files are looked at on all threads, because each is opened once.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use urivalidate::corpus::{Chunk, ChunkScanner, Format, Input, Scanner};
use urivalidate::{Columns, Validator};

use crate::args::{Args, From};
use crate::plan::Plan;
use crate::shown::Shown;

/// The result of a look at a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// An input. An error is reported when the file is scanned.
    Input,
    /// A binary file, or a file that surely has no records.
    Other,
    /// A text file without a format.
    NoFormat,
}

/// The numbers of files without a format, by their extensions.
#[derive(Debug, Default)]
pub(crate) struct UnknownFiles {
    by_extension: HashMap<Option<String>, u64>,
}

impl UnknownFiles {
    pub(crate) fn add(&mut self, file: &Path) {
        let extension = file.extension().map(|extension| extension.to_string_lossy().into_owned());
        *self.by_extension.entry(extension).or_default() += 1;
    }

    /// Returns the number of files.
    pub(crate) fn count(&self) -> u64 {
        self.by_extension.values().sum()
    }

    /// Returns one sentence that counts the files, the most frequent extension first.
    pub(crate) fn sentence(&self) -> Option<String> {
        /// The most extensions that are named.
        const MOST: usize = 12;

        let mut counts: Vec<_> = self.by_extension.iter().collect();
        counts.sort_by(|(one, few), (other, many)| many.cmp(few).then(one.cmp(other)));
        let rest: u64 = counts.iter().skip(MOST).map(|(_, count)| **count).sum();
        let named = counts.iter().take(MOST).map(|(extension, count)| match extension {
            Some(extension) => format!("{count} .{}", Shown::new(extension.as_bytes())),
            None => format!("{count} without extension"),
        });
        let parts: Vec<_> = named.chain((rest > 0).then(|| format!("{rest} others"))).collect();
        (!parts.is_empty()).then(|| format!("{}: no format; --from reads them", parts.join(", ")))
    }
}

/// Looks at each of these files; `None` stands for a file that the user named, which is an input.
pub(crate) fn look_at_all(files: &[Option<&Path>], plan: &Plan, args: &Args) -> Vec<Found> {
    /// The number of files that a thread takes at a time.
    const SOME: usize = 64;

    let looks = Looks {
        detects: plan.reading.format().is_none(),
        needs_format: matches!(args.from, From::Auto) && !args.null,
        // If NUL ends records, a NUL does not mean a binary file.
        skips_binary: !args.null,
        scanner: plan.reading.scanner().threads(1).chunk_size(HEAD),
    };
    let look = |file: &Option<&Path>| file.map_or(Found::Input, |file| looks.at(file));
    let threads = plan.scanner.thread_count().min(files.len().div_ceil(SOME));
    if threads < 2 {
        return files.iter().map(look).collect();
    }
    let mut found = vec![Found::Input; files.len()];
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let first = next.fetch_add(SOME, Ordering::Relaxed);
            let Some(some) = files.get(first..).filter(|rest| !rest.is_empty()) else { return done };
            done.push((first, some.iter().take(SOME).map(look).collect::<Vec<_>>()));
        }
    };
    thread::scope(|scope| {
        let others: Vec<_> =
            (1..threads).map_while(|_| thread::Builder::new().spawn_scoped(scope, work).ok()).collect();
        let own = work();
        let all = others.into_iter().flat_map(|other| other.join().expect("a look does not panic"));
        for (first, some) in own.into_iter().chain(all) {
            found[first..first + some.len()].copy_from_slice(&some);
        }
    });
    found
}

/// The number of bytes that a look reads.
const HEAD: usize = 64 << 10;

/// The way to look at files.
struct Looks {
    /// Whether the format of each file is detected.
    detects: bool,
    /// Whether a file without a format is skipped. Otherwise the user says how files are read.
    needs_format: bool,
    skips_binary: bool,
    scanner: Scanner,
}

impl Looks {
    fn at(&self, path: &Path) -> Found {
        if self.skips_binary && is_binary(path) || self.detects && has_no_records(path) {
            return Found::Other;
        }
        if !self.needs_format || Format::by_name(path).is_some_and(is_sure_by_name) {
            return Found::Input;
        }
        let head =
            self.scanner.scan_input(Input::path(path), |chunk| self.tells(path, chunk), ControlFlow::Break);
        match head {
            Ok(Some(false)) => Found::NoFormat,
            // An empty file needs no format.
            Ok(Some(true) | None) => Found::Input,
            // Files that have to be unpacked first are binary.
            Err(error) if error.kind() == io::ErrorKind::Unsupported => Found::Other,
            Err(_) => Found::Input,
        }
    }

    /// Returns true if the first bytes of a file, or its name, tell its format.
    fn tells(&self, path: &Path, chunk: &Chunk<'_>) -> bool {
        let (format, is_by_name) = (chunk.layout().format(), Format::by_name(path).is_some());
        match format {
            // A log of findings is about files, and repeats their URIs.
            _ if path.extension().is_some_and(|extension| extension == "sarif") => false,
            Format::Lines => may_be_list(path) && is_list(chunk.bytes()),
            Format::Html => !is_template(chunk),
            // Objects and lists of pairs also look like code.
            _ if !is_by_name && format.has_key_in_lines() => has_record(chunk, |_| true),
            // Sources have such texts in their comments.
            Format::Asciidoc | Format::Rst => is_by_name || may_be_list(path),
            _ => true,
        }
    }
}

/// Returns true if a page has links with the marks of a template: the program that fills them in makes the
/// links.
fn is_template(chunk: &Chunk<'_>) -> bool {
    const MARKS: [&[u8]; 4] = [b"{{", b"{%", b"<%", b"<?"];

    has_record(chunk, |link| MARKS.iter().any(|&mark| link.windows(mark.len()).any(|bytes| bytes == mark)))
}

/// Returns true if a chunk has a record for which `is_such` is true. If memory is lacking, the scan says so.
fn has_record(chunk: &Chunk<'_>, is_such: impl Fn(&[u8]) -> bool) -> bool {
    let validator = Validator::new(chunk.layout().grammar());
    let mut chunk_scanner = ChunkScanner::default();
    let scanned = chunk_scanner.scan(chunk, &validator, Columns::RECORDS);
    scanned.is_ok_and(|scanned| (0..scanned.len()).any(|index| scanned.record(index).is_some_and(&is_such)))
}

/// Returns true if any text of a file with such a name has this format.
fn is_sure_by_name(format: Format) -> bool {
    use Format::{Asciidoc, Mail, Markdown, Mdx, Quarto, Rst};
    matches!(format, Asciidoc | Mail | Markdown | Mdx | Quarto | Rst)
}

/// Returns true if lists and texts have such names. The extension of a compressed file comes after its own.
fn may_be_list(path: &Path) -> bool {
    const COMPRESSED: [&str; 6] = ["gz", "bgz", "zst", "zstd", "bz2", "xz"];
    const LISTS: [&str; 3] = ["txt", "lst", "urls"];

    let is_one_of =
        |names: &[&str], extension: &OsStr| names.iter().any(|name| extension.eq_ignore_ascii_case(name));
    match path.extension() {
        None => true,
        Some(last) if is_one_of(&COMPRESSED, last) => path
            .file_stem()
            .is_some_and(|inner| Path::new(inner).extension().is_none_or(|own| is_one_of(&LISTS, own))),
        Some(last) => is_one_of(&LISTS, last),
    }
}

/// Returns true if most lines begin with a scheme. Blank lines do not count.
fn is_list(bytes: &[u8]) -> bool {
    let (mut uris, mut others) = (0_usize, 0_usize);
    // The last line of a chunk is whole.
    for line in bytes.split(|&byte| byte == b'\n') {
        if begins_with_scheme(line) {
            uris += 1;
        } else if !line.trim_ascii().is_empty() {
            others += 1;
        }
    }
    uris > others
}

/// Returns true if a line begins with a scheme, its colon and another character. A space after the colon
/// follows the name of a field: `Name: text`.
fn begins_with_scheme(line: &[u8]) -> bool {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    let is_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let Some(colon) = line.iter().position(|byte| !is_scheme(byte)) else { return false };
    line[0].is_ascii_alphabetic()
        && line[colon] == b':'
        && line.get(colon + 1).is_some_and(|byte| !byte.is_ascii_whitespace())
}

/// Returns true if a file surely has no records.
fn has_no_records(path: &Path) -> bool {
    let Some(format) = Format::by_name(path) else { return false };
    File::open(path).and_then(|mut file| format.has_no_records(&mut file)).unwrap_or(false)
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
    fn lists_have_names_and_lines_of_lists() {
        for (name, expected) in [
            ("list", true),
            ("d.d/list", true),
            ("a.TXT", true),
            ("a.lst", true),
            ("a.urls.zst", true),
            ("a.gz", true),
            ("a.css", false),
            ("a.css.gz", false),
            ("a.py", false),
        ] {
            assert_eq!(may_be_list(Path::new(name)), expected, "{name}");
        }
        for (text, expected) in [
            ("http://a/\nurn:a\r\nmailto:a@b", true),
            ("\u{FEFF}http://a/", true),
            ("# list\n\nhttp://a/\nhttp://b/\n", true),
            ("# list\nhttp://a/\n", false),
            ("http://a/\nb\n", false),
            ("Name: a\nLicense: b\n", false),
            ("flask==1\nwerkzeug>=2\n", false),
            ("all: a\n\ta\nclean:\n", false),
            ("www.example.com\n", false),
            (":\n1:2\n", false),
            ("", false),
        ] {
            assert_eq!(is_list(text.as_bytes()), expected, "{text:?}");
        }
    }

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
