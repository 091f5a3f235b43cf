//! SIMD: which backends there are, which one this machine has, and the way into their kernels.
//!
//! ```text
//! piece of whole lines -> vector: blocks of 64 bytes in registers, asked by the tables of classify
//!                      -> masks: what the bytes are; rare: what few blocks have
//!                      -> mark: where components end, as the shape of the grammar's lines has it
//!                      -> streams: positions and suspects
//!                      -> columns: offsets
//! ```
//!
//! scan takes a piece through this, some blocks at a time (group); single is for one record.
//!
//! Only `x86_64` and `aarch64` name intrinsics, and only [`stamp!`] names target features. A kernel is entered once a piece
//! of many lines. What becomes of the streams and the suspects is not here but in [`bulk`](crate::bulk).

#![allow(unsafe_code)]

mod classify;
mod columns;
mod group;
mod mark;
mod masks;
mod rare;
mod scan;
mod shape;
mod single;
mod streams;
#[cfg(test)]
mod tests;
mod vector;

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use core::fmt;

use crate::batch::Columns;
use crate::error::{Component, named_enum};
use crate::grammar::Grammar;
pub(crate) use columns::{Offsets, Place};
pub(crate) use streams::{Mark, Streams, collect};

named_enum! {
    /// The instructions that a scan uses. All backends give the same verdicts, offsets and errors.
    #[non_exhaustive]
    Backend {
        /// The exact parsers, a record at a time: on every machine.
        Scalar = "scalar",
        /// x86_64 with SSE4.2, SSSE3 and POPCNT.
        Sse42 = "sse4.2",
        /// x86_64 with AVX2, BMI1, BMI2, LZCNT and POPCNT.
        Avx2 = "avx2",
        /// x86_64 with AVX-512 F, BW, VL, DQ and VBMI2 (since Ice Lake and Zen 4), and what `avx2` needs.
        Avx512 = "avx512",
        /// aarch64.
        Neon = "neon",
    }
}

impl Backend {
    /// The fastest backend of this machine.
    ///
    /// Without the feature `std` it is the fastest that the build's target features promise.
    pub fn best() -> Self {
        [Backend::Avx512, Backend::Avx2, Backend::Sse42, Backend::Neon]
            .into_iter()
            .find(|backend| backend.is_available())
            .unwrap_or(Backend::Scalar)
    }

    /// Whether this machine has it.
    pub fn is_available(self) -> bool {
        match self {
            Backend::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Backend::Sse42 => x86_64::sse42::is_available(),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2 => x86_64::avx2::is_available(),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512 => x86_64::avx512::is_available(),
            #[cfg(target_arch = "aarch64")]
            Backend::Neon => aarch64::neon::is_available(),
            #[allow(unreachable_patterns)]
            _ => false,
        }
    }

    /// Whether this build has it, on whatever machine it runs.
    pub const fn is_compiled(self) -> bool {
        match self {
            Backend::Scalar => true,
            Backend::Sse42 | Backend::Avx2 | Backend::Avx512 => cfg!(target_arch = "x86_64"),
            Backend::Neon => cfg!(target_arch = "aarch64"),
        }
    }
}

/// A backend was asked for that this machine does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BackendUnavailable(pub(crate) Backend);

