//! Registers the table function `read_uris`, and runs DuckDB's calls of it.
#![expect(unsafe_code, reason = "DuckDB calls back with pointers")]

use std::ffi::{CStr, CString};

use libduckdb_sys::*;

use super::api::api;
use super::logical_type::LogicalType;
use super::output::OutputVector;
use super::scalar_function::destroy;
use super::value::Value;
use crate::failure::{Failure, caught};
use crate::read_uris::{Parameters, Plan, Rows};

const NAME: &CStr = c"read_uris";

/// A function that makes the type of a parameter.
type TypeOf = fn() -> LogicalType;

/// The names and types of the named parameters.
const PARAMETERS: [(&CStr, TypeOf); 11] = [
    (c"format", LogicalType::varchar),
    (c"emit", LogicalType::varchar),
    (c"columns", LogicalType::list_of_varchar),
    (c"grammar", LogicalType::varchar),
    (c"zone_ids", LogicalType::boolean),
    (c"field", LogicalType::varchar),
    (c"key", LogicalType::varchar),
    (c"header", LogicalType::boolean),
    (c"delimiter", LogicalType::varchar),
    (c"trim", LogicalType::boolean),
    (c"threads", LogicalType::bigint),
];

/// Registers the function.
///
/// # Safety
///
/// The connection is open.
pub(super) unsafe fn register(connection: duckdb_connection) -> Result<(), Failure> {
    // SAFETY: the connection is open. This code makes everything else, uses it while it is alive, and
    // destroys it once. DuckDB copies names and types.
    let state = unsafe {
        let mut function = (api().duckdb_create_table_function)();
        (api().duckdb_table_function_set_name)(function, NAME.as_ptr());
        // The files: a string, or a list of strings.
        (api().duckdb_table_function_add_parameter)(function, LogicalType::any().raw());
        for (name, parameter) in PARAMETERS {
            let parameter = parameter();
            (api().duckdb_table_function_add_named_parameter)(function, name.as_ptr(), parameter.raw());
        }
        (api().duckdb_table_function_set_bind)(function, Some(bind));
        (api().duckdb_table_function_set_init)(function, Some(init));
        (api().duckdb_table_function_set_function)(function, Some(next));
        (api().duckdb_table_function_supports_projection_pushdown)(function, true);
        let state = (api().duckdb_register_table_function)(connection, function);
        (api().duckdb_destroy_table_function)(&mut function);
        state
    };
    if state == DuckDBSuccess {
        Ok(())
    } else {
        Err(Failure("DuckDB does not take the function read_uris".to_owned()))
    }
}

/// Makes the plan of the scan, and names its columns. DuckDB calls this when it plans a query.
///
/// # Safety
///
/// Only DuckDB may call this, for the function registered here.
unsafe extern "C" fn bind(info: duckdb_bind_info) {
    let result = caught(|| {
        // SAFETY: `info` is valid for this call.
        let plan = Plan::new(&unsafe { parameters(info) }?)?;
        for field in plan.schema().fields() {
            let (name, column) = (CString::new(field.name().as_str())?, LogicalType::of(field.data_type())?);
            // SAFETY: DuckDB copies the name and the type.
            unsafe { (api().duckdb_bind_add_result_column)(info, name.as_ptr(), column.raw()) };
        }
        // SAFETY: `info` is valid for this call.
        unsafe { (api().duckdb_bind_set_cardinality)(info, plan.rows(), false) };
        let plan = Box::into_raw(Box::new(plan)).cast();
        // SAFETY: DuckDB takes ownership of the box, and frees it with `destroy`.
        unsafe { (api().duckdb_bind_set_bind_data)(info, plan, Some(destroy::<Plan>)) };
        Ok(())
    });
    if let Err(failure) = result {
        // SAFETY: DuckDB copies the message.
        unsafe { (api().duckdb_bind_set_error)(info, failure.message().as_ptr()) };
    }
}

