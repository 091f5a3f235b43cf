//! Log formats: the place of the URI in a line, its escapes, and the sentinels that can replace it.
//!
//! A [`Format`] with one of its fields selected is a [`Layout`]. A [`Scanner`](super::Scanner) with a layout
//! marks its chunks with it, and [`Scanned`](super::Scanned) has the results of a chunk. A line of a format
//! is one of four things: a line with a record; a line with a sentinel in the record's place (the writer had
//! no URI to put there); a header, which describes other lines; or [`Malformed`], for one of a closed list of
//! reasons. Only records are judged.
//!
//! Each kind's file describes its lines, its fields with their escapes, its sentinels and its headers.
//! `docs/formats.md` has a table of these for users.
//!
//! The default grammar is `request-target` for the target of access logs and of `w3c`, otherwise `uri`.
//! Records are judged with their escapes undone; columns count in the line with its escapes.
//!
//! | module | does |
//! |---|---|
//! | `lines` | the common parts of the kinds: lines, fields, escapes, options |
//! | `kinds` | one file per format, and the table of formats |
//! | `wrappers` | the prefixes and objects that log collectors put around lines |
//! | `layout` | a format with one of its fields selected |
//! | `guess` | finds the format of an input, or the likely format of lines that fit none |
//!
//! The meaning of a line can depend on lines far before it: on a header, which may even change, or on the
//! length of a WARC record. Chunks are scanned in any order, but the calling thread cuts them in order. So
//! this thread follows the lines that others depend on (only these), and marks each chunk with a layout that
//! holds the state at the chunk's start.
//!
//! Finding the field takes some tens of nanoseconds per line, plus time for each cell or key before it. On
//! one thread with AVX-512, judging included, logs of real crawls and servers take 1.1 (`combined`) to 1.9
//! times (`cdxj`) as long as their lines would take as records. `jsonl` takes longer: each string is read to its end,
//! and each name in an object with other keys than the object before. Short lines, as in `corpora/logs`, take up to
//! four times as long.
//!
//! This is a room and no package of its own: formats need no thread and no scan, but the kernels that mark
//! tags and line ends, the names of grammars, requests for memory, and the count of work by which tests find
//! quadratic time. A package would need all four in a third one below it, public for these two alone. A build
//! would not get faster: the library's units are compiled on all cores.
//!
//! A new format needs a file in `kinds` with an `ENTRY`, its module and a line in the table of formats
//! (`kinds/mod.rs`), and a sample in `corpora/logs`. CONTRIBUTING lists the files.

mod guess;
mod kinds;
mod layout;
mod lines;
mod wrappers;

#[cfg(test)]
mod tests;

pub(crate) use guess::detect::{detect, head_of, head_of_document};
pub use guess::likely_key::{LikelyKey, likely_key};
pub use guess::looks_like::LooksLike;
pub use kinds::Format;
pub use layout::MissingKey;
pub use layout::{Evidence, Layout, LayoutError};
pub(crate) use lines::chunk_lines::{ChunkLines, LongLine, without_cr};
pub(crate) use lines::cutter::{Cutter, Facts, NextEnd, Seen};
pub use lines::element::Element;
pub(crate) use lines::fields::{Fields, LineRole};
pub use lines::line::MalformedLine;
pub use lines::line::{ColumnCount, Malformed};
pub(crate) use lines::line_fields::{LineFields, MOST_NAMES, Place};
pub use lines::options::{FieldSelector, HeaderRow, LayoutOptions};
#[cfg(feature = "regex")]
pub use lines::pattern::{Pattern, PatternError};
pub(crate) use lines::rows::{OpenRow, QuotedRows};
pub use lines::wrapper::Wrapper;
