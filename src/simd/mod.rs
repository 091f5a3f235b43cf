//! SIMD: which backends there are, which one this machine has, and the way into their kernels.
//!
//! ```text
//! piece of whole lines -> vector.rs: blocks of 64 bytes in registers -> classify.rs: masks
//!                      -> scan.rs: markers, streams of positions, suspects
//! ```
//!
//! Only `x86_64` and `aarch64` name intrinsics, and only [`stamp!`] names target features. A kernel is entered once a piece
//! of many lines. What becomes of the streams and the suspects is not here but in [`bulk`](crate::bulk).

#![allow(unsafe_code)]

mod classify;
mod count;
mod scan;
#[cfg(test)]
mod tests;
mod vector;

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use alloc::vec::Vec;
use core::fmt;

use crate::batch::Column;
use crate::error::{Component, named_enum};
use crate::grammar::Grammar;
pub(crate) use scan::{Streams, collect};

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
        /// x86_64 with AVX-512 F, BW, VL and DQ, and what `avx2` needs.
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

/// How many records of finished columns have each component; see [`count::count_components`].
pub(crate) fn count_components(
    columns: &[Vec<u32>; Column::ALL.len()],
    ignore_empty_port: bool,
) -> [u32; Component::ALL.len()] {
    #[cfg(target_arch = "x86_64")]
    if Backend::Avx2.is_available() {
        // SAFETY: the machine was just seen to have the features.
        return unsafe { x86_64::avx2_count(columns, ignore_empty_port) };
    }
    count::count_components(columns, ignore_empty_port)
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
            streams: &mut super::scan::Streams,
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
