//! Memory that is requested before it is needed, so that a lack of it is an error.
//!
//! If an allocation fails, Rust ends the process, unless the caller asked for a result. Many allocations are
//! in other crates, which do not ask. So large allocations of this crate ask, and never take the last 4 MiB;
//! and before work that allocates without asking, the worker takes [room](room_for) for the most that this
//! work can need. Room counts as taken until the work is done, for all threads together.
//!
//! If the address space of the process is limited, Linux says how much is free. Elsewhere, to ask is to
//! allocate, and to free at once: pages that nobody touches cost no memory. (Under a limit, that could take
//! the memory that another thread was promised, in just the moment in which it needs it.)
//!
//! One thread asks at a time. A process may fork meanwhile, and the child has no thread that would finish, so
//! the child does not wait for that question.
//!
//! ```
//! use urivalidate::memory::{room_for, try_reserve};
//!
//! let mut copy = Vec::new();
//! try_reserve(&mut copy, 1 << 20)?;
//! copy.extend_from_slice(&[0; 1 << 20]);
//! // For work in a library that does not ask:
//! let _room = room_for(1 << 20)?;
//! let text = String::from_utf8_lossy(&copy).into_owned();
//! # assert_eq!(text.len(), 1 << 20);
//! # Ok::<(), urivalidate::memory::OutOfMemory>(())
//! ```

use core::hint::black_box;
use core::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::collections::TryReserveError;
use std::time::{Duration, SystemTime};
use std::{process, thread};

use Ordering::Relaxed;

/// The bytes that large allocations leave for small ones.
const SPARE: usize = 4 << 20;

/// The number of bytes from which an allocation is large.
const LARGE: usize = 64 << 10;

/// Memory is plentiful if this number of bytes remains beyond all promises.
#[cfg(feature = "corpus")]
const PLENTY: usize = 256 << 20;

/// If the system does not say how many bytes are free, a question is about this number of bytes more than are
/// needed. Then the next promises need no question.
const STORE: usize = if usize::BITS > 32 { 1 << 30 } else { 384 << 20 };

/// No system has this number of bytes.
const IMPOSSIBLE: usize = usize::MAX >> 2;

/// The time for which an answer of the system counts, in nanoseconds. An answer takes some microseconds, and
/// a small chunk not many more.
const FRESH: u64 = 1_000_000;

/// The bytes that work in progress may allocate without asking.
static PROMISED: AtomicUsize = AtomicUsize::new(0);

/// The system's last answer: the bytes beyond all promises at that time. Then those of them that nobody has
/// been promised since, and the time of the answer. A promise that ends gives nothing back: the work may have
/// kept its memory. The values need not belong together: a mistake means one question more or less.
static ANSWER: AtomicUsize = AtomicUsize::new(0);
static LEFT: AtomicUsize = AtomicUsize::new(0);
static ANSWERED_AT: AtomicU64 = AtomicU64::new(0);

/// Memory for work that allocates without asking. It counts until this is dropped.
#[derive(Debug)]
pub struct Room(usize);

impl Room {
    fn new(bytes: usize) -> Self {
        PROMISED.fetch_add(bytes, Relaxed);
        Room(bytes)
    }

    /// Takes room for these bytes from the last answer, if it is fresh and this number of bytes remains.
    fn from_answer(bytes: usize, remaining: usize) -> Option<Self> {
        let rest = |left: usize| left.checked_sub(bytes).filter(|&rest| rest >= remaining);
        (is_fresh() && LEFT.fetch_update(Relaxed, Relaxed, rest).is_ok()).then(|| Room::new(bytes))
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        PROMISED.fetch_sub(self.0, Relaxed);
    }
}

/// Returns the room for work that allocates about `bytes` bytes without asking the system, after asking for
/// all of them. Until it is dropped, others that ask are told that these bytes are taken.
///
/// # Errors
///
/// Returns an error if memory runs out.
pub fn room_for(bytes: usize) -> Result<Room, OutOfMemory> {
    Room::from_answer(bytes, 0).or_else(|| new_answer(bytes, 0)).ok_or_else(lack)
}

/// Returns the room for work that allocates at most `most` bytes without asking. If memory is scarce, this is
/// the room for `exact()` bytes.
#[cfg(feature = "corpus")]
pub(crate) fn room_for_at_most(most: usize, exact: impl FnOnce() -> usize) -> Result<Room, OutOfMemory> {
    let is_scarce = || is_fresh() && ANSWER.load(Relaxed).saturating_sub(most) < PLENTY;
    let room = Room::from_answer(most, PLENTY);
    match room.or_else(|| if is_scarce() { None } else { new_answer(most, PLENTY) }) {
        Some(room) => Ok(room),
        None => room_for(exact()),
    }
}

