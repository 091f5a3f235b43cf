//! `uri_report`: the numbers of valid records and of errors in a column.

use arrow_array::{Array, ArrayRef, new_empty_array};

use super::FunctionError;
use super::strings::{Strings, each_row};
use crate::column::{Column, Columns};
use crate::error::ErrorKind;
use crate::validator::Validator;

/// The numbers of valid and of invalid strings, by the kind of their errors. Reports add up.
///
/// ```
/// use arrow_array::StringArray;
/// use urivalidate::arrow::UriReport;
/// use urivalidate::{ErrorKind, Grammar, Validator};
///
/// let mut report = UriReport::new(Validator::new(Grammar::Uri));
/// report.add(&StringArray::from(vec![Some("http://h/"), Some("http://h/a b"), Some(""), None]))?;
/// assert_eq!((report.records(), report.valid(), report.invalid()), (3, 1, 2));
/// assert_eq!((report.nulls(), report.empty(), report.errors(ErrorKind::Space)), (1, 1, 1));
/// # Ok::<(), urivalidate::arrow::FunctionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct UriReport {
    validator: Validator,
    records: u64,
    nulls: u64,
    empty: u64,
    /// The number of invalid records by the kind of their errors, in the order of [`ErrorKind::ALL`].
    errors: [u64; ErrorKind::ALL.len()],
}

impl UriReport {
    /// Returns a report of no strings, which this validator will judge.
    pub fn new(validator: Validator) -> Self {
        UriReport { validator, records: 0, nulls: 0, empty: 0, errors: [0; ErrorKind::ALL.len()] }
    }

    /// Adds the strings of an array. Each row of a dictionary counts.
    ///
    /// # Errors
    ///
    /// Returns an error if the array holds no strings. Then the report may have some of them.
    pub fn add(&mut self, array: &dyn Array) -> Result<(), FunctionError> {
        let this = std::cell::RefCell::new(self);
        each_row(array, |strings| {
            this.borrow_mut().add_strings(strings)?;
            Ok(new_empty_array(&arrow_schema::DataType::Null))
        })
        .map(|_: ArrayRef| ())
    }

    fn add_strings(&mut self, strings: &Strings<'_>) -> Result<(), FunctionError> {
        let validator = self.validator;
        strings.scan(&validator, Columns::RECORDS, |block| {
            let (starts, ends) = (block.batch.filled(Column::Start), block.batch.filled(Column::End));
            let is_empty = |index: &usize| starts[*index] == ends[*index];
            let nulls = block.null_records().count();
            self.nulls += nulls as u64;
            self.records += (block.batch.len() - nulls) as u64;
            self.empty +=
                (0..block.batch.len()).filter(is_empty).filter(|&index| !block.is_null(index)).count() as u64;
            for invalid in block.batch.invalid() {
                if !block.is_null(invalid.index as usize) {
                    self.errors[invalid.error.kind() as usize] += 1;
                }
            }
            Ok(())
        })
    }

    /// Adds the numbers of another report.
    pub fn merge(&mut self, other: &UriReport) {
        self.records += other.records;
        self.nulls += other.nulls;
        self.empty += other.empty;
        self.errors.iter_mut().zip(other.errors).for_each(|(count, more)| *count += more);
    }

    /// Returns the number of strings that are not NULL.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Returns the number of NULLs.
    pub fn nulls(&self) -> u64 {
        self.nulls
    }

    /// Returns the number of empty strings, valid or not.
    pub fn empty(&self) -> u64 {
        self.empty
    }

    /// Returns the number of valid strings.
    pub fn valid(&self) -> u64 {
        self.records - self.invalid()
    }

    /// Returns the number of invalid strings.
    pub fn invalid(&self) -> u64 {
        self.errors.iter().sum()
    }

    /// Returns the number of strings with an error of this kind.
    pub fn errors(&self, kind: ErrorKind) -> u64 {
        self.errors[kind as usize]
    }
}
