//! The reasons that end the work on a file.

use std::io;

use urivalidate::Base;

/// The problem with the column `resolved`, unless records come from pages.
pub(crate) const NEEDS_BASE: &str = "the column resolved needs --base";

/// A reason that ends the work on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The records, or the rows made of them, did not fit into memory.
    OutOfMemory,
    /// The run resolves references, but the input names no base.
    NoBase,
    /// The rows have fields that the format lacks. [`ChunkOutput::about_fields`] has the sentence.
    ///
    /// [`ChunkOutput::about_fields`]: crate::chunk_job::ChunkOutput::about_fields
    NoFields,
    /// The run resolves references, but the base that the page names is too long.
    LongBase,
}

impl From<Refusal> for io::Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::OutOfMemory => io::ErrorKind::OutOfMemory.into(),
            Refusal::NoBase => io::Error::other(NEEDS_BASE),
            Refusal::NoFields => io::Error::other("the format has no such fields"),
            Refusal::LongBase => {
                let most = Base::MAX_LEN;
                io::Error::other(format!("the column resolved: the <base href> is longer than {most} bytes"))
            }
        }
    }
}
