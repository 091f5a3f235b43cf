//! The validator that a function's option selects.

use urivalidate::{Grammar, Validator};

use crate::failure::Failure;
use crate::names::named;
use crate::scalar::Choice;

/// Returns the validator for the grammar that an option names, or for the default grammar if the option is missing.
pub(super) fn validator(option: Option<&Choice<'_>>, default: Grammar) -> Result<Validator, Failure> {
    let grammar = option.and_then(|option| option.text()).map(|name| named("grammar", name)).transpose()?;
    Ok(Validator::new(grammar.unwrap_or(default)))
}
