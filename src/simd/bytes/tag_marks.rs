//! The bytes at which tags of HTML begin, end and are cut, those at which strings of JSON end, and all bytes of one
//! value, such as line ends: passes over bytes that know nothing of tags.

use crate::simd::block::classify::{ALLOWED, NAME_END, NAME_END_SET};
use crate::simd::block::vector::{BLOCK, Vector};
use crate::work::looked_at;

/// The blocks of a window, which is marked at once.
pub(super) const BLOCKS: usize = 32;

/// The bytes of a window.
pub(crate) const WINDOW: usize = BLOCKS * BLOCK;

/// Marks, a bit for each byte of a window. The marks after the block of the last marked byte have no meaning.
pub(crate) type Marks = [u64; BLOCKS];

/// The bytes at which tags are cut.
#[derive(Clone, Debug)]
pub(crate) struct TagMarks {
    /// `<`.
    pub(crate) less: Marks,
    /// White space, `/`, `>` and `=`: the bytes at which names end.
    pub(crate) name_end: Marks,
    /// `"`.
    pub(crate) quotation: Marks,
    /// `'`.
    pub(crate) apostrophe: Marks,
}

impl TagMarks {
    /// The marks of no bytes.
    pub(crate) const NONE: Self = TagMarks {
        less: [0; BLOCKS],
        name_end: [0; BLOCKS],
        quotation: [0; BLOCKS],
        apostrophe: [0; BLOCKS],
    };

    fn set(&mut self, index: usize, [less, name_end, quotation, apostrophe]: [u64; 4]) {
        self.less[index] = less;
        self.name_end[index] = name_end;
        self.quotation[index] = quotation;
        self.apostrophe[index] = apostrophe;
    }
}

/// Marks these bytes, at most [`WINDOW`].
///
/// # Safety
///
/// The machine must have the features of `V`, and the caller must enable them.
#[inline(always)]
pub(in crate::simd) unsafe fn mark_tags<V: Vector>(bytes: &[u8], marks: &mut TagMarks) {
    looked_at(bytes.len());
    let (blocks, last) = bytes.as_chunks::<BLOCK>();
    // No closure, since a closure would not have the features.
    for (index, block) in blocks.iter().enumerate() {
        // SAFETY: the caller promises the features.
        marks.set(index, unsafe { tags_of(V::load(block)) });
    }
    if !last.is_empty() {
        // SAFETY: the caller promises the features.
        let of_block = unsafe { tags_of(V::load_last(last)) };
        marks.set(blocks.len(), of_block.map(|mask| mask & filled(last)));
    }
}

#[inline(always)]
unsafe fn tags_of<V: Vector>(vector: V) -> [u64; 4] {
    // SAFETY: the caller promises the features.
    unsafe {
        let name_end = vector.classify(&NAME_END).at_least::<ALLOWED>();
        [vector.eq(b'<'), name_end, vector.eq(b'"'), vector.eq(b'\'')]
    }
}

/// Marks the occurrences of a byte in these bytes, at most [`WINDOW`].
///
/// # Safety
///
/// The same as for [`mark_tags`].
#[inline(always)]
pub(in crate::simd) unsafe fn mark_byte<V: Vector>(bytes: &[u8], byte: u8, marks: &mut Marks) {
    looked_at(bytes.len());
    let (blocks, last) = bytes.as_chunks::<BLOCK>();
    for (block, mark) in blocks.iter().zip(marks.iter_mut()) {
        // SAFETY: the caller promises the features.
        *mark = unsafe { V::load(block).eq(byte) };
    }
    if !last.is_empty() {
        // SAFETY: the caller promises the features.
        marks[blocks.len()] = unsafe { V::load_last(last).eq(byte) } & filled(last);
    }
}

/// Marks the bytes at which strings of JSON end or cannot be copied: quotes and backslashes; and LFs. These are at
/// most [`WINDOW`] bytes.
///
/// # Safety
///
/// The same as for [`mark_tags`].
#[inline(always)]
pub(in crate::simd) unsafe fn mark_strings<V: Vector>(bytes: &[u8], marks: &mut Marks) {
    looked_at(bytes.len());
    let (blocks, last) = bytes.as_chunks::<BLOCK>();
    for (block, mark) in blocks.iter().zip(marks.iter_mut()) {
        // SAFETY: the caller promises the features.
        *mark = unsafe { string_stops(V::load(block)) };
    }
    if !last.is_empty() {
        // SAFETY: the caller promises the features.
        marks[blocks.len()] = unsafe { string_stops(V::load_last(last)) } & filled(last);
    }
}

#[inline(always)]
unsafe fn string_stops<V: Vector>(vector: V) -> u64 {
    // SAFETY: the caller promises the features.
    unsafe { vector.eq(b'"') | vector.eq(b'\\') | vector.eq(b'\n') }
}

/// Returns the bits of these bytes, which are the first of a block.
#[inline(always)]
pub(super) fn filled(bytes: &[u8]) -> u64 {
    (1 << bytes.len()) - 1
}

/// [`mark_tags`], byte by byte.
pub(in crate::simd) fn mark_tags_one_by_one(bytes: &[u8], marks: &mut TagMarks) {
    looked_at(bytes.len());
    for (index, block) in bytes.chunks(BLOCK).enumerate() {
        let name_end = mask(block, |byte| NAME_END_SET.contains(byte));
        let [less, quotation, apostrophe] = [b'<', b'"', b'\''].map(|one| mask(block, |byte| byte == one));
        marks.set(index, [less, name_end, quotation, apostrophe]);
    }
}

/// [`mark_byte`], byte by byte.
pub(in crate::simd) fn mark_byte_one_by_one(bytes: &[u8], byte: u8, marks: &mut Marks) {
    looked_at(bytes.len());
    for (block, mark) in bytes.chunks(BLOCK).zip(marks.iter_mut()) {
        *mark = self::mask(block, |other| other == byte);
    }
}

/// [`mark_strings`], byte by byte.
pub(in crate::simd) fn mark_strings_one_by_one(bytes: &[u8], marks: &mut Marks) {
    looked_at(bytes.len());
    for (block, mark) in bytes.chunks(BLOCK).zip(marks.iter_mut()) {
        *mark = self::mask(block, |byte| matches!(byte, b'"' | b'\\' | b'\n'));
    }
}

pub(super) fn mask(block: &[u8], is_such: impl Fn(u8) -> bool) -> u64 {
    block.iter().enumerate().fold(0, |mask, (i, &byte)| mask | u64::from(is_such(byte)) << i)
}
