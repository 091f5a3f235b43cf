//! Tests records without separators, which may contain any bytes, as in an Arrow array of strings.

use urivalidate::{Batch, Column, Columns, Grammar, Nulls, ScanError, Validator};

use crate::cases::CASES;
use crate::reference::{Checker, backends};
use crate::shuffled::Random;
use crate::stride;

/// Records that cannot be lines.
const NO_LINES: &[&[u8]] = &[
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

/// Concatenates the records, with foreign bytes before and after them.
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
    let mut records = [CASES, CASES, NO_LINES, &[&b""[..]; 20]].concat();
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
    for record in [CASES, NO_LINES].concat() {
        let (offsets, values) = concatenate(&[record]);
        checker.ranges(&offsets, &values);
        checker.ranges(&[0, record.len() as u32], record);
    }
}

/// Tests pieces that end at a record that does not fit, or at a record that cannot be a line.
#[test]
fn records_over_the_borders_of_pieces() {
    const PIECE: usize = 128 << 10;
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
                records.extend(NO_LINES);
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

/// Tests that null records count, and have a place in each column. Their bytes have no meaning.
#[test]
fn null_records() {
    let mut random = Random(11);
    let records = [CASES, NO_LINES].concat();
    let (offsets, values) = concatenate(&records);
    let offsets: Vec<i64> = offsets.into_iter().map(i64::from).collect();
    let nulls: Vec<u8> = (0..records.len().div_ceil(8) + 2).map(|_| random.below(256) as u8).collect();
    let is_null = |index: usize, shift: usize| nulls[(index + shift) / 8] >> ((index + shift) % 8) & 1 == 0;
    for &backend in backends() {
        let validator = Validator::new(Grammar::UriReference).with_backend(backend).unwrap();
        for (shift, columns) in
            [(0, Columns::ALL), (1, Columns::RECORDS), (8, Columns::NONE), (13, Columns::ALL)]
        {
            let (mut all, mut some, mut rows) = (Batch::new(), Batch::new(), Batch::new());
            let all = validator.scan_ranges(&offsets, &values, None, columns, &mut all).unwrap();
            let some_null = Some(Nulls::new(&nulls, shift));
            let some = validator.scan_ranges(&offsets, &values, some_null, columns, &mut some).unwrap();
            assert_eq!((some.len(), all.null_count()), (records.len(), 0));
            let mut invalid = all.invalid().to_vec();
            invalid.retain(|record| !is_null(record.index as usize, shift));
            assert_eq!(some.invalid(), invalid);
            for index in 0..records.len() {
                let null = is_null(index, shift);
                assert_eq!((some.is_null(index), all.is_null(index)), (null, false));
                assert_eq!(some.is_valid(index), all.is_valid(index) && !null);
                for column in columns.iter() {
                    let expected = if null { Batch::ABSENT } else { all.column(column).unwrap()[index] };
                    assert_eq!(some.column(column).unwrap()[index], expected, "{column} of record {index}");
                }
            }
            let nulls = (0..records.len()).filter(|&index| is_null(index, shift)).count();
            assert!(nulls > 100 && some.null_count() == nulls);
            assert_eq!(some.valid_count(), records.len() - nulls - invalid.len());
            if columns == Columns::ALL {
                let rows = validator.rows_of_ranges(&offsets, &values, some_null, &mut rows).unwrap();
                for row in rows {
                    assert_eq!(row.is_null(), is_null(row.index(), shift));
                    assert!(!row.is_null() || row.range().is_empty());
                    assert!(row.is_null() || row.verdict().unwrap().is_ok() == row.is_valid());
                }
            }
        }
    }
}

#[test]
fn nulls_cover_all_records() {
    let mut batch = Batch::new();
    let validator = Validator::new(Grammar::Uri);
    for (bitmap, offset, is_enough) in
        [(&[][..], 0, false), (&[7], 0, true), (&[7], 5, true), (&[7], 6, false), (&[7, 7], 13, true)]
    {
        let nulls = Some(Nulls::new(bitmap, offset));
        let result = validator.scan_ranges(&[0i32, 1, 2, 3], b"a:b", nulls, Columns::NONE, &mut batch);
        assert_eq!(result.err(), (!is_enough).then_some(ScanError::NullsTooShort));
    }
    let nulls = Some(Nulls::new(&[], usize::MAX));
    let result = validator.scan_ranges(&[0u32, 1], b"a", nulls, Columns::NONE, &mut batch);
    assert_eq!(result.err(), Some(ScanError::NullsTooShort));
}

/// Tests a record that fills a piece, or is longer than kernels accept.
#[test]
fn long_records() {
    for length in [32767, 32768, 32769, (1 << 20) - 2, (1 << 20) - 1, 1 << 20, (1 << 20) + 1] {
        let mut values = b"http://h/".to_vec();
        values.resize(length, b'a');
        values.extend_from_slice(b"a://b/");
        let offsets = [0, length as i64, length as i64 + 6];
        let mut batch = Batch::new();
        Validator::new(Grammar::Uri).scan_ranges(&offsets, &values, None, Columns::ALL, &mut batch).unwrap();
        assert_eq!(batch.column(Column::PathStart).unwrap(), [8, length as u32 + 5]);
    }
}

#[test]
fn offsets_that_are_negative() {
    let mut batch = Batch::new();
    let validator = Validator::new(Grammar::Uri);
    for offsets in [&[-1, 0][..], &[-1], &[0, -1], &[i32::MIN, 3]] {
        let error = validator.scan_ranges(offsets, b"a:b", None, Columns::ALL, &mut batch).unwrap_err();
        assert_eq!(error, ScanError::OffsetsOutOfOrder, "{offsets:?}");
    }
    let beyond = [0, i64::MAX];
    let error = validator.scan_ranges(&beyond, b"a:b", None, Columns::ALL, &mut batch).unwrap_err();
    assert_eq!(error, ScanError::OffsetsOutOfOrder);
}

#[test]
fn offsets_that_are_none() {
    let mut batch = Batch::new();
    let validator = Validator::new(Grammar::Uri);
    for offsets in [&[1, 0][..], &[0, 2, 1], &[0, 4], &[4, 4], &[0, 1, u32::MAX], &[4], &[3, 3, 2]] {
        let error = validator.scan_ranges(offsets, b"a:b", None, Columns::ALL, &mut batch).unwrap_err();
        assert_eq!(error, ScanError::OffsetsOutOfOrder, "{offsets:?}");
    }
}
