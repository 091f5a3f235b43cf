//! The facts that a chunk of a WARC or ARC file has to know of the bytes before it.

/// The facts about the next byte of the file that follow from the bytes so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RecordsState {
    pub(super) expected: Expected,
    /// Whether the last header was one of an ARC file.
    pub(super) in_arc: bool,
    /// Bytes of the line before here.
    pub(crate) column: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Expected {
    /// A version, or empty lines before it.
    #[default]
    Record,
    /// So many bytes of the block of a record over the limit.
    Block { left: u64 },
    /// Something that is no record, up to the next version, or in an ARC file the next header.
    Garbage,
}
