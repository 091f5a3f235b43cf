//! Bytes to masks to markers, for a group of blocks.

use super::classify::{ALLOWED, HEX, LETTER, SCHEME, STRUCTURE};
use super::rare::{Rare, RareMasks};
use super::shape::{SchemeRule, Shape};
use super::vector::{BLOCK, Vector, Words};

/// Pass 1: what the bytes are.
pub(super) struct Masks<const GROUP: usize> {
    pub(super) newline: [u64; GROUP],
    /// Where records end: the LF, or the CR before it.
    pub(super) end: [u64; GROUP],
    pub(super) colon: [u64; GROUP],
    pub(super) slash: [u64; GROUP],
    /// Empty unless the next pass needs them.
    pub(super) query: [u64; GROUP],
    pub(super) hash: [u64; GROUP],
    pub(super) letter: [u64; GROUP],
    pub(super) scheme: [u64; GROUP],
    pub(super) error: [u64; GROUP],
}

/// Pass 2: where the components end, one bit a line, in line order; and more.
pub(super) struct Markers<const GROUP: usize> {
    pub(super) scheme_end: [u64; GROUP],
    pub(super) path: [u64; GROUP],
    /// Where paths end that do not end with their record.
    pub(super) path_end: [u64; GROUP],
    /// What is suspicious, in any line.
    pub(super) error: [u64; GROUP],
}

impl<const GROUP: usize> Masks<GROUP> {
    const fn new() -> Self {
        Masks {
            newline: [0; GROUP],
            end: [0; GROUP],
            colon: [0; GROUP],
            slash: [0; GROUP],
            query: [0; GROUP],
            hash: [0; GROUP],
            letter: [0; GROUP],
            scheme: [0; GROUP],
            error: [0; GROUP],
        }
    }
}

impl<const GROUP: usize> Markers<GROUP> {
    const fn new() -> Self {
        Markers { scheme_end: [0; GROUP], path: [0; GROUP], path_end: [0; GROUP], error: [0; GROUP] }
    }
}

/// What pass 2 takes from block to block: the markers that move on, and whether a cursor goes on at the next first byte.
struct Carries<W> {
    newline: W,
    with_scheme: W,
    first_slash: W,
    second_slash: W,
    first_delimiter: u64,
    scheme: u64,
    authority: u64,
    inside_authority: u64,
    path: u64,
}

impl<W: Words> Carries<W> {
    /// At the start of a piece: as behind an LF.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `W`.
    #[inline(always)]
    unsafe fn new() -> Self {
        // SAFETY: the caller promises the features.
        let (newline, nothing) = unsafe { (W::splat(!0), W::splat(0)) };
        Carries {
            newline,
            with_scheme: nothing,
            first_slash: nothing,
            second_slash: nothing,
            first_delimiter: 0,
            scheme: 0,
            authority: 0,
            inside_authority: 0,
            path: 0,
        }
    }
}

/// The first two passes over groups of up to `GROUP` blocks that follow each other.
///
/// A group goes through each pass before the next, over masks that stay in the L1 cache: so each loop keeps in registers
/// what it needs. Markers of paths and schemes are made only if `ALL`.
pub(super) struct Passes<V: Vector, S, const ALL: bool, const GROUP: usize> {
    pub(super) masks: Masks<GROUP>,
    pub(super) markers: Markers<GROUP>,
    pub(super) rare: Rare,
    carries: Carries<V::Words>,
    of: core::marker::PhantomData<(V, S)>,
}

impl<V: Vector, S: Shape, const ALL: bool, const GROUP: usize> Passes<V, S, ALL, GROUP> {
    /// Whether a line may have no scheme.
    const REFERENCES: bool = !matches!(S::SCHEME, SchemeRule::Required);

    /// Before the first block of a piece.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `V`.
    #[inline(always)]
    pub(super) unsafe fn new() -> Self {
        const { assert!(GROUP.is_multiple_of(V::Words::COUNT)) };
        Passes {
            masks: Masks::new(),
            markers: Markers::new(),
            rare: Rare::default(),
            // SAFETY: the caller promises the features.
            carries: unsafe { Carries::new() },
            of: core::marker::PhantomData,
        }
    }

