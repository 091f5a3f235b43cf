//! The scalar functions. Their names and meanings are the same in the other packages.

mod derived;
mod spark;
mod uri;
mod validator;

use std::sync::Arc;

use crate::scalar::ScalarFunction;

/// Returns all scalar functions.
pub(crate) fn all() -> Vec<Arc<dyn ScalarFunction>> {
    let mut functions: Vec<Arc<dyn ScalarFunction>> = Vec::new();
    functions.extend(uri::UriFunction::ALL.iter().map(|&function| Arc::new(function) as _));
    functions.extend(derived::DerivedFunction::ALL.iter().map(|&function| Arc::new(function) as _));
    functions.extend(spark::SparkFunction::ALL.iter().map(|&function| Arc::new(function) as _));
    functions
}
