//! The last scan of a thread, kept for functions that are asked for several parts of the same array one after the other.
//!
//! A query for the host, the path and the query of a column calls three functions with one array, and it takes longer to gather and
//! judge its strings than to make a column of what is found. What will be asked for is not known when the first function comes: it is
//! taken to be what was asked of the array before. Of an array before which only one function asked, the second scan is kept: a
//! single function is faster if it uses the same memory for each block.

use std::cell::RefCell;
use std::mem;
use std::ptr;
use std::sync::{Arc, Weak};

use arrow_array::{Array, ArrayRef};

use crate::batch::Batch;
use crate::column::Columns;
use crate::validator::Validator;

/// So many blocks are kept, a few MiB. An array with more is scanned by each function.
const MOST_BLOCKS: usize = 8;

/// A block with more bytes of strings is not kept.
const MOST_KEPT_BYTES: usize = 512 << 10;

thread_local! {
    static LAST: RefCell<Option<LastScan>> = const { RefCell::new(None) };
}

/// Keeps what functions of this module find in `array` from now on, for those that come next on this thread, until another array is
/// to be kept. So they need not scan it again.
///
/// The array itself is not held on to. Nothing is kept of dictionaries, nor of arrays of more than 2 MiB.
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::{ArrayRef, StringViewArray};
/// use arrow_array::cast::AsArray;
/// use urivalidate::arrow::{ParseUrl, keep_scan};
///
/// let urls: ArrayRef = Arc::new(StringViewArray::from(vec!["http://example.com/a?b"]));
/// keep_scan(&urls);
/// let host = ParseUrl::new("HOST", None)?.try_parse(&urls)?;
/// let path = ParseUrl::new("PATH", None)?.try_parse(&urls)?;
/// assert_eq!(host.as_string_view().value(0), "example.com");
/// assert_eq!(path.as_string_view().value(0), "/a");
/// # Ok::<(), urivalidate::arrow::FunctionError>(())
/// ```
pub fn keep_scan(array: &ArrayRef) {
    LAST.with_borrow_mut(|last| {
        let last = last.get_or_insert_default();
        if !last.is_of(array.as_ref()) {
            last.expected = last.asked.filter(|_| last.uses > 1);
            (last.asked, last.scanned, last.uses) = (None, None, 0);
            last.array = Some(Arc::downgrade(array));
        }
    });
}

/// An array's scan. While the weak reference is there no other array can be where this one is, even when this one is gone.
#[derive(Default)]
pub(super) struct LastScan {
    array: Option<Weak<dyn Array>>,
    /// What functions asked for, which is by what and for which columns the array is scanned.
    asked: Option<(Validator, Columns)>,
    /// What was asked of the array before, if more than one function asked.
    expected: Option<(Validator, Columns)>,
    /// How many functions asked.
    uses: usize,
    /// What all of the array has been scanned for.
    scanned: Option<(Validator, Columns)>,
    /// Of this array, and behind them memory to be used again.
    blocks: Vec<ScannedBlock>,
    count: usize,
    /// The same for blocks that are not kept.
    spare: ScannedBlock,
}

/// Strings of an array that follow each other, scanned.
#[derive(Default)]
pub(super) struct ScannedBlock {
    pub(super) batch: Batch,
    /// If the strings come as views, copies of them, and any bytes between and behind them.
    pub(super) gathered: Vec<u8>,
}

impl ScannedBlock {
    /// The most strings of a block.
    pub(super) const MOST_STRINGS: usize = 8192;

    /// The most bytes of a block, but for a string that has more.
    pub(super) const MOST_BYTES: usize = 256 << 10;
}

impl LastScan {
    /// What is kept of this array, if it is to be. It has to be [put back](Self::put_back).
    pub(super) fn take(array: &dyn Array) -> Option<Self> {
        LAST.with_borrow_mut(|last| last.take_if(|last| last.is_of(array)))
    }

