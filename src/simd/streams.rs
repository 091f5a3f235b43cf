//! The positions that a scan of one piece writes out: positions, one a line, and marks, where few lines have
//! one.
//!
//! All of it comes from one look at each byte, so that readers need not look at the bytes again, which may be those of a file that
//! changes meanwhile. Whatever the bytes do, each stream has one position a line, and in each line they follow each other.

use alloc::vec::Vec;

use super::vector::{BLOCK, SURPLUS, Words};

/// Which positions a scan writes out.
pub(crate) mod collect {
    /// None.
    pub(crate) const NOTHING: u8 = 0;
    /// The ends of the lines.
    pub(crate) const ENDS: u8 = 1;
    /// The ends of the lines, and the lines that may not be their own normal form. Only of lines that have LFs, and under the
    /// grammars of RFC 3986.
    pub(crate) const ENDS_AND_FORMS: u8 = 2;
    /// All streams and marks.
    pub(crate) const ALL: u8 = 3;
}

/// A byte of a line, where few lines have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// Which line of the piece.
    pub(super) line: u32,
    /// The byte, relative to the piece.
    pub(super) at: u32,
}

/// A line that needs a closer look. Positions are relative to the piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotedLine {
    /// Which line of the piece.
    pub(crate) index: u32,
    /// Its first byte.
    pub(crate) start: u32,
    /// Its LF, or the CR before it.
    pub(crate) end: u32,
}

/// The results of a scan of one piece. Positions are relative to the piece, one a line in line order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Streams {
    /// The number of lines.
    pub(crate) lines: usize,
    /// The bytes of the lines: up to the last LF, and with it.
    pub(crate) len: usize,
    /// The lines that the kernel does not vouch for: the parser must judge them.
    pub(crate) fallback: NotedLines,
    /// The lines that may not be their own normal form, if that is wanted; those that fall back need not be among them.
    pub(crate) odd: NotedLines,
    /// The line's end: its LF, or the CR before it.
    pub(super) end: Vec<u32>,
    /// The line's LF, if some line ends with CR LF; else empty, for then it is the end.
    pub(super) newline: Vec<u32>,
    /// Whether some line ends with CR LF.
    pub(super) crlf: bool,
    /// The first byte that no scheme has; with references the first of `:/?#` or the end.
    pub(super) scheme_end: Vec<u32>,
    /// The end of the authority, or a byte in the path.
    pub(super) path: Vec<u32>,
    /// One mark for each line whose path ends before it: the `?` or `#` after it.
    pub(super) path_ends: Vec<Mark>,
    /// One mark for each line with a fragment: its `#`.
    pub(super) fragments: Vec<Mark>,
    /// The starts of the lines, or of their rest after the scheme. For the columns alone.
    pub(super) rest: Vec<u32>,
}

/// Some lines, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct NotedLines {
    pub(crate) lines: Vec<NotedLine>,
    /// 1 if the line that goes on is one of them. For the scan alone.
    pub(super) goes_on: u64,
}

impl NotedLines {
    fn clear(&mut self) {
        self.lines.clear();
        self.goes_on = 0;
    }
}

impl Streams {
    /// The streams that have a position a line.
    #[inline]
    fn positions(&mut self) -> [&mut Vec<u32>; 4] {
        [&mut self.end, &mut self.newline, &mut self.scheme_end, &mut self.path]
    }

    /// Empties all, keeping their memory.
    pub(super) fn clear(&mut self) {
        (self.lines, self.len, self.crlf) = (0, 0, false);
        self.fallback.clear();
        self.odd.clear();
        self.path_ends.clear();
        self.fragments.clear();
        for stream in self.positions() {
            stream.clear();
        }
    }

