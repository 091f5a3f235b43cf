//! Paths without dot segments and empty segments.

use alloc::vec::Vec;

/// Returns the path of a URL with a host. `..` removes the segment before it, even if that is empty or
/// another `..`; only at the start there is none to remove. Slashes are merged after that.
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
