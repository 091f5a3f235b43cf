//! How far the run is, on a terminal.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::Args;

/// Runs shorter than this show nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often it is drawn anew in a second.
const RATE: u8 = 8;

/// Bytes, rate, and the time that is left where the size of all files is known.
pub(crate) struct Progress {
    /// None where nobody would see it.
    bar: Option<ProgressBar>,
    begun: Instant,
    is_shown: bool,
}

impl Progress {
    pub(crate) fn new(args: &Args, files: &[PathBuf]) -> Self {
        let is_wanted = !args.no_progress && !args.quiet && io::stderr().is_terminal();
        let bar = is_wanted.then(|| {
            let size = files.iter().map(|file| fs::metadata(file).ok().filter(|data| data.is_file()));
            let size: Option<u64> = size.map(|data| data.map(|data| data.len())).sum();
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
        // What is read may be longer than the file is: it grew.
        if bar.length().is_some_and(|length| bar.position() > length) {
            bar.unset_length();
            bar.set_style(style(false));
        }
    }

    /// Does something that may write to the terminal, with the bar out of the way.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) if self.is_shown => bar.suspend(write),
            _ => write(),
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

fn style(is_size_known: bool) -> ProgressStyle {
    let template = if is_size_known {
        "{percent:>3}%  {decimal_bytes} of {decimal_total_bytes}  {decimal_bytes_per_sec}  {eta} left"
    } else {
        "{decimal_bytes}  {decimal_bytes_per_sec}  {elapsed}"
    };
    ProgressStyle::with_template(template).expect("the template is well-formed")
}
