//! Tests the corpus reader against a slow and simple one, for every way to pass an input and any size of
//! chunk.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use urivalidate::corpus::{Chunk, ChunkScanner, Format, Layout, LayoutOptions, Scanner, WantedLines};
use urivalidate::{Columns, Error, ErrorKind, Grammar, Validator};

/// The result of a scan for one record.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Seen {
    line: u64,
    column: u64,
    length: u64,
    /// None for a record over the limit.
    bytes: Option<Vec<u8>>,
}

/// The result of a scan of a whole input.
#[derive(Debug, Default, PartialEq, Eq)]
struct Scan {
    records: Vec<Seen>,
    /// All lines as the scan passed them through.
    lines: Vec<u8>,
    /// The number of all bytes.
    bytes: u64,
}

/// The definition of a record, written as simply as possible.
fn expected(input: &[u8], limit: usize) -> Scan {
    let text = input.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(input);
    let mut scan = Scan { lines: text.to_vec(), bytes: input.len() as u64, ..Scan::default() };
    for (i, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let record = match line.strip_suffix(b"\n") {
            Some(line) => line.strip_suffix(b"\r").unwrap_or(line),
            None => line,
        };
        scan.records.push(Seen {
            line: i as u64 + 1,
            column: if i == 0 { (input.len() - text.len()) as u64 + 1 } else { 1 },
            length: record.len() as u64,
            bytes: (record.len() <= limit).then(|| record.to_vec()),
        });
    }
    scan
}

fn is_too_long(error: Option<Error>) -> bool {
    error.is_some_and(|error| error.kind() == ErrorKind::RecordTooLong)
}

/// The job: returns the contents of a chunk.
fn look(chunk: &Chunk<'_>) -> (Option<u64>, Scan) {
    let mut chunk_scanner = ChunkScanner::default();
    let scanned = chunk_scanner.scan(chunk, &Validator::new(Grammar::Uri), Columns::RECORDS).unwrap();
    let records = (0..scanned.len()).map(|index| Seen {
        line: scanned.line_number(index).unwrap(),
        column: scanned.start_column(index).unwrap(),
        length: scanned.length(index).unwrap(),
        bytes: (!is_too_long(scanned.error(index))).then(|| scanned.record(index).unwrap().to_vec()),
    });
    let scan =
        Scan { records: records.collect(), lines: chunk.lines().to_vec(), bytes: chunk.bytes().len() as u64 };
    (chunk.first_line(), scan)
}

/// The sink: joins the chunks' results.
fn collect(total: &mut Scan) -> impl FnMut((Option<u64>, Scan)) -> ControlFlow<()> {
    |(first_line, scan)| {
        let lines = total.records.len() as u64;
        if let Some(first) = first_line {
            assert_eq!(first, lines + 1, "a chunk knows its first line");
        }
        total
            .records
            .extend(scan.records.into_iter().map(|seen| Seen { line: lines + seen.line + 1, ..seen }));
        total.lines.extend(scan.lines);
        total.bytes += scan.bytes;
        ControlFlow::Continue(())
    }
}

/// A stream that comes in pieces of these sizes, in rotation.
struct Pieces<'a> {
    rest: &'a [u8],
    sizes: &'a [usize],
    next: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.sizes[self.next % self.sizes.len()];
        self.next += 1;
        let (now, rest) = self.rest.split_at(size.min(buffer.len()).min(self.rest.len()));
        buffer[..now.len()].copy_from_slice(now);
        self.rest = rest;
        Ok(now.len())
    }
}

fn file_of(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    file
}

fn scanner(threads: usize, chunk_size: usize, limit: usize) -> Scanner {
    let scanner = Scanner::new().chunk_size(chunk_size).max_record(limit).number_lines(true);
    #[cfg(feature = "rayon")]
    return scanner.threads(threads);
    #[cfg(not(feature = "rayon"))]
    return {
        let _ = threads;
        scanner
    };
}

fn mapping(scanner: Scanner) -> Scanner {
    // SAFETY: nobody changes the files of these tests.
    #[cfg(feature = "mmap")]
    #[expect(unsafe_code, reason = "other processes can change a mapped file")]
    return unsafe { scanner.map_files(true) };
    #[cfg(not(feature = "mmap"))]
    return scanner;
}

