//! zstd with `ruzstd`, a library in Rust.
//!
//! The library decodes whole blocks, so this module gathers each header and block until it is complete.
//!
//! Until a frame ends, the library hands out only content that is older than the window. Content would come
//! late, and be lost before an error. So this module makes the library believe that each frame has ended: it
//! passes a header that names only a window, and an empty last block. Then the library hands out all of its
//! content, and still decodes further blocks. The content has to stay there as the window. So a writer copies
//! the new bytes, and claims to have written none. The writer sees all bytes only while nothing is removed
//! before them. So after about a window of new content, this module removes everything, and gives the last
//! window back as stored blocks. The window in the header is larger than the frame's, so the library
//! allocates all of its memory at once. This module checks the real header itself, and the content's size and
//! checksum.
//!
//! Damaged literals and distances are not an error for both libraries in all cases. So a damaged frame
//! without a checksum may be an error with one library, and have wrong content with the other. An error in a
//! block names the byte where its body starts, and an error in a checksum the byte where the checksum starts.

use std::hash::Hasher;
use std::io::{self, ErrorKind, Read, Write};

use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{self, BlockDecodingStrategy, FrameDecoder};
use twox_hash::XxHash64;

use super::frame::{
    BLOCK_HEADER, RESERVED, SINGLE_SEGMENT, START, content_size, corrupt_dictionary, dictionary_id_len,
    dictionary_too_long, window_size, window_too_large, wrong_dictionary,
};
use crate::corpus::input::decompress::decoder::{Decode, DecodeError, Decoded};
use crate::corpus::input::decompress::dictionary::{Dictionary, LONGEST};
use crate::memory;

/// The largest window in bytes.
const LARGEST_WINDOW: u64 = 128 << 20;

/// The largest block in bytes, unless the window is smaller (RFC 8878 section 3.1.1.2.4).
const LARGEST_BLOCK: usize = 128 << 10;

/// The descriptor's bit that announces a checksum.
const CHECKSUM: u8 = 1 << 2;
const CHECKSUM_LEN: usize = 4;

/// The length of the header of a skippable frame: its magic number and the length of its content.
const SKIPPABLE_HEADER: usize = 8;

/// The content of a block that the library may decode before it finds that this is too much.
const MOST_OF_A_BLOCK: usize = 2 << 20;

/// The memory for tables, literals and sequences.
const TABLES: usize = 4 << 20;

/// The content that is decoded between two calls that keep a small window.
const SMALL: usize = 1 << 20;

/// The start of a dictionary with tables.
const DICTIONARY: &[u8] = &[0x37, 0xA4, 0x30, 0xEC];

const CORRUPT: &str = "Data corruption detected";

pub(crate) struct Zstd {
    decoder: FrameDecoder,
    /// The ID of the dictionary of all frames.
    dictionary: Option<u32>,
    largest_window: u64,
    state: State,
    /// The bytes of an incomplete header, block or checksum.
    gathered: Vec<u8>,
    frame: Frame,
    /// The number of bytes of content that the library holds.
    len: usize,
    /// The number of these that are not yet written.
    unwritten: usize,
    /// The number of bytes of content for which the library has room.
    room: usize,
}

#[derive(Clone, Copy)]
enum State {
    FrameHeader,
    /// In a skippable frame that has this number of bytes left.
    Skippable(u32),
    BlockHeader,
    Block(Block),
    Checksum,
}

#[derive(Clone, Copy)]
struct Block {
    kind: BlockKind,
    /// The number of bytes after the header.
    len: usize,
    is_last: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum BlockKind {
    Stored,
    Repeated,
    Compressed,
}

/// A frame with content.
#[derive(Default)]
struct Frame {
    window: usize,
    /// The size of its content, if the header names it.
    size: Option<u64>,
    /// The number of bytes decoded.
    decoded: u64,
    hash: Option<XxHash64>,
    has_dictionary: bool,
}

impl Frame {
    fn largest_block(&self) -> usize {
        self.window.min(LARGEST_BLOCK)
    }

    /// Returns the number of bytes of content for which the library gets room.
    fn room(&self) -> usize {
        (2 * self.window).max(4 * MOST_OF_A_BLOCK)
    }

    /// Returns the number of bytes of content at which all but the window is removed.
    fn most(&self) -> usize {
        (self.window + self.window.max(SMALL)).min(self.room() - MOST_OF_A_BLOCK)
    }
}

impl Zstd {
    pub(crate) fn new(dictionary: Option<&Dictionary>) -> io::Result<Self> {
        let mut zstd = Zstd {
            decoder: FrameDecoder::new(),
            dictionary: None,
            largest_window: LARGEST_WINDOW,
            state: State::FrameHeader,
            gathered: Vec::new(),
            frame: Frame::default(),
            len: 0,
            unwritten: 0,
            room: 0,
        };
        zstd.decoder.set_max_window_size(u64::MAX);
        // From the second frame on, the library allocates the window when a frame starts.
        zstd.start_content().map_err(io::Error::other)?;
        if let Some(dictionary) = dictionary {
            let dictionary = parse(dictionary)?;
            zstd.dictionary = Some(dictionary.id);
            zstd.decoder.add_dict(dictionary).map_err(corrupt_dictionary)?;
        }
        Ok(zstd)
    }

