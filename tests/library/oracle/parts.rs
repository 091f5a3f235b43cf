//! Finds the components of a valid record: cuts it in every way, and tests each part against its own rule.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::ops::Range;

use urivalidate::{AuthorityKind, Components, Grammar, HostKind};

use super::{Language, Oracle, PartRules};

type Span = Option<Range<usize>>;

/// The facts about a valid record.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parts {
    pub(crate) scheme: Span,
    pub(crate) authority: Span,
    pub(crate) authority_kind: Option<AuthorityKind>,
    pub(crate) server: Server,
    pub(crate) path: Span,
    pub(crate) query: Span,
    pub(crate) fragment: Span,
    pub(crate) scheme_specific_part: Range<usize>,
    pub(crate) is_opaque: bool,
}

/// The parts of an authority that names a server.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Server {
    pub(crate) userinfo: Span,
    pub(crate) host: Span,
    pub(crate) host_kind: Option<HostKind>,
    pub(crate) address: Option<IpAddr>,
    pub(crate) port: Span,
}

impl From<Components> for Parts {
    fn from(components: Components) -> Self {
        Parts {
            scheme: components.scheme(),
            authority: components.authority(),
            authority_kind: components.authority_kind(),
            server: Server {
                userinfo: components.userinfo(),
                host: components.host(),
                host_kind: components.host_kind(),
                address: components.address(),
                port: components.port(),
            },
            path: components.path(),
            query: components.query(),
            fragment: components.fragment(),
            scheme_specific_part: components.scheme_specific_part(),
            is_opaque: components.is_opaque(),
        }
    }
}

/// A record cut as RFC 3986 appendix B does: `^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?`.
pub(super) struct Cut {
    pub(super) scheme: Span,
    pub(super) authority: Span,
    pub(super) path: Range<usize>,
    pub(super) query: Span,
    pub(super) fragment: Span,
}

impl Cut {
    pub(super) fn new(record: &[u8]) -> Self {
        let find = |from: usize, delimiters: &[u8]| {
            let found = record[from..].iter().position(|byte| delimiters.contains(byte));
            found.map_or(record.len(), |offset| from + offset)
        };
        let mut at = 0;
        let delimiter = find(0, b":/?#");
        let scheme = (delimiter > 0 && record.get(delimiter) == Some(&b':')).then(|| {
            at = delimiter + 1;
            0..delimiter
        });
        let authority = record[at..].starts_with(b"//").then(|| {
            let start = at + 2;
            at = find(start, b"/?#");
            start..at
        });
        let path = at..find(at, b"?#");
        let hash = find(path.end, b"#");
        Cut {
            scheme,
            authority,
            query: (record.get(path.end) == Some(&b'?')).then(|| path.end + 1..hash),
            fragment: (hash < record.len()).then(|| hash + 1..record.len()),
            path,
        }
    }
}

impl Oracle {
    /// The components of a valid record.
    pub(crate) fn parts(&self, record: &[u8]) -> Parts {
        if self.grammar() == Grammar::RequestTarget
            && let Some(parts) = self.pathless(record)
        {
            return parts;
        }
        let rules = &self.rules;
        let is = |language: &Language, range: &Range<usize>| language.contains(&record[range.clone()]);
        let may_be = |language: &Language, span: &Span| span.as_ref().is_none_or(|range| is(language, range));

        let mut cut = Cut::new(record);
        if self.grammar() == Grammar::RequestTarget && record[0] == b'/' {
            // The text after the `//` of an origin-form is not an authority.
            cut.path.start = 0;
            cut.authority = None;
        }
        let Cut { scheme, authority, path, query, fragment } = cut;
        assert!(may_be(&rules.scheme, &scheme));
        assert!(may_be(&rules.fragment, &fragment));
        let rest = scheme.as_ref().map_or(0, |scheme| scheme.end + 1);
        let mut parts = Parts {
            scheme,
            authority: None,
            authority_kind: None,
            server: Server::default(),
            path: None,
            query: None,
            scheme_specific_part: rest..fragment.as_ref().map_or(record.len(), |fragment| fragment.start - 1),
            fragment,
            is_opaque: false,
        };

        if let Some(opaque_part) = &rules.opaque_part
            && parts.scheme.is_some()
            && record[rest] != b'/'
        {
            assert!(is(opaque_part, &parts.scheme_specific_part));
            return Parts { is_opaque: true, ..parts };
        }

        let path_rules = match (&authority, &parts.scheme) {
            (Some(_), _) => std::slice::from_ref(&rules.path_with_authority),
            (None, Some(_)) => &rules.path_with_scheme,
            (None, None) => &rules.path_alone,
        };
        let is_origin_form = self.grammar() == Grammar::RequestTarget && parts.scheme.is_none();
        let path_rules =
            if is_origin_form { std::slice::from_ref(&rules.path_with_authority) } else { path_rules };
        // In RFC 2396, a path that may be empty is an optional path.
        assert!(
            path_rules.iter().any(|language| is(language, &path)) || (self.is_rfc2396() && path.is_empty())
        );
        assert!(may_be(&rules.query, &query));
        parts.path = Some(path);
        parts.query = query;

        // java.net.URI has no empty authority.
        if let Some(authority) = authority
            && !(self.grammar() == Grammar::Java && authority.is_empty())
        {
            let server = rules.server(record, &authority);
            parts.authority_kind = Some(match &server {
                Some(_) => AuthorityKind::Server,
                None if self.is_rfc2396() && authority.is_empty() => AuthorityKind::Server,
                None => {
                    assert!(self.is_rfc2396() && is(&rules.reg_name, &authority));
                    AuthorityKind::Registry
                }
            });
            parts.server = server.unwrap_or_default();
            parts.authority = Some(authority);
            // java.net.URI has no empty port.
            if self.grammar() == Grammar::Java {
                parts.server.port = parts.server.port.take().filter(|port| !port.is_empty());
            }
        }
        parts
    }

