//! Look-ups, for a group of hosts at a time:
//!
//! ```text
//! hosts -> candidates: the hosts and the names above them, with their hashes
//!       -> probes: the candidates that pass the filter, with their buckets
//!       -> found: the hosts whose buckets have their names
//! ```

use alloc::vec::Vec;

use super::hash::{each_suffix, zero_bytes};
use super::name::{HostName, without_dot};
use super::packed::{are_codes_of, packed_len};
use super::table::{BELOW, HashParts, HostSet};
use crate::simd::prefetch;
use crate::work::looked_at;

/// The number of hosts that are looked up at a time.
const GROUP: usize = 64;

/// The most records whose hosts are looked up at a time: many records in a row may have the same host.
const RECORDS: usize = 4096;

/// The number of tags in the first bytes of a bucket, with which look-ups begin.
const FIRST_TAGS: usize = 7;

/// The usual number of bytes in a line of a cache.
const CACHE_LINE: usize = 64;

/// A host, or a name above it, that may be in the set.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    hash: u64,
    /// The number of the host in its group.
    host: u32,
    /// The length of the name in bytes.
    len: u16,
    /// Whether the name is the whole host. A name above it counts only if the set has all names below.
    is_whole: bool,
}

/// A candidate that passes the filter.
#[derive(Clone, Copy, Debug)]
struct Probe {
    of: Candidate,
    /// The bucket, and then its place.
    place: u32,
    /// The first bytes of the bucket: the number of names, and tags.
    head: u64,
}

/// The memory of look-ups.
#[derive(Debug, Default)]
struct LookUp<'h> {
    hosts: Vec<&'h [u8]>,
    /// The hosts that are not in their normal form, or may be addresses, each with its number.
    others: Vec<(u32, Option<HostName>)>,
    candidates: Vec<Candidate>,
    probes: Vec<Probe>,
    found: Vec<bool>,
}

impl HostSet {
    /// Returns true if the set has the host of a valid URI. An address of IPv6 has its brackets. No set has
    /// the empty host.
    pub fn contains(&self, host: &[u8]) -> bool {
        let mut is_in = false;
        self.contains_each([Some(host)], |_, found| is_in = found);
        is_in
    }

