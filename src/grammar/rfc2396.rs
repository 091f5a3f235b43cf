//! RFC 2396 appendix A with RFC 2732, read from left to right. With another [`Dialect`], also the grammar of
//! `java.net.URI`.
//!
//! An authority is a `server` if all of it matches that rule, otherwise a `reg_name`. The characters of a
//! `reg_name` include the characters of a server without brackets, so only brackets can make an authority
//! invalid.
//!
//! By the BNF, a relative reference needs a path. `?y` is accepted all the same, since appendix C.1 and
//! section 5.2 use it.

use core::net::{IpAddr, Ipv4Addr};

use super::ip::{self, Brackets, Octets, Zone};
use super::rfc3986::bracketed;
use super::run::{Ascii, Repertoire, RunError, fragment, run, skip};
use super::scheme::{in_first_segment, scheme};
use crate::charset::Class;
use crate::components::{Components, HostKind, RecordForm};
use crate::error::{Component, Detail, Error, ErrorKind};
use crate::work::{looked_at, memchr, position};

/// The points in which `java.net.URI` differs.
pub(crate) trait Dialect {
    /// The allowed characters beyond ASCII. They are allowed wherever `escaped` is.
    type Repertoire: Repertoire;
    /// The contents of brackets.
    const BRACKETS: Brackets;
    /// The first characters of an opaque part.
    const OPAQUE_START: Class;
    /// True if an authority may be empty at the end of the record. If not, the record has no authority there.
    const EMPTY_AUTHORITY: bool;
    /// True if an empty port is a port.
    const EMPTY_PORT: bool;
    /// The largest port.
    const MAX_PORT: Option<u32>;
    /// The details for messages.
    const DETAIL: Detail;

    /// Returns the kind of the host if all of `text` is a host that a server may have:
    /// `hostname | IPv4address`.
    fn host(text: &[u8]) -> Option<(HostKind, Option<Ipv4Addr>)>;
}

/// The RFCs without changes.
pub(crate) enum Rfc2396 {}

impl Dialect for Rfc2396 {
    type Repertoire = Ascii;
    const BRACKETS: Brackets = Brackets { octets: Octets::UpToThreeDigits, zone: Zone::None, future: false };
    const OPAQUE_START: Class = Class::RFC2396_URIC_NO_SLASH;
    const EMPTY_AUTHORITY: bool = true;
    const EMPTY_PORT: bool = true;
    const MAX_PORT: Option<u32> = None;
    const DETAIL: Detail = Detail::BracketsInQueries;

    fn host(text: &[u8]) -> Option<(HostKind, Option<Ipv4Addr>)> {
        // RFC 2732 section 3: IPv4address = 1*3DIGIT "." 1*3DIGIT "." 1*3DIGIT "." 1*3DIGIT. It names no
        // limit.
        let mut octets = text.split(|&byte| byte == b'.');
        let is_octet = |octet: &[u8]| matches!(octet.len(), 1..=3) && octet.iter().all(u8::is_ascii_digit);
        let may_be_address = text.first().is_some_and(u8::is_ascii_digit);
        if may_be_address
            && octets.by_ref().take(4).filter(|octet| is_octet(octet)).count() == 4
            && octets.next().is_none()
        {
            return Some((HostKind::Ipv4, ip::whole_quad(text, Octets::UpToThreeDigits)));
        }
        // hostname = *( domainlabel "." ) toplabel [ "." ], toplabel = alpha | alpha *( alphanum | "-" )
        // alphanum
        labels(text).is_some_and(|last| last[0].is_ascii_alphabetic()).then_some((HostKind::Hostname, None))
    }
}

/// Returns the last label if `text` is `*( label "." ) label [ "." ]`.
///
/// `label = alphanum | alphanum *( alphanum | "-" ) alphanum`.
pub(crate) fn labels(text: &[u8]) -> Option<&[u8]> {
    looked_at(text.len());
    let text = text.strip_suffix(b".").unwrap_or(text);
    let (mut last, mut before) = (0, b'.');
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b'.' if matches!(before, b'.' | b'-') => return None,
            b'.' => last = at + 1,
            b'-' if before == b'.' => return None,
            b'-' => {}
            _ if Class::RFC2396_ALPHANUM.contains(byte) => {}
            _ => return None,
        }
        before = byte;
    }
    (!matches!(before, b'.' | b'-')).then(|| &text[last..])
}

