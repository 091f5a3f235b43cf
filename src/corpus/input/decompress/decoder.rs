//! A compression format as a state machine.

use std::io::ErrorKind;

/// Decodes the members of one input, which comes in pieces of any size.
pub(crate) trait Decode: Send {
    /// Decodes until `output` is full, or all of `input` is consumed and all of its content is written.
    ///
    /// So if `output` is full, more content may follow, even if all of `input` is consumed.
    fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Decoded;

    /// Returns true if a member may start here: at the very start, and right after the last byte of a member.
    #[cfg(feature = "rayon")]
    fn is_between_members(&self) -> bool;

    /// Returns true if the input may end here.
    fn may_end(&self) -> bool;
}

/// The progress of decoding.
#[derive(Debug, Default)]
pub(crate) struct Decoded {
    pub(crate) consumed: usize,
    pub(crate) written: usize,
    /// The error in the input after the consumed bytes. A decoder must not be used after an error.
    pub(crate) fault: Option<DecodeError>,
}

/// An error in an input.
#[derive(Debug)]
pub(crate) struct DecodeError {
    /// `Unsupported`, `InvalidData` or `OutOfMemory`.
    pub(crate) kind: ErrorKind,
    pub(crate) reason: String,
    /// The number of consumed bytes that belong to the error.
    pub(crate) before: u64,
}

impl DecodeError {
    pub(crate) fn invalid(reason: impl Into<String>) -> Self {
        DecodeError { kind: ErrorKind::InvalidData, reason: reason.into(), before: 0 }
    }

    /// Returns the error that the decoder, or its output, does not fit into memory.
    pub(crate) fn out_of_memory() -> Self {
        DecodeError { kind: ErrorKind::OutOfMemory, reason: String::new(), before: 0 }
    }

    #[cfg(any(feature = "__zstd", feature = "__xz"))]
    pub(crate) fn unsupported(reason: impl Into<String>) -> Self {
        DecodeError { kind: ErrorKind::Unsupported, ..DecodeError::invalid(reason) }
    }
}
