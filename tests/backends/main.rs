//! Tests every backend of this machine against the parsers: verdicts, columns and errors of every grammar.
//!
//! A scan must not depend on the side of a border of blocks, pieces or buffers on which something lies. So
//! these tests put everything on all sides.

#[cfg(target_os = "linux")]
mod guard_pages;

mod borders;
mod cases;
mod changing;
mod columns;
#[cfg(feature = "corpus")]
mod counts;
mod line_ends;
mod mutations;
mod normal_forms;
mod pieces;
mod ranges;
mod reference;
mod references;
mod shuffled;

use urivalidate::{Backend, Grammar, Validator};

/// Returns the step of a loop that takes long: 1 if `URIVALIDATE_LONG_TESTS` is set, as the lane `long-tests`
/// sets it, otherwise at most 3. On an emulated processor, which has no time for more, it is `emulated`.
fn stride(emulated: usize) -> usize {
    if cfg!(not(any(target_arch = "x86", target_arch = "x86_64"))) {
        return emulated;
    }
    if std::env::var_os("URIVALIDATE_LONG_TESTS").is_some() { 1 } else { emulated.min(3) }
}

#[test]
fn every_backend_of_the_machine_is_tested() {
    let tested = reference::backends();
    for &backend in Backend::ALL {
        let validator = Validator::new(Grammar::Uri).with_backend(backend);
        assert_eq!(validator.is_ok(), tested.contains(&backend), "{backend}");
        assert!(validator.is_err() || validator.is_ok_and(|validator| validator.backend() == backend));
    }
    assert!(tested.contains(&Backend::Scalar));
    assert_eq!(Some(&Backend::best()), tested.last(), "the backends are ordered from slow to fast");
    assert_eq!(Validator::new(Grammar::Uri).backend(), Backend::best());
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    if std::arch::is_x86_feature_detected!("avx2") {
        assert!(tested.starts_with(&[Backend::Scalar, Backend::Sse42, Backend::Avx2]), "{tested:?}");
    }
    #[cfg(target_arch = "aarch64")]
    assert_eq!((Backend::best(), tested), (Backend::Neon, &[Backend::Scalar, Backend::Neon][..]));
}
