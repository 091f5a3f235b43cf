//! Scans buffers of records into the caller's columns.
#![expect(unsafe_code, reason = "its functions have names for C, and take pointers")]

use urivalidate::work::{memchr, memchr_iter, memrchr};
use urivalidate::{Batch, Nulls, Offset, ScanError};

use crate::bytes::Bytes;
use crate::columns::{Columns, Sink};
use crate::guard::status_of;
use crate::pointers::{handle, put, values};
use crate::status::Status;
use crate::validator::Validator;

/// The number of bytes that one call of the library scans. The columns of such a piece stay in the cache
/// until they are copied.
const PIECE: usize = 256 << 10;

/// The number of strings that one call of the library scans.
const STRINGS: usize = 4096;

/// A validator with memory that its scans reuse. One thread at a time may use it.
#[derive(Debug)]
pub struct Scanner {
    validator: urivalidate::Validator,
    batch: Batch,
}

/// The counts of a scan. This structure has 5 times `sizeof(size_t)` bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// The number of records that the scan judged. The scan wrote the same number of rows to each column.
    pub records: usize,
    /// The number of valid records.
    pub valid: usize,
    /// The number of invalid records.
    pub invalid: usize,
    /// The number of records that are NULL.
    pub nulls: usize,
    /// The number of bytes of the buffer that the scan judged, including line ends; 0 for strings with
    /// offsets.
    pub bytes: usize,
}

impl Counts {
    fn add(&mut self, batch: &Batch) {
        self.records += batch.len();
        self.valid += batch.valid_count();
        self.invalid += batch.invalid().len();
        self.nulls += batch.null_count();
    }
}

/// Makes a scanner. Free it with `uriv_scanner_free`.
///
/// # Safety
///
/// `scanner` has room for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_scanner_new(validator: *const Validator, scanner: *mut *mut Scanner) -> Status {
    status_of(|| {
        // SAFETY: the caller guarantees this.
        let validator = unsafe { handle(validator) }?.0;
        if scanner.is_null() {
            return Err(Status::InvalidArgument);
        }
        let made = Box::new(Scanner { validator, batch: Batch::new() });
        // SAFETY: the pointer is not NULL, and the caller guarantees the room.
        unsafe { scanner.write(Box::into_raw(made)) };
        Ok(())
    })
}

/// Frees a scanner. NULL does nothing.
///
/// # Safety
///
/// `uriv_scanner_new` made the scanner, it has not been freed, and no thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_scanner_free(scanner: *mut Scanner) {
    if !scanner.is_null() {
        // SAFETY: `Box::into_raw` made the pointer, and the caller guarantees to free it once.
        let scanner = unsafe { Box::from_raw(scanner) };
        status_of(|| {
            drop(scanner);
            Ok(())
        });
    }
}

/// The number of records in a buffer: the number of LFs, and one more if the last record has no LF. Columns
/// with this capacity are large enough. The number is 0 if `buffer.data` is NULL.
///
/// # Safety
///
/// `buffer` has its bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_count_records(buffer: Bytes) -> usize {
    let mut count = 0;
    status_of(|| {
        // SAFETY: the caller guarantees this.
        let buffer = unsafe { buffer.slice() }?;
        count = memchr_iter(b'\n', buffer).count();
        count += usize::from(buffer.last().is_some_and(|&byte| byte != b'\n'));
        Ok(())
    });
    count
}

/// Judges the records of a buffer, and fills the columns. Each line is a record.
///
/// A record ends at LF. A CR directly before the LF is not part of the record. The last record may lack the
/// LF. An empty line is an empty record. The places of parts are in bytes from the start of the buffer.
///
/// A scan stops when the columns are full, and before byte 2^32 - 1 of the buffer. It returns
/// `URIV_STATUS_OK`, and `counts->bytes` is the number of bytes that it judged: call the function again with
/// the rest of the buffer until no bytes are left. If the first record has 2^32 - 1 bytes or more, the
/// function returns `URIV_STATUS_TOO_LONG`. If `columns` is NULL, it only counts, and only such a record
/// stops it.
///
/// # Safety
///
/// `scanner` has not been freed, and no other thread uses it; `buffer` has its bytes; `columns` is NULL or
/// its arrays have room; `counts` has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_scan_lines(
    scanner: *mut Scanner,
    buffer: Bytes,
    columns: *const Columns,
    counts: *mut Counts,
) -> Status {
    if counts.is_null() {
        return Status::InvalidArgument;
    }
    let mut found = Counts::default();
    let status = status_of(|| {
        // SAFETY: the caller guarantees this.
        let scanner = unsafe { scanner.as_mut() }.ok_or(Status::InvalidArgument)?;
        // SAFETY: the caller guarantees this.
        let (buffer, mut sink) = unsafe { (buffer.slice()?, Sink::new(columns)?) };
        while found.bytes < buffer.len() && sink.room() > 0 {
            let piece = piece(&buffer[found.bytes..], sink.room());
            // The end of the longest record fits into an offset of 32 bits, and its line end may not.
            let records = if piece.len() > Batch::MAX_BYTES { without_line_end(piece) } else { piece };
            let is_beyond = !columns.is_null() && found.bytes + records.len() > Batch::MAX_BYTES;
            if is_beyond && found.bytes > 0 {
                return Ok(());
            }
            let batch = scanner
                .validator
                .scan(records, sink.delimiters(), &mut scanner.batch)
                .map_err(status_of_scan)?;
            sink.append(batch, found.bytes as u32);
            found.add(batch);
            found.bytes += piece.len();
        }
        Ok(())
    });
    // SAFETY: the caller guarantees this.
    unsafe { put(counts, found) };
    status
}

