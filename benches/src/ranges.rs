//! Benches of records without separators, as Arrow stores them, and of the same records as lines.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion};
use urivalidate::{Batch, Grammar, Validator};

use crate::clock::CpuTime;
use crate::corpus::{Corpus, for_each_line};
use crate::{engine, peers};

/// Records without separators, and the offsets of their starts. The last offset is the end of the last
/// record.
#[derive(Default)]
struct Strings {
    offsets: Vec<u32>,
    values: Vec<u8>,
}

pub fn benches(criterion: &mut Criterion<CpuTime>, corpora: &[Corpus]) {
    for corpus in corpora {
        let expected = corpus.count(peers::fluent_uri);
        let arrays: Vec<Strings> = corpus.chunks().map(strings).collect();
        let mut group = corpus.group(criterion, &format!("ranges/{}", corpus.name));
        group.bench_function(BenchmarkId::new("1-peers", "fluent-uri"), |bencher| {
            let run = || {
                let mut valid = 0;
                for Strings { offsets, values } in &arrays {
                    for pair in offsets.windows(2) {
                        let record = &values[pair[0] as usize..pair[1] as usize];
                        valid += usize::from(str::from_utf8(record).is_ok_and(peers::fluent_uri));
                    }
                }
                valid
            };
            assert_eq!(run(), expected);
            bencher.iter(run);
        });
        let validator = Validator::new(Grammar::Uri);
        for (what, columns) in [engine::VERDICTS, engine::ALL_COLUMNS] {
            let mut batch = Batch::new();
            group.bench_function(BenchmarkId::new("2-lines", what), |bencher| {
                bencher.iter(|| engine::scan(corpus, &validator, columns, &mut batch));
            });
            group.bench_function(BenchmarkId::new("3-ranges", what), |bencher| {
                let mut run = || {
                    let mut valid = 0;
                    for Strings { offsets, values } in &arrays {
                        validator
                            .scan_ranges(offsets, values, None, columns, &mut batch)
                            .expect("the offsets are in order");
                        valid += black_box(&batch).valid_count();
                    }
                    valid
                };
                assert_eq!(run(), expected);
                bencher.iter(run);
            });
        }
    }
}

fn strings(lines: &[u8]) -> Strings {
    let mut strings = Strings::default();
    strings.offsets.push(0);
    for_each_line(lines, |line| {
        strings.values.extend_from_slice(line);
        strings.offsets.push(strings.values.len() as u32);
    });
    strings
}
