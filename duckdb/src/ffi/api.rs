//! The functions of DuckDB that the extension calls.
//!
//! DuckDB hands out a table of function pointers. In version [`API_VERSION`] the table has the first
//! [`SLOTS`] slots of the struct in the bindings, and the table of an older DuckDB ends there. So the
//! extension reads each slot that it uses on its own, and does not compile if it uses a slot beyond
//! [`SLOTS`].
#![expect(unsafe_code, reason = "reads a table of function pointers")]

use std::ffi::{CStr, c_char, c_void};
use std::mem::offset_of;
use std::sync::OnceLock;

use libduckdb_sys::*;

use crate::failure::Failure;

/// The version of the C API that the extension uses. No later version changes its functions.
pub(crate) const API_VERSION: &CStr = c"v1.2.0";

/// The number of functions in [`API_VERSION`].
const SLOTS: usize = 404;

static API: OnceLock<Api> = OnceLock::new();

/// Returns DuckDB's functions. [`set_api`] has set them before DuckDB calls any other function of the
/// extension.
#[inline]
pub(crate) fn api() -> &'static Api {
    API.get().expect("the extension has been loaded")
}

/// Sets the functions that [`api()`] returns.
///
/// # Errors
///
/// If DuckDB lacks one of the functions, or if another DuckDB in the same process has already set its
/// functions.
///
/// # Safety
///
/// `table` is the table that DuckDB returns for [`API_VERSION`].
pub(crate) unsafe fn set_api(table: *const duckdb_ext_api_v1) -> Result<(), Failure> {
    // SAFETY: the caller guarantees this.
    let Some(api) = (unsafe { Api::read(table) }) else {
        return Err(Failure("DuckDB lacks functions of its C API v1.2.0".to_owned()));
    };
    let connect = api.duckdb_connect as *const ();
    // Each database in a process loads the extension, but the functions of DuckDB stay the same.
    if API.get_or_init(|| api).duckdb_connect as *const () == connect {
        Ok(())
    } else {
        Err(Failure("another DuckDB in this process has loaded the same file; load a copy of it".to_owned()))
    }
}

