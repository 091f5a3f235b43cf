//! The most frequent hosts, in bounded memory.

use std::ops::Range;

use super::names::Names;
use crate::charset::Class;
use crate::error::{Error, ErrorKind};
use crate::grammar::skip;
use crate::work::{looked_at, memchr, position};

/// Counts of hosts, in lower case.
///
/// Counts are exact until there are more than twice [`Hosts::KEPT`] different hosts. Then the less frequent
/// half is removed, and the highest possible count of a removed host is kept: it bounds the records of a host
/// that were counted before the host was removed. This is Space-Saving (Metwally, Agrawal and El Abbadi 2005)
/// in steps: a host that has more than one record in [`Hosts::KEPT`] is never lost.
///
/// Empty hosts and hosts of more than [`Hosts::MAX_LENGTH`] bytes are not counted.
#[derive(Clone, Debug, Default)]
pub struct Hosts {
    names: Names,
    /// The count of each host, by the number of its name.
    counts: Vec<HostCount>,
    /// The number of the host that was counted last: the next host is often the same.
    last: usize,
    /// The highest possible count of a host that is not in `names`.
    forgotten: u64,
}

/// The number of times that a host occurs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HostCount {
    /// The host occurs at least this often.
    pub count: u64,
    /// The host may occur up to this number of times more; 0 if the count is exact.
    pub missed: u64,
}

impl Hosts {
    /// At least this number of different hosts are counted separately.
    pub const KEPT: usize = 1 << 14;

    /// The most bytes of a host that is counted. A domain name has at most 253 bytes.
    pub const MAX_LENGTH: usize = 255;

    /// Returns true if hosts were removed, so that counts may be too low.
    pub fn is_estimate(&self) -> bool {
        self.forgotten > 0
    }

    /// Returns the most frequent hosts, at most `n`. Equally frequent hosts are sorted by name.
    pub fn top(&self, n: usize) -> Vec<(&[u8], HostCount)> {
        let mut hosts: Vec<_> = self.names.iter().zip(self.counts.iter().copied()).collect();
        hosts.sort_unstable_by(|(a, m), (b, n)| n.count.cmp(&m.count).then(a.cmp(b)));
        hosts.truncate(n);
        hosts
    }

    /// Counts a host. Never removes a host, so that the result does not depend on the cuts between chunks.
    #[inline]
    pub(crate) fn count(&mut self, host: &[u8]) {
        if self.names.get(self.last) == Some(host) {
            self.counts[self.last].count += 1;
        } else {
            self.count_other_than_last(host);
        }
    }

    fn count_other_than_last(&mut self, host: &[u8]) {
        let mut lower = [0; Self::MAX_LENGTH];
        let Some(lower) = lower.get_mut(..host.len()).filter(|lower| !lower.is_empty()) else { return };
        lower.copy_from_slice(host);
        lower.make_ascii_lowercase();
        self.last = self.number(lower);
        self.counts[self.last].count += 1;
    }

    fn number(&mut self, host: &[u8]) -> usize {
        let number = self.names.number(host);
        if number == self.counts.len() {
            self.counts.push(HostCount { count: 0, missed: self.forgotten });
        }
        number
    }

    pub(crate) fn clear(&mut self) {
        self.counts.clear();
        self.names.clear();
        (self.last, self.forgotten) = (0, 0);
    }

    /// Adds other counts, and removes hosts if there are too many.
    pub(crate) fn add(&mut self, other: &Hosts) {
        if other.forgotten > 0 {
            looked_at(self.counts.len());
            for (host, count) in self.names.iter().zip(&mut self.counts) {
                if other.names.find(host).is_none() {
                    count.missed += other.forgotten;
                }
            }
        }
        for (host, count) in other.names.iter().zip(&other.counts) {
            let number = self.number(host);
            let sum = &mut self.counts[number];
            sum.count += count.count;
            sum.missed += count.missed;
        }
        self.forgotten += other.forgotten;
        if self.counts.len() > 2 * Self::KEPT {
            self.forget();
        }
    }

    /// Removes all but the most frequent hosts.
    fn forget(&mut self) {
        looked_at(self.counts.len());
        let most = |count: &HostCount| count.count + count.missed;
        let mut counts: Vec<u64> = self.counts.iter().map(most).collect();
        let (_, &mut limit, _) = counts.select_nth_unstable_by(Self::KEPT, |a, b| b.cmp(a));
        self.forgotten = limit;
        let (names, counts) = (std::mem::take(&mut self.names), std::mem::take(&mut self.counts));
        for (host, count) in names.iter().zip(counts).filter(|(_, count)| most(count) > limit) {
            self.names.number(host);
            self.counts.push(count);
        }
        self.last = 0;
    }
}

/// Finds the hosts of invalid records. Records close to each other often have the same host and the same
/// bytes before it, as one comparison shows. Searching the host of each record took a quarter of the
/// instructions of statistics of invalid records; this takes a third of that.
#[derive(Clone, Debug, Default)]
pub(crate) struct InvalidHost {
    /// The first bytes of a record, up to the byte after its authority, and the place of its host in them.
    head: Vec<u8>,
    host: Range<usize>,
}

impl InvalidHost {
    /// The most bytes of a head.
    const MOST: usize = 128;