    /// Pass 1: bytes to masks, from mask `first` on. `next` tells whether an LF follows.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `V`.
    #[inline(always)]
    pub(super) unsafe fn classify(&mut self, blocks: &[[u8; BLOCK]], first: usize, next: bool) {
        assert!(first + blocks.len() <= GROUP);
        let masks = &mut self.masks;
        let mut rare_is_pending = self.rare.is_pending();
        for (n, block) in blocks.iter().enumerate() {
            let i = first + n;
            // SAFETY: the caller promises the features.
            unsafe {
                let input = V::load(block);
                let class = input.classify(&STRUCTURE);
                let newline = input.eq(b'\n');
                let odd = !(class.at_least::<ALLOWED>() | newline);
                masks.newline[i] = newline;
                masks.end[i] = newline;
                masks.error[i] = 0;
                masks.colon[i] = input.eq(b':');
                masks.slash[i] = input.eq(b'/');
                masks.letter[i] = class.at_least::<LETTER>();
                masks.scheme[i] = class.at_least::<SCHEME>();
                // Only what delimits something that is asked for is looked for.
                if ALL || Self::REFERENCES {
                    masks.query[i] = input.eq(b'?');
                    masks.hash[i] = 0;
                }
                if odd != 0 || rare_is_pending {
                    let rare = RareMasks {
                        odd,
                        newline,
                        cr: input.eq(b'\r'),
                        percent: input.eq(b'%'),
                        hex: input.classify(&HEX).at_least::<ALLOWED>(),
                        hash: input.eq(b'#'),
                        next_is_newline: blocks.get(n + 1).map_or(next, |next| next[0] == b'\n'),
                    };
                    masks.hash[i] = rare.hash;
                    (masks.end[i], masks.error[i]) = self.rare.block(rare, S::FRAGMENT);
                    rare_is_pending = self.rare.is_pending();
                }
            }
        }
    }

    /// Pass 2: masks to markers, of the first `count` blocks. Only of the last group they may be fewer than all: what is left
    /// behind for a further one is right only if they are a multiple of the words that are worked on at once.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `V`.
    #[inline(always)]
    pub(super) unsafe fn mark(&mut self, count: usize) {
        assert!(count <= GROUP);
        for i in (0..count).step_by(V::Words::COUNT) {
            // SAFETY: the caller promises the features.
            unsafe { self.mark_words(i) };
        }
    }

    /// Pass 2, of as many blocks as there are in [`Words`], from `i` on.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `V`.
    #[inline(always)]
    unsafe fn mark_words(&mut self, i: usize) {
        let Passes { masks, markers, carries, .. } = self;
        // SAFETY: the caller promises the features.
        unsafe {
            let newline = V::Words::load(&masks.newline[i..]);
            let end = V::Words::load(&masks.end[i..]);
            let colon = V::Words::load(&masks.colon[i..]);
            let slash = V::Words::load(&masks.slash[i..]);
            let letter = V::Words::load(&masks.letter[i..]);
            let scheme = V::Words::load(&masks.scheme[i..]);
            let mut error = V::Words::load(&masks.error[i..]);
            let mut term = end;
            if ALL || Self::REFERENCES {
                term = term | V::Words::load(&masks.query[i..]) | V::Words::load(&masks.hash[i..]);
            }
            let start = newline.advance(&mut carries.newline);

            // The scheme: where it ends, and its colon where it has one.
            let (scheme_end, with_scheme) = match S::SCHEME {
                SchemeRule::Required => {
                    let end = (start & letter).run(scheme, &mut carries.scheme);
                    error = error | (start & !letter) | (end & !colon);
                    (end | (start & !letter), end & colon)
                }
                SchemeRule::Optional => {
                    let end = (start & letter).run(scheme, &mut carries.scheme);
                    let first = start.run(!(colon | slash | term), &mut carries.first_delimiter);
                    error = error | (first & colon & !end);
                    (first, first & colon & end)
                }
                SchemeRule::Forbidden if S::AUTHORITY => {
                    let first = start.run(!(colon | slash | term), &mut carries.first_delimiter);
                    error = error | (first & colon);
                    (first, V::Words::splat(0))
                }
                SchemeRule::Forbidden => {
                    error = error | (start & !slash);
                    (start, V::Words::splat(0))
                }
            };

            let mut path = start;
            if S::AUTHORITY {
                let behind = with_scheme.advance(&mut carries.with_scheme);
                if S::OPAQUE {
                    error = error | (behind & !slash);
                }
                let leading_slash = if Self::REFERENCES { start & slash } else { V::Words::splat(0) };
                let first_slash = (behind & slash) | leading_slash;
                let after_slash = first_slash.advance(&mut carries.first_slash);
                let authority = (after_slash & slash).advance(&mut carries.second_slash);
                let stop = slash | term;
                let authority_end = authority.run(!stop, &mut carries.authority);
                // Userinfo, ports, brackets and escapes all have a byte that no scheme has.
                error = error | (authority.between(authority_end, &mut carries.inside_authority) & !scheme);
                if S::OPAQUE {
                    error = error | (authority & stop);
                }
                // A cursor a line: also in the lines that went wrong here, to keep the streams in step.
                path = authority_end
                    | ((behind | after_slash) & !slash)
                    | (scheme_end & !(with_scheme | leading_slash));
            }
            if ALL {
                scheme_end.store(&mut markers.scheme_end[i..]);
                path.store(&mut markers.path[i..]);
                (path.run(!term, &mut carries.path) & !end).store(&mut markers.path_end[i..]);
            }
            error.store(&mut markers.error[i..]);
        }
    }
}
