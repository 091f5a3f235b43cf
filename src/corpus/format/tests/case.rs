//! A scan of an input by every size of chunk, and the result.

use std::ops::ControlFlow;

use crate::column::Columns;
use crate::corpus::format::{FieldSelector, Format, Layout, LayoutOptions, Malformed};
use crate::corpus::{ChunkScanner, Scanned, Scanner};
use crate::corpus::{MissingKey, WantedLines};
use crate::validator::Validator;

/// The result of a scan of an input. Lines and columns are counted from 1.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Extracted {
    /// Line, column of the record's first byte, record.
    pub(crate) records: Vec<(u64, u64, String)>,
    /// The whole lines of the records.
    pub(crate) lines: Vec<u8>,
    pub(crate) sentinels: u64,
    pub(crate) without_key: u64,
    /// The error of an input of which no line has the key.
    pub(crate) missing_key: Option<String>,
    pub(crate) headers: u64,
    /// Line, length, reason.
    pub(crate) malformed: Vec<(u64, u64, Malformed)>,
    pub(crate) malformed_columns: Vec<u64>,
    /// The lines of valid records, of invalid ones, and the others.
    pub(crate) valid: Vec<u8>,
    /// The lines of valid records, without the trimmed bytes.
    pub(crate) trimmed: Vec<u8>,
    pub(crate) invalid: Vec<u8>,
    pub(crate) rest: Vec<u8>,
    /// Line and column of the offending byte, under the layout's grammar.
    pub(crate) errors: Vec<(u64, u64)>,
    pub(crate) count: u64,
}

pub(crate) struct Case {
    pub(crate) layout: Layout,
    pub(crate) trim: bool,
    pub(crate) max_record: usize,
    /// Whether the scanner has to detect the format itself.
    pub(crate) is_detected: bool,
    #[cfg_attr(not(feature = "rayon"), expect(dead_code, reason = "there is one only"))]
    pub(crate) threads: usize,
    /// The most records of a piece, if chunks are scanned in pieces.
    pub(crate) piece_records: Option<usize>,
}

impl Case {
    pub(crate) fn new(layout: Layout) -> Self {
        let max_record = Scanner::DEFAULT_MAX_RECORD;
        Case { layout, trim: false, max_record, is_detected: false, threads: 1, piece_records: None }
    }

