//! Ports: `":" *DIGIT` after a host, up to the end of the authority (RFC 3986 section 3.2.3).
//!
//! Most lists have few ports, so that only groups of blocks with a port pay for them: their bytes are read again
//! for digits, and a cursor runs from each colon.
//!
//! ```text
//! port_end  = run after the colon through DIGIT                 must be "/" "?" "#" or the end
//! path      = port_end, in place of the colon
//! ```
//!
//! Tried and slower: a mask of digits for each block. It costs all lists 12% of the time of verdicts, with
//! AVX-512.

use super::mark::Markers;
use super::masks::{Masks, digits};
use super::rare::Uncommon;
use crate::simd::block::mask_structs::GROUP;
use crate::simd::block::vector::{BLOCK, Vector, Words};

/// The bytes of a group of blocks.
#[derive(Clone, Copy)]
pub(in crate::simd) struct GroupBytes<'a> {
    /// The bytes, at least those of all blocks but the last.
    pub(in crate::simd) bytes: &'a [u8],
    /// For records without separators, the gaps of each block, in which no byte stands; else nothing.
    pub(in crate::simd) gaps: &'a [u64],
}

/// The cursors that go on in the next block.
#[derive(Default)]
pub(in crate::simd) struct PortCarries {
    colon: u64,
    digit: u64,
}

impl PortCarries {
    /// Returns whether a port goes on in the next block.
    #[inline(always)]
    pub(in crate::simd) fn go_on(&self) -> bool {
        self.colon >> 63 | self.digit != 0
    }

    /// Moves the markers `path` of lines with ports to the ends of the ports, and makes lines with a wrong port
    /// fall back.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `V`.
    #[inline(always)]
    pub(in crate::simd) unsafe fn read<V: Vector, const ALL: bool>(
        &mut self,
        masks: &Masks<[u64; GROUP]>,
        uncommon: &Uncommon<[u64; GROUP]>,
        markers: &mut Markers<[u64; GROUP]>,
        count: usize,
        bytes: GroupBytes<'_>,
    ) {
        let GroupBytes { mut bytes, gaps } = bytes;
        for i in 0..count {
            let gaps = gaps.get(i).copied().unwrap_or_default();
            let port = markers.port[i];
            if port != 0 || self.go_on() {
                // SAFETY: the caller promises the features, and a `u64` requires none.
                unsafe {
                    let input = match bytes.first_chunk() {
                        Some(block) => V::load(block),
                        None => V::load_last(bytes),
                    };
                    // The bytes may have changed since they were classified. A cursor stops at the LF all the
                    // same.
                    let digit = digits(input, gaps) & masks.scheme[i] & !masks.letter[i];
                    let after_colon = port.advance(&mut self.colon);
                    let end = after_colon.run(digit, &mut self.digit);
                    let stop = masks.slash[i]
                        | masks.query[i]
                        | masks.newline[i]
                        | uncommon.crlf[i]
                        | uncommon.hash[i];
                    markers.fallback[i] |= end & !stop;
                    if ALL {
                        markers.path[i] = markers.path[i] & !port | end;
                    }
                }
            }
            bytes = bytes.get(BLOCK - gaps.count_ones() as usize..).unwrap_or_default();
        }
    }
}
