//! Memory that grows without being moved, in segments of one size. Segments that are not used any more serve
//! again, so that a set that is rebuilt part by part takes no second set of memory.

use alloc::vec::Vec;

use crate::memory::{OutOfMemory, try_reserve, try_reserve_exact};

/// The number of bytes of a segment.
const SEGMENT: usize = 64 << 10;

/// Items of bytes, each within one segment.
#[derive(Clone, Debug, Default)]
pub(super) struct Segments {
    segments: Vec<Vec<u8>>,
}

/// The memory of segments that are not used any more.
#[derive(Debug, Default)]
pub(super) struct Spare(Vec<Vec<u8>>);

impl Segments {
    /// The maximum number of bytes of an item.
    pub(super) const MAX_ITEM: usize = SEGMENT;

    /// Appends an item of `len` bytes that `write` writes, and returns its place. Returns `None` if no number
    /// is left for the place, or if the item is too long.
    ///
    /// # Errors
    ///
    /// Returns an error if memory runs out.
    pub(super) fn push(
        &mut self,
        len: usize,
        spare: &mut Spare,
        write: impl FnOnce(&mut Vec<u8>),
    ) -> Result<Option<u32>, OutOfMemory> {
        if len > Self::MAX_ITEM {
            return Ok(None);
        }
        if self.segments.last().is_none_or(|last| last.len() + len > SEGMENT) {
            try_reserve(&mut self.segments, 1)?;
            self.segments.push(spare.0.pop().unwrap_or_default());
        }
        let number = self.segments.len() - 1;
        let segment = &mut self.segments[number];
        if segment.capacity() - segment.len() < len {
            // The first segment of a small set grows; the others have their full size.
            let whole = if number == 0 { 2 * (segment.len() + len) } else { SEGMENT };
            try_reserve_exact(
                segment,
                whole.clamp(1 << 8, SEGMENT).max(segment.len() + len) - segment.len(),
            )?;
        }
        let Ok(place) = u32::try_from(number * SEGMENT + segment.len()) else { return Ok(None) };
        write(segment);
        Ok(Some(place))
    }

    /// Returns the bytes from a place to the end of its segment.
    #[inline(always)]
    pub(super) fn from(&self, place: u32) -> &[u8] {
        let place = place as usize;
        let segment = self.segments.get(place / SEGMENT).map_or(&[][..], |segment| segment);
        segment.get(place % SEGMENT..).unwrap_or_default()
    }

    /// Returns the first eight bytes at a place; bytes after the end of the segment are 0.
    #[inline(always)]
    pub(super) fn word(&self, place: u32) -> u64 {
        let bytes = self.from(place);
        match bytes.first_chunk() {
            Some(eight) => u64::from_le_bytes(*eight),
            None => bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
        }
    }

    /// Returns the bytes of each segment, with the place of its first item.
    pub(super) fn iter_with_places(&self) -> impl Iterator<Item = (u32, &[u8])> {
        let segments = self.segments.iter().enumerate();
        segments.map(|(number, segment)| ((number * SEGMENT) as u32, &segment[..]))
    }

    /// Returns the memory, for other segments.
    ///
    /// # Errors
    ///
    /// Returns an error if memory runs out.
    pub(super) fn free(self, spare: &mut Spare) -> Result<(), OutOfMemory> {
        try_reserve(&mut spare.0, self.segments.len())?;
        spare.0.extend(self.segments.into_iter().map(|mut segment| {
            segment.clear();
            segment
        }));
        Ok(())
    }

    /// Gives the memory after the last item back to the system.
    pub(super) fn shrink(&mut self) {
        self.segments.last_mut().into_iter().for_each(Vec::shrink_to_fit);
    }

    /// Returns the number of bytes of memory that the segments hold.
    pub(super) fn held_bytes(&self) -> usize {
        let headers = self.segments.capacity() * size_of::<Vec<u8>>();
        headers + self.segments.iter().map(Vec::capacity).sum::<usize>()
    }
}
