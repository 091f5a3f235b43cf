//! Hashes of a name and of the names above it. One pass from the end makes all of them: a hash is made of the
//! words of eight bytes before the end, and of the bytes that are left. Letters count as those in lower case.

use std::hash::{BuildHasher, RandomState};

use super::name::MAX_NAME;
use crate::work::looked_at;

/// The numbers that a set's hashes depend on. They are random, so that nobody can write a list of names which
/// all are in one bucket.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seed([u64; 2]);

impl Seed {
    pub(super) fn random() -> Self {
        let state = RandomState::new();
        Seed([state.hash_one(0), state.hash_one(1) | 1])
    }

    /// Adds a word to a state.
    #[inline(always)]
    fn mixed(self, state: u64, word: u64) -> u64 {
        let product = u128::from(state ^ word) * u128::from(self.0[1]);
        product as u64 ^ (product >> 64) as u64
    }

    /// Returns the hash of a name of this length, whose first bytes are in `word`.
    #[inline(always)]
    fn finished(self, state: u64, word: u64, len: usize) -> u64 {
        const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
        let product = u128::from(self.mixed(state, word) ^ len as u64) * u128::from(FACTOR);
        product as u64 ^ (product >> 64) as u64
    }
}

const ONES: u64 = u64::MAX / 0xFF;

/// Returns a word with the high bit of each byte that is 0.
#[inline(always)]
pub(super) fn zero_bytes(word: u64) -> u64 {
    const LOW: u64 = 0x7F * ONES;
    !(((word & LOW) + LOW) | word | LOW)
}

/// Passes the length and the hash of a name to `take`, and those of each name above it with a number of
/// labels that is in `depths`. Returns false if the name has an escape, a byte beyond ASCII, a control, `{`,
/// `|`, `}` or `~`, or too many bytes; the hashes then mean nothing, except those of the names above it if it
/// has too many bytes.
///
/// The work does not depend on the bytes before the last [`MAX_NAME`].
#[inline(always)]
pub(super) fn each_suffix(
    seed: Seed,
    name: &[u8],
    depths: u64,
    mut take: impl FnMut(usize, u64, bool),
) -> bool {
    let is_short = name.len() <= MAX_NAME;
    // The dot before the longest name is in it.
    let name = if is_short { name } else { &name[name.len() - MAX_NAME - 1..] };
    looked_at(name.len());
    let (mut state, mut end) = (seed.0[0], name.len());
    let mut depth = 1;
    let mut special = 0;
    let last;
    loop {
        let (word, used) = match name[..end].last_chunk() {
            Some(word) => (u64::from_le_bytes(*word), 8),
            None => (first_bytes(name, end), end),
        };
        // The case of letters differs in this bit, which all other bytes of names have.
        let folded = (word | (0x20 * ONES)) & used_bytes(used);
        // Bytes from `{` on and controls, which no name has; and `%`.
        let high = (word | ((word & (0x7F * ONES)) + 5 * ONES)) & (0x80 * ONES);
        let controls = zero_bytes(word & (0x60 * ONES)) & used_bytes(used);
        special |= high | controls | zero_bytes(folded ^ (u64::from(b'%') * ONES));
        let mut dots = if depths == 0 { 0 } else { zero_bytes(folded ^ (u64::from(b'.') * ONES)) };
        while dots != 0 {
            let after = dots.leading_zeros() as usize / 8;
            if (depths >> depth.min(63)) & 1 == 1 {
                let len = name.len() - end + after;
                take(len, seed.finished(state, folded & used_bytes(after), len), false);
            }
            depth += 1;
            dots &= !(1 << (63 - 8 * after));
        }
        if used < 8 {
            last = folded;
            break;
        }
        state = seed.mixed(state, folded);
        end -= 8;
    }
    if is_short && !name.is_empty() {
        take(name.len(), seed.finished(state, last, name.len()), true);
    }
    is_short && special == 0
}

/// Returns the first bytes of a name, at most seven, as the last bytes of a word.
#[inline(always)]
fn first_bytes(name: &[u8], bytes: usize) -> u64 {
    if bytes == 0 {
        return 0;
    }
    let word = match name.first_chunk() {
        Some(first) => u64::from_le_bytes(*first),
        None => name[..bytes].iter().rev().fold(0, |word, &byte| (word << 8) | u64::from(byte)),
    };
    word << (64 - 8 * bytes)
}

/// Returns a mask of the last bytes of a word.
#[inline(always)]
fn used_bytes(bytes: usize) -> u64 {
    if bytes == 0 { 0 } else { !0 << (64 - 8 * bytes) }
}
