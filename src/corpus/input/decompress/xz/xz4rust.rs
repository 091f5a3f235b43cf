//! xz with `xz4rust`, a library in Rust.
//!
//! If the output has no room for content, the library cannot continue without more input. So this module
//! divides the input: it gathers each header and LZMA2 chunk until it is complete, and decodes a chunk to a
//! buffer with room for all of its content. An error in a chunk names the first byte of the chunk, and loses
//! the content of this chunk, as does an input that ends in it. (liblzma keeps the content before the error.)
//! A chunk has at most 64 KiB, and 2 MiB of content.
//!
//! This module also checks the header of each block. The library might read fields beyond the header's end,
//! which is a panic, and it allocates the dictionary without asking.

use xz4rust::{XzDecoder, XzError};

use super::streams::{
    DecodeStream, corrupt, dictionary_too_large, no_stream, unknown_checksum, unknown_filter,
};
use crate::corpus::input::decompress::decoder::{DecodeError, Decoded};
use crate::memory;

/// The largest dictionary in bytes.
const LARGEST_DICTIONARY: usize = 128 << 20;

const STREAM_HEADER: usize = 12;

/// The content that filters hold back.
const FILTERS: usize = 64;

#[derive(Default)]
pub(crate) struct Decoder {
    /// The decoder, which is reused for all streams.
    decoder: Option<Box<XzDecoder<'static>>>,
    part: Part,
    /// The bytes of an incomplete header or chunk.
    gathered: Vec<u8>,
    /// The length of the stream so far.
    position: u64,
    /// The length of the checksum after each block.
    check: usize,
    /// The bytes for which the decoder has a dictionary.
    dictionary: usize,
    /// The content of a chunk, how much of it there is, and how much of that is written.
    content: Vec<u8>,
    filled: usize,
    written: usize,
}

/// A part of a stream.
#[derive(Clone, Copy, Default)]
enum Part {
    #[default]
    StreamHeader,
    /// A block's header, or the start of the index.
    BlockHeader,
    Chunk,
    /// The padding and the checksum of a block, with this number of bytes left.
    Check(usize),
    /// The index and the stream's footer.
    End,
}

impl DecodeStream for Decoder {
    fn start(&mut self) -> Result<(), DecodeError> {
        /// The state of the decoder, about.
        const STATE: usize = 64 << 10;
        const SMALLEST_DICTIONARY: usize = 4096;

        match &mut self.decoder {
            Some(decoder) => decoder.reset(),
            None => {
                memory::ask_for(STATE).map_err(|_| DecodeError::out_of_memory())?;
                self.dictionary = SMALLEST_DICTIONARY;
                self.decoder =
                    Some(XzDecoder::in_heap_with_alloc_dict_size(SMALLEST_DICTIONARY, LARGEST_DICTIONARY));
            }
        }
        (self.part, self.position) = (Part::StreamHeader, 0);
        Ok(())
    }

    fn decode(&mut self, input: &[u8], output: &mut [u8]) -> (Decoded, bool) {
        let mut done = Decoded::default();
        loop {
            done.written += self.write(&mut output[done.written..]);
            let rest = &input[done.consumed..];
            if rest.is_empty() || self.written < self.filled {
                return (done, false);
            }
            let (consumed, result) = self.step(rest);
            done.consumed += consumed;
            match result {
                Ok(false) => {}
                Ok(true) => return (done, true),
                Err(fault) => {
                    done.fault = Some(fault);
                    return (done, false);
                }
            }
        }
    }
}

impl Decoder {
    /// Writes content of the last chunk, and returns the number of bytes.
    fn write(&mut self, output: &mut [u8]) -> usize {
        let rest = &self.content[self.written..self.filled];
        let len = rest.len().min(output.len());
        output[..len].copy_from_slice(&rest[..len]);
        self.written += len;
        len
    }

    /// Consumes bytes of `rest`, and decodes the part that they complete. Returns true at the end of the
    /// stream.
    fn step(&mut self, rest: &[u8]) -> (usize, Result<bool, DecodeError>) {
        let len = match self.part {
            Part::StreamHeader => STREAM_HEADER,
            Part::BlockHeader => block_header_len(&self.gathered),
            Part::Chunk => chunk_len(&self.gathered),
            Part::Check(_) | Part::End => 1,
        };
        let count = (len - self.gathered.len()).min(rest.len());
        self.gathered.extend_from_slice(&rest[..count]);
        self.position += count as u64;
        let is_complete = match self.part {
            Part::BlockHeader => self.gathered.len() == block_header_len(&self.gathered),
            Part::Chunk => self.gathered.len() == chunk_len(&self.gathered),
            _ => self.gathered.len() == len,
        };
        let result = if is_complete { self.decode_part() } else { Ok(false) };
        (count, result)
    }

