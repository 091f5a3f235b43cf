//! The expected result of a scan, built record by record with [`Validator::parse`], and its comparison with
//! real scans.

use std::ops::Range;
use std::sync::LazyLock;

use urivalidate::{Backend, Batch, Column, Columns, Component, Components, Error, Grammar, Validator};

/// Returns a validator for every grammar, and another with zone identifiers for each grammar that supports
/// them.
pub(crate) fn validators() -> &'static [Validator] {
    static ALL: LazyLock<Vec<Validator>> = LazyLock::new(|| {
        let without_zones = Grammar::ALL.iter().map(|&grammar| Validator::new(grammar));
        let zoned = without_zones.clone().filter_map(|validator| validator.with_zone_ids().ok());
        without_zones.chain(zoned).collect()
    });
    &ALL
}

/// Returns the backends of this machine.
pub(crate) fn backends() -> &'static [Backend] {
    static ALL: LazyLock<Vec<Backend>> =
        LazyLock::new(|| Backend::ALL.iter().copied().filter(|backend| backend.is_available()).collect());
    &ALL
}

/// The column sets for which the kernels collect different columns.
const COLUMNS: [Columns; 3] = [Columns::ALL, Columns::RECORDS, Columns::NONE];

/// Returns the records of a buffer of lines, as the documentation of [`Validator::scan`] defines them.
pub(crate) fn line_ranges(buffer: &[u8]) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    for (at, _) in buffer.iter().enumerate().filter(|&(_, &byte)| byte == b'\n') {
        let line = &buffer[start..at];
        ranges.push(start..start + line.strip_suffix(b"\r").unwrap_or(line).len());
        start = at + 1;
    }
    if start < buffer.len() {
        ranges.push(start..buffer.len());
    }
    ranges
}

/// The expected result of all scans of the same records.
#[derive(Default)]
struct Expected {
    columns: [Vec<u32>; Column::ALL.len()],
    validity: Vec<u64>,
    invalid: Vec<(u32, u32, u32, Error)>,
}

impl Expected {
    fn new(validator: Validator, records: &[Range<usize>], bytes: &[u8]) -> Self {
        let mut expected = Expected { validity: vec![0; records.len().div_ceil(64)], ..Expected::default() };
        for (i, record) in records.iter().enumerate() {
            let parsed = validator.parse(&bytes[record.clone()]);
            for (&column, offsets) in Column::ALL.iter().zip(&mut expected.columns) {
                let offset = match column {
                    Column::Start => Some(0),
                    Column::End => Some(record.len()),
                    _ => parsed.ok().and_then(|components| offset(&components, column)),
                };
                offsets.push(offset.map_or(Batch::ABSENT, |offset| (record.start + offset) as u32));
            }
            match parsed {
                Ok(_) => expected.validity[i / 64] |= 1 << (i % 64),
                Err(error) => {
                    expected.invalid.push((i as u32, record.start as u32, record.end as u32, error))
                }
            }
        }
        expected
    }

    /// Returns the first difference between a batch with these columns and the expected one.
    fn difference(&self, batch: &Batch, records: usize, columns: Columns) -> Option<String> {
        if batch.columns() != columns || batch.len() != records || batch.is_empty() != (records == 0) {
            return Some(format!("{:?} of {} records", batch.columns(), batch.len()));
        }
        for (&column, expected) in Column::ALL.iter().zip(&self.columns) {
            let expected: &[u32] = if columns.contains(column) { expected } else { &[] };
            let found = batch.column(column).unwrap_or_default();
            if found != expected {
                let at = found.iter().zip(expected).position(|(found, expected)| found != expected);
                let at = at.unwrap_or(found.len().min(expected.len()));
                let (found, expected) = (found.get(at), expected.get(at));
                return Some(format!("{column} of record {at} is {found:?} and should be {expected:?}"));
            }
        }
        if batch.validity() != self.validity || batch.valid_count() != records - self.invalid.len() {
            return Some(format!("{:x?} should be {:x?}", batch.validity(), self.validity));
        }
        let invalid =
            batch.invalid().iter().map(|record| (record.index, record.start, record.end, record.error));
        if !invalid.clone().eq(self.invalid.iter().copied()) {
            let found: Vec<_> = invalid.collect();
            return Some(format!("{found:?} should be {:?}", self.invalid));
        }
        None
    }
}

