//! Normal forms of valid records whose marks are known: all other bytes are copied.
//!
//! The result is the same as the result of the [`Normalizer`], which parses a record and writes it part by
//! part. Tests compare both.

use alloc::vec::Vec;
use core::ops::Range;

use super::at_marks;
use super::dots::{Before, Dots, leading_dots};
use super::escapes::Triplets;
use super::marks::{first_mark, marked};
use super::normalizer::{Normalizer, escapes};
use crate::grammar::Grammar;
use crate::simd::FormMarks;
use crate::work::{looked_at, memchr2, memchr3};

/// The marks of a record: the marks of a buffer, and the record's first byte in it.
#[derive(Clone, Copy)]
pub(super) struct RecordMarks<'a> {
    pub(super) marks: &'a FormMarks,
    pub(super) start: usize,
}

impl RecordMarks<'_> {
    /// Returns the marked dots and digits among these bytes of the record, in order.
    #[inline(always)]
    fn all(self, bytes: Range<usize>) -> impl Iterator<Item = usize> {
        marked(&self.marks.dots_and_digits, self.start + bytes.start..self.start + bytes.end)
            .map(move |at| at - self.start)
    }

    /// Returns whether any of these bytes is marked as an upper-case letter.
    #[inline(always)]
    fn has_upper(self, bytes: Range<usize>) -> bool {
        first_mark(&self.marks.upper, self.start + bytes.start..self.start + bytes.end).is_some()
    }

    /// Returns the first dot segment of a path from the byte `from` of the path on. The path begins at the
    /// byte `path_start` of the record.
    #[inline(always)]
    fn next_dots(self, path: &[u8], from: usize, path_start: usize) -> Option<usize> {
        let is_dots = |&at: &usize| (at == 0 || path[at - 1] == b'/') && leading_dots(&path[at..]).is_some();
        Some(0).filter(|at| from == 0 && is_dots(at)).or_else(|| {
            let in_path = self.all(path_start + from..path_start + path.len());
            in_path.map(|at| at - path_start).find(is_dots)
        })
    }
}

/// Rewrites records into the form [`Syntax`](crate::NormalForm::Syntax). The form
/// [`Scheme`](crate::NormalForm::Scheme) of a record is the same if the record has no port, and no empty path
/// after an authority.
#[derive(Clone, Copy)]
pub(super) struct Rewriter {
    escapes: Triplets,
}

impl Rewriter {
    /// Returns the rewriter for this normaliser, or `None` if the grammar has more rules: authorities that
    /// keep their case, records without a path, slashes that are merged.
    #[inline]
    pub(super) fn of(normalizer: &Normalizer) -> Option<Self> {
        match normalizer.validator().grammar() {
            Grammar::Rfc2396 | Grammar::Java | Grammar::RequestTarget => None,
            grammar => Some(Rewriter { escapes: escapes(grammar) }),
        }
    }

    /// [`at_marks::rewrite`], for a record whose authority is only a host.
    #[inline(always)]
    pub(super) fn rewrite_at_marks(
        self,
        values: &[u8],
        range: Range<usize>,
        marks: &FormMarks,
        text: &mut Vec<u8>,
        write: &mut usize,
    ) -> Option<bool> {
        at_marks::rewrite(self.escapes, values, range, marks, text, write)
    }

