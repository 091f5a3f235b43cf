//! Reads lists, and makes the table of a set.

use alloc::vec::Vec;
use core::fmt;

use super::hash::{Seed, each_suffix};
use super::line::{Entry, HostListFault, Line, Lines};
use super::packed::PackedNames;
use super::{BELOW, BUCKET, HostSet, bucket, tag_of};
use crate::memory::{OutOfMemory, try_reserve, try_reserve_exact};
use crate::work::{looked_at, memchr};

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
/// because an option such as `$third-party` limits the rule to some requests. In a list that has no line of an
/// adblock list before it, a line of any other kind is an error.
#[derive(Debug)]
pub struct HostSetBuilder {
    seed: Seed,
    names: PackedNames,
    /// Whether the names below belong to the set, for each name: a bit.
    below: Vec<u64>,
    count: usize,
    depths: u64,
}

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
    /// The lists have more names than a set can hold: 2<sup>32</sup>, or 4 GiB of them.
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
        let (names, below) = (PackedNames::default(), Vec::new());
        HostSetBuilder { seed: Seed::random(), names, below, count: 0, depths: 0 }
    }

    /// Begins a list.
    pub fn list(&mut self) -> HostListReader<'_> {
        HostListReader { builder: self, lines: Lines::default(), number: 0, facts: HostListFacts::default() }
    }

    fn add(&mut self, Entry { name, has_below }: Entry) -> Result<(), HostListError> {
        let name = &name.name[..];
        if self.count == u32::MAX as usize {
            return Err(HostListError::TooMany);
        }
        if has_below {
            let labels = 1 + name.iter().filter(|&&byte| byte == b'.').count();
            self.depths |= 1 << labels.min(63);
        }
        if self.names.push(name)?.is_none() {
            return Err(HostListError::TooMany);
        }
        if self.count.is_multiple_of(64) {
            try_reserve(&mut self.below, 1)?;
            self.below.push(0);
        }
        self.below[self.count / 64] |= u64::from(has_below) << (self.count % 64);
        self.count += 1;
        Ok(())
    }

    /// Makes the set of all names.
    ///
    /// # Errors
    ///
    /// Returns an error if memory runs out.
    pub fn build(self) -> Result<HostSet, OutOfMemory> {
        let HostSetBuilder { seed, names, below, count, depths } = self;
        let buckets = count.div_ceil(BUCKET).max(1);
        let (mut starts, mut tags, mut places) = (Vec::new(), Vec::new(), Vec::new());
        try_reserve_exact(&mut starts, buckets + 1)?;
        try_reserve_exact(&mut tags, count + 8)?;
        try_reserve_exact(&mut places, count)?;
        starts.resize(buckets + 1, 0_u32);
        tags.resize(count + 8, 0_u8);
        places.resize(count, 0_u32);
        looked_at(buckets + 5 * count);
        names.each(|_, name| {
            starts[bucket(hash(seed, name), buckets) as usize + 1] += 1;
        });
        // Each bucket gets its start in the place of its end, and fills up to its end.
        let mut sum = 0;
        for start in &mut starts[1..] {
            sum += std::mem::replace(start, sum);
        }
        let mut number = 0;
        names.each(|place, name| {
            let hash = hash(seed, name);
            let next = &mut starts[bucket(hash, buckets) as usize + 1];
            let has_below = below[number / 64] >> (number % 64) & 1 == 1;
            tags[*next as usize] = tag_of(hash) | if has_below { BELOW } else { 0 };
            places[*next as usize] = place;
            *next += 1;
            number += 1;
        });
        drop(below);
        let mut set = HostSet { seed, names, starts, tags, places, depths };
        set.remove_equal();
        Ok(set)
    }
}

/// Returns the hash of a name.
fn hash(seed: Seed, name: &[u8]) -> u64 {
    let mut whole = 0;
    each_suffix(seed, name, 0, |_, hash, _| whole = hash);
    whole
}

impl HostSet {
    /// Removes names that the set has more than once.
    fn remove_equal(&mut self) {
        let HostSet { names, starts, tags, places, .. } = self;
        let mut entries: Vec<(u8, u32)> = Vec::new();
        let mut to = 0;
        let mut start = 0;
        for end in &mut starts[1..] {
            let bucket = start..*end as usize;
            start = bucket.end;
            entries.clear();
            entries.extend(bucket.clone().map(|entry| (tags[entry], places[entry])));
            // The order among equal names does not matter.
            entries.sort_unstable_by(|one, other| {
                one.0.cmp(&other.0).then_with(|| names.entry(one.1).cmp(names.entry(other.1)))
            });
            entries.dedup_by(|one, other| one.0 == other.0 && names.entry(one.1) == names.entry(other.1));
            for &(tag, place) in &entries {
                (tags[to], places[to]) = (tag, place);
                to += 1;
            }
            *end = to as u32;
        }
        places.truncate(to);
        tags.truncate(to);
        tags.resize(to + 8, 0);
    }
}

impl HostListReader<'_> {
    /// Reads the next lines of the list. A line must not be divided between two calls. A byte order mark at the
    /// start of the list does not count.
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
        let line = lines.next(line, |entry| {
            facts.names += 1;
            builder.add(entry)
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