/// `URI-reference = [ absoluteURI | relativeURI ] [ "#" fragment ]`.
#[inline]
pub(crate) fn uri_reference<D: Dialect>(record: &[u8], components: &mut Components) -> Result<(), Error> {
    reference::<D>(record, components).map_err(|error| error.with_detail(D::DETAIL))
}

#[inline(always)]
fn reference<D: Dialect>(record: &[u8], components: &mut Components) -> Result<(), Error> {
    let Some(colon) = scheme(record) else { return relative_uri::<D>(record, components) };
    components.scheme_end = colon as u32;
    let at = colon + 1;
    match record.get(at) {
        None | Some(b'#') => Err(Error::at(record, at, ErrorKind::EmptySchemeSpecificPart, None)),
        Some(b'/') => {
            let path = authority_after::<D>(record, at, components)?;
            path_and_rest::<D>(record, path, path, components)
        }
        Some(_) => opaque_part::<D>(record, at, components),
    }
}

/// `relativeURI = ( net_path | abs_path | rel_path ) [ "?" query ]`.
fn relative_uri<D: Dialect>(record: &[u8], components: &mut Components) -> Result<(), Error> {
    let path = authority_after::<D>(record, 0, components)?;
    let mut at = path;
    // The path after an authority never starts the record, even if the record's first byte has changed.
    if path == 0 && !matches!(record.first(), Some(b'/')) {
        // rel_path = rel_segment [ abs_path ]
        at = run::<D::Repertoire>(record, 0, Class::RFC2396_REL_SEGMENT)
            .map_err(|fault| in_first_segment(record, fault))?;
        if !matches!(record.get(at), None | Some(b'/' | b'?' | b'#')) {
            return Err(in_first_segment(record, RunError::by_byte(record, at)));
        }
    }
    path_and_rest::<D>(record, path, at, components)
}

/// `opaque_part = uric_no_slash *uric`, and a fragment.
fn opaque_part<D: Dialect>(record: &[u8], at: usize, components: &mut Components) -> Result<(), Error> {
    components.form = RecordForm::Opaque;
    let starts_well = D::OPAQUE_START.contains(record[at]) || !Class::RFC2396_URIC.contains(record[at]);
    let end = if starts_well {
        run::<D::Repertoire>(record, at, Class::RFC2396_URIC).map_err(|fault| fault.within(record, None))?
    } else {
        at
    };
    components.path_start = end as u32;
    components.path_end = end as u32;
    components.query_end = end as u32;
    match record.get(end) {
        None => Ok(()),
        Some(b'#') => fragment::<D::Repertoire>(record, end + 1, Class::RFC2396_URIC),
        Some(_) => Err(RunError::by_byte(record, end).within(record, None)),
    }
}

/// Reads `"//" authority` if it starts at `at`. Returns the start of the path.
fn authority_after<D: Dialect>(
    record: &[u8],
    at: usize,
    components: &mut Components,
) -> Result<usize, Error> {
    if !record[at..].starts_with(b"//") {
        return Ok(at);
    }
    let start = at + 2;
    match record.get(start) {
        Some(b'/' | b'?' | b'#') if !D::EMPTY_AUTHORITY => Ok(start),
        None if !D::EMPTY_AUTHORITY => {
            Err(Error::at(record, start, ErrorKind::InvalidAuthority, Some(Component::Authority)))
        }
        _ => {
            components.authority_start = start as u32;
            authority::<D>(record, start, components)
        }
    }
}

/// `authority = server | reg_name`, up to the first of `/?#`. Returns its end.
fn authority<D: Dialect>(record: &[u8], start: usize, components: &mut Components) -> Result<usize, Error> {
    let fail = |fault: RunError| fault.within(record, Component::Authority);
    let end = run::<D::Repertoire>(record, start, Class::RFC2396_REG_NAME).map_err(fail)?;
    match record.get(end) {
        None | Some(b'/' | b'?' | b'#') => {
            server::<D>(record, start, end, components);
            Ok(end)
        }
        // userinfo = *( unreserved | escaped | ";" | ":" | "&" | "=" | "+" | "$" | "," ): a reg_name without
        // "@".
        Some(b'[') if end == start || memchr(b'@', &record[start..end]) == Some(end - 1 - start) => {
            ipv6_server::<D>(record, end, components)
        }
        Some(_) => Err(fail(RunError::by_byte(record, end))),
    }
}

