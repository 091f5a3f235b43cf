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
use super::vector::{BLOCK, Vector};
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

/// Pass 2: where the components end. One bit a line, in line order.
#[derive(Default)]
struct Markers {
    scheme_end: [u64; GROUP],
    path: [u64; GROUP],
}

/// What pass 2 takes from block to block: a cursor at the next block's first byte, or a marker that moves there.
#[derive(Default)]
struct Carries {
    start: u64,
    first_delimiter: u64,
    scheme: u64,
    behind_scheme: u64,
    first_slash: u64,
    second_slash: u64,
    authority: u64,
    inside_authority: u64,
    path: u64,
    /// An error in a line that has not ended.
    error: u64,
}

/// Moves each cursor to the first byte that is not in `through`.
///
/// The carry is a cursor too: no other one stands at the first byte then, as a line must end between two.
#[inline(always)]
fn run(cursors: u64, through: u64, carry: &mut u64) -> u64 {
    let (sum, over) = through.overflowing_add(cursors | *carry);
    *carry = opaque(u64::from(over));
    sum & !through
}

/// The same value, of which the compiler knows nothing.
///
/// It would pair the additions of several runs in vector registers, carries and all, and take them in and out again block
/// by block: that costs a third of the speed.
#[inline(always)]
fn opaque(value: u64) -> u64 {
    let mut value = value;
    // SAFETY: the empty assembly leaves the register as it is.
    unsafe {
        core::arch::asm!("/* {0} */", inout(reg) value, options(pure, nomem, nostack, preserves_flags))
    };
    value
}

/// Moves each marker one byte on.
#[inline(always)]
fn advance(markers: u64, carry: &mut u64) -> u64 {
    let moved = markers << 1 | *carry;
    *carry = markers >> 63;
    moved
}

/// The bytes from each `start` up to its `end`, without it. The carry is a start, as in [`run`].
#[inline(always)]
fn between(start: u64, end: u64, carry: &mut u64) -> u64 {
    let (difference, under) = end.overflowing_sub(start | *carry);
    *carry = u64::from(under);
    difference
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
    // A piece has at most as many lines as bytes, and one that is none behind them; writing goes two positions further.
    for stream in &mut streams.streams()[..wanted] {
        stream.reserve(piece.len() + 3);
    }
    let mut scanner = Scanner::<V, S, COLLECT> {
        streams,
        masks: Masks::default(),
        markers: Markers::default(),
        carries: Carries { start: 1, ..Carries::default() },
        rare: Rare::default(),
        of: core::marker::PhantomData,
    };
    let (blocks, tail) = piece.as_chunks::<BLOCK>();
    let mut base = 0;
    let mut groups = blocks.chunks(GROUP).peekable();
    while let Some(group) = groups.next() {
        let next = groups.peek().map_or(tail.first(), |next| next[0].first());
        // SAFETY: the caller promises the features; the streams have room for the piece.
        unsafe { scanner.group(group, next == Some(&b'\n'), base) };
        base += (group.len() * BLOCK) as u32;
    }
    if !tail.is_empty() {
        // Zeros are no line: no LF follows them.
        let mut block = [0; BLOCK];
        block[..tail.len()].copy_from_slice(tail);
        // SAFETY: as above.
        unsafe { scanner.group(&[block], false, base) };
    }
    let Scanner { streams, rare, .. } = scanner;
    streams.crlf = rare.any_crlf;
    // Behind the last LF a line starts that is none: it may have left markers in the last block.
    let lines = streams.lines;
    for stream in &mut streams.streams()[..wanted] {
        stream.truncate(lines);
    }
}

struct Scanner<'a, V, S, const COLLECT: u8> {
    streams: &'a mut Streams,
    masks: Masks,
    markers: Markers,
    carries: Carries,
    rare: Rare,
    of: core::marker::PhantomData<(V, S)>,
}

