//! Scans records without separators: kernels take them unchanged, with a bitmap of the places where their LFs
//! would be.
//!
//! The bitmap is made from the offsets alone, so a record may hold any bytes.

use core::mem;
use core::ops::Range;

use super::filler::{Filler, PIECE};
use super::nulls::Nulls;
use crate::batch::Batch;
use crate::grammar::Rules;
use crate::request::Request;
use crate::simd::{Available, Piece, Placement};

/// The number of bytes that a word of the bitmap covers.
const BLOCK: usize = 64;

/// The maximum number of bytes and gaps of a piece that has a single record.
const MOST_ROOM: usize = 1 << 20;

/// An offset into values, as Arrow has them.
pub trait Offset: Copy + Ord + sealed::Offset {}

mod sealed {
    pub trait Offset {
        /// Returns `None` if the offset is negative, or larger than any address.
        fn to_usize(self) -> Option<usize>;
    }
}

macro_rules! offsets {
    ($($offset:ty),*) => {$(
        impl sealed::Offset for $offset {
            #[inline(always)]
            fn to_usize(self) -> Option<usize> {
                usize::try_from(self).ok()
            }
        }

        impl Offset for $offset {}
    )*};
}

offsets!(i32, i64, u32);

/// The ranges of the records: each range is between one offset and the next.
#[derive(Clone, Copy)]
struct OffsetRecords<'a, O>(&'a [O]);

impl<O: Offset> OffsetRecords<'_, O> {
    #[inline(always)]
    fn offset(self, index: usize) -> usize {
        self.0[index].to_usize().unwrap_or_default()
    }

    fn range(self, index: usize) -> Range<usize> {
        self.offset(index)..self.offset(index + 1)
    }
}

/// Returns the end of the last record, or None if the offsets are not in order and within the values.
pub(crate) fn end_of<O: Offset>(offsets: &[O], values: &[u8]) -> Option<usize> {
    let (Some(first), Some(last)) = (offsets.first(), offsets.last()) else { return Some(0) };
    first.to_usize()?;
    let end = last.to_usize()?;
    (offsets.is_sorted() && end <= values.len()).then_some(end)
}

/// Scans records given as `offsets.len() - 1` ranges of `values`, which may contain any bytes.
///
/// The offsets must be in order, within the values, and less than 2^32 - 1. The nulls must cover all records.
pub(crate) fn scan_ranges<O: Offset>(
    rules: Rules,
    backend: Available,
    offsets: &[O],
    values: &[u8],
    nulls: Option<Nulls<'_>>,
    request: Request,
    batch: &mut Batch,
) {
    let all = OffsetRecords(offsets);
    let count = offsets.len().saturating_sub(1);
    let mut filler = Filler::new(rules, backend, values, request, batch);
    filler.nulls = nulls;
    let mut gaps = mem::take(&mut filler.batch.gaps);
    let mut first = 0;
    while first < count {
        let start = all.offset(first);
        // A gap after each record takes the room of a byte.
        let room = |end: usize| all.offset(end) - start + (end - first);
        let end = last_that(first + 1..count.min(first + PIECE), |end| room(end) <= PIECE);
        // A kernel needs a bitmap as long as the piece, which can be long for a single record.
        if room(end) > MOST_ROOM || filler.skips_kernel(room(end)) {
            filler.records((first..end).map(|index| all.range(index)));
        } else {
            gaps.clear();
            gaps.resize(room(end).div_ceil(BLOCK), 0);
            for index in first..end {
                let gap = room(index + 1) - 1;
                gaps[gap / BLOCK] |= 1 << (gap % BLOCK);
            }
            let piece = Piece::Gaps { bytes: &values[start..], gaps: &gaps };
            let origin = Placement::Gaps(start as u32);
            filler.kernel(piece, origin, room(end), |line| all.range(first + line.index as usize));
        }
        first = end;
    }
    filler.batch.gaps = gaps;
    if let Some(nulls) = nulls {
        (0..count).filter(|&index| nulls.is_null(index)).for_each(|index| filler.drop_null(index));
    }
    filler.finish();
}

/// Returns the last number of the range, including its end, for which `is_true` is true, or the first number
/// if it never is. `is_true` must stay false after it has become false.
fn last_that(
    Range { start: mut low, end: mut high }: Range<usize>,
    is_true: impl Fn(usize) -> bool,
) -> usize {
    while low < high {
        let middle = high - (high - low) / 2;
        if is_true(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}
