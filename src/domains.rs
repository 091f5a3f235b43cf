//! The public suffix of a host, and the domain that somebody registered under it, by the Public Suffix List.
//!
//! The crate `psl` has the list, compiled to code that allocates nothing. It is released when the list
//! changes, and depends only on the crate with its types. It adds 780 KB to the command, and ten seconds to
//! an optimised build.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use psl::{List, Psl as _, Type};

#[cfg(any(feature = "corpus", feature = "arrow"))]
use crate::grammar::Grammar;
#[cfg(any(feature = "corpus", feature = "arrow"))]
use crate::normal::push_normal_host;
use crate::work::{looked_at, memchr, memchr_iter, memrchr};

/// The date of the Public Suffix List that is compiled in, `YYYY-MM-DD`. The list itself has no date; this is
/// the day on which `psl` was released.
pub const PUBLIC_SUFFIX_LIST_DATE: &str = "2026-11-05";

/// The parts into which the Public Suffix List divides a host, as ranges of its bytes.
///
/// If the list does not have a suffix, the last label is the suffix. A dot at the host's end belongs to no
/// part.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Domains {
    /// The public suffix by the ICANN section: `uk` or `co.uk`.
    pub suffix: Range<usize>,
    /// The suffix and one more label; `None` if the host is a suffix itself.
    pub domain: Option<Range<usize>>,
    /// The public suffix by both sections, for example `github.io`.
    pub private_suffix: Range<usize>,
    /// The private suffix and one more label; `None` if the host is that suffix itself.
    pub private_domain: Option<Range<usize>>,
}

impl Domains {
    /// Returns the domains of a host. Letters may have any case. Labels may be in Punycode or UTF-8. Escapes
    /// are not decoded.
    ///
    /// Returns `None` if the host is an address, or has an empty label. A host whose last label is a number
    /// counts as an address.
    pub fn of(host: &[u8]) -> Option<Self> {
        looked_at(host.len());
        let name = host.strip_suffix(b".").unwrap_or(host);
        if is_number_or_bracket(name) || has_empty_label(name) {
            return None;
        }
        if !name.is_ascii() {
            return Domains::beyond_ascii(name);
        }
        let lower;
        let text = if name.iter().fold(false, |any, byte| any | byte.is_ascii_uppercase()) {
            lower = name.to_ascii_lowercase();
            &lower
        } else {
            name
        };
        let (public, private) = suffixes(text);
        Some(Domains {
            suffix: public..name.len(),
            domain: one_more_label(name, public),
            private_suffix: private..name.len(),
            private_domain: one_more_label(name, private),
        })
    }

    /// Finds the domains of a name beyond ASCII. Letters in lower case can have other lengths, so this
    /// function counts labels.
    #[cold]
    fn beyond_ascii(name: &[u8]) -> Option<Self> {
        let lower = lower_case(name);
        let (public, private) = suffixes(&lower);
        let labels = |start: usize| 1 + memchr_iter(b'.', &lower[start..]).count();
        let (public, private) = (last_labels(name, labels(public))?, last_labels(name, labels(private))?);
        Some(Domains {
            domain: one_more_label(name, public.start),
            private_domain: one_more_label(name, private.start),
            suffix: public,
            private_suffix: private,
        })
    }
}

/// Finds the [`Domains`] of many hosts. A run of equal hosts takes one look-up.
#[derive(Clone, Debug, Default)]
pub struct DomainFinder {
    host: Vec<u8>,
    found: Option<Domains>,
}

impl DomainFinder {
    /// Returns the [`Domains`] of the host.
    pub fn find(&mut self, host: &[u8]) -> Option<&Domains> {
        looked_at(host.len());
        if self.host != host {
            self.host.clear();
            self.host.extend_from_slice(host);
            self.found = Domains::of(&self.host);
        }
        self.found.as_ref()
    }
}

/// A part of a host, in lower case. Escapes are in their normal form, so that equivalent hosts have the same
/// parts.
#[cfg(any(feature = "corpus", feature = "arrow"))]
pub(crate) enum HostPart {
    /// These bytes of the host.
    Within(Range<usize>),
    /// Another text.
    Made(Vec<u8>),
}

