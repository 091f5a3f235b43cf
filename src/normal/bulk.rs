//! The normal forms of all records of a batch.
//!
//! Most records of real lists are normal already. A scan can note the few records that may not be
//! ([`Request::with_candidates`](crate::Request::with_candidates)). If it did not, or if it noted many,
//! kernels mark all bytes that a normal form might change ([`form_marks`](crate::simd)), and a record without
//! a mark in a place that matters is its own normal form. All other records are rewritten at their marks
//! ([`at_marks`](super::at_marks), [`rewriter`](super::rewriter)), or go to the normaliser. Kernels never
//! write a normal form, so backends cannot disagree on one.

use alloc::vec::Vec;
use core::ops::Range;

use super::form::NormalForm;
use super::marks::first_mark;
use super::normalizer::Normalizer;
use super::rewriter::{RecordMarks, Rewriter};
use super::stems::make_room;
use crate::batch::Batch;
use crate::column::{Column, Columns, ColumnsMissing};
use crate::grammar::Grammar;
use crate::simd::{FormMarks, Job, Marked, mark_forms, run};
use crate::work::looked_at;

/// The normal forms of the records of a batch that differ from their records. If you reuse it for several
/// batches, it allocates only if it must grow.
///
/// ```
/// use urivalidate::{Batch, Columns, Grammar, NormalForm, NormalizedRecords, Validator};
///
/// let validator = Validator::new(Grammar::Uri);
/// let buffer = b"http://example.com/\nHTTP://example.com/a/../b\nno scheme\n";
/// let (mut batch, mut forms) = (Batch::new(), NormalizedRecords::new());
/// let batch = validator.scan(buffer, Columns::RECORDS, &mut batch)?;
/// validator.normalizer(NormalForm::Syntax)?.normalize_batch(batch, buffer, &mut forms)?;
/// assert_eq!(forms.get(0), None);
/// assert_eq!(forms.get(1), Some(&b"http://example.com/b"[..]));
/// assert_eq!(forms.changed().count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct NormalizedRecords {
    /// The forms, one after the other, and room for more.
    text: Vec<u8>,
    /// The bytes of the forms.
    write: usize,
    changed: Vec<Changed>,
    /// A form before it is copied to `text`.
    made: Vec<u8>,
    /// A copy of a record for the normaliser: the bytes of a mapped file can change at any time, and the
    /// normaliser reads them twice.
    record: Vec<u8>,
    marks: FormMarks,
}

/// A record that differs from its normal form.
#[derive(Clone, Copy, Debug)]
struct Changed {
    index: u32,
    /// The end of its form in the text.
    end: usize,
}

impl NormalizedRecords {
    /// Returns an empty list of normal forms.
    pub fn new() -> Self {
        NormalizedRecords::default()
    }

    /// Returns the normal form of record `index`, or `None` if the record is its own normal form, or is
    /// invalid or null.
    pub fn get(&self, index: usize) -> Option<&[u8]> {
        let at = self.changed.binary_search_by_key(&index, |changed| changed.index as usize).ok()?;
        Some(self.form(at))
    }

    /// Returns the indices of the records that differ from their normal forms, in order, each with its form.
    pub fn changed(&self) -> impl ExactSizeIterator<Item = (usize, &[u8])> {
        self.changed.iter().enumerate().map(|(at, changed)| (changed.index as usize, self.form(at)))
    }

    fn form(&self, at: usize) -> &[u8] {
        let start = at.checked_sub(1).map_or(0, |before| self.changed[before].end);
        &self.text[start..self.changed[at].end]
    }
}

