//! The public suffix of a host, and the domain that somebody registered under it, by the Public Suffix List.
//!
//! The crate `psl` has the list, compiled to code that allocates nothing; it is released whenever the list changed, and depends on its own
//! types alone. It adds 780 KB to the command, and ten seconds to an optimised build.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use psl::{List, Psl as _, Type};

use crate::work::{looked_at, memchr, memrchr};

/// The day of the Public Suffix List that is compiled in, `YYYY-MM-DD`. The list itself says none: it is the day on which `psl` was released.
pub const PUBLIC_SUFFIX_LIST_DAY: &str = "2026-11-05";

/// The parts of a host that the Public Suffix List tells apart, as bytes of the host.
///
/// A suffix that the list does not have is the last label. A dot at the host's end is in no part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domains {
    /// The public suffix by the ICANN section: `uk` or `co.uk`.
    pub suffix: Range<usize>,
    /// The suffix and one label more; `None` if the host is a suffix itself.
    pub domain: Option<Range<usize>>,
    /// The public suffix by both sections: `github.io`, too.
    pub private_suffix: Range<usize>,
    /// That suffix and one label more.
    pub private_domain: Option<Range<usize>>,
}

impl Domains {
    /// Those of a host, with letters of any case, and labels in Punycode or UTF-8.
    ///
    /// `None` if the host is an address, or has an empty label. A host whose last label is a number counts as an address.
    pub fn of(host: &[u8]) -> Option<Self> {
        looked_at(host.len());
        let name = host.strip_suffix(b".").unwrap_or(host);
        let last = &name[memrchr(b'.', name).map_or(0, |dot| dot + 1)..];
        if last.iter().all(u8::is_ascii_digit) || last.ends_with(b"]") || has_empty_label(name) {
            return None;
        }
        let lower = lower_case(name);
        let (public, private) = labels_of_suffixes(&lower);
        Some(Domains {
            suffix: last_labels(name, public)?,
            domain: last_labels(name, public + 1),
            private_suffix: last_labels(name, private)?,
            private_domain: last_labels(name, private + 1),
        })
    }
}

/// Finds the [`Domains`] of one host after the other. In runs of equal hosts each is looked up once.
#[derive(Clone, Debug, Default)]
pub struct DomainFinder {
    host: Vec<u8>,
    found: Option<Domains>,
}

impl DomainFinder {
    /// [`Domains::of`] the host.
    pub fn find(&mut self, host: &[u8]) -> Option<&Domains> {
        looked_at(host.len());
        if self.host != host {
            self.host.clear();
            self.host.extend_from_slice(host);
            self.found = Domains::of(host);
        }
        self.found.as_ref()
    }
}

fn has_empty_label(name: &[u8]) -> bool {
    name.starts_with(b".") || name.ends_with(b".") || name.windows(2).any(|two| two == b"..")
}

/// The name as the list has its own.
pub(crate) fn lower_case(name: &[u8]) -> Cow<'_, [u8]> {
    if name.is_ascii() {
        return match name.iter().any(u8::is_ascii_uppercase) {
            true => Cow::Owned(name.to_ascii_lowercase()),
            false => Cow::Borrowed(name),
        };
    }
    match str::from_utf8(name) {
        Ok(name) => Cow::Owned(String::from(name).to_lowercase().into_bytes()),
        Err(_) => Cow::Borrowed(name),
    }
}

/// The number of labels of the public suffix by the ICANN section alone, and with the private one.
fn labels_of_suffixes(name: &[u8]) -> (usize, usize) {
    let (mut name, mut private) = (name, None);
    loop {
        let found = List.find(name.rsplit(|&byte| byte == b'.'));
        let suffix = &name[name.len() - found.len..];
        let count = 1 + suffix.iter().filter(|&&byte| byte == b'.').count();
        let private = *private.get_or_insert(count);
        match memchr(b'.', suffix) {
            // A rule of the ICANN section is shorter than a private one that matches, too.
            Some(dot) if found.typ == Some(Type::Private) => name = &suffix[dot + 1..],
            _ => return (count, private),
        }
    }
}

/// The range of the last `count` labels of a name.
fn last_labels(name: &[u8], count: usize) -> Option<Range<usize>> {
    let mut start = name.len() + 1;
    for _ in 0..count {
        start = memrchr(b'.', name.get(..start.checked_sub(1)?)?).map_or(0, |dot| dot + 1);
    }
    Some(start..name.len())
}
