//! Compares the vectors with the definition of their operations; the scan, run with that definition, with the
//! parsers; and the kernels with the scan run with that definition.

use alloc::vec::Vec;

use super::block::classify::{ALLOWED, HEX, LETTER, SCHEME, STRUCTURE, STRUCTURE_OF_NAMES};
use super::block::codes::{self, CodeTable};
use super::block::mask_structs::GROUP;
use super::block::vector::{BLOCK, Emulated, NibbleTable, Vector, Words};
use super::lines::find_components::for_grammar;
use super::lines::group::Group;
use super::lines::ports::GroupBytes;
use super::lines::single::accepts_as;
use super::lines::streams::{Mark, NotedLine};
use super::lines::terms::component_of;
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
use super::neon::Neon;
use super::*;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use super::{avx2::Avx2, avx512::Avx512, sse42::Sse42};
use crate::column::ABSENT;
use crate::grammar::{Grammar, Rules, SchemeRule};

/// Each backend's vector, and its check.
const VECTORS: &[(Backend, unsafe fn())] = &[
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    (Backend::Sse42, check_vector::<Sse42>),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    (Backend::Avx2, check_vector::<Avx2>),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    (Backend::Avx512, check_vector::<Avx512>),
    #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
    (Backend::Neon, check_vector::<Neon>),
];

/// The backends of this machine that have kernels.
fn available() -> Vec<Available> {
    VECTORS.iter().filter_map(|&(backend, _)| Available::new(backend)).collect()
}

#[test]
fn every_backend_of_the_machine_is_tested() {
    let tested: Vec<_> = available().into_iter().map(Available::backend).collect();
    let with_kernels = |backend: &Backend| *backend != Backend::Scalar && backend.is_available();
    let expected: Vec<_> = Backend::ALL.iter().copied().filter(with_kernels).collect();
    assert_eq!(tested, expected);
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "std"))]
    if std::arch::is_x86_feature_detected!("avx2") {
        assert!(tested.starts_with(&[Backend::Sse42, Backend::Avx2]), "{tested:?}");
    }
    #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
    assert_eq!((Backend::best(), &tested[..]), (Backend::Neon, &[Backend::Neon][..]));
}

#[test]
fn vectors_do_what_is_defined() {
    for &(backend, check) in VECTORS {
        if backend.is_available() {
            // SAFETY: the machine has the backend.
            unsafe { check() };
        }
    }
}

/// Blocks that together have every byte in every lane, next to equal and next to different bytes.
fn blocks() -> impl Iterator<Item = [u8; BLOCK]> {
    [0, 1, 37].into_iter().flat_map(|step: u8| {
        (0..=255u8).map(move |first| core::array::from_fn(|i| first.wrapping_add(step.wrapping_mul(i as u8))))
    })
}

/// Compares all operations with their definition. This function has no target features, which makes it slow,
/// but not less exact.
///
/// # Safety
///
/// The machine must have the features of `V`.
unsafe fn check_vector<V: Vector>() {
    // These two tables return each nibble.
    let low = NibbleTable { low: core::array::from_fn(|i| i as u8 + 1), high: [0xFF; 16] };
    let high = NibbleTable { low: [0xFF; 16], high: core::array::from_fn(|i| i as u8 + 1) };
    for block in blocks() {
        // SAFETY: the caller promises the features; `Emulated` needs none.
        unsafe {
            let (vector, defined) = (V::load(&block), Emulated::load(&block));
            check_masks(vector, defined);
            for table in [&codes::OF_LINES, &codes::OF_NAMES, &codes::OF_GAPS] {
                check_codes(vector, &block, table);
            }
            for table in [&STRUCTURE, &STRUCTURE_OF_NAMES, &HEX, &low, &high] {
                check_masks(vector.classify(table), defined.classify(table));
                check_masks(vector.classify(table).and(vector), defined.classify(table).and(defined));
            }
        }
    }
    let block: [u8; BLOCK] = core::array::from_fn(|i| i as u8 + 1);
    for len in 0..BLOCK {
        let mut expected = [b'\n'; BLOCK];
        expected[..len].copy_from_slice(&block[..len]);
        // SAFETY: as above.
        unsafe { check_masks(V::load_last(&block[..len]), Emulated::load(&expected)) };
    }
}

/// Compares the codes of a block, if the instruction set has them, with their table.
///
/// # Safety
///
/// The same as for [`check_vector`].
unsafe fn check_codes<V: Vector>(vector: V, block: &[u8; BLOCK], table: &CodeTable) {
    // SAFETY: the caller promises the features.
    let found = unsafe { vector.codes(table) };
    assert_eq!(found.is_some(), V::CODES);
    let Some((bits, uncommon)) = found else { return };
    for (at, &byte) in block.iter().enumerate() {
        let entry = table.0.get(usize::from(byte)).copied();
        assert_eq!(uncommon >> at & 1 == 1, entry.is_none_or(|entry| entry >= 0x80), "{byte}");
        let code = bits.iter().rev().fold(0, |code, bits| code << 1 | (bits >> at & 1) as u8);
        assert!(entry.is_none_or(|entry| entry & 0x7F == code), "{byte}: {code}");
    }
}

/// Compares all bytes, and their masks by every threshold of the scan.
///
/// # Safety
///
/// The same as for [`check_vector`].
unsafe fn check_masks<V: Vector>(vector: V, defined: Emulated) {
    // SAFETY: the caller promises the features; `Emulated` needs none.
    unsafe {
        for byte in 0..=255 {
            assert_eq!(vector.eq(byte), defined.eq(byte), "{byte}");
        }
        assert_eq!(vector.at_least::<LETTER>(), defined.at_least::<LETTER>());
        assert_eq!(vector.at_least::<SCHEME>(), defined.at_least::<SCHEME>());
        assert_eq!(vector.at_least::<ALLOWED>(), defined.at_least::<ALLOWED>());
    }
}

/// Each backend's words, and their check.
const WORDS: &[(Backend, unsafe fn())] = &[
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    (Backend::Avx2, check_words::<<Avx2 as Vector>::Words>),
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    (Backend::Avx512, check_words::<<Avx512 as Vector>::Words>),
    (Backend::Scalar, check_words::<u64>),
];

#[test]
fn words_do_what_is_defined() {
    for &(backend, check) in WORDS {
        if backend.is_available() {
            // SAFETY: the machine has the backend.
            unsafe { check() };
        }
    }
}

