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
//! fragment   = run query to "#" or the end
//! suspicious = a byte that is not allowed | a bad escape | a second "#" | a start that is no letter
//!            | a scheme that ends without ":" | a byte in the authority that no scheme has
//! ```
//!
//! Each of `scheme`, `path`, `query`, `fragment` and the ends has one bit a line in line order, so writing out its
//! positions fills a column.
//!
//! A line with a suspicious bit may still be valid (userinfo, a port, brackets, characters beyond ASCII): it becomes a
//! [`Suspect`], and the scalar parser of its grammar judges it. A line without one is valid: the masks never have
//! the last word against a line, and never make an error.
//!
//! What is rare costs nothing while it is absent: `%`, CR, and without columns `#`, are told by the same comparison
//! as bytes that are not allowed, and only a block that has one computes their masks.

use alloc::vec::Vec;

use super::classify::{ALLOWED, HEX, LETTER, SCHEME, STRUCTURE, STRUCTURE_AND_HASH};
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
    /// All five streams.
    pub(crate) const ALL: u8 = 2;
}

/// A line that the scalar parser must judge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Suspect {
    /// Which line of the piece.
    pub(crate) index: u32,
    /// Its LF, relative to the piece.
    pub(crate) newline: u32,
}

/// What a scan of one piece finds. Positions are relative to the piece, one a line in line order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Streams {
    /// The number of lines.
    pub(crate) lines: usize,
    pub(crate) suspects: Vec<Suspect>,
    /// Whether a line ends with CR LF.
    pub(crate) crlf: bool,
    /// The line's end: its LF, or the CR before it.
    pub(crate) end: Vec<u32>,
    /// The first byte that no scheme has; with references the first of `:/?#` or the end.
    pub(crate) scheme_end: Vec<u32>,
    /// The end of the authority, or a byte in the path.
    pub(crate) path: Vec<u32>,
    /// The `?`, `#` or end behind the path.
    pub(crate) path_end: Vec<u32>,
    /// The `#` or end behind the query.
    pub(crate) query_end: Vec<u32>,
    /// The line starts. The scan leaves them to those who need them: they follow from the ends.
    pub(crate) start: Vec<u32>,
}

impl Streams {
    /// Empties all, keeping their memory.
    fn clear(&mut self) {
        self.lines = 0;
        self.suspects.clear();
        self.crlf = false;
        for stream in self.streams() {
            stream.clear();
        }
    }

    fn streams(&mut self) -> [&mut Vec<u32>; 5] {
        [&mut self.end, &mut self.scheme_end, &mut self.path, &mut self.path_end, &mut self.query_end]
    }
}

/// What goes from block to block: a cursor at the next block's first byte, or a marker that moves there.
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
    query: u64,
    /// An error in a line that has not ended.
    error: u64,
    rare: RareCarries,
}

#[derive(Default)]
struct RareCarries {
    /// The byte before was the CR of a CR LF.
    crlf: u64,
    /// The byte before was a `%`; a `%` and a hexadecimal digit.
    escape: u64,
    escape_digit: u64,
    behind_hash: u64,
    fragment: u64,
}

impl RareCarries {
    fn any(&self) -> u64 {
        self.crlf | self.escape | self.escape_digit | self.behind_hash | self.fragment
    }
}

/// Moves each cursor to the first byte that is not in `through`.
#[inline(always)]
fn run(cursors: u64, through: u64, carry: &mut u64) -> u64 {
    let (sum, over) = through.overflowing_add(cursors);
    let (sum, over_again) = sum.overflowing_add(*carry);
    *carry = u64::from(over | over_again);
    sum & !through
}

/// Moves each marker one byte on.
#[inline(always)]
fn advance(markers: u64, carry: &mut u64) -> u64 {
    let moved = markers << 1 | *carry;
    *carry = markers >> 63;
    moved
}

/// The bytes from each `start` up to its `end`, without it.
#[inline(always)]
fn between(start: u64, end: u64, borrow: &mut u64) -> u64 {
    let (difference, under) = end.overflowing_sub(start);
    let (difference, under_again) = difference.overflowing_sub(*borrow);
    *borrow = u64::from(under | under_again);
    difference
}

/// The write end of a stream.
struct Writer {
    next: *mut u32,
}

