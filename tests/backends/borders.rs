//! Tests records of every length at every alignment, and delimiters on both sides of the borders of blocks.

use crate::reference::Checker;
use crate::stride;

const BLOCK: usize = 64;

/// The parts of a record of any length: a start, a part to repeat, and an end.
const SHAPES: [(&[u8], &[u8], &[u8]); 11] = [
    (b"http://example.com/", b"abc/", b""),
    (b"http://user:pw@[::1]:80/", b"a%41", b"?q#f"),
    (b"//h", b"x.", b"/p?q"),
    (b"mailto:", b"a;", b"#f"),
    (b"/", b"a=b&?", b""),
    (b"http://h/", "\u{e9}".as_bytes(), b"#"),
    (b"a", b"b+1", b"://h"),
    (b"http://", b"h", b""),
    (b"http://h/", b"a", b" "),
    (b"a:", b"%4", b"1"),
    (b"", b"a/b?c#", b"\r"),
];

/// Returns a record of this shape and length. A short record is only the shape's end.
fn record((start, middle, end): (&[u8], &[u8], &[u8]), length: usize) -> Vec<u8> {
    let mut record = start.to_vec();
    record.extend(middle.iter().cycle().take(length.saturating_sub(start.len() + end.len())));
    record.extend(end);
    record.split_off(record.len() - length.min(record.len()))
}

/// A buffer that can start at any alignment.
#[repr(align(64))]
struct Aligned([u8; 1024]);

#[test]
fn every_length_at_every_alignment() {
    let mut checker = Checker::default();
    let mut memory = Aligned([b'\n'; 1024]);
    for length in 0..=300 {
        for alignment in (length % stride(13)..64).step_by(stride(13)) {
            // With varying lengths, every shape occurs at every alignment.
            let record = record(SHAPES[(length + alignment) % SHAPES.len()], length);
            let buffer = [&record[..], b"\n", &record, b"\na:b\n", &record].concat();
            let place = &mut memory.0[alignment..alignment + buffer.len()];
            place.copy_from_slice(&buffer);
            checker.lines(place);
        }
    }
}

/// Tests single records. They go to the kernels up to some length.
#[test]
fn every_length_of_a_single_record() {
    let mut checker = Checker::default();
    for shape in SHAPES {
        for length in (0..=600).step_by(stride(7)) {
            checker.lines(&record(shape, length));
        }
    }
}

/// The bytes to put at a border.
const DELIMITERS: [u8; 16] = *b":/?#@[]%\r\n \xC3\xFF1\0_";

/// Returns lines of 220 bytes, into which the tests put delimiters.
fn lines() -> [Vec<u8>; 8] {
    let shapes: [(&[u8], &[u8], &[u8]); 8] = [
        (b"http://example.com/", b"x", b""),
        (b"http://", b"h", b"/p?q#f"),
        (b"a", b"b", b"://h/?x"),
        (b"", b"/", b""),
        (b"a:/?", b"q", b"#f"),
        (b"//h/p#", b"f", b""),
        (b"", b"%41", b"x"),
        (b"a://u", b"1", b"@h:80/"),
    ];
    shapes.map(|shape| record(shape, 220))
}

#[test]
fn every_delimiter_at_every_place() {
    let mut checker = Checker::default();
    for line in lines() {
        for (number, delimiter) in DELIMITERS.into_iter().enumerate() {
            for at in (number % stride(5)..=200).step_by(stride(5)) {
                let mut line = line.clone();
                line[at] = delimiter;
                checker.lines(&[&line[..], b"\n//h:1\na:b"].concat());
            }
        }
    }
}

/// Tests all variants of a line in one buffer. It starts at a border of blocks, or one block before a border
/// of the groups of blocks that are scanned together.
#[test]
fn every_two_delimiters_around_a_border() {
    const GROUP: usize = 32 * BLOCK;
    let mut checker = Checker::default();
    for (number, line) in lines().into_iter().enumerate() {
        for (group, distances) in [(BLOCK, &[1, 2, 3, BLOCK][..]), (GROUP, &[1, 2])] {
            let mut buffer = vec![b'\n'; group - BLOCK];
            for at in (61 - number % 2..=64).step_by(stride(2)) {
                for &distance in distances {
                    for first in DELIMITERS {
                        for second in DELIMITERS {
                            let start = buffer.len();
                            buffer.extend_from_slice(&line);
                            buffer[start + at] = first;
                            buffer[start + at + distance] = second;
                            buffer.resize(
                                (start + line.len() + BLOCK).next_multiple_of(group) - BLOCK - 1,
                                b'x',
                            );
                            buffer.push(b'\n');
                        }
                    }
                }
            }
            checker.lines(&buffer);
        }
    }
}

/// Tests blocks in which many lines end, at all distances: the streams take their positions from the same
/// masks.
#[test]
fn short_lines() {
    let mut checker = Checker::default();
    for text in [&b"a:b"[..], b"//h/?#", b"/%41", b"a:", b"x://y", b"\r", b"\xC3\xA9"] {
        for shift in 0..64 {
            let mut buffer = vec![b'\n'; shift];
            for length in (0..=text.len()).cycle().take(150) {
                buffer.extend_from_slice(&text[..length]);
                buffer.extend_from_slice(if length % 3 == 0 { b"\r\n" } else { b"\n" });
            }
            checker.lines(&buffer);
        }
    }
}

/// Tests the first block of a single record, which is checked most closely: a scheme, two slashes or an
/// authority continues after it, and is wrong there.
#[test]
fn heads_that_go_on_after_the_first_block() {
    const STARTS: [&[u8]; 7] = [b"a", b"a:", b"a://h", b"//h", b"a:/", b"/", b"h."];
    const ENDS: [&[u8]; 20] = [
        b"", b":", b"://", b"://h:x/", b"//h:x", b"/h:x", b"h:x", b":80/", b"@a@b/", b"%4", b"[/", b"_:b",
        b"/x:y", b"?x:y", b":x", b"-./", b".-a/", b".1:x", b".1/", b"-:1",
    ];
    let mut checker = Checker::default();
    for start in STARTS {
        for fill in *b"a1" {
            let mut lines = Vec::new();
            for length in (0..70).step_by(stride(3)) {
                for end in ENDS {
                    lines.extend_from_slice(start);
                    lines.resize(lines.len() + length, fill);
                    lines.extend_from_slice(end);
                    lines.push(b'\n');
                }
            }
            checker.lines(&lines);
        }
    }
}
