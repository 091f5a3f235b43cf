//! Dot segments, `.` and `..`, and the guards that keep a path without dot segments from being read as
//! something else.
//!
//! A path is processed once, segment by segment, and the kept segments move towards its start. Removing a
//! segment goes back only over bytes that it removes, so the time is linear.

use crate::work::{looked_at, memchr, memchr_iter, memrchr};
use alloc::vec::Vec;
use core::ops::Range;

/// A grammar's rule for dot segments.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dots {
    /// RFC 3986 section 5.2.4: a `..` without a segment before it is removed. A path without root gets a root
    /// when it loses its first segment.
    All,
    /// RFC 2396 section 5.2, step 6, c to g: a `..` without a segment before it stays. This rule also applies
    /// to the references of RFC 3986 that have neither scheme nor authority.
    Inner,
    /// `java.net.URI`: the same as `Inner`, and several slashes in a row become one.
    Java,
}

/// The text before a path.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// A scheme and its colon.
    Scheme,
    /// An authority, empty or not. The path after it is empty or has a root.
    Authority,
    /// Nothing: a colon in the first segment would make a scheme.
    Nothing,
    /// Nothing, in a request target, whose path is never read as something else.
    RequestLine,
}

impl Dots {
    /// Removes the dot segments of the path from `start` on.
    pub(super) fn remove(self, text: &mut Vec<u8>, start: usize) {
        let len = self.shorten(&mut text[start..]);
        text.truncate(start + len);
    }

    /// Removes the dot segments of a path in place. Returns the new length of the path.
    pub(super) fn shorten(self, path: &mut [u8]) -> usize {
        self.shorten_by(path, |path, from| self.next_removed(path, from))
    }

    /// [`shorten`](Self::shorten), with a function that finds the segments that may be removed: `next` gets
    /// the path and the first byte of a segment, and returns the first byte of the first segment to remove
    /// from there on.
    #[inline(always)]
    pub(super) fn shorten_by(
        self,
        path: &mut [u8],
        mut next: impl FnMut(&[u8], usize) -> Option<usize>,
    ) -> usize {
        let Some(mut removed) = next(path, 0) else { return path.len() };
        // path[..write] is kept; segments are read from `read` on; none is removed before `root`.
        let (mut read, mut write) = (0, 0);
        if self == Dots::All {
            // Section 5.2.4, 2A and 2D.
            while let Some(len) = leading_dots(&path[read..]) {
                read += len;
            }
            if read == path.len() {
                return 0;
            }
        }
        let mut root = 0;
        if path[read] == b'/' {
            (path[0], root, write) = (b'/', 1, 1);
            read += 1;
        }
        loop {
            if removed < read {
                removed = next(path, read).unwrap_or(path.len());
            }
            // The segments before `removed` are kept.
            if read != write {
                path.copy_within(read..removed, write);
                looked_at(removed - read);
            }
            write += removed - read;
            if removed == path.len() {
                return write;
            }
            // An empty segment is only a slash.
            read = removed + leading_dots(&path[removed..]).unwrap_or(1);
            if !path[removed..read].starts_with(b"..") {
                // The segment is `.`, or empty.
            } else if write > root && !ends_with_dots(&path[root..write]) {
                let before = &path[root..write - 1];
                write = root + memrchr(b'/', before).map_or(0, |slash| slash + 1);
                if self == Dots::All && write == 0 {
                    (path[0], root, write) = (b'/', 1, 1);
                }
            } else if self != Dots::All {
                path.copy_within(removed..read, write);
                write += read - removed;
            }
            if read == path.len() {
                return write;
            }
        }
    }

    /// Returns the first byte of the first segment that may be removed, from the byte `from` on, which must
    /// be the first byte of a segment.
    fn next_removed(self, path: &[u8], from: usize) -> Option<usize> {
        if self == Dots::Java {
            let mut start = from;
            while start < path.len() {
                let end = memchr(b'/', &path[start..]).map_or(path.len(), |len| start + len);
                if matches!(&path[start..end], b"" | b"." | b"..") {
                    return Some(start);
                }
                start = end + 1;
            }
            return None;
        }
        let rest = &path[from..];
        let is_removed =
            |&at: &usize| (at == 0 || rest[at - 1] == b'/') && leading_dots(&rest[at..]).is_some();
        memchr_iter(b'.', rest).find(is_removed).map(|at| from + at)
    }
}

