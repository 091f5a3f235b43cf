//! References that resolve to a given URI: [`Base::relativize`](super::Base::relativize), for all grammars
//! except `java`.

use crate::work::{memchr_iter, memrchr};
use alloc::vec::Vec;

use super::dots::{colon_comes_first, has_dot_segments};
use crate::components::Components;
use crate::grammar::Grammar;

/// Appends a reference from `base` to `uri`, or `uri` itself if no reference is shorter. Both must have a
/// scheme.
pub(super) fn relativize(
    grammar: Grammar,
    (base, of_base): (&[u8], &Components),
    (uri, of_uri): (&[u8], &Components),
    to: &mut Vec<u8>,
) {
    let path = of_uri.path_of(uri).unwrap_or_default();
    let base_path = of_base.path_of(base).unwrap_or_default();
    let rest = &uri[of_uri.path_end as usize..];
    let has_authority = of_uri.authority().is_some();
    let is_alone = of_uri.scheme_of(uri) != of_base.scheme_of(base)
        || of_uri.is_opaque() != of_base.is_opaque()
        || has_dot_segments(path);
    if is_alone {
        to.extend_from_slice(uri);
    } else if grammar == Grammar::RequestTarget {
        // The paths of request targets are not merged: the origin form is the part of the URI after the
        // base's authority.
        let same = uri[..of_uri.path_start as usize] == base[..of_base.path_start as usize];
        let is_origin_form = same && path.starts_with(b"/") && of_uri.fragment().is_none();
        to.extend_from_slice(if is_origin_form { &uri[of_uri.path_start as usize..] } else { uri });
    } else if of_uri.authority_of(uri) != of_base.authority_of(base) {
        // A reference without an authority would get the authority of the base.
        to.extend_from_slice(if has_authority { after_scheme(uri, of_uri) } else { uri });
    } else if uri[..of_uri.query_end as usize] == base[..of_base.query_end as usize] {
        to.extend_from_slice(&uri[of_uri.query_end as usize..]);
    } else if grammar != Grammar::Rfc2396 && path == base_path && of_uri.query().is_some() {
        // RFC 2396 would resolve a bare query against the base's directory, so it is excluded.
        to.extend_from_slice(rest);
    } else if push_path(base_path, path, to) {
        to.extend_from_slice(rest);
    } else {
        to.extend_from_slice(if has_authority { after_scheme(uri, of_uri) } else { uri });
    }
}

/// Returns `"//" authority` and the rest of the URI.
fn after_scheme<'a>(uri: &'a [u8], components: &Components) -> &'a [u8] {
    &uri[components.scheme().map_or(0, |scheme| scheme.end + 1)..]
}

/// Appends a path that leads from the path `base` to `path`, in URIs with the same authority, and returns
/// true. If no path leads there, appends nothing and returns false. `path` must have no dot segments.
fn push_path(base: &[u8], path: &[u8], to: &mut Vec<u8>) -> bool {
    let directory = &base[..memrchr(b'/', base).map_or(0, |slash| slash + 1)];
    // The length of the directories that both paths share, and the number of further directories of the base.
    let same = directory.iter().zip(path).take_while(|(one, other)| one == other).count();
    let common = memrchr(b'/', &path[..same]).map_or(0, |slash| slash + 1);
    let up = memchr_iter(b'/', &directory[common..]).count();
    // `..` has no reliable meaning after dot segments in the base, and cannot lead to the top of a path
    // without root.
    let is_relative = !path.is_empty()
        && path.starts_with(b"/") == base.starts_with(b"/")
        && !has_dot_segments(directory)
        && (up == 0 || common > 0);
    let is_absolute = path.starts_with(b"/") && !path.starts_with(b"//");
    if is_absolute && !(is_relative && (up == 0 || common > 1)) {
        to.extend_from_slice(path);
        return true;
    }
    if !is_relative {
        return false;
    }
    let below = &path[common..];
    if up > 0 {
        to.extend((0..up).flat_map(|_| *b"../"));
    } else if matches!(below, [] | [b'/', ..]) || colon_comes_first(below) {
        to.extend_from_slice(b"./");
    }
    to.extend_from_slice(below);
    true
}
