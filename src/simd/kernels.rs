//! The functions of a backend, and the macro that makes them: all code that is generic over vectors, compiled
//! for the backend's features.

use alloc::vec::Vec;

#[cfg(feature = "corpus")]
use super::bytes::cell_marks::{CellBytes, CellMarks};
#[cfg(feature = "corpus")]
use super::bytes::cell_places::CellPlaces;
#[cfg(feature = "xml")]
use super::bytes::markup_marks::MarkupMarks;
#[cfg(feature = "markdown")]
use super::bytes::prose_marks::ProseMarks;
#[cfg(feature = "corpus")]
use super::bytes::tag_marks::{Marks, TagMarks};
#[cfg(feature = "arrow")]
use super::copies::copy_parts::{CopyParts, PartLengths};
use super::copies::copy_rows::{CopyRows, MeasureRows};
#[cfg(feature = "arrow")]
use super::copies::part_columns::AppendSpans;
#[cfg(feature = "arrow")]
use super::copies::strings_to_lines::Gather;
use super::forms::form_escapes::Marked;
use super::forms::form_marks::FormMarks;
use super::lines::columns::{FindPart, Placement};
use super::lines::group::Piece;
use super::lines::streams::Streams;
use crate::column::{ColumnArrays, Columns};
use crate::error::Component;
use crate::grammar::Grammar;

/// The functions of a backend. All except `is_available` require the backend's features.
#[derive(Clone, Copy)]
pub(super) struct Kernels {
    /// Returns whether the machine has all features for which the other functions are compiled.
    pub(super) is_available: fn() -> bool,
    /// Scans the records of a grammar and collects the streams that
    /// [`collect`](super::lines::streams::collect) names.
    pub(super) scan: unsafe fn(Grammar, u8, Piece<'_>, &mut Streams),
    /// Returns whether a record is plainly valid.
    pub(super) accepts: unsafe fn(Grammar, &[u8]) -> bool,
    /// Returns the component in which a byte lies.
    pub(super) component_of: unsafe fn(&[u8], usize) -> Component,
    /// Appends streams to columns.
    pub(super) fill: unsafe fn(Grammar, Placement, &mut Streams, Columns, &mut ColumnArrays),
    /// Marks the bytes that normal forms may change.
    pub(super) mark_forms: unsafe fn(&[u8], Marked, &mut FormMarks),
    /// Marks the bytes at which tables are cut.
    #[cfg(feature = "corpus")]
    pub(super) mark_cells: unsafe fn(&[u8], CellBytes, &mut CellMarks),
    /// Finds a cell of each row of a table.
    #[cfg(feature = "corpus")]
    pub(super) find_cells: unsafe fn(&CellMarks, usize, usize, &mut CellPlaces) -> usize,
    /// Marks the bytes at which tags of HTML are cut.
    #[cfg(feature = "corpus")]
    pub(super) mark_tags: unsafe fn(&[u8], &mut TagMarks),
    /// Marks the bytes at which strings of JSON end or cannot be copied.
    #[cfg(feature = "corpus")]
    pub(super) mark_strings: unsafe fn(&[u8], &mut Marks),
    /// Marks the bytes at which the markup of XML is cut.
    #[cfg(feature = "xml")]
    pub(super) mark_markup: unsafe fn(&[u8], &mut MarkupMarks),
    /// Returns the number of first bytes that certainly have only characters of XML.
    #[cfg(feature = "xml")]
    pub(super) sound_len: unsafe fn(&[u8], bool) -> usize,
    /// Counts the bytes that a parser of Markdown may make nodes of.
    #[cfg(feature = "markdown")]
    pub(super) count_marks: unsafe fn(&[u8]) -> usize,
    /// Marks the bytes at which a link can start or end in the prose of Markdown.
    #[cfg(feature = "markdown")]
    pub(super) mark_prose: unsafe fn(&[u8], &mut ProseMarks),
    /// Counts the occurrences of a byte.
    #[cfg(feature = "corpus")]
    pub(super) count_bytes: unsafe fn(&[u8], u8) -> usize,
    /// Marks the occurrences of a byte.
    #[cfg(feature = "corpus")]
    pub(super) mark_byte: unsafe fn(&[u8], u8, &mut Marks),
    /// Marks the places where dot segments may begin.
    pub(super) mark_dots: unsafe fn(&[u8], &mut Vec<u64>),
    /// Counts the records that have each component.
    pub(super) count_components: unsafe fn(&ColumnArrays) -> [u32; Component::ALL.len()],
    /// Finds the places of a part.
    pub(super) find_part: FindPart,
    /// Measures the room for rows of text.
    pub(super) measure_rows: MeasureRows,
    /// Copies parts to rows of text. See [`copy_rows`](super::copies::copy_rows::copy_rows) for its other
    /// requirements.
    pub(super) copy_rows: CopyRows,
    /// Copies strings as lines.
    #[cfg(feature = "arrow")]
    pub(super) gather: Gather,
    /// Appends the places of a part, relative to the starts of records.
    #[cfg(feature = "arrow")]
    pub(super) append_spans: AppendSpans,
    /// Marks the offsets that are not absent.
    #[cfg(feature = "arrow")]
    pub(super) mark_present: unsafe fn(&[u32], &mut Vec<u64>),
    /// Measures the lengths of parts.
    #[cfg(feature = "arrow")]
    pub(super) part_lengths: unsafe fn(&[u32], &[u32]) -> PartLengths,
    /// Copies parts as text.
    #[cfg(feature = "arrow")]
    pub(super) copy_parts: CopyParts,
}

/// Work of another room that is compiled for the features of each backend, so that the compiler copies and
/// shifts with the best instructions. `run` must be inlined, and so must all functions that it calls often:
/// other functions are compiled for every machine.
pub(crate) trait Job {
    /// The result.
    type Output;

