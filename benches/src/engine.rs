//! Benches of scans, for all groups.

use std::hint::black_box;

use criterion::{BenchmarkGroup, BenchmarkId};
use urivalidate::{Backend, Batch, Columns, Grammar, Validator};

use crate::clock::CpuTime;
use crate::corpus::Corpus;

/// Only verdicts.
pub const VERDICTS: (&str, Columns) = ("verdicts", Columns::NONE);
/// Verdicts, and the places of the records.
pub const RECORDS: (&str, Columns) = ("records", Columns::RECORDS);
/// Verdicts, and the places of the records and their components.
pub const ALL_COLUMNS: (&str, Columns) = ("all-columns", Columns::ALL);

/// The backends that this machine has.
pub fn backends() -> Vec<Backend> {
    Backend::ALL.iter().copied().filter(|backend| backend.is_available()).collect()
}

/// The scalar backend, and the machine's best backend.
pub fn scalar_and_best() -> Vec<Backend> {
    let mut backends = vec![Backend::Scalar, Backend::best()];
    backends.dedup();
    backends
}

/// A validator with a backend that this machine has.
pub fn validator(grammar: Grammar, backend: Backend) -> Validator {
    Validator::new(grammar).with_backend(backend).expect("only available backends are asked for")
}

/// The id of a bench. The ids sort reports: lines, then peers, then backends, the slowest first.
pub fn id(backend: Backend, what: &str) -> BenchmarkId {
    let position = Backend::ALL.iter().position(|&other| other == backend).expect("ALL holds all");
    BenchmarkId::new(format!("{}-{backend}", position + 2), what)
}

/// Scans a corpus chunk by chunk into one batch. Returns the number of valid records.
pub fn scan(corpus: &Corpus, validator: &Validator, columns: Columns, batch: &mut Batch) -> usize {
    let mut valid = 0;
    for chunk in corpus.chunks() {
        validator.scan(chunk, columns, batch).expect("a chunk is small");
        valid += black_box(&*batch).valid_count();
    }
    valid
}

/// Adds a bench for each backend and set of columns, after checking that each finds `expected` valid records.
pub fn benches(
    group: &mut BenchmarkGroup<'_, CpuTime>,
    corpus: &Corpus,
    grammar: Grammar,
    expected: usize,
    backends: &[Backend],
    columns: &[(&str, Columns)],
) {
    for &backend in backends {
        for &(what, columns) in columns {
            group.bench_function(id(backend, what), |bencher| {
                let validator = validator(grammar, backend);
                let mut batch = Batch::new();
                let mut run = || scan(corpus, &validator, columns, &mut batch);
                assert_eq!(run(), expected, "valid records of {}, {backend}", corpus.name);
                bencher.iter(run);
            });
        }
    }
}
