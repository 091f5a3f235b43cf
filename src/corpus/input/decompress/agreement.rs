//! Tests the decoders in Rust against those in C, on whole, cut and damaged inputs.

use std::io::{ErrorKind, Write};

use super::decoder::Decode;
use super::dictionary::Dictionary;
use super::xz::streams::Streams;
use super::xz::{liblzma as in_c, xz4rust as in_rust};
use super::zstd::{libzstd, ruzstd};

/// The result of decoding an input.
#[derive(Debug, PartialEq)]
struct Outcome {
    content: Vec<u8>,
    end: End,
}

#[derive(Debug, PartialEq)]
enum End {
    Whole,
    Truncated,
    Error(ErrorKind, String, u64),
}

impl Outcome {
    /// Returns the kind of the error, or `None` for a whole input.
    fn verdict(&self) -> Option<ErrorKind> {
        match self.end {
            End::Whole => None,
            End::Truncated => Some(ErrorKind::UnexpectedEof),
            End::Error(kind, ..) => Some(kind),
        }
    }

    fn position(&self) -> Option<u64> {
        match self.end {
            End::Error(_, _, position) => Some(position),
            _ => None,
        }
    }
}

/// Decodes pieces of `piece` bytes to outputs of `room` bytes.
fn decode(mut decoder: impl Decode, input: &[u8], piece: usize, room: usize) -> Outcome {
    let mut output = vec![0; room];
    let (mut content, mut position) = (Vec::new(), 0);
    for mut piece in input.chunks(piece) {
        loop {
            let decoded = decoder.decode(piece, &mut output);
            content.extend_from_slice(&output[..decoded.written]);
            piece = &piece[decoded.consumed..];
            position += decoded.consumed as u64;
            if let Some(fault) = decoded.fault {
                return Outcome {
                    content,
                    end: End::Error(fault.kind, fault.reason, position - fault.before),
                };
            }
            if decoded.written < room {
                assert!(piece.is_empty(), "all of the input is consumed unless the output is full");
                break;
            }
        }
    }
    let end = if decoder.may_end() { End::Whole } else { End::Truncated };
    Outcome { content, end }
}

/// Numbers without a pattern.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.next(256) as u8).collect()
    }

    fn text(&mut self, len: usize) -> Vec<u8> {
        let mut text = Vec::new();
        while text.len() < len {
            writeln!(text, "http://example.com/{:x}/index.html", self.next(1 << 20)).unwrap();
        }
        text.truncate(len);
        text
    }

    /// Damages a byte, or removes, inserts or repeats some.
    fn damage(&mut self, input: &mut Vec<u8>) {
        let at = self.next(input.len());
        match self.next(6) {
            0 => input.truncate(at),
            1 => input[at] = self.next(256) as u8,
            2 => drop(input.remove(at)),
            3 => {
                let more = input[at..(at + 9).min(input.len())].to_vec();
                input.splice(at..at, more);
            }
            _ => input[at] ^= 1 << self.next(8),
        }
    }
}

/// Contents of several kinds: nothing, text, repetitions, noise, and all of them.
fn contents(numbers: &mut Numbers) -> Vec<Vec<u8>> {
    let mut contents = vec![
        Vec::new(),
        b"a".to_vec(),
        numbers.text(300),
        vec![b'a'; 70_000],
        numbers.bytes(5000),
        numbers.text(400_000),
    ];
    contents
        .push([numbers.bytes(100), vec![0; 200_000], numbers.text(3000), numbers.bytes(140_000)].concat());
    contents
}

fn zstd(content: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let level = [1, 3, 9, 19, -5][numbers.next(5)];
    let mut encoder = ::zstd::Encoder::new(Vec::new(), level).unwrap();
    encoder.include_checksum(numbers.next(2) == 0).unwrap();
    encoder.window_log([10, 12, 17, 20][numbers.next(4)]).unwrap();
    if numbers.next(2) == 0 {
        encoder.set_pledged_src_size(Some(content.len() as u64)).unwrap();
        encoder.include_contentsize(numbers.next(2) == 0).unwrap();
    }
    for part in content.chunks(1 + numbers.next(100_000)) {
        encoder.write_all(part).unwrap();
        if numbers.next(8) == 0 {
            encoder.flush().unwrap();
        }
    }
    encoder.finish().unwrap()
}

fn both_zstd(input: &[u8], piece: usize, room: usize) -> [Outcome; 2] {
    [
        decode(libzstd::Zstd::new(None).unwrap(), input, piece, room),
        decode(ruzstd::Zstd::new(None).unwrap(), input, piece, room),
    ]
}

