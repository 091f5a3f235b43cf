//! RFC 3986 appendix A, read from left to right. With the repertoire [`Ucs`](super::rfc3987::Ucs), also RFC 3987.
//!
//! The parsers do not depend on the scheme, and decode and normalise nothing.

use core::net::{IpAddr, Ipv4Addr};

use super::ip::{self, Brackets, Octets, Zone};
use super::run::{Repertoire, RunError, fragment, run, run_query, skip};
use super::scheme::{in_first_segment, no_scheme, scheme};
use crate::charset::Class;
use crate::components::{Components, HostKind};
use crate::error::{Component, Detail, Error, ErrorKind};
use crate::work::{memchr, position};

/// Returns the brackets of RFC 3986 section 3.2.2, with zone identifiers of RFC 6874 if `zone_ids` is set.
pub(crate) const fn brackets(zone_ids: bool) -> Brackets {
    let zone = if zone_ids { Zone::Rfc6874 } else { Zone::None };
    Brackets { octets: Octets::NoLeadingZeros, zone, future: true }
}

/// `URI = scheme ":" hier-part [ "?" query ] [ "#" fragment ]`.
pub(crate) fn uri<R: Repertoire>(
    record: &[u8],
    zone_ids: bool,
    components: &mut Components,
) -> Result<(), Error> {
    match scheme(record) {
        Some(colon) => after_scheme::<R>(record, colon, zone_ids, components),
        None => Err(no_scheme(record)),
    }
}

/// `absolute-URI = scheme ":" hier-part [ "?" query ]`.
pub(crate) fn absolute_uri<R: Repertoire>(
    record: &[u8],
    zone_ids: bool,
    components: &mut Components,
) -> Result<(), Error> {
    match scheme(record) {
        Some(colon) => absolute_after_scheme::<R>(record, colon, zone_ids, components),
        None => Err(no_scheme(record)),
    }
}

/// Works as [`absolute_uri`], for a record whose scheme ends at `colon`.
pub(crate) fn absolute_after_scheme<R: Repertoire>(
    record: &[u8],
    colon: usize,
    zone_ids: bool,
    components: &mut Components,
) -> Result<(), Error> {
    let hash = match after_scheme::<R>(record, colon, zone_ids, components) {
        Ok(()) if components.query_end == components.end => return Ok(()),
        Ok(()) => components.query_end as usize,
        // The `#` of the fragment comes before any fault in it.
        Err(error) if error.component() == Some(Component::Fragment) => {
            memchr(b'#', record).unwrap_or(error.offset())
        }
        Err(error) => return Err(error),
    };
    Err(Error::at(record, hash, ErrorKind::InvalidCharacter, Some(Component::Fragment)))
}

/// `URI-reference = URI / relative-ref`.
pub(crate) fn uri_reference<R: Repertoire>(
    record: &[u8],
    zone_ids: bool,
    components: &mut Components,
) -> Result<(), Error> {
    match scheme(record) {
        Some(colon) => after_scheme::<R>(record, colon, zone_ids, components),
        None => relative::<R>(record, zone_ids, in_first_segment, components),
    }
}

/// `relative-ref = relative-part [ "?" query ] [ "#" fragment ]`.
pub(crate) fn relative_ref<R: Repertoire>(
    record: &[u8],
    zone_ids: bool,
    components: &mut Components,
) -> Result<(), Error> {
    let in_first_segment = |record: &[u8], fault: RunError| {
        let kind = match record.get(fault.offset) {
            Some(b':') if fault.kind == ErrorKind::InvalidCharacter => ErrorKind::ColonInFirstSegment,
            _ => fault.kind,
        };
        RunError { kind, ..fault }.within(record, Component::Path)
    };
    relative::<R>(record, zone_ids, in_first_segment, components)
}

/// `hier-part = "//" authority path-abempty / path-absolute / path-rootless / path-empty`, and the rest of
/// the record.
#[inline(always)]
fn after_scheme<R: Repertoire>(
    record: &[u8],
    colon: usize,
    zone_ids: bool,
    components: &mut Components,
) -> Result<(), Error> {
    components.scheme_end = colon as u32;
    let at = authority_after::<R>(record, colon + 1, zone_ids, components)?;
    path_and_rest::<R>(record, at, at, components)
}

