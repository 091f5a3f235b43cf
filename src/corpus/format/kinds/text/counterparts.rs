//! Searches for the counterparts of delimiters that may lack them: typographic quotes, `url(` and `++`.

use super::openers::{QUOTES, first_char};
use crate::work::{looked_at, memchr2};

/// A kind of counterpart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counterpart {
    /// That of the quote with this index in [`QUOTES`].
    Quote(usize),
    /// The bracket that closes `url(`.
    RoundBracket,
    /// `++`.
    Pluses,
}

/// The parts of a text that have no counterpart. A search that found none is not repeated, so all searches in
/// a line take linear time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Missing {
    /// No counterpart of each kind is before this byte, from the last search on.
    until: [usize; QUOTES.len() + 2],
}

impl Missing {
    /// Returns the length of the text from byte `from` on up to its counterpart in the same line.
    pub(super) fn find(&mut self, text: &[u8], from: usize, counterpart: Counterpart) -> Option<usize> {
        let until = &mut self.until[match counterpart {
            Counterpart::Quote(index) => index,
            Counterpart::RoundBracket => QUOTES.len(),
            Counterpart::Pluses => QUOTES.len() + 1,
        }];
        if from < *until {
            return None;
        }
        let tail = &text[from..];
        let found = match counterpart {
            Counterpart::Quote(index) => quote_len(tail, QUOTES[index].1),
            Counterpart::RoundBracket => match memchr2(b')', b'\n', tail) {
                Some(len) if tail[len] == b')' => Ok(len),
                line_end => Err(line_end.unwrap_or(tail.len())),
            },
            Counterpart::Pluses => pluses_len(tail),
        };
        found.map_err(|line| *until = from + line).ok()
    }
}

/// Returns the length up to a closing typographic quote, or the length of the line.
fn quote_len(text: &[u8], closing: &[char]) -> Result<usize, usize> {
    let mut at = 0;
    while let Some(&byte) = text.get(at).filter(|&&byte| byte != b'\n') {
        if byte >= 0xC2 && first_char(&text[at..]).is_some_and(|char| closing.contains(&char)) {
            looked_at(at);
            return Ok(at);
        }
        at += 1;
    }
    looked_at(at);
    Err(at)
}

/// Returns the length up to `++`, or the length of the line.
fn pluses_len(text: &[u8]) -> Result<usize, usize> {
    let mut at = 0;
    while let Some(found) = memchr2(b'+', b'\n', &text[at..]) {
        at += found;
        match text[at..] {
            [b'+', b'+', ..] => return Ok(at),
            [b'+', ..] => at += 1,
            _ => return Err(at),
        }
    }
    Err(text.len())
}
