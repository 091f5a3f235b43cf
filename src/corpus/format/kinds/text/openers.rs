//! The openers before a URI in its line, whose counterparts end the URI.
//!
//! A byte that no URI can have ends a URI in prose if it is the counterpart of an opener: the `|` of a
//! table's cell, the backtick of a code, a bracket that the text opened. Any other such byte belongs to the
//! URI and breaks it.

use crate::work::{looked_at, memrchr};

/// Openers are recognised only in this number of bytes before the URI. A longer search for each URI would
/// take quadratic time.
pub(super) const LONGEST_BEFORE: usize = 256;

/// The openers before a URI that have no counterpart before it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Openers {
    backtick: bool,
    bar: bool,
    round: usize,
    square: usize,
    curly: usize,
    /// The last typographic quote that opens a quotation.
    quote: Option<char>,
}

/// Typographic quotes, and those that close them.
pub(super) const QUOTES: [(char, &[char]); 7] = [
    ('“', &['”']),
    ('„', &['“', '”']),
    ('«', &['»']),
    ('»', &['«']),
    ('‹', &['›']),
    ('‘', &['’']),
    ('‚', &['‘', '’']),
];

impl Openers {
    /// Returns the openers before the URI that starts at `start`.
    pub(super) fn before(text: &[u8], start: usize) -> Self {
        let window = &text[start.saturating_sub(LONGEST_BEFORE)..start];
        let line_end = memrchr(b'\n', window);
        let line = &window[line_end.map_or(0, |at| at + 1)..];
        looked_at(2 * line.len());
        let is_whole = line_end.is_some() || window.len() == start;
        let mut openers = Openers { bar: opens_cell(line, is_whole), ..Openers::default() };
        let is_in_word = |last: u8| last.is_ascii_alphanumeric() || b"/?#&=%.-_~+@$".contains(&last);
        let mut last = 0;
        for (at, &byte) in line.iter().enumerate() {
            match byte {
                // Several backticks in a row are one opener, or close one. In a word, they open nothing.
                b'`' if last != b'`' => openers.backtick = !openers.backtick && !is_in_word(last),
                b'(' => openers.round += 1,
                b')' => openers.round = openers.round.saturating_sub(1),
                b'[' => openers.square += 1,
                b']' => openers.square = openers.square.saturating_sub(1),
                b'{' => openers.curly += 1,
                b'}' => openers.curly = openers.curly.saturating_sub(1),
                0xC2 | 0xE2 => openers.pass_quote(&line[at..]),
                _ => {}
            }
            last = byte;
        }
        openers
    }

    fn pass_quote(&mut self, text: &[u8]) {
        let Some(char) = first_char(text) else { return };
        let closing = self.quote.and_then(|quote| QUOTES.iter().find(|(opening, _)| *opening == quote));
        if closing.is_some_and(|(_, closing)| closing.contains(&char)) {
            self.quote = None;
        } else if QUOTES.iter().any(|(opening, _)| *opening == char) {
            self.quote = Some(char);
        }
    }

    /// Returns true if the first character of `text` is the counterpart of an opener.
    pub(super) fn close(self, text: &[u8]) -> bool {
        match text[0] {
            b'`' => self.backtick,
            b'|' => self.bar,
            b')' => self.round > 0,
            b']' => self.square > 0,
            b'}' => self.curly > 0,
            0x80.. => {
                let closing = QUOTES.iter().find(|(opening, _)| Some(*opening) == self.quote);
                closing
                    .is_some_and(|(_, closing)| first_char(text).is_some_and(|char| closing.contains(&char)))
            }
            _ => false,
        }
    }
}

/// Returns true if the text after these bytes of a line is a cell of a table, a parameter of a template, or a
/// link with a label after `|`.
fn opens_cell(line: &[u8], is_whole: bool) -> bool {
    if is_whole && line.trim_ascii_start().starts_with(b"|") {
        return true;
    }
    let before = line.trim_ascii_end();
    let named = before.strip_suffix(b"=").map(|before| {
        let before = before.trim_ascii_end();
        let name =
            before.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(byte));
        before[..before.len() - name.count()].trim_ascii_end()
    });
    let is_opener = |before: &[u8]| before.ends_with(b"|");
    is_opener(before) || named.is_some_and(is_opener) || line.ends_with(b"[[") || line.ends_with(b"{{")
}

/// Returns the first character of a text, if it has two or three bytes.
pub(super) fn first_char(text: &[u8]) -> Option<char> {
    let len = match *text.first()? {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        _ => return None,
    };
    // A copy, since the bytes of a mapped file can change between two reads.
    let mut copy = [0; 3];
    copy[..len].copy_from_slice(text.get(..len)?);
    str::from_utf8(&copy[..len]).ok()?.chars().next()
}
