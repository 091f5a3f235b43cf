//! Notices whether a regular file stays the same while it is scanned.
//!
//! The size and the time of the last change are checked when each chunk is scanned. A file may grow. These
//! changes stay unnoticed: a change within the same tick of the file system's clock as the change before (on
//! Linux some 4 ms, or no such gap since 6.13); a change through a shared mapping that is not yet written
//! back; and a change that leaves a larger file, either between two checks or less than [`LONGEST_APPEND`]
//! before an append. The last one looks like an append, unless the bytes before the former end differ.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::memory;

/// The longest time between a file's new modification time and its new length.
const LONGEST_APPEND: Duration = Duration::from_millis(100);

/// The state of a regular file at one time.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    len: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(file: &File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        Ok(Stamp { len: metadata.len(), modified: metadata.modified().ok() })
    }
}

/// A file that is being scanned, checked for changes.
pub(crate) struct FileWatch<'f> {
    file: &'f File,
    start: Stamp,
    /// The last bytes of the file at the start of the scan.
    tail: Vec<u8>,
    /// The state at the last check.
    last: Mutex<Stamp>,
    /// The number of changes noticed so far, including growth.
    changes: AtomicU64,
    /// True if the file has changed in another way than by growth.
    is_other: AtomicBool,
}

impl<'f> FileWatch<'f> {
    /// Starts to watch the file. Moves the file's position.
    pub(crate) fn new(file: &'f File) -> io::Result<Self> {
        let start = Stamp::of(file)?;
        let tail = tail(file, start.len);
        Ok(FileWatch {
            file,
            start,
            tail,
            last: Mutex::new(start),
            changes: AtomicU64::new(0),
            is_other: AtomicBool::new(false),
        })
    }

    /// Returns the file's length in bytes at the start.
    pub(crate) fn len(&self) -> u64 {
        self.start.len
    }

    pub(crate) fn file(&self) -> &'f File {
        self.file
    }

    /// Makes reading continue at byte `position`.
    pub(crate) fn seek(&self, position: u64) -> io::Result<()> {
        let mut file = self.file;
        file.seek(SeekFrom::Start(position)).map(drop)
    }

    /// Reads bytes that have been mapped: fewer if the file is shorter now. Returns the bytes before an
    /// error, too.
    #[cfg_attr(not(feature = "mmap"), allow(dead_code, reason = "nothing is mapped"))]
    pub(crate) fn read_again(&self, base: u64, len: usize) -> (Vec<u8>, io::Result<()>) {
        let mut bytes = Vec::new();
        if memory::try_reserve_exact(&mut bytes, len).is_err() {
            return (bytes, Err(io::ErrorKind::OutOfMemory.into()));
        }
        bytes.resize(len, 0);
        let (filled, result) = self.read_at(&mut bytes, base);
        bytes.truncate(filled);
        (bytes, result)
    }

    /// Reads the bytes from `at` on and returns their number: fewer than `buffer` holds if the file ends or
    /// an error occurs.
    #[cfg_attr(
        not(any(feature = "mmap", feature = "rayon")),
        allow(dead_code, reason = "all is read in order")
    )]
    pub(crate) fn read_at(&self, buffer: &mut [u8], at: u64) -> (usize, io::Result<()>) {
        let mut filled = 0;
        while filled < buffer.len() {
            match read_at(self.file, &mut buffer[filled..], at + filled as u64) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return (filled, Err(error)),
            }
        }
        (filled, Ok(()))
    }

    /// Returns the number of changes to the file noticed so far.
    pub(crate) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    /// Checks the file, and returns the number of changes noticed so far.
    pub(crate) fn look(&self) -> u64 {
        // The check happens under the lock: an older state recorded after a newer one would make a growing
        // file look as if it had shrunk.
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.stamp();
        if now != *last {
            let is_other = self.is_other.load(Ordering::Acquire);
            let now = if now.len == last.len && !is_other { self.await_growth(now) } else { now };
            if now.len <= last.len {
                self.is_other.store(true, Ordering::Release);
            }
            *last = now;
            self.changes.fetch_add(1, Ordering::Release);
        }
        drop(last);
        self.changes()
    }

    /// Returns the present state of the file. A file whose state cannot be read counts as empty.
    fn stamp(&self) -> Stamp {
        Stamp::of(self.file).unwrap_or(Stamp { len: 0, modified: None })
    }

    /// Waits for the bytes of an append if only its time is visible so far. Systems first set the time of a
    /// change, and then the length, once the bytes are written. In between, the writer may have to wait for a
    /// processor.
    fn await_growth(&self, first: Stamp) -> Stamp {
        let begin = Instant::now();
        loop {
            let now = self.stamp();
            if now.len != first.len || begin.elapsed() > LONGEST_APPEND {
                return now;
            }
            thread::sleep(Duration::from_micros(100));
        }
    }

    /// Checks that the file is the same as at the start, or longer, after the scan has read `position` bytes
    /// of it.
    ///
    /// # Errors
    ///
    /// Returns an error if the file has changed otherwise.
    pub(crate) fn finish(&self, position: u64) -> io::Result<()> {
        let changes = self.look();
        self.check_length(position)?;
        let is_other = self.is_other.load(Ordering::Acquire)
            || changes > 0 && tail(self.file, self.start.len) != self.tail;
        if is_other && self.start.len > 0 {
            Err(io::Error::other("changed while it was read"))
        } else {
            Ok(())
        }
    }

    /// Checks that the file, in the state of the last check, can end at `position`.
    fn check_length(&self, position: u64) -> io::Result<()> {
        let len = self.last.lock().unwrap_or_else(PoisonError::into_inner).len;
        // Files that the kernel generates may claim any length, but do not change it.
        if position < self.start.len && len < self.start.len {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "truncated while it was read"));
        }
        Ok(())
    }
}

