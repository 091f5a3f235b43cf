//! The targets of all references of a batch.
//!
//! Most targets are a beginning of the base and an end of the reference, copied. The columns of the batch
//! determine the two, and kernels mark the places where dot segments may be ([`dot_marks`](crate::simd)). All
//! other references are resolved one by one.

use alloc::vec::Vec;
use core::iter::{FusedIterator, Zip};
use core::mem::replace;
use core::ops::Range;
use core::slice::Iter;

use super::base::Base;
use super::dots::leading_dots;
use super::marks::first_mark;
use super::stems::{Stems, copy, make_room};
use crate::batch::Batch;
use crate::column::{ABSENT, Column, Columns, ColumnsMissing};
use crate::grammar::Grammar;
use crate::simd::mark_dots;
use crate::work::looked_at;

/// The targets of the references of a batch. If you reuse it for several batches, it allocates only if it
/// must grow.
///
/// ```
/// use urivalidate::{Base, Batch, Grammar, Targets, Validator};
///
/// let validator = Validator::new(Grammar::UriReference);
/// let base = validator.base(b"http://example.com/a/b")?;
/// let references = b"../c\n?d\nmailto:a@b\nno reference\n";
/// let (mut batch, mut targets) = (Batch::new(), Targets::new());
/// let batch = validator.scan(references, Base::COLUMNS, &mut batch)?;
/// base.resolve_batch(batch, references, &mut targets)?;
/// let targets: Vec<_> = targets.iter().collect();
/// let expected = [&b"http://example.com/c"[..], b"http://example.com/a/b?d", b"mailto:a@b"];
/// assert_eq!(targets, [Some(expected[0]), Some(expected[1]), Some(expected[2]), None]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// The targets, one after the other, and bytes that may be overwritten.
    text: Vec<u8>,
    /// The end of each target; for a reference without a target, the end of the target before.
    ends: Vec<usize>,
    kinds: Vec<Kind>,
    /// The number of bytes that each target has in common with the base, or fewer.
    shared: Vec<u32>,
    stems: Stems,
    dots: Vec<u64>,
    /// A copy of a reference that is resolved by itself: the bytes of a mapped file can change at any time,
    /// and resolving reads them twice.
    reference: Vec<u8>,
    /// The target of `reference`.
    target: Vec<u8>,
}

/// The kind of a reference's target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The reference has no target.
    None,
    Reference,
    Other,
}

impl Targets {
    /// Returns an empty list of targets.
    pub fn new() -> Self {
        Targets::default()
    }

    /// Returns the number of references.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if there are no references.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the target of reference `index`, or `None` if the reference is invalid or null, has no target,
    /// or does not exist.
    pub fn get(&self, index: usize) -> Option<&[u8]> {
        let kind = self.kinds.get(index)?;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        (*kind != Kind::None).then(|| &self.text[start..self.ends[index]])
    }

    /// Returns true if reference `index` is its own target, such as a reference with a scheme and without dot
    /// segments.
    pub fn is_unchanged(&self, index: usize) -> bool {
        self.kinds.get(index) == Some(&Kind::Reference)
    }

    /// Returns the target of reference `index` in two parts. Other targets may have the same first part,
    /// which is a beginning of the base.
    #[cfg(feature = "corpus")]
    pub(crate) fn parts(&self, index: usize) -> Option<[&[u8]; 2]> {
        Some(self.get(index)?.split_at(self.shared[index] as usize).into())
    }

    /// Returns an iterator over the targets of all references, in order, as [`get`](Self::get) returns them.
    pub fn iter(&self) -> TargetsIter<'_> {
        TargetsIter { text: &self.text, start: 0, places: self.ends.iter().zip(&self.kinds) }
    }
}

impl<'a> IntoIterator for &'a Targets {
    type Item = Option<&'a [u8]>;
    type IntoIter = TargetsIter<'a>;

    fn into_iter(self) -> TargetsIter<'a> {
        self.iter()
    }
}

/// The targets of a batch, in order. See [`Targets::iter`].
#[derive(Clone, Debug)]
pub struct TargetsIter<'a> {
    text: &'a [u8],
    /// The end of the target before.
    start: usize,
    places: Zip<Iter<'a, usize>, Iter<'a, Kind>>,
}

impl<'a> Iterator for TargetsIter<'a> {
    type Item = Option<&'a [u8]>;

    fn next(&mut self) -> Option<Self::Item> {
        let (&end, &kind) = self.places.next()?;
        let target = &self.text[replace(&mut self.start, end)..end];
        Some((kind != Kind::None).then_some(target))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.places.size_hint()
    }
}

