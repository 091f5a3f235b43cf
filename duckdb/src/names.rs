//! Finds members of closed lists by their names.

use urivalidate::UnknownName;
use urivalidate::unknown_name;

use crate::failure::Failure;

/// Returns the member of a closed list with this name.
pub(crate) fn named<T: std::str::FromStr<Err = UnknownName>>(what: &str, name: &str) -> Result<T, Failure> {
    name.parse().map_err(|error: UnknownName| unknown(what, name, error.names()))
}

/// Returns the failure for a name that a closed list does not have.
pub(crate) fn unknown(what: &str, name: &str, known: &[&str]) -> Failure {
    Failure(unknown_name(what, name, known))
}
