//! The common parts of the kinds of formats: lines, their fields, and the self-description of a kind.
//!
//! | module | does |
//! |---|---|
//! | `chunk_lines` | [`ChunkLines`](chunk_lines::ChunkLines): the lines of a chunk, as a format sees them |
//! | `cutter` | finds the ends of chunks |
//! | `line` | the role of a line |
//! | `line_fields` | the fields of a line that rows carry |
//! | `keys_seen` | whether the lines of an input have the key |
//! | `document_sink`, `line_counter` | the records and the lines of a chunk whose records are not lines |
//! | `marked_bytes` | searches for the next byte of some kind, by the marks of a kernel |
//! | `message` | the message in a line that another program has wrapped |
//! | `element` | the elements of pages that hold records |
//! | `entry` | the self-description of a format, and the fields that a user can select |
//! | `fields` | the records of a chunk, and the way back to their lines |
//! | `log_format` | the traits that a kind implements |
//! | `rows` | the rows of a table whose cells may hold line ends |
//! | `marked_rows`, `cell_window` | the rows of a table whose cells a kernel finds, window by window |
//! | `wrapper` | the names of wrappers |
//! | `options`, `pattern` | a field of a format, and the regular expression that finds it |
//! | `words`, `tally`, `unescape` | texts between spaces; counts of separators; the undoing of escapes, and the way back |
//! | `literal_escapes` | the escapes of source code, TeX and CEF |
//! | `references` | the character references of HTML |
//! | `same_length` | a text of any charset, for parsers that want UTF-8 |

mod cell_window;
pub(crate) mod chunk_lines;
pub(crate) mod cutter;
pub(crate) mod document_sink;
pub(crate) mod element;
pub(crate) mod entry;
pub(crate) mod fields;
pub(crate) mod keys_seen;
pub(crate) mod line;
pub(crate) mod line_counter;
pub(crate) mod line_fields;
mod literal_escapes;
pub(crate) mod log_format;
pub(crate) mod marked_bytes;
pub(crate) mod marked_rows;
pub(crate) mod message;
pub(crate) mod options;
#[cfg(feature = "regex")]
pub(crate) mod pattern;
pub(crate) mod references;
pub(crate) mod rows;
#[cfg(feature = "markdown")]
pub(crate) mod same_length;
pub(crate) mod tally;
pub(crate) mod unescape;
pub(crate) mod words;
pub(crate) mod wrapper;