proptest! {
    #[test]
    fn every_way_in_yields_the_same_records(
        input in prop::collection::vec(prop::sample::select(b"ab\n\r\n \xEF\xBB\xBF".to_vec()), 0..200),
        has_mark in any::<bool>(),
        chunk_size in 1usize..40,
        limit in 0usize..20,
        threads in 1usize..4,
        sizes in prop::collection::vec(1usize..9, 1..4),
    ) {
        let input = [if has_mark { b"\xEF\xBB\xBF".as_slice() } else { b"" }, &input].concat();
        let expected = expected(&input, limit);

        let mut scan = Scan::default();
        scanner(threads, chunk_size, limit).scan_slice(&input, look, collect(&mut scan)).unwrap();
        prop_assert_eq!(&scan, &expected, "slice");

        let mut scan = Scan::default();
        let pieces = Pieces { rest: &input, sizes: &sizes, next: 0 };
        scanner(threads, chunk_size, limit).scan_reader(pieces, look, collect(&mut scan)).unwrap();
        prop_assert_eq!(&scan, &expected, "stream");

        let file = file_of(&input);
        let mut scan = Scan::default();
        scanner(threads, chunk_size, limit).scan_file(file.reopen().unwrap(), look, collect(&mut scan)).unwrap();
        prop_assert_eq!(&scan, &expected, "file, read");

        let mut scan = Scan::default();
        mapping(scanner(threads, chunk_size, limit)).scan_file(file.reopen().unwrap(), look, collect(&mut scan)).unwrap();
        prop_assert_eq!(&scan, &expected, "file, mapped");
    }
}

#[test]
fn what_fills_many_chunks_comes_in_order() {
    let input: Vec<u8> = (0..200_000).flat_map(|i| format!("urn:x:{i}\n").into_bytes()).collect();
    let file = file_of(&input);
    for threads in [1, 2, 7] {
        let mut scan = Scan::default();
        let scanner = mapping(scanner(threads, 4096, 1000));
        scanner.scan_file(file.reopen().unwrap(), look, collect(&mut scan)).unwrap();
        assert_eq!(scan, expected(&input, 1000));
    }
}

#[test]
fn a_record_of_the_limit_is_within_it_whatever_its_line_end() {
    for (text, is_too_long) in [
        ("12345678\n", false),
        ("12345678\r\n", false),
        ("12345678", false),
        ("12345678\r", true),
        ("12345678\r\r\n", true),
        ("123456789\n", true),
        ("123456789", true),
        ("\u{FEFF}12345678\r\n", false),
        ("\u{FEFF}123456789\r\n", true),
    ] {
        for chunk_size in 1..20 {
            let mut scan = Scan::default();
            scanner(1, chunk_size, 8).scan_reader(text.as_bytes(), look, collect(&mut scan)).unwrap();
            assert_eq!(scan, expected(text.as_bytes(), 8), "{text:?}, chunks of {chunk_size}");
            assert_eq!(scan.records[0].bytes.is_none(), is_too_long, "{text:?}");
        }
    }
}

#[test]
fn an_endless_record_takes_bounded_memory() {
    let limit = 10_000;
    let mut longest = 0;
    let mut last = None;
    let input = io::repeat(b'a').take(50_000_000).chain(&b"\r\nurn:x:y\n"[..]);
    scanner(1, 4096, limit)
        .scan_reader(
            input,
            |chunk| {
                let records = look(chunk).1.records;
                let lengths = records.iter().map(|seen| (seen.length, seen.bytes.is_none()));
                (chunk.bytes().len(), lengths.collect::<Vec<_>>())
            },
            |(len, records)| {
                longest = longest.max(len);
                last = records.first().copied().or(last);
                if !records.is_empty() && last == Some((50_000_000, true)) {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            },
        )
        .unwrap();
    assert_eq!(last, Some((50_000_000, true)));
    assert!(longest <= limit + 4096 + 2, "{longest}");
}

#[test]
fn the_sink_stops_the_scan() {
    let input = b"urn:x\n".repeat(100_000);
    for threads in [1, 3] {
        let jobs = AtomicUsize::new(0);
        let mut delivered = 0;
        let result = scanner(threads, 64, 100).scan_slice(
            &input,
            |_| jobs.fetch_add(1, Ordering::Relaxed),
            |_| {
                delivered += 1;
                if delivered == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        result.unwrap();
        assert_eq!(delivered, 5);
        assert!(jobs.into_inner() <= 5 + 4 * threads + 24, "nothing goes on behind the sink's back");
    }
}

#[test]
#[should_panic(expected = "the job's own")]
fn a_panic_of_a_job_reaches_the_caller() {
    let input = b"urn:x\n".repeat(1000);
    let job = |chunk: &Chunk<'_>| assert!(chunk.base() < 600, "the job's own");
    let _ = scanner(2, 64, 100).scan_slice(&input, job, |()| ControlFlow::<()>::Continue(()));
}

#[test]
fn an_error_of_the_stream_comes_after_what_was_read() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("broken"))
        }
    }
    // The last of these lines start like compressed inputs, but are too short to tell.
    for lines in ["urn:a\nurn:b\nurn:c\n", "R", "P*", "(", "\u{1F}"] {
        for threads in [1, 2] {
            let mut scan = Scan::default();
            let input = lines.as_bytes().chain(Broken);
            let error = scanner(threads, 8, 100).scan_reader(input, look, collect(&mut scan)).unwrap_err();
            assert_eq!(error.to_string(), "broken");
            assert_eq!(scan.lines, lines.as_bytes());
        }
    }
}

