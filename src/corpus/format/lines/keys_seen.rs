//! Whether the lines of an input have the key that their layout reads.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether an input has lines with the key, and lines without it. The workers of a scan share it.
#[derive(Debug, Default)]
pub(crate) struct KeysSeen {
    with: AtomicBool,
    without: AtomicBool,
}

impl KeysSeen {
    /// Notes the lines of a chunk: whether some lack the key, and whether some have it.
    pub(crate) fn note(&self, lack_key: bool, have_key: impl FnOnce() -> bool) {
        // Other workers may note the same at the same time. All only set the values, and the scan reads them
        // after its last chunk.
        if lack_key {
            self.without.store(true, Ordering::Relaxed);
        }
        if !self.with.load(Ordering::Relaxed) && have_key() {
            self.with.store(true, Ordering::Relaxed);
        }
    }

    /// Returns true if some lines lack the key and none have it.
    pub(crate) fn is_missing(&self) -> bool {
        self.without.load(Ordering::Relaxed) && !self.with.load(Ordering::Relaxed)
    }
}
