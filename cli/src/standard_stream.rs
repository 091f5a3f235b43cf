//! The standard streams: their names, and whether they were open when the process began.
//!
//! A closed stream must not count as empty. The standard library hides closed streams: before `main`, it
//! opens the null device in place of a closed stream, and it treats the error of a stream that is open in the
//! other direction as the end of the stream. So this file checks the streams before the standard library
//! does.

#[cfg(unix)]
use std::fs;
use std::fs::File;
use std::io;
use std::path::Path;

#[cfg(unix)]
use crate::links;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StandardStream {
    Stdin,
    Stdout,
    Stderr,
}

impl StandardStream {
    /// Returns the stream that a file name stands for.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        const NAMES: [(StandardStream, [&str; 3]); 3] = [
            (StandardStream::Stdin, ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]),
            (StandardStream::Stdout, ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]),
            (StandardStream::Stderr, ["/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"]),
        ];
        let found = NAMES.iter().find(|(_, names)| names.iter().any(|name| path == Path::new(name)));
        found.map(|&(stream, _)| stream)
    }

    /// Returns the name in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            StandardStream::Stdin => "standard input",
            StandardStream::Stdout => "standard output",
            StandardStream::Stderr => "standard error",
        }
    }

    /// Fails if the stream was closed when the process began, or open for the other direction only.
    pub(crate) fn check(self) -> io::Result<()> {
        match at_start::state(self) {
            State::Closed => Err(io::Error::other("closed")),
            State::OtherWay if self == StandardStream::Stdin => Err(io::Error::other("not open for reading")),
            State::OtherWay => Err(io::Error::other("not open for writing")),
            State::Open => Ok(()),
        }
    }
}

#[cfg(unix)]
impl StandardStream {
    /// Returns a copy of the stream's descriptor, which has no buffer of the standard library.
    pub(crate) fn copy(self) -> io::Result<File> {
        use std::os::fd::AsFd;

        let copy = match self {
            StandardStream::Stdin => io::stdin().as_fd().try_clone_to_owned(),
            StandardStream::Stdout => io::stdout().as_fd().try_clone_to_owned(),
            StandardStream::Stderr => io::stderr().as_fd().try_clone_to_owned(),
        };
        copy.map(File::from)
    }
}

#[cfg(windows)]
impl StandardStream {
    /// Returns a copy of the stream's handle, which has no buffer of the standard library.
    pub(crate) fn copy(self) -> io::Result<File> {
        use std::os::windows::io::AsHandle;

        let copy = match self {
            StandardStream::Stdin => io::stdin().as_handle().try_clone_to_owned(),
            StandardStream::Stdout => io::stdout().as_handle().try_clone_to_owned(),
            StandardStream::Stderr => io::stderr().as_handle().try_clone_to_owned(),
        };
        copy.map(File::from)
    }
}

#[cfg(not(any(unix, windows)))]
impl StandardStream {
    /// Fails: this system has no such copies.
    pub(crate) fn copy(self) -> io::Result<File> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Returns true if this is a name of an open descriptor of the process, or of a link to such a name:
/// `/dev/stdout`, `/dev/fd/N`, `/proc/self/fd/N`.
#[cfg(unix)]
pub(crate) fn is_descriptor(path: &Path) -> bool {
    number(path).is_some()
}

/// Returns a copy of the open descriptor of this name, if it names one. Opening the name instead would open a
/// file again, at its start.
#[cfg(unix)]
pub(crate) fn descriptor(path: &Path) -> io::Result<Option<File>> {
    use std::os::fd::BorrowedFd;

    use rustix::io::{Errno, FdFlags, fcntl_getfd};

    let Some(number) = number(path) else { return Ok(None) };
    let copy = match number {
        0 => StandardStream::Stdin.copy(),
        1 => StandardStream::Stdout.check().and_then(|()| StandardStream::Stdout.copy()),
        2 => StandardStream::Stderr.check().and_then(|()| StandardStream::Stderr.copy()),
        number => {
            // SAFETY: The number is not -1. The descriptor is only inspected and duplicated, which fails if
            // it is not open. A descriptor that this process opened for itself, and might close meanwhile, is
            // refused.
            #[expect(unsafe_code, reason = "the caller passed the descriptor by its number")]
            let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
            match fcntl_getfd(descriptor) {
                // This process opened the descriptor: one from the caller would not have the flag.
                Ok(flags) if flags.contains(FdFlags::CLOEXEC) => Err(Errno::BADF.into()),
                Ok(_) => descriptor.try_clone_to_owned().map(File::from),
                Err(error) => Err(error.into()),
            }
        }
    };
    copy.map(Some)
}

/// Returns the number of the open descriptor that has this name.
#[cfg(unix)]
fn number(path: &Path) -> Option<i32> {
    let folders = ["/dev/fd", "/proc/self/fd"].map(|folder| fs::canonicalize(folder).ok());
    links::followed(path).find_map(|path| {
        let folder = path.parent().and_then(|folder| fs::canonicalize(folder).ok());
        let name = path.file_name()?.to_str()?;
        let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && folder.is_some() && folders.contains(&folder) { name.parse().ok() } else { None }
    })
}

/// Returns false: descriptors have no file names on this system.
#[cfg(not(unix))]
pub(crate) fn is_descriptor(_: &Path) -> bool {
    false
}

#[cfg(not(unix))]
pub(crate) fn descriptor(_: &Path) -> io::Result<Option<File>> {
    Ok(None)
}

/// The state of a stream.
#[derive(Clone, Copy)]
#[cfg_attr(
    not(any(target_os = "linux", target_os = "android", target_os = "freebsd", target_os = "macos")),
    expect(dead_code, reason = "the state is unknown on this system")
)]
enum State {
    Open,
    Closed,
    /// Open for the wrong direction.
    OtherWay,
}

#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd", target_os = "macos"))]
mod at_start {
    use std::sync::atomic::{AtomicU8, Ordering};

    use rustix::fs::{OFlags, fcntl_getfl};

    use super::{StandardStream, State};

    /// The state of each stream.
    static STATES: [AtomicU8; 3] = [const { AtomicU8::new(State::Open as u8) }; 3];

    /// The loader runs this function before the standard library checks the streams.
    #[expect(unsafe_code, reason = "only the loader comes before the standard library")]
    // SAFETY: the section holds functions that the loader calls one after the other, on the only thread, and
    // `look` can be called like that: it makes system calls and stores to atomics, and needs nothing that has
    // to be set up first.
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

    pub(super) fn state(stream: StandardStream) -> State {
        let state = STATES[stream as usize].load(Ordering::Relaxed);
        [State::Open, State::Closed, State::OtherWay][usize::from(state)]
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd", target_os = "macos")))]
mod at_start {
    use super::{StandardStream, State};

    /// Returns a fixed state, because the state is unknown on this system.
    pub(super) fn state(_: StandardStream) -> State {
        State::Open
    }
}
