//! The reasons that end the work on a file.

use std::io;

/// The problem with the column `resolved`, unless records come from pages.
pub(crate) const NEEDS_BASE: &str = "the column resolved needs --base";

/// A reason that ends the work on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The records, or the rows made of them, did not fit into memory.
    OutOfMemory,
    /// The run resolves references, but the input names no base.
    NoBase,
}

impl From<Refusal> for io::Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::OutOfMemory => io::ErrorKind::OutOfMemory.into(),
            Refusal::NoBase => io::Error::other(NEEDS_BASE),
        }
    }
}
