//! Rows of text that are made of the same steps: in each a short text, which is the same in all rows, and a part of a buffer.
//!
//! A fixed number of bytes of each is a few instructions, whatever its length; what comes next overwrites the surplus. How many bytes that
//! are is found once for many rows, so that no branch depends on the length of a part.

use core::ptr;

use crate::column::ABSENT;

/// The most bytes of a [`ShortText`].
const SHORT: usize = 32;

/// The most bytes of a part that are copied without a look at its length. There is room for as many behind the rows.
const SURPLUS: usize = 256;

/// The bytes of a block of long parts.
const LOOP: usize = 64;

/// A text of at most [`MOST`](Self::MOST) bytes, in a block that is copied whole.
#[derive(Clone, Copy, Debug)]
pub struct ShortText {
    bytes: [u8; SHORT],
    len: usize,
}

impl ShortText {
    /// The most bytes.
    pub const MOST: usize = SHORT;

    /// # Panics
    ///
    /// If it is too long.
    pub fn new(text: &str) -> Self {
        let mut bytes = [0; SHORT];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        ShortText { bytes, len: text.len() }
    }
}

/// The texts around a part.
#[derive(Clone, Copy, Debug)]
pub struct TextsAround {
    /// By [`kind`].
    before: [ShortText; 4],
    after: u8,
    /// 1 where the last byte is written, 0 where it is not.
    after_len: [u8; 4],
}

impl TextsAround {
    /// The texts before a part that has bytes, before one that has none, and instead of one that is not there; and the byte after a part that is there.
    pub fn new(before: ShortText, empty: ShortText, absent: ShortText, after: Option<u8>) -> Self {
        let after_len = u8::from(after.is_some());
        TextsAround {
            before: [before, before, empty, absent],
            after: after.unwrap_or_default(),
            after_len: [after_len, after_len, after_len, 0],
        }
    }
}

/// 0 for a part with bytes, 2 for an empty one, 3 for one that is not there.
#[inline(always)]
fn kind(start: u32, end: u32) -> usize {
    usize::from(start == ABSENT) | usize::from(start == end) << 1
}

/// A step of all rows: texts, and a part of `from` for each row, which lies between two columns.
#[derive(Clone, Copy, Debug)]
pub struct RowStep<'a> {
    texts: &'a TextsAround,
    from: &'a [u8],
    starts: &'a [u32],
    ends: &'a [u32],
    copied: Copied,
}

/// What is copied of each part.
#[derive(Clone, Copy, Debug)]
enum Copied {
    /// Nothing: no row has a part.
    Nothing,
    /// So many bytes, whatever its length.
    First16,
    First32,
    First64,
    First128,
    First256,
    /// Its blocks of [`LOOP`] bytes.
    Blocks,
    /// As many bytes as it has, and no more.
    Exactly,
}

impl<'a> RowStep<'a> {
    /// The same text in all rows.
    pub fn constant(texts: &'a TextsAround) -> Self {
        RowStep { texts, from: &[], starts: &[], ends: &[], copied: Copied::Nothing }
    }

    /// A part of `from` in each row; both offsets are [`Batch::ABSENT`](crate::Batch::ABSENT) where it is not there.
    pub fn parts(texts: &'a TextsAround, from: &'a [u8], starts: &'a [u32], ends: &'a [u32]) -> Self {
        RowStep { texts, from, starts, ends, copied: Copied::Exactly }
    }
}