impl Normalizer {
    /// Makes the normal forms of all valid records of a batch, which this normaliser's validator must have
    /// filled from `values`. `forms` then has the forms that differ from their records, instead of its
    /// previous contents.
    ///
    /// # Errors
    ///
    /// Returns an error if the scan did not fill [`Columns::RECORDS`].
    pub fn normalize_batch(
        &self,
        batch: &Batch,
        values: &[u8],
        forms: &mut NormalizedRecords,
    ) -> Result<(), ColumnsMissing> {
        let (Some(starts), Some(ends)) = (batch.column(Column::Start), batch.column(Column::End)) else {
            return Err(ColumnsMissing::of(batch.columns(), Columns::RECORDS));
        };
        forms.write = 0;
        forms.changed.clear();
        let range = |index: usize| starts[index] as usize..ends[index] as usize;
        // If these records are many, marking all bytes at once is faster.
        let are_few = 8 * (batch.candidates.len() + batch.other_authorities.len()) <= batch.len();
        if batch.notes_candidates && self.form() == NormalForm::Syntax && are_few {
            for (index, is_host_alone) in candidates(batch) {
                self.normalize_alone(
                    batch,
                    values,
                    Candidate { index, range: range(index), is_host_alone },
                    forms,
                );
            }
            return Ok(());
        }
        looked_at(values.len());
        let (grammar, backend) = (self.validator().grammar(), self.validator().available_backend());
        // The form of `java` merges slashes, which have no marks.
        let has_marks = grammar != Grammar::Java
            && mark_forms(backend, values, marked_for(grammar, batch.are_lines), &mut forms.marks);
        let mut is_host_alone = hosts_alone(batch);
        if !has_marks || !batch.are_lines || self.form() == NormalForm::Scheme {
            for index in 0..batch.len() {
                let range = range(index);
                let Some(record) = values.get(range.clone()) else { continue };
                let is_normal = has_marks
                    && forms.marks.are_harmless(record, range.clone())
                    && !(self.form() == NormalForm::Scheme && may_lose_port_or_gain_path(record));
                if !is_normal {
                    let record = Candidate { index, range, is_host_alone: is_host_alone(index) };
                    self.normalize_record(batch, values, record, has_marks, forms);
                }
            }
            return Ok(());
        }
        run(backend, MarkedLines { normalizer: self, batch, values, forms });
        Ok(())
    }

    /// [`rewrite_record`](Self::rewrite_record), as a function of its own, for callers that few records need.
    #[inline(never)]
    fn normalize_record(
        &self,
        batch: &Batch,
        values: &[u8],
        record: Candidate,
        has_marks: bool,
        forms: &mut NormalizedRecords,
    ) {
        self.rewrite_record(batch, values, record, has_marks, forms);
    }

    /// Adds the form of a record, if it differs from the record.
    #[inline(always)]
    fn rewrite_record(
        &self,
        batch: &Batch,
        values: &[u8],
        Candidate { index, range, is_host_alone }: Candidate,
        has_marks: bool,
        forms: &mut NormalizedRecords,
    ) {
        if !batch.is_valid(index) {
            return;
        }
        let Some(record) = values.get(range.clone()) else { return };
        let rewriter = Rewriter::of(self).filter(|_| {
            has_marks && (self.form() == NormalForm::Syntax || !may_lose_port_or_gain_path(record))
        });
        let NormalizedRecords { text, write, marks, .. } = &mut *forms;
        let at_marks = rewriter.filter(|_| is_host_alone);
        let is_changed = match at_marks {
            Some(rewriter) => rewriter.rewrite_at_marks(values, range.clone(), marks, text, write),
            None => None,
        };
        match is_changed {
            Some(true) => forms.changed.push(Changed { index: index as u32, end: forms.write }),
            Some(false) => {}
            None => self.normalize_other(record, range, index, rewriter, forms),
        }
    }

    /// [`normalize_record`](Self::normalize_record), for a record whose bytes have no marks yet. The record
    /// must be a line.
    fn normalize_alone(
        &self,
        batch: &Batch,
        values: &[u8],
        candidate: Candidate,
        forms: &mut NormalizedRecords,
    ) {
        let range = candidate.range.clone();
        let (Some(record), Some(rest)) = (values.get(range.clone()), values.get(range.start..)) else {
            return;
        };
        looked_at(record.len());
        let validator = self.validator();
        let marked = marked_for(validator.grammar(), true);
        let has_marks = mark_forms(validator.available_backend(), record, marked, &mut forms.marks);
        let candidate = Candidate { range: 0..record.len(), ..candidate };
        self.normalize_record(batch, rest, candidate, has_marks, forms);
    }

