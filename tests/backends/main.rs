//! Every backend that this machine has against the parsers: verdicts, columns and errors of every grammar.
//!
//! A scan must not tell on which side of a border of blocks, pieces or buffers something lies; so here everything
//! lies on all of them.

#[cfg(target_os = "linux")]
mod guard_pages;

mod borders;
mod cases;
mod changing;
mod columns;
mod line_ends;
mod mutations;
mod normal_forms;
mod pieces;
mod ranges;
mod reference;
mod references;
mod shuffled;

use urivalidate::{Backend, Grammar, Validator};

/// For a loop that takes long: the size of its steps. They are 1 if `URIVALIDATE_LONG_TESTS` is set, as `.ci/run` sets it, 3 at most without it, and as given
/// for an emulated processor, which has no time for more.
fn stride(emulated: usize) -> usize {
    if cfg!(target_arch = "aarch64") {
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
