//! Columns that are made of a host: the record's, that of its page, or that of its target.
//!
//! Values are made of the host's normal form, so that equivalent hosts have equal values: letters are in
//! lower case, and escapes are decoded where RFC 3986 section 6.2.2.2 decodes them.

use alloc::vec::Vec;
#[cfg(feature = "domains")]
use core::ops::Range;

use crate::components::HostKind;
#[cfg(feature = "domains")]
use crate::domains::{Domains, HostPart, HostParts};
use crate::grammar::Rules;
use crate::normal::push_normal_host;
use crate::row_column::RowColumn;
use crate::work::looked_at;

/// The record, page or target whose host it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    Record,
    Page,
    Target,
}

/// The value that is made of a host.
#[derive(Clone, Copy)]
enum Made {
    /// The host in its normal form.
    Normal,
    /// The labels of a name, the last one first.
    Reversed,
    /// A name in ASCII, or an address.
    #[cfg(feature = "domains")]
    Ascii,
    /// A part of a name that the Public Suffix List knows.
    #[cfg(feature = "domains")]
    Part(fn(&Domains) -> Option<Range<usize>>),
}

/// A column that is made of a host.
#[derive(Clone, Copy)]
pub(crate) struct HostColumn {
    pub(super) whose: Whose,
    made: Made,
}

impl HostColumn {
    /// Returns the column, if it is made of a host.
    pub(crate) fn of(column: RowColumn) -> Option<Self> {
        let (whose, made) = match column {
            RowColumn::HostReversed => (Whose::Record, Made::Reversed),
            #[cfg(feature = "domains")]
            RowColumn::HostAscii => (Whose::Record, Made::Ascii),
            #[cfg(feature = "domains")]
            RowColumn::Suffix => (Whose::Record, Made::Part(|found| Some(found.suffix.clone()))),
            #[cfg(feature = "domains")]
            RowColumn::Domain => (Whose::Record, Made::Part(|found| found.domain.clone())),
            #[cfg(feature = "domains")]
            RowColumn::PrivateSuffix => {
                (Whose::Record, Made::Part(|found| Some(found.private_suffix.clone())))
            }
            #[cfg(feature = "domains")]
            RowColumn::PrivateDomain => (Whose::Record, Made::Part(|found| found.private_domain.clone())),
            RowColumn::PageHost => (Whose::Page, Made::Normal),
            #[cfg(feature = "domains")]
            RowColumn::PageDomain => (Whose::Page, Made::Part(|found| found.domain.clone())),
            RowColumn::ResolvedHost => (Whose::Target, Made::Normal),
            #[cfg(feature = "domains")]
            RowColumn::ResolvedDomain => (Whose::Target, Made::Part(|found| found.domain.clone())),
            _ => return None,
        };
        Some(HostColumn { whose, made })
    }
}

/// Makes the values of a column of hosts, one after the other. A run of equal hosts takes one look-up.
pub(crate) struct HostValues {
    rules: Rules,
    made: Made,
    #[cfg(feature = "domains")]
    parts: HostParts,
    /// The last host.
    last: Vec<u8>,
    /// Whether the last host has a value, and its value.
    has_value: bool,
    value: Vec<u8>,
}

impl HostValues {
    pub(crate) fn new(column: HostColumn, rules: Rules) -> Self {
        HostValues {
            rules,
            made: column.made,
            #[cfg(feature = "domains")]
            parts: HostParts::new(rules.grammar()),
            last: Vec::new(),
            has_value: false,
            value: Vec::new(),
        }
    }

    /// Returns the value for the host of a valid record; `None` if the host has none.
    ///
    /// The bytes of a mapped file may change at any time: then the result means nothing.
    #[inline]
    pub(crate) fn find(&mut self, host: &[u8]) -> Option<&[u8]> {
        looked_at(host.len());
        if self.last != host {
            self.last.clear();
            self.last.extend_from_slice(host);
            self.has_value = self.make();
        }
        self.has_value.then_some(&self.value)
    }

    /// Makes the value of the last host, and returns true if there is one.
    fn make(&mut self) -> bool {
        let host = &self.last[..];
        self.value.clear();
        #[cfg(feature = "domains")]
        if let Made::Part(pick) = self.made {
            match self.parts.find(host, pick) {
                Some(HostPart::Within(part)) => self.value.extend_from_slice(&host[part]),
                Some(HostPart::Made(part)) => self.value = part,
                None => return false,
            }
            return true;
        }
        let mut normal = Vec::with_capacity(host.len());
        push_normal_host(self.rules.grammar(), host, &mut normal);
        let is_name = matches!(self.rules.host(host).0, HostKind::RegName | HostKind::Hostname);
        match self.made {
            Made::Reversed if is_name => {
                let name = normal.strip_suffix(b".").unwrap_or(&normal);
                for (index, label) in name.rsplit(|&byte| byte == b'.').enumerate() {
                    if index > 0 {
                        self.value.push(b'.');
                    }
                    self.value.extend_from_slice(label);
                }
            }
            Made::Reversed => {}
            #[cfg(feature = "domains")]
            Made::Ascii if is_name => match super::ascii::name_in_ascii(&normal) {
                Some(name) => self.value = name,
                None => return false,
            },
            _ => self.value = normal,
        }
        !self.value.is_empty()
    }
}