/// Tests that a stream slower than the scan gets its verdicts before it continues.
#[test]
fn a_slow_stream_is_not_kept_waiting() {
    use std::sync::atomic::AtomicBool;

    struct Slow<'a> {
        lines: std::vec::IntoIter<&'static [u8]>,
        was_answered: &'a AtomicBool,
    }
    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            assert!(
                self.was_answered.swap(false, Ordering::SeqCst),
                "the next read comes before the last answer"
            );
            let line = self.lines.next().unwrap_or_default();
            buffer[..line.len()].copy_from_slice(line);
            Ok(line.len())
        }
    }
    for threads in [1, 2] {
        let was_answered = AtomicBool::new(true);
        let lines = vec![&b"urn:a\n"[..], b"urn:b\n", b"urn:c\nurn:d\n"].into_iter();
        let mut scan = Scan::default();
        let mut collect = collect(&mut scan);
        scanner(threads, 1 << 20, 100)
            .scan_reader(Slow { lines, was_answered: &was_answered }, look, |found| {
                was_answered.store(true, Ordering::SeqCst);
                collect(found)
            })
            .unwrap();
        drop(collect);
        assert_eq!(scan.records.len(), 4);
    }
}

/// Tests that a scanner that fills chunks makes the same chunks of a stream that comes byte by byte and of
/// one that comes at once.
#[test]
fn filled_chunks_are_the_same_whenever_the_bytes_come() {
    struct Drops<'a>(&'a [u8], usize);
    impl Read for Drops<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.0.len().min(buffer.len()).min(self.1);
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }
    let input = b"http://a.example/1\n/2\nurn:three\n".repeat(200);
    for threads in [1, 3] {
        let scanner = scanner(threads, 256, 100);
        let chunks = |scanner: &Scanner, size| {
            let mut ends = Vec::new();
            let job = |chunk: &Chunk<'_>| chunk.base() + chunk.bytes().len() as u64;
            let take = |end| {
                ends.push(end);
                ControlFlow::<()>::Continue(())
            };
            scanner.scan_reader(Drops(&input, size), job, take).unwrap();
            ends
        };
        let whole = chunks(&scanner, usize::MAX);
        assert_eq!(whole.last(), Some(&(input.len() as u64)));
        assert_ne!(chunks(&scanner, 40), whole, "what comes slowly is scanned as it comes");
        let scanner = scanner.fill_chunks(true);
        for size in [1, 40, 255, 256, usize::MAX] {
            assert_eq!(chunks(&scanner, size), whole, "reads of {size} bytes");
        }
    }
}

