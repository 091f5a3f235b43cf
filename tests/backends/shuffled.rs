//! Tests all cases in any order: the state after one line must not affect the next.

use crate::cases::CASES;
use crate::reference::Checker;
use crate::stride;

/// A generator of numbers, SplitMix64: the same numbers on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Returns a number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ bits >> 31) % limit as u64) as usize
    }

    /// Puts the items into a random order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

#[test]
fn concatenations() {
    let mut checker = Checker::default();
    let mut random = Random(1);
    let mut cases = CASES.to_vec();
    for round in 0..400 / stride(20) {
        random.shuffle(&mut cases);
        // In every other round only some cases, so that the rest lies at other places.
        let count = if round % 2 == 0 { cases.len() } else { random.below(cases.len()) };
        let mut buffer = Vec::new();
        for case in &cases[..count] {
            buffer.extend_from_slice(case);
            let end: &[u8] = if random.below(8) == 0 { b"\r\n" } else { b"\n" };
            buffer.extend_from_slice(end);
        }
        buffer.extend_from_slice(cases[0]);
        checker.lines(&buffer);
        if round % 8 == 0 {
            checker.rows(&buffer);
        }
    }
}
