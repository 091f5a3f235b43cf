//! The fields of frames, and the errors of both decoders.

use std::io::{self, ErrorKind};

use crate::corpus::input::decompress::decoder::DecodeError;

/// The start of a frame with content.
pub(crate) const START: &[u8] = &[0x28, 0xB5, 0x2F, 0xFD];

/// The length of a block's header in bytes.
pub(super) const BLOCK_HEADER: usize = 3;

/// The bits of a frame's descriptor (RFC 8878 section 3.1.1.1.1).
#[cfg(any(feature = "rayon", feature = "zstd-rust"))]
pub(super) const RESERVED: u8 = 1 << 3;
#[cfg(any(feature = "rayon", feature = "zstd-rust"))]
pub(super) const SINGLE_SEGMENT: u8 = 1 << 5;

/// Returns the number of bytes of a frame's dictionary ID.
#[cfg(any(feature = "rayon", feature = "zstd-rust"))]
pub(super) fn dictionary_id_len(descriptor: u8) -> usize {
    [0, 1, 2, 4][usize::from(descriptor & 3)]
}

/// Returns the size of the window that a window descriptor names, in bytes.
#[cfg(any(feature = "rayon", feature = "zstd-rust"))]
pub(super) fn window_size(descriptor: u8) -> u64 {
    let base = 1u64 << (10 + (descriptor >> 3));
    base + base / 8 * u64::from(descriptor & 7)
}

/// Returns the size of a frame's content from its field, which has 1, 2, 4 or 8 bytes.
#[cfg(any(feature = "rayon", feature = "zstd-rust"))]
pub(super) fn content_size(field: &[u8]) -> u64 {
    let size = field.iter().rev().fold(0, |size, &byte| size << 8 | u64::from(byte));
    if field.len() == 2 { size + 256 } else { size }
}

/// Returns true if these bytes, which start with [`START`], look like a frame that may be decoded in parallel
/// with others: its window is not large (RFC 8878 section 3.1.1.1).
#[cfg(feature = "rayon")]
pub(crate) fn is_plausible(start: &[u8]) -> bool {
    const LARGE: u64 = 4 << 20;

    let [_, _, _, _, descriptor, header @ ..] = start else { return false };
    let window = if descriptor & SINGLE_SEGMENT == 0 {
        let Some(&window) = header.first() else { return false };
        window_size(window)
    } else {
        // The window is the content.
        let at = dictionary_id_len(*descriptor);
        let Some(size) = header.get(at..at + (1 << (descriptor >> 6))) else { return false };
        content_size(size)
    };
    descriptor & RESERVED == 0 && window <= LARGE
}

pub(super) fn window_too_large() -> DecodeError {
    DecodeError::unsupported("a window of more than 128 MiB")
}

pub(super) fn wrong_dictionary() -> DecodeError {
    DecodeError::unsupported("compressed with a dictionary")
}

pub(super) fn corrupt_dictionary(reason: impl std::fmt::Display) -> io::Error {
    let message = format!("corrupt zstd data at byte 8: the dictionary: {reason}");
    io::Error::new(ErrorKind::InvalidData, message)
}

pub(super) fn dictionary_too_long() -> io::Error {
    let message = "unsupported zstd data at byte 8: a dictionary of more than 8 MiB";
    io::Error::new(ErrorKind::Unsupported, message)
}
