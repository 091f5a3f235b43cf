//! The backends: their table, the check which of them this machine has, and the entry points of their
//! kernels.

use alloc::vec::Vec;
use core::ops::Range;

#[cfg(feature = "corpus")]
use super::bytes::cell_marks::{self, CellBytes, CellMarks};
#[cfg(feature = "corpus")]
use super::bytes::cell_places::{self, CellPlaces};
#[cfg(feature = "corpus")]
use super::bytes::count_bytes::count_one_by_one;
#[cfg(feature = "markdown")]
use super::bytes::count_marks::count_marks_one_by_one;
#[cfg(feature = "xml")]
use super::bytes::markup_marks::{self, MarkupMarks};
#[cfg(feature = "markdown")]
use super::bytes::prose_marks::{self, ProseMarks};
#[cfg(feature = "corpus")]
use super::bytes::tag_marks::{self, Marks, TagMarks};
#[cfg(feature = "xml")]
use super::bytes::xml_characters;
#[cfg(feature = "arrow")]
use super::copies::copy_parts::{self, CopyEnds, PartLengths};
use super::copies::copy_rows::{self, CopyRows, MeasureRows, RowStep};
#[cfg(feature = "arrow")]
use super::copies::part_columns::{self, PartSpans};
#[cfg(feature = "arrow")]
use super::copies::strings_to_lines::{self, GatheredLines};
use super::forms::dot_marks;
use super::forms::form_escapes::Marked;
use super::forms::form_marks::FormMarks;
use super::kernels::{Job, Kernels};
use super::lines::columns::{self, Placement};
use super::lines::group::Piece;
use super::lines::streams::Streams;
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
use super::neon;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use super::{avx2, avx512, sse42};
use crate::column::{ColumnArrays, Columns};
use crate::error::Component;
use crate::grammar::Grammar;
use crate::names::named_enum;
use crate::part::Part;

