//! The components of one valid record, as byte ranges.
//!
//! Eight offsets hold all components. The ranges that users request are made from them:
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
//! The userinfo lies between `authority_start` and the `@` before `host_start`. The port follows the `:` at
//! `host_end`. The authority ends where the path starts.

use core::net::IpAddr;
use core::ops::Range;

use crate::column::{ABSENT, Column};
use crate::error::Component;
use crate::names::named_enum;
use crate::part::Part;

/// Byte ranges of a valid record's components, half-open and relative to the record's first byte.
///
/// An absent component is `None`, an empty component is an empty range: `http://h/` has no query,
/// `http://h/?` an empty one.
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
    /// The kinds of hosts.
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
        /// `[v1.x]`, an address of a future version (RFC 3986 section 3.2.2).
        IpvFuture = "ipvfuture",
    }
}

named_enum! {
    /// The two kinds of authorities in RFC 2396 section 3.2.
    AuthorityKind {
        /// `[userinfo@]host[:port]`.
        Server = "server",
        /// A name in some other registry. It has no userinfo, host or port.
        Registry = "registry",
    }
}

impl AuthorityKind {
    /// Returns the kind of an authority that starts at `authority_start`, in a record with these offsets of
    /// the host and the path.
    #[inline(always)]
    pub(crate) fn of(host_start: u32, authority_start: u32, path_start: u32) -> Self {
        // An empty authority is a server without a host.
        let is_server = host_start != ABSENT || authority_start == path_start;
        if is_server { AuthorityKind::Server } else { AuthorityKind::Registry }
    }
}

/// The kind of record that the offsets describe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RecordForm {
    /// Scheme, authority, path, query and fragment, if present. The path is always present.
    Hierarchical,
    /// RFC 2396 `opaque_part`: no authority, path or query.
    Opaque,
    /// RFC 9112 `authority-form` and `asterisk-form`: no path.
    Pathless,
}

/// Declares methods that return the bytes of a component.
macro_rules! slices {
    ($($slice:ident = $range:ident;)*) => {$(
        #[doc = concat!("The bytes of [`", stringify!($range), "`](Self::", stringify!($range), ") in `record`, which was parsed.")]
        ///
        /// # Panics
        ///
        /// Panics if `record` is shorter than the record that was parsed.
        pub(crate) fn $slice<'a>(&self, record: &'a [u8]) -> Option<&'a [u8]> {
            self.$range().map(|range| &record[range])
        }
    )*};
}

impl Components {
    /// Returns the scheme, without its colon.
    pub fn scheme(&self) -> Option<Range<usize>> {
        self.get(Component::Scheme)
    }

    /// Returns the authority, without the `//` before it.
    pub fn authority(&self) -> Option<Range<usize>> {
        self.get(Component::Authority)
    }

    /// Returns the userinfo, without its `@`.
    pub fn userinfo(&self) -> Option<Range<usize>> {
        self.get(Component::Userinfo)
    }

    /// Returns the host, with the brackets of an IP literal.
    pub fn host(&self) -> Option<Range<usize>> {
        self.get(Component::Host)
    }

    /// Returns the port's digits without the colon. They may be empty (`http://h:/`).
    pub fn port(&self) -> Option<Range<usize>> {
        self.get(Component::Port)
    }

    /// Returns the path, which may be empty. It is absent only in an opaque URI and in a request-target
    /// without a path.
    pub fn path(&self) -> Option<Range<usize>> {
        self.get(Component::Path)
    }

    /// Returns the query, without its `?`.
    pub fn query(&self) -> Option<Range<usize>> {
        self.get(Component::Query)
    }

    /// Returns the fragment, without its `#`.
    pub fn fragment(&self) -> Option<Range<usize>> {
        self.get(Component::Fragment)
    }

    /// Returns the scheme-specific part of RFC 2396 section 3: all bytes between the scheme's colon and the
    /// fragment's `#`.
    pub fn scheme_specific_part(&self) -> Range<usize> {
        // Every valid record has one.
        self.part(Part::SchemeSpecificPart).unwrap_or_default()
    }

    /// Returns the range of `component`.
    #[inline]
    pub fn get(&self, component: Component) -> Option<Range<usize>> {
        self.part(Part::from(component))
    }

    /// Returns the range of a part of the record.
    #[inline(always)]
    pub fn part(&self, part: Part) -> Option<Range<usize>> {
        part.range(|column| self.offset(column))
    }

    /// Returns the value of a column for the record, in bytes from its first byte.
    #[inline(always)]
    pub(crate) fn offset(&self, column: Column) -> u32 {
        let has_host = self.host_start != ABSENT;
        match column {
            Column::Start => 0,
            Column::End => self.end,
            Column::SchemeEnd => self.scheme_end,
            Column::AuthorityStart => self.authority_start,
            Column::UserinfoEnd if has_host && self.host_start != self.authority_start => self.host_start - 1,
            Column::HostStart => self.host_start,
            Column::HostEnd => self.host_end,
            Column::PortStart if has_host && self.has_port() => self.host_end + 1,
            Column::PathStart if self.form == RecordForm::Hierarchical => self.path_start,
            Column::PathEnd if self.form == RecordForm::Hierarchical => self.path_end,
            Column::QueryEnd => self.query_end,
            Column::UserinfoEnd | Column::PortStart | Column::PathStart | Column::PathEnd => ABSENT,
        }
    }

    /// Returns true if a colon and a port that counts follow the host.
    fn has_port(&self) -> bool {
        let port = self.path_start - self.host_end;
        port > 1 || port == 1 && !self.ignores_empty_port
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

    /// Returns the kind of the host.
    pub fn host_kind(&self) -> Option<HostKind> {
        self.host_kind
    }

    /// Returns the address that an IPv4 or IPv6 host spells, without a zone identifier.
    ///
    /// Returns `None` for a dotted quad with an octet over 255, which RFC 2732 allows.
    pub fn address(&self) -> Option<IpAddr> {
        self.address
    }

    /// Returns true if this is an opaque URI (RFC 2396 section 3): a scheme, and no `/` after its colon.
    pub fn is_opaque(&self) -> bool {
        self.form == RecordForm::Opaque
    }

    /// Returns the kind of the authority by RFC 2396. By the other grammars every authority is a server.
    pub fn authority_kind(&self) -> Option<AuthorityKind> {
        let has_authority = self.authority_start != ABSENT;
        has_authority.then(|| AuthorityKind::of(self.host_start, self.authority_start, self.path_start))
    }

    /// Returns the components of a record of `len` bytes that has only an empty path, at its end.
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

    /// Makes the components of a valid record from its columns, in bytes from its first byte: the inverse of
    /// [`offset`](Self::offset). The kind of the host is not set, since the offsets do not hold it. `form` is
    /// the form of a record without a path.
    pub(crate) fn from_offsets(
        at: impl Fn(Column) -> u32,
        form: RecordForm,
        ignores_empty_port: bool,
    ) -> Self {
        let mut components = Components {
            scheme_end: at(Column::SchemeEnd),
            authority_start: at(Column::AuthorityStart),
            host_start: at(Column::HostStart),
            host_end: at(Column::HostEnd),
            path_start: at(Column::PathStart),
            path_end: at(Column::PathEnd),
            query_end: at(Column::QueryEnd),
            ..Components::none(at(Column::End) as usize)
        };
        components.ignores_empty_port = ignores_empty_port && components.host_start != ABSENT;
        if components.path_start == ABSENT {
            components.form = form;
            components.path_start = components.query_end;
            components.path_end = components.query_end;
        }
        components
    }

    /// Returns true if the offsets have the order that the ruler shows. For assertions.
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
