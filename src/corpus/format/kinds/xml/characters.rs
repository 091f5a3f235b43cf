//! The characters that a document cannot have (section 2.2 of XML 1.0), and bytes that are no characters.

use crate::simd::{Available, sound_len};
use crate::work::{looked_at, memchr_iter, position};

/// The number of bytes that the kernel checks at once.
const STRETCH: usize = 16 << 10;
/// The number of bytes that are searched for the place of a forbidden character.
const BLOCK: usize = 256;

/// Searches the bytes of a chunk for forbidden characters. Searches go forward.
pub(super) struct Characters<'b> {
    bytes: &'b [u8],
    backend: Available,
    /// Whether bytes beyond ASCII are UTF-8. Otherwise, they are not judged.
    is_utf8: bool,
    /// The bytes before this one have been passed.
    at: usize,
    /// The bytes from `at` to this one are known to be valid UTF-8.
    valid_end: usize,
    /// The next forbidden character and its length, if it is known.
    next: Option<(usize, usize)>,
}

impl<'b> Characters<'b> {
    pub(super) fn new(bytes: &'b [u8], start: usize, is_utf8: bool) -> Self {
        Characters { bytes, backend: Available::best(), is_utf8, at: start, valid_end: start, next: None }
    }

    /// Returns true if it is known that no forbidden character comes before `end`.
    #[inline]
    pub(super) fn are_known_before(&self, end: usize) -> bool {
        end <= self.at && self.next.is_none()
    }

    /// Returns the next forbidden character before `end`, and passes it.
    pub(super) fn next_before(&mut self, end: usize) -> Option<usize> {
        loop {
            if let Some((found, len)) = self.next {
                if found >= end {
                    return None;
                }
                self.next = None;
                self.at = found + len;
                return Some(found);
            }
            if self.at >= end {
                return None;
            }
            self.search();
        }
    }

    /// Searches the next bytes.
    fn search(&mut self) {
        let stretch = &self.bytes[self.at..self.bytes.len().min(self.at + STRETCH)];
        let sound = sound_len(self.backend, stretch, self.is_utf8);
        if sound > 0 {
            self.at += sound;
            return;
        }
        let block = &stretch[..stretch.len().min(BLOCK)];
        let mut invalid = 0;
        if !self.is_utf8 {
            self.valid_end = self.at + block.len();
        } else if self.valid_end <= self.at {
            let is_end = self.at + block.len() == self.bytes.len();
            let (valid, len) = valid_start(block, is_end);
            (self.valid_end, invalid) = (self.at + valid, len);
        }
        let valid = self.at..self.valid_end;
        match forbidden(&self.bytes[valid.clone()], self.is_utf8) {
            Some((found, len)) => self.next = Some((valid.start + found, len)),
            None if invalid > 0 => self.next = Some((valid.end, invalid)),
            None => self.at = valid.end,
        }
    }
}

/// Returns the length of the valid UTF-8 at the start, and the length of the invalid bytes after it. A
/// character that the bytes cut is neither, unless the document ends there.
fn valid_start(bytes: &[u8], is_end: bool) -> (usize, usize) {
    let result = str::from_utf8(bytes);
    looked_at(result.map_or_else(|error| error.valid_up_to(), str::len));
    match result {
        Ok(_) => (bytes.len(), 0),
        Err(error) => match error.error_len() {
            Some(len) => (error.valid_up_to(), len),
            None if is_end => (error.valid_up_to(), bytes.len() - error.valid_up_to()),
            None => (error.valid_up_to(), 0),
        },
    }
}

/// Returns the place and the length of the first forbidden character.
fn forbidden(bytes: &[u8], is_utf8: bool) -> Option<(usize, usize)> {
    let control = position(bytes, |&byte| byte < b' ' && !matches!(byte, b'\n' | b'\r' | b'\t'));
    let before = &bytes[..control.unwrap_or(bytes.len())];
    // U+FFFE and U+FFFF.
    let mut others = is_utf8.then(|| memchr_iter(0xEF, before)).into_iter().flatten();
    let other = others.find(|&at| matches!(before[at..], [_, 0xBF, 0xBE | 0xBF, ..]));
    other.map(|at| (at, 3)).or(control.map(|at| (at, 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8], is_utf8: bool, step: usize) -> Vec<usize> {
        let mut characters = Characters::new(bytes, 0, is_utf8);
        let mut found = Vec::new();
        let mut end = 0;
        while end < bytes.len() {
            end = (end + step).min(bytes.len());
            while let Some(at) = characters.next_before(end) {
                assert!(at < end);
                found.push(at);
            }
        }
        found
    }

    #[test]
    fn forbidden_characters_are_found_in_any_steps() {
        let long = "é".repeat(3000);
        for (text, expected) in [
            (&b"a\x00b\x1F\t\r\n\x7F"[..], &[1, 3][..]),
            (b"\xE9a\xC3", &[0, 2]),
            (b"\xC3\xA9\xEF\xBF\xBEx\xEF\xBF\xBF\xEF\xBF\xBD", &[2, 6]),
            (b"\xED\xA0\x80", &[0, 1, 2]),
            (&[long.as_bytes(), b"\x01", long.as_bytes(), b"\xFF"].concat(), &[6000, 12001]),
            (&[&[b'a'; 5000][..], b"\x01", &[b'b'; 5000]].concat(), &[5000]),
        ] {
            for step in [1, 2, 3, 7, 100, 2048, 20_000] {
                assert_eq!(
                    all(text, true, step),
                    expected,
                    "{step}: {}",
                    text[..text.len().min(20)].escape_ascii()
                );
            }
        }
        assert_eq!(all(b"\xE9\x01\xEF\xBF\xBE", false, 2), [1]);
    }
}
