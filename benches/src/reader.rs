//! Benches of the steps around the engine when reading whole files: the fields of logs, decompression, record
//! batches.

use std::hint::black_box;
use std::io::{Read, Write, sink};
use std::ops::ControlFlow;
use std::path::Path;

use criterion::{BenchmarkId, Criterion};
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use urivalidate::arrow::RowConverter;
use urivalidate::corpus::{Chunk, ChunkScanner, Format, Layout, LayoutOptions, Scanner};
use urivalidate::stats::{Counter, Stats};
use urivalidate::{Columns, Grammar, Request, RowKind, Validator};

use crate::clock::CpuTime;
use crate::corpus::{Corpus, is_test};

pub fn benches(criterion: &mut Criterion<CpuTime>, list: &Corpus) {
    formats(criterion);
    compressed(criterion, list);
    batches(criterion, list);
    statistics(criterion, list);
}

/// Benches of logs in each format, compared with a scan of the same lines as records.
fn formats(criterion: &mut Criterion<CpuTime>) {
    /// The size in bytes of a log, which repeats the sample.
    const SIZE: usize = 4 << 20;

    let logs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora/logs");
    let samples = [
        (Format::Heritrix, "heritrix.log"),
        (Format::Cdx, "index.cdx"),
        (Format::Cdxj, "index.cdxj"),
        (Format::Common, "common.log"),
        (Format::Combined, "combined.log"),
        (Format::Squid, "squid.log"),
        (Format::W3c, "w3c.log"),
        (Format::Jsonl, "lines.jsonl"),
        (Format::Csv, "table.csv"),
        (Format::Tsv, "table.tsv"),
        (Format::Warc, "records.warc"),
    ];
    for (format, name) in samples {
        let sample = std::fs::read(logs.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let times = if is_test() { 1 } else { SIZE / sample.len() };
        let corpus = Corpus::new(format.name(), sample.repeat(times));
        let mut group = corpus.group(criterion, &format!("formats/{format}"));
        for (what, format) in [("1-lines", Format::Lines), ("2-format", format)] {
            let layout = Layout::new(format, &LayoutOptions::default()).unwrap();
            let validator = Validator::new(layout.grammar());
            let scanner = Scanner::new().layout(layout);
            group.bench_function(BenchmarkId::new(what, "verdicts"), |bencher| {
                bencher.iter(|| scan(&scanner, &validator, &corpus.bytes[..]));
            });
        }
    }
}

/// Benches of a compressed list, compared with its decoder alone, on one thread.
fn compressed(criterion: &mut Criterion<CpuTime>, list: &Corpus) {
    let gzip = |bytes: &[u8]| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("a Vec takes everything")
    };
    let files = [
        ("gzip-one-member", gzip(&list.bytes)),
        ("gzip-many-members", list.chunks().flat_map(gzip).collect()),
        ("zstd", zstd::encode_all(&list.bytes[..], 3).expect("a Vec takes everything")),
    ];
    let (scanner, validator) = (Scanner::new(), Validator::new(Grammar::Uri));
    let expected = scan(&scanner, &validator, &list.bytes[..]);
    for (name, file) in files {
        let mut group = list.group(criterion, &format!("compressed/{name}"));
        group.bench_function(BenchmarkId::new("1-decoder", "alone"), |bencher| {
            bencher.iter(|| {
                let mut decoder: Box<dyn Read> = match name {
                    "zstd" => Box::new(zstd::Decoder::new(&file[..]).expect("it is one")),
                    _ => Box::new(MultiGzDecoder::new(&file[..])),
                };
                std::io::copy(&mut decoder, &mut sink()).expect("it is sound")
            });
        });
        group.bench_function(BenchmarkId::new("2-scan", "verdicts"), |bencher| {
            assert_eq!(scan(&scanner, &validator, &file[..]), expected);
            bencher.iter(|| scan(&scanner, &validator, &file[..]));
        });
    }
}

/// Reads an input and judges its records. Returns the number of valid records.
fn scan(scanner: &Scanner, validator: &Validator, input: impl Read + Send) -> usize {
    let chunk_scanner = std::sync::Mutex::new(ChunkScanner::default());
    let job = |chunk: &Chunk<'_>| {
        let mut chunk_scanner = chunk_scanner.lock().expect("nothing panics");
        let scanned = chunk_scanner.scan(chunk, validator, Columns::NONE).expect("there is memory");
        scanned.batch().valid_count()
    };
    let mut valid = 0;
    let count = |found| {
        valid += found;
        ControlFlow::<()>::Continue(())
    };
    let flow = scanner.scan_reader(input, job, count).expect("what is in memory can be read");
    assert!(flow.is_none());
    valid
}