/// Compares the arithmetic with a definition by single bits, for rows of words whose runs cross many borders.
///
/// # Safety
///
/// The machine must have the features of `W`.
unsafe fn check_words<W: Words>() {
    const BITS: usize = 64 * 24;
    let mut state = 1u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for round in 0..500 {
        // Runs of a few bits to many words; a cursor stands at the start of some runs and of some gaps.
        let mean = 2 + random(200);
        let (mut through, mut cursors) = ([false; BITS], [false; BITS]);
        for i in 1..BITS {
            through[i] = through[i - 1] ^ (random(mean) == 0);
            cursors[i] = !through[i - 1] && random(if through[i] { 2 } else { 20 }) == 0;
        }
        let mut stops = [false; BITS];
        for i in (0..BITS).filter(|&i| cursors[i]) {
            if let Some(stop) = (i..BITS).find(|&i| !through[i]) {
                stops[stop] = true;
            }
        }
        let moved: [bool; BITS] = core::array::from_fn(|i| i > 0 && cursors[i - 1]);

        let is_full = |i: usize| through[i & !31..][..32].iter().all(|&bit| bit);
        let full: [bool; BITS] = core::array::from_fn(is_full);

        let mut parity = false;
        let parities: [bool; BITS] = core::array::from_fn(|i| {
            parity ^= cursors[i];
            parity
        });

        let [through, cursors, stops, moved, full, parities] =
            [through, cursors, stops, moved, full, parities].map(words);
        let mut results = [[0; BITS / 64]; 4];
        // SAFETY: the caller promises the features.
        unsafe {
            let (mut before, mut run, mut parity) = (W::splat(0), 0, 0);
            for i in (0..BITS / 64).step_by(W::COUNT) {
                let [at, through] = [&cursors, &through].map(|row| W::load(&row[i..]));
                at.advance(&mut before).store(&mut results[0][i..]);
                at.run(through, &mut run).store(&mut results[1][i..]);
                through.full_halves().store(&mut results[2][i..]);
                at.parity(&mut parity).store(&mut results[3][i..]);
                assert_eq!(at.is_zero(), cursors[i..i + W::COUNT].iter().all(|&word| word == 0));
            }
        }
        assert_eq!(results, [moved, stops, full, parities], "round {round}");
    }
}

/// Returns bits as words, the first bit lowest.
fn words<const BITS: usize>(bits: [bool; BITS]) -> [u64; 24] {
    core::array::from_fn(|i| (0..64).fold(0, |word, k| word | u64::from(bits[64 * i + k]) << k))
}

/// Bytes that have a meaning for the scan, and a few that have none.
const TOKENS: &[&[u8]] = &[
    b"a",
    b"g",
    b"1",
    b"-",
    b":",
    b"/",
    b"//",
    b"http://h",
    b"?",
    b"#",
    b"@",
    b"[",
    b"]",
    b"%",
    b"%4",
    b"%41",
    b"\r",
    b" ",
    b"\xC3\xA9",
];

/// All lines of up to `tokens` tokens, each followed by `filler`.
fn lines(tokens: u32, filler: &[u8]) -> Vec<u8> {
    let mut piece = Vec::new();
    for count in 0..=tokens {
        for number in 0..TOKENS.len().pow(count) {
            let mut rest = number;
            for _ in 0..count {
                piece.extend_from_slice(TOKENS[rest % TOKENS.len()]);
                piece.extend_from_slice(filler);
                rest /= TOKENS.len();
            }
            piece.push(b'\n');
        }
    }
    piece
}

/// Pieces of short lines, many to a block, and of lines over one to five blocks.
fn pieces() -> impl Iterator<Item = Vec<u8>> {
    let long = (1..=67).step_by(3).map(|length| lines(2, &[b'a'; 67][..length]));
    [Vec::new(), lines(if cfg!(target_arch = "x86_64") { 4 } else { 3 }, b"")].into_iter().chain(long)
}

fn emulated(grammar: Grammar, collect: u8, piece: Piece<'_>, streams: &mut Streams) {
    // SAFETY: `Emulated` needs no features.
    unsafe {
        match collect {
            collect::NOTHING => for_grammar::<Emulated, { collect::NOTHING }>(grammar, piece, streams),
            collect::ENDS => for_grammar::<Emulated, { collect::ENDS }>(grammar, piece, streams),
            collect::ENDS_AND_FORMS => {
                for_grammar::<Emulated, { collect::ENDS_AND_FORMS }>(grammar, piece, streams);
            }
            collect::ENDS_AND_COUNTS => {
                for_grammar::<Emulated, { collect::ENDS_AND_COUNTS }>(grammar, piece, streams);
            }
            _ => for_grammar::<Emulated, { collect::ALL }>(grammar, piece, streams),
        }
    }
}

/// Returns what a scan of a grammar's lines can collect, without the forms, which have tests of their own.
fn collections(grammar: Grammar) -> impl Iterator<Item = u8> {
    let can_count = cfg!(feature = "corpus") && grammar.facts().scheme != SchemeRule::Forbidden;
    let all = [collect::NOTHING, collect::ENDS, collect::ENDS_AND_COUNTS, collect::ALL];
    all.into_iter().filter(move |&collect| can_count || collect != collect::ENDS_AND_COUNTS)
}

#[test]
fn scan_agrees_with_the_parsers() {
    let mut streams = Streams::default();
    for piece in pieces() {
        for &grammar in Grammar::ALL {
            for collect in collections(grammar) {
                emulated(grammar, collect, Piece::Lines(&piece), &mut streams);
                check_streams(grammar, collect, &piece, &streams);
            }
        }
    }
}

/// Asserts that the error at a forbidden byte that the scan found is the one that the parser finds.
fn check_forbidden(grammar: Grammar, line: NotedLine, piece: &[u8]) {
    if line.forbidden == ABSENT {
        return;
    }
    let (record, at) =
        (&piece[line.start as usize..line.end as usize], (line.forbidden - line.start) as usize);
    // SAFETY: `Emulated` needs no features.
    let component = unsafe { component_of::<Emulated>(&piece[line.start as usize..], at) };
    let rules = Rules::new(grammar);
    if let Some(error) = rules.error_of_forbidden(record, at, component) {
        assert_eq!(rules.parse(record), Err(error), "\"{}\" as {grammar}", record.escape_ascii());
    }
}