/// `relative-part = "//" authority path-abempty / path-absolute / path-noscheme / path-empty`, and the rest
/// of the record.
#[inline(always)]
fn relative<R: Repertoire>(
    record: &[u8],
    zone_ids: bool,
    in_first_segment: fn(&[u8], RunError) -> Error,
    components: &mut Components,
) -> Result<(), Error> {
    let path = authority_after::<R>(record, 0, zone_ids, components)?;
    let mut at = path;
    // The path after an authority never starts the record, even if the record's first byte has changed.
    if path == 0 && !matches!(record.first(), Some(b'/')) {
        // path-noscheme = segment-nz-nc *( "/" segment )
        at = run::<R>(record, 0, Class::SEGMENT_NZ_NC).map_err(|fault| in_first_segment(record, fault))?;
        if !matches!(record.get(at), None | Some(b'/' | b'?' | b'#')) {
            return Err(in_first_segment(record, RunError::by_byte(record, at)));
        }
    }
    path_and_rest::<R>(record, path, at, components)
}

/// Reads `"//" authority` if it starts at `at`. Returns the start of the path.
#[inline(always)]
fn authority_after<R: Repertoire>(
    record: &[u8],
    at: usize,
    zone_ids: bool,
    components: &mut Components,
) -> Result<usize, Error> {
    if record[at..].starts_with(b"//") {
        authority::<R>(record, at + 2, brackets(zone_ids), components)
    } else {
        Ok(at)
    }
}

/// Ends the path, which starts at `path` and has been read up to `at`, and reads
/// `[ "?" query ] [ "#" fragment ]`.
#[inline(always)]
fn path_and_rest<R: Repertoire>(
    record: &[u8],
    path: usize,
    at: usize,
    components: &mut Components,
) -> Result<(), Error> {
    components.path_start = path as u32;
    let end = run::<R>(record, at, Class::PATH).map_err(|fault| fault.within(record, Component::Path))?;
    components.path_end = end as u32;
    let query_end = match record.get(end) {
        None => return Ok(()),
        Some(b'?') => run_query::<R>(record, end + 1, Class::QUERY)
            .map_err(|fault| fault.within(record, Component::Query))?,
        Some(b'#') => end,
        Some(_) => return Err(RunError::by_byte(record, end).within(record, Component::Path)),
    };
    components.query_end = query_end as u32;
    match record.get(query_end) {
        None => Ok(()),
        Some(b'#') => fragment::<R>(record, query_end + 1, Class::QUERY),
        Some(_) => Err(RunError::by_byte(record, query_end).within(record, Component::Query)),
    }
}

/// `authority = [ userinfo "@" ] host [ ":" port ]`, which ends at the first of `/?#`. Returns its end.
///
/// Most authorities are only a host, which is read where the function is called.
#[inline(always)]
fn authority<R: Repertoire>(
    record: &[u8],
    start: usize,
    brackets: Brackets,
    components: &mut Components,
) -> Result<usize, Error> {
    components.authority_start = start as u32;
    let end = skip(record, start, Class::REG_NAME);
    match record.get(end) {
        None | Some(b'/' | b'?' | b'#') => {
            name(record, start, end, components);
            Ok(end)
        }
        Some(b'[') if end == start => host_and_port::<R>(record, start, brackets, components),
        Some(_) => longer_authority::<R>(record, start, end, brackets, components),
    }
}

/// Reads an authority that is not only a host. It starts at `start`, and its characters up to `at` are those
/// of a reg-name.
///
/// Up to the first `@` or `:`, userinfo and reg-name have the same characters. After a `:`, only a search for
/// an `@` distinguishes a password from a port.
fn longer_authority<R: Repertoire>(
    record: &[u8],
    start: usize,
    at: usize,
    brackets: Brackets,
    components: &mut Components,
) -> Result<usize, Error> {
    let fail = |fault: RunError| {
        let component =
            if has_userinfo(record, fault.offset) { Component::Userinfo } else { Component::Host };
        fault.within(record, component)
    };
    let end = run::<R>(record, at, Class::REG_NAME).map_err(fail)?;
    match record.get(end) {
        None | Some(b'/' | b'?' | b'#') => {
            name(record, start, end, components);
            Ok(end)
        }
        Some(b'@') => host_and_port::<R>(record, end + 1, brackets, components),
        Some(b':') if has_userinfo(record, end) => {
            let fail = |fault: RunError| fault.within(record, Component::Userinfo);
            let end = run::<R>(record, end, Class::USERINFO).map_err(fail)?;
            match record.get(end) {
                Some(b'@') => host_and_port::<R>(record, end + 1, brackets, components),
                _ => Err(fail(RunError::by_byte(record, end))),
            }
        }
        Some(b':') => {
            name(record, start, end, components);
            port(record, end + 1)
        }
        Some(_) => Err(fail(RunError::by_byte(record, end))),
    }
}

