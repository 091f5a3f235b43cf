//! The results that a scan of one piece writes out: positions, one a line, and marks, for bytes that few
//! lines have.
//!
//! Readers need not read the bytes again, which may be those of a file that changes meanwhile. Even if the
//! bytes change, each stream has one position a line, and the positions of a line are in order.

use alloc::vec::Vec;
use core::ops::AddAssign;

use crate::column::ABSENT;
use crate::simd::block::mask_structs::GROUP;
use crate::simd::block::vector::{BLOCK, SURPLUS, Words, write_each};

/// The positions that a scan writes out.
pub(crate) mod collect {
    /// None.
    pub(crate) const NOTHING: u8 = 0;
    /// The ends of the lines.
    pub(crate) const ENDS: u8 = 1;
    /// The ends of the lines, and the lines that may differ from their normal form. Only for lines that have
    /// LFs, and for the grammars of RFC 3986.
    pub(crate) const ENDS_AND_FORMS: u8 = 2;
    /// The ends of the lines, and the numbers of lines with some components. Not for grammars that forbid
    /// schemes.
    pub(crate) const ENDS_AND_COUNTS: u8 = 3;
    /// All streams and marks.
    pub(crate) const ALL: u8 = 4;
}

/// The numbers of lines with some components, among the lines that do not fall back. Each of these has a
/// scheme and a host, and neither userinfo nor a port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineCounts {
    /// Lines whose path is empty.
    pub(crate) empty_paths: u64,
    pub(crate) queries: u64,
    pub(crate) fragments: u64,
}

impl LineCounts {
    #[inline(always)]
    pub(in crate::simd) fn each_mut(&mut self) -> [&mut u64; 3] {
        [&mut self.empty_paths, &mut self.queries, &mut self.fragments]
    }
}

impl AddAssign for LineCounts {
    fn add_assign(&mut self, mut next: Self) {
        self.each_mut().into_iter().zip(next.each_mut()).for_each(|(sum, count)| *sum += *count);
    }
}

/// A marked byte, which few lines have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::simd) struct Mark {
    /// The number of the line in the piece.
    pub(in crate::simd) line: u32,
    /// The position of the byte, relative to the piece.
    pub(in crate::simd) at: u32,
}

/// A line that the scan notes. Positions are relative to the piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotedLine {
    /// The number of the line in the piece.
    pub(crate) index: u32,
    /// The first byte of the line.
    pub(crate) start: u32,
    /// The LF of the line, or the CR before it.
    pub(crate) end: u32,
    /// The first byte for which the line falls back, if it is a forbidden byte in the path, the query or the
    /// fragment, and the line's structure before it is right; else [`ABSENT`].
    pub(crate) forbidden: u32,
}

/// The results of a scan of one piece. Positions are relative to the piece, one a line in line order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Streams {
    /// The number of lines.
    pub(crate) lines: usize,
    /// The bytes of the lines, including the last LF.
    pub(crate) len: usize,
    /// The lines that the kernel does not accept, and the parser must judge.
    pub(crate) fallback: NotedLines,
    /// The lines that may differ from their normal form, if these are wanted. Lines that fall back need not
    /// be among them.
    pub(crate) candidates: NotedLines,
    /// The numbers of lines with some components, if these are wanted.
    pub(crate) counts: LineCounts,
    /// The end of each line: its LF, or the CR before it.
    pub(in crate::simd) end: Vec<u32>,
    /// The LF of each line, if any line ends with CR LF; else empty, because then the LF is the end.
    pub(in crate::simd) newline: Vec<u32>,
    /// Whether any line ends with CR LF.
    pub(in crate::simd) crlf: bool,
    /// The first byte of each line that cannot be in a scheme; if the grammar allows lines without a scheme,
    /// the first of `:/?#` or the end.
    pub(in crate::simd) scheme_end: Vec<u32>,
    /// The end of each line's authority, or a byte in its path.
    pub(in crate::simd) path: Vec<u32>,
    /// One mark for each line whose path ends before the line: the `?` or `#` after the path.
    pub(in crate::simd) path_ends: Vec<Mark>,
    /// One mark for each line that has a fragment: its `#`.
    pub(in crate::simd) fragments: Vec<Mark>,
    /// One mark for each line whose host may end at a colon: this colon. A line that does not fall back has a
    /// port after it.
    pub(in crate::simd) ports: Vec<Mark>,
    /// The numbers of the lines whose hosts may be addresses. Those of lines that fall back have no meaning.
    pub(in crate::simd) may_be_addresses: Vec<u32>,
    /// The start of each line, or of its rest after the scheme. Only the columns use it.
    pub(in crate::simd) rest: Vec<u32>,
}

