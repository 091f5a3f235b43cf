//! The error of a record whose first forbidden byte a kernel has found: see
//! [`Rules::error_of_forbidden`](super::Rules::error_of_forbidden).
//!
//! In lists of invalid records, most errors are such bytes far from the start. Making their errors here takes a third
//! less time than parsing the records (with AVX-512; half with brackets in queries).

use super::java::Java;
use super::rfc2396::{Dialect, Rfc2396};
use super::rules::{Grammar, SchemeRule};
use super::run::RunError;
use crate::error::{Component, Detail, Error, ErrorKind};
use crate::work::position;

/// Returns the error, or `None` if a parser must judge the record.
pub(super) fn error(grammar: Grammar, record: &[u8], at: usize, component: Component) -> Option<Error> {
    let facts = grammar.facts();
    let before = record.get(..at)?;
    let is_in_escape = matches!(before, [.., b'%'] | [.., b'%', _]);
    let found = record.get(at).copied();
    let may_be_allowed = match found {
        _ if is_in_escape => false,
        Some(b'[' | b']') => facts.opaque,
        Some(0x80..) => grammar.allows_beyond_ascii(),
        _ => false,
    };
    // A fault in the first segment may be one in the scheme.
    let is_in_first_segment = || {
        facts.scheme != SchemeRule::Required
            && position(before, |byte| matches!(byte, b':' | b'/' | b'?' | b'#')).is_none()
    };
    if may_be_allowed || is_in_first_segment() {
        return None;
    }
    let is_hash = found == Some(b'#') && !is_in_escape;
    let component = if is_hash { Component::Fragment } else { component };
    let kind = if is_in_escape {
        ErrorKind::InvalidPercentEncoding
    } else if is_hash && facts.fragment {
        ErrorKind::SecondFragment
    } else {
        RunError::kind_by_byte(found)
    };
    let error = RunError { offset: at, kind }.within(record, component);
    Some(match grammar {
        Grammar::Java => error.with_detail(Java::DETAIL),
        Grammar::Rfc2396 => error.with_detail(Rfc2396::DETAIL),
        Grammar::RequestTarget if is_hash => error.with_detail(Detail::RequestTarget),
        _ => error,
    })
}
