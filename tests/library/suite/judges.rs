//! Judges records with the parser, with the verdict on single records, and with the scans of all backends.
//! Each must agree with the oracle.

use urivalidate::{Backend, Batch, Component, Components, Error, Validator};

use crate::agreement;
use crate::oracle::Oracle;

/// The number of bytes that are scanned at once. It is small, so that a batch passes no record to the parser
/// only because the kernel could not judge the records before it.
const SCANNED: usize = 8 << 10;

/// All judges of one grammar.
pub(super) struct Judges {
    oracle: &'static Oracle,
    backends: Vec<Validator>,
    lines: Gathered,
    /// Records that cannot be lines. They are scanned separately, since a scan passes their neighbours to the
    /// parser, too.
    others: Gathered,
    batch: Batch,
    records: u64,
}

/// Records that have been parsed and not yet scanned.
#[derive(Default)]
struct Gathered {
    offsets: Vec<u32>,
    values: Vec<u8>,
    verdicts: Vec<Result<Components, Error>>,
}

impl Judges {
    pub(super) fn new(oracle: &'static Oracle) -> Self {
        let backends = Backend::ALL.iter().filter_map(|&backend| oracle.validator.with_backend(backend).ok());
        Judges {
            oracle,
            backends: backends.collect(),
            lines: Gathered::default(),
            others: Gathered::default(),
            batch: Batch::new(),
            records: 0,
        }
    }

    /// The number of backends.
    pub(super) fn backends(&self) -> usize {
        self.backends.len()
    }

    /// Judges the records that start with these bytes and end with each of the suffixes.
    pub(super) fn judge_each(&mut self, access: &[u8], middle: &[u8], suffixes: &[Vec<u8>]) {
        for suffix in suffixes {
            self.judge(&[access, middle, suffix].concat());
        }
    }

    fn judge(&mut self, record: &[u8]) {
        self.records += 1;
        agreement::check(self.oracle, record);
        let verdict = self.oracle.validator.parse(record);
        for backend in &self.backends {
            assert_eq!(
                backend.is_valid(record),
                verdict.is_ok(),
                "is_valid of {:?} by {backend:?}",
                record.escape_ascii().to_string()
            );
        }
        let is_line = !record.contains(&b'\n') && !record.ends_with(b"\r");
        let gathered = if is_line { &mut self.lines } else { &mut self.others };
        gathered.add(record, verdict);
        if gathered.values.len() >= SCANNED {
            gathered.scan(&self.backends, &mut self.batch);
        }
    }

    /// Scans the remaining records, and returns the number of records since the last call.
    pub(super) fn finish(&mut self) -> u64 {
        self.lines.scan(&self.backends, &mut self.batch);
        self.others.scan(&self.backends, &mut self.batch);
        std::mem::take(&mut self.records)
    }
}

impl Gathered {
    fn add(&mut self, record: &[u8], verdict: Result<Components, Error>) {
        if self.offsets.is_empty() {
            self.offsets.push(0);
        }
        self.values.extend_from_slice(record);
        self.offsets.push(self.values.len() as u32);
        self.verdicts.push(verdict);
    }

    /// Scans the records with every backend, and removes them.
    fn scan(&mut self, backends: &[Validator], batch: &mut Batch) {
        for validator in backends {
            let rows = validator.rows_of_ranges(&self.offsets, &self.values, None, batch).unwrap();
            assert_eq!(rows.len(), self.verdicts.len());
            for (row, verdict) in rows.iter().zip(&self.verdicts) {
                let range = self.offsets[row.index()] as usize..self.offsets[row.index() + 1] as usize;
                let context = || {
                    format!("{:?} by {validator:?}", self.values[range.clone()].escape_ascii().to_string())
                };
                assert_eq!(row.range(), range, "the range of {}", context());
                assert_eq!(row.is_valid(), verdict.is_ok(), "the verdict of {}", context());
                for &component in Component::ALL {
                    let expected = verdict.ok().and_then(|components| components.get(component));
                    let expected = expected.map(|place| range.start + place.start..range.start + place.end);
                    assert_eq!(row.range_of(component), expected, "the {component} of {}", context());
                }
            }
            let errors =
                self.verdicts.iter().enumerate().filter_map(|(index, verdict)| {
                    verdict.as_ref().err().map(|&error| (index as u32, error))
                });
            let found = batch.invalid().iter().map(|invalid| (invalid.index, invalid.error));
            assert!(found.eq(errors), "the errors of {validator:?}");
        }
        self.offsets.clear();
        self.values.clear();
        self.verdicts.clear();
    }
}
