//! Undoes the codings of a body. The content comes as a stream, so memory does not depend on its length.

use std::cell::Cell;
use std::io::{self, Read};

use super::http::Codings;
#[cfg(all(feature = "zstd-rust", not(feature = "zstd")))]
use crate::corpus::input::decompress::zstd_reader;
use crate::work::looked_at;

/// A body with the codings to undo, the one applied last first.
#[derive(Debug)]
pub(super) struct Coded<'b> {
    bytes: &'b [u8],
    codings: Vec<Coding>,
    /// The maximal length of the content, before and after each coding, in bytes.
    longest: usize,
}

/// The end of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The stream has ended as it should, or it has not been read to its end.
    Whole,
    /// A coding breaks in the middle.
    Broken,
    /// The coding with this index decodes no byte: perhaps the body is not encoded as its head says.
    Nothing(usize),
    /// The content is longer than a record may be.
    TooLong,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coding {
    #[cfg(feature = "gzip")]
    Gzip,
    #[cfg(feature = "gzip")]
    Zlib,
    /// Some servers omit the zlib format around it (RFC 9110 section 8.4.1.2).
    #[cfg(feature = "gzip")]
    Deflate,
    #[cfg(feature = "brotli")]
    Brotli,
    #[cfg(feature = "__zstd")]
    Zstd,
    /// A coding that this build does not know. It decodes nothing.
    Unknown,
}

impl Coding {
    fn of_name(name: &[u8]) -> Self {
        match &*name.to_ascii_lowercase() {
            #[cfg(feature = "gzip")]
            b"gzip" | b"x-gzip" => Coding::Gzip,
            #[cfg(feature = "gzip")]
            b"deflate" => Coding::Zlib,
            #[cfg(feature = "brotli")]
            b"br" => Coding::Brotli,
            #[cfg(feature = "__zstd")]
            b"zstd" => Coding::Zstd,
            _ => Coding::Unknown,
        }
    }

    /// Returns a reader of the text of `bytes`.
    fn undo<'r>(self, bytes: impl Read + 'r) -> io::Result<Box<dyn Read + 'r>> {
        /// The largest window that a browser accepts (RFC 9659).
        #[cfg(feature = "__zstd")]
        const LARGEST_WINDOW_LOG: u32 = 23;

        Ok(match self {
            #[cfg(feature = "gzip")]
            Coding::Gzip => Box::new(flate2::read::MultiGzDecoder::new(bytes)),
            #[cfg(feature = "gzip")]
            Coding::Zlib => Box::new(flate2::read::ZlibDecoder::new(bytes)),
            #[cfg(feature = "gzip")]
            Coding::Deflate => Box::new(flate2::read::DeflateDecoder::new(bytes)),
            #[cfg(feature = "brotli")]
            Coding::Brotli => Box::new(brotli_decompressor::Decompressor::new(bytes, 4096)),
            #[cfg(feature = "zstd")]
            Coding::Zstd => {
                let mut decoder = zstd::stream::read::Decoder::new(bytes)?;
                decoder.window_log_max(LARGEST_WINDOW_LOG)?;
                Box::new(decoder)
            }
            #[cfg(all(feature = "zstd-rust", not(feature = "zstd")))]
            Coding::Zstd => Box::new(zstd_reader(bytes, 1 << LARGEST_WINDOW_LOG)?),
            Coding::Unknown => {
                drop(bytes);
                Box::new(Undecodable)
            }
        })
    }
}

/// The text of a coding that is not known.
struct Undecodable;

impl Read for Undecodable {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// The text that a coding has decoded so far.
#[derive(Default)]
struct Progress {
    len: Cell<usize>,
    is_broken: Cell<bool>,
    is_too_long: Cell<bool>,
}

/// Reads the text of a coding. The text ends where the coding breaks, and at the limit.
struct Text<'r> {
    decoder: Option<Box<dyn Read + 'r>>,
    longest: usize,
    progress: &'r Progress,
}

impl Read for Text<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let Some(decoder) = &mut self.decoder else { return Ok(0) };
        let progress = self.progress;
        let read = match decoder.read(to) {
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
            Err(_) => {
                progress.is_broken.set(true);
                0
            }
        };
        looked_at(read);
        progress.len.set(progress.len.get() + read);
        if progress.len.get() > self.longest {
            progress.is_too_long.set(true);
        }
        if read == 0 || progress.is_too_long.get() {
            self.decoder = None;
        }
        Ok(read)
    }
}

impl<'b> Coded<'b> {
    pub(super) fn new(bytes: &'b [u8], longest: usize) -> Self {
        Coded { bytes, codings: Vec::new(), longest }
    }

    /// Adds codings with these names.
    pub(super) fn add<'n>(&mut self, names: impl Iterator<Item = &'n [u8]>) {
        self.codings.extend(names.map(Coding::of_name));
    }

    /// Returns true if no coding is left to undo.
    pub(super) fn is_decoded(&self) -> bool {
        self.codings.is_empty()
    }

    /// Passes a reader of the content to `read`. The reader returns no errors: the content ends where a
    /// coding breaks.
    pub(super) fn read<T>(&self, read: impl FnOnce(&mut dyn Read) -> T) -> (T, End) {
        self.read_to(self.codings.len(), read)
    }

    /// Passes a reader of the text after the first `count` codings are undone.
    fn read_to<T>(&self, count: usize, read: impl FnOnce(&mut dyn Read) -> T) -> (T, End) {
        let all: [Progress; 2 * Codings::MOST] = Default::default();
        let mut reader: Box<dyn Read + '_> = Box::new(self.bytes);
        for (coding, progress) in self.codings[..count].iter().zip(&all) {
            let decoder = coding.undo(reader);
            progress.is_broken.set(decoder.is_err());
            reader = Box::new(Text { decoder: decoder.ok(), longest: self.longest, progress });
        }
        let value = read(&mut reader);
        drop(reader);
        (value, End::of(&all))
    }

    /// Takes out a coding that decodes nothing. The content is then the text before it. Returns false if the
    /// coding has another form that decodes the whole text.
    pub(super) fn take_out(&mut self, index: usize) -> bool {
        #[cfg(feature = "gzip")]
        if self.codings[index] == Coding::Zlib {
            self.codings[index] = Coding::Deflate;
            // Nearly any bytes can be the start of a raw deflated text, so all of it must decode.
            let (_, end) = self.read_to(index + 1, |text| io::copy(text, &mut io::sink()));
            if matches!(end, End::Whole | End::TooLong) {
                return false;
            }
        }
        self.codings.remove(index);
        true
    }
}

impl End {
    fn of(all: &[Progress]) -> Self {
        let mut end = End::Whole;
        for (index, progress) in all.iter().enumerate() {
            if progress.is_too_long.get() {
                return End::TooLong;
            }
            if progress.is_broken.get() {
                if progress.len.get() == 0 {
                    return End::Nothing(index);
                }
                end = End::Broken;
            }
        }
        end
    }
}
