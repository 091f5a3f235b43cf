//! The work for CR, escapes and `#`, which only blocks with a rare byte need.

use crate::simd::block::mask_structs::{GROUP, masks};
use crate::simd::block::vector::Words;
use crate::simd::forms::form_escapes::EscapeRuns;

/// The masks of a block that has a rare byte, or that follows a block whose last rare bytes affect it.
pub(in crate::simd) struct RareMasks {
    pub(in crate::simd) uncommon: u64,
    pub(in crate::simd) newline: u64,
    pub(in crate::simd) cr: u64,
    pub(in crate::simd) percent: u64,
    pub(in crate::simd) hex: u64,
    pub(in crate::simd) hash: u64,
    /// 1 if an LF follows the block, else 0. A `bool` would be read in more bytes than were written, so that
    /// the read would have to wait for the write.
    pub(in crate::simd) next_newline: u64,
}

masks! {
    /// Masks that are empty in most blocks.
    Uncommon {
        /// The CRs that stand before an LF, and these LFs. Records end at the CRs.
        crlf,
        /// The first `#` of each line, if the grammar allows fragments.
        hash,
        /// Bytes that are not allowed or that make an escape bad, and every `#` after a line's first. They make
        /// their line fall back.
        forbidden,
        /// Digits of escapes that a normal form may change, if normal forms are wanted.
        form,
    }
}

/// The state of CR, escapes and `#` between blocks.
pub(in crate::simd) struct Rare {
    /// Whether a line may have one `#`.
    fragments: bool,
    /// The CRs of CR LF in the block before. The next three fields have its `%`, its hexadecimal digits after
    /// `%`, and its `#`.
    crlf: u64,
    escape: u64,
    escape_digit: u64,
    hash: u64,
    /// Whether a fragment goes on.
    fragment: u64,
    /// Not 0 if [`block`](Self::block) must be called for the next block even if that has no uncommon byte.
    pub(in crate::simd) pending: u64,
    /// Not 0 if so many blocks have uncommon bytes that examining each block is faster than predicting which
    /// ones have.
    pub(in crate::simd) are_many: u64,
    /// The number of blocks with uncommon bytes, but without CR and `#`, since the last
    /// [`end_group`](Self::end_group).
    count: u64,
    /// The same for the blocks among them that have other bytes than `%`.
    are_forbidden_many: u64,
    forbidden_count: u64,
    /// The escapes that a normal form may change, if normal forms are wanted.
    pub(in crate::simd) forms: EscapeRuns,
    /// Whether any line ended with CR LF.
    pub(in crate::simd) any_crlf: bool,
}

impl Rare {
    /// Returns the state before the first block. `fragments` is whether a line may have one `#`.
    #[inline(always)]
    pub(in crate::simd) fn new(fragments: bool) -> Self {
        Rare {
            fragments,
            crlf: 0,
            escape: 0,
            escape_digit: 0,
            hash: 0,
            fragment: 0,
            pending: 0,
            are_many: 0,
            count: 0,
            are_forbidden_many: 0,
            forbidden_count: 0,
            forms: EscapeRuns::default(),
            any_crlf: false,
        }
    }

    /// Returns 1 if the block before ends with the CR of a CR LF, else 0. If it is 1, the next byte counts as
    /// an LF, since it was one when the CR was checked.
    #[inline(always)]
    pub(in crate::simd) fn first_is_newline(&self) -> u64 {
        self.crlf >> 63
    }

    /// Returns true if all uncommon bytes of a block [on its own](Self::is_on_its_own) are `%`. Such blocks are most of
    /// those with uncommon bytes in valid lists. Returns false for each block if it is not worth asking.
    #[inline(always)]
    pub(in crate::simd) fn are_whole_escapes(&self, uncommon: u64, percent: u64) -> bool {
        (uncommon ^ percent) | percent >> 62 | self.pending | self.are_forbidden_many == 0
    }

    /// Returns true if no byte of the next block affects another block, nor one of the block before this block:
    /// the block has neither CR nor `#`, which `others` are, and its escapes end in it. Then
    /// [`forbidden`](Self::forbidden) does what [`block`](Self::block) does.
    #[inline(always)]
    pub(in crate::simd) fn is_on_its_own(&self, percent: u64, others: u64) -> bool {
        others | percent >> 62 | self.pending == 0
    }

    /// Returns the forbidden bytes of a block on its own.
    #[inline(always)]
    pub(in crate::simd) fn forbidden(&mut self, uncommon: u64, percent: u64, hex: u64) -> u64 {
        self.count += u64::from(uncommon != 0);
        self.forbidden_count += u64::from(uncommon != percent);
        let first = percent << 1;
        uncommon & !percent | (first | (first & hex) << 1) & !hex
    }

    /// Decides whether each block of the next group is examined.
    #[inline(always)]
    pub(in crate::simd) fn end_group(&mut self) {
        /// The number of blocks, of each group, from which they are many.
        const MANY: u64 = GROUP as u64 / 8;

        self.are_many = u64::from(self.count >= MANY);
        self.count = 0;
        self.are_forbidden_many = u64::from(self.forbidden_count >= MANY);
        self.forbidden_count = 0;
    }

    /// Returns the rare masks of the next block.
    #[inline(always)]
    pub(in crate::simd) fn block(&mut self, masks: RareMasks) -> Uncommon<u64> {
        let RareMasks { uncommon, newline, cr, percent, hex, hash, next_newline } = masks;
        let crlf = cr & (newline >> 1 | next_newline << 63);
        // SAFETY: a `u64` requires nothing, here and below.
        let after_cr = unsafe { crlf.advance(&mut self.crlf) };
        let after_cr = after_cr & newline;
        let end = newline & !after_cr | crlf;
        self.any_crlf |= crlf != 0;

        // pct-encoded = "%" HEXDIG HEXDIG
        // SAFETY: as above.
        let first = unsafe { percent.advance(&mut self.escape) };
        // SAFETY: as above.
        let second = unsafe { (first & hex).advance(&mut self.escape_digit) };
        let mut forbidden = (first | second) & !hex;

        let mut explained = percent | crlf;
        let mut first_hash = 0;
        if self.fragments {
            // SAFETY: as above.
            let after_hash = unsafe { hash.advance(&mut self.hash) };
            // SAFETY: as above.
            let further = unsafe { after_hash.run(!(hash | end), &mut self.fragment) } & hash;
            forbidden |= further;
            first_hash = hash & !further;
            explained |= hash;
        }
        self.pending = (self.crlf | self.escape | self.escape_digit | self.hash) >> 63 | self.fragment;
        Uncommon {
            crlf: after_cr | crlf,
            hash: first_hash,
            forbidden: forbidden | uncommon & !explained,
            form: 0,
        }
    }
}
