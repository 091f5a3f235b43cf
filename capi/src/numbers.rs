//! The numbers in C for the library's enumerations.
//!
//! The numbers are part of the interface, so this module states each of them: the library may list its values
//! in another order.

use crate::status::Status;

/// The rules for a record.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grammar {
    /// RFC 3986 `URI`: starts with a scheme.
    Uri = 0,
    /// RFC 3986 `URI-reference`: a URI or a relative reference.
    UriReference = 1,
    /// RFC 3986 `absolute-URI`: a URI without fragment.
    AbsoluteUri = 2,
    /// RFC 3986 `relative-ref`.
    RelativeRef = 3,
    /// RFC 2396 `URI-reference` as amended by RFC 2732.
    Rfc2396 = 4,
    /// The strings that `new java.net.URI(String)` of JDK 17 accepts.
    Java = 5,
    /// RFC 3987 `IRI`, over UTF-8.
    Iri = 6,
    /// RFC 3987 `IRI-reference`, over UTF-8.
    IriReference = 7,
    /// RFC 9112 section 3.2 `request-target`.
    RequestTarget = 8,
}

/// A part of a record. The components of RFC 3986 section 3 and the parts of an authority are 1 to 8.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The record itself.
    Record = 0,
    /// Section 3.1, without its colon.
    Scheme = 1,
    /// Section 3.2, without the `//` before it.
    Authority = 2,
    /// Section 3.2.1, without its `@`.
    Userinfo = 3,
    /// Section 3.2.2, with the brackets of an IP literal.
    Host = 4,
    /// Section 3.2.3: digits, possibly none, without the colon.
    Port = 5,
    /// Section 3.3, possibly empty. Only opaque URIs and some request targets have none.
    Path = 6,
    /// Section 3.4, without its `?`.
    Query = 7,
    /// Section 3.5, without its `#`.
    Fragment = 8,
    /// RFC 2396 section 3: the text between the scheme's colon and the fragment's `#`.
    SchemeSpecificPart = 9,
    /// The path, and the query with its `?` if there is one.
    PathAndQuery = 10,
}

/// The number of parts, `URIV_PART_RECORD` included.
pub const PART_COUNT: usize = 11;

/// The rule that an invalid record breaks. The examples are invalid as `uri` unless they name another
/// grammar.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// None: the record is valid.
    None = 0,
    /// The record is empty, and the grammar has no empty records.
    Empty = 1,
    /// The record has no `:` before the first of `/?#`: `www.example.com/x`.
    MissingScheme = 2,
    /// The text before the first `:` is not a scheme: `1http://h/`.
    InvalidScheme = 3,
    /// A space: `http://h/a b`.
    Space = 4,
    /// A byte below 0x20, or 0x7F: a tab in a path.
    ControlCharacter = 5,
    /// A character that is not ASCII, in a place where the grammar allows only ASCII: `http://h/é`.
    NonAscii = 6,
    /// A character that the grammar does not allow at all, or not in this part: `http://h/{id}`.
    InvalidCharacter = 7,
    /// `%` without two hexadecimal digits: `http://h/100%`.
    InvalidPercentEncoding = 8,
    /// `[` or `]` that does not enclose a host: `http://h/?x[]=1`.
    BracketOutsideHost = 9,
    /// The brackets hold no IP address: `http://[1::2::3]/`.
    InvalidIpLiteral = 10,
    /// The port has a byte that is not a digit: `http://h:8o/`.
    InvalidPort = 11,
    /// A second `#`: `http://h/#a#b`.
    SecondFragment = 12,
    /// A relative reference with a colon in its first segment: `a:b`, as `relative-ref`.
    ColonInFirstSegment = 13,
    /// The authority has a second `@`, has other text after `]`, or is missing where `java` requires one:
    /// `http://a@b@c/`.
    InvalidAuthority = 14,
    /// Ill-formed UTF-8, under `iri`, `iri-reference` and `java`.
    InvalidUtf8 = 15,
    /// Nothing after the scheme's colon, under `rfc2396` and `java`: `mailto:`.
    EmptySchemeSpecificPart = 16,
    /// More than 2^32 - 2 bytes.
    RecordTooLong = 17,
    /// A kind that was added after this header.
    Other = 255,
}

/// The kind of a host.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostKind {
    /// There is no host.
    None = 0,
    /// RFC 3986 `reg-name` and RFC 3987 `ireg-name`, possibly empty.
    RegName = 1,
    /// RFC 2396 `hostname`.
    Hostname = 2,
    /// A dotted quad.
    Ipv4 = 3,
    /// An IPv6 address in brackets.
    Ipv6 = 4,
    /// `[v1.x]`, an address of a future version (RFC 3986 section 3.2.2).
    Ipvfuture = 5,
}

/// The kind of an authority, by RFC 2396 section 3.2. Under the other grammars every authority is a server.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuthorityKind {
    /// There is no authority.
    None = 0,
    /// `[userinfo@]host[:port]`.
    Server = 1,
    /// A name in another registry: it has no userinfo, host or port.
    Registry = 2,
}

