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
//! ae         = run authority to "/" "?" "#" or the end          authority ends
//! path       = ae, or r, or r + 1                               somewhere in the path, a bit a line
//! query      = run path to "?" "#" or the end
//! fragment   = the first "#"
//! suspicious = a byte that is not allowed | a bad escape | a second "#" | a start that is no letter
//!            | a scheme that ends without ":" | a byte in the authority that no scheme has
//! ```
//!
//! Each of `scheme`, `path` and the ends has one bit a line in line order, so writing out its positions fills a column.
//! Most paths end with their line, so only those that do not are written out, and fragments likewise.
//!
//! A line with a suspicious bit may still be valid (userinfo, a port, brackets, characters beyond ASCII): it becomes a
//! suspect, and the scalar parser of its grammar judges it. A line without one is valid: the masks never have
//! the last word against a line, and never make an error.
//!
//! What is rare costs nothing while it is absent: `%`, `#` and CR are told by the same comparison
//! as bytes that are not allowed, and only a block that has one computes their masks.

use alloc::vec::Vec;

use super::classify::{ALLOWED, HEX, LETTER, SCHEME, STRUCTURE};
use super::vector::{BLOCK, Vector, Words};
use crate::grammar::Grammar;

/// Which lines have a scheme.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SchemeRule {
    Required,
    Optional,
    Forbidden,
}

/// How the lines of a grammar are built.
pub(crate) trait Shape {
    const SCHEME: SchemeRule;
    /// Whether `//` starts an authority.
    const AUTHORITY: bool = true;
    /// Whether a line may have a fragment.
    const FRAGMENT: bool = true;
    /// RFC 2396: what does not go on with `/` behind the scheme is opaque, and empty authorities are special.
    const OPAQUE: bool = false;
}

/// RFC 3986 `URI`, RFC 3987 `IRI`.
pub(crate) enum Uri {}
/// RFC 3986 `absolute-URI`.
pub(crate) enum AbsoluteUri {}
/// RFC 3986 `URI-reference`, RFC 3987 `IRI-reference`.
pub(crate) enum Reference {}
/// RFC 3986 `relative-ref`.
pub(crate) enum RelativeRef {}
/// RFC 2396 `URI-reference`, `java.net.URI`.
pub(crate) enum Rfc2396Reference {}
/// RFC 9112 `origin-form`.
pub(crate) enum OriginForm {}

impl Shape for Uri {
    const SCHEME: SchemeRule = SchemeRule::Required;
}
impl Shape for AbsoluteUri {
    const SCHEME: SchemeRule = SchemeRule::Required;
    const FRAGMENT: bool = false;
}
impl Shape for Reference {
    const SCHEME: SchemeRule = SchemeRule::Optional;
}
impl Shape for RelativeRef {
    const SCHEME: SchemeRule = SchemeRule::Forbidden;
}
impl Shape for Rfc2396Reference {
    const SCHEME: SchemeRule = SchemeRule::Optional;
    const OPAQUE: bool = true;
}
impl Shape for OriginForm {
    const SCHEME: SchemeRule = SchemeRule::Forbidden;
    const AUTHORITY: bool = false;
    const FRAGMENT: bool = false;
}

/// Which positions a scan writes out.
pub(crate) mod collect {
    /// None.
    pub(crate) const NOTHING: u8 = 0;
    /// The ends of the lines.
    pub(crate) const ENDS: u8 = 1;
    /// All streams and marks.
    pub(crate) const ALL: u8 = 2;
}

/// A byte of a line, where few lines have one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    /// Which line of the piece.
    pub(crate) line: u32,
    /// The byte, relative to the piece.
    pub(crate) at: u32,
}

