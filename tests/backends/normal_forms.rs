//! Tests the normal forms of batches: the results of each backend against those of the records one by one.

use urivalidate::{Batch, Column, Columns, Grammar, NormalForm, NormalizedRecords, Request, Validator};

use crate::reference::backends;
use crate::shuffled::Random;
use crate::stride;

/// Texts that normal forms change, and texts that only resemble them.
const PIECES: &[&str] = &[
    "a",
    "B",
    "x:",
    "HTTP:",
    "http://h",
    "http://H",
    "https://h/",
    "//",
    "//H:80",
    "//u@h:",
    "[::A]",
    ":443",
    ":",
    "/",
    "/.",
    "/..",
    "..",
    ".",
    "./",
    "../",
    "?",
    "?q=/.A",
    "#",
    "#F.",
    "%2e",
    "%2E%2e",
    "%2D",
    "%2F",
    "%2f",
    "%20",
    "%30",
    "%3A",
    "%3a",
    "%3F",
    "%41",
    "%5B",
    "%6F",
    "%7e",
    "%21",
    "%27",
    "%2A",
    "%2B",
    "%80",
    "%c3%a9",
    "%C3%A9",
    "%e6%96%87",
    "%c3%A9",
    "%Ca",
    "%cA%2e%2E/",
    "%7E%7e%41",
    "%25",
    "%252e",
    "%25%34%31",
    "%f0%9F%98%80",
    "%ed%a0%80",
    "\u{e9}",
    ";",
    "@",
    "_",
    "*",
    "abcdefghijklmnop",
];

/// Returns the forms of all records of a buffer, by batch: the record itself if it does not change.
fn in_bulk(validator: Validator, form: NormalForm, batch: &Batch, values: &[u8]) -> Vec<Option<Vec<u8>>> {
    let mut forms = NormalizedRecords::new();
    validator.normalizer(form).unwrap().normalize_batch(batch, values, &mut forms).unwrap();
    let (starts, ends) = (batch.column(Column::Start).unwrap(), batch.column(Column::End).unwrap());
    let mut changed = forms.changed();
    let mut next = changed.next();
    let all = (0..batch.len()).map(|index| {
        let form = next.filter(|(at, _)| *at == index).map(|(_, form)| form);
        assert_eq!(form, forms.get(index));
        if form.is_some() {
            next = changed.next();
        }
        let record = || &values[starts[index] as usize..ends[index] as usize];
        assert!(form.is_none_or(|form| form != record()), "a form that is its record");
        batch.is_valid(index).then(|| form.unwrap_or_else(record).to_vec())
    });
    let all = all.collect();
    assert_eq!(next, None, "a form of a record that is not valid, or of none");
    all
}

/// Returns the forms of all records, one by one.
fn one_by_one(validator: Validator, form: NormalForm, records: &[Vec<u8>]) -> Vec<Option<Vec<u8>>> {
    let normalizer = validator.normalizer(form).unwrap();
    let mut to = Vec::new();
    let normal = |record: &Vec<u8>| {
        to.clear();
        let form = normalizer.normalize(record, &mut to).ok()?;
        Some(form.unwrap_or(record).to_vec())
    };
    records.iter().map(normal).collect()
}

/// Tests a few records among many normal ones, with a scan that notes the records that may differ from their
/// normal form.
#[track_caller]
fn in_sparse_list(validator: Validator, form: NormalForm, records: &[Vec<u8>], expected: &[Option<Vec<u8>>]) {
    const USUAL: [&str; 5] = ["http://h.a/A.b/%C3%A9", "s:a", "http://h/?q=a%20B", "//h/A", "/%20B"];
    let usual = USUAL.iter().map(|record| record.as_bytes().to_vec());
    let usual: Vec<_> = usual.filter(|record| validator.is_valid(record)).collect();
    let usual_forms = one_by_one(validator, form, &usual);
    let (mut lines, mut all_expected) = (Vec::new(), Vec::new());
    for (index, (record, form)) in records.iter().zip(expected).enumerate() {
        for (usual, form) in usual.iter().zip(&usual_forms).cycle().take(8 + index % 3) {
            lines.extend([usual, &b"\n"[..]].concat());
            all_expected.push(form.clone());
        }
        lines.extend([&record[..], if index % 5 == 0 { b"\r\n" } else { b"\n" }].concat());
        all_expected.push(form.clone());
    }
    let mut batch = Batch::new();
    validator.scan(&lines, Request::from(Columns::RECORDS).with_candidates(), &mut batch).unwrap();
    assert_eq!(batch.columns(), Columns::RECORDS);
    assert_eq!(in_bulk(validator, form, &batch, &lines), all_expected, "{}, {form}", validator.backend());
}

