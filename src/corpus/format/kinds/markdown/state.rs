//! The facts about the bytes before a chunk of a Markdown document.

/// The state of a document between two lines, or within a long line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum MarkdownState {
    /// At the start of the document.
    #[default]
    Start,
    /// At the start of a block, outside of all other blocks; or within a paragraph or a table that has too
    /// many marks for one chunk.
    Between,
    /// In a block over the limit. The rest of the block is skipped.
    LongBlock,
    /// In an item of a list that has too many marks for one chunk. The rest of the item is malformed.
    RestOfItem,
    /// In a code block that has too many marks for one chunk. A line of at least `len` bytes `fence` ends it.
    Code { fence: u8, len: usize },
    /// In HTML without tags, such as a comment, that has too many marks for one chunk. This text ends it, in
    /// any letter case.
    Html { end: &'static [u8] },
}

/// The state of a document of MDX, which is cut at other places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MdxState(pub(crate) MarkdownState);
