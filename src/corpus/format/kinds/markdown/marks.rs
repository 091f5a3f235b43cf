//! Bounds the number of the parser's nodes and of the links in a text. A kernel counts the marks: one by one,
//! they took a fifth of the time of all that Markdown takes.

use crate::memory::{self, OutOfMemory, Room};
use crate::simd::{Available, MARKDOWN_MARK_SET, count_marks};
use crate::work::looked_at;

/// The most marks of a text that is parsed at once. The parser makes at most two nodes of some 50 bytes for
/// each mark, and a link needs a mark, too. An image in a `data:` URI has many bytes and hardly any marks.
const MOST: usize = 256 << 10;

/// Returns the number of first bytes that have few enough marks to be parsed at once.
pub(super) fn parsable_len(text: &[u8]) -> usize {
    if text.len() <= MOST {
        return text.len();
    }
    let backend = Available::best();
    let (mut marks, mut at) = (0, 0);
    for block in text.chunks(1 << 12) {
        let in_block = count_marks(backend, block);
        if marks + in_block > MOST {
            looked_at(block.len());
            let mut places = block.iter().enumerate().filter(|(_, byte)| is_mark(**byte));
            return at + places.nth(MOST - marks).map_or(0, |(place, _)| place);
        }
        marks += in_block;
        at += block.len();
    }
    text.len()
}

/// Returns the room to parse a text that is [parsable at once](parsable_len).
pub(crate) fn room_for(text: &[u8]) -> Result<Room, OutOfMemory> {
    /// The most bytes of memory for a mark: two nodes and a link, in vectors that grow.
    const NODES: usize = 320;

    let most = text.len().min(MOST);
    memory::room_for_at_most(most * NODES, || count_marks(Available::best(), text).min(MOST) * NODES)
}

/// Returns true if a byte can start a node of the parser, or a link in prose or in HTML.
fn is_mark(byte: u8) -> bool {
    MARKDOWN_MARK_SET.contains(byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_bound_the_text() {
        assert_eq!(parsable_len(&[b'['; MOST]), MOST);
        assert_eq!(parsable_len(&[b'['; MOST + 1]), MOST);
        assert_eq!(parsable_len(&[b'a'; 3 * MOST]), 3 * MOST);
        assert_eq!(parsable_len(&b"a[".repeat(MOST + 1)), 2 * MOST + 1);
    }
}
