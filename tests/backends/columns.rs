//! Only the columns that are asked for are filled, and what is asked for changes nothing else.

use urivalidate::{Batch, Column, Columns, Grammar, Validator};

use crate::cases::CASES;
use crate::reference::Checker;

#[test]
fn every_set_of_columns() {
    let sets: Vec<_> = (0..1u32 << Column::ALL.len())
        .map(|set| {
            let members = Column::ALL.iter().filter(|&&column| set >> column as u32 & 1 == 1);
            members.fold(Columns::NONE, |set, &column| set | column)
        })
        .collect();
    assert_eq!((sets[0], sets[sets.len() - 1]), (Columns::NONE, Columns::ALL));
    let mut checker = Checker::default();
    checker.lines_into(&CASES.join(&b"\r\n"[..]), &sets);
    checker.lines_into(b"a:b\n//u@h:1/?q#f\nhttp://h/x\n", &sets);
}

#[test]
fn columns_can_be_taken() {
    let mut batch = Batch::new();
    let validator = Validator::new(Grammar::Uri);
    validator.scan(b"a:b\na://h/\n", 0, Columns::ALL, &mut batch).unwrap();
    assert_eq!(batch.take_column(Column::HostStart), [Batch::ABSENT, 8]);
    assert!(batch.column(Column::HostStart).is_empty() && !batch.columns().contains(Column::HostStart));
    assert_eq!(batch.column(Column::HostEnd), [Batch::ABSENT, 9]);
    validator.scan(b"a://h/\n", 0, Columns::ALL, &mut batch).unwrap();
    assert_eq!(batch.column(Column::HostStart), [4]);
}

#[test]
#[should_panic(expected = "rows are made of all columns")]
fn rows_need_all_columns() {
    let mut batch = Batch::new();
    let rows = Validator::new(Grammar::Uri).scan(b"a:b", 0, Columns::RECORDS, &mut batch).unwrap();
    let _ = rows.iter();
}

#[test]
#[should_panic(expected = "components are delimited by all columns")]
fn component_counts_need_all_columns() {
    let mut batch = Batch::new();
    Validator::new(Grammar::Uri).scan(b"a:b", 0, Columns::RECORDS, &mut batch).unwrap();
    let _ = batch.component_counts();
}
