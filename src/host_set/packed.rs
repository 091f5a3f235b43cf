//! Names with 6 bits for a character: the characters of names and addresses are less than 64.

use alloc::vec::Vec;

use crate::memory::{OutOfMemory, try_reserve, try_reserve_exact};
use crate::work::looked_at;

/// The number of bytes of a segment. The names are in segments, since a single vector would take twice the
/// memory while it grows.
const SEGMENT: usize = 1 << 20;

/// The characters. Their codes are 1 and up.
const CHARACTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789-_.[]:";

/// The code of each byte, and 0 for bytes that no name has. Letters have the same code in both cases.
static CODES: [u8; 256] = {
    let mut codes = [0; 256];
    let mut index = 0;
    while index < CHARACTERS.len() {
        let byte = CHARACTERS[index];
        codes[byte as usize] = index as u8 + 1;
        codes[byte.to_ascii_uppercase() as usize] = index as u8 + 1;
        index += 1;
    }
    codes
};

/// Names one after the other: the length of each, and its codes.
#[derive(Clone, Debug, Default)]
pub(super) struct PackedNames {
    segments: Vec<Vec<u8>>,
}

/// Returns the four codes of some characters in 24 bits, and whether all of them have codes. The codes of
/// missing characters are 0.
#[inline(always)]
fn packed(characters: &[u8]) -> (u32, bool) {
    let mut all = true;
    let bits = characters.iter().rev().fold(0, |bits, &byte| {
        let code = CODES[usize::from(byte)];
        all &= code != 0;
        bits << 6 | u32::from(code)
    });
    (bits, all)
}

/// Returns the number of bytes of the codes of a name.
fn packed_len(len: usize) -> usize {
    (6 * len).div_ceil(8)
}

impl PackedNames {
    /// Appends a name of 1 to 255 bytes, and returns its place. Returns `None` if no number is left for it.
    ///
    /// # Errors
    ///
    /// Returns an error if memory runs out.
    pub(super) fn push(&mut self, name: &[u8]) -> Result<Option<u32>, OutOfMemory> {
        let needed = 1 + packed_len(name.len());
        if self.segments.last().is_none_or(|last| last.len() + needed > SEGMENT) {
            try_reserve(&mut self.segments, 1)?;
            self.segments.push(Vec::new());
        }
        let number = self.segments.len() - 1;
        let Some(segment) = self.segments.last_mut() else { return Ok(None) };
        if segment.capacity() - segment.len() < needed {
            // The first names of a set take little memory.
            let more =
                if number == 0 { segment.len().clamp(1 << 10, SEGMENT - segment.len()) } else { SEGMENT };
            try_reserve_exact(segment, more.max(needed))?;
        }
        let Ok(place) = u32::try_from(number * SEGMENT + segment.len()) else { return Ok(None) };
        segment.push(name.len() as u8);
        let end = segment.len() + packed_len(name.len());
        for four in name.chunks(4) {
            let (bits, _) = packed(four);
            segment.extend_from_slice(&bits.to_le_bytes()[..3]);
        }
        segment.truncate(end);
        looked_at(name.len());
        Ok(Some(place))
    }

    /// Returns true if the name at this place is equal to this one, whose letters may have any case.
    #[inline]
    pub(super) fn is(&self, place: u32, name: &[u8]) -> bool {
        let Some((&len, codes)) = self.at(place).split_first() else { return false };
        if usize::from(len) != name.len() {
            return false;
        }
        looked_at(name.len());
        let mut codes = codes[..packed_len(name.len())].chunks(3);
        name.chunks(4).all(|four| {
            let (bits, all) = packed(four);
            let bytes = codes.next().unwrap_or_default();
            let stored = bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u32::from(byte));
            all && bits == stored
        })
    }

    /// Returns the length and the codes of the name at this place, which are equal for equal names.
    pub(super) fn entry(&self, place: u32) -> &[u8] {
        let bytes = self.at(place);
        let len = bytes.first().map_or(0, |&len| 1 + packed_len(usize::from(len)));
        &bytes[..len]
    }

    fn at(&self, place: u32) -> &[u8] {
        let place = place as usize;
        &self.segments[place / SEGMENT][place % SEGMENT..]
    }

    /// Passes each name and its place to `take`, in order.
    pub(super) fn each(&self, mut take: impl FnMut(u32, &[u8])) {
        let mut name = [0; 256];
        for (number, segment) in self.segments.iter().enumerate() {
            let mut rest = &segment[..];
            looked_at(rest.len());
            while let Some((&len, codes)) = rest.split_first() {
                let len = usize::from(len);
                let place = number * SEGMENT + segment.len() - rest.len();
                for (three, to) in codes[..packed_len(len)].chunks(3).zip(name.chunks_mut(4)) {
                    let mut bits = three.iter().rev().fold(0, |bits: u32, &byte| bits << 8 | u32::from(byte));
                    for byte in to {
                        let code = (bits & 63) as usize;
                        *byte =
                            code.checked_sub(1).and_then(|index| CHARACTERS.get(index)).copied().unwrap_or(0);
                        bits >>= 6;
                    }
                }
                take(place as u32, &name[..len]);
                rest = &codes[packed_len(len)..];
            }
        }
    }

    /// Returns the number of bytes of memory of the names.
    pub(super) fn held_bytes(&self) -> usize {
        self.segments.iter().map(Vec::capacity).sum::<usize>()
            + self.segments.capacity() * size_of::<Vec<u8>>()
    }
}
