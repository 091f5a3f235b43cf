//! The common parts of all loops over columns and over counters.

/// The number of records that one look checks for rare properties.
pub(super) const GROUP: usize = 64;

/// Adds counters to others of the same kind.
pub(super) fn add_each<const N: usize>(sums: &mut [u64; N], others: &[u64; N]) {
    for (sum, other) in sums.iter_mut().zip(others) {
        *sum += other;
    }
}