/// Some lines, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct NotedLines {
    pub(crate) lines: Vec<NotedLine>,
    /// 1 if the line that goes on in the next block is one of them. Only the scan uses it.
    pub(in crate::simd) goes_on: u64,
    /// The field `forbidden` of that line.
    forbidden: u32,
}

impl NotedLines {
    /// Notes the lines that end in a group and have a bit of `other` or `forbidden`, and the first forbidden bytes.
    #[cold]
    #[inline(never)]
    pub(in crate::simd) fn note(
        &mut self,
        group: GroupLines<'_>,
        other: &[u64; GROUP],
        forbidden: &[u64; GROUP],
    ) {
        let GroupLines { newlines, crlf, before, mut start, base } = group;
        let mut index = before as u32;
        // The field `forbidden` of the line that goes on, if that is noted.
        let mut goes_on = (self.goes_on != 0).then_some(self.forbidden);
        for (i, &newline) in newlines.iter().enumerate() {
            let mut bits = other[i] | forbidden[i];
            if bits == 0 && goes_on.is_none() {
                if newline != 0 {
                    index += newline.count_ones();
                    start = base + BlockLines::after_last(i, newline);
                }
                continue;
            }
            let base = base + (i * BLOCK) as u32;
            let first_of = |bits: u64| {
                let is_forbidden = !other[i] & bits & bits.wrapping_neg() != 0;
                if is_forbidden { base + bits.trailing_zeros() } else { ABSENT }
            };
            let mut newline = newline;
            while newline != 0 {
                let at = newline.trailing_zeros();
                let after = (u64::MAX << at) << 1;
                let of_line = bits & !after;
                if goes_on.is_some() || of_line != 0 {
                    let end = base + at - (crlf[i] >> at & 1) as u32;
                    let forbidden = goes_on.take().unwrap_or_else(|| first_of(of_line));
                    self.lines.push(NotedLine { index, start, end, forbidden });
                }
                (bits, newline) = (bits & after, newline & after);
                (index, start) = (index + 1, base + at + 1);
            }
            if bits != 0 && goes_on.is_none() {
                goes_on = Some(first_of(bits));
            }
        }
        self.goes_on = u64::from(goes_on.is_some());
        self.forbidden = goes_on.unwrap_or(ABSENT);
    }

    fn clear(&mut self) {
        self.lines.clear();
        self.goes_on = 0;
    }
}

impl Streams {
    /// Returns the streams that have a position a line.
    #[inline]
    fn positions(&mut self) -> [&mut Vec<u32>; 4] {
        [&mut self.end, &mut self.newline, &mut self.scheme_end, &mut self.path]
    }

    /// Returns the numbers of the lines whose hosts may be addresses, in order. Those of lines that fall back
    /// have no meaning, here and in [`with_port`](Self::with_port).
    pub(crate) fn may_be_addresses(&self) -> impl Iterator<Item = u32> {
        self.may_be_addresses.iter().copied()
    }

    /// Returns the numbers of the lines with a port, in order.
    pub(crate) fn with_port(&self) -> impl Iterator<Item = u32> {
        self.ports.iter().map(|mark| mark.line)
    }

    /// Empties all streams, and keeps their memory.
    pub(in crate::simd) fn clear(&mut self) {
        (self.lines, self.len, self.crlf) = (0, 0, false);
        self.fallback.clear();
        self.candidates.clear();
        self.counts = LineCounts::default();
        self.path_ends.clear();
        self.fragments.clear();
        self.ports.clear();
        self.may_be_addresses.clear();
        for stream in self.positions() {
            stream.clear();
        }
    }

