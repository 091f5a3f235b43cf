//! `java.net.URI`: the results of `normalize()`, `resolve()` and `relativize()`, as `toString()` prints them.
//!
//! The behaviour was found by running the class (version 17 on 310,000 pairs, version 25 on some hundred);
//! `scripts/conformance/JavaReferences.java` prints the results of the class. If a method has nothing to do,
//! it returns one of its arguments, which `toString()` prints unchanged. Otherwise, it makes a URI of parts,
//! whose port is printed as a number, and which loses an empty authority.

use crate::work::memrchr;
use alloc::vec::Vec;

use super::dots::{Before, Dots};
use super::escapes::are_equivalent;
use crate::components::Components;

/// A record and its components.
type Uri<'a> = (&'a [u8], &'a Components);

/// The printed parts of a URI, each with its delimiters.
struct Parts<'a> {
    /// The URI with its scheme.
    scheme: Uri<'a>,
    /// The URI with its authority.
    authority: Uri<'a>,
    path: &'a [u8],
    /// Query and fragment.
    rest: &'a [u8],
}

/// `normalize()`.
pub(super) fn normalize(record: &[u8], components: &Components, to: &mut Vec<u8>) {
    let path = path((record, components));
    let normal = normal_path(path);
    if normal == path {
        to.extend_from_slice(record);
    } else {
        let uri = (record, components);
        push(
            Parts {
                scheme: uri,
                authority: uri,
                path: &normal,
                rest: &record[components.path_end as usize..],
            },
            to,
        );
    }
}

/// `base.resolve(child)`.
pub(super) fn resolve(base: Uri<'_>, child: Uri<'_>, to: &mut Vec<u8>) {
    let (text, components) = child;
    let child_path = path(child);
    let rest = &text[components.path_end as usize..];
    let is_bare = components.scheme().is_none() && components.authority().is_none();
    if components.is_opaque() || base.1.is_opaque() || components.scheme().is_some() {
        to.extend_from_slice(text);
    } else if !is_bare {
        push(Parts { scheme: base, authority: child, path: child_path, rest }, to);
    } else if let ([], None, Some(fragment)) = (child_path, components.query(), components.fragment_of(text))
    {
        // A reference to the base itself. An empty reference without a fragment would refer to the base's
        // directory.
        if base.1.fragment_of(base.0) == Some(fragment) {
            to.extend_from_slice(base.0);
        } else {
            let query = &base.0[base.1.path_end as usize..base.1.query_end as usize];
            push(Parts { scheme: base, authority: base, path: path(base), rest: query }, to);
            to.extend_from_slice(rest);
        }
    } else {
        let joined;
        let path = if child_path.starts_with(b"/") {
            child_path
        } else {
            joined = join(base, child_path);
            &joined
        };
        push(Parts { scheme: base, authority: base, path, rest }, to);
    }
}

/// `base.relativize(child)`.
pub(super) fn relativize(base: Uri<'_>, child: Uri<'_>, to: &mut Vec<u8>) {
    let (text, components) = child;
    let scheme = |(text, components): Uri<'_>| components.scheme_of(text).map(<[u8]>::to_ascii_lowercase);
    let have_same_authority = match (base.1.authority_of(base.0), components.authority_of(text)) {
        (Some(one), Some(other)) => are_equivalent(one, other),
        (one, other) => one == other,
    };
    if !components.is_opaque() && !base.1.is_opaque() && scheme(base) == scheme(child) && have_same_authority
    {
        let (mut directory, path) = (normal_path(path(base)), normal_path(path(child)));
        if directory != path && !directory.ends_with(b"/") {
            directory.push(b'/');
        }
        if let Some(below) = path.strip_prefix(&directory[..]) {
            to.extend_from_slice(below);
            to.extend_from_slice(&text[components.path_end as usize..]);
            return;
        }
    }
    to.extend_from_slice(text);
}

/// Returns the path, which is empty for an opaque URI.
fn path((text, components): Uri<'_>) -> &[u8] {
    components.path_of(text).unwrap_or_default()
}

fn normal_path(path: &[u8]) -> Vec<u8> {
    let mut normal = path.to_vec();
    remove_dots(&mut normal);
    normal
}

fn remove_dots(path: &mut Vec<u8>) {
    if let Some(&first) = path.first() {
        Dots::Java.remove(path, 0);
        // The class guards a path as if nothing stood before it, and does not guard an empty path.
        if !path.is_empty() {
            Before::Nothing.guard(path, 0, first == b'/');
        }
    }
}

/// Returns the path of a child without root in the directory of the base, without dot segments.
fn join(base: Uri<'_>, child: &[u8]) -> Vec<u8> {
    let directory = match memrchr(b'/', path(base)) {
        Some(slash) => &path(base)[..=slash],
        None if base.1.scheme().is_some() && !child.is_empty() => b"/",
        None => b"",
    };
    let mut joined = [directory, child].concat();
    remove_dots(&mut joined);
    joined
}

/// Appends a URI made of these parts, as `toString()` prints it.
fn push(Parts { scheme, authority, path, rest }: Parts<'_>, to: &mut Vec<u8>) {
    if let Some(scheme) = scheme.1.scheme_of(scheme.0) {
        to.extend_from_slice(scheme);
        to.push(b':');
    }
    let (text, components) = authority;
    if let Some(authority) = components.authority_of(text) {
        to.extend_from_slice(b"//");
        match components.host() {
            None => to.extend_from_slice(authority),
            Some(host) => {
                to.extend_from_slice(&text[components.authority_start as usize..host.end]);
                if let Some(port) = components.port_of(text) {
                    to.push(b':');
                    let zeros = port.iter().take_while(|&&digit| digit == b'0').count();
                    to.extend_from_slice(&port[zeros.min(port.len() - 1)..]);
                }
            }
        }
    }
    to.extend_from_slice(path);
    to.extend_from_slice(rest);
}
