//! When a kernel is not worth trying.
//!
//! Where most records need the parser, the kernel's work is lost: then as many bytes as it was tried on go to the parser at once,
//! and twice as many each time it fails again, up to [`MOST`]. So a bad patch costs little, and no input is much slower than the
//! parser alone. It is counted in bytes, so that it works alike for large buffers and for small ones.

/// After how many bytes at the latest the kernel is tried again.
const MOST: usize = 1 << 20;

/// Where lines are shorter than this on average, LF included, the kernel is always worth trying.
const SHORT: usize = 16;

/// What is remembered from piece to piece, and from scan to scan. It affects speed only.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BackOff {
    /// How many bytes more go to the parser.
    left: usize,
    /// How many did when the kernel failed last.
    last: usize,
}

impl BackOff {
    /// Whether a piece of so many bytes goes to the parser.
    pub(crate) fn skips(&mut self, len: usize) -> bool {
        let skips = self.left > 0;
        self.left = self.left.saturating_sub(len);
        skips
    }

    /// Notes how the kernel did with a piece of so many bytes, lines, and lines that fell back.
    pub(crate) fn note(&mut self, len: usize, lines: usize, fallback: usize) {
        // Short lines are cut by a kernel in less time than by a search for each LF.
        let was_worth_it = fallback * 4 <= lines * 3 || len < SHORT * lines;
        self.last = if was_worth_it { 0 } else { (2 * self.last).max(len).min(MOST) };
        self.left = self.last;
    }
}
