//! Decoded bytes as a reader, for content inside of documents.

use std::io::{self, Read};

use super::decoder::{Decode, DecodeError};

/// The number of bytes of a read.
const BLOCK: usize = 8 << 10;

/// Reads the content of compressed bytes.
pub(super) struct Reader<R, D> {
    bytes: R,
    decoder: D,
    block: Vec<u8>,
    /// The bounds of the part of the block that is filled and not yet consumed.
    start: usize,
    end: usize,
    /// The error after the content that has been read.
    fault: Option<DecodeError>,
}

impl<R: Read, D: Decode> Reader<R, D> {
    pub(super) fn new(bytes: R, decoder: D) -> Self {
        Reader { bytes, decoder, block: vec![0; BLOCK], start: 0, end: 0, fault: None }
    }
}

impl<R: Read, D: Decode> Read for Reader<R, D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(fault) = self.fault.take() {
                return Err(io::Error::new(fault.kind, fault.reason));
            }
            let decoded = self.decoder.decode(&self.block[self.start..self.end], buffer);
            self.start += decoded.consumed;
            self.fault = decoded.fault;
            if decoded.written > 0 || buffer.is_empty() {
                return Ok(decoded.written);
            }
            if self.fault.is_some() {
                continue;
            }
            (self.start, self.end) = (0, self.bytes.read(&mut self.block)?);
            if self.end == 0 {
                let may_end = self.decoder.may_end();
                return if may_end { Ok(0) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
            }
        }
    }
}
