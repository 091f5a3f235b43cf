//! The parts of a function in one value.

use std::fmt;
use std::sync::Arc;

use arrow_array::{ArrayRef, Datum};
use arrow_schema::ArrowError;

use super::constant::{Constant, Constants};
use super::evaluation::{Evaluation, Work};
use super::parameter::{Parameter, ParameterType};
use super::result_type::ResultType;
use crate::arrow::{FunctionError, ParseUrl, is_valid_uri};
use crate::grammar::Grammar;
use crate::normal::NormalForm;
use crate::validator::Validator;

/// A function over columns.
#[derive(Debug)]
pub struct Function {
    pub(super) name: &'static str,
    pub(super) origin: Origin,
    pub(super) parameters: &'static [Parameter],
    pub(super) grammar: Option<Grammar>,
    pub(super) result: ResultType,
    pub(super) sentence: &'static str,
    pub(super) example: &'static str,
    pub(super) related: &'static [&'static str],
    pub(super) work: Work,
}

/// The system that a function comes from, or whose functions it is modelled on. It decides the name and the
/// results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// This library.
    Urivalidate,
    /// Spark and Hive.
    Spark,
    /// Presto and Trino.
    Presto,
}

impl Function {
    /// Returns the name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the name of the function of one record, and of a method of a type or a namespace for URIs: the
    /// name without `uri`.
    ///
    /// ```
    /// use urivalidate::arrow::catalogue::function;
    ///
    /// assert_eq!(function("is_valid_uri").unwrap().short_name(), "is_valid");
    /// assert_eq!(function("uri_spans").unwrap().short_name(), "spans");
    /// assert_eq!(function("parse_url").unwrap().short_name(), "parse_url");
    /// ```
    pub fn short_name(&self) -> &'static str {
        let without_uri = self.name.strip_prefix("uri_").or_else(|| self.name.strip_suffix("_uri"));
        let without_uri = without_uri.filter(|&name| name != "to");
        without_uri.unwrap_or(self.name)
    }

    /// Returns the system that the function comes from.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// Returns the parameters: columns, then other required ones, then optional ones.
    pub fn parameters(&self) -> &'static [Parameter] {
        self.parameters
    }

    /// Returns the number of columns, which are the first parameters: 1, or 2 for a base and a record.
    pub fn columns(&self) -> usize {
        let is_column = |parameter: &&Parameter| parameter.parameter_type() == ParameterType::Column;
        self.parameters.iter().take_while(is_column).count()
    }

    /// Returns the grammar of a call without one, and `None` if the function needs no grammar. The functions
    /// of Spark have no parameter for it.
    pub fn grammar(&self) -> Option<Grammar> {
        self.grammar
    }

    /// Returns the default of a parameter, as it is written, and `None` if the parameter has none.
    pub fn default_of(&self, parameter: &Parameter) -> Option<&'static str> {
        match parameter.parameter_type() {
            ParameterType::Grammar => self.grammar.map(Grammar::name),
            ParameterType::Form => Some(NormalForm::default().name()),
            ParameterType::Flag => Some("false"),
            _ => None,
        }
    }

    /// Returns the type of the results.
    pub fn result(&self) -> ResultType {
        self.result
    }

    /// Returns the sentence that documents the function.
    pub fn sentence(&self) -> &'static str {
        self.sentence
    }

    /// Returns a call in SQL.
    pub fn example(&self) -> &'static str {
        self.example
    }

    /// Returns the names of similar functions.
    pub fn related(&self) -> &'static [&'static str] {
        self.related
    }

    /// Returns the syntax of a call: `f(a, b [, c [, d]])`.
    pub fn syntax(&self) -> String {
        let (mut syntax, mut open) = (format!("{}(", self.name), 0);
        for (index, parameter) in self.parameters.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            if parameter.is_required() {
                syntax.push_str(comma);
            } else {
                syntax.push_str(" [");
                syntax.push_str(comma);
                open += 1;
            }
            syntax.push_str(parameter.name());
        }
        syntax + &"]".repeat(open) + ")"
    }

    /// Returns a call of the function with these constants: the values of the parameters after the columns. A
    /// constant that is `None` or missing has its default.
    ///
    /// # Errors
    ///
    /// Returns an error if there are too many constants, one has a wrong type or value, a required one is
    /// missing, or all results would be NULL: for a part of a URL that does not exist, and for a key with
    /// another part than `QUERY`.
    pub fn call(&'static self, constants: &[Option<Constant<'_>>]) -> Result<Call, FunctionError> {
        self.call_with(constants, ParseUrl::checked)
    }

    /// Returns the same call as [`call`](Self::call) for constants that other rows do not share: as in Spark,
    /// constants for which all results are NULL are no error.
    ///
    /// # Errors
    ///
    /// Returns the other errors of [`call`](Self::call).
    pub fn call_for_rows(&'static self, constants: &[Option<Constant<'_>>]) -> Result<Call, FunctionError> {
        self.call_with(constants, ParseUrl::new)
    }

    fn call_with(
        &'static self,
        constants: &[Option<Constant<'_>>],
        part: fn(&str, Option<&str>) -> Result<ParseUrl, FunctionError>,
    ) -> Result<Call, FunctionError> {
        let constants = Constants::new(&self.parameters[self.columns()..], constants, self.grammar)?;
        Ok(Call { function: self, evaluation: self.work.with(&constants, part)? })
    }
}

/// A function whose constants are known. It can be shared by threads.
pub struct Call {
    function: &'static Function,
    evaluation: Evaluation,
}

impl Call {
    /// Evaluates the function. `columns` has the arguments for the [columns](Function::columns): arrays of
    /// any type of strings or binary values, or dictionaries of them. Pass a base that is the same for all
    /// rows as a [`Scalar`](arrow_array::Scalar).
    ///
    /// # Errors
    ///
    /// Returns an error if the number of columns is not the function's, if their lengths differ, if an array
    /// holds no strings, if the results are too long, if memory runs out, or if the function itself fails:
    /// `parse_url` for an invalid URL, `url_decode` for a wrong escape.
    pub fn evaluate(&self, columns: &[&dyn Datum]) -> Result<ArrayRef, FunctionError> {
        match (&self.evaluation, columns) {
            (Evaluation::Verdict(validator), [column]) => {
                Ok(Arc::new(is_valid_uri(validator, column.get().0)?))
            }
            (Evaluation::OfOne(evaluate), [column]) => evaluate(column.get().0),
            (Evaluation::OfTwo(evaluate), [bases, records]) => evaluate(*bases, *records),
            _ => {
                let (name, count) = (self.function.name, self.function.columns());
                let message = format!("{name}: expected {count} columns, got {}", columns.len());
                Err(ArrowError::InvalidArgumentError(message).into())
            }
        }
    }

    /// Returns the validator whose verdicts are the results, if they are nothing else: then a caller can
    /// judge records in place.
    pub fn verdict(&self) -> Option<Validator> {
        match self.evaluation {
            Evaluation::Verdict(validator) => Some(validator),
            _ => None,
        }
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("function", &self.function.name).finish_non_exhaustive()
    }
}