#[track_caller]
fn compare(grammar: Grammar, records: &[Vec<u8>]) {
    let (lines, values) = (records.join(&b'\n'), records.concat());
    let mut end = 0;
    let ends = records.iter().map(|record| {
        end += record.len() as i32;
        end
    });
    let offsets: Vec<i32> = std::iter::once(0).chain(ends).collect();
    for &form in
        NormalForm::ALL.iter().filter(|&&form| grammar != Grammar::Java || form == NormalForm::Syntax)
    {
        let expected = one_by_one(Validator::new(grammar), form, records);
        for &backend in backends() {
            let validator = Validator::new(grammar).with_backend(backend).unwrap();
            let mut batch = Batch::new();
            validator.scan(&lines, Columns::RECORDS, &mut batch).unwrap();
            in_sparse_list(validator, form, records, &expected);
            // An empty last record has no line.
            let expected_of_lines = &expected[..batch.len()];
            assert_eq!(
                in_bulk(validator, form, &batch, &lines),
                expected_of_lines,
                "{grammar}, {form}, {backend}"
            );
            validator.scan_ranges(&offsets, &values, None, Columns::RECORDS, &mut batch).unwrap();
            assert_eq!(
                in_bulk(validator, form, &batch, &values),
                expected,
                "{grammar}, {form}, {backend}, ranges"
            );
        }
    }
}

#[test]
fn all_backends_normalize_as_the_normalizer_does() {
    let mut random = Random(1);
    for &grammar in Grammar::ALL {
        for _ in 0..60 / stride(20) {
            let records: Vec<Vec<u8>> = (0..120)
                .map(|_| {
                    let head = ["", "http://h/", "HTTP://A.b", "s://h"][random.below(4)].bytes();
                    let len = random.below(8);
                    let rest = (0..len).flat_map(|_| PIECES[random.below(PIECES.len())].bytes());
                    head.chain(rest).collect()
                })
                .collect();
            compare(grammar, &records);
        }
    }
}

/// Escapes next to each other, of all kinds, across each border of words and of the blocks that are copied;
/// in lists where every record changes.
#[test]
fn escapes_in_a_row_are_rewritten_across_borders() {
    let escapes = ["%7e", "%c3%a9", "%C3%A9", "%2e", "%2E", "%25", "%2f", "%Ca", "b", "/", "/../", "?"];
    let mut random = Random(2);
    let mut changed = 0;
    for pad in (0..280).step_by(stride(9)) {
        let padding = "p".repeat(pad);
        let records: Vec<Vec<u8>> = (0..300)
            .map(|number| {
                let len = 1 + random.below(6);
                let text: String = (0..len).map(|_| escapes[random.below(escapes.len())]).collect();
                // Heads of each length, in both cases, and one that is not plain now and then.
                let head = ["http://h/", "HTTPS://H.example/", "abc://h.h/", "http://u@h:8/", "x:"];
                let head = head[if number % 16 == 0 { random.below(5) } else { random.below(2) }];
                format!("{head}{padding}{text}{}", ["", "#f", "?q=%7e"][random.below(3)]).into_bytes()
            })
            .collect();
        for grammar in [Grammar::Uri, Grammar::Iri] {
            let normal = one_by_one(Validator::new(grammar), NormalForm::Syntax, &records);
            let differ = |(record, normal): &(&Vec<u8>, &Option<Vec<u8>>)| Some(*record) != normal.as_ref();
            changed += records.iter().zip(&normal).filter(differ).count();
            compare(grammar, &records);
        }
    }
    assert!(changed > 1000, "{changed}");
}

/// Tests each change across each border of blocks.
#[test]
fn what_changes_is_seen_across_borders() {
    let changing = [
        "http://h/a%2Eb",
        "http://h/%2D",
        "http://h/a%c3",
        "http://h/%Cf",
        "http://h/%31",
        "http://h/%7E",
        "http://h/./a",
        "http://h/a/..",
        "http://H/",
        "HTTP://h/",
        "x:./a",
        "x:../a",
        "http://h/%3a?B",
    ];
    for pad in (0..140).step_by(stride(7)) {
        let padding = format!("x:{}", "p".repeat(pad)).into_bytes();
        let within = |text: &str| text.replacen("h/", &format!("h/{}", "p".repeat(pad)), 1).into_bytes();
        let records: Vec<_> = changing
            .iter()
            .flat_map(|text| [padding.clone(), text.as_bytes().to_vec(), within(text)])
            .collect();
        let normal = one_by_one(Validator::new(Grammar::Uri), NormalForm::Syntax, &records);
        assert!(
            records
                .chunks(3)
                .zip(normal.chunks(3))
                .all(|(records, normal)| Some(&records[1]) != normal[1].as_ref())
        );
        compare(Grammar::Uri, &records);
        compare(Grammar::Iri, &records);
    }
}
