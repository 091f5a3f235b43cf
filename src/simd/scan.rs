//! The scan: lines to verdicts and columns, 64 bytes at a time, all lines of a block at once.
//!
//! A mask is a `u64` with a bit for each byte of a block. Component borders are found by carry arithmetic, as in
//! bit-parallel (Parabix) text processing: with *cursors* (at most one bit a run) and a class to run *through*,
//! `(cursors + through) & !through` moves every cursor to the first byte that is not in the class, and the carry takes a
//! cursor over the block's end. For `uri`:
//!
//! ```text
//! start      = behind each NL                                   line starts
//! scheme     = run start through SCHEME                         must be ":"
//! r          = behind that ":"
//! authority  = behind "//" at r
//! ae         = run authority through SCHEME                     must be "/" "?" "#" or the end
//! path       = ae, or r, or r + 1                               somewhere in the path, a bit a line
//! query      = run path to "?" "#" or the end
//! fragment   = the first "#"
//! suspicious = a byte that is not allowed | a bad escape | a second "#" | a start that is no letter
//!            | a scheme that ends without ":" | an authority that ends otherwise
//! ```
//!
//! Each of `scheme`, `path` and the ends has one bit a line in line order, so writing out its positions fills a column.
//! Most paths end with their line, so only those that do not are written out, and fragments likewise.
//!
//! A line with a suspicious bit may still be valid (userinfo, a port, brackets, characters beyond ASCII): it becomes a
//! suspect, and the scalar parser of its grammar judges it. A line without one is valid: the masks never have
//! the last word against a line, and never make an error. Where columns tell hosts, RFC 2396 makes suspects of those
//! that are no plain hostname, too: an authority need not be one.
//!
//! What is rare costs nothing while it is absent: `%`, `#` and CR are told by the same comparison
//! as bytes that are not allowed, and only a block that has one computes and stores their masks; only a group of blocks
//! that has an error, a query or a fragment is gone through for them.
//!
//! What was tried and is slower, on a Zen processor:
//!
//! - all passes in one loop over blocks: it keeps too much in registers;
//! - the stretch between `//` and the next `/` by a subtraction, to look for bad bytes in it: to run through good ones is one
//!   run less;
//! - to look for a scheme's colon in a line's first eight bytes instead of writing out its position: 5%;
//! - to write out three positions a block without asking: 5%; eight by VPCOMPRESSB: 20%;
//! - to store masks that are mostly empty with the others, and to count lines and look for errors block by block: 10 to 30%.

use core::mem;

use super::mark::{Carries, Markers, mark};
use super::masks::{Masks, classify, needs_hosts, needs_terms};
use super::rare::{Odd, Rare};
use super::shape::{AbsoluteUri, OriginForm, Reference, RelativeRef, Rfc2396Reference, Shape, Uri};
use super::streams::{Streams, collect, note, note_suspects, write_positions};
use super::vector::{BLOCK, Vector, Words};
use crate::grammar::Grammar;

/// The blocks of a group: few enough for their masks to stay in the L1 cache, many enough to keep the loops going.
const GROUP: usize = 32;

/// Evaluates an expression in which a name stands for the shape of a grammar's lines.
macro_rules! with_shape {
    ($grammar:expr, $shape:ident => $value:expr) => {
        match $grammar {
            Grammar::Uri | Grammar::Iri => {
                type $shape = Uri;
                $value
            }
            Grammar::AbsoluteUri => {
                type $shape = AbsoluteUri;
                $value
            }
            Grammar::UriReference | Grammar::IriReference => {
                type $shape = Reference;
                $value
            }
            Grammar::RelativeRef => {
                type $shape = RelativeRef;
                $value
            }
            Grammar::Rfc2396 | Grammar::Java => {
                type $shape = Rfc2396Reference;
                $value
            }
            Grammar::RequestTarget => {
                type $shape = OriginForm;
                $value
            }
        }
    };
}

/// [`scan`], for a grammar and what to collect.
///
/// # Safety
///
/// As [`scan`].
#[inline(always)]
pub(super) unsafe fn for_grammar<V: Vector>(
    grammar: Grammar,
    collect: u8,
    piece: &[u8],
    streams: &mut Streams,
) {
    // SAFETY: the caller promises what `scan` asks for.
    unsafe {
        match collect {
            collect::NOTHING => {
                with_shape!(grammar, S => scan::<V, S, { collect::NOTHING }, false>(piece, streams))
            }
            collect::ENDS => {
                with_shape!(grammar, S => scan::<V, S, { collect::ENDS }, false>(piece, streams))
            }
            _ => with_shape!(grammar, S => scan::<V, S, { collect::ALL }, true>(piece, streams)),
        }
    }
}

/// [`is_plain`], for a grammar.
///
/// # Safety
///
/// As [`is_plain`].
#[inline(always)]
pub(super) unsafe fn is_plain_for_grammar<V: Vector>(grammar: Grammar, record: &[u8]) -> bool {
    // SAFETY: the caller promises what `is_plain` asks for.
    unsafe { with_shape!(grammar, S => is_plain::<V, S>(record)) }
}

