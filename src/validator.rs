//! A grammar with its options: the library's entry point for single records.

use core::fmt;
use core::ops::Range;

use crate::batch::Batch;
use crate::column::{Columns, ColumnsMissing};
use crate::components::Components;
use crate::error::Error;
use crate::grammar::{Grammar, Rules};
use crate::part::Part;
use crate::record::{Record, RecordText};
use crate::request::Request;
use crate::rows::Rows;
use crate::scan::{self, Nulls, Offset};
use crate::simd::{self, Available, Backend};
use crate::unsupported::Unsupported;

/// Judges `record`, bytes or text, by `grammar`, and returns the places of its components.
///
/// A record is judged unchanged: no line end is dropped, no white space trimmed. The function never panics,
/// never allocates, and takes time linear in the record's length.
///
/// # Errors
///
/// Returns the record's first error if it does not match the grammar; see [`Error::offset`].
pub fn parse(grammar: Grammar, record: impl AsRef<[u8]>) -> Result<Components, Error> {
    Validator::new(grammar).parse(record)
}

/// Returns true if `record`, bytes or text, matches `grammar`.
///
/// ```
/// use urivalidate::{Grammar, is_valid};
///
/// let mut urls = vec![String::from("http://example.com/"), String::from("http://example.com/a b")];
/// urls.retain(|url| is_valid(Grammar::Uri, url));
/// assert_eq!(urls, ["http://example.com/"]);
/// ```
pub fn is_valid(grammar: Grammar, record: impl AsRef<[u8]>) -> bool {
    Validator::new(grammar).is_valid(record)
}

/// A grammar, with its options.
///
/// ```
/// use urivalidate::{Grammar, Validator};
///
/// let zoned = b"http://[fe80::1%25en0]/";
/// assert!(!Validator::new(Grammar::Uri).is_valid(zoned));
/// assert!(Validator::new(Grammar::Uri).with_zone_ids()?.is_valid(zoned));
/// # Ok::<(), urivalidate::Unsupported>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Validator {
    rules: Rules,
    backend: Option<Available>,
}

impl Validator {
    /// Returns a validator for this grammar, without options.
    pub const fn new(grammar: Grammar) -> Self {
        Validator { rules: Rules::new(grammar), backend: None }
    }

    /// Also accepts the zone identifiers of RFC 6874 in IPv6 addresses (`[fe80::1%25en0]`). RFC 9844 made them
    /// obsolete: URIs have no syntax for zones any more.
    ///
    /// # Errors
    ///
    /// Returns an error unless the grammar is one of RFC 3986: no other grammar supports zone identifiers.
    pub const fn with_zone_ids(self) -> Result<Self, Unsupported> {
        match self.rules.with_zone_ids() {
            Some(rules) => Ok(Validator { rules, ..self }),
            None => Err(Unsupported::zone_ids(self.rules.grammar())),
        }
    }

    /// Returns a validator for another grammar, without options, on the same backend.
    #[must_use]
    pub const fn with_grammar(self, grammar: Grammar) -> Self {
        Validator { rules: Rules::new(grammar), ..self }
    }

    /// Finds a part in some records of a batch, by the validator's backend. Sets two offsets per record, in
    /// the scanned buffer: the start and the end of the part. Both are [`Batch::ABSENT`] if it is absent.
    /// Returns true if no record has the part.
    ///
    /// # Errors
    ///
    /// Returns an error if the scan did not fill the part's [columns](Part::columns).
    ///
    /// # Panics
    ///
    /// Panics if the batch lacks a record, or if there are fewer starts or ends than records.
    pub fn find_part(
        &self,
        part: Part,
        batch: &Batch,
        records: Range<usize>,
        starts: &mut [u32],
        ends: &mut [u32],
    ) -> Result<bool, ColumnsMissing> {
        batch.find_part(self.available_backend(), part, records, starts, ends)
    }

