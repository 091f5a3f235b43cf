//! Benches of one record at a time, as in a prefilter.

use std::hint::black_box;

use criterion::{BenchmarkGroup, Criterion, Throughput};
use urivalidate::{Grammar, Validator};

use crate::clock::CpuTime;
use crate::corpus::{Corpus, for_each_line};
use crate::peers;

/// The lengths of records in bytes.
const LENGTHS: [usize; 4] = [20, 50, 100, 200];

/// The number of records that an iteration judges one by one. It is too large for a branch predictor to
/// memorize.
const RECORDS: usize = 64;

pub fn benches(criterion: &mut Criterion<CpuTime>, corpus: &Corpus) {
    let validator = Validator::new(Grammar::Uri);
    for length in LENGTHS {
        let records = about(length, corpus);
        let mut group = criterion.benchmark_group(format!("record/{length:03}"));
        group.throughput(Throughput::ElementsAndBytes {
            elements: records.len() as u64,
            bytes: records.iter().map(|record| record.len() as u64).sum(),
        });
        one_by_one(&mut group, "1-peers/ada-url", &records, peers::ada_url);
        one_by_one(&mut group, "1-peers/fluent-uri", &records, peers::fluent_uri);
        one_by_one(&mut group, "1-peers/iri-string", &records, peers::iri_string);
        one_by_one(&mut group, "1-peers/oxiri", &records, peers::oxiri);
        one_by_one(&mut group, "1-peers/url", &records, peers::url);
        one_by_one(&mut group, "2-urivalidate/is_valid", &records, |record| {
            validator.is_valid(record.as_bytes())
        });
        one_by_one(&mut group, "2-urivalidate/parse", &records, |record| {
            black_box(validator.parse(record.as_bytes())).is_ok()
        });
    }
}

fn one_by_one(
    group: &mut BenchmarkGroup<'_, CpuTime>,
    id: &str,
    records: &[&str],
    is_valid: impl Fn(&str) -> bool,
) {
    group.bench_function(id, |bencher| {
        let run = || records.iter().filter(|record| is_valid(black_box(record))).count();
        assert_eq!(run(), records.len(), "{id}");
        bencher.iter(run);
    });
}

/// Different records that all peers accept, and whose lengths are closest to `length`.
fn about(length: usize, corpus: &Corpus) -> Vec<&str> {
    let mut records = Vec::new();
    for_each_line(&corpus.bytes, |line| records.extend(str::from_utf8(line)));
    records.sort_unstable_by_key(|record| (record.len().abs_diff(length), *record));
    records.dedup();
    let judges = [peers::ada_url, peers::fluent_uri, peers::iri_string, peers::oxiri, peers::url];
    records.retain(|record| judges.iter().all(|is_valid| is_valid(record)));
    records.truncate(RECORDS);
    records
}
