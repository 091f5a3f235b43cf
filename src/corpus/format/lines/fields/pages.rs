//! The pages that records come from, and their bases.

use std::ops::Range;

use crate::derived::Page;
use crate::normal::Base;
use crate::work::looked_at;

/// The pages of a chunk's records. A page outside of archives starts where its base is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Pages {
    starts: Vec<PageStart>,
    /// The URIs and the bases of the pages.
    texts: Vec<u8>,
    /// The records that are bases of pages.
    bases: Vec<usize>,
}

/// The page of the records from `first_record` on.
#[derive(Clone, Debug)]
struct PageStart {
    first_record: usize,
    /// A range of the texts of pages. Only archives have it.
    uri: Option<Range<u32>>,
    base: Option<Range<u32>>,
    /// Whether the records have no page. It follows one in the same document.
    is_none: bool,
}

impl Pages {
    pub(super) fn clear(&mut self) {
        self.starts.clear();
        self.texts.clear();
        self.bases.clear();
    }

    /// Forgets all pages except the one that is open, from which the next records come.
    pub(super) fn keep_last(&mut self) {
        let Some(PageStart { uri, base, is_none, .. }) = self.starts.pop() else { return };
        // The texts of the last page are the last ones. A page with many pieces moves them only once.
        let start = uri.iter().chain(&base).map(|range| range.start).min().unwrap_or(self.texts.len() as u32);
        let moved = |range: Range<u32>| range.start - start..range.end - start;
        self.starts.clear();
        self.bases.clear();
        self.texts.drain(..start as usize);
        self.starts.push(PageStart { first_record: 0, uri: uri.map(moved), base: base.map(moved), is_none });
    }

    /// Returns true if the open page has a base.
    pub(super) fn has_base(&self) -> bool {
        self.starts.last().is_some_and(|page| page.base.is_some())
    }

    /// Sets the base of the open page, before its record comes.
    pub(super) fn set_base(&mut self, base: &[u8]) {
        let base = self.add_text(base);
        if let Some(page) = self.starts.last_mut() {
            page.base = Some(base);
        }
    }

    /// Returns the page that a record comes from, if the input is an archive or the page has a base.
    pub(super) fn of(&self, index: usize) -> Option<Page<'_>> {
        let after = self.starts.partition_point(|page| page.first_record <= index);
        let is_base = self.bases.binary_search(&index).is_ok();
        let Some(PageStart { uri, base, .. }) =
            after.checked_sub(1).map(|at| &self.starts[at]).filter(|page| is_base || !page.is_none)
        else {
            return is_base.then_some(Page { uri: None, base: None });
        };
        let text = |range: &Range<u32>| &self.texts[range.start as usize..range.end as usize];
        Some(Page { uri: uri.as_ref().map(text), base: base.as_ref().filter(|_| !is_base).map(text) })
    }

    /// Starts a page with this record. An empty URI is unknown.
    pub(super) fn begin(&mut self, first_record: usize, uri: &[u8]) {
        let uri = (!uri.is_empty()).then(|| self.add_text(uri));
        self.starts.push(PageStart { first_record, uri, base: None, is_none: false });
    }

    /// Goes on with a page that has this base, with this record.
    pub(super) fn begin_based(&mut self, first_record: usize, base: &[u8]) {
        let base = Some(self.add_text(base));
        self.starts.push(PageStart { first_record, uri: None, base, is_none: false });
    }

    /// Goes on without a page, with this record.
    #[cfg(feature = "xml")]
    pub(super) fn end(&mut self, first_record: usize) {
        self.starts.push(PageStart { first_record, uri: None, base: None, is_none: true });
    }

    /// Adds a record that is a base itself, and has no base.
    #[cfg(feature = "xml")]
    pub(super) fn add_first_base(&mut self, index: usize) {
        self.bases.push(index);
    }

    /// Returns the bytes of the texts of pages.
    pub(super) fn text_len(&self) -> usize {
        self.texts.len()
    }

    /// Adds a record that is a `<base href>`. The first one of a page is the base of the page's other
    /// records; in an archive also of the records before it. Each `<base href>` itself is relative to the
    /// page.
    pub(super) fn add_base(&mut self, index: usize, record: &[u8]) {
        self.bases.push(index);
        if self.starts.last().is_some_and(|page| page.base.is_some()) {
            return;
        }
        let base = Some(self.add_text(record));
        match self.starts.last_mut() {
            Some(page) => page.base = base,
            None => self.starts.push(PageStart { first_record: index, uri: None, base, is_none: false }),
        }
    }

    /// Adds the URI or the base of a page. Of one that is too long, adds the first bytes, which are still too
    /// long: a page has any number of records, and each may cost as much as the base is long.
    fn add_text(&mut self, text: &[u8]) -> Range<u32> {
        let text = &text[..text.len().min(Base::MAX_LEN + 1)];
        let start = self.texts.len() as u32;
        self.texts.extend_from_slice(text);
        looked_at(text.len());
        start..self.texts.len() as u32
    }
}
