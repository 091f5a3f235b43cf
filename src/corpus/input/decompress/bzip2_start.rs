//! The start of a bzip2 stream. All of its bytes but one are text.

/// The start of a stream. The block size follows as a digit.
#[cfg(feature = "bzip2")]
pub(crate) const START: &[u8] = b"BZh";

/// The number of bytes that identify a stream: the start, the magic number of a block, its checksum, and a
/// byte of flags.
const TELLING: usize = 15;

/// The start of a stream with a block, and the start of a stream without one, both with block size 1.
const MAGICS: [&[u8]; 2] = [b"BZh11AY&SY", b"BZh1\x17\x72\x45\x38\x50\x90"];

/// Returns true if `head` is the start of a stream.
///
/// The magic number of a block is text. A bit and a 24-bit number below 2^20 follow its checksum, so the byte
/// after the checksum is not text.
pub(crate) fn is_start(head: &[u8]) -> bool {
    let (head, len) = first(head);
    let starts_with = |magic: &[u8]| len >= magic.len() && head.starts_with(magic);
    starts_with(MAGICS[1]) || starts_with(MAGICS[0]) && len == TELLING && head[TELLING - 1] & 0x78 == 0
}

/// Returns true if bytes after `head` could complete the start of a stream.
pub(crate) fn is_open(head: &[u8]) -> bool {
    let (head, len) = first(head);
    MAGICS.iter().any(|magic| magic.starts_with(&head[..len.min(magic.len())]))
        && len < TELLING
        && !head.starts_with(MAGICS[1])
}

/// Returns the first bytes with the block size replaced by 1, and their number.
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
