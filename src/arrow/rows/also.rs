//! The columns of the verdict by a second grammar.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{BooleanBuilder, Int32Builder, StringBuilder};

use crate::corpus::Scanned;

/// Returns the [columns of a second grammar](crate::row_column::RowColumn::ALSO), in order. Each row has a
/// record or `None`.
pub(super) fn columns(scanned: &Scanned<'_>, records: impl Iterator<Item = Option<usize>>) -> [ArrayRef; 3] {
    let mut valid = BooleanBuilder::new();
    let mut kind = StringBuilder::new();
    let mut offset = Int32Builder::new();
    for record in records {
        let verdict = record.and_then(|record| scanned.other_verdict(record));
        let error = verdict.and_then(Result::err);
        valid.append_option(verdict.map(|verdict| verdict.is_ok()));
        kind.append_option(error.map(|error| error.kind().name()));
        offset.append_option(error.map(|error| error.offset() as i32));
    }
    [Arc::new(valid.finish()), Arc::new(kind.finish()), Arc::new(offset.finish())]
}
