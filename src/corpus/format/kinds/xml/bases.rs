//! The bases of elements: `xml:base` (XML Base).

use super::entities::Entities;
use crate::normal::Base;
use crate::work::looked_at;

/// Returns the base of an element with this `xml:base`, given the base around the element.
///
/// Both may be relative, so this only puts their texts together, as RFC 3986 section 5.2.3 merges paths. Dot
/// segments stay: they disappear when a URL is resolved against the base.
pub(super) fn within(around: Option<&[u8]>, value: &[u8]) -> Vec<u8> {
    let value = without_fragment(value);
    looked_at(value.len());
    let mut base = match around {
        Some(around) if scheme_len(value) == 0 => {
            looked_at(around.len());
            let (kept, between) = kept(around, value);
            [kept, between, value].concat()
        }
        _ => value.to_vec(),
    };
    // A longer one is no base, and one byte more is enough to know that.
    base.truncate(Base::MAX_LEN + 1);
    base
}

/// Returns the text of a value: its references undone, without white space at its ends.
pub(super) fn text(value: &[u8], entities: Option<&Entities>) -> Vec<u8> {
    let mut text = Vec::new();
    match entities {
        Some(entities) => drop(entities.undo(value, &mut text)),
        None => drop(Entities::default().undo(value, &mut text)),
    }
    text.trim_ascii().to_vec()
}

/// Returns the part of a base that comes before a reference without a scheme, and the text between both.
fn kept<'b>(base: &'b [u8], reference: &[u8]) -> (&'b [u8], &'static [u8]) {
    let scheme = scheme_len(base);
    if reference.starts_with(b"//") {
        return (&base[..scheme], b"");
    }
    let rest = base[scheme..].strip_prefix(b"//");
    let host = rest.map(|rest| rest.iter().position(|byte| b"/?".contains(byte)).unwrap_or(rest.len()));
    let authority = scheme + host.map_or(0, |len| 2 + len);
    let path = authority..base.iter().position(|&byte| byte == b'?').unwrap_or(base.len()).max(authority);
    match reference.first() {
        None => (base, b""),
        Some(b'/') => (&base[..authority], b""),
        Some(b'?') => (&base[..path.end], b""),
        Some(_) => {
            let slash = base[path.clone()].iter().rposition(|&byte| byte == b'/');
            let segment = slash.map_or(path.start, |slash| path.start + slash + 1)..path.end;
            match &base[segment.clone()] {
                // A path that ends so ends with a folder.
                b"." | b".." => (&base[..path.end], b"/"),
                _ if host.is_some() && path.is_empty() => (&base[..path.end], b"/"),
                _ => (&base[..segment.start], b""),
            }
        }
    }
}

/// Returns the length of the scheme at the start, with its colon.
fn scheme_len(text: &[u8]) -> usize {
    let is_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let len = text.iter().position(|byte| !is_scheme(byte)).unwrap_or(text.len());
    let is_scheme = text.first().is_some_and(u8::is_ascii_alphabetic) && text.get(len) == Some(&b':');
    if is_scheme { len + 1 } else { 0 }
}

fn without_fragment(text: &[u8]) -> &[u8] {
    text.split(|&byte| byte == b'#').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bases_are_put_together() {
        for (around, value, expected) in [
            ("https://h/blog/", "2026/", "https://h/blog/2026/"),
            ("https://h/blog/a", "b", "https://h/blog/b"),
            ("https://h/blog/a?b", "?c", "https://h/blog/a?c"),
            ("https://h/blog/a?b", "", "https://h/blog/a?b"),
            ("https://h/blog/a", "/b#c", "https://h/b"),
            ("https://h/blog/a", "//i/b", "https://i/b"),
            ("https://h/blog/a", "http://i/", "http://i/"),
            ("https://h", "a", "https://h/a"),
            ("https://h/a/..", "b", "https://h/a/../b"),
            ("a/b", "c", "a/c"),
            ("a/..", "c", "a/../c"),
            ("a", "c", "c"),
            ("/a/b", "/c", "/c"),
        ] {
            let found = within(Some(around.as_bytes()), value.as_bytes());
            assert_eq!(String::from_utf8(found).unwrap(), expected, "{value} in {around}");
        }
        assert_eq!(within(None, b"a#b"), b"a");
        assert_eq!(text(b" &#32;a&amp;b \n", None), b"a&b");
        assert_eq!(within(None, &[b'a'; 10_000]).len(), Base::MAX_LEN + 1);
    }
}