    /// Returns the components of request-targets without a path: authority-form and asterisk-form.
    fn pathless(&self, record: &[u8]) -> Option<Parts> {
        let server = match record {
            [b'/', ..] => return None,
            b"*" => None,
            _ => {
                // The first form that fits, in this order: `h:1` is not an absolute-form.
                let server = self.rules.server(record, &(0..record.len()))?;
                let has = |span: &Span| span.as_ref().is_some_and(|range| !range.is_empty());
                if server.userinfo.is_some() || !has(&server.host) || !has(&server.port) {
                    return None;
                }
                Some(server)
            }
        };
        Some(Parts {
            scheme: None,
            authority: server.is_some().then_some(0..record.len()),
            authority_kind: server.is_some().then_some(AuthorityKind::Server),
            server: server.unwrap_or_default(),
            path: None,
            query: None,
            fragment: None,
            scheme_specific_part: 0..record.len(),
            is_opaque: false,
        })
    }
}

impl PartRules {
    /// Returns the only way to read an authority as `[userinfo@]host[:port]`, if it can be read so.
    fn server(&self, record: &[u8], authority: &Range<usize>) -> Option<Server> {
        let each = |delimiter| authority.clone().filter(move |&at| record[at] == delimiter);
        let mut found = None;
        for at in each(b'@').map(Some).chain([None]) {
            let userinfo = at.map(|at| authority.start..at);
            if userinfo.as_ref().is_some_and(|range| !self.userinfo.contains(&record[range.clone()])) {
                continue;
            }
            let start = at.map_or(authority.start, |at| at + 1);
            for colon in each(b':').filter(|&colon| colon >= start).map(Some).chain([None]) {
                let port = colon.map(|colon| colon + 1..authority.end);
                if port.as_ref().is_some_and(|range| !self.port.contains(&record[range.clone()])) {
                    continue;
                }
                let host = start..colon.unwrap_or(authority.end);
                if let Some((host_kind, address)) = self.host(&record[host.clone()]) {
                    let server = Server {
                        userinfo: userinfo.clone(),
                        host: Some(host),
                        host_kind: Some(host_kind),
                        address,
                        port,
                    };
                    assert_eq!(found.replace(server), None, "there are two ways to read the authority");
                }
            }
        }
        found
    }

    /// Returns the kind of a host, and the address that it spells.
    fn host(&self, host: &[u8]) -> Option<(HostKind, Option<IpAddr>)> {
        if let [b'[', literal @ .., b']'] = host {
            if self.ipv6.iter().any(|language| language.contains(literal)) {
                return Some((HostKind::Ipv6, Some(ipv6(literal).into())));
            }
            let future = self.ipvfuture.as_ref().is_some_and(|language| language.contains(literal));
            return future.then_some((HostKind::IpvFuture, None));
        }
        if self.ipv4.contains(host) {
            return Some((HostKind::Ipv4, ipv4(std::str::from_utf8(host).unwrap()).map(IpAddr::from)));
        }
        match &self.hostname {
            Some(hostname) => hostname.contains(host).then_some((HostKind::Hostname, None)),
            None => self.reg_name.contains(host).then_some((HostKind::RegName, None)),
        }
    }

    /// Returns true if a grammar of RFC 3986 allows this IP literal, which includes its brackets.
    pub(super) fn is_ip_literal(&self, host: &[u8]) -> bool {
        host.starts_with(b"[") && self.host(host).is_some()
    }
}

/// Returns the address of a dotted quad if no octet is over 255. Leading zeros are allowed.
fn ipv4(text: &str) -> Option<Ipv4Addr> {
    let octets: Option<Vec<u8>> = text.split('.').map(|octet| octet.parse().ok()).collect();
    Some(Ipv4Addr::from(<[u8; 4]>::try_from(octets?).unwrap()))
}

/// Returns the address in an IPv6 literal, as the standard library reads it. It accepts no zones and no
/// leading zeros.
fn ipv6(literal: &[u8]) -> Ipv6Addr {
    let literal = std::str::from_utf8(literal).unwrap();
    let text = literal.split('%').next().unwrap();
    let (pieces, last) = text.rsplit_once(':').unwrap();
    let last = if last.contains('.') { ipv4(last).unwrap().to_string() } else { last.to_owned() };
    format!("{pieces}:{last}").parse().unwrap()
}
