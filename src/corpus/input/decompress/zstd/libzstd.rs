//! zstd with its own library, which is in C.

use std::io::{self, ErrorKind};

use zstd::zstd_safe::zstd_sys::ZSTD_ErrorCode as Code;
use zstd::zstd_safe::{DCtx, InBuffer, OutBuffer, get_error_name};

use super::frame::{
    BLOCK_HEADER, START, corrupt_dictionary, dictionary_too_long, window_too_large, wrong_dictionary,
};
use crate::corpus::input::decompress::decoder::{Decode, DecodeError, Decoded};
use crate::corpus::input::decompress::dictionary::{Dictionary, LONGEST};
use crate::memory;

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
    let corrupt = |code: usize| corrupt_dictionary(get_error_name(code));
    let bytes = dictionary.bytes();
    if bytes.len() > LONGEST {
        return Err(dictionary_too_long());
    }
    let mut whole = Vec::new();
    let bytes = if bytes.starts_with(START) {
        memory::try_reserve_exact(&mut whole, LONGEST).map_err(|_| ErrorKind::OutOfMemory)?;
        match DCtx::try_create().ok_or(ErrorKind::OutOfMemory)?.decompress(&mut whole, bytes) {
            Err(code) if is(code, Code::ZSTD_error_dstSize_tooSmall) => return Err(dictionary_too_long()),
            result => drop(result.map_err(corrupt)?),
        }
        &whole
    } else {
        bytes
    };
    context.load_dictionary(bytes).map_err(corrupt)?;
    Ok(())
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
        window_too_large()
    } else if is(code, Code::ZSTD_error_dictionary_wrong) {
        wrong_dictionary()
    } else {
        DecodeError::invalid(get_error_name(code))
    }
}
