//! One record: its verdict, its components, its error.
#![expect(unsafe_code, reason = "its functions have names for C, and take pointers")]

use std::net::IpAddr;
use std::ops::Range;

use urivalidate::Batch;

use crate::bytes::Bytes;
use crate::guard::status_of;
use crate::numbers::{AuthorityKind, ErrorKind, HostKind, Part};
use crate::pointers::{handle, put};
use crate::status::Status;
use crate::validator::Validator;

/// The start and the end of an absent part.
pub const ABSENT: u32 = u32::MAX;

const _: () = assert!(ABSENT == Batch::ABSENT);

/// The place of a part: from byte `start` to byte `end`, which is excluded. Both are `URIV_ABSENT` if the
/// part is absent. They are equal if the part is empty: `http://h/` has no query, `http://h/?` has an empty
/// one.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first byte, counted from 0.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// The place of an absent part.
    pub(crate) const ABSENT: Span = Span { start: ABSENT, end: ABSENT };
}

impl From<Option<Range<usize>>> for Span {
    #[inline(always)]
    fn from(range: Option<Range<usize>>) -> Self {
        range.map_or(Span::ABSENT, |range| Span { start: range.start as u32, end: range.end as u32 })
    }
}

/// The components of a valid record. Places are in bytes from the start of the record. This structure has 100
/// bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Components {
    /// RFC 3986 section 3.1, without its colon.
    pub scheme: Span,
    /// Section 3.2, without the `//` before it.
    pub authority: Span,
    /// Section 3.2.1, without its `@`.
    pub userinfo: Span,
    /// Section 3.2.2, with the brackets of an IP literal.
    pub host: Span,
    /// Section 3.2.3: digits, possibly none, without the colon.
    pub port: Span,
    /// Section 3.3, possibly empty. Only opaque URIs and some request targets have none.
    pub path: Span,
    /// Section 3.4, without its `?`.
    pub query: Span,
    /// Section 3.5, without its `#`.
    pub fragment: Span,
    /// RFC 2396 section 3: the text between the scheme's colon and the fragment's `#`.
    pub scheme_specific_part: Span,
    /// The kind of the host.
    pub host_kind: HostKind,
    /// The kind of the authority.
    pub authority_kind: AuthorityKind,
    /// The address of an IPv4 or IPv6 host in network byte order. The bytes after the address are 0.
    pub address: [u8; 16],
    /// The number of bytes of the address: 4, 16, or 0 if the host is not an address.
    pub address_length: u8,
    /// Whether the record is an opaque URI (RFC 2396 section 3): it has a scheme, and no `/` after the
    /// scheme's colon.
    pub is_opaque: bool,
    /// Always 0.
    pub reserved: [u8; 2],
}

impl From<&urivalidate::Components> for Components {
    fn from(components: &urivalidate::Components) -> Self {
        let mut address = [0; 16];
        let address_length = match components.address() {
            None => 0,
            Some(IpAddr::V4(v4)) => {
                address[..4].copy_from_slice(&v4.octets());
                4
            }
            Some(IpAddr::V6(v6)) => {
                address = v6.octets();
                16
            }
        };
        Components {
            scheme: components.scheme().into(),
            authority: components.authority().into(),
            userinfo: components.userinfo().into(),
            host: components.host().into(),
            port: components.port().into(),
            path: components.path().into(),
            query: components.query().into(),
            fragment: components.fragment().into(),
            scheme_specific_part: Some(components.scheme_specific_part()).into(),
            host_kind: HostKind::of(components.host_kind()),
            authority_kind: AuthorityKind::of(components.authority_kind()),
            address,
            address_length,
            is_opaque: components.is_opaque(),
            reserved: [0; 2],
        }
    }
}

/// The error of an invalid record. This structure has 12 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Error {
    /// The rule that the record breaks.
    pub kind: ErrorKind,
    /// The part that the error is in, or `URIV_PART_RECORD` if the error is in no part.
    pub part: Part,
    /// The length in bytes of the longest prefix of the record with which some valid record starts. For
    /// `URIV_ERROR_KIND_INVALID_PORT`, the offset of the port's first byte that is not a digit. For
    /// `URIV_ERROR_KIND_RECORD_TOO_LONG`, 2^32 - 2.
    pub offset: u32,
}

impl From<urivalidate::Error> for Error {
    fn from(error: urivalidate::Error) -> Self {
        Error {
            kind: ErrorKind::of(error.kind()),
            part: error.component().into(),
            offset: error.offset() as u32,
        }
    }
}

/// Returns a function that writes an error to a place, unless the place is NULL, and returns
/// [`Status::Invalid`].
///
/// # Safety
///
/// The requirements of [`put`].
pub(crate) unsafe fn invalid(place: *mut Error) -> impl FnOnce(urivalidate::Error) -> Status {
    move |error| {
        // SAFETY: the caller guarantees this.
        unsafe { put(place, error.into()) };
        Status::Invalid
    }
}

/// Whether a record is valid. This is the fastest function for one record: use it as a filter before slower
/// work.
///
/// The function judges the record unchanged: it drops no line end, and trims no white space. The record may
/// hold any bytes. The function allocates no memory. It returns false if `validator` is NULL, or if
/// `record.data` is NULL and `record.length` is not 0.
///
/// # Safety
///
/// `record` has its bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_is_valid(validator: *const Validator, record: Bytes) -> bool {
    let status = status_of(|| {
        // SAFETY: the caller guarantees this.
        let (validator, record) = unsafe { (handle(validator)?, record.slice()?) };
        if validator.0.is_valid(record) { Ok(()) } else { Err(Status::Invalid) }
    });
    status == Status::Ok
}

/// Finds the components of a record, or its error. Allocates no memory.
///
/// Returns `URIV_STATUS_OK` and writes the components, or returns `URIV_STATUS_INVALID` and writes the error.
/// Either pointer may be NULL.
///
/// # Safety
///
/// `record` has its bytes; `components` and `error` are NULL or have room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_parse(
    validator: *const Validator,
    record: Bytes,
    components: *mut Components,
    error: *mut Error,
) -> Status {
    status_of(|| {
        // SAFETY: the caller guarantees this.
        let (validator, record) = unsafe { (handle(validator)?, record.slice()?) };
        // SAFETY: the caller guarantees this.
        let found = validator.0.parse(record).map_err(unsafe { invalid(error) })?;
        // SAFETY: the caller guarantees this.
        unsafe { put(components, (&found).into()) };
        Ok(())
    })
}
