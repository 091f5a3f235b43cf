//! Normal forms made in place: of a record that is known to be valid, only the places change that are odd.
//!
//! The result is that of the [`Normalizer`], which parses a record and writes it part by part. Tests compare both.

use alloc::vec::Vec;

use super::dots::{Before, Dots};
use super::escapes::Escapes;
use super::normalizer::{Normalizer, escapes};
use super::unless_same;
use crate::grammar::Grammar;
use crate::work::{looked_at, memchr2, memchr3};

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
    /// `odd` are bytes of the record in order: of each escape that is not in its normal form at least one byte, and the first dot of each
    /// dot segment, unless the record begins with it.
    ///
    /// The bytes of a mapped file may change at any time: then the result means nothing.
    #[inline]
    pub(super) fn rewrite(
        self,
        record: &[u8],
        odd: impl Iterator<Item = usize>,
        to: &mut Vec<u8>,
    ) -> Option<bool> {
        let start = to.len();
        looked_at(record.len());
        to.extend_from_slice(record);
        let text = &mut to[start..];
        let head = Head::of(text);
        let is_plain = head.lower(text);
        if !is_plain {
            to.truncate(start);
            return None;
        }
        let mut has_dots = text.get(head.end) == Some(&b'.');
        let len = self.normalize_escapes(text, odd, &mut has_dots);
        to.truncate(start + len);
        if has_dots {
            head.remove_dots(to, start);
        }
        Some(unless_same(record, to, start).is_some())
    }

    /// Brings the escapes at these places into their normal form. Returns the new length; sets `has_dots` if a dot is among the places or
    /// comes out of an escape.
    #[inline(always)]
    fn normalize_escapes(
        self,
        text: &mut [u8],
        odd: impl Iterator<Item = usize>,
        has_dots: &mut bool,
    ) -> usize {
        // text[..write] is written; the rest is read from `read` on.
        let (mut read, mut write) = (0, 0);
        for at in odd {
            if at < read {
                continue;
            }
            let percent = match text.get(at) {
                Some(b'.') => {
                    *has_dots = true;
                    continue;
                }
                Some(b'%') => at,
                _ => at.saturating_sub(if at > 0 && text[at - 1] == b'%' { 1 } else { 2 }),
            };
            if percent < read {
                continue;
            }
            let Some(normal) = self.escapes.normal(&text[percent..]) else { continue };
            if read != write {
                text.copy_within(read..percent, write);
            }
            write += percent - read;
            let bytes = normal.bytes();
            *has_dots |= bytes == b".";
            text[write..write + bytes.len()].copy_from_slice(bytes);
            write += bytes.len();
            read = percent + normal.taken;
        }
        if read != write {
            text.copy_within(read.., write);
        }
        looked_at(write);
        write + text.len() - read
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

    /// Has its letters be in lower case. Returns false if it has an escape or userinfo, whose letters stay.
    #[inline(always)]
    fn lower(self, text: &mut [u8]) -> bool {
        let head = &mut text[..self.end];
        let mut is_plain = true;
        for byte in head {
            is_plain &= !matches!(byte, b'%' | b'@');
            byte.make_ascii_lowercase();
        }
        is_plain
    }

    /// Removes the dot segments of the record from `start` on, which has this head.
    fn remove_dots(self, text: &mut Vec<u8>, start: usize) {
        let path_start = start + self.end;
        let rest = &mut text[path_start..];
        let len = memchr2(b'?', b'#', rest).unwrap_or(rest.len());
        let path = &mut rest[..len];
        let Some(&first) = path.first() else { return };
        let dots = if self.before_path == Before::Nothing { Dots::Inner } else { Dots::All };
        let kept = dots.shorten(path);
        if kept != len {
            rest.copy_within(len.., kept);
            let removed = len - kept;
            text.truncate(text.len() - removed);
        }
        self.before_path.guard_path(text, path_start..path_start + kept, first == b'/');
    }
}
