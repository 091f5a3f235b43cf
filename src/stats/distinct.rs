//! The number of distinct values of a column.
//!
//! HyperLogLog takes few lines, so no crate is used: the available crates depend on serde or have unsafe code
//! for the registers.

use super::value_map::{ValueMap, ValueParts};

/// Counts distinct values: exactly while they fit into a bound of memory, then as an estimate.
///
/// The result depends on the set of values alone, unless memory runs out. It does not depend on their order
/// or on their distribution over the counters that are [merged](Self::merge), even if it is an estimate.
///
/// ```
/// use urivalidate::stats::Distinct;
///
/// let mut one = Distinct::new();
/// ["a", "b", "a"].map(|value| one.insert(value.as_bytes()));
/// let mut other = Distinct::new();
/// other.insert(b"c");
/// one.merge(&other);
/// assert_eq!((one.count(), one.is_estimate()), (3, false));
/// ```
#[derive(Clone, Debug)]
pub struct Distinct {
    /// The values while the count is exact.
    values: ValueMap<()>,
    /// The bytes of the values.
    bytes: usize,
    /// The estimate, once there were too many values.
    registers: Option<Registers>,
}

impl Distinct {
    /// The bytes of distinct values up to which the count is exact. Each value counts as its length plus 48
    /// bytes.
    pub const EXACT_BYTES: usize = 64 << 20;

    /// Returns a counter without values.
    pub fn new() -> Self {
        Distinct { values: ValueMap::new(), bytes: 0, registers: None }
    }

    /// Counts a value.
    pub fn insert(&mut self, value: &[u8]) {
        self.insert_parts([b"", value]);
    }

    /// Counts a value that consists of two parts. The first one, which many values may share, is held and
    /// hashed once.
    pub fn insert_parts(&mut self, value: ValueParts<'_>) {
        let added = if self.is_estimate() { None } else { self.values.add(value, (), |()| {}).ok() };
        let Some(is_new) = added else {
            // If memory runs out, the count becomes an estimate early.
            let hash = self.values.constant_hash(value);
            return self.estimate().insert(hash);
        };
        if is_new {
            self.bytes += value[0].len() + value[1].len() + 48;
            if self.bytes > Self::EXACT_BYTES {
                self.estimate();
            }
        }
    }

    /// Counts the values of another counter, too.
    pub fn merge(&mut self, other: &Distinct) {
        match &other.registers {
            None => other.values.iter().for_each(|(value, ())| self.insert_parts(value)),
            Some(others) => self.estimate().merge(others),
        }
    }

    /// Estimates the number of values from now on.
    fn estimate(&mut self) -> &mut Registers {
        let values = &mut self.values;
        self.registers.get_or_insert_with(|| Registers::of(std::mem::take(values).constant_hashes()))
    }

    /// Returns the number of distinct values. An estimate has a standard error of 0.8%.
    pub fn count(&self) -> u64 {
        match &self.registers {
            None => self.values.len() as u64,
            Some(registers) => registers.estimate().round() as u64,
        }
    }

    /// Returns true if there were too many values for an exact count.
    pub fn is_estimate(&self) -> bool {
        self.registers.is_some()
    }
}

impl Default for Distinct {
    fn default() -> Self {
        Distinct::new()
    }
}

/// The registers of HyperLogLog (Flajolet et al. 2007) over hashes of 64 bits.
#[derive(Clone, Debug)]
struct Registers(Box<[u8]>);

impl Registers {
    /// The bits of a hash that choose a register.
    const BITS: u32 = 14;
    const COUNT: usize = 1 << Self::BITS;
    /// The number of the other bits.
    const REST: usize = 64 - Self::BITS as usize;

    fn of(hashes: impl Iterator<Item = u64>) -> Self {
        let mut registers = Registers(vec![0; Self::COUNT].into());
        hashes.for_each(|hash| registers.insert(hash));
        registers
    }

    /// Counts a value with this hash. Registers can be merged, because the hashes are the same everywhere.
    fn insert(&mut self, hash: u64) {
        let register = &mut self.0[(hash >> Self::REST) as usize];
        // A 1 after the last bit ends the row of zeros.
        let zeros = (hash << Self::BITS | 1 << (Self::BITS - 1)).leading_zeros();
        *register = (*register).max(zeros as u8 + 1);
    }