    /// Drops the positions and marks after the last LF, which belong to no line.
    pub(in crate::simd) fn drop_unfinished(&mut self) {
        let lines = self.lines;
        for stream in self.positions() {
            debug_assert!(stream.is_empty() || (lines..=lines + 1).contains(&stream.len()));
            stream.truncate(lines);
        }
        for marks in [&mut self.path_ends, &mut self.fragments, &mut self.ports] {
            while marks.pop_if(|mark| mark.line as usize >= lines).is_some() {}
        }
        while self.may_be_addresses.pop_if(|line| *line as usize >= lines).is_some() {}
    }
}

/// Appends the positions of the bits of `words` to `stream`.
///
/// # Safety
///
/// The machine must have the features of `W`.
#[inline(always)]
pub(in crate::simd) unsafe fn write_positions<W: Words>(stream: &mut Vec<u32>, words: &[u64], base: u32) {
    // The caller passes some words at a time, so that memory grows with the lines, and not with the bytes.
    stream.reserve(words.len() * BLOCK + SURPLUS);
    let len = stream.len();
    // SAFETY: the stream has room for a position a bit, and the surplus; the length counts the written
    // positions. The caller promises the features.
    unsafe {
        let start = stream.as_mut_ptr();
        let end = W::write_positions(words, base, start.add(len));
        stream.set_len(end.offset_from_unsigned(start));
    }
}

/// Appends the numbers of the lines that have the bits of `words`.
#[inline(always)]
pub(in crate::simd) fn write_numbers(
    stream: &mut Vec<u32>,
    words: &[u64],
    blocks: impl Iterator<Item = BlockLines>,
) {
    stream.reserve(words.len() * BLOCK + SURPLUS);
    let len = stream.len();
    // SAFETY: the stream has room for a number a bit, and the surplus; the length counts the written numbers.
    unsafe {
        let start = stream.as_mut_ptr();
        let end = write_each(words, blocks, start.add(len), BlockLines::index_at);
        stream.set_len(end.offset_from_unsigned(start));
    }
}

/// The lines of a group of blocks, and their positions.
#[derive(Clone, Copy)]
pub(in crate::simd) struct GroupLines<'a> {
    pub(in crate::simd) newlines: &'a [u64],
    pub(in crate::simd) crlf: &'a [u64],
    /// The number of lines that ended before the group.
    pub(in crate::simd) before: usize,
    /// The start of the group's first line, which may lie in an earlier group.
    pub(in crate::simd) start: u32,
    /// The start of the group.
    pub(in crate::simd) base: u32,
}

/// The lines of a block, and their positions.
#[derive(Clone, Copy)]
pub(in crate::simd) struct BlockLines {
    newline: u64,
    /// The number of lines that ended before the block.
    before: usize,
    /// The start of the block.
    base: u32,
}

impl BlockLines {
    /// Returns the lines of the group's blocks.
    #[inline(always)]
    pub(in crate::simd) fn all(group: GroupLines<'_>) -> impl Iterator<Item = Self> {
        let mut before = group.before;
        group.newlines.iter().enumerate().map(move |(i, &newline)| {
            let block = BlockLines { newline, before, base: group.base + (i * BLOCK) as u32 };
            before += newline.count_ones() as usize;
            block
        })
    }

    /// Returns the position after the last LF of block `i`, relative to the first block. The block must have
    /// an LF.
    #[inline(always)]
    pub(in crate::simd) fn after_last(i: usize, newline: u64) -> u32 {
        (i * BLOCK) as u32 + u64::BITS - newline.leading_zeros()
    }

    /// Returns the number in the piece of the line that has byte `at` of the block. For other values of `at`,
    /// the result has no meaning.
    #[inline(always)]
    fn index_at(&self, at: u32) -> u32 {
        self.before as u32 + self.newlines_before(at).count_ones()
    }

    #[inline(always)]
    fn newlines_before(&self, at: u32) -> u64 {
        self.newline & (1u64.wrapping_shl(at) - 1)
    }

    /// Notes the bytes of a mask.
    #[inline(always)]
    pub(in crate::simd) fn note(&self, marks: &mut Vec<Mark>, mut bits: u64) {
        while bits != 0 {
            let at = bits.trailing_zeros();
            marks.push(Mark { line: self.index_at(at), at: self.base + at });
            bits &= bits - 1;
        }
    }
}