    /// Scans with this backend instead of the machine's best.
    ///
    /// # Errors
    ///
    /// Returns an error if this machine does not support the backend.
    pub fn with_backend(self, backend: Backend) -> Result<Self, Unsupported> {
        match Available::new(backend) {
            Some(available) => Ok(Validator { backend: Some(available), ..self }),
            None => Err(Unsupported::backend(backend)),
        }
    }

    /// Returns the backend that scans use.
    pub fn backend(&self) -> Backend {
        self.available_backend().backend()
    }

    pub(crate) fn available_backend(&self) -> Available {
        self.backend.unwrap_or_else(Available::best)
    }

    /// Returns the validator that filled this batch.
    #[cfg(feature = "corpus")]
    pub(crate) fn of(batch: &Batch) -> Self {
        Validator { rules: batch.rules, backend: Some(batch.backend) }
    }

    pub(crate) const fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the grammar that judges records.
    pub const fn grammar(&self) -> Grammar {
        self.rules.grammar()
    }

    /// Returns true if the validator accepts RFC 6874 zone identifiers.
    pub const fn zone_ids(&self) -> bool {
        self.rules.zone_ids()
    }

    /// Returns a valid record with its components, as one value.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`parse`](crate::parse).
    pub fn record<T: RecordText>(&self, text: T) -> Result<Record<T>, Error> {
        self.parse(text.as_record_bytes()).map(|components| Record::new(text, components))
    }

    /// Judges one record, as the function [`parse`](crate::parse) does.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`parse`](crate::parse).
    pub fn parse(&self, record: impl AsRef<[u8]>) -> Result<Components, Error> {
        self.rules.parse(record.as_ref())
    }

    /// Returns true if `record` is valid. Faster than [`parse`](Self::parse), for filters before slower work.
    pub fn is_valid(&self, record: impl AsRef<[u8]>) -> bool {
        self.is_valid_record(record.as_ref())
    }

    fn is_valid_record(&self, record: &[u8]) -> bool {
        /// A shorter record takes less time to parse.
        const SHORT: usize = 16;

        // A record that the kernel does not accept may still be valid.
        let is_accepted = (SHORT..=Batch::MAX_BYTES).contains(&record.len())
            && simd::accepts(self.available_backend(), self.grammar(), record);
        is_accepted || self.rules.is_valid(record)
    }

