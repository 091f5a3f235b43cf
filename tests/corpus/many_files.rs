//! Tests many files: `scan_files` reports for each file what `scan_file` reports, for any number of threads.

use std::fs::{self, File};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;
use urivalidate::corpus::{Chunk, ChunkScanner, FileEvent, Input, Scanner};
use urivalidate::{Columns, Grammar, Validator};

/// The chunk size in bytes. Some files are smaller.
const CHUNK: usize = 4096;

/// The events of a file, in order.
#[derive(Debug, PartialEq, Eq)]
enum Event {
    Begin,
    /// The first line of a chunk, and its records with their verdicts.
    Chunk(u64, Vec<(Vec<u8>, bool)>),
    End(Result<(), String>),
}

fn look(chunk: &Chunk<'_>) -> Event {
    let mut chunk_scanner = ChunkScanner::default();
    let scanned = chunk_scanner.scan(chunk, &Validator::new(Grammar::Uri), Columns::RECORDS).unwrap();
    let records = (0..scanned.len())
        .map(|index| (scanned.record(index).unwrap().to_vec(), scanned.batch().is_valid(index)))
        .collect();
    Event::Chunk(chunk.first_line().unwrap(), records)
}

fn scanner(threads: usize) -> Scanner {
    Scanner::new().chunk_size(CHUNK).threads(threads).number_lines(true)
}

/// Makes files of all kinds: empty, small, of several chunks, compressed (also a small file with large
/// content), truncated, a directory, and one that does not exist.
fn files(dir: &tempfile::TempDir) -> Vec<PathBuf> {
    let list = |lines: usize| -> Vec<u8> {
        (0..lines).flat_map(|i| format!("http://example.com/{i}\n{i} is none\n").into_bytes()).collect()
    };
    let gzip = |content: &[u8]| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    };
    let mut paths = Vec::new();
    let mut add = |content: &[u8]| {
        let path = dir.path().join(paths.len().to_string());
        fs::write(&path, content).unwrap();
        paths.push(path);
    };
    for round in 0..5 {
        (0..20).for_each(|lines| add(&list(lines + round)));
        add(&list(5000));
        add(b"urn:without:line:end");
        add(&gzip(&list(30)));
        let bomb = gzip(&b"http://example.com/\n".repeat(20_000));
        assert!(bomb.len() < CHUNK);
        add(&bomb);
        add(&bomb[..bomb.len() - 20]);
    }
    paths.insert(30, dir.path().to_owned());
    paths.insert(60, dir.path().join("none"));
    paths
}

#[test]
fn events_are_those_of_each_file_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let paths = files(&dir);
    let mut expected = Vec::new();
    for (number, path) in paths.iter().enumerate() {
        let scanned = Input::open(path).and_then(|input| {
            expected.push((number, Event::Begin));
            scanner(1).scan_input(input, look, |event| {
                expected.push((number, event));
                ControlFlow::<()>::Continue(())
            })
        });
        expected.push((number, Event::End(scanned.map(drop).map_err(|error| error.to_string()))));
    }
    assert_eq!(expected.iter().filter(|(_, event)| matches!(event, Event::End(Err(_)))).count(), 7);
    for threads in [1, 2, 3] {
        let mut found = Vec::new();
        let take = |number, event| {
            found.push((
                number,
                match event {
                    FileEvent::Begin => Event::Begin,
                    FileEvent::Result(chunk) => chunk,
                    FileEvent::End { status, .. } => Event::End(status.map_err(|error| error.to_string())),
                    other => panic!("{other:?}"),
                },
            ));
            ControlFlow::<()>::Continue(())
        };
        scanner(threads).scan_files(&paths, |_, chunk| look(chunk), take).unwrap();
        assert!(found == expected, "{threads} threads");
    }
}

/// Tests that no event follows the one at which the sink stops.
#[test]
fn the_sink_may_stop_at_any_event() {
    let dir = tempfile::tempdir().unwrap();
    let paths = &files(&dir)[15..40];
    for threads in [1, 2] {
        for last in 0..60 {
            let mut events = 0;
            let take = |_, _| {
                events += 1;
                if events > last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            scanner(threads).scan_files(paths, |_, chunk| look(chunk), take).unwrap();
            assert_eq!(events, last + 1, "{threads} threads");
        }
    }
}

/// Tests that two threads scan two small files at the same time.
#[test]
fn small_files_are_scanned_side_by_side() {
    let dir = tempfile::tempdir().unwrap();
    let paths: Vec<_> = (0..8).map(|i| dir.path().join(i.to_string())).collect();
    paths.iter().for_each(|path| drop(File::create(path).unwrap().write_all(b"urn:x:y\n")));
    // Each job waits for another one: alone, none would finish.
    let barrier = std::sync::Barrier::new(2);
    let mut ends = 0;
    let wait = |_, _: &Chunk<'_>| {
        barrier.wait();
    };
    let count = |_, event| {
        ends += usize::from(matches!(event, FileEvent::End { status: Ok(()), .. }));
        ControlFlow::<()>::Continue(())
    };
    scanner(2).scan_files(&paths, wait, count).unwrap();
    assert_eq!(ends, 8);
}
