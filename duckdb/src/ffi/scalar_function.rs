//! Registers the scalar functions, and runs DuckDB's calls of them.
#![expect(unsafe_code, reason = "DuckDB calls back with pointers")]

use std::ffi::{CString, c_void};

use arrow_array::{Array, Datum, StringArray};
use libduckdb_sys::*;
use urivalidate::PUBLIC_SUFFIX_LIST_DATE;
use urivalidate::arrow::catalogue::{Call, Constant, Function, Parameter, ParameterType};

use super::api::api;
use super::input::{Arguments, Flags, Strings};
use super::logical_type::LogicalType;
use super::output::OutputVector;
use crate::failure::{Failure, caught};
use crate::functions::{data_type, failure};
use crate::groups::{Groups, join};

/// One of a function's signatures.
struct Overload {
    function: &'static Function,
    /// The parameters after the columns: all required ones, and some of the optional ones.
    options: &'static [Parameter],
}

/// Registers a function with all its signatures.
///
/// # Safety
///
/// The connection is open.
pub(super) unsafe fn register(
    connection: duckdb_connection,
    function: &'static Function,
) -> Result<(), Failure> {
    let name = CString::new(function.name())?;
    let (columns, options) = function.parameters().split_at(function.columns());
    let required = options.iter().take_while(|option| option.is_required()).count();
    // SAFETY: the connection is open. This code makes everything else, uses it while it is alive, and
    // destroys it once. DuckDB copies names and types. It takes ownership of the boxes, and frees them with
    // `destroy`.
    unsafe {
        let mut set = (api().duckdb_create_scalar_function_set)(name.as_ptr());
        for count in required..=options.len() {
            let options = &options[..count];
            for blobs in 0..1 << columns.len() {
                let mut raw = (api().duckdb_create_scalar_function)();
                (api().duckdb_scalar_function_set_name)(raw, name.as_ptr());
                for column in 0..columns.len() {
                    let is_blob = blobs >> column & 1 == 1;
                    let parameter = if is_blob { LogicalType::blob() } else { LogicalType::varchar() };
                    (api().duckdb_scalar_function_add_parameter)(raw, parameter.raw());
                }
                for option in options {
                    let parameter =
                        if is_flag(option) { LogicalType::boolean() } else { LogicalType::varchar() };
                    (api().duckdb_scalar_function_add_parameter)(raw, parameter.raw());
                }
                let result = LogicalType::of(&data_type(function)?)?;
                (api().duckdb_scalar_function_set_return_type)(raw, result.raw());
                let overload = Box::new(Overload { function, options });
                (api().duckdb_scalar_function_set_extra_info)(
                    raw,
                    Box::into_raw(overload).cast(),
                    Some(destroy::<Overload>),
                );
                (api().duckdb_scalar_function_set_function)(raw, Some(call));
                (api().duckdb_add_scalar_function_to_set)(set, raw);
                (api().duckdb_destroy_scalar_function)(&mut raw);
            }
        }
        let state = (api().duckdb_register_scalar_function_set)(connection, set);
        (api().duckdb_destroy_scalar_function_set)(&mut set);
        if state == DuckDBSuccess {
            Ok(())
        } else {
            Err(Failure(format!("DuckDB does not take the function {}", function.name())))
        }
    }
}

/// Registers `uri_suffix_list_date`, which has no arguments.
///
/// # Safety
///
/// The connection is open.
pub(super) unsafe fn register_suffix_list_date(connection: duckdb_connection) -> Result<(), Failure> {
    let name = c"uri_suffix_list_date";
    // SAFETY: the connection is open. This code makes everything else, uses it while it is alive, and
    // destroys it once. DuckDB copies the name and the type.
    let state = unsafe {
        let mut raw = (api().duckdb_create_scalar_function)();
        (api().duckdb_scalar_function_set_name)(raw, name.as_ptr());
        (api().duckdb_scalar_function_set_return_type)(raw, LogicalType::varchar().raw());
        (api().duckdb_scalar_function_set_function)(raw, Some(suffix_list_date));
        let state = (api().duckdb_register_scalar_function)(connection, raw);
        (api().duckdb_destroy_scalar_function)(&mut raw);
        state
    };
    if state == DuckDBSuccess {
        Ok(())
    } else {
        Err(Failure("DuckDB does not take the function uri_suffix_list_date".to_owned()))
    }
}

/// Writes the date to each row of a chunk.
///
/// # Safety
///
/// Only DuckDB may call this, for the function registered here.
unsafe extern "C" fn suffix_list_date(
    info: duckdb_function_info,
    chunk: duckdb_data_chunk,
    output: duckdb_vector,
) {
    let result = caught(|| {
        // SAFETY: DuckDB passes the chunk for this call.
        let rows = unsafe { Arguments::new(chunk) }.len();
        let dates = StringArray::from_iter_values(std::iter::repeat_n(PUBLIC_SUFFIX_LIST_DATE, rows));
        // SAFETY: DuckDB passes the vector for this call, with the registered type.
        unsafe { OutputVector::new(output).write(&dates) }
    });
    if let Err(failure) = result {
        // SAFETY: DuckDB copies the message.
        unsafe { (api().duckdb_scalar_function_set_error)(info, failure.message().as_ptr()) };
    }
}

