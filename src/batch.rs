//! What a scan of a buffer yields: verdicts as a bitmap, offsets as columns, a structure of arrays.
//!
//! A [`Batch`] is plain arrays with one meaning each, ready to be handed on (to Arrow, say). It is reused from scan to
//! scan and then allocates no more. How it is filled is in [`bulk`](crate::bulk).

use alloc::vec::Vec;
use core::ops::{BitOr, Range};

use crate::components::{ABSENT, Components, Form};
use crate::error::{Component, Error, named_enum};
use crate::grammar::{self, Grammar};
use crate::simd::{self, Available, Offsets};
use crate::validator::Validator;

named_enum! {
    /// A column of a [`Batch`]: an offset of each record, in bytes from the start of the scanned buffer.
    ///
    /// Those of components are [`Batch::ABSENT`] where the record is invalid or does not have what they delimit. Together
    /// they are the ruler of a record:
    ///
    /// ```text
    ///  https://user:pw@example.com:8080/a/b?q=1#top
    ///  |    |  |       |          |    |   |   |   |
    ///  |    |  |       |          |    |   |   |   end
    ///  |    |  |       |          |    |   |   query_end     "#", or the end
    ///  |    |  |       |          |    |   path_end          "?", or query_end
    ///  |    |  |       |          |    path_start            and end of the authority
    ///  |    |  |       |          host_end
    ///  |    |  |       host_start
    ///  |    |  authority_start
    ///  |    scheme_end                                       ":"
    ///  start
    /// ```
    ///
    /// The userinfo ends before the `@` at `host_start - 1`, the port starts behind the `:` at `host_end` if that is less
    /// than `path_start`. An opaque URI (RFC 2396) has no `path_start` and `path_end`.
    Column {
        /// The record's first byte.
        Start = "start",
        /// Behind the record's last byte; a CR before an LF is no part of the record.
        End = "end",
        /// The colon behind the scheme.
        SchemeEnd = "scheme_end",
        /// The authority, behind `//`.
        AuthorityStart = "authority_start",
        /// The host; it has none in a registry-based authority (RFC 2396).
        HostStart = "host_start",
        /// Behind the host.
        HostEnd = "host_end",
        /// The path, and the end of the authority.
        PathStart = "path_start",
        /// Behind the path: the `?` of the query if there is one.
        PathEnd = "path_end",
        /// Behind the query: the `#` of the fragment if there is one.
        QueryEnd = "query_end",
    }
}

/// A set of [`Column`]s.
///
/// ```
/// use urivalidate::{Column, Columns};
///
/// let hosts = Column::HostStart | Column::HostEnd;
/// assert!(hosts.contains(Column::HostEnd) && !hosts.contains(Column::Start));
/// assert_eq!(Columns::NONE | hosts, hosts);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Columns(u16);

impl Columns {
    /// No column: verdicts alone.
    pub const NONE: Columns = Columns(0);
    /// Where the records lie.
    pub const RECORDS: Columns = Columns(1 << Column::Start as u16 | 1 << Column::End as u16);
    /// All columns.
    pub const ALL: Columns = Columns((1 << Column::ALL.len()) - 1);

    /// Whether the column is in the set.
    pub const fn contains(self, column: Column) -> bool {
        self.0 >> column as u16 & 1 == 1
    }

    /// Whether all of these columns are in the set.
    pub const fn contains_all(self, columns: Columns) -> bool {
        self.0 & columns.0 == columns.0
    }
}

impl From<Column> for Columns {
    fn from(column: Column) -> Self {
        Columns(1 << column as u16)
    }
}

impl<C: Into<Columns>> BitOr<C> for Columns {
    type Output = Columns;
    fn bitor(self, other: C) -> Columns {
        Columns(self.0 | other.into().0)
    }
}

impl<C: Into<Columns>> BitOr<C> for Column {
    type Output = Columns;
    fn bitor(self, other: C) -> Columns {
        Columns::from(self) | other
    }
}

/// An invalid record of a [`Batch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct InvalidRecord {
    /// Which record, counted from 0.
    pub index: u32,
    /// The record's first byte, from the start of the buffer.
    pub start: u32,
    /// Behind the record's last byte.
    pub end: u32,
    /// What is wrong; its offset is the record's.
    pub error: Error,
}