    /// Decodes the part that has been gathered.
    fn decode_part(&mut self) -> Result<bool, DecodeError> {
        let gathered = std::mem::take(&mut self.gathered);
        if let Part::BlockHeader = self.part
            && gathered[0] != 0
        {
            self.check_block_header(&gathered)?;
        }
        if let Part::Chunk = self.part
            && !is_plausible_chunk(&gathered)
        {
            return Err(DecodeError { before: gathered.len() as u64, ..corrupt() });
        }
        let room = match self.part {
            Part::Chunk => chunk_content(&gathered) + FILTERS,
            _ => FILTERS,
        };
        let has_ended = self.feed(&gathered, room).map_err(|fault| match self.part {
            Part::Chunk => DecodeError { before: gathered.len() as u64, ..fault },
            _ => fault,
        })?;
        self.part = self.next_part(&gathered);
        self.gathered = gathered;
        self.gathered.clear();
        Ok(has_ended)
    }

    /// Returns the part after this one.
    fn next_part(&mut self, gathered: &[u8]) -> Part {
        match self.part {
            Part::StreamHeader => {
                self.check = check_len(gathered[7]);
                Part::BlockHeader
            }
            Part::BlockHeader if gathered[0] == 0 => Part::End,
            Part::BlockHeader => Part::Chunk,
            Part::Chunk if gathered[0] == 0 => {
                let padding = self.position.wrapping_neg() % 4;
                after_block(padding as usize + self.check)
            }
            Part::Chunk => Part::Chunk,
            Part::Check(left) => after_block(left - 1),
            Part::End => Part::End,
        }
    }

    /// Passes bytes to the library, which may write at most `room` bytes. Returns true at the end of the
    /// stream.
    fn feed(&mut self, mut bytes: &[u8], room: usize) -> Result<bool, DecodeError> {
        let Some(decoder) = &mut self.decoder else { return Err(corrupt()) };
        (self.filled, self.written) = (0, 0);
        if self.content.len() < room {
            let missing = room - self.content.len();
            memory::try_reserve(&mut self.content, missing).map_err(|_| DecodeError::out_of_memory())?;
            self.content.resize(room, 0);
        }
        while !bytes.is_empty() {
            let result = decoder.decode(bytes, &mut self.content[self.filled..room]).map_err(fault)?;
            self.filled += result.output_produced();
            bytes = &bytes[result.input_consumed()..];
            if result.is_end_of_stream() {
                return Ok(true);
            }
            if !result.made_progress() {
                return Err(corrupt());
            }
        }
        Ok(false)
    }

    /// Checks the header of a block, and requests the memory of its dictionary.
    fn check_block_header(&mut self, header: &[u8]) -> Result<(), DecodeError> {
        let (fields, checksum) = header.split_at(header.len() - 4);
        if crc32(fields) != checksum.iter().rev().fold(0, |sum, &byte| sum << 8 | u32::from(byte)) {
            return Err(corrupt());
        }
        let dictionary = dictionary_of(&fields[1..])?;
        if dictionary > self.dictionary {
            memory::ask_for(dictionary).map_err(|_| DecodeError::out_of_memory())?;
            self.dictionary = dictionary;
        }
        Ok(())
    }
}

fn after_block(left: usize) -> Part {
    if left == 0 { Part::BlockHeader } else { Part::Check(left) }
}

/// Returns the length of a block's checksum (section 2.1.1.2). Checksums of other kinds are refused.
fn check_len(flags: u8) -> usize {
    match flags {
        1 => 4,
        4 => 8,
        10 => 32,
        _ => 0,
    }
}

/// Returns the length of a block's header that starts with these bytes (section 3.1.1). The index starts with
/// a zero.
fn block_header_len(start: &[u8]) -> usize {
    match start.first() {
        None | Some(0) => 1,
        Some(&size) => (usize::from(size) + 1) * 4,
    }
}

/// Returns the length of an LZMA2 chunk that starts with these bytes, or of its part that tells the length.
fn chunk_len(start: &[u8]) -> usize {
    /// The control byte and the size of a stored chunk.
    const STORED: usize = 3;

    match start {
        [] => 1,
        [1 | 2, high, low, ..] => STORED + size(*high, *low),
        [1 | 2, ..] => STORED,
        // The end of the chunks, or invalid.
        [0..0x80, ..] => 1,
        &[control, _, _, high, low, ..] => compressed_header_len(control) + size(high, low),
        _ => SIZES,
    }
}

