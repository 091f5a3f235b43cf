//! The error of a record whose first forbidden byte a kernel has found: [`Rules::error_of_forbidden`].
//!
//! In lists of invalid records, most errors are such bytes far from the start. Making their errors here takes a third
//! less time than parsing the records (with AVX-512; half with brackets in queries).

use super::java::Java;
use super::rfc2396::{Dialect, Rfc2396};
use super::rules::{Grammar, Rules, SchemeRule};
use super::run::RunError;
use crate::error::{Component, Detail, Error, ErrorKind};
use crate::work::position;

impl Rules {
    /// Returns the error that the parser finds in a record, whose first forbidden byte is known, without reading
    /// the record from its start. Returns `None` if the parser must judge the record.
    ///
    /// The byte at `at` lies after the authority, in `component`. It is not allowed there, except for brackets and
    /// bytes beyond ASCII by some grammars; or it breaks an escape, or is a second `#`. All bytes before it are
    /// right and ASCII, except that a reference's first segment may be a bad scheme.
    pub(crate) fn error_of_forbidden(self, record: &[u8], at: usize, component: Component) -> Option<Error> {
        error(self.grammar(), record, at, component)
    }
}

fn error(grammar: Grammar, record: &[u8], at: usize, component: Component) -> Option<Error> {
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
