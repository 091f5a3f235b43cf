//! Log formats: where in a line the URI sits, how it is escaped, and which texts in its place are sentinels.
//!
//! A [`Format`] with one of its fields selected is a [`Layout`]; a [`Scanner`](super::Scanner) with a layout marks its chunks with it, and
//! [`Scanned`](super::Scanned) has the results of a chunk. A line of a format is one of four things: one that holds a record; one that has
//! a sentinel in the record's place (the writer had no URI to put there); a header, which describes other lines; or
//! [`Malformed`], for one of a closed list of reasons. Only records are judged.
//!
//! Each kind's file says which lines it takes, which fields it has, how these are escaped, and what its sentinels and headers are; `docs/formats.md` has
//! a table of them for users.
//!
//! The default grammar is `request-target` for the target of access logs and of `w3c`, else `uri`. Escapes are
//! undone before a record is judged, and columns are those of the line before that.
//!
//! | module | does |
//! |---|---|
//! | `lines` | the common parts of the kinds: lines, fields, escapes, options |
//! | `kinds` | one file a format, and the table of formats |
//! | `wrappers` | the prefixes and objects that log collectors put around lines |
//! | `layout` | a format with one of its fields selected |
//! | `guess` | finds the format of an input, or the likely format of lines that fit none |
//!
//! The meaning of a line can depend on lines far before it: on a header, which may even change, or on how long a WARC record is.
//! Chunks are scanned in any order, so the calling thread, which cuts them in order, follows such lines (only these) and marks each
//! chunk with a layout that holds the state at its start.
//!
//! Finding the field takes some tens of nanoseconds a line, and more for each cell or key before it. Verdicts included,
//! by one thread with AVX-512, logs of real crawls and servers take 1.1 (`combined`) to 1.9 times (`cdxj`) as long as their
//! lines would as records. `jsonl` takes 3.1 times as long, or 3.5 GB/s: of an object of twenty keys each name is read, and each string to its end.
//! Short lines, as in `corpora/logs`, take up to four times as long.
//!
//! A new format is a file in `kinds` with an `ENTRY`, its module and a line in the table of formats (`kinds/mod.rs`), and a sample in `corpora/logs`; CONTRIBUTING lists the files.

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
pub(crate) use kinds::document_state::DocumentState;
pub(crate) use kinds::html::found::{FoundTags, border as page_border};
pub(crate) use kinds::html::tokens::PageState;
pub(crate) use kinds::warc::state::RecordsState;
pub use layout::{Evidence, Layout, NoSuchField};
pub(crate) use lines::chunk_lines::{ChunkLines, LongLine, without_cr};
pub use lines::fields::MalformedLine;
pub(crate) use lines::fields::{Fields, LineRole};
pub use lines::line::{ColumnCount, Malformed};
pub(crate) use lines::log_format::CutAt;
pub use lines::options::{FieldSelector, HeaderRow, LayoutOptions};
#[cfg(feature = "regex")]
pub use lines::pattern::{Pattern, PatternError};
pub(crate) use lines::rows::{OpenRow, Rows};
pub use lines::wrapper::Wrapper;
