//! The scans whose instructions are counted. They scan the first lines of a list.

use urivalidate::{Backend, Batch, Columns, Grammar, Validator};

/// The number of bytes to scan. It is small, because counting an instruction takes a microsecond.
const SIZE: usize = 32 << 10;

/// The first whole lines of a list.
pub(crate) fn lines(path: &str) -> Vec<u8> {
    let mut list = std::fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    list.truncate(SIZE);
    let end = list.iter().rposition(|&byte| byte == b'\n').expect("a line end");
    list.truncate(end + 1);
    list
}

/// The columns that a scan can request, with their names.
pub(crate) const COLUMNS: [(&str, Columns); 3] =
    [("none", Columns::NONE), ("records", Columns::RECORDS), ("all", Columns::ALL)];

/// A scan that can run repeatedly.
pub(crate) struct Scan<'a> {
    lines: &'a [u8],
    validator: Validator,
    columns: Columns,
    batch: Batch,
}

impl<'a> Scan<'a> {
    /// # Panics
    ///
    /// If this machine does not have the backend, or if no columns have this name.
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
