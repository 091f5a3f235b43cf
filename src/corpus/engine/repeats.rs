//! Texts that rows repeat: the URI and the base of a page. Both may have any length, and a page may have
//! thousands of references.

use super::scanned::Scanned;
use crate::corpus::format::Format;
use crate::derived::Deriver;
use crate::row_column::RowColumn;

/// The number of columns whose values may each hold the URI or the base of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeats(usize);

impl Repeats {
    /// No column.
    pub const NONE: Repeats = Repeats(0);

    /// Returns the number of these columns whose values may hold the URI or the base of a page.
    pub fn among(columns: impl IntoIterator<Item = RowColumn>) -> Self {
        let repeats = |column: &RowColumn| column.is_of_target() || column.is_of_page();
        Repeats(columns.into_iter().filter(repeats).count())
    }

    /// Returns true if the output of a chunk is too long to be held in memory at once.
    pub fn are_many(self, scanned: &Scanned<'_>, deriver: Option<&Deriver<'_>>) -> bool {
        self.end_of_some(scanned, deriver, 0) < scanned.len()
    }

    /// Returns the end of the records from `first` on whose output can be held in memory at once: at least
    /// one record, of any length.
    pub fn end_of_some(self, scanned: &Scanned<'_>, deriver: Option<&Deriver<'_>>, first: usize) -> usize {
        /// The most bytes of repeated texts.
        const MOST: usize = 8 << 20;

        let all = scanned.len();
        let Some(deriver) = deriver.filter(|_| self != Repeats::NONE) else { return all };
        let bytes = |index| {
            let page = scanned.page(index);
            let uri = deriver.page_uri(page).map_or(0, <[u8]>::len);
            self.0 * (uri + page.and_then(|page| page.base).map_or(0, <[u8]>::len))
        };
        if first < all && scanned.chunk().layout().format() == Format::Lines {
            return all.min(first + (MOST / bytes(first).max(1)).max(1));
        }
        let mut left = MOST;
        let has_room = |&index: &usize| {
            let rest = left.checked_sub(bytes(index));
            left = rest.unwrap_or_default();
            rest.is_some()
        };
        let fit = (first..all).take_while(has_room).count();
        all.min(first + fit.max(1))
    }
}
