//! A format as a state machine.

use std::io::ErrorKind;

/// Decodes the members of one input, which comes in pieces of any size.
pub(crate) trait Decode: Send {
    /// Decodes until `output` is full, or else until all of `input` is consumed and all that it makes is written.
    ///
    /// So where `output` is filled to its last byte there may be more to come, even if all of `input` is consumed.
    fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Decoded;

    /// Whether a member may start here: at the very start, and right after the last byte of a member.
    #[cfg(feature = "rayon")]
    fn is_between_members(&self) -> bool;

    /// Whether the input may end here.
    fn may_end(&self) -> bool;
}

/// The progress of decoding.
#[derive(Debug, Default)]
pub(crate) struct Decoded {
    pub(crate) consumed: usize,
    pub(crate) written: usize,
    /// The error in the input after the consumed bytes. The decoder is of no more use then.
    pub(crate) fault: Option<DecodeError>,
}

/// An error in an input.
#[derive(Debug)]
pub(crate) struct DecodeError {
    /// `Unsupported`, or else `InvalidData`.
    pub(crate) kind: ErrorKind,
    pub(crate) reason: String,
    /// The number of consumed bytes that belong to the error.
    pub(crate) before: u64,
}

impl DecodeError {
    pub(crate) fn invalid(reason: impl Into<String>) -> Self {
        DecodeError { kind: ErrorKind::InvalidData, reason: reason.into(), before: 0 }
    }

    #[cfg(any(feature = "zstd", feature = "bzip2", feature = "xz"))]
    pub(crate) fn unsupported(reason: impl Into<String>) -> Self {
        DecodeError { kind: ErrorKind::Unsupported, ..DecodeError::invalid(reason) }
    }
}