    fn merge(&mut self, others: &Registers) {
        for (register, &other) in self.0.iter_mut().zip(&others.0) {
            *register = (*register).max(other);
        }
    }

    /// Estimates the number of values by the improved raw estimator of Ertl, "New cardinality estimation
    /// algorithms for HyperLogLog sketches" (2017), algorithm 6, which needs no correction of small or large
    /// counts.
    fn estimate(&self) -> f64 {
        let all = Self::COUNT as f64;
        let mut with = [0.0; Self::REST + 2];
        self.0.iter().for_each(|&register| with[usize::from(register)] += 1.0);
        let mut sum = all * tau(1.0 - with[Self::REST + 1] / all);
        for &count in with[1..=Self::REST].iter().rev() {
            sum = 0.5 * (sum + count);
        }
        sum += all * sigma(with[0] / all);
        all * all / (2.0 * std::f64::consts::LN_2 * sum)
    }
}

/// Returns x plus the sum of x^(2^k) 2^(k-1) over all k from 1 on.
fn sigma(mut x: f64) -> f64 {
    if x == 1.0 {
        return f64::INFINITY;
    }
    let (mut factor, mut sum) = (1.0, x);
    loop {
        x *= x;
        let before = sum;
        sum += x * factor;
        factor += factor;
        if sum == before {
            return sum;
        }
    }
}

/// Returns a third of 1 - x - the sum of (1 - x^(2^-k))^2 2^-k over all k from 1 on.
fn tau(mut x: f64) -> f64 {
    if x == 0.0 || x == 1.0 {
        return 0.0;
    }
    let (mut factor, mut sum) = (1.0, 1.0 - x);
    loop {
        x = x.sqrt();
        let before = sum;
        factor *= 0.5;
        sum -= (1.0 - x).powi(2) * factor;
        if sum == before {
            return sum / 3.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(number: usize) -> Vec<u8> {
        format!("http://example.com/{number}").into_bytes()
    }

    fn registers(numbers: impl Iterator<Item = usize>) -> Registers {
        let mut values = ValueMap::<()>::new();
        Registers::of(numbers.map(|number| values.constant_hash([b"", &value(number)])))
    }

    #[test]
    fn estimates_are_within_two_percent() {
        let mut all = registers(0..0);
        assert_eq!(all.estimate(), 0.0);
        let mut before = 0;
        for count in [1, 10, 100, 1_000, 10_000, 40_000, 100_000, 300_000, 1_000_000] {
            all.merge(&registers(before..count));
            before = count;
            let error = all.estimate() / count as f64 - 1.0;
            assert!(error.abs() < 0.02, "{count}: {error}");
        }
    }

    #[test]
    fn merged_registers_are_those_of_all_values() {
        let mut merged = registers(0..60_000);
        merged.merge(&registers(40_000..100_000));
        assert_eq!(merged.0, registers(0..100_000).0);
    }

    #[test]
    fn the_bound_alone_makes_an_estimate() {
        // The most values of 4 MiB that fit.
        let long = |number: u8| {
            let mut value = vec![b'a'; (4 << 20) - 48];
            value[0] = number;
            value
        };
        let of = |numbers: std::ops::Range<u8>| {
            let mut distinct = Distinct::new();
            numbers.for_each(|number| distinct.insert(&long(number)));
            distinct
        };
        let mut exact = of(0..16);
        exact.merge(&of(0..16));
        assert_eq!((exact.count(), exact.is_estimate()), (16, false));
        // One value more makes an estimate: inserted or merged, in any order.
        let mut merged = of(8..17);
        merged.merge(&exact);
        let mut inserted = exact.clone();
        inserted.insert(&long(16));
        let mut estimate_first = inserted.clone();
        estimate_first.merge(&of(0..3));
        let mut exact_first = of(0..3);
        exact_first.merge(&inserted);
        for distinct in [merged, inserted, estimate_first, exact_first] {
            assert_eq!((distinct.count(), distinct.is_estimate()), (17, true));
        }
    }
}
