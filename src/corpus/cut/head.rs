//! The first bytes of an input are looked at before it is scanned.

use std::io;
use std::path::Path;

use crate::corpus::format::{Format, Layout, LayoutOptions, Wrapper, detect, head_of, head_of_document};
use crate::corpus::input::byte_stream::ByteStream;
use crate::corpus::input::foreign::Foreign;
use crate::corpus::limits::Limits;
use crate::corpus::mark::mark_len;
use crate::work::{memchr, memrchr};

/// The choice of an input's layout.
#[derive(Clone, Debug)]
pub(crate) enum Choice {
    Given(Layout),
    /// By its first lines, and where they do not settle it the format that its name suggests.
    Detected(LayoutOptions, Option<Format>),
}

impl Choice {
    /// The choice for a file of this name.
    pub(crate) fn named(&self, name: &Path) -> Self {
        match self {
            Choice::Detected(options, _) => Choice::Detected(options.clone(), Format::by_name(name)),
            choice => choice.clone(),
        }
    }

    /// The layout of an input that starts with these lines, if they are all that has to be known.
    fn layout(&self, head: &[u8]) -> io::Result<Layout> {
        match self {
            Choice::Given(layout) => Ok(layout.start(head)),
            Choice::Detected(options, by_name) => {
                let found = detect(head, options, *by_name);
                // In a wrapper of any text, URIs stand anywhere. In an object they may have escapes.
                let otherwise = match options.wrapper {
                    None => Format::Lines,
                    Some(Wrapper::Docker | Wrapper::Journald) => Format::Jsonl,
                    Some(_) => Format::Text,
                };
                let (format, options) =
                    found.as_ref().map_or((otherwise, options), |found| (found.format, &found.options));
                let wrapper = found.as_ref().and_then(|found| found.wrapper);
                let layout = Layout::found_out(format, options, wrapper, head)
                    .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
                Ok(layout.with_evidence(found.as_ref().map(|found| found.evidence)).start(head))
            }
        }
    }

    /// The same of an input whose first bytes these lines are among, unless another program has to open it first.
    fn layout_of_text(&self, bytes: &[u8], head: &[u8]) -> io::Result<Layout> {
        let Choice::Detected(_, by_name) = self else { return self.layout(head) };
        let is_document = || by_name.and_then(|_| Foreign::document(bytes));
        if let Some(foreign) = Foreign::by_magic(bytes).or_else(|| Foreign::tar(bytes)).or_else(is_document) {
            return Err(foreign.into());
        }
        self.layout(head)
    }

    /// As many of these first bytes of an input as are looked at, if they are all there: see [`head_of`].
    fn head_of<'b>(&self, bytes: &'b [u8], limits: &Limits, is_whole: bool) -> Option<&'b [u8]> {
        match self {
            Choice::Given(layout) if layout.has_documents() => head_of_document(bytes, is_whole),
            _ => head_of(bytes, limits.longest_line(), is_whole),
        }
    }

    /// Whether these first bytes are enough if more come slowly.
    fn is_clear(&self, bytes: &[u8]) -> bool {
        let line_end = || memrchr(b'\n', bytes);
        match self {
            Choice::Given(layout) if layout.has_documents() => layout.is_clear(bytes),
            Choice::Given(_) => line_end().is_some(),
            Choice::Detected(options, by_name) => line_end().is_some_and(|end| {
                let lines = &bytes[..=end];
                let is_list =
                    || Format::looks_like(lines).is_some_and(|looks_like| looks_like.is_list(lines));
                detect(lines, options, *by_name).is_some() || options.wrapper.is_none() && is_list()
            }),
        }
    }

    /// Whether the first lines of an input make a difference.
    fn needs_head(&self) -> bool {
        match self {
            Choice::Given(layout) => layout.needs_head(),
            Choice::Detected(..) => true,
        }
    }

    /// The layout of an input that is all there.
    pub(crate) fn layout_of(&self, input: &[u8], limits: &Limits) -> io::Result<Layout> {
        if !self.needs_head() {
            return self.layout(b"");
        }
        let lines = &input[mark_len(input)..];
        self.layout(self.head_of(lines, limits, true).unwrap_or(lines))
    }
}

/// An input whose first bytes have been read ahead, and still are the first that it gives out.
pub(crate) struct ReadAhead<I> {
    input: I,
    head: Vec<u8>,
    /// The number of bytes of the head that have been handed out.
    at: usize,
    at_end: bool,
    /// The error that ended the input.
    error: Option<io::Error>,
}

impl<I: ByteStream> ReadAhead<I> {
    pub(crate) fn new(input: I) -> Self {
        ReadAhead { input, head: Vec::new(), at: 0, at_end: false, error: None }
    }

    /// Reads as far as it takes to know the layout.
    ///
    /// If lines come slowly, the first that settle the format decide: their writer may wait for an
    /// answer.
    ///
    /// # Errors
    ///
    /// If the layout cannot be had, or there is no memory for the first lines. [`read`](ByteStream::read)
    /// returns the error that ended the input.
    pub(crate) fn layout(&mut self, choice: &Choice, limits: &Limits) -> io::Result<Layout> {
        if !choice.needs_head() {
            return choice.layout(b"");
        }
        loop {
            let lines = &self.head[mark_len(&self.head)..];
            if let Some(head) = choice.head_of(lines, limits, self.at_end) {
                return choice.layout_of_text(&self.head, head);
            }
            // The input may have ended: then a last line without an end is one of those that decide.
            if self.input.is_slow() && choice.is_clear(lines) {
                return choice.layout_of_text(&self.head, lines);
            }
            // A long line is looked at again once there is a quarter more of it, which takes linear time.
            let enough = (self.head.len() + self.head.len() / 4).min(limits.longest_line());
            loop {
                let len = self.head.len();
                self.read_on()?;
                let has_line_end = memchr(b'\n', &self.head[len..]).is_some();
                if self.at_end || has_line_end || self.head.len() > enough {
                    break;
                }
            }
        }
    }

    /// Reads some more bytes ahead.
    fn read_on(&mut self) -> io::Result<()> {
        /// Bytes.
        const STEP: usize = 64 << 10;

        let len = self.head.len();
        if self.head.capacity() < len + STEP {
            // It grows by a share of its length, so that growing takes linear time.
            self.head.try_reserve_exact(STEP.max(len / 4)).map_err(|_| io::ErrorKind::OutOfMemory)?;
        }
        self.head.resize(len + STEP, 0);
        let (count, result) = self.input.read(&mut self.head[len..]);
        self.head.truncate(len + count);
        self.error = result.err();
        self.at_end = count == 0 || self.error.is_some();
        Ok(())
    }
}

impl<I: ByteStream> ByteStream for ReadAhead<I> {
    fn read(&mut self, buffer: &mut [u8]) -> (usize, io::Result<()>) {
        let ahead = &self.head[self.at..];
        if !ahead.is_empty() {
            let count = ahead.len().min(buffer.len());
            buffer[..count].copy_from_slice(&ahead[..count]);
            self.at += count;
            if self.at == self.head.len() {
                (self.head, self.at) = (Vec::new(), 0);
            } else if self.at >= self.head.len() / 2 {
                // A long line is not to be held twice.
                self.head.drain(..std::mem::take(&mut self.at));
                self.head.shrink_to_fit();
            }
            return (count, Ok(()));
        }
        match self.error.take() {
            Some(error) => (0, Err(error)),
            None if self.at_end => (0, Ok(())),
            None => self.input.read(buffer),
        }
    }

    fn is_slow(&self) -> bool {
        self.head.is_empty() && self.input.is_slow()
    }
}
