//! Tests buffers larger than the pieces of 128 KiB into which a scan cuts them, and reused batches.

use urivalidate::{Batch, Columns, Grammar, Validator};

use crate::cases::CASES;
use crate::reference::Checker;
use crate::stride;

const PIECE: usize = 128 << 10;

/// Appends lines until the buffer has at least `length` bytes.
fn fill(buffer: &mut Vec<u8>, length: usize, lines: &[&[u8]]) {
    for line in lines.iter().cycle() {
        if buffer.len() >= length {
            break;
        }
        buffer.extend_from_slice(line);
        buffer.push(b'\n');
    }
}

const COMMON: &[&[u8]] = &[
    b"http://www.example.com/a/b/c?d=e",
    b"https://example.org/some/longer/path/with-a-name/index.html#top\r",
    b"/relative/path?query#fragment",
    b"urn:example:x",
    b"//h/%41%42",
];

#[test]
fn lines_over_the_borders_of_pieces() {
    let mut checker = Checker::default();
    for shift in (0..100).step_by(3 * stride(5)) {
        let mut buffer = vec![b'a'; shift];
        buffer.push(b'\n');
        fill(&mut buffer, 2 * PIECE + 500, COMMON);
        buffer.extend_from_slice(b"http://u@h:1/");
        checker.lines(&buffer);
    }
}

/// Tests a line end, or half of it, as the last byte of a piece and as the first byte of the next.
#[test]
fn line_ends_at_the_borders_of_pieces() {
    let mut checker = Checker::default();
    for end in [&b"\n"[..], b"\r\n", b"\r\r\n", b"\n\n\n"] {
        for before in PIECE - 4..=PIECE + 1 {
            let mut buffer = Vec::new();
            fill(&mut buffer, before - 200, COMMON);
            buffer.extend_from_slice(b"http://h/");
            buffer.resize(before, b'x');
            buffer.extend_from_slice(end);
            fill(&mut buffer, PIECE + 300, COMMON);
            checker.lines(&buffer);
        }
    }
}

/// Tests records about as long as a piece or two, and much longer ones.
#[test]
fn long_records() {
    let mut checker = Checker::default();
    let lengths =
        [PIECE - 1, PIECE, PIECE + 1, PIECE + 65, 2 * PIECE - 1, 2 * PIECE, 2 * PIECE + 1, 5 * PIECE];
    let shapes: [(&[u8], u8, &[u8]); 6] = [
        (b"http://h/", b'a', b""),
        (b"http://h/?", b'a', b"#f"),
        (b"http://u@h:80/", b'a', b"%4"),
        (b"a", b'a', b"://h/"),
        (b"//", b'h', b"/?#"),
        (b"", b'a', b" "),
    ];
    for length in lengths.into_iter().step_by(stride(3)) {
        for (start, middle, end) in shapes {
            let mut record = start.to_vec();
            record.resize(length - end.len(), middle);
            record.extend_from_slice(end);
            let mut buffer = Vec::new();
            fill(&mut buffer, 100, COMMON);
            buffer.extend_from_slice(&record);
            buffer.extend_from_slice(b"\n");
            fill(&mut buffer, length + 1000, CASES);
            buffer.extend_from_slice(&record);
            checker.lines(&buffer);
        }
    }
}

/// Tests lines that mostly need the parsers: then a scan skips the kernels for many pieces, and tries them
/// again later.
#[test]
fn clean_and_dirty_stretches() {
    let mut checker = Checker::default();
    let dirty: [&[&[u8]]; 2] = [
        &[b"http://user:pw@example.com:8080/a/b", b"//u@[::1]:80/?q", b"\xC3\xA9", b"a://[v1.x]/"],
        &[b"http://example.com/a b", b"x[]=1", b"1:x", b"#a#b"],
    ];
    for dirty in dirty.into_iter().step_by(stride(2)) {
        let mut buffer = Vec::new();
        for (pieces, lines) in [(1, COMMON), (14, dirty), (10, COMMON), (1, dirty), (3, COMMON)] {
            let length = buffer.len() + pieces * PIECE;
            fill(&mut buffer, length, lines);
        }
        checker.lines(&buffer);
    }
}

#[test]
fn batches_are_used_again() {
    let mut large = Vec::new();
    fill(&mut large, 2 * PIECE, CASES);
    let buffers: [&[u8]; 6] = [&large, b"", b"a:b\n//h", &CASES.join(&b"\r\n"[..]), b"\n", &large[..1000]];
    let all = [Columns::ALL, Columns::NONE, Columns::RECORDS];
    let mut reused = Batch::new();
    for grammar in [Grammar::Uri, Grammar::Java] {
        let validator = Validator::new(grammar);
        for buffer in
            buffers.iter().flat_map(|buffer| buffers.iter().flat_map(move |other| [*buffer, other, buffer]))
        {
            for columns in all {
                let mut fresh = Batch::new();
                validator.scan(buffer, columns, &mut fresh).unwrap();
                validator.scan(buffer, columns, &mut reused).unwrap();
                assert_eq!(contents(&reused), contents(&fresh), "{grammar}, {columns:?}");
            }
        }
    }
}

fn contents(batch: &Batch) -> impl PartialEq + std::fmt::Debug + '_ {
    let columns: Vec<_> = urivalidate::Column::ALL.iter().map(|&column| batch.column(column)).collect();
    ((batch.len(), batch.columns()), batch.validity(), batch.invalid(), columns)
}
