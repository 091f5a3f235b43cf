//! The records of a batch one by one, together with the scanned bytes.

use core::iter::FusedIterator;
use core::ops::Range;

use crate::batch::Batch;
use crate::column::Columns;
use crate::components::Components;
use crate::error::{Component, Error};
use crate::part::Part;

/// The records of a scan one by one, for callers who need rows instead of columns.
/// [`Validator::rows`](crate::Validator::rows) returns them.
///
/// ```
/// use urivalidate::{Batch, Grammar, Validator};
///
/// let validator = Validator::new(Grammar::Uri);
/// let mut batch = Batch::new();
/// for row in validator.rows(b"http://example.com/\nhttp://h/a b\n", &mut batch)? {
///     assert_eq!(row.verdict(), Some(validator.parse(row.bytes())));
/// }
/// # Ok::<(), urivalidate::ScanError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    batch: &'a Batch,
    values: &'a [u8],
}

impl<'a> Rows<'a> {
    /// `values` is the buffer from which the batch was filled. Returns `None` if the batch lacks columns.
    pub(crate) fn new(batch: &'a Batch, values: &'a [u8]) -> Option<Self> {
        (batch.columns == Columns::ALL).then_some(Rows { batch, values })
    }

    /// Returns the verdicts and the columns.
    pub fn batch(&self) -> &'a Batch {
        self.batch
    }

    /// Returns the bytes to which the columns' offsets refer.
    pub fn values(&self) -> &'a [u8] {
        self.values
    }

    /// Returns the number of records.
    pub fn len(&self) -> usize {
        self.batch.records
    }

    /// Returns true if the buffer had no record.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns record `index`, counted from 0, or `None` if it does not exist.
    pub fn get(&self, index: usize) -> Option<Row<'a>> {
        (index < self.len()).then_some(Row { rows: *self, index })
    }

    /// Returns an iterator over all records, in order.
    pub fn iter(&self) -> RowsIter<'a> {
        RowsIter { rows: *self, indices: 0..self.len() }
    }
}

impl<'a> IntoIterator for Rows<'a> {
    type Item = Row<'a>;
    type IntoIter = RowsIter<'a>;

    fn into_iter(self) -> RowsIter<'a> {
        self.iter()
    }
}

impl<'a> IntoIterator for &Rows<'a> {
    type Item = Row<'a>;
    type IntoIter = RowsIter<'a>;

    fn into_iter(self) -> RowsIter<'a> {
        self.iter()
    }
}

/// The rows of a scan, in order. See [`Rows::iter`].
#[derive(Clone, Debug)]
pub struct RowsIter<'a> {
    rows: Rows<'a>,
    indices: Range<usize>,
}

impl<'a> Iterator for RowsIter<'a> {
    type Item = Row<'a>;

    fn next(&mut self) -> Option<Row<'a>> {
        Some(Row { rows: self.rows, index: self.indices.next()? })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.indices.size_hint()
    }

    fn nth(&mut self, n: usize) -> Option<Row<'a>> {
        Some(Row { rows: self.rows, index: self.indices.nth(n)? })
    }
}

impl DoubleEndedIterator for RowsIter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        Some(Row { rows: self.rows, index: self.indices.next_back()? })
    }

    fn nth_back(&mut self, n: usize) -> Option<Self::Item> {
        Some(Row { rows: self.rows, index: self.indices.nth_back(n)? })
    }
}

impl ExactSizeIterator for RowsIter<'_> {}

impl FusedIterator for RowsIter<'_> {}

/// One record of a scan that filled all columns. Its ranges are half-open, in bytes from the start of the
/// buffer.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    rows: Rows<'a>,
    index: usize,
}

impl<'a> Row<'a> {
    /// Returns the index of the record, counted from 0.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Returns true if the record is valid.
    pub fn is_valid(&self) -> bool {
        self.rows.batch.is_valid(self.index)
    }

    /// Returns true if the record is null: then it is not valid, and has no place.
    pub fn is_null(&self) -> bool {
        self.rows.batch.is_null(self.index)
    }

    /// Returns the range of the record in bytes. The range of a null record is empty.
    pub fn range(&self) -> Range<usize> {
        self.rows.batch.part(Part::Record, self.index).unwrap_or_default()
    }

    /// Returns the bytes of the record.
    pub fn bytes(&self) -> &'a [u8] {
        &self.rows.values[self.range()]
    }

    /// Returns the bytes of a component, or `None` if the record is invalid or lacks the component.
    pub fn get(&self, component: Component) -> Option<&'a [u8]> {
        self.range_of(component).map(|range| &self.rows.values[range])
    }

    /// Returns the range of a component, or `None` if the record is invalid or lacks the component.
    pub fn range_of(&self, component: Component) -> Option<Range<usize>> {
        self.rows.batch.part(Part::from(component), self.index)
    }

    /// Returns the components of the record, relative to its first byte, if it is valid.
    pub fn components(&self) -> Option<Components> {
        let mut components = self.is_valid().then(|| self.rows.batch.delimited(self.index))?;
        if let Some(host) = components.host() {
            let (kind, address) = self.rows.batch.rules.host(&self.bytes()[host]);
            (components.host_kind, components.address) = (Some(kind), address);
        }
        Some(components)
    }

    /// Returns the result of [`Validator::parse`](crate::Validator::parse) for the record, from the columns
    /// instead of another parse. Returns `None` if the record is null.
    pub fn verdict(&self) -> Option<Result<Components, Error>> {
        if let Some(components) = self.components() {
            return Some(Ok(components));
        }
        let invalid = &self.rows.batch.invalid;
        let at = invalid.binary_search_by_key(&self.index, |record| record.index as usize).ok()?;
        Some(Err(invalid[at].error))
    }
}
