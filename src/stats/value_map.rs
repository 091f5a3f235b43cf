//! A map of values, some of which begin with the same long text: a base, with which all references of a page
//! are resolved.
//!
//! The map holds such a beginning, a stem, once for all its values, and hashes it once: the state of a hasher
//! after the stem is copied for each value. So a value takes memory and time for its own bytes, whatever the
//! length of its base.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::collections::hash_map::RandomState;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock};

use crate::memory::{self, OutOfMemory};
use crate::work::looked_at;

/// A map from values to `T`. Two values are equal if their bytes are, wherever their stems end.
///
/// ```
/// use urivalidate::stats::ValueMap;
///
/// let mut counts = ValueMap::new();
/// let base = format!("http://example.com/{}", "a/".repeat(50));
/// for value in [[base.as_bytes(), b"x"], [base.as_bytes(), b"y"], [base.as_bytes(), b"x"]] {
///     counts.add(value, 1, |count| *count += 1)?;
/// }
/// let mut counts: Vec<_> = counts.iter().map(|(value, count)| (value.concat(), *count)).collect();
/// counts.sort();
/// assert_eq!(counts, [(format!("{base}x").into_bytes(), 2), (format!("{base}y").into_bytes(), 1)]);
/// # Ok::<(), urivalidate::memory::OutOfMemory>(())
/// ```
#[derive(Clone, Debug)]
pub struct ValueMap<T> {
    map: HashMap<Value, T, BuildHasherDefault<Digest>>,
    stems: HashSet<SharedStem>,
    /// The stem of the last value, which most values share.
    last: Option<Arc<Stem>>,
    stem_bytes: usize,
    /// The bytes that short values may still allocate before the map asks for others.
    asked_bytes: usize,
}

/// A value in parts: its stem, which may be empty, and the rest.
pub type ValueParts<'a> = [&'a [u8]; 2];

/// The beginning of some values.
#[derive(Clone, Debug)]
struct Stem {
    text: Box<[u8]>,
    /// The hasher of the map after the text.
    keyed: DefaultHasher,
    /// The hasher with constant keys after the text.
    constant: DefaultHasher,
}

/// A stem, which is found by its text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct SharedStem(Arc<Stem>);

#[derive(Clone, Debug)]
struct Value {
    stem: Option<Arc<Stem>>,
    rest: Box<[u8]>,
}

impl<T> ValueMap<T> {
    /// A shorter stem is copied into each value, because sharing it gains nothing.
    const SHORTEST_STEM: usize = 64;

