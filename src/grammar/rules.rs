//! The grammars, and their differences, except those that only their parsers know.

use core::net::IpAddr;

use super::ip::{self, Brackets};
use super::java::Java;
use super::request_target;
use super::rfc2396::{self, Dialect, Rfc2396};
use super::rfc3986;
use super::rfc3987::Ucs;
use super::run::Ascii;
use crate::column::ABSENT;
use crate::components::{Components, HostKind};
use crate::error::Error;
use crate::names::named_enum;

named_enum! {
    /// The rules for a record.
    #[non_exhaustive]
    Grammar {
        /// RFC 3986 `URI`: a scheme, and all that may follow it.
        Uri = "uri" or "rfc3986",
        /// RFC 3986 `URI-reference`: a URI or a relative reference.
        UriReference = "uri-reference",
        /// RFC 3986 `absolute-URI`: a URI without a fragment.
        AbsoluteUri = "absolute-uri",
        /// RFC 3986 `relative-ref`.
        RelativeRef = "relative-ref",
        /// RFC 2396 `URI-reference` as amended by RFC 2732.
        Rfc2396 = "rfc2396",
        /// The strings that `new java.net.URI(String)` of JDK 17 accepts.
        Java = "java",
        /// RFC 3987 `IRI`, over UTF-8.
        Iri = "iri" or "rfc3987",
        /// RFC 3987 `IRI-reference`, over UTF-8.
        IriReference = "iri-reference",
        /// RFC 9112 section 3.2 `request-target`.
        RequestTarget = "request-target",
    }
}

/// The need for a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SchemeRule {
    Required,
    Optional,
    Forbidden,
}

/// The differences between grammars, except the details that only their parsers know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    /// The strings that the grammar accepts, in one line for users.
    summary: &'static str,
    /// The name of a record, in the singular.
    noun: &'static str,
    /// The need for a scheme. (Some request targets have one; their parser knows.)
    pub(crate) scheme: SchemeRule,
    /// True if `//` starts an authority.
    pub(crate) authority: bool,
    /// True if a record may have a fragment.
    pub(crate) fragment: bool,
    /// True for RFC 2396: a record without `/` after the scheme is opaque, and an authority may be
    /// registry-based.
    pub(crate) opaque: bool,
    /// True if the empty port in `//h:/` counts as no port.
    ignores_empty_port: bool,
    /// True if an option allows RFC 6874 zone identifiers.
    zone_ids: bool,
    /// True if some characters beyond ASCII are allowed unescaped.
    beyond_ascii: bool,
    /// The kind of a host that is not an address.
    default_host: HostKind,
}

impl Grammar {
    /// Returns the facts about this grammar.
    pub(crate) const fn facts(self) -> Facts {
        let rfc3986 = Facts {
            summary: "",
            noun: "URI",
            scheme: SchemeRule::Required,
            authority: true,
            fragment: true,
            opaque: false,
            ignores_empty_port: false,
            zone_ids: true,
            beyond_ascii: false,
            default_host: HostKind::RegName,
        };
        let rfc3987 = Facts { zone_ids: false, beyond_ascii: true, ..rfc3986 };
        let rfc2396 = Facts {
            scheme: SchemeRule::Optional,
            opaque: true,
            zone_ids: false,
            default_host: HostKind::Hostname,
            ..rfc3986
        };
        match self {
            Grammar::Uri => {
                Facts { summary: "RFC 3986 URI: a scheme, and all that may follow it", ..rfc3986 }
            }
            Grammar::UriReference => Facts {
                summary: "RFC 3986 URI-reference: a URI or a relative reference",
                noun: "URI reference",
                scheme: SchemeRule::Optional,
                ..rfc3986
            },
            Grammar::AbsoluteUri => {
                Facts { summary: "RFC 3986 absolute-URI: a URI without fragment", fragment: false, ..rfc3986 }
            }
            Grammar::RelativeRef => Facts {
                summary: "RFC 3986 relative-ref: no scheme",
                noun: "relative reference",
                scheme: SchemeRule::Forbidden,
                ..rfc3986
            },
            Grammar::Rfc2396 => Facts {
                summary: "RFC 2396 URI-reference, with the IPv6 addresses of RFC 2732",
                ignores_empty_port: !Rfc2396::EMPTY_PORT,
                ..rfc2396
            },
            Grammar::Java => Facts {
                summary: "what java.net.URI(String) accepts",
                ignores_empty_port: !Java::EMPTY_PORT,
                beyond_ascii: true,
                ..rfc2396
            },
            Grammar::Iri => Facts { summary: "RFC 3987 IRI, in UTF-8", noun: "IRI", ..rfc3987 },
            Grammar::IriReference => Facts {
                summary: "RFC 3987 IRI-reference, in UTF-8",
                noun: "IRI reference",
                scheme: SchemeRule::Optional,
                ..rfc3987
            },
            Grammar::RequestTarget => Facts {
                summary: "RFC 9112 request-target of an HTTP request",
                noun: "request target",
                scheme: SchemeRule::Forbidden,
                authority: false,
                fragment: false,
                zone_ids: false,
                ..rfc3986
            },
        }
    }

