//! What a scan of one piece writes out: positions, one a line, and marks, where few lines have one.

use alloc::vec::Vec;

use super::vector::{BLOCK, Words};

/// Which positions a scan writes out.
pub(crate) mod collect {
    /// None.
    pub(crate) const NOTHING: u8 = 0;
    /// The ends of the lines.
    pub(crate) const ENDS: u8 = 1;
    /// All streams and marks.
    pub(crate) const ALL: u8 = 2;
}

/// A byte of a line, where few lines have one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    /// Which line of the piece.
    pub(crate) line: u32,
    /// The byte, relative to the piece.
    pub(crate) at: u32,
}

/// What a scan of one piece finds. Positions are relative to the piece, one a line in line order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Streams {
    /// The number of lines.
    pub(crate) lines: usize,
    /// The LFs of the lines that the scalar parser must judge.
    pub(crate) suspects: Vec<Mark>,
    /// 1 if the line that goes on has an error. For the scan alone.
    pub(super) error_goes_on: u64,
    /// Whether a line ends with CR LF.
    pub(crate) crlf: bool,
    /// The line's end: its LF, or the CR before it.
    pub(crate) end: Vec<u32>,
    /// The first byte that no scheme has; with references the first of `:/?#` or the end.
    pub(crate) scheme_end: Vec<u32>,
    /// The end of the authority, or a byte in the path.
    pub(crate) path: Vec<u32>,
    /// Of the lines whose path does not end with them: the `?` or `#` behind it.
    pub(crate) path_ends: Vec<Mark>,
    /// Of the lines with a fragment: its `#`.
    pub(crate) fragments: Vec<Mark>,
    /// The line starts. The scan leaves them to those who need them: they follow from the ends.
    pub(crate) start: Vec<u32>,
}

impl Streams {
    /// Empties all, keeping their memory.
    pub(super) fn clear(&mut self) {
        self.lines = 0;
        self.crlf = false;
        self.error_goes_on = 0;
        for marks in [&mut self.suspects, &mut self.path_ends, &mut self.fragments] {
            marks.clear();
        }
        for stream in self.streams() {
            stream.clear();
        }
    }

    pub(super) fn streams(&mut self) -> [&mut Vec<u32>; 3] {
        [&mut self.end, &mut self.scheme_end, &mut self.path]
    }
}

/// Writes out the positions of the bits of `words` behind those that `stream` has. One or two a word are usual: these are
/// written without asking.
///
/// # Safety
///
/// `stream` must have room for a position a bit, and two more.
#[inline(always)]
pub(super) unsafe fn write_positions(stream: &mut Vec<u32>, words: &[u64], base: u32) {
    let len = stream.len();
    // SAFETY: the caller promises the room; the length counts what was written.
    unsafe {
        let start = stream.as_mut_ptr();
        let mut next = start.add(len);
        let mut base = base;
        for &bits in words {
            let without = |bits: u64| bits & bits.wrapping_sub(1);
            let second = without(bits);
            next.write(base.wrapping_add(bits.trailing_zeros()));
            next.add(1).write(base.wrapping_add(second.trailing_zeros()));
            let mut rest = without(second);
            let mut further = next.add(2);
            while rest != 0 {
                further.write(base + rest.trailing_zeros());
                further = further.add(1);
                rest = without(rest);
            }
            next = next.add(bits.count_ones() as usize);
            base += BLOCK as u32;
        }
        stream.set_len(next.offset_from_unsigned(start));
    }
}

/// Notes the lines that end in a block and have an error; `lines` ended before.
#[cold]
#[inline(never)]
pub(super) fn note_suspects(streams: &mut Streams, error: u64, newline: u64, lines: usize, base: u32) {
    // Each line's errors are moved to its LF.
    // SAFETY: a `u64` asks for nothing.
    let within = unsafe { (error & !newline).run(!newline, &mut streams.error_goes_on) };
    note(&mut streams.suspects, (within | error) & newline, newline, lines, base);
}

/// Notes the bytes of a block and the lines that they are in; `lines` ended before the block.
#[inline(always)]
pub(super) fn note(marks: &mut Vec<Mark>, mut bits: u64, newline: u64, lines: usize, base: u32) {
    while bits != 0 {
        let at = bits.trailing_zeros();
        let ended = (newline & ((1 << at) - 1)).count_ones();
        marks.push(Mark { line: lines as u32 + ended, at: base + at });
        bits &= bits - 1;
    }
}
