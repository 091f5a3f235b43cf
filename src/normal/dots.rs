//! Dot segments, `.` and `..`, and what keeps a path without them from being read as something else.
//!
//! A path is gone through once, segment by segment; the rest of it moves to its start. Removing a segment goes back over
//! bytes that are then gone, so the time is linear.

use crate::work::{memchr, memchr_iter, memrchr};
use alloc::vec::Vec;

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
        let path = &mut text[start..];
        if self == Dots::Java || has_dot_segments(path) {
            let len = self.shorten(path);
            text.truncate(start + len);
        }
    }

    /// The same in place. Returns the new length.
    fn shorten(self, path: &mut [u8]) -> usize {
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
        while read < path.len() {
            let end = memchr(b'/', &path[read..]).map_or(path.len(), |len| read + len);
            let next = path.len().min(end + 1);
            match &path[read..end] {
                b"." => {}
                b"" if self == Dots::Java && next > end => {}
                b".." if write > root && !ends_with_dots(&path[root..write]) => {
                    let before = &path[root..write - 1];
                    write = root + memrchr(b'/', before).map_or(0, |slash| slash + 1);
                    if self == Dots::All && write == 0 {
                        (path[0], root, write) = (b'/', 1, 1);
                    }
                }
                b".." if self == Dots::All => {}
                _ => {
                    path.copy_within(read..next, write);
                    write += next - read;
                }
            }
            read = next;
        }
        write
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
        let path = &text[start..];
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
