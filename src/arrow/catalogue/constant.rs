//! The values of parameters that are not columns.

use super::parameter::{Parameter, ParameterType};
use crate::arrow::{DefaultScheme, FunctionError};
use crate::grammar::Grammar;
use crate::names::UnknownName;
use crate::normal::NormalForm;
use crate::validator::Validator;

/// The value of a parameter that is not a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Constant<'a> {
    /// A text: for a parameter of a closed list, one of the list's names.
    Text(&'a str),
    /// A flag.
    Flag(bool),
    /// A grammar with its options.
    Validator(Validator),
}

impl Constant<'_> {
    fn fits(self, parameter_type: ParameterType) -> bool {
        match self {
            Constant::Text(_) => !matches!(parameter_type, ParameterType::Column | ParameterType::Flag),
            Constant::Flag(_) => parameter_type == ParameterType::Flag,
            Constant::Validator(_) => parameter_type == ParameterType::Grammar,
        }
    }
}

/// The constants of a call, whose types are those of the parameters.
pub(super) struct Constants<'a> {
    given: Vec<(&'static Parameter, Constant<'a>)>,
    grammar: Option<Grammar>,
}

impl<'a> Constants<'a> {
    /// Checks constants. `parameters` are the parameters after the columns, and `grammar` is the default
    /// grammar.
    ///
    /// # Errors
    ///
    /// Returns an error if there are too many constants, one of them has another type than its parameter, or
    /// a required one is missing.
    pub(super) fn new(
        parameters: &'static [Parameter],
        constants: &[Option<Constant<'a>>],
        grammar: Option<Grammar>,
    ) -> Result<Self, FunctionError> {
        if constants.len() > parameters.len() {
            let (most, got) = (parameters.len(), constants.len());
            return Err(invalid(format!("expected at most {most} constants, got {got}")));
        }
        let mut given = Vec::new();
        for (index, parameter) in parameters.iter().enumerate() {
            match constants.get(index).copied().flatten() {
                Some(constant) if constant.fits(parameter.parameter_type()) => {
                    given.push((parameter, constant))
                }
                Some(_) => {
                    let expected = parameter.parameter_type().description();
                    return Err(invalid(format!("expected {expected} as {}", parameter.name())));
                }
                None if parameter.is_required() => {
                    return Err(invalid(format!("the constant {} is missing", parameter.name())));
                }
                None => {}
            }
        }
        Ok(Constants { given, grammar })
    }

    /// Returns the text of the parameter of this name.
    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.given.iter().find_map(|&(parameter, constant)| match constant {
            Constant::Text(text) if parameter.name() == name => Some(text),
            _ => None,
        })
    }

    /// Returns the flag, which is false by default.
    #[cfg(feature = "domains")]
    pub(super) fn flag(&self) -> bool {
        self.given.iter().any(|&(_, constant)| constant == Constant::Flag(true))
    }

    /// Returns the default scheme.
    pub(super) fn default_scheme(&self) -> Result<Option<DefaultScheme>, FunctionError> {
        match self.of_type(ParameterType::Scheme) {
            Some(Constant::Text(name)) => DefaultScheme::new(name).map(Some),
            _ => Ok(None),
        }
    }

    /// Returns the form, which is the default form if the call lacks it.
    pub(super) fn form(&self) -> Result<NormalForm, FunctionError> {
        match self.of_type(ParameterType::Form) {
            Some(Constant::Text(name)) => named("form", name),
            _ => Ok(NormalForm::default()),
        }
    }

    /// Returns the validator of the grammar, which is the default grammar if the call lacks it.
    pub(super) fn validator(&self) -> Result<Validator, FunctionError> {
        match self.of_type(ParameterType::Grammar) {
            Some(Constant::Validator(validator)) => Ok(validator),
            Some(Constant::Text(name)) => Ok(Validator::new(named("grammar", name)?)),
            _ => Ok(Validator::new(self.grammar.unwrap_or(Grammar::Uri))),
        }
    }

    fn of_type(&self, parameter_type: ParameterType) -> Option<Constant<'a>> {
        let mut of_type =
            self.given.iter().filter(|(parameter, _)| parameter.parameter_type() == parameter_type);
        of_type.next().map(|&(_, constant)| constant)
    }
}

fn named<T: std::str::FromStr<Err = UnknownName>>(
    what: &'static str,
    name: &str,
) -> Result<T, FunctionError> {
    name.parse().map_err(|error: UnknownName| FunctionError::UnknownName {
        what,
        name: name.to_owned(),
        known: error.names(),
    })
}

fn invalid(message: String) -> FunctionError {
    FunctionError::Arrow(arrow_schema::ArrowError::InvalidArgumentError(message))
}
