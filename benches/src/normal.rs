//! Benches of normal forms and resolved references: whole lists and single records, compared with the peers
//! that have these functions.
//!
//! Peers have to parse each record, so the time of the peers includes parsing. Bases are parsed before, for
//! urivalidate and all peers.

use std::hint::black_box;

use criterion::{BenchmarkGroup, Criterion, Throughput};
use urivalidate::{Base, Batch, Columns, Grammar, NormalForm, NormalizedRecords, Targets, Validator};

use crate::clock::CpuTime;
use crate::corpus::{self, Corpus, for_each_line};

pub fn benches(criterion: &mut Criterion<CpuTime>, list: &Corpus) {
    normalization(criterion, list);
    let rewrites: [(&str, fn(&[u8], &mut Vec<u8>)); 4] = [
        ("case", scheme_in_upper_case),
        ("host", host_in_upper_case),
        ("escapes", with_escape),
        ("dots", with_dots),
    ];
    for (name, rewrite) in rewrites {
        normalization(criterion, &list.map(&format!("{}-{name}", list.name), rewrite));
    }
    resolution(criterion);
}

/// Writes a record with the first letter of its scheme in upper case.
fn scheme_in_upper_case(record: &[u8], to: &mut Vec<u8>) {
    let start = to.len();
    to.extend_from_slice(record);
    to[start..].iter_mut().take(1).for_each(|byte| byte.make_ascii_uppercase());
}

/// Writes a record with its host in upper case.
fn host_in_upper_case(record: &[u8], to: &mut Vec<u8>) {
    let start = to.len();
    to.extend_from_slice(record);
    if let Some(host) = urivalidate::parse(Grammar::Uri, record).ok().and_then(|components| components.host())
    {
        to[start..][host].make_ascii_uppercase();
    }
}

/// Writes a record with an escaped letter and an escape in lower case at the end of its path.
fn with_escape(record: &[u8], to: &mut Vec<u8>) {
    insert(record, |path| path.end, b"%7eb%c3%a9", to);
}

/// Writes a record with two dot segments at the start of its path.
fn with_dots(record: &[u8], to: &mut Vec<u8>) {
    insert(record, |path| path.start, b"/./a/..", to);
}

fn insert(record: &[u8], at: impl Fn(std::ops::Range<usize>) -> usize, text: &[u8], to: &mut Vec<u8>) {
    let path = urivalidate::parse(Grammar::Uri, record).ok().and_then(|components| components.path());
    let (before, after) = record.split_at(path.map_or(0, at));
    to.extend([before, text, after].concat());
}

fn normalization(criterion: &mut Criterion<CpuTime>, list: &Corpus) {
    let mut group = list.group(criterion, &format!("normal/{}", list.name));
    per_line(&mut group, "1-peers/fluent-uri", list, |record| {
        fluent_uri::Uri::parse(record).map_or(0, |uri| uri.normalize().as_str().len())
    });
    per_line(&mut group, "1-peers/iri-string", list, |record| {
        use iri_string::format::ToDedicatedString;
        iri_string::types::UriStr::new(record)
            .map_or(0, |uri| uri.normalize().to_dedicated_string().as_str().len())
    });
    let normalizer =
        Validator::new(Grammar::Uri).normalizer(NormalForm::Syntax).expect("a form of every grammar");
    let mut to = Vec::new();
    per_line(&mut group, "2-urivalidate/normalize", list, |record| {
        to.clear();
        let normal = normalizer.normalize(record.as_bytes(), &mut to);
        normal.map_or(0, |normal| normal.map_or(record.len(), <[u8]>::len))
    });
    let (mut batch, mut forms) = (Batch::new(), NormalizedRecords::new());
    group.bench_function("3-batch/normalize_batch", |bencher| {
        bencher.iter(|| {
            let mut changed = 0;
            for chunk in list.chunks() {
                let batch = normalizer.validator().scan(chunk, Columns::RECORDS, &mut batch);
                normalizer
                    .normalize_batch(batch.expect("a chunk"), chunk, &mut forms)
                    .expect("these columns");
                changed += black_box(forms.changed().len());
            }
            changed
        });
    });
    group.finish();
}

/// Adds a bench that adds up the results of `normal_length` for all lines that are UTF-8.
fn per_line(
    group: &mut BenchmarkGroup<'_, CpuTime>,
    id: &str,
    list: &Corpus,
    mut normal_length: impl FnMut(&str) -> usize,
) {
    group.bench_function(id, |bencher| {
        bencher.iter(|| {
            let mut bytes = 0;
            for_each_line(&list.bytes, |line| {
                bytes += str::from_utf8(black_box(line)).map_or(0, &mut normal_length);
            });
            bytes
        });
    });
}