#[test]
fn zstd_has_the_same_content() {
    let mut numbers = Numbers(1);
    for round in 0..3 {
        let mut all = (Vec::new(), Vec::new());
        for content in contents(&mut numbers) {
            let frame = zstd(&content, &mut numbers);
            for (piece, room) in [(usize::MAX, 1 << 20), (7, 1000), (1000, 1), (1, 100_000)] {
                let [c, rust] = both_zstd(&frame, piece, room);
                assert!(rust.content == content, "round {round}, {} bytes", content.len());
                assert_eq!((&c.end, &rust.end), (&End::Whole, &End::Whole));
            }
            all.0.extend(content);
            all.1.extend(frame);
        }
        let [c, rust] = both_zstd(&all.1, 10_000, 10_000);
        assert!(c == rust && rust.content == all.0);
    }
}

/// Tests the differences that the module of the decoder in Rust names: what the libraries notice of damaged
/// literals, which is rare, and a stored block that is not whole.
#[test]
fn a_damaged_frame_has_the_same_content_and_error() {
    let mut numbers = Numbers(2);
    let (mut tried, mut different) = (0, 0);
    for content in contents(&mut numbers) {
        for _ in 0..10 {
            let mut whole = zstd(&content[..content.len().min(20_000)], &mut numbers);
            whole.extend(zstd(&content[..content.len().min(50)], &mut numbers));
            for _ in 0..200 {
                let mut input = whole.clone();
                numbers.damage(&mut input);
                let [c, rust] = both_zstd(&input, 1 + numbers.next(3000), 1 + numbers.next(30_000));
                let agree = c.verdict() == rust.verdict()
                    && c.content.starts_with(&rust.content)
                    && rust.position() <= c.position();
                tried += 1;
                different += usize::from(!agree);
            }
        }
    }
    assert!(different * 100 < tried, "{different} of {tried}");
}

#[test]
fn a_damaged_input_has_the_same_outcome_in_all_pieces() {
    let mut numbers = Numbers(5);
    for _ in 0..40 {
        let content = [numbers.text(200), numbers.bytes(30), vec![b'a'; 2000]].concat();
        let frames = [zstd(&content, &mut numbers), zstd(b"urn:a", &mut numbers)].concat();
        let streams = [xz(&content, &mut numbers), xz(b"urn:a", &mut numbers)].concat();
        for (mut input, both) in [(frames, both_zstd as fn(&[u8], usize, usize) -> _), (streams, both_xz)] {
            numbers.damage(&mut input);
            let [_, expected] = both(&input, usize::MAX, 1 << 20);
            for piece in 1..input.len().min(400) {
                let [_, found] = both(&input, piece, [1 << 20, 1, piece][piece % 3]);
                assert_eq!(found, expected, "pieces of {piece}");
            }
        }
    }
}

#[test]
fn a_dictionary_is_the_one_of_all_frames() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/cli/tests/cli/archive.dictionary");
    let tables = std::fs::read(path).unwrap();
    let mut numbers = Numbers(6);
    let content_alone = numbers.text(3000);
    let packed = |bytes: &[u8]| ::zstd::encode_all(bytes, 3).unwrap();
    let damaged: Vec<Vec<u8>> = (0..300)
        .map(|_| {
            let mut damaged = tables.clone();
            numbers.damage(&mut damaged);
            damaged
        })
        .collect();
    let whole = [tables.clone(), packed(&tables), packed(&content_alone)];
    for (index, bytes) in whole.iter().chain(&damaged).enumerate() {
        let head = [&b"\x5D\x2A\x4D\x18"[..], &(bytes.len() as u32).to_le_bytes(), bytes].concat();
        let Some(dictionary) = Dictionary::of(&head) else { continue };
        let used = if index == 2 { &content_alone } else { &tables };
        let mut encoder = ::zstd::bulk::Compressor::with_dictionary(3, used).unwrap();
        let mut frames = || encoder.compress(&numbers.text(500)).unwrap();
        let input = [frames(), frames()].concat();
        let new = (libzstd::Zstd::new(Some(&dictionary)), ruzstd::Zstd::new(Some(&dictionary)));
        match new {
            (Ok(c), Ok(rust)) => {
                let (c, rust) = (decode(c, &input, 1000, 1000), decode(rust, &input, 1000, 1000));
                assert!(index > 2 || c.end == End::Whole);
                assert!(index > 2 || c == rust, "{index}: {c:?} {rust:?}");
            }
            (Err(c), Err(rust)) => assert_eq!(c.kind(), rust.kind()),
            (c, rust) => {
                let errors = (c.err(), rust.err());
                assert!(index > 2, "{index}: {errors:?}");
            }
        }
    }
}

