//! Counts in a line, in one pass that compilers vectorize.
//!
//! Searching each separator costs one call per column, and `memchr`'s count goes byte by byte through the
//! rest of a line after its last vector. Both are slower if columns or lines are short.

use crate::work::looked_at;

/// Returns the number of `separator` bytes in a line, and whether any byte of the line satisfies `matters`.
#[inline]
pub(crate) fn tally(line: &[u8], separator: u8, matters: impl Fn(u8) -> bool + Copy) -> (usize, bool) {
    looked_at(line.len());
    let (wide, rest) = line.as_chunks::<64>();
    let (narrow, rest) = rest.as_chunks::<16>();
    let (mut count, mut any) = (0, false);
    let mut add = |(few, some): (u8, bool)| {
        count += usize::from(few);
        any |= some;
    };
    wide.iter().for_each(|block| add(within(block, separator, matters)));
    narrow.iter().for_each(|block| add(within(block, separator, matters)));
    match line.last_chunk::<16>() {
        Some(last) if !rest.is_empty() => add(within_last(last, rest.len(), separator, matters)),
        _ => add(within(rest, separator, matters)),
    }
    (count, any)
}

/// [`tally`] of the last `len` bytes of a block.
#[inline]
fn within_last(block: &[u8; 16], len: usize, separator: u8, matters: impl Fn(u8) -> bool) -> (u8, bool) {
    const PLACES: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

    let first = (block.len() - len) as u8;
    block.iter().zip(PLACES).fold((0, false), |(count, any), (&byte, place)| {
        let is_in = place >= first;
        (count + u8::from(is_in & (byte == separator)), any | (is_in & matters(byte)))
    })
}

/// [`tally`] of at most 255 bytes.
#[inline]
fn within(block: &[u8], separator: u8, matters: impl Fn(u8) -> bool) -> (u8, bool) {
    block
        .iter()
        .fold((0, false), |(count, any), &byte| (count + u8::from(byte == separator), any | matters(byte)))
}

/// Returns the last place at which `text` can hold `wanted`, which has at least two bytes, or an escape.
/// After this place it holds neither.
#[inline]
pub(crate) fn last_place(text: &[u8], wanted: &[u8], escape: u8) -> Option<usize> {
    // Most texts hold neither.
    if !may_hold(text, wanted, escape) {
        return None;
    }
    let (&[first, second, ..], &[.., last]) = (wanted, wanted) else { return text.len().checked_sub(1) };
    let is = |at: usize, byte: u8| text.get(at) == Some(&byte);
    let is_place = |&at: &usize| {
        is(at, escape) || is(at, first) && is(at + 1, second) && is(at + wanted.len() - 1, last)
    };
    let place = (0..text.len()).rev().find(is_place);
    looked_at(text.len() - place.unwrap_or(0));
    place
}

/// Returns true if `text` can hold `wanted` or an escape. If this is false, it holds neither.
///
/// The pass compares three bytes of `wanted` at once: the first two and the last one.
#[inline]
fn may_hold(text: &[u8], wanted: &[u8], escape: u8) -> bool {
    looked_at(text.len());
    let (&[first, second, ..], &[.., last]) = (wanted, wanted) else { return true };
    let distance = wanted.len() - 1;
    let from = |at| text.get(at..).unwrap_or_default();
    let starts = text.iter().zip(from(1).iter().zip(from(distance)));
    let is_there = starts.fold(false, |any, (&one, (&two, &three))| {
        any | ((one == first) & (two == second) & (three == last)) | (one == escape)
    });
    is_there || text[text.len().saturating_sub(distance)..].contains(&escape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_is_found() {
        for len in 0..=100 {
            let mut text = vec![b'u'; len];
            assert!(!may_hold(&text, b"\"url\"", b'\\'), "{len}");
            for at in 0..len {
                text[at] = b'\\';
                assert!(may_hold(&text, b"\"url\"", b'\\'), "{at} of {len}");
                assert_eq!(last_place(&text, b"\"url\"", b'\\'), Some(at), "{at} of {len}");
                text[at] = b'u';
            }
            for wanted in [&b"\"url\""[..], b"\"\"", b"\"a\""] {
                for at in 0..=len {
                    let text = [&text[..at], wanted, &text[at..]].concat();
                    assert!(may_hold(&text, wanted, b'\\'), "{at} of {len}");
                    assert_eq!(last_place(&text, wanted, b'\\'), Some(at), "{at} of {len}");
                }
            }
        }
    }

    #[test]
    fn every_byte_counts_once() {
        for len in 0..=300 {
            let line: Vec<u8> = (0..len).map(|i| b" ax"[i % 3]).collect();
            assert_eq!(tally(&line, b' ', |_| false), (len.div_ceil(3), false), "{len}");
            for at in 0..len {
                let mut line = vec![b'a'; len];
                line[at] = b'"';
                assert_eq!(tally(&line, b'"', |_| false), (1, false), "{at} of {len}");
                assert_eq!(tally(&line, b' ', |byte| byte == b'"'), (0, true), "{at} of {len}");
                if at > 0 {
                    line[at - 1] = b'"';
                    assert_eq!(tally(&line, b' ', |byte| byte == b'"'), (0, true), "{at} of {len}");
                }
            }
        }
        let spaces = [b' '; 70_000];
        assert_eq!(tally(&spaces, b' ', |_| false).0, spaces.len());
    }
}
