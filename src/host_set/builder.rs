//! Reads lists, and makes the table of a set.

use alloc::vec::Vec;
use core::fmt;

use super::hash::{Seed, each_suffix};
use super::line::{Entry, HostListFault, Line, Lines};
use super::packed::{packed_len, push_packed};
use super::segments::{Segments, Spare};
use super::table::{BELOW, HashParts, HostSet, PARTS};
use crate::memory::{OutOfMemory, try_reserve, try_reserve_exact};
use crate::work::{looked_at, memchr};

/// The number of names for a word of the filter, on average. With three bits for each, 3% of the other names
/// pass.
const FILTERED: usize = 8;

/// The number of names in a bucket, on average.
const BUCKET: usize = 6;

/// The maximum number of bytes of a line.
const MAX_LINE: usize = 1 << 20;

/// Makes a [`HostSet`] of any number of lists.
///
/// A line of a list is one of these. White space around it, and a CR at its end, do not count.
///
/// | line | meaning |
/// |---|---|
/// | `example.com` | this name alone |
/// | `.example.com`, `*.example.com` | this name, and all names below it |
/// | `192.0.2.1`, `2001:db8::1`, `[2001:db8::1]` | this address |
/// | `0.0.0.0 a.example b.example` | a line of a hosts file: each name after any address, alone |
/// | <code>\|\|example.com^</code> | a rule of an adblock list: this name, and all names below it |
/// | `# text`, `! text`, `[Adblock Plus 2.0]` | a comment, also after a name and `#`; a header |
///
/// The names of hosts files for the machine itself and for groups of its network (`localhost`,
/// `localhost.localdomain`, `local`, `broadcasthost`, `0.0.0.0` and those with `ip6-`) do not count there.
///
/// All other rules of adblock lists are left out and [counted](HostListFacts::left_out): exceptions (`@@`),
/// rules about elements (`##`), parts of URLs, and rules with options other than `$important` and `$all`,
/// because an option such as `$third-party` limits the rule to some requests. In a list that has no line of
/// an adblock list before it, a line of any other kind is an error.
#[derive(Debug)]
pub struct HostSetBuilder {
    seed: Seed,
    /// The names of each part of the table. A name has the bits of its hash that choose its bucket, its tag,
    /// its length and its codes.
    parts: Vec<Segments>,
    /// The number of names in each part.
    counts: [usize; PARTS],
    depths: u64,
}

/// The bytes before the codes of a name.
const HEAD: usize = 6;

/// The facts about a list that has been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HostListFacts {
    /// The number of its names, equal ones included.
    pub names: u64,
    /// The number of rules that are left out.
    pub left_out: u64,
    /// The number of the first such line, counted from 1.
    pub first_left_out: Option<u64>,
}

/// Reads a list, some lines at a time.
#[derive(Debug)]
pub struct HostListReader<'b> {
    builder: &'b mut HostSetBuilder,
    lines: Lines,
    /// The number of lines so far.
    number: u64,
    facts: HostListFacts,
}

/// The reason why a list cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HostListError {
    /// A line is none of the known kinds.
    Line {
        /// The number of the line, counted from 1.
        line: u64,
        /// The reason.
        fault: HostListFault,
    },
    /// The lists have more names than a set can hold, which is 4 GiB of them.
    TooMany,
    /// Memory ran out.
    OutOfMemory(OutOfMemory),
}

