//! Where the components of one valid record lie.
//!
//! Eight offsets say it all; the pairs that users ask for are made from them:
//!
//! ```text
//!  https://user:pw@example.com:8080/a/b?q=1#top
//!       |  |       |          |    |   |   |   |
//!       |  |       |          |    |   |   |   end            the record's length
//!       |  |       |          |    |   |   query_end          "#", or the end
//!       |  |       |          |    |   path_end               "?", or query_end
//!       |  |       |          |    path_start
//!       |  |       |          host_end
//!       |  |       host_start                                 ABSENT without a host
//!       |  authority_start                                    ABSENT without an authority
//!       scheme_end                                            ":"; ABSENT without a scheme
//! ```
//!
//! The userinfo is what lies between `authority_start` and the `@` before `host_start`, the port what follows the `:` at
//! `host_end`. The authority ends where the path starts.

use core::net::IpAddr;
use core::ops::Range;

use crate::error::{Component, named_enum};

/// An offset that is not there.
pub(crate) const ABSENT: u32 = u32::MAX;

/// Byte ranges of a valid record's components, half-open and relative to the record's first byte.
///
/// An absent component is `None`, an empty one an empty range: `http://h/` has no query, `http://h/?` an empty one.
///
/// ```
/// use urivalidate::{Grammar, HostKind, parse};
///
/// let uri = b"ldap://[2001:db8::7]/c=GB?objectClass?one";
/// let components = parse(Grammar::Uri, uri)?;
/// assert_eq!(components.host(), Some(7..20));
/// assert_eq!(components.host_kind(), Some(HostKind::Ipv6));
/// assert_eq!(components.address(), Some("2001:db8::7".parse().unwrap()));
/// assert_eq!(components.query().map(|range| &uri[range]), Some(&b"objectClass?one"[..]));
/// assert_eq!(components.fragment(), None);
/// # Ok::<(), urivalidate::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Components {
    pub(crate) scheme_end: u32,
    pub(crate) authority_start: u32,
    pub(crate) host_start: u32,
    pub(crate) host_end: u32,
    pub(crate) path_start: u32,
    pub(crate) path_end: u32,
    pub(crate) query_end: u32,
    pub(crate) end: u32,
    pub(crate) host_kind: Option<HostKind>,
    pub(crate) form: RecordForm,
    /// `java.net.URI` reports the empty port of `//h:/` as no port.
    pub(crate) ignores_empty_port: bool,
    pub(crate) address: Option<IpAddr>,
}

named_enum! {
    /// What a host is made of.
    #[non_exhaustive]
    HostKind {
        /// RFC 3986 `reg-name` and RFC 3987 `ireg-name`, possibly empty.
        RegName = "reg-name",
        /// RFC 2396 `hostname`.
        Hostname = "hostname",
        /// A dotted quad.
        Ipv4 = "ipv4",
        /// An IPv6 address in brackets.
        Ipv6 = "ipv6",
        /// `[v1.x]`, an address of a version yet to come (RFC 3986 section 3.2.2).
        IpvFuture = "ipvfuture",
    }
}

named_enum! {
    /// How an authority is read under RFC 2396 section 3.2.
    AuthorityKind {
        /// `[userinfo@]host[:port]`.
        Server = "server",
        /// A name of some other registry: it has no userinfo, host or port.
        Registry = "registry",
    }
}

/// What kind of record the offsets describe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RecordForm {
    /// Scheme, authority, path, query, fragment, each where it is present; there is always a path.
    Hierarchical,
    /// RFC 2396 `opaque_part`: no authority, path or query.
    Opaque,
    /// RFC 9112 `authority-form` and `asterisk-form`: no path.
    Pathless,
}

/// Declares methods that take a component out of its record.
macro_rules! slices {
    ($($slice:ident = $range:ident;)*) => {$(
        #[doc = concat!("The bytes of [`", stringify!($range), "`](Self::", stringify!($range), ") in `record`, which was parsed.")]
        ///
        /// # Panics
        ///
        /// If `record` is too short to be the one that was parsed.
        pub(crate) fn $slice<'a>(&self, record: &'a [u8]) -> Option<&'a [u8]> {
            self.$range().map(|range| &record[range])
        }
    )*};
}

impl Components {
    /// The scheme, without its colon.
    pub fn scheme(&self) -> Option<Range<usize>> {
        (self.scheme_end != ABSENT).then(|| range(0, self.scheme_end))
    }

    /// The authority, without the `//` before it.
    pub fn authority(&self) -> Option<Range<usize>> {
        (self.authority_start != ABSENT).then(|| range(self.authority_start, self.path_start))
    }