    pub(crate) fn extract_with(
        &self,
        input: &[u8],
        chunk_size: usize,
        is_read: bool,
    ) -> std::io::Result<Extracted> {
        let validator = Validator::new(self.layout.grammar());
        let scanner = Scanner::new().chunk_size(chunk_size).max_record(self.max_record).trim(self.trim);
        let scanner = if self.is_detected {
            scanner.detect_format(LayoutOptions::default())
        } else {
            scanner.layout(self.layout.clone())
        };
        #[cfg(feature = "rayon")]
        let scanner = scanner.threads(self.threads);
        let scanner = match self.piece_records {
            Some(records) => scanner.chunk_lines(records),
            None => scanner,
        };
        let job = |chunk: &crate::corpus::Chunk<'_>| {
            let mut chunk_scanner = ChunkScanner::default();
            let mut found = Extracted::default();
            let Some(records) = self.piece_records else {
                self.take(
                    &chunk_scanner.scan(chunk, &validator, Columns::ALL).unwrap(),
                    &validator,
                    &mut found,
                );
                return found;
            };
            let flow = chunk_scanner.scan_pieces(chunk, &validator, Columns::ALL, |scanned| {
                let places = scanned.len() + scanned.malformed().len();
                assert!(places <= records || !scanned.has_several_a_line(), "{places}");
                self.take(scanned, &validator, &mut found);
                ControlFlow::<()>::Continue(())
            });
            assert!(flow.unwrap().is_continue());
            found
        };
        let mut all = Extracted::default();
        let sink = |mut next: Extracted| {
            let before = all.count;
            all.records
                .extend(next.records.drain(..).map(|(line, column, text)| (before + line, column, text)));
            all.lines.append(&mut next.lines);
            all.sentinels += next.sentinels;
            all.without_key += next.without_key;
            let malformed = next.malformed.drain(..);
            all.malformed.extend(malformed.map(|(line, length, reason)| (before + line, length, reason)));
            all.malformed_columns.append(&mut next.malformed_columns);
            all.headers += next.headers;
            all.valid.append(&mut next.valid);
            all.trimmed.append(&mut next.trimmed);
            all.invalid.append(&mut next.invalid);
            all.rest.append(&mut next.rest);
            all.errors.extend(next.errors.drain(..).map(|(line, column)| (before + line, column)));
            all.count += next.count;
            ControlFlow::<()>::Continue(())
        };
        let scan = if is_read {
            scanner.scan_reader(input, job, sink)
        } else {
            scanner.scan_slice(input, job, sink)
        };
        match scan {
            Err(error) if error.get_ref().is_some_and(|inner| inner.is::<MissingKey>()) => {
                all.missing_key = Some(error.to_string())
            }
            scan => drop(scan?),
        }
        Ok(all)
    }

    /// Adds what a scan says about its records and lines.
    fn take(&self, scanned: &Scanned<'_>, validator: &Validator, found: &mut Extracted) {
        found.sentinels += scanned.sentinels();
        found.without_key += scanned.without_key();
        found.headers += scanned.headers();
        found.count += scanned.lines();
        for index in 0..scanned.len() {
            let text = scanned.record(index).unwrap().escape_ascii().to_string();
            let (line, column) = (scanned.line_number(index).unwrap(), scanned.start_column(index).unwrap());
            found.records.push((line + 1, column, text));
            found.lines.extend_from_slice(scanned.line(index).unwrap());
            let one_by_one = validator.parse(scanned.record(index).unwrap());
            assert_eq!(scanned.verdict(index).unwrap(), one_by_one, "at once and one by one");
            assert_eq!(scanned.start_column(index), scanned.error_column(index, 0), "{index}");
            if let Err(error) = one_by_one {
                let column = scanned.error_column(index, error.offset()).unwrap();
                found.errors.push((line + 1, column));
            }
        }
        let malformed = scanned.malformed().iter();
        found.malformed.extend(malformed.map(|line| (line.line + 1, line.length, line.reason)));
        found.malformed_columns.extend(scanned.malformed().iter().map(|line| line.column));
        scanned.copy_lines(WantedLines::Valid, &mut found.valid);
        scanned.copy_lines(WantedLines::TrimmedValid, &mut found.trimmed);
        assert!(self.trim || found.trimmed == found.valid);
        scanned.copy_lines(WantedLines::Invalid(&|_, _| true), &mut found.invalid);
        scanned.copy_lines(WantedLines::Other, &mut found.rest);
    }

    /// The result of a scan of an input, which must not depend on how it is cut.
    #[track_caller]
    pub(crate) fn run(&self, input: impl AsRef<[u8]>) -> Extracted {
        let input = input.as_ref();
        let expected = self.extract_with(input, 1 << 20, false).unwrap();
        for chunk_size in [1, 2, 7, 40, 100, 333] {
            assert_eq!(
                self.extract_with(input, chunk_size, false).unwrap(),
                expected,
                "slice by {chunk_size}"
            );
            assert_eq!(self.extract_with(input, chunk_size, true).unwrap(), expected, "read by {chunk_size}");
        }
        for (threads, chunk_size) in [(2, 40), (8, 7)] {
            let case = Case { layout: self.layout.clone(), threads, ..*self };
            assert_eq!(case.extract_with(input, chunk_size, true).unwrap(), expected, "on {threads} threads");
        }
        for (records, chunk_size) in [(1, 1 << 20), (3, 100), (7, 1 << 20)] {
            let case = Case { layout: self.layout.clone(), piece_records: Some(records), ..*self };
            let found = case.extract_with(input, chunk_size, true).unwrap();
            assert_eq!(found, expected, "pieces of {records} records");
        }
        expected
    }

    #[track_caller]
    pub(crate) fn detected(self, input: impl AsRef<[u8]>) -> Self {
        assert_eq!(Format::detect(input.as_ref()), self.layout.format());
        Case { is_detected: true, ..self }
    }
}

pub(crate) fn case(format: Format) -> Case {
    Case::new(Layout::new(format, &LayoutOptions::default()).unwrap())
}

pub(crate) fn field(format: Format, name: &str) -> Case {
    Case::new(Layout::new(format, &FieldSelector::Field(name.to_owned()).into()).unwrap())
}

pub(crate) fn key(format: Format, name: &str) -> Case {
    Case::new(Layout::new(format, &FieldSelector::Key(name.to_owned()).into()).unwrap())
}

/// The lines that do not fit, and why.
pub(crate) fn reasons(found: &Extracted) -> Vec<(u64, Malformed)> {
    found.malformed.iter().map(|&(line, _, reason)| (line, reason)).collect()
}

pub(crate) fn texts(found: &Extracted) -> Vec<&str> {
    found.records.iter().map(|(_, _, text)| text.as_str()).collect()
}