/// The length of the control byte of a compressed chunk and both sizes.
const SIZES: usize = 5;

/// Returns the length of a compressed chunk's header, which may end with properties.
fn compressed_header_len(control: u8) -> usize {
    SIZES + usize::from(control >= 0xC0)
}

/// Returns false if the content of a compressed chunk does not start with a zero. The library does not check
/// this.
fn is_plausible_chunk(chunk: &[u8]) -> bool {
    let control = chunk[0];
    control < 0x80 || chunk.get(compressed_header_len(control)) == Some(&0)
}

/// Returns the length of the content of a chunk.
fn chunk_content(chunk: &[u8]) -> usize {
    match chunk {
        [1 | 2, high, low, ..] => size(*high, *low),
        &[control, high, low, ..] => (usize::from(control & 0x1F) << 16) + size(high, low),
        _ => 0,
    }
}

fn size(high: u8, low: u8) -> usize {
    usize::from(u16::from_be_bytes([high, low])) + 1
}

/// Returns the size of the dictionary of a block with these flags, sizes and filters (sections 3.1.2 to
/// 3.1.6).
fn dictionary_of(mut fields: &[u8]) -> Result<usize, DecodeError> {
    const LZMA2: u8 = 0x21;
    const MOST_SIZE: u8 = 40;

    let flags = take(&mut fields)?;
    if flags & 0x3C != 0 {
        return Err(unknown_filter());
    }
    for _ in 0..(flags >> 6 & 1) + (flags >> 7) {
        take_number(&mut fields)?;
    }
    for _ in 0..flags & 3 {
        skip_filter(&mut fields)?;
    }
    let (LZMA2, 1, size) = (take(&mut fields)?, take(&mut fields)?, take(&mut fields)?) else {
        return Err(unknown_filter());
    };
    if size > MOST_SIZE || fields.iter().any(|&byte| byte != 0) {
        return Err(unknown_filter());
    }
    let dictionary = (2 | u64::from(size & 1)) << (size / 2 + 11);
    if dictionary > LARGEST_DICTIONARY as u64 {
        return Err(dictionary_too_large());
    }
    Ok(dictionary as usize)
}

/// Takes a filter before LZMA2 and its properties, if the library expects them.
fn skip_filter(fields: &mut &[u8]) -> Result<(), DecodeError> {
    const DELTA: u8 = 3;
    const BCJ: std::ops::RangeInclusive<u8> = 4..=0x0B;

    let filter = take(fields)?;
    let len = take(fields)?;
    let is_known = if filter == DELTA { len == 1 } else { BCJ.contains(&filter) && matches!(len, 0 | 4) };
    if !is_known {
        return Err(unknown_filter());
    }
    *fields = fields.get(usize::from(len)..).ok_or_else(corrupt)?;
    Ok(())
}

fn take(fields: &mut &[u8]) -> Result<u8, DecodeError> {
    let (&first, rest) = fields.split_first().ok_or_else(corrupt)?;
    *fields = rest;
    Ok(first)
}

/// Takes a number in groups of seven bits (section 1.2).
fn take_number(fields: &mut &[u8]) -> Result<(), DecodeError> {
    const MOST: usize = 9;

    let len = fields.iter().take(MOST).position(|byte| byte & 0x80 == 0).ok_or_else(corrupt)? + 1;
    let (number, rest) = fields.split_at(len);
    if len > 1 && number[len - 1] == 0 {
        return Err(corrupt());
    }
    *fields = rest;
    Ok(())
}

/// Returns the checksum of some bytes. Only headers are so short that a table would gain nothing.
fn crc32(bytes: &[u8]) -> u32 {
    const POLYNOMIAL: u32 = 0xEDB8_8320;

    let shift = |sum: u32| (sum >> 1) ^ ((sum & 1) * POLYNOMIAL);
    !bytes.iter().fold(!0, |sum, &byte| (0..8).fold(sum ^ u32::from(byte), |sum, _| shift(sum)))
}

fn fault(error: XzError) -> DecodeError {
    match error {
        XzError::DictionaryTooLarge(_) => dictionary_too_large(),
        XzError::UnsupportedStreamHeaderOption | XzError::UnsupportedBlockHeaderOption => unknown_filter(),
        XzError::UnsupportedBcjFilter(_) | XzError::UnsupportedLzmaProperties(_) => unknown_filter(),
        XzError::UnsupportedCheckType(_) => unknown_checksum(),
        XzError::StreamHeaderMagicNumberMismatch => no_stream(),
        _ => corrupt(),
    }
}
