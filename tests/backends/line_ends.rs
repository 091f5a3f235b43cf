//! Tests LF, CR LF, and bytes that only resemble a line end.

use crate::cases::CASES;
use crate::reference::{Checker, line_ranges};

#[test]
fn the_reference_cuts_as_documented() {
    let cut = |buffer: &'static [u8]| {
        line_ranges(buffer).into_iter().map(|range| &buffer[range]).collect::<Vec<_>>()
    };
    assert!(cut(b"").is_empty());
    assert_eq!(cut(b"\n"), [b""]);
    assert_eq!(cut(b"\r\n"), [b""]);
    assert_eq!(cut(b"a\r\n\r\r\nb\r"), [&b"a"[..], b"\r", b"b\r"]);
    assert_eq!(cut(b"a\rb\n\nc"), [&b"a\rb"[..], b"", b"c"]);
}

#[test]
fn nothing_but_line_ends() {
    let mut checker = Checker::default();
    for unit in [&b"\n"[..], b"\r", b"\r\n", b"\r\r\n", b"\n\r", b"\n\n\r\n", b"\r\n\r"] {
        for length in 0..=200 {
            let buffer: Vec<u8> = unit.iter().copied().cycle().take(length).collect();
            checker.lines(&buffer);
        }
    }
}

/// Tests the same list with different line ends between the records, and after the last record.
#[test]
fn lists() {
    let mut checker = Checker::default();
    for between in [&b"\n"[..], b"\r\n", b"\r\r\n", b"\n\n", b"\r\n\n", b"\n\r\n", b" \r\n", b"\r \n"] {
        for last in [&b""[..], b"\n", b"\r\n", b"\r\r\n", b"\r", b"\n\r", b"\r\n\r"] {
            let list = [&CASES.join(between), last].concat();
            checker.lines(&list);
            checker.rows(&list);
        }
    }
}

/// Tests each kind of line end after each case, across a border at each position.
#[test]
fn ends_over_borders() {
    let mut checker = Checker::default();
    for end in [&b"\r\n"[..], b"\r\r\n", b"\n\r\n", b"\r", b"\r\nx", b"%\r\n", b"%4\r\n", b"#\r\n", b"//\r\n"]
    {
        for start in [&b"a:"[..], b"//h", b"a://h/?q", b"/#"] {
            for filler in 40..70 {
                let line = [start, &[b'a'; 70][..filler], end].concat();
                checker.lines(&line);
                checker.lines(&[&line[..], b"\n", &line, b"\n"].concat());
            }
        }
    }
}
