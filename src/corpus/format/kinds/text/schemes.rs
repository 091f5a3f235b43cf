//! The left edge of a URI in a text: the schemes that show a URI, and the start of a scheme.

use crate::corpus::format::lines::log_format::starts_as_uri;
use crate::registry::is_registered;
use crate::work::{looked_at, memchr};

/// Whether a text can follow the colon of a registered scheme without `//`.
pub(super) type Shape = fn(&[u8]) -> bool;

/// Schemes without `//`, each with the test that distinguishes its URIs from a word before a colon.
const OPAQUE: [(&[u8], Shape); 27] = [
    (b"mailto", has_at),
    // A namespace and another colon.
    (b"urn", |rest| memchr(b':', rest).is_some_and(|at| at > 1 && at + 1 < rest.len())),
    // A media type, if any, and a comma.
    (b"data", |rest| memchr(b',', rest).is_some()),
    (b"tel", starts_as_number),
    (b"sms", starts_as_number),
    (b"geo", |rest| starts_as_number(rest) && memchr(b',', rest).is_some()),
    (b"sip", has_at),
    (b"sips", has_at),
    (b"xmpp", has_at),
    (b"im", has_at),
    (b"pres", has_at),
    (b"acct", has_at),
    // Parts of a message, and messages.
    (b"cid", has_at),
    (b"mid", has_at),
    (b"news", has_at),
    (b"magnet", |rest| rest.starts_with(b"?")),
    // RFC 4151: an authority, a comma, a date, a colon.
    (b"tag", |rest| memchr(b',', rest).is_some_and(|at| memchr(b':', &rest[at..]).is_some())),
    (b"doi", |rest| rest.starts_with(b"10.")),
    // A method and another colon.
    (b"did", |rest| memchr(b':', rest).is_some_and(|at| at > 0 && at + 1 < rest.len())),
    // The number of the authority that assigns names.
    (b"ark", |rest| {
        starts_as_number(rest.strip_prefix(b"/").unwrap_or(rest)) && memchr(b'/', &rest[1..]).is_some()
    }),
    // A version.
    (b"swh", |rest| rest.starts_with(b"1:")),
    // Another URI.
    (b"view-source", starts_as_uri),
    (b"blob", starts_as_uri),
    (b"filesystem", starts_as_uri),
    (b"jar", starts_as_uri),
    (b"feed", starts_as_uri),
    // Not registered, but the first part of every address of a Java database.
    (b"jdbc", starts_as_uri),
];

/// The marks of a URI without `//` are at most this number of bytes after its colon.
pub(super) const NEAR: usize = 256;

fn has_at(rest: &[u8]) -> bool {
    memchr(b'@', rest).is_some()
}

fn starts_as_number(rest: &[u8]) -> bool {
    let digits = rest.strip_prefix(b"+").or(rest.strip_prefix(b"-")).unwrap_or(rest);
    digits.first().is_some_and(u8::is_ascii_digit)
}

/// The schemes that are recognised even if other text is glued to their first letter.
const COMMON: [&[u8]; 6] = [b"http", b"https", b"ftp", b"ftps", b"ws", b"wss"];

/// Returns the test of the text after the colon, if the scheme is one of those without `//`.
pub(super) fn shape(scheme: &[u8]) -> Option<Shape> {
    OPAQUE.iter().find(|(name, _)| scheme.eq_ignore_ascii_case(name)).map(|&(_, shape)| shape)
}

fn is_known(scheme: &[u8]) -> bool {
    COMMON.iter().any(|common| scheme.eq_ignore_ascii_case(common)) || shape(scheme).is_some()
}

/// Returns true if this can be the last letter of a scheme that needs no slashes.
pub(super) fn may_end_opaque(last: u8) -> bool {
    matches!(
        last.to_ascii_lowercase(),
        b'a' | b'b'
            | b'c'
            | b'd'
            | b'e'
            | b'g'
            | b'h'
            | b'i'
            | b'k'
            | b'l'
            | b'm'
            | b'n'
            | b'o'
            | b'p'
            | b'r'
            | b's'
            | b't'
    )
}

/// For each letter, a bit for each letter that precedes it at the end of a scheme that needs no slashes.
const ENDS: [u32; 26] = {
    let (mut ends, mut at) = ([0; 26], 0);
    while at < OPAQUE.len() {
        if let [.., before, last] = OPAQUE[at].0 {
            ends[(*last - b'a') as usize] |= 1 << (*before - b'a');
        }
        at += 1;
    }
    ends
};

/// Returns true if a text can end with a scheme that needs no slashes. Most words before colons cannot.
#[inline]
pub(super) fn may_end_with_opaque(text: &[u8]) -> bool {
    let [.., before, last] = text else { return false };
    let number = |byte: &u8| byte.to_ascii_lowercase().wrapping_sub(b'a');
    let (before, last) = (number(before), number(last));
    before < 26 && ENDS.get(usize::from(last)).is_some_and(|&ends| ends >> before & 1 == 1)
}

/// The start of a scheme at the end of a text. Positions are in bytes of the text.
#[derive(Clone, Copy)]
pub(super) struct Start {
    /// The first byte of the run of bytes that can belong to the scheme.
    pub(super) run: usize,
    /// The first byte of the scheme in running prose, where other text can be glued to it. The scheme can be
    /// one that no URI has, like `1abc` or `cache_object`. The URI is then reported as broken; a shorter
    /// scheme would hide the error.
    pub(super) scheme: usize,
}

/// Returns the start of the scheme at the end of `text`.
pub(super) fn start(text: &[u8]) -> Option<Start> {
    let may_belong = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-._".contains(byte);
    let run = text.len() - text.iter().rev().take_while(may_belong).count();
    looked_at(text.len() - run);
    let start = run + text[run..].iter().position(u8::is_ascii_alphanumeric)?;
    let scheme = &text[start..];
    let letter = scheme.iter().position(u8::is_ascii_alphabetic)?;
    let glued = scheme.iter().rposition(|byte| b"-._".contains(byte)).map(|at| at + 1);
    let known = [glued, Some(letter)].into_iter().flatten().find(|&at| is_known(&scheme[at..]));
    let known = known.or_else(|| text[..run].ends_with(b"\\").then(|| after_escape(scheme))?);
    (scheme.len() - letter >= 2).then_some(Start { run, scheme: start + known.unwrap_or(0) })
}

/// Returns the start of a scheme after the rest of an escape of strings, which begins after the backslash:
/// `nhttp` comes from `\nhttp://`, and `u003chttp` from `\u003chttp://`. Only schemes that URIs have are
/// found.
fn after_escape(text: &[u8]) -> Option<usize> {
    let digits = match text.first()? {
        b'n' | b't' | b'r' | b'f' | b'b' | b'v' | b'a' | b'0' => 0,
        b'x' => 2,
        b'u' => 4,
        _ => return None,
    };
    let (escape, scheme) = text.split_at_checked(1 + digits)?;
    let is_escape = escape[1..].iter().all(u8::is_ascii_hexdigit);
    (is_escape && (is_known(scheme) || is_registered(scheme))).then_some(escape.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_without_slashes_are_registered() {
        for (name, _) in OPAQUE {
            assert!(crate::registry::is_registered(name) || name == b"jdbc", "{name:?}");
            assert!(may_end_opaque(name[name.len() - 1]), "{name:?}");
            assert!(may_end_with_opaque(name) && may_end_with_opaque(&name.to_ascii_uppercase()), "{name:?}");
        }
    }
}
