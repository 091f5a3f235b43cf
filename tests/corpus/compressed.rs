//! Tests scans of compressed inputs against scans of their content.

use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use urivalidate::corpus::{Chunk, ChunkScanner, Scanned, Scanner};
use urivalidate::{Columns, Grammar, Validator};

/// Returns the values of a chunk's records, each read by its index.
fn of_records<T>(chunk: &Chunk<'_>, look: impl Fn(&Scanned<'_>, usize) -> T) -> Vec<T> {
    let mut chunk_scanner = ChunkScanner::default();
    let scanned = chunk_scanner.scan(chunk, &Validator::new(Grammar::Uri), Columns::RECORDS).unwrap();
    (0..scanned.len()).map(|index| look(&scanned, index)).collect()
}

/// The compressor of a member.
type Compress = fn(&[u8]) -> Vec<u8>;

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(6));
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// Compresses to stored blocks: they contain the content unchanged.
fn gzip_stored(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// Compresses with every optional field of the header.
fn gzip_with_fields(content: &[u8]) -> Vec<u8> {
    let builder =
        flate2::GzBuilder::new().extra(&b"ab\x02\0cd"[..]).filename("list.txt").comment("c").mtime(1);
    let mut encoder = builder.write(Vec::new(), Compression::best());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn zstd(content: &[u8]) -> Vec<u8> {
    let mut encoder = ::zstd::Encoder::new(Vec::new(), 3).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// Compresses to a frame without a checksum, but with the length of its content.
fn zstd_sized(content: &[u8]) -> Vec<u8> {
    ::zstd::bulk::compress(content, 1).unwrap()
}

fn skippable(content: &[u8]) -> Vec<u8> {
    [&[0x5A, 0x2A, 0x4D, 0x18], &(content.len() as u32).to_le_bytes()[..], content].concat()
}

/// Compresses in blocks of 100,000 bytes, which take the least memory.
fn bzip2(content: &[u8]) -> Vec<u8> {
    let mut encoder = ::bzip2::write::BzEncoder::new(Vec::new(), ::bzip2::Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// Compresses at the lowest level, which makes its dictionary in the least time.
fn xz(content: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 0);
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// Compresses in blocks of 100,000 bytes, as `xz -T` writes them.
fn xz_in_blocks(content: &[u8]) -> Vec<u8> {
    use liblzma::stream::{Action, Check, Filters, LzmaOptions, Status, Stream};

    let mut filters = Filters::new();
    filters.lzma2(&LzmaOptions::new_preset(0).unwrap());
    let mut stream = Stream::new_stream_encoder(&filters, Check::Crc32).unwrap();
    let mut compressed = Vec::with_capacity(content.len() + content.len() / 2 + 4096);
    for block in content.chunks(100_000) {
        let read = stream.total_in() + block.len() as u64;
        let mut rest = block;
        while stream.process_vec(rest, &mut compressed, Action::FullFlush).unwrap() != Status::StreamEnd {
            rest = &block[block.len() - (read - stream.total_in()) as usize..];
        }
    }
    while stream.process_vec(b"", &mut compressed, Action::Finish).unwrap() != Status::StreamEnd {}
    compressed
}

/// Returns the number of bytes that identify the format of an archive.
fn magic(name: &str) -> usize {
    match format(name) {
        "gzip" => 2,
        "zstd" => 4,
        "xz" => 6,
        _ => 15,
    }
}

/// Returns the name of the format in errors.
fn format(name: &str) -> &str {
    name.split(',').next().unwrap()
}

const FORMATS: [(&str, Compress); 8] = [
    ("gzip", gzip),
    ("gzip, stored", gzip_stored),
    ("gzip, with fields", gzip_with_fields),
    ("zstd", zstd),
    ("zstd, sized", zstd_sized),
    ("bzip2", bzip2),
    ("xz", xz),
    ("xz, in blocks", xz_in_blocks),
];

/// Returns the length of a long content: a quarter of `all` on an emulated processor, which has no time for
/// more.
fn long(all: usize) -> usize {
    if cfg!(any(target_arch = "x86", target_arch = "x86_64")) { all } else { all / 4 }
}

/// Compresses the content in pieces of `len` bytes, each as one member.
fn members(content: &[u8], len: usize, compress: Compress) -> Vec<u8> {
    content.chunks(len).flat_map(compress).collect()
}

fn scanner(threads: usize) -> Scanner {
    let scanner = Scanner::new().number_lines(true);
    #[cfg(feature = "rayon")]
    return scanner.threads(threads);
    #[cfg(not(feature = "rayon"))]
    return {
        let _ = threads;
        scanner
    };
}

/// Returns all bytes and the number of records that a scan saw, and its result.
fn scan(scanner: &Scanner, input: impl Read + Send) -> (Vec<u8>, usize, io::Result<()>) {
    let (mut content, mut records) = (Vec::new(), 0);
    let end = scanner.scan_reader(
        input,
        |chunk: &Chunk<'_>| {
            (chunk.base(), chunk.first_line(), chunk.bytes().to_vec(), of_records(chunk, |_, _| ()).len())
        },
        |(base, line, bytes, count)| {
            assert_eq!((base, line), (content.len() as u64, Some(records as u64 + 1)));
            content.extend(bytes);
            records += count;
            ControlFlow::<()>::Continue(())
        },
    );
    (content, records, end.map(drop))
}

#[track_caller]
fn assert_content(compressed: &[u8], content: &[u8], what: &str) {
    let lines = content.split_inclusive(|&byte| byte == b'\n').count();
    for threads in [1, 2, 4] {
        let (found, records, end) = scan(&scanner(threads), compressed);
        end.unwrap_or_else(|error| panic!("{what}: {error}"));
        assert!(found == content, "{what}, {threads} threads: {} of {} bytes", found.len(), content.len());
        assert_eq!(records, lines, "{what}");
    }
}

/// Returns lines that compress only moderately.
fn text(len: usize) -> Vec<u8> {
    let mut state = 1u64;
    let mut text = Vec::with_capacity(len + 100);
    while text.len() < len {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        text.extend(
            format!("https://example.com/{:x}/index.html?q={:o}\r\n", state >> 40, state >> 44).bytes(),
        );
    }
    text.truncate(len);
    text
}

#[test]
fn the_content_is_scanned_wherever_members_end() {
    let content = text(long(3_000_000));
    for (name, compress) in FORMATS {
        for len in [content.len(), long(1_400_000), 300_001, 80_000, 4_097, 1_000] {
            assert_content(&members(&content, len, compress), &content, &format!("{name}, members of {len}"));
        }
        assert_content(&members(&content[..20_000], 7, compress), &content[..20_000], name);
    }
}

/// Tests pieces that decompress to more than a task may produce.
#[test]
fn what_compresses_well_is_scanned_whole() {
    let content = b"http://example.com/\n".repeat(long(2_000_000));
    for (name, compress) in FORMATS {
        // bzip2 takes much time for this content.
        let content = if format(name) == "bzip2" { &content[..10_000_000] } else { &content };
        for len in [content.len(), 10_000_000, 1_000_000] {
            // All members have the same content, so one of them is repeated.
            let member = compress(&content[..len]);
            assert_content(&member.repeat(content.len() / len), content, name);
        }
    }
}

#[test]
fn no_content_is_no_record() {
    for (name, compress) in FORMATS {
        assert_content(&compress(b""), b"", name);
        assert_content(&compress(b"").repeat(5000), b"", name);
        let between = [compress(b""), compress(b"urn:a\nurn"), compress(b""), compress(b":b")].concat();
        assert_content(&between, b"urn:a\nurn:b", name);
    }
    assert_content(&skippable(b"nothing"), b"", "skippable frame");
}

#[test]
fn a_byte_order_mark_is_that_of_the_content() {
    let content = "\u{FEFF}urn:a\nurn:b\n".as_bytes();
    for (name, compress) in FORMATS {
        for len in [1, 2, 100] {
            let mut columns = Vec::new();
            let take = |found: Vec<u64>| {
                columns.extend(found);
                ControlFlow::<()>::Continue(())
            };
            let job =
                |chunk: &Chunk<'_>| of_records(chunk, |scanned, index| scanned.start_column(index).unwrap());
            scanner(2).scan_reader(&members(content, len, compress)[..], job, take).unwrap();
            assert_eq!(columns, [4, 1], "{name}");
        }
    }
}

/// Tests blocks of BGZF, as bgzip writes them (SAM specification, section 4.1): each states its length, and
/// the last one is empty.
#[test]
fn blocks_of_bgzf_are_members() {
    let content = text(400_000);
    let mut compressed = Vec::new();
    for block in content.chunks(65_280).chain([&[] as &[u8]]) {
        let builder = flate2::GzBuilder::new().extra(&b"BC\x02\0\0\0"[..]).operating_system(255);
        let mut encoder = builder.write(Vec::new(), Compression::new(6));
        encoder.write_all(block).unwrap();
        let mut member = encoder.finish().unwrap();
        let len = u16::try_from(member.len() - 1).unwrap();
        member[16..18].copy_from_slice(&len.to_le_bytes());
        compressed.extend(member);
    }
    assert_content(&compressed, &content, "BGZF");
}

#[test]
fn skippable_frames_are_skipped() {
    let content = text(600_000);
    let frames = content.chunks(100_000).map(zstd);
    let compressed: Vec<u8> =
        frames.flat_map(|frame| [skippable(&frame.len().to_le_bytes()), frame].concat()).collect();
    assert_content(&compressed, &content, "as pzstd writes it");
    let trap = [skippable(&zstd(b"hidden").repeat(30_000)), zstd(&content)].concat();
    assert_content(&trap, &content, "frames in a skippable frame");
}

/// Tests stored members that contain headers and whole members as their content, where no member starts.
#[test]
fn guesses_that_are_wrong_change_nothing() {
    for compress in [gzip as Compress, zstd] {
        let inner = members(&text(700_000), 50_000, compress);
        for len in [10_000_000, 200_000, 30_000] {
            assert_content(&members(&inner.repeat(4), len, gzip_stored), &inner.repeat(4), "stored");
        }
    }
}

#[test]
fn zeros_may_follow_gzip_and_nothing_else() {
    let content = text(1_000_000);
    let whole = members(&content, 100_000, gzip);
    for zeros in [1, 511, 300_000, 2_000_000] {
        let padded = [&whole[..], &vec![0; zeros]].concat();
        assert_content(&padded, &content, "padded");
        for threads in [1, 2] {
            let (found, _, end) = scan(&scanner(threads), &[&padded[..], &gzip(b"urn:a\n")].concat()[..]);
            let message = format!(
                "corrupt gzip data at byte {}: neither a gzip member nor zeros follow the last one",
                padded.len()
            );
            assert_eq!(end.unwrap_err().to_string(), message);
            assert!(found == content);
        }
    }
    for (compress, garbage, reason) in [
        (gzip as Compress, &b"urn:a\n"[..], "neither a gzip member nor zeros follow the last one"),
        (zstd, b"urn:a\n", "Unknown frame descriptor"),
        (zstd, &[0; 100], "Unknown frame descriptor"),
    ] {
        let whole = members(&content, 400_000, compress);
        for threads in [1, 2] {
            let (found, _, end) = scan(&scanner(threads), &[&whole[..], garbage].concat()[..]);
            let error = end.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidData);
            assert!(error.to_string().starts_with("corrupt "), "{error}");
            assert!(
                error.to_string().ends_with(&format!(" data at byte {}: {reason}", whole.len())),
                "{error}"
            );
            assert!(found == content);
        }
    }
}

#[test]
fn a_file_is_decompressed_from_its_start_wherever_it_stands() {
    let content = text(4_000);
    for (name, compress) in FORMATS {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&compress(&content)).unwrap();
        for position in [1, 3, 1 << 20] {
            file.seek(SeekFrom::Start(position)).unwrap();
            let mut found = Vec::new();
            let end = scanner(2).scan_file(
                file.try_clone().unwrap(),
                |chunk| chunk.bytes().to_vec(),
                |bytes| {
                    found.extend(bytes);
                    ControlFlow::<()>::Continue(())
                },
            );
            end.unwrap();
            assert!(found == content, "{name}, {position}");
        }
    }
}

/// Tests archives truncated at any byte: the records before the cut are found, and an error unless a member
/// ends there.
#[test]
fn a_truncated_archive_is_scanned_to_its_end_and_reported() {
    let content = text(4_000);
    for (name, compress) in FORMATS {
        let pieces: Vec<Vec<u8>> = content.chunks(1_000).map(compress).collect();
        let whole = pieces.concat();
        let ends: Vec<usize> =
            pieces.iter().scan(0, |end, piece| Some(std::mem::replace(end, *end + piece.len()))).collect();
        let (magic, format) = (magic(name), format(name));
        for threads in [1, 2] {
            let scanner = scanner(threads);
            for len in magic..whole.len() {
                let (found, _, end) = scan(&scanner, &whole[..len]);
                let before = ends.iter().filter(|&&end| end < len).count() - 1;
                assert!(content.starts_with(&found), "{name}, {len}");
                if ends.contains(&len) {
                    end.unwrap();
                    assert_eq!(found.len(), 1_000 * (before + 1), "{name}, {len}");
                } else {
                    let error = end.unwrap_err();
                    assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
                    assert_eq!(error.to_string(), format!("truncated {format} data at byte {len}"));
                    assert!(found.len() >= 1_000 * before, "{name}, {len}");
                }
            }
        }
    }
}

/// Tests truncated archives of several pieces: all records before the cut are found.
#[test]
fn a_long_archive_is_truncated_where_it_says() {
    let content = text(long(8_000_000));
    for (name, compress) in FORMATS {
        for member in [content.len(), 90_000] {
            let whole = members(&content, member, compress);
            let len = whole.len() * 9 / 10;
            for threads in [1, 2, 4] {
                let (found, _, end) = scan(&scanner(threads), &whole[..len]);
                let message = format!("truncated {} data at byte {len}", format(name));
                assert_eq!(end.unwrap_err().to_string(), message);
                assert!(content.starts_with(&found));
                assert!(
                    found.len() > content.len() * 17 / 20,
                    "{name}: {} of {}",
                    found.len(),
                    content.len()
                );
            }
        }
    }
}

/// Tests flipped bits: each is either in a place without meaning or an error, the same one for every way to
/// read the archive.
#[test]
fn a_corrupt_archive_is_reported() {
    let content = text(600);
    let ways = [scanner(1).chunk_size(64), scanner(2)];
    for (name, compress) in FORMATS {
        let whole = members(&content, 300, compress);
        let magic = magic(name);
        let mut errors = 0;
        for at in magic..whole.len() {
            for bit in 0..8 {
                let mut damaged = whole.clone();
                damaged[at] ^= 1 << bit;
                let (found, _, end) = scan(&scanner(1), &damaged[..]);
                // One bit in four is enough: threads take time.
                for way in ways.iter().filter(|_| bit % 4 == 0) {
                    let (other, _, other_end) = scan(way, &damaged[..]);
                    let text = |end: &io::Result<()>| end.as_ref().err().map(io::Error::to_string);
                    assert_eq!(text(&other_end), text(&end), "{name}: byte {at}, bit {bit}");
                    assert!(other == found, "{name}: byte {at}, bit {bit}");
                }
                match end {
                    Err(error) => {
                        let text = error.to_string();
                        let prefix = ["corrupt", "truncated", "unsupported"]
                            .map(|what| format!("{what} {} data at byte ", format(name)));
                        let rest = prefix.iter().find_map(|prefix| text.strip_prefix(prefix)).expect(&text);
                        let position: usize = rest.split(':').next().unwrap().parse().unwrap();
                        // zstd names the block, which may be the block before.
                        assert!(position <= whole.len(), "{text}");
                        // The decoder's message for calls after it has lost its state.
                        assert!(!text.contains("bad state"), "{text}");
                        errors += 1;
                    }
                    // Without a checksum, the content can be anything.
                    Ok(()) => {
                        assert!(found == content || name == "zstd, sized", "{name}: byte {at}, bit {bit}")
                    }
                }
            }
        }
        assert!(errors > whole.len() * 3, "{name}: {errors}");
    }
}

#[test]
fn a_checksum_is_checked() {
    let content = text(500_000);
    for threads in [1, 2] {
        let mut damaged = gzip(&content);
        let len = damaged.len();
        damaged[len - 8] ^= 1;
        let (found, _, end) = scan(&scanner(threads), &damaged[..]);
        assert_eq!(
            end.unwrap_err().to_string(),
            format!("corrupt gzip data at byte {}: incorrect data check", len - 4)
        );
        assert!(found == content);

        let mut damaged = gzip(&content);
        damaged[len - 1] ^= 1;
        let (found, _, end) = scan(&scanner(threads), &damaged[..]);
        assert_eq!(
            end.unwrap_err().to_string(),
            format!("corrupt gzip data at byte {len}: incorrect length check")
        );
        assert!(found == content);

        let mut damaged = zstd(&content);
        let len = damaged.len();
        damaged[len - 1] ^= 1;
        let (found, _, end) = scan(&scanner(threads), &damaged[..]);
        let error = end.unwrap_err().to_string();
        assert!(error.ends_with("Restored data doesn't match checksum"), "{error}");
        assert!(found == content);
    }
}

#[test]
fn a_window_beyond_the_limit_is_not_supported() {
    // Window_Descriptor 0x90: 2^28 bytes.
    let frame = [0x28, 0xB5, 0x2F, 0xFD, 0, 0x90, 1, 0, 0];
    for threads in [1, 2] {
        let error = scan(&scanner(threads), &frame[..]).2.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert_eq!(error.to_string(), "unsupported zstd data at byte 0: a window of more than 128 MiB");
    }
}

/// The pieces of the stream may also end within a header or a block.
#[test]
fn the_place_of_an_error_does_not_depend_on_how_the_stream_comes() {
    let whole = zstd(&text(300));
    let with_dictionary = [&whole[..], b"\x28\xB5\x2F\xFD\x60\xD7 - [28/Jun/2026:08"].concat();
    let mut corrupt = zstd(&text(3000));
    let middle = corrupt.len() / 2;
    corrupt[middle] ^= 0x55;
    // Descriptors that determine the length of the header: with and without a window, one to eight bytes of
    // content size, a dictionary.
    let headers = [0x00, 0x01, 0x03, 0x20, 0x23, 0x43, 0x60, 0x63, 0x83, 0xC3, 0xE3, 0x08]
        .map(|descriptor| [&whole[..], b"\x28\xB5\x2F\xFD", &[descriptor], &[0xD7; 60]].concat());
    // Stored and repeated blocks of 53 bytes, and a compressed one, in frames that state a slightly larger or
    // smaller size.
    let sizes = [-9_i8, -1, 1, 3, 70].into_iter().flat_map(|more| {
        let size = 53_u8.wrapping_add_signed(more);
        let stored = [&b"\x28\xB5\x2F\xFD\x20"[..], &[size, 0xA9, 0x01, 0x00], &text(53)[..53]].concat();
        let repeated = [&b"\x28\xB5\x2F\xFD\x20"[..], &[size, 0xAB, 0x01, 0x00, b'a']].concat();
        let mut compressed = zstd_sized(&text(100));
        assert_eq!(compressed[4], 0x20);
        compressed[5] = compressed[5].wrapping_add_signed(more);
        [stored, repeated, compressed].map(|frame| [&whole[..], &frame].concat())
    });
    // A second stream that is damaged near its start and near its end, where decoders read ahead.
    let damaged = [bzip2(&text(300)), xz(&text(300))].into_iter().flat_map(|whole| {
        [whole.len() / 3, whole.len() / 2, whole.len() - 12, whole.len() - 3].map(|at| {
            let mut second = whole.clone();
            second[at] ^= 0x55;
            [&whole[..], &second].concat()
        })
    });
    for archive in [with_dictionary, corrupt].into_iter().chain(headers).chain(sizes).chain(damaged) {
        let found = |size, chunk_size| {
            let sizes = [size];
            let pieces = Pieces { rest: &archive, sizes: sizes.iter().cycle() };
            let (content, _, result) = scan(&scanner(1).chunk_size(chunk_size), pieces);
            (content.escape_ascii().to_string(), result.unwrap_err().to_string())
        };
        let expected = found(archive.len(), 1 << 20);
        for size in 1..40 {
            assert_eq!(found(size, 1 << 20), expected, "{size}");
            assert_eq!(found(archive.len(), size), expected, "chunks of {size}");
            assert_eq!(found(size, size), expected, "chunks and pieces of {size}");
        }
    }
}

/// Tests the position of an error although the library for bzip2 reads ahead.
#[test]
fn an_error_in_bzip2_has_the_place_where_its_stream_starts() {
    let whole = bzip2(&text(300));
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 0x55;
    for (second, reason) in [
        (&damaged[..], "the stream that starts here has invalid data or a wrong checksum"),
        (b"BYTES", "no bzip2 stream follows the last one"),
        (b"bytes", "no bzip2 stream follows the last one"),
    ] {
        for threads in [1, 2] {
            let (_, _, end) = scan(&scanner(threads), &[&whole[..], second].concat()[..]);
            let expected = format!("corrupt bzip2 data at byte {}: {reason}", whole.len());
            assert_eq!(end.unwrap_err().to_string(), expected);
        }
    }
}

/// Tests that an input that breaks off yields all bytes before the error.
#[test]
fn an_error_of_the_stream_comes_after_its_content() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("broken"))
        }
    }
    let content = text(1_000_000);
    for (name, compress) in FORMATS {
        let whole = members(&content, 100_000, compress);
        for threads in [1, 2] {
            let (found, _, end) = scan(&scanner(threads), whole.chain(Broken));
            assert_eq!(end.unwrap_err().to_string(), "broken", "{name}");
            assert!(found == content, "{name}");
        }
    }
}

