//! Queries: in lower case, without session identifiers, sorted.

use alloc::vec::Vec;

use super::session;
use crate::work::memchr;

/// Has the query that starts there be as keys have it.
pub(super) fn canonicalize(key: &mut Vec<u8>, start: usize) {
    key[start..].make_ascii_lowercase();
    session::cut_from_query(key, start);
    if memchr(b'&', &key[start..]).is_some() {
        sort(key, start);
    }
}

/// Sorts the parameters by name, and those of a name by value; one without `=` comes before one with it.
fn sort(key: &mut Vec<u8>, start: usize) {
    let parameters = || key[start..].split(|&byte| byte == b'&').map(name_and_value);
    if parameters().is_sorted() {
        return;
    }
    let mut sorted: Vec<_> = parameters().collect();
    sorted.sort_unstable();
    let mut query = Vec::with_capacity(key.len() - start);
    for (index, (name, value)) in sorted.into_iter().enumerate() {
        if index > 0 {
            query.push(b'&');
        }
        query.extend_from_slice(name);
        if let Some(value) = value {
            query.push(b'=');
            query.extend_from_slice(value);
        }
    }
    key.truncate(start);
    key.extend_from_slice(&query);
}

fn name_and_value(parameter: &[u8]) -> (&[u8], Option<&[u8]>) {
    match memchr(b'=', parameter) {
        Some(at) => (&parameter[..at], Some(&parameter[at + 1..])),
        None => (parameter, None),
    }
}