/// Asserts that the scan accepts no invalid line, and that its positions are right for the lines that it
/// accepts.
fn check_streams(grammar: Grammar, collect: u8, piece: &[u8], streams: &Streams) {
    let [mut path_ends, mut fragments, mut ports] = marks(streams).map(|marks| marks.into_iter().peekable());
    let mut fallback = streams.fallback.lines.iter().copied().peekable();
    let mut may_be_addresses = streams.may_be_addresses.iter().map(|&line| line as usize).peekable();
    let mut start = 0;
    let mut crlf = false;
    let mut count = 0;
    let mut counts = LineCounts::default();
    for (i, newline) in crate::work::memchr_iter(b'\n', piece).enumerate() {
        let line = &piece[start..newline];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let end = start + line.len();
        let context = || alloc::format!("\"{}\" as {grammar}", line.escape_ascii());
        crlf |= end < newline;
        if collect != collect::NOTHING {
            assert_eq!(streams.end[i] as usize, end, "{}", context());
        }
        let of_this = |mark: &(usize, usize)| mark.0 == i;
        if let Some(found) = fallback.next_if(|line| line.index as usize == i) {
            let line = NotedLine { index: i as u32, start: start as u32, end: end as u32, ..found };
            assert_eq!(found, line, "{}", context());
            check_forbidden(grammar, found, piece);
            for marks in [&mut path_ends, &mut fragments, &mut ports] {
                while marks.next_if(of_this).is_some() {}
            }
            while may_be_addresses.next_if_eq(&i).is_some() {}
        } else {
            let components = Rules::new(grammar).parse(line);
            let components = components.unwrap_or_else(|error| panic!("{}: {error}", context()));
            if collect == collect::ENDS_AND_COUNTS {
                let authority = components.scheme().and(components.authority()).unwrap_or_default();
                assert_eq!(components.host(), Some(authority), "{}", context());
                let kind = Some(grammar.default_host_kind());
                assert_eq!(components.host_kind(), kind, "{}", context());
                counts.empty_paths += u64::from(components.path_start == components.path_end);
                counts.queries += u64::from(components.query().is_some());
                counts.fragments += u64::from(components.fragment().is_some());
            }
            if collect != collect::NOTHING {
                let port = components.port().map(|port| start + port.start - 1);
                assert_eq!(ports.next_if(of_this).map(|(_, colon)| colon), port, "{}", context());
            }
            if collect == collect::ALL {
                let relative = |stream: &[u32]| stream[i] - start as u32;
                let scheme_end = relative(&streams.scheme_end);
                match components.scheme() {
                    Some(scheme) => assert_eq!(scheme_end as usize, scheme.end, "{}", context()),
                    None => assert_ne!(line.get(scheme_end as usize), Some(&b':'), "{}", context()),
                }
                let path = relative(&streams.path);
                let in_path = if components.authority().is_some() {
                    path == components.path_start
                } else {
                    (components.path_start..=components.path_end).contains(&path)
                };
                assert!(in_path, "{path} is not in the path of {}", context());
                let path_end = path_ends.next_if(of_this).map_or(end, |(_, at)| at) - start;
                assert_eq!(path_end, components.path_end as usize, "{}", context());
                let query_end = fragments.next_if(of_this).map_or(end, |(_, at)| at) - start;
                assert_eq!(query_end, components.query_end as usize, "{}", context());
                let host = &line[components.host().unwrap_or_default()];
                let ends_otherwise = host.last().is_some_and(|last| !last.is_ascii_alphabetic());
                assert_eq!(may_be_addresses.next_if_eq(&i).is_some(), ends_otherwise, "{}", context());
            }
        }
        start = newline + 1;
        count += 1;
    }
    assert_eq!((fallback.next(), path_ends.next(), fragments.next(), ports.next()), (None, None, None, None));
    assert_eq!(may_be_addresses.next(), None);
    assert_eq!((streams.lines, streams.len, streams.counts), (count, piece.len(), counts));
    if collect != collect::NOTHING {
        let newlines: Vec<_> = crate::work::memchr_iter(b'\n', piece).map(|at| at as u32).collect();
        assert_eq!((streams.crlf, &streams.newline[..]), (crlf, if crlf { &newlines[..] } else { &[] }));
    }
}

#[test]
fn kernels_are_the_scan() {
    let (mut defined, mut streams) = (Streams::default(), Streams::default());
    for piece in pieces() {
        for &grammar in Grammar::ALL {
            for collect in collections(grammar) {
                emulated(grammar, collect, Piece::Lines(&piece), &mut defined);
                for backend in available() {
                    scan(backend, grammar, collect, Piece::Lines(&piece), &mut streams);
                    let same = contents(&streams) == contents(&defined);
                    assert!(same, "{backend:?}, {grammar}, {collect}: {streams:?} for {defined:?}");
                }
            }
        }
    }
}

/// The scan reads the byte after a CR twice: to decide whether the CR ends a line, and in the block of the
/// byte.
#[test]
fn an_lf_that_is_gone_when_its_block_comes_ends_its_line_all_the_same() {
    // SAFETY: `Emulated` needs no features.
    unsafe { an_lf_is_gone::<Emulated>() };
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    if Backend::Avx512.is_available() {
        // SAFETY: the machine has the features.
        unsafe { an_lf_is_gone::<Avx512>() };
    }
}

/// Takes the LF away between the blocks of a CR LF.
///
/// # Safety
///
/// The machine must have the features of `V`.
unsafe fn an_lf_is_gone<V: Vector>() {
    for after in [b'x', b':', b'/', b'#', b'%', b'\r', b'\0', 0xC3] {
        let mut first = [[b'y'; BLOCK]; GROUP];
        first[0][..2].copy_from_slice(b"a:");
        first[GROUP - 1][BLOCK - 1] = b'\r';
        let mut second = [b'y'; BLOCK];
        second[..5].copy_from_slice(&[after, b'a', b':', b'/', b'b']);
        second[BLOCK - 1] = b'\n';
        let mut streams = Streams::default();
        let (border, all) = ((GROUP * BLOCK) as u32, (GROUP + 1) * BLOCK);
        // SAFETY: the caller promises the features.
        unsafe {
            let allowed = lines::shape::Allowed::by(Grammar::UriReference);
            let mut group = Group::<V, lines::shape::Reference, true>::new(allowed);
            // The next group does not begin with the LF that is announced here.
            group.classify_lines(&first, true);
            let bytes = GroupBytes { bytes: first.as_flattened(), gaps: &[] };
            group.finish::<{ collect::ALL }>(GROUP, bytes, 0, &mut streams);
            group.classify_lines(&[second], false);
            let bytes = GroupBytes { bytes: &second, gaps: &[] };
            group.finish::<{ collect::ALL }>(1, bytes, border, &mut streams);
        }
        streams.drop_unfinished();
        let last = all as u32 - 1;
        assert_eq!(
            (streams.lines, &streams.end[..], &streams.newline[..]),
            (2, &[border - 1, last][..], &[border, last][..])
        );
        assert_eq!((&streams.scheme_end[..], streams.len), (&[1, border + 2][..], all), "{after}");
    }
}

