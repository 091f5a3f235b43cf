//! Masks to markers: where components end, by the carry arithmetic of [`Words`].
//!
//! Tried and slower: a marker for the forbidden bytes at which no structure is wrong. With AVX-512, valid lists took
//! 10% more time if the ends of records were wanted.
//! [`NotedLines::note`](super::streams::NotedLines::note) tells the bytes apart.

use super::masks::{Masks, needs_hosts, needs_names, needs_terms};
use super::rare::Uncommon;
use super::shape::{Allowed, LineShape};
use super::streams::collect;
use crate::grammar::SchemeRule;
use crate::simd::block::mask_structs::masks;
use crate::simd::block::vector::Words;

masks! {
    /// The ends of components, one bit a line in line order, and other marked bytes.
    Markers {
        /// The ends of records: the LF, or the CR before it.
        end,
        /// The first byte that cannot be in a scheme; if the grammar allows lines without a scheme, the first
        /// of `:/?#` or the end.
        scheme_end,
        /// The end of the authority, but of an authority with a port the colon before it; or a byte in the path.
        path,
        /// The colons before ports; not every line has one.
        port,
        /// The ends of paths that end before their record; not every line has one.
        path_end,
        /// The bytes at which the structure of a line is wrong, or cannot be judged by masks. Their line falls back.
        /// So do the lines of [`Uncommon::forbidden`].
        fallback,
        /// Bytes that a normal form may change.
        form,
        /// The ends of authorities that no path follows.
        no_path,
        /// The ends of hosts that may be addresses: those of authorities, not empty, whose last byte is no
        /// letter.
        may_be_address,
    }
}

impl Markers<bool> {
    /// Returns the markers that the streams in `collect` need.
    pub(in crate::simd) const fn needed<S: LineShape>(collect: u8) -> Self {
        let (ends, all) = (collect >= collect::ENDS, collect >= collect::ALL);
        Markers {
            end: ends,
            scheme_end: all,
            path: all,
            port: S::PORTS,
            path_end: all,
            fallback: true,
            form: S::FORMS,
            no_path: S::COUNTS,
            may_be_address: all && S::AUTHORITY,
        }
    }
}

/// The carries from block to block: the markers that move on, and whether a cursor goes on at the first byte
/// of the next block.
pub(in crate::simd) struct Carries<W> {
    newline: W,
    with_scheme: W,
    first_slash: W,
    second_slash: W,
    dot: W,
    dash: W,
    joint: W,
    /// Slashes, colons and LFs.
    delimiter: W,
    letter: W,
    first_delimiter: u64,
    scheme: u64,
    authority: u64,
    path: u64,
}

impl<W: Words> Carries<W> {
    /// Returns the carries at the start of a piece, which are those after an LF.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `W`.
    #[inline(always)]
    pub(in crate::simd) unsafe fn new() -> Self {
        // SAFETY: the caller promises the features.
        let (newline, nothing) = unsafe { (W::splat(!0), W::splat(0)) };
        Carries {
            newline,
            with_scheme: nothing,
            first_slash: nothing,
            second_slash: nothing,
            dot: nothing,
            dash: nothing,
            joint: nothing,
            delimiter: newline,
            letter: nothing,
            first_delimiter: 0,
            scheme: 0,
            authority: 0,
            path: 0,
        }
    }
}

impl Carries<u64> {
    /// Returns whether nothing goes on in the next block.
    #[inline(always)]
    pub(in crate::simd) fn are_idle(&self) -> bool {
        let in_heads = self.with_scheme | self.first_slash | self.second_slash;
        let moving = self.newline | in_heads | self.dot | self.dash | self.joint;
        let going_on = self.first_delimiter | self.scheme | self.authority | self.path;
        moving >> 63 | going_on == 0
    }
}