    /// Appends the normal form of a valid record, and returns whether it differs from the record. If it does
    /// not, nothing is appended. Returns `None`, and appends nothing, if the authority may have userinfo or
    /// an escape to rewrite.
    ///
    /// `places` has the last digit of each escape that is not in its normal form (if several escapes form a
    /// character, of the first escape); the first dot of each dot segment, unless the path begins with it;
    /// and the upper-case letters of the scheme and the authority.
    ///
    /// The bytes of a mapped file may change at any time: then the result has no meaning.
    #[inline]
    pub(super) fn rewrite(self, record: &[u8], places: RecordMarks<'_>, to: &mut Vec<u8>) -> Option<bool> {
        let scheme_end = scheme_end(record);
        let after_scheme = scheme_end..record.len();
        let has_dot_first = record.get(scheme_end) == Some(&b'.');
        if !has_dot_first
            && !places.has_upper(after_scheme.clone())
            && places.all(after_scheme).next().is_none()
        {
            return Some(lower_scheme(record, scheme_end, places, to));
        }
        let head = RecordHead::of(record, scheme_end);
        let has_upper = places.has_upper(0..head.end);
        if has_upper && memchr2(b'%', b'@', &record[..head.end]).is_some() {
            return None;
        }
        looked_at(record.len());
        let start = to.len();
        to.reserve(record.len() + 2);
        // The bytes of the record that are written.
        let mut read = 0;
        let mut has_dots = record.get(head.end) == Some(&b'.');
        for at in places.all(0..record.len()) {
            if record[at] == b'.' {
                has_dots = true;
                continue;
            }
            let percent = at.saturating_sub(2);
            if percent < read {
                continue;
            }
            if percent < head.end {
                to.truncate(start);
                return None;
            }
            let escape = &record[percent..];
            let Some(normal) = self.escapes.normal(escape).filter(|normal| !normal.is_start_of(escape))
            else {
                continue;
            };
            to.extend_from_slice(&record[read..percent]);
            normal.push(to);
            has_dots |= normal.is(b'.');
            read = percent + normal.taken();
        }
        to.extend_from_slice(&record[read..]);
        let mut changed = read > 0 || has_upper;
        if has_upper {
            to[start..start + head.end].make_ascii_lowercase();
        }
        if has_dots {
            // Decoded escapes move the bytes after them, so that the marks no longer match, and may be dots.
            let places = (read == 0).then_some(places);
            head.remove_dots(to, start, places);
            // A guard may take the place of a dot segment.
            changed = to[start..] != *record;
        }
        if !changed {
            to.truncate(start);
        }
        Some(changed)
    }
}

/// Returns the end of the scheme and its colon in a valid record; 0 if the record has no scheme.
#[inline(always)]
fn scheme_end(record: &[u8]) -> usize {
    let first = record.iter().position(|byte| matches!(byte, b':' | b'/' | b'?' | b'#'));
    looked_at(first.unwrap_or(record.len()));
    first.filter(|&first| record[first] == b':').map_or(0, |colon| colon + 1)
}

/// Appends the record with its scheme in lower case, if that changes it, and returns whether it does. The
/// rest of the record must be in its normal form.
#[inline(always)]
fn lower_scheme(record: &[u8], scheme_end: usize, places: RecordMarks<'_>, to: &mut Vec<u8>) -> bool {
    let changed = places.has_upper(0..scheme_end);
    if changed {
        looked_at(record.len());
        let start = to.len();
        to.extend_from_slice(record);
        to[start..start + scheme_end].make_ascii_lowercase();
    }
    changed
}

/// The scheme and the authority, with their delimiters.
#[derive(Clone, Copy)]
struct RecordHead {
    end: usize,
    before_path: Before,
}

impl RecordHead {
    /// Returns the head of a valid record whose scheme ends at `scheme_end`.
    #[inline(always)]
    fn of(record: &[u8], scheme_end: usize) -> Self {
        match record[scheme_end..].strip_prefix(b"//") {
            Some(rest) => {
                let len = memchr3(b'/', b'?', b'#', rest).unwrap_or(rest.len());
                RecordHead { end: scheme_end + 2 + len, before_path: Before::Authority }
            }
            None if scheme_end > 0 => RecordHead { end: scheme_end, before_path: Before::Scheme },
            None => RecordHead { end: 0, before_path: Before::Nothing },
        }
    }

    /// Removes the dot segments of the record that begins at byte `start` of `text` and has this head.
    /// `places` has its marks, if they are known.
    fn remove_dots(self, text: &mut Vec<u8>, start: usize, places: Option<RecordMarks<'_>>) {
        let path_start = start + self.end;
        let rest = &mut text[path_start..];
        let len = memchr2(b'?', b'#', rest).unwrap_or(rest.len());
        let path = &mut rest[..len];
        let Some(&first) = path.first() else { return };
        let dots = if self.before_path == Before::Nothing { Dots::Inner } else { Dots::All };
        let kept = match places {
            Some(places) => dots.shorten_by(path, |path, from| places.next_dots(path, from, self.end)),
            None => dots.shorten(path),
        };
        if kept != len {
            rest.copy_within(len.., kept);
            let removed = len - kept;
            text.truncate(text.len() - removed);
        }
        self.before_path.guard_path(text, path_start..path_start + kept, first == b'/');
    }
}