/// What a scan of one piece finds. Positions are relative to the piece, one a line in line order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Streams {
    /// The number of lines.
    pub(crate) lines: usize,
    /// The LFs of the lines that the scalar parser must judge.
    pub(crate) suspects: Vec<Mark>,
    /// Whether a line ends with CR LF.
    pub(crate) crlf: bool,
    /// The line's end: its LF, or the CR before it.
    pub(crate) end: Vec<u32>,
    /// The first byte that no scheme has; with references the first of `:/?#` or the end.
    pub(crate) scheme_end: Vec<u32>,
    /// The end of the authority, or a byte in the path.
    pub(crate) path: Vec<u32>,
    /// Of the lines whose path does not end with them: the `?` or `#` behind it.
    pub(crate) path_ends: Vec<Mark>,
    /// Of the lines with a fragment: its `#`.
    pub(crate) fragments: Vec<Mark>,
    /// The line starts. The scan leaves them to those who need them: they follow from the ends.
    pub(crate) start: Vec<u32>,
}

impl Streams {
    /// Empties all, keeping their memory.
    fn clear(&mut self) {
        self.lines = 0;
        self.crlf = false;
        for marks in [&mut self.suspects, &mut self.path_ends, &mut self.fragments] {
            marks.clear();
        }
        for stream in self.streams() {
            stream.clear();
        }
    }

    fn streams(&mut self) -> [&mut Vec<u32>; 3] {
        [&mut self.end, &mut self.scheme_end, &mut self.path]
    }
}

/// The blocks of a group. A group goes through each pass before the next, over masks that stay in the L1 cache: so each
/// loop keeps in registers what it needs.
const GROUP: usize = 32;

/// Pass 1: what the bytes are.
#[derive(Default)]
struct Masks {
    newline: [u64; GROUP],
    /// Where records end: the LF, or the CR before it.
    end: [u64; GROUP],
    colon: [u64; GROUP],
    slash: [u64; GROUP],
    /// Empty unless the next pass needs them.
    query: [u64; GROUP],
    hash: [u64; GROUP],
    letter: [u64; GROUP],
    scheme: [u64; GROUP],
    error: [u64; GROUP],
}