/// Checks that the spare bytes are left, after work whose memory nobody could ask for: a library in C
/// allocates what the input says, or starts a thread.
#[cfg(feature = "corpus")]
pub(crate) fn check_spare() -> Result<(), OutOfMemory> {
    new_answer(LARGE, 0).map(drop).ok_or_else(lack)
}

/// Returns true if the process may have less memory than the system.
#[cfg(feature = "rayon")]
pub(crate) fn is_limited() -> bool {
    free_addresses().is_some()
}

/// Makes the next request ask the system: somebody took memory without asking.
#[cfg(feature = "rayon")]
pub(crate) fn forget_answer() {
    ANSWERED_AT.store(0, Relaxed);
}

/// The error of a lack of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory(());

#[cold]
fn lack() -> OutOfMemory {
    OutOfMemory(())
}

impl From<TryReserveError> for OutOfMemory {
    fn from(_: TryReserveError) -> Self {
        lack()
    }
}

impl core::fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("out of memory")
    }
}

impl core::error::Error for OutOfMemory {}

/// Returns the time of the system in nanoseconds. It may jump.
fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64)
}

/// Returns true if the last answer still counts.
fn is_fresh() -> bool {
    now().checked_sub(ANSWERED_AT.load(Relaxed)).is_some_and(|age| age < FRESH)
}

/// The right of one thread to ask the system, until this is dropped: two threads must not be promised the
/// same bytes.
struct Question;

/// The process whose thread asks, or 0. A mutex would stay locked in a child that was forked meanwhile.
static ASKING: AtomicU32 = AtomicU32::new(0);

impl Question {
    /// Waits until no other thread of this process asks.
    fn new() -> Self {
        /// The number of attempts after which a thread sleeps, so that one of lower priority can finish.
        const ATTEMPTS: u32 = 100;

        let this = if cfg!(unix) { process::id() } else { 1 };
        for attempt in 0_u32.. {
            let asking = ASKING.load(Relaxed);
            if asking != this && ASKING.compare_exchange(asking, this, Ordering::Acquire, Relaxed).is_ok() {
                break;
            }
            if attempt < ATTEMPTS { thread::yield_now() } else { thread::sleep(Duration::from_micros(100)) }
        }
        Question
    }
}

impl Drop for Question {
    fn drop(&mut self) {
        ASKING.store(0, Ordering::Release);
    }
}

/// Finds out how many bytes there are beyond the promised ones and the spare ones, and notes the answer. A
/// system that does not say how many is asked for [`STORE`] bytes more. Then takes room for `bytes` bytes, if
/// `remaining` bytes remain.
#[cold]
fn new_answer(bytes: usize, remaining: usize) -> Option<Room> {
    let _question = Question::new();
    let promised = PROMISED.load(Relaxed);
    let all = promised.saturating_add(bytes);
    let left = match free_addresses() {
        Some(free) => free.saturating_sub(promised).saturating_sub(SPARE),
        None if bytes >= IMPOSSIBLE => 0,
        None if ask(all.saturating_add(STORE)).is_ok() => bytes + STORE,
        None if ask(all).is_ok() => bytes,
        None => 0,
    };
    let rest = left.checked_sub(bytes).filter(|&rest| rest >= remaining);
    ANSWER.store(left, Relaxed);
    LEFT.store(rest.unwrap_or(left), Relaxed);
    ANSWERED_AT.store(now(), Relaxed);
    rest.map(|_| Room::new(bytes))
}

