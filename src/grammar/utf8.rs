//! UTF-8 by the character (RFC 3629), and how far a byte sequence agrees with a set of code points.

/// Inclusive ranges of code points, in rising order, without surrogates.
pub(crate) type Ranges = &'static [(u32, u32)];

/// The bytes that a character takes, the least code point that needs so many, and the first byte's bits.
fn lead(byte: u8) -> Option<(usize, u32, u32)> {
    let bits = u32::from(byte);
    match byte {
        0xC2..=0xDF => Some((2, 0x80, bits & 0x1F)),
        0xE0..=0xEF => Some((3, 0x800, bits & 0x0F)),
        0xF0..=0xF4 => Some((4, 0x1_0000, bits & 0x07)),
        _ => None,
    }
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// The code point at `at`, beyond ASCII, and where it ends; nothing if it is ill-formed.
pub(crate) fn decode(record: &[u8], at: usize) -> Option<(u32, usize)> {
    let (len, least, mut code) = lead(record[at])?;
    let end = at + len;
    for &byte in record.get(at + 1..end)? {
        if !is_continuation(byte) {
            return None;
        }
        code = code << 6 | u32::from(byte & 0x3F);
    }
    (code >= least && char::from_u32(code).is_some()).then_some((code, end))
}

/// Whether `code` is in one of the ranges.
pub(crate) fn contains(ranges: Ranges, code: u32) -> bool {
    ranges.iter().any(|&(first, last)| (first..=last).contains(&code))
}

/// The number of bytes from `at` up to the first character of `ranges`.
#[cold]
pub(crate) fn viable_len(record: &[u8], at: usize, ranges: Ranges) -> usize {
    let Some((len, least, mut code)) = lead(record[at]) else { return 0 };
    let mut viable = 0;
    while viable < len {
        if viable > 0 {
            match record.get(at + viable) {
                Some(&byte) if is_continuation(byte) => code = code << 6 | u32::from(byte & 0x3F),
                _ => break,
            }
        }
        // The code points that start with these bytes.
        let rest = 6 * (len - viable - 1);
        let first = (code << rest).max(least);
        let last = code << rest | ((1 << rest) - 1);
        if !ranges.iter().any(|&(low, high)| first <= high && low <= last && first <= last) {
            break;
        }
        viable += 1;
    }
    viable
}