/// Records without separators give the same results as the same records in lines.
#[test]
fn gaps_are_line_ends() {
    let (mut as_lines, mut streams) = (Streams::default(), Streams::default());
    for piece in pieces() {
        // A CR is part of its record.
        let lines: Vec<u8> = piece.iter().map(|&byte| if byte == b'\r' { b' ' } else { byte }).collect();
        let bytes: Vec<u8> = lines.iter().copied().filter(|&byte| byte != b'\n').collect();
        let mut gaps = alloc::vec![0u64; lines.len().div_ceil(BLOCK)];
        crate::work::memchr_iter(b'\n', &lines).for_each(|at| gaps[at / BLOCK] |= 1 << (at % BLOCK));
        for &grammar in Grammar::ALL {
            for collect in collections(grammar) {
                emulated(grammar, collect, Piece::Lines(&lines), &mut as_lines);
                emulated(grammar, collect, Piece::Gaps { bytes: &bytes, gaps: &gaps }, &mut streams);
                assert!(contents(&streams) == contents(&as_lines), "{grammar}: {streams:?} for {as_lines:?}");
                for backend in available() {
                    scan(backend, grammar, collect, Piece::Gaps { bytes: &bytes, gaps: &gaps }, &mut streams);
                    let same = contents(&streams) == contents(&as_lines);
                    assert!(same, "{backend:?}, {grammar}, {collect}: {streams:?} for {as_lines:?}");
                }
            }
        }
    }
}

fn emulated_accepts(grammar: Grammar, record: &[u8]) -> bool {
    // SAFETY: `Emulated` needs no features.
    unsafe { accepts_as::<Emulated>(grammar, record) }
}

#[test]
fn accepted_records_are_valid() {
    let check = |record: &[u8]| {
        for &grammar in Grammar::ALL {
            let is_accepted = emulated_accepts(grammar, record);
            let context = || alloc::format!("\"{}\" as {grammar}", record.escape_ascii());
            assert!(!is_accepted || Rules::new(grammar).parse(record).is_ok(), "{}", context());
            for backend in available() {
                assert_eq!(accepts(backend, grammar, record), is_accepted, "{backend:?}, {}", context());
            }
        }
    };
    let long = (1..=300).step_by(7).map(|length| lines(2, &[b'a'; 300][..length]));
    for piece in [lines(3, b"")].into_iter().chain(long) {
        let records = || piece.split(|&byte| byte == b'\n');
        records().for_each(check);
        // Records may hold CR and LF.
        records().step_by(100).for_each(|record| check(&[record, b"\na:b"].concat()));
    }
}

/// The path ends, the fragments and the colons before ports: lines and positions.
fn marks(streams: &Streams) -> [Vec<(usize, usize)>; 3] {
    let pair = |mark: &Mark| (mark.line as usize, mark.at as usize);
    [&streams.path_ends, &streams.fragments, &streams.ports].map(|marks| marks.iter().map(pair).collect())
}

/// All results of a scan.
fn contents(streams: &Streams) -> impl PartialEq + '_ {
    let Streams {
        lines, len, crlf, fallback, counts, newline, end, scheme_end, path, may_be_addresses, ..
    } = streams;
    let positions = [newline, end, scheme_end, path, may_be_addresses];
    (marks(streams), &fallback.lines, positions, (*lines, *len, *crlf), *counts)
}

#[test]
fn records_are_accepted_at_once() {
    for backend in available() {
        for len in 0..=200 {
            let record = [b"http://example.com/".as_slice(), &b"a%2Fb?".repeat(34)[..len]].concat();
            let is_whole = !record.ends_with(b"%") && !record.ends_with(b"%2");
            assert_eq!(accepts(backend, Grammar::Uri, &record), is_whole, "{len}");
            for uncommon in [b' ', b'\n', b'\r', b'[', b'#', 0xC3] {
                let mut record = record.clone();
                record.push(uncommon);
                // A fragment may be empty.
                assert_eq!(
                    accepts(backend, Grammar::Uri, &record),
                    is_whole && uncommon == b'#',
                    "{len} {uncommon}"
                );
            }
        }
    }
}

/// A scan whose lines all fall back would pass all other tests.
#[test]
fn common_lines_do_not_fall_back() {
    let absolute = b"http://www.example.com/a/b.html?q=1&r=2\r\nx+y-1.z:/%41%6e/\nftp://h\na://h/?\n";
    let opaque = b"mailto:a@b\nurn:x:y\nx:\na:?b\nx:///y\n";
    let relative = b"//h/x\n/a/b:c?q\n../x\n?y\na\n";
    let fragments = b"#x\na#b\n//h?x#y/z?\n/%41#\n";
    let origins = b"//x\n/a//b?c=d/?\n/%7e\n/\n";
    for &grammar in Grammar::ALL {
        let facts = grammar.facts();
        let may_have_scheme = facts.scheme != SchemeRule::Forbidden;
        let may_lack_scheme = facts.scheme != SchemeRule::Required;
        let lines: Vec<u8> = [
            (&absolute[..], may_have_scheme),
            (opaque, may_have_scheme && !facts.opaque),
            (b"a:#b\na:?x#y\n", may_have_scheme && facts.fragment && !facts.opaque),
            (relative, may_lack_scheme && facts.authority),
            (fragments, may_lack_scheme && facts.fragment),
            (origins, !facts.authority),
        ]
        .iter()
        .filter_map(|&(lines, has_them)| has_them.then_some(lines))
        .collect::<Vec<_>>()
        .concat();
        // Every byte of the lines is once the first byte of a block.
        for shift in 0..BLOCK {
            let start: &[u8] = if lines.starts_with(b"/") { b"/" } else { b"a:/" };
            let piece = [start, &[b'x'; BLOCK][..shift], b"\n", &lines].concat();
            for collect in [collect::NOTHING, collect::ENDS, collect::ALL] {
                let mut streams = Streams::default();
                emulated(grammar, collect, Piece::Lines(&piece), &mut streams);
                if let Some(line) = streams.fallback.lines.first() {
                    let line = &piece[line.start as usize..line.end as usize];
                    panic!("{} falls back as {grammar}", line.escape_ascii());
                }
            }
            for line in piece.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
                let record = line.strip_suffix(b"\r").unwrap_or(line);
                assert!(emulated_accepts(grammar, record), "{} as {grammar}", line.escape_ascii());
            }
        }
    }
}

