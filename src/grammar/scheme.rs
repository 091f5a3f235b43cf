//! The scheme, and the error for a missing scheme.
//!
//! A record has a scheme if a `:` comes before the first of `/?#`, and the text before it is a scheme. The
//! positions of these characters decide the kind of the error, not the byte at its offset.

use super::run::{RunError, skip};
use crate::charset::Class;
use crate::error::{Component, Error, ErrorKind};
use crate::work::position;

/// Returns the position of the colon if the record starts with `scheme ":"`,
/// `scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )`.
#[inline(always)]
pub(crate) fn scheme(record: &[u8]) -> Option<usize> {
    let &first = record.first()?;
    let end = skip(record, 0, Class::SCHEME);
    (Class::ALPHA.contains(first) && record.get(end) == Some(&b':')).then_some(end)
}

/// Returns the error of a record that has no scheme although its grammar requires one.
#[cold]
pub(crate) fn no_scheme(record: &[u8]) -> Error {
    let starts_well = record.first().is_some_and(|&first| Class::ALPHA.contains(first));
    no_scheme_at(record, if starts_well { skip(record, 0, Class::SCHEME) } else { 0 })
}

/// Returns the error of a record without the required scheme, if the grammar matches up to `offset`.
#[cold]
pub(crate) fn no_scheme_at(record: &[u8], offset: usize) -> Error {
    if record.is_empty() {
        return Error::at(record, 0, ErrorKind::Empty, None);
    }
    let kind = if colon_comes_first(record) { ErrorKind::InvalidScheme } else { ErrorKind::MissingScheme };
    Error::at(record, offset, kind, Some(Component::Scheme))
}

/// Returns the error of a reference without a scheme that has a fault in its first segment, in which a colon
/// is not allowed.
#[cold]
pub(crate) fn in_first_segment(record: &[u8], fault: RunError) -> Error {
    if colon_comes_first(record) {
        Error::at(record, fault.offset, ErrorKind::InvalidScheme, Some(Component::Scheme))
    } else {
        fault.within(record, Component::Path)
    }
}

/// Returns true if a colon comes before the first of `/?#`.
fn colon_comes_first(record: &[u8]) -> bool {
    position(record, |byte| matches!(byte, b':' | b'/' | b'?' | b'#')).is_some_and(|at| record[at] == b':')
}
