//! JSON objects: JSON Lines, and CDXJ indexes.
//!
//! An object is looked through from its start to the value of the key, not parsed: what follows is only asked to end with
//! the closing brace. Keys of objects inside of it do not count, nor does what looks like a key in a string.

use std::ops::Range;

use memchr::{memchr, memchr2};

use super::field::{Find, Found, Malformed};
use super::unescape::Escapes;

/// The value of a key of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Json<'a> {
    /// The first of these that the object has.
    pub(super) keys: &'a [Box<[u8]>],
    /// Whether a key to sort by and a time stamp stand before the object (CDXJ).
    pub(super) is_index: bool,
}

impl Find for Json<'_> {
    #[inline]
    fn find(&mut self, line: &[u8]) -> Found {
        if self.is_index && line.first() == Some(&b'!') {
            return Found::Skipped;
        }
        if line.is_empty() {
            return Found::Malformed(Malformed::Empty);
        }
        self.value(line).unwrap_or_else(Found::Malformed)
    }
}

impl Json<'_> {
    fn value(self, line: &[u8]) -> Result<Found, Malformed> {
        let mut scan = Scan { line, at: 0 };
        if self.is_index {
            scan.skip_word()?;
            scan.skip_word()?;
        }
        scan.skip_space();
        scan.expect(b'{')?;
        if !line.trim_ascii_end().ends_with(b"}") {
            return Err(Malformed::NotAnObject);
        }
        // The place in `keys`, and what the key's value is.
        let mut best: Option<(usize, Found)> = None;
        scan.skip_space();
        if scan.peek() != Some(b'}') {
            loop {
                scan.expect(b'"')?;
                let (key, escapes) = scan.string()?;
                let rank = self.rank(&line[key], escapes);
                scan.skip_space();
                scan.expect(b':')?;
                scan.skip_space();
                let found = scan.value(rank.is_some())?;
                if let Some(rank) = rank
                    && best.as_ref().is_none_or(|(best, _)| rank < *best)
                {
                    if rank == 0 {
                        return Ok(found);
                    }
                    best = Some((rank, found));
                }
                scan.skip_space();
                match scan.peek() {
                    Some(b',') => scan.at += 1,
                    Some(b'}') => break,
                    _ => return Err(Malformed::NotAnObject),
                }
                scan.skip_space();
            }
        }
        best.map(|(_, found)| found).ok_or(Malformed::NoKey)
    }

    /// Which of the keys this is.
    fn rank(self, name: &[u8], escapes: Escapes) -> Option<usize> {
        let is_name = |key: &[u8]| escapes.short_text(name, key.len()).is_some_and(|name| *name == *key);
        self.keys.iter().position(|key| is_name(key))
    }
}

struct Scan<'a> {
    line: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    fn expect(&mut self, byte: u8) -> Result<(), Malformed> {
        if self.peek() != Some(byte) {
            return Err(Malformed::NotAnObject);
        }
        self.at += 1;
        Ok(())
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// Skips a word and the space behind it.
    fn skip_word(&mut self) -> Result<(), Malformed> {
        self.at += memchr(b' ', &self.line[self.at..]).ok_or(Malformed::NotAnObject)? + 1;
        Ok(())
    }

    /// The rest of a string whose opening quote has been passed, without the closing one.
    fn string(&mut self) -> Result<(Range<usize>, Escapes), Malformed> {
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

    /// Passes a value, and says what it is if that matters.
    fn value(&mut self, matters: bool) -> Result<Found, Malformed> {
        let start = self.at;
        match self.peek() {
            Some(b'"') => {
                self.at += 1;
                let (range, escapes) = self.string()?;
                if matters && !escapes.are_sound(&self.line[range.clone()]) {
                    return Err(Malformed::BadEscape);
                }
                return Ok(Found::escaped(range, escapes));
            }
            Some(b'{' | b'[') => self.skip_nested()?,
            _ => self.at += memchr2(b',', b'}', &self.line[self.at..]).ok_or(Malformed::NotAnObject)?,
        }
        let is_null = self.line[start..self.at].trim_ascii_end() == b"null";
        Ok(if is_null { Found::Sentinel } else { Found::Malformed(Malformed::NotAString) })
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