/// Makes [`Backend`] and the facts about each backend from one list, from slow to fast: name for users,
/// targets that compile it, module.
macro_rules! backends {
    ($($(#[$doc:meta])* $backend:ident = $name:literal, if $cfg:meta => $module:ident;)*) => {
        named_enum! {
            /// The instructions that a scan uses. All backends give the same verdicts, offsets and errors.
            #[non_exhaustive]
            Backend {
                /// The exact parsers, a record at a time, on every machine.
                Scalar = "scalar",
                $($(#[$doc])* $backend = $name,)*
            }
        }

        impl Backend {
            /// Returns whether this build has the backend. The machine may still lack it: see
            /// [`is_available`](Self::is_available).
            pub const fn is_compiled(self) -> bool {
                match self {
                    Backend::Scalar => true,
                    $(Backend::$backend => cfg!($cfg),)*
                }
            }

            /// Returns the kernels of this backend, or `None` if it is the scalar backend or not compiled.
            #[inline]
            fn kernels(self) -> Option<Kernels> {
                match self {
                    $(#[cfg($cfg)] Backend::$backend => Some($module::KERNELS),)*
                    _ => None,
                }
            }
        }

        /// Does a job, compiled for the features of a backend.
        pub(crate) fn run<J: Job>(backend: Available, job: J) -> J::Output {
            match backend.0 {
                // SAFETY: the machine has the backend.
                $(#[cfg($cfg)] Backend::$backend => unsafe { $module::run(job) },)*
                _ => job.run(),
            }
        }
    };
}

backends! {
    /// x86_64 with SSE4.2, SSSE3 and POPCNT.
    Sse42 = "sse4.2", if all(target_arch = "x86_64", target_feature = "sse2") => sse42;
    /// x86_64 with AVX2, BMI1, BMI2, LZCNT and POPCNT.
    Avx2 = "avx2", if all(target_arch = "x86_64", target_feature = "sse2") => avx2;
    /// x86_64 with AVX-512 F, BW, VL, DQ, VBMI, VBMI2 and VPOPCNTDQ (since Ice Lake and Zen 4), and the features
    /// that `avx2` needs.
    Avx512 = "avx512", if all(target_arch = "x86_64", target_feature = "sse2") => avx512;
    /// aarch64.
    Neon = "neon", if all(target_arch = "aarch64", target_feature = "neon", target_endian = "little") => neon;
}

impl Backend {
    /// Returns the fastest backend of this machine.
    ///
    /// Without the feature `std`, returns the fastest backend that the build's target features allow.
    pub fn best() -> Self {
        Available::all().last().map_or(Backend::Scalar, Available::backend)
    }

    /// Returns whether this machine has the backend.
    pub fn is_available(self) -> bool {
        Available::new(self).is_some()
    }
}

/// A backend that this machine has: each value is made after a check of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Available(Backend);

impl Available {
    pub(crate) const SCALAR: Self = Available(Backend::Scalar);

    pub(crate) fn new(backend: Backend) -> Option<Self> {
        let is_available = match backend {
            Backend::Scalar => true,
            _ => backend.kernels().is_some_and(|kernels| (kernels.is_available)()),
        };
        is_available.then_some(Available(backend))
    }

    /// Returns the backends of this machine, from slow to fast.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        Backend::ALL.iter().filter_map(|&backend| Available::new(backend))
    }

    /// Returns the fastest backend of this machine. With the feature `std`, the machine is checked only once.
    pub(crate) fn best() -> Self {
        #[cfg(feature = "std")]
        {
            static BEST: std::sync::OnceLock<Available> = std::sync::OnceLock::new();
            *BEST.get_or_init(|| Available(Backend::best()))
        }
        #[cfg(not(feature = "std"))]
        Available(Backend::best())
    }

    pub(crate) fn backend(self) -> Backend {
        self.0
    }
}

/// Scans a piece. The results replace the contents of the streams.
///
/// # Panics
///
/// Panics if the backend is the scalar one, which has no kernels.
pub(crate) fn scan(
    backend: Available,
    grammar: Grammar,
    collect: u8,
    piece: Piece<'_>,
    streams: &mut Streams,
) {
    let kernels = backend.0.kernels().expect("the scalar backend has no kernels");
    // SAFETY: the machine has the backend.
    unsafe { (kernels.scan)(grammar, collect, piece, streams) }
}

/// Returns whether a record is plainly valid. If not, a parser must judge it.
#[inline]
pub(crate) fn accepts(backend: Available, grammar: Grammar, record: &[u8]) -> bool {
    // SAFETY: the machine has the backend.
    backend.0.kernels().is_some_and(|kernels| unsafe { (kernels.accepts)(grammar, record) })
}

/// Returns the component in which byte `at` of these bytes lies; see [`component_of`](super::lines::terms::component_of).
///
/// # Panics
///
/// Panics if the backend is the scalar one, which has no kernels.
#[inline]
pub(crate) fn component_of(backend: Available, bytes: &[u8], at: usize) -> Component {
    let kernels = backend.0.kernels().expect("the scalar backend has no kernels");
    // SAFETY: the machine has the backend.
    unsafe { (kernels.component_of)(bytes, at) }
}

/// Appends the results of a scan of one piece to the wanted columns; see [`columns::fill`].
///
/// # Panics
///
/// Panics if the backend is the scalar one, which has no kernels.
pub(crate) fn fill(
    backend: Available,
    grammar: Grammar,
    origin: Placement,
    streams: &mut Streams,
    wanted: Columns,
    columns: &mut ColumnArrays,
) {
    let kernels = backend.0.kernels().expect("the scalar backend has no kernels");
    // SAFETY: the machine has the backend.
    unsafe { (kernels.fill)(grammar, origin, streams, wanted, columns) }
}

/// Marks the bytes that a normal form may change; see [`form_marks`](super::forms::form_marks). Returns false
/// and marks nothing if the backend is the scalar one, which has no kernels.
pub(crate) fn mark_forms(backend: Available, values: &[u8], marked: Marked, marks: &mut FormMarks) -> bool {
    let Some(kernels) = backend.0.kernels() else { return false };
    // SAFETY: the machine has the backend.
    unsafe { (kernels.mark_forms)(values, marked, marks) };
    true
}

/// Marks the bytes at which a table is cut, among these bytes, at most a [window](tag_marks::WINDOW), which
/// start with a row; see [`cell_marks`].
#[cfg(feature = "corpus")]
pub(crate) fn mark_cells(backend: Available, bytes: &[u8], of: CellBytes, marks: &mut CellMarks) {
    match backend.0.kernels() {
        // SAFETY: the machine has the backend.
        Some(kernels) => unsafe { (kernels.mark_cells)(bytes, of, marks) },
        None => cell_marks::mark_cells_one_by_one(bytes, of, marks),
    }
}

/// Finds a cell of each row in a marked window, and returns the number of rows; see [`cell_places::find_cells`].
#[cfg(feature = "corpus")]
pub(crate) fn find_cells(
    backend: Available,
    marks: &CellMarks,
    len: usize,
    column: usize,
    places: &mut CellPlaces,
) -> usize {
    match backend.0.kernels() {
        // SAFETY: the machine has the backend.
        Some(kernels) => unsafe { (kernels.find_cells)(marks, len, column, places) },
        // SAFETY: a `u64` requires nothing.
        None => unsafe { cell_places::find_cells::<u64>(marks, len, column, places) },
    }
}

/// Marks the bytes at which tags are cut, among these bytes, at most a [window](tag_marks::WINDOW).
#[cfg(feature = "corpus")]
pub(crate) fn mark_tags(backend: Available, bytes: &[u8], marks: &mut TagMarks) {
    match backend.0.kernels() {
        // SAFETY: the machine has the backend.
        Some(kernels) => unsafe { (kernels.mark_tags)(bytes, marks) },
        None => tag_marks::mark_tags_one_by_one(bytes, marks),
    }
}

/// Marks the bytes at which strings of JSON end or cannot be copied, and LFs, among these bytes, at most a
/// [window](tag_marks::WINDOW).
#[cfg(feature = "corpus")]
pub(crate) fn mark_strings(backend: Available, bytes: &[u8], marks: &mut Marks) {
    match backend.0.kernels() {
        // SAFETY: the machine has the backend.
        Some(kernels) => unsafe { (kernels.mark_strings)(bytes, marks) },
        None => tag_marks::mark_strings_one_by_one(bytes, marks),
    }
}

/// Marks the bytes at which the markup of XML is cut, among these bytes, at most a
/// [window](tag_marks::WINDOW).
#[cfg(feature = "xml")]
pub(crate) fn mark_markup(backend: Available, bytes: &[u8], marks: &mut MarkupMarks) {
    match backend.0.kernels() {
        // SAFETY: the machine has the backend.
        Some(kernels) => unsafe { (kernels.mark_markup)(bytes, marks) },
        None => markup_marks::mark_markup_one_by_one(bytes, marks),
    }
}

/// Returns the number of first bytes that certainly have only characters of XML; see
/// [`sound_len`](xml_characters::sound_len).
#[cfg(feature = "xml")]
pub(crate) fn sound_len(backend: Available, bytes: &[u8], is_utf8: bool) -> usize {
    match backend.0.kernels() {
        // SAFETY: the machine has the backend.
        Some(kernels) => unsafe { (kernels.sound_len)(bytes, is_utf8) },
        None => xml_characters::sound_len_one_by_one(bytes),
    }
}

/// Returns the number of bytes that a parser of Markdown may make nodes of.
#[cfg(feature = "markdown")]
pub(crate) fn count_marks(backend: Available, bytes: &[u8]) -> usize {
    match backend.0.kernels() {
        // SAFETY: the machine has the backend.
        Some(kernels) => unsafe { (kernels.count_marks)(bytes) },
        None => count_marks_one_by_one(bytes),
    }
}

/// Marks the bytes at which a link can start or end in the prose of Markdown, among these bytes, at most a
/// [window](tag_marks::WINDOW).
#[cfg(feature = "markdown")]
pub(crate) fn mark_prose(backend: Available, bytes: &[u8], marks: &mut ProseMarks) {
    match backend.0.kernels() {
        // SAFETY: the machine has the backend.
        Some(kernels) => unsafe { (kernels.mark_prose)(bytes, marks) },
        None => prose_marks::mark_prose_one_by_one(bytes, marks),
    }
}

/// Returns the number of times that a byte occurs; see
/// [`count_bytes`](super::bytes::count_bytes::count_bytes).
#[cfg(feature = "corpus")]
pub(crate) fn count_bytes(backend: Available, bytes: &[u8], byte: u8) -> usize {
    match backend.0.kernels() {
        // SAFETY: the machine has the backend.
        Some(kernels) => unsafe { (kernels.count_bytes)(bytes, byte) },
        None => count_one_by_one(bytes, byte),
    }
}

/// Marks the occurrences of a byte in these bytes, at most a [window](tag_marks::WINDOW).
#[cfg(feature = "corpus")]
pub(crate) fn mark_byte(backend: Available, bytes: &[u8], byte: u8, marks: &mut Marks) {
    match backend.0.kernels() {
        // SAFETY: the machine has the backend.
        Some(kernels) => unsafe { (kernels.mark_byte)(bytes, byte, marks) },
        None => tag_marks::mark_byte_one_by_one(bytes, byte, marks),
    }
}

/// Marks the dots that follow a slash; see [`dot_marks`](super::forms::dot_marks).
pub(crate) fn mark_dots(backend: Available, values: &[u8], marks: &mut Vec<u64>) {
    match backend.0.kernels() {
        // SAFETY: the machine has the backend.
        Some(kernels) => unsafe { (kernels.mark_dots)(values, marks) },
        None => dot_marks::mark_dots_by_bytes(values, marks),
    }
}

/// Returns the number of records that have each component, from finished columns; see
/// [`columns::count_components`].
pub(crate) fn count_components(backend: Available, columns: &ColumnArrays) -> [u32; Component::ALL.len()] {
    match backend.0.kernels() {
        // SAFETY: the machine has the backend.
        Some(kernels) => unsafe { (kernels.count_components)(columns) },
        None => columns::count_components(columns),
    }
}

/// Finds the places of a part in some records, from finished columns; see [`columns::find_part`].
pub(crate) fn find_part(
    backend: Available,
    part: Part,
    columns: &ColumnArrays,
    records: Range<usize>,
    starts: &mut [u32],
    ends: &mut [u32],
) -> bool {
    match backend.0.kernels() {
        // SAFETY: the machine has the backend.
        Some(kernels) => unsafe { (kernels.find_part)(part, columns, records, starts, ends) },
        None => columns::find_part(part, columns, records, starts, ends),
    }
}

/// Writes rows of these steps, and returns the number of their bytes, or `Ok(None)` if a part is not in its
/// buffer or a step has fewer parts than rows. `room` gets the number of bytes that the rows need, and
/// returns a slice of at least this length, into which the rows are written.
///
/// # Panics
///
/// Panics if `room` returns fewer bytes than requested.
pub(crate) fn write_rows<'r, E>(
    backend: Available,
    steps: &mut [RowStep<'_>],
    rows: usize,
    room: impl FnOnce(usize) -> Result<&'r mut [u8], E>,
) -> Result<Option<usize>, E> {
    let (measure, copy): (MeasureRows, CopyRows) = match backend.0.kernels() {
        Some(kernels) => (kernels.measure_rows, kernels.copy_rows),
        None => (|steps, rows| copy_rows::measure_rows(steps, rows), copy_rows::copy_rows),
    };
    // SAFETY: the machine has the backend.
    let Some(needed) = (unsafe { measure(steps, rows) }) else { return Ok(None) };
    let room = room(needed)?;
    assert!(room.len() >= needed, "the room is too small");
    // SAFETY: the machine has the backend, these steps have just been measured for this number of rows, and
    // the room has the measured length.
    Ok(Some(unsafe { copy(steps, rows, room) }))
}

/// Copies strings as lines; see [`strings_to_lines::gather`].
#[cfg(feature = "arrow")]
pub(crate) fn gather(
    backend: Available,
    views: &[u128],
    buffers: &[&[u8]],
    room: &mut [u8],
) -> GatheredLines {
    match backend.0.kernels() {
        // SAFETY: the machine has the backend.
        Some(kernels) => unsafe { (kernels.gather)(views, buffers, room) },
        None => strings_to_lines::gather(views, buffers, room),
    }
}

/// Appends the places of a part in the first records, relative to the starts of the records, and a bit each;
/// see [`part_columns::append_spans`].
#[cfg(feature = "arrow")]
pub(crate) fn append_spans(
    backend: Available,
    part: Part,
    columns: &ColumnArrays,
    records: usize,
    spans: &mut PartSpans,
    words: &mut Vec<u64>,
) {
    match backend.0.kernels() {
        // SAFETY: the machine has the backend.
        Some(kernels) => unsafe { (kernels.append_spans)(part, columns, records, spans, words) },
        None => part_columns::append_spans_one_by_one(part, columns, records, spans, words),
    }
}

/// Appends a bit for each offset, set if the offset is not absent; see [`part_columns::mark_present`].
#[cfg(feature = "arrow")]
pub(crate) fn mark_present(backend: Available, offsets: &[u32], words: &mut Vec<u64>) {
    match backend.0.kernels() {
        // SAFETY: the machine has the backend.
        Some(kernels) => unsafe { (kernels.mark_present)(offsets, words) },
        None => part_columns::mark_present_one_by_one(offsets, words),
    }
}

/// Returns the lengths of the parts whose offsets are in two columns; see [`copy_parts::part_lengths`].
#[cfg(feature = "arrow")]
pub(crate) fn part_lengths(backend: Available, starts: &[u32], ends: &[u32]) -> PartLengths {
    match backend.0.kernels() {
        // SAFETY: the machine has the backend.
        Some(kernels) => unsafe { (kernels.part_lengths)(starts, ends) },
        None => copy_parts::part_lengths(starts, ends),
    }
}

/// Copies parts as text; see [`copy_parts::copy_parts`].
#[cfg(feature = "arrow")]
pub(crate) fn copy_parts(
    backend: Available,
    from: &[u8],
    starts: &[u32],
    ends: &[u32],
    to: &mut Vec<u8>,
    copy_ends: CopyEnds<'_>,
) {
    match backend.0.kernels() {
        // SAFETY: the machine has the backend.
        Some(kernels) => unsafe { (kernels.copy_parts)(from, starts, ends, to, copy_ends) },
        None => copy_parts::copy_parts(from, starts, ends, to, copy_ends),
    }
}