/// Tests that a reader that waits for an answer gets it.
#[test]
fn a_slow_stream_is_not_kept_waiting() {
    use std::sync::atomic::{AtomicU64, Ordering};

    struct Slow<'a> {
        pieces: std::vec::IntoIter<Vec<u8>>,
        lines_due: u64,
        answers: &'a AtomicU64,
    }
    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            assert_eq!(
                self.answers.load(Ordering::SeqCst),
                self.lines_due,
                "the next read comes before the last answer"
            );
            let Some(piece) = self.pieces.next() else { return Ok(0) };
            self.lines_due += 1;
            buffer[..piece.len()].copy_from_slice(&piece);
            Ok(piece.len())
        }
    }
    for compress in [gzip as Compress, zstd] {
        // Each piece has one line. The second line is much longer than its compressed form.
        let long = [&b"urn:"[..], &[b'a'; 20_000], b"\n"].concat();
        let pieces = vec![compress(b"urn:a\n"), compress(&long), compress(b"urn:c\n")].into_iter();
        for threads in [1, 2] {
            let answers = AtomicU64::new(0);
            let slow = Slow { pieces: pieces.clone(), lines_due: 0, answers: &answers };
            let job = |chunk: &Chunk<'_>| of_records(chunk, |_, _| ()).len() as u64;
            let take = |records| {
                answers.fetch_add(records, Ordering::SeqCst);
                ControlFlow::<()>::Continue(())
            };
            scanner(threads).scan_reader(slow, job, take).unwrap();
            assert_eq!(answers.into_inner(), 3);
        }
    }
}