impl fmt::Display for HostListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HostListError::Line { line, fault } => write!(f, "line {line}: {fault}"),
            HostListError::TooMany => f.write_str("too many names"),
            HostListError::OutOfMemory(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for HostListError {}

impl From<OutOfMemory> for HostListError {
    fn from(error: OutOfMemory) -> Self {
        HostListError::OutOfMemory(error)
    }
}

impl From<HostListFault> for HostListError {
    fn from(fault: HostListFault) -> Self {
        HostListError::Line { line: 0, fault }
    }
}

impl Default for HostSetBuilder {
    fn default() -> Self {
        HostSetBuilder::new()
    }
}

impl HostSetBuilder {
    /// Returns a builder without names.
    pub fn new() -> Self {
        let parts = (0..PARTS).map(|_| Segments::default()).collect();
        HostSetBuilder { seed: Seed::random(), parts, counts: [0; PARTS], depths: 0 }
    }

    /// Begins a list.
    pub fn list(&mut self) -> HostListReader<'_> {
        HostListReader { builder: self, lines: Lines::default(), number: 0, facts: HostListFacts::default() }
    }

    /// Adds a name in its normal form.
    fn add(&mut self, name: &[u8], has_below: bool) -> Result<(), HostListError> {
        if has_below {
            let labels = 1 + name.iter().filter(|&&byte| byte == b'.').count();
            self.depths |= 1 << labels.min(63);
        }
        let mut whole = 0;
        each_suffix(self.seed, name, 0, |_, hash, _| whole = hash);
        let HashParts { part, in_part, tag } = HashParts::of(whole);
        let tag = tag | if has_below { BELOW } else { 0 };
        let len = HEAD + packed_len(name.len());
        let pushed = self.parts[part].push(len, &mut Spare::default(), |to| {
            to.extend_from_slice(&in_part.to_le_bytes());
            to.extend_from_slice(&[tag, name.len() as u8]);
            push_packed(name, to);
        })?;
        self.counts[part] += 1;
        pushed.map(drop).ok_or(HostListError::TooMany)
    }

    /// Makes the set of all names.
    ///
    /// # Errors
    ///
    /// Returns an error if memory runs out, or if there are too many names.
    pub fn build(self) -> Result<HostSet, HostListError> {
        let HostSetBuilder { seed, parts: names, counts, depths } = self;
        let (mut places, mut buckets) = (Vec::new(), Segments::default());
        let (mut spare, mut order) = (Spare::default(), Order::default());
        let of_part = counts.map(|count| count.div_ceil(BUCKET).max(1));
        let all = of_part.iter().sum();
        if u32::try_from(all).is_err() {
            return Err(HostListError::TooMany);
        }
        try_reserve_exact(&mut places, all)?;
        let words = counts.iter().sum::<usize>().div_ceil(FILTERED).max(1);
        let mut filter = Vec::new();
        try_reserve_exact(&mut filter, words)?;
        filter.resize(words, 0);
        let mut parts = [(0, 0); PARTS];
        let mut len = 0;
        for (number, (names, count)) in names.into_iter().zip(of_part).enumerate() {
            parts[number] = (places.len() as u32, count as u32);
            order.fill(&names, count)?;
            each_name(&names, |_, in_part, tag| {
                let (word, bits) = HashParts { part: number, in_part, tag }.in_filter(words);
                filter[word] |= bits;
            });
            for bucket in 0..count {
                let entries = order.bucket(bucket, &names);
                len += entries.len();
                let bytes = entries.iter().map(|entry| entry.bytes(&names).len()).sum::<usize>();
                let count = u8::try_from(entries.len()).map_err(|_| HostListError::TooMany)?;
                let place = buckets.push(1 + entries.len() + bytes, &mut spare, |to| {
                    to.push(count);
                    to.extend(entries.iter().map(|entry| entry.tag));
                    entries.iter().for_each(|entry| to.extend_from_slice(entry.bytes(&names)));
                })?;
                places.push(place.ok_or(HostListError::TooMany)?);
            }
            names.free(&mut spare)?;
        }
        buckets.shrink();
        Ok(HostSet { seed, len, places, filter, parts, buckets, depths })
    }
}

/// A name of a part.
#[derive(Clone, Copy, Debug)]
struct PartEntry {
    place: u32,
    tag: u8,
}

impl PartEntry {
    /// Returns the length and the codes of the name, which are equal for equal names.
    fn bytes(self, names: &Segments) -> &[u8] {
        let name = names.from(self.place).get(HEAD - 1..).unwrap_or_default();
        let len = name.first().map_or(0, |&len| 1 + packed_len(usize::from(len)));
        &name[..len]
    }
}

/// The names of a part in the order of their buckets.
#[derive(Debug, Default)]
struct Order {
    /// The end of each bucket among the entries.
    ends: Vec<u32>,
    entries: Vec<PartEntry>,
}

