//! All ways into the corpus reader: from memory, from a stream, from a stream that ends with an error, from a
//! file that is read, and from a file that is mapped; on one thread and on three.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::ops::ControlFlow;

use urivalidate::corpus::{Chunk, Layout, Scanner};

use crate::knobs::Knobs;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    Memory,
    Stream,
    /// A stream that ends with an error.
    Broken,
    File,
    Mapping,
}

/// A way into the corpus reader.
#[derive(Debug)]
pub struct Way {
    pub from: From,
    knobs: Knobs,
    scanner: Scanner,
}

/// The results of a scan.
#[derive(Debug)]
pub struct Found<T> {
    /// The job's result for each chunk.
    pub values: Vec<T>,
    /// The result of the scan, or `None` if it stopped before the end.
    pub end: Option<io::Result<()>>,
}

thread_local! {
    /// The scanners with their threads. They are kept, so that inputs do not start threads.
    static SCANNERS: RefCell<[Option<Scanner>; 2]> =
        RefCell::new([1, 3].map(|threads| Some(Scanner::new().threads(threads))));
}

/// Calls `take` with each way, with these sizes and limits.
pub fn each(knobs: Knobs, take: impl FnMut(&Way)) {
    each_with(knobs, |scanner| scanner.layout(Layout::lines()), take);
}

/// Calls `take` with each way, with scanners that `format` has set up.
pub fn each_with(knobs: Knobs, format: impl Fn(Scanner) -> Scanner, mut take: impl FnMut(&Way)) {
    SCANNERS.with_borrow_mut(|scanners| {
        for place in scanners {
            for from in [From::Memory, From::Stream, From::Broken, From::File, From::Mapping] {
                let scanner = place.take().expect("it was put back");
                let scanner = scanner.chunk_size(knobs.chunk_size).max_record(knobs.max_record);
                let scanner = scanner.terminator(knobs.terminator).trim(knobs.trim).number_lines(true);
                // SAFETY: nobody changes the files of a fuzzer.
                let scanner = unsafe { scanner.map_files(from == From::Mapping) };
                let way = Way { from, knobs, scanner: format(scanner) };
                take(&way);
                *place = Some(way.scanner);
            }
        }
    });
}

impl<T> Found<T> {
    /// Whether the reader rejects the input because another program has to open it first. From memory, the
    /// reader accepts it unchanged.
    pub fn is_refused(&self) -> bool {
        matches!(&self.end, Some(Err(error)) if error.kind() == io::ErrorKind::Unsupported)
    }
}

impl Way {
    /// Whether this way decompresses an input with this start.
    pub fn decompresses(&self, input: &[u8]) -> bool {
        let gzip = input.starts_with(b"\x1F\x8B");
        let zstd = input.starts_with(b"\x28\xB5\x2F\xFD");
        let skippable = matches!(input, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..]);
        let xz = input.starts_with(b"\xFD7zXZ\0");
        // A block follows, or the end of the archive. The fifth byte after a block's magic number is never
        // text.
        let bzip2 = match input {
            [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..] => {
                rest.starts_with(b"\x17\x72\x45\x38\x50\x90")
                    || rest.starts_with(b"1AY&SY") && rest.get(10).is_some_and(|byte| byte & 0x78 == 0)
            }
            _ => false,
        };
        self.from != From::Memory && (gzip || zstd || skippable || xz || bzip2)
    }

    /// Scans the input, and collects the job's result for each chunk.
    pub fn scan<T: Send>(&self, input: &[u8], job: impl Fn(&Chunk<'_>) -> T + Sync) -> Found<T> {
        self.scan_until(input, job, |_| false)
    }

    /// Scans the input like [`scan`](Self::scan), and stops after the first result that is `enough`.
    pub fn scan_until<T: Send>(
        &self,
        input: &[u8],
        job: impl Fn(&Chunk<'_>) -> T + Sync,
        mut enough: impl FnMut(&T) -> bool,
    ) -> Found<T> {
        let mut values = Vec::new();
        let sink = |value| {
            let is_enough = enough(&value);
            values.push(value);
            if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let pieces = Pieces { rest: input, piece: self.knobs.piece, breaks: self.from == From::Broken };
        let end = match self.from {
            From::Memory => self.scanner.scan_slice(input, job, sink),
            From::Stream | From::Broken => self.scanner.scan_reader(pieces, job, sink),
            From::File | From::Mapping => self.scanner.scan_file(file_of(input), job, sink),
        };
        let end = match end {
            Ok(Some(())) => None,
            Ok(None) => Some(Ok(())),
            Err(error) => Some(Err(error)),
        };
        Found { values, end }
    }
}

/// A stream that returns few bytes at once.
struct Pieces<'a> {
    rest: &'a [u8],
    piece: usize,
    /// Whether an error ends the stream.
    breaks: bool,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (now, rest) = self.rest.split_at(self.piece.min(buffer.len()).min(self.rest.len()));
        if now.is_empty() && self.breaks {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        buffer[..now.len()].copy_from_slice(now);
        self.rest = rest;
        Ok(now.len())
    }
}

/// A file with these bytes that has been deleted.
fn file_of(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().expect("a temporary file");
    file.write_all(bytes).expect("room for it");
    file.rewind().expect("a regular file");
    file
}
