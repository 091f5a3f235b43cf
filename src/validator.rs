//! A grammar with its options: the library's entry point for single records.

use core::fmt;

use crate::batch::{Batch, Columns};
use crate::bulk;
use crate::components::Components;
use crate::error::Error;
use crate::grammar::{self, Grammar};
use crate::simd::{self, Available, Backend, BackendUnavailable};

/// Judges `record` by `grammar` and says where its components lie.
///
/// A record is taken as it is: no line end is dropped, no white space trimmed. It never panics, never allocates, and
/// takes time linear in the record's length.
///
/// # Errors
///
/// The first thing in the record that no valid record can have; see [`Error::offset`].
pub fn parse(grammar: Grammar, record: &[u8]) -> Result<Components, Error> {
    Validator::new(grammar).parse(record)
}

/// Whether `record` is what `grammar` asks for.
pub fn is_valid(grammar: Grammar, record: &[u8]) -> bool {
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
/// # Ok::<(), urivalidate::ZoneIdsUnsupported>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Validator {
    grammar: Grammar,
    zone_ids: bool,
    backend: Option<Available>,
}

impl Validator {
    /// A validator of this grammar, without options.
    pub const fn new(grammar: Grammar) -> Self {
        Validator { grammar, zone_ids: false, backend: None }
    }

    /// Also accepts RFC 6874 zone identifiers in IPv6 addresses (`[fe80::1%25en0]`).
    ///
    /// # Errors
    ///
    /// Only the grammars of RFC 3986 know them.
    pub const fn with_zone_ids(self) -> Result<Self, ZoneIdsUnsupported> {
        match self.grammar {
            Grammar::Uri | Grammar::UriReference | Grammar::AbsoluteUri | Grammar::RelativeRef => {
                Ok(Validator { zone_ids: true, ..self })
            }
            grammar => Err(ZoneIdsUnsupported(grammar)),
        }
    }

    /// Scans with this backend instead of the machine's best.
    ///
    /// # Errors
    ///
    /// If this machine does not have it.
    pub fn with_backend(self, backend: Backend) -> Result<Self, BackendUnavailable> {
        match Available::new(backend) {
            Some(available) => Ok(Validator { backend: Some(available), ..self }),
            None => Err(BackendUnavailable(backend)),
        }
    }

    /// The backend that scans use.
    pub fn backend(&self) -> Backend {
        self.available_backend().backend()
    }

    pub(crate) fn available_backend(&self) -> Available {
        self.backend.unwrap_or_else(Available::best)
    }

    /// The grammar that records are judged by.
    pub const fn grammar(&self) -> Grammar {
        self.grammar
    }

    /// Whether RFC 6874 zone identifiers are accepted.
    pub const fn zone_ids(&self) -> bool {
        self.zone_ids
    }

    /// As [`parse`](crate::parse).
    ///
    /// # Errors
    ///
    /// As [`parse`](crate::parse).
    pub fn parse(&self, record: &[u8]) -> Result<Components, Error> {
        grammar::parse(self.grammar, self.zone_ids, record)
    }

    /// Whether `record` is valid: as [`parse`](Self::parse), and faster, as a filter in front of slower work wants it.
    pub fn is_valid(&self, record: &[u8]) -> bool {
        /// A shorter record is parsed in less time.
        const SHORT: usize = 16;

        // What is not plain may still be valid.
        let is_plain =
            record.len() >= SHORT && simd::is_plain(self.available_backend(), self.grammar, record);
        is_plain || self.parse(record).is_ok()
    }

    /// Judges all records of a buffer at once, and fills the columns that are named; what `batch` held is replaced.
    ///
    /// Records end at LF; a CR right before the LF is not part of them; a last record without LF counts; an empty line is
    /// an empty record. `base` is where the buffer starts in its file, in bytes; the offsets of the columns are relative to
    /// the buffer. A buffer of some hundred KiB to a few MiB is best.
    ///
    /// ```
    /// use urivalidate::{Batch, Column, Columns, Grammar, Validator};
    ///
    /// let buffer = b"http://example.com/\nmailto:a@b\nno scheme\n";
    /// let mut batch = Batch::new();
    /// Validator::new(Grammar::Uri).scan(buffer, 0, Columns::ALL, &mut batch)?;
    ///
    /// assert_eq!(batch.validity(), [0b011]);
    /// assert_eq!(batch.column(Column::SchemeEnd), [4, 26, Batch::ABSENT]);
    /// assert_eq!(batch.column(Column::HostEnd), [18, Batch::ABSENT, Batch::ABSENT]);
    /// assert_eq!(batch.invalid()[0].error.offset(), 2);
    /// # Ok::<(), urivalidate::ScanError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the buffer is too large for offsets of 32 bits.
    pub fn scan(
        &self,
        buffer: &[u8],
        base: u64,
        columns: Columns,
        batch: &mut Batch,
    ) -> Result<(), ScanError> {
        if buffer.len() > Batch::MAX_BYTES {
            return Err(ScanError::BufferTooLarge);
        }
        bulk::scan_lines(self, buffer, base, columns, batch);
        Ok(())
    }

    /// Judges records without separators: record `i` is `values[offsets[i]..offsets[i + 1]]`, as in an Arrow array of
    /// strings. Records may hold any bytes.
    ///
    /// ```
    /// use urivalidate::{Batch, Column, Grammar, Validator};
    ///
    /// let mut batch = Batch::new();
    /// let columns = Column::PathStart.into();
    /// Validator::new(Grammar::Uri).scan_ranges(&[0, 12, 17], b"http://a.b/ca:b c", columns, &mut batch)?;
    /// assert_eq!(batch.validity(), [0b01]);
    /// assert_eq!(batch.column(Column::PathStart), [10, Batch::ABSENT]);
    /// # Ok::<(), urivalidate::ScanError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the offsets fall, or go beyond the values, or are too large for 32 bits with one left for what is absent.
    pub fn scan_ranges(
        &self,
        offsets: &[u32],
        values: &[u8],
        columns: Columns,
        batch: &mut Batch,
    ) -> Result<(), ScanError> {
        let in_order =
            offsets.is_sorted() && offsets.last().is_none_or(|&last| last as usize <= values.len());
        if !in_order {
            return Err(ScanError::OffsetsOutOfOrder);
        }
        if offsets.last().is_some_and(|&last| last as usize > Batch::MAX_BYTES) {
            return Err(ScanError::BufferTooLarge);
        }
        bulk::scan_ranges(self, offsets, values, columns, batch);
        Ok(())
    }
}

/// Zone identifiers were asked of a grammar that has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ZoneIdsUnsupported(Grammar);

impl fmt::Display for ZoneIdsUnsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the grammar {} has no zone identifiers; uri, uri-reference, absolute-uri and relative-ref have",
            self.0
        )
    }
}

impl core::error::Error for ZoneIdsUnsupported {}

/// Why a buffer cannot be scanned at all. What is wrong with its records is not here: see [`Batch::invalid`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ScanError {
    /// The buffer has 2^32 - 1 bytes or more.
    BufferTooLarge,
    /// An offset is less than the one before, or beyond the values.
    OffsetsOutOfOrder,
}

impl fmt::Display for ScanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ScanError::BufferTooLarge => "the buffer has 2^32 - 1 bytes or more",
            ScanError::OffsetsOutOfOrder => "an offset is less than the one before, or beyond the values",
        })
    }
}

impl core::error::Error for ScanError {}