impl ExactSizeIterator for TargetsIter<'_> {}

impl FusedIterator for TargetsIter<'_> {}

/// The columns with the offsets of the two parts of a target.
const NEEDED: [Column; 7] = [
    Column::Start,
    Column::End,
    Column::SchemeEnd,
    Column::AuthorityStart,
    Column::PathStart,
    Column::PathEnd,
    Column::QueryEnd,
];

impl Base<'_> {
    /// The columns that [`resolve_batch`](Self::resolve_batch) needs.
    pub const COLUMNS: Columns = Columns::of(&NEEDED);

    /// Resolves all references of a batch, each as [`resolve`](Self::resolve) does, and replaces the contents
    /// of `targets`. The validator from which the base was made must have filled the batch from `values`. The
    /// targets may be many times as long as the references, because each may begin with the base.
    ///
    /// # Errors
    ///
    /// Returns an error if the scan did not fill these [`COLUMNS`](Self::COLUMNS).
    pub fn resolve_batch(
        &self,
        batch: &Batch,
        values: &[u8],
        targets: &mut Targets,
    ) -> Result<(), ColumnsMissing> {
        self.resolve_records(batch, values, 0..batch.len(), usize::MAX, targets).map(|_| ())
    }

    /// The bytes that [`resolve_some`](Self::resolve_some) allocates without asking, besides twice the length
    /// of the longest reference: a text of 1 MiB while it grows, and the places in it.
    #[cfg(feature = "arrow")]
    pub(crate) const ROOM: usize = 4 << 20;

    /// Resolves the first of some references of a batch: at most 4096, and none after the target with which
    /// the total length reaches 1 MiB. Returns the number of the first reference that is left.
    #[cfg(any(feature = "corpus", feature = "arrow"))]
    pub(crate) fn resolve_some(
        &self,
        batch: &Batch,
        values: &[u8],
        records: Range<usize>,
        targets: &mut Targets,
    ) -> Result<usize, ColumnsMissing> {
        const MOST_RECORDS: usize = 4096;
        const ENOUGH: usize = 1 << 20;
        let end = records.end.min(records.start + MOST_RECORDS);
        self.resolve_records(batch, values, records.start..end, ENOUGH, targets)
    }

    fn resolve_records(
        &self,
        batch: &Batch,
        values: &[u8],
        records: Range<usize>,
        enough: usize,
        targets: &mut Targets,
    ) -> Result<usize, ColumnsMissing> {
        let columns: [Option<&[u32]>; 7] =
            NEEDED.map(|column| batch.column(column).and_then(|column| column.get(records.clone())));
        let [
            Some(starts),
            Some(ends),
            Some(schemes),
            Some(authorities),
            Some(paths),
            Some(path_ends),
            Some(query_ends),
        ] = columns
        else {
            return Err(ColumnsMissing::of(batch.columns(), Self::COLUMNS));
        };
        targets.kinds.clear();
        targets.shared.clear();
        targets.ends.clear();
        targets.stems.set(self);
        // A null record has no offsets.
        let first = starts.iter().copied().find(|&start| start != ABSENT).unwrap_or(0) as usize;
        let last = ends.iter().copied().rev().find(|&end| end != ABSENT).unwrap_or(0) as usize;
        let grammar = self.rules.grammar();
        let by_columns = !matches!(grammar, Grammar::Rfc2396 | Grammar::Java | Grammar::RequestTarget);
        let of_records = values.get(first..last).filter(|_| by_columns);
        if let Some(of_records) = of_records {
            looked_at(of_records.len());
            mark_dots(batch.backend, of_records, &mut targets.dots);
        }
        let mut write = 0;
        for row in 0..records.len() {
            if write >= enough {
                return Ok(records.start + row);
            }
            let (start, end) = (starts[row] as usize, ends[row] as usize);
            let (path, path_end) = (paths[row] as usize, path_ends[row] as usize);
            let reference = Reference {
                start,
                end,
                has_scheme: schemes[row] != ABSENT,
                has_authority: authorities[row] != ABSENT,
                path: path..path_end,
                has_query: path_end < query_ends[row] as usize,
            };
            let joined = if paths[row] == ABSENT || of_records.is_none() {
                None
            } else {
                targets.join(&reference, values, first)
            };
            let (kind, shared) = match joined {
                Some(joined) => (joined.kind, targets.push(values, joined, &mut write)),
                None if batch.is_valid(records.start + row) => {
                    self.resolve_copy(values.get(start..end).unwrap_or_default(), targets, &mut write)
                }
                None => (Kind::None, 0),
            };
            targets.kinds.push(kind);
            targets.shared.push(shared as u32);
            targets.ends.push(write);
        }
        Ok(records.end)
    }

    /// Resolves one reference by itself. Returns the kind of the target, and the number of bytes that it
    /// shares with the base.
    fn resolve_copy(&self, reference: &[u8], targets: &mut Targets, write: &mut usize) -> (Kind, usize) {
        let Targets { reference: copy, target, .. } = targets;
        copy.clear();
        copy.extend_from_slice(reference);
        target.clear();
        let (text, kind) = match self.resolve(&copy, target) {
            Ok(Some(target)) => (target, Kind::Other),
            Ok(None) => (&copy[..], Kind::Reference),
            Err(_) => return (Kind::None, 0),
        };
        let len = text.len();
        make_room(&mut targets.text, *write, len);
        targets.text[*write..*write + len].copy_from_slice(text);
        *write += len;
        (kind, common_len(text, self.uri))
    }
}