/// Ports do not fall back by a grammar of RFC 3986 or 3987, wherever a block or a group ends.
#[test]
fn ports_do_not_fall_back() {
    let lines =
        b"http://h:80/a?b#c\nhttp://1.2.3.4:/\r\nx+y://www.example.com:65536\nftp://:012345678901234/\n";
    let wrong = b"http://h:8a/\nhttp://h:80:80/\nhttp://u:1@h/\na://h:-1\r\na://b:%31/\n";
    let fragments = |text: &[u8]| text.iter().copied().filter(|&byte| byte != b'#').collect::<Vec<u8>>();
    for &grammar in Grammar::ALL {
        let facts = grammar.facts();
        if facts.scheme == SchemeRule::Forbidden || facts.opaque {
            continue;
        }
        let lines = if facts.fragment { lines.to_vec() } else { fragments(lines) };
        // Every byte of the lines is once the first byte of a group.
        for shift in 0..GROUP * BLOCK {
            let piece = [b"a:/", &[b'x'; GROUP * BLOCK][..shift], b"\n", &lines, &wrong[..], &lines].concat();
            for collect in [collect::NOTHING, collect::ENDS, collect::ALL] {
                let mut streams = Streams::default();
                emulated(grammar, collect, Piece::Lines(&piece), &mut streams);
                check_streams(grammar, collect, &piece, &streams);
                let fallback = streams.fallback.lines.iter().map(|line| line.index);
                assert!(fallback.eq(5..10), "{grammar}, {collect}, {shift}: {:?}", streams.fallback);
            }
        }
    }
}

#[cfg(feature = "corpus")]
#[test]
fn every_backend_marks_the_same() {
    use super::bytes::tag_marks::{mark_byte_one_by_one, mark_strings_one_by_one, mark_tags_one_by_one};

    let bytes: Vec<u8> = blocks().flatten().collect();
    let contents = |marks: &TagMarks| {
        let TagMarks { less, name_end, quotation, apostrophe } = marks;
        [*less, *name_end, *quotation, *apostrophe]
    };
    for len in (0..=3 * BLOCK).chain([WINDOW - 1, WINDOW]) {
        for start in [0, 1, 37, 1024, 5000] {
            let window = &bytes[start..start + len];
            let (mut marks, mut newlines, mut stops) = (TagMarks::NONE, [0; _], [0; _]);
            mark_tags_one_by_one(window, &mut marks);
            mark_strings_one_by_one(window, &mut stops);
            mark_byte_one_by_one(window, b'\n', &mut newlines);
            let is_marked = |of: &Marks, at: usize| of[at / BLOCK] >> (at % BLOCK) & 1 == 1;
            for (at, &byte) in window.iter().enumerate() {
                let of_byte = contents(&marks).map(|of| is_marked(&of, at));
                let expected = [byte == b'<', b"\t\n\x0C\r />=".contains(&byte), byte == b'"', byte == b'\''];
                assert_eq!((of_byte, is_marked(&newlines, at)), (expected, byte == b'\n'), "{byte}");
                assert_eq!(is_marked(&stops, at), b"\"\\\n".contains(&byte), "{byte}");
            }
            for backend in available() {
                let (mut same_marks, mut same_newlines, mut same_stops) = (TagMarks::NONE, [0; _], [0; _]);
                mark_tags(backend, window, &mut same_marks);
                mark_strings(backend, window, &mut same_stops);
                mark_byte(backend, window, b'\n', &mut same_newlines);
                assert_eq!(contents(&same_marks), contents(&marks), "{backend:?}, {len} from {start}");
                let expected = (newlines, stops);
                assert_eq!((same_newlines, same_stops), expected, "{backend:?}, {len} from {start}");
            }
        }
    }
}

/// The row ends, the separators and the inner line ends of a table, up to the first irregular byte, and the
/// place of this byte, found byte by byte.
#[cfg(feature = "corpus")]
fn cells_of(bytes: &[u8], of: CellBytes) -> ([Vec<usize>; 3], Option<usize>) {
    #[derive(PartialEq)]
    enum State {
        CellStart,
        Text,
        Quoted,
        /// After a quote in a quoted cell, or after that and a CR.
        Closed,
        ClosedAndCr,
    }
    let mut found = [const { Vec::new() }; 3];
    let mut state = State::CellStart;
    for (at, &byte) in bytes.iter().enumerate() {
        let is_quote = of.has_quotes && byte == b'"';
        let ends = byte == of.terminator || byte == of.separator;
        state = match state {
            State::Quoted if byte == of.terminator => {
                found[2].push(at);
                State::Quoted
            }
            State::Quoted => {
                if is_quote {
                    State::Closed
                } else {
                    State::Quoted
                }
            }
            State::Closed if is_quote => State::Quoted,
            State::Closed if byte == b'\r' && !ends && of.terminator == b'\n' => State::ClosedAndCr,
            State::ClosedAndCr if byte != of.terminator => return (found, Some(at)),
            State::Closed if !ends => return (found, Some(at)),
            State::CellStart if is_quote => State::Quoted,
            State::Text if is_quote => return (found, Some(at)),
            _ if ends => {
                found[usize::from(byte != of.terminator)].push(at);
                State::CellStart
            }
            _ => State::Text,
        };
    }
    (found, None)
}

#[cfg(feature = "corpus")]
#[test]
fn every_backend_marks_the_same_cells() {
    let places = |marks: &Marks, end: usize| -> Vec<usize> {
        (0..end).filter(|at| marks[at / BLOCK] >> (at % BLOCK) & 1 == 1).collect()
    };
    // Quotes that mostly stand where they should, and other bytes.
    let units = ["a", ",", "\n", "\"a\"", "\"a,\"\"\",", "\"b\"\r\n", "\"", "\r", "\"\",", "\0", "bcdefgh"];
    let mut seed = 1_u64;
    let mut has_even = false;
    for round in 0..3_000 {
        let mut table = Vec::new();
        while table.len() < 10 + round % 400 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // In most tables a quote rarely stands alone.
            let unit = units[(seed >> 33) as usize % units.len()];
            if unit != "\"" || round % 7 == 0 {
                table.extend_from_slice(unit.as_bytes());
            }
        }
        for terminator in [b'\n', 0] {
            for has_quotes in [true, false] {
                let of = CellBytes { separator: b',', terminator, has_quotes };
                let (found, irregular) = cells_of(&table, of);
                let end = irregular.unwrap_or(table.len());
                has_even |= irregular.is_none() && has_quotes;
                for backend in available().into_iter().chain([Available::SCALAR]) {
                    let mut marks = CellMarks::NONE;
                    mark_cells(backend, &table, of, &mut marks);
                    assert_eq!(
                        places(&marks.irregular, table.len()).first().copied(),
                        irregular,
                        "{backend:?}"
                    );
                    let of_kernel = [&marks.row_end, &marks.separator, &marks.inner];
                    assert_eq!(of_kernel.map(|marks| places(marks, end)), found, "{backend:?}");
                }
            }
        }
    }
    assert!(has_even, "a table without irregular bytes");
}