/// Whether a single record is valid and no suspect, in which case no parser has to look at it.
///
/// # Safety
///
/// The machine must have the features of `V`, and the caller must enable them.
#[inline(always)]
unsafe fn is_plain<V: Vector, S: Shape>(record: &[u8]) -> bool {
    // The scan takes lines: this becomes one, unless its last byte would look like the CR of its end.
    if record.last() == Some(&b'\r') {
        return false;
    }
    // SAFETY: the caller promises the features, and a `u64` asks for none.
    unsafe {
        let mut rare = Rare::default();
        let mut carries = Carries::<u64>::new();
        let Some((first, rest)) = record.split_first_chunk::<BLOCK>() else {
            let (masks, odd) = classify::<V, S, false>(V::load_last(record), &mut rare, || false);
            let error = mark::<u64, S, false>(masks, odd.unwrap_or(Odd::NONE), &mut carries).error;
            return is_plain_end(record.len(), error, masks.newline);
        };
        let (masks, odd) = classify::<V, S, false>(V::load(first), &mut rare, || false);
        let error = mark::<u64, S, false>(masks, odd.unwrap_or(Odd::NONE), &mut carries).error;
        if error | masks.newline != 0 || !carries.are_idle() {
            return false;
        }
        // Behind the authority bytes must be allowed: that is all.
        let (blocks, tail) = rest.as_chunks::<BLOCK>();
        let mut bad = 0;
        for block in blocks {
            let (masks, odd) = classify::<V, S, false>(V::load(block), &mut rare, || false);
            bad |= masks.newline | odd.map_or(0, |odd| odd.error);
        }
        let (masks, odd) = classify::<V, S, false>(V::load_last(tail), &mut rare, || false);
        bad == 0 && is_plain_end(tail.len(), odd.map_or(0, |odd| odd.error), masks.newline)
    }
}

/// Whether the last block of a record, of so many bytes, has no error, and no LF but those behind them.
#[inline(always)]
fn is_plain_end(len: usize, error: u64, newline: u64) -> bool {
    let end = 1 << len;
    error & (end | (end - 1)) | newline & (end - 1) == 0
}

/// Scans whole lines: `piece` is empty or ends with LF.
///
/// # Safety
///
/// The machine must have the features of `V`, and the caller must enable them.
#[inline(always)]
unsafe fn scan<V: Vector, S: Shape, const COLLECT: u8, const ALL: bool>(piece: &[u8], streams: &mut Streams) {
    assert!(matches!(piece.last(), None | Some(b'\n')) && u32::try_from(piece.len()).is_ok());
    streams.clear();
    let wanted = match COLLECT {
        collect::NOTHING => 0,
        collect::ENDS => 1,
        _ => 3,
    };
    // Room for every bit of every mask, whatever they are (the bytes may be those of a file that changes), and for the two
    // positions that writing goes further.
    for stream in &mut streams.streams()[..wanted] {
        stream.reserve(piece.len() + BLOCK + 2);
    }
    // SAFETY: the caller promises the features.
    let mut group = unsafe { Group::<V, S, ALL>::new() };
    let (blocks, tail) = piece.as_chunks::<BLOCK>();
    let (groups, rest) = blocks.as_chunks::<GROUP>();
    for (i, blocks) in groups.iter().enumerate() {
        let base = i * GROUP * BLOCK;
        let next = piece.get(base + GROUP * BLOCK) == Some(&b'\n');
        // SAFETY: the caller promises the features; there is room in the streams for what `COLLECT` names.
        unsafe {
            group.classify(blocks, 0, next);
            group.finish::<COLLECT>(GROUP, base as u32, streams);
        }
    }
    let base = groups.len() * GROUP * BLOCK;
    // SAFETY: as above.
    unsafe {
        group.classify(rest, 0, tail.first() == Some(&b'\n'));
        if !tail.is_empty() {
            // Zeros are no line: no LF follows them.
            let mut block = [0; BLOCK];
            block[..tail.len()].copy_from_slice(tail);
            group.classify(&[block], rest.len(), false);
        }
        let count = rest.len() + usize::from(!tail.is_empty());
        group.finish::<COLLECT>(count, base as u32, streams);
    }
    streams.crlf = group.rare.any_crlf;
    // Behind the last LF a line starts that is none: it may have left markers in the last block.
    let lines = streams.lines;
    for stream in &mut streams.streams()[..wanted] {
        stream.truncate(lines);
    }
}

/// Up to [`GROUP`] blocks that follow each other, and what they take from the group before.
///
/// A group goes through each pass before the next, over masks that stay in the L1 cache: so each loop keeps in registers
/// what it needs.
struct Group<V: Vector, S, const ALL: bool> {
    masks: Masks<[u64; GROUP]>,
    odd: Odd<[u64; GROUP]>,
    /// Whether `odd` has any.
    has_odd: bool,
    markers: Markers<[u64; GROUP]>,
    rare: Rare,
    carries: Carries<V::Words>,
    of: core::marker::PhantomData<(V, S)>,
}

impl<V: Vector, S: Shape, const ALL: bool> Group<V, S, ALL> {
    /// # Safety
    ///
    /// The machine must have the features of `V`.
    #[inline(always)]
    unsafe fn new() -> Self {
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
    unsafe fn classify(&mut self, blocks: &[[u8; BLOCK]], first: usize, next: bool) {
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
    unsafe fn finish<const COLLECT: u8>(&mut self, count: usize, base: u32, streams: &mut Streams) {
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
