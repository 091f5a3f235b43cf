//! The results of each of several files, until the run ends. The memory is small for any number of files.
//!
//! A file's statistics can take megabytes (a thousand schemes, samples of every kind of error, hosts). The
//! table needs only three numbers. JSON needs all statistics, so each file's object is rendered when the file
//! ends; beyond [`IN_MEMORY`] bytes, the rendered objects are kept in a temporary file without a name.

use std::io::{self, Read, Seek, SeekFrom, Write};

use tempfile::SpooledTempFile;

use super::contents::Report;
use crate::json::Object;

/// The most bytes of rendered objects that are kept in memory.
const IN_MEMORY: usize = 4 << 20;

/// The files of a run, in the order in which they were scanned.
pub(crate) struct Files {
    of_each: Vec<OfFile>,
    /// The objects of all files, separated by commas, if the run prints them.
    json: Option<SpooledTempFile>,
    rendered: Vec<u8>,
}

/// The row of a file in the table.
pub(super) struct OfFile {
    /// The number of the input.
    pub(super) input: usize,
    pub(super) records: u64,
    pub(super) invalid: u64,
    pub(super) bytes: u64,
}

impl Files {
    /// Returns an empty list. `as_json` is true if the run prints the files as JSON.
    pub(crate) fn new(as_json: bool) -> Self {
        let json = as_json.then(|| SpooledTempFile::new(IN_MEMORY));
        Files { of_each: Vec::new(), json, rendered: Vec::new() }
    }

    /// Adds the file with this name and number.
    ///
    /// # Errors
    ///
    /// Returns an error if the temporary file cannot be written.
    pub(crate) fn add(&mut self, input: usize, name: &[u8], report: &Report<'_>) -> io::Result<()> {
        let stats = report.stats;
        if let Some(json) = &mut self.json {
            self.rendered.clear();
            if !self.of_each.is_empty() {
                self.rendered.push(b',');
            }
            let mut object = Object::new(&mut self.rendered);
            object.text("file", name);
            report.members(&mut object);
            object.end();
            json.write_all(&self.rendered)?;
        }
        let (records, invalid, bytes) = (stats.records(), stats.invalid(), stats.bytes());
        self.of_each.push(OfFile { input, records, invalid, bytes });
        Ok(())
    }

    /// Returns the number of files.
    pub(crate) fn len(&self) -> usize {
        self.of_each.len()
    }

    pub(super) fn of_each(&self) -> &[OfFile] {
        &self.of_each
    }

    /// Passes the objects of all files to a function, piece by piece.
    pub(super) fn copy_json<E: From<io::Error>>(
        &mut self,
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(json) = &mut self.json else { return Ok(()) };
        json.seek(SeekFrom::Start(0))?;
        let mut piece = vec![0; 64 << 10];
        loop {
            match json.read(&mut piece)? {
                0 => return Ok(()),
                n => write(&piece[..n])?,
            }
        }
    }
}
