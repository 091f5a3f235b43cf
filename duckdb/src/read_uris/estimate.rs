//! The likely number of rows, by which DuckDB plans joins: it keeps the smaller side of a join in memory.

use std::fs::{self, File};
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use urivalidate::corpus::{Chunk, Input, Reading, Scanned};
use urivalidate::{Columns, RowKind};

/// The number of bytes to sample.
const SAMPLE: usize = 64 << 10;

/// The assumed number of rows of an input whose size is unknown. Such an input is more often large than
/// small.
const UNKNOWN: u64 = 1_000_000;

/// The assumed number of bytes that a compressed byte stands for.
const COMPRESSION: u64 = 8;

/// The smallest assumed share of records with errors: 1 in this number. The first records of a file can all
/// be valid.
const ERRORS: u64 = 100;

/// Returns the likely number of rows of these files: their bytes, by the length of the records at the start
/// of the first one. Does not open pipes, which can be read only once.
pub(super) fn rows(files: &[PathBuf], reading: &Reading, kind: RowKind) -> u64 {
    let sizes =
        files.iter().map(|file| fs::metadata(file).ok().filter(fs::Metadata::is_file).map(|file| file.len()));
    let sizes: Vec<_> = sizes.collect();
    let known = sizes.iter().flatten().sum::<u64>();
    let unknown = sizes.iter().filter(|size| size.is_none()).count() as u64 * UNKNOWN;
    let first = sizes.iter().position(|size| size.is_some_and(|size| size > 0));
    let sampled = first.and_then(|first| Sample::of(&files[first], reading));
    let records = sampled.map_or(0, |sample| sample.records_in(known));
    let rows = match (kind, sampled) {
        (RowKind::Errors, Some(sample)) => sample.problems_in(known).max(records / ERRORS),
        _ => records,
    };
    rows + unknown
}

/// The first bytes of a file.
#[derive(Clone, Copy)]
struct Sample {
    bytes: u64,
    records: u64,
    problems: u64,
    is_compressed: bool,
}

impl Sample {
    /// Scans the start of a file. Returns `None` if it cannot be read: the scan will report the error.
    fn of(file: &Path, reading: &Reading) -> Option<Self> {
        let mut start = [0; 4];
        let len = File::open(file).and_then(|mut file| file.read(&mut start)).ok()?;
        let sample = |chunk: &Chunk<'_>| {
            let (mut records, mut problems) = (0, 0);
            let count = |scanned: &Scanned<'_>| {
                records += scanned.len() as u64;
                problems += (scanned.batch().invalid().len() + scanned.malformed().len()) as u64;
                ControlFlow::<()>::Continue(())
            };
            let _counted: ControlFlow<()> = reading.scan_pieces(chunk, Columns::NONE, count).ok()?;
            // The scan passes on the bytes of a file unchanged unless the file is compressed.
            let is_compressed = !chunk.bytes().starts_with(&start[..len]);
            Some(Sample { bytes: chunk.bytes().len() as u64, records, problems, is_compressed })
        };
        let scanner = reading.scanner().chunk_size(SAMPLE);
        let sampled = scanner.scan_input(Input::open(file).ok()?, sample, ControlFlow::Break);
        sampled.ok().flatten().flatten()
    }

    fn records_in(self, bytes: u64) -> u64 {
        self.scaled(self.records, bytes)
    }

    fn problems_in(self, bytes: u64) -> u64 {
        self.scaled(self.problems, bytes)
    }

    /// Returns the number for a file of `bytes` bytes if the sample has `count`. The result is at least 1.
    fn scaled(self, count: u64, bytes: u64) -> u64 {
        let bytes = if self.is_compressed { bytes.saturating_mul(COMPRESSION) } else { bytes };
        let scaled = u128::from(count) * u128::from(bytes) / u128::from(self.bytes.max(1));
        u64::try_from(scaled).unwrap_or(u64::MAX).max(1)
    }
}
