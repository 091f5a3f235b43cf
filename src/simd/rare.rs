//! What only blocks with an odd byte need: CR, escapes and `#`. It is kept out of the loop over blocks, and out of its
//! registers.

use super::vector::Words;

/// The masks of a block that has an odd byte, or stands behind one that matters.
pub(super) struct RareMasks {
    pub(super) odd: u64,
    pub(super) newline: u64,
    pub(super) cr: u64,
    pub(super) percent: u64,
    pub(super) hex: u64,
    pub(super) hash: u64,
    pub(super) next_is_newline: bool,
}

/// CR, escapes and `#`: what goes from block to block of them.
#[derive(Default)]
pub(super) struct Rare {
    /// In the block before: the CRs of CR LF, `%`, hexadecimal digits behind `%`, and `#`.
    crlf: u64,
    escape: u64,
    escape_digit: u64,
    hash: u64,
    /// Whether a fragment goes on.
    fragment: u64,
    /// Whether the next block must be looked at even if it has no odd byte.
    pub(super) is_pending: bool,
    /// Whether any line ended with CR LF.
    pub(super) any_crlf: bool,
}

impl Rare {
    /// One block: where records end in it, and its suspicious bytes.
    ///
    /// `fragment` tells whether a line may have one `#`.
    #[cold]
    #[inline(never)]
    pub(super) fn block(&mut self, masks: RareMasks, fragment: bool) -> (u64, u64) {
        let RareMasks { odd, newline, cr, percent, hex, hash, next_is_newline } = masks;
        let crlf = cr & (newline >> 1 | u64::from(next_is_newline) << 63);
        // SAFETY: a `u64` asks for nothing, here and below.
        let behind = unsafe { crlf.advance(&mut self.crlf) };
        let end = (newline & !behind) | crlf;
        self.any_crlf |= crlf != 0;

        // pct-encoded = "%" HEXDIG HEXDIG
        // SAFETY: as above.
        let first = unsafe { percent.advance(&mut self.escape) };
        // SAFETY: as above.
        let second = unsafe { (first & hex).advance(&mut self.escape_digit) };
        let mut error = (first | second) & !hex;

        let mut explained = percent | crlf;
        if fragment {
            // SAFETY: as above.
            let behind = unsafe { hash.advance(&mut self.hash) };
            // SAFETY: as above.
            error |= unsafe { behind.run(!(hash | end), &mut self.fragment) } & hash;
            explained |= hash;
        }
        self.is_pending =
            (self.crlf | self.escape | self.escape_digit | self.hash) >> 63 | self.fragment != 0;
        (end, error | odd & !explained)
    }
}
