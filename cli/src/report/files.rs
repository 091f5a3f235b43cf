//! The results of each of several files, until the run ends: bounded, however many there are.
//!
//! A file's statistics can take megabytes (a thousand schemes, samples of every kind of error, hosts). The table needs three
//! numbers of them. JSON needs all, so each file's object is rendered when the file ends; beyond [`IN_MEMORY`] bytes the
//! rendered objects wait in a temporary file without a name.

use std::io::{self, Read, Seek, SeekFrom, Write};

use tempfile::SpooledTempFile;

use super::contents::Report;
use crate::json::Object;

/// The number of bytes of rendered objects that are kept in memory.
const IN_MEMORY: usize = 4 << 20;

/// The files of a run, in the order in which they were scanned.
pub(crate) struct Files {
    of_each: Vec<OfFile>,
    /// The objects of all files, separated by commas, if they are to be printed.
    json: Option<SpooledTempFile>,
    rendered: Vec<u8>,
}

/// The table's row for a file.
pub(super) struct OfFile {
    /// The number of the input.
    pub(super) input: usize,
    pub(super) records: u64,
    pub(super) invalid: u64,
    pub(super) bytes: u64,
}

impl Files {
    /// No files yet. `as_json` says whether the run prints them as JSON.
    pub(crate) fn new(as_json: bool) -> Self {
        let json = as_json.then(|| SpooledTempFile::new(IN_MEMORY));
        Files { of_each: Vec::new(), json, rendered: Vec::new() }
    }

    /// Adds the file with this name and number.
    ///
    /// # Errors
    ///
    /// If the temporary file cannot be written.
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

    pub(super) fn of_each(&self) -> &[OfFile] {
        &self.of_each
    }

    /// Passes on the objects of all files, a piece at a time.
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
