//! The arguments of the functions: records of any string or binary type, and names.

use std::ops::RangeInclusive;

use datafusion_common::arrow::array::{Array, ArrayRef};
use datafusion_common::arrow::compute::cast;
use datafusion_common::arrow::datatypes::DataType;
use datafusion_common::types::logical_string;
use datafusion_common::{Result, ScalarValue, exec_err};
use datafusion_expr::{
    Coercion, ColumnarValue, EncodingPreservation, Signature, TypeSignature, TypeSignatureClass, Volatility,
};

/// A record first, then so many names.
pub(crate) fn signature(names: RangeInclusive<usize>) -> Signature {
    let string = TypeSignatureClass::Native(logical_string());
    let name = Coercion::new_exact(string.clone());
    let forms = [string, TypeSignatureClass::Binary].into_iter().flat_map(|class| {
        let record =
            Coercion::new_exact(class).with_encoding_preservation(EncodingPreservation::dictionary());
        let name = &name;
        names.clone().map(move |count| {
            let mut arguments = vec![record.clone()];
            arguments.resize(1 + count, name.clone());
            TypeSignature::Coercible(arguments)
        })
    });
    Signature::one_of(forms.collect(), Volatility::Immutable)
}

/// Applies a function to the records of an argument: a scalar is an array of one.
pub(crate) fn map(
    records: &ColumnarValue,
    function: impl FnOnce(&dyn Array) -> Result<ArrayRef>,
) -> Result<ColumnarValue> {
    let apply = |records: &dyn Array| {
        let seen = record_type(records.data_type());
        if seen == records.data_type() { function(records) } else { function(&cast(records, seen)?) }
    };
    match records {
        ColumnarValue::Array(array) => Ok(ColumnarValue::Array(apply(array)?)),
        ColumnarValue::Scalar(scalar) => {
            let one = apply(&scalar.to_array()?)?;
            Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&one, 0)?))
        }
    }
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