#[cfg(feature = "corpus")]
#[test]
fn every_backend_finds_the_same_cells() {
    let of = CellBytes { separator: b',', terminator: b'\n', has_quotes: false };
    let mut seed = 1_u64;
    let [mut all, mut some] = [0; 2];
    for round in 0..600 {
        // From a separator or a line end in two bytes to one in fifty.
        let rarity = [2, 3, 7, 20, 50][round % 5];
        let mut table = Vec::new();
        for _ in 0..[WINDOW, 1 + round, 700, 64, 1][round % 4] {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            table.push(*b",\n".get((seed >> 33) as usize % rarity).unwrap_or(&b'a'));
        }
        let len = table.len() - (seed >> 20) as usize % table.len() / 3;
        let mut start = 0;
        let ends = (0..len).filter(|&at| table[at] == b'\n');
        let rows: Vec<_> = ends.map(|end| std::mem::replace(&mut start, end + 1)..end).collect();
        for backend in available().into_iter().chain([Available::SCALAR]) {
            let mut marks = CellMarks::NONE;
            mark_cells(backend, &table, of, &mut marks);
            for column in [0, 1, 2, 9, CellPlaces::LAST_COLUMN] {
                let mut places = CellPlaces::NONE;
                let found = find_cells(backend, &marks, len, column, &mut places);
                // Rows may be left out only at the end, if there are many.
                assert!(found == rows.len() || found > BLOCK && found < rows.len(), "{backend:?}");
                *if found == rows.len() { &mut all } else { &mut some } += 1;
                for (index, row) in rows[..found].iter().enumerate() {
                    let cells: Vec<_> = table[row.clone()].split(|&byte| byte == b',').collect();
                    let cell = cells.get(column).map_or(row.end..row.end, |cell| {
                        let start =
                            row.start + cells[..column].iter().map(|cell| cell.len() + 1).sum::<usize>();
                        start..start + cell.len()
                    });
                    let expected = [row.end, cells.len(), cell.start, cell.end].map(|place| place as u32);
                    let CellPlaces { row_ends, cells, starts, ends } = &places;
                    let of_kernel = [row_ends[index], cells[index], starts[index], ends[index]];
                    assert_eq!(of_kernel, expected, "{backend:?}, {column}");
                }
            }
        }
    }
    assert!(all > 0 && some > 0, "{all} {some}");
}

#[cfg(feature = "xml")]
#[test]
fn every_backend_marks_the_same_markup() {
    use super::bytes::markup_marks::mark_markup_one_by_one;

    let bytes: Vec<u8> = blocks().flatten().collect();
    let contents = |marks: &MarkupMarks| {
        let MarkupMarks { content, name_end, value } = marks;
        [*content, *name_end, *value]
    };
    for len in (0..=3 * BLOCK).chain([WINDOW - 1, WINDOW]) {
        for start in [0, 1, 37, 1024, 5000] {
            let window = &bytes[start..start + len];
            let mut marks = MarkupMarks::NONE;
            mark_markup_one_by_one(window, &mut marks);
            for (at, &byte) in window.iter().enumerate() {
                let of_byte = contents(&marks).map(|of| of[at / BLOCK] >> (at % BLOCK) & 1 == 1);
                let is_name = byte.is_ascii_alphanumeric() || b":_-.".contains(&byte) || !byte.is_ascii();
                let expected = [b"<&]".contains(&byte), !is_name, b"<&]\"'".contains(&byte)];
                assert_eq!(of_byte, expected, "{byte}");
            }
            for backend in available() {
                let mut same_marks = MarkupMarks::NONE;
                mark_markup(backend, window, &mut same_marks);
                assert_eq!(contents(&same_marks), contents(&marks), "{backend:?}, {len} from {start}");
            }
        }
    }
}

/// The bytes before the end of [`sound_len`] are sound. It ends at most a block and a character before the
/// first byte that is not.
#[cfg(feature = "xml")]
#[test]
fn every_backend_finds_the_characters_of_xml() {
    let is_forbidden = |char: char| {
        char < ' ' && !matches!(char, '\n' | '\r' | '\t') || matches!(char, '\u{FFFE}' | '\u{FFFF}')
    };
    let first_bad = |bytes: &[u8]| {
        let (valid, end) = match str::from_utf8(bytes) {
            Ok(text) => (text, bytes.len()),
            Err(error) => (str::from_utf8(&bytes[..error.valid_up_to()]).unwrap(), error.valid_up_to()),
        };
        valid.find(is_forbidden).unwrap_or(end)
    };
    let first_control =
        |bytes: &[u8]| bytes.iter().position(|&byte| byte.is_ascii() && is_forbidden(byte.into()));
    let parts: [&[u8]; 34] = [
        b"a",
        b"\n",
        b"\t",
        b"\r",
        b"\x7F",
        b"\x00",
        b"\x0B",
        b"\x1F",
        b"\x80",
        b"\xBF",
        b"\xC0\x80",
        b"\xC1\xBF",
        b"\xC2\x80",
        b"\xC3",
        b"\xDF\xBF",
        b"\xE0\x9F\xBF",
        b"\xE0\xA0\x80",
        b"\xE2\x82",
        b"\xED\x9F\xBF",
        b"\xED\xA0\x80",
        b"\xEE\x80\x80",
        b"\xEF\xBF\xBD",
        b"\xEF\xBF\xBE",
        b"\xEF\xBF\xBF",
        b"\xEF\xBE\xBF",
        b"\xF0\x8F\xBF\xBF",
        b"\xF0\x90\x80\x80",
        b"\xF0\x9F\x98",
        b"\xF4\x8F\xBF\xBF",
        b"\xF4\x90\x80\x80",
        b"\xF5\x80\x80\x80",
        b"\xFF",
        b"\xE2\x82\x80\x80",
        b"\xC3\xC3\xA9",
    ];
    for backend in available() {
        for part in parts {
            for (filler, places) in
                [("a", 0..=70), ("\u{E9}", 0..=70), ("\u{20AC}", 0..=45), ("\u{1F600}", 0..=35)]
            {
                for before in places {
                    for after in [0, 1, 70] {
                        let fill = |count| filler.repeat(count).into_bytes();
                        let bytes = [fill(before), part.to_vec(), fill(after)].concat();
                        let len = sound_len(backend, &bytes, true);
                        let bad = first_bad(&bytes);
                        assert!(
                            len <= bad && bad - len < BLOCK + 4,
                            "{backend:?}: {len}, {bad} in {bytes:x?}"
                        );
                        assert!(str::from_utf8(&bytes[..len]).is_ok());
                        if bad == bytes.len() {
                            assert_eq!(len, bad, "{backend:?}: {bytes:x?}");
                        }
                        let len = sound_len(backend, &bytes, false);
                        let control = first_control(&bytes).unwrap_or(bytes.len());
                        assert!(len <= control && control - len < BLOCK, "{backend:?}: {bytes:x?}");
                    }
                }
            }
        }
    }
}

