//! The charset that a page names, if nothing else names one (section 13.2.3.2 of the standard).

use std::ops::Range;

use super::names::Element;
use super::tokens::{PageState, Visit};
use crate::work::looked_at;

/// Returns the charset that a page names in its first 1,024 bytes: the charset of the first `meta` that has
/// `charset`, or a `content` with a charset.
pub(crate) fn named(page: &[u8]) -> Option<&[u8]> {
    /// The length that the standard recommends.
    const LONGEST: usize = 1024;

    let mut charset = Charset { bytes: &page[..page.len().min(LONGEST)], is_meta: false, found: None };
    PageState::default().walk(charset.bytes, 0, usize::MAX, true, &mut charset);
    charset.found
}

/// Finds the charset of a page.
struct Charset<'b> {
    bytes: &'b [u8],
    is_meta: bool,
    found: Option<&'b [u8]>,
}

impl Visit for Charset<'_> {
    fn begin(&mut self, element: Element, _name: Range<usize>) {
        self.is_meta = element == Element::Meta;
    }

    fn attribute(&mut self, name: Range<usize>, value: Range<usize>) {
        if !self.is_meta || self.found.is_some() {
            return;
        }
        let (name, value) = (&self.bytes[name], &self.bytes[value]);
        if name.eq_ignore_ascii_case(b"charset") {
            self.found = Some(value.trim_ascii());
        } else if name.eq_ignore_ascii_case(b"content") {
            const WORD: &[u8] = b"charset=";
            looked_at(value.len());
            let at = value.windows(WORD.len()).position(|word| word.eq_ignore_ascii_case(WORD));
            let is_around = |byte: &u8| byte.is_ascii_whitespace() || b"\"';".contains(byte);
            self.found =
                at.and_then(|at| value[at + WORD.len()..].split(is_around).find(|word| !word.is_empty()));
        }
    }
}
