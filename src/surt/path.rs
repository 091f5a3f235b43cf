//! Paths without dot segments and empty ones.

use alloc::vec::Vec;

/// The path of a URL with a host. `..` takes the segment before it, an empty one or another `..` too; only the first has none to take.
/// Slashes are merged after that.
pub(super) fn canonical(path: &[u8]) -> Vec<u8> {
    let mut segments: Vec<&[u8]> = Vec::new();
    for segment in path.strip_prefix(b"/").unwrap_or(path).split(|&byte| byte == b'/') {
        match segment {
            b"." => {}
            b".." if segments.pop().is_some() => {}
            _ => segments.push(segment),
        }
    }
    let mut canonical = Vec::with_capacity(path.len().max(1));
    for segment in segments.into_iter().filter(|segment| !segment.is_empty()) {
        canonical.push(b'/');
        canonical.extend_from_slice(segment);
    }
    if canonical.is_empty() {
        canonical.push(b'/');
    }
    canonical
}
