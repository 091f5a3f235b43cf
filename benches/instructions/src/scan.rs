//! What is counted: scans of the first lines of a list.

use urivalidate::{Backend, Batch, Columns, Grammar, Validator};

/// The number of bytes that are looked at: to count an instruction takes a microsecond.
const SIZE: usize = 32 << 10;

/// The first whole lines of a list.
pub(crate) fn lines(path: &str) -> Vec<u8> {
    let mut list = std::fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    list.truncate(SIZE);
    let end = list.iter().rposition(|&byte| byte == b'\n').expect("a line end");
    list.truncate(end + 1);
    list
}

/// The columns that can be asked for, by name.
pub(crate) const COLUMNS: [(&str, Columns); 3] =
    [("none", Columns::NONE), ("records", Columns::RECORDS), ("all", Columns::ALL)];

/// A scan that can be run again and again.
pub(crate) struct Scan<'a> {
    lines: &'a [u8],
    validator: Validator,
    columns: Columns,
    batch: Batch,
}

impl<'a> Scan<'a> {
    /// # Panics
    ///
    /// If this machine has no such backend, or if there are no such columns.
    pub(crate) fn new(lines: &'a [u8], backend: &str, columns: &str) -> Self {
        let backend = Backend::ALL.iter().find(|known| known.name() == backend).expect("a backend");
        let validator =
            Validator::new(Grammar::Uri).with_backend(*backend).expect("a backend of this machine");
        let (_, columns) = COLUMNS.iter().find(|(name, _)| *name == columns).expect("columns");
        Scan { lines, validator, columns: *columns, batch: Batch::new() }
    }

    pub(crate) fn run(&mut self) {
        self.validator.scan(self.lines, self.columns, &mut self.batch).expect("the list is short");
    }
}
