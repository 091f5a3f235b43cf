//! The validator that an option of a function chooses.

use urivalidate::{Grammar, Validator};

use crate::failure::Failure;
use crate::names::named;
use crate::scalar::Choice;

/// The validator of the grammar that an option names, or else of the default.
pub(super) fn validator(option: Option<&Choice<'_>>, default: Grammar) -> Result<Validator, Failure> {
    let grammar = option.and_then(|option| option.text()).map(|name| named("grammar", name)).transpose()?;
    Ok(Validator::new(grammar.unwrap_or(default)))
}