impl Writer {
    /// # Safety
    ///
    /// `stream` must not be used while the writer is, and must have room for the positions of the piece and two more.
    unsafe fn new(stream: &mut Vec<u32>) -> Self {
        Writer { next: stream.as_mut_ptr() }
    }

    /// Writes out the positions of the bits. One or two are usual: these are written without asking.
    ///
    /// # Safety
    ///
    /// There must be room for one position a bit, and two more.
    #[inline(always)]
    unsafe fn write(&mut self, bits: u64, base: u32) {
        let count = bits.count_ones() as usize;
        // SAFETY: the caller promises the room.
        unsafe {
            let rest = bits & bits.wrapping_sub(1);
            self.next.write(base + bits.trailing_zeros());
            self.next.add(1).write(base + rest.trailing_zeros());
            if count > 2 {
                let mut rest = rest & (rest - 1);
                let mut next = self.next.add(2);
                while rest != 0 {
                    next.write(base + rest.trailing_zeros());
                    next = next.add(1);
                    rest &= rest - 1;
                }
            }
            self.next = self.next.add(count);
        }
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
        _ => 5,
    };
    // A piece has at most as many lines as bytes; a writer goes two positions further.
    for stream in &mut streams.streams()[..wanted] {
        stream.reserve(piece.len() + 2);
    }
    // SAFETY: the room was just made, and until the lengths are set only the writers touch the streams.
    let writers = unsafe {
        let [end, scheme_end, path, path_end, query_end] = streams.streams();
        [
            Writer::new(end),
            Writer::new(scheme_end),
            Writer::new(path),
            Writer::new(path_end),
            Writer::new(query_end),
        ]
    };
    let mut scanner = Scanner::<V, S, COLLECT> {
        carries: Carries { start: 1, ..Carries::default() },
        lines: 0,
        crlf: 0,
        writers,
        suspects: &mut streams.suspects,
        of: core::marker::PhantomData,
    };

    let (blocks, tail) = piece.as_chunks::<BLOCK>();
    let mut base = 0;
    for (i, block) in blocks.iter().enumerate() {
        let next = || piece.get((i + 1) * BLOCK) == Some(&b'\n');
        // SAFETY: the caller promises the features.
        unsafe { scanner.block(block, next, base) };
        base += BLOCK as u32;
    }
    if !tail.is_empty() {
        // Zeros are no line: no LF follows them.
        let mut block = [0; BLOCK];
        block[..tail.len()].copy_from_slice(tail);
        // SAFETY: as above.
        unsafe { scanner.block(&block, || false, base) };
    }

    let (lines, crlf) = (scanner.lines, scanner.crlf != 0);
    streams.lines = lines;
    streams.crlf = crlf;
    for stream in &mut streams.streams()[..wanted] {
        // SAFETY: each stream has one bit a line, so so many positions were written, and there was room for them.
        unsafe { stream.set_len(lines) };
    }
}

struct Scanner<'a, V, S, const COLLECT: u8> {
    carries: Carries,
    lines: usize,
    crlf: u64,
    writers: [Writer; 5],
    suspects: &'a mut Vec<Suspect>,
    of: core::marker::PhantomData<(V, S)>,
}

