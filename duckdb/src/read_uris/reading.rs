//! The way to read files and to judge their records.

use std::iter;
use std::sync::{Mutex, PoisonError};

use urivalidate::corpus::{
    Chunk, ChunkScanner, FieldSelector, Format, HeaderRow, Layout, LayoutOptions, Scanned, Scanner,
};
use urivalidate::{Columns, Grammar, Validator};

use super::parameters::Parameters;
use crate::failure::Failure;
use crate::names::{named, unknown};

/// The bytes of a chunk, whose rows become a record batch.
const CHUNK_SIZE: usize = 1 << 20;

/// The most lines of a chunk: an empty record takes some 150 bytes in the columns of components.
const CHUNK_LINES: usize = 16 << 10;

/// More would be a mistake, and may be more than the system gives.
const MOST_THREADS: i64 = 1024;

/// The way to read lines and to judge records.
pub(super) struct Reading {
    /// Judges lists, and all else unless its grammar is found out with the format.
    validator: Validator,
    layout: Layouts,
    trim: bool,
    /// 0 for as many as there are cores.
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
    pub(super) fn new(given: &Parameters) -> Result<Self, Failure> {
        let mut options = LayoutOptions::from(match (&given.field, &given.key) {
            (None, None) => FieldSelector::Uri,
            (Some(field), None) => FieldSelector::Field(field.clone()),
            (None, Some(key)) => FieldSelector::Key(key.clone()),
            (Some(_), Some(_)) => return Err(Failure("use either field or key, not both".to_owned())),
        });
        options.header = match given.header {
            None => HeaderRow::Auto,
            Some(true) => HeaderRow::Yes,
            Some(false) => HeaderRow::No,
        };
        options.delimiter = match given.delimiter.as_deref().map(str::as_bytes) {
            None => None,
            Some(&[byte]) => Some(byte),
            Some(_) => return Err(Failure("the delimiter has to be one ASCII character".to_owned())),
        };
        let name = given.format.as_deref().unwrap_or("auto");
        // A wrapper's name is auto, too. Expressions would make the extension half as large again, and DuckDB has its own.
        options.wrapper = name.parse().ok();
        let format = if options.wrapper.is_some() { None } else { format(name)? };
        let (layout, own_grammar) = match format {
            None => (Layouts::FoundOut(options), Grammar::Uri),
            Some(format) => {
                let layout = Layout::new(format, &options)?;
                let grammar = layout.grammar();
                (Layouts::Known(layout), grammar)
            }
        };
        let grammar = given.grammar.as_deref().map(|name| named("grammar", name)).transpose()?;
        let mut validator = Validator::new(grammar.unwrap_or(own_grammar));
        if given.zone_ids == Some(true) {
            validator = validator.with_zone_ids()?;
        }
        let threads = given.threads.unwrap_or_default();
        if threads > MOST_THREADS {
            return Err(Failure(format!("threads is {threads}: at most {MOST_THREADS} are possible")));
        }
        let threads = usize::try_from(threads)
            .map_err(|_| Failure(format!("threads is {threads}: it cannot be negative")))?;
        Ok(Reading {
            validator,
            layout,
            trim: given.trim.unwrap_or_default(),
            threads,
            knows_grammar: grammar.is_some() || format.is_some(),
            chunk_scanners: Mutex::default(),
        })
    }

    /// The grammar of the records, or that of lists.
    pub(super) fn grammar(&self) -> Grammar {
        self.validator.grammar()
    }

    /// A scanner that reads like this. It maps no files: for that it would have to handle a signal of the process, which is not ours.
    pub(super) fn scanner(&self) -> Scanner {
        let scanner = Scanner::new().threads(self.threads).trim(self.trim);
        let scanner = scanner.chunk_size(CHUNK_SIZE).chunk_lines(CHUNK_LINES);
        match &self.layout {
            Layouts::Known(layout) => scanner.layout(layout.clone()),
            Layouts::FoundOut(options) => scanner.detect_format(options.clone()),
        }
    }

    /// Scans a chunk for these columns, and hands over the result.
    pub(super) fn scan<T>(
        &self,
        chunk: &Chunk<'_>,
        columns: Columns,
        take: impl FnOnce(&Scanned<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let validator =
            if self.knows_grammar { self.validator } else { chunk.layout().validator(self.validator) };
        let spare = self.chunk_scanners.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut chunk_scanner = spare.unwrap_or_default();
        let taken = take(&chunk_scanner.scan(chunk, &validator, columns)?);
        self.chunk_scanners.lock().unwrap_or_else(PoisonError::into_inner).push(chunk_scanner);
        taken
    }
}

/// The format of this name, if it is not to be found out.
fn format(name: &str) -> Result<Option<Format>, Failure> {
    let formats = Format::ALL.iter().copied().filter(|&format| format != Format::Regex).map(Some);
    let formats: Vec<_> = iter::once(None).chain(formats).collect();
    let name_of = |format: Option<Format>| format.map_or("auto", |format| format.name());
    let found = formats.iter().find(|&&format| name_of(format) == name);
    found.copied().ok_or_else(|| {
        let names: Vec<_> = formats.iter().map(|&format| name_of(format)).collect();
        unknown("format", name, &names)
    })
}