/// Pass 2: where the components end, one bit a line, in line order; and more.
#[derive(Default)]
struct Markers {
    scheme_end: [u64; GROUP],
    path: [u64; GROUP],
    /// Where paths end that do not end with their record.
    path_end: [u64; GROUP],
    /// What is suspicious, in any line.
    error: [u64; GROUP],
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

/// Writes out the positions of the bits of `words` behind those that `stream` has. One or two a word are usual: these are
/// written without asking.
///
/// # Safety
///
/// `stream` must have room for a position a bit, and two more.
#[inline(always)]
unsafe fn write_positions(stream: &mut Vec<u32>, words: &[u64], base: u32) {
    let len = stream.len();
    // SAFETY: the caller promises the room; the length counts what was written.
    unsafe {
        let start = stream.as_mut_ptr();
        let mut next = start.add(len);
        for (i, &bits) in words.iter().enumerate() {
            let base = base + (i * BLOCK) as u32;
            let count = bits.count_ones() as usize;
            let mut rest = bits & bits.wrapping_sub(1);
            next.write(base.wrapping_add(bits.trailing_zeros()));
            next.add(1).write(base.wrapping_add(rest.trailing_zeros()));
            if count > 2 {
                let mut further = next.add(2);
                rest &= rest - 1;
                while rest != 0 {
                    further.write(base + rest.trailing_zeros());
                    further = further.add(1);
                    rest &= rest - 1;
                }
            }
            next = next.add(count);
        }
        stream.set_len(next.offset_from_unsigned(start));
    }
}

/// [`scan`], for a grammar and what to collect.
///
/// # Safety
///
/// As [`scan`].
#[inline(always)]
pub(crate) unsafe fn for_grammar<V: Vector>(
    grammar: Grammar,
    collect: u8,
    piece: &[u8],
    streams: &mut Streams,
) {
    // SAFETY: the caller promises what `scan` asks for.
    unsafe {
        match grammar {
            Grammar::Uri | Grammar::Iri => for_shape::<V, Uri>(collect, piece, streams),
            Grammar::AbsoluteUri => for_shape::<V, AbsoluteUri>(collect, piece, streams),
            Grammar::UriReference | Grammar::IriReference => {
                for_shape::<V, Reference>(collect, piece, streams)
            }
            Grammar::RelativeRef => for_shape::<V, RelativeRef>(collect, piece, streams),
            Grammar::Rfc2396 | Grammar::Java => for_shape::<V, Rfc2396Reference>(collect, piece, streams),
            Grammar::RequestTarget => for_shape::<V, OriginForm>(collect, piece, streams),
        }
    }
}

#[inline(always)]
unsafe fn for_shape<V: Vector, S: Shape>(collect: u8, piece: &[u8], streams: &mut Streams) {
    // SAFETY: the caller promises what `scan` asks for.
    unsafe {
        match collect {
            collect::NOTHING => scan::<V, S, { collect::NOTHING }>(piece, streams),
            collect::ENDS => scan::<V, S, { collect::ENDS }>(piece, streams),
            _ => scan::<V, S, { collect::ALL }>(piece, streams),
        }
    }
}

/// Scans whole lines: `piece` is empty or ends with LF.
///
/// # Safety
///
/// The machine must have the features of `V`, and the caller must enable them.
#[inline(always)]
pub(crate) unsafe fn scan<V: Vector, S: Shape, const COLLECT: u8>(piece: &[u8], streams: &mut Streams) {
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
    let mut scanner = Scanner::<V, S, COLLECT> {
        streams,
        masks: Masks::default(),
        markers: Markers::default(),
        // SAFETY: the caller promises the features.
        carries: unsafe { Carries::new() },
        rare: Rare::default(),
        error_goes_on: 0,
        of: core::marker::PhantomData,
    };
    let (blocks, tail) = piece.as_chunks::<BLOCK>();
    let (groups, rest) = blocks.as_chunks::<GROUP>();
    for (i, group) in groups.iter().enumerate() {
        let base = i * GROUP * BLOCK;
        let next = piece.get(base + GROUP * BLOCK) == Some(&b'\n');
        // SAFETY: the caller promises the features; the streams have room for the piece.
        unsafe {
            scanner.classify(group, 0, next);
            scanner.finish(GROUP, base as u32);
        }
    }
    // The last group is the only one that is not full: what its passes leave behind no longer matters.
    let base = groups.len() * GROUP * BLOCK;
    // SAFETY: as above.
    unsafe {
        scanner.classify(rest, 0, tail.first() == Some(&b'\n'));
        if !tail.is_empty() {
            // Zeros are no line: no LF follows them.
            let mut block = [0; BLOCK];
            block[..tail.len()].copy_from_slice(tail);
            scanner.classify(&[block], rest.len(), false);
        }
        scanner.finish(rest.len() + usize::from(!tail.is_empty()), base as u32);
    }
    let Scanner { streams, rare, .. } = scanner;
    streams.crlf = rare.any_crlf;
    // Behind the last LF a line starts that is none: it may have left markers in the last block.
    let lines = streams.lines;
    for stream in &mut streams.streams()[..wanted] {
        stream.truncate(lines);
    }
}

struct Scanner<'a, V: Vector, S, const COLLECT: u8> {
    streams: &'a mut Streams,
    masks: Masks,
    markers: Markers,
    carries: Carries<V::Words>,
    rare: Rare,
    /// Whether the line that goes on has an error.
    error_goes_on: u64,
    of: core::marker::PhantomData<(V, S)>,
}

