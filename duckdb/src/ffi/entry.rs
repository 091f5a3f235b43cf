//! The function that DuckDB calls when it loads the extension.
#![expect(unsafe_code, reason = "DuckDB calls it by its name, with pointers")]

use std::ptr;

use libduckdb_sys::*;

use super::api::{API_VERSION, api, set_api};
use super::{aggregate_function, scalar_function, table_function};
use crate::failure::{Failure, caught};
use crate::functions;

/// Registers all functions. DuckDB derives the name of this function from the name of the file.
///
/// # Safety
///
/// Only DuckDB may call this, with pointers that are valid for the call.
#[unsafe(no_mangle)]
unsafe extern "C" fn urivalidate_init_c_api(
    info: duckdb_extension_info,
    access: *const duckdb_extension_access,
) -> bool {
    // SAFETY: the caller guarantees this.
    let access = unsafe { &*access };
    // SAFETY: as above.
    match caught(|| unsafe { load(info, access) }) {
        Ok(is_loaded) => is_loaded,
        Err(failure) => {
            if let Some(set_error) = access.set_error {
                // SAFETY: DuckDB copies the message.
                unsafe { set_error(info, failure.message().as_ptr()) };
            }
            false
        }
    }
}

/// Loads the extension. Returns false if DuckDB has set an error itself.
///
/// # Safety
///
/// The requirements of [`urivalidate_init_c_api`].
unsafe fn load(info: duckdb_extension_info, access: &duckdb_extension_access) -> Result<bool, Failure> {
    let (Some(get_api), Some(get_database)) = (access.get_api, access.get_database) else {
        return Err(Failure("DuckDB gives no access to its functions".to_owned()));
    };
    // SAFETY: the caller guarantees the pointers, and the table is the one of this version.
    unsafe {
        let table = get_api(info, API_VERSION.as_ptr());
        if table.is_null() {
            return Ok(false);
        }
        set_api(table.cast())?;
        let database = get_database(info);
        if database.is_null() {
            return Ok(false);
        }
        let mut connection = ptr::null_mut();
        if (api().duckdb_connect)(*database, &mut connection) != DuckDBSuccess {
            return Err(Failure("cannot connect to the database".to_owned()));
        }
        let registered = register(connection);
        (api().duckdb_disconnect)(&mut connection);
        registered.map(|()| true)
    }
}

/// # Safety
///
/// The connection is open.
unsafe fn register(connection: duckdb_connection) -> Result<(), Failure> {
    for function in functions::all() {
        // SAFETY: the caller guarantees this.
        unsafe { scalar_function::register(connection, function)? };
    }
    // SAFETY: as above.
    unsafe {
        scalar_function::register_suffix_list_date(connection)?;
        if aggregate_function::is_supported() {
            aggregate_function::register(connection)?;
        }
        table_function::register(connection)
    }
}
