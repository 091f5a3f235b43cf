//! Names with 6 bits for a character: the characters of names and addresses are less than 64.

use alloc::vec::Vec;

use crate::work::looked_at;

/// The characters of names and addresses.
const CHARACTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789-_.[]:";

/// Returns the code of a character. The codes of [`CHARACTERS`] differ, and a letter has the same code in
/// both cases. Other characters may have their codes, but no name has such a character.
const fn code(byte: u8) -> u8 {
    byte & 0x1F | (byte & 0x40) >> 1
}

const _: () = {
    let mut seen = 0_u64;
    let mut index = 0;
    while index < CHARACTERS.len() {
        seen |= 1 << code(CHARACTERS[index]);
        index += 1;
    }
    assert!(seen.count_ones() as usize == CHARACTERS.len());
};

/// Returns the codes of eight characters in 48 bits.
#[inline(always)]
fn packed(word: u64) -> u64 {
    let codes = word & 0x1F1F_1F1F_1F1F_1F1F | (word & 0x4040_4040_4040_4040) >> 1;
    let pairs = codes & 0x003F_003F_003F_003F | (codes & 0x3F00_3F00_3F00_3F00) >> 2;
    let fours = pairs & 0x0000_0FFF_0000_0FFF | (pairs & 0x0FFF_0000_0FFF_0000) >> 4;
    fours & 0xFF_FFFF | fours >> 32 << 24
}

/// Passes the codes of each eight characters of a name to `take`, and the number of the characters, which is
/// less at the end. Returns false if `take` does.
#[inline(always)]
fn each_eight(name: &[u8], mut take: impl FnMut(u64, usize) -> bool) -> bool {
    let (eights, rest) = name.as_chunks();
    if !eights.iter().all(|eight| take(packed(u64::from_le_bytes(*eight)), 8)) {
        return false;
    }
    let word = match name.last_chunk() {
        _ if rest.is_empty() => return true,
        Some(last) => u64::from_le_bytes(*last) >> (64 - 8 * rest.len()),
        None => rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    };
    take(packed(word), rest.len())
}

/// Returns the number of bytes of the codes of a name.
pub(super) fn packed_len(len: usize) -> usize {
    (6 * len).div_ceil(8)
}

/// Replaces all characters that no name has by one that differs from all others.
pub(super) fn replace_others(name: &mut [u8]) {
    const OTHER: u8 = b'@';

    looked_at(name.len());
    for byte in name {
        if !CHARACTERS.contains(byte) {
            *byte = OTHER;
        }
    }
}

/// Appends the codes of a name.
pub(super) fn push_packed(name: &[u8], to: &mut Vec<u8>) {
    looked_at(name.len());
    each_eight(name, |codes, characters| {
        to.extend_from_slice(&codes.to_le_bytes()[..packed_len(characters)]);
        true
    });
}

/// Returns true if the first bytes are the codes of this name, whose letters may have any case.
#[inline(always)]
pub(super) fn are_codes_of(mut codes: &[u8], name: &[u8]) -> bool {
    looked_at(name.len());
    each_eight(name, |expected, characters| {
        let stored = match codes.first_chunk() {
            Some(eight) => u64::from_le_bytes(*eight),
            None => codes.iter().take(6).rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
        };
        codes = codes.get(6..).unwrap_or_default();
        (stored ^ expected) << (64 - 6 * characters) == 0
    })
}
