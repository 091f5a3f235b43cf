//! Splits a text, which may be no URI, into its parts.

use alloc::borrow::Cow;

use crate::charset::Class;
use crate::work::{memchr, memrchr};

/// The parts of a text. They may contain escapes.
pub(super) struct SplitUrl<'a> {
    pub(super) scheme: &'a [u8],
    /// Empty if the text has no host.
    pub(super) host: &'a [u8],
    /// The port without leading zeros; `None` if it is zero or the scheme's default port.
    pub(super) port: Option<&'a [u8]>,
    pub(super) path: &'a [u8],
    /// Empty if the text has no query.
    pub(super) query: &'a [u8],
}

impl<'a> SplitUrl<'a> {
    /// `None` if the port is not a number up to 65535.
    pub(super) fn of(text: &'a [u8]) -> Option<Self> {
        let (text, _) = cut(text, b'#');
        let text = innermost(text);
        let (scheme, rest, has_authority) = match scheme_end(text) {
            Some(end) => match text[end + 1..].strip_prefix(b"//") {
                Some(rest) => (&text[..end], rest, true),
                None => (&text[..end], &text[end + 1..], false),
            },
            None => (&b"http"[..], text, true),
        };
        let (rest, query) = cut(rest, b'?');
        let path_start = if has_authority { memchr(b'/', rest).unwrap_or(rest.len()) } else { 0 };
        let (authority, mut path) = rest.split_at(path_start);
        let (mut host, port) = host_and_port(authority);
        let port = significant(port, scheme)?;
        if host.is_empty() && scheme.starts_with(b"http") && !path.is_empty() {
            // The first segment is the host (`http:a/b`, `http:///a/b`), regardless of its form.
            let slashes = path.iter().take_while(|&&byte| byte == b'/').count();
            (host, path) =
                path[slashes..].split_at(memchr(b'/', &path[slashes..]).unwrap_or(path.len() - slashes));
            if path.is_empty() {
                path = b"/";
            }
        }
        Some(SplitUrl { scheme, host, port, path, query })
    }
}

/// Returns the text without white space at its ends.
pub(super) fn trim(mut text: &[u8]) -> &[u8] {
    let is_space = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0B;
    while let [first, rest @ ..] = text
        && is_space(first)
    {
        text = rest;
    }
    while let [rest @ .., last] = text
        && is_space(last)
    {
        text = rest;
    }
    text
}

/// Returns the text without line ends and tabs.
pub(super) fn without_line_ends(text: &[u8]) -> Cow<'_, [u8]> {
    let is_cut = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r');
    if !text.iter().any(is_cut) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.iter().copied().filter(|byte| !is_cut(byte)).collect())
}

/// Returns the text before the first occurrence of `byte`, and the text after it.
fn cut(text: &[u8], byte: u8) -> (&[u8], &[u8]) {
    match memchr(byte, text) {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, &[]),
    }
}

/// Removes all but the last of several prefixes `http://` or `https://`.
fn innermost(mut text: &[u8]) -> &[u8] {
    let after =
        |text: &'_ [u8]| [&b"http://"[..], b"https://"].iter().find(|p| text.starts_with(p)).map(|p| p.len());
    while let Some(end) = after(text)
        && after(&text[end..]).is_some()
    {
        text = &text[end..];
    }
    text
}

/// Returns the position of the scheme's colon.
fn scheme_end(text: &[u8]) -> Option<usize> {
    let end = text.iter().position(|&byte| !Class::SCHEME.contains(byte))?;
    (text[0].is_ascii_alphabetic() && text[end] == b':').then_some(end)
}

/// Returns an authority's host, without brackets, and its port.
fn host_and_port(authority: &[u8]) -> (&[u8], &[u8]) {
    let mut server = memrchr(b'@', authority).map_or(authority, |at| &authority[at + 1..]);
    while let Some(rest) = server.strip_suffix(b":") {
        server = rest;
    }
    match memchr(b'[', server) {
        Some(open) => {
            let (host, rest) = cut(&server[open + 1..], b']');
            (host, cut(rest, b':').1)
        }
        None => cut(server, b':'),
    }
}

/// Returns the port as keys have it, if they have it. Returns `None` if it is not a number up to 65535.
fn significant<'a>(port: &'a [u8], scheme: &[u8]) -> Option<Option<&'a [u8]>> {
    if !port.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let zeros = port.iter().take_while(|&&digit| digit == b'0').count();
    let port = &port[zeros..];
    // Numbers with the same number of digits compare as texts.
    if port.len() > 5 || port.len() == 5 && port > &b"65535"[..] {
        return None;
    }
    let is_default = match port {
        b"" => true,
        b"80" => scheme.eq_ignore_ascii_case(b"http"),
        b"443" => scheme.eq_ignore_ascii_case(b"https"),
        _ => false,
    };
    Some((!is_default).then_some(port))
}
