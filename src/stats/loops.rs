//! Common parts of the loops over columns and over counters.

/// The number of records that one test checks for rare properties.
pub(super) const GROUP: usize = 64;

/// Adds counters to others of the same kind.
pub(super) fn add_each(sums: &mut [u64], others: &[u64]) {
    for (sum, other) in sums.iter_mut().zip(others) {
        *sum += other;
    }
}
