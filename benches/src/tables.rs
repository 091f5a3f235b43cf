//! Benches for tables and JSON lines, compared with the parsers that others use to get at the URLs in them.

use criterion::{BenchmarkId, Criterion};
use urivalidate::corpus::Format;
use urivalidate::{Grammar, Validator};

use crate::clock::CpuTime;
use crate::corpus::{Corpus, is_test};
use crate::pages::{records, scanner};

/// The approximate size of an input in bytes.
const SIZE: usize = 8 << 20;

/// The size of an input in bytes if the benches run as a test.
const SMOKE: usize = 128 << 10;

/// A parser that counts the URLs of an input.
type Peer = (&'static str, fn(&[u8]) -> usize);

pub fn benches(criterion: &mut Criterion<CpuTime>, list: &Corpus) {
    let csv = input(list, b"id,url,status,title\n", |id, url, out| {
        out.extend_from_slice(format!("{id},").as_bytes());
        let is_quoted = url.contains(&b',');
        let quote: &[u8] = if is_quoted { b"\"" } else { b"" };
        for part in [quote, url, quote, b",200,\"A title, of some words\"\n"] {
            out.extend_from_slice(part);
        }
    });
    let tsv = input(list, b"id\turl\tstatus\ttitle\n", |id, url, out| {
        out.extend_from_slice(format!("{id}\t").as_bytes());
        out.extend_from_slice(url);
        out.extend_from_slice(b"\t200\tA title, of some words\n");
    });
    let jsonl = input(list, b"", |id, url, out| {
        out.extend_from_slice(format!(r#"{{"id":{id},"url":""#).as_bytes());
        out.extend_from_slice(url);
        out.extend_from_slice(b"\",\"status\":200,\"title\":\"A title of some words\"}\n");
    });
    bench(criterion, Format::Csv, &csv, &[("csv", by_csv::<b','>), ("simd-csv", by_simd_csv::<b','>)]);
    bench(criterion, Format::Tsv, &tsv, &[("csv", by_csv::<b'\t'>), ("simd-csv", by_simd_csv::<b'\t'>)]);
    bench(criterion, Format::Jsonl, &jsonl, &[("serde_json", by_serde_json), ("sonic-rs", by_sonic_rs)]);
}

fn bench(criterion: &mut Criterion<CpuTime>, format: Format, input: &Corpus, peers: &[Peer]) {
    let (scanner, validator) = scanner(format);
    let expected = records(&scanner, &validator, &input.bytes);
    let mut group = input.group(criterion, &format!("tables/{format}"));
    for &(name, count) in peers {
        assert_eq!(count(&input.bytes), expected, "{name}");
        group.bench_function(BenchmarkId::new("1-peers", name), |bencher| {
            bencher.iter(|| count(&input.bytes));
        });
    }
    group.bench_function(BenchmarkId::new("2-format", "verdicts"), |bencher| {
        bencher.iter(|| records(&scanner, &validator, &input.bytes));
    });
}

/// Makes an input of the valid URIs of a list, again and again.
fn input(list: &Corpus, header: &[u8], write: impl Fn(usize, &[u8], &mut Vec<u8>)) -> Corpus {
    let size = if is_test() { SMOKE / 2 } else { SIZE };
    let validator = Validator::new(Grammar::Uri);
    let valid = list.bytes.split(|&byte| byte == b'\n').filter(|line| validator.is_valid(line));
    let mut bytes = header.to_vec();
    for (id, url) in valid.cycle().enumerate() {
        write(id, url, &mut bytes);
        if bytes.len() >= size {
            break;
        }
    }
    Corpus::new("table", bytes)
}

/// Counts the cells of the second column that are not empty.
fn by_csv<const SEPARATOR: u8>(table: &[u8]) -> usize {
    let mut reader =
        csv::ReaderBuilder::new().delimiter(SEPARATOR).quoting(SEPARATOR == b',').from_reader(table);
    let (mut record, mut count) = (csv::ByteRecord::new(), 0);
    while reader.read_byte_record(&mut record).expect("the table is regular") {
        count += usize::from(!record[1].is_empty());
    }
    count
}

/// Works as [`by_csv`], without a copy of cells.
fn by_simd_csv<const SEPARATOR: u8>(table: &[u8]) -> usize {
    let mut reader = simd_csv::ZeroCopyReaderBuilder::new().delimiter(SEPARATOR).from_reader(table);
    let mut count = 0;
    while let Some(record) = reader.read_byte_record().expect("the table is regular") {
        count += usize::from(record.unescape(1).is_some_and(|cell| !cell.is_empty()));
    }
    count
}

/// Counts the lines with a URL that is not empty. Other keys are skipped.
fn by_serde_json(lines: &[u8]) -> usize {
    #[derive(serde::Deserialize)]
    struct Line<'a> {
        #[serde(borrow)]
        url: std::borrow::Cow<'a, str>,
    }

    let urls = serde_json::Deserializer::from_slice(lines).into_iter::<Line<'_>>();
    urls.filter(|line| !line.as_ref().expect("the lines are JSON").url.is_empty()).count()
}

/// Works as [`by_serde_json`], and looks for the key alone.
fn by_sonic_rs(lines: &[u8]) -> usize {
    let lines = lines.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let url = |line| sonic_rs::get_from_slice(line, &["url"]).expect("the lines are JSON");
    lines.filter(|line| url(*line).as_raw_str().len() > 2).count()
}