    /// Returns an empty map.
    pub fn new() -> Self {
        ValueMap { map: HashMap::default(), stems: HashSet::new(), last: None, stem_bytes: 0, asked_bytes: 0 }
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// Returns true if the map has no values.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// Returns the memory of the map in bytes, about.
    pub fn bytes(&self) -> usize {
        let rests: usize = self.map.keys().map(|value| value.rest.len()).sum();
        rests + self.map.len() * size_of::<(Value, T)>() + self.stem_bytes
    }

    /// Changes the entry of a value by `again`. If the value is new, adds it with the entry `first`, and
    /// returns true.
    ///
    /// # Errors
    ///
    /// Returns an error if memory runs out.
    pub fn add(
        &mut self,
        [stem, rest]: ValueParts<'_>,
        first: T,
        again: impl FnOnce(&mut T),
    ) -> Result<bool, OutOfMemory> {
        let is_shared = stem.len() >= Self::SHORTEST_STEM;
        let shared = if is_shared { Some(self.stem(stem)?) } else { None };
        let joined;
        let rest = if is_shared || stem.is_empty() {
            rest
        } else {
            joined = concatenated(stem, rest)?;
            &joined
        };
        looked_at(rest.len() + 1);
        let parts = Parts { stem: shared.as_ref(), rest };
        if let Some(entry) = self.map.get_mut(&parts as &dyn InParts) {
            again(entry);
            return Ok(false);
        }
        self.ask_for(rest.len())?;
        let rest = copied(rest)?;
        if self.map.len() == self.map.capacity() {
            // The table doubles.
            let _room = memory::room_for(4 * self.map.capacity() * size_of::<(Value, T)>())?;
            self.map.try_reserve(1)?;
        }
        self.map.insert(Value { stem: shared, rest }, first);
        Ok(true)
    }

    /// Asks for the memory of a value, many short values at a time.
    fn ask_for(&mut self, len: usize) -> Result<(), OutOfMemory> {
        /// The bytes of memory of many short values.
        const MANY: usize = 64 << 10;
        /// The bytes that the allocator adds to a value.
        const OVERHEAD: usize = 32;

        let bytes = len + OVERHEAD;
        if self.asked_bytes < bytes {
            memory::ask_for(MANY)?;
            self.asked_bytes = MANY.max(bytes);
        }
        self.asked_bytes -= bytes;
        Ok(())
    }

    /// Returns the stem of this text, the same one each time.
    fn stem(&mut self, text: &[u8]) -> Result<Arc<Stem>, OutOfMemory> {
        looked_at(text.len());
        if let Some(last) = self.last.as_ref().filter(|last| *last.text == *text) {
            return Ok(last.clone());
        }
        let stem = match self.stems.get(text) {
            Some(SharedStem(stem)) => stem.clone(),
            None => {
                let stem = Arc::new(Stem::of(text)?);
                self.stems.try_reserve(1)?;
                self.stems.insert(SharedStem(stem.clone()));
                self.stem_bytes += text.len() + size_of::<Stem>();
                stem
            }
        };
        self.last = Some(stem.clone());
        Ok(stem)
    }

    /// Returns the values with their entries, in any order.
    pub fn iter(&self) -> impl Iterator<Item = (ValueParts<'_>, &T)> {
        self.map.iter().map(|(value, entry)| (value.parts().texts(), entry))
    }

    /// Returns a hash of each value's bytes, which is the same in every process.
    pub(super) fn constant_hashes(&self) -> impl Iterator<Item = u64> {
        self.map.keys().map(|value| {
            let Parts { stem, rest } = value.parts();
            looked_at(rest.len() + 1);
            digest(stem.map_or_else(DefaultHasher::new, |stem| stem.constant.clone()), rest)
        })
    }

    /// Returns the hash of a value as [`constant_hashes`](Self::constant_hashes) does. The value need not be
    /// in the map.
    pub(super) fn constant_hash(&mut self, [stem, rest]: ValueParts<'_>) -> u64 {
        looked_at(rest.len() + 1);
        if stem.len() < Self::SHORTEST_STEM {
            let mut hasher = DefaultHasher::new();
            hasher.write(stem);
            return digest(hasher, rest);
        }
        match self.last.as_ref().filter(|last| *last.text == *stem) {
            Some(last) => digest(last.constant.clone(), rest),
            None => {
                looked_at(stem.len());
                let mut hasher = DefaultHasher::new();
                hasher.write(stem);
                // Without memory for the stem, it is hashed again each time.
                self.last = Stem::of(stem).ok().map(Arc::new);
                digest(hasher, rest)
            }
        }
    }
}

impl<T> Default for ValueMap<T> {
    fn default() -> Self {
        ValueMap::new()
    }
}

/// Compares the bytes of two values.
pub fn compare_values<'a>(mut one: ValueParts<'a>, mut other: ValueParts<'a>) -> Ordering {
    loop {
        for parts in [&mut one, &mut other] {
            if parts[0].is_empty() {
                *parts = [parts[1], b""];
            }
        }
        let len = one[0].len().min(other[0].len());
        let (first, second) = (&one[0][..len], &other[0][..len]);
        // Values of one map share their stem, which need not be read.
        let order = if std::ptr::eq(first, second) { Ordering::Equal } else { first.cmp(second) };
        if order.is_ne() || len == 0 {
            return order.then(one[0].len().cmp(&other[0].len()));
        }
        (one[0], other[0]) = (&one[0][len..], &other[0][len..]);
    }
}

impl Stem {
    fn of(text: &[u8]) -> Result<Self, OutOfMemory> {
        let copy = copied(text)?;
        let (mut keyed, mut constant) = (keyed_hasher(), DefaultHasher::new());
        keyed.write(text);
        constant.write(text);
        Ok(Stem { text: copy, keyed, constant })
    }
}

impl Borrow<[u8]> for SharedStem {
    fn borrow(&self) -> &[u8] {
        &self.0.text
    }
}

impl Hash for Stem {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl PartialEq for Stem {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Stem {}

/// A value in the map, or one to look up, which does not own its bytes.
#[derive(Clone, Copy)]
struct Parts<'a> {
    stem: Option<&'a Arc<Stem>>,
    rest: &'a [u8],
}

impl<'a> Parts<'a> {
    fn texts(self) -> ValueParts<'a> {
        [self.stem.map_or(&[], |stem| &stem.text), self.rest]
    }

