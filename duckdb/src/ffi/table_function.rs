//! The table function `read_uris`: registered, and called by DuckDB.
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

/// Makes the type of a parameter.
type TypeOf = fn() -> LogicalType;

/// The names of the parameters, and their types.
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
    // SAFETY: the connection is open; all else is made here, used while it is alive, and destroyed once. DuckDB copies names and types.
    let state = unsafe {
        let mut function = (api().duckdb_create_table_function)();
        (api().duckdb_table_function_set_name)(function, NAME.as_ptr());
        // A string, or a list of strings.
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

/// Called by DuckDB when it plans a query: makes the plan of the scan, and says which columns it has.
///
/// # Safety
///
/// DuckDB calls it as the function registered here.
unsafe extern "C" fn bind(info: duckdb_bind_info) {
    let result = caught(|| {
        // SAFETY: the information is valid for this call.
        let plan = Plan::new(&unsafe { parameters(info) }?)?;
        for field in plan.schema().fields() {
            let (name, column) = (CString::new(field.name().as_str())?, LogicalType::of(field.data_type())?);
            // SAFETY: DuckDB copies both.
            unsafe { (api().duckdb_bind_add_result_column)(info, name.as_ptr(), column.raw()) };
        }
        let plan = Box::into_raw(Box::new(plan)).cast();
        // SAFETY: the box is DuckDB's now, which destroys it by `destroy`.
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
/// DuckDB calls the bind function with this information.
unsafe fn parameters(info: duckdb_bind_info) -> Result<Parameters, Failure> {
    // SAFETY: the function has one parameter, and the value is ours to destroy.
    let files = unsafe { Value::new((api().duckdb_bind_get_parameter)(info, 0)) };
    let files = files.ok_or_else(|| Failure("read_uris: the file is NULL".to_owned()))?;
    // SAFETY: DuckDB only compares the name. The value, if there is one, is ours to destroy.
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

/// Called by DuckDB when a query starts: starts the scan for the columns that the query needs.
///
/// # Safety
///
/// DuckDB calls it as the function registered here.
unsafe extern "C" fn init(info: duckdb_init_info) {
    let result = caught(|| {
        // SAFETY: the box of `bind`, which lives as long as the query; it is only read.
        let plan = unsafe { &*(api().duckdb_init_get_bind_data)(info).cast::<Plan>() };
        // SAFETY: the information is valid for this call.
        let columns: Vec<_> = unsafe {
            let count = (api().duckdb_init_get_column_count)(info);
            (0..count).map(|column| (api().duckdb_init_get_column_index)(info, column) as usize).collect()
        };
        let rows = Box::into_raw(Box::new(Rows::start(plan, &columns)?)).cast();
        // SAFETY: the box is DuckDB's now, which destroys it by `destroy`. One thread pulls, so that rows keep their order.
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

/// Called by DuckDB for the next rows: a chunk without rows is the end.
///
/// # Safety
///
/// DuckDB calls it as the function registered here.
unsafe extern "C" fn next(info: duckdb_function_info, output: duckdb_data_chunk) {
    let result: Result<(), Failure> = caught(|| {
        // SAFETY: the box of `init`, which lives as long as the query; `Rows` may be shared.
        let rows = unsafe { &*(api().duckdb_function_get_init_data)(info).cast::<Rows>() };
        // SAFETY: asks for a constant.
        let most = unsafe { (api().duckdb_vector_size)() as usize };
        let Some(next) = rows.next(most)? else {
            // SAFETY: the chunk is valid for this call.
            unsafe { (api().duckdb_data_chunk_set_size)(output, 0) };
            return Ok(());
        };
        for (index, column) in next.columns.iter().enumerate() {
            let Some(column) = column else { continue };
            // SAFETY: the chunk has a vector for each column that the query needs, in their order and of the types that `bind` named, and each has room
            // for so many rows.
            unsafe {
                let vector = (api().duckdb_data_chunk_get_vector)(output, index as idx_t);
                OutputVector::new(vector).write(&**column)?;
            }
        }
        // SAFETY: the chunk is valid for this call, and has room for so many rows.
        unsafe { (api().duckdb_data_chunk_set_size)(output, next.rows as idx_t) };
        Ok(())
    });
    if let Err(failure) = result {
        // SAFETY: DuckDB copies the message.
        unsafe { (api().duckdb_function_set_error)(info, failure.message().as_ptr()) };
    }
}