impl Read for &FileWatch<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = self.file;
        let count = file.read(buffer)?;
        self.look();
        if count == 0 {
            // This check is here so that the last record is known to be cut off.
            self.check_length(file.stream_position()?)?;
        }
        Ok(count)
    }
}

/// Reads independently of the file's position.
#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, at)
}

/// Reads independently of the file's position, which no code uses meanwhile.
#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, at)
}

#[cfg(not(any(unix, windows)))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Returns up to 256 bytes before `end`. Moves the file's position.
fn tail(mut file: &File, end: u64) -> Vec<u8> {
    const SIZE: u64 = 256;

    let start = end.saturating_sub(SIZE);
    let mut tail = Vec::new();
    if file.seek(SeekFrom::Start(start)).is_ok() {
        let _ = file.take(end - start).read_to_end(&mut tail);
    }
    tail
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::Write;
    use std::sync::atomic::AtomicUsize;

    use super::*;

    /// Tests many checks between the time and the length of an append. They overtake each other.
    #[test]
    fn what_only_grows_has_not_changed() {
        for _ in 0..20 {
            let mut writer = tempfile::NamedTempFile::new().unwrap();
            writer.write_all(b"http://example.com/\n").unwrap();
            let file = File::open(writer.path()).unwrap();
            let watch = FileWatch::new(&file).unwrap();
            let writes = AtomicUsize::new(0);
            let is_done = || writes.load(Ordering::Acquire) == 2000;
            thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        while !is_done() {
                            watch.look();
                        }
                    });
                }
                while !is_done() {
                    writer.write_all(b"http://example.org/\n").unwrap();
                    writes.fetch_add(1, Ordering::Release);
                }
            });
            watch.finish(20 * 2001).unwrap();
        }
    }

    #[test]
    fn what_is_overwritten_has_changed() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"http://example.com/\n").unwrap();
        let watch = FileWatch::new(file.as_file()).unwrap();
        thread::sleep(Duration::from_millis(20));
        let mut writer = OpenOptions::new().write(true).open(file.path()).unwrap();
        writer.write_all(b"urn").unwrap();
        assert_eq!(watch.look(), 1);
        writer.seek(SeekFrom::End(0)).unwrap();
        writer.write_all(b"http://example.org/\n").unwrap();
        let error = watch.finish(40).unwrap_err();
        assert_eq!(error.to_string(), "changed while it was read");
    }
}
