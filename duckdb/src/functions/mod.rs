//! The scalar functions, by the names and with the meanings that they have in the other packages.

mod derived;
mod spark;
mod uri;

use std::sync::Arc;

use urivalidate::{Grammar, UnknownName, Validator};

use crate::failure::Failure;
use crate::scalar::{Choice, ScalarFunction};

/// All of them.
pub(crate) fn all() -> Vec<Arc<dyn ScalarFunction>> {
    let mut functions: Vec<Arc<dyn ScalarFunction>> = Vec::new();
    functions.extend(uri::UriFunction::ALL.iter().map(|&function| Arc::new(function) as _));
    functions.extend(derived::DerivedFunction::ALL.iter().map(|&function| Arc::new(function) as _));
    functions.extend(spark::SparkFunction::ALL.iter().map(|&function| Arc::new(function) as _));
    functions
}

/// The validator of the grammar that an option names, or else of the default.
fn validator(option: Option<&Choice<'_>>, default: Grammar) -> Result<Validator, Failure> {
    let grammar = option.and_then(|option| option.text()).map(|name| named("grammar", name)).transpose()?;
    Ok(Validator::new(grammar.unwrap_or(default)))
}

/// The member of a closed list that has this name.
pub(crate) fn named<T: std::str::FromStr<Err = UnknownName>>(what: &str, name: &str) -> Result<T, Failure> {
    name.parse().map_err(|error: UnknownName| unknown(what, name, error.names()))
}

/// The failure for a name that is not in a closed list.
pub(crate) fn unknown(what: &str, name: &str, known: &[&str]) -> Failure {
    Failure(format!("unknown {what} '{name}': expected one of {}", known.join(", ")))
}
