//! The open elements of SVG and MathML (section 13.2.6.5 of the standard).
//!
//! There, the content of `title`, `style`, `script` and others is markup, unless they are HTML inside of an
//! element that holds HTML: `foreignObject`, `desc` and `title` of SVG, `mi`, `mo`, `mn`, `ms` and `mtext` of
//! MathML, and its `annotation-xml` if the attribute `encoding` says so. A tag such as `<p>` ends all SVG and
//! MathML around it.
//!
//! Only these elements are kept, and not those of HTML between them, so that the state of a page stays small.
//! If HTML is nested badly, as in `<svg><desc><b></svg>`, a browser may read later tags in another way.

use std::ops::Range;

/// An element that decides how the tags inside of it are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Svg,
    Math,
    /// `annotation-xml` that holds other elements. An `<svg>` in it is one of SVG.
    Annotation,
    /// An element that holds HTML: its index in [`WITH_HTML`].
    WithHtml(u8),
}

/// The elements that hold HTML: those of SVG, then those of MathML.
const WITH_HTML: [&[u8]; 9] =
    [b"foreignobject", b"desc", b"title", b"mi", b"mo", b"mn", b"ms", b"mtext", b"annotation-xml"];
const OF_SVG: Range<usize> = 0..3;
const TITLE: u8 = 2;
const ANNOTATION: usize = 8;

/// The start tags that end SVG and MathML, apart from `font` with some attributes.
const OF_HTML: [&[u8]; 44] = [
    b"b",
    b"big",
    b"blockquote",
    b"body",
    b"br",
    b"center",
    b"code",
    b"dd",
    b"div",
    b"dl",
    b"dt",
    b"em",
    b"embed",
    b"h1",
    b"h2",
    b"h3",
    b"h4",
    b"h5",
    b"h6",
    b"head",
    b"hr",
    b"i",
    b"img",
    b"li",
    b"listing",
    b"menu",
    b"meta",
    b"nobr",
    b"ol",
    b"p",
    b"pre",
    b"ruby",
    b"s",
    b"small",
    b"span",
    b"strong",
    b"strike",
    b"sub",
    b"sup",
    b"table",
    b"tt",
    b"u",
    b"ul",
    b"var",
];

/// The open elements, from the outermost one on. Elements that are nested deeper than [`MOST`](Self::MOST)
/// are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Foreign {
    open: [Open; Foreign::MOST],
    len: u8,
}

/// No elements.
impl Default for Foreign {
    fn default() -> Self {
        Foreign { open: [Open::Svg; Foreign::MOST], len: 0 }
    }
}

impl Foreign {
    const MOST: usize = 15;

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn open(&self) -> &[Open] {
        &self.open[..self.len.into()]
    }

    /// Returns true if tags are read as HTML here.
    fn is_html(&self) -> bool {
        matches!(self.open().last(), None | Some(Open::WithHtml(_)))
    }

    /// Returns true if a CDATA section can start here.
    pub(super) fn has_cdata(&self) -> bool {
        let of_svg = |index: u8| matches!(WITH_HTML[usize::from(index)], b"desc" | b"title");
        self.open().last().is_some_and(|open| !matches!(open, Open::WithHtml(index) if !of_svg(*index)))
    }

    fn push(&mut self, open: Open) {
        if let Some(slot) = self.open.get_mut(usize::from(self.len)) {
            *slot = open;
            self.len += 1;
        }
    }

    /// Takes a start tag. Returns true if the element is one of HTML. `encoding` returns the value of this
    /// attribute.
    pub(super) fn start(
        &mut self,
        name: &[u8],
        is_self_closing: bool,
        encoding: impl FnOnce() -> Vec<u8>,
    ) -> bool {
        let is = |other: &[u8]| name.eq_ignore_ascii_case(other);
        if !self.is_html() && OF_HTML.iter().any(|other| is(other)) {
            self.end_all();
            return true;
        }
        let (is_html, is_svg, is_math) = (self.is_html(), is(b"svg"), is(b"math"));
        let around = self.open().iter().rev().find(|open| !matches!(open, Open::WithHtml(_)));
        let opened = match around {
            _ if is_html && is_svg => Some(Open::Svg),
            _ if is_html && is_math => Some(Open::Math),
            // Its end tag must not end the element of SVG that has the same name.
            Some(_) if is_html => return self.start_in_html(is(b"title")),
            Some(Open::Svg | Open::Annotation) if is_svg => Some(Open::Svg),
            Some(Open::Math) if is_math => Some(Open::Math),
            Some(around) => {
                let index = WITH_HTML.iter().position(|other| is(other));
                let is_there = |index: &usize| OF_SVG.contains(index) == (*around == Open::Svg);
                let opened = |index: usize| match index {
                    ANNOTATION if !is_html_encoding(&encoding()) => Open::Annotation,
                    index => Open::WithHtml(index as u8),
                };
                index.filter(is_there).map(opened)
            }
            None => return true,
        };
        if let Some(opened) = opened.filter(|_| !is_self_closing) {
            self.push(opened);
        }
        false
    }

    fn start_in_html(&mut self, is_title: bool) -> bool {
        if is_title {
            self.push(Open::WithHtml(TITLE));
        }
        true
    }

    /// Takes an end tag.
    pub(super) fn end(&mut self, name: &[u8]) {
        let is = |other: &[u8]| name.eq_ignore_ascii_case(other);
        if !self.is_html() && (is(b"p") || is(b"br")) {
            return self.end_all();
        }
        let closes = |open: &Open| match *open {
            Open::Svg => is(b"svg"),
            Open::Math => is(b"math"),
            Open::Annotation => is(WITH_HTML[ANNOTATION]),
            Open::WithHtml(index) => is(WITH_HTML[usize::from(index)]),
        };
        if let Some(index) = self.open().iter().rposition(closes) {
            self.len = index as u8;
        }
    }

    /// Ends all elements up to the next one that holds HTML.
    fn end_all(&mut self) {
        while !self.is_html() {
            self.len -= 1;
        }
    }
}

/// Returns true if the attribute `encoding` of an `annotation-xml` says that the element holds HTML.
fn is_html_encoding(value: &[u8]) -> bool {
    [&b"text/html"[..], b"application/xhtml+xml"].iter().any(|html| value.eq_ignore_ascii_case(html))
}
