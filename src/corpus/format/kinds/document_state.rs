//! The facts about the bytes before a chunk of a document, if a parser finds the places to cut at. `document_borders` finds the places.

#![cfg_attr(
    not(all(feature = "markdown", feature = "xml")),
    allow(dead_code, reason = "the parsers are features")
)]

use std::sync::Arc;

use super::markdown::state::MarkdownState;
use super::xml::state::XmlState;

/// The number of bytes that a part of a document may have in addition to the longest record.
pub(crate) const REST: usize = 64 << 10;

/// The state of a document at a place between two bytes, by its format.
#[derive(Clone, Debug, Default)]
pub(crate) enum DocumentState {
    /// The start of an input, or a format without this state.
    #[default]
    None,
    Markdown(MarkdownState),
    Xml(Arc<XmlState>),
}

/// The state of a chunk at the start of its input.
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