    /// Returns the host of an invalid record, if the error lies after it.
    #[inline]
    pub(crate) fn of<'a>(&mut self, record: &'a [u8], error: &Error) -> Option<&'a [u8]> {
        let good = &record[..record.len().min(error.offset())];
        if good.starts_with(&self.head) && !self.head.is_empty() {
            return Some(&good[self.host.clone()]);
        }
        let (host, end) = of_invalid(good, error.kind())?;
        // Without the byte after the authority, other records with the same bytes may have a longer host.
        if let Some(head) = good.get(..=end).filter(|head| head.len() <= Self::MOST) {
            self.head.clear();
            self.head.extend_from_slice(head);
            self.host = host.clone();
        }
        Some(&good[host])
    }
}

/// Returns the place of the host and the end of the authority in the bytes of an invalid record before an
/// error of this kind, if the error lies after the host.
fn of_invalid(good: &[u8], kind: ErrorKind) -> Option<(Range<usize>, usize)> {
    let start = if good.starts_with(b"//") {
        2
    } else {
        let colon = position(good, |byte| matches!(byte, b':' | b'/' | b'?' | b'#'))?;
        good[colon..].starts_with(b"://").then_some(colon + 3)?
    };
    let (mut at, mut server, mut colon) = (start, start, None);
    loop {
        at = skip(good, at, Class::REG_NAME);
        match good.get(at) {
            Some(b'/' | b'?' | b'#') => break,
            Some(b'@') => (server, colon) = (at + 1, None),
            Some(b':') if colon.is_none() => colon = Some(at),
            Some(_) => {}
            // The host ends before the port.
            None if kind == ErrorKind::InvalidPort => break,
            None => return None,
        }
        at += 1;
    }
    let host = if good.get(server) == Some(&b'[') {
        server..server + memchr(b']', &good[server..at])? + 1
    } else {
        server..colon.unwrap_or(at)
    };
    Some((host, at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grammar, parse};
    use std::collections::HashMap;

    #[test]
    fn hosts_are_lower_cased_and_sorted() {
        let mut chunk = Hosts::default();
        for host in ["b", "A", "a", "", "b", "c", "A"] {
            chunk.count(host.as_bytes());
        }
        chunk.count(&[b'x'; 256]);
        let mut total = Hosts::default();
        total.add(&chunk);
        total.add(&chunk);
        let top: Vec<_> = total.top(2).iter().map(|(host, count)| (host.to_vec(), count.count)).collect();
        assert_eq!(top, [(b"a".to_vec(), 6), (b"b".to_vec(), 4)]);
        assert!(!total.is_estimate());
        assert_eq!(total.top(9).len(), 3);
    }

    /// Every tenth record has one of a few frequent hosts; each other record has a host of its own.
    #[test]
    fn frequent_hosts_are_found_among_any_number_and_bounds_hold() {
        let mut exact: HashMap<String, u64> = HashMap::new();
        let mut total = Hosts::default();
        let mut chunk = Hosts::default();
        for i in 0..300_000u64 {
            let host = match i % 10 {
                0 => format!("frequent{}", (i / 10) % 7),
                // A frequent host that first appears late.
                1 if i > 200_000 => "late".to_owned(),
                _ => format!("host{i}"),
            };
            chunk.count(host.as_bytes());
            *exact.entry(host).or_default() += 1;
            if i % 1000 == 999 {
                total.add(&chunk);
                chunk.clear();
                assert!(total.counts.len() <= 2 * Hosts::KEPT);
            }
        }
        assert!(total.is_estimate());
        let top = total.top(8);
        assert_eq!(top[0].0, b"late");
        for (host, HostCount { count, missed }) in &total.top(1000) {
            let exact = exact[str::from_utf8(host).unwrap()];
            assert!(*count <= exact && exact <= count + missed, "{count} {exact} {missed}");
        }
        assert!(top[1..].iter().all(|(host, count)| host.starts_with(b"frequent") && count.missed == 0));

        let mut twice = Hosts::default();
        twice.add(&total);
        twice.add(&total);
        for (host, HostCount { count, missed }) in &twice.top(1000) {
            let exact = 2 * exact[str::from_utf8(host).unwrap()];
            assert!(*count <= exact && exact <= count + missed, "{count} {exact} {missed}");
        }
    }

    #[test]
    fn the_host_of_an_invalid_record_lies_before_the_error() {
        for (record, host) in [
            ("http://h/a b", Some("h")),
            ("http://u:p@h:80/a b", Some("h")),
            ("http://[::1]:80/a b", Some("[::1]")),
            ("//h?[", Some("h")),
            ("http://h:8o/", Some("h")),
            ("http://u@h:8o/", Some("h")),
            ("http://a b/", None),
            ("http://a@b@c/", None),
            ("http:a b//h/", None),
            ("a b", None),
            ("/a//b/ ", None),
        ] {
            let error = parse(Grammar::UriReference, record.as_bytes()).unwrap_err();
            let mut invalid_host = InvalidHost::default();
            // The second time, the place is known.
            for _ in 0..2 {
                assert_eq!(invalid_host.of(record.as_bytes(), &error), host.map(str::as_bytes), "{record}");
            }
        }
    }
}
