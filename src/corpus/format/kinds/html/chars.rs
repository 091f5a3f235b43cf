//! The characters of an attribute's value, with their places.

use super::tag::is_space;
use crate::corpus::format::lines::unescape::Escapes;
use crate::work::looked_at;

/// A character of a value, with its place. `ascii` is the character if it is ASCII.
#[derive(Clone, Copy)]
pub(super) struct Char {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) ascii: Option<u8>,
}

impl Char {
    pub(super) fn is(self, byte: u8) -> bool {
        self.ascii.is_some_and(|ascii| ascii.eq_ignore_ascii_case(&byte))
    }

    pub(super) fn is_space(self) -> bool {
        self.ascii.is_some_and(is_space)
    }

    pub(super) fn is_quote(self) -> bool {
        self.is(b'"') || self.is(b'\'')
    }
}

/// Goes through the characters of a value, with references undone. Characters beyond ASCII come byte by byte.
#[derive(Clone)]
pub(super) struct Cursor<'v> {
    pub(super) value: &'v [u8],
    pub(super) at: usize,
}

impl<'v> Cursor<'v> {
    pub(super) fn new(value: &'v [u8]) -> Self {
        Cursor { value, at: 0 }
    }

    pub(super) fn peek(&self) -> Option<Char> {
        self.clone().next()
    }

    /// Passes the characters that satisfy `is_such`.
    pub(super) fn pass(&mut self, is_such: impl Fn(Char) -> bool) {
        while self.peek().is_some_and(&is_such) {
            self.next();
        }
    }

    /// Passes the next character if it is `byte`, and returns whether it is.
    pub(super) fn pass_byte(&mut self, byte: u8) -> bool {
        let is_next = self.peek().is_some_and(|char| char.is(byte));
        if is_next {
            self.next();
        }
        is_next
    }
}

impl Iterator for Cursor<'_> {
    type Item = Char;

    fn next(&mut self) -> Option<Char> {
        let (start, first) = (self.at, *self.value.get(self.at)?);
        let (taken, ascii) = if first == b'&' {
            Escapes::Html.ascii_step(&self.value[start..])
        } else {
            (1, Some(first).filter(u8::is_ascii))
        };
        looked_at(taken);
        self.at += taken;
        Some(Char { start, end: self.at, ascii })
    }
}
