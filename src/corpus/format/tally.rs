//! Counts in a line, in one pass that compilers make vector instructions of.
//!
//! A search for each separator costs a call a column, and `memchr`'s count goes byte by byte through what is left of a
//! line behind its last vector: both take longer where columns, or lines, are short.

/// How often `separator` stands in a line, and whether any byte of it `matters` besides.
#[inline]
pub(super) fn tally(line: &[u8], separator: u8, matters: impl Fn(u8) -> bool + Copy) -> (usize, bool) {
    let (wide, rest) = line.as_chunks::<64>();
    let (narrow, rest) = rest.as_chunks::<16>();
    let (mut count, mut any) = (0, false);
    let mut add = |(few, some): (u8, bool)| {
        count += usize::from(few);
        any |= some;
    };
    wide.iter().for_each(|block| add(within(block, separator, matters)));
    narrow.iter().for_each(|block| add(within(block, separator, matters)));
    add(within(rest, separator, matters));
    (count, any)
}

/// The same of at most 255 bytes.
#[inline]
fn within(block: &[u8], separator: u8, matters: impl Fn(u8) -> bool) -> (u8, bool) {
    block
        .iter()
        .fold((0, false), |(count, any), &byte| (count + u8::from(byte == separator), any | matters(byte)))
}

/// Whether two of this byte stand side by side in a line.
#[inline]
pub(super) fn has_pair(line: &[u8], byte: u8) -> bool {
    let next = line.get(1..).unwrap_or_default();
    line.iter().zip(next).fold(false, |any, (&first, &second)| any | ((first == byte) & (second == byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

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
                assert!(!has_pair(&line, b'"'));
                if at > 0 {
                    line[at - 1] = b'"';
                    assert!(has_pair(&line, b'"'), "{at} of {len}");
                }
            }
        }
        let spaces = [b' '; 70_000];
        assert_eq!(tally(&spaces, b' ', |_| false).0, spaces.len());
    }
}