    /// Passes to `take` the number of each host, counted from 0 and in order, and whether the set
    /// [has](Self::contains) the host. `None` stands for a record without a host, which no set has. This
    /// waits less for memory than single look-ups do, and looks up equal hosts in a row once.
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
        let LookUp { hosts, others, candidates, probes, found } = look_up;
        found.clear();
        found.resize(hosts.len(), false);
        if self.is_empty() {
            return;
        }
        others.clear();
        candidates.clear();
        // The set may have no names whose names below belong to it, which is the usual list of names.
        if self.depths == 0 {
            self.push_candidates::<false>(hosts, others, candidates);
        } else {
            self.push_candidates::<true>(hosts, others, candidates);
        }
        self.push_probes(candidates, probes);
        for probe in probes.iter() {
            let (equal, host) = (probe.equal_tags(), probe.of.host);
            let is_found = &mut found[host as usize];
            if *is_found || equal == 0 {
                continue;
            }
            let name = match others.binary_search_by_key(&host, |(number, _)| *number) {
                Ok(at) => others[at].1.as_ref().map_or(&[][..], |other| &other.name),
                Err(_) => without_dot(hosts[host as usize]),
            };
            *is_found = self.has(probe, equal, &name[name.len() - usize::from(probe.of.len)..]);
        }
    }

    /// Appends the candidates of a group of hosts, and the hosts that need their normal forms. With `DEEP`,
    /// the candidates are also the names above the hosts.
    fn push_candidates<const DEEP: bool>(
        &self,
        hosts: &[&[u8]],
        others: &mut Vec<(u32, Option<HostName>)>,
        candidates: &mut Vec<Candidate>,
    ) {
        for (host, number) in hosts.iter().zip(0..) {
            let name = without_dot(host);
            let before = candidates.len();
            if HostName::may_be_address(name) || !self.push_names::<DEEP>(name, number, candidates) {
                candidates.truncate(before);
                others.push((number, HostName::of_host(host)));
            }
        }
        for (number, other) in others.iter() {
            if let Some(HostName { name, is_address }) = other {
                let before = candidates.len();
                self.push_names::<DEEP>(name, *number, candidates);
                if *is_address {
                    // The host itself is the last.
                    let whole = candidates.pop();
                    candidates.truncate(before);
                    candidates.extend(whole);
                }
            }
        }
    }

    /// Appends a name, and with `DEEP` the names above it. Returns false if the name needs its
    /// [normal form](HostName::of_host) first; then what was appended means nothing.
    #[inline(always)]
    fn push_names<const DEEP: bool>(&self, name: &[u8], host: u32, candidates: &mut Vec<Candidate>) -> bool {
        let depths = if DEEP { self.depths } else { 0 };
        each_suffix(self.seed, name, depths, |len, hash, is_whole| {
            prefetch(&self.filter, HashParts::of(hash).in_filter(self.filter.len()).0);
            candidates.push(Candidate { hash, host, len: len as u16, is_whole });
        })
    }

    /// Finds the candidates that pass the filter, and what their buckets begin with.
    fn push_probes(&self, candidates: &[Candidate], probes: &mut Vec<Probe>) {
        probes.clear();
        let Some(&first) = candidates.first() else { return };
        probes.resize(candidates.len(), Probe { of: first, place: 0, head: 0 });
        // Without a branch for each candidate.
        let mut kept = 0;
        for &of in candidates {
            let hash = HashParts::of(of.hash);
            let (word, bits) = hash.in_filter(self.filter.len());
            probes[kept].of = of;
            kept += usize::from(self.filter[word] & bits == bits);
        }
        probes.truncate(kept);
        for probe in probes.iter_mut() {
            let hash = HashParts::of(probe.of.hash);
            let (first, buckets) = self.parts[hash.part];
            probe.place = first + HashParts::bucket(hash.in_part, buckets);
            prefetch(&self.places, probe.place as usize);
        }
        for probe in probes.iter_mut() {
            probe.place = self.places[probe.place as usize];
            // Most buckets reach into the next line of the cache.
            let bucket = self.buckets.from(probe.place);
            prefetch(bucket, 0);
            prefetch(bucket, CACHE_LINE);
        }
        for probe in probes.iter_mut() {
            probe.head = self.buckets.word(probe.place);
        }
    }

    /// Returns true if the bucket of a probe has this name. `equal` are the equal tags in the first bytes.
    #[inline]
    fn has(&self, probe: &Probe, mut equal: u64, name: &[u8]) -> bool {
        let bucket = self.buckets.from(probe.place);
        let Some((&count, rest)) = bucket.split_first() else { return false };
        let (probe_tag, kinds) = probe.tag();
        let Some((tags, mut names)) = rest.split_at_checked(usize::from(count)) else { return false };
        looked_at(tags.len());
        if tags.len() > FIRST_TAGS {
            let mut tags = tags.iter();
            return tags.any(|&tag| {
                let Some((&len, codes)) = names.split_first() else { return false };
                names = codes.get(packed_len(usize::from(len))..).unwrap_or_default();
                let is_such = (tag ^ probe_tag) & kinds == 0 && usize::from(len) == name.len();
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
    /// Returns the tag of the name in its bucket, and the bits of it that count.
    #[inline(always)]
    fn tag(&self) -> (u8, u8) {
        let tag = HashParts::of(self.of.hash).tag;
        if self.of.is_whole { (tag, !BELOW) } else { (tag | BELOW, !0) }
    }

    /// Returns the high bit of each of the first bytes of the bucket that is a tag equal to that of the
    /// probe. If the bucket has more tags than these bytes, the result is never 0.
    #[inline(always)]
    fn equal_tags(&self) -> u64 {
        const ONES: u64 = u64::MAX / 0xFF;

        let (tag, kinds) = self.tag();
        let (tag, kinds) = (u64::from(tag) * ONES, u64::from(kinds) * ONES);
        let equal = zero_bytes((self.head ^ tag) & kinds);
        let count = self.head & 0xFF;
        match count {
            0..7 => equal & ((1 << (8 * (count + 1))) - 1) & !0xFF,
            7 => equal & !0xFF,
            _ => equal | 0x80,
        }
    }
}