impl fmt::Display for BackendUnavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this machine has no {} backend; it has", self.0)?;
        for (i, backend) in Backend::ALL.iter().filter(|backend| backend.is_available()).enumerate() {
            write!(f, "{} {backend}", if i == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl core::error::Error for BackendUnavailable {}

/// A backend that this machine has: whoever holds one has seen to that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Available(Backend);

impl Available {
    pub(crate) const SCALAR: Self = Available(Backend::Scalar);

    pub(crate) fn new(backend: Backend) -> Option<Self> {
        backend.is_available().then_some(Available(backend))
    }

    /// The fastest one, looked for once.
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

/// What a backend can do: all of it asks for the backend's features.
#[derive(Clone, Copy)]
struct Kernels {
    /// Scans whole lines of a grammar and collects what is named by [`collect`].
    scan: unsafe fn(Grammar, u8, &[u8], &mut Streams),
    /// Whether a record is valid beyond any suspicion.
    is_plain: unsafe fn(Grammar, &[u8]) -> bool,
    /// Streams to columns.
    fill: unsafe fn(Grammar, &[u8], Place, &mut Streams, Columns, &mut Offsets),
    /// Counts over columns.
    count_components: unsafe fn(&Offsets, bool) -> [u32; Component::ALL.len()],
}

impl Kernels {
    /// Those of a backend; the scalar one has none.
    #[inline]
    fn of(backend: Available) -> Option<Self> {
        match backend.0 {
            #[cfg(target_arch = "x86_64")]
            Backend::Sse42 => Some(x86_64::sse42::KERNELS),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2 => Some(x86_64::avx2::KERNELS),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512 => Some(x86_64::avx512::KERNELS),
            #[cfg(target_arch = "aarch64")]
            Backend::Neon => Some(aarch64::neon::KERNELS),
            _ => None,
        }
    }
}

/// Scans `piece`, which is empty or ends with LF.
///
/// # Panics
///
/// If the backend is the scalar one, which has no kernels.
pub(crate) fn scan(backend: Available, grammar: Grammar, collect: u8, piece: &[u8], streams: &mut Streams) {
    let kernels = Kernels::of(backend).expect("the scalar backend has no kernels");
    // SAFETY: the machine has the backend.
    unsafe { (kernels.scan)(grammar, collect, piece, streams) }
}

/// Whether a record is valid beyond any suspicion. If not, a parser must judge it.
#[inline]
pub(crate) fn is_plain(backend: Available, grammar: Grammar, record: &[u8]) -> bool {
    // SAFETY: the machine has the backend.
    Kernels::of(backend).is_some_and(|kernels| unsafe { (kernels.is_plain)(grammar, record) })
}

/// Appends what a scan found in a piece to the columns that are wanted; see [`columns::fill`].
///
/// # Panics
///
/// As [`scan`].
pub(crate) fn fill(
    backend: Available,
    grammar: Grammar,
    lines: &[u8],
    place: Place,
    streams: &mut Streams,
    wanted: Columns,
    columns: &mut Offsets,
) {
    let kernels = Kernels::of(backend).expect("the scalar backend has no kernels");
    // SAFETY: the machine has the backend.
    unsafe { (kernels.fill)(grammar, lines, place, streams, wanted, columns) }
}

/// How many records of finished columns have each component; see [`columns::count_components`].
pub(crate) fn count_components(
    backend: Available,
    columns: &Offsets,
    ignore_empty_port: bool,
) -> [u32; Component::ALL.len()] {
    match Kernels::of(backend) {
        // SAFETY: the machine has the backend.
        Some(kernels) => unsafe { (kernels.count_components)(columns, ignore_empty_port) },
        None => columns::count_components(columns, ignore_empty_port),
    }
}

/// Makes a backend's kernels and the question whether the machine has it, from one list of target features.
macro_rules! stamp {
    ($($backend:ident: $vector:ty, $($feature:tt),+;)*) => {$(
        pub(super) mod $backend {
            use crate::batch::Columns;
            use crate::error::Component;
            use crate::grammar::Grammar;
            use crate::simd::{Kernels, Offsets, Place, Streams, has_feature};

            /// Whether the machine has all features that the kernels are compiled for.
            pub(in crate::simd) fn is_available() -> bool {
                true $(&& has_feature!($feature))+
            }

            pub(in crate::simd) const KERNELS: Kernels = Kernels { scan, is_plain, fill, count_components };

            /// All that is generic is inlined here, where the features are.
            #[target_feature($(enable = $feature),+)]
            fn scan(grammar: Grammar, collect: u8, piece: &[u8], streams: &mut Streams) {
                // SAFETY: this function has the features of its vector.
                unsafe { crate::simd::scan::for_grammar::<$vector>(grammar, collect, piece, streams) }
            }

            #[target_feature($(enable = $feature),+)]
            fn is_plain(grammar: Grammar, record: &[u8]) -> bool {
                // SAFETY: this function has the features of its vector.
                unsafe { crate::simd::single::is_plain_for_grammar::<$vector>(grammar, record) }
            }

            #[target_feature($(enable = $feature),+)]
            fn fill(
                grammar: Grammar,
                lines: &[u8],
                place: Place,
                streams: &mut Streams,
                wanted: Columns,
                columns: &mut Offsets,
            ) {
                crate::simd::columns::fill(grammar, lines, place, streams, wanted, columns);
            }

            #[target_feature($(enable = $feature),+)]
            fn count_components(
                columns: &Offsets,
                ignore_empty_port: bool,
            ) -> [u32; Component::ALL.len()] {
                crate::simd::columns::count_components(columns, ignore_empty_port)
            }
        }
    )*};
}
use stamp;

/// Whether the machine has a feature: by the build, or by a look where there is `std`.
macro_rules! has_feature {
    ($feature:tt) => {{
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        let has = std::arch::is_x86_feature_detected!($feature);
        #[cfg(not(all(feature = "std", target_arch = "x86_64")))]
        let has = cfg!(target_feature = $feature);
        has
    }};
}
use has_feature;
