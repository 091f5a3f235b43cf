//! Sets of hosts: whether a list of names has the host of a URI, for lists of millions of names.
//!
//! | module | does |
//! |---|---|
//! | `line` | the lines of a list: plain names, hosts files, and the plain domains of adblock lists |
//! | `name` | the form in which names and hosts are compared |
//! | `hash` | the hashes of a name and of all names above it, in one pass from the end |
//! | `packed` | the names, with 6 bits for a character |
//! | `builder` | [`HostSetBuilder`]: reads lists, and makes the table |
//!
//! A set answers exactly, because it holds all names. A name takes a byte for its length, 6 bits for each
//! character, a byte for its tag, four for its place, and two thirds of a byte for its bucket. So a name of 14
//! characters takes 17.2 bytes, and one of 22 takes 23.2. The table is made when all names are known, and has
//! no empty places: a table that grows takes up to twice its memory, and three times while it grows.
//!
//! A look-up of many hosts takes each step for a group of them before the next step. The processor then waits
//! for many places in memory at the same time. Hosts in random order take half the time that they take one by
//! one.

mod builder;
mod hash;
mod line;
mod name;
mod packed;
#[cfg(test)]
mod tests;

use alloc::vec::Vec;

pub use self::builder::{HostListError, HostListFacts, HostListReader, HostSetBuilder};
use self::hash::{Seed, each_suffix};
pub use self::line::HostListFault;
use self::name::{HostName, without_dot};
use self::packed::PackedNames;
use crate::work::looked_at;

/// The number of hosts that are looked up at a time.
const GROUP: usize = 64;

/// The most records whose hosts are looked up at a time: many records in a row may have the same host.
const RECORDS: usize = 4096;

/// The number of names in a bucket, on average.
const BUCKET: usize = 6;

/// The bit of a tag that says that the names below belong to the set.
const BELOW: u8 = 0x80;

/// A set of hosts: names, each alone or with all names below it, and addresses.
///
/// Hosts are compared in a normal form: in lower case, with all escapes decoded, and without a dot at the end.
/// A name beyond ASCII is equal to its form in Punycode (feature `domains`). Two addresses of IPv6 are equal if
/// they stand for the same address, with or without brackets.
///
/// ```
/// use urivalidate::HostSet;
///
/// let list = b"example.com\n.example.org # and all below\n0.0.0.0 ads.example.net\n||example.edu^\n";
/// let set = HostSet::from_list(list)?;
/// assert!(set.contains(b"Example.COM.") && !set.contains(b"www.example.com"));
/// assert!(set.contains(b"example.org") && set.contains(b"a.b.example.org"));
/// assert!(set.contains(b"ads.example.net") && set.contains(b"www.example.edu"));
/// assert!(!set.contains(b"badexample.org") && !set.contains(b""));
/// # Ok::<(), urivalidate::HostListError>(())
/// ```
#[derive(Clone, Debug)]
pub struct HostSet {
    seed: Seed,
    names: PackedNames,
    /// The first entry of each bucket, and the number of entries.
    starts: Vec<u32>,
    /// A tag for each entry: seven bits of the hash, and [`BELOW`]. Eight more bytes follow, so that eight can
    /// be read at each entry.
    tags: Vec<u8>,
    /// The place of each entry's name.
    places: Vec<u32>,
    /// The numbers of labels of the names with all names below: bit `n` stands for `n` labels, the last bit
    /// also for more.
    depths: u64,
}

/// A name that may be in the set, and the entries to compare it with.
#[derive(Clone, Copy, Debug)]
struct Probe {
    /// The number of the host in its group.
    host: u32,
    /// The length of the name in bytes.
    len: u32,
    /// The first of the entries, or before they are known, the bucket.
    start: u32,
    end: u32,
    tag: u8,
    /// The bits of tags that count: entries without the names below count only for the whole host.
    kinds: u8,
}

/// An entry with the tag of a probe.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    probe: u32,
    /// The entry, and then the place of its name.
    place: u32,
}

/// The memory of look-ups.
#[derive(Debug, Default)]
struct LookUp<'h> {
    hosts: Vec<&'h [u8]>,
    /// The hosts that are not in their normal form, or may be addresses, each with its number.
    others: Vec<(u32, Option<HostName>)>,
    probes: Vec<Probe>,
    candidates: Vec<Candidate>,
    found: Vec<bool>,
}

impl HostSet {
    /// Makes a set of a list. [`HostSetBuilder`] describes its lines.
    ///
    /// # Errors
    ///
    /// Returns an error if a line is of no known kind, or if memory runs out.
    pub fn from_list(list: &[u8]) -> Result<Self, HostListError> {
        let mut builder = HostSetBuilder::new();
        builder.list().add(list)?;
        Ok(builder.build()?)
    }

    /// Returns the number of different names.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns true if the set has no name.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns the number of bytes of memory that the set holds.
    pub fn held_bytes(&self) -> usize {
        (self.starts.capacity() + self.places.capacity()) * size_of::<u32>()
            + self.tags.capacity()
            + self.names.held_bytes()
    }

    /// Returns true if the set has the host of a valid URI. An address of IPv6 has its brackets. No set has the
    /// empty host.
    pub fn contains(&self, host: &[u8]) -> bool {
        let mut is_in = false;
        self.contains_each([Some(host)], |_, found| is_in = found);
        is_in
    }