    /// [`normalize_record`](Self::normalize_record), for a record that no pass over marks can rewrite.
    #[inline(never)]
    fn normalize_other(
        &self,
        record: &[u8],
        range: Range<usize>,
        index: usize,
        rewriter: Option<Rewriter>,
        forms: &mut NormalizedRecords,
    ) {
        let NormalizedRecords { text, write, changed, made, record: copy, marks } = forms;
        made.clear();
        let places = RecordMarks { marks, start: range.start };
        let mut is_changed = rewriter.and_then(|rewriter| rewriter.rewrite(record, places, made));
        if is_changed.is_none() {
            copy.clear();
            copy.extend_from_slice(record);
            is_changed = self.normalize(copy, made).ok().map(|normal| normal.is_some());
        }
        if is_changed == Some(true) {
            make_room(text, *write, made.len());
            text[*write..*write + made.len()].copy_from_slice(made);
            looked_at(made.len());
            *write += made.len();
            changed.push(Changed { index: index as u32, end: *write });
        }
    }
}

/// The rewriting of lines that have marks, compiled for the features of each backend.
struct MarkedLines<'a> {
    normalizer: &'a Normalizer,
    batch: &'a Batch,
    values: &'a [u8],
    forms: &'a mut NormalizedRecords,
}

impl Job for MarkedLines<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let MarkedLines { normalizer, batch, values, forms } = self;
        let (Some(starts), Some(ends)) = (batch.column(Column::Start), batch.column(Column::End)) else {
            return;
        };
        let range = |index: usize| starts[index] as usize..ends[index] as usize;
        let mut is_host_alone = hosts_alone(batch);
        // If few records have marks, the loop goes over marks instead of records.
        let mut are_many = false;
        let mut first = 0;
        while first < batch.len() {
            let end = batch.len().min(first + GROUP);
            let before = forms.changed.len();
            if are_many {
                for index in first..end {
                    let record =
                        Candidate { index, range: range(index), is_host_alone: is_host_alone(index) };
                    normalizer.rewrite_record(batch, values, record, true, forms);
                }
            } else {
                let mut index = first;
                let words = starts[first] as usize / 64..(ends[end - 1] as usize).div_ceil(64);
                let mut bits = !0 << (starts[first] % 64);
                for word in words {
                    bits &= forms.marks.any(word).unwrap_or(0);
                    while bits != 0 {
                        let at = word * 64 + bits.trailing_zeros() as usize;
                        index += next_after(&ends[index..end], at);
                        if index == end {
                            break;
                        }
                        if range(index).contains(&at) {
                            let record =
                                Candidate { index, range: range(index), is_host_alone: is_host_alone(index) };
                            normalizer.normalize_record(batch, values, record, true, forms);
                            index += 1;
                            if index == end {
                                break;
                            }
                        }
                        // On to the next record.
                        let next = (starts[index] as usize).max(at + 1).saturating_sub(word * 64);
                        bits &=
                            u32::try_from(next).ok().and_then(|next| (!0_u64).checked_shl(next)).unwrap_or(0);
                    }
                    if index == end {
                        break;
                    }
                    bits = !0;
                }
            }
            are_many = 2 * (forms.changed.len() - before) > end - first;
            first = end;
        }
    }
}

/// The number of records after which the choice between a loop over marks and a loop over records is made
/// again.
const GROUP: usize = 128;

/// A record that may differ from its normal form.
struct Candidate {
    index: usize,
    /// The bytes of the record, in the values.
    range: Range<usize>,
    /// Whether its authority is only a host, without an escape.
    is_host_alone: bool,
}

/// Returns a function that returns whether the authority of a record is only a host, for indices in order.
#[inline(always)]
fn hosts_alone(batch: &Batch) -> impl FnMut(usize) -> bool {
    let mut other_authorities = batch.other_authorities.iter().map(|&index| index as usize).peekable();
    move |index| {
        while other_authorities.next_if(|&other| other < index).is_some() {}
        other_authorities.peek() != Some(&index)
    }
}

/// Returns the records that may differ from their normal form, in order, each with whether its authority is only
/// a host.
fn candidates(batch: &Batch) -> impl Iterator<Item = (usize, bool)> {
    let [mut other_authorities, mut noted] =
        [&batch.other_authorities, &batch.candidates].map(|records| records.iter().peekable());
    core::iter::from_fn(move || {
        let next = other_authorities.peek().into_iter().chain(noted.peek()).copied().copied().min()?;
        noted.next_if(|&&index| index == next);
        let is_host_alone = other_authorities.next_if(|&&index| index == next).is_none();
        Some((next as usize, is_host_alone))
    })
}

