//! Copied text of a column: the bytes of all values, and the end of each value.
//!
//! A string that is not UTF-8 would be undefined behaviour, and the bytes of a mapped file may change at any
//! time. So this module checks the copies, not their source. Nearly all columns are ASCII, and then any
//! offset is between two characters. Arrow would check again that each offset is in order and between two
//! characters. This takes longer than the check of the bytes.
#![expect(unsafe_code, reason = "Arrow would check every offset again")]

use arrow_array::{GenericStringArray, OffsetSizeTrait};
use arrow_buffer::{NullBuffer, OffsetBuffer};

use super::FunctionError;
use super::places::PlacesOf;
use crate::memory;
use crate::simd::{self, Available, CopyEnds};

/// The most bytes that one step copies.
const LONGEST_COPY: usize = 128;

/// The most bytes that are reserved for a column when its first values are known. Growing columns while they
/// were filled took a third of the time of three columns: existing bytes are copied, and each new page costs
/// a page fault.
const MOST_RESERVED: usize = 4 << 20;

/// A type of offsets.
pub(super) trait CopyOffset: OffsetSizeTrait {
    /// Returns the offsets in the form to which a copy appends.
    fn copy_ends(offsets: &mut Vec<Self>) -> CopyEnds<'_>;
}

impl CopyOffset for i32 {
    fn copy_ends(offsets: &mut Vec<i32>) -> CopyEnds<'_> {
        CopyEnds::Small(offsets)
    }
}

impl CopyOffset for i64 {
    fn copy_ends(offsets: &mut Vec<i64>) -> CopyEnds<'_> {
        CopyEnds::Large(offsets)
    }
}

/// The bytes of all values, and the end of each value.
pub(super) struct Copies<O> {
    values: Vec<u8>,
    /// 0, and the end of each value in `values`, in order. Empty as long as no value has bytes.
    offsets: Vec<O>,
    /// The number of values so far.
    len: usize,
    /// The expected number of values.
    rows: usize,
}

impl<O: CopyOffset> Copies<O> {
    /// Returns an empty column for `rows` values.
    pub(super) fn new(rows: usize) -> Self {
        Copies { values: Vec::new(), offsets: Vec::new(), len: 0, rows }
    }

    /// Appends a value for each place: the bytes of `from` there.
    pub(super) fn append(
        &mut self,
        backend: Available,
        from: &[u8],
        places: PlacesOf<'_>,
    ) -> Result<(), FunctionError> {
        let PlacesOf { starts, ends } = places;
        let added = usize::try_from(simd::part_lengths(backend, starts, ends).sum).unwrap_or(usize::MAX);
        if O::from_usize(self.values.len().saturating_add(added)).is_none() {
            return Err(FunctionError::TooLong(GenericStringArray::<O>::DATA_TYPE));
        }
        if added > 0 || !self.offsets.is_empty() {
            if self.offsets.is_empty() {
                let expected = added.saturating_mul(self.rows) / starts.len().max(1);
                let reserved = expected.min(MOST_RESERVED);
                memory::try_reserve(&mut self.values, reserved + reserved / 8 + LONGEST_COPY)?;
                self.begin()?;
            }
            memory::try_reserve(&mut self.values, added.saturating_add(LONGEST_COPY))?;
            memory::try_reserve(&mut self.offsets, starts.len())?;
            simd::copy_parts(backend, from, starts, ends, &mut self.values, O::copy_ends(&mut self.offsets));
        }
        self.len += starts.len();
        Ok(())
    }

    /// Appends `count` values without bytes.
    pub(super) fn append_absent(&mut self, count: usize) {
        self.len += count;
        if let Some(&end) = self.offsets.last() {
            self.offsets.resize(self.len + 1, end);
        }
    }

    /// Fills the offsets of the values so far, which all have no bytes.
    fn begin(&mut self) -> Result<(), FunctionError> {
        memory::try_reserve(&mut self.offsets, self.rows.max(self.len) + 1)?;
        self.offsets.resize(self.len + 1, O::default());
        Ok(())
    }

    /// Returns the column.
    pub(super) fn finish(
        mut self,
        nulls: Option<NullBuffer>,
    ) -> Result<GenericStringArray<O>, FunctionError> {
        if self.offsets.is_empty() {
            self.begin()?;
        }
        let is_ascii = self.values.is_ascii();
        // SAFETY: only `begin`, `append_absent` and `copy_parts` wrote the offsets. They are 0 and then the
        // length of the values after each copy, so they never decrease; `append` checked that their type can
        // hold them.
        let offsets = unsafe { OffsetBuffer::new_unchecked(self.offsets.into()) };
        let has_nulls_for_all = nulls.as_ref().is_none_or(|nulls| nulls.len() == self.len);
        if !is_ascii || !has_nulls_for_all {
            return Ok(GenericStringArray::try_new(offsets, self.values.into(), nulls)?);
        }
        // SAFETY: the offsets are in order and end with the length of `values`, which is ASCII, so each value
        // is ASCII. The null bitmap has a bit for each value.
        Ok(unsafe { GenericStringArray::new_unchecked(offsets, self.values.into(), nulls) })
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::Array;

    use super::*;
    use crate::column::ABSENT;

    /// Returns the column of parts of a text, appended block by block.
    fn column<O: CopyOffset>(
        text: &[u8],
        blocks: &[&[(u32, u32)]],
    ) -> Result<GenericStringArray<O>, FunctionError> {
        // A block that is a single absent value appends more values.
        let mut copies = Copies::<O>::new(blocks.iter().map(|block| block.len()).sum());
        for block in blocks {
            let (starts, ends): (Vec<_>, Vec<_>) = block.iter().copied().unzip();
            copies.append(Available::best(), text, PlacesOf { starts: &starts, ends: &ends })?;
            if starts == [ABSENT] {
                copies.append_absent(2);
            }
        }
        let column = copies.finish(None)?;
        // Arrow's full check.
        column.to_data().validate_full().unwrap();
        Ok(column)
    }

    #[test]
    fn values_of_all_blocks_follow_each_other() {
        const NONE: (u32, u32) = (ABSENT, ABSENT);

        for (blocks, expected) in [
            (&[][..], &[][..]),
            (&[&[][..]], &[]),
            (&[&[NONE, (3, 3)]], &["", ""]),
            (&[&[NONE], &[(0, 2), NONE], &[], &[(1, 5)]], &["", "", "", "ab", "", "bcde"]),
            (&[&[(4, 5)], &[NONE, NONE]], &["e", "", ""]),
            (&[&[(4, 5)], &[NONE], &[(0, 1)]], &["e", "", "", "", "a"]),
        ] {
            let small = column::<i32>(b"abcde", blocks).unwrap();
            let large = column::<i64>(b"abcde", blocks).unwrap();
            assert_eq!(small.iter().flatten().collect::<Vec<_>>(), expected);
            assert_eq!(large.iter().flatten().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn text_beyond_ascii_is_checked() {
        let text = "aéb".as_bytes();
        assert_eq!(column::<i32>(text, &[&[(0, 1), (1, 3)]]).unwrap().value(1), "é");
        for split in [&[(0, 2)][..], &[(2, 4)], &[(0, 2), (2, 4)]] {
            assert!(column::<i32>(text, &[split]).is_err(), "{split:?}");
        }
        assert!(column::<i64>(b"a\xFFb", &[&[(0, 1), (1, 2)]]).is_err());
    }
}
