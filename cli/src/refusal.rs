//! Why nothing more is made of a file.

use std::io;

/// The problem with the column `resolved`, unless records come from pages.
pub(crate) const NEEDS_BASE: &str = "the column resolved needs --base";

/// Why nothing more is made of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// There was no memory for the records, or for what has to be written of them.
    OutOfMemory,
    /// References are to be resolved, and nothing says against which base.
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
