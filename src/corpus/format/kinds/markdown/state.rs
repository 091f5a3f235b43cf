//! The facts about the bytes before a chunk of a Markdown document.

#![cfg_attr(not(feature = "markdown"), allow(dead_code, reason = "the parser is another feature"))]

/// The state of a document between two lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum MarkdownState {
    /// At the start of the document.
    #[default]
    Start,
    /// At the start of a block, outside of all other blocks.
    Between,
    /// In a block over the limit. The rest of the block is skipped.
    LongBlock,
}
