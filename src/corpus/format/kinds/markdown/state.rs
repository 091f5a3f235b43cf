//! The facts that a chunk of a Markdown document has to know of the bytes before it.

#![cfg_attr(not(feature = "markdown"), allow(dead_code, reason = "the parser is another feature"))]

/// The state of a document between two lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum MarkdownState {
    /// The document starts here.
    #[default]
    Start,
    /// A block starts here, outside of all others.
    Between,
    /// In a block over the limit, which is not looked at.
    LongBlock,
}
