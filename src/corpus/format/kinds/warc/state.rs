//! The facts about the bytes before a chunk of a WARC or ARC file.

/// The facts about the next byte of the file that follow from the bytes so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RecordsState {
    pub(super) expected: Expected,
    /// Whether the last header was a header of an ARC file.
    pub(super) in_arc: bool,
    /// The number of bytes of the line before this place.
    pub(crate) column: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Expected {
    /// A version, or empty lines before it.
    #[default]
    Record,
    /// The rest of a block that nobody reads. `left` is its length in bytes, which is not 0.
    Block { left: u64 },
    /// Text that is not a record, up to the next version, or in an ARC file up to the next header.
    Garbage,
}
