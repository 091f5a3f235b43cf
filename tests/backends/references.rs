//! Tests references of batches, resolved: the targets of each backend against those of the references one by
//! one.

use urivalidate::{Base, Batch, Grammar, Nulls, Targets, Validator};

use crate::reference::backends;
use crate::shuffled::Random;
use crate::stride;

/// Bases of all shapes, some with dot segments.
const BASES: &[&str] = &[
    "http://a/b/c/d;p?q",
    "http://a",
    "http://a?q",
    "http://a/#f",
    "http://a/b/../c/./d/",
    "http://a/b/.c/..d/e.",
    "http://u@a:80//b//c?q/../r#f/./g",
    "//a/b",
    "x:/a/b/c",
    "x:a/b/c",
    "x:a",
    "x:",
    "x://",
    "x:///a/b",
    "http://www.example.com/a/very/long/directory/of/a/page/with/more/than/sixty-four/bytes/index.html?a=b",
    "/a/b",
    "a/b",
];

/// Pieces of references.
const PIECES: &[&str] = &[
    "a",
    "b.c",
    ".d",
    "/",
    "//",
    "//h",
    ".",
    "..",
    "./",
    "../",
    "../../",
    "/.",
    "/..",
    "/./",
    "/../",
    "?",
    "?q",
    "?q/../r",
    "#",
    "#f/./g",
    ":",
    "x:",
    "http://",
    "http://h/",
    "mailto:a@b",
    "%2e%2E",
    "%2f",
    "*",
    " ",
    "\u{e9}",
    "h:80",
    "abcdefghijklmnopqrstuvwxyz0123456789",
    "/a/long/path/of/sixty-four/bytes/and/more/than/that/to/be/copied/by/call",
];

/// Returns the targets one by one.
fn one_by_one(base: &Base<'_>, references: &[Vec<u8>]) -> Vec<Option<Vec<u8>>> {
    let mut to = Vec::new();
    let target = |reference: &Vec<u8>| {
        to.clear();
        let target = base.resolve(reference, &mut to).ok()?;
        Some(target.unwrap_or(reference).to_vec())
    };
    references.iter().map(target).collect()
}

/// Returns the targets of a batch.
fn in_bulk(base: &Base<'_>, batch: &Batch, values: &[u8], targets: &mut Targets) -> Vec<Option<Vec<u8>>> {
    base.resolve_batch(batch, values, targets).unwrap();
    assert_eq!((targets.len(), targets.is_empty()), (batch.len(), batch.is_empty()));
    let all: Vec<_> = targets.iter().map(|target| target.map(<[u8]>::to_vec)).collect();
    for (index, target) in all.iter().enumerate() {
        assert_eq!(targets.get(index), target.as_deref());
    }
    all
}

#[track_caller]
fn compare(grammar: Grammar, references: &[Vec<u8>]) {
    let (lines, values) = (references.join(&b'\n'), references.concat());
    let mut end = 0;
    let ends = references.iter().map(|reference| {
        end += reference.len() as i32;
        end
    });
    let offsets: Vec<i32> = std::iter::once(0).chain(ends).collect();
    let mut targets = Targets::new();
    for &text in BASES {
        let Ok(base) = Validator::new(grammar).base(text.as_bytes()) else { continue };
        let expected = one_by_one(&base, references);
        for &backend in backends() {
            let validator = Validator::new(grammar).with_backend(backend).unwrap();
            let mut batch = Batch::new();
            validator.scan(&lines, Base::COLUMNS, &mut batch).unwrap();
            // An empty last reference has no line.
            let expected_of_lines = &expected[..batch.len()];
            let found = in_bulk(&base, &batch, &lines, &mut targets);
            assert_eq!(found, expected_of_lines, "{grammar}, {text}, {backend}");
            validator.scan_ranges(&offsets, &values, None, Base::COLUMNS, &mut batch).unwrap();
            let found = in_bulk(&base, &batch, &values, &mut targets);
            assert_eq!(found, expected, "{grammar}, {text}, {backend}, ranges");
            for (index, target) in found.iter().enumerate() {
                let is_same = target.as_ref() == Some(&references[index]);
                assert_eq!(
                    targets.is_unchanged(index),
                    is_same,
                    "{grammar}, {text}: {:?}",
                    references[index]
                );
            }
        }
    }
}

#[test]
fn all_backends_resolve_as_one_by_one() {
    let mut random = Random(5);
    for &grammar in Grammar::ALL {
        for _ in 0..40 / stride(20) {
            let references: Vec<Vec<u8>> = (0..120)
                .map(|_| {
                    let len = random.below(7);
                    (0..len).flat_map(|_| PIECES[random.below(PIECES.len())].bytes()).collect()
                })
                .collect();
            compare(grammar, &references);
        }
    }
}

/// Tests each dot segment across each border of blocks.
#[test]
fn dot_segments_are_seen_across_borders() {
    let dotted =
        ["a/./b", "a/..", "../a", "/a/../b", "//h/./a", "x:./a", "http://h/..", "..", "./a:b", "?/."];
    for pad in (0..140).step_by(stride(7)) {
        let padding = "p".repeat(pad).into_bytes();
        let references: Vec<_> = dotted
            .iter()
            .flat_map(|text| {
                let within = text.replacen('a', &format!("a{}", "p".repeat(pad)), 1);
                [padding.clone(), text.as_bytes().to_vec(), within.into_bytes()]
            })
            .collect();
        compare(Grammar::UriReference, &references);
    }
}

/// Tests that null references have no target, and that bytes between the references do not matter.
#[test]
fn nulls_have_no_targets() {
    let values = b"../a/b../c/./?q";
    let offsets = [0, 4, 6, 8, 11, 13, 15];
    for &backend in backends() {
        let validator = Validator::new(Grammar::UriReference).with_backend(backend).unwrap();
        let base = validator.base(b"http://h/x/y/z").unwrap();
        let (mut batch, mut targets) = (Batch::new(), Targets::new());
        for bits in 0..64_u8 {
            let nulls = Some(Nulls::new(std::slice::from_ref(&bits), 0));
            let batch = validator.scan_ranges(&offsets, values, nulls, Base::COLUMNS, &mut batch).unwrap();
            base.resolve_batch(batch, values, &mut targets).unwrap();
            let all = [
                "http://h/x/a",
                "http://h/b",
                "http://h/x/",
                "http://h/c/",
                "http://h/x/y/",
                "http://h/x/y/z?q",
            ];
            for (index, expected) in all.iter().enumerate() {
                let expected = (bits >> index & 1 == 1).then_some(expected.as_bytes());
                assert_eq!(targets.get(index), expected, "{backend}, {bits:b}, {index}");
            }
        }
    }
}

#[test]
fn columns_are_needed() {
    let validator = Validator::new(Grammar::UriReference);
    let (mut batch, mut targets) = (Batch::new(), Targets::new());
    validator.scan(b"a\n", urivalidate::Columns::RECORDS, &mut batch).unwrap();
    let missing =
        validator.base(b"http://h/").unwrap().resolve_batch(&batch, b"a\n", &mut targets).unwrap_err();
    assert!(missing.columns().contains(urivalidate::Column::QueryEnd), "{missing}");
}
