//! The work that only blocks with a rare byte need: CR, escapes and `#`.

use super::form_escapes::Escapes;
use super::mask_structs::masks;
use super::vector::Words;

/// The masks of a block that has a rare byte, or comes after one that matters.
pub(super) struct RareMasks {
    pub(super) odd: u64,
    pub(super) newline: u64,
    pub(super) cr: u64,
    pub(super) percent: u64,
    pub(super) hex: u64,
    pub(super) hash: u64,
    /// 1 if an LF follows the block, else 0: a `bool` would be read as more than was written, and waited for.
    pub(super) next_newline: u64,
}

masks! {
    /// Masks that are empty in most blocks.
    Odd {
        /// The CRs that stand before an LF, and these LFs: records end at the former.
        crlf,
        /// The first `#` of each line, where a line may have one.
        hash,
        /// Bytes for which their line falls back: not allowed, in a bad escape, a second `#`.
        fallback,
        /// Digits of escapes that a normal form may change, if normal forms are wanted.
        form,
    }
}

/// CR, escapes and `#`: what goes from block to block of them.
#[derive(Default)]
pub(super) struct Rare {
    /// In the block before: the CRs of CR LF, `%`, hexadecimal digits after `%`, and `#`.
    crlf: u64,
    escape: u64,
    escape_digit: u64,
    hash: u64,
    /// Whether a fragment goes on.
    fragment: u64,
    /// Not 0 if the next block must be looked at even if it has no odd byte.
    pub(super) pending: u64,
    /// Digits of escapes, if normal forms are wanted.
    pub(super) forms: Escapes,
    /// Whether any line ended with CR LF.
    pub(super) any_crlf: bool,
}

impl Rare {
    /// 1 if the block before ends with the CR of a CR LF, else 0. Then the next byte is an LF: it was one when it was looked at.
    #[inline(always)]
    pub(super) fn first_is_newline(&self) -> u64 {
        self.crlf >> 63
    }

    /// One block.
    ///
    /// `fragment` says whether a line may have one `#`.
    #[inline(always)]
    pub(super) fn block(&mut self, masks: RareMasks, fragment: bool) -> Odd<u64> {
        let RareMasks { odd, newline, cr, percent, hex, hash, next_newline } = masks;
        let crlf = cr & (newline >> 1 | next_newline << 63);
        // SAFETY: a `u64` asks for nothing, here and below.
        let behind = unsafe { crlf.advance(&mut self.crlf) };
        let behind = behind & newline;
        let end = newline & !behind | crlf;
        self.any_crlf |= crlf != 0;

        // pct-encoded = "%" HEXDIG HEXDIG
        // SAFETY: as above.
        let first = unsafe { percent.advance(&mut self.escape) };
        // SAFETY: as above.
        let second = unsafe { (first & hex).advance(&mut self.escape_digit) };
        let mut fallback = (first | second) & !hex;

        let mut explained = percent | crlf;
        let mut first_hash = 0;
        if fragment {
            // SAFETY: as above.
            let behind = unsafe { hash.advance(&mut self.hash) };
            // SAFETY: as above.
            let further = unsafe { behind.run(!(hash | end), &mut self.fragment) } & hash;
            fallback |= further;
            first_hash = hash & !further;
            explained |= hash;
        }
        self.pending = (self.crlf | self.escape | self.escape_digit | self.hash) >> 63 | self.fragment;
        Odd { crlf: behind | crlf, hash: first_hash, fallback: fallback | odd & !explained, form: 0 }
    }
}
