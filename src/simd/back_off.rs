//! The decision that a kernel is not worth trying.
//!
//! If most records need the parser, the kernel's work is wasted; it is about a tenth of the parser's. If the
//! kernel fails on more than [`PATIENCE`] bytes in a row, the next bytes go to the parser at once: as many
//! bytes as the kernel last failed on, then twice as many each time the kernel fails again, up to [`MOST`].
//! So no input is much slower than with the parser alone. The unit is bytes, so that large and small buffers
//! are treated in the same way.
//!
//! Real lists have bad patches, such as all URLs of a host with a port, and clean lines after them: giving
//! the clean lines to the parser costs ten times the work that it saves. Without patience, one bad piece of
//! 32 KiB in a hundred took 3% of a list's time.

/// After more than this number of bytes in a row on which the kernel failed, it is no longer tried each time.
const PATIENCE: usize = 256 << 10;

/// The most bytes after which the kernel is tried again.
const MOST: usize = 1 << 20;

/// If lines have fewer bytes than this on average, with their LF, the kernel is always worth trying.
const SHORT: usize = 16;

/// The state between pieces, and between scans. It affects only the speed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BackOff {
    /// The number of bytes that still go to the parser.
    left: usize,
    /// The number of bytes that went to the parser after the kernel's last failure.
    last: usize,
    /// The number of bytes in a row on which the kernel has failed.
    failed: usize,
}

impl BackOff {
    /// Returns whether the next piece, of `len` bytes, goes to the parser.
    pub(crate) fn skips(&mut self, len: usize) -> bool {
        let skips = self.left > 0;
        self.left = self.left.saturating_sub(len);
        skips
    }

    /// Notes the kernel's result for a piece: its bytes, its lines, and the lines that the kernel did not help to
    /// judge.
    pub(crate) fn note(&mut self, len: usize, lines: usize, fallback: usize) {
        // A kernel cuts short lines in less time than a search for each LF does.
        self.note_worth(len, fallback * 4 <= lines * 3 || len < SHORT * lines, MOST);
    }

    /// Notes whether the kernel was worth trying for some bytes. After failures it is not tried for `most`
    /// bytes at most.
    pub(crate) fn note_worth(&mut self, len: usize, was_worth_it: bool, most: usize) {
        self.failed = if was_worth_it { 0 } else { self.failed.saturating_add(len) };
        self.last = if self.failed <= PATIENCE { 0 } else { (2 * self.last).max(len).min(most) };
        self.left = self.last;
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    const LEN: usize = 100 << 10;

    /// Returns for each of some pieces of `LEN` bytes, whose lines all fall back or all do not, whether it
    /// goes to the kernel.
    fn tried(back_off: &mut BackOff, pieces: usize, falls_back: bool) -> Vec<bool> {
        let mut piece = || {
            let tries = !back_off.skips(LEN);
            if tries {
                back_off.note(LEN, 1000, if falls_back { 1000 } else { 0 });
            }
            tries
        };
        (0..pieces).map(|_| piece()).collect()
    }

    #[test]
    fn what_fails_again_and_again_is_tried_less_and_less() {
        let mut back_off = BackOff::default();
        let dirty = tried(&mut back_off, 40, true);
        let tries: Vec<_> = (0..40).filter(|&piece| dirty[piece]).collect();
        assert_eq!(tries, [0, 1, 2, 4, 7, 12, 21, 33]);
        // Once the kernel succeeds again, it is tried each time, even after a bad patch.
        let clean = tried(&mut back_off, 20, false);
        assert_eq!(clean.iter().rposition(|tried| !tried), Some(4));
        assert_eq!(tried(&mut back_off, 2, true), [true; 2]);
        assert_eq!(tried(&mut back_off, 4, false), [true; 4]);
    }

    #[test]
    fn three_lines_in_four_may_fall_back() {
        let gives_up = |lines, fallback| {
            let mut back_off = BackOff::default();
            (0..3).for_each(|_| back_off.note(LEN, lines, fallback));
            back_off.skips(LEN)
        };
        assert!(!gives_up(1000, 750) && gives_up(1000, 751));
        // All short lines may fall back.
        let short = LEN / SHORT + 1;
        assert!(!gives_up(short, short) && gives_up(short - 1, short - 1));
    }

    #[test]
    fn short_lines_are_always_tried() {
        let mut back_off = BackOff::default();
        for _ in 0..100 {
            assert!(!back_off.skips(LEN));
            back_off.note(LEN, LEN / (SHORT - 1), LEN / (SHORT - 1));
        }
    }
}
