//! Values of parameters.
#![expect(unsafe_code, reason = "values are made by functions of C")]

use std::ffi::CStr;

use libduckdb_sys::*;

use super::api::api;
use crate::failure::Failure;

/// A value of DuckDB.
pub(super) struct Value(duckdb_value);

impl Value {
    /// Takes over a value. Returns `None` if the pointer is null or the value is NULL.
    ///
    /// # Safety
    ///
    /// DuckDB returned the value, and the caller owns it.
    pub(super) unsafe fn new(value: duckdb_value) -> Option<Self> {
        let value = Value(value);
        // SAFETY: the value is alive.
        let is_there = !value.0.is_null() && !unsafe { (api().duckdb_is_null_value)(value.0) };
        is_there.then_some(value)
    }

    /// Returns the text of a VARCHAR.
    pub(super) fn text(&self) -> Result<String, Failure> {
        // SAFETY: the value is alive. DuckDB returns a string with a NUL at its end, which is ours to free.
        unsafe {
            let text = (api().duckdb_get_varchar)(self.0);
            if text.is_null() {
                return Err(Failure("expected a string".to_owned()));
            }
            let owned = CStr::from_ptr(text).to_str().map(str::to_owned);
            (api().duckdb_free)(text.cast());
            Ok(owned?)
        }
    }

    /// Returns the texts of a list of VARCHAR. A VARCHAR is a list of one text.
    pub(super) fn texts(&self) -> Result<Vec<String>, Failure> {
        // SAFETY: the value is alive. Its type belongs to it, and so is alive, too.
        let id = unsafe { (api().duckdb_get_type_id)((api().duckdb_get_value_type)(self.0)) };
        match id {
            DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR => Ok(vec![self.text()?]),
            DUCKDB_TYPE_DUCKDB_TYPE_LIST => {
                // SAFETY: the value is a list.
                let len = unsafe { (api().duckdb_get_list_size)(self.0) };
                let text = |index| {
                    // SAFETY: the list has an element with this index. The returned value is ours to destroy.
                    let value = unsafe { Value::new((api().duckdb_get_list_child)(self.0, index)) };
                    value.ok_or_else(|| Failure("a name in the list is NULL".to_owned()))?.texts()
                };
                Ok((0..len).map(text).collect::<Result<Vec<_>, _>>()?.concat())
            }
            _ => Err(Failure("expected a string or a list of strings".to_owned())),
        }
    }

    /// Returns true for the value of a BOOLEAN.
    pub(super) fn flag(&self) -> bool {
        // SAFETY: the value is alive.
        unsafe { (api().duckdb_get_bool)(self.0) }
    }

    /// Returns the value of a BIGINT.
    pub(super) fn number(&self) -> i64 {
        // SAFETY: the value is alive.
        unsafe { (api().duckdb_get_int64)(self.0) }
    }
}

impl Drop for Value {
    fn drop(&mut self) {
        if !self.0.is_null() {
            // SAFETY: the value is alive, and nobody else destroys it.
            unsafe { (api().duckdb_destroy_value)(&mut self.0) };
        }
    }
}