    /// Limits the windows of frames to this number of bytes.
    pub(crate) fn largest_window(mut self, bytes: u64) -> Self {
        self.largest_window = bytes;
        self
    }

    /// Consumes bytes of `rest`, and decodes the header, block or checksum that they complete.
    fn step(&mut self, rest: &[u8]) -> (usize, Result<(), DecodeError>) {
        if let State::Skippable(left) = self.state {
            let count = rest.len().min(left as usize);
            self.skip(left - count as u32);
            return (count, Ok(()));
        }
        let len = match self.state {
            State::FrameHeader => header_len(&self.gathered),
            State::Skippable(_) => 0,
            State::BlockHeader => BLOCK_HEADER,
            State::Block(block) => BLOCK_HEADER + block.len,
            State::Checksum => CHECKSUM_LEN,
        };
        let count = (len - self.gathered.len()).min(rest.len());
        self.gathered.extend_from_slice(&rest[..count]);
        (count, self.decode_gathered(self.gathered.len() == len))
    }

    /// Decodes the gathered bytes if they are complete.
    fn decode_gathered(&mut self, is_complete: bool) -> Result<(), DecodeError> {
        match self.state {
            State::FrameHeader if !may_be_start(&self.gathered) => {
                return Err(DecodeError::invalid("Unknown frame descriptor"));
            }
            State::FrameHeader if header_len(&self.gathered) == self.gathered.len() => self.start_frame()?,
            State::BlockHeader if is_complete => return self.start_block(),
            State::Block(block) if is_complete => self.decode_block(block)?,
            State::Checksum if is_complete => self.end_frame()?,
            _ => return Ok(()),
        }
        self.gathered.clear();
        Ok(())
    }

    fn skip(&mut self, left: u32) {
        self.state = if left == 0 { State::FrameHeader } else { State::Skippable(left) };
    }

    /// Starts the frame whose header has been gathered.
    fn start_frame(&mut self) -> Result<(), DecodeError> {
        let header = &self.gathered[..];
        if !header.starts_with(START) {
            let len = header[START.len()..].try_into().map_or(0, u32::from_le_bytes);
            self.skip(len);
            return Ok(());
        }
        let (descriptor, fields) = (header[START.len()], &header[START.len() + 1..]);
        if descriptor & RESERVED != 0 {
            return Err(DecodeError::invalid("Unsupported frame parameter"));
        }
        let has_window = descriptor & SINGLE_SEGMENT == 0;
        let (window, fields) = fields.split_at(usize::from(has_window));
        let (id, size) = fields.split_at(dictionary_id_len(descriptor));
        let size = (!size.is_empty()).then(|| content_size(size));
        let window = window.first().map_or(size, |&window| Some(window_size(window))).unwrap_or(0);
        let id = id.iter().rev().fold(0, |id, &byte| id << 8 | u32::from(byte));
        if id != 0 && Some(id) != self.dictionary {
            return Err(wrong_dictionary());
        }
        if window > self.largest_window {
            return Err(window_too_large());
        }
        let hash = (descriptor & CHECKSUM != 0).then(|| XxHash64::with_seed(0));
        self.frame = Frame { window: window as usize, size, decoded: 0, hash, has_dictionary: false };
        self.len = 0;
        self.request_room()?;
        self.start_content().map_err(|_| DecodeError::invalid(CORRUPT))?;
        self.state = State::BlockHeader;
        Ok(())
    }

    /// Gives the library a header that names only a window, and the last block. It allocates this window at
    /// once.
    fn start_content(&mut self) -> Result<(), FrameDecoderError> {
        const SIZE_OF_8_BYTES: u8 = 3 << 6;
        const LAST_BLOCK: [u8; BLOCK_HEADER] = [1, 0, 0];

        let window = (self.frame.room() as u64).to_le_bytes();
        let header = [START, &[SIZE_OF_8_BYTES | SINGLE_SEGMENT], &window].concat();
        self.decoder.reset(&header[..])?;
        self.feed(&LAST_BLOCK[..])
    }

    /// Lets the library decode one block.
    fn feed(&mut self, block: impl Read) -> Result<(), FrameDecoderError> {
        self.decoder.decode_blocks(block, BlockDecodingStrategy::UptoBlocks(1)).map(drop)
    }