impl<V: Vector, S: Shape, const COLLECT: u8> Scanner<'_, V, S, COLLECT> {
    /// One block, whose first byte is at `base`. `next` tells whether an LF follows it.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `V`, and the writers room for the block's lines.
    #[inline(always)]
    unsafe fn block(&mut self, block: &[u8; BLOCK], next: impl Fn() -> bool, base: u32) {
        let all = COLLECT == collect::ALL;
        let references = S::SCHEME == SchemeRule::Optional || S::SCHEME == SchemeRule::Forbidden;
        // SAFETY: the caller promises the features.
        let (input, newline, colon, slash, letter, scheme, allowed) = unsafe {
            let input = V::load(block);
            let class = input.classify(if all { &STRUCTURE_AND_HASH } else { &STRUCTURE });
            (
                input,
                input.eq(b'\n'),
                input.eq(b':'),
                input.eq(b'/'),
                class.at_least::<LETTER>(),
                class.at_least::<SCHEME>(),
                class.at_least::<ALLOWED>(),
            )
        };
        // Only what delimits something that is asked for is looked for.
        // SAFETY: as above.
        let (query, hash) = unsafe {
            (
                if all || references { input.eq(b'?') } else { 0 },
                if all || references { input.eq(b'#') } else { 0 },
            )
        };
        let carries = &mut self.carries;
        let mut error = 0;
        // Where the record ends: the LF, or the CR before it.
        let mut end = newline;
        let odd = !(allowed | newline);
        if odd | carries.rare.any() != 0 {
            // SAFETY: as above.
            unsafe { rare::<V, S>(input, odd, newline, next, all, &mut carries.rare, &mut end, &mut error) };
            self.crlf |= end ^ newline;
        }

        let start = advance(newline, &mut carries.start);
        let delimiter = colon | slash | query | hash | end;
        let term = query | hash | end;

        // The scheme: where it ends, and the cursor behind its colon.
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
            let hierarchy = behind | if references { start & slash } else { 0 };
            let after_slash = advance(hierarchy & slash, &mut carries.first_slash);
            let authority = advance(after_slash & slash, &mut carries.second_slash);
            let stop = slash | term;
            let authority_end = run(authority, !stop, &mut carries.authority);
            // Userinfo, ports, brackets and escapes all have a byte that no scheme has.
            error |= between(authority, authority_end, &mut carries.inside_authority) & !scheme;
            if S::OPAQUE {
                error |= authority & stop;
            }
            // A cursor a line: also in the lines that go wrong here, to keep the streams in step.
            path = authority_end
                | (behind & !slash)
                | (after_slash & !slash)
                | (scheme_end & !with_scheme & if references { !(start & slash) } else { !0 });
        }
        if all {
            let path_end = run(path, !term, &mut carries.path);
            let fragment_or_end = hash | end;
            let query_end = run(path_end, !fragment_or_end, &mut carries.query);
            error |= if S::FRAGMENT { hash & !query_end } else { hash };
            // SAFETY: the caller promises the room: each has at most one bit a line.
            unsafe {
                let [ends, scheme_ends, paths, path_ends, query_ends] = &mut self.writers;
                ends.write(end, base);
                scheme_ends.write(scheme_end, base);
                paths.write(path, base);
                path_ends.write(path_end, base);
                query_ends.write(query_end, base);
            }
        } else if COLLECT == collect::ENDS {
            // SAFETY: as above.
            unsafe { self.writers[0].write(end, base) };
        }

        if error | carries.error != 0 {
            // Each line's errors are moved to its LF.
            let within = run(error & !newline, !newline, &mut carries.error);
            let mut bad = (within | error) & newline;
            while bad != 0 {
                let bit = bad & bad.wrapping_neg();
                let before = (newline & (bit - 1)).count_ones();
                self.suspects.push(Suspect {
                    index: self.lines as u32 + before,
                    newline: base + bit.trailing_zeros(),
                });
                bad ^= bit;
            }
        }
        self.lines += newline.count_ones() as usize;
    }
}

/// What only blocks with odd bytes need: CR, escapes, and the fragment where its column is not asked for.
///
/// # Safety
///
/// The machine must have the features of `V`.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
unsafe fn rare<V: Vector, S: Shape>(
    input: V,
    odd: u64,
    newline: u64,
    next: impl Fn() -> bool,
    hash_is_allowed: bool,
    carries: &mut RareCarries,
    end: &mut u64,
    error: &mut u64,
) {
    // SAFETY: the caller promises the features.
    let (cr, percent, hex, hash) = unsafe {
        (input.eq(b'\r'), input.eq(b'%'), input.classify(&HEX).at_least::<ALLOWED>(), input.eq(b'#'))
    };
    let mut explained = percent;

    let mut crlf = cr & newline >> 1;
    if cr >> 63 == 1 && next() {
        crlf |= 1 << 63;
    }
    *end = (newline & !advance(crlf, &mut carries.crlf)) | crlf;
    explained |= crlf;

    // pct-encoded = "%" HEXDIG HEXDIG
    let first = advance(percent, &mut carries.escape);
    let second = advance(first & hex, &mut carries.escape_digit);
    *error |= (first | second) & !hex;

    if S::FRAGMENT && !hash_is_allowed {
        let behind = advance(hash, &mut carries.behind_hash);
        *error |= run(behind, !(hash | *end), &mut carries.fragment) & hash;
        explained |= hash;
    }
    *error |= odd & !explained;
}
