//! The standard streams: what they are called, and whether they were open when the process began.
//!
//! A stream that was closed must not count as empty. The standard library hides that it was: it opens the null device in
//! its place before `main`, and takes the error of a stream that is open the other way round for its end. So the streams
//! are looked at before that.

use std::io;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    Stdin,
    Stdout,
    Stderr,
}

impl Stream {
    /// The stream that a file name stands for.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        const NAMES: [(Stream, [&str; 3]); 3] = [
            (Stream::Stdin, ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]),
            (Stream::Stdout, ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]),
            (Stream::Stderr, ["/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"]),
        ];
        let found = NAMES.iter().find(|(_, names)| names.iter().any(|name| path == Path::new(name)));
        found.map(|&(stream, _)| stream)
    }

    /// What it is called in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Stream::Stdin => "standard input",
            Stream::Stdout => "standard output",
            Stream::Stderr => "standard error",
        }
    }

    /// Fails if the stream was closed when the process began, or open for the other direction only.
    pub(crate) fn check(self) -> io::Result<()> {
        match at_start::state(self) {
            State::Closed => Err(io::Error::other("closed")),
            State::OtherWay if self == Stream::Stdin => Err(io::Error::other("not open for reading")),
            State::OtherWay => Err(io::Error::other("not open for writing")),
            State::Open => Ok(()),
        }
    }
}

/// How a stream stands.
#[derive(Clone, Copy)]
enum State {
    Open,
    Closed,
    /// Open for writing where it is to be read, or for reading where it is to be written.
    OtherWay,
}

#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd", target_os = "macos"))]
mod at_start {
    use std::sync::atomic::{AtomicU8, Ordering};

    use rustix::fs::{OFlags, fcntl_getfl};

    use super::{State, Stream};

    /// The state of each stream.
    static STATES: [AtomicU8; 3] = [const { AtomicU8::new(State::Open as u8) }; 3];

    /// Run by the loader, before the standard library looks at the streams.
    #[expect(unsafe_code, reason = "only the loader comes before the standard library")]
    // SAFETY: the section holds functions that the loader calls one after the other, on the only thread, and `look` can be
    // called like that: it makes system calls and stores to atomics, and needs nothing that has to be set up first.
    #[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
    #[cfg_attr(not(target_os = "macos"), unsafe(link_section = ".init_array"))]
    #[used]
    static LOOK: extern "C" fn() = look;

    extern "C" fn look() {
        let streams = [
            (rustix::stdio::stdin(), OFlags::WRONLY),
            (rustix::stdio::stdout(), OFlags::RDONLY),
            (rustix::stdio::stderr(), OFlags::RDONLY),
        ];
        for ((stream, other_way), state) in streams.into_iter().zip(&STATES) {
            let found = match fcntl_getfl(stream) {
                Err(_) => State::Closed,
                Ok(flags) if flags & OFlags::ACCMODE == other_way => State::OtherWay,
                Ok(_) => State::Open,
            };
            state.store(found as u8, Ordering::Relaxed);
        }
    }

    pub(super) fn state(stream: Stream) -> State {
        let state = STATES[stream as usize].load(Ordering::Relaxed);
        [State::Open, State::Closed, State::OtherWay][usize::from(state)]
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd", target_os = "macos")))]
mod at_start {
    use super::{State, Stream};

    /// Not known here.
    pub(super) fn state(_: Stream) -> State {
        State::Open
    }
}
