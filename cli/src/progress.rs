//! The progress of a run, on a terminal.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::Args;

/// The time before the progress is shown. Shorter runs show nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// The number of drawings per second.
const RATE: u8 = 8;

/// The progress: bytes, rate and, if the size of all files is known, the time left.
pub(crate) struct Progress {
    /// The bar, or `None` if no terminal shows it.
    bar: Option<ProgressBar>,
    begun: Instant,
    is_shown: bool,
}

impl Progress {
    pub(crate) fn new(args: &Args, files: &[PathBuf]) -> Self {
        let is_wanted = !args.no_progress && !args.quiet && io::stderr().is_terminal();
        let bar = is_wanted.then(|| {
            let size: Option<u64> = files.iter().map(|file| size(file)).sum();
            let bar = ProgressBar::with_draw_target(size, ProgressDrawTarget::hidden());
            bar.set_style(style(size.is_some()));
            bar
        });
        Progress { bar, begun: Instant::now(), is_shown: false }
    }

    /// Counts bytes that have been scanned.
    pub(crate) fn advance(&mut self, bytes: u64) {
        let Some(bar) = &self.bar else { return };
        if !self.is_shown && self.begun.elapsed() >= PATIENCE {
            self.is_shown = true;
            bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(RATE));
        }
        bar.inc(bytes);
        // A file may have more bytes to scan than its size, because it grew or is compressed.
        if bar.length().is_some_and(|length| bar.position() > length) {
            bar.unset_length();
            bar.set_style(style(false));
        }
    }

    /// Runs an action that may write to the terminal, while the bar is hidden.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) if self.is_shown => bar.suspend(write),
            _ => write(),
        }
    }

    /// Removes the bar.
    pub(crate) fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// Returns the number of bytes of a file that a scan will read, if the number is known without reading the
/// file.
fn size(file: &Path) -> Option<u64> {
    let is_compressed = file.extension().is_some_and(|extension| extension == "gz" || extension == "zst");
    let metadata = fs::metadata(file).ok().filter(|metadata| metadata.is_file() && !is_compressed)?;
    Some(metadata.len())
}

fn style(is_size_known: bool) -> ProgressStyle {
    let template = if is_size_known {
        "{percent:>3}%  {decimal_bytes} of {decimal_total_bytes}  {decimal_bytes_per_sec}  {eta} left"
    } else {
        "{decimal_bytes}  {decimal_bytes_per_sec}  {elapsed}"
    };
    ProgressStyle::with_template(template).expect("the template is well-formed")
}
