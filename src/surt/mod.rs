//! Keys of web archives: the Sort-friendly URI Reordering Transform (SURT).
//!
//! | module | has |
//! |---|---|
//! | [`one_pass`] | the key of a URL that needs little canonicalisation, in one pass |
//! | [`split`] | the parts of any text |
//! | [`escapes`] | escapes, decoded until nothing changes and written once |
//! | [`host`] | names in reverse, IPv4 addresses in decimal notations, names beyond ASCII |
//! | [`path`] | dot segments and slashes |
//! | [`query`] | sorted parameters |
//! | [`session`] | session identifiers, which are not part of a key |
//! | [`blocks`] | bytes, one block at a time |
//! | `remembered` | the last host, and its part of the key |
//!
//! In a list, `SurtMaker` makes keys where they stay in the output. It runs as a [`Job`](crate::simd::Job), so
//! whatever it calls for most URLs must be inlined. Tried and slower: closures and `array::map`, which were calls;
//! blocks of 32 bytes; columns of hosts and domains in the same way, which gained nothing.
//!
//! The rules are publicly documented (Safe Browsing's canonicalisation of URLs, IIPC's urlcanon, the patterns
//! of Heritrix), or were found by running Python's `surt`, whose source was not read.

mod blocks;
mod escapes;
mod host;
mod one_pass;
mod path;
mod query;
#[cfg(any(feature = "corpus", feature = "arrow"))]
mod remembered;
mod session;
mod split;

use alloc::vec::Vec;

use self::escapes::{escape, unescape};
use self::split::SplitUrl;

/// Appends the SURT key of `uri` to `to`, and returns it. CDX and CDXJ indexes are sorted by such keys.
///
/// The key equals the key of Python's `surt` 0.3.1, byte for byte: `http://www.Example.com:80/a?b=2&a=1#x`
/// has the key `com,example)/a?a=1&b=2`. A key has the host's labels in reverse, letters in lower case, and
/// sorted parameters. It lacks the scheme, the userinfo, the default port, `www` and digits before a host,
/// session identifiers, an empty query, the last slash and the fragment. If a URI has no authority, its key
/// starts with its scheme (`mailto:a@b.c`). A text without a scheme is treated as an `http` URL. URLs of
/// different resources may have the same key.
///
/// `uri` does not need to be valid. Returns `None`, and appends nothing, if Python's `surt` throws: if the
/// port is not a number up to 65535, or if the text is white space.
///
/// ```
/// let mut to = Vec::new();
/// let key = urivalidate::surt(b"http://www.Example.com:80/a?b=2&a=1#x", &mut to);
/// assert_eq!(key, Some(&b"com,example)/a?a=1&b=2"[..]));
/// ```
pub fn surt<'b>(uri: &[u8], to: &'b mut Vec<u8>) -> Option<&'b [u8]> {
    let start = to.len();
    to.reserve(uri.len() + ROOM);
    if push_at_once(uri, to).is_none() {
        to.truncate(start);
        push(uri, to)?;
    }
    Some(&to[start..])
}

/// Appends the key of a URL that needs only one pass.
fn push_at_once(uri: &[u8], to: &mut Vec<u8>) -> Option<()> {
    let (rest, len) = one_pass::after_scheme(uri, uri.len())?;
    let host_len = one_pass::push_host(rest, len, to)?;
    one_pass::push_rest(&rest[host_len..], len - host_len, to)
}

/// The number of bytes after a key that one pass may overwrite.
const ROOM: usize = 128;

/// Makes the keys of URIs one after the other. In a run of equal hosts, the labels are reversed only once.
#[cfg(any(feature = "corpus", feature = "arrow"))]
#[derive(Clone, Debug, Default)]
pub(crate) struct SurtMaker {
    last_host: one_pass::LastHost,
}

#[cfg(any(feature = "corpus", feature = "arrow"))]
impl SurtMaker {
    /// The number of bytes that a vector should have room for before [`push`](Self::push) appends the key of
    /// a URI with `len` bytes.
    #[inline(always)]
    pub(crate) fn room_for(len: usize) -> usize {
        2 * len + ROOM
    }

