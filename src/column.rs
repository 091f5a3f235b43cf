//! Columns: one offset per record, and the arrays that hold them.
//!
//! Kernels, batches and their users share these types. The modules [`simd`](crate::simd) and
//! [`scan`](crate::scan) fill the arrays.

use alloc::vec::Vec;
use core::fmt;
use core::ops::{BitOr, Index, IndexMut};

use crate::names::named_enum;

/// The offset of an absent part.
pub(crate) const ABSENT: u32 = u32::MAX;

named_enum! {
    /// A column of a [`Batch`](crate::Batch): an offset of each record, in bytes from the start of the
    /// scanned buffer.
    ///
    /// The columns of components are [`Batch::ABSENT`](crate::Batch::ABSENT) if the record is invalid or
    /// lacks the component. Together they are the ruler of a record:
    ///
    /// ```text
    ///  https://user:pw@example.com:8080/a/b?q=1#top
    ///  |    |  |      ||          ||   |   |   |   |
    ///  |    |  |      ||          ||   |   |   |   end
    ///  |    |  |      ||          ||   |   |   query_end     "#", or the end
    ///  |    |  |      ||          ||   |   path_end          "?", or query_end
    ///  |    |  |      ||          ||   path_start            and end of the authority and of the port
    ///  |    |  |      ||          |port_start
    ///  |    |  |      ||          host_end                   ":", or path_start
    ///  |    |  |      |host_start
    ///  |    |  |      userinfo_end                           "@"
    ///  |    |  authority_start                               and start of the userinfo
    ///  |    scheme_end                                       ":"
    ///  start
    /// ```
    ///
    /// An opaque URI (RFC 2396) has no `path_start` and `path_end`. The same holds for a request target that
    /// is `*` or a host and port (RFC 9112). Without a path, the authority ends with the record.
    #[non_exhaustive]
    Column {
        /// The record's first byte.
        Start = "start",
        /// The byte after the record. A CR before an LF is not part of the record.
        End = "end",
        /// The colon after the scheme.
        SchemeEnd = "scheme_end",
        /// The authority, after `//`.
        AuthorityStart = "authority_start",
        /// The `@` after the userinfo.
        UserinfoEnd = "userinfo_end",
        /// The host. A registry-based authority (RFC 2396) has none.
        HostStart = "host_start",
        /// The byte after the host.
        HostEnd = "host_end",
        /// The port, after its colon.
        PortStart = "port_start",
        /// The path, and the end of the authority.
        PathStart = "path_start",
        /// The byte after the path: the `?` if the record has a query.
        PathEnd = "path_end",
        /// The byte after the query: the `#` if the record has a fragment.
        QueryEnd = "query_end",
    }
}

impl Column {
    /// The columns that delimit components: all except those that delimit the record.
    pub(crate) const OF_COMPONENTS: &'static [Column] = Column::ALL.split_at(2).1;
}

/// A set of [`Column`]s.
///
/// ```
/// use urivalidate::{Column, Columns};
///
/// let hosts = Column::HostStart | Column::HostEnd;
/// assert!(hosts.contains(Column::HostEnd) && !hosts.contains(Column::Start));
/// assert_eq!(Columns::NONE | hosts, hosts);
/// assert_eq!(format!("{hosts:?}"), "{HostStart, HostEnd}");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Columns(u16);

impl fmt::Debug for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl Columns {
    /// No column: only verdicts.
    pub const NONE: Columns = Columns(0);
    /// The columns of the records themselves: start and end.
    pub const RECORDS: Columns = Columns(1 << Column::Start as u16 | 1 << Column::End as u16);
    /// All columns.
    pub const ALL: Columns = Columns((1 << Column::ALL.len()) - 1);

    /// Returns a set of these columns.
    pub(crate) const fn of(columns: &[Column]) -> Self {
        let (mut set, mut i) = (0, 0);
        while i < columns.len() {
            set |= 1 << columns[i] as u16;
            i += 1;
        }
        Columns(set)
    }

    /// Returns true if the column is in the set.
    pub const fn contains(self, column: Column) -> bool {
        self.0 >> column as u16 & 1 == 1
    }

    /// Returns true if all of these columns are in the set.
    pub const fn contains_all(self, columns: Columns) -> bool {
        self.0 & columns.0 == columns.0
    }

    /// Returns an iterator over the columns in the set, in the order of [`Column::ALL`].
    pub fn iter(self) -> ColumnsIter {
        ColumnsIter { columns: self, next: 0 }
    }
}

impl IntoIterator for Columns {
    type Item = Column;
    type IntoIter = ColumnsIter;

    fn into_iter(self) -> ColumnsIter {
        self.iter()
    }
}

impl FromIterator<Column> for Columns {
    fn from_iter<I: IntoIterator<Item = Column>>(columns: I) -> Self {
        columns.into_iter().fold(Columns::NONE, |set, column| set | column)
    }
}

/// The columns of a set, in order. See [`Columns::iter`].
#[derive(Clone, Debug)]
pub struct ColumnsIter {
    columns: Columns,
    next: usize,
}

impl Iterator for ColumnsIter {
    type Item = Column;

    fn next(&mut self) -> Option<Column> {
        let rest = Column::ALL.get(self.next..)?;
        let skipped = rest.iter().position(|&column| self.columns.contains(column))?;
        self.next += skipped + 1;
        Some(rest[skipped])
    }
}

impl core::iter::FusedIterator for ColumnsIter {}

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

/// The error that a scan did not fill all columns that a function needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnsMissing(Columns);

impl ColumnsMissing {
    /// Checks that `filled` has all `needed` columns.
    pub(crate) fn check(filled: Columns, needed: Columns) -> Result<(), Self> {
        let missing = ColumnsMissing::of(filled, needed);
        if missing.0 == Columns::NONE { Ok(()) } else { Err(missing) }
    }

    /// Returns the `needed` columns that are missing in `filled`.
    pub(crate) fn of(filled: Columns, needed: Columns) -> Self {
        ColumnsMissing(needed.iter().filter(|&column| !filled.contains(column)).collect())
    }

    /// Returns the columns that the scan did not fill.
    pub fn columns(&self) -> Columns {
        self.0
    }
}

impl fmt::Display for ColumnsMissing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the scan did not fill the columns")?;
        for (position, column) in self.0.iter().enumerate() {
            write!(f, "{} {column}", if position == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl core::error::Error for ColumnsMissing {}

/// The arrays, one per column. The arrays that the scan did not fill are empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct ColumnArrays([Vec<u32>; Column::ALL.len()]);

impl ColumnArrays {
    /// Empties all arrays, but keeps their memory.
    pub(crate) fn clear(&mut self) {
        self.0.iter_mut().for_each(Vec::clear);
    }
}

impl Index<Column> for ColumnArrays {
    type Output = Vec<u32>;

    #[inline(always)]
    fn index(&self, column: Column) -> &Vec<u32> {
        &self.0[column as usize]
    }
}

impl IndexMut<Column> for ColumnArrays {
    #[inline(always)]
    fn index_mut(&mut self, column: Column) -> &mut Vec<u32> {
        &mut self.0[column as usize]
    }
}
