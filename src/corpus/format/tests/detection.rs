//! The format that the first lines of an input have.

use super::*;

#[test]
fn a_last_line_without_an_end_tells_the_format_too() {
    let line = "192.0.2.1 - - [10/Oct/2026:13:55:36 -0700] \"GET /a HTTP/1.0\" 200 2326";
    for log in [line.to_owned(), format!("garbage\n{line}"), format!("\u{FEFF}\n\n{line}")] {
        let found = case(Format::Common).detected(&log).run(&log);
        assert_eq!(texts(&found), ["/a"]);
    }
}

#[test]
fn the_format_is_that_of_most_of_the_first_lines() {
    let log_line = HERITRIX.lines().next().unwrap();
    let log = format!("{log_line}\n").repeat(20);
    let uris = "http://example.com/\n".repeat(5);
    let found = case(Format::Heritrix).detected(format!("{uris}{log}")).run(format!("{uris}{log}"));
    assert_eq!((found.records.len(), found.malformed.len()), (20, 5));
    let mostly_uris = format!("{}{log}", "http://example.com/\n".repeat(30));
    assert_eq!(Format::detect(mostly_uris.as_bytes()), Format::Lines);
    // Lines after the first 200, or after 64 KiB, do not count.
    let late = format!("{}{}", "http://example.com/\n".repeat(200), log.repeat(20));
    assert_eq!(Format::detect(late.as_bytes()), Format::Lines);
    let late = format!("http://example.com/{}\n{log}", "x".repeat(64 << 10));
    assert_eq!(Format::detect(late.as_bytes()), Format::Lines);
    let warc = [uris.as_bytes(), &warc_record("WARC-Target-URI: urn:a\r\n", &b"\n".repeat(20))].concat();
    assert_eq!(Format::detect(&warc), Format::Warc);
}

#[test]
fn lists_are_lines() {
    for list in [
        "",
        "\n\n",
        "http://example.com/\n",
        "\u{FEFF}http://example.com/,a\nhttp://example.com/,b\n",
        "# a comment\nhttp://example.com/ with spaces\n",
        "www.example.com\nexample.com/a,b\n",
        "Websites, all of them\nhttp://example.com/\n",
        "node:url\n",
        "localhost:8080/x\n",
        "{template}\n",
        "{\"not\": \"closed\"\n",
        "a,b\nc,d\n",
        "GET / HTTP/1.1\n",
        "2026-01-02 http://example.com/\n",
        "no line end",
    ] {
        assert_eq!(Format::detect(list.as_bytes()), Format::Lines, "{list}");
    }
}

#[test]
fn the_first_lines_end_before_one_that_is_too_long() {
    let whole: &[u8] = b"ab\nabc\nab\n";
    assert_eq!(head_of(whole, 4, true), Some(whole));
    assert_eq!(head_of(whole, 3, true), Some(&whole[..3]));
    assert_eq!(head_of(whole, 4, false), None);
    assert_eq!(head_of(b"ab\nabcd", 4, true), Some(&b"ab\nabcd"[..]));
    assert_eq!(head_of(b"ab\nabcd", 3, false), Some(&b"ab\n"[..]));
}

#[test]
fn what_tells_nothing_is_lines() {
    let take = |chunk: &crate::corpus::Chunk<'_>| (chunk.layout().format(), chunk.lines().len());
    for input in [b"x".as_slice(), b"x\ny\nz", &[b'x'; 200]] {
        let scanner = Scanner::new().detect_format(LayoutOptions::default()).chunk_size(2).max_record(100);
        let mut bytes = 0;
        let sink = |(format, len)| {
            assert_eq!(format, Format::Lines);
            bytes += len;
            ControlFlow::<()>::Continue(())
        };
        scanner.scan_reader(input, take, sink).unwrap();
        assert_eq!(bytes, input.len());
    }
}

#[test]
fn what_comes_before_a_failure_is_scanned() {
    struct Failing(&'static [u8]);
    impl std::io::Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            if self.0.is_empty() {
                return Err(std::io::Error::other("gone"));
            }
            std::io::Read::read(&mut self.0, buffer)
        }
    }
    let mut lines = 0;
    let scanner = Scanner::new().detect_format(LayoutOptions::default());
    let result = scanner.scan_reader(
        Failing(b"x\ny\n"),
        |chunk| crate::work::memchr_iter(b'\n', chunk.lines()).count(),
        |count| {
            lines += count;
            ControlFlow::<()>::Continue(())
        },
    );
    assert_eq!((result.unwrap_err().to_string().as_str(), lines), ("gone", 2));
}

/// Tests that `scan_stream` waits for the lines after a pause, `scan_reader` does not, and `fill_chunks`
/// reads all first lines.
#[test]
fn the_first_lines_may_come_in_pieces() {
    struct Pieces(Vec<&'static [u8]>);
    impl std::io::Read for Pieces {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
            let piece = self.0.remove(0);
            buffer[..piece.len()].copy_from_slice(piece);
            Ok(piece.len())
        }
    }
    let pieces = || Pieces(vec![b"http://a/\t200\n", b"http://b/\t", b"200\nhttp://c/\t404\n"]);
    let scanner = || Scanner::new().detect_format(LayoutOptions::default());
    let job = |chunk: &crate::corpus::Chunk<'_>| chunk.layout().format();
    for (expected, is_stream, fill) in [
        (Format::Tsv, true, false),
        (Format::Lines, false, false),
        (Format::Tsv, true, true),
        (Format::Tsv, false, true),
    ] {
        let scanner = scanner().fill_chunks(fill);
        let sink = |format| {
            assert_eq!(format, expected, "{is_stream} {fill}");
            ControlFlow::<()>::Continue(())
        };
        let result = match is_stream {
            true => scanner.scan_stream(pieces(), job, sink),
            false => scanner.scan_reader(pieces(), job, sink),
        };
        result.unwrap();
    }
}