    /// Passes to `take` the number of each host, counted from 0 and in order, and whether the set
    /// [has](Self::contains) the host. `None` stands for a record without a host, which no set has. For hosts in
    /// random order, this takes half the time of single look-ups; equal hosts in a row take one look-up.
    pub fn contains_each<'h>(
        &self,
        hosts: impl IntoIterator<Item = Option<&'h [u8]>>,
        mut take: impl FnMut(usize, bool),
    ) {
        const NONE: u8 = u8::MAX;

        let mut look_up = LookUp::default();
        // The number of the host in its group, for each record.
        let mut records: Vec<u8> = Vec::new();
        let mut first = 0;
        let mut give = |records: &mut Vec<u8>, look_up: &mut LookUp<'h>| {
            self.look_up(look_up);
            for (record, &host) in records.iter().enumerate() {
                take(first + record, look_up.found.get(usize::from(host)).copied().unwrap_or(false));
            }
            first += records.len();
            records.clear();
            look_up.hosts.clear();
        };
        for host in hosts {
            let number = match host {
                None => NONE,
                Some(host) => {
                    if look_up.hosts.last().is_none_or(|last| *last != host) {
                        if look_up.hosts.len() == GROUP {
                            give(&mut records, &mut look_up);
                        }
                        look_up.hosts.push(host);
                    }
                    looked_at(host.len());
                    look_up.hosts.len() as u8 - 1
                }
            };
            records.push(number);
            if records.len() == RECORDS {
                give(&mut records, &mut look_up);
            }
        }
        give(&mut records, &mut look_up);
    }

    /// Looks up a group of hosts.
    fn look_up<'h>(&self, look_up: &mut LookUp<'h>) {
        let LookUp { hosts, others, probes, candidates, found } = look_up;
        found.clear();
        found.resize(hosts.len(), false);
        if self.is_empty() {
            return;
        }
        others.clear();
        probes.clear();
        candidates.clear();
        for (host, number) in hosts.iter().zip(0..) {
            let before = probes.len();
            if !self.push_probes(host, number, true, probes) {
                probes.truncate(before);
                others.push((number, HostName::of_host(host)));
            }
        }
        for (number, other) in others.iter() {
            if let Some(HostName { name, is_address }) = other {
                let before = probes.len();
                self.push_probes(name, *number, false, probes);
                if *is_address {
                    // The host itself is the last.
                    let whole = probes.pop();
                    probes.truncate(before);
                    probes.extend(whole);
                }
            }
        }
        for probe in probes.iter_mut() {
            let bucket = probe.start as usize;
            (probe.start, probe.end) = (self.starts[bucket], self.starts[bucket + 1]);
        }
        for (probe, number) in probes.iter().zip(0..) {
            self.each_with_tag(probe, |entry| candidates.push(Candidate { probe: number, place: entry }));
        }
        for candidate in candidates.iter_mut() {
            candidate.place = self.places[candidate.place as usize];
        }
        for Candidate { probe, place } in candidates.iter() {
            let probe = &probes[*probe as usize];
            let is_found = &mut found[probe.host as usize];
            if !*is_found {
                let other = others.iter().find(|(number, _)| *number == probe.host);
                let name = match other {
                    Some((_, other)) => other.as_ref().map_or(&[][..], |other| &other.name),
                    None => without_dot(hosts[probe.host as usize]),
                };
                *is_found = self.names.is(*place, &name[name.len() - probe.len as usize..]);
            }
        }
    }

    /// Appends the names that may be in the set: the host, and the names above it. Returns false if the host
    /// needs its [normal form](HostName::of_host) first; then the probes mean nothing.
    #[inline]
    fn push_probes(&self, host: &[u8], number: u32, checks: bool, probes: &mut Vec<Probe>) -> bool {
        let name = if checks { without_dot(host) } else { host };
        if checks && HostName::may_be_address(name) {
            return false;
        }
        each_suffix(self.seed, name, self.depths, |len, hash, is_whole| {
            // Names above the host count only if those below them do.
            let (tag, kinds) = if is_whole { (0, !BELOW) } else { (BELOW, !0) };
            let (tag, start) = (tag | tag_of(hash), bucket(hash, self.starts.len() - 1));
            probes.push(Probe { host: number, len: len as u32, start, end: 0, tag, kinds });
        }) || !checks
    }

    /// Passes the entries of a probe's bucket that have its tag to `take`.
    #[inline]
    fn each_with_tag(&self, probe: &Probe, mut take: impl FnMut(u32)) {
        const ONES: u64 = u64::MAX / 0xFF;

        let (wanted, kinds) = (u64::from(probe.tag) * ONES, u64::from(probe.kinds) * ONES);
        let mut at = probe.start as usize;
        let end = probe.end as usize;
        while at < end {
            let Some(tags) = self.tags.get(at..).and_then(<[u8]>::first_chunk) else { return };
            let mut equal = hash::zero_bytes((u64::from_le_bytes(*tags) ^ wanted) & kinds);
            if end - at < 8 {
                equal &= (1 << (8 * (end - at))) - 1;
            }
            while equal != 0 {
                take((at + equal.trailing_zeros() as usize / 8) as u32);
                equal &= equal - 1;
            }
            at += 8;
        }
        looked_at(end - probe.start as usize);
    }
}

/// Returns the bucket of a hash.
fn bucket(hash: u64, buckets: usize) -> u32 {
    (((hash >> 32) * buckets as u64) >> 32) as u32
}

/// Returns the tag of a hash, without its kind.
fn tag_of(hash: u64) -> u8 {
    hash as u8 & !BELOW
}
