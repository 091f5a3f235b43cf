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
    for length in LENGTHS {
        let records = about(length, corpus);
        let mut group = criterion.benchmark_group(format!("record/{length:03}"));
        group.throughput(throughput(&records));
        one_by_one(&mut group, "1-peers/ada-url", &records, |record| peers::ada_url(record));
        one_by_one(&mut group, "1-peers/fluent-uri", &records, |record| peers::fluent_uri(record));
        one_by_one(&mut group, "1-peers/iri-string", &records, |record| peers::iri_string(record));
        one_by_one(&mut group, "1-peers/oxiri", &records, |record| peers::oxiri(record));
        one_by_one(&mut group, "1-peers/url", &records, |record| peers::url(record));
        ours_and_schemas(&mut group, Grammar::Uri, &records);
        let validator = Validator::new(Grammar::Uri);
        one_by_one(&mut group, "2-urivalidate/parse", &records, |record| {
            black_box(validator.parse(record.as_bytes())).is_ok()
        });
        drop(group);

        let mut group = criterion.benchmark_group(format!("record-iri/{length:03}"));
        group.throughput(throughput(&records));
        let fluent_uri = peers::fluent_uri_of(Grammar::Iri).expect("it has IRIs");
        one_by_one(&mut group, "1-peers/fluent-uri", &records, |record| fluent_uri(record));
        one_by_one(&mut group, "1-peers/oxiri", &records, |record| peers::oxiri(record));
        ours_and_schemas(&mut group, Grammar::Iri, &records);
    }
}

/// Judges strings by a grammar, and values of JSON by the crate jsonschema, whose format has the same name.
fn ours_and_schemas(group: &mut BenchmarkGroup<'_, CpuTime>, grammar: Grammar, records: &[&str]) {
    let values: Vec<_> = records.iter().map(|&record| serde_json::Value::from(record)).collect();
    let schema = peers::jsonschema(grammar);
    one_by_one(group, "1-peers/jsonschema", &values, |value| schema.is_valid(value));
    let validator = Validator::new(grammar);
    one_by_one(group, "2-urivalidate/is_valid", records, |record| validator.is_valid(record.as_bytes()));
}

fn throughput(records: &[&str]) -> Throughput {
    let bytes = records.iter().map(|record| record.len() as u64).sum();
    Throughput::ElementsAndBytes { elements: records.len() as u64, bytes }
}

fn one_by_one<T>(
    group: &mut BenchmarkGroup<'_, CpuTime>,
    id: &str,
    records: &[T],
    is_valid: impl Fn(&T) -> bool,
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