/// Returns the markers of some masks. Without `ALL`, only `end`, `port`, `fallback`, `form` and `no_path` have a
/// meaning. A line whose port is wrong need not fall back.
///
/// # Safety
///
/// The machine must have the features of `W`.
#[inline(always)]
pub(in crate::simd) unsafe fn mark<W: Words, S: LineShape, const ALL: bool>(
    masks: Masks<W>,
    uncommon: Uncommon<W>,
    carries: &mut Carries<W>,
    allowed: Allowed,
) -> Markers<W> {
    let Masks { newline, colon, slash, query, letter, scheme, dot, dash, plus, joint, upper } = masks;
    let Uncommon { crlf, hash, form, .. } = uncommon;
    let end = newline ^ crlf;
    let term = if needs_terms::<S>(ALL) { end | query | hash } else { end };
    // SAFETY: the caller promises the features.
    unsafe {
        let start = newline.advance(&mut carries.newline);
        let mut fallback = W::splat(0);

        // The bytes of a scheme, or of a first segment, and of an authority.
        let mut head = W::splat(0);
        // The end of the scheme, and the colon of lines that have a scheme.
        let (scheme_end, with_scheme) = match S::SCHEME {
            SchemeRule::Required => {
                let sum = (start & letter).add(scheme, &mut carries.scheme);
                head = scheme & !sum;
                let end = sum & !scheme;
                fallback = fallback | (start & !letter) | (end & !colon);
                (end | (start & !letter), end & colon)
            }
            SchemeRule::Optional => {
                let sum = (start & letter).add(scheme, &mut carries.scheme);
                head = scheme & !sum;
                let end = sum & !scheme;
                let first = start.run(!(colon | slash | term), &mut carries.first_delimiter);
                let allowed = W::splat(if allowed.scheme { !0 } else { 0 });
                fallback = fallback | (first & colon & !(end & allowed));
                (first, first & colon & end)
            }
            SchemeRule::Forbidden => {
                fallback = fallback | (start & !slash);
                (start, W::splat(0))
            }
        };

        let mut path = start;
        let [mut no_path, mut may_be_address, mut port] = [W::splat(0); 3];
        if S::AUTHORITY {
            let after_colon = with_scheme.advance(&mut carries.with_scheme);
            if S::OPAQUE {
                fallback = fallback | (after_colon & !slash);
            }
            let leading_slash = if S::MAY_LACK_SCHEME { start & slash } else { W::splat(0) };
            let first_slash = (after_colon & slash) | leading_slash;
            let after_slash = first_slash.advance(&mut carries.first_slash);
            let authority = (after_slash & slash).advance(&mut carries.second_slash);
            // A plain authority has only the bytes that a scheme has: no userinfo, port, brackets or escapes.
            let sum = authority.add(scheme, &mut carries.authority);
            let (authority_end, inside) = (sum & !scheme, scheme & !sum);
            head = head | inside;
            let stop = slash | term;
            if S::PORTS {
                port = authority_end & colon;
            }
            fallback = fallback | (authority_end & !(stop | port));
            if ALL || S::COUNTS {
                // An address does not end with a letter.
                let after_letter = letter.advance(&mut carries.letter);
                may_be_address = authority_end & !after_letter;
            }
            if S::COUNTS {
                let lacks_scheme = scheme_end & !with_scheme;
                let lacks_authority = (after_colon | after_slash) & !slash;
                fallback = fallback | lacks_scheme | lacks_authority | may_be_address;
                no_path = authority_end & !slash;
            }
            // A host without bytes is no address.
            may_be_address = may_be_address & !authority;
            if S::OPAQUE {
                fallback = fallback | (authority & stop);
            }
            if needs_hosts::<S>(ALL) {
                // The labels of a plain hostname start with a letter and do not end with "-". Another
                // authority may be an address, or no host.
                let label = authority | (dot & inside).advance(&mut carries.dot);
                let after_dash = (dash & inside).advance(&mut carries.dash);
                fallback =
                    fallback | (label & !letter) | (after_dash & (dot | authority_end)) | (plus & inside);
            }
            if needs_names::<S>() {
                // The labels of a name in the DNS are not empty, and neither start nor end with "-". Two
                // dashes in a row, as in Punycode, are rare enough to fall back, too.
                let not_joint = authority | (joint & inside).advance(&mut carries.joint);
                fallback = fallback | (joint & not_joint);
            }
            if S::COUNTS {
                // A label of 64 bytes and a name of 254 have such a half, which few others have.
                fallback = fallback | inside.full_halves();
            }
            // One cursor a line, even in a line that went wrong here, to keep the streams in step.
            path = authority_end
                | ((after_colon | after_slash) & !slash)
                | (scheme_end & !(with_scheme | leading_slash));
        }
        let path_end = if ALL { path.run(!term, &mut carries.path) & !end } else { W::splat(0) };
        let form = if S::FORMS {
            let after_delimiter = (slash | colon | newline).advance(&mut carries.delimiter);
            upper & head | dot & after_delimiter | form
        } else {
            form
        };
        Markers { end, scheme_end, path, port, path_end, fallback, form, no_path, may_be_address }
    }
}
