//! xz with its own library, which is in C.

use liblzma::stream::{Action, Error, Status, Stream, TELL_UNSUPPORTED_CHECK};

use super::streams::{
    DecodeStream, corrupt, dictionary_too_large, no_stream, unknown_checksum, unknown_filter,
};
use crate::corpus::input::decompress::decoder::{DecodeError, Decoded};

/// The maximum memory of a decoder in bytes: a dictionary of 128 MiB, and its other memory. Level 9 has a
/// dictionary of 64 MiB.
const MOST_MEMORY: u64 = 160 << 20;

#[derive(Default)]
pub(crate) struct Decoder(Option<Stream>);

impl DecodeStream for Decoder {
    fn start(&mut self) -> Result<(), DecodeError> {
        self.0 = Some(Stream::new_stream_decoder(MOST_MEMORY, TELL_UNSUPPORTED_CHECK).map_err(fault)?);
        Ok(())
    }

    fn decode(&mut self, input: &[u8], output: &mut [u8]) -> (Decoded, bool) {
        let Some(stream) = &mut self.0 else { return (Decoded::default(), true) };
        let (consumed, written) = (stream.total_in(), stream.total_out());
        let result = stream.process(input, output, Action::Run);
        let consumed = (stream.total_in() - consumed) as usize;
        let written = (stream.total_out() - written) as usize;
        let has_ended = matches!(result, Ok(Status::StreamEnd));
        if has_ended {
            self.0 = None;
        }
        (Decoded { consumed, written, fault: result.err().map(fault) }, has_ended)
    }
}

fn fault(error: Error) -> DecodeError {
    match error {
        Error::MemLimit => dictionary_too_large(),
        Error::Mem => DecodeError::unsupported("not enough memory"),
        Error::Options => unknown_filter(),
        Error::UnsupportedCheck => unknown_checksum(),
        Error::Format => no_stream(),
        Error::Data | Error::Program | Error::NoCheck => corrupt(),
    }
}
