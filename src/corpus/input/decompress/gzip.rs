//! gzip, RFC 1952.

use flate2::{Decompress, FlushDecompress, Status};

use super::decoder::{Decode, DecodeError, Decoded};
use crate::memory;

/// The start of a member: the magic number, and the only compression method that exists.
#[cfg(feature = "rayon")]
pub(crate) const START: &[u8] = &[0x1F, 0x8B, 8];

/// The bytes of memory of the library for a member, which it does not ask for: a window of 32 KiB, and
/// tables.
const STATE: usize = 128 << 10;

/// The state of the decoder.
#[derive(Default)]
pub(crate) enum Gzip {
    #[default]
    Between,
    Member(Decompress),
    /// After the last member.
    Zeros,
}

/// Returns true if `start`, which begins with [`START`], looks like a header that some program writes: no
/// reserved flag, an extra flag that deflate defines, and an operating system that has a number (RFC 1952
/// section 2.3.1).
#[cfg(feature = "rayon")]
pub(crate) fn is_plausible(start: &[u8]) -> bool {
    match start {
        [_, _, _, flags, _, _, _, _, extra, system, ..] => {
            flags & 0xE0 == 0 && matches!(extra, 0 | 2 | 4) && matches!(system, 0..=13 | 255)
        }
        _ => false,
    }
}

/// Returns the error in the library's words.
///
/// If a block has wrong codes, the library either names the error or only reports an earlier error, depending
/// on the room for the output. This function returns one text for all of these messages, so that an archive
/// has the same error however it is read.
fn reason(message: Option<&str>) -> &str {
    let is_of_codes = |message: &str| {
        message.contains("bad state")
            || message.starts_with("invalid literal/length code")
            || message.starts_with("invalid distance code")
            || message.starts_with("invalid distance too far back")
    };
    message.filter(|message| !is_of_codes(message)).unwrap_or("invalid deflate data")
}

impl Decode for Gzip {
    fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Decoded {
        let mut done = Decoded::default();
        while done.written < output.len() && done.fault.is_none() {
            let rest = &input[done.consumed..];
            match (&mut *self, rest.first()) {
                (Gzip::Between | Gzip::Zeros, None) => break,
                (Gzip::Between | Gzip::Zeros, Some(0)) => {
                    *self = Gzip::Zeros;
                    done.consumed += rest.iter().take_while(|&&byte| byte == 0).count();
                }
                (Gzip::Between, Some(0x1F)) => match memory::ask_for(STATE) {
                    Ok(()) => *self = Gzip::Member(Decompress::new_gzip(15)),
                    Err(_) => done.fault = Some(DecodeError::out_of_memory()),
                },
                (Gzip::Between | Gzip::Zeros, Some(_)) => {
                    done.fault =
                        Some(DecodeError::invalid("neither a gzip member nor zeros follow the last one"));
                }
                (Gzip::Member(inflate), _) => {
                    let (consumed, written) = (inflate.total_in(), inflate.total_out());
                    let result = inflate.decompress(rest, &mut output[done.written..], FlushDecompress::None);
                    let consumed = (inflate.total_in() - consumed) as usize;
                    let written = (inflate.total_out() - written) as usize;
                    done.consumed += consumed;
                    done.written += written;
                    match result {
                        Ok(Status::StreamEnd) => *self = Gzip::Between,
                        Ok(_) if consumed == 0 && written == 0 => break,
                        Ok(_) => {}
                        Err(error) => {
                            done.fault = Some(DecodeError::invalid(reason(error.message())));
                        }
                    }
                }
            }
        }
        done
    }

    #[cfg(feature = "rayon")]
    fn is_between_members(&self) -> bool {
        matches!(self, Gzip::Between)
    }

    fn may_end(&self) -> bool {
        matches!(self, Gzip::Between | Gzip::Zeros)
    }
}
