//! Decodes UTF-8 by the character (RFC 3629), and measures how far bytes agree with a set of code points.

/// Inclusive ranges of code points, in rising order, without surrogates.
pub(crate) type Ranges = &'static [(u32, u32)];

/// Returns the number of bytes of a character, the lowest code point that needs this number, and the code
/// point bits in its first byte.
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

/// Returns the code point beyond ASCII at `at`, and its end. Returns None if it is ill-formed.
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

/// Returns true if `code` is in one of the ranges.
pub(crate) fn contains(ranges: Ranges, code: u32) -> bool {
    ranges.iter().any(|&(first, last)| (first..=last).contains(&code))
}

/// Returns the number of bytes from `at` on with which some character of `ranges` starts.
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
        // The range of the code points that start with these bytes.
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
