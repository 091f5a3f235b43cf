//! Rows of text that are made of the same steps: each step writes a short text, which is the same in all
//! rows, and a part of a buffer.
//!
//! A step copies a fixed number of bytes, which takes a few instructions for a part of any length; the next
//! step overwrites the surplus. This number is chosen once for many rows, so that no branch depends on the
//! length of a part.
//!
//! With AVX-512 a row of nine steps takes 20 ns: the copies take half of this, the choice of the next step a
//! third. Nothing was gained by copying 16 bytes of a text that has no more: the choice costs as much as the
//! narrower store saves. Making each choice for two, four or eight rows, which are written at places known in
//! advance, took as long for rows in the cache, and a sixth longer for others.

use core::ptr;

use crate::column::ABSENT;

/// The most bytes of a [`ShortText`].
const SHORT: usize = 32;

/// The most bytes of a part that are copied regardless of its length. The room has this number of bytes more
/// than the rows.
const SURPLUS: usize = 256;

/// The bytes of a block, in which long parts are copied.
const LOOP: usize = 64;

/// A text of at most [`MOST`](Self::MOST) bytes, stored in a block that is copied whole. The default is an
/// empty text.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShortText {
    bytes: [u8; SHORT],
    len: usize,
}

impl ShortText {
    /// The most bytes of a text.
    pub const MOST: usize = SHORT;

    /// Returns a copy of this text, or `None` if the text is longer than [`MOST`](Self::MOST).
    pub fn new(text: &str) -> Option<Self> {
        let mut bytes = [0; SHORT];
        bytes.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        Some(ShortText { bytes, len: text.len() })
    }
}

/// The texts around a part.
#[derive(Clone, Copy, Debug)]
pub struct TextsAround {
    /// The text before a part of each [`kind`].
    before: [ShortText; 4],
    after: u8,
    /// By [`kind`]: 1 if `after` is written, else 0.
    after_len: [u8; 4],
}

impl TextsAround {
    /// Returns the texts before a part that has bytes, before an empty part, and in place of an absent part;
    /// and the byte after a part that is not absent.
    pub fn new(before: ShortText, empty: ShortText, absent: ShortText, after: Option<u8>) -> Self {
        let after_len = u8::from(after.is_some());
        TextsAround {
            before: [before, before, empty, absent],
            after: after.unwrap_or_default(),
            after_len: [after_len, after_len, after_len, 0],
        }
    }
}

/// Returns 0 for a part with bytes, 2 for an empty part, 3 for an absent part.
#[inline(always)]
fn kind(start: u32, end: u32) -> usize {
    usize::from(start == ABSENT) | usize::from(start == end) << 1
}

/// A step of all rows: texts, and for each row a part of `from`, whose offsets are in two columns.
#[derive(Clone, Copy, Debug)]
pub struct RowStep<'a> {
    texts: &'a TextsAround,
    from: &'a [u8],
    starts: &'a [u32],
    ends: &'a [u32],
    copied: Copied,
    /// Whether each row has a part that is not empty.
    is_everywhere: bool,
}

/// The bytes to copy of each part.
#[derive(Clone, Copy, Debug)]
enum Copied {
    /// Nothing, since no row has a part.
    Nothing,
    /// This number of bytes, for parts of any length.
    First16,
    First32,
    First64,
    First128,
    First256,
    /// Blocks of [`LOOP`] bytes, until the part is copied.
    Blocks,
    /// Only the bytes of the part.
    Exactly,
}

impl<'a> RowStep<'a> {
    /// Returns a step with the same text in all rows, and no parts.
    pub fn constant(texts: &'a TextsAround) -> Self {
        RowStep { texts, from: &[], starts: &[], ends: &[], copied: Copied::Nothing, is_everywhere: false }
    }

    /// Returns a step with a part of `from` in each row; both offsets of an absent part are
    /// [`Batch::ABSENT`](crate::Batch::ABSENT).
    pub fn parts(texts: &'a TextsAround, from: &'a [u8], starts: &'a [u32], ends: &'a [u32]) -> Self {
        RowStep { texts, from, starts, ends, copied: Copied::Exactly, is_everywhere: false }
    }
}

