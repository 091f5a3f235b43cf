//! Dot segments, `.` and `..`, and what keeps a path without them from being read as something else.
//!
//! A path is gone through once, segment by segment; the rest of it moves to its start. Removing a segment goes back over
//! bytes that are then gone, so the time is linear.

use crate::work::{looked_at, memchr, memchr_iter, memrchr};
use alloc::vec::Vec;
use core::ops::Range;

/// A grammar's rule for dot segments.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dots {
    /// RFC 3986 section 5.2.4: a `..` without a segment before it goes. A path without root gets one when it loses its first segment.
    All,
    /// RFC 2396 section 5.2, step 6, c to g: a `..` without a segment before it stays. So do the references of RFC 3986 that have
    /// neither scheme nor authority.
    Inner,
    /// `java.net.URI`: as `Inner`, and several slashes in a row become one.
    Java,
}

/// The text before a path.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// A scheme and its colon.
    Scheme,
    /// An authority, empty or not. A path is empty there, or has a root.
    Authority,
    /// Nothing: a first segment with a colon would make a scheme.
    Nothing,
    /// Nothing, and the path of a request target is never read otherwise.
    RequestLine,
}

impl Dots {
    /// Removes the dot segments of the path from `start` on.
    pub(super) fn remove(self, text: &mut Vec<u8>, start: usize) {
        let len = self.shorten(&mut text[start..]);
        text.truncate(start + len);
    }

    /// Removes the dot segments of a path in place. Returns its new length.
    pub(super) fn shorten(self, path: &mut [u8]) -> usize {
        self.shorten_by(path, |path, from| self.next_removed(path, from))
    }

    /// The same where `next` finds the first segment that may go, of those from a byte on, with which one begins.
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
            // The segments before it are kept.
            if read != write {
                path.copy_within(read..removed, write);
                looked_at(removed - read);
            }
            write += removed - read;
            if removed == path.len() {
                return write;
            }
            // An empty segment is a slash alone.
            read = removed + leading_dots(&path[removed..]).unwrap_or(1);
            if !path[removed..read].starts_with(b"..") {
                // It is `.`, or empty.
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

    /// The first segment that may go, of those from the byte `from` on, with which one begins.
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

/// The length of a dot segment that the path begins with, with its slash.
pub(super) fn leading_dots(path: &[u8]) -> Option<usize> {
    match path {
        [b'.'] => Some(1),
        [b'.', b'/', ..] | [b'.', b'.'] => Some(2),
        [b'.', b'.', b'/', ..] => Some(3),
        _ => None,
    }
}

/// The length of a dot segment that the rest of a record begins with, with its slash. Its path may end before it does.
#[inline(always)]
pub(super) fn dot_segment(rest: &[u8]) -> Option<usize> {
    match rest {
        [b'.'] | [b'.', b'?' | b'#', ..] => Some(1),
        [b'.', b'/', ..] | [b'.', b'.'] | [b'.', b'.', b'?' | b'#', ..] => Some(2),
        [b'.', b'.', b'/', ..] => Some(3),
        _ => None,
    }
}

/// Whether the last segment before the slash at the end is `..`.
fn ends_with_dots(segments: &[u8]) -> bool {
    matches!(segments, b"../" | [.., b'/', b'.', b'.', b'/'])
}

/// Whether any segment is `.` or `..`.
pub(super) fn has_dot_segments(path: &[u8]) -> bool {
    memchr_iter(b'.', path).any(|at| (at == 0 || path[at - 1] == b'/') && leading_dots(&path[at..]).is_some())
}

impl Before {
    /// Has the path from `start` on, which `had_root` and was not empty before its dot segments went, be read as the path that it is.
    pub(super) fn guard(self, text: &mut Vec<u8>, start: usize, had_root: bool) {
        self.guard_path(text, start..text.len(), had_root);
    }

    /// The same where more follows the path.
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

/// Whether the first segment has a colon.
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
