//! The arguments of the functions: records of any string or binary type, names and flags.

use datafusion_common::arrow::array::{Array, ArrayRef, AsArray, Datum, Scalar};
use datafusion_common::arrow::compute::cast;
use datafusion_common::arrow::compute::kernels::cmp::not_distinct;
use datafusion_common::arrow::datatypes::DataType;
use datafusion_common::types::{logical_boolean, logical_string};
use datafusion_common::{Result, ScalarValue, exec_err};
#[cfg(not(feature = "datafusion-54"))]
use datafusion_expr::EncodingPreservation;
use datafusion_expr::{
    Coercion, ColumnarValue, ScalarFunctionArgs, Signature, TypeSignature, TypeSignatureClass, Volatility,
};
use urivalidate::arrow::TextLayout;

use crate::dictionary;

/// The kind of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    /// A string or a binary value.
    Record,
    /// A string.
    Name,
    /// The name of a grammar.
    Grammar,
    /// A boolean.
    Flag,
}

/// A parameter of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) argument: Argument,
    pub(crate) description: &'static str,
}

/// The parameters of a function. A call may leave out optional ones from the end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameters {
    pub(crate) required: &'static [Parameter],
    pub(crate) optional: &'static [Parameter],
}

impl Parameters {
    pub(crate) fn all(self) -> impl Iterator<Item = &'static Parameter> {
        self.required.iter().chain(self.optional)
    }
}

/// The signature of a function with these parameters. A call can name them.
pub(crate) fn signature(parameters: Parameters) -> Signature {
    let Parameters { required, optional } = parameters;
    let mut forms = Vec::new();
    for count in 0..=optional.len() {
        let mut of_count = vec![Vec::new()];
        for parameter in required.iter().chain(&optional[..count]) {
            let extended = |form: &Vec<Coercion>| {
                let form = form.clone();
                coercions(parameter.argument)
                    .into_iter()
                    .map(move |coercion| [&form[..], &[coercion]].concat())
            };
            of_count = of_count.iter().flat_map(extended).collect();
        }
        forms.extend(of_count.into_iter().map(TypeSignature::Coercible));
    }
    let names = parameters.all().map(|parameter| parameter.name).collect();
    let signature = Signature::one_of(forms, Volatility::Immutable).with_parameter_names(names);
    signature.expect("the longest form has all parameters, and their names differ")
}

/// The types that an argument may have.
fn coercions(argument: Argument) -> Vec<Coercion> {
    let string = TypeSignatureClass::Native(logical_string());
    match argument {
        Argument::Record => [string, TypeSignatureClass::Binary].map(with_dictionaries).to_vec(),
        Argument::Name | Argument::Grammar => vec![Coercion::new_exact(string)],
        Argument::Flag => vec![Coercion::new_exact(TypeSignatureClass::Native(logical_boolean()))],
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

/// Applies a function to the records of an argument. A scalar becomes an array of one record. The function judges each value of a dictionary once.
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

/// The type of the text that a function makes from records of this type.
pub(crate) fn text_type(records: &DataType) -> DataType {
    match records {
        DataType::Dictionary(keys, values) => DataType::Dictionary(keys.clone(), Box::new(text_type(values))),
        _ => TextLayout::of(record_type(records)).data_type(),
    }
}

/// Applies a function to two arguments of records. The function sees a scalar as a scalar, and the result is a scalar if both arguments are.
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

/// The string that a scalar holds.
///
/// # Errors
///
/// If the scalar is not a string.
pub(crate) fn text(scalar: &ScalarValue) -> Result<Option<&str>> {
    match scalar.try_as_str() {
        Some(text) => Ok(text),
        None if scalar.is_null() => Ok(None),
        None => exec_err!("expected a string, got {scalar}"),
    }
}

/// The value of an argument that must be the same for all rows, or `None` if the call lacks the argument. A constant may arrive as a
/// column: DataFusion turns a parameter that a query uses twice into a column.
pub(crate) fn constant(args: &[ColumnarValue], index: usize, what: &str) -> Result<Option<ScalarValue>> {
    match args.get(index) {
        None => Ok(None),
        Some(ColumnarValue::Scalar(value)) => Ok(Some(value.clone())),
        Some(ColumnarValue::Array(values)) if values.is_empty() => Ok(None),
        Some(ColumnarValue::Array(values)) => {
            let first = ScalarValue::try_from_array(values, 0)?;
            if not_distinct(values, &first.to_scalar()?)?.true_count() < values.len() {
                return exec_err!("the {what} has to be the same for all rows");
            }
            Ok(Some(first))
        }
    }
}

/// A NULL of the type that the call returns.
pub(crate) fn nulls(args: &ScalarFunctionArgs) -> Result<ColumnarValue> {
    Ok(ColumnarValue::Scalar(ScalarValue::try_new_null(args.return_field.data_type())?))
}