/// Returns the number of free bytes in the address space of the process, if it is limited and the system says
/// its size.
#[cfg(target_os = "linux")]
fn free_addresses() -> Option<usize> {
    /// The limit of the address space, once it is known: [`NONE`], or less.
    static LIMIT: AtomicUsize = AtomicUsize::new(UNKNOWN);
    const UNKNOWN: usize = 0;
    const NONE: usize = usize::MAX;

    /// Reads the start of a file without allocating.
    fn read<'b>(path: &str, buffer: &'b mut [u8]) -> Option<&'b str> {
        let len = std::io::Read::read(&mut std::fs::File::open(path).ok()?, buffer).ok()?;
        core::str::from_utf8(&buffer[..len]).ok()
    }

    fn limit() -> Option<usize> {
        let mut buffer = [0; 2048];
        let limits = read("/proc/self/limits", &mut buffer)?;
        let (_, limit) = limits.split_once("Max address space")?;
        limit.split_ascii_whitespace().next()?.parse().ok()
    }

    let limit = match LIMIT.load(Relaxed) {
        UNKNOWN => {
            let limit = limit().unwrap_or(NONE);
            LIMIT.store(limit, Relaxed);
            limit
        }
        limit => limit,
    };
    if limit == NONE {
        return None;
    }
    let mut buffer = [0; 1024];
    // The size is the 21st number after the name of the program, which is in parentheses.
    let (_, numbers) = read("/proc/self/stat", &mut buffer)?.rsplit_once(')')?;
    let size: usize = numbers.split_ascii_whitespace().nth(20)?.parse().ok()?;
    Some(limit.saturating_sub(size))
}

#[cfg(not(target_os = "linux"))]
fn free_addresses() -> Option<usize> {
    None
}

/// Asks the system for this number of bytes and the spare ones.
#[cold]
fn ask(bytes: usize) -> Result<(), OutOfMemory> {
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

/// Reserves room for at least `additional` more items, as [`Vec::try_reserve`] does. A large allocation
/// leaves memory for small ones, which end the process if they fail.
///
/// # Errors
///
/// Returns an error if memory runs out.
#[inline]
pub fn try_reserve<T>(items: &mut Vec<T>, additional: usize) -> Result<(), OutOfMemory> {
    if items.capacity() - items.len() >= additional { Ok(()) } else { grow(items, additional) }
}

#[cold]
fn grow<T>(items: &mut Vec<T>, additional: usize) -> Result<(), OutOfMemory> {
    let wanted = items.len().saturating_add(additional).max(items.capacity().saturating_mul(2));
    // A large block grows where it is, or moves without being copied.
    let _room = leave_spare((wanted - items.capacity()).saturating_mul(size_of::<T>()))?;
    Ok(items.try_reserve(additional)?)
}

/// Reserves room for exactly `additional` more items, as [`Vec::try_reserve_exact`] does. A large allocation
/// leaves the spare bytes.
pub(crate) fn try_reserve_exact<T>(items: &mut Vec<T>, additional: usize) -> Result<(), OutOfMemory> {
    let wanted = items.len().saturating_add(additional);
    let missing = wanted.saturating_sub(items.capacity());
    let _room = leave_spare(missing.saturating_mul(size_of::<T>()))?;
    Ok(items.try_reserve_exact(additional)?)
}

/// Appends an item. If memory runs out, notes the error instead.
#[cfg(feature = "corpus")]
#[inline]
pub(crate) fn keep<T>(items: &mut Vec<T>, item: T, lack: &mut Option<OutOfMemory>) {
    match try_reserve(items, 1) {
        Ok(()) => items.push(item),
        Err(error) => *lack = Some(error),
    }
}

/// Asks the system for the memory of work that allocates about `bytes` bytes, if that is much, and gives it
/// back.
///
/// # Errors
///
/// Returns an error if memory runs out.
pub fn ask_for(bytes: usize) -> Result<(), OutOfMemory> {
    leave_spare(bytes).map(drop)
}

/// Asks for the memory of a large allocation and the spare bytes.
fn leave_spare(bytes: usize) -> Result<Option<Room>, OutOfMemory> {
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

    #[cfg(unix)]
    #[test]
    fn a_forked_process_does_not_wait_for_the_question_of_its_parent() {
        let parent = std::os::unix::process::parent_id();
        while ASKING.compare_exchange(0, parent, Relaxed, Relaxed).is_err() {}
        assert!(new_answer(1000, 0).is_some());
        assert_ne!(ASKING.load(Relaxed), parent);
    }

    #[cfg(feature = "corpus")]
    #[test]
    fn what_work_needs_is_counted_only_if_memory_is_scarce() {
        let counted = std::cell::Cell::new(false);
        let exact = || {
            counted.set(true);
            1000
        };
        let room = room_for_at_most(IMPOSSIBLE, exact).unwrap();
        assert_eq!((room.0, counted.replace(false)), (1000, true));
        // This machine has a few bytes.
        let room = room_for_at_most(2000, exact).unwrap();
        assert_eq!(room.0, if counted.get() { 1000 } else { 2000 });
        check_spare().unwrap();
    }
}
