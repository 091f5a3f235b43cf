//! The elements of pages that hold records: their places in the chunk, and their names.

use std::borrow::Cow;
use std::ops::Range;

use super::unescape::Escapes;
use crate::work::{looked_at, position};

/// The element of a page that holds a record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Element {
    /// The name of the element, in lower case.
    pub name: Cow<'static, str>,
    /// The name of the attribute that has the record, in lower case. `None` if the record is in the text of
    /// the element.
    pub attribute: Option<Cow<'static, str>>,
}

/// The element and the attribute of a page that hold a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Holder {
    pub(crate) element: Name,
    pub(crate) attribute: Option<Name>,
}

/// The name of an element or an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    Known(&'static str),
    /// The text of this range of the chunk. The name is that text in lower case.
    At(Range<u32>),
    /// This text. The name is that text in lower case.
    Made(Box<str>),
}

impl Holder {
    pub(crate) fn known(element: &'static str, attribute: &'static str) -> Self {
        Holder { element: Name::Known(element), attribute: Some(Name::Known(attribute)) }
    }

    /// Returns the names. `bytes` are those of the chunk.
    pub(super) fn names(&self, bytes: &[u8]) -> Element {
        let attribute = self.attribute.as_ref().map(|attribute| attribute.text(bytes));
        Element { name: self.element.text(bytes), attribute }
    }

    /// Returns true if this is the place of a `<base href>`.
    pub(crate) fn is_base(&self) -> bool {
        matches!(self, Holder { element: Name::Known("base"), attribute: Some(Name::Known("href")) })
    }

    /// Returns the place in a page with these bytes, which are not the chunk's.
    pub(crate) fn made(self, bytes: &[u8]) -> Self {
        let made = |name| match name {
            name @ Name::At(_) => Name::Made(name.text(bytes).into()),
            name => name,
        };
        Holder { element: made(self.element), attribute: self.attribute.map(made) }
    }

    /// Returns the place with the path `raw`, for example `A@/href`. `raw` starts at `start` of the chunk.
    pub(crate) fn of_path(raw: &[u8], start: usize, escapes: Escapes) -> Self {
        let parts = |path: &[u8]| {
            let element = position(path, |&byte| matches!(byte, b'@' | b'/')).unwrap_or(path.len());
            let attribute = path[element..].starts_with(b"@/").then_some(element + 2..path.len());
            (0..element, attribute)
        };
        if escapes == Escapes::None {
            let name = |part: Range<usize>| Name::At((start + part.start) as u32..(start + part.end) as u32);
            let (element, attribute) = parts(raw);
            return Holder { element: name(element), attribute: attribute.map(name) };
        }
        let mut path = Vec::new();
        escapes.write(raw, &mut path);
        let name = |part: Range<usize>| Name::Made(String::from_utf8_lossy(&path[part]).into());
        let (element, attribute) = parts(&path);
        Holder { element: name(element), attribute: attribute.map(name) }
    }
}

impl Name {
    /// Returns the text of the name. `bytes` are those of the chunk.
    fn text(&self, bytes: &[u8]) -> Cow<'static, str> {
        match self {
            Name::Known(name) => Cow::Borrowed(name),
            Name::At(range) => {
                let name = &bytes[range.start as usize..range.end as usize];
                looked_at(name.len());
                Cow::Owned(String::from_utf8_lossy(name).to_ascii_lowercase())
            }
            Name::Made(name) => Cow::Owned(name.to_ascii_lowercase()),
        }
    }
}
