//! Bytes of an input, cut into chunks of whole lines.
//!
//! | module | does |
//! |---|---|
//! | `chunk` | [`Chunk`]: whole lines, or a part of a record over the limit |
//! | `source` | the trait [`Source`]: chunks in input order |
//! | `slice`, `read` | cut memory, and streams |
//! | `borders` | finds where the chunks of a file end; the workers read the chunks |
//! | `mapped` | cuts a mapping, as long as its pages can be touched |
//! | `head` | reads the first lines ahead, to find the format |
//! | `follow` | gives each chunk the layout and the line numbers that follow from the chunks before it |
//! | `line_numbers` | numbers the lines of chunks that are scanned in parallel |

#[cfg(feature = "rayon")]
pub(crate) mod borders;
pub(crate) mod chunk;
pub(crate) mod follow;
pub(crate) mod head;
pub(crate) mod line_numbers;
pub(crate) mod mapped;
pub(crate) mod read;
pub(crate) mod slice;
pub(crate) mod source;

pub use chunk::Chunk;
pub(crate) use source::{Source, Weight};
