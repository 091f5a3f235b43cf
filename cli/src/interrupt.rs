//! The handling of signals that would end the process. They end the run between two writes, so that no row is
//! cut in half and no unfinished file stays. The exit status is 128 plus the signal's number, as shells
//! report it.
//!
//! A signal that was ignored when the process began (by `nohup`, or in background jobs) stays ignored.
//! SIGXFSZ is caught and does nothing: the write over the limit fails, and the command reports the failure.
//!
//! A separate thread waits for the signals, because the scanning thread may wait for its input for any time.
//! If the run is in the middle of a write because the reader of the output is slow, the signal waits for the
//! end of the write; a second signal ends the run at once. No output is buffered between writes, so the
//! system has all bytes of earlier writes.
//!
//! With `--stats`, SIGINT and SIGTERM first print the statistics so far, and a sentence about the interruption.
//!
//! On Windows, Ctrl-C, Ctrl-Break, a closed console and the end of the session do the same. The exit status is
//! that of a program that Ctrl-C ends, and the run ends at once if a write takes two seconds longer.
//!
//! Limits: a record over the limit is written in parts, and can still be cut between them. A stream of Arrow
//! then has no end, but all its record batches are whole.

use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(any(unix, windows))]
use crate::unfinished;

/// The lock that is held during a write.
static WRITING: Mutex<()> = Mutex::new(());

/// The action of SIGINT and SIGTERM before they end the run.
static LAST: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);

/// Sets the action of SIGINT and SIGTERM before they end the run. It runs on the thread for signals, between two writes
/// of the run; `None` does nothing.
pub(crate) fn before_exit(last: Option<Box<dyn FnOnce() + Send>>) {
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = last;
}

/// While this is held, no signal ends the run.
pub(crate) fn uninterrupted() -> MutexGuard<'static, ()> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Installs handlers that end the run between two writes. Without them, signals end the process at once.
#[cfg(unix)]
pub(crate) fn watch() {
    use std::sync::{Arc, TryLockError, mpsc};
    use std::thread;
    use std::time::Duration;

    use signal_hook::consts::{
        SIGALRM, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ,
    };
    use signal_hook::iterator::Signals;

    const STACK: usize = 64 << 10;
    const ENDING: [i32; 10] =
        [SIGALRM, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU];

    // If this fails, the signal ends the process as usual.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
    let ignored = ignored_signals();
    let ending = ENDING.into_iter().filter(move |signal| ignored >> (signal - 1) & 1 == 0);

    let (begin, has_begun) = mpsc::channel::<()>();
    let wait = move || {
        let Ok(mut signals) = Signals::new(ending) else { return };
        drop(begin);
        let Some(signal) = signals.forever().next() else { return };
        let exit = || {
            unfinished::remove_all();
            if matches!(signal, SIGINT | SIGTERM) {
                run_last();
            }
            std::process::exit(128 + signal)
        };
        // `exit` never returns, so the lock is held until the end of the process.
        while let Err(TryLockError::WouldBlock) = WRITING.try_lock().map(|_writing| exit()) {
            if signals.pending().next().is_some() {
                break;
            }
            thread::sleep(Duration::from_millis(5));
        }
        exit()
    };
    // If the thread cannot start, signals act as before.
    drop(thread::Builder::new().name("signals".to_owned()).stack_size(STACK).spawn(wait));
    // Waits until the thread has registered its handlers or failed. After that, only the thread ends the
    // process for a signal.
    let _ = has_begun.recv();
}

/// Returns the ignored signals: bit 0 is signal 1. Only Linux reports them without unsafe code; elsewhere no
/// signal counts as ignored.
#[cfg(unix)]
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}

/// Installs a handler that ends the run between two writes.
#[cfg(windows)]
pub(crate) fn watch() {
    use std::sync::TryLockError;
    use std::thread;
    use std::time::{Duration, Instant};

    /// The status of a program that Ctrl-C ends (STATUS_CONTROL_C_EXIT).
    const ENDED: i32 = 0xC000_013A_u32.cast_signed();
    /// The time for a write that has begun. The system ends the process five seconds after its console was
    /// closed.
    const PATIENCE: Duration = Duration::from_secs(2);

    // If this fails, Ctrl-C ends the process as usual.
    let _ = ctrlc::set_handler(|| {
        let exit = || {
            unfinished::remove_all();
            run_last();
            std::process::exit(ENDED)
        };
        let begun = Instant::now();
        // `exit` never returns, so the lock is held until the end of the process.
        while let Err(TryLockError::WouldBlock) = WRITING.try_lock().map(|_writing| exit()) {
            if begun.elapsed() > PATIENCE {
                break;
            }
            thread::sleep(Duration::from_millis(5));
        }
        exit()
    });
}

#[cfg(any(unix, windows))]
fn run_last() {
    let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).take();
    last.into_iter().for_each(|last| last());
}

/// This system has no signals.
#[cfg(not(any(unix, windows)))]
pub(crate) fn watch() {}
