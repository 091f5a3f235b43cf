//! Runs: `*( class / pct-encoded )`, with characters beyond ASCII if a grammar has them.
//!
//! A run ends at the first byte that cannot continue it. The parser decides whether the run may end there. A
//! [`RunError`] is a fault that no parser can accept: a broken escape, or a character outside the repertoire.
//!
//! Tried and slower: reading runs four bytes at a time, with a branch-free count of the bytes before the
//! first that is not in the class. Most runs are short, so records of 20 to 40 bytes took 4 to 15% more time.
//! Blocks of 16 bytes, compared by arithmetic that the compiler vectorises: records of 200 bytes that came again and
//! again took a third less time, but lists of invalid URLs 4 to 8% more, because the processor does not predict how
//! many blocks a path has. If a run starts with 32 bytes one by one, the gain is a quarter, and the loss 3 to 6%.

use crate::charset::Class;
use crate::error::{Component, Detail, Error, ErrorKind};
use crate::work::{looked_at, position};

/// An error and its place, before its component is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunError {
    pub(crate) offset: usize,
    pub(crate) kind: ErrorKind,
}

impl RunError {
    /// Returns the error for a byte at `offset` that cannot be there, or for something missing at the end.
    /// The byte decides the kind.
    #[cold]
    pub(crate) fn by_byte(record: &[u8], offset: usize) -> Self {
        RunError { offset, kind: Self::kind_by_byte(record.get(offset).copied()) }
    }

    /// Returns the kind of error that a byte is where it cannot be.
    #[inline(always)]
    pub(super) fn kind_by_byte(byte: Option<u8>) -> ErrorKind {
        match byte {
            Some(b' ') => ErrorKind::Space,
            Some(0x00..=0x1F | 0x7F) => ErrorKind::ControlCharacter,
            Some(0x80..) => ErrorKind::NonAscii,
            Some(b'[' | b']') => ErrorKind::BracketOutsideHost,
            _ => ErrorKind::InvalidCharacter,
        }
    }

    /// Returns this fault as an error in a component.
    #[cold]
    pub(crate) fn within(self, record: &[u8], component: impl Into<Option<Component>>) -> Error {
        let error = Error::at(record, self.offset, self.kind, component.into());
        let is_last = self.kind == ErrorKind::Space
            && position(&record[self.offset..], |byte| !byte.is_ascii_whitespace()).is_none();
        if is_last { error.with_detail(Detail::TrailingSpace) } else { error }
    }
}

/// The characters beyond ASCII that a grammar allows wherever it allows `pct-encoded`.
pub(crate) trait Repertoire {
    /// Returns the end of the character whose first byte, at `at`, is beyond ASCII. Returns `at` if the
    /// grammar has no characters beyond ASCII.
    ///
    /// `query` is true in a query, where RFC 3987 allows more characters.
    fn character(record: &[u8], at: usize, query: bool) -> Result<usize, RunError>;
}

/// No characters beyond ASCII.
pub(crate) enum Ascii {}

impl Repertoire for Ascii {
    fn character(_: &[u8], at: usize, _: bool) -> Result<usize, RunError> {
        Ok(at)
    }
}

/// Returns the end of the longest run of bytes of `class` that starts at `at`.
///
/// A turn of the loop takes four bytes, one after the other. With one byte a turn, records took a fifth more time
/// whenever the compiler put the loop across a border of cache lines.
#[inline(always)]
pub(crate) fn skip(record: &[u8], mut at: usize, class: Class) -> usize {
    let start = at;
    while let Some(&[a, b, c, d]) = record.get(at..).and_then(|rest| rest.first_chunk()) {
        let skipped = if !class.contains(a) {
            0
        } else if !class.contains(b) {
            1
        } else if !class.contains(c) {
            2
        } else if !class.contains(d) {
            3
        } else {
            at += 4;
            continue;
        };
        looked_at(at + skipped + 1 - start);
        return at + skipped;
    }
    while at < record.len() && class.contains(record[at]) {
        at += 1;
    }
    looked_at(at + 1 - start);
    at
}

/// Returns the end of the longest `*( class / pct-encoded / character )` that starts at `at`.
#[inline(always)]
pub(crate) fn run<R: Repertoire>(record: &[u8], at: usize, class: Class) -> Result<usize, RunError> {
    run_in::<R>(record, at, class, false)
}

/// Works as [`run`], in a query.
#[inline(always)]
pub(crate) fn run_query<R: Repertoire>(record: &[u8], at: usize, class: Class) -> Result<usize, RunError> {
    run_in::<R>(record, at, class, true)
}

#[inline(always)]
fn run_in<R: Repertoire>(record: &[u8], at: usize, class: Class, query: bool) -> Result<usize, RunError> {
    let mut at = skip(record, at, class);
    loop {
        let end = match record.get(at) {
            Some(b'%') => pct_encoded(record, at)?,
            Some(0x80..) => R::character(record, at, query)?,
            _ => return Ok(at),
        };
        if end == at {
            return Ok(at);
        }
        at = skip(record, end, class);
    }
}

/// Reads a fragment from `at` to the end of the record: `*class`, which is `*( pchar / "/" / "?" )` in RFC
/// 3986 and `*uric` in RFC 2396.
pub(crate) fn fragment<R: Repertoire>(record: &[u8], at: usize, class: Class) -> Result<(), Error> {
    let end = run::<R>(record, at, class).map_err(|fault| fault.within(record, Component::Fragment))?;
    match record.get(end) {
        None => Ok(()),
        Some(b'#') => Err(Error::at(record, end, ErrorKind::SecondFragment, Some(Component::Fragment))),
        Some(_) => Err(RunError::by_byte(record, end).within(record, Component::Fragment)),
    }
}

/// Returns the end of the escape whose `%` is at `at`: `pct-encoded = "%" HEXDIG HEXDIG`.
#[inline(always)]
pub(crate) fn pct_encoded(record: &[u8], at: usize) -> Result<usize, RunError> {
    let is_hex = |at: usize| record.get(at).is_some_and(|&byte| Class::HEXDIG.contains(byte));
    match (is_hex(at + 1), is_hex(at + 2)) {
        (true, true) => Ok(at + 3),
        (first, _) => {
            Err(RunError { offset: at + 1 + usize::from(first), kind: ErrorKind::InvalidPercentEncoding })
        }
    }
}
