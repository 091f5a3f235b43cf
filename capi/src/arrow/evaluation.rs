//! Evaluates functions of the library's catalogue.
#![expect(unsafe_code, reason = "a validator is a pointer")]

use arrow_array::{ArrayRef, Datum};
use urivalidate::arrow::catalogue::{Constant, function};

use crate::guard::Cause;
use crate::pointers::handle;
use crate::status::Status;
use crate::validator::Validator;

/// Evaluates the function of this name. `constants` are its parameters after the columns.
pub(super) fn evaluate(
    name: &str,
    constants: &[Constant<'_>],
    columns: &[&dyn Datum],
) -> Result<ArrayRef, Cause> {
    let function = function(name).ok_or(Status::Internal)?;
    let constants: Vec<_> = constants.iter().copied().map(Some).collect();
    Ok(function.call(&constants)?.evaluate(columns)?)
}

/// Returns the constant for the parameter of the grammar.
///
/// # Safety
///
/// The pointer is NULL or points to a validator.
pub(super) unsafe fn grammar(validator: *const Validator) -> Result<Constant<'static>, Cause> {
    // SAFETY: the caller guarantees this.
    Ok(Constant::Validator(unsafe { handle(validator) }?.0))
}
