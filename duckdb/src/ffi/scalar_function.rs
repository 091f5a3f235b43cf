//! Registers the scalar functions, and runs DuckDB's calls of them.
#![expect(unsafe_code, reason = "DuckDB calls back with pointers")]

use std::ffi::{CString, c_void};
use std::sync::Arc;

use arrow_array::Array;
use libduckdb_sys::*;

use super::api::api;
use super::input::{Arguments, Flags, Strings};
use super::logical_type::LogicalType;
use super::output::OutputVector;
use crate::failure::{Failure, caught};
use crate::scalar::{Choice, Groups, Map, OptionType, ScalarFunction, Work, join};

/// One of a function's signatures.
struct Overload {
    function: Arc<dyn ScalarFunction>,
    /// The options that this signature takes: all required ones, and some of the optional ones.
    options: Vec<OptionType>,
}

/// Registers a function with all its signatures.
///
/// # Safety
///
/// The connection is open.
pub(super) unsafe fn register(
    connection: duckdb_connection,
    function: Arc<dyn ScalarFunction>,
) -> Result<(), Failure> {
    let name = CString::new(function.name())?;
    let options = function.options();
    // SAFETY: the connection is open. This code makes everything else, uses it while it is alive, and destroys it once. DuckDB copies names and
    // types. It takes ownership of the boxes, and frees them with `destroy`.
    unsafe {
        let mut set = (api().duckdb_create_scalar_function_set)(name.as_ptr());
        for count in 0..=options.optional.len() {
            let options = [options.required, &options.optional[..count]].concat();
            for blobs in 0..1 << function.records() {
                let mut raw = (api().duckdb_create_scalar_function)();
                (api().duckdb_scalar_function_set_name)(raw, name.as_ptr());
                for record in 0..function.records() {
                    let is_blob = blobs >> record & 1 == 1;
                    let parameter = if is_blob { LogicalType::blob() } else { LogicalType::varchar() };
                    (api().duckdb_scalar_function_add_parameter)(raw, parameter.raw());
                }
                for option in &options {
                    let parameter = match option {
                        OptionType::Text => LogicalType::varchar(),
                        OptionType::Flag => LogicalType::boolean(),
                    };
                    (api().duckdb_scalar_function_add_parameter)(raw, parameter.raw());
                }
                let result = LogicalType::of(&function.data_type())?;
                (api().duckdb_scalar_function_set_return_type)(raw, result.raw());
                let overload = Box::new(Overload { function: function.clone(), options: options.clone() });
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
    fn get(&self, row: usize) -> Result<Option<Choice<'a>>, Failure> {
        Ok(match self {
            OptionColumn::Text(texts) => texts.get(row).map(str::from_utf8).transpose()?.map(Choice::Text),
            OptionColumn::Flag(flags) => flags.get(row).map(Choice::Flag),
        })
    }
}

impl Overload {
    /// # Safety
    ///
    /// The arguments and the vector have the types of this signature.
    unsafe fn call(&self, arguments: &Arguments<'_>, output: OutputVector<'_>) -> Result<(), Failure> {
        let (rows, records) = (arguments.len(), self.function.records());
        // SAFETY: the records come first.
        let columns: Vec<_> = (0..records).map(|index| unsafe { arguments.strings(index) }).collect();
        let options = self.options.iter().enumerate().map(|(index, option)| match option {
            // SAFETY: the options follow, with these types.
            OptionType::Text => OptionColumn::Text(unsafe { arguments.strings(records + index) }),
            // SAFETY: as above.
            OptionType::Flag => OptionColumn::Flag(unsafe { arguments.flags(records + index) }),
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
            Groups::One(choice) => match self.function.work(&choice)? {
                Work::Judge(validator) => {
                    // SAFETY: a function with this work returns booleans.
                    unsafe {
                        output.write_bools(rows, |row| {
                            columns[0].get(row).map(|record| validator.is_valid(record))
                        });
                    }
                    Ok(())
                }
                // SAFETY: the results have the registered type.
                Work::Map(map) => unsafe { output.write(&*apply(&map, &columns, 0..rows)?) },
            },
            Groups::Many(groups) => {
                let apply = |(choice, rows): &(Vec<Choice<'_>>, Vec<usize>)| -> Result<_, Failure> {
                    let map = match self.function.work(choice)? {
                        Work::Judge(validator) => judging(validator),
                        Work::Map(map) => map,
                    };
                    apply(&map, &columns, rows.iter().copied())
                };
                let results = groups.iter().map(apply).collect::<Result<Vec<_>, _>>()?;
                let groups: Vec<_> = groups.iter().map(|(_, rows)| &rows[..]).zip(results).collect();
                // SAFETY: the results have the registered type.
                unsafe { output.write(&*join(rows, &self.function.data_type(), &groups)?) }
            }
        }
    }
}

/// Returns the function that judges records copied to an array.
fn judging(validator: urivalidate::Validator) -> Map {
    Box::new(move |records| Ok(Arc::new(urivalidate::arrow::is_valid_uri(&validator, records[0])?)))
}

/// Applies `map` to these rows of the columns, and checks the number of results.
fn apply(
    map: &Map,
    columns: &[Strings<'_>],
    rows: impl ExactSizeIterator<Item = usize> + Clone,
) -> Result<arrow_array::ArrayRef, Failure> {
    let count = rows.len();
    let arrays: Vec<_> = columns.iter().map(|column| column.gather(rows.clone())).collect();
    let arrays: Vec<&dyn Array> = arrays.iter().map(|array| array as &dyn Array).collect();
    let results = map(&arrays)?;
    // Too short a result would leave rows of the vector unwritten.
    if results.len() == count {
        Ok(results)
    } else {
        Err(Failure(format!("internal error: {} results for {count} rows", results.len())))
    }
}