/// The job itself truncates the file at a place that has not been scanned. Access to the mapping after that
/// place would end the process with SIGBUS.
#[test]
#[cfg_attr(target_arch = "s390x", ignore = "qemu reports a wrong address for the fault")]
fn a_file_that_shrinks_is_scanned_to_its_new_end_and_reported() {
    let input = b"http://example.com/0123456789\n".repeat(40_000);
    let ways = [(1, false), (2, false), (1, true), (2, true)];
    // On Windows, no program can make a mapped file shorter.
    for (threads, is_mapped) in ways.into_iter().filter(|&(_, is_mapped)| cfg!(unix) || !is_mapped) {
        // Mapped bytes show the change, bytes already read do not.
        let ahead = if is_mapped { 2 * threads + 3 } else { 4 * threads + 26 };
        for new_len in [700_007usize, 8192, 8191, 0] {
            let file = file_of(&input);
            let writer = OpenOptions::new().write(true).open(file.path()).unwrap();
            let cut = |chunk: &Chunk<'_>| {
                if chunk.base() == 0 && chunk.bytes().len() > 16_000 {
                    writer.set_len(new_len as u64).unwrap();
                }
                look(chunk)
            };
            let mut scan = Scan::default();
            let scanner = scanner(threads, 16_384, 1000);
            let scanner = if is_mapped { mapping(scanner) } else { scanner };
            let error = scanner.scan_file(file.reopen().unwrap(), cut, collect(&mut scan)).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
            assert_eq!(error.to_string(), "truncated while it was read");
            // Bytes that were buffered or scanned before the truncation may extend further, but they never
            // differ.
            let read = scan.lines.len();
            assert!(read >= new_len.min(input.len()), "{read} of {new_len}");
            assert!(read <= new_len.max(16_384 * ahead), "{read} of {new_len}");
            assert_eq!(scan, expected(&input[..read], 1000));
        }
    }
}

#[cfg(windows)]
#[test]
fn no_program_can_make_a_mapped_file_shorter() {
    const USER_MAPPED_FILE: i32 = 1224;

    let input = b"http://example.com/\n".repeat(20_000);
    let file = file_of(&input);
    let writer = OpenOptions::new().write(true).open(file.path()).unwrap();
    let cut = |chunk: &Chunk<'_>| {
        assert_eq!(writer.set_len(8192).unwrap_err().raw_os_error(), Some(USER_MAPPED_FILE));
        look(chunk)
    };
    let mut scan = Scan::default();
    mapping(scanner(1, 16_384, 1000)).scan_file(file.reopen().unwrap(), cut, collect(&mut scan)).unwrap();
    assert_eq!(scan, expected(&input, 1000));
}

#[test]
fn what_is_appended_meanwhile_is_scanned() {
    let input = b"http://example.com/\n".repeat(20_000);
    for is_mapped in [true, false] {
        let file = file_of(&[&input[..], b"http://exam"].concat());
        let mut writer = OpenOptions::new().append(true).open(file.path()).unwrap();
        let mut scan = Scan::default();
        let mut collect = collect(&mut scan);
        let mut has_written = false;
        let scanner = scanner(2, 4096, 1000);
        let scanner = if is_mapped { mapping(scanner) } else { scanner };
        let result = scanner.scan_file(File::open(file.path()).unwrap(), look, |found| {
            if !std::mem::replace(&mut has_written, true) {
                writer.write_all(b"ple.org/\nurn:last:one\n").unwrap();
            }
            collect(found)
        });
        result.unwrap();
        drop(collect);
        let whole = [&input[..], b"http://example.org/\nurn:last:one\n"].concat();
        assert_eq!(scan, expected(&whole, 1000));
    }
}

/// Tests a file that several workers read. Its lines are longer than chunks, and longer than the blocks in
/// which the search for a line end reads.
#[cfg(feature = "rayon")]
#[test]
fn workers_read_lines_of_any_length() {
    let line = |length: usize| [b"http://h/".to_vec(), vec![b'a'; length], b"\n".to_vec()].concat();
    let input: Vec<u8> =
        (0..400).flat_map(|i| line([1, 70_000, 5, 20_000, 300, 4096, 140_000][i % 7])).collect();
    let file = file_of(&input);
    for limit in [1000, 100_000, 1 << 20] {
        let mut scan = Scan::default();
        let result = scanner(3, 32_768, limit).scan_file(file.reopen().unwrap(), look, collect(&mut scan));
        result.unwrap();
        assert_eq!(scan, expected(&input, limit), "{limit}");
    }
}

/// Tests that a small file starts no threads, which would take longer than the scan.
#[cfg(feature = "rayon")]
#[test]
fn a_file_of_one_chunk_is_scanned_on_the_calling_thread() {
    for content in ["", "urn:a", "urn:a\nurn:b\n"] {
        let file = File::open(file_of(content.as_bytes()).path()).unwrap();
        let mut chunks = 0;
        let sink = |worker| {
            assert_eq!(worker, std::thread::current().id());
            chunks += 1;
            ControlFlow::<()>::Continue(())
        };
        scanner(2, 4096, 4096).scan_file(file, |_| std::thread::current().id(), sink).unwrap();
        assert_eq!(chunks, usize::from(!content.is_empty()));
    }
}