/// Tests that a compressed file truncated between two members while it is read is an error.
#[test]
fn a_file_that_shrinks_is_reported() {
    let content = text(1_000_000);
    for compress in [gzip as Compress, zstd] {
        let member = compress(&content);
        for threads in [1, 2] {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            file.write_all(&member.repeat(40)).unwrap();
            let mut is_cut = false;
            let take = |()| {
                if !std::mem::replace(&mut is_cut, true) {
                    file.as_file().set_len(30 * member.len() as u64).unwrap();
                }
                ControlFlow::<()>::Continue(())
            };
            let error = scanner(threads).scan_file(file.reopen().unwrap(), |_| (), take).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
            assert_eq!(error.to_string(), "truncated while it was read");
        }
    }
}

#[test]
fn the_sink_stops_the_scan() {
    for (_, compress) in FORMATS {
        let compressed = members(&text(5_000_000), 200_000, compress);
        for threads in [1, 2] {
            let mut delivered = 0;
            let take = |()| {
                delivered += 1;
                if delivered == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            // Bytes after the place where the sink stops are never read.
            let broken = [&compressed[..], b"broken"].concat();
            scanner(threads).scan_reader(&broken[..], |_| (), take).unwrap();
            assert_eq!(delivered, 2);
        }
    }
}

#[test]
fn memory_is_taken_as_it_is() {
    let compressed = gzip(b"urn:a\n");
    let mut found = Vec::new();
    let take = |bytes: Vec<u8>| {
        found.extend(bytes);
        ControlFlow::<()>::Continue(())
    };
    Scanner::new().scan_slice(&compressed, |chunk| chunk.bytes().to_vec(), take).unwrap();
    assert_eq!(found, compressed);
}

/// A stream that comes in pieces of these sizes, in rotation.
struct Pieces<'a> {
    rest: &'a [u8],
    sizes: std::iter::Cycle<std::slice::Iter<'a, usize>>,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = *self.sizes.next().unwrap();
        let (now, rest) = self.rest.split_at(size.min(buffer.len()).min(self.rest.len()));
        buffer[..now.len()].copy_from_slice(now);
        self.rest = rest;
        Ok(now.len())
    }
}