/// Benches with real references, each with its own base.
fn resolution(criterion: &mut Criterion<CpuTime>) {
    let Some(text) = corpus::real("oxiri_relative_urls_cc_10k.csv") else { return };
    let pairs: Vec<(&str, &str)> = text.lines().skip(1).filter_map(|line| line.split_once(',')).collect();
    // Keep pairs that all peers can resolve. fluent-uri does not accept IRIs as URIs.
    let pairs: Vec<_> = pairs.into_iter().filter(|(base, reference)| are_for_all(base, reference)).collect();
    let mut group = criterion.benchmark_group("resolve/pairs");
    group.throughput(Throughput::ElementsAndBytes {
        elements: pairs.len() as u64,
        bytes: pairs.iter().map(|(_, reference)| reference.len() as u64).sum(),
    });
    let oxiri: Vec<_> = parsed(&pairs, |base| oxiri::Iri::parse(base).ok());
    let mut to = String::new();
    resolve(&mut group, "1-peers/oxiri", &oxiri, |base, reference| {
        to.clear();
        let reference = oxiri::IriRef::parse(reference).expect("all resolve");
        base.resolve_into(&reference, &mut to).expect("all resolve");
        to.len()
    });
    let fluent: Vec<_> = parsed(&pairs, |base| fluent_uri::Uri::parse(base).ok());
    resolve(&mut group, "1-peers/fluent-uri", &fluent, |base, reference| {
        let reference = fluent_uri::UriRef::parse(reference).expect("all resolve");
        reference.resolve_against(base).expect("all resolve").as_str().len()
    });
    let strings: Vec<_> = parsed(&pairs, |base| iri_string::types::UriAbsoluteStr::new(base).ok());
    resolve(&mut group, "1-peers/iri-string", &strings, |base, reference| {
        use iri_string::format::ToDedicatedString;
        let reference = iri_string::types::UriReferenceStr::new(reference).expect("all resolve");
        reference.resolve_against(base).to_dedicated_string().as_str().len()
    });
    let validator = Validator::new(Grammar::UriReference);
    let ours: Vec<(Base<'_>, &str)> = parsed(&pairs, |base| validator.base(base.as_bytes()).ok());
    let mut to = Vec::new();
    resolve(&mut group, "2-urivalidate/resolve", &ours, |base, reference| {
        to.clear();
        let resolved = base.resolve(reference.as_bytes(), &mut to).expect("all resolve");
        resolved.map_or(reference.len(), <[u8]>::len)
    });
    group.finish();
    one_base(criterion, &pairs);
}

/// Benches with the same references, all with the same base.
fn one_base(criterion: &mut Criterion<CpuTime>, pairs: &[(&str, &str)]) {
    let text = "https://www.example.com/blog/2024/05/a-page.html?page=2";
    let mut list = Vec::new();
    pairs.iter().for_each(|(_, reference)| list.extend([reference.as_bytes(), b"\n"].concat()));
    let list = Corpus::new("one-base", list);
    let mut group = list.group(criterion, "resolve/one-base");
    let base = oxiri::Iri::parse(text).expect("a base");
    let mut to = String::new();
    per_line(&mut group, "1-peers/oxiri", &list, |reference| {
        to.clear();
        let reference = oxiri::IriRef::parse(reference).expect("all resolve");
        base.resolve_into(&reference, &mut to).expect("all resolve");
        to.len()
    });
    let base = fluent_uri::Uri::parse(text).expect("a base");
    per_line(&mut group, "1-peers/fluent-uri", &list, |reference| {
        let reference = fluent_uri::UriRef::parse(reference).expect("all resolve");
        reference.resolve_against(&base).expect("all resolve").as_str().len()
    });
    let base = iri_string::types::UriAbsoluteStr::new(text).expect("a base");
    per_line(&mut group, "1-peers/iri-string", &list, |reference| {
        use iri_string::format::ToDedicatedString;
        let reference = iri_string::types::UriReferenceStr::new(reference).expect("all resolve");
        reference.resolve_against(base).to_dedicated_string().as_str().len()
    });
    let validator = Validator::new(Grammar::UriReference);
    let base = validator.base(text.as_bytes()).expect("a base");
    let mut to = Vec::new();
    per_line(&mut group, "2-urivalidate/resolve", &list, |reference| {
        to.clear();
        let resolved = base.resolve(reference.as_bytes(), &mut to).expect("all resolve");
        resolved.map_or(reference.len(), <[u8]>::len)
    });
    let (mut batch, mut targets) = (Batch::new(), Targets::new());
    group.bench_function("3-batch/resolve_batch", |bencher| {
        bencher.iter(|| {
            let mut bytes = 0;
            for chunk in list.chunks() {
                let batch = validator.scan(chunk, Base::COLUMNS, &mut batch).expect("a chunk");
                base.resolve_batch(batch, chunk, &mut targets).expect("these columns");
                bytes += targets.iter().map(|target| target.map_or(0, <[u8]>::len)).sum::<usize>();
            }
            bytes
        });
    });
    group.finish();
}

fn are_for_all(base: &str, reference: &str) -> bool {
    iri_string::types::UriAbsoluteStr::new(base).is_ok() && fluent_uri::UriRef::parse(reference).is_ok()
}

fn parsed<'a, B>(pairs: &[(&'a str, &'a str)], parse: impl Fn(&'a str) -> Option<B>) -> Vec<(B, &'a str)> {
    pairs.iter().map(|&(base, reference)| (parse(base).expect("all are bases"), reference)).collect()
}

fn resolve<B>(
    group: &mut BenchmarkGroup<'_, CpuTime>,
    id: &str,
    pairs: &[(B, &str)],
    mut resolved_length: impl FnMut(&B, &str) -> usize,
) {
    group.bench_function(id, |bencher| {
        bencher.iter(|| {
            pairs.iter().map(|(base, reference)| resolved_length(base, black_box(reference))).sum::<usize>()
        });
    });
}
