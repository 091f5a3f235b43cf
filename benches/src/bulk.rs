//! Benches over whole lists: every backend, the loop that a user would write with each peer, and the cutting
//! of lines alone.

use std::hint::black_box;

use criterion::{BenchmarkGroup, BenchmarkId, Criterion};
use memchr::memchr_iter;
use urivalidate::Grammar;

use crate::clock::CpuTime;
use crate::corpus::{Corpus, for_each_line};
use crate::{engine, peers};

pub fn benches(criterion: &mut Criterion<CpuTime>, corpora: &[Corpus]) {
    for corpus in corpora {
        let expected = corpus.count(peers::fluent_uri);
        assert_eq!(corpus.count(peers::iri_string), expected, "valid records of {}", corpus.name);

        let mut group = corpus.group(criterion, &format!("bulk/{}", corpus.name));
        group.bench_function("0-lines/count", |bencher| {
            bencher.iter(|| {
                corpus.chunks().map(|chunk| memchr_iter(b'\n', black_box(chunk)).count()).sum::<usize>()
            });
        });
        group.bench_function("0-lines/cut", |bencher| {
            bencher.iter(|| {
                let mut longest = 0;
                for chunk in corpus.chunks() {
                    for_each_line(black_box(chunk), |line| longest = longest.max(line.len()));
                }
                longest
            });
        });
        peer(&mut group, corpus, "ada-url", peers::ada_url);
        peer(&mut group, corpus, "fluent-uri", peers::fluent_uri);
        peer(&mut group, corpus, "iri-string", peers::iri_string);
        peer(&mut group, corpus, "oxiri", peers::oxiri);
        peer(&mut group, corpus, "url", peers::url);
        let columns = [engine::VERDICTS, engine::RECORDS, engine::ALL_COLUMNS];
        engine::benches(&mut group, corpus, Grammar::Uri, expected, &engine::backends(), &columns);
    }
}

/// Adds a bench of the loop that a user would write with a peer.
pub fn peer(
    group: &mut BenchmarkGroup<'_, CpuTime>,
    corpus: &Corpus,
    name: &str,
    is_valid: impl Fn(&str) -> bool + Copy,
) {
    group.bench_function(BenchmarkId::new("1-peers", name), |bencher| {
        bencher.iter(|| corpus.count(is_valid));
    });
}
