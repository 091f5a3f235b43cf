//! Makes the interpreter itself raise an exception.
//!
//! A consumer in C gets an error from a stream, and raises its own exception for it. A program may catch and
//! ignore this exception. It must not lose a KeyboardInterrupt this way.
#![expect(unsafe_code, reason = "pending calls are made of pointers")]

use std::ffi::{c_int, c_void};

use pyo3::ffi::Py_AddPendingCall;
use pyo3::prelude::*;

/// Makes the main thread raise the exception as soon as it runs Python code.
pub(crate) fn raise_soon(error: PyErr) {
    let error = Box::into_raw(Box::new(error)).cast();
    // SAFETY: any thread may call this function. `raise` has the type that it expects.
    let refused = unsafe { Py_AddPendingCall(Some(raise), error) } != 0;
    if refused {
        // The interpreter's list of pending calls is full.
        // SAFETY: this function made the box, and nothing else refers to it.
        drop(unsafe { Box::from_raw(error.cast::<PyErr>()) });
    }
}

extern "C" fn raise(error: *mut c_void) -> c_int {
    // SAFETY: `raise_soon` made the box, and the interpreter calls this function once.
    let error = unsafe { Box::from_raw(error.cast::<PyErr>()) };
    // SAFETY: the interpreter runs pending calls in a thread that is attached to it.
    error.restore(unsafe { Python::assume_attached() });
    -1
}
