//! The records that are null.

/// The records that are not null, as in Arrow: bit `i % 8` of byte `i / 8` is set if record `i` is not null.
/// The other records are null.
#[derive(Clone, Copy, Debug)]
pub struct Nulls<'a> {
    bitmap: &'a [u8],
    offset: usize,
}

impl<'a> Nulls<'a> {
    /// Wraps a bitmap. The bit with index `offset`, counted from 0, is the first record's.
    pub fn new(bitmap: &'a [u8], offset: usize) -> Self {
        Nulls { bitmap, offset }
    }

    /// Returns true if the bitmap has a bit for each of `records` records.
    pub(crate) fn covers(&self, records: usize) -> bool {
        self.offset.checked_add(records).is_some_and(|bits| bits.div_ceil(8) <= self.bitmap.len())
    }

    /// Returns true if the record is null.
    pub(super) fn is_null(&self, index: usize) -> bool {
        let bit = self.offset + index;
        self.bitmap[bit / 8] >> (bit % 8) & 1 == 0
    }
}