    fn len(self) -> usize {
        self.texts().into_iter().map(<[u8]>::len).sum()
    }
}

/// Something with the parts of a value, by which the map finds the value.
trait InParts {
    fn parts(&self) -> Parts<'_>;
}

impl InParts for Parts<'_> {
    fn parts(&self) -> Parts<'_> {
        *self
    }
}

impl InParts for Value {
    fn parts(&self) -> Parts<'_> {
        Parts { stem: self.stem.as_ref(), rest: &self.rest }
    }
}

impl<'a> Borrow<dyn InParts + 'a> for Value {
    fn borrow(&self) -> &(dyn InParts + 'a) {
        self
    }
}

impl Hash for dyn InParts + '_ {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Parts { stem, rest } = self.parts();
        state.write_u64(digest(stem.map_or_else(keyed_hasher, |stem| stem.keyed.clone()), rest));
    }
}

impl PartialEq for dyn InParts + '_ {
    fn eq(&self, other: &Self) -> bool {
        let (one, other) = (self.parts(), other.parts());
        one.len() == other.len() && compare_values(one.texts(), other.texts()).is_eq()
    }
}

impl Eq for dyn InParts + '_ {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self as &dyn InParts).hash(state);
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        (self as &dyn InParts) == (other as &dyn InParts)
    }
}

impl Eq for Value {}

fn copied(text: &[u8]) -> Result<Box<[u8]>, OutOfMemory> {
    concatenated(b"", text)
}

fn concatenated(stem: &[u8], rest: &[u8]) -> Result<Box<[u8]>, OutOfMemory> {
    let mut text = Vec::new();
    memory::try_reserve_exact(&mut text, stem.len() + rest.len())?;
    text.extend_from_slice(stem);
    text.extend_from_slice(rest);
    Ok(text.into())
}

/// Returns a hasher with the keys of this process, which the input cannot know.
fn keyed_hasher() -> DefaultHasher {
    static KEYS: OnceLock<RandomState> = OnceLock::new();

    KEYS.get_or_init(RandomState::new).build_hasher()
}

/// Returns the hash of a value, given the hasher after its stem. The hash depends on the bytes alone, not on
/// the place where the stem ends.
fn digest(mut hasher: DefaultHasher, rest: &[u8]) -> u64 {
    hasher.write(rest);
    hasher.finish()
}

/// A hasher for keys that are hashes.
#[derive(Clone, Debug, Default)]
struct Digest(u64);

impl Hasher for Digest {
    fn write(&mut self, _: &[u8]) {
        unreachable!("values write one number");
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All ways to cut a text in two.
    fn cuts(text: &[u8]) -> impl Iterator<Item = ValueParts<'_>> {
        (0..=text.len()).map(|at| <[_; 2]>::from(text.split_at(at)))
    }

    #[test]
    fn equal_values_are_one_wherever_their_stems_end() {
        let text = &"http://h.example/a/b/".repeat(10).into_bytes()[..];
        let mut map = ValueMap::new();
        for (number, parts) in cuts(text).enumerate() {
            assert_eq!(map.add(parts, 1, |count| *count += 1).unwrap(), number == 0);
        }
        assert_eq!(map.iter().map(|(_, &count)| count).collect::<Vec<_>>(), [text.len() + 1]);
        let hashes: HashSet<u64> = cuts(text).map(|parts| map.constant_hash(parts)).collect();
        assert_eq!(hashes, map.constant_hashes().collect());
        assert_eq!(hashes.len(), 1);
    }

    #[test]
    fn values_are_in_the_order_of_their_bytes() {
        let texts: [&[u8]; 6] = [b"", b"a", b"ab", b"abc", b"b", b"ba"];
        for one in texts {
            for other in texts {
                for (one_cut, other_cut) in cuts(one).flat_map(|cut| cuts(other).map(move |to| (cut, to))) {
                    assert_eq!(
                        compare_values(one_cut, other_cut),
                        one.cmp(other),
                        "{one_cut:?} {other_cut:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn values_take_memory_for_their_own_bytes() {
        let stem = vec![b'a'; 8000];
        let mut map = ValueMap::new();
        for number in 0..1000 {
            let rest = format!("/{number}");
            assert!(map.add([&stem, rest.as_bytes()], (), |()| {}).unwrap());
        }
        assert!(map.len() == 1000 && map.bytes() < 80_000, "{}", map.bytes());
    }
}
