//! Which records are null.

/// The records that are not null, as in Arrow: bit `i % 8` of byte `i / 8` is set if record `i` is not null; those that are not
/// are null.
#[derive(Clone, Copy, Debug)]
pub struct Nulls<'a> {
    bitmap: &'a [u8],
    offset: usize,
}

impl<'a> Nulls<'a> {
    /// The bitmap starts with the bit `offset`, counted from 0: that of the first record.
    pub fn new(bitmap: &'a [u8], offset: usize) -> Self {
        Nulls { bitmap, offset }
    }

    /// Whether there is a bit for each of so many records.
    pub(crate) fn covers(&self, records: usize) -> bool {
        self.offset.checked_add(records).is_some_and(|bits| bits.div_ceil(8) <= self.bitmap.len())
    }

    /// Whether a record is null.
    pub(super) fn is_null(&self, index: usize) -> bool {
        let bit = self.offset + index;
        self.bitmap[bit / 8] >> (bit % 8) & 1 == 0
    }
}