/// The normalization of a normal form (RFC 3986 section 6.2).
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Section 6.2.2: normalizes letter case, escapes and dot segments.
    Syntax = 0,
    /// Section 6.2.3 in addition: drops empty ports, and normalizes default ports and empty paths of `http`,
    /// `https`, `ws`, `wss` and `ftp`.
    Scheme = 1,
}

/// The library's grammars, in the order of their numbers.
pub(crate) const GRAMMARS: [urivalidate::Grammar; 9] = {
    use urivalidate::Grammar;
    [
        Grammar::Uri,
        Grammar::UriReference,
        Grammar::AbsoluteUri,
        Grammar::RelativeRef,
        Grammar::Rfc2396,
        Grammar::Java,
        Grammar::Iri,
        Grammar::IriReference,
        Grammar::RequestTarget,
    ]
};

/// The library's parts, in the order of their numbers.
pub(crate) const PARTS: [urivalidate::Part; PART_COUNT] = {
    use urivalidate::Part;
    [
        Part::Record,
        Part::Scheme,
        Part::Authority,
        Part::Userinfo,
        Part::Host,
        Part::Port,
        Part::Path,
        Part::Query,
        Part::Fragment,
        Part::SchemeSpecificPart,
        Part::PathAndQuery,
    ]
};

/// The library's components, in the order of their numbers, which start at 1.
pub(crate) const COMPONENTS: [urivalidate::Component; 8] = {
    use urivalidate::Component;
    [
        Component::Scheme,
        Component::Authority,
        Component::Userinfo,
        Component::Host,
        Component::Port,
        Component::Path,
        Component::Query,
        Component::Fragment,
    ]
};

/// The form with this number.
pub(crate) fn form(number: u32) -> Result<urivalidate::NormalForm, Status> {
    match number {
        0 => Ok(urivalidate::NormalForm::Syntax),
        1 => Ok(urivalidate::NormalForm::Scheme),
        _ => Err(Status::InvalidArgument),
    }
}

impl ErrorKind {
    pub(crate) const fn of(kind: urivalidate::ErrorKind) -> Self {
        use urivalidate::ErrorKind as Kind;
        match kind {
            Kind::Empty => ErrorKind::Empty,
            Kind::MissingScheme => ErrorKind::MissingScheme,
            Kind::InvalidScheme => ErrorKind::InvalidScheme,
            Kind::Space => ErrorKind::Space,
            Kind::ControlCharacter => ErrorKind::ControlCharacter,
            Kind::NonAscii => ErrorKind::NonAscii,
            Kind::InvalidCharacter => ErrorKind::InvalidCharacter,
            Kind::InvalidPercentEncoding => ErrorKind::InvalidPercentEncoding,
            Kind::BracketOutsideHost => ErrorKind::BracketOutsideHost,
            Kind::InvalidIpLiteral => ErrorKind::InvalidIpLiteral,
            Kind::InvalidPort => ErrorKind::InvalidPort,
            Kind::SecondFragment => ErrorKind::SecondFragment,
            Kind::ColonInFirstSegment => ErrorKind::ColonInFirstSegment,
            Kind::InvalidAuthority => ErrorKind::InvalidAuthority,
            Kind::InvalidUtf8 => ErrorKind::InvalidUtf8,
            Kind::EmptySchemeSpecificPart => ErrorKind::EmptySchemeSpecificPart,
            Kind::RecordTooLong => ErrorKind::RecordTooLong,
            _ => ErrorKind::Other,
        }
    }
}

impl From<Option<urivalidate::Component>> for Part {
    fn from(component: Option<urivalidate::Component>) -> Self {
        use urivalidate::Component;
        match component {
            Some(Component::Scheme) => Part::Scheme,
            Some(Component::Authority) => Part::Authority,
            Some(Component::Userinfo) => Part::Userinfo,
            Some(Component::Host) => Part::Host,
            Some(Component::Port) => Part::Port,
            Some(Component::Path) => Part::Path,
            Some(Component::Query) => Part::Query,
            Some(Component::Fragment) => Part::Fragment,
            _ => Part::Record,
        }
    }
}

impl HostKind {
    pub(crate) const fn of(kind: Option<urivalidate::HostKind>) -> Self {
        use urivalidate::HostKind as Kind;
        match kind {
            Some(Kind::RegName) => HostKind::RegName,
            Some(Kind::Hostname) => HostKind::Hostname,
            Some(Kind::Ipv4) => HostKind::Ipv4,
            Some(Kind::Ipv6) => HostKind::Ipv6,
            Some(Kind::IpvFuture) => HostKind::Ipvfuture,
            _ => HostKind::None,
        }
    }
}

impl AuthorityKind {
    pub(crate) const fn of(kind: Option<urivalidate::AuthorityKind>) -> Self {
        match kind {
            Some(urivalidate::AuthorityKind::Server) => AuthorityKind::Server,
            Some(urivalidate::AuthorityKind::Registry) => AuthorityKind::Registry,
            None => AuthorityKind::None,
        }
    }
}
