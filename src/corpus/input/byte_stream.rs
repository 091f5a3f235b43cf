//! The streams from which chunks are read.

use std::io::{self, ErrorKind, Read};
use std::time::Duration;

use super::patient::Patient;

/// A read of fewer bytes indicates that the stream is slower than the scan.
const QUICK: usize = 4096;

/// Bytes that come in order. A read may wait for them.
pub(crate) trait ByteStream: Send {
    /// Reads the next bytes into `buffer`, which is not empty, and returns their number. It returns 0 only at
    /// the end. An error may accompany bytes that precede it. After an error no bytes follow.
    fn read(&mut self, buffer: &mut [u8]) -> (usize, io::Result<()>);

    /// Returns true if the last read took all available bytes, so that the next read probably has to wait.
    fn is_slow(&self) -> bool;

    /// If the stream [is slow](Self::is_slow), waits at most this long for more bytes or the end. Returns
    /// false if none came, or if this stream cannot wait for a limited time.
    fn wait(&mut self, time: Duration) -> bool;
}

/// A stream that needs no decoding.
pub(crate) struct ReaderStream<'r> {
    stream: Stream<'r>,
    /// A read of fewer bytes counts as slow.
    quick: usize,
    is_slow: bool,
}

enum Stream<'r> {
    Any(&'r mut (dyn Read + Send)),
    Patient(&'r mut Patient),
}

impl<'r> ReaderStream<'r> {
    /// Wraps a stream whose reads may wait, such as a pipe.
    pub(crate) fn new(stream: &'r mut (dyn Read + Send)) -> Self {
        ReaderStream { stream: Stream::Any(stream), quick: QUICK, is_slow: false }
    }

    /// Wraps a stream whose reads may wait, and on which the caller can wait for a limited time.
    pub(crate) fn patient(stream: &'r mut Patient) -> Self {
        ReaderStream { stream: Stream::Patient(stream), quick: QUICK, is_slow: false }
    }

    /// Wraps a regular file or memory, which returns fewer bytes than requested only near its end, or a
    /// stream for which the caller waits anyway.
    pub(crate) fn at_hand(stream: &'r mut (dyn Read + Send)) -> Self {
        ReaderStream { stream: Stream::Any(stream), quick: 0, is_slow: false }
    }
}

impl ByteStream for ReaderStream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> (usize, io::Result<()>) {
        loop {
            let result = match &mut self.stream {
                Stream::Any(stream) => stream.read(buffer),
                Stream::Patient(stream) => stream.read(buffer),
            };
            match result {
                Ok(count) => {
                    self.is_slow = (1..self.quick).contains(&count);
                    return (count, Ok(()));
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return (0, Err(error)),
            }
        }
    }

    fn is_slow(&self) -> bool {
        self.is_slow
    }

    fn wait(&mut self, time: Duration) -> bool {
        match &mut self.stream {
            _ if !self.is_slow => true,
            Stream::Any(_) => false,
            Stream::Patient(stream) => stream.wait(time),
        }
    }
}