/// Benches of a list as Arrow record batches, compared with the scan from which the batches are made.
fn batches(criterion: &mut Criterion<CpuTime>, list: &Corpus) {
    let validator = Validator::new(Grammar::Uri);
    let scanner = Scanner::new().chunk_size(256 << 10);
    let rows = |kind| RowConverter::new(kind, Grammar::Uri);
    let hosts = rows(RowKind::Components).columns(&["host"]).expect("there is a host");
    let kinds = [
        ("components", rows(RowKind::Components)),
        ("offsets", rows(RowKind::Offsets)),
        ("errors", rows(RowKind::Errors)),
        ("hosts", hosts),
    ];
    let mut group = list.group(criterion, &format!("batches/{}", list.name));
    let mut bench = |id: BenchmarkId, columns: Columns, rows: Option<&RowConverter>| {
        let mut chunk_scanner = ChunkScanner::default();
        group.bench_function(id, |bencher| {
            let mut run = || {
                let chunk_scanner = std::sync::Mutex::new(&mut chunk_scanner);
                let job = |chunk: &Chunk<'_>| {
                    let mut chunk_scanner = chunk_scanner.lock().expect("nothing panics");
                    let scanned = chunk_scanner.scan(chunk, &validator, columns).expect("there is memory");
                    if let Some(rows) = rows {
                        black_box(rows.convert(b"list", 1, &scanned).expect("a chunk is small"));
                    }
                };
                let flow = scanner.scan_slice(&list.bytes, job, ControlFlow::<()>::Continue);
                assert!(flow.expect("it is in memory").is_none());
            };
            bencher.iter(&mut run);
        });
    };
    bench(BenchmarkId::new("1-scan", "all-columns"), Columns::ALL, None);
    for (what, rows) in &kinds {
        bench(BenchmarkId::new("2-batches", what), rows.scanned_columns(), Some(rows));
    }
}

/// Benches of the statistics of a list, and of each counter alone, with the scan that it needs.
fn statistics(criterion: &mut Criterion<CpuTime>, list: &Corpus) {
    /// No counter, one counter, or all counters.
    #[derive(Clone, Copy)]
    enum Counted {
        Nothing,
        One(Counter),
        All,
    }
    let validator = Validator::new(Grammar::Uri);
    // The chunk size of the command.
    let scanner = Scanner::new().chunk_size(256 << 10);
    let mut group = list.group(criterion, &format!("statistics/{}", list.name));
    let mut bench = |id: BenchmarkId, request: Request, counted: Counted| {
        let mut kept = (ChunkScanner::default(), Stats::new());
        group.bench_function(id, |bencher| {
            let mut run = || {
                let kept = std::sync::Mutex::new(&mut kept);
                let job = |chunk: &Chunk<'_>| {
                    let mut kept = kept.lock().expect("nothing panics");
                    let (chunk_scanner, stats) = &mut **kept;
                    let scanned = chunk_scanner.scan(chunk, &validator, request).expect("there is memory");
                    stats.clear();
                    match counted {
                        Counted::Nothing => {}
                        Counted::One(counter) => stats.count_alone(counter, &scanned),
                        Counted::All => stats.count(&scanned).expect("there are all columns"),
                    }
                    black_box(&stats);
                };
                let flow = scanner.scan_slice(&list.bytes, job, ControlFlow::<()>::Continue);
                assert!(flow.expect("it is in memory").is_none());
            };
            bencher.iter(&mut run);
        });
    };
    bench(BenchmarkId::new("1-scan", "verdicts"), Columns::NONE.into(), Counted::Nothing);
    bench(BenchmarkId::new("1-scan", "all-columns"), Columns::ALL.into(), Counted::Nothing);
    for &counter in Counter::ALL {
        bench(BenchmarkId::new("2-counted", counter), Columns::ALL.into(), Counted::One(counter));
    }
    bench(BenchmarkId::new("2-counted", "all"), Stats::new().request(), Counted::All);
}