    /// Appends the key of a URI if one pass can make it, and returns true. `text` begins with the URI, of
    /// `len` bytes; it should go on after it. The URI then has a scheme.
    ///
    /// The bytes of a mapped file may change at any time: then the key has no meaning.
    #[inline(always)]
    pub(crate) fn push(&mut self, text: &[u8], len: usize, to: &mut Vec<u8>) -> bool {
        let start = to.len();
        let is_made = self.push_at_once(text, len, to).is_some();
        if !is_made {
            to.truncate(start);
        }
        is_made
    }

    #[inline(always)]
    fn push_at_once(&mut self, text: &[u8], len: usize, to: &mut Vec<u8>) -> Option<()> {
        let (rest, len) = one_pass::after_scheme(text, len)?;
        let host_len = self.last_host.push(rest, len, to)?;
        one_pass::push_rest(rest.get(host_len..)?, len.checked_sub(host_len)?, to)
    }

    /// Appends the key; see [`surt`]. The bytes of a mapped file may change at any time: then the key has no
    /// meaning.
    #[cfg(feature = "arrow")]
    pub(crate) fn surt<'b>(&mut self, uri: &[u8], to: &'b mut Vec<u8>) -> Option<&'b [u8]> {
        let start = to.len();
        to.reserve(uri.len() + ROOM);
        if !self.push(uri, uri.len(), to) {
            let copy = uri.to_vec();
            Self::push_other(&copy, to)?;
        }
        Some(&to[start..])
    }

    /// Appends the key of a URI that needs more than one pass. The bytes must not change.
    pub(crate) fn push_other(uri: &[u8], to: &mut Vec<u8>) -> Option<()> {
        push(uri, to)
    }
}

/// Appends the key of any text.
fn push(uri: &[u8], to: &mut Vec<u8>) -> Option<()> {
    if uri.is_empty() {
        to.push(b'-');
        return Some(());
    }
    let uri = split::trim(uri);
    if uri.is_empty() {
        return None;
    }
    // The key of a record that describes an archive file is its own name.
    if uri.starts_with(b"filedesc") {
        to.extend_from_slice(uri);
        return Some(());
    }
    let uri = split::without_line_ends(uri);
    let text = SplitUrl::of(&uri)?;
    let host = host::canonical(text.host);
    let path_start = if host.is_empty() {
        to.extend_from_slice(text.scheme);
        to.push(b':');
        let start = to.len();
        escape(&unescape(text.path), to);
        start
    } else {
        // Records of DNS are about the host itself.
        host::push_reversed(if text.scheme == b"dns" { &host } else { host::without_www(&host) }, to);
        if let Some(port) = text.port {
            to.push(b':');
            to.extend_from_slice(port);
        }
        to.push(b')');
        let start = to.len();
        escape(&path::canonical(&unescape(text.path)), to);
        start
    };
    to[path_start..].make_ascii_lowercase();
    session::cut_from_path(to, path_start);
    if to.len() > path_start + 1 && to.ends_with(b"/") {
        to.pop();
    }
    let query_start = to.len();
    if query_start == path_start {
        to.push(b'/');
    }
    to.push(b'?');
    let inside = to.len();
    escape(&unescape(text.query), to);
    to[inside..].make_ascii_lowercase();
    query::canonicalize(to, inside);
    if to.len() == inside {
        to.truncate(query_start);
    }
    Some(())
}

#[cfg(all(test, any(feature = "corpus", feature = "arrow")))]
mod tests {
    use alloc::string::{String, ToString};

    use super::*;

    /// Schemes and hosts, plain and not plain, some the beginnings of others.
    const HEADS: &[&str] = &[
        "http://h.a/",
        "http://h.a",
        "http://h/",
        "https://www2.Host.gov/",
        "https://www2.Host.gov.uk/",
        "http://www.a-b.c:80/",
        "http:///",
        "http://www.www/",
        "http://a..b/",
        "http://1.2.3.4/",
        "http://averyveryverylonglabel.of.a-host.example/",
        "HTTP://h.a/",
        "http://h.a./",
        "http://.h.a/",
        "http://www./",
        "https://www9X.a/",
    ];

