//! Counts work: bytes that are examined, copied or written, at the place where that happens.
//!
//! Every input must take at most linear time. A clock cannot test this: machines differ, and so do two runs
//! on one machine. A count is the same each time, so the growth tests compare counts for growing inputs
//! (`src/corpus/growth.rs` and `cli/src/growth.rs`). They see only counted work. So each loop whose length
//! depends on the input reports [how many bytes it examined](looked_at). Searches are the functions of this
//! module, which count by themselves; `clippy.toml` forbids the functions of the crate `memchr`.
//!
//! Builds with debug assertions count, as `cargo test` does: the library, the command and their tests are
//! then built with the same switch, and the tests of one crate need no feature of another. Other builds
//! contain no counts.
//!
//! Each thread has its own count: tests run in parallel.
//!
//! A program that loops over the library's results can count its own loops in the same way, and compare the
//! counts in its tests:
//!
//! ```
//! use urivalidate::work::{memchr, so_far};
//!
//! let work = |bytes: &[u8]| {
//!     let start = so_far();
//!     memchr(b'#', bytes);
//!     so_far() - start
//! };
//! assert!(work(&[b'a'; 2000]) <= 2 * work(&[b'a'; 1000]));
//! ```

pub use self::counting::{looked_at, so_far};
pub use self::searches::{memchr, memchr_iter, memchr2, memchr3, memmem, memrchr};

/// Returns the position of the first byte that satisfies the predicate.
#[inline(always)]
pub fn position(bytes: &[u8], is_such: impl FnMut(&u8) -> bool) -> Option<usize> {
    let found = bytes.iter().position(is_such);
    looked_at(found.map_or(bytes.len(), |at| at + 1));
    found
}

#[cfg(all(debug_assertions, feature = "std"))]
mod counting {
    use std::cell::Cell;

    thread_local! {
        static WORK: Cell<u64> = const { Cell::new(0) };
    }

    /// Adds this number of bytes that have been examined, copied or written.
    #[inline]
    pub fn looked_at(bytes: usize) {
        WORK.set(WORK.get() + bytes as u64);
    }

    /// Returns the work of this thread so far.
    pub fn so_far() -> u64 {
        WORK.get()
    }
}

#[cfg(not(all(debug_assertions, feature = "std")))]
mod counting {
    /// Does nothing: this build does not count.
    #[inline(always)]
    pub fn looked_at(_bytes: usize) {}

    /// Returns 0: this build does not count.
    pub fn so_far() -> u64 {
        0
    }
}

/// The searches of the crate `memchr`, which count how far they went.
#[allow(
    clippy::disallowed_methods,
    missing_docs,
    reason = "the one place for them; they are those of the crate"
)]
mod searches {
    use super::looked_at;

    /// Counts a search from the first byte on.
    #[inline(always)]
    fn forward(found: Option<usize>, haystack: &[u8]) -> Option<usize> {
        looked_at(found.map_or(haystack.len(), |at| at + 1));
        found
    }

    #[inline(always)]
    pub fn memchr(needle: u8, haystack: &[u8]) -> Option<usize> {
        forward(memchr::memchr(needle, haystack), haystack)
    }

    #[inline(always)]
    pub fn memchr2(one: u8, other: u8, haystack: &[u8]) -> Option<usize> {
        forward(memchr::memchr2(one, other, haystack), haystack)
    }

    #[inline(always)]
    pub fn memchr3(one: u8, other: u8, third: u8, haystack: &[u8]) -> Option<usize> {
        forward(memchr::memchr3(one, other, third, haystack), haystack)
    }

    #[inline(always)]
    pub fn memrchr(needle: u8, haystack: &[u8]) -> Option<usize> {
        let found = memchr::memrchr(needle, haystack);
        looked_at(haystack.len() - found.unwrap_or(0));
        found
    }

    #[inline(always)]
    pub fn memchr_iter(needle: u8, haystack: &[u8]) -> impl Iterator<Item = usize> {
        counted(memchr::memchr_iter(needle, haystack), haystack.len())
    }

    pub mod memmem {
        use super::{counted, forward};

        #[inline(always)]
        pub fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
            forward(memchr::memmem::find(haystack, needle), haystack)
        }

        #[inline(always)]
        pub fn find_iter(haystack: &[u8], needle: &[u8]) -> impl Iterator<Item = usize> {
            counted(memchr::memmem::find_iter(haystack, needle), haystack.len())
        }
    }

    /// Returns the places that a search in `len` bytes finds one after the other. Without counting this is
    /// the crate's own iterator, whose `count` is faster than a loop.
    #[cfg(not(all(debug_assertions, feature = "std")))]
    #[inline(always)]
    fn counted<I: Iterator<Item = usize>>(places: I, _len: usize) -> I {
        places
    }

    /// Returns the places that a search in `len` bytes finds one after the other, and counts the bytes up to
    /// each place.
    #[cfg(all(debug_assertions, feature = "std"))]
    fn counted<I: Iterator<Item = usize>>(mut places: I, len: usize) -> impl Iterator<Item = usize> {
        let mut passed = 0;
        core::iter::from_fn(move || {
            let place = places.next();
            let at = place.map_or(len, |place| place + 1);
            looked_at(at - passed);
            passed = at;
            place
        })
    }
}
