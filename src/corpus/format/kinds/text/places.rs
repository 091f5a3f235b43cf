//! The places of one byte in a text, marked window by window. In source code, such bytes are so close to each
//! other that a search for each one takes most of the time.

use crate::simd::{Available, Marks, WINDOW, mark_byte};

/// The places of a byte. Searches go forward, and all of them get the same text.
#[derive(Clone, Debug)]
pub(super) struct Places {
    byte: u8,
    backend: Available,
    marks: Marks,
    /// The start of the marked window, and its end.
    start: usize,
    end: usize,
    /// The place that the last search found: it can be in a later window than the next search starts in.
    found: Option<usize>,
}

impl Places {
    pub(super) fn of(byte: u8) -> Self {
        Places { byte, backend: Available::best(), marks: [0; _], start: 0, end: 0, found: None }
    }

    /// Returns the first place at or after `at`, or the length of the text if there is none.
    #[inline]
    pub(super) fn next(&mut self, text: &[u8], at: usize) -> usize {
        match self.found {
            Some(found) if found >= at => found,
            _ => self.search(text, at),
        }
    }

    #[inline]
    fn search(&mut self, text: &[u8], mut at: usize) -> usize {
        let found = loop {
            if at >= self.end {
                if at >= text.len() {
                    break text.len();
                }
                self.mark(text, at);
            }
            let within = at - self.start;
            let marks = self.marks[within / 64] >> (within % 64);
            if marks != 0 {
                break at + marks.trailing_zeros() as usize;
            }
            at = self.start + (within | 63) + 1;
        };
        self.found = Some(found);
        found
    }

    /// Marks the window that starts at `at`.
    #[inline(never)]
    fn mark(&mut self, text: &[u8], at: usize) {
        (self.start, self.end) = (at, text.len().min(at + WINDOW));
        mark_byte(self.backend, &text[self.start..self.end], self.byte, &mut self.marks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_from_anywhere() {
        for gap in [1, 2, 63, 64, 65, 500, 2047, 2048, 2049, 5000] {
            let text: Vec<u8> =
                (0..3 * gap + 3).map(|at| if at % gap == gap - 1 { b':' } else { b'a' }).collect();
            for step in [1, 7, 64, 3000] {
                let mut places = Places::of(b':');
                for at in (0..=text.len()).step_by(step) {
                    let expected = text.iter().skip(at).position(|&byte| byte == b':');
                    let expected = expected.map_or(text.len(), |found| at + found);
                    assert_eq!(places.next(&text, at), expected, "{gap}, {at}");
                }
            }
        }
    }
}