/// `server = [ [ userinfo "@" ] hostport ]` if all of `start..end` matches it. Otherwise the authority is
/// registry-based.
fn server<D: Dialect>(record: &[u8], start: usize, end: usize, components: &mut Components) {
    // Authorities are short: calling a search function would take longer than this loop.
    let find = |from: usize, delimiter: u8| {
        position(&record[from..end], |&byte| byte == delimiter).map(|at| from + at)
    };
    let host_start = find(start, b'@').map_or(start, |at| at + 1);
    let host_end = find(host_start, b':').unwrap_or(end);
    let port = record.get(host_end + 1..end).unwrap_or_default();
    if skip(port, 0, Class::DIGIT) != port.len() || overflow::<D>(port).is_some() {
        return;
    }
    if let Some((kind, address)) = D::host(&record[host_start..host_end]) {
        components.host_start = host_start as u32;
        components.host_end = host_end as u32;
        components.host_kind = Some(kind);
        components.address = address.map(IpAddr::V4);
        components.ignores_empty_port = !D::EMPTY_PORT;
    }
}

/// A server whose host is an `IPv6reference` in brackets at `start`. Returns the authority's end.
fn ipv6_server<D: Dialect>(record: &[u8], start: usize, components: &mut Components) -> Result<usize, Error> {
    let fail = |offset, kind, component| Err(Error::at(record, offset, kind, Some(component)));
    let host_end = bracketed(record, start, D::BRACKETS, components)?;
    components.ignores_empty_port = !D::EMPTY_PORT;
    match record.get(host_end) {
        None | Some(b'/' | b'?' | b'#') => return Ok(host_end),
        Some(b':') => {}
        Some(_) => {
            return fail(host_end, ErrorKind::InvalidAuthority, Component::Authority)
                .map_err(|error: Error| error.with_detail(Detail::AfterBrackets));
        }
    }
    let port = host_end + 1;
    let end = skip(record, port, Class::DIGIT);
    if let Some(digit) = overflow::<D>(&record[port..end]) {
        return fail(port + digit, ErrorKind::InvalidPort, Component::Port);
    }
    match record.get(end) {
        None | Some(b'/' | b'?' | b'#') => Ok(end),
        Some(_) => fail(end, ErrorKind::InvalidPort, Component::Port),
    }
}

/// Returns the index of the digit that makes a port too large.
fn overflow<D: Dialect>(digits: &[u8]) -> Option<usize> {
    let max = D::MAX_PORT?;
    let mut value = 0u32;
    digits.iter().position(|digit| {
        match value.checked_mul(10).and_then(|tens| tens.checked_add(u32::from(digit.wrapping_sub(b'0')))) {
            Some(next) if next <= max => {
                value = next;
                false
            }
            _ => true,
        }
    })
}

/// Ends the path, which starts at `path` and has been read up to `at`, and reads
/// `[ "?" query ] [ "#" fragment ]`.
fn path_and_rest<D: Dialect>(
    record: &[u8],
    path: usize,
    at: usize,
    components: &mut Components,
) -> Result<(), Error> {
    components.path_start = path as u32;
    let end = run::<D::Repertoire>(record, at, Class::RFC2396_PATH)
        .map_err(|fault| fault.within(record, Component::Path))?;
    components.path_end = end as u32;
    let query_end = match record.get(end) {
        None => return Ok(()),
        Some(b'?') => run::<D::Repertoire>(record, end + 1, Class::RFC2396_URIC)
            .map_err(|fault| fault.within(record, Component::Query))?,
        Some(b'#') => end,
        Some(_) => return Err(RunError::by_byte(record, end).within(record, Component::Path)),
    };
    components.query_end = query_end as u32;
    match record.get(query_end) {
        None => Ok(()),
        Some(b'#') => fragment::<D::Repertoire>(record, query_end + 1, Class::RFC2396_URIC),
        Some(_) => Err(RunError::by_byte(record, query_end).within(record, Component::Query)),
    }
}
