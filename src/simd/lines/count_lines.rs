//! Counts the lines that have a component, by the bits of masks and markers: no position of a component is
//! written out.
//!
//! A component has at most one bit in each line. A line counts when it ends, because only then is it known
//! whether it falls back. Until then, the bits of the line that goes on after a group wait.
//!
//! Tried, and slower with AVX2 by 4 ns a line, which is as much as this saves: moving the bits to their
//! lines' LFs by runs. A run through paths, to find queries in the pass of all other markers, takes 1 ns a
//! line more than a pass over the groups that have a `?`.

use super::masks::Masks;
use super::rare::Uncommon;
use super::streams::NotedLine;
use crate::simd::block::mask_structs::{GROUP, any, count_ones};
use crate::simd::block::vector::{BLOCK, Words};

/// The line that goes on after a group.
#[derive(Default)]
pub(in crate::simd) struct Unfinished {
    /// The number of its bits for each component that is counted.
    pub(in crate::simd) bits: [u64; 3],
    /// 1 if it has a `?` or a `#`, else 0.
    has_term: u64,
}

impl Unfinished {
    /// Returns the `?` before each query of a group: the first in its line, unless a `#` comes before it.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `W`.
    #[inline(always)]
    pub(in crate::simd) unsafe fn questions<W: Words>(
        &mut self,
        masks: &Masks<[u64; GROUP]>,
        uncommon: &Uncommon<[u64; GROUP]>,
        count: usize,
    ) -> [u64; GROUP] {
        let mut questions = [0; GROUP];
        // Many groups have no query.
        if any(&masks.query[..count]) {
            // The line that goes on has no start here, but a carry.
            let mut goes_on = 1 - self.has_term;
            // SAFETY: the caller promises the features.
            unsafe {
                let mut before = W::splat(0);
                for i in (0..count).step_by(W::COUNT) {
                    let rows = [&masks.newline, &masks.query, &uncommon.hash];
                    let [newline, query, hash] = rows.map(|row| W::load(&row[i..]));
                    let start = newline.advance(&mut before);
                    let first = start.run(!(newline | query | hash), &mut goes_on);
                    (first & query).store(&mut questions[i..]);
                }
            }
        }
        let newlines = &masks.newline[..count];
        let (queries, hashes) = (after_last(&masks.query, newlines), after_last(&uncommon.hash, newlines));
        self.has_term = u64::from(queries + hashes != 0) | self.has_term & u64::from(!any(newlines));
        questions
    }
}

/// Counts the bits of the lines that end in a group. `unfinished` is the number of bits of the line that goes
/// on: before the group, then after it.
#[inline(always)]
pub(in crate::simd) fn count_lines(row: &[u64], newlines: &[u64], counted: &mut u64, unfinished: &mut u64) {
    let (all, after) = (count_ones(row), after_last(row, newlines));
    if any(newlines) {
        *counted += *unfinished + all - after;
        *unfinished = after;
    } else {
        *unfinished += all;
    }
}

/// Returns the number of bits after the last LF. Without an LF, all bits count.
#[inline(always)]
fn after_last(row: &[u64], newlines: &[u64]) -> u64 {
    let row = &row[..newlines.len()];
    let Some(last) = newlines.iter().rposition(|&newline| newline != 0) else { return count_ones(row) };
    let (first, rest) = (row[last], &row[last + 1..]);
    // A shift by 64 bits leaves none, too.
    let after = (first >> (u64::BITS - 1 - newlines[last].leading_zeros())) >> 1;
    u64::from(after.count_ones()) + count_ones(rest)
}

/// Clears the bits of a line that ends in the group, and those that wait.
#[cold]
pub(in crate::simd) fn drop_line(row: &mut [u64], line: &NotedLine, base: u32, unfinished: &mut u64) {
    if line.start < base {
        *unfinished = 0;
    }
    let [mut at, end] = [line.start, line.end + 1].map(|at| at.saturating_sub(base) as usize);
    while at < end {
        let next = end.min((at / BLOCK + 1) * BLOCK);
        row[at / BLOCK] &= !((u64::MAX >> (BLOCK - (next - at))) << (at % BLOCK));
        at = next;
    }
}