/// # Safety
///
/// DuckDB passed `info` to the bind function.
unsafe fn parameters(info: duckdb_bind_info) -> Result<Parameters, Failure> {
    // SAFETY: the function has one positional parameter. The value is ours to destroy.
    let files = unsafe { Value::new((api().duckdb_bind_get_parameter)(info, 0)) };
    let files = files.ok_or_else(|| Failure("read_uris: the file is NULL".to_owned()))?;
    // SAFETY: DuckDB only compares the name. If it returns a value, the value is ours to destroy.
    let named =
        |name: &CStr| unsafe { Value::new((api().duckdb_bind_get_named_parameter)(info, name.as_ptr())) };
    let text = |name: &CStr| named(name).map(|value| value.text()).transpose();
    let flag = |name: &CStr| named(name).map(|value| value.flag());
    Ok(Parameters {
        files: files.texts()?,
        format: text(c"format")?,
        emit: text(c"emit")?,
        columns: named(c"columns").map(|value| value.texts()).transpose()?,
        grammar: text(c"grammar")?,
        zone_ids: flag(c"zone_ids"),
        field: text(c"field")?,
        key: text(c"key")?,
        header: flag(c"header"),
        delimiter: text(c"delimiter")?,
        trim: flag(c"trim"),
        threads: named(c"threads").map(|value| value.number()),
    })
}

/// Starts the scan for the columns that the query needs. DuckDB calls this when a query starts.
///
/// # Safety
///
/// Only DuckDB may call this, for the function registered here.
unsafe extern "C" fn init(info: duckdb_init_info) {
    let result = caught(|| {
        // SAFETY: this is the box of `bind`. It lives as long as the query, and is only read.
        let plan = unsafe { &*(api().duckdb_init_get_bind_data)(info).cast::<Plan>() };
        // SAFETY: `info` is valid for this call.
        let columns: Vec<_> = unsafe {
            let count = (api().duckdb_init_get_column_count)(info);
            (0..count).map(|column| (api().duckdb_init_get_column_index)(info, column) as usize).collect()
        };
        let rows = Box::into_raw(Box::new(Rows::start(plan, &columns)?)).cast();
        // SAFETY: DuckDB takes ownership of the box, and frees it with `destroy`. One thread pulls rows, so
        // they keep their order.
        unsafe {
            (api().duckdb_init_set_init_data)(info, rows, Some(destroy::<Rows>));
            (api().duckdb_init_set_max_threads)(info, 1);
        }
        Ok(())
    });
    if let Err(failure) = result {
        // SAFETY: DuckDB copies the message.
        unsafe { (api().duckdb_init_set_error)(info, failure.message().as_ptr()) };
    }
}

/// Writes the next rows to a chunk, which stays empty at the end. DuckDB calls this until the chunk is empty.
///
/// # Safety
///
/// Only DuckDB may call this, for the function registered here.
unsafe extern "C" fn next(info: duckdb_function_info, output: duckdb_data_chunk) {
    let result: Result<(), Failure> = caught(|| {
        // SAFETY: this is the box of `init`. It lives as long as the query; threads may share `Rows`.
        let rows = unsafe { &*(api().duckdb_function_get_init_data)(info).cast::<Rows>() };
        // SAFETY: the function returns a constant.
        let most = unsafe { (api().duckdb_vector_size)() as usize };
        let Some(next) = rows.next(most)? else {
            // SAFETY: the chunk is valid for this call.
            unsafe { (api().duckdb_data_chunk_set_size)(output, 0) };
            return Ok(());
        };
        for (index, column) in next.columns.iter().enumerate() {
            let Some(column) = column else { continue };
            // SAFETY: the chunk has a vector for each column that the query needs, in the same order, with
            // the type that `bind` named and with room for `most` rows.
            unsafe {
                let vector = (api().duckdb_data_chunk_get_vector)(output, index as idx_t);
                OutputVector::new(vector).write(&**column)?;
            }
        }
        // SAFETY: the chunk is valid for this call, and has room for `most` rows.
        unsafe { (api().duckdb_data_chunk_set_size)(output, next.rows as idx_t) };
        Ok(())
    });
    if let Err(failure) = result {
        // SAFETY: DuckDB copies the message.
        unsafe { (api().duckdb_function_set_error)(info, failure.message().as_ptr()) };
    }
}