/// The first lines of a buffer that is not empty: at most `room` lines, and at most [`PIECE`] bytes unless
/// the first line alone has more.
fn piece(buffer: &[u8], room: usize) -> &[u8] {
    let window = &buffer[..buffer.len().min(window(room))];
    let up_to = |end: usize| &buffer[..=end];
    let piece = match memrchr(b'\n', window) {
        _ if window.len() == buffer.len() => buffer,
        Some(end) => up_to(end),
        None => memchr(b'\n', &buffer[window.len()..]).map_or(buffer, |end| up_to(window.len() + end)),
    };
    // Counting the lines is much faster than finding the end of each line. Each line has at least one byte.
    if room >= piece.len() || room > memchr_iter(b'\n', piece).count() {
        return piece;
    }
    memchr_iter(b'\n', piece).nth(room - 1).map_or(piece, up_to)
}

/// A line without its end.
fn without_line_end(line: &[u8]) -> &[u8] {
    match line.strip_suffix(b"\n") {
        Some(record) => record.strip_suffix(b"\r").unwrap_or(record),
        None => line,
    }
}

/// The number of bytes in which [`piece`] searches line ends. It is not much larger than the size of `room`
/// records, because the next call searches the remaining bytes again.
fn window(room: usize) -> usize {
    room.saturating_mul(32).clamp(512, PIECE)
}

fn status_of_scan(error: ScanError) -> Status {
    match error {
        ScanError::BufferTooLarge => Status::TooLong,
        ScanError::OffsetsOutOfOrder => Status::OffsetsOutOfOrder,
        _ => Status::InvalidArgument,
    }
}

/// Strings in the layout of an Arrow array, with offsets of 32 bits: string `i` starts at byte `offsets[i]`
/// of the values and ends before byte `offsets[i + 1]`. This structure has 5 times `sizeof(size_t)` bytes.
///
/// The memory stays yours: the function only reads it, and keeps no pointer to it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Strings32 {
    /// The number of strings.
    pub count: usize,
    /// One more number than strings. It may be NULL if `count` is 0.
    pub offsets: *const i32,
    /// The bytes of all strings. They may have any values.
    pub values: Bytes,
    /// A bit for each string, as in Arrow: bit `i % 8` of byte `i / 8` is 1 if string `i` is not NULL. If the
    /// pointer is NULL, no string is NULL.
    pub not_null: *const u8,
}

/// Like `uriv_strings32`, with offsets of 64 bits. The offsets must be less than 2^32 - 1, as places of parts
/// have 32 bits.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Strings64 {
    /// The number of strings.
    pub count: usize,
    /// One more number than strings. It may be NULL if `count` is 0.
    pub offsets: *const i64,
    /// The bytes of all strings. They may have any values.
    pub values: Bytes,
    /// A bit for each string, as in Arrow: bit `i % 8` of byte `i / 8` is 1 if string `i` is not NULL. If the
    /// pointer is NULL, no string is NULL.
    pub not_null: *const u8,
}

/// The strings of a [`Strings32`] or [`Strings64`].
struct Strings<O> {
    count: usize,
    offsets: *const O,
    values: Bytes,
    not_null: *const u8,
}

impl From<&Strings32> for Strings<i32> {
    fn from(&Strings32 { count, offsets, values, not_null }: &Strings32) -> Self {
        Strings { count, offsets, values, not_null }
    }
}

impl From<&Strings64> for Strings<i64> {
    fn from(&Strings64 { count, offsets, values, not_null }: &Strings64) -> Self {
        Strings { count, offsets, values, not_null }
    }
}