/// Measures the parts of some rows: sets the number of bytes that each step copies, and returns the bytes of
/// room that the rows need, or `None` if a part is not in its buffer, a step has fewer parts than rows, or
/// the rows need more room than there are addresses.
pub(in crate::simd) type MeasureRows = unsafe fn(&mut [RowStep<'_>], usize) -> Option<usize>;

/// [`copy_rows`], compiled for a backend.
pub(in crate::simd) type CopyRows = unsafe fn(&[RowStep<'_>], usize, &mut [u8]) -> usize;

/// [`MeasureRows`], compiled for a backend.
#[inline(always)]
pub(in crate::simd) fn measure_rows(steps: &mut [RowStep<'_>], rows: usize) -> Option<usize> {
    let mut room = SURPLUS as u64;
    for step in steps {
        let texts = step.texts;
        let longest_text = texts.before.iter().map(|text| text.len).max().unwrap_or_default();
        room = room.checked_add((rows as u64).checked_mul(longest_text as u64 + 1)?)?;
        if matches!(step.copied, Copied::Nothing) {
            continue;
        }
        let (starts, ends) = (step.starts.get(..rows)?, step.ends.get(..rows)?);
        let (mut sum, mut longest, mut last_start, mut last_end) = (0, 0, 0, 0);
        let (mut is_reversed, mut is_everywhere) = (false, true);
        for (&start, &end) in starts.iter().zip(ends) {
            is_reversed |= end < start;
            // The offsets of an absent part are equal, too.
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
        room = room.checked_add(sum)?;
        let (copied, bytes) = match longest {
            0..=16 => (Copied::First16, 16),
            17..=32 => (Copied::First32, 32),
            33..=64 => (Copied::First64, 64),
            65..=128 => (Copied::First128, 128),
            129..=256 => (Copied::First256, SURPLUS),
            _ => (Copied::Blocks, 0),
        };
        let is_inside = match copied {
            // The last block may end up to this number of bytes after its part.
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
/// [`measure_rows`] must have been called with these steps and this number of rows, and the room must have at
/// least the number of bytes that it returned.
#[inline(always)]
pub(in crate::simd) unsafe fn copy_rows(steps: &[RowStep<'_>], rows: usize, room: &mut [u8]) -> usize {
    // SAFETY: the caller promises the same.
    unsafe {
        if steps.iter().any(|step| step.texts.after_len[0] != 0) {
            copy_with::<true>(steps, rows, room)
        } else {
            copy_with::<false>(steps, rows, room)
        }
    }
}

/// [`copy_rows`]; `AFTER` is whether any step has a byte after its part.
///
/// # Safety
///
/// The same as for [`copy_rows`].
#[inline(always)]
unsafe fn copy_with<const AFTER: bool>(steps: &[RowStep<'_>], rows: usize, room: &mut [u8]) -> usize {
    let first = room.as_mut_ptr();
    let mut to = first;
    for row in 0..rows {
        for step in steps {
            // SAFETY: the room has the bytes of all texts and parts, and after them the surplus, which is at
            // least the number of bytes that is written at a time. Each column has an offset for each row.
            // The offsets of a part lie in `from`, and so do the bytes that are copied from its start on. The
            // room is borrowed mutably, so `from` is another buffer.
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

/// Copies a part that has bytes, and the texts around it. Returns the place where the next step writes, which
/// takes one addition, so that the next step need not wait for the copies.
///
/// # Safety
///
/// The same as for [`copy_rows`]; `BYTES` must be the number of bytes that the step copies of each part, and
/// `AFTER` must be true if it has a byte after the part.
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

/// Copies a part that may be absent or empty, or has many bytes, and the texts around it. Returns the place
/// where the next step writes.
///
/// # Safety
///
/// The same as for [`copy_rows`]; the step must have parts.
#[inline(always)]
unsafe fn copy_any(step: &RowStep<'_>, row: usize, to: *mut u8) -> *mut u8 {
    // SAFETY: see above. No byte of an absent part is needed, so the first bytes of `from` are copied for it.
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

/// Copies `BYTES` bytes.
///
/// # Safety
///
/// `from` must be valid for reads of `BYTES` bytes, `to` for writes, and the two must not overlap.
#[inline(always)]
unsafe fn copy<const BYTES: usize>(from: *const u8, to: *mut u8) {
    // SAFETY: the caller promises it.
    unsafe { to.cast::<[u8; BYTES]>().write_unaligned(from.cast::<[u8; BYTES]>().read_unaligned()) }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;
    use crate::simd::{Available, Backend, write_rows};

    /// The definition of a step.
    #[derive(Clone)]
    struct Step<'a> {
        before: String,
        empty: String,
        absent: String,
        after: Option<u8>,
        from: &'a [u8],
        /// The part of each row, or `None` if it is absent; `None` for a step without parts.
        parts: Option<Vec<Option<(u32, u32)>>>,
    }

    fn texts(step: &Step<'_>) -> TextsAround {
        let [before, empty, absent] =
            [&step.before, &step.empty, &step.absent].map(|text| ShortText::new(text).unwrap());
        TextsAround::new(before, empty, absent, step.after)
    }

    /// Writes rows by each backend, into exactly the room that it requests.
    fn write(steps: &[Step<'_>], rows: usize) -> Vec<Option<Vec<u8>>> {
        let texts: Vec<_> = steps.iter().map(texts).collect();
        let columns: Vec<(Vec<u32>, Vec<u32>)> = (steps.iter())
            .map(|step| {
                let parts = step.parts.iter().flatten();
                parts.map(|part| part.unwrap_or((ABSENT, ABSENT))).unzip()
            })
            .collect();
        let backends = Backend::ALL.iter().filter_map(|&backend| Available::new(backend));
        let written = backends.map(|backend| {
            let mut row_steps: Vec<_> = (steps.iter().zip(&texts).zip(&columns))
                .map(|((step, texts), (starts, ends))| match step.parts {
                    Some(_) => RowStep::parts(texts, step.from, starts, ends),
                    None => RowStep::constant(texts),
                })
                .collect();
            let mut room = Vec::new();
            let len = write_rows(backend, &mut row_steps, rows, |needed| {
                room = vec![b'-'; needed];
                Ok::<_, ()>(&mut room[..])
            });
            len.unwrap().map(|len| room[..len].to_vec())
        });
        written.collect()
    }

    fn check(steps: &[Step<'_>], rows: usize) {
        let mut expected = Vec::new();
        for row in 0..rows {
            for step in steps {
                let text = match step.parts.as_ref().map(|parts| parts[row]) {
                    None => &step.before,
                    Some(None) => &step.absent,
                    Some(Some((start, end))) if start == end => &step.empty,
                    Some(Some(_)) => &step.before,
                };
                expected.extend_from_slice(text.as_bytes());
                if let Some((start, end)) = step.parts.as_ref().and_then(|parts| parts[row]) {
                    expected.extend_from_slice(&step.from[start as usize..end as usize]);
                    expected.extend(step.after);
                }
            }
        }
        for written in write(steps, rows) {
            assert_eq!(written.as_deref(), Some(&expected[..]));
        }
    }

    fn step<'a>(
        texts: [&str; 3],
        after: Option<u8>,
        from: &'a [u8],
        parts: &[Option<(u32, u32)>],
    ) -> Step<'a> {
        let [before, empty, absent] = texts.map(String::from);
        Step { before, empty, absent, after, from, parts: Some(parts.to_vec()) }
    }

    fn constant(text: &str) -> Step<'static> {
        let [before, empty, absent] = [text, "empty", "absent"].map(String::from);
        Step { before, empty, absent, after: None, from: &[], parts: None }
    }

    fn bytes() -> Vec<u8> {
        (0..1500u32).map(|i| (i * 7 % 251) as u8).collect()
    }

    #[test]
    fn parts_of_every_length_are_copied_wherever_they_are() {
        let from = bytes();
        for len in (0..=300).chain([511, 512, 513, 1000, 1500]) {
            let last = 1500 - len;
            for after in [None, Some(b'"')] {
                // Steps with bytes in each row, and without; far from the end of the buffer, and at its end.
                let alone = [Some((0, len)); 3];
                let near = [Some((0, len)), Some((len / 2, len)), Some((0, len.min(3)))];
                let mixed = [Some((0, len)), None, Some((len, len))];
                let at_the_end = [Some((last, 1500)), Some((1500, 1500)), Some((0, 1))];
                for (from, parts) in [
                    (&from[..], alone),
                    (&from[..], near),
                    (&from[..], mixed),
                    (&from[..], at_the_end),
                    (&from[..len as usize], alone),
                    (&from[..len as usize], mixed),
                ] {
                    let part = step([",", ",\"\"", ",null"], after, from, &parts);
                    check(&[constant("first"), part.clone(), constant(""), part], 3);
                }
            }
        }
    }

    #[test]
    fn texts_of_every_length_are_copied() {
        let text = "0123456789abcdefghijklmnopqrstuv";
        assert_eq!(text.len(), ShortText::MOST);
        assert!(ShortText::new(&[text, "w"].concat()).is_none());
        for len in 0..=text.len() {
            for [before, empty, absent] in [[len, 0, 3], [0, len, 1], [2, 1, len]] {
                let texts = [&text[..before], &text[..empty], &text[..absent]];
                let parts = [Some((0, 4)), Some((1, 1)), None, Some((2, 4))];
                check(&[step(texts, Some(b'x'), b"abcd", &parts), constant(&text[..len])], 4);
            }
        }
    }

    #[test]
    fn rows_of_nothing_are_nothing() {
        check(&[], 3);
        check(&[constant("a")], 0);
        check(&[step(["a", "b", "c"], None, b"", &[])], 0);
        check(&[step(["a", "b", "c"], None, b"", &[None, Some((0, 0))])], 2);
    }

    #[test]
    fn rows_with_parts_elsewhere_are_not_written() {
        for part in [(0, 5), (4, 5), (5, 5), (3, 2), (ABSENT, 2), (2, ABSENT), (ABSENT - 1, ABSENT)] {
            let steps = [constant("a"), step(["", "", ""], None, b"0123", &[Some((0, 1)), Some(part)])];
            assert!(write(&steps, 2).iter().all(Option::is_none), "{part:?}");
            check(&steps, 1);
        }
    }

    #[test]
    #[should_panic(expected = "the room is too small")]
    fn less_room_than_asked_for_is_refused() {
        let texts = texts(&constant("a"));
        let mut steps = [RowStep::constant(&texts)];
        let mut room = [0; SURPLUS];
        let _ = write_rows(Available::SCALAR, &mut steps, 2, |_| Ok::<_, ()>(&mut room[..]));
    }

    #[test]
    fn rows_without_parts_are_not_written() {
        let texts = texts(&constant("a"));
        for backend in Backend::ALL.iter().filter_map(|&backend| Available::new(backend)) {
            for (starts, ends, rows) in [
                (&[0, 1][..], &[1, 2][..], 2),
                (&[0, 1], &[1, 2], 3),
                (&[0, 1, 2], &[1, 2], 3),
                (&[0, 1], &[1, 2, 3], 3),
                (&[], &[], usize::MAX),
            ] {
                let mut steps = [RowStep::parts(&texts, b"abc", starts, ends)];
                let mut room = [0; 1000];
                let written = write_rows(backend, &mut steps, rows, |_| Ok::<_, ()>(&mut room[..]));
                assert_eq!(written, Ok((rows == 2).then_some(4)), "{starts:?}, {ends:?}, {rows}");
            }
            // Each row needs seven bytes, and all rows more than any room has.
            for rows in [usize::MAX, usize::MAX / 7] {
                let written =
                    write_rows(backend, &mut [RowStep::constant(&texts)], rows, |_| Err::<&mut [u8], _>(()));
                assert_eq!(written, Ok(None), "{rows}");
            }
        }
    }
}
