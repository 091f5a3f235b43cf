//! A link found in a text.

use std::ops::Range;

use crate::corpus::format::lines::element::Holder;
use crate::corpus::format::lines::line::Malformed;
use crate::corpus::format::lines::unescape::Escapes;

/// A link, or a place where HTML is malformed.
#[derive(Debug)]
pub(super) struct FoundLinks {
    /// The first byte of the link in the text.
    pub(super) at: usize,
    pub(super) link: Link,
}

#[derive(Debug)]
pub(super) enum Link {
    /// The URL in these bytes of the text.
    At(Holder, Range<usize>, Escapes),
    /// This URL. The text spells it in another way.
    Made(Holder, Vec<u8>),
    Malformed(Malformed),
}

impl FoundLinks {
    pub(super) fn at(place: Holder, url: Range<usize>, escapes: Escapes) -> Self {
        FoundLinks { at: url.start, link: Link::At(place, url, escapes) }
    }

    pub(super) fn made(place: Holder, at: usize, url: String) -> Self {
        FoundLinks { at, link: Link::Made(place, url.into_bytes()) }
    }
}

/// Returns the place of a link in Markdown's own syntax.
pub(super) fn link() -> Holder {
    Holder::known("a", "href")
}
