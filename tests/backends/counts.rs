//! Compares statistics of scans that count components with statistics of all columns.

use std::ops::ControlFlow;

use urivalidate::corpus::{Chunk, ChunkScanner, Format, Scanner};
use urivalidate::stats::{Members, ReadAs, Stats, Summary};
use urivalidate::{Backend, Columns, Grammar, Request, Validator};

use crate::cases::CASES;
use crate::reference::backends;
use crate::shuffled::Random;

/// Returns the statistics of lines as a tree, and the number of chunks whose components the scan counted.
fn statistics(lines: &[u8], validator: &Validator, request: Request) -> (Members<'static>, usize) {
    let chunk_scanner = std::sync::Mutex::new(ChunkScanner::default());
    let (mut total, mut counted) = (Stats::new(), 0);
    let count = |chunk: &Chunk<'_>| {
        let mut chunk_scanner = chunk_scanner.lock().unwrap();
        let scanned = chunk_scanner.scan(chunk, validator, request).unwrap();
        let mut stats = Stats::new();
        stats.count(&scanned).unwrap();
        (stats, scanned.batch().columns() == Columns::RECORDS)
    };
    let append = |(stats, was_counted)| {
        total.append(&stats);
        counted += usize::from(was_counted);
        ControlFlow::<()>::Continue(())
    };
    assert!(Scanner::new().chunk_size(64 << 10).scan_slice(lines, count, append).unwrap().is_none());
    let total: &'static Stats = Box::leak(Box::new(total));
    (Summary::new(total, ReadAs::new(Format::Lines, validator.grammar())).members(), counted)
}

/// Returns lines with a scheme and a host, of all lengths up to five blocks. One in `rare` is any case.
fn lines(random: &mut Random, len: usize, rare: usize) -> Vec<u8> {
    const SCHEMES: &[&str] = &["http", "https", "https", "ftp", "HTTP", "abcdefgh", "x-long-scheme", "s3"];
    const HOSTS: &[&str] = &["h", "example.com", "www.a-b.example", "EXAMPLE.com", "a1.b-2c.example"];
    const PARTS: &[&str] =
        &["/", "/a", "?", "?b", "#", "#c", "%41", "aaaaaaa", "/../", ":@", "1", "?x/y", "//"];
    let mut lines = Vec::new();
    while lines.len() < len {
        if random.below(rare) == 0 {
            lines.extend_from_slice(CASES[random.below(CASES.len())]);
        } else {
            lines.extend_from_slice(SCHEMES[random.below(SCHEMES.len())].as_bytes());
            lines.extend_from_slice(b"://");
            lines.extend_from_slice(HOSTS[random.below(HOSTS.len())].as_bytes());
            let parts = if random.below(50) == 0 { 900 } else { 10 };
            for part in 0..random.below(parts) {
                let part = PARTS[if part == 0 { random.below(4) } else { random.below(PARTS.len()) }];
                // A second `#` makes a line invalid, so few lines have even one.
                if !part.contains('#') || random.below(50) == 0 {
                    lines.extend_from_slice(part.as_bytes());
                }
            }
        }
        lines.extend_from_slice(if random.below(100) == 0 { b"\r\n" } else { b"\n" });
    }
    if random.below(2) == 0 {
        lines.pop();
    }
    lines
}

#[test]
fn counts_are_those_of_columns() {
    let mut random = Random(38);
    for (len, rare) in
        [(0, 9), (1, 9), (2000, 40), (100_000, 60), (200_000, 10), (400_000, 200), (400_000, 1000)]
    {
        let lines = lines(&mut random, len, rare);
        for &grammar in Grammar::ALL {
            for &backend in backends() {
                let validator = Validator::new(grammar).with_backend(backend).unwrap();
                let (expected, _) = statistics(&lines, &validator, Columns::ALL.into());
                let (found, counted) = statistics(&lines, &validator, Stats::new().request());
                assert_eq!(found, expected, "{grammar}, {backend}, 1 in {rare}");
                let can_count = backend != Backend::Scalar
                    && !matches!(grammar, Grammar::RelativeRef | Grammar::RequestTarget);
                assert!(can_count || counted == 0, "{grammar}, {backend}");
                if can_count && rare == 1000 && grammar != Grammar::AbsoluteUri {
                    assert!(counted > 3, "{grammar}, {backend}: {counted} chunks");
                }
            }
        }
    }
}

/// Each case stands at each place in a block, between lines that are counted.
#[test]
fn cases_do_not_affect_the_counts_of_their_neighbours() {
    let validator = Validator::new(Grammar::UriReference);
    let common = b"https://example.com/a?b#c\nhttps://example.com\n".repeat(20);
    for (number, case) in CASES.iter().enumerate() {
        let filler = "a".repeat(number % 64);
        let mut lines = format!("https://example.com/{filler}\n").into_bytes();
        for part in [&common[..], case, b"\n", &common, case, &filler.repeat(70).into_bytes(), b"\n", &common]
        {
            lines.extend_from_slice(part);
        }
        let (expected, _) = statistics(&lines, &validator, Columns::ALL.into());
        let (found, _) = statistics(&lines, &validator, Stats::new().request());
        assert_eq!(found, expected, "{}", case.escape_ascii());
    }
}

/// Statistics that include hosts need columns.
#[test]
fn a_scan_that_counted_has_no_hosts() {
    let count = |chunk: &Chunk<'_>| {
        let mut chunk_scanner = ChunkScanner::default();
        let scanned =
            chunk_scanner.scan(chunk, &Validator::new(Grammar::Uri), Stats::new().request()).unwrap();
        let needs_hosts = Stats::new().with_hosts().count(&scanned);
        assert_eq!(needs_hosts.is_err(), scanned.batch().columns() != Columns::ALL);
        assert_eq!(Stats::new().with_hosts().request(), Columns::ALL.into());
    };
    let common = b"https://example.com/\n".repeat(100);
    Scanner::new().scan_slice(&common, count, |()| ControlFlow::<()>::Continue(())).unwrap();
}