/// Finds parts of the hosts of records, one after the other. A run of equal hosts takes one look-up.
#[cfg(any(feature = "corpus", feature = "arrow"))]
pub(crate) struct HostParts {
    grammar: Grammar,
    /// The last host.
    host: Vec<u8>,
    /// Its normal form, if it has escapes; empty otherwise.
    normal: Vec<u8>,
    /// The domains of the normal form or, without escapes, of the host.
    domains: Option<Domains>,
}

#[cfg(any(feature = "corpus", feature = "arrow"))]
impl HostParts {
    pub(crate) fn new(grammar: Grammar) -> Self {
        HostParts { grammar, host: Vec::new(), normal: Vec::new(), domains: None }
    }

    /// Returns the part of a valid record's host that `pick` picks; `None` if the host has no domains, or
    /// lacks the part.
    ///
    /// The bytes of a mapped file may change at any time: then the result means nothing.
    pub(crate) fn find(
        &mut self,
        host: &[u8],
        pick: impl Fn(&Domains) -> Option<Range<usize>>,
    ) -> Option<HostPart> {
        looked_at(host.len());
        if self.host != host {
            self.look_up(host);
        }
        let part = pick(self.domains.as_ref()?)?;
        if !self.normal.is_empty() {
            return Some(HostPart::Made(self.normal[part].to_vec()));
        }
        Some(match lower_case(&self.host[part.clone()]) {
            Cow::Borrowed(_) => HostPart::Within(part),
            Cow::Owned(lower) => HostPart::Made(lower),
        })
    }

    fn look_up(&mut self, host: &[u8]) {
        self.host.clear();
        self.host.extend_from_slice(host);
        self.normal.clear();
        if memchr(b'%', &self.host).is_some() {
            push_normal_host(self.grammar, &self.host, &mut self.normal);
        }
        self.domains = Domains::of(if self.normal.is_empty() { &self.host } else { &self.normal });
    }
}

/// Returns true if the last label is a number, or ends with a bracket.
fn is_number_or_bracket(name: &[u8]) -> bool {
    match name.last() {
        Some(b'0'..=b'9') => {
            name[memrchr(b'.', name).map_or(0, |dot| dot + 1)..].iter().all(u8::is_ascii_digit)
        }
        last => last == Some(&b']'),
    }
}

fn has_empty_label(name: &[u8]) -> bool {
    let pairs = || name.iter().zip(name.iter().skip(1));
    // Without branches, since names are short.
    let has_two_dots = || pairs().fold(false, |any, (one, next)| any | (*one == b'.') & (*next == b'.'));
    name.is_empty() || name.starts_with(b".") || name.ends_with(b".") || has_two_dots()
}

/// Returns the name in lower case, as the list writes it.
fn lower_case(name: &[u8]) -> Cow<'_, [u8]> {
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

/// Returns the start of the public suffix by the ICANN section alone, and the start with the private section.
fn suffixes(name: &[u8]) -> (usize, usize) {
    let (mut rest, mut private) = (name, None);
    loop {
        let found = List.find(rest.rsplit(|&byte| byte == b'.'));
        let start = name.len() - found.len;
        let private = *private.get_or_insert(start);
        match memchr(b'.', &name[start..]) {
            // An ICANN rule for the same name is shorter than the private rule.
            Some(dot) if found.typ == Some(Type::Private) => rest = &name[start + dot + 1..],
            _ => return (start, private),
        }
    }
}

/// Returns the range of the suffix that starts at `suffix`, with one more label.
fn one_more_label(name: &[u8], suffix: usize) -> Option<Range<usize>> {
    let before = &name[..suffix.checked_sub(1)?];
    Some(memrchr(b'.', before).map_or(0, |dot| dot + 1)..name.len())
}

/// Returns the range of the last `count` labels of a name.
fn last_labels(name: &[u8], count: usize) -> Option<Range<usize>> {
    let mut start = name.len() + 1;
    for _ in 0..count {
        start = memrchr(b'.', name.get(..start.checked_sub(1)?)?).map_or(0, |dot| dot + 1);
    }
    Some(start..name.len())
}
