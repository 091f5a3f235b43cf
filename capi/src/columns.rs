//! Fills the caller's columns.
#![expect(unsafe_code, reason = "C passes pointers")]

use std::mem::MaybeUninit;

use urivalidate::{Batch, Column, Columns as Delimiters, Part};

use crate::numbers::{ErrorKind, PART_COUNT, PARTS, Part as NamedPart};
use crate::pointers::{handle, room};
use crate::record::Span;
use crate::status::Status;

/// The caller's arrays for the results of a scan. Each array is NULL or has room for `capacity` records;
/// arrays do not overlap. The library keeps no pointer to them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    /// The number of records that each array has room for. A scan stops after this number of records.
    pub capacity: usize,
    /// A byte for each record: 1 if it is valid, 0 if it is invalid or NULL.
    pub valid: *mut u8,
    /// The values of `valid` as bits: record `i` has bit `i % 8` of byte `i / 8`, as in Arrow. The array has
    /// `(capacity + 7) / 8` bytes. The bits after the last record's, in the same byte, are 0.
    pub valid_bits: *mut u8,
    /// The places of the parts, in bytes from the start of the buffer or the values. The index of a part's
    /// array is its number in `uriv_part`. An invalid record has only `URIV_PART_RECORD`, NULL has no part.
    /// Each array takes time, so set the arrays that you do not need to NULL.
    pub spans: [*mut Span; PART_COUNT],
    /// A `uriv_error_kind` for each record: 0 if it is valid or NULL.
    pub error_kinds: *mut u8,
    /// The `uriv_part` that each error is in: 0 if the error is in none, or if the record has no error.
    pub error_parts: *mut u8,
    /// The offset of each error, in bytes from the start of the record: 0 if the record has no error.
    pub error_offsets: *mut u32,
}

#[cfg(test)]
impl Columns {
    /// Columns without arrays.
    pub(crate) const NONE: Columns = {
        use std::ptr::null_mut;
        Columns {
            capacity: 0,
            valid: null_mut(),
            valid_bits: null_mut(),
            spans: [null_mut(); PART_COUNT],
            error_kinds: null_mut(),
            error_parts: null_mut(),
            error_offsets: null_mut(),
        }
    };
}

/// The state of writing `valid_bits`.
#[derive(Clone, Copy, Default)]
struct Bits {
    /// The number of records so far. It counts them even if the caller requests no bits.
    count: usize,
    /// The bits of the last byte if it is not full, otherwise 0.
    pending: u8,
}

/// The caller's columns as slices.
pub(crate) struct Sink<'a> {
    capacity: usize,
    valid: Option<&'a mut [MaybeUninit<u8>]>,
    valid_bits: Option<&'a mut [MaybeUninit<u8>]>,
    spans: [Option<&'a mut [MaybeUninit<Span>]>; PART_COUNT],
    error_kinds: Option<&'a mut [MaybeUninit<u8>]>,
    error_parts: Option<&'a mut [MaybeUninit<u8>]>,
    error_offsets: Option<&'a mut [MaybeUninit<u32>]>,
    delimiters: Delimiters,
    bits: Bits,
}

impl<'a> Sink<'a> {
    /// # Safety
    ///
    /// `columns` is NULL, or each array is NULL or has room for `capacity` records. Nobody else uses the
    /// arrays as long as the sink is used.
    pub(crate) unsafe fn new(columns: *const Columns) -> Result<Self, Status> {
        if columns.is_null() {
            return Ok(Sink {
                capacity: usize::MAX,
                valid: None,
                valid_bits: None,
                spans: [const { None }; PART_COUNT],
                error_kinds: None,
                error_parts: None,
                error_offsets: None,
                delimiters: Delimiters::NONE,
                bits: Bits::default(),
            });
        }
        // SAFETY: the caller guarantees this.
        let columns = unsafe { handle(columns) }?;
        let capacity = columns.capacity;
        let mut spans = [const { None }; PART_COUNT];
        let mut delimiters = Delimiters::NONE;
        for ((span, &pointer), part) in spans.iter_mut().zip(&columns.spans).zip(PARTS) {
            // SAFETY: the caller guarantees this.
            *span = unsafe { room(pointer, capacity) }?;
            if span.is_some() {
                delimiters = delimiters | part.columns();
            }
        }
        // SAFETY: the caller guarantees this.
        unsafe {
            Ok(Sink {
                capacity,
                valid: room(columns.valid, capacity)?,
                valid_bits: room(columns.valid_bits, capacity.div_ceil(8))?,
                spans,
                error_kinds: room(columns.error_kinds, capacity)?,
                error_parts: room(columns.error_parts, capacity)?,
                error_offsets: room(columns.error_offsets, capacity)?,
                delimiters,
                bits: Bits::default(),
            })
        }
    }

