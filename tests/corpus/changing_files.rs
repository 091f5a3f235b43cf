//! Tests files that change while they are scanned: no panic, no signal, and no loss of lines without an
//! error.
//!
//! Each round is a new race. The lane `long-tests` sets `URIVALIDATE_LONG_TESTS`, which runs four times as
//! many rounds.

use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::SystemTime;

use urivalidate::corpus::{Chunk, ChunkScanner, Scanner, WantedLines};
use urivalidate::stats::Stats;
use urivalidate::{Columns, Component, Grammar, Validator};

const LINES: &[&str] = &[
    "http://example.com/a/b?q=1#top\n",
    "http://example.com:8080/a/b?q=1#top\n",
    "http://example.com/?#\n",
    "http://example.com/\u{E4}\u{F6}?\u{20AC}#\u{1F600}\n",
    "http://user@[::1]:80/?a#b\r\n",
    "http://example.com/a b\n",
    "\n",
];

/// A deterministic generator of numbers that look random.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % bound
    }

    /// Returns lines. In some lists most lines are of one kind, which kernels judge and count.
    fn list(&mut self, lines: usize) -> Vec<u8> {
        let more = if self.below(2) == 0 { 0 } else { 200 };
        let mut line = || LINES[self.below(LINES.len() + more).saturating_sub(more)];
        (0..lines).flat_map(|_| line().bytes()).collect()
    }
}

/// Reads everything that a chunk offers, and returns its number of lines.
fn look(chunk: &Chunk<'_>) -> u64 {
    let mut chunk_scanner = ChunkScanner::default();
    let scanned = chunk_scanner.scan(chunk, &Validator::new(Grammar::Iri), Columns::ALL).unwrap();
    let mut lines = Vec::new();
    scanned.copy_lines(WantedLines::Valid, &mut lines);
    scanned.copy_lines(WantedLines::TrimmedValid, &mut lines);
    scanned.copy_lines(WantedLines::Invalid(&|_, _| true), &mut lines);
    for index in 0..scanned.len() {
        let record = scanned.record(index).unwrap();
        if let Some(Ok(components)) = scanned.verdict(index) {
            let _ = components.host().map(|host| record.get(host));
        }
        lines.extend_from_slice(scanned.line(index).unwrap());
        let _ = (scanned.start_column(index), scanned.error_column(index, 0), scanned.length(index));
    }
    let lines = scanned.lines();
    let mut stats = Stats::new();
    stats.count(&chunk_scanner.scan(chunk, &Validator::new(Grammar::Iri), stats.request()).unwrap()).unwrap();
    for &component in Component::ALL {
        assert!(stats.components(component) <= stats.valid());
    }
    lines
}

/// Returns all rounds if tests may take long, otherwise the first quarter of them.
fn rounds(all: usize) -> std::ops::Range<usize> {
    let is_long = std::env::var_os("URIVALIDATE_LONG_TESTS").is_some();
    0..if is_long { all } else { all / 4 }
}

fn scanner(round: usize) -> Scanner {
    let scanner = Scanner::new().chunk_size(16 << 10).trim(round & 8 != 0);
    #[cfg(feature = "rayon")]
    let scanner = scanner.threads(1 + (round >> 1 & 1));
    // SAFETY: the jobs of these tests decide nothing by bytes that they read twice.
    #[cfg(feature = "mmap")]
    #[expect(unsafe_code, reason = "the files change while they are mapped")]
    let scanner = unsafe { scanner.map_files(round & 1 == 0) };
    scanner
}

/// Scans `path`. Calls `began` once, when the first chunk is scanned.
fn scan(round: usize, path: &Path, began: impl Fn() + Sync) -> std::io::Result<u64> {
    let mut lines = 0;
    let is_first = AtomicBool::new(true);
    let job = |chunk: &Chunk<'_>| {
        if is_first.swap(false, Ordering::Relaxed) {
            began();
        }
        look(chunk)
    };
    scanner(round).scan_file(File::open(path)?, job, |count| {
        lines += count;
        ControlFlow::<()>::Continue(())
    })?;
    Ok(lines)
}

/// Sets an old modification time, so that every later change has a different one, even on a file system with
/// a coarse clock.
fn make_old(path: &Path) {
    File::options().write(true).open(path).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
}

