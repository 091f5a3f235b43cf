//! Tests the longest records: a record one byte longer than the largest offset is too long for every
//! function.

use urivalidate::{Batch, Columns, ErrorKind, Grammar, Validator};

#[test]
#[ignore = "takes 4 GiB of memory; the checks run it in a release build"]
fn a_record_of_more_bytes_than_offsets_can_tell_is_too_long() {
    let validator = Validator::new(Grammar::Uri);
    let mut record = vec![b'a'; Batch::MAX_BYTES + 1];
    record[3] = b':';
    assert!(!validator.is_valid(&record));
    let error = validator.parse(&record).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::RecordTooLong, Batch::MAX_BYTES));
    assert!(validator.scan(&record, Columns::NONE, &mut Batch::new()).is_err());
    record.pop();
    assert!(validator.is_valid(&record));
    assert_eq!(validator.parse(&record).unwrap().path().unwrap().end, Batch::MAX_BYTES);
}