#[test]
fn a_byte_order_mark_is_no_record_however_small_the_limits() {
    for (input, lengths) in [
        (&b"\xEF\xBB\xBF"[..], &[][..]),
        (b"\xEF\xBB\xBF\n", &[0]),
        (b"\xEF\xBB\xBF\r\n\n", &[0, 0]),
        (b"\xEF\xBB\xBFabcdef\n\n", &[6, 0]),
        (b"\xEF\xBB\xBFabcdef", &[6]),
    ] {
        for chunk_size in 1..8 {
            for threads in [1, 2] {
                let scanner = || scanner(threads, chunk_size, 0);
                let mut scans = [Scan::default(), Scan::default(), Scan::default(), Scan::default()];
                let file = file_of(input);
                let [slice, read, in_file, mapped] = &mut scans;
                scanner().scan_slice(input, look, collect(slice)).unwrap();
                let pieces = Pieces { rest: input, sizes: &[1], next: 0 };
                scanner().scan_reader(pieces, look, collect(read)).unwrap();
                scanner().scan_file(file.reopen().unwrap(), look, collect(in_file)).unwrap();
                mapping(scanner()).scan_file(file.reopen().unwrap(), look, collect(mapped)).unwrap();
                for scan in scans {
                    let found: Vec<_> = scan.records.iter().map(|record| record.length).collect();
                    assert_eq!(found, lengths, "{input:?}, chunks of {chunk_size}");
                    assert!(scan.records.first().is_none_or(|record| record.column == 4));
                    assert_eq!(scan.lines, &input[3..]);
                }
            }
        }
    }
}

#[test]
fn a_file_is_scanned_from_its_start_wherever_it_stands() {
    let input = b"urn:a\n".repeat(1000);
    let expected = expected(&input, 99);
    for scanner in [scanner(1, 64, 99), mapping(scanner(1, 64, 99))] {
        for position in [1, 3000, 6000, 7000] {
            let mut file = file_of(&input).reopen().unwrap();
            file.seek(SeekFrom::Start(position)).unwrap();
            let mut scan = Scan::default();
            scanner.scan_file(file, look, collect(&mut scan)).unwrap();
            assert_eq!(scan, expected);
        }
    }
}

/// Tests the maximum chunk size: offsets in a chunk are 32 bits wide.
#[test]
#[cfg(target_pointer_width = "64")]
fn no_chunk_has_4_gib() {
    // Nothing writes most of these zeros, so they take no memory.
    let input = vec![0; (1 << 30) + 10];
    for chunk_size in [1 << 32, (1 << 32) + 1, u32::MAX as usize - 1, usize::MAX] {
        let mut found = Vec::new();
        Scanner::new()
            .terminator(0)
            .chunk_size(chunk_size)
            .scan_slice(
                &input,
                |chunk| (chunk.base(), chunk.bytes().len()),
                |chunk| {
                    found.push(chunk);
                    ControlFlow::<()>::Continue(())
                },
            )
            .unwrap();
        assert_eq!(found, [(0, 1 << 30), (1 << 30, 10)]);
    }
}

/// Tests inputs with and without a last line end, passed in every way.
#[test]
fn a_format_is_detected_in_every_way_in() {
    let inputs: [&[u8]; 5] = [
        b"http://example.com/\nhttp://example.org/",
        b"h - - [01/Jan/2026:00:00:00 +0000] \"GET / HTTP/1.1\" 200 0\nh - - [01/Jan/2026:00:00:00 +0000] \"GET / HTTP/1.1\" 200 0",
        b"{\"url\":\"http://example.com/\"}\n{\"url\":\"http://example.org/\"}",
        b"#Fields: cs-uri-stem\n/a\n/b",
        b"id,url\n1,http://example.com/",
    ];
    let format = |chunk: &Chunk<'_>| chunk.layout().format();
    let mut seen = std::collections::HashSet::new();
    for input in inputs {
        for len in 2..=input.len() {
            let input = &input[..len];
            let file = file_of(input);
            let mut found = [None; 4];
            let scanner = || scanner(1, 1, 999).detect_format(LayoutOptions::default());
            let mut ways = found.iter_mut().map(|to| {
                |format| {
                    *to = Some(format);
                    ControlFlow::Break(())
                }
            });
            let mut next = || ways.next().unwrap();
            scanner().scan_slice(input, format, next()).unwrap();
            scanner().scan_reader(input, format, next()).unwrap();
            scanner().scan_file(file.reopen().unwrap(), format, next()).unwrap();
            mapping(scanner()).scan_file(file.reopen().unwrap(), format, next()).unwrap();
            drop(ways);
            assert_eq!(found, [found[0]; 4], "{}", input.escape_ascii());
            seen.extend(found[0]);
        }
    }
    assert!(seen.len() >= 4, "{seen:?}");
}