    /// The columns that the scan has to compute.
    pub(crate) fn delimiters(&self) -> Delimiters {
        self.delimiters
    }

    /// The number of records for which the columns still have room.
    pub(crate) fn room(&self) -> usize {
        self.capacity - self.bits.count
    }

    /// Appends the records of a batch, for which the columns must have room. Adds `origin` to each offset.
    pub(crate) fn append(&mut self, batch: &Batch, origin: u32) {
        let first = self.bits.count;
        let records = first..first + batch.len();
        if let Some(valid) = &mut self.valid {
            for (index, slot) in valid[records.clone()].iter_mut().enumerate() {
                slot.write((batch.validity()[index / 64] >> (index % 64) & 1) as u8);
            }
        }
        self.bits.append(batch, self.valid_bits.as_deref_mut());
        for (spans, part) in self.spans.iter_mut().zip(PARTS) {
            if let Some(spans) = spans {
                fill(part, batch, origin, &mut spans[records.clone()]);
            }
        }
        let zeros = |column: &mut Option<&mut [MaybeUninit<u8>]>| {
            if let Some(column) = column {
                column[records.clone()].fill(MaybeUninit::new(0));
            }
        };
        zeros(&mut self.error_kinds);
        zeros(&mut self.error_parts);
        if let Some(offsets) = &mut self.error_offsets {
            offsets[records].fill(MaybeUninit::new(0));
        }
        for invalid in batch.invalid() {
            let row = first + invalid.index as usize;
            if let Some(kinds) = &mut self.error_kinds {
                kinds[row].write(ErrorKind::of(invalid.error.kind()) as u8);
            }
            if let Some(parts) = &mut self.error_parts {
                parts[row].write(NamedPart::from(invalid.error.component()) as u8);
            }
            if let Some(offsets) = &mut self.error_offsets {
                offsets[row].write(invalid.error.offset() as u32);
            }
        }
    }
}

impl Bits {
    /// Appends the verdicts of a batch, one word at a time.
    fn append(&mut self, batch: &Batch, mut to: Option<&mut [MaybeUninit<u8>]>) {
        let mut left = batch.len();
        for &word in batch.validity() {
            let count = left.min(64);
            left -= count;
            if let Some(to) = to.as_deref_mut() {
                let shift = self.count % 8;
                let bytes = (u128::from(word) << shift | u128::from(self.pending)).to_le_bytes();
                let used = (shift + count).div_ceil(8);
                let first = self.count / 8;
                for (slot, &byte) in to[first..first + used].iter_mut().zip(&bytes) {
                    slot.write(byte);
                }
                // If the last byte is not full, the next append writes its bits again.
                self.pending = if (shift + count).is_multiple_of(8) { 0 } else { bytes[used - 1] };
            }
            self.count += count;
        }
    }
}

/// Writes the places of a part in all records of a batch. The batch has the columns of the part.
fn fill(part: Part, batch: &Batch, origin: u32, to: &mut [MaybeUninit<Span>]) {
    const NOTHING: &[u32] = &[];

    let mut columns = [NOTHING; Column::ALL.len()];
    for column in part.columns() {
        columns[column as usize] = batch.column(column).unwrap_or_default();
    }
    // Each part has its own loop, so that no loop checks the part for each record.
    macro_rules! loops {
        ($($part:ident),*) => {
            match part {
                $(Part::$part => for (index, slot) in to.iter_mut().enumerate() {
                    let range = Part::$part.range(|column| columns[column as usize][index]);
                    slot.write(moved(range.into(), origin));
                },)*
                // `PARTS` has no other parts.
                _ => to.fill(MaybeUninit::new(Span::ABSENT)),
            }
        };
    }
    loops!(
        Record,
        Scheme,
        Authority,
        Userinfo,
        Host,
        Port,
        Path,
        Query,
        Fragment,
        SchemeSpecificPart,
        PathAndQuery
    );
}

/// Adds `origin` to the place of a part.
#[inline(always)]
fn moved(span: Span, origin: u32) -> Span {
    // An absent part stays absent.
    let origin = if span.start == Span::ABSENT.start { 0 } else { origin };
    Span { start: span.start + origin, end: span.end + origin }
}
