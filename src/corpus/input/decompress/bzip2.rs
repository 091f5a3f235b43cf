//! bzip2, which has no specification but its program.

use ::bzip2::{Decompress, Error, Status};

use super::decoder::{Decode, DecodeError, Decoded};

/// The state of the decoder.
#[derive(Default)]
pub(crate) enum Bzip2 {
    #[default]
    Between,
    Stream(Decompress),
}

impl Decode for Bzip2 {
    fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Decoded {
        let mut done = Decoded::default();
        while done.written < output.len() && done.fault.is_none() {
            let rest = &input[done.consumed..];
            match (&mut *self, rest.first()) {
                (Bzip2::Between, None) => break,
                (Bzip2::Between, Some(b'B')) => *self = Bzip2::Stream(Decompress::new(false)),
                (Bzip2::Between, Some(_)) => {
                    done.fault = Some(DecodeError::invalid("no bzip2 stream follows the last one"));
                }
                (Bzip2::Stream(stream), _) => {
                    let (consumed, written) = (stream.total_in(), stream.total_out());
                    let result = stream.decompress(rest, &mut output[done.written..]);
                    let consumed = (stream.total_in() - consumed) as usize;
                    let written = (stream.total_out() - written) as usize;
                    done.consumed += consumed;
                    done.written += written;
                    match result {
                        Ok(Status::StreamEnd) => *self = Bzip2::Between,
                        Ok(Status::MemNeeded) => {
                            done.fault = Some(DecodeError::unsupported("not enough memory"));
                        }
                        Ok(_) if consumed == 0 && written == 0 => break,
                        Ok(_) => {}
                        Err(error) => done.fault = Some(DecodeError::invalid(reason(error))),
                    }
                }
            }
        }
        done
    }

    #[cfg(feature = "rayon")]
    fn is_between_members(&self) -> bool {
        matches!(self, Bzip2::Between)
    }

    fn may_end(&self) -> bool {
        matches!(self, Bzip2::Between)
    }
}

fn reason(error: Error) -> &'static str {
    match error {
        Error::DataMagic => "no bzip2 stream follows the last one",
        _ => "invalid data, or its checksum is wrong",
    }
}
