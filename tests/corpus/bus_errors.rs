//! Tests systems in which SIGBUS would not reach its handler: there files are read, so a file that shrinks is
//! an error and does not end the process.

#![allow(unsafe_code)]

use std::io::Write;
use std::mem::MaybeUninit;
use std::ops::ControlFlow;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, ptr};

use urivalidate::corpus::{Chunk, Scanner};

/// The task of a child process, since signals belong to a process.
const TASK: &str = "URIVALIDATE_TASK";

const LINE: &[u8] = b"urn:a:b\n";

fn block_in_this_thread() {
    let mut signals = MaybeUninit::uninit();
    // SAFETY: The set is initialised before it is used; the other pointer may be null.
    unsafe {
        libc::sigemptyset(signals.as_mut_ptr());
        libc::sigaddset(signals.as_mut_ptr(), libc::SIGBUS);
        assert_eq!(libc::pthread_sigmask(libc::SIG_BLOCK, signals.as_ptr(), ptr::null_mut()), 0);
    }
}

fn set_action(action: libc::sighandler_t) {
    // SAFETY: The action is not a handler.
    unsafe { libc::signal(libc::SIGBUS, action) };
}

/// Scans a file that is truncated when its first chunk is scanned. `meanwhile` runs before that. The other
/// chunks wait for it: otherwise the file might have been read to its end before.
fn scan_what_shrinks(threads: usize, meanwhile: impl Fn() + Sync) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&LINE.repeat(100_000)).unwrap();
    let truncation = Once::new();
    let mut lines = 0;
    let scanner = Scanner::new().chunk_size(1 << 16);
    // SAFETY: the jobs of these tests only count bytes.
    #[expect(unsafe_code, reason = "the file changes while it is mapped")]
    let scanner = unsafe { scanner.map_files(true) };
    #[cfg(feature = "rayon")]
    let scanner = scanner.threads(threads);
    let job = |chunk: &Chunk<'_>| {
        let lines = chunk.lines().iter().filter(|&&byte| byte == b'\n').count();
        truncation.call_once(|| {
            meanwhile();
            file.as_file().set_len(LINE.len() as u64 * 1000).unwrap();
        });
        lines
    };
    let end = scanner.scan_file(file.reopen().unwrap(), job, |count| {
        lines += count;
        ControlFlow::<()>::Continue(())
    });
    assert_eq!(end.unwrap_err().to_string(), "truncated while it was read", "{threads} threads");
    assert!((1000..100_000).contains(&lines));
}

/// Runs the test of this name in another process, changed by `change`.
fn run_in_a_child(test: &str, change: impl FnOnce(&mut Command)) {
    let (_, module) = module_path!().split_once("::").unwrap();
    let mut child = Command::new(env::current_exe().unwrap());
    child.args(["--exact", &format!("{module}::{test}")]).env(TASK, test);
    change(&mut child);
    let output = child.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "{output:?}");
}

fn is_child() -> bool {
    env::var_os(TASK).is_some()
}

#[test]
fn blocked_in_a_thread() {
    if is_child() {
        block_in_this_thread();
        return [1, 2].into_iter().for_each(|threads| scan_what_shrinks(threads, || ()));
    }
    run_in_a_child("blocked_in_a_thread", |_| ());
}

#[test]
fn blocked_or_ignored_at_exec() {
    if is_child() {
        return [1, 2].into_iter().for_each(|threads| scan_what_shrinks(threads, || ()));
    }
    let ways: [fn(); 2] = [block_in_this_thread, || set_action(libc::SIG_IGN)];
    for way in ways {
        run_in_a_child("blocked_or_ignored_at_exec", |child| {
            // SAFETY: The calls are allowed between fork and exec.
            unsafe {
                child.pre_exec(move || {
                    way();
                    Ok(())
                })
            };
        });
    }
}

/// Tests a signal that a process sent: if it was ignored before, it is still ignored. The handler stays,
/// since chunks are still read.
#[test]
fn a_sent_signal_that_is_ignored_leaves_the_handler() {
    if is_child() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&LINE.repeat(100_000)).unwrap();
        let is_first = AtomicBool::new(true);
        let scanner = Scanner::new().chunk_size(1 << 16);
        // SAFETY: the job only counts bytes.
        #[expect(unsafe_code, reason = "the file changes while it is mapped")]
        let scanner = unsafe { scanner.map_files(true) };
        let job = |chunk: &Chunk<'_>| {
            let count = || chunk.lines().iter().filter(|&&byte| byte == b'\n').count();
            if is_first.swap(false, Ordering::Relaxed) {
                // SAFETY: this sends a signal to this process.
                assert_eq!(unsafe { libc::kill(libc::getpid(), libc::SIGBUS) }, 0);
                file.as_file().set_len(LINE.len() as u64).unwrap();
            }
            // Most pages of the first chunk no longer exist.
            count()
        };
        let take = |_| ControlFlow::<()>::Continue(());
        let end = scanner.scan_file(file.reopen().unwrap(), job, take);
        assert_eq!(end.unwrap_err().to_string(), "truncated while it was read");
        return;
    }
    run_in_a_child("a_sent_signal_that_is_ignored_leaves_the_handler", |child| {
        // SAFETY: The call is allowed between fork and exec.
        unsafe {
            child.pre_exec(|| {
                set_action(libc::SIG_IGN);
                Ok(())
            })
        };
    });
}

#[test]
fn another_handler_in_its_place() {
    if is_child() {
        // On one thread: another thread might already be reading the file.
        return scan_what_shrinks(1, || set_action(libc::SIG_DFL));
    }
    run_in_a_child("another_handler_in_its_place", |_| ());
}
