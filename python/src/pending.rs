//! Exceptions that the interpreter itself has to raise.
//!
//! A consumer of a stream that is written in C gets an error, not an exception, and makes an exception of its own out of it. That may be
//! caught and forgotten, as a KeyboardInterrupt must not be.
#![expect(unsafe_code, reason = "pending calls are made of pointers")]

use std::ffi::{c_int, c_void};

use pyo3::ffi::Py_AddPendingCall;
use pyo3::prelude::*;

/// Has the exception raised by the main thread as soon as that runs Python code.
pub(crate) fn raise_soon(error: PyErr) {
    let error = Box::into_raw(Box::new(error)).cast();
    // SAFETY: any thread may call this. The call gets its expected result.
    let refused = unsafe { Py_AddPendingCall(Some(raise), error) } != 0;
    if refused {
        // As many exceptions are about to be raised as there is room for.
        // SAFETY: it was made here, and nobody else has it.
        drop(unsafe { Box::from_raw(error.cast::<PyErr>()) });
    }
}

extern "C" fn raise(error: *mut c_void) -> c_int {
    // SAFETY: `raise_soon` made it, and the interpreter calls this once.
    let error = unsafe { Box::from_raw(error.cast::<PyErr>()) };
    // SAFETY: the interpreter makes pending calls in a thread that is attached to it.
    error.restore(unsafe { Python::assume_attached() });
    -1
}