    /// Drops the notes on the line after the last LF, which is no line.
    pub(super) fn drop_unfinished(&mut self) {
        let lines = self.lines;
        for stream in self.positions() {
            debug_assert!(stream.is_empty() || (lines..=lines + 1).contains(&stream.len()));
            stream.truncate(lines);
        }
        for marks in [&mut self.path_ends, &mut self.fragments] {
            while marks.pop_if(|mark| mark.line as usize >= lines).is_some() {}
        }
    }
}

/// Appends the positions of the bits of `words` to those that `stream` has.
///
/// # Safety
///
/// The machine must have the features of `W`.
#[inline(always)]
pub(super) unsafe fn write_positions<W: Words>(stream: &mut Vec<u32>, words: &[u64], base: u32) {
    // It is made for some words at a time, so that memory grows with the lines, and not with the bytes.
    stream.reserve(words.len() * BLOCK + SURPLUS);
    let len = stream.len();
    // SAFETY: there is room for a position a bit, and the surplus; the length counts the written positions. The caller promises
    // the features.
    unsafe {
        let start = stream.as_mut_ptr();
        let end = W::write_positions(words, base, start.add(len));
        stream.set_len(end.offset_from_unsigned(start));
    }
}

/// The lines of a block, and where they stand.
#[derive(Clone, Copy)]
pub(super) struct BlockLines {
    pub(super) newline: u64,
    /// The LFs that have a CR before them, and those CRs.
    pub(super) crlf: u64,
    /// The number of lines that ended before the block.
    pub(super) before: usize,
    /// The start of the block's first line, which may lie in an earlier block.
    pub(super) start: u32,
    /// The start of the block.
    pub(super) base: u32,
}

impl BlockLines {
    /// The positions of blocks that follow each other; the first one starts at `base`.
    #[inline(always)]
    pub(super) fn all(
        newlines: &[u64],
        crlf: &[u64],
        mut before: usize,
        mut start: u32,
        base: u32,
    ) -> impl Iterator<Item = Self> {
        newlines.iter().zip(crlf).enumerate().map(move |(i, (&newline, &crlf))| {
            let block = BlockLines { newline, crlf, before, start, base: base + (i * BLOCK) as u32 };
            before += newline.count_ones() as usize;
            if newline != 0 {
                start = base + Self::behind_last(i, newline);
            }
            block
        })
    }

    /// The bytes after the last LF of block `i`, which has one.
    #[inline(always)]
    pub(super) fn behind_last(i: usize, newline: u64) -> u32 {
        (i * BLOCK) as u32 + u64::BITS - newline.leading_zeros()
    }

    /// The number of lines of the block that end before a byte of it.
    #[inline(always)]
    fn index_at(&self, at: u32) -> u32 {
        self.before as u32 + self.newlines_before(at).count_ones()
    }

    #[inline(always)]
    fn newlines_before(&self, at: u32) -> u64 {
        self.newline & ((1 << at) - 1)
    }

    /// Notes the lines that end in the block and have a bit of `bits`.
    #[cold]
    #[inline(never)]
    pub(super) fn note_lines(&self, noted: &mut NotedLines, bits: u64) {
        // Each line's bits are moved to its LF.
        // SAFETY: a `u64` asks for nothing.
        let within = unsafe { (bits & !self.newline).run(!self.newline, &mut noted.goes_on) };
        let mut ends = (within | bits) & self.newline;
        while ends != 0 {
            let at = ends.trailing_zeros();
            let start = match self.newlines_before(at) {
                0 => self.start,
                before => self.base + u64::BITS - before.leading_zeros(),
            };
            let end = self.base + at - (self.crlf >> at & 1) as u32;
            noted.lines.push(NotedLine { index: self.index_at(at), start, end });
            ends &= ends - 1;
        }
    }

    /// Notes the bytes of a mask.
    #[inline(always)]
    pub(super) fn note(&self, marks: &mut Vec<Mark>, mut bits: u64) {
        while bits != 0 {
            let at = bits.trailing_zeros();
            marks.push(Mark { line: self.index_at(at), at: self.base + at });
            bits &= bits - 1;
        }
    }
}
