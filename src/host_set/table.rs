//! The table of names, and look-ups.

use alloc::vec::Vec;
use core::hint::black_box;

use super::hash::{Seed, each_suffix, zero_bytes};
use super::name::{HostName, without_dot};
use super::packed::{are_codes_of, packed_len};
use super::segments::Segments;
use crate::work::looked_at;

/// The number of hosts that are looked up at a time.
const GROUP: usize = 64;

/// The most records whose hosts are looked up at a time: many records in a row may have the same host.
const RECORDS: usize = 4096;

/// The number of parts of a table. A name is in the part with the number of the highest bits of its hash.
pub(super) const PARTS: usize = 64;

/// The number of tags in the first bytes of a bucket, with which look-ups begin.
const FIRST_TAGS: usize = 7;

/// The usual number of bytes in a line of a cache.
const CACHE_LINE: u32 = 64;

/// The bit of a tag that says that the names below belong to the set.
pub(super) const BELOW: u8 = 0x80;

/// A set of hosts: names, each alone or with all names below it, and addresses.
///
/// Hosts are compared in a normal form: in lower case, with all escapes decoded, and without a dot at the
/// end. A name beyond ASCII is equal to its form in Punycode (feature `domains`). Two addresses of IPv6 are
/// equal if they stand for the same address, with or without brackets.
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
    pub(super) seed: Seed,
    /// The number of different names.
    pub(super) len: usize,
    /// The place of each bucket. A bucket has the number of its names, their tags, and the names; a name has
    /// its length and its codes.
    pub(super) places: Vec<u32>,
    /// Three bits for each name, of the word that its hash chooses. So most names that are not in the set
    /// need no other look.
    pub(super) filter: Vec<u64>,
    /// The first bucket of each part, and the number of its buckets.
    pub(super) parts: [(u32, u32); PARTS],
    pub(super) buckets: Segments,
    /// The numbers of labels of the names with all names below: bit `n` stands for `n` labels, the last bit
    /// also for more.
    pub(super) depths: u64,
}

/// What a table needs of a hash.
#[derive(Clone, Copy, Debug)]
pub(super) struct HashParts {
    pub(super) part: usize,
    /// The bits that choose a bucket of the part.
    pub(super) in_part: u32,
    /// The tag, without [`BELOW`].
    pub(super) tag: u8,
}

impl HashParts {
    #[inline(always)]
    pub(super) fn of(hash: u64) -> Self {
        const SHIFT: u32 = u64::BITS - PARTS.ilog2();
        let in_part = (hash >> (SHIFT - u32::BITS)) as u32;
        HashParts { part: (hash >> SHIFT) as usize, in_part, tag: hash as u8 & !BELOW }
    }

    /// Returns the number of the word of a filter with this number of words, and the bits of the name in it.
    #[inline(always)]
    pub(super) fn in_filter(self, words: usize) -> (usize, u64) {
        let place = ((self.part as u64) << 32 | u64::from(self.in_part)) << (32 - PARTS.ilog2());
        let word = ((place >> 32) * words as u64) >> 32;
        let bit = |shift: u32| 1 << ((self.in_part >> shift) & 63);
        (word as usize, bit(0) | bit(6) | bit(12))
    }

    /// Returns the number of the bucket, if the part has this number of buckets.
    #[inline(always)]
    pub(super) fn bucket(in_part: u32, buckets: u32) -> u32 {
        ((u64::from(in_part) * u64::from(buckets)) >> 32) as u32
    }
}

/// A name that may be in the set.
#[derive(Clone, Copy, Debug)]
struct Probe {
    hash: HashParts,
    /// The first bytes of the bucket: the number of names, and tags.
    head: u64,
    /// The number of the host in its group.
    host: u32,
    /// The length of the name in bytes.
    len: u32,
    /// The bucket, and then its place.
    place: u32,
    tag: u8,
    /// The bits of tags that count: names without those below count only for the whole host.
    kinds: u8,
}

/// The memory of look-ups.
#[derive(Debug, Default)]
struct LookUp<'h> {
    hosts: Vec<&'h [u8]>,
    /// The hosts that are not in their normal form, or may be addresses, each with its number.
    others: Vec<(u32, Option<HostName>)>,
    probes: Vec<Probe>,
    found: Vec<bool>,
}

impl HostSet {
    /// Returns the number of different names.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if the set has no name.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of bytes of memory that the set holds.
    pub fn held_bytes(&self) -> usize {
        let table = self.places.capacity() * size_of::<u32>() + self.filter.capacity() * size_of::<u64>();
        table + self.buckets.held_bytes()
    }

