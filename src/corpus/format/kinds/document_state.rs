//! The facts that a chunk of a document has to know of the bytes before it, where a parser finds the places to cut at. `document_borders` finds them.

#![cfg_attr(
    not(all(feature = "markdown", feature = "xml")),
    allow(dead_code, reason = "the parsers are features")
)]

use std::sync::Arc;

use super::markdown::state::MarkdownState;
use super::xml::state::XmlState;

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
