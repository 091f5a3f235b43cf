//! RFC 2396 section 5.2, as the RFC prints it, over the components of [`Uri`].

use super::rfc3986::Uri;

/// Section 5.2, steps 2 to 6: returns the components of the URI to which a reference refers.
pub(super) fn resolve(base: &Uri, reference: &Uri) -> Uri {
    let mut result = reference.clone();
    // Step 2.
    if reference.path.is_empty()
        && reference.scheme.is_none()
        && reference.authority.is_none()
        && reference.query.is_none()
    {
        return Uri { fragment: reference.fragment.clone(), ..base.clone() };
    }
    // Step 3.
    if reference.scheme.is_some() {
        return result;
    }
    result.scheme = base.scheme.clone();
    // Step 4.
    if reference.authority.is_some() {
        return result;
    }
    result.authority = base.authority.clone();
    // Step 5.
    if reference.path.starts_with('/') {
        return result;
    }
    // Steps 6a and 6b.
    let last = base.path.rfind('/').map_or(0, |slash| slash + 1);
    let buffer = format!("{}{}", &base.path[..last], reference.path);
    result.path = without_dots(&buffer);
    result
}

/// Steps 6c to 6g: a `..` without a segment before it stays.
pub(super) fn without_dots(buffer: &str) -> String {
    let (root, segments) = match buffer.strip_prefix('/') {
        Some(segments) => ("/", segments),
        None => ("", buffer),
    };
    // Each segment with the slash after it, if it has one.
    let mut segments: Vec<String> = segments.split_inclusive('/').map(str::to_owned).collect();
    // Step 6c.
    segments.retain(|segment| segment != "./");
    // Step 6d.
    if segments.last().is_some_and(|last| last == ".") {
        segments.pop();
    }
    // Step 6e.
    while let Some(at) = (1..segments.len()).find(|&at| segments[at] == "../" && segments[at - 1] != "../") {
        segments.drain(at - 1..=at);
    }
    // Step 6f.
    if let [.., segment, last] = &segments[..]
        && last == ".."
        && segment != "../"
    {
        segments.truncate(segments.len() - 2);
    }
    format!("{root}{}", segments.concat())
}

/// Section 2.3.
pub(super) fn is_unreserved(char: char) -> bool {
    char.is_ascii_alphanumeric() || "-_.!~*'()".contains(char)
}