/// Judges strings, and fills the columns.
///
/// The places of parts are in bytes from the start of the values. The scan stops when the columns are full:
/// `counts->records` is the number of strings that it judged. If `columns` is NULL, the scan only counts.
///
/// If the function returns `URIV_STATUS_OFFSETS_OUT_OF_ORDER` or `URIV_STATUS_TOO_LONG`, it may have judged
/// strings before the wrong offset.
///
/// # Safety
///
/// `scanner` has not been freed, and no other thread uses it; `strings` has its offsets, values and bits;
/// `columns` is NULL or its arrays have room; `counts` has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_scan_strings32(
    scanner: *mut Scanner,
    strings: *const Strings32,
    columns: *const Columns,
    counts: *mut Counts,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe { scan_strings::<i32, _>(scanner, strings, columns, counts) }
}

/// Like `uriv_scan_strings32`, with offsets of 64 bits.
///
/// # Safety
///
/// The same as for `uriv_scan_strings32`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_scan_strings64(
    scanner: *mut Scanner,
    strings: *const Strings64,
    columns: *const Columns,
    counts: *mut Counts,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe { scan_strings::<i64, _>(scanner, strings, columns, counts) }
}

/// See [`uriv_scan_strings32`].
///
/// # Safety
///
/// The requirements of [`uriv_scan_strings32`].
unsafe fn scan_strings<'a, O: Offset + 'a, S: 'a>(
    scanner: *mut Scanner,
    strings: *const S,
    columns: *const Columns,
    counts: *mut Counts,
) -> Status
where
    Strings<O>: From<&'a S>,
{
    if counts.is_null() {
        return Status::InvalidArgument;
    }
    let mut found = Counts::default();
    let status = status_of(|| {
        // SAFETY: the caller guarantees this.
        let scanner = unsafe { scanner.as_mut() }.ok_or(Status::InvalidArgument)?;
        // SAFETY: the caller guarantees this.
        let Strings { count, offsets, values: text, not_null } = unsafe { handle(strings) }?.into();
        // An array without strings may have no offsets.
        let ends = if count == 0 { 0 } else { count.checked_add(1).ok_or(Status::InvalidArgument)? };
        // SAFETY: the caller guarantees this.
        let (offsets, text, mut sink) =
            unsafe { (values(offsets, ends)?, text.slice()?, Sink::new(columns)?) };
        let bitmap = if not_null.is_null() {
            None
        } else {
            // SAFETY: the caller guarantees this.
            Some(unsafe { values(not_null, count.div_ceil(8)) }?)
        };
        while found.records < count && sink.room() > 0 {
            let first = found.records;
            let block = &offsets[first..=first + (count - first).min(STRINGS).min(sink.room())];
            let nulls = bitmap.map(|bitmap| Nulls::new(bitmap, first));
            let batch = scanner
                .validator
                .scan_ranges(block, text, nulls, sink.delimiters(), &mut scanner.batch)
                .map_err(status_of_scan)?;
            sink.append(batch, 0);
            found.add(batch);
        }
        Ok(())
    });
    // SAFETY: the caller guarantees this.
    unsafe { put(counts, found) };
    status
}

#[cfg(test)]
mod tests {
    use urivalidate::work;

    use super::*;

    /// Scans a buffer by repeated calls with columns of some capacity, and returns the number of bytes that
    /// the calls examine.
    fn work(buffer: &[u8], capacity: usize) -> u64 {
        let mut valid = vec![0; capacity];
        let columns = Columns { capacity, valid: valid.as_mut_ptr(), ..Columns::NONE };
        let mut scanner = Scanner {
            validator: urivalidate::Validator::new(urivalidate::Grammar::Uri),
            batch: Batch::new(),
        };
        let before = work::so_far();
        let mut done = 0;
        while done < buffer.len() {
            let mut counts = Counts::default();
            // SAFETY: the scanner and the buffer are alive, and the column has room for `capacity` records.
            let status =
                unsafe { uriv_scan_lines(&mut scanner, buffer[done..].into(), &columns, &mut counts) };
            assert!(status == Status::Ok && counts.bytes > 0);
            done += counts.bytes;
        }
        work::so_far() - before
    }

    #[test]
    fn work_grows_as_the_buffer_does() {
        let shapes: [fn(usize) -> Vec<u8>; 4] = [
            |size| vec![b'\n'; size],
            |size| vec![b'a'; size],
            |size| b"http://h/\n".repeat(size / 10),
            |size| [b"a:\n".repeat(size / 6), vec![b'a'; size / 2]].concat(),
        ];
        for (number, shape) in shapes.iter().enumerate() {
            for (capacity, size) in [(1, 3000), (1000, 60_000), (100_000, 600_000)] {
                let [one, two, four] = [1, 2, 4].map(|times| work(&shape(times * size), capacity));
                let slack = 4 * window(capacity) as u64;
                let bound = |half: u64| half * 9 / 4 + slack;
                assert!(
                    two <= bound(one) && four <= bound(two),
                    "shape {number}, capacity {capacity}: {one}, {two}, {four}"
                );
            }
        }
    }
}