impl Order {
    /// Puts the names of a part into this number of buckets.
    fn fill(&mut self, names: &Segments, buckets: usize) -> Result<(), OutOfMemory> {
        let bucket = |in_part| HashParts::bucket(in_part, buckets as u32) as usize;
        self.ends.clear();
        try_reserve(&mut self.ends, buckets + 1)?;
        self.ends.resize(buckets + 1, 0);
        let mut count = 0;
        each_name(names, |_, in_part, _| {
            self.ends[bucket(in_part) + 1] += 1;
            count += 1;
        });
        looked_at(buckets + count * size_of::<PartEntry>());
        self.entries.clear();
        try_reserve(&mut self.entries, count)?;
        self.entries.resize(count, PartEntry { place: 0, tag: 0 });
        // Each bucket gets its start in the place of its end, and fills up to its end.
        let mut sum = 0;
        for end in &mut self.ends[1..] {
            sum += std::mem::replace(end, sum);
        }
        each_name(names, |place, in_part, tag| {
            let next = &mut self.ends[bucket(in_part) + 1];
            self.entries[*next as usize] = PartEntry { place, tag };
            *next += 1;
        });
        Ok(())
    }

    /// Returns the different names of a bucket.
    fn bucket(&mut self, bucket: usize, names: &Segments) -> &[PartEntry] {
        let entries = &mut self.entries[self.ends[bucket] as usize..self.ends[bucket + 1] as usize];
        // The tags of a small bucket nearly always differ.
        let has_equal_tags = entries.len() > 3 * BUCKET
            || (1..entries.len()).any(|at| {
                let (before, tag) = (&entries[..at], entries[at].tag);
                before.iter().any(|entry| entry.tag == tag)
            });
        if !has_equal_tags {
            return entries;
        }
        entries.sort_unstable_by(|one, other| {
            one.tag.cmp(&other.tag).then_with(|| one.bytes(names).cmp(other.bytes(names)))
        });
        let mut kept = 0;
        for at in 0..entries.len() {
            let (one, last) = (entries[at], entries[kept.max(1) - 1]);
            if kept == 0 || one.tag != last.tag || one.bytes(names) != last.bytes(names) {
                entries[kept] = one;
                kept += 1;
            }
        }
        &entries[..kept]
    }
}

/// Passes the place of each name of a part, the bits that choose its bucket, and its tag to `take`.
fn each_name(names: &Segments, mut take: impl FnMut(u32, u32, u8)) {
    for (first, segment) in names.iter_with_places() {
        looked_at(segment.len());
        let mut rest = segment;
        while let Some((&[one, two, three, four, tag, len], codes)) = rest.split_first_chunk() {
            let place = first + (segment.len() - rest.len()) as u32;
            take(place, u32::from_le_bytes([one, two, three, four]), tag);
            rest = codes.get(packed_len(usize::from(len))..).unwrap_or_default();
        }
    }
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
        builder.build()
    }
}

impl HostListReader<'_> {
    /// Reads the next lines of the list. A line must not be divided between two calls. A byte order mark at
    /// the start of the list does not count.
    ///
    /// # Errors
    ///
    /// Returns an error if a line is of no known kind, or if memory runs out.
    pub fn add(&mut self, lines: &[u8]) -> Result<(), HostListError> {
        let mut rest = lines;
        if self.number == 0 {
            rest = rest.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(rest);
        }
        while !rest.is_empty() {
            let (line, after) = match memchr(b'\n', rest) {
                Some(end) => (&rest[..end], &rest[end + 1..]),
                None => (rest, &rest[rest.len()..]),
            };
            rest = after;
            self.number += 1;
            let number = self.number;
            let at_line = |error| match error {
                HostListError::Line { fault, .. } => HostListError::Line { line: number, fault },
                error => error,
            };
            self.add_line(line).map_err(at_line)?;
        }
        Ok(())
    }

    fn add_line(&mut self, line: &[u8]) -> Result<(), HostListError> {
        if line.len() > MAX_LINE {
            return Err(HostListFault::LongLine.into());
        }
        looked_at(line.len());
        let HostListReader { builder, lines, facts, .. } = self;
        if let Some((name, has_below)) = lines.common(line) {
            facts.names += 1;
            return builder.add(name, has_below);
        }
        let line = lines.next(line, |Entry { name, has_below }| {
            facts.names += 1;
            builder.add(&name.name, has_below)
        })?;
        if line == Line::LeftOut {
            self.facts.left_out += 1;
            self.facts.first_left_out.get_or_insert(self.number);
        }
        Ok(())
    }

    /// Returns the facts about the lines so far.
    pub fn facts(&self) -> HostListFacts {
        self.facts
    }
}