    /// Reads the header of a block.
    fn start_block(&mut self) -> Result<(), DecodeError> {
        let &[low, middle, high] = &self.gathered[..] else { return Err(DecodeError::invalid(CORRUPT)) };
        let header = u32::from_le_bytes([low, middle, high, 0]);
        let size = (header >> 3) as usize;
        let (kind, len) = match header >> 1 & 3 {
            0 => (BlockKind::Stored, size),
            1 => (BlockKind::Repeated, 1),
            2 => (BlockKind::Compressed, size),
            _ => return Err(DecodeError::invalid(CORRUPT)),
        };
        if len > self.frame.largest_block() {
            return Err(DecodeError::invalid(CORRUPT));
        }
        let block = Block { kind, len, is_last: header & 1 == 1 };
        self.state = State::Block(block);
        if len == 0 {
            self.end_block(block);
            self.gathered.clear();
        }
        Ok(())
    }

    /// Decodes the block that has been gathered.
    fn decode_block(&mut self, block: Block) -> Result<(), DecodeError> {
        let corrupt = || DecodeError::invalid(CORRUPT);
        if self.len >= self.frame.most() {
            self.keep_window()?;
        }
        // The library copies the dictionary, so not for frames that do not need it.
        if block.kind == BlockKind::Compressed
            && let Some(id) = self.dictionary
            && !self.frame.has_dictionary
        {
            self.decoder.force_dict(id).map_err(|_| corrupt())?;
            self.frame.has_dictionary = true;
        }
        let gathered = std::mem::take(&mut self.gathered);
        let result = self.feed(&gathered[..]);
        self.gathered = gathered;
        result.map_err(|_| corrupt())?;
        let content = self.decoder.can_collect() - self.len;
        if content > self.frame.largest_block() {
            return Err(corrupt());
        }
        self.len += content;
        self.unwritten = content;
        self.frame.decoded += content as u64;
        // libzstd does not check this after an empty block either.
        if block.is_last && self.frame.size.is_some_and(|size| size != self.frame.decoded) {
            return Err(corrupt());
        }
        self.end_block(block);
        Ok(())
    }

    fn end_block(&mut self, block: Block) {
        self.state = match self.frame.hash {
            _ if !block.is_last => State::BlockHeader,
            Some(_) => State::Checksum,
            None => State::FrameHeader,
        };
    }

    fn end_frame(&mut self) -> Result<(), DecodeError> {
        let hash = self.frame.hash.as_ref().map_or(0, |hash| hash.finish() as u32);
        if self.gathered != hash.to_le_bytes() {
            return Err(DecodeError::invalid("Restored data doesn't match checksum"));
        }
        self.state = State::FrameHeader;
        Ok(())
    }

    /// Returns the number of gathered bytes that belong to an error in them.
    fn before_fault(&self) -> u64 {
        let is_body = matches!(self.state, State::Block(_));
        self.gathered.len().saturating_sub(if is_body { BLOCK_HEADER } else { 0 }) as u64
    }

    /// Requests the memory that the library allocates at the start of the frame.
    fn request_room(&mut self) -> Result<(), DecodeError> {
        /// The library allocates a power of two and this number of bytes.
        const SLACK: usize = 512 << 10;

        let room = self.frame.room();
        if room > self.room {
            let all = room.next_power_of_two() + SLACK + TABLES;
            memory::ask_for(all).map_err(|_| DecodeError::out_of_memory())?;
            self.room = room;
        }
        Ok(())
    }

    /// Lets the library drop all content except the window, which then starts at the start of its buffer.
    fn keep_window(&mut self) -> Result<(), DecodeError> {
        let lost = |_| DecodeError::invalid(CORRUPT);
        let window = self.frame.window;
        memory::ask_for(window).map_err(|_| DecodeError::out_of_memory())?;
        self.decoder.collect_to_writer(Discard(self.len - window)).map_err(lost)?;
        let window = self.decoder.collect().unwrap_or_default();
        for stored in window.chunks(self.frame.largest_block().max(1)) {
            let header = (stored.len() as u32) << 3;
            self.feed(header.to_le_bytes()[..BLOCK_HEADER].chain(stored))
                .map_err(|_| DecodeError::invalid(CORRUPT))?;
        }
        self.len = window.len();
        Ok(())
    }

