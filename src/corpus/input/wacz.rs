//! The web archives in a [WACZ file][wacz], which is a zip archive: the entries `archive/….warc.gz` and the
//! like, one after the other.
//!
//! They are read in place, and nothing is unpacked to a disk. Their bytes are mostly stored as they are. Only
//! the directory at the end of the zip archive is read to find them ([APPNOTE.TXT][zip] section 4.3), also
//! one of ZIP64.
//!
//! The reader is our own: the crate `zip`, which is well kept, brings eight other crates, most of them for
//! encryption, names of paths and writing. A directory and two ways to store bytes need none of them.
//!
//! [wacz]: https://specs.webrecorder.net/wacz/1.1.1/
//! [zip]: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT

use std::io::{self, ErrorKind, Read};
use std::ops::Range;

use super::decompress::{Compression, peek};
use super::watch::FileWatch;
use crate::memory;
use crate::work::{looked_at, memmem};

/// The start of an entry, of the directory's description of an entry, and of the record at the end.
const ENTRY: &[u8] = b"PK\x03\x04";
const DESCRIPTION: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";
/// The same for ZIP64, and the place of its record.
const END_64: &[u8] = b"PK\x06\x06";
const LOCATOR_64: &[u8] = b"PK\x06\x07";

/// The lengths of these in bytes, without names and comments.
const ENTRY_LEN: usize = 30;
const DESCRIPTION_LEN: usize = 46;
const END_LEN: usize = 22;
const END_64_LEN: usize = 56;
const LOCATOR_64_LEN: usize = 20;

/// The names of archives.
const ARCHIVES: [&[u8]; 5] = [b".warc", b".warc.gz", b".warc.zst", b".arc", b".arc.gz"];

/// The web archives in a file.
#[derive(Debug)]
pub(crate) struct Wacz(Vec<Part>);

/// The bytes of an archive in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    bytes: Range<u64>,
    is_deflated: bool,
}

impl Wacz {
    /// Finds the archives in a file that starts with `head`. `None` if it is no zip archive with web archives
    /// in it.
    ///
    /// # Errors
    ///
    /// Returns an error if the zip archive is broken, or if its archives cannot be read one after the other.
    pub(crate) fn of(head: &[u8], file: &FileWatch<'_>) -> io::Result<Option<Self>> {
        if !head.starts_with(ENTRY) {
            return Ok(None);
        }
        let Some(directory) = directory(file)? else { return Ok(None) };
        let mut parts = Vec::new();
        let mut rest = &directory[..];
        while let Some((entry, after)) = Description::first(rest) {
            looked_at(rest.len() - after.len());
            rest = after;
            if entry.is_archive() {
                parts.push(entry.part(file)?);
            }
        }
        let wacz = Wacz(parts);
        wacz.check_kinds(file)?;
        Ok((!wacz.0.is_empty()).then_some(wacz))
    }

    /// Returns a reader of the archives, one after the other.
    pub(crate) fn reader<'f>(&self, file: &'f FileWatch<'f>) -> impl Read + Send + use<'f> {
        let parts = self.0.clone().into_iter();
        Archives { parts: parts.map(move |part| part.reader(file)), open: None }
    }

    /// Checks that one decoder can read all archives.
    fn check_kinds(&self, file: &FileWatch<'_>) -> io::Result<()> {
        let mut kinds = self.0.iter().map(|part| {
            let (head, _) = peek(&mut part.reader(file)?);
            Ok::<_, io::Error>(Compression::of(&head))
        });
        let Some(first) = kinds.next().transpose()? else { return Ok(()) };
        for kind in kinds {
            if kind? != first || matches!(first, Some(Compression::Zstd(Some(_)))) {
                let message = "archives in a WACZ file that are not compressed alike: take them out first, for example with unzip";
                return Err(io::Error::new(ErrorKind::Unsupported, message));
            }
        }
        Ok(())
    }
}

/// Reads archives one after the other.
struct Archives<'f, I> {
    parts: I,
    open: Option<Box<dyn Read + Send + 'f>>,
}

impl<'f, I: Iterator<Item = io::Result<Box<dyn Read + Send + 'f>>>> Read for Archives<'f, I> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let open = match &mut self.open {
                Some(open) => open,
                None => match self.parts.next() {
                    Some(next) => self.open.insert(next?),
                    None => return Ok(0),
                },
            };
            match open.read(buffer)? {
                0 => self.open = None,
                count => return Ok(count),
            }
        }
    }
}

impl Part {
    fn reader<'f>(&self, file: &'f FileWatch<'f>) -> io::Result<Box<dyn Read + Send + 'f>> {
        let stored = Stored { file, bytes: self.bytes.clone() };
        if !self.is_deflated {
            return Ok(Box::new(stored));
        }
        #[cfg(feature = "gzip")]
        return Ok(Box::new(flate2::read::DeflateDecoder::new(stored)));
        #[cfg(not(feature = "gzip"))]
        Err(io::Error::new(
            ErrorKind::Unsupported,
            "a deflated archive, which this build cannot read: take it out first",
        ))
    }
}

/// Reads these bytes of a file.
struct Stored<'f> {
    file: &'f FileWatch<'f>,
    bytes: Range<u64>,
}

impl Read for Stored<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.bytes.end - self.bytes.start;
        let len = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let (count, result) = self.file.read_at(&mut buffer[..len], self.bytes.start);
        self.file.look();
        result?;
        if count < len {
            return Err(cut_off());
        }
        self.bytes.start += count as u64;
        Ok(count)
    }
}

