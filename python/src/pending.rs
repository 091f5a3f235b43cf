//! Exceptions that the interpreter itself has to raise.
//!
//! A consumer in C gets an error from a stream, and turns it into an exception of its own. A program may catch and ignore that one, and
//! must not lose a KeyboardInterrupt this way.
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
        // The interpreter's list of pending calls is full.
        // SAFETY: it was made here, and nothing else refers to it.
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
