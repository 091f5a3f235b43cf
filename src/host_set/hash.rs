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
/// labels that is in `depths`. Returns false if the name has a byte before `-`, such as `%`, or from `{` on,
/// or too many bytes; the hashes then mean nothing, except those of the names above it if it has too many
/// bytes.
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
    let mut depth = 1;
    // Passes the names that begin after a dot of the word before `end`.
    let mut take_above = |state: u64, folded: u64, end: usize| {
        let mut dots = zero_bytes(folded ^ (u64::from(b'.') * ONES));
        while dots != 0 {
            let after = dots.leading_zeros() as usize / 8;
            if (depths >> depth.min(63)) & 1 == 1 {
                let len = name.len() - end + after;
                take(len, seed.finished(state, folded & used_bytes(after), len), false);
            }
            depth += 1;
            dots &= !(1 << (63 - 8 * after));
        }
    };
    let mut state = seed.0[0];
    let mut usual = Usual::default();
    let (first, eights) = name.as_rchunks();
    let mut end = name.len();
    for eight in eights.iter().rev() {
        let word = u64::from_le_bytes(*eight);
        usual.add(word);
        let folded = word | (0x20 * ONES);
        if depths != 0 {
            take_above(state, folded, end);
        }
        state = seed.mixed(state, folded);
        end -= 8;
    }
    let mut last = 0;
    if !first.is_empty() {
        let used = used_bytes(first.len());
        let word = first_bytes(first, name);
        // Any usual byte stands for the bytes that are not there.
        usual.add(word | ((u64::from(b'-') * ONES) & !used));
        last = (word | (0x20 * ONES)) & used;
        if depths != 0 {
            take_above(state, last, end);
        }
    }
    if is_short && !name.is_empty() {
        take(name.len(), seed.finished(state, last, name.len()), true);
    }
    is_short && usual.are_all()
}

/// Whether all bytes of words are between `-` and `z`, as those of names are. Others may have the case of a
/// letter, or stand for another byte.
#[derive(Clone, Copy, Default)]
struct Usual {
    /// The high bits of the bytes that are not.
    others: u64,
}

impl Usual {
    #[inline(always)]
    fn add(&mut self, word: u64) {
        const HIGH: u64 = 0x80 * ONES;
        const AFTER_Z: u64 = (0x80 - b'{' as u64) * ONES;

        // Neither step carries into the next byte.
        let before = !((word | HIGH) - u64::from(b'-') * ONES);
        self.others |= word | ((word & !HIGH) + AFTER_Z) | before;
    }

    #[inline(always)]
    fn are_all(self) -> bool {
        self.others & (0x80 * ONES) == 0
    }
}

/// Returns the first bytes of a name, at most seven and at least one, as the last bytes of a word.
#[inline(always)]
fn first_bytes(first: &[u8], name: &[u8]) -> u64 {
    let len = first.len();
    if let Some(word) = name.first_chunk() {
        return u64::from_le_bytes(*word) << (64 - 8 * len);
    }
    // Two halves that may have bytes in common.
    if let (Some(start), Some(end)) = (first.first_chunk(), first.last_chunk()) {
        let [start, end] = [start, end].map(|half: &[u8; 4]| u64::from(u32::from_le_bytes(*half)));
        return start << (64 - 8 * len) | end << 32;
    }
    first.iter().rfold(0, |word, &byte| word << 8 | u64::from(byte)) << (64 - 8 * len)
}

/// Returns a mask of the last bytes of a word.
#[inline(always)]
fn used_bytes(bytes: usize) -> u64 {
    if bytes == 0 { 0 } else { !0 << (64 - 8 * bytes) }
}
