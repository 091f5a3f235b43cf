//! Benches of keys: SURT keys and registered domains, one record at a time.

use std::hint::black_box;

use criterion::Criterion;
use urivalidate::{DomainFinder, Domains, Grammar, Validator, surt};

use crate::clock::CpuTime;
use crate::corpus::{Corpus, for_each_line};

/// The number of different hosts.
const DIFFERENT: usize = 100_000;

pub fn benches(criterion: &mut Criterion<CpuTime>, list: &Corpus) {
    let mut group = list.group(criterion, &format!("keys/{}", list.name));
    let mut key = Vec::new();
    group.bench_function("2-urivalidate/surt", |bencher| {
        bencher.iter(|| {
            for_each_line(&list.bytes, |line| {
                key.clear();
                black_box(surt(line, &mut key));
            });
        });
    });
    group.finish();
    let validator = Validator::new(Grammar::Uri);
    let mut hosts = Vec::new();
    for_each_line(&list.bytes, |line| {
        let host = validator.parse(line).ok().and_then(|components| components.host());
        hosts.extend(host.and_then(|host| str::from_utf8(&line[host]).ok()));
    });
    // One bench uses the hosts in the order of the list, which has runs of equal hosts. The other uses hosts
    // of the list and of the vectors for the Public Suffix List, each once, under labels that make them
    // different.
    let vectors = include_str!("../../tests/library/test_psl.txt").split('\'').skip(1).step_by(2);
    let mut names: Vec<&str> = hosts.iter().copied().chain(vectors).collect();
    names.sort_unstable();
    names.dedup();
    let mut next = 1_u32;
    let different: Vec<String> = (0..DIFFERENT)
        .map(|number| {
            // Not in alphabetical order, which the branch predictor would learn.
            next = next.wrapping_mul(0x0019_660D).wrapping_add(0x3C6E_F35F);
            format!("h{number}.{}", names[(next >> 8) as usize % names.len()])
        })
        .collect();
    let different = different.iter().map(String::as_str).collect();
    for (name, hosts) in [("runs", hosts), ("different", different)] {
        let mut group = criterion.benchmark_group(format!("domains/{name}"));
        group.throughput(criterion::Throughput::Elements(hosts.len() as u64));
        group.bench_function("1-peers/psl", |bencher| {
            bencher.iter(|| hosts.iter().filter(|host| psl::domain(host.as_bytes()).is_some()).count());
        });
        group.bench_function("1-peers/addr", |bencher| {
            bencher.iter(|| hosts.iter().filter(|host| addr::parse_domain_name(host).is_ok()).count());
        });
        group.bench_function("2-urivalidate/Domains", |bencher| {
            bencher.iter(|| hosts.iter().filter(|host| Domains::of(host.as_bytes()).is_some()).count());
        });
        group.bench_function("2-urivalidate/DomainFinder", |bencher| {
            let mut finder = DomainFinder::default();
            bencher.iter(|| hosts.iter().filter(|host| finder.find(host.as_bytes()).is_some()).count());
        });
    }
}
