//! The start of a stream of bzip2, which is text but for one byte.

/// The start of a stream; the size of its blocks follows, as a digit.
#[cfg(all(feature = "rayon", feature = "bzip2"))]
pub(crate) const START: &[u8] = b"BZh";

/// The bytes by which a stream is recognised: the start, the magic number of a block, its checksum, and a byte of flags.
const TELLING: usize = 15;

/// The start of a stream with a block, and of one without, with the first block size.
const MAGICS: [&[u8]; 2] = [b"BZh11AY&SY", b"BZh1\x17\x72\x45\x38\x50\x90"];

/// Whether a stream starts like this.
///
/// The magic number of a block is text. After its checksum stand a bit, and a number below 2^20 in 24 bits: the next byte is no text.
pub(crate) fn is_start(head: &[u8]) -> bool {
    let (head, len) = first(head);
    let starts_with = |magic: &[u8]| len >= magic.len() && head.starts_with(magic);
    starts_with(MAGICS[1]) || starts_with(MAGICS[0]) && len == TELLING && head[TELLING - 1] & 0x78 == 0
}

/// Whether more bytes after `head` could settle it.
pub(crate) fn is_open(head: &[u8]) -> bool {
    let (head, len) = first(head);
    MAGICS.iter().any(|magic| magic.starts_with(&head[..len.min(magic.len())]))
        && len < TELLING
        && !head.starts_with(MAGICS[1])
}

/// The first bytes, with the first block size, and how many there are.
fn first(head: &[u8]) -> ([u8; TELLING], usize) {
    let mut first = [0; TELLING];
    let len = head.len().min(TELLING);
    first[..len].copy_from_slice(&head[..len]);
    if let [b'B', b'Z', b'h', size @ b'1'..=b'9', ..] = &mut first {
        *size = b'1';
    }
    (first, len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_told_from_text() {
        for (head, starts, open) in [
            (&b"BZh91AY&SY\x01\x02\x03\x04\0"[..], true, false),
            (b"BZh91AY&SYabcd\x07", true, false),
            (b"BZh91AY&SYabcd\x83", true, false),
            (b"BZh9\x17\x72\x45\x38\x50\x90\0", true, false),
            (b"BZh91AY&SYabcd", false, true),
            (b"BZh91AY&SYabcde", false, false),
            (b"BZh91AY&SYabcd\n", false, false),
            (b"BZh91AY&SY\n", false, true),
            (b"BZh9", false, true),
            (b"B", false, true),
            (b"", false, true),
            (b"BZh0", false, false),
            (b"BZ\n", false, false),
            (b"h", false, false),
        ] {
            assert_eq!((is_start(head), is_open(head)), (starts, open), "{head:?}");
        }
    }
}