/// The verdicts and columns of one scan. See [`Validator::scan`](crate::Validator::scan).
#[derive(Clone, Debug)]
pub struct Batch {
    pub(crate) grammar: Grammar,
    pub(crate) backend: Available,
    pub(crate) columns: Columns,
    pub(crate) base: u64,
    pub(crate) records: usize,
    pub(crate) validity: Vec<u64>,
    pub(crate) invalid: Vec<InvalidRecord>,
    /// The valid records that a parser judged, in order: no others have userinfo, a port, or an escape in the host.
    pub(crate) judged: Vec<u32>,
    pub(crate) offsets: Offsets,
    pub(crate) scratch: crate::bulk::Scratch,
}

impl Default for Batch {
    fn default() -> Self {
        Batch::new()
    }
}

impl Batch {
    /// The offset of what is not there.
    pub const ABSENT: u32 = ABSENT;

    /// The most bytes that one scan takes.
    pub const MAX_BYTES: usize = ABSENT as usize - 1;

    /// An empty batch. It allocates when it is first filled.
    pub fn new() -> Self {
        Batch {
            grammar: Grammar::Uri,
            backend: Available::SCALAR,
            columns: Columns::NONE,
            base: 0,
            records: 0,
            validity: Vec::new(),
            invalid: Vec::new(),
            judged: Vec::new(),
            offsets: Default::default(),
            scratch: Default::default(),
        }
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.records
    }

    /// Whether the buffer had no record.
    pub fn is_empty(&self) -> bool {
        self.records == 0
    }

    /// Where the buffer starts in its file, in bytes: what was given to the scan.
    pub fn base(&self) -> u64 {
        self.base
    }

    /// The validity bitmap: bit `i % 64` of word `i / 64` is set if record `i` is valid. Bits beyond the last record are 0.
    pub fn validity(&self) -> &[u64] {
        &self.validity
    }

    /// Whether record `index` is valid.
    ///
    /// # Panics
    ///
    /// If there are not so many records.
    pub fn is_valid(&self, index: usize) -> bool {
        assert!(index < self.records, "record {index} of {}", self.records);
        self.validity[index / 64] >> (index % 64) & 1 == 1
    }

    /// The number of valid records.
    pub fn valid_count(&self) -> usize {
        self.records - self.invalid.len()
    }

    /// The invalid records, in order.
    pub fn invalid(&self) -> &[InvalidRecord] {
        &self.invalid
    }

    /// A column: one offset a record, in bytes from the start of the buffer. Empty if the scan was not asked for it.
    pub fn column(&self, column: Column) -> &[u32] {
        &self.offsets[column as usize]
    }

    /// The columns that the scan was asked for.
    pub fn columns(&self) -> Columns {
        self.columns
    }

    /// The records as rows, for those who want no columns.
    ///
    /// # Panics
    ///
    /// If the scan was not asked for [`Columns::ALL`].
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row<'_>> {
        assert!(self.columns == Columns::ALL, "rows are made of all columns");
        (0..self.records).map(|index| Row { batch: self, index })
    }

    /// How many valid records have each component, in the order of [`Component::ALL`]; empty paths do not count.
    ///
    /// # Panics
    ///
    /// If the scan was not asked for [`Columns::ALL`].
    pub fn component_counts(&self) -> [u64; Component::ALL.len()] {
        assert!(self.columns == Columns::ALL, "components are delimited by all columns");
        simd::count_components(self.backend, &self.offsets, self.grammar == Grammar::Java).map(u64::from)
    }

    /// Makes records invalid, for another reason than a grammar's. They are in order, and the batch has the columns of
    /// where they lie.
    #[cfg(feature = "reader")]
    pub(crate) fn reject(&mut self, records: &[(usize, Error)]) {
        if records.is_empty() {
            return;
        }
        for &(index, error) in records {
            self.validity[index / 64] &= !(1 << (index % 64));
            let (start, end) = (self.offset(Column::Start, index), self.offset(Column::End, index));
            self.invalid.push(InvalidRecord { index: index as u32, start, end, error });
            for &column in &Column::ALL[2..] {
                if let Some(offset) = self.offsets[column as usize].get_mut(index) {
                    *offset = ABSENT;
                }
            }
        }
        // Stable: what a grammar had against a record comes before what is said here, and goes.
        self.invalid.sort_by_key(|record| record.index);
        self.invalid.dedup_by(|next, kept| {
            let is_same = next.index == kept.index;
            if is_same {
                *kept = *next;
            }
            is_same
        });
        let validity = &self.validity;
        self.judged.retain(|&index| validity[index as usize / 64] >> (index % 64) & 1 == 1);
    }

    /// A record of a batch that has all columns.
    #[cfg(feature = "reader")]
    pub(crate) fn row(&self, index: usize) -> Row<'_> {
        Row { batch: self, index }
    }

    pub(crate) fn offset(&self, column: Column, index: usize) -> u32 {
        self.offsets[column as usize][index]
    }
}

