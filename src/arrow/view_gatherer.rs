//! Copies the strings of views into one buffer, because a scan takes one buffer.
//!
//! The strings become lines, which are scanned fastest. If a string contains an LF or ends with a CR, the
//! strings become ranges instead, which may hold any bytes.

use std::ops::Deref;

use arrow_buffer::{Buffer, ToByteSlice};

use super::FunctionError;
use crate::batch::Batch;
use crate::column::Columns;
use crate::memory;
use crate::simd::{self, GatheredLines, INLINE};
use crate::validator::{ScanError, Validator};

/// The mean bytes of room for a string. If the strings are longer, a block has fewer of them.
const USUAL: usize = 128;

/// A block of adjacent strings of an array, scanned.
#[derive(Default)]
pub(super) struct ScannedBlock {
    pub(super) batch: Batch,
    /// Copies of the strings, if these are views. Between and after the copies are any bytes.
    pub(super) gathered: Vec<u8>,
}

impl ScannedBlock {
    /// The most strings of a block.
    pub(super) const MOST_STRINGS: usize = 8192;

    /// The most bytes of a block, unless its only string is longer.
    pub(super) const MOST_BYTES: usize = 256 << 10;
}

/// The buffers of an array of views, and memory that all blocks reuse.
pub(super) struct ViewGatherer<'a> {
    buffers: Vec<&'a [u8]>,
    views: Vec<u128>,
    offsets: Vec<u32>,
}

impl<'a> ViewGatherer<'a> {
    pub(super) fn new(buffers: &'a [Buffer]) -> Self {
        ViewGatherer {
            buffers: buffers.iter().map(Buffer::as_slice).collect(),
            views: Vec::new(),
            offsets: Vec::new(),
        }
    }

    /// Copies and scans a block of strings from the start of these views. The view of a null may have any
    /// contents, and is replaced by the view of an empty string.
    pub(super) fn scan(
        &mut self,
        views: &[u128],
        is_null: Option<impl Fn(usize) -> bool>,
        validator: &Validator,
        columns: Columns,
        ScannedBlock { batch, gathered }: &mut ScannedBlock,
    ) -> Result<(), FunctionError> {
        let ViewGatherer { buffers, views: shown, offsets } = self;
        let mut views = &views[..views.len().min(ScannedBlock::MOST_STRINGS)];
        if let Some(is_null) = is_null {
            let shown_as = |(index, &view)| if is_null(index) { 0 } else { view };
            // If strings are long, a block has only a few of them.
            let mut bytes = 0usize;
            let may_fit = |view: &u128| {
                let is_within = bytes <= ScannedBlock::MOST_BYTES;
                bytes = bytes.saturating_add(*view as u32 as usize);
                is_within
            };
            shown.clear();
            shown.extend(views.iter().enumerate().map(shown_as).take_while(may_fit));
            views = shown;
        }
        let room = ScannedBlock::MOST_BYTES.min(USUAL * (views.len() + 1));
        if gathered.len() < room {
            gathered.resize(room, 0);
        }
        let GatheredLines { count, len } =
            simd::gather(validator.available_backend(), views, buffers, &mut gathered[..room]);
        if count > 0 {
            validator.scan(&gathered[..len], columns, batch)?;
            // A string that contains an LF makes two lines.
            if batch.len() == count {
                return Ok(());
            }
        }
        gather_ranges(views, buffers, offsets, gathered)?;
        validator.scan_ranges(offsets, gathered, None, columns, batch)?;
        Ok(())
    }
}

/// Copies the strings of a block, with nothing between them. Sets `offsets` to the offsets of the copies.
fn gather_ranges(
    views: &[u128],
    buffers: &[&[u8]],
    offsets: &mut Vec<u32>,
    gathered: &mut Vec<u8>,
) -> Result<(), FunctionError> {
    gathered.clear();
    offsets.clear();
    offsets.push(0);
    for (index, view) in views.iter().enumerate() {
        let bytes = view_bytes(view, buffers).ok_or(ScanError::OffsetsOutOfOrder)?;
        if gathered.len() + bytes.len() > ScannedBlock::MOST_BYTES && index > 0 {
            break;
        }
        memory::try_reserve(gathered, bytes.len())?;
        gathered.extend_from_slice(bytes);
        offsets.push(u32::try_from(gathered.len()).map_err(|_| ScanError::BufferTooLarge)?);
    }
    Ok(())
}

/// Returns the bytes of a view, if its place lies in the buffers.
pub(super) fn view_bytes<'a, B: Deref<Target = [u8]>>(view: &'a u128, buffers: &'a [B]) -> Option<&'a [u8]> {
    let len = *view as u32;
    if len <= INLINE {
        // The bytes follow the length. Views assume a little-endian machine.
        return Some(&view.to_byte_slice()[4..][..len as usize]);
    }
    let start = (*view >> 96) as u32 as usize;
    buffers.get((*view >> 64) as u32 as usize)?.get(start..)?.get(..len as usize)
}