    /// Returns true if the set has the host of a valid URI. An address of IPv6 has its brackets. No set has
    /// the empty host.
    pub fn contains(&self, host: &[u8]) -> bool {
        let mut is_in = false;
        self.contains_each([Some(host)], |_, found| is_in = found);
        is_in
    }

    /// Passes to `take` the number of each host, counted from 0 and in order, and whether the set
    /// [has](Self::contains) the host. `None` stands for a record without a host, which no set has. For hosts
    /// in random order, this takes half the time of single look-ups; equal hosts in a row take one look-up.
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
        let LookUp { hosts, others, probes, found } = look_up;
        found.clear();
        found.resize(hosts.len(), false);
        if self.is_empty() {
            return;
        }
        others.clear();
        probes.clear();
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
        // Keeps the names that may be in the set, without a branch for each.
        let mut kept = 0;
        for index in 0..probes.len() {
            let probe = probes[index];
            let (word, bits) = probe.hash.in_filter(self.filter.len());
            probes[kept] = probe;
            kept += usize::from(self.filter[word] & bits == bits);
        }
        probes.truncate(kept);
        for probe in probes.iter_mut() {
            let (first, buckets) = self.parts[probe.hash.part];
            probe.place = first + HashParts::bucket(probe.hash.in_part, buckets);
        }
        for probe in probes.iter_mut() {
            probe.place = self.places[probe.place as usize];
        }
        for probe in probes.iter_mut() {
            probe.head = self.buckets.word(probe.place);
            // Most buckets reach into the next line of the cache, which is now on its way, too.
            black_box(self.buckets.word(probe.place.saturating_add(CACHE_LINE)));
        }
        for probe in probes.iter() {
            let is_found = &mut found[probe.host as usize];
            let equal = probe.equal_tags();
            if *is_found || equal == 0 {
                continue;
            }
            let other = others.iter().find(|(number, _)| *number == probe.host);
            let name = match other {
                Some((_, other)) => other.as_ref().map_or(&[][..], |other| &other.name),
                None => without_dot(hosts[probe.host as usize]),
            };
            *is_found = self.has(probe, equal, &name[name.len() - probe.len as usize..]);
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
            let hash = HashParts::of(hash);
            let tag = tag | hash.tag;
            probes.push(Probe { hash, head: 0, host: number, len: len as u32, place: 0, tag, kinds });
        }) || !checks
    }

    /// Returns true if the bucket of a probe has this name. `equal` are the equal tags in the first bytes.
    #[inline]
    fn has(&self, probe: &Probe, mut equal: u64, name: &[u8]) -> bool {
        let bucket = self.buckets.from(probe.place);
        let Some((&count, rest)) = bucket.split_first() else { return false };
        let Some((tags, mut names)) = rest.split_at_checked(usize::from(count)) else { return false };
        looked_at(tags.len());
        if tags.len() > FIRST_TAGS {
            let mut tags = tags.iter();
            return tags.any(|&tag| {
                let Some((&len, codes)) = names.split_first() else { return false };
                names = codes.get(packed_len(usize::from(len))..).unwrap_or_default();
                let is_such = (tag ^ probe.tag) & probe.kinds == 0 && usize::from(len) == name.len();
                is_such && are_codes_of(codes, name)
            });
        }
        let mut index = 0;
        while equal != 0 {
            let wanted = equal.trailing_zeros() / 8 - 1;
            while index < wanted {
                let len = names.first().map_or(0, |&len| usize::from(len));
                names = names.get(1 + packed_len(len)..).unwrap_or_default();
                index += 1;
            }
            let Some((&len, codes)) = names.split_first() else { return false };
            if usize::from(len) == name.len() && are_codes_of(codes, name) {
                return true;
            }
            equal &= equal - 1;
        }
        false
    }
}

impl Probe {
    /// Returns the high bit of each of the first bytes of the bucket that is a tag equal to that of the
    /// probe. If the bucket has more tags than these bytes, the result is never 0.
    #[inline(always)]
    fn equal_tags(&self) -> u64 {
        const ONES: u64 = u64::MAX / 0xFF;

        let (tag, kinds) = (u64::from(self.tag) * ONES, u64::from(self.kinds) * ONES);
        let equal = zero_bytes((self.head ^ tag) & kinds);
        let count = self.head & 0xFF;
        match count {
            0..7 => equal & ((1 << (8 * (count + 1))) - 1) & !0xFF,
            7 => equal & !0xFF,
            _ => equal | 0x80,
        }
    }
}
