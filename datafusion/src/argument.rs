//! The arguments of the functions: records of any string or binary type, names and flags.

use datafusion_common::arrow::array::{Array, ArrayRef, Datum, Scalar};
use datafusion_common::arrow::compute::cast;
use datafusion_common::arrow::datatypes::DataType;
use datafusion_common::types::{logical_boolean, logical_string};
use datafusion_common::{Result, ScalarValue, exec_err};
use datafusion_expr::{
    Coercion, ColumnarValue, EncodingPreservation, Signature, TypeSignature, TypeSignatureClass, Volatility,
};

/// The kind of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    /// A string or a binary value.
    Record,
    /// A string.
    Name,
    /// A boolean.
    Flag,
}

/// These arguments; optional ones may be left out from the end.
pub(crate) fn signature(required: &[Argument], optional: &[Argument]) -> Signature {
    let mut forms = Vec::new();
    for count in 0..=optional.len() {
        let mut of_count = vec![Vec::new()];
        for argument in required.iter().chain(&optional[..count]) {
            let extended = |form: &Vec<Coercion>| {
                let form = form.clone();
                coercions(*argument).into_iter().map(move |coercion| [&form[..], &[coercion]].concat())
            };
            of_count = of_count.iter().flat_map(extended).collect();
        }
        forms.extend(of_count.into_iter().map(TypeSignature::Coercible));
    }
    Signature::one_of(forms, Volatility::Immutable)
}

/// The types that an argument may have.
fn coercions(argument: Argument) -> Vec<Coercion> {
    let string = TypeSignatureClass::Native(logical_string());
    match argument {
        Argument::Record => [string, TypeSignatureClass::Binary]
            .map(|class| {
                Coercion::new_exact(class).with_encoding_preservation(EncodingPreservation::dictionary())
            })
            .to_vec(),
        Argument::Name => vec![Coercion::new_exact(string)],
        Argument::Flag => vec![Coercion::new_exact(TypeSignatureClass::Native(logical_boolean()))],
    }
}

/// Applies a function to the records of an argument: a scalar is an array of one.
pub(crate) fn map(
    records: &ColumnarValue,
    function: impl FnOnce(&dyn Array) -> Result<ArrayRef>,
) -> Result<ColumnarValue> {
    match records {
        ColumnarValue::Array(array) => Ok(ColumnarValue::Array(function(&*seen(array)?)?)),
        ColumnarValue::Scalar(scalar) => {
            let one = function(&*seen(&scalar.to_array()?)?)?;
            Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&one, 0)?))
        }
    }
}

/// Applies a function to two arguments of records: a scalar stays one.
pub(crate) fn map_two(
    one: &ColumnarValue,
    other: &ColumnarValue,
    function: impl FnOnce(&dyn Datum, &dyn Datum) -> Result<ArrayRef>,
) -> Result<ColumnarValue> {
    let datum = |records: &ColumnarValue| -> Result<Box<dyn Datum>> {
        Ok(match records {
            ColumnarValue::Array(array) => Box::new(seen(array)?),
            ColumnarValue::Scalar(scalar) => Box::new(Scalar::new(seen(&scalar.to_array()?)?)),
        })
    };
    let result = function(&*datum(one)?, &*datum(other)?)?;
    match (one, other) {
        (ColumnarValue::Scalar(_), ColumnarValue::Scalar(_)) => {
            Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&result, 0)?))
        }
        _ => Ok(ColumnarValue::Array(result)),
    }
}

/// Records of the type that a function sees.
fn seen(records: &ArrayRef) -> Result<ArrayRef> {
    let seen = record_type(records.data_type());
    Ok(if seen == records.data_type() { records.clone() } else { cast(records, seen)? })
}

/// The type of the records that a function sees.
pub(crate) fn record_type(data_type: &DataType) -> &DataType {
    match data_type {
        DataType::FixedSizeBinary(_) => &DataType::Binary,
        // A NULL that nothing says the type of.
        DataType::Null => &DataType::Utf8,
        other => other,
    }
}

/// The string that a scalar holds.
///
/// # Errors
///
/// If it holds something else than a string.
pub(crate) fn text(scalar: &ScalarValue) -> Result<Option<&str>> {
    match scalar.try_as_str() {
        Some(text) => Ok(text),
        None if scalar.is_null() => Ok(None),
        None => exec_err!("expected a string, got {scalar}"),
    }
}
