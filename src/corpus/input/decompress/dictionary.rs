//! The dictionary at the start of a `.warc.zst` file (the IIPC's [Zstandard Compression for WARC
//! Files][iipc], version 1.0).
//!
//! The first frame of such a file is a skippable frame that holds a dictionary (RFC 8878 section 5), which
//! may be compressed. All frames of the file need it.
//!
//! [iipc]: https://iipc.github.io/warc-specifications/specifications/warc-zstd/

use std::sync::Arc;

/// The start of the skippable frame.
const FRAME: &[u8] = &[0x5D, 0x2A, 0x4D, 0x18];

/// The length of the frame's header in bytes: its start, and the length of its content in four bytes.
const HEADER: usize = 8;

/// The starts of a dictionary, and of one that is compressed.
const STARTS: [&[u8]; 2] = [&[0x37, 0xA4, 0x30, 0xEC], &[0x28, 0xB5, 0x2F, 0xFD]];

/// The maximal length of a dictionary in bytes, compressed or not. The specification asks for no more.
pub(super) const LONGEST: usize = 8 << 20;

/// A dictionary as it stands in its frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dictionary(Arc<[u8]>);

impl Dictionary {
    /// Returns the dictionary at the start of an input, unless its end is missing. A dictionary over the
    /// limit is cut after the limit.
    pub(super) fn of(head: &[u8]) -> Option<Self> {
        let content = head.get(HEADER..HEADER + len(head)?)?;
        STARTS.iter().any(|start| content.starts_with(start)).then(|| Dictionary(content.into()))
    }

    /// Returns true if bytes after `head` belong to the frame of a dictionary.
    pub(super) fn is_open(head: &[u8]) -> bool {
        let starts = FRAME.starts_with(&head[..head.len().min(FRAME.len())]);
        starts
            && !head.is_empty()
            && (head.len() < HEADER || len(head).is_some_and(|len| head.len() < HEADER + len))
    }

    #[cfg(feature = "__zstd")]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Returns the length of the content of the frame at the start of an input, or one more than the limit.
fn len(head: &[u8]) -> Option<usize> {
    let len: [u8; 4] = head.strip_prefix(FRAME)?.get(..4)?.try_into().ok()?;
    Some((u32::from_le_bytes(len) as usize).min(LONGEST + 1))
}