    /// Returns one line about the strings that the grammar accepts.
    pub const fn about(self) -> &'static str {
        self.facts().summary
    }

    /// Returns the name of a record, in the singular: `URI`, `IRI reference`.
    pub const fn noun(self) -> &'static str {
        self.facts().noun
    }

    /// Returns true if records can be opaque and authorities registry-based, as in RFC 2396.
    pub const fn has_opaque(self) -> bool {
        self.facts().opaque
    }

    /// Returns true if an option allows RFC 6874 zone identifiers.
    pub const fn has_zone_ids(self) -> bool {
        self.facts().zone_ids
    }

    /// Returns true if every record has a scheme.
    pub const fn needs_scheme(self) -> bool {
        matches!(self.facts().scheme, SchemeRule::Required)
    }

    /// Returns true if some characters beyond ASCII are allowed unescaped.
    pub const fn allows_beyond_ascii(self) -> bool {
        self.facts().beyond_ascii
    }

    /// Returns the kind of a host that is not an address.
    pub const fn default_host_kind(self) -> HostKind {
        self.facts().default_host
    }
}

/// A grammar with its options: all rules for a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rules {
    grammar: Grammar,
    zone_ids: bool,
}

impl Rules {
    /// Returns the grammar without options.
    pub(crate) const fn new(grammar: Grammar) -> Self {
        Rules { grammar, zone_ids: false }
    }

    /// Adds zone identifiers. Returns None if the grammar does not support them.
    pub(crate) const fn with_zone_ids(self) -> Option<Self> {
        if self.grammar.has_zone_ids() { Some(Rules { zone_ids: true, ..self }) } else { None }
    }

    pub(crate) const fn grammar(self) -> Grammar {
        self.grammar
    }

    pub(crate) const fn zone_ids(self) -> bool {
        self.zone_ids
    }

    pub(crate) const fn has_opaque(self) -> bool {
        self.grammar.has_opaque()
    }

    pub(crate) const fn ignores_empty_port(self) -> bool {
        self.grammar.facts().ignores_empty_port
    }

    /// Judges one record.
    pub(crate) fn parse(self, record: &[u8]) -> Result<Components, Error> {
        let mut components = Components::none(0);
        self.parse_into(record, &mut components).map(|()| components)
    }

    /// Returns true if the record is valid.
    pub(crate) fn is_valid(self, record: &[u8]) -> bool {
        self.parse_into(record, &mut Components::none(0)).is_ok()
    }

    /// Judges one record, and writes the places of its components. If the record is invalid, the components
    /// have no meaning.
    ///
    /// This is faster than returning them: a processor stalls if it reads as a whole a value that it has just
    /// written in parts.
    pub(crate) fn parse_into(self, record: &[u8], components: &mut Components) -> Result<(), Error> {
        if record.len() >= ABSENT as usize {
            return Err(Error::record_too_long(record, ABSENT as usize - 1));
        }
        *components = Components::none(record.len());
        let zone_ids = self.zone_ids;
        let result = match self.grammar {
            Grammar::Uri => rfc3986::uri::<Ascii>(record, zone_ids, components),
            Grammar::UriReference => rfc3986::uri_reference::<Ascii>(record, zone_ids, components),
            Grammar::AbsoluteUri => rfc3986::absolute_uri::<Ascii>(record, zone_ids, components),
            Grammar::RelativeRef => rfc3986::relative_ref::<Ascii>(record, zone_ids, components),
            Grammar::Rfc2396 => rfc2396::uri_reference::<Rfc2396>(record, components),
            Grammar::Java => rfc2396::uri_reference::<Java>(record, components),
            Grammar::Iri => rfc3986::uri::<Ucs>(record, false, components),
            Grammar::IriReference => rfc3986::uri_reference::<Ucs>(record, false, components),
            Grammar::RequestTarget => request_target::request_target(record, components),
        };
        debug_assert!(result.is_err() || components.is_consistent());
        result
    }

    /// Returns the kind of a valid record's host, and the address that it spells.
    pub(crate) fn host(self, host: &[u8]) -> (HostKind, Option<IpAddr>) {
        let by_default = (self.grammar.default_host_kind(), None);
        if !ip::may_be_address(host) {
            return by_default;
        }
        if host[0] == b'[' {
            let mut address = None;
            let literal = ip::ip_literal(host, 0, self.brackets(), &mut address);
            return literal.map_or(by_default, |(_, kind)| (kind, address));
        }
        let of_name = match self.grammar {
            Grammar::Java => Java::host(host),
            Grammar::Rfc2396 => Rfc2396::host(host),
            _ => Some(rfc3986::host(host)),
        };
        of_name.map_or(by_default, |(kind, address)| (kind, address.map(IpAddr::V4)))
    }

    /// Returns the kind of a valid record's host, without the address. The first byte in brackets decides.
    #[cfg(any(feature = "corpus", feature = "arrow"))]
    pub(crate) fn host_kind(self, host: &[u8]) -> HostKind {
        match host {
            [b'[', b'v' | b'V', ..] => HostKind::IpvFuture,
            [b'[', ..] => HostKind::Ipv6,
            _ => self.host(host).0,
        }
    }

    /// Returns the contents that the grammar allows in brackets.
    const fn brackets(self) -> Brackets {
        match self.grammar {
            Grammar::Java => Java::BRACKETS,
            Grammar::Rfc2396 => Rfc2396::BRACKETS,
            _ => rfc3986::brackets(self.zone_ids),
        }
    }
}
