//! Decodes on the calling thread.

use std::io;
use std::time::Duration;

use super::compression::Compression;
use super::decoder::Decode;
use crate::corpus::input::byte_stream::{ByteStream, ReaderStream};

/// The number of bytes of a read.
const BLOCK: usize = 64 << 10;

/// The decompressed bytes of a stream, decoded on demand.
pub(crate) struct InTurn<'r> {
    stream: ReaderStream<'r>,
    format: Compression,
    decoder: Box<dyn Decode>,
    block: Vec<u8>,
    /// The bounds of the part of the block that is filled and not yet consumed.
    start: usize,
    end: usize,
    /// The position of `start` in the stream.
    position: u64,
    at_end: bool,
}

impl<'r> InTurn<'r> {
    pub(crate) fn new(stream: ReaderStream<'r>, format: Compression) -> io::Result<Self> {
        let decoder = format.decoder()?;
        let block = vec![0; BLOCK];
        Ok(InTurn { stream, format, decoder, block, start: 0, end: 0, position: 0, at_end: false })
    }
}

impl ByteStream for InTurn<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> (usize, io::Result<()>) {
        let mut len = 0;
        loop {
            let mut decoded = self.decoder.decode(&self.block[self.start..self.end], &mut buffer[len..]);
            decoded.fault = decoded.fault.or_else(|| self.format.check_memory().err());
            len += decoded.written;
            self.start += decoded.consumed;
            self.position += decoded.consumed as u64;
            if let Some(fault) = decoded.fault {
                return (len, Err(self.format.error(self.position, fault)));
            }
            if len == buffer.len() || self.at_end || (len > 0 && self.stream.is_slow()) {
                return (len, Ok(()));
            }
            let (count, result) = self.stream.read(&mut self.block);
            (self.start, self.end) = (0, count);
            if result.is_err() {
                return (len, result);
            }
            self.at_end = count == 0;
            if self.at_end && !self.decoder.may_end() {
                return (len, Err(self.format.truncated(self.position)));
            }
        }
    }

    fn is_slow(&self) -> bool {
        self.start == self.end && self.stream.is_slow()
    }

    fn wait(&mut self, time: Duration) -> bool {
        !self.is_slow() || self.stream.wait(time)
    }
}
