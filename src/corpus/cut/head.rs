//! Examines the first bytes of an input before the scan.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::corpus::format::{Format, HeaderRow, Layout, LayoutOptions, detect, head_of, head_of_document};
use crate::corpus::input::byte_stream::ByteStream;
use crate::corpus::input::foreign::Foreign;
use crate::corpus::limits::Limits;
use crate::corpus::mark::mark_len;
use crate::memory;
use crate::work::{memchr, memrchr};

/// The choice of an input's layout.
#[derive(Clone, Debug)]
pub(crate) enum Choice {
    Given(Layout),
    /// Detected by the first lines. If they do not decide, the format that the input's name suggests is used.
    Detected(LayoutOptions, Option<Format>),
}

impl Choice {
    /// Returns the choice for a file of this name.
    pub(crate) fn named(&self, name: &Path) -> Self {
        match self {
            Choice::Detected(options, _) => Choice::Detected(options.clone(), Format::by_name(name)),
            choice => choice.clone(),
        }
    }

    /// Returns the layout of an input that starts with `head`, if these lines are enough to choose it.
    fn layout(&self, head: &[u8]) -> io::Result<Layout> {
        match self {
            Choice::Given(layout) => Ok(layout.start(head)),
            Choice::Detected(options, by_name) => {
                let found = detect(head, options, *by_name);
                // In a wrapper, URIs can occur anywhere.
                let otherwise = if options.wrapper.is_some() { Format::Text } else { Format::Lines };
                let (format, options) =
                    found.as_ref().map_or((otherwise, options), |found| (found.format, &found.options));
                let wrapper = found.as_ref().and_then(|found| found.wrapper);
                if options.header != HeaderRow::Auto && !format.is_table() && !head.trim_ascii().is_empty() {
                    let message = format!("the format {format} has no header row");
                    return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
                }
                let layout = Layout::detected(format, options, wrapper, head)
                    .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
                Ok(layout.with_evidence(found.as_ref().map(|found| found.evidence)).start(head))
            }
        }
    }

    /// Returns the layout of an input that starts with `bytes`, which contain the lines `head`. Returns an
    /// error if another program has to open the input first.
    fn layout_of_text(&self, bytes: &[u8], head: &[u8]) -> io::Result<Layout> {
        let Choice::Detected(_, by_name) = self else { return self.layout(head) };
        let is_document = || by_name.and_then(|_| Foreign::document(bytes));
        if let Some(foreign) = Foreign::by_magic(bytes).or_else(|| Foreign::tar(bytes)).or_else(is_document) {
            return Err(foreign.into());
        }
        self.layout(head)
    }

    /// Returns the part of these first bytes that decides the layout, if all of it has come: see [`head_of`].
    fn head_of<'b>(&self, bytes: &'b [u8], limits: &Limits, is_whole: bool) -> Option<&'b [u8]> {
        match self {
            Choice::Given(layout) if layout.has_documents() => head_of_document(bytes, is_whole),
            _ => head_of(bytes, limits.longest_line(), is_whole),
        }
    }

    /// Returns true if these first bytes are enough when more come slowly.
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

    /// Returns true if the layout depends on the first lines of an input.
    fn needs_head(&self) -> bool {
        match self {
            Choice::Given(layout) => layout.needs_head(),
            Choice::Detected(..) => true,
        }
    }

    /// Returns the layout of an input that is in memory as a whole.
    pub(crate) fn layout_of(&self, input: &[u8], limits: &Limits) -> io::Result<Layout> {
        if !self.needs_head() {
            return self.layout(b"");
        }
        let lines = &input[mark_len(input)..];
        self.layout(self.head_of(lines, limits, true).unwrap_or(lines))
    }
}

/// The time without new bytes after which the first lines decide, and the longest time to wait for other
/// lines after the first ones that can decide. Programs that write a file piece by piece make shorter pauses.
/// A live stream gets its first answers after this time.
const IDLE: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// An input whose first bytes have been read ahead. It hands them out before the others.
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

    /// Reads until the layout is known.
    ///
    /// If lines come slowly, the first lines decide as soon as they settle the format and no others come for
    /// a while: their writer may wait for an answer.
    ///
    /// # Errors
    ///
    /// Returns an error if the input has no layout, or if memory for the first lines is lacking.
    /// [`read`](ByteStream::read) returns the error that ended the input.
    pub(crate) fn layout(&mut self, choice: &Choice, limits: &Limits) -> io::Result<Layout> {
        if !choice.needs_head() {
            return choice.layout(b"");
        }
        let mut clear_since = None;
        loop {
            let lines = &self.head[mark_len(&self.head)..];
            if let Some(head) = choice.head_of(lines, limits, self.at_end) {
                return choice.layout_of_text(&self.head, head);
            }
            let is_clear = self.input.is_slow() && choice.is_clear(lines);
            // A long line is examined again once it has grown by a quarter, which takes linear time.
            let enough = (self.head.len() + self.head.len() / 4).min(limits.longest_line());
            loop {
                if is_clear && !self.waits(*clear_since.get_or_insert_with(Instant::now)) {
                    // The input may have ended: then a last line without a line end also counts.
                    return choice.layout_of_text(&self.head, &self.head[mark_len(&self.head)..]);
                }
                let len = self.head.len();
                self.read_on()?;
                let has_line_end = memchr(b'\n', &self.head[len..]).is_some();
                if self.at_end || has_line_end || self.head.len() > enough {
                    break;
                }
            }
        }
    }

    /// Waits for more bytes. Returns false if none come in time. The lines that have come could decide since
    /// `clear_since`.
    fn waits(&mut self, clear_since: Instant) -> bool {
        let left = LONGEST_WAIT.saturating_sub(clear_since.elapsed());
        self.input.wait(IDLE.min(left))
    }

    /// Reads some bytes ahead.
    fn read_on(&mut self) -> io::Result<()> {
        /// The number of bytes of a read.
        const STEP: usize = 64 << 10;

        let len = self.head.len();
        if self.head.capacity() < len + STEP {
            // The buffer grows by a share of its length, so that growing takes linear time.
            memory::try_reserve_exact(&mut self.head, STEP.max(len / 4))
                .map_err(|_| io::ErrorKind::OutOfMemory)?;
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
                // So that memory does not hold a long line twice.
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

    fn wait(&mut self, time: Duration) -> bool {
        !self.head.is_empty() || self.input.wait(time)
    }
}
