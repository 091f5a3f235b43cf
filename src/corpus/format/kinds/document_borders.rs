//! The places where a document may be cut, if a parser finds them.

#![cfg_attr(
    not(all(feature = "markdown", feature = "xml")),
    allow(unused_imports, unused_variables, reason = "the parsers are features")
)]

use std::sync::Arc;

use super::document_state::{DocumentState, REST};
use super::markdown::{self, state::MarkdownState};
use super::xml;
use crate::corpus::format::lines::log_format::CutAt;

impl DocumentState {
    /// Returns the state at the start of an input that is cut at these places.
    pub(crate) fn start(cut_at: CutAt) -> Self {
        match cut_at {
            CutAt::Blocks => DocumentState::Markdown(MarkdownState::default()),
            CutAt::Elements => DocumentState::Xml(Arc::default()),
            _ => DocumentState::None,
        }
    }

    /// Returns the maximal length of a part of a document that cannot be cut, in bytes.
    pub(crate) fn longest(max_record: usize) -> usize {
        max_record.saturating_add(REST)
    }

    /// Returns true if the last bytes of a document can be one chunk.
    pub(crate) fn ends_with(&self, bytes: &[u8], max_record: usize) -> bool {
        match self {
            #[cfg(feature = "markdown")]
            DocumentState::Markdown(_) => markdown::blocks::are_one_chunk(bytes, max_record),
            _ => bytes.len() <= Self::longest(max_record),
        }
    }

    /// Returns the last place in these bytes where a chunk that begins at `start` may end, and the state there. If the place is `start`, more bytes
    /// are needed.
    pub(crate) fn border(&self, bytes: &[u8], start: usize, max_record: usize) -> (usize, Self) {
        match self {
            #[cfg(feature = "markdown")]
            DocumentState::Markdown(state) => {
                let (end, state) = markdown::blocks::border(*state, bytes, start, max_record);
                (end, DocumentState::Markdown(state))
            }
            #[cfg(feature = "xml")]
            DocumentState::Xml(state) => {
                let (end, state) = xml::walk::border((**state).clone(), bytes, start, max_record);
                (end, DocumentState::Xml(state.into()))
            }
            _ => (bytes.len().max(start), self.clone()),
        }
    }

    /// Returns the first place at or after `end` where the chunk may end, or the end of these bytes.
    pub(crate) fn whole(&self, bytes: &[u8], start: usize, end: usize) -> usize {
        match self {
            #[cfg(feature = "markdown")]
            DocumentState::Markdown(state) => markdown::blocks::whole_block(*state, bytes, start, end),
            #[cfg(feature = "xml")]
            DocumentState::Xml(state) => xml::walk::whole_element((**state).clone(), bytes, start, end),
            _ => end,
        }
    }
}
