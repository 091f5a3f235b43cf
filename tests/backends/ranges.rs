//! Records without separators, which may hold any bytes: as an Arrow array of strings has them.

use urivalidate::{Batch, Columns, Grammar, ScanError, Validator};

use crate::cases::CASES;
use crate::reference::Checker;
use crate::shuffled::Random;
use crate::stride;

/// Records that lines cannot be.
const ODD: &[&[u8]] = &[
    b"\n",
    b"\r",
    b"\r\n",
    b"\n\n",
    b"\n\r",
    b"a:b\n",
    b"a:b\r",
    b"a:b\r\n",
    b"\na:b",
    b"\r\na:b",
    b"a:b\nc:d",
    b"a:b\r\nc:d",
    b"a:b\n\n",
    b"http://h/\n?q",
    b"//h\r",
    b"\xC3\n\xA9",
    b"%\n41",
];

/// Puts the records in a row, with bytes before and behind that are none of theirs.
fn concatenate(records: &[&[u8]]) -> (Vec<u32>, Vec<u8>) {
    let mut values = b"before\n".to_vec();
    let mut offsets = vec![values.len() as u32];
    for record in records {
        values.extend_from_slice(record);
        offsets.push(values.len() as u32);
    }
    values.extend_from_slice(b"\rbehind");
    (offsets, values)
}

#[test]
fn cases_in_any_order() {
    let mut checker = Checker::default();
    let mut random = Random(2);
    let mut records = [CASES, CASES, ODD, &[&b""[..]; 20]].concat();
    for _ in 0..150 / stride(10) {
        random.shuffle(&mut records);
        let (offsets, values) = concatenate(&records[..random.below(records.len() + 1)]);
        checker.ranges(&offsets, &values);
    }
}

#[test]
fn few_and_empty_records() {
    let mut checker = Checker::default();
    checker.ranges(&[], b"a:b");
    checker.ranges(&[], b"");
    checker.ranges(&[0], b"");
    checker.ranges(&[2], b"a:b");
    for count in 0..=200 {
        checker.ranges(&vec![0; count], b"");
        checker.ranges(&vec![3; count], b"a:b\n");
    }
    for record in [CASES, ODD].concat() {
        let (offsets, values) = concatenate(&[record]);
        checker.ranges(&offsets, &values);
        checker.ranges(&[0, record.len() as u32], record);
    }
}

/// Pieces end at a record that does not fit, or at one that is no line.
#[test]
fn records_over_the_borders_of_pieces() {
    const PIECE: usize = 32 << 10;
    let mut checker = Checker::default();
    let mut random = Random(3);
    for length in
        [PIECE - 2, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 3 * PIECE].into_iter().step_by(stride(3))
    {
        for end in [&b"a"[..], b"\r", b"\n", b" "] {
            let mut long = b"http://h/".to_vec();
            long.resize(length - 1, b'a');
            long.extend_from_slice(end);
            for count in [1, 700] {
                let mut records: Vec<&[u8]> = (0..1500).map(|_| CASES[random.below(CASES.len())]).collect();
                records.extend(ODD);
                random.shuffle(&mut records);
                records.insert(0, &long);
                records.insert(count, &long);
                records.push(&long);
                let (offsets, values) = concatenate(&records);
                checker.ranges(&offsets, &values);
            }
        }
    }
}

#[test]
fn offsets_that_are_none() {
    let mut batch = Batch::new();
    let validator = Validator::new(Grammar::Uri);
    for offsets in [&[1, 0][..], &[0, 2, 1], &[0, 4], &[4, 4], &[0, 1, u32::MAX], &[4], &[3, 3, 2]] {
        let result = validator.scan_ranges(offsets, b"a:b", Columns::ALL, &mut batch);
        assert_eq!(result, Err(ScanError::OffsetsOutOfOrder), "{offsets:?}");
    }
}