impl<V: Vector, S: Shape, const COLLECT: u8> Scanner<'_, V, S, COLLECT> {
    const ALL: bool = COLLECT == collect::ALL;
    /// Whether a line may have no scheme.
    const REFERENCES: bool = !matches!(S::SCHEME, SchemeRule::Required);

    /// Up to [`GROUP`] blocks, the first of which is at `base`. `next` tells whether an LF follows them.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `V`, and the streams room for the lines of the group.
    #[inline(always)]
    unsafe fn group(&mut self, blocks: &[[u8; BLOCK]], next: bool, base: u32) {
        let count = blocks.len();
        assert!(count <= GROUP);
        // SAFETY: the caller promises the features.
        unsafe { self.classify(blocks, next) };
        self.mark(count, base);
        let Scanner { streams, masks, markers, .. } = self;
        if COLLECT != collect::NOTHING {
            // SAFETY: the caller promises the room; each mask has at most one bit a line.
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

    /// Pass 1: bytes to masks.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `V`.
    #[inline(always)]
    unsafe fn classify(&mut self, blocks: &[[u8; BLOCK]], next: bool) {
        let masks = &mut self.masks;
        let mut rare_is_pending = self.rare.is_pending();
        for (i, block) in blocks.iter().enumerate() {
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
                        next_is_newline: blocks.get(i + 1).map_or(next, |next| next[0] == b'\n'),
                    };
                    masks.hash[i] = rare.hash;
                    (masks.end[i], masks.error[i]) = self.rare.block(rare, S::FRAGMENT);
                    rare_is_pending = self.rare.is_pending();
                }
            }
        }
    }

    /// Pass 2: masks to markers, and the lines that this scan does not vouch for.
    #[inline(always)]
    fn mark(&mut self, count: usize, base: u32) {
        let Scanner { streams, masks, markers, .. } = self;
        // In registers for the loop.
        let mut carries = core::mem::take(&mut self.carries);
        let mut lines = streams.lines;
        for i in 0..count {
            let newline = masks.newline[i];
            let end = masks.end[i];
            let colon = masks.colon[i];
            let slash = masks.slash[i];
            let letter = masks.letter[i];
            let scheme = masks.scheme[i];
            let mut error = masks.error[i];
            let (query, hash) =
                if Self::ALL || Self::REFERENCES { (masks.query[i], masks.hash[i]) } else { (0, 0) };

            let start = advance(newline, &mut carries.start);
            let term = query | hash | end;
            let delimiter = colon | slash | term;

            // The scheme: where it ends, and its colon where it has one.
            let (scheme_end, with_scheme) = match S::SCHEME {
                SchemeRule::Required => {
                    let end = run(start & letter, scheme, &mut carries.scheme);
                    error |= (start & !letter) | (end & !colon);
                    (end | (start & !letter), end & colon)
                }
                SchemeRule::Optional => {
                    let end = run(start & letter, scheme, &mut carries.scheme);
                    let first = run(start, !delimiter, &mut carries.first_delimiter);
                    error |= first & colon & !end;
                    (first, first & colon & end)
                }
                SchemeRule::Forbidden if S::AUTHORITY => {
                    let first = run(start, !delimiter, &mut carries.first_delimiter);
                    error |= first & colon;
                    (first, 0)
                }
                SchemeRule::Forbidden => {
                    error |= start & !slash;
                    (start, 0)
                }
            };

            let mut path = start;
            if S::AUTHORITY {
                let behind = advance(with_scheme, &mut carries.behind_scheme);
                if S::OPAQUE {
                    error |= behind & !slash;
                }
                let leading_slash = if Self::REFERENCES { start & slash } else { 0 };
                let hierarchy = behind | leading_slash;
                let after_slash = advance(hierarchy & slash, &mut carries.first_slash);
                let authority = advance(after_slash & slash, &mut carries.second_slash);
                let stop = slash | term;
                let authority_end = run(authority, !stop, &mut carries.authority);
                // Userinfo, ports, brackets and escapes all have a byte that no scheme has.
                error |= between(authority, authority_end, &mut carries.inside_authority) & !scheme;
                if S::OPAQUE {
                    error |= authority & stop;
                }
                // A cursor a line: also in the lines that went wrong here, to keep the streams in step.
                path = authority_end
                    | (behind & !slash)
                    | (after_slash & !slash)
                    | (scheme_end & !with_scheme & !leading_slash);
            }
            if Self::ALL {
                markers.scheme_end[i] = scheme_end;
                markers.path[i] = path;
                let path_end = run(path, !term, &mut carries.path) & !end;
                if path_end != 0 {
                    note(&mut streams.path_ends, path_end, newline, lines, base + (i * BLOCK) as u32);
                }
                if hash != 0 {
                    // A second "#" is an error: a line without one has one mark.
                    note(&mut streams.fragments, hash, newline, lines, base + (i * BLOCK) as u32);
                }
            }
            if error | carries.error != 0 {
                let base = base + (i * BLOCK) as u32;
                carries.error =
                    note_suspects(&mut streams.suspects, error, newline, carries.error, lines, base);
            }
            lines += newline.count_ones() as usize;
        }
        streams.lines = lines;
        self.carries = carries;
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
    /// The byte before was the CR of a CR LF.
    crlf: u64,
    /// The byte before was a `%`; a `%` and a hexadecimal digit.
    escape: u64,
    escape_digit: u64,
    behind_hash: u64,
    fragment: u64,
    /// Whether any line ended with CR LF.
    any_crlf: bool,
}

impl Rare {
    /// Whether the next block must be looked at even if it has no odd byte.
    fn is_pending(&self) -> bool {
        self.crlf | self.escape | self.escape_digit | self.behind_hash | self.fragment != 0
    }

    /// One block: where records end in it, and its suspicious bytes.
    ///
    /// `fragment` tells whether a line may have one `#`.
    #[cold]
    #[inline(never)]
    fn block(&mut self, masks: RareMasks, fragment: bool) -> (u64, u64) {
        let RareMasks { odd, newline, cr, percent, hex, hash, next_is_newline } = masks;
        let crlf = cr & (newline >> 1 | u64::from(next_is_newline) << 63);
        let end = (newline & !advance(crlf, &mut self.crlf)) | crlf;
        self.any_crlf |= crlf != 0;

        // pct-encoded = "%" HEXDIG HEXDIG
        let first = advance(percent, &mut self.escape);
        let second = advance(first & hex, &mut self.escape_digit);
        let mut error = (first | second) & !hex;

        let mut explained = percent | crlf;
        if fragment {
            let behind = advance(hash, &mut self.behind_hash);
            error |= run(behind, !(hash | end), &mut self.fragment) & hash;
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
    let within = run(error & !newline, !newline, &mut carry);
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