/// Returns the length of the dot segment that the path begins with, including its slash.
pub(super) fn leading_dots(path: &[u8]) -> Option<usize> {
    match path {
        [b'.'] => Some(1),
        [b'.', b'/', ..] | [b'.', b'.'] => Some(2),
        [b'.', b'.', b'/', ..] => Some(3),
        _ => None,
    }
}

/// Returns the length of the dot segment that the rest of a record begins with, including its slash. A `?` or
/// `#` may follow the path.
#[inline(always)]
pub(super) fn dot_segment(rest: &[u8]) -> Option<usize> {
    match rest {
        [b'.'] | [b'.', b'?' | b'#', ..] => Some(1),
        [b'.', b'/', ..] | [b'.', b'.'] | [b'.', b'.', b'?' | b'#', ..] => Some(2),
        [b'.', b'.', b'/', ..] => Some(3),
        _ => None,
    }
}

/// Returns whether the last segment before the slash at the end is `..`.
fn ends_with_dots(segments: &[u8]) -> bool {
    matches!(segments, b"../" | [.., b'/', b'.', b'.', b'/'])
}

/// Returns whether any segment is `.` or `..`.
pub(super) fn has_dot_segments(path: &[u8]) -> bool {
    memchr_iter(b'.', path).any(|at| (at == 0 || path[at - 1] == b'/') && leading_dots(&path[at..]).is_some())
}

impl Before {
    /// Inserts a guard before the path from `start` on if it would otherwise be read as something else.
    /// `had_root` is whether the path had a root before its dot segments were removed; it must not have been
    /// empty then.
    pub(super) fn guard(self, text: &mut Vec<u8>, start: usize, had_root: bool) {
        self.guard_path(text, start..text.len(), had_root);
    }

    /// [`guard`](Self::guard), for a path that other text follows.
    pub(super) fn guard_path(self, text: &mut Vec<u8>, path: Range<usize>, had_root: bool) {
        let start = path.start;
        let path = &text[path];
        let guard: &[u8] = match self {
            Before::Authority if !path.is_empty() && path[0] != b'/' => b"/",
            Before::Nothing if !had_root && (matches!(path, [] | [b'/', ..]) || colon_comes_first(path)) => {
                b"./"
            }
            Before::Scheme | Before::Nothing if path.starts_with(b"//") => b"/.",
            _ => return,
        };
        text.splice(start..start, guard.iter().copied());
    }
}

/// Returns whether the first segment has a colon.
pub(super) fn colon_comes_first(path: &[u8]) -> bool {
    path.iter().find(|byte| matches!(byte, b':' | b'/')) == Some(&b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(dots: Dots, examples: &[(&str, &str)]) {
        for &(path, expected) in examples {
            let mut text = path.as_bytes().to_vec();
            dots.remove(&mut text, 0);
            assert_eq!(text, expected.as_bytes(), "{path}");
        }
    }

    #[test]
    fn rfc3986_section_5_2_4() {
        check(
            Dots::All,
            &[
                ("/a/b/c/./../../g", "/a/g"),
                ("mid/content=5/../6", "mid/6"),
                ("", ""),
                (".", ""),
                ("..", ""),
                ("./", ""),
                ("../../a", "a"),
                ("/.", "/"),
                ("/..", "/"),
                ("/../../a", "/a"),
                ("/a/..", "/"),
                ("/a/b/..", "/a/"),
                ("/a//../b", "/a/b"),
                ("/a/..//b", "//b"),
                ("a/..", "/"),
                ("a/../b", "/b"),
                ("a/../../b", "/b"),
                (".//b", "/b"),
                ("..///b", "//b"),
                ("a/.//b", "a//b"),
                ("/.a/..b/...", "/.a/..b/..."),
                ("/x../../y", "/y"),
            ],
        );
    }

    #[test]
    fn rfc2396_section_5_2() {
        check(
            Dots::Inner,
            &[
                ("/b/c/../../../g", "/../g"),
                ("/b/c/../../..", "/.."),
                ("a/..", ""),
                ("a/../..", ".."),
                ("a/../../b/../../c", "../../c"),
                ("./../a", "../a"),
                ("../x../..", "../"),
                ("/a/..//b", "//b"),
                ("//../b", "/b"),
                ("a/b/.", "a/b/"),
            ],
        );
    }

    #[test]
    fn java_merges_slashes() {
        check(
            Dots::Java,
            &[
                ("//", "/"),
                ("a//", "a/"),
                ("//a//b//", "/a/b/"),
                ("/a//../b", "/b"),
                ("/..//../a", "/../../a"),
            ],
        );
    }
}