    /// Judges all records of a buffer at once, and fills the columns of `request`. Replaces the former
    /// contents of `batch`.
    ///
    /// Records end at LF. A CR right before the LF is not part of them. A last record without LF counts. An
    /// empty line is an empty record. The offsets of the columns are relative to the buffer. The best size of
    /// a buffer is some hundred KiB to a few MiB.
    ///
    /// ```
    /// use urivalidate::{Batch, Column, Columns, Grammar, Validator};
    ///
    /// let buffer = b"http://example.com/\nmailto:a@b\nno scheme\n";
    /// let mut batch = Batch::new();
    /// Validator::new(Grammar::Uri).scan(buffer, Columns::ALL, &mut batch)?;
    ///
    /// assert_eq!(batch.validity(), [0b011]);
    /// assert_eq!(batch.column(Column::SchemeEnd).unwrap(), [4, 26, Batch::ABSENT]);
    /// assert_eq!(batch.column(Column::HostEnd).unwrap(), [18, Batch::ABSENT, Batch::ABSENT]);
    /// assert_eq!(batch.invalid()[0].error.offset(), 2);
    /// # Ok::<(), urivalidate::ScanError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the buffer is too large for offsets of 32 bits.
    pub fn scan<'a>(
        &self,
        buffer: &[u8],
        request: impl Into<Request>,
        batch: &'a mut Batch,
    ) -> Result<&'a Batch, ScanError> {
        if buffer.len() > Batch::MAX_BYTES {
            return Err(ScanError::BufferTooLarge);
        }
        scan::scan_lines(self.rules, self.available_backend(), buffer, request.into(), batch);
        Ok(batch)
    }

    /// Judges all records of a buffer at once, as [`scan`](Self::scan) does with all columns, for callers who
    /// need one record after the other.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`scan`](Self::scan).
    pub fn rows<'a>(&self, buffer: &'a [u8], batch: &'a mut Batch) -> Result<Rows<'a>, ScanError> {
        let batch = self.scan(buffer, Columns::ALL, batch)?;
        Ok(Rows::new(batch, buffer).expect("it has all columns"))
    }

    /// Judges records without separators: record `i` is `values[offsets[i]..offsets[i + 1]]`, as in an Arrow
    /// array of strings. `nulls` marks the null records. Records may contain any bytes.
    ///
    /// The offsets of the columns are relative to the values. A null record counts as a record and has a
    /// place in all columns, [`Batch::ABSENT`] in each. It is neither valid nor invalid.
    ///
    /// ```
    /// use urivalidate::{Batch, Column, Grammar, Nulls, Validator};
    ///
    /// let mut batch = Batch::new();
    /// let validator = Validator::new(Grammar::Uri);
    /// let (offsets, values) = ([0i32, 12, 17, 17], b"http://a.b/ca:b c");
    /// let nulls = Some(Nulls::new(&[0b011], 0));
    /// validator.scan_ranges(&offsets, values, nulls, Column::PathStart, &mut batch)?;
    /// assert_eq!(batch.validity(), [0b001]);
    /// assert_eq!((batch.valid_count(), batch.invalid().len(), batch.null_count()), (1, 1, 1));
    /// assert_eq!(batch.column(Column::PathStart).unwrap(), [10, Batch::ABSENT, Batch::ABSENT]);
    /// # Ok::<(), urivalidate::ScanError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the offsets decrease or exceed the values, if the last offset is 2^32 - 1 or more,
    /// or if `nulls` has fewer bits than records.
    pub fn scan_ranges<'a, O: Offset>(
        &self,
        offsets: &[O],
        values: &[u8],
        nulls: Option<Nulls<'_>>,
        request: impl Into<Request>,
        batch: &'a mut Batch,
    ) -> Result<&'a Batch, ScanError> {
        let end = scan::end_of(offsets, values).ok_or(ScanError::OffsetsOutOfOrder)?;
        if end > Batch::MAX_BYTES {
            return Err(ScanError::BufferTooLarge);
        }
        if nulls.is_some_and(|nulls| !nulls.covers(offsets.len().saturating_sub(1))) {
            return Err(ScanError::NullsTooShort);
        }
        scan::scan_ranges(
            self.rules,
            self.available_backend(),
            offsets,
            values,
            nulls,
            request.into(),
            batch,
        );
        Ok(batch)
    }

    /// Judges records without separators, as [`scan_ranges`](Self::scan_ranges) does with all columns, for
    /// callers who need one record after the other.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`scan_ranges`](Self::scan_ranges).
    pub fn rows_of_ranges<'a, O: Offset>(
        &self,
        offsets: &[O],
        values: &'a [u8],
        nulls: Option<Nulls<'_>>,
        batch: &'a mut Batch,
    ) -> Result<Rows<'a>, ScanError> {
        let batch = self.scan_ranges(offsets, values, nulls, Columns::ALL, batch)?;
        Ok(Rows::new(batch, values).expect("it has all columns"))
    }
}

/// The reason why a buffer cannot be scanned at all. The errors of its records are in [`Batch::invalid`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ScanError {
    /// The buffer has 2^32 - 1 bytes or more, or an offset is that large.
    BufferTooLarge,
    /// An offset is negative, less than the one before, or beyond the values.
    OffsetsOutOfOrder,
    /// The null bitmap has fewer bits than there are records.
    NullsTooShort,
}

impl fmt::Display for ScanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ScanError::BufferTooLarge => "the buffer has 2^32 - 1 bytes or more",
            ScanError::OffsetsOutOfOrder => {
                "an offset is negative, less than the one before, or beyond the values"
            }
            ScanError::NullsTooShort => "the null bitmap has fewer bits than there are records",
        })
    }
}

impl core::error::Error for ScanError {}
