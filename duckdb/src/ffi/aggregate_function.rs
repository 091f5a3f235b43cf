//! Registers `uri_report`, and runs DuckDB's calls of it.
//!
//! DuckDB keeps a state for each group, and passes with each row of a chunk the state of its group. A state is
//! the report itself, in memory of DuckDB: so it counts against DuckDB's limit, and DuckDB may move it to the disk
//! and back. It owns nothing, so nothing has to be dropped.
//!
//! Only DuckDB 2.0 and later have the function. Before, DuckDB passes a single state with all rows of a chunk if
//! the function is a window function of a whole partition (duckdb/duckdb issue 21537). The function cannot
//! know it, and would read memory behind that state.
#![expect(unsafe_code, reason = "DuckDB calls back with pointers")]

use std::ffi::{CStr, CString};
use std::slice;

use libduckdb_sys::*;
use urivalidate::arrow::{UriReport, uri_report_type};
use urivalidate::{Grammar, Validator};

use super::api::api;
use super::input::Arguments;
use super::logical_type::LogicalType;
use super::output::OutputVector;
use crate::failure::{Failure, caught};
use crate::names::named;

/// Returns true if this DuckDB passes a state with each row.
pub(super) fn is_supported() -> bool {
    // SAFETY: DuckDB returns a string with a NUL at its end, which lives as long as DuckDB.
    let version = unsafe { CStr::from_ptr((api().duckdb_library_version)()) };
    let version = version.to_str().unwrap_or_default().trim_start_matches('v');
    version.split('.').next().and_then(|major| major.parse::<u32>().ok()).is_some_and(|major| major >= 2)
}

/// Registers the function with all its signatures.
///
/// # Safety
///
/// The connection is open.
pub(super) unsafe fn register(connection: duckdb_connection) -> Result<(), Failure> {
    let name = CString::new("uri_report")?;
    // SAFETY: the connection is open. This code makes everything else, uses it while it is alive, and
    // destroys it once. DuckDB copies names and types.
    unsafe {
        let mut set = (api().duckdb_create_aggregate_function_set)(name.as_ptr());
        for record in [LogicalType::varchar(), LogicalType::blob()] {
            for has_grammar in [false, true] {
                let mut raw = (api().duckdb_create_aggregate_function)();
                (api().duckdb_aggregate_function_set_name)(raw, name.as_ptr());
                (api().duckdb_aggregate_function_add_parameter)(raw, record.raw());
                if has_grammar {
                    (api().duckdb_aggregate_function_add_parameter)(raw, LogicalType::varchar().raw());
                }
                let result = LogicalType::of(&uri_report_type())?;
                (api().duckdb_aggregate_function_set_return_type)(raw, result.raw());
                (api().duckdb_aggregate_function_set_functions)(
                    raw,
                    Some(state_size),
                    Some(init),
                    Some(update),
                    Some(combine),
                    Some(finalize),
                );
                // The function counts NULLs.
                (api().duckdb_aggregate_function_set_special_handling)(raw);
                (api().duckdb_add_aggregate_function_to_set)(set, raw);
                (api().duckdb_destroy_aggregate_function)(&mut raw);
            }
        }
        let state = (api().duckdb_register_aggregate_function_set)(connection, set);
        (api().duckdb_destroy_aggregate_function_set)(&mut set);
        if state == DuckDBSuccess {
            Ok(())
        } else {
            Err(Failure("DuckDB does not take the function uri_report".to_owned()))
        }
    }
}

/// The state of a group: its report, or `None` before its first row.
type State = Option<UriReport>;

// DuckDB aligns states to eight bytes, and drops none.
const _: () = assert!(align_of::<State>() <= 8 && !std::mem::needs_drop::<State>());

unsafe extern "C" fn state_size(_: duckdb_function_info) -> idx_t {
    size_of::<State>() as idx_t
}

/// # Safety
///
/// Only DuckDB may call this, with memory for a state.
unsafe extern "C" fn init(_: duckdb_function_info, state: duckdb_aggregate_state) {
    // SAFETY: the caller guarantees this.
    unsafe { state.cast::<State>().write(None) };
}

/// Returns the states that DuckDB passes as pointers. Several pointers may be equal, so no reference to a
/// state may live on when another is made.
///
/// # Safety
///
/// `states` points to `count` pointers to states that [`init`] made.
unsafe fn states<'a>(states: *mut duckdb_aggregate_state, count: usize) -> &'a [*mut State] {
    // SAFETY: the caller guarantees this.
    if count == 0 { &[] } else { unsafe { slice::from_raw_parts(states.cast::<*mut State>(), count) } }
}

