//! The arguments of the functions: columns of any string or binary type, and constants.

use datafusion_common::arrow::array::{Array, ArrayRef, AsArray, Datum, Scalar};
use datafusion_common::arrow::compute::cast;
use datafusion_common::arrow::compute::kernels::cmp::not_distinct;
use datafusion_common::arrow::datatypes::DataType;
use datafusion_common::types::{logical_boolean, logical_string};
use datafusion_common::{Result, ScalarValue, exec_err, plan_err};
#[cfg(not(feature = "datafusion-54"))]
use datafusion_expr::EncodingPreservation;
use datafusion_expr::{
    Coercion, ColumnarValue, ScalarFunctionArgs, Signature, TypeSignature, TypeSignatureClass, Volatility,
};
use urivalidate::arrow::catalogue::{Constant, Parameter, ParameterType};

use crate::dictionary;

/// The signature of a function with these parameters. A call can name them, and leave out optional ones from
/// the end.
pub(crate) fn signature(parameters: &[Parameter]) -> Signature {
    let required = parameters.iter().take_while(|parameter| parameter.is_required()).count();
    let mut forms = Vec::new();
    for count in required..=parameters.len() {
        let mut of_count = vec![Vec::new()];
        for parameter in &parameters[..count] {
            let extended = |form: &Vec<Coercion>| {
                let form = form.clone();
                coercions(parameter.parameter_type())
                    .into_iter()
                    .map(move |coercion| [&form[..], &[coercion]].concat())
            };
            of_count = of_count.iter().flat_map(extended).collect();
        }
        forms.extend(of_count.into_iter().map(TypeSignature::Coercible));
    }
    let names = parameters.iter().map(|parameter| parameter.name()).collect();
    let signature = Signature::one_of(forms, Volatility::Immutable).with_parameter_names(names);
    signature.expect("the longest form has all parameters, and their names differ")
}

/// The types that an argument may have.
fn coercions(parameter_type: ParameterType) -> Vec<Coercion> {
    let string = TypeSignatureClass::Native(logical_string());
    match parameter_type {
        ParameterType::Column => [string, TypeSignatureClass::Binary].map(with_dictionaries).to_vec(),
        ParameterType::Flag => {
            vec![Coercion::new_exact(TypeSignatureClass::Native(logical_boolean()))]
        }
        _ => vec![Coercion::new_exact(string)],
    }
}

/// Accepts values of this class, and dictionaries of such values.
#[cfg(not(feature = "datafusion-54"))]
fn with_dictionaries(class: TypeSignatureClass) -> Coercion {
    Coercion::new_exact(class).with_encoding_preservation(EncodingPreservation::dictionary())
}

/// Accepts values of this class. DataFusion 54 unpacks dictionaries of such values.
#[cfg(feature = "datafusion-54")]
fn with_dictionaries(class: TypeSignatureClass) -> Coercion {
    Coercion::new_exact(class)
}

/// Applies a function to the records of an argument. A scalar becomes an array of one record. The function
/// judges each value of a dictionary once.
pub(crate) fn map(
    records: &ColumnarValue,
    function: impl FnOnce(&dyn Array) -> Result<ArrayRef>,
) -> Result<ColumnarValue> {
    match records {
        ColumnarValue::Array(array) => Ok(ColumnarValue::Array(map_array(array, function)?)),
        ColumnarValue::Scalar(scalar) => {
            let one = map_array(&scalar.to_array()?, function)?;
            Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&one, 0)?))
        }
    }
}

/// Applies a function to records. Text made from a dictionary is a dictionary with the same keys.
pub(crate) fn map_array(
    records: &ArrayRef,
    function: impl FnOnce(&dyn Array) -> Result<ArrayRef>,
) -> Result<ArrayRef> {
    match records.as_any_dictionary_opt() {
        Some(dictionary) => dictionary::map(dictionary, |values| function(&*seen(values)?)),
        None => function(&*seen(records)?),
    }
}

/// Applies a function to two arguments of records. The function sees a scalar as a scalar, and the result is
/// a scalar if both arguments are.
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

/// The records in the type that a function sees.
pub(crate) fn seen(records: &ArrayRef) -> Result<ArrayRef> {
    let seen = record_type(records.data_type());
    Ok(if seen == records.data_type() { records.clone() } else { cast(records, seen)? })
}

/// The type in which a function sees records of this type.
pub(crate) fn record_type(data_type: &DataType) -> &DataType {
    match data_type {
        DataType::FixedSizeBinary(_) => &DataType::Binary,
        // A NULL without a type.
        DataType::Null => &DataType::Utf8,
        other => other,
    }
}

/// The constant that a scalar holds, or `None` for a text that is NULL.
///
/// # Errors
///
/// If another constant is NULL, or if the scalar has another type than the parameter.
pub(crate) fn known<'s>(parameter: &Parameter, scalar: &'s ScalarValue) -> Result<Option<Constant<'s>>> {
    match (parameter.parameter_type(), scalar) {
        (ParameterType::Text, null) if null.is_null() => Ok(None),
        (_, null) if null.is_null() => plan_err!("the {} is NULL", described(parameter)),
        (ParameterType::Flag, ScalarValue::Boolean(Some(flag))) => Ok(Some(Constant::Flag(*flag))),
        (_, text) => match text.try_as_str().flatten() {
            Some(text) => Ok(Some(Constant::Text(text))),
            None => exec_err!("expected a string, got {text}"),
        },
    }
}

/// The value of an argument that must be the same for all rows, or `None` if there are no rows. A constant
/// may arrive as a column: DataFusion turns a parameter that a query uses twice into a column.
pub(crate) fn constant(parameter: &Parameter, value: &ColumnarValue) -> Result<Option<ScalarValue>> {
    match value {
        ColumnarValue::Scalar(value) => Ok(Some(value.clone())),
        ColumnarValue::Array(values) if values.is_empty() => Ok(None),
        ColumnarValue::Array(values) => {
            let first = ScalarValue::try_from_array(values, 0)?;
            if not_distinct(values, &first.to_scalar()?)?.true_count() < values.len() {
                return exec_err!("the {} has to be the same for all rows", described(parameter));
            }
            Ok(Some(first))
        }
    }
}

/// A parameter as errors name it.
fn described(parameter: &Parameter) -> String {
    let kind = if parameter.parameter_type() == ParameterType::Flag { "flag " } else { "" };
    format!("{kind}{}", parameter.name())
}

/// A NULL of the type that the call returns.
pub(crate) fn nulls(args: &ScalarFunctionArgs) -> Result<ColumnarValue> {
    Ok(ColumnarValue::Scalar(ScalarValue::try_new_null(args.return_field.data_type())?))
}
