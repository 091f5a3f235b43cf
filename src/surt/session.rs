//! Session identifiers, by which servers recognise visitors. The patterns are those of Heritrix.

use alloc::vec::Vec;
use core::ops::Range;

use super::blocks::any;
use crate::work::{looked_at, memmem};

/// Cuts the identifiers of ASP.NET from the path that starts at `start`, in lower case: the last one of each
/// kind.
pub(super) fn cut_from_path(key: &mut Vec<u8>, start: usize) {
    let path = &key[start..];
    let (Some((_, next)), Some((_, head))) = (path.split_first(), path.split_last()) else { return };
    looked_at(path.len());
    // A search for two bytes first takes less time than the preparation of a search for five.
    if !any(head, next, |byte, next| (byte == b'.') & (next == b'a'))
        || memmem::find(path, b".aspx").is_none()
    {
        return;
    }
    // `(s(24))(t(24))/`, each with a letter before it, and then `(24)/`.
    for end_of in [nested_end, single_end] {
        if let Some(found) = in_path(&key[start..], end_of) {
            key.drain(start + found.start..start + found.end);
        }
    }
}

/// Finds `/`, the identifier, `/`, and a name that ends with `.aspx`, without a `?` before its end.
fn in_path(path: &[u8], end_of: fn(&[u8]) -> Option<usize>) -> Option<Range<usize>> {
    let mut run_end = path.len();
    for run in path.rsplit(|&byte| byte == b'?') {
        let run_start = run_end - run.len();
        if let Some(last) = memmem::find_iter(run, b".aspx").last() {
            let found = memmem::find_iter(&run[..last], b"/(").filter_map(|slash| {
                let end = slash + 1 + end_of(&run[slash + 1..])?;
                (end < last).then_some(run_start + slash + 1..run_start + end)
            });
            if let Some(found) = found.last() {
                return Some(found);
            }
        }
        run_end = run_start.saturating_sub(1);
    }
    None
}

/// Returns the end of `(`, pairs of a letter and 24 characters in brackets, `)/`.
fn nested_end(text: &[u8]) -> Option<usize> {
    let mut end = 1;
    while let Some(b'a'..=b'z') = text.get(end)
        && let Some(len) = bracketed(&text[end + 1..])
    {
        end += 1 + len;
    }
    (end > 1 && text[end..].starts_with(b")/")).then_some(end + 2)
}

/// Returns the end of `(`, 24 characters, `)/`.
fn single_end(text: &[u8]) -> Option<usize> {
    bracketed(text).filter(|&end| text.get(end) == Some(&b'/')).map(|end| end + 1)
}

/// Returns the length of 24 letters and digits in brackets.
fn bracketed(text: &[u8]) -> Option<usize> {
    const LEN: usize = 24;
    match text.strip_prefix(b"(")?.split_at_checked(LEN)? {
        (inside, [b')', ..]) if inside.iter().all(u8::is_ascii_alphanumeric) => Some(LEN + 2),
        _ => None,
    }
}

/// Cuts the identifiers from the query that starts at `start`, in lower case: the last one of each kind, with
/// the `&` after it.
#[inline(always)]
pub(super) fn cut_from_query(key: &mut Vec<u8>, start: usize) {
    // The names contain `sid`, `nid` or `fid`. Most queries do not even have the two outer letters.
    let query = &key[start..];
    let (Some(head), Some(next)) = (query.get(..query.len().saturating_sub(2)), query.get(2..)) else {
        return;
    };
    let is_outer = |byte: u8, next: u8| (next == b'd') & ((byte == b's') | (byte == b'n') | (byte == b'f'));
    looked_at(query.len());
    if any(head, next, is_outer)
        && query.windows(3).any(|name| matches!(name, [b's' | b'n' | b'f', b'i', b'd']))
    {
        cut_all(key, start);
    }
}

#[cold]
fn cut_all(key: &mut Vec<u8>, start: usize) {
    type Find = fn(&[u8]) -> Option<Range<usize>>;
    let kinds: [Find; 5] = [
        |query| named(query, b"jsessionid=", |after| alphanumeric(after, 32)),
        |query| named(query, b"phpsessid=", |after| alphanumeric(after, 32)),
        |query| named(query, b"sid=", |after| alphanumeric(after, 32)),
        |query| {
            named(query, b"aspsessionid", |after| {
                let (name, value) = after.split_at_checked(8)?;
                let is_name = name.iter().all(u8::is_ascii_lowercase);
                let value = value.strip_prefix(b"=").filter(|_| is_name)?.get(..24)?;
                value.iter().all(u8::is_ascii_lowercase).then_some(8 + 1 + 24)
            })
        },
        coldfusion,
    ];
    for find in kinds {
        if let Some(found) = find(&key[start..]) {
            // The `&` after the identifier.
            let end = (start + found.end + 1).min(key.len());
            key.drain(start + found.start..end);
        }
    }
}

/// Finds the last parameter with this name whose value has an allowed length and ends at `&` or at the
/// query's end.
fn named(query: &[u8], name: &[u8], value_len: impl Fn(&[u8]) -> Option<usize>) -> Option<Range<usize>> {
    let found = memmem::find_iter(query, name).filter_map(|start| {
        let value = start + name.len();
        let end = value + value_len(&query[value..])?;
        matches!(query.get(end), None | Some(b'&')).then_some(start..end)
    });
    found.last()
}

/// Returns `len` if `text` starts with `len` letters and digits.
fn alphanumeric(text: &[u8], len: usize) -> Option<usize> {
    text.get(..len)?.iter().all(u8::is_ascii_alphanumeric).then_some(len)
}

/// Finds the last `cfid=` with a value and a parameter `cftoken` after it.
fn coldfusion(query: &[u8]) -> Option<Range<usize>> {
    const ID: &[u8] = b"cfid=";
    const TOKEN: &[u8] = b"cftoken=";
    let (mut found, mut start, mut id) = (None, 0, None);
    for parameter in query.split(|&byte| byte == b'&') {
        let end = start + parameter.len();
        if let Some(id) = id
            && parameter.len() > TOKEN.len()
            && parameter.starts_with(TOKEN)
        {
            found = Some(id..end);
        }
        let before_value = parameter.len().saturating_sub(1);
        id = memmem::find_iter(&parameter[..before_value], ID).last().map(|at| start + at);
        start = end + 1;
    }
    found
}
