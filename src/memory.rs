//! Memory that is requested before it is needed, so that a lack of it is an error.
//!
//! If an allocation fails, Rust ends the process, unless the caller asked for a result. Many allocations are in other crates, which do not ask.
//! So large allocations of this crate ask, and never take the last [`SPARE`] bytes; and before work that allocates without asking, the worker
//! [asks](room_for) whether the system has these bytes. To ask is to allocate, and to free at once: pages that nobody touches cost no memory.

use core::hint::black_box;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::collections::TryReserveError;
use std::sync::OnceLock;
use std::time::Instant;

/// The bytes that large allocations leave for small ones.
const SPARE: usize = 2 << 20;

/// The number of bytes from which an allocation is large.
const LARGE: usize = 1 << 20;

/// No system has this number of bytes, so nobody is promised more.
const IMPOSSIBLE: usize = usize::MAX >> 2;

/// The time for which an answer of the system counts, in nanoseconds. An answer takes some microseconds, and a small chunk not many more.
const FRESH: u64 = 1_000_000;

/// The bytes that work in progress may allocate without asking.
static PROMISED: AtomicUsize = AtomicUsize::new(0);

/// The promised bytes that the system had when it was last asked, and the time of that answer. The values need not belong together: a mistake
/// means one question more or less.
static ANSWERED: AtomicUsize = AtomicUsize::new(0);
static ANSWERED_AT: AtomicU64 = AtomicU64::new(0);

/// Memory for work that allocates without asking. It counts until this is dropped.
#[derive(Debug)]
pub(crate) struct Room(usize);

impl Drop for Room {
    fn drop(&mut self) {
        PROMISED.fetch_sub(self.0, Relaxed);
    }
}

/// Returns the room for work that allocates about `bytes` bytes without asking.
pub(crate) fn room_for(bytes: usize) -> Result<Room, TryReserveError> {
    static START: OnceLock<Instant> = OnceLock::new();

    if bytes >= IMPOSSIBLE {
        Vec::<u8>::new().try_reserve_exact(usize::MAX)?;
    }
    let promised = PROMISED.fetch_add(bytes, Relaxed).saturating_add(bytes);
    let room = Room(bytes);
    let now = START.get_or_init(Instant::now).elapsed().as_nanos() as u64;
    let is_fresh = now.saturating_sub(ANSWERED_AT.load(Relaxed)) < FRESH && now >= FRESH;
    if !is_fresh || promised > ANSWERED.load(Relaxed) {
        ask(promised)?;
        ANSWERED.store(promised, Relaxed);
        ANSWERED_AT.store(now, Relaxed);
    }
    Ok(room)
}

/// Asks the system for this number of bytes and the spare ones.
#[cold]
fn ask(bytes: usize) -> Result<(), TryReserveError> {
    let bytes = bytes.saturating_add(SPARE);
    // The GNU allocator would keep some memory of a large block that is freed.
    #[cfg(feature = "mmap")]
    if memmap2::MmapMut::map_anon(bytes).is_ok() {
        return Ok(());
    }
    let mut probe = Vec::<u8>::new();
    probe.try_reserve_exact(bytes)?;
    // Compilers may remove an allocation that nothing uses.
    black_box(&mut probe);
    Ok(())
}

/// Reserves room for at least `additional` more items, as [`Vec::try_reserve`] does. A large allocation leaves the spare bytes.
#[inline]
pub(crate) fn try_reserve<T>(items: &mut Vec<T>, additional: usize) -> Result<(), TryReserveError> {
    if items.capacity() - items.len() >= additional { Ok(()) } else { grow(items, additional) }
}

#[cold]
fn grow<T>(items: &mut Vec<T>, additional: usize) -> Result<(), TryReserveError> {
    let wanted = items.len().saturating_add(additional).max(items.capacity().saturating_mul(2));
    // A large block grows where it is, or moves without being copied.
    let _room = leave_spare((wanted - items.capacity()).saturating_mul(size_of::<T>()))?;
    items.try_reserve(additional)
}

/// Reserves room for exactly `additional` more items, as [`Vec::try_reserve_exact`] does. A large allocation leaves the spare bytes.
pub(crate) fn try_reserve_exact<T>(items: &mut Vec<T>, additional: usize) -> Result<(), TryReserveError> {
    let wanted = items.len().saturating_add(additional);
    let missing = wanted.saturating_sub(items.capacity());
    let _room = leave_spare(missing.saturating_mul(size_of::<T>()))?;
    items.try_reserve_exact(additional)
}

/// Asks for the memory of work that allocates about `bytes` bytes, if that is much.
pub(crate) fn ask_for(bytes: usize) -> Result<(), TryReserveError> {
    leave_spare(bytes).map(drop)
}

/// Asks for the memory of a large allocation and the spare bytes.
fn leave_spare(bytes: usize) -> Result<Option<Room>, TryReserveError> {
    if bytes < LARGE {
        return Ok(None);
    }
    let room = room_for(bytes)?;
    Ok(Some(room))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_lacks_is_an_error_and_is_not_promised() {
        const TOO_MUCH: usize = isize::MAX as usize;

        assert!(room_for(TOO_MUCH).is_err());
        assert!(try_reserve(&mut Vec::<u64>::new(), TOO_MUCH / 8).is_err());
        assert!(try_reserve_exact(&mut Vec::<u64>::new(), usize::MAX).is_err());
        let rooms: Vec<_> = (0..3).map(|_| room_for(1000).unwrap()).collect();
        assert!(PROMISED.load(Relaxed) >= 3000);
        drop(rooms);
        let mut items = vec![1u16; 3];
        try_reserve(&mut items, 1000).unwrap();
        assert!(items.capacity() >= 1003);
        assert!(PROMISED.load(Relaxed) < TOO_MUCH);
    }
}
