//! Failures as messages, panics included: no panic may reach DuckDB.

use std::any::Any;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The error message of a query.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

impl Failure {
    /// Returns the message as a C string, which a NUL in the text would end.
    pub(crate) fn message(&self) -> CString {
        CString::new(self.0.replace('\0', "\u{FFFD}")).unwrap_or_default()
    }
}

impl<E: std::fmt::Display> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure(error.to_string())
    }
}

/// Runs `work` and returns its result. A panic becomes a failure.
pub(crate) fn caught<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    // A value that a panic leaves half done is dropped with the call, or guarded by a lock that ignores the
    // panic.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(of_panic(&*panic)))
}

fn of_panic(panic: &(dyn Any + Send)) -> Failure {
    let message = panic.downcast_ref::<String>().map(String::as_str);
    Failure(match message.or_else(|| panic.downcast_ref::<&str>().copied()) {
        Some(message) => format!("internal error: {message}"),
        None => "internal error".to_owned(),
    })
}
