//! Scans of lines, ranges and NULLs find the same addresses as the parsers.

use alloc::vec::Vec;

use super::{Nulls, scan_lines, scan_ranges};
use crate::HostKind;
use crate::batch::Batch;
use crate::column::Columns;
use crate::grammar::{Grammar, Rules};
use crate::request::Request;
use crate::simd::{Available, Backend};

/// Records with names and addresses: common ones, which kernels accept, and some with userinfo, ports or
/// spaces. With `uncommon`, the parser judges most of them.
fn records(count: usize, uncommon: bool) -> Vec<Vec<u8>> {
    let hosts = [
        "www.example.gov",
        "x1",
        "127.0.0.1",
        "[::1]",
        "[v1.x]",
        "256.1.1.1",
        "h.",
        "",
        "1.2.3.4.5",
        "e.com",
    ];
    let record = |index: usize| {
        let host = hosts[index * index % 97 % hosts.len()];
        match index * index % if uncommon { 5 } else { 41 } {
            1 => std::format!("http://user@{host}:80/path"),
            4 => std::format!("http://{host}/a path"),
            0 if index.is_multiple_of(2) => std::format!("http://{host}:8{}/path", index % 10),
            9 | 10 => std::format!("//{host}/{}", "x".repeat(index % 80)),
            16 => std::format!("mailto:{host}"),
            _ => std::format!("http://{host}/{}?q", "y".repeat(index % 90)),
        }
    };
    (0..count).map(|index| record(index).into_bytes()).collect()
}

#[test]
fn addresses_are_those_that_the_parsers_find() {
    for uncommon in [false, true] {
        // Several pieces of a scan.
        let records = records(6_000, uncommon);
        let lines = records.join(&b'\n');
        let values = records.concat();
        let ends = records.iter().scan(0u32, |end, record| {
            *end += record.len() as u32;
            Some(*end)
        });
        let offsets: Vec<u32> = [0].into_iter().chain(ends).collect();
        let bitmap: Vec<u8> = (0..records.len().div_ceil(8)).map(|byte| !(byte as u8 & 0x11)).collect();
        let is_null = |index: usize| bitmap[index / 8] >> (index % 8) & 1 == 0;
        for &grammar in Grammar::ALL {
            let rules = Rules::new(grammar);
            let kinds = records.iter().map(|record| rules.parse(record).ok()?.host_kind());
            let name = grammar.default_host_kind();
            let expected: Vec<_> = kinds
                .enumerate()
                .filter_map(|(index, kind)| Some((index, kind.filter(|&kind| kind != name)?)))
                .collect();
            if grammar == Grammar::Uri {
                assert!(expected.len() > 1_000);
            }
            let without_nulls: Vec<_> =
                expected.iter().copied().filter(|&(index, _)| !is_null(index)).collect();
            for backend in Backend::ALL.iter().filter_map(|&backend| Available::new(backend)) {
                let name = backend.backend();
                let mut batch = Batch::new();
                scan_lines(rules, backend, &lines, Columns::ALL.into(), &mut batch);
                let found: Vec<_> = batch.addresses(&lines, 0..records.len()).collect();
                assert_eq!(found, expected, "{grammar} {name}");
                let some = 1_500..4_500;
                let among = |all: &[(usize, HostKind)]| -> Vec<_> {
                    all.iter().copied().filter(|(index, _)| some.contains(index)).collect()
                };
                assert_eq!(batch.addresses(&lines, some.clone()).collect::<Vec<_>>(), among(&expected));
                let mut copy = Batch::new();
                batch.copy_records(some.clone(), &mut copy);
                let copied =
                    copy.addresses(&lines, 0..some.len()).map(|(index, kind)| (index + some.start, kind));
                assert_eq!(copied.collect::<Vec<_>>(), among(&expected));
                let nulls = Some(Nulls::new(&bitmap, 0));
                scan_ranges(rules, backend, &offsets, &values, nulls, Columns::ALL.into(), &mut batch);
                let found: Vec<_> = batch.addresses(&values, 0..records.len()).collect();
                assert_eq!(found, without_nulls, "{grammar} {name}");
            }
        }
    }
}

/// Lines that fall back in a cluster do not keep a scan from counting components; too many of them do.
#[test]
fn the_lines_of_the_whole_buffer_decide_whether_components_are_counted() {
    let rules = Rules::new(Grammar::Uri);
    let is_counted = |backend, falls_back: &dyn Fn(usize) -> bool| {
        let line =
            |index| if falls_back(index) { "http://u@h.example/a\n" } else { "http://h.example/path\n" };
        let lines: Vec<u8> = (0..40_000).flat_map(|index| line(index).bytes()).collect();
        let mut batch = Batch::new();
        scan_lines(rules, backend, &lines, Request::COUNTS, &mut batch);
        assert_eq!((batch.len(), batch.valid_count()), (40_000, 40_000));
        batch.counts.is_some()
    };
    for backend in Backend::ALL.iter().filter_map(|&backend| Available::new(backend)) {
        let counts = backend.backend() != Backend::Scalar;
        // A quarter of a piece.
        assert_eq!(is_counted(backend, &|index| (20_000..21_500).contains(&index)), counts);
        assert_eq!(is_counted(backend, &|index| index % 20 == 0), counts);
        assert!(!is_counted(backend, &|index| index % 12 == 0));
        assert!(!is_counted(backend, &|index| (1_000..6_000).contains(&index)));
    }
}
