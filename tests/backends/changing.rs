//! Tests buffers that another thread writes while they are scanned, as can happen with a mapped file. The
//! results have no meaning, but they are consistent, and nothing panics.
//!
//! Each round is a new race. The lane `long-tests` sets `URIVALIDATE_LONG_TESTS`, which runs more rounds.

#![allow(unsafe_code)]

use std::slice;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::thread;

use urivalidate::{Batch, Column, Columns, Component, Grammar, Rows, Validator};

use crate::cases::CASES;
use crate::reference::backends;
use crate::shuffled::Random;
use crate::stride;

/// Memory that one thread writes while another scans it.
struct Shared(Vec<AtomicU8>);

impl Shared {
    fn bytes(&self) -> &[u8] {
        // SAFETY: the bytes are initialised and outlive the slice. They change under a live slice, as in
        // mapped files: these tests need that.
        unsafe { slice::from_raw_parts(self.0.as_ptr().cast(), self.0.len()) }
    }

    /// Writes until `stop`: bytes that matter to a scan, zeros, and the original bytes.
    fn change(&self, original: &[u8], seed: u64, stop: &AtomicBool) {
        const TOKENS: &[u8] = b"\n\n\n\r\r\0\0:/?#@[]%4aA1. -\xC3\xA9";
        let mut random = Random(seed);
        while !stop.load(Ordering::Relaxed) {
            let len = random.below(300) + 1;
            let start = random.below(original.len());
            let range = start..original.len().min(start + len);
            match random.below(4) {
                // Makes all lines of the range one line, or many.
                0 => {
                    let token = TOKENS[random.below(TOKENS.len())];
                    self.0[range].iter().for_each(|byte| byte.store(token, Ordering::Relaxed));
                }
                // Only the LFs vanish and return: at the end of a line, after a CR, at the border of a block.
                1 => {
                    for at in range.clone().filter(|&at| original[at] == b'\n') {
                        self.0[at].store(b'x', Ordering::Relaxed);
                    }
                    for at in range.filter(|&at| original[at] == b'\n') {
                        self.0[at].store(b'\n', Ordering::Relaxed);
                    }
                }
                2 => {
                    for at in range {
                        self.0[at].store(TOKENS[random.below(TOKENS.len())], Ordering::Relaxed);
                    }
                }
                _ => {
                    for at in range {
                        self.0[at].store(original[at], Ordering::Relaxed);
                    }
                }
            }
        }
    }
}

/// Runs `scans` while the bytes change.
fn while_it_changes(original: &[u8], seed: u64, scans: impl FnOnce(&[u8])) {
    let shared = Shared(original.iter().map(|&byte| AtomicU8::new(byte)).collect());
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        // Stops the writer even if the scans panic.
        struct Stop<'a>(&'a AtomicBool);
        impl Drop for Stop<'_> {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Relaxed);
            }
        }
        let _stop = Stop(&stop);
        scope.spawn(|| shared.change(original, seed, &stop));
        scans(shared.bytes());
    });
}

/// Asserts that the result is consistent: each column has one offset per record, in order, within the buffer.
fn check(batch: &Batch, buffer: &[u8], columns: Columns) {
    let records = batch.len();
    for &column in Column::ALL {
        let expected = if columns.contains(column) { records } else { 0 };
        assert_eq!(batch.column(column).unwrap_or_default().len(), expected, "{column}");
    }
    assert_eq!(batch.validity().len(), records.div_ceil(64));
    let valid = batch.validity().iter().map(|word| word.count_ones() as usize).sum::<usize>();
    assert_eq!((batch.valid_count(), batch.invalid().len()), (valid, records - valid));
    assert!(batch.invalid().is_sorted_by(|a, b| a.index < b.index && a.end <= b.start));
    for record in batch.invalid() {
        assert!(!batch.is_valid(record.index as usize) && record.end as usize <= buffer.len());
        assert!(record.start + record.error.offset() as u32 <= record.end);
    }
    assert_eq!(batch.component_counts().is_some(), columns == Columns::ALL);
}

