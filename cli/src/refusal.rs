//! Why nothing more is made of a file.

use std::io;

/// The problem with the column `resolved`, unless records come from pages.
pub(crate) const NEEDS_BASE: &str = "the column resolved needs --base";

/// Why nothing more is made of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The records, or the rows made of them, did not fit into memory.
    OutOfMemory,
    /// References are to be resolved, but the input names no base.
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
