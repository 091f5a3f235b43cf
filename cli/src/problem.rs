//! What is wrong with a line: its record is invalid, or it does not fit its format.

use std::fmt;

use urivalidate::corpus::Malformed;
use urivalidate::{Component, Error};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    Invalid(Error),
    Malformed(Malformed),
}

impl Problem {
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Problem::Invalid(error) => error.kind().name(),
            Problem::Malformed(_) => "malformed-line",
        }
    }

    pub(crate) fn component(self) -> Option<Component> {
        match self {
            Problem::Invalid(error) => error.component(),
            Problem::Malformed(_) => None,
        }
    }

    /// 0-based, in the record; there is none of a line that does not fit.
    pub(crate) fn offset(self) -> Option<u64> {
        match self {
            Problem::Invalid(error) => Some(error.offset() as u64),
            Problem::Malformed(_) => None,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Invalid(error) => error.fmt(f),
            Problem::Malformed(reason) => reason.fmt(f),
        }
    }
}
