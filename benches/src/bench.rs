//! Benches of the engine and of its peers with the same bytes in the same run. README.md explains how to read
//! them.

mod bulk;
mod clock;
mod corpus;
mod dirty;
mod engine;
mod grammars;
mod html_peer;
mod keys;
mod normal;
mod pages;
mod peers;
mod ranges;
mod reader;
mod record;
mod tables;

use std::time::Duration;

use criterion::Criterion;

fn main() {
    let mut criterion = Criterion::default()
        .with_measurement(clock::CpuTime)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(1))
        .sample_size(15)
        .nresamples(10_000)
        .configure_from_args();
    let corpora = corpus::lists();
    bulk::benches(&mut criterion, &corpora);
    dirty::benches(&mut criterion);
    grammars::benches(&mut criterion, &corpora[0]);
    keys::benches(&mut criterion, &corpora[0]);
    normal::benches(&mut criterion, &corpora[0]);
    pages::benches(&mut criterion, &corpora[0]);
    ranges::benches(&mut criterion, &corpora);
    record::benches(&mut criterion, &corpora[0]);
    reader::benches(&mut criterion, &corpora[0]);
    tables::benches(&mut criterion, &corpora[0]);
    criterion.final_summary();
}