/// Measures the parts of some rows: sets what is copied, and returns the bytes of room that the rows need. `None` if a part is
/// not in its buffer.
pub(super) type MeasureRows = unsafe fn(&mut [RowStep<'_>], usize) -> Option<usize>;

/// [`copy_rows`], compiled for a backend.
pub(super) type CopyRows = unsafe fn(&[RowStep<'_>], usize, &mut [u8]) -> usize;

/// [`MeasureRows`], compiled for a backend.
#[inline(always)]
pub(super) fn measure_rows(steps: &mut [RowStep<'_>], rows: usize) -> Option<usize> {
    let mut room = SURPLUS as u64;
    for step in steps {
        let texts = step.texts;
        let longest_text = texts.before.iter().map(|text| text.len).max().unwrap_or_default();
        room += rows as u64 * (longest_text as u64 + 1);
        if matches!(step.copied, Copied::Nothing) {
            continue;
        }
        let (starts, ends) = (&step.starts[..rows], &step.ends[..rows]);
        let (mut sum, mut longest, mut last_start, mut last_end, mut is_reversed) = (0, 0, 0, 0, false);
        for (&start, &end) in starts.iter().zip(ends) {
            is_reversed |= end < start;
            let [start, end] = if start == ABSENT { [0, 0] } else { [start, end] };
            let len = end.wrapping_sub(start);
            sum += u64::from(len);
            longest = longest.max(len);
            last_start = last_start.max(start);
            last_end = last_end.max(end);
        }
        if is_reversed || last_end as usize > step.from.len() {
            return None;
        }
        room += sum;
        let (copied, bytes) = match longest {
            0..=16 => (Copied::First16, 16),
            17..=32 => (Copied::First32, 32),
            33..=64 => (Copied::First64, 64),
            65..=128 => (Copied::First128, 128),
            129..=256 => (Copied::First256, SURPLUS),
            _ => (Copied::Blocks, 0),
        };
        let is_inside = match copied {
            // The last block may end so far behind its part.
            Copied::Blocks => (last_end as usize).saturating_add(LOOP) <= step.from.len(),
            _ => (last_start as usize).saturating_add(bytes) <= step.from.len(),
        };
        step.copied = if is_inside { copied } else { Copied::Exactly };
    }
    usize::try_from(room).ok()
}

/// Writes rows, and returns the number of their bytes.
///
/// # Safety
///
/// [`measure_rows`] must have been called with these steps and as many rows, and the room must have the bytes that it returned.
#[inline(always)]
pub(super) unsafe fn copy_rows(steps: &[RowStep<'_>], rows: usize, room: &mut [u8]) -> usize {
    let first = room.as_mut_ptr();
    let mut to = first;
    for row in 0..rows {
        for step in steps {
            // SAFETY: the room has the bytes of all texts and parts, and behind them the surplus, which is no less than what is
            // written at a time. Each column has an offset for each row; those of a part lie in `from`, and so do the bytes that are copied
            // after its start. The room is borrowed to be changed, so `from` is another buffer.
            unsafe {
                let (start, end) = match step.copied {
                    Copied::Nothing => (0, 1),
                    _ => (*step.starts.get_unchecked(row), *step.ends.get_unchecked(row)),
                };
                let kind = kind(start, end);
                let len = end.wrapping_sub(start) as usize;
                let start = if start == ABSENT { 0 } else { start as usize };
                let before = step.texts.before.get_unchecked(kind);
                copy::<SHORT>(before.bytes.as_ptr(), to);
                to = to.add(before.len);
                let from = step.from.as_ptr().add(start);
                match step.copied {
                    Copied::Nothing => continue,
                    Copied::First16 => copy::<16>(from, to),
                    Copied::First32 => copy::<32>(from, to),
                    Copied::First64 => copy::<64>(from, to),
                    Copied::First128 => copy::<128>(from, to),
                    Copied::First256 => copy::<256>(from, to),
                    Copied::Blocks => {
                        let mut done = 0;
                        while done < len {
                            copy::<LOOP>(from.add(done), to.add(done));
                            done += LOOP;
                        }
                    }
                    Copied::Exactly => ptr::copy_nonoverlapping(from, to, len),
                }
                to = to.add(len);
                *to = step.texts.after;
                to = to.add(usize::from(*step.texts.after_len.get_unchecked(kind)));
            }
        }
    }
    // SAFETY: both point into the room.
    unsafe { to.offset_from_unsigned(first) }
}

/// Copies so many bytes.
///
/// # Safety
///
/// They must be readable there and writable here, and apart.
#[inline(always)]
unsafe fn copy<const BYTES: usize>(from: *const u8, to: *mut u8) {
    // SAFETY: the caller promises it.
    unsafe { to.cast::<[u8; BYTES]>().write_unaligned(from.cast::<[u8; BYTES]>().read_unaligned()) }
}