    /// Pieces of paths and queries that keys change, keep and drop.
    const PIECES: &[&str] = &[
        "a",
        "B",
        "/",
        "//",
        "/.",
        "/..",
        ".",
        "/(",
        "(",
        "?",
        "?",
        "&",
        "=",
        "#",
        "%20",
        "%0a",
        "%00",
        "%7F",
        "%c3%A9",
        "%25",
        "%2541",
        "%7e",
        "%2F",
        "%23",
        "%",
        "%%20",
        "%2",
        "%3f",
        "%g0",
        " ",
        "\t",
        "\u{e9}",
        "sid=",
        "nid=1",
        ".aspx",
        "b=2&A=1",
        "%2E",
        "%28",
        "%26",
        "%3D",
        "%41",
        "abcdefGHIJKLMNOP",
        "/abcdefghijklmnopqrstuvwxyz",
    ];

    /// The key of a plain URL, made in one pass, is the key that the general way makes.
    #[test]
    fn keys_in_one_pass_are_those_of_any_text() {
        let mut state = 1_u32;
        let mut below = |limit: usize| {
            state = state.wrapping_mul(0x0019_660D).wrapping_add(0x3C6E_F35F);
            (state >> 8) as usize % limit
        };
        let mut maker = SurtMaker::default();
        let (mut in_one_pass, mut with_escapes) = (0, 0);
        for _ in 0..50_000 {
            let mut url = String::from(HEADS[below(HEADS.len())]);
            for _ in 0..below(9) {
                url.push_str(PIECES[below(PIECES.len())]);
            }
            let (mut made, mut remembered, mut expected) = (Vec::new(), Vec::new(), Vec::new());
            let is_made = push_at_once(url.as_bytes(), &mut made).is_some();
            // What follows the URL in a list must not matter.
            let mut text = url.clone();
            text.push_str(["", "/(", "\n", "%2?#"][below(4)]);
            text.push_str(&"http://h.a/..//B%c3?".repeat(below(5)));
            let is_remembered = maker.push(text.as_bytes(), url.len(), &mut remembered);
            // A byte after the last slash may look like part of the path.
            assert!(is_made == is_remembered || is_made && url.ends_with('/'), "{url}");
            if is_made {
                push(url.as_bytes(), &mut expected).expect("a key");
                assert_eq!(made.escape_ascii().to_string(), expected.escape_ascii().to_string(), "{url}");
                if is_remembered {
                    assert_eq!(remembered, expected, "{url}");
                }
                in_one_pass += 1;
                with_escapes += usize::from(made.contains(&b'%'));
            }
        }
        assert!(in_one_pass > 5000 && with_escapes > 500, "{in_one_pass}, {with_escapes}");
    }

    /// The definition of decoding: all escapes are decoded, from the left, until none is left.
    #[test]
    fn escapes_are_decoded_until_none_is_left() {
        let mut state = 7_u32;
        for _ in 0..20_000 {
            let mut text = Vec::new();
            for _ in 0..12 {
                state = state.wrapping_mul(0x0019_660D).wrapping_add(0x3C6E_F35F);
                text.push(b"%%%2254136ab/g"[(state >> 8) as usize % 14]);
            }
            let mut decoded = text.clone();
            let escape = |text: &[u8]| {
                text.windows(3)
                    .position(|three| three[0] == b'%' && three[1..].iter().all(u8::is_ascii_hexdigit))
            };
            while let Some(at) = escape(&decoded) {
                let digits = core::str::from_utf8(&decoded[at + 1..at + 3]).expect("two digits");
                let byte = u8::from_str_radix(digits, 16).expect("two digits");
                decoded.splice(at..at + 3, [byte]);
            }
            assert_eq!(unescape(&text), decoded, "{}", text.escape_ascii());
        }
    }
}
