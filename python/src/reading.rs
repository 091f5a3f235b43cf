//! The way to read files and to judge their records.

use std::iter;
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use urivalidate::corpus::{
    Chunk, ChunkScanner, FieldSelector, Format, HeaderRow, Layout, LayoutOptions, Scanned, Scanner,
};
use urivalidate::{Backend, Columns, Grammar, ReadAs, Validator};

use crate::mapping::mapping_files;
use crate::options::{of_name, validator, value_error};

/// Its form in Python.
pub(crate) struct ReadingOptions<'a> {
    pub(crate) format: &'a str,
    /// The format's own unless one is named.
    pub(crate) grammar: Option<&'a str>,
    pub(crate) zone_ids: bool,
    pub(crate) field: Option<String>,
    pub(crate) key: Option<String>,
    pub(crate) header: Option<bool>,
    pub(crate) delimiter: Option<&'a str>,
    pub(crate) trim: bool,
    /// 0 for as many as there are cores.
    pub(crate) threads: usize,
}

/// The way to read lines and to judge records.
pub(crate) struct Reading {
    /// Judges lists, and all else unless its grammar is found out with the format.
    validator: Validator,
    /// None if it is to be found out.
    format: Option<Format>,
    layout: Layouts,
    trim: bool,
    threads: usize,
    /// Whether the grammar is known before anything is read.
    knows_grammar: bool,
    /// Memory to be used again.
    chunk_scanners: Mutex<Vec<ChunkScanner>>,
}

enum Layouts {
    Known(Layout),
    FoundOut(LayoutOptions),
}

impl Reading {
    pub(crate) fn new(given: ReadingOptions<'_>) -> PyResult<Self> {
        let mut options = LayoutOptions::from(match (given.field, given.key) {
            (None, None) => FieldSelector::Uri,
            (Some(field), None) => FieldSelector::Field(field),
            (None, Some(key)) => FieldSelector::Key(key),
            (Some(_), Some(_)) => return Err(PyValueError::new_err("field and key exclude each other")),
        });
        options.header = match given.header {
            None => HeaderRow::Auto,
            Some(true) => HeaderRow::Yes,
            Some(false) => HeaderRow::No,
        };
        options.delimiter = match given.delimiter.map(str::as_bytes) {
            None => None,
            Some(&[byte]) => Some(byte),
            Some(_) => return Err(PyValueError::new_err("the delimiter has to be one ASCII character")),
        };
        // None is auto, which a wrapper's name is, too. Expressions would make the package half as large again: Python has its own.
        let formats = Format::ALL.iter().copied().filter(|&format| format != Format::Regex).map(Some);
        let formats: Vec<_> = iter::once(None).chain(formats).collect();
        let name_of = |format: Option<Format>| format.map_or("auto", |format| format.name());
        options.wrapper = given.format.parse().ok();
        let format = match options.wrapper {
            Some(_) => None,
            None => of_name("format", given.format, &formats, name_of)?,
        };
        let (layout, own_grammar) = match format {
            None => (Layouts::FoundOut(options), Grammar::Uri),
            Some(format) => {
                let layout = Layout::new(format, &options).map_err(value_error)?;
                let grammar = layout.grammar();
                (Layouts::Known(layout), grammar)
            }
        };
        let validator = validator(given.grammar.unwrap_or(own_grammar.name()), given.zone_ids)?;
        let knows_grammar = given.grammar.is_some() || format.is_some();
        let (trim, threads) = (given.trim, given.threads);
        let chunk_scanners = Mutex::default();
        Ok(Reading { validator, format, layout, trim, threads, knows_grammar, chunk_scanners })
    }

    /// A scanner that reads like this.
    pub(crate) fn scanner(&self) -> Scanner {
        let scanner = mapping_files(Scanner::new().threads(self.threads).trim(self.trim));
        match &self.layout {
            Layouts::Known(layout) => scanner.layout(layout.clone()),
            Layouts::FoundOut(options) => scanner.detect_format(options.clone()),
        }
    }

    pub(crate) fn backend(&self) -> Backend {
        self.validator.backend()
    }

    /// The grammar of the records, or that of lists.
    pub(crate) fn grammar(&self) -> Grammar {
        self.validator.grammar()
    }

    /// The grammar of all records, if it is known before anything is read.
    pub(crate) fn known_grammar(&self) -> Option<Grammar> {
        self.knows_grammar.then(|| self.grammar())
    }

    /// The way to read an empty input.
    pub(crate) fn of_nothing(&self) -> ReadAs {
        let format = self.format.unwrap_or(Format::Lines);
        ReadAs::new(format, self.grammar())
    }

    /// The way to read a chunk.
    pub(crate) fn of_chunk(&self, chunk: &Chunk<'_>) -> ReadAs {
        ReadAs::new(chunk.layout().format(), self.validator_of(chunk).grammar())
    }

    fn validator_of(&self, chunk: &Chunk<'_>) -> Validator {
        if self.knows_grammar { self.validator } else { chunk.layout().validator(self.validator) }
    }

    /// Scans a chunk for these columns, and hands over the result.
    pub(crate) fn scan<T>(
        &self,
        chunk: &Chunk<'_>,
        columns: Columns,
        take: impl FnOnce(&Scanned<'_>) -> PyResult<T>,
    ) -> PyResult<T> {
        let spare = self.chunk_scanners.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut chunk_scanner = spare.unwrap_or_default();
        let scanned = chunk_scanner.scan(chunk, &self.validator_of(chunk), columns);
        let taken = take(&scanned.map_err(|error| PyMemoryError::new_err(error.to_string()))?);
        self.chunk_scanners.lock().unwrap_or_else(PoisonError::into_inner).push(chunk_scanner);
        taken
    }
}