    /// Does the work.
    fn run(self) -> Self::Output;
}

/// Makes the [`Kernels`] of a vector from the list of its target features.
macro_rules! kernels {
    ($vector:ty: $($feature:tt),+) => {
        /// The kernels of this backend.
        pub(super) const KERNELS: super::kernels::Kernels =
            super::kernels::Kernels {
                is_available,
                scan,
                accepts,
                component_of,
                fill,
                mark_forms,
                #[cfg(feature = "corpus")]
                mark_cells,
                #[cfg(feature = "corpus")]
                find_cells,
                #[cfg(feature = "corpus")]
                mark_tags,
                #[cfg(feature = "corpus")]
                mark_strings,
                #[cfg(feature = "xml")]
                mark_markup,
                #[cfg(feature = "xml")]
                sound_len,
                #[cfg(feature = "markdown")]
                count_marks,
                #[cfg(feature = "markdown")]
                mark_prose,
                #[cfg(feature = "corpus")]
                count_bytes,
                #[cfg(feature = "corpus")]
                mark_byte,
                mark_dots,
                count_components,
                find_part,
                measure_rows,
                copy_rows,
                #[cfg(feature = "arrow")]
                gather,
                #[cfg(feature = "arrow")]
                append_spans,
                #[cfg(feature = "arrow")]
                mark_present,
                #[cfg(feature = "arrow")]
                part_lengths,
                #[cfg(feature = "arrow")]
                copy_parts,
            };

        fn is_available() -> bool {
            true $(&& super::kernels::has_feature!($feature))+
        }

        // All generic code is inlined into these functions, which have the features.

        #[target_feature($(enable = $feature),+)]
        pub(super) fn run<J: super::kernels::Job>(job: J) -> J::Output {
            job.run()
        }

        #[target_feature($(enable = $feature),+)]
        fn scan(
            grammar: crate::grammar::Grammar,
            collect: u8,
            piece: super::lines::group::Piece<'_>,
            streams: &mut super::lines::streams::Streams,
        ) {
            use super::lines::streams::collect;
            match collect {
                collect::NOTHING => scan_and_collect::<{ collect::NOTHING }>(grammar, piece, streams),
                collect::ENDS => scan_and_collect::<{ collect::ENDS }>(grammar, piece, streams),
                collect::ENDS_AND_FORMS => {
                    scan_and_collect::<{ collect::ENDS_AND_FORMS }>(grammar, piece, streams)
                }
                #[cfg(feature = "corpus")]
                collect::ENDS_AND_COUNTS => {
                    scan_and_collect::<{ collect::ENDS_AND_COUNTS }>(grammar, piece, streams)
                }
                _ => scan_and_collect::<{ collect::ALL }>(grammar, piece, streams),
            }
        }

        // A separate function for each value of `COLLECT`: without optimisation, each inlined function adds
        // its frame to the frame of this function, and all of them together overflow the stack of a thread.
        #[target_feature($(enable = $feature),+)]
        fn scan_and_collect<const COLLECT: u8>(
            grammar: crate::grammar::Grammar,
            piece: super::lines::group::Piece<'_>,
            streams: &mut super::lines::streams::Streams,
        ) {
            // SAFETY: this function has the features of its vector.
            unsafe { super::lines::find_components::for_grammar::<$vector, COLLECT>(grammar, piece, streams) }
        }

        #[target_feature($(enable = $feature),+)]
        fn accepts(grammar: crate::grammar::Grammar, record: &[u8]) -> bool {
            // SAFETY: this function has the features of its vector.
            unsafe { super::lines::single::accepts_as::<$vector>(grammar, record) }
        }

        #[target_feature($(enable = $feature),+)]
        fn component_of(bytes: &[u8], at: usize) -> crate::error::Component {
            // SAFETY: this function has the features of its vector.
            unsafe { super::lines::terms::component_of::<$vector>(bytes, at) }
        }

        #[target_feature($(enable = $feature),+)]
        fn fill(
            grammar: crate::grammar::Grammar,
            origin: super::lines::columns::Placement,
            streams: &mut super::lines::streams::Streams,
            wanted: crate::column::Columns,
            columns: &mut crate::column::ColumnArrays,
        ) {
            super::lines::columns::fill(grammar, origin, streams, wanted, columns);
        }

        #[target_feature($(enable = $feature),+)]
        fn mark_forms(
            values: &[u8],
            marked: super::forms::form_escapes::Marked,
            marks: &mut super::forms::form_marks::FormMarks,
        ) {
            // SAFETY: this function has the features of its vector.
            unsafe { super::forms::form_marks::mark_forms::<$vector>(values, marked, marks) }
        }

        #[cfg(feature = "corpus")]
        #[target_feature($(enable = $feature),+)]
        fn mark_cells(
            bytes: &[u8],
            of: super::bytes::cell_marks::CellBytes,
            marks: &mut super::bytes::cell_marks::CellMarks,
        ) {
            // SAFETY: this function has the features of its vector.
            unsafe { super::bytes::cell_marks::mark_cells::<$vector>(bytes, of, marks) }
        }

        #[cfg(feature = "corpus")]
        #[target_feature($(enable = $feature),+)]
        fn find_cells(
            marks: &super::bytes::cell_marks::CellMarks,
            len: usize,
            column: usize,
            places: &mut super::bytes::cell_places::CellPlaces,
        ) -> usize {
            type Words = <$vector as super::block::vector::Vector>::Words;
            // SAFETY: this function has the features of its vector.
            unsafe { super::bytes::cell_places::find_cells::<Words>(marks, len, column, places) }
        }

        #[cfg(feature = "corpus")]
        #[target_feature($(enable = $feature),+)]
        fn mark_tags(bytes: &[u8], marks: &mut super::bytes::tag_marks::TagMarks) {
            // SAFETY: this function has the features of its vector.
            unsafe { super::bytes::tag_marks::mark_tags::<$vector>(bytes, marks) }
        }

        #[cfg(feature = "corpus")]
        #[target_feature($(enable = $feature),+)]
        fn mark_strings(bytes: &[u8], marks: &mut super::bytes::tag_marks::Marks) {
            // SAFETY: this function has the features of its vector.
            unsafe { super::bytes::tag_marks::mark_strings::<$vector>(bytes, marks) }
        }

        #[cfg(feature = "xml")]
        #[target_feature($(enable = $feature),+)]
        fn mark_markup(bytes: &[u8], marks: &mut super::bytes::markup_marks::MarkupMarks) {
            // SAFETY: this function has the features of its vector.
            unsafe { super::bytes::markup_marks::mark_markup::<$vector>(bytes, marks) }
        }

        #[cfg(feature = "xml")]
        #[target_feature($(enable = $feature),+)]
        fn sound_len(bytes: &[u8], is_utf8: bool) -> usize {
            // SAFETY: this function has the features of its vector.
            unsafe { super::bytes::xml_characters::sound_len::<$vector>(bytes, is_utf8) }
        }

        #[cfg(feature = "markdown")]
        #[target_feature($(enable = $feature),+)]
        fn count_marks(bytes: &[u8]) -> usize {
            // SAFETY: this function has the features of its vector.
            unsafe { super::bytes::count_marks::count_marks::<$vector>(bytes) }
        }

        #[cfg(feature = "markdown")]
        #[target_feature($(enable = $feature),+)]
        fn mark_prose(bytes: &[u8], marks: &mut super::bytes::prose_marks::ProseMarks) {
            // SAFETY: this function has the features of its vector.
            unsafe { super::bytes::prose_marks::mark_prose::<$vector>(bytes, marks) }
        }

        #[cfg(feature = "corpus")]
        #[target_feature($(enable = $feature),+)]
        fn count_bytes(bytes: &[u8], byte: u8) -> usize {
            // SAFETY: this function has the features of its vector.
            unsafe { super::bytes::count_bytes::count_bytes::<$vector>(bytes, byte) }
        }

        #[cfg(feature = "corpus")]
        #[target_feature($(enable = $feature),+)]
        fn mark_byte(bytes: &[u8], byte: u8, marks: &mut super::bytes::tag_marks::Marks) {
            // SAFETY: this function has the features of its vector.
            unsafe { super::bytes::tag_marks::mark_byte::<$vector>(bytes, byte, marks) }
        }

        #[target_feature($(enable = $feature),+)]
        fn mark_dots(values: &[u8], marks: &mut alloc::vec::Vec<u64>) {
            // SAFETY: this function has the features of its vector.
            unsafe { super::forms::dot_marks::mark_dots::<$vector>(values, marks) }
        }

        #[target_feature($(enable = $feature),+)]
        fn count_components(
            columns: &crate::column::ColumnArrays,
        ) -> [u32; crate::error::Component::ALL.len()] {
            super::lines::columns::count_components(columns)
        }

        #[target_feature($(enable = $feature),+)]
        fn find_part(
            part: crate::part::Part,
            columns: &crate::column::ColumnArrays,
            records: core::ops::Range<usize>,
            starts: &mut [u32],
            ends: &mut [u32],
        ) -> bool {
            super::lines::columns::find_part(part, columns, records, starts, ends)
        }

        #[target_feature($(enable = $feature),+)]
        fn measure_rows(steps: &mut [super::copies::copy_rows::RowStep<'_>], rows: usize) -> Option<usize> {
            super::copies::copy_rows::measure_rows(steps, rows)
        }

        #[target_feature($(enable = $feature),+)]
        unsafe fn copy_rows(
            steps: &[super::copies::copy_rows::RowStep<'_>],
            rows: usize,
            room: &mut [u8],
        ) -> usize {
            // SAFETY: the caller promises what `copy_rows` requires.
            unsafe { super::copies::copy_rows::copy_rows(steps, rows, room) }
        }

        #[cfg(feature = "arrow")]
        #[target_feature($(enable = $feature),+)]
        fn gather(views: &[u128], buffers: &[&[u8]], room: &mut [u8]) -> super::copies::strings_to_lines::GatheredLines {
            super::copies::strings_to_lines::gather(views, buffers, room)
        }

        #[cfg(feature = "arrow")]
        #[target_feature($(enable = $feature),+)]
        fn append_spans(
            part: crate::part::Part,
            columns: &crate::column::ColumnArrays,
            records: usize,
            spans: &mut super::copies::part_columns::PartSpans,
            words: &mut alloc::vec::Vec<u64>,
        ) {
            // SAFETY: this function has the features of its vector.
            unsafe { super::copies::part_columns::append_spans::<$vector>(part, columns, records, spans, words) }
        }

        #[cfg(feature = "arrow")]
        #[target_feature($(enable = $feature),+)]
        fn mark_present(offsets: &[u32], words: &mut alloc::vec::Vec<u64>) {
            // SAFETY: this function has the features of its vector.
            unsafe { super::copies::part_columns::mark_present::<$vector>(offsets, words) }
        }

        #[cfg(feature = "arrow")]
        #[target_feature($(enable = $feature),+)]
        fn part_lengths(starts: &[u32], ends: &[u32]) -> super::copies::copy_parts::PartLengths {
            super::copies::copy_parts::part_lengths(starts, ends)
        }

        #[cfg(feature = "arrow")]
        #[target_feature($(enable = $feature),+)]
        fn copy_parts(
            from: &[u8],
            starts: &[u32],
            ends: &[u32],
            to: &mut alloc::vec::Vec<u8>,
            copy_ends: super::copies::copy_parts::CopyEnds<'_>,
        ) {
            super::copies::copy_parts::copy_parts(from, starts, ends, to, copy_ends)
        }
    };
}
pub(super) use kernels;

/// Returns whether the machine has a feature: checks the machine if the build has the feature `std` and is
/// for x86_64, else the build's target features.
macro_rules! has_feature {
    ($feature:tt) => {{
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        let has = std::arch::is_x86_feature_detected!($feature);
        #[cfg(not(all(feature = "std", target_arch = "x86_64")))]
        let has = cfg!(target_feature = $feature);
        has
    }};
}
pub(super) use has_feature;