#[cfg(feature = "markdown")]
#[test]
fn every_backend_counts_the_same_marks() {
    use super::bytes::count_marks::count_marks_one_by_one;

    let bytes: Vec<u8> = blocks().flatten().collect();
    for len in 0..=3 * BLOCK {
        for start in [0, 1, 37, 1024, 5000] {
            let bytes = &bytes[start..start + len];
            let is_mark = |byte: &&u8| b" \t\n\r[](<&\\!*_`|~:.".contains(byte);
            let expected = bytes.iter().filter(is_mark).count();
            assert_eq!(count_marks_one_by_one(bytes), expected);
            for backend in available() {
                assert_eq!(count_marks(backend, bytes), expected, "{backend:?}, {len} from {start}");
            }
        }
    }
}

#[cfg(feature = "markdown")]
#[test]
fn every_backend_marks_the_same_prose() {
    use super::bytes::prose_marks::mark_prose_one_by_one;

    // All bytes, and runs of `w` over the ends of blocks.
    let mut bytes: Vec<u8> = blocks().flatten().collect();
    for (at, byte) in bytes.iter_mut().enumerate().filter(|(at, _)| at % 67 < 4 && at % 3 > 0) {
        *byte = if at % 2 == 0 { b'w' } else { *byte };
    }
    for len in (0..=3 * BLOCK).chain([WINDOW - 1, WINDOW]) {
        for start in [0, 1, 37, 1024, 5000] {
            let window = &bytes[start..start + len];
            let mut marks = ProseMarks::NONE;
            mark_prose_one_by_one(window, &mut marks);
            for (at, &byte) in window.iter().enumerate() {
                let is_double =
                    byte == b'w' && (at % BLOCK == BLOCK - 1 || window.get(at + 1) == Some(&b'w'));
                let expected = b"\\[]<:".contains(&byte) || is_double;
                assert_eq!(marks.0[at / BLOCK] >> (at % BLOCK) & 1 == 1, expected, "{byte} at {at}");
            }
            for backend in available() {
                let mut same_marks = ProseMarks::NONE;
                mark_prose(backend, window, &mut same_marks);
                assert_eq!(same_marks.0, marks.0, "{backend:?}, {len} from {start}");
            }
        }
    }
}

/// Lines with an escape of every byte, in both cases of its digits, some close to each other and some far
/// apart, and with heads and dots of all kinds.
fn lines_with_escapes() -> Vec<u8> {
    let heads =
        ["HTTP://H.a/", "x:.", "/.A/..", "///A//.", "?A#B", "a:B//C/D", "//H?", "", "A#/.", "..:.//./A/B"];
    let mut lines = Vec::new();
    for number in 0..1024_u32 {
        let (byte, case) = (number * 37 % 256, number / 256);
        let digits = alloc::format!("{byte:02X}").into_bytes().into_iter().enumerate();
        let escape =
            digits.map(|(at, digit)| if case >> at & 1 == 1 { digit.to_ascii_lowercase() } else { digit });
        lines.push(b'%');
        lines.extend(escape);
        if number % 7 == 0 {
            lines.push(b'\n');
            lines.extend(heads[number as usize / 7 % heads.len()].bytes());
        }
        // Groups with many blocks of escapes follow groups with few, and the other way round.
        let gap = if number / 200 % 2 == 0 { number % 5 } else { number * 7 % 600 };
        lines.extend((0..gap).map(|_| b'p'));
    }
    lines
}

/// The definition of the marks of forms: `upper`, `uncommon` and `heads` for each byte.
fn defined_marks(bytes: &[u8], marked: Marked) -> Vec<[bool; 3]> {
    let mut is_head = true;
    let changes = |escape: &[u8]| {
        let [b'%', digits @ ..] = escape else { return false };
        let text = core::str::from_utf8(digits).expect("two digits");
        let byte = u8::from_str_radix(text, 16).expect("two digits");
        digits.iter().any(u8::is_ascii_lowercase)
            || matches!(byte, b'-' | b'.' | b'0'..=b'9' | 0x40..=0x7F)
            || marked.rfc2396 && b"!'()*".contains(&byte)
            || marked.beyond_ascii && byte >= 0xC0
    };
    let byte_before = |at: usize, distance: usize| at.checked_sub(distance).map(|before| bytes[before]);
    let marks = |(at, &byte): (usize, &u8)| {
        let (last, last_but_one) = (byte_before(at, 1), byte_before(at, 2));
        let is_after_delimiter = matches!(last, None | Some(b'/' | b':' | b'\n'));
        is_head |= matches!(last, None | Some(b'\n'));
        let ends_head = matches!(byte, b'?' | b'#' | b'\n')
            || byte == b'/' && !is_after_delimiter
            || byte == b'/' && (last, last_but_one) == (Some(b'/'), Some(b'/'));
        let is_end = is_head && ends_head;
        is_head &= !ends_head;
        let is_dot_or_digit = byte == b'.' && is_after_delimiter
            || at.checked_sub(2).is_some_and(|percent| changes(&bytes[percent..=at]));
        let is_upper = byte.is_ascii_uppercase() && (is_head || !marked.are_lines);
        [is_upper, is_dot_or_digit, marked.are_lines && is_end]
    };
    bytes.iter().enumerate().map(marks).collect()
}