macro_rules! api {
    ($($name:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// Pointers to functions of DuckDB, with the names in DuckDB's documentation.
        pub(crate) struct Api {
            $(pub(crate) $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        $(const _: () = assert!(offset_of!(duckdb_ext_api_v1, $name) < SLOTS * size_of::<fn()>());)*

        impl Api {
            /// # Safety
            ///
            /// The requirement of [`set_api`].
            unsafe fn read(table: *const duckdb_ext_api_v1) -> Option<Self> {
                // SAFETY: the table of this version has the slot, as the assertion above checks. The code
                // makes no reference to the whole struct.
                Some(Api { $($name: unsafe { (&raw const (*table).$name).read() }?,)* })
            }
        }
    };
}

api! {
    duckdb_connect(duckdb_database, *mut duckdb_connection) -> duckdb_state;
    duckdb_disconnect(*mut duckdb_connection);
    duckdb_free(*mut c_void);
    duckdb_library_version() -> *const c_char;

    duckdb_create_logical_type(duckdb_type) -> duckdb_logical_type;
    duckdb_create_list_type(duckdb_logical_type) -> duckdb_logical_type;
    duckdb_create_map_type(duckdb_logical_type, duckdb_logical_type) -> duckdb_logical_type;
    duckdb_create_struct_type(*mut duckdb_logical_type, *mut *const c_char, idx_t) -> duckdb_logical_type;
    duckdb_destroy_logical_type(*mut duckdb_logical_type);

    duckdb_get_value_type(duckdb_value) -> duckdb_logical_type;
    duckdb_get_type_id(duckdb_logical_type) -> duckdb_type;
    duckdb_is_null_value(duckdb_value) -> bool;
    duckdb_get_bool(duckdb_value) -> bool;
    duckdb_get_int64(duckdb_value) -> i64;
    duckdb_get_varchar(duckdb_value) -> *mut c_char;
    duckdb_get_list_size(duckdb_value) -> idx_t;
    duckdb_get_list_child(duckdb_value, idx_t) -> duckdb_value;
    duckdb_destroy_value(*mut duckdb_value);

    duckdb_vector_size() -> idx_t;
    duckdb_data_chunk_get_size(duckdb_data_chunk) -> idx_t;
    duckdb_data_chunk_get_column_count(duckdb_data_chunk) -> idx_t;
    duckdb_data_chunk_set_size(duckdb_data_chunk, idx_t);
    duckdb_data_chunk_get_vector(duckdb_data_chunk, idx_t) -> duckdb_vector;
    duckdb_vector_get_data(duckdb_vector) -> *mut c_void;
    duckdb_vector_get_validity(duckdb_vector) -> *mut u64;
    duckdb_vector_ensure_validity_writable(duckdb_vector);
    duckdb_vector_assign_string_element_len(duckdb_vector, idx_t, *const c_char, idx_t);
    duckdb_list_vector_get_child(duckdb_vector) -> duckdb_vector;
    duckdb_list_vector_get_size(duckdb_vector) -> idx_t;
    duckdb_list_vector_reserve(duckdb_vector, idx_t) -> duckdb_state;
    duckdb_list_vector_set_size(duckdb_vector, idx_t) -> duckdb_state;
    duckdb_struct_vector_get_child(duckdb_vector, idx_t) -> duckdb_vector;

    duckdb_create_scalar_function() -> duckdb_scalar_function;
    duckdb_destroy_scalar_function(*mut duckdb_scalar_function);
    duckdb_scalar_function_set_name(duckdb_scalar_function, *const c_char);
    duckdb_scalar_function_add_parameter(duckdb_scalar_function, duckdb_logical_type);
    duckdb_scalar_function_set_return_type(duckdb_scalar_function, duckdb_logical_type);
    duckdb_scalar_function_set_extra_info(duckdb_scalar_function, *mut c_void, duckdb_delete_callback_t);
    duckdb_scalar_function_set_function(duckdb_scalar_function, duckdb_scalar_function_t);
    duckdb_scalar_function_get_extra_info(duckdb_function_info) -> *mut c_void;
    duckdb_scalar_function_set_error(duckdb_function_info, *const c_char);
    duckdb_register_scalar_function(duckdb_connection, duckdb_scalar_function) -> duckdb_state;
    duckdb_create_scalar_function_set(*const c_char) -> duckdb_scalar_function_set;
    duckdb_destroy_scalar_function_set(*mut duckdb_scalar_function_set);
    duckdb_add_scalar_function_to_set(duckdb_scalar_function_set, duckdb_scalar_function) -> duckdb_state;
    duckdb_register_scalar_function_set(duckdb_connection, duckdb_scalar_function_set) -> duckdb_state;

    duckdb_create_aggregate_function() -> duckdb_aggregate_function;
    duckdb_destroy_aggregate_function(*mut duckdb_aggregate_function);
    duckdb_aggregate_function_set_name(duckdb_aggregate_function, *const c_char);
    duckdb_aggregate_function_add_parameter(duckdb_aggregate_function, duckdb_logical_type);
    duckdb_aggregate_function_set_return_type(duckdb_aggregate_function, duckdb_logical_type);
    duckdb_aggregate_function_set_functions(
        duckdb_aggregate_function,
        duckdb_aggregate_state_size,
        duckdb_aggregate_init_t,
        duckdb_aggregate_update_t,
        duckdb_aggregate_combine_t,
        duckdb_aggregate_finalize_t
    );
    duckdb_aggregate_function_set_special_handling(duckdb_aggregate_function);
    duckdb_aggregate_function_set_error(duckdb_function_info, *const c_char);
    duckdb_create_aggregate_function_set(*const c_char) -> duckdb_aggregate_function_set;
    duckdb_destroy_aggregate_function_set(*mut duckdb_aggregate_function_set);
    duckdb_add_aggregate_function_to_set(duckdb_aggregate_function_set, duckdb_aggregate_function) -> duckdb_state;
    duckdb_register_aggregate_function_set(duckdb_connection, duckdb_aggregate_function_set) -> duckdb_state;

    duckdb_create_table_function() -> duckdb_table_function;
    duckdb_destroy_table_function(*mut duckdb_table_function);
    duckdb_table_function_set_name(duckdb_table_function, *const c_char);
    duckdb_table_function_add_parameter(duckdb_table_function, duckdb_logical_type);
    duckdb_table_function_add_named_parameter(duckdb_table_function, *const c_char, duckdb_logical_type);
    duckdb_table_function_set_bind(duckdb_table_function, duckdb_table_function_bind_t);
    duckdb_table_function_set_init(duckdb_table_function, duckdb_table_function_init_t);
    duckdb_table_function_set_function(duckdb_table_function, duckdb_table_function_t);
    duckdb_table_function_supports_projection_pushdown(duckdb_table_function, bool);
    duckdb_register_table_function(duckdb_connection, duckdb_table_function) -> duckdb_state;
    duckdb_bind_get_parameter(duckdb_bind_info, idx_t) -> duckdb_value;
    duckdb_bind_get_named_parameter(duckdb_bind_info, *const c_char) -> duckdb_value;
    duckdb_bind_add_result_column(duckdb_bind_info, *const c_char, duckdb_logical_type);
    duckdb_bind_set_cardinality(duckdb_bind_info, idx_t, bool);
    duckdb_bind_set_bind_data(duckdb_bind_info, *mut c_void, duckdb_delete_callback_t);
    duckdb_bind_set_error(duckdb_bind_info, *const c_char);
    duckdb_init_get_bind_data(duckdb_init_info) -> *mut c_void;
    duckdb_init_get_column_count(duckdb_init_info) -> idx_t;
    duckdb_init_get_column_index(duckdb_init_info, idx_t) -> idx_t;
    duckdb_init_set_init_data(duckdb_init_info, *mut c_void, duckdb_delete_callback_t);
    duckdb_init_set_max_threads(duckdb_init_info, idx_t);
    duckdb_init_set_error(duckdb_init_info, *const c_char);
    duckdb_function_get_init_data(duckdb_function_info) -> *mut c_void;
    duckdb_function_set_error(duckdb_function_info, *const c_char);
}
