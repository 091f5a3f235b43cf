//! The events of several inputs.

use std::ffi::OsStr;
use std::io;

use super::channel::Pull;
use crate::corpus::cut::Chunk;
use crate::corpus::input::named::Input;
use crate::corpus::schedule::{FileEvent, Scanner};

impl Scanner {
    /// Scans inputs in order on a thread of its own, as [`scan_files`](Self::scan_files) scans files, and
    /// returns their events to pull. Jobs and events get the number of the input, counted from 0.
    /// [Paths](Input::path) are opened in their turn.
    ///
    /// An error of an input is an [event](FileEvent::End), and the next input follows. An error instead of an
    /// event means that the system refuses threads. It is the last item.
    ///
    /// ```
    /// use urivalidate::corpus::{Chunk, ChunkScanner, FileEvent, Input, Scanner};
    /// use urivalidate::{Columns, Grammar, Validator};
    ///
    /// let inputs = [Input::reader("a", &b"http://example.com/\nno uri\n"[..]), Input::reader("b", &b"urn:a"[..])];
    /// let mut valid = [0; 2];
    /// let count = |_: usize, chunk: &Chunk<'_>| {
    ///     let validator = Validator::new(Grammar::Uri);
    ///     let mut chunk_scanner = ChunkScanner::default();
    ///     chunk_scanner.scan(chunk, &validator, Columns::NONE).map_or(0, |scanned| scanned.batch().valid_count())
    /// };
    /// for event in Scanner::new().pull(inputs, count)? {
    ///     match event? {
    ///         (input, FileEvent::Result(more)) => valid[input] += more,
    ///         (_, FileEvent::End { status, .. }) => status?,
    ///         _ => {}
    ///     }
    /// }
    /// assert_eq!(valid, [1, 1]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the system refuses the thread.
    pub fn pull<T: Send + 'static>(
        self,
        inputs: impl IntoIterator<Item = Input<'static>>,
        job: impl Fn(usize, &Chunk<'_>) -> T + Send + Sync + 'static,
    ) -> io::Result<Pull<(usize, FileEvent<T>)>> {
        let inputs = inputs.into_iter().collect();
        Pull::start(move |outlet| {
            self.scan_inputs(inputs, job, |input, event| outlet.send((input, event))).map(drop)
        })
    }
}

/// Returns the error of an input, with its name. The kind stays.
pub(crate) fn with_name(name: &OsStr, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", name.display()))
}