#[test]
fn every_backend_marks_what_forms_may_change() {
    let lines = lines_with_escapes();
    assert!(lines.len() > 20 * GROUP * BLOCK);
    let tables = [(false, false), (true, false), (false, true), (true, true)];
    for (rfc2396, beyond_ascii) in tables {
        for are_lines in [false, true] {
            let marked = Marked { rfc2396, beyond_ascii, are_lines };
            // Every byte is once the first byte of a block, and the first bytes are every part of an escape.
            for start in 0..=BLOCK {
                let bytes = &lines[start..];
                let defined = defined_marks(bytes, marked);
                let lens = (0..3 * BLOCK).step_by(1 + start % 5).chain([GROUP * BLOCK - start, bytes.len()]);
                for (backend, len) in
                    available().into_iter().flat_map(|backend| lens.clone().map(move |len| (backend, len)))
                {
                    let mut marks = FormMarks::default();
                    assert!(
                        mark_forms(backend, &bytes[..len], marked, &mut marks),
                        "{backend:?} has kernels"
                    );
                    let has = |marks: &[u64], at: usize| {
                        marks.get(at / BLOCK).is_some_and(|word| word >> (at % BLOCK) & 1 == 1)
                    };
                    for (at, &expected) in defined[..len].iter().enumerate() {
                        let found =
                            [has(&marks.upper, at), has(&marks.dots_and_digits, at), has(&marks.heads, at)];
                        assert_eq!(
                            found, expected,
                            "{backend:?}, {marked:?}, byte {at} of {len} from {start}"
                        );
                    }
                }
            }
        }
    }
}

/// The drawings of `docs/engine.md`.
mod drawings {
    use super::super::lines::mark::{Carries, mark};
    use super::super::lines::masks::classify;
    use super::super::lines::rare::{Rare, Uncommon};
    use super::super::lines::shape::{Allowed, Uri};
    use super::*;
    use crate::column::Columns;
    use crate::{Batch, Column, Validator};

    const DOC: &str = include_str!("../../docs/engine.md");

    /// Returns the rows of the drawing that starts after this heading and has the bytes of the example: names
    /// and masks.
    fn drawing(heading: &str) -> (Vec<u8>, Vec<(&'static str, u64)>) {
        let after = DOC.split_once(heading).expect("the heading").1;
        let mut rows =
            after.lines().skip_while(|line| !line.starts_with("bytes ")).take_while(|line| *line != "```");
        let row = |line: &'static str| {
            line.split_once(' ').map(|(name, row)| (name, row.trim_start())).expect("a row")
        };
        let bytes = row(rows.next().expect("bytes")).1.replace('\u{21B5}', "\n").into_bytes();
        let mask = |(name, row): (&'static str, &str)| {
            assert_eq!(row.len(), bytes.len(), "{name}");
            (name, row.bytes().enumerate().fold(0, |mask, (at, byte)| mask | u64::from(byte == b'1') << at))
        };
        let masks = rows.map(row).map(mask).collect();
        (bytes, masks)
    }

    #[test]
    fn masks_and_markers_are_drawn_as_they_are() {
        let (bytes, drawn_masks) = drawing("## Bytes to masks");
        let (same_bytes, drawn_markers) = drawing("## Masks to markers");
        assert_eq!(bytes, same_bytes);
        let mut block = [0; BLOCK];
        block[..bytes.len()].copy_from_slice(&bytes);
        let allowed = Allowed::by(Grammar::Uri);
        // SAFETY: `Emulated` and `u64` need no features.
        let (masks, uncommon, markers) = unsafe {
            let (masks, uncommon) =
                classify::<Emulated, Uri, true>(Emulated::load(&block), &mut Rare::new(true), || false);
            // The bytes after the last line are uncommon.
            let within = |mask: u64| mask & ((1 << bytes.len()) - 1);
            let uncommon = uncommon.unwrap_or(Uncommon::<u64>::NONE).map(within);
            (
                masks.map(within),
                uncommon,
                mark::<u64, Uri, true>(masks.map(within), uncommon, &mut Carries::new(), allowed),
            )
        };
        let names = ["newline", "colon", "slash", "query", "letter", "scheme", "hash"];
        let made =
            [masks.newline, masks.colon, masks.slash, masks.query, masks.letter, masks.scheme, uncommon.hash];
        assert_eq!(drawn_masks, names.into_iter().zip(made).collect::<Vec<_>>());

        // The markers between the steps, by the words of the page.
        let start = masks.newline << 1 | 1;
        let end_of_scheme = ((start & masks.letter) + masks.scheme) & !masks.scheme;
        let rest = (end_of_scheme & masks.colon) << 1;
        let authority = (((rest & masks.slash) << 1) & masks.slash) << 1;
        let authority_end = (authority + masks.scheme) & !masks.scheme;
        let within = (1u64 << bytes.len()) - 1;
        let expected = [
            ("start", start & within),
            ("scheme_end", markers.scheme_end & within),
            ("rest", rest),
            ("authority", authority),
            ("authority_end", authority_end),
            ("path", markers.path & within),
            ("path_end", markers.path_end & within),
            ("fallback", markers.fallback & within),
            ("end", markers.end),
        ];
        assert_eq!(drawn_markers, expected);
        assert_eq!((end_of_scheme, authority_end & !markers.path), (markers.scheme_end & within, 0));
    }

    #[test]
    fn columns_are_those_of_a_scan() {
        let (bytes, _) = drawing("## Bytes to masks");
        let (_, table) = DOC.split_once("| record | start |").expect("the table");
        let names: Vec<_> =
            table.lines().next().unwrap().split('|').map(str::trim).filter(|name| !name.is_empty()).collect();
        let columns: Vec<_> = core::iter::once("start")
            .chain(names)
            .map(|name| Column::ALL.iter().copied().find(|column| column.name() == name).expect(name))
            .collect();
        let mut batch = Batch::new();
        let batch = Validator::new(Grammar::Uri).scan(&bytes, Columns::ALL, &mut batch).unwrap();
        assert_eq!(batch.len(), 3);
        for (index, line) in table.lines().skip(2).take(3).enumerate() {
            let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).skip(1).collect();
            for (column, cell) in columns.iter().zip(cells) {
                let offset = batch.column(*column).unwrap()[index];
                let drawn = cell.parse().unwrap_or(Batch::ABSENT);
                assert_eq!(offset, drawn, "{column:?} of record {index}");
            }
        }
    }

    #[test]
    fn shapes_are_those_of_the_grammars() {
        use super::super::lines::shape::with_shape;

        for &grammar in Grammar::ALL {
            let shape = with_shape!(grammar, S => core::any::type_name::<S>());
            let shape = shape.rsplit(':').next().unwrap();
            let row =
                DOC.lines().find(|line| line.starts_with(&alloc::format!("| `{shape}` |"))).expect(shape);
            let grammars = row.split('|').nth(2).unwrap();
            assert!(grammars.split(',').any(|name| name.trim() == grammar.name()), "{grammar} in {row}");
        }
    }
}