    /// Keeps it for the next function, with memory for blocks that are not kept.
    pub(super) fn put_back(mut self, spare: ScannedBlock) {
        self.spare = spare;
        if self.blocks.iter().chain([&self.spare]).any(|block| block.gathered.capacity() > MOST_KEPT_BYTES) {
            self.scanned = None;
            (self.blocks, self.count, self.spare) = (Vec::new(), 0, ScannedBlock::default());
        }
        LAST.with_borrow_mut(|last| *last = Some(self));
    }

    /// Memory for blocks that are not kept.
    pub(super) fn spare(&mut self) -> ScannedBlock {
        mem::take(&mut self.spare)
    }

    fn is_of(&self, array: &dyn Array) -> bool {
        // Of a reference to an array it is the array itself.
        self.array.as_ref().is_some_and(|kept| ptr::addr_eq(kept.as_ptr(), array.as_any()))
    }

    /// Notes what a function asks for, and says whether others have asked, or will, as far as can be told.
    pub(super) fn ask(&mut self, validator: &Validator, columns: Columns) -> bool {
        self.uses += 1;
        let before = self.asked.or(self.expected).filter(|(by, _)| by == validator);
        self.asked = Some((*validator, before.map_or(columns, |(_, more)| columns | more)));
        self.uses > 1 || self.expected.is_some()
    }

    /// Begins to scan the array anew, by this and for these columns, unless it has been scanned for what was asked for.
    pub(super) fn begin(&mut self) -> Option<(Validator, Columns)> {
        if self.scanned == self.asked {
            return None;
        }
        self.scanned = None;
        self.count = 0;
        self.asked
    }

    /// Room for the next block, if it can be kept.
    pub(super) fn next(&mut self) -> Option<&mut ScannedBlock> {
        if self.count == MOST_BLOCKS {
            return None;
        }
        if self.count == self.blocks.len() {
            self.blocks.push(ScannedBlock::default());
        }
        self.count += 1;
        self.blocks.get_mut(self.count - 1)
    }

    /// Says that all of the array has been scanned.
    pub(super) fn complete(&mut self) {
        self.scanned = self.asked;
    }

    pub(super) fn blocks(&self) -> &[ScannedBlock] {
        &self.blocks[..self.count]
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::StringArray;

    use super::*;
    use crate::arrow::ParseUrl;

    fn part(array: &ArrayRef, part: &str) {
        ParseUrl::new(part, None).unwrap().try_parse(array).unwrap();
    }

    fn scanned() -> Option<Columns> {
        LAST.with_borrow(|last| last.as_ref().and_then(|last| last.scanned).map(|(_, columns)| columns))
    }

    #[test]
    fn an_array_is_scanned_for_what_was_asked_of_the_one_before() {
        let arrays = [(); 4].map(|()| Arc::new(StringArray::from(vec!["http://h/p"])) as ArrayRef);
        part(&arrays[0], "HOST");
        assert_eq!(scanned(), None, "nobody said so");

        keep_scan(&arrays[0]);
        part(&arrays[0], "HOST");
        assert_eq!(scanned(), None, "perhaps nobody else asks");
        part(&arrays[0], "HOST");
        let host = scanned().unwrap();
        part(&arrays[0], "PATH");
        let both = scanned().unwrap();
        assert!(both.contains_all(host) && both != host);

        keep_scan(&arrays[1]);
        part(&arrays[1], "HOST");
        assert_eq!(scanned(), Some(both));
        keep_scan(&arrays[1]);
        assert_eq!(scanned(), Some(both), "it is the same array");

        // Where one function alone asks, nothing is kept from the next array on.
        keep_scan(&arrays[2]);
        part(&arrays[2], "HOST");
        assert_eq!(scanned(), None);
        keep_scan(&arrays[3]);
        part(&arrays[3], "PATH");
        part(&arrays[3], "PATH");
        assert!(!scanned().unwrap().contains_all(host));
    }
}
