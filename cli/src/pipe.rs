//! The capacity of pipes.

/// Lets a pipe hold up to 1 MiB, so that the program at its other end and this one wait for each other less
/// often. Other files and larger pipes are not changed. If the system refuses, only speed is lost.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn widen(pipe: impl std::os::fd::AsFd) {
    use rustix::pipe::{fcntl_getpipe_size, fcntl_setpipe_size};

    /// The most that Linux allows a process without privileges.
    const BYTES: usize = 1 << 20;

    if fcntl_getpipe_size(&pipe).is_ok_and(|bytes| bytes < BYTES) {
        let _ = fcntl_setpipe_size(&pipe, BYTES);
    }
}

/// Does nothing: other systems have no such call.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn widen<T>(_: T) {}
