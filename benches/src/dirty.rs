//! Lists for which the kernels leave much work to the scalar parser. No input may be slower than with the
//! scalar parser alone.

use criterion::Criterion;
use urivalidate::Grammar;

use crate::bulk::peer;
use crate::clock::CpuTime;
use crate::corpus::{Corpus, split};
use crate::{engine, peers};

pub fn benches(criterion: &mut Criterion<CpuTime>) {
    let clean = Corpus::made("clean", &["--invalid", "0"]);
    let lists = [
        Corpus::made("tenth-invalid", &["--invalid", "0.1"]),
        Corpus::made("tenth-userinfo-port", &["--profile", "userinfo"]),
        Corpus::made("tenth-brackets-query", &["--profile", "brackets"]),
        Corpus::made("long-64-KiB", &["--profile", "long"]),
        Corpus::made("all-invalid", &["--invalid", "1"]),
        clean.map("all-port", |record, out| in_root(record, b":8080", b"", out)),
        clean.map("all-brackets-query", with_brackets),
        clean.map("all-non-ascii", |record, out| in_root(record, b"", "/é".as_bytes(), out)),
    ];
    for list in &lists {
        let (grammar, is_valid): (_, fn(&str) -> bool) = match list.name.as_str() {
            "all-non-ascii" => (Grammar::Iri, |record| fluent_uri::Iri::parse(record).is_ok()),
            _ => (Grammar::Uri, peers::fluent_uri),
        };
        let expected = list.count(is_valid);
        let mut group = list.group(criterion, &format!("dirty/{}", list.name));
        peer(&mut group, list, "fluent-uri", is_valid);
        let columns = [engine::VERDICTS, engine::ALL_COLUMNS];
        engine::benches(&mut group, list, grammar, expected, &engine::scalar_and_best(), &columns);
    }
}

/// Replaces a record's port by `port`, and inserts `segment` before its path.
fn in_root(record: &[u8], port: &[u8], segment: &[u8], out: &mut Vec<u8>) {
    let (host, path) = split(record).unwrap_or((b"example.org", b"/"));
    for part in [b"https://", host, port, segment, path] {
        out.extend_from_slice(part);
    }
}

/// Appends a parameter with brackets to a record, in place of its fragment.
fn with_brackets(record: &[u8], out: &mut Vec<u8>) {
    let end = record.iter().position(|&byte| byte == b'#').unwrap_or(record.len());
    let record = &record[..end];
    out.extend_from_slice(record);
    out.push(if record.contains(&b'?') { b'&' } else { b'?' });
    out.extend_from_slice(b"x[]=1");
}
