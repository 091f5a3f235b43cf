//! SIMD: which backends there are, which one this machine has, and the way into their kernels.
//!
//! ```text
//! piece of whole lines -> vector: blocks of 64 bytes in registers, asked by the tables of classify
//!                      -> passes: masks, then markers, as the shape of the grammar's lines has it; rare: what few have
//!                      -> scan, streams: positions and suspects
//!                      -> columns: offsets
//! ```
//!
//! Only `x86_64` and `aarch64` name intrinsics, and only [`stamp!`] names target features. A kernel is entered once a piece
//! of many lines. What becomes of the streams and the suspects is not here but in [`bulk`](crate::bulk).

#![allow(unsafe_code)]

mod classify;
mod columns;
mod passes;
mod rare;
mod scan;
mod shape;
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
pub(crate) use columns::Offsets;
pub(crate) use streams::{Streams, collect};

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
            Backend::Sse42 => x86_64::sse42_is_available(),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2 => x86_64::avx2_is_available(),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512 => x86_64::avx512_is_available(),
            #[cfg(target_arch = "aarch64")]
            Backend::Neon => aarch64::neon_is_available(),
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

/// A kernel: scans whole lines of a grammar and collects what is named by [`collect`].
type Kernel = unsafe fn(Grammar, u8, &[u8], &mut Streams);

/// Scans `piece`, which is empty or ends with LF.
///
/// # Panics
///
/// If the machine does not have the backend, or if it is the scalar one, which has no kernel.
pub(crate) fn scan(backend: Backend, grammar: Grammar, collect: u8, piece: &[u8], streams: &mut Streams) {
    assert!(backend.is_available());
    let kernel: Kernel = match backend {
        #[cfg(target_arch = "x86_64")]
        Backend::Sse42 => x86_64::sse42,
        #[cfg(target_arch = "x86_64")]
        Backend::Avx2 => x86_64::avx2,
        #[cfg(target_arch = "x86_64")]
        Backend::Avx512 => x86_64::avx512,
        #[cfg(target_arch = "aarch64")]
        Backend::Neon => aarch64::neon,
        _ => panic!("the {backend} backend has no kernel"),
    };
    // SAFETY: the machine was just seen to have the features.
    unsafe { kernel(grammar, collect, piece, streams) }
}

/// Appends what a scan found in a piece to the columns that are wanted; see [`columns::fill`].
pub(crate) fn fill(
    grammar: Grammar,
    lines: &[u8],
    base: u32,
    streams: &mut Streams,
    wanted: Columns,
    columns: &mut Offsets,
) {
    #[cfg(target_arch = "x86_64")]
    if Backend::Avx2.is_available() {
        // SAFETY: the machine was just seen to have the features.
        return unsafe { x86_64::avx2_fill(grammar, lines, base, streams, wanted, columns) };
    }
    columns::fill(grammar, lines, base, streams, wanted, columns);
}

/// How many records of finished columns have each component; see [`columns::count_components`].
pub(crate) fn count_components(columns: &Offsets, ignore_empty_port: bool) -> [u32; Component::ALL.len()] {
    #[cfg(target_arch = "x86_64")]
    if Backend::Avx2.is_available() {
        // SAFETY: the machine was just seen to have the features.
        return unsafe { x86_64::avx2_count_components(columns, ignore_empty_port) };
    }
    columns::count_components(columns, ignore_empty_port)
}

/// Makes a backend's kernel and the question whether the machine has it, from one list of target features.
macro_rules! stamp {
    ($($kernel:ident / $is_available:ident: $vector:ty, $($feature:tt),+;)*) => {$(
        /// Whether the machine has all features that the kernel is compiled for.
        pub(super) fn $is_available() -> bool {
            true $(&& super::has_feature!($feature))+
        }

        /// The kernel. All that is generic is inlined here, where the features are.
        #[target_feature($(enable = $feature),+)]
        pub(super) fn $kernel(
            grammar: crate::grammar::Grammar,
            collect: u8,
            piece: &[u8],
            streams: &mut super::Streams,
        ) {
            // SAFETY: this function has the features of its vector.
            unsafe { super::scan::for_grammar::<$vector>(grammar, collect, piece, streams) }
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
