//! A grammar with its options: the library's entry point for single records.

use core::fmt;

use crate::components::Components;
use crate::error::Error;
use crate::grammar::{self, Grammar};

/// Judges `record` by `grammar` and says where its components lie.
///
/// A record is taken as it is: no line end is dropped, no white space trimmed. It never panics, never allocates, and
/// takes time linear in the record's length.
///
/// # Errors
///
/// The first thing in the record that no valid record can have; see [`Error::offset`].
pub fn parse(grammar: Grammar, record: &[u8]) -> Result<Components, Error> {
    Validator::new(grammar).parse(record)
}

/// Whether `record` is what `grammar` asks for.
pub fn is_valid(grammar: Grammar, record: &[u8]) -> bool {
    Validator::new(grammar).is_valid(record)
}

/// A grammar, with its options.
///
/// ```
/// use urivalidate::{Grammar, Validator};
///
/// let zoned = b"http://[fe80::1%25en0]/";
/// assert!(!Validator::new(Grammar::Uri).is_valid(zoned));
/// assert!(Validator::new(Grammar::Uri).with_zone_ids()?.is_valid(zoned));
/// # Ok::<(), urivalidate::ZoneIdsUnsupported>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Validator {
    grammar: Grammar,
    zone_ids: bool,
}

impl Validator {
    /// A validator of this grammar, without options.
    pub const fn new(grammar: Grammar) -> Self {
        Validator { grammar, zone_ids: false }
    }

    /// Also accepts RFC 6874 zone identifiers in IPv6 addresses (`[fe80::1%25en0]`).
    ///
    /// # Errors
    ///
    /// Only the grammars of RFC 3986 know them.
    pub const fn with_zone_ids(self) -> Result<Self, ZoneIdsUnsupported> {
        match self.grammar {
            Grammar::Uri | Grammar::UriReference | Grammar::AbsoluteUri | Grammar::RelativeRef => {
                Ok(Validator { zone_ids: true, ..self })
            }
            grammar => Err(ZoneIdsUnsupported(grammar)),
        }
    }

    /// The grammar that records are judged by.
    pub const fn grammar(&self) -> Grammar {
        self.grammar
    }

    /// Whether RFC 6874 zone identifiers are accepted.
    pub const fn zone_ids(&self) -> bool {
        self.zone_ids
    }

    /// As [`parse`](crate::parse).
    ///
    /// # Errors
    ///
    /// As [`parse`](crate::parse).
    pub fn parse(&self, record: &[u8]) -> Result<Components, Error> {
        grammar::parse(self.grammar, self.zone_ids, record)
    }

    /// Whether `record` is valid.
    pub fn is_valid(&self, record: &[u8]) -> bool {
        self.parse(record).is_ok()
    }
}

/// Zone identifiers were asked of a grammar that has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ZoneIdsUnsupported(Grammar);

impl fmt::Display for ZoneIdsUnsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the grammar {} has no zone identifiers; uri, uri-reference, absolute-uri and relative-ref have",
            self.0
        )
    }
}

impl core::error::Error for ZoneIdsUnsupported {}
