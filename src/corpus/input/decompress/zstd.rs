//! zstd, RFC 8878.

use std::io::{self, ErrorKind};

use zstd::zstd_safe::zstd_sys::ZSTD_ErrorCode as Code;
use zstd::zstd_safe::{DCtx, InBuffer, OutBuffer, get_error_name};

use super::decoder::{Decode, DecodeError, Decoded};
use super::dictionary::{Dictionary, LONGEST};
use crate::memory;

/// The start of a frame with content.
pub(crate) const START: &[u8] = &[0x28, 0xB5, 0x2F, 0xFD];

/// The length of a block's header in bytes.
const BLOCK_HEADER: usize = 3;

pub(crate) struct Zstd {
    context: DCtx<'static>,
    /// The number of bytes that the context requests next.
    hint: usize,
    /// The value of `hint` where a frame may start.
    start_hint: usize,
    is_between: bool,
    /// True if the context may not have read all of the frame's header.
    is_header: bool,
    /// True if the context may hold content of a block for which the output had no room.
    has_more: bool,
    /// The number of bytes that the context has of an incomplete header or block.
    held: u64,
}

impl Zstd {
    pub(crate) fn new(dictionary: Option<&Dictionary>) -> io::Result<Self> {
        let mut context = DCtx::try_create().ok_or(ErrorKind::OutOfMemory)?;
        let hint = context.init().map_err(|code| io::Error::other(get_error_name(code)))?;
        if let Some(dictionary) = dictionary {
            load(&mut context, dictionary)?;
        }
        Ok(Zstd {
            context,
            hint,
            start_hint: hint,
            is_between: true,
            is_header: true,
            has_more: false,
            held: 0,
        })
    }
}

/// Makes a dictionary the one of all frames that `context` decodes.
fn load(context: &mut DCtx<'_>, dictionary: &Dictionary) -> io::Result<()> {
    let corrupt = |code: usize| {
        let message = format!("corrupt zstd data at byte 8: the dictionary: {}", get_error_name(code));
        io::Error::new(ErrorKind::InvalidData, message)
    };
    let too_long = || {
        let message = "unsupported zstd data at byte 8: a dictionary of more than 8 MiB";
        io::Error::new(ErrorKind::Unsupported, message)
    };
    let bytes = dictionary.bytes();
    if bytes.len() > LONGEST {
        return Err(too_long());
    }
    let mut whole = Vec::new();
    let bytes = if bytes.starts_with(START) {
        memory::try_reserve_exact(&mut whole, LONGEST).map_err(|_| ErrorKind::OutOfMemory)?;
        match DCtx::try_create().ok_or(ErrorKind::OutOfMemory)?.decompress(&mut whole, bytes) {
            Err(code) if is(code, Code::ZSTD_error_dstSize_tooSmall) => return Err(too_long()),
            result => drop(result.map_err(corrupt)?),
        }
        &whole
    } else {
        bytes
    };
    context.load_dictionary(bytes).map_err(corrupt)?;
    Ok(())
}

/// Returns true if these bytes, which start with [`START`], look like a frame that may be decoded in parallel
/// with others: its window is not large (RFC 8878 section 3.1.1.1).
#[cfg(feature = "rayon")]
pub(crate) fn is_plausible(start: &[u8]) -> bool {
    const RESERVED: u8 = 1 << 3;
    const SINGLE_SEGMENT: u8 = 1 << 5;
    const LARGE: u64 = 4 << 20;

    let [_, _, _, _, descriptor, header @ ..] = start else { return false };
    let dictionary_id = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let window = if descriptor & SINGLE_SEGMENT == 0 {
        let Some(&window) = header.first() else { return false };
        let base = 1u64 << (10 + (window >> 3));
        base + base / 8 * u64::from(window & 7)
    } else {
        // The window is the content. Its size has 1, 2, 4 or 8 bytes.
        let len = 1 << (descriptor >> 6);
        let Some(size) = header.get(dictionary_id..dictionary_id + len) else { return false };
        let size = size.iter().rev().fold(0, |size, &byte| size << 8 | u64::from(byte));
        if len == 2 { size + 256 } else { size }
    };
    descriptor & RESERVED == 0 && window <= LARGE
}

impl Decode for Zstd {
    /// Decodes block by block, so that the output before a corrupt block is complete, and the block's
    /// position is known.
    fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Decoded {
        let mut done = Decoded::default();
        while done.written < output.len() {
            let rest = &input[done.consumed..];
            if rest.is_empty() && self.is_between {
                break;
            }
            // Within a frame, the hint includes the header of the next block.
            let is_block = !self.is_between && self.hint > BLOCK_HEADER;
            let wanted = if is_block { self.hint - BLOCK_HEADER } else { self.hint };
            // The output of a failed call is lost, so the rest of a block must be read before the next block.
            let flushes = self.has_more && !self.is_between;
            // The last bytes of a frame's last block look like the header of another block. They are passed
            // one by one: with them the library may find that the frame's size is wrong, and the output of a
            // stored block in that call is lost.
            let most = if is_block || self.is_between { wanted } else { 1 };
            let len = if flushes { 0 } else { most.min(rest.len()) };
            let mut from = InBuffer::around(&rest[..len]);
            let mut to = OutBuffer::around(&mut output[done.written..]);
            match self.context.decompress_stream(&mut to, &mut from) {
                Ok(hint) => {
                    let (consumed, written) = (from.pos(), to.pos());
                    done.consumed += consumed;
                    done.written += written;
                    self.has_more = done.written == output.len();
                    if consumed == 0 && written == 0 && !flushes {
                        break;
                    }
                    self.is_between = hint == 0;
                    // The first block's header follows the frame's header. The hint includes the rest of a
                    // header.
                    self.is_header = self.is_between || self.is_header && hint != BLOCK_HEADER;
                    // The library requests a header in parts, and judges it as a whole.
                    let is_whole = self.is_between || !self.is_header && consumed == wanted;
                    self.held = if is_whole { 0 } else { self.held + consumed as u64 };
                    self.hint = if hint == 0 { self.start_hint } else { hint };
                }
                Err(code) => {
                    done.fault = Some(DecodeError { before: self.held, ..fault(code) });
                    break;
                }
            }
        }
        done
    }

    #[cfg(feature = "rayon")]
    fn is_between_members(&self) -> bool {
        self.is_between
    }

    fn may_end(&self) -> bool {
        self.is_between
    }
}

/// Returns true if the code of a failed call means this error.
fn is(code: usize, error: Code) -> bool {
    code.wrapping_neg() == error as usize
}

fn fault(code: usize) -> DecodeError {
    if is(code, Code::ZSTD_error_frameParameter_windowTooLarge) {
        DecodeError::unsupported("a window of more than 128 MiB")
    } else if is(code, Code::ZSTD_error_dictionary_wrong) {
        DecodeError::unsupported("compressed with a dictionary")
    } else {
        DecodeError::invalid(get_error_name(code))
    }
}
