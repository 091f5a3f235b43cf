//! Queries: without session identifiers, sorted.

use alloc::vec::Vec;

use super::session;
use crate::work::{looked_at, memchr};

/// The number of parameters that are sorted without an allocation.
const FEW: usize = 16;

/// Rewrites the query that starts at `start`, in lower case, to the form that keys have.
pub(super) fn canonicalize(key: &mut Vec<u8>, start: usize) {
    session::cut_from_query(key, start);
    if let Some(first) = memchr(b'&', &key[start..]) {
        sort(key, start, start + first);
    }
}

/// Sorts the parameters by name, and then by value. A parameter without `=` comes before one with it. The
/// first parameter ends at `first_end`.
fn sort(key: &mut Vec<u8>, start: usize, first_end: usize) {
    let mut few = [(0, 0); FEW];
    let mut many = Vec::new();
    let (mut count, mut is_sorted) = (0, true);
    let (mut at, mut end) = (start, first_end);
    loop {
        if count < FEW {
            few[count] = (at, end);
        } else {
            if count == FEW {
                many.extend_from_slice(&few);
            }
            many.push((at, end));
        }
        count += 1;
        if end == key.len() {
            break;
        }
        let last = at..end;
        at = end + 1;
        end = memchr(b'&', &key[at..]).map_or(key.len(), |len| at + len);
        is_sorted = is_sorted && name_and_value(&key[last]) <= name_and_value(&key[at..end]);
    }
    if is_sorted {
        return;
    }
    let parameters = if count > FEW { &mut many[..] } else { &mut few[..count] };
    // Equal parameters have the same bytes, so an unstable sort is enough.
    parameters.sort_unstable_by_key(|&(at, end)| name_and_value(&key[at..end]));
    let len = key.len() - start;
    looked_at(2 * len);
    for (index, &(at, end)) in parameters.iter().enumerate() {
        if index > 0 {
            key.push(b'&');
        }
        key.extend_from_within(at..end);
    }
    key.copy_within(start + len.., start);
    key.truncate(start + len);
}

fn name_and_value(parameter: &[u8]) -> (&[u8], Option<&[u8]>) {
    match memchr(b'=', parameter) {
        Some(at) => (&parameter[..at], Some(&parameter[at + 1..])),
        None => (parameter, None),
    }
}