impl<V: Vector, S: Shape, const COLLECT: u8> Scanner<'_, V, S, COLLECT> {
    const ALL: bool = COLLECT == collect::ALL;
    /// Whether a line may have no scheme.
    const REFERENCES: bool = !matches!(S::SCHEME, SchemeRule::Required);

    /// Passes 2 to 4, over the first `count` masks; their first block is at `base`.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `V`, and the streams room for all bits of the masks, and two more.
    #[inline(always)]
    unsafe fn finish(&mut self, count: usize, base: u32) {
        for i in (0..count).step_by(V::Words::COUNT) {
            // SAFETY: the caller promises the features.
            unsafe { self.mark(i) };
        }
        self.note(count, base);
        let Scanner { streams, masks, markers, .. } = self;
        if COLLECT != collect::NOTHING {
            // SAFETY: the caller promises the room.
            unsafe { write_positions(&mut streams.end, &masks.end[..count], base) };
        }
        if Self::ALL {
            // SAFETY: as above.
            unsafe {
                write_positions(&mut streams.scheme_end, &markers.scheme_end[..count], base);
                write_positions(&mut streams.path, &markers.path[..count], base);
            }
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
                if Self::ALL || Self::REFERENCES {
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

    /// Pass 2: masks to markers, of as many blocks as there are in [`Words`], from `i` on.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `V`.
    #[inline(always)]
    unsafe fn mark(&mut self, i: usize) {
        let Scanner { masks, markers, carries, .. } = self;
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
            if Self::ALL || Self::REFERENCES {
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
            if Self::ALL {
                scheme_end.store(&mut markers.scheme_end[i..]);
                path.store(&mut markers.path[i..]);
                (path.run(!term, &mut carries.path) & !end).store(&mut markers.path_end[i..]);
            }
            error.store(&mut markers.error[i..]);
        }
    }

    /// Pass 3: counts the lines, and notes what few of them have.
    #[inline(always)]
    fn note(&mut self, count: usize, base: u32) {
        let Scanner { streams, masks, markers, .. } = self;
        let mut lines = streams.lines;
        for i in 0..count {
            let newline = masks.newline[i];
            let error = markers.error[i];
            if Self::ALL && markers.path_end[i] | masks.hash[i] != 0 {
                let base = base + (i * BLOCK) as u32;
                note(&mut streams.path_ends, markers.path_end[i], newline, lines, base);
                // A second "#" is an error: a line without one has one mark.
                note(&mut streams.fragments, masks.hash[i], newline, lines, base);
            }
            if error | self.error_goes_on != 0 {
                let base = base + (i * BLOCK) as u32;
                self.error_goes_on =
                    note_suspects(&mut streams.suspects, error, newline, self.error_goes_on, lines, base);
            }
            lines += newline.count_ones() as usize;
        }
        streams.lines = lines;
    }
}

/// The masks of a block that has an odd byte, or stands behind one that matters.
struct RareMasks {
    odd: u64,
    newline: u64,
    cr: u64,
    percent: u64,
    hex: u64,
    hash: u64,
    next_is_newline: bool,
}

/// CR, escapes and `#`: what goes from block to block of them.
#[derive(Default)]
struct Rare {
    /// In the block before: the CRs of CR LF, `%`, hexadecimal digits behind `%`, and `#`.
    crlf: u64,
    escape: u64,
    escape_digit: u64,
    hash: u64,
    /// Whether a fragment goes on.
    fragment: u64,
    /// Whether any line ended with CR LF.
    any_crlf: bool,
}

impl Rare {
    /// Whether the next block must be looked at even if it has no odd byte.
    fn is_pending(&self) -> bool {
        (self.crlf | self.escape | self.escape_digit | self.hash) >> 63 | self.fragment != 0
    }

    /// One block: where records end in it, and its suspicious bytes.
    ///
    /// `fragment` tells whether a line may have one `#`.
    #[cold]
    #[inline(never)]
    fn block(&mut self, masks: RareMasks, fragment: bool) -> (u64, u64) {
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
        (end, error | odd & !explained)
    }
}

/// Notes the lines that end in a block and have an error; `lines` ended before. Returns whether the line that goes on has
/// one.
#[cold]
#[inline(never)]
fn note_suspects(
    suspects: &mut Vec<Mark>,
    error: u64,
    newline: u64,
    mut carry: u64,
    lines: usize,
    base: u32,
) -> u64 {
    // Each line's errors are moved to its LF.
    // SAFETY: a `u64` asks for nothing.
    let within = unsafe { (error & !newline).run(!newline, &mut carry) };
    note(suspects, (within | error) & newline, newline, lines, base);
    carry
}

/// Notes the bytes of a block and the lines that they are in; `lines` ended before the block.
#[inline(always)]
fn note(marks: &mut Vec<Mark>, mut bits: u64, newline: u64, lines: usize, base: u32) {
    while bits != 0 {
        let at = bits.trailing_zeros();
        let ended = (newline & ((1 << at) - 1)).count_ones();
        marks.push(Mark { line: lines as u32 + ended, at: base + at });
        bits &= bits - 1;
    }
}