    /// The userinfo, without its `@`.
    pub fn userinfo(&self) -> Option<Range<usize>> {
        (self.host_start != ABSENT && self.host_start != self.authority_start)
            .then(|| range(self.authority_start, self.host_start - 1))
    }

    /// The host, with the brackets of an IP literal.
    pub fn host(&self) -> Option<Range<usize>> {
        (self.host_start != ABSENT).then(|| range(self.host_start, self.host_end))
    }

    /// The port's digits, possibly none (`http://h:/`), without the colon.
    pub fn port(&self) -> Option<Range<usize>> {
        if self.host_start == ABSENT || self.host_end == self.path_start {
            return None;
        }
        let port = range(self.host_end + 1, self.path_start);
        (!(self.ignores_empty_port && port.is_empty())).then_some(port)
    }

    /// The path, possibly empty; absent only in an opaque URI and in a request-target without one.
    pub fn path(&self) -> Option<Range<usize>> {
        (self.form == RecordForm::Hierarchical).then(|| range(self.path_start, self.path_end))
    }

    /// The query, without its `?`.
    pub fn query(&self) -> Option<Range<usize>> {
        (self.path_end != self.query_end).then(|| range(self.path_end + 1, self.query_end))
    }

    /// The fragment, without its `#`.
    pub fn fragment(&self) -> Option<Range<usize>> {
        (self.query_end != self.end).then(|| range(self.query_end + 1, self.end))
    }

    /// The scheme-specific part of RFC 2396 section 3: all between the scheme's colon and the fragment's `#`.
    pub fn scheme_specific_part(&self) -> Range<usize> {
        let start = if self.scheme_end == ABSENT { 0 } else { self.scheme_end + 1 };
        range(start, self.query_end)
    }

    /// The range of the component named.
    pub fn get(&self, component: Component) -> Option<Range<usize>> {
        match component {
            Component::Scheme => self.scheme(),
            Component::Authority => self.authority(),
            Component::Userinfo => self.userinfo(),
            Component::Host => self.host(),
            Component::Port => self.port(),
            Component::Path => self.path(),
            Component::Query => self.query(),
            Component::Fragment => self.fragment(),
        }
    }

    slices! {
        scheme_of = scheme;
        authority_of = authority;
        userinfo_of = userinfo;
        host_of = host;
        port_of = port;
        path_of = path;
        query_of = query;
        fragment_of = fragment;
    }

    /// What the host is made of.
    pub fn host_kind(&self) -> Option<HostKind> {
        self.host_kind
    }

    /// The address that an IPv4 or IPv6 host spells; zone identifiers are not part of it.
    ///
    /// Absent for a dotted quad with an octet over 255, which RFC 2732 allows.
    pub fn address(&self) -> Option<IpAddr> {
        self.address
    }

    /// Whether this is an opaque URI (RFC 2396 section 3): a scheme, and no `/` after its colon.
    pub fn is_opaque(&self) -> bool {
        self.form == RecordForm::Opaque
    }

    /// How the authority is read under RFC 2396. Under the other grammars every authority is a server.
    pub fn authority_kind(&self) -> Option<AuthorityKind> {
        if self.authority_start == ABSENT {
            None
        } else if self.host_start != ABSENT || self.authority_start == self.path_start {
            Some(AuthorityKind::Server)
        } else {
            Some(AuthorityKind::Registry)
        }
    }

    /// The components of a record of `len` bytes that has nothing but an empty path at its end.
    pub(crate) fn none(len: usize) -> Self {
        let end = len as u32;
        Components {
            scheme_end: ABSENT,
            authority_start: ABSENT,
            host_start: ABSENT,
            host_end: ABSENT,
            path_start: end,
            path_end: end,
            query_end: end,
            end,
            host_kind: None,
            form: RecordForm::Hierarchical,
            ignores_empty_port: false,
            address: None,
        }
    }

    /// Whether the offsets follow each other as the ruler shows. For assertions.
    pub(crate) fn is_consistent(&self) -> bool {
        let after_scheme = if self.scheme_end == ABSENT { 0 } else { self.scheme_end as u64 + 1 };
        let authority = self.authority_start == ABSENT || self.authority_start as u64 >= after_scheme;
        let host = self.host_start == ABSENT
            || (self.authority_start <= self.host_start
                && self.host_start <= self.host_end
                && self.host_end <= self.path_start);
        authority
            && host
            && after_scheme <= self.path_start as u64
            && (self.authority_start == ABSENT || self.authority_start <= self.path_start)
            && self.path_start <= self.path_end
            && self.path_end <= self.query_end
            && self.query_end <= self.end
            && (self.host_start == ABSENT) == self.host_kind.is_none()
    }
}

fn range(start: u32, end: u32) -> Range<usize> {
    start as usize..end as usize
}
