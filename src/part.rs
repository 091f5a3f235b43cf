//! The parts of a record and their places: one table, which all code uses.

use core::ops::Range;

use crate::column::{ABSENT, Column, Columns};
use crate::error::Component;
use crate::names::named_enum;

named_enum! {
    /// A part of a record. Columns of a [`Batch`](crate::Batch) give its place: see
    /// [`Batch::range`](crate::Batch::range).
    #[non_exhaustive]
    Part {
        /// The record itself. An invalid record has only this part, and a null record has none.
        Record = "uri",
        /// [`Component::Scheme`].
        Scheme = "scheme",
        /// [`Component::Authority`].
        Authority = "authority",
        /// [`Component::Userinfo`].
        Userinfo = "userinfo",
        /// [`Component::Host`].
        Host = "host",
        /// [`Component::Port`].
        Port = "port",
        /// [`Component::Path`].
        Path = "path",
        /// [`Component::Query`].
        Query = "query",
        /// [`Component::Fragment`].
        Fragment = "fragment",
        /// RFC 2396 section 3: all bytes between the scheme's colon and the fragment's `#`.
        SchemeSpecificPart = "scheme_specific_part",
        /// The path, and the query with its `?` if the record has one.
        PathAndQuery = "path_and_query",
    }
}

impl From<Component> for Part {
    #[inline(always)]
    fn from(component: Component) -> Self {
        match component {
            Component::Scheme => Part::Scheme,
            Component::Authority => Part::Authority,
            Component::Userinfo => Part::Userinfo,
            Component::Host => Part::Host,
            Component::Port => Part::Port,
            Component::Path => Part::Path,
            Component::Query => Part::Query,
            Component::Fragment => Part::Fragment,
        }
    }
}

impl Part {
    /// Returns the range of the part in a record, or `None` if the record lacks it. `at` returns the record's
    /// offset in each of the part's [columns](Self::columns), for columns that are not in a
    /// [`Batch`](crate::Batch).
    #[inline(always)]
    pub fn range(self, at: impl Fn(Column) -> u32) -> Option<Range<usize>> {
        let place = self.place(at);
        place.is_there.then_some(place.start as usize..place.end as usize)
    }
}

/// The place of a part. If the part is absent, `start` and `end` have no meaning.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) is_there: bool,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Place {
    /// Returns the start and the end. Both are [`ABSENT`] if the part is absent.
    #[inline(always)]
    pub(crate) fn offsets(self) -> (u32, u32) {
        if self.is_there { (self.start, self.end) } else { (ABSENT, ABSENT) }
    }
}

/// Declares the table: a part, the columns that it needs, the condition under which it is present, and its
/// start and end.
///
/// A row is an expression of offsets, so each loop over records has its own copy of it, without a branch.
macro_rules! table {
    ($($part:ident, [$($offset:ident: $column:ident),*] if $is_there:expr => $start:expr, $end:expr;)*) => {
        impl Part {
            /// Returns the columns that give the place of the part.
            pub const fn columns(self) -> Columns {
                match self { $(Part::$part => Columns::of(&[$(Column::$column),*]),)* }
            }

            /// Returns the place of the part in a record with these offsets.
            #[inline(always)]
            pub(crate) fn place(self, at: impl Fn(Column) -> u32) -> Place {
                match self {
                    $(Part::$part => {
                        $(let $offset = at(Column::$column);)*
                        Place { is_there: $is_there, start: $start, end: $end }
                    })*
                }
            }

            /// Finds the part in all records of these columns.
            #[inline(always)]
            pub(crate) fn places<'a>(
                self,
                column: impl Fn(Column) -> &'a [u32],
                starts: &mut [u32],
                ends: &mut [u32],
            ) {
                match self {
                    $(Part::$part => fill(starts, ends, [$(column(Column::$column)),*], |[$($offset),*]| {
                        Place { is_there: $is_there, start: $start, end: $end }.offsets()
                    }),)*
                }
            }
        }
    };
}

// Offsets grow from the record's start to its end, and ABSENT is greater than any offset. So a delimiter is
// present if it lies before the end. The authority ends at the path's start or, without a path, at the
// record's end.
table! {
    Record, [start: Start, end: End] if start != ABSENT => start, end;
    Scheme, [start: Start, end: SchemeEnd] if end != ABSENT => start, end;
    Authority, [start: AuthorityStart, path: PathStart, query_end: QueryEnd]
        if start != ABSENT => start, path.min(query_end);
    Userinfo, [start: AuthorityStart, end: UserinfoEnd] if end != ABSENT => start, end;
    Host, [start: HostStart, end: HostEnd] if start != ABSENT => start, end;
    Port, [start: PortStart, path: PathStart, query_end: QueryEnd]
        if start != ABSENT => start, path.min(query_end);
    Path, [start: PathStart, end: PathEnd] if start != ABSENT => start, end;
    Query, [mark: PathEnd, end: QueryEnd] if mark < end => mark.wrapping_add(1), end;
    Fragment, [mark: QueryEnd, end: End] if mark < end => mark.wrapping_add(1), end;
    SchemeSpecificPart, [start: Start, colon: SchemeEnd, end: QueryEnd]
        if end != ABSENT => if colon == ABSENT { start } else { colon.wrapping_add(1) }, end;
    PathAndQuery, [start: PathStart, end: QueryEnd] if start != ABSENT => start, end;
}

/// Sets the offsets of many records. The loop for each part is compiled with the CPU features of its caller.
#[inline(always)]
fn fill<const N: usize>(
    starts: &mut [u32],
    ends: &mut [u32],
    columns: [&[u32]; N],
    place: impl Fn([u32; N]) -> (u32, u32),
) {
    let len = starts.len();
    let (ends, columns) = (&mut ends[..len], columns.map(|column| &column[..len]));
    for index in 0..len {
        let mut offsets = [0; N];
        for (offset, column) in offsets.iter_mut().zip(columns) {
            *offset = column[index];
        }
        (starts[index], ends[index]) = place(offsets);
    }
}
