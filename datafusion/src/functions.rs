//! The list of all functions of this package.

use std::sync::{Arc, LazyLock};

use datafusion_expr::ScalarUDF;
use urivalidate::arrow::catalogue::FUNCTIONS;

use crate::function::ColumnFunction;

static ALL: LazyLock<Vec<Arc<ScalarUDF>>> =
    LazyLock::new(|| FUNCTIONS.iter().map(ColumnFunction::new).map(ScalarUDF::from).map(Arc::new).collect());

/// Returns all functions of this package: those of the [catalogue](urivalidate::arrow::catalogue).
pub fn functions() -> Vec<Arc<ScalarUDF>> {
    ALL.clone()
}

/// Returns the function with this name.
///
/// # Panics
///
/// If no function has this name.
pub(crate) fn function(name: &str) -> &'static Arc<ScalarUDF> {
    let function = ALL.iter().find(|function| function.name() == name);
    function.unwrap_or_else(|| panic!("there is no function {name}"))
}
