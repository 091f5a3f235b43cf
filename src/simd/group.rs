//! A group of blocks on its way through the passes: bytes to masks, masks to markers, markers to positions.
//!
//! A group goes through each pass before the next, over masks that stay in the L1 cache: so each loop keeps in registers
//! what it needs.

use core::mem;

use super::mark::{Carries, Markers, mark};
use super::masks::{Masks, classify, needs_hosts, needs_terms};
use super::rare::{Odd, Rare};
use super::shape::Shape;
use super::streams::{Streams, collect, note, note_suspects, write_positions};
use super::vector::{BLOCK, Vector, Words};

/// The blocks of a group: few enough for their masks to stay in the L1 cache, many enough to keep the loops going.
pub(super) const GROUP: usize = 32;

/// Up to [`GROUP`] blocks that follow each other, and what they take from the group before.
pub(super) struct Group<V: Vector, S, const ALL: bool> {
    masks: Masks<[u64; GROUP]>,
    odd: Odd<[u64; GROUP]>,
    /// Whether `odd` has any.
    has_odd: bool,
    markers: Markers<[u64; GROUP]>,
    pub(super) rare: Rare,
    carries: Carries<V::Words>,
    of: core::marker::PhantomData<(V, S)>,
}

impl<V: Vector, S: Shape, const ALL: bool> Group<V, S, ALL> {
    /// # Safety
    ///
    /// The machine must have the features of `V`.
    #[inline(always)]
    pub(super) unsafe fn new() -> Self {
        const { assert!(GROUP.is_multiple_of(<V::Words as Words>::COUNT)) };
        Group {
            masks: Masks::none(),
            odd: Odd::none(),
            has_odd: false,
            markers: Markers::none(),
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
        for (i, block) in blocks.iter().enumerate() {
            let next = || blocks.get(i + 1).map_or(next, |next| next[0] == b'\n');
            // SAFETY: the caller promises the features.
            let (masks, odd) = unsafe {
                V::prefetch(block);
                classify::<V, S, ALL>(V::load(block), &mut self.rare, next)
            };
            self.masks.set::<S, ALL>(first + i, masks);
            if let Some(odd) = odd {
                self.odd.set(first + i, odd);
                self.has_odd = true;
            }
        }
    }

    /// The passes behind the first, over `count` blocks, which start at `base`: marks them, counts their lines, notes what few
    /// of these have, and writes out the positions that are asked for.
    ///
    /// Only of the last group may `count` be less than all: what is left behind for a further one is right only if it is a
    /// multiple of the words that are worked on at once.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `V`; what `COLLECT` names must have room for all bits of the masks, and two more.
    #[inline(always)]
    pub(super) unsafe fn finish<const COLLECT: u8>(
        &mut self,
        count: usize,
        base: u32,
        streams: &mut Streams,
    ) {
        assert!(count <= GROUP);
        for i in (0..count).step_by(<V::Words as Words>::COUNT) {
            // SAFETY: the caller promises the features.
            unsafe {
                let (masks, odd) = (self.masks.words(i), self.odd.words(i));
                let markers = mark::<V::Words, S, ALL>(masks, odd, &mut self.carries);
                self.markers.set::<_, COLLECT>(i, markers);
            }
        }
        let Group { masks, odd, markers, .. } = self;
        let newlines = &masks.newline[..count];
        // Most groups have nothing to note.
        if any(&markers.error[..count]) || streams.error_goes_on != 0 {
            for (i, lines) in lines_before(newlines, streams.lines) {
                if markers.error[i] | streams.error_goes_on != 0 {
                    let base = base + (i * BLOCK) as u32;
                    note_suspects(streams, markers.error[i], newlines[i], lines, base);
                }
            }
        }
        if ALL && (any(&markers.path_end[..count]) || any(&odd.hash[..count])) {
            for (i, lines) in lines_before(newlines, streams.lines) {
                let base = base + (i * BLOCK) as u32;
                note(&mut streams.path_ends, markers.path_end[i], newlines[i], lines, base);
                // A second "#" is an error: a line without one has one mark.
                note(&mut streams.fragments, odd.hash[i], newlines[i], lines, base);
            }
        }
        streams.lines += newlines.iter().map(|newline| newline.count_ones() as usize).sum::<usize>();
        // SAFETY: the caller promises the room.
        unsafe {
            if COLLECT != collect::NOTHING {
                write_positions(&mut streams.end, &markers.end[..count], base);
            }
            if ALL {
                write_positions(&mut streams.scheme_end, &markers.scheme_end[..count], base);
                write_positions(&mut streams.path, &markers.path[..count], base);
            }
        }
        if mem::take(&mut self.has_odd) {
            self.odd = Odd::none();
        }
    }
}

/// Whether any bit is set.
#[inline(always)]
fn any(words: &[u64]) -> bool {
    words.iter().fold(0, |all, word| all | word) != 0
}

/// Each block of a group, with the number of lines that ended before it.
#[inline(always)]
fn lines_before(newlines: &[u64], mut lines: usize) -> impl Iterator<Item = (usize, usize)> {
    newlines.iter().enumerate().map(move |(i, newline)| {
        let before = lines;
        lines += newline.count_ones() as usize;
        (i, before)
    })
}

impl Masks<[u64; GROUP]> {
    const fn none() -> Self {
        let none = [0; GROUP];
        Masks {
            newline: none,
            colon: none,
            slash: none,
            query: none,
            letter: none,
            scheme: none,
            dot: none,
            dash: none,
            plus: none,
        }
    }