/// Returns the expected offset of a column of a valid record, from the record's start.
fn offset(components: &Components, column: Column) -> Option<usize> {
    match column {
        Column::SchemeEnd => components.scheme().map(|scheme| scheme.end),
        Column::AuthorityStart => components.authority().map(|authority| authority.start),
        Column::UserinfoEnd => components.userinfo().map(|userinfo| userinfo.end),
        Column::HostStart => components.host().map(|host| host.start),
        Column::HostEnd => components.host().map(|host| host.end),
        Column::PortStart => components.port().map(|port| port.start),
        Column::PathStart => components.path().map(|path| path.start),
        Column::PathEnd => components.path().map(|path| path.end),
        Column::QueryEnd => Some(components.scheme_specific_part().end),
        other => panic!("{other} is not known here"),
    }
}

/// Compares scans, and verdicts on single records, with the expected results.
#[derive(Default)]
pub(crate) struct Checker {
    batch: Batch,
}

impl Checker {
    /// Compares the scans of a buffer of lines, for every grammar and every backend.
    pub(crate) fn lines(&mut self, buffer: &[u8]) {
        self.lines_into(buffer, &COLUMNS);
    }

    /// Compares the scans of a buffer of lines for these sets of columns.
    pub(crate) fn lines_into(&mut self, buffer: &[u8], columns: &[Columns]) {
        let records = line_ranges(buffer);
        self.check(&records, buffer, columns, |validator, columns, batch| {
            validator.scan(buffer, columns, batch).unwrap();
        });
    }

    /// Compares the scans of records without separators, whose ranges in `values` `offsets` gives.
    pub(crate) fn ranges(&mut self, offsets: &[u32], values: &[u8]) {
        let records: Vec<_> = offsets.windows(2).map(|pair| pair[0] as usize..pair[1] as usize).collect();
        self.check(&records, values, &COLUMNS, |validator, columns, batch| {
            validator.scan_ranges(offsets, values, None, columns, batch).unwrap();
        });
    }

    fn check(
        &mut self,
        records: &[Range<usize>],
        bytes: &[u8],
        columns: &[Columns],
        scan: impl Fn(Validator, Columns, &mut Batch),
    ) {
        for &validator in validators() {
            let expected = Expected::new(validator, records, bytes);
            for &backend in backends() {
                let validator = validator.with_backend(backend).unwrap();
                for (i, record) in records.iter().enumerate() {
                    let record = &bytes[record.clone()];
                    let is_valid = expected.validity[i / 64] >> (i % 64) & 1 == 1;
                    assert_eq!(validator.is_valid(record), is_valid, "{validator:?}: {}", excerpt(record));
                }
                for &columns in columns {
                    // A batch remembers where kernels did not help, and the next scan would skip them.
                    self.batch = Batch::new();
                    scan(validator, columns, &mut self.batch);
                    if let Some(difference) = expected.difference(&self.batch, records.len(), columns) {
                        panic!("{validator:?}, {columns:?}: {difference}, in {}", excerpt(bytes));
                    }
                }
            }
        }
    }

    /// Compares the rows of a scan, and their counts, with the components of each record.
    pub(crate) fn rows(&mut self, buffer: &[u8]) {
        let records = line_ranges(buffer);
        for &validator in validators() {
            for &backend in backends() {
                let validator = validator.with_backend(backend).unwrap();
                let rows = validator.rows(buffer, &mut self.batch).unwrap();
                let mut counts = [0; Component::ALL.len()];
                assert_eq!(rows.iter().len(), records.len());
                for ((index, row), record) in rows.iter().enumerate().zip(&records) {
                    let bytes = &buffer[record.clone()];
                    let context = || format!("{} by {validator:?}", bytes.escape_ascii());
                    let parsed = validator.parse(bytes);
                    assert_eq!(
                        (row.index(), row.range(), row.bytes()),
                        (index, record.clone(), bytes),
                        "{}",
                        context()
                    );
                    assert_eq!(row.is_valid(), parsed.is_ok(), "{}", context());
                    assert_eq!(row.verdict(), Some(parsed), "{}", context());
                    for (&component, count) in Component::ALL.iter().zip(&mut counts) {
                        let range = parsed.ok().and_then(|components| components.get(component));
                        let range = range.map(|range| record.start + range.start..record.start + range.end);
                        assert_eq!(row.range_of(component), range, "the {component} of {}", context());
                        *count += u64::from(
                            range.is_some_and(|range| component != Component::Path || !range.is_empty()),
                        );
                    }
                }
                let found = rows.batch().component_counts().unwrap();
                let found: Vec<_> = Component::ALL.iter().map(|&component| found.get(component)).collect();
                assert_eq!(found, counts, "{validator:?}, in {}", excerpt(buffer));
            }
        }
    }
}

/// Returns a buffer as text, or its start if it is long.
fn excerpt(bytes: &[u8]) -> String {
    const MANY: usize = 2000;
    let more = if bytes.len() > MANY { "..." } else { "" };
    format!("{} bytes: {}{more}", bytes.len(), bytes[..bytes.len().min(MANY)].escape_ascii())
}