#[test]
#[cfg_attr(windows, ignore = "no program can make a mapped file shorter")]
fn a_file_that_is_written_again_is_whole_or_reported() {
    let mut chance = Chance(1);
    let file = tempfile::NamedTempFile::new().unwrap();
    let content = chance.list(6000);
    let expected = count(&content);
    let mut reported = 0;
    for round in rounds(400) {
        fs::write(file.path(), &content).unwrap();
        make_old(file.path());
        let (began, begins) = mpsc::channel();
        let (content, cut, wait) = (&content, chance.below(content.len()), chance.below(20_000));
        let mut writer = OpenOptions::new().write(true).open(file.path()).unwrap();
        let result = thread::scope(|scope| {
            scope.spawn(move || {
                begins.recv().unwrap();
                (0..wait).for_each(|_| std::hint::spin_loop());
                // Truncates the file and writes the rest again; in every other round, all of it.
                let from = if round % 2 == 0 { 0 } else { cut };
                writer.set_len(from as u64).unwrap();
                writer.seek(SeekFrom::Start(from as u64)).unwrap();
                writer.write_all(&content[from..]).unwrap();
            });
            scan(round, file.path(), || began.send(()).unwrap_or_default())
        });
        match result {
            Ok(lines) => assert_eq!(lines, expected, "round {round}"),
            Err(error) => {
                reported += 1;
                assert!(error.to_string().ends_with(" while it was read"), "{error}");
            }
        }
    }
    assert!(reported > 0);
}

#[test]
fn a_file_that_is_overwritten_all_the_time_is_survived_and_reported() {
    let mut chance = Chance(2);
    let file = tempfile::NamedTempFile::new().unwrap();
    let contents = [chance.list(6000), chance.list(6000)];
    let shorter = contents[0].len().min(contents[1].len());
    for round in rounds(300) {
        fs::write(file.path(), &contents[0][..shorter]).unwrap();
        make_old(file.path());
        let is_done = AtomicBool::new(false);
        let (began, begins) = mpsc::channel();
        let mut writer = OpenOptions::new().write(true).open(file.path()).unwrap();
        let seed = chance.below(1 << 30) as u64;
        let result = thread::scope(|scope| {
            let (contents, is_done) = (&contents, &is_done);
            scope.spawn(move || {
                let mut chance = Chance(seed);
                let mut write = || {
                    let at = chance.below(shorter - 4096);
                    let len = 1 + chance.below(4096);
                    writer.seek(SeekFrom::Start(at as u64)).unwrap();
                    writer.write_all(&contents[chance.below(2)][at..at + len]).unwrap();
                };
                // The job waits for the first change.
                write();
                let began: mpsc::Sender<()> = begins.recv().unwrap();
                write();
                drop(began);
                while !is_done.load(Ordering::Relaxed) {
                    write();
                }
            });
            let result = scan(round, file.path(), || {
                let (written, waits) = mpsc::channel();
                began.send(written).unwrap();
                let _ = waits.recv();
            });
            is_done.store(true, Ordering::Relaxed);
            result
        });
        let error = result.expect_err("at least the change that the job waited for was seen");
        assert_eq!(error.to_string(), "changed while it was read", "round {round}");
    }
}

#[test]
#[cfg_attr(windows, ignore = "no program can make a mapped file shorter")]
fn a_file_that_is_cut_off_is_survived_and_reported() {
    let mut chance = Chance(3);
    let file = tempfile::NamedTempFile::new().unwrap();
    let content = chance.list(6000);
    for round in rounds(400) {
        fs::write(file.path(), &content).unwrap();
        make_old(file.path());
        let cut = chance.below(content.len()) as u64;
        let writer = OpenOptions::new().write(true).open(file.path()).unwrap();
        let at_once = round % 2 == 0;
        let result = thread::scope(|scope| {
            scan(round, file.path(), || {
                let cut_off = || writer.set_len(cut).unwrap();
                if at_once {
                    cut_off();
                } else {
                    // Or as soon as another thread starts.
                    scope.spawn(cut_off);
                }
            })
        });
        if at_once {
            let message = result.unwrap_err().to_string();
            assert!(message.ends_with(" while it was read"), "{message}");
        }
    }
}

#[test]
fn a_file_that_grows_is_fine() {
    let mut chance = Chance(4);
    let content = chance.list(6000);
    for round in 0..16 {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&content).unwrap();
        make_old(file.path());
        let lines = scan(round, file.path(), || {
            let mut writer = file.as_file();
            writer.write_all(b"urn:a:b\nurn:c:d").unwrap()
        })
        .unwrap();
        assert_eq!(lines, count(&content) + 2, "round {round}");
    }
}

fn count(content: &[u8]) -> u64 {
    content.split_inclusive(|&byte| byte == b'\n').count() as u64
}
