//! A function of the catalogue as a function of DataFusion.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion_common::arrow::array::{Array, new_empty_array, new_null_array};
use datafusion_common::arrow::compute::cast;
use datafusion_common::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion_common::{DataFusionError, Result, ScalarValue, internal_datafusion_err, internal_err};
use datafusion_expr::{
    ColumnarValue, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl, Signature,
};
use urivalidate::arrow::FunctionError;
use urivalidate::arrow::catalogue::{Call, Constant, Function, Parameter, ParameterType};

use crate::argument;
use crate::document::document;
use crate::failure::{external, planning};
use crate::groups;

/// A function of the catalogue.
#[derive(Debug)]
pub(crate) struct ColumnFunction {
    function: &'static Function,
    documentation: Documentation,
    signature: Signature,
}

impl ColumnFunction {
    pub(crate) fn new(function: &'static Function) -> Self {
        let signature = argument::signature(function.parameters());
        ColumnFunction { function, documentation: document(function), signature }
    }

    /// The parameters after the columns.
    fn constants(&self) -> &'static [Parameter] {
        &self.function.parameters()[self.function.columns()..]
    }

    /// The type of the results. Checks the literals among the arguments.
    fn plan(&self, types: &[&DataType], literals: &[Option<&ScalarValue>]) -> Result<DataType> {
        let count = self.function.columns();
        let literal = |index: usize| literals.get(index).copied().flatten();
        let (mut constants, mut are_known) = (Vec::new(), true);
        for (index, parameter) in self.constants().iter().enumerate().take(types.len() - count) {
            let constant = match literal(count + index) {
                Some(literal) => argument::known(parameter, literal)?,
                None => None,
            };
            are_known &= constant.is_some();
            // The results have the same type with any other text.
            let example = || parameter.is_required().then(|| Constant::Text(parameter.example()));
            constants.push(constant.or_else(example));
        }
        let call = self.function.call(&constants).map_err(planning)?;
        let columns = types[..count].iter().enumerate().map(|(index, data_type)| match literal(index) {
            // An invalid base is an error, because it makes all results NULL.
            Some(base) if index + 1 < count && are_known => ColumnarValue::Scalar(base.clone()),
            _ => ColumnarValue::Array(new_empty_array(data_type)),
        });
        Ok(evaluate(&call, &columns.collect::<Vec<_>>(), planning)?.data_type())
    }

    /// Evaluates a call in which texts are columns.
    fn evaluate_by_row(&self, args: &ScalarFunctionArgs) -> Result<ColumnarValue> {
        let (rows, result_type) = (args.number_rows, args.return_field.data_type());
        if rows == 0 {
            return Ok(ColumnarValue::Array(new_null_array(result_type, 0)));
        }
        let (columns, given) = args.args.split_at(self.function.columns());
        let [records] = columns else { return internal_err!("{} has a base and texts", self.name()) };
        let records = argument::seen(&records.to_array(rows)?)?;
        let (mut texts, mut others) = (Vec::new(), Vec::new());
        for (parameter, value) in self.constants().iter().zip(given) {
            if parameter.parameter_type() == ParameterType::Text {
                texts.push(cast(&value.to_array(rows)?, &DataType::Utf8)?);
                others.push(None);
            } else {
                others.push(argument::constant(parameter, value)?);
            }
        }
        let null = self.function.result().data_type(records.data_type());
        let null = null.ok_or_else(|| internal_datafusion_err!("{} has texts and a field", self.name()))?;
        let results = groups::evaluate(&texts, &records, |choice, records| {
            let mut texts = choice.iter();
            let mut constants = Vec::new();
            for (parameter, other) in self.constants().iter().zip(&others) {
                constants.push(match other {
                    Some(value) => argument::known(parameter, value)?,
                    None if parameter.parameter_type() == ParameterType::Text => match texts.next() {
                        Some(Some(text)) => Some(Constant::Text(text)),
                        _ => return Ok(new_null_array(&null, records.len())),
                    },
                    None => None,
                });
            }
            let call = self.function.call_for_rows(&constants).map_err(external)?;
            call.evaluate(&[&records]).map_err(external)
        })?;
        Ok(ColumnarValue::Array(cast(&results, result_type)?))
    }
}

/// Evaluates a call of one column, or of a base and a column.
fn evaluate(
    call: &Call,
    columns: &[ColumnarValue],
    failure: impl Fn(FunctionError) -> DataFusionError,
) -> Result<ColumnarValue> {
    match columns {
        [records] => {
            argument::map(records, |records: &dyn Array| call.evaluate(&[&records]).map_err(&failure))
        }
        [bases, records] => argument::map_two(bases, records, |bases, records| {
            call.evaluate(&[bases, records]).map_err(&failure)
        }),
        _ => internal_err!("{call:?} of {} columns", columns.len()),
    }
}

impl ScalarUDFImpl for ColumnFunction {
    fn name(&self) -> &str {
        self.function.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.plan(&types.iter().collect::<Vec<_>>(), &[])
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let types: Vec<_> = args.arg_fields.iter().map(|field| field.data_type()).collect();
        let data_type = self.plan(&types, args.scalar_arguments)?;
        Ok(Arc::new(Field::new(self.name(), data_type, true)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let (columns, given) = args.args.split_at(self.function.columns());
        let is_column_of_texts = |(parameter, value): (&Parameter, &ColumnarValue)| {
            parameter.parameter_type() == ParameterType::Text && matches!(value, ColumnarValue::Array(_))
        };
        if self.constants().iter().zip(given).any(is_column_of_texts) {
            return self.evaluate_by_row(&args);
        }
        let values = self.constants().iter().zip(given);
        let values = values.map(|(parameter, value)| argument::constant(parameter, value));
        let values = values.collect::<Result<Vec<_>>>()?;
        let mut constants = Vec::new();
        for (parameter, value) in self.constants().iter().zip(&values) {
            let constant = match value {
                Some(value) => argument::known(parameter, value)?,
                None => None,
            };
            // A text is NULL, or there are no rows.
            if constant.is_none() && (value.is_some() || parameter.is_required()) {
                return argument::nulls(&args);
            }
            constants.push(constant);
        }
        evaluate(&self.function.call_for_rows(&constants).map_err(external)?, columns, external)
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

// The name decides everything else.
impl PartialEq for ColumnFunction {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for ColumnFunction {}

impl Hash for ColumnFunction {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}