fn is_flag(option: &Parameter) -> bool {
    option.parameter_type() == ParameterType::Flag
}

/// Drops a box that DuckDB owns.
///
/// # Safety
///
/// `boxed` comes from a `Box<T>`, and DuckDB calls this once.
pub(super) unsafe extern "C" fn destroy<T>(boxed: *mut c_void) {
    // SAFETY: the caller guarantees this.
    let boxed = unsafe { Box::from_raw(boxed.cast::<T>()) };
    // A panic cannot be reported from here.
    drop(caught(|| {
        drop(boxed);
        Ok(())
    }));
}

/// Computes the results for the rows of a chunk. DuckDB calls this on any thread.
///
/// # Safety
///
/// Only DuckDB may call this, for a function registered here.
unsafe extern "C" fn call(info: duckdb_function_info, chunk: duckdb_data_chunk, output: duckdb_vector) {
    let result = caught(|| {
        // SAFETY: this is the box of `register`. It lives as long as the function, and is only read.
        let overload = unsafe { &*(api().duckdb_scalar_function_get_extra_info)(info).cast::<Overload>() };
        // SAFETY: DuckDB passes the chunk and the vector for this call, with the registered types.
        unsafe { overload.call(&Arguments::new(chunk), OutputVector::new(output)) }
    });
    if let Err(failure) = result {
        // SAFETY: DuckDB copies the message.
        unsafe { (api().duckdb_scalar_function_set_error)(info, failure.message().as_ptr()) };
    }
}

/// The column of an option.
enum OptionColumn<'a> {
    Text(Strings<'a>),
    Flag(Flags<'a>),
}

impl<'a> OptionColumn<'a> {
    fn get(&self, row: usize) -> Result<Option<Constant<'a>>, Failure> {
        Ok(match self {
            OptionColumn::Text(texts) => texts.get(row).map(str::from_utf8).transpose()?.map(Constant::Text),
            OptionColumn::Flag(flags) => flags.get(row).map(Constant::Flag),
        })
    }
}

impl Overload {
    /// # Safety
    ///
    /// The arguments and the vector have the types of this signature.
    unsafe fn call(&self, arguments: &Arguments<'_>, output: OutputVector<'_>) -> Result<(), Failure> {
        let (rows, count) = (arguments.len(), self.function.columns());
        // SAFETY: the columns come first.
        let columns: Vec<_> = (0..count).map(|index| unsafe { arguments.strings(index) }).collect();
        let options = self.options.iter().enumerate().map(|(index, option)| {
            if is_flag(option) {
                // SAFETY: the options follow, with these types.
                OptionColumn::Flag(unsafe { arguments.flags(count + index) })
            } else {
                // SAFETY: as above.
                OptionColumn::Text(unsafe { arguments.strings(count + index) })
            }
        });
        let options: Vec<_> = options.collect();
        let groups = Groups::new(rows, |row, choice| {
            choice.clear();
            for option in &options {
                let Some(value) = option.get(row)? else { return Ok(false) };
                choice.push(value);
            }
            Ok(true)
        })?;
        match groups {
            Groups::One(_) if rows == 0 => Ok(()),
            Groups::One(choice) => {
                let call = self.with(&choice)?;
                if let Some(validator) = call.verdict() {
                    // SAFETY: a function whose results are verdicts returns booleans.
                    unsafe {
                        output.write_bools(rows, |row| {
                            columns[0].get(row).map(|record| validator.is_valid(record))
                        });
                    }
                    return Ok(());
                }
                // SAFETY: the results have the registered type.
                unsafe { output.write(&*apply(&call, &columns, 0..rows)?) }
            }
            Groups::Many(groups) => {
                let apply = |(choice, rows): &(Vec<Constant<'_>>, Vec<usize>)| -> Result<_, Failure> {
                    apply(&self.with(choice)?, &columns, rows.iter().copied())
                };
                let results = groups.iter().map(apply).collect::<Result<Vec<_>, _>>()?;
                let groups: Vec<_> = groups.iter().map(|(_, rows)| &rows[..]).zip(results).collect();
                // SAFETY: the results have the registered type.
                unsafe { output.write(&*join(rows, &data_type(self.function)?, &groups)) }
            }
        }
    }

    /// Returns the call for the rows with these options.
    fn with(&self, choice: &[Constant<'_>]) -> Result<Call, Failure> {
        let constants: Vec<_> = choice.iter().copied().map(Some).collect();
        self.function.call(&constants).map_err(failure)
    }
}

/// Evaluates a call for these rows of the columns, and checks the number of results.
fn apply(
    call: &Call,
    columns: &[Strings<'_>],
    rows: impl ExactSizeIterator<Item = usize> + Clone,
) -> Result<arrow_array::ArrayRef, Failure> {
    let count = rows.len();
    let arrays: Vec<_> = columns.iter().map(|column| column.gather(rows.clone())).collect();
    let arrays: Vec<&dyn Datum> = arrays.iter().map(|array| array as &dyn Datum).collect();
    let results = call.evaluate(&arrays).map_err(failure)?;
    // Too short a result would leave rows of the vector unwritten.
    if results.len() == count {
        Ok(results)
    } else {
        Err(Failure(format!("internal error: {} results for {count} rows", results.len())))
    }
}
