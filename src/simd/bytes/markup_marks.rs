//! The bytes at which the markup of XML is cut: a pass over bytes that knows nothing of tags.

use super::tag_marks::{Marks, filled, mask};
use crate::simd::block::classify::{
    ALLOWED, XML_CONTENT, XML_CONTENT_SET, XML_MARKUP, XML_NAME_SET, XML_VALUE, XML_VALUE_SET,
};
use crate::simd::block::vector::{BLOCK, Vector};
use crate::work::looked_at;

/// The bytes at which the markup of XML is cut.
#[derive(Clone, Debug)]
pub(crate) struct MarkupMarks {
    /// `<`, `&` and `]`: the bytes of text that need a look.
    pub(crate) content: Marks,
    /// The bytes that names cannot have, so that names end at them. Bytes beyond ASCII are not among these.
    pub(crate) name_end: Marks,
    /// The same bytes, `"` and `'`: the bytes of values that need a look.
    pub(crate) value: Marks,
}

impl MarkupMarks {
    /// The marks of no bytes.
    pub(crate) const NONE: Self = MarkupMarks { content: [0; _], name_end: [0; _], value: [0; _] };

    #[inline(always)]
    fn set(&mut self, index: usize, [content, name_end, value]: [u64; 3]) {
        self.content[index] = content;
        self.name_end[index] = name_end;
        self.value[index] = value;
    }
}

/// Marks these bytes, at most [`WINDOW`](super::tag_marks::WINDOW).
///
/// # Safety
///
/// The machine must have the features of `V`, and the caller must enable them.
#[inline(always)]
pub(in crate::simd) unsafe fn mark_markup<V: Vector>(bytes: &[u8], marks: &mut MarkupMarks) {
    looked_at(bytes.len());
    let (blocks, last) = bytes.as_chunks::<BLOCK>();
    // No closure, since a closure would not have the features.
    for (index, block) in blocks.iter().enumerate() {
        // SAFETY: the caller promises the features.
        marks.set(index, unsafe { markup_of(V::load(block)) });
    }
    if !last.is_empty() {
        // SAFETY: the caller promises the features.
        let of_block = unsafe { markup_of(V::load_last(last)) };
        marks.set(blocks.len(), of_block.map(|mask| mask & filled(last)));
    }
}

#[inline(always)]
unsafe fn markup_of<V: Vector>(vector: V) -> [u64; 3] {
    // SAFETY: the caller promises the features.
    unsafe {
        let classes = vector.classify(&XML_MARKUP);
        [classes.at_least::<XML_CONTENT>(), classes.at_least::<ALLOWED>(), classes.at_least::<XML_VALUE>()]
    }
}

/// [`mark_markup`], byte by byte.
pub(in crate::simd) fn mark_markup_one_by_one(bytes: &[u8], marks: &mut MarkupMarks) {
    looked_at(bytes.len());
    for (index, block) in bytes.chunks(BLOCK).enumerate() {
        let name_end = mask(block, |byte| byte.is_ascii() && !XML_NAME_SET.contains(byte));
        let [content, value] =
            [XML_CONTENT_SET, XML_VALUE_SET].map(|set| mask(block, |byte| set.contains(byte)));
        marks.set(index, [content, name_end, value]);
    }
}