/// A stream that fails after its last byte.
struct Broken<'a>(Pieces<'a>);

impl Read for Broken<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::ErrorKind::ConnectionReset.into()),
            count => Ok(count),
        }
    }
}

/// The verdict on each record, the lines of the valid records, and the lines of the invalid records.
type Judged = (Vec<Option<ErrorKind>>, Vec<u8>, Vec<u8>);

fn judge(chunk: &Chunk<'_>) -> Judged {
    let validator = Validator::new(chunk.layout().grammar());
    let mut chunk_scanner = ChunkScanner::default();
    let scanned = chunk_scanner.scan(chunk, &validator, Columns::NONE).unwrap();
    let kinds: Vec<_> =
        (0..scanned.len()).map(|index| scanned.error(index).map(|error| error.kind())).collect();
    let (mut valid, mut invalid) = (Vec::new(), Vec::new());
    scanned.copy_lines(WantedLines::Valid, &mut valid);
    scanned.copy_lines(WantedLines::Invalid(&|_, _| true), &mut invalid);
    (kinds, valid, invalid)
}

fn put_together(total: &mut Judged) -> impl FnMut(Judged) -> ControlFlow<()> {
    |(kinds, valid, invalid)| {
        total.0.extend(kinds);
        total.1.extend(valid);
        total.2.extend(invalid);
        ControlFlow::Continue(())
    }
}

