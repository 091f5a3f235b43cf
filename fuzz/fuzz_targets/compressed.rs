//! Tests the decompressors with archives of any bytes, and with archives of many members that are cut off or
//! have a changed byte. One thread and three threads must see the same bytes and stop at the same error. A
//! complete archive must be read completely.

#![no_main]

use std::io::Write;

use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use libfuzzer_sys::fuzz_target;
use liblzma::write::XzEncoder;
use urivalidate::Columns;
use urivalidate::corpus::ChunkScanner;
use urivalidate_fuzz::knobs::Knobs;
use urivalidate_fuzz::ways::{self, From};

/// The largest number of bytes that identify the kind of an archive. An empty bzip2 archive has fewer bytes.
const MAGIC: usize = 15;

/// The number of decompressed bytes to check. A short archive can decompress to a very long text.
const ENOUGH: usize = 16 << 10;

fn gzip(content: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::new(level));
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(content: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = BzEncoder::new(Vec::new(), bzip2::Compression::new(level));
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn xz(content: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = XzEncoder::new(Vec::new(), level);
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// The first bytes of an archive of each kind.
const MAGICS: [&[u8]; 4] =
    [b"\x1F\x8B", b"\x28\xB5\x2F\xFD", b"BZh11AY&SY\0\0\0\0\0", b"\xFD7zXZ\0\0\x01\x69\x22\xDE\x36"];

fn kind(choice: u8) -> usize {
    usize::from(choice & 1 | choice >> 1 & 2)
}

/// An archive of the content. Each member has up to `len` bytes of the content.
fn archive(content: &[u8], len: usize, choice: u8) -> Vec<u8> {
    // An archive has at least one member.
    let mut members: Vec<&[u8]> = content.chunks(len).collect();
    members.resize(members.len().max(1), b"");
    let compress = |member: &&[u8]| match kind(choice) {
        0 => gzip(member, u32::from(choice >> 4) % 10),
        // Low levels take little memory.
        2 => bzip2(member, 1 + u32::from(choice >> 4) % 2),
        3 => xz(member, u32::from(choice >> 4) % 2),
        // Higher levels use functions that AddressSanitizer reports wrongly. Their output has no features
        // that lower levels lack.
        _ => zstd::bulk::compress(member, i32::from(choice >> 4).min(8)).unwrap(),
    };
    members.iter().flat_map(compress).collect()
}

/// The content, and the result with the text of the error. For an archive with a very long content, returns
/// its first bytes and no result.
fn read(input: &[u8], knobs: &Knobs) -> (Vec<u8>, Option<Result<(), String>>) {
    let mut first = None;
    ways::each(*knobs, |way| {
        // If a stream breaks, the decoded bytes depend on how far the decoder has read ahead.
        if !way.decompresses(input) || way.from == From::Broken {
            return;
        }
        let mut many = 0;
        let found = way.scan_until(
            input,
            |chunk| {
                let mut chunk_scanner = ChunkScanner::default();
                let scanned = chunk_scanner.scan(chunk, &knobs.validator, Columns::NONE).expect("memory");
                (chunk.bytes().to_vec(), chunk.first_line(), scanned.lines())
            },
            |(bytes, ..)| {
                many += bytes.len();
                many > ENOUGH
            },
        );
        let (mut bytes, mut lines) = (Vec::new(), 0);
        for (part, line, count) in found.values {
            assert_eq!(line, Some(lines + 1), "{way:?}");
            lines += count;
            bytes.extend(part);
        }
        bytes.truncate(ENOUGH);
        let seen = (bytes, found.end.map(|end| end.map_err(|error| error.to_string())));
        match &first {
            None => first = Some(seen),
            Some(first) => assert_eq!(&seen, first, "{way:?}"),
        }
    });
    first.expect("an archive")
}

fuzz_target!(|input: &[u8]| {
    let (knobs, input) = Knobs::split(input);
    if knobs.choice & 2 == 0 {
        // The input is an archive without its first bytes.
        read(&[MAGICS[kind(knobs.choice)], input].concat(), &knobs);
        return;
    }
    let Some((&[member, damage, place], content)) = input.split_first_chunk() else { return };
    let mut archive = archive(content, 1 + usize::from(member), knobs.choice);
    let at = usize::from(place) * archive.len() / 256;
    match damage % 3 {
        0 => assert_eq!(read(&archive, &knobs), (content.to_vec(), Some(Ok(())))),
        1 => {
            archive.truncate(at.max(MAGIC));
            let (bytes, _) = read(&archive, &knobs);
            assert!(content.starts_with(&bytes));
        }
        _ => {
            let at = at.max(MAGIC).min(archive.len() - 1);
            archive[at] ^= damage | 1;
            read(&archive, &knobs);
        }
    }
});
