//! The events of a chunk.
//!
//! The cutter goes through a document to cut it into chunks. Each chunk carries the events found on the way,
//! so no other pass is needed.

use std::ops::Range;
use std::sync::Arc;

use super::entities::Entities;
use super::events::{Event, Piece, ValueHolds, Visit};
use crate::corpus::format::lines::element::Name;
use crate::corpus::format::lines::line::Malformed;

/// The events of a chunk. Positions fit in 32 bits.
#[derive(Debug, Default)]
pub(super) struct FoundEvents {
    marks: Vec<Mark>,
    /// The pieces of the texts that have several.
    pieces: Vec<Piece>,
    /// The number of bytes of all bases.
    bases: usize,
    /// Whether there are too many events to keep, so that some are missing.
    lacks_some: bool,
    /// The number of bytes of the chunk.
    len: usize,
}

/// An event. Most are attributes that hold a URL, and texts without references.
#[derive(Debug)]
enum Mark {
    Known { element: &'static str, attribute: &'static str, value: Range<u32> },
    At { element: Range<u32>, attribute: &'static str, value: Range<u32> },
    Attribute(Box<AttributeMark>),
    Html([Range<u32>; 4]),
    Text { element: &'static str, value: Range<u32> },
    Verbatim { element: &'static str, value: Range<u32> },
    Pieces { element: &'static str, first: u32, count: u32 },
    Base(Option<Arc<[u8]>>),
    Entities(Arc<Entities>),
    Malformed(u32, Malformed),
    Broken(u32),
}

const _: () = assert!(size_of::<Mark>() <= 48, "there are many of them");

/// An attribute that holds several URLs, or a base.
#[derive(Debug)]
struct AttributeMark {
    element: Name,
    attribute: &'static str,
    holds: ValueHolds,
    value: Range<u32>,
}

impl FoundEvents {
    /// The most events. A chunk with a long tag can hold very many after it.
    const MOST: usize = 1 << 18;
    /// The most bytes of all bases.
    const MOST_BASES: usize = 1 << 20;

    /// Sets the length of the chunk.
    pub(super) fn of_chunk(self, len: usize) -> Option<Self> {
        (!self.lacks_some).then_some(FoundEvents { len, ..self })
    }

    /// Returns true if these are the bytes of the whole chunk, and not only its first lines.
    pub(super) fn are_of(&self, bytes: &[u8]) -> bool {
        self.len == bytes.len()
    }

    /// Returns the memory of the events in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        self.marks.capacity() * size_of::<Mark>() + self.pieces.capacity() * size_of::<Piece>() + self.bases
    }

    /// Passes the events to `to`, in order.
    pub(super) fn give(&self, to: &mut impl Visit) {
        for mark in &self.marks {
            let event = match mark {
                &Mark::Known { element, attribute, ref value } => Event::Attribute {
                    element: Name::Known(element),
                    attribute,
                    holds: ValueHolds::Url,
                    value: wide(value),
                },
                Mark::Attribute(mark) => Event::Attribute {
                    element: mark.element.clone(),
                    attribute: mark.attribute,
                    holds: mark.holds,
                    value: wide(&mark.value),
                },
                &Mark::At { ref element, attribute, ref value } => Event::Attribute {
                    element: Name::At(element.clone()),
                    attribute,
                    holds: ValueHolds::Url,
                    value: wide(value),
                },
                Mark::Html(ranges) => {
                    let [element, local, attribute, value] = [0, 1, 2, 3].map(|at| wide(&ranges[at]));
                    Event::Html { element, local, attribute, value }
                }
                Mark::Text { element, value } => {
                    to.take(Event::Text { element, pieces: &[Piece::Text(wide(value))] });
                    continue;
                }
                Mark::Verbatim { element, value } => {
                    to.take(Event::Text { element, pieces: &[Piece::Verbatim(wide(value))] });
                    continue;
                }
                &Mark::Pieces { element, first, count } => {
                    let pieces = &self.pieces[first as usize..(first + count) as usize];
                    Event::Text { element, pieces }
                }
                Mark::Base(base) => Event::Base(base.as_ref()),
                Mark::Entities(entities) => Event::Entities(entities),
                &Mark::Malformed(at, reason) => Event::Malformed(at as usize, reason),
                &Mark::Broken(at) => Event::Broken(at as usize),
            };
            to.take(event);
        }
    }
}

impl Visit for FoundEvents {
    #[inline]
    fn take(&mut self, event: Event<'_>) {
        if self.marks.len().max(self.pieces.len()) >= FoundEvents::MOST
            || self.bases > FoundEvents::MOST_BASES
        {
            self.lacks_some = true;
            return;
        }
        let mark = match event {
            Event::Attribute { element: Name::Known(element), attribute, holds: ValueHolds::Url, value } => {
                Mark::Known { element, attribute, value: narrow(value) }
            }
            Event::Attribute { element: Name::At(element), attribute, holds: ValueHolds::Url, value } => {
                Mark::At { element, attribute, value: narrow(value) }
            }
            Event::Attribute { element, attribute, holds, value } => {
                Mark::Attribute(Box::new(AttributeMark { element, attribute, holds, value: narrow(value) }))
            }
            Event::Html { element, local, attribute, value } => {
                Mark::Html([element, local, attribute, value].map(narrow))
            }
            Event::Text { element, pieces: [Piece::Text(value)] } => {
                Mark::Text { element, value: narrow(value.clone()) }
            }
            Event::Text { element, pieces: [Piece::Verbatim(value) | Piece::Cdata(value)] } => {
                Mark::Verbatim { element, value: narrow(value.clone()) }
            }
            Event::Text { element, pieces } => {
                let first = self.pieces.len() as u32;
                self.pieces.extend_from_slice(pieces);
                Mark::Pieces { element, first, count: pieces.len() as u32 }
            }
            Event::Base(base) => {
                self.bases += base.map_or(0, |base| base.len());
                Mark::Base(base.cloned())
            }
            Event::Entities(entities) => Mark::Entities(entities.clone()),
            Event::Malformed(at, reason) => Mark::Malformed(at as u32, reason),
            Event::Broken(at) => Mark::Broken(at as u32),
        };
        self.marks.push(mark);
    }
}

fn narrow(range: Range<usize>) -> Range<u32> {
    range.start as u32..range.end as u32
}

fn wide(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}