/// Adds the rows of a chunk to the states of their groups.
///
/// # Safety
///
/// Only DuckDB may call this, for the function registered here.
unsafe extern "C" fn update(
    info: duckdb_function_info,
    chunk: duckdb_data_chunk,
    of_rows: *mut duckdb_aggregate_state,
) {
    let result = caught(|| {
        // SAFETY: DuckDB passes the chunk for this call.
        let arguments = unsafe { Arguments::new(chunk) };
        // SAFETY: there is a state for each row.
        let of_rows = unsafe { states(of_rows, arguments.len()) };
        // SAFETY: the first argument of each signature is a VARCHAR or BLOB.
        let records = unsafe { arguments.strings(0) };
        // SAFETY: the second one, if there is one, is a VARCHAR.
        let grammars = (arguments.count() > 1).then(|| unsafe { arguments.strings(1) });
        let (mut last, mut validator) = (None, Validator::new(Grammar::Uri));
        for (row, &state) in of_rows.iter().enumerate() {
            if let Some(grammars) = &grammars {
                let grammar = grammars.get(row);
                let name = grammar.ok_or_else(|| Failure("the grammar is NULL".to_owned()))?;
                if last != grammar {
                    validator = Validator::new(named("grammar", str::from_utf8(name)?)?);
                    last = grammar;
                }
            }
            // SAFETY: `init` made the state. No other thread uses it, and no other reference to it is alive.
            let report = unsafe { &mut *state };
            let report = report.get_or_insert_with(|| UriReport::new(validator));
            if *report.validator() != validator {
                return Err(Failure("expected one grammar for all rows of a report".to_owned()));
            }
            report.add_record(records.get(row));
        }
        Ok(())
    });
    // SAFETY: DuckDB passed the info for this call.
    unsafe { report_failure(info, result) };
}

/// Adds the reports of some states to others.
///
/// # Safety
///
/// Only DuckDB may call this, for the function registered here.
unsafe extern "C" fn combine(
    info: duckdb_function_info,
    from: *mut duckdb_aggregate_state,
    to: *mut duckdb_aggregate_state,
    count: idx_t,
) {
    let result = caught(|| {
        // SAFETY: DuckDB passes this number of states.
        let (from, to) = unsafe { (states(from, count as usize), states(to, count as usize)) };
        for (&from, &to) in from.iter().zip(to) {
            // SAFETY: `init` made the states. DuckDB may use this one again, so its report stays.
            let Some(report) = (unsafe { (*from).clone() }) else { continue };
            // SAFETY: as above. No other thread uses it, and no other reference to it is alive.
            match unsafe { &mut *to } {
                Some(sum) if sum.validator() != report.validator() => {
                    return Err(Failure("expected one grammar for all rows of a report".to_owned()));
                }
                Some(sum) => sum.merge(&report),
                none => *none = Some(report),
            }
        }
        Ok(())
    });
    // SAFETY: DuckDB passed the info for this call.
    unsafe { report_failure(info, result) };
}

/// Writes the reports of states to a vector, from the row `first` on.
///
/// # Safety
///
/// Only DuckDB may call this, for the function registered here.
unsafe extern "C" fn finalize(
    info: duckdb_function_info,
    from: *mut duckdb_aggregate_state,
    output: duckdb_vector,
    count: idx_t,
    first: idx_t,
) {
    let result = caught(|| {
        // SAFETY: DuckDB passes this number of states.
        let from = unsafe { states(from, count as usize) };
        let none = UriReport::new(Validator::new(Grammar::Uri));
        // SAFETY: `init` made the states, and nobody changes them during the call.
        let reports = from.iter().map(|&state| unsafe { &*state }.as_ref().unwrap_or(&none));
        let reports = UriReport::structs(reports);
        // SAFETY: the vector has the registered type, and room for these rows.
        unsafe { OutputVector::new(output).starting_at(first as usize).write(&reports) }
    });
    // SAFETY: DuckDB passed the info for this call.
    unsafe { report_failure(info, result) };
}

/// # Safety
///
/// DuckDB passed the info for the call that returns.
unsafe fn report_failure(info: duckdb_function_info, result: Result<(), Failure>) {
    if let Err(failure) = result {
        // SAFETY: the caller guarantees this, and DuckDB copies the message.
        unsafe { (api().duckdb_aggregate_function_set_error)(info, failure.message().as_ptr()) };
    }
}
