//! The grammars, and one exact scalar parser for each: these alone decide what is valid, and make the errors.
//!
//! | module | parses |
//! |---|---|
//! | [`rfc3986`] | `uri`, `uri-reference`, `absolute-uri`, `relative-ref`; generic over the repertoire of characters |
//! | [`rfc3987`] | that repertoire for `iri` and `iri-reference` |
//! | [`rfc2396`] | `rfc2396`; generic over the points where `java` differs |
//! | [`java`] | those points |
//! | [`request_target`] | `request-target` |
//! | [`ip`] | IPv4 and IPv6 addresses, IPvFuture |
//! | [`scheme`] | the scheme, and what is wrong where it is missing |
//! | [`run`] | runs of characters and escapes, which all of them are made of |
//! | [`utf8`] | characters beyond ASCII |

mod ip;
mod java;
mod request_target;
mod rfc2396;
mod rfc3986;
mod rfc3987;
mod run;
mod scheme;
mod utf8;

use crate::components::{ABSENT, Components, HostKind};
use crate::error::{Error, named_enum};
use java::Java;
use rfc2396::Rfc2396;
use rfc3987::Ucs;
use run::Ascii;

named_enum! {
    /// What a record is judged by.
    #[non_exhaustive]
    Grammar {
        /// RFC 3986 `URI`: a scheme, and all that may follow it.
        Uri = "uri",
        /// RFC 3986 `URI-reference`: a URI or a relative reference.
        UriReference = "uri-reference",
        /// RFC 3986 `absolute-URI`: a URI without fragment.
        AbsoluteUri = "absolute-uri",
        /// RFC 3986 `relative-ref`.
        RelativeRef = "relative-ref",
        /// RFC 2396 `URI-reference` as amended by RFC 2732.
        Rfc2396 = "rfc2396",
        /// What `new java.net.URI(String)` of JDK 17 accepts.
        Java = "java",
        /// RFC 3987 `IRI`, over UTF-8.
        Iri = "iri",
        /// RFC 3987 `IRI-reference`, over UTF-8.
        IriReference = "iri-reference",
        /// RFC 9112 section 3.2 `request-target`.
        RequestTarget = "request-target",
    }
}

/// Judges one record; `zone_ids` has a meaning for the RFC 3986 grammars only.
pub(crate) fn parse(grammar: Grammar, zone_ids: bool, record: &[u8]) -> Result<Components, Error> {
    if record.len() >= ABSENT as usize {
        return Err(Error::record_too_long(record, ABSENT as usize - 1));
    }
    let result = match grammar {
        Grammar::Uri => rfc3986::uri::<Ascii>(record, zone_ids),
        Grammar::UriReference => rfc3986::uri_reference::<Ascii>(record, zone_ids),
        Grammar::AbsoluteUri => rfc3986::absolute_uri::<Ascii>(record, zone_ids),
        Grammar::RelativeRef => rfc3986::relative_ref::<Ascii>(record, zone_ids),
        Grammar::Rfc2396 => rfc2396::uri_reference::<Rfc2396>(record),
        Grammar::Java => rfc2396::uri_reference::<Java>(record),
        Grammar::Iri => rfc3986::uri::<Ucs>(record, false),
        Grammar::IriReference => rfc3986::uri_reference::<Ucs>(record, false),
        Grammar::RequestTarget => request_target::request_target(record),
    };
    debug_assert!(result.is_err() || result.is_ok_and(|components| components.is_consistent()));
    result
}

/// The kind of hosts that are no addresses.
pub(crate) fn plain_host_kind(grammar: Grammar) -> HostKind {
    match grammar {
        Grammar::Rfc2396 | Grammar::Java => HostKind::Hostname,
        _ => HostKind::RegName,
    }
}

/// The kind of a host of a valid record, for those who count many.
#[cfg(feature = "std")]
pub(crate) fn host_kind(grammar: Grammar, host: &[u8]) -> HostKind {
    use rfc2396::Dialect;

    let name = || match grammar {
        Grammar::Java => Java::host(host).map(|(kind, _)| kind),
        Grammar::Rfc2396 => Rfc2396::host(host).map(|(kind, _)| kind),
        _ => ip::ipv4_address(host).map(|_| HostKind::Ipv4),
    };
    match host {
        [b'[', b'v' | b'V', ..] => HostKind::IpvFuture,
        [b'[', ..] => HostKind::Ipv6,
        _ => name().unwrap_or_else(|| plain_host_kind(grammar)),
    }
}