/// The description of an entry in the directory.
struct Description<'d> {
    fixed: &'d [u8],
    name: &'d [u8],
    extra: &'d [u8],
}

impl<'d> Description<'d> {
    /// Returns the first description, and the bytes after it.
    fn first(directory: &'d [u8]) -> Option<(Self, &'d [u8])> {
        let (fixed, rest) = directory.split_at_checked(DESCRIPTION_LEN)?;
        if !fixed.starts_with(DESCRIPTION) {
            return None;
        }
        let [name, extra, comment] = [28, 30, 32].map(|at| u16_at(fixed, at));
        let (name, rest) = rest.split_at_checked(name.into())?;
        let (extra, rest) = rest.split_at_checked(extra.into())?;
        let rest = rest.get(usize::from(comment)..)?;
        Some((Description { fixed, name, extra }, rest))
    }

    fn is_archive(&self) -> bool {
        let name = self.name.to_ascii_lowercase();
        name.starts_with(b"archive/") && ARCHIVES.iter().any(|end| name.ends_with(end))
    }

    /// Returns the place of the entry's bytes.
    fn part(&self, file: &FileWatch<'_>) -> io::Result<Part> {
        const STORED: u16 = 0;
        const DEFLATED: u16 = 8;
        const ENCRYPTED: u16 = 1;

        let method = u16_at(self.fixed, 10);
        if u16_at(self.fixed, 8) & ENCRYPTED != 0 || !matches!(method, STORED | DEFLATED) {
            let message =
                "an archive in a WACZ file that is encrypted or compressed in a rare way: take it out first";
            return Err(io::Error::new(ErrorKind::Unsupported, message));
        }
        let (len, start) = self.place().ok_or_else(broken)?;
        let mut entry = [0; ENTRY_LEN];
        let (count, result) = file.read_at(&mut entry, start);
        result?;
        if count < ENTRY_LEN || !entry.starts_with(ENTRY) {
            return Err(broken());
        }
        let before = ENTRY_LEN as u64 + u64::from(u16_at(&entry, 26)) + u64::from(u16_at(&entry, 28));
        let start = start.checked_add(before).ok_or_else(broken)?;
        let end = start.checked_add(len).filter(|&end| end <= file.len()).ok_or_else(cut_off)?;
        Ok(Part { bytes: start..end, is_deflated: method == DEFLATED })
    }

    /// Returns the number of bytes and the start of the entry. In ZIP64, a field holds those of them that are
    /// too large for four bytes.
    fn place(&self) -> Option<(u64, u64)> {
        const ZIP_64: u16 = 1;

        let [len, whole_len, start] = [20, 24, 42].map(|at| u32_at(self.fixed, at));
        let mut extra = self.extra;
        let mut large: &[u8] = b"";
        while let Some((head, rest)) = extra.split_at_checked(4) {
            let (field, rest) = rest.split_at_checked(u16_at(head, 2).into())?;
            if u16_at(head, 0) == ZIP_64 {
                large = field;
            }
            extra = rest;
        }
        let mut next = |small: u32| {
            if small != u32::MAX {
                return Some(u64::from(small));
            }
            let (value, rest) = large.split_at_checked(8)?;
            large = rest;
            Some(u64_at(value, 0))
        };
        next(whole_len)?;
        Some((next(len)?, next(start)?))
    }
}

/// Reads the directory of a zip archive. `None` if the file does not end like one.
fn directory(file: &FileWatch<'_>) -> io::Result<Option<Vec<u8>>> {
    /// The longest comment at the end, in bytes.
    const COMMENT: usize = u16::MAX as usize;
    /// The longest directory in bytes.
    const LONGEST: u64 = 64 << 20;

    let tail_len =
        (END_LEN + COMMENT + LOCATOR_64_LEN).min(usize::try_from(file.len()).unwrap_or(usize::MAX));
    let tail = read(file, file.len() - tail_len as u64, tail_len)?;
    let is_end = |at: &usize| {
        let end = &tail[*at..];
        end.len() >= END_LEN && end.len() == END_LEN + usize::from(u16_at(end, 20))
    };
    let Some(at) = memmem::find_iter(&tail, END).filter(is_end).last() else { return Ok(None) };
    let end = &tail[at..];
    let (mut len, mut start) = (u64::from(u32_at(end, 12)), u64::from(u32_at(end, 16)));
    let locator = at.checked_sub(LOCATOR_64_LEN).map(|locator| &tail[locator..at]);
    if let Some(locator) = locator.filter(|locator| locator.starts_with(LOCATOR_64)) {
        let end = read(file, u64_at(locator, 8), END_64_LEN)?;
        if !end.starts_with(END_64) {
            return Err(broken());
        }
        (len, start) = (u64_at(&end, 40), u64_at(&end, 48));
    }
    if len > LONGEST {
        return Err(broken());
    }
    read(file, start, len as usize).map(Some)
}

/// Reads this number of bytes of a file.
fn read(file: &FileWatch<'_>, at: u64, len: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    memory::try_reserve_exact(&mut bytes, len).map_err(|_| ErrorKind::OutOfMemory)?;
    bytes.resize(len, 0);
    let (count, result) = file.read_at(&mut bytes, at);
    result?;
    if count < len { Err(cut_off()) } else { Ok(bytes) }
}

fn broken() -> io::Error {
    io::Error::new(ErrorKind::InvalidData, "a broken zip archive")
}

fn cut_off() -> io::Error {
    io::Error::new(ErrorKind::UnexpectedEof, "a truncated zip archive")
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16_at(bytes, at)) | u32::from(u16_at(bytes, at + 2)) << 16
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}