/// Returns the number of bytes with which both texts begin, or fewer.
fn common_len(one: &[u8], other: &[u8]) -> usize {
    const BLOCK: usize = 64;

    let blocks = one.chunks_exact(BLOCK).zip(other.chunks_exact(BLOCK));
    let len = blocks.take_while(|(one, other)| one == other).count() * BLOCK;
    looked_at(len);
    len
}

/// The place of a valid reference in the bytes of its batch, and its components.
struct Reference {
    start: usize,
    end: usize,
    has_scheme: bool,
    has_authority: bool,
    path: Range<usize>,
    has_query: bool,
}

/// A target that is a beginning of the base and an end of the reference.
struct Joined {
    is_directory: bool,
    stem: usize,
    rest: Range<usize>,
    kind: Kind,
}

impl Targets {
    /// Returns the two parts of a target (RFC 3986 section 5.2.2), or `None` if it has, or may have, other
    /// parts. The marks begin at the byte `first` of the values.
    #[inline(always)]
    fn join(&self, reference: &Reference, values: &[u8], first: usize) -> Option<Joined> {
        let Targets { stems, dots, .. } = self;
        let Reference { start, end, ref path, .. } = *reference;
        let of_base = |stem| Some(Joined { is_directory: false, stem, rest: start..end, kind: Kind::Other });
        let is_bare = !(reference.has_scheme || reference.has_authority);
        let byte = if path.is_empty() { None } else { values.get(path.start) };
        let may_have_dots = |from: usize| first_mark(dots, from - first..path.end - first).is_some();
        if byte == Some(&b'.') && is_bare {
            let (rest, steps) = after_dot_segments(values.get(path.clone())?);
            let from = path.end - rest;
            let directory = stems.directory_end?;
            return (!may_have_dots(from)).then(|| Joined {
                is_directory: true,
                stem: stems.up(directory, steps),
                rest: from..end,
                kind: Kind::Other,
            });
        }
        if byte == Some(&b'.') || may_have_dots(path.start) {
            return None;
        }
        if reference.has_scheme {
            return Some(Joined { is_directory: false, stem: 0, rest: start..end, kind: Kind::Reference });
        }
        if reference.has_authority {
            return of_base(stems.scheme);
        }
        match byte {
            Some(b'/') => of_base(stems.path_start),
            Some(_) => Some(Joined {
                is_directory: true,
                stem: stems.directory_end?,
                rest: start..end,
                kind: Kind::Other,
            }),
            None if reference.has_query => of_base(stems.path_end),
            None => of_base(stems.query_end),
        }
    }

    /// Appends the two parts of a target, and returns the length of the first one.
    #[inline(always)]
    fn push(&mut self, values: &[u8], joined: Joined, write: &mut usize) -> usize {
        let Targets { text, stems, .. } = self;
        let len = joined.rest.len();
        make_room(text, *write, joined.stem + len);
        let stem = if joined.is_directory { &stems.directory } else { &stems.base };
        copy(stem, &mut text[*write..], joined.stem);
        // If a file changes, the results that are made of its bytes are not delivered.
        copy(values.get(joined.rest.start..).unwrap_or_default(), &mut text[*write + joined.stem..], len);
        looked_at(joined.stem + len);
        *write += joined.stem + len;
        joined.stem
    }
}

/// Returns the number of bytes after the dot segments that a path begins with, and the number of `..` among
/// the segments.
fn after_dot_segments(path: &[u8]) -> (usize, usize) {
    let (mut rest, mut steps) = (path, 0);
    while let Some(len) = leading_dots(rest) {
        steps += usize::from(rest.starts_with(b".."));
        rest = &rest[len..];
    }
    looked_at(path.len() - rest.len());
    (rest.len(), steps)
}
