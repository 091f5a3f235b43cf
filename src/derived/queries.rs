//! Columns that are made of a query: the names of its parameters, and the value of one of them.

use alloc::vec::Vec;

use crate::query::{Decoding, parameters};
use crate::row_column::RowColumn;
use crate::work::looked_at;

/// A column that is made of a query.
#[derive(Clone, Copy)]
pub(super) enum QueryColumn {
    /// The names of the parameters.
    Names,
    /// The value of the first parameter of this name.
    Value(&'static str),
}

impl QueryColumn {
    /// Returns the column, if it is made of a query.
    pub(super) fn of(column: RowColumn) -> Option<Self> {
        match column {
            RowColumn::QueryNames => Some(QueryColumn::Names),
            column => column.parameter().map(QueryColumn::Value),
        }
    }

    /// Returns the value for the query of a valid record, if the query has one. `made` is memory that is
    /// reused.
    ///
    /// The bytes of a mapped file may change at any time: then the result means nothing.
    pub(super) fn find<'v>(
        self,
        query: &'v [u8],
        decoding: Decoding,
        made: &'v mut Vec<u8>,
    ) -> Option<&'v [u8]> {
        looked_at(query.len());
        made.clear();
        match self {
            QueryColumn::Names => {
                for (index, parameter) in parameters(query).enumerate() {
                    if index > 0 {
                        made.push(b'&');
                    }
                    made.extend_from_slice(parameter.name);
                }
                Some(made)
            }
            QueryColumn::Value(name) => {
                let found = parameters(query).find(|found| decoding.is(found.name, name.as_bytes(), made))?;
                made.clear();
                Some(if decoding.decode(found.value, made) { made } else { found.value })
            }
        }
    }
}
