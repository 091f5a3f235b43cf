//! Normal forms of records that are known to be valid, and whose odd places are known: all else is copied.
//!
//! The result is that of the [`Normalizer`], which parses a record and writes it part by part. Tests compare both.

use alloc::vec::Vec;

use super::dots::{Before, Dots, leading_dots};
use super::escapes::Escapes;
use super::marks::marked;
use super::normalizer::{Normalizer, escapes};
use crate::grammar::Grammar;
use crate::work::{looked_at, memchr2, memchr3};

/// The odd places of a record: the marks of a buffer from the record's first byte on.
#[derive(Clone, Copy)]
pub(super) struct Odd<'a> {
    pub(super) marks: &'a [u64],
    pub(super) start: usize,
}

impl Odd<'_> {
    /// All of them, in order.
    #[inline(always)]
    fn all(self, record: &[u8]) -> impl Iterator<Item = usize> {
        marked(self.marks, self.start..self.start + record.len()).map(move |at| at - self.start)
    }

    /// The first dot segment of a path, which begins at this byte of the record, from the byte `from` of the path on.
    #[inline(always)]
    fn next_dots(self, path: &[u8], from: usize, path_start: usize) -> Option<usize> {
        let is_dots = |&at: &usize| (at == 0 || path[at - 1] == b'/') && leading_dots(&path[at..]).is_some();
        let begin = self.start + path_start;
        Some(0).filter(|at| from == 0 && is_dots(at)).or_else(|| {
            marked(self.marks, begin + from..begin + path.len()).map(|at| at - begin).find(is_dots)
        })
    }
}

/// Rewrites records into the form [`Syntax`](crate::Form::Syntax). That of [`Scheme`](crate::Form::Scheme) is the same if a record
/// has no port, and no empty path after an authority.
#[derive(Clone, Copy)]
pub(super) struct Rewriter {
    escapes: Escapes,
}

impl Rewriter {
    /// `None` if the grammar has more rules: authorities that keep their case, paths that are none, slashes that are merged.
    #[inline]
    pub(super) fn of(normalizer: &Normalizer) -> Option<Self> {
        match normalizer.validator().grammar() {
            Grammar::Rfc2396 | Grammar::Java | Grammar::RequestTarget => None,
            grammar => Some(Rewriter { escapes: escapes(grammar) }),
        }
    }

    /// Appends the normal form of a valid record, and says whether it is another text; if not, nothing is appended. `None`, and nothing is
    /// appended either, if the authority has an escape or userinfo.
    ///
    /// `odd` has of each escape that is not in its normal form at least one digit, and the first dot of each dot segment, unless the path
    /// begins with it. `has_upper` tells whether the scheme or the host may have letters in upper case.
    ///
    /// The bytes of a mapped file may change at any time: then the result means nothing.
    #[inline]
    pub(super) fn rewrite(
        self,
        record: &[u8],
        odd: Odd<'_>,
        has_upper: bool,
        to: &mut Vec<u8>,
    ) -> Option<bool> {
        let head = Head::of(record);
        if has_upper && memchr2(b'%', b'@', &record[..head.end]).is_some() {
            return None;
        }
        looked_at(record.len());
        let start = to.len();
        to.reserve(record.len() + 2);
        // The record up to here is written.
        let mut read = 0;
        let mut has_dots = record.get(head.end) == Some(&b'.');
        for at in odd.all(record) {
            let percent = match record[at] {
                b'.' => {
                    has_dots = true;
                    continue;
                }
                _ if at > 0 && record[at - 1] == b'%' => at - 1,
                _ => at.saturating_sub(2),
            };
            if percent < read {
                continue;
            }
            if percent < head.end {
                to.truncate(start);
                return None;
            }
            let Some(normal) = self.escapes.normal(&record[percent..]) else { continue };
            to.extend_from_slice(&record[read..percent]);
            normal.push(to);
            has_dots |= normal.is(b'.');
            read = percent + normal.taken();
        }
        to.extend_from_slice(&record[read..]);
        let mut changed = read > 0;
        if has_upper {
            changed |= record[..head.end].iter().any(u8::is_ascii_uppercase);
            to[start..start + head.end].make_ascii_lowercase();
        }
        if has_dots {
            // Decoded escapes move what follows, and may be dots.
            let odd = (read == 0).then_some(odd);
            changed |= head.remove_dots(to, start, odd);
        }
        if !changed {
            to.truncate(start);
        }
        Some(changed)
    }
}

/// The scheme and the authority, with their delimiters.
#[derive(Clone, Copy)]
struct Head {
    end: usize,
    before_path: Before,
}

impl Head {
    /// That of a valid record.
    #[inline(always)]
    fn of(record: &[u8]) -> Self {
        let first = record.iter().position(|byte| matches!(byte, b':' | b'/' | b'?' | b'#'));
        let scheme_end = first.filter(|&first| record[first] == b':').map_or(0, |colon| colon + 1);
        looked_at(first.unwrap_or(record.len()));
        match record[scheme_end..].strip_prefix(b"//") {
            Some(rest) => {
                let len = memchr3(b'/', b'?', b'#', rest).unwrap_or(rest.len());
                Head { end: scheme_end + 2 + len, before_path: Before::Authority }
            }
            None if scheme_end > 0 => Head { end: scheme_end, before_path: Before::Scheme },
            None => Head { end: 0, before_path: Before::Nothing },
        }
    }

    /// Removes the dot segments of the record from `start` on, which has this head, and perhaps these odd places. Returns whether that
    /// changes it.
    fn remove_dots(self, text: &mut Vec<u8>, start: usize, odd: Option<Odd<'_>>) -> bool {
        let path_start = start + self.end;
        let rest = &mut text[path_start..];
        let len = memchr2(b'?', b'#', rest).unwrap_or(rest.len());
        let path = &mut rest[..len];
        let Some(&first) = path.first() else { return false };
        let dots = if self.before_path == Before::Nothing { Dots::Inner } else { Dots::All };
        let kept = match odd {
            Some(odd) => dots.shorten_by(path, |path, from| odd.next_dots(path, from, self.end)),
            None => dots.shorten(path),
        };
        if kept != len {
            rest.copy_within(len.., kept);
            let removed = len - kept;
            text.truncate(text.len() - removed);
        }
        let before = text.len();
        self.before_path.guard_path(text, path_start..path_start + kept, first == b'/');
        kept != len || text.len() != before
    }
}
