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
//! | `remedy`, `trial`, `advice` | another way to read an input whose lines do not fit their format, tried on its first lines |
//! | `fit` | counts the lines that do not fit the format of their input |
//! | `schedule` | [`Scanner`]: chunks to workers, results in input order |
//! | `reading` | [`Reading`]: the way to read files and to judge their records |
//! | `pull` | [`Records`], [`Pull`]: the results of a scan on threads of its own, pulled one by one |
//!
//! Each module imports only from the modules before it.
//!
//! # Records
//!
//! A record ends at LF. One CR right before that LF is not part of the record. A last record without LF
//! counts. If an error ended the input within it, it is invalid: [`Truncated`](crate::ErrorKind::Truncated).
//! An empty line is an empty record. A UTF-8 byte order mark at the start of an input is skipped. So an input
//! has as many records as lines, and each record gets a verdict.
//!
//! # Compressed
//!
//! Files and streams are decompressed if they start with the magic number of gzip (1F 8B), zstd (28 B5 2F FD,
//! or 5x 2A 4D 18, a skippable frame), bzip2 (`BZh`, a digit, 31 41 59 26 53 59, and a block) or xz (FD 37 7A
//! 58 5A 00) and the feature of that name is on, or `zstd-rust` or `xz-rust`. If the feature is off, they are
//! an error ([`Unsupported`](std::io::ErrorKind::Unsupported)). No grammar allows a record that starts with
//! such a magic number, so a list that starts with one loses no valid record. File names do not matter.
//! Records, limits and offsets refer to the decompressed content.
//!
//! An archive may have any number of members (gzip members, zstd frames, bzip2 streams, xz streams). The end
//! of a member does not end a line. Only zeros may follow the last gzip member (gzip(1) warns about anything
//! else, and ignores it). A multiple of four zeros may follow an xz stream. A zstd window and an xz
//! dictionary have at most 128 MiB (levels up to 19 use 8 MiB; xz' level 6 uses 8, its level 9 uses 64), and
//! a scan needs this memory, too.
//!
//! If the first frame is a skippable frame `5D 2A 4D 18` that holds a zstd dictionary of at most 8 MiB,
//! compressed or not, the other frames are decoded with it, as in `.warc.zst` files.
//!
//! If decoding has to stop, an error names the byte of the compressed input, counted from 0 (in a zstd block
//! its first byte; in bzip2 the first byte of the stream; in xz with `xz-rust`, that of the LZMA2 chunk):
//! [`UnexpectedEof`](std::io::ErrorKind::UnexpectedEof), `truncated gzip data at byte N`, or
//! [`InvalidData`](std::io::ErrorKind::InvalidData), `corrupt gzip data at byte N: REASON`. The bytes before
//! it are scanned. A last record that the error cuts off is invalid
//! ([`Truncated`](crate::ErrorKind::Truncated)). In a corrupt member the content before that byte may be
//! wrong, too, since the checksum stands at the member's end.
//!
//! Other inputs that have to be unpacked or decoded first are rejected with an error that names them
//! ([`Unsupported`](std::io::ErrorKind::Unsupported)): zip, Parquet and Arrow files, and text in UTF-16 and
//! UTF-32. If the format is to be detected, tar archives are rejected, too. A file that is a zip archive with
//! web archives in it (WACZ) is not rejected: its archives are read in place, one after the other.
//!
//! With more than one thread, workers decode ahead of the scan: many members on several workers, a single
//! member on one.
//!
//! The features `zstd` and `xz` need a C compiler. `zstd-rust` and `xz-rust` read the same files without one,
//! as for WebAssembly. zstd then takes three times as long to decode and two windows of memory, and xz twice
//! as long. Content comes a little later: when a whole block of zstd or a whole LZMA2 chunk of xz has been
//! read, which have at most 128 and 64 KiB. If the features for C are on as well, the libraries in C decode.
//!
//! # Mapped or read
//!
//! Pipes and streams are read. Regular files are read, too, unless [`Scanner::map_files`] is on. The table
//! shows the cost of bringing 1 GB from the page cache in addition to the scan, on a 2-core x86_64 server
//! (Linux), best of eight runs:
//!
//! | | one thread | two threads |
//! |---|---|---|
//! | mapped, whatever the advice (none, sequential, populate) | 60 ms | 30 ms |
//! | read into one buffer of 1 to 2 MiB | 75 ms | 30 ms |
//! | read into one buffer of 64 to 256 KiB | 90 ms | 30 ms |
//!
//! So mapping saves a few percent of a scan, and the buffers. If a list is not mapped, or mapping is refused,
//! the workers read their chunks themselves, in parallel: the thread that cuts off a chunk reads only the
//! bytes around its end, to find the last line. When one thread read each chunk as it cut it off, the other
//! threads waited for it, and verdicts took as long on two threads as on one. If a file changes or cannot be
//! read, the scan continues by reading in order, from the first chunk that is not whole.
//!
//! Another way was slower: each worker read its chunk at its place, and the mapping only served to find the
//! line ends. With one thread verdicts took a tenth longer. With two threads the time ranged from equal to a
//! fifth less, on a machine where such times differ by as much from run to run.
//!
//! Only lists are mapped. Finding the field in a line of a log takes far longer, and examines bytes more than
//! once, so they must not change meanwhile. The price of mapping is that another process can truncate the
//! file: access to a page after the new end raises SIGBUS. Therefore a mapping is only a faster way through
//! the whole lines of a file that does not shrink: `map` catches the signal, and the scan discards the
//! current chunk and continues from its first byte by reading. Reading finds the current end of the file. It
//! also takes the last record without LF, and bytes appended meanwhile.

mod advice;
mod cut;
pub(crate) mod engine;
mod fit;
pub mod format;
// The counts are the same on all machines, and an emulator would take long.
#[cfg(all(test, debug_assertions, target_arch = "x86_64"))]
mod growth;
mod input;
mod limits;
mod mark;
mod pull;
mod reading;
mod remedy;
pub(crate) mod schedule;
mod trial;

pub use advice::{Advice, Guess};
pub use cut::Chunk;
pub use engine::{
    ChunkScanner, LogColumns, LogFields, ProblemAt, Repeats, Scanned, SomeRecords, WantedLines,
};
pub use fit::{Fit, Misfits};
pub use format::{
    ColumnCount, Element, Evidence, FieldSelector, Format, HeaderRow, Layout, LayoutError, LayoutOptions,
    LikelyKey, LooksLike, Malformed, MalformedLine, MissingKey, Wrapper,
};
#[cfg(feature = "regex")]
pub use format::{Pattern, PatternError};
pub use input::named::Input;
pub use pull::{FoundRecord, NotValid, Pull, Records};
#[cfg(feature = "arrow")]
pub(crate) use pull::{Outlet, with_name};
pub use reading::{Reading, ReadingError, ReadingOptions};
pub use remedy::{ReadingOption, Remedy};
pub use schedule::{FileEvent, Scanner};
