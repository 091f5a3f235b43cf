//! Tests that a scan fills only the requested columns, and that the choice changes nothing else.

use urivalidate::{Batch, Column, Columns, Component, Grammar, Part, Validator};

use crate::cases::CASES;
use crate::reference::{Checker, backends, validators};

#[test]
fn every_set_of_columns() {
    let sets: Vec<_> = (0..1u32 << Column::ALL.len())
        .map(|set| {
            let members = Column::ALL.iter().copied().filter(|&column| set >> column as u32 & 1 == 1);
            let set: Columns = members.clone().collect();
            assert!(set.into_iter().eq(members));
            set
        })
        .collect();
    assert_eq!((sets[0], sets[sets.len() - 1]), (Columns::NONE, Columns::ALL));
    let mut checker = Checker::default();
    checker.lines_into(&CASES.join(&b"\r\n"[..]), &sets);
    checker.lines_into(b"a:b\n//u@h:1/?q#f\nhttp://h/x\n", &sets);
}

#[test]
fn parts_are_found_by_their_own_columns() {
    let buffer = CASES.join(&b'\n');
    let (mut batch, mut all) = (Batch::new(), Batch::new());
    for (&validator, &part) in validators().iter().flat_map(|v| Part::ALL.iter().map(move |part| (v, part))) {
        for &backend in backends() {
            let validator = validator.with_backend(backend).unwrap();
            validator.scan(&buffer, part.columns(), &mut batch).unwrap();
            for row in validator.rows(&buffer, &mut all).unwrap() {
                let expected = row.components().map(|components| match part {
                    Part::Record => Some(0..row.bytes().len()),
                    Part::SchemeSpecificPart => Some(components.scheme_specific_part()),
                    Part::PathAndQuery => components
                        .path()
                        .map(|path| path.start..components.query().map_or(path.end, |query| query.end)),
                    part => components.get(part.name().parse().unwrap()),
                });
                let start = row.range().start;
                let expected = expected.flatten().map(|part| start + part.start..start + part.end);
                let is_invalid_record = part == Part::Record && !row.is_valid();
                let expected = if is_invalid_record { Some(row.range()) } else { expected };
                let found = batch.range(part, row.index()).unwrap();
                assert_eq!(found, expected, "{part:?} of {}", row.bytes().escape_ascii());
            }
        }
    }
}

#[test]
fn what_a_scan_did_not_fill_is_not_there() {
    let mut batch = Batch::new();
    let validator = Validator::new(Grammar::Uri);
    validator.scan(b"a:b\na://h/\n", Columns::RECORDS, &mut batch).unwrap();
    assert_eq!(batch.column(Column::End), Some(&[3, 10][..]));
    assert_eq!((batch.column(Column::HostStart), batch.component_counts()), (None, None));
    assert!(batch.range(Part::Host, 0).is_err());
    validator.scan(b"a:b\na://h/\n", Columns::ALL, &mut batch).unwrap();
    assert_eq!(batch.column(Column::HostStart), Some(&[Batch::ABSENT, 8][..]));
    assert_eq!(batch.component_counts().unwrap().get(Component::Host), 1);
}

#[test]
fn rows_are_iterated_from_both_ends() {
    let mut batch = Batch::new();
    let rows = Validator::new(Grammar::Uri).rows(b"a:b\nc:d\ne", &mut batch).unwrap();
    let records: Vec<_> = rows.into_iter().rev().map(|row| row.bytes()).collect();
    assert_eq!(records, [&b"e"[..], b"c:d", b"a:b"]);
    assert_eq!((rows.iter().len(), rows.get(2).unwrap().is_valid(), rows.get(3).is_none()), (3, false, true));
}
