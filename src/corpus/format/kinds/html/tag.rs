//! The attributes of a tag, and its end (sections 13.2.5.8 and 13.2.5.32 to 13.2.5.40 of the standard).
//!
//! A tag can be longer than a chunk, so the place in it is a state, at any byte.

use std::ops::Range;

use crate::work::{looked_at, memchr};

/// The place of a byte in a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagState {
    /// In its name.
    Name,
    BeforeAttribute,
    AttributeName,
    AfterAttributeName,
    BeforeValue,
    /// In a value between two of these.
    Quoted(u8),
    UnquotedValue,
    AfterQuotedValue,
    /// After a `/` outside of values.
    AfterSlash,
}

/// The end of a tag.
pub(super) struct TagEnd {
    /// After its `>`.
    pub(super) at: usize,
    pub(super) is_self_closing: bool,
}

/// White space: a CR is read as an LF.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | 0x0C | b'\r')
}

/// Goes through a tag from `at` on, until it ends or the bytes do. `attribute` gets the name and the value of each attribute that ends here; what
/// starts before `at` is not whole. An attribute without a value has an empty one.
#[inline]
pub(super) fn pass_tag(
    bytes: &[u8],
    mut at: usize,
    state: &mut TagState,
    mut attribute: impl FnMut(Range<usize>, Range<usize>),
) -> Option<TagEnd> {
    let mut name = at..at;
    let mut value = at;
    let end = |at: usize, is_self_closing| Some(TagEnd { at: at + 1, is_self_closing });
    loop {
        match *state {
            TagState::Name => {
                at = find(bytes, at, |byte| is_space(byte) || byte == b'/' || byte == b'>')?;
                match bytes[at] {
                    b'>' => return end(at, false),
                    b'/' => *state = TagState::AfterSlash,
                    _ => *state = TagState::BeforeAttribute,
                }
                at += 1;
            }
            TagState::BeforeAttribute => {
                at = find(bytes, at, |byte| !is_space(byte))?;
                match bytes[at] {
                    b'>' => return end(at, false),
                    b'/' => *state = TagState::AfterSlash,
                    _ => (name.start, *state) = (at, TagState::AttributeName),
                }
                // The first byte of a name may be a `=`.
                at += 1;
            }
            TagState::AttributeName => {
                let found = find(bytes, at, |byte| is_space(byte) || matches!(byte, b'/' | b'>' | b'='));
                at = found?;
                name.end = at;
                if bytes[at] == b'=' {
                    at += 1;
                    *state = TagState::BeforeValue;
                } else {
                    *state = TagState::AfterAttributeName;
                }
            }
            TagState::AfterAttributeName => {
                at = find(bytes, at, |byte| !is_space(byte))?;
                if bytes[at] == b'=' {
                    *state = TagState::BeforeValue;
                } else {
                    attribute(name.clone(), at..at);
                    match bytes[at] {
                        b'>' => return end(at, false),
                        b'/' => *state = TagState::AfterSlash,
                        _ => (name.start, *state) = (at, TagState::AttributeName),
                    }
                }
                at += 1;
            }
            TagState::BeforeValue => {
                at = find(bytes, at, |byte| !is_space(byte))?;
                match bytes[at] {
                    quote @ (b'"' | b'\'') => {
                        at += 1;
                        *state = TagState::Quoted(quote);
                    }
                    b'>' => {
                        attribute(name, at..at);
                        return end(at, false);
                    }
                    _ => *state = TagState::UnquotedValue,
                }
                value = at;
            }
            TagState::Quoted(quote) => {
                at += memchr(quote, &bytes[at..])?;
                attribute(name.clone(), value..at);
                at += 1;
                *state = TagState::AfterQuotedValue;
            }
            TagState::UnquotedValue => {
                at = find(bytes, at, |byte| is_space(byte) || byte == b'>')?;
                attribute(name.clone(), value..at);
                *state = TagState::BeforeAttribute;
            }
            TagState::AfterQuotedValue => match bytes.get(at)? {
                b'/' => {
                    at += 1;
                    *state = TagState::AfterSlash;
                }
                _ => *state = TagState::BeforeAttribute,
            },
            TagState::AfterSlash => match bytes.get(at)? {
                b'>' => return end(at, true),
                _ => *state = TagState::BeforeAttribute,
            },
        }
    }
}

/// The first such byte at or after `at`.
#[inline]
pub(super) fn find(bytes: &[u8], at: usize, is_such: impl Fn(u8) -> bool) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let found = rest.iter().position(|&byte| is_such(byte));
    looked_at(found.map_or(rest.len(), |found| found + 1));
    found.map(|found| at + found)
}
