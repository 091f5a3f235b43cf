//! Queries: without session identifiers, sorted.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::session;
use crate::work::{looked_at, memchr};

/// The number of parameters that are sorted without an allocation.
const FEW: usize = 16;

/// Rewrites the query that starts at `start`, in lower case, to the form that keys have.
#[inline(always)]
pub(super) fn canonicalize(key: &mut Vec<u8>, start: usize) {
    session::cut_from_query(key, start);
    if let Some(first) = memchr(b'&', &key[start..]) {
        sort(key, start, start + first);
    }
}

/// Sorts the parameters by name, and then by value. A parameter without `=` comes before one with it. The
/// first parameter ends at `first_end`.
#[inline(never)]
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
        is_sorted = is_sorted && order(&key[last], &key[at..end]).is_le();
    }
    if is_sorted {
        return;
    }
    let parameters = if count > FEW { &mut many[..] } else { &mut few[..count] };
    // Equal parameters have the same bytes, so an unstable sort is enough.
    parameters.sort_unstable_by(|&(at, end), &(other_at, other_end)| {
        order(&key[at..end], &key[other_at..other_end])
    });
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

/// Compares names, and then values: the `=` after a name is less than all other bytes.
fn order(one: &[u8], other: &[u8]) -> Ordering {
    let same = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    looked_at(same);
    let is_in_value = one[..same].contains(&b'=');
    let rank = |&byte: &u8| if byte == b'=' && !is_in_value { 0 } else { byte };
    one.get(same).map(rank).cmp(&other.get(same).map(rank))
}