/// One record of a [`Batch`] that has all columns. Its ranges are half-open, in bytes from the start of the buffer.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    batch: &'a Batch,
    index: usize,
}

impl Row<'_> {
    /// Which record this is, counted from 0.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Whether the record is valid.
    pub fn is_valid(&self) -> bool {
        self.batch.is_valid(self.index)
    }

    /// The record.
    pub fn range(&self) -> Range<usize> {
        self.batch.offset(Column::Start, self.index) as usize
            ..self.batch.offset(Column::End, self.index) as usize
    }

    /// A component of the record; none of an invalid one.
    pub fn get(&self, component: Component) -> Option<Range<usize>> {
        if !self.is_valid() {
            return None;
        }
        let start = self.range().start;
        self.components().get(component).map(|inner| inner.start + start..inner.end + start)
    }

    /// What [`Validator::parse`] says of the record, without parsing it again unless its host may be an address.
    /// `validator` and `buffer` are those of the scan.
    ///
    /// ```
    /// use urivalidate::{Batch, Columns, Grammar, Validator};
    ///
    /// let validator = Validator::new(Grammar::Uri);
    /// let buffer = b"http://example.com/\nhttp://h/a b\n";
    /// let mut batch = Batch::new();
    /// validator.scan(buffer, 0, Columns::ALL, &mut batch)?;
    /// for row in batch.rows() {
    ///     assert_eq!(row.verdict(&validator, buffer), validator.parse(&buffer[row.range()]));
    /// }
    /// # Ok::<(), urivalidate::ScanError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What is wrong with an invalid record.
    pub fn verdict(&self, validator: &Validator, buffer: &[u8]) -> Result<Components, Error> {
        if !self.is_valid() {
            let at = self.batch.invalid.binary_search_by_key(&self.index, |record| record.index as usize);
            return Err(self.batch.invalid[at.expect("all invalid records are listed")].error);
        }
        let record = &buffer[self.range()];
        let mut components = self.components();
        if let Some(host) = components.host() {
            let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
            let host = &record[host];
            if host.first() == Some(&b'[') || is_digit(host.first()) && is_digit(host.last()) {
                return validator.parse(record);
            }
            components.host_kind = Some(grammar::plain_host_kind(self.batch.grammar));
        }
        let has_opaque = matches!(self.batch.grammar, Grammar::Rfc2396 | Grammar::Java);
        if components.form == Form::Opaque && !has_opaque {
            components.form = Form::Pathless;
        }
        Ok(components)
    }

    /// The components of a valid record, relative to it; the kind of its host is not known here.
    pub(crate) fn components(&self) -> Components {
        let offset = |column| self.batch.offset(column, self.index);
        let range = self.range();
        // Relative to the record, as `Components` are; what is absent stays so.
        let start = range.start as u32;
        let relative = |column| match offset(column) {
            ABSENT => ABSENT,
            offset => offset - start,
        };
        let mut components = Components {
            scheme_end: relative(Column::SchemeEnd),
            authority_start: relative(Column::AuthorityStart),
            host_start: relative(Column::HostStart),
            host_end: relative(Column::HostEnd),
            path_start: relative(Column::PathStart),
            path_end: relative(Column::PathEnd),
            query_end: relative(Column::QueryEnd),
            ignores_empty_port: self.batch.grammar == Grammar::Java && offset(Column::HostStart) != ABSENT,
            ..Components::none(range.len())
        };
        if components.path_start == ABSENT {
            components.form = Form::Opaque;
            components.path_start = components.query_end;
            components.path_end = components.query_end;
        }
        components
    }
}
