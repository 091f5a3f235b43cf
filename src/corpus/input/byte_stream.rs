//! The streams that chunks are read from.

use std::io::{self, ErrorKind, Read};

/// A read of fewer bytes says that a stream comes slower than it is scanned.
const QUICK: usize = 4096;

/// Bytes that come in order, and can be waited for.
pub(crate) trait ByteStream: Send {
    /// Puts the next bytes into `buffer`, which is not empty, and returns their number: none at the end only. An error
    /// can come with bytes, which were there before it. After it there is nothing more.
    fn read(&mut self, buffer: &mut [u8]) -> (usize, io::Result<()>);

    /// Whether the last read got all that there was, and the next one probably has to wait.
    fn is_slow(&self) -> bool;
}

/// A stream that needs no decoding.
pub(crate) struct ReaderStream<'r> {
    stream: &'r mut (dyn Read + Send),
    /// The bytes of a read that is not called slow.
    quick: usize,
    is_slow: bool,
}

impl<'r> ReaderStream<'r> {
    /// A stream that may make a reader wait, as a pipe.
    pub(crate) fn new(stream: &'r mut (dyn Read + Send)) -> Self {
        ReaderStream { stream, quick: QUICK, is_slow: false }
    }

    /// A regular file or memory, which returns fewer bytes than a read wants only near its end, or a stream that the
    /// caller waits for anyway.
    pub(crate) fn at_hand(stream: &'r mut (dyn Read + Send)) -> Self {
        ReaderStream { stream, quick: 0, is_slow: false }
    }
}

impl ByteStream for ReaderStream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> (usize, io::Result<()>) {
        loop {
            match self.stream.read(buffer) {
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
}
