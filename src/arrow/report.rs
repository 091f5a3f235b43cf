//! `uri_report`: the numbers of valid records and of errors in a column.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, Int64Array, MapArray, StringArray, StructArray, new_empty_array};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{ArrowError, DataType, Field, Fields};

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

    /// Adds a string, or NULL.
    pub fn add_record(&mut self, record: Option<&[u8]>) {
        let Some(record) = record else {
            self.nulls += 1;
            return;
        };
        self.records += 1;
        self.empty += u64::from(record.is_empty());
        if !self.validator.is_valid(record)
            && let Err(error) = self.validator.parse(record)
        {
            self.errors[error.kind() as usize] += 1;
        }
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

    /// Returns the validator that judges the strings.
    pub fn validator(&self) -> &Validator {
        &self.validator
    }

    /// Returns the numbers of reports as structs of [this type](uri_report_type), a row for each report.
    ///
    /// # Panics
    ///
    /// If there are so many reports that their maps have more than 2^31 entries.
    ///
    /// ```
    /// use arrow_array::StringArray;
    /// use urivalidate::arrow::UriReport;
    /// use urivalidate::{Grammar, Validator};
    ///
    /// let mut report = UriReport::new(Validator::new(Grammar::Uri));
    /// report.add_record(Some(b"http://h/a b"));
    /// let mut sum = report.clone();
    /// sum.merge_structs(&UriReport::structs([&report, &report]))?;
    /// assert_eq!((report.invalid(), sum.invalid()), (1, 3));
    /// # Ok::<(), urivalidate::arrow::FunctionError>(())
    /// ```
    pub fn structs<'a>(reports: impl IntoIterator<Item = &'a UriReport>) -> StructArray {
        let mut numbers: [Vec<i64>; NUMBERS.len()] = Default::default();
        let (mut kinds, mut counts, mut lens) = (Vec::new(), Vec::new(), Vec::new());
        let kinds_by_name = kinds_by_name();
        for report in reports {
            let of_report = [report.records, report.valid(), report.invalid(), report.empty, report.nulls];
            numbers.iter_mut().zip(of_report).for_each(|(column, number)| column.push(signed(number)));
            let found = kinds_by_name.iter().filter(|&&kind| report.errors(kind) > 0);
            let before = kinds.len();
            for &kind in found {
                kinds.push(kind.name());
                counts.push(signed(report.errors(kind)));
            }
            lens.push(kinds.len() - before);
        }
        let entries: Vec<ArrayRef> =
            vec![Arc::new(StringArray::from(kinds)), Arc::new(Int64Array::from(counts))];
        let entries = StructArray::new(entry_fields(), entries, None);
        let errors = MapArray::new(entries_field(), OffsetBuffer::from_lengths(lens), entries, None, false);
        let numbers = numbers.map(|column| Arc::new(Int64Array::from(column)) as ArrayRef);
        let columns = numbers.into_iter().chain([Arc::new(errors) as ArrayRef]).collect();
        StructArray::new(fields(), columns, None)
    }

    /// Adds the numbers of all reports that [`structs`](Self::structs) returned.
    ///
    /// # Errors
    ///
    /// Returns an error if the structs have another type, or a kind of errors that does not exist.
    pub fn merge_structs(&mut self, reports: &StructArray) -> Result<(), FunctionError> {
        if *reports.data_type() != uri_report_type() {
            return Err(FunctionError::UnsupportedType(reports.data_type().clone()));
        }
        let sum =
            |index: usize| reports.column(index).as_primitive::<Int64Type>().values().iter().sum::<i64>();
        let unsigned = |number: i64| u64::try_from(number).unwrap_or(0);
        let [records, _, _, empty, nulls] = [0, 1, 2, 3, 4].map(sum).map(unsigned);
        (self.records, self.empty, self.nulls) =
            (self.records + records, self.empty + empty, self.nulls + nulls);
        let errors = reports.column(NUMBERS.len()).as_map();
        for row in 0..errors.len() {
            let entries = errors.value(row);
            let (kinds, counts) =
                (entries.column(0).as_string::<i32>(), entries.column(1).as_primitive::<Int64Type>());
            for (kind, &count) in kinds.iter().flatten().zip(counts.values()) {
                let kind: ErrorKind = kind
                    .parse()
                    .map_err(|_| ArrowError::InvalidArgumentError(format!("no kind of errors: {kind}")))?;
                self.errors[kind as usize] += unsigned(count);
            }
        }
        Ok(())
    }
}

/// The fields of a report before the errors.
const NUMBERS: [&str; 5] = ["records", "valid", "invalid", "empty", "nulls"];

/// Returns the type of a report as a struct: the numbers `records`, `valid`, `invalid`, `empty` and `nulls`,
/// and `errors`, a map from the names of kinds, in their order, to the numbers of errors of these kinds.
pub fn uri_report_type() -> DataType {
    DataType::Struct(fields())
}

fn fields() -> Fields {
    let numbers = NUMBERS.map(|name| Field::new(name, DataType::Int64, false));
    numbers.into_iter().chain([Field::new("errors", DataType::Map(entries_field(), false), false)]).collect()
}

fn entries_field() -> Arc<Field> {
    Arc::new(Field::new("entries", DataType::Struct(entry_fields()), false))
}

fn entry_fields() -> Fields {
    [Field::new("key", DataType::Utf8, false), Field::new("value", DataType::Int64, false)]
        .into_iter()
        .collect()
}

fn kinds_by_name() -> Vec<ErrorKind> {
    let mut kinds = ErrorKind::ALL.to_vec();
    kinds.sort_unstable_by_key(|kind| kind.name());
    kinds
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
