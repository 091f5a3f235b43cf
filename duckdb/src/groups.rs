//! Groups of rows with the same options: the arguments of a scalar function after its columns.
//!
//! An option is usually a constant, but may be a column. One call of the library judges all rows that have
//! the same options.

use std::collections::HashMap;

use arrow_array::{Array, ArrayRef, new_null_array};
use arrow_schema::DataType;
use urivalidate::arrow::catalogue::Constant;
use urivalidate::arrow::interleave;

use crate::failure::Failure;

/// The rows of a chunk, grouped by their options. A row with an option that is NULL is in no group.
pub(crate) enum Groups<'a> {
    /// All rows have these options.
    One(Vec<Constant<'a>>),
    Many(Vec<(Vec<Constant<'a>>, Vec<usize>)>),
}

impl<'a> Groups<'a> {
    /// Groups this number of rows. `options` replaces the content of the vector by the options of a row, and
    /// returns false if one of them is NULL.
    pub(crate) fn new(
        rows: usize,
        mut options: impl FnMut(usize, &mut Vec<Constant<'a>>) -> Result<bool, Failure>,
    ) -> Result<Self, Failure> {
        let (mut first, mut choice) = (Vec::new(), Vec::new());
        let mut row = 0;
        if rows == 0 || options(0, &mut first)? {
            row = 1;
            while row < rows && options(row, &mut choice)? && choice == first {
                row += 1;
            }
        }
        if row >= rows {
            return Ok(Groups::One(first));
        }
        let mut groups: Vec<(Vec<Constant<'a>>, Vec<usize>)> = Vec::new();
        let mut group_of = HashMap::new();
        if row > 0 {
            group_of.insert(first.clone(), 0);
            groups.push((first, (0..row).collect()));
        }
        for row in row..rows {
            if !options(row, &mut choice)? {
                continue;
            }
            let group = *group_of.entry(choice.clone()).or_insert_with(|| {
                groups.push((choice.clone(), Vec::new()));
                groups.len() - 1
            });
            groups[group].1.push(row);
        }
        Ok(Groups::Many(groups))
    }
}

/// Puts the results of the groups in the order of the rows. A row in no group gets NULL.
pub(crate) fn join(rows: usize, data_type: &DataType, groups: &[(&[usize], ArrayRef)]) -> ArrayRef {
    let none = new_null_array(data_type, 1);
    let mut places = vec![(groups.len(), 0); rows];
    for (group, (of_rows, _)) in groups.iter().enumerate() {
        of_rows.iter().enumerate().for_each(|(index, &row)| places[row] = (group, index));
    }
    let arrays: Vec<&dyn Array> =
        groups.iter().map(|(_, array)| array.as_ref()).chain([none.as_ref()]).collect();
    interleave(&arrays, &places)
}
