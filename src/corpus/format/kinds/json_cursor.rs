//! Goes through a JSON text from value to value. It searches the text and does not parse it.

use std::ops::Range;

use crate::corpus::format::lines::line::{Line, Malformed};
use crate::corpus::format::lines::unescape::Escapes;
use crate::work::{looked_at, memchr2, memchr3};

/// Returns true if a string is this key.
pub(crate) fn is_key(name: &[u8], escapes: Escapes, key: &[u8]) -> bool {
    escapes.short_text(name, key.len()).is_some_and(|name| *name == *key)
}

/// A place in a text.
pub(crate) struct JsonCursor<'a> {
    pub(crate) line: &'a [u8],
    pub(crate) at: usize,
}

/// The action after the colon of a member.
pub(crate) enum Next {
    /// The member's value comes next.
    Value,
    /// `member` has passed the value.
    Passed,
    /// The search ends here.
    Stop,
}

impl JsonCursor<'_> {
    pub(crate) fn peek(&self) -> Option<u8> {
        looked_at(1);
        self.line.get(self.at).copied()
    }

    fn expect(&mut self, byte: u8) -> Result<(), Malformed> {
        if self.peek() != Some(byte) {
            return Err(Malformed::NotAnObject);
        }
        self.at += 1;
        Ok(())
    }

    pub(crate) fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.at += 1;
        }
    }

    /// Passes the rest of a string after its opening quote. Returns the string without its quotes.
    pub(crate) fn string(&mut self) -> Result<(Range<usize>, Escapes), Malformed> {
        let start = self.at;
        let mut escapes = Escapes::None;
        loop {
            let rest = self.line.get(self.at..).unwrap_or_default();
            self.at += memchr2(b'"', b'\\', rest).ok_or(Malformed::NotAnObject)?;
            if self.line[self.at] == b'"' {
                self.at += 1;
                return Ok((start..self.at - 1, escapes));
            }
            escapes = Escapes::Json;
            self.at += 2;
        }
    }

    /// Passes an object, from its opening brace on. `member` gets each key, and may pass the key's value
    /// itself.
    pub(crate) fn object(
        &mut self,
        mut member: impl FnMut(&mut Self, Range<usize>, Escapes) -> Result<Next, Malformed>,
    ) -> Result<(), Malformed> {
        self.expect(b'{')?;
        self.skip_space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(());
        }
        loop {
            self.expect(b'"')?;
            let (key, escapes) = self.string()?;
            self.skip_space();
            self.expect(b':')?;
            self.skip_space();
            match member(self, key, escapes)? {
                Next::Value => {
                    self.value(false)?;
                }
                Next::Passed => {}
                Next::Stop => return Ok(()),
            }
            if self.ends(b'}')? {
                return Ok(());
            }
        }
    }

    /// Passes an array, from its opening bracket on. `element` passes each element.
    pub(crate) fn array(
        &mut self,
        mut element: impl FnMut(&mut Self) -> Result<(), Malformed>,
    ) -> Result<(), Malformed> {
        self.expect(b'[')?;
        self.skip_space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(());
        }
        loop {
            element(self)?;
            if self.ends(b']')? {
                return Ok(());
            }
        }
    }

    /// Passes the comma before the next member or element, or the closing bracket. Returns whether it was the
    /// bracket.
    pub(crate) fn ends(&mut self, bracket: u8) -> Result<bool, Malformed> {
        self.skip_space();
        let next = self.peek();
        if next != Some(b',') && next != Some(bracket) {
            return Err(Malformed::NotAnObject);
        }
        self.at += 1;
        self.skip_space();
        Ok(next == Some(bracket))
    }

    /// Passes a value and returns it. If `matters`, also checks the escapes of a string.
    pub(crate) fn value(&mut self, matters: bool) -> Result<Line, Malformed> {
        let start = self.at;
        match self.peek() {
            Some(b'"') => {
                self.at += 1;
                let (range, escapes) = self.string()?;
                if matters && !escapes.are_sound(&self.line[range.clone()]) {
                    return Ok(Line::Malformed(Malformed::BadEscape));
                }
                return Ok(Line::escaped(range, escapes));
            }
            Some(b'{' | b'[') => self.skip_nested()?,
            _ => self.at += memchr3(b',', b'}', b']', &self.line[self.at..]).ok_or(Malformed::NotAnObject)?,
        }
        let is_null = self.line[start..self.at].trim_ascii_end() == b"null";
        Ok(if is_null { Line::Sentinel } else { Line::Malformed(Malformed::NotAString) })
    }

    /// Passes an object or an array.
    fn skip_nested(&mut self) -> Result<(), Malformed> {
        let mut depth = 0_usize;
        loop {
            let byte = self.peek().ok_or(Malformed::NotAnObject)?;
            self.at += 1;
            match byte {
                b'"' => {
                    self.string()?;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth <= 1 => return Ok(()),
                b'}' | b']' => depth -= 1,
                _ => {}
            }
        }
    }
}
