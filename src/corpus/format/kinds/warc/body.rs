//! The texts of pages in bodies: without chunks and content codings, in a charset in which ASCII bytes stand
//! for ASCII characters.

use std::borrow::Cow;
use std::io::Read;

use super::codings::{Coded, End};
use super::http::{HttpHead, without_chunks};
use super::transcoder::Transcoder;
use crate::memory::{self, OutOfMemory};

/// A decoded text of more bytes is not held in memory as a whole.
const LONG: usize = 4 << 20;

/// The body of a response without its chunks, or a document.
pub(super) struct Body<'a> {
    head: HttpHead<'a>,
    bytes: Cow<'a, [u8]>,
    has_whole_chunks: bool,
}

/// The part of a body that decodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Decoded {
    All,
    /// No byte decodes: perhaps the body is not encoded as its head says.
    Nothing,
    /// Only the beginning decodes.
    Part,
}

/// The error of content that is longer than a record may be.
pub(super) struct TooLong;

/// The text of a body.
pub(super) enum Text<'b> {
    /// The text. `is_in_place` tells whether the body has these very bytes.
    Whole { bytes: Cow<'b, [u8]>, is_in_place: bool },
    /// The first bytes of a long text, and all of it as a stream.
    Long(Vec<u8>, TextStream<'b>),
}

/// A text that is decoded while it is read.
pub(super) struct TextStream<'b> {
    coded: Coded<'b>,
    transcoder: Option<Transcoder>,
}

impl<'a> Body<'a> {
    /// Undoes the chunks that `head` names. An archive can decode a body and keep its head: then the body is
    /// the content.
    pub(super) fn new(head: HttpHead<'a>, body: &'a [u8]) -> Self {
        let (bytes, has_whole_chunks) =
            if head.is_chunked() { without_chunks(body) } else { (Cow::Borrowed(body), true) };
        Body { head, bytes, has_whole_chunks }
    }

    /// Returns the text, and the part of the body that decodes; of a long text, the part so far. `charset` is
    /// that of the media type.
    pub(super) fn text(
        &self,
        charset: Option<&[u8]>,
        longest: usize,
    ) -> Result<(Text<'_>, Decoded), TooLong> {
        let mut decoded = if self.has_whole_chunks { Decoded::All } else { Decoded::Part };
        let mut coded = Coded::new(&self.bytes, longest);
        if self.head.has_too_many_codings() {
            decoded = Decoded::Nothing;
        } else {
            coded.add(self.head.codings());
        }
        while !coded.is_decoded() {
            let mut bytes = Vec::new();
            let (_, end) = coded.read(|content| content.take(LONG as u64 + 1).read_to_end(&mut bytes));
            match end {
                End::TooLong => return Err(TooLong),
                End::Nothing(index) => {
                    if coded.take_out(index) {
                        decoded = decoded.max(Decoded::Nothing);
                    }
                    continue;
                }
                End::Broken => decoded = decoded.max(Decoded::Part),
                End::Whole => {}
            }
            return Ok((Text::new(Cow::Owned(bytes), false, coded, charset), decoded));
        }
        let is_in_place = matches!(self.bytes, Cow::Borrowed(_));
        Ok((Text::new(Cow::Borrowed(&self.bytes), is_in_place, coded, charset), decoded))
    }
}

impl<'b> Text<'b> {
    /// Makes the text of content, or of the first bytes of long content.
    fn new(bytes: Cow<'b, [u8]>, is_in_place: bool, coded: Coded<'b>, charset: Option<&[u8]>) -> Self {
        let transcoder = Transcoder::of(&bytes, charset);
        let text = |bytes: Cow<'b, [u8]>| match transcoder.clone() {
            Some(transcoder) => Cow::Owned(transcoder.whole_text(&bytes)),
            None => bytes,
        };
        let is_made = !coded.is_decoded() || transcoder.is_some();
        if !is_made || bytes.len() <= LONG {
            return Text::Whole { bytes: text(bytes), is_in_place: is_in_place && !is_made };
        }
        let start = text(Cow::Owned(bytes[..LONG].to_vec())).into_owned();
        Text::Long(start, TextStream { coded, transcoder })
    }

    /// Returns the first bytes.
    pub(super) fn start(&self) -> &[u8] {
        match self {
            Text::Whole { bytes, .. } => bytes,
            Text::Long(start, _) => start,
        }
    }
}

impl TextStream<'_> {
    /// Passes a reader of the text to `read`, and returns the part of the body that decodes.
    pub(super) fn read<T>(
        &self,
        read: impl FnOnce(&mut TextReader<'_>) -> T,
    ) -> Result<(T, Decoded), TooLong> {
        let (value, end) = self.coded.read(|content| {
            let transcoder = self.transcoder.clone();
            read(&mut TextReader { content, transcoder, undone: Vec::new(), is_at_end: false })
        });
        match end {
            End::TooLong => Err(TooLong),
            End::Whole => Ok((value, Decoded::All)),
            End::Broken | End::Nothing(_) => Ok((value, Decoded::Part)),
        }
    }
}

/// Reads a text.
pub(super) struct TextReader<'r> {
    content: &'r mut dyn Read,
    transcoder: Option<Transcoder>,
    /// The content that is not transcoded yet.
    undone: Vec<u8>,
    is_at_end: bool,
}

impl TextReader<'_> {
    /// Appends bytes until `text` has `target` bytes or more. Returns true if the text ends with these bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if memory runs out.
    pub(super) fn fill(&mut self, text: &mut Vec<u8>, target: usize) -> Result<bool, OutOfMemory> {
        /// The bytes that are read at once.
        const STEP: usize = 64 << 10;
        /// Without free bytes after the step, the reader might grow the vector, which may end the process.
        const PROBE: usize = 64;
        /// The most bytes of text that a byte becomes.
        const LONGEST: usize = 3;

        while text.len() < target && !self.is_at_end {
            let missing = if self.transcoder.is_some() { STEP } else { STEP.min(target - text.len()) };
            let to = if self.transcoder.is_some() { &mut self.undone } else { &mut *text };
            memory::try_reserve(to, missing + PROBE)?;
            // The content has no errors.
            let read = self.content.take(missing as u64).read_to_end(to).unwrap_or_default();
            self.is_at_end = read < missing;
            if let Some(transcoder) = &mut self.transcoder {
                memory::try_reserve(text, LONGEST * self.undone.len())?;
                let done = transcoder.push(&self.undone, self.is_at_end, text);
                self.undone.drain(..done);
            }
        }
        Ok(self.is_at_end)
    }
}
