//! The events of a walk through a document.

use std::ops::Range;
use std::sync::Arc;

use super::entities::Entities;
use crate::corpus::format::lines::element::Name;
use crate::corpus::format::lines::line::Malformed;

/// An event. Positions are bytes of the chunk. Events come in the order of the document, except that
/// malformed places in a tag or in the text of a URL come before the URLs there.
#[derive(Clone, Debug)]
pub(super) enum Event<'e> {
    /// The value of an attribute that holds URLs.
    Attribute { element: Name, attribute: &'static str, holds: ValueHolds, value: Range<usize> },
    /// The value of an attribute of XHTML that holds URLs. `local` is the name of the element without its
    /// prefix.
    Html { element: Range<usize>, local: Range<usize>, attribute: Range<usize>, value: Range<usize> },
    /// The text of an element that holds a URL: at least one piece.
    Text { element: &'static str, pieces: &'e [Piece] },
    /// The base of the next URLs.
    Base(Option<&'e Arc<[u8]>>),
    /// The entities that the document declares.
    Entities(&'e Arc<Entities>),
    /// The document is malformed at this byte.
    Malformed(usize, Malformed),
    /// The document is not read from this byte on.
    Broken(usize),
}

/// The content of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueHolds {
    Url,
    /// URLs between white space.
    Urls,
    /// A base, relative to no other base of the document.
    FirstBase,
}

/// A piece of an element's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Text that may have references.
    Text(Range<usize>),
    /// Text without references.
    Verbatim(Range<usize>),
    Cdata(Range<usize>),
}

impl Piece {
    pub(super) fn range(&self) -> &Range<usize> {
        match self {
            Piece::Text(range) | Piece::Verbatim(range) | Piece::Cdata(range) => range,
        }
    }

    /// Returns true if this is white space between markup. `bytes` are those of the chunk.
    pub(super) fn is_blank(&self, bytes: &[u8]) -> bool {
        !matches!(self, Piece::Cdata(_)) && bytes[self.range().clone()].trim_ascii().is_empty()
    }
}

/// A visitor of the events of a document.
pub(super) trait Visit {
    fn take(&mut self, event: Event<'_>);
}

/// A visitor that does nothing.
pub(super) struct Nothing;

impl Visit for Nothing {
    fn take(&mut self, _event: Event<'_>) {}
}