#[test]
fn a_record_that_an_error_cuts_off_is_truncated() {
    let list = b"urn:a:b\n\nurn:c:d\r\nurn:e:fgh";
    for len in 0..=list.len() {
        let input = &list[..len];
        for threads in [1, 2] {
            for chunk_size in [1, 3, 8, 1 << 20] {
                for sizes in [&[1][..], &[5], &[100]] {
                    let pieces = Pieces { rest: input, sizes, next: 0 };
                    let mut found = Judged::default();
                    let end = scanner(threads, chunk_size, 100).scan_reader(
                        Broken(pieces),
                        judge,
                        put_together(&mut found),
                    );
                    assert_eq!(end.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
                    let mut expected = Judged::default();
                    for line in input.split_inclusive(|&byte| byte == b'\n') {
                        let kind = match line {
                            b"\n" => Some(ErrorKind::Empty),
                            _ if !line.ends_with(b"\n") => Some(ErrorKind::Truncated),
                            _ => None,
                        };
                        let lines = if kind.is_none() { &mut expected.1 } else { &mut expected.2 };
                        lines.extend_from_slice(line);
                        expected.0.push(kind);
                    }
                    assert_eq!(found, expected, "{len} bytes, chunks of {chunk_size}");
                }
            }
        }
    }
}

#[test]
fn what_an_error_cuts_off_is_truncated_in_logs_and_texts_and_trimmed() {
    type Case = (Scanner, &'static [u8], &'static [Option<ErrorKind>]);
    let cases: [Case; 8] = [
        (scanner(1, 64, 9).trim(true), b" urn:a \n urn:b ", &[None, Some(ErrorKind::Truncated)]),
        (scanner(1, 64, 9).terminator(0), b"urn:a\0urn:b", &[None, Some(ErrorKind::Truncated)]),
        // A record over the limit is always too long, whether it is held as a whole or not.
        (scanner(1, 64, 9), b"urn:a\nurn:345678", &[None, Some(ErrorKind::RecordTooLong)]),
        (scanner(1, 64, 9), b"urn:a\nurn:34567890123456789", &[None, Some(ErrorKind::RecordTooLong)]),
        (
            scanner(1, 64, 99).layout(Layout::new(Format::Common, &LayoutOptions::default()).unwrap()),
            b"h - - [] \"GET /a HTTP/1.1\" 200 0\nh - - [] \"GET /b HTTP/1.1\" 200 1",
            &[None, Some(ErrorKind::Truncated)],
        ),
        // The rest of the line has no record.
        (
            scanner(1, 64, 99).layout(Layout::new(Format::Common, &LayoutOptions::default()).unwrap()),
            b"h - - [] \"GET /a HTTP/1.1\" 200 0\nh - -",
            &[None],
        ),
        (
            scanner(1, 64, 99).layout(Layout::new(Format::Text, &LayoutOptions::default()).unwrap()),
            b"see urn:aa:b, urn:cc:d\nand urn:ee:f, urn:gg:h",
            &[None, None, None, Some(ErrorKind::Truncated)],
        ),
        (
            scanner(1, 64, 99).layout(Layout::new(Format::Text, &LayoutOptions::default()).unwrap()),
            b"see urn:aa:b\nand",
            &[None],
        ),
    ];
    for (i, (scanner, input, expected)) in cases.into_iter().enumerate() {
        let mut found = Judged::default();
        let pieces = Pieces { rest: input, sizes: &[7], next: 0 };
        let end = scanner.scan_reader(Broken(pieces), judge, put_together(&mut found));
        assert_eq!(end.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
        assert_eq!(found.0, expected, "case {i}");
    }
}

/// Tests a file that is truncated during the scan and then ends within a record.
#[test]
#[cfg_attr(target_arch = "s390x", ignore = "qemu reports a wrong address for the fault")]
fn what_is_cut_off_a_file_is_truncated() {
    let content = b"urn:a:b\n".repeat(40_000);
    let scanners = [scanner(1, 1 << 16, 99), mapping(scanner(1, 1 << 16, 99))];
    // On Windows, no program can make a mapped file shorter.
    for scanner in scanners.into_iter().take(if cfg!(unix) { 2 } else { 1 }) {
        let file = file_of(&content);
        let is_first = std::sync::atomic::AtomicBool::new(true);
        let mut found = Judged::default();
        let end = scanner.scan_file(
            file.reopen().unwrap(),
            |chunk| {
                if is_first.swap(false, Ordering::Relaxed) {
                    file.as_file().set_len(200_004).unwrap();
                }
                judge(chunk)
            },
            put_together(&mut found),
        );
        assert_eq!(end.unwrap_err().to_string(), "truncated while it was read");
        let (last, others) = found.0.split_last().unwrap();
        assert_eq!((others.len(), *last), (25_000, Some(ErrorKind::Truncated)));
        assert!(others.iter().all(Option::is_none));
        assert_eq!(found.2, b"urn:");
    }
}

/// The result of a job for a chunk. It is counted while it exists.
#[cfg(feature = "rayon")]
struct Held<'a>(&'a std::sync::atomic::AtomicUsize, usize);

#[cfg(feature = "rayon")]
impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(self.1, Ordering::Relaxed);
    }
}

/// Chunks are small and their results are large: a slow sink must not accumulate all results.
#[test]
#[cfg(feature = "rayon")]
fn results_in_flight_are_bounded_if_the_job_reports_their_bytes() {
    use std::sync::atomic::AtomicUsize;

    const RESULT: usize = 8 << 20;
    let input = b"urn:a\n".repeat(100_000);
    for threads in [2, 8] {
        let (held, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let mut delivered = 0;
        let flow = Scanner::new().threads(threads).chunk_size(6_000).scan_slice(
            &input,
            |chunk| {
                chunk.report_result_bytes(RESULT);
                let now = held.fetch_add(RESULT, Ordering::Relaxed) + RESULT;
                most.fetch_max(now, Ordering::Relaxed);
                Held(&held, RESULT)
            },
            |result| {
                std::thread::sleep(std::time::Duration::from_millis(2));
                drop(result);
                delivered += 1;
                ControlFlow::<()>::Continue(())
            },
        );
        assert_eq!((flow.unwrap(), delivered), (None, 100));
        // (2n + 2) × 4 MiB, the result that exceeds them, and one more for each thread. Without reports it
        // would be 14 chunks or more.
        let bound = (2 * threads + 2) * (4 << 20) + (threads + 1) * RESULT;
        assert!(most.into_inner() <= bound, "{threads} threads");
    }
}

/// Tests that chunks have at most the given number of lines, however the bytes come, and that no line is
/// missing.
#[test]
fn chunks_have_at_most_so_many_lines() {
    let input = [&b"\n".repeat(1000)[..], b"urn:a\nurn:b\r\n\n", &b"\n".repeat(50), b"no end"].concat();
    for lines in [1, 7, 1000] {
        let scanner = || Scanner::new().chunk_size(300).chunk_lines(lines);
        let count = |chunk: &Chunk<'_>| {
            (chunk.lines().split_inclusive(|&byte| byte == b'\n').count(), chunk.lines().to_vec())
        };
        let mut ways = [(0, Vec::new()), (0, Vec::new())];
        let [slice, stream] = &mut ways;
        let collect = |(most, all): &mut (usize, Vec<u8>), (lines, bytes): (usize, Vec<u8>)| {
            *most = lines.max(*most);
            all.extend(bytes);
            ControlFlow::<()>::Continue(())
        };
        scanner().scan_slice(&input, count, |found| collect(slice, found)).unwrap();
        scanner().scan_reader(&input[..], count, |found| collect(stream, found)).unwrap();
        for (most, all) in ways {
            assert_eq!(most, lines.min(300));
            assert!(all == input);
        }
    }
}

