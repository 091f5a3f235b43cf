//! Inputs of any size, cut into records and scanned on all cores, with the results in input order.
//!
//! ```
//! use std::ops::ControlFlow;
//! use urivalidate::corpus::{Chunk, Scanner, ChunkScanner};
//! use urivalidate::{Columns, Grammar, Validator};
//!
//! let list = b"http://example.com/\nwww.example.com\r\n\nurn:isbn:0451450523";
//! let validator = Validator::new(Grammar::Uri);
//! let mut line = 0;
//! let mut errors = Vec::new();
//! Scanner::new().scan_slice(
//!     list,
//!     // On a worker, for each chunk of whole records:
//!     |chunk: &Chunk| {
//!         let mut chunk_scanner = ChunkScanner::default();
//!         let scanned = chunk_scanner.scan(chunk, &validator, Columns::NONE).expect("lines need no memory");
//!         let errors = scanned.batch().invalid().iter().map(|invalid| {
//!             let index = invalid.index as usize;
//!             (scanned.line_number(index).unwrap(), scanned.record(index).unwrap().to_vec(), invalid.error)
//!         });
//!         (scanned.lines(), errors.collect::<Vec<_>>())
//!     },
//!     // On this thread, in input order:
//!     |(lines, found)| {
//!         errors.extend(found.into_iter().map(|(number, record, error)| (line + number + 1, record, error.to_string())));
//!         line += lines;
//!         ControlFlow::<()>::Continue(())
//!     },
//! )?;
//! assert_eq!(line, 4);
//! let numbers: Vec<_> = errors.iter().map(|(line, record, _)| (*line, &record[..])).collect();
//! assert_eq!(numbers, [(2, &b"www.example.com"[..]), (3, b"")]);
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! | module | does |
//! |---|---|
//! | `limits`, `mark` | sizes, and how records end; the byte order mark |
//! | `input` | files and streams, mapped, read or decompressed |
//! | [`format`](mod@format) | log formats: which part of a line is the record |
//! | `cut` | [`Chunk`]: the input, cut into whole lines |
//! | `engine` | [`ChunkScanner`] and [`Scanned`]: a chunk through the engine |
//! | `schedule` | [`Scanner`]: chunks to workers, results in input order |
//! | `reading` | a scanner and a validator that names choose, for packages whose users write names |
//!
//! Each room imports only from the rooms before it.
//!
//! # Records
//!
//! A record ends at LF. One CR right before that LF is not part of it. A last record without LF counts, unless an error ended
//! the input there: then it is invalid, [`Truncated`](crate::ErrorKind::Truncated). An empty line is an empty record, and a
//! UTF-8 byte order mark at the start of an input is skipped. So an input has as many records as lines, and each gets a verdict.
//!
//! # Compressed
//!
//! Files and streams that start with the magic number of gzip (1F 8B), zstd (28 B5 2F FD, or 5x 2A 4D 18, a skippable frame), bzip2 (`BZh`, a
//! digit, 31 41 59 26 53 59, and a block) or xz (FD 37 7A 58 5A 00) are
//! decompressed, if the feature of that name is on, and else an error ([`Unsupported`](std::io::ErrorKind::Unsupported)). No
//! record that any grammar allows starts like this, so a list that does has nothing to lose but an invalid first line. File names do not
//! matter. Records, limits and offsets are those of the decompressed content.
//!
//! An archive may have any number of members (zstd's frames, streams of bzip2 and xz); the end of a member is no end of a line. Only zeros may follow the last gzip
//! member (gzip(1) warns about anything else, and ignores it); a multiple of four zeros may follow a stream of xz. A zstd window and a dictionary of xz
//! have at most 128 MiB (levels up to 19 use 8, xz' level 6 uses 8, 9 uses 64), and a scan needs this memory, too.
//!
//! If decoding has to stop, an error names the byte of the compressed input, counted from 0 (in a zstd block, its first; in bzip2,
//! the first of the stream):
//! [`UnexpectedEof`](std::io::ErrorKind::UnexpectedEof), `truncated gzip data at byte N`, or
//! [`InvalidData`](std::io::ErrorKind::InvalidData), `corrupt gzip data at byte N: REASON`. The bytes before it are scanned; a last
//! record that is cut off by it is invalid ([`Truncated`](crate::ErrorKind::Truncated)). The content of a corrupt member may be wrong
//! before that byte, since its checksum stands at its end.
//!
//! Other inputs that have to be unpacked or decoded first are refused by name ([`Unsupported`](std::io::ErrorKind::Unsupported)): zip, Parquet and Arrow files, text in UTF-16 and UTF-32; where the format is to be detected, archives of tar, too.
//!
//! With more than one thread, workers decode ahead of the scan: many members on as many workers, a single member on one.
//!
//! # Mapped or read
//!
//! Pipes and streams are read, regular files too unless [`Scanner::map_files`] is on. The cost of bringing 1 GB from
//! the page cache beside the scan, on a 2-core x86_64 server (Linux), best of eight runs:
//!
//! | | one thread | two threads |
//! |---|---|---|
//! | mapped, whatever the advice (none, sequential, populate) | 60 ms | 30 ms |
//! | read into one buffer of 1 to 2 MiB | 75 ms | 30 ms |
//! | read into one buffer of 64 to 256 KiB | 90 ms | 30 ms |
//!
//! So mapping saves a few percent of a scan, and the buffers. If a list is not mapped, or mapping is refused, the workers read their chunks
//! themselves, side by side: the thread that cuts off a chunk reads only the bytes around its end, to find the last line. If one thread read each
//! chunk while it cut it off, the others would wait for it, and verdicts took as long on two threads as on one. If a file changes or
//! cannot be read, the scan reads on in order from the first chunk that is not whole.
//!
//! Tried: each worker reads its chunk at its place, and the mapping only serves to find where lines end. With one thread verdicts took a tenth
//! longer; with two they took from as long to a fifth less, on a machine where such figures differ as much from run to run.
//!
//! Only lists are mapped: finding the field in a line of a log takes far longer, and looks more than once at bytes, which must not change
//! meanwhile. The price of mapping is that another process can cut off the file, and touching a page after the new end raises SIGBUS.
//! Therefore a mapping is only a faster way through the whole lines of a file that does not shrink: `map` catches the signal, the scan
//! throws away the chunk that was being scanned, and goes on from its first byte by reading, which finds the end of the file wherever it is
//! now. Reading also takes the last record without LF, and bytes appended meanwhile.

mod cut;
pub(crate) mod engine;
pub mod format;
// The counts are the same on all machines, and an emulator would take long.
#[cfg(all(test, debug_assertions, target_arch = "x86_64"))]
mod growth;
mod input;
mod limits;
mod mark;
pub(crate) mod reading;
pub(crate) mod schedule;

pub use cut::Chunk;
pub use engine::{ChunkScanner, ProblemAt, Scanned};
pub use format::{
    ColumnCount, Evidence, FieldSelector, Format, HeaderRow, Layout, LayoutOptions, LooksLike, Malformed,
    MalformedLine, NoSuchField, Wrapper,
};
#[cfg(feature = "regex")]
pub use format::{Pattern, PatternError};
pub use schedule::{FileEvent, Scanner};