proptest! {
    #[test]
    fn compressed_or_not_the_records_are_the_same(
        lines in prop::collection::vec(prop::collection::vec(prop::sample::select(b"a:/\r\xEF".to_vec()), 0..60), 0..300),
        has_mark in any::<bool>(),
        cuts in prop::collection::vec(0usize..2_000, 1..40),
        kinds in prop::collection::vec(0usize..3, 1..5),
        is_gzip in any::<bool>(),
        sizes in prop::collection::vec(1usize..9_000, 1..4),
        chunk_size in 1usize..5_000,
        threads in 1usize..4,
    ) {
        let mark = if has_mark { &b"\xEF\xBB\xBF"[..] } else { b"" };
        let content = [mark, &lines.join(&b'\n')].concat();
        let kinds: Vec<Compress> = kinds
            .iter()
            .map(|&kind| match (is_gzip, kind) {
                (true, kind) => FORMATS[kind].1,
                (false, 0) => zstd,
                (false, _) => zstd_sized,
            })
            .collect();
        let mut compressed = Vec::new();
        let mut rest = &content[..];
        for (cut, compress) in cuts.iter().zip(kinds.iter().cycle()) {
            let (now, later) = rest.split_at((*cut).min(rest.len()));
            compressed.extend(compress(now));
            rest = later;
        }
        compressed.extend(kinds[0](rest));

        let records = |input: &[u8]| {
            let mut records = Vec::new();
            let job = |chunk: &Chunk<'_>| {
                let first_line = chunk.first_line().unwrap();
                of_records(chunk, |scanned, index| {
                    let line = first_line + scanned.line_number(index).unwrap();
                    let (record, whole) = (scanned.record(index).unwrap().to_vec(), scanned.line(index).unwrap().to_vec());
                    (line, scanned.start_column(index).unwrap(), record, whole)
                })
            };
            let stream = Pieces { rest: input, sizes: sizes.iter().cycle() };
            let take = |found| {
                records.extend(found);
                ControlFlow::<()>::Continue(())
            };
            scanner(threads).chunk_size(chunk_size).scan_reader(stream, job, take).map(|_| records)
        };
        prop_assert_eq!(records(&compressed).unwrap(), records(&content).unwrap());
    }
}
