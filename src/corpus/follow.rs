//! Chunks learn how they are to be read.

use std::collections::VecDeque;
use std::io;

use super::chunk::Chunk;
use super::fan_out::Source;
use super::format::{Format, Layout, Pick, Reading};

/// How the layout of an input is known.
#[derive(Debug)]
pub(super) enum Choice {
    Given(Layout),
    /// By its first lines.
    Detected(Pick),
}

/// A source whose chunks know their layout, and what they have to know of the lines before them.
pub(super) struct Following<'a, 'c, S> {
    pub(super) source: S,
    choice: &'c Choice,
    /// How the next chunk is to be read, if that is known.
    pub(super) reading: Option<Reading>,
    /// Chunks that had to be looked at to know it.
    waiting: VecDeque<Chunk<'a>>,
    /// What comes behind them.
    failure: Option<io::Error>,
}

impl<'a, 'c, S: Source<'a>> Following<'a, 'c, S> {
    pub(super) fn new(source: S, choice: &'c Choice, reading: Option<Reading>) -> Self {
        Following { source, choice, reading, waiting: VecDeque::new(), failure: None }
    }

    fn begin(&mut self) -> io::Result<Reading> {
        let layout = match self.choice {
            Choice::Given(layout) => layout.clone(),
            Choice::Detected(pick) => {
                let format = self.detect()?;
                Layout::with(format, pick)
                    .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?
            }
        };
        Ok(Reading::start(layout))
    }

    /// Lets chunks wait until they tell the format.
    fn detect(&mut self) -> io::Result<Format> {
        let mut head = Vec::new();
        loop {
            let chunk = match self.source.next() {
                Ok(Some(chunk)) => chunk,
                Ok(None) => return Ok(Format::Lines),
                Err(failure) => {
                    self.failure = Some(failure);
                    return Ok(Format::Lines);
                }
            };
            // Mostly the first chunk tells, and is not copied.
            let is_first = head.is_empty();
            let mut format = if is_first { Format::detect(chunk.bytes()) } else { None };
            if format.is_none() {
                head.try_reserve(chunk.bytes().len()).map_err(|_| io::ErrorKind::OutOfMemory)?;
                head.extend_from_slice(chunk.bytes());
                if !is_first {
                    format = Format::detect(&head);
                }
            }
            let is_part = chunk.is_part();
            self.waiting.push_back(chunk);
            match format {
                Some(format) => return Ok(format),
                // No line of a log is over the limit.
                None if is_part => return Ok(Format::Lines),
                None => {}
            }
        }
    }
}

impl<'a, S: Source<'a>> Source<'a> for Following<'a, '_, S> {
    fn next(&mut self) -> io::Result<Option<Chunk<'a>>> {
        let reading = match self.reading.take() {
            Some(reading) => reading,
            None => self.begin()?,
        };
        let next = match (self.waiting.pop_front(), self.failure.take()) {
            (Some(chunk), failure) => {
                self.failure = failure;
                Some(chunk)
            }
            (None, Some(failure)) => return Err(failure),
            (None, None) => self.source.next()?,
        };
        let Some(mut chunk) = next else {
            self.reading = Some(reading);
            return Ok(None);
        };
        self.reading = Some(reading.follow(&chunk)?);
        chunk.reading = Some(reading);
        Ok(Some(chunk))
    }

    fn reuse(&mut self, buffer: Vec<u8>) {
        self.source.reuse(buffer);
    }

    fn is_finished(&self) -> bool {
        self.source.is_finished() && self.waiting.is_empty() && self.failure.is_none()
    }

    fn is_slow(&self) -> bool {
        self.source.is_slow() && self.waiting.is_empty()
    }
}
