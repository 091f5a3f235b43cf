//! The columns of rows of problems: of invalid records, and of lines that do not fit their format.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Int64Array, StringArray};

use super::lines::LineOf;
use super::source::{RowSource, character, suggestion};
use super::uris::UriBuilder;
use crate::arrow::FunctionError;
use crate::arrow::verdict::ErrorBuilder;
use crate::batch::InvalidRecord;
use crate::corpus::{Element, MalformedLine, ProblemAt};
use crate::error::ErrorKind;
use crate::row_column::RowColumn;
use crate::stats::Problem;

/// Problems of a chunk, in the order of their rows.
pub(super) struct Problems<'a> {
    chunk: &'a RowSource<'a>,
    problems: Vec<ProblemAt<'a>>,
}

impl<'a> Problems<'a> {
    pub(super) fn new(chunk: &'a RowSource<'a>, problems: Vec<ProblemAt<'a>>) -> Self {
        Problems { chunk, problems }
    }

    pub(super) fn chunk(&self) -> &'a RowSource<'a> {
        self.chunk
    }

    pub(super) fn len(&self) -> usize {
        self.problems.len()
    }

    /// Returns the index of each row's record, if it has one.
    pub(super) fn records(&self) -> impl Iterator<Item = Option<usize>> {
        self.each(|record| Some(record.index as usize), |_| None)
    }

    /// Returns the line of each row.
    pub(super) fn lines(&self) -> impl Iterator<Item = LineOf<'a>> {
        self.each(|record| LineOf::Record(record.index as usize), LineOf::Malformed)
    }

    /// Returns the columns `uri` and `uri_bytes`.
    pub(super) fn uris(&self) -> Result<[ArrayRef; 2], FunctionError> {
        let mut uris = UriBuilder::default();
        let record = |record: &InvalidRecord| {
            let is_whole = record.error.kind() != ErrorKind::RecordTooLong;
            is_whole.then(|| self.chunk.scanned.record(record.index as usize)).flatten()
        };
        self.each(record, |_| None).try_for_each(|record| uris.append(record))?;
        uris.finish()
    }

    /// Returns the columns of errors: kind, component, offset and message.
    pub(super) fn errors(&self) -> [ArrayRef; 4] {
        let layout = self.chunk.scanned.chunk().layout();
        let mut errors = ErrorBuilder::default();
        for problem in &self.problems {
            match problem {
                ProblemAt::Record(record) => errors.append(&record.error),
                ProblemAt::Line(line) => {
                    errors.append_other(Problem::MALFORMED, &layout.message(line).to_string())
                }
            }
        }
        errors.finish()
    }

    /// Returns one of the other columns, or `None` if problems have no value there.
    pub(super) fn column(&self, column: RowColumn) -> Option<ArrayRef> {
        let RowSource { scanned, first_line, .. } = *self.chunk;
        let index = |record: &InvalidRecord| record.index as usize;
        Some(match column {
            RowColumn::Line => self.numbers(
                |record| first_line + scanned.line_number(index(record)).unwrap_or_default(),
                |line| first_line + line.line,
            ),
            RowColumn::Start => self.numbers(
                |record| scanned.start_column(index(record)).unwrap_or_default(),
                |line| line.column,
            ),
            RowColumn::Length => {
                self.numbers(|record| scanned.length(index(record)).unwrap_or_default(), |line| line.length)
            }
            RowColumn::ErrorColumn => {
                let column =
                    |record: &InvalidRecord| scanned.error_column(index(record), record.error.offset());
                let columns = self.each(column, |_| None).map(|column| column.map(|column| column as i64));
                Arc::new(Int64Array::from_iter(columns))
            }
            RowColumn::Character => Arc::new(StringArray::from_iter(self.each(character, |_| None))),
            RowColumn::Suggestion => {
                Arc::new(StringArray::from_iter(self.each(|record| suggestion(scanned, record), |_| None)))
            }
            RowColumn::Reason => {
                Arc::new(StringArray::from_iter(self.each(|_| None, |line| Some(line.reason.name()))))
            }
            RowColumn::Element => {
                let name = |element: Option<Element>| element.map(|element| element.name);
                Arc::new(StringArray::from_iter(self.elements().map(name)))
            }
            RowColumn::Attribute => {
                let name = |element: Option<Element>| element.and_then(|element| element.attribute);
                Arc::new(StringArray::from_iter(self.elements().map(name)))
            }
            RowColumn::Valid => Arc::new(BooleanArray::from(vec![false; self.len()])),
            RowColumn::Malformed => {
                Arc::new(self.each(|_| Some(false), |_| Some(true)).collect::<BooleanArray>())
            }
            _ => return None,
        })
    }

    /// Returns the element of a page that holds each record.
    fn elements(&self) -> impl Iterator<Item = Option<Element>> {
        self.each(|record| self.chunk.scanned.element(record.index as usize), |_| None)
    }

    fn numbers(
        &self,
        of_record: impl Fn(&InvalidRecord) -> u64,
        of_line: impl Fn(&MalformedLine) -> u64,
    ) -> ArrayRef {
        let numbers = self.each(of_record, of_line).map(|number| number as i64);
        Arc::new(Int64Array::from_iter_values(numbers))
    }

    /// Returns the value of each problem, by the function for its kind.
    fn each<T>(
        &self,
        of_record: impl Fn(&'a InvalidRecord) -> T,
        of_line: impl Fn(&'a MalformedLine) -> T,
    ) -> impl Iterator<Item = T> {
        self.problems.iter().map(move |problem| match problem {
            ProblemAt::Record(record) => of_record(record),
            ProblemAt::Line(line) => of_line(line),
        })
    }
}
