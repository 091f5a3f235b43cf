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
    /// Whether each row has a part with bytes.
    is_everywhere: bool,
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
        RowStep { texts, from: &[], starts: &[], ends: &[], copied: Copied::Nothing, is_everywhere: false }
    }

    /// A part of `from` in each row; both offsets are [`Batch::ABSENT`](crate::Batch::ABSENT) where it is not there.
    pub fn parts(texts: &'a TextsAround, from: &'a [u8], starts: &'a [u32], ends: &'a [u32]) -> Self {
        RowStep { texts, from, starts, ends, copied: Copied::Exactly, is_everywhere: false }
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
        let (mut sum, mut longest, mut last_start, mut last_end) = (0, 0, 0, 0);
        let (mut is_reversed, mut is_everywhere) = (false, true);
        for (&start, &end) in starts.iter().zip(ends) {
            is_reversed |= end < start;
            // Those that are absent are as long.
            is_everywhere &= end != start;
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
        step.is_everywhere = is_everywhere;
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
    // SAFETY: the caller promises the same.
    unsafe {
        if steps.iter().any(|step| step.texts.after_len[0] != 0) {
            copy_with::<true>(steps, rows, room)
        } else {
            copy_with::<false>(steps, rows, room)
        }
    }
}

/// [`copy_rows`], if some step has a byte after its part, or if none has one.
///
/// # Safety
///
/// As [`copy_rows`].
#[inline(always)]
unsafe fn copy_with<const AFTER: bool>(steps: &[RowStep<'_>], rows: usize, room: &mut [u8]) -> usize {
    let first = room.as_mut_ptr();
    let mut to = first;
    for row in 0..rows {
        for step in steps {
            // SAFETY: the room has the bytes of all texts and parts, and behind them the surplus, which is no less than what is
            // written at a time. Each column has an offset for each row; those of a part lie in `from`, and so do the bytes that are copied
            // after its start. The room is borrowed to be changed, so `from` is another buffer.
            to = unsafe {
                match (step.copied, step.is_everywhere) {
                    (Copied::Nothing, _) => {
                        let [text, ..] = &step.texts.before;
                        copy::<SHORT>(text.bytes.as_ptr(), to);
                        to.add(text.len)
                    }
                    (Copied::First16, true) => copy_part::<16, AFTER>(step, row, to),
                    (Copied::First32, true) => copy_part::<32, AFTER>(step, row, to),
                    (Copied::First64, true) => copy_part::<64, AFTER>(step, row, to),
                    (Copied::First128, true) => copy_part::<128, AFTER>(step, row, to),
                    (Copied::First256, true) => copy_part::<SURPLUS, AFTER>(step, row, to),
                    _ => copy_any(step, row, to),
                }
            };
        }
    }
    // SAFETY: both point into the room.
    unsafe { to.offset_from_unsigned(first) }
}

/// Copies a part that has bytes, and the texts around it. What comes next starts at the place that is returned, which is found by one
/// addition, so that it need not wait.
///
/// # Safety
///
/// As [`copy_rows`]; and so many bytes are what is to be copied of the part, and there is a byte after it only if `AFTER`.
#[inline(always)]
unsafe fn copy_part<const BYTES: usize, const AFTER: bool>(
    step: &RowStep<'_>,
    row: usize,
    to: *mut u8,
) -> *mut u8 {
    let [text, ..] = &step.texts.before;
    // SAFETY: see above.
    unsafe {
        let start = *step.starts.get_unchecked(row);
        let len = step.ends.get_unchecked(row).wrapping_sub(start) as usize;
        let after_len = if AFTER { usize::from(step.texts.after_len[0]) } else { 0 };
        let next = to.add(text.len + len + after_len);
        copy::<SHORT>(text.bytes.as_ptr(), to);
        let to = to.add(text.len);
        copy::<BYTES>(step.from.as_ptr().add(start as usize), to);
        if AFTER {
            *to.add(len) = step.texts.after;
        }
        next
    }
}

/// Copies a part that may be absent or empty, or has many bytes, and the texts around it. Returns the place of what comes
/// next.
///
/// # Safety
///
/// As [`copy_rows`]; and the step has parts.
#[inline(always)]
unsafe fn copy_any(step: &RowStep<'_>, row: usize, to: *mut u8) -> *mut u8 {
    // SAFETY: see above. No byte of an absent part is needed, so those of the first part do.
    unsafe {
        let (start, end) = (*step.starts.get_unchecked(row), *step.ends.get_unchecked(row));
        let kind = kind(start, end);
        let len = end.wrapping_sub(start) as usize;
        let start = if start == ABSENT { 0 } else { start as usize };
        let text = step.texts.before.get_unchecked(kind);
        copy::<SHORT>(text.bytes.as_ptr(), to);
        let to = to.add(text.len);
        let from = step.from.as_ptr().add(start);
        match step.copied {
            Copied::Nothing => {}
            Copied::First16 => copy::<16>(from, to),
            Copied::First32 => copy::<32>(from, to),
            Copied::First64 => copy::<64>(from, to),
            Copied::First128 => copy::<128>(from, to),
            Copied::First256 => copy::<SURPLUS>(from, to),
            Copied::Blocks => {
                let mut done = 0;
                while done < len {
                    copy::<LOOP>(from.add(done), to.add(done));
                    done += LOOP;
                }
            }
            Copied::Exactly => ptr::copy_nonoverlapping(from, to, len),
        }
        *to.add(len) = step.texts.after;
        to.add(len + usize::from(*step.texts.after_len.get_unchecked(kind)))
    }
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