fn xz(content: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    use liblzma::stream::{Action, Check, Filters, LzmaOptions, Status, Stream};

    let mut options = LzmaOptions::new_preset([0, 1, 6][numbers.next(3)]).unwrap();
    options.dict_size(1 << (12 + numbers.next(5)));
    options.position_bits(numbers.next(5) as u32);
    let mut filters = Filters::new();
    let filter = numbers.next(8);
    match filter {
        0 => {
            filters.x86();
        }
        1 => {
            filters.arm();
        }
        2 => {
            filters.arm64();
        }
        3 => {
            filters.x86().powerpc();
        }
        4 => {
            filters.delta_properties(&[3]).unwrap();
        }
        _ => {}
    }
    filters.lzma2(&options);
    let check = [Check::None, Check::Crc32, Check::Crc64, Check::Sha256][numbers.next(4)];
    let mut stream = Stream::new_stream_encoder(&filters, check).unwrap();
    let mut compressed = Vec::with_capacity(2 * content.len() + 100_000);
    for block in content.chunks(20_000 + numbers.next(100_000)) {
        let action = if filter < 5 || numbers.next(2) == 0 { Action::FullFlush } else { Action::SyncFlush };
        let read = stream.total_in() + block.len() as u64;
        let mut rest = block;
        while stream.process_vec(rest, &mut compressed, action).unwrap() != Status::StreamEnd {
            rest = &block[block.len() - (read - stream.total_in()) as usize..];
        }
    }
    while stream.process_vec(b"", &mut compressed, Action::Finish).unwrap() != Status::StreamEnd {}
    compressed
}

fn both_xz(input: &[u8], piece: usize, room: usize) -> [Outcome; 2] {
    [
        decode(Streams::<in_c::Decoder>::default(), input, piece, room),
        decode(Streams::<in_rust::Decoder>::default(), input, piece, room),
    ]
}

#[test]
fn xz_has_the_same_content() {
    let mut numbers = Numbers(3);
    for round in 0..10 {
        let mut all = (Vec::new(), Vec::new());
        for content in contents(&mut numbers) {
            let stream = xz(&content, &mut numbers);
            for (piece, room) in [(usize::MAX, 1 << 20), (7, 1000), (1000, 1), (1, 100_000)] {
                let [c, rust] = both_xz(&stream, piece, room);
                assert_eq!((&c.end, &rust.end), (&End::Whole, &End::Whole));
                assert!(rust.content == content, "round {round}, {} bytes", content.len());
            }
            all.0.extend(content);
            all.1.extend(stream);
            all.1.extend(vec![0; 4 * numbers.next(3)]);
        }
        let [c, rust] = both_xz(&all.1, 10_000, 10_000);
        assert!(c == rust && rust.content == all.0);
    }
}

/// Tests the differences that the module of the decoder in Rust names: it loses the content of the chunk with
/// an error.
#[test]
fn a_damaged_stream_has_the_same_kind_of_error() {
    let mut numbers = Numbers(4);
    for content in contents(&mut numbers) {
        for _ in 0..10 {
            let mut whole = xz(&content[..content.len().min(20_000)], &mut numbers);
            whole.extend(xz(&content[..content.len().min(50)], &mut numbers));
            for _ in 0..100 {
                let mut input = whole.clone();
                numbers.damage(&mut input);
                let [c, rust] = both_xz(&input, 1 + numbers.next(3000), 1 + numbers.next(30_000));
                match (c.verdict(), rust.verdict()) {
                    // It has not seen the end of a chunk that is both damaged and cut.
                    (Some(ErrorKind::InvalidData), Some(ErrorKind::UnexpectedEof)) => {}
                    (c, rust) => assert_eq!(c, rust, "{input:x?}"),
                }
                // It reads the padding and the checksum of a block to their end.
                assert!(rust.position() <= c.position().map(|position| position + 8));
                // liblzma leaves bytes before an error without their filter.
                if has_no_filter(&whole) {
                    assert!(c.content.starts_with(&rust.content));
                }
            }
        }
    }
}

/// Returns true if the first block of a stream has no filter except LZMA2.
fn has_no_filter(stream: &[u8]) -> bool {
    stream[13] & 3 == 0
}