/// Asserts the consistency of rows.
fn check_rows(rows: &Rows<'_>) {
    check(rows.batch(), rows.values(), Columns::ALL);
    let mut end = 0;
    for row in rows {
        let range = row.range();
        assert!(end <= range.start && range.start <= range.end && range.end <= rows.values().len());
        end = range.end;
        assert_eq!(row.verdict().unwrap().is_ok(), row.is_valid());
        for &component in Component::ALL {
            let part = row.range_of(component).unwrap_or(range.start..range.start);
            assert!(range.start <= part.start && part.start <= part.end && part.end <= range.end);
        }
    }
}

/// Returns lines of all kinds and lengths, with both line ends, over several pieces.
fn buffer() -> Vec<u8> {
    let mut buffer = Vec::new();
    let mut random = Random(7);
    while buffer.len() < 200 << 10 {
        buffer.extend_from_slice(match random.below(3) {
            0 => CASES[random.below(CASES.len())],
            1 => b"http://www.example.com/a/b.html?q=1#f",
            _ => b"//h/x?",
        });
        buffer.extend_from_slice(if random.below(2) == 0 { b"\n" } else { b"\r\n" });
    }
    buffer
}

/// Returns the sets of columns. Each is used in some rounds.
fn sets() -> impl Iterator<Item = Columns> {
    let single = Column::ALL.iter().map(|&column| column.into());
    [Columns::ALL, Columns::NONE, Columns::RECORDS, Columns::ALL].into_iter().chain(single)
}

/// Returns the number of rounds. The first eight have buffers of every length.
fn rounds() -> usize {
    let is_long = std::env::var_os("URIVALIDATE_LONG_TESTS").is_some();
    if is_long { 20 / stride(5) } else { 8 / stride(2) }
}

#[test]
fn lines() {
    while_it_changes(&buffer(), 1, |bytes| {
        for &grammar in Grammar::ALL {
            for &backend in backends() {
                let validator = Validator::new(grammar).with_backend(backend).unwrap();
                for columns in sets() {
                    for round in 0..rounds() {
                        // A new batch makes the scan try the kernel. A shorter buffer has borders at other
                        // places.
                        let bytes = &bytes[..bytes.len() >> (round % 8)];
                        let mut batch = Batch::new();
                        check(validator.scan(bytes, columns, &mut batch).unwrap(), bytes, columns);
                        check_rows(&validator.rows(bytes, &mut batch).unwrap());
                    }
                }
            }
        }
    });
}

#[test]
fn ranges() {
    let original = buffer();
    let mut offsets: Vec<i32> =
        original.iter().enumerate().filter(|&(_, &byte)| byte == b'\n').map(|(at, _)| at as i32).collect();
    offsets.insert(0, 0);
    while_it_changes(&original, 2, |bytes| {
        for &grammar in Grammar::ALL {
            for &backend in backends() {
                let validator = Validator::new(grammar).with_backend(backend).unwrap();
                for columns in [Columns::ALL, Columns::NONE, Columns::RECORDS] {
                    for _ in 0..rounds() {
                        let mut batch = Batch::new();
                        let all = validator.scan_ranges(&offsets, bytes, None, columns, &mut batch).unwrap();
                        assert_eq!(all.len(), offsets.len() - 1);
                        check(all, bytes, columns);
                        check_rows(&validator.rows_of_ranges(&offsets, bytes, None, &mut batch).unwrap());
                    }
                }
            }
        }
    });
}

#[test]
fn single_records() {
    let original = buffer();
    while_it_changes(&original, 3, |bytes| {
        for &grammar in Grammar::ALL {
            for &backend in backends() {
                let validator = Validator::new(grammar).with_backend(backend).unwrap();
                for record in bytes.chunks(97).take(500 / stride(5)) {
                    let _ = validator.is_valid(record);
                    if let Err(error) = validator.parse(record) {
                        assert!(error.offset() <= record.len() && !error.to_string().is_empty());
                    }
                }
            }
        }
    });
}
