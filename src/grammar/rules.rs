//! The grammars, and their differences, except for those that only their parsers know.

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
use crate::error::{Error, named_enum};

named_enum! {
    /// The rules for a record.
    #[non_exhaustive]
    Grammar {
        /// RFC 3986 `URI`: a scheme, and all that may follow it.
        Uri = "uri" or "rfc3986",
        /// RFC 3986 `URI-reference`: a URI or a relative reference.
        UriReference = "uri-reference",
        /// RFC 3986 `absolute-URI`: a URI without fragment.
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

/// Whether records have a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SchemeRule {
    Required,
    Optional,
    Forbidden,
}

/// The differences between grammars, except for the details that only their parsers know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    /// One line for people.
    summary: &'static str,
    /// The name of a record, in the singular.
    noun: &'static str,
    /// Whether most records have a scheme. (Some request targets have one; their parser knows.)
    pub(crate) scheme: SchemeRule,
    /// Whether `//` starts an authority.
    pub(crate) authority: bool,
    /// Whether a record may have a fragment.
    pub(crate) fragment: bool,
    /// RFC 2396: a record without `/` after the scheme is opaque, and an authority may be a registry's.
    pub(crate) opaque: bool,
    /// Whether an empty port, `//h:/`, is no port.
    ignores_empty_port: bool,
    /// Whether an option allows RFC 6874 zone identifiers.
    zone_ids: bool,
    /// Whether some characters beyond ASCII may stand unescaped.
    beyond_ascii: bool,
    /// The kind of a host that is no address.
    plain_host: HostKind,
}

impl Grammar {
    /// The facts about this grammar.
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
            plain_host: HostKind::RegName,
        };
        let rfc3987 = Facts { zone_ids: false, beyond_ascii: true, ..rfc3986 };
        let rfc2396 = Facts {
            scheme: SchemeRule::Optional,
            opaque: true,
            zone_ids: false,
            plain_host: HostKind::Hostname,
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

    /// The strings that the grammar accepts, in a line.
    pub const fn summary(self) -> &'static str {
        self.facts().summary
    }

    /// The name of a record, in the singular: `URI`, `IRI reference`.
    pub const fn noun(self) -> &'static str {
        self.facts().noun
    }

    /// Whether some records are opaque, and some authorities a registry's: under RFC 2396.
    pub const fn has_opaque(self) -> bool {
        self.facts().opaque
    }

    /// Whether an option allows RFC 6874 zone identifiers.
    pub const fn has_zone_ids(self) -> bool {
        self.facts().zone_ids
    }

    /// Whether each record has a scheme.
    pub const fn needs_scheme(self) -> bool {
        matches!(self.facts().scheme, SchemeRule::Required)
    }

    /// Whether some characters beyond ASCII may stand unescaped.
    pub const fn allows_beyond_ascii(self) -> bool {
        self.facts().beyond_ascii
    }

    /// The kind of a host that is no address.
    pub const fn plain_host_kind(self) -> HostKind {
        self.facts().plain_host
    }
}

/// A grammar with its options: all that a record is judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rules {
    grammar: Grammar,
    zone_ids: bool,
}

impl Rules {
    /// The grammar without options.
    pub(crate) const fn new(grammar: Grammar) -> Self {
        Rules { grammar, zone_ids: false }
    }

    /// With zone identifiers, if the grammar can have them.
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

    /// Whether one record is valid.
    pub(crate) fn is_valid(self, record: &[u8]) -> bool {
        self.parse_into(record, &mut Components::none(0)).is_ok()
    }

    /// Judges one record, and says where the components of a valid one lie; of an invalid one they mean nothing.
    ///
    /// This is quicker than to return them: a processor stalls if it reads as a whole the parts that it has just written.
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

    /// The kind of a valid record's host, and the address that it spells.
    pub(crate) fn host(self, host: &[u8]) -> (HostKind, Option<IpAddr>) {
        let plain = (self.grammar.plain_host_kind(), None);
        if !ip::may_be_address(host) {
            return plain;
        }
        if host[0] == b'[' {
            let mut address = None;
            let literal = ip::ip_literal(host, 0, self.brackets(), &mut address);
            return literal.map_or(plain, |(_, kind)| (kind, address));
        }
        let of_name = match self.grammar {
            Grammar::Java => Java::host(host),
            Grammar::Rfc2396 => Rfc2396::host(host),
            _ => Some(rfc3986::host(host)),
        };
        of_name.map_or(plain, |(kind, address)| (kind, address.map(IpAddr::V4)))
    }

    /// The kind of a valid record's host, without the address: in brackets the first byte decides.
    #[cfg(any(feature = "reader", feature = "arrow"))]
    pub(crate) fn host_kind(self, host: &[u8]) -> HostKind {
        match host {
            [b'[', b'v' | b'V', ..] => HostKind::IpvFuture,
            [b'[', ..] => HostKind::Ipv6,
            _ => self.host(host).0,
        }
    }

    /// The contents that brackets may have.
    const fn brackets(self) -> Brackets {
        match self.grammar {
            Grammar::Java => Java::BRACKETS,
            Grammar::Rfc2396 => Rfc2396::BRACKETS,
            _ => rfc3986::brackets(self.zone_ids),
        }
    }
}