/// Tests the lines that the copying methods append from several inputs, one after the other, to one buffer.
#[test]
fn copied_lines_of_several_inputs_stay_lines() {
    use urivalidate::corpus::Scanned;

    type Copy = fn(&Scanned<'_>, &mut Vec<u8>);
    let copied = |scanner: &Scanner, inputs: &[&str], copy: Copy| {
        let to = std::sync::Mutex::new(Vec::new());
        let validator = Validator::new(Grammar::Uri);
        for input in inputs {
            let job = |chunk: &Chunk<'_>| {
                let mut chunk_scanner = ChunkScanner::default();
                copy(
                    &chunk_scanner.scan(chunk, &validator, Columns::RECORDS).unwrap(),
                    &mut to.lock().unwrap(),
                );
            };
            scanner.scan_slice(input.as_bytes(), job, |()| ControlFlow::<()>::Continue(())).unwrap();
        }
        String::from_utf8(to.into_inner().unwrap()).unwrap()
    };
    let lists = ["urn:a:1", "", "x y", "\u{FEFF}urn:a:2"];
    for (scanner, end) in
        [(Scanner::new(), "\n"), (Scanner::new().trim(true), "\n"), (Scanner::new().terminator(0), "\0")]
    {
        assert_eq!(
            copied(&scanner, &lists, |scanned, to| scanned.copy_lines(WantedLines::Valid, to)),
            format!("urn:a:1{end}urn:a:2")
        );
        assert_eq!(
            copied(&scanner, &lists, |scanned, to| scanned.copy_lines(WantedLines::TrimmedValid, to)),
            format!("urn:a:1{end}urn:a:2")
        );
        let twice = ["x y", "y z"];
        assert_eq!(
            copied(&scanner, &twice, |scanned, to| scanned
                .copy_lines(WantedLines::Invalid(&|_, _| true), to)),
            format!("x y{end}y z")
        );
    }
    let csv = Scanner::new().layout(Layout::new(Format::Csv, &LayoutOptions::default()).unwrap());
    let tables = ["url,n\nurn:a:1,1", "url,n\nx y,2"];
    assert_eq!(
        copied(&csv, &tables, |scanned, to| scanned.copy_lines(WantedLines::Other, to)),
        "url,n\nurl,n\n"
    );
    assert_eq!(
        copied(&csv, &tables, |scanned, to| scanned.copy_lines(WantedLines::Invalid(&|_, _| true), to)),
        "url,n\nurl,n\nx y,2"
    );
    assert_eq!(
        copied(&csv, &tables, |scanned, to| scanned.copy_lines(WantedLines::Valid, to)),
        "url,n\nurn:a:1,1\nurl,n\n"
    );
    // A record over the limit is cut into parts, which stay together.
    let long = format!("http://h/{}", "a".repeat(3000));
    let small = Scanner::new().chunk_size(100).max_record(500);
    let copy: Copy = |scanned, to| scanned.copy_lines(WantedLines::Invalid(&|_, _| true), to);
    assert_eq!(copied(&small, &[&long, &long], copy), format!("{long}\n{long}"));
}