    #[inline(always)]
    fn set<S: Shape, const ALL: bool>(&mut self, i: usize, masks: Masks<u64>) {
        self.newline[i] = masks.newline;
        self.colon[i] = masks.colon;
        self.slash[i] = masks.slash;
        self.letter[i] = masks.letter;
        self.scheme[i] = masks.scheme;
        if needs_terms::<S>(ALL) {
            self.query[i] = masks.query;
        }
        if needs_hosts::<S>(ALL) {
            self.dot[i] = masks.dot;
            self.dash[i] = masks.dash;
            self.plus[i] = masks.plus;
        }
    }

    /// The masks from `i` on.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `W`.
    #[inline(always)]
    unsafe fn words<W: Words>(&self, i: usize) -> Masks<W> {
        // SAFETY: the caller promises the features.
        unsafe {
            Masks {
                newline: W::load(&self.newline[i..]),
                colon: W::load(&self.colon[i..]),
                slash: W::load(&self.slash[i..]),
                query: W::load(&self.query[i..]),
                letter: W::load(&self.letter[i..]),
                scheme: W::load(&self.scheme[i..]),
                dot: W::load(&self.dot[i..]),
                dash: W::load(&self.dash[i..]),
                plus: W::load(&self.plus[i..]),
            }
        }
    }
}

impl Odd<[u64; GROUP]> {
    const fn none() -> Self {
        let none = [0; GROUP];
        Odd { crlf: none, hash: none, error: none }
    }

    #[inline(always)]
    fn set(&mut self, i: usize, odd: Odd<u64>) {
        self.crlf[i] = odd.crlf;
        self.hash[i] = odd.hash;
        self.error[i] = odd.error;
    }

    /// The masks from `i` on.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `W`.
    #[inline(always)]
    unsafe fn words<W: Words>(&self, i: usize) -> Odd<W> {
        // SAFETY: the caller promises the features.
        unsafe {
            Odd {
                crlf: W::load(&self.crlf[i..]),
                hash: W::load(&self.hash[i..]),
                error: W::load(&self.error[i..]),
            }
        }
    }
}

impl Markers<[u64; GROUP]> {
    const fn none() -> Self {
        let none = [0; GROUP];
        Markers { end: none, scheme_end: none, path: none, path_end: none, error: none }
    }

    /// Sets the markers from `i` on that are needed for what to collect.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `W`.
    #[inline(always)]
    unsafe fn set<W: Words, const COLLECT: u8>(&mut self, i: usize, markers: Markers<W>) {
        // SAFETY: the caller promises the features.
        unsafe {
            if COLLECT >= collect::ENDS {
                markers.end.store(&mut self.end[i..]);
            }
            if COLLECT >= collect::ALL {
                markers.scheme_end.store(&mut self.scheme_end[i..]);
                markers.path.store(&mut self.path[i..]);
                markers.path_end.store(&mut self.path_end[i..]);
            }
            markers.error.store(&mut self.error[i..]);
        }
    }
}