    /// Writes content that is not yet written, and returns the number of bytes.
    fn write(&mut self, output: &mut [u8]) -> usize {
        let mut copy = Copy { skip: self.len - self.unwritten, output, written: 0 };
        // The library may report that the writer wrote nothing.
        let _ = self.decoder.collect_to_writer(&mut copy);
        let Copy { output, written, .. } = copy;
        if let Some(hash) = &mut self.frame.hash {
            hash.write(&output[..written]);
        }
        self.unwritten -= written;
        written
    }
}

/// Parses a dictionary, which may be compressed.
fn parse(dictionary: &Dictionary) -> io::Result<decoding::Dictionary> {
    let bytes = dictionary.bytes();
    if bytes.len() > LONGEST {
        return Err(dictionary_too_long());
    }
    let mut whole = Vec::new();
    let bytes = if bytes.starts_with(START) {
        decompress(bytes, &mut whole)?;
        &whole
    } else {
        bytes
    };
    memory::ask_for(2 * bytes.len()).map_err(|_| ErrorKind::OutOfMemory)?;
    if !bytes.starts_with(DICTIONARY) {
        // Content alone.
        return Ok(decoding::Dictionary {
            id: 0,
            fse: Default::default(),
            huf: Default::default(),
            dict_content: bytes.to_vec(),
            offset_hist: [1, 4, 8],
        });
    }
    let dictionary = decoding::Dictionary::decode_dict(bytes).map_err(corrupt_dictionary)?;
    let len = dictionary.dict_content.len();
    if dictionary.offset_hist.iter().any(|&offset| offset == 0 || offset as usize > len) {
        return Err(corrupt_dictionary("Dictionary is corrupted"));
    }
    Ok(dictionary)
}

/// Decompresses a dictionary.
fn decompress(bytes: &[u8], whole: &mut Vec<u8>) -> io::Result<()> {
    memory::try_reserve_exact(whole, LONGEST + 1).map_err(|_| ErrorKind::OutOfMemory)?;
    whole.resize(LONGEST + 1, 0);
    let mut decoder = Zstd::new(None)?;
    let decoded = decoder.decode(bytes, whole);
    if decoded.written > LONGEST {
        return Err(dictionary_too_long());
    }
    match decoded.fault {
        Some(fault) if fault.kind == ErrorKind::OutOfMemory => return Err(ErrorKind::OutOfMemory.into()),
        Some(fault) => return Err(corrupt_dictionary(fault.reason)),
        None if !decoder.may_end() => return Err(corrupt_dictionary("Src size is incorrect")),
        None => whole.truncate(decoded.written),
    }
    Ok(())
}

/// Returns the length of a frame's header that starts with these bytes, or of its part that tells the length.
fn header_len(start: &[u8]) -> usize {
    if start.len() < START.len() {
        return START.len();
    }
    let Some(fields) = start.strip_prefix(START) else { return SKIPPABLE_HEADER };
    let Some(&descriptor) = fields.first() else { return START.len() + 1 };
    let has_window = descriptor & SINGLE_SEGMENT == 0;
    let size = match descriptor >> 6 {
        0 => usize::from(!has_window),
        log => 1 << log,
    };
    START.len() + 1 + usize::from(has_window) + dictionary_id_len(descriptor) + size
}

/// Returns true if a frame may start with these bytes.
fn may_be_start(start: &[u8]) -> bool {
    const SKIPPABLE: &[u8] = &[0x2A, 0x4D, 0x18];

    let is_prefix = |start: &[u8], of: &[u8]| of.starts_with(&start[..start.len().min(of.len())]);
    let is_skippable = |start: &[u8]| match start {
        [] => true,
        [first, start @ ..] => first & 0xF0 == 0x50 && is_prefix(start, SKIPPABLE),
    };
    is_prefix(start, START) || is_skippable(start)
}

impl Decode for Zstd {
    fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Decoded {
        let mut done = Decoded::default();
        while done.written < output.len() {
            if self.unwritten > 0 {
                let written = self.write(&mut output[done.written..]);
                done.written += written;
                if written == 0 {
                    done.fault = Some(DecodeError::invalid(CORRUPT));
                    break;
                }
                continue;
            }
            let rest = &input[done.consumed..];
            if rest.is_empty() {
                break;
            }
            let (consumed, result) = self.step(rest);
            done.consumed += consumed;
            if let Err(fault) = result {
                done.fault = Some(DecodeError { before: self.before_fault(), ..fault });
                break;
            }
        }
        done
    }

    #[cfg(feature = "rayon")]
    fn is_between_members(&self) -> bool {
        self.may_end()
    }

    fn may_end(&self) -> bool {
        matches!(self.state, State::FrameHeader) && self.gathered.is_empty() && self.unwritten == 0
    }
}

/// Copies the bytes after the first `skip` ones, and claims to write none, so that they stay.
struct Copy<'o> {
    skip: usize,
    output: &'o mut [u8],
    written: usize,
}

impl Write for Copy<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let bytes = bytes.get(self.skip..).unwrap_or_default();
        self.written = bytes.len().min(self.output.len());
        self.output[..self.written].copy_from_slice(&bytes[..self.written]);
        Ok(0)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Takes this number of bytes.
struct Discard(usize);

impl Write for Discard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(self.0);
        self.0 -= count;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