/// Returns true if an `@` comes after `at` and before the authority's end.
fn has_userinfo(record: &[u8], at: usize) -> bool {
    let rest = &record[at..];
    position(rest, |byte| matches!(byte, b'@' | b'/' | b'?' | b'#')).is_some_and(|at| rest[at] == b'@')
}

/// `host [ ":" port ]`, `host = IP-literal / IPv4address / reg-name`. Returns the authority's end.
fn host_and_port<R: Repertoire>(
    record: &[u8],
    start: usize,
    brackets: Brackets,
    components: &mut Components,
) -> Result<usize, Error> {
    if record.get(start) == Some(&b'[') {
        let end = bracketed(record, start, brackets, components)?;
        return match record.get(end) {
            None | Some(b'/' | b'?' | b'#') => Ok(end),
            Some(b':') => port(record, end + 1),
            Some(_) => Err(Error::at(record, end, ErrorKind::InvalidAuthority, Some(Component::Authority))
                .with_detail(Detail::AfterBrackets)),
        };
    }
    let end =
        run::<R>(record, start, Class::REG_NAME).map_err(|fault| fault.within(record, Component::Host))?;
    name(record, start, end, components);
    match record.get(end) {
        None | Some(b'/' | b'?' | b'#') => Ok(end),
        Some(b':') => port(record, end + 1),
        Some(b'@') => Err(Error::at(record, end, ErrorKind::InvalidAuthority, Some(Component::Authority))),
        Some(_) => Err(RunError::by_byte(record, end).within(record, Component::Host)),
    }
}

/// Reads an IP literal as host. Returns its end.
pub(crate) fn bracketed(
    record: &[u8],
    start: usize,
    brackets: Brackets,
    components: &mut Components,
) -> Result<usize, Error> {
    let literal = ip::ip_literal(record, start, brackets, &mut components.address);
    let (end, kind) = literal.map_err(|offset| {
        let error = Error::at(record, offset, ErrorKind::InvalidIpLiteral, Some(Component::Host));
        error.with_detail(literal_hint(record, start, offset, brackets))
    })?;
    components.host_start = start as u32;
    components.host_end = end as u32;
    components.host_kind = Some(kind);
    Ok(end)
}

/// Returns the reason why the brackets from `start` on hold no address. `offset` is the first byte that
/// cannot be there.
#[cold]
fn literal_hint(record: &[u8], start: usize, offset: usize, brackets: Brackets) -> Detail {
    let rest = &record[start + 1..];
    let inside =
        &rest[..position(rest, |byte| matches!(byte, b']' | b'/' | b'?' | b'#')).unwrap_or(rest.len())];
    match record.get(offset) {
        None | Some(b'/' | b'?' | b'#') => Detail::NoClosingBracket,
        Some(b'%') if brackets.zone == Zone::None && ip::is_ipv6(&record[start + 1..offset]) => {
            Detail::ZoneId
        }
        _ if ip::whole_quad(inside, Octets::UpToThreeDigits).is_some() => Detail::Ipv4InBrackets,
        _ => Detail::None,
    }
}

/// `IPv4address / reg-name`: the first of these that covers the whole host.
#[inline(always)]
pub(crate) fn name(record: &[u8], start: usize, end: usize, components: &mut Components) {
    components.host_start = start as u32;
    components.host_end = end as u32;
    let (kind, address) = host(&record[start..end]);
    components.host_kind = Some(kind);
    components.address = address.map(IpAddr::V4);
}

/// Returns the kind of a host without brackets.
#[inline(always)]
pub(crate) fn host(text: &[u8]) -> (HostKind, Option<Ipv4Addr>) {
    let quad = ip::may_be_address(text).then(|| ip::whole_quad(text, Octets::NoLeadingZeros));
    match quad.flatten() {
        Some(quad) => (HostKind::Ipv4, Some(quad)),
        None => (HostKind::RegName, None),
    }
}

/// `port = *DIGIT`, up to the authority's end. Returns that end.
fn port(record: &[u8], start: usize) -> Result<usize, Error> {
    let end = skip(record, start, Class::DIGIT);
    match record.get(end) {
        None | Some(b'/' | b'?' | b'#') => Ok(end),
        Some(_) => Err(Error::at(record, end, ErrorKind::InvalidPort, Some(Component::Port))),
    }
}
