//! The attributes of a tag, and its end (sections 13.2.5.8 and 13.2.5.32 to 13.2.5.40 of the standard).
//!
//! A tag can be longer than a chunk, so each place in a tag has a state.

use std::ops::Range;

use super::marks::MarkedPage;
use crate::work::looked_at;

/// The place of a byte in a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagState {
    /// In the tag's name.
    Name,
    BeforeAttribute,
    AttributeName,
    AfterAttributeName,
    BeforeValue,
    /// In a value between two quotes of this kind.
    Quoted(u8),
    UnquotedValue,
    AfterQuotedValue,
    /// After a `/` outside of values.
    AfterSlash,
}

/// The end of a tag.
pub(super) struct TagEnd {
    /// The place after its `>`.
    pub(super) at: usize,
    pub(super) is_self_closing: bool,
}

/// Returns true if a byte is white space. A CR is read as an LF.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | 0x0C | b'\r')
}

/// Goes through a tag from `at` on, where it has the state `state`, up to the tag's end. If the bytes end
/// before the tag, returns the state at their end. `attribute` gets the name and the value of each attribute
/// that ends in these bytes; an attribute that starts before `at` is not whole. An attribute without a value
/// has an empty value.
#[inline(always)]
pub(super) fn pass_tag(
    page: &mut MarkedPage<'_>,
    mut at: usize,
    mut state: TagState,
    mut attribute: impl FnMut(Range<usize>, Range<usize>),
) -> Result<TagEnd, TagState> {
    let bytes = page.bytes;
    let mut name = at..at;
    let mut value = at;
    let end = |at: usize, is_self_closing| Ok(TagEnd { at: at + 1, is_self_closing });
    loop {
        match state {
            TagState::Name => {
                match *bytes.get(at).ok_or(state)? {
                    b'>' => return end(at, false),
                    b'/' => state = TagState::AfterSlash,
                    byte if is_space(byte) => state = TagState::BeforeAttribute,
                    _ => {
                        at = page.name_end(at).ok_or(state)?;
                        at += usize::from(bytes[at] == b'=');
                        continue;
                    }
                }
                at += 1;
            }
            TagState::BeforeAttribute => {
                at = pass_spaces(bytes, at).ok_or(state)?;
                match bytes[at] {
                    b'>' => return end(at, false),
                    b'/' => state = TagState::AfterSlash,
                    _ => (name.start, state) = (at, TagState::AttributeName),
                }
                // A name can start with `=`.
                at += 1;
            }
            TagState::AttributeName => {
                at = page.name_end(at).ok_or(state)?;
                name.end = at;
                if bytes[at] == b'=' {
                    at += 1;
                    state = TagState::BeforeValue;
                } else {
                    state = TagState::AfterAttributeName;
                }
            }
            TagState::AfterAttributeName => {
                at = pass_spaces(bytes, at).ok_or(state)?;
                if bytes[at] == b'=' {
                    state = TagState::BeforeValue;
                } else {
                    attribute(name.clone(), at..at);
                    match bytes[at] {
                        b'>' => return end(at, false),
                        b'/' => state = TagState::AfterSlash,
                        _ => (name.start, state) = (at, TagState::AttributeName),
                    }
                }
                at += 1;
            }
            TagState::BeforeValue => {
                at = pass_spaces(bytes, at).ok_or(state)?;
                match bytes[at] {
                    quote @ (b'"' | b'\'') => {
                        at += 1;
                        state = TagState::Quoted(quote);
                    }
                    b'>' => {
                        attribute(name, at..at);
                        return end(at, false);
                    }
                    _ => state = TagState::UnquotedValue,
                }
                value = at;
            }
            TagState::Quoted(quote) => {
                at = page.quote(quote, at).ok_or(state)?;
                attribute(name.clone(), value..at);
                at += 1;
                state = TagState::AfterQuotedValue;
            }
            TagState::UnquotedValue => {
                at = page.name_end(at).ok_or(state)?;
                if matches!(bytes[at], b'/' | b'=') {
                    at += 1;
                } else {
                    attribute(name.clone(), value..at);
                    state = TagState::BeforeAttribute;
                }
            }
            TagState::AfterQuotedValue => match *bytes.get(at).ok_or(state)? {
                b'>' => return end(at, false),
                b'/' => {
                    at += 1;
                    state = TagState::AfterSlash;
                }
                _ => state = TagState::BeforeAttribute,
            },
            TagState::AfterSlash => match *bytes.get(at).ok_or(state)? {
                b'>' => return end(at, true),
                _ => state = TagState::BeforeAttribute,
            },
        }
    }
}

/// Returns the first byte at or after `at` that is not white space.
#[inline]
fn pass_spaces(bytes: &[u8], at: usize) -> Option<usize> {
    let mut next = at;
    while is_space(*bytes.get(next)?) {
        next += 1;
    }
    looked_at(next + 1 - at);
    Some(next)
}