/// Returns the number of records that end at or before this byte. The number is small if many records change.
#[inline]
fn next_after(ends: &[u32], at: usize) -> usize {
    let is_before = |end: &u32| *end as usize <= at;
    match ends.iter().take(4).position(|end| !is_before(end)) {
        Some(few) => few,
        None => ends.partition_point(is_before),
    }
}

/// Returns the choice of escapes that kernels mark for a grammar's normal form: at least the escapes that the
/// form decodes.
fn marked_for(grammar: Grammar, are_lines: bool) -> Marked {
    Marked {
        rfc2396: grammar == Grammar::Rfc2396,
        beyond_ascii: matches!(grammar, Grammar::Iri | Grammar::IriReference),
        are_lines,
    }
}

impl FormMarks {
    /// Returns the marks of both kinds in one word.
    #[inline]
    fn any(&self, word: usize) -> Option<u64> {
        Some(self.dots_and_digits.get(word)? | self.upper.get(word)?)
    }

    /// Returns whether a valid record without an empty path or a port is certainly its own normal form.
    #[inline]
    fn are_harmless(&self, record: &[u8], range: Range<usize>) -> bool {
        record.first() != Some(&b'.')
            && first_mark(&self.dots_and_digits, range.clone()).is_none()
            && first_mark(&self.upper, range.clone())
                .is_none_or(|at| is_after_host(&record[..at - range.start]))
    }
}

/// Returns whether the letter after `head`, with which a valid record begins, is certainly not in a scheme or
/// a host.
#[inline]
fn is_after_host(head: &[u8]) -> bool {
    let is_delimiter = |byte: &u8| matches!(byte, b'/' | b'?' | b'#');
    let Some(first) = head.iter().position(|byte| is_delimiter(byte) || *byte == b':') else { return false };
    // A request target can be an address in brackets, which has colons.
    if head[0] == b'[' {
        return false;
    }
    let rest = if head[first] == b':' { &head[first + 1..] } else { &head[first..] };
    match rest {
        [b'/', b'/', authority @ ..] if first == 0 || head[first] == b':' => {
            authority.iter().any(is_delimiter)
        }
        _ => true,
    }
}

/// Returns whether [`NormalForm::Scheme`] might change the port or the path of a valid record. It does so
/// only if the record has an authority.
#[inline]
fn may_lose_port_or_gain_path(record: &[u8]) -> bool {
    let first =
        |authority: &[u8]| authority.iter().copied().find(|byte| matches!(byte, b'/' | b'?' | b'#' | b':'));
    if let [b'/', b'/', authority @ ..] = record {
        // Without a scheme, an empty path stays.
        return first(authority) == Some(b':');
    }
    let Some(colon) = record.iter().position(|&byte| byte == b':') else { return false };
    match &record[colon + 1..] {
        [b'/', b'/', authority @ ..] => first(authority) != Some(b'/'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Available, Backend};
    use crate::validator::Validator;

    /// Some records are normal by their marks alone, and so never reach the normaliser.
    #[test]
    fn common_records_are_normal_by_their_marks() {
        if Available::best().backend() == Backend::Scalar {
            return;
        }
        for (record, by_marks) in [
            ("http://example.com/", true),
            ("https://example.com/A/B.html?Q=R%20S.T#%C3%A9", true),
            ("mailto:A@B", true),
            ("urn:ISBN:1", true),
            ("/A/b", true),
            ("a/B", true),
            ("?A", true),
            ("//h/A", true),
            ("Http://h/", false),
            ("http://H/", false),
            ("//H", false),
            ("B", false),
            ("http://h/.", false),
            (".", false),
            ("http://h/%7e", false),
        ] {
            let values = record.as_bytes();
            assert!(Validator::new(Grammar::UriReference).is_valid(values), "{record}");
            for are_lines in [false, true] {
                let mut marks = FormMarks::default();
                assert!(mark_forms(
                    Available::best(),
                    values,
                    marked_for(Grammar::UriReference, are_lines),
                    &mut marks
                ));
                assert_eq!(marks.are_harmless(values, 0..values.len()), by_marks, "{record}");
            }
        }
    }
}
