//! Request: the tasks of a scan.

use core::fmt;
use core::ops::BitOr;

use crate::column::{Column, Columns};

/// The tasks of a scan apart from judging: it fills columns, and can note candidates.
///
/// Functions that scan take columns in its place.
///
/// ```
/// use urivalidate::{Batch, Columns, Grammar, Request, Validator};
///
/// let mut batch = Batch::new();
/// let request = Request::from(Columns::RECORDS).with_candidates();
/// Validator::new(Grammar::Uri).scan(b"http://a.b/c\nHTTP://A.B/c\n", request, &mut batch)?;
/// assert_eq!(batch.columns(), Columns::RECORDS);
/// # Ok::<(), urivalidate::ScanError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Request {
    columns: Columns,
    candidates: bool,
    counts: bool,
}

impl Request {
    /// Columns of records, and the numbers of records with each component. A scan may fill all columns
    /// instead, if it cannot count well.
    pub(crate) const COUNTS: Request = Request { columns: Columns::RECORDS, candidates: false, counts: true };

    /// Requests the candidates, too: the records that may differ from their normal form. Then
    /// [`Normalizer::normalize_batch`](crate::Normalizer::normalize_batch) examines only those. A scan notes
    /// them if the grammar is one of RFC 3986, the records are lines, and the columns are
    /// [`Columns::RECORDS`].
    #[must_use]
    pub const fn with_candidates(self) -> Self {
        Request { candidates: true, ..self }
    }

    /// Returns the requested columns.
    pub const fn columns(self) -> Columns {
        self.columns
    }

    /// Returns true if the candidates are requested.
    pub(crate) const fn has_candidates(self) -> bool {
        self.candidates
    }

    /// Returns the request with all columns in place of counts, if it has these: the request of
    /// `Stats` (feature `corpus`), for records that are chosen after the scan.
    #[must_use]
    pub const fn without_counts(self) -> Self {
        if self.counts { Request { columns: Columns::ALL, counts: false, ..self } } else { self }
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut set = f.debug_set();
        set.entries(self.columns);
        if self.candidates {
            set.entry(&format_args!("candidates"));
        }
        if self.counts {
            set.entry(&format_args!("counts"));
        }
        set.finish()
    }
}

impl From<Columns> for Request {
    fn from(columns: Columns) -> Self {
        Request { columns, ..Request::default() }
    }
}

impl From<Column> for Request {
    fn from(column: Column) -> Self {
        Columns::from(column).into()
    }
}

impl<R: Into<Request>> BitOr<R> for Request {
    type Output = Request;
    fn bitor(self, other: R) -> Request {
        let other = other.into();
        Request {
            columns: self.columns | other.columns,
            candidates: self.candidates || other.candidates,
            counts: self.counts || other.counts,
        }
    }
}
