//! The facts that a chunk of a document has to know of the bytes before it, where a parser finds the places to cut at.

#![cfg_attr(
    not(all(feature = "markdown", feature = "xml")),
    allow(dead_code, unused_imports, reason = "the parsers are features")
)]

use std::sync::Arc;

use super::log_format::CutAt;
use crate::corpus::format::kinds::markdown::{self, state::MarkdownState};
use crate::corpus::format::kinds::xml::{self, state::XmlState};

/// The bytes that a part of a document may have in addition to the longest record.
pub(crate) const REST: usize = 64 << 10;

/// The state of a document between two bytes, by its format.
#[derive(Clone, Debug, Default)]
pub(crate) enum DocumentState {
    /// The input's start, or another format.
    #[default]
    None,
    Markdown(MarkdownState),
    Xml(Arc<XmlState>),
}

/// That of a chunk that starts its input.
pub(crate) static START: DocumentState = DocumentState::None;

impl DocumentState {
    /// That of an input that is cut so, at its start.
    pub(crate) fn start(cut_at: CutAt) -> Self {
        match cut_at {
            CutAt::Blocks => DocumentState::Markdown(MarkdownState::default()),
            CutAt::Elements => DocumentState::Xml(Arc::default()),
            _ => DocumentState::None,
        }
    }

    /// A document of so many bytes may be one chunk.
    pub(crate) fn longest(max_record: usize) -> usize {
        max_record.saturating_add(REST)
    }

    /// The last place in these bytes where a chunk that begins at `start` may end, and the state there. It may not where that is at `start`:
    /// then more bytes are needed.
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
            _ => {
                let _ = max_record;
                (bytes.len().max(start), self.clone())
            }
        }
    }

    /// The first such place at or after `end`, or the end of these bytes.
    pub(crate) fn whole(&self, bytes: &[u8], start: usize, end: usize) -> usize {
        match self {
            #[cfg(feature = "markdown")]
            DocumentState::Markdown(state) => markdown::blocks::whole_block(*state, bytes, start, end),
            #[cfg(feature = "xml")]
            DocumentState::Xml(state) => xml::walk::whole_element((**state).clone(), bytes, start, end),
            _ => {
                let _ = (bytes, start);
                end
            }
        }
    }

    pub(crate) fn markdown(&self) -> MarkdownState {
        match self {
            DocumentState::Markdown(state) => *state,
            _ => MarkdownState::default(),
        }
    }

    pub(crate) fn xml(&self) -> XmlState {
        match self {
            DocumentState::Xml(state) => (**state).clone(),
            _ => XmlState::default(),
        }
    }
}
