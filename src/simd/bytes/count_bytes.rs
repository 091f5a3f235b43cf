//! Counts the occurrences of a byte. If the bytes come from memory, waiting for them takes most of the time,
//! so the bytes 4 KiB ahead are fetched early.

use crate::simd::block::vector::{BLOCK, Vector};

/// Returns the number of times that `byte` occurs.
///
/// # Safety
///
/// The machine must have the features of the vector.
#[inline(always)]
pub(in crate::simd) unsafe fn count_bytes<V: Vector>(bytes: &[u8], byte: u8) -> usize {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let mut count = 0;
    for block in blocks {
        // SAFETY: the caller promises the features.
        unsafe {
            V::prefetch(block);
            count += V::load(block).eq(byte).count_ones() as usize;
        }
    }
    count + count_one_by_one(rest, byte)
}

/// [`count_bytes`], byte by byte.
pub(in crate::simd) fn count_one_by_one(bytes: &[u8], byte: u8) -> usize {
    bytes.iter().map(|&other| usize::from(other == byte)).sum()
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use crate::simd::{self, Available, Backend};

    #[test]
    fn bytes_are_counted_wherever_they_are() {
        let bytes: Vec<u8> = (0..700u32).map(|i| (i * i % 11) as u8).collect();
        for backend in Backend::ALL.iter().filter_map(|&backend| Available::new(backend)) {
            for start in 0..70 {
                for len in (0..200).chain([500, 630]) {
                    let bytes = &bytes[start..start + len];
                    for byte in [0, 4, 2] {
                        let expected = bytes.iter().filter(|&&other| other == byte).count();
                        assert_eq!(simd::count_bytes(backend, bytes, byte), expected);
                    }
                }
            }
        }
    }
}
